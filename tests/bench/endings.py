"""Do fights between computers end? Many short ones on every map, none may come to the limit of turns.

`make endings` plays 2,000; the tests play a few (tests/game/test_ai_endings.py).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import NamedTuple

from game import encounter
from game.controllers.ai import AiController
from game.match import Match

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


def play(map: str, seed: int, limit: int = LIMIT) -> Ending:
    """A drawn encounter on a map, played by the computer on both sides, with drawn temperaments."""
    random = Random(f"{map} {seed}")
    match = Match.from_record(encounter.surprise(map, None, seed))
    rules = match.ruleset
    players = {side: AiController(random.choice(TEMPERS)) for side in (encounter.HEROES, encounter.MONSTERS)}
    turn = 0
    while (decision := match.decision) is not None and turn <= limit:
        known = match.observe(decision.side)
        player = players.get(decision.side) or players[encounter.HEROES]
        match.act(decision, player.choose(rules, known, decision, match.legal(decision)))
        turn = int(rules.summary(match.state).get("turn", 0)) if decision.kind == "chance" else turn
    return Ending(map, seed, turn, match.over)


def fights(count: int, first: int = 0) -> Iterator[tuple[str, int]]:
    """So many fights, spread over all known maps."""
    maps = [path.stem for path in encounter.playable_maps()]
    for number in range(first, first + count):
        yield maps[number % len(maps)], number


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 1 if a fight stalled."""
    parser = argparse.ArgumentParser(prog="make endings", description=__doc__)
    parser.add_argument("--fights", type=int, default=2000, help="how many (default: 2000)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (default: 0)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    given = parser.parse_args(arguments)
    todo = list(fights(given.fights, given.first))
    stalled, longest, total = [], 0, 0
    with ProcessPoolExecutor(given.jobs) as pool:
        for done, ending in enumerate(pool.map(_play, todo, chunksize=8), 1):
            longest, total = max(longest, ending.turns), total + ending.turns
            if ending.winner is None:
                stalled.append(ending)
                print(f"stalled: {ending.map}, seed {ending.seed}", flush=True)
            if done % 200 == 0:
                print(
                    f"{done} fights, {total / done:.1f} turns on average, the longest {longest}", flush=True
                )
    mean = total / max(1, len(todo))
    print(f"{len(todo)} fights, {len(stalled)} stalled; {mean:.1f} turns on average, the longest {longest}")
    return 1 if stalled else 0


def _play(fight: tuple[str, int]) -> Ending:
    return play(*fight)


if __name__ == "__main__":
    sys.exit(main())
