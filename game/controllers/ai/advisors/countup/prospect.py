"""What a planner asks in bulk: who is there, where one may go, whence one may strike, where one may be struck.

A stretch of some seconds stands for a chance: movement costs nothing, the action one point.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from game.controllers.ai.advisors import planning as plan
from game.controllers.ai.advisors.countup.figures import backs, figures_anew, figures_of, known_of, value_of
from game.controllers.ai.advisors.countup.manoeuvres import (
    arms,
    beat_seconds,
    beside_friends,
    manoeuvres,
    on_guard,
    pressing,
)
from game.controllers.ai.factors import load_weights
from rules.board.bitboard import Grade, board_of, cells_of
from rules.board.grid import Terrain
from rules.board.path import SHOOTER, Reach, reach, struck_from
from rules.board.sight import grade, visible
from rules.contract.actions import CHANCE, Action, Decision
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell, CreatureIx, numbered
from rules.countup.actions.attacks import ATTACK, SHOOT
from rules.countup.actions.context import AHEAD, Context
from rules.countup.actions.movement import allowed, may_strike_fleeing, whole_seconds
from rules.countup.actions.table import ACTION_KINDS
from rules.countup.combat.attack import cycle, speed_of, why_no_shot
from rules.countup.combat.chances import strays
from rules.countup.combat.reach import COMPASS, Arc, in_reach
from rules.countup.conditions import ASLEEP, condition_of, open_ground, why_not
from rules.countup.conditions import TIRED as EXHAUSTED
from rules.countup.gear import Aim, Spell
from rules.countup.manners import FREE, PLAIN, SHOT, Shots, Stance
from rules.countup.spells import TIRED, area_of, healing, volley
from rules.countup.state import SPACE, Being, CountState, Figure, Gait, PreparedAttack

LATEST = 4
"""Seconds by which a blow may come later: what comes later still costs no more."""


def flight(context: Context) -> tuple[plan.Way, plan.Merit] | None:
    """The spaces that one could run to and what running costs; None where nobody is run from, or nothing is free."""
    if not context.engaged() or context.order.path or ACTION_KINDS["flee"].why_not(context) is not None:
        return None
    far = context.ways()
    near = far.within(load_weights("countup").countup.flight.backwards)
    cells = open_ground(context.state, context.who, far.cells & ~near)
    if not cells:
        return None
    merit = plan.Merit(cells, -price(context), "blows at one's back")
    return plan.Way(("flee",), 1, 0, cells, AHEAD, flight=True), merit


def price(context: Context) -> float:
    """What it costs to turn one's back, in the units of `value`: the worse of a free blow, or a foe at one's heels."""
    figures = list(context.state.figures)
    figures[context.who] = msgspec.structs.replace(context.figure, stance=Stance.FLEEING)
    state = msgspec.structs.replace(context.state, figures=tuple(figures))
    after = [i for i in context.figure.contacts if figures[i].present and may_strike_fleeing(state, i, context.who)]
    return sum(max(_free(state, context.who, other), _chased(state, context.who, other)) for other in after)


def _free(state: CountState, who: CreatureIx, other: CreatureIx) -> float:
    """The free blow, after which he pursues nobody for a while."""
    weapon = state.free_weapon(other)
    reaches = in_reach(state, other, who, weapon)
    return _cost(state, PreparedAttack(other, who, weapon, FREE), 1.0) if reaches else 0.0


def _chased(state: CountState, who: CreatureIx, other: CreatureIx) -> float:
    """His blows all the way, if he runs as fast as one does oneself."""
    beings, weapon = state.setup.beings, state.weapon(other)
    if weapon.ranged or beings[other].pace_at(Gait.SPRINT) < beings[who].pace_at(Gait.SPRINT):
        return 0.0
    w = load_weights("countup").countup.flight
    rate = w.chase * beat_seconds() / max(1, speed_of(state, other, weapon, PLAIN, who))
    return _cost(state, PreparedAttack(other, who, weapon), rate)


def _cost(state: CountState, blow: PreparedAttack, rate: float) -> float:
    w, health = load_weights("countup").countup.flight, max(1, state.figures[blow.target].hp)
    _, mean, drop, dazed = figures_anew(state, blow)
    drop += dazed
    lost = w.wounds * min(1.0, rate * mean / health) + w.fall * min(1.0, rate * drop)
    return lost * value_of(state.setup.beings[blow.target])


def temperament(state: CountState, who: CreatureIx) -> str:
    return state.being(who).temperament


def pieces(state: CountState) -> tuple[plan.Piece, ...]:
    """Everybody on the board, in the order of the record."""
    lasting, second, found = known_of(state).lasting, state.second, []
    memo = lasting.pieces
    for i, figure in numbered(state.figures):
        if figure.cell < 0 or figure.fled:
            continue
        ready = figure.able(second) and not figure.prone
        had = memo.get(i)
        if had is None or had[0] is not figure or had[1] != ready:
            had = memo[i] = (figure, ready, _piece(state.setup.beings[i], figure, ready, lasting.values[i]))
        found.append(had[2])
    return tuple(found)


def _piece(being: Being, figure: Figure, ready: bool, value: float) -> plan.Piece:
    order, place, ordered = figure.order, figure.cell, False
    if order is not None and not order.done:  # one that is being given
        ordered = order.action is not None
        place = order.path[-1] if order.path and not figure.dead else place
    return plan.Piece(
        being.id, being.side, place, size=being.space, health=max(0, figure.hp), most=being.hp_max,
        points=0 if ordered else 1, out=figure.dead, dead=figure.dead, ailing=False, ready=ready, value=value,
    )  # fmt: skip


def outlook(state: CountState, who: CreatureIx) -> plan.Outlook:
    """What a creature may still order."""
    context = Context(state, who)
    acts, end = context.action_open() is None, on_guard(context)
    ways, away = _ways(context, acts), flight(context) if acts else None
    merits = (*_bearing(context), *_delays(context, ways), *_ahead_of_friends(context)) if ways else ()
    patience = _patience(context)
    if away is not None:
        ways, merits = (*ways, away[0]), (*merits, away[1])
    return plan.Outlook(
        1 if acts else 0, acts, ways=ways, end=end, merits=merits, patience=patience, dismay=_dismay(context)
    )


def _dismay(context: Context) -> float:
    """How much wounds frighten, by the part of all strength that one's side has left: the helpless have none."""
    w, state, mine, theirs = load_weights("countup").countup.places, context.state, 0.0, 0.0
    values = known_of(state).lasting.values
    for i, figure in numbered(state.figures):
        if figure.present and not figure.helpless:
            being = state.setup.beings[i]
            strength = values[i] * figure.hp / being.hp_max
            if being.side == context.being.side:
                mine += strength
            else:
                theirs += strength
    share = mine / (mine + theirs) if mine + theirs > 0.0 else 1.0
    return min(1.0, max(w.heart, (w.sure - share) / (w.sure - w.unsure)))


def _patience(context: Context) -> float:
    """By the reach of what is in hand and of what the nearest foe has."""
    w, state, mine = load_weights("countup").countup.places, context.state, context.weapon
    foes, here = state.foes(context.who), context.figure.cell
    if mine.ranged or not foes:
        return w.shorter
    other = min(foes, key=lambda i: (context.terrain.distance(here, state.figures[i].cell), i))
    return w.longer if mine.reach > state.weapon(other).reach else w.shorter


def _bearing(context: Context) -> tuple[plan.Merit, ...]:
    """Who has just gone somewhere stays, or goes on, where little speaks for anything else: nobody paces to and fro."""
    w, figure = load_weights("countup").countup.places, context.figure
    if figure.moved < context.state.second - w.fresh or figure.heading < 0:
        return ()
    if figure.due - speed_of(context.state, context.who, context.weapon) > figure.moved:
        return ()  # it has struck since
    field, here = context.terrain.field, 1 << figure.cell
    dx, dy = COMPASS[figure.heading]
    x, y = field.at(figure.cell)
    back = (1 << field.width * field.height) - 1
    if dy:  # rows on the far side of one's own, its own row too on a slant
        above = (1 << (y + (dx != 0 and dy > 0)) * field.width) - 1 if dy > 0 else -1
        below = ~((1 << (y + (dx == 0)) * field.width) - 1) if dy < 0 else -1
        back &= above & below
    if dx:
        columns = _columns(context.terrain)
        back &= columns[x + (dy != 0)] if dx > 0 else ~columns[x + (dy == 0)]
    return (
        plan.Merit(here, w.settled, "has just come here"),
        plan.Merit(back & ~here, w.backtrack, "back the way it came"),
    )


def _delays(context: Context, ways: tuple[plan.Way, ...]) -> Iterator[plan.Merit]:
    """What each second costs that one is still on the way to a blow that is due: it comes so much later."""
    state, terrain, weapon = context.state, context.terrain, context.weapon
    if weapon.ranged:
        return
    strikes = EMPTY
    for foe in state.foes(context.who):
        if state.distance(context.who, foe) - weapon.squares <= AHEAD:
            strikes |= terrain.within(state.figures[foe].cell, weapon.squares, state.setup.beings[foe].space)
    price, free = load_weights("countup").countup.places.second, max(0, context.figure.due - state.second)
    for way in ways:
        stride, cells = max(1, context.being.pace_at(Gait(way.do[0])) // SPACE), way.cells & strikes
        for seconds in range(free, free + LATEST):
            if not cells or stride * seconds >= AHEAD:
                break
            if seconds:
                cells &= ~_around(context).within(stride * seconds)
            if cells:
                yield plan.Merit(cells, -price, "a blow comes later")


def _ahead_of_friends(context: Context) -> Iterator[plan.Merit]:
    """Against coming within foes' reach while more of them than of one's own side are awake, or soon will be."""
    w, state, side = load_weights("countup").countup.places, context.state, context.being.side
    if all(figure.init <= state.second for figure in state.figures):
        return
    soon, beings, ready, near = state.second + w.wakes, state.setup.beings, 0, EMPTY
    for i, figure in numbered(state.figures):
        if figure.present and not figure.helpless and figure.init <= soon:
            friend = beings[i].side == side
            ready += 1 if friend else -1
            if not friend:
                near |= struck_from(state.terrain, figure.cell, beings[i].space, 4, state.weapon(i).far)
    if ready < 0:
        yield plan.Merit(near, w.early * ready, "ahead of its friends")


def _columns(terrain: Terrain) -> list[int]:
    """Bitboards of the columns to the left of each, and of the whole map."""
    known: list[int] | None = terrain.memo.get("columns")
    if known is None:
        width, height = terrain.field.width, terrain.field.height
        known = terrain.memo["columns"] = [
            sum(((1 << left) - 1) << row * width for row in range(height)) for left in range(width + 1)
        ]
    return known


def _ways(context: Context, acts: bool) -> tuple[plan.Way, ...]:
    """A walk within a melee; out of it a jog to what is near, a run to what is far, at what it can."""
    if not acts or context.order.path:
        return ()
    if context.engaged() or context.tired or context.figure.prone:
        backwards = load_weights("countup").countup.flight.backwards
        return _way(context, Gait.WALK, backwards if context.engaged() else AHEAD)
    slow = Gait.JOG if context.being.pace_at(Gait.JOG) else Gait.WALK
    if not allowed(context.figure, Gait.RUN) or not context.being.pace_at(Gait.RUN):
        return _way(context, slow, whole_seconds(context.state, context.who, slow, AHEAD))
    near = _way(context, slow, load_weights("countup").countup.places.stroll)
    strolled = near[0].cells if near else 0
    far = _way(context, Gait.RUN, whole_seconds(context.state, context.who, Gait.RUN, AHEAD), strolled)
    return (*near, *far)


def _way(context: Context, gait: Gait, limit: int, but: int = 0) -> tuple[plan.Way, ...]:
    """The spaces that a gait leads to, without some; empty where there are none."""
    if ACTION_KINDS[gait].why_not(context) is not None:
        return ()
    cells = open_ground(context.state, context.who, _around(context, limit).within(limit) & ~but)
    return (plan.Way((gait.value,), 0, 0, cells, limit),) if cells else ()


def _around(context: Context, limit: int = AHEAD) -> Reach:
    """Where it could go: at least as far as anybody thinks ahead, so that one flood serves all who ask."""
    terrain, start, size = context.terrain, context.figure.cell, context.being.space
    return reach(terrain, start, max(limit, AHEAD), size=size, blocked=_shut(context))


def _shut(context: Context) -> Bitboard:
    """Bitboard of where no way leads: others' spaces and, for who is held at bay, whatever is nearer to the holder."""
    holder = context.figure.held_by
    if holder < 0:
        return context.crowd()
    there, apart = context.state.figures[holder].cell, context.state.distance(context.who, holder)
    return context.crowd() | context.terrain.within(there, apart - 1, context.setup.beings[holder].space)


def route(state: CountState, who: CreatureIx, way: plan.Way, cell: Cell) -> tuple[Action, ...]:
    """The movement of a way that ends on a space."""
    context = Context(state, who)
    limit = way.trace if isinstance(way.trace, int) else AHEAD
    path = _around(context, limit).route(cell)
    return (Action(context.being.id, way.do[0], path=path),) if path else ()


# --------------------------------------------------------------------------------------------- striking


def swing_at(state: CountState, by: CreatureIx, target: CreatureIx, where: Arc | None = None) -> plan.Swing:
    """The plain attack on a target with what is in hand, as if from `where`; the manner is chosen when it is given (see
    `measures`)."""
    known = known_of(state)
    memo, key = known.memo, ("swing", by, target, where)
    found: plan.Swing | None = memo.get(key)
    if found is None:
        weapon = state.weapon(by)
        if weapon.ranged:
            found = _swing_at(state, by, target, where)
        else:
            blow = ("swing", weapon.name)
            found = known.lastingly(by, target, where, blow, lambda: _swing_at(state, by, target, where))
        memo[key] = found
    return found


def _swing_at(state: CountState, by: CreatureIx, target: CreatureIx, where: Arc | None) -> plan.Swing:
    w, weapon = load_weights("countup").countup.places, state.weapon(by)
    far = weapon.ranged
    attack = PreparedAttack(by, target, weapon, SHOT if far else PLAIN)
    hit, mean, drop, dazed = figures_of(state, attack, where=where)
    rate = beat_seconds() / max(1, sum(cycle(weapon, False)) if far else speed_of(state, by, weapon, PLAIN, target))
    beings, fallout = state.setup.beings, []
    for who, more, fells in strays(state, attack) if far else ():
        friend = beings[who].side == beings[by].side
        weight = rate * (w.care if friend and state.second < w.long else 1.0)
        fallout.append((beings[who].id, weight * more, min(1.0, weight * fells)))
    do, option = (SHOOT.do, Shots.ONCE.value) if far else (ATTACK.do, None)
    drop = min(1.0, drop * rate)
    return plan.Swing(
        do, weapon.name, 1, hit, mean=mean * rate, drop=drop, side_effect=min(1.0 - drop, dazed * rate),
        fallout=tuple(fallout), option=option,
    )  # fmt: skip


def targets(state: CountState, by: CreatureIx, cells: Bitboard) -> tuple[plan.Target, ...]:
    """Whom a creature could attack at all, and from which of `cells` how."""
    setup, terrain, weapon = state.setup, state.terrain, state.weapon(by)
    kind, here = SHOOT if weapon.ranged else ATTACK, 1 << state.figures[by].cell
    if kind.why_not(Context(state, by)) is not None or why_not(state, by, kind.doing) is not None:
        cells = EMPTY  # tired by a spell, held at bay, in a panic: no way leads to a blow
    found = []
    for target in state.foes(by):
        there, (own, across) = state.figures[target].cell, setup.sizes(by, target)
        ring = cells & terrain.touching(terrain.within(there, weapon.far, across), own)
        ring &= ~terrain.touching(terrain.footprint(there, across), own)
        if weapon.ranged:
            stays = not _crowded(state, by) and not beside_friends(state, by, target)
            stays = stays and why_no_shot(state, by, target, weapon) is None
            ring = ring & here if stays else EMPTY
        elif ring:
            ring = _in_line(terrain, ring, there, (own, across))
            if ring & here and not in_reach(state, by, target, weapon):
                ring &= ~here  # somebody stands between
        back = EMPTY if weapon.ranged else backs(state, by, target, ring)
        swing = swing_at(state, by, target, None if weapon.ranged else Arc.FRONT)
        vantages = (plan.Vantage(ring & ~back, (swing,)),) if ring & ~back else ()
        if back:
            swing = swing_at(state, by, target, Arc.REAR)
            vantages = (plan.Vantage(back, (swing,)), *vantages)
        found.append(plan.Target(setup.beings[target].id, swing, weapon.ranged, vantages))
    return tuple(found)


def _in_line(terrain: Terrain, cells: Bitboard, there: Cell, sizes: tuple[int, int]) -> Bitboard:
    """Those of some spaces from which there is a line to somebody. Remembered."""
    key = ("in line", there, sizes)
    known: tuple[Bitboard, Bitboard] = terrain.memo.get(key, (EMPTY, EMPTY))
    asked, clear = known
    if new := cells & ~asked:
        own, across = sizes
        lines = (cell for cell in cells_of(new) if grade(terrain, cell, there, own, across) is not Grade.NONE)
        clear |= board_of(lines)
        terrain.memo[key] = (asked | new, clear)
    return cells & clear


def _crowded(state: CountState, by: CreatureIx) -> bool:
    """Whether a foe stands beside a shooter who has a blade to meet it with."""
    weapons = state.setup.armoury.weapons
    if all(weapons[name].ranged for name in state.being(by).weapons):
        return False
    return any(not state.figures[foe].helpless and state.distance(by, foe) <= 1 for foe in state.foes(by))


def reaches(state: CountState, who: CreatureIx, start: Cell) -> Bitboard:
    """Bitboard of cells that a creature standing at `start` can strike with what it holds."""
    terrain, space, far = state.terrain, state.being(who).space, state.weapon(who).far
    return terrain.within(start, far, space) & ~terrain.footprint(start, space) & visible(terrain, start, space)


def spots(state: CountState, who: CreatureIx) -> dict[Cell, int]:
    """Cells where a creature could end a way at a jog within a beat."""
    figure = state.figures[who]
    if not figure.present:
        return {}
    context = Context(state, who)
    cells = cells_of(context.ways().cells) if figure.able(state.second) else []
    return {figure.cell: 0, **dict.fromkeys(cells, 0)}


# ----------------------------------------------------------------------------------------------- menace


def threats(state: CountState, target: CreatureIx) -> tuple[plan.Threat, ...]:
    """Who could strike a creature within a beat, and where; the less likely, the more others he may strike as well."""
    memo, key = known_of(state).memo, ("threats", target)
    found: tuple[plan.Threat, ...] | None = memo.get(key)
    if found is None:
        found = memo[key] = tuple(_threats(state, target))
    return found


def _threats(state: CountState, target: CreatureIx) -> Iterator[plan.Threat]:
    beings, once = state.setup.beings, load_weights("countup").countup.places.chosen
    friends = [
        i for i, figure in numbered(state.figures)
        if i != target and beings[i].side == beings[target].side and figure.present and not figure.helpless
    ]  # fmt: skip
    for by in state.foes(target):
        being, figure, limit = state.being(by), state.figures[by], state.weapon(by).far
        still = figure.helpless > state.second or figure.prone
        board = struck_from(state.terrain, figure.cell, being.space, 0 if still else 4, limit)
        ready = figure.able(state.second) and figure.due <= state.second + beat_seconds()
        now, swing = board if ready else EMPTY, swing_at(state, by, target)
        others = sum(1 for i in friends if board >> state.figures[i].cell & 1)
        part = once / (1 + others) if friends else 1.0
        swing = msgspec.structs.replace(
            swing, mean=part * swing.mean, drop=min(1.0, part * swing.drop), side_effect=part * swing.side_effect
        )
        yield plan.Threat(being.id, close=now, blows=1.0, now=now, later=board, swing=swing, far=limit > SHOOTER)


# --------------------------------------------------------------------------------------------- measures


def measures(state: CountState, decision: Decision) -> Iterator[plan.Measure]:
    """What else is worth a thought: legal orders with their purpose, in stable order."""
    who = state.setup.index.get(decision.by)
    if who is None or decision.kind != CHANCE:
        return
    context = Context(state, who)
    for action in ACTION_KINDS["stand"].instances(context):
        yield plan.Rise(action, 0)
    for action in ACTION_KINDS["knock_aside"].instances(context):
        yield plan.Rise(action, 1, load_weights("countup").countup.places.freed)
    for do in ("open", "pick_lock", "force"):
        for action in ACTION_KINDS[do].instances(context):
            odds = ACTION_KINDS[do].odds(context, action)
            if odds is None or odds.hit > 0.0:  # a door that is only closed takes no dice
                yield plan.Pass(action, 1, 1.0 if odds is None else odds.hit)
    if context.setup.fixtures:
        for action in ACTION_KINDS["unlock"].instances(context):
            yield plan.Pass(action, 1)
    yield from _ways_over(context)
    yield from manoeuvres(context)
    yield from pressing(context)
    yield from arms(context)
    for action in ACTION_KINDS["cast"].instances(context):
        yield from _spell(state, context, action)


def _ways_over(context: Context) -> Iterator[plan.Measure]:
    """Faces, stairs and ladders climbed; hurdles crossed."""
    climb = ACTION_KINDS["climb"]
    for action in climb.instances(context) if climb.why_not(context) is None else ():
        odds = climb.odds(context, action)
        chance, cell = 1.0 if odds is None else odds.hit, NOWHERE if action.at is None else action.at
        yield plan.Pass(action, 1, chance, cell=cell)
    if context.setup.hurdles:
        yield from plan.over_hurdles(ACTION_KINDS, context, context.place, falls=False)


def _spell(state: CountState, context: Context, action: Action) -> Iterator[plan.Measure]:
    """A spell, where any good is to be expected of it."""
    w, spell = load_weights("countup").countup.places, state.setup.armoury.spells[action.item or ""]
    own = spell.aim is Aim.NONE and not spell.wide
    target = context.who if own else context.find(action.target)
    goal = action.at if action.at is not None else context.place if target is None else state.figures[target].cell
    cells = area_of(state.terrain, spell, context.place, goal)
    value, blows, fails = 0.0, [], 1.0 - w.saves if spell.save else 1.0
    mean = spell.harm.mean * (spell.lasts if spell.each_second else volley(context.being, spell))
    for i, figure in numbered(state.figures):
        being = state.setup.beings[i]
        if not figure.present or (i != target and not (spell.wide and i != context.who and cells >> figure.cell & 1)):
            continue
        friend = being.side == context.being.side
        if mean and friend:
            value -= fails * mean / w.whole
        elif mean:
            blows.append((being.id, fails * mean, fails * min(1.0, mean / max(1, figure.hp)) ** 3, 0.0))
        if spell.heals and friend:
            value += _mends(state, spell, i)
        if spell.effect:
            value += _effect(being, figure, spell.effect, friend, fails)
    if value > 0.0 or blows:
        # while one speaks, and until the fatigue is over, one strikes nobody, and has the worse defence of the tired
        idle = (2 * spell.casting + TIRED) / beat_seconds()
        met = context.engaged()
        price = w.spell * (1.0 + idle * (w.struck if met else 0.0))
        cover = EXHAUSTED.defence * min(1.0, idle) if met else 0.0
        yield plan.Magic(action, 1, blows=tuple(blows), value=value - price, cover=cover)


def _mends(state: CountState, spell: Spell, who: CreatureIx) -> float:
    """What a cure is worth to somebody, if he lives to see the end of it."""
    being, figure = state.being(who), state.figures[who]
    given = min(healing(being, spell).mean, being.hp_max - figure.hp) / being.hp_max
    mended, ailing = load_weights("countup").countup.places.mended, 2.0 - figure.hp / being.hp_max
    lives = 1.0  # the chance that nobody fells one who stands in a melee meanwhile
    for other in figure.contacts:
        foe, weapon = state.figures[other], state.weapon(other)
        if foe.able(state.second) and not weapon.ranged and foe.due <= state.second + spell.casting:
            lives *= 1.0 - figures_of(state, PreparedAttack(other, who, weapon))[2]
    return mended * value_of(being) * given * ailing * lives


def _effect(being: Being, figure: Figure, effect: str, friend: bool, fails: float) -> float:
    if figure.under(effect) or figure.helpless:
        return 0.0
    w = load_weights("countup").countup.places
    if condition_of(effect).helps:
        return w.helped * value_of(being) if friend else -w.helped
    hindered = w.asleep if effect == ASLEEP.name else w.hindered
    return (-1.0 if friend else hindered) * fails * value_of(being)
