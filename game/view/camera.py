"""The camera over the table: which part of the map the window shows, how large, and how it glides there."""

from __future__ import annotations

import math
from collections.abc import Iterable

import pygame

from rules.grid import Field

LEAST_ZOOM, MOST_ZOOM = 16, 160
"""Pixels per space at least and at most."""
READABLE = 56
"""Pixels per space (of a window 720 high) at which a fight begins."""
GLIDE = 9.0
"""How fast the camera closes in on where it's going: this share of the way per second, again and again."""
ROOM = 1.6
"""Spaces kept between what should be seen and the edge of the free part."""
BORDER = 0.3
"""Spaces of table kept beside the map's end."""

Spot = int | tuple[int, int]
"""A space: its number, or its column and row."""


class Camera:
    """Maps spaces to pixels of the window. `zoom` is in pixels per space, always whole, so that lines stay crisp.

    `free` is the part of the window no panel covers; whoever lays out the panels sets it.
    """

    def __init__(self, field: Field, size: tuple[int, int]) -> None:
        self.field = field
        self.columns, self.rows = field.width, field.height
        self.viewport = pygame.Rect((0, 0), size)
        self._free: pygame.Rect | None = None
        self.zoom = READABLE
        self._x = self._y = 0.0
        self.anchor: int | None = None
        """The space of whoever acts: `show` would rather lose sight of any other."""
        self.unsettled = False
        """Set by who draws: not all ground is drawn yet at this zoom."""
        self._goal: tuple[float, float] | None = None
        self._fitted = False
        self._centre_on(self.columns / 2, self.rows / 2)

    # -- what it is now

    @property
    def free(self) -> pygame.Rect:
        """The part of the window that no panel covers."""
        return self._free if self._free is not None else self.viewport

    @free.setter
    def free(self, rect: pygame.Rect) -> None:
        clipped = rect.clip(self.viewport)
        self._free = clipped if clipped.width > 40 and clipped.height > 40 else None

    @property
    def origin(self) -> tuple[int, int]:
        """Where the map's upper left corner lies in the window, in pixels."""
        return round(self._x), round(self._y)

    @property
    def moving(self) -> bool:
        """Whether the next frame will look otherwise: it glides, or its ground is still being drawn."""
        return self._goal is not None or self.unsettled

    @property
    def centre_of_view(self) -> tuple[float, float]:
        """Column and row (with fractions) in the middle of the free part."""
        middle = self.free.center
        return (middle[0] - self._x) / self.zoom, (middle[1] - self._y) / self.zoom

    def at(self, spot: Spot) -> tuple[int, int]:
        """Column and row of a space."""
        if isinstance(spot, tuple):
            return spot
        row, column = divmod(spot, self.columns)
        return column, row

    # -- spaces and pixels

    def to_cell(self, pos: tuple[int, int]) -> int | None:
        """The space under a pixel; None beside the map."""
        column, row = self.to_space(pos)
        if 0 <= column < self.columns and 0 <= row < self.rows:
            return row * self.columns + column
        return None

    def to_space(self, pos: tuple[int, int]) -> tuple[int, int]:
        """Column and row under a pixel, also beside the map."""
        x, y = self.origin
        return (pos[0] - x) // self.zoom, (pos[1] - y) // self.zoom

    def to_screen(self, column: float, row: float) -> tuple[int, int]:
        """The pixel of a place given in columns and rows; whole numbers are corners of spaces."""
        x, y = self.origin
        return x + round(column * self.zoom), y + round(row * self.zoom)

    def space_rect(self, spot: Spot, size: int = 1) -> pygame.Rect:
        """The pixels of `size` × `size` spaces with `spot` at the upper left."""
        row, column = divmod(spot, self.columns) if isinstance(spot, int) else (spot[1], spot[0])
        zoom = self.zoom
        x, y = round(self._x) + column * zoom, round(self._y) + row * zoom
        return pygame.Rect(x, y, size * zoom, size * zoom)

    def seen(self) -> tuple[range, range]:
        """The columns and rows that the window shows."""
        left, top = self.to_space(self.viewport.topleft)
        right, bottom = self.to_space((self.viewport.right - 1, self.viewport.bottom - 1))
        return (
            range(max(0, left), min(self.columns, right + 1)),
            range(max(0, top), min(self.rows, bottom + 1)),
        )

    # -- moving it

    def resize(self, size: tuple[int, int]) -> None:
        """The window has another size: what was in the middle of the free part stays there.

        How much panels cover is told anew afterwards; until then as large a share of the window as before.
        """
        if size == self.viewport.size:
            return
        middle, free, old = self.centre_of_view, self._free, self.viewport.size
        self.viewport = pygame.Rect((0, 0), size)
        self._free = None
        if free is not None:
            wide, high = size[0] / old[0], size[1] / old[1]
            self.free = pygame.Rect(
                round(free.left * wide),
                round(free.top * high),
                round(free.width * wide),
                round(free.height * high),
            )
        self._centre_on(*middle)

    def pan(self, dx: float, dy: float) -> None:
        """Shift the map by pixels, at once."""
        self._goal = None
        self._put(self._x + dx, self._y + dy)

    def zoom_at(self, pos: tuple[int, int], factor: float) -> None:
        """Grow or shrink around a pixel, which keeps what lies under it."""
        zoom = round(self.zoom * factor)
        if zoom == self.zoom and factor != 1:
            zoom += 1 if factor > 1 else -1
        self.set_zoom(zoom, pos)

    def set_zoom(self, zoom: int, pos: tuple[int, int] | None = None) -> None:
        """Set the pixels per space around a pixel (left out: the middle of the free part)."""
        zoom = max(LEAST_ZOOM, min(MOST_ZOOM, zoom))
        x, y = pos if pos is not None else self.free.center
        column, row = (x - self._x) / self.zoom, (y - self._y) / self.zoom
        self.zoom = zoom
        self._goal = None
        self._put(x - column * zoom, y - row * zoom)

    def fit(self) -> None:
        """A size at which miniatures read well; asked for again, the whole map."""
        free = self.free
        whole = max(LEAST_ZOOM, int(min(free.width / self.columns, free.height / self.rows)))
        large = max(1.0, min(self.viewport.width / 1280, self.viewport.height / 720))
        first = min(MOST_ZOOM, max(whole, round(READABLE * large)))
        if self._fitted and self.zoom == first:
            self.set_zoom(whole)
            self._centre_on(self.columns / 2, self.rows / 2)
        else:
            self.set_zoom(first)
            if not self._fitted or first == whole:
                self._centre_on(self.columns / 2, self.rows / 2)
        self._fitted = True

    def contain(self) -> None:
        """Centre the map in the free part, if it fits there as large as it is."""
        free = self.free
        if self.columns * self.zoom <= free.width and self.rows * self.zoom <= free.height:
            self._goal = None
            self._centre_on(self.columns / 2, self.rows / 2)

    def centre(self, spot: Spot) -> None:
        """Glide until a space is in the middle of the free part."""
        column, row = self.at(spot)
        middle = self.free.center
        self._goal = self._kept(middle[0] - (column + 0.5) * self.zoom, middle[1] - (row + 0.5) * self.zoom)

    def show(self, spots: Iterable[Spot]) -> None:
        """Glide, no farther than needed, until these spaces are in the free part.

        Where not all fit, the anchor goes first if it is among them, then the others in their order.
        """
        places = [self.at(spot) for spot in spots]
        if self.anchor is not None and (anchor := self.at(self.anchor)) in places:
            places.insert(0, anchor)
        if not places:
            return
        x, y = self._goal or (self._x, self._y)
        x = self._brought(x, [p[0] for p in places], self.free.left, self.free.right, self.columns)
        y = self._brought(y, [p[1] for p in places], self.free.top, self.free.bottom, self.rows)
        x = self._filled(x, self.columns, self.free.left, self.free.right)
        y = self._filled(y, self.rows, self.free.top, self.free.bottom)
        goal = self._kept(x, y)
        if math.dist(goal, (self._x, self._y)) >= 1:
            self._goal = goal

    def _brought(self, origin: float, places: list[int], low: int, high: int, count: int) -> float:
        """The origin on one axis with as many of the places, first ones first, as fit between low and high.

        `count` is the map's length: no room is kept for what lies beyond it.
        """
        first, last = places[0], places[0]
        for place in places[1:]:
            wider = min(first, place), max(last, place)
            if (wider[1] - wider[0] + 1) * self.zoom <= high - low:
                first, last = wider
        margin = min(ROOM * self.zoom, max(0.0, (high - low - (last - first + 1) * self.zoom) / 2))
        before = min(margin, (first + BORDER) * self.zoom)
        after = min(margin, (count - 1 - last + BORDER) * self.zoom)
        most, least = low + before - first * self.zoom, high - after - (last + 1) * self.zoom
        return min(max(origin, most), least) if most <= least else (most + least) / 2

    def _filled(self, origin: float, count: int, low: int, high: int) -> float:
        """The origin on one axis moved so that no more void than need be lies between low and high."""
        border = BORDER * self.zoom
        if count * self.zoom + 2 * border <= high - low:
            return origin
        return max(min(origin, low + border), high - border - count * self.zoom)

    def update(self, dt: float) -> bool:
        """Glide on for `dt` seconds; whether anything moved."""
        if self._goal is None:
            return False
        share = 1 - math.exp(-GLIDE * dt)
        x, y = self._goal
        if max(abs(x - self._x), abs(y - self._y)) < 1.0:
            self._x, self._y, self._goal = x, y, None
        else:
            self._x += (x - self._x) * share
            self._y += (y - self._y) * share
        return True

    def arrive(self) -> None:
        """End a glide at once."""
        if self._goal is not None:
            self._x, self._y = self._goal
            self._goal = None

    def _centre_on(self, column: float, row: float) -> None:
        middle = self.free.center
        self._put(middle[0] - column * self.zoom, middle[1] - row * self.zoom)

    def _put(self, x: float, y: float) -> None:
        self._x, self._y = self._kept(x, y)

    def _kept(self, x: float, y: float) -> tuple[float, float]:
        """The nearest origin at which the middle of the free part still shows the map: it can't be lost."""
        middle = self.free.center
        return (
            min(max(x, middle[0] - self.columns * self.zoom), middle[0]),
            min(max(y, middle[1] - self.rows * self.zoom), middle[1]),
        )
