"""Objects of a map by their classes: who stands where, doors, walls on edges, stairs, lights and the rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from pytmx import TiledMap, TiledObjectGroup

from game.maps import limits, terrain
from game.maps.limits import Place
from game.maps.lines import shown, some
from game.maps.mapdata import MapCreature, MapObject, MapProblem, MapProblems, Prop, Spawn, Value
from game.maps.notes import Notes
from game.maps.shapes import Edge, Grid
from rules.board.grid import DOOR_KINDS, OBSTACLES, Challenge, Door, EdgeWall, Light, door_states
from rules.contract.errors import BattlematError
from rules.core.dice import parse

DOOR_STATES = ("open", "closed", "locked", "secret", "barred")
_WHO = ("template", "side", "id", "asleep", "group")
_OBSTACLES = {"climb": "face", "water": "deep water", "rubble": "rubble"}
"""What an obstacle without a name is called."""
_MOST_WRONG = 100
"""Objects that are wrong, beyond which the rest is not looked at."""
_NEXT = {"Chest": "chests", "Trap": "traps", "Note": "notes", "Exit": "exits"}


@dataclass(slots=True)
class Found:
    """Everything that the objects of a map say."""

    spawns: list[Spawn] = field(default_factory=list)
    creatures: list[MapCreature] = field(default_factory=list)
    doors: list[Door] = field(default_factory=list)
    walls: dict[Edge, EdgeWall] = field(default_factory=dict)
    lights: list[Light] = field(default_factory=list)
    climbs: set[int] = field(default_factory=set)
    levels: dict[int, int] = field(default_factory=dict)
    props: list[Prop] = field(default_factory=list)
    chests: list[MapObject] = field(default_factory=list)
    traps: list[MapObject] = field(default_factory=list)
    notes: list[MapObject] = field(default_factory=list)
    regions: list[MapObject] = field(default_factory=list)
    exits: list[MapObject] = field(default_factory=list)
    others: list[MapObject] = field(default_factory=list)
    challenges: list[Challenge] = field(default_factory=list)


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
            raise self.place.problem(f"this {self.kind} has no {name}; add the property {name} (string) in Tiled")
        return str(value) if value != "" else str(default or "")

    def word(self, name: str, allowed: tuple[str, ...], default: str) -> str:
        """A property that is one of a few words; true and false mean blocked and open where these are words."""
        value = self.says.get(name, default)
        if isinstance(value, bool) and "blocked" in allowed:
            value = "blocked" if value else "open"
        value = default if value == "" else value
        if value not in allowed:
            raise self.place.problem(
                f"{name} of this {self.kind} is {shown(value)}; {', '.join(allowed[:-1])} or {allowed[-1]} is right"
            )
        return str(value)

    def count(self, name: str, default: int, most: int = 999) -> int:
        """A property that is a whole number from 0."""
        value = self.says.get(name, default)
        if isinstance(value, str):
            value = int(value) if value.isdecimal() and len(value) < 9 else default if value == "" else value
        if isinstance(value, float) and value == int(value):
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise self.place.problem(
                f"{name} of this {self.kind} is {shown(value)}; a whole number (int) from 0 to {most} is right"
            )
        return value

    def yes(self, name: str) -> bool:
        """A property that is true or false."""
        value = self.says.get(name, False)
        if not isinstance(value, bool):
            raise self.place.problem(f"{name} of this {self.kind} is {shown(value)}; true or false (bool) is right")
        return value


class ObjectReader:
    """Reads all object layers of a normalised map."""

    def __init__(self, tmx: TiledMap, grid: Grid, file: str, notes: Notes) -> None:
        self._tmx = tmx
        self._grid = grid
        self._spare = replace(grid)
        """Counts what objects without a meaning cover, so that they take nothing away from ours."""
        self._file = file
        self._notes = notes
        self._names: set[str] = set()
        self._doors: set[str] = set()
        self._rounds: list[tuple[Given, str, tuple[int, ...]]] = []
        self._wrong: list[MapProblem] = []
        self.found = Found()
        self._classes: dict[str, Callable[[Given], None]] = {
            "Spawn": self._spawn, "Creature": self._creature, "Door": self._door, "Wall": self._wall,
            "Stairs": self._climb, "Ladder": self._climb, "Light": self._light, "Region": self._region,
            "Chest": self._keep, "Trap": self._keep, "Note": self._keep, "Exit": self._keep,
            "Obstacle": self._obstacle, "Patrol": self._patrol,
        }  # fmt: skip
        notes.ours = frozenset(self._classes)

    def read(self) -> Found:
        """Every object, layer by layer in draw order."""
        groups = [each for each in self._tmx.layers if isinstance(each, TiledObjectGroup)]
        for layer in sorted(groups, key=lambda each: int(each.id)):
            for obj in layer:
                self._trying(self._one, obj, layer.name or "without a name")
        for patrol in () if self._wrong else self._rounds:  # the one it names may be among what is wrong
            self._trying(self._give_round, *patrol)
        if self._wrong:
            raise MapProblems(self._wrong)
        return self.found

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
        given = Given(obj, kind, says, Place(self._file, layer, str(obj.id)))
        reader = self._classes.get(kind)
        if reader is not None:
            reader(given)
            return
        if kind:
            self._notes.unknown_class(kind, given.place)
        elif obj.shape not in ("text", "tile"):
            self._notes.no_class(given.place)
        cells = self._about(given)
        if cells:
            self.found.others.append(self._plain(given, cells))

    def _about(self, given: Given) -> tuple[int, ...]:
        """The spaces of an object that means nothing to us: where there are too many, just one."""
        try:
            return self._spare.cells(given.obj, given.place)
        except MapProblem:
            spot = self._grid.cell(*self._grid.outline(given.obj)[0])
            return () if spot is None else (spot,)

    def _plain(self, given: Given, cells: tuple[int, ...]) -> MapObject:
        obj = given.obj
        says = dict(given.says)
        if obj.shape == "text":
            says.setdefault("text", obj.words)
        return MapObject(given.kind, obj.name or "", cells, says, int(obj.id), given.place.layer, bool(obj.visible))

    def _cells(self, given: Given) -> tuple[int, ...]:
        """The spaces of an object that must have at least one."""
        cells = self._grid.cells(given.obj, given.place)
        if not cells:
            raise given.place.problem(f"this {given.kind} lies outside the map; move it inside")
        return cells

    def _spawn(self, given: Given) -> None:
        side = given.text("side")
        spawn = Spawn(side, given.count("count", 0), self._cells(given), int(given.obj.id))
        self.found.spawns.append(spawn)

    def _creature(self, given: Given) -> None:
        template, side = given.text("template"), given.text("side")
        name = given.text("id", "") or f"{template}-{given.obj.id}"
        if name in self._names:
            raise given.place.problem(f"id {shown(name)} of this Creature is used twice; give each its own")
        self._names.add(name)
        overrides = {key: value for key, value in given.says.items() if key not in _WHO}
        self.found.creatures.append(
            MapCreature(
                template, side, name, self._cells(given)[0], given.yes("asleep"), given.text("group", ""),
                overrides, given.obj.name or "", int(given.obj.id),
            )
        )  # fmt: skip

    def _patrol(self, given: Given) -> None:
        self._rounds.append((given, given.text("of", "") or given.obj.name or "", self._cells(given)))

    def _give_round(self, given: Given, name: str, cells: tuple[int, ...]) -> None:
        """A Patrol's way points to the creature that it names."""
        where = next((i for i, one in enumerate(self.found.creatures) if one.id == name), None)
        if where is None:
            known = some(one.id for one in self.found.creatures) or "none"
            raise given.place.problem(f"of this Patrol is {shown(name)}, which is no Creature's id; there are {known}")
        self.found.creatures[where] = replace(self.found.creatures[where], patrol=cells)

    def _door(self, given: Given) -> None:
        state = given.word("state", DOOR_STATES, "closed")
        key, difficulty = given.text("key", ""), given.count("difficulty", 9, 99)
        kind = given.word("kind", DOOR_KINDS, "door")
        if state not in door_states(kind):
            raise given.place.problem(f"this portcullis is {state}; open or closed is right")
        name = given.text("id", "") or given.obj.name or f"door {given.obj.id}"
        edges = self._grid.thin_edges(given.obj, given.place)
        if edges is None and given.obj.shape == "polyline":
            raise given.place.problem("this Door is a line off the grid lines; draw it along one, or as a rectangle")
        places: list[tuple[int, int | None]] = list(edges or ())
        if edges is None:
            places = [(cell, None) for cell in self._cells(given)]
        if len(self.found.doors) + len(places) > limits.MAX_DOORS:
            raise given.place.problem(
                f"brings the map beyond {limits.MAX_DOORS} doors, each space and edge being one; draw it smaller"
            )
        for number, (cell, edge) in enumerate(places, 1):
            unique = name if number == 1 else f"{name} ({number})"
            if unique in self._doors:
                unique = f"{unique} #{given.obj.id}"
            self._doors.add(unique)
            self.found.doors.append(Door(unique, cell, edge, state, key, difficulty, kind))

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
        for a, b in edges:
            old = self.found.walls.get((a, b), EdgeWall(a, b, False, False))
            self.found.walls[a, b] = EdgeWall(a, b, old.move or move, old.sight or sight)

    def _climb(self, given: Given) -> None:
        cells = self._cells(given)
        fresh = set(cells) - self.found.climbs
        self.found.climbs.update(fresh)
        self.found.props += [Prop(cell, given.kind.lower()) for cell in cells if cell in fresh]
        kept = self._plain(given, cells)
        (self.found.exits if given.text("to_map", "") else self.found.others).append(kept)

    def _light(self, given: Given) -> None:
        bright = given.count("bright", 3, terrain.MAX_LIGHT)
        dim = given.count("dim", 2 * bright, terrain.MAX_LIGHT)
        self.found.lights += [Light(cell, bright, max(bright, dim)) for cell in self._cells(given)[:1]]

    def _region(self, given: Given) -> None:
        cells = self._cells(given)
        if given.text("kind", "") == "level":
            level = given.count("level", 0, terrain.MAX_LEVEL)
            self.found.levels.update(dict.fromkeys(cells, level))
        self.found.regions.append(self._plain(given, cells))

    def _keep(self, given: Given) -> None:
        kept = self._plain(given, self._cells(given))
        getattr(self.found, _NEXT[given.kind]).append(kept)
        if given.kind in ("Trap", "Chest"):
            self._challenge(given, kept.cells)

    def _challenge(self, given: Given, cells: tuple[int, ...]) -> None:
        """A trap or chest as the rules see it; a difficulty of 0 means: nothing to overcome."""
        kind = given.kind.lower()
        difficulty, damage = given.count("difficulty", 0, 99), given.text("damage", "")
        notice = given.count("notice", difficulty, 99)
        if damage:
            try:
                parse(damage)
            except BattlematError as error:
                raise given.place.problem(f"damage of this {given.kind}: {error}") from None
        if not difficulty:
            return
        name = self._challenge_name(given, kind)
        known = tuple(part.strip() for part in given.text("known", "monsters").split(",") if part.strip())
        self.found.challenges.append(
            Challenge(name, kind, cells, difficulty, notice, damage, given.text("effect", ""),
                      given.text("contents", ""), kind == "trap", known)
        )  # fmt: skip

    def _challenge_name(self, given: Given, kind: str) -> str:
        name = given.text("id", "") or given.obj.name or kind
        taken = {challenge.id for challenge in self.found.challenges}
        return f"{name} {given.obj.id}" if name in taken else name

    def _obstacle(self, given: Given) -> None:
        """A face or low wall to climb (on spaces, or drawn as a line along edges), deep water, rubble."""
        kind = given.word("kind", OBSTACLES, "")
        difficulty, height = given.count("difficulty", 9, 99), given.count("height", 1, terrain.MAX_LEVEL)
        line = given.obj.shape == "polyline"
        edges = (self._grid.thin_edges(given.obj, given.place) or ()) if line or kind == "climb" else ()
        if line and not edges:
            raise given.place.problem("this Obstacle is a line off the grid lines; draw it along one, or as a shape")
        if edges and kind != "climb":
            raise given.place.problem(f"this Obstacle of kind {kind} is a line; draw it over its spaces")
        along = tuple(sorted({cell for edge in edges for cell in edge}))
        cells = along or self._cells(given)
        if not difficulty:
            raise given.place.problem("difficulty of this Obstacle is 0; a whole number (int) from 1 to 99 is right")
        name = self._challenge_name(given, _OBSTACLES[kind])
        self.found.challenges.append(Challenge(name, kind, cells, difficulty, difficulty, edges=edges, height=height))
        self.found.others.append(self._plain(given, cells))
