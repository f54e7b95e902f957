"""How many of a monster are a hard fight for a party of four: which is what creatures weigh (`game/weights.py`).

A *match* is the number of one kind that beats the party, both played by the computer on open ground, in three fights of
ten (docs/threat.md). Below 1: one of them is too much for four heroes; 4 ÷ the heroes it takes.
"""

from __future__ import annotations

from collections.abc import Callable

from game import content
from game.forecast.danger import EVEN, threat_of
from game.forecast.openground import ROOM, TURNS, encounter
from game.forecast.simulate import simulate
from game.weights import PARTY as PARTY_WEIGHT
from rules import record as records

PARTY = 4
"""Heroes of the content, the first ones, that a match is measured for."""
LOST = EVEN / 100
"""The share of fights that a match wins."""


def match_of(ruleset_id: str, name: str, runs: int) -> float:
    """How many of a monster are a match for four heroes, to one decimal (below 1: two decimals)."""
    heroes = list(content.heroes(ruleset_id))
    guess = max(1, round(PARTY_WEIGHT / int(content.monsters(ruleset_id)[name].get("threat", 6))))

    def beaten(party: int, group: int) -> float:
        record = encounter(ruleset_id, heroes[:party], (name,) * group)
        return threat_of(simulate(records.read(record), runs, turn_limit=TURNS), "heroes") / 100

    if guess == 1 and beaten(PARTY, 1) >= LOST:
        taken = crossing(lambda party: 1.0 - beaten(party, 1), 1.0 - LOST, PARTY + 1, len(heroes))
        return round(PARTY / taken, 2)
    wide = int(content.template(ruleset_id, name).get("space", 1))
    most = (ROOM[0] // wide) * (ROOM[1] // wide)
    return round(crossing(lambda group: beaten(PARTY, group), LOST, guess, most), 1)


def crossing(share: Callable[[int], float], wanted: float, guess: int, most: int) -> float:
    """Where a share that grows with a number from 1 to `most` comes to what is wanted, between two whole numbers; the
    most where it never does, 1 where it is beyond it at once."""
    known: dict[int, float] = {}

    def at(number: int) -> float:
        if number not in known:
            known[number] = share(number)
        return known[number]

    low, high, step, number = 0, most + 1, 1, min(guess, most)
    while not (low and high <= most):  # ever longer steps until it lies between two
        low, high = (number, high) if at(number) < wanted else (low, number)
        if low >= most or high <= 1:
            break
        number = max(1, min(most, low + step if high > most else high - step))
        step *= 2
    if not low:
        return 1.0
    if high > most:
        return float(most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if at(middle) < wanted else (low, middle)
    return low + (wanted - at(low)) / (at(high) - at(low))
