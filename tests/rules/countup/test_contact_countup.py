"""Contact: who stops on it, who is in it from the first second on, what coming into it again costs (countup.md §1)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.contract.units import CreatureIx
from rules.countup.combat.reach import in_reach
from tests.rules.countup.creatures import Fight, being
from tests.rules.table import dice

LANE = ["#" * 40, *["#" + "." * 38 + "#"] * 3, "#" * 40]


def running(option: str | None, *, at: tuple[int, int] = (9, 2), foe: str = "spear") -> Fight:
    """`a` runs from [1, 1] at `b`, who stands at [16, 1], past `c`, a foe beside the lane."""
    fight = Fight(
        being("a", (1, 1)), being("b", (16, 1), weapons=["dagger"]), being("c", at, weapons=[foe]),
        throws=[1, 1, 1, *[None] * 60], rows=LANE,
    )  # fmt: skip
    fight.hold("b", "c", seconds=1)
    fight.do("a", "jog", path=[(2, 1), (3, 1)])
    fight.do("a", "end")
    fight.hold("b", "c", seconds=60)
    fight.do("a", "run", path=[(x, 1) for x in range(4, 12)])
    fight.do("a", "attack", target="b", **({"option": option} if option else {}))
    fight.until("a")
    return fight


def test_a_runner_stops_where_a_foe_reaches_him() -> None:
    assert running(None).of("a")["at"] == [6, 1]


def test_who_charges_stops_for_nobody_on_the_way() -> None:
    fight = running("charge")
    assert [tuple(m["path"][-1]) for m in fight.all("moved")] == [(3, 1), (6, 1), (9, 1), (11, 1)]


def test_a_charger_is_stopped_by_who_stands_in_the_way() -> None:
    """`c` steps onto the lane in front of him."""
    fight = Fight(
        being("a", (1, 1)), being("b", (16, 1)), being("c", (6, 2)), throws=[1, 1, 1, *[None] * 60], rows=LANE
    )
    fight.hold("b", seconds=60)
    fight.do("a", "run", path=[(x, 1) for x in range(2, 10)])
    fight.do("a", "attack", target="b", option="charge")
    fight.do("c", "walk", path=[(6, 1)])
    fight.do("c", "end")
    fight.until("a")
    assert fight.of("a")["at"] == [5, 1]


def test_a_mover_stops_on_contact_with_whomever_he_reaches() -> None:
    """Bound for `b`, he comes within reach of `c`, whose dagger does not reach him: that is contact, too."""
    fight = Fight(
        being("a", (1, 1), weapons=["halberd"]), being("b", (16, 1)), being("c", (6, 3), weapons=["dagger"]),
        throws=[1, 1, 1, *[None] * 60], rows=LANE,
    )  # fmt: skip
    fight.hold("b", "c", seconds=60)
    fight.do("a", "walk", path=[(x, 1) for x in range(2, 9)])
    fight.do("a", "attack", target="b")
    fight.until("a")
    assert fight.of("a")["at"] == [4, 1]


# -- from the first second on


def beside(**a: Any) -> Fight:
    fight = Fight(being("a", (5, 1), **a), being("b", (6, 1)), throws=[1, 1, *[None] * 60], rows=LANE)
    for who in ("a", "b"):
        fight.do(who, "policy", option="stand")
    return fight


def test_who_starts_beside_a_foe_is_engaged_from_the_first_second_on() -> None:
    fight = beside()
    assert fight.second == 1
    assert "engaged" in fight.refusal("a", "jog", path=[(4, 1), (3, 1)])
    fight.hold("b", seconds=60)
    fight.do("a", "flee", path=[(4, 1), (3, 1), (2, 1)])
    assert fight.all("question")[0]["kind"] == "fleer"


def test_a_weapon_drawn_beside_a_foe_in_the_first_second_is_drawn_in_melee() -> None:
    fight = beside(weapons=["longsword", "dagger"])
    fight.do("a", "ready", weapon="dagger")
    fight.hold("b", seconds=1)
    assert fight.of("a")["due"] == 1 + 7


def test_the_first_second_is_first_contact_for_who_starts_beside_a_foe() -> None:
    fight = Fight(
        being("a", (5, 1), weapons=["dagger"], hp_max=5), being("b", (6, 1), hp_max=5),
        throws=dice("initiative 1 1, defence 2, attack 15, damage 5 6"), rows=LANE,
    )  # fmt: skip
    for who, foe in (("a", "b"), ("b", "a")):
        fight.do(who, "policy", option="stand")
        fight.do(who, "attack", target=foe)
    assert [blow["by"] for blow in fight.all("attack")] == ["b"], "3½ ft before 1 ft"


# -- into contact again


def test_who_fled_and_is_in_contact_again_has_its_count_anew() -> None:
    """Fled in second 1, due in 11; back in contact in second 5: due in 15."""
    fight = beside(reduction=20)
    fight.hold("b", seconds=60)
    fight.do("a", "flee", path=[(4, 1), (3, 1)])
    fight.do("b", "choose", option="strike")
    assert fight.of("a")["due"] == 11
    while fight.second < 5:
        fight.hold(fight.waiting[0], seconds=1)
    start = fight.of("a")["at"][0]
    fight.do("a", "jog", path=[(x, 1) for x in range(start + 1, 6)])
    fight.do("a", "attack", target="b")
    fight.until("a")
    met = [second for second, moved in fight.told("moved") if moved["path"][-1] == (5, 1)]
    struck = [second for second, blow in fight.told("attack") if blow["by"] == "a"]
    assert struck[0] == met[0] + 10


def test_who_only_walked_away_keeps_its_count() -> None:
    fight = beside()
    fight.hold("b", seconds=60)
    fight.do("a", "walk", path=[(4, 1)])
    fight.do("a", "end")
    fight.until("a")
    fight.do("a", "walk", path=[(5, 1)])
    fight.do("a", "attack", target="b")
    fight.until("a", 4)
    assert fight.all("attack"), "still due, it strikes on contact"


@pytest.mark.parametrize(("row", "reaches"), [(1, True), (2, False)])
def test_a_large_one_reaches_past_a_foe_that_stands_beside_the_line(row: int, reaches: bool) -> None:
    """Rows 1 and 2 are its own; who is struck at stands in row 2, two spaces off."""
    large = being("a", (1, 1), size="L", space=2, weapons=["spear"])
    fight = Fight(large, being("b", (4, 2)), being("c", (3, row)), throws=[1, 1, 1])
    assert in_reach(fight.now, CreatureIx(0), CreatureIx(1), fight.now.setup.armoury.weapons["spear"]) is reaches
