"""The layers of a map that hold pictures: which of them lie over a part of the map, and in what order.

Positions are in pixels of the map as Tiled has them; `side` of these are one space.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import pygame

from game.maps.mapdata import Figure, Layer, LoadedMap, PlacedTile, TileArt
from game.view.ground import pictures
from game.view.ground.pictures import Look
from game.view.ground.tiles import FLOORS, VARIANTS, chance
from rules.contract.units import NOWHERE, Cell

BUCKET = 4
"""Columns and rows of a part of the map, by which large pictures are found."""
_NEAR = 3
"""Spaces that a tile may reach beyond its own and still be found by looking at those around."""
Box = tuple[float, float, float, float]
"""Left, top, width, height."""
Frames = Mapping[int, int]
"""The arts that animated ones show now."""


class Sprite(NamedTuple):
    """A picture in its place."""

    number: int
    """Its place among those of its layer: the lower is drawn first."""
    art: int
    """The index of its art; -1 is the backdrop of its layer."""
    box: Box
    flips: tuple[bool, bool, bool]
    cell: Cell
    """The space of a tile, -1 for what stands on none."""
    opacity: float = 1.0
    angle: float = 0.0
    pivot: tuple[float, float] = (0.0, 0.0)
    soft: bool = False
    """Its picture is stretched or shrunk, as only those of tile objects can be."""


class Level:
    """One layer, ready to be asked for what lies in a part of the map."""

    def __init__(self, stack: LayerStack, index: int, layer: Layer) -> None:
        self.stack, self.index, self.layer = stack, index, layer
        arts = {art for art in layer.tiles.arts() if stack.shows(layer, stack.arts[art])}
        self.tiles = layer.tiles.only(arts)
        self.buckets: dict[tuple[int, int], list[Sprite]] = {}
        self.reach: tuple[int, ...] = (0, 0, 0, 0)
        reaches = {art: stack.reach(art, layer) for art in arts}
        self.large = {art for art, reach in reaches.items() if max(reach) > _NEAR}
        near = [reach for art, reach in reaches.items() if art not in self.large]
        if near:
            self.reach = tuple(max(0, *each) for each in zip(*near, strict=True))
        if self.large:
            self._keep(stack.sprite(layer, each) for each in self.tiles.only(self.large))
        self._keep(stack.figure(number, each) for number, each in enumerate(layer.figures))

    def _keep(self, sprites: Iterable[Sprite]) -> None:
        span = BUCKET * self.stack.side
        for sprite in sprites:
            left, top, wide, high = bounds(sprite)
            for i in range(max(0, math.floor(left / span)), self._end(left + wide, self.stack.width)):
                for j in range(max(0, math.floor(top / span)), self._end(top + high, self.stack.height)):
                    self.buckets.setdefault((i, j), []).append(sprite)

    def _end(self, place: float, spaces: int) -> int:
        return min(-(-spaces // BUCKET), math.ceil(place / (BUCKET * self.stack.side)))

    def over(self, area: pygame.Rect) -> list[Sprite]:
        """What may lie over a part of the map, `area` in columns and rows, in draw order."""
        found = list(self._tiles_over(area))
        if self.buckets:
            many = {
                sprite
                for i in range(area.left // BUCKET, (area.right - 1) // BUCKET + 1)
                for j in range(area.top // BUCKET, (area.bottom - 1) // BUCKET + 1)
                for sprite in self.buckets.get((i, j), ())
            }
            found = sorted([*found, *many], key=lambda sprite: sprite.number)
        if self.layer.backdrop is not None:
            found += self._backdrops(area)
        return found

    def _tiles_over(self, area: pygame.Rect) -> Iterator[Sprite]:
        stack, (left, up, right, down) = self.stack, self.reach
        if not self.tiles:
            return
        first, last = max(0, area.left - right), min(stack.width, area.right + left)
        rows = range(max(0, area.top - down), min(stack.height, area.bottom + up))
        for row in reversed(rows) if stack.backward[1] else rows:
            start = bisect_left(self.tiles.cells, row * stack.width + first)
            end = bisect_left(self.tiles.cells, row * stack.width + last, start)
            for n in range(end - 1, start - 1, -1) if stack.backward[0] else range(start, end):
                tile = self.tiles[n]
                if tile.tile not in self.large:
                    yield stack.sprite(self.layer, tile)

    def _backdrops(self, area: pygame.Rect) -> Iterator[Sprite]:
        """The picture of an image layer as often as it lies over the area."""
        drop, side = self.layer.backdrop, self.stack.side
        assert drop is not None
        times = pictures.pattern_of(drop.size, drop.across, drop.down)
        wide, high = drop.size[0] * times[0], drop.size[1] * times[1]
        xs = _starts(drop.at[0], wide, area.left * side, area.right * side, drop.across)
        ys = _starts(drop.at[1], high, area.top * side, area.bottom * side, drop.down)
        for y in ys:
            for x in xs:
                yield Sprite(0, -1, (x, y, wide, high), (False, False, False), NOWHERE)


def _starts(at: float, size: int, low: int, high: int, repeats: bool) -> list[float]:
    """Where pictures of a size begin that reach between two places."""
    if not repeats:
        return [at] if at < high and at + size > low else []
    first = math.floor((low - at) / size)
    return [at + n * size for n in range(first, math.ceil((high - at) / size))]


def bounds(sprite: Sprite) -> Box:
    """The upright box around a sprite, however it is turned."""
    left, top, wide, high = sprite.box
    if not sprite.angle:
        return sprite.box
    corners = [turned((x, y), sprite.pivot, sprite.angle) for x in (left, left + wide) for y in (top, top + high)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def turned(spot: tuple[float, float], about: tuple[float, float], angle: float) -> tuple[float, float]:
    """A point turned clockwise by degrees."""
    sin, cos = math.sin(math.radians(angle)), math.cos(math.radians(angle))
    x, y = spot[0] - about[0], spot[1] - about[1]
    return about[0] + cos * x - sin * y, about[1] + sin * x + cos * y


class LayerStack:
    """All layers with pictures of a map, lowest first."""

    def __init__(self, loaded: LoadedMap) -> None:
        self.arts, self.side = loaded.tiles, loaded.tile_size[0]
        self.width, self.height = loaded.field.width, loaded.field.height
        self.backward = loaded.backward
        paths = {art.image for art in loaded.tiles}
        paths |= {layer.backdrop.image for layer in loaded.layers if layer.backdrop is not None}
        self._stamps = {path: pictures.stamp(path) for path in paths if path is not None}
        levels = [Level(self, n, layer) for n, layer in enumerate(loaded.layers) if layer.visible]
        full = [level for level in levels if level.tiles or level.layer.figures or level.layer.backdrop]
        self.levels = [level for level in full if level.layer.role != "roof"]
        self.roofs = [level for level in full if level.layer.role == "roof"]
        used = {art for level in full for art in level.tiles.arts()}
        used |= {figure.tile for level in full for figure in level.layer.figures}
        self.moving = {art: self.arts[art].frames for art in used if self.arts[art].frames}
        """Animated arts that are in use."""

    def shows(self, layer: Layer, art: TileArt) -> bool:
        """Whether a tile is drawn as a picture here: of our own only what the ground's painter leaves out."""
        if not (art.material or art.prop):
            return art.image is not None
        return layer.role == "roof" or (layer.role == "decor" and bool(art.material))

    # -- where things are

    def sprite(self, layer: Layer, tile: PlacedTile) -> Sprite:
        """A tile of a layer."""
        art = self.arts[tile.tile]
        row, column = divmod(tile.cell, self.width)
        flips = (tile.diagonal, tile.horizontal, tile.vertical)
        x, y = column * self.side + layer.offset[0], (row + 1) * self.side + layer.offset[1]
        down = self.height - 1 - row if self.backward[1] else row
        across = self.width - 1 - column if self.backward[0] else column
        wide, high = (self.side, self.side) if art.on_grid or not all(art.rect[2:]) else art.rect[2:]
        box = self._placed(art, x, y, (wide, high), flips)
        return Sprite(down * self.width + across, tile.tile, box, flips, tile.cell)

    def figure(self, number: int, figure: Figure) -> Sprite:
        """A tile object."""
        left, top, wide, high = figure.box
        box = self._placed(self.arts[figure.tile], left, top + high, (wide, high), figure.flips)
        soft = (wide, high) != self.arts[figure.tile].rect[2:]
        sprite = Sprite(
            number, figure.tile, box=box, flips=figure.flips, cell=NOWHERE, opacity=figure.opacity,
            angle=figure.angle % 360.0, pivot=figure.pivot, soft=soft,
        )  # fmt: skip
        return _squared(sprite)

    def reach(self, art: int, layer: Layer) -> tuple[int, ...]:
        """How many spaces beyond its own a tile reaches: left, up, right, down."""
        found: tuple[int, ...] = (0, 0, 0, 0)
        for diagonal in (False, True):
            sprite = self.sprite(layer, PlacedTile(Cell(0), art, diagonal=diagonal))
            left, top, wide, high = sprite.box
            sides = (-left, -top, left + wide - self.side, top + high - self.side)
            found = tuple(max(a, math.ceil(b / self.side)) for a, b in zip(found, sides, strict=True))
        return found

    def _placed(
        self, art: TileArt, left: float, bottom: float, size: tuple[float, float], flips: tuple[bool, bool, bool]
    ) -> Box:
        """Where a tile is drawn that stands in a box: flipped by the diagonal it still stands lower left."""
        wide, high = size
        across, down = (a / b if b else 1.0 for a, b in zip(size, art.rect[2:], strict=True))
        middle = (left + wide / 2 + (high - wide) / 2 * flips[0], bottom - high / 2 + (high - wide) / 2 * flips[0])
        if art.keeps_shape:
            across = down = min(across, down)
            wide, high = art.rect[2] * across, art.rect[3] * across
        wide, high = (high, wide) if flips[0] else (wide, high)
        x, y = middle[0] + art.offset[0] * across, middle[1] + art.offset[1] * down
        return x - wide / 2, y - high / 2, wide, high

    # -- drawing

    def animated(self, area: pygame.Rect) -> tuple[int, ...]:
        """The arts that move in a part of the map, roofs included."""
        if not self.moving:
            return ()
        levels = [*self.levels, *self.roofs]
        return tuple(sorted({each.art for level in levels for each in level.over(area) if each.art in self.moving}))

    def paint(
        self,
        surface: pygame.Surface,
        zoom: int,
        area: pygame.Rect,
        level: Level,
        *,
        frames: Frames,
        sprites: Iterable[Sprite] | None = None,
    ) -> None:
        """Draw a layer, or some of its sprites, onto the picture of a part of the map."""
        for sprite in level.over(area) if sprites is None else sprites:
            for look in self._looks(level.layer, sprite, frames):
                if sprite.angle:
                    scale, (left, top, wide, high) = zoom / self.side, sprite.box
                    x, y = turned((left + wide / 2, top + high / 2), sprite.pivot, sprite.angle)
                    middle = (x - area.x * self.side) * scale, (y - area.y * self.side) * scale
                    size, blend = (wide * scale, high * scale), level.layer.blend
                    pictures.draw_turned(surface, look, size, middle, angle=sprite.angle, blend=blend)
                else:
                    box = self._on_surface(sprite.box, zoom, area)
                    if box.colliderect(surface.get_rect()):
                        pictures.draw(surface, look, box, level.layer.blend, soft=sprite.soft)

    def _on_surface(self, box: Box, zoom: int, area: pygame.Rect) -> pygame.Rect:
        """The pixels of a box; what lies side by side on the map does so here."""
        ends = (box[0], box[1], box[0] + box[2], box[1] + box[3])
        left, top, right, bottom = [math.floor(place * zoom / self.side + 0.5) for place in ends]
        return pygame.Rect(left - area.x * zoom, top - area.y * zoom, max(1, right - left), max(1, bottom - top))

    def _looks(self, layer: Layer, sprite: Sprite, frames: Frames) -> list[Look]:
        """The pictures of a sprite: one, or a floor of our own and what stands on it."""
        opacity = round(255 * layer.opacity * sprite.opacity)
        if sprite.art < 0:
            drop = layer.backdrop
            assert drop is not None
            times = pictures.pattern_of(drop.size, drop.across, drop.down)
            look = Look(drop.image, (0, 0, *drop.size), drop.key, sprite.flips, layer.tint, opacity)
            return [look._replace(stamp=self._stamps[drop.image], repeats=times)]
        art = self.arts[frames.get(sprite.art, sprite.art)]
        found, own = [], Look(None, flips=sprite.flips, tint=layer.tint, opacity=opacity)
        if art.material in FLOORS:
            row, column = divmod(max(0, sprite.cell), self.width)
            found.append(own._replace(name=art.material, variant=chance(column, row) % VARIANTS))
        if art.prop:
            found.append(own._replace(name=art.prop))
        if not found and art.image is not None:
            stamp = self._stamps[art.image]
            found.append(Look(art.image, art.rect, art.key, sprite.flips, layer.tint, opacity, stamp=stamp))
        return found


def _squared(sprite: Sprite) -> Sprite:
    """The same without an angle where it is turned by quarters."""
    quarters, rest = divmod(sprite.angle, 90.0)
    if rest:
        return sprite
    left, top, wide, high = bounds(sprite)
    box = round(left, 6), round(top, 6), round(wide, 6), round(high, 6)
    diagonal, horizontal, vertical = sprite.flips
    for _ in range(int(quarters)):
        diagonal, horizontal, vertical = not diagonal, not vertical, horizontal
    return sprite._replace(box=box, flips=(diagonal, horizontal, vertical), angle=0.0)


FADE = 0.22
"""Seconds in which a roof goes or comes back."""


class Roofs:
    """The roofs of a map by the spaces under them. Spaces side by side lie under the same roof."""

    def __init__(self, stack: LayerStack | None) -> None:
        self.stack = stack
        self.over: dict[int, int] = {}
        """Space -> the number of its roof."""
        self.lifted: dict[int, float] = {}
        """How far each roof is gone, 0 to 1; those that lie as they were drawn are left out."""
        self._wanted: frozenset[int] = frozenset()
        if stack is not None and stack.roofs:
            self._join({cell for level in stack.roofs for cell in self._under_all(level)})

    def _under_all(self, level: Level) -> set[int]:
        """The spaces under a roof layer."""
        found, stack = set(level.tiles.cells), level.stack
        wide = {art for art in level.tiles.arts() if any(stack.reach(art, level.layer))}
        steps: dict[tuple[int, bool], tuple[range, range]] = {}
        for tile in level.tiles.only(wide):
            row, column = divmod(tile.cell, stack.width)
            kind = (tile.tile, tile.diagonal)
            if kind not in steps:
                columns, rows = self._covered(stack.sprite(level.layer, tile))
                steps[kind] = (_moved(columns, -column), _moved(rows, -row))
            found |= self._cells(_moved(steps[kind][0], column), _moved(steps[kind][1], row))
        if level.layer.figures or level.layer.backdrop is not None:
            for sprite in level.over(pygame.Rect(0, 0, stack.width, stack.height)):
                if sprite.cell < 0:
                    found |= self._under(sprite)
        return found

    def _covered(self, sprite: Sprite) -> tuple[range, range]:
        """The columns and rows whose middle a sprite covers, also beside the map."""
        assert self.stack is not None
        left, top, wide, high = (part / self.stack.side for part in bounds(sprite))
        return (
            range(math.ceil(left - 0.5), math.ceil(left + wide - 0.5)),
            range(math.ceil(top - 0.5), math.ceil(top + high - 0.5)),
        )

    def _cells(self, columns: range, rows: range) -> set[int]:
        """The spaces of columns and rows that are on the map."""
        stack = self.stack
        assert stack is not None
        columns = range(max(0, columns.start), min(stack.width, columns.stop))
        rows = range(max(0, rows.start), min(stack.height, rows.stop))
        return {row * stack.width + column for row in rows for column in columns}

    def _under(self, sprite: Sprite) -> set[int]:
        """The spaces under something that stands on none: at least the one nearest to its middle."""
        stack = self.stack
        assert stack is not None
        found = self._cells(*self._covered(sprite))
        if found:
            return found
        left, top, wide, high = (part / stack.side for part in bounds(sprite))
        column = min(stack.width - 1, max(0, math.floor(left + wide / 2)))
        row = min(stack.height - 1, max(0, math.floor(top + high / 2)))
        return {row * stack.width + column}

    def _join(self, cells: set[int]) -> None:
        assert self.stack is not None
        width, number = self.stack.width, -1
        for first in sorted(cells):
            if first in self.over:
                continue
            number += 1
            self.over[first] = number
            front = [first]
            while front:
                cell = front.pop()
                beside = [cell - width, cell + width]
                beside += [cell - 1] if cell % width else []
                beside += [cell + 1] if (cell + 1) % width else []
                for other in beside:
                    if other in cells and other not in self.over:
                        self.over[other] = number
                        front.append(other)

    # -- lifting

    def stand(self, cells: Iterable[Cell]) -> None:
        """Somebody who is shown stands on these spaces, and nobody anywhere else."""
        if self.over:
            self._wanted = frozenset(self.over[cell] for cell in cells if cell in self.over)

    def settle(self) -> bool:
        """At once as it should be; whether that changed anything."""
        settled = dict.fromkeys(self._wanted, 1.0)
        changed, self.lifted = settled != self.lifted, settled
        return changed

    def update(self, seconds: float) -> bool:
        """Let time pass; whether a roof looks otherwise now."""
        if not self.moving:
            return False
        step = seconds / FADE
        for roof in set(self.lifted) | self._wanted:
            share = self.lifted.get(roof, 0.0) + (step if roof in self._wanted else -step)
            self.lifted[roof] = min(1.0, share)
            if share <= 0:
                del self.lifted[roof]
        return True

    @property
    def moving(self) -> bool:
        """Whether any is on its way."""
        return self.lifted.keys() != self._wanted or any(share < 1 for share in self.lifted.values())

    def closed(self, cell: Cell) -> bool:
        """Whether a space is hidden by its roof."""
        return cell in self.over and self.lifted.get(self.over[cell], 0.0) < 0.5

    def near(self, area: pygame.Rect) -> tuple[int, ...]:
        """The roofs of which something may be seen on a part of the map, in columns and rows."""
        if self.stack is None or not self.over:
            return ()
        found = {self.of(each) for level in self.stack.roofs for each in level.over(area)}
        return tuple(sorted(found))

    def of(self, sprite: Sprite) -> int:
        """The roof that a sprite is a part of."""
        return self.over[sprite.cell if sprite.cell >= 0 else min(self._under(sprite))]

    def parts(self, level: Level, area: pygame.Rect, away: Sequence[int]) -> list[Sprite]:
        """What of a layer lies over a part of the map, but for the roofs that are away."""
        return [sprite for sprite in level.over(area) if self.of(sprite) not in away]


def _moved(spaces: range, by: int) -> range:
    return range(spaces.start + by, spaces.stop + by)
