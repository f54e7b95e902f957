"""The engine of expeditions by itself: one ruleset's course, a resolution under way, and who notices as a test says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rules.cairn.explore.turns import TURNS
from rules.cairn.state import Resolution as CairnResolution
from rules.contract.events import Event
from rules.contract.text import as_builtins
from rules.contract.units import Cell, CreatureIx
from rules.countup.explore.minutes import MINUTES as COUNTUP
from rules.countup.state import Resolution as CountupResolution
from rules.explore.meeting import Meeting
from rules.explore.state import Exploring
from rules.olde.explore.minutes import MINUTES as OLDE
from rules.olde.state import Resolution as OldeResolution
from tests.rules.explore.expedition import ROOMS, Expedition

COURSES: dict[str, tuple[Meeting[Any], Callable[[Any], Any]]] = {
    "olde": (OLDE, OldeResolution), "cairn": (TURNS, CairnResolution), "countup": (COUNTUP, CountupResolution),
}  # fmt: skip
HALL = ["#" * 40, *["#" + "." * 38 + "#"] * 3, "#" * 40]
"""One long hall: everybody in it sees everybody."""


class Engine:
    """A course in the middle of something. What `says` names, this course answers so, whoever asks: `hears=True`."""

    def __init__(
        self, ruleset: str, creatures: Sequence[dict[str, Any]], rows: Sequence[str] = tuple(ROOMS), *,
        says: dict[str, Any] | None = None, **more: Any,
    ) -> None:  # fmt: skip
        self.table = Expedition(ruleset, creatures, rows, **more)
        course, make = COURSES[ruleset]
        answers = {name: _answer(value) for name, value in (says or {}).items()}
        self.course: Any = type("Told", (type(course),), answers)()
        self.resolution: Any = make(self.table.now)

    def who(self, name: str) -> CreatureIx:
        return CreatureIx(self.table.now.setup.index[name])

    def cell(self, column: int, row: int) -> Cell:
        return self.table.field.cell(column, row)

    @property
    def now(self) -> Exploring:
        found: Exploring = self.resolution.explore
        return found

    def mark(self, name: str, **values: int) -> None:
        self.course.mark(self.resolution, self.who(name), **values)

    def row(self, name: str, row: str) -> int:
        """What the exploration remembers of somebody."""
        return int(getattr(self.now, row)[self.who(name)])

    def roused(self, name: str) -> bool:
        return bool(self.now.roused >> self.who(name) & 1)

    def at(self, name: str) -> tuple[int, int] | None:
        cell = self.resolution.figures[self.who(name)].cell
        return self.table.field.at(cell) if cell >= 0 else None

    def put(self, name: str, column: int, row: int) -> None:
        self.resolution.change(self.who(name), cell=self.cell(column, row))

    def parked(self, name: str) -> tuple[int, int] | None:
        cell = self.row(name, "parked")
        return self.table.field.at(Cell(cell)) if cell >= 0 else None

    def goal(self, name: str) -> tuple[int, int] | None:
        """Where somebody goes."""
        cell = self.row(name, "seeks")
        return self.table.field.at(Cell(cell)) if cell >= 0 else None

    def told(self, what: str) -> list[dict[str, Any]]:
        events: list[Event] = self.resolution.events
        return [told for told in map(as_builtins, events) if told["event"] == what]

    def notes(self) -> str:
        return " ".join(note["text"] for note in self.told("note"))

    def fight(self) -> None:
        """It comes to blows, by a blow of the heroes."""
        self.course.danger(self.resolution)


def _answer(value: Any) -> Any:
    return value if callable(value) else lambda self, *asked, **more: value
