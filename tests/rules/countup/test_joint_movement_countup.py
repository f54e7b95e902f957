"""Joint movement is fair: the order of declarations decides nothing, and nobody shares a space (countup.md §1 MOVE)."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.countup.creatures import Fight, being

SPACES = [(x, y) for x in range(1, 8) for y in range(1, 5)]


@st.composite
def rooms(draw: st.DrawFn) -> tuple[list[str], list[tuple[int, int]]]:
    """A small room with a few pillars, and where four to six creatures stand."""
    spaces = draw(st.permutations(SPACES))
    pillars, places = set(spaces[:4]), spaces[4 : 4 + draw(st.integers(4, 6))]
    rows = ["".join("#" if (x, y) in pillars or not (0 < x < 8 and 0 < y < 5) else "." for x in range(9))
            for y in range(6)]  # fmt: skip
    return rows, places


def begin(rows: list[str], places: list[tuple[int, int]]) -> Fight:
    """Every other one is a foe; spears and daggers take turns, and some are small and slow."""
    blocks: list[dict[str, Any]] = []
    for n, at in enumerate(places):
        name = f"{'ab'[n % 2]}{n}"
        weapon = ["longsword", "spear", "dagger"][n % 3]
        blocks.append(being(name, at, weapons=[weapon], half=n % 3 == 2))
    fight = Fight(*blocks, throws=[*[1] * len(places), *[None] * 500], rows=rows, strict_throws=False)
    return fight


def orders(fight: Fight, seed: int) -> dict[str, Any]:
    """One random order each, all made in the same position."""
    dice = random.Random(seed)
    found = {}
    for decision in fight.rules.decisions(fight.now):
        legal = list(fight.rules.legal(fight.now, decision))
        ways = [a for a in legal if a.do in ("walk", "jog")]
        found[decision.by] = dice.choice(ways or [a for a in legal if a.do == "end"])
    return found


def declared(fight: Fight, given: dict[str, Any], turn: list[str]) -> Any:
    state = fight.now
    for name in turn:
        for action in (given[name], type(given[name])(name, "end")):
            decision = next((d for d in fight.rules.decisions(state) if d.by == name and d.kind == "chance"), None)
            if decision is not None and state.second == fight.now.second:
                state = fight.rules.apply(state, decision, action).state
    return state


@settings(max_examples=40, deadline=None)
@given(rooms(), st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_any_order_of_declarations_gives_the_same_state(room: Any, seed: int, shuffle: random.Random) -> None:
    fight = begin(*room)
    given_ = orders(fight, seed)
    first = list(given_)
    other = first[:]
    shuffle.shuffle(other)
    one, two = declared(fight, given_, first), declared(fight, given_, other)
    assert one.second > fight.now.second
    assert one.figures == two.figures
    assert (one.second, one.rng, one.throw_at, one.choices) == (two.second, two.rng, two.throw_at, two.choices)


@settings(max_examples=30, deadline=None)
@given(rooms(), st.integers(0, 10**6))
def test_nobody_shares_a_space_or_is_lost(room: Any, seed: int) -> None:
    rows, places = room
    fight = begin(rows, places)
    for turn in range(4):
        if not fight.rules.decisions(fight.now) or fight.now.choices:
            break
        given_ = orders(fight, seed + turn)
        fight.now = declared(fight, given_, list(given_))
        here = [f.cell for f in fight.now.figures if f.present]
        assert len(fight.now.figures) == len(places)
        assert all(f.cell >= 0 for f in fight.now.figures if not f.dead)
        assert all(one != other for one, other in combinations(here, 2))
        assert all(rows[y][x] == "." for x, y in (fight.field.at(cell) for cell in here))
