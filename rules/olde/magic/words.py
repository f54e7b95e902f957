"""Spells and items in words: buttons, lists and cards."""

from __future__ import annotations

from rules.contract.actions import Description
from rules.core.dice import notation, signed
from rules.olde.actions.context import Context
from rules.olde.effects.model import words
from rules.olde.magic.powers import POWERS
from rules.olde.magic.spells import Affects, Against, Does, EffectDice, Spell

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
        power = POWERS[spell.does]
        parts.append(f"{dice_words(spell.dice, rank)} {power.word}{power.past(spell)}")
    if spell.lasting is not None:
        parts.append(f"{words(spell.lasting)}, {turns(spell.lasting.turns)}")
    if spell.cures:
        named = spell.cures if len(spell.cures) <= MANY else (*spell.cures[: MANY - 1], "other conditions")
        parts.append(f"ends {', '.join(named[:-1])}{' and ' if named[:-1] else ''}{named[-1]}")
    if spell.zone is not None:
        parts.append(f"{spell.zone.does.brief}, {turns(spell.zone_turns)}")
    if spell.summon is not None:
        parts.append(f"a {spell.summon.name.lower()}, {turns(spell.summon.turns)}")
    if spell.shape.area:
        who = "" if spell.affects is Affects.ALL or spell.zone is not None else f"{spell.affects} "
        parts.append((" or ".join(spell.only) + " " if spell.only else who) + spell.shape.words.format(n=spell.size))
    return "; ".join(parts)


def against_words(spell: Spell) -> str:
    """What a casting has to reach."""
    if spell.against is Against.RATING:
        return f"against {spell.rating}"
    return f"against {spell.against.capitalize()}"


def manner_words(spell: Spell) -> str:
    """Range, gesture and incantation."""
    how = [word for word, has_it in (("gesture", spell.gesture), ("incantation", spell.incantation)) if has_it]
    range_ = [] if not spell.reach else ["beside one" if spell.reach == 1 else f"range {spell.reach}"]
    return ", ".join([*range_, *how])


def describe(context: Context, spell: Spell, ap: int, rank: int, *, label: str = "", check: bool = True) -> Description:
    """A spell as a button: its cost, what it needs, what it does. `rank`: of the stat that is rolled for it."""
    cost = f"{ap} AP"
    if spell.paid is not None:
        cost += f" · {spell.price} {spell.paid.label}"
    effect = titled(effect_words(spell, rank))
    manner = manner_words(spell)
    if check:
        effect += f"; {against_words(spell)}"
    notes = (effect, *((titled(manner),) if manner else ()), spell.summary)
    return Description(
        label or titled(spell.name), "Act", cost, ap, context.figure.ap - ap, spell.aim.needs, icon_of(spell), "", notes
    )


def icon_of(spell: Spell) -> str:
    """The picture of a spell: by what it does."""
    if spell.does is Does.HEAL:
        return "heart"
    if spell.lasting is not None and not spell.hostile:
        return "shield"
    return "cast"
