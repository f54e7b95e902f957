"""The advisor of Count-Up: what its planner asks in bulk, and what things are worth. Nothing here decides a rule.

`prospect`: who is there, where to go or run to, whom to strike from where, spells; `manoeuvres`: manners of fighting,
weapons to take in hand, answers.
"""

from __future__ import annotations

from game.controllers.ai.advisors.countup import manoeuvres, prospect
from game.controllers.ai.advisors.planning import Modules, Numbered
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
        promise=manoeuvres.promise,
        spots=prospect.spots,
        reaches=prospect.reaches,
    )
