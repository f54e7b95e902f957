"""Why somebody is asked now, and what buttons say of themselves."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from rules.contract.actions import Action
from tests.rules.countup.creatures import Fight, being
from tests.rules.table import dice


def why(fight: Fight) -> list[str]:
    return [decision.prompt for decision in fight.rules.decisions(fight.now)]


def label(fight: Fight, do: str, **says: Any) -> tuple[str, str]:
    described = fight.rules.describe(fight.now, Action("a", do, **says))
    return described.label, described.cost


def test_it_is_said_why_somebody_is_asked() -> None:
    fight = Fight(being("a", (1, 1)), being("b", (15, 1)), throws=[1, 12, 9, 9, 9, 9])
    assert why(fight) == ["a may act from now on"]
    fight.do("a", "hold", option="2")
    assert why(fight) == ["a has waited"]
    assert not fight.rules.board(fight.now).plans, "what is over is no plan any more"
    fight.do("a", "walk", path=[(2, 1), (3, 1)])
    assert why(fight) == ["a: order a deed besides, or go"]
    assert [plan.label for plan in fight.rules.board(fight.now).plans] == ["Walk"]
    fight.do("a", "end")
    assert why(fight) == ["a is there"]


def test_a_plan_shows_where_it_bids_one_look_northward_too() -> None:
    fight = Fight(being("a", (1, 1)), being("b", (15, 1)), throws=dice("initiative 1 12"))
    fight.do("a", "turn", option="0")
    assert [plan.facing for plan in fight.rules.board(fight.now).plans] == [0]
    fight.do("a", "walk", path=[(2, 1)])
    assert [plan.facing for plan in fight.rules.board(fight.now).plans] == [0]


@pytest.mark.parametrize(("weapon", "slot"), [("sling", 11), ("light crossbow", 21), ("throwing knife", 7)])
def test_a_shot_says_when_one_may_begin_the_next(weapon: str, slot: int) -> None:
    """A sling's leaves in second 9, a crossbow's in 21, a knife in 6; then one recovers for 2, 0 and 1 (§2.5)."""
    fight = Fight(being("a", (1, 1), weapons=[weapon]), being("b", (5, 1)), throws=dice("initiative 1 1"))
    assert label(fight, "shoot", target="b")[1] == f"next at {slot}"


def test_whoever_cannot_move_is_promised_no_second_of_being_there() -> None:
    rooted = being("a", (1, 1), squares=[0, 0, 0, 0])
    fight = Fight(rooted, being("b", (15, 1)), throws=dice("initiative 1 12"))
    assert "cannot walk" in fight.refusal("a", "walk", path=[(2, 1)])
    described = fight.rules.describe(fight.now, fight._action("a", "walk", {"path": [(2, 1)]}))
    assert described.slot is None


def test_a_foe_that_is_down_is_named() -> None:
    foes = being("b", (2, 1), hp_max=1), being("c", (15, 1))
    fight = Fight(being("a", (1, 1)), *foes, throws=dice("initiative 1 12 12, defence 5, attack 15, damage 4 4"))
    fight.do("a", "attack", target="b")
    assert why(fight) == ["b is out of the fight; a is free again"]


def test_whoever_orders_nothing_waits_and_whoever_has_a_way_goes() -> None:
    fight = Fight(being("a", (1, 1)), being("b", (15, 1)), throws=dice("initiative 1 12"))
    assert label(fight, "end") == ("Wait", "a second")
    fight.do("a", "jog", path=[(2, 1)])
    assert label(fight, "end") == ("Go", "the way as ordered")


def test_manners_say_what_they_cost_and_drawing_says_how_long_it_takes() -> None:
    fight = Fight(
        being("a", (1, 1), weapons=["longsword", "dagger", "spear"], shield="small shield"), being("b", (2, 1)),
        throws=dice("initiative 1 12"),
    )  # fmt: skip
    described = fight.rules.describe(fight.now, Action("a", "attack", target="b", option="aggressive"))
    assert described.label == "Aggressive attack"
    assert described.notes == ("+5 to hit; −2 defence until the next attack",)
    assert label(fight, "ready", weapon="dagger")[1] == "0 s"
    assert label(fight, "ready", weapon="spear")[1] == "2 s, and d4p s for the shield"


def test_whoever_waits_is_asked_when_a_foe_comes_into_contact() -> None:
    fight = Fight(being("a", (1, 1)), being("b", (6, 1)), throws=dice("initiative 1 1"))
    fight.do("b", "jog", path=[(5, 1), (4, 1), (3, 1), (2, 1)])
    fight.do("b", "end")
    fight.do("a", "hold", option="30")
    assert fight.now.second < 30
    assert "b comes close to a" in why(fight)


def test_a_way_says_when_one_is_there() -> None:
    fight = Fight(being("a", (1, 1)), being("b", (15, 1)), throws=dice("initiative 1 12"))
    ways = {"walk": 8, "jog": 4, "run": 3, "sprint": 3}
    for gait, seconds in ways.items():
        path = tuple(fight.field.cell(2 + n, 1) for n in range(7))
        described = fight.rules.describe(fight.now, Action("a", gait, path=path))
        assert described.slot == 1 + seconds - (gait == "walk"), gait
        assert described.cost.endswith(f"there at {described.slot}")
    fight.do("a", "jog", path=[(2 + n, 1) for n in range(7)])
    fight.do("a", "end")
    assert fight.now.second == 1 + ways["jog"]


def test_spells_and_waiting_say_how_long_they_take() -> None:
    mage = being("a", (1, 1), spells=["Magic Projectile"], spell_points=140)
    fight = Fight(mage, being("b", (9, 1)), throws=dice("initiative 1 12"))
    described = fight.rules.describe(fight.now, Action("a", "cast", item="Magic Projectile", target="b"))
    assert (described.label, described.slot) == ("Magic Projectile", 2)
    assert described.cost.startswith("1 s · ") and described.cost.endswith(" of 140 points")
    assert described.notes == ("2d4p damage", "A dart of light that does not miss.")
    described = fight.rules.describe(fight.now, Action("a", "hold", option="5"))
    assert (described.label, described.slot) == ("Hold 5 s", 6)


def test_whoever_may_give_ground_knows_how_likely_each_answer_is_hit() -> None:
    fight = Fight(being("a", (1, 1)), being("b", (2, 1)), throws=[1, 1, *[None] * 20])
    fight.do("b", "hold", option="30")
    blow = fight.rules.odds(fight.now, Action("a", "attack", target="b"))
    fight.do("a", "attack", target="b")
    stand, back = (fight.rules.odds(fight.now, Action("b", "choose", option=o)) for o in ("stand", "yield"))
    assert stand is not None and back is not None and blow is not None
    assert stand.hit == blow.hit and stand.outcomes[0] == ("to be hit", stand.hit)
    assert back.hit < stand.hit < 1 and abs(stand.hit - back.hit - 5 / 20) < 0.08


@pytest.mark.parametrize(("fog", "foe"), [(False, "a"), (True, "somebody unseen")])
def test_in_the_fog_no_question_names_whom_nobody_of_the_asked_sees(fog: bool, foe: str) -> None:
    """`a` strikes, and is behind a wall by then."""
    rows = ["#########", "#...#...#", "#########"]
    fight = Fight(being("a", (1, 1)), being("b", (2, 1)), throws=[1, 1, *[None] * 20], rows=rows, fog=fog)
    fight.do("b", "hold", option="30")
    fight.do("a", "attack", target="b")
    assert why(fight) == ["b: give ground to a?"]
    gone = replace(fight.now.figures[0], cell=fight.now.setup.field.cell(6, 1))
    away = replace(fight.now, figures=(gone, *fight.now.figures[1:]))
    assert [decision.prompt for decision in fight.rules.decisions(away)] == [f"b: give ground to {foe}?"]


def test_the_sheet_tells_the_speed_that_armour_leaves() -> None:
    slow = being("a", (1, 1), weapons=["mace"], armour="ring mail")
    fight = Fight(slow, being("b", (2, 1)), throws=[1, 12, *[None] * 20])
    line = next(line for line in fight.rules.sheet(fight.now, "a").lines if line.text == "mace")
    due = fight.rules.describe(fight.now, Action("a", "attack", target="b")).slot
    assert due == 1 + 12
    assert line.detail.startswith("speed 12, ")
