"""The mouse on the board of an encounter: select, drag, brush, rubber band, carry from the bestiary, camera."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from game.scenes.setup import contextmenu
from game.setup.draft import Spot
from game.setup.places import named

if TYPE_CHECKING:
    from game.scenes.setup.scene import Setup

SLACK = 6
"""Pixels that a press may wander and still be a click."""


class Pointing:
    """What the pointer is on and what it drags.

    `drag` is one of: `move` and `copy` (the selected follow the pointer), `band` (a rectangle selects), `paint` (the
    brush places along the way), `carry` (a creature of the bestiary), `point` (of the way that is drawn), `pan`; empty
    while nothing is dragged.
    """

    def __init__(self, scene: Setup) -> None:
        self.scene = scene
        self.spot: Spot | None = None
        """The space under the pointer."""
        self.drag = ""
        self.carried = ""
        self._pressed: tuple[int, tuple[int, int], Spot | None] | None = None
        self._last = (0, 0)
        self._hit: int | None = None
        self._added = False

    @property
    def busy(self) -> bool:
        """Whether a gesture is under way that panels must not interrupt."""
        return self._pressed is not None

    @property
    def shift(self) -> Spot:
        """How far the dragged ones would be moved, in columns and rows."""
        if self._pressed is None or self._pressed[2] is None or self.spot is None:
            return (0, 0)
        return (self.spot[0] - self._pressed[2][0], self.spot[1] - self._pressed[2][1])

    @property
    def band(self) -> tuple[Spot, Spot] | None:
        """The two corners of the rubber band."""
        if self.drag != "band" or self._pressed is None or self._pressed[2] is None or self.spot is None:
            return None
        return self._pressed[2], self.spot

    def told(self) -> str:
        """What stands under the pointer, in a line; empty for an empty space or none."""
        editor, spot = self.scene.editor, self.spot
        if self.scene.drawing is not None:
            return self.scene.drawing.told(spot)
        key = editor.at(spot) if spot is not None and not self.drag else None
        piece = editor.draft.piece(key) if key is not None else None
        if piece is None or spot is None:
            return ""
        mini = editor.table.miniature(piece)
        if mini is None:
            return ""
        health = f"{mini.health.label} {mini.health.value}/{mini.health.maximum}"
        return f"{mini.name} · {mini.side} · {health} · {named(spot)}"

    def leave(self) -> None:
        """The pointer is over a panel."""
        if self.spot is not None and not self.drag:
            self.spot = None
            self.scene.dirty = True

    def cancel(self) -> bool:
        """Give a gesture up; False if there is none."""
        if not self.drag or self.drag == "pan":
            return False
        if self.drag == "point" and self.scene.drawing is not None and self._pressed is not None:
            if self._hit is not None and self._pressed[2] is not None:
                self.scene.drawing.shift(self._hit, self._pressed[2])
        self.drag, self.carried = "none", ""
        self.scene.dirty = True
        return True

    # -- a creature carried from the bestiary

    def carry(self, template: str, pos: tuple[int, int]) -> None:
        """A creature of the bestiary hangs at the pointer."""
        if self.drag == "none":
            return
        self.drag, self.carried = "carry", template
        self.point(pos)

    def put_carried(self, pos: tuple[int, int]) -> None:
        """Let go of what is carried: it stands where the pointer is, if that is on the board."""
        template, dropped = self.carried, self.drag == "carry"
        self.scene.ui.set_focus(None)
        self.drag, self.carried = "", ""
        self.point(pos)
        if dropped and template and self.spot is not None and not self.scene.ui.over(pos):
            self.scene.steering.put(template, self.spot)
        self.scene.dirty = True

    # -- events

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEMOTION:
            return self._motion(event)
        if event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 2, 3):
            return self._press(event)
        if event.type == pygame.MOUSEBUTTONUP and self._pressed and event.button == self._pressed[0]:
            return self._released(event)
        if event.type == pygame.MOUSEWHEEL:
            self.scene.camera.zoom_at(self.scene.app.pointer, 1.12**event.y)
            self.point(self.scene.app.pointer)
            return True
        return False

    def point(self, pos: tuple[int, int]) -> None:
        """The pointer is at a pixel."""
        cell = self.scene.camera.to_cell(pos)
        spot = None if cell is None else self.scene.camera.at(cell)
        if spot != self.spot:
            self.spot = spot
            self.scene.dirty = True
        if self.drag in ("carry", "band", "move", "copy"):
            self.scene.dirty = True

    def _press(self, event: pygame.event.Event) -> bool:
        scene = self.scene
        scene.ui.set_focus(None)
        self.point(event.pos)
        self._pressed, self._last = (event.button, event.pos, self.spot), event.pos
        self._hit, self._added, self.drag = None, False, ""
        if event.button != 1:
            return True
        if self.spot is not None:
            scene.cursor = self.spot
        if scene.drawing is not None:
            self._hit = scene.drawing.at(self.spot)
        elif scene.brush is not None:
            self.drag = "paint"
            self._paint()
        elif self.spot is not None:
            self._hit = scene.editor.at(self.spot)
            if self._hit is not None and self._hit not in scene.editor.selection:
                scene.select([self._hit], add=scene.app.held(pygame.KMOD_SHIFT))
                self._added = True
        scene.dirty = True
        return True

    def _motion(self, event: pygame.event.Event) -> bool:
        self.point(event.pos)
        if self._pressed is not None:
            button, start, _ = self._pressed
            far = abs(event.pos[0] - start[0]) + abs(event.pos[1] - start[1]) > SLACK
            if not self.drag and far:
                self.drag = self._kind(button)
            if self.drag == "pan":
                self.scene.camera.pan(event.pos[0] - self._last[0], event.pos[1] - self._last[1])
                self.scene.dirty = True
            elif self.drag == "paint":
                self._paint()
            elif self.drag == "point" and self._hit is not None and self.spot is not None:
                if self.scene.drawing is not None:
                    self.scene.drawing.shift(self._hit, self.spot)
        self._last = event.pos
        return True

    def _kind(self, button: int) -> str:
        if button != 1:
            return "pan"
        if self.scene.drawing is not None:
            return "" if self._hit is None else "point"
        if self._hit is None:
            return "band"
        return "copy" if self.scene.app.held(pygame.KMOD_CTRL) else "move"

    def _paint(self) -> None:
        """The brush places where there is room; a place taken is passed over."""
        scene = self.scene
        if self.spot is not None and scene.brush is not None and not scene.ui.over(self._last):
            first = self._pressed is not None and self._pressed[2] == self.spot
            scene.steering.put(scene.brush, self.spot, quiet=not first, merge="brush")

    def _released(self, event: pygame.event.Event) -> bool:
        assert self._pressed is not None
        scene, editor = self.scene, self.scene.editor
        button, kind, shift, band = self._pressed[0], self.drag, self.shift, self.band
        self._pressed, self.drag = None, ""
        if kind in ("move", "copy") and shift != (0, 0):
            self._put_down(kind, shift)
        elif kind == "band" and band is not None:
            scene.select(editor.table.within(*band), add=scene.app.held(pygame.KMOD_SHIFT))
        elif kind == "paint":
            editor.settle()
        elif kind == "point":
            scene.refresh()
        elif not kind and button == 3:
            self._right_click()
        elif not kind and button == 1 and scene.drawing is not None:
            if self.spot is not None:
                scene.drawing.take(self.spot)
        elif not kind and button == 1:
            self._click()
        scene.dirty = True
        return True

    def _right_click(self) -> None:
        """Take back what is under way, one layer; else open the menu of what is pointed at."""
        scene, spot = self.scene, self.spot
        busy = scene.drawing is not None or scene.brush is not None
        there = spot is not None and (scene.editor.at(spot) is not None or scene.steering.door_at(spot) is not None)
        if (busy or not there) and scene.take_back():
            return
        if spot is not None:
            scene.cursor = spot
            contextmenu.of_spot(scene, spot, scene.app.pointer)

    def _put_down(self, kind: str, shift: Spot) -> None:
        scene, editor = self.scene, self.scene.editor
        if kind == "copy":
            spots = [piece.spot for piece in editor.chosen() if piece.spot is not None]
            corner = (min(s[0] for s in spots) + shift[0], min(s[1] for s in spots) + shift[1])
            editor.paste(corner, [piece.entry for piece in editor.chosen()])
        elif why := editor.move_refused(editor.selection, *shift):
            scene.toast(why)
        else:
            editor.move(editor.selection, *shift)
            editor.settle()
            scene.cursor = self.spot or scene.cursor
        scene.refresh()

    def _click(self) -> None:
        scene = self.scene
        if self._hit is not None:
            if self._added:
                return
            scene.select([self._hit], add=scene.app.held(pygame.KMOD_SHIFT))
        elif not scene.app.held(pygame.KMOD_SHIFT):
            scene.select([])
            door = scene.steering.door_at(self.spot)
            if door is not None:
                scene.steering.turn_door(door)
