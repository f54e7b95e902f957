"""A seat that plays the game master and nobody else: it takes the screen out of turn, sees all, and hands it on."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from game.scenes.fight.hotseat import CoverOnce, Handover, Recap
from game.scenes.fight.scene import Fight
from game.scenes.replay.scene import Replay
from tests.game.hotseat_table import Watcher, app_at, let_in, seated, table, texts
from tests.game.player import Player

CTRL = pygame.KMOD_LCTRL
SEATS: list[dict[str, Any]] = [
    {"name": "Ann", "plays": ["heroes"]},
    {"name": "Ben", "colour": 1, "plays": ["beasts"]},
    {"name": "Mae", "colour": 2, "plays": ["gm"]},
]


def begun(*seats: dict[str, Any], **more: Any) -> tuple[Player, Fight]:
    player = app_at()
    return player, seated(player, table(seats=list(seats) or SEATS, **more))


def take_the_screen(player: Player, fight: Fight) -> None:
    player.key(pygame.K_g, CTRL)
    cover = player.app.top
    assert isinstance(cover, CoverOnce) and cover.seat.name == "Mae"
    assert fight.seating.at.name != "Mae", "until she is ready nothing changes"
    player.key(pygame.K_RETURN)
    assert player.app.top is fight and fight.seating.at.name == "Mae"


def test_the_game_master_takes_the_screen_and_hands_it_on_to_who_plays() -> None:
    player, fight = begun()
    before, told = fight.seating.at, fight.match.history.length
    take_the_screen(player, fight)
    assert len(fight.board.miniatures) == 4 and fight.eyes.sight() is None
    assert fight.plan is None and f"{before.name} plays next" in " ".join(texts(fight))
    player.turn(6, dt=1.0)
    assert fight.match.history.length == told, "nobody decides in the place of who is awaited"
    player.key(pygame.K_RETURN, CTRL)
    assert fight.match.history.length == told
    player.key(pygame.K_g, CTRL)
    assert isinstance(player.app.top, Handover) and player.app.top.seat == before
    let_in(player)
    assert fight.seating.at == before and fight.plan is not None
    assert {m.side for m in fight.board.miniatures} == set(fight.seating.seats.sides(before))


def test_called_off_the_screen_stays_as_it_was() -> None:
    player, fight = begun()
    before, shown = fight.seating.at, fight.board
    player.key(pygame.K_g, CTRL)
    player.key(pygame.K_ESCAPE)
    assert player.app.top is fight and fight.seating.at == before and fight.board == shown


def test_the_handovers_menu_lets_the_game_master_in_too() -> None:
    player, fight = begun()
    for _ in range(20):
        if isinstance(player.app.top, Handover):
            break
        player.key(pygame.K_RETURN, CTRL)
    due = fight.seating.due
    player.key(pygame.K_ESCAPE)
    player.press("The game master takes the screen")
    player.key(pygame.K_RETURN)
    assert player.app.top is fight and fight.seating.at.name == "Mae" and len(fight.board.miniatures) == 4
    player.press("see all")
    assert isinstance(player.app.top, Handover) and player.app.top.seat == due


def test_nobody_else_sees_what_the_game_master_saw() -> None:
    player, fight = begun()
    for _ in range(3):
        take_the_screen(player, fight)
        player.key(pygame.K_g, CTRL)
        let_in(player)
        watcher = Watcher(fight)
        watcher.frame()
        watcher.frame()
        while not isinstance(player.app.top, Handover):
            player.key(pygame.K_RETURN, CTRL)
        del fight.view.play, fight.view.set_board  # she may see what nobody else may
        let_in(player)


def test_the_computer_goes_on_while_the_game_master_looks() -> None:
    record = table(seats=[SEATS[0], {**SEATS[2], "colour": 1}])
    for creature in record["creatures"]:
        creature["controller"] = "human" if creature["side"] == "heroes" else "ai"
    player = app_at()
    fight = seated(player, record)
    player.until(lambda: fight.plan is not None, 10)
    while fight.plan is not None:
        fight.choosing.end_chance()
    take_the_screen(player, fight)
    gone = fight.match.history.length
    player.until(lambda: fight.seating.awaited is not None, 10)
    assert fight.match.history.length > gone
    player.key(pygame.K_g, CTRL)
    player.key(pygame.K_RETURN)
    assert isinstance(player.app.top, (Recap, Fight))
    let_in(player)
    player.until(lambda: fight.plan is not None, 10)
    assert fight.seating.at.name == "Ann"


def test_the_game_master_takes_back_whatever_was_decided_and_sees_the_whole_replay() -> None:
    player, fight = begun()
    player.key(pygame.K_RETURN, CTRL)
    let_in(player)
    gone = fight.match.history.length
    take_the_screen(player, fight)
    player.key(pygame.K_r, pygame.KMOD_LCTRL | pygame.KMOD_LSHIFT)
    replay = player.app.top
    assert isinstance(replay, Replay) and replay.film.eyes.sides is None
    player.key(pygame.K_ESCAPE)
    player.key(pygame.K_u)
    if player.app.top is not fight:
        player.press("rewind")
    assert fight.match.history.length < gone and fight.seating.at.name == "Mae"


@pytest.mark.parametrize("plays", [["heroes"], ["heroes", "gm"]])
def test_who_plays_a_side_too_or_nobody_there_is_says_so(plays: list[str]) -> None:
    player, fight = begun({"name": "Ann", "plays": plays}, SEATS[1])
    while fight.seating.at.name != "Ann":
        player.key(pygame.K_RETURN, CTRL)
        let_in(player)
    player.key(pygame.K_g, CTRL)
    if "gm" in plays:
        assert fight.seating.all_seen and len(fight.board.miniatures) == 4
    else:
        assert "No seat plays the game master" in fight.toast_text and len(fight.board.miniatures) == 2


def test_the_clock_rests_while_the_game_master_has_the_screen() -> None:
    player, fight = begun(chance_seconds=30)
    now = [player.app.clock()]
    player.app.clock = lambda: now[0]
    player.app.tick(0.0)
    take_the_screen(player, fight)
    for _ in range(5):
        now[0] += 20
        player.app.tick(0.1)
    assert fight.match.history.length == 0 and fight.seating.seconds == pytest.approx(30, abs=0.5)
