"""Maps: a Tiled file in, our own field and objects out. Every file loads or gives one clear line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace
from pytmx import TiledMap

from game.maps.drawn import check_depth
from game.maps.folder import Reach, reach_of
from game.maps.limits import Place
from game.maps.mapdata import CheckReport, LoadedMap, MapProblem, OutsideProblem, Value, at_space, some
from game.maps.mapobjects import Grid, ObjectReader
from game.maps.normalise import Normal
from game.maps.terrain import NO_LAYER, TerrainReader
from game.maps.words import one_line, shown
from rules.board.bitboard import board_of, cells_of, where
from rules.board.fixtures import GoalKind, check_needs
from rules.board.grid import Field, Ground, Light, Terrain
from rules.board.places import LEVEL_HEIGHT, MOST_WANDER
from rules.contract.errors import BattlematError
from rules.contract.text import joined as joined_words
from rules.contract.text import text
from rules.contract.units import EMPTY, Bitboard, Cell, Feet
from rules.core.fixtures.contents import parts_of
from rules.core.fixtures.treasure import why_none

NEEDED = {"heroes": 4, "monsters": 5}
"""Spaces that the start areas of these sides must offer together."""
MOST = 40
"""Problems beyond which the rest is only counted."""


class Fault(NamedTuple):
    """What stands in the way of a fight, with the mend; and what the map lacks by it, in few words."""

    text: str
    lack: str


Hoards = Callable[[], Mapping[str, Collection[tuple[str, int]]]]
"""Asked where a map has treasure: name of a ruleset -> theme and tier of each treasure that it knows."""


def check_loaded(loaded: LoadedMap, templates: set[str] | None = None, hoards: Hoards | None = None) -> CheckReport:
    """The verdict on a map that could be read."""
    field = loaded.field
    free = field.ground.translate(_STANDABLE)
    terrain = field.terrain((1 << len(field.doors)) - 1)
    faults = [*_spawns(loaded, free), *_creatures(loaded, free, templates), *_doors(field, free)]
    faults += [*_apart(loaded, free, terrain), *_goals(loaded)]
    poor = [] if hoards is None else list(_treasures(loaded, hoards))
    faults += [_fault("treasure of a known theme", "{told}", told) for told, nowhere in poor if nowhere]
    problems = at_most([text("{name}: {text}", loaded.path.name, fault.text) for fault in faults])
    told_of = (told for told, nowhere in poor if not nowhere)
    notes = tuple(one_line(note) for note in (*loaded.warnings, *_remarks(loaded, terrain), *told_of))
    return CheckReport(not faults, problems, notes, lacks=some(dict.fromkeys(fault.lack for fault in faults)))


def at_most(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines fit to be printed; of very many only the first ones, and how many more there are."""
    kept = tuple(one_line(line) for line in lines[:MOST])
    return kept if len(lines) <= MOST else (*kept, text("and {what} more problems", len(lines) - MOST))


_STANDABLE = bytes(kind <= Ground.DIFFICULT for kind in range(256))


def _fault(lack: str, words: str, *values: str | int) -> Fault:
    return Fault(text(words, *values), lack)


def _spawns(loaded: LoadedMap, free: bytes) -> Iterator[Fault]:
    field = loaded.field
    for spawn in loaded.spawns:
        room = sum(map(free.__getitem__, spawn.cells))
        if not room:
            wrong = "object {id}: no space of this Spawn ({side}) can be stood on ({at}); move it to open ground"
            yield _fault("room for a Spawn", wrong, spawn.id, spawn.side, at_space(field, spawn.cells[0]))
        elif spawn.count > room:
            wrong = (
                "object {id}: this Spawn ({side}) wants {count} on {room} free spaces; make it larger or lower count"
            )
            yield _fault("room for a Spawn", wrong, spawn.id, spawn.side, spawn.count, room)
    for side, needed in NEEDED.items():
        room = sum(map(free.__getitem__, loaded.spawn_cells(side)))
        room += sum(creature.side == side for creature in loaded.creatures)
        if room < needed:
            wrong = (
                "side {side} has {room} free spaces to start on; draw Spawn objects with side = {side} over "
                "at least {needed}"
            )
            lack = "a Spawn for heroes" if side == "heroes" else "a Spawn for monsters"
            yield _fault(lack, wrong, side, room, needed)
    sides = {cell: spawn.side for spawn in loaded.spawns for cell in spawn.cells}
    for spawn in loaded.spawns:
        shared = next((cell for cell in spawn.cells if sides[cell] != spawn.side), None)
        if shared is not None:
            wrong = "object {id}: this Spawn ({side}) overlaps one of side {sides} at {shared}; move one"
            where = at_space(field, shared)
            yield _fault("a Spawn of each side's own", wrong, spawn.id, spawn.side, sides[shared], where)


def _creatures(loaded: LoadedMap, free: bytes, templates: set[str] | None) -> Iterator[Fault]:
    crowd = Counter(creature.cell for creature in loaded.creatures)
    for creature in loaded.creatures:
        who = text("object {object_id}: Creature {id}", creature.object_id, shown(creature.id))
        where = at_space(loaded.field, creature.cell)
        if not free[creature.cell]:
            wrong = "{who} stands in a wall or void at {cell}; move it to open ground"
            yield _fault("room for a Creature", wrong, who, where)
        if crowd[creature.cell] > 1:
            yield _fault("room for a Creature", "{who} shares its space at {cell} with another; move one", who, where)
        if templates is not None and creature.template not in templates:
            wrong, known = "{who} has template {what}, which is unknown; known are {some}", some(sorted(templates))
            yield _fault("a known template for a Creature", wrong, who, shown(creature.template), known)


def _doors(field: Field, free: bytes) -> Iterator[Fault]:
    taken: set[tuple[int, int | None]] = set()
    walls = {(wall.a, wall.b) for wall in field.edges if wall.move}
    lack = "a free doorway"
    for door in field.doors:
        which, place, where = text("door {id}", shown(door.id)), (door.cell, door.edge), at_space(field, door.cell)
        stuck = next((cell for cell in place if cell is not None and not free[cell]), None)
        if stuck is not None:
            wrong = (
                "{which}: a wall or void is in the way at {stuck}; put floor under it, or move it between "
                "two open spaces"
            )
            yield _fault(lack, wrong, which, at_space(field, stuck))
        if place in taken:
            yield _fault(lack, "{which}: there is another door at {cell}; remove one", which, where)
        taken.add(place)
        if place in walls:
            wrong = "{which}: a Wall runs through it at {cell}; leave a gap in the Wall's line"
            yield _fault(lack, wrong, which, where)


def _apart(loaded: LoadedMap, free: bytes, terrain: Terrain) -> Iterator[Fault]:
    """Start spaces of different sides that no way joins, even with all doors open."""
    sides = dict.fromkeys(spawn.side for spawn in loaded.spawns)
    starts = {side: [cell for cell in loaded.spawn_cells(side) if free[cell]] for side in sides}
    first = next((cells[0] for cells in starts.values() if cells), None)
    if first is None:
        return
    there = around(terrain, first)
    for side, cells in starts.items():
        lost = next((cell for cell in cells if not there[cell]), None)
        if lost is not None:
            wrong = (
                "side {side} at {lost} cannot be reached from the other start at {first}, even with all "
                "doors open; join them"
            )
            yield _fault(
                "a way between the sides", wrong, side, at_space(loaded.field, lost), at_space(loaded.field, first)
            )


def _goals(loaded: LoadedMap) -> Iterator[Fault]:
    """Goals about nobody and nothing that is here; what a map of several means is asked of all of them together."""
    field = loaded.field
    if not loaded.levels and any(way.text("to_map") for way in loaded.exits):
        return
    ids = [creature.id for creature in loaded.creatures]
    bound = [creature.id for creature in loaded.creatures if creature.overrides.get("prisoner")]
    things = [*(door.id for door in field.doors), *(one.id for one in field.challenges)]
    lack = "somebody or something that a Goal is about"
    for goal in field.goals:
        name, what = shown(goal.name), shown(goal.what)
        if goal.kind == GoalKind.FREE and goal.what not in bound:
            wrong, known = "Goal {name}: no Creature with prisoner set is called {what}; there are {known}", some(bound)
            yield _fault(lack, wrong, name, what, known or "none")
        elif goal.kind == GoalKind.END and goal.what not in (*ids, *things):
            wrong = "Goal {name}: nothing is called {what}; name a Creature's id, a door, chest, trap or obstacle"
            yield _fault(lack, wrong, name, what)
        elif goal.kind in (GoalKind.FETCH, GoalKind.OUT) and not field.exits:
            wrong = "Goal {name}: there is no Exit to leave by; draw one without to_map"
            yield _fault("an Exit", wrong, name)


def _treasures(loaded: LoadedMap, hoards: Hoards) -> Iterator[tuple[str, bool]]:
    """Treasures of chests and creatures that a ruleset has no table for, and whether none has."""
    held = [(text("chest {id}", shown(one.id)), one.contents) for one in loaded.field.challenges]
    held += [
        (text("Creature {id}", shown(each.id)), str(each.overrides.get("carries", ""))) for each in loaded.creatures
    ]
    for who, contents in held:
        for part in parts_of(contents) if "treasure:" in contents else ():
            known = hoards() if part.theme else {}
            lacking = [name for name, tables in known.items() if (part.theme, part.tier) not in tables]
            if not lacking:
                continue
            why = why_none(part, known[lacking[0]])
            if len(lacking) == len(known):
                yield text("{who}: {why}", who, why), True
            else:
                yield text("{who}: under {rules}: {why}", who, joined_words(", ", lacking), why), False


def _remarks(loaded: LoadedMap, terrain: Terrain) -> Iterable[str]:
    field = loaded.field
    for each in loaded.levels or (loaded,):
        if each.ambient == "dark" and not each.field.lights:
            told = "the map is dark and has no Light; nobody will see far"
            yield text("{name}: {text}", each.path.name, told) if loaded.levels else told
    heights = bytes(field.levels)
    walkable, climbs = where(field.ground, Ground.OPEN, Ground.DIFFICULT), EMPTY
    for shift, pairs in climbing(terrain):
        climbs |= pairs | pairs << shift
    for level in sorted(set(heights) - {0}):
        there = where(heights, level) & walkable
        if there and not there & climbs:
            where_at = at_space(field, cells_of(there & -there)[0])
            yield text("nothing climbs to level {level} at {first}; draw Stairs or a Ladder beside it", level, where_at)
    heroes, monsters = loaded.spawn_cells("heroes"), loaded.spawn_cells("monsters")
    if heroes and monsters and not loaded.levels:  # of a place one goes through it
        nearest = min(terrain.distance(a, b) for a in heroes[:64] for b in monsters[:256])
        if nearest < 5 or nearest > 20:
            yield text("the sides start {nearest} spaces apart; 8 to 14 make a good opening", nearest)


EAST, SOUTH = 1, 2
"""Among the directions of `rules.board.grid`."""


def around(terrain: Terrain, start: Cell) -> bytearray:
    """1 for each space to which a way leads from one, for creatures of size 1, by steps and by climbing; no leaps.

    A step goes round no corner that isn't free, so whatever diagonal steps join, straight ones join as well: two
    bitboards, east and south, say it all. Only climbing needs the diagonals (rules.board.terrain, `climbs_from`).
    """
    steps, width = terrain.steps(), terrain.field.width
    size = width * terrain.field.height
    pairs = ((1, steps.moves[EAST][0]), (width, steps.moves[SOUTH][0]), *climbing(terrain))
    joins = [(shift, f"{board:0{size}b}"[::-1].encode().translate(_BITS)) for shift, board in pairs]
    there, waiting = bytearray(size), [start]
    there[start] = steps.fit >> start & 1
    over: dict[Cell, list[Cell]] = {}
    for stair in terrain.field.stairs:
        over.setdefault(stair.cell, []).append(stair.to)
    for cell in waiting:
        for beyond in over.get(cell, ()):
            if not there[beyond] and steps.fit >> beyond & 1:
                there[beyond] = 1
                waiting.append(beyond)
        for shift, joined in joins:
            if joined[cell] and not there[cell + shift]:
                there[cell + shift] = 1
                waiting.append(cell + shift)
            if cell >= shift and joined[cell - shift] and not there[cell - shift]:
                there[cell - shift] = 1
                waiting.append(cell - shift)
    return there


_BITS = bytes(each & 1 for each in range(256))


def climbing(terrain: Terrain) -> list[tuple[int, Bitboard]]:
    """Pairs of spaces that climbing joins: how far apart they are, and the bitboard of the first ones."""
    field, width, fit = terrain.field, terrain.field.width, terrain.steps().fit
    if not field.climbs or not field.levels:
        return []
    levels = bytes(field.levels)
    heights = [where(levels, height) for height in range(max(levels) + 1)]
    east = fit & fit >> 1 & ~terrain.walls_east & ~(terrain.column << (width - 1))
    south = fit & fit >> width & ~terrain.walls_south
    round_corner = east & east >> width & south & south >> 1
    ways = ((1, east), (width, south), (width + 1, round_corner), (width - 1, round_corner << 1))
    found = []
    for shift, pairs in ways:
        by_one = 0
        for lower, upper in zip(heights, heights[1:], strict=False):
            by_one |= lower & upper >> shift | upper & lower >> shift
        found.append((shift, pairs & by_one & (field.climbs | field.climbs >> shift)))
    return found


__all__ = ["CheckReport", "LoadedMap", "MapProblem", "check_map", "load_map", "read_map"]

AMBIENT = ("bright", "dim", "dark")
LONGEST_THEME = 40
LONGEST_TITLE = 120
"""Characters of a map's title that are shown."""


def load_map(path: Path | str, *, root: Path | None = None, also: tuple[Path, ...] = ()) -> LoadedMap:
    """Read a ``.tmx`` file and what it refers to below ``root``, or else within its reach (game.maps.folder).

    ``also`` are further folders to read from, without symbolic links. Raises MapProblem with one line that names file,
    layer, object and the mend; OutsideProblem where the user might agree to more. Opens no picture but to measure it.
    """
    return read_map(path, root=root, also=also)[0]


def read_map(
    path: Path | str, *, root: Path | None = None, also: tuple[Path, ...] = (), given: bytes | None = None
) -> tuple[LoadedMap, Normal]:
    """As `load_map`, and the tree out of which the map was made; ``given`` is what the file holds, if not what lies
    on the disk."""
    path = Path(path)
    if root is not None and not path.absolute().parent.resolve().is_relative_to(root.resolve()):
        wrong = "lies outside {root}; name a folder that holds the map and all it uses"
        raise Place(path.name).problem(wrong, str(root))
    try:
        normal = Normal(path, Reach(root.resolve()) if root is not None else reach_of(path, also), given)
    except OutsideProblem as problem:
        problem.map = path
        raise
    place = Place(path.name)
    try:
        tmx = TiledMap(allow_duplicate_names=True)
        tmx.filename = str(path)
        tmx.parse_xml(normal.tree)
        terrain = TerrainReader(tmx, normal)
        terrain.read()
        grid = Grid(tmx.width, tmx.height, tmx.tilewidth)
        found = ObjectReader(tmx, grid, normal.notes)
        found.read()
        return _assemble(path, tmx, normal, terrain, found), normal
    except MapProblem:
        raise
    except BattlematError as error:
        raise place.problem(str(error)) from error
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        wrong = "cannot be understood ({name}: {error}); save it again in Tiled"
        raise place.problem(wrong, type(error).__name__, shown(error)) from error


def check_map(
    path: Path | str, *, root: Path | None = None, templates: set[str] | None = None, hoards: Hoards | None = None
) -> CheckReport:
    """Load a map and tell whether a fight can be played on it; never raises for a bad map.

    ``templates`` are the names a Creature may use, ``hoards`` the treasures there are; left out, any is taken.
    """
    try:
        loaded = load_map(path, root=root)
    except MapProblem as problem:
        return CheckReport(False, at_most(problem.all), (), readable=False)
    return check_loaded(loaded, templates, hoards)


def _assemble(path: Path, tmx: TiledMap, normal: Normal, terrain: TerrainReader, found: ObjectReader) -> LoadedMap:
    """The map with its layers of all kinds in draw order, and the arts of their tiles."""
    says: dict[str, Value] = {name: "" if v is None else v for name, v in tmx.properties.items()}
    place = Place(path.name)
    title = one_line(str(says.get("title") or path.stem.replace("_", " ").capitalize()), LONGEST_TITLE)
    level_height, ambient = _level_height(says, place), _ambient(says, place)
    field = _about(_field(terrain, found, title, level_height, ambient), found, says, place)
    if not any(each.text("to_map") for each in found.exits):
        check_needs(field.goals)
    warnings = normal.notes.lines()
    layers = dict(terrain.layers)
    for order, drawing in normal.drawings.items():
        if (other := drawing.layer(terrain.art)) is not None:
            layers[order] = other
    terrain.animate()
    drawn, tiles = tuple(layers[order] for order in sorted(layers)), tuple(terrain.tiles)
    check_depth(drawn, tiles, (field.width, field.height), int(tmx.tilewidth), place)
    places = bytearray([NO_LAYER]) * (NO_LAYER + 1)
    for index, order in enumerate(sorted(layers)):
        places[order] = index
    pictured = any(each.image is not None and not each.material and not each.prop for each in tiles)
    drawn_climbs = {prop.cell for prop in terrain.props if prop.name in ("stairs", "ladder")}
    objects = ("spawns", "creatures", "chests", "traps", "notes", "regions", "exits", "others")
    there: dict[str, Any] = {name: tuple(getattr(found, name)) for name in objects}
    return LoadedMap(
        path, field, title, ambient, **there,
        ruleset_hints={name: value for name, value in says.items() if name.startswith("ruleset")}, layers=drawn,
        tiles=tiles, materials=tuple(terrain.materials),
        props=(*terrain.props, *(prop for prop in found.props if prop.cell not in drawn_climbs)),
        roof=frozenset(terrain.roof), tile_size=(int(tmx.tilewidth), int(tmx.tileheight)),
        foreign=pictured or any(layer.figures or layer.backdrop for layer in drawn), warnings=warnings,
        strata=bytes(terrain.strata.translate(places)), backward=normal.backward, background=normal.background,
    )  # fmt: skip


def _field(terrain: TerrainReader, found: ObjectReader, title: str, level_height: Feet, ambient: str) -> Field:
    levels = list(terrain.levels)
    for cell, level in found.levels.items():
        levels[cell] = level
    lights = [Light(cell, (radius + 1) // 2, radius) for cell, radius in terrain.lights.items()]
    return Field(
        terrain.width, terrain.height, bytes(terrain.ground), opaque=where(terrain.opaque, 1),
        levels=tuple(levels) if any(levels) else (), climbs=board_of(sorted(terrain.climbs | found.climbs)),
        edges=tuple(found.walls.values()), doors=tuple(found.doors), challenges=tuple(found.challenges),
        goals=tuple(found.goals),
        exits=board_of(cell for each in found.exits if each.kind == "Exit" for cell in each.cells),
        lights=(*found.lights, *lights), title=title, level_height=level_height, ambient=ambient,
    )  # fmt: skip


def _about(field: Field, found: ObjectReader, says: dict[str, Value], place: Place) -> Field:
    """The field with its rooms, where it is dark or safe, and what the map says of itself."""
    dark = found.dark if field.ambient != "dark" else EMPTY
    lit = Bitboard((1 << field.width * field.height) - 1) & ~dark if dark else EMPTY
    wander: Any = says.get("wander", 1)
    if isinstance(wander, bool) or not isinstance(wander, int) or not 0 <= wander <= MOST_WANDER:
        wrong = "wander is {value}; a whole number (int) from 0 to {most} is right (map properties)"
        raise place.problem(wrong, shown(wander), MOST_WANDER)
    theme = one_line(str(says.get("theme") or ""), LONGEST_THEME)
    if theme and not theme.replace("_", "").isalnum():
        raise place.problem("theme is {value}; one word such as crypt is right (map properties)", shown(theme))
    ambient, dusk = ("dark", lit if field.ambient == "dim" else EMPTY) if dark else (field.ambient, EMPTY)
    return replace(
        field, rooms=tuple(found.rooms), safe=found.safe, daylight=lit, twilight=dusk, ambient=ambient, theme=theme,
        story=one_line(str(says.get("story") or ""), None), wander=wander,
    )  # fmt: skip


def _ambient(says: dict[str, Value], place: Place) -> str:
    value: Any = says.get("ambient") or "bright"
    if value not in AMBIENT:
        raise place.problem("ambient is {value}; bright, dim or dark is right (map properties)", shown(value))
    return str(value)


def _level_height(says: dict[str, Value], place: Place) -> Feet:
    value: Any = says.get("level_height", LEVEL_HEIGHT)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 1 <= value <= 1000:
        raise place.problem("level_height is {value}; a number of feet from 1 to 1000 is right", shown(value))
    return Feet(value)
