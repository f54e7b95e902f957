"""Fights under fog of war, played the way the window plays them: they come to their end, whoever looks on."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from game.content import encounter
from game.content import tables as content
from game.controllers.ai import AiController
from game.fight.advice import Counsel
from game.fight.match import Match
from game.fight.seats import Seats
from game.fight.viewing import possible
from game.scenes.fight.ending import Summary
from game.scenes.fight.scene import Fight
from rules.contract.actions import Action, Decision
from rules.core import record as records
from rules.core.registry import RULESETS
from tests.game.hotseat_table import app_at
from tests.game.player import Player

MAPS = {"crypt": (2, 7), "goblin_warren": (3, 4), "old_sluice": (2, 3), "ruined_bridge": (2, 2), "tavern": (2, 2)}
"""Map -> how many heroes go there, and the seed: foes pass each other unseen where the rooms are small."""
MOST = 400
"""Commands after which a fight of so few has come to nothing."""


def meeting(map_name: str, ruleset: str, seed: int, heroes: int) -> dict[str, Any]:
    """So many heroes, played by a person, and foes of the computer's, out of each other's sight in the fog."""
    party = list(content.heroes(ruleset))[:heroes]
    record = encounter.surprise(map_name, party, seed, ruleset=ruleset)
    record["options"] = {**record["options"], "fog": True}
    return record


def decided(match: Match, decision: Decision, person: AiController | None = None) -> Action:
    """What the person does: what a computer would that has seen as much (left out: nothing), as far as possible."""
    known = match.observe(decision.side)
    wanted = (person or AiController()).choose(match.ruleset, known, decision, match.legal(decision))
    return possible(match, decision, wanted) or next(iter(match.legal(decision)))


def unwatched(record: dict[str, Any], most: int = MOST) -> list[Any]:
    """The commands of the fight where nobody looks on."""
    match = Match.from_record(record)
    mind, person = Counsel(match), AiController()
    while (decision := match.decision) is not None and match.history.length < most:
        own = Seats(match.record).answering(decision) is not None
        match.act(decision, decided(match, decision, person) if own else mind.advise(decision))
    return list(records.document(match.record)["commands"])


def shown(record: dict[str, Any]) -> tuple[Player, Fight]:
    """The fight in a window without motion."""
    player = app_at()
    player.app.navigator.begin(record)
    fight = player.app.top
    assert isinstance(fight, Fight)
    return player, fight


def fought(player: Player, fight: Fight, most: int = MOST) -> list[Any]:
    """The commands of the fight as it is played in the window, the foes by the window's own pace."""
    person = AiController()
    while fight.match.decision is not None and fight.match.history.length < most:
        if fight.plan is not None:
            assert fight.deeds.act(decided(fight.match, fight.plan.decision, person))
        else:
            told = fight.match.history.length
            player.until(lambda told=told: fight.plan is not None or fight.match.history.length > told, 5)
    return list(records.document(fight.match.record)["commands"])


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("map_name", MAPS)
def test_a_fight_in_the_fog_comes_to_its_end_on_every_map(map_name: str, ruleset: str) -> None:
    heroes, seed = MAPS[map_name]
    record = meeting(map_name, ruleset, seed, heroes)
    player, fight = shown(record)
    assert fight.match.observe("heroes") != fight.match.state, "something is hidden at first"
    assert fought(player, fight) == unwatched(record)
    player.until(lambda: isinstance(player.app.top, Summary), 5)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_record_is_the_same_whoever_looks_on(ruleset: str) -> None:
    record = meeting("crypt", ruleset, seed=7, heroes=3)
    nobody = unwatched(record, most=60)
    player, fight = shown(record)
    assert fought(player, fight, most=60) == nobody, "the heroes' player"
    player, fight = shown(record)
    player.key(pygame.K_g, pygame.KMOD_LCTRL)
    assert fight.eyes.sides is None
    assert fought(player, fight, most=60) == nobody, "their player, in the game master's view"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_computers_alone_play_the_same_whoever_looks_on(ruleset: str) -> None:
    record = meeting("crypt", ruleset, seed=7, heroes=3)
    for creature in record["creatures"]:
        creature["controller"] = "ai"
    player, fight = shown(record)
    assert fight.eyes.sides is None, "who plays nobody looks on and sees everything"
    assert fought(player, fight, most=40)[:40] == unwatched(record, most=40)
