"""What castings are worth to a planner, and what their lasting effects are to whom they are laid on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from game.controllers.ai.advisors.olde.attacks import aftermath, arms_of, burst_of, fate_of, value_of
from game.controllers.ai.advisors.planning import Magic, Measure
from game.controllers.ai.factors import load_weights
from rules.board.bitboard import Grade
from rules.board.grid import Terrain
from rules.board.path import spread
from rules.board.sight import dark, grade, lit, visible
from rules.contract.actions import Action
from rules.contract.ruleset import Share
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell, CreatureIx, numbered
from rules.olde import effects
from rules.olde.actions.kind import Context
from rules.olde.conditions import CONDITIONS, SILENCED, terrain_of
from rules.olde.effects import Lasting, Zone
from rules.olde.gear import FIRE
from rules.olde.magic.actions import MAGIC_ACTIONS, could_serve, out_of_reach
from rules.olde.magic.casting import (
    POWERS,
    Casting,
    Heal,
    Mark,
    Prospects,
    Restore,
    ailing,
    effect_chances,
    prepare,
    prospects_of,
    spared,
)
from rules.olde.magic.spells import Aim, Caster, EffectDice, Pool
from rules.olde.state import Figure, OldeState, able
from rules.olde.traits import DeathBurst
from rules.olde.visibility import lamps, sight

_HORIZON = 40


def ground_value(state: OldeState, casting: Casting) -> float:
    """What a spell that changes the ground gains its side, in units of worth; below 0 where it hinders friends more."""
    w = load_weights("olde").olde.ground
    spell = casting.spell
    caster, space = state.figures[casting.caster].cell, state.setup.fighters[casting.caster].space
    assert spell.zone is not None
    cells = spell.cells(Caster(state.terrain, caster, space), casting.at)
    side = state.setup.fighters[casting.caster].side
    friends = [i for i in _up(state) if state.setup.fighters[i].side == side]
    foes = [i for i in _up(state) if state.setup.fighters[i].side != side]
    if spell.zone.does.lights:
        return _light_value(state, cells, friends, foes)
    if not foes:
        return 0.0
    if spell.zone.does.blocks:
        cells &= ~_feet(state, (*friends, *foes))
    zone = Zone(spell.name, spell.zone, cells, casting.caster, spell.zone_turns, centre=casting.at, radius=spell.size)
    after = terrain_of(state.setup, state.doors, (*state.zones, zone), state.cleared)
    turns = min(w.longest, spell.zone_turns)
    stone = spell.zone.does.hides
    gain = sum(_lost(state, after, who, friends, turns=turns, blinds=stone) for who in foes)
    loss = sum(_lost(state, after, who, foes, turns=turns, blinds=stone) for who in friends)
    return w.lost * (gain - loss)


def _up(state: OldeState) -> list[CreatureIx]:
    return [i for i, figure in numbered(state.figures) if able(figure)]


def _feet(state: OldeState, who: Iterable[CreatureIx]) -> int:
    board = 0
    for i in who:
        board |= state.terrain.footprint(state.figures[i].cell, state.setup.fighters[i].space)
    return board


def _lost(
    state: OldeState, after: Terrain, who: CreatureIx, others: list[CreatureIx], *, turns: int, blinds: bool
) -> float:
    """Turns that somebody loses by the changed ground, times its worth: on its way, or for want of a sight."""
    if shoots(state, who):
        lost = float(turns) if blinds and _blinded(state, after, who, others) else 0.0
    else:
        goals, cell = _feet(state, others), state.figures[who].cell
        pace = load_weights("olde").olde.ground.pace
        lost = min(float(turns), (_way(after, goals, cell) - _way(state.terrain, goals, cell)) / pace)
    return max(0.0, lost) * value_of(state, who)


def shoots(state: OldeState, who: CreatureIx) -> bool:
    """Whether somebody does its harm from afar, by a weapon in hand or by a spell that it can pay for."""
    fighter, figure, spells = state.setup.fighters[who], state.figures[who], state.setup.grimoire.spells
    known = (spells[name] for name in fighter.spells)
    aimed = (spell for spell in known if spell.aim in (Aim.ENEMY, Aim.SPACE) and spell.zone is None)
    if any(spell.price <= spell.left(figure) for spell in aimed):
        return True
    return arms_of(state, who).span > load_weights("olde").olde.ground.far


def _blinded(state: OldeState, after: Terrain, who: CreatureIx, others: list[CreatureIx]) -> bool:
    """Whether it sees some of the others now, and none of them behind the changed ground."""
    cell, space = state.figures[who].cell, state.setup.fighters[who].space
    places = [(state.figures[i].cell, state.setup.fighters[i].space) for i in others]
    seen = any(grade(state.terrain, cell, goal, space, size) is not Grade.NONE for goal, size in places)
    return seen and all(grade(after, cell, goal, space, size) is Grade.NONE for goal, size in places)


def _way(terrain: Terrain, goals: int, cell: Cell) -> int:
    for far, board in enumerate(_layers(terrain, goals)):
        if board >> cell & 1:
            return far
    return _HORIZON


@lru_cache(maxsize=64)
def _layers(terrain: Terrain, goals: Bitboard) -> tuple[int, ...]:
    return tuple(spread(terrain, goals, _HORIZON))


def _light_value(state: OldeState, cells: Bitboard, friends: list[CreatureIx], foes: list[CreatureIx]) -> float:
    """Better sight of whom the light falls on, for both sides, and dark ground lit for friends who need it."""
    gain = _better(state, cells, friends, foes) - _better(state, cells, foes, friends)
    needy = [i for i in friends if not state.setup.fighters[i].dark_sight]
    if state.setup.darkness and needy and dark(state.terrain):
        unlit = cells & ~lit(state.terrain, lamps(state))
        w = load_weights("olde").olde.ground
        gain += w.lit * unlit.bit_count() / max(1, cells.bit_count()) * len(needy) / len(friends)
    return gain


def _better(state: OldeState, cells: Bitboard, eyes: list[CreatureIx], seen: list[CreatureIx]) -> float:
    """For each who would be seen better by somebody who shoots: what that is worth."""
    w = load_weights("olde").olde.ground
    total = 0.0
    shooters = [i for i in eyes if shoots(state, i)]
    for who in seen:
        cell, space = state.figures[who].cell, state.setup.fighters[who].space
        if not state.terrain.footprint(cell, space) & cells:
            continue
        grades = [sight(state, i, state.figures[i].cell, who, cell) for i in shooters]
        better = sum(1 for each in grades if each in (Grade.PARTIAL, Grade.MINIMAL))
        total += w.better * w.longest * better * value_of(state, who) / max(1, len(shooters))
    return total


def measures(context: Context) -> Iterator[Measure]:
    """Every canonical cast and use that gains or harms anything, for planners."""
    w = load_weights("olde").olde.magic
    for kind in MAGIC_ACTIONS.values():
        for action in kind.instances(context):
            casting = kind.casting_of(context, action)
            found = prospects_of(context.state, casting)
            blows = tuple((s.id, s.mean, s.drop, s.stun) for s in map(found.shares.__getitem__, found.foes)
                          if s.mean > 0.0)  # fmt: skip
            price = w.used_up if casting.item else casting.spell.price
            value = benefit_of(context.state, casting, found) - w.thrift * price
            if blows or value > 0.0:
                yield Magic(action, kind.cost(context, action), found.chance, blows=blows, value=value)
    yield from _afar(context)


def _afar(context: Context) -> Iterator[Measure]:
    """Castings that mend friends who are out of their reach: worth going to where they could be cast."""
    w, kind = load_weights("olde").olde.magic, MAGIC_ACTIONS["cast"]
    for name in context.fighter.spells:
        spell = context.setup.grimoire.spells[name]
        heals = isinstance(POWERS[spell.does], Heal) or spell.cures
        if spell.aim is not Aim.ALLY or not heals or kind.why_not_now(context, name) is not None:
            continue
        for who, fighter, figure in context.others():
            if not could_serve(context, spell, who) or out_of_reach(context, spell, who) is None:
                continue
            terrain, size = context.terrain, fighter.space
            cells = terrain.within(figure.cell, spell.reach, size) & visible(terrain, figure.cell, size)
            cast = prepare(context.state, context.who, spell, (who,), grade=Grade.CLEAR, at=NOWHERE, cells=EMPTY)
            found = prospects_of(context.state, cast)
            value = benefit_of(context.state, cast, found) - w.thrift * spell.price
            if value > 0.0:
                action = Action(context.fighter.id, kind.do, item=name, target=fighter.id)
                yield Magic(action, kind.cost(context, action), found.chance, cells=cells, value=value)


# -- what it is worth -----------------------------------------------------------------------------------


def benefit_of(state: OldeState, casting: Casting, found: Prospects) -> float:
    """What a casting gains its side beside harm to foes, in units of worth."""
    spell, chance, shares, foes = casting.spell, *found
    benefit = sum(_benefit(state, casting, mark, share.hit) for mark, share in zip(casting.marks, shares, strict=True))
    if spell.summon is not None:
        w, model = load_weights("olde").olde.magic, spell.summon
        benefit += chance * w.raised * (model.brawn + model.nerve // 2 + model.finesse) / w.called
    if spell.zone is not None:
        benefit += chance * ground_value(state, casting)
    if POWERS[spell.does].armored:
        lost = sum(_loss(state, casting.marks[i].who, s) for i, s in enumerate(shares) if i not in foes)
        benefit -= load_weights("olde").olde.magic.care * lost
        benefit += sum(_wake_of(state, casting, casting.marks[i].who, shares[i]) for i in foes)
    return benefit


def _benefit(state: OldeState, casting: Casting, mark: Mark, hit: float) -> float:
    """What a casting is worth to its side beside harm, in units of a creature's worth."""
    w = load_weights("olde").olde.magic
    spell, who = casting.spell, mark.who
    fighter, figure = state.setup.fighters[who], state.figures[who]
    value, friend = 0.0, fighter.side == state.setup.fighters[casting.caster].side
    power = POWERS[spell.does]
    if isinstance(power, Heal) and casting.dice is not None:
        chances = effect_chances(casting.dice, 0, fighter.hp_max - figure.hp)
        value += sum(p * back for back, p in chances) / fighter.hp_max
        if figure.hp <= 0:
            value += w.raised * sum(p for back, p in chances if figure.hp + back > 0)
        if figure.dying or figure.bleeding:
            value += w.raised / 2
    elif isinstance(power, Restore) and casting.dice is not None:
        value += _pool_value(state, who, power.pool, casting.dice)
    for condition in ailing(figure, spell.cures):
        value += w.condition_values[condition] * _left(figure, condition)
    new = spell.lasting is not None and not any(e.name == spell.name for e in figure.effects)
    if spell.lasting is not None and new and not spared(spell, fighter):
        value += lasting_value(spell.lasting, state, who)
    return hit * value * value_of(state, who) * (1.0 if friend else -1.0)


def _left(figure: Figure, condition: str) -> int:
    """Turns that a condition may still last, at most `LONGEST`; one that nothing times lasts so long."""
    w = load_weights("olde").olde.magic
    turns = [e.turns for e in figure.effects if e.lasting.condition == condition]
    return min(w.longest, max(turns, default=w.longest))


def _pool_value(state: OldeState, who: CreatureIx, pool: Pool, dice: EffectDice) -> float:
    """What Mana or Faith given back is worth: much to who could not pay for all that it knows, little beyond that."""
    w = load_weights("olde").olde.magic
    figure, fighter = state.figures[who], state.setup.fighters[who]
    now, most = pool.left(figure), pool.top(fighter)
    known = [state.setup.grimoire.spells[name] for name in fighter.spells]
    dearest = max((spell.price for spell in known if spell.paid == pool), default=0)
    missing = max(0, dearest - now)
    return sum(
        p * (w.spent * min(back, missing) + w.spare * max(0, back - missing) * (dearest > 0))
        for back, p in effect_chances(dice, 0, most - now)
    )


def lasting_value(lasting: Lasting, state: OldeState, who: CreatureIx) -> float:
    """What a lasting effect is worth to its bearer, in parts of its worth; below 0 for a hindrance."""
    w = load_weights("olde").olde.magic
    figure = state.figures[who]
    turns = min(w.longest, lasting.turns)
    if lasting.condition:
        if CONDITIONS[lasting.condition].holds(figure) or figure.stunned:
            return 0.0
        known = (state.setup.grimoire.spells[name] for name in state.setup.fighters[who].spells)
        spoken = (spell for spell in known if spell.incantation and spell.price <= spell.left(figure))
        if lasting.condition == SILENCED.name and next(spoken, None) is None:
            return 0.0  # it knows no spoken spell that it can pay for
        return -w.condition_values[lasting.condition] * turns
    own: float = sum(w.part_values[part] * getattr(lasting, part) for part in effects.PARTS)
    return turns * own


def _wake_of(state: OldeState, casting: Casting, who: CreatureIx, share: Share) -> float:
    """What follows upon harm to a foe by its traits, in units of worth: it divides, bursts, heals no more."""
    fighter = state.setup.fighters[who]
    fate, value = fate_of(fighter, state.figures[who]), 0.0
    if fate is not None:
        value += aftermath(fate, _tails(share.damage), casting.spell.element == FIRE) * value_of(state, who)
    if share.drop and fighter.traits.of(DeathBurst) is not None:
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
    friend = fighters[who].side == fighters[casting.caster].side
    return -load_weights("olde").olde.magic.care * loss if friend else loss


def _loss(state: OldeState, who: CreatureIx, share: Share) -> float:
    """What harm to somebody comes to, in units of worth."""
    figure = state.figures[who]
    if figure.hp <= 0:
        return load_weights("olde").olde.magic.fallen * value_of(state, who) * (share.mean > 0)
    return value_of(state, who) * (min(1.0, share.mean / figure.hp) + share.drop)
