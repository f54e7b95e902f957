"""What a click means is read from the legal actions; and the story's figures below nought wear a true minus."""

from __future__ import annotations

import msgspec
import pytest

from game.content import encounter
from game.fight.match import Match
from game.scenes.fight.plan import Plan, plain
from rules.contract import events as ev
from rules.contract.units import Cell
from rules.core.registry import RULESETS
from tests.game.player import arena


def plan_of(match: Match) -> Plan:
    decision = match.decision
    assert decision is not None
    legal = match.legal(decision)
    return Plan(match.ruleset, match.state, decision, legal, board=match.board(), field=match.field)


def test_a_click_on_a_foe_never_spends_an_item() -> None:
    plan = plan_of(Match.from_record(arena()))
    attack = next(o for o in plan.offers if o.do == "attack")
    item = msgspec.structs.replace(
        attack, do="use", description=msgspec.structs.replace(attack.description, needs="item")
    )
    plan.offers = (item,)
    assert plan.strike("gob") is None
    plan.armed = item
    assert plan.strike("gob") is not None


def test_hit_points_below_nought_wear_a_true_minus() -> None:
    match = Match.from_record(arena())
    told = match.ruleset.tell(match.state, ev.Injury(target="gob", amount=12, hp=-3, status="dead", by="ada"))
    assert "−3 HP" in told and "-3" not in told


@pytest.mark.parametrize(
    ("said", "here", "told"),
    [
        ("path: step 2: [4, 2] is a wall", (4, 2), "That space is a wall"),
        ("path, step 2: [4, 2] is an ally's", (4, 2), "That space is an ally's"),
        ("at: [4, 2] is taken", None, "Column 5, row 3 is taken"),
        ("path: [0, 0] to [1, 0]: a closed door fills [1, 0]", (1, 0), "A closed door fills that space"),
        ("[0, 0] to [1, 1] cuts a corner", (1, 1), "The step from column 1, row 1 to that space cuts a corner"),
        (None, None, ""),
    ],
)
def test_a_refusal_names_spaces_as_players_do(said: str | None, here: tuple[int, int] | None, told: str) -> None:
    assert plain(said, here) == told


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_reason_that_the_window_gives_counts_spaces_from_nought(ruleset: str) -> None:
    match = Match.from_record(encounter.surprise("goblin_warren", None, 4, ruleset=ruleset))
    plan, field = plan_of(match), match.field
    assert plan.actor is not None
    told = set()
    (column, row), reach = field.at(plan.actor.cell), 5
    for down in range(-reach, reach + 1):
        for across in range(-reach, reach + 1):
            if field.inside(column + across, row + down):
                told.add(plan.why_not_there((field.cell(column + across, row + down),)))
    for offer in plan.offers:
        if offer.description.needs == "space" and offer.actions:
            plan.armed = offer
            told |= {plan.why_not_at(Cell(cell)) for cell in range(0, field.width * field.height, 7)}
    assert any("that space" in line or "That space" in line for line in told), told
    assert not [line for line in told if "[" in line or line.startswith("Path,")]
