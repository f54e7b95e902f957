"""Dungeon Scrawl (`.ds`): areas of floor as polygons with holes, doors as small rectangles, lights."""

from __future__ import annotations

import io
import math
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from game.importing import lines, loose
from game.importing.lines import Grid, Leaf, Line
from game.importing.loose import Parts
from game.importing.plan import Barrier, Edge, ImportProblem, Plan, PlanDoor, PlanLight, Space, around
from game.maps.limits import MAX_SIDE
from rules.contract.text import ntext, text

FORMAT = "dungeonscrawl"
ENTRY = "map"
"""The one file of the archive."""
DIRECTORY = 64 * 1024
"""Bytes of the archive's directory at most: it has one entry."""
CELL = 36.0
"""Units of a space where the page doesn't say."""
DOORS, STAIRS = "Door geometry", "Stairs geometry"
MOST_POINTS = 400_000
MOST_SPANNED = 4_000_000
"""Rows that all borders together may cross."""

Point = tuple[float, float]
Ring = list[Point]


def of_archive(source: bytes, name: str) -> Plan:
    """The plan of an archive. Raises ImportProblem for one that is none of these, or holds too much."""
    document = loose.document(_entry(source, name), name)
    if not fits(document):
        raise ImportProblem("{name}: is no drawing of Dungeon Scrawl; save it there again as .ds", name)
    return read(document, name)


def _entry(source: bytes, name: str) -> bytes:
    """The content of the archive's one file, never more than may be read. Raises ImportProblem."""
    tail = source[-65_557:]
    end = tail.rfind(b"PK\x05\x06")
    directory = int.from_bytes(tail[end + 12 : end + 16], "little") if 0 <= end <= len(tail) - 22 else -1
    if not 0 <= directory <= DIRECTORY or b"PK\x06\x07" in tail[max(0, end - 20) : max(0, end)]:
        raise ImportProblem("{name}: is a broken archive, or one of many files; a .ds has one", name)
    try:
        with zipfile.ZipFile(io.BytesIO(source)) as archive:
            about = archive.getinfo(ENTRY)
            found = b"" if about.file_size > loose.LARGEST else archive.open(about).read(loose.LARGEST + 1)
    except KeyError:
        raise ImportProblem("{name}: is an archive without a `map`; save it again as .ds", name) from None
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError):
        raise ImportProblem("{name}: is a broken archive; save it again as .ds", name) from None
    if len(found) > loose.LARGEST or about.file_size > loose.LARGEST:
        raise ImportProblem("{name}: holds more than 64 MB; a part of the map would do", name)
    return found


def fits(document: Any) -> bool:
    """Whether a JSON document is one of these, of today or as they were (`layerController`)."""
    if not isinstance(document, Mapping):
        return False
    return isinstance(document.get("layerController"), Mapping) or bool(
        _at(document, "state", "document", "nodes") and _at(document, "data", "geometry")
    )


def _at(value: Any, *keys: str) -> Any:
    """What lies below some keys; an empty mapping where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


class _Drawing:
    """What a document says, still in its own units."""

    def __init__(self, name: str) -> None:
        self.name, self.parts, self.cell = name, Parts(), CELL
        self.areas: list[list[Ring]] = []
        self.lines: list[Ring] = []
        self.leaves: list[tuple[Point, Point]] = []
        self.lights: list[tuple[Point, float]] = []
        self.title = ""
        self._points = 0

    def ring(self, value: Any, what: str) -> Ring:
        """Points as they can be read. Raises ImportProblem for too many."""
        found = []
        for each in value if isinstance(value, list) else ():
            self._points += 1
            if self._points > MOST_POINTS:
                raise ImportProblem("{name}: has more than 400,000 points; a part of the map would do", self.name)
            x, y = map(loose.number, each[:2]) if isinstance(each, list) and len(each) >= 2 else (None, None)
            if x is None or y is None:
                self.parts.skip(what)
            else:
                found.append((x, y))
        return found

    def polygons(self, value: Any, what: str) -> list[list[Ring]]:
        """Polygons, each an outline and its holes."""
        found = []
        for polygon in self.parts.listed(value, what, lines.MOST_LINES):
            rings = [self.ring(ring, what) for ring in polygon] if isinstance(polygon, list) else []
            if rings := [ring for ring in rings if len(ring) >= 3]:
                found.append(rings)
            else:
                self.parts.skip(what)
        return found

    def polylines(self, value: Any) -> list[Ring]:
        rings = [self.ring(each, "wall") for each in self.parts.listed(value, "wall", lines.MOST_LINES)]
        return [ring for ring in rings if len(ring) >= 2]


def read(document: Mapping[str, Any], name: str) -> Plan:
    """The plan of a document. Raises ImportProblem where there is no floor, or more than a map holds."""
    drawing = _Drawing(name)
    if isinstance(document.get("layerController"), Mapping):
        _read_old(drawing, document["layerController"])
    else:
        _read_nodes(drawing, document)
    return _planned(drawing)


# -- documents


def _read_nodes(drawing: _Drawing, document: Mapping[str, Any]) -> None:
    """The page that is selected, or the only one."""
    nodes = _at(document, "state", "document", "nodes")
    shapes = _at(document, "data", "geometry")
    pages = [key for key, node in nodes.items() if _at(node).get("type") == "PAGE"]
    selected = _at(nodes, "document").get("selectedPage")
    page = selected if selected in pages else next(iter(pages), None)
    if len(pages) > 1:
        drawing.parts.tell(ntext(len(pages) - 1, "1 further page is left out", "{n} further pages are left out"))
    about = _at(nodes, page) if isinstance(page, str) else {}
    wide = loose.number(_at(about, "grid").get("cellDiameter"))
    drawing.cell = wide if wide is not None and 1 <= wide <= 10_000 else CELL
    drawing.title = loose.words(_at(nodes, "document").get("name"))
    for key in _shown(nodes, page):
        node = _at(nodes, key)
        if node.get("type") == "GEOMETRY" and isinstance(node.get("geometryId"), str):
            _read_shape(drawing, str(node.get("name")), _at(shapes, node["geometryId"]))
        elif node.get("type") == "LIGHT":
            _read_light(drawing, node)


def _shown(nodes: Mapping[str, Any], page: Any) -> Iterator[str]:
    """Nodes that belong to a page and are seen, by their parents; those that name no parent belong to any."""
    for key, node in nodes.items():
        here, above, seen = _at(node), _at(node).get("parentId"), set[str]()
        while here.get("visible") is not False:
            if above is None or above == page:
                yield key
                break
            here = _at(nodes, above) if isinstance(above, str) and above not in seen and len(seen) < 64 else {}
            if not here or here.get("type") == "PAGE":
                break
            seen.add(str(above))
            above = here.get("parentId")


def _read_shape(drawing: _Drawing, name: str, shape: Mapping[str, Any]) -> None:
    if name == STAIRS:
        return
    areas = drawing.polygons(shape.get("polygons"), "door" if name == DOORS else "area")
    strokes = drawing.polylines(shape.get("polylines"))
    if name != DOORS:
        drawing.areas += areas
        drawing.lines += strokes
    elif len(strokes) == 2:  # a leaf between two stubs of wall
        drawing.leaves.append((strokes[0][0], strokes[1][-1]))
    else:
        drawing.leaves += [_middle_line(rings[0]) for rings in areas]


def _middle_line(ring: Ring) -> tuple[Point, Point]:
    """The line through the middle of a rectangle along its longer sides."""
    corners = ring[:4] if len(ring) >= 4 else [*ring, ring[0]]
    (a, b, c, d) = corners
    first, second = (_half(a, d), _half(b, c)), (_half(a, b), _half(d, c))
    return first if math.dist(*first) >= math.dist(*second) else second


def _half(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _read_light(drawing: _Drawing, node: Mapping[str, Any]) -> None:
    turned = node.get("transform")
    place = [loose.number(each) for each in turned[4:6]] if isinstance(turned, list) else []
    config = _at(node, "config")
    radius = loose.number(_at(config, str(config.get("variant", node.get("variant")))).get("radius"))
    radius = radius if radius is not None else loose.number(config.get("radius"))
    if len(place) != 2 or place[0] is None or place[1] is None or radius is None or radius <= 0:
        drawing.parts.skip("light")
    else:
        drawing.lights.append(((place[0], place[1]), radius))


def _read_old(drawing: _Drawing, controller: Mapping[str, Any]) -> None:
    """Layers that remember their shapes, one of which is the present one."""
    wide = loose.number(_at(controller, "config").get("gridCellSize"))
    drawing.cell = wide if wide is not None and 1 <= wide <= 10_000 else CELL
    for layer in drawing.parts.listed(controller.get("layers"), "layer", 1000):
        shape = _at(layer, "shape")
        kept, now = shape.get("shapeMemory"), shape.get("currentShapeIndex")
        if not isinstance(kept, list) or not kept or _at(layer).get("visible") is False:
            continue
        at = now if type(now) is int and 0 <= now < len(kept) else len(kept) - 1
        drawing.areas += drawing.polygons(kept[at], "area")


# -- onto the grid


def _planned(drawing: _Drawing) -> Plan:
    """A drawing on its own grid. Raises ImportProblem."""
    cell, name = drawing.cell, drawing.name
    areas = [[[(x / cell, y / cell) for x, y in ring] for ring in rings] for rings in drawing.areas]
    if not areas:
        raise ImportProblem("{name}: has no floor; draw a room in Dungeon Scrawl and save it again", name)
    spots = [spot for rings in areas for ring in rings for spot in ring]
    left, top = (math.floor(min(spot[n] for spot in spots) + 0.01) for n in (0, 1))
    columns = math.ceil(max(x for x, _ in spots) - left - 0.01)
    rows = math.ceil(max(y for _, y in spots) - top - 0.01)
    if not (1 <= columns <= MAX_SIDE and 1 <= rows <= MAX_SIDE):
        raise ImportProblem("{name}: is {columns} × {rows} spaces large; 1 to {most} each way are needed", name,
                            columns, rows, MAX_SIDE)  # fmt: skip
    areas = [[[(x - left, y - top) for x, y in ring] for ring in rings] for rings in areas]
    floor = _floor(areas, columns, rows, name)
    if not floor:
        raise ImportProblem("{name}: its floor covers no space of its grid; draw larger rooms", name)
    strokes = [Line(*a, *b) for ring in _moved(drawing.lines, cell, (left, top)) for a, b in pairwise(ring)]
    grid = lines.rasterised(lines.clipped(strokes, columns, rows), columns, rows, name)
    grid.solid.clear()  # a line through the middle of floor leaves floor on both sides
    doors = _doors(drawing, grid, floor, (left, top))
    shut = {edge for door in doors for edge in door.edges}
    lights = [PlanLight(x / cell - left, y / cell - top, reach / cell / 2, reach / cell)
              for (x, y), reach in drawing.lights]  # fmt: skip
    inside = [light for light in lights if 0 <= light.x < columns and 0 <= light.y < rows]
    if outside := len(lights) - len(inside):
        drawing.parts.tell(ntext(outside, "1 light lies outside the map and is left out",
                                 "{n} lights lie outside the map and are left out"))  # fmt: skip
    borders = [Line(*a, *b) for rings in areas for ring in rings for a, b in pairwise([*ring, ring[0]]) if a != b]
    share = lines.off_grid([*borders, *strokes])
    if share > 0.2:
        wrong = "{share} % of the walls' length lies off the grid: look at the map before you play on it"
        drawing.parts.tell(text(wrong, round(100 * share)))
    walls = {edge: barrier for edge, barrier in sorted(grid.walls.items())
             if edge not in shut and (edge.x, edge.y) in floor and edge.beyond in floor}  # fmt: skip
    return Plan(
        format=FORMAT, columns=columns, rows=rows, floor=frozenset(floor), walls=walls, doors=tuple(doors),
        lights=tuple(inside), title=drawing.title, off_grid=share, ambient="dark", warnings=drawing.parts.warnings,
    )  # fmt: skip


def _moved(rings: Iterable[Ring], cell: float, corner: Space) -> Iterator[Ring]:
    for ring in rings:
        yield [(x / cell - corner[0], y / cell - corner[1]) for x, y in ring]


def _floor(areas: list[list[Ring]], columns: int, rows: int, name: str) -> set[Space]:
    """Spaces whose middle lies in an outline and in no hole of it. Raises ImportProblem for too much of it."""
    floor, spanned = set[Space](), 0
    for rings in areas:
        crossings: dict[int, list[float]] = defaultdict(list)
        for ring in rings:
            for (x1, y1), (x2, y2) in pairwise([*ring, ring[0]]):
                first, last = math.ceil(min(y1, y2) - 0.5), math.ceil(max(y1, y2) - 0.5)
                spanned += last - first
                if spanned > MOST_SPANNED:
                    raise ImportProblem("{name}: its floor has too many borders; a part of the map would do", name)
                for row in range(max(0, first), min(rows, last)):
                    crossings[row].append(x1 + (row + 0.5 - y1) * (x2 - x1) / (y2 - y1))
        for row, places in crossings.items():
            places.sort()
            for begin, end in zip(places[::2], places[1::2], strict=False):
                span = range(max(0, math.ceil(begin - 0.5)), min(columns, math.ceil(end - 0.5)))
                spanned += len(span)
                floor.update((column, row) for column in span)
    return floor


def _doors(drawing: _Drawing, grid: Grid, floor: set[Space], corner: Space) -> list[PlanDoor]:
    """Doors on the edges nearest to their leaves, those between two spaces of floor first."""
    known = Grid(grid.columns, grid.rows, dict(grid.walls))
    for space in floor:
        for there, edge in around(space):
            if there not in floor:
                known.put(edge, Barrier.WALL)
    found, taken = [], set[Edge]()
    for (x1, y1), (x2, y2) in drawing.leaves:
        cell, (left, top) = drawing.cell, corner
        leaf = Leaf(x1 / cell - left, y1 / cell - top, x2 / cell - left, y2 / cell - top)
        edges = tuple(edge for edge in lines.edges_of(leaf, known) if edge not in taken)
        if not any((edge.x, edge.y) in floor or edge.beyond in floor for edge in edges):
            drawing.parts.skip("door")
            continue
        taken.update(edges)
        for edge in edges:
            grid.walls.pop(edge, None)
        found.append(PlanDoor(edges=edges))
    return found
