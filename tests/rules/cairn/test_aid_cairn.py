"""The dying and who helps them: clocks, bandages, whatever closes flesh (cairn.md §2.4, §2.6, §4, row 11)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.cairn.combat.injury import HOUR
from rules.cairn.conditions import BLEEDING_OUT, OUT
from tests.rules.cairn.creatures import Fight, foe, pc
from tests.rules.cairn.test_conditions_cairn import laid, rounds
from tests.rules.table import dice

BLEEDING, MORTAL = BLEEDING_OUT.name, OUT.name
CLUB = {"name": "club", "dice": [20], "hands": 0, "slots": 0, "natural": True}


def clocks(fight: Fight, who: int = 0) -> dict[str, int]:
    """The clocks that run for somebody: name -> rounds left."""
    return {e.name: e.rounds for e in fight.now.figures[who].lasting if e.name in (BLEEDING, MORTAL) and e.rounds}


def struck(*throws: int | None, items: Any = ("sword", "bandages"), hp: int = 6, **says: Any) -> Fight:
    """`b` has struck `a` with a club, and `c` with its things stands by."""
    fight = Fight(
        pc("a", hp_max=hp, **says), pc("c", (1, 2), items=list(items)), foe("b", attacks=[CLUB], hp_max=30),
        throws=throws,
    )  # fmt: skip
    fight.half()
    fight.strike(("b", "a", "club"), side="monsters")
    return fight


def mortal(*more: int | None, **says: Any) -> Fight:
    """`a` has a mortal wound: exactly its 11 HP were lost."""
    return struck(11, *more, hp=11, **says)


def test_a_mortal_wound_kills_within_the_hour() -> None:
    fight = laid(Fight(pc("a"), pc("c", (1, 2)), foe("b", (9, 1))), "a", MORTAL, rounds=2, then="dead")
    rounds(fight, 2)
    assert fight.of("a")["status"] == "dead"


def test_bandages_stop_the_clock_of_a_mortal_wound() -> None:
    fight = mortal()
    assert clocks(fight) == {MORTAL: HOUR}
    fight.do("c", "bandage", target="a")
    fight.half()
    assert clocks(fight) == {}
    assert (fight.of("a")["status"], "stable" in fight.of("a")["conditions"]) == ("incapacitated", True)
    assert fight.now.figures[1].used == (("bandages", 1),)


@pytest.mark.parametrize("item", ["healing salve", "herbs", "book of Cure Wounds"])
@pytest.mark.parametrize("hurt", ["mortal", "critical", "critical and deprived"])
def test_whatever_closes_flesh_stops_the_clock_of_the_deprived_too(item: str, hurt: str) -> None:
    book = item.startswith("book")
    dice = [*([1] if book else []), *([] if item == "herbs" or hurt != "critical" else [2])]
    fight = mortal(*dice, items=[item]) if hurt == "mortal" else struck(10, 20, *dice, items=[item])
    if hurt == "critical and deprived":
        laid(fight, "a", "deprived")
    before = fight.of("a")["str"]
    assert clocks(fight)
    fight.do("c", "cast" if book else "use", item=item, target="a")
    fight.half()
    assert clocks(fight) == {}
    mended = {"herbs": 1, "healing salve": 2, "book of Cure Wounds": 2}[item] if hurt == "critical" else 0
    assert fight.of("a")["str"] == before + mended, "the deprived recover nothing (§4)"


def test_who_is_not_dying_needs_no_bandage() -> None:
    fight = Fight(pc("a"), pc("c", (1, 2), items=["bandages"]), foe("b", (9, 1)))
    assert "no critical damage and no mortal wound" in fight.refusal("c", "bandage", target="a")


def bandaged(*throws: int | None, **says: Any) -> Fight:
    """`a` took critical damage, and `c` has stopped its clock."""
    fight = struck(10, 20, *throws, **says)
    fight.do("c", "bandage", target="a")
    fight.half()
    assert clocks(fight) == {}
    return fight


def test_another_failed_critical_save_starts_a_new_clock_for_the_stabilised() -> None:
    fight = bandaged(1, 20)
    fight.strike(("b", "a", "club"), side="monsters")
    assert clocks(fight) == {BLEEDING: HOUR}
    assert "stable" not in fight.of("a")["conditions"]
    fight.do("c", "bandage", target="a")
    fight.half()
    assert clocks(fight) == {}, "and may be stopped again"


def test_a_save_that_is_passed_leaves_the_stabilised_stable() -> None:
    fight = bandaged(1, 1)
    fight.strike(("b", "a", "club"), side="monsters")
    assert (clocks(fight), "stable" in fight.of("a")["conditions"]) == ({}, True)


def test_a_clock_that_runs_is_not_wound_up_again() -> None:
    fight = struck(*dice("club 10, str save 20, club 1, str save 20"))
    fight.half()
    fight.strike(("b", "a", "club"), side="monsters")
    assert clocks(fight) == {BLEEDING: HOUR - 1}
