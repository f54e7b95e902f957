"""Pictures of a tale: the board at a moment, drawn off screen as the sides of the tale knew it."""

from __future__ import annotations

import io
import os
from typing import NamedTuple

import pygame
from msgspec.structs import replace

from game.chronicle.tale import Plate, Tale
from game.fight.match import Match
from game.fight.viewing import Eyes
from game.view.boardview import BoardView
from game.view.camera import LEAST_ZOOM, Camera
from game.view.overlays import Overlays
from rules.board.bitboard import cells_of
from rules.board.grid import Field
from rules.board.places import Part
from rules.contract.display import Board
from rules.contract.events import Attack, Injury
from rules.contract.units import EMPTY, Bitboard, Cell

WIDE = 960
"""Pixels of a picture's width at most."""
LARGE = 72
"""Pixels of a space at most."""
LEAST, MOST = (14, 7), (30, 18)
"""Columns and rows that a picture shows at least, and at most."""
BROADEST, NARROWEST = 2.4, 1.4
"""How much wider than high a picture is, at most and at least."""
AROUND = 8
"""Spaces about what happens within which everybody is in the picture."""
MARGIN = 2
"""Spaces kept around those who are in it."""
FRAMES = 400
"""So often it is drawn at most until all the ground is there."""


class Frame(NamedTuple):
    """What a picture shows: columns and rows of the field, and how many pixels each has."""

    spaces: pygame.Rect
    zoom: int

    @property
    def size(self) -> tuple[int, int]:
        return self.spaces.width * self.zoom, self.spaces.height * self.zoom


def framed(tale: Tale, plate: Plate) -> Frame:
    """What a plate shows: who is in the midst of it, and around them as much ground that is known as can be."""
    film, field = tale.film, tale.film.match.field
    board, wide = film.eyes.board(plate.frame), field.width
    there = [mini for mini in board.miniatures if mini.cell >= 0]
    involved = {name for frame in (plate.frame, plate.frame + 1) if frame <= film.length
                for event in film.events(frame) if isinstance(event, Attack | Injury)
                for name in (event.by, event.target)}  # fmt: skip
    centre = [mini.cell for mini in there if mini.id in involved] or [mini.cell for mini in there] or [Cell(0)]
    level = _level(field, centre[0] // wide)
    spots = [(cell % wide, cell // wide) for cell in centre if level.top <= cell // wide < level.bottom]
    middle = pygame.Rect(spots[0], (1, 1)).unionall([pygame.Rect(spot, (1, 1)) for spot in spots])
    near = [pygame.Rect((mini.cell % wide, mini.cell // wide), (mini.size, mini.size)) for mini in there]
    near = [rect for rect in near if level.contains(rect) and middle.inflate(2 * AROUND, 2 * AROUND).contains(rect)]
    shown = middle.unionall(near)
    if shown.width + 2 * MARGIN > MOST[0] or shown.height + 2 * MARGIN > MOST[1]:
        shown = middle
    shown = shown.inflate(2 * MARGIN, 2 * MARGIN).clip(level)
    columns = min(level.width, max(shown.width, LEAST[0], round(shown.height * NARROWEST)))
    rows = min(level.height, max(shown.height, LEAST[1], round(columns / BROADEST)))
    columns = min(level.width, max(columns, min(MOST[0], round(rows * NARROWEST))))
    sight = film.eyes.sight(plate.frame)
    if sight is None:
        spaces = _best(field, shown, pygame.Rect(0, 0, columns, rows), level, (EMPTY, EMPTY))
        return Frame(spaces, min(LARGE, WIDE // columns))
    spaces = _best(field, shown, pygame.Rect(0, 0, columns, rows), level, (sight.now, sight.ever))
    spaces = _trimmed(field, spaces, _least(shown, level), sight.now)
    return Frame(spaces, min(LARGE, WIDE // max(spaces.width, round(spaces.height * NARROWEST))))


def _level(field: Field, row: int) -> pygame.Rect:
    """Columns and rows of the map on which a row lies."""
    parts = [part for part in field.maps if part.top <= row]
    if not parts:
        return pygame.Rect(0, 0, field.width, field.height)
    return pygame.Rect(0, parts[-1].top, parts[-1].columns, parts[-1].rows)


def _least(shown: pygame.Rect, level: pygame.Rect) -> pygame.Rect:
    """What is shown in any case: who is in it, and a little more where they stand close."""
    return (
        shown.inflate(max(0, LEAST[0] - 4 - shown.width), max(0, LEAST[1] - 1 - shown.height)).clamp(level).clip(level)
    )


def _trimmed(field: Field, spaces: pygame.Rect, least: pygame.Rect, now: Bitboard) -> pygame.Rect:
    """A frame without the edges on which nothing is seen: those who are in it stand in no darkness without end."""
    left, top, right, bottom = spaces.left, spaces.top, spaces.right, spaces.bottom

    def dark(*rect: int) -> bool:
        return not now & _cells(field, pygame.Rect(rect))

    while left < least.left - 1 and dark(left, top, 2, bottom - top):
        left += 1
    while right > least.right + 1 and dark(right - 2, top, 2, bottom - top):
        right -= 1
    while top < least.top - 1 and dark(left, top, right - left, 2):
        top += 1
    while bottom > least.bottom + 1 and dark(left, bottom - 2, right - left, 2):
        bottom -= 1
    return pygame.Rect(left, top, right - left, bottom - top)


def _best(
    field: Field, shown: pygame.Rect, spaces: pygame.Rect, level: pygame.Rect, known: tuple[Bitboard, Bitboard]
) -> pygame.Rect:
    """Where a frame of this size has the most ground that is seen, or was, with all that it must show.

    Of several such places it is the one in whose middle they stand.
    """
    found: tuple[int, int, pygame.Rect] | None = None
    for left in range(max(level.left, shown.right - spaces.width), min(shown.left, level.right - spaces.width) + 1):
        for top in range(
            max(level.top, shown.bottom - spaces.height), min(shown.top, level.bottom - spaces.height) + 1
        ):
            here = pygame.Rect(left, top, *spaces.size)
            cells = _cells(field, here)
            ground = sum((each & cells).bit_count() for each in known)
            off = abs(here.centerx - shown.centerx) + abs(here.centery - shown.centery)
            if found is None or (ground, -off) > found[:2]:
                found = ground, -off, here
    return found[2] if found is not None else spaces.move(shown.topleft).clamp(level)


def _cells(field: Field, rect: pygame.Rect) -> Bitboard:
    line, cells = (1 << rect.width) - 1, EMPTY
    for row in range(rect.top, rect.bottom):
        cells |= line << row * field.width + rect.left
    return cells


def drawn(tale: Tale, plate: Plate) -> pygame.Surface:
    """The board at a plate's moment, seen from as near as all who stand there allow."""
    eyes = tale.film.eyes
    return _painted(tale.film.match, eyes, (plate.frame, eyes.board(plate.frame)), framed(tale, plate))


def _painted(match: Match, eyes: Eyes, moment: tuple[int, Board], frame: Frame) -> pygame.Surface:
    """The board after so many commands as it was known, in a frame."""
    number, board = moment
    camera = Camera(match.field, frame.size)
    view = BoardView(match.field, match.loaded_map, camera)
    view.speed, view.reduced_motion, view.resting = 0.0, True, True
    view.set_board(replace(board, plans=()))  # what happened, not what was meant
    view.see(eyes.sight(number), match.ruleset.lamps(eyes.state(number)))
    camera.to_level(camera.level_of(frame.spaces.topleft))
    camera.bound(eyes.known(number))
    camera.set_zoom(frame.zoom)
    x, y = camera.to_screen(*frame.spaces.topleft)
    camera.pan(-x, -y)
    surface = pygame.Surface(frame.size)
    for _ in range(FRAMES):
        view.update(0.05)
        view.draw(surface, Overlays())
        if not view.moving and not view.ground.pending:
            break
    return surface


def ground_of(match: Match, eyes: Eyes, part: Part | None, most: tuple[int, int]) -> pygame.Surface | None:
    """A map as it is known when all is over, so large that its known ground fits; None where none of it is known."""
    field, known = match.field, eyes.known()
    level = pygame.Rect(0, part.top, part.columns, part.rows) if part else pygame.Rect(0, 0, field.width, field.height)
    spots = [(cell % field.width, cell // field.width) for cell in cells_of(known & _cells(field, level))]
    if not spots:
        return None
    left, top = min(column for column, _ in spots), min(line for _, line in spots)
    right, bottom = max(column for column, _ in spots), max(line for _, line in spots)
    spaces = pygame.Rect(left, top, right - left + 1, bottom - top + 1).inflate(2, 2).clip(level)
    zoom = max(1, min(LARGE, most[0] // spaces.width, most[1] // spaces.height))
    board = eyes.board()
    there = tuple(mini for mini in board.miniatures if mini.side not in (eyes.sides or ()) or mini.out)  # who went home
    # no camera goes farther off than its least zoom: wide ground is drawn from there, and made smaller
    picture = _painted(match, eyes, (-1, replace(board, miniatures=there)), Frame(spaces, max(zoom, LEAST_ZOOM)))
    return picture if zoom >= LEAST_ZOOM else pygame.transform.smoothscale(picture, Frame(spaces, zoom).size)


def png(tale: Tale, plate: Plate) -> bytes:
    """The same as a file; a window that is nowhere is opened where there is none."""
    if pygame.display.get_surface() is None:
        os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
        pygame.display.init()
        pygame.display.set_mode((1, 1))
    pygame.font.init()
    data = io.BytesIO()
    pygame.image.save(drawn(tale, plate), data, "picture.png")
    return data.getvalue()
