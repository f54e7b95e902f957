"""Joint movement: four sub-steps a second, all intended spaces compared, whoever spoke first (countup.md §1)."""

from __future__ import annotations

import msgspec

from rules.board.path import step_fault
from rules.contract.events import Check, Moved, Note
from rules.countup.actions.movement import CHARGE_RUN, RUSHES, gait_now, rate
from rules.countup.actions.table import follows
from rules.countup.combat.injury import advances, retreats
from rules.countup.combat.melee import charging
from rules.countup.combat.reach import COMPASS, bearing, direction, in_contact
from rules.countup.conditions import PRONE, Doing, forbidden
from rules.countup.manners import Stance
from rules.countup.penetration import Die, roll
from rules.countup.state import (
    SPACE,
    Figure,
    Ground,
    Order,
    Resolution,
    able,
    in_hand,
    present,
    resolve,
    sizes_of,
    weapon_of,
)
from rules.countup.visibility import zone

SUBSTEPS = 4
SLICK = 10
"""What the dodge save on slippery ground must beat: the caster is not there to oppose it."""


class Mover:
    """Somebody who moves in this second."""

    __slots__ = ("at", "count", "going", "start", "stopped", "went", "who")

    def __init__(self, who: int, count: int, cell: int) -> None:
        self.who = who
        self.count = count
        self.at = self.start = cell
        self.going: int | None = None
        self.stopped = False
        self.went: list[int] = []


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
            resolution.events.append(Note(text="loses the candle's flame", by=resolution.being(who).id))
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


def _spaces(resolution: Resolution, who: int, other: int, cell: int | None = None) -> int:
    """Spaces from somebody, or from where it was, to somebody else."""
    here = resolution.figures[who].cell if cell is None else cell
    return resolution.terrain.distance(here, resolution.figures[other].cell, *sizes_of(resolution.setup, who, other))


def _toils(resolution: Resolution, mover: Mover, cell: int) -> bool:
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
        blocked = [m for m in going if _blocked(resolution, m, _cells(resolution, m.who, m.going or 0), going)]
        if not blocked:
            beaten = [m for m in going if _beaten(resolution, m, _cells(resolution, m.who, m.going or 0), going)]
            if not beaten:
                return
            blocked = [max(beaten, key=lambda m: _rank(resolution, m.who))]
        for mover in blocked:
            mover.going = None


def _cells(resolution: Resolution, who: int, cell: int) -> int:
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
    weapon = weapon_of(resolution.setup, who, in_hand(resolution.setup, who, figure))
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
