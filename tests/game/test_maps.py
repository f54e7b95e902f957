"""The maps that come with Battlemat: whole, fit to play, and the same to Tiled as to us."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from game.maps.folder import picture_size
from game.maps.mapdata import LoadedMap
from game.maps.place import check_place
from game.maps.tiled import check_map, load_map
from game.paths import asset, shipped_maps
from rules.board.grid import Ground
from rules.board.path import UNREACHABLE, distances
from rules.contract.units import Cell

MAPS = sorted(shipped_maps().glob("*.tmx"))
PLACE = [path for path in MAPS if path.stem.startswith("drowned_")]
"""The drowned abbey: three maps that are one place."""
single = pytest.mark.parametrize("path", [path for path in MAPS if path not in PLACE], ids=lambda path: path.stem)
names = pytest.mark.parametrize("path", MAPS, ids=lambda path: path.stem)
RASTERIZER = shutil.which("tmxrasterizer")
TILED = shutil.which("tiled")


def loaded(name: str) -> LoadedMap:
    return load_map(shipped_maps() / f"{name}.tmx")


def test_there_are_five_of_different_character_and_an_abbey_of_three() -> None:
    alone = [path.stem for path in MAPS if path not in PLACE]
    assert alone == ["crypt", "goblin_warren", "old_sluice", "ruined_bridge", "tavern"]
    assert [path.stem for path in PLACE] == ["drowned_cloister", "drowned_crypt", "drowned_undercroft"]


@names
def test_it_loads_without_a_warning(path: Path) -> None:
    assert load_map(path).warnings == ()


@single
def test_it_is_fit(path: Path) -> None:
    report = check_map(path)
    assert (report.fit, report.problems, report.notes) == (True, (), ())


@pytest.mark.parametrize("path", PLACE, ids=lambda path: path.stem)
def test_the_abbey_is_fit_by_whichever_of_its_maps_one_asks(path: Path) -> None:
    report = check_place(path)
    assert (report.fit, report.problems) == (True, ())
    assert [note.partition(":")[0] for note in report.notes] == ["a place of 3 maps"]
    map_ = load_map(path)
    assert max(map_.field.width, map_.field.height) <= 60
    assert map_.notes and map_.field.lights and map_.field.rooms and map_.title != path.stem


@single
def test_it_has_room_for_a_fight_that_begins_soon(path: Path) -> None:
    map_ = load_map(path)
    field = map_.field
    assert 28 <= field.width <= 40 and 20 <= field.height <= 30
    free = [cell for cell, ground in enumerate(field.ground) if ground <= Ground.DIFFICULT]
    heroes = set(map_.spawn_cells("heroes")).intersection(free)
    monsters = set(map_.spawn_cells("monsters")).intersection(free)
    assert len(heroes) >= 6 and len(monsters) >= 10
    apart = field.terrain().distance
    assert 7 <= min(apart(a, b) for a in heroes for b in monsters) <= 14
    assert map_.notes and field.lights
    assert map_.title != path.stem


@names
def test_every_start_space_is_one_to_stand_on(path: Path) -> None:
    """A side is placed on any of its spaces; most of them must be free, or the area was drawn over a wall."""
    map_ = load_map(path)
    for spawn in map_.spawns:
        free = [cell for cell in spawn.cells if map_.field.ground[cell] <= Ground.DIFFICULT]
        assert len(free) * 10 >= len(spawn.cells) * 6, spawn


@names
def test_every_space_has_a_material_and_every_prop_a_picture(path: Path) -> None:
    map_ = load_map(path)
    assert not map_.foreign
    assert "tile" not in map_.materials
    assert all(material or map_.field.ground[cell] == Ground.VOID for cell, material in enumerate(map_.materials))
    for prop in {prop.name for prop in map_.props}:
        assert asset("art", "props", f"{prop}.svg").is_file(), prop


@names
@pytest.mark.skipif(RASTERIZER is None, reason="tmxrasterizer (Debian's tiled) is not installed")
def test_tiled_draws_it_without_a_word(path: Path, tmp_path: Path) -> None:
    picture, folder = tmp_path / "map.png", tmp_path / "run"
    folder.mkdir(mode=0o700)
    surroundings = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(folder)}
    done = subprocess.run(
        [str(RASTERIZER), "--size", "640", str(path), str(picture)],
        env=surroundings, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    size = picture_size(picture)
    assert size is not None and max(size) == 640


@pytest.mark.skipif(TILED is None, reason="tiled is not installed")
def test_a_map_that_tiled_saved_again_means_the_same(tmp_path: Path) -> None:
    """Tiled itself is the oracle: what it read and wrote, tilesets embedded, gives the very same field."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    maps = Path(shutil.copytree(shipped_maps(), tmp_path / "maps"))
    surroundings = {
        **os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(home), "HOME": str(home),
    }  # fmt: skip
    command = [str(TILED), "--embed-tilesets", "--minimize", "--export-map", "tmx"]
    subprocess.run(
        [*command, str(maps / "tavern.tmx"), str(maps / "again.tmx")],
        env=surroundings, capture_output=True, timeout=60, check=True,
    )  # fmt: skip
    ours, again = loaded("tavern"), load_map(maps / "again.tmx")
    assert again.warnings == ()
    assert again.field == ours.field
    assert (again.spawns, again.materials, again.props) == (ours.spawns, ours.materials, ours.props)


def test_the_crypt_has_a_locked_and_a_secret_door_and_torches() -> None:
    crypt = loaded("crypt")
    assert {"locked", "secret", "closed", "open"} == {door.state for door in crypt.field.doors}
    assert sum(prop.name == "torch" for prop in crypt.props) >= 8


def test_the_warren_has_palisades_to_shoot_through_and_difficult_ground() -> None:
    field = loaded("goblin_warren").field
    assert field.edges and all(wall.move and not wall.sight for wall in field.edges)
    assert list(field.ground).count(Ground.DIFFICULT) >= 20


def test_the_tavern_has_thin_walls_and_doors_and_a_gallery_to_climb() -> None:
    field = loaded("tavern").field
    assert len(field.edges) >= 30
    assert all(door.edge is not None for door in field.doors)
    assert 1 in field.levels
    stairs = [cell for cell in range(len(field.ground)) if field.terrain().climbs_from(Cell(cell))]
    assert {field.level(Cell(cell)) for cell in stairs} == {0, 1}


def test_the_bridge_has_gaps_of_one_and_two_and_heights_with_ways_up() -> None:
    bridge = loaded("ruined_bridge")
    rows = []
    for row in (10, 11, 12):
        start = row * bridge.field.width
        kinds = bridge.field.ground[start + 14 : start + 22]
        rows.append("".join("_" if kind == Ground.VOID else "=" for kind in kinds))
    assert rows == ["==_==__=", "====__==", "=_===_=="]
    assert not bridge.field.opaque >> (10 * bridge.field.width + 16) & 1
    ups = [cell for cell in range(len(bridge.field.ground)) if bridge.field.terrain().climbs_from(Cell(cell))]
    assert len({bridge.field.at(Cell(cell))[0] // 12 for cell in ups}) >= 2


def test_the_sluice_parts_the_sides_by_what_must_be_climbed_swum_cleared_and_lifted() -> None:
    sluice = loaded("old_sluice")
    assert {one.kind for one in sluice.field.challenges} == {"climb", "water", "rubble", "trap", "chest"}
    assert {(door.kind, door.state) for door in sluice.field.doors} == {("portcullis", "closed")}
    ledge = next(one for one in sluice.field.challenges if one.edges)
    assert all(abs(sluice.field.level(a) - sluice.field.level(b)) == 1 for a, b in ledge.edges)
    walked = distances(sluice.field.terrain(), sluice.spawn_cells("heroes")[0])
    assert all(walked[cell] == UNREACHABLE for cell in sluice.spawn_cells("monsters"))


def test_the_project_declares_every_class_that_the_maps_use() -> None:
    project = json.loads((shipped_maps() / "battlemat.tiled-project").read_text(encoding="utf-8"))
    classes = {each["name"] for each in project["propertyTypes"] if each["type"] == "class"}
    for path in MAPS:
        map_ = load_map(path)
        kept = (*map_.chests, *map_.traps, *map_.notes, *map_.regions, *map_.exits, *map_.others)
        assert {each.kind for each in kept} <= classes
    assert {"Spawn", "Creature", "Door", "Wall", "Stairs", "Ladder", "Exit", "Light"} <= classes
