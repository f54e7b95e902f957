"""The kinds of action of a chance in one table, and the legal ones: the one source of legality; an action carried out.

A new kind is a line here, in the order of the buttons.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from itertools import chain
from typing import ClassVar

from rules.contract.actions import Action, Decision, Description
from rules.contract.events import Chosen
from rules.contract.text import joined, text
from rules.contract.units import Cell
from rules.core.action_kinds import ActionKind, Answers, KindActions
from rules.olde.actions import calls
from rules.olde.actions.attacks import ATTACKS, ResetCrossbow, ShieldBlock
from rules.olde.actions.climbing import Climb, Swim
from rules.olde.actions.hands import FORCE, Close, LetGo, Lock, Open, PickUp, Ready, TakeKey, Unlock, has_keys
from rules.olde.actions.kind import ACT, EITHER, FREE, MOVE, NONE, Context, End, Kind, Part, goal_of, spend
from rules.olde.actions.movement import Drop, Flop, FreeSteps, Leap, Rise, Run, Step
from rules.olde.actions.obstacles import Search, Tackle
from rules.olde.actions.plunder import FIXTURES
from rules.olde.actions.social import Assist, CallForHelp, FirstAid, Guide, Intimidate, Recover
from rules.olde.combat import reactions
from rules.olde.combat.outcomes import CONSEQUENCES, Answer
from rules.olde.combat.reactions import DECLINE, REACTIONS
from rules.olde.combat.weapons import builds_of
from rules.olde.magic.actions import MAGIC_ACTIONS
from rules.olde.state import Chance, OldeState, Question, Resolution, Setup
from rules.olde.turns import POOL_ANSWERS

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

ALL_KINDS: Mapping[str, Kind] = {
    kind.do: kind for kind in (*(kind for kind in ACTION_KINDS.values() if kind.do != End.do), *FIXTURES, End())
}
"""Those that need the option `fixtures` among them."""


def kinds_of(setup: Setup) -> Mapping[str, Kind]:
    """The kinds of action that a fight has."""
    return ALL_KINDS if setup.fixtures else ACTION_KINDS


def _by_part(kinds: Mapping[str, Kind]) -> Mapping[tuple[bool, bool], tuple[Kind, ...]]:
    return {
        (False, False): tuple(kinds.values()),
        (True, False): tuple(kind for kind in kinds.values() if not kind.part or Part.ACT in kind.part),
        (True, True): tuple(kind for kind in kinds.values() if not kind.part),
    }


_OPEN = {False: _by_part(ACTION_KINDS), True: _by_part(ALL_KINDS)}
"""With the option or without, by (no movement left, no action left) -> the kinds that need be looked at: movements come
before the action."""


def means(context: Context) -> Hashable:
    """All of a situation that rules kinds of action out at a glance: the same means, the same kinds to ask."""
    figure, state, setup, fighter = context.figure, context.state, context.setup, context.fighter
    ground: tuple[bool, ...] | None = setup.memo.get("ground")
    if ground is None:
        field = setup.field
        ground = not field.doors, has_keys(field), not field.challenges, setup.obstacles is None, setup.fixtures
        setup.memo["ground"] = ground
    chance = context.chance
    fresh = figure.ap == figure.ap_start and not (chance.spent or chance.moved or chance.acted)  # for X/Only
    return (
        builds_of(setup)[context.who], context.left, fresh, figure.hands,
        figure.posture, figure.free > 0, not figure.unset, not figure.items, not figure.keys, not fighter.spells,
        not state.floor, not state.found, figure.mana < fighter.mana_max, figure.faith < fighter.faith_max,
        ground, figure.ammunition == 0,
    )  # fmt: skip


def still_open(context: Context) -> tuple[Kind, ...]:
    """The kinds to ask for instances: what the chance leaves open, but for what a glance rules out. Remembered."""
    chance = context.chance
    over = chance.acted or chance.only
    key = (over or chance.moved, over, means(context))
    known = context.setup.memory.table("open")
    found: tuple[Kind, ...] | None = known.get(key)
    if found is None:
        kinds = _OPEN[context.setup.fixtures][key[:2]]
        found = known[key] = tuple(kind for kind in kinds if kind.payable(context) and not kind.idle(context))
    return found


class TableActions(KindActions[Context]):
    """Legal actions of a decision out of a table of kinds; meanwhile the game master may call for a roll."""

    theirs: ClassVar[str]  # why nobody else may act now
    unknown: ClassVar[str]  # why a word is none of this table's

    def __init__(self, state: OldeState, context: Context, kinds: Mapping[str, ActionKind[Context]]) -> None:
        super().__init__(context, kinds)
        self.state = state

    def refusal(self, action: Action) -> str | None:
        if action.by != self.context.actor:
            if calls.meant(action):
                return calls.refusal(self.state, action)
            return text(self.theirs, self.context.actor, action.by)
        if action.do not in self.kinds:
            return text(self.unknown, repr(action.do), joined(", ", self.kinds))
        reason = self.kinds[action.do].refusal(self.context, action)
        return None if reason is None else text("{do}: {reason}", action.do, reason)

    def moves(self, do: str) -> Mapping[Cell, Action]:
        kind = self.kinds.get(do)
        ways = kind.instances(self.context) if kind and kind.face.needs in ("path", "space") else ()
        return {goal_of(action): action for action in ways}


class ChanceActions(TableActions):
    """Legal actions of a chance (olde.md §4)."""

    theirs = "by: it is {actor}'s chance, not {by}'s"
    unknown = "do: {do} is no action; there are {action_kinds}"

    def __init__(self, state: OldeState, decision: Decision) -> None:
        assert state.chance is not None
        super().__init__(state, Context(state, state.chance), kinds_of(state.setup))
        self.decision = decision

    def __iter__(self) -> Iterator[Action]:
        return chain.from_iterable([kind.instances(self.context) for kind in still_open(self.context)])

    def carry_out(self, resolution: Resolution, action: Action) -> None:
        """Pay for a legal action, note what the chance has done, and do it."""
        kind, context = ALL_KINDS[action.do], self.context
        cost = resolution.paid = kind.cost(context, action)
        spend(resolution, context.who, cost)
        if cost or kind.part is not NONE:
            resolution.chance = _after(context, kind, cost)
        kind.resolve(resolution, context.who, action)


def _after(context: Context, kind: Kind, cost: int) -> Chance:
    """What the chance has done once a kind of action is paid for."""
    chance, part = context.chance, kind.part
    start = context.figure.cell if chance.start < 0 and (part is FREE or part is MOVE) else chance.start
    if part is EITHER:
        part = MOVE if context.move_open() is None else ACT
    return Chance(
        chance.who, chance.spent + cost, chance.freed or part is FREE, chance.moved or part is MOVE,
        chance.acted or part is ACT, chance.only or (0 < cost < kind.ap and kind.only), start,
    )  # fmt: skip


ANSWERS: Mapping[str, Answer] = {
    **CONSEQUENCES, **POOL_ANSWERS, **REACTIONS, **{answer.word: answer for answer in DECLINE.values()}
}  # fmt: skip
"""Word of an answer -> the answer."""


class Choices(Answers):
    """The legal answers to a question; meanwhile the game master may call for a roll."""

    def __init__(self, state: OldeState, decision: Decision, question: Question) -> None:
        super().__init__(decision, question.options, describe_answer, option_of)
        self.state = state

    def refusal(self, action: Action) -> str | None:
        if calls.meant(action):
            return calls.refusal(self.state, action)
        return super().refusal(action)

    def carry_out(self, resolution: Resolution, action: Action) -> None:
        """Carry out a legal answer."""
        question = resolution.question
        assert question is not None
        option = option_of(question.options, action.option)
        assert option is not None
        resolution.events.append(Chosen(by=action.by, kind=question.kind, option=option))
        ANSWERS[option].resolve(resolution, question)


def describe_answer(option: str) -> Description:
    """An answer's button; a reaction's says what it takes."""
    return ANSWERS[option].describe() if option in ANSWERS else Description(option, "Answer", "")


def prompt(state: OldeState, question: Question) -> str:
    """What whoever decides is asked."""
    if question.kind in DECLINE:
        return reactions.prompt(state, question)
    name = state.setup.fighters[question.who].name
    return text("{name}: {answers}?", name, joined(" or ", (ANSWERS[o].label.lower() for o in question.options)))


def option_of(options: tuple[str, ...], word: str | None) -> str | None:
    """The option meant: by its name, part of it (`prone`, `drop`, `breaks`), or its number from 1."""
    if word is None:
        return None
    key = word.strip().lower().replace(" ", "_")
    if key in options:
        return key
    if key.isdigit() and 1 <= int(key) <= len(options):
        return options[int(key) - 1]
    parts = [o for o in options if key in o.split("_") or key.rstrip("s") in o.split("_")]
    return parts[0] if len(parts) == 1 else None
