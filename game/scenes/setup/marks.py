"""What is drawn on the board of an encounter: start zones, ways, cursor, selection, what is dragged, faults."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import pygame

from game.scenes.fight.panels import card
from game.scenes.setup import operations
from game.scenes.setup.waves import draw as waves_drawn
from game.scenes.setup.workspace import Drag, Workspace
from game.setup import forms, ways
from game.setup.draft import Piece, Spot
from game.setup.editor import walked
from game.setup.ways import Leg
from game.view.camera import Camera
from game.view.overlays import Overlays, map_pins
from game.view.palette import GOLD, INK, PAPER, Colour, alpha, mix, render, tone
from game.widgets.controls import Label
from game.widgets.core import column

Point = tuple[int, int]
LANE = 0.1
"""How far to the right of the middle a way is drawn, in spaces."""


def _ways(surface: pygame.Surface, workspace: Workspace) -> None:
    """Everybody's ways: faint, but for those of whoever is selected or pointed at, and the one being drawn."""
    fields, now = forms.ways(workspace.ruleset), workspace.drawing
    if not fields:
        return
    pointed = workspace.editor.table.at(workspace.gesture.spot) if workspace.gesture.spot is not None else None
    strong = {*workspace.editor.selection, pointed} if now is None else set()
    for piece in workspace.editor.draft.pieces:
        for field in fields:
            if now is not None and (piece.key, field) == (now.key, now.field):
                continue
            spots = ways.points(workspace.editor.draft, piece, field)
            if spots:
                _way(surface, workspace, piece, walked(workspace.editor, piece, field, spots), spots,
                     faint=piece.key not in strong)  # fmt: skip
    if now is not None and (walker := now.piece) is not None:
        _way(surface, workspace, walker, now.legs(), now.points, last=True)
        ahead = now.ahead(workspace.gesture.spot if workspace.gesture.spot is not None else workspace.cursor)
        if ahead is not None and workspace.gesture.drag is Drag.NOTHING:
            size = workspace.editor.size_of(walker.entry)
            _leg(surface, workspace.camera, ahead, size=size, colour=PAPER, width=2, dotted=True)


def _way(
    surface: pygame.Surface, workspace: Workspace, piece: Piece, legs: Sequence[Leg], spots: Sequence[Spot],
    *, faint: bool = False, last: bool = False,
) -> None:  # fmt: skip
    camera, size = workspace.camera, workspace.editor.size_of(piece.entry)
    line = max(2, camera.zoom // (22 if faint else 14))
    colour = mix(GOLD, INK, 0.45) if faint else GOLD
    for leg in legs:
        _leg(surface, camera, leg, size=size, colour=colour, width=line, dotted=leg.kind != "on")
    if faint:
        return
    radius = max(8, camera.zoom // 5)
    for number, spot in enumerate(spots):
        if spot not in spots[number + 1 :]:  # of several points on a space the last is seen
            end = last and number == len(spots) - 1
            _point(surface, camera.space_rect(spot, size).center, str(number + 1), radius, end=end)


def _leg(
    surface: pygame.Surface, camera: Camera, leg: Leg, *, size: int, colour: Colour, width: int, dotted: bool
) -> None:
    """One leg, along the spaces that are walked; where none leads, straight and coral with a cross."""
    points = [camera.space_rect(leg.start, size).center]
    if leg.why:
        points.append(camera.space_rect(leg.goal, size).center)
        _dashes(surface, points, tone("harm"), width)
        (a, b), arm = points, max(5, camera.zoom // 8)
        x, y = (a[0] + b[0]) // 2, (a[1] + b[1]) // 2
        for ink, thick in ((INK, width + 3), (tone("harm"), width)):
            for sign in (-1, 1):
                pygame.draw.line(surface, ink, (x - arm, y - arm * sign), (x + arm, y + arm * sign), thick)
        return
    points += [camera.space_rect(cell, size).center for cell in leg.path]
    if len(points) < 2:
        return
    points = _lane(points, camera.zoom * LANE)
    if dotted:
        _dashes(surface, points, colour, width)
    else:
        pygame.draw.lines(surface, INK, False, points, width + 2)
        pygame.draw.lines(surface, colour, False, points, width)
    middle = len(points) // 2
    _arrow(surface, points[middle - 1], points[middle], colour, max(7, camera.zoom // 5))


def _lane(points: Sequence[Point], off: float) -> list[Point]:
    """A line shifted to the right of where it leads, so that there and back are two lines."""
    spots = [pygame.Vector2(point) for point in points]
    found = []
    for before, here, after in zip([spots[0], *spots], spots, [*spots[1:], spots[-1]], strict=False):
        along = after - before
        unit = along.normalize() if along.length() else pygame.Vector2()
        found.append((round(here.x - unit.y * off), round(here.y + unit.x * off)))
    return found


def _dashes(surface: pygame.Surface, points: Sequence[Point], colour: Colour, width: int) -> None:
    """A dashed line along points, dashes going on round the corners."""
    dash, gap, left, on = 9.0, 7.0, 9.0, True
    for start, end in zip(points, points[1:], strict=False):
        a, b = pygame.Vector2(start), pygame.Vector2(end)
        length, at = (b - a).length(), 0.0
        unit = (b - a) / length if length else pygame.Vector2()
        while at < length:
            step = min(left, length - at)
            if on:
                pygame.draw.line(surface, INK, a + unit * at, a + unit * (at + step), width + 2)
                pygame.draw.line(surface, colour, a + unit * at, a + unit * (at + step), width)
            at, left = at + step, left - step
            if left <= 0:
                on = not on
                left = dash if on else gap


def _arrow(surface: pygame.Surface, start: Point, end: Point, colour: Colour, size: int) -> None:
    """A head halfway between two points that shows where it goes."""
    a, b = pygame.Vector2(start), pygame.Vector2(end)
    if a == b:
        return
    unit = (b - a).normalize()
    side, middle = pygame.Vector2(-unit.y, unit.x), (a + b) / 2
    corners = [middle + unit * size * 0.7, middle - unit * size * 0.5 + side * size * 0.6,
               middle - unit * size * 0.5 - side * size * 0.6]  # fmt: skip
    pygame.draw.polygon(surface, colour, corners)
    pygame.draw.polygon(surface, INK, corners, 1)


def _point(surface: pygame.Surface, middle: Point, text: str, radius: int, *, end: bool) -> None:
    """A numbered point; the last one of a way being drawn has a second ring: a click there ends it."""
    if end:
        pygame.draw.circle(surface, alpha(INK, 255), middle, radius + 5)
        pygame.draw.circle(surface, PAPER, middle, radius + 4, 2)
    pygame.draw.circle(surface, INK, middle, radius + 1)
    pygame.draw.circle(surface, GOLD, middle, radius, max(2, radius // 6))
    label = render("bold", max(11, round(radius * 1.1)), text, PAPER)
    surface.blit(label, label.get_rect(center=middle))


def overlays(workspace: Workspace) -> Overlays:
    """The marks that every board has."""
    marks = Overlays()
    spot = workspace.gesture.spot
    marks.hover = workspace.editor.ground.cell(*spot) if spot is not None else None
    marks.legend = workspace.app.held(pygame.KMOD_ALT)
    marks.pins = map_pins(workspace.loaded, -1, secrets=True)
    if (loaded := workspace.loaded) is not None:
        marks.zones = {side: loaded.spawn_cells(side) for side in dict.fromkeys(spawn.side for spawn in loaded.spawns)}
    return marks


def draw(surface: pygame.Surface, workspace: Workspace) -> None:
    """Everything that stands over the miniatures and under the panels."""
    before = surface.get_clip()
    for part in (_ways, waves_drawn, _selection, _faults, _cursor, _ghosts, _band):
        part(surface, workspace)
    surface.set_clip(before)


def draw_above(surface: pygame.Surface, workspace: Workspace, free: pygame.Rect, top: int) -> None:
    """What floats over the panels: what is carried, notes, and the toast (in the `free` part, below `top`)."""
    gesture, camera = workspace.gesture, workspace.camera
    if gesture.drag is Drag.CARRY and (gesture.spot is None or workspace.ui.over(workspace.app.pointer)):
        entry = workspace.editor.entry_for(gesture.carried, operations.side_for(workspace, gesture.carried))
        art = str(workspace.editor.base_of(gesture.carried).get("art", gesture.carried))
        picture = card.likeness(art, entry["side"])(camera.zoom)
        surface.blit(picture, picture.get_rect(center=workspace.app.pointer))
    _notes(surface, workspace, free)
    if workspace.toast_text:
        look = workspace.app.look
        box = column(Label(workspace.toast_text, "label", "bright", centred=True), pad=10, plate="panel", edge="faint")
        wide, high = box.measure(look, max(look.px(200), free.width - look.px(20)))
        rect = pygame.Rect(0, 0, min(wide, free.width), high)
        rect.midtop = (free.centerx, max(free.top, top) + look.px(4))
        box.place(look, rect)
        box.draw(surface, look)


def _notes(surface: pygame.Surface, workspace: Workspace, free: pygame.Rect) -> None:
    """What the map notes of the space under the pointer, or else under the cursor."""
    gesture, ground = workspace.gesture, workspace.editor.ground
    if gesture.busy or workspace.drawing is not None or workspace.app.top is not workspace:
        return
    spot = workspace.cursor if gesture.spot is None and workspace.ui.by_keys else gesture.spot
    if spot is None or not ground.inside(*spot):
        return
    found = map_pins(workspace.loaded, -1, secrets=True)
    card.draw_notes(surface, workspace.app.look, workspace.camera, found, ground.cell(*spot), free=free)


def _selection(surface: pygame.Surface, workspace: Workspace) -> None:
    """A dashed gold ring about everybody selected."""
    for piece in workspace.editor.chosen():
        if piece.spot is not None:
            rect = workspace.camera.space_rect(piece.spot, workspace.editor.size_of(piece.entry))
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


def _faults(surface: pygame.Surface, workspace: Workspace) -> None:
    """A coral mark on everybody with whom something is wrong."""
    grave = {each.key for each in workspace.editor.problems() if each.block}
    for piece in workspace.editor.draft.pieces:
        if piece.key in grave and piece.spot is not None:
            rect = workspace.camera.space_rect(piece.spot, workspace.editor.size_of(piece.entry))
            size = max(7, workspace.camera.zoom // 7)
            middle = (rect.left + size, rect.top + size)
            pygame.draw.circle(surface, INK, middle, size + 1)
            pygame.draw.circle(surface, tone("harm"), middle, size, max(1, size // 4))
            mark = render("bold", round(size * 1.5), "!", tone("harm"))
            surface.blit(mark, mark.get_rect(center=middle))


def _cursor(surface: pygame.Surface, workspace: Workspace) -> None:
    """Corners about the space that keys speak of; with something in hand, its ghost inside."""
    rect = workspace.camera.space_rect(workspace.cursor).inflate(-2, -2)
    arm, line = max(5, rect.width // 4), max(2, rect.width // 20)
    for x, dx in ((rect.left, 1), (rect.right - 1, -1)):
        for y, dy in ((rect.top, 1), (rect.bottom - 1, -1)):
            for width, ink in ((line + 2, INK), (line, PAPER)):
                pygame.draw.line(surface, ink, (x, y), (x + dx * arm, y), width)
                pygame.draw.line(surface, ink, (x, y), (x, y + dy * arm), width)


def _ghosts(surface: pygame.Surface, workspace: Workspace) -> None:
    """Where what is dragged, carried or in hand would stand: teal where there is room, coral where there is none."""
    gesture, editor = workspace.gesture, workspace.editor
    if gesture.drag in (Drag.MOVE, Drag.COPY):
        columns, rows = gesture.shift
        but = editor.selection if gesture.drag is Drag.MOVE else ()
        for piece in editor.chosen():
            if piece.spot is not None:
                goal, size = (piece.spot[0] + columns, piece.spot[1] + rows), editor.size_of(piece.entry)
                art, fits = str(editor.block(piece).get("art") or ""), not editor.room(goal, size, but=but)
                _ghost(surface, workspace, goal, size, art=art, side=piece.side, fits=fits)
        return
    template = gesture.carried if gesture.drag is Drag.CARRY else workspace.brush
    spot = gesture.spot if gesture.spot is not None else workspace.cursor
    if not template or (workspace.ui.over(workspace.app.pointer) and gesture.drag is Drag.CARRY):
        return
    side = operations.side_for(workspace, template)
    size = editor.size_of(editor.entry_for(template, side))
    art = str(editor.base_of(template).get("art") or template)
    _ghost(surface, workspace, spot, size, art=art, side=side, fits=not editor.room(spot, size))


def _ghost(
    surface: pygame.Surface, workspace: Workspace, spot: Spot, size: int, *, art: str, side: str, fits: bool
) -> None:
    rect = workspace.camera.space_rect(spot, size)
    picture = card.likeness(art, side)(rect.width).copy()
    picture.set_alpha(170)
    surface.blit(picture, rect)
    ink: Colour = tone("free") if fits else tone("harm")
    line = max(2, workspace.camera.zoom // 24)
    pygame.draw.rect(surface, ink, rect, line, max(2, workspace.camera.zoom // 9))
    if not fits:
        pygame.draw.line(surface, ink, rect.topleft, rect.bottomright, line)
        pygame.draw.line(surface, ink, rect.topright, rect.bottomleft, line)


def _band(surface: pygame.Surface, workspace: Workspace) -> None:
    """The rubber band, along the spaces that it takes in."""
    band = workspace.gesture.band
    if band is None:
        return
    rect = workspace.camera.space_rect(band[0]).union(workspace.camera.space_rect(band[1]))
    veil = pygame.Surface(rect.size, pygame.SRCALPHA)
    veil.fill(alpha(tone("aim"), 34))
    surface.blit(veil, rect)
    pygame.draw.rect(surface, tone("aim"), rect, 2, 4)
