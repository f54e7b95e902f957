"""What a planner asks in bulk: who is there, where one may go, whence one may strike, where one may be struck.

A stretch of some seconds stands for a chance: movement costs nothing, the action one point.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from game.controllers.ai.advisors.countup.manoeuvres import arms, beat_seconds, manoeuvres, on_guard, pressing, value_of
from game.controllers.ai.advisors.planning import (
    Magic,
    Measure,
    Merit,
    Outlook,
    Pass,
    Piece,
    Rise,
    Swing,
    Target,
    Threat,
    Vantage,
    Way,
)
from game.controllers.ai.weights import load_weights
from rules.board.bitboard import Grade, cells_of
from rules.board.grid import Terrain
from rules.board.path import SHOOTER, reach, struck_from
from rules.board.sight import grade, visible
from rules.contract.actions import CHANCE, Action, Decision
from rules.contract.units import EMPTY, Bitboard, Cell
from rules.countup.actions.context import AHEAD, Context
from rules.countup.actions.movement import allowed, whole_seconds
from rules.countup.actions.table import ACTION_KINDS
from rules.countup.combat.attack import could_strike, cycle, speed_of, why_no_shot
from rules.countup.combat.chances import attack_figures, strays
from rules.countup.combat.reach import COMPASS, in_reach
from rules.countup.conditions import open_ground, why_not
from rules.countup.manners import AGGRESSIVE, FREE, MANOEUVRES, PLAIN, QUICK_SHOT, Shots, Stance
from rules.countup.spells import Spell, area_of, spell_of, volley
from rules.countup.state import (
    Being,
    CountState,
    Figure,
    PreparedAttack,
    able,
    free_hand,
    in_hand,
    pace,
    present,
    sizes_of,
    weapon_of,
)


def backwards() -> int:
    """Spaces of a fighting withdrawal that are thought of at once."""
    return load_weights().countup.flight.backwards


def flight(context: Context) -> tuple[Way, Merit] | None:
    """The spaces that one could run to and what running costs; None where nobody is run from, or nothing is free."""
    if not context.engaged() or context.order.path or ACTION_KINDS["flee"].why_not(context) is not None:
        return None
    start, size, crowd = context.figure.cell, context.being.space, context.crowd()
    far = reach(context.terrain, start, AHEAD, size=size, blocked=crowd).cells
    cells = far & ~reach(context.terrain, start, backwards(), size=size, blocked=crowd).cells
    if context.figure.effects:
        cells = open_ground(context.state, context.who, cells)
    if not cells:
        return None
    return Way(("flee",), 1, 0, cells, AHEAD, flight=True), Merit(cells, -price(context), "blows at one's back")


def price(context: Context) -> float:
    """What it costs to turn one's back, in the units of `value`: the worse of a free blow, or a foe at one's heels."""
    figures = list(context.state.figures)
    figures[context.who] = msgspec.structs.replace(context.figure, stance=Stance.FLEEING)
    state = msgspec.structs.replace(context.state, figures=tuple(figures))
    return sum(max(_free(state, context.who, other), _chased(state, context.who, other)) for other in _after(context))


def _after(context: Context) -> list[int]:
    """Foes in contact who could strike or follow: nobody who has another enemy within 5 ft (B24)."""
    state, found = context.state, []
    for other in context.figure.contacts:
        foe = state.figures[other]
        weapon = weapon_of(state.setup, other, free_hand(state.setup, other, foe))
        if not present(foe) or not could_strike(foe, state.second, weapon):
            continue
        if not any(_beside(state, other, third) for third in foe.contacts if third != context.who):
            found.append(other)
    return found


def _beside(state: CountState, who: int, other: int) -> bool:
    here, there = state.figures[who], state.figures[other]
    return present(there) and state.terrain.distance(here.cell, there.cell, *sizes_of(state.setup, who, other)) <= 1


def _free(state: CountState, who: int, other: int) -> float:
    """The free blow, after which he pursues nobody for a while."""
    name = free_hand(state.setup, other, state.figures[other])
    weapon = weapon_of(state.setup, other, name)
    if not in_reach(state, other, who, weapon):
        return 0.0
    return _cost(state, PreparedAttack(other, who, name, FREE), 1.0)


def _chased(state: CountState, who: int, other: int) -> float:
    """His blows all the way, if he runs as fast as one does oneself."""
    beings = state.setup.beings
    if pace(beings[other], "sprint") < pace(beings[who], "sprint"):
        return 0.0
    name = in_hand(state.setup, other, state.figures[other])
    weapon = weapon_of(state.setup, other, name)
    rate = load_weights().countup.flight.chase * beat_seconds() / max(1, speed_of(state, other, weapon, PLAIN, who))
    return 0.0 if weapon.ranged else _cost(state, PreparedAttack(other, who, name), rate)


def _cost(state: CountState, blow: PreparedAttack, rate: float) -> float:
    w = load_weights().countup.flight
    _, mean, drop = attack_figures(state, blow, weapon_of(state.setup, blow.by, blow.weapon))
    health = max(1, state.figures[blow.target].hp)
    lost = w.wounds * min(1.0, rate * mean / health) + w.fall * min(1.0, rate * drop)
    return lost * value_of(state.setup.beings[blow.target])


def pieces(state: CountState) -> tuple[Piece, ...]:
    """Everybody on the board, in the order of the record."""
    found = []
    for i, figure in enumerate(state.figures):
        if figure.cell < 0 or figure.fled:
            continue
        being = state.setup.beings[i]
        ordered = figure.order is not None and not figure.order.done and figure.order.action is not None
        place = Context(state, i).place if not figure.dead else figure.cell
        found.append(
            Piece(
                being.id,
                being.side,
                place,
                size=being.space,
                health=max(0, figure.hp),
                most=being.hp_max,
                points=0 if ordered else 1,
                out=figure.dead,
                dead=figure.dead,
                ailing=False,
                ready=able(figure, state.second) and not figure.prone,
                value=value_of(being),
            )
        )
    return tuple(found)


def outlook(state: CountState, who: int) -> Outlook:
    """What a creature may still order."""
    context = Context(state, who)
    acts = context.action_open() is None
    end = on_guard(context)
    ways, away = _ways(context, acts), flight(context) if acts else None
    merits = _bearing(context) if ways else ()
    beat, patience = state.second // beat_seconds(), _patience(context)
    if away is None:
        return Outlook(beat, 1 if acts else 0, acts, ways=ways, end=end, merits=merits, patience=patience)
    return Outlook(beat, 1, acts, ways=(*ways, away[0]), end=end, merits=(*merits, away[1]), patience=patience)


def _patience(context: Context) -> float:
    """By the reach of what is in hand and of what the nearest foe has."""
    w = load_weights().countup.places
    mine = weapon_of(context.setup, context.who, context.weapon)
    foes = [i for i in context.others() if context.setup.beings[i].side != context.being.side]
    if mine.ranged or not foes:
        return w.shorter
    here = context.figure.cell
    other = min(foes, key=lambda i: (context.terrain.distance(here, context.state.figures[i].cell), i))
    theirs = weapon_of(context.setup, other, in_hand(context.setup, other, context.state.figures[other]))
    return w.longer if mine.reach > theirs.reach else w.shorter


def _bearing(context: Context) -> tuple[Merit, ...]:
    """Who has just gone somewhere stays, or goes on, where little speaks for anything else: nobody paces to and fro."""
    w = load_weights().countup.places
    figure = context.figure
    if figure.moved < context.state.second - w.fresh or figure.heading < 0:
        return ()
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
    return (Merit(here, w.settled, "has just come here"), Merit(back & ~here, w.backtrack, "back the way it came"))


def _columns(terrain: Terrain) -> list[int]:
    """Bitboards of the columns to the left of each, and of the whole map."""
    known: list[int] | None = terrain.memo.get("columns")
    if known is None:
        width, height = terrain.field.width, terrain.field.height
        known = terrain.memo["columns"] = [
            sum(((1 << left) - 1) << row * width for row in range(height)) for left in range(width + 1)
        ]
    return known


def _ways(context: Context, acts: bool) -> tuple[Way, ...]:
    """A walk within a melee; out of it a jog to what is near, a run to what is far, at what it can."""
    if not acts or context.order.path:
        return ()
    if context.engaged() or context.figure.fatigue > context.state.second or context.figure.prone:
        return _way(context, "walk", backwards() if context.engaged() else AHEAD)
    slow = "jog" if pace(context.being, "jog") else "walk"
    if not allowed(context.figure, "run") or not pace(context.being, "run"):
        return _way(context, slow, whole_seconds(context.state, context.who, slow, AHEAD))
    near = _way(context, slow, load_weights().countup.places.stroll)
    strolled = near[0].cells if near else EMPTY
    far = _way(context, "run", whole_seconds(context.state, context.who, "run", AHEAD), strolled)
    return (*near, *far)


def _way(context: Context, gait: str, limit: int, but: Bitboard = EMPTY) -> tuple[Way, ...]:
    """The spaces that a gait leads to, without some; empty where there are none."""
    if ACTION_KINDS[gait].why_not(context) is not None:
        return ()
    found = reach(context.terrain, context.figure.cell, limit, size=context.being.space, blocked=_shut(context))
    cells = (
        open_ground(context.state, context.who, found.cells & ~but) if context.figure.effects else found.cells & ~but
    )
    return (Way((gait,), 0, 0, cells, limit),) if cells else ()


def _shut(context: Context) -> Bitboard:
    """Bitboard of where no way leads: others' spaces and, for who is held at bay, whatever is nearer to the holder."""
    holder = context.figure.held_by
    if holder < 0:
        return context.crowd()
    there, sizes = context.state.figures[holder].cell, sizes_of(context.setup, context.who, holder)
    apart = context.terrain.distance(context.figure.cell, there, *sizes)
    nearer = context.terrain.within(there, apart - 1, sizes[1]) if apart > 1 else 0
    return context.crowd() | nearer


def route(state: CountState, who: int, way: Way, cell: Cell) -> tuple[Action, ...]:
    """The movement of a way that ends on a space."""
    context = Context(state, who)
    limit = way.trace if isinstance(way.trace, int) else AHEAD
    found = reach(context.terrain, context.figure.cell, limit, size=context.being.space, blocked=_shut(context))
    path = found.route(cell)
    return (Action(context.being.id, way.do[0], path=path),) if path else ()


# --------------------------------------------------------------------------------------------- striking


def _swing(state: CountState, by: int, target: int, name: str, *, manner: str | None, far: bool) -> Swing:
    w = load_weights().countup.places
    weapon = weapon_of(state.setup, by, name)
    kind = Shots(manner).manner if far else MANOEUVRES.get(manner or "", PLAIN)
    hit, mean, drop = attack_figures(state, PreparedAttack(by, target, name, kind), weapon)
    seconds = sum(cycle(weapon, kind is QUICK_SHOT)) if far else speed_of(state, by, weapon, kind, target)
    rate = beat_seconds() / max(1, seconds)
    exposed = 2 if manner == AGGRESSIVE.word else 0
    found = strays(state, PreparedAttack(by, target, name, kind), weapon) if far else ()
    beings, fallout = state.setup.beings, []
    for who, more, fells in found:
        friend = beings[who].side == beings[by].side
        weight = rate * (w.care if friend and state.second < w.long else 1.0)
        fallout.append((beings[who].id, weight * more, min(1.0, weight * fells)))
    return Swing(
        "shoot" if far else "attack",
        name,
        1,
        hit,
        mean=mean * rate,
        drop=min(1.0, drop * rate),
        exposed=exposed,
        fallout=tuple(fallout),
        option="once" if far else None,
    )


def swings(state: CountState, by: int, target: int) -> tuple[Swing, ...]:
    """The plain attack on a target with what is in hand; the manner is chosen when it is given (see `measures`)."""
    name = in_hand(state.setup, by, state.figures[by])
    weapon = weapon_of(state.setup, by, name)
    return (_swing(state, by, target, name, manner=None, far=weapon.ranged),)


def targets(state: CountState, by: int, cells: Bitboard) -> tuple[Target, ...]:
    """Whom a creature could attack at all, and from which of `cells` how."""
    setup, side, terrain = state.setup, state.setup.beings[by].side, state.terrain
    name = in_hand(setup, by, state.figures[by])
    weapon = weapon_of(setup, by, name)
    found = []
    kind = ACTION_KINDS["shoot" if weapon.ranged else "attack"]
    if kind.why_not(Context(state, by)) is not None or why_not(state, by, kind.doing) is not None:
        cells = EMPTY  # tired by a spell, held at bay, in a panic: no way leads to a blow
    for target, figure in enumerate(state.figures):
        foe = setup.beings[target]
        if foe.side == side or not present(figure):
            continue
        known = swings(state, by, target)
        sizes = setup.beings[by].space, foe.space
        far = weapon.brackets[-1] // 5 if weapon.ranged else weapon.squares
        ring = cells & terrain.touching(terrain.within(figure.cell, far, sizes[1]), sizes[0])
        ring &= ~terrain.touching(terrain.footprint(figure.cell, sizes[1]), sizes[0])
        if weapon.ranged:
            here = EMPTY if _crowded(state, by) else 1 << state.figures[by].cell
            ring = ring & here if why_no_shot(state, by, target, weapon) is None else EMPTY
        elif ring:
            seen = EMPTY
            for cell in cells_of(ring):
                if grade(terrain, cell, figure.cell, *sizes) is not Grade.NONE:
                    seen |= 1 << cell
            ring = seen
            here = 1 << state.figures[by].cell
            if ring & here and not in_reach(state, by, target, weapon):
                ring &= ~here  # somebody stands between
        found.append(Target(foe.id, known[0], weapon.ranged, (Vantage(ring, known),) if ring else ()))
    return tuple(found)


def _crowded(state: CountState, by: int) -> bool:
    """Whether a foe stands beside a shooter who has a blade to meet it with."""
    setup, me = state.setup, state.figures[by]
    if all(setup.armoury.weapons[name].ranged for name in setup.beings[by].weapons):
        return False
    return any(
        present(f)
        and setup.beings[i].side != setup.beings[by].side
        and not f.helpless
        and state.terrain.distance(me.cell, f.cell, setup.beings[by].space, setup.beings[i].space) <= 1
        for i, f in enumerate(state.figures)
    )


def reaches(state: CountState, who: int, start: Cell) -> Bitboard:
    """Bitboard of cells that a creature standing at `start` can strike with what it holds."""
    terrain, space = state.terrain, state.setup.beings[who].space
    weapon = weapon_of(state.setup, who, in_hand(state.setup, who, state.figures[who]))
    far = weapon.brackets[-1] // 5 if weapon.ranged else weapon.squares
    return terrain.within(start, far, space) & ~terrain.footprint(start, space) & visible(terrain, start, space)


def spots(state: CountState, who: int) -> dict[Cell, int]:
    """Cells where a creature could end a way at a jog within a beat."""
    figure = state.figures[who]
    if not present(figure):
        return {}
    context = Context(state, who)
    cells = cells_of(context.ways().cells) if able(figure, state.second) else []
    return {figure.cell: 0, **dict.fromkeys(cells, 0)}


# ----------------------------------------------------------------------------------------------- menace


def threats(state: CountState, target: int) -> tuple[Threat, ...]:
    """Who could strike a creature within a beat, and where."""
    setup = state.setup
    found = []
    for by, figure in enumerate(state.figures):
        being = setup.beings[by]
        if being.side == setup.beings[target].side or not present(figure):
            continue
        weapon = weapon_of(setup, by, in_hand(setup, by, figure))
        limit = weapon.brackets[-1] // 5 if weapon.ranged else weapon.squares
        still = figure.helpless > state.second or figure.prone
        board = struck_from(state.terrain, figure.cell, being.space, 0 if still else 4, limit)
        ready = able(figure, state.second) and figure.due <= state.second + beat_seconds()
        swing = swings(state, by, target)[0]
        now = board if ready else EMPTY
        found.append(Threat(being.id, close=now, blows=1.0, now=now, later=board, swing=swing, far=limit > SHOOTER))
    return tuple(found)


# --------------------------------------------------------------------------------------------- measures


def measures(state: CountState, decision: Decision) -> Iterator[Measure]:
    """What else is worth a thought: legal orders with their purpose, in stable order."""
    who = state.setup.index.get(decision.by)
    if who is None or decision.kind != CHANCE:
        return
    context = Context(state, who)
    for action in ACTION_KINDS["stand"].instances(context):
        yield Rise(action, 0)
    for action in ACTION_KINDS["knock_aside"].instances(context):
        yield Rise(action, 1, load_weights().countup.places.freed)
    for action in ACTION_KINDS["open"].instances(context):
        yield Pass(action, 1)
    for do in ("pick_lock", "force"):
        for action in ACTION_KINDS[do].instances(context):
            odds = ACTION_KINDS[do].odds(context, action)
            if odds is not None and odds.hit > 0.0:
                yield Pass(action, 1, odds.hit)
    yield from manoeuvres(context)
    yield from pressing(context)
    yield from arms(context)
    for action in ACTION_KINDS["cast"].instances(context):
        measure = _spell(state, context, action)
        if measure is not None:
            yield measure


def _spell(state: CountState, context: Context, action: Action) -> Measure | None:
    spell = spell_of(state, action.item or "")
    own = spell.needs == "none" and not spell.wide
    target = context.who if own else context.find(action.target)
    goal = action.at if action.at is not None else context.place if target is None else state.figures[target].cell
    cells = area_of(state.terrain, spell, context.place, goal)
    value, blows = 0.0, []
    mean = sum(die.count * (die.faces + 1) / 2 for die in spell.dice) + spell.flat if spell.dice else 0.0
    mean *= spell.lasts if spell.each_second else volley(context.being, spell)
    for i, figure in enumerate(state.figures):
        being = state.setup.beings[i]
        if not present(figure) or (i != target and not (spell.wide and i != context.who and cells >> figure.cell & 1)):
            continue
        friend = being.side == context.being.side
        fails = 1.0 - load_weights().countup.places.saves if spell.save else 1.0
        if mean:
            if friend:
                value -= fails * mean / load_weights().countup.places.whole
            else:
                blows.append((being.id, fails * mean, fails * min(1.0, mean / max(1, figure.hp)) ** 3, 0.0))
        if spell.heal_dice and friend:
            value += _mends(state, spell, i)
        if spell.effect:
            value += _effect(being, figure, spell.effect, friend, fails)
    if value <= 0.0 and not blows:
        return None
    return Magic(action, 1, blows=tuple(blows), value=value - load_weights().countup.places.spell)


def _mends(state: CountState, spell: Spell, who: int) -> float:
    """What a cure is worth to somebody, if he lives to see the end of it."""
    being, figure = state.setup.beings[who], state.figures[who]
    dice, flat = spell.healing(being)
    mean = flat + sum(die.count * (die.faces + 1) / 2 for die in dice)
    given = min(mean, being.hp_max - figure.hp) / being.hp_max
    return (
        load_weights().countup.places.mended
        * value_of(being)
        * given
        * (2.0 - figure.hp / being.hp_max)
        * _lives(state, who, spell.casting)
    )


def _lives(state: CountState, who: int, seconds: int) -> float:
    """The chance that nobody fells one who stands in a melee within some seconds."""
    chance = 1.0
    for other in state.figures[who].contacts:
        foe = state.figures[other]
        name = in_hand(state.setup, other, foe)
        weapon = weapon_of(state.setup, other, name)
        if able(foe, state.second) and not weapon.ranged and foe.due <= state.second + seconds:
            chance *= 1.0 - attack_figures(state, PreparedAttack(other, who, name), weapon)[2]
    return chance


def _effect(being: Being, figure: Figure, effect: str, friend: bool, fails: float) -> float:
    if figure.under(effect) or figure.helpless:
        return 0.0
    helpful = effect in ("swift", "blurred", "blessed", "shielded", "copied")
    if helpful:
        return (
            load_weights().countup.places.helped * value_of(being) if friend else -load_weights().countup.places.helped
        )
    return (-1.0 if friend else load_weights().countup.places.hindered) * fails * value_of(being)
