"""Who advises under Count-Up: the contract of advisors fulfilled."""

from __future__ import annotations

from game.controllers.ai.advisors.countup import answers, prospect
from game.controllers.ai.advisors.numbered import Modules, Numbered
from rules.countup.state import CountState


def _temperament(state: CountState, who: int) -> str:
    return state.setup.beings[who].temperament


class CountUpAdvisor(Numbered[CountState]):
    """The advisor of `countup`."""

    modules = Modules(
        pieces=prospect.pieces,
        temperament=_temperament,
        outlook=prospect.outlook,
        route=prospect.route,
        targets=prospect.targets,
        threats=prospect.threats,
        measures=prospect.measures,
        promise=answers.promise,
        spots=prospect.spots,
        reaches=prospect.reaches,
    )
