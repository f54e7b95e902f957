"""Temperaments are data: shipped ones, own ones, broken ones; ways that count doors and ladders."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.content.tables import monsters
from game.controllers.ai import AiController, load_weights
from game.controllers.ai.routes import far
from game.controllers.ai.weights import read_weights
from game.paths import asset
from rules.board.grid import Field
from rules.board.path import UNREACHABLE
from rules.contract.errors import BattlematError
from rules.contract.units import Cell
from tests.game.ai_table import RULES, asked, fight, piece, play_chance, turn_to, where

HEIGHT = Field.from_rows(
    ["##########", "#........#", "#........#", "#........#", "##########"],
    levels=["0000000000", "0000011110", "0000011110", "0000011110", "0000000000"],
    climbs=[Cell(24)],
)


def test_every_monster_has_a_known_temperament():
    known = load_weights().temperament
    assert {"cunning", "brute", "coward"} <= set(known)
    assert {str(block["temperament"]) for block in monsters("olde").values()} <= set(known)


def test_an_unknown_word_plays_as_the_default():
    state = fight(HEIGHT, piece("orc", (1, 2), "monsters"), piece("warrior", (4, 2), "heroes"))
    known, decision, legal = asked(turn_to(state, "orc", 3))
    assert AiController("poet").explain(RULES, known, decision, legal).temperament == load_weights().default_temperament


def _written(tmp_path: Path, more: str) -> Path:
    path = tmp_path / "weights.toml"
    path.write_text(asset("ai", "weights.toml").read_text(encoding="utf-8") + more, encoding="utf-8")
    return path


def test_a_new_temperament_takes_the_rest_from_its_base(tmp_path):
    tempers = read_weights(_written(tmp_path, '\n[temperament.berserk]\nbase = "brute"\nharm = 0.0\n'))
    assert tempers.temper("berserk").harm == 0.0
    assert tempers.temper("berserk").damage == tempers.temper("brute").damage


@pytest.mark.parametrize(
    "more, word",
    [
        ("\n[temperament.x]\ncourage = 1\n", "courage"),
        ('\n[temperament.x]\nharm = "much"\n', "harm"),
        ('\n[temperament.x]\nbase = "y"\n', "base"),
        ("\n[temperament.x]\nharm = -1\n", "harm"),
        ("\n[temperament\n", "TOML"),
    ],
)
def test_a_broken_file_is_told_in_one_line(tmp_path, more, word):
    with pytest.raises(BattlematError) as caught:
        read_weights(_written(tmp_path, more))
    assert word in str(caught.value) and "weights.toml" in str(caught.value) and "\n" not in str(caught.value)


def test_ways_go_up_ladders_and_through_closed_doors_at_a_price():
    prices = far(HEIGHT.terrain(), (), (HEIGHT.cell(8, 2),))
    assert prices[HEIGHT.cell(1, 2)] > 7
    assert prices[HEIGHT.cell(1, 2)] < UNREACHABLE
    rows = Field.from_rows(["#######", "#..+..#", "#######"])
    shut, goal = rows.terrain(), (rows.cell(5, 1),)
    closed = far(shut, ("closed",), goal)[rows.cell(1, 1)]
    assert 4 < closed < far(shut, ("locked",), goal)[rows.cell(1, 1)] < UNREACHABLE
    assert far(shut, ("secret",), goal)[rows.cell(1, 1)] == UNREACHABLE


def test_climbs_to_a_shooter_on_a_height():
    state = fight(HEIGHT, piece("orc", (1, 2), "monsters"), piece("ranger", (8, 2), "heroes"))
    player, did = AiController("brute"), []
    for _ in range(4):
        state, actions = play_chance(turn_to(state, "orc", 3), player)
        did += [action.do for action in actions]
        if "climb" in did:
            break
    assert "climb" in did
    assert where(state, "orc")[0] >= 5
