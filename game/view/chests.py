"""What chests, bodies and hoards look like: shut, open with something in it, or emptied."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import pygame

from game.view.camera import Camera
from game.view.ground import tiles as groundtiles
from game.view.palette import AMBER, INK
from rules.board.bitboard import cells_of
from rules.board.fixtures import LOOKS, Challenge
from rules.board.grid import Field
from rules.contract.display import Board
from rules.contract.units import Cell
from rules.core.fixtures.challenges import CHEST, CHESTS

SHUT, OPEN, EMPTY = "", "open", "empty"
_SHUT_PICTURES = {"shelf": "bookshelf"}
"""Look -> the picture of it shut; else it is called as the look."""
_LOOKS_OF = {"bookshelf": "shelf", "gravestone": "grave", "grave_cross": "grave"}
"""Picture of a map -> what one that holds something there looks like; else the look is called as the picture."""
BONES = "bones"
"""What is left of a body on some maps: no look of its own, but it has pictures."""


class Shown(NamedTuple):
    """A picture on a space; empty where the map's own is the right one."""

    cell: Cell
    picture: str
    stands: str
    locked: bool


def picture_of(look: str, drawn: Iterable[str], stands: str) -> str:
    """The name of the picture of what looks so and stands so (`SHUT`, `OPEN`, `EMPTY`), on a space where the map has
    drawn these things. Empty where the map has drawn it already: maps draw what is shut."""
    own = next((name for name in (_LOOKS_OF.get(each, each) for each in drawn) if name in (*LOOKS, BONES)), "")
    known = look if look in LOOKS else "chest"
    if own and (known == "chest" or own == BONES):  # a chest by its kind is what the map shows it to be
        known = own
    if stands == SHUT:
        return "" if own else _SHUT_PICTURES.get(known, known)
    return f"{known}_{stands}"


def shown(
    field: Field, board: Board, drawn: Callable[[Cell], Iterable[str]], hidden: Callable[[Cell], bool]
) -> Iterator[Shown]:
    """What is known to hold something, or to have held it. `drawn`: what the map has drawn on a space."""
    marks = [mark for mark in board.ground if mark.kind in CHESTS]
    if not marks:
        return
    known = {one.id: one for one in field.challenges if one.kind == CHEST}
    lying = {item.cell for item in board.floor}
    for mark in marks:
        one = known.get(mark.label)
        cell = next((each for each in cells_of(mark.cells) if not hidden(each)), None)
        if cell is not None:
            shut = mark.kind == CHEST
            stands = SHUT if shut else OPEN if any(mark.cells >> each & 1 for each in lying) else EMPTY
            picture = picture_of(one.look if one else "", drawn(cell), stands)
            yield Shown(cell, picture, stands, shut and _locks(one))


def _locks(one: Challenge | None) -> bool:
    return one is not None and bool(one.difficulty or one.key)


def draw_chests(surface: pygame.Surface, camera: Camera, found: Iterable[Shown]) -> None:
    """Their pictures, and a lock at what was locked."""
    window = surface.get_rect()
    for each in found:
        rect = camera.space_rect(each.cell)
        if not window.colliderect(rect):
            continue
        picture = groundtiles.prop(each.picture, rect.width) if each.picture else None
        if picture is not None:
            surface.blit(picture, rect)
        if each.locked:
            _lock(surface, rect)


def _lock(surface: pygame.Surface, space: pygame.Rect) -> None:
    """A small padlock in the corner of its space."""
    unit = space.width
    line = max(1, unit // 26)
    box = pygame.Rect(0, 0, unit // 4, unit // 5)
    box.bottomright = space.inflate(-unit // 8, -unit // 8).bottomright
    shackle = box.move(0, -box.height // 2).inflate(-line * 2, 0)
    pygame.draw.rect(surface, AMBER, shackle, line, border_radius=max(2, unit // 12))
    pygame.draw.rect(surface, INK, box.inflate(line, line), border_radius=max(1, unit // 30))
    pygame.draw.rect(surface, AMBER, box, border_radius=max(1, unit // 30))
