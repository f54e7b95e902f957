"""Waves under Count-Up: they come at the beginning of a second, and throw for initiative from it on (countup.md §1.1
Waves)."""

from __future__ import annotations

from rules.contract.text import text
from rules.contract.units import CreatureIx
from rules.countup.combat.reach import bearing
from rules.countup.explore.minutes import MINUTES
from rules.countup.goals import ROUND
from rules.countup.state import CountState, Resolution
from rules.explore.arriving import Arriving


class CountArriving(Arriving):
    """Who comes into a fight later. A turn is ten seconds."""

    course = MINUTES
    turn = ROUND

    def clock(self, at: CountState | Resolution) -> int:
        return at.second

    def moment(self, due: int) -> str:
        return text("second {n}", due)

    def ready(self, resolution: Resolution, who: CreatureIx) -> None:
        """It throws for initiative, and looks to the nearest foe."""
        MINUTES.join(resolution, who)
        foes = resolution.foes(who)
        if foes:
            near = min(foes, key=lambda foe: (resolution.distance(who, foe), resolution.figures[foe].cell, foe))
            resolution.change(who, facing=bearing(resolution, who, near))


ARRIVING = CountArriving()
