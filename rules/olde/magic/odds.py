"""Exact odds of castings, and what their lasting effects are worth (docs/magic.md, odds)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from rules.contract.planning import Measure
from rules.contract.ruleset import Odds, Share
from rules.core import odds as dist
from rules.core.dice import notation
from rules.olde.actions.context import Context
from rules.olde.advice.aftermath import aftermath, burst_of, fate_of
from rules.olde.advice.ground import ground_worth
from rules.olde.advice.threat import worth
from rules.olde.challenges.checks import burden, resilience, stat_rank
from rules.olde.effects import working as effects
from rules.olde.effects.model import FLAGS, Lasting
from rules.olde.magic.casting import Casting, Mark, ailing, effect_value, spared
from rules.olde.magic.deeds import CAST, USE, casting_of
from rules.olde.magic.spells import EffectDice
from rules.olde.magic.words import POOLS, dice_words, turns
from rules.olde.state import Figure, OldeState
from rules.olde.traits.working import FIRE

RULE = "olde.md §9 casting"
CONDITION_WORTH = {
    "asleep": 0.30,
    "blinded": 0.22,
    "frightened": 0.20,
    "slowed": 0.12,
    "rooted": 0.10,
    "silenced": 0.15,
    "stunned": 0.30,
    "bleeding": 0.08,
    "dazed": 0.25,
    "exhausted": 0.22,
    "fatigued": 0.08,
    "restrained": 0.25,
    "poisoned": 0.08,
}
"""What a turn of a condition is worth, in parts of the sufferer's worth."""
PART_WORTH = {
    "attack": 0.03,
    "defense": 0.03,
    "damage": 0.03,
    "armor": 0.05,
    "ap": 0.04,
    "checks": 0.01,
    "physical": 0.007,
}
"""What a turn of a point of adjustment is worth, in parts of the bearer's worth."""
LONGEST = 3
"""Turns that are counted: what lies further off is worth nothing now."""
THRIFT, USED_UP = 0.012, 5
"""What a point of Mana or Faith spent is held against a cast, in units of worth; an item counts as so many."""
SPENT, SPARE = 0.08, 0.01
"""What a point of Mana or Faith given back is worth: one that a known spell wants, one in hand."""
RAISED = 0.6
"""What it is worth, in parts of a creature's worth, to have it on its feet again; half of it to keep it alive."""


class Gains(NamedTuple):
    """What a casting promises."""

    chance: float
    shares: tuple[Share, ...]
    foes: tuple[int, ...]
    """Places of the foes among the shares."""
    boon: float


def gains(state: OldeState, casting: Casting) -> Gains:
    """The figures of a casting without their reasons."""
    spell, fighters = casting.spell, state.setup.fighters
    side = fighters[casting.caster].side
    shares = tuple(_share(state, casting, mark) for mark in casting.marks)
    foes = tuple(i for i, mark in enumerate(casting.marks) if fighters[mark.who].side != side)
    chance = _success(casting, [casting.marks[i] for i in foes] or list(casting.marks))
    boon = sum(_boon(state, casting, mark, share.hit) for mark, share in zip(casting.marks, shares, strict=True))
    if spell.summon is not None:
        model = spell.summon
        boon += chance * RAISED * (model.brawn + model.nerve // 2 + model.finesse) / 20.0
    if spell.zone:
        boon += chance * ground_worth(state, casting)
    if spell.does == "harm":
        boon -= sum(_loss(state, casting.marks[i].who, s) for i, s in enumerate(shares) if i not in foes)
        boon += sum(_wake_of(state, casting, casting.marks[i].who, shares[i]) for i in foes)
    return Gains(chance, shares, foes, boon)


def odds_of(state: OldeState, casting: Casting) -> Odds:
    """The figures of a casting before a die is thrown."""
    chance, shares, foes, boon = gains(state, casting)
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
        boon=boon,
        healing=sum(share.healing for share in shares),
        targets=shares,
    )


def _against(casting: Casting) -> str:
    if not casting.rank:
        return ""
    if not casting.opposed:
        return f"CR {casting.spell.rating}"
    if len(casting.marks) != 1:
        return (
            "Defense of each" if casting.spell.against == "defense" else f"{casting.spell.against.capitalize()} of each"
        )
    mark = casting.marks[0]
    return notation(2, mark.rank, True) if mark.rank else f"CR {mark.rating}"


def _notes(casting: Casting) -> tuple[tuple[str, str], ...]:
    spell, notes = casting.spell, []
    if casting.dice is not None:
        what = {"harm": "damage", "heal": "HP back"}.get(spell.does, f"{POOLS.get(spell.does, '')} back")
        past = ", past armor" if spell.pierces and spell.does == "harm" else ""
        notes.append((f"{what} {dice_words(casting.dice, casting.dice.rank)}{past}", RULE))
    if spell.lasting is not None:
        ends = f", or {spell.lasting.recover.capitalize()} check" if spell.lasting.recover else ""
        notes.append((f"{effects.words(spell.lasting)}: {turns(spell.lasting.turns)}{ends}", effects.RULE))
    if spell.cures:
        notes.append((f"ends {', '.join(spell.cures)}", RULE))
    if spell.zone:
        notes.append((f"stands {turns(spell.zone_turns)}", effects.RULE))
    if spell.summon is not None:
        notes.append((f"{spell.summon.name}: {turns(spell.summon.turns)}", effects.RULE))
    return tuple(notes)


# -- chances --------------------------------------------------------------------------------------------


def chance_on(casting: Casting, mark: Mark) -> float:
    """The chance that a casting takes hold of one creature."""
    if not casting.rank:
        return 1.0
    if mark.rank:
        return dist.chance_margin(casting.rank, mark.rank, mark.plus - casting.plus)
    return dist.chance_at_least(2, casting.rank, mark.rating - casting.plus)


def _success(casting: Casting, marks: list[Mark]) -> float:
    """The chance that it takes hold of at least one of these, or at all where there is nobody."""
    if not casting.rank:
        return 1.0
    if not marks or not casting.opposed:
        return dist.chance_at_least(2, casting.rank, casting.spell.rating - casting.plus)
    if len(marks) == 1:
        return chance_on(casting, marks[0])
    return _at_least_one(casting.rank, casting.plus, tuple((m.rank, m.rating, m.plus) for m in marks))


@lru_cache(maxsize=4096)
def _at_least_one(rank: int, plus: int, marks: tuple[tuple[int, int, int], ...]) -> float:
    """The casting is thrown once for all, each resists with dice of its own: summed over the casting's total."""
    none = 0.0
    for thrown, p in enumerate(dist.dice_sum(2, rank, True)):
        if p > 0.0:
            all_resist = 1.0
            for resist, rating, bonus in marks:
                need = thrown + plus + 1
                if resist:
                    all_resist *= dist.chance_at_least(2, resist, need - bonus)
                elif rating < need:
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
    spell, foe, victim = casting.spell, state.setup.fighters[mark.who], state.figures[mark.who]
    hit = chance_on(casting, mark)
    if casting.dice is None or spell.does not in ("harm", "heal"):
        return Share(foe.id, hit)
    if spell.does == "heal":
        chances = effect_chances(casting.dice, 0, foe.hp_max - victim.hp)
        return Share(foe.id, hit, healing=hit * sum(value * p for value, p in chances))
    damage, mean, drop = _harm(hit, casting.dice, mark.armor, victim.hp)
    stat = resilience(foe)
    plus = sum(a.value for a in burden(state.setup, foe, victim, stat))
    stuns = foe.traits is None or "stunned" not in foe.traits.immune
    stun = _stun(damage, victim.hp, foe.hp_max, stat_rank(foe, stat), plus) if stuns else 0.0
    return Share(foe.id, hit, damage, mean, drop, stun)


@lru_cache(maxsize=4096)
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


def measures(context: Context) -> Iterator[Measure]:
    """Every canonical cast and use that gains or harms anything, for planners."""
    for do, deed in (("cast", CAST), ("use", USE)):
        for action in deed.instances(context):
            casting = casting_of(context, action)
            found = gains(context.state, casting)
            blows = tuple((s.id, s.mean, s.drop, s.stun) for s in map(found.shares.__getitem__, found.foes)
                          if s.mean > 0.0)  # fmt: skip
            value = found.boon - THRIFT * (casting.spell.price if do == "cast" else USED_UP)
            if blows or value > 0.0:
                yield Measure(action, deed.cost(context, action), "magic", found.chance, value, blows=blows)


# -- what it is worth -----------------------------------------------------------------------------------


def _boon(state: OldeState, casting: Casting, mark: Mark, hit: float) -> float:
    """What a casting is worth to its side beside harm, in units of a creature's worth."""
    spell, who = casting.spell, mark.who
    fighter, figure = state.setup.fighters[who], state.figures[who]
    value, friend = 0.0, fighter.side == state.setup.fighters[casting.caster].side
    if spell.does == "heal" and casting.dice is not None:
        chances = effect_chances(casting.dice, 0, fighter.hp_max - figure.hp)
        value += sum(p * back for back, p in chances) / fighter.hp_max
        if figure.hp <= 0:
            value += RAISED * sum(p for back, p in chances if figure.hp + back > 0)
        if figure.dying or figure.bleeding:
            value += RAISED / 2
    elif spell.does in POOLS and casting.dice is not None:
        value += _pool_worth(state, who, spell.does, casting.dice)
    for condition in ailing(figure, spell.cures):
        value += CONDITION_WORTH[condition] * _left(figure, condition)
    if (
        spell.lasting is not None
        and not spared(spell, fighter)
        and not any(e.name == spell.name for e in figure.effects)
    ):
        value += lasting_worth(spell.lasting, state, who)
    return hit * value * worth(state, who) * (1.0 if friend else -1.0)


def _speaks(state: OldeState, who: int) -> bool:
    """Whether somebody knows a spoken spell that it can pay for."""
    figure = state.figures[who]
    known = (state.setup.grimoire.spells[name] for name in state.setup.fighters[who].spells)
    return any(s.incantation and s.price <= (figure.mana if s.pool == "mana" else figure.faith) for s in known)


def _left(figure: Figure, condition: str) -> int:
    """Turns that a condition may still last, at most `LONGEST`; one that nothing times lasts so long."""
    turns = [e.turns for e in figure.effects if e.lasting.condition == condition]
    return min(LONGEST, max(turns, default=LONGEST))


def _pool_worth(state: OldeState, who: int, pool: str, dice: EffectDice) -> float:
    """What Mana or Faith given back is worth: much to who could not pay for all that it knows, little beyond that."""
    figure, fighter = state.figures[who], state.setup.fighters[who]
    now, top = (figure.mana, fighter.mana_max) if pool == "mana" else (figure.faith, fighter.faith_max)
    known = [state.setup.grimoire.spells[name] for name in fighter.spells]
    dearest = max((spell.price for spell in known if spell.pool == pool), default=0)
    missing = max(0, dearest - now)
    return sum(
        p * (SPENT * min(back, missing) + SPARE * max(0, back - missing) * (dearest > 0))
        for back, p in effect_chances(dice, 0, top - now)
    )


def lasting_worth(lasting: Lasting, state: OldeState, who: int) -> float:
    """What a lasting effect is worth to its bearer, in parts of its worth; below 0 for a hindrance."""
    figure = state.figures[who]
    turns = min(LONGEST, lasting.turns)
    if lasting.condition:
        held = lasting.condition in FLAGS and getattr(figure, lasting.condition)
        if held or effects.has(figure, lasting.condition) or figure.stunned:
            return 0.0
        if lasting.condition == "silenced" and not _speaks(state, who):
            return 0.0
        return -CONDITION_WORTH[lasting.condition] * turns
    own: float = sum(PART_WORTH[part] * getattr(lasting, part) for part in effects.PARTS)
    return turns * own


def _wake_of(state: OldeState, casting: Casting, who: int, share: Share) -> float:
    """What follows upon harm to a foe by its traits, in units of worth: it divides, bursts, heals no more."""
    fighter = state.setup.fighters[who]
    fate, value = fate_of(fighter, state.figures[who]), 0.0
    if fate is not None:
        value += aftermath(fate, _tails(share.damage), casting.spell.element == FIRE) * worth(state, who)
    if share.drop and fighter.traits is not None and fighter.traits.burst is not None:
        near = burst_of(state, who, who).others
        value += share.drop * sum(_struck_by(state, casting, *each) for each in near)
    return value


@lru_cache(maxsize=4096)
def _tails(damage: tuple[tuple[int, float], ...]) -> tuple[float, ...]:
    """The chance of so much damage or more, for each damage."""
    tails = [0.0] * (max((hurt for hurt, _ in damage), default=0) + 2)
    for hurt, chance in damage:
        tails[hurt] = chance
    for hurt in range(len(tails) - 2, -1, -1):
        tails[hurt] += tails[hurt + 1]
    return tuple(tails)


def _struck_by(state: OldeState, casting: Casting, name: str, mean: float, drop: float) -> float:
    who, fighters = state.setup.index[name], state.setup.fighters
    loss = _loss(state, who, Share(name, 1.0, mean=mean, drop=drop))
    return -loss if fighters[who].side == fighters[casting.caster].side else loss


def _loss(state: OldeState, who: int, share: Share) -> float:
    """What harm to a friend costs, in units of worth."""
    figure = state.figures[who]
    if figure.hp <= 0:
        return 0.3 * worth(state, who) * (share.mean > 0)
    return worth(state, who) * (min(1.0, share.mean / figure.hp) + share.drop)
