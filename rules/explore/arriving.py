"""Waves come: by the turn, by a noise or by a door, in each ruleset's own manner (olde.md §4 waves).

A creature of a wave is one of the fight's from the beginning, off the board until it comes. It comes at the beginning
of a turn: at an edge, an exit, stairs or a door, or out of its foes' sight, or just where it was put if the record says
so.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from rules.board.arrivals import Arrival, Cause
from rules.board.bitboard import cells_of
from rules.board.grid import DIRECTIONS, Field
from rules.contract.display import Board, Due, Miniature
from rules.contract.events import Arrived, Attack, Event, Noise
from rules.contract.text import text
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell, CreatureIx
from rules.explore.course import around
from rules.explore.crawl import Crawl
from rules.explore.noise import Loudness, carried
from rules.explore.state import put
from rules.explore.waves import HERE, WAITS


class Arriving(ABC):
    """How a ruleset's creatures come into a fight."""

    course: ClassVar[Crawl[Any]]
    turn: ClassVar[int] = 1
    """What a turn is on the ruleset's clock."""

    @abstractmethod
    def clock(self, at: Any) -> int:
        """The turn, or the second, that has begun last."""

    @abstractmethod
    def ready(self, resolution: Any, who: CreatureIx) -> None:
        """Somebody who stands on the board from now on takes its place in the order of play."""

    # -- how they stand

    def shown(self, board: Board, state: Any, mini: Callable[[Any, CreatureIx], Miniature]) -> Board:
        """The board with who has still to come."""
        index, found = state.setup.index, list[Due]()
        for wave, stands in zip(state.setup.field.arrivals, state.waves, strict=False):
            for name, cell in zip(wave.who, wave.cells, strict=True) if stands != HERE else ():
                if state.figures[index[name]].cell < 0:
                    piece = replace(mini(state, index[name]), cell=cell, active=False)
                    found.append(Due(piece, self.when(state, wave, stands), wave.name))
        return replace(board, due=tuple(found)) if found else board

    def when(self, at: Any, wave: Arrival, due: int) -> str:
        """When a wave comes, in words."""
        if due > HERE:
            return self.moment(due)
        if wave.cause is Cause.DOOR:
            return text("when {door} is opened", at.setup.field.doors[wave.door].id)
        return "at a noise"

    def moment(self, due: int) -> str:
        """A turn, or a second, in words."""
        return text("turn {n}", due)

    # -- what calls them

    def heed(self, resolution: Any) -> None:
        """What has happened calls those who wait for it. While nobody fights they come at once."""
        waves, called = resolution.waves, False
        noises: list[tuple[Cell, int]] | None = None
        for number, wave in enumerate(resolution.setup.field.arrivals if waves else ()):
            if waves[number] != WAITS:
                continue
            if wave.cause is Cause.NOISE:
                noises = self._noises(resolution) if noises is None else noises
                calls = any(self._hears(resolution, wave, cell, loudness) for cell, loudness in noises)
            else:
                calls = bool(resolution.terrain.doors_open >> wave.door & 1)
            if calls:
                due = self.clock(resolution) + max(1, wave.turn * self.turn)
                waves, called = put(waves, number, due), True
        if called:
            resolution.waves = waves
            if resolution.explore is not None and self.course.exploring_now(resolution):
                self._come(resolution, [n for n, due in enumerate(waves) if due > HERE and self._called(resolution, n)])

    def _called(self, resolution: Any, number: int) -> bool:
        wave: Arrival = resolution.setup.field.arrivals[number]
        return wave.cause is not Cause.TURN

    def _hears(self, resolution: Any, wave: Arrival, cell: Cell, loudness: int) -> bool:
        sound = carried(resolution.terrain, cell, loudness)
        return any(sound.distance(Bitboard(1 << there)) is not None for there in wave.cells)

    def _noises(self, resolution: Any) -> list[tuple[Cell, int]]:
        """(where, how loud) of all that was to be heard since the last command: blows, what was forced, noises told."""
        field, found = resolution.setup.field, list[tuple[Cell, int]]()
        for event in resolution.events:
            if isinstance(event, Attack):
                found += self._at(resolution, event.target, Loudness.FIGHT)
            elif isinstance(event, Noise):
                found.append((field.cell(*event.at), event.loudness))
            elif self.course.loud((event,), None) is not None:
                found += self._at(resolution, self._maker(event), Loudness.DOOR)
        return list(dict.fromkeys(found))

    def _maker(self, event: Event) -> str:
        return str(getattr(event, "by", "") or "")

    def _at(self, resolution: Any, name: str, loudness: int) -> list[tuple[Cell, int]]:
        who = resolution.setup.index.get(name)
        cell = NOWHERE if who is None else resolution.figures[who].cell
        return [(cell, int(loudness))] if cell >= 0 else []

    # -- they come

    def turn_begins(self, resolution: Any, now: int) -> None:
        """Those come whose turn, or second, it is; who finds no room tries again with the next one."""
        self._come(resolution, [number for number, due in enumerate(resolution.waves) if HERE < due <= now])

    def _come(self, resolution: Any, waves: Sequence[int]) -> None:
        for number in waves:
            wave: Arrival = resolution.setup.field.arrivals[number]
            left = [name for name in wave.who if not self._enters(resolution, wave, name)]
            if not left:
                resolution.waves = put(resolution.waves, number, HERE)

    def _enters(self, resolution: Any, wave: Arrival, name: str) -> bool:
        """Somebody of a wave comes onto the board; False where it finds no room at all."""
        who: CreatureIx = resolution.setup.index[name]
        if resolution.figures[who].cell >= 0 or not self.course.up(resolution, who):
            return True
        cell = self.place(resolution, wave, who)
        if cell < 0:
            return False
        resolution.change(who, cell=cell)
        exploring = resolution.explore is not None and self.course.exploring_now(resolution)
        resolution.events.append(Arrived(by=name, at=resolution.space(cell), what=wave.name))
        if not exploring:
            self.ready(resolution, who)
        if resolution.explore is not None and who < len(resolution.explore.post):
            self.course.mark(resolution, who, post=cell)
            if resolution.explore.crawl and self.course.hostile(resolution, who):
                if not exploring:
                    self.course.rouse(resolution, [who])
                self.course.seek(resolution, who, self.course._fight_at(resolution))
        return True

    def place(self, resolution: Any, wave: Arrival, who: CreatureIx) -> Cell:
        """Where somebody comes in: as near to its space as there is room. Where that is neither a way in, or at a door,
        nor out of its foes' sight, out of their sight; where they see everything, by the nearest way in, and on a map
        without any just there; `NOWHERE` where there is no room at all."""
        body = self.course.bodies(resolution)[who]
        terrain, taken, wanted = resolution.terrain, self.course.occupied(resolution, who), wave.cell_of(body.id)
        field = resolution.setup.field
        ways = ways_in(field)
        first = around(terrain, wanted, body.space, taken)
        if wave.sudden or first < 0 or (ways | at_doors(field)) >> wanted & 1:
            return first
        if not self._watched(resolution, body.side, first, body.space):
            return first
        seen = self._seen(resolution, body.side)
        hidden = around(terrain, wanted, body.space, Bitboard(taken | seen))
        if hidden >= 0:
            return hidden
        for way in sorted(cells_of(ways), key=lambda cell: (terrain.distance(wanted, cell), cell)):
            if terrain.fits(way, body.space) and not terrain.footprint(way, body.space) & taken:
                return Cell(way)
        return first

    def _foes(self, resolution: Any, side: str) -> list[str]:
        sides = dict.fromkeys(body.side for body in self.course.bodies(resolution))
        return [other for other in sides if other != side]

    def _watched(self, resolution: Any, side: str, cell: Cell, space: int) -> bool:
        there, state = resolution.terrain.footprint(cell, space), resolution.done()
        return any(self.course.glance(state, foe, there) for foe in self._foes(resolution, side))

    def _seen(self, resolution: Any, side: str) -> Bitboard:
        seen, state = EMPTY, resolution.done()
        for foe in self._foes(resolution, side):
            seen |= self.course.sees(state, foe)
        return seen


def ways_in(field: Field) -> Bitboard:
    """The spaces by which somebody comes onto a map: its edges, exits and stairs."""
    found = field.exits | field.climbs
    for stair in field.stairs:
        found |= 1 << stair.cell
    parts = [(part.top, part.rows, part.columns) for part in field.maps] or [(0, field.height, field.width)]
    for top, rows, columns in parts:
        for column in range(columns):
            found |= 1 << field.cell(column, top) | 1 << field.cell(column, top + rows - 1)
        for row in range(top, top + rows):
            found |= 1 << field.cell(0, row) | 1 << field.cell(columns - 1, row)
    return Bitboard(found)


def at_doors(field: Field) -> Bitboard:
    """The spaces of doors, and those beside them."""
    found = EMPTY
    for door in field.doors:
        found |= door.spaces
        column, row = field.at(door.cell)
        for x, y in DIRECTIONS[:4] if door.edge is None else ():
            if field.inside(column + x, row + y):
                found |= 1 << field.cell(column + x, row + y)
    return Bitboard(found)
