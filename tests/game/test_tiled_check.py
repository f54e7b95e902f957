"""What makes a map unfit for a fight, and what is only worth a note."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from game.cli import main
from game.maps.mapdata import CheckReport
from game.maps.tiled import check_map
from tests.game.tmx_text import floor, layer, objects, save, thing, tmx

S = 32


def check(folder: Path, *nodes: str, tiles: list[int] | None = None, **more: Any) -> CheckReport:
    """A 9×3 map with starts for both sides, and what else is given."""
    given = [
        thing(1, "Spawn", (0, 0, 64, 96), side="heroes", count=4),
        thing(2, "Spawn", (7 * S, 0, 64, 96), side="monsters"),
        *nodes,
    ]
    body = layer(tiles or [1] * 27, 9, 3) + objects(*given)
    return check_map(save(folder, tmx(body, 9, 3)), **more)


def test_a_sound_map_is_fit(tmp_path: Path) -> None:
    assert check(tmp_path) == CheckReport(True, (), ())


def wall_at(column: int) -> list[int]:
    return [2 if i % 9 == column else 1 for i in range(27)]


def test_sides_that_no_way_joins_are_a_problem(tmp_path: Path) -> None:
    report = check(tmp_path, tiles=wall_at(4))
    assert not report.fit and "cannot be reached" in report.problems[0]


def test_a_door_that_can_be_opened_joins_the_sides(tmp_path: Path) -> None:
    tiles = wall_at(4)
    tiles[9 + 4] = 1
    assert check(tmp_path, thing(3, "Door", (4 * S, S, S, S), state="locked"), tiles=tiles).fit


def test_a_door_in_a_wall_is_a_problem(tmp_path: Path) -> None:
    report = check(tmp_path, thing(3, "Door", (4 * S, S, S, S), id="gate"), tiles=wall_at(4))
    assert any("door 'gate': a wall or void" in line for line in report.problems)


def test_a_wall_through_a_thin_door_is_a_problem(tmp_path: Path) -> None:
    line = '<polyline points="0,0 0,32"/>'
    nodes = thing(3, "Door", (126, 0, 4, 32)), thing(4, "Wall", (128, 0), line)
    assert any("a Wall runs through it" in text for text in check(tmp_path, *nodes).problems)


def test_too_few_start_spaces_are_a_problem(tmp_path: Path) -> None:
    report = check_map(save(tmp_path, tmx(floor())))
    assert [line.split(" has")[0] for line in report.problems] == [
        "test.tmx: side heroes", "test.tmx: side monsters",
    ]  # fmt: skip


def test_a_spawn_in_a_wall_or_too_small_is_a_problem(tmp_path: Path) -> None:
    report = check(tmp_path, thing(3, "Spawn", (128, 0, 32, 96), side="monsters"), tiles=wall_at(4))
    assert any("object 3" in line and "can be stood on" in line for line in report.problems)
    report = check(tmp_path, thing(3, "Spawn", (128, 0, 32, 96), side="monsters", count=4))
    assert any("wants 4 on 3" in line for line in report.problems)


def test_spawns_of_two_sides_must_not_overlap(tmp_path: Path) -> None:
    report = check(tmp_path, thing(3, "Spawn", (0, 0, 32, 32), side="monsters"))
    assert any("overlaps" in line for line in report.problems)


def test_creatures_in_walls_or_on_each_other_are_problems(tmp_path: Path) -> None:
    orc: dict[str, Any] = {"template": "orc", "side": "monsters"}
    nodes = [thing(i, "Creature", (140, 10), "", **orc) for i in (3, 4)]
    assert sum("shares its space" in line for line in check(tmp_path, *nodes).problems) == 2
    stuck = check(tmp_path, nodes[0], tiles=wall_at(4)).problems
    assert any("stands in a wall" in line for line in stuck)


def test_unknown_templates_are_a_problem_if_templates_are_given(tmp_path: Path) -> None:
    node = thing(3, "Creature", (140, 10), template="orc", side="monsters")
    assert check(tmp_path, node).fit
    assert check(tmp_path, node, templates={"orc"}).fit
    report = check(tmp_path, node, templates={"goblin"})
    assert "'orc', which is unknown; known are goblin" in report.problems[0]


def test_a_height_nobody_can_climb_is_noted(tmp_path: Path) -> None:
    tiles = [1] * 27
    tiles[4] = 7
    report = check(tmp_path, tiles=tiles)
    assert report.fit and "nothing climbs to level 1" in report.notes[0]
    tiles[5] = 6
    assert not check(tmp_path, tiles=tiles).notes


def test_goals_about_nobody_and_without_a_way_out_are_a_problem(tmp_path: Path) -> None:
    goals = [thing(3, "Goal", (128, 0, S, S), id="him", kind="free", what="joss"),
             thing(4, "Goal", (128, 0, S, S), id="gate", kind="end", what="gate"),
             thing(5, "Goal", (128, 0, S, S), id="away", kind="out")]  # fmt: skip
    told = " ".join(check(tmp_path, *goals).problems)
    assert all(word in told for word in ("'joss'", "prisoner", "'gate'", "no Exit"))


def test_goals_about_who_and_what_is_there_are_fit(tmp_path: Path) -> None:
    nodes = [thing(3, "Goal", (128, 0, S, S), id="him", kind="free", what="joss"),
             thing(4, "Goal", (128, 0, S, S), id="away", kind="out", needs="him"),
             thing(5, "Creature", (128, 32, S, S), id="joss", template="bandit", side="captives", prisoner=True),
             thing(6, "Exit", (128, 64, S, S))]  # fmt: skip
    assert check(tmp_path, *nodes).problems == ()


# -- treasure, and what chests look like

HOARDS = {"One": [("crypt", 1), ("crypt", 2)], "Other": [("crypt", 1)]}


def chest(**says: Any) -> str:
    return thing(9, "Chest", (4 * S, S, S, S), id="coffer", **says)


@pytest.mark.parametrize(
    ("contents", "problem", "note"),
    [
        ("treasure:crypt:1, 3 coins", "", ""),
        ("treasure:moor:1", "chest 'coffer': treasure:moor:1: there is no theme moor, only crypt", ""),
        ("letter, treasure:crypt:3", "chest 'coffer': treasure:crypt:3: there is no tier 3 of crypt, only 1, 2", ""),
        ("treasure:crypt:2", "", "chest 'coffer': under Other: treasure:crypt:2: there is no tier 2 of crypt, only 1"),
    ],
)
def test_a_treasure_that_no_ruleset_has_is_a_problem_and_one_that_some_lack_a_note(
    tmp_path: Path, contents: str, problem: str, note: str
) -> None:
    report = check(tmp_path, chest(contents=contents), hoards=lambda: HOARDS)
    assert report.problems == ((f"test.tmx: {problem}",) if problem else ())
    assert report.notes == ((note,) if note else ())


def test_what_a_creature_carries_is_looked_up_as_well(tmp_path: Path) -> None:
    who = thing(9, "Creature", (4 * S, S, S, S), template="rat", side="monsters", id="r", carries="treasure:moor:1")
    (line,) = check(tmp_path, who, hoards=lambda: HOARDS).problems
    assert line == "test.tmx: Creature 'r': treasure:moor:1: there is no theme moor, only crypt"


def test_a_kind_of_chest_that_nobody_has_drawn_is_worth_a_note(tmp_path: Path) -> None:
    assert check(tmp_path, chest(contents="letter", kind="sack")).notes == ()
    (line,) = check(tmp_path, chest(contents="letter", kind="urn")).notes
    assert "kind of this Chest is 'urn', which is unknown: it looks like a chest; known are chest, body" in line


def test_the_command_knows_the_treasures_of_every_ruleset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(tmp_path, chest(contents="treasure:moor:1"))
    assert main(["check", str(tmp_path / "test.tmx")]) == 2
    err = capsys.readouterr().err
    assert "chest 'coffer': treasure:moor:1: there is no theme moor, only crypt" in err and "Traceback" not in err
