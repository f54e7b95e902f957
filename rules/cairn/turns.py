"""The course of a fight: first saves, halves by turns, morale between them, upkeep after a round (cairn.md §1)."""

from __future__ import annotations

import msgspec

from rules.board.bitboard import cells_of
from rules.cairn import conditions as cond
from rules.cairn.actions.attacks import ACTS, ATTACK, COMES, spring
from rules.cairn.actions.context import CairnKind, Context, Phase
from rules.cairn.actions.legal import ACTION_KINDS
from rules.cairn.actions.moves import DASH, MOVE, STAND_UP
from rules.cairn.arriving import ARRIVING
from rules.cairn.combat.attack import arms, prepare, strike_all
from rules.cairn.combat.injury import MINUTE, burn, leave
from rules.cairn.explore.turns import TURNS
from rules.cairn.magic.ground import at_hand, take_up
from rules.cairn.movement import walk
from rules.cairn.state import EXPLORE_PHASE, Plan, Resolution, awake, loosened, plans_now
from rules.cairn.upkeep import age, darkness_panic, first_half
from rules.contract.actions import Action
from rules.contract.events import Began, Over
from rules.contract.ruleset import PARTY
from rules.contract.text import Term, text
from rules.contract.units import Cell, CreatureIx, first_creatures, numbered
from rules.explore.waves import coming, to_come


def _look(resolution: Resolution, who: CreatureIx) -> Context:
    """Its situation: it goes before all that was planned, so that nobody has left or come yet."""
    state = resolution.done()
    return Context(msgspec.structs.replace(state, plans=(None,) * len(state.plans)), who)


def drive(resolution: Resolution) -> list[tuple[CreatureIx, Action]]:
    """Move the driven of the side whose half it is, in the record's order; the blows that the frenzied strike."""
    attacks = []
    for who in first_creatures(len(resolution.figures)):
        if awake(resolution, who):
            acts = next((act for condition, act in _DRIVES if resolution.figures[who].has(condition)), None)
            attack = acts(resolution, who) if acts is not None else None
            if attack is not None:
                attacks.append((who, attack))
    return attacks


def _run(resolution: Resolution, who: CreatureIx) -> Action | None:
    """As far as possible from the cause of the fear, or from every foe where it is nobody."""
    context = _look(resolution, who)
    feared = context.figure.causes(cond.FRIGHTENED)
    causes = [i for i in context.others() if context.beings[i].id in feared]
    causes = causes or [*context.foes()]

    def gap(cell: Cell) -> tuple[int, int]:
        spaces = ((context.state.figures[i].cell, context.being.space, context.beings[i].space) for i in causes)
        return min((context.terrain.distance(cell, *there) for there in spaces), default=0), -cell

    ways = context.ways(context.figure.cell, 2 * context.budget - context.standing_cost())
    away = max([*cells_of(ways.cells), context.figure.cell], key=gap)
    resolution.note(who, "flees in terror" if away != context.figure.cell else "cowers")
    if away != context.figure.cell:
        walk(resolution, who, ways.route(away), "dash")
    return None


def _covet(resolution: Resolution, who: CreatureIx) -> Action | None:
    """Straight to the thing and up with it; with it in hand, or nowhere to be found, one is oneself again."""
    context = _look(resolution, who)
    (wanted,) = context.figure.causes(cond.GREEDY)
    lying = [each.cell for each in resolution.floor if each.item == wanted]
    if not lying:
        resolution.relieve(who, cond.GREEDY, text("no {wanted} any more", wanted))
        return None
    space, here = context.being.space, context.figure.cell

    def gap(cell: Cell) -> tuple[int, bool, Cell]:
        return min(context.terrain.distance(cell, there, space) for there in lying), cell != here, cell

    ways = context.ways(here, 2 * context.budget - context.standing_cost())
    there = min([here, *cells_of(ways.cells)], key=gap)
    if there != here:
        walk(resolution, who, ways.route(there), "dash")
    figure = resolution.figures[who]
    near = at_hand(resolution.done(), who, figure.cell) if figure.present else []
    found = [i for i in near if resolution.floor[i].item == wanted]
    if found:
        take_up(resolution, who, found[0])
        resolution.relieve(who, cond.GREEDY, text("it has the {wanted}", wanted))
    return None


def _rage(resolution: Resolution, who: CreatureIx) -> Action | None:
    """At the nearest creature, friend or foe, with what does most; towards it first."""
    context = _look(resolution, who)
    others = [i for i in context.others() if not context.state.figures[i].critical]
    if not others:
        return None
    hated = context.figure.causes(cond.HATING)
    meant = [i for i in others if context.beings[i].id in hated]
    if hated and not meant and not context.figure.has(cond.FRENZIED):
        resolution.relieve(who, cond.HATING, "there is nobody to hate any more")
        return None
    target = min(meant or others, key=lambda i: (context.distance(i), i))
    found = _attack(context, target, context.figure.cell)
    if found is None:
        start, goal = context.figure.cell, context.state.figures[target].cell
        space, size = context.being.space, context.beings[target].space
        ways = context.ways(start, context.budget - context.standing_cost())
        cells = sorted(cells_of(ways.cells), key=lambda c: (context.terrain.distance(c, goal, space, size), c))
        there = next((c for c in cells if _attack(context, target, c) is not None), cells[0] if cells else None)
        if there is not None:
            walk(resolution, who, ways.route(there), "move")
            came = resolution.terrain.distance(start, max(Cell(0), resolution.figures[who].cell), space, space)
            resolution.change(who, ran=came)  # for a charge
        if not resolution.figures[who].present:
            return None
        context = _look(resolution, who)
        found = _attack(context, target, context.figure.cell)
    return found


def _attack(context: Context, target: CreatureIx, start: Cell) -> Action | None:
    most, best = 0, ""
    for weapon in arms(context.setup, context.who, context.figure):
        attack = prepare(context.state, context.who, target, weapon, (start, context.state.figures[target].cell))
        if attack is not None and sum(attack.dice) > most:
            most, best = sum(attack.dice), weapon.name
    return Action(context.being.id, ATTACK.do, target=context.beings[target].id, weapon=best) if best else None


_DRIVES = ((cond.FRIGHTENED, _run), (cond.GREEDY, _covet), (cond.FRENZIED, _rage), (cond.HATING, _rage))
"""What each of these conditions drives somebody to; of several the first. The attack that it comes to, if any."""


def check_morale(resolution: Resolution) -> None:
    """Whatever triggers were raised since the last check, each band of foes rolls at most once (A15)."""
    _lose_heart(resolution)
    beings, figures = resolution.setup.beings, resolution.figures
    for number, known in enumerate(resolution.morale):
        side = [i for i, being in numbered(beings) if being.side == known.side and figures[i].fighting]
        ours = known.side == PARTY
        here = [i for i in side if (beings[i].hired if ours else beings[i].group == known.group)]
        if not here:
            continue
        if len(side) > 1 and not ours:  # who comes to 0 HP beside others does not save for it when they are gone (A14)
            for i in here:
                if figures[i].hp == 0 < figures[i].hp_max and not figures[i].has(cond.TESTED):
                    resolution.afflict(i, cond.TESTED)
        # those of the band who are dead or incapacitated; who only ran is none of them (cairn.md §2.11)
        lost = sum(
            f.dead or f.critical or f.has(cond.OUT) or f.gone in (cond.ROUTED.name, cond.FALLEN.name)
            for b, f in zip(beings, figures, strict=True)
            if b.side == known.side and (ours or b.group == known.group) and not b.called
        )
        first = lost > 0 and not known.first
        half = 2 * lost >= known.start and lost > 0 and not known.half
        last = figures[here[0]]
        lone = not ours and len(side) == 1 and last.hp == 0 and not last.has(cond.TESTED)
        if not (first or half or lone):
            continue
        after = msgspec.structs.replace(known, first=known.first or first, half=known.half or half)
        resolution.morale = (*resolution.morale[:number], after, *resolution.morale[number + 1 :])
        if lone:
            resolution.afflict(here[0], cond.TESTED)
        _roll(resolution, here, "half of them lost" if half else "first casualty" if first else "alone at 0 HP")


def _lose_heart(resolution: Resolution) -> None:
    """Followers flee when every leader that their band had has fallen (cairn.md §5.6, Bandit)."""
    for known in resolution.morale:
        band = [i for i, b in numbered(resolution.setup.beings) if (b.side, b.group) == (known.side, known.group)]
        leaders = [i for i in band if resolution.being(i).leader and not to_come(resolution) >> i & 1]
        if not leaders or any(resolution.figures[i].fighting for i in leaders):
            continue
        for i in band:
            if resolution.being(i).follower and resolution.figures[i].fighting:
                _flee(resolution, i, "the leader has fallen")


def _roll(resolution: Resolution, here: list[CreatureIx], because: str) -> None:
    """The leader's WIL for all while there is one, else each its own. The mindless are not shaken, nor, while a leader
    of its side stands, is who is steadfast (cairn.md §5.6, Hobgoblin)."""
    beings = resolution.setup.beings
    leaders = [i for i, b in numbered(beings) if b.leader and b.side == beings[here[0]].side]
    commanded = any(resolution.figures[i].fighting for i in leaders)
    leader = next((i for i in here if i in leaders), None)
    shaken = [i for i in here if not (beings[i].mindless or (beings[i].steadfast and commanded))]
    why = text("{morale} of all, {because}" if leader is not None else "{morale}, {because}", Term("morale"), because)
    for saver, band in [(i, [i]) for i in shaken] if leader is None else [(leader, shaken)] if shaken else []:
        passed, _ = resolution.save_roll(saver, "wil", why, _nerve(resolution, saver))
        for i in band if not passed else ():
            _flee(resolution, i, because)


def _flee(resolution: Resolution, who: CreatureIx, because: str) -> None:
    """Off the board; on an expedition its cries are heard."""
    cell = resolution.figures[who].cell
    leave(resolution, who, cond.FLED, because)
    if resolution.setup.crawl and resolution.being(who).side != PARTY:
        TURNS.fled(resolution, who, cell)


def _nerve(resolution: Resolution, who: CreatureIx) -> int | None:
    """What morale is saved with where it is not WIL (cairn.md §5.6, Bandit)."""
    return resolution.being(who).nerve or None


ROUND_LIMIT = 1000
"""A fight that lasts longer ends without a winner."""


def open_fight(resolution: Resolution) -> None:
    """Round 1: PCs who were not prepared save or lose their turn; then the first half begins."""
    resolution.events.append(Began(what="fight"))
    first_half(resolution)
    run_on(resolution)


def run_on(resolution: Resolution) -> None:
    """On to the first half in which somebody has something to plan, or to the end."""
    while resolution.phase != "over" and not resolution.choices:
        if resolution.setup.field.arrivals:
            ARRIVING.heed(resolution)
        if resolution.phase == EXPLORE_PHASE:
            if TURNS.exploring(resolution):
                return
            continue
        if _over(resolution):
            continue  # it is, or the exploration goes on
        if any(plans_now(resolution, who) for who in first_creatures(len(resolution.figures))):
            return
        carry_out(resolution)  # those whom fear or frenzy drives act without a plan
        if not resolution.choices:
            next_half(resolution)


def carry_out(resolution: Resolution) -> None:
    """Carry out the plans of the side whose half it is, in the order in which they were declared: moves, risk saves,
    pooled attacks, the rest, late moves.

    Those whom fear or frenzy drives go first; what the side held ready in its last half is let go. What a side does
    counts as done at once: who is struck down by a friend's blow has done by then what it had planned.
    """
    begun = len(resolution.events)
    side = resolution.setup.sides[resolution.half]
    resolution.readied = tuple(held for held in resolution.readied if resolution.being(held[0]).side != side)
    plans = [(who, plan) for who in resolution.declared if (plan := resolution.plans[who]) is not None]
    actions = [(who, plan.action, ACTION_KINDS[plan.action.do]) for who, plan in plans if plan.action is not None]
    driven = drive(resolution)
    _early(resolution, plans)
    spring(resolution, begun, COMES, side)
    actors = tuple(who for who, _, kind in actions if kind.noticed and resolution.figures[who].able)
    spring(resolution, begun, ACTS, side, actors)
    for who, action, kind in actions:
        if kind.phase is Phase.RISK and resolution.figures[who].able:
            _act(resolution, who, action, kind)
    acting = [who for who, _ in plans if resolution.figures[who].able]
    resolution.pyres = []
    attacks = [(who, found) for who, action, kind in actions if (found := kind.attack(resolution, who, action))]
    strike_all(resolution, [*driven, *attacks])
    for who, _ in attacks:
        resolution.relieve(who, cond.DARING)
    for who, action, kind in actions:
        if kind.phase is Phase.OTHER and who in acting and resolution.figures[who].cell >= 0:
            _act(resolution, who, action, kind)
    burn(resolution)
    late = len(resolution.events)
    for who, plan in plans:
        if plan.action_first and resolution.figures[who].able:
            _go(resolution, who, plan)
    spring(resolution, late, COMES, side)
    for other in resolution.setup.sides:  # held in this very half, for foes that friends have pushed or frightened near
        if other != side:
            spring(resolution, begun, COMES, other)
    for who, figure in numbered(resolution.figures):
        if figure.ran:
            resolution.change(who, ran=0)
    resolution.plans = [None] * len(resolution.figures)
    resolution.declared = []


def _act(resolution: Resolution, who: CreatureIx, action: Action, kind: CairnKind) -> None:
    if kind.reveals:
        resolution.relieve(who, cond.INVISIBLE, "it acts")
    kind.resolve(resolution, who, action)


def _early(resolution: Resolution, plans: list[tuple[CreatureIx, Plan]]) -> None:
    """What is let go or looked away from, and the moves that come before everything else."""
    for who, plan in plans:
        aside = plan.aside
        if aside is not None and (kind := ACTION_KINDS[aside.do]).phase is Phase.ASIDE:
            kind.resolve(resolution, who, aside)
            # it is gone, and not to be let go once more
            resolution.plans[who] = msgspec.structs.replace(plan, aside=None, drops="")
        if not plan.action_first:
            _go(resolution, who, plan)
    for who, plan in plans:
        if not plan.action_first and resolution.figures[who].present:
            start, size = resolution.state.figures[who].cell, resolution.being(who).space
            resolution.change(who, ran=resolution.terrain.distance(start, resolution.figures[who].cell, size, size))


def _go(resolution: Resolution, who: CreatureIx, plan: Plan) -> None:
    """All that somebody planned to go: the move, and the second one that takes the action; what is done by the way."""
    name, aside = resolution.being(who).id, plan.aside
    if plan.stand:
        STAND_UP.resolve(resolution, who, Action(name, STAND_UP.do))
    if plan.path:
        MOVE.resolve(resolution, who, Action(name, MOVE.do, path=plan.path))
    if plan.second_path and resolution.figures[who].present:
        DASH.resolve(resolution, who, Action(name, DASH.do, path=plan.second_path))
    if aside is not None and (kind := ACTION_KINDS[aside.do]).phase is Phase.BY_THE_WAY:
        kind.resolve(resolution, who, aside)


def resolve_half(resolution: Resolution) -> None:
    """The side whose half it is resolves; then it's the next one's."""
    carry_out(resolution)
    if not resolution.choices:
        next_half(resolution)
    run_on(resolution)


def next_half(resolution: Resolution) -> None:
    """Grips that nobody keeps up any more loosen, morale of those who were struck; then the next side, or the end of
    the round."""
    for who, figure in numbered(resolution.figures):
        for grip in loosened(resolution, who) if figure.present else ():
            resolution.relieve(who, cond.condition_named(grip), "nobody holds on")
    last = resolution.half + 1 >= len(resolution.setup.sides)
    if not last:  # after the last half the end of the round comes first
        check_morale(resolution)
    if _over(resolution):
        return
    resolution.half += 1
    if last:
        upkeep(resolution)
        if resolution.setup.crawl and TURNS.turn_passes(resolution) and TURNS.truce(resolution):
            return
        if not _over(resolution):
            resolution.half = 0
            resolution.round += 1
            resolution.events.append(Began(what="turn", number=resolution.round))
            if resolution.setup.field.arrivals:
                ARRIVING.turn_begins(resolution, resolution.round)


def upkeep(resolution: Resolution) -> None:
    """Durations run down, saves that end conditions are made, ground changes end; then morale once more."""
    age(resolution)
    darkness_panic(resolution)
    check_morale(resolution)


def _over(resolution: Resolution) -> bool:
    """The fight ends when at most one side has anybody left to fight; whoever is dying has so long to live if nobody
    helps."""
    if resolution.setup.crawl:
        return _settled(resolution)
    fighters = zip(resolution.setup.beings, resolution.figures, strict=True)
    left = {being.side for being, figure in fighters if figure.fighting}
    if resolution.setup.field.arrivals:
        ARRIVING.heed(resolution)
        on_their_way = coming(resolution)
        left |= {being.side for who, being in numbered(resolution.setup.beings) if on_their_way >> who & 1}
    sides = [side for side in resolution.setup.sides if side in left]
    if len(sides) > 1 and resolution.round <= ROUND_LIMIT:
        return False
    if resolution.phase != "over":
        resolution.phase = "over"
        resolution.plans = [None] * len(resolution.figures)
        resolution.winner = sides[0] if len(sides) == 1 else ""
        for who, figure in numbered(resolution.figures):
            if figure.clock:
                minutes = max(1, figure.clock // MINUTE)
                resolution.note(who, text("dead within {minutes} minutes unless somebody helps", minutes))
        resolution.events.append(Over(winner=resolution.winner))
    return True


def _settled(resolution: Resolution) -> bool:
    """In a crawl a fight is over when nobody who knows of the heroes is left; the evening, when no hero is."""
    if resolution.phase != "plan":
        return True
    if not TURNS.settled(resolution):
        return False
    if not TURNS.truce(resolution):
        TURNS.over(resolution)
    return True
