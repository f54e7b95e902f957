"""Detachments, held blows, the light, and what silence and deafness stop (cairn.md §2.10–2.13, §3)."""

from __future__ import annotations

from typing import Any

import msgspec

from rules.board.grid import Field
from tests.rules.cairn.creatures import Fight, foe, pc
from tests.rules.cairn.test_conditions_cairn import laid
from tests.rules.table import dice

DARK = msgspec.structs.replace(Field.from_rows(["#" * 12, *["#" + "." * 10 + "#"] * 3, "#" * 12]), ambient="dark")


def test_between_detachments_dice_are_plain() -> None:
    mass: dict[str, Any] = {"detachment": True, "hp_max": 9}
    fight = Fight(pc("a", **mass), foe("b", **mass), throws=dice("sword 8"))
    assert fight.strike(("a", "b", "sword"))["rolls"][0]["dice"] == "1d8"


def test_a_blast_on_a_detachment_is_not_impaired() -> None:
    fire = {"name": "fire", "dice": [8], "hands": 0, "slots": 0, "natural": True, "blast": "adjacent"}
    fight = Fight(pc("a", attacks=[fire]), foe("b", detachment=True, hp_max=9), throws=dice("fire 8"))
    assert fight.strike(("a", "b", "fire"))["rolls"][0]["dice"] == "1d8"


def test_a_detachment_at_strength_nought_is_destroyed() -> None:
    fight = Fight(pc("a"), foe("b", detachment=True, hp_max=0, strength=4), throws=dice("sword 4"))
    fight.strike(("a", "b", "sword"))
    assert fight.of("b")["status"] == "dead"


def test_a_foe_in_the_dark_is_struck_impaired_by_its_own_light_not_by_mine() -> None:
    creatures = pc("a", items=["bow"]), foe("b", (6, 2), hp_max=9)
    fight = Fight(*creatures, field=DARK, darkness=True, throws=dice("bow 2"))
    assert fight.strike(("a", "b", "bow"))["rolls"][0]["dice"] == "1d4"
    fight = Fight(creatures[0], {**creatures[1], "light": 8}, field=DARK, darkness=True, throws=dice("bow 2"))
    assert fight.strike(("a", "b", "bow"))["rolls"][0]["dice"] == "1d6"
    fight = Fight({**creatures[0], "dark_sight": True}, creatures[1], field=DARK, darkness=True, throws=dice("bow 2"))
    assert fight.strike(("a", "b", "bow"))["rolls"][0]["dice"] == "1d6"


def test_the_deaf_do_not_hear_a_wail_and_others_save() -> None:
    fight = Fight(pc("a"), pc("c", (1, 3)), foe("b", powers=["Wail"]), throws=dice("wil save 11"))
    laid(fight, "a", "deaf")
    fight.half()
    fight.do("b", "cast", item="Wail")
    fight.half("monsters")
    assert "unconscious" not in fight.of("a")["conditions"]
    assert "unconscious" in fight.of("c")["conditions"]


def test_the_silenced_read_no_books_and_wail_not() -> None:
    fight = laid(Fight(pc("a", items=["book of Sleep"]), foe("b", powers=["Wail"])), "a", "silenced")
    assert "voice" in fight.refusal("a", "cast", item="book of Sleep", target="b")
    laid(fight, "b", "silenced")
    fight.half()
    assert "voice" in fight.refusal("b", "cast", item="Wail")


def test_a_blow_that_a_foe_holds_ready_waits_for_the_partys_next_half() -> None:
    fight = Fight(pc("a"), foe("b", (4, 1)), throws=dice("claws 3"))
    fight.half()
    fight.do("b", "ready", weapon="claws")
    fight.half("monsters")
    fight.do("a", "move", path=[[2, 1], [3, 1]])
    events = fight.half()
    assert [(e["by"], e["target"]) for e in events if e["event"] == "attack"] == [("b", "a")]


def test_nobody_is_told_by_a_refusal_where_the_unseen_stands() -> None:
    fight = Fight(pc("a"), foe("b", (4, 1), innate=["unseen"]))
    fight.do("a", "move", path=[[2, 1], [3, 1], [4, 1], [5, 1]])
    fight.half()
    assert fight.of("a")["at"] == [3, 1]


def test_one_stands_over_who_is_down() -> None:
    fight = Fight(pc("a", hp_max=0), pc("c", (1, 3)), foe("b"), throws=dice("claws 6, str save 20"))
    fight.half()
    fight.strike(("b", "a", "claws"), side="monsters")
    assert "critical" in fight.of("a")["conditions"]
    fight.do("c", "move", path=[[1, 2], [1, 1]])
    fight.half()
    assert fight.of("c")["at"] == [1, 1]


def test_a_thrown_seed_bursts_and_is_gone() -> None:
    fight = Fight(pc("a", items=["fireseed"]), foe("b", (5, 1), hp_max=9), throws=dice("fireseed 6"))
    fight.strike(("a", "b", "fireseed"))
    assert fight.of("b")["hp"] == 3
    assert fight.state["floor"] == []
    assert "fireseed" not in fight.of("a")["hands"]


# -- what a refusal names


def test_a_refusal_names_the_field_that_is_wrong() -> None:
    fight = Fight(pc("a", items=["scroll of Web", "herbs"]), foe("b", (9, 1)), rows=["." * 24] * 3)
    assert fight.refusal("a", "use", item="scroll of Web", at=[20, 0]).startswith("use: at: ")
    assert fight.refusal("a", "use", item="herbs", target="b").startswith("use: target: ")
    assert "cannot be used" in fight.refusal("a", "use", item="sword")


def test_a_refusal_names_nobody_whom_ones_side_does_not_see() -> None:
    fight = Fight(pc("a", (1, 1)), foe("b", (3, 1)), foe("c", (7, 1)), rows=["#########", "#...#...#", "#########"])
    assert fight.refusal("a", "attack", target="x", weapon="sword").endswith("there are b")


def test_a_refusal_knows_how_far_long_arms_reach() -> None:
    fight = laid(Fight(pc("a"), foe("b", (4, 1))), "a", "elastic")
    assert fight.refusal("a", "attack", target="b", weapon="sword").endswith("the sword reaches 2")
