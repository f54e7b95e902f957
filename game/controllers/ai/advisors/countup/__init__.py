"""The advisor of Count-Up: what its planner asks in bulk, and what things are worth. Nothing here decides a rule.

`prospect`: who is there, where to go or run to, whom to strike from where, spells; `manoeuvres`: manners of fighting,
weapons to take in hand, answers.
"""

from __future__ import annotations

from collections.abc import Iterator

from game.controllers.ai.advisors import exploring
from game.controllers.ai.advisors.countup import manoeuvres, prospect
from game.controllers.ai.advisors.planning import Answers, Measure, Outlook, by_id, standing
from rules.contract.actions import Decision
from rules.contract.units import CreatureIx
from rules.countup.explore.kinds import exploring as exploring_kinds
from rules.countup.explore.kinds import situation_of
from rules.countup.state import CountState, Phase
from rules.explore.course import explored


def _turn(state: CountState) -> int:
    return explored(state).minute if state.phase is Phase.EXPLORE else state.second // manoeuvres.beat_seconds()


def _outlook(state: CountState, who: CreatureIx) -> Outlook:
    if state.phase is Phase.EXPLORE:
        return exploring.outlook(state.being(who).id)
    return prospect.outlook(state, who)


def _measures(state: CountState, decision: Decision) -> Iterator[Measure]:
    if state.phase is Phase.EXPLORE:
        return exploring.measures(exploring_kinds(state.setup), situation_of(state, state.setup.index[decision.by]))
    return prospect.measures(state, decision)


ADVISOR = Answers(
    pieces=prospect.pieces, temperament=by_id(prospect.temperament), place=by_id(standing),
    turn=_turn, outlook=by_id(_outlook), route=by_id(prospect.route), targets=by_id(prospect.targets),
    threats=by_id(prospect.threats), measures=_measures, promise=manoeuvres.promise, spots=by_id(prospect.spots),
    reaches=by_id(prospect.reaches),
)  # fmt: skip
