"""Temperaments are data: shipped ones, own ones, broken ones; ways that count doors and ladders."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from game.content.tables import monsters
from game.controllers.ai import AiController, load_weights
from game.controllers.ai.position import Position
from game.controllers.ai.routes import far
from game.controllers.ai.weights import read_weights
from game.paths import asset
from rules.board.grid import Field
from rules.board.path import UNREACHABLE
from rules.contract.errors import BattlematError
from rules.contract.events import Attack
from rules.contract.units import Cell
from tests.game.ai_table import RULES, asked, fight, piece, play_chance, turn_to, where
from tests.game.test_ai_together import HALL

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


HEROES = (("warrior", (4, 4)), ("templar", (4, 5)), ("ranger", (3, 4)))


def first_blow(temperament: str, seed: int) -> int:
    """The turn in which three orcs first strike at three heroes who only wait."""
    orcs = [piece("orc", (18, 3 + n), "monsters", f"orc {n}", temperament=temperament) for n in range(3)]
    heroes = [piece(name, place, "heroes") for name, place in HEROES]
    state, player = RULES.reseeded(fight(HALL, *orcs, *heroes), seed), AiController()
    while state.turn < 20:
        decision = RULES.decisions(state)[0]
        legal = RULES.legal(state, decision)
        waits = next((action for action in legal if action.do == "end"), None)
        if decision.side == "heroes" and waits is not None:
            action = waits
        else:
            action = player.choose(RULES, RULES.observe(state, decision.side), decision, legal)
        step = RULES.apply(state, decision, action)
        if any(isinstance(event, Attack) for event in step.events):
            return int(step.state.turn)
        state = step.state
    return 20


def test_the_aggressive_wait_for_the_first_blow_but_not_for_long() -> None:
    brute, aggressive, cunning = (
        [first_blow(name, seed) for seed in range(24)] for name in ("brute", "aggressive", "cunning")
    )
    assert sum(brute) < sum(aggressive), (brute, aggressive)
    assert max(aggressive) < min(cunning), (aggressive, cunning)


def test_who_is_impatient_tires_sooner_of_a_fight_that_drags_on() -> None:
    state = fight(HEIGHT, piece("orc", (1, 2), "monsters"), piece("warrior", (4, 2), "heroes"))
    known, decision, _ = asked(turn_to(state, "orc", 3))
    weights = load_weights("olde")
    calm = weights.temper("cunning")
    restless: dict[float, list[float]] = {}
    for times in (1.0, 2.0):
        position = Position(RULES, known, decision, msgspec.structs.replace(calm, impatience=times), weights)
        restless[times] = []
        for turn in range(1, 12):
            position.aged(turn)
            restless[times].append(position.restless)
    assert restless[1.0][5::2] == restless[2.0][2:5]  # turn 6 as turn 3, 8 as 4, 10 as 5
    assert restless[2.0][0] == 0.0 and restless[2.0][4] == 1.0


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
