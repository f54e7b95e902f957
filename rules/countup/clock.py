"""The clock: second by second from one question to the next; joint movement in four sub-steps a second, all intended
spaces compared, whoever spoke first (countup.md §1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import assert_never

from msgspec.structs import replace

from rules.board.path import step_fault
from rules.board.sight import Grade
from rules.contract.actions import Action
from rules.contract.events import Began, Check, Healing, Over, Points
from rules.contract.text import text
from rules.contract.units import Bitboard, Cell, CreatureIx, Seconds, first_creatures, numbered
from rules.countup import hazards
from rules.countup.actions.answers import GIVE_GROUND
from rules.countup.actions.attacks import KNOCK_ASIDE, shots
from rules.countup.actions.movement import CHARGE_RUN, gait_now, rate, rise
from rules.countup.actions.objects import tasks
from rules.countup.actions.table import ACTION_KINDS, follows
from rules.countup.arriving import ARRIVING
from rules.countup.combat.attack import charging, could_strike, speed_of
from rules.countup.combat.initiative import initiative, pairs
from rules.countup.combat.injury import advances, react, retreats, strikes, tell_moved
from rules.countup.combat.reach import ahead, bearing, direction, in_contact, in_reach
from rules.countup.combat.wounds import mended
from rules.countup.conditions import HELPLESS, PRONE, Doing, expire, forbidden
from rules.countup.explore.minutes import MINUTES
from rules.countup.manners import Stance
from rules.countup.penetration import Die
from rules.countup.spells import complete, sear
from rules.countup.statblock import CANDLE
from rules.countup.state import SPACE, Gait, Ground, Order, Phase, Resolution
from rules.countup.visibility import zone
from rules.explore.waves import coming

SHOUT = Seconds(2)
"""Seconds of initiative that a shout saves (option)."""
LAST_SECOND = Seconds(3600)
"""A fight that lasts longer ends without a winner."""


def open_fight(resolution: Resolution) -> Resolution:
    """Stealth against keen senses; initiative for all, in the record's order; the first second in which one may act."""
    resolution.events.append(Began(what="fight"))
    initiative(resolution)
    _next_second(resolution)
    return run_on(resolution)


def _hue_and_cry(resolution: Resolution) -> None:
    """Whoever first may act on a side shouts: friends still unaware act two seconds sooner, once (option)."""
    second, figures, beings = resolution.second, resolution.figures, resolution.setup.beings
    for who, figure in numbered(figures):
        if not figure.present or figure.init != second:
            continue
        others = [i for i, f in numbered(figures) if beings[i].side == beings[who].side and f.present]
        if any(figures[i].init < second for i in others):
            continue
        for other in others:
            late, due = figures[other].init, figures[other].due
            if late > second:
                sooner = max(second, late - SHOUT)
                resolution.change(other, init=sooner, due=sooner if due == late else due)
                shout = Points(by=beings[other].id, now=sooner, what="initiative", because="hue and cry")
                resolution.events.append(shout)


def meet(resolution: Resolution) -> None:
    """New pairs within reach; old ones that have parted are forgotten."""
    found = pairs(resolution)
    for who, before in numbered(list(resolution.figures)):
        kept = tuple(sorted(found.get(who, ())))
        met = before.contacts if resolution.second > 1 else ()  # in the first second all meet whom they stand beside
        fresh = tuple(other for other in kept if other not in met)
        if (kept, fresh) != (before.contacts, before.fresh):
            resolution.change(who, contacts=kept, fresh=fresh)
        if kept and before.broke and not before.fleeing:  # its weapon's time begins anew (countup.md §1)
            due = resolution.second + speed_of(resolution, who, resolution.weapon(who))
            resolution.change(who, broke=False, due=max(before.due, due))
        if fresh and before.order is not None and before.order.awaits:
            resolution.change(who, order=replace(before.order, awaits=0))


def collect(resolution: Resolution) -> None:
    """All strikes that are due, with somebody to strike; those of first contact by reach (countup.md §1 STRIKE)."""
    attacks, now = [], resolution.second
    for who, figure in numbered(resolution.figures):
        action, free_at = figure.action, max(figure.busy, figure.fatigue, figure.ready_at)
        if action is None or free_at > now or not figure.able(now) or figure.held_by >= 0 or figure.casting is not None:
            continue
        attack = ACTION_KINDS[action.do].prepared(resolution, who, action)
        if attack is not None:
            first = attack.target in figure.fresh and not figure.surprised(now)
            attacks.append((-attack.weapon.reach if first else 0.0, who, attack))
    for second, attack in resolution.later:
        # with what is in hand by now, the fist where the fist struck
        weapon = attack.weapon if attack.weapon.unarmed else resolution.free_weapon(attack.by)
        can = second <= now and could_strike(resolution, attack.by, weapon)
        if can and in_reach(resolution, attack.by, attack.target, weapon):
            attacks.append((0.0, attack.by, replace(attack, weapon=weapon)))
    resolution.later = tuple(each for each in resolution.later if each[0] > now)
    resolution.attacks = tuple(attack for _, _, attack in sorted(attacks, key=lambda entry: (entry[0], entry[1])))


def name_second(resolution: Resolution) -> None:
    """What happened in this second stands under its number; seconds in which nothing happens are not told."""
    if resolution.second > resolution.told and len(resolution.events) > resolution.mark:
        resolution.events.insert(resolution.mark, Began(what="second", number=resolution.second))
        resolution.told = resolution.second


def run_on(resolution: Resolution) -> Resolution:
    """Seconds tick until something opens, or the fight is over."""
    while resolution.phase is not Phase.OVER and not resolution.choices:
        if resolution.setup.field.arrivals:
            ARRIVING.heed(resolution)
        match resolution.phase:
            case Phase.EXPLORE:
                if MINUTES.exploring(resolution):
                    break
            case Phase.DECLARE:
                resolution.asked = free_in(resolution)
                if resolution.asked:
                    break
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
    if resolution.phase is not Phase.EXPLORE:
        name_second(resolution)
    return resolution


def free_in(resolution: Resolution) -> list[CreatureIx]:
    """All who need an order in this second."""
    return [who for who in first_creatures(len(resolution.figures)) if needs_order(resolution, who)]


def needs_order(resolution: Resolution, who: CreatureIx) -> bool:
    """Whether somebody is free in this second and has no order that still holds."""
    figure = resolution.figures[who]
    order = figure.order
    holds = order is not None and order.done
    if holds and order is not None and (order.path or order.given == resolution.second):
        return False
    if not figure.able(resolution.second) or figure.busy > resolution.second or figure.at_work:
        return False
    if order is None or not holds:
        return True
    return order.action is None or not ACTION_KINDS[order.action.do].holds(resolution, who, order, order.action)


# -- the phases of a second --------------------------------------------------------------------------------


def _declare(resolution: Resolution) -> None:
    """Orders take hold the moment that time moves: stances, readying, getting up, casting."""
    for who, figure in numbered(resolution.figures):
        order, action = figure.order, figure.action
        if figure.stance is Stance.SET:  # while its bearer neither leaves its space nor takes up anything else
            kept = action is not None and ACTION_KINDS[action.do].keeps(action) is Stance.SET
            if not kept or figure.moved >= figure.set_since:
                figure = resolution.change(who, stance=Stance.NONE, until=0, set_since=-1)
        if order is None or not figure.able(resolution.second):
            continue
        if order.facing >= 0:
            left = order if order.path else replace(order, facing=-1)
            figure = resolution.change(who, facing=order.facing, order=left)
        if action is not None and not follows(resolution.setup, who, figure, order):
            kind, stance = ACTION_KINDS[action.do], figure.stance
            if kind.faces:
                _face(resolution, who, order, action)
            if stance.rank and stance is not kind.keeps(action):  # it ends; its penalty stays on the next attack
                owed = 2 * stance.rank if figure.due > resolution.second else 0
                resolution.change(who, stance=Stance.NONE, until=0, owed=max(figure.owed, owed))
            kind.resolve(resolution, who, action)


def _face(resolution: Resolution, who: CreatureIx, order: Order, action: Action) -> None:
    """Who fights somebody keeps its face to him, in every second, unless it was bidden elsewhere (countup.md §3)."""
    target = resolution.find(action.target)
    if order.path or order.facing >= 0 or target is None or not resolution.figures[target].present:
        return
    if order.awaits and resolution.sight(who, target) is Grade.NONE:
        return  # it may come from anywhere
    resolution.change(who, facing=bearing(resolution, who, target))


def _next_second(resolution: Resolution) -> None:
    """EXPIRE: timers end; standing up from helplessness takes a second (countup.md §1)."""
    name_second(resolution)
    resolution.second += 1
    resolution.mark = len(resolution.events)
    resolution.phase = Phase.DECLARE
    resolution.attacks = ()
    for who, figure in numbered(list(resolution.figures)):
        if figure.present:
            _tick(resolution, who)
    if resolution.setup.field.arrivals:
        ARRIVING.turn_begins(resolution, resolution.second)
    if resolution.setup.crawl and resolution.second % LOOKS_ROUND == 0 and MINUTES.turn_passes(resolution):
        MINUTES.truce(resolution)
        return
    if resolution.setup.options["hue_and_cry"]:
        _hue_and_cry(resolution)
    resolution.zones = tuple(zone for zone in resolution.zones if zone[2] > resolution.second)


def _tick(resolution: Resolution, who: CreatureIx) -> None:
    """What a new second brings somebody."""
    figure, being, second = resolution.figures[who], resolution.being(who), resolution.second
    if figure.helpless and figure.helpless <= second:
        resolution.change(who, helpless=0, due=second + 1 + speed_of(resolution, who, resolution.weapon(who)))
        figure = rise(resolution, who)
        HELPLESS.tell(resolution, who, gained=False)
    if figure.stance and figure.until <= second and not (figure.fleeing and figure.path):  # while there is way left
        up = figure.stance is Stance.RISING
        resolution.change(who, stance=Stance.NONE, until=0, prone=figure.prone and not up)
        if up and figure.prone:
            PRONE.tell(resolution, who, gained=False)
    expire(resolution, who)
    figure = resolution.figures[who]
    if being.burns and second == being.burns and not figure.dark:
        figure = resolution.change(who, dark=True)
        resolution.note(who, text("is left in the dark: the {lamp} is burnt down", being.lamp))
    if being.regenerates and second % being.regenerates == 0 and 0 < figure.hp < being.hp_max - figure.burnt:
        resolution.change(who, hp=figure.hp + 1, wounds=mended(figure.wounds, 1))
        resolution.events.append(Healing(target=being.id, amount=1, now=figure.hp + 1))


def _over(resolution: Resolution) -> bool:
    """The fight ends when at most one side has anybody left."""
    if resolution.setup.crawl:
        return _settled(resolution)
    beings = resolution.setup.beings
    on_their_way = coming(resolution)
    here = (i for i, figure in numbered(resolution.figures) if figure.present or on_their_way >> i & 1)
    sides = list(dict.fromkeys(beings[i].side for i in here))
    if len(sides) > 1 and resolution.second < LAST_SECOND:
        return False
    resolution.phase = Phase.OVER
    resolution.winner = sides[0] if len(sides) == 1 else ""
    resolution.events.append(Over(winner=resolution.winner))
    return True


def _settled(resolution: Resolution) -> bool:
    """In a crawl a fight is over when nobody who knows of the heroes is left; the evening, when no hero is."""
    if not MINUTES.settled(resolution):
        return False
    if not MINUTES.truce(resolution):
        MINUTES.over(resolution)
    return True


LOOKS_ROUND = 10
"""Seconds between two looks at whether anybody still sees anybody (OURS)."""
SUBSTEPS = 4
SLICK = 10
"""What the dodge save on slippery ground must beat: the caster is not there to oppose it."""


@dataclass(slots=True, eq=False)
class Mover:
    """Somebody who moves in this second."""

    who: CreatureIx
    count: int
    start: Cell
    going: Cell | None = None
    stopped: bool = False
    springs: int = -1
    """The number of the trap that the next step sets off."""
    went: list[Cell] = field(default_factory=list)


def move_all(resolution: Resolution) -> None:
    """Everybody who has a way moves for one second, together."""
    movers = _movers(resolution)
    for step in range(1, SUBSTEPS + 1):
        spaces = {m.who: m.count * step // SUBSTEPS - m.count * (step - 1) // SUBSTEPS for m in movers}
        for turn in range(max(spaces.values(), default=0)):
            _substep(resolution, [m for m in movers if not m.stopped and spaces[m.who] > turn])
            for mover in movers:  # whoever comes up, contact stops both
                mover.stopped = mover.stopped or _meets(resolution, mover)
    for mover in movers:
        _arrive(resolution, mover)
    moved = {mover.who for mover in movers}
    for who, figure in numbered(resolution.figures):
        if who not in moved and (figure.gait or figure.straight or figure.toil):
            resolution.change(who, gait=Gait.NONE, carry=0, straight=0, toil=False, sprinted=0)


HALT = 2
"""Spaces of the count in which somebody comes to a halt from a run; half for the small (countup.md §3)."""


def _movers(resolution: Resolution) -> list[Mover]:
    """Who has a way, and who ran and comes to a halt straight on, if it got away from its space at all."""
    found = []
    for who, figure in numbered(list(resolution.figures)):
        order = figure.order
        if not figure.able(resolution.second):
            continue
        if figure.gait.fast and figure.straight and not (figure.contacts or figure.prone or figure.path):
            steps = HALT if resolution.being(who).pace[0] >= SPACE else 1
            if halt := tuple(ahead(resolution.setup.field, figure.cell, figure.heading, steps)):
                kept = order if order is not None else Order(done=True, given=resolution.second)
                resolution.change(who, order=replace(kept, path=halt), gait=Gait.HALT, carry=0, sprinted=0)
                found.append(Mover(who, len(halt), figure.cell))
            continue
        if order is None or not order.path:
            continue
        if figure.busy > resolution.second or figure.casting is not None or forbidden(figure, Doing.STEP):
            continue
        gait = gait_now(resolution.setup, who, figure, resolution.second, order.gait)
        carry = rate(resolution.setup, who, figure, gait)
        count = carry // SPACE
        straight = figure.straight if figure.gait.rushes and gait.rushes else 0
        sprinted = figure.sprinted + 1 if gait is Gait.SPRINT else 0
        resolution.change(who, straight=straight, carry=carry - count * SPACE, gait=gait, sprinted=sprinted)
        if gait.fast and resolution.being(who).lamp == CANDLE and not figure.dark:
            resolution.change(who, dark=True)
            resolution.note(who, "loses the candle's flame")
        found.append(Mover(who, count, figure.cell))
    return found


def _substep(resolution: Resolution, movers: list[Mover]) -> None:
    """One space each, if it is free or becomes free in the same moment."""
    terrain, figures = resolution.terrain, resolution.figures
    stepping: list[Mover] = []
    for mover in movers:
        who, figure, space = mover.who, figures[mover.who], resolution.being(mover.who).space
        path, mover.going = figure.path[len(mover.went) :], None
        free = path and not (figure.held_by >= 0 and advances(resolution, who, mover.start, path[0]))
        if free and step_fault(terrain, figure.cell, path[0], space) is None:
            # a space of movement goes into getting through difficult ground: every such space takes two (OURS)
            if not figure.toil and terrain.footprint(path[0], space) & terrain.difficult:
                resolution.change(who, toil=True)
                continue
            if not resolution.challenges or _ventures(resolution, mover, path[0]):
                mover.going = path[0]
        stepping.append(mover)
    _settle(resolution, stepping)
    for mover in stepping:
        if mover.going is None:
            mover.stopped = True
            continue
        mover.went.append(mover.going)
        figure = figures[mover.who]
        heading = direction(resolution.setup.field, figure.cell, mover.going)
        straight = SPACE + (figure.straight if figure.heading == heading else 0)
        resolution.change(mover.who, cell=mover.going, facing=heading, heading=heading, moved=resolution.second,
                          straight=straight, toil=False)  # fmt: skip
        if mover.springs >= 0:
            mover.stopped = True
            hazards.spring(resolution, mover.who, mover.springs)
    slick = zone(resolution, Ground.SLIPPERY) if resolution.zones else 0
    for mover in stepping if slick else ():
        if slick & resolution.footprint(mover.who) and not mover.stopped and not figures[mover.who].prone:
            _slips(resolution, mover)
    for mover in stepping:
        if mover.going is not None:
            _keep_face(resolution, mover)


def _ventures(resolution: Resolution, mover: Mover, there: Cell) -> bool:
    """Whether somebody goes on where the map has waters and traps: it swims, and sees no trap in time."""
    if not hazards.swims(resolution, mover.who, there) or not resolution.figures[mover.who].present:
        return False
    ventures, mover.springs = hazards.underfoot(resolution, mover.who, there)
    return ventures


def _keep_face(resolution: Resolution, mover: Mover) -> None:
    """Who walks within a melee backs up or sidesteps: the face stays to the foe, or turns to where it was bidden."""
    figure, order = resolution.figures[mover.who], resolution.figures[mover.who].order
    if order is not None and order.facing >= 0:
        if figure.gait in (Gait.CRAWL, Gait.WALK) or len(mover.went) == len(order.path):
            resolution.change(mover.who, facing=order.facing)
        return
    foes = [other for other in figure.contacts if resolution.figures[other].present]
    if not foes or figure.gait is not Gait.WALK or figure.fleeing:
        return
    wanted = figure.action.target if figure.action is not None else None
    other = min(foes, key=lambda i: (resolution.being(i).id != wanted, resolution.distance(mover.who, i), i))
    resolution.change(mover.who, facing=bearing(resolution, mover.who, other))


def _slips(resolution: Resolution, mover: Mover) -> None:
    """Onto slippery ground: a dodge save or down (countup.md §5.4)."""
    being = resolution.being(mover.who)
    if being.saves[2] is None:
        return
    kept = resolution.roll(mover.who, "dodge save", (Die(1, 20),), being.saves[2] + being.resolve)
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
    footprint, beings = resolution.terrain.footprint, resolution.setup.beings
    stands = {who: resolution.footprint(who) for who, figure in numbered(resolution.figures) if figure.present}
    while True:
        claims = {m.who: footprint(m.going, beings[m.who].space) for m in movers if m.going is not None}
        out = [who for who in claims if _blocked(who, claims, stands)]
        if not out:
            beaten = [who for who in claims if _beaten(resolution, who, claims)]
            if not beaten:
                return
            out = [max(beaten, key=lambda who: _rank(resolution, who))]
        for mover in movers:
            mover.going = None if mover.who in out else mover.going


Claims = Mapping[CreatureIx, Bitboard]
"""Bitboard of the spaces that each who goes on wants to cover, or that each covers."""


def _blocked(who: CreatureIx, claims: Claims, stands: Claims) -> bool:
    """Whether somebody stands where one wants to go and does not leave, or comes the other way."""
    claim, own = claims[who], stands[who]
    for other, board in stands.items():
        if board & claim and other != who and (other not in claims or claims[other] & own):
            return True
    return False


def _rank(resolution: Resolution, who: CreatureIx) -> tuple[float, int, str]:
    """Of two who want one space: the longer reach, then the lower initiative, then the id."""
    return (-resolution.weapon(who).reach, resolution.figures[who].init, resolution.being(who).id)


def _beaten(resolution: Resolution, who: CreatureIx, claims: Claims) -> bool:
    """Whether somebody with a better claim wants the same space."""
    rivals = [other for other, claim in claims.items() if other != who and claim & claims[who]]
    return any(_rank(resolution, other) < _rank(resolution, who) for other in rivals)


def _meets(resolution: Resolution, mover: Mover) -> bool:
    """Whether a mover has come into contact with an enemy it had not met: it stops, unless it charges or flees."""
    who, figures = mover.who, resolution.figures
    figure = figures[who]
    if figure.fleeing or (charging(figure) and figure.gait.fast):
        return False
    setup, beings = resolution.setup, resolution.setup.beings
    near = resolution.terrain.within(figure.cell, setup.longest, beings[who].space)
    for other in setup.against[beings[who].side]:
        it = figures[other]
        if it.present and (near >> it.cell & 1 or beings[other].space > 1) and other not in figure.contacts:
            if in_contact(resolution, who, other):
                return True
    return False


def _arrive(resolution: Resolution, mover: Mover) -> None:
    """Tell the way gone, and keep the rest of it."""
    if mover.stopped and mover.count and not mover.went:  # on the spot: what was run straight on is broken off
        resolution.change(mover.who, straight=0)
    figure = resolution.figures[mover.who]
    order = figure.order
    if mover.went:
        tell_moved(resolution, mover.who, figure.gait.value, (mover.start, *mover.went))
    retreats(resolution, mover.who, mover.start)
    if mover.went and order is not None and order.tactical:
        resolution.change(mover.who, tactical=figure.tactical + 1)
    elif mover.went and figure.gait is Gait.WALK and _withdraws(resolution, mover):
        resolution.change(mover.who, withdrew=True)
    if order is None:
        return
    halts = figure.gait is Gait.HALT
    rest = () if (mover.stopped and mover.count) or halts else order.path[len(mover.went) :]
    runs = figure.straight >= CHARGE_RUN and figure.gait.fast
    if runs and (charging(figure) or figure.stance in (Stance.NONE, Stance.CHARGING)):  # it ends no flight, no parry
        resolution.change(mover.who, stance=Stance.CHARGING, until=resolution.second + 5)
    short = len(mover.went) < len(order.path) and not rest and not halts
    if short and follows(resolution.setup, mover.who, figure, order):  # what was to be done at the end of it is off
        resolution.change(mover.who, order=None)
    else:
        resolution.change(mover.who, order=replace(order, path=rest, facing=order.facing if rest else -1))


def _withdraws(resolution: Resolution, mover: Mover) -> bool:
    """Whether a walk within a melee led back or to the side, not up to one of its foes (countup.md §2.6)."""
    figures, here = resolution.figures, mover.start
    foes = [other for other in figures[mover.who].contacts if figures[other].present]
    before = (resolution.terrain.distance(here, figures[i].cell, *resolution.setup.sizes(mover.who, i)) for i in foes)
    return bool(foes) and all(resolution.distance(mover.who, i) >= far for i, far in zip(foes, before, strict=True))
