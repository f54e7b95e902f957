"""What one of the party does with a dungeon turn: a move and an action (cairn.md §1 dungeon turns).

Actions of a fight serve here as they are; what takes no time in a fight takes none here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from rules.cairn.actions.context import CairnKind, Context
from rules.cairn.actions.doors import Search as SearchOfFights
from rules.cairn.actions.leaping import LEAP
from rules.cairn.actions.legal import ACTION_KINDS
from rules.cairn.conditions import DEPRIVED, SNUFFED
from rules.cairn.explore import dungeon
from rules.cairn.explore.dungeon import Reason
from rules.cairn.explore.turns import OPEN, RADIUS, SNEAKING, TURNS
from rules.cairn.state import CairnState, Resolution, light_of
from rules.cairn.visibility import learn
from rules.contract.actions import Action, Decision, Description
from rules.contract.events import Door, Noise
from rules.contract.ruleset import Odds
from rules.contract.units import CreatureIx
from rules.core.action_kinds import Face
from rules.core.secrets import hidden
from rules.explore import kinds
from rules.explore.course import explored
from rules.explore.kinds import Borrowed, ExploreActions, Helpful, Paid, Timed
from rules.explore.meeting import Bribe, Parley
from rules.explore.state import Part

FAST = 3
"""A move at the double covers three times the way, and takes the action (cairn.md §1)."""
SEARCHED = 4
"""Spaces around that a turn's search covers (OURS)."""


class Walk(kinds.Going[Context]):
    """A light radius, openly."""

    do = "walk"
    face = Face("Walk", "Move", "the move", "path", "step", "2", "8 spaces, seen by all in whose view it leads")
    limit, manner = RADIUS, OPEN


class Sneak(kinds.Going[Context]):
    """Half of it, as quietly as one can."""

    do = "sneak"
    face = Face("Sneak", "Move", "the move", "path", "sneak", "1", "4 spaces, a DEX save against those who watch")
    limit, manner = RADIUS // 2, SNEAKING


class Hurry(kinds.Going[Context]):
    """Three times the way; the dungeon's die is thrown for it."""

    do = "hurry"
    face = Face("Hurry", "Move", "move and action", "path", "run", "7", "24 spaces; haste wakes the dungeon")
    takes = Part.WHOLE
    limit, manner = RADIUS * FAST, OPEN

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        super().resolve(resolution, who, action)
        because(resolution, Reason.HURRIED)


class Stairs(kinds.Stairs[Context]):
    """Over the stairs."""

    face = kinds.Stairs.face._replace(cost="the move")

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        super().resolve(resolution, who, action)
        if not resolution.setup.outside or not dungeon.follows(TURNS, resolution, who):
            because(resolution, Reason.NEW)


class Listen(kinds.Listen[Context]):
    """Keep still and listen."""

    face = kinds.Listen.face._replace(cost="the action")


class Ambush(kinds.Ambush[Context]):
    """Fall upon those in sight."""

    face = kinds.Ambush.face._replace(key="8", note="no DEX save for the first round; the unaware lose it")


class Wait(kinds.Wait[Context]):
    """Let the turn pass."""

    face = Face("Wait", "End", "the turn", "none", "hourglass", "ctrl+enter", "let this turn pass")

    def odds(self, context: Context, action: Action) -> Odds | None:
        """The dungeon's die, where there is a reason for it by now."""
        return dungeon.odds_of(context.state)


class Rest(Paid[Context]):
    """Sit down for a turn: all Hit Protection comes back, where there is light and no foe in sight (cairn.md §1)."""

    do = "rest"
    face = Face("Rest", "Act", "the turn", "none", "recover", "r", "all Hit Protection back")
    turns = 1
    rank = 2

    def why_not(self, context: Context) -> str | None:
        figure = context.figure
        if figure.hp >= figure.hp_max:
            return super().why_not(context) or "is whole: there is nothing to rest from"
        if figure.has(DEPRIVED):
            return "deprived: rest gives nothing back, a night in camp with a ration does"
        if kinds.foes_in_sight(TURNS, context.state):
            return "a foe is in sight: no safety, no rest"
        if context.setup.darkness and not TURNS.lit(context.state, context.who):
            return "no rest without light"
        return super().why_not(context)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        dungeon.rest(resolution, who)


class Douse(Timed[Context]):
    """Put out what one carries."""

    do = "douse"
    face = Face("Put out light", "Act", "no time", "none", "dark", "6", "the light that one carries")
    rank = 2

    def why_not(self, context: Context) -> str | None:
        if not light_of(context.setup, context.being, context.figure) or context.being.light:
            return "carries no light that burns"
        return None

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        resolution.afflict(who, SNUFFED, because="put out")


class Search(Borrowed[Context]):
    """Search around oneself: everything hidden within 4 spaces comes to light, those in hiding too."""

    def why_not(self, context: Context) -> str | None:
        """Nobody knows beforehand whether anything is hidden."""
        return Paid.why_not(self, context)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        return None

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context) is None:
            yield Action(context.actor, self.do)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        being, cell = resolution.being(who), resolution.figures[who].cell
        around = resolution.terrain.within(cell, SEARCHED, being.space)
        known = resolution.found
        found = list(
            hidden(resolution.setup.field, resolution.doors, resolution.challenges, known, being.side, around=around)
        )
        for secret in found:
            learn(resolution, who, secret)
        lying = TURNS.uncover(resolution, who, around)
        if not found and not lying:
            resolution.note(who, "finds nothing hidden")


def because(resolution: Resolution, reason: Reason) -> None:
    """One more reason for the dungeon's die at the end of this turn."""
    if resolution.explore is not None:
        TURNS.note(resolution, reasons=explored(resolution).reasons | reason)


def _borrowed(kind: CairnKind) -> Timed[Context]:
    turns = kind.turns or 0
    if isinstance(kind, SearchOfFights):
        return Search(TURNS, kind, turns, 2)
    return (Helpful if kind.aimed else Borrowed)(TURNS, kind, turns, kind.rank)


_OWN = (Sneak, Walk, Hurry, Stairs, Ambush, Listen, Parley, Bribe)
_LAST = (Rest, Douse, kinds.Shout, kinds.Leave, kinds.Surrender, Wait)
EXPLORING: Mapping[str, Timed[Context]] = MappingProxyType({kind.do: kind for kind in (
    *(make(TURNS) for make in _OWN),
    *(_borrowed(kind) for kind in ACTION_KINDS.values() if kind.turns is not None),
    *(make(TURNS) for make in _LAST),
)})  # fmt: skip
"""Word of a command -> the kind of thing to do."""
LEVEL: Mapping[str, Timed[Context]] = MappingProxyType({do: kind for do, kind in EXPLORING.items() if do != LEAP.do})
"""The same without the option `hurdles`."""


def decisions(state: CairnState) -> tuple[Decision, ...]:
    """A decision for everyone of the party who has something left of this turn."""
    return kinds.decisions(TURNS, state, "{name}'s turn")


class DungeonTurn(ExploreActions[Context]):
    """Legal actions of one's dungeon turn."""

    def __init__(self, state: CairnState, decision: Decision) -> None:
        super().__init__(
            TURNS, situation_of(state, state.setup.index[decision.by]), EXPLORING if state.setup.hurdles else LEVEL
        )

    def carry_out(self, resolution: Resolution, action: Action) -> None:
        """Do it; a door that opens, and noise, are reasons for the dungeon's die."""
        begun = len(resolution.events)
        super().carry_out(resolution, action)
        for event in resolution.events[begun:]:
            if isinstance(event, Door) and event.state == "open" and event.by == action.by:
                because(resolution, Reason.NEW)
            elif isinstance(event, Noise) and event.by == action.by:
                because(resolution, Reason.LOUD)


def situation_of(state: CairnState, who: CreatureIx) -> Context:
    """A hero's situation, without those in hiding of whom nobody knows."""
    return Context(TURNS.without_lurkers(state, state.setup.beings[who].side), who)


def odds_of(state: CairnState, action: Action) -> Odds | None:
    """Exact odds of a legal action: of being noticed on a way, of what a save decides; None without dice.

    A way may begin elsewhere, as part of a longer one that is still to come: it is judged as from there.
    """
    kind, who = EXPLORING.get(action.do), state.setup.index.get(action.by)
    if kind is None or who is None:
        return None
    if isinstance(kind, kinds.Going) and action.path and TURNS.is_hero(state, who):
        return kind.ahead(situation_of(state, who), action)
    if who not in TURNS.waiting(state):
        return None
    context = situation_of(state, who)
    return kind.odds(context, action) if kind.refusal(context, action) is None else None


def describe(state: CairnState, action: Action) -> Description:
    """What an action says of itself."""
    who = state.setup.index.get(action.by)
    return EXPLORING[action.do].describe(situation_of(state, CreatureIx(0) if who is None else who), action)
