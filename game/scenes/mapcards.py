"""Maps in small, as they are chosen from."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pygame

from game import encounter
from game.mapdata import LoadedMap
from game.tiled import load_map
from rules.grid import Ground

INKS = {Ground.BLOCKED: (30, 37, 47), Ground.VOID: (12, 15, 19), Ground.DIFFICULT: (104, 98, 82)}
FLOOR = (92, 104, 118)
SIDES = {encounter.HEROES: (0, 114, 178), encounter.MONSTERS: (213, 94, 0)}
PARTY = 8
"""Spaces that are marked where a map draws no place for a side."""
OBSTACLES = {"water": (48, 92, 124), "climb": (176, 128, 60), "rubble": (128, 122, 112)}


@lru_cache(maxsize=256)
def preview(path: Path, size: tuple[int, int]) -> pygame.Surface:
    """A map in small, in the middle of a picture of this size: floor light, walls dark, where each side starts."""
    loaded = loaded_map(path)
    field = loaded.field
    small = pygame.Surface((field.width, field.height), pygame.SRCALPHA)
    for cell, ground in enumerate(field.ground):
        x, y = field.at(cell)
        tone = INKS.get(Ground(ground), FLOOR)
        lift = 14 * field.level(cell)
        small.set_at((x, y), (min(255, tone[0] + lift), min(255, tone[1] + lift), min(255, tone[2] + lift)))
    for challenge in field.challenges:
        if challenge.kind in OBSTACLES and not challenge.edges:
            for cell in challenge.cells:
                small.set_at(field.at(cell), OBSTACLES[challenge.kind])
    for door in field.doors:
        small.set_at(field.at(door.cell), (150, 98, 52))
    for side, ink in SIDES.items():
        for cell in loaded.spawn_cells(side) or encounter.start_spaces(loaded, side)[:PARTY]:
            small.set_at(field.at(cell), ink)
    factor = min(size[0] / field.width, size[1] / field.height)
    scaled = pygame.transform.scale(
        small, (max(1, int(field.width * factor)), max(1, int(field.height * factor)))
    )
    card = pygame.Surface(size, pygame.SRCALPHA)
    card.blit(scaled, scaled.get_rect(center=card.get_rect().center))
    return card


@lru_cache(maxsize=256)
def loaded_map(path: Path) -> LoadedMap:
    """A map read once. Raises MapProblem."""
    return load_map(path)
