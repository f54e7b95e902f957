"""The clock: second by second from one question to the next; joint movement in four sub-steps a second, all intended
spaces compared, whoever spoke first (countup.md §1)."""

from __future__ import annotations

from typing import assert_never

import msgspec
from msgspec.structs import replace

from rules.board.path import step_fault
from rules.board.sight import Grade, grade
from rules.contract.actions import Action
from rules.contract.events import Began, Check, Healing, Moved, Over, Points
from rules.contract.text import text
from rules.contract.units import Cell
from rules.countup.actions.answers import GIVE_GROUND, QUESTIONS
from rules.countup.actions.attacks import KNOCK_ASIDE, shots
from rules.countup.actions.movement import CHARGE_RUN, RUSHES, gait_now, rate, rise
from rules.countup.actions.objects import tasks
from rules.countup.actions.table import ACTION_KINDS, follows
from rules.countup.combat.attack import charging, could_strike, speed_of
from rules.countup.combat.injury import advances, react, retreats, strikes
from rules.countup.combat.reach import COMPASS, bearing, direction, in_contact, in_reach
from rules.countup.conditions import HELPLESS, PRONE, Doing, expire, forbidden
from rules.countup.gear import UNARMED
from rules.countup.manners import Stance
from rules.countup.penetration import Die, roll
from rules.countup.spells import complete, sear
from rules.countup.statblock import initiative_dice
from rules.countup.state import (
    SPACE,
    CountState,
    Figure,
    Ground,
    Order,
    Phase,
    PreparedAttack,
    Resolution,
    able,
    free_hand,
    present,
    resolve,
    sizes_of,
    surprised,
    weapon_in_hand,
    weapon_of,
)
from rules.countup.visibility import zone

SHOUT = 2
"""Seconds of initiative that a shout saves (option)."""
LAST_SECOND = 3600
"""A fight that lasts longer ends without a winner."""


def open_fight(resolution: Resolution) -> None:
    """Stealth against keen senses; initiative for all, in the record's order; the first second in which one may act."""
    resolution.events.append(Began(what="fight"))
    dice = initiative_dice(resolution)
    for who, being in enumerate(resolution.setup.beings):
        if not present(resolution.figures[who]):
            continue
        resolution.dice.thrower = being.id
        thrown = roll(resolution.dice, "initiative", (Die(1, dice[who], False),), being.initiative)
        init = max(1, thrown.total)
        resolution.change(who, init=init, due=init)
        resolution.events.append(Points(by=being.id, now=init, what="initiative", roll=thrown))
    for who, foes in pairs(
        resolution.done()
    ).items():  # whoever stands beside a foe is engaged from the first second on
        resolution.change(who, contacts=tuple(sorted(foes)))
    _next_second(resolution)
    run_on(resolution)


def _hue_and_cry(resolution: Resolution) -> None:
    """Whoever first may act on a side shouts: friends still unaware act two seconds sooner, once (option)."""
    for who, figure in enumerate(resolution.figures):
        if not present(figure) or figure.init != resolution.second:
            continue
        side = resolution.being(who).side
        others = [i for i, f in enumerate(resolution.figures) if resolution.being(i).side == side and present(f)]
        if any(resolution.figures[i].init < resolution.second for i in others):
            continue
        for other in others:
            late = resolution.figures[other].init
            if late > resolution.second:
                sooner = max(resolution.second, late - SHOUT)
                due = sooner if resolution.figures[other].due == late else resolution.figures[other].due
                resolution.change(other, init=sooner, due=due)
                resolution.events.append(
                    Points(by=resolution.being(other).id, now=sooner, what="initiative", because="hue and cry")
                )


def pairs(state: CountState) -> dict[int, list[int]]:
    """Who is in contact with whom."""
    found: dict[int, list[int]] = {}
    beings = state.setup.beings
    for who, being in enumerate(beings):
        for other in range(who + 1, len(beings)):
            if beings[other].side != being.side and in_contact(state, who, other):
                found.setdefault(who, []).append(other)
                found.setdefault(other, []).append(who)
    return found


def meet(resolution: Resolution) -> None:
    """New pairs within reach; old ones that have parted are forgotten."""
    found = pairs(resolution.done())
    for who in range(len(resolution.figures)):
        kept = tuple(sorted(found.get(who, ())))
        before = resolution.figures[who]
        met = (
            before.contacts if resolution.second > 1 else ()
        )  # in the first second everybody meets whom he stands beside
        fresh = tuple(other for other in kept if other not in met)
        if (kept, fresh) != (before.contacts, before.fresh):
            resolution.change(who, contacts=kept, fresh=fresh)
        if kept and before.broke and before.stance is not Stance.FLEEING:
            _engages_anew(resolution, who)
        if fresh and before.order is not None and before.order.awaits:
            resolution.change(who, order=replace(before.order, awaits=0))


def _engages_anew(resolution: Resolution, who: int) -> None:
    """Who fled and is in contact again: its weapon's time begins anew (countup.md §1)."""
    figure = resolution.figures[who]
    weapon = weapon_in_hand(resolution.setup, who, figure)
    due = resolution.second + speed_of(resolution.done(), who, weapon)
    resolution.change(who, broke=False, due=max(figure.due, due))


def collect(resolution: Resolution) -> None:
    """All strikes that are due, with somebody to strike; those of first contact by reach (countup.md §1 STRIKE)."""
    state = resolution.done()
    attacks = []
    for who, figure in enumerate(resolution.figures):
        attack = _due_attack(resolution, who, figure)
        if attack is not None:
            fresh = attack.target in figure.fresh
            weapon = weapon_of(resolution.setup, who, attack.weapon)
            reach = weapon.reach if fresh and not surprised(figure, resolution.second) else 0.0
            attacks.append(((-reach if fresh else 0.0), who, attack))
    for second, attack in resolution.later:
        figure = resolution.figures[attack.by]
        # with what is in hand by now, the fist where the fist struck
        name = attack.weapon if attack.weapon == UNARMED.name else free_hand(resolution.setup, attack.by, figure)
        weapon = weapon_of(resolution.setup, attack.by, name)
        can = second <= resolution.second and could_strike(figure, resolution.second, weapon)
        if can and in_reach(state, attack.by, attack.target, weapon):
            attacks.append((0.0, attack.by, replace(attack, weapon=name)))
    resolution.later = tuple(each for each in resolution.later if each[0] > resolution.second)
    resolution.attacks = tuple(attack for _, _, attack in sorted(attacks, key=lambda entry: (entry[0], entry[1])))


def _due_attack(resolution: Resolution, who: int, figure: Figure) -> PreparedAttack | None:
    """What somebody strikes in this second by its order, where it is free to."""
    order, second = figure.order, resolution.second
    if order is None or order.action is None or not able(figure, second) or figure.held_by >= 0:
        return None
    if max(figure.busy, figure.fatigue, figure.ready_at) > second or figure.casting is not None:
        return None
    return ACTION_KINDS[order.action.do].prepared(resolution, who, order.action)


def name_second(resolution: Resolution) -> None:
    """What happened in this second stands under its number; seconds in which nothing happens are not told."""
    if resolution.second > resolution.told and len(resolution.events) > resolution.mark:
        resolution.events.insert(resolution.mark, Began(what="second", number=resolution.second))
        resolution.told = resolution.second


def run_on(resolution: Resolution) -> None:
    """Seconds tick until something opens, or the fight is over."""
    _run_on(resolution)
    name_second(resolution)


def _run_on(resolution: Resolution) -> None:
    while resolution.phase is not Phase.OVER and not resolution.choices:
        match resolution.phase:
            case Phase.DECLARE:
                if any(needs_order(resolution, who) for who in range(len(resolution.figures))):
                    return
                _declare(resolution)
                resolution.phase = Phase.MOVE
            case Phase.MOVE:
                move_all(resolution)
                resolution.phase = Phase.CONTACT
            case Phase.CONTACT:
                meet(resolution)
                collect(resolution)
                resolution.phase = Phase.STRIKE
                GIVE_GROUND.ask_all(resolution)
            case Phase.STRIKE:
                strikes(resolution)
                resolution.phase = Phase.REACT
            case Phase.REACT:
                react(resolution)
                KNOCK_ASIDE.break_out(resolution)
                for work in (shots, complete, sear, tasks):
                    work(resolution)
                if not _over(resolution):
                    _next_second(resolution)
            case _:
                assert_never(resolution.phase)


def needs_order(resolution: Resolution, who: int) -> bool:
    """Whether somebody is free in this second and has no order that still holds."""
    figure = resolution.figures[who]
    if not able(figure, resolution.second) or figure.busy > resolution.second:
        return False
    if figure.casting is not None or figure.task is not None:
        return False
    order = figure.order
    if order is None or not order.done:
        return True
    return order.given != resolution.second and not order_holds(resolution, who)


def order_holds(resolution: Resolution, who: int) -> bool:
    """Whether a standing order still has something to do."""
    order = resolution.figures[who].order
    if order is None or order.path or order.action is None:
        return order is not None and bool(order.path)
    return ACTION_KINDS[order.action.do].holds(resolution, who, order, order.action)


# -- the phases of a second --------------------------------------------------------------------------------


def _declare(resolution: Resolution) -> None:
    """Orders take hold the moment that time moves: stances, readying, getting up, casting."""
    for who, figure in enumerate(resolution.figures):
        order = figure.order
        if figure.stance is Stance.SET and not _stays_set(figure):
            figure = resolution.change(who, stance=Stance.NONE, until=0, set_since=-1)
        if order is None or not able(figure, resolution.second):
            continue
        if order.facing >= 0:
            left = order if order.path else replace(order, facing=-1)
            figure = resolution.change(who, facing=order.facing, order=left)
        if order.action is not None and not follows(resolution.setup, who, figure, order):
            kind = ACTION_KINDS[order.action.do]
            if kind.faces:
                _face(resolution, who, order, order.action)
            _break_off(resolution, who, kind.keeps(order.action))
            kind.resolve(resolution, who, order.action)


def _face(resolution: Resolution, who: int, order: Order, action: Action) -> None:
    """Who fights somebody keeps its face to him, in every second, unless it was bidden elsewhere (countup.md §3)."""
    figure, target = resolution.figures[who], resolution.setup.index.get(action.target or "")
    if order.path or order.facing >= 0 or target is None or not present(resolution.figures[target]):
        return
    there, sizes = resolution.figures[target].cell, sizes_of(resolution.setup, who, target)
    if order.awaits and grade(resolution.terrain, figure.cell, there, *sizes) is Grade.NONE:
        return  # it may come from anywhere
    resolution.change(who, facing=bearing(resolution.setup, resolution.figures, who, target))


def _break_off(resolution: Resolution, who: int, kept: Stance) -> None:
    """A defensive stance that the new order does not keep up ends; its penalty stays on the next attack."""
    figure = resolution.figures[who]
    if figure.stance.rank and figure.stance is not kept:
        owed = 2 * figure.stance.rank if figure.due > resolution.second else 0
        resolution.change(who, stance=Stance.NONE, until=0, owed=max(figure.owed, owed))


def _stays_set(figure: Figure) -> bool:
    """Whether a weapon is still set: its bearer has not left its space since, nor taken up anything else."""
    action = figure.order.action if figure.order is not None else None
    kept = action is not None and ACTION_KINDS[action.do].keeps(action) is Stance.SET
    return kept and figure.moved < figure.set_since


def _next_second(resolution: Resolution) -> None:
    """EXPIRE: timers end; standing up from helplessness takes a second (countup.md §1)."""
    name_second(resolution)
    resolution.second += 1
    resolution.mark = len(resolution.events)
    resolution.phase = Phase.DECLARE
    resolution.attacks = ()
    for who, figure in enumerate(resolution.figures):
        if not present(figure):
            continue
        if figure.helpless and figure.helpless <= resolution.second:
            weapon = weapon_in_hand(resolution.setup, who, figure)
            due = resolution.second + 1 + speed_of(resolution.done(), who, weapon)
            resolution.change(who, helpless=0, due=due)
            rise(resolution, who)
            HELPLESS.tell_end(resolution, who)
        figure = resolution.figures[who]
        if figure.stance and figure.until <= resolution.second and not _lingers(figure):
            up = figure.stance is Stance.RISING
            resolution.change(who, stance=Stance.NONE, until=0, prone=figure.prone and not up)
            if up and figure.prone:
                PRONE.tell_end(resolution, who)
        expire(resolution, who)
        burns = resolution.being(who).burns
        if burns and resolution.second == burns and not resolution.figures[who].dark:
            resolution.change(who, dark=True)
            told = text("is left in the dark: the {lamp} is burnt down", resolution.being(who).lamp)
            resolution.note(who, told)
        heals = resolution.being(who).regenerates
        most = resolution.being(who).hp_max - resolution.figures[who].burnt
        if heals and resolution.second % heals == 0 and 0 < resolution.figures[who].hp < most:
            resolution.change(who, hp=resolution.figures[who].hp + 1)
            resolution.events.append(Healing(target=resolution.being(who).id, amount=1, now=resolution.figures[who].hp))
    if resolution.setup.options["hue_and_cry"]:
        _hue_and_cry(resolution)
    resolution.zones = tuple(zone for zone in resolution.zones if zone[2] > resolution.second)


def _lingers(figure: Figure) -> bool:
    """A flight lasts while there is way left."""
    return figure.stance is Stance.FLEEING and figure.order is not None and bool(figure.order.path)


def answer(resolution: Resolution, option: str) -> None:
    """The first open question is answered."""
    choice, resolution.choices = resolution.choices[0], resolution.choices[1:]
    QUESTIONS[choice.kind].resolve(resolution, choice, option)
    run_on(resolution)


def _over(resolution: Resolution) -> bool:
    """The fight ends when at most one side has anybody left."""
    sides = [
        side
        for side in resolution.setup.sides
        if any(b.side == side and present(f) for b, f in zip(resolution.setup.beings, resolution.figures, strict=True))
    ]
    if len(sides) > 1 and resolution.second < LAST_SECOND:
        return False
    resolution.phase = Phase.OVER
    resolution.winner = sides[0] if len(sides) == 1 else ""
    resolution.events.append(Over(winner=resolution.winner))
    return True


SUBSTEPS = 4
SLICK = 10
"""What the dodge save on slippery ground must beat: the caster is not there to oppose it."""


class Mover:
    """Somebody who moves in this second."""

    __slots__ = ("at", "count", "going", "start", "stopped", "went", "who")

    def __init__(self, who: int, count: int, cell: Cell) -> None:
        self.who = who
        self.count = count
        self.at = self.start = cell
        self.going: Cell | None = None
        self.stopped = False
        self.went: list[Cell] = []


def move_all(resolution: Resolution) -> None:
    """Everybody who has a way moves for one second, together."""
    movers = _movers(resolution)
    gaits = {}
    for step in range(1, SUBSTEPS + 1):
        rounds = max((m.count * step // SUBSTEPS - m.count * (step - 1) // SUBSTEPS for m in movers), default=0)
        for turn in range(rounds):
            going = [
                m
                for m in movers
                if not m.stopped and m.count * step // SUBSTEPS - m.count * (step - 1) // SUBSTEPS > turn
            ]
            _substep(resolution, going)
            for mover in movers:  # whoever comes up, contact stops both
                if not mover.stopped and _meets(resolution, mover):
                    mover.stopped = True
    for mover in movers:
        _arrive(resolution, mover)
        gaits[mover.who] = True
    for who, figure in enumerate(resolution.figures):
        if who not in gaits and (figure.gait or figure.straight or figure.toil):
            resolution.change(who, gait="", carry=0, straight=0, toil=False, sprinted=0)


HALT = 2
"""Spaces of the count in which somebody comes to a halt from a run; half for the small (countup.md §3)."""


def _halting(resolution: Resolution, who: int, figure: Figure) -> tuple[int, ...]:
    """The spaces straight on in which who ran comes to a halt, if nothing else stops it; empty for who stands, or
    could not get away from its space."""
    if (
        figure.gait not in ("run", "sprint")
        or not figure.straight
        or figure.contacts
        or not able(figure, resolution.second)
        or figure.prone
    ):
        return ()
    if figure.order is not None and figure.order.path:
        return ()
    dx, dy = COMPASS[figure.heading]
    x, y = resolution.setup.field.at(figure.cell)
    out = []
    for step in range(1, (HALT if resolution.being(who).pace[0] >= SPACE else 1) + 1):
        if resolution.setup.field.inside(x + step * dx, y + step * dy):
            out.append(resolution.setup.field.cell(x + step * dx, y + step * dy))
    return tuple(out)


def _movers(resolution: Resolution) -> list[Mover]:
    found = []
    for who, figure in enumerate(resolution.figures):
        halt = _halting(resolution, who, figure)
        if halt:
            kept = figure.order if figure.order is not None else Order(done=True, given=resolution.second)
            resolution.change(who, order=msgspec.structs.replace(kept, path=halt), gait="halt", carry=0, sprinted=0)
            found.append(Mover(who, len(halt), figure.cell))
            continue
        order = figure.order
        if order is None or not order.path or not able(figure, resolution.second):
            continue
        if figure.busy > resolution.second or figure.casting is not None or forbidden(figure, Doing.STEP):
            continue
        gait = gait_now(resolution.setup, who, figure, resolution.second, order.gait)
        carry = rate(resolution.setup, who, figure, gait)
        count = carry // SPACE
        if figure.gait not in RUSHES or gait not in RUSHES:
            resolution.change(who, straight=0)
        sprinted = figure.sprinted + 1 if gait == "sprint" else 0
        resolution.change(who, carry=carry - count * SPACE, gait=gait, sprinted=sprinted)
        if gait in ("run", "sprint") and resolution.being(who).lamp == "candle" and not figure.dark:
            resolution.change(who, dark=True)
            resolution.note(who, "loses the candle's flame")
        found.append(Mover(who, count, figure.cell))
    return found


def _substep(resolution: Resolution, movers: list[Mover]) -> None:
    """One space each, if it is free or becomes free in the same moment."""
    for mover in movers:
        mover.going = None
        order = resolution.figures[mover.who].order
        done = len(mover.went)
        if order is not None and done < len(order.path):
            there = order.path[done]
            held = resolution.figures[mover.who].held_by >= 0
            if held and advances(resolution.done(), mover.who, mover.start, there):
                continue
            if step_fault(resolution.terrain, mover.at, there, resolution.being(mover.who).space) is None:
                mover.going = there
    toiling = [m for m in movers if m.going is not None and _toils(resolution, m, m.going)]
    for mover in toiling:
        mover.going = None
        resolution.change(mover.who, toil=True)
    movers = [m for m in movers if m not in toiling]
    _settle(resolution, movers)
    for mover in movers:
        if mover.going is None:
            mover.stopped = True
            continue
        mover.went.append(mover.going)
        straight = resolution.figures[mover.who].straight
        heading = direction(resolution.setup.field, mover.at, mover.going)
        same = resolution.figures[mover.who].heading == heading
        resolution.change(mover.who, cell=mover.going, facing=heading, heading=heading, moved=resolution.second,
                    straight=straight + SPACE if same else SPACE, toil=False)  # fmt: skip
        mover.at = mover.going
    slick = zone(resolution.done(), Ground.SLIPPERY) if resolution.zones else 0
    for mover in movers:
        if (
            slick
            and not mover.stopped
            and slick & _cells(resolution, mover.who, mover.at)
            and not resolution.figures[mover.who].prone
        ):
            _slips(resolution, mover)
    for mover in movers:
        if mover.going is not None:
            _keep_face(resolution, mover)


def _keep_face(resolution: Resolution, mover: Mover) -> None:
    """Who walks within a melee backs up or sidesteps: the face stays to the foe, or turns to where it was bidden."""
    figure, order = resolution.figures[mover.who], resolution.figures[mover.who].order
    if order is not None and order.facing >= 0:
        if figure.gait in ("crawl", "walk") or len(mover.went) == len(order.path):
            resolution.change(mover.who, facing=order.facing)
        return
    foes = [other for other in figure.contacts if present(resolution.figures[other])]
    if not foes or figure.gait != "walk" or figure.stance is Stance.FLEEING:
        return
    wanted = order.action.target if order is not None and order.action is not None else None
    other = min(foes, key=lambda i: (resolution.being(i).id != wanted, _spaces(resolution, mover.who, i), i))
    resolution.change(mover.who, facing=bearing(resolution.setup, resolution.figures, mover.who, other))


def _spaces(resolution: Resolution, who: int, other: int, cell: Cell | None = None) -> int:
    """Spaces from somebody, or from where it was, to somebody else."""
    here = resolution.figures[who].cell if cell is None else cell
    return resolution.terrain.distance(here, resolution.figures[other].cell, *sizes_of(resolution.setup, who, other))


def _toils(resolution: Resolution, mover: Mover, cell: Cell) -> bool:
    """Whether a space of movement goes into getting through difficult ground: every such space takes two (OURS)."""
    figure = resolution.figures[mover.who]
    return not figure.toil and bool(_cells(resolution, mover.who, cell) & resolution.terrain.difficult)


def _slips(resolution: Resolution, mover: Mover) -> None:
    """Onto slippery ground: a dodge save or down (countup.md §5.4)."""
    being = resolution.being(mover.who)
    if being.saves[2] is None:
        return
    resolution.dice.thrower = being.id
    kept = roll(resolution.dice, "dodge save", (Die(1, 20),), being.saves[2] + resolve(being))
    holds = kept.total > SLICK
    resolution.events.append(Check(by=being.id, what="dodge save", roll=kept, rating=SLICK, success=holds))
    if not holds:
        mover.stopped = True
        resolution.change(mover.who, prone=True, stance=Stance.NONE, until=0)
        PRONE.tell(resolution, mover.who, "slippery ground")


def _settle(resolution: Resolution, movers: list[Mover]) -> None:
    """Give up, until nothing changes, every step onto a space that is taken or swapped; then the worst claim, again.

    Nothing here hangs on the order of the movers: all blocked ones give up at once, and of the beaten the last in rank.
    """
    while True:
        going = [m for m in movers if m.going is not None]
        blocked = [m for m in going if _blocked(resolution, m, _cells(resolution, m.who, m.going or Cell(0)), going)]
        if not blocked:
            beaten = [m for m in going if _beaten(resolution, m, _cells(resolution, m.who, m.going or Cell(0)), going)]
            if not beaten:
                return
            blocked = [max(beaten, key=lambda m: _rank(resolution, m.who))]
        for mover in blocked:
            mover.going = None


def _cells(resolution: Resolution, who: int, cell: Cell) -> int:
    return resolution.terrain.footprint(cell, resolution.being(who).space)


def _blocked(resolution: Resolution, mover: Mover, claim: int, movers: list[Mover]) -> bool:
    leaving = {m.who: m for m in movers if m.going is not None}
    for other, figure in enumerate(resolution.figures):
        if other == mover.who or not present(figure):
            continue
        here = _cells(resolution, other, figure.cell)
        if not here & claim:
            continue
        them = leaving.get(other)
        if them is None or them.going is None:
            return True
        if _cells(resolution, other, them.going) & _cells(resolution, mover.who, mover.at):
            return True  # through each other
    return False


def _rank(resolution: Resolution, who: int) -> tuple[float, int, str]:
    """Of two who want one space: the longer reach, then the lower initiative, then the id."""
    figure = resolution.figures[who]
    weapon = weapon_in_hand(resolution.setup, who, figure)
    return (-weapon.reach, figure.init, resolution.being(who).id)


def _beaten(resolution: Resolution, mover: Mover, claim: int, movers: list[Mover]) -> bool:
    return any(
        other.going is not None
        and other.who != mover.who
        and _cells(resolution, other.who, other.going) & claim
        and _rank(resolution, other.who) < _rank(resolution, mover.who)
        for other in movers
    )


def _meets(resolution: Resolution, mover: Mover) -> bool:
    """Whether a mover has come into contact with an enemy it had not met: it stops, unless it charges or flees."""
    figure = resolution.figures[mover.who]
    if figure.stance is Stance.FLEEING or (charging(figure) and figure.gait in ("run", "sprint")):
        return False
    state, side = resolution.done(), resolution.being(mover.who).side
    return any(
        resolution.being(other).side != side and other not in figure.contacts and in_contact(state, mover.who, other)
        for other in range(len(resolution.figures))
    )


def _arrive(resolution: Resolution, mover: Mover) -> None:
    """Tell the way gone, and keep the rest of it."""
    if mover.stopped and mover.count and not mover.went:  # on the spot: what was run straight on is broken off
        resolution.change(mover.who, straight=0)
    figure = resolution.figures[mover.who]
    order = figure.order
    if mover.went:
        path = tuple(resolution.space(cell) for cell in mover.went)
        resolution.events.append(
            Moved(by=resolution.being(mover.who).id, mode=figure.gait, start=resolution.space(mover.start), path=path)
        )
    retreats(resolution, mover.who, mover.start)
    if mover.went and order is not None and order.tactical:
        resolution.change(mover.who, tactical=figure.tactical + 1)
    elif mover.went and figure.gait == "walk" and _withdraws(resolution, mover):
        resolution.change(mover.who, withdrew=True)
    if order is None:
        return
    rest = order.path[len(mover.went) :]
    if (mover.stopped and mover.count) or figure.gait == "halt":
        rest = ()
    rushes = figure.straight >= CHARGE_RUN and figure.gait in ("run", "sprint")
    if rushes and (
        charging(figure) or figure.stance in (Stance.NONE, Stance.CHARGING)
    ):  # else a run ends no flight, no parry
        resolution.change(mover.who, stance=Stance.CHARGING, until=resolution.second + 5)
    facing = order.facing if rest else -1
    short = len(mover.went) < len(order.path) and not rest and figure.gait != "halt"
    if short and follows(resolution.setup, mover.who, figure, order):  # what was to be done at the end of it is off
        resolution.change(mover.who, order=None)
    else:
        resolution.change(mover.who, order=msgspec.structs.replace(order, path=rest, facing=facing))


def _withdraws(resolution: Resolution, mover: Mover) -> bool:
    """Whether a walk within a melee led back or to the side, not up to one of its foes (countup.md §2.6)."""
    foes = [other for other in resolution.figures[mover.who].contacts if present(resolution.figures[other])]
    nearer = [i for i in foes if _spaces(resolution, mover.who, i) < _spaces(resolution, mover.who, i, mover.start)]
    return bool(foes) and not nearer
