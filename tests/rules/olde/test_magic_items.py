"""Potions, scrolls and devices with scripted dice (olde.md §4 use, §9 items)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.rules.olde.creatures import Fight, being
from tests.rules.olde.spellbook import HALL, effects, next_turn
from tests.rules.olde.test_magic_content import GRIMOIRE
from tests.rules.table import dice

READER: dict[str, Any] = {"skills": {"Literacy": "Apprentice"}}


def user(throws: Sequence[int | None], *items: str, others: Any = (), start: Any = None, **says: Any) -> Fight:
    """`a` with items at [3, 4] and foe `b` at [7, 4], 23 HP; `a` acts first with 8 AP."""
    first = start or [8, 4, *[1] * len(others)]
    hero = being("a", (3, 4), items=list(items), **says)
    return Fight(hero, being("b", (7, 4), brawn=20), *others, throws=[*first, *throws], rows=HALL)


def use(fight: Fight, item: str, **says: Any) -> dict[str, Any]:
    return fight.last("cast", fight.do("a", "use", item=item, **says))


@pytest.mark.parametrize(("item", "face", "rank"), [("healing draught", 6, 7), ("strong healing draught", 9, 11)])
def test_healing_draughts_heal_by_the_makers_die_without_a_check(item: str, face: int, rank: int) -> None:
    fight = user([face], item, item, hp=1)
    event = use(fight, item, target="a")
    assert [(roll["label"], roll["dice"]) for roll in event["rolls"]] == [("effect", f"1d{rank}!")]
    assert (event["what"], event["item"], fight.of("a")["hp"]) == ("item", item, min(11, 1 + face + 1))
    assert (fight.of("a")["ap"], fight.of("a")["items"]) == (5, [item])
    assert fight.last("item")["how"] == "spent"


def test_a_draught_is_given_to_a_fallen_friend_beside_one_and_no_farther() -> None:
    friends = (being("aa", (4, 5), "heroes", hp=-1), being("ab", (5, 4), "heroes", hp=3))
    fight = user(dice("effect 5"), "healing draught", others=friends, start=[8, 4, 1])
    assert "2 spaces away" in fight.refusal("a", "use", item="healing draught", target="ab")
    use(fight, "healing draught", target="aa")
    assert (fight.of("aa")["hp"], fight.of("aa")["conditions"]) == (4, [])
    told = fight.last("condition")
    assert (told["target"], told["condition"], told["gained"]) == ("aa", "incapacitated", False)
    assert "items" not in fight.of("a")


def test_a_draught_without_a_target_is_drunk_oneself() -> None:
    fight = user(dice("effect 5"), "healing draught", hp=3)
    use(fight, "healing draught")
    assert fight.of("a")["hp"] == 3 + 5 + 1


def test_draught_of_haste_and_stone_oil_last() -> None:
    fight = user([8, 1, 3, 1], "draught of haste")
    use(fight, "draught of haste", target="a")
    assert effects(fight, "a") == [("haste", 3)]
    next_turn(fight)
    assert fight.of("a")["ap"] == 8 + 2
    fight = user([], "stone oil")
    use(fight, "stone oil", target="a")
    assert effects(fight, "a") == [("stoneskin", 3)]


def test_odds_against_whom_a_ward_alone_covers_name_no_armor() -> None:
    fight = Fight(being("a", (1, 1), items=["stone oil"]), being("b", (2, 1)), throws=[8, 4])
    use(fight, "stone oil", target="a")
    fight.end("a")
    found = fight.rules.odds(fight.now, fight._action("b", "attack", {"target": "a", "weapon": "broadsword"}))
    assert found is not None
    assert [text for text, rule in found.notes if rule == "olde.md §6 armor"] == []


def test_antidote_ends_what_ails() -> None:
    fight = user([], "antidote", conditions=["bleeding", "slowed"], start=[1, 1, 8, 4])
    use(fight, "antidote", target="a")
    assert fight.of("a")["conditions"] == []


@pytest.mark.parametrize(("item", "pool", "top"), [("draught of Mana", "mana", 9), ("holy water", "faith", 9)])
def test_mana_and_faith_out_of_a_bottle(item: str, pool: str, top: int) -> None:
    fight = user(dice("effect 7"), item, **{pool: 0})
    use(fight, item, target="a")
    assert fight.of("a")[pool] == 0 + 1 + 7, "1 came back in the reset; a d7 shows 7 and does not explode here"
    fight = user(dice("effect 8"), item, **{pool: 7})
    use(fight, item, target="a")
    assert fight.of("a")[pool] == top, "8 counts 4 on a d7, and the pool is full"
    assert "does not need" in user([], item).refusal("a", "use", item=item, target="a")


def test_scrolls_are_cast_by_their_writers_stat_without_mana_skill_or_gesture() -> None:
    armed: dict[str, Any] = {"shield": "kite", "ready": ["kite"], "brawn": 12, "weapons": []}
    fight = user(dice("finesse 1 1, casting 4 5, effect 3"), "scroll of fire blast", **READER, **armed)
    event = use(fight, "scroll of fire blast", at=(7, 4))
    assert [roll["dice"] for roll in event["rolls"]] == ["2d8!", "2d9!", "1d9!"]
    assert (event["total"], "adjustments" in event["rolls"][1]) == (9, False)
    assert (fight.of("b")["hp"], fight.of("a")["mana"]) == (23 - 3 - 4, 9)


def test_nobody_reads_untaught_and_nobody_reads_silenced() -> None:
    fight = user([], "scroll of sleep")
    assert "Literacy" in fight.refusal("a", "use", item="scroll of sleep", target="b")
    (decision,) = fight.rules.decisions(fight.now)
    offer = next(o for o in fight.rules.legal(fight.now, decision).offers() if o.do == "use")
    assert offer.refused == "nobody reads the scroll of sleep without Literacy"
    caster = being("z", (4, 4), "monsters", finesse=9, savvy=8, spells=["silence"], skills={"Wizardry": "Apprentice"})
    fight = user(dice("nerve 1 1, casting 4 5"), "scroll of sleep", **READER, others=(caster,), start=[8, 4, 9])
    fight.do("z", "cast", item="silence", target="a")
    fight.end("z")
    assert "silenced" in fight.refusal("a", "use", item="scroll of sleep", target="b")


def test_nobody_reads_dazed() -> None:
    fight = user([], "scroll of sleep", **READER, conditions=["dazed"])
    assert (
        fight.refusal("a", "use", item="scroll of sleep", target="b")
        == "use: item: dazed: no spells, from a scroll either"
    )


def test_scroll_of_sleep_mending_and_stone() -> None:
    fight = user(dice("nerve 1 1, casting 4 5"), "scroll of sleep", **READER)
    use(fight, "scroll of sleep", target="b")
    assert fight.of("b")["conditions"] == ["asleep"]
    fight = user(dice("casting 3 4, effect 5"), "scroll of mending", hp=2, **READER)
    assert use(fight, "scroll of mending", target="a")["rating"] == 6
    assert fight.of("a")["hp"] == 2 + 5 + 1
    fight = user(dice("casting 4 5"), "scroll of stone", **READER)
    assert len(use(fight, "scroll of stone", at=(5, 4))["cells"]) == 5


def test_what_one_carries_more_than_one_of_is_offered_with_its_number() -> None:
    fight = user([], "healing draught", "antidote", "healing draught", hp=3, conditions=["slowed"])
    (decision,) = fight.rules.decisions(fight.now)
    (offer,) = [o for o in fight.rules.legal(fight.now, decision).offers() if o.do == "use"]
    assert [str(each.description.label) for each in offer.inside] == ["Healing draught (2)", "Antidote"]


def test_devices_need_no_letters() -> None:
    fight = user(dice("finesse 1 1, casting 4 5"), "flash powder")
    use(fight, "flash powder", target="b")
    assert fight.of("b")["conditions"] == ["blinded"]
    near = being("c", (4, 4), "monsters", brawn=20)
    fight = user(dice("brawn 1 1, casting 4 5, effect 3"), "thunder gong", others=(near,))
    use(fight, "thunder gong")
    assert fight.of("c")["hp"] == 23 - (2 + 3)


def test_use_costs_three_or_everything_and_only_what_is_carried() -> None:
    fight = user(dice("effect 5"), "healing draught", hp=3, start=[2, 1])
    assert fight.of("a")["ap"] == 2
    assert "carried: healing draught" in fight.refusal("a", "use", item="antidote", target="a")
    use(fight, "healing draught", target="a")
    assert fight.of("a")["ap"] == 0
    assert "carries no potion" in Fight(being("a"), being("b", (3, 1)), throws=dice("action points 8 4")).refusal(
        "a", "use", item="x"
    )


def test_every_item_has_a_test_of_its_own_here() -> None:
    with open(__file__, encoding="utf-8") as file:
        text = file.read()
    assert [name for name in GRIMOIRE.items if f'"{name}"' not in text] == []
