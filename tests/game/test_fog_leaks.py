"""What fog of war hides stays hidden: nothing on screen tells how far the map goes on, or what others prepared."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pygame
import pytest

from game.scenes.dialogs.saves import Ask
from game.scenes.fight.deeds import DiceDialog
from game.scenes.fight.hotseat import CoverOnce, Handover
from game.scenes.fight.scene import Fight
from game.scenes.fight.ways import Opening
from game.scenes.setup import Setup
from tests.game.hotseat_table import app_at, being, let_in, seated, table
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
        for _ in range(3):  # what is drawn often becomes a picture: how often hung on how soon the ground was done
            app.draw()
        fight.ui.stir()
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
            assert fight.pointed.cell is None


def test_the_game_masters_view_shows_the_whole_map_and_its_frame() -> None:
    player, fight = alone(ROOM)
    known = fight.camera.bounds.copy()
    player.key(pygame.K_g, pygame.KMOD_LCTRL)
    assert fight.camera.bounds == pygame.Rect(0, 0, 10, 5) != known
    player.key(pygame.K_g, pygame.KMOD_LCTRL)
    assert fight.camera.bounds == known


# -- the table of preparation ---------------------------------------------------------------------------

MASTER = {"name": "Mae", "colour": 2, "plays": ["gm"]}


def prepared(tmp_path: Path, record: dict[str, Any]) -> Player:
    """A fight begun from the table on which it was prepared, up to what comes first."""
    player = app_at()
    path = tmp_path / "prepared.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    player.app.navigator.prepare(path)
    player.turn()
    player.key(pygame.K_RETURN, pygame.KMOD_LCTRL)
    return player


def is_opaque(player: Player) -> bool:
    """Whether the very same is drawn without anything below the topmost scene."""
    app = player.app
    app.draw()
    before = pygame.image.tobytes(app.surface, "RGB")
    below = app.scenes[:-1]
    app.scenes[:-1] = []
    app.surface.fill((255, 0, 255))
    app.draw()
    after = pygame.image.tobytes(app.surface, "RGB")
    app.scenes[:0] = below
    return before == after


def fight_from_the_table(tmp_path: Path, *seats: dict[str, Any]) -> Player:
    player = prepared(tmp_path, table(seats=[*table()["seats"], *seats]))
    let_in(player)
    assert isinstance(player.app.top, Fight)
    player.key(pygame.K_ESCAPE)
    player.press("Back to the table")
    return player


def test_back_to_the_table_hands_over_to_the_game_master(tmp_path: Path) -> None:
    player = fight_from_the_table(tmp_path, MASTER)
    cover = player.app.top
    assert isinstance(cover, CoverOnce) and cover.seat.name == "Mae"
    assert is_opaque(player)
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.app.top, Fight), "called off, the fight goes on"
    player.key(pygame.K_ESCAPE)
    player.press("Back to the table")
    player.key(pygame.K_RETURN)
    assert isinstance(player.app.top, Setup)


def test_back_to_the_table_asks_where_nobody_plays_the_game_master(tmp_path: Path) -> None:
    player = fight_from_the_table(tmp_path)
    assert isinstance(player.app.top, Ask)
    player.key(pygame.K_RETURN)
    assert isinstance(player.app.top, Fight), "what leaves all hidden is what Enter does"
    player.key(pygame.K_ESCAPE)
    player.press("Back to the table")
    player.press("go")
    assert isinstance(player.app.top, Setup)


def test_the_game_master_goes_back_to_the_table_unasked(tmp_path: Path) -> None:
    seats = [{"name": "Ann", "plays": ["heroes", "gm"]}, {"name": "Ben", "colour": 1, "plays": ["beasts"]}]
    player = prepared(tmp_path, table(seats=seats))
    let_in(player)
    fight = player.app.top
    assert isinstance(fight, Fight)
    while fight.seating.at.name != "Ann":
        player.key(pygame.K_RETURN, pygame.KMOD_LCTRL)
        let_in(player)
    player.key(pygame.K_ESCAPE)
    player.press("Back to the table")
    assert isinstance(player.app.top, Setup)


# -- the opening's real dice ----------------------------------------------------------------------------


def with_real_dice(tmp_path: Path, *names: str, fog: bool = True) -> Player:
    record = table(options={"fog": fog})
    for seat in record["seats"]:
        seat["own_dice"] = seat["name"] in names
    return prepared(tmp_path, record)


def test_the_openings_dice_are_asked_for_on_an_empty_ground(tmp_path: Path) -> None:
    player = with_real_dice(tmp_path, "Ann", fog=False)
    dialog = player.app.top
    assert isinstance(dialog, DiceDialog) and isinstance(dialog.throwing, Opening)
    assert isinstance(player.app.scenes[-2], Setup), "the table lies below it"
    assert is_opaque(player)


def test_seats_with_secrets_throw_the_openings_dice_each_alone_at_the_screen(tmp_path: Path) -> None:
    player = with_real_dice(tmp_path, "Ann", "Ben")
    told: dict[str, set[str]] = {"Ann": set(), "Ben": set()}
    at, covers = "", 0
    for _ in range(60):
        top = player.app.top
        if isinstance(top, CoverOnce):
            assert is_opaque(player) and top.seat.name != at
            at, covers = top.seat.name, covers + 1
            player.key(pygame.K_RETURN)
        elif isinstance(top, DiceDialog):
            assert is_opaque(player)
            told[at] |= words(player)
            player.key(pygame.K_3)
    assert isinstance(player.app.top, Handover)
    assert covers >= 2
    assert {"Ada", "Bruno"} & told["Ann"] and not {"Zugg", "Yark"} & told["Ann"]
    assert {"Zugg", "Yark"} & told["Ben"] and not {"Ada", "Bruno"} & told["Ben"]


def words(player: Player) -> set[str]:
    """All words that the topmost scene holds."""
    found: set[str] = set()
    for panel in player.app.top.ui.live():
        for widget in panel.walk():
            for piece in getattr(widget, "pieces", ()):
                found |= set(getattr(piece, "text", "").replace(",", " ").split())
            found |= set(str(getattr(widget, "text", "")).split())
    return found


def test_an_opening_is_called_off_before_the_first_die_too(tmp_path: Path) -> None:
    player = with_real_dice(tmp_path, "Ann")
    assert isinstance(player.app.top, CoverOnce)
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.app.top, Setup)
