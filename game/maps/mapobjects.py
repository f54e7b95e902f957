"""Objects of a map by their classes: who stands where, doors, walls on edges, stairs, lights and the rest."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise
from typing import Any, cast

from pytmx import TiledMap, TiledObjectGroup

from game.maps import limits, terrain
from game.maps.limits import Notes, Place, Strange
from game.maps.mapdata import MapCreature, MapObject, MapProblem, MapProblems, Prop, Spawn, Value, some
from game.maps.words import one_line, shown  # fmt: skip
from rules.board.bitboard import board_of
from rules.board.fixtures import (
    DOOR_KINDS,
    DOOR_STATES,
    GOAL_KINDS,
    LOOKS,
    OBSTACLES,
    Challenge,
    Door,
    Goal,
    door_states,
)
from rules.board.grid import EdgeWall, Light
from rules.board.places import Room
from rules.contract.errors import BattlematError, said
from rules.contract.text import joined, text
from rules.contract.units import EMPTY, Cell
from rules.core.dice import parse
from rules.core.fixtures.contents import parts_of

Points = Sequence[tuple[float, float]]
Edge = tuple[Cell, Cell]
"""The two cells beside an edge, the smaller one first."""

_THIN = 0.4
"""An object narrower than this part of a space may lie on an edge …"""
_NEAR = 0.3
"""… if it is at most this part of a space away from the grid line."""


@dataclass
class Grid:
    """The map's spaces; ``side`` is a space's side in pixels. Counts spaces and edges looked at for all objects."""

    width: int
    height: int
    side: int
    looked: int = 0
    walked: int = 0

    def at(self, x: float, y: float) -> tuple[Cell, ...]:
        """The space at a point in pixels; none outside the map."""
        column, row = math.floor(x / self.side), math.floor(y / self.side)
        return (Cell(row * self.width + column),) if 0 <= column < self.width and 0 <= row < self.height else ()

    def outline(self, obj: Any) -> Points:
        """An object's corners or points in pixels, turned by its rotation."""
        if obj.shape in ("polygon", "polyline"):
            points = [(float(p.x), float(p.y)) for p in obj.points]
        else:
            x, y, w, h = float(obj.x), float(obj.y), float(obj.width), float(obj.height)
            points = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        if not obj.rotation:
            return points
        px, py = (float(part) for part in obj.pivot.split())
        sin, cos = math.sin(math.radians(obj.rotation)), math.cos(math.radians(obj.rotation))
        return [(px + cos * (x - px) - sin * (y - py), py + sin * (x - px) + cos * (y - py)) for x, y in points]

    def cells(self, obj: Any, place: Place) -> tuple[Cell, ...]:
        """The spaces whose centre an object covers; if it covers none, the one under its own centre."""
        outline = self.outline(obj)
        xs, ys = [x for x, _ in outline], [y for _, y in outline]
        if obj.shape == "point" or (max(xs) == min(xs) and max(ys) == min(ys)):
            return self.at(*outline[0])
        if obj.shape == "polyline":
            return tuple(dict.fromkeys(chain.from_iterable(self.at(x, y) for x, y in outline)))
        left, right = self._span(min(xs), max(xs), self.width)
        top, bottom = self._span(min(ys), max(ys), self.height)
        plain = obj.shape not in ("ellipse", "polygon") and not obj.rotation
        area = max(0, right - left) * max(0, bottom - top)
        self.looked += area // 4 if plain else area * max(1, len(outline) // 4)
        if self.looked > limits.MAX_COVERED:
            raise place.problem("brings all objects together beyond what can be read; make large objects smaller")
        side, every = self.side, self._every
        rows = (row * self.width for row in range(top, bottom))
        if plain:
            found = tuple(chain.from_iterable(every[row + left : row + right] for row in rows))
        else:
            covers = _in_ellipse if obj.shape == "ellipse" and not obj.rotation else _in_polygon
            found = tuple(
                every[row + column]
                for row in rows
                for column in range(left, right)
                if covers((column + 0.5) * side, (row // self.width + 0.5) * side, outline)
            )
        return found or self.at((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)

    @cached_property
    def _every(self) -> list[Cell]:
        """Every space once, so that many objects over the same spaces share them."""
        return cast(list[Cell], list(range(self.width * self.height)))

    def _span(self, low: float, high: float, size: int) -> tuple[int, int]:
        """The columns (or rows) whose centres lie between two positions in pixels."""
        return max(0, math.ceil(low / self.side - 0.5)), min(size, math.ceil(high / self.side - 0.5))

    def thin_edges(self, obj: Any, place: Place) -> tuple[Edge, ...] | None:
        """The edges a thin object lies on, none twice; None if it is no thin object on a grid line."""
        outline = self.outline(obj)
        if obj.shape in ("polyline", "polygon"):
            return self.line_edges(outline, obj.shape == "polygon", place) or None
        xs, ys = [x / self.side for x, _ in outline], [y / self.side for _, y in outline]
        wide, high = max(xs) - min(xs), max(ys) - min(ys)
        if min(wide, high) > _THIN or max(wide, high) < _THIN:
            return None
        across, along = (xs, ys) if wide <= high else (ys, xs)
        middle, start = (min(across) + max(across)) / 2, round(min(along))
        if abs(middle - round(middle)) > _NEAR:
            return None
        ends = [(round(middle), start), (round(middle), max(round(max(along)), start + 1))]
        line = [(x * self.side, y * self.side) for x, y in (ends if wide <= high else [(x, y) for y, x in ends])]
        return self.line_edges(line, False, place) or None

    def line_edges(self, points: Points, closed: bool, place: Place) -> tuple[Edge, ...] | None:
        """The edges along a line of points, none twice; None if a part of it leaves the grid lines."""
        snapped = []
        for x, y in points:
            column, row = round(x / self.side), round(y / self.side)
            if max(abs(x / self.side - column), abs(y / self.side - row)) > _NEAR:
                return None
            snapped.append((min(max(column, -1), self.width + 1), min(max(row, -1), self.height + 1)))
        if closed:
            snapped.append(snapped[0])
        found: dict[Edge, None] = {}
        for (x1, y1), (x2, y2) in pairwise(snapped):
            if x1 != x2 and y1 != y2:
                return None
            self.walked += abs(x1 - x2) + abs(y1 - y2)
            if self.walked > limits.MAX_EDGES:
                wrong = "brings all walls and doors together beyond {max_edges} edges; draw shorter lines, none twice"
                raise place.problem(wrong, limits.MAX_EDGES)
            # none lies at the map's border
            rows = range(max(0, min(y1, y2)), min(self.height, max(y1, y2))) if 0 < x1 < self.width else ()
            columns = range(max(0, min(x1, x2)), min(self.width, max(x1, x2))) if 0 < y1 < self.height else ()
            cells = [(Cell(row * self.width + x1), 1) for row in rows]
            cells += [(Cell(y1 * self.width + column), self.width) for column in columns]
            found.update(((cell - before, cell), None) for cell, before in cells)
        return tuple(found)


def _in_ellipse(x: float, y: float, outline: Points) -> bool:
    (left, top), _, (right, bottom), _ = outline
    rx, ry = (right - left) / 2, (bottom - top) / 2
    return bool(rx and ry) and ((x - left - rx) / rx) ** 2 + ((y - top - ry) / ry) ** 2 <= 1


def _in_polygon(x: float, y: float, outline: Points) -> bool:
    inside = False
    for (x1, y1), (x2, y2) in zip(outline, [*outline[1:], outline[0]], strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            inside = not inside
    return inside


_WHO = ("template", "side", "id", "asleep", "group")
_OBSTACLES = {"climb": "face", "water": "deep water", "rubble": "rubble"}
"""What an obstacle without a name is called."""
DUTIES = ("", "guard", "hunt", "warn")
"""What a creature does on an expedition, where nobody is noticed yet."""
LONGEST_NAME = 60
"""Letters of a room's name that are told."""
_MOST_WRONG = 100
"""Objects that are wrong, beyond which the rest is not looked at."""
_NEXT = {"Chest": "chests", "Trap": "traps", "Note": "notes", "Exit": "exits"}


@dataclass(frozen=True, slots=True)
class Given:
    """An object with its properties and a place for complaints."""

    obj: Any
    kind: str
    says: dict[str, Value]
    place: Place

    def text(self, name: str, default: str | None = None) -> str:
        """A property as text; without a default it must be set and not empty."""
        value = self.says.get(name, "")
        if value == "" and default is None:
            wrong = "this {kind} has no {name}; add the property {name} (string) in Tiled"
            raise self.place.problem(wrong, self.kind, name)
        return str(value) if value != "" else str(default or "")

    def word(self, name: str, allowed: tuple[str, ...], default: str) -> str:
        """A property that is one of a few words; true and false mean blocked and open where these are words."""
        value = self.says.get(name, default)
        if isinstance(value, bool) and "blocked" in allowed:
            value = "blocked" if value else "open"
        value = default if value == "" else value
        if value not in allowed:
            wrong = "{name} of this {kind} is {value}; {join} or {allowed} is right"
            raise self.place.problem(wrong, name, self.kind, shown(value), joined(", ", allowed[:-1]), allowed[-1])
        return str(value)

    def count(self, name: str, default: int, most: int = 999) -> int:
        """A property that is a whole number from 0."""
        value = self.says.get(name, default)
        if isinstance(value, str):
            value = int(value) if value.isdecimal() and len(value) < 9 else default if value == "" else value
        if isinstance(value, float) and value == int(value):
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            wrong = "{name} of this {kind} is {value}; a whole number (int) from 0 to {most} is right"
            raise self.place.problem(wrong, name, self.kind, shown(value), most)
        return value

    def yes(self, name: str) -> bool:
        """A property that is true or false."""
        value = self.says.get(name, False)
        if not isinstance(value, bool):
            wrong = "{name} of this {kind} is {value}; true or false (bool) is right"
            raise self.place.problem(wrong, name, self.kind, shown(value))
        return value


_UNSAID = 9
"""What it takes to find a hidden chest that says nothing of it."""


class ObjectReader:
    """Reads all object layers of a normalised map: everything that its objects say."""

    def __init__(self, tmx: TiledMap, grid: Grid, notes: Notes) -> None:
        self._tmx = tmx
        self._grid = grid
        self._spare = replace(grid)
        """Counts what objects without a meaning cover, so that they take nothing away from ours."""
        self._notes = notes
        self._names: set[str] = set()
        self._door_names: set[str] = set()
        self._rounds: list[tuple[Given, str, tuple[Cell, ...]]] = []
        self._wrong: list[MapProblem] = []
        self.spawns: list[Spawn] = []
        self.creatures: list[MapCreature] = []
        self.doors: list[Door] = []
        self.walls: dict[Edge, EdgeWall] = {}
        self.lights: list[Light] = []
        self.climbs: set[Cell] = set()
        self.levels: dict[int, int] = {}
        self.props: list[Prop] = []
        self.chests, self.traps, self.notes = list[MapObject](), list[MapObject](), list[MapObject]()
        self.regions, self.exits, self.others = list[MapObject](), list[MapObject](), list[MapObject]()
        self.challenges: list[Challenge] = []
        self.goals: list[Goal] = []
        self.rooms: list[Room] = []
        self.dark = self.safe = EMPTY
        self._classes: dict[str, Callable[[Given], None]] = {
            "Spawn": self._spawn, "Creature": self._creature, "Door": self._door, "Wall": self._wall,
            "Stairs": self._climb, "Ladder": self._climb, "Light": self._light, "Region": self._region,
            "Chest": self._keep, "Trap": self._keep, "Note": self._keep, "Exit": self._keep,
            "Obstacle": self._obstacle, "Patrol": self._patrol, "Goal": self._goal,
        }  # fmt: skip
        notes.ours = frozenset(self._classes)

    def read(self) -> None:
        """Every object, layer by layer in draw order."""
        groups = [each for each in self._tmx.layers if isinstance(each, TiledObjectGroup)]
        for layer in sorted(groups, key=lambda each: int(each.id)):
            for obj in layer:
                self._trying(self._one, obj, layer.name or "without a name")
        for patrol in () if self._wrong else self._rounds:  # the one it names may be among what is wrong
            self._trying(self._give_round, *patrol)
        if self._wrong:
            raise MapProblems(self._wrong)

    def _trying(self, read: Callable[..., None], *what: Any) -> None:
        """Go on past an object that is wrong, so that whoever mends the map hears of all of them at once."""
        try:
            read(*what)
        except MapProblem as problem:
            self._wrong.append(problem.with_traceback(None))
            if len(self._wrong) >= _MOST_WRONG:
                raise MapProblems(self._wrong) from None

    def _one(self, obj: Any, layer: str) -> None:
        kind = obj.type or ""
        says = {name: "" if value is None else value for name, value in obj.properties.items()}
        given = Given(obj, kind, says, Place(self._notes.file, layer, str(obj.id)))
        reader = self._classes.get(kind)
        if reader is not None:
            reader(given)
            return
        if kind:
            self._notes.count(Strange.CLASS, kind, given.place)
        elif obj.shape not in ("text", "tile"):
            self._notes.count(Strange.SHAPE, "", given.place)
        try:
            cells = self._spare.cells(obj, given.place)
        except MapProblem:  # too many spaces: just one
            cells = self._grid.at(*self._grid.outline(obj)[0])
        if cells:
            self.others.append(self._plain(given, cells))

    def _plain(self, given: Given, cells: tuple[Cell, ...]) -> MapObject:
        obj = given.obj
        says = dict(given.says)
        if obj.shape == "text":
            says.setdefault("text", obj.words)
        return MapObject(given.kind, obj.name or "", cells, says, int(obj.id), given.place.layer, bool(obj.visible))

    def _cells(self, given: Given) -> tuple[Cell, ...]:
        """The spaces of an object that must have at least one."""
        cells = self._grid.cells(given.obj, given.place)
        if not cells:
            raise given.place.problem("this {kind} lies outside the map; move it inside", given.kind)
        return cells

    def _spawn(self, given: Given) -> None:
        side = given.text("side")
        self.spawns.append(Spawn(side, given.count("count", 0), self._cells(given), int(given.obj.id)))

    def _creature(self, given: Given) -> None:
        template, side = given.text("template"), given.text("side")
        name = given.text("id", "") or f"{template}-{given.obj.id}"
        if name in self._names:
            raise given.place.problem("id {name} of this Creature is used twice; give each its own", shown(name))
        self._names.add(name)
        says = ((key, value) for key, value in given.says.items() if key not in _WHO)
        overrides = {key: value for key, value in says if value != "" and (key, value) != ("prisoner", False)}
        cell, asleep, group = self._cells(given)[0], given.yes("asleep"), given.text("group", "")
        duty = given.word("duty", DUTIES, "")
        given.yes("prisoner")
        if given.text("warns", "") and duty != "warn":
            raise given.place.problem(
                "this Creature warns somebody, but its duty is {duty}; warn is right", shown(duty)
            )
        called, number = given.obj.name or "", int(given.obj.id)
        who = MapCreature(
            template, side, name, cell, asleep=asleep, group=group, overrides=overrides, name=called, object_id=number
        )
        self.creatures.append(who)

    def _patrol(self, given: Given) -> None:
        self._rounds.append((given, given.text("of", "") or given.obj.name or "", self._cells(given)))

    def _give_round(self, given: Given, name: str, cells: tuple[Cell, ...]) -> None:
        """A Patrol's way points to the creature that it names."""
        where = next((i for i, one in enumerate(self.creatures) if one.id == name), None)
        if where is None:
            known = some(one.id for one in self.creatures) or "none"
            wrong = "of this Patrol is {name}, which is no Creature's id; there are {known}"
            raise given.place.problem(wrong, shown(name), known)
        self.creatures[where] = replace(self.creatures[where], patrol=cells)

    def _door(self, given: Given) -> None:
        state = given.word("state", DOOR_STATES, "closed")
        key, difficulty = given.text("key", ""), given.count("difficulty", 9, 99)
        kind = given.word("kind", DOOR_KINDS, "door")
        if state not in door_states(kind):
            raise given.place.problem("this portcullis is {what}; open or closed is right", state)
        name = given.text("id", "") or given.obj.name or text("door {id}", given.obj.id)
        edges = self._grid.thin_edges(given.obj, given.place)
        if edges is None and given.obj.shape == "polyline":
            raise given.place.problem("this Door is a line off the grid lines; draw it along one, or as a rectangle")
        places: Sequence[tuple[Cell, Cell | None]] = edges or [(cell, None) for cell in self._cells(given)]
        if len(self.doors) + len(places) > limits.MAX_DOORS:
            wrong = "brings the map beyond {max_doors} doors, each space and edge being one; draw it smaller"
            raise given.place.problem(wrong, limits.MAX_DOORS)
        for number, (cell, edge) in enumerate(places, 1):
            unique = name if number == 1 else text("{name} ({number})", name, number)
            if unique in self._door_names:
                unique = text("{unique} #{id}", unique, given.obj.id)
            self._door_names.add(unique)
            self.doors.append(Door(unique, cell, edge, state, key, difficulty, kind))

    def _wall(self, given: Given) -> None:
        obj = given.obj
        sight = given.word("sight", ("open", "blocked"), "blocked") == "blocked"
        move = given.word("move", ("open", "blocked"), "blocked") == "blocked"
        edges = self._grid.thin_edges(obj, given.place)
        if edges is None and obj.shape in ("rectangle", "tile"):
            edges = self._grid.line_edges(self._grid.outline(obj), True, given.place) or None
        if edges is None:
            raise given.place.problem(
                "this Wall does not run along the grid lines inside the map; snap its points to the grid "
                "(View > Snapping) and use no diagonals"
            )
        for edge in edges:
            old = self.walls.get(edge, EdgeWall(*edge, False, False))
            self.walls[edge] = EdgeWall(*edge, old.move or move, old.sight or sight)

    def _climb(self, given: Given) -> None:
        cells = self._cells(given)
        fresh = set(cells) - self.climbs
        self.climbs.update(fresh)
        self.props += [Prop(cell, given.kind.lower()) for cell in cells if cell in fresh]
        kept = self._plain(given, cells)
        (self.exits if given.text("to_map", "") else self.others).append(kept)

    def _light(self, given: Given) -> None:
        bright = given.count("bright", 3, terrain.MAX_LIGHT)
        dim = given.count("dim", 2 * bright, terrain.MAX_LIGHT)
        self.lights += [Light(cell, bright, max(bright, dim)) for cell in self._cells(given)[:1]]

    def _region(self, given: Given) -> None:
        cells, kind = self._cells(given), given.text("kind", "")
        if kind == "level":
            self.levels.update(dict.fromkeys(cells, given.count("level", 0, terrain.MAX_LEVEL)))
        elif kind == "room":
            name = given.obj.name or given.text("text", "")
            if not name:
                raise given.place.problem("this Region of kind room has no name; give it one in Tiled, it is told")
            self.rooms.append(Room(one_line(name, LONGEST_NAME), board_of(cells)))
        elif kind == "dark":
            self.dark |= board_of(cells)
        elif kind == "safe":
            self.safe |= board_of(cells)
        self.regions.append(self._plain(given, cells))

    def _keep(self, given: Given) -> None:
        """A trap or chest is as well what the rules see; a difficulty of 0 means: nothing to overcome. A chest that
        holds something, or is hidden, can be opened all the same."""
        cells, kind = self._cells(given), given.kind.lower()
        getattr(self, _NEXT[given.kind]).append(self._plain(given, cells))
        if kind not in ("trap", "chest"):
            return
        difficulty, damage = given.count("difficulty", 0, 99), given.text("damage", "")
        effect, contents, key = given.text("effect", ""), given.text("contents", ""), given.text("key", "")
        notice = given.count("notice", difficulty, 99)
        if kind == "chest":
            notice = notice or difficulty or _UNSAID
        for what, read in (("damage", parse), ("contents", parts_of)):
            said_of_it = damage if what == "damage" else contents
            try:
                if said_of_it:
                    read(said_of_it)
            except BattlematError as error:
                told = "{what} of this {kind}: {error}"
                raise given.place.problem(told, what, given.kind, said(error)) from None
        hidden = kind == "trap" or given.yes("hidden")
        if not (difficulty or (kind == "chest" and (contents or key or hidden))):
            return
        name = self._challenge_name(given, kind)
        known = tuple(part.strip() for part in given.text("known", "monsters").split(",") if part.strip())
        made = Challenge(
            name, kind, cells, difficulty, notice, damage=damage, effect=effect, contents=contents, hidden=hidden,
            known=known, key=key, look=self._look(given) if kind == "chest" else "",
        )  # fmt: skip
        self.challenges.append(made)

    def _look(self, given: Given) -> str:
        """What a chest looks like."""
        look = given.text("kind", "")
        if look and look not in LOOKS:
            told = "kind of this Chest is {look}, which is unknown: it looks like a chest; known are {known}"
            self._notes.say(text(told, shown(look), joined(", ", LOOKS)), given.place)
        return look

    def _challenge_name(self, given: Given, kind: str) -> str:
        name = given.text("id", "") or given.obj.name or kind
        taken = {challenge.id for challenge in self.challenges}
        return text("{name} {id}", name, given.obj.id) if name in taken else name

    def _obstacle(self, given: Given) -> None:
        """A face or low wall to climb (on spaces, or drawn as a line along edges), deep water, rubble."""
        kind = given.word("kind", OBSTACLES, "")
        difficulty, height = given.count("difficulty", 9, 99), given.count("height", 1, terrain.MAX_LEVEL)
        line = given.obj.shape == "polyline"
        edges = (self._grid.thin_edges(given.obj, given.place) or ()) if line or kind == "climb" else ()
        if line and not edges:
            raise given.place.problem("this Obstacle is a line off the grid lines; draw it along one, or as a shape")
        if edges and kind != "climb":
            raise given.place.problem("this Obstacle of kind {kind} is a line; draw it over its spaces", kind)
        cells = tuple(sorted({cell for edge in edges for cell in edge})) or self._cells(given)
        if not difficulty:
            raise given.place.problem("difficulty of this Obstacle is 0; a whole number (int) from 1 to 99 is right")
        name = self._challenge_name(given, _OBSTACLES[kind])
        self.challenges.append(Challenge(name, kind, cells, difficulty, difficulty, edges=edges, height=height))
        self.others.append(self._plain(given, cells))

    def _goal(self, given: Given) -> None:
        """Something to be done; a point or shape that marks a mere task need not lie anywhere in particular."""
        kind = given.word("kind", GOAL_KINDS, "")
        needs = tuple(part.strip() for part in given.text("needs", "").split(",") if part.strip())
        made = Goal(
            given.text("id", "") or given.obj.name or f"{kind} {given.obj.id}", kind, given.text("what", ""),
            self._grid.cells(given.obj, given.place) if kind in _PLACED else (), given.count("rounds", 0),
            given.text("text", ""), given.yes("optional"), needs, given.text("side", "heroes"),
            given.text("state", ""),
        )  # fmt: skip
        try:
            made.check(self._grid.width * self._grid.height)
        except BattlematError as error:
            raise given.place.problem("of class Goal: {error}", said(error)) from None
        self.goals.append(made)
        self.others.append(self._plain(given, made.cells))


_PLACED = ("reach", "hold", "unseen")
"""Goals that count on the spaces where they are drawn."""
