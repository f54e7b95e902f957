"""Spells and items in words: buttons, lists and cards."""

from __future__ import annotations

from rules.contract.actions import Description
from rules.contract.text import joined, ntext, text, titled
from rules.core.dice import notation, signed
from rules.olde.actions.context import Context
from rules.olde.effects import words
from rules.olde.magic.casting import POWERS
from rules.olde.magic.spells import Affects, Against, Does, EffectDice, Spell

MANY = 3
"""Conditions that are named one by one."""


def turns(count: int) -> str:
    """How long something lasts."""
    return ntext(count, "until the reset", "{n} turns")


def dice_words(dice: EffectDice, rank: int) -> str:
    """An effect roll: `1d9!+4`, `half of 1d8!`; `rank` stands in where the caster's stat is rolled."""
    thrown = notation(dice.count, dice.rank or rank, dice.exploding, 0 if dice.half else dice.plus)
    if dice.half:
        return text(
            "half of {thrown} {plus}" if dice.plus else "half of {thrown}", thrown=thrown, plus=signed(dice.plus)
        )
    return thrown


def effect_words(spell: Spell, rank: int) -> str:
    """What a spell does, in one line."""
    parts: list[str] = []
    if spell.dice is not None:
        power = POWERS[spell.does]
        parts.append(text("{dice} {word}{spell}", dice_words(spell.dice, rank), power.word, power.past(spell)))
    if spell.lasting is not None:
        parts.append(text("{lasting}, {turns}", words(spell.lasting), turns(spell.lasting.turns)))
    if spell.cures:
        named = spell.cures if len(spell.cures) <= MANY else (*spell.cures[: MANY - 1], "other conditions")
        parts.append(
            text(
                "ends {conditions} and {last}" if named[:-1] else "ends {last}",
                conditions=joined(", ", named[:-1]),
                last=named[-1],
            )
        )
    if spell.zone is not None:
        parts.append(text("{brief}, {zone_turns}", spell.zone.does.brief, turns(spell.zone_turns)))
    if spell.summon is not None:
        parts.append(text("a {name}, {turns}", spell.summon.name.lower(), turns(spell.summon.turns)))
    if spell.shape.area:
        place = text(spell.shape.words, n=spell.size)
        who = "" if spell.affects is Affects.ALL or spell.zone is not None else str(spell.affects)
        parts.append(joined(" ", (each for each in (joined(" or ", spell.only) or who, place) if each)))
    return joined("; ", parts)


def against_words(spell: Spell) -> str:
    """What a casting has to reach."""
    if spell.against is Against.RATING:
        return text("against {rating}", spell.rating)
    return text("against {against}", spell.against.capitalize())


def manner_words(spell: Spell) -> str:
    """Range, gesture and incantation."""
    how = [word for word, has_it in (("gesture", spell.gesture), ("incantation", spell.incantation)) if has_it]
    range_ = [] if not spell.reach else [ntext(spell.reach, "beside one", "range {n}")]
    return joined(", ", [*range_, *how])


def describe(context: Context, spell: Spell, ap: int, rank: int, *, label: str = "", check: bool = True) -> Description:
    """A spell as a button: its cost, what it needs, what it does. `rank`: of the stat that is rolled for it."""
    costs = [text("{ap} AP", ap)]
    if spell.paid is not None:
        costs.append(text("{price} {label}", spell.price, spell.paid.label))
    effect = titled(effect_words(spell, rank))
    manner = manner_words(spell)
    if check:
        effect = joined("; ", (effect, against_words(spell)))
    notes = (effect, *((titled(manner),) if manner else ()), spell.summary)
    return Description(
        label or titled(spell.name),
        "Act",
        joined(" · ", costs),
        ap,
        context.figure.ap - ap,
        spell.aim.needs,
        icon_of(spell),
        "",
        notes,
    )


def icon_of(spell: Spell) -> str:
    """The picture of a spell: by what it does."""
    if spell.does is Does.HEAL:
        return "heart"
    if spell.lasting is not None and not spell.hostile:
        return "shield"
    return "cast"
