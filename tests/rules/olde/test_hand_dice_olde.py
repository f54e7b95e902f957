"""Real dice on the table: which die the rules ask for next, and the same fight whoever throws."""

from __future__ import annotations

import pytest

from rules.contract.actions import Action
from rules.contract.errors import ThrowNeeded
from tests.rules.olde.creatures import Fight, being
from tests.rules.table import dice


def seeded() -> Fight:
    """Ada beside a surprised monster; the dice are the seed's."""
    return Fight(being("a", (1, 1)), being("b", (2, 1), surprised=True))


def asked(fight: Fight, throws: list[int | None], do: str = "attack") -> ThrowNeeded:
    """The die that is asked for when Ada's attack has only these throws."""
    state = fight.rules.with_throws(fight.now, tuple(throws), True)
    (decision,) = fight.rules.decisions(state)
    with pytest.raises(ThrowNeeded) as needed:
        fight.rules.apply(state, decision, Action("a", do, target="b", weapon="broadsword"))
    return needed.value


def test_the_target_is_asked_first_and_then_the_attacker() -> None:
    fight = seeded()
    before: list[int | None] = [None] * fight.rules.thrown(fight.now)
    first = asked(fight, before)
    assert (first.label, first.by, first.rank, first.faces) == ("defense", "b", 8, 8)
    second = asked(fight, [*before, 3, 2])
    assert (second.label, second.by) == ("attack", "a")
    third = asked(fight, [*before, 3, 2, 5, 4])
    assert (third.label, third.by, third.number) == ("damage", "a", len(before) + 4)


def test_an_exploding_die_is_asked_for_again() -> None:
    fight = seeded()
    before: list[int | None] = [None] * fight.rules.thrown(fight.now)
    assert asked(fight, [*before, 8, 2]).label == "defense"
    assert asked(fight, [*before, 8, 2, 1]).label == "attack"


def test_a_fight_counts_its_throws_also_without_a_script() -> None:
    fight = seeded()
    assert fight.rules.thrown(fight.now) == 1


def test_a_seeded_die_among_typed_ones_is_the_one_that_would_have_fallen() -> None:
    plain = seeded()
    whole = plain.do("a", "attack", target="b", weapon="broadsword")
    mixed = seeded()
    count = mixed.rules.thrown(mixed.now)
    mixed.now = mixed.rules.with_throws(mixed.now, (None,) * (count + 20), True)
    assert mixed.do("a", "attack", target="b", weapon="broadsword") == whole


def test_more_throws_than_needed_are_kept_for_later() -> None:
    fight = seeded()
    count = fight.rules.thrown(fight.now)
    fight.now = fight.rules.with_throws(fight.now, (*(None,) * count, 1, 1, 1, 1, 1, 1), True)
    fight.do("a", "attack", target="b", weapon="broadsword")
    assert fight.rules.thrown(fight.now) == count + 5


def test_whoever_strikes_back_throws_for_it() -> None:
    fight = Fight(
        being("a", (1, 1)), being("b", (2, 1)), gm=True,
        throws=dice("action points 8 4, defense 7 7, attack 1 1"),
    )  # fmt: skip
    fight.do("a", "attack", target="b", weapon="broadsword")
    state = fight.rules.with_throws(fight.now, (8, 4, 7, 7, 1, 1), True)
    (decision,) = fight.rules.decisions(state)
    with pytest.raises(ThrowNeeded) as needed:
        fight.rules.apply(state, decision, Action("gm", "choose", option="strike_back"))
    assert (needed.value.label, needed.value.by) == ("damage", "b")
