"""What a planner asks in bulk: who is there, and where one may go.

A plan's parts cost like this: the move nothing, the action (a dash included) one point. Who has planned a move counts
as standing where it leads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import count
from typing import TypeVar

from msgspec.structs import replace

from game.controllers.ai.advisors.cairn.world import kept, world_of
from game.controllers.ai.advisors.planning import Outlook, Piece, Swing, Target, Threat, Vantage, Way
from game.controllers.ai.factors import load_weights
from rules.board.bitboard import Grade, board_of, cells_of, first_of
from rules.board.grid import Terrain
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
from rules.cairn.state import CairnState, Does, Setup, save_chance, shown_hp
from rules.cairn.visibility import known_snares
from rules.contract.actions import Action
from rules.contract.units import EMPTY, Bitboard, Cell, CreatureIx, numbered


def pieces(state: CairnState) -> tuple[Piece, ...]:
    """Everybody on the board, in the order of the record; who has planned a move stands where it leads."""
    world = world_of(state)
    known = world.pieces
    if known is None:
        known = world.pieces = [
            (i, _piece(state, i)) for i, figure in numbered(state.figures) if figure.cell >= 0 and not figure.fled
        ]
    if not state.declared:
        return tuple([piece for _, piece in known])
    found = []
    for i, piece in known:
        plan = state.plans[i]
        if plan is not None:
            place, points = Context(state, i).place, 0 if plan.action else 1
            if place != piece.cell or points != piece.points:
                piece = replace(piece, cell=place, points=points)
        found.append(piece)
    return tuple(found)


def _piece(state: CairnState, who: CreatureIx) -> Piece:
    """Somebody who has planned nothing."""
    being, figure = state.setup.beings[who], state.figures[who]
    return Piece(
        being.id, being.side, figure.cell, size=being.space,
        health=max(0, shown_hp(state.setup, being, figure) + figure.str_now),
        most=max(1, figure.hp_max + figure.str_max), points=1, out=not figure.fighting, dead=figure.dead,
        ailing=figure.clock > 0, ready=figure.able and not figure.prone, value=value_of(state, who),
    )  # fmt: skip


def value_of(state: CairnState, who: CreatureIx) -> float:
    """What losing a creature means to its side: about 1 for an ordinary one."""
    w, figure, memo = load_weights("cairn").cairn.value, state.figures[who], state.setup.memo
    brought: tuple[float, float, float] | None = memo.get(("brought", who))
    if brought is None:
        brought = memo["brought", who] = _brought(state.setup, who)
    guard, sting, arts = brought
    return (figure.hp_max + figure.str_max * w.strength + guard + sting + arts) / w.ordinary


def _brought(setup: Setup, who: CreatureIx) -> tuple[float, float, float]:
    """What all the Armor, the best die, and the powers and spells that somebody brings along add to its worth."""
    w, being, has = load_weights("cairn").cairn.value, setup.beings[who], setup.armoury
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
        whole = context.ways(context.figure.cell, 2 * budget if acts else budget, shun)
        first = whole.within(budget)
        if first:
            ways.append(Way((MOVE.do,), 0, 0, first, budget))
        if acts:
            far = whole.cells & ~first
            if far:
                ways.append(Way((MOVE.do, DASH.do), 1, 0, far, budget))
    elif moved and acts and context.budget > 0:
        found = context.ways(context.place, context.budget, shun)
        if found.cells:
            ways.append(Way((DASH.do,), 1, 0, found.cells, context.budget))
    end, after = Action(context.being.id, END.do), bool(ways) and not moved
    return Outlook(1 if acts else 0, acts, tuple(ways), end, ground=context.ground, after=after)


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
    ways = context.ways(context.figure.cell, 2 * budget, _shunned(context))
    whole = ways.route(cell)
    near = ways.within(budget)
    split = max((i for i, there in enumerate(whole, 1) if near >> there & 1), default=0)
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
        dexterity = state.figures[blow.attacker].dex_now
        hit, mean, drop = _added(state, blow, pool, dexterity)
        if mean + load_weights("cairn").cairn.floor.felled * drop > _value(swings[0]):
            falls = float(1 - save_chance(dexterity))
            cost = falls * fall.near(state.figures[blow.target].cell)
            swings.append(Swing(DARING_BLOW.do, name, 1, hit, mean, drop, cost=cost, falls=falls))
    return swings


def _added(
    state: CairnState, blow: attack.PreparedAttack, pool: attack.Pool, daring: int | None = None
) -> tuple[float, float, float]:
    """(chance to hit, mean harm, chance to fell) that a blow adds to all that its side has planned against the target:
    of pooled dice one alone counts. `daring`: what its manoeuvre is saved with."""
    if daring is None and not (pool.sure or pool.risky or pool.prone):
        swing = swing_of(state, blow)
        return swing.hit, swing.mean, swing.drop
    falls = blow if daring is None else blow.modified(DARED)  # an impaired blow throws other dice once it is enhanced
    key = (_mark(state, falls), daring, _pool_number(state, blow.target, pool))
    found = _known.get(key)
    if found is not None:
        return found
    _, before, without = pooled(state, blow.target, pool)
    chance = None if daring is None else save_chance(daring)
    hit, mean, drop = pooled(state, blow.target, attack.with_attack(pool, blow, chance))
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


def warded_off(state: CairnState, target: CreatureIx, pool: attack.Pool) -> float:
    """Mean harm of all that is planned against a target that its Hit Protection would take."""
    hp = state.figures[target].hp
    key = _pool_key(state, target, pool), hp
    found = _warded.get(key)
    if found is None:
        _, damages = attack.pool_chances(state, target, pool)
        found = _keep(_warded, key, float(sum(min(hp, value) * part for value, part in damages.items())))
    return found


_warded: dict[object, float] = {}


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
        w = load_weights("cairn").cairn.floor
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
            up, down = best_swing(state, foe, who), _lasting_best(lying, foe, who)
            if up is not None and down is not None:
                reach = max((far for _, far in attack.reach_of(state.setup, foe, other)), default=1)
                limit = reach + Context(state, foe).budget
                found.append((other.cell, beings[foe].space, limit, up.drop, down.drop))
        return found


def pool_of(state: CairnState, target: CreatureIx, but: CreatureIx) -> attack.Pool:
    """What has been planned against a target so far, by everybody but `but`: the same object for the same plans."""
    if not state.declared:
        return attack.NOBODY
    name, plans = state.setup.beings[target].id, []
    for ally in state.declared:
        plan = state.plans[ally] if ally != but else None
        if plan is not None and plan.action is not None and plan.action.target == name:
            plans.append((ally, plan.action.do, plan.action.weapon, plan.action.option, plan.path, plan.action_first))
    if not plans:
        return attack.NOBODY
    key, known = (target, *plans), world_of(state).pools
    found = known.get(key)
    if found is None:
        found = known[key] = planned(state, target, but)
    return found


def tumble(state: CairnState, who: CreatureIx) -> Tumble:
    """What it would cost somebody to lie on the floor."""
    known: dict[CreatureIx, Tumble] = world_of(state).falls
    if who not in known:
        known[who] = Tumble(state, who)
    return known[who]


def _mark(state: CairnState, blow: attack.PreparedAttack) -> object:
    """All that matters of a blow for what it comes to."""
    weapon = blow.weapon
    return (blow.dice, weapon.ignores_armor, weapon.direct, blow.immune, weapon.rider is not None,
            state.setup.beings[blow.attacker].mobbing, state.figures[blow.attacker].has(TRUE_SIGHT))  # fmt: skip


def _pool_number(state: CairnState, target: CreatureIx, pool: attack.Pool) -> int:
    """A number for all that matters of what is planned against a target: the same for what is alike."""
    world = kept(state)
    known = None if world is None else world.numbers.get((target, id(pool)))
    if known is None or known[0] is not pool:
        key = _pool_key(state, target, pool)
        number = _numbers.get(key)
        if number is None:
            number = _keep(_numbers, key, next(_next))
        known = pool, number
        if world is not None:
            world.numbers[target, id(pool)] = known
    return known[1]


_numbers: dict[object, int] = {}
_next = count()
"""No number is given twice, however much is forgotten."""


def _pool_key(state: CairnState, target: CreatureIx, pool: attack.Pool) -> object:
    """All that matters of what is planned against a target for what it comes to."""
    return (tuple([_mark(state, blow) for blow in pool.sure]),
            tuple([(_mark(state, blow), chance) for blow, chance in pool.risky]), pool.prone,
            _target_key(state, target))  # fmt: skip


def _target_key(state: CairnState, target: CreatureIx) -> object:
    """All that matters of a target for what blows on it come to."""
    world = kept(state)
    if world is None:
        return _found_key(state, target)
    found = world.targets.get(target)
    if found is None:
        found = world.targets[target] = _found_key(state, target)
    return found


def _found_key(state: CairnState, target: CreatureIx) -> object:
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
    return swing.mean + load_weights("cairn").cairn.floor.felled * swing.drop


LEAST = 0.1
"""Harm of a round of blows that do next to none."""


MOST_KEPT = 1 << 14
"""So much is put by with a fight."""


def best_swing(state: CairnState, by: CreatureIx, target: CreatureIx) -> Swing | None:
    """The best attack in clear sight, from wherever that is made best."""
    known, pair = world_of(state).best, (by, target)
    if pair not in known:
        known[pair] = _lasting_best(state, by, target)
    return known[pair]


def _lasting_best(state: CairnState, by: CreatureIx, target: CreatureIx) -> Swing | None:
    """The same, kept for the fight: but where light or changed ground decides, it is the two alone that matter."""
    setup, figure = state.setup, state.figures[by]
    if setup.darkness or state.zones:
        return _best_swing(state, by, target)
    other = state.figures[target]
    hands = figure.carried, figure.one_armed, figure.lasting
    key = "best", by, target, hands, other.lasting, other.helpless, _target_key(state, target)
    known: tuple[Swing | None] | None = setup.memo.get(key)
    if known is None:
        if len(setup.memo) > MOST_KEPT:
            setup.memo.clear()
        known = setup.memo[key] = (_best_swing(state, by, target),)
    return known[0]


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
    fall = tumble(state, by)
    far = any(limit > SHOOTER for _, limit in attack.reach_of(setup, by, state.figures[by]))
    for target, figure in numbered(state.figures):
        foe = setup.beings[target]
        if foe.side == side or not figure.fighting or figure.has(INVISIBLE) or context.befriended(target):
            continue
        best = best_swing(state, by, target) or Swing(ATTACK.do, None, 1, 0.0, mean=0.0, drop=0.0)
        found.append(Target(foe.id, best, far, _vantages(state, by, target, cells, fall)))
    return tuple(found)


class Stand:
    """Spaces from which one's attacks on a target are alike."""

    def __init__(self, board: Bitboard) -> None:
        self.board = board
        self.swings: dict[int, tuple[attack.Pool, tuple[Swing, ...]]] = {}
        """What they come to beside what others have planned against it (by the pool's identity); the best first."""
        self._blows: list[attack.PreparedAttack] | None = None

    def blows(self, state: CairnState, by: CreatureIx, target: CreatureIx) -> list[attack.PreparedAttack]:
        """The attacks that can be made from there."""
        if self._blows is None:
            way = first_of(self.board), state.figures[target].cell
            made = [attack.prepare(state, by, target, each, way) for each in _arms(state, by)]
            self._blows = [blow for blow in made if blow is not None]
        return self._blows


def _arms(state: CairnState, by: CreatureIx) -> tuple[Weapon, ...]:
    return attack.arms(state.setup, by, state.figures[by])


def _stands(state: CairnState, by: CreatureIx, target: CreatureIx) -> list[Stand]:
    arms = attack.arms(state.setup, by, state.figures[by])
    return [Stand(board) for board in _by_run(state, by, {weapon.run for weapon in arms}, _alike(state, by, target))]


def _vantages(
    state: CairnState, by: CreatureIx, target: CreatureIx, cells: Bitboard, fall: Tumble
) -> tuple[Vantage, ...]:
    """Spaces grouped by the best two plain attacks and the best daring one from them: alike in sight and in the weapons
    that reach; space by space where an attack might take in friends."""
    pool, swept = pool_of(state, target, by), [each for each in _arms(state, by) if each.blast]
    groups: dict[tuple[Swing, ...], Bitboard] = {}
    stands = world_of(state).stands
    if (by, target) not in stands:
        stands[by, target] = _stands(state, by, target)
    for stand in stands[by, target]:
        board = stand.board & cells
        if not board:
            continue
        known = stand.swings.get(id(pool))
        if known is None or known[0] is not pool:
            made = [swing for blow in stand.blows(state, by, target) for swing in _swings(state, blow, pool, fall)]
            swings = tuple(sorted(made, key=lambda swing: -_value(swing)))
            known = stand.swings[id(pool)] = pool, swings if swept else _foremost(swings)
        for part, fit in _sparing(state, by, target, board, known[1], swept=swept) if swept else ((board, known[1]),):
            if fit:
                groups[fit] = groups.get(fit, EMPTY) | part
    return tuple([Vantage(board, swings) for swings, board in groups.items()])


def _foremost(swings: tuple[Swing, ...]) -> tuple[Swing, ...]:
    """Of attacks, the best first, two plain ones and a daring one."""
    plain = [swing for swing in swings if swing.do == ATTACK.do][:2]
    daring = [swing for swing in swings if swing.do == DARING_BLOW.do][:1]
    return tuple([swing for swing in swings if swing in plain or swing in daring])


def _sparing(
    state: CairnState, by: CreatureIx, target: CreatureIx, board: Bitboard, swings: tuple[Swing, ...], *,
    swept: list[Weapon],
) -> Iterator[tuple[Bitboard, tuple[Swing, ...]]]:  # fmt: skip
    """Space by space, the foremost of the attacks that don't take in friends."""
    goal = state.figures[target].cell
    names = {swing.weapon for swing in swings}
    for part in [1 << cell for cell in cells_of(board)]:
        burning = [
            each.name for each in swept if each.name in names and _burns_friends(state, by, each, first_of(part), goal)
        ]
        yield part, _foremost(tuple([swing for swing in swings if swing.weapon not in burning]))


def _by_run(state: CairnState, by: CreatureIx, runs: set[int], boards: Iterable[Bitboard]) -> Iterator[Bitboard]:
    """Spaces parted by whether they are far enough off for what needs a run."""
    terrain, cell, space = state.terrain, state.figures[by].cell, state.setup.beings[by].space
    for board in boards:
        parts = [board]
        for run in sorted(runs - {0}):
            near = sum(1 << c for c in cells_of(board) if terrain.distance(cell, c, space, space) < run)
            parts = [piece for part in parts for piece in (part & near, part & ~near) if piece]
        yield from parts


def _alike(state: CairnState, by: CreatureIx, target: CreatureIx) -> tuple[Bitboard, ...]:
    """The spaces from which a target is seen, parted by cover and by the ranges of what one wields. Remembered, but
    where the air is thick."""
    setup, terrain = state.setup, state.terrain
    own, other = setup.beings[by].space, setup.beings[target].space
    goal, figure = state.figures[target].cell, state.figures[by]
    limits = {1}
    for weapon in attack.arms(setup, by, figure):
        more = 1 if figure.has(ELASTIC) and weapon.reach else 0
        limits |= {weapon.reach + more, weapon.near, weapon.far}
    if cells_that(state.zones, Does.VEIL):
        near = terrain.touching(terrain.within(goal, 1, other), own)
        close = board_of(c for c in cells_of(near) if sight_between(state, c, goal, own, other) is not Grade.NONE)
        return _parted(terrain, goal, (own, other), limits, close)
    key = ("alike", goal, own, other, *sorted(limits))
    found: tuple[Bitboard, ...] | None = terrain.memo.get(key)
    if found is None:
        found = terrain.memo[key] = _parted(terrain, goal, (own, other), limits, EMPTY)
    return found


def _parted(
    terrain: Terrain, goal: Cell, sizes: tuple[int, int], limits: set[int], close: Bitboard
) -> tuple[Bitboard, ...]:
    """The spaces that see somebody of the second size (`close`: in thick air), by ranges and by cover."""
    own, other = sizes
    clear = some = EMPTY
    for cell in terrain.space(goal, other):
        seen = view(terrain, cell)
        clear |= seen.clear
        some |= seen.minimal
    clear, some = terrain.touching(clear, own), terrain.touching(some, own) | close
    inside, found = EMPTY, []
    for limit in sorted(limits - {0}):
        within = terrain.touching(terrain.within(goal, limit, other), own)
        ring, inside = within & ~inside, within
        found += [board for board in (ring & clear, ring & some & ~clear) if board]
    return tuple(found)


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
    """Who could strike a creature, and where: walls count, creatures in the way don't. Who is likely to fall by what
    its foes mean to do strikes so much the less."""
    at_first = threats_at_first(state, target)
    if not state.declared:
        return at_first
    found = []
    for threat in at_first:
        by = state.setup.index[threat.by]
        pool = pool_of(state, by, target)
        falls = float(pooled(state, by, pool)[2]) if pool.sure or pool.risky else 0.0
        if falls:
            swing, stands = threat.swing, 1.0 - falls
            threat = replace(threat, swing=replace(swing, mean=swing.mean * stands, drop=swing.drop * stands))
        found.append(threat)
    return tuple(found)


def threats_at_first(state: CairnState, target: CreatureIx) -> tuple[Threat, ...]:
    """The same before anybody has planned."""
    known = world_of(state).threats
    if target not in known:
        known[target] = _threats(state, target)
    return known[target]


def _threats(state: CairnState, target: CreatureIx) -> tuple[Threat, ...]:
    setup, strikes = state.setup, world_of(state).strikes
    found = []
    for by, figure in numbered(state.figures):
        if setup.beings[by].side == setup.beings[target].side or not figure.fighting:
            continue
        swing = best_swing(state, by, target)
        if swing is None:
            continue
        if by not in strikes:
            context = Context(state, by)
            limit = max((far for _, far in attack.reach_of(setup, by, figure)), default=1)
            budget = 0 if not figure.able or figure.any_of(HOLDING) else context.budget
            board = struck_from(context.ground, figure.cell, context.being.space, budget, limit)
            strikes[by] = board, figure.able, limit > SHOOTER
        struck, able, far = strikes[by]
        now = struck if able else EMPTY
        found.append(Threat(setup.beings[by].id, close=now, blows=1.0, now=now, later=struck, swing=swing, far=far))
    return tuple(found)
