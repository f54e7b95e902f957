"""Dice that penetrate: the highest face is thrown again and adds one less, without end (countup.md §0); their exact
chances against each other, by convolution in whole numbers."""

from __future__ import annotations

import re
from bisect import bisect_left
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import gcd, prod
from typing import NamedTuple

import msgspec

from rules.contract.errors import BattlematError, ThrowNeeded
from rules.contract.events import Roll, Throw
from rules.core.dice import Dice, signed
from rules.countup.manners import SHIELD_MISS

RAREST = 10**9
"""Chains rarer than once in so many throws are folded into their last value."""


class Die(msgspec.Struct, frozen=True):
    """`count` dice of `faces`, penetrating or not, with a flat number that belongs to them: `2d8p`, `(d4p−2)`."""

    count: int
    faces: int
    penetrating: bool = True
    flat: int = 0
    """Added to each such component, which never falls below 0 by it."""
    keen: bool = False
    """Its second highest face penetrates, too."""
    lowest: bool = False
    """Of its dice only the lowest counts: `lower of 2d6p`."""

    @property
    def text(self) -> str:
        """`2d8p`, `d4p−2`."""
        count = "" if self.count == 1 else str(self.count)
        flat = signed(self.flat) if self.flat else ""
        return f"{'lower of ' if self.lowest else ''}{count}d{self.faces}{'p' if self.penetrating else ''}{flat}"


def beyond(faces: int) -> int:
    """Faces of the die that penetration throws: a d6 beyond a d20, a d20 beyond a d100, else the same."""
    return {20: 6, 100: 20}.get(faces, faces)


def throw(dice: Dice, faces: int, penetrating: bool, keen: bool = False) -> list[Throw]:
    """One die with its penetrations directly after it; each extra die counts one less than it shows."""
    face = dice.throw(faces, faces)
    thrown = [Throw(faces, face, face, penetrating and face >= faces - keen)]
    extra = beyond(faces)
    while thrown[-1].exploded:
        face = dice.throw(extra, extra)
        thrown.append(Throw(extra, face, face - 1, face >= extra - keen))
    return thrown


def roll(dice: Dice, label: str, parts: tuple[Die, ...], bonus: int = 0, *, penetrating: bool = True) -> Roll:
    """All dice of an expression and a flat bonus. The total may be negative; who uses it sees to that."""
    thrown: list[Throw] = []
    total = bonus
    try:
        for part in parts:
            values = []
            for _ in range(part.count):
                one = throw(dice, part.faces, part.penetrating and penetrating, part.keen)
                thrown += one
                value = sum(t.value for t in one) + part.flat
                values.append(max(0, value) if part.flat < 0 else value)
            total += min(values) if part.lowest else sum(values)
    except ThrowNeeded as needed:
        needed.label, needed.by = label, dice.thrower
        raise
    return Roll(label, text_of(parts, bonus), tuple(thrown), total)


def text_of(parts: tuple[Die, ...], bonus: int = 0) -> str:
    """`2d8p+2`."""
    flat = signed(bonus) if bonus else ""
    return "+".join(part.text for part in parts) + flat


_PART = re.compile(r"(\d{0,2})d(\d{1,3})(p?)")


def parse(text: str) -> tuple[tuple[Die, ...], int]:
    """`2d8p+2` -> (dice, flat bonus). Raises BattlematError for anything else."""
    flat = 0
    parts: list[Die] = []
    for sign, word in re.findall(r"([+−-]?)\s*([^\s+−-]+)", text):
        match = _PART.fullmatch(word)
        if match and sign != "-" and sign != "−":
            parts.append(Die(int(match[1] or 1), int(match[2]), bool(match[3])))
        elif word.isdigit():
            flat += int(word) if sign in ("", "+") else -int(word)
        else:
            raise BattlematError("dice {text}: not a declaration such as 2d8p+2", text=repr(text))
    if not parts or any(part.faces < 2 or part.count < 1 for part in parts):
        raise BattlematError("dice {text}: not a declaration such as 2d8p+2", text=repr(text))
    return tuple(parts), flat


# ---------------------------------------------------------------------------------------------- odds

Weights = tuple[tuple[tuple[int, int], ...], int]
"""((value, weight), ascending) and the sum of all weights: exact chances in whole numbers, which add up far faster."""


def die_weights(faces: int, penetrating: bool = True, keen: bool = False) -> Weights:
    """The totals of one die; tails less likely than one in `RAREST` are folded into the last value.

    >>> die_weights(4, penetrating=False)
    (((1, 1), (2, 1), (3, 1), (4, 1)), 4)
    """
    if not penetrating:
        return tuple((face, 1) for face in range(1, faces + 1)), faces
    out: dict[int, int] = {}
    waiting, whole, less, extra = {0: 1}, 1, 0, beyond(faces)
    while RAREST * sum(waiting.values()) > whole:  # of `whole` throws so many go on from here
        after: dict[int, int] = {}
        whole *= faces
        for value in out:
            out[value] *= faces
        for base, weight in waiting.items():
            for face in range(1, faces + 1):
                value, into = base + face - less, after if face >= faces - keen else out
                into[value] = into.get(value, 0) + weight
        waiting, faces, less = after, extra, 1
    for value, weight in waiting.items():
        out[value] = out.get(value, 0) + weight
    part = gcd(whole, *out.values())
    return tuple((value, out[value] // part) for value in sorted(out)), whole // part


def die_chances(faces: int) -> tuple[tuple[int, Fraction], ...]:
    """(total, chance) of one penetrating die, ascending."""
    known, whole = die_weights(faces)
    return tuple((value, Fraction(weight, whole)) for value, weight in known)


@lru_cache(maxsize=2048)
def weights(parts: tuple[Die, ...], penetrating: bool = True) -> Weights:
    """The totals of an expression, its flat bonus left out.

    Dice add up as whole numbers are multiplied whose places, wide enough never to be carried over, are the weights.
    """
    dice = [(part, *die_weights(part.faces, part.penetrating and penetrating, part.keen)) for part in parts]
    whole = prod(scale**part.count for part, _, scale in dice)
    width = whole.bit_length() // 8 + 1
    product = 1
    for part, known, _ in dice:
        places: dict[int, int] = {}
        for value, weight in known:
            shifted = max(0, value + part.flat) if part.flat < 0 else value + part.flat
            places[shifted] = places.get(shifted, 0) + weight
        packed = b"".join(places.get(n, 0).to_bytes(width, "little") for n in range(max(places) + 1))
        product *= int.from_bytes(packed, "little") ** part.count
    packed = product.to_bytes(product.bit_length() // 8 + width, "little")
    found = (int.from_bytes(packed[n : n + width], "little") for n in range(0, len(packed), width))
    return tuple((value, weight) for value, weight in enumerate(found) if weight), whole


Hit = tuple[Fraction, Fraction, Fraction]
"""(plain hit, critical hit, the shield struck)."""
Against = tuple[int, int | None]
"""(attack bonus − defence bonus, the most that a shot may come to − the defence bonus)."""


class Harm(NamedTuple):
    """What a hit does to somebody: its dice and what is taken off."""

    dice: tuple[Die, ...]
    flat: int
    reduction: int
    penetrates: bool = True
    halved: bool = False
    twice: bool = False
    """Its dice are thrown twice also where it is not critical."""


@lru_cache(maxsize=64)
def _die(faces: int) -> tuple[list[int], list[int], int]:
    """(totals of a die, weights of all below each, the sum of all weights)."""
    found, whole = die_weights(faces)
    return [value for value, _ in found], [0, *accumulate(weight for _, weight in found)], whole


@lru_cache(maxsize=64)
def _attack(die: int) -> tuple[tuple[tuple[int, int, int], ...], int]:
    """((first face, total, weight) of an attack die, the sum of all); a natural 1 misses and is left out."""
    known, whole = die_weights(die)
    return tuple((min(value, die), value, weight) for value, weight in known if value > 1), whole


@lru_cache(maxsize=8192)
def hit_chances(attack_die: int, defence_die: int, against: Against) -> Hit:
    """The chances of one attack. A natural 1 misses; a natural 20 that hits is critical."""
    gap, cap = against
    values, below, whole = _die(defence_die)
    perfect = 20 if defence_die == 20 else values[-1] + 1
    thrown, scale = _attack(attack_die)
    plain = critical = struck = 0
    for face, value, weight in thrown:
        total = (value if cap is None else min(value, cap)) + gap
        beaten = below[bisect_left(values, total)]
        if face == attack_die == 20:
            critical += weight * beaten
        else:
            plain += weight * beaten
        short = below[bisect_left(values, min(total + SHIELD_MISS + 1, perfect))]
        struck += weight * max(0, short - beaten)
    scale *= whole
    return Fraction(plain, scale), Fraction(critical, scale), Fraction(struck, scale)


@lru_cache(maxsize=4096)
def found_chances(die: int, gaps: tuple[Against, ...]) -> tuple[float, ...]:
    """The chance that one shot finds each of several in turn, who defend with a d20p."""
    values, below, whole = _die(20)
    thrown, scale = _attack(die)
    found = [0.0] * len(gaps)
    for _, value, weight in thrown:
        left = weight / scale
        for number, (gap, cap) in enumerate(gaps):
            total = value + gap if cap is None else min(value + gap, cap)
            hit = left * below[bisect_left(values, total)] / whole
            found[number] += hit
            left -= hit
    return tuple(found)


@lru_cache(maxsize=4096)
def losses(harm: Harm) -> tuple[Weights, Weights]:
    """Hit points lost to a hit with their weights, and to a critical one."""
    critical = _lost(harm, weights(harm.dice * 2, harm.penetrates))
    return critical if harm.twice else _lost(harm, weights(harm.dice, harm.penetrates)), critical


@lru_cache(maxsize=16384)
def loss_figures(harm: Harm, health: int) -> tuple[float, float, float, float]:
    """(mean loss, chance to take the last hit point) of a hit; the same of a critical one."""
    plain, critical = losses(harm)
    return (*_figures(plain, health), *_figures(critical, health))


def _lost(harm: Harm, thrown: Weights) -> Weights:
    """((hit points lost to a hit, weight), …) and the sum of all weights."""
    known, whole = thrown
    out: dict[int, int] = {}
    for value, weight in known:
        raw = max(0, value + harm.flat)
        lost = max(0, (raw // 2 if harm.halved else raw) - harm.reduction)
        out[lost] = out.get(lost, 0) + weight
    return tuple(sorted(out.items())), whole


def _figures(lost: Weights, health: int) -> tuple[float, float]:
    known, whole = lost
    mean = sum(value * weight for value, weight in known)
    return mean / whole, sum(weight for value, weight in known if value >= health) / whole
