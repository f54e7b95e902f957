"""Where a fight takes place: maps that come with the game, and sketches in rows with all that rows can hold."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.gate.lot import Lot
from tests.gate.pools import kept

Space = tuple[int, int]
DOORS = ("open", "closed", "closed", "locked", "barred", "secret")
KINDS = ("trap", "trap", "chest", "secret_door", "portcullis", "climb", "climb", "water", "rubble")
EFFECTS = ("", "", "", "restrained", "slowed", "blinded", "poisoned", "dazed", "exhausted")
DAMAGE = ("", "d4", "d6", "2d6", "d8+1")


class Ground(NamedTuple):
    """A record's `map`, and the spaces on which creatures may be put."""

    map: dict[str, Any]
    free: list[Space]
    doors: list[str]
    keys: list[str]
    places: list[Space]
    """Where there is something to do: doors, challenges, ways up and out."""


def drawn(lot: Lot, sketches: int) -> Ground:
    """A ground: a sketch so many times in a hundred, else a map."""
    return _sketch(lot) if lot.chance(sketches) else _map(lot)


def _map(lot: Lot) -> Ground:
    maps = kept()["maps"]
    name = lot.pick(sorted(maps))
    rows, doors = maps[name]["rows"], maps[name]["doors"]
    source: dict[str, Any] = {"tmx": name}
    if doors and lot.chance(40):
        source["doors"] = {door: lot.pick(("open", "closed", "locked")) for door in lot.some(doors, 1, 3)}
    return Ground(source, _floor(rows), doors, maps[name]["keys"], [(x, y) for x, y in maps[name]["places"]])


def _floor(rows: list[str]) -> list[Space]:
    return [(x, y) for y, row in enumerate(rows) for x, symbol in enumerate(row) if symbol in ".~"]


def _sketch(lot: Lot) -> Ground:
    """A room or a field: walls, rough ground, gaps, often a wall across with doors in it."""
    width, height = lot.between(8, 15), lot.between(6, 10)
    bordered, walls, rough = lot.chance(70), lot.pick((0, 5, 10)), lot.pick((0, 6, 14))
    cells = [["."] * width for _ in range(height)]
    for y in range(height):
        for x in range(width):
            toss = lot.below(100)
            if toss < walls:
                cells[y][x] = "#"
            elif toss < walls + rough:
                cells[y][x] = "~"
            elif toss > 98:
                cells[y][x] = " "
            if bordered and (x in (0, width - 1) or y in (0, height - 1)):
                cells[y][x] = "#"
    if lot.chance(50):
        across = lot.between(3, width - 4)
        for y in range(height):
            cells[y][across] = "#"
        for y in lot.some(range(1, height - 1), 1, 3):
            cells[y][across] = lot.pick("++'.")
    rows = ["".join(row) for row in cells]
    source: dict[str, Any] = {"rows": rows}
    doors = [f"door {x},{y}" for y, row in enumerate(rows) for x, s in enumerate(row) if s in "+'"]
    floor = _floor(rows)
    if doors and lot.chance(50):
        source["doors"] = {door: lot.pick(DOORS) for door in lot.some(doors, 1, 3)}
    if lot.chance(30):
        _raised(lot, source, width, height, floor)
    if lot.chance(25):
        source["walls"] = _walls(lot, width, height)
    if lot.chance(30):
        source["exits"] = [list(space) for space in lot.some(floor, 1, 4)]
    if lot.chance(55):
        source["challenges"] = [_challenge(lot, n, floor) for n in range(lot.between(1, 5))]
    places = [(x, y) for y, row in enumerate(rows) for x, symbol in enumerate(row) if symbol in "+'"]
    for challenge in source.get("challenges", ()):
        places.append(tuple(challenge["at"][0] if "at" in challenge else challenge["edges"][0][0]))
    places += [tuple(space) for part in ("climbs", "exits") for space in source.get(part, ())]
    return Ground(source, floor, doors, [], places)


def _raised(lot: Lot, source: dict[str, Any], width: int, height: int, floor: list[Space]) -> None:
    """A platform one or two levels up (or all around a pit), and stairs or ladders here and there."""
    left, top = lot.below(width - 2), lot.below(height - 2)
    right, bottom = left + lot.between(2, 6), top + lot.between(2, 4)
    up, base = lot.pick((1, 1, 2)), lot.pick((0, 0, 1))
    source["levels"] = [
        "".join(str(up if left <= x < right and top <= y < bottom else base) for x in range(width))
        for y in range(height)
    ]
    source["climbs"] = [list(space) for space in lot.some(floor, 2, 8)]


def _walls(lot: Lot, width: int, height: int) -> list[Any]:
    """Thin walls, some of them in a row."""
    found = []
    for _ in range(lot.between(1, 4)):
        x, y, upright = lot.below(width - 1), lot.below(height - 1), lot.chance(50)
        for n in range(lot.between(1, 4)):
            one = (x, y + n) if upright else (x + n, y)
            other = (one[0] + 1, one[1]) if upright else (one[0], one[1] + 1)
            if other[0] < width and other[1] < height:
                found.append([list(one), list(other)])
    return found


def _challenge(lot: Lot, number: int, floor: list[Space]) -> dict[str, Any]:
    """A trap, a chest, a hidden door or an obstacle."""
    kind, (x, y) = lot.pick(KINDS), lot.pick(floor)
    found: dict[str, Any] = {"id": f"{kind} {number}", "kind": kind, "difficulty": lot.between(3, 15)}
    if kind == "climb" and lot.chance(50):
        found["edges"] = [[[x, y + n], [x + 1, y + n]] for n in range(2) if {(x, y + n), (x + 1, y + n)} <= {*floor}]
        found["height"] = lot.between(0, 2)
        if found["edges"]:
            return found
        del found["edges"], found["height"]
    found["at"] = [[x, y]]
    if kind in ("water", "rubble", "climb"):
        found["at"] = [list(s) for s in floor if x <= s[0] < x + lot.between(1, 3) and y <= s[1] < y + 2] or [[x, y]]
    if kind == "trap":
        found |= {"damage": lot.pick(DAMAGE), "effect": lot.pick(EFFECTS), "hidden": lot.chance(75)}
        if lot.chance(40):
            found["notice"] = lot.between(3, 15)
        if lot.chance(30):
            found["known"] = [lot.pick(("heroes", "monsters"))]
    if kind == "chest":
        found["contents"] = lot.pick(("", "rope, a love letter", "a ring"))
        found["damage"] = lot.pick(DAMAGE)
    return found
