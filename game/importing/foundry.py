"""Scenes of Foundry VTT (versions 8 to 14): one JSON object, or lines of a compendium of which the first is read."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import Any

from game.importing import lines, loose
from game.importing.drawn import Drawing, Opening, planned
from game.importing.lines import Leaf, Line
from game.importing.plan import Barrier, ImportProblem, Plan, PlanLight, PlanNote
from rules.board.fixtures import DoorState
from rules.contract.text import text

FORMAT = "foundry"
SQUARE = 1
"""The kind of grid that is ours; 0 is none, others are of hexagons."""
DARK, DIM = 0.75, 0.35
"""Darkness from which on a scene is dark, and dim."""


class DoorType(IntEnum):
    """What a wall is."""

    NONE = 0
    DOOR = 1
    SECRET = 2


STATES = {0: DoorState.CLOSED, 1: DoorState.OPEN, 2: DoorState.LOCKED}
LIMITED = (2, 10)
"""Sight past the first such wall, not past the second (versions up to 8, and after)."""
SIGHT_BLOCKED = (1, 20)
MOVE_BLOCKED = (1, 20)


def fits(document: Any) -> bool:
    """Whether a JSON document is one of these."""
    return (
        isinstance(document, Mapping)
        and isinstance(document.get("walls"), list)
        and "grid" in document
        and ("width" in document or "levels" in document)
    )


def read(document: Mapping[str, Any], name: str) -> Plan:
    """The plan of a scene. Raises ImportProblem for one of hexagons, without a size, or beyond what a map holds."""
    kind, side, distance = _grid(document, name)
    wide, high = loose.number(document.get("width")), loose.number(document.get("height"))
    if wide is None or high is None:
        raise ImportProblem("{name}: width and height are missing; export the scene again (“Export Data”)", name)
    left, top = _corner(document, (wide, high), side)
    drawing = Drawing(FORMAT, name, wide / side, high / side, title=loose.words(document.get("name"))[:80])
    if kind != SQUARE:
        drawing.parts.tell("the scene has no grid: its size of a space is taken for one")
    place = _Place(left, top, side)
    _walls(drawing, document, place)
    drawing.lights = list(_lights(drawing, document.get("lights"), place, distance))
    drawing.notes = list(_notes(drawing, document, place))
    darkness = loose.number(document.get("darkness"))
    if darkness is None and isinstance(there := document.get("environment"), Mapping):
        darkness = loose.number(there.get("darknessLevel"))
    darkness = darkness or 0.0
    drawing.ambient = "dark" if darkness >= DARK else "dim" if darkness >= DIM else "bright"
    if isinstance(document.get("levels"), list) and len(document["levels"]) > 1:
        drawing.parts.tell("it has several levels: all of them are on one map")
    if document.get("_several") is True:
        drawing.parts.tell(text("it has several scenes: this is {scene}; export the others one by one", drawing.title))
    drawing.parts.tell("its picture is not in the file: the map is drawn with our own tiles")
    return planned(drawing)


def _grid(document: Mapping[str, Any], name: str) -> tuple[int, float, float]:
    """The kind of grid, pixels of a space, and how many units it is wide. Raises ImportProblem for hexagons."""
    grid = document.get("grid")
    if isinstance(grid, Mapping):
        kind, side, distance = (loose.number(grid.get(key)) for key in ("type", "size", "distance"))
    else:
        told = (document.get("gridType"), grid, document.get("gridDistance"))
        kind, side, distance = map(loose.number, told)
    if kind is not None and kind >= 2:
        raise ImportProblem("{name}: its grid is of hexagons; a grid of squares is needed", name)
    if side is None or side < 1:
        raise ImportProblem("{name}: the size of its grid is missing; export the scene again (“Export Data”)", name)
    return (SQUARE if kind is None else int(kind)), side, distance if distance is not None and distance > 0 else 5.0


def _corner(document: Mapping[str, Any], size: tuple[float, float], side: float) -> tuple[float, float]:
    """Where the picture begins: after the padding, moved as the scene says."""
    padding = loose.number(document.get("padding"))
    padding = 0.25 if padding is None else padding
    left, top = (math.ceil(padding * each / side) * side for each in size)
    background = document.get("background")
    if isinstance(background, Mapping):
        across, down = loose.number(background.get("offsetX")), loose.number(background.get("offsetY"))
    else:
        across, down = loose.number(document.get("shiftX")), loose.number(document.get("shiftY"))
    return left - (across or 0.0), top - (down or 0.0)


class _Place:
    """Pixels of a scene as spaces of the map."""

    def __init__(self, left: float, top: float, side: float) -> None:
        self.left, self.top, self.side = left, top, side

    def of(self, x: float, y: float) -> tuple[float, float]:
        return (x - self.left) / self.side, (y - self.top) / self.side


def _walls(drawing: Drawing, document: Mapping[str, Any], place: _Place) -> None:
    """Walls by what they keep out, doors apart."""
    limited = one_way = 0
    for wall in drawing.parts.listed(document.get("walls"), "wall", lines.MOST_LINES):
        ends = wall.get("c") if isinstance(wall, Mapping) else None
        spots = [loose.number(value) for value in ends[:4]] if isinstance(ends, list) else []
        if len(found := [spot for spot in spots if spot is not None]) != 4:
            drawing.parts.skip("wall")
            continue
        (x1, y1), (x2, y2) = place.of(*found[:2]), place.of(*found[2:])
        door, state = (loose.number(wall.get(key)) or 0 for key in ("door", "ds"))
        move = loose.number(wall.get("move"))
        sense = loose.number(wall.get("sight", wall.get("sense")))
        move, sense = 20 if move is None else move, 20 if sense is None else sense
        limited += sense in LIMITED
        one_way += bool(loose.number(wall.get("dir")))
        if door in (DoorType.DOOR, DoorType.SECRET):
            shown = STATES.get(int(state), DoorState.CLOSED)
            secret = door == DoorType.SECRET and shown is not DoorState.OPEN
            drawing.openings.append(Opening(Leaf(x1, y1, x2, y2), state=DoorState.SECRET if secret else shown))
        elif (barrier := _barrier(move, sense)) is not None and (x1, y1) != (x2, y2):
            drawing.walls.append(Line(x1, y1, x2, y2, barrier))
            drawing.windows += barrier is Barrier.WINDOW and sense not in LIMITED
    if limited:
        drawing.parts.tell(text("{count} walls limit sight only behind a second one: they are seen through", limited))
    if one_way:
        drawing.parts.tell(text("{count} walls work from one side only: here they work from both", one_way))


def _barrier(move: float, sight: float) -> Barrier | None:
    """What a wall is to us; None for one that keeps out neither bodies nor looks."""
    blocks, hides = move in MOVE_BLOCKED, sight in SIGHT_BLOCKED
    if blocks:
        return Barrier.WALL if hides else Barrier.WINDOW
    return Barrier.CURTAIN if hides else None


def _lights(drawing: Drawing, value: Any, place: _Place, distance: float) -> Iterator[PlanLight]:
    """Lights, whose reaches are told in units of distance."""
    for light in drawing.parts.listed(value, "light", 10_000):
        config = light.get("config", light) if isinstance(light, Mapping) else None
        where = loose.point(light)
        if where is None or not isinstance(config, Mapping):
            drawing.parts.skip("light")
            continue
        bright, dim = ((loose.number(config.get(key)) or 0.0) / distance for key in ("bright", "dim"))
        if max(bright, dim) > 0:
            yield PlanLight(*place.of(*where), max(0.0, bright), max(bright, dim))


def _notes(drawing: Drawing, document: Mapping[str, Any], place: _Place) -> Iterator[PlanNote]:
    """Pins with their words."""
    for note in drawing.parts.listed(document.get("notes"), "note", 2_000):
        where, words = loose.point(note), loose.words(note.get("text") if isinstance(note, Mapping) else None)
        if where is not None and words:
            yield PlanNote(*place.of(*where), words[:60], words if len(words) > 60 else "")
