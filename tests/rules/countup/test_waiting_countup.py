"""Who is due and not in contact stays due and strikes on contact (countup.md §1)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.countup.creatures import Fight, being
from tests.rules.table import dice


def coming(*throws: int | None, a: Any = None, b: Any = None, gap: int = 5, **more: Any) -> Fight:
    """`a` stands at [1, 1] with a longsword, `b` with a dagger `gap` spaces off; both may act from the first second."""
    first = being("a", (1, 1), **(a or {}))
    second = being("b", (1 + gap, 1), weapons=["dagger"], **(b or {}))
    fight = Fight(first, second, throws=[1, 1, *throws, *[None] * 40], **more)
    fight.do("a", "policy", option="stand")
    fight.do("b", "policy", option="stand")
    return fight


def comes(fight: Fight, to: int, gait: str = "jog") -> None:
    """`b` jogs up to column `to` and attacks `a`."""
    start = fight.of("b")["at"][0]
    fight.do("b", gait, path=[(x, 1) for x in range(start - 1, to - 1, -1)])
    fight.do("b", "attack", target="a")


def blows(fight: Fight) -> list[tuple[int, str]]:
    """(second, by whom) of every blow."""
    return [(second, blow["by"]) for second, blow in fight.told("attack")]


def test_who_waits_with_the_longer_reach_strikes_first_on_contact() -> None:
    """The dagger is there in second 2: the longsword has stayed due, and strikes before it in that second."""
    fight = coming(2, 15, 5, 6, 2, 3, gap=5)
    fight.do("a", "attack", target="b")
    comes(fight, 2)
    assert blows(fight)[:3] == [(2, "a"), (2, "b"), (9, "b")], "a dagger is due after seven seconds more"


def test_who_waits_kills_before_he_is_struck() -> None:
    fight = coming(2, 15, 5, 6, b={"hp_max": 5})
    fight.do("a", "attack", target="b")
    comes(fight, 2)
    assert blows(fight) == [(2, "a")]
    assert fight.state["over"] == "heroes"


def test_a_halberd_strikes_at_ten_feet_whoever_stops_there() -> None:
    fight = coming(2, 15, 5, 6, a={"weapons": ["halberd"]}, gap=6)
    fight.do("a", "attack", target="b")
    comes(fight, 2, "walk")
    assert [blow["by"] for blow in fight.all("attack")] == ["a"]
    assert fight.of("b")["at"] == [3, 1], "the point reaches two spaces, the dagger one"


@pytest.mark.parametrize("weapon, spaces", [("halberd", 2), ("spear", 3), ("longsword", 1)])
def test_a_foe_is_held_at_bay_from_a_stand_as_he_comes(weapon: str, spaces: int) -> None:
    fight = coming(2, 15, a={"weapons": [weapon]}, gap=7)
    fight.do("a", "hold_at_bay", target="b")
    comes(fight, 2, "walk")
    assert fight.blow["action"] == "hold_at_bay"
    assert fight.of("b")["at"] == [1 + spaces, 1]
    assert "held at bay" in fight.of("b")["conditions"]


def test_who_waits_for_one_is_asked_when_another_comes() -> None:
    fight = Fight(being("a", (1, 1)), being("b", (12, 5)), being("c", (5, 1)), throws=dice("initiative 1 1 1"))
    fight.hold("b", seconds=60)
    fight.do("a", "attack", target="b")
    fight.do("c", "walk", path=[(4, 1), (3, 1), (2, 1)])
    fight.do("c", "end")
    assert fight.second == 4
    assert "a" in fight.waiting
    assert next(d for d in fight.rules.decisions(fight.now) if d.by == "a").prompt == "c comes close to a"


def test_who_waits_is_asked_again_after_ten_seconds() -> None:
    fight = coming(gap=15)
    fight.hold("b", seconds=60)
    fight.do("a", "attack", target="b")
    assert (fight.second, fight.waiting) == (11, ["a"])
    assert fight.rules.decisions(fight.now)[0].prompt == "a has waited"


def test_no_charge_from_a_stand() -> None:
    fight = coming(gap=8)
    assert "charge needs 20 ft" in fight.refusal("a", "attack", target="b", option="charge")


def test_who_has_met_and_parted_does_not_wait_again() -> None:
    """A step back out of reach: `a` is asked in the next second, though its ten seconds are not over."""
    fight = coming(2, 3, 2, 3, gap=5)
    fight.do("a", "attack", target="b")
    comes(fight, 2)
    fight.until("b")
    fight.do("b", "walk", path=[(3, 1), (4, 1)])
    fight.do("b", "end")
    assert "a" in fight.waiting


def test_the_order_says_that_it_waits() -> None:
    fight = coming(gap=6)
    legal = fight.rules.legal(fight.now, fight._decision("a"))
    offers = {offer.do: offer for offer in legal.offers()}
    assert not offers["attack"].actions, "a click on a foe far off never means to stand and wait"
    kinds = {(kind.do, kind.description.label) for kind in offers["await"].inside}
    assert {("attack", "Attack"), ("attack", "Jab"), ("hold_at_bay", "Hold at bay by a jab")} <= kinds
    assert all(action in legal for action in offers["await"].actions)
    said = fight.rules.describe(fight.now, offers["await"].actions[0])
    assert said.cost == "on contact"
    assert any("Waits up to 10 s" in note for note in said.notes)


def test_policies_that_are_not_in_force_stand_under_one_button() -> None:
    fight = Fight(being("a", (1, 1)), being("b", (6, 1)), throws=[1, 1, *[None] * 20])

    def offered() -> list[str | None]:
        offers = fight.rules.legal(fight.now, fight._decision("a")).offers()
        return [action.option for offer in offers if offer.do == "policy" for action in offer.actions]

    assert offered() == ["stand", "yield", "press"]
    fight.do("a", "policy", option="press")
    fight.do("a", "policy", option="stand")
    assert offered() == ["yield", "ask", "keep"]
    legal = fight.rules.legal(fight.now, fight._decision("a"))
    assert not any(action.do == "policy" for action in legal), "nothing comes of one alone, so none is listed"
