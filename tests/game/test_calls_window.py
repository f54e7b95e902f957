"""The game master's calls in the window: by the menu or its key, by who may, into the record, and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.fight.match import Match
from game.scenes.fight.commands import COMMANDS
from game.scenes.fight.scene import Fight
from tests.game.player import Player, arena, commands, fight_of

SHIFT = pygame.KMOD_CTRL | pygame.KMOD_SHIFT
SEATS = [{"name": "Ann", "plays": ["heroes"]}, {"name": "Ben", "colour": 1, "plays": ["monsters"]}]


@pytest.fixture(params=[(1280, 720), (1920, 1080)], ids=["small", "large"])
def player(request: pytest.FixtureRequest) -> Iterator[Player]:
    app = App(request.param, settings=Settings(speed=0, autosave=False))
    pygame.event.clear()
    app.navigator.title()
    yield Player(app)
    pygame.event.clear()


def called(player: Player, **record: Any) -> Any:
    fight = fight_of(player, arena(**record))
    player.key(pygame.K_c, SHIFT, "")
    return fight


def test_a_check_is_called_for_and_stands_in_the_record_and_the_log(player: Player) -> None:
    fight = called(player, throws=[9, 2, 4, 3])
    assert player.app.top.name == "calls"
    player.press("Who gob")
    player.press("With nerve")
    player.press("Challenge rating 6")
    player.press("Dice -1")
    player.press("Dice 0")
    player.press("throw")
    call = {"by": "gm", "do": "check", "target": "gob", "option": "nerve", "rating": 6}
    assert commands(fight) == [call]
    told = [fight.ruleset.tell(fight.match.state, event) for event in fight.match.events]
    assert fight.acting == "ada" and player.app.top is fight
    assert any(line.startswith("gob, Nerve, called for: ") and "against 6" in line for line in told)


def test_an_opposed_check_asks_for_both(player: Player) -> None:
    fight = called(player)
    player.press("opposed_check")
    player.press("With Sneak")
    player.press("Against gob")
    player.press("Who resists with Alertness")
    player.press("Dice 1")
    player.press("throw")
    assert commands(fight) == [
        {"by": "gm", "do": "opposed_check", "target": "ada", "option": "Sneak", "against": "gob",
         "resists": "Alertness", "advantage": 1}
    ]  # fmt: skip


def test_what_cannot_be_thrown_says_why_and_throws_nothing(player: Player) -> None:
    fight = called(player)
    player.press("With Trivia")
    player.press("throw")
    assert player.app.top.name == "calls" and commands(fight) == []
    calls: Any = player.app.top
    assert calls._refusal() == "check: option: nobody uses Trivia untrained"


def test_a_call_goes_back_as_any_command_with_dice_does_and_replays(player: Player) -> None:
    fight = called(player)
    player.press("throw")
    assert len(commands(fight)) == 1
    again = Match.from_record(fight.match.record.model_copy(deep=True))
    assert again.ruleset.summary(again.state) == fight.match.ruleset.summary(fight.match.state)
    fight.match.history.rewind(0)
    fight.refresh()
    assert commands(fight) == []


def test_seats_with_secrets_leave_it_to_the_one_that_plays_the_game_master(player: Player) -> None:
    both = [{**c, "controller": "human"} for c in arena()["creatures"]]
    player.app.navigator.begin(arena(seats=SEATS, creatures=both, options={"fog": True}))
    fight = next(scene for scene in player.app.scenes if isinstance(scene, Fight))
    assert player.app.top.name == "handover"
    player.key(pygame.K_RETURN, 0, "")
    player.until(lambda: fight.plan is not None)
    player.key(pygame.K_c, SHIFT, "")
    assert player.app.top is fight and "Only the seat that plays the game master" in fight.toast_text
    assert not COMMANDS["call"].offered(fight)


def test_rulesets_without_calls_say_so(player: Player) -> None:
    document = {
        "format": "battlemat/1", "ruleset": "cairn", "map": {"rows": arena()["map"]["rows"]}, "seed": 1,
        "creatures": [
            {"id": "a", "template": "wolfram", "side": "heroes", "at": [1, 1], "controller": "human"},
            {"id": "b", "template": "goblin", "side": "monsters", "at": [5, 1], "controller": "ai"},
        ],
        "commands": [],
    }  # fmt: skip
    fight = fight_of(player, document)
    player.key(pygame.K_c, SHIFT, "")
    assert player.app.top is fight and "has no rolls" in fight.toast_text
