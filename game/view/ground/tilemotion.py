"""Tiles that move: which picture of its animation each shows at a time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from itertools import accumulate

STEP = 50
"""Milliseconds: nothing moves in smaller steps."""


class TileMotion:
    """The clock of all animated tiles. `moving` are their arts with what each shows for how many milliseconds."""

    def __init__(self, moving: Mapping[int, tuple[tuple[int, int], ...]]) -> None:
        self.cycles = {
            art: ([frame for frame, _ in frames], list(accumulate(max(STEP, wait) for _, wait in frames)))
            for art, frames in moving.items()
        }
        self._clock = 0.0
        self.frames: dict[int, int] = {}
        """What each shows; empty while they stand still, which shows each as its tile is."""

    def advance(self, seconds: float) -> set[int]:
        """Let time pass; the arts that look otherwise now."""
        self._clock += seconds * 1000
        now = {art: self._shown(art) for art in self.cycles}
        changed = {art for art, frame in now.items() if self.frames.get(art) != frame}
        self.frames = now
        return changed

    def stop(self) -> bool:
        """Stand still; whether that changed anything."""
        moved, self.frames = bool(self.frames), {}
        return moved

    def _shown(self, art: int) -> int:
        frames, ends = self.cycles[art]
        return frames[bisect_right(ends, self._clock % ends[-1])]

    def wait(self, arts: Iterable[int]) -> float | None:
        """Seconds until one of these arts changes; None if there is none."""
        waits = []
        for art in arts:
            _, ends = self.cycles[art]
            at = self._clock % ends[-1]
            waits.append(ends[bisect_right(ends, at)] - at)
        return min(waits) / 1000 if waits else None

    def looks(self, arts: Iterable[int]) -> int:
        """How many different pictures these arts may make together."""
        count = 1
        for ends in {tuple(self.cycles[art][1]) for art in arts}:
            count *= len(ends)
        return count
