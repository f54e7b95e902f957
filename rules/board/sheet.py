"""The sheet: fields of several maps put together into one, each below the one before, with void between."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from rules.board.fixtures import Challenge, Door, Goal, GoalKind
from rules.board.grid import MAX_SIDE, Field, Ground
from rules.board.places import GAP, MOST_MAPS, Part, Room, Stair
from rules.contract.errors import BattlematError
from rules.contract.text import text
from rules.contract.units import EMPTY, Bitboard, Cell

_DARKNESS = ("bright", "dim", "dark")


class Sheet:
    """Where the maps of a place come to lie: give it their names, titles and sizes, or their fields by `of`.

    Raises BattlematError for no map, too many, two of one name, and for more rows than a field may have.
    """

    def __init__(self, sizes: Sequence[tuple[str, int, int]]) -> None:
        if not 1 <= len(sizes) <= MOST_MAPS:
            raise BattlematError("place: {n} maps; a place has 1 to {most_maps}", len(sizes), MOST_MAPS)
        self.width = max(width for _, width, _ in sizes)
        self.tops: list[int] = []
        end = -GAP
        for i, (name, _, height) in enumerate(sizes):
            if any(name == other for other, _, _ in sizes[:i]):
                raise BattlematError("place: the map {name} comes twice; name each once", name)
            self.tops.append(end + GAP)
            end += GAP + height
        self.height = end
        if self.height > MAX_SIDE:
            wrong = "place: its {n} maps take {height} rows, {gap} between two counted; {max_side} are the most"
            raise BattlematError(wrong, len(sizes), self.height, GAP, MAX_SIDE)
        self._widths = [width for _, width, _ in sizes]
        self._heights = [height for *_, height in sizes]

    def cell(self, part: int, cell: Cell) -> Cell:
        """Where a space of one of the maps lies."""
        row, column = divmod(cell, self._widths[part])
        return Cell((row + self.tops[part]) * self.width + column)

    def board(self, part: int, board: Bitboard) -> Bitboard:
        """The same for a set of spaces."""
        own, top = self._widths[part], self.tops[part]
        if own == self.width:
            return board << top * own
        row, found, mask = top * self.width, 0, (1 << own) - 1
        while board:
            found |= (board & mask) << row
            board >>= own
            row += self.width
        return Bitboard(found)

    def ring(self, part: int) -> Bitboard:
        """The spaces of void just about a map. One sees through them: along its own end it is seen as if alone."""
        own, top, width, height = self._widths[part], self.tops[part], self.width, self._heights[part]
        row, board = (1 << min(own + 1, width)) - 1, 0
        for y in range(max(0, top - 1), min(self.height, top + height + 1)):
            board |= row << y * width
        return Bitboard(board) & ~self.board(part, Bitboard((1 << own * height) - 1))

    def boards(self, boards: Sequence[Bitboard]) -> Bitboard:
        """The same for a set of each map."""
        return Bitboard(sum(self.board(part, board) for part, board in enumerate(boards)))

    def plane(self, parts: Sequence[bytes], fill: int = 0) -> bytes:
        """A byte for every space of the sheet, from those of the maps."""
        out = bytearray([fill]) * (self.width * self.height)
        for top, own, plane in zip(self.tops, self._widths, parts, strict=True):
            for n, start in enumerate(range(0, len(plane), own)):
                at = (top + n) * self.width
                out[at : at + own] = plane[start : start + own]
        return bytes(out)


def joined_field(names: Sequence[str], fields: Sequence[Field], stairs: Sequence[Stair] = ()) -> Field:
    """One field of several maps; `stairs` are ways between them, in spaces of the sheet.

    Where all titles begin alike up to a colon, that is the place's, and the rest each map's; else the first map's is.
    A door or a challenge whose name an earlier map has already gets its own map's title behind it. How dark it is
    follows the darkest map; the spaces of brighter ones are daylight. Raises BattlematError as `Sheet` does.
    """
    sheet = Sheet([(name, field.width, field.height) for name, field in zip(names, fields, strict=True)])
    numbered = list(enumerate(fields))
    opaque = Bitboard((1 << sheet.width * sheet.height) - 1)
    for i, field in numbered:
        opaque &= ~(sheet.ring(i) | sheet.board(i, _inside(field) & ~field.opaque))
    heights = [bytes(field.levels) or bytes(field.width * field.height) for field in fields]
    whole, titles = _titles([field.title or name for name, field in zip(names, fields, strict=True)])
    maps = tuple(
        Part(name, titles[i], sheet.tops[i], field.height, field.width, ambient=field.ambient,
             theme=field.theme, story=field.story, wander=field.wander, level_height=field.level_height)
        for name, (i, field) in zip(names, numbered, strict=True)
    )  # fmt: skip
    shifted, first = _Shifted(sheet, titles), fields[0]
    ambient = max((field.ambient for field in fields), key=_DARKNESS.index)
    daylight, twilight = _light(sheet, fields, ambient)
    crossing = sum(1 << cell for cell in {stair.cell for stair in stairs})
    return Field(
        sheet.width, sheet.height, sheet.plane([field.ground for field in fields], Ground.VOID), opaque,
        levels=tuple(sheet.plane(heights)) if any(map(any, heights)) else (),
        climbs=sheet.boards([field.climbs for field in fields]), title=whole, level_height=first.level_height,
        edges=tuple(replace(wall, a=sheet.cell(i, wall.a), b=sheet.cell(i, wall.b))
                    for i, field in numbered for wall in field.edges),
        doors=tuple(shifted.door(i, door) for i, field in numbered for door in field.doors),
        lights=tuple(replace(light, cell=sheet.cell(i, light.cell)) for i, field in numbered for light in field.lights),
        challenges=tuple(shifted.challenge(i, each) for i, field in numbered for each in field.challenges),
        exits=sheet.boards([field.exits for field in fields]) & ~crossing, maps=maps, stairs=tuple(stairs),
        rooms=tuple(Room(room.name, sheet.board(i, room.cells)) for i, field in numbered for room in field.rooms),
        ambient=ambient, daylight=daylight, twilight=twilight, safe=sheet.boards([field.safe for field in fields]),
        theme=first.theme, story=first.story, wander=first.wander,
        goals=shifted.goals([field.goals for field in fields]),
    )  # fmt: skip


def _titles(titles: Sequence[str]) -> tuple[str, list[str]]:
    """What a place and its maps are called: of "The Abbey: Church" and "The Abbey: Crypt" each has a part."""
    heads = {title.partition(": ")[0] for title in titles}
    tails = [title.partition(": ")[2] for title in titles]
    if len(heads) == 1 and len(titles) > 1 and all(tails):
        return heads.pop(), tails
    return titles[0], list(titles)


def _inside(field: Field) -> Bitboard:
    return Bitboard((1 << field.width * field.height) - 1)


def _light(sheet: Sheet, fields: Sequence[Field], ambient: str) -> tuple[Bitboard, Bitboard]:
    """The spaces brighter than that, and those of them that are but dim."""
    bright, dim = [], []
    for field in fields:
        own = _inside(field) if field.ambient == "bright" else field.daylight & ~field.twilight
        bright.append(own)
        dim.append(_inside(field) & ~own if field.ambient == "dim" else field.twilight)
    day, dusk = sheet.boards(bright), sheet.boards(dim)
    if ambient == "dark":
        return day | dusk, dusk
    return (day, EMPTY) if ambient == "dim" else (EMPTY, EMPTY)


class _Shifted:
    """What stands on the maps, moved to where it lies on the sheet, under names that nothing else there has."""

    def __init__(self, sheet: Sheet, titles: Sequence[str]) -> None:
        self._sheet, self._titles = sheet, titles
        self._doors, self._challenges = set[str](), set[str]()
        self._known: list[dict[str, str]] = [{} for _ in titles]
        """The fixtures that have another name than on their own map, map by map."""

    def _own(self, part: int, name: str, taken: set[str]) -> str:
        """The name, with the map's title where another map has it already, and a number where that has it, too."""
        wanted = name if name not in taken else text("{name} ({map})", name, self._titles[part])
        number = 2
        while wanted in taken:
            wanted = text("{name} ({map}, {number})", name, self._titles[part], number)
            number += 1
        taken.add(wanted)
        return wanted

    def door(self, part: int, door: Door) -> Door:
        at = self._sheet.cell
        edge = None if door.edge is None else at(part, door.edge)
        name = self._known[part][door.id] = self._own(part, door.id, self._doors)
        return replace(door, id=name, cell=at(part, door.cell), edge=edge)

    def challenge(self, part: int, each: Challenge) -> Challenge:
        at = self._sheet.cell
        name = self._known[part][each.id] = self._own(part, each.id, self._challenges)
        return replace(
            each, id=name, cells=tuple(at(part, cell) for cell in each.cells),
            edges=tuple((at(part, a), at(part, b)) for a, b in each.edges),
        )  # fmt: skip

    def goals(self, parts: Sequence[Sequence[Goal]]) -> tuple[Goal, ...]:
        """The goals of all maps, once doors and challenges have their names. What one needs may be on another map."""
        taken, found = set[str](), list[Goal]()
        for part, goals in enumerate(parts):
            names = {goal.name: self._own(part, goal.name, taken) for goal in goals}
            for goal in goals:
                cells = tuple(self._sheet.cell(part, cell) for cell in goal.cells)
                what = self._known[part].get(goal.what, goal.what) if goal.kind == GoalKind.END else goal.what
                needs = tuple(names.get(need, need) for need in goal.needs)
                found.append(replace(goal, name=names[goal.name], cells=cells, what=what, needs=needs))
        return tuple(found)


class Cut:
    """One map of a place by itself again: its field, and how its spaces go over into those of the place and back."""

    def __init__(self, whole: Field, part: Part) -> None:
        self.whole, self.part = whole, part
        self._row = (1 << part.columns) - 1
        own = whole.spaces_of(part)
        self.doors = tuple(i for i, door in enumerate(whole.doors) if own >> door.cell & 1)
        """The doors of the place that are its own, in their order."""
        cell = self.cell
        ground = b"".join(whole.ground[start : start + part.columns] for start in self._rows())
        levels = tuple(n for start in self._rows() for n in whole.levels[start : start + part.columns])
        self.field = Field(
            part.columns, part.rows, ground, self.board(whole.opaque), levels=levels if any(levels) else (),
            climbs=self.board(whole.climbs), title=part.title, level_height=part.level_height, ambient=part.ambient,
            edges=tuple(replace(e, a=cell(e.a), b=cell(e.b)) for e in whole.edges if own >> e.a & 1),
            doors=tuple(_door_at(whole.doors[i], self) for i in self.doors),
            lights=tuple(replace(light, cell=cell(light.cell)) for light in whole.lights if own >> light.cell & 1),
            exits=self.board(whole.exits), daylight=self._daylight(), theme=part.theme, story=part.story,
            wander=part.wander,
        )  # fmt: skip

    def _daylight(self) -> Bitboard:
        """The brighter spaces of a map that is dark in places; none of one that is alike everywhere."""
        lit = self.board(self.whole.daylight)
        return lit if self.part.ambient == self.whole.ambient else EMPTY

    def _rows(self) -> range:
        part, width = self.part, self.whole.width
        return range(part.top * width, (part.top + part.rows) * width, width)

    def cell(self, cell: Cell) -> Cell:
        """A space of the place as its own map counts it; it must be one of this map."""
        row, column = divmod(cell, self.whole.width)
        return Cell((row - self.part.top) * self.part.columns + column)

    def board(self, board: Bitboard) -> Bitboard:
        """The same for a set: those of them that are on this map."""
        width, columns = self.whole.width, self.part.columns
        board = board >> self.part.top * width
        if columns == width:
            return board & (1 << columns * self.part.rows) - 1
        return Bitboard(sum((board >> y * width & self._row) << y * columns for y in range(self.part.rows)))


def _door_at(door: Door, cut: Cut) -> Door:
    return replace(door, cell=cut.cell(door.cell), edge=None if door.edge is None else cut.cell(door.edge))


__all__ = ["GAP", "Cut", "Sheet", "joined_field"]
