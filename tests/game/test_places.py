"""A place of several maps: links between Tiled files, and records of places (docs/maps.md, docs/record.md)."""

from __future__ import annotations

import copy
import json
import random
import time
from pathlib import Path
from typing import Any

import pygame
import pytest

from game.fight.match import Match, load_fight, save_fight
from game.maps.mapdata import MapProblem
from game.maps.place import check_place, followed, joined, web_of
from game.maps.tiled import check_map, load_map
from game.storage import records as storage
from game.view.boardview import BoardView
from game.view.camera import Camera
from rules.board.bitboard import cells_of
from rules.board.places import Stair
from rules.board.sheet import Cut
from rules.contract.errors import BattlematError
from rules.core import record as records
from tests.game.places import S, church_and_crypt, way, write
from tests.game.tmx_text import layer, thing

ROWS = ["......", "......", "..+...", "......"]
SKETCH = {
    "place": [{"name": "top", "rows": ROWS, "rooms": {"Hall": [[0, 0], [2, 1]]}},
              {"name": "cellar", "rows": ["...", "...", "+.."], "ambient": "dark"}],
    "stairs": [[["top", 5, 3], ["cellar", 0, 0]]],
}  # fmt: skip


def document(source: dict[str, Any], ruleset: str = "olde", **more: Any) -> dict[str, Any]:
    """A record of two who wait, one on each map."""
    pairs = {"olde": ("warrior", "goblin"), "cairn": ("warrior", "goblin"), "countup": ("fighter", "goblin")}
    from game.content import tables as content

    hero, foe = next(iter(content.heroes(ruleset))), next(iter(content.monsters(ruleset)))
    assert pairs[ruleset]
    return {
        "format": "battlemat/2", "ruleset": ruleset, "map": source, "seed": 5, **more,
        "creatures": [
            {"id": "ada", "side": "heroes", "template": hero, "controller": "human", "at": [1, 1]},
            {"id": "foe", "side": "monsters", "template": foe, "controller": "ai", "map": "cellar", "at": [2, 1]},
        ],
    }  # fmt: skip


# -- files and sketches in one place


def mixed(tmp_path: Path, *, first: str = "tmx") -> dict[str, Any]:
    """A Tiled map and a sketch, in either order, joined by the record."""
    write(tmp_path, "hall", thing(3, "Door", (3 * S, S, S, S), id="gate"), title="The Hall", level_height="12")
    parts: list[dict[str, Any]] = [
        {"tmx": "hall.tmx"}, {"name": "cellar", "rows": ["...", "...", "+.."], "ambient": "dark"}
    ]  # fmt: skip
    place = {"place": parts if first == "tmx" else parts[::-1], "stairs": [[["hall", 2, 2], ["cellar", 0, 0]]]}
    return document(place)


@pytest.mark.parametrize("first", ["tmx", "rows"])
def test_a_place_takes_files_and_sketches_in_any_order(tmp_path: Path, first: str) -> None:
    given = mixed(tmp_path, first=first)
    for who, name in zip(given["creatures"], ("hall", "cellar"), strict=True):
        who["map"] = name
    match = Match.from_record(given, beside=tmp_path)
    assert [part.name for part in match.field.maps] == (["hall", "cellar"] if first == "tmx" else ["cellar", "hall"])
    hall, cellar = sorted(match.field.maps, key=lambda part: part.name, reverse=True)
    assert (hall.title, cellar.title) == ("The Hall", "cellar") and cellar.ambient == "dark"
    assert (hall.level_height, cellar.level_height) == (12, 10)
    ways = {(match.field.at(stair.cell), match.field.at(stair.to)) for stair in match.field.stairs}
    there, below = (2, hall.top + 2), (0, cellar.top)
    assert ways == {(there, below), (below, there)}
    assert [mini.cell >= 0 for mini in match.board().miniatures] == [True, True]
    save_fight(match, tmp_path / "saved.json")
    again = load_fight(tmp_path / "saved.json")
    assert again.record.map.place == match.record.map.place and again.board() == match.board()


def test_each_map_of_a_mixed_place_is_drawn_by_itself(tmp_path: Path) -> None:
    given = mixed(tmp_path)
    match = Match.from_record(given, beside=tmp_path)
    surface = pygame.Surface((320, 240))
    view = BoardView(match.field, match.loaded_map, Camera(match.field, surface.get_size()))
    view.set_board(match.board())
    pictures = []
    for level in (0, 1):
        view.camera.to_level(level)
        for _ in range(20):
            view.update(0.1)
            view.draw(surface)
        pictures.append(pygame.image.tobytes(surface, "RGB"))
    assert pictures[0] != pictures[1] and all(len(set(each)) > 20 for each in pictures)


def test_levels_of_each_map_are_as_high_as_it_says(tmp_path: Path) -> None:
    first = write(tmp_path, "a", way(1, 0, 0, "b"), START)
    write(tmp_path, "b", way(2, 0, 0, "a", to="1"), FOES, level_height="12")
    report = check_place(first)
    assert report.fit and not any("level_height" in note for note in report.notes)
    maps, _ = followed(first)
    place = joined(maps, records.MapModel(place=[records.PartModel(tmx=each.path.name) for each in maps]))
    assert [Cut(place.field, part).field.level_height for part in place.field.maps] == [10, 12]


# -- records


@pytest.mark.parametrize("ruleset", ["olde", "cairn", "countup"])
def test_a_record_of_two_sketches_starts_with_everybody_on_their_own_map(ruleset: str) -> None:
    match = Match.from_record(document(SKETCH, ruleset))
    stands = {mini.id: match.field.at(mini.cell) for mini in match.board().miniatures}
    assert stands == {"ada": (1, 1), "foe": (2, 30)}
    assert [part.name for part in match.field.maps] == ["top", "cellar"]
    at = match.field.cell
    assert match.field.stairs == (Stair(at(5, 3), at(0, 29)), Stair(at(0, 29), at(5, 3)))
    assert match.field.rooms[0].name == "Hall" and match.field.rooms[0].cells.bit_count() == 6


def test_a_place_is_written_and_read_again_the_same(tmp_path: Path) -> None:
    match = Match.from_record(document(SKETCH))
    path = tmp_path / "place.json"
    save_fight(match, path)
    written = json.loads(path.read_text())
    assert written["format"] == "battlemat/2" and written["map"] == SKETCH
    again = load_fight(path)
    assert again.board().miniatures == match.board().miniatures
    assert records.document(again.record) == records.document(match.record) == written


def test_a_record_of_one_map_stays_in_the_first_format() -> None:
    given = document({"rows": ROWS})
    given["creatures"] = [{**each, "at": [n, 1]} for n, each in enumerate(given["creatures"])]
    for each in given["creatures"]:
        each.pop("map", None)
    for named in ("battlemat/1", "battlemat/2"):
        assert records.document(Match.from_record({**given, "format": named}).record)["format"] == "battlemat/1"


@pytest.mark.parametrize(
    "change, words",
    [
        ({"format": "battlemat/1"}, ("format", "battlemat/2")),
        ({"map": {**SKETCH, "rows": ROWS}}, ("map.rows", "place")),
        ({"map": {"place": []}}, ("map.place", "1")),
        ({"map": {"place": [{"name": "a"}]}}, ("map.place[0]", "tmx", "rows")),
        ({"map": {"place": [{"rows": ROWS}] * 13}}, ("map.place", "12")),
        ({"map": {"place": [{"name": "a", "rows": ROWS}] * 2}}, ("comes twice",)),
        ({"map": {"place": [{"name": "a", "rows": ["."] * 300}, {"rows": ["."] * 300}]}}, ("625 rows",)),
        ({"map": {**SKETCH, "stairs": [[["top", 0, 0], ["attic", 0, 0]]]}}, ("map.stairs[0]", "'attic'", "cellar")),
        ({"map": {**SKETCH, "stairs": [[["top", 9, 0], ["cellar", 0, 0]]]}}, ("map.stairs[0]", "[9, 0]")),
        ({"map": {**SKETCH, "doors": {"gate": "open"}}}, ("map.doors", "'gate'", "door 0,2")),
        ({"map": {"place": [{"rows": ["..", "."]}]}}, ("row 1",)),
    ],
)
def test_what_is_wrong_with_a_place_is_said_in_one_line(change: dict[str, Any], words: tuple[str, ...]) -> None:
    with pytest.raises(BattlematError) as caught:
        Match.from_record({**document(SKETCH), **change})
    said = str(caught.value)
    assert "\n" not in said and all(word in said for word in words), said


@pytest.mark.parametrize(
    "entry, words",
    [
        ({"map": "attic"}, ("creatures[1].map", "attic", "top, cellar")),
        ({"map": "cellar", "at": [3, 1]}, ("creatures[1]", "[3, 1]", "cellar", "3 × 3")),
        ({"map": "cellar", "at": "here"}, ("creatures[1]", "at")),
        ({"map": 7}, ("creatures[1].map", "7")),
    ],
)
def test_a_creature_on_no_map_of_the_place_is_told(entry: dict[str, Any], words: tuple[str, ...]) -> None:
    given = document(SKETCH)
    given["creatures"][1] |= entry
    with pytest.raises(BattlematError) as caught:
        Match.from_record(given)
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_doors_of_every_map_may_stand_otherwise_at_the_start() -> None:
    parts = [SKETCH["place"][0], {**SKETCH["place"][1], "doors": {"door 0,2": "locked"}}]  # type: ignore[index]
    field = Match.from_record(document({**SKETCH, "place": parts, "doors": {"door 2,2": "open"}})).field
    assert {door.id: door.state for door in field.doors} == {"door 2,2": "open", "door 0,2": "locked"}


def test_the_saves_of_a_place_share_a_name_that_another_place_has_not() -> None:
    one = records.read(document(SKETCH))
    other = records.read(document({**SKETCH, "stairs": None}))
    assert storage.opening(one) == storage.opening(records.begun(one)) != storage.opening(other)


# -- Tiled files


def test_two_maps_that_lead_to_each_other_are_one_place(tmp_path: Path) -> None:
    church_and_crypt(tmp_path)
    given = document({"place": [{"tmx": "church.tmx"}, {"tmx": "crypt.tmx", "name": "cellar"}]})
    (tmp_path / "r.json").write_text(json.dumps(given))
    match = load_fight(tmp_path / "r.json")
    field, at = match.field, match.field.cell
    assert [(part.name, part.title, part.top) for part in field.maps] == [
        ("church", "Church", 0),
        ("cellar", "Crypt", 29),
    ]
    assert field.stairs == (
        Stair(at(5, 3), at(0, 31), "stairs", "Steps down"), Stair(at(0, 31), at(5, 3), "stairs", "Steps up"),
    )  # fmt: skip
    assert field.ambient == "dark" and field.daylight == field.spaces_of(field.maps[0])
    assert match.loaded_map is not None and [each.title for each in match.loaded_map.levels] == ["Church", "Crypt"]
    assert match.loaded_map.spawn_cells("monsters") == (at(0, 29),)
    assert match.title == "Church"


def test_links_are_followed_from_the_first_map_each_once_in_a_circle(tmp_path: Path) -> None:
    first = write(tmp_path, "a", way(1, 0, 0, "b"), way(2, 1, 0, "c.tmx"))
    write(tmp_path, "b", way(1, 0, 0, "c"), way(2, 3, 0, "a"))
    write(tmp_path, "c", way(1, 0, 0, "a"), way(2, 3, 0, "b"))
    found, problems = followed(first)
    assert [each.path.stem for each in found] == ["a", "b", "c"] and not problems
    web = web_of(found)
    assert len(web.links) == 6 and not web.problems and not web.remarks


def place_of(folder: Path, *names: str) -> records.MapModel:
    return records.MapModel.model_validate({"place": [{"tmx": f"{name}.tmx"} for name in names or ("a", "b")]})


@pytest.mark.parametrize(
    "here, there, words",
    [
        (way(1, 0, 0, "b", to="nave"), way(2, 0, 0, "a", name="choir"), ("a.tmx", "object 1", "'nave'", "choir")),
        (way(1, 0, 0, "b"), "", ("object 1", "nothing leads back")),
        (way(1, 0, 0, "b"), way(2, 0, 0, "a") + way(3, 1, 0, "a"), ("object 1", "2, 3", "`to`")),
    ],
)
def test_links_that_lead_nowhere_are_refused(tmp_path: Path, here: str, there: str, words: tuple[str, ...]) -> None:
    write(tmp_path, "a", here)
    write(tmp_path, "b", there)
    maps = [load_map(tmp_path / "a.tmx"), load_map(tmp_path / "b.tmx")]
    with pytest.raises(MapProblem) as caught:
        joined(maps, place_of(tmp_path))
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_both_ends_of_a_link_must_be_walkable(tmp_path: Path) -> None:
    wall = layer([2] + [1] * 23, 6, 4)
    write(tmp_path, "a", way(1, 0, 0, "b"))
    write(tmp_path, "b", way(2, 0, 0, "a"), body=wall)
    web = web_of([load_map(tmp_path / f"{name}.tmx") for name in "ab"])
    assert [("leads to object 2" in str(each), "no space" in str(each)) for each in web.problems] == [
        (True, False), (False, True),
    ]  # fmt: skip


def test_of_several_ways_back_the_one_that_names_this_is_its_other_end(tmp_path: Path) -> None:
    write(tmp_path, "a", way(1, 0, 0, "b", name="east"), way(2, 5, 0, "b", name="west"))
    write(tmp_path, "b", way(3, 0, 0, "a", to="west"), way(4, 1, 0, "a", to="1"))
    web = web_of([load_map(tmp_path / f"{name}.tmx") for name in "ab"])
    ends = {(link.map, link.way.id): link.to.id for link in web.links}
    assert ends == {(0, 1): 4, (0, 2): 3, (1, 3): 2, (1, 4): 1} and not web.problems


def test_a_way_that_does_not_lead_back_is_a_remark(tmp_path: Path) -> None:
    write(tmp_path, "a", way(1, 0, 0, "b", to="pit", kind="Exit"))
    write(tmp_path, "b", way(5, 0, 0, "", kind="Ladder", name="pit"))
    web = web_of([load_map(tmp_path / f"{name}.tmx") for name in "ab"])
    assert len(web.links) == 1 and not web.problems
    assert len(web.remarks) == 1 and "a.tmx" in web.remarks[0] and "one direction" in web.remarks[0]


def test_wide_stairs_lead_space_by_space_and_the_spare_ones_to_the_last(tmp_path: Path) -> None:
    write(tmp_path, "a", thing(1, "Stairs", (0, 0, 3 * S, S), to_map="b"))
    write(tmp_path, "b", thing(2, "Stairs", (0, S, 2 * S, S), to_map="a"))
    maps = [load_map(tmp_path / f"{name}.tmx") for name in "ab"]
    field = joined(maps, place_of(tmp_path)).field
    ways = [(field.at(each.cell), field.at(each.to)) for each in field.stairs]
    assert ways == [((0, 0), (0, 30)), ((1, 0), (1, 30)), ((2, 0), (1, 30)), ((0, 30), (0, 0)), ((1, 30), (1, 0))]


def test_an_exit_that_leads_to_a_map_of_the_place_is_none_and_one_that_leads_out_is(tmp_path: Path) -> None:
    write(tmp_path, "a", way(1, 0, 0, "b", kind="Exit"), thing(2, "Exit", (5 * S, 0, S, S)))
    write(tmp_path, "b", way(3, 0, 0, "a", kind="Exit"), way(4, 1, 0, "elsewhere", kind="Exit"))
    maps = [load_map(tmp_path / f"{name}.tmx") for name in "ab"]
    field = joined(maps, place_of(tmp_path)).field
    assert field.exits == 1 << field.cell(5, 0) | 1 << field.cell(1, 29)
    assert {stair.kind for stair in field.stairs} == {"exit"}


def test_creatures_of_one_id_on_two_maps_get_numbers(tmp_path: Path) -> None:
    goblin = thing(9, "Creature", (S, S, S, S), template="goblin", side="monsters", id="gob")
    round_ = thing(8, "Patrol", (0, 0), '<polyline points="0,0 64,32"/>', of="gob")
    write(tmp_path, "a", way(1, 0, 0, "b"), goblin)
    write(tmp_path, "b", way(2, 0, 0, "a"), goblin, round_)
    maps = [load_map(tmp_path / f"{name}.tmx") for name in "ab"]
    whole = joined(maps, place_of(tmp_path))
    at = whole.field.cell
    assert [(who.id, who.cell, who.patrol) for who in whole.creatures] == [
        ("gob", at(1, 1), ()), ("gob_2", at(1, 30), (at(0, 29), at(2, 30))),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["../a", "sub/a", "..", "a\\b", "nowhere", "x" * 400])
def test_links_lead_to_maps_in_the_same_folder_alone(tmp_path: Path, name: str) -> None:
    first = write(tmp_path, "a", way(1, 0, 0, name))
    found, problems = followed(first)
    assert len(found) == 1 and len(problems) == 1 and "to_map" in str(problems[0])


def test_a_chain_of_maps_ends_where_a_place_is_full(tmp_path: Path) -> None:
    for number in range(40):
        write(tmp_path, f"m{number}", way(1, 0, 0, f"m{number + 1}"))
    found, problems = followed(tmp_path / "m0.tmx")
    assert len(found) == 12 and len(problems) == 1 and "12" in str(problems[0])


def test_a_place_of_more_rows_than_a_field_has_is_told(tmp_path: Path) -> None:
    for number in range(4):
        write(tmp_path, f"m{number}", way(1, 0, 0, f"m{number + 1}"), size=(3, 200))
    found, problems = followed(tmp_path / "m0.tmx")
    assert len(found) == 2 and "650 rows" in str(problems[0])


# -- checking


START = thing(91, "Spawn", (0, 3 * S, 6 * S, S), side="heroes")
FOES = thing(92, "Spawn", (0, 3 * S, 6 * S, S), side="monsters")


def test_a_place_is_fit_if_all_its_maps_together_are(tmp_path: Path) -> None:
    first = write(tmp_path, "a", way(1, 0, 0, "b"), START)
    write(tmp_path, "b", way(2, 0, 0, "a"), FOES)
    report = check_place(first)
    assert report.fit and report.notes == ("a place of 2 maps: a.tmx, b.tmx",)
    assert not check_place(tmp_path / "b.tmx").problems


def test_a_map_that_leads_nowhere_is_checked_alone(tmp_path: Path) -> None:
    assert check_place(write(tmp_path, "a", START)) == check_map(tmp_path / "a.tmx")


def test_what_is_wrong_with_the_links_of_a_place_is_told_at_once(tmp_path: Path) -> None:
    first = write(tmp_path, "a", way(1, 0, 0, "b"), way(2, 1, 0, "nowhere"), way(3, 2, 0, "c", to="pit"), START)
    write(tmp_path, "b", FOES)
    write(tmp_path, "c", thing(1, "Creature", (0, 0, S, S), side="monsters"))
    report = check_place(first)
    assert not report.fit and report.readable and "links" in report.lacks
    told = " ".join(report.problems)
    assert all(word in told for word in ("'nowhere.tmx'", "no template", "object 1", "nothing leads back here"))
    assert all("\n" not in line for line in report.problems)


def test_ways_of_one_direction_double_ids_and_heights_are_remarks(tmp_path: Path) -> None:
    goblin = thing(9, "Creature", (S, S, S, S), template="goblin", side="monsters", id="gob")
    first = write(tmp_path, "a", way(1, 0, 0, "b"), way(4, 1, 0, "b", to="pit", kind="Exit"), START, goblin)
    write(tmp_path, "b", way(2, 0, 0, "a", to="1"), way(3, 1, 0, "", kind="Ladder", name="pit"), FOES, goblin,
          level_height="12")  # fmt: skip
    report = check_place(first)
    assert report.fit, report.problems
    assert ["one direction" in note for note in report.notes].count(True) == 1
    assert any("gob" in note and "number" in note for note in report.notes)


def test_faults_of_a_place_say_on_which_of_its_maps(tmp_path: Path) -> None:
    lost = thing(9, "Creature", (S, S, S, S), template="goblin", side="monsters", id="gob")
    first = write(tmp_path, "a", way(1, 0, 0, "b"), START)
    write(tmp_path, "b", way(2, 0, 0, "a"), FOES, lost, body=layer([1] * 7 + [2] + [1] * 16, 6, 4))
    assert "column 1, row 1 of b" in check_place(first).problems[0]


def test_a_side_that_stands_beyond_a_wall_on_another_map_is_told(tmp_path: Path) -> None:
    first = write(tmp_path, "a", way(1, 0, 0, "b"), START)
    write(tmp_path, "b", way(2, 0, 0, "a"), FOES, body=layer([1] * 6 + [2] * 6 + [1] * 12, 6, 4))
    assert "cannot be reached" in check_place(first).problems[0]


def test_a_goal_may_need_one_on_another_map_but_not_one_on_none(tmp_path: Path) -> None:
    goal = thing(5, "Goal", (0, 0), kind="out", needs="relic").replace("<object ", '<object name="away" ', 1)
    relic = thing(5, "Goal", (0, 0), kind="fetch", what="cross").replace("<object ", '<object name="relic" ', 1)
    out = thing(6, "Exit", (S, S, S, S))
    first = write(tmp_path, "a", way(1, 0, 0, "b"), START, goal, out)
    write(tmp_path, "b", way(2, 0, 0, "a"), FOES)
    assert "relic" in check_place(first).problems[0]
    write(tmp_path, "b", way(2, 0, 0, "a"), FOES, relic)
    assert check_place(first).fit


# -- what a map says of itself


def region(number: int, kind: str, box: tuple[int, ...], name: str = "") -> str:
    made = thing(number, "Region", tuple(side * S for side in box), kind=kind)
    return made.replace("<object ", f'<object name="{name}" ', 1)


def test_regions_are_rooms_safe_or_dark(tmp_path: Path) -> None:
    nodes = (region(1, "room", (0, 0, 3, 2), "Scriptorium"), region(2, "safe", (0, 0, 1, 1)),
             region(3, "dark", (4, 0, 2, 4)))  # fmt: skip
    loaded = load_map(write(tmp_path, "a", *nodes, ambient="dim", theme="abbey", story="Long ago.", wander="3"))
    field = loaded.field
    assert [(room.name, room.cells.bit_count()) for room in field.rooms] == [("Scriptorium", 6)]
    assert field.safe == 1 and (field.theme, field.story) == ("abbey", "Long ago.")
    assert field.ambient == "dark" and loaded.ambient == "dim" and field.daylight == field.twilight
    dark = {field.at(cell) for cell in cells_of(~field.daylight & (1 << 24) - 1)}
    assert dark == {(x, y) for x in (4, 5) for y in range(4)}


@pytest.mark.parametrize(
    "node, says, words",
    [
        (region(1, "room", (0, 0, 1, 1)), {}, ("object 1", "no name")),
        ("", {"theme": "a b!"}, ("theme", "one word")),
        ("", {"wander": "lots"}, ("wander", "0 to 6")),
        (thing(1, "Creature", (0, 0, S, S), template="rat", side="x", duty="nap"), {}, ("object 1", "duty", "guard")),
        (thing(1, "Creature", (0, 0, S, S), template="rat", side="x", warns="all"), {}, ("object 1", "warns", "warn")),
        (thing(1, "Creature", (0, 0, S, S), template="rat", side="x", prisoner="no"), {}, ("object 1", "prisoner")),
    ],
)
def test_what_a_map_says_wrongly_is_told_in_one_line(
    tmp_path: Path, node: str, says: dict[str, Any], words: tuple[str, ...]
) -> None:
    with pytest.raises(MapProblem) as caught:
        load_map(write(tmp_path, "a", node, **says))
    assert all(word in str(caught.value) for word in words), str(caught.value)


# -- hostile records, and large places

JUNK: list[Any] = [
    None, -1, 0, 10**9, "", "../a", "crypt", "cellar", [], {}, [[]], [1, 2], [["top", 0, 0]], True, 1.5, ["#"],
    "\u202e", [[["top", 0, 0], ["cellar", 1, 1]]],
]  # fmt: skip


def parts(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to everything in a document."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [way for name, each in inside for way in [(*here, name), *parts(each, (*here, name))]]


@pytest.mark.parametrize("seed", range(150))
def test_a_broken_place_gives_one_line_and_nothing_else(seed: int, tmp_path: Path) -> None:
    church_and_crypt(tmp_path)
    lot = random.Random(seed)
    whole = document({"place": [{"tmx": "church.tmx"}, {"tmx": "crypt.tmx", "name": "cellar"}]})
    given = copy.deepcopy(lot.choice([document(SKETCH), whole]))
    for _ in range(lot.randint(1, 3)):
        *before, last = lot.choice([way for way in parts(given) if way[0] in ("map", "format", "creatures")])
        parent = given
        for step in before:
            parent = parent[step]
        parent[last] = copy.deepcopy(lot.choice(JUNK))
    said = ""
    try:
        Match.from_record(given, beside=tmp_path)
    except BattlematError as error:
        said = str(error)
    assert "\n" not in said


def test_a_place_of_three_large_maps_is_read_and_drawn_in_good_time(tmp_path: Path) -> None:
    wide, high = 60, 45
    rooms = [2 if x % 12 == 0 or y % 9 == 0 else 1 for y in range(high) for x in range(wide)]
    for number, name in enumerate("abc"):
        ways = [way(1, 2, 2, "abc"[number - 1])] if number else []
        ways += [way(2, 50, 40, "abc"[number + 1], to="1")] if number < 2 else []
        write(tmp_path, name, *ways, size=(wide, high), body=layer(rooms, wide, high), ambient="dark")
    began = time.process_time()
    maps, problems = followed(tmp_path / "a.tmx")
    whole = joined(maps, place_of(tmp_path, "a", "b", "c"))
    assert not problems and whole.field.height == 3 * high + 50
    camera = Camera(whole.field, (1280, 720))
    BoardView(whole.field, whole, camera).draw(pygame.Surface((1280, 720)))
    assert time.process_time() - began < 3.0, "a tenth of that on the machine that it was written on"
