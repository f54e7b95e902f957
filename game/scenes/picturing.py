"""A picture becomes a map: its grid is found, or laid over it by hand, and one goes on to prepare an encounter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pygame

from game.maps.pictured.fitting import Fitting, Sheet, made, opened
from game.scenes.base import Scene, Shell
from game.view.palette import GOLD, INK, VOID
from game.widgets.controls import Button, Label
from game.widgets.core import Sized, Space, Tip, Widget, column, row
from game.widgets.fields import NumberField
from rules.contract.text import text

MOST_COLUMNS = 512
STEP, WIDER = 1.0, 0.1
"""Pixels of the picture by which an arrow shifts the grid, and by which + and − change its spaces."""
NEAR = 8.0
"""How many times larger than it lies a picture may be shown."""


class Picturing(Scene):
    """The picture with lines over it, and what they come to."""

    name = "picturing"
    key_groups = ("general",)

    def __init__(self, app: Shell, sheet: Sheet, take: Callable[[Path], None]) -> None:
        super().__init__(app)
        self.sheet, self.take = sheet, take
        self.fitting: Fitting = sheet.fitting()
        self.picture = pygame.image.load(str(sheet.path)).convert()
        self.zoom = 0.0
        """Pixels of the window to one of the picture; 0: as large as it fits."""
        self.corner = (0.0, 0.0)
        """The pixel of the picture in the upper left of its room."""
        self.room = pygame.Rect(0, 0, 1, 1)
        self._dragged: tuple[int, int] | None = None
        self._panned: tuple[int, int] | None = None
        self._scaled: tuple[object, pygame.Surface] | None = None

    # -- layout

    def build(self) -> None:
        look = self.app.look
        margin, gap = look.px(12), look.px(8)
        room, low = self.place_head(self._head(), self._foot(), margin, gap)
        self.ui.add(self._foot(), low)
        self.room = room
        if self.zoom <= 0:
            self._fit()
        if not self.ui.remembers:
            self.ui.focus_key("use it")

    def _head(self) -> Widget:
        fitting, found = self.fitting, self.sheet.found
        told = text("{columns} × {rows} spaces of {side} pixels", fitting.columns, fitting.rows, f"{fitting.side:.1f}")
        if found is None:
            why = "No grid is to be seen in it: drag over one space, or say how many columns there are."
        else:
            why = "A grid was found. Does it lie on the lines? Else drag over one space, or count the columns."
        return column(
            row(Label(self.sheet.path.name, "heading", "bright", one_line=True), Space(grow=1),
                Label(told, "label!", "gold"), gap=12),
            Label(why, "label", "coral" if found is None else "text"), gap=4,
        )  # fmt: skip

    def _foot(self) -> Widget:
        fitting = self.fitting
        columns = NumberField("columns", fitting.columns, self._count, self.memory, low=1, high=MOST_COLUMNS,
                              tip=Tip("So many spaces from the left end of the picture to the right."))  # fmt: skip
        half = Button("Half as wide", partial(self._take, fitting.wider(-fitting.side / 2)), slim=True, key="half")
        double = Button("Twice as wide", partial(self._take, fitting.wider(fitting.side)), slim=True, key="double")
        keys = "Arrows shift the grid, + and − change its spaces, the wheel zooms, the right button moves the picture."
        hint = Label(keys, "small", "quiet")
        use = Button("Make it a map", self.use, gold=True, key="use it", hint="Enter")
        tools = (Label("Columns", "label!", "gold"), Sized(columns, 150), half, double)
        return column(row(*tools, Space(grow=1), self.leave_button(), use, gap=10), hint, gap=6)

    def _fit(self) -> None:
        wide, high = self.sheet.size
        self.zoom = min(self.room.width / wide, self.room.height / high)
        self.corner = (-(self.room.width / self.zoom - wide) / 2, -(self.room.height / self.zoom - high) / 2)

    # -- what is done

    def _take(self, fitting: Fitting) -> None:
        self.fitting = fitting
        self.rebuild()

    def _count(self, columns: int | None) -> None:
        if columns:
            self._take(self.fitting.by_columns(columns))

    def use(self) -> None:
        """Make the map, and go on with it."""
        found: list[Path] = []
        self.app.guard(lambda: found.append(made(self.sheet, self.fitting)))
        if found:
            self.app.pop()
            self.take(found[0])

    def commands(self) -> Mapping[str, Callable[[], object]]:
        return {**super().commands(), "confirm": self.use}

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.KEYDOWN and self._key(event):
            return True
        if event.type == pygame.MOUSEWHEEL:
            self._zoom(1.12**event.y)
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 3) and self.room.collidepoint(event.pos):
            self.ui.set_focus(None)
            if event.button == 1:
                self._dragged = event.pos
            else:
                self._panned = event.pos
            return True
        if event.type == pygame.MOUSEMOTION and (self._dragged or self._panned):
            self._moved(event.pos)
            return True
        if event.type == pygame.MOUSEBUTTONUP and (self._dragged or self._panned):
            self._released(event.pos)
            return True
        return super().handle(event)

    def _key(self, event: pygame.event.Event) -> bool:
        """Arrows and signs, unless a number is typed."""
        steps = {pygame.K_LEFT: (-STEP, 0.0), pygame.K_RIGHT: (STEP, 0.0), pygame.K_UP: (0.0, -STEP),
                 pygame.K_DOWN: (0.0, STEP)}  # fmt: skip
        if isinstance(self.ui.focus, NumberField):
            return False
        if event.key in steps:
            self._take(self.fitting.nudged(*steps[event.key]))
        elif event.unicode in ("+", "-"):
            self._take(self.fitting.wider(WIDER if event.unicode == "+" else -WIDER))
        else:
            return False
        return True

    def _zoom(self, factor: float) -> None:
        """Nearer or farther, about what is pointed at."""
        at = self.app.pointer
        there = self._on_picture(at)
        least = min(self.room.width / self.sheet.size[0], self.room.height / self.sheet.size[1]) / 2
        self.zoom = max(least, min(NEAR, self.zoom * factor))
        self.corner = (there[0] - (at[0] - self.room.left) / self.zoom, there[1] - (at[1] - self.room.top) / self.zoom)
        self.dirty = True

    def _on_picture(self, pos: tuple[int, int]) -> tuple[float, float]:
        x, y = pos[0] - self.room.left, pos[1] - self.room.top
        return x / self.zoom + self.corner[0], y / self.zoom + self.corner[1]

    def _moved(self, pos: tuple[int, int]) -> None:
        if self._panned is not None:
            self.corner = (self.corner[0] - (pos[0] - self._panned[0]) / self.zoom,
                           self.corner[1] - (pos[1] - self._panned[1]) / self.zoom)  # fmt: skip
            self._panned = pos
        self.dirty = True

    def _released(self, pos: tuple[int, int]) -> None:
        start, self._dragged, self._panned = self._dragged, None, None
        if start is None:
            return
        first, last = self._on_picture(start), self._on_picture(pos)
        if max(abs(last[0] - first[0]), abs(last[1] - first[1])) * self.zoom > 8:
            self._take(self.fitting.by_space(first, last))
        else:
            self.app.complain("Drag from corner to corner of one space.")

    # -- drawing

    def draw(self, surface: pygame.Surface) -> None:
        surface.fill(VOID)
        clip = surface.get_clip()
        surface.set_clip(self.room)
        self._draw_picture(surface)
        self._draw_grid(surface)
        if self._dragged is not None:
            x, y = self._dragged
            to_x, to_y = self.app.pointer
            box = pygame.Rect(min(x, to_x), min(y, to_y), abs(to_x - x), abs(to_y - y))
            pygame.draw.rect(surface, GOLD, box, 2)
        surface.set_clip(clip)
        super().draw(surface)

    def _draw_picture(self, surface: pygame.Surface) -> None:
        """The part of it that is in sight, scaled."""
        left, top = self._on_picture(self.room.topleft)
        right, bottom = self._on_picture(self.room.bottomright)
        part = pygame.Rect(int(left), int(top), int(right - left) + 2, int(bottom - top) + 2)
        part = part.clip(self.picture.get_rect())
        if not part.width or not part.height:
            return
        key = (self.zoom, tuple(part))
        if self._scaled is None or self._scaled[0] != key:
            size = max(1, round(part.width * self.zoom)), max(1, round(part.height * self.zoom))
            self._scaled = key, pygame.transform.smoothscale(self.picture.subsurface(part), size)
        surface.blit(self._scaled[1], self._on_window(part.left, part.top))

    def _on_window(self, x: float, y: float) -> tuple[int, int]:
        return (round((x - self.corner[0]) * self.zoom) + self.room.left,
                round((y - self.corner[1]) * self.zoom) + self.room.top)  # fmt: skip

    def _draw_grid(self, surface: pygame.Surface) -> None:
        """Lines as they will part spaces; what lies beyond the last is no part of the map."""
        fit = self.fitting
        right, bottom = fit.left + fit.columns * fit.side, fit.top + fit.rows * fit.side
        for number in range(fit.columns + 1):
            x = fit.left + number * fit.side
            self._line(surface, (x, fit.top), (x, bottom))
        for number in range(fit.rows + 1):
            y = fit.top + number * fit.side
            self._line(surface, (fit.left, y), (right, y))

    def _line(self, surface: pygame.Surface, first: tuple[float, float], last: tuple[float, float]) -> None:
        begin, end = self._on_window(*first), self._on_window(*last)
        pygame.draw.line(surface, INK, (begin[0] + 1, begin[1] + 1), (end[0] + 1, end[1] + 1))
        pygame.draw.line(surface, GOLD, begin, end)


def picture(app: Shell, path: Path, take: Callable[[Path], None]) -> None:
    """Ask for the grid of a picture, and take the map that comes of it; an error becomes a message."""
    app.guard(lambda: app.push(Picturing(app, opened(path), take)))
