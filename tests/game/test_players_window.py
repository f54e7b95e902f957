"""The players' window: a second window with the board as the heroes know it, and not one thing more."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from game.app.loop import App
from game.scenes.fight.scene import Fight
from game.scenes.players.table import Curtain, PlayersTable
from rules.contract.display import Board
from tests.game.hotseat_table import app_at, seated, table
from tests.game.player import Player


def opened(player: Player) -> PlayersTable:
    """The players' window, opened by its key."""
    player.key(pygame.K_p, pygame.KMOD_LCTRL | pygame.KMOD_LSHIFT)
    assert isinstance(player.app, App)
    found = player.app.second.table
    assert found is not None
    return found


def seen_in(shown: PlayersTable) -> set[tuple[str, int]]:
    """Who is on the board of the players' window, and where."""
    assert shown.view is not None and shown.view.board is not None
    return {(mini.id, mini.cell) for mini in shown.view.board.miniatures}


def known_to(fight: Fight, *sides: str) -> Board:
    """The board as some sides know it, worked out by the rules alone."""
    return fight.ruleset.board(fight.match.observe(*sides))


@pytest.fixture
def player() -> Iterator[Player]:
    found = app_at()
    yield found
    found.app.second.destroy()


def alone() -> dict[str, object]:
    """One person plays the heroes in fog; the beasts are the computer's, and out of sight."""
    record = table(seats=[])
    for creature in record["creatures"]:
        creature["controller"] = "human" if creature["side"] == "heroes" else "ai"
    return record


def test_a_key_opens_it_with_the_heroes_and_without_whom_they_dont_see_and_closes_it(player: Player) -> None:
    seated(player, alone())
    shown = opened(player)
    assert shown.curtain is Curtain.NONE and shown.view is not None and shown.view.board is not None
    assert {mini.side for mini in shown.view.board.miniatures} == {"heroes"}
    sight = shown.view.ground.veil.sight
    assert sight is not None and not sight.ever >> 16 + 14 & 1
    player.key(pygame.K_p, pygame.KMOD_LCTRL | pygame.KMOD_LSHIFT)
    assert player.app.second.table is None and not player.app.settings.players.open


def test_the_game_masters_view_in_the_main_window_changes_nothing_in_it(player: Player) -> None:
    fight = seated(player, alone())
    shown = opened(player)
    player.key(pygame.K_g, pygame.KMOD_LCTRL)
    assert {mini.side for mini in fight.board.miniatures} == {"heroes", "beasts"}
    assert seen_in(shown) == {(m.id, m.cell) for m in known_to(fight, "heroes").miniatures}


def test_without_a_fight_it_shows_its_cover(player: Player) -> None:
    assert opened(player).curtain is Curtain.EMPTY
