"""A board that is only looked at: camera by mouse and keys as in a fight, and nothing on it that could be decided."""

from __future__ import annotations

import pygame

from game.fight.match import Match
from game.scenes.base import Scene, Shell, moves_camera
from game.scenes.fight.panels import card as notes
from game.view import overlays as pins
from game.view.boardview import BoardView
from game.view.camera import Camera
from game.view.overlays import Overlays

SLACK = 6
"""Pixels that a press may wander and still be a click."""


class Watching(Scene):
    """A match's map with a camera of its own. `like`: begin where this one looks, if not all fits."""

    def __init__(self, app: Shell, match: Match, like: Camera | None = None) -> None:
        super().__init__(app)
        self.match = match
        self.camera = Camera(match.field, self.size)
        self.view = BoardView(match.field, match.loaded_map, self.camera)
        self.view.animator.heard = app.sounds.play
        self._like = like
        self._fitted = False
        self._pressed: tuple[int, tuple[int, int]] | None = None
        self._panned = False
        self._last = (0, 0)
        self.hovered: int | None = None
        """The space under the pointer."""

    # -- what scenes of this kind fill in

    def overlays(self) -> Overlays:
        """The marks on the board."""
        marks = Overlays()
        marks.hover = self.hovered
        marks.legend = self.app.held(pygame.KMOD_ALT)
        return marks

    def clicked(self, cell: int) -> None:
        """A space was clicked."""

    # -- the scene

    def entered(self) -> None:
        self.view.resize(self.size)
        self.view.scale = self.app.look.scale
        self.rebuild()
        if not self._fitted:
            self._fitted = True
            self._open()

    def _open(self) -> None:
        self.camera.fit()
        if self._like is not None:
            self.camera.set_zoom(self._like.zoom)
            x, y = self._like.origin
            here = self.camera.origin
            self.camera.pan(x - here[0], y - here[1])
            self.camera.contain()
        self.camera.arrive()

    def rebuild(self) -> None:
        self.view.resize(self.size)
        self.view.scale = self.app.look.scale
        super().rebuild()

    def update(self, dt: float) -> bool:
        changed = self.ui.update(dt)
        return self.view.update(dt) or changed

    def pace(self) -> float | None:
        if self.view.moving or self.view.animator.floats:
            return 1 / 60
        wants = (0.05 if self.ui.waiting or self.view.animator.lingers else None, self.view.pace)
        return min((each for each in wants if each is not None), default=None)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.KEYUP:
            self.dirty = True
            return False
        if event.type == pygame.KEYDOWN and event.key in (pygame.K_LALT, pygame.K_RALT):
            self.dirty = True
            return True
        if self._pressed is None and self.ui.handle(event):
            if event.type == pygame.MOUSEMOTION and self.hovered is not None:
                self.hovered, self.dirty = None, True
            if event.type == pygame.MOUSEBUTTONUP and not self.ui.modal:
                self.ui.set_focus(None)  # a clicked button keeps no keys from the scene
            return True
        return self._point(event)

    def _point(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEWHEEL:
            self.camera.zoom_at(self.app.pointer, 1.12**event.y)
            self.dirty = True
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 2, 3):
            self._pressed, self._last, self._panned = (event.button, event.pos), event.pos, False
            return True
        if event.type == pygame.MOUSEMOTION:
            self._move(event.pos)
            return True
        if event.type == pygame.MOUSEBUTTONUP and self._pressed and event.button == self._pressed[0]:
            self._pressed, button = None, event.button
            if not self._panned:
                cell = self.camera.to_cell(event.pos)
                if button == 3:
                    return self.command("back", event)
                if button == 1 and cell is not None:
                    self.clicked(cell)
            return True
        return False

    def _move(self, pos: tuple[int, int]) -> None:
        if self._pressed is not None:
            start = self._pressed[1]
            self._panned |= abs(pos[0] - start[0]) + abs(pos[1] - start[1]) > SLACK
            if self._panned:
                self.camera.pan(pos[0] - self._last[0], pos[1] - self._last[1])
                self.dirty = True
        self._last = pos
        cell = self.camera.to_cell(pos)
        if cell != self.hovered:
            self.hovered, self.dirty = cell, True

    def command(self, name: str, event: pygame.event.Event) -> bool:
        if not moves_camera(self.camera, name, self.app.look):
            return super().command(name, event)
        self.dirty = True
        return True

    def draw(self, surface: pygame.Surface) -> None:
        marks = self.overlays()
        marks.pins = pins.pins(self.match.loaded_map, self.view.ground.veil.seen, secrets=False)
        self.view.draw(surface, marks)
        self.ui.draw(surface)
        notes.draw_told(surface, self.app.look, self.camera, marks.pins, self.hovered)
