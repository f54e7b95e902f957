"""Figures that people read have a true minus, whatever tells them: stories, boards, sheets, offers, odds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from game.content import encounter
from game.content import tables as content
from game.controllers.ai.advisors import advisor_of
from game.fight.advice import Counsel
from game.fight.match import Match
from rules.contract.actions import Adjustment
from rules.contract.events import Attack, Check, Roll
from rules.core.dice import notation, plain, signed
from rules.core.registry import RULESETS

KEYED = re.compile(r"(?<![\w-])-\d|\d-\d|!-\d")
"""A hyphen where a figure wants its minus; none of ours has a range written so."""
COMMANDS = 60


def test_below_nought_stands_a_true_minus() -> None:
    assert (plain(-3), plain(3), plain(-0.5)) == ("−3", "3", "−0.5")
    assert (signed(-3), signed(3), signed(0), signed(-0.456, 2)) == ("−3", "+3", "+0", "−0.46")
    assert notation(2, 7, True, -4) == "2d7!−4"


def texts(told: object) -> Iterator[str]:
    """Every text in what a ruleset shows."""
    if isinstance(told, str):
        yield told
    elif isinstance(told, tuple):
        for part in told:
            yield from texts(part)
    elif isinstance(told, msgspec.Struct):
        for name in told.__struct_fields__:
            yield from texts(getattr(told, name))


@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_nothing_that_a_fight_shows_has_a_hyphen_for_a_minus(ruleset: str) -> None:
    record = encounter.surprise("goblin_warren", list(content.heroes(ruleset))[:4], 3, ruleset=ruleset)
    record["creatures"] = [{**creature, "controller": "ai"} for creature in record["creatures"]]
    match = Match.from_record(record)
    mind, rules = Counsel(match), match.ruleset
    shown: dict[str, str] = {}
    while (decision := match.decision) is not None and match.history.length < COMMANDS:
        if match.history.length % 4 == 0:
            found: list[Any] = [rules.board(match.state)]
            found += [rules.sheet(match.state, piece.id) for piece in advisor_of(rules).pieces(match.state)]
            for offer in match.legal(decision).offers():
                found += [offer, *(rules.odds(match.state, action) for action in offer.actions[:2])]
            shown |= {text: text for text in texts(tuple(found)) if KEYED.search(text)}
        match.act(decision, mind.advise(decision))
    story = [rules.tell(match.state, event) for event in match.events]
    assert not [line for line in story if KEYED.search(line)]
    assert not list(shown)


@pytest.mark.parametrize("ruleset", ["olde", "countup"])
def test_totals_below_nought_are_told_with_a_true_minus(ruleset: str) -> None:
    record = encounter.surprise("goblin_warren", list(content.heroes(ruleset))[:1], 3, ruleset=ruleset)
    match = Match.from_record(record)
    hero, foe = match.record.creatures[0]["id"], match.record.creatures[-1]["id"]
    blow = Attack(by=hero, target=foe, weapon="sling", attack=-1, defense=-2, margin=-7, outcome="miss", damage=0,
                  adjustments=(Adjustment("attack", -6, "range"),), rolls=())  # fmt: skip
    check = Check(by=hero, what="stunned", roll=Roll("check", "2d6!", (), -3), rating=-4, success=True)
    for event, figures in ((blow, "−1 against −2"), (check, "−3 against −4")):
        assert figures in match.ruleset.tell(match.state, event)
