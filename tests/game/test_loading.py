"""A fight that takes long to load says so, and nothing that happens meanwhile is lost (game/app/progress.py)."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from game.app.progress import AFTER, OFTEN, Loading
from game.fight.match import Match, load_fight
from game.scenes.fight.scene import Fight
from game.storage import records as storage
from game.storage import recovery
from tests.game.hotseat_table import app_at
from tests.game.player import Player
from tests.game.test_along import STEPS, killed
from tests.game.test_long_evening import evening


@pytest.fixture(scope="module")
def played() -> Match:
    return evening(STEPS)


def written(played: Match, home: Path) -> tuple[Player, Path]:
    """A window, and a file with what was played that it has not seen."""
    path = home / "evening.json"
    storage.write_record(played.record, path)
    return app_at(), path


def slow(player: Player, monkeypatch: pytest.MonkeyPatch, each: float) -> list[tuple[int, int]]:
    """Let every command take so many seconds by the window's clock; what the window heard of them."""
    heard: list[tuple[int, int]] = []
    now = [0.0]
    monkeypatch.setattr(player.app, "clock", lambda: now[0])
    whole = Loading.__call__

    def call(self: Loading, done: int, total: int) -> None:
        now[0] += each
        heard.append((done, total))
        whole(self, done, total)

    monkeypatch.setattr(Loading, "__call__", call)
    return heard


def test_a_line_with_a_bar_shows_how_far_it_has_come(
    home: Path, played: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    player, path = written(played, home)
    player.app.draw()
    pictures: list[int] = []
    gold = player.app.look.colour("gold")[:3]

    def flipped() -> None:
        surface = player.app.surface
        foot = range(surface.get_height() - player.app.look.px(120), surface.get_height())
        row = max(foot, key=lambda y: sum(surface.get_at((x, y))[:3] == gold for x in range(0, surface.get_width(), 2)))
        long = sum(surface.get_at((x, row))[:3] == gold for x in range(surface.get_width()))
        pictures.append(long)

    heard = slow(player, monkeypatch, 0.02)
    monkeypatch.setattr(pygame.display, "flip", flipped)
    player.app.navigator.open_file(path)
    assert any(isinstance(scene, Fight) for scene in player.app.scenes)
    whole = played.history.length
    assert heard[0] == (0, whole) and heard[-1] == (whole, whole)
    assert len(pictures) <= whole * 0.02 / OFTEN
    assert pictures == sorted(pictures) and pictures[-1] > 2 * pictures[0] > 0


def test_what_is_there_at_once_shows_nothing(home: Path, played: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    player, path = written(played, home)
    slow(player, monkeypatch, AFTER / (2 * STEPS))
    monkeypatch.setattr(Loading, "_draw", None)
    player.app.navigator.open_file(path)
    assert any(isinstance(scene, Fight) for scene in player.app.scenes)


def test_to_close_the_window_while_it_loads_is_not_lost(
    home: Path, played: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    player, path = written(played, home)
    slow(player, monkeypatch, 0.1)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    player.app.navigator.open_file(path)
    assert any(event.type == pygame.QUIT for event in pygame.event.get())


def test_a_fight_that_was_interrupted_tells_how_far_it_is_too(
    home: Path, played: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing was written along: once for the offer that says how it stands, once for the fight itself."""
    match = killed(played)
    player = app_at()
    heard = slow(player, monkeypatch, 0.0)
    assert player.app.navigator.offer_interrupted()
    assert heard[-1] == (STEPS, STEPS)
    (found,) = recovery.interrupted()
    recovery.resume(found, player.app.loading())
    assert heard.count((STEPS, STEPS)) == 2
    assert match.history.length == STEPS


def test_a_fight_loads_the_same_whoever_looks_on(home: Path, played: Match) -> None:
    path = home / "evening.json"
    storage.write_record(played.record, path)
    seen: list[int] = []
    match = load_fight(path, lambda done, total: seen.append(done))
    assert seen == list(range(played.history.length + 1))
    assert match.events == played.events
