"""Do fights between computers end? Many short ones on every map, none may come to the limit of turns.

`make endings` plays 2,000; the tests play a few (tests/game/test_ai_endings.py).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from random import Random
from typing import NamedTuple

from game.content import encounter
from game.content import tables as content
from game.controllers.ai import AiController
from game.controllers.ai.advisors import advisor_of
from game.maps.tiled import load_map
from rules.board.grid import Field
from rules.contract.actions import pending
from rules.core import record as records
from rules.core.registry import RULESETS, ruleset

LIMIT = 80
"""Turns; a fight that comes so far has stalled."""
TEMPERS = (None, None, "cunning", "brute", "coward")


class Ending(NamedTuple):
    """How a fight went."""

    map: str
    seed: int
    turns: int
    winner: str | None
    """None: it stalled."""


@lru_cache(maxsize=16)
def ground(map: str) -> Field:
    """A known map's field, loaded once: what it remembers of sight and ways serves all its fights."""
    return load_map(encounter.find_map(map)).field


def play(map: str, seed: int, limit: int = LIMIT, kind: str = "olde") -> Ending:
    """A drawn encounter on a map, played by the computer on both sides, with drawn temperaments."""
    random = Random(f"{map} {seed}")
    record = records.read(dict(encounter.surprise(map, None, seed, ruleset=kind)))
    rules = ruleset(kind)
    start = records.scenario(record, ground(map), lambda name: content.template(kind, name), content.tables(kind))
    players = {side: AiController(random.choice(TEMPERS)) for side in (encounter.HEROES, encounter.MONSTERS)}
    state, turn = rules.start(start).state, 0
    while (decision := pending(rules.decisions(state))) is not None and turn <= limit:
        player = players.get(decision.side) or players[encounter.HEROES]
        known, legal = rules.observe(state, decision.side), rules.legal(state, decision)
        state = rules.apply(state, decision, player.choose(rules, known, decision, legal)).state
        turn = advisor_of(rules).turn(state)
    return Ending(map, seed, turn, rules.board(state).over)


def fights(count: int, first: int = 0) -> Iterator[tuple[str, int]]:
    """So many fights, spread over all known maps that stand alone."""
    maps = [path.stem for path in encounter.single_maps()]
    for number in range(first, first + count):
        yield maps[number % len(maps)], number


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 1 if a fight stalled."""
    parser = argparse.ArgumentParser(prog="make endings", description=__doc__)
    parser.add_argument("--fights", type=int, default=2000, help="how many (default: 2000)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (default: 0)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--ruleset", choices=list(RULESETS), default="olde", help="(default: olde)")
    given = parser.parse_args(arguments)
    todo = list(fights(given.fights, given.first))
    stalled, longest, total = [], 0, 0
    with ProcessPoolExecutor(given.jobs) as pool:
        for done, ending in enumerate(pool.map(partial(_play, given.ruleset), todo, chunksize=8), 1):
            longest, total = max(longest, ending.turns), total + ending.turns
            if ending.winner is None:
                stalled.append(ending)
                print(f"stalled: {ending.map}, seed {ending.seed}", flush=True)
            if done % 200 == 0:
                print(f"{done} fights, {total / done:.1f} turns on average, the longest {longest}", flush=True)
    mean = total / max(1, len(todo))
    print(f"{len(todo)} fights, {len(stalled)} stalled; {mean:.1f} turns on average, the longest {longest}")
    return 1 if stalled else 0


def _play(kind: str, fight: tuple[str, int]) -> Ending:
    return play(*fight, kind=kind)


if __name__ == "__main__":
    sys.exit(main())
