"""Ground that the game master shows to the players, or hides from them, with a brush: how it is kept with a record.

It is a matter of what their window shows, and of nothing else: no rule knows of it, and taking back leaves it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rules.board.bitboard import board_of, cells_of
from rules.board.grid import Field
from rules.contract.units import EMPTY, Bitboard, Cell
from rules.core.record import BrushedModel, Record, Run


class Brush(NamedTuple):
    """Bitboards of the spaces that are shown, and that are hidden, whatever the heroes know; none is in both."""

    shown: Bitboard = EMPTY
    hidden: Bitboard = EMPTY

    def show(self, cells: Bitboard) -> Brush:
        """These spaces are shown from now on."""
        return Brush(self.shown | cells, self.hidden & ~cells)

    def hide(self, cells: Bitboard) -> Brush:
        """These spaces are hidden from now on."""
        return Brush(self.shown & ~cells, self.hidden | cells)

    def leave(self, cells: Bitboard) -> Brush:
        """These spaces are again as the heroes know them."""
        return Brush(self.shown & ~cells, self.hidden & ~cells)


def brush_of(record: Record, field: Field) -> Brush:
    """What a record says; what lies beyond its map (which may have been drawn smaller since) counts for nothing."""
    brushed = record.brushed
    if brushed is None:
        return Brush()
    shown, hidden = _spaces(brushed.shown, field), _spaces(brushed.hidden, field)
    return Brush(shown & ~hidden, hidden)


def kept(brush: Brush, field: Field) -> BrushedModel | None:
    """The brush as a record keeps it; None where nothing is shown or hidden."""
    if not brush.shown and not brush.hidden:
        return None
    return BrushedModel(shown=list(_runs(brush.shown, field)), hidden=list(_runs(brush.hidden, field)))


def _spaces(runs: list[Run], field: Field) -> Bitboard:
    found: list[Cell] = []
    for column, row, length in runs:
        if column < field.width and row < field.height:
            start = field.cell(column, row)
            found += [Cell(start + n) for n in range(min(length, field.width - column))]
    return board_of(found)


def _runs(cells: Bitboard, field: Field) -> Iterator[Run]:
    start, length = -1, 0
    for cell in cells_of(cells):
        if cell == start + length and cell % field.width:
            length += 1
            continue
        if length:
            yield (*field.at(Cell(start)), length)
        start, length = cell, 1
    if length:
        yield (*field.at(Cell(start)), length)
