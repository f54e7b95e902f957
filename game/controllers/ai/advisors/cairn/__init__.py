"""The advisor of Cairn: what its planner asks in bulk, and what things are worth. Nothing here decides a rule.

`prospect`: who is there, where to go, whom to strike from where; `measures`: manoeuvres, powers and whatever else may
be done; `sealing`: plans that nobody carries out yet.
"""

from __future__ import annotations

from game.controllers.ai.advisors.cairn import measures, prospect
from game.controllers.ai.advisors.cairn.sealing import Sealing
from game.controllers.ai.advisors.planning import Answers, by_id
from rules.cairn.state import CairnState
from rules.contract.units import CreatureIx


def _temperament(state: CairnState, who: CreatureIx) -> str:
    return state.setup.beings[who].temperament


ADVISOR = Answers(
    pieces=prospect.pieces,
    temperament=by_id(_temperament),
    outlook=by_id(measures.outlook),
    route=by_id(prospect.route),
    targets=by_id(measures.targets),
    threats=by_id(prospect.threats),
    measures=measures.measures,
    promise=measures.promise,
    spots=by_id(prospect.spots),
    reaches=by_id(prospect.reaches),
    endures=by_id(prospect.endures),
    sealing=Sealing(),
)
