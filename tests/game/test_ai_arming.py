"""With what the computer arms itself under Olde: by how soon it could strike with it (docs/computer.md)."""

from __future__ import annotations

import pytest

from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.planning import Arm
from tests.game.ai_table import RULES, asked, fight, piece, turn_to

HALL = "\n".join(["#" * 26, *["#" + "." * 24 + "#"] * 3, "#" * 26])


def gains(who: str, hand: str, away: int) -> dict[str, float]:
    """What taking each weapon in hand gains somebody who holds another, a foe lying so many spaces away: it is hard to
    shoot, and easy to strike."""
    me = piece(who, (2, 2), "heroes", "me", ready=[hand])
    state = turn_to(fight(HALL, me, piece("goblin", (2 + away, 2), "monsters", posture="prone")), "me")
    known, decision, _ = asked(state)
    found = advisor_of(RULES).measures(known, decision)
    arms = [measure for measure in found if isinstance(measure, Arm) and measure.action.do == "ready"]
    return {" ".join(arm.action.items or ()): arm.value for arm in arms}


@pytest.mark.parametrize("away", [8, 12, 20])
def test_no_archer_draws_its_sword_while_the_foe_is_far(away: int) -> None:
    assert gains("ranger", "hunting bow", away) == {}
    assert gains("ranger", "shortsword", away).keys() == {"hunting bow"}


@pytest.mark.parametrize("away", [1, 3])
def test_an_archer_draws_its_sword_when_the_foe_is_there(away: int) -> None:
    assert gains("ranger", "hunting bow", away).keys() == {"shortsword"}


def test_a_knife_that_is_thrown_is_gone_so_nobody_puts_a_better_blade_away_for_it() -> None:
    assert "knife" not in gains("rogue", "sax", 8)
