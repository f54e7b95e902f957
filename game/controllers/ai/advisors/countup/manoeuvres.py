"""What a planner weighs of manoeuvres: charges, weapons set, points that hold, guards, faces (countup.md §2.6)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from game.controllers.ai import routes
from game.controllers.ai.advisors.countup.figures import backs, figures_of, known_of, value_of
from game.controllers.ai.advisors.planning import NOTHING, Arm, Beside, Defend, Magic, Measure, Promise
from game.controllers.ai.factors import load_weights
from rules.board.bitboard import board_of
from rules.board.grid import Terrain
from rules.contract.actions import CHOOSE, Action
from rules.contract.units import INSTANT, SECOND, Bitboard, Cell, CreatureIx, Eighths, Seconds, numbered
from rules.countup import manners
from rules.countup.actions.answers import AT_THE_FLEEING, can_step_back
from rules.countup.actions.attacks import ATTACK, READY
from rules.countup.actions.context import AHEAD, Context
from rules.countup.actions.movement import CHARGE_RUN
from rules.countup.actions.objects import drawn_in
from rules.countup.actions.table import ACTION_KINDS
from rules.countup.combat.attack import GROUND, cycle, leaves_in, speed_of, why_no_shot
from rules.countup.combat.reach import ARCS, Arc, ahead, direction, in_reach
from rules.countup.gear import Weapon
from rules.countup.state import SPACE, CountState, Gait, PreparedAttack


def beat_seconds() -> Seconds:
    """Seconds that a chance stands for: figures of attacks are counted over so many."""
    return load_weights("countup").countup.manoeuvres.beat


BACK = 6
"""Defense that one who is struck from behind regains by turning."""
WEIGHED = (manners.JAB.word, manners.AGGRESSIVE.word, manners.DEFENSIVE[1].word, manners.DEFENSIVE[3].word)
"""Manners of a plain attack that are weighed: what lies between is worth what lies between."""
BOLD = 2
"""What an aggressive attack takes from the defence."""
PARRY = 5


def harm(state: CountState, blow: PreparedAttack, where: Arc | None = None) -> tuple[float, float]:
    """(mean hit points, chance to drop or the like) of one manner of fighting over a beat."""
    _, mean, drop, dazed = figures_of(state, blow, where=where)
    drop += dazed
    rate = beat_seconds() / max(1, speed_of(state, blow.by, blow.weapon, blow.manner, blow.target))
    return min(mean * rate, float(state.figures[blow.target].hp)), min(1.0, drop * rate)


def manoeuvres(context: Context) -> Iterator[Measure]:
    """Everything that may be done in another manner than plainly, in stable order."""
    for weighed in (_manners, _charges, _rushes, _holds, _sets, _parries, _turns):
        yield from weighed(context)


def _measure(action: Action, figures: tuple[float, float], *, cover: float = 0, value: float = 0.0) -> Measure:
    return Magic(action, 1, blows=((action.target or "", *figures, 0.0),), cover=cover, value=value)


def _manners(context: Context) -> Iterator[Measure]:
    """Jabs and aggressive blows that do more than plain ones; defensive ones, for what they do and what they save."""
    state, who, w = context.state, context.who, load_weights("countup").countup.manoeuvres
    known: dict[int, tuple[float, float]] = {}
    guards: dict[int, float] = {}
    places: dict[int, Arc | None] = {}
    incoming: list[Incoming] | None = None
    for target, action in _attacks(context, WEIGHED):
        manner = manners.MANNERS[action.option or ""]
        weapon = _weapon(context, action)
        if incoming is None:
            incoming = _incoming(context, target)
        if target not in known:
            places[target] = _where(context, target)
            known[target] = harm(state, PreparedAttack(who, target, weapon), places[target])
        blow, plain = PreparedAttack(who, target, weapon, manner), known[target]
        mine = _boldly(state, blow, places[target], plain) if manner.exposes else harm(state, blow, places[target])
        rank = manner.stance.rank
        if rank:
            if rank not in guards:
                guards[rank] = _guard(context, incoming, [rank] * len(incoming))
            yield _measure(action, mine, cover=guards[rank])
        elif mine[0] + w.felled * mine[1] > (w.bold if manner.exposes else w.better) * (plain[0] + w.felled * plain[1]):
            yield _measure(action, mine, cover=-_opening(context, incoming) if manner.exposes else 0.0)


def _boldly(
    state: CountState, blow: PreparedAttack, where: Arc | None, plain: tuple[float, float]
) -> tuple[float, float]:
    """The same of an aggressive blow: who gives ground to it is hurt half as much (countup.md §2.6), and would have
    given ground to a plain blow as well, to which alone all others are held."""
    if state.figures[blow.target].exposed or not gives_ground(state, blow.target, blow.by):
        return harm(state, blow, where)
    bold = harm(state, replace(blow, yielded=True), where)
    other = harm(state, replace(blow, manner=manners.PLAIN, yielded=True), where)
    return plain[0] + bold[0] - other[0], plain[1] + bold[1] - other[1]


def _opening(context: Context, incoming: list[Incoming]) -> float:
    """What an aggressive blow opens to others: the defence that it costs, and that one gives no ground until the
    next, whatever the last one opened."""
    state, who = context.state, context.who
    return _guard(context, incoming, [BOLD + GROUND * gives_ground(state, who, each.blow.by) for each in incoming])


def gives_ground(state: CountState, who: CreatureIx, by: CreatureIx) -> bool:
    """Whether somebody may be expected to give ground to a foe's blows who isn't open from an aggressive one of its
    own, if there is room behind (countup.md §2.6)."""
    return state.figures[who].policy != "stand" and can_step_back(state, who, by)


def _attacks(context: Context, options: Collection[str]) -> Iterator[tuple[CreatureIx, Action]]:
    """The attacks that may be ordered in some manners, at those who will be within reach."""
    kind = ATTACK
    if kind.why_not(context) is not None:
        return
    wanted = [manner for manner in kind.manners if manner in options]
    for foe in context.state.foes(context.who):
        for action in kind.lawful_at(context, foe, wanted) if _within(context, context.place, foe) else ():
            yield foe, action


def _where(context: Context, target: CreatureIx) -> Arc | None:
    """Where one will stand to a foe after the way that is ordered; None where none is."""
    if not context.order.path:
        return None
    return Arc.REAR if backs(context.state, context.who, target, 1 << context.place) else Arc.FRONT


def _weapon(context: Context, action: Action) -> Weapon:
    """What an order is carried out with."""
    return context.setup.weapon(context.who, action.weapon) if action.weapon else context.weapon


class Incoming(NamedTuple):
    """The blow of a foe that reaches one: what it does on average, and among how many he may choose, oneself too."""

    blow: PreparedAttack
    mean: float
    choice: int


def _incoming(context: Context, foe: CreatureIx | None = None) -> list[Incoming]:
    """The blows of all who reach one, else of him whom one is going to meet."""
    strikers = _strikers(context)
    if not strikers:
        return [] if foe is None else _blows_of(context, [foe])
    memo, key = known_of(context.state).memo, ("incoming", context.who)
    found: list[Incoming] | None = memo.get(key)
    if found is None:
        found = memo[key] = _blows_of(context, strikers)
    return found


def _blows_of(context: Context, foes: Iterable[CreatureIx]) -> list[Incoming]:
    """The blows of some foes."""
    state, beings, found = context.state, context.setup.beings, []
    mates = [i for i in context.others() if beings[i].side == context.being.side and not state.figures[i].helpless]
    for other in foes:
        blow = PreparedAttack(other, context.who, state.weapon(other))
        choice = 1 + sum(1 for friend in mates if in_reach(state, other, friend, blow.weapon))
        found.append(Incoming(blow, figures_of(state, blow)[1], choice))
    return found


def _guard(context: Context, incoming: list[Incoming], points: Sequence[int]) -> float:
    """The part of all harm done to one that so many points of defence, against each blow, keep off, in the planner's
    points of Defense.

    Whoever reaches friends as well strikes any of them as likely.
    """
    before = sum(each.mean for each in incoming)
    if before <= 0.0:
        return 0.0
    left = (figures_of(context.state, t.blow, more)[1] for t, more in zip(incoming, points, strict=True))
    kept = sum((t.mean - mean) / t.choice for t, mean in zip(incoming, left, strict=True))
    return kept / max(before, _menace(context)) / load_weights("countup").judge.part


def _menace(context: Context) -> float:
    """The mean harm of all who could come to strike one within a beat: all danger is theirs."""
    state, memo, key = context.state, known_of(context.state).memo, ("menace", context.who)
    total: float | None = memo.get(key)
    if total is None:
        total = 0.0
        for foe in state.foes(context.who):
            weapon = state.weapon(foe)
            if state.figures[foe].able(state.second) and _spaces(context, foe) <= STRIDE + weapon.squares:
                total += 0.0 if weapon.ranged else figures_of(state, PreparedAttack(foe, context.who, weapon)).mean
        memo[key] = total
    return total


STRIDE = 4
"""Spaces that a foe may come within a beat and strike."""


# ----------------------------------------------------------------------------------------------- charges


def _charges(context: Context) -> Iterator[Measure]:
    """Momentum in hand, or a run ordered, and a foe at its end: the charge is better than the plain blow."""
    runs = context.order.path and context.order.gait.fast
    if not runs and context.figure.stance is not manners.Stance.CHARGING:
        return
    if not _due_there(context, context.order.path):
        return
    for target, action in _attacks(context, (manners.CHARGE.word,)):
        driven, cover = load_weights("countup").countup.manoeuvres.driven, -max(0, context.being.dexterity_bonus)
        yield _measure(action, _charge(context, target), cover=cover, value=driven)


def _rushes(context: Context) -> Iterator[Measure]:
    """A run of 20 ft or more straight at a foe: the way first, the charge with it."""
    if context.order.path or context.order.action or context.engaged() or not context.being.pace_at(Gait.RUN):
        return
    if context.weapon.ranged or context.being.sequence:
        return
    driven, run = load_weights("countup").countup.manoeuvres.driven, "run"
    cover = -max(0, context.being.dexterity_bonus)
    for target in context.state.foes(context.who):
        if context.state.figures[target].stance is manners.Stance.SET:
            continue
        path = _straight(context, target)
        if not path or not _due_there(context, path):
            continue
        action = Action(context.being.id, run, path=path)
        if ACTION_KINDS[run].refusal(context, action) is None:
            blow = (context.setup.beings[target].id, *_charge(context, target), 0.0)
            yield Magic(action, 1, cell=path[-1], blows=(blow,), cover=cover, value=driven)


def _due_there(context: Context, path: Sequence[Cell]) -> bool:
    """Whether a blow is due by the time a run is over: who has to wait for it strikes plainly in the end."""
    stride = max(1, context.being.pace_at(Gait.RUN) // SPACE)
    return context.figure.due <= context.state.second + -(-len(path) // stride)


def _charge(context: Context, target: CreatureIx) -> tuple[float, float]:
    """A charge and the plain blows after it, over a beat."""
    state, who, weapon = context.state, context.who, context.weapon
    rate = beat_seconds() / max(1, speed_of(state, who, weapon, manners.PLAIN, target))
    _, first, *felled = figures_of(state, PreparedAttack(who, target, weapon, manners.CHARGE))
    _, after, *falls = figures_of(state, PreparedAttack(who, target, weapon))
    return first + after * (rate - 1), min(1.0, sum(felled) + sum(falls) * (rate - 1))


def _within(context: Context, cell: Cell, target: CreatureIx) -> bool:
    weapon, there = context.weapon, context.state.figures[target].cell
    distance = context.terrain.distance(cell, there, *context.setup.sizes(context.who, target))
    return not weapon.ranged and 1 <= distance <= weapon.squares


def _straight(context: Context, target: CreatureIx) -> tuple[Cell, ...]:
    """The way straight on, in any of eight directions, that ends where a foe comes into reach; empty if too short."""
    state, weapon, here = context.state, context.weapon, context.figure.cell
    if weapon.ranged or state.distance(context.who, target) - weapon.squares > AHEAD:
        return ()  # no step brings it nearer than by one
    ring = _ring(context.terrain, state.figures[target].cell, weapon.squares, context.setup.sizes(context.who, target))
    for path, board in _lines(context.terrain, here):
        if board & ring:
            gone = next(n for n, cell in enumerate(path, 1) if ring >> cell & 1)
            if gone >= CHARGE_RUN // SPACE:
                return path[:gone]
    return ()


def _ring(terrain: Terrain, there: Cell, squares: int, sizes: tuple[int, int]) -> Bitboard:
    """The spaces on which one stands within so many of somebody, and not on it. Remembered. `sizes`: one's own, then
    its."""
    own, across = sizes
    key = ("ring", there, squares, sizes)
    found: Bitboard | None = terrain.memo.get(key)
    if found is None:
        near = terrain.touching(terrain.within(there, squares, across), own)
        found = terrain.memo[key] = near & ~terrain.touching(terrain.footprint(there, across), own)
    return found


def _lines(terrain: Terrain, cell: Cell) -> tuple[tuple[tuple[Cell, ...], Bitboard], ...]:
    """The spaces straight on in each of eight directions, as far as a run goes. Remembered."""
    key = ("straight", cell)
    found: tuple[tuple[tuple[Cell, ...], Bitboard], ...] | None = terrain.memo.get(key)
    if found is None:
        paths = [tuple(ahead(terrain.field, cell, facing, AHEAD)) for facing in range(8)]
        found = terrain.memo[key] = tuple((path, board_of(path)) for path in paths)
    return found


# ------------------------------------------------------------------------------------ points and guards


def _holds(context: Context) -> Iterator[Measure]:
    """A foe that has come to the point, but not past it: a jab holds him there."""
    state = context.state
    if not context.weapon.jab or any(figure.held_by == context.who for figure in state.figures):
        return
    for action in ACTION_KINDS["hold_at_bay"].instances(context):
        target = context.find(action.target)
        if action.option != manners.JAB.word or target is None or not _within(context, context.place, target):
            continue
        # a foe that could not strike anyway is better struck than held
        if state.figures[target].held_by < 0 and state.figures[target].able(state.second):
            blow = PreparedAttack(context.who, target, _weapon(context, action), manners.JAB_TO_HOLD)
            hit = figures_of(state, blow)[0]
            value = load_weights("countup").countup.manoeuvres.held * hit * value_of(context.setup.beings[target])
            yield _measure(action, harm(state, blow), value=value)


def _sets(context: Context) -> Iterator[Measure]:
    """A weapon set where somebody comes running who is still three seconds off."""
    w = load_weights("countup").countup.manoeuvres
    state, weapon = context.state, context.weapon
    if not weapon.settable or context.engaged() or context.figure.stance is manners.Stance.SET:
        return
    for target in context.others():
        if not _comes(context, target, weapon):
            continue
        _, mean, drop, _ = figures_of(state, PreparedAttack(context.who, target, weapon, manners.SET))
        foe = context.setup.beings[target]
        share = min(1.0, mean / max(1, state.figures[target].hp))
        value = w.charges * value_of(foe) * (share + drop + w.held)
        for action in ACTION_KINDS["set"].instances(context):
            yield Magic(action, 1, value=value)
        return


def _comes(context: Context, other: CreatureIx, weapon: Weapon) -> bool:
    """Whether a foe comes running straight at one and will not be there before the weapon is set."""
    foe, being = context.state.figures[other], context.setup.beings[other]
    if being.side == context.being.side or not foe.gait.rushes or foe.moved < context.state.second - 1:
        return False
    sizes = context.setup.sizes(other, context.who)
    towards = direction(context.terrain.field, foe.cell, context.figure.cell, sizes)
    apart = context.state.distance(other, context.who)
    needed = READY * being.pace_at(Gait.RUN) // SPACE + weapon.squares
    return foe.heading == towards and apart >= needed


def _strikers(context: Context) -> list[CreatureIx]:
    """Foes that reach one and could strike."""
    state, memo, key = context.state, known_of(context.state).memo, ("strikers", context.who)
    found: list[CreatureIx] | None = memo.get(key)
    if found is None:
        able = [foe for foe in state.foes(context.who) if state.figures[foe].able(state.second)]
        found = memo[key] = [foe for foe in able if in_reach(state, foe, context.who, state.weapon(foe))]
    return found


def _parries(context: Context) -> Iterator[Measure]:
    """A parry in the place of the blow that is due, where somebody could strike; also in a withdrawal."""
    for action in ACTION_KINDS["full_parry"].instances(context):
        if _strikers(context):
            incoming = _incoming(context)
            yield Defend(action, 1, anywhere=True, value=_guard(context, incoming, [PARRY] * len(incoming)))


def _turns(context: Context) -> Iterator[Measure]:
    """Round to a foe in one's back, unless that gives the back to another."""
    if context.order.path or context.figure.prone:
        return
    field, here, facing = context.terrain.field, context.figure.cell, context.facing
    foes = [
        direction(field, here, context.state.figures[foe].cell, context.setup.sizes(context.who, foe))
        for foe in _strikers(context)
    ]
    if all(ARCS[(foe - facing) % 8] is not Arc.REAR for foe in foes):
        return
    arcs = [[ARCS[(foe - way) % 8] for foe in foes] for way in range(8)]
    # by facing, how many foes one has in one's back, how many not in front
    backs = [(each.count(Arc.REAR), len(foes) - each.count(Arc.FRONT)) for each in arcs]
    best = min(range(8), key=lambda way: (*backs[way], min(way - facing & 7, facing - way & 7), way))
    if backs[best][0] < backs[facing][0]:
        for action in ACTION_KINDS["turn"].instances(context):
            if action.option == str(best):
                yield Defend(action, 0, value=BACK)


# ----------------------------------------------------------------------------------------------- waiting


def on_guard(context: Context) -> Action:
    """To do nothing else: to wait for the foe who will be there soonest, and strike on contact; else a second's rest,
    or as many as nobody can come in."""
    end = Action(context.being.id, "end")
    soon = context.state.second + load_weights("countup").countup.manoeuvres.soon
    if context.begun() or _strikers(context):
        return end
    if context.weapon.ranged or context.figure.due > soon or context.engaged():
        return _rest(context, end)
    coming = (foe for foe in context.state.foes(context.who) if _comes_soon(context, foe))
    foes = [(_spaces(context, foe), foe) for foe in coming if _comes_here(context, foe)]
    if not foes:
        return _rest(context, end)
    foe = context.setup.beings[min(foes)[1]].id
    for do, option in (("hold_at_bay", manners.JAB.word), ("attack", None)):
        wait = Action(context.being.id, do, target=foe, weapon=context.weapon.name, option=option)
        if ACTION_KINDS[do].refusal(context, wait) is None:
            return wait
    return end


def _rest(context: Context, end: Action) -> Action:
    """A wait for as many seconds as nobody can come within reach."""
    state, mine = context.state, 0 if context.weapon.ranged else context.weapon.squares
    longest = load_weights("countup").countup.manoeuvres.rest
    for foe in state.foes(context.who):
        theirs = state.weapon(foe)
        gap = _spaces(context, foe) - max(mine, 0 if theirs.ranged else theirs.squares)
        longest = min(longest, _free_of(context, foe, gap))
    if longest <= SECOND:
        return end
    wait = Action(context.being.id, "hold", option=str(longest))
    return wait if ACTION_KINDS["hold"].refusal(context, wait) is None else end


BUSY = Seconds(2)
"""Seconds for which who fights somebody else comes to nobody besides."""


def _free_of(context: Context, foe: CreatureIx, gap: int) -> Seconds:
    """Seconds in which a foe can't have come so many spaces: who fights somebody walks, who stands begins at a jog."""
    being, figure = context.setup.beings[foe], context.state.figures[foe]
    if figure.contacts:
        return max(BUSY, Seconds(gap * SPACE // max(1, being.pace_at(Gait.WALK))))
    first = being.pace_at(Gait.JOG) if figure.gait is Gait.NONE else being.pace_at(Gait.SPRINT) or being.quickest
    return Seconds(max(0, gap * SPACE + being.quickest - first) // max(1, being.pace_at(Gait.SPRINT), being.quickest))


def _spaces(context: Context, other: CreatureIx) -> int:
    return context.state.distance(context.who, other)


def _comes_soon(context: Context, other: CreatureIx) -> bool:
    """Whether a foe is on its way, free to come, and may be there before one would think again."""
    being, figure, second = context.setup.beings[other], context.state.figures[other], context.state.second
    if figure.contacts or figure.moved < second - 1 or figure.held_by >= 0 or not figure.able(second):
        return False
    weapon = context.state.weapon(other)
    gap = _spaces(context, other) - max(weapon.squares, context.weapon.squares)
    return not weapon.ranged and 0 <= gap * SPACE <= load_weights("countup").countup.manoeuvres.soon * being.quickest


def _comes_here(context: Context, other: CreatureIx) -> bool:
    """Whether a foe is bound for one itself, for nobody who is nearer, and will be there at once: who waits for it is
    asked again only after ten seconds."""
    figure, sizes = context.state.figures[other], context.setup.sizes(other, context.who)
    towards = direction(context.terrain.field, figure.cell, context.figure.cell, sizes)
    if _screened(context, other) or (figure.heading >= 0 and (towards - figure.heading) % 8 not in (7, 0, 1)):
        return False
    gap = _on_foot(context, other) - max(context.state.weapon(other).squares, context.weapon.squares)
    surely = load_weights("countup").countup.manoeuvres.surely
    return gap * SPACE <= surely * context.setup.beings[other].quickest


def pressing(context: Context) -> Iterator[Measure]:
    """Who fights hand to hand steps after foes that give ground or are knocked back; who reaches farther keeps off."""
    mine = context.weapon
    if mine.ranged or not context.figure.contacts:
        return
    wanted = mine.reach <= max(context.state.weapon(i).reach for i in context.figure.contacts)
    if wanted != context.figure.press:
        action = Action(context.being.id, "policy", option="press" if wanted else "keep")
        yield Beside(action, 0, value=load_weights("countup").countup.manoeuvres.eager)


NEVER = Seconds(999)
FAR = 999
"""Spaces to nobody."""


def arms(context: Context) -> Iterator[Measure]:
    """Another weapon, of the other kind: a blade for a bow, a bow for a blade, where it pays to change."""
    w, held = load_weights("countup").countup.weapons, context.weapon
    others = [name for name in context.being.weapons if context.setup.armoury.weapons[name].ranged != held.ranged]
    if not others or ACTION_KINDS["ready"].why_not(context) is not None:
        return
    comes = {other: _seconds_off(context, other) for other in context.others() if _foe(context, other)}
    met = min(comes.values(), default=NEVER)
    if held.ranged and _shots(context, held, None, met):
        return  # there is time for a shot: the blade can wait
    now = _balance(context, held, None, comes)
    for name in dict.fromkeys(others):
        weapon = context.setup.armoury.weapons[name]
        then = _balance(context, weapon, drawn_in(context.setup, context.who, context.figure, name), comes)
        if then - now > w.gain + (w.better - 1.0) * max(0.0, now):
            for action in ACTION_KINDS["ready"].instances(context):
                if action.weapon == name:
                    yield Arm(action, 1, anywhere=not weapon.ranged, value=(then - now) / w.blows)


def _balance(context: Context, weapon: Weapon, drawn: Seconds | None, comes: Mapping[CreatureIx, Seconds]) -> float:
    """Hit points that a weapon takes within the horizon, less what is lost in the melee meanwhile.

    `drawn`: seconds until it is in hand; None for what is in hand already. `comes`: when each foe will be there.
    """
    w = load_weights("countup").countup.weapons
    met = min(comes.values(), default=NEVER)
    if weapon.ranged:
        return _shots(context, weapon, drawn, met) - w.taken * _lost(context, met, comes)
    near = min((_spaces(context, other) for other in comes), default=FAR)
    way = min((_on_foot(context, other) for other in comes), default=FAR)
    goes = INSTANT if context.engaged() else _seconds(way - weapon.squares, context.being.pace_at(Gait.JOG))
    start = min(met, goes)
    return _blows(context, weapon, drawn, start, near) - w.taken * _lost(context, start, comes)


def _foe(context: Context, other: CreatureIx) -> bool:
    figure = context.state.figures[other]
    return context.setup.beings[other].side != context.being.side and figure.helpless <= context.state.second


def _seconds(spaces: int, rate: Eighths) -> Seconds:
    """How long so many spaces take at a pace."""
    if spaces <= 0:
        return INSTANT
    return SECOND * -(-spaces * SPACE // rate) if rate else NEVER


def _seconds_off(context: Context, other: CreatureIx) -> Seconds:
    """Seconds until a foe is there; never for who shoots, or is held up by one's friends."""
    state, figure, weapon = context.state, context.state.figures[other], context.state.weapon(other)
    if context.who in figure.contacts:
        return INSTANT
    if weapon.ranged or any(state.figures[friend].present for friend in figure.contacts):
        return NEVER
    if not figure.able(state.second) or _screened(context, other):
        return NEVER
    return _seconds(_on_foot(context, other) - weapon.squares, context.setup.beings[other].quickest)


def _on_foot(context: Context, other: CreatureIx) -> int:
    """Spaces of way to somebody: round walls and chasms, not across them."""
    gaps = routes.plain(context.terrain, ((context.figure.cell, context.being.space),))
    return gaps.gap(context.state.figures[other].cell)


def _screened(context: Context, other: CreatureIx) -> bool:
    """Whether a friend is nearer to a foe than oneself: it meets him first."""
    state, beings, apart = context.state, context.setup.beings, _spaces(context, other)
    friends = (i for i in context.others() if beings[i].side == context.being.side)
    return any(state.figures[i].able(state.second) and state.distance(i, other) < apart for i in friends)


def _shots(context: Context, weapon: Weapon, drawn: Seconds | None, met: Seconds) -> float:
    """Mean hit points by shots, at who may best be shot at from here, until a foe is there."""
    second, figure = context.state.second, context.figure
    if drawn is None and figure.loading[0] == weapon.name:
        first = max(INSTANT, figure.loading[1] - second)
    else:
        wait = drawn if drawn is not None else max(INSTANT, figure.due - second)
        first = wait + leaves_in(figure, weapon, False, second)
    end = min(load_weights("countup").countup.weapons.horizon, met)
    if first > end:
        return 0.0
    many = 1 if weapon.thrown else 1 + (end - first) // max(SECOND, sum(cycle(weapon, False), INSTANT))
    means = [
        figures_of(context.state, PreparedAttack(context.who, other, weapon, manners.SHOT))[1]
        for other in context.others()
        if _foe(context, other)
        and not beside_friends(context.state, context.who, other)
        and why_no_shot(context.state, context.who, other, weapon) is None
    ]
    return many * max(means, default=0.0)


COMES = 5
"""Spaces from a foe within which a friend who has nobody to fight may be beside him before an arrow is there."""


def beside_friends(state: CountState, who: CreatureIx, target: CreatureIx) -> bool:
    """Whether a miss may find a friend: one stands beside the target, or may soon do so. Nobody minds for ever."""
    if state.second >= load_weights("countup").countup.places.long:
        return False
    beings, side = state.setup.beings, state.setup.beings[who].side
    for i, figure in numbered(state.figures):
        if i == who or beings[i].side != side or not figure.present:
            continue
        free = figure.able(state.second) and not figure.contacts and not state.weapon(i).ranged
        if state.distance(i, target) <= (COMES if free else 1):
            return True
        if free and figure.action is not None and figure.action.target == beings[target].id:
            return True
    return False


def _blows(context: Context, weapon: Weapon, drawn: Seconds | None, start: Seconds, near: int) -> float:
    """Mean hit points by blows at the nearest foe, from the second on in which it is there."""
    w, state, who = load_weights("countup").countup.weapons, context.state, context.who
    targets = [other for other in context.others() if _foe(context, other) and _spaces(context, other) == near]
    if not targets:
        return 0.0
    speed = speed_of(state, who, weapon)
    if drawn is None:
        first = max(start, context.figure.due - state.second)
    else:
        first = max(start, drawn + (speed if context.engaged() else 0))
    if first > w.horizon:
        return 0.0
    many = 1 + (w.horizon - first) // max(SECOND, speed)
    return many * figures_of(state, PreparedAttack(who, targets[0], weapon))[1]


def _lost(context: Context, start: Seconds, comes: Mapping[CreatureIx, Seconds]) -> float:
    """Mean hit points that the nearest foes take in a melee from some second on."""
    w = load_weights("countup").countup.weapons
    if start >= w.horizon:
        return 0.0
    state, total = context.state, 0.0
    for other, there in comes.items():
        if there > start:
            continue
        weapon = state.weapon(other)
        rate = (w.horizon - start) / max(1, speed_of(state, other, weapon))
        mean = 0.0 if weapon.ranged else figures_of(state, PreparedAttack(other, context.who, weapon))[1]
        total += rate * mean
    return min(total, float(context.figure.hp))


COSTS = {"yield": 1, "scamper": 4}
"""What each way of giving ground costs the next attack."""


def promise(state: CountState, action: Action) -> Promise:
    """Of an answer to the question that stands open; nothing of anything else."""
    choice = state.choices[0] if state.choices else None
    if action.do != CHOOSE or choice is None or action.option not in choice.options:
        return NOTHING
    if choice.kind == AT_THE_FLEEING.kind:  # a free blow for what it does; following, for being at his heels
        weapon = state.weapon(choice.by)
        if not AT_THE_FLEEING.strikes(action.option) or weapon.ranged:
            return Promise(load_weights("countup").countup.answers.heels)
        return Promise(_value(state, PreparedAttack(choice.by, choice.other, weapon, manners.FREE)))
    return _ground(state, state.attacks[choice.number], COSTS.get(action.option, 0))


def _value(state: CountState, blow: PreparedAttack) -> float:
    """What a blow costs its target's side."""
    _, mean, drop, dazed = figures_of(state, blow)
    drop += dazed
    health = max(1, state.figures[blow.target].hp)
    return (min(1.0, mean / health) + drop) * value_of(state.setup.beings[blow.target])


def _ground(state: CountState, blow: PreparedAttack, cost: int) -> Promise:
    """What giving ground against a blow costs him who is struck at beside it (below 0), and what the blow costs him.

    Ground given costs a part of the next attack, and contact; it is no loss to who reaches farther than the foe.
    """
    w = load_weights("countup").countup.answers
    lost = _value(state, replace(blow, yielded=cost > 0))
    if not cost:
        return Promise(-w.stands, lost)
    who, mine, theirs = blow.target, state.weapon(blow.target), blow.weapon
    if state.figures[who].surprised(state.second) or not state.figures[blow.by].present:
        return Promise(0.0, lost)
    answer = _value(state, PreparedAttack(who, blow.by, mine)) if not mine.ranged else 0.0
    soon = state.figures[who].due <= state.second + 2
    price = answer * (w.step * cost + (w.outreached if soon and mine.reach <= theirs.reach else 0.0))
    return Promise(-price - w.yields, lost)
