"""Whole fights: every choice legal, every fight ends, either side may be the computer's."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from game.content.tables import heroes, monsters
from game.controllers.ai import AiController, GreedyController, RandomController
from rules.board.grid import Field, Ground
from rules.contract.units import Cell
from tests.game.ai_table import RULES, fight, piece, play_out

MAPS = (
    """
    ##############
    #.....#......#
    #.....+......#
    #.....#......#
    ###.#####.####
    #............#
    ##############
    """,
    """
    ##########
    #........#
    #..~~.#..#
    #..~~.#..#
    #........#
    ##########
    """,
    """
    #############
    #...#...#...#
    #...+...'...#
    ##+###+###+##
    #...#...#...#
    #...'...+...#
    #############
    """,
)
TEMPERS = (None, "cunning", "brute", "coward")


def _spaces(field: Field, random: Random) -> Iterator[tuple[int, int]]:
    doors = {door.cell for door in field.doors}
    cells = [c for c in range(len(field.ground)) if field.ground[c] == Ground.OPEN and c not in doors]
    random.shuffle(cells)
    return (field.at(Cell(cell)) for cell in cells)


def _skirmish(number: int) -> tuple:
    """A fight with its sides drawn from the content, and the dice that drew them."""
    random = Random(number)
    field = Field.from_rows(MAPS[number % len(MAPS)].split())
    spaces = _spaces(field, random)
    book = monsters("olde")
    foes = [name for name in book if book[name].get("space", 1) == 1]
    pieces = [
        piece(random.choice(list(heroes("olde"))), next(spaces), "heroes", f"h{i}") for i in range(random.randint(1, 3))
    ]
    pieces += [piece(random.choice(foes), next(spaces), "monsters", f"m{i}") for i in range(random.randint(1, 3))]
    return fight(field, *pieces, seed=number, gm=number % 2 == 1), random


@pytest.mark.parametrize("ten", range(20))
def test_fights_between_computers_never_stall(ten):
    for number in range(ten * 10, ten * 10 + 10):
        state, random = _skirmish(number)
        tempers = random.choice(TEMPERS), random.choice(TEMPERS)
        state, count = play_out(state, {"heroes": AiController(tempers[0]), "monsters": AiController(tempers[1])})
        assert RULES.board(state).over is not None, (number, tempers, count)


@pytest.mark.parametrize("ten", range(10))
def test_every_choice_is_legal_against_somebody_unpredictable(ten):
    """`play_out` refuses any action that isn't legal; positions come from random play on the other side."""
    for number in range(1000 + ten * 10, 1000 + ten * 10 + 10):
        state, _ = _skirmish(number)
        other = RandomController(number)
        sides = ("heroes", "monsters") if number % 2 else ("monsters", "heroes")
        state, count = play_out(state, {sides[0]: AiController(), sides[1]: other}, turns=12)
        assert count > 0


def test_beats_a_greedy_player():
    """The same two bands, both ways round: weighing has to be worth more than hitting what is near."""
    wins = 0
    for number in range(24):
        field = Field.from_rows(MAPS[1].split())
        own, others = ("heroes", "monsters") if number % 2 else ("monsters", "heroes")
        band = ("warrior", "ranger", "rogue")
        pieces = [piece(name, (1, 1 + i), own, f"a{i}") for i, name in enumerate(band)]
        pieces += [piece(name, (8, 1 + i), others, f"b{i}") for i, name in enumerate(band)]
        state = fight(field, *pieces, seed=number)
        state, _ = play_out(state, {own: AiController("cunning"), others: GreedyController()})
        wins += RULES.board(state).over == own
    assert wins >= 14
