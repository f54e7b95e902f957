"""Exact odds of an attack: the highest die of the pool against Armor, then the ladder (cairn.md §2.2–2.4)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple

import msgspec

from rules.cairn.combat.attack import PreparedAttack, mobbed
from rules.cairn.combat.injury import armor_of, off_guard
from rules.cairn.conditions import DARED, MIRRORED, TRUE_SIGHT
from rules.cairn.saves import save_chance
from rules.cairn.state import Being, CairnState, Figure, shown_hp

Chances = dict[int, Fraction]
D20 = 20
"""Every save is one of so many faces: chances of the ladder are twentieths."""


def highest(dice: tuple[int, ...]) -> Chances:
    """Chance of each highest face among these dice."""
    falls = prod(dice)
    below = 0
    out = {}
    for face in range(1, max(dice, default=0) + 1):
        within = at_most(dice, face)
        if within > below:
            out[face] = Fraction(within - below, falls)
        below = within
    return out


def ladder(being: Being, figure: Figure, counted: int, damage: int, *, mercy: bool) -> dict[str, Fraction]:
    """Chance of each word of `injury.LADDER` for damage after armour, of which Hit Protection takes `counted`."""
    if damage <= 0:
        return {"nothing": Fraction(1)}
    lost = min(counted, damage)
    excess = damage - lost
    if not excess:
        return {"scar" if being.pc and lost and lost == counted else "hit_points": Fraction(1)}
    strength = figure.str_now - excess
    if strength <= 0:
        return {"killed": Fraction(1)}
    passed = save_chance(strength)
    worse = _failed(being, figure, mercy)
    out = {"wounded": passed}
    out[worse] = out.get(worse, Fraction(0)) + 1 - passed
    return {word: chance for word, chance in out.items() if chance}


def _failed(being: Being, figure: Figure, mercy: bool) -> str:
    """What a failed critical save comes to."""
    if being.pc and figure.doomed:
        return "killed"
    if being.unstoppable or figure.heads > 1:
        return "wounded"
    return "critical" if being.pc or being.detachment or mercy else "killed"


def attack_chances(state: CairnState, attacks: list[PreparedAttack]) -> tuple[dict[str, Fraction], Chances]:
    """(chance of each outcome, chance of each damage) of a pool of blows on one target."""
    target = attacks[0].target
    being, figure = state.setup.beings[target], state.figures[target]
    doubled = figure.has(MIRRORED) and not any(state.figures[b.attacker].has(TRUE_SIGHT) for b in attacks)
    harmful = [] if doubled else [attack for attack in attacks if not attack.immune]
    if not harmful:
        return {"nothing": Fraction(1)}, {0: Fraction(1)}
    counted = shown_hp(state.setup, being, figure)
    armor = armor_of(state.setup, being, figure)
    unguarded = off_guard(state, target)
    falls: dict[tuple[int, bool], int] = {}
    whole = prod(prod(attack.dice) for attack in harmful)
    for face, ignores, direct, ways in _winners(harmful):
        key = max(0, face - (0 if ignores else armor)), direct or unguarded
        falls[key] = falls.get(key, 0) + ways
    words: dict[str, int] = {}
    harm: dict[int, int] = {}
    for (damage, direct), ways in falls.items():
        harm[damage] = harm.get(damage, 0) + ways
        for word, part in ladder(being, figure, 0 if direct else counted, damage, mercy=state.setup.mercy).items():
            words[word] = words.get(word, 0) + ways * (part.numerator * (D20 // part.denominator))
    return (
        {word: Fraction(ways, whole * D20) for word, ways in words.items()},
        {damage: Fraction(ways, whole) for damage, ways in harm.items()},
    )


def _winners(attacks: list[PreparedAttack]) -> Iterator[tuple[int, bool, bool, int]]:
    """(highest face, whether it ignores armour, whether it is direct, in how many falls of all the dice), ties as in
    `attack.pool`."""
    order = sorted(
        range(len(attacks)),
        key=lambda i: (attacks[i].weapon.ignores_armor, attacks[i].weapon.rider is not None, -i),
        reverse=True,
    )
    top = max((max(attack.dice, default=0) for attack in attacks), default=0)
    falls = [[at_most(attack.dice, face) for face in range(top + 1)] for attack in attacks]
    for rank, i in enumerate(order):
        weapon, own = attacks[i].weapon, falls[i]
        for face in range(1, max(attacks[i].dice, default=0) + 1):
            ways = own[face] - own[face - 1]
            for other in order[:rank]:  # the preferred must be lower
                ways *= falls[other][face - 1]
            for other in order[rank + 1 :]:
                ways *= falls[other][face]
            if ways:
                yield face, weapon.ignores_armor, weapon.direct, ways


def at_most(dice: tuple[int, ...], face: int) -> int:
    """In how many of their falls none of these dice shows more than a face."""
    return prod(max(0, min(face, die)) for die in dice)


class Pool(NamedTuple):
    """What a side has planned against one target: its blows, and what may have felled it to the floor by then."""

    sure: tuple[PreparedAttack, ...] = ()
    risky: tuple[tuple[PreparedAttack, Fraction], ...] = ()
    """Daring blows as they fall if their save comes off, with the chance of that."""
    prone: Fraction = Fraction(0)  # chance that a trip has it on the floor before the blows
    notes: tuple[tuple[str, str], ...] = ()


NOBODY = Pool()


def with_attack(pool: Pool, attack: PreparedAttack, daring: Fraction | None = None) -> Pool:
    """The same with one blow more; `daring` is the chance that its manoeuvre comes off."""
    if daring is None:
        return pool._replace(sure=(*pool.sure, attack))
    return pool._replace(risky=(*pool.risky, (attack.modified(DARED), daring)))


def fallen(state: CairnState, target: int, pool: Pool) -> Iterator[tuple[CairnState, Fraction, list[PreparedAttack]]]:
    """Every way in which the saves before the blows may go: (the position then, its chance, the blows that fall)."""
    for there, chance in ((state, 1 - pool.prone), (floored(state, target), pool.prone)):
        for came_off in product((True, False), repeat=len(pool.risky)) if chance else ():
            weight, attacks = chance, list(pool.sure)
            for good, (attack, works) in zip(came_off, pool.risky, strict=True):
                weight *= works if good else 1 - works
                if good:
                    attacks.append(attack)
            yield there, weight, mobbed(state.setup, attacks)


def pool_chances(state: CairnState, target: int, pool: Pool) -> tuple[dict[str, Fraction], Chances]:
    """(chance of each outcome, chance of each damage) of all that is planned against a target."""
    outcomes: dict[str, Fraction] = {}
    damages: Chances = {}
    for there, weight, attacks in fallen(state, target, pool):
        words, harm = attack_chances(there, attacks) if attacks else ({"nothing": Fraction(1)}, {0: Fraction(1)})
        for word, chance in words.items():
            outcomes[word] = outcomes.get(word, 0) + weight * chance
        for value, chance in harm.items():
            damages[value] = damages.get(value, 0) + weight * chance
    return outcomes, damages


def floored(state: CairnState, target: int) -> CairnState:
    """The position with somebody on the floor."""
    figures = list(state.figures)
    figures[target] = msgspec.structs.replace(figures[target], posture="prone")
    return msgspec.structs.replace(state, figures=tuple(figures))


def felled(outcomes: dict[str, Fraction]) -> Fraction:
    """The chance to leave the target unable to fight."""
    return outcomes.get("killed", Fraction(0)) + outcomes.get("critical", Fraction(0))
