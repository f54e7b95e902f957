"""Marks on the board: lit spaces told apart by shape as well as colour, paths, threat, sight, ruler, chances, names."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import pygame

from game.maps.mapdata import LoadedMap
from game.view.camera import Camera
from game.view.minis import portrait
from game.view.palette import GOLD, INK, PAPER, Colour, alpha, mark, mix, render, side_colour, tone
from rules.board.bitboard import board_of, cells_of
from rules.board.grid import Field
from rules.board.sight import Grade, SightLine
from rules.contract.display import Board, Miniature, Planned
from rules.contract.text import text
from rules.contract.units import EMPTY, Bitboard, Cell

GHOST = 120
"""How opaque a ghost is, of 255."""


@lru_cache(maxsize=64)
def _ghost(art: str, side: str, size: int) -> pygame.Surface:
    picture = portrait(art, side, size).copy()
    picture.fill((255, 255, 255, GHOST), special_flags=pygame.BLEND_RGBA_MULT)
    return picture


def draw_ways(surface: pygame.Surface, camera: Camera, board: Board) -> None:
    """The ways that are planned and the ghosts at their ends; under the miniatures."""
    for plan, mini, stands in _standing(camera, board):
        if plan.path:
            stops = [camera.space_rect(cell, mini.size).center for cell in (mini.cell, *plan.path)]
            _dots(surface, stops, camera.zoom, side_colour(mini.side))
            surface.blit(_ghost(mini.art, mini.side, stands.width), stands)


def draw_aims(surface: pygame.Surface, camera: Camera, board: Board) -> None:
    """The arrows to those whom plans are aimed at; above the miniatures."""
    minis = {mini.id: mini for mini in board.miniatures}
    for plan, mini, stands in _standing(camera, board):
        target = minis.get(plan.target or "")
        if target is not None and target.id != mini.id:
            _arrow(surface, stands, camera.space_rect(target.cell, target.size), side_colour(mini.side))


def draw_words(surface: pygame.Surface, camera: Camera, board: Board, scale: float) -> None:
    """What shall be done, in a word each on small plates that make room for each other; above all rings."""
    plates: list[pygame.Rect] = []
    for plan, _, stands in _standing(camera, board):
        if not plan.label:
            continue
        text = render("bold", max(11, round(12 * scale)), plan.label, PAPER)
        box = text.get_rect(midtop=(stands.centerx, stands.bottom - camera.zoom // 8)).inflate(10, 4)
        while any(box.colliderect(other) for other in plates):
            box.top += box.height + 2
        plates.append(box)
        plate = pygame.Surface(box.size, pygame.SRCALPHA)
        pygame.draw.rect(plate, alpha(INK, 215), plate.get_rect(), border_radius=5)
        surface.blit(plate, box)
        surface.blit(text, text.get_rect(center=box.center))


def _standing(camera: Camera, board: Board) -> Iterator[tuple[Planned, Miniature, pygame.Rect]]:
    """Each plan with whose it is and where that one will stand then."""
    minis = {mini.id: mini for mini in board.miniatures}
    for plan in board.plans:
        mini = minis.get(plan.id)
        if mini is not None:
            yield plan, mini, camera.space_rect(board.leads_to(mini), mini.size)


def _dots(surface: pygame.Surface, stops: list[tuple[int, int]], zoom: int, colour: Colour) -> None:
    """Dots at equal distances along a way, dark-rimmed so that they show on any ground."""
    gap, radius = max(5.0, zoom / 5), max(2, zoom // 20)
    ahead = gap
    for (ax, ay), (bx, by) in zip(stops, stops[1:], strict=False):
        length = math.hypot(bx - ax, by - ay)
        while ahead <= length:
            x, y = ax + (bx - ax) * ahead / length, ay + (by - ay) * ahead / length
            pygame.draw.circle(surface, INK, (x, y), radius + 1)
            pygame.draw.circle(surface, colour, (x, y), radius)
            ahead += gap
        ahead -= length


def _arrow(surface: pygame.Surface, start: pygame.Rect, goal: pygame.Rect, colour: Colour) -> None:
    """From the rim of one miniature to the rim of another."""
    (ax, ay), (bx, by) = start.center, goal.center
    length = math.hypot(bx - ax, by - ay)
    if length < 1:
        return
    dx, dy = (bx - ax) / length, (by - ay) / length
    near, far = start.width * 0.36, goal.width * 0.4
    if length <= near + far:
        near, far = length * 0.3, length * 0.3
    tip = (bx - dx * far, by - dy * far)
    tail = (ax + dx * near, ay + dy * near)
    head = max(8.0, start.width * 0.2)
    neck = (tip[0] - dx * head, tip[1] - dy * head)
    thick = max(3, start.width // 18)
    across, down = dy * head * 0.5, dx * head * 0.5
    wings = [tip, (neck[0] - across, neck[1] + down), (neck[0] + across, neck[1] - down)]
    pygame.draw.line(surface, INK, tail, neck, thick + 2)
    pygame.draw.polygon(surface, INK, wings, thick)
    pygame.draw.line(surface, colour, tail, neck, thick)
    pygame.draw.polygon(surface, colour, wings)


def draw_facing(
    surface: pygame.Surface, camera: Camera, mini: Miniature, facing: int, struck: Bitboard = EMPTY
) -> None:
    """The arcs about somebody: ahead and half aside is front, behind is rear; between them are the sides; and the
    spaces that it can strike."""
    line, radius = max(1, camera.zoom // 40), max(2, camera.zoom // 10)
    for cell in cells_of(struck):
        space = camera.space_rect(cell).inflate(-camera.zoom // 7, -camera.zoom // 7)
        pygame.draw.rect(surface, tone("aim"), space, line, border_radius=radius)
    rect = camera.space_rect(mini.cell, mini.size)
    reach = rect.width * 1.15
    size = round(reach * 2.2)
    sheet = pygame.Surface((size, size), pygame.SRCALPHA)
    middle = size / 2
    for turn, spread, colour in ((0, 67.5, (120, 220, 150)), (4, 67.5, (255, 110, 90))):
        ahead, steps = math.radians(45 * (facing + turn) - 90), 18
        angles = [ahead + math.radians(spread) * (2 * n / steps - 1) for n in range(steps + 1)]
        rim = [(middle + math.cos(a) * reach, middle + math.sin(a) * reach) for a in angles]
        pygame.draw.polygon(sheet, (*colour, 44), [(middle, middle), *rim])
        pygame.draw.lines(sheet, (*colour, 170), False, rim, max(2, camera.zoom // 26))
    surface.blit(sheet, sheet.get_rect(center=rect.center))


LEAST_PIN = 15
"""Pixels of a page at least, so that it is told from the ground however far away."""
LONGEST = 900
"""Letters of a note that are shown; no window holds more."""


class Pin(NamedTuple):
    """A note as it is shown."""

    cells: tuple[Cell, ...]
    title: str
    text: str
    secret: bool
    """For the game master alone."""

    @property
    def cell(self) -> int:
        return self.cells[0]


def map_pins(loaded: LoadedMap | None, known: int, *, secrets: bool) -> tuple[Pin, ...]:
    """The notes of a map on ground that is known (a bitboard, -1 = all); `secrets`: the game master's, too."""
    found = []
    for note in loaded.notes if loaded is not None else ():
        secret = note.text("gm_only").casefold() == "true" or not note.visible
        cells = tuple(cell for cell in note.cells if known >> cell & 1)  # how far the others go, nobody is told
        found.append(Pin(cells, _plain(note.name), _plain(note.text("text")), secret))
    return tuple(pin for pin in found if pin.cells and (pin.title or pin.text) and (secrets or not pin.secret))


def _plain(text: str) -> str:
    """What a stranger's map says, without signs that cannot be drawn."""
    text = "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in text).strip()
    return text if len(text) <= LONGEST else text[:LONGEST].rstrip() + "…"


def draw_crossings(surface: pygame.Surface, camera: Camera, field: Field, known: int) -> None:
    """Two small arrowheads on each known space from which one goes over to another map of the place."""
    window, size = surface.get_clip(), max(8, camera.zoom * 3 // 10)
    for stair in field.stairs:
        rect = camera.space_rect(stair.cell)
        if known >> stair.cell & 1 and window.colliderect(rect) and camera.shows(stair.cell):
            sign = _arrows(size)
            surface.blit(sign, sign.get_rect(bottomleft=(rect.left + size // 4, rect.bottom - size // 4)))


@lru_cache(maxsize=16)
def _arrows(size: int) -> pygame.Surface:
    big = size * 4
    sign = pygame.Surface((big, big), pygame.SRCALPHA)
    for line, colour in ((big // 4, INK), (big // 8, GOLD)):
        for left in (big // 6, big // 2):
            points = [(left, big // 5), (left + big // 3, big // 2), (left, big * 4 // 5)]
            pygame.draw.lines(sign, colour, False, points, line)
    return pygame.transform.smoothscale(sign, (size, size))


def pins_at(found: Iterable[Pin], cell: Cell | None) -> list[Pin]:
    """The notes on a space."""
    return [pin for pin in found if cell is not None and cell in pin.cells]


def pin_rect(camera: Camera, pin: Pin) -> pygame.Rect:
    """Where its page is drawn."""
    space = camera.space_rect(pin.cell)
    size = max(LEAST_PIN, camera.zoom * 2 // 5)
    return pygame.Rect(space.left - size // 5, space.top - size // 5, size, size)


def draw_pins(surface: pygame.Surface, camera: Camera, found: Iterable[Pin], hover: int | None) -> None:
    """The pages of all notes in sight."""
    window = surface.get_rect()
    for pin in found:
        rect = pin_rect(camera, pin)
        if window.colliderect(rect):
            paper = tone("aim") if hover in pin.cells else PAPER
            surface.blit(_page(rect.width, pin.secret, paper, tone("harm")), rect)


@lru_cache(maxsize=64)
def _page(size: int, secret: bool, paper: Colour, seal: Colour) -> pygame.Surface:
    big = size * 4
    sheet = pygame.Surface((big, big), pygame.SRCALPHA)
    fold, edge = big // 4, max(2, big // 14)
    left, top, right, bottom = big // 8, big // 16, big * 7 // 8, big * 15 // 16
    page = [(left, top), (right - fold, top), (right, top + fold), (right, bottom), (left, bottom)]
    pygame.draw.polygon(sheet, paper, page)
    pygame.draw.polygon(sheet, mix(paper, INK, 0.35), [page[1], (right - fold, top + fold), page[2]])
    for line in range(3):
        y = top + fold + (bottom - top - fold) * (line + 1) // 4
        end = right - big // 8 - (big // 6 if line == 2 else 0)
        pygame.draw.line(sheet, mix(paper, INK, 0.7), (left + big // 8, y), (end, y), max(2, big // 18))
    pygame.draw.polygon(sheet, INK, page, edge)
    if secret:
        middle = (right - big // 10, bottom - big // 10)
        pygame.draw.circle(sheet, INK, middle, big // 5)
        pygame.draw.circle(sheet, seal, middle, big // 5 - edge)
        pygame.draw.circle(sheet, INK, middle, big // 11, max(2, big // 24))
    return pygame.transform.smoothscale(sheet, (size, size))


EVEN = 0.5
"""From this chance on a risk is drawn as harm."""
LEAST = 26
"""Pixels of a space below which the chances of all spaces are left out."""


def chance_label(chance: float) -> str:
    """A chance on a space: as in `foresight.percent`, without the sign to save room."""
    if chance >= 1.0 or chance <= 0.0:
        return "100" if chance > 0.0 else "0"
    return "<1" if chance < 0.005 else ">99" if chance > 0.995 else f"{chance * 100:.0f}"


@lru_cache(maxsize=16)
def _veil(size: int, colour: Colour) -> pygame.Surface:
    """A space in somebody's view: a tint with a row of dots, told apart by more than its colour."""
    sheet = pygame.Surface((size, size), pygame.SRCALPHA)
    sheet.fill(alpha(colour, 26))
    for share in (0.25, 0.75):
        pygame.draw.circle(sheet, alpha(colour, 88), (round(size * share),) * 2, max(1, size // 28))
    return sheet


def draw_watched(surface: pygame.Surface, camera: Camera, cells: Bitboard) -> None:
    """The spaces in view of those who have noticed nothing yet, with their border."""
    if not cells:
        return
    veil, window = _veil(camera.space_rect(0).width, tone("harm")), surface.get_rect()
    for cell in cells_of(cells):
        rect = camera.space_rect(cell)
        if not window.colliderect(rect):
            continue
        surface.blit(veil, rect)
        inside = pygame.Rect(rect.topleft, (rect.width - 1, rect.height - 1))
        for ends in camera.borders(cells, cell, inside):
            pygame.draw.line(surface, tone("harm"), *ends, max(1, rect.width // 36))


def draw_risks(surface: pygame.Surface, camera: Camera, risks: Mapping[Cell, float], *, quiet: bool = False) -> None:
    """On each space the chance to be noticed on the way there, in percent; `quiet` while one way is considered."""
    size = camera.space_rect(0).width
    if size < LEAST:
        return
    window = surface.get_rect()
    for cell, chance in risks.items():
        rect = camera.space_rect(cell)
        if chance <= 0.0 or not window.colliderect(rect):
            continue
        label = render("bold", max(10, size // 4), chance_label(chance), tone("harm") if chance >= EVEN else PAPER)
        label.set_alpha(90 if quiet else 215)
        surface.blit(label, label.get_rect(center=rect.center))
        label.set_alpha(255)


def draw_along(surface: pygame.Surface, camera: Camera, along: Mapping[Cell, float]) -> None:
    """On each space of a way the chance to have been noticed by then, on a plate."""
    if not any(along.values()):
        return
    size = camera.space_rect(0).width
    for cell, chance in along.items():
        rect = camera.space_rect(cell)
        colour = tone("free") if chance <= 0.0 else tone("harm") if chance >= EVEN else PAPER
        label = render("bold", max(10, min(18, size // 4)), text("{chance} %", chance_label(chance)), colour)
        plate = label.get_rect(center=rect.center).inflate(size // 6, 2)
        pygame.draw.rect(surface, INK, plate, border_radius=plate.height // 2)
        pygame.draw.rect(surface, colour, plate, 1, border_radius=plate.height // 2)
        surface.blit(label, label.get_rect(center=plate.center))


Cells = Iterable[Cell]


@dataclass
class Overlays:
    """What is marked now; plain data that a scene fills in."""

    free: Cells = ()
    step: Cells = ()
    run: Cells = ()
    leap: Cells = ()
    climb: Cells = ()
    path: tuple[Cell, ...] = ()
    path_ok: bool = True
    walker: str = ""
    """Whose way that is; left out: whoever acts."""
    reach: Bitboard = EMPTY
    threat: Bitboard = EMPTY
    sight: SightLine | None = None
    ruler: tuple[int, int, str] | None = None
    """From one space to another, and what it says."""
    chances: dict[str, str] = field(default_factory=dict)
    fallen: dict[str, str] = field(default_factory=dict)
    """The chances against those who have fallen: a click alone doesn't strike them, so they are quieter."""
    crosses: dict[str, str] = field(default_factory=dict)
    hover: int | None = None
    selected: str | None = None
    legend: bool = False
    zones: dict[str, Cells] = field(default_factory=dict)
    """Where sides may start: side -> spaces."""
    goals: Bitboard = EMPTY
    """Spaces where something is to be done."""
    facing: tuple[str, int] | None = None
    """Whose arcs are shown, and where it looks (or would)."""
    watched: Bitboard = EMPTY
    """Spaces in view of adversaries who have noticed nothing."""
    risks: dict[Cell, float] = field(default_factory=dict)
    """Space -> the chance that who goes there is noticed on the way."""
    along: dict[Cell, float] = field(default_factory=dict)
    """The same for each space of the way that is considered, up to it."""
    struck: Bitboard = EMPTY
    """Spaces that whoever's arcs are shown can strike as it stands."""
    pins: tuple[Pin, ...] = ()
    """Notes of the map."""
    company: dict[str, Cell] = field(default_factory=dict)
    """Where each of a party would come to stand."""
    asked: str | None = None
    """Whose decision is worked on, where those of several stand open."""


@lru_cache(maxsize=128)
def _space(kind: str, size: int) -> pygame.Surface:
    """The mark of one space."""
    sheet = pygame.Surface((size, size), pygame.SRCALPHA)
    inset = max(1, size // 22)
    box = pygame.Rect(inset, inset, size - 2 * inset, size - 2 * inset)
    radius, line = max(2, size // 9), max(1, size // 32)
    colour = tone({"free": "free", "threat": "harm"}.get(kind, "way"))
    strong = mark(colour, 240)
    if kind == "free":
        pygame.draw.rect(sheet, mark(colour, 26), box, border_radius=radius)
        pygame.draw.rect(sheet, mark(colour, 215), box, line + 1, border_radius=radius)
        pygame.draw.circle(sheet, strong, box.center, max(2, size // 16))
    elif kind in ("step", "leap", "climb"):
        pygame.draw.rect(sheet, mark(colour, 20), box, border_radius=radius)
        pygame.draw.rect(sheet, mark(colour, 150), box, line, border_radius=radius)
    elif kind == "run":
        _hatch(sheet, box, colour, strength=104, size=size, back=False)
        pygame.draw.rect(sheet, mark(colour, 118), box, line, border_radius=radius)
    elif kind == "threat":
        # a deep red under the bright hatching: it must stand out of brown boards and of grey slabs alike
        sheet.fill(mark(mix(colour, INK, 0.55), 92))
        _hatch(sheet, sheet.get_rect(), colour, strength=190, size=size, back=True)
    if kind == "leap":
        x, y, s = float(box.centerx), float(box.centery), size * 0.2
        pygame.draw.lines(sheet, strong, False, [(x - s, y + s / 2), (x, y - s), (x + s, y + s / 2)], line + 1)
    elif kind == "climb":
        x, s = float(box.centerx), size * 0.16
        for i in (-1, 0, 1):
            y = box.centery + i * s
            pygame.draw.line(sheet, strong, (x - s, y), (x + s, y), line + 1)
        for pole in (x - s, x + s):
            pygame.draw.line(sheet, strong, (pole, box.centery - 1.8 * s), (pole, box.centery + 1.8 * s), line + 1)
    return sheet


def _hatch(sheet: pygame.Surface, box: pygame.Rect, colour: Colour, *, strength: int, size: int, back: bool) -> None:
    gap = max(4, size // 8)
    layer = pygame.Surface(sheet.get_size(), pygame.SRCALPHA)
    for x in range(-size, size, gap):
        ends = ((x, 0), (x + size, size)) if back else ((x, size), (x + size, 0))
        pygame.draw.line(layer, mark(colour, strength), *ends, max(1, size // 40))
    sheet.blit(layer, box, box)


def draw_overlays(surface: pygame.Surface, camera: Camera, marks: Overlays, board: Board) -> None:
    """Everything that lies on the floor, under the miniatures."""
    size = camera.space_rect(0).width
    for side, cells in marks.zones.items():  # start zones, tinted and edged in their side's colour
        colour = side_colour(side)
        veil = pygame.Surface((size, size), pygame.SRCALPHA)
        veil.fill(alpha(colour, 58))
        surface.fblits([(veil, corner) for corner in camera.corners(cells)])
        _outline(surface, camera, board_of(cells), mix(colour, PAPER, 0.25))
    if marks.goals:
        veil = pygame.Surface((size, size), pygame.SRCALPHA)
        veil.fill(alpha(GOLD, 34))
        surface.fblits([(veil, corner) for corner in camera.corners(cells_of(marks.goals))])
        _outline(surface, camera, marks.goals, GOLD)
    draw_watched(surface, camera, marks.watched)
    lit: tuple[tuple[str, Cells], ...] = (
        ("threat", cells_of(marks.threat)),
        ("run", marks.run),
        ("step", marks.step),
        ("leap", marks.leap),
        ("climb", marks.climb),
        ("free", marks.free),
    )
    for kind, cells in lit:
        if cells:
            picture = _space(kind, size)
            surface.fblits([(picture, corner) for corner in camera.corners(cells)])
    _outline(surface, camera, marks.threat, tone("harm"))
    draw_risks(surface, camera, marks.risks, quiet=bool(marks.along))
    _outline(surface, camera, marks.reach, tone("aim"))
    if marks.hover is not None:
        rect, radius = camera.space_rect(marks.hover).inflate(-2, -2), max(2, size // 9)
        pygame.draw.rect(surface, alpha(PAPER, 255), rect, max(1, size // 32), border_radius=radius)
    _company(surface, camera, marks, board)
    if marks.path:
        _path(surface, camera, marks, board)
    draw_along(surface, camera, marks.along)


def _company(surface: pygame.Surface, camera: Camera, marks: Overlays, board: Board) -> None:
    """Ghosts where each of a party would come to stand."""
    for mini in board.miniatures:
        cell = marks.company.get(mini.id)
        if cell is not None and cell != mini.cell:
            stands = camera.space_rect(cell, mini.size)
            pygame.draw.circle(surface, alpha(side_colour(mini.side), 90), stands.center, stands.width * 0.42)
            surface.blit(_ghost(mini.art, mini.side, stands.width), stands)


def _outline(surface: pygame.Surface, camera: Camera, cells: Bitboard, colour: Colour) -> None:
    """The border of a set of spaces, dashed."""
    line = max(2, camera.zoom // 26)
    for cell in cells_of(cells):
        rect = camera.space_rect(cell).inflate(-2 * line, -2 * line)  # the line stays within its space
        for start, end in camera.borders(cells, cell, rect):
            _dashed(surface, colour, start, end, width=line)


DASH = 7
"""Pixels of a dash."""


def _dashed(
    surface: pygame.Surface, colour: Colour, start: tuple[float, float], end: tuple[float, float], *, width: int
) -> None:
    a, b = pygame.Vector2(start), pygame.Vector2(end)
    length = (b - a).length()
    if length < 1:
        return
    unit = (b - a) / length
    at = 0.0
    while at < length:
        pygame.draw.line(surface, colour, a + unit * at, a + unit * min(length, at + DASH), width)
        at += DASH * 1.8


def _path(surface: pygame.Surface, camera: Camera, marks: Overlays, board: Board) -> None:
    """A dotted line from the creature to a ring; an illegal one in coral with a cross."""
    minis = board.miniatures
    mover = next((m for m in minis if (m.id == marks.walker if marks.walker else m.active)), None)
    mover = mover or next((m for m in minis if m.id == marks.selected), None)
    points = [camera.space_rect(cell).center for cell in marks.path]
    if mover is not None:
        points.insert(0, camera.space_rect(board.leads_to(mover), mover.size).center)
    size = camera.space_rect(0).width
    colour = tone("free" if marks.path_ok else "harm")
    dot = max(2, size // 14)
    for a, b in zip(points, points[1:], strict=False):
        pygame.draw.line(surface, INK, a, b, dot * 2 + 2)
    for a, b in zip(points, points[1:], strict=False):
        for i in range(1, 5):
            x, y = a[0] + (b[0] - a[0]) * i / 4.5, a[1] + (b[1] - a[1]) * i / 4.5
            pygame.draw.circle(surface, PAPER if marks.path_ok else colour, (x, y), dot)
    end = points[-1]
    radius = round(size * 0.36)
    pygame.draw.circle(surface, INK, end, radius + 2, max(3, size // 12))
    pygame.draw.circle(surface, colour, end, radius, max(2, size // 18))
    if not marks.path_ok:
        _crossed(surface, colour, end, size * 0.18, max(2, size // 14))


def draw_overlays_above(
    surface: pygame.Surface, camera: Camera, marks: Overlays, board: Board, scale: float = 1.0
) -> None:
    """Everything that stands over the miniatures: chances, crosses, sight, ruler and names; `scale` is the panels'."""
    window = surface.get_rect()
    for mini in board.miniatures:
        rect = camera.space_rect(mini.cell, mini.size)
        chance = marks.chances.get(mini.id) or marks.fallen.get(mini.id)
        if chance:
            size = max(12, min(20, rect.width // 4), min(round(13 * scale), camera.zoom // 3))
            ink = PAPER if mini.id in marks.chances else GREY
            _pill(surface, (rect.centerx, rect.top + 1), chance, size, ink)
        elif mini.id in marks.crosses and window.colliderect(rect.inflate(rect.width, rect.width)):
            _cross(surface, rect)
        if mini.id == marks.asked:
            _pointer(surface, rect)
        if marks.facing is not None and mini.id == marks.facing[0] and mini.reach:
            _pill(surface, reach_tag(rect, mini.reach).center, mini.reach, 13, tone("aim"))
        if mini.id == marks.asked or (mini.id == marks.selected and not mini.active):
            pygame.draw.circle(surface, tone("aim"), rect.center, rect.width * 0.52, max(2, rect.width // 28))
    if marks.sight is not None:
        _sight(surface, camera, marks.sight)
    if marks.ruler is not None:
        one, other, told = marks.ruler
        start, end = camera.space_rect(one).center, camera.space_rect(other).center
        pygame.draw.line(surface, INK, start, end, 6)
        _dashed(surface, tone("aim"), start, end, width=3)
        _pill(surface, (end[0], end[1] - camera.zoom * 5 // 8), told, 15, tone("aim"))


def _pointer(surface: pygame.Surface, rect: pygame.Rect) -> None:
    """A wedge over a miniature that points down at it."""
    wide, high = max(7, rect.width // 6), max(6, rect.width // 7)
    tip = (rect.centerx, rect.top - max(2, rect.width // 24))
    corners = ((tip[0] - wide, tip[1] - high), (tip[0] + wide, tip[1] - high), tip)
    pygame.draw.polygon(surface, tone("aim"), corners)
    pygame.draw.polygon(surface, INK, corners, max(1, rect.width // 28))


def reach_tag(rect: pygame.Rect, text: str) -> pygame.Rect:
    """Where over a miniature's rectangle stands how far it reaches."""
    label = render("bold", 13, text, INK)
    return label.get_rect(center=(rect.centerx, rect.top - max(16, rect.width // 3))).inflate(12, 4)


def _pill(surface: pygame.Surface, centre: tuple[int, int], text: str, size: int, colour: Colour) -> None:
    label = render("bold", size, text, colour)
    box = label.get_rect(center=centre).inflate(size * 0.9, size * 0.34)
    box.clamp_ip(surface.get_rect())
    pygame.draw.rect(surface, INK, box, border_radius=box.height // 2)
    pygame.draw.rect(surface, colour, box, max(1, size // 10), border_radius=box.height // 2)
    surface.blit(label, label.get_rect(center=box.center))


GREY = (154, 166, 178)


def _cross(surface: pygame.Surface, rect: pygame.Rect) -> None:
    s = max(4, rect.width // 11)
    middle = (rect.centerx, rect.top + s)
    pygame.draw.circle(surface, INK, middle, s * 1.5)
    _crossed(surface, GREY, middle, s * 0.7, max(2, s // 3))


def _crossed(surface: pygame.Surface, colour: Colour, middle: tuple[int, int], arm: float, width: int) -> None:
    (x, y) = middle
    pygame.draw.line(surface, colour, (x - arm, y + arm), (x + arm, y - arm), width)
    pygame.draw.line(surface, colour, (x - arm, y - arm), (x + arm, y + arm), width)


_GRADES = {
    Grade.CLEAR: ("clear sight", "free"),
    Grade.PARTIAL: ("partial sight", "aim"),
    Grade.MINIMAL: ("minimal sight", "harm"),
    Grade.NONE: ("no line of sight", "harm"),
}
"""Grade -> (how it is called, its tone)."""


def _sight(surface: pygame.Surface, camera: Camera, line: SightLine) -> None:
    """The line that decides, its grade, and the space that is in the way."""
    start = camera.to_screen(line.start[0] / 2, line.start[1] / 2)
    end = camera.to_screen(line.end[0] / 2, line.end[1] / 2)
    text, word = _GRADES[line.grade]
    colour, harm = tone(word), tone("harm")
    if line.blocker is not None:
        rect = camera.space_rect(line.blocker).inflate(-4, -4)
        pygame.draw.rect(surface, harm, rect, 3)
        pygame.draw.line(surface, harm, rect.topleft, rect.bottomright, 2)
        pygame.draw.line(surface, harm, rect.topright, rect.bottomleft, 2)
    pygame.draw.line(surface, INK, start, end, 6)
    if line.grade is Grade.NONE:
        _dashed(surface, colour, start, end, width=3)
    else:
        pygame.draw.line(surface, colour, start, end, 3)
    for point in (start, end):
        pygame.draw.circle(surface, colour, point, 5)
    _pill(surface, ((start[0] + end[0]) // 2, (start[1] + end[1]) // 2), text, 15, colour)


def forget() -> None:
    """Drop the marks that are kept: another palette is in use."""
    _space.cache_clear()
