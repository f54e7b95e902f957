"""What effect rolls are for; a casting before a die is thrown, and what comes of it (olde.md §3, §4, §9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from rules.board.bitboard import cells_of
from rules.board.sight import Grade
from rules.contract.actions import Adjustment, Description
from rules.contract.events import Cast, Healing, Resistance, Roll, Summoned
from rules.contract.events import Zone as Laid
from rules.contract.ruleset import Odds, Share
from rules.contract.text import joined, ntext, text, titled
from rules.contract.units import Bitboard, Cell, CreatureIx
from rules.core import odds as dist
from rules.core.dice import notation, roll, signed
from rules.olde import effects
from rules.olde.actions.kind import Context
from rules.olde.challenges.checks import EASY, burden, resilience, skill_adjustment, stat_rank
from rules.olde.combat.attack import SIGHT, SIGHT_NAMES, defense_adjustments
from rules.olde.combat.outcomes import heal, injure
from rules.olde.combat.weapons import soak_of
from rules.olde.conditions import (
    BLINDED,
    CONDITIONS,
    STUNNED,
    SUMMONED,
    Flagged,
    Forbid,
    end_condition,
    forbidden,
    lay,
    lay_ground,
)
from rules.olde.effects import Effect, Lasting, Zone, shifts, words
from rules.olde.magic.spells import FAITH, MANA, POOLS, Affects, Against, Does, EffectDice, ItemKind, Pool, Spell
from rules.olde.skills import RANKS
from rules.olde.state import Fighter, Figure, OldeState, Resolution, most_of


class Power:
    """By itself: there is no effect roll."""

    word: str = ""  # what the roll gives, for cards
    armored: ClassVar[bool] = False  # armor takes its figure off the roll
    fallen: ClassVar[bool] = False  # it works on those who are down

    def past(self, spell: Spell) -> str:
        """What is said of a spell's roll beside that."""
        return ""

    def needed(self, fighter: Fighter, figure: Figure) -> bool:
        """Whether it would do anything for somebody."""
        return False

    def work(self, resolution: Resolution, who: CreatureIx, working: Working) -> None:
        """Let it work on somebody."""


class Working(NamedTuple):
    """An effect roll that takes hold of somebody."""

    spell: Spell
    name: str  # what events call it: the item's or the spell's name
    caster: CreatureIx
    value: int  # what the roll came to
    hurt: int  # the same less armor, where it harms


class Harm(Power):
    word = "damage"
    armored = fallen = True

    def past(self, spell: Spell) -> str:
        return ", past armor" if spell.pierces else ""

    def needed(self, fighter: Fighter, figure: Figure) -> bool:
        return True  # whoever may be struck may be aimed at, the fallen too

    def work(self, resolution: Resolution, who: CreatureIx, working: Working) -> None:
        if working.hurt:
            injure(resolution, who, working.hurt, working.name, by=working.caster, element=working.spell.element)


class Heal(Power):
    word = "HP back"
    fallen = True

    def needed(self, fighter: Fighter, figure: Figure) -> bool:
        return figure.hp < fighter.hp_max or figure.bleeding

    def work(self, resolution: Resolution, who: CreatureIx, working: Working) -> None:
        heal(resolution, who, working.value, working.name, magical=True)


class Restore(Power):
    """Gives Mana or Faith back."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.word = text("{label} back", pool.label)

    def needed(self, fighter: Fighter, figure: Figure) -> bool:
        return self.pool.left(figure) < self.pool.top(fighter)

    def work(self, resolution: Resolution, who: CreatureIx, working: Working) -> None:
        restore(resolution, who, self.pool.name, working.value, working.name)


def low_pools(fighter: Fighter, figure: Figure) -> list[str]:
    """Of which pools somebody has less than the most."""
    return [pool.name for pool in POOLS.values() if pool.left(figure) < pool.top(fighter)]


def restore(resolution: Resolution, who: CreatureIx, pool: str, amount: int, because: str) -> None:
    """Give Mana or Faith back, at most to the maximum."""
    figure, fighter = resolution.figures[who], resolution.fighter(who)
    now, most = POOLS[pool].left(figure), POOLS[pool].top(fighter)
    gained = min(amount, most - now)
    if gained > 0:
        resolution.change(who, **{pool: now + gained})
        healing = Healing(target=fighter.id, amount=gained, now=now + gained, what=pool, because=because)
        resolution.events.append(healing)


POWERS: Mapping[Does, Power] = MappingProxyType(
    {Does.NOTHING: Power(), Does.HARM: Harm(), Does.HEAL: Heal(), Does.MANA: Restore(MANA), Does.FAITH: Restore(FAITH)}
)


def ailing(figure: Figure, cures: tuple[str, ...]) -> list[str]:
    """Which of these conditions a figure has."""
    return [condition for condition in cures if CONDITIONS[condition].holds(figure)]


Adjustments = tuple[Adjustment, ...]


class Mark(NamedTuple):
    """Somebody in the way of a spell."""

    who: CreatureIx
    rank: int  # rank of the two dice that resist; 0 = none are thrown
    rating: int  # what the casting has to reach where no dice resist
    to_resist: Adjustments
    armor: int

    @property
    def plus(self) -> int:
        return sum(a.value for a in self.to_resist)


class Casting(NamedTuple):
    """Everything about a casting that is known before a die is thrown: odds and resolution share it."""

    caster: CreatureIx
    spell: Spell
    item: str  # the item used, or empty
    rank: int  # rank of the two dice of the casting check; 0 = none are thrown, it succeeds
    to_cast: Adjustments
    marks: tuple[Mark, ...]
    dice: EffectDice | None  # the effect roll, its rank made out
    at: Cell
    cells: Bitboard

    @property
    def plus(self) -> int:
        return sum(a.value for a in self.to_cast)

    @property
    def opposed(self) -> bool:
        """Whether each target resists for itself."""
        return self.spell.against is not Against.RATING


def prepare(
    state: OldeState, caster: CreatureIx, spell: Spell, marked: Sequence[CreatureIx], *, grade: Grade, at: Cell,
    cells: Bitboard, item: str = "", rank: int = 0,
) -> Casting:  # fmt: skip
    """Collect every adjustment of a casting, each with its rule. `rank`: an item's maker's stat, 0 for a caster's."""
    fighter = state.setup.fighters[caster]
    drunk = bool(item) and state.setup.grimoire.items[item].kind is ItemKind.POTION
    own = rank or caster_rank(fighter, spell)
    dice = spell.dice
    if dice is not None and dice.rank == 0:
        dice = EffectDice(dice.count, own, dice.exploding, dice.half, dice.plus)
    to_cast, marks = _to_cast(state, caster, spell, grade), tuple(_mark(state, spell, who) for who in marked)
    own = 0 if drunk else own
    return Casting(caster, spell, item, own, to_cast, marks=marks, dice=dice, at=at, cells=cells)


def caster_rank(fighter: Fighter, spell: Spell) -> int:
    """Rank of the stat that somebody rolls for a spell: Savvy or Nerve."""
    assert spell.paid is not None
    return stat_rank(fighter, spell.paid.stat)


def _to_cast(state: OldeState, caster: CreatureIx, spell: Spell, grade: Grade) -> Adjustments:
    setup, fighter, figure = state.setup, state.setup.fighters[caster], state.figures[caster]
    out: list[Adjustment] = []
    if spell.paid is not None:
        skill = spell.paid.skill
        rank = skill_adjustment(fighter, skill)
        if rank:
            named = skill if skill in fighter.skills else text("{skill}, untrained", skill)
            out.append(Adjustment("cast", rank, named, "olde.md §2 ranks"))
    if spell.gesture:
        shield = next((setup.armoury.shields[i] for i in figure.hands if i in setup.armoury.shields), None)
        if shield is not None and shield.spell:
            out.append(Adjustment("cast", shield.spell, text("{name}, gesture", shield.name), "olde.md §6 shields"))
    if spell.against is Against.DEFENSE and SIGHT[grade]:
        because = text("{sight_names} sight", SIGHT_NAMES[grade])
        out.append(Adjustment("cast", SIGHT[grade], because, "olde.md §5 line of sight"))
    if figure.effects:
        out += shifts(figure, "checks", "cast")
        if spell.against is Against.DEFENSE and BLINDED.holds(figure):
            out.append(Adjustment("cast", BLINDED.attack, BLINDED.name, BLINDED.source))
    return tuple(out)


def _mark(state: OldeState, spell: Spell, who: CreatureIx) -> Mark:
    """What somebody has against a spell; the fallen resist nothing, and the helpless do not dodge: the CR is Easy."""
    setup, foe, victim = state.setup, state.setup.fighters[who], state.figures[who]
    armor = 0 if spell.pierces else soak_of(foe, victim)
    if spell.against is Against.RATING:
        return Mark(who, 0, spell.rating, (), armor)
    dodged = spell.against in (Against.DEFENSE, Against.FINESSE)
    if victim.hp <= 0 or (dodged and (victim.stunned or forbidden(victim, Forbid.DEFEND))):
        return Mark(who, 0, EASY, (), armor)
    if spell.against is Against.DEFENSE:
        return Mark(who, foe.finesse_rank, 0, defense_adjustments(setup, foe, victim, True), armor)
    adjustments = tuple(
        Adjustment("defense", a.value, a.because, a.rule) for a in burden(setup, foe, victim, spell.against)
    )
    return Mark(who, stat_rank(foe, spell.against), 0, adjustments, armor)


def effect_value(dice: EffectDice, thrown: int) -> int:
    """What an effect roll comes to: the dice, halved and rounded up if so, and what is added."""
    return max(0, ((thrown + 1) // 2 if dice.half else thrown) + dice.plus)


# -- resolution -----------------------------------------------------------------------------------------


def resolve(resolution: Resolution, casting: Casting) -> None:
    """Throw what resists, the casting and its effect, and let it work on everybody in the record's order."""
    spell, by = casting.spell, resolution.fighter(casting.caster).id
    area, power = spell.shape.area, POWERS[spell.does]
    rolls: list[Roll] = []
    ratings = _resist(resolution, casting, rolls)
    total = 0
    if casting.rank:
        resolution.dice.thrower = by
        rolls.append(roll(resolution.dice, "casting", 2, casting.rank, adjustments=casting.to_cast))
        total = rolls[-1].total
    fixed = 0 if casting.opposed or not casting.rank else spell.rating
    held = [total >= rating or not casting.rank for rating in ratings]
    takes = any(held) if casting.marks else total >= fixed
    value = 0
    if any(held) and (dice := casting.dice) is not None:
        resolution.dice.thrower = by
        rolls.append(roll(resolution.dice, "effect", dice.count, dice.rank, exploding=dice.exploding))
        value = effect_value(dice, rolls[-1].total)
    spent = value if power.armored else 0
    struck = [
        (mark.who, rating if casting.rank else 0, holds, max(0, spent - mark.armor) if holds else 0)
        for mark, rating, holds in zip(casting.marks, ratings, held, strict=True)
    ]
    resisted = tuple(Resistance(resolution.fighter(who).id, need, holds, hurt) for who, need, holds, hurt in struck)
    spaces = tuple(resolution.space(cell) for cell in cells_of(casting.cells))
    resolution.events.append(
        Cast(
            by=by, spell=spell.name, what=spell.pool or "item", cost=spell.price, success=takes, total=total,
            rating=fixed, target=resolution.fighter(casting.marks[0].who).id if casting.marks and not area else None,
            at=resolution.space(casting.at) if casting.at >= 0 else None, resisted=resisted, rolls=tuple(rolls),
            cells=spaces if area else (), item=casting.item,
        )
    )  # fmt: skip
    for who, _, holds, hurt in struck:
        if holds:
            _work_on(resolution, who, Working(spell, casting.item or spell.name, casting.caster, value, hurt), total)
    if takes:
        if spell.zone is not None:
            zone = Zone(spell.name, spell.zone, casting.cells, casting.caster, spell.zone_turns, casting.at, spell.size)
            resolution.zones = (*resolution.zones, zone)
            lay_ground(resolution)
            laid = Laid(name=spell.name, kind=spell.zone.value, cells=spaces, gained=True, turns=spell.zone_turns)
            resolution.events.append(laid)
        if spell.summon is not None:
            _summon(resolution, casting)


def _resist(resolution: Resolution, casting: Casting, rolls: list[Roll]) -> list[int]:
    """What the casting has to reach for each: in an opposed attempt the targets throw first (olde.md §3)."""
    ratings = []
    for mark in casting.marks:
        if not mark.rank:
            ratings.append(mark.rating)
            continue
        fighter = resolution.fighter(mark.who)
        against = casting.spell.against
        label = against.value if against is Against.DEFENSE else against.capitalize()
        if len(casting.marks) > 1:
            label = text("{name}, {label}", fighter.name, label.lower())
        resolution.dice.thrower = fighter.id
        resisted = roll(resolution.dice, label, 2, mark.rank, adjustments=mark.to_resist)
        rolls.append(resisted)
        ratings.append(resisted.total)
    return ratings


def _work_on(resolution: Resolution, who: CreatureIx, working: Working, total: int) -> None:
    """What a spell that takes hold does to one creature."""
    spell = working.spell
    POWERS[spell.does].work(resolution, who, working)
    for name in ailing(resolution.figures[who], spell.cures):  # whatever laid it on
        end_condition(resolution, who, name, working.name)
        condition = CONDITIONS[name]
        if isinstance(condition, Flagged):
            condition.end(resolution, who, working.name)
    if spell.lasting is not None and resolution.figures[who].hp > 0 and not spared(spell, resolution.fighter(who)):
        effect = Effect(spell.name, working.caster, spell.lasting.turns, max(EASY, total), spell.lasting)
        lay(resolution, who, effect, proof=True)


def spared(spell: Spell, fighter: Fighter) -> bool:
    """Whether a lasting effect does nothing to somebody by its traits: not where the spell is made for its kind alone
    (olde.md §10 immunity)."""
    immune = spell.lasting is not None and spell.lasting.condition in fighter.traits.immune
    return immune and fighter.kind not in spell.only


def _summon(resolution: Resolution, casting: Casting) -> None:
    """A new creature joins, the last in the order; it has no AP until the reset. Its id is the caster's with a number:
    `wizard.1`."""
    model = casting.spell.summon
    assert model is not None
    owner = resolution.fighter(casting.caster)
    number = 1 + sum(1 for fighter in resolution.setup.fighters if fighter.id.startswith(f"{owner.id}."))
    small, ranks = model.size == "small", {skill: RANKS[rank] for skill, rank in model.skills.items()}
    fighter = Fighter(
        id=f"{owner.id}.{number}", name=model.name if number == 1 else f'{model.name} {number}', side=owner.side,
        kind=model.kind, controller=owner.controller, art=model.art, temperament=model.temperament, threat=0,
        brawn=model.brawn, finesse=model.finesse, savvy=model.savvy, nerve=model.nerve, small=small, space=1,
        allowance=1 if small else 2, skills=ranks, weapons=model.weapons, shield=None, armor=None,
        armor_short=0, finesse_rank=model.finesse, surprised=False,
        **most_of(model.brawn, model.savvy, model.nerve),
    )  # fmt: skip
    stay = Effect(casting.spell.name, casting.caster, model.turns, 0, Lasting(model.turns, SUMMONED.name))
    resolution.setup = resolution.setup.joined_by(fighter)
    resolution.figures.append(
        Figure(casting.at, fighter.hp_max, fighter.mana_max, fighter.faith_max, hands=(), pack=(), effects=(stay,))
    )
    at = resolution.space(casting.at)
    resolution.events.append(Summoned(target=fighter.id, name=fighter.name, gained=True, at=at, by=owner.id))


RULE = "olde.md §9 casting"


class Prospects(NamedTuple):
    """What a casting brings whom."""

    chance: float
    shares: tuple[Share, ...]
    foes: tuple[int, ...]  # places of the foes among the shares


def prospects_of(state: OldeState, casting: Casting) -> Prospects:
    """The figures of a casting without their reasons."""
    fighters = state.setup.fighters
    side = fighters[casting.caster].side
    shares = tuple(_share(state, casting, mark) for mark in casting.marks)
    foes = tuple(i for i, mark in enumerate(casting.marks) if fighters[mark.who].side != side)
    chance = _success(casting, [casting.marks[i] for i in foes] or list(casting.marks))
    return Prospects(chance, shares, foes)


def odds_of(state: OldeState, casting: Casting) -> Odds:
    """The figures of a casting before a die is thrown."""
    chance, shares, foes = prospects_of(state, casting)
    single = shares[0] if len(shares) == 1 else None
    outcomes = (("takes_hold", chance), ("fails", 1.0 - chance))
    resists = casting.marks[0].to_resist if single is not None else ()
    return Odds(
        chance, outcomes, single.damage if single is not None else (),
        mean=sum(shares[i].mean for i in foes), drop=sum(shares[i].drop for i in foes),
        stun=single.stun if single is not None else 0.0, adjustments=casting.to_cast + resists,
        attack_dice=notation(2, casting.rank, True) if casting.rank else "no check",
        defense_dice=_against(casting), notes=_notes(casting),
        healing=sum(share.healing for share in shares), targets=shares,
    )  # fmt: skip


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


def _success(casting: Casting, marks: list[Mark]) -> float:
    """The chance that it takes hold of at least one of these, or at all where there is nobody."""
    if not casting.rank:
        return 1.0
    if not marks or not casting.opposed:
        return dist.chance_at_least(2, casting.rank, casting.spell.rating - casting.plus)
    if len(marks) == 1:
        return chance_on(casting, marks[0])
    return _at_least_one(casting.rank, casting.plus, tuple((m.rank, m.rating, m.plus) for m in marks))


@lru_cache(maxsize=1 << 14)
def _at_least_one(rank: int, plus: int, marks: tuple[tuple[int, int, int], ...]) -> float:
    """The casting is thrown once for all, each (rank, rating, adjustments) resists with dice of its own: summed over
    the casting's total."""
    none = 0.0
    for thrown, p in enumerate(dist.dice_sum(2, rank, True)):
        if p > 0.0:
            all_resist = 1.0
            need = thrown + plus + 1
            for resists, rating, own in marks:
                if resists:
                    all_resist *= dist.chance_at_least(2, resists, need - own)
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
    foe, victim = state.setup.fighters[mark.who], state.figures[mark.who]
    hit = chance_on(casting, mark)
    power = POWERS[casting.spell.does]
    if casting.dice is None or not isinstance(power, Harm | Heal):
        return Share(foe.id, hit)
    if isinstance(power, Heal):
        chances = effect_chances(casting.dice, 0, foe.hp_max - victim.hp)
        return Share(foe.id, hit, healing=hit * sum(value * p for value, p in chances))
    damage, mean, drop = _harm(hit, casting.dice, mark.armor, victim.hp)
    stat = resilience(foe)
    plus = sum(a.value for a in burden(state.setup, foe, victim, stat))
    stuns = STUNNED.name not in foe.traits.immune
    stun = _stun(damage, victim.hp, foe.hp_max, stat_rank(foe, stat), plus) if stuns else 0.0
    return Share(foe.id, hit, damage, mean, drop, stun)


@lru_cache(maxsize=1 << 14)
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
    effect, manner = titled(effect_words(spell, rank)), manner_words(spell)
    if check:
        effect = joined("; ", (effect, against_words(spell)))
    return Description(
        label or titled(spell.name), "Act", joined(" · ", costs), ap, context.figure.ap - ap, needs=spell.aim.needs,
        icon=icon_of(spell), notes=(effect, *((titled(manner),) if manner else ()), spell.summary),
    )  # fmt: skip


def icon_of(spell: Spell) -> str:
    """The picture of a spell: by what it does."""
    if spell.does is Does.HEAL:
        return "heart"
    if spell.lasting is not None and not spell.hostile:
        return "shield"
    return "cast"
