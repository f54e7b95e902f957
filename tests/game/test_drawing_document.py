"""Maps drawn on without a window: what was not drawn stays as it was, letter by letter, and all can be taken back."""

from __future__ import annotations

import base64
import gzip
import struct
import zlib
from pathlib import Path

import pytest
import zstandard

from game import paths
from game.maps.editing import drawing, heights, things, tools
from game.maps.editing.document import Document
from game.maps.editing.kinds import kind
from game.maps.editing.parts import copied, put_down
from game.maps.editing.pen import Pen
from game.maps.tiled import check_map, load_map
from rules.board.grid import Ground
from tests.game.tmx_text import TILESET

SHIPPED = sorted(paths.shipped_maps().glob("*.tmx"))


def pack(numbers: list[int], how: str) -> str:
    raw = struct.pack(f"<{len(numbers)}I", *numbers)
    made = {"": raw, "zlib": zlib.compress(raw, 9), "gzip": gzip.compress(raw, 1)}
    return base64.b64encode(made[how] if how in made else zstandard.compress(raw)).decode()


STRANGE = """<?xml version='1.0' encoding="UTF-8"?>
<!-- kept -->
<map version="1.10"  orientation='orthogonal' width="4" height="3" tilewidth="32" tileheight="32" foo="b&amp;r"
     infinite="0" nextlayerid="9" nextobjectid="7">
 <editorsettings><export target="x.json" format="json"/></editorsettings>
 <properties><property name="other" type="class" propertytype="Odd"><properties>
   <property name="a" value="1"/></properties></property></properties>
{tileset} <wonder><inside deep="1">text &lt; more</inside></wonder>
 <group id="4" name="Group"  offsetx="0"><layer id="1" name="Ground" width="4" height="3" tintcolor="#ff0000">
  <data {head}>{data}</data></layer></group>
 <objectgroup id="2" name="Stuff" color="#123456"><object id="3" class="mine" x="1" y="2"><point/></object>
  <!-- a note of mine --></objectgroup>
</map>
<!-- end -->
"""
NUMBERS = [1, 1, 1, 2, 1, 3, 1, 2, 1, 1, 1, 2]


def strange(folder: Path, head: str, data: str, name: str = "odd.tmx") -> Path:
    path = folder / name
    path.write_bytes(STRANGE.format(tileset=TILESET, head=head, data=data).encode())
    return path


ENCODINGS = {
    "csv": ('encoding="csv"', "\n1, 1,1,2,\n 1,3,1,2,\n1,1,1,2\n"),
    "base64": ('encoding="base64"', f"\n   {pack(NUMBERS, '')}\n  "),
    "zlib": ('encoding="base64" compression="zlib"', f"\n   {pack(NUMBERS, 'zlib')}\n  "),
    "gzip": ('encoding="base64" compression="gzip"', pack(NUMBERS, "gzip")),
    "zstd": ('encoding="base64" compression="zstd"', pack(NUMBERS, "zstd")),
    "xml": ("", "\n" + "\n".join(f'<tile gid="{n}"/>' for n in NUMBERS)),
}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_map_that_is_opened_and_saved_is_the_same_file(path: Path, tmp_path: Path) -> None:
    document = Document.open(path)
    document.save(tmp_path / path.name)
    assert (tmp_path / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("how", ENCODINGS)
def test_a_tile_drawn_changes_its_number_and_nothing_else(how: str, tmp_path: Path) -> None:
    path = strange(tmp_path, *ENCODINGS[how])
    document, before = Document.open(path), path.read_bytes()
    pen = Pen(document, "x")
    drawing.paint_tile(pen, 3, [(2, 1)], over="Ground")
    loaded = pen.lift()
    assert loaded.field.ground[6] == Ground.DIFFICULT and loaded.field.ground[5] == Ground.DIFFICULT
    old, new = before.split(b"<data")[0], document.data().split(b"<data")[0]
    assert old == new and before.split(b"</data>")[1] == document.data().split(b"</data>")[1]
    wanted = [*NUMBERS[:6], 3, *NUMBERS[7:]]
    assert list(next(document.tile_layers()).blocks()[0].numbers) == wanted
    again = strange(tmp_path, *ENCODINGS[how], name="again.tmx")
    again.write_bytes(document.data())
    assert list(next(Document.open(again).tile_layers()).blocks()[0].numbers) == wanted
    document.apply(pen.stroke.inverse())
    assert document.data() == before


def test_the_white_space_among_numbers_stays(tmp_path: Path) -> None:
    document = Document.open(strange(tmp_path, *ENCODINGS["csv"]))
    pen = Pen(document, "x")
    drawing.paint_tile(pen, 2, [(1, 0)], over="Ground")
    assert b"\n1, 2,1,2,\n 1,3,1,2,\n1,1,1,2\n" in document.data()


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "utf-8-sig"])
def test_the_letters_of_a_file_stay_as_they_are_stored(encoding: str, tmp_path: Path) -> None:
    said = encoding.removesuffix("-sig").upper()
    text = STRANGE.format(tileset=TILESET, head='encoding="csv"', data=",".join(map(str, NUMBERS)))
    data = text.replace("UTF-8", said).replace("a note of mine", "Wände").encode(encoding)
    path = tmp_path / "letters.tmx"
    path.write_bytes(data)
    document = Document.open(path)
    assert document.data() == data
    pen = Pen(document, "x")
    drawing.paint_tile(pen, 2, [(0, 0)], over="Ground")
    assert "Wände" in document.data().decode(encoding) and load_map(path)


def infinite(folder: Path, how: str) -> Path:
    attribute = {"csv": 'encoding="csv"', "zlib": 'encoding="base64" compression="zlib"'}[how]
    numbers = [1] * 16
    body = ",".join(map(str, numbers)) if how == "csv" else pack(numbers, how)
    path = folder / f"infinite-{how}.tmx"
    path.write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<map version="1.10" orientation="orthogonal" width="8" height="8" '
        'tilewidth="32" tileheight="32" infinite="1" nextlayerid="3" nextobjectid="1">\n'
        ' <editorsettings>\n  <chunksize width="4" height="4"/>\n </editorsettings>\n'
        f'{TILESET} <layer id="1" name="Ground" width="8" height="8">\n  <data {attribute}>\n'
        f'   <chunk x="-4" y="0" width="4" height="4">{body}</chunk>\n'
        f'   <chunk x="4" y="4" width="4" height="4">{body}</chunk>\n  </data>\n </layer>\n</map>\n'
    )  # fmt: skip
    return path


@pytest.mark.parametrize("how", ["csv", "zlib"])
def test_an_infinite_map_gets_chunks_where_it_has_none(how: str, tmp_path: Path) -> None:
    path = infinite(tmp_path, how)
    document, before = Document.open(path), path.read_bytes()
    assert document.size == (12, 8) and document.origin == (-4, 0)
    pen = Pen(document, "x")
    drawing.paint_tile(pen, 2, [(0, 0), (5, 0), (11, 7)], over="Ground")
    loaded = pen.lift()
    blocked = [cell for cell, ground in enumerate(loaded.field.ground) if ground == Ground.BLOCKED]
    assert blocked == [0, 5, 7 * 12 + 11]
    assert document.data().count(b"<chunk ") == 3 and b'<chunk x="0" y="0" width="4" height="4">' in document.data()
    document.apply(pen.stroke.inverse())
    assert document.data() == before


def test_a_stroke_that_would_move_the_border_of_an_infinite_map_is_not_done(tmp_path: Path) -> None:
    document = Document.open(infinite(tmp_path, "csv"))
    before = document.data()
    pen = Pen(document, "x")
    drawing.erase_ground(pen, tools.rectangle((0, 0), (0, 7)))
    with pytest.raises(Exception, match="border"):
        pen.lift()
    assert document.data() == before


def test_ours_come_into_a_foreign_map_on_a_layer_of_their_own(tmp_path: Path) -> None:
    document = Document.open(strange(tmp_path, *ENCODINGS["csv"]))
    before = document.data()
    pen = Pen(document, "x")
    drawing.paint(pen, kind("rockwall"), [(0, 0), (1, 0)])
    loaded = pen.lift()
    assert loaded.field.ground[:2] == bytes([Ground.BLOCKED] * 2)
    lowest = next(document.tile_layers())
    assert lowest.name == drawing.OWN_GROUND and (tmp_path / "battlemat-grid.tsx").is_file()
    drawing.paint(pen, kind("slate"), [(3, 0)])
    assert pen.lift().field.ground[3] == Ground.OPEN, "a foreign wall gives way to a floor that is drawn over it"
    document.save()
    assert check_map(document.path).readable
    document.apply(pen.stroke.inverse())
    assert document.data() == before


def tavern() -> Document:
    return Document.open(paths.shipped_maps() / "tavern.tmx")


def test_grounds_take_the_tiles_that_the_map_has() -> None:
    document = tavern()
    pen = Pen(document, "x")
    assert drawing.paint(pen, kind("wall"), [(10, 10), (11, 10)]) == 3  # and a stool goes
    loaded = pen.lift()
    wide = loaded.field.width
    assert loaded.materials[10 * wide + 10] == "wall" and len(document.tilesets) == 1


def test_a_wall_takes_furniture_with_it_and_leaves_torches() -> None:
    document = tavern()
    loaded = document.read()
    wide = loaded.field.width
    table = next(prop.cell for prop in loaded.props if prop.name == "table")
    torch = next(prop.cell for prop in loaded.props if prop.name == "torch")
    pen = Pen(document, "x")
    drawing.paint(pen, kind("wall"), [(table % wide, table // wide), (torch % wide, torch // wide)])
    now = [prop.name for prop in pen.lift().props if prop.cell in (table, torch)]
    assert now == ["torch"]


def test_a_thin_wall_is_cut_and_joined_by_edges() -> None:
    document = tavern()
    pen = Pen(document, "x")
    first = things.by_number(document, 2)
    assert first is not None
    middle = first.edges[3]
    assert things.cut(pen, [middle]) == 1
    walls = [thing for thing in things.all_of(document) if thing.shape == "Wall"]
    assert not any(middle in thing.edges for thing in walls)
    kept = things.by_number(document, 2)
    assert kept is not None and kept.name == first.name and len(walls) == 7
    assert things.draw_edges(pen, kind("thin wall"), first.edges) == 1, "only what is missing is drawn"


def test_a_door_on_an_edge_makes_room_in_the_wall() -> None:
    document = tavern()
    pen = Pen(document, "x")
    wall = things.by_number(document, 4)
    assert wall is not None
    edge = wall.edges[4]
    number = things.place(pen, kind("door"), (edge[0], edge[1]), edge=edge)
    loaded = pen.lift()
    door = things.by_number(document, number)
    assert door is not None and door.edges == (edge,)
    assert len(loaded.field.doors) == len(load_map(document.path).field.doors) + 1
    walls = {(wall.a, wall.b) for wall in loaded.field.edges}
    assert not [each for each in loaded.field.doors if (each.cell, each.edge) in walls]


def test_a_property_changes_where_it_stands() -> None:
    document = tavern()
    chest = next(thing for thing in things.all_of(document) if thing.shape == "Chest")
    pen = Pen(document, "x")
    before = document.data().decode().splitlines()
    things.say(pen, chest, "difficulty", 14)
    things.say(pen, chest, "key", 'a "key" & more')
    pen.lift()
    after = document.data().decode().splitlines()
    fresh = [line for line in after if line not in before]
    assert fresh == [
        '    <property name="difficulty" type="int" value="14"/>',
        '    <property name="key" value="a &quot;key&quot; &amp; more"/>',
    ]
    challenge = next(each for each in document.read().field.challenges if each.kind == "chest")
    assert challenge.key == 'a "key" & more'


def test_heights_are_regions_in_few_rectangles_and_can_be_levelled() -> None:
    document = tavern()
    pen = Pen(document, "x")
    spots = tools.rectangle((14, 12), (17, 14))
    heights.raise_to(pen, 2, spots)
    assert pen.lift().field.level(pen.lift().field.cell(14, 12)) == 2
    assert len([t for t in things.all_of(document) if t.layer == heights.HEIGHTS]) == 1
    heights.raise_to(pen, 0, [(15, 13)])
    field = pen.lift().field
    assert field.level(field.cell(15, 13)) == 0 and field.level(field.cell(16, 13)) == 2
    heights.raise_to(pen, 0, spots)
    assert not [t for t in things.all_of(document) if t.layer == heights.HEIGHTS]


def test_a_height_of_a_tile_can_be_levelled() -> None:
    document = tavern()
    field = document.read().field
    cell = next(cell for cell in field.cells if field.level(cell) == 1 and field.ground[cell] == Ground.OPEN)
    pen = Pen(document, "x")
    heights.raise_to(pen, 0, [field.at(cell)])
    assert pen.lift().field.level(cell) == 0


def test_a_part_is_put_down_with_its_tiles_and_objects() -> None:
    document = tavern()
    chest = next(thing for thing in things.all_of(document) if thing.shape == "Chest")
    spot = chest.spots[0]
    part = copied(document, (spot[0] - 1, spot[1] - 1), spot)
    assert part.size == (2, 2)
    pen = Pen(document, "x")
    put_down(pen, part, (10, 20))
    pen.lift()
    assert any(thing.shape == "Chest" for thing in things.at(document, (11, 21)))
    layer = next(document.tile_layers())
    assert layer.get(11, 21) == layer.get(*spot)


def test_what_the_map_could_not_be_read_with_is_given_up() -> None:
    document = tavern()
    before = document.data()
    chest = next(thing for thing in things.all_of(document) if thing.shape == "Chest")
    pen = Pen(document, "x")
    things.say(pen, chest, "damage", "many")
    with pytest.raises(Exception, match="damage"):
        pen.lift()
    assert document.data() == before and not pen.stroke


@pytest.mark.parametrize("floor", ["", "rockwall"])
def test_a_new_map_becomes_fit_to_play(floor: str, tmp_path: Path) -> None:
    document = Document.new(tmp_path / "new.tmx", 30, 20, title='A "new" <map>', floor=floor)
    pen = Pen(document, "x")
    drawing.paint(pen, kind("stone"), tools.rectangle((2, 2), (27, 10)))
    drawing.paint(pen, kind("wall"), tools.frame((1, 1), (28, 11)))
    things.add_box(pen, "Spawn", (2, 2, 3, 3), kind("heroes").says)
    things.add_box(pen, "Spawn", (16, 2, 4, 4), kind("monsters").says)
    pen.lift()
    document.save()
    report = check_map(tmp_path / "new.tmx")
    assert report.fit and not report.notes, report
    assert load_map(tmp_path / "new.tmx").title == 'A "new" <map>'
