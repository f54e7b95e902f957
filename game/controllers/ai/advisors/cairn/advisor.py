"""Who advises under Cairn: the contract of advisors fulfilled."""

from __future__ import annotations

from game.controllers.ai.advisors.cairn import measures, prospect, targets, threat
from game.controllers.ai.advisors.numbered import Modules, Numbered
from rules.cairn.state import CairnState


def _temperament(state: CairnState, who: int) -> str:
    return state.setup.beings[who].temperament


class CairnAdvisor(Numbered[CairnState]):
    """The advisor of `cairn`."""

    modules = Modules(
        pieces=prospect.pieces,
        temperament=_temperament,
        outlook=targets.outlook,
        route=prospect.route,
        targets=targets.targets,
        threats=threat.threats,
        measures=measures.measures,
        promise=measures.promise,
        spots=prospect.spots,
        reaches=threat.reaches,
    )
