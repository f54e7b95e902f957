"""Casting with scripted dice: what it costs, what is thrown in which order; bolts, cones, blasts, lines and bursts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.olde.creatures import Fight, being
from tests.rules.olde.spellbook import cast, effects, mage
from tests.rules.table import dice

# -- the casting itself -----------------------------------------------------------------------------------


def test_the_target_throws_first_then_the_casting_then_the_effect() -> None:
    fight = mage(dice("defense 2 3, casting 3 4, effect 5"), "ember bolt")
    event = cast(fight, "ember bolt", target="b")
    assert [(roll["label"], roll["total"]) for roll in event["rolls"]] == [
        ("defense", 5),
        ("casting", 7),
        ("effect", 5),
    ]
    assert list(event["resisted"]) == [{"target": "b", "rating": 5, "holds": True, "damage": 8}]
    assert (event["what"], event["cost"], event["success"], event["total"]) == ("mana", 1, True, 7)
    assert (fight.of("a")["ap"], fight.of("a")["mana"], fight.of("b")["hp"]) == (6, 11, 15)


def test_the_caster_succeeds_on_equal_and_pays_in_vain_below() -> None:
    assert cast(mage(dice("defense 3 4, casting 3 4, effect 1"), "ember bolt"), "ember bolt", target="b")["success"]
    fight = mage(dice("defense 4 4, casting 3 4"), "ember bolt")
    event = cast(fight, "ember bolt", target="b")
    assert not event["success"] and fight.used == 6
    assert (fight.of("a")["mana"], fight.of("b")["hp"]) == (11, 23)


def test_without_the_skill_minus_two_and_with_a_rank_its_bonus() -> None:
    for skills, plus in (({}, -2), ({"Wizardry": "Foreman"}, 2)):
        event = cast(
            mage(dice("defense 1 1, casting 3 4, effect 1"), "ember bolt", skills=skills), "ember bolt", target="b"
        )
        assert event["total"] == 7 + plus
        (adjustment,) = event["rolls"][1]["adjustments"]
        assert (adjustment["value"], adjustment["to"]) == (plus, "cast")


@pytest.mark.parametrize(("shield", "penalty"), [("buckler", -1), ("targe", -2), ("kite", -3)])
def test_a_shield_hinders_gestures_and_only_them(shield: str, penalty: int) -> None:
    armed: dict[str, Any] = {"shield": shield, "ready": [shield], "brawn": 12}
    assert (
        cast(mage(dice("defense 1 1, casting 3 4, effect 1"), "ember bolt", **armed), "ember bolt", target="b")["total"]
        == 7 + penalty
    )
    assert cast(mage(dice("casting 3 4"), "light", **armed), "light", at=(3, 4))["total"] == 7
    away: dict[str, Any] = {**armed, "ready": []}
    assert (
        cast(mage(dice("defense 1 1, casting 3 4, effect 1"), "ember bolt", **away), "ember bolt", target="b")["total"]
        == 7
    )


def test_bolts_suffer_from_poor_sight_and_other_spells_do_not() -> None:
    rows = ["###############", *["#.............#"] * 3, "#....#........#", *["#.............#"] * 3, "###############"]
    for spell, total in (("ember bolt", 9 - 6), ("slow", 9)):
        hero = being("a", (3, 4), savvy=8, spells=[spell], skills={"Wizardry": "Apprentice"}, weapons=[])
        throws = [8, 4, 1, 1, 4, 5, *([1] if spell == "ember bolt" else [])]
        fight = Fight(hero, being("b", (7, 4), brawn=20), throws=throws, rows=rows)
        assert cast(fight, spell, target="b")["total"] == total


def test_the_helpless_do_not_dodge_and_the_fallen_resist_nothing() -> None:
    fight = mage(
        dice("casting 3 3, effect 5"),
        "ember bolt",
        b={"hp": -2},
        others=(being("c", (12, 1), "monsters"),),
        start=[8, 1],
    )
    event = cast(fight, "ember bolt", target="b")
    assert event["resisted"][0]["rating"] == 6 and event["success"]


def test_armor_helps_against_most_and_not_against_what_pierces() -> None:
    plated = {"armor": "chainmail"}
    assert (
        cast(mage(dice("defense 1 1, casting 3 4, effect 5"), "ember bolt", b=plated), "ember bolt", target="b")[
            "resisted"
        ][0]["damage"]
        == 5
    )
    searing = cast(
        mage(dice("defense 1 1, casting 3 4, effect 5"), "searing light", b=plated), "searing light", target="b"
    )
    assert searing["resisted"][0]["damage"] == 9 and searing["what"] == "faith"


def test_a_spells_blow_may_stun_and_fell_like_any_other() -> None:
    fight = mage([1, 1, 5, 4, 8, 4, 1, 2], "ember bolt", b={"brawn": 8})
    cast(fight, "ember bolt", target="b")
    assert fight.of("b")["hp"] < 0 and fight.of("b")["status"] == "incapacitated"
    fight = mage(dice("defense 1 1, casting 5 4, effect 5, brawn 1 2"), "ember bolt", b={"brawn": 8})
    cast(fight, "ember bolt", target="b")
    assert fight.of("b")["conditions"] == ["stunned"]


def test_the_fallen_may_be_aimed_at_by_whatever_strikes() -> None:
    """A bolt, and one whose cold stays: what harms asks only who may be struck."""
    for spell, throws in (("ember bolt", [3, 4, 3]), ("frost shard", [3, 4, 3])):
        fight = mage(throws, spell, b={"hp": -2}, start=[8, 1], others=(being("c", (9, 6)),))
        assert cast(fight, spell, target="b")["success"]


# -- what is refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("says", "target", "said"),
    [
        ({}, {"target": "a"}, "same side"),
        ({}, {"target": "z"}, "nobody here"),
        ({}, {}, "needs a creature"),
        ({"at": (1, 1), "foe": (13, 7)}, {"target": "b"}, "12 spaces away"),
    ],
)
def test_what_cannot_be_cast_is_refused_with_the_reason(says: Any, target: Any, said: str) -> None:
    fight = mage([], "ember bolt", **says)
    assert said in fight.refusal("a", "cast", item="ember bolt", **target)
    assert fight.of("a")["mana"] == says.get("mana", 12)


def test_without_the_mana_no_spell() -> None:
    fight = mage([], "sleep", mana=2)
    assert "costs 4 Mana, 3 left" in fight.refusal("a", "cast", item="sleep", target="b")


def test_only_known_spells_and_one_action_a_round() -> None:
    fight = mage(dice("defense 1 1, casting 3 4, effect 1"), "ember bolt")
    assert "known: ember bolt" in fight.refusal("a", "cast", item="sleep", target="b")
    assert "item" in fight.refusal("a", "cast", target="b")
    cast(fight, "ember bolt", target="b")
    assert "one action" in fight.refusal("a", "cast", item="ember bolt", target="b")
    assert "knows no spell" in Fight(being("a"), being("b", (3, 1)), throws=dice("action points 8 4")).refusal(
        "a", "cast", item="sleep"
    )


def test_a_wall_between_stops_spells() -> None:
    rows = ["#######", "#..#..#", "#######"]
    hero = being("a", (1, 1), spells=["sleep", "fire blast"], skills={"Wizardry": "Apprentice"})
    fight = Fight(hero, being("b", (5, 1)), throws=dice("action points 8 4"), rows=rows)
    assert "no line of sight" in fight.refusal("a", "cast", item="sleep", target="b")
    assert "no line of sight" in fight.refusal("a", "cast", item="fire blast", at=(5, 1))
    assert "no open space" in fight.refusal("a", "cast", item="fire blast", at=(3, 1))


# -- harm -------------------------------------------------------------------------------------------------


def test_ember_bolt() -> None:
    fight = mage(dice("defense 2 3, casting 3 4, effect 8 1, brawn 9 9"), "ember bolt")
    assert cast(fight, "ember bolt", target="b")["resisted"][0]["damage"] == 8 + 1 + 3, "the effect roll explodes"


def test_frost_shard_cuts_and_slows_the_next_reset() -> None:
    fight = mage(dice("defense 2 3, casting 3 4, effect 2"), "frost shard")
    cast(fight, "frost shard", target="b")
    assert (fight.of("b")["hp"], fight.of("b")["conditions"]) == (20, ["slowed"])
    assert effects(fight, "b") == [("frost shard", 2)]


def test_lightning_lance_goes_through_everybody_in_its_line_past_armor() -> None:
    others = (being("c", (9, 4), "monsters", armor="chainmail", brawn=20), being("d", (9, 5), "monsters"))
    fight = mage(dice("b finesse 1 1, c finesse 4 4, casting 3 4, effect 3"), "lightning lance", others=others)
    event = cast(fight, "lightning lance", at=(5, 4))
    assert [list(space) for space in event["cells"]] == [[x, 4] for x in range(4, 12)]
    assert [(r["target"], r["holds"], r["damage"]) for r in map(_plain, event["resisted"])] == [
        ("b", True, 5), ("c", False, 0),
    ]  # fmt: skip


def _plain(resisted: dict[str, Any]) -> dict[str, Any]:
    return {"damage": 0, **resisted}


def test_fan_of_flame_is_as_wide_as_it_is_far_and_spares_no_friend() -> None:
    fight = mage(
        dice("b finesse 1 1, aa finesse 1 1, casting 3 4, effect 3"),
        "fan of flame",
        foe=(5, 4),
        others=(being("aa", (6, 5), "heroes", brawn=20),),
    )
    event = cast(fight, "fan of flame", at=(5, 4))
    assert sorted(map(tuple, event["cells"])) == [(4, 4), (5, 3), (5, 4), (5, 5), (6, 3), (6, 4), (6, 5)]
    assert [r["target"] for r in event["resisted"]] == ["b", "aa"]
    assert (fight.of("b")["hp"], fight.of("aa")["hp"]) == (17, 17)


def test_fire_blast_burns_all_within_a_space_and_stops_at_walls() -> None:
    others = (being("c", (8, 5), "monsters", brawn=20), being("d", (9, 4), "monsters"))
    fight = mage(dice("b finesse 1 1, c finesse 5 5, casting 3 4, effect 2"), "fire blast", others=others)
    event = cast(fight, "fire blast", at=(7, 4))
    assert len(event["cells"]) == 9 and list(event["at"]) == [7, 4]
    assert [(r["target"], r["holds"]) for r in event["resisted"]] == [("b", True), ("c", False)]
    assert (fight.of("b")["hp"], fight.of("d")["hp"], fight.of("a")["mana"], fight.of("a")["ap"]) == (17, 11, 9, 5)
    corner = cast(mage(dice("finesse 1 1, casting 3 4, effect 1"), "fire blast", foe=(12, 6)), "fire blast", at=(13, 7))
    assert len(corner["cells"]) == 4, "nothing burns behind a wall"


def test_thunderclap_rolls_over_all_beside_the_caster_but_not_the_caster() -> None:
    fight = mage(dice("brawn 1 1, casting 3 4, effect 5"), "thunderclap", foe=(4, 5), b={"armor": "chainmail"})
    event = cast(fight, "thunderclap")
    assert list(event["resisted"]) == [{"target": "b", "rating": 2, "holds": True, "damage": 3 + 3}]
    assert fight.of("a")["hp"] == 12
    far = mage([], "thunderclap")
    assert "near enough" in far.refusal("a", "cast", item="thunderclap")


def test_searing_light() -> None:
    fight = mage(dice("defense 2 3, casting 3 4, effect 3"), "searing light")
    assert cast(fight, "searing light", target="b")["resisted"][0]["damage"] == 7
    assert (fight.of("a")["faith"], fight.of("a")["mana"]) == (10, 12)
