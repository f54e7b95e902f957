"""Exact odds of castings (docs/magic.md, odds)."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rules.contract.actions import Description
from rules.contract.ruleset import Odds, Share
from rules.contract.text import joined, ntext, text, titled
from rules.core import odds as dist
from rules.core.dice import notation, signed
from rules.olde import effects
from rules.olde.actions.kind import Context
from rules.olde.challenges.checks import burden, resilience, stat_rank
from rules.olde.conditions import STUNNED
from rules.olde.effects import words
from rules.olde.magic.casting import POWERS, Casting, Harm, Heal, Mark, effect_value
from rules.olde.magic.spells import Affects, Against, Does, EffectDice, Spell
from rules.olde.state import OldeState, Setup

RULE = "olde.md §9 casting"


class Prospects(NamedTuple):
    """What a casting brings whom."""

    chance: float
    shares: tuple[Share, ...]
    foes: tuple[int, ...]
    """Places of the foes among the shares."""


def prospects_of(state: OldeState, casting: Casting) -> Prospects:
    """The figures of a casting without their reasons."""
    fighters = state.setup.fighters
    side = fighters[casting.caster].side
    shares = tuple(_share(state, casting, mark) for mark in casting.marks)
    foes = tuple(i for i, mark in enumerate(casting.marks) if fighters[mark.who].side != side)
    chance = _success(state.setup, casting, [casting.marks[i] for i in foes] or list(casting.marks))
    return Prospects(chance, shares, foes)


def odds_of(state: OldeState, casting: Casting) -> Odds:
    """The figures of a casting before a die is thrown."""
    chance, shares, foes = prospects_of(state, casting)
    single = shares[0] if len(shares) == 1 else None
    return Odds(
        hit=chance,
        outcomes=(("takes_hold", chance), ("fails", 1.0 - chance)),
        damage=single.damage if single is not None else (),
        mean=sum(shares[i].mean for i in foes),
        drop=sum(shares[i].drop for i in foes),
        stun=single.stun if single is not None else 0.0,
        adjustments=casting.to_cast + (casting.marks[0].to_resist if single is not None else ()),
        attack_dice=notation(2, casting.rank, True) if casting.rank else "no check",
        defense_dice=_against(casting),
        notes=_notes(casting),
        healing=sum(share.healing for share in shares),
        targets=shares,
    )


def _against(casting: Casting) -> str:
    if not casting.rank:
        return ""
    if not casting.opposed:
        return text("CR {rating}", casting.spell.rating)
    if len(casting.marks) != 1:
        return text("{against} of each", casting.spell.against.capitalize())
    mark = casting.marks[0]
    return notation(2, mark.rank, True) if mark.rank else text("CR {rating}", mark.rating)


def _notes(casting: Casting) -> tuple[tuple[str, str], ...]:
    spell, notes = casting.spell, []
    if casting.dice is not None:
        power, dice = POWERS[spell.does], dice_words(casting.dice, casting.dice.rank)
        notes.append((text("{word} {dice}{spell}", power.word, dice, power.past(spell)), RULE))
    if spell.lasting is not None:
        ends = text(", or {recover} check", spell.lasting.recover.capitalize()) if spell.lasting.recover else ""
        told = text("{lasting}: {turns}{ends}", effects.words(spell.lasting), turns(spell.lasting.turns), ends)
        notes.append((told, effects.RULE))
    if spell.cures:
        notes.append((text("ends {cures}", joined(", ", spell.cures)), RULE))
    if spell.zone is not None:
        notes.append((text("stands {zone_turns}", turns(spell.zone_turns)), effects.RULE))
    if spell.summon is not None:
        notes.append((text("{name}: {turns}", spell.summon.name, turns(spell.summon.turns)), effects.RULE))
    return tuple(notes)


# -- chances --------------------------------------------------------------------------------------------


def chance_on(casting: Casting, mark: Mark) -> float:
    """The chance that a casting takes hold of one creature."""
    if not casting.rank:
        return 1.0
    if mark.rank:
        return dist.chance_margin(casting.rank, mark.rank, mark.plus - casting.plus)
    return dist.chance_at_least(2, casting.rank, mark.rating - casting.plus)


def _success(setup: Setup, casting: Casting, marks: list[Mark]) -> float:
    """The chance that it takes hold of at least one of these, or at all where there is nobody."""
    if not casting.rank:
        return 1.0
    if not marks or not casting.opposed:
        return dist.chance_at_least(2, casting.rank, casting.spell.rating - casting.plus)
    if len(marks) == 1:
        return chance_on(casting, marks[0])
    known = setup.memory.table("casting")
    key = (casting.rank, casting.plus, *((m.rank, m.rating, m.plus) for m in marks))
    if key not in known:
        known[key] = _at_least_one(casting.rank, casting.plus, marks)
    found: float = known[key]
    return found


def _at_least_one(rank: int, plus: int, marks: list[Mark]) -> float:
    """The casting is thrown once for all, each resists with dice of its own: summed over the casting's total."""
    none = 0.0
    for thrown, p in enumerate(dist.dice_sum(2, rank, True)):
        if p > 0.0:
            all_resist = 1.0
            need = thrown + plus + 1
            for mark in marks:
                if mark.rank:
                    all_resist *= dist.chance_at_least(2, mark.rank, need - mark.plus)
                elif mark.rating < need:
                    all_resist = 0.0
            none += p * all_resist
    return max(0.0, 1.0 - none)


@lru_cache(maxsize=4096)
def effect_chances(dice: EffectDice, less: int, most: int) -> tuple[tuple[int, float], ...]:
    """The distribution of an effect roll less armor, never below 0; `most` ≥ 0 caps it (healing)."""
    found: dict[int, float] = {}
    for thrown, p in enumerate(dist.dice_sum(dice.count, dice.rank, dice.exploding)):
        if p > 0.0:
            value = max(0, effect_value(dice, thrown) - less)
            value = min(value, most) if most >= 0 else value
            found[value] = found.get(value, 0.0) + p
    return tuple(sorted(found.items()))


def _share(state: OldeState, casting: Casting, mark: Mark) -> Share:
    """What one creature has to expect."""
    foe, victim = state.setup.fighters[mark.who], state.figures[mark.who]
    hit = chance_on(casting, mark)
    power = POWERS[casting.spell.does]
    if casting.dice is None or not isinstance(power, Harm | Heal):
        return Share(foe.id, hit)
    if isinstance(power, Heal):
        chances = effect_chances(casting.dice, 0, foe.hp_max - victim.hp)
        return Share(foe.id, hit, healing=hit * sum(value * p for value, p in chances))
    known, key = state.setup.memory.table("harm"), (hit, casting.dice, mark.armor, victim.hp)
    if key not in known:
        known[key] = _harm(hit, casting.dice, mark.armor, victim.hp)
    damage, mean, drop = known[key]
    stat = resilience(foe)
    plus = sum(a.value for a in burden(state.setup, foe, victim, stat))
    stuns = foe.traits is None or STUNNED.name not in foe.traits.immune
    stun = _stun(damage, victim.hp, foe.hp_max, stat_rank(foe, stat), plus) if stuns else 0.0
    return Share(foe.id, hit, damage, mean, drop, stun)


def _harm(hit: float, dice: EffectDice, armor: int, hp: int) -> tuple[tuple[tuple[int, float], ...], float, float]:
    """(distribution of the damage sustained, its mean, the chance to fell)."""
    damage: dict[int, float] = {0: 1.0 - hit}
    for value, p in effect_chances(dice, armor, -1):
        damage[value] = damage.get(value, 0.0) + hit * p
    if damage[0] <= 0.0:
        del damage[0]
    ordered = tuple(sorted(damage.items()))
    drop = sum(p for hurt, p in ordered if hp > 0 and hurt >= hp)
    return ordered, sum(hurt * p for hurt, p in ordered), drop


@lru_cache(maxsize=4096)
def _stun(damage: tuple[tuple[int, float], ...], hp: int, hp_max: int, rank: int, plus: int) -> float:
    """The chance of a stunning blow that stuns (olde.md §7)."""
    return sum(
        p * (1.0 - dist.chance_at_least(2, rank, hurt - plus)) for hurt, p in damage if 2 * hurt > hp_max and hurt < hp
    )


MANY = 3
"""Conditions that are named one by one."""


def turns(count: int) -> str:
    """How long something lasts."""
    return ntext(count, "until the reset", "{n} turns")


def dice_words(dice: EffectDice, rank: int) -> str:
    """An effect roll: `1d9!+4`, `half of 1d8!`; `rank` stands in where the caster's stat is rolled."""
    thrown = notation(dice.count, dice.rank or rank, dice.exploding, 0 if dice.half else dice.plus)
    if dice.half:
        template = "half of {thrown} {plus}" if dice.plus else "half of {thrown}"
        return text(template, thrown=thrown, plus=signed(dice.plus))
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
        template = "ends {conditions} and {last}" if named[:-1] else "ends {last}"
        parts.append(text(template, conditions=joined(", ", named[:-1]), last=named[-1]))
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
    left = context.figure.ap - ap
    shown = label or titled(spell.name)
    return Description(shown, "Act", joined(" · ", costs), ap, left, spell.aim.needs, icon_of(spell), "", notes)


def icon_of(spell: Spell) -> str:
    """The picture of a spell: by what it does."""
    if spell.does is Does.HEAL:
        return "heart"
    if spell.lasting is not None and not spell.hostile:
        return "shield"
    return "cast"
