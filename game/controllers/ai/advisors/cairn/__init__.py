"""The advisor of Cairn: what its planner asks in bulk, and what things are worth. Nothing here decides a rule.

`prospect`: who is there, where to go, whom to strike from where; `measures`: manoeuvres, powers and whatever else may
be done.
"""

from __future__ import annotations

from game.controllers.ai.advisors.cairn import measures, prospect
from game.controllers.ai.advisors.planning import Modules, Numbered
from rules.cairn.state import CairnState


def _temperament(state: CairnState, who: int) -> str:
    return state.setup.beings[who].temperament


class CairnAdvisor(Numbered[CairnState]):
    """The advisor of `cairn`."""

    modules = Modules(
        pieces=prospect.pieces,
        temperament=_temperament,
        outlook=measures.outlook,
        route=prospect.route,
        targets=measures.targets,
        threats=prospect.threats,
        measures=measures.measures,
        promise=measures.promise,
        spots=prospect.spots,
        reaches=prospect.reaches,
    )
