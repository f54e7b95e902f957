"""Waves under Dungeons of Olde: they come with the reset, and throw for AP with everybody else (olde.md §4 waves)."""

from __future__ import annotations

from rules.contract.units import CreatureIx
from rules.explore.arriving import Arriving
from rules.olde.explore.minutes import MINUTES
from rules.olde.state import OldeState, Resolution


class OldeArriving(Arriving):
    """Who comes into a fight later."""

    course = MINUTES

    def clock(self, at: OldeState | Resolution) -> int:
        return at.turn

    def ready(self, resolution: Resolution, who: CreatureIx) -> None:
        """The AP come with the reset that is under way."""


ARRIVING = OldeArriving()
