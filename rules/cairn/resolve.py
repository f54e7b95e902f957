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
from rules.cairn.actions.plans import STAND, Look, suffers
from rules.cairn.actions.searching import search, tackle
from rules.cairn.belongings import drop_item, spend, take_up
from rules.cairn.combat.attack import strike_all
from rules.cairn.combat.injury import burn, leave, stabilise
from rules.cairn.magic.casting import cast
from rules.cairn.magic.ground import beside, in_hand, lay_ground
from rules.cairn.saves import afflict, relieve, save
from rules.cairn.state import Plan, Work, able, present, prone
from rules.contract.actions import Action
from rules.contract.events import Door as DoorMoved
from rules.contract.events import Note


def resolve(work: Work) -> None:
    """Carry out the plans of the side whose half it is, in the order in which they were declared.

    Those whom fear or frenzy drives go first; what the side held ready in its last half is let go. What a side does
    counts as done at once: who is struck down by a friend's blow has done by then what it had planned.
    """
    begun = len(work.events)
    side = work.setup.sides[work.half]
    work.readied = tuple(held for held in work.readied if work.being(held[0]).side != side)
    plans = [(who, plan) for who in work.declared if (plan := work.plans[who]) is not None]
    driven = drive(work)
    _early(work, plans)
    spring(work, begun, "comes", side)
    actors = tuple(who for who, plan in plans if _acts(plan) and able(work.figures[who]))
    spring(work, begun, "acts", side, actors)
    for who, plan in plans:
        if plan.action is not None and plan.action.do in _RISKS and able(work.figures[who]):
            if plan.action.do != "retreat":  # who is not seen to go needs no save
                relieve(work, who, "invisible", "it acts")
            _RISKS[plan.action.do](work, who, plan.action)
    acting = [who for who, _ in plans if able(work.figures[who])]
    work.pyres = []
    blows = [(who, blow) for who, plan in plans if (blow := _blow(work, who, plan)) is not None]
    strike_all(work, [*driven, *blows])
    for who, _ in blows:
        relieve(work, who, "daring")
    for who, plan in plans:
        if (
            plan.action is not None
            and plan.action.do in _OTHERS
            and who in acting
            and work.figures[who].cell >= 0
        ):
            if plan.action.do != "ready":
                relieve(work, who, "invisible", "it acts")
            _OTHERS[plan.action.do](work, who, plan.action)
    burn(work)
    late = len(work.events)
    for who, plan in plans:
        if plan.action_first and able(work.figures[who]):
            _go(work, who, plan)
            _pick(work, who, plan)
    spring(work, late, "comes", side)
    spring_own(work, begun)
    for who, figure in enumerate(work.figures):
        if figure.ran:
            work.change(who, ran=0)
    work.plans = [None] * len(work.figures)
    work.declared = []


def _early(work: Work, plans: list[tuple[int, Plan]]) -> None:
    """What is let go or looked away from, and the moves that come before everything else."""
    for who, plan in plans:
        if plan.aside is not None and plan.aside.do != "pick_up":
            _aside(work, who, plan)
            work.plans[who] = msgspec.structs.replace(
                plan, aside=None
            )  # it is gone, and not to be let go once more
        if not plan.action_first:
            _go(work, who, plan)
            _pick(work, who, plan)
    for who, plan in plans:
        if not plan.action_first and present(work.figures[who]):
            start, size = work.state.figures[who].cell, work.being(who).space
            work.change(who, ran=work.terrain.distance(start, work.figures[who].cell, size, size))


def _acts(plan: Plan) -> bool:
    """Whether a plan does something that somebody could be waiting for: anything but going and getting ready."""
    return plan.action is not None and plan.action.do not in ("dash", "ready")


def _blow(work: Work, who: int, plan: Plan) -> Action | None:
    """The attack of a plan, a daring one if the risk came off."""
    action = plan.action
    if action is not None and action.do == "daring" and work.figures[who].has("daring"):
        return msgspec.structs.replace(action, do="attack")
    return action if action is not None and action.do == "attack" else None


def _go(work: Work, who: int, plan: Plan) -> None:
    """The move, and the second one that takes the action."""
    if plan.stand and Look(work.done(), who).budget >= STAND:
        rise(work, who)
    if plan.path:
        walk(work, who, _within(work, who, plan.path), "move")
    dash = plan.action is not None and plan.action.do == "dash"
    if dash and present(work.figures[who]):
        assert plan.action is not None
        walk(work, who, _within(work, who, plan.action.path), "dash")


def _within(work: Work, who: int, path: tuple[int, ...]) -> tuple[int, ...]:
    """As much of a planned way as can still be gone: one may have been floored, held or hurt since it was planned."""
    look = Look(work.done(), who)
    left, cell = look.budget - (STAND if prone(look.figure) else 0), look.figure.cell
    for number, there in enumerate(path):
        left -= max(1, step_cost(look.ground, cell, there, look.being.space))
        if left < 0:
            return path[:number]
        cell = there
    return path


def _pick(work: Work, who: int, plan: Plan) -> None:
    if plan.aside is not None and plan.aside.do == "pick_up" and able(work.figures[who]):
        _pick_up(work, who, plan.aside)


def _aside(work: Work, who: int, plan: Plan) -> None:
    """What is let go makes room before anything else happens."""
    assert plan.aside is not None
    item = plan.aside.item
    if plan.aside.do == "avert":
        afflict(work, who, "averted", because="looks away")
        last = msgspec.structs.replace(work.figures[who].lasting[-1], rounds=1)
        work.change(who, lasting=(*work.figures[who].lasting[:-1], last))
    elif able(work.figures[who]) and item in (*work.figures[who].hands, *work.figures[who].pack):
        drop_item(work, who, item, "dropped")


def _dare(work: Work, who: int, action: Action) -> None:
    """The risk before a daring blow (cairn.md §2.2)."""
    if save(work, who, "dex", "a daring manoeuvre"):
        afflict(work, who, "daring")
    else:
        afflict(work, who, "prone", because="the manoeuvre failed")


def _help(work: Work, who: int, action: Action) -> None:
    """Together the risk is so small that nobody rolls; against a foe's grip the weaker of the two saves."""
    friend = work.setup.index[action.target or ""]
    figure, condition = work.figures[friend], needs_help(work.figures[friend])
    if not present(figure) or not condition or not beside(work.done(), who, work.figures[who].cell, friend):
        return
    if gripped(work, friend):
        weaker = min((friend, who), key=lambda i: work.figures[i].str_now)
        if not save(work, weaker, "str", f"free {work.being(friend).name}"):
            return
    _free(work, friend, condition, f"helped by {work.being(who).name}")


def _free(work: Work, who: int, condition: str, because: str) -> None:
    """Out of what held somebody; a tether that is cut holds nobody at its other end either."""
    ends = [each.by for each in work.figures[who].lasting if each.name == condition == "tethered"]
    relieve(work, who, condition, because)
    for name in ends:
        relieve(work, work.setup.index[name], condition, because)


def _break_free(work: Work, who: int, action: Action) -> None:
    figure = work.figures[who]
    if save(work, who, breaks_by(figure), "break free"):
        _free(work, who, suffers(figure), "broke free")


def _steady(work: Work, who: int, action: Action) -> None:
    if save(work, who, "wil", "overcome panic"):
        relieve(work, who, "panicked", "steadied")


def _retreat(work: Work, who: int, action: Action) -> None:
    """No save is needed where every foe is down, helpless or out of contact, nor of anybody but a player's character
    (cairn.md §2.8, A16)."""
    contact = watched(Look(work.done(), who))
    if not contact or not work.being(who).pc or save(work, who, "dex", "retreat"):
        leave(work, who, "retreated")


def _door(work: Work, who: int, action: Action) -> None:
    """Whoever did not get to it leaves it as it is, and so does who finds somebody in the doorway."""
    number = door_named(work, work.being(who).side, action.target)
    wanted = "open" if action.do == "open" else "closed"
    if number is None or not _reaches(work, who, work.setup.field.doors[number]):
        return
    door = work.setup.field.doors[number]
    if {wanted, door_state(work, work.being(who).side, number)} != {"open", "closed"}:
        return
    if wanted == "closed" and door.edge is None and in_doorway(work.done(), door):
        work.events.append(Note(text="somebody stands in the doorway", by=work.being(who).id))
        return
    _set_door(work, who, number, wanted)


def _reaches(work: Work, who: int, door: Door) -> bool:
    """Whether a door is within the reach of hands: the way there may have been cut short."""
    return bool(in_hand(work.done(), who, work.figures[who].cell, door_cells(door)))


def _force(work: Work, who: int, action: Action) -> None:
    """Lock, bar or weight gives way to strength, or does not."""
    number = door_named(work, work.being(who).side, action.target)
    if number is None or not held_shut(work.setup.field.doors[number], work.doors[number]):
        return
    if not _reaches(work, who, work.setup.field.doors[number]):
        return
    if save(work, who, "str", "force the door"):
        _set_door(work, who, number, "open")


def _set_door(work: Work, who: int, number: int, state: str) -> None:
    work.doors = (*work.doors[:number], state, *work.doors[number + 1 :])
    lay_ground(work)
    work.events.append(DoorMoved(door=work.setup.field.doors[number].id, state=state, by=work.being(who).id))


def _pick_up(work: Work, who: int, action: Action) -> None:
    near = in_hand(work.done(), who, work.figures[who].cell, board_of(lying.cell for lying in work.floor))
    for number, lying in enumerate(work.floor):
        if lying.item == action.item and near >> lying.cell & 1:
            take_up(work, who, number)
            return
    work.events.append(Note(text=f"no {action.item} there any more", by=work.being(who).id))


def _light(work: Work, who: int, action: Action) -> None:
    source = relights(Look(work.done(), who))
    if source == "torch":
        spend(work, who, source, 0)
    elif source in LIT:
        spend(work, who, source, LIT[source])
    relieve(work, who, "snuffed", "lit anew")


def _bandage(work: Work, who: int, action: Action) -> None:
    """Nothing is used on who is out of reach by then: one may have been held up, or have crawled away."""
    target = work.setup.index[action.target or ""]
    if not beside(work.done(), who, work.figures[who].cell, target):
        return
    spend(work, who, "bandages", 3)
    stabilise(work, target, f"bandaged by {work.being(who).name}")


def _hold(work: Work, who: int, action: Action) -> None:
    """Held ready for what may come."""
    work.readied = (*work.readied, (who, action))


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
