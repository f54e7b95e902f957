"""What is done while the ground is drawn, alike by mouse and by keys: a press, a way, a release, and single orders."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from game.maps.editing import drawing, heights, parts, things, tools
from game.maps.editing.document import Spot
from game.maps.editing.kinds import KINDS, Kind, Way, kind
from game.maps.editing.pen import Pen
from game.maps.editing.things import Thing
from game.maps.editing.tools import Edge
from game.maps.proposing import keeping
from game.scenes.ground.model import LARGEST, SPANNING, Aim, Model, Tool
from game.setup.editor import DOORS
from rules.contract.text import ntext, text

# -- a press and what follows


def press(model: Model, aim: Aim) -> str:
    """The button goes down, or Enter is hit; what there is to say."""
    model.before, model.erasing = aim, ""
    if mends(model):
        return _mend(model, aim, aim)
    if model.tool in SPANNING or (model.tool is Tool.BRUSH and model.kind.way in (Way.EDGE, Way.ZONE)):
        model.anchor = aim
        return ""
    match model.tool:
        case Tool.BRUSH if model.kind.way is Way.OBJECT:
            return _object(model, aim)
        case Tool.BRUSH | Tool.ERASE:
            return _begin(model, aim)
        case Tool.FILL:
            return _fill(model, aim)
        case Tool.SELECT:
            return select(model, aim)
        case Tool.PICK:
            return pick(model, aim)
        case Tool.PASTE:
            return paste(model, aim)
    return ""


def drag(model: Model, aim: Aim) -> str:
    """The pointer goes on with the button held."""
    told, start = "", model.before
    if start is not None and model.pen is not None:
        told = _go(model, model.pen, start, aim)
    elif start is not None and mends(model):
        told = _mend(model, start, aim)
    model.before = aim
    return told


def mends(model: Model) -> bool:
    """Whether brush and eraser mend what is proposed, and not the map."""
    return model.proposal is not None and model.tool in (Tool.BRUSH, Tool.ERASE)


def _mend(model: Model, start: Aim, end: Aim) -> str:
    """Spaces into the proposal, or out of it."""
    if model.proposal is not None:
        spots = drawing.inside(model.document, tools.swept(start.spot, end.spot, model.size))
        model.proposal = model.proposal.mend(spots, model.tool is Tool.BRUSH)
    return ""


def release(model: Model, aim: Aim) -> str:
    """The button is let go, or Enter hit again: what was begun is done."""
    if model.pen is not None:
        pen, model.pen = model.pen, None
        return model.put_in(pen)
    if model.moved is not None:
        start, model.moved = model.moved, None
        return _move_chosen(model, aim.spot[0] - start[0], aim.spot[1] - start[1])
    if model.anchor is not None:
        start_at, model.anchor = model.anchor, None
        return _span(model, start_at, aim)
    return ""


def give_up(model: Model) -> bool:
    """Take back what is under way; False if there is nothing."""
    if model.pen is not None:
        model.pen.give_up()
        model.pen = None
        model.workspace.reground(model.workspace.work().whole())
        return True
    if model.anchor is not None or model.moved is not None:
        model.anchor = model.moved = None
        return True
    return False


# -- the brush and the eraser


def _begin(model: Model, aim: Aim) -> str:
    what = text("{material} drawn", model.kind.label) if model.tool is Tool.BRUSH else text("erased")
    model.pen = model.workspace.work().pen(model.level, what)
    if model.tool is Tool.ERASE:
        model.erasing = _to_erase(model, aim)
    return _go(model, model.pen, aim, aim)


def _go(model: Model, pen: Pen, start: Aim, end: Aim) -> str:
    """The brush, or the eraser, goes from one place to another."""
    spots = tools.swept(start.spot, end.spot, model.size)
    if model.tool is Tool.ERASE:
        _erase(model, pen, spots, end)
    else:
        _paint(pen, model.kind, spots)
    return model.show()


def _paint(pen: Pen, wanted: Kind, spots: Collection[Spot]) -> None:
    if wanted.way is Way.LEVEL:
        heights.raise_to(pen, wanted.level, spots)
    else:
        drawing.paint(pen, wanted, spots)


def _to_erase(model: Model, aim: Aim) -> str:
    """What the eraser takes on its way: whatever it meets first where it begins."""
    if aim.edge is not None and _on_edge(model, aim.edge):
        return "edges"
    spots = drawing.inside(model.document, tools.brush(aim.spot, model.size))
    if any(_small(model, spot) for spot in spots):
        return "objects"
    return "things" if drawing.things_on(model.document, spots) else "ground"


def _on_edge(model: Model, edge: Edge) -> bool:
    return any(edge in thing.edges for thing in things.all_of(model.document) if thing.shape in ("Wall", "Door"))


def _small(model: Model, spot: Spot) -> list[Thing]:
    """Objects on a space that are no zones and nobody."""
    found = things.at(model.document, spot, zones=False)
    return [thing for thing in found if thing.shape not in ("Creature", "Patrol", "Wall") and not thing.edges]


def _erase(model: Model, pen: Pen, spots: Collection[Spot], aim: Aim) -> None:
    if model.erasing == "edges":
        if aim.edge is not None:
            _erase_edges(pen, [aim.edge])
    elif model.erasing == "objects":
        there = {thing.number: thing for spot in spots for thing in _small(model, spot)}
        for thing in there.values():
            things.remove(pen, thing)
    elif model.erasing == "things":
        drawing.erase_things(pen, spots)
    else:
        drawing.erase_ground(pen, spots)


def _erase_edges(pen: Pen, edges: Collection[Edge]) -> None:
    gone = set(edges)
    for thing in [each for each in things.all_of(pen.document) if each.shape == "Door" and gone & set(each.edges)]:
        things.remove(pen, thing)
    things.cut(pen, list(edges))


# -- from one end to another


def span_of(model: Model, start: Aim, end: Aim) -> tuple[list[Spot], list[Edge]]:
    """The spaces and edges that a tool would draw from one end to another."""
    edge_kind, tool = model.kind.way is Way.EDGE, model.tool
    if tool is Tool.ROOM:
        spots = tools.rectangle(start.spot, end.spot)
        return spots, tools.edges_around(start.spot, end.spot) if model.thin_rooms or edge_kind else []
    if edge_kind and tool is Tool.RECTANGLE:
        return [], tools.edges_around(start.spot, end.spot)
    if edge_kind and tool is not Tool.PART:
        if start.corner == end.corner:
            return [], [end.edge] if end.edge is not None else []
        return [], tools.edges_between(start.corner, end.corner)
    if tool is Tool.LINE:
        walls = model.kind.tile.get("sight") == "blocked"
        way = tools.joined_line(start.spot, end.spot) if walls else tools.line(start.spot, end.spot)
        return list(dict.fromkeys(each for spot in way for each in tools.brush(spot, model.size))), []
    return tools.rectangle(start.spot, end.spot), []


def _span(model: Model, start: Aim, end: Aim) -> str:
    spots, edges = span_of(model, start, end)
    if model.tool is Tool.PART:
        model.part = parts.copied(model.document, start.spot, end.spot)
        model.tool = Tool.PASTE
        return text("{columns}×{rows} spaces copied: a click or Enter puts them down.", *model.part.size)
    if model.tool is Tool.ROOM:
        return model.draw("room drawn", partial(_room, model, start.spot, end.spot))
    if model.kind.way is Way.EDGE:
        if not edges:
            return "Drag along the line between spaces, from corner to corner."
        return model.draw(text("{material} drawn", model.kind.label), partial(_edges, model, edges))
    if model.kind.way is Way.ZONE:
        return _zone(model, start.spot, end.spot)
    if model.kind.way is Way.OBJECT:
        return _object(model, end)
    return model.draw(text("{material} drawn", model.kind.label), lambda pen: _paint(pen, model.kind, spots))


def _edges(model: Model, edges: list[Edge], pen: Pen) -> None:
    things.draw_edges(pen, model.kind, edges)


def _room(model: Model, start: Spot, end: Spot, pen: Pen) -> None:
    """Floor within, walls around: on the edges of the room, or its outermost spaces."""
    if model.thin_rooms or model.kind.way is Way.EDGE:
        drawing.paint(pen, model.floor, tools.rectangle(start, end))
        wanted = model.kind if model.kind.way is Way.EDGE else kind("thin wall")
        things.draw_edges(pen, wanted, tools.edges_around(start, end))
        return
    frame = tools.frame(start, end)
    drawing.paint(pen, model.floor, [spot for spot in tools.rectangle(start, end) if spot not in set(frame)])
    drawing.paint(pen, model.wall, frame)


def _zone(model: Model, start: Spot, end: Spot) -> str:
    """A zone over a rectangle, chosen so that it can be named."""
    (left, right), (top, bottom) = sorted((start[0], end[0])), sorted((start[1], end[1]))
    wide, high = model.document.size
    left, top, right, bottom = max(0, left), max(0, top), min(wide - 1, right), min(high - 1, bottom)
    if left > right or top > bottom:
        return "The map ends there."
    box = left, top, right + 1 - left, bottom + 1 - top
    known = {thing.name for thing in things.all_of(model.document)}
    number = next(n for n in range(1, 10_000) if text("Room {n}", n) not in known)
    name = str(text("Room {n}", number)) if model.kind.name == "room" else ""
    made: list[int] = []

    def put(pen: Pen) -> None:
        made.append(things.add_box(pen, model.kind.shape, box, model.kind.says, name=name))

    why = model.draw(text("{material} drawn", model.kind.label), put)
    if not why:
        model.selected = made[0]
        model.typed.clear()
    return why


def _fill(model: Model, aim: Aim) -> str:
    """Everything that hangs together and is alike gets the material."""
    document = model.document
    loaded = document.read()
    field, (wide, high) = loaded.field, document.size
    shut = {tools.edge_of(field.at(wall.a), field.at(wall.b)) for wall in field.edges}
    shut |= {tools.edge_of(field.at(door.cell), field.at(door.edge)) for door in field.doors if door.edge is not None}

    def looks(spot: Spot) -> tuple[object, ...]:
        cell = field.cell(*spot)
        return loaded.materials[cell], field.ground[cell], field.level(cell)

    if not (0 <= aim.spot[0] < wide and 0 <= aim.spot[1] < high):
        return ""
    like = looks(aim.spot)
    spots = tools.fill(
        aim.spot, lambda spot: 0 <= spot[0] < wide and 0 <= spot[1] < high and looks(spot) == like,
        lambda a, b: tools.edge_of(a, b) in shut,
    )  # fmt: skip
    why = model.draw(text("filled with {material}", model.kind.label), lambda pen: _paint(pen, model.kind, spots))
    return why or ntext(len(spots), "{n} space filled.", "{n} spaces filled.")


# -- objects


def _object(model: Model, aim: Aim) -> str:
    """Put an object down; on one of its class that is there already: choose that one."""
    document = model.document
    if not drawing.inside(document, [aim.spot]):
        return "The map ends there."
    edge = aim.edge if model.kind.shape == "Door" else None
    for thing in things.at(document, aim.spot, zones=False):
        if thing.shape == model.kind.shape and (edge is None or edge in thing.edges or not thing.edges):
            if edge is None and thing.edges:
                continue
            model.selected, model.moved = thing.number, aim.spot
            model.typed.clear()
            return ""
    made: list[int] = []
    put = lambda pen: made.append(things.place(pen, model.kind, aim.spot, edge=edge))
    why = model.draw(text("{material} put down", model.kind.label), put)
    if not why:
        model.selected = made[0]
        model.typed.clear()
    return why


def select(model: Model, aim: Aim) -> str:
    """Choose what lies there; again: what lies under it."""
    found = things.at(model.document, aim.spot)
    if aim.edge is not None:
        found.sort(key=lambda thing: aim.edge not in thing.edges)
    model.typed.clear()
    if not found:
        model.selected = 0
        return "Nothing lies there that could be chosen."
    numbers = [thing.number for thing in found]
    again = model.selected in numbers and model.before is not None
    at = (numbers.index(model.selected) + 1) % len(numbers) if again and model.by_keys else 0
    if again and not model.by_keys:
        at = numbers.index(model.selected)
    model.selected, model.moved = numbers[at], aim.spot
    return ""


def _move_chosen(model: Model, columns: int, rows: int) -> str:
    thing = model.chosen
    if thing is None or (columns, rows) == (0, 0):
        return ""
    return model.draw(text("{what} moved", _called(thing)), lambda pen: things.move(pen, thing, columns, rows))


def remove(model: Model) -> str:
    """Take away what is chosen; without such, what the eraser would take at the cursor."""
    thing = model.chosen
    if thing is not None:
        model.selected = 0
        return model.draw(text("{what} removed", _called(thing)), lambda pen: things.remove(pen, thing))
    tool, model.tool = model.tool, Tool.ERASE
    press(model, model.target)
    told = release(model, model.target)
    model.tool = tool
    return told


def _called(thing: Thing) -> str:
    return thing.name or thing.shape


def turn_door(model: Model) -> str:
    """The next state of the door that is chosen, or lies there."""
    aim = model.target
    there = [model.chosen, *things.at(model.document, aim.spot, zones=False)]
    door = next((thing for thing in there if thing is not None and thing.shape == "Door"), None)
    if door is None:
        return "No door is there."
    now = str(door.says.get("state") or "closed")
    state = DOORS[(DOORS.index(now) + 1) % len(DOORS)] if now in DOORS else DOORS[0]
    why = model.draw(text("{what}: {state}", _called(door), state), lambda pen: things.say(pen, door, "state", state))
    return why or text("{what} is {state} on the map.", _called(door), state)


def say(model: Model, name: str, value: things.Said) -> None:
    """A field of what is chosen; what the map cannot have stays in the field, and is told."""
    thing = model.chosen
    if thing is None:
        return
    merge = f"{thing.number} {name}"
    change = (lambda pen: things.rename(pen, thing, str(value))) if name == "name" else (
        lambda pen: things.say(pen, thing, name, value)
    )  # fmt: skip
    why = model.draw(text("{what} changed", _called(thing)), change, merge=merge)
    if why:
        model.typed[name] = str(value)
        model.workspace.toast(why)
    else:
        model.typed.pop(name, None)


# -- parts, and taking up


def paste(model: Model, aim: Aim) -> str:
    """Put the copied part down."""
    part = model.part
    if part is None:
        return "Nothing was copied yet: C and a rectangle copies a part."
    return model.draw("part put down", lambda pen: parts.put_down(pen, part, aim.spot))


def pick(model: Model, aim: Aim) -> str:
    """Take up what is drawn there."""
    loaded = model.document.read()
    field = loaded.field
    if not field.inside(*aim.spot):
        return ""
    cell = field.cell(*aim.spot)
    props = [prop.name for prop in loaded.props if prop.cell == cell]
    found = next((each for each in KINDS if each.way is Way.THING and each.prop in props), None)
    material = loaded.materials[cell]
    found = found or next((each for each in KINDS if each.way is Way.GROUND and each.material == material), None)
    if found is None:
        return "Nothing of the palette is drawn there."
    model.tool = Tool.BRUSH
    model.take(found)
    return text("{material} in hand.", found.label)


def resize(model: Model, by: int) -> None:
    """A larger brush, or a smaller one."""
    model.size = min(LARGEST, max(1, model.size + by))


# -- walls that somebody proposes


def accept(model: Model) -> str:
    """The proposed walls become walls of the map."""
    proposal, model.proposal = model.proposal, None
    if proposal is None:
        return ""
    wall = kind(proposal.wall)

    def put(pen: Pen) -> None:
        if proposal.reasons:
            keeping.keep(pen, proposal.by_stops(), proposal.edges)
            return
        drawing.paint(pen, wall, list(proposal.spots))
        if proposal.edges:
            things.draw_edges(pen, kind("thin wall"), list(proposal.edges))

    why = model.draw("proposed walls taken", put)
    if not why and proposal.reasons:
        return "The walls are kept in a layer of their own; Ctrl+S saves the map."
    return why or ntext(len(proposal.spots), "{n} space is wall now.", "{n} spaces are wall now.")
