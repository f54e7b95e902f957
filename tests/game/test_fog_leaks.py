"""What fog of war hides stays hidden: nothing on screen tells how far the map goes on, or what others prepared."""

from __future__ import annotations

import hashlib

import pygame
import pytest

from game.scenes.fight import Fight
from tests.game.hotseat_table import app_at, being, seated
from tests.game.player import Player

ROOM = ["##########", "#...#....#", "#...#....#", "#...######", "##########"]


def alone(rows: list[str], size: tuple[int, int] = (1280, 720)) -> tuple[Player, Fight]:
    """Ada in a room without a door, and a rat in the next."""
    ada, rat = being("Ada", "heroes", (1, 1)), being("Rat", "beasts", (6, 1), controller="ai", finesse=2)
    record = {
        "format": "battlemat/1", "ruleset": "olde", "options": {"fog": True}, "map": {"rows": rows}, "seed": 3,
        "creatures": [ada, rat], "commands": [],
    }  # fmt: skip
    player = app_at(size)
    fight = seated(player, record)
    player.until(lambda: fight.plan is not None, 10)
    return player, fight


def pictures(player: Player, fight: Fight) -> list[str]:
    """What is drawn while somebody tries to find the end of the map, by keys and by mouse."""
    app = player.app
    found: list[str] = []

    def look() -> None:
        fight.toast_text = ""
        app.draw()
        while fight.view.ground.pending:
            app.draw()
        found.append(hashlib.sha256(pygame.image.tobytes(app.surface, "RGB")).hexdigest())

    player.move((5, 5))
    look()
    for key in (pygame.K_0, pygame.K_0, *[pygame.K_MINUS] * 9, *[pygame.K_d] * 30, *[pygame.K_s] * 30):
        player.key(key)
    look()
    for key in (*[pygame.K_a] * 60, *[pygame.K_w] * 60):
        player.key(key)
    look()
    for key in (*[pygame.K_RIGHT] * 12, *[pygame.K_DOWN] * 12):
        player.key(key)
    look()
    return found


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_nothing_tells_how_far_the_map_goes_on(size: tuple[int, int]) -> None:
    shown = []
    for wide, high in ((32, 16), (64, 48)):
        rows = [row.ljust(wide, "#") for row in (*ROOM, *[""] * (high - len(ROOM)))]
        player, fight = alone(rows, size)
        shown.append(pictures(player, fight))
        player.app.scenes.clear()
    assert shown[0] == shown[1]


def test_pointing_beyond_what_is_known_means_nothing() -> None:
    player, fight = alone(ROOM)
    for spot in ((8, 1), (8, 2), (40, 1)):
        rect = fight.camera.space_rect(spot)
        if fight.camera.viewport.contains(rect) and not fight.ui.over(rect.center):
            player.move(rect.center)
            assert fight.pointing.cell is None


def test_the_game_masters_view_shows_the_whole_map_and_its_frame() -> None:
    player, fight = alone(ROOM)
    known = fight.camera.bounds.copy()
    player.key(pygame.K_g, pygame.KMOD_LCTRL)
    assert fight.camera.bounds == pygame.Rect(0, 0, 10, 5) != known
    player.key(pygame.K_g, pygame.KMOD_LCTRL)
    assert fight.camera.bounds == known
