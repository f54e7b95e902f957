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
        self._spots: tuple[Cell, ...] = (Cell(0),)
        self._known: tuple[tuple[Cell, ...], str] | None = None
        """Some spaces, and what it sounds like there."""

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

    def stand(self, own: Sequence[Miniature], by: str | None = None) -> None:
        """Who hears it: those of whoever looks. Of several maps it is that of `by`, else of the first; there it is lit
        where most of them stand in light."""
        there = [mini.cell for mini in own if mini.cell >= 0 and not mini.out]
        if there:
            first = next((mini.cell for mini in own if mini.id == by and mini.cell in there), there[0])
            self._spots = (first, *(cell for cell in there if cell != first))

    @property
    def backdrop(self) -> Backdrop:
        if self._known is None or self._known[0] != self._spots:
            self._known = (self._spots, self._place())
        return Backdrop(self._known[1], self.music)

    def _place(self) -> str:
        field, (first, *others) = self._match.field, self._spots
        part = field.part(first)
        heard = [place_of(field, first), *(place_of(field, each) for each in others if field.part(each) == part)]
        return min(set(heard), key=lambda each: (-heard.count(each), each))
