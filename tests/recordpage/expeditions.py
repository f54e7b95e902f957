"""Positions of an expedition under any ruleset, for what may be done between fights (tests/recordpage/accepts.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.contract.ruleset import State
from tests.rules.explore.expedition import Expedition, creature

HALL = ["##############", "#............#", "#...+........#", "##############"]
CELLAR = ["#####", "#...#", "#####"]
STAIRS = [[["hall", 1, 1], ["cellar", 1, 1]]]
SEEDS = range(1, 100)


def positions(ruleset: str, **says: Any) -> Iterator[State]:
    """A hero with coins and a key, as the creature's fields say besides, where stairs and a way out are, beside a chest
    and a friend: alone, and before a goblin that has noticed nobody yet."""
    yield _begun(ruleset, says).now
    for seed in SEEDS:
        met = _begun(ruleset, says, {**creature(ruleset, "g0", (9, 1)), "map": "hall"}, seed=seed)
        if met.exploring:
            yield met.now
            return
    raise AssertionError("the goblin always notices somebody")


def _begun(ruleset: str, says: dict[str, Any], *others: dict[str, Any], seed: int = 1) -> Expedition:
    hall = {
        "name": "hall", "rows": HALL, "exits": [[1, 1], [1, 2]],
        "challenges": [{"id": "coffer", "kind": "chest", "at": [[2, 2]], "difficulty": 0, "contents": "torch"}],
    }  # fmt: skip
    party = (
        {**creature(ruleset, "h0", (1, 1), carries="500 coins, iron key"), "map": "hall", **says},
        {**creature(ruleset, "h1", (1, 2)), "map": "hall"},
    )
    place = [hall, {"name": "cellar", "rows": CELLAR}]
    return Expedition(ruleset, [*party, *others], place=place, stairs=STAIRS, seed=seed)
