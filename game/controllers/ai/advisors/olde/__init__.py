"""The advisor of Dungeons of Olde: what its planner asks in bulk, what things are worth. Nothing here decides a rule.

`prospect`: who is there, where to go, whom to strike from where; `attacks`: what each attack comes to, wounds and what
follows upon them; `magic`: castings and changed ground; `measures`: whatever else may be done.
"""

from __future__ import annotations

from collections.abc import Iterator

from game.controllers.ai.advisors import exploring
from game.controllers.ai.advisors.olde import attacks, magic, prospect
from game.controllers.ai.advisors.olde.measures import answer_benefit, measures
from game.controllers.ai.advisors.planning import NOTHING, Answers, Measure, Outlook, Promise, by_id, standing
from rules.contract.actions import CHOOSE, Action, Decision
from rules.contract.units import CreatureIx
from rules.olde.actions.kind import Context
from rules.olde.actions.table import option_of
from rules.olde.combat.reactions import DECLINE
from rules.olde.explore.kinds import EXPLORING, situation_of
from rules.olde.magic.actions import MAGIC_ACTIONS
from rules.olde.magic.casting import prospects_of
from rules.olde.state import OldeState, Phase


def _turn(state: OldeState) -> int:
    return state.exploring.minute if state.chance is None and state.phase is Phase.EXPLORE else state.turn


def _outlook(state: OldeState, who: CreatureIx) -> Outlook:
    """What somebody may still do: in a fight, or before anybody has noticed anybody."""
    if state.chance is None and state.phase is Phase.EXPLORE:
        return exploring.outlook(state.setup.fighters[who].id)
    return prospect.outlook(state, who)


def _measures(state: OldeState, decision: Decision) -> Iterator[Measure]:
    if state.chance is None and state.phase is Phase.EXPLORE:
        return exploring.measures(EXPLORING, situation_of(state, state.setup.index[decision.by]))
    return measures(state)


def _promise(state: OldeState, action: Action) -> Promise:
    """Of castings and of answers to attacks."""
    question = state.question
    if question is not None:
        option = option_of(question.options, action.option) if action.do == CHOOSE else None
        return Promise(answer_benefit(state, option)) if option and question.kind in DECLINE else NOTHING
    kind = MAGIC_ACTIONS.get(action.do)
    if kind is None or state.chance is None:
        return NOTHING
    casting = kind.casting_of(Context(state, state.chance), action)
    return Promise(magic.benefit_of(state, casting, prospects_of(state, casting)))


def _temperament(state: OldeState, who: CreatureIx) -> str:
    return state.setup.fighters[who].temperament


ADVISOR = Answers(
    pieces=prospect.pieces,
    temperament=by_id(_temperament),
    place=by_id(standing),
    turn=_turn,
    outlook=by_id(_outlook),
    route=by_id(prospect.route),
    targets=by_id(prospect.targets),
    threats=by_id(prospect.threats),
    measures=_measures,
    promise=_promise,
    spots=by_id(attacks.spots),
    reaches=by_id(attacks.reaches),
    begun=by_id(prospect.begun),
)
