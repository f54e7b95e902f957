"""The camp of a party of which nobody lives: what became of them is said, kept in their files, and no fire is lit."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from game.characters import files
from game.characters.roster import roster
from game.fight.advice import Counsel
from game.fight.match import Match
from game.scenes.fight.ending import Summary
from rules.core.registry import RULESETS
from tests.game.player import labels, summed_up

pytestmark = pytest.mark.usefixtures("home")

FRAIL: dict[str, dict[str, Any]] = {"olde": {"hp": 1}, "cairn": {"hp": 1}, "countup": {"hp": 1}}
SEED = {"olde": 1, "cairn": 24, "countup": 2}
ALONE = {"olde": ("wizard", "ogre"), "cairn": ("freya", "ogre"), "countup": ("cora", "ogre")}


def slain(ruleset: str) -> Match:
    """A ready hero killed outright, alone against one who is too strong."""
    hero, foe = ALONE[ruleset]
    creatures: list[dict[str, Any]] = [
        {"id": "h", "side": "heroes", "at": [1, 1], "template": hero, "controller": "human"} | FRAIL[ruleset],
        {"id": "foe", "side": "monsters", "at": [2, 1], "template": foe, "controller": "ai"},
    ]
    match = Match.from_record({
        "format": "battlemat/1", "ruleset": ruleset, "title": "Alone", "seed": SEED[ruleset], "creatures": creatures,
        "map": {"rows": [".....", ".....", "....."]},
    })  # fmt: skip
    mind = Counsel(match)
    while (decision := match.decision) is not None:
        match.act(decision, mind.advise(decision))
    [mini] = [mini for mini in match.board().miniatures if mini.id == "h"]
    assert match.over == "monsters" and mini.dead
    return match


@pytest.mark.parametrize("ruleset", RULESETS)
def test_nobody_is_left_to_light_a_fire(ruleset: str) -> None:
    player = summed_up(slain(ruleset))
    assert isinstance(player.app.top, Summary)
    assert [button.key for button in player.app.top.ways if button.gold] == ["next"], "nobody is asked to camp"
    player.press("Camp")
    said = " ".join(labels(player))
    assert "Nobody comes to camp" in said and "That did not work" not in said
    assert "remembered among your own heroes" in said and "from now on" not in said
    [hero] = files.shelf().heroes.values()
    assert not roster(ruleset).alive(hero)
    player.key(pygame.K_ESCAPE)
    player.press("Camp")  # and it is told again
    assert "Nobody comes to camp" in " ".join(labels(player))
