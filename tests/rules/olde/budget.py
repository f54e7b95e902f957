"""What a spell is worth and what it costs, in one currency: the formula that balances house magic (docs/magic.md).

The currency is the damage that a plain attack does: a *point* is one hit point of a middling foe. The reference caster
has 8 in its stat and is an Apprentice; the reference foe has 6 in every stat, leather armor and its share of allies.
"""

from __future__ import annotations

import math

from rules.board.grid import Field
from rules.core import odds as dist
from rules.olde.combat.attack import AttackDice, table_of
from rules.olde.effects import ZoneKind
from rules.olde.magic.casting import POWERS, Restore, effect_value
from rules.olde.magic.spells import Affects, Against, Caster, Spell

CASTER, FOE, ARMOR, WEAPON = 8, 6, 1, 8
"""Stats of the reference caster and foe, the foe's armor, the rank of the weapon's die that magic is measured by."""
TOLERANCE = 0.25
"""How far worth and price may lie apart, in parts of the price."""

_BLOW = table_of(
    AttackDice(
        attack_rank=CASTER, defense_rank=FOE, edge=0, finesse=False, rank=WEAPON, halved=False, top=WEAPON, plus=0,
        armor=ARMOR,
    )
)  # fmt: skip
AP_POINT = _BLOW.mean / 2
"""What an action point is worth: half a plain attack."""
POOL_POINT = 0.3 * AP_POINT
"""What a point of Mana or Faith is worth: three tenths of an action point."""
TURN = AP_POINT * (FOE + 1) / 2
"""What a turn of a middling creature is worth: its mean action points."""

CONDITION_TURN = {
    "asleep": 0.9,
    "frightened": 0.5,
    "blinded": 0.45,
    "slowed": 0.5,
    "rooted": 0.35,
    "silenced": 0.3,
    "dazed": 0.7,
    "exhausted": 0.7,
    "fatigued": 0.4,
    "restrained": 0.7,
    "poisoned": 0.3,
}
"""The part of a turn that a condition takes."""
PART_TURN = {
    "attack": 0.1,
    "defense": 0.1,
    "damage": 0.2,
    "armor": 0.25,
    "ap": 1 / 3.5,
    "checks": 0.02,
    "physical": 0.015,
}
"""The part of a turn that one point of an adjustment gives."""
ZONE_TURN = {ZoneKind.STONE: 1.0, ZoneKind.FORCE: 0.7, ZoneKind.THORNS: 0.2, ZoneKind.LIGHT: 0.008}
"""Points for each space and turn of a zone."""
CURE, MORE_CURES = 0.5, 0.05
"""The part of a turn that ending a condition is worth, and what each further one adds that could be ended instead."""
CROWD = 0.5
"""Creatures in an area beyond the first, for each space of its width (the root of its spaces) beyond the first."""
NARROW = 0.4
"""What is left of the worth of what works on some kinds of creatures only."""
FRIENDLY_FIRE = 0.8
"""What is left of the worth of an area that spares nobody."""
ALLY = 0.6
"""What a summoned creature's turn is worth beside one's own: it comes late and is not subtle."""


def price(spell: Spell) -> float:
    """What a spell costs, in points."""
    return spell.ap * AP_POINT + spell.price * POOL_POINT


def worth(spell: Spell) -> float:
    """What a spell does on average, in points."""
    value = _effect(spell) + _lasting(spell) * _crowd(spell)
    if spell.cures:
        value += TURN * (CURE + MORE_CURES * (len(spell.cures) - 1))
    total = chance(spell) * value * (NARROW if spell.only else 1.0)
    if spell.zone is not None:
        total += chance(spell) * ZONE_TURN[spell.zone] * _spaces(spell) * min(spell.zone_turns, 6)
    if spell.summon is not None:
        model = spell.summon
        total += chance(spell) * ALLY * (model.turns - 1) * AP_POINT * (model.finesse + 1) / 2
    return total


def chance(spell: Spell) -> float:
    """That the reference caster succeeds, against one reference foe."""
    if spell.against is Against.RATING:
        return dist.chance_at_least(2, CASTER, spell.rating)
    return dist.chance_margin(CASTER, FOE, 0)


def _effect(spell: Spell) -> float:
    dice = spell.dice
    if dice is None:
        return 0.0
    less = ARMOR if POWERS[spell.does].armored and not spell.pierces else 0
    mean = sum(
        p * max(0, effect_value(dice, thrown) - less)
        for thrown, p in enumerate(dist.dice_sum(dice.count, dice.rank or CASTER, dice.exploding))
    )
    return mean * _crowd(spell) * (POOL_POINT if isinstance(POWERS[spell.does], Restore) else 1.0)


def _lasting(spell: Spell) -> float:
    """What the effect on one creature is worth: a sum over its turns, each as far as it still lasts."""
    lasting = spell.lasting
    if lasting is None:
        return 0.0
    stays = 1.0
    if lasting.recover:
        stays = 1.0 - dist.chance_at_least(2, FOE, round(_casting()))
    own: float = sum(PART_TURN[part] * abs(getattr(lasting, part)) for part in PART_TURN)
    per_turn = CONDITION_TURN[lasting.condition] if lasting.condition else own
    late = 1 if lasting.ap or lasting.condition == "slowed" else 0
    still: float = sum(stays**turn for turn in range(late, min(lasting.turns, 4)))
    return per_turn * TURN * still


def _casting() -> float:
    """The mean total of a casting that succeeds against a rating of 9."""
    both = dist.dice_sum(2, CASTER, True)
    held = sum(p for total, p in enumerate(both) if total >= 9)
    return sum(p * total for total, p in enumerate(both) if total >= 9) / held


def _crowd(spell: Spell) -> float:
    """How many creatures a spell works on."""
    if not spell.shape.area:
        return 1.0
    many = 1.0 + CROWD * (math.sqrt(_spaces(spell)) - 1.0)
    return many * (FRIENDLY_FIRE if spell.affects is Affects.ALL else 1.0)


def _spaces(spell: Spell) -> int:
    """The spaces of its area on open ground."""
    field = Field.from_rows(["." * 45] * 45)
    return spell.cells(Caster(field.terrain(), field.cell(22, 22), 1), field.cell(22, 18)).bit_count()
