"""What lies under a fight or an expedition: the ambience of the place that is shown, and music by how it stands.

Both follow what whoever looks has been shown, never what is only true: the music of a fight begins with its first sign.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from game.app.sounds import Backdrop
from game.fight.match import Match
from game.sound.ambience import themes
from rules.board.grid import Field
from rules.contract.display import Miniature
from rules.contract.events import Began, Event, Over
from rules.contract.units import Cell

OF_PHASE = {"exploration": "exploring", "truce": "exploring", "fight": "fight"}
"""The music of each kind of episode."""


def place_of(field: Field, cell: Cell) -> str:
    """The ambience of a space: its map's theme, lit or dark. Where a light of the map shines, it is lit."""
    part = field.part(cell)
    theme = part.theme if part.theme in themes() else "none"
    dark = part.ambient == "dark" and not _lamplit(field, cell)
    return f"{theme} {'dark' if dark else 'lit'}"


def _lamplit(field: Field, cell: Cell) -> bool:
    column, row = field.at(cell)
    for light in field.lights:
        x, y = field.at(light.cell)
        if max(abs(x - column), abs(y - row)) <= light.bright:
            return True
    return False


class Soundscape:
    """Which backdrop is due. `sides` are those of whoever looks."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self.music = ""
        self._spot = Cell(0)
        self._known: tuple[Cell, str] | None = None
        """A space, and what it sounds like."""

    def recall(self, events: Sequence[Event], sides: Collection[str]) -> None:
        """How it stands after these events, the ones that were shown."""
        self.music = "" if self._match.decision is None else "fight"
        for event in reversed(events):
            if isinstance(event, Began) and event.what in OF_PHASE:
                self.music = OF_PHASE[event.what]
                break
            if isinstance(event, Over):
                self.music = ""  # its music has been heard
                break

    def hear(self, event: Event, sides: Collection[str]) -> None:
        """Something has been shown."""
        if isinstance(event, Began) and event.what in OF_PHASE:
            self.music = OF_PHASE[event.what]
        elif isinstance(event, Over):
            self.music = "won" if event.winner in sides else "lost"

    def stand(self, whoever: Miniature | None) -> None:
        """With whose ears whoever looks is there; None: with those of whoever it was."""
        if whoever is not None and whoever.cell >= 0:
            self._spot = whoever.cell

    @property
    def backdrop(self) -> Backdrop:
        if self._known is None or self._known[0] != self._spot:
            self._known = (self._spot, place_of(self._match.field, self._spot))
        return Backdrop(self._known[1], self.music)
