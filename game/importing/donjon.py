"""Dungeons by donjon (`.json`): a number for each space, and rooms with what is in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from game.importing import loose
from game.importing.loose import Parts
from game.importing.plan import DoorKind, ImportProblem, Plan, PlanDoor, PlanExit, PlanNote, PlanStairs, Space
from game.maps.limits import MAX_SIDE
from rules.board.fixtures import DoorState
from rules.contract.text import text

FORMAT = "donjon"
MOST = 20_000
"""Rooms, doors, marks and stairs that are looked at, of each."""
INSIDE = ("monster", "trap", "hidden_treasure", "treasure", "room_features")
"""What is told of the inside of a room."""
BITS = {
    "room": 2, "corridor": 4, "aperture": 32, "room_id": 0xFFC0, "arch": 0x10000, "door": 0x20000, "locked": 0x40000,
    "trapped": 0x80000, "secret": 0x100000, "portcullis": 0x200000, "stair_down": 0x400000, "stair_up": 0x800000,
}  # fmt: skip
"""What the numbers say where the file doesn't say what they say."""
OLD = {"aperture": "entrance", "portcullis": "portc", "stair_down": "stair_dn", "trapped": "trap"}
"""Names that earlier exports had."""
DOORS = ("secret", "portcullis", "locked", "trapped", "door")
"""Bits of doors; of two the first counts."""
STEPS = {"north": (0, -1), "south": (0, 1), "west": (-1, 0), "east": (1, 0)}
LIGHT = (("dark", "dark"), ("shadowy", "dim"), ("average", "dim"), ("bright", "bright"))
"""How a description of the light begins, and what that is with us."""
LOCKED = re.compile(r"\blocked\b", re.IGNORECASE)


class Said(NamedTuple):
    """What a room says of one of its doors."""

    told: str
    trap: str = ""
    hidden: str = ""


@dataclass
class Cells:
    """The numbers of a map, what their bits mean, and how far what is said of rooms is moved on them."""

    columns: int
    rows: int
    numbers: list[list[int]]
    bits: Mapping[str, int]
    margin: Space = (0, 0)
    parts: Parts = field(default_factory=Parts)

    def there(self, space: Space) -> int:
        x, y = space
        row = self.numbers[y] if 0 <= y < self.rows else []
        return row[x] if 0 <= x < len(row) else 0

    def has(self, space: Space, *names: str) -> bool:
        number = self.there(space)
        return any(number & self.bits[name] for name in names)

    def walked(self, space: Space) -> bool:
        """Floor, or something in a doorway or on stairs."""
        return self.has(space, "room", "corridor", "aperture", "arch", *DOORS, "stair_down", "stair_up")

    def spot(self, each: Any, margin: bool = True) -> Space | None:
        """Where a thing with `row` and `col` is; None where it says nothing of that, or is off the map."""
        found = [loose.number(each.get(key)) for key in ("col", "row")] if isinstance(each, Mapping) else [None]
        if any(number is None for number in found):
            return None
        x, y = (int(number or 0) + (self.margin[n] if margin else 0) for n, number in enumerate(found))
        return (x, y) if 0 <= x < self.columns and 0 <= y < self.rows else None


def fits(document: Any) -> bool:
    """Whether a JSON document is one of these."""
    return (
        isinstance(document, Mapping)
        and isinstance(document.get("cells"), list)
        and ("cell_bit" in document or "rooms" in document)
    )


def read(document: Mapping[str, Any], name: str) -> Plan:
    """The plan of a document. Raises ImportProblem where there is no floor, or more than a map holds."""
    cells = _cells(document, name)
    floor = frozenset((x, y) for y, row in enumerate(cells.numbers) for x in range(len(row)) if cells.walked((x, y)))
    if not floor:
        raise ImportProblem("{name}: none of its cells is a room or a corridor; export the dungeon again as JSON", name)
    rooms = [each for each in cells.parts.listed(document.get("rooms"), "room", MOST) if each is not None]
    said = _said_of_doors(cells, rooms)
    ways = list(_egress(cells, document, floor))
    stairs = list(_stairs(cells, document))
    climbs = [PlanExit((spot,), text("Stairs up"), not ways) for spot, up in stairs if up]
    settings, details = _mapping(document.get("settings")), _mapping(document.get("details"))
    notes = [
        *_rooms(cells, rooms, floor), *_door_notes(said), *_corridors(cells, document),
        *_about(document, details, next(iter((*ways, *climbs)), None), floor),
    ]  # fmt: skip
    return Plan(
        format=FORMAT, columns=cells.columns, rows=cells.rows, floor=floor, doors=tuple(_doors(cells, floor, said)),
        notes=tuple(notes), exits=(*ways, *climbs), stairs=tuple(PlanStairs((spot,)) for spot, _ in stairs),
        title=loose.words(settings.get("name")), story=loose.words(details.get("history")),
        ambient=_ambient(details.get("illumination")), warnings=cells.parts.warnings,
    )  # fmt: skip


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _cells(document: Mapping[str, Any], name: str) -> Cells:
    """The numbers of a document. Raises ImportProblem."""
    rows = document["cells"]
    wide = max((len(row) for row in rows[: MAX_SIDE + 1] if isinstance(row, list)), default=0)
    if not (1 <= len(rows) <= MAX_SIDE and 1 <= wide <= MAX_SIDE):
        raise ImportProblem("{name}: is {columns} × {rows} spaces large; 1 to {most} each way are needed", name, wide,
                            len(rows), MAX_SIDE)  # fmt: skip
    parts = Parts()
    numbers = []
    for row in rows:
        if not isinstance(row, list):
            parts.skip("row")
            row = []
        numbers.append([each if type(each) is int and 0 <= each < 1 << 40 else 0 for each in row])
        for each in row:
            if type(each) is not int or not 0 <= each < 1 << 40:
                parts.skip("cell")
    given = _mapping(document.get("cell_bit"))
    bits = {}
    for key, usual in BITS.items():
        value = given.get(key, given.get(OLD.get(key, ""), usual))
        bits[key] = value if type(value) is int and 0 <= value < 1 << 40 else usual
    found = Cells(wide, len(rows), numbers, bits, parts=parts)
    found.margin = _margin(found, _mapping(document.get("settings")))
    return found


def _margin(cells: Cells, settings: Mapping[str, Any]) -> Space:
    """How many columns and rows lie around what rooms and doors are counted in: the map is larger by that."""
    bleed = loose.number(settings.get("bleed"))
    found = []
    for there, key in ((cells.columns, "n_cols"), (cells.rows, "n_rows")):
        said = loose.number(settings.get(key))
        if said is not None and 0 < said <= there and (there - said) % 2 == 0:
            found.append(int(there - said) // 2)
        else:
            found.append(int(bleed) if bleed is not None and 0 <= bleed <= 64 else 0)
    return found[0], found[1]


# -- doors, ways and stairs


def _said_of_doors(cells: Cells, rooms: Iterable[Any]) -> dict[Space, Said]:
    """What rooms say of their doors; a door between two rooms is told by both, and is one."""
    found: dict[Space, Said] = {}
    for room in rooms:
        for side in _mapping(_mapping(room).get("doors")).values():
            for each in cells.parts.listed(side, "door", MOST):
                spot = cells.spot(each)
                if spot is None:
                    cells.parts.skip("door")
                elif spot not in found or not found[spot].told:
                    words = (loose.words(each.get(key)) for key in ("desc", "trap", "secret"))
                    found[spot] = Said(*words)
    return found


def _doors(cells: Cells, floor: Iterable[Space], said: Mapping[Space, Said]) -> Iterator[PlanDoor]:
    for spot in sorted(floor, key=lambda space: (space[1], space[0])):
        kind = next((name for name in DOORS if cells.has(spot, name)), None)
        if kind == "portcullis":
            yield PlanDoor(space=spot, kind=DoorKind.PORTCULLIS)
        elif kind == "secret":
            yield PlanDoor(space=spot, state=DoorState.SECRET)
        elif kind is not None:
            told = said[spot].told if spot in said else ""
            shut = kind == "locked" or LOCKED.search(told) is not None
            yield PlanDoor(space=spot, state=DoorState.LOCKED if shut else DoorState.CLOSED)


def _egress(cells: Cells, document: Mapping[str, Any], floor: frozenset[Space]) -> Iterator[PlanExit]:
    """Where one comes in: the last floor outwards from there."""
    for each in cells.parts.listed(document.get("egress"), "way in", MOST):
        spot = cells.spot(each)
        if spot is None or spot not in floor:
            cells.parts.skip("way in")
            continue
        dx, dy = STEPS.get(str(each.get("dir")), (0, 0))
        while (dx or dy) and (beyond := (spot[0] + dx, spot[1] + dy)) in floor:
            spot = beyond
        yield PlanExit((spot,), text("Entrance"), arrival=True)


def _stairs(cells: Cells, document: Mapping[str, Any]) -> Iterator[tuple[Space, bool]]:
    """Spaces of stairs, and whether they lead up; by the numbers, and by the list where the numbers say nothing."""
    found: dict[Space, bool] = {}
    for each in cells.parts.listed(document.get("stairs"), "flight of stairs", MOST):
        spot = cells.spot(each)
        if spot is None or not cells.walked(spot):
            cells.parts.skip("flight of stairs")
        else:
            found[spot] = each.get("key") == "up"
    if not found:
        spaces = ((x, y) for y in range(cells.rows) for x in range(cells.columns))
        found = {spot: cells.has(spot, "stair_up") for spot in spaces if cells.has(spot, "stair_up", "stair_down")}
    yield from found.items()


# -- what is told


def _rooms(cells: Cells, rooms: Iterable[Any], floor: frozenset[Space]) -> Iterator[PlanNote]:
    """A note in each room: who and what is there."""
    for room in rooms:
        if not isinstance(room, Mapping):
            cells.parts.skip("room")
            continue
        spot = _middle(cells, room, floor)
        if spot is None:
            cells.parts.skip("room")
            continue
        contents = _mapping(room.get("contents"))
        detail = _mapping(contents.get("detail"))
        lines = [
            _listed(detail.get(key)) for key in ("monster", "trap", "hidden_treasure", "treasure", "room_features")
        ]
        title = loose.words(contents.get("summary"))
        name = text("Room {number}", str(room.get("id", ""))[:9])
        told = "\n".join(filter(None, lines)) or loose.words(contents.get("inhabited"))
        yield PlanNote(spot[0] + 0.5, spot[1] + 0.5, f"{name}: {title}" if title else name, told)


def _listed(value: Any) -> str:
    """Lines of a list, or of a text."""
    lines = value if isinstance(value, list) else [value]
    return loose.words("\n".join(loose.words(line) for line in lines[:50] if loose.words(line) not in ("", "--")))


def _middle(cells: Cells, room: Mapping[str, Any], floor: frozenset[Space]) -> Space | None:
    """The floor of a room nearest to its middle; cells count before what is said of the room."""
    sides = [loose.number(room.get(side)) for side in ("west", "east", "north", "south")]
    if any(side is None for side in sides):
        return None
    west, east, north, south = (
        int(side or 0) + cells.margin[n // 2] for n, side in enumerate(sides)
    )  # fmt: skip
    x, y = (west + east) / 2, (north + south) / 2
    west, east = max(0, west), min(cells.columns - 1, east)
    north, south = max(0, north), min(cells.rows - 1, south)
    there = [(column, row) for row in range(north, south + 1) for column in range(west, east + 1)]
    here = [spot for spot in there if spot in floor]
    mask = cells.bits["room_id"]
    shift = (mask & -mask).bit_length() - 1 if mask else 0
    own = [spot for spot in here if mask and (cells.there(spot) & mask) >> shift == room.get("id")]
    return min(own or here, key=lambda spot: ((spot[0] - x) ** 2 + (spot[1] - y) ** 2, spot), default=None)


def _door_notes(said: Mapping[Space, Said]) -> Iterator[PlanNote]:
    """Traps on doors, and how secret ones are hidden."""
    for (x, y), door in said.items():
        told = "\n".join(filter(None, door))
        if door.trap:
            yield PlanNote(x + 0.5, y + 0.5, text("Trapped door"), told)
        elif door.hidden:
            yield PlanNote(x + 0.5, y + 0.5, text("Secret door"), told)


def _corridors(cells: Cells, document: Mapping[str, Any]) -> Iterator[PlanNote]:
    """What is marked in corridors by letters: these places are counted from the map's own corner."""
    for key, each in list(_mapping(document.get("corridor_features")).items())[:MOST]:
        each = _mapping(each)
        told = loose.words(each.get("detail")) or loose.words(each.get("summary"))
        for mark in cells.parts.listed(each.get("marks"), "mark", MOST):
            spot = cells.spot(mark, margin=False)
            if spot is None:
                cells.parts.skip("mark")
            else:
                yield PlanNote(spot[0] + 0.5, spot[1] + 0.5, loose.words(str(key)[:40]) or text("Note"), told)


def _about(
    document: Mapping[str, Any], details: Mapping[str, Any], way: PlanExit | None, floor: Iterable[Space]
) -> Iterator[PlanNote]:
    """What is said of the whole dungeon, where one comes in."""
    lines = [loose.words(details.get(key)) for key in ("floor", "walls", "illumination", "temperature", "special")]
    wandering = _mapping(document.get("wandering_monsters"))
    lines += [f"{str(key)[:9]}: {loose.words(told)}" for key, told in list(wandering.items())[:20] if loose.words(told)]
    if told := loose.words("\n".join(filter(None, lines))):
        x, y = way.spaces[0] if way is not None else min(floor, key=lambda space: (space[1], space[0]))
        yield PlanNote(x + 0.5, y + 0.5, text("About this place"), told)


def _ambient(value: Any) -> str:
    said = loose.words(value).lower()
    return next((light for word, light in LIGHT if said.startswith(word)), "dark")
