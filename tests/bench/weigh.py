"""Weights that agree best with fights on the maps: the kept ones, moved as far as the fights ask for.

A group's odds to be beaten follow from its weight against the party's (`game/forecast/danger.py`); the likeliest
weights are looked for, where each is as likely to be off from what it was as a match on open ground is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log
from typing import NamedTuple

from game.forecast.danger import estimated
from rules.record import Record

LOOSE = 0.25
"""How far off, as a share, a weight out of a match is in two cases of three."""
ROUGH = 25
"""What an encounter says of weights counts as that many fights at most: sums of weights are no more exact than that."""
SWEEPS, LEAST = 200, 1e-3


class Fought(NamedTuple):
    """What came of an encounter."""

    party: Sequence[str]
    foes: Sequence[str]
    runs: int
    won: float
    """The share of the fights that the party won."""


def fought(record: Record, runs: int, won: float) -> Fought:
    """An encounter that was played so many times."""
    sides: dict[bool, list[str]] = {True: [], False: []}
    for entry in record.creatures:
        sides[entry["side"] == "heroes"].append(str(entry["template"]))
    return Fought(sides[True], sides[False], runs, won)


def refined(kept: Mapping[str, float], fights: Sequence[Fought]) -> dict[str, float]:
    """The weights of all who fought, to one decimal."""
    names = sorted({name for each in fights for name in (*each.party, *each.foes)})
    off = dict.fromkeys(names, 0.0)
    step = dict.fromkeys(names, 0.1)
    best = _unlikely(kept, off, fights)
    for _ in range(SWEEPS):
        for name in names:
            for change in (step[name], -step[name]):
                tried = {**off, name: off[name] + change}
                if (worth := _unlikely(kept, tried, fights)) < best:
                    off, best, step[name] = tried, worth, 1.5 * step[name]
                    break
            else:
                step[name] /= 2
        if max(step.values()) < LEAST:
            break
    return {name: round(kept[name] * exp(off[name]), 1) for name in names}


def _unlikely(kept: Mapping[str, float], off: Mapping[str, float], fights: Sequence[Fought]) -> float:
    """How unlikely what was seen is with these weights, and these weights themselves: least is best."""
    found = sum(each * each for each in off.values()) / (2 * LOOSE * LOOSE)
    for fight in fights:
        ours, theirs = (
            sum(kept[name] * exp(off[name]) for name in side) for side in (fight.party, fight.foes)
        )
        lost = min(0.999, max(0.001, estimated(ours, theirs) / 100))
        many = 1 / (1 / fight.runs + 1 / ROUGH)
        found -= many * (fight.won * log(1 - lost) + (1 - fight.won) * log(lost))
    return found
