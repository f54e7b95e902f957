"""The ground of a record: the field of a map in rows, of a place of such maps, and what a record says beside them
(record.md): its doors, its goals, what was left there.

Maps in files are the caller's; what the record has beside them is laid on what was read (`with_doors`, `with_left`).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rules.board.bitboard import board_of
from rules.board.fixtures import DOOR_STATES, Challenge, Door, Goal, check_needs
from rules.board.grid import EdgeWall
from rules.board.grid import Field as Ground
from rules.board.places import Room, Stair
from rules.board.sheet import Sheet, joined_field
from rules.contract.errors import BattlematError, RecordError, said
from rules.contract.text import joined, text
from rules.contract.units import Bitboard, Cell
from rules.core.arrivals import with_arrivals
from rules.core.dice import parse
from rules.core.left import with_left as left_on
from rules.core.record import MapModel, OneMap, Record, Space, Spot, on_sheet
from rules.core.validate import on_map


def part_names(source: MapModel) -> list[str]:
    """What the maps of a place are called in its record."""
    return [
        part.name or (part.tmx.rpartition("/")[2].removesuffix(".tmx") if part.tmx is not None else f"map {number}")
        for number, part in enumerate(source.place or (), 1)
    ]


def map_files(source: MapModel) -> list[str]:
    """The names of all Tiled files of a map or a place; none for sketches."""
    parts: Sequence[OneMap] = source.place if source.place is not None else (source,)
    return [part.tmx for part in parts if part.tmx is not None]


def field_of(source: MapModel) -> Ground:
    """The field of a map in rows, or of a place of such maps. Raises RecordError or BattlematError for a bad one."""
    if source.place is None:
        return with_doors(_sketched(source), source)
    names = part_names(source)
    fields = [with_doors(sketch(source, n), part, f"map.place[{n}]") for n, part in enumerate(source.place)]
    return with_doors(placed(names, fields, (), source), source)


def sketch(source: MapModel, number: int) -> Ground:
    """The field of a map of a place that the record has in rows, its doors as drawn. Raises RecordError."""
    parts = source.place or []
    return msgspec.structs.replace(_sketched(parts[number], f"map.place[{number}]"), title=part_names(source)[number])


def placed(names: Sequence[str], fields: Sequence[Ground], stairs: Sequence[Stair], source: MapModel) -> Ground:
    """The field of a place, from those of its maps; `stairs` are ways that these say themselves, on the sheet.

    Those of the record come to them. Raises RecordError or BattlematError.
    """
    sheet = Sheet([(name, field.width, field.height) for name, field in zip(names, fields, strict=True)])
    ways = list(stairs)
    for n, pair in enumerate(source.stairs or ()):
        here, there = (_spot(f"map.stairs[{n}]", spot, names, fields, sheet) for spot in pair)
        ways += [Stair(here, there), Stair(there, here)]
    return joined_field(names, fields, ways)


def _spot(where: str, spot: Spot, names: Sequence[str], fields: Sequence[Ground], sheet: Sheet) -> Cell:
    name, column, row = spot
    if name not in names:
        raise RecordError("{where}: no map is called {name}; there are {known}", where, repr(name), joined(", ", names))
    part = names.index(name)
    return sheet.cell(part, on_map(fields[part], (column, row), where))


def _sketched(source: OneMap, at: str = "map") -> Ground:
    """The field of a map in rows, its doors as drawn; `at`: where in the record it stands."""
    if source.rows is None:
        raise RecordError("map: needs rows, or tmx with a file's name")
    bare = Ground.from_rows(source.rows, levels=source.levels)

    def cell(where: str, space: Space) -> Cell:
        return on_map(bare, space, f"{at}.{where}")

    climbs = board_of(cell("climbs", s) for s in source.climbs or ())
    walls = tuple(EdgeWall(cell("walls", a), cell("walls", b)) for a, b in source.walls or ())
    exits = board_of(cell("exits", s) for s in source.exits or ())
    bare = msgspec.structs.replace(bare, climbs=climbs, edges=walls, exits=exits)
    challenges, doors = [], list(bare.doors)
    for n, given in enumerate(source.challenges or ()):
        cells = tuple(cell(f"challenges.{n}.at", s) for s in given.at)
        along = f"challenges.{n}.edges"
        edges = tuple((cell(along, a), cell(along, b)) for a, b in given.edges)
        if bool(cells) == bool(edges) or (edges and given.kind != "climb"):
            raise RecordError("{at}.challenges.{n}: needs `at` (its spaces), or for `climb` alone `edges`", at, n)
        if given.damage:
            try:
                parse(given.damage)
            except BattlematError as error:
                raise RecordError("{at}.challenges.{n}.damage: {error}", at, n, said(error)) from None
        if given.kind in ("secret_door", "portcullis"):
            state, kind = ("secret", "door") if given.kind == "secret_door" else ("closed", "portcullis")
            doors.append(Door(given.id, cells[0], None, state, given.key, given.difficulty, kind))
            continue
        if not given.difficulty and given.kind != "chest":
            raise RecordError("map.challenges.{n}.difficulty: 1 is the least; 0 is a chest without a lock", n)
        challenges.append(
            Challenge(
                given.id, given.kind, cells or tuple(sorted({cell for edge in edges for cell in edge})),
                difficulty=given.difficulty, notice=given.difficulty if given.notice is None else given.notice,
                damage=given.damage, effect=given.effect, contents=given.contents,
                hidden=given.kind == "trap" if given.hidden is None else given.hidden, known=tuple(given.known),
                key=given.key, look=given.look, edges=edges, height=given.height,
            )
        )  # fmt: skip
    rooms = tuple(Room(name, _box(bare, cell("rooms", a), cell("rooms", b)))
                  for name, (a, b) in (source.rooms or {}).items())  # fmt: skip
    return msgspec.structs.replace(
        bare, doors=tuple(doors), challenges=tuple(challenges), rooms=rooms, ambient=source.ambient or "bright"
    )


def _box(field: Ground, first: Cell, last: Cell) -> Bitboard:
    """All spaces of the rectangle between two corners."""
    (left, top), (right, bottom) = field.at(first), field.at(last)
    return board_of(
        Cell(row * field.width + column)
        for row in range(min(top, bottom), max(top, bottom) + 1)
        for column in range(min(left, right), max(left, right) + 1)
    )


def with_goals(field: Ground, source: OneMap, at: str = "map") -> Ground:
    """The field with the record's goals beside its own. Raises RecordError for one that cannot be."""
    if not source.goals:
        return field
    goals = list(field.goals)
    for n, given in enumerate(source.goals):
        cells = tuple(on_map(field, space, text("{at}.goals.{n}.at", at, n)) for space in given.at)
        goals.append(Goal(given.name, given.kind.value, cells=cells, needs=tuple(given.needs),
                          **{each: getattr(given, each) for each in _ALIKE}))  # fmt: skip
    try:
        if at == "map":
            check_needs(goals)
        return msgspec.structs.replace(field, goals=tuple(goals))
    except BattlematError as error:
        raise RecordError("{at}.goals: {error}", at, said(error)) from None


_ALIKE = ("what", "rounds", "text", "optional", "side", "state")
"""What a goal of a record says in the field's own words."""


def with_doors(field: Ground, source: OneMap, at: str = "map") -> Ground:
    """The field with its doors, and goals, as the record has them. Raises RecordError for what cannot be."""
    field = with_goals(field, source, at)
    if not source.doors:
        return field
    known = {door.id: number for number, door in enumerate(field.doors)}
    doors = list(field.doors)
    for name, state in source.doors.items():
        if name not in known:
            wrong, there = "{at}.doors: no door is called {name}; there are {what}", joined(", ", known) or "none"
            raise RecordError(wrong, at=at, name=repr(name), what=there)
        if state not in DOOR_STATES:
            wrong, states = "{at}.doors.{name}: {what} is none of {door_states}", joined(", ", DOOR_STATES)
            raise RecordError(wrong, at, name, repr(state), states)
        doors[known[name]] = msgspec.structs.replace(doors[known[name]], state=state)
    return msgspec.structs.replace(field, doors=tuple(doors))


def with_left(field: Ground, record: Record) -> Ground:
    """The field as it was left, where a record says so, and with who comes to it later. Raises RecordError."""
    if record.arrivals:
        entries = [on_sheet(entry, field, text("creatures[{i}]", i)) for i, entry in enumerate(record.creatures)]
        field = with_arrivals(field, record.arrivals, entries)
    if record.map.left is None:
        return field
    return left_on(field, record.map.left, [str(entry.get("id")) for entry in record.creatures])
