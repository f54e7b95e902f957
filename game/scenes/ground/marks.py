"""Marks over the map that is drawn: what the rules read, zones and objects, the brush, what is under way."""

from __future__ import annotations

import pygame

from game.maps.editing import things, tools
from game.maps.editing.document import Spot
from game.maps.editing.kinds import KINDS, Way
from game.maps.editing.things import Thing
from game.maps.editing.tools import Edge
from game.scenes.ground import deeds
from game.scenes.ground.model import Model, Tool
from game.scenes.ground.pictures import ZONES, picture
from game.view.palette import GOLD, INK, PAPER, Colour, render, rgb
from rules.board.grid import Ground

_BLOCKED, _ROUGH, _GAP, _PROPOSED = rgb("#d0563a"), rgb("#d6a53c"), rgb("#4f9fd0"), rgb("#d04f9f")
THINGS = ("Door", "Trap", "Chest", "Note", "Stairs", "Ladder", "Exit", "Light", "Obstacle")


def draw(surface: pygame.Surface, model: Model) -> None:
    """All of them."""
    if model.tint:
        _ground(surface, model)
        _things(surface, model)
    _proposal(surface, model)
    _chosen(surface, model)
    _cursor(surface, model)
    _under_way(surface, model)


def _rect(model: Model, spot: Spot, size: int = 1) -> pygame.Rect:
    return model.workspace.camera.space_rect(model.on_board(spot), size)


def _ground(surface: pygame.Surface, model: Model) -> None:
    """A hatching where pictures alone don't tell what the rules read: walls, rough ground, gaps, heights."""
    loaded = model.document.read()
    field, camera = loaded.field, model.workspace.camera
    columns, rows = camera.seen()
    for row in rows:
        y = row - model.top
        for x in columns:
            if not field.inside(x, y):
                continue
            cell = field.cell(x, y)
            rect = camera.space_rect((x, row))
            if loaded.foreign and loaded.materials[cell] in ("tile", ""):
                _hatch(surface, rect, field.ground[cell])
            if level := field.level(cell):
                mark = render("bold", max(9, camera.zoom // 4), str(level), PAPER)
                surface.blit(mark, mark.get_rect(bottomright=(rect.right - 2, rect.bottom)))


def _hatch(surface: pygame.Surface, rect: pygame.Rect, ground: int) -> None:
    colour = {Ground.BLOCKED: _BLOCKED, Ground.DIFFICULT: _ROUGH, Ground.VOID: _GAP}.get(Ground(ground))
    if colour is not None:
        surface.blit(_hatching(rect.width, colour), rect)


_HATCHINGS: dict[tuple[int, Colour], pygame.Surface] = {}


def _hatching(side: int, colour: Colour) -> pygame.Surface:
    """A space's hatching, kept."""
    if (side, colour) not in _HATCHINGS:
        if len(_HATCHINGS) > 60:
            _HATCHINGS.clear()
        sheet = pygame.Surface((side, side), pygame.SRCALPHA)
        sheet.fill((*colour[:3], 46))
        for n in range(0, 2 * side, max(6, side // 5)):
            pygame.draw.line(sheet, (*colour[:3], 150), (n, 0), (n - side, side), 1)
        _HATCHINGS[side, colour] = sheet
    return _HATCHINGS[side, colour]


def _things(surface: pygame.Surface, model: Model) -> None:
    """Zones as frames with their names; signs of what the board itself does not show."""
    zoom = model.workspace.camera.zoom
    for thing in things.all_of(model.document):
        if thing.shape in ("Spawn", "Region") and thing.spots:
            _zone(surface, model, thing)
        elif thing.shape in ("Trap", "Note", "Exit", "Light") and thing.spots:
            kind = next(each for each in KINDS if each.shape == thing.shape)
            image = picture(kind, max(10, zoom * 2 // 5))
            rect = _rect(model, thing.spots[0])
            surface.blit(image, image.get_rect(topright=rect.topright))


def _zone(surface: pygame.Surface, model: Model, thing: Thing) -> None:
    name = str(thing.says.get("side") or thing.says.get("kind") or "")
    colour = ZONES.get(name)
    if colour is None:
        return
    there = set(thing.spots)
    line = max(2, model.workspace.camera.zoom // 18)
    for x, y in thing.spots:
        rect = _rect(model, (x, y))
        sides = {
            (x, y - 1): (rect.topleft, rect.topright), (x, y + 1): (rect.bottomleft, rect.bottomright),
            (x - 1, y): (rect.topleft, rect.bottomleft), (x + 1, y): (rect.topright, rect.bottomright),
        }  # fmt: skip
        for beside, (a, b) in sides.items():
            if beside not in there:
                pygame.draw.line(surface, colour, a, b, line)
    own = (k for k in KINDS if k.shape == thing.shape and all(thing.says.get(n) == v for n, v in k.says.items()))
    label = next((k.label for k in own), "")
    words = render("bold", max(10, min(15, model.workspace.camera.zoom // 3)), thing.name or label, PAPER)
    rect = _rect(model, min(there, key=lambda spot: (spot[1], spot[0])))
    plate = words.get_rect(topleft=(rect.left + line, rect.top + line)).inflate(6, 2)
    plate.topleft = rect.left, rect.top
    pygame.draw.rect(surface, INK, plate, border_radius=3)
    surface.blit(words, words.get_rect(center=plate.center))


def _proposal(surface: pygame.Surface, model: Model) -> None:
    if model.proposal is not None and model.proposal.level == model.level:
        for spot in model.proposal.spots:
            rect = _rect(model, spot)
            if surface.get_rect().colliderect(rect):
                surface.blit(_hatching(rect.width, _PROPOSED), rect)
        for edge in model.proposal.edges:
            rect = _edge_rect(model, edge)
            if surface.get_rect().colliderect(rect):
                pygame.draw.rect(surface, GOLD, rect, border_radius=2)


def _chosen(surface: pygame.Surface, model: Model) -> None:
    """A gold frame about what is chosen, where it would be while it is dragged."""
    thing = model.chosen
    if thing is None:
        return
    across, down = 0, 0
    if model.moved is not None:
        across, down = model.target.spot[0] - model.moved[0], model.target.spot[1] - model.moved[1]
    rects = [_rect(model, (x + across, y + down)) for x, y in thing.spots]
    rects += [_edge_rect(model, (x + across, y + down, west)) for x, y, west in thing.edges]
    if rects:
        box = rects[0].unionall(rects[1:]).inflate(4, 4)
        pygame.draw.rect(surface, INK, box.inflate(2, 2), 5, 4)
        pygame.draw.rect(surface, GOLD, box, 3, 4)


def _edge_rect(model: Model, edge: Edge) -> pygame.Rect:
    (x1, y1), (x2, y2) = tools.ends(edge)
    start, end = _corner(model, (x1, y1)), _corner(model, (x2, y2))
    thick = max(4, model.workspace.camera.zoom // 8)
    box = pygame.Rect(start, (end[0] - start[0], end[1] - start[1]))
    return box.inflate(thick, thick)


def _corner(model: Model, corner: Spot) -> tuple[int, int]:
    """The pixel of a corner of spaces."""
    return _rect(model, corner).topleft


def _cursor(surface: pygame.Surface, model: Model) -> None:
    """What a press would draw upon: the brush, the nearest edge or corner, or one space."""
    aim = model.target
    if model.aim is None and not model.by_keys:
        return
    if model.kind.way is Way.EDGE and model.tool in (Tool.BRUSH, Tool.LINE, Tool.RECTANGLE):
        pygame.draw.circle(surface, INK, _corner(model, aim.corner), 6)
        pygame.draw.circle(surface, PAPER, _corner(model, aim.corner), 4)
        if aim.edge is not None and model.tool is Tool.BRUSH and model.anchor is None:
            pygame.draw.rect(surface, PAPER, _edge_rect(model, aim.edge), 2, 3)
        return
    door = model.tool is Tool.BRUSH and model.kind.shape == "Door" and model.kind.way is Way.OBJECT
    if aim.edge is not None and (door or model.tool is Tool.ERASE):
        pygame.draw.rect(surface, PAPER, _edge_rect(model, aim.edge), 2, 3)
        if door:
            return
    size = (
        model.size
        if model.tool in (Tool.BRUSH, Tool.ERASE, Tool.LINE) and model.kind.way not in (Way.OBJECT, Way.ZONE)
        else 1
    )
    spots = tools.brush(aim.spot, size)
    if model.tool is Tool.PASTE and model.part is not None:
        wide, high = model.part.size
        spots = tools.rectangle(aim.spot, (aim.spot[0] + wide - 1, aim.spot[1] + high - 1))
    box = _rect(model, spots[0]).union(_rect(model, spots[-1]))
    if model.tool is Tool.BRUSH and model.kind.way in (Way.GROUND, Way.THING, Way.OBJECT, Way.LEVEL):
        ghost = picture(model.kind, _rect(model, aim.spot).width).copy()
        ghost.set_alpha(120)
        for spot in spots:
            surface.blit(ghost, _rect(model, spot))
    pygame.draw.rect(surface, INK, box.inflate(2, 2), 4, 3)
    pygame.draw.rect(surface, PAPER, box, 2, 3)


def _under_way(surface: pygame.Surface, model: Model) -> None:
    """What would be drawn from where it began to here."""
    if model.anchor is None:
        return
    spots, edges = deeds.span_of(model, model.anchor, model.target)
    tint = {Tool.PART: rgb("#9fb6d0")}.get(model.tool, GOLD)
    window = surface.get_rect()
    for spot in spots:
        rect = _rect(model, spot)
        if window.colliderect(rect):
            veil = pygame.Surface(rect.size, pygame.SRCALPHA)
            veil.fill((*tint[:3], 70))
            surface.blit(veil, rect)
    if spots and model.tool is not Tool.LINE:
        box = _rect(model, spots[0]).union(_rect(model, spots[-1]))
        pygame.draw.rect(surface, tint, box, 3, 3)
    for edge in edges:
        pygame.draw.rect(surface, tint, _edge_rect(model, edge), 0, 3)
