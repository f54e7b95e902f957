"""Pictures of a tale: the board at a moment, drawn off screen as the sides of the tale knew it."""

from __future__ import annotations

import io
import os

import pygame

from game.chronicle.tale import Chapter, Tale
from game.view.boardview import BoardView
from game.view.camera import Camera
from game.view.overlays import Overlays
from rules.contract.events import Attack, Injury
from rules.contract.units import Cell

SIZE = (960, 540)
FRAMES = 400
"""So often it is drawn at most until all the ground is there."""


def drawn(tale: Tale, chapter: Chapter, size: tuple[int, int] = SIZE) -> pygame.Surface:
    """The board at a chapter's moment, seen from as near as all who stand there allow."""
    film, frame = tale.film, chapter.picture or 0
    match, eyes = film.match, film.eyes
    board = eyes.board(frame)
    camera = Camera(match.field, size)
    view = BoardView(match.field, match.loaded_map, camera)
    view.speed, view.reduced_motion, view.resting = 0.0, True, True
    view.set_board(board)
    state = eyes.state(frame)
    view.see(eyes.sight(frame), match.ruleset.lamps(state))
    camera.fit()
    involved = {name for event in film.events(frame) if isinstance(event, Attack | Injury)
                for name in (event.by, event.target)}  # fmt: skip
    cells: list[Cell] = [mini.cell for mini in board.miniatures if mini.id in involved] or [
        mini.cell for mini in board.miniatures
    ]
    near = [
        mini.cell for mini in board.miniatures if any(_apart(match.field.width, mini.cell, c) <= AROUND for c in cells)
    ]
    if match.field.maps or match.field.width > SMALL[0] or match.field.height > SMALL[1]:
        camera.frame(near)
    else:
        camera.show_all()
    camera.arrive()
    surface = pygame.Surface(size)
    for _ in range(FRAMES):
        view.update(0.05)
        view.draw(surface, Overlays())
        if not view.moving and not view.ground.pending:
            break
    return surface


SMALL = (28, 16)
"""Columns and rows of a map that is shown whole."""
AROUND = 8
"""Spaces about what happens within which everybody is in the picture."""


def _apart(width: int, a: Cell, b: Cell) -> int:
    return max(abs(a % width - b % width), abs(a // width - b // width))


def png(tale: Tale, chapter: Chapter) -> bytes:
    """The same as a file; a window that is nowhere is opened where there is none."""
    if pygame.display.get_surface() is None:
        os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
        pygame.display.init()
        pygame.display.set_mode((1, 1))
    pygame.font.init()
    data = io.BytesIO()
    pygame.image.save(drawn(tale, chapter), data, "picture.png")
    return data.getvalue()
