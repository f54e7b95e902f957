"""The mouse on the board of an encounter: select, drag, brush, rubber band, carry from the bestiary, camera."""

from __future__ import annotations

from typing import assert_never

import pygame

from game.scenes.setup import operations
from game.scenes.setup.commands import of_spot
from game.scenes.setup.workspace import Drag, Press, Workspace
from game.setup.draft import Spot
from game.setup.ways import named
from rules.contract.text import text

SLACK = 6
"""Pixels that a press may wander and still be a click."""


def told(workspace: Workspace) -> str:
    """What stands under the pointer, in a line; empty for an empty space or none."""
    editor, spot = workspace.editor, workspace.gesture.spot
    if workspace.drawing is not None:
        return workspace.drawing.told(spot)
    key = editor.at(spot) if spot is not None and workspace.gesture.drag is Drag.NOTHING else None
    piece = editor.draft.piece(key) if key is not None else None
    if piece is None or spot is None:
        return ""
    mini = editor.table.miniature(piece)
    if mini is None:
        return ""
    health = text(
        "{label} {value}/{maximum}", label=mini.health.label, value=mini.health.value, maximum=mini.health.maximum
    )
    return text("{name} · {side} · {health} · {spot}", name=mini.name, side=mini.side, health=health, spot=named(spot))


def leave(workspace: Workspace) -> None:
    """The pointer is over a panel."""
    gesture = workspace.gesture
    if gesture.spot is not None and gesture.drag is Drag.NOTHING:
        gesture.spot = None
        workspace.dirty = True


def point(workspace: Workspace, pos: tuple[int, int]) -> None:
    """The pointer is at a pixel."""
    gesture = workspace.gesture
    cell = workspace.camera.to_cell(pos)
    spot = None if cell is None else workspace.camera.at(cell)
    if spot != gesture.spot:
        gesture.spot = spot
        workspace.dirty = True
    if gesture.drag in (Drag.CARRY, Drag.BAND, Drag.MOVE, Drag.COPY):
        workspace.dirty = True


# -- a creature carried from the bestiary


def carry(workspace: Workspace, template: str, pos: tuple[int, int]) -> None:
    """A creature of the bestiary hangs at the pointer."""
    gesture = workspace.gesture
    if gesture.drag is Drag.GIVEN_UP:
        return
    gesture.drag, gesture.carried = Drag.CARRY, template
    point(workspace, pos)


def put_carried(workspace: Workspace, pos: tuple[int, int]) -> None:
    """Let go of what is carried: it stands where the pointer is, if that is on the board."""
    gesture = workspace.gesture
    template, dropped = gesture.carried, gesture.drag is Drag.CARRY
    workspace.ui.set_focus(None)
    gesture.drag, gesture.carried = Drag.NOTHING, ""
    point(workspace, pos)
    if dropped and template and gesture.spot is not None and not workspace.ui.over(pos):
        operations.put(workspace, template, gesture.spot)
    workspace.dirty = True


# -- events


def handle(workspace: Workspace, event: pygame.event.Event) -> bool:
    """Answer the mouse on the board; True if it was answered."""
    press = workspace.gesture.press
    if event.type == pygame.MOUSEMOTION:
        return _motion(workspace, event)
    if event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 2, 3):
        return _press(workspace, event)
    if event.type == pygame.MOUSEBUTTONUP and press is not None and event.button == press.button:
        return _released(workspace, press)
    if event.type == pygame.MOUSEWHEEL:
        workspace.camera.zoom_at(workspace.app.pointer, 1.12**event.y)
        point(workspace, workspace.app.pointer)
        return True
    return False


def _press(workspace: Workspace, event: pygame.event.Event) -> bool:
    gesture, editor = workspace.gesture, workspace.editor
    workspace.ui.set_focus(None)
    point(workspace, event.pos)
    gesture.press, gesture.last = Press(event.button, event.pos, gesture.spot), event.pos
    gesture.hit, gesture.added, gesture.drag = None, False, Drag.NOTHING
    if event.button != 1:
        return True
    if gesture.spot is not None:
        workspace.cursor = gesture.spot
    if workspace.drawing is not None:
        gesture.hit = workspace.drawing.at(gesture.spot)
    elif workspace.brush is not None:
        gesture.drag = Drag.PAINT
        _paint(workspace)
    elif gesture.spot is not None:
        gesture.hit = editor.at(gesture.spot)
        if gesture.hit is not None and gesture.hit not in editor.selection:
            workspace.select([gesture.hit], add=workspace.app.held(pygame.KMOD_SHIFT))
            gesture.added = True
    workspace.dirty = True
    return True


def _motion(workspace: Workspace, event: pygame.event.Event) -> bool:
    gesture = workspace.gesture
    point(workspace, event.pos)
    if gesture.press is not None:
        start = gesture.press.pos
        far = abs(event.pos[0] - start[0]) + abs(event.pos[1] - start[1]) > SLACK
        if gesture.drag is Drag.NOTHING and far:
            gesture.drag = _begun(workspace, gesture.press.button)
        if gesture.drag is Drag.PAN:
            workspace.camera.pan(event.pos[0] - gesture.last[0], event.pos[1] - gesture.last[1])
            workspace.dirty = True
        elif gesture.drag is Drag.PAINT:
            _paint(workspace)
        elif gesture.drag is Drag.POINT and gesture.hit is not None and gesture.spot is not None:
            workspace.shift_point(gesture.hit, gesture.spot)
    gesture.last = event.pos
    return True


def _begun(workspace: Workspace, button: int) -> Drag:
    """What a press becomes when the pointer wanders."""
    hit = workspace.gesture.hit
    if button != 1:
        return Drag.PAN
    if workspace.drawing is not None:
        return Drag.NOTHING if hit is None else Drag.POINT
    if hit is None:
        return Drag.BAND
    return Drag.COPY if workspace.app.held(pygame.KMOD_CTRL) else Drag.MOVE


def _paint(workspace: Workspace) -> None:
    """The brush places where there is room; a place taken is passed over."""
    gesture, brush = workspace.gesture, workspace.brush
    if gesture.spot is not None and brush is not None and not workspace.ui.over(gesture.last):
        first = gesture.press is not None and gesture.press.spot == gesture.spot
        operations.put(workspace, brush, gesture.spot, quiet=not first, merge="brush")


def _released(workspace: Workspace, press: Press) -> bool:
    gesture, editor = workspace.gesture, workspace.editor
    drag, shift, band = gesture.drag, gesture.shift, gesture.band
    gesture.press, gesture.drag = None, Drag.NOTHING
    match drag:
        case Drag.MOVE:
            if shift != (0, 0):
                _move(workspace, shift)
        case Drag.COPY:
            if shift != (0, 0):
                _copy(workspace, shift)
        case Drag.BAND:
            if band is not None:
                workspace.select(editor.table.within(*band), add=workspace.app.held(pygame.KMOD_SHIFT))
        case Drag.PAINT:
            editor.settle()
        case Drag.POINT:
            workspace.refresh()
        case Drag.NOTHING:
            _clicked(workspace, press.button)
        case Drag.CARRY | Drag.PAN | Drag.GIVEN_UP:
            pass
        case _:
            assert_never(drag)
    workspace.dirty = True
    return True


def _clicked(workspace: Workspace, button: int) -> None:
    spot = workspace.gesture.spot
    if button == 3:
        _right_click(workspace)
    elif button == 1 and workspace.drawing is not None:
        if spot is not None:
            workspace.add_point(spot)
    elif button == 1:
        _click(workspace)


def _right_click(workspace: Workspace) -> None:
    """Take back what is under way, one layer; else open the menu of what is pointed at."""
    editor, spot = workspace.editor, workspace.gesture.spot
    there = spot is not None and (editor.at(spot) is not None or editor.door_at(spot) is not None)
    if (workspace.tool is not None or not there) and workspace.take_back():
        return
    if spot is not None:
        workspace.cursor = spot
        of_spot(workspace, spot, workspace.app.pointer)


def _copy(workspace: Workspace, shift: Spot) -> None:
    editor = workspace.editor
    spots = [piece.spot for piece in editor.chosen() if piece.spot is not None]
    corner = (min(s[0] for s in spots) + shift[0], min(s[1] for s in spots) + shift[1])
    editor.paste(corner, [piece.entry for piece in editor.chosen()])
    workspace.refresh()


def _move(workspace: Workspace, shift: Spot) -> None:
    editor = workspace.editor
    if why := editor.move_refused(editor.selection, *shift):
        workspace.toast(why)
    else:
        editor.move(editor.selection, *shift)
        editor.settle()
        workspace.cursor = workspace.gesture.spot or workspace.cursor
    workspace.refresh()


def _click(workspace: Workspace) -> None:
    gesture = workspace.gesture
    if gesture.hit is not None:
        if not gesture.added:
            workspace.select([gesture.hit], add=workspace.app.held(pygame.KMOD_SHIFT))
    elif not workspace.app.held(pygame.KMOD_SHIFT):
        workspace.select([])
        door = workspace.editor.door_at(gesture.spot)
        if door is not None:
            operations.turn_door(workspace, door)
