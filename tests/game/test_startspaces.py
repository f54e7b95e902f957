"""Where sides start on maps that draw no start spaces: together, apart from each other, on one ground."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from game.content import encounter
from game.fight.match import Match
from game.maps.mapdata import APART, Spaces, Spawn, start_spaces
from rules.board.grid import Field, Terrain
from rules.board.path import distances
from rules.contract.units import Cell
from rules.core import record as records
from tests.game.tmx_text import layer, save, tmx

HALL = Field.from_rows(["#" * 40, *(["#" + "." * 38 + "#"] * 12), "#" * 40])
CAVES = Field.from_rows(
    [
        "################################",
        "#.#............................#",
        "#.#.######.###########.#######.#",
        "#.#.#....#.#.........#.#.....#.#",
        "#.#.#....#.#.........#.#.....#.#",
        "#.#.#....'.+.........#.'.....#.#",
        "#.#.######.###########.#######.#",
        "#.#............................#",
        "################################",
    ]
)


def best(cells: Spaces, count: int) -> tuple[int, ...]:
    """The first so many."""
    return tuple(islice(cells, count))


@pytest.mark.parametrize("field", [HALL, CAVES])
def test_sides_stand_together_at_a_distance_and_can_walk_to_each_other(field: Field) -> None:
    heroes, monsters = (best(start_spaces(field, (), side), 6) for side in ("heroes", "monsters"))
    everything_open = field.terrain((1 << len(field.doors)) - 1)
    walked = distances(everything_open, Cell(heroes[0]))
    assert all(walked[cell] <= 4 for cell in heroes), "the party stands together"
    assert all(APART - 6 <= walked[cell] <= APART + 8 for cell in monsters)
    assert not set(heroes) & set(monsters)


def test_nobody_starts_on_a_scrap_of_ground_that_is_cut_off() -> None:
    scrap = {CAVES.cell(1, row) for row in range(1, 8)}
    for side in ("heroes", "monsters", "bandits"):
        cells = start_spaces(CAVES, (), side)
        assert cells and not scrap & set(cells)


def test_a_side_that_the_map_places_keeps_its_places_and_the_other_keeps_its_distance() -> None:
    spawn = Spawn("monsters", 0, (HALL.cell(2, 2), HALL.cell(3, 2)))
    assert best(start_spaces(HALL, (spawn,), "monsters"), 2) == spawn.cells
    walked = distances(HALL.terrain(), HALL.cell(2, 2))
    heroes = best(start_spaces(HALL, (spawn,), "heroes"), 6)
    assert all(APART - 5 <= walked[cell] <= APART + 5 for cell in heroes)


def test_heroes_come_in_where_one_leaves_the_map() -> None:
    door = HALL.cell(1, 6)
    (first, *_) = start_spaces(HALL, (), "heroes", exits=(door,))
    assert HALL.terrain().distance(first, door) <= 6


def test_in_a_small_room_they_stand_as_far_apart_as_it_allows() -> None:
    room = Field.from_rows(["########", "#......#", "#......#", "########"])
    a, b = (best(start_spaces(room, (), side), 1)[0] for side in ("heroes", "monsters"))
    assert room.terrain().distance(Cell(a), Cell(b)) >= 3


def test_a_map_of_nothing_but_walls_has_no_places() -> None:
    assert not start_spaces(Field.from_rows(["###", "###"]), (), "heroes")


def test_a_fight_begins_on_a_map_without_start_spaces(tmp_path: Path) -> None:
    tiles = [2 if x in (0, 29) or y in (0, 11) else 1 for y in range(12) for x in range(30)]
    path = save(tmp_path, tmx(layer(tiles, 30, 12), 30, 12), "bare.tmx")
    made = encounter.make_encounter(path, ["warrior", "priest", "ranger"], ["goblin", "ogre", "goblin"], 4)
    made["map"] = {"tmx": "bare.tmx"}
    match = Match.from_record(records.read(made), beside=tmp_path)
    assert match.decision is not None
    sides: dict[str, list[int]] = {}
    for mini in match.board().miniatures:
        sides.setdefault(mini.side, []).append(mini.cell)
    terrain = match.field.terrain()
    near = min(terrain.distance(Cell(a), Cell(b)) for a in sides["heroes"] for b in sides["monsters"])
    assert near >= 6 and all(terrain.distance(Cell(a), Cell(sides["heroes"][0])) <= 6 for a in sides["heroes"])


def test_who_stands_there_already_is_kept_at_a_distance() -> None:
    there = {"monsters": [HALL.cell(30, 6)]}
    walked = distances(HALL.terrain(), HALL.cell(30, 6))
    heroes = best(start_spaces(HALL, (), "heroes", (), there), 6)
    assert all(APART - 5 <= walked[cell] <= APART + 5 for cell in heroes)


def test_on_the_largest_map_only_the_ground_about_the_spawn_is_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A party waited ten seconds for the far end of an open map of 512 × 512, at each choice anew."""
    field = Field.from_rows(["." * 512] * 512)
    asked = list[int]()
    neighbours = Terrain.neighbours

    def counted(terrain: Terrain, cell: Cell, size: int = 1) -> tuple[tuple[int, int], ...]:
        asked.append(cell)
        return neighbours(terrain, cell, size)

    monkeypatch.setattr(Terrain, "neighbours", counted)
    spawn = Spawn("heroes", 0, (field.cell(200, 200), field.cell(201, 200)))
    cells = start_spaces(field, (spawn,), "heroes")
    assert best(cells, 12)[:2] == spawn.cells and len(set(best(cells, 12))) == 12
    assert best(cells, 12) == best(cells, 12), "they may be read again"
    assert 0 < len(asked) <= 12
