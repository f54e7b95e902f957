"""The ladder judges fairly: pairs, their statistics, and reference players who do what their names say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules.contract.actions import CHANCE, pending
from rules.core.registry import ruleset
from tests.bench import earlier
from tests.bench.bouts import BANDS, PLAYERS, Bout, bouts, pair, play, start
from tests.bench.opponents import Chance, FocusFire, Kiter, Turtle, cover
from tests.bench.paired import Pair, bootstrap, sign_test, verdict

EXPLOITERS = ("greedy", "kiter", "turtle", "focus")


@pytest.mark.parametrize("kind", list(BANDS))
@pytest.mark.parametrize("player", ["shipping", "focus"])
def test_a_player_against_itself_comes_out_exactly_even(kind: str, player: str) -> None:
    band = next(iter(BANDS[kind]))
    found = pair(Bout(kind, player, player, band, "hall", 7))
    assert found.first == -found.second


@pytest.mark.parametrize("kind", list(BANDS))
@pytest.mark.parametrize("other", EXPLOITERS)
def test_every_opponent_plays_every_ruleset_and_alike_each_time(kind: str, other: str) -> None:
    bout = Bout(kind, "shipping", other, "the dead", "pillars", 3)
    assert play(bout) == play(bout)


@pytest.mark.skipif(not earlier.known(), reason="this checkout's history does not reach back to the earlier computer")
@pytest.mark.parametrize("kind", list(BANDS))
def test_the_earlier_computer_plays_along_and_is_its_own_match(kind: str) -> None:
    band = next(iter(BANDS[kind]))
    found = pair(Bout(kind, "earlier", "earlier", band, "gap", 11))
    assert found.first == -found.second != 0
    assert play(Bout(kind, "earlier", "random", band, "gap", 12)) == 1


def test_an_earlier_computer_that_is_not_known_is_refused_in_a_line() -> None:
    with pytest.raises(ValueError, match="history has no 0000000"):
        earlier.tree("0000000")


def test_pairs_are_spread_over_bands_and_maps_and_begin_as_mirror_images() -> None:
    many = len(BANDS["olde"]) * 4
    drawn = list(bouts("olde", "shipping", "greedy", many))
    assert len({(bout.band, bout.map) for bout in drawn}) == many
    assert len({bout.seed for bout in drawn}) == many
    rules = ruleset("olde")
    for bout in drawn[::5]:
        board = rules.board(start(bout))
        at = {mini.id: mini.cell for mini in board.miniatures}
        ground = rules.terrain(start(bout)).field
        last = ground.width * ground.height - 1
        assert all(at[f"monsters {n}"] == last - at[f"heroes {n}"] for n in range(1, len(at) // 2 + 1))


@pytest.mark.parametrize("kind", list(BANDS))
def test_everybody_of_every_band_stands_on_one_space(kind: str) -> None:
    for bout in bouts(kind, "shipping", "greedy", len(BANDS[kind])):
        minis = ruleset(kind).board(start(bout)).miniatures
        assert len(minis) == 2 * len(BANDS[kind][bout.band])
        assert {mini.size for mini in minis} == {1}


def test_the_sign_test_is_that_of_fair_coins() -> None:
    assert sign_test(0, 0) == 1.0
    assert sign_test(5, 5) == 1.0
    assert sign_test(8, 0) == pytest.approx(2 / 256)
    assert sign_test(1, 9) == sign_test(9, 1) == pytest.approx(22 / 1024)


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=40))
def test_a_bootstrap_interval_holds_what_was_drawn_between_least_and_most(values: list[float]) -> None:
    low, high = bootstrap(values)
    assert min(values) <= low <= sum(values) / len(values) + 1e-9
    assert sum(values) / len(values) - 1e-9 <= high <= max(values)
    assert bootstrap(values) == (low, high)


def test_a_verdict_counts_fights_and_pairs() -> None:
    found = verdict([Pair(1, 1), Pair(1, -1), Pair(-1, -1), Pair(1, 0)])
    assert (found.pairs, found.won, found.better, found.worse, found.open) == (4, 0.5, 2, 1, 1)
    with pytest.raises(ValueError, match="no pair"):
        verdict([])


def chance_of(bout: Bout, who: str) -> Chance:
    """A creature's first chance in a fight."""
    rules, state = ruleset(bout.ruleset), start(bout)
    while True:
        decision = pending(rules.decisions(state))
        assert decision is not None
        legal = rules.legal(state, decision)
        if decision.by == who and decision.kind == CHANCE:
            return Chance(rules, rules.observe(state, decision.side), decision, legal)
        action = list(legal)[-1]
        state = rules.apply(state, decision, action).state


RAIDERS = Bout("olde", "shipping", "greedy", "raiders", "hall", 2)


def test_the_turtle_never_goes_nearer_and_better_covered_only() -> None:
    chance = chance_of(RAIDERS, "heroes 1")
    assert chance.me is not None
    done = Turtle().act(chance)
    here, gap = cover(chance.terrain, chance.me.cell), chance.nearest(chance.me.cell)
    better = [cell for cell, _ in chance.moves() if chance.nearest(cell) >= gap and cover(chance.terrain, cell) > here]
    assert (done is None) == (not better)
    if done is not None:
        assert done.path[-1] in better


def test_the_kiter_gets_away_from_who_stands_beside_it() -> None:
    chance = chance_of(RAIDERS, "heroes 5")
    assert chance.me is not None
    assert chance.shoots()
    away = max(chance.nearest(cell) for cell, _ in chance.moves())
    foe = chance.foes[0]
    beside = next(cell for cell, _ in chance.moves())
    chance.foes = [replace(foe, cell=beside)]
    done = Kiter().act(chance)
    assert done is not None
    assert done.path
    assert chance.nearest(done.path[-1]) > chance.nearest(chance.me.cell)
    assert away > 1


def test_focus_fire_goes_for_the_weakest_wherever_the_others_stand() -> None:
    chance = chance_of(RAIDERS, "heroes 1")
    assert chance.me is not None
    weakest = min(chance.foes, key=lambda foe: foe.life)
    done = FocusFire().act(chance)
    assert done is not None
    ways = chance.ways(weakest)
    assert ways[done.path[-1]] < ways[chance.me.cell]


def test_players_of_the_ladder_are_known_by_name() -> None:
    assert set(EXPLOITERS) < set(PLAYERS)
