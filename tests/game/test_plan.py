"""What a click means is read from the legal actions; and the story's figures below nought wear a true minus."""

from __future__ import annotations

import msgspec

from game.match import Match
from game.scenes.plan import Plan
from rules import events as ev
from tests.game.player import arena


def plan_of(match: Match) -> Plan:
    decision = match.decision
    assert decision is not None
    legal = match.legal(decision)
    return Plan(match.ruleset, match.state, decision, legal, match.board(), match.field)


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
