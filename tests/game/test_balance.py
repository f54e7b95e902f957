"""A group under other rules weighs against its party what it did: who comes, who stays, who joins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from game.content import balance, translation
from game.content import balance as weighing
from game.content.balance import Figures, as_hard, odds, weight, weights
from game.content.encounter import find_map
from game.maps.tiled import load_map
from rules.contract.units import Cell
from rules.core import record as records
from rules.core.registry import RULESETS
from tests.bench.fair import ENCOUNTERS, Drawn

LEVEL = Figures({}, {}, 5.0)
"""Odds that change as quickly with the weights under all rules, and on all maps."""


@pytest.fixture
def level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighing, "figures", lambda ruleset: LEVEL)


def heroes(*weigh: int) -> list[dict[str, Any]]:
    return [{"id": f"h{n}", "side": "heroes", "threat": each} for n, each in enumerate(weigh)]


def foes(*weigh: int) -> list[dict[str, Any]]:
    return [{"id": f"f{n}", "side": "monsters", "threat": each} for n, each in enumerate(weigh)]


def brought(before: Sequence[int], after: Sequence[int], certain: Sequence[int] = ()) -> balance.Group:
    """A party of 20 under either rules, against foes who weigh so before and after."""
    return balance.balanced(
        "olde", [*heroes(20), *foes(*before)], "cairn", [*heroes(20), *foes(*after)], certain=certain
    )


def light(own: float, wanted: float, there: Sequence[object]) -> bool:
    return own <= balance.LIGHT * wanted and len(there) <= balance.FEW


@pytest.mark.usefixtures("level")
class TestNumbers:
    def test_the_party_comes_whole_and_of_the_foes_as_many_as_weigh_what_all_did(self) -> None:
        assert brought([4, 4, 4, 4], [8, 8, 8, 8]) == ((0, 1, 2), ())

    def test_a_party_that_weighs_more_there_meets_more(self) -> None:
        group = balance.balanced("olde", [*heroes(10), *foes(4, 4)], "cairn", [*heroes(20), *foes(4, 4)])
        assert group == ((0, 1, 2), (1, 2))

    def test_who_are_too_light_bring_others_until_it_is_as_near_as_can_be(self) -> None:
        assert brought([6, 6], [3, 3]) == ((0, 1, 2), (1, 2))
        assert brought([6, 6], [5, 5]) == ((0, 1, 2), ())
        assert brought([9], [3]) == ((0, 1), (1, 1))

    def test_who_stays_may_leave_room_for_another_of_the_rest(self) -> None:
        assert brought([9, 2], [30, 3]) == ((0, 2), (2, 2))
        assert brought([6, 2, 2], [20, 5, 2]) == ((0, 2), (2,))

    def test_what_is_as_good_as_exact_takes_the_fewest_changes(self) -> None:
        assert brought([10, 10, 10], [29, 19, 19]) == ((0, 1), ())
        assert brought([10, 10], [10, 11]) == ((0, 1, 2), ()), "21 is off by a twentieth"

    def test_nobody_brings_more_than_two_unless_it_is_light_and_they_are_few(self) -> None:
        assert len(brought([60, 60], [16, 16]).more) == 4
        assert brought([20, 2], [14, 1]) == ((0, 1, 2), (2, 2, 2, 2, 2))
        assert len(brought([60, 60, 60, 60], [1, 1, 1, 1]).more) == 8

    def test_of_several_that_weigh_as_much_most_come_and_the_first_of_them(self) -> None:
        assert brought([2, 2, 2], [3, 3, 3]).come == (0, 1, 2)

    def test_somebody_comes_however_heavy_and_it_is_the_lightest(self) -> None:
        assert brought([1, 1], [30, 20]).come == (0, 2)

    def test_who_is_certain_comes_and_the_others_fill_what_is_left(self) -> None:
        assert brought([4, 4, 4, 4], [8, 8, 8, 8], certain=[4]).come == (0, 1, 4)
        assert brought([4, 4], [40, 4], certain=[1]).come == (0, 1)

    def test_a_large_band_comes_in_proportion(self) -> None:
        group = brought([1] * 60, [2] * 60)
        assert len(group.come) == 31 and not group.more
        assert min(sum(1 for n in group.come if first < n <= first + 12) for first in (0, 12, 24, 36, 48)) >= 5

    @given(st.lists(st.integers(1, 30), min_size=1, max_size=5), st.lists(st.integers(1, 30), min_size=1, max_size=5))
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_no_other_choice_is_nearer_by_more_than_is_as_good_as_exact(
        self, before: list[int], after: list[int]
    ) -> None:
        there = (after * 5)[: len(before)]
        group = brought(before, there)
        wanted = sum(before)
        off = abs(wanted - sum(there[n - 1] for n in (*group.come[1:], *group.more)))
        nearest = min(
            abs(wanted - sum(many * own for many, own in zip(choice, there, strict=True)))
            for choice in product(
                *(range((balance.MOST, balance.CROWD)[light(own, wanted, there)] + 1) for own in there)
            )
            if any(choice)
        )
        assert off <= max(nearest, balance.NEAR * wanted) + 0.01


def test_rules_and_maps_on_which_the_odds_turn_otherwise_bring_as_many_as_keep_the_odds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = {"olde": Figures({}, {}, 4.0), "cairn": Figures({}, {"ford": -1.0}, 5.0)}
    monkeypatch.setattr(weighing, "figures", known.__getitem__)
    before, after = [*heroes(20), *foes(*[1] * 9)], [*heroes(20), *foes(*[1] * 9)]
    for map in ("crypt.tmx", "ford.tmx"):
        group = balance.balanced("olde", before, "cairn", after, map=map)
        many = len(group.come) - 1 + len(group.more)
        off = [abs(odds("olde", 20, 9, map) - odds("cairn", 20, number, map)) for number in (many - 1, many, many + 1)]
        assert min(off) == off[1], map
    assert len(balance.balanced("olde", before, "cairn", after, map="ford.tmx").more) == 0


@pytest.mark.parametrize("sides", [("heroes", "heroes"), ("red", "blue")])
def test_where_nobody_stands_against_a_party_all_come(sides: tuple[str, str]) -> None:
    entries = [{"id": side + str(n), "side": side, "threat": 5} for n, side in enumerate(sides)]
    assert balance.balanced("olde", entries, "cairn", entries) == ((0, 1), ())


@pytest.mark.parametrize("goal", [name for name in RULESETS if name != "olde"])
@pytest.mark.parametrize("drawn", ENCOUNTERS, ids=lambda drawn: drawn.name)
def test_a_translated_group_keeps_the_odds_of_its_party(drawn: Drawn, goal: str) -> None:
    """As far as whole creatures can: nobody who could stay or join would bring them nearer by more than is fine."""
    record = drawn.record()
    under = translation.translated(record, goal)
    wanted = as_hard(goal, weighed(under, "heroes"), expected(record), str(record.map.tmx))
    foes = Counter(str(e["template"]) for e in under.creatures if e["side"] == "monsters")
    there = weighed(under, "monsters")
    of = Counter(
        translation.counterpart(str(e["template"]), record.ruleset, goal)[0]
        for e in record.creatures
        if e["side"] == "monsters"
    )
    assert set(foes) <= set(of)
    fine = abs(there - wanted) - balance.NEAR * wanted
    for name, most in of.items():
        own = weight(goal, {"template": name})
        if foes[name] < (balance.CROWD if light(own, wanted, [*of.elements()]) else balance.MOST) * most:
            assert fine <= abs(there + own - wanted)
        if 0 < foes[name] < foes.total():
            assert fine <= abs(there - own - wanted)


def weighed(record: records.Record, side: str) -> float:
    return weights(record.ruleset, [e for e in record.creatures if e["side"] == side])


def expected(record: records.Record) -> float:
    ours, theirs = (weighed(record, side) for side in ("heroes", "monsters"))
    return odds(record.ruleset, ours, theirs, str(record.map.tmx))


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


def test_who_joins_beside_one_on_a_start_space_comes_onto_start_spaces_and_else_next_to_it() -> None:
    started = ENCOUNTERS[0].record()
    assert started.map.tmx == "crypt.tmx"
    starts = load_map(find_map("crypt")).spawn_cells("monsters")
    field = load_map(find_map("crypt")).field

    def joined(record: records.Record) -> list[tuple[int, int]]:
        before = {e["id"] for e in record.creatures}
        found = translation.translated(record, "cairn").creatures
        return [(e["at"][0], e["at"][1]) for e in found if e["id"] not in before]

    spread = joined(started)
    assert len(spread) > 2 and all(field.cell(*at) in starts for at in spread)
    rat = next(e["at"] for e in started.creatures if e["id"] == "giant_rat")
    assert any(max(abs(at[0] - rat[0]), abs(at[1] - rat[1])) > 3 for at in spread), "not all in one lump"
    assert joined(started) == spread, "the same encounter, the same spaces"

    document = records.document(started)
    rat = next(e for e in document["creatures"] if e["id"] == "giant_rat")
    rat["at"] = next(
        list(field.at(Cell(cell)))
        for cell in range(field.width * field.height)
        if field.terrain().fits(Cell(cell)) and cell not in starts and field.at(Cell(cell))[1] > 15
    )
    lump = joined(records.read(document))
    assert lump and all(max(abs(at[0] - rat["at"][0]), abs(at[1] - rat["at"][1])) <= 3 for at in lump)
