"""What the party is after: who needs help, prisoners, what may hold something, unknown ground, doors, stairs, home."""

from __future__ import annotations

from collections.abc import Iterator

from game.controllers.ai.delving.memory import Aim, AimKind
from game.controllers.ai.delving.view import View, stable
from game.controllers.ai.delving.ways import beside
from game.party.table import numbers
from rules.board.bitboard import board_of, cells_of
from rules.board.fixtures import HELD_SHUT, PORTCULLIS, DoorState, GoalKind
from rules.contract.units import Bitboard, Cell
from rules.core.fixtures.challenges import CHEST_DONE, CHESTS
from rules.explore.goals import OPEN, is_bound

PLACES = (GoalKind.REACH, GoalKind.HOLD)
"""Goals that count where one stands."""
UNLOCKING = ("unlock", "pick_lock", "open", "tackle", "force", "force_chest")
"""Words of what is done at what is held shut, the best first."""


def aims_of(view: View) -> Iterator[Aim]:
    """All that the party could be after now."""
    yield from _friends(view)
    if view.memory.homeward:
        yield from _homeward(view)
        return
    yield from _captives(view)
    yield from _goals(view)
    yield from _chests(view)
    yield from _bodies(view)
    yield from _unknown(view)
    yield from _held_shut(view)
    yield from _stairs(view)
    if view.memory.pressed:
        yield from _hidden(view)


def _homeward(view: View) -> Iterator[Aim]:
    """The way out. Who knows none, or goes to look for those who are astray, is after all that may lead on; who gets
    nowhere for long, too, though it counts as farther off."""
    memory = view.memory
    known = not memory.seeking and view.ahead_anyhow.nearest(view.exits) is not None
    yield from _home(view, worse=2 * view.w.detour if memory.seeking else 0)
    if known and not memory.pressed:
        return
    worse = view.w.detour if known else 0
    yield from _unknown(view, worse=worse)
    yield from _stairs(view, worse=worse)
    yield from _held_shut(view, worse=worse)
    if memory.pressed:
        yield from _hidden(view, worse=worse + view.w.detour)


def _friends(view: View) -> Iterator[Aim]:
    """Friends who lie there and can still be helped, the dying before those who only lie."""
    for mini in view.helpable:
        near = view.w.friends if stable(mini) else 2 * view.w.friends
        yield Aim("a friend who lies there", (AimKind.FRIEND, mini.id), view.around(Bitboard(1 << mini.cell)),
                  -near, tries=view.w.visits)  # fmt: skip


def _captives(view: View) -> Iterator[Aim]:
    for mini in view.table.board.miniatures:
        if is_bound(mini) and mini.cell >= 0 and view.known >> mini.cell & 1:
            spots = view.around(Bitboard(1 << mini.cell))
            yield Aim("somebody to free", (AimKind.CAPTIVE, mini.id), spots, -view.w.friends, ("free",), mini.id, 4)


def _goals(view: View) -> Iterator[Aim]:
    """Where goals count, and who carries what must be carried out but fell."""
    for goal in view.table.board.goals:
        spots = goal.cells & view.known
        if goal.state == OPEN and not goal.waits and spots and goal.kind in PLACES:
            yield Aim("a goal", (AimKind.GOAL, goal.name), Bitboard(spots), -view.w.friends, tries=40)


def _chests(view: View) -> Iterator[Aim]:
    for mark in view.table.board.ground:
        if mark.kind in CHESTS and mark.cells & view.known:
            tries = 1 if mark.kind == CHEST_DONE else 4
            key = (AimKind.CHEST, mark.label, mark.kind)
            spots = view.around(Bitboard(mark.cells))
            yield Aim("what may hold something", key, spots, 0, UNLOCKING, mark.label, tries)


def _bodies(view: View) -> Iterator[Aim]:
    """Those who fell to the party or before it, and what lies about: near by alone."""
    near = view.near
    for mini in view.table.board.miniatures:
        if mini.side != view.side and mini.art in view.memory.empty:
            continue  # others like it had nothing
        if mini.out and mini.cell >= 0 and (mini.dead or mini.side != view.side) and near >> mini.cell & 1:
            yield Aim("what the fallen had", (AimKind.BODY, mini.id), view.around(Bitboard(1 << mini.cell)), 0)
    for item in view.table.board.floor:
        if near >> item.cell & 1 and (item.item in view.wanted or view.room > view.w.room):
            spots = view.around(Bitboard(1 << item.cell))
            yield Aim("what lies about", (AimKind.FLOOR, item.item, item.cell), spots, view.w.detour // 4)


def _unknown(view: View, worse: int = 0) -> Iterator[Aim]:
    """Ground from which more is to be seen, and shut doors that a hand opens."""
    table = view.table
    edge = view.edge
    if edge:
        yield Aim("unknown ground", (AimKind.UNKNOWN,), Bitboard(edge), worse + 2, tries=1 << 30)
    for number, door in enumerate(table.field.doors):
        shut = not table.terrain.doors_open >> number & 1 and table.board.doors[number] == DoorState.CLOSED
        if shut and door.kind != PORTCULLIS and view.known >> door.cell & 1:
            far = door.cell if door.edge is None else door.edge
            spots = view.around(board_of((door.cell, far)))
            yield Aim("a shut door", (AimKind.DOOR, door.id), spots, worse + 2, ("open",), door.id, 2)


def _held_shut(view: View, worse: int = 0) -> Iterator[Aim]:
    """Doors that no hand opens just so."""
    table = view.table
    for door, stands in zip(table.field.doors, table.board.doors, strict=True):
        if stands not in HELD_SHUT and (stands != DoorState.CLOSED or door.kind != PORTCULLIS):
            continue
        cells = board_of((door.cell,) if door.edge is None else (door.cell, door.edge))
        if cells & view.known:
            spots = beside(table.terrain, cells) & view.known & ~cells
            if stands == DoorState.LOCKED and door.key in view.keys:  # however often it was tried without
                yield Aim("a door to which there is a key", (AimKind.DOOR, door.id, door.key), Bitboard(spots),
                          worse - view.w.keyed, ("unlock",), door.id, 2 * view.w.tries)  # fmt: skip
                continue
            yield Aim("a door that is held shut", (AimKind.DOOR, door.id), Bitboard(spots), worse + view.w.locked,
                      UNLOCKING, door.id, view.w.tries)  # fmt: skip


def _stairs(view: View, worse: int = 0) -> Iterator[Aim]:
    """Stairs to where nobody of the party has been."""
    for stair in view.table.field.stairs:
        if view.known >> stair.cell & 1 and not view.known >> stair.to & 1:
            key = (AimKind.STAIRS, stair.cell, stair.to)
            yield Aim("stairs", key, Bitboard(1 << stair.cell), worse + view.w.stairs, ("stairs",), tries=3)


def _hidden(view: View, worse: int = 0) -> Iterator[Aim]:
    """Ground that nobody has searched."""
    left = view.known & ~view.memory.searched & ~view.table.opened.blocked
    best: Cell | None = None
    most = view.w.worth
    for cost, layer in enumerate(view.ahead.layers):
        if cost > view.w.searches:
            break
        for cell in cells_of(layer):
            gain = (view.table.terrain.within(cell, 2) & left).bit_count() - cost // 3
            if gain > most:
                best, most = cell, gain
    if best is not None:
        yield Aim(
            "hidden things", (AimKind.HIDDEN, best), Bitboard(1 << best), worse + view.w.hidden, ("search",), tries=2
        )


def _home(view: View, worse: int = 0) -> Iterator[Aim]:
    """The way out."""
    yield Aim("the way out", (AimKind.OUT,), view.exits, worse, ("leave",), tries=1 << 30)


def all_done(view: View) -> bool:
    """Whether all that must be done before one leaves is done, with what is to be carried out in somebody's hands."""
    needed = [goal for goal in view.table.board.goals if goal.side == view.side and not goal.optional]
    undone = (goal for goal in needed if goal.state == OPEN and goal.kind != GoalKind.OUT)
    left = [goal for goal in undone if not _carried(view, goal.name)]
    return bool(needed) and not left


def _carried(view: View, name: str) -> bool:
    """Whether the thing of a goal is in the hands of somebody who can walk."""
    aims = getattr(view.table.state, "aims", None)
    for number, goal in enumerate(view.table.field.goals):
        if goal.name == name and goal.kind == GoalKind.FETCH and aims is not None:
            index = numbers(view.table.state)
            return any(index.get(m.id) == aims.has[number] for m in view.party)
    return False
