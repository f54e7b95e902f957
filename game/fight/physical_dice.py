"""Real dice on the table: which die an action needs next, found by trying it; nothing is changed by that.

An action is applied again from the same state with one face more each time. Dice of creatures whose players throw
their own are asked for, all others are left to the seed. When no die is wanting any more, the faces go into the
record's `throws`, and so replay, undo and odds hold as with any other dice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from game.fight.match import Match
from rules.contract.actions import Action, Decision
from rules.contract.errors import ThrowNeeded

Face = int | None
"""What a die shows; None = by the seed."""
MOST = 100_000
"""So many dice of one action are tried before it is given up."""


class Attempt(NamedTuple):
    """How far an action comes with the faces that are known."""

    throws: tuple[Face, ...]
    """The record's throws, from the fight's first die on, this action's included as far as they are known."""
    needed: ThrowNeeded | None
    """The die to ask for; None: nothing is wanting."""


def attempt(
    match: Match, decision: Decision, action: Action, typed: Sequence[Face], own: Callable[[str], bool]
) -> Attempt:
    """Try an action with the faces typed so far; `own(creature)` says whose dice are thrown by hand.

    Raises IllegalActionError for an action that may not be done. The match stays as it is.
    """
    rules, state = match.ruleset, match.state
    known: list[Face] = list(match.record.throws or ())
    known += [None] * (rules.thrown(state) - len(known))
    return _tried(
        lambda throws: rules.apply(rules.with_throws(state, throws, True), decision, action),
        known,
        typed,
        own,
    )


def attempt_opening(match: Match, typed: Sequence[Face], own: Callable[[str], bool]) -> Attempt:
    """Try the fight's beginning (who comes first, action points …) with the faces typed so far, as `attempt` does."""
    start = msgspec.structs.replace(match.scenario(), throws=())
    start = msgspec.structs.replace(start, options={**start.options, "strict_throws": True})
    return _tried(lambda throws: match.ruleset.start(msgspec.structs.replace(start, throws=throws)), [], typed, own)


def _tried(
    throw: Callable[[tuple[Face, ...]], object],
    known: list[Face],
    typed: Sequence[Face],
    own: Callable[[str], bool],
) -> Attempt:
    """`throw` tried with more and more faces, until it needs one that was not typed yet or nothing any more."""
    waiting = list(typed)
    for _ in range(MOST):
        try:
            throw(tuple(known))
        except ThrowNeeded as needed:
            if not own(needed.by):
                known.append(None)
            elif waiting:
                known.append(waiting.pop(0))
            else:
                return Attempt(tuple(known), needed)
        else:
            break
    return Attempt(tuple(known), None)
