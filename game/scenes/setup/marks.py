"""What is drawn on the board of an encounter: start zones, cursor, selection, ghosts of what is dragged, faults."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import pygame

from game.scenes.fight.panels import hud, notes
from game.scenes.setup import layout, waymarks
from game.view import overlays as pins
from game.view.fonts import render
from game.view.overlays import Overlays
from game.view.palette import GOLD, INK, PAPER, Colour, alpha, tone
from game.widgets.controls import Label
from game.widgets.core import column

if TYPE_CHECKING:
    from game.scenes.setup.scene import Setup


def overlays(scene: Setup) -> Overlays:
    """The marks that every board has."""
    marks = Overlays()
    spot, ground = scene.pointing.spot, scene.editor.ground
    marks.hover = ground.cell(*spot) if spot is not None and ground is not None else None
    marks.legend = scene.app.held(pygame.KMOD_ALT)
    marks.pins = pins.pins(scene.loaded, -1, secrets=True)
    if scene.loaded is not None:
        marks.zones = {side: scene.loaded.spawn_cells(side) for side in _sides(scene)}
    return marks


def _sides(scene: Setup) -> list[str]:
    assert scene.loaded is not None
    return list(dict.fromkeys(spawn.side for spawn in scene.loaded.spawns))


def draw(surface: pygame.Surface, scene: Setup) -> None:
    """Everything that stands over the miniatures and under the panels."""
    before = surface.get_clip()
    waymarks.draw(surface, scene)
    _selection(surface, scene)
    _faults(surface, scene)
    _cursor(surface, scene)
    _ghosts(surface, scene)
    _band(surface, scene)
    surface.set_clip(before)


def draw_above(surface: pygame.Surface, scene: Setup) -> None:
    """What floats over the panels: what is carried, and the toast."""
    pointing, camera = scene.pointing, scene.camera
    if pointing.drag == "carry" and (pointing.spot is None or scene.ui.over(scene.app.pointer)):
        entry = scene.editor.entry_for(pointing.carried, scene.steering.side_for(pointing.carried))
        art = str(scene.editor.base_of(pointing.carried).get("art", pointing.carried))
        picture = hud.likeness(art, entry["side"])(camera.zoom)
        surface.blit(picture, picture.get_rect(center=scene.app.pointer))
    _notes(surface, scene)
    if scene.toast_text:
        _toast(surface, scene)


def _notes(surface: pygame.Surface, scene: Setup) -> None:
    """What the map notes of the space under the pointer, or else under the cursor."""
    pointing, ground = scene.pointing, scene.editor.ground
    if ground is None or pointing.busy or scene.drawing is not None or scene.app.top is not scene:
        return
    spot = pointing.spot
    if spot is None and scene.ui.by_keys:
        spot = scene.cursor
    if spot is None or not ground.inside(*spot):
        return
    found = pins.pins(scene.loaded, -1, secrets=True)
    free = layout.board_rect(scene)
    notes.draw_told(surface, scene.app.look, scene.camera, found, ground.cell(*spot), free=free)


def _toast(surface: pygame.Surface, scene: Setup) -> None:
    look, room = scene.app.look, layout.board_rect(scene)
    box = column(Label(scene.toast_text, "label", "bright", centred=True), pad=10, plate="panel", edge="faint")
    wide, high = box.measure(look, max(look.px(200), room.width - look.px(20)))
    wide = min(wide, room.width)
    rect = pygame.Rect(0, 0, wide, high)
    rect.midtop = (room.centerx, max(room.top, layout.drawing_bottom(scene)) + look.px(4))
    box.place(look, rect)
    box.draw(surface, look)


def _selection(surface: pygame.Surface, scene: Setup) -> None:
    """A dashed gold ring about everybody selected."""
    for piece in scene.editor.chosen():
        if piece.spot is not None:
            rect = scene.camera.space_rect(piece.spot, scene.editor.size_of(piece.entry))
            ring = _ring(rect.width)
            surface.blit(ring, ring.get_rect(center=rect.center))


@lru_cache(maxsize=32)
def _ring(width: int) -> pygame.Surface:
    size = round(width * 1.12)
    big = size * 2
    sheet = pygame.Surface((big, big), pygame.SRCALPHA)
    radius, line, count = big * 0.48, max(3, big // 26), 14
    box = pygame.Rect(0, 0, round(radius * 2), round(radius * 2))
    box.center = (big // 2, big // 2)
    for n in range(count):
        start = math.tau * n / count
        pygame.draw.arc(sheet, INK, box.inflate(4, 4), start, start + math.tau / count * 0.66, line + 4)
        pygame.draw.arc(sheet, GOLD, box, start, start + math.tau / count * 0.62, line)
    return pygame.transform.smoothscale(sheet, (size, size))


def _faults(surface: pygame.Surface, scene: Setup) -> None:
    """A coral mark on everybody with whom something is wrong."""
    grave = {each.key for each in scene.editor.problems() if each.block}
    for piece in scene.editor.draft.pieces:
        if piece.key in grave and piece.spot is not None:
            rect = scene.camera.space_rect(piece.spot, scene.editor.size_of(piece.entry))
            size = max(7, scene.camera.zoom // 7)
            middle = (rect.left + size, rect.top + size)
            pygame.draw.circle(surface, INK, middle, size + 1)
            pygame.draw.circle(surface, tone("harm"), middle, size, max(1, size // 4))
            mark = render("bold", round(size * 1.5), "!", tone("harm"))
            surface.blit(mark, mark.get_rect(center=middle))


def _cursor(surface: pygame.Surface, scene: Setup) -> None:
    """Corners about the space that keys speak of; with something in hand, its ghost inside."""
    rect = scene.camera.space_rect(scene.cursor).inflate(-2, -2)
    arm, line = max(5, rect.width // 4), max(2, rect.width // 20)
    for x, dx in ((rect.left, 1), (rect.right - 1, -1)):
        for y, dy in ((rect.top, 1), (rect.bottom - 1, -1)):
            for width, ink in ((line + 2, INK), (line, PAPER)):
                pygame.draw.line(surface, ink, (x, y), (x + dx * arm, y), width)
                pygame.draw.line(surface, ink, (x, y), (x, y + dy * arm), width)


def _ghosts(surface: pygame.Surface, scene: Setup) -> None:
    """Where what is dragged, carried or in hand would stand: teal where there is room, coral where there is none."""
    pointing, editor = scene.pointing, scene.editor
    if pointing.drag in ("move", "copy"):
        columns, rows = pointing.shift
        but = editor.selection if pointing.drag == "move" else ()
        for piece in editor.chosen():
            if piece.spot is not None:
                goal = (piece.spot[0] + columns, piece.spot[1] + rows)
                size = editor.size_of(piece.entry)
                art = str(editor.block(piece).get("art") or "")
                fits = not editor.room(goal, size, but=but)
                _ghost(surface, scene, goal, size, art, piece.side, fits)
        return
    template = pointing.carried if pointing.drag == "carry" else scene.brush
    spot = pointing.spot if pointing.spot is not None else scene.cursor
    if not template or (scene.ui.over(scene.app.pointer) and pointing.drag == "carry"):
        return
    side = scene.steering.side_for(template)
    entry = editor.entry_for(template, side)
    size = editor.size_of(entry)
    art = str(editor.base_of(template).get("art") or template)
    _ghost(surface, scene, spot, size, art, side, not editor.room(spot, size))


def _ghost(
    surface: pygame.Surface, scene: Setup, spot: tuple[int, int], size: int, art: str, side: str, fits: bool
) -> None:
    rect = scene.camera.space_rect(spot, size)
    picture = hud.likeness(art, side)(rect.width).copy()
    picture.set_alpha(170)
    surface.blit(picture, rect)
    ink: Colour = tone("free") if fits else tone("harm")
    line = max(2, scene.camera.zoom // 24)
    pygame.draw.rect(surface, ink, rect, line, max(2, scene.camera.zoom // 9))
    if not fits:
        pygame.draw.line(surface, ink, rect.topleft, rect.bottomright, line)
        pygame.draw.line(surface, ink, rect.topright, rect.bottomleft, line)


def _band(surface: pygame.Surface, scene: Setup) -> None:
    """The rubber band, along the spaces that it takes in."""
    band = scene.pointing.band
    if band is None:
        return
    a, b = scene.camera.space_rect(band[0]), scene.camera.space_rect(band[1])
    rect = a.union(b)
    veil = pygame.Surface(rect.size, pygame.SRCALPHA)
    veil.fill(alpha(tone("aim"), 34))
    surface.blit(veil, rect)
    pygame.draw.rect(surface, tone("aim"), rect, 2, 4)
