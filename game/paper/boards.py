"""The ground of an encounter as pictures to print: evenly lit, roofs off, with what one is meant to see."""

from __future__ import annotations

import os

import pygame
from msgspec.structs import replace

from game.maps.mapdata import LoadedMap
from game.paper.matter import Matter
from game.setup.editor import Table
from game.view.boardview import BoardView
from game.view.camera import Camera
from game.view.overlays import Overlays
from rules.board.fixtures import DoorState
from rules.board.grid import Field
from rules.contract.display import Board

FRAMES = 400
"""So often a piece is drawn at most until all its ground is there."""
HIDDEN = ("trap",)
"""Kinds of marks on the ground that players are not shown."""


def board_of(matter: Matter, *, secrets: bool, creatures: bool = False) -> Board:
    """What lies on the ground: for players without secret doors, traps and what is hidden."""
    board = Table(matter.draft, matter.field).board()
    minis = board.miniatures if creatures else ()
    if secrets:
        doors = tuple(DoorState.CLOSED if state == DoorState.SECRET else state for state in board.doors)
        return replace(board, doors=doors, miniatures=minis)
    hidden = {each.id for each in matter.field.challenges if each.hidden or each.kind in HIDDEN}
    ground = tuple(mark for mark in board.ground if mark.label not in hidden)
    return replace(board, ground=ground, miniatures=minis)


class Boards:
    """Draws pieces of one board. A window that is nowhere is opened where there is none."""

    def __init__(self, field: Field, loaded: LoadedMap | None, board: Board) -> None:
        if pygame.display.get_surface() is None:
            os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
            pygame.display.init()
            pygame.display.set_mode((1, 1))
        pygame.font.init()
        self.camera = Camera(field, (64, 64))
        self.view = BoardView(field, loaded, self.camera)
        self.view.ground.lit = False
        self.view.speed, self.view.reduced_motion, self.view.resting = 0.0, True, True
        self.view.set_board(board)
        self.view.see(None)

    def picture(self, spaces: pygame.Rect, pixels: int) -> pygame.Surface:
        """Columns and rows of the field, all of one map, at so many pixels a space (16 to 160)."""
        size = (spaces.width * pixels, spaces.height * pixels)
        self.camera.to_level(self.camera.level_of(spaces.topleft))
        self.camera.bound(-1)  # type: ignore[arg-type]
        self.camera.resize(size)
        self.camera.set_zoom(pixels)
        x, y = self.camera.to_screen(*spaces.topleft)
        self.camera.pan(-x, -y)
        surface = pygame.Surface(size)
        for _ in range(FRAMES):
            self.view.update(0.05)
            self.view.draw(surface, Overlays())
            if not self.view.moving and not self.view.ground.pending:
                break
        return surface
