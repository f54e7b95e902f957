"""The advisor of Cairn: what its planner asks in bulk, and what things are worth. Nothing here decides a rule.

`prospect`: who is there, where to go, whom to strike from where; `measures`: manoeuvres, powers and whatever else may
be done; `sealing`: plans that nobody carries out yet.
"""

from __future__ import annotations

from collections.abc import Iterator

from game.controllers.ai.advisors import exploring
from game.controllers.ai.advisors.cairn import measures, prospect
from game.controllers.ai.advisors.cairn.sealing import Sealing
from game.controllers.ai.advisors.planning import Answers, Measure, Outlook, by_id, standing
from rules.cairn.explore.kinds import EXPLORING, situation_of
from rules.cairn.state import EXPLORE_PHASE, CairnState
from rules.contract.actions import Decision
from rules.contract.units import CreatureIx
from rules.explore.course import explored


def _temperament(state: CairnState, who: CreatureIx) -> str:
    return state.setup.beings[who].temperament


def _turn(state: CairnState) -> int:
    return explored(state).minute if state.phase == EXPLORE_PHASE else state.round


def _outlook(state: CairnState, who: CreatureIx) -> Outlook:
    if state.phase == EXPLORE_PHASE:
        return exploring.outlook(state.setup.beings[who].id)
    return measures.outlook(state, who)


def _measures(state: CairnState, decision: Decision) -> Iterator[Measure]:
    if state.phase == EXPLORE_PHASE:
        return exploring.measures(EXPLORING, situation_of(state, state.setup.index[decision.by]))
    return measures.measures(state, decision)


ADVISOR = Answers(
    pieces=prospect.pieces,
    temperament=by_id(_temperament),
    place=by_id(standing),
    turn=_turn,
    outlook=by_id(_outlook),
    route=by_id(prospect.route),
    targets=by_id(measures.targets),
    threats=by_id(prospect.threats),
    measures=_measures,
    promise=measures.promise,
    spots=by_id(prospect.spots),
    reaches=by_id(prospect.reaches),
    endures=by_id(prospect.endures),
    sealing=Sealing(),
)
