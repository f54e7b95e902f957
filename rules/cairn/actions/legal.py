"""The table of the kinds of action, and the legal actions of a decision: the one source of legality."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import msgspec

from rules.cairn.actions import fixtures
from rules.cairn.actions.aid import BREAK_FREE, HELPING, Bandage, Steady
from rules.cairn.actions.attacks import ATTACK, DARING_BLOW, MANOEUVRE, READY
from rules.cairn.actions.context import CairnKind, Context, Phase
from rules.cairn.actions.doors import Avert, Close, Drop, Force, Light, Open, PickUp, Search
from rules.cairn.actions.leaping import LEAP
from rules.cairn.actions.moves import CLIMB, DASH, MOVE, RETREAT, STAND_UP
from rules.cairn.actions.spells import CAST, USE
from rules.cairn.state import CairnState, Plan, Setup
from rules.contract.actions import Action, Decision, Description, Offer
from rules.contract.text import joined, text
from rules.contract.units import CreatureIx, numbered
from rules.core.action_kinds import Face, KindActions


class _AboutPlan(CairnKind):
    """What is done to a plan itself, not in it."""

    phase = Phase.PLANNING
    turns = None

    def describe(self, context: Context, action: Action | None = None) -> Description:
        return self.face.described() if action is None else Description(self.face.label, "End", "")


class Clear(_AboutPlan):
    """The plan is thrown away."""

    do = "clear"
    face = Face("Plan anew", "First", "free", "none", "clear", "backspace")
    rank = 2

    def why_not(self, context: Context) -> str | None:
        return "nothing is planned" if context.state.plans[context.who] is None else None


class End(_AboutPlan):
    """The plan is all that there is."""

    do = "end"
    face = Face("Plan stands", "End", "next creature", "none", "end", "n")
    rank = 1

    def planned(self, plan: Plan, action: Action) -> Plan:
        return msgspec.structs.replace(plan, done=True)


class Resolve(_AboutPlan):
    """The side's plans are carried out; anybody of it may say so."""

    do = "resolve"
    face = Face("Resolve", "End", "all", "none", "resolve", "ctrl+enter")
    rank = 1

    def why_not_this(self, context: Context, action: Action) -> str | None:
        return self.not_by(context.being.side, action, context.being.id)

    def not_by(self, side: str, action: Action, creature: str = "") -> str | None:
        """Why it is not for who says it to say, or None."""
        if action.by in (side, creature):
            return None
        if creature:
            return text("by: it is the half of {side}, not of {by}", side, action.by)
        return text("by: it is the half of {side}", side)

    def candidates(self, context: Context) -> Iterator[Action]:
        yield Action(context.being.side, self.do)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        return super().describe(context, action) if action is not None else self.button(context.being.side)

    def button(self, side: str) -> Description:
        return self.face.described(text("all of {side}", side), rank=self.rank)


CLEAR, END, RESOLVE = Clear(), End(), Resolve()
_FIXTURES = (CLIMB, fixtures.UNLOCK, fixtures.LOCK, fixtures.PICK_LOCK, fixtures.OPEN_CHEST, fixtures.LOOT)
ACTION_KINDS: Mapping[str, CairnKind] = MappingProxyType({kind.do: kind for kind in (
    MOVE, STAND_UP, DASH, ATTACK, CAST, USE, DARING_BLOW, MANOEUVRE, READY, Bandage(), HELPING, BREAK_FREE,
    Steady(), RETREAT, Open(), Close(), Force(), Search(), fixtures.TACKLE, PickUp(), Drop(), Avert(), Light(),
    *_FIXTURES, LEAP, CLEAR, END, RESOLVE,
)})  # fmt: skip
"""Every kind of action by the word of its command, in the order of the buttons."""
LEVEL: Mapping[str, CairnKind] = MappingProxyType({do: kind for do, kind in ACTION_KINDS.items() if kind is not LEAP})
"""Those without the option `hurdles`."""
PLAIN: Mapping[str, CairnKind] = MappingProxyType({do: kind for do, kind in LEVEL.items() if kind not in _FIXTURES})
"""Those that need no option."""
STAIRS: Mapping[str, CairnKind] = MappingProxyType(
    {do: kind for do, kind in LEVEL.items() if do in PLAIN or kind is CLIMB}
)
"""Those on a map with stairs or ladders, which need none either."""


def kinds_of(setup: Setup) -> Mapping[str, CairnKind]:
    """The kinds of action that a fight has."""
    return ACTION_KINDS if setup.hurdles else LEVEL if setup.fixtures else STAIRS if setup.field.climbs else PLAIN


def intent(state: CairnState, who: CreatureIx, action: Action) -> Plan | None:
    """Somebody's plan with an action in it; None where that clears it."""
    kind = ACTION_KINDS[action.do]
    if kind is CLEAR:
        return None
    plan = kind.planned(state.plans[who] or Plan(), kind.settled(Context(state, who), action))
    chosen = None if plan.action is None else ACTION_KINDS[plan.action.do]
    done = kind is END or (chosen is not None and (plan.moved or chosen.last))
    return msgspec.structs.replace(plan, done=done)


LIMBS: Mapping[str, str] = MappingProxyType({"arm": "An arm", "leg": "A leg"})
_ALL_PLANNED = "all plans stand; whoever is clicked may still change theirs"


class Plans(KindActions[Context]):
    """Legal actions of one creature's plan, and the side's `resolve`."""

    def __init__(self, state: CairnState, decision: Decision) -> None:
        super().__init__(Context(state, state.setup.index[decision.by]), kinds_of(state.setup))

    def refusal(self, action: Action) -> str | None:
        """Why an action is illegal now and what would be legal, in one line."""
        kind, planner = self.kinds.get(action.do), self.context.actor
        if kind is RESOLVE:
            return kind.refusal(self.context, action)
        if action.by != planner:
            return text("by: this is {planner}'s plan, not {by}'s", planner, action.by)
        if kind is None:
            words = joined(", ", self.kinds)
            return text("do: {do} is no action; there are {words}", repr(action.do), words)
        reason = kind.refusal(self.context, action)
        return None if reason is None else text("{do}: {reason}", action.do, reason)


class SideResolves(KindActions[Context]):
    """The side's own decision: carry out what was planned."""

    def __init__(self, state: CairnState, decision: Decision) -> None:
        someone = next(i for i, being in numbered(state.setup.beings) if being.side == decision.side)
        super().__init__(Context(state, someone), {RESOLVE.do: RESOLVE})
        self.side = decision.side

    def refusal(self, action: Action) -> str | None:
        """Why an action is illegal now."""
        if ACTION_KINDS.get(action.do) is not RESOLVE:
            by = repr(action.by)
            return text("do: {by} has nothing to plan; resolve carries out the plans of {side}", by, self.side)
        return RESOLVE.not_by(self.side, action)

    def offers(self) -> tuple[Offer, ...]:
        others = [kind for kind in kinds_of(self.context.setup).values() if kind is not RESOLVE]
        shut = (Offer(kind.do, kind.face.described(rank=kind.rank), (), _ALL_PLANNED) for kind in others)
        return (*shut, Offer(RESOLVE.do, RESOLVE.button(self.side), tuple(self)))


def describe_answer(option: str) -> Description:
    """An answer's button."""
    return Description(LIMBS.get(option, option), "Answer", "")
