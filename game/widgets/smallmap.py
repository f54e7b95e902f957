"""The small map: what is known of the ground, who stands there, and which part of it the window shows."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from game.view.boardview import BoardView
from game.view.palette import INK, PAPER, side_look
from game.widgets.core import Tip, Widget
from game.widgets.theme import Look

FLOOR, WATER, SOLID = (86, 97, 110), (58, 92, 118), (36, 42, 51)


class SmallMap(Widget):
    """As large as its room lets the known ground be; a press (or a drag) looks there."""

    def __init__(self, view: BoardView, look_at: Callable[[int], None], room: tuple[int, int]) -> None:
        super().__init__(key="small map", tip=Tip("The known ground; a press looks there.", "Small map"))
        self.view, self.look_at, self.room = view, look_at, room
        self._held = False
        self._made: tuple[object, pygame.Surface] | None = None

    @property
    def unit(self) -> int:
        """Pixels of a space."""
        bounds = self.view.camera.bounds
        return max(1, min(self.room[0] // bounds.width, self.room[1] // bounds.height))

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        bounds = self.view.camera.bounds
        return (bounds.width * self.unit, bounds.height * self.unit)

    def _ground(self) -> pygame.Surface:
        """The known ground, drawn anew where more has come to be known."""
        plan, known, bounds = self.view.ground.plan, self.view.ground.veil.known, self.view.camera.bounds
        asked = (known, tuple(bounds), self.unit, self.view.ground.doors)
        if self._made is None or self._made[0] != asked:
            unit = self.unit
            picture = pygame.Surface((bounds.width * unit, bounds.height * unit))
            picture.fill(INK)
            for row in range(bounds.top, bounds.bottom):
                for column in range(bounds.left, bounds.right):
                    if known >> row * plan.width + column & 1:
                        spot = ((column - bounds.left) * unit, (row - bounds.top) * unit, unit, unit)
                        picture.fill(self._colour(column, row), spot)
            self._made = (asked, picture)
        return self._made[1]

    def _colour(self, column: int, row: int) -> tuple[int, int, int]:
        plan = self.view.ground.plan
        if plan.material(column, row) in ("water", "shallows"):
            return WATER
        return FLOOR if plan.is_floor(column, row) else SOLID

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        surface.blit(self._ground(), self.rect)
        camera, unit = self.view.camera, self.unit
        bounds, left, top = camera.bounds, self.rect.left, self.rect.top
        board = self.view.board
        for mini in board.miniatures if board is not None else ():
            column, row = camera.at(mini.cell)
            size = max(3, unit * mini.size)
            spot = pygame.Rect(left + (column - bounds.left) * unit, top + (row - bounds.top) * unit, size, size)
            if not mini.out:
                pygame.draw.rect(surface, INK, spot.inflate(2, 2))
                pygame.draw.rect(surface, side_look(mini.side).colour, spot)
            if mini.active and not mini.out:
                pygame.draw.rect(surface, PAPER, spot.inflate(4, 4), 1)
        shown = pygame.Rect(0, 0, 0, 0)
        shown.topleft = self._at(camera.viewport.topleft)
        end = self._at(camera.viewport.bottomright)
        shown.size = (end[0] - shown.left, end[1] - shown.top)
        pygame.draw.rect(surface, look.colour("gold"), shown.clip(self.rect), max(1, look.px(1)))

    def _at(self, pixel: tuple[int, int]) -> tuple[int, int]:
        """Where on the small map a pixel of the window lies."""
        camera, unit = self.view.camera, self.unit
        x, y = camera.origin
        return (
            self.rect.left + round(((pixel[0] - x) / camera.zoom - camera.bounds.left) * unit),
            self.rect.top + round(((pixel[1] - y) / camera.zoom - camera.bounds.top) * unit),
        )

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._held = True
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            self._held = False
            return True
        if not self._held or event.type not in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEMOTION):
            return False
        bounds, unit = self.view.camera.bounds, self.unit
        column = (event.pos[0] - self.rect.left) // unit + bounds.left
        row = (event.pos[1] - self.rect.top) // unit + bounds.top
        if bounds.collidepoint(column, row):
            self.look_at(row * self.view.field.width + column)
        return True
