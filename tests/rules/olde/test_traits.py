"""Traits of creatures with scripted dice (house: olde.md §10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.planning import Magic
from rules.contract.actions import Action
from rules.contract.errors import RecordError
from rules.olde.text import sentence_of
from rules.olde.traits import TRAITS
from tests.rules.olde.creatures import Fight, because, being, duel
from tests.rules.table import dice


def has(*names: str | dict[str, Any]) -> dict[str, Any]:
    return {"traits": [{"name": name} if isinstance(name, str) else name for name in names]}


BITER: dict[str, Any] = {"weapons": ["bite"], "skills": {"Brawling": "Apprentice"}}
"""A monster with a natural weapon: d6, Brawn dice."""


def bitten(faces: Sequence[int | None], *names: str | dict[str, Any], **more: Any) -> Fight:
    """Monster `b` acts first and bites hero `a`: the first four faces are Defense and attack."""
    fight = duel(faces, b={**BITER, **has(*names)}, ap=(4, 8), **more)
    fight.do("b", "attack", target="a", weapon="bite")
    return fight


# -- adjustments ------------------------------------------------------------------------------------------


def pack(throws: Sequence[int | None], **says: Any) -> Fight:
    wolf = being("b", (2, 1), **BITER, **has("pack tactics"))
    return Fight(being("a"), wolf, being("c", (1, 2), **says), throws=[4, 8, 4, *throws])


def test_pack_tactics_counts_an_able_ally_beside_the_target() -> None:
    fight = pack(dice("defense 1 1, attack 1 1, damage 1"))
    odds = fight.rules.odds(fight.now, Action("b", "attack", target="a", weapon="bite"))
    assert odds is not None
    assert ("pack tactics", 1) in [(a.because, a.value) for a in odds.adjustments]
    event = fight.attack("b", "a", "bite")
    assert (because(event, "attack"), event["attack"]) == (1, 3)


@pytest.mark.parametrize("says", [{"at": (9, 3)}, {"at": (3, 2)}, {"at": (1, 2), "hp": 0}])
def test_pack_tactics_needs_the_ally_to_be_near_and_able(says: dict[str, Any]) -> None:
    wolf, mate = being("b", (2, 1), **BITER, **has("pack tactics")), being("c", **says)
    fight = Fight(being("a"), wolf, mate, throws=[4, 8, *([] if "hp" in says else [4]), 1, 1, 2, 2, 1])
    assert because(fight.attack("b", "a", "bite"), "attack") == 0


def test_a_charge_counts_from_where_the_chance_began() -> None:
    for start, bonus in (((5, 1), 2), ((4, 1), 0)):
        boar = being("b", start, **BITER, **has("charge"))
        fight = Fight(being("a"), boar, throws=dice("action points 4 8, defense 1 1, attack 2 2, damage 3"))
        path = [[x, 1] for x in range(start[0] - 1, 1, -1)]
        fight.do("b", "free_steps", path=path[:2])
        if path[2:]:
            fight.do("b", "step", path=path[2:])
        event = fight.attack("b", "a", "bite")
        assert because(event, "damage") == bonus


def test_frenzy_comes_below_half_of_the_hit_points() -> None:
    for hp, bonus in ((6, 0), (5, 2)):
        fight = duel(dice("defense 1 1, attack 1 1, damage 1"), b={**BITER, **has("frenzy"), "hp": hp}, ap=(4, 8))
        event = fight.attack("b", "a", "bite")
        assert (because(event, "attack"), because(event, "damage")) == (bonus, bonus)


def test_tough_hide_is_armor_that_adds_to_armor_worn() -> None:
    for worn, off in ((None, 2), ("leather", 3)):
        fight = duel(dice("defense 1 1, attack 1 1, damage 5"), b={**has("tough hide"), "armor": worn})
        assert fight.attack()["damage"] == 5 - off


# -- riders -----------------------------------------------------------------------------------------------


def test_poison_slows_who_fails_the_check() -> None:
    fight = bitten(dice("defense 1 1, attack 1 1, damage 3, brawn 4 4"), "poison")
    assert fight.of("a")["conditions"] == ["slowed"]
    assert fight.last("check")["rating"] == 9


def test_poison_does_nothing_to_who_stands_the_check_or_is_not_hurt() -> None:
    assert bitten(dice("defense 1 1, attack 1 1, damage 3, brawn 4 5"), "poison").of("a")["conditions"] == []
    unhurt = bitten(dice("defense 1 1, attack 1 1, damage 1"), "poison", a={"armor": "leather"})
    assert (unhurt.of("a")["conditions"], unhurt.used) == ([], 7)


@pytest.mark.parametrize("trait", ["poison", "venom"])
def test_the_dead_and_the_made_are_not_poisoned(trait: str) -> None:
    assert bitten(dice("defense 1 1, attack 1 1, damage 3"), trait, a=has("construct")).of("a")["conditions"] == []


def test_venom_costs_hit_points_in_each_reset_until_it_wears_off() -> None:
    """Three resets, its check failed in the first two: 11 HP, 3 by the bite, 2 by each of the three."""
    fight = bitten(
        dice("defense 1 1, attack 1 1, damage 3, brawn 4 4 1 1, action points 4 8, brawn 1 1, action points 4 8 4 8"),
        {"name": "venom", "bonus": 2},
    )
    assert (fight.of("a")["hp"], fight.of("a")["conditions"]) == (8, ["poisoned"])
    left = []
    for _ in range(3):
        turn = fight.state["turn"]
        while fight.state["turn"] == turn:
            fight.end(fight.acting or "")
        left.append(fight.of("a")["hp"])
    assert left == [6, 4, 2] and fight.of("a")["conditions"] == []


def test_venom_is_shaken_off_by_a_check_of_its_rating() -> None:
    fight = bitten(dice("defense 1 1, attack 1 1, damage 3, brawn 4 4 4 5, action points 4 8"), "venom")
    while fight.state["turn"] == 1:
        fight.end(fight.acting or "")
    assert (fight.of("a")["hp"], fight.of("a")["conditions"]) == (7, []), "one reset's harm, then 9 against 9"


def test_poison_comes_after_bleeding_and_before_dying_and_can_kill() -> None:
    ill: dict[str, Any] = {"hp": -8, "conditions": ["poisoned", "bleeding"]}
    fight = Fight(
        being("a", **ill), being("aa", (4, 1), "heroes"), being("b", (9, 3)), throws=dice("action points 8 4")
    )
    told = [event["because"] for event in fight.events if event["event"] == "injury"]
    assert told == ["bleeding", "poisoned", "dying"]
    assert fight.of("a")["status"] == "dead"


def test_bleeding_wounds_bleed() -> None:
    assert bitten(dice("defense 1 1, attack 1 1, damage 3, brawn 1 1"), "bleeding wounds").of("a")["conditions"] == [
        "bleeding"
    ]


def test_sapping_touch_weakens_blow_guard_and_checks() -> None:
    fight = bitten(dice("defense 1 1, attack 1 1, damage 3, brawn 1 1"), {"name": "sapping touch", "bonus": -2})
    fight.end("b")
    odds = fight.rules.odds(fight.now, Action("a", "attack", target="b", weapon="broadsword"))
    assert odds is not None
    assert ("sapping touch", -2, "olde.md §10 sapping touch") in [
        (a.because, a.value, a.rule) for a in odds.adjustments
    ]


def test_knockdown_throws_who_fails_prone() -> None:
    assert bitten(dice("defense 1 1, attack 1 1, damage 3, brawn 1 1"), "knockdown").of("a")["posture"] == "prone"
    assert bitten(dice("defense 1 1, attack 1 1, damage 3, brawn 4 5"), "knockdown").of("a")["posture"] == "standing"


def test_a_web_roots_even_who_is_not_hurt_and_the_same_check_breaks_free() -> None:
    web: dict[str, Any] = {"weapons": ["web"], "skills": {"Thrown Weapons": "Apprentice"}}
    spider = being("b", (4, 1), **web, **has({"name": "hold", "weapon": "web"}))
    fight = Fight(
        being("a", armor="leather"),
        spider,
        throws=dice("action points 4 8, defense 1 1, attack 1 1, damage 1, brawn 1 1 4 5, action points 4 5"),
    )
    fight.do("b", "attack", target="a", weapon="web")
    assert fight.of("a")["conditions"] == ["rooted"]
    fight.end("b")
    assert "rooted" in fight.refusal("a", "step", path=[[1, 2]])
    fight.end("a", "b", "a")
    assert fight.of("a")["conditions"] == []


def test_a_trait_bound_to_one_weapon_stays_with_it() -> None:
    both: dict[str, Any] = {"weapons": ["bite", "claws"], "skills": {"Brawling": "Apprentice"}}
    fight = duel(
        dice("defense 1 1, attack 1 1, damage 3"), b={**both, **has({"name": "poison", "weapon": "claws"})}, ap=(4, 8)
    )
    fight.do("b", "attack", target="a", weapon="bite")
    assert (fight.of("a")["conditions"], fight.used) == ([], 7)


def test_life_drain_gives_half_back_rounded_up() -> None:
    fight = duel(dice("defense 1 1, attack 1 1, damage 5"), b={**BITER, **has("life drain"), "hp": 4}, ap=(4, 8))
    fight.do("b", "attack", target="a", weapon="bite")
    assert (fight.of("a")["hp"], fight.of("b")["hp"]) == (6, 7)


def test_the_attack_card_tells_what_a_hit_carries() -> None:
    fight = duel([], b={**BITER, **has("poison")}, ap=(4, 8))
    odds = fight.rules.odds(fight.now, Action("b", "attack", target="a", weapon="bite"))
    assert odds is not None
    (note,) = [text for text, rule in odds.notes if rule == "olde.md §10 poison"]
    assert note.startswith("slowed on a hit: ")


def test_planners_see_what_a_hit_carries() -> None:
    plain, venomous = duel([], b=BITER, ap=(4, 8)), duel([], b={**BITER, **has("poison")}, ap=(4, 8))
    cells = 1 << plain.field.cell(2, 1)
    (one,), (other,) = (advisor_of(f.rules).targets(f.now, "b", cells) for f in (plain, venomous))
    assert one.best is not None
    assert other.best is not None
    assert (one.best.side_effect, other.best.mean) == (0.0, one.best.mean)
    assert 0.0 < other.best.side_effect < 0.25


# -- what cannot happen to some ---------------------------------------------------------------------------


def test_the_undead_are_not_stunned_and_the_odds_know_it() -> None:
    for names, stun in (((), True), (("undead",), False)):
        fight = duel([1, 1, 1, 1, 8, *([1, 1] if stun else [])], b=has(*names))
        odds = fight.rules.odds(fight.now, Action("a", "attack", target="b", weapon="broadsword"))
        assert odds is not None
        assert (odds.stun > 0.0) == stun
        fight.attack()
        assert ("stunned" in fight.of("b")["conditions"]) == stun


# -- wounds -----------------------------------------------------------------------------------------------


def troll(weapon: str, *throws: int | None) -> Fight:
    hero = {"weapons": [weapon], "skills": {"Maces": "Apprentice", "Swords": "Apprentice"}}
    fight = duel([1, 1, 1, 1, 3, *throws], a=hero, b=has("regeneration"))
    fight.attack(weapon=weapon)
    fight.end("a", "b", "a", "b")
    return fight


def test_regeneration_heals_in_the_reset_but_not_what_fire_has_touched() -> None:
    assert troll("broadsword", 8, 4).of("b")["hp"] == 11
    burnt = troll("torch", 8, 4)
    assert burnt.of("b")["hp"] == 8
    assert not burnt.of("b").get("effects"), "the next reset heals again"


def test_an_ooze_divides_its_hit_points_and_fire_does_not_divide_it() -> None:
    hero = {"weapons": ["torch"], "skills": {"Maces": "Apprentice", "Swords": "Apprentice"}}
    fight = duel(dice("defense 1 1, attack 1 1, damage 3"), b=has("split"))
    fight.attack()
    assert (fight.of("b")["hp"], fight.of("b.2")["hp"], fight.of("b.2")["ap"]) == (4, 4, 0)
    burnt = duel(dice("defense 1 1, attack 1 1, damage 3"), a=hero, b=has("split"))
    burnt.attack(weapon="torch")
    assert list(burnt.state["creatures"]) == ["a", "b"]


def test_an_ooze_too_small_does_not_divide() -> None:
    fight = duel(dice("defense 1 1, attack 1 1, damage 3"), b={**has("split"), "hp": 8})
    fight.attack()
    assert (fight.of("b")["hp"], list(fight.state["creatures"])) == (5, ["a", "b"])


def test_a_death_burst_hurts_all_near_less_armor() -> None:
    fight = duel(
        dice("defense 1 1, attack 1 1, damage 5, burst 6"), a={"armor": "leather"}, b={**has("death burst"), "hp": 2}
    )
    fight.attack()
    assert (fight.of("a")["hp"], fight.of("b")["status"]) == (11 - 5, "dead")


def test_a_death_burst_spares_nobody_near_on_whichever_side() -> None:
    others = [being(name, at) for name, at in (("c", (3, 1)), ("d", (5, 1)), ("e", (2, 2)))]
    bursting = being("b", (2, 1), **has("death burst"), hp=2)
    throws = dice("action points 8 4 1 1 1, defense 1 1, attack 1 1, damage 5, burst 5")
    fight = Fight(being("a"), bursting, *others, throws=throws)
    fight.attack()
    assert {name: fight.of(name)["hp"] for name in "acde"} == {"a": 6, "c": 6, "d": 11, "e": 6}


# -- resets -----------------------------------------------------------------------------------------------


def test_a_fear_aura_frightens_once_or_never() -> None:
    for faces, word, effect in (([4, 4], ["frightened"], "dread of b"), ([4, 5], [], "steeled")):
        fight = Fight(being("a"), being("b", (3, 1), **has("fear aura")), throws=[*faces, 4, 8])
        assert fight.of("a")["conditions"] == word
        assert [e["name"] for e in fight.of("a")["effects"]] == [effect]


def test_a_fear_aura_is_not_felt_from_afar_nor_by_the_fearless() -> None:
    for at, who in (((5, 1), {}), ((3, 1), has("undead"))):
        fight = Fight(being("a", **who), being("b", at, **has("fear aura")), throws=dice("action points 4 8"))
        assert fight.of("a")["conditions"] == []


# -- flight, calls ----------------------------------------------------------------------------------------

PIT = ["########", "#..~~..#", "########"]


def test_a_flyer_crosses_difficult_ground_as_plain_and_only_on_its_feet() -> None:
    for names, posture, most in (((), "standing", 1), (("flyer",), "standing", 2), (("flyer",), "prone", 0)):
        bird = being("b", (2, 1), **has(*names), posture=posture)
        fight = Fight(being("a", (6, 1)), bird, throws=dice("action points 1 8"), rows=PIT)
        (decision,) = fight.rules.decisions(fight.now)
        steps = fight.rules.legal(fight.now, decision).moves("free_steps")
        assert (fight.field.cell(4, 1) in steps) == (most == 2)


def test_a_call_wakes_sleeping_allies_in_earshot() -> None:
    fight = Fight(
        being("a"), being("b", (5, 1), **has("call for help")), being("c", (9, 3), asleep=True),
        throws=dice("savvy 1 1, action points 4 8"),
    )  # fmt: skip
    assert (fight.of("c")["conditions"], fight.of("c")["ap"]) == (["asleep"], 0)
    calls = [m for m in advisor_of(fight.rules).measures(fight.now, fight.rules.decisions(fight.now)[0])
             if m.action.do == "call_for_help"]  # fmt: skip
    assert calls
    assert isinstance(calls[0], Magic) and calls[0].value > 0.2
    fight.do("b", "call_for_help")
    assert fight.of("c")["conditions"] == []


def test_nobody_else_can_call() -> None:
    fight = duel([])
    assert "no call" in fight.refusal("a", "call_for_help")


# -- as data ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TRAITS)
def test_every_trait_says_what_it_does_with_its_figures(name: str) -> None:
    fight = duel([], a={**BITER, **has(name)}, ap=(8, 4)) if name not in ("fear aura",) else duel(
        [], a={**BITER, **has({"name": name, "spaces": 1})}, b=has("undead"), ap=(8, 4)
    )  # fmt: skip
    (line,) = [line for line in fight.rules.sheet(fight.now, "a").lines if line.rule == f"olde.md §10 {name}"]
    assert "{" not in line.detail
    assert sentence_of(f"olde.md §10 {name}") is not None
    assert set(TRAITS[name].figures()) <= {"bonus", "rating", "turns", "spaces", "die"}


def test_a_rule_is_told_by_the_longest_part_of_its_name_that_is_known() -> None:
    rule = "olde.md §7 first aid"
    known = sentence_of(rule)
    assert known is not None
    for longer in (f"{rule} twice", f"{rule} once more"):
        assert sentence_of(longer) == (known[0], longer)
    assert sentence_of(rule.replace("7", "99")) is None


def test_a_trait_refuses_figures_that_are_not_its_own() -> None:
    with pytest.raises(RecordError, match="flyer has no figure 'rating'"):
        duel([], b=has({"name": "flyer", "rating": 9}))
    with pytest.raises(RecordError, match="'web' is not among the weapons"):
        duel([], b=has({"name": "hold", "weapon": "web"}))
    with pytest.raises(RecordError, match="traits"):
        duel([], b=has("invisible"))
