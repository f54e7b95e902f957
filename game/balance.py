"""How many of a group's counterparts come along to other rules, so that they are as much of a match for the party.

Rules make more or less of the same names: four beginners who hold seven of a crypt's dead under one of them fall to
three under another. So a translation keeps the group's weight against its party's (`game/weights.py`): those come whose
weights together come nearest to it, and where these are too light, some bring another of their kind.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from game import content
from game.weights import weight, weights
from rules.registry import ruleset as ruleset_of

Entry = Mapping[str, Any]
HEROES = "heroes"
FINE = 10
"""Weights are compared in tenths."""
SLACK = 0.1
"""Where some stay behind, nobody joins for less than this share of the group's weight."""
MOST = 3
"""So many times as many as there are may come, at most."""


class Group(NamedTuple):
    """Who comes: the numbers of those who do, in order, and the numbers of those who bring another, once for each."""

    come: tuple[int, ...]
    more: tuple[int, ...]


def foes(ruleset: str, entries: Sequence[Entry]) -> tuple[int, ...]:
    """The numbers of those who stand against the party: all of the sides on which no hero is. Empty where nobody is a
    hero."""
    known = content.heroes(ruleset)
    own = {e.get("side") for e in entries if e.get("side") == HEROES or e.get("template") in known}
    return tuple(number for number, entry in enumerate(entries) if own and entry.get("side") not in own)


def balanced(
    source: str,
    before: Sequence[Entry],
    goal: str,
    after: Sequence[Entry],
    *,
    certain: Collection[int] = (),
) -> Group:
    """Who of an encounter's creatures comes along: `after` has everybody's counterpart, in the order of `before`.

    The party comes whole, and whoever is `certain`.
    """
    against = foes(source, before)
    party = [number for number in range(len(before)) if number not in against]
    if not against or not party:
        return Group(tuple(range(len(after))), ())
    ours = weights(source, [before[n] for n in party])
    if ours <= 0:
        return Group(tuple(range(len(after))), ())
    wanted = weights(source, [before[n] for n in against]) * weights(goal, [after[n] for n in party]) / ours
    heavy = {n: max(1, round(FINE * weight(goal, after[n]))) for n in against}
    held = [n for n in against if n in certain]
    room = round(FINE * wanted) - sum(heavy[n] for n in held)
    chosen = _nearest({n: heavy[n] for n in against if n not in certain}, room, some=not held)
    come = sorted([*party, *held, *chosen])
    left = room - sum(heavy[n] for n in chosen)
    full = len(chosen) + len(held) == len(against)
    if not full and left <= SLACK * FINE * wanted:
        return Group(tuple(come), ())
    return Group(tuple(come), tuple(_more({n: heavy[n] for n in against if n in come}, left)))


def _nearest(heavy: Mapping[int, int], room: int, some: bool) -> tuple[int, ...]:
    """Whose weights together come nearest to the room: of several choices that with most of them, then the first."""
    best: dict[int, tuple[int, ...]] = {0: ()}
    for number, own in heavy.items():
        for total, those in list(best.items()):
            mine, other = (*those, number), best.get(total + own)
            if other is None or (-len(mine), mine) < (-len(other), other):
                best[total + own] = mine
    totals: Iterable[int] = [total for total, those in best.items() if those or not some]
    if not heavy:
        return ()
    return best[min(totals, key=lambda total: (abs(total - room), -len(best[total]), best[total]))]


def _more(heavy: Mapping[int, int], room: int) -> list[int]:
    """Who bring another while that comes nearer, in turn."""
    found: list[int] = []
    while len(found) < (MOST - 1) * len(heavy):
        before = len(found)
        for number, own in heavy.items():
            if abs(room - own) < abs(room) and room > 0:
                found.append(number)
                room -= own
        if len(found) == before:
            break
    return found[: (MOST - 1) * len(heavy)]


def told(goal: str, here: int, of: int, joined: int) -> str:
    """How many come along, for whoever is about to play there; empty where all do, and nobody else."""
    title = ruleset_of(goal).title
    if here < of and joined:
        return f"{here} of {of} foes come along, and {joined} join: as much of a match under {title} as all were."
    if here < of:
        return f"{here} of {of} foes come along: as much of a match under {title} as all were."
    if joined:
        return f"All {of} foes come along, and {joined} join: as much of a match under {title} as they were."
    return ""
