"""Who advises under Dungeons of Olde: the contract of advisors fulfilled."""

from __future__ import annotations

from collections.abc import Iterator

from game.controllers.ai.advisors.numbered import Modules, Numbered
from game.controllers.ai.advisors.olde import exploring, magic, measures, prospect, reactions, threat
from game.controllers.ai.advisors.planning import NOTHING, Measure, Outlook, Promise
from rules.contract.actions import Action, Decision
from rules.olde.actions.answers import option_of
from rules.olde.actions.context import Context
from rules.olde.combat.reactions import DECLINE
from rules.olde.magic.actions import MAGIC_ACTIONS
from rules.olde.magic.odds import prospects_of
from rules.olde.state import OldeState, Phase


def _outlook(state: OldeState, who: int) -> Outlook:
    """What somebody may still do: in a fight, or before anybody has noticed anybody."""
    return exploring.outlook(state, who) if state.phase is Phase.EXPLORE else prospect.outlook(state, who)


def _measures(state: OldeState, decision: Decision) -> Iterator[Measure]:
    if state.phase is Phase.EXPLORE:
        return exploring.measures(state, state.setup.index[decision.by])
    return measures.measures(state)


def _promise(state: OldeState, action: Action) -> Promise:
    """Of castings and of answers to attacks."""
    question = state.question
    if question is not None:
        option = option_of(question.options, action.option) if action.do == "choose" else None
        return Promise(reactions.benefit_of(state, option)) if option and question.kind in DECLINE else NOTHING
    kind = MAGIC_ACTIONS.get(action.do)
    if kind is None or state.chance is None:
        return NOTHING
    casting = kind.casting_of(Context(state, state.chance), action)
    return Promise(magic.benefit_of(state, casting, prospects_of(state, casting)))


def _temperament(state: OldeState, who: int) -> str:
    return state.setup.fighters[who].temperament


class OldeAdvisor(Numbered[OldeState]):
    """The advisor of `olde`."""

    modules = Modules(
        pieces=prospect.pieces,
        temperament=_temperament,
        outlook=_outlook,
        route=prospect.route,
        targets=prospect.targets,
        threats=prospect.threats,
        measures=_measures,
        promise=_promise,
        spots=threat.spots,
        reaches=threat.reaches,
    )
