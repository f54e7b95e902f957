"""Objects of a document: doors, traps, zones and the rest, found by space or edge, added, changed and taken away."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from xml.etree.ElementTree import Element

from game.maps import limits
from game.maps.editing import tools
from game.maps.editing.document import Document, Spot, opened, pieces_of
from game.maps.editing.drawing import paint, usual_floor
from game.maps.editing.kinds import Kind
from game.maps.editing.pen import Pen
from game.maps.editing.strokes import Pieces
from game.maps.editing.tools import Edge
from game.maps.editing.xmltree import Node, element, tagged, told
from game.maps.limits import Place
from game.maps.mapdata import MapProblem
from game.maps.mapobjects import Grid
from rules.board.grid import Ground

Said = str | int | bool | float
Box = tuple[int, int, int, int]
"""Column, row, columns and rows."""
LAYERS = {"Door": "Doors", "Wall": "Walls", "Spawn": "Starts", "Stairs": "Stairs", "Ladder": "Stairs", "Exit": "Stairs"}
"""The layers of new objects, by class, where the map has none with such objects …"""
OBJECTS = "Objects"
"""… and that of all others."""
_ENUMS = {
    ("Door", "state"): "DoorState", ("Door", "kind"): "DoorKind", ("Wall", "sight"): "Sight", ("Wall", "move"): "Sight",
    ("Region", "kind"): "RegionKind", ("Chest", "kind"): "ChestKind", ("Obstacle", "kind"): "ObstacleKind",
    ("Creature", "duty"): "Duty", ("Goal", "kind"): "GoalKind",
}  # fmt: skip
POINTS = ("Light", "Note")
"""Classes of objects that are points on their space."""
_INDENT = "\n    "
THIN = 0.2
"""How thick a door on an edge is drawn, in spaces."""
OURS = (
    "Door", "Wall", "Spawn", "Stairs", "Ladder", "Exit", "Light", "Trap", "Chest", "Note", "Region", "Obstacle",
    "Creature", "Patrol", "Goal",
)  # fmt: skip


@dataclass(frozen=True)
class Thing:
    """An object as the map has it now; `number` is its id. Templates and defaults of classes are in `says`."""

    number: int
    shape: str
    """Its class."""
    name: str
    layer: str
    says: Mapping[str, Said]
    spots: tuple[Spot, ...]
    edges: tuple[Edge, ...]
    box: Box | None
    """Its spaces, where it is a rectangle that covers whole ones."""
    pixels: tuple[float, float]
    """Where it lies on the map."""


def all_of(document: Document) -> list[Thing]:
    """Every object that has a class of ours, in draw order."""
    found = document.remembered("things", _all)
    assert isinstance(found, list)
    return found


def _all(document: Document) -> list[Thing]:
    tree = document.plain()
    side, (wide, high) = document.side, document.size
    grid, found = Grid(wide, high, side), list[Thing]()
    for layer in tree.findall("objectgroup"):
        place = Place(document.path.name, layer.get("name", ""))
        for node in layer.findall("object"):
            if node.get("type") in OURS:
                found.append(_thing(grid, node, layer.get("name", ""), place))
    return found


def _thing(grid: Grid, node: Element, layer: str, place: Place) -> Thing:
    shape, side = node.get("type", ""), grid.side
    obj = _as_read(node)
    edges: tuple[Edge, ...] = ()
    spots: tuple[Spot, ...] = ()
    try:
        lines = (grid.thin_edges(obj, place) or ()) if shape in ("Wall", "Door", "Obstacle") else ()
        if shape == "Wall" and not lines and obj.shape == "rectangle":
            lines = grid.line_edges(grid.outline(obj), True, place) or ()
        edges = tuple(tools.edge_of(_spot(grid, a), _spot(grid, b)) for a, b in lines)
        spots = () if edges or shape == "Wall" else tuple(_spot(grid, cell) for cell in grid.cells(obj, place))
    except MapProblem:
        pass  # what the reader refuses is not drawn on
    says = {each.get("name", ""): _value(each) for each in node.findall("properties/property")}
    sizes = [float(node.get(name, "0")) / side for name in ("x", "y", "width", "height")]
    whole = obj.shape == "rectangle" and not obj.rotation and all(size == int(size) for size in sizes)
    box = (int(sizes[0]), int(sizes[1]), int(sizes[2]), int(sizes[3])) if whole and sizes[2] and sizes[3] else None
    at = float(node.get("x", "0")), float(node.get("y", "0"))
    return Thing(int(node.get("id", "0")), shape, node.get("name", ""), layer, says, spots, edges, box, at)


def _as_read(node: Element) -> SimpleNamespace:
    """An object of the plain tree as the reader of objects takes it."""
    line = node.find("polyline")
    line = node.find("polygon") if line is None else line
    x, y = float(node.get("x", "0")), float(node.get("y", "0"))
    points = []
    if line is not None:
        pairs = (part.split(",") for part in line.get("points", "").split())
        points = [SimpleNamespace(x=x + float(a), y=y + float(b)) for a, b in pairs]
    return SimpleNamespace(
        shape=node.get("shape", "rectangle"), x=x, y=y, width=float(node.get("width", "0")),
        height=float(node.get("height", "0")), rotation=float(node.get("rotation", "0")),
        pivot=node.get("pivot", "0 0"), points=points,
    )  # fmt: skip


def _spot(grid: Grid, cell: int) -> Spot:
    return cell % grid.width, cell // grid.width


def _value(node: Element) -> Said:
    value, kind = node.get("value", ""), node.get("type", "str")
    if kind == "bool":
        return limits.truth(value) is True
    return int(value) if kind == "int" else float(value) if kind == "float" else value


def at(document: Document, spot: Spot, *, zones: bool = True) -> list[Thing]:
    """What lies on a space, smaller things before zones, later ones before earlier; doors on its edges with it."""
    beside = {(*spot, True), (*spot, False), (spot[0] + 1, spot[1], True), (spot[0], spot[1] + 1, False)}
    found = [
        thing for thing in reversed(all_of(document))
        if spot in thing.spots or (thing.shape == "Door" and beside & set(thing.edges))
    ]  # fmt: skip
    small = [thing for thing in found if not is_zone(thing)]
    return [*small, *(thing for thing in found if is_zone(thing) and zones)]


def is_zone(thing: Thing) -> bool:
    """Whether it is about ground, and not itself something that lies there."""
    return thing.shape in ("Region", "Spawn", "Goal")


def by_number(document: Document, number: int) -> Thing | None:
    """The object of that id."""
    return next((thing for thing in all_of(document) if thing.number == number), None)


def node_of(document: Document, thing: Thing) -> tuple[Node, Node]:
    """The object's element, and that of its layer."""
    for place in document.layers():
        if place.node.tag == "objectgroup":
            for node in place.node.children("object"):
                if node.get("id") == str(thing.number):
                    return node, place.node
    raise MapProblem("object {id}: is not there any more", id=thing.number)


# -- adding


def layer_for(pen: Pen, shape: str, name: str = "") -> Node:
    """Where objects of a class go: the layer that has such already, or the one of that name, else a new one."""
    document = pen.document
    groups = [place.node for place in document.layers() if place.node.tag == "objectgroup"]
    if not name:
        with_such = (g for g in groups for node in g.children("object")
                     if (node.get("type") or node.get("class")) == shape and g.get("name") != "Heights")  # fmt: skip
        if (found := next(with_such, None)) is not None:
            return found
    wanted = name or LAYERS.get(shape, OBJECTS)
    found = next((group for group in groups if group.get("name") == wanted), None)
    return found if found is not None else pen.layer("objectgroup", wanted)


def add(pen: Pen, shape: str, body: str, pixels: tuple[float, ...], says: Mapping[str, Said], **more: str) -> int:
    """A new object at pixels of the map (left, top and, if it has a size, width and height); its id.

    `body` is what makes its form, `more` may be the `layer` and its `name`.
    """
    document = pen.document
    layer = layer_for(pen, shape, more.get("layer", ""))
    number, taken = document.object_numbers(1)
    pen.do(taken)
    right, down = document.pixels(layer)
    x, y, *size = pixels
    class_ = "class" if document.root.get("version") == "1.9" else "type"
    where: dict[str, object] = {"x": figure(x + right), "y": figure(y + down)}
    if size:
        where |= {"width": figure(size[0]), "height": figure(size[1])}
    listed = _properties(shape, says)
    inside = (f"\n   {tagged('properties', listed)}" if listed else "") + (f"\n   {body}" if body else "")
    said = {"id": number, "name": more.get("name"), class_: shape} | where
    pen.add(layer, tagged("object", f"{inside}\n  " if inside else None, **said))
    return number


def add_box(pen: Pen, shape: str, box: Box, says: Mapping[str, Said], **more: str) -> int:
    """A new object over a rectangle of spaces; its id."""
    side = pen.document.side
    return add(pen, shape, "", tuple(n * side for n in box), says, **more)


def figure(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(round(value, 4))


def _properties(shape: str, says: Mapping[str, Said]) -> str:
    lines = "".join(f"\n    {_property(shape, name, value)}" for name, value in sorted(says.items()))
    return f"{lines}\n   " if lines else ""


def _property(shape: str, name: str, value: Said) -> str:
    kind = "" if isinstance(value, str) else type(value).__name__
    told = value if isinstance(value, str) else str(value).lower()
    enum = _ENUMS.get((shape, name))
    if not told:  # an empty one is said, too
        return tagged("property", name=name, type=kind, propertytype=enum)[:-2] + ' value=""/>'
    return tagged("property", name=name, type=kind, propertytype=enum, value=told)


def place(pen: Pen, kind: Kind, spot: Spot, says: Mapping[str, Said] | None = None, *, edge: Edge | None = None) -> int:
    """An object of a kind on a space, doors also on an `edge`; its id. Where a wall is in the way there's floor then,
    and a thin wall makes room for a door."""
    side, said = pen.document.side, {**kind.says, **(says or {})}
    if edge is not None and kind.shape == "Door":
        cut(pen, [edge])
        return _place_thin(pen, kind, edge, said)
    if kind.shape != "Light":
        clear(pen, [spot])
    if kind.shape in POINTS:
        return add(pen, kind.shape, "<point/>", ((spot[0] + 0.5) * side, (spot[1] + 0.5) * side), said)
    return add_box(pen, kind.shape, (*spot, 1, 1), said)


def _place_thin(pen: Pen, kind: Kind, edge: Edge, says: Mapping[str, Said]) -> int:
    """A door on an edge; both spaces beside it are walked on."""
    clear(pen, tools.beside(edge))
    (x, y, west), side = edge, pen.document.side
    left, top, wide, high = (x - THIN / 2, y, THIN, 1.0) if west else (x, y - THIN / 2, 1.0, THIN)
    return add(pen, kind.shape, "", (left * side, top * side, wide * side, high * side), says)


def clear(pen: Pen, spots: Iterable[Spot]) -> None:
    """Spaces that are wall or void become floor, as those around have it."""
    document = pen.document
    field = document.read().field
    blocked = [(x, y) for x, y in spots if field.inside(x, y)
               and field.ground[field.cell(x, y)] in (Ground.BLOCKED, Ground.VOID)]  # fmt: skip
    for x, y in blocked:
        paint(pen, usual_floor(document, tools.rectangle((x - 1, y - 1), (x + 1, y + 1))), [(x, y)])


# -- changing


def remove(pen: Pen, thing: Thing) -> None:
    """Take an object away."""
    node, layer = node_of(pen.document, thing)
    pen.take(layer, node)


def move(pen: Pen, thing: Thing, columns: int, rows: int) -> None:
    """Shift an object by so many spaces."""
    node, _ = node_of(pen.document, thing)
    side = pen.document.side
    x, y = (float(node.get(axis, "0")) for axis in "xy")
    pen.say(node, x=figure(x + columns * side), y=figure(y + rows * side))


def rename(pen: Pen, thing: Thing, name: str) -> None:
    """Give an object another name."""
    node, _ = node_of(pen.document, thing)
    pen.say(node, name=name or None)


def say(pen: Pen, thing: Thing, name: str, value: Said) -> None:
    """Give a property of an object another value."""
    if thing.says.get(name) == value and type(thing.says.get(name)) is type(value):
        return
    node, _ = node_of(pen.document, thing)
    listed = node.find("properties")
    if listed is None:
        _first_property(pen, node, _property(thing.shape, name, value))
        return
    old = next((each for each in listed.children("property") if each.get("name") == name), None)
    if old is None:
        pen.add(listed, _property(thing.shape, name, value))
    elif old.tail or old.get("type", "string") not in (_kind(value), "string" if isinstance(value, str) else ""):
        pen.put(listed, old, _property(thing.shape, name, value))
    else:
        pen.say(old, value=value if isinstance(value, str) else str(value).lower())


def _kind(value: Said) -> str:
    return type(value).__name__ if not isinstance(value, str) else "string"


def _first_property(pen: Pen, node: Node, text: str) -> None:
    """Properties stand before an object's form."""
    if not node.tail:
        pen.do(opened(node))
        pen.do(Pieces(node, 0, (), ("\n  ",)))
    pieces = pieces_of(f"\n   {tagged('properties', f'{_INDENT}{text}{_INDENT[:-1]}')}")
    pen.do(Pieces(node, 0, (), pieces))


# -- thin walls


def draw_edges(pen: Pen, kind: Kind, edges: Collection[Edge]) -> int:
    """Thin walls (or windows, curtains) along edges where there are none alike; how many edges are new.

    Others that run there, and doors, make room first.
    """
    wide, high = pen.document.size
    edges = [e for e in dict.fromkeys(edges) if _within(e, wide, high)]
    walls = [thing for thing in all_of(pen.document) if thing.shape == "Wall"]
    alike = {edge for thing in walls if _same(thing.says, kind.says) for edge in thing.edges}
    doors = {edge for thing in all_of(pen.document) if thing.shape == "Door" for edge in thing.edges}
    fresh = [edge for edge in edges if edge not in alike and edge not in doors]
    cut(pen, fresh)
    side = pen.document.side
    for points in tools.chained(fresh):
        (x, y) = points[0]
        line = " ".join(f"{(a - x) * side},{(b - y) * side}" for a, b in points)
        add(pen, "Wall", tagged("polyline", points=line), (x * side, y * side), kind.says)
    return len(fresh)


def _same(one: Mapping[str, Said], other: Mapping[str, Said]) -> bool:
    return all(_shut(one.get(name)) == _shut(other.get(name)) for name in ("sight", "move"))


def _shut(value: Said | None) -> bool:
    return value not in ("open", False)


def _within(edge: Edge, wide: int, high: int) -> bool:
    x, y, west = edge
    return (0 < x < wide and 0 <= y < high) if west else (0 <= x < wide and 0 < y < high)


def cut(pen: Pen, edges: Sequence[Edge]) -> int:
    """Take edges out of the thin walls that run along them; how many. What is left of a wall stays what it was."""
    gone, count = set(edges), 0
    for thing in all_of(pen.document) if gone else ():
        if thing.shape != "Wall" or not gone & set(thing.edges):
            continue
        count += len(gone & set(thing.edges))
        _redraw(pen, thing, [edge for edge in thing.edges if edge not in gone])
    return count


def _redraw(pen: Pen, thing: Thing, edges: list[Edge]) -> None:
    """A thin wall along other edges: one object for each line, the first of them the one that it was."""
    lines = list(tools.chained(edges))
    if not lines:
        remove(pen, thing)
        return
    node, layer = node_of(pen.document, thing)
    copies = [node]
    for _ in lines[1:]:
        number, taken = pen.document.object_numbers(1)
        made = element(told(node))
        made.head = made.headed(id=str(number))
        behind = next(n for n, each in enumerate(layer.inside) if each is copies[-1]) + 1
        pen.do(taken, Pieces(layer, behind, (), ("\n  ", made)))
        copies.append(made)
    side, (right, down) = pen.document.side, pen.document.pixels(layer)
    for each, points in zip(copies, lines, strict=True):
        x, y = points[0]
        line = " ".join(f"{(a - x) * side},{(b - y) * side}" for a, b in points)
        _reform(pen, each, (x * side + right, y * side + down), tagged("polyline", points=line))


def _reform(pen: Pen, node: Node, at: tuple[float, float], form: str) -> None:
    """An object gets another line for its form, from a point of its layer on."""
    pen.say(node, x=figure(at[0]), y=figure(at[1]), width=None, height=None, rotation=None)
    old = next(iter(node.children("polyline", "polygon", "ellipse", "point")), None)
    if old is not None:
        pen.put(node, old, form)
    else:
        pen.add(node, form)
