"""Exact odds of a melee attack or a shot, by convolution of penetrating dice (countup.md §2.1, §2.5)."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from rules.contract.actions import Action
from rules.contract.ruleset import Odds
from rules.countup.combat.attack import (
    INTO_MELEE,
    attack_adjustments,
    attack_dice,
    bracket,
    cover_of,
    crowd_of,
    damage_bonus,
    defence_die,
    defence_of,
    in_melee,
    thrown_strength,
)
from rules.countup.gear import Weapon
from rules.countup.manners import Manner
from rules.countup.penetration import Die, Harm, Weights, found_chances, hit_chances, loss_figures, losses, text_of
from rules.countup.state import CountState, PreparedAttack, present, struck_with, weapon_of

Figures = tuple[float, float, float]
"""(chance to hit, mean hit points lost, chance to drop)."""


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
    plain, critical, _ = hit_chances(attack_die, defence_die, (gap, cap))
    real = 1 + state.figures[attack.target].images
    if real > 1:
        plain, critical = plain / real, critical / real
    mean, drop, high, sure = loss_figures(harm_of(state, attack, weapon), max(1, state.figures[attack.target].hp))
    hit, crit = float(plain), float(critical)
    return (hit + crit, hit * mean + crit * high, hit * drop + crit * sure)


def harm_of(state: CountState, attack: PreparedAttack, weapon: Weapon) -> Harm:
    """What a hit of an attack does to its target."""
    manner, reduction = attack.manner, state.setup.beings[attack.target].reduction
    flat = weapon.flat + strength_of(state, attack, weapon)
    dice = attack_dice(state, attack, weapon)
    return Harm(dice, flat, reduction, manner.penetrates, manner.jab, manner.twice)


def strength_of(state: CountState, attack: PreparedAttack, weapon: Weapon) -> int:
    """What Strength adds to the damage of a blow or shot."""
    if attack.manner.shot:
        return thrown_strength(state, attack.by, weapon)
    return damage_bonus(state, attack.by)


def _shot(state: CountState, attack: PreparedAttack, weapon: Weapon) -> tuple[int, int, int, int | None] | None:
    die = bracket(state, attack.by, attack.target, weapon)
    if die is None:
        return None
    foe, melee = state.setup.beings[attack.target], in_melee(state, attack.target)
    bonus = sum(a.value for a in attack_adjustments(state, attack))
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
    bonus = sum(a.value for a in attack_adjustments(state, attack))
    sizes = [INTO_MELEE[state.setup.beings[who].size] for who in crowd]
    caps = [cover_of(state, attack.by, who) for who in crowd]
    gaps = tuple((bonus - size, None if cap is None else cap - size) for size, cap in zip(sizes, caps, strict=True))
    found, strength = [], thrown_strength(state, attack.by, weapon)
    for who, chance in zip(crowd[1:], found_chances(die, gaps)[1:], strict=True):
        foe, health = state.setup.beings[who], max(1, state.figures[who].hp)
        mean, drop, _, _ = loss_figures(Harm(weapon.dice, weapon.flat + strength, foe.reduction), health)
        found.append((who, chance * mean, chance * drop))
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
    guard, adjustments = defence_of(state, target, who), attack_adjustments(state, attack)
    if manner.shot:
        found = _shot(state, attack, weapon)
        assert found is not None
        attack_die, defence_die, gap, cap = found
        defence_text = f"d{defence_die}p"
    else:
        attack_die, defence_die, cap = 20, guard.faces, None
        gap = sum(a.value for a in adjustments) - guard.bonus
        adjustments += guard.adjustments
        defence_text = text_of((Die(1, guard.faces),), guard.bonus)
    plain, critical, struck = hit_chances(attack_die, defence_die, (gap, cap))
    real = Fraction(1, 1 + state.figures[target].images)
    copied = (plain + critical) * (1 - real)
    plain, critical = plain * real, critical * real
    figure = state.figures[target]
    one, two = losses(harm_of(state, attack, weapon))
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
