"""The kinds of action of a chance in one table, and the legal ones: the one source of legality; an action carried out.

A new kind is a line here, in the order of the buttons.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import chain
from typing import ClassVar

from rules.contract.actions import Action, Decision, Offer
from rules.contract.text import joined, text
from rules.contract.units import NOWHERE, Cell
from rules.core.action_kinds import ActionKind
from rules.olde.actions import calls
from rules.olde.actions.aid import FirstAid, Guide, Recover
from rules.olde.actions.attacks import ATTACKS, ResetCrossbow, ShieldBlock
from rules.olde.actions.climbing import Climb, Swim
from rules.olde.actions.context import Context, spend
from rules.olde.actions.doors import FORCE, Close, Lock, Open, Unlock, has_keys
from rules.olde.actions.items import LetGo, PickUp, Ready, TakeKey
from rules.olde.actions.kind import End, Kind, Part
from rules.olde.actions.movement import Drop, Flop, FreeSteps, Leap, Rise, Run, Step
from rules.olde.actions.obstacles import Search, Tackle
from rules.olde.actions.social import Assist, CallForHelp, Intimidate
from rules.olde.combat.weapons import builds_of
from rules.olde.magic.actions import MAGIC_ACTIONS
from rules.olde.state import Chance, OldeState, Resolution, Setup

ACTION_KINDS: Mapping[str, Kind] = {
    kind.do: kind
    for kind in (
        FreeSteps(), Step(), Run(), Climb(), Swim(), Leap(), Rise(), Drop(),
        *ATTACKS.values(), ShieldBlock(), *MAGIC_ACTIONS.values(),
        FirstAid(), Recover(), ResetCrossbow(), Ready(), LetGo(), PickUp(),
        Open(), Close(), Unlock(), Lock(), TakeKey(), FORCE,
        Guide(), CallForHelp(), Search(), Tackle(), Assist(), Intimidate(), Flop(), End(),
    )
}  # fmt: skip
"""Word of a command -> the kind of action."""

_OPEN: Mapping[tuple[bool, bool], tuple[Kind, ...]] = {
    (False, False): tuple(ACTION_KINDS.values()),
    (True, False): tuple(kind for kind in ACTION_KINDS.values() if not kind.part or Part.ACT in kind.part),
    (True, True): tuple(kind for kind in ACTION_KINDS.values() if not kind.part),
}
"""(no movement left, no action left) -> the kinds that need be looked at: movements come before the action."""


def means(context: Context) -> Hashable:
    """All of a situation that rules kinds of action out at a glance: the same means, the same kinds to ask."""
    figure, state, setup, fighter = context.figure, context.state, context.setup, context.fighter
    return (
        builds_of(setup)[context.who],
        context.left,
        context.only(2) >= 0,
        context.only(3) >= 0,
        figure.hands,
        figure.posture,
        figure.free > 0,
        not figure.unset,
        not figure.items,
        not figure.keys,
        not fighter.spells,
        not state.floor,
        not state.found,
        figure.mana < fighter.mana_max,
        figure.faith < fighter.faith_max,
        _ground(setup),
        figure.ammunition == 0,
    )


def _ground(setup: Setup) -> tuple[bool, ...]:
    """What a map has: doors, keys to them, challenges, obstacles. Remembered."""
    found: tuple[bool, ...] | None = setup.memo.get("ground")
    if found is None:
        field = setup.field
        found = setup.memo["ground"] = (
            not field.doors, has_keys(field), not field.challenges, setup.obstacles is None
        )  # fmt: skip
    return found


def still_open(context: Context) -> tuple[Kind, ...]:
    """The kinds to ask for instances: what the chance leaves open, but for what a glance rules out. Remembered."""
    chance = context.chance
    over = chance.acted or chance.only
    key = (over or chance.moved, over, means(context))
    known = context.setup.memory.table("open")
    found: tuple[Kind, ...] | None = known.get(key)
    if found is None:
        found = known[key] = tuple(kind for kind in _OPEN[key[:2]] if kind.payable(context) and not kind.idle(context))
    return found


class TableActions:
    """Legal actions of a decision out of a table of kinds; meanwhile the game master may call for a roll."""

    kinds: ClassVar[Mapping[str, ActionKind[Context]]]

    def __init__(self, state: OldeState, decision: Decision) -> None:
        self.state = state
        self.decision = decision
        self._context: Context | None = None

    @property
    def context(self) -> Context:
        """The situation; taken in when somebody asks about it."""
        if self._context is None:
            self._context = self.situation()
        return self._context

    def situation(self) -> Context:
        """What the kinds are asked with."""
        raise NotImplementedError

    def not_theirs(self, action: Action) -> str:
        """Why nobody else may act now."""
        raise NotImplementedError

    def unknown(self, action: Action) -> str:
        """Why a word is none of this table's."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[Action]:
        context = self.context
        return chain.from_iterable([kind.instances(context) for kind in self.kinds.values()])

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.refusal(action) is None

    def refusal(self, action: Action) -> str | None:
        if action.by != self.decision.by:
            return calls.refusal(self.state, action) if calls.meant(action) else self.not_theirs(action)
        kind = self.kinds.get(action.do)
        if kind is None:
            return self.unknown(action)
        reason = kind.refusal(self.context, action)
        return None if reason is None else text("{do}: {reason}", action.do, reason)

    def moves(self, do: str) -> Mapping[Cell, Action]:
        kind = self.kinds.get(do)
        return by_goal(kind.instances(self.context)) if kind and kind.face.needs in ("path", "space") else {}

    def offers(self) -> tuple[Offer, ...]:
        return tuple(kind.offer(self.context) for kind in self.kinds.values())


class ChanceActions(TableActions):
    """Legal actions of a chance (olde.md §4)."""

    kinds = ACTION_KINDS

    def situation(self) -> Context:
        assert self.state.chance is not None
        return Context(self.state, self.state.chance)

    def not_theirs(self, action: Action) -> str:
        return text("by: it is {actor}'s chance, not {by}'s", self.decision.by, action.by)

    def unknown(self, action: Action) -> str:
        known = joined(", ", ACTION_KINDS)
        return text("do: {do} is no action; there are {action_kinds}", repr(action.do), known)

    def __iter__(self) -> Iterator[Action]:
        context = self.context
        return chain.from_iterable([kind.instances(context) for kind in still_open(context)])

    def carry_out(self, resolution: Resolution, action: Action) -> None:
        """Pay for a legal action, note what the chance has done, and do it."""
        kind, context = ACTION_KINDS[action.do], self.context
        who = context.who
        cost = resolution.paid = kind.cost(context, action)
        spend(resolution, who, cost)
        if cost or kind.part is not Part.NONE:
            resolution.chance = _after(context, kind, cost)
        kind.resolve(resolution, who, action)


def by_goal(movements: Iterable[Action]) -> dict[Cell, Action]:
    """The space where each movement ends -> the movement."""
    return {(a.path[-1] if a.path else a.at if a.at is not None else NOWHERE): a for a in movements}


def _after(context: Context, kind: Kind, cost: int) -> Chance:
    """What the chance has done once a kind of action is paid for."""
    chance, part = context.chance, kind.part
    if part is Part.EITHER:
        part = Part.MOVE if context.move_open() is None else Part.ACT
        start = chance.start
    else:
        start = context.figure.cell if chance.start < 0 and part in (Part.FREE, Part.MOVE) else chance.start
    return Chance(
        chance.who, chance.spent + cost, chance.freed or part is Part.FREE, chance.moved or part is Part.MOVE,
        chance.acted or part is Part.ACT, chance.only or (0 < cost < kind.ap and kind.only), start,
    )  # fmt: skip
