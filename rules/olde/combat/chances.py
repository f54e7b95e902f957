"""Exact odds of attacks (olde.md §6): the chance of each outcome, of each damage, of dropping and stunning."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rules.contract.ruleset import Odds
from rules.core import odds as dist
from rules.core.dice import notation
from rules.olde.challenges.checks import EASY, burden, resilience, stat_rank
from rules.olde.combat.attack import Blow, damage_of, throws_damage
from rules.olde.combat.grip import damage_faces
from rules.olde.combat.outcomes import OUTCOMES, sustained
from rules.olde.conditions import STUNNED
from rules.olde.state import Fighter, Figure, Setup

TWICE = {0: "", 1: ", the better of two", -1: ", the worse of two"}
"""How dice thrown with advantage (+1) or disadvantage (−1) are written."""
NAMES = (*(name for name, _ in OUTCOMES), "disastrous_miss")


@lru_cache(maxsize=8192)
def outcome_chances(attack_rank: int, defense_rank: int, edge: int, advantage: int = 0) -> tuple[float, ...]:
    """Chance of each outcome, best first. `edge` = adjustments of attack − of defense; defense rank 0: CR Easy."""
    tails = []
    for _, least in OUTCOMES:
        if defense_rank:
            tails.append(dist.chance_margin(attack_rank, defense_rank, least - edge, advantage))
        else:
            tails.append(dist.chance_at_least(2, attack_rank, EASY + least - edge, True, advantage))
    chances, above = [], 0.0
    for tail in tails:
        chances.append(max(0.0, tail - above))
        above = tail
    return (*chances, max(0.0, 1.0 - above))


def damage_chances(setup: Setup, attacker: Fighter, blow: Blow, chances: tuple[float, ...]) -> dict[int, float]:
    """Chance of each damage that the target sustains; misses are 0."""
    rank, halved, top = damage_faces(attacker, blow.weapon, blow.mode)
    out: dict[int, float] = {}
    for name, chance in zip(NAMES, chances, strict=True):
        if chance <= 0.0:
            continue
        if name.endswith("miss"):
            out[0] = out.get(0, 0.0) + chance
        elif not throws_damage(blow, name):
            hurt = damage_of(blow, attacker, name, top)
            out[hurt] = out.get(hurt, 0.0) + chance
        else:
            for face, p in enumerate(dist.die(rank, setup.exploding_damage)):
                if p > 0.0:
                    hurt = damage_of(blow, attacker, name, (face + 1) // 2 if halved else face)
                    out[hurt] = out.get(hurt, 0.0) + chance * p
    return dict(sorted(out.items()))


def odds_of(setup: Setup, figures: tuple[Figure, ...], blow: Blow) -> Odds:
    """The attack card's figures."""
    attacker, foe = setup.fighters[blow.attacker], setup.fighters[blow.target]
    victim = figures[blow.target]
    edge = blow.attack_total - blow.defense_total
    chances = outcome_chances(blow.attack_rank, blow.defense_rank, edge, blow.advantage)
    damage = damage_chances(setup, attacker, blow, chances)
    drop = sum(p for hurt, p in damage.items() if victim.hp > 0 and hurt >= victim.hp)
    stun = stun_of(setup, foe, victim, damage)
    rank, halved, _ = damage_faces(attacker, blow.weapon, blow.mode)
    notes = [(f"damage d{rank}{', halved' if halved else ''}", "olde.md §6 weapons")]
    if blow.armor and foe.armor:
        notes.append((f"−{blow.armor} damage: {foe.armor.name}", "olde.md §6 armor"))
    if attacker.traits is not None:
        notes += setup.moments.hit_notes(setup, attacker, foe, victim, blow.weapon)
    if not blow.defense_rank:
        notes.append(("helpless: the CR is Easy, 6", "olde.md §6 helpless"))
    return Odds(
        hit=sum(chances[:4]),
        outcomes=tuple(zip(NAMES, chances, strict=True)),
        damage=tuple(damage.items()),
        mean=sum(hurt * p for hurt, p in damage.items()),
        drop=drop,
        stun=stun,
        adjustments=blow.to_attack + blow.to_defense + blow.to_damage,
        attack_dice=notation(2, blow.attack_rank, True) + TWICE[blow.advantage],
        defense_dice=notation(2, blow.defense_rank, True) if blow.defense_rank else "CR 6",
        notes=tuple(notes),
    )


def stun_of(setup: Setup, foe: Fighter, victim: Figure, damage: dict[int, float]) -> float:
    """Chance of a stunning blow that stuns: more than half of the maximum, still up, check failed."""
    total = 0.0
    if foe.traits is not None and STUNNED.name in foe.traits.immune:
        return total
    stat = resilience(foe)
    plus = sum(a.value for a in burden(setup, foe, victim, stat))
    for hurt, p in damage.items():
        if 2 * hurt > foe.hp_max and hurt < victim.hp:
            total += p * (1.0 - dist.chance_at_least(2, stat_rank(foe, stat), hurt - plus))
    return total


class BlowTable(NamedTuple):
    """What one blow does, whoever it strikes: the same sums as `odds_of`, for valuations."""

    hit: float
    mean: float
    tails: tuple[float, ...]
    """Index n -> chance to do n damage or more."""

    def tail(self, damage: int) -> float:
        """Chance to do so much damage or more."""
        return self.tails[damage] if damage < len(self.tails) else 0.0

    def halves(self, most: int) -> float:
        """The mean of half of the damage, rounded up, counted up to `most`."""
        return sum(self.tails[2 * half - 1] for half in range(1, most + 1) if 2 * half <= len(self.tails))


@lru_cache(maxsize=16384)
def blow_table(
    attack_rank: int, defense_rank: int, edge: int, finesse: bool, rank: int, halved: bool, top: int, plus: int,
    armor: int, advantage: int = 0,
) -> BlowTable:  # fmt: skip
    """The figures of a blow by its dice and adjustments alone; shared by all fights."""
    chances = outcome_chances(attack_rank, defense_rank, edge, advantage)
    damage: dict[int, float] = {}
    for name, chance in zip(NAMES[:4], chances, strict=False):
        for face, p in enumerate(dist.die(rank, False)):
            if p > 0.0:
                hurt = sustained(name, finesse, (face + 1) // 2 if halved else face, top, plus, armor)
                damage[hurt] = damage.get(hurt, 0.0) + chance * p
    tails = [0.0] * (max(damage, default=0) + 2)
    for hurt in range(len(tails) - 2, -1, -1):
        tails[hurt] = tails[hurt + 1] + damage.get(hurt, 0.0)
    tails[0] = 1.0
    return BlowTable(sum(chances[:4]), sum(hurt * p for hurt, p in damage.items()), tuple(tails))


@lru_cache(maxsize=16384)
def stunning(table: BlowTable, hp: int, hp_max: int, rank: int, plus: int) -> float:
    """Chance that a blow stuns somebody with so many hit points; `rank` and `plus` of its check against it."""
    total = 0.0
    for hurt in range(hp_max // 2 + 1, min(hp, len(table.tails) - 1)):
        chance = table.tails[hurt] - table.tails[hurt + 1]
        if chance > 0.0:
            total += chance * (1.0 - dist.chance_at_least(2, rank, hurt - plus))
    return total


def quick(
    attack_rank: int, defense_rank: int, edge: int, finesse: bool, rank: int, halved: bool, top: int, plus: int,
    armor: int, hp: int, advantage: int = 0,
) -> tuple[float, float, float]:  # fmt: skip
    """(hit, mean damage, chance to drop) of a blow on somebody with so many hit points."""
    table = blow_table(attack_rank, defense_rank, edge, finesse, rank, halved, top, plus, armor, advantage)
    return table.hit, table.mean, table.tail(hp) if hp > 0 else 0.0
