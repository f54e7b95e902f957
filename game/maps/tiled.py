"""Maps: a Tiled file in, our own field and objects out. Every file loads or gives one clear line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from pytmx import TiledMap

from game.maps.check import at_most, check_loaded
from game.maps.drawn import check_depth
from game.maps.limits import Place
from game.maps.lines import one_line, shown
from game.maps.mapdata import CheckReport, LoadedMap, MapProblem, OutsideProblem, Prop, Value
from game.maps.mapobjects import Found, ObjectReader
from game.maps.normalise import Normal, Normaliser
from game.maps.reach import below, reach_of
from game.maps.shapes import Grid
from game.maps.terrain import NO_LAYER, Terrain, TerrainReader
from rules.board.bitboard import board_of, where
from rules.board.grid import Field, Light
from rules.contract.errors import BattlematError

__all__ = ["CheckReport", "LoadedMap", "MapProblem", "check_map", "load_map"]

AMBIENT = ("bright", "dim", "dark")
LONGEST_TITLE = 120
"""Characters of a map's title that are shown."""
DEFAULT_LEVEL_HEIGHT = 10
"""Feet from one level to the next where the map does not say (olde.md §4 climb)."""


def load_map(path: Path | str, *, root: Path | None = None, also: tuple[Path, ...] = ()) -> LoadedMap:
    """Read a ``.tmx`` file and what it refers to below ``root``, or else within its reach (game.maps.reach).

    ``also`` are further folders to read from, without symbolic links. Raises MapProblem with one line that names file,
    layer, object and the mend; OutsideProblem where the user might agree to more. Opens no picture but to measure it.
    """
    path = Path(path)
    if root is not None and not path.absolute().parent.resolve().is_relative_to(root.resolve()):
        raise Place(path.name).problem(f"lies outside {root}; name a folder that holds the map and all it uses")
    try:
        normal = Normaliser(path, below(root) if root is not None else reach_of(path, also)).run()
    except OutsideProblem as problem:
        problem.map = path
        raise
    place = Place(path.name)
    try:
        tmx = TiledMap(allow_duplicate_names=True)
        tmx.filename = str(path)
        tmx.parse_xml(normal.tree)
        reader = TerrainReader(tmx, normal, path.name)
        terrain = reader.read()
        grid = Grid(tmx.width, tmx.height, tmx.tilewidth)
        found = ObjectReader(tmx, grid, path.name, normal.notes).read()
        loaded = _assemble(path, tmx, terrain, found, normal.notes.lines())
        return _with_pictures(loaded, normal, reader, terrain)
    except MapProblem:
        raise
    except BattlematError as error:
        raise place.problem(str(error)) from error
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise place.problem(
            f"cannot be understood ({type(error).__name__}: {shown(error)}); save it again in Tiled"
        ) from error


def check_map(path: Path | str, *, root: Path | None = None, templates: set[str] | None = None) -> CheckReport:
    """Load a map and tell whether a fight can be played on it; never raises for a bad map.

    ``templates`` are the names a Creature may use; left out, any name is taken.
    """
    try:
        loaded = load_map(path, root=root)
    except MapProblem as problem:
        return CheckReport(False, at_most(problem.all), (), readable=False)
    return check_loaded(loaded, templates)


def _assemble(path: Path, tmx: TiledMap, terrain: Terrain, found: Found, notes: tuple[str, ...]) -> LoadedMap:
    says: dict[str, Value] = {name: "" if v is None else v for name, v in tmx.properties.items()}
    place = Place(path.name)
    title = one_line(str(says.get("title") or path.stem.replace("_", " ").capitalize()), LONGEST_TITLE)
    return LoadedMap(
        path=path,
        field=_field(terrain, found, title, _level_height(says, place), _ambient(says, place)),
        title=title,
        ambient=_ambient(says, place),
        ruleset_hints={name: value for name, value in says.items() if name.startswith("ruleset")},
        spawns=tuple(found.spawns),
        creatures=tuple(found.creatures),
        chests=tuple(found.chests),
        traps=tuple(found.traps),
        notes=tuple(found.notes),
        regions=tuple(found.regions),
        exits=tuple(found.exits),
        others=tuple(found.others),
        layers=(),
        tiles=(),
        materials=tuple(terrain.materials),
        props=_props(terrain.props, found.props),
        roof=frozenset(terrain.roof),
        tile_size=(int(tmx.tilewidth), int(tmx.tileheight)),
        foreign=False,
        warnings=notes,
    )


def _with_pictures(loaded: LoadedMap, normal: Normal, reader: TerrainReader, terrain: Terrain) -> LoadedMap:
    """The map with its layers of all kinds in draw order, and the arts of their tiles."""
    layers = dict(terrain.layers)
    for order, drawing in normal.drawings.items():
        other = drawing.layer(reader.art)
        if other is not None:
            layers[order] = other
    reader.animate()
    orders = sorted(layers)
    drawn, tiles = tuple(layers[order] for order in orders), tuple(terrain.tiles)
    field = loaded.field
    check_depth(drawn, tiles, (field.width, field.height), loaded.tile_size[0], Place(loaded.path.name))
    places = bytearray([NO_LAYER]) * (NO_LAYER + 1)
    for index, order in enumerate(orders):
        places[order] = index
    return replace(
        loaded,
        layers=drawn,
        tiles=tiles,
        strata=bytes(terrain.strata.translate(places)),
        foreign=any(layer.figures or layer.backdrop for layer in drawn)
        or any(each.image is not None and not each.material and not each.prop for each in tiles),
        backward=normal.backward,
        background=normal.background,
    )


def _field(terrain: Terrain, found: Found, title: str, level_height: int, ambient: str) -> Field:
    levels = list(terrain.levels)
    for cell, level in found.levels.items():
        levels[cell] = level
    lights = [Light(cell, (radius + 1) // 2, radius) for cell, radius in terrain.lights.items()]
    return Field(
        width=terrain.width,
        height=terrain.height,
        ground=bytes(terrain.ground),
        opaque=where(terrain.opaque, 1),
        levels=tuple(levels) if any(levels) else (),
        climbs=board_of(sorted(terrain.climbs | found.climbs)),
        edges=tuple(found.walls.values()),
        doors=tuple(found.doors),
        challenges=tuple(found.challenges),
        exits=board_of(cell for each in found.exits if each.kind == "Exit" for cell in each.cells),
        lights=(*found.lights, *lights),
        title=title,
        level_height=level_height,
        ambient=ambient,
    )


def _props(drawn: list[Prop], marked: list[Prop]) -> tuple[Prop, ...]:
    """Drawn props, and stairs and ladders of objects where none is drawn."""
    there = {prop.cell for prop in drawn if prop.name in ("stairs", "ladder")}
    return (*drawn, *(prop for prop in marked if prop.cell not in there))


def _ambient(says: dict[str, Value], place: Place) -> str:
    value: Any = says.get("ambient") or "bright"
    if value not in AMBIENT:
        raise place.problem(f"ambient is {shown(value)}; bright, dim or dark is right (map properties)")
    return str(value)


def _level_height(says: dict[str, Value], place: Place) -> int:
    value: Any = says.get("level_height", DEFAULT_LEVEL_HEIGHT)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 1 <= value <= 1000:
        raise place.problem(f"level_height is {shown(value)}; a number of feet from 1 to 1000 is right")
    return int(value)
