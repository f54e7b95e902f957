"""The board in its window: ground, marks, miniatures and what moves, put together frame by frame."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import pygame

from game.mapdata import LoadedMap
from game.view.camera import Camera
from game.view.ground import GroundPicture
from game.view.palette import VOID, mix, side_colour
from rules.board import Board, Miniature
from rules.events import Event
from rules.grid import Field

PHASE = 2.4
"""Seconds that the halo of whoever acts takes for one turn."""


def _part(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(f"game.view.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"game.view.{name}":
            raise
        return None


_minis, _overlays, _animate = _part("minis"), _part("overlays"), _part("animate")


class BoardView:
    """Draws a board. `speed` hurries (0 = no motion at all), `reduced_motion` keeps only what carries meaning."""

    def __init__(self, field: Field, loaded_map: LoadedMap | None, camera: Camera) -> None:
        self.field = field
        self.camera = camera
        self.ground = GroundPicture(field, loaded_map)
        self.board: Board | None = None
        self.speed = 1.0
        self.reduced_motion = False
        self.phase = 0.0
        self.animator: Any = _animate.Animator(field.width) if _animate is not None else None

    # -- what is shown

    def set_board(self, board: Board) -> None:
        """Show a board at once, without motion."""
        self.board = board
        self.ground.set_doors(board.doors)

    def play(self, events: Sequence[Event], before: Board, after: Board) -> None:
        """Show how the events lead from one board to the next."""
        self.set_board(after)
        if self.animator is not None:
            self.animator.play(events, before, after)

    @property
    def busy(self) -> bool:
        """Whether something still moves that the player should wait for."""
        return bool(self.animator is not None and self.animator.busy)

    def skip(self) -> None:
        """End all motion at once."""
        if self.animator is not None:
            self.animator.skip()
        self.camera.arrive()

    def resize(self, size: tuple[int, int]) -> None:
        """The window has another size."""
        self.camera.resize(size)

    def miniature_at(self, pos: tuple[int, int]) -> str | None:
        """The id of the miniature under a pixel; who still stands goes before who lies there."""
        cell = self.camera.to_cell(pos)
        if cell is None or self.board is None:
            return None
        column, row = self.field.at(cell)
        found: Miniature | None = None
        for mini in self.board.miniatures:
            left, top = self.field.at(mini.cell)
            inside = left <= column < left + mini.size and top <= row < top + mini.size
            if inside and (found is None or (found.out and not mini.out)):
                found = mini
        return found.id if found is not None else None

    # -- time

    def update(self, dt: float) -> bool:
        """Let `dt` seconds pass; whether the board must be drawn again."""
        if self.speed <= 0 or self.reduced_motion:
            self.camera.arrive()
        changed = self.camera.update(dt)
        if self.animator is not None:
            changed |= bool(self.animator.update(dt, self.speed, self.reduced_motion))
        if self.speed > 0 and not self.reduced_motion and self._halo_shows():
            self.phase = (self.phase + dt / PHASE) % 1.0
            changed = True
        return changed

    def _halo_shows(self) -> bool:
        return self.board is not None and any(mini.active and not mini.out for mini in self.board.miniatures)

    # -- drawing

    def draw(self, surface: pygame.Surface, overlays: object = None) -> None:
        """Draw the board over the whole surface."""
        surface.fill(VOID)
        self.ground.draw(surface, self.camera)
        if self.board is None:
            return
        if overlays is not None and _overlays is not None:
            _overlays.draw_overlays(surface, self.camera, overlays, self.board)
        self._draw_miniatures(surface, self.board)
        if overlays is not None and _overlays is not None:
            _overlays.draw_overlays_above(surface, self.camera, overlays, self.board)
        if self.animator is not None:
            self.animator.draw(surface, self.camera)

    def _draw_miniatures(self, surface: pygame.Surface, board: Board) -> None:
        window = surface.get_rect()
        order = sorted(board.miniatures, key=lambda m: (not m.out, m.cell // self.field.width, m.cell))
        for mini in order:
            rect = self.animator.place(mini, self.camera) if self.animator is not None else None
            rect = rect or self.camera.space_rect(mini.cell, mini.size)
            if not window.colliderect(rect.inflate(rect.width, rect.height)):
                continue
            if _minis is not None:
                _minis.draw_miniature(surface, mini, rect, phase=self.phase)
            else:
                _draw_disc(surface, mini, rect)


def _draw_disc(surface: pygame.Surface, mini: Miniature, rect: pygame.Rect) -> None:
    radius = rect.width * 0.42
    colour = side_colour(mini.side)
    fill = mix(colour, VOID, 0.75)
    pygame.draw.circle(surface, fill, rect.center, radius)
    pygame.draw.circle(
        surface, mix(colour, VOID, 0.5) if mini.out else colour, rect.center, radius, max(2, rect.width // 16)
    )
