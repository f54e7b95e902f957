"""Exact odds of a melee attack or a shot, by convolution of penetrating dice (countup.md §2.1, §2.5)."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import lcm

from rules.contract.actions import Action
from rules.contract.ruleset import Odds
from rules.countup.combat.melee import SHIELD_MISS, attack_adjustments, attack_dice, damage_bonus, defence_of
from rules.countup.combat.missiles import (
    INTO_MELEE,
    bracket,
    cover_of,
    crowd_of,
    defence_die,
    in_melee,
    thrown_strength,
    to_attack,
)
from rules.countup.gear import Weapon
from rules.countup.manners import Manner
from rules.countup.penetration import Die, Weights, die_chances, die_weights, text_of, weights
from rules.countup.state import CountState, PreparedAttack, present, struck_with, weapon_of

Figures = tuple[float, float, float]
"""(chance to hit, mean hit points lost, chance to drop)."""


@lru_cache(maxsize=4096)
def hit_chances(attack_die: int, defence_die: int, gap: int, cap: int | None) -> tuple[Fraction, Fraction, Fraction]:
    """(plain hit, critical hit, the shield struck) where `gap` = attack bonus − defence bonus, and `cap` − that bonus.

    A natural 1 misses; a natural 20 that hits is critical.
    """
    guards, whole = die_weights(defence_die)
    values = [guard for guard, _ in guards]
    summed = [0, *accumulate(weight for _, weight in guards)]
    perfect = 20 if defence_die == 20 else values[-1] + 1
    thrown, scale = _attacks(attack_die)
    plain = critical = struck = 0
    for face, value, weight in thrown:
        total = (value if cap is None else min(value, cap)) + gap
        beaten = summed[bisect_left(values, total)]
        if face == attack_die == 20:
            critical += weight * beaten
        else:
            plain += weight * beaten
        short = summed[bisect_left(values, min(total + SHIELD_MISS + 1, perfect))]
        struck += weight * max(0, short - beaten)
    return tuple(Fraction(part, whole * scale) for part in (plain, critical, struck))  # type: ignore[return-value]


@lru_cache(maxsize=64)
def _attacks(die: int) -> tuple[tuple[tuple[int, int, int], ...], int]:
    """((first face, total, weight) of an attack die, the sum of all); a natural 1 misses and is left out."""
    tails = [(face, value, chance) for face in range(2, die + 1) for value, chance in _after(die, face)]
    scale = lcm(*(chance.denominator for _, _, chance in tails))
    return tuple((f, v, chance.numerator * (scale // chance.denominator)) for f, v, chance in tails), scale


@lru_cache(maxsize=64)
def _after(die: int, face: int) -> tuple[tuple[int, Fraction], ...]:
    """Totals of a die whose first face is known, with their chances."""
    if face < die:
        return ((face, Fraction(1, die)),)
    return tuple((value, chance) for value, chance in die_chances(die) if value >= die)


@lru_cache(maxsize=4096)
def _lost(dice: tuple[Die, ...], flat: int, reduction: int, penetrating: bool, halved: bool) -> Weights:
    """((hit points lost to a hit, weight), …) and the sum of all weights."""
    known, whole = weights(dice, penetrating)
    out: dict[int, int] = {}
    for value, weight in known:
        raw = max(0, value + flat)
        lost = max(0, (raw // 2 if halved else raw) - reduction)
        out[lost] = out.get(lost, 0) + weight
    return tuple(sorted(out.items())), whole


@lru_cache(maxsize=8192)
def figures(
    dice: tuple[Die, ...], flat: int, reduction: int, penetrating: bool, halved: bool, health: int
) -> tuple[float, float]:
    """(mean loss, chance to take the last hit point) of a hit."""
    known, whole = _lost(dice, flat, reduction, penetrating, halved)
    mean = sum(value * weight for value, weight in known)
    drop = sum(weight for value, weight in known if value >= health)
    return float(Fraction(mean, whole)), float(Fraction(drop, whole))


def attack_figures(state: CountState, attack: PreparedAttack, weapon: Weapon, guarded: int = 0) -> Figures:
    """What a blow or shot does on average, shields aside; `guarded` is added to a defence."""
    if attack.manner.shot:
        found = _shot(state, attack, weapon)
        if found is None:
            return (0.0, 0.0, 0.0)
        attack_die, defence_die, gap, cap = found
    else:
        guard = defence_of(state, attack.target, attack.by)
        attack_die, defence_die, cap = 20, guard.faces, None
        gap = sum(a.value for a in attack_adjustments(state, attack)) - guard.bonus - guarded
    plain, critical, _ = hit_chances(attack_die, defence_die, gap, cap)
    real = Fraction(1, 1 + state.figures[attack.target].images)
    plain, critical = plain * real, critical * real
    foe, target = state.setup.beings[attack.target], state.figures[attack.target]
    manner, flat = attack.manner, weapon.flat + strength_of(state, attack, weapon)
    dice, health = attack_dice(state, attack, weapon), max(1, target.hp)
    plain_dice = dice * 2 if manner.twice else dice
    mean, drop = figures(plain_dice, flat, foe.reduction, manner.penetrates, manner.jab, health)
    high, sure = figures(dice * 2, flat, foe.reduction, manner.penetrates, manner.jab, health)
    hit, crit = float(plain), float(critical)
    return (hit + crit, hit * mean + crit * high, hit * drop + crit * sure)


def strength_of(state: CountState, attack: PreparedAttack, weapon: Weapon) -> int:
    """What Strength adds to the damage of a blow or shot."""
    if attack.manner.shot:
        return thrown_strength(state, attack.by, weapon)
    return damage_bonus(state, attack.by)


def _shot(state: CountState, attack: PreparedAttack, weapon: Weapon) -> tuple[int, int, int, int | None] | None:
    die = bracket(state, attack.by, attack.target, weapon)
    if die is None:
        return None
    being, foe = state.setup.beings[attack.by], state.setup.beings[attack.target]
    melee = in_melee(state, attack.target)
    bonus = sum(a.value for a in to_attack(state, attack, being.attack))
    cap = cover_of(state, attack.by, attack.target)
    gap = bonus - (INTO_MELEE[foe.size] if melee else 0)
    return die, defence_die(state, attack.target), gap, None if cap is None else cap - bonus


STRAYS = 4
"""So many of those next nearest to a target are looked at, whom a shot may find that misses it."""


def strays(state: CountState, attack: PreparedAttack, weapon: Weapon) -> tuple[tuple[int, float, float], ...]:
    """(who, mean hit points lost, chance to drop) for those whom a shot into a melee may find in its target's stead."""
    die = bracket(state, attack.by, attack.target, weapon)
    if die is None or not in_melee(state, attack.target):
        return ()
    crowd = crowd_of(state, attack)[: STRAYS + 1]
    bonus = sum(a.value for a in to_attack(state, attack, state.setup.beings[attack.by].attack))
    sizes = [INTO_MELEE[state.setup.beings[who].size] for who in crowd]
    caps = [cover_of(state, attack.by, who) for who in crowd]
    gaps = tuple((bonus - size, None if cap is None else cap - size) for size, cap in zip(sizes, caps, strict=True))
    found, strength = [], thrown_strength(state, attack.by, weapon)
    for who, chance in zip(crowd[1:], _found(die, gaps)[1:], strict=True):
        foe, health = state.setup.beings[who], max(1, state.figures[who].hp)
        mean, drop = figures(weapon.dice, weapon.flat + strength, foe.reduction, True, False, health)
        found.append((who, chance * mean, chance * drop))
    return tuple(found)


@lru_cache(maxsize=4096)
def _found(die: int, gaps: tuple[tuple[int, int | None], ...]) -> tuple[float, ...]:
    """The chance that one shot finds each in turn: (attack bonus − defence bonus, and the most that it may come to)."""
    guards, whole = die_weights(20)
    values = [guard for guard, _ in guards]
    summed = [0, *accumulate(weight for _, weight in guards)]
    thrown, scale = _attacks(die)
    found = [0.0] * len(gaps)
    for _, value, weight in thrown:
        left = weight / scale
        for number, (gap, cap) in enumerate(gaps):
            total = value + gap if cap is None else min(value + gap, cap)
            hit = left * summed[bisect_left(values, total)] / whole
            found[number] += hit
            left -= hit
    return tuple(found)


def _damage(plain: Fraction, critical: Fraction, one: Weights, two: Weights) -> tuple[dict[int, int], int]:
    """Hit points lost -> weight, and the sum of all weights, of a blow that loses `two` where it is critical."""
    (once, first), (twice, second) = one, two
    # Whole numbers of one denominator: a sum of fractions would be cancelled anew for each of them.
    hits = lcm(plain.denominator, critical.denominator)
    whole = hits * first * second
    damage = {0: int((1 - plain - critical) * whole)}
    for table, weight in ((once, int(plain * hits) * second), (twice, int(critical * hits) * first)):
        for value, ways in table:
            damage[value] = damage.get(value, 0) + weight * ways
    return damage, whole


def odds_of(state: CountState, who: int, action: Action, manner: Manner) -> Odds | None:
    """Exact odds of an attack or a shot as things stand now; a shot must be possible."""
    target = state.setup.index.get(action.target or "")
    if target is None or not present(state.figures[target]):
        return None
    name = struck_with(state.setup, who, state.figures[who], action)
    weapon = weapon_of(state.setup, who, name)
    attack = PreparedAttack(who, target, name, manner)
    guard = defence_of(state, target, who)
    if manner.shot:
        adjustments = to_attack(state, attack, state.setup.beings[who].attack)
        found = _shot(state, attack, weapon)
        assert found is not None
        attack_die, defence_die, gap, cap = found
        defence_text = f"d{defence_die}p"
    else:
        attack_die, defence_die, cap = 20, guard.faces, None
        adjustments = attack_adjustments(state, attack)
        gap = sum(a.value for a in adjustments) - guard.bonus
        adjustments += guard.adjustments
        defence_text = text_of((Die(1, guard.faces),), guard.bonus)
    plain, critical, struck = hit_chances(attack_die, defence_die, gap, cap)
    real = Fraction(1, 1 + state.figures[target].images)
    copied = (plain + critical) * (1 - real)
    plain, critical = plain * real, critical * real
    foe, figure = state.setup.beings[target], state.figures[target]
    bonus = strength_of(state, attack, weapon)
    dice, flat = attack_dice(state, attack, weapon), weapon.flat + bonus
    one = _lost(dice, flat, foe.reduction, manner.penetrates, manner.jab)
    two = _lost(dice * 2, flat, foe.reduction, manner.penetrates, manner.jab)
    if manner.harmless:  # a threat, not a wound
        one = two = ((0, 1),), 1
    damage, whole = _damage(plain, critical, one, two)
    shielded = guard.shield and not manner.shot
    outcomes = [("critical_hit", critical), ("hit", plain)]
    outcomes += [("shield_struck", struck)] if shielded else []
    outcomes += [("image", copied)] if copied else []
    outcomes.append(("miss", 1 - plain - critical - copied - (struck if shielded else 0)))
    return Odds(
        hit=float(plain + critical),
        outcomes=tuple((word, float(chance)) for word, chance in outcomes),
        damage=tuple((value, ways / whole) for value, ways in sorted(damage.items()) if ways),
        mean=sum(value * ways for value, ways in damage.items()) / whole,
        drop=sum(ways for value, ways in damage.items() if value >= figure.hp) / whole,
        adjustments=adjustments,
        attack_dice=f"d{attack_die}p",
        defense_dice=defence_text,
    )
