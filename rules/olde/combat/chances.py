"""Exact odds of attacks (olde.md §6): the chance of each outcome, of each damage, of dropping and stunning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rules.contract.ruleset import Odds
from rules.contract.text import text
from rules.core import odds as dist
from rules.core.dice import notation
from rules.olde.challenges.checks import EASY
from rules.olde.combat.attack import PreparedAttack, damage_of
from rules.olde.combat.outcomes import OUTCOMES, stun_of
from rules.olde.combat.weapons import damage_faces
from rules.olde.memory import Memory
from rules.olde.state import Fighter, Figure, Setup

TWICE = {0: "", 1: ", the better of two", -1: ", the worse of two"}
"""How dice thrown with advantage (+1) or disadvantage (−1) are written."""
NAMES = tuple(outcome.name for outcome in OUTCOMES)
HITS = sum(1 for outcome in OUTCOMES if outcome.brawn is not None)
"""So many of the outcomes, the first, are hits."""


@lru_cache(maxsize=4096)
def outcome_chances(attack_rank: int, defense_rank: int, edge: int, advantage: int = 0) -> tuple[float, ...]:
    """Chance of each outcome, best first. `edge` = adjustments of attack − of defense; defense rank 0: CR Easy."""
    tails = []
    for outcome in OUTCOMES[:-1]:
        if defense_rank:
            tails.append(dist.chance_margin(attack_rank, defense_rank, outcome.least - edge, advantage))
        else:
            tails.append(dist.chance_at_least(2, attack_rank, EASY + outcome.least - edge, True, advantage))
    chances, above = [], 0.0
    for tail in tails:
        chances.append(max(0.0, tail - above))
        above = tail
    return (*chances, max(0.0, 1.0 - above))


def damage_chances(
    setup: Setup, attacker: Fighter, attack: PreparedAttack, chances: tuple[float, ...]
) -> dict[int, float]:
    """Chance of each damage that the target sustains; misses are 0."""
    rank, halved, top = damage_faces(attacker, attack.armed)
    out: dict[int, float] = {}
    for outcome, chance in zip(OUTCOMES, chances, strict=True):
        if chance <= 0.0:
            continue
        hurt = outcome.hurt(attack.mode.finesse)
        if hurt is None:
            out[0] = out.get(0, 0.0) + chance
        elif hurt.maximum:
            damage = damage_of(attack, attacker, hurt, top)
            out[damage] = out.get(damage, 0.0) + chance
        else:
            for face, p in enumerate(dist.die(rank, setup.exploding_damage)):
                if p > 0.0:
                    damage = damage_of(attack, attacker, hurt, (face + 1) // 2 if halved else face)
                    out[damage] = out.get(damage, 0.0) + chance * p
    return dict(sorted(out.items()))


def odds_of(setup: Setup, figures: Sequence[Figure], attack: PreparedAttack) -> Odds:
    """The attack card's figures."""
    attacker, foe = setup.fighters[attack.attacker], setup.fighters[attack.target]
    victim = figures[attack.target]
    edge = attack.attack_total - attack.defense_total
    chances = outcome_chances(attack.attack_rank, attack.defense_rank, edge, attack.advantage)
    damage = damage_chances(setup, attacker, attack, chances)
    drop = sum(p for hurt, p in damage.items() if victim.hp > 0 and hurt >= victim.hp)
    stun = stun_of(setup, foe, victim, damage)
    rank, halved, _ = damage_faces(attacker, attack.armed)
    notes: list[tuple[str, str]] = [
        (text("damage d{rank}{halved}", rank, ", halved" if halved else ""), "olde.md §6 weapons")
    ]
    if attack.armor and foe.armor:
        notes.append((text("−{armor} damage: {name}", attack.armor, foe.armor.name), "olde.md §6 armor"))
    if attacker.traits is not None:
        notes += setup.moments.hit_notes(setup, attacker, foe, victim, attack.weapon)
    if not attack.defense_rank:
        notes.append(("helpless: the CR is Easy, 6", "olde.md §6 helpless"))
    return Odds(
        hit=sum(chances[:HITS]),
        outcomes=tuple(zip(NAMES, chances, strict=True)),
        damage=tuple(damage.items()),
        mean=sum(hurt * p for hurt, p in damage.items()),
        drop=drop,
        stun=stun,
        adjustments=attack.to_attack + attack.to_defense + attack.to_damage,
        attack_dice=notation(2, attack.attack_rank, True) + TWICE[attack.advantage],
        defense_dice=notation(2, attack.defense_rank, True) if attack.defense_rank else "CR 6",
        notes=tuple(notes),
    )


class AttackDice(NamedTuple):
    """All of an attack that its figures hang on, whoever makes it."""

    attack_rank: int
    defense_rank: int
    edge: int
    """Adjustments of the attack less those of the defense."""
    finesse: bool
    rank: int
    """Of the damage die."""
    halved: bool
    top: int
    """The maximum of the damage die."""
    plus: int
    armor: int
    advantage: int = 0

    @classmethod
    def of(cls, attack: PreparedAttack, attacker: Fighter, advantage: int = 0) -> AttackDice:
        """Those of an attack that is prepared."""
        rank, halved, top = damage_faces(attacker, attack.armed)
        return cls(
            attack_rank=attack.attack_rank, defense_rank=attack.defense_rank,
            edge=attack.attack_total - attack.defense_total, finesse=attack.mode.finesse, rank=rank, halved=halved,
            top=top, plus=attack.damage_total, armor=attack.armor, advantage=advantage,
        )  # fmt: skip


class AttackTable(NamedTuple):
    """What an attack does, whoever it strikes: the same sums as `odds_of`, for valuations."""

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


def attack_table(memory: Memory, dice: AttackDice) -> AttackTable:
    """The figures of an attack by its dice and adjustments alone. Remembered."""
    known = memory.table("attacks")
    found: AttackTable | None = known.get(dice)
    if found is None:
        found = known[dice] = table_of(dice)
    return found


def table_of(dice: AttackDice) -> AttackTable:
    """The figures of an attack worked out anew."""
    chances = outcome_chances(dice.attack_rank, dice.defense_rank, dice.edge, dice.advantage)
    damage: dict[int, float] = {}
    for outcome, chance in zip(OUTCOMES[:HITS], chances, strict=False):
        hurt = outcome.hurt(dice.finesse)
        assert hurt is not None
        for face, p in enumerate(dist.die(dice.rank, False)):
            if p > 0.0:
                sustained = hurt.sustained((face + 1) // 2 if dice.halved else face, dice.top, dice.plus, dice.armor)
                damage[sustained] = damage.get(sustained, 0.0) + chance * p
    tails = [0.0] * (max(damage, default=0) + 2)
    for sustained in range(len(tails) - 2, -1, -1):
        tails[sustained] = tails[sustained + 1] + damage.get(sustained, 0.0)
    tails[0] = 1.0
    return AttackTable(sum(chances[:HITS]), sum(hurt * p for hurt, p in damage.items()), tuple(tails))


def stunning(table: AttackTable, hp: int, hp_max: int, rank: int, plus: int) -> float:
    """Chance that a blow stuns somebody with so many hit points; `rank` and `plus` of its check against it."""
    total = 0.0
    for hurt in range(hp_max // 2 + 1, min(hp, len(table.tails) - 1)):
        chance = table.tails[hurt] - table.tails[hurt + 1]
        if chance > 0.0:
            total += chance * (1.0 - dist.chance_at_least(2, rank, hurt - plus))
    return total
