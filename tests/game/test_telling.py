"""What is told waits for the dice on screen; what is true doesn't."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from game.app import App
from game.scenes import start
from game.settings import Settings
from tests.game.player import Player, commands, fight_of


@pytest.fixture
def player() -> Iterator[Player]:
    app = App((1280, 720), settings=Settings(speed=0, autosave=False))
    pygame.event.clear()
    start.title(app)
    yield Player(app)
    pygame.event.clear()


def test_log_sheet_and_order_wait_for_the_dice_and_the_rules_do_not(player: Player) -> None:
    player.app.settings.speed = 2
    fight = fight_of(player)
    player.app.tick(0.05)
    told, known = len(fight.telling.story.entries), fight.telling.state
    action = fight.plan.strike("gob") if fight.plan else None
    assert action is not None and fight.act(action)
    assert commands(fight)[0]["do"] == "attack"
    assert fight.telling.behind and fight.telling.state is known
    player.app.tick(0.1)
    assert len(fight.telling.story.entries) == told  # the dice still tumble
    fight.view.skip()
    assert len(fight.telling.story.entries) > told
    player.app.tick(0.05)
    assert not fight.telling.behind and fight.telling.state is fight.match.state
