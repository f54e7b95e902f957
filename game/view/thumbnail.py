"""Small pictures of grounds: a pixel for every space, laid larger, with a dot for whoever stands there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import pygame

from game.view.palette import Colour
from rules.board.grid import Field, Ground

INKS: Mapping[Ground, Colour] = {
    Ground.BLOCKED: (30, 37, 47), Ground.VOID: (12, 15, 19), Ground.DIFFICULT: (104, 98, 82),
}  # fmt: skip
FLOOR = (92, 104, 118)
DOOR = (150, 98, 52)
OBSTACLES: Mapping[str, Colour] = {"water": (48, 92, 124), "climb": (176, 128, 60), "rubble": (128, 122, 112)}
HIGHER = 14
"""By how much each level of height is lighter."""
RIM = (7, 9, 13)
"""Round every dot."""


def sketched(field: Field, marks: Mapping[int, Colour] | None = None) -> pygame.Surface:
    """Floor light, walls dark, doors brown: a pixel for every space. `marks`: space -> another colour."""
    pixels = bytearray(_tones(field))
    for challenge in field.challenges:
        if challenge.kind in OBSTACLES and not challenge.edges:
            for cell in challenge.cells:
                pixels[3 * cell : 3 * cell + 3] = bytes(OBSTACLES[challenge.kind])
    for door in field.doors:
        pixels[3 * door.cell : 3 * door.cell + 3] = bytes(DOOR)
    for place, ink in (marks or {}).items():
        pixels[3 * place : 3 * place + 3] = bytes(ink)
    return pygame.image.frombytes(bytes(pixels), (field.width, field.height), "RGB")


def _tones(field: Field) -> Iterator[int]:
    """Red, green and blue of every space."""
    inks: dict[tuple[int, int], tuple[int, ...]] = {}
    for key in zip(field.ground, field.levels or bytes(len(field.ground)), strict=True):
        if key not in inks:
            ground, level = key
            inks[key] = tuple(min(255, part + HIGHER * level) for part in INKS.get(Ground(ground), FLOOR))
        yield from inks[key]


def fitted(
    sketch: pygame.Surface, size: tuple[int, int], dots: Iterable[tuple[float, float, Colour]] = ()
) -> pygame.Surface:
    """A sketch in the middle of a picture of this size. `dots`: column, row (of a middle) and colour of each."""
    wide, high = sketch.get_size()
    factor = min(size[0] / wide, size[1] / high)
    scaled = pygame.transform.scale(sketch, (max(1, int(wide * factor)), max(1, int(high * factor))))
    radius = max(2, round(factor * 0.46))
    for column, row, colour in dots:
        middle = (round(column * factor), round(row * factor))
        pygame.draw.circle(scaled, RIM, middle, radius + 1)
        pygame.draw.circle(scaled, colour, middle, radius)
    card = pygame.Surface(size, pygame.SRCALPHA)
    card.blit(scaled, scaled.get_rect(center=card.get_rect().center))
    return card
