"""What is counted as silly is just that: each figure by a scripted course of events."""

from __future__ import annotations

from typing import Any

import pytest

from rules.contract import events as ev
from rules.contract.actions import Action, Decision
from tests.bench.bouts import BANDS, Bout, start
from tests.bench.silliness import CLOCKS, SILLY, SWAPS, Going, Watch, lines, watched

ME, FRIEND, FOE = "heroes 1", "heroes 2", "monsters 1"


@pytest.fixture(params=list(BANDS))
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def watch(kind: str) -> Watch:
    return Watch(kind, opening(kind))


def opening(kind: str) -> Any:
    return start(Bout(kind, "shipping", "shipping", next(iter(BANDS[kind])), "hall", 1))


def walks(watch: Watch, *spaces: tuple[int, int], by: str = ME, mode: str = "step") -> None:
    for here, there in zip(spaces, spaces[1:], strict=False):
        watch.hear(ev.Moved(by=by, mode=mode, start=here, path=(there,)))


def passes(watch: Watch, kind: str, many: int) -> None:
    for _ in range(many):
        watch.hear(ev.Began(what=CLOCKS[kind][0]))


def strikes(watch: Watch, by: str = ME) -> None:
    watch.hear(
        ev.Attack(by=by, target=FOE, weapon="sword", attack=0, defense=0, margin=0, outcome="miss", damage=0,
                  adjustments=(), rolls=())
    )  # fmt: skip


def test_to_go_back_where_one_was_is_a_return(watch: Watch) -> None:
    walks(watch, (1, 1), (2, 1), (1, 1))
    assert watch.counts["returns"] == 1


def test_a_blow_between_makes_it_none(watch: Watch) -> None:
    walks(watch, (1, 1), (2, 1))
    strikes(watch)
    walks(watch, (2, 1), (1, 1))
    assert watch.counts["returns"] == 0


def test_neither_does_who_is_thrown_back_or_comes_back_later(kind: str, watch: Watch) -> None:
    walks(watch, (1, 1), (2, 1))
    walks(watch, (2, 1), (1, 1), mode="knocked_back")
    walks(watch, (5, 5), (6, 5), by=FRIEND)
    passes(watch, kind, CLOCKS[kind][1] + 1)
    walks(watch, (6, 5), (5, 5), by=FRIEND)
    assert watch.counts["returns"] == 0


def test_a_second_exchange_without_a_blow_is_a_swap(kind: str, watch: Watch) -> None:
    known, decision = opening(kind), Decision(ME, "heroes", "chance")
    for _ in range(2):
        watch.decided(known, decision, Action(ME, "ready"))
    exchanges = kind in SWAPS  # under Cairn what is held ready is a blow
    assert watch.counts["swaps"] == exchanges
    strikes(watch)
    watch.decided(known, decision, Action(ME, "ready"))
    assert watch.counts["swaps"] == exchanges


class Swing:
    drop = 0.8


class Threat:
    swing, blows, now = Swing(), 2.0, 1 << 7


def test_certain_death_is_where_foes_fell_one_all_but_surely(watch: Watch) -> None:
    safe, deadly = 3, 7
    going = Going(ME, safe, (Threat(),), end=deadly)
    assert Watch.falls(going, deadly) == pytest.approx(0.96) and Watch.falls(going, safe) == 0.0
    for chance in (
        going,
        going._replace(struck=True),
        going._replace(start=deadly, end=safe),
        going._replace(end=None),
    ):
        watch.going = chance
        watch.close()
    assert watch.counts["certain_death"] == 1


def test_harm_to_friends_counts_and_to_foes_or_oneself_does_not(watch: Watch) -> None:
    for target in (FRIEND, FOE, ME):
        watch.hear(ev.Injury(target=target, amount=2, hp=1, status="hurt", by=ME))
    assert watch.counts["friends_hurt"] == 1


def test_a_whole_fight_is_counted_and_alike_each_time(kind: str) -> None:
    found = watched(kind, ("crypt", 3))
    assert found["fights"] == 1 and found == watched(kind, ("crypt", 3))
    column = {name: float(found[name]) for name in (*SILLY, "stalled")}
    assert len(list(lines({kind: {"now": column}}))) == 2 + len(SILLY)
