"""What may be done in a minute of exploration, in one table: legality, odds, descriptions, effect (olde.md §8).

A new kind is a line here, in the order of the buttons; an action of a fight says itself what it takes here
(`Kind.exploring`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.contract.actions import Action, Decision, Description, Offer
from rules.contract.events import Challenge as Told
from rules.contract.ruleset import Odds
from rules.contract.text import joined, text
from rules.olde.actions import calls
from rules.olde.actions.table import ACTION_KINDS, by_goal
from rules.olde.explore.kinds import (
    Ambush,
    Bind,
    Borrowed,
    Camp,
    Douse,
    Helpful,
    Leave,
    LightUp,
    Meal,
    Searching,
    Shout,
    Sneak,
    Sort,
    Timed,
    Wait,
    WalkOpenly,
    situation_of,
)
from rules.olde.explore.minutes import danger, go, heed, spend_minutes
from rules.olde.explore.notice import LOUD, OPEN
from rules.olde.explore.odds import LOUDLY
from rules.olde.explore.state import waiting
from rules.olde.magic.actions import MagicAction
from rules.olde.state import Chance, OldeState, Phase, Resolution

EXPLORING: Mapping[str, Timed] = {
    kind.do: kind
    for kind in (
        Sneak(), WalkOpenly(), Ambush(), Searching(),
        *(Borrowed(kind, kind.exploring) for kind in ACTION_KINDS.values() if kind.exploring is not None),
        *(Helpful(kind) for kind in ACTION_KINDS.values() if isinstance(kind, MagicAction)),
        Bind(), Sort(), Meal(), Camp(), LightUp(), Douse(), Shout(), Leave(), Wait(),
    )
}  # fmt: skip
"""Word of a command -> the kind of thing to do."""


def decisions(state: OldeState) -> tuple[Decision, ...]:
    """A decision for every hero who has a turn left in this minute, in any order."""
    fighters = state.setup.fighters
    return tuple(
        Decision(fighters[i].id, fighters[i].side, "explore", text("{name}'s minute", name=fighters[i].name))
        for i in waiting(state)
    )


class ExploreActions:
    """Legal actions of one hero's minute."""

    def __init__(self, state: OldeState, decision: Decision) -> None:
        self.state = state
        self.decision = decision
        self.context = situation_of(state, state.setup.index[decision.by])

    def __iter__(self) -> Iterator[Action]:
        for kind in EXPLORING.values():
            yield from kind.instances(self.context)

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.refusal(action) is None

    def refusal(self, action: Action) -> str | None:
        if action.by != self.decision.by:
            if calls.meant(action):
                return calls.refusal(self.state, action)
            return text("by: this is {actor}'s minute, not {by}'s", actor=self.decision.by, by=action.by)
        kind = EXPLORING.get(action.do)
        if kind is None:
            return text(
                "do: {do} is nothing to explore with; there are {exploring}",
                do=repr(action.do),
                exploring=joined(", ", EXPLORING),
            )
        reason = kind.refusal(self.context, action)
        return None if reason is None else text("{do}: {reason}", do=action.do, reason=reason)

    def moves(self, do: str) -> Mapping[int, Action]:
        kind = EXPLORING.get(do)
        return by_goal(kind.instances(self.context)) if kind and kind.face.needs in ("path", "space") else {}

    def offers(self) -> tuple[Offer, ...]:
        return tuple(kind.offer(self.context) for kind in EXPLORING.values())

    def carry_out(self, resolution: Resolution, action: Action) -> None:
        """Do something, with the time that it takes, and with whoever hears or sees it."""
        kind, who, count = EXPLORING[action.do], self.context.who, len(resolution.events)
        resolution.chance = Chance(who)
        kind.resolve(resolution, who, action)
        resolution.chance = None
        if resolution.phase is not Phase.EXPLORE:
            return
        spend_minutes(resolution, who, kind.minutes)
        loud = resolution.state.challenges and any(
            isinstance(event, Told) and event.state == "sprung" for event in resolution.events[count:]
        )
        loud = loud or (kind.watched and action.option in LOUDLY)
        cell = resolution.figures[who].cell
        if loud or (kind.watched and cell != self.context.figure.cell):
            _, noticed, ambushers = go(resolution, who, (cell,), LOUD if loud else OPEN)
            if noticed or ambushers:
                danger(resolution, noticed, ambushers)
        if resolution.phase is Phase.EXPLORE:
            heed(resolution, range(len(resolution.figures)))


def describe(state: OldeState, action: Action) -> Description:
    """What an action says of itself; a spell by its own name."""
    return EXPLORING[action.do].describe(situation_of(state, state.setup.index[action.by]), action)


def odds_of(state: OldeState, action: Action) -> Odds | None:
    """Exact odds of a legal action: of being noticed on a way, of what a check decides; None without dice."""
    kind, who = EXPLORING.get(action.do), state.setup.index.get(action.by)
    if kind is None or who is None or who not in waiting(state):
        return None
    context = situation_of(state, who)
    return kind.odds(context, action) if kind.refusal(context, action) is None else None
