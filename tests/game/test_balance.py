"""A group under other rules weighs against its party what it did: who comes, who stays, who joins."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game import balance, translation
from game.weights import weight, weights
from rules import record as records
from rules.registry import RULESETS
from tests.bench.fair import ENCOUNTERS


def heroes(*weigh: int) -> list[dict[str, object]]:
    return [{"id": f"h{n}", "side": "heroes", "threat": each} for n, each in enumerate(weigh)]


def foes(*weigh: int) -> list[dict[str, object]]:
    return [{"id": f"f{n}", "side": "monsters", "threat": each} for n, each in enumerate(weigh)]


def brought(before: Sequence[int], after: Sequence[int], certain: Sequence[int] = ()) -> balance.Group:
    """A party of 20 under either rules, against foes who weigh so before and after."""
    return balance.balanced(
        "olde", [*heroes(20), *foes(*before)], "cairn", [*heroes(20), *foes(*after)], certain=certain
    )


def test_the_party_comes_whole_and_of_the_foes_as_many_as_weigh_what_all_did() -> None:
    assert brought([4, 4, 4, 4], [8, 8, 8, 8]) == ((0, 1, 2), ())


def test_a_party_that_weighs_more_there_meets_more() -> None:
    group = balance.balanced("olde", [*heroes(10), *foes(4, 4)], "cairn", [*heroes(20), *foes(4, 4)])
    assert group == ((0, 1, 2), (1, 2))


def test_who_are_too_light_bring_others_in_turn_until_it_is_as_near_as_can_be() -> None:
    assert brought([6, 6], [3, 3]) == ((0, 1, 2), (1, 2))
    assert brought([6, 6], [5, 5]) == ((0, 1, 2), ())
    assert brought([9], [3]) == ((0, 1), (1, 1))


def test_where_some_stay_behind_others_join_only_if_much_is_missing() -> None:
    assert brought([9, 2], [30, 3]) == ((0, 2), (2, 2))
    assert brought([10, 10, 10], [29, 19, 19]) == ((0, 1), ())


def test_nobody_brings_more_than_two() -> None:
    assert len(brought([60, 60], [1, 1]).more) == 4


def test_of_several_that_weigh_as_much_most_come_and_the_first_of_them() -> None:
    assert brought([2, 2, 1, 1], [6, 2, 2, 2]).come == (0, 2, 3, 4)
    assert brought([2, 2, 2], [3, 3, 3]).come == (0, 1, 2)


def test_somebody_comes_however_heavy_and_it_is_the_lightest() -> None:
    assert brought([1, 1], [30, 20]).come == (0, 2)


def test_who_is_certain_comes_and_the_others_fill_what_is_left() -> None:
    assert brought([4, 4, 4, 4], [8, 8, 8, 8], certain=[4]).come == (0, 1, 4)
    assert brought([4, 4], [40, 4], certain=[1]).come == (0, 1)


@pytest.mark.parametrize("sides", [("heroes", "heroes"), ("red", "blue")])
def test_where_nobody_stands_against_a_party_all_come(sides: tuple[str, str]) -> None:
    entries = [{"id": side + str(n), "side": side, "threat": 5} for n, side in enumerate(sides)]
    assert balance.balanced("olde", entries, "cairn", entries) == ((0, 1), ())


@given(
    st.lists(st.integers(1, 30), min_size=1, max_size=9), st.lists(st.integers(1, 30), min_size=1, max_size=9)
)
def test_no_other_choice_is_nearer(before: list[int], after: list[int]) -> None:
    group = brought(before, (after * 9)[: len(before)])
    there = (after * 9)[: len(before)]
    come = [number - 1 for number in group.come[1:]]
    off = abs(sum(before) - sum(there[n] for n in come))
    for mask in range(1, 1 << len(there)):
        total = sum(own for n, own in enumerate(there) if mask >> n & 1)
        assert abs(sum(before) - total) >= off or group.more


@pytest.mark.parametrize("goal", [name for name in RULESETS if name != "olde"])
@pytest.mark.parametrize("drawn", ENCOUNTERS, ids=lambda drawn: drawn.name)
def test_a_translated_group_keeps_its_weight_against_its_party(drawn: object, goal: str) -> None:
    record = drawn.record()  # type: ignore[attr-defined]
    under = translation.translated(record, goal)
    ratio, there = (shares(each) for each in (record, under))
    against = [e for e in under.creatures if e["side"] == "monsters"]
    least = min(weight(goal, entry) for entry in against)
    party = weights(goal, [e for e in under.creatures if e["side"] == "heroes"])
    assert abs(ratio - there) <= max(least / party, 0.05)


def shares(record: records.Record) -> float:
    ours, theirs = (
        weights(record.ruleset, [e for e in record.creatures if e["side"] == side])
        for side in ("heroes", "monsters")
    )
    return theirs / ours


@pytest.mark.parametrize("goal", [name for name in RULESETS if name != "olde"])
def test_who_comes_keeps_id_and_space_and_who_joins_has_a_name_and_a_space_of_its_own(goal: str) -> None:
    for drawn in ENCOUNTERS:
        record = drawn.record()
        under = translation.translated(record, goal)
        before = {str(e["id"]): e for e in record.creatures}
        ids, names = ([str(e.get(key)) for e in under.creatures] for key in ("id", "name"))
        assert len(set(ids)) == len(ids)
        spaces = [tuple(e["at"]) for e in under.creatures]
        assert len(set(spaces)) == len(spaces)
        joined = [e for e in under.creatures if str(e["id"]) not in before]
        assert all(names.count(str(e["name"])) == 1 for e in joined)
        assert [i for i in ids if i in before] == [i for i in before if i in ids], "in their order"
        told = translation.told(record, under)
        away = len(before.keys() - set(ids))
        assert bool(told) == bool(joined or away)
        of = len(before) - sum(entry["side"] == "heroes" for entry in record.creatures)
        assert not away or told.startswith(f"{of - away} of {of} foes")
        assert (" join:" in told) == bool(joined)
