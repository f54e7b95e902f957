"""A side resolves: moves, risk saves, pooled attacks, the rest, late moves (cairn.md §1 The order within a half)."""

from __future__ import annotations

import msgspec

from rules.board.bitboard import board_of
from rules.board.grid import Door
from rules.board.path import step_cost
from rules.cairn.actions.deeds import (
    breaks_by,
    door_cells,
    held_shut,
    in_doorway,
    needs_help,
    spring,
    spring_own,
    watched,
)
from rules.cairn.actions.driven import drive
from rules.cairn.actions.hidden import door_named, door_state
from rules.cairn.actions.items import LIT, relights
from rules.cairn.actions.manoeuvres import gripped, manoeuvre
from rules.cairn.actions.movement import rise, walk
from rules.cairn.actions.plans import STAND, Context, suffers
from rules.cairn.actions.searching import search, tackle
from rules.cairn.belongings import drop_item, spend, take_up
from rules.cairn.combat.attack import strike_all
from rules.cairn.combat.injury import burn, leave, stabilise
from rules.cairn.conditions import AVERTED, DARING, INVISIBLE, PANICKED, PRONE, SNUFFED, TETHERED, Condition
from rules.cairn.magic.casting import cast
from rules.cairn.magic.ground import beside, in_hand, lay_ground
from rules.cairn.saves import afflict, relieve, save
from rules.cairn.state import Plan, Resolution, able, present, prone
from rules.contract.actions import Action
from rules.contract.events import Door as DoorMoved
from rules.contract.events import Note


def resolve(resolution: Resolution) -> None:
    """Carry out the plans of the side whose half it is, in the order in which they were declared.

    Those whom fear or frenzy drives go first; what the side held ready in its last half is let go. What a side does
    counts as done at once: who is struck down by a friend's blow has done by then what it had planned.
    """
    begun = len(resolution.events)
    side = resolution.setup.sides[resolution.half]
    resolution.readied = tuple(held for held in resolution.readied if resolution.being(held[0]).side != side)
    plans = [(who, plan) for who in resolution.declared if (plan := resolution.plans[who]) is not None]
    driven = drive(resolution)
    _early(resolution, plans)
    spring(resolution, begun, "comes", side)
    actors = tuple(who for who, plan in plans if _acts(plan) and able(resolution.figures[who]))
    spring(resolution, begun, "acts", side, actors)
    for who, plan in plans:
        if plan.action is not None and plan.action.do in _RISKS and able(resolution.figures[who]):
            if plan.action.do != "retreat":  # who is not seen to go needs no save
                relieve(resolution, who, INVISIBLE, "it acts")
            _RISKS[plan.action.do](resolution, who, plan.action)
    acting = [who for who, _ in plans if able(resolution.figures[who])]
    resolution.pyres = []
    blows = [(who, blow) for who, plan in plans if (blow := _blow(resolution, who, plan)) is not None]
    strike_all(resolution, [*driven, *blows])
    for who, _ in blows:
        relieve(resolution, who, DARING)
    for who, plan in plans:
        if (
            plan.action is not None
            and plan.action.do in _OTHERS
            and who in acting
            and resolution.figures[who].cell >= 0
        ):
            if plan.action.do != "ready":
                relieve(resolution, who, INVISIBLE, "it acts")
            _OTHERS[plan.action.do](resolution, who, plan.action)
    burn(resolution)
    late = len(resolution.events)
    for who, plan in plans:
        if plan.action_first and able(resolution.figures[who]):
            _go(resolution, who, plan)
            _pick(resolution, who, plan)
    spring(resolution, late, "comes", side)
    spring_own(resolution, begun)
    for who, figure in enumerate(resolution.figures):
        if figure.ran:
            resolution.change(who, ran=0)
    resolution.plans = [None] * len(resolution.figures)
    resolution.declared = []


def _early(resolution: Resolution, plans: list[tuple[int, Plan]]) -> None:
    """What is let go or looked away from, and the moves that come before everything else."""
    for who, plan in plans:
        if plan.aside is not None and plan.aside.do != "pick_up":
            _aside(resolution, who, plan)
            resolution.plans[who] = msgspec.structs.replace(
                plan, aside=None
            )  # it is gone, and not to be let go once more
        if not plan.action_first:
            _go(resolution, who, plan)
            _pick(resolution, who, plan)
    for who, plan in plans:
        if not plan.action_first and present(resolution.figures[who]):
            start, size = resolution.state.figures[who].cell, resolution.being(who).space
            resolution.change(who, ran=resolution.terrain.distance(start, resolution.figures[who].cell, size, size))


def _acts(plan: Plan) -> bool:
    """Whether a plan does something that somebody could be waiting for: anything but going and getting ready."""
    return plan.action is not None and plan.action.do not in ("dash", "ready")


def _blow(resolution: Resolution, who: int, plan: Plan) -> Action | None:
    """The attack of a plan, a daring one if the risk came off."""
    action = plan.action
    if action is not None and action.do == "daring" and resolution.figures[who].has(DARING):
        return msgspec.structs.replace(action, do="attack")
    return action if action is not None and action.do == "attack" else None


def _go(resolution: Resolution, who: int, plan: Plan) -> None:
    """The move, and the second one that takes the action."""
    if plan.stand and Context(resolution.done(), who).budget >= STAND:
        rise(resolution, who)
    if plan.path:
        walk(resolution, who, _within(resolution, who, plan.path), "move")
    dash = plan.action is not None and plan.action.do == "dash"
    if dash and present(resolution.figures[who]):
        assert plan.action is not None
        walk(resolution, who, _within(resolution, who, plan.action.path), "dash")


def _within(resolution: Resolution, who: int, path: tuple[int, ...]) -> tuple[int, ...]:
    """As much of a planned way as can still be gone: one may have been floored, held or hurt since it was planned."""
    context = Context(resolution.done(), who)
    left, cell = context.budget - (STAND if prone(context.figure) else 0), context.figure.cell
    for number, there in enumerate(path):
        left -= max(1, step_cost(context.ground, cell, there, context.being.space))
        if left < 0:
            return path[:number]
        cell = there
    return path


def _pick(resolution: Resolution, who: int, plan: Plan) -> None:
    if plan.aside is not None and plan.aside.do == "pick_up" and able(resolution.figures[who]):
        _pick_up(resolution, who, plan.aside)


def _aside(resolution: Resolution, who: int, plan: Plan) -> None:
    """What is let go makes room before anything else happens."""
    assert plan.aside is not None
    item = plan.aside.item
    if plan.aside.do == "avert":
        afflict(resolution, who, AVERTED, because="looks away")
        last = msgspec.structs.replace(resolution.figures[who].lasting[-1], rounds=1)
        resolution.change(who, lasting=(*resolution.figures[who].lasting[:-1], last))
    elif able(resolution.figures[who]) and item in (
        *resolution.figures[who].hands,
        *resolution.figures[who].pack,
    ):
        drop_item(resolution, who, item, "dropped")


def _dare(resolution: Resolution, who: int, action: Action) -> None:
    """The risk before a daring blow (cairn.md §2.2)."""
    if save(resolution, who, "dex", "a daring manoeuvre"):
        afflict(resolution, who, DARING)
    else:
        afflict(resolution, who, PRONE, because="the manoeuvre failed")


def _help(resolution: Resolution, who: int, action: Action) -> None:
    """Together the risk is so small that nobody rolls; against a foe's grip the weaker of the two saves."""
    friend = resolution.setup.index[action.target or ""]
    figure, condition = resolution.figures[friend], needs_help(resolution.figures[friend])
    if not present(figure) or not condition or not beside(resolution.done(), who, resolution.figures[who].cell, friend):
        return
    if gripped(resolution, friend):
        weaker = min((friend, who), key=lambda i: resolution.figures[i].str_now)
        if not save(resolution, weaker, "str", f"free {resolution.being(friend).name}"):
            return
    _free(resolution, friend, condition, f"helped by {resolution.being(who).name}")


def _free(resolution: Resolution, who: int, condition: Condition, because: str) -> None:
    """Out of what held somebody; a tether that is cut holds nobody at its other end either."""
    ends = resolution.figures[who].causes(TETHERED) if condition is TETHERED else set()
    relieve(resolution, who, condition, because)
    for name in sorted(ends):
        relieve(resolution, resolution.setup.index[name], condition, because)


def _break_free(resolution: Resolution, who: int, action: Action) -> None:
    figure = resolution.figures[who]
    held = suffers(figure)
    if save(resolution, who, breaks_by(figure), "break free") and held is not None:
        _free(resolution, who, held, "broke free")


def _steady(resolution: Resolution, who: int, action: Action) -> None:
    if save(resolution, who, "wil", "overcome panic"):
        relieve(resolution, who, PANICKED, "steadied")


def _retreat(resolution: Resolution, who: int, action: Action) -> None:
    """No save is needed where every foe is down, helpless or out of contact, nor of anybody but a player's character
    (cairn.md §2.8, A16)."""
    contact = watched(Context(resolution.done(), who))
    if not contact or not resolution.being(who).pc or save(resolution, who, "dex", "retreat"):
        leave(resolution, who, "retreated")


def _door(resolution: Resolution, who: int, action: Action) -> None:
    """Whoever did not get to it leaves it as it is, and so does who finds somebody in the doorway."""
    number = door_named(resolution, resolution.being(who).side, action.target)
    wanted = "open" if action.do == "open" else "closed"
    if number is None or not _reaches(resolution, who, resolution.setup.field.doors[number]):
        return
    door = resolution.setup.field.doors[number]
    if {wanted, door_state(resolution, resolution.being(who).side, number)} != {"open", "closed"}:
        return
    if wanted == "closed" and door.edge is None and in_doorway(resolution.done(), door):
        resolution.events.append(Note(text="somebody stands in the doorway", by=resolution.being(who).id))
        return
    _set_door(resolution, who, number, wanted)


def _reaches(resolution: Resolution, who: int, door: Door) -> bool:
    """Whether a door is within the reach of hands: the way there may have been cut short."""
    return bool(in_hand(resolution.done(), who, resolution.figures[who].cell, door_cells(door)))


def _force(resolution: Resolution, who: int, action: Action) -> None:
    """Lock, bar or weight gives way to strength, or does not."""
    number = door_named(resolution, resolution.being(who).side, action.target)
    if number is None or not held_shut(resolution.setup.field.doors[number], resolution.doors[number]):
        return
    if not _reaches(resolution, who, resolution.setup.field.doors[number]):
        return
    if save(resolution, who, "str", "force the door"):
        _set_door(resolution, who, number, "open")


def _set_door(resolution: Resolution, who: int, number: int, state: str) -> None:
    resolution.doors = (*resolution.doors[:number], state, *resolution.doors[number + 1 :])
    lay_ground(resolution)
    resolution.events.append(
        DoorMoved(door=resolution.setup.field.doors[number].id, state=state, by=resolution.being(who).id)
    )


def _pick_up(resolution: Resolution, who: int, action: Action) -> None:
    near = in_hand(
        resolution.done(),
        who,
        resolution.figures[who].cell,
        board_of(lying.cell for lying in resolution.floor),
    )
    for number, lying in enumerate(resolution.floor):
        if lying.item == action.item and near >> lying.cell & 1:
            take_up(resolution, who, number)
            return
    resolution.events.append(Note(text=f"no {action.item} there any more", by=resolution.being(who).id))


def _light(resolution: Resolution, who: int, action: Action) -> None:
    source = relights(Context(resolution.done(), who))
    if source == "torch":
        spend(resolution, who, source, 0)
    elif source in LIT:
        spend(resolution, who, source, LIT[source])
    relieve(resolution, who, SNUFFED, "lit anew")


def _bandage(resolution: Resolution, who: int, action: Action) -> None:
    """Nothing is used on who is out of reach by then: one may have been held up, or have crawled away."""
    target = resolution.setup.index[action.target or ""]
    if not beside(resolution.done(), who, resolution.figures[who].cell, target):
        return
    spend(resolution, who, "bandages", 3)
    stabilise(resolution, target, f"bandaged by {resolution.being(who).name}")


def _hold(resolution: Resolution, who: int, action: Action) -> None:
    """Held ready for what may come."""
    resolution.readied = (*resolution.readied, (who, action))


_RISKS = {
    "daring": _dare,
    "help": _help,
    "manoeuvre": manoeuvre,
    "break_free": _break_free,
    "steady": _steady,
    "retreat": _retreat,
    "force": _force,
    "tackle": tackle,
}
"""What is risked comes before attacks (A2)."""
_OTHERS = {
    "cast": cast,
    "use": cast,
    "ready": _hold,
    "open": _door,
    "close": _door,
    "bandage": _bandage,
    "light": _light,
    "search": search,
}
"""Everything else comes after them."""
