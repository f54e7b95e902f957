"""The camera over the table: which part of the map the window shows, how large, and how it glides there."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import pygame

from rules.board.grid import Field
from rules.contract.units import EMPTY, Bitboard, Cell

LEAST_ZOOM, MOST_ZOOM = 16, 160
"""Pixels per space at least and at most."""
READABLE = 56
"""Pixels per space (of a window 720 high) at which a fight begins."""
FARTHEST = 28
"""Pixels per space (of a window 720 high) beyond which the camera doesn't go out by itself: faces must tell."""
OVERVIEW = 6
"""Pixels per space at least where everything shall be seen."""
GLIDE = 9.0
"""How fast the camera closes in on where it's going: this share of the way per second, again and again."""
AROUND = 0.5
"""Spaces kept around what shall be seen together."""
ROOM = 1.6
"""Spaces kept between what should be seen and the edge of the free part."""
BORDER = 0.3
"""Spaces of table kept beside the map's end."""

Spot = int | tuple[int, int]
"""A space: its number, or its column and row."""


class Camera:
    """Maps spaces to pixels of the window. `zoom` is in pixels per space, always whole, so that lines stay crisp.

    `free` is the part of the window no panel covers; whoever lays out the panels sets it. `bounds` are the columns and
    rows that there are for whoever looks: the map, or in fog of war as much of it as is known. Of a place of several
    maps one is shown at a time, `level`: whatever is to be seen on another one takes the camera there.
    """

    def __init__(self, field: Field, size: tuple[int, int]) -> None:
        self.field = field
        self.columns, self.rows = field.width, field.height
        self.level = 0
        """Which map of a place is shown, counted from its top."""
        self._known = ~EMPTY
        """What there is for whoever looks: the bitboard by which the bounds were set."""
        self._looked: dict[int, tuple[float, float]] = {}
        """The middle of the view on each map of the place that was looked at and left."""
        self.bounds = self.whole
        self.viewport = pygame.Rect((0, 0), size)
        self._free: pygame.Rect | None = None
        self.zoom = READABLE
        self.wish = READABLE
        """The zoom that the player chose, or with which the scene began: the camera comes back to it by itself."""
        self._over: tuple[tuple[int, int, int], tuple[float, float, int]] | None = None
        """While everything is shown: the place that shows it, and the one before, to which to come back."""
        self._x = self._y = 0.0
        self.anchor: int | None = None
        """The space of whoever acts: `show` would rather lose sight of any other."""
        self.unsettled = False
        """Set by who draws: not all ground is drawn yet at this zoom."""
        self._goal: tuple[float, float] | None = None
        self._centre_all()

    # -- the maps of a place

    @property
    def whole(self) -> pygame.Rect:
        """The columns and rows of the map that is shown."""
        parts = self.field.maps
        if not parts:
            return pygame.Rect(0, 0, self.columns, self.rows)
        part = parts[self.level]
        return pygame.Rect(0, part.top, part.columns, part.rows)

    def level_of(self, spot: Spot) -> int:
        """Which map of the place a space is on."""
        row = self.at(spot)[1]
        return max((n for n, part in enumerate(self.field.maps) if part.top <= row), default=0)

    def shows(self, spot: Spot) -> bool:
        """Whether a space is on the map that is shown."""
        return self.level_of(spot) == self.level

    def levels(self) -> list[int]:
        """The maps of the place of which anything is known to whoever looks; none of a single map."""
        parts, known = self.field.maps, self._known
        return [n for n, part in enumerate(parts) if known & self.field.spaces_of(part) or n == self.level]

    def turn(self, by: int, first: Sequence[Spot] = ()) -> bool:
        """Show the next of these maps up (−1) or down (1), if there is one; False on a single map."""
        levels = self.levels()
        if levels:
            at = levels.index(self.level) + by
            self.to_level(levels[max(0, min(len(levels) - 1, at))], first)
        return bool(levels)

    def to_level(self, level: int, first: Sequence[Spot] = ()) -> None:
        """Show another map of the place, as it was looked at last, at once: nobody glides through the rock between.

        `first`: what to look at where nobody has looked at that map yet; left out, its middle.
        """
        if level == self.level or not 0 <= level < len(self.field.maps):
            return
        self._looked[self.level] = self.centre_of_view
        self.level, self._goal, self._over = level, None, None
        self.bound(self._known)
        if (middle := self._looked.get(level)) is not None:
            self._centre_on(*middle)
        else:
            self._centre_all()
            self.show([spot for spot in first if self.shows(spot)])
            self.arrive()

    def _on_one(self, spots: Iterable[Spot]) -> list[tuple[int, int]]:
        """Columns and rows of those of some spaces that are on one map, which is shown from now on.

        It is the anchor's if that is among them, else that of the first.
        """
        places = [self.at(spot) for spot in spots]
        if not self.field.maps or not places:
            return places
        anchor = self.at(self.anchor) if self.anchor is not None else None
        level = self.level_of(anchor if anchor in places and anchor is not None else places[0])
        self.to_level(level)
        return [place for place in places if self.level_of(place) == level]

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

    def to_cell(self, pos: tuple[int, int]) -> Cell | None:
        """The space under a pixel; None beyond the bounds."""
        column, row = self.to_space(pos)
        return Cell(row * self.columns + column) if self.bounds.collidepoint(column, row) else None

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

    def corners(self, cells: Iterable[Cell]) -> list[tuple[int, int]]:
        """The upper left pixels of those of some spaces that the window shows a part of."""
        zoom, columns, view = self.zoom, self.columns, self.viewport
        (x, y), found = self.origin, []
        left, right, top, bottom = view.left - zoom, view.right, view.top - zoom, view.bottom
        for cell in cells:
            row, column = divmod(cell, columns)
            across, down = x + column * zoom, y + row * zoom
            if left < across < right and top < down < bottom:
                found.append((across, down))
        return found

    def borders(self, cells: Bitboard, cell: Cell, rect: pygame.Rect) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        """The sides of a space's rectangle, as two corners each, beyond which a set of spaces ends."""
        wide, column = self.columns, cell % self.columns
        sides = (
            (cell >= wide and cells >> (cell - wide) & 1, rect.topleft, rect.topright),
            (cells >> (cell + wide) & 1, rect.bottomleft, rect.bottomright),
            (column > 0 and cells >> (cell - 1) & 1, rect.topleft, rect.bottomleft),
            (column < wide - 1 and cells >> (cell + 1) & 1, rect.topright, rect.bottomright),
        )
        return [(start, end) for inside, start, end in sides if not inside]

    def seen(self) -> tuple[range, range]:
        """The columns and rows that the window shows."""
        left, top = self.to_space(self.viewport.topleft)
        right, bottom = self.to_space((self.viewport.right - 1, self.viewport.bottom - 1))
        bounds = self.bounds
        return (
            range(max(bounds.left, left), min(bounds.right, right + 1)),
            range(max(bounds.top, top), min(bounds.bottom, bottom + 1)),
        )

    def bound(self, cells: Bitboard) -> None:
        """Let the bounds be those of a bitboard of spaces: nothing tells how far the map goes on. −1 = all of it."""
        self._known, whole = cells, self.whole
        if cells < 0:
            self.bounds = whole
            return
        line, across = (1 << whole.width) - 1, 0
        down = []
        for row in range(whole.top, whole.bottom):
            if here := cells >> row * self.columns & line:
                across |= here
                down.append(row)
        if across:
            left, right = (across & -across).bit_length() - 1, across.bit_length()
            self.bounds = pygame.Rect(left, down[0], right - left, down[-1] + 1 - down[0])
        elif not whole.contains(self.bounds):
            self.bounds = whole

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
            place = (round(free.left * wide), round(free.top * high))
            self.free = pygame.Rect(place, (round(free.width * wide), round(free.height * high)))
        self._centre_on(*middle)

    def pan(self, dx: float, dy: float) -> None:
        """Shift the map by pixels, at once."""
        self._goal = None
        self._x, self._y = self._kept(self._x + dx, self._y + dy)

    def zoom_at(self, pos: tuple[int, int], factor: float) -> None:
        """Grow or shrink around a pixel, which keeps what lies under it."""
        zoom = round(self.zoom * factor)
        if zoom == self.zoom and factor != 1:
            zoom += 1 if factor > 1 else -1
        self.set_zoom(zoom, pos)

    def set_zoom(self, zoom: int, pos: tuple[int, int] | None = None) -> None:
        """Set the pixels per space, as the player wishes, around a pixel (left out: the middle of the free part)."""
        self.wish = max(LEAST_ZOOM, min(MOST_ZOOM, zoom))
        self._zoom_to(self.wish, pos)

    def _zoom_to(self, zoom: int, pos: tuple[int, int] | None = None) -> None:
        x, y = pos if pos is not None else self.free.center
        column, row = (x - self._x) / self.zoom, (y - self._y) / self.zoom
        self.zoom = zoom
        self._goal = None
        self._x, self._y = self._kept(x - column * zoom, y - row * zoom)

    @property
    def _large(self) -> float:
        """How much larger than the smallest common one the window is."""
        return max(1.0, min(self.viewport.width / 1280, self.viewport.height / 720))

    def fit(self) -> None:
        """Show the middle of the bounds at a size at which miniatures read well."""
        self.set_zoom(max(self._whole(LEAST_ZOOM), round(READABLE * self._large)))
        self._centre_all()

    def _whole(self, least: int) -> int:
        """Pixels per space at which the bounds fill the free part."""
        free, bounds = self.free, self.bounds
        return max(least, int(min(free.width / bounds.width, free.height / bounds.height)))

    def show_all(self) -> None:
        """Show everything within the bounds, however small; asked for again, where one looked before."""
        here = (*self.origin, self.zoom)
        if self._over is not None and self._over[0] == here:
            column, row, zoom = self._over[1]
            self._over = None
            self._zoom_to(zoom)
            self._centre_on(column, row)
            return
        before = (*self.centre_of_view, self.zoom)
        self._zoom_to(min(self._whole(OVERVIEW), max(self.wish, round(READABLE * self._large))))
        self._centre_all()
        self._over = ((*self.origin, self.zoom), before)

    def begin(self, spots: Sequence[Spot]) -> None:
        """Look at all these spaces first, as far as faces tell; what is framed next is seen from nearby again."""
        self._on_one(spots)
        self.fit()
        self.frame(spots)

    def frame(self, spots: Sequence[Spot], *, back: bool = True) -> None:
        """Show these spaces, from farther away where they don't fit else; with `back` as near again as was wished."""
        if not spots:
            return
        places = self._on_one(spots)
        columns, rows = [place[0] for place in places], [place[1] for place in places]
        wide, high = (max(line) - min(line) + 1 + 2 * AROUND for line in (columns, rows))
        most = self.wish if back else self.zoom
        fits = int(min(self.free.width / wide, self.free.height / high))
        zoom = max(min(most, fits), min(most, round(FARTHEST * self._large)))
        if zoom != self.zoom:
            goal = self._goal
            middle = self.to_screen((min(columns) + max(columns) + 1) / 2, (min(rows) + max(rows) + 1) / 2)
            if goal is not None:  # where it was about to be
                middle = (middle[0] + round(goal[0] - self._x), middle[1] + round(goal[1] - self._y))
                self.arrive()
            inside = pygame.Rect(middle, (1, 1)).clamp(self.free)
            self._zoom_to(zoom, inside.topleft)
        self.show(places)

    def hold(self, column: float, row: float, zoom: int) -> None:
        """Look at a place in columns and rows, so many pixels per space, also more than whoever zooms may have."""
        self._goal, self._over, self.zoom = None, None, zoom
        self.wish = max(LEAST_ZOOM, zoom)
        self._centre_on(column, row)

    @property
    def frame_of_view(self) -> tuple[float, float, float, float]:
        """Left, top, width and height, in columns and rows, of what the window shows."""
        view, zoom = self.viewport, self.zoom
        return (view.left - self._x) / zoom, (view.top - self._y) / zoom, view.width / zoom, view.height / zoom

    def contain(self) -> None:
        """Centre the map in the free part, if it fits there as large as it is."""
        free = self.free
        if self.bounds.width * self.zoom <= free.width and self.bounds.height * self.zoom <= free.height:
            self._goal = None
            self._centre_all()

    def centre(self, spot: Spot) -> None:
        """Glide until a space is in the middle of the free part."""
        ((column, row),) = self._on_one([spot])
        middle = self.free.center
        self._goal = self._kept(middle[0] - (column + 0.5) * self.zoom, middle[1] - (row + 0.5) * self.zoom)

    def show(self, spots: Iterable[Spot]) -> None:
        """Glide, no farther than needed, until these spaces are in the free part.

        Where not all fit, the anchor goes first if it is among them, then the others in their order.
        """
        places = self._on_one(spots)
        if self.anchor is not None and (anchor := self.at(self.anchor)) in places:
            places.insert(0, anchor)
        if not places:
            return
        x, y = self._goal or (self._x, self._y)
        across, down = (self.bounds.left, self.bounds.right), (self.bounds.top, self.bounds.bottom)
        x = self._brought(x, [p[0] for p in places], self.free.left, self.free.right, across)
        y = self._brought(y, [p[1] for p in places], self.free.top, self.free.bottom, down)
        goal = self._kept(x, y)
        self._goal = goal if math.dist(goal, (self._x, self._y)) >= 1 else None  # an earlier glide is off

    def _brought(self, origin: float, places: list[int], low: int, high: int, bounds: tuple[int, int]) -> float:
        """The origin on one axis with as many of the places, first ones first, as fit between low and high.

        No room is kept for what lies beyond the bounds, and no more void than need be lies between low and high.
        """
        first, last = places[0], places[0]
        for place in places[1:]:
            wider = min(first, place), max(last, place)
            if (wider[1] - wider[0] + 1) * self.zoom <= high - low:
                first, last = wider
        margin = min(ROOM * self.zoom, max(0.0, (high - low - (last - first + 1) * self.zoom) / 2))
        before = min(margin, (first - bounds[0] + BORDER) * self.zoom)
        after = min(margin, (bounds[1] - 1 - last + BORDER) * self.zoom)
        most, least = low + before - first * self.zoom, high - after - (last + 1) * self.zoom
        origin = min(max(origin, most), least) if most <= least else (most + least) / 2
        begin, end = (bounds[0] - BORDER) * self.zoom, (bounds[1] + BORDER) * self.zoom
        return origin if end - begin <= high - low else max(min(origin, low - begin), high - end)

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

    def _centre_all(self) -> None:
        bounds = self.bounds
        self._centre_on(bounds.left + bounds.width / 2, bounds.top + bounds.height / 2)

    def _centre_on(self, column: float, row: float) -> None:
        middle = self.free.center
        self._x, self._y = self._kept(middle[0] - column * self.zoom, middle[1] - row * self.zoom)

    def _kept(self, x: float, y: float) -> tuple[float, float]:
        """The nearest origin at which the middle of the free part still is within the bounds: they can't be lost."""
        middle, bounds = self.free.center, self.bounds
        return (
            min(max(x, middle[0] - bounds.right * self.zoom), middle[0] - bounds.left * self.zoom),
            min(max(y, middle[1] - bounds.bottom * self.zoom), middle[1] - bounds.top * self.zoom),
        )
