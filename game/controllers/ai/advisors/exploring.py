"""What is worth a thought in a turn of exploration without an expedition, under any rules: to come to the foe
unnoticed, and to fall upon it. `points` are 0 for what takes no time, else 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from game.controllers.ai.advisors import planning
from rules.contract.actions import Action
from rules.core.secrets import Kind, named
from rules.explore.kinds import Situation, Timed

Kinds = Mapping[str, Timed[Any]]
"""Word of a command -> the kind of thing to do: a ruleset's own."""
GOING, CROSSING = ("sneak", "walk"), ("climb", "swim", "leap")
DOORS = ("unlock", "open", "pick_lock", "force")
UP = ("rise", "stand", "break_free", "steady")
AID = ("bandage", "first_aid", "help")
UNHEARD = "sneak"


def measures(kinds: Kinds, context: Situation) -> Iterator[planning.Measure]:
    """In stable order."""
    yield from _ways(kinds, context)
    for action in _each(kinds, UP, context):
        yield planning.Rise(action, _points(kinds, action), _chance(kinds, context, action))
    for action in _each(kinds, DOORS, context):
        yield planning.Pass(action, _points(kinds, action), _chance(kinds, context, action))
    for action in _each(kinds, ("tackle",), context):
        _, one = named(context.state.setup.field, action.item or "")
        if one.kind == Kind.RUBBLE:
            yield planning.Clear(action, 1, _chance(kinds, context, action))
    if context.state.setup.darkness and not kinds["light"].course.lit(context.state, context.who):
        for action in _each(kinds, ("light",), context):
            yield planning.Light(action, 1, _chance(kinds, context, action))
    for action in _each(kinds, AID, context):
        yield planning.Mend(action, 1, _chance(kinds, context, action))
    yield from (planning.Breathe(action, 1) for action in _each(kinds, ("rest",), context))
    yield from (planning.Ambush(action, 0) for action in _each(kinds, ("ambush",), context))
    yield from (planning.Begin(action, 0) for action in _each(kinds, ("shout",), context))


def outlook(creature: str) -> planning.Outlook:
    """A turn of exploration, and how to let it pass."""
    return planning.Outlook(1, True, (), Action(creature, "end"))


def _ways(kinds: Kinds, context: Situation) -> Iterator[planning.Measure]:
    """Ways to go, and what is crossed otherwise, with the chance that nobody notices or that it is done."""
    for action in _each(kinds, GOING, context):
        openly = 0.0 if action.do == UNHEARD else 1.0
        yield planning.Advance(action, 1, _chance(kinds, context, action), cell=action.path[-1], openly=openly)
    for action in _each(kinds, CROSSING, context):
        if action.at is not None:
            yield planning.Advance(action, 1, _chance(kinds, context, action), cell=action.at)


def _each(kinds: Kinds, words: tuple[str, ...], context: Situation) -> Iterator[Action]:
    """The legal instances of these words, of those that the ruleset has."""
    for do in words:
        if do in kinds:
            yield from kinds[do].instances(context)


def _points(kinds: Kinds, action: Action) -> int:
    return min(1, kinds[action.do].turns)


def _chance(kinds: Kinds, context: Situation, action: Action) -> float:
    """What the odds of an action say; what has none comes to pass."""
    odds = kinds[action.do].odds(context, action)
    return 1.0 if odds is None else odds.hit
