"""What an integer is: plain numbers when the program runs, and to mypy no stand-ins for each other."""

from typing import TYPE_CHECKING

from rules.board.bitboard import board_of, cells_of
from rules.board.grid import Field
from rules.cairn.actions.context import Context as CairnContext
from rules.cairn.state import CairnState
from rules.contract.units import EMPTY, NO_CREATURE, NOWHERE, Bitboard, Cell, CreatureIx, first_creatures, numbered
from rules.countup.actions.context import Context as CountContext
from rules.countup.state import CountState
from rules.olde.state import Chance, OldeState

FIELD = Field.from_rows(["...", "..."])

if TYPE_CHECKING:  # `mypy tests` wants each of these lines to be wrong: an `ignore` that isn't needed is an error
    who, cell, board = 1, FIELD.cell(1, 1), FIELD.terrain().everywhere
    FIELD.at(who)  # type: ignore[arg-type]
    FIELD.at(board)  # type: ignore[arg-type]
    FIELD.terrain().neighbours(who)  # type: ignore[arg-type]
    cells_of(who)  # type: ignore[arg-type]
    cells_of(cell)  # type: ignore[arg-type]
    board_of([who])  # type: ignore[list-item]

    def creatures(cairn: CairnState, countup: CountState, olde: OldeState) -> None:
        CairnContext(cairn, cell)  # type: ignore[arg-type]
        CairnContext(cairn, who)  # type: ignore[arg-type]
        CountContext(countup, cell)  # type: ignore[arg-type]
        Chance(cell)  # type: ignore[arg-type]
        Chance(board)  # type: ignore[arg-type]
        olde.setup.index["Wren"] = cell  # type: ignore[assignment]
        FIELD.at(olde.setup.index["Wren"])  # type: ignore[arg-type]
        cells_of(CairnContext(cairn, cairn.setup.index["Wren"]).who)  # type: ignore[arg-type]
        numbers = [CreatureIx(0), *first_creatures(2), *(i for i, _ in numbered(olde.figures))]
        CountContext(countup, numbers[0])

    right: tuple[Cell, Bitboard] = (cell + who, board & ~(1 << cell) | EMPTY)


def test_nothing_of_it_is_there_when_the_program_runs():
    cell = FIELD.cell(2, 1)
    for value in (
        cell,
        cells_of(1 << cell)[0],
        board_of([cell]),
        FIELD.terrain().everywhere,
        EMPTY,
        NOWHERE,
        NO_CREATURE,
    ):
        assert type(value) is int
