"""One-page dungeons by Watabou (`.json`): rectangles of floor, doors that fill spaces, notes, columns, water."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from game.importing import loose
from game.importing.loose import Parts
from game.importing.plan import DoorKind, ImportProblem, Plan, PlanDoor, PlanExit, PlanNote, PlanStairs, Space
from game.maps.limits import MAX_SIDE
from rules.board.fixtures import DoorState
from rules.contract.text import ntext, text

FORMAT = "watabou"
MOST = 20_000
"""Rectangles, doors, notes and spaces of water that are looked at, of each."""
MOST_PAINTED = 4_000_000
"""Spaces that all rectangles together may cover, those covered twice counted twice."""
ENTRANCE, PORTCULLIS, SECRET, WAY_DOWN, STAIRWELL = 3, 4, 6, 8, 9
DOORS = {
    1: (DoorState.CLOSED, DoorKind.DOOR), PORTCULLIS: (DoorState.CLOSED, DoorKind.PORTCULLIS),
    5: (DoorState.CLOSED, DoorKind.DOOR), SECRET: (DoorState.SECRET, DoorKind.DOOR),
    7: (DoorState.CLOSED, DoorKind.DOOR),
}  # fmt: skip
"""Types of doors that open and close: plain, portcullis, double, secret, steel. The others are mere openings."""


class Rect(NamedTuple):
    """Floor."""

    x: int
    y: int
    wide: int
    high: int
    round: bool = False

    def spaces(self) -> Iterator[Space]:
        """Its spaces; of a round one those whose middle lies within the circle."""
        for y in range(self.y, self.y + self.high):
            for x in range(self.x, self.x + self.wide):
                if not self.round or self._within(x, y):
                    yield x, y

    def _within(self, x: int, y: int) -> bool:
        across, down = 2 * (x - self.x) + 1 - self.wide, 2 * (y - self.y) + 1 - self.high
        return across * across + down * down <= self.wide * self.wide


def fits(document: Any) -> bool:
    """Whether a JSON document is one of these."""
    return (
        isinstance(document, Mapping)
        and isinstance(document.get("rects"), list)
        and any(key in document for key in ("doors", "notes", "columns", "water"))
    )


def read(document: Mapping[str, Any], name: str) -> Plan:
    """The plan of a document. Raises ImportProblem where there is no floor, or more than a map holds."""
    parts = Parts()
    rects = list(_rects(document, parts))
    doors = list(_doors(document, parts))
    left, top, columns, rows = _bounds(rects, [spot for spot, _ in doors], name)
    if sum(rect.wide * rect.high for rect in rects) > MOST_PAINTED:
        raise ImportProblem("{name}: its rectangles lie over each other too often; export it again", name)
    floor = {space for rect in rects for space in rect.spaces()}
    floor |= {spot for spot, _ in doors}
    floor |= _corners(rects, floor, {spot for spot, _ in doors})

    def moved(space: Space) -> Space:
        return space[0] - left, space[1] - top

    water = {spot for spot in _spots(document.get("water"), "space of water", parts) if spot in floor}
    if isinstance(document.get("columns"), list) and document["columns"]:
        parts.tell(ntext(min(len(document["columns"]), MOST), "1 column stands between spaces and is left out",
                         "{n} columns stand between spaces and are left out"))  # fmt: skip
    ways = [(moved(spot), kind) for spot, kind in doors]
    return Plan(
        format=FORMAT, columns=columns, rows=rows, floor=frozenset(map(moved, floor)),
        doors=tuple(PlanDoor(space=spot, state=DOORS[kind][0], kind=DOORS[kind][1])
                    for spot, kind in ways if kind in DOORS),
        notes=tuple(_notes(document, (left, top), (columns, rows), parts)),
        exits=tuple(PlanExit((spot,), text("Entrance") if kind == ENTRANCE else text("Way down"), kind == ENTRANCE)
                    for spot, kind in ways if kind in (ENTRANCE, WAY_DOWN)),
        stairs=tuple(PlanStairs((spot,)) for spot, kind in ways if kind in (WAY_DOWN, STAIRWELL)),
        water=frozenset(map(moved, water)), title=loose.words(document.get("title")),
        story=loose.words(document.get("story")), ambient="dark", warnings=parts.warnings,
    )  # fmt: skip


def _whole(value: Any) -> int | None:
    """A whole number; None for anything else."""
    found = loose.number(value)
    return int(found) if found is not None and found == int(found) else None


def _rects(document: Mapping[str, Any], parts: Parts) -> Iterator[Rect]:
    for each in parts.listed(document.get("rects"), "rectangle", MOST):
        found = [_whole(each.get(key)) for key in ("x", "y", "w", "h")] if isinstance(each, Mapping) else []
        numbers = [number for number in found if number is not None]
        if len(numbers) != 4 or min(numbers[2:]) <= 0 or max(numbers[2:]) > MAX_SIDE:
            parts.skip("rectangle")
            continue
        x, y, wide, high = numbers
        yield Rect(x, y, wide, high, each.get("rotunda") is True and wide == high)


def _doors(document: Mapping[str, Any], parts: Parts) -> Iterator[tuple[Space, int]]:
    """Places of doors with their types; a portcullis may hang before stairs, on the same place."""
    seen = set[tuple[Space, bool]]()
    for each in parts.listed(document.get("doors"), "door", MOST):
        found = [_whole(each.get(key)) for key in ("x", "y", "type")] if isinstance(each, Mapping) else []
        x, y, kind = found if len(found) == 3 else (None, None, None)
        if x is None or y is None or kind is None:
            parts.skip("door")
        elif ((x, y), kind in DOORS) not in seen:
            seen.add(((x, y), kind in DOORS))
            yield (x, y), kind


def _bounds(rects: list[Rect], doors: list[Space], name: str) -> tuple[int, int, int, int]:
    """Left, top, columns and rows of all floor. Raises ImportProblem."""
    if not rects:
        raise ImportProblem("{name}: has no rectangles of floor; export the dungeon again as JSON", name)
    rects = [*rects, *(Rect(x, y, 1, 1) for x, y in doors)]
    left, top = min(rect.x for rect in rects), min(rect.y for rect in rects)
    columns = max(rect.x + rect.wide for rect in rects) - left
    rows = max(rect.y + rect.high for rect in rects) - top
    if max(columns, rows) > MAX_SIDE:
        raise ImportProblem("{name}: is {columns} × {rows} spaces large; 1 to {most} each way are needed", name,
                            columns, rows, MAX_SIDE)  # fmt: skip
    return left, top, columns, rows


def _corners(rects: list[Rect], floor: set[Space], doors: set[Space]) -> set[Space]:
    """Corners of round rooms that stay, as a door or a passage leads there and nowhere else."""
    kept = set[Space]()
    for rect in rects:
        if not rect.round:
            continue
        inside = set(rect.spaces())
        square = set(Rect(*rect[:4]).spaces())
        for x, y in square - inside:
            outside = {(x, y - 1), (x - 1, y), (x, y + 1), (x + 1, y)} - square
            if outside & (doors | floor):
                kept.add((x, y))
    return kept


def _spots(value: Any, what: str, parts: Parts) -> Iterator[Space]:
    for each in parts.listed(value, what, MOST):
        found = loose.point(each)
        if found is None:
            parts.skip(what)
        else:
            yield int(found[0] // 1), int(found[1] // 1)


def _notes(document: Mapping[str, Any], corner: Space, size: Space, parts: Parts) -> Iterator[PlanNote]:
    """What the key of the map says: for the game master, each at the middle of its room."""
    for each in parts.listed(document.get("notes"), "note", MOST):
        place = loose.point(each.get("pos")) if isinstance(each, Mapping) else None
        if place is None:
            parts.skip("note")
            continue
        x, y = place[0] - corner[0], place[1] - corner[1]
        if not (0 <= x < size[0] and 0 <= y < size[1]):
            parts.skip("note")
            continue
        ref = each.get("ref")
        title = loose.words(str(ref)) if isinstance(ref, str | int) else ""
        yield PlanNote(x, y, title or text("Note"), loose.words(each.get("text")))
