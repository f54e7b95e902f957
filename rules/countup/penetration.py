"""Dice that penetrate: the highest face is thrown again and adds one less, without end (countup.md §0)."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from math import lcm

import msgspec

from rules.contract.errors import BattlematError, ThrowNeeded
from rules.contract.events import Roll, Throw
from rules.core.dice import Dice
from rules.core.figures import signed

TAIL = Fraction(1, 10**9)
"""Chances of chains less likely than this are folded into their last value."""


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


def _throw(dice: Dice, faces: int) -> int:
    """One face of a fair die of so many faces, also where they are odd, scripted or by the seed."""
    return dice.throw(faces, faces)


def throw(dice: Dice, faces: int, penetrating: bool, keen: bool = False) -> list[Throw]:
    """One die with its penetrations directly after it; each extra die counts one less than it shows."""
    face = _throw(dice, faces)
    thrown = [Throw(faces, face, face, penetrating and face >= faces - keen)]
    extra = beyond(faces)
    while thrown[-1].exploded:
        face = _throw(dice, extra)
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
            raise BattlematError(f"dice {text!r}: not a declaration such as 2d8p+2")
    if not parts or any(part.faces < 2 or part.count < 1 for part in parts):
        raise BattlematError(f"dice {text!r}: not a declaration such as 2d8p+2")
    return tuple(parts), flat


# ---------------------------------------------------------------------------------------------- odds

Chances = tuple[tuple[int, Fraction], ...]
"""(value, chance), ascending."""


@lru_cache(maxsize=256)
def die_chances(faces: int, penetrating: bool = True, keen: bool = False) -> Chances:
    """Chance of each total of one die; tails beyond `TAIL` are folded into the last value."""
    if not penetrating:
        return tuple((face, Fraction(1, faces)) for face in range(1, faces + 1))
    if keen:
        return _keen_chances(faces)
    out: dict[int, Fraction] = {face: Fraction(1, faces) for face in range(1, faces)}
    extra, base, weight = beyond(faces), faces, Fraction(1, faces)
    while weight > TAIL:
        for face in range(1, extra):
            value = base + face - 1
            out[value] = out.get(value, Fraction(0)) + weight / extra
        base, weight = base + extra - 1, weight / extra
    out[base] = out.get(base, Fraction(0)) + weight
    return tuple(sorted(out.items()))


def _keen_chances(faces: int) -> Chances:
    """A die whose two highest faces penetrate."""
    out: dict[int, Fraction] = {}
    waiting, first = {0: Fraction(1)}, True
    while sum(waiting.values()) > TAIL:
        after: dict[int, Fraction] = {}
        for base, weight in waiting.items():
            for face in range(1, faces + 1):
                value = base + face - (0 if first else 1)
                into = after if face >= faces - 1 else out
                into[value] = into.get(value, Fraction(0)) + weight / faces
        waiting, first = after, False
    for value, weight in waiting.items():
        out[value] = out.get(value, Fraction(0)) + weight
    return tuple(sorted(out.items()))


Weights = tuple[tuple[tuple[int, int], ...], int]
"""((value, weight), ascending) and the sum of all weights: exact chances in whole numbers, which add up far faster."""


def weights_of(known: Chances) -> Weights:
    """Chances by their common denominator."""
    scale = lcm(*(chance.denominator for _, chance in known))
    return tuple((v, chance.numerator * (scale // chance.denominator)) for v, chance in known), scale


@lru_cache(maxsize=256)
def die_weights(faces: int, penetrating: bool = True, keen: bool = False) -> Weights:
    """`die_chances` in whole numbers."""
    return weights_of(die_chances(faces, penetrating, keen))


@lru_cache(maxsize=2048)
def weights(parts: tuple[Die, ...], penetrating: bool = True) -> Weights:
    """The totals of an expression, its flat bonus left out."""
    out, whole = {0: 1}, 1
    for part in parts:
        one, scale = die_weights(part.faces, part.penetrating and penetrating, part.keen)
        shifted = [(max(0, v + part.flat) if part.flat < 0 else v + part.flat, weight) for v, weight in one]
        for _ in range(part.count):
            after: dict[int, int] = {}
            for so_far, weight in out.items():
                for value, more in shifted:
                    after[so_far + value] = after.get(so_far + value, 0) + weight * more
            out, whole = after, whole * scale
    return tuple(sorted(out.items())), whole


@lru_cache(maxsize=2048)
def chances(parts: tuple[Die, ...], penetrating: bool = True) -> Chances:
    """Chance of each total of an expression, its flat bonus left out."""
    known, whole = weights(parts, penetrating)
    return tuple((value, Fraction(weight, whole)) for value, weight in known)
