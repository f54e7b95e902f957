"""Measuring on the board: a ruler while Ctrl is dragged, and the line of sight between two Alt-clicked spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.board import sight
from rules.board.sight import SightLine

if TYPE_CHECKING:
    from game.scenes.fight.scene import Fight

GRADES = {0: "no line of sight", 1: "minimal", 2: "partial", 3: "clear"}


SCALES = {"feet": (5, "ft"), "metres": (2, "m")}
"""What a space measures on the map's scale, and the unit: 5 feet or 2 metres, whichever the group prefers."""


def length(spaces: int, scale: str) -> str:
    """A distance in words: `3 spaces · 15 ft`."""
    each, unit = SCALES[scale]
    return f"{spaces} spaces · {spaces * each} {unit}"


class Measuring:
    """`ruler` goes from one space to another, `line` is the line of sight that was asked for."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.ruler: tuple[int, int] | None = None
        self.line: SightLine | None = None
        self._from: int | None = None
        self._to: int | None = None

    def forget(self) -> None:
        """Nothing is measured any more."""
        self.ruler = None
        self.forget_line()

    def forget_line(self) -> bool:
        """Take the line of sight back; False if there is none."""
        was = self.line is not None or self._from is not None
        self.line = self._from = self._to = None
        return was

    def stretch(self, cell: int) -> None:
        """The ruler, if there is one, now ends here."""
        if self.ruler is not None:
            self.ruler = (self.ruler[0], cell)

    def take_sight(self, cell: int) -> None:
        """One end of a line of sight, then the other; only between spaces that the player's side knows."""
        fight = self.fight
        if self._from is None or self._to is not None:
            self._from, self._to, self.line = cell, None, None
            fight.toast("Line of sight: now Alt+click the other space.")
            return
        known = fight.eyes.known()
        if not (known >> cell & 1 and known >> self._from & 1):
            self.forget_line()
            fight.toast("Nobody of yours has seen that space.")
            return
        self._to = cell
        self.line = sight.explain(fight.ruleset.terrain(fight.shown), self._from, cell)
        fight.toast(f"Line of sight: {GRADES.get(int(self.line.grade), 'clear')}.")

    def told(self) -> tuple[str, int] | None:
        """What the ruler or the line says, and the space it is said at."""
        fight = self.fight
        if self.ruler is not None:
            distance = fight.ruleset.terrain(fight.shown).distance(*self.ruler)
            return (length(distance, fight.app.settings.scale_of_map), self.ruler[1])
        if self.line is not None and self._to is not None:
            return (GRADES.get(int(self.line.grade), "clear").capitalize(), self._to)
        return None
