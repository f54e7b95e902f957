"""Spells and items in words: buttons, lists and cards."""

from __future__ import annotations

from rules.contract.actions import Description
from rules.core.dice import notation
from rules.core.figures import signed
from rules.olde.actions.context import Context
from rules.olde.effects.model import words
from rules.olde.magic.spells import EffectDice, Spell

POOLS = {"mana": "Mana", "faith": "Faith"}
_ZONES = {
    "stone": "stops feet and eyes",
    "force": "stops feet, not eyes",
    "thorns": "difficult ground",
    "light": "whoever stands in it is seen better",
}
_SHAPES = {
    "burst": "within {n} of oneself",
    "blast": "within {n} of a space",
    "cone": "a cone of {n}",
    "line": "a line of {n}",
    "wall": "across the way, {n} long",
}
MANY = 3
"""Conditions that are named one by one."""


def titled(name: str) -> str:
    """A name with its first letter large, the others as they are."""
    return name[:1].upper() + name[1:]


def turns(count: int) -> str:
    """How long something lasts."""
    return "until the reset" if count == 1 else f"{count} turns"


def dice_words(dice: EffectDice, rank: int) -> str:
    """An effect roll: `1d9!+4`, `half of 1d8!`; `rank` stands in where the caster's stat is rolled."""
    thrown = notation(dice.count, dice.rank or rank, dice.exploding, 0 if dice.half else dice.plus)
    if dice.half:
        thrown = f"half of {thrown}" + (f" {signed(dice.plus)}" if dice.plus else "")
    return thrown


def effect_words(spell: Spell, rank: int) -> str:
    """What a spell does, in one line."""
    parts = []
    if spell.dice is not None:
        what = {"harm": "damage", "heal": "HP back"}.get(spell.does, f"{POOLS.get(spell.does, '')} back")
        parts.append(
            f"{dice_words(spell.dice, rank)} {what}{', past armor' if spell.pierces and spell.does == 'harm' else ''}"
        )
    if spell.lasting is not None:
        parts.append(f"{words(spell.lasting)}, {turns(spell.lasting.turns)}")
    if spell.cures:
        named = spell.cures if len(spell.cures) <= MANY else (*spell.cures[: MANY - 1], "other conditions")
        parts.append(f"ends {', '.join(named[:-1])}{' and ' if named[:-1] else ''}{named[-1]}")
    if spell.zone:
        parts.append(f"{_ZONES[spell.zone]}, {turns(spell.zone_turns)}")
    if spell.summon is not None:
        parts.append(f"a {spell.summon.name.lower()}, {turns(spell.summon.turns)}")
    if spell.shape != "one":
        who = {"foes": "foes ", "friends": "friends "}.get(spell.affects, "") if not spell.zone else ""
        parts.append((" or ".join(spell.only) + " " if spell.only else who) + _SHAPES[spell.shape].format(n=spell.size))
    return "; ".join(parts)


def against_words(spell: Spell) -> str:
    """What a casting has to reach."""
    if spell.against == "rating":
        return f"against {spell.rating}"
    return f"against {'Defense' if spell.against == 'defense' else spell.against.capitalize()}"


def manner_words(spell: Spell) -> str:
    """Range, gesture and incantation."""
    how = [word for word, has_it in (("gesture", spell.gesture), ("incantation", spell.incantation)) if has_it]
    range_ = [] if not spell.reach else ["beside one" if spell.reach == 1 else f"range {spell.reach}"]
    return ", ".join([*range_, *how])


def describe(context: Context, spell: Spell, ap: int, rank: int, *, label: str = "", check: bool = True) -> Description:
    """A spell as a button: its cost, what it needs, what it does. `rank`: of the stat that is rolled for it."""
    cost = f"{ap} AP"
    if spell.pool:
        cost += f" · {spell.price} {POOLS[spell.pool]}"
    needs = {"self": "none", "space": "space"}.get(spell.aim, "creature")
    effect = titled(effect_words(spell, rank))
    manner = manner_words(spell)
    if check:
        effect += f"; {against_words(spell)}"
    notes = (effect, *((titled(manner),) if manner else ()), spell.summary)
    return Description(
        label or titled(spell.name), "Act", cost, ap, context.figure.ap - ap, needs, icon_of(spell), "", notes
    )


def icon_of(spell: Spell) -> str:
    """The picture of a spell: by what it does."""
    if spell.does == "heal":
        return "heart"
    if spell.lasting is not None and not spell.hostile:
        return "shield"
    return "cast"
