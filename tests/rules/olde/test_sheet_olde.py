"""The sheet of somebody who is down says how deep, and how long there is to help."""

from __future__ import annotations

import msgspec
import pytest

from game.fight.match import Match
from rules.contract.events import Enchanted, Healing
from rules.olde.display import sheet
from tests.game.player import arena


@pytest.mark.parametrize(
    ("hp", "bleeding", "told"),
    [(-3, False, "dead in {n} resets without help"), (-3, True, "dead in {n} resets without help"),
     (None, False, "dead at the next reset without help")],
)  # fmt: skip
def test_the_sheet_of_the_dying_counts_to_their_death(hp: int | None, bleeding: bool, told: str) -> None:
    state = Match.from_record(arena()).state
    most = state.setup.fighters[0].hp_max
    hp = 1 - most if hp is None else hp
    figure = msgspec.structs.replace(state.figures[0], hp=hp, dying=True, bleeding=bleeding)
    shown = sheet(msgspec.structs.replace(state, figures=(figure, *state.figures[1:])), state.setup.fighters[0].id)
    assert (shown.bars[0].value, shown.bars[0].maximum) == (hp, most)
    line = next(line for line in shown.lines if line.text == "Dying")
    assert line.detail == told.format(n=-(-(hp + most) // (2 if bleeding else 1)))


def test_a_price_that_may_be_paid_with_fewer_points_is_told_in_words() -> None:
    match = Match.from_record(arena())
    decision = match.decision
    assert decision is not None
    offers = match.legal(decision).offers()
    assert not [offer.do for offer in offers if "Only" in offer.description.cost]
    rise = next(offer for offer in offers if offer.do == "rise").description
    assert rise.cost == "2 AP" and "all of them" in rise.notes[-1]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("frightened, attack −2", "ada: frightened, attack −2, for 3 turns."),
        ("frightened", "ada is frightened for 3 turns."),
        ("", "ada is frightened for 3 turns."),
        ("attack −2", "ada: frightened, attack −2, for 3 turns."),
    ],
)
def test_an_effect_is_named_once(text: str, told: str) -> None:
    match = Match.from_record(arena())
    event = Enchanted(target="ada", name="frightened", gained=True, turns=3, text=text)
    assert match.ruleset.tell(match.state, event) == told


def test_nothing_is_told_of_who_was_whole_already() -> None:
    match = Match.from_record(arena())
    told = [match.ruleset.tell(match.state, Healing(target="ada", amount=n, what="hp", now=9)) for n in (0, 2)]
    assert told == ["", "ada recovers 2 HP."]
