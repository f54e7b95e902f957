"""An encounter that is prepared, for the players' window: as the heroes would see its opening."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from game.fight.match import Match
from game.view.boardview import BoardView
from rules.contract.errors import BattlematError
from rules.core.record import Record

QUIET = 0.3
"""Seconds without a change after which the opening is made out anew: it takes a moment, and a hand may be dragging."""


class Opening:
    """The opening of what is on the table now; none while something stands in the way of playing it.

    `stands` is what it would be made of (compared by identity), `made` makes a record of it: with the folder where its
    map may lie; None where something stands in the way.
    """

    keeps = False
    """Ground is shown and hidden by hand in fights alone: there it is kept."""
    curtained = False
    frame = 0

    def __init__(
        self, view: Callable[[], BoardView], stands: Callable[[], object],
        made: Callable[[], tuple[Record, Path | None] | None], clock: Callable[[], float],
    ) -> None:  # fmt: skip
        self._view, self._stands, self._made, self._clock = view, stands, made, clock
        self._changed = -QUIET
        self._seen: object = None
        """What was on the table when it was looked at last."""
        self._made_of: object = None
        self._match: Match | None = None

    @property
    def view(self) -> BoardView:
        """The table on which it is prepared."""
        return self._view()

    @property
    def match(self) -> Match | None:
        """The fight before its first command."""
        now = self._stands()
        if now is not self._seen:
            self._seen, self._changed = now, self._clock()
        if now is not self._made_of and (self._match is None or self._clock() - self._changed >= QUIET):
            self._made_of, self._match = now, self._begun()
        return self._match

    @property
    def waits(self) -> bool:
        """Whether it is soon to be made out anew."""
        return self._seen is not self._made_of

    def _begun(self) -> Match | None:
        try:
            made = self._made()
            return None if made is None else Match.from_record(made[0], beside=made[1])
        except BattlematError:
            return None  # what is wrong is told where it is prepared
