"""Plans of maps that are drawn: free walls and leaves over a picture, as virtual tabletops have them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from game.importing import lines
from game.importing.lines import Leaf, Line
from game.importing.loose import Parts
from game.importing.plan import (
    Barrier,
    DoorKind,
    Edge,
    ImportProblem,
    Picture,
    Plan,
    PlanDoor,
    PlanLight,
    PlanNote,
    Space,
)
from game.maps.limits import MAX_SIDE
from rules.board.fixtures import DoorState
from rules.contract.text import ntext, text

WORTH_A_LOOK = 0.2
"""From this share of walls off the grid on, one should look at the map before playing on it."""
BRIGHT, DIM = 0.6, 0.3
"""Luminance of the light of day from which on it is bright, and dim."""


class Opening(NamedTuple):
    """A door, or a window, in free lines."""

    leaf: Leaf
    window: bool = False
    state: DoorState = DoorState.CLOSED
    kind: DoorKind = DoorKind.DOOR
    name: str = ""


@dataclass
class Drawing:
    """What a reader found in such a file, in spaces from the upper left corner of what is shown."""

    format: str
    name: str
    columns: float
    rows: float
    walls: list[Line] = field(default_factory=list)
    openings: list[Opening] = field(default_factory=list)
    lights: list[PlanLight] = field(default_factory=list)
    notes: list[PlanNote] = field(default_factory=list)
    covered: list[list[tuple[float, float]]] = field(default_factory=list)
    """Outlines of things that keep light away."""
    picture: Picture | None = None
    windows: int = 0
    """Walls that are seen through, beside those among the openings."""
    ambient: str = "bright"
    title: str = ""
    parts: Parts = field(default_factory=Parts)


def planned(drawing: Drawing) -> Plan:
    """A drawing on a grid. Raises ImportProblem for one that no map holds."""
    columns, rows = sides(drawing.columns, drawing.rows, drawing.name)
    if len(drawing.walls) > lines.MOST_LINES:
        wrong = "{name}: has {count} pieces of wall; 200,000 are the most"
        raise ImportProblem(wrong, drawing.name, len(drawing.walls))
    drawing = _shifted(drawing)
    walls = lines.clipped(drawing.walls, columns, rows)
    grid = lines.rasterised(walls, columns, rows, drawing.name)
    doors, windows = _leaves(drawing, grid)
    inside = [light for light in drawing.lights if 0 <= light.x < columns and 0 <= light.y < rows]
    if (outside := len(drawing.lights) - len(inside)) > 0:
        drawing.parts.tell(ntext(outside, "1 light lies outside the map and is left out",
                                 "{n} lights lie outside the map and are left out"))  # fmt: skip
    notes = [note for note in drawing.notes if 0 <= note.x < columns and 0 <= note.y < rows]
    lit = {(int(light.x), int(light.y)) for light in inside}
    edges = [edge for door in doors for edge in door.edges]
    found = lines.ground(grid, [*edges, *_of(windows)], lit, lines.border_walls(walls, grid))
    share = lines.off_grid(walls)
    if share > WORTH_A_LOOK:
        wrong = "{share} % of the walls' length lies off the grid: look at the map before you play on it"
        drawing.parts.tell(text(wrong, round(100 * share)))
    return Plan(
        format=drawing.format, columns=columns, rows=rows, floor=found.floor, walls=_kept(grid, found.floor, edges),
        doors=tuple(doors), windows=len(windows) + drawing.windows, lights=tuple(inside), notes=tuple(notes),
        difficult=_covered(drawing, columns, rows) & found.floor, picture=drawing.picture, ambient=drawing.ambient,
        title=drawing.title, off_grid=share, warnings=drawing.parts.warnings,
    )  # fmt: skip


def sides(columns: float, rows: float, name: str) -> tuple[int, int]:
    """A map's size in whole spaces. Raises ImportProblem for none, and for one beyond what a map holds."""
    wide, high = math.ceil(columns - 0.01), math.ceil(rows - 0.01)
    if not (1 <= wide <= MAX_SIDE and 1 <= high <= MAX_SIDE):
        raise ImportProblem("{name}: is {columns} × {rows} spaces large; 1 to {most} each way are needed", name,
                            f"{columns:g}", f"{rows:g}", MAX_SIDE)  # fmt: skip
    return wide, high


def _shifted(drawing: Drawing) -> Drawing:
    """The same with its walls on the lines of the grid, where they run through the middle of its spaces."""
    across, down = lines.phase(drawing.walls)
    if not (across or down):
        return drawing
    dx, dy = (-0.5 if across else 0.0), (-0.5 if down else 0.0)
    if across and any(line.x1 < 0.25 for line in drawing.walls if abs(line.x1 - line.x2) <= lines.STRAIGHT):
        dx = 0.5
    if down and any(line.y1 < 0.25 for line in drawing.walls if abs(line.y1 - line.y2) <= lines.STRAIGHT):
        dy = 0.5
    drawing.parts.tell("the walls ran through the middle of the spaces: the grid is shifted by half a space")
    picture = drawing.picture
    return replace(
        drawing,
        walls=[Line(w.x1 + dx, w.y1 + dy, w.x2 + dx, w.y2 + dy, w.barrier) for w in drawing.walls],
        openings=[o._replace(leaf=Leaf(o.leaf.x1 + dx, o.leaf.y1 + dy, o.leaf.x2 + dx, o.leaf.y2 + dy))
                  for o in drawing.openings],
        lights=[replace(light, x=light.x + dx, y=light.y + dy) for light in drawing.lights],
        notes=[replace(note, x=note.x + dx, y=note.y + dy) for note in drawing.notes],
        covered=[[(x + dx, y + dy) for x, y in outline] for outline in drawing.covered],
        picture=None if picture is None else replace(picture, x=picture.x + dx, y=picture.y + dy),
    )  # fmt: skip


def _leaves(drawing: Drawing, grid: lines.Grid) -> tuple[list[PlanDoor], list[tuple[Edge, ...]]]:
    """Doors on their edges, where no wall is any more, and the edges of each window."""
    doors, windows, taken = list[PlanDoor](), list[tuple[Edge, ...]](), set[Edge]()
    for opening in drawing.openings:
        (x, y) = opening.leaf.middle
        edges = tuple(edge for edge in lines.edges_of(opening.leaf, grid) if edge not in taken)
        if not edges:
            if -lines.NEAR <= x <= grid.columns + lines.NEAR and -lines.NEAR <= y <= grid.rows + lines.NEAR:
                what = "window" if opening.window else "door"
                drawing.parts.tell(text("a {what} at column {column}, row {row} has no edge to stand on", what,
                                        math.floor(x) + 1, math.floor(y) + 1))  # fmt: skip
            continue
        taken.update(edges)
        for edge in edges:
            grid.walls.pop(edge, None)
            for space in ((edge.x, edge.y), edge.beyond):
                grid.solid.discard(space)
        if opening.window:
            windows.append(edges)
            grid.walls.update(dict.fromkeys(edges, Barrier.WINDOW))
        else:
            doors.append(PlanDoor(edges=edges, state=opening.state, kind=opening.kind, name=opening.name))
    return doors, windows


def _of(windows: Sequence[tuple[Edge, ...]]) -> list[Edge]:
    return [edge for edges in windows for edge in edges]


def _kept(grid: lines.Grid, floor: frozenset[Space], doors: Iterable[Edge]) -> dict[Edge, Barrier]:
    """The walls that part two spaces of floor: beside any other space nobody can be."""
    shut = set(doors)
    return {
        edge: barrier
        for edge, barrier in sorted(grid.walls.items())
        if edge not in shut and (edge.x, edge.y) in floor and edge.beyond in floor
    }


def _covered(drawing: Drawing, columns: int, rows: int) -> frozenset[Space]:
    """Spaces whose middle things that keep light away cover, at least by half."""
    found = set[Space]()
    for outline in drawing.covered:
        xs, ys = [x for x, _ in outline], [y for _, y in outline]
        left, right = max(0, math.floor(min(xs))), min(columns, math.ceil(max(xs)))
        top, bottom = max(0, math.floor(min(ys))), min(rows, math.ceil(max(ys)))
        if (right - left) * (bottom - top) * len(outline) > 4_000_000:
            drawing.parts.skip("outline")
            continue
        for y in range(top, bottom):
            for x in range(left, right):
                spots = [(x + a, y + b) for a in (0.25, 0.75) for b in (0.25, 0.75)]
                if sum(within(spot, outline) for spot in spots) >= 2:
                    found.add((x, y))
    if found:
        drawing.parts.tell(ntext(len(found), "1 space covered by a thing that keeps light away is difficult ground",
                                 "{n} spaces covered by things that keep light away are difficult ground"))  # fmt: skip
    return frozenset(found)


def within(spot: tuple[float, float], outline: Sequence[tuple[float, float]]) -> bool:
    """Whether a point lies inside of a polygon."""
    inside, (x, y) = False, spot
    for number, (x2, y2) in enumerate(outline):
        x1, y1 = outline[number - 1]
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            inside = not inside
    return inside


def ambient_of(colour: object) -> str:
    """`bright`, `dim` or `dark` by a colour of hexadecimal digits, the last six of which are red, green, blue."""
    digits = str(colour).lstrip("#")[-6:] if isinstance(colour, str) else ""
    try:
        red, green, blue = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    except ValueError:
        return "bright"
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "bright" if light >= BRIGHT else "dim" if light >= DIM else "dark"
