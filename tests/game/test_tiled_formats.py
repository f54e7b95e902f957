"""What Tiled 1.9 to 1.12 writes and pytmx loses or stumbles over: it must all arrive."""

from __future__ import annotations

import base64
import gzip
import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from game.maps.mapdata import LoadedMap, PlacedTile
from game.maps.tiled import load_map
from rules.board.grid import Ground
from rules.contract.units import Cell
from tests.game.tmx_text import TILESET, floor, layer, objects, packed, png, save, thing, tmx

GROUND = [1, 2, 3, 4] + [1] * 8
KINDS = bytes([Ground.OPEN, Ground.BLOCKED, Ground.DIFFICULT, Ground.VOID] + [Ground.OPEN] * 8)


def load(folder: Path, body: str, width: int = 4, height: int = 3, **more: str) -> LoadedMap:
    return load_map(save(folder, tmx(body, width, height, **more)))


def _zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(level=5).compress(data)


# ---------------------------------------------------------------------------------------------- layer data


@pytest.mark.parametrize(
    ("compression", "squeeze"), [("", bytes), ("zlib", zlib.compress), ("gzip", gzip.compress), ("zstd", _zstd)]
)
def test_every_compression_gives_the_same_tiles(
    tmp_path: Path, compression: str, squeeze: Callable[[bytes], bytes]
) -> None:
    text = base64.b64encode(squeeze(struct.pack("<12I", *GROUND))).decode()
    loaded = load(tmp_path, packed(f"\n   {text[:9]}\n{text[9:]}\n  ", 4, 3, compression))
    assert loaded.field.ground == KINDS


def test_csv_may_have_line_breaks_and_a_last_comma(tmp_path: Path) -> None:
    body = floor().replace(">1,1,1,1,", ">\n1,2,3,4,\n").replace("1</data>", "1,\n</data>")
    assert load(tmp_path, body).field.ground == KINDS


def test_old_xml_tiles_are_read(tmp_path: Path) -> None:
    tiles = "".join(f'<tile gid="{gid}"/>' for gid in GROUND)
    body = f'<layer name="Old" width="4" height="3"><data>{tiles}</data></layer>'
    assert load(tmp_path, body).field.ground == KINDS


def _infinite(chunks: str, more: str = "") -> str:
    data = f'<data encoding="csv">{chunks}</data>'
    return tmx(
        f'<layer name="Ground" width="2" height="2">{data}</layer>{more}', 2, 2,
        head='orientation="orthogonal" infinite="1"',
    )  # fmt: skip


def _chunk(x: int, y: int, tiles: list[int]) -> str:
    return f'<chunk x="{x}" y="{y}" width="2" height="2">{",".join(map(str, tiles))}</chunk>'


def test_infinite_maps_are_cut_to_their_tiles_and_objects_move_along(tmp_path: Path) -> None:
    chunks = _chunk(-2, -2, [0, 0, 0, 2]) + _chunk(0, 0, [1, 0, 0, 0]) + _chunk(2, 0, [0, 0, 0, 3])
    chair = objects(thing(5, "Note", (-20, -20)), thing(6, "Note", (110, 40)))
    loaded = load_map(save(tmp_path, _infinite(chunks, chair)))
    assert (loaded.field.width, loaded.field.height) == (5, 3)
    assert loaded.field.ground[0] == Ground.BLOCKED
    assert loaded.field.ground[1 * 5 + 1] == Ground.OPEN
    assert loaded.field.ground[2 * 5 + 4] == Ground.DIFFICULT
    assert [note.cell for note in loaded.notes] == [0, 2 * 5 + 4]


def test_flip_flags_turn_props_and_are_no_part_of_the_number(tmp_path: Path) -> None:
    horizontal, vertical, diagonal, hexagonal = 1 << 31, 1 << 30, 1 << 29, 1 << 28
    turns = [0, diagonal | horizontal, horizontal | vertical, diagonal | vertical, horizontal, hexagonal]
    loaded = load(tmp_path, layer([8 | flags for flags in turns], 6, 1), 6, 1)
    assert [(p.flip, p.turn) for p in loaded.props] == [
        (False, 0), (False, 1), (False, 2), (False, 3), (True, 0), (False, 0),
    ]  # fmt: skip
    assert {p.name for p in loaded.props} == {"table"}
    assert loaded.layers[0].tiles[1].diagonal and loaded.layers[0].tiles[1].horizontal


# -------------------------------------------------------------------------------------- groups and layers


def test_groups_give_their_offset_opacity_and_visibility(tmp_path: Path) -> None:
    inner = layer([8] + [0] * 11, 4, 3, name="Inner", head='opacity="0.5"')
    notes = objects(thing(1, "Note", (1, 1)), head='offsetx="32"')
    group = f'<group name="G" offsetx="32" offsety="32" opacity="0.5" visible="0">{inner}{notes}</group>'
    loaded = load(tmp_path, floor() + group)
    drawn = loaded.layers[1]
    assert (drawn.name, drawn.opacity, drawn.visible) == ("Inner", 0.25, False)
    assert drawn.tiles[0].cell == 5  # one right, one down: a shift by whole spaces moves the tiles
    assert loaded.notes[0].cell == 4 + 2
    assert loaded.materials[5] == "wood"


def test_fractional_offsets_load_and_stay_with_the_picture(tmp_path: Path) -> None:
    body = floor() + layer([0] * 12, 4, 3, name="Half", head='offsetx="1.5" offsety="-0.25"')
    assert load(tmp_path, body).layers[1].offset == (1.5, -0.25)


def test_draw_order_is_the_files_order(tmp_path: Path) -> None:
    names = ["C", "A", "B"]
    body = "".join(layer([1] * 12, 4, 3, name=name) + objects(name=f"o{name}") for name in names)
    assert [each.name for each in load(tmp_path, f"<group>{body}</group>").layers] == names


def test_two_things_of_one_name_are_no_error(tmp_path: Path) -> None:
    body = floor() + floor() + objects(thing(1, "Note", (1, 1)), thing(2, "Note", (40, 1))) + objects()
    assert len(load(tmp_path, body).notes) == 2


# --------------------------------------------------------------------------------------------- properties


def test_class_properties_become_dotted_names(tmp_path: Path) -> None:
    stats = (
        '<properties><property name="template" value="goblin"/><property name="side" value="monsters"/>'
        '<property name="stats" type="class" propertytype="Stats"><properties>'
        '<property name="hp" type="int" value="7"/>'
        '<property name="gear" type="class" propertytype="Gear"><properties>'
        '<property name="axe" type="bool" value="true"/></properties></property>'
        "</properties></property></properties>"
    )
    body = floor() + objects(f'<object id="4" type="Creature" x="1" y="1">{stats}</object>')
    assert load(tmp_path, body).creatures[0].overrides == {"stats.hp": 7, "stats.gear.axe": True}


def test_list_properties_become_numbered_names(tmp_path: Path) -> None:
    loot = (
        '<properties><property name="loot" type="list"><item value="gold"/><item type="int" value="3"/>'
        '<item type="list"><item value="deep"/></item></property></properties>'
    )
    body = floor() + objects(f'<object id="4" type="Chest" x="1" y="1">{loot}</object>')
    assert load(tmp_path, body).chests[0].properties == {"loot.0": "gold", "loot.1": 3, "loot.2.0": "deep"}


def test_properties_may_have_reserved_names(tmp_path: Path) -> None:
    names: dict[str, Any] = {
        "type": "x",
        "visible": "y",
        "id": "z",
        "name": "w",
        "width": "v",
        "points": "u",
        "parent": "t",
    }
    loaded = load(tmp_path, floor() + objects(thing(4, "Note", (1, 1), "", **names)))
    assert loaded.notes[0].properties == names
    assert loaded.notes[0].kind == "Note" and loaded.notes[0].visible


def test_text_over_several_lines_and_empty_text_arrive(tmp_path: Path) -> None:
    inside = '<properties><property name="text">one\ntwo</property><property name="empty" value=""/></properties>'
    loaded = load(tmp_path, floor() + objects(f'<object id="1" type="Note" x="1" y="1">{inside}</object>'))
    assert loaded.notes[0].properties == {"text": "one\ntwo", "empty": ""}


def _project(folder: Path) -> None:
    hp = {"name": "hp", "type": "int", "value": 4}
    stats = {"name": "Stats", "type": "class", "members": [hp, {"name": "brave", "type": "bool", "value": True}]}
    nested = {"name": "stats", "type": "class", "propertyType": "Stats", "value": {"hp": 9}}
    side = {"name": "side", "type": "string", "propertyType": "Side", "value": "monsters"}
    creature = {"name": "Creature", "type": "class", "members": [side, nested]}
    door = {"name": "Door", "type": "class", "members": [{"name": "difficulty", "type": "int", "value": 15}]}
    enums = [
        {"name": "Side", "type": "enum", "storageType": "string", "values": ["heroes", "monsters"]},
        {"name": "State", "type": "enum", "storageType": "int", "values": ["open", "closed", "locked"]},
    ]
    text = json.dumps({"propertyTypes": [*enums, stats, creature, door]})
    save(folder, text, "test.tiled-project")


def test_the_project_file_gives_defaults(tmp_path: Path) -> None:
    _project(tmp_path)
    loaded = load(tmp_path, floor() + objects(thing(4, "Creature", (1, 1), template="goblin")))
    creature = loaded.creatures[0]
    assert (creature.side, creature.overrides) == ("monsters", {"stats.hp": 9, "stats.brave": True})


def test_an_enum_stored_as_a_number_is_named(tmp_path: Path) -> None:
    _project(tmp_path)
    inside = '<properties><property name="state" type="int" propertytype="State" value="2"/></properties>'
    body = floor() + objects(f'<object id="4" type="Door" x="0" y="0" width="32" height="32">{inside}</object>')
    door = load(tmp_path, body).field.doors[0]
    assert (door.state, door.difficulty) == ("locked", 15)


@pytest.mark.parametrize("text", ["", "[1", "[]", '{"propertyTypes": 5}', '{"propertyTypes": [1]}', "[" * 9999])
def test_a_broken_project_is_one_line(tmp_path: Path, text: str) -> None:
    save(tmp_path, text, "x.tiled-project")
    with pytest.raises(ValueError, match=r"^x\.tiled-project: [^\n]*$"):
        load(tmp_path, floor())


# -------------------------------------------------------------------------------------- classes, templates


@pytest.mark.parametrize("attribute", ["type", "class"])
def test_an_objects_type_or_class_is_read(tmp_path: Path, attribute: str) -> None:
    """Tiled 1.9 wrote `class`, all others `type`."""
    loaded = load(tmp_path, floor() + objects(thing(1, "Note", (1, 1), attribute=attribute)))
    assert loaded.notes[0].kind == "Note" and not loaded.warnings


def test_an_empty_type_yields_to_the_class(tmp_path: Path) -> None:
    loaded = load(tmp_path, floor() + objects('<object id="1" type="" class="Note" x="1" y="1"/>'))
    assert len(loaded.notes) == 1


def _template(folder: Path, inside: str, name: str = "parts/orc.tx") -> None:
    save(folder, f'<?xml version="1.0"?><template>{inside}</template>', name)


def test_templates_are_filled_in_and_the_instance_has_the_last_word(tmp_path: Path) -> None:
    _template(
        tmp_path,
        '<object name="Orc" type="Creature" width="32" height="32"><properties>'
        '<property name="template" value="orc"/><property name="side" value="monsters"/>'
        '<property name="group" value="gate"/></properties></object>',
    )
    own = '<properties><property name="group" value="yard"/></properties>'
    body = floor() + objects(f'<object id="8" template="parts/orc.tx" x="32" y="32">{own}</object>')
    creature = load(tmp_path, body).creatures[0]
    assert (creature.template, creature.group, creature.name, creature.cell) == ("orc", "yard", "Orc", 5)


def test_a_templates_shape_is_kept(tmp_path: Path) -> None:
    _template(tmp_path, '<object type="Wall"><polyline points="0,0 0,64"/></object>')
    loaded = load(tmp_path, floor() + objects('<object id="8" template="parts/orc.tx" x="64" y="0"/>'))
    assert [(wall.a, wall.b) for wall in loaded.field.edges] == [(1, 2), (5, 6)]


def test_a_templates_tile_belongs_to_the_templates_tileset(tmp_path: Path) -> None:
    inside = '<tile id="1" type="Note"><properties><property name="prop" value="chest"/></properties></tile>'
    save(
        tmp_path,
        f'<tileset name="o" tilewidth="32" tileheight="32" tilecount="2" columns="2">{inside}</tileset>',
        "parts/own.tsx",
    )
    _template(tmp_path, '<tileset firstgid="1" source="own.tsx"/><object gid="2" width="32" height="32"/>')
    loaded = load(tmp_path, floor() + objects('<object id="8" template="parts/orc.tx" x="32" y="64"/>'))
    assert loaded.notes[0].cell == 5
    assert loaded.notes[0].properties["prop"] == "chest"


def test_a_template_without_object_is_one_line(tmp_path: Path) -> None:
    _template(tmp_path, "")
    with pytest.raises(ValueError, match=r"object 8: template 'parts/orc.tx' holds no <object>"):
        load(tmp_path, floor() + objects('<object id="8" template="parts/orc.tx" x="1" y="1"/>'))


@pytest.mark.parametrize(
    ("alignment", "x", "y"), [("unspecified", 32, 64), ("topleft", 32, 32), ("center", 48, 48), ("bottomright", 64, 64)]
)
def test_tile_objects_stand_where_tiled_draws_them(tmp_path: Path, alignment: str, x: int, y: int) -> None:
    tileset = TILESET.replace('name="plain"', f'name="plain" objectalignment="{alignment}"')
    node = f'<object id="3" type="Note" gid="8" x="{x}" y="{y}" width="32" height="32"/>'
    assert load(tmp_path, floor() + objects(node), tileset=tileset).notes[0].cells == (5,)


# ------------------------------------------------------------------------------------- foreign tilesets


def test_external_tilesets_are_read_and_their_pictures_measured(tmp_path: Path) -> None:
    save(tmp_path, png(70, 70), "art/tiles.png")
    save(
        tmp_path,
        '<tileset name="f" tilewidth="32" tileheight="32" spacing="2" margin="1" tilecount="4" columns="2">'
        '<tileoffset x="3" y="-4"/><image source="tiles.png" width="70" height="70"/></tileset>',
        "art/f.tsx",
    )
    body = layer([1, 4] + [1] * 10, 4, 3)
    loaded = load(tmp_path, body, tileset='<tileset firstgid="1" source="art/f.tsx"/>')
    assert loaded.foreign and loaded.materials[0] == "tile"
    art = loaded.tiles[loaded.layers[0].tiles[1].tile]
    assert art.image == (tmp_path / "art/tiles.png").resolve()
    assert (art.rect, art.offset, art.tileset, art.id) == ((35, 35, 32, 32), (3, -4), "art/f.tsx", 3)


def test_image_collections_are_read(tmp_path: Path) -> None:
    save(tmp_path, png(32, 48), "tree.png")
    tileset = (
        '<tileset firstgid="1" name="c" tilewidth="32" tileheight="48" tilecount="1" columns="0">'
        '<tile id="7"><image source="tree.png" width="32" height="48"/></tile></tileset>'
    )
    loaded = load(tmp_path, layer([8] * 12, 4, 3), tileset=tileset)
    assert loaded.tiles[0].rect == (0, 0, 32, 48)


@pytest.mark.parametrize("content", [None, b"GIF89a", b""])
def test_a_missing_or_other_picture_only_warns(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        save(tmp_path, content, "t.png")
    tileset = (
        '<tileset firstgid="1" tilewidth="32" tileheight="32" tilecount="1" columns="1">'
        '<image source="t.png" width="32" height="32"/></tileset>'
    )
    loaded = load(tmp_path, floor(), tileset=tileset)
    assert loaded.tiles[0].image is None and not loaded.foreign
    assert loaded.materials[0] == "slate"
    assert len(loaded.warnings) == 1 and "t.png" in loaded.warnings[0]


def test_unknown_elements_and_image_layers_only_warn(tmp_path: Path) -> None:
    body = floor() + '<imagelayer name="Sky"><image source="/etc/passwd"/></imagelayer><wangmap/>'
    loaded = load(tmp_path, body)
    assert len(loaded.warnings) == 2
    told = "\n".join(loaded.warnings)
    assert "'Sky'" in told and "the layer is not drawn" in told and "<wangmap>" in told
    assert not any(layer.backdrop for layer in loaded.layers)


# ----------------------------------------------------------------------------------- pictures as they are measured


def _sheet(folder: Path, declared: str, real: tuple[int, int], head: str = "") -> LoadedMap:
    """A map of the tiles 1, 3 and 7 of a picture that measures otherwise than its tileset says."""
    save(folder, png(*real), "sheet.png")
    tileset = (
        f'<tileset firstgid="1" tilewidth="32" tileheight="32" {head}><image source="sheet.png" {declared}/></tileset>'
    )
    return load(folder, layer([1, 3, 7] + [0] * 9, 4, 3), tileset=tileset)


def _corners(loaded: LoadedMap) -> list[tuple[int, int]]:
    return [loaded.tiles[placed.tile].rect[:2] for placed in loaded.layers[0].tiles]


@pytest.mark.parametrize(
    "declared",
    ["", 'width="64" height="64"', 'width="32" height="32"', 'width="512" height="512"', 'width="1" height="1"'],
)
@pytest.mark.parametrize("head", ["", 'columns="2" tilecount="4"', 'columns="9" tilecount="1"'])
def test_what_the_picture_measures_counts_and_not_what_is_declared(tmp_path: Path, declared: str, head: str) -> None:
    loaded = _sheet(tmp_path, declared, (128, 64), head)
    assert _corners(loaded) == [(0, 0), (64, 0), (64, 32)]
    assert all(art.image is not None for art in loaded.tiles) and not loaded.warnings


def test_a_missing_picture_is_as_it_is_declared(tmp_path: Path) -> None:
    tileset = (
        '<tileset firstgid="1" tilewidth="32" tileheight="32">'
        '<image source="gone.png" width="128" height="64"/></tileset>'
    )
    loaded = load(tmp_path, layer([1, 3, 8] + [0] * 9, 4, 3), tileset=tileset)
    assert [art.id for art in loaded.tiles] == [0, 2, 7] and "is missing" in loaded.warnings[0]
    with pytest.raises(ValueError, match="tile 9 at column 2, row 0 is in no tileset"):
        load(tmp_path, layer([1, 3, 9] + [0] * 9, 4, 3), tileset=tileset)


def test_a_tile_outside_its_picture_is_drawn_plainly_with_a_note(tmp_path: Path) -> None:
    loaded = _sheet(tmp_path, 'width="128" height="64"', (64, 64), 'columns="4" tilecount="8"')
    assert _corners(loaded) == [(0, 0), (0, 32), (0, 0)]
    assert [art.image is not None for art in loaded.tiles] == [True, True, False]
    assert loaded.warnings == ("tileset '': tile 6 lies outside its picture; it is drawn plainly",)


def test_a_large_picture_of_tiny_tiles_is_refused_by_its_measure(tmp_path: Path) -> None:
    save(tmp_path, png(4000, 4000, real=False), "sheet.png")
    tileset = (
        '<tileset firstgid="1" tilewidth="1" tileheight="1" columns="1" tilecount="1">'
        '<image source="sheet.png" width="1" height="1"/></tileset>'
    )
    with pytest.raises(ValueError, match="holds 16000000 tiles; 65536"):
        load(tmp_path, floor(), tileset=tileset)


# ------------------------------------------------------------------------------------------- tiles in their thousands


def test_chunks_over_each_other_keep_what_lies_there(tmp_path: Path) -> None:
    one = '<chunk x="-2" y="0" width="2" height="2">1,1,0,2</chunk>'
    other = '<chunk x="-1" y="0" width="2" height="2">0,3,3,0</chunk>'
    data = f'<layer id="1" name="G" width="4" height="3"><data encoding="csv">{one}{other}</data></layer>'
    loaded = load(tmp_path, data, head='orientation="orthogonal" infinite="1"')
    assert (loaded.field.width, loaded.field.height) == (3, 2)
    assert [(placed.cell, loaded.tiles[placed.tile].id) for placed in loaded.layers[0].tiles] == [
        (0, 0), (1, 0), (2, 2), (4, 2),
    ]  # fmt: skip


@pytest.mark.parametrize(("x", "y"), [(0, 0), (32, 0), (-64, 32), (0, -96), (500, 0), (16, 16), (-32, 64)])
def test_a_layer_moved_by_whole_spaces_loses_what_comes_over_the_border(tmp_path: Path, x: int, y: int) -> None:
    body = layer(list(range(1, 13)), 4, 3, head=f'offsetx="{x}" offsety="{y}"')
    placed = load(tmp_path, body).layers[0].tiles
    right, down = round(x / 32), round(y / 32)
    wanted = {
        (row + down) * 4 + column + right
        for row in range(3)
        for column in range(4)
        if 0 <= column + right < 4 and 0 <= row + down < 3
    }
    assert {each.cell for each in placed} == wanted


def test_tiles_of_a_layer_are_a_sequence(tmp_path: Path) -> None:
    numbers = [1, 2 | 1 << 31, 2 | 1 << 30, 0, 2 | 1 << 29, 1, 0, 0, 0, 0, 0, 0]
    tiles = load(tmp_path, layer(numbers, 4, 3)).layers[0].tiles
    assert list(tiles) == [
        PlacedTile(Cell(0), 0), PlacedTile(Cell(1), 1, horizontal=True), PlacedTile(Cell(2), 1, vertical=True),
        PlacedTile(Cell(4), 1, diagonal=True), PlacedTile(Cell(5), 0),
    ]  # fmt: skip
    assert list(tiles[1:3]) == list(tiles)[1:3] and tiles[-1] == PlacedTile(Cell(5), 0)
    assert tiles.arts() == {0: 2, 1: 3}
    again = load(tmp_path, layer(numbers, 4, 3)).layers[0].tiles
    assert tiles == again and hash(tiles) == hash(again) and tiles != tiles[:3]


def test_more_different_meanings_than_a_byte_holds(tmp_path: Path) -> None:
    tiles = "".join(
        f'<tile id="{i}"><properties><property name="material" value="m{i}"/></properties></tile>' for i in range(300)
    )
    tileset = f'<tileset firstgid="1" tilewidth="32" tileheight="32" tilecount="300" columns="4">{tiles}</tileset>'
    body = layer(list(range(1, 301)), 20, 15)
    loaded = load_map(save(tmp_path, tmx(body, 20, 15, tileset=tileset)))
    assert loaded.materials == tuple(f"m{i}" for i in range(300))
