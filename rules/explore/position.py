"""What exploration, goals and the like ask of every ruleset's state, and of its action being resolved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from rules.board.grid import Terrain
from rules.contract.events import Event
from rules.contract.units import Cell, CreatureIx


class Position(Protocol):
    """A ruleset's state, or its resolution under way."""

    @property
    def setup(self) -> Any: ...
    @property
    def figures(self) -> Sequence[Any]: ...
    @property
    def terrain(self) -> Terrain: ...


class Changing(Position, Protocol):
    """A ruleset's action being resolved."""

    events: list[Event]
    winner: str | None

    def change(self, who: CreatureIx, **changes: Any) -> Any: ...
    def space(self, cell: Cell) -> tuple[int, int]: ...
