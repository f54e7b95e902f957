"""The computer on an expedition: it sees the whole place, takes what lies there, and leaves; it never stalls."""

from __future__ import annotations

from typing import Any

import pytest

from game.fight.match import Match
from game.forecast.play import fight, opening, pack
from rules.board.bitboard import cells_of
from rules.contract.ruleset import Step
from rules.core import record as records
from tests.game.hotseat_table import being

ROWS = [
    "##############################",
    "#.....#............#.........#",
    "#.....#............+.........#",
    "#.....+............#.........#",
    "#.....#............#.........#",
    "###.#####.##########.....#####",
    "  #.#   #.#        #######    ",
    "###.#####.####                ",
    "#............#                ",
    "##############                ",
]


def place(foes: list[dict[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    heroes = [being(name, "heroes", (1 + n, 1), controller="ai") for n, name in enumerate(("Ada", "Bo", "Cy", "Di"))]
    gob = being("Gob", "monsters", (27, 1), controller="ai", savvy=1, nerve=1, brawn=2)
    return {
        "format": "battlemat/1", "ruleset": "olde", "options": {"crawl": True, "fog": True}, "seed": 3,
        "map": {"rows": ROWS, "exits": [[1, 1], [2, 1], [3, 1], [4, 1]]},
        "creatures": [*heroes, *([gob] if foes is None else foes)], "commands": [], **more,
    }  # fmt: skip


def evening(record: dict[str, Any], seed: int) -> tuple[Match, list[Step], list[str]]:
    """A whole evening by the computer: its states, and the words of what was done."""
    read = records.read(record)
    match = Match.from_record(read)
    where = opening(pack(read, match.scenario()))
    steps, words = [], []
    for action, step in fight(where, seed, 60):
        steps.append(step)
        words.append(action.do if action is not None else "")
    return match, steps, words


@pytest.mark.parametrize("seed", range(4))
def test_every_room_is_seen_and_the_party_leaves(seed: int) -> None:
    match, steps, words = evening(place([]), seed)
    assert match.ruleset.board(steps[-1].state).over == "heroes"
    assert words[-1] == "leave"
    seen = 0
    for step in steps:
        seen |= match.ruleset.sees(step.state, "heroes")
    ground = match.field.terrain(~0).steps().fit
    unseen = [match.field.at(cell) for cell in cells_of(ground & ~seen)]  # type: ignore[arg-type]
    assert not unseen


@pytest.mark.parametrize("seed", range(4))
def test_a_weak_foe_is_met_and_the_evening_goes_on_to_its_end(seed: int) -> None:
    match, steps, words = evening(place(), seed)
    board = match.ruleset.board(steps[-1].state)
    assert board.over == "heroes"
    assert {"ambush", "walk", "sneak"} & set(words)
    assert any(getattr(event, "what", "") == "fight" for step in steps for event in step.events)
    assert len(steps) < 2000


def test_a_hopeless_foe_is_not_sought() -> None:
    ogre = being("Ogre", "monsters", (27, 1), controller="ai", savvy=1, nerve=9, brawn=55)
    match, steps, _ = evening(place([ogre]), 1)
    assert match.ruleset.board(steps[-1].state).over is not None
    assert len(steps) < 2000


def test_without_a_way_out_it_comes_to_an_end_all_the_same() -> None:
    _, steps, _ = evening(place([], map={"rows": ROWS}), 0)
    assert len(steps) < 4000


def test_the_same_position_gives_the_same_evening() -> None:
    one, other = evening(place(), 2), evening(place(), 2)
    assert one[2] == other[2]
