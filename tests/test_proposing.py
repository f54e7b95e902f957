"""Walls proposed for any map: by layers, properties, classes, shapes and objects; kept in a copy."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from game.cli import main
from game.maps.editing.document import Document
from game.maps.editing.proposal import Proposal
from game.maps.mapdata import MapProblem
from game.maps.proposing import keeping, shapes
from game.maps.proposing.reasons import KEPT, By, Reason, propose
from game.maps.proposing.words import Stops, said, stops
from game.maps.tiled import load_map
from rules.board.grid import Ground

WIDE, HIGH = 10, 8
FRAME = {(x, y) for x in range(WIDE) for y in range(HIGH) if x in (0, WIDE - 1) or y in (0, HIGH - 1)}


def rows(tiles: dict[tuple[int, int], int], usual: int = 0) -> str:
    return ",\n".join(",".join(str(tiles.get((x, y), usual)) for x in range(WIDE)) for y in range(HIGH))


def made(folder: Path, *, tiles: str = "", layers: str = "", floor: dict[tuple[int, int], int] | None = None) -> Path:
    """A map of a foreign tileset of four tiles, all floor; `tiles` is what the tileset says of them."""
    folder.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (128, 32), (90, 120, 80)).save(folder / "field.png")
    path = folder / "field.tmx"
    path.write_text(
        f"""<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" tiledversion="1.10.2" orientation="orthogonal" renderorder="right-down" width="{WIDE}"
 height="{HIGH}" tilewidth="32" tileheight="32" infinite="0" nextlayerid="9" nextobjectid="9">
 <tileset firstgid="1" name="field" tilewidth="32" tileheight="32" tilecount="4" columns="4">
  <image source="field.png" width="128" height="32"/>
  {tiles}
 </tileset>
 <layer id="1" name="Meadow" width="{WIDE}" height="{HIGH}"><data encoding="csv">
{rows(floor or {}, 1)}
</data></layer>
 {layers}
</map>
""",
        encoding="utf-8",
    )
    return path


def layer(name: str, spots: set[tuple[int, int]], *, number: int = 1, properties: str = "") -> str:
    told = f"<properties>{properties}</properties>" if properties else ""
    data = rows(dict.fromkeys(spots, number))
    return (
        f'<layer id="2" name="{name}" width="{WIDE}" height="{HIGH}">{told}'
        f'<data encoding="csv">\n{data}\n</data></layer>'
    )


def found(path: Path) -> list[Reason]:
    return propose(Document.open(path))


def test_a_layer_called_walls_is_one(tmp_path: Path) -> None:
    [reason] = found(made(tmp_path, layers=layer("WallTiles", FRAME)))
    assert (reason.by, reason.name, reason.spots, reason.sure) == (By.LAYER, "WallTiles", FRAME, True)


@pytest.mark.parametrize("name", ["Wall shadows", "Meadow 2", "Roof walls", "Decorations"])
def test_a_layer_that_only_sounds_like_it_is_none(tmp_path: Path, name: str) -> None:
    assert not found(made(tmp_path, layers=layer(name, FRAME)))


def test_water_stops_the_way_alone_and_only_if_asked_for(tmp_path: Path) -> None:
    [reason] = found(made(tmp_path, layers=layer("River", {(4, 4)})))
    assert reason.stops is Stops.GAP and not reason.sure


@pytest.mark.parametrize(
    "properties, says",
    [
        ('<property name="solid" type="bool" value="true"/>', "solid = true"),
        ('<property name="isWalkable" type="bool" value="false"/>', "isWalkable = false"),
        ('<property name="Collision" value="full"/>', "Collision = full"),
        ('<property name="solid" type="bool" value="false"/>', ""),
        ('<property name="walkable" type="bool" value="true"/>', ""),
        ('<property name="speed" type="int" value="1"/>', ""),
    ],
)
def test_a_property_of_a_tile_says_so(tmp_path: Path, properties: str, says: str) -> None:
    path = made(
        tmp_path, tiles=f'<tile id="1"><properties>{properties}</properties></tile>', floor={(3, 3): 2, (5, 5): 2}
    )
    reasons = found(path)
    assert [(r.by, r.name, r.spots) for r in reasons] == ([(By.PROPERTY, says, {(3, 3), (5, 5)})] if says else [])


def test_a_class_of_a_tile_says_so(tmp_path: Path) -> None:
    path = made(tmp_path, tiles='<tile id="1" type="Obstacle tile"/><tile id="2" type="Lava"/>',
                floor={(3, 3): 2, (5, 5): 3})  # fmt: skip
    assert [(r.by, r.stops, r.spots) for r in found(path)] == [
        (By.CLASS, Stops.WALL, {(3, 3)}), (By.CLASS, Stops.GAP, {(5, 5)}),
    ]  # fmt: skip


FLIPPED = {0: (3, 3, False), 1 << 30: (3, 4, False), 1 << 29: (3, 3, True), 1 << 29 | 1 << 31: (4, 3, True)}


@pytest.mark.parametrize("flags", FLIPPED, ids=hex)
def test_a_strip_of_a_collision_shape_is_an_edge_turned_as_its_tile(tmp_path: Path, flags: int) -> None:
    strip = '<tile id="1"><objectgroup><object id="1" x="0" y="0" width="32" height="6"/></objectgroup></tile>'
    [reason] = found(made(tmp_path, tiles=strip, floor={(3, 3): 2 | flags}))
    assert reason.by is By.SHAPE and not reason.spots and reason.edges == {FLIPPED[flags]}


def test_a_collision_shape_over_half_of_a_tile_stops_its_space_and_a_small_one_nothing(tmp_path: Path) -> None:
    tiles = (
        '<tile id="1"><objectgroup><object id="1" x="2" y="2"><polygon points="0,0 28,0 28,28 0,28"/></object>'
        '</objectgroup></tile><tile id="2"><objectgroup><object id="1" x="12" y="12" width="8" height="8"/>'
        "</objectgroup></tile>"
    )
    [reason] = found(made(tmp_path, tiles=tiles, floor={(3, 3): 2, (5, 5): 3}))
    assert reason.spots == {(3, 3)} and not reason.edges


def test_objects_of_a_collision_layer_are_spaces_and_lines(tmp_path: Path) -> None:
    objects = """<objectgroup id="3" name="Collisions"><object id="1" x="64" y="128" width="64" height="64"/>
      <object id="2" x="200" y="32"><polyline points="0,0 0,90"/></object>
      <object id="3" x="32" y="96" width="64" height="4"/><object id="4" x="5" y="5"><point/></object></objectgroup>"""
    [reason] = found(made(tmp_path, layers=objects))
    assert reason.by is By.OBJECT and reason.spots == {(2, 4), (3, 4), (2, 5), (3, 5)}
    assert {(6, 1, True), (6, 2, True), (6, 3, True), (1, 3, False), (2, 3, False)} == reason.edges


def test_our_own_maps_need_no_proposal() -> None:
    from game import paths

    for path in sorted(paths.shipped_maps().glob("*.tmx"))[:6]:
        assert not [each for each in found(path) if each.by is not By.LAYER], path.name


# -- kept


def test_what_is_taken_rules_in_a_hidden_layer_and_the_map_looks_as_before(tmp_path: Path) -> None:
    path = made(tmp_path, layers=layer("Walls", FRAME))
    before = load_map(path)
    document = Document.open(path)
    keeping.write(document, propose(document), tmp_path / "copy.tmx")
    after = load_map(tmp_path / "copy.tmx")
    blocked = {after.field.at(c) for c in after.field.cells if after.field.ground[c] == Ground.BLOCKED}
    assert blocked == FRAME and all(after.field.opaque >> after.field.cell(*spot) & 1 for spot in FRAME)
    assert after.materials == before.materials, "a hidden layer is not drawn"
    assert path.read_bytes() == made(tmp_path, layers=layer("Walls", FRAME)).read_bytes(), "the original stays"
    kept = next(each for each in after.layers if each.name == KEPT)
    assert not kept.visible


def test_a_gap_is_seen_over_and_not_walked(tmp_path: Path) -> None:
    path = made(tmp_path, layers=layer("River", {(4, 4)}))
    document = Document.open(path)
    keeping.write(document, propose(document), tmp_path / "copy.tmx")
    field = load_map(tmp_path / "copy.tmx").field
    cell = field.cell(4, 4)
    assert field.ground[cell] == Ground.VOID and not field.opaque >> cell & 1


def test_taking_anew_replaces_what_was_kept(tmp_path: Path) -> None:
    path = made(tmp_path, layers=layer("Walls", {(2, 2), (3, 3)}))
    document = Document.open(path)
    keeping.write(document, propose(document), tmp_path / "copy.tmx")
    again = Document.open(tmp_path / "copy.tmx")
    reasons = propose(again)
    assert [each.by for each in reasons] == [By.KEPT, By.LAYER]
    mended = Proposal.of(0, reasons).mend([(2, 2)], put=False).mend([(5, 5)], put=True)
    from game.maps.editing.pen import Pen

    pen = Pen(again)
    keeping.keep(pen, mended.by_stops(), mended.edges)
    pen.lift()
    blocked = {again.read().field.at(c) for c in again.read().field.cells if again.read().field.ground[c]
               == Ground.BLOCKED}  # fmt: skip
    assert blocked == {(3, 3), (5, 5)}


def test_reasons_left_out_and_spaces_mended_come_together(tmp_path: Path) -> None:
    path = made(tmp_path, layers=layer("Walls", {(1, 1)}) + layer("River", {(1, 1), (2, 2)}).replace('"2"', '"5"', 1))
    proposal = Proposal.of(0, found(path))
    assert proposal.spots == {(1, 1)}
    both = proposal.turned(next(each.key for each in proposal.reasons if each.stops is Stops.GAP), take=True)
    assert both.spots == {(1, 1), (2, 2)}
    assert both.by_stops() == {Stops.WALL: {(1, 1)}, Stops.GAP: {(2, 2)}}, "a wall where any says so"
    assert both.mend([(2, 2)], put=True).by_stops()[Stops.WALL] == {(1, 1), (2, 2)}


# -- the command


def test_the_command_says_what_it_found_and_writes_a_copy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = made(tmp_path / "in", layers=layer("Walls", FRAME))
    out = tmp_path / "out" / "ready.tmx"
    assert main(["propose", str(path), "--json", "--out", str(out)]) == 0
    [reason] = json.loads(capsys.readouterr().out)["reasons"]
    assert reason["key"] == "layer:Walls" and reason["spaces"] == len(FRAME) and reason["taken"]
    assert Ground.BLOCKED in load_map(out).field.ground and (out.parent / "field.png").is_file()
    assert main(["propose", str(path)]) == 0
    assert f"layer:Walls: {len(FRAME)} spaces" in capsys.readouterr().out


@pytest.mark.parametrize(
    "more, said",
    [(["--only", "x"], "there is no reason 'x'; there are: layer:Walls"), (["--out", "x.png"], "written as .tmx"),
     (["--out", "{map}"], "is the map itself")],
)  # fmt: skip
def test_what_cannot_be_done_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], said: str
) -> None:
    path = made(tmp_path, layers=layer("Walls", FRAME))
    before = path.read_bytes()
    assert main(["propose", str(path), *(each.replace("{map}", str(path)) for each in more)]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1 and path.read_bytes() == before


def test_a_map_without_any_word_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = made(tmp_path)
    assert main(["propose", str(path), "--out", str(tmp_path / "copy.tmx")]) == 2
    assert "nothing of it says" in capsys.readouterr().err and not (tmp_path / "copy.tmx").exists()


# -- bounds


@given(st.lists(st.tuples(st.floats(-50, 50), st.floats(-50, 50)), min_size=2, max_size=8))
def test_shapes_of_any_form_stay_on_the_map(points: list[tuple[float, float]]) -> None:
    spots = shapes.spots_in(points, (WIDE, HIGH), [1000])
    assert all(0 <= x < WIDE and 0 <= y < HIGH for x, y in spots)
    assert all(isinstance(edge[2], bool) for edge in shapes.edges_along(points, [10_000]))


def test_a_budget_ends_what_would_take_too_long() -> None:
    assert shapes.spots_in([(0, 0), (600, 0), (600, 600), (0, 600)], (600, 600), [1000]) == set()
    assert shapes.edges_along([(0, 0), (90_000, 0)], [1000]) == set()


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**9))
def test_a_map_broken_by_chance_is_proposed_for_or_refused(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    folder = tmp_path_factory.mktemp("fuzz")
    strip = '<tile id="1"><objectgroup><object id="1" x="0" y="0" width="32" height="6"/></objectgroup></tile>'
    polygon = '<object id="1" x="64" y="128"><polygon points="0,0 9,0 9,9"/></object>'
    objects = f'<objectgroup id="3" name="Walls">{polygon}</objectgroup>'
    path = made(folder, tiles=strip, layers=layer("Walls", FRAME) + objects, floor={(3, 3): 2})
    rng, data = random.Random(seed), bytearray(path.read_bytes())
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(200, len(data))
        letters = (rng.choice(b'0123456789.-,"<>/ aexn') for _ in range(rng.randint(0, 3)))
        data[at : at + rng.randint(0, 3)] = bytes(letters)
    path.write_bytes(bytes(data))
    try:
        told = [each.told for each in found(path)]
    except MapProblem as problem:
        told = [str(problem)]
    assert all("\n" not in line for line in told)


@pytest.mark.parametrize("name, want", [("collision", Stops.WALL), ("Mauer", Stops.WALL), ("deepWater", Stops.GAP),
                                        ("floor wall", None), ("swallow", None)])  # fmt: skip
def test_words_of_names(name: str, want: Stops | None) -> None:
    assert stops(name) is want


def test_words_of_properties() -> None:
    assert said({"Solid": True}) and said({"passable": "false"}) and not said({"solid": ""}) and not said({"pass": ""})
