"""What a hero may do with a minute of exploration (countup.md §2.12).

Actions of a fight serve here as they are: a second of a fight takes no time here, and a task is done within the minute.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec.structs import replace

from rules.contract.actions import Action, Decision, Description
from rules.contract.events import Item
from rules.contract.ruleset import Odds
from rules.contract.text import Creature, text
from rules.contract.units import CreatureIx, Seconds
from rules.core.action_kinds import Face
from rules.countup.actions.answers import Cast
from rules.countup.actions.context import Context, OrderKind
from rules.countup.actions.objects import TASKS, TaskKind
from rules.countup.actions.table import ACTION_KINDS, LEVEL, PLAIN
from rules.countup.explore.minutes import LOUD, MINUTES, OPEN, SNEAKING, TILE
from rules.countup.spells import complete, healing
from rules.countup.state import CountState, Resolution, Setup
from rules.explore import kinds
from rules.explore.course import explored
from rules.explore.kinds import Borrowed, ExploreActions, Helpful, Paid, Timed
from rules.explore.meeting import Bribe, Parley

JOG = 3
"""Jogging one goes three times as far, and is heard (OURS)."""


class Walk(kinds.Going[Context]):
    """At a walk, looking about."""

    do = "walk"
    face = Face("Walk", "Move", "1 minute", "path", "step", "q", "8 spaces, seen by all in whose view it leads")
    limit, manner = TILE, OPEN


class Sneak(kinds.Going[Context]):
    """At a crawl's pace, as quietly as one can."""

    do = "sneak"
    face = Face("Sneak", "Move", "1 minute", "path", "sneak", "1", "4 spaces, sneaking and hiding against who watches")
    limit, manner = TILE // 2, SNEAKING


class Jog(kinds.Going[Context]):
    """At a jog: it is heard far off."""

    do = "jog"
    face = Face("Jog", "Move", "1 minute", "path", "run", "j", "24 spaces, and heard 12 spaces off")
    limit, manner = TILE * JOG, LOUD


class Light(Timed[Context]):
    """Light what one carries and had put out."""

    do = "light"
    face = Face("Light up", "Act", "1 minute", "none", "light", "8", "the light that one carries")
    turns = 1
    rank = 2

    def why_not(self, context: Context) -> str | None:
        if not context.being.light:
            return "carries no light"
        if not context.figure.dark:
            return "it burns already"
        burnt = context.being.burns and not explored(context.state).burning[context.who]
        return "burnt down: there is nothing left of it" if burnt else None

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        resolution.change(who, dark=False)
        being = resolution.being(who)
        resolution.events.append(Item(by=being.id, item=being.lamp or "lantern", how="lit"))


class Douse(Timed[Context]):
    """Put out what one carries."""

    do = "douse"
    face = Face("Put out light", "Act", "no time", "none", "dark", "6", "the light that one carries")
    rank = 2

    def why_not(self, context: Context) -> str | None:
        if not context.being.light:
            return "carries no light"
        return "it is out already" if context.figure.dark else None

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        resolution.change(who, dark=True)
        being = resolution.being(who)
        resolution.events.append(Item(by=being.id, item=being.lamp or "lantern", how="put_out"))


class Done(Borrowed[Context]):
    """An order of a fight, carried out at once."""

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        carry_out(self.kind, resolution, who, action)


class DoneForFriends(Helpful[Context]):
    """The same for one of one's own."""

    def odds(self, context: Context, action: Action) -> Odds | None:
        """What a cure gives back on average; it always comes to pass."""
        spell = context.setup.armoury.spells.get(action.item or "")
        patient = context.setup.index.get(action.target or "")
        if not isinstance(self.kind, Cast) or spell is None or not spell.heals or patient is None:
            return super().odds(context, action)
        lacks = context.setup.beings[patient].hp_max - context.state.figures[patient].hp
        name = context.setup.beings[patient].name
        unhurt = (text("nothing to mend: {name} gains nothing", Creature(name, action.target or "")), "countup.md §2.8")
        back = float(min(healing(context.being, spell).mean, lacks))
        return Odds(1.0, (("takes_hold", 1.0),), healing=back, notes=() if lacks else (unhurt,))

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        carry_out(self.kind, resolution, who, action)


class Searching(Done):
    """Search around oneself, for those in hiding as well."""

    def why_not(self, context: Context) -> str | None:
        """Nobody knows beforehand whether anything is hidden."""
        return Paid.why_not(self, context)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        return None

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        super().resolve(resolution, who, action)
        cell, space = resolution.figures[who].cell, resolution.being(who).space
        MINUTES.uncover(resolution, who, resolution.terrain.within(cell, SEARCHED, space))


SEARCHED = 2
"""Spaces around oneself that a search covers."""


def carry_out(kind: object, resolution: Resolution, who: CreatureIx, action: Action) -> None:
    """What an order comes to, with all the seconds that it takes."""
    assert isinstance(kind, OrderKind)
    kind.resolve(resolution, who, action)
    figure = resolution.figures[who]
    if figure.task is not None:
        TASKS[figure.task.do].finish(resolution, who, figure.task.door)
    elif figure.casting is not None:
        resolution.second = Seconds(max(resolution.second, figure.casting.ends))
        complete(resolution)
    left = resolution.figures[who]
    resolution.change(who, task=None, casting=None, order=None, busy=Seconds(0))
    if left.fatigue <= resolution.second:
        resolution.change(who, fatigue=Seconds(0))


def _borrowed(kind: OrderKind) -> Timed[Context]:
    turns = 1 if isinstance(kind, TaskKind) or kind.aimed else 0
    if kind.searches:
        return Searching(MINUTES, kind, turns, 2)
    return (DoneForFriends if kind.aimed else Done)(MINUTES, kind, turns, kind.rank)


_OWN = (Sneak, Walk, Jog, kinds.Stairs, kinds.Ambush, kinds.Listen, Parley, Bribe)
_LAST = (Light, Douse, kinds.Shout, kinds.Leave, kinds.Surrender, kinds.Wait)


def _table(known: Mapping[str, OrderKind]) -> Mapping[str, Timed[Context]]:
    borrowed = (_borrowed(kind) for kind in known.values() if kind.explores)
    every = (*(make(MINUTES) for make in _OWN), *borrowed, *(make(MINUTES) for make in _LAST))
    return MappingProxyType({kind.do: kind for kind in every})


EXPLORING, EVEN, BARE = _table(ACTION_KINDS), _table(LEVEL), _table(PLAIN)
"""Word of a command -> the kind of thing to do, with all that deals with a map's fixtures, without leaps, without
either."""


def exploring(setup: Setup) -> Mapping[str, Timed[Context]]:
    """What there is to do."""
    return EXPLORING if setup.hurdles else EVEN if setup.fixtures else BARE


def situation_of(state: CountState, who: CreatureIx) -> Context:
    """A hero's situation: free, with nothing ordered, and without those in hiding of whom nobody knows."""
    known: CountState = MINUTES.without_lurkers(state, state.being(who).side)
    figures = list(known.figures)
    figures[who] = replace(figures[who], order=None, busy=Seconds(0), init=Seconds(0))
    return Context(replace(known, figures=tuple(figures)), who)


class HeroMinute(ExploreActions[Context]):
    """Legal actions of one hero's minute."""

    def __init__(self, state: CountState, decision: Decision) -> None:
        super().__init__(MINUTES, situation_of(state, state.setup.index[decision.by]), exploring(state.setup))


def decisions(state: CountState) -> tuple[Decision, ...]:
    """A decision for every hero who has a turn left in this minute, in any order."""
    return kinds.decisions(MINUTES, state, "{name}'s minute")


def odds_of(state: CountState, action: Action) -> Odds | None:
    """Exact odds of a legal action: of being noticed on a way, of what a check decides; None without dice.

    A way may begin elsewhere, as part of a longer one that is still to come: it is judged as from there.
    """
    kind, who = exploring(state.setup).get(action.do), state.setup.index.get(action.by)
    if kind is None or who is None:
        return None
    if isinstance(kind, kinds.Going) and action.path and MINUTES.is_hero(state, who):
        return kind.ahead(situation_of(state, who), action)
    if who not in MINUTES.waiting(state):
        return None
    context = situation_of(state, who)
    return kind.odds(context, action) if kind.refusal(context, action) is None else None


def describe(state: CountState, action: Action) -> Description:
    """What an action says of itself."""
    who = state.setup.index.get(action.by)
    context = situation_of(state, CreatureIx(0) if who is None else who)
    return exploring(state.setup)[action.do].describe(context, action)
