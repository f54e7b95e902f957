"""Waves under Cairn: they come when a round begins, act in their side's half of it and count for its morale
(cairn.md §1 waves)."""

from __future__ import annotations

import msgspec

from rules.cairn.explore.turns import TURNS
from rules.cairn.state import CairnState, Morale, Resolution
from rules.contract.ruleset import PARTY
from rules.contract.text import text
from rules.contract.units import CreatureIx
from rules.explore.arriving import Arriving


class CairnArriving(Arriving):
    """Who comes into a fight later."""

    course = TURNS

    def clock(self, at: CairnState | Resolution) -> int:
        return at.round

    def moment(self, due: int) -> str:
        return text("round {n}", due)

    def ready(self, resolution: Resolution, who: CreatureIx) -> None:
        """It is one more of its band."""
        being = resolution.being(who)
        group = "" if being.side == PARTY else being.group
        for number, known in enumerate(resolution.morale):
            if (known.side, known.group) == (being.side, group):
                more = msgspec.structs.replace(known, start=known.start + (being.side != PARTY))
                resolution.morale = (*resolution.morale[:number], more, *resolution.morale[number + 1 :])
                return
        if being.side != PARTY:
            resolution.morale = (*resolution.morale, Morale(being.side, 1, being.group))


ARRIVING = CairnArriving()
