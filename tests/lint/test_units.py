"""What an integer is: plain numbers when the program runs, and to mypy no stand-ins for each other."""

from typing import TYPE_CHECKING

from rules.board.bitboard import board_of, cells_of
from rules.board.grid import Field
from rules.cairn.actions.context import Context as CairnContext
from rules.cairn.state import CairnState
from rules.contract.units import (
    EMPTY,
    INSTANT,
    NO_CREATURE,
    NOWHERE,
    SECOND,
    Bitboard,
    Cell,
    CreatureIx,
    Eighths,
    Feet,
    Seconds,
    first_creatures,
    numbered,
)  # fmt: skip
from rules.countup.actions.context import Context as CountContext
from rules.countup.actions.movement import gait_now, rate, there_at
from rules.countup.combat.attack import cycle, leaves_in, speed_of
from rules.countup.gear import UNARMED
from rules.countup.state import FOOT, SPACE, CountState, Figure, Gait
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

if TYPE_CHECKING:  # time is no length, feet are no eighths of a foot, and none of them is a space or a count of spaces
    state, figure = list[CountState]()[0], Figure(cell, 8)
    hero, second = CreatureIx(0), state.second
    pace = rate(state.setup, hero, figure, Gait.RUN)
    figure.able(who)  # type: ignore[arg-type]
    figure.surprised(figure.cell)  # type: ignore[arg-type]
    figure.able(figure.carry)  # type: ignore[arg-type]
    figure.laid("swift", state.distance(hero, hero))  # type: ignore[arg-type]
    FIELD.at(second)  # type: ignore[arg-type]
    FIELD.at(figure.straight)  # type: ignore[arg-type]
    cells_of(second)  # type: ignore[arg-type]
    gait_now(state.setup, hero, figure, pace, Gait.RUN)  # type: ignore[arg-type]
    leaves_in(figure, UNARMED, False, SPACE)  # type: ignore[arg-type]
    soon: Seconds = pace // SPACE  # type: ignore[assignment]
    long: Eighths = Feet(20)  # type: ignore[assignment]
    far: Feet = figure.straight  # type: ignore[assignment]
    near: Feet = second + speed_of(state, hero, UNARMED)  # type: ignore[assignment]
    often: Seconds = second // cycle(UNARMED, False)[1]  # type: ignore[assignment]
    spaces: Eighths = 20 * FOOT // SPACE  # type: ignore[assignment]
    there: Eighths | None = there_at(state, hero, Gait.RUN, 4)  # type: ignore[assignment]
    late: Seconds = second + pace  # type: ignore[assignment]
    gone: Eighths = pace - Feet(20)  # type: ignore[assignment]
    figure.able(figure.due + figure.straight)  # type: ignore[arg-type]
    way: Seconds = second * pace  # type: ignore[assignment]
    Figure(figure.cell, 8, due=4)  # type: ignore[arg-type]
    Figure(figure.cell, 8, carry=SECOND)  # type: ignore[arg-type]
    Figure(figure.cell, 8, straight=20)  # type: ignore[arg-type]
    half: tuple[Eighths, Seconds, Feet] = (pace // 2 + 3 * FOOT, max(second + 1, 1 - -second // 2), 5 * Feet(4))


def test_nothing_of_it_is_there_when_the_program_runs():
    cell = FIELD.cell(2, 1)
    spaces = cell, cells_of(1 << cell)[0], board_of([cell]), FIELD.terrain().everywhere, EMPTY, NOWHERE, NO_CREATURE
    for value in (*spaces, INSTANT, SECOND, UNARMED.speed, FOOT, Gait.RUN.rate, Feet(5)):
        assert type(value) is int
