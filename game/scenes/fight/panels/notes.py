"""What the notes of a map say, beside the space that is pointed at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import pygame

from game.fight.seats import GAME_MASTER
from game.scenes.fight.panels.card import beside
from game.view import overlays as pins
from game.view.camera import Camera
from game.view.overlays import Pin
from game.widgets.controls import Label
from game.widgets.core import Widget, column
from game.widgets.theme import Look

if TYPE_CHECKING:
    from game.scenes.fight.scene import Fight

WIDTH = 280
"""Of what a note says, at 100 %."""


def of_fight(fight: Fight) -> tuple[Pin, ...]:
    """The notes that whoever is at the screen may read: on what they have seen, the game master's for them alone."""
    return pins.pins(fight.match.loaded_map, fight.view.ground.veil.seen, secrets=_master(fight))


def _master(fight: Fight) -> bool:
    """Whether the game master looks, and nobody over their shoulder: behind a handover, alone, or by their view."""
    seating = fight.seating
    alone = seating.secrets or len(seating.seats.seats) == 1
    return seating.all_seen or (GAME_MASTER in seating.at.plays and alone)


def draw_told(
    surface: pygame.Surface,
    look: Look,
    camera: Camera,
    found: Iterable[Pin],
    cell: int | None,
    covered: Sequence[pygame.Rect] = (),
    free: pygame.Rect | None = None,
) -> None:
    """The notes on a space in words, off what else is shown there, in the `free` part of the window."""
    there = pins.at(found, cell)
    if not there or cell is None:
        return
    parts: list[Widget] = []
    for pin in there:
        if pin.title:
            parts.append(Label(pin.title, "label!", "gold"))
        if pin.secret:
            parts.append(Label("For the game master alone", "small", "coral"))
        if pin.text:
            parts.append(Label(pin.text))
    box = column(*parts, gap=4, pad=10, plate="panel", edge="faint")
    window = (free or surface.get_rect()).inflate(-16, -16)
    width = min(look.px(WIDTH), window.width)
    size = box.measure(look, width)
    space = camera.space_rect(cell)
    about = space.unionall([pins.rect_of(camera, pin) for pin in there if pin.cell == cell])
    asked = (min(size[0], width), min(size[1], window.height))
    rect = _place(asked, tuple(about), tuple(window), tuple(tuple(each) for each in covered))
    look.panel(surface, rect, fill="night", edge="")
    before = surface.get_clip()
    surface.set_clip(rect)
    box.place(look, rect)
    box.draw(surface, look)
    surface.set_clip(before)


@lru_cache(maxsize=16)
def _place(
    size: tuple[int, int],
    about: tuple[int, ...],
    window: tuple[int, ...],
    covered: tuple[tuple[int, ...], ...],
) -> pygame.Rect:
    """Looked for once: a board that moves is drawn many times with the same note open."""
    taken = [pygame.Rect(*each) for each in covered]
    return beside(size, pygame.Rect(*about), pygame.Rect(*window), taken, taken)
