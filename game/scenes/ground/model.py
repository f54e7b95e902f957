"""The hand that draws: material, tool, cursor, what is under way and what is chosen. The map is the workspace's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from game.maps.editing import things
from game.maps.editing.document import Document, Spot
from game.maps.editing.kinds import KINDS, Group, Kind, Way, kind
from game.maps.editing.parts import Part
from game.maps.editing.pen import Pen
from game.maps.editing.proposal import Proposal
from game.maps.editing.things import Thing
from game.maps.editing.tools import Edge
from game.maps.mapdata import MapProblem
from game.scenes.setup.workspace import Workspace
from game.setup.ground import Drawn
from rules.contract.errors import said
from rules.contract.text import N


class Tool(StrEnum):
    """What a press on the board does."""

    BRUSH = "brush"
    LINE = "line"
    RECTANGLE = "rectangle"
    ROOM = "room"
    FILL = "fill"
    ERASE = "erase"
    SELECT = "select"
    PART = "part"
    PASTE = "paste"
    PICK = "pick"


TOOLS: dict[Tool, str] = {
    Tool.BRUSH: N("Brush"), Tool.LINE: N("Line"), Tool.RECTANGLE: N("Rectangle"), Tool.ROOM: N("Room"),
    Tool.FILL: N("Fill"), Tool.ERASE: N("Erase"), Tool.SELECT: N("Choose"), Tool.PART: N("Copy"),
    Tool.PASTE: N("Paste"), Tool.PICK: N("Pick up"),
}  # fmt: skip
"""What they are called, in the order of their row."""
SPANNING = (Tool.LINE, Tool.RECTANGLE, Tool.ROOM, Tool.PART)
"""Tools that go from one end to another."""
DRAWING = (Tool.BRUSH, Tool.LINE, Tool.RECTANGLE, Tool.ROOM, Tool.FILL)
"""Tools that draw a material …"""
FITTING = {
    Way.OBJECT: (Tool.BRUSH,), Way.ZONE: (Tool.BRUSH, Tool.RECTANGLE),
    Way.EDGE: (Tool.BRUSH, Tool.LINE, Tool.RECTANGLE, Tool.ROOM),
}  # fmt: skip
"""… and those with which materials are drawn that not all can draw."""
LARGEST = 9
"""Spaces along a side of the largest brush."""


@dataclass(frozen=True)
class Aim:
    """Where the pointer (or the cursor) is: its space, the nearest corner of spaces, and the edge that it is on."""

    spot: Spot
    corner: Spot
    edge: Edge | None = None


@dataclass
class Model:
    """All that is shown and considered while the ground is drawn."""

    workspace: Workspace
    proposal: Proposal | None = None
    kind: Kind = field(default_factory=lambda: kind("slate"))
    tool: Tool = Tool.BRUSH
    size: int = 1
    thin_rooms: bool = False
    """Whether a room's walls stand on the edges of its spaces; else spaces around it are its walls."""
    floor: Kind = field(default_factory=lambda: kind("slate"))
    """The last floor that was taken up: rooms have it."""
    wall: Kind = field(default_factory=lambda: kind("wall"))
    """The last wall that was taken up."""
    latest: dict[Group, Kind] = field(default_factory=dict)
    aim: Aim | None = None
    """Where the pointer is; None off the board."""
    anchor: Aim | None = None
    """Where a line, a rectangle or the like began."""
    by_keys: bool = False
    """The cursor counts, not the pointer."""
    pen: Pen | None = None
    """What is being drawn."""
    before: Aim | None = None
    """Where the brush was last."""
    erasing: str = ""
    """What the eraser takes on its way: edges, objects, things or ground."""
    selected: int = 0
    """The number of the object that is chosen."""
    moved: Spot | None = None
    """Where the chosen one is dragged from."""
    part: Part | None = None
    """What was copied."""
    tint: bool = True
    typed: dict[str, str] = field(default_factory=dict)
    """What stands in fields although the map cannot have it."""

    # -- the map that is drawn on

    @property
    def level(self) -> int:
        return max(0, self.workspace.camera.level)

    @property
    def top(self) -> int:
        """The row of the place at which this map begins."""
        return self.workspace.camera.whole.top

    @property
    def document(self) -> Document:
        """The map's document."""
        return self.workspace.work().document(self.level)

    def local(self, spot: Spot) -> Spot:
        """A space of the place as this map counts it."""
        return spot[0], spot[1] - self.top

    def on_board(self, spot: Spot) -> Spot:
        """A space of this map as the place counts it."""
        return spot[0], spot[1] + self.top

    @property
    def cursor(self) -> Spot:
        return self.local(self.workspace.cursor)

    @property
    def target(self) -> Aim:
        """Where something would be drawn: at the pointer, else at the cursor."""
        if self.aim is not None and not self.by_keys:
            return self.aim
        return Aim(self.cursor, self.cursor)

    @property
    def chosen(self) -> Thing | None:
        """The object that is chosen, as it is now."""
        return things.by_number(self.document, self.selected) if self.selected else None

    # -- material and tool

    def take(self, wanted: Kind) -> None:
        """Take a material up; with a tool that can't draw it in hand, the brush."""
        self.kind, self.latest[wanted.group] = wanted, wanted
        if wanted.group is Group.FLOOR and wanted.name != "bridge":
            self.floor = wanted
        if wanted.group is Group.WALL and wanted.way is Way.GROUND:
            self.wall = wanted
        if self.tool not in FITTING.get(wanted.way, DRAWING):
            self.tool = Tool.BRUSH
        self.anchor, self.selected = None, 0

    def step(self, by: int) -> None:
        """The next material of all, or the one before."""
        self.take(KINDS[(KINDS.index(self.kind) + by) % len(KINDS)])

    def group(self, group: Group) -> None:
        """The material of a group that was in hand last; with one of it in hand already, the next one."""
        own = [each for each in KINDS if each.group is group]
        if self.kind.group is group:
            self.take(own[(own.index(self.kind) + 1) % len(own)])
        else:
            self.take(self.latest.get(group, own[0]))

    def choose_tool(self, tool: Tool) -> None:
        """Take a tool."""
        self.tool, self.anchor = tool, None
        if tool is not Tool.SELECT:
            self.selected = 0

    # -- drawing

    def draw(self, what: str, how: Callable[[Pen], object], *, merge: str = "") -> str:
        """One whole stroke: done, read, and a step to be taken back. Why not, in a line; empty if it was done."""
        pen = self.workspace.work().pen(self.level, what)
        try:
            how(pen)
            pen.lift()
            return self.put_in(pen, merge=merge)
        except MapProblem as problem:
            pen.give_up()
            return said(problem)

    def put_in(self, pen: Pen, *, merge: str = "") -> str:
        """What a pen drew becomes a step; why it cannot be, in a line."""
        if not pen.stroke:
            return ""
        try:
            loaded = self.workspace.work().whole()
        except MapProblem as problem:
            pen.give_up()
            return said(problem)
        if loaded is not self.workspace.loaded:
            self.workspace.reground(loaded)
        self.workspace.editor.drawn(pen.what, Drawn(self.level, pen.stroke), merge=merge)
        return ""

    def show(self) -> str:
        """The board as it is in the middle of a stroke; why that cannot be, in a line."""
        assert self.pen is not None
        try:
            self.pen.lift()
            self.workspace.reground(self.workspace.work().whole())
        except MapProblem as problem:
            self.pen.give_up()
            return said(problem)
        return ""
