"""What tiles and objects say to the rules (the table of classes and properties), and how mistakes are named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from game.maps.mapdata import LoadedMap
from game.maps.tiled import MapProblem, load_map
from rules.board.bitboard import cells_of
from rules.board.fixtures import Challenge, Door, Goal
from rules.board.grid import EdgeWall, Ground, Light
from rules.contract.units import Cell
from tests.game.tmx_text import floor, layer, objects, save, thing, tmx

S = 32


def load(folder: Path, body: str, width: int = 4, height: int = 3, **more: str) -> LoadedMap:
    return load_map(save(folder, tmx(body, width, height, **more)))


def refusal(folder: Path, body: str, **more: Any) -> str:
    with pytest.raises(MapProblem) as caught:
        load(folder, body, **more)
    return str(caught.value)


def says(**properties: str) -> str:
    inner = "".join(f'<property name="{key}" value="{value}"/>' for key, value in properties.items())
    return f"<properties>{inner}</properties>"


# -------------------------------------------------------------------------------------------------- tiles


def test_the_most_restrictive_tile_of_a_space_counts(tmp_path: Path) -> None:
    body = layer([2, 3, 1, 4] + [1] * 8, 4, 3) + layer([1, 1, 3, 3] + [0] * 8, 4, 3)
    loaded = load(tmp_path, body)
    assert list(loaded.field.ground[:4]) == [Ground.BLOCKED, Ground.DIFFICULT, Ground.DIFFICULT, Ground.VOID]
    assert cells_of(loaded.field.opaque) == [0]


def test_a_space_with_no_ground_tile_is_void_and_blocks_both(tmp_path: Path) -> None:
    decor = layer([1] * 12, 4, 3, inside=says(role="decor"))
    loaded = load(tmp_path, layer([0] + [1] * 11, 4, 3) + decor)
    assert loaded.field.ground[0] == Ground.VOID
    assert cells_of(loaded.field.opaque) == [0]
    assert loaded.materials[0] == ""


def test_a_gap_stops_steps_but_not_sight(tmp_path: Path) -> None:
    loaded = load(tmp_path, layer([4] + [1] * 11, 4, 3))
    assert loaded.field.ground[0] == Ground.VOID
    assert loaded.field.opaque == 0


def test_decor_is_drawn_and_not_ruled(tmp_path: Path) -> None:
    loaded = load(tmp_path, floor() + layer([2] * 12, 4, 3, inside=says(role="decor")))
    assert set(loaded.field.ground) == {Ground.OPEN} and loaded.field.opaque == 0
    assert loaded.layers[1].role == "decor" and len(loaded.layers[1].tiles) == 12


def test_a_roof_is_not_ruled_and_its_spaces_are_named(tmp_path: Path) -> None:
    loaded = load(tmp_path, floor() + layer([2, 8] + [0] * 10, 4, 3, inside=says(role="roof")))
    assert loaded.roof == {0, 1}
    assert set(loaded.field.ground) == {Ground.OPEN} and not loaded.props


def test_tiles_give_light_climbing_and_levels(tmp_path: Path) -> None:
    field = load(tmp_path, layer([5, 6, 7] + [1] * 9, 4, 3)).field
    assert field.lights == (Light(Cell(0), 3, 5),)
    assert cells_of(field.climbs) == [1]
    assert field.levels[:4] == (0, 0, 1, 0)


def test_a_flat_map_has_no_levels(tmp_path: Path) -> None:
    assert load(tmp_path, floor()).field.levels == ()


def test_material_is_the_topmost_grounds_and_props_are_listed(tmp_path: Path) -> None:
    loaded = load(tmp_path, layer([1, 2] + [1] * 10, 4, 3) + layer([8] + [0] * 11, 4, 3))
    assert loaded.materials[:3] == ("wood", "rockwall", "slate")
    assert [(p.cell, p.name) for p in loaded.props] == [(0, "table")]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('name="move" value="blocked"', 'name="move" value="lava"', ("tile 1", "'lava'", "open, difficult")),
        ('name="sight" value="blocked"', 'name="sight" value="foggy"', ("tile 1", "'foggy'", "open or blocked")),
        ('type="int" value="5"', 'type="int" value="-5"', ("tile 4", "light", "'-5'", "0 to 64")),
        ('type="bool" value="true"', 'value="yes"', ("tile 5", "climb", "true or false")),
        ('type="int" value="1"', 'type="int" value="99"', ("tile 6", "level", "0 to 9")),
    ],
)
def test_a_wrong_tile_property_names_tile_and_mend(tmp_path: Path, old: str, new: str, words: tuple[str, ...]) -> None:
    from tests.game.tmx_text import TILESET

    assert old in TILESET
    body = layer([2, 5, 6, 7] + [1] * 8, 4, 3)
    line = refusal(tmp_path, body, tileset=TILESET.replace(old, new))
    assert all(word in line for word in ("test.tmx", "'plain'", *words)), line


def test_a_wrong_role_names_layer_and_mend(tmp_path: Path) -> None:
    line = refusal(tmp_path, layer([1] * 12, 4, 3, name="Top", inside=says(role="hat")))
    assert line == "test.tmx, layer 'Top': role is 'hat'; ground, decor or roof is right"


# ------------------------------------------------------------------------------------------ map properties


def test_map_properties(tmp_path: Path) -> None:
    properties = (
        '<properties><property name="title" value="The Pit"/><property name="ambient" value="dark"/>'
        '<property name="level_height" type="int" value="15"/><property name="ruleset" value="olde"/></properties>'
    )
    loaded = load(tmp_path, floor(), properties=properties)
    assert (loaded.title, loaded.field.title, loaded.ambient) == ("The Pit", "The Pit", "dark")
    assert loaded.field.level_height == 15
    assert loaded.ruleset_hints == {"ruleset": "olde"}


def test_map_properties_have_defaults(tmp_path: Path) -> None:
    loaded = load_map(save(tmp_path, tmx(floor()), "old_mill.tmx"))
    assert (loaded.title, loaded.ambient, loaded.field.level_height) == ("Old mill", "bright", 10)


@pytest.mark.parametrize(("name", "value"), [("ambient", "pink"), ("level_height", "tall")])
def test_wrong_map_properties_are_named(tmp_path: Path, name: str, value: str) -> None:
    line = refusal(tmp_path, floor(), properties=says(**{name: value}))
    assert line.startswith(f"test.tmx: {name} is '{value}';") and "is right" in line


# ---------------------------------------------------------------------------------------------- who stands


def test_spawns_cover_spaces_by_their_centres(tmp_path: Path) -> None:
    body = floor() + objects(thing(1, "Spawn", (20, 4, 60, 60), side="heroes", count=2))
    spawn = load(tmp_path, body).spawns[0]
    assert (spawn.side, spawn.count, spawn.cells) == ("heroes", 2, (1, 5))


def test_an_ellipse_and_a_polygon_cover_what_they_enclose(tmp_path: Path) -> None:
    ellipse = thing(1, "Spawn", (0, 0, 128, 96), "<ellipse/>", side="a")
    corner = '<polygon points="0,0 100,0 0,100"/>'
    body = floor() + objects(ellipse, thing(2, "Spawn", (0, 0), corner, side="b"))
    first, second = load(tmp_path, body).spawns
    assert first.cells == (1, 2, 4, 5, 6, 7, 9, 10)
    assert second.cells == (0, 1, 2, 4, 5, 8)


def test_a_turned_rectangle_turns_about_its_corner(tmp_path: Path) -> None:
    node = '<object id="1" type="Region" x="32" y="0" width="64" height="32" rotation="90"/>'
    assert load(tmp_path, floor() + objects(node)).regions[0].cells == (0, 4)


def test_creatures(tmp_path: Path) -> None:
    body = floor() + objects(
        thing(1, "Creature", (40, 40), template="orc", side="monsters", id="Grak", asleep=True, group="g", hp=5),
        thing(2, "Creature", (1, 1, 32, 32), template="orc", side="monsters"),
    )
    first, second = load(tmp_path, body).creatures
    assert (first.template, first.side, first.id, first.cell) == ("orc", "monsters", "Grak", 5)
    assert (first.asleep, first.group, first.overrides) == (True, "g", {"hp": 5})
    assert (second.id, second.cell, second.asleep) == ("orc-2", 0, False)


def test_a_patrol_gives_its_way_points_to_the_creature_that_it_names(tmp_path: Path) -> None:
    line = '<polyline points="0,0 64,0 64,64"/>'
    orc = thing(1, "Creature", (16, 16), template="orc", side="monsters", id="Grak")
    (grak,) = load(tmp_path, floor() + objects(thing(2, "Patrol", (16, 16), line, of="Grak"), orc)).creatures
    assert grak.patrol == (0, 2, 10)
    assert "patrol" not in grak.overrides
    told = refusal(tmp_path, floor() + objects(orc, thing(7, "Patrol", (16, 16), line, of="Snag")))
    assert "object 7: of this Patrol is 'Snag', which is no Creature's id; there are Grak" in told


@pytest.mark.parametrize("missing", ["template", "side"])
def test_a_missing_property_names_file_layer_object_and_mend(tmp_path: Path, missing: str) -> None:
    given: dict[str, Any] = {"template": "orc", "side": "monsters"}
    del given[missing]
    line = refusal(tmp_path, floor() + objects(thing(12, "Creature", (1, 1), "", **given), name="Foes"))
    assert line == (
        f"test.tmx, layer 'Foes', object 12: this Creature has no {missing}; "
        f"add the property {missing} (string) in Tiled"
    )


def test_two_creatures_of_one_id_are_refused(tmp_path: Path) -> None:
    orc: dict[str, Any] = {"template": "orc", "side": "monsters", "id": "Grak"}
    body = floor() + objects(thing(1, "Creature", (1, 1), "", **orc), thing(2, "Creature", (40, 1), "", **orc))
    assert "object 2: id 'Grak'" in refusal(tmp_path, body)


@pytest.mark.parametrize("kind", ["Creature", "Spawn", "Door", "Light", "Trap"])
def test_ruled_objects_must_lie_on_the_map(tmp_path: Path, kind: str) -> None:
    body = floor() + objects(thing(3, kind, (500, 40), template="orc", side="a"))
    line = refusal(tmp_path, body)
    assert "object 3" in line and "outside the map" in line


@pytest.mark.parametrize(
    ("kind", "given", "words"),
    [
        ("Creature", {"template": "orc", "side": "a", "asleep": "maybe"}, "asleep of this Creature is 'maybe'; true"),
        ("Spawn", {"side": "a", "count": -1}, "count of this Spawn is '-1'; a whole number"),
        ("Door", {"state": "ajar"}, "open, closed, locked, secret or barred is right"),
        ("Door", {"difficulty": "hard"}, "difficulty of this Door is 'hard'"),
        ("Light", {"bright": 1000}, "0 to 64"),
        ("Region", {"kind": "level", "level": "up"}, "level of this Region is 'up'"),
        ("Trap", {"difficulty": True}, "difficulty of this Trap is 'True'"),
        ("Door", {"kind": "gate"}, "kind of this Door is 'gate'; door or portcullis is right"),
        ("Door", {"kind": "portcullis", "state": "locked"}, "this portcullis is locked; open or closed is right"),
        ("Obstacle", {"kind": "lava"}, "kind of this Obstacle is 'lava'; climb, water or rubble is right"),
        ("Obstacle", {}, "kind of this Obstacle is ''"),
        ("Obstacle", {"kind": "water", "difficulty": 0}, "difficulty of this Obstacle is 0"),
        ("Obstacle", {"kind": "climb", "height": 12}, "0 to 9"),
    ],
)
def test_a_wrong_property_is_named_with_what_would_be_right(
    tmp_path: Path, kind: str, given: dict[str, Any], words: str
) -> None:
    line = refusal(tmp_path, floor() + objects(thing(3, kind, (1, 1), "", **given)))
    assert line.startswith("test.tmx, layer 'Things', object 3: ") and words in line


# --------------------------------------------------------------------------------------- doors and walls


def doors(folder: Path, *nodes: str) -> tuple[Door, ...]:
    return load(folder, floor() + objects(*nodes)).field.doors


def test_a_door_fills_its_space(tmp_path: Path) -> None:
    node = thing(1, "Door", (S, S, S, S), state="locked", key="iron", difficulty=12, id="gate")
    assert doors(tmp_path, node) == (Door("gate", Cell(5), None, "locked", "iron", 12),)


def test_a_point_is_a_door_in_its_space(tmp_path: Path) -> None:
    assert doors(tmp_path, thing(1, "Door", (40, 40), "<point/>")) == (Door("door 1", Cell(5), None),)


@pytest.mark.parametrize(
    ("box", "edge"),
    [((60, 32, 8, 32), (5, 6)), ((64, 32, 0, 32), (5, 6)), ((64, 33, 6, 30), (5, 6)), ((32, 60, 32, 8), (5, 9)),
     ((36, 62, 24, 4), (5, 9)), ((32, 32, 32, 0), (1, 5))],
)  # fmt: skip
def test_a_thin_door_lies_on_the_edge(tmp_path: Path, box: tuple[float, ...], edge: tuple[int, int]) -> None:
    door = doors(tmp_path, thing(1, "Door", box))[0]
    assert (door.cell, door.edge) == edge


def test_a_thin_door_in_the_middle_of_a_space_fills_it(tmp_path: Path) -> None:
    door = doors(tmp_path, thing(1, "Door", (44, 32, 8, 32)))[0]
    assert (door.cell, door.edge) == (5, None)


def test_a_wide_thin_door_is_one_per_edge(tmp_path: Path) -> None:
    found = doors(tmp_path, thing(1, "Door", (60, 0, 8, 64), id="gate"))
    assert [(d.id, d.cell, d.edge) for d in found] == [("gate", 1, 2), ("gate (2)", 5, 6)]


def test_a_door_may_be_a_line(tmp_path: Path) -> None:
    door = doors(tmp_path, thing(1, "Door", (64, 0), '<polyline points="0,0 0,32"/>'))[0]
    assert (door.cell, door.edge) == (1, 2)
    body = floor() + objects(thing(1, "Door", (50, 0), '<polyline points="0,0 0,32"/>'))
    assert "off the grid lines" in refusal(tmp_path, body)


def walls(folder: Path, points: str, x: float = 0, y: float = 0, **given: Any) -> tuple[EdgeWall, ...]:
    node = thing(1, "Wall", (x, y), f'<polyline points="{points}"/>', **given)
    return load(folder, floor() + objects(node)).field.edges


def test_a_wall_follows_the_grid_lines(tmp_path: Path) -> None:
    assert walls(tmp_path, "0,0 0,32 32,32", 64, 0) == (EdgeWall(Cell(1), Cell(2)), EdgeWall(Cell(2), Cell(6)))


def test_a_wall_a_little_off_is_taken_to_the_grid(tmp_path: Path) -> None:
    assert walls(tmp_path, "0,0 0,34", 62, -2) == (EdgeWall(Cell(1), Cell(2)),)


def test_a_wall_may_stop_only_movement_or_only_sight(tmp_path: Path) -> None:
    assert walls(tmp_path, "0,0 0,32", 64, sight="open") == (EdgeWall(Cell(1), Cell(2), True, False),)
    assert walls(tmp_path, "0,0 0,32", 64, move="open") == (EdgeWall(Cell(1), Cell(2), False, True),)


def test_a_wall_along_the_maps_border_is_left_out(tmp_path: Path) -> None:
    assert walls(tmp_path, "0,0 128,0 128,96 96,96 96,64") == (EdgeWall(Cell(10), Cell(11)),)


def test_walls_on_one_edge_add_up(tmp_path: Path) -> None:
    line = '<polyline points="0,0 0,32"/>'
    nodes = thing(1, "Wall", (64, 0), line, sight="open"), thing(2, "Wall", (64, 0), line, move="open")
    assert load(tmp_path, floor() + objects(*nodes)).field.edges == (EdgeWall(Cell(1), Cell(2)),)


@pytest.mark.parametrize("points", ["0,0 32,32", "0,0 16,0 16,32"])
def test_a_wall_off_the_grid_lines_is_refused(tmp_path: Path, points: str) -> None:
    node = thing(9, "Wall", (32, 32), f'<polyline points="{points}"/>')
    line = refusal(tmp_path, floor() + objects(node))
    assert "object 9" in line and "snap" in line


def test_a_rectangle_wall_is_its_outline(tmp_path: Path) -> None:
    node = thing(1, "Wall", (32, 32, 32, 32))
    edges = load(tmp_path, floor() + objects(node)).field.edges
    assert {(wall.a, wall.b) for wall in edges} == {(1, 5), (4, 5), (5, 6), (5, 9)}


# -------------------------------------------------------------------------------------------- other classes


def test_stairs_ladders_and_level_regions(tmp_path: Path) -> None:
    body = floor() + objects(
        thing(1, "Stairs", (0, 0, 32, 32)),
        thing(2, "Ladder", (64, 64, 32, 32), to_map="cellar.tmx", to="hatch"),
        thing(3, "Region", (32, 0, 64, 32), kind="level", level=2),
    )
    loaded = load(tmp_path, body)
    assert cells_of(loaded.field.climbs) == [0, 10]
    assert loaded.field.levels[:4] == (0, 2, 2, 0)
    assert [(p.cell, p.name) for p in loaded.props] == [(0, "stairs"), (10, "ladder")]
    assert [(e.kind, e.text("to_map")) for e in loaded.exits] == [("Ladder", "cellar.tmx")]


def test_lights(tmp_path: Path) -> None:
    body = floor() + objects(thing(1, "Light", (1, 1), bright=2, dim=5), thing(2, "Light", (40, 1), bright=4))
    assert load(tmp_path, body).field.lights == (Light(Cell(0), 2, 5), Light(Cell(1), 4, 8))


def test_chests_traps_notes_regions_and_exits_are_kept(tmp_path: Path) -> None:
    kinds = ["Chest", "Trap", "Note", "Region", "Exit"]
    nodes = [thing(i, kind, (32 * i, 32, 32, 32), mark=kind) for i, kind in enumerate(kinds[:4])]
    loaded = load(tmp_path, floor() + objects(*nodes, thing(9, "Exit", (0, 64, 32, 32), mark="Exit")))
    kept = [*loaded.chests, *loaded.traps, *loaded.notes, *loaded.regions, *loaded.exits]
    assert [(each.kind, each.cell, each.text("mark")) for each in kept] == [
        ("Chest", 4, "Chest"), ("Trap", 5, "Trap"), ("Note", 6, "Note"), ("Region", 7, "Region"), ("Exit", 8, "Exit"),
    ]  # fmt: skip


def test_unknown_classes_are_kept_with_a_warning(tmp_path: Path) -> None:
    body = floor() + objects(thing(5, "Dragon", (1, 1)), '<object id="6" x="1" y="1"/>')
    loaded = load(tmp_path, body)
    assert [each.kind for each in loaded.others] == ["Dragon", ""]
    assert len(loaded.warnings) == 2
    assert loaded.warnings[0].startswith("class 'Dragon' unknown: 1 object")
    assert "(layer 'Things', object 5)" in loaded.warnings[0]


def test_text_objects_keep_their_words(tmp_path: Path) -> None:
    node = '<object id="6" x="1" y="1" width="20" height="9"><text wrap="1">Beware!</text></object>'
    loaded = load(tmp_path, floor() + objects(node))
    assert loaded.others[0].text("text") == "Beware!" and not loaded.warnings


# --------------------------------------------------------------------------------------------- obstacles


def challenges(folder: Path, *nodes: str) -> tuple[Challenge, ...]:
    return load(folder, floor() + objects(*nodes)).field.challenges


def test_an_obstacle_fills_its_spaces(tmp_path: Path) -> None:
    water = thing(1, "Obstacle", (S, 0, 2 * S, S), kind="water", difficulty=12)
    fence = thing(2, "Obstacle", (0, S, S, S), kind="climb", height=0, id="fence")
    assert challenges(tmp_path, water, fence) == (
        Challenge("deep water", "water", (Cell(1), Cell(2)), 12, 12),
        Challenge("fence", "climb", (Cell(4),), 9, 9, height=0),
    )


def test_a_face_drawn_as_a_line_runs_along_the_edges(tmp_path: Path) -> None:
    line = f'<polyline points="0,0 0,{2 * S}"/>'
    (face,) = challenges(tmp_path, thing(1, "Obstacle", (2 * S, 0), line, kind="climb"))
    assert (face.edges, face.cells, face.height) == (((1, 2), (5, 6)), (1, 2, 5, 6), 1)


@pytest.mark.parametrize(
    ("kind", "points", "words"),
    [("water", f"0,0 0,{S}", "is a line; draw it over its spaces"), ("climb", "0,0 20,20", "off the grid lines")],
)
def test_a_line_that_is_no_face_is_refused(tmp_path: Path, kind: str, points: str, words: str) -> None:
    body = floor() + objects(thing(1, "Obstacle", (S, 0), f'<polyline points="{points}"/>', kind=kind))
    assert words in refusal(tmp_path, body)


def test_a_portcullis_is_a_door_of_that_kind(tmp_path: Path) -> None:
    assert doors(tmp_path, thing(1, "Door", (S, S, S, S), kind="portcullis", id="bars")) == (
        Door("bars", Cell(5), None, kind="portcullis"),
    )


def test_a_goal_is_read_with_its_spaces_where_they_count(tmp_path: Path) -> None:
    held = thing(1, "Goal", (0, 0, 2 * S, S), id="bridge", kind="hold", rounds=3, text="Hold it", needs="relic, gate")
    relic = thing(2, "Goal", (0, 0, S, S), id="relic", kind="fetch", what="cup", optional=True)
    body = floor() + objects(held, relic, thing(3, "Goal", (0, 0, S, S), id="gate", kind="out"))
    bridge, cup, gate = load(tmp_path, body).field.goals
    assert bridge == Goal("bridge", "hold", "", (Cell(0), Cell(1)), 3, "Hold it", needs=("relic", "gate"))
    assert (cup.what, cup.cells, cup.optional, gate.cells) == ("cup", (), True, ())


def test_a_goal_that_nobody_could_do_is_refused_with_its_object(tmp_path: Path) -> None:
    body = floor() + objects(thing(7, "Goal", (0, 0, S, S), id="stand", kind="hold"))
    told = refusal(tmp_path, body)
    assert "object 7" in told and "needs `rounds`" in told
