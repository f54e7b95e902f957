"""Dice: throws, exploding and odd dice, rolls that remember every throw (olde.md §1).

A *throw* is one die hitting the table, a *roll* the whole process with explosions and adjustments. To *modify*
changes the rank before throwing, to *adjust* adds to the total once, afterwards.

    >>> thrown = roll(Dice(None, [8, 3, 5]), "attack", 2, 8)  # scripted faces: the 8 explodes
    >>> thrown.dice, [throw.face for throw in thrown.throws], thrown.total
    ('2d8!', [8, 3, 5], 16)
    >>> parse("2d8!+1")
    Expression(count=2, rank=8, exploding=True, adjustment=1)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import msgspec

from rules.contract.actions import Adjustment
from rules.contract.errors import BattlematError, ThrowError, ThrowNeeded
from rules.contract.events import Roll, Throw

MINUS = "\N{MINUS SIGN}"


def plain(value: float) -> str:
    """`7`, `−7`, `−0.5`."""
    return (str(value) if isinstance(value, int) else f"{value:g}").replace("-", MINUS)


def signed(value: float, places: int = 0) -> str:
    """`+2`, `−2`, `+0`; with so many decimal places: `−0.50`."""
    return f"{value:+.{places}f}".replace("-", MINUS)


_MASK = (1 << 64) - 1
_WHOLE = 1 << 64
_GAMMA = 0x9E3779B97F4A7C15


def seeded(seed: int) -> int:
    """The generator's first state for any whole number."""
    return (seed * 0xD1342543DE82EF95 + 0x2545F4914F6CDD1D) & _MASK


def draw(state: int) -> tuple[int, int]:
    """Advance once: (new state, 64 fair bits)."""
    state = (state + _GAMMA) & _MASK
    bits = state
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & _MASK
    return state, bits ^ (bits >> 31)


def nth(seed: int, number: int) -> int:
    """The 64 bits of draw `number` (from 0) in a seed's stream, without those before it: seeds of many runs."""
    return draw((seeded(seed) + number * _GAMMA) & _MASK)[1]


def below(state: int, limit: int) -> tuple[int, int]:
    """(new state, a fair whole number in 0..limit-1), by rejection, so that no face is favoured."""
    while True:
        state, bits = draw(state)
        pick = bits % limit
        if bits - pick <= _WHOLE - limit:  # the last, incomplete run of `limit` numbers is thrown again
            return state, pick


def shuffled(state: int, items: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """(new state, the items in a fair random order)."""
    rest = list(items)
    for last in range(len(rest) - 1, 0, -1):
        state, pick = below(state, last + 1)
        rest[last], rest[pick] = rest[pick], rest[last]
    return state, tuple(rest)


@lru_cache(maxsize=512)
def faces_of(rank: int) -> int:
    """Faces of the die that is thrown for a rank: R+1 for odd ranks from 5 on, else R."""
    if rank < 2:
        return 1
    return rank + 1 if rank % 2 and rank > 3 else rank


@lru_cache(maxsize=4096)
def value_of(rank: int, face: int) -> int:
    """What a face counts: the top face of an odd die counts as its median."""
    return (rank + 1) // 2 if rank > 3 and face > rank else face


def modified(rank: int, by: int) -> int:
    """A rank after modification; below 1 it stays 1."""
    return max(1, rank + by)


@dataclass(slots=True, eq=False)
class Dice:
    """The dice in somebody's hand while one action is resolved: scripted faces first, then the seed.

    `rng` is None where there are no dice to throw (an observed state). With `strict`, a list of scripted throws
    that runs out is an error; otherwise the seed goes on.
    """

    rng: int | None
    throws: Sequence[int | None] | None = None
    at: int = 0
    strict: bool = field(default=True, kw_only=True)
    thrower: str = field(default="", init=False)
    """Id of the creature for whom the next dice are thrown; empty for the table."""

    def throw(self, rank: int, faces: int = 0) -> int:
        """One face of the die for `rank`, or of one with just so many `faces`. A d1 always shows 1 and is not thrown.

        Raises ThrowError if the script has run out or names a face the die does not have.
        """
        faces = faces or faces_of(rank)
        if faces == 1:
            return 1
        at, throws = self.at, self.throws
        self.at += 1
        if throws is not None and at < len(throws):
            face = throws[at]
            if face is not None:
                if not 1 <= face <= faces:
                    raise ThrowError("throws[{at}]: a d{rank} shows 1 to {faces}, not {face}", at, rank, faces, face)
                return face
        elif throws is not None and self.strict:
            raise ThrowNeeded(rank, faces, len(throws))
        if self.rng is None:
            raise ThrowError("no dice may be thrown in an observed state")
        self.rng, pick = below(self.rng, faces)
        return pick + 1


@lru_cache(maxsize=512)
def _shown(rank: int, exploding: bool) -> tuple[Throw, ...]:
    """What each face of a die comes to."""
    return tuple(
        Throw(rank, face, value_of(rank, face), exploding and face == rank and rank > 1)
        for face in range(1, faces_of(rank) + 1)
    )


def throw_set(dice: Dice, count: int, rank: int, exploding: bool) -> list[Throw]:
    """A set of dice, one after another, each with its explosions directly after it."""
    shown, thrown = _shown(rank, exploding), []
    while count > 0:
        throw = shown[dice.throw(rank) - 1]
        thrown.append(throw)
        count -= not throw.exploded
    return thrown


def roll(
    dice: Dice, label: str, count: int, rank: int, *, by: str | None = None, exploding: bool = True,
    adjustments: tuple[Adjustment, ...] = (), advantage: int = 0,
) -> Roll:  # fmt: skip
    """Roll `count` dice of `rank`; with advantage (+1) or disadvantage (−1) two full sets, the better or worse kept.

    Adjustments are added once, after everything (olde.md §1). `by`: for whom they are thrown from now on, if for others
    than before (`Dice.thrower`).
    """
    if by is not None:
        dice.thrower = by
    rank = max(1, rank)
    try:
        kept = throw_set(dice, count, rank, exploding)
        discarded = throw_set(dice, count, rank, exploding) if advantage else []
    except ThrowNeeded as needed:
        needed.label, needed.by = label, dice.thrower
        raise
    total = sum(t.value for t in kept)
    if advantage:
        other = sum(t.value for t in discarded)
        if (other - total) * advantage > 0:
            kept, discarded, total = discarded, kept, other
    total += sum(a.value for a in adjustments)
    return Roll(label, notation(count, rank, exploding), tuple(kept), total, adjustments, tuple(discarded))


def notation(count: int, rank: int, exploding: bool, adjustment: int = 0) -> str:
    """`2d8!+1`, `d4−1`: as people read it, the exploding mark right after the rank, then the adjustment."""
    tail = signed(adjustment) if adjustment else ""
    return f"{count}d{rank}{'!' if exploding else ''}{tail}"


class Expression(msgspec.Struct, frozen=True):
    """A dice declaration taken apart: `2d8!+1`."""

    count: int
    rank: int
    exploding: bool
    adjustment: int


_DECLARATION = re.compile(r"\s*(\d{1,3})?d(\d{1,4})(!?)\s*([+-]\s*\d{1,4})?\s*", re.ASCII)


def parse(text: str) -> Expression:
    """Read a declaration such as `2d8!`, `d6`, `1d12!-1`. Raises BattlematError for anything else."""
    match = _DECLARATION.fullmatch(text)
    if not match or int(match[2]) < 1 or (match[1] and int(match[1]) < 1):
        raise BattlematError("dice {text}: not a declaration such as 2d8!, d6 or 1d12!-1", text=repr(text))
    plus = int(match[4].replace(" ", "")) if match[4] else 0
    return Expression(int(match[1] or 1), int(match[2]), bool(match[3]), plus)


def roll_expression(dice: Dice, label: str, text: str) -> Roll:
    """Roll a declaration; its own adjustment is itemised as such."""
    e = parse(text)
    own = (Adjustment("total", e.adjustment, "in the declaration", "olde.md §1"),) if e.adjustment else ()
    return roll(dice, label, e.count, e.rank, exploding=e.exploding, adjustments=own)
