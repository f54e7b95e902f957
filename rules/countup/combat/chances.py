"""Exact odds of a melee attack or a shot, by convolution of penetrating dice (countup.md §2.1, §2.5)."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from rules.contract.actions import Action
from rules.contract.ruleset import Odds
from rules.contract.units import CreatureIx
from rules.countup import penetration
from rules.countup.combat import attack as blows
from rules.countup.manners import Manner
from rules.countup.state import Position, PreparedAttack

Figures = tuple[float, float, float]
"""(chance to hit, mean hit points lost, chance to drop)."""


Matched = tuple[int, int, penetration.Against]
"""The faces of the dice of an attack and of its target, and what is added to them."""


def _matched(
    state: Position, attack: PreparedAttack, guarded: int = 0, guard: blows.Defence | None = None
) -> Matched | None:
    """The dice of a blow or shot; None beyond the weapon's range. `guarded` is added to a defence."""
    bonus = sum(a.value for a in blows.attack_adjustments(state, attack))
    if not attack.manner.shot:
        guard = guard or blows.defence_of(state, attack.target, attack.by)
        given = blows.GROUND if attack.yielded else 0
        return 20, guard.faces, (bonus - guard.bonus - guarded - given, None)
    die = blows.bracket(state, attack.by, attack.target, attack.weapon)
    if die is None:
        return None
    size = blows.INTO_MELEE[state.being(attack.target).size] if blows.in_melee(state, attack.target) else 0
    cap = blows.cover_of(state, attack.by, attack.target)
    return die, blows.defence_die(state, attack.target), (bonus - size, None if cap is None else cap - bonus)


def hit_figures(
    state: Position, attack: PreparedAttack, guarded: int = 0, guard: blows.Defence | None = None
) -> tuple[float, float]:
    """(chance of a plain hit, of a critical one) of a blow or shot; `guarded` is added to a defence.

    `guard`: the target's defence against a blow, where it is known already."""
    matched = _matched(state, attack, guarded, guard)
    if matched is None:
        return (0.0, 0.0)
    plain, critical, _ = penetration.hit_chances(*matched)
    if images := state.figures[attack.target].images:
        plain, critical = plain / (1 + images), critical / (1 + images)
    return (float(plain), float(critical))


def attack_figures(
    state: Position, attack: PreparedAttack, guarded: int = 0, guard: blows.Defence | None = None
) -> Figures:
    """What a blow or shot does on average, shields aside; the rest as for `hit_figures`."""
    hit, crit = hit_figures(state, attack, guarded, guard)
    if not hit + crit:
        return (0.0, 0.0, 0.0)
    health = max(1, state.figures[attack.target].hp)
    mean, drop, high, sure = penetration.loss_figures(harm_of(state, attack), health)
    return (hit + crit, hit * mean + crit * high, hit * drop + crit * sure)


def harm_of(state: Position, attack: PreparedAttack) -> penetration.Harm:
    """What a hit of an attack does to its target."""
    manner, weapon = attack.manner, attack.weapon
    strength = blows.thrown_strength(state, attack.by, weapon) if manner.shot else blows.damage_bonus(state, attack.by)
    reduction, dice = state.being(attack.target).reduction, blows.attack_dice(state, attack)
    halved = manner.jab or (manner.exposes and attack.yielded)
    return penetration.Harm(dice, weapon.harm.flat + strength, reduction, manner.penetrates, halved, manner.twice)


STRAYS = 4
"""So many of those next nearest to a target are looked at, whom a shot may find that misses it."""


def strays(state: Position, attack: PreparedAttack) -> tuple[tuple[int, float, float], ...]:
    """(who, mean hit points lost, chance to drop) for those whom a shot into a melee may find in its target's stead."""
    die = blows.bracket(state, attack.by, attack.target, attack.weapon)
    if die is None or not blows.in_melee(state, attack.target):
        return ()
    crowd = blows.crowd_of(state, attack)[: STRAYS + 1]
    bonus = sum(a.value for a in blows.attack_adjustments(state, attack))
    gaps: list[penetration.Against] = []
    for who in crowd:
        size, cap = blows.INTO_MELEE[state.being(who).size], blows.cover_of(state, attack.by, who)
        gaps.append((bonus - size, None if cap is None else cap - size))
    found, (dice, flat) = [], attack.weapon.harm
    flat += blows.thrown_strength(state, attack.by, attack.weapon)
    for who, chance in zip(crowd[1:], penetration.found_chances(die, tuple(gaps))[1:], strict=True):
        harm = penetration.Harm(dice, flat, state.being(who).reduction)
        mean, drop, _, _ = penetration.loss_figures(harm, max(1, state.figures[who].hp))
        found.append((who, chance * mean, chance * drop))
    return tuple(found)


def _damage(
    plain: Fraction, critical: Fraction, one: penetration.Weights, two: penetration.Weights
) -> tuple[dict[int, int], int]:
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


def odds_of(state: Position, who: CreatureIx, action: Action, manner: Manner) -> Odds | None:
    """Exact odds of an attack or a shot as things stand now; a shot must be possible."""
    target = state.find(action.target)
    if target is None or not state.figures[target].present:
        return None
    attack = PreparedAttack(who, target, state.struck_with(who, action), manner)
    guard, adjustments = blows.defence_of(state, target, who), blows.attack_adjustments(state, attack)
    matched = _matched(state, attack)
    assert matched is not None
    attack_text, defence_text = f"d{matched[0]}p", f"d{matched[1]}p"
    if not manner.shot:
        adjustments += guard.adjustments
        defence_text = penetration.text_of((penetration.Die(1, guard.faces),), guard.bonus)
    plain, critical, struck = penetration.hit_chances(*matched)
    figure = state.figures[target]
    real = Fraction(1, 1 + figure.images)
    copied = (plain + critical) * (1 - real)
    plain, critical = plain * real, critical * real
    one, two = penetration.losses(harm_of(state, attack))
    if manner.harmless:  # a threat, not a wound
        one = two = ((0, 1),), 1
    damage, whole = _damage(plain, critical, one, two)
    shielded = guard.shield and not manner.shot
    outcomes = [("critical_hit", critical), ("hit", plain)]
    outcomes += [("shield_struck", struck)] if shielded else []
    outcomes += [("image", copied)] if copied else []
    outcomes.append(("miss", 1 - plain - critical - copied - (struck if shielded else 0)))
    return Odds(
        hit=float(plain + critical), outcomes=tuple((word, float(chance)) for word, chance in outcomes),
        damage=tuple((value, ways / whole) for value, ways in sorted(damage.items()) if ways),
        mean=sum(value * ways for value, ways in damage.items()) / whole,
        drop=sum(ways for value, ways in damage.items() if value >= figure.hp) / whole,
        adjustments=adjustments, attack_dice=attack_text, defense_dice=defence_text,
    )  # fmt: skip
