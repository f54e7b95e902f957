"""What a planner may weigh in an exploration: ways with their chance to stay unnoticed, doors, help, the attack."""

from __future__ import annotations

from collections.abc import Iterator

from game.controllers.ai.advisors.olde.measures import chance_of
from game.controllers.ai.advisors.planning import (
    Advance,
    Ambush,
    Begin,
    Clear,
    Light,
    Measure,
    Mend,
    Outlook,
    Pass,
    Rise,
)
from rules.board.bitboard import board_of
from rules.board.sight import dark, lit
from rules.contract.actions import Action
from rules.olde.actions.context import Context
from rules.olde.explore.kinds import Stroll, situation_of
from rules.olde.explore.notice import risk_of
from rules.olde.explore.table import EXPLORING, odds_of
from rules.olde.state import OldeState
from rules.olde.visibility import lamps


def measures(state: OldeState, who: int) -> Iterator[Measure]:
    """In stable order; `points` are minutes."""
    context = situation_of(state, who)
    for do in ("sneak", "walk"):
        stroll = EXPLORING[do]
        assert isinstance(stroll, Stroll)
        openly = 1.0 if stroll.manner.rating else 0.0
        for action in stroll.instances(context):
            risk = risk_of(context.state, who, action.path, stroll.manner)
            yield Advance(action, stroll.minutes, 1.0 - risk.along[-1], cell=action.path[-1], openly=openly)
    for do in ("climb", "swim", "leap"):
        if do in EXPLORING:
            for action in EXPLORING[do].instances(context):
                goal = action.path[-1] if action.path else action.at
                yield Advance(action, 1, 0.5, cell=-1 if goal is None else goal)
    for action in EXPLORING["rise"].instances(context):
        yield Rise(action, 0)
    for do in ("unlock", "open"):
        for action in EXPLORING[do].instances(context):
            yield Pass(action, 0)
    for action in EXPLORING["force"].instances(context):
        door = next(d for d in context.field.doors if d.id == action.target)
        yield Pass(action, 1, chance_of(context, action.option or "Burst", door.difficulty))
    for action in EXPLORING["tackle"].instances(context):
        challenge = next(c for c in context.field.challenges if c.id == action.item)
        quiet = challenge.kind != "trap" or action.option == "Disable"  # brute force is heard far off
        if challenge.kind != "chest" and quiet and board_of(challenge.cells):
            yield Clear(action, 1, chance_of(context, action.option or "Disable", challenge.difficulty))
    if _in_the_dark(context):
        for action in EXPLORING["light"].instances(context):
            shown = odds_of(state, action)
            yield Light(action, EXPLORING["light"].minutes, 1.0 if shown is None else shown.hit)
    for action in EXPLORING["first_aid"].instances(context):
        yield Mend(action, 1, 0.5)
    for action in EXPLORING["ambush"].instances(context):
        yield Ambush(action, 0)
    for action in EXPLORING["shout"].instances(context):
        yield Begin(action, 0)


def _in_the_dark(context: Context) -> bool:
    """Whether nothing shines where somebody stands, in a fight where that matters."""
    if not context.setup.darkness or not dark(context.terrain):
        return False
    return not lit(context.terrain, lamps(context.state)) >> context.figure.cell & 1


def outlook(state: OldeState, who: int) -> Outlook:
    """The minute, and how to let it pass."""
    assert state.explore is not None
    return Outlook(state.explore.minute, 1, True, (), Action(state.setup.fighters[who].id, "end"))
