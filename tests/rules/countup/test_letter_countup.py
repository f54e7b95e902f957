"""The rules to the letter, where it is easily passed over (countup.md §1, §2.1, §2.6, §2.7, §5.4)."""

from __future__ import annotations

import pytest

from game.content import tables as content
from tests.rules.countup.creatures import Fight, being, changed, duel
from tests.rules.table import dice

LANE = ["#" * 40, *["#" + "." * 38 + "#"] * 5, "#" * 40]


def test_an_aggressive_attacks_price_lasts_until_ones_own_next_attack() -> None:
    """The foe dies of it, nobody is near, and the weapon has long been due again: −2 all the same (B19)."""
    fight = Fight(being("a", (1, 1)), being("b", (2, 1), hp_max=1), being("c", (30, 1)),
                  throws=[1, 1, 1, 2, 15, 3, 4, *[None] * 40], rows=LANE)  # fmt: skip
    fight.do("b", "policy", option="stand")
    fight.hold("b", "c", seconds=60)
    fight.do("a", "attack", target="b", option="aggressive")
    while fight.second < 20:
        fight.hold("a", seconds=5)
    assert "aggressive" in fight.of("a")["conditions"]
    assert "no other manoeuvre" in fight.refusal("a", "full_parry")


def test_a_shot_is_an_attack_and_ends_the_price_of_an_aggressive_one() -> None:
    fight = Fight(
        being("a", (1, 1), weapons=["longbow"]),
        being("b", (9, 1)),
        throws=dice("initiative 1 1, shot 5, defence 9"),
        rows=LANE,
    )
    changed(fight, "a", exposed=True)
    fight.hold("b", seconds=13)
    fight.do("a", "shoot", target="b")
    assert fight.of("a")["conditions"] == []


def test_who_lies_has_a_free_attack_at_minus_four() -> None:
    fight = changed(duel(5, 1, 9, 12, *[None] * 40, b={"damage": -20}), "b", prone=True)
    for who in ("a", "b"):
        fight.do(who, "policy", option="stand")
    fight.hold("b", seconds=60)
    fight.do("a", "attack", target="b")
    free = fight.all("attack")[1]
    assert (free["by"], free["action"], free["attack"]) == ("b", "free", 12 - 4)


@pytest.mark.parametrize(("at", "kind"), [((12, 1), "charge"), ((12, 2), "charge"), ((11, 2), "attack")])
def test_a_charge_strikes_whom_it_has_run_at(at: tuple[int, int], kind: str) -> None:
    """`a` runs east to [11, 1]: ahead is straight on and half to a side; abreast he may strike, but not charge."""
    fight = Fight(being("a", (1, 1)), being("b", at, weapons=["dagger"]), throws=[1, 1, *[None] * 60], rows=LANE)
    for who in ("a", "b"):
        fight.do(who, "policy", option="stand")
    fight.hold("b", seconds=60)
    fight.do("a", "run", path=[(x, 1) for x in range(2, 12)])
    fight.do("a", "attack", target="b", option="charge")
    fight.until("a", 8)
    assert fight.all("attack")[0].get("action", "attack") == kind


def test_a_foe_is_held_at_bay_before_anybody_strikes() -> None:
    """`a` holds `b` at bay (7 ft) as both come into contact; `bb` with its spear (13 ft) strikes at `a` after that."""
    fight = Fight(
        being("a", (1, 1), weapons=["halberd"]), being("b", (4, 1), weapons=["dagger"]),
        being("bb", (5, 2), weapons=["spear"]), throws=[1, 1, 1, 2, 15, 2, 15, *[None] * 40], rows=LANE,
    )  # fmt: skip
    for who in ("a", "b", "bb"):
        fight.do(who, "policy", option="stand")
    fight.do("a", "hold_at_bay", target="b")
    fight.do("b", "walk", path=[(3, 1)])
    fight.do("b", "attack", target="a")
    fight.do("bb", "walk", path=[(4, 2)])
    fight.do("bb", "attack", target="a")
    assert [(blow["by"], blow.get("action", "attack")) for blow in fight.all("attack")][:2] == [
        ("a", "hold_at_bay"), ("bb", "attack"),
    ]  # fmt: skip


def test_a_holder_who_is_busy_holds_nobody() -> None:
    """He takes another weapon as long in hand: that takes two seconds."""
    fight = Fight(
        being("a", (1, 1), weapons=["halberd", "spear"]), being("b", (3, 1), weapons=["dagger"]),
        throws=dice("initiative 1 1"), rows=LANE,
    )  # fmt: skip
    changed(fight, "b", held_by=0)
    fight.hold("b", seconds=1)
    fight.do("a", "ready", weapon="spear")
    assert "held at bay" not in fight.of("b")["conditions"]


@pytest.mark.parametrize("name", ["Trivial Harm", "Minor Harm", "Light Harm"])
def test_no_save_is_listed_against_a_curse_that_wounds(name: str) -> None:
    fight = Fight(
        being("a", (1, 1), weapons=["mace"], spells=[name], level=1), being("b", (2, 1)), throws=dice("initiative 1 1"),
        rows=LANE,
    )  # fmt: skip
    spell = fight.now.setup.armoury.spells[name]
    assert (spell.save, spell.half) == ("", False)
    assert content.tables("countup")["spells"]


def test_ground_given_costs_no_free_attack_neither_by_blade_nor_by_fist() -> None:
    """A near-perfect defence: the free fist has no penalty, as a free blow has none."""
    fight = changed(duel(19, 2, 9, 12, 3, 3, *[None] * 40), "b", penalty=2)
    for who in ("a", "b"):
        fight.do(who, "policy", option="stand")
    fight.hold("b", seconds=60)
    fight.do("a", "attack", target="b")
    assert [(blow["action"], blow["attack"]) for blow in fight.all("attack")[1:2]] == [("unarmed", 12)]
