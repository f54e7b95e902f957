"""A plan as a Tiled map: our own tiles, or the plan's picture under tiles that are seen through."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

import pygame

from game import paths
from game.importing.pictures import laid, tile_of
from game.importing.plan import Barrier, Edge, Plan, PlanDoor, Side, Space, around, connected
from game.storage.files import write_whole
from rules.contract.text import text

TILESET = "battlemat.tsx"
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
        board, tiles = (path.with_name(f"{path.stem}.{word}.png") for word in ("picture", "ground"))
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


def _properties(said: dict[str, object], space: str) -> str:
    """Properties in the order of their names, as Tiled writes them; those that say nothing are left out."""
    lines = []
    for name, value in sorted(said.items()):
        if value == "" or value is None:
            continue
        kind = ' type="bool"' if isinstance(value, bool) else ' type="int"' if isinstance(value, int) else ""
        word = str(value).lower() if isinstance(value, bool) else str(value)
        if "\n" in word:
            lines.append(f"{space} <property name={quoteattr(name)}{kind}>{escape(word)}</property>")
        else:
            lines.append(f"{space} <property name={quoteattr(name)}{kind} value={quoteattr(word)}/>")
    return "\n".join([f"{space}<properties>", *lines, f"{space}</properties>"]) + "\n" if lines else ""


class _Document:
    """The text of a map."""

    def __init__(self, plan: Plan, path: Path, side: int, *, drawn: bool) -> None:
        self.plan, self.path, self.side, self.drawn = plan, path, side, drawn
        self.objects = 0

    def text(self) -> str:
        plan, side = self.plan, self.side
        said = {"ambient": plan.ambient, "title": plan.title or self.path.stem.replace("_", " ").title(),
                "story": plan.story}  # fmt: skip
        layers = [("Doors", self._doors()), ("Walls", self._walls()), ("Ways", self._exits()),
                  ("Starts", self._starts()),
                  ("Lights", self._lights()), ("Notes", self._notes())]  # fmt: skip
        groups = [(name, list(objects)) for name, objects in layers]
        groups = [(name, objects) for name, objects in groups if objects]
        first = 2 if self.drawn else 1
        body = "".join(self._group(number, name, objects) for number, (name, objects) in enumerate(groups, first + 1))
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<map version="1.10" tiledversion="1.10.2" class="Map" orientation="orthogonal" renderorder="right-down" '
            f'width="{plan.columns}" height="{plan.rows}" tilewidth="{side}" tileheight="{side}" infinite="0" '
            f'nextlayerid="{first + len(groups) + 1}" nextobjectid="{self.objects + 1}">\n'
            f"{_properties(dict(said), ' ')}{self._tileset()}{self._picture()}{self._ground()}{body}</map>\n"
        )

    def _tileset(self) -> str:
        if not self.drawn:
            return f' <tileset firstgid="1" source="{TILESET}"/>\n'
        side, count = self.side, len(TINTS)
        tiles = []
        for number, move in enumerate(MEANT):
            said: dict[str, object] = {"move": move, "sight": "blocked" if move == "blocked" else ""}
            if told := _properties(said, "   "):
                tiles.append(f'  <tile id="{number}">\n{told}  </tile>\n')
        return (
            f' <tileset firstgid="1" name="ground" tilewidth="{side}" tileheight="{side}" tilecount="{count}" '
            f'columns="{count}">\n  <image source={quoteattr(self.path.stem + ".ground.png")} width="{side * count}" '
            f'height="{side}"/>\n{"".join(tiles)} </tileset>\n'
        )

    def _picture(self) -> str:
        if not self.drawn:
            return ""
        wide, high = self.plan.columns * self.side, self.plan.rows * self.side
        return (
            f' <imagelayer id="1" name="Picture">\n  <image source={quoteattr(self.path.stem + ".picture.png")} '
            f'width="{wide}" height="{high}"/>\n </imagelayer>\n'
        )

    def _ground(self) -> str:
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
        number, data = 2 if self.drawn else 1, ",\n".join(rows)
        return (
            f' <layer id="{number}" name="Ground" class="TileLayer" width="{plan.columns}" height="{plan.rows}">\n'
            f'{_properties({"role": "ground"}, "  ")}  <data encoding="csv">\n{data}\n</data>\n </layer>\n'
        )

    # -- objects

    def _group(self, number: int, name: str, objects: list[str]) -> str:
        return f' <objectgroup id="{number}" name="{name}">\n{"".join(objects)} </objectgroup>\n'

    def _object(self, kind: str, place: tuple[float, ...], name: str = "", said: dict[str, object] | None = None,
                shape: str = "") -> str:  # fmt: skip
        """One object: place is x, y and, of a rectangle, width and height, in spaces."""
        self.objects += 1
        words = [
            f'{key}="{value * self.side:g}"' for key, value in zip(("x", "y", "width", "height"), place, strict=False)
        ]
        called = f" name={quoteattr(name)}" if name else ""
        inner = _properties(said or {}, "   ") + (f"   {shape}\n" if shape else "")
        head = f'  <object id="{self.objects}"{called} type="{kind}" {" ".join(words)}'
        return f"{head}>\n{inner}  </object>\n" if inner else f"{head}/>\n"

    def _doors(self) -> Iterator[str]:
        for number, door in enumerate(self.plan.doors, 1):
            said: dict[str, object] = {"state": str(door.state), "kind": str(door.kind) if door.kind != "door" else ""}
            name = door.name or text("Door {number}", number)
            yield self._object("Door", _place(door), name, said)

    def _walls(self) -> Iterator[str]:
        for barrier in Barrier:
            said: dict[str, object] = {"move": "open" if barrier.way else "", "sight": "open" if barrier.sight else ""}
            edges = [edge for edge, there in self.plan.walls.items() if there is barrier]
            name = "Window" if barrier is Barrier.WINDOW else "Curtain" if barrier is Barrier.CURTAIN else "Wall"
            for (x1, y1), (x2, y2) in runs(edges):
                line = f'<polyline points="0,0 {(x2 - x1) * self.side},{(y2 - y1) * self.side}"/>'
                yield self._object("Wall", (x1, y1), name, said, line)

    def _exits(self) -> Iterator[str]:
        for way in self.plan.exits:
            for x, y, wide, high in rectangles(way.spaces):
                yield self._object("Exit", (x, y, wide, high), way.name)
            if way.arrival:
                beside = _near(self.plan, way.spaces)
                for x, y, wide, high in rectangles(beside):
                    yield self._object("Spawn", (x, y, wide, high), "", {"side": "heroes"})

    def _starts(self) -> Iterator[str]:
        """Where both sides may be placed, where the plan says nothing of it."""
        heroes, monsters = starts(self.plan)
        arrives = any(way.arrival for way in self.plan.exits)
        for side, spaces in (("heroes", () if arrives else heroes), ("monsters", monsters)):
            for place in rectangles(spaces):
                yield self._object("Spawn", place, "", {"side": side})

    def _lights(self) -> Iterator[str]:
        for light in self.plan.lights:
            said: dict[str, object] = {"bright": max(0, round(light.bright)), "dim": max(1, round(light.dim))}
            yield self._object("Light", (light.x, light.y), light.name, said, "<point/>")

    def _notes(self) -> Iterator[str]:
        for note in self.plan.notes:
            said: dict[str, object] = {"text": note.text, "gm_only": note.secret}
            yield self._object("Note", (note.x, note.y), note.title, said, "<point/>")


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
    first = _spread(plan, ways or [min(largest, key=lambda s: (s[1], s[0]))]) if largest else []
    if not first:
        return (), ()
    there = first if ways else _spread(plan, first[-1:])
    heroes = tuple(there[:ARRIVE])
    foes = [space for space in _spread(plan, there[-1:]) if space not in heroes]
    return heroes, tuple(foes[: min(MET, max(1, len(there) // 3))])


def _near(plan: Plan, spaces: Iterable[Space]) -> list[Space]:
    """The floor nearest to some spaces, them left out: where the heroes come in."""
    beside = set(spaces)
    return [space for space in _spread(plan, beside) if space not in beside][:ARRIVE]


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
