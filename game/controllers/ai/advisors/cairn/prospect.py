"""What a planner asks in bulk: who is there, and where one may go.

A plan's parts cost like this: the move nothing, the action (a dash included) one point. Who has planned a move counts
as standing where it leads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

from msgspec.structs import replace

from game.controllers.ai.advisors.planning import Latest, Outlook, Piece, Swing, Target, Threat, Vantage, Way
from game.controllers.ai.weights import load_weights
from rules.board.bitboard import Grade, cells_of, first_of
from rules.board.path import SHOOTER, struck_from
from rules.board.sight import visible
from rules.board.sight_fan import view
from rules.cairn.actions.attacks import ATTACK, DARING_BLOW, planned
from rules.cairn.actions.context import Context
from rules.cairn.actions.legal import END
from rules.cairn.actions.moves import DASH, MOVE, RETREAT
from rules.cairn.combat import attack
from rules.cairn.combat.injury import armor_of
from rules.cairn.conditions import DARED, ELASTIC, HOLDING, INVISIBLE, MIRRORED, TRUE_SIGHT
from rules.cairn.gear import ARMOR_CAP, SPELLS, Weapon
from rules.cairn.magic.ground import cells_that, sight_between, touches
from rules.cairn.state import CairnState, Does, Morale, Setup, save_chance, shown_hp
from rules.cairn.visibility import known_snares
from rules.contract.actions import Action
from rules.contract.ruleset import PARTY
from rules.contract.units import EMPTY, Bitboard, Cell, CreatureIx, numbered


def pieces(state: CairnState) -> tuple[Piece, ...]:
    """Everybody on the board, in the order of the record."""
    found = []
    for i, figure in numbered(state.figures):
        if figure.cell < 0 or figure.fled:
            continue
        being, plan = state.setup.beings[i], state.plans[i]
        found.append(Piece(
            being.id, being.side, Context(state, i).place, size=being.space,
            health=max(0, shown_hp(state.setup, being, figure) + figure.str_now),
            most=max(1, figure.hp_max + figure.str_max), points=0 if plan and plan.action else 1,
            out=not figure.fighting, dead=figure.dead, ailing=figure.clock > 0,
            ready=figure.able and not figure.prone, value=value_of(state, i),
        ))  # fmt: skip
    return tuple(found)


def value_of(state: CairnState, who: CreatureIx) -> float:
    """What losing a creature means to its side: about 1 for an ordinary one."""
    w, figure, memo = load_weights().cairn.value, state.figures[who], state.setup.memo
    guard, sting, arts = memo[who] if who in memo else memo.setdefault(who, _brought(state.setup, who))
    return (figure.hp_max + figure.str_max * w.strength + guard + sting + arts) / w.ordinary


def _brought(setup: Setup, who: CreatureIx) -> tuple[float, float, float]:
    """What all the Armor, the best die, and the powers and spells that somebody brings along add to its worth."""
    w, being, has = load_weights().cairn.value, setup.beings[who], setup.armoury
    armor = being.armor + sum(has.armor[item].armor for item in {*being.items} if item in has.armor)
    dice = [max(each.dice) for each in (*being.attacks, *(has.weapons[i] for i in being.items if i in has.weapons))]
    arts = len(being.powers) + sum(has.gear[item].kind in SPELLS for item in being.items if item in has.gear)
    return w.guard * min(ARMOR_CAP, armor), max(dice, default=6) * w.sting, w.art * min(w.most_arts, arts)


def outlook(state: CairnState, who: CreatureIx) -> Outlook:
    """What a creature may still plan."""
    context, ways = Context(state, who), list[Way]()
    acts, moved, action = context.action_open() is None, context.plan.moved, context.plan.action
    shun, budget = _shunned(context), context.budget - context.standing_cost()
    if not moved and budget > 0 and (action is None or action.do not in (DASH.do, RETREAT.do)):
        first = context.ways(context.figure.cell, budget, shun)
        if first.cells:
            ways.append(Way((MOVE.do,), 0, 0, first.cells, budget))
        if acts:
            far = context.ways(context.figure.cell, 2 * budget, shun).cells & ~first.cells
            if far:
                ways.append(Way((MOVE.do, DASH.do), 1, 0, far, budget))
    elif moved and acts and context.budget > 0:
        found = context.ways(context.place, context.budget, shun)
        if found.cells:
            ways.append(Way((DASH.do,), 1, 0, found.cells, context.budget))
    end, after = Action(context.being.id, END.do), bool(ways) and not moved
    return Outlook(state.round, 1 if acts else 0, acts, tuple(ways), end, ground=context.ground, after=after)


def _shunned(context: Context) -> int:
    """Spaces that a planner goes round: changed ground that does something to who enters."""
    zones = context.state.zones
    harmful = (zone for zone in zones if touches(zone, context.being, context.figure))
    shun = cells_that(harmful, Does.HARM) if zones else 0
    return shun | known_snares(context.state, context.who)


def route(state: CairnState, who: CreatureIx, way: Way, cell: Cell) -> tuple[Action, ...]:
    """The movements of a way that end on a space, in order; empty where they don't fit together."""
    context = Context(state, who)
    name, budget = context.being.id, int(way.trace) if isinstance(way.trace, int) else 0
    if way.do != (MOVE.do, DASH.do):
        start = context.place if way.do == (DASH.do,) else context.figure.cell
        return (Action(name, way.do[0], path=context.ways(start, budget, _shunned(context)).route(cell)),)
    whole = context.ways(context.figure.cell, 2 * budget, _shunned(context)).route(cell)
    near = context.ways(context.figure.cell, budget, _shunned(context))
    split = max((i for i, there in enumerate(whole, 1) if near.cells >> there & 1), default=0)
    first, rest = whole[:split], whole[split:]
    difficult = context.ground.steps(context.being.space).difficult
    if not first or not rest or sum(2 if difficult >> cell & 1 else 1 for cell in rest) > budget:
        return ()
    return (Action(name, MOVE.do, path=first), Action(name, DASH.do, path=rest))


def spots(state: CairnState, who: CreatureIx) -> dict[Cell, int]:
    """Cells where a creature could end its movement in one fresh half -> 0 for a move, 1 for a dash."""
    figure, context = state.figures[who], Context(state, who)
    if not figure.able:
        return {figure.cell: 0} if figure.present else {}
    budget = context.budget - context.standing_cost()
    near = context.ways(figure.cell, budget).cells
    far = context.ways(figure.cell, 2 * budget).cells & ~near
    return {figure.cell: 0} | dict.fromkeys(cells_of(near), 0) | dict.fromkeys(cells_of(far), 1)


def _swings(state: CairnState, blow: attack.PreparedAttack, pool: attack.Pool, fall: Tumble) -> list[Swing]:
    """A blow, and the same out of a daring manoeuvre where that promises more."""
    name = blow.weapon.name
    swings = [Swing(ATTACK.do, name, 1, *_added(state, blow, pool))]
    if not blow.ranged:
        chance = save_chance(state.figures[blow.attacker].dex_now)
        hit, mean, drop = _added(state, blow, pool, chance)
        if mean + load_weights().cairn.floor.felled * drop > _value(swings[0]):
            cost = float(1 - chance) * fall.near(state.figures[blow.target].cell)
            swings.append(Swing(DARING_BLOW.do, name, 1, hit, mean, drop, cost=cost, falls=float(1 - chance)))
    return swings


def _added(
    state: CairnState, blow: attack.PreparedAttack, pool: attack.Pool, daring: Fraction | None = None
) -> tuple[float, float, float]:
    """(chance to hit, mean harm, chance to fell) that a blow adds to all that its side has planned against the target:
    of pooled dice one alone counts."""
    if daring is None and not (pool.sure or pool.risky or pool.prone):
        swing = swing_of(state, blow)
        return swing.hit, swing.mean, swing.drop
    falls = blow if daring is None else blow.modified(DARED)  # an impaired blow throws other dice once it is enhanced
    key = (_mark(state, falls), daring, _pool_key(state, blow.target, pool))
    found = _known.get(key)
    if found is not None:
        return found
    _, before, without = pooled(state, blow.target, pool)
    hit, mean, drop = pooled(state, blow.target, attack.with_attack(pool, blow, daring))
    return _keep(_known, key, (float(hit), float(mean - before), float(drop - without)))


def pooled(state: CairnState, target: CreatureIx, pool: attack.Pool) -> Figures:
    """(chance to hit, mean harm, chance to fell) of all that is planned against a target."""
    key = _pool_key(state, target, pool)
    found = _pools.get(key)
    if found is None:
        hit = mean = drop = Fraction(0)
        for there, weight, blows in attack.fallen(state, target, pool) if pool.sure or pool.risky else ():
            some = _together(there, target, blows)
            hit, mean, drop = hit + weight * some[0], mean + weight * some[1], drop + weight * some[2]
        found = _keep(_pools, key, (hit, mean, drop))
    return found


def _together(state: CairnState, target: CreatureIx, blows: list[attack.PreparedAttack]) -> Figures:
    """The same of blows that do fall."""
    if not blows:
        return Fraction(0), Fraction(0), Fraction(0)
    key = tuple([_mark(state, blow) for blow in blows]), _target_key(state, target)
    found = _pools.get(key)
    if found is None:
        outcomes, damages = attack.attack_chances(state, blows)
        mean = sum((value * chance for value, chance in damages.items()), Fraction(0))
        found = _keep(_pools, key, (1 - damages.get(0, Fraction(0)), mean, attack.felled(outcomes)))
    return found


Figures = tuple[Fraction, Fraction, Fraction]
F = TypeVar("F")
_pools: dict[object, Figures] = {}


def _keep(store: dict[object, F], key: object, found: F) -> F:
    if len(store) > 1 << 14:
        store.clear()
    store[key] = found
    return found


@dataclass
class Tumble:
    """What it would cost somebody to lie on the floor when the foes' half comes, in the units of `value`: the chance to
    be felled then, beyond that of being felled on one's feet."""

    state: CairnState
    who: CreatureIx

    def near(self, cell: Cell) -> float:
        """The toll near a space: only who may come within reach of it counts."""
        w = load_weights().cairn.floor
        stands = falls = 1.0
        for start, space, limit, up, down in self._dangers:
            if self.state.terrain.distance(start, cell, space) <= limit:
                stands *= 1 - w.elsewhere * up
                falls *= 1 - w.elsewhere * down
        return (w.floored + stands - falls) * value_of(self.state, self.who)

    @cached_property
    def _dangers(self) -> list[tuple[Cell, int, int, float, float]]:
        """(where, how large, how far it gets, chance to fell one on one's feet, on the floor) of each able foe."""
        state, who, beings = self.state, self.who, self.state.setup.beings
        lying, found = attack.floored(state, who), []
        for foe, other in numbered(state.figures):
            if beings[foe].side == beings[who].side or not other.able:
                continue
            up, down = best_swing(state, foe, who), _best_swing(lying, foe, who)
            if up is not None and down is not None:
                reach = max((far for _, far in attack.reach_of(state.setup, foe, other)), default=1)
                limit = reach + Context(state, foe).budget
                found.append((other.cell, beings[foe].space, limit, up.drop, down.drop))
        return found


class Scare:
    """What it does to a band's heart when one of it falls (cairn.md §2.11), in the units of `value`."""

    def __init__(self, state: CairnState, by: CreatureIx) -> None:
        self.state = state
        self.by = by
        self._found: dict[int, tuple[float, float]] = {}

    def of(self, target: CreatureIx) -> float:
        """What the others' flight is worth when a target falls, in parts of what that itself is worth."""
        band = next((n for n, known in enumerate(self.state.morale) if _belongs(self.state, target, known)), -1)
        if band < 0:
            return 0.0
        if band not in self._found:
            self._found[band] = self._shaken(band)
        whole, untouched = self._found[band]
        if not whole:
            return 0.0
        value = value_of(self.state, target)
        own = whole - _flight(self.state, target) * value
        return max(0.0, own) * untouched / value

    def _shaken(self, number: int) -> tuple[float, float]:
        """(what all of a band are worth by the chance that each runs, chance that it is not shaken anyway)."""
        state, known = self.state, self.state.morale[number]
        here = [i for i, f in numbered(state.figures) if f.fighting and _belongs(state, i, known)]
        lost = known.start - len(here)
        if known.first and (known.half or 2 * (lost + 1) < known.start):
            return 0.0, 1.0
        untouched = 1.0
        if not known.first:
            for target in here if state.declared else ():
                untouched *= 1.0 - float(pooled(state, target, planned(state, target, self.by))[2])
        return sum(_flight(state, i) * value_of(state, i) for i in here), untouched


def _belongs(state: CairnState, who: CreatureIx, known: Morale) -> bool:
    being = state.setup.beings[who]
    ours = known.side == PARTY
    return being.side == known.side and (being.hired if ours else being.group == known.group)


def _flight(state: CairnState, who: CreatureIx) -> float:
    """Chance that somebody runs whose band is shaken."""
    being = state.setup.beings[who]
    if being.mindless:
        return 0.0
    return float(1 - save_chance(being.nerve or state.figures[who].wil_now))


def _mark(state: CairnState, blow: attack.PreparedAttack) -> object:
    """All that matters of a blow for what it comes to."""
    weapon = blow.weapon
    return (blow.dice, weapon.ignores_armor, weapon.direct, blow.immune, weapon.rider is not None,
            state.setup.beings[blow.attacker].mobbing, state.figures[blow.attacker].has(TRUE_SIGHT))  # fmt: skip


def _pool_key(state: CairnState, target: CreatureIx, pool: attack.Pool) -> object:
    """All that matters of what is planned against a target for what it comes to."""
    return (tuple([_mark(state, blow) for blow in pool.sure]),
            tuple([(_mark(state, blow), chance) for blow, chance in pool.risky]), pool.prone,
            _target_key(state, target))  # fmt: skip


def _target_key(state: CairnState, target: CreatureIx) -> object:
    """All that matters of a target for what blows on it come to."""
    being, figure = state.setup.beings[target], state.figures[target]
    unaware = being.alert == "unaware" and state.round == 1
    return (armor_of(state.setup, being, figure), shown_hp(state.setup, being, figure), figure.str_now,
            unaware or figure.defenceless, being.pc and not figure.doomed,
            being.unstoppable or figure.heads > 1, figure.has(MIRRORED))  # fmt: skip


def swing_of(state: CairnState, blow: attack.PreparedAttack) -> Swing:
    """A blow by itself."""
    key = _mark(state, blow), _target_key(state, blow.target)
    found = _known.get(key)
    if found is None:
        outcomes, damages = attack.attack_chances(state, [blow])
        mean = float(sum(value * chance for value, chance in damages.items()))
        found = _keep(_known, key, (float(1 - damages.get(0, 0)), mean, float(attack.felled(outcomes))))
    return Swing(ATTACK.do, blow.weapon.name, 1, *found)


_known: dict[object, tuple[float, float, float]] = {}


def _value(swing: Swing) -> float:
    return swing.mean + load_weights().cairn.floor.felled * swing.drop


LEAST = 0.1
"""Harm of a round of blows that do next to none."""


def best_swing(state: CairnState, by: CreatureIx, target: CreatureIx) -> Swing | None:
    """The best attack in clear sight, from wherever that is made best; found once for a state."""
    known, pair = _latest.of(state), (by, target)
    if pair not in known:
        known[pair] = _best_swing(state, by, target)
    return known[pair]


def _none_yet(_state: CairnState) -> dict[tuple[CreatureIx, CreatureIx], Swing | None]:
    return {}


_latest = Latest(_none_yet)


def _best_swing(state: CairnState, by: CreatureIx, target: CreatureIx) -> Swing | None:
    best: Swing | None = None
    for weapon in attack.arms(state.setup, by, state.figures[by]):
        swing = swing_of(state, attack.open_attack(state, by, target, weapon))
        if best is None or _value(swing) > _value(best):
            best = swing
    return best


def endures(state: CairnState, who: CreatureIx) -> float:
    """Rounds that it takes to fell somebody by the best blow of those against it: of all at once one alone counts."""
    beings, figure, best = state.setup.beings, state.figures[who], 0.0
    for by, other in numbered(state.figures):
        if beings[by].side != beings[who].side and other.able and other.cell >= 0:
            swing = best_swing(state, by, who)
            best = max(best, swing.mean if swing is not None else 0.0)
    return (figure.hp + figure.str_now / 2) / max(best, LEAST)


def targets(state: CairnState, by: CreatureIx, cells: Bitboard) -> tuple[Target, ...]:
    """Whom a creature could attack at all, and from which of `cells` how, as if fresh."""
    setup, side = state.setup, state.setup.beings[by].side
    context = Context(state, by)
    found: list[Target] = []
    if context.hands_tied(harm=True) is not None:
        return ()
    fall, scare = Tumble(state, by), Scare(state, by)
    far = any(limit > SHOOTER for _, limit in attack.reach_of(setup, by, state.figures[by]))
    for target, figure in numbered(state.figures):
        foe = setup.beings[target]
        if foe.side == side or not figure.fighting or figure.has(INVISIBLE) or context.befriended(target):
            continue
        best = best_swing(state, by, target) or Swing(ATTACK.do, None, 1, 0.0, mean=0.0, drop=0.0)
        found.append(Target(foe.id, best, far, _vantages(state, by, target, cells, fall, scare.of(target))))
    return tuple(found)


def _vantages(
    state: CairnState, by: CreatureIx, target: CreatureIx, cells: Bitboard, fall: Tumble, scare: float
) -> tuple[Vantage, ...]:
    """Spaces grouped by the best two plain attacks and the best daring one from them: alike in sight and in the weapons
    that reach; space by space where an attack might take in friends."""
    goal, arms = state.figures[target].cell, attack.arms(state.setup, by, state.figures[by])
    pool = planned(state, target, by) if state.declared else attack.NOBODY
    groups: dict[tuple[Swing, ...], Bitboard] = {}
    for board in _by_run(state, by, {weapon.run for weapon in arms}, _alike(state, by, target, cells)):
        way = first_of(board), goal
        blows = [blow for each in arms if (blow := attack.prepare(state, by, target, each, way)) is not None]
        made = [swing for blow in blows for swing in _swings(state, blow, pool, fall)]
        if scare:
            made = [replace(swing, side_effect=scare * max(0.0, swing.drop)) for swing in made]
        swings = sorted(made, key=lambda s: -_value(s))
        swept = [each for each in arms if each.blast and any(swing.weapon == each.name for swing in swings)]
        for part in [1 << cell for cell in cells_of(board)] if swept else [board]:
            burning = [each.name for each in swept if _burns_friends(state, by, each, first_of(part), goal)]
            sparing = [swing for swing in swings if swing.weapon not in burning]
            plain = [swing for swing in sparing if swing.do == ATTACK.do][:2]
            daring = [swing for swing in sparing if swing.do == DARING_BLOW.do][:1]
            if fit := tuple(swing for swing in sparing if swing in plain or swing in daring):
                groups[fit] = groups.get(fit, EMPTY) | part
    return tuple(Vantage(board, swings) for swings, board in groups.items())


def _by_run(state: CairnState, by: CreatureIx, runs: set[int], boards: Iterator[Bitboard]) -> Iterator[Bitboard]:
    """Spaces parted by whether they are far enough off for what needs a run."""
    terrain, cell, space = state.terrain, state.figures[by].cell, state.setup.beings[by].space
    for board in boards:
        parts = [board]
        for run in sorted(runs - {0}):
            near = sum(1 << c for c in cells_of(board) if terrain.distance(cell, c, space, space) < run)
            parts = [piece for part in parts for piece in (part & near, part & ~near) if piece]
        yield from parts


def _alike(state: CairnState, by: CreatureIx, target: CreatureIx, cells: Bitboard) -> Iterator[Bitboard]:
    """The spaces of `cells` from which a target is seen, parted by cover and by the ranges of what one wields."""
    setup, terrain = state.setup, state.terrain
    own, other = setup.beings[by].space, setup.beings[target].space
    goal, figure = state.figures[target].cell, state.figures[by]
    clear = some = EMPTY
    for cell in terrain.space(goal, other):
        seen = view(terrain, cell)
        clear |= seen.clear
        some |= seen.minimal
    clear, some = terrain.touching(clear, own), terrain.touching(some, own)
    near = terrain.touching(terrain.within(goal, 1, other), own)
    if cells_that(state.zones, Does.VEIL):
        sizes = (own, other)
        some |= sum(1 << c for c in cells_of(near) if sight_between(state, c, goal, *sizes) is not Grade.NONE)
    limits = {1}
    for weapon in attack.arms(setup, by, figure):
        more = 1 if figure.has(ELASTIC) and weapon.reach else 0
        limits |= {weapon.reach + more, weapon.near, weapon.far}
    inside = 0
    for limit in sorted(limits - {0}):
        within = terrain.touching(terrain.within(goal, limit, other), own) & cells
        ring, inside = within & ~inside, within
        for board in (ring & clear, ring & some & ~clear):
            if board:
                yield board


def _burns_friends(state: CairnState, by: CreatureIx, weapon: Weapon, start: Cell, goal: Cell) -> bool:
    """Whether an area attack takes in as many friends as foes."""
    side = state.setup.beings[by].side
    cells = attack.blast_cells(state.terrain, weapon, start, state.setup.beings[by].space, goal)
    friends = foes = 0
    for i, figure in numbered(state.figures):
        being = state.setup.beings[i]
        if i != by and figure.fighting and state.terrain.footprint(figure.cell, being.space) & cells:
            friends += being.side == side
            foes += being.side != side
    return friends > 0 and friends >= foes


def reaches(state: CairnState, who: CreatureIx, start: Cell) -> Bitboard:
    """Bitboard of cells that a creature standing at `start` can strike with what it has."""
    terrain, space = state.terrain, state.setup.beings[who].space
    out = 0
    for near, far in attack.reach_of(state.setup, who, state.figures[who]):
        out |= terrain.within(start, far, space) & ~terrain.within(start, near - 1, space)
    return out & visible(terrain, start, space)


def threats(state: CairnState, target: CreatureIx) -> tuple[Threat, ...]:
    """Who could strike a creature, and where: walls count, creatures in the way don't."""
    setup = state.setup
    found = []
    for by, figure in numbered(state.figures):
        if setup.beings[by].side == setup.beings[target].side or not figure.fighting:
            continue
        swing = best_swing(state, by, target)
        if swing is None:
            continue
        context = Context(state, by)
        spans = attack.reach_of(setup, by, figure)
        limit = max((far for _, far in spans), default=1)
        still = not figure.able or figure.any_of(HOLDING)
        struck = struck_from(context.ground, figure.cell, context.being.space, 0 if still else context.budget, limit)
        now, name = struck if figure.able else EMPTY, context.being.id
        falls = float(pooled(state, by, planned(state, by, target))[2]) if state.declared else 0.0
        if falls:  # what the others mean to do to it counts as done by then
            swing = replace(swing, mean=swing.mean * (1.0 - falls), drop=swing.drop * (1.0 - falls))
        found.append(Threat(name, close=now, blows=1.0, now=now, later=struck, swing=swing, far=limit > SHOOTER))
    return tuple(found)
