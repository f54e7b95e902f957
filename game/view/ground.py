"""The ground of the table: a picture made piece by piece, kept as long as doors and zoom stay."""

from __future__ import annotations

import time
from collections import OrderedDict

import pygame

from game.knowledge import Sight
from game.mapdata import LoadedMap
from game.view import groundedges, groundtiles, palette
from game.view.camera import Camera
from game.view.doors import is_open
from game.view.groundplan import BURNING, FLAT_PROPS, GroundPlan, chance
from game.view.groundwalls import WallPainter
from game.view.lights import Lights, reach_of
from game.view.veil import Glow, Veil
from rules.grid import Field, Light, Terrain

PIECE = 4
"""Columns and rows of a piece of the picture."""
KEPT_PIXELS = 24_000_000
"""Pieces are forgotten, the oldest first, beyond this many pixels."""
BUDGET = 0.008
"""Seconds per frame to draw new pieces while a stand-in of another zoom can be shown."""

Key = tuple[int, int, int]


class GroundPicture:
    """Draws the ground of a field as its map describes it (None: as plain slate and rock)."""

    def __init__(self, field: Field, loaded: LoadedMap | None) -> None:
        self.plan = GroundPlan(field, loaded)
        self.doors = tuple(door.state for door in field.doors)
        self.pending = False
        """Some pieces are stand-ins, or not drawn yet just outside the window: draw again soon."""
        self.veil = Veil(self.plan)
        self._pieces: OrderedDict[Key, pygame.Surface] = OrderedDict()
        self._dressed: dict[Key, pygame.Surface] = {}
        self._stale: set[Key] = set()
        """Those of them over which the veil has changed: shown until there is time to dress them anew."""
        """The same pieces as they lie under the veil."""
        self._outdated: set[Key] = set()
        self._pixels = 0
        self._lights: Lights | None = None
        self._hide_secrets()

    def set_doors(self, states: tuple[str, ...]) -> None:
        """Take in how the doors stand; what changes is drawn anew."""
        if states == self.doors:
            return
        pairs = zip(self.plan.field.doors, self.doors, states, strict=False)
        moved = [door.cell for door, old, new in pairs if old != new]
        opened = self._opened()
        self.doors = states
        self._hide_secrets()
        if self._lights is None:
            return
        changed = self._near(moved, 2)
        if opened == self._opened():
            self._outdate(changed)
            return
        lights = [light for light in self._lights.seen if self._touches(light, moved)]
        for light in lights:
            changed += self._near([light.cell], reach_of(light) + 1)
        kept = {light: seen for light, seen in self._lights.seen.items() if light not in lights}
        self._lights = self._lit(kept)
        self._outdate(changed)

    def forget(self) -> None:
        """Somebody else looks: what was drawn, as the other knew doors, light and ground, stands in for nothing."""
        self._pieces.clear()
        self._dressed.clear()
        self._stale.clear()
        self._outdated.clear()
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
        if areas is None:
            self._dressed.clear()
            self._stale.clear()
        elif areas:
            for key in list(self._dressed):
                if pygame.Rect(key[1] * PIECE, key[2] * PIECE, PIECE, PIECE).collidelist(areas) >= 0:
                    self._stale.add(key)

    def _near(self, cells: list[int], reach: int) -> list[pygame.Rect]:
        """Squares of columns and rows around spaces."""
        spots = [self.plan.field.at(cell) for cell in cells]
        return [pygame.Rect(x - reach, y - reach, 2 * reach + 1, 2 * reach + 1) for x, y in spots]

    def _touches(self, light: Light, cells: list[int]) -> bool:
        """Whether a light shines near enough to one of these spaces to fall through a door there."""
        square = self._near([light.cell], reach_of(light))[0]
        return any(square.collidepoint(self.plan.field.at(cell)) for cell in cells)

    def _outdate(self, areas: list[pygame.Rect]) -> None:
        """Pieces that meet these columns and rows are drawn anew, soon; until then the old ones stand in."""
        for key in list(self._pieces):
            box = pygame.Rect(key[1] * PIECE, key[2] * PIECE, PIECE, PIECE)
            if box.collidelist(areas) >= 0:
                self._outdated.add(key)

    def _opened(self) -> int:
        """Bits of the doors that light falls through."""
        return sum(1 << i for i, state in enumerate(self.doors) if is_open(state))

    def terrain(self) -> Terrain:
        """The ground as the doors that are shown leave it."""
        return self.plan.field.terrain(self._opened())

    def _hide_secrets(self) -> None:
        doors = zip(self.plan.field.doors, self.doors, strict=False)
        self.plan.hide(frozenset(d.cell for d, state in doors if d.edge is None and state == "secret"))

    @property
    def lights(self) -> Lights:
        """The light as the doors let it through."""
        if self._lights is None:
            self._lights = self._lit()
        return self._lights

    def _lit(self, seen: dict[Light, int] | None = None) -> Lights:
        return Lights(self.plan, self.terrain(), seen, border=self.veil.sight is None)

    # -- drawing

    def draw(self, surface: pygame.Surface, camera: Camera) -> None:
        """Draw what the camera shows; what's not ready is stood in for by an earlier zoom's pieces."""
        columns, rows = camera.seen()
        self.pending = False
        if not columns or not rows:
            return
        began = time.perf_counter()
        size = PIECE * camera.zoom
        x, y = camera.origin
        across = range(columns.start // PIECE, (columns.stop - 1) // PIECE + 1)
        down = range(rows.start // PIECE, (rows.stop - 1) // PIECE + 1)
        shown: list[tuple[pygame.Surface, tuple[int, int]]] = []
        for j in down:
            for i in across:
                piece = self._found(camera.zoom, i, j)
                if piece is None and time.perf_counter() - began > BUDGET:
                    piece = self._stand_in(camera.zoom, i, j)
                    self.pending |= piece is not None
                piece = piece or self._make(camera.zoom, i, j)
                veiled = self._veiled(piece, (camera.zoom, i, j), time.perf_counter() - began > BUDGET)
                shown.append((veiled, (x + i * size, y + j * size)))
        surface.fblits(shown)
        if not self.pending:
            self._look_ahead(camera.zoom, across, down, began)

    def _look_ahead(self, zoom: int, across: range, down: range, began: float) -> None:
        """Draw what lies just outside the window while there's time: scrolling then finds it ready."""
        last = ((self.plan.width - 1) // PIECE, (self.plan.height - 1) // PIECE)
        for j in range(max(0, down.start - 1), min(last[1], down.stop) + 1):
            for i in range(max(0, across.start - 1), min(last[0], across.stop) + 1):
                if self._found(zoom, i, j) is None:
                    if time.perf_counter() - began > BUDGET:
                        self.pending = True
                        return
                    self._make(zoom, i, j)

    def _found(self, zoom: int, across: int, down: int) -> pygame.Surface | None:
        key = (zoom, across, down)
        piece = self._pieces.get(key)
        if piece is None or key in self._outdated:
            return None
        self._pieces.move_to_end(key)
        return piece

    def _stand_in(self, zoom: int, across: int, down: int) -> pygame.Surface | None:
        """The same piece of the nearest zoom there is, scaled."""
        zooms = [z for z, a, d in self._pieces if (a, d) == (across, down)]
        if not zooms:
            return None
        nearest = min(zooms, key=lambda z: abs(z - zoom))
        piece = self._pieces[nearest, across, down]
        size = (piece.get_width() * zoom // nearest, piece.get_height() * zoom // nearest)
        return pygame.transform.scale(piece, size)

    def _veiled(self, piece: pygame.Surface, key: Key, hasty: bool) -> pygame.Surface:
        """A piece as it lies under the veil; remembered unless it is a stand-in. In haste the old look will do."""
        if self.veil.bare:
            return piece
        zoom, across, down = key
        shown = self._dressed.get(key)
        if shown is not None and key in self._stale:
            self.pending |= hasty
            shown = shown if hasty else None
        if shown is None:
            left, top = across * PIECE, down * PIECE
            area = pygame.Rect(
                left, top, min(PIECE, self.plan.width - left), min(PIECE, self.plan.height - top)
            )
            shown = self.veil.dressed(piece, zoom, area)
            if self._pieces.get(key) is piece and key not in self._outdated:
                self._dressed[key] = shown
                self._stale.discard(key)
        return shown

    def _make(self, zoom: int, across: int, down: int) -> pygame.Surface:
        plan = self.plan
        left, top = across * PIECE, down * PIECE
        columns, rows = min(PIECE, plan.width - left), min(PIECE, plan.height - top)
        piece = pygame.Surface((columns * zoom, rows * zoom))
        _paint(self, piece, zoom, pygame.Rect(left, top, columns, rows))
        key = (zoom, across, down)
        self._outdated.discard(key)
        self._drop(key)
        self._pieces[key] = piece
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
            self._pixels -= old.get_width() * old.get_height()


def _paint(picture: GroundPicture, piece: pygame.Surface, zoom: int, area: pygame.Rect) -> None:
    """Draw a piece: floor, shadows, rock, rims, doors, things, then light, then what burns."""
    plan = picture.plan
    painter = WallPainter(plan, piece, zoom, area.x, area.y)
    around = [(x, y) for y in range(area.y - 1, area.bottom + 1) for x in range(area.x - 1, area.right + 1)]
    floor = [spot for spot in around if plan.is_floor(*spot)]
    walls = [spot for spot in around if plan.is_wall(*spot)]
    piece.fill(palette.ROCK)
    for x, y in floor:
        _paint_floor(plan, painter, x, y)
    for x, y in floor:
        groundedges.fray(plan, piece, painter.rect(x, y), x, y)
    for x, y in around:
        if plan.material(x, y) == "chasm":
            groundedges.chasm(plan, piece, painter.rect(x, y), x, y)
    for x, y in floor:
        if plan.material(x, y) != "tile":
            painter.shade_floor(x, y)
        painter.shade_ledges(x, y)
    for x, y in walls:
        painter.rock(x, y)
    for x, y in walls:
        painter.hatch(x, y)
    for x, y in walls:
        painter.faces(x, y)
    _paint_edges(picture, painter, around)
    _paint_props(plan, painter, around, burning=False)
    picture.lights.shine(piece, zoom, area.x, area.y, area.w, area.h)
    _paint_props(plan, painter, around, burning=True)


def _paint_floor(plan: GroundPlan, painter: WallPainter, x: int, y: int) -> None:
    box = painter.rect(x, y)
    material = plan.material(x, y)
    if material != "tile":
        painter.surface.blit(
            groundtiles.tile(material, chance(x, y) % groundtiles.VARIANTS, painter.zoom), box
        )
    else:
        painter.surface.fill(palette.INK, box)
    cell = plan.cell(x, y)
    if cell is None:
        return
    if cell in plan.foreign:
        _paint_foreign(plan, painter, cell, box)
    if cell in plan.rough:
        painter.rough(x, y)


def _paint_foreign(plan: GroundPlan, painter: WallPainter, cell: int, box: pygame.Rect) -> None:
    """The pictures of a foreign tileset, lowest layer first, each standing on the space's lower edge."""
    assert plan.loaded is not None
    wide, high = plan.loaded.tile_size
    for tile, number in plan.foreign[cell]:
        art, layer = plan.loaded.tiles[tile.tile], plan.loaded.layers[number]
        if art.image is None:
            continue
        size = (max(1, art.rect[2] * box.w // wide), max(1, art.rect[3] * box.h // high))
        flips = (tile.diagonal, tile.horizontal, tile.vertical)
        picture = groundtiles.foreign(art.image, art.rect, flips, size)
        if picture is None:
            continue
        x = box.x + round((art.offset[0] + layer.offset[0]) * box.w / wide)
        y = box.bottom - size[1] + round((art.offset[1] + layer.offset[1]) * box.h / high)
        if layer.opacity < 1:
            picture = picture.copy()
            picture.set_alpha(round(255 * layer.opacity))
        painter.surface.blit(picture, (x, y))


def _paint_edges(picture: GroundPicture, painter: WallPainter, around: list[tuple[int, int]]) -> None:
    plan = picture.plan
    for x, y in around:
        cell = plan.cell(x, y)
        if cell is None:
            continue
        if plan.east >> cell & 1:
            painter.thin_wall(x, y, "east")
        if plan.south >> cell & 1:
            painter.thin_wall(x, y, "south")
    near = {plan.cell(x, y) for x, y in around}
    for door, state in zip(plan.field.doors, picture.doors, strict=False):
        if door.cell not in near and door.edge not in near:
            continue
        if state != "secret":
            painter.door(door, state)
        elif door.edge is not None:
            first = min(door.cell, door.edge)
            side = "south" if abs(door.edge - door.cell) == plan.width and plan.width > 1 else "east"
            painter.thin_wall(first % plan.width, first // plan.width, side)


def _paint_props(
    plan: GroundPlan, painter: WallPainter, around: list[tuple[int, int]], *, burning: bool
) -> None:
    zoom = painter.zoom
    for x, y in around:
        for thing in plan.props_at(x, y):
            if (thing.name in BURNING) != burning:
                continue
            box = painter.rect(x, y)
            size = zoom
            if thing.name == "torch":
                size = zoom * 3 // 4
                box = _sconce(plan, x, y, box, size)
            picture = groundtiles.prop(thing.name, size, thing.flip, thing.turn)
            if picture is None:
                continue
            if thing.name not in FLAT_PROPS and not burning:
                shadow = pygame.Rect(0, 0, zoom * 8 // 10, zoom * 3 // 10)
                shadow.midbottom = (box.centerx + zoom // 20, box.bottom)
                painter.surface.blit(_soft_shadow(shadow.size), shadow)
            painter.surface.blit(picture, box)
    if not burning:
        for cell in plan.climbs():
            spot = (cell % plan.width, cell // plan.width)
            picture = groundtiles.prop("stairs", zoom) if spot in around else None
            if picture is not None:
                painter.surface.blit(picture, painter.rect(*spot))


def _sconce(plan: GroundPlan, x: int, y: int, box: pygame.Rect, size: int) -> pygame.Rect:
    """Where a torch hangs: at the nearest wall, so that the space stays free for whoever stands there."""
    spot = pygame.Rect(0, 0, size, size)
    spot.center = box.center
    for dx, dy, shift_x, shift_y in (
        (0, -1, 0.0, -0.5),
        (-1, 0, -0.42, -0.1),
        (1, 0, 0.42, -0.1),
        (0, 1, 0.0, 0.3),
    ):
        if plan.is_wall(x + dx, y + dy):
            return spot.move(round(shift_x * box.w), round(shift_y * box.w))
    return spot


def _soft_shadow(size: tuple[int, int]) -> pygame.Surface:
    return groundtiles.blob(size, 110)
