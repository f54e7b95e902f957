"""Exact chances of penetrating dice against each other, by convolution in whole numbers (countup.md §0, §2.1)."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import NamedTuple

from rules.countup.gear import SHIELD_MISS
from rules.countup.penetration import Die, Weights, die_chances, die_weights, weights

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


class Chances:
    """Chances in a fight, each reckoned once: whoever owns the fight owns what is remembered here."""

    __slots__ = ("_attacks", "_dice", "_figures", "_found", "_hits", "_lost", "_sums")

    def __init__(self) -> None:
        self._dice: dict[int, tuple[list[int], list[int], int]] = {}
        self._attacks: dict[int, tuple[tuple[tuple[int, int, int], ...], int]] = {}
        self._hits: dict[tuple[int, int, int, int | None], Hit] = {}
        self._sums: dict[tuple[tuple[Die, ...], bool], Weights] = {}
        self._lost: dict[Harm, tuple[Weights, Weights]] = {}
        self._figures: dict[tuple[Harm, int], tuple[float, float, float, float]] = {}
        self._found: dict[tuple[int, tuple[Against, ...]], tuple[float, ...]] = {}

    def _die(self, faces: int) -> tuple[list[int], list[int], int]:
        """(totals of a die, weights of all below each, the sum of all weights)."""
        known = self._dice.get(faces)
        if known is None:
            found, whole = die_weights(faces)
            sums = [0, *accumulate(weight for _, weight in found)]
            known = self._dice[faces] = [value for value, _ in found], sums, whole
        return known

    def _attack(self, die: int) -> tuple[tuple[tuple[int, int, int], ...], int]:
        """((first face, total, weight) of an attack die, the sum of all); a natural 1 misses and is left out."""
        known = self._attacks.get(die)
        if known is None:
            tails = [(face, face, Fraction(1, die)) for face in range(2, die)]
            tails += [(die, value, chance) for value, chance in die_chances(die) if value >= die]
            scale = lcm(*(chance.denominator for _, _, chance in tails))
            thrown = tuple((f, v, chance.numerator * (scale // chance.denominator)) for f, v, chance in tails)
            known = self._attacks[die] = thrown, scale
        return known

    def hit(self, attack_die: int, defence_die: int, against: Against) -> Hit:
        """The chances of one attack. A natural 1 misses; a natural 20 that hits is critical."""
        key = (attack_die, defence_die, *against)
        known = self._hits.get(key)
        if known is None:
            known = self._hits[key] = self._hit(attack_die, defence_die, against)
        return known

    def _hit(self, attack_die: int, defence_die: int, against: Against) -> Hit:
        gap, cap = against
        values, below, whole = self._die(defence_die)
        perfect = 20 if defence_die == 20 else values[-1] + 1
        thrown, scale = self._attack(attack_die)
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

    def found(self, die: int, gaps: tuple[Against, ...]) -> tuple[float, ...]:
        """The chance that one shot finds each of several in turn, who defend with a d20p."""
        known = self._found.get((die, gaps))
        if known is not None:
            return known
        values, below, whole = self._die(20)
        thrown, scale = self._attack(die)
        found = [0.0] * len(gaps)
        for _, value, weight in thrown:
            left = weight / scale
            for number, (gap, cap) in enumerate(gaps):
                total = value + gap if cap is None else min(value + gap, cap)
                hit = left * below[bisect_left(values, total)] / whole
                found[number] += hit
                left -= hit
        known = self._found[die, gaps] = tuple(found)
        return known

    def _sum(self, dice: tuple[Die, ...], penetrating: bool) -> Weights:
        """The totals of dice of damage."""
        known = self._sums.get((dice, penetrating))
        if known is None:
            known = self._sums[dice, penetrating] = weights(dice, penetrating)
        return known

    def lost(self, harm: Harm) -> tuple[Weights, Weights]:
        """Hit points lost to a hit with their weights, and to a critical one."""
        known = self._lost.get(harm)
        if known is None:
            critical = _lost(harm, self._sum(harm.dice * 2, harm.penetrates))
            plain = critical if harm.twice else _lost(harm, self._sum(harm.dice, harm.penetrates))
            known = self._lost[harm] = plain, critical
        return known

    def figures(self, harm: Harm, health: int) -> tuple[float, float, float, float]:
        """(mean loss, chance to take the last hit point) of a hit; the same of a critical one."""
        known = self._figures.get((harm, health))
        if known is None:
            plain, critical = self.lost(harm)
            known = self._figures[harm, health] = *_figures(plain, health), *_figures(critical, health)
        return known


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
    drop = sum(weight for value, weight in known if value >= health)
    return float(Fraction(mean, whole)), float(Fraction(drop, whole))
