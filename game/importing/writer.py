"""A plan as a Tiled map: our own tiles, or the plan's picture under tiles that are seen through."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import pygame

from game import paths
from game.importing.pictures import laid, tile_of
from game.importing.plan import Barrier, DoorKind, Edge, Plan, PlanDoor, Side, Space, around, connected
from game.storage.files import write_whole
from rules.contract.text import text

TILESET = "battlemat.tsx"
PICTURE, GROUND = ".picture.png", ".ground.png"
"""Endings of the names of its pictures: that of the map, and that of tiles that are seen through."""
OURS = {"floor": 1, "difficult": 5, "water": 8, "wall": 12, "pillar": 27}
"""Tiles of our own set, by what they mean: those of maps without a picture."""
SEEN_THROUGH = {"floor": 1, "difficult": 2, "water": 3, "wall": 4, "pillar": 4}
"""Tiles of the set that is made for a map with a picture."""
MEANT = ("", "difficult", "difficult", "blocked")
"""What its tiles say of moving."""
TINTS = ((0, 0, 0, 0), (150, 110, 40, 70), (40, 90, 170, 70), (0, 0, 0, 0))
THIN = 0.2
"""Spaces across of a thin door."""


class Written(NamedTuple):
    """The files of a map."""

    map: Path
    others: tuple[Path, ...]
    lost: bool = False
    """The plan's picture is broken: the map is drawn with our own tiles."""


def write(plan: Plan, path: Path) -> Written:
    """Write a plan as `path` with what it needs beside it. Raises BattlematError if the disk refuses."""
    side = tile_of(plan)
    picture = laid(plan, side) if plan.picture is not None else None
    others = []
    if picture is not None:
        board, tiles = (path.with_name(path.stem + word) for word in (PICTURE, GROUND))
        write_whole(board, picture)
        write_whole(tiles, _tiles(side))
        others = [board, tiles]
    else:
        side = 64
        others = list(_our_tiles(path.parent))
    write_whole(path, _Document(plan, path, side, drawn=picture is not None).text())
    return Written(path, tuple(others), plan.picture is not None and picture is None)


def _our_tiles(folder: Path) -> Iterator[Path]:
    """Our tileset and its picture, laid beside a map where they are not yet."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in (TILESET, "battlemat.png"):
        here = folder / name
        if not here.exists():
            shutil.copyfile(paths.shipped_maps() / name, here)
        yield here


def _tiles(side: int) -> bytes:
    """The picture of the tiles that are seen through."""
    sheet = pygame.Surface((side * len(TINTS), side), pygame.SRCALPHA)
    for number, tint in enumerate(TINTS):
        sheet.fill(tint, pygame.Rect(number * side, 0, side, side))
    data = io.BytesIO()
    pygame.image.save(sheet, data, "tiles.png")
    return data.getvalue()


def _properties(node: Element, said: Mapping[str, object]) -> None:
    """Properties in the order of their names, as Tiled writes them; those that say nothing are left out."""
    there = {name: value for name, value in sorted(said.items()) if value not in ("", None)}
    parent = SubElement(node, "properties") if there else node
    for name, value in there.items():
        kind = {bool: {"type": "bool"}, int: {"type": "int"}}.get(type(value), {})
        each = SubElement(parent, "property", {"name": name, **kind})
        words = str(value).lower() if isinstance(value, bool) else str(value)
        if "\n" in words:
            each.text = words
        else:
            each.set("value", words)


class _Document:
    """The tree of a map."""

    def __init__(self, plan: Plan, path: Path, side: int, *, drawn: bool) -> None:
        self.plan, self.stem, self.side, self.drawn = plan, path.stem, side, drawn
        self.root = Element("map")
        self.layers = self.objects = 0

    def text(self) -> str:
        """The file."""
        plan, root = self.plan, self.root
        head = {"version": "1.10", "tiledversion": "1.10.2", "class": "Map", "orientation": "orthogonal",
                "renderorder": "right-down", "width": plan.columns, "height": plan.rows, "tilewidth": self.side,
                "tileheight": self.side, "infinite": 0, "nextlayerid": 0, "nextobjectid": 0}  # fmt: skip
        _given(root, head)
        title = plan.title or self.stem.replace("_", " ").replace("-", " ").title()
        _properties(root, {"ambient": plan.ambient, "title": title, "story": plan.story})
        self._tileset()
        if self.drawn:
            self._picture()
        self._ground()
        for name, put in (("Doors", self._doors), ("Walls", self._walls), ("Ways", self._exits),
                          ("Starts", self._starts), ("Lights", self._lights), ("Notes", self._notes)):  # fmt: skip
            layer = self._layer("objectgroup", name)
            put(layer)
            if not len(layer):
                root.remove(layer)
                self.layers -= 1
        _given(root, {"nextlayerid": self.layers + 1, "nextobjectid": self.objects + 1})
        indent(root, " ")
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, "unicode") + "\n"

    def _layer(self, kind: str, name: str, **more: object) -> Element:
        self.layers += 1
        layer = SubElement(self.root, kind)
        _given(layer, {"id": self.layers, "name": name, **more})
        return layer

    def _tileset(self) -> None:
        if not self.drawn:
            _given(SubElement(self.root, "tileset"), {"firstgid": 1, "source": TILESET})
            return
        side, count = self.side, len(TINTS)
        tileset = SubElement(self.root, "tileset")
        _given(tileset, {"firstgid": 1, "name": "ground", "tilewidth": side, "tileheight": side, "tilecount": count,
                         "columns": count})  # fmt: skip
        _given(SubElement(tileset, "image"), {"source": self.stem + GROUND, "width": side * count, "height": side})
        for number, move in enumerate(MEANT):
            if move:
                tile = SubElement(tileset, "tile", {"id": str(number)})
                _properties(tile, {"move": move, "sight": "blocked" if move == "blocked" else ""})

    def _picture(self) -> None:
        wide, high = self.plan.columns * self.side, self.plan.rows * self.side
        layer = self._layer("imagelayer", "Picture")
        _given(SubElement(layer, "image"), {"source": self.stem + PICTURE, "width": wide, "height": high})

    def _ground(self) -> None:
        plan, tiles = self.plan, SEEN_THROUGH if self.drawn else OURS
        beside = set() if self.drawn else _rock(plan)
        rows = []
        for y in range(plan.rows):
            row = []
            for x in range(plan.columns):
                spot = (x, y)
                if spot in plan.pillars:
                    row.append(tiles["wall"])
                elif spot in plan.floor:
                    what = "water" if spot in plan.water else "difficult" if spot in plan.difficult else "floor"
                    row.append(tiles[what])
                else:
                    row.append(tiles["wall"] if spot in beside else 0)
            rows.append(",".join(map(str, row)))
        layer = self._layer("layer", "Ground", width=plan.columns, height=plan.rows)
        layer.set("class", "TileLayer")
        _properties(layer, {"role": "ground"})
        SubElement(layer, "data", {"encoding": "csv"}).text = "\n" + ",\n".join(rows) + "\n"

    # -- objects

    def _object(self, layer: Element, kind: str, place: tuple[float, ...], name: str = "",
                said: Mapping[str, object] | None = None) -> Element:  # fmt: skip
        """One object: place is x, y and, of a rectangle, width and height, in spaces."""
        self.objects += 1
        node = SubElement(layer, "object", {"id": str(self.objects)})
        _given(node, {"name": name, "type": kind} if name else {"type": kind})
        for key, value in zip(("x", "y", "width", "height"), place, strict=False):
            node.set(key, format(value * self.side, "g"))
        _properties(node, said or {})
        return node

    def _doors(self, layer: Element) -> None:
        for number, door in enumerate(self.plan.doors, 1):
            kind = "" if door.kind is DoorKind.DOOR else str(door.kind)
            name = door.name or str(text("Door {number}", number))
            self._object(layer, "Door", _place(door), name, {"state": str(door.state), "kind": kind})

    def _walls(self, layer: Element) -> None:
        for barrier in Barrier:
            said = {"move": "open" if barrier.way else "", "sight": "open" if barrier.sight else ""}
            edges = [edge for edge, there in self.plan.walls.items() if there is barrier]
            for (x1, y1), (x2, y2) in runs(edges):
                node = self._object(layer, "Wall", (x1, y1), barrier.name.capitalize(), said)
                end = ",".join((str((x2 - x1) * self.side), str((y2 - y1) * self.side)))
                SubElement(node, "polyline", {"points": "0,0 " + end})

    def _exits(self, layer: Element) -> None:
        for way in self.plan.exits:
            for place in rectangles(way.spaces):
                self._object(layer, "Exit", place, way.name)

    def _starts(self, layer: Element) -> None:
        """Where both sides may be placed."""
        for side, spaces in zip(("heroes", "monsters"), starts(self.plan), strict=True):
            for place in rectangles(spaces):
                self._object(layer, "Spawn", place, "", {"side": side})

    def _lights(self, layer: Element) -> None:
        for light in self.plan.lights:
            said = {"bright": max(0, round(light.bright)), "dim": max(1, round(light.dim))}
            SubElement(self._object(layer, "Light", (light.x, light.y), light.name, said), "point")

    def _notes(self, layer: Element) -> None:
        for note in self.plan.notes:
            said = {"text": note.text, "gm_only": note.secret}
            SubElement(self._object(layer, "Note", (note.x, note.y), note.title, said), "point")


def _given(node: Element, said: Mapping[str, object]) -> None:
    """Attributes, as text."""
    for name, value in said.items():
        node.set(name, str(value))


def _rock(plan: Plan) -> set[Space]:
    """The spaces around the floor, where walls are drawn."""
    near = {(x + a, y + b) for x, y in plan.floor for a in (-1, 0, 1) for b in (-1, 0, 1)}
    return {(x, y) for x, y in near - plan.floor if 0 <= x < plan.columns and 0 <= y < plan.rows}


def _place(door: PlanDoor) -> tuple[float, float, float, float]:
    """The rectangle of a door, in spaces: its space, or a thin one along its edges."""
    if door.space is not None:
        return (*door.space, 1, 1)
    first, last = min(door.edges), max(door.edges)
    if first.side is Side.NORTH:
        return (first.x, first.y - THIN / 2, last.x - first.x + 1, THIN)
    return (first.x - THIN / 2, first.y, THIN, last.y - first.y + 1)


def runs(edges: Iterable[Edge]) -> list[tuple[Space, Space]]:
    """Edges as straight lines between corners, each as long as it goes."""
    there, found = set(edges), []
    for edge in sorted(there):
        ahead = (1, 0) if edge.side is Side.NORTH else (0, 1)
        if Edge(edge.x - ahead[0], edge.y - ahead[1], edge.side) in there:
            continue
        end = edge
        while (further := Edge(end.x + ahead[0], end.y + ahead[1], edge.side)) in there:
            end = further
        found.append(((edge.x, edge.y), (end.x + ahead[0], end.y + ahead[1])))
    return found


def rectangles(spaces: Iterable[Space]) -> list[tuple[int, int, int, int]]:
    """Spaces as rectangles (x, y, width, height), rows of the same columns put together."""
    rows: dict[int, list[list[int]]] = {}
    for x, y in sorted(set(spaces), key=lambda space: (space[1], space[0])):
        row = rows.setdefault(y, [])
        if row and row[-1][1] == x:
            row[-1][1] = x + 1
        else:
            row.append([x, x + 1])
    found: list[tuple[int, int, int, int]] = []
    for y, row in sorted(rows.items()):
        for left, right in row:
            above = next((n for n, (x, top, wide, high) in enumerate(found)
                          if (x, wide, top + high) == (left, right - left, y)), None)  # fmt: skip
            if above is None:
                found.append((left, y, right - left, 1))
            else:
                x, top, wide, high = found[above]
                found[above] = (x, top, wide, high + 1)
    return found


ARRIVE, MET = 9, 16
"""Spaces where the heroes may be placed, and where those whom they meet may."""


def starts(plan: Plan) -> tuple[tuple[Space, ...], tuple[Space, ...]]:
    """Spaces for the heroes, by a way in or at an end of the largest ground that hangs together, and for the others, as
    far from there as one can go."""
    ways = [space for way in plan.exits if way.arrival for space in way.spaces]
    largest = max(connected(plan.floor, ()), key=len, default=frozenset[Space]())
    first = _spread(plan, ways or sorted(largest)[:1])
    if not first:
        return (), ()
    there = [space for space in first if space not in ways] if ways else _spread(plan, first[-1:])
    heroes = tuple(there[:ARRIVE])
    foes = [space for space in _spread(plan, there[-1:]) if space not in heroes]
    return heroes, tuple(foes[: min(MET, max(1, len(there) // 3))])


def _spread(plan: Plan, begin: Iterable[Space]) -> list[Space]:
    """The floor that can be walked to, through doors, the nearest first; spaces with a door in them left out."""
    doors = {door.space for door in plan.doors if door.space is not None}
    found = sorted(set(begin))
    seen = set(found)
    for here in found:
        for there, edge in around(here):
            barrier = plan.walls.get(edge)
            if there in plan.floor and there not in seen and (barrier is None or barrier.way):
                seen.add(there)
                found.append(there)
    return [space for space in found if space in plan.floor and space not in doors]
