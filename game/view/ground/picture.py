"""The ground of the table: a picture made piece by piece, kept as long as doors and zoom stay."""

from __future__ import annotations

import math
import time
from bisect import bisect_right
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import NamedTuple, Protocol

import pygame

from game.fight.history import Sight
from game.maps.mapdata import LoadedMap
from game.view.ground.lights import Glow, Lights, Veil, reach_of
from game.view.ground.paint import Setting, paint
from game.view.ground.sheet import Place, Sheet
from game.view.ground.stack import LayerStack, Roofs
from game.view.ground.tiles import GroundPlan, differing
from game.view.ground.walls import is_open
from rules.board.fixtures import DoorState
from rules.board.grid import Field, Light, Terrain
from rules.contract.units import Bitboard, Cell

STEP = 50
"""Milliseconds: nothing moves in smaller steps."""


class TileMotion:
    """The clock of all animated tiles. `moving` are their arts with what each shows for how many milliseconds."""

    def __init__(self, moving: Mapping[int, tuple[tuple[int, int], ...]]) -> None:
        self.cycles = {
            art: ([frame for frame, _ in frames], list(accumulate(max(STEP, wait) for _, wait in frames)))
            for art, frames in moving.items()
        }
        self._clock = 0.0
        self.frames: dict[int, int] = {}
        """What each shows; empty while they stand still, which shows each as its tile is."""

    def advance(self, seconds: float) -> set[int]:
        """Let time pass; the arts that look otherwise now."""
        self._clock += seconds * 1000
        now = {art: frames[bisect_right(ends, self._clock % ends[-1])] for art, (frames, ends) in self.cycles.items()}
        changed = {art for art, frame in now.items() if self.frames.get(art) != frame}
        self.frames = now
        return changed

    def stop(self) -> bool:
        """Stand still; whether that changed anything."""
        moved, self.frames = bool(self.frames), {}
        return moved

    def wait(self, arts: Iterable[int]) -> float | None:
        """Seconds until one of these arts changes; None if there is none."""
        waits = []
        for art in arts:
            _, ends = self.cycles[art]
            at = self._clock % ends[-1]
            waits.append(ends[bisect_right(ends, at)] - at)
        return min(waits) / 1000 if waits else None

    def looks(self, arts: Iterable[int]) -> int:
        """How many different pictures these arts may make together."""
        return math.prod(len(ends) for ends in {tuple(self.cycles[art][1]) for art in arts})


PIECE = 4
"""Columns and rows of a piece of the picture."""
KEPT_PIXELS = 24_000_000
"""Pieces are forgotten, the oldest first, beyond this many pixels."""
BUDGET = 0.008
"""Seconds per frame to draw new pieces while a stand-in of another zoom can be shown."""


class Key(NamedTuple):
    """A piece: at which zoom, which it is across and down, which roofs are away, what its animated tiles show."""

    zoom: int
    across: int
    down: int
    away: tuple[int, ...] = ()
    frames: tuple[int, ...] = ()


class _Piece(NamedTuple):
    """What may change in a piece: the roofs that are seen on it, the arts that move."""

    roofs: tuple[int, ...]
    moving: tuple[int, ...]


_SEEN = 3
"""Spaces beyond its own that what lies on one may be seen, by shadows and overhanging tiles."""
_AT_ONCE = 12
"""Most pieces that are painted at once where somebody draws."""


def _meeting(keys: Iterable[Key], areas: list[pygame.Rect]) -> list[Key]:
    """Those of some pieces that meet any of these columns and rows."""
    boxes = ((key, pygame.Rect(key.across * PIECE, key.down * PIECE, PIECE, PIECE)) for key in keys)
    return [key for key, box in boxes if box.collidelist(areas) >= 0]


class Window(Protocol):
    """What is asked of a camera: pixels per space, where the map's corner lies, which columns and rows are seen."""

    @property
    def zoom(self) -> int: ...
    @property
    def origin(self) -> tuple[int, int]: ...
    def seen(self) -> tuple[range, range]: ...


class GroundPicture:
    """Draws the ground of a field as its map describes it (None: as plain slate and rock)."""

    def __init__(self, field: Field, loaded: LoadedMap | None, *, lit: bool = True) -> None:
        self.plan = GroundPlan(field, loaded)
        self.lit = lit
        """Whether light and dark lie over it; without them pictures look as they do in Tiled."""
        self.stack = LayerStack(loaded) if loaded is not None else None
        self.roofs = Roofs(self.stack)
        self.motion = TileMotion(self.stack.moving if self.stack is not None else {})
        self.doors = tuple(door.state for door in field.doors)
        self.pending = False
        """Some pieces are stand-ins, or not drawn yet just outside the window: draw again soon."""
        self.veil = Veil(self.plan)
        self._pieces: OrderedDict[Key, pygame.Surface] = OrderedDict()
        self._made: Counter[tuple[int, int, int]] = Counter()
        """How many pieces there are of each place at each zoom, whatever they show."""
        self._dressed: dict[Key, pygame.Surface] = {}
        """The same pieces as they lie under the veil."""
        self._stale: set[Key] = set()
        """Those of them over which the veil has changed: shown until there is time to dress them anew."""
        self._changing: dict[tuple[int, int], _Piece] = {}
        self._moving: set[int] = set()
        """The arts that move and were drawn last."""
        self._still = False
        """More moves in the window than can be kept: it stands still."""
        self._outdated: set[Key] = set()
        self._urgent: set[Key] = set()
        """Those of them that are painted before anything else is shown: somebody draws there."""
        self._pixels = 0
        self._sheet = Sheet()
        self._seen: tuple[object, dict[Place, pygame.Surface]] = (None, {})
        """For which case pieces were looked up last, and which they are."""
        self._changes = 0
        """Counts whatever may make a piece look otherwise, but for roofs and what moves."""
        self._lights: Lights | None = None
        self._hide_secrets()

    def set_doors(self, states: tuple[str, ...]) -> None:
        """Take in how the doors stand; what changes is drawn anew."""
        if states == self.doors:
            return
        self._changes += 1
        pairs = zip(self.plan.field.doors, self.doors, states, strict=False)
        moved = [door.cell for door, old, new in pairs if old != new]
        opened = self._opened()
        secret, self.doors = self.plan.hidden, states
        self._hide_secrets()
        if self.plan.hidden != secret:
            self._undress(self.veil.again())
        if self._lights is None:
            return
        changed = self._near(moved, 2)
        if opened == self._opened():
            self._outdated.update(_meeting(self._pieces, changed))
            return
        spots = [self.plan.field.at(cell) for cell in moved]
        kept = {}
        for light, seen in self._lights.seen.items():
            square = self._near([light.cell], reach_of(light))[0]
            if any(square.collidepoint(spot) for spot in spots):  # it may fall through a door there
                changed.append(square.inflate(2, 2))
            else:
                kept[light] = seen
        self._lights = self._lit(kept)
        self._outdated.update(_meeting(self._pieces, changed))

    def take_over(self, old: object) -> None:
        """This map is that of `old` but for some spaces, as somebody draws on it: what has not changed need not be
        painted again, and what has stands in for itself until there is time."""
        if not isinstance(old, GroundPicture):
            return
        changed = differing(old.plan, self.plan)
        if changed is None or self.lit != old.lit or self.roofs.over != old.roofs.over:
            return
        self._changes += 1
        tight = self._around(changed, 1)
        areas = self._around(changed, _SEEN)
        if self.doors != old.doors:
            areas += self._near([door.cell for door in (*self.plan.field.doors, *old.plan.field.doors)], 2)
        self._pieces, self._made, self._pixels = old._pieces, old._made, old._pixels
        areas += self._relit(old, changed)
        self._outdated = {*old._outdated, *_meeting(self._pieces, areas)}
        urgent = [key for key in _meeting(self._pieces, tight) if key in self._outdated]
        self._urgent = set(urgent) if len(urgent) <= _AT_ONCE else set()

    def _around(self, cells: set[int], reach: int) -> list[pygame.Rect]:
        """The columns and rows about some spaces."""
        if not cells:
            return []
        columns, rows = {cell % self.plan.width for cell in cells}, {cell // self.plan.width for cell in cells}
        left, top = min(columns) - reach, min(rows) - reach
        return [pygame.Rect(left, top, max(columns) + reach + 1 - left, max(rows) + reach + 1 - top)]

    def _relit(self, old: GroundPicture, changed: set[int]) -> list[pygame.Rect]:
        """Take over what lights fall upon where nothing is in their way that was not before; where light is another."""
        if old._lights is None:
            return []
        field, before = self.plan.field, old.plan.field
        solid = (self.plan.east, self.plan.south) != (old.plan.east, old.plan.south) or self.doors != old.doors
        solid = solid or field.opaque != before.opaque
        spots, kept, areas = self._around(changed, 1) if solid else [], {}, list[pygame.Rect]()
        for light, seen in old._lights.seen.items():
            square = self._near([light.cell], reach_of(light))[0]
            if light not in field.lights or square.collidelist(spots) >= 0:
                areas.append(square.inflate(2, 2))
            else:
                kept[light] = seen
        fresh = [light.cell for light in field.lights if light not in old._lights.seen]
        areas += [rect for cell in fresh for rect in self._near([cell], max(map(reach_of, field.lights)) + 1)]
        self._lights = self._lit(kept)
        return areas

    def forget(self) -> None:
        """Somebody else looks: what was drawn, as the other knew doors, light and ground, stands in for nothing."""
        self._pieces.clear()
        self._made.clear()
        self._dressed.clear()
        self._stale.clear()
        self._outdated.clear()
        self._sheet.forget()
        self._changes += 1
        self._pixels = 0

    def see(self, sight: Sight | None) -> None:
        """Show the ground as somebody knows it (None: all of it)."""
        old = self.veil.sight
        areas = self.veil.see(sight)
        if old is not None and sight is not None and old.ever & ~sight.ever:
            areas = None  # somebody else looks: not for one frame may the other's ground be seen
        if (old is None) != (sight is None) and self._lights is not None:
            self._lights = self._lit(self._lights.seen)
            self.forget()
        self._undress(areas)

    def shine(self, glows: tuple[Glow, ...]) -> None:
        """Show the lights that are carried."""
        self._undress(self.veil.shine(glows))

    def _undress(self, areas: list[pygame.Rect] | None) -> None:
        """The veil over these columns and rows has changed; None = everywhere."""
        self._changes += 1
        if areas is None:
            self._dressed.clear()
            self._stale.clear()
        elif areas:
            self._stale.update(_meeting(self._dressed, areas))

    def _near(self, cells: list[Cell], reach: int) -> list[pygame.Rect]:
        """Squares of columns and rows around spaces."""
        spots = [self.plan.field.at(cell) for cell in cells]
        return [pygame.Rect(x - reach, y - reach, 2 * reach + 1, 2 * reach + 1) for x, y in spots]

    def _opened(self) -> int:
        """Bits of the doors that light falls through."""
        return sum(1 << i for i, state in enumerate(self.doors) if is_open(state))

    def terrain(self) -> Terrain:
        """The ground as the doors that are shown leave it."""
        return self.plan.field.terrain(self._opened())

    def _hide_secrets(self) -> None:
        doors = zip(self.plan.field.doors, self.doors, strict=False)
        self.plan.hide(frozenset(d.cell for d, state in doors if d.edge is None and state == DoorState.SECRET))

    @property
    def lights(self) -> Lights:
        """The light as the doors let it through."""
        if self._lights is None:
            self._lights = self._lit()
        return self._lights

    def _lit(self, seen: dict[Light, Bitboard] | None = None) -> Lights:
        return Lights(self.plan, self.terrain(), seen, border=self.veil.sight is None)

    # -- what moves

    def animate(self, seconds: float | None) -> bool:
        """Let time pass for animated tiles (None: they stand still); whether anything must be drawn again."""
        if seconds is None:
            return self.motion.stop() and bool(self._moving)
        return bool(self.motion.advance(seconds) & self._moving) and not self._still

    @property
    def next_frame(self) -> float | None:
        """Seconds until an animated tile in the window changes; None if there is none."""
        return None if self._still else self.motion.wait(self._moving)

    def _piece(self, across: int, down: int) -> _Piece:
        """What may change in a piece."""
        found = self._changing.get((across, down))
        if found is None:
            area = self._area(across, down)
            moving = self.stack.animated(area) if self.stack is not None else ()
            found = self._changing[across, down] = _Piece(self.roofs.near(area), moving)
        return found

    def _keys(self, zoom: int, across: int, down: int) -> tuple[Key, Key | None, float]:
        """A piece as it is; while a roof on it goes or comes also with that roof, and how far it is gone."""
        if not (self.roofs.over or self.motion.cycles):
            return Key(zoom, across, down), None, 0.0
        piece = self._piece(across, down)
        shown = self.motion.frames if not self._still else {}
        frames = tuple(shown.get(art, art) for art in piece.moving)
        lifted = {roof: self.roofs.lifted[roof] for roof in piece.roofs if roof in self.roofs.lifted}
        key = Key(zoom, across, down, tuple(lifted), frames)
        under_way = [share for share in lifted.values() if share < 1]
        if not under_way:
            return key, None, 0.0
        there = tuple(roof for roof, share in lifted.items() if share == 1)
        return key, key._replace(away=there), max(under_way)

    def _area(self, across: int, down: int) -> pygame.Rect:
        """The columns and rows of a piece."""
        left, top = across * PIECE, down * PIECE
        return pygame.Rect(left, top, min(PIECE, self.plan.width - left), min(PIECE, self.plan.height - top))

    # -- drawing

    def draw(self, surface: pygame.Surface, camera: Window) -> None:
        """Draw what the camera shows; what's not ready is stood in for by an earlier zoom's pieces."""
        columns, rows = camera.seen()
        self.pending = False
        if not columns or not rows:
            return
        zoom, size = camera.zoom, PIECE * camera.zoom
        x, y = camera.origin
        across = range(columns.start // PIECE, (columns.stop - 1) // PIECE + 1)
        down = range(rows.start // PIECE, (rows.stop - 1) // PIECE + 1)
        pieces, fading = self._pieces_shown(zoom, across, down)
        self._sheet.lay(surface, (x, y), size, pieces)
        for (i, j), picture, gone in fading:
            picture.set_alpha(round(255 * (1 - gone)))
            surface.blit(picture, (x + i * size, y + j * size))
            picture.set_alpha(None)

    def _pieces_shown(
        self, zoom: int, across: range, down: range
    ) -> tuple[dict[Place, pygame.Surface], list[tuple[Place, pygame.Surface, float]]]:
        """The pieces of a part of the ground, row by row; those with a roof that goes or comes, and how far it is."""
        case = (zoom, across, down, self._changes, self.motion.frames, dict(self.roofs.lifted), self._still)
        if case == self._seen[0]:
            return self._seen[1], []
        began = time.perf_counter()
        self._watch(zoom, across, down)
        shown: dict[Place, pygame.Surface] = {}
        fading: list[tuple[Place, pygame.Surface, float]] = []
        for j in down:
            for i in across:
                key, roofed, gone = self._keys(zoom, i, j)
                shown[i, j] = self._ready(key, began)
                if roofed is not None:
                    fading.append(((i, j), self._ready(roofed, began), gone))
        if not self.pending:
            self._look_ahead(zoom, across, down)
        if not (self.pending or fading):
            self._seen = (case, shown)
        return shown, fading

    def _watch(self, zoom: int, across: range, down: range) -> None:
        """Take in what moves in the window, and whether it is too much to be kept."""
        if not self.motion.cycles:
            return
        pixels, self._moving = 0, set()
        for j in down:
            for i in across:
                moving = self._piece(i, j).moving
                self._moving.update(moving)
                if moving:
                    pixels += (PIECE * zoom) ** 2 * self.motion.looks(moving)
        self._still = pixels > KEPT_PIXELS * 3 // 4

    def _ready(self, key: Key, began: float) -> pygame.Surface:
        """A piece under its veil; where time has run out a stand-in, if there is any."""
        piece = self._pieces.get(key) if key not in self._outdated else None
        if piece is not None:
            self._pieces.move_to_end(key)
        elif time.perf_counter() - began > BUDGET and key not in self._urgent:
            piece = self._stand_in(key)
            self.pending |= piece is not None
        return self._veiled(piece or self._make(key), key, time.perf_counter() - began > BUDGET)

    def _look_ahead(self, zoom: int, across: range, down: range) -> None:
        """Draw what lies just outside the window, at least a piece a time: scrolling then finds it ready.

        The time that the window itself took doesn't count: on a slow machine nothing would ever get ready.
        """
        began = time.perf_counter()
        last = ((self.plan.width - 1) // PIECE, (self.plan.height - 1) // PIECE)
        for j in range(max(0, down.start - 1), min(last[1], down.stop) + 1):
            for i in range(max(0, across.start - 1), min(last[0], across.stop) + 1):
                key = self._keys(zoom, i, j)[0]
                if key in self._outdated or not self._made[zoom, i, j]:
                    if self.pending:
                        return
                    self._make(key)
                    self.pending = time.perf_counter() - began > BUDGET

    def _stand_in(self, key: Key) -> pygame.Surface | None:
        """The same piece as it was a moment ago, or of the nearest zoom there is, scaled."""
        others = [each for each in self._pieces if each[1:3] == key[1:3]]
        if not others:
            return None
        nearest = min(others, key=lambda each: (abs(each.zoom - key.zoom), each.away != key.away))
        piece = self._pieces[nearest]
        if nearest.zoom == key.zoom:
            return piece
        size = (piece.get_width() * key.zoom // nearest.zoom, piece.get_height() * key.zoom // nearest.zoom)
        return pygame.transform.scale(piece, size)

    def _veiled(self, piece: pygame.Surface, key: Key, hasty: bool) -> pygame.Surface:
        """A piece as it lies under the veil; remembered unless it is a stand-in. In haste the old look will do."""
        if self.veil.bare:
            return piece
        shown = self._dressed.get(key)
        if shown is not None and key in self._stale:
            self.pending |= hasty
            shown = shown if hasty else None
        if shown is None:
            shown = self.veil.dressed(piece, key.zoom, self._area(key.across, key.down))
            if self._pieces.get(key) is piece and key not in self._outdated:
                self._dressed[key] = shown
                self._stale.discard(key)
        return shown

    def _make(self, key: Key) -> pygame.Surface:
        area = self._area(key.across, key.down)
        piece = pygame.Surface((area.w * key.zoom, area.h * key.zoom))
        lights = self.lights if self.lit else None
        setting = Setting(self.plan, self.doors, lights, self.stack, self.roofs)
        frames = dict(zip(self._piece(key.across, key.down).moving, key.frames, strict=True))
        paint(setting, piece, key.zoom, area, away=key.away, frames=frames)
        self._outdated.discard(key)
        self._urgent.discard(key)
        self._drop(key)
        self._pieces[key] = piece
        self._made[key[:3]] += 1
        self._pixels += piece.get_width() * piece.get_height()
        while self._pixels > KEPT_PIXELS and len(self._pieces) > 1:
            self._drop(next(iter(self._pieces)))
        return piece

    def _drop(self, key: Key) -> None:
        self._dressed.pop(key, None)
        self._stale.discard(key)
        old = self._pieces.pop(key, None)
        if old is not None:
            self._outdated.discard(key)
            self._made[key[:3]] -= 1
            self._pixels -= old.get_width() * old.get_height()
