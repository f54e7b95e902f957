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
    """A hero with coins and a key, as the creature's fields say besides, with a friend on stairs beside a chest, and in
    the dark if there is a light to put out; at a way out; and before a goblin that has noticed nobody yet."""
    friend, goblin = _others(ruleset, (9, 1))
    begun = _begun(ruleset, says, friend)
    yield begun.now
    if begun.refusal("h0", "douse") is None:
        begun.do("h0", "douse")
        yield begun.now
    yield _begun(ruleset, {**says, "at": [1, 2]}).now
    for seed in SEEDS:
        met = _begun(ruleset, says, friend, goblin, seed=seed)
        if met.exploring:
            yield met.now
            return
    raise AssertionError("the goblin always notices somebody")


def _others(ruleset: str, foe: tuple[int, int]) -> Iterator[dict[str, Any]]:
    return ({**creature(ruleset, name, at), "map": "hall"} for name, at in (("h1", (2, 1)), ("g0", foe)))


def _begun(ruleset: str, says: dict[str, Any], *others: dict[str, Any], seed: int = 1) -> Expedition:
    hall = {
        "name": "hall", "rows": HALL, "exits": [[1, 2]],
        "challenges": [{"id": "coffer", "kind": "chest", "at": [[2, 2]], "difficulty": 0, "contents": "torch"}],
    }  # fmt: skip
    hero = {**creature(ruleset, "h0", (1, 1), carries="500 coins, iron key"), "map": "hall", **says}
    place = [hall, {"name": "cellar", "rows": CELLAR}]
    return Expedition(ruleset, [hero, *others], place=place, stairs=STAIRS, seed=seed)


def fights(ruleset: str, **says: Any) -> Iterator[State]:
    """The same in a fight, in which a foe is losing, with somebody bound beside the hero."""
    bound = {**creature(ruleset, "h2", (1, 2), prisoner=True), "map": "hall"}
    for seed in SEEDS:
        table = _begun(ruleset, says, *_others(ruleset, (3, 1)), bound, seed=seed)
        if table.exploring:
            table.do("h0", "shout")
        for _ in range(20):
            if table.exploring or not table.rules.decisions(table.now):
                break
            yield table.now
            table.think(table.rules.decisions(table.now)[0])
        else:
            return
