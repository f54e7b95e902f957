"""What is shown of a fight: the whole truth, or what some sides know of it. The one seam between match and window.

Everything that the window draws, tells or sounds comes from here, so that nothing else has to know who is looking.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import msgspec

from game.fight.match import Match
from game.fight.visibility import Knowledge, Sight
from rules.contract.actions import Action, Decision
from rules.contract.display import Board, GroundMark
from rules.contract.events import Event
from rules.contract.ruleset import State

WHOLE = -1
"""In place of a bitboard: every space."""


def fogged(match: Match) -> bool:
    """Whether the fight has fog of war."""
    default = any(switch.default for switch in match.ruleset.switches if switch.name == "fog")
    return bool(match.record.options.get("fog", default))


class Eyes:
    """Who looks: `sides` whose knowledge is put together, or None for whoever sees all.

    `own` are the sides whose sealed plans are shown although everything else is; None = everybody's.
    """

    def __init__(self, match: Match, sides: Sequence[str] | None = None, own: Collection[str] | None = None) -> None:
        self.match = match
        self.sides: tuple[str, ...] | None = None
        self.own: frozenset[str] | None = None
        self._knowledge = Knowledge(match.ruleset)
        self._fog = fogged(match)
        self.turn(sides, own)

    def turn(self, sides: Sequence[str] | None, own: Collection[str] | None = None) -> None:
        """Look with the eyes of others from now on."""
        self.sides = None if sides is None else tuple(sides)
        self.own = None if own is None else frozenset(own)

    def state(self, number: int = -1) -> State:
        """The state after a number of commands (-1: the present one), as it is known: what chances are counted by."""
        state = self._table(number)
        if self.sides is None and self.own is not None:
            return self.match.ruleset.sealed(state, *sorted(self.own))
        return state

    def _table(self, number: int) -> State:
        """The same with what everybody means to do: a board also shows who has planned already."""
        state = self.match.history.moments[number].state
        return state if self.sides is None else self.match.ruleset.observe(state, *self.sides)

    def sight(self, number: int = -1) -> Sight | None:
        """The ground that is seen, and that was seen so far; None = all of it."""
        return None if self.sides is None else self._knowledge.shared(self.sides, self._states(number))

    def known(self, number: int = -1) -> int:
        """Bitboard of the ground that is known; all bits set where everything is."""
        sight = self.sight(number)
        return WHOLE if sight is None else sight.ever

    def board(self, number: int = -1) -> Board:
        """The board as it is known: marks on the ground where they are seen, no sealed plans of others."""
        board = own_plans(self.match.ruleset.board(self._table(number)), self.own)
        sight = self.sight(number)
        if sight is None:
            return board
        there = {mini.id for mini in board.miniatures}
        return msgspec.structs.replace(
            board,
            order=tuple(turn for turn in board.order if turn.id in there),
            ground=tuple(_seen_part(mark, sight.now) for mark in board.ground if mark.cells & sight.now),
        )

    def events(self, events: Iterable[Event]) -> list[Event]:
        """Those of the events that were witnessed, in order."""
        return [event for event in events if self.witnesses(event)]

    def witnesses(self, event: Event) -> bool:
        """Whether an event was seen; what another event tells whole is not told in part, too."""
        if self.sides is None:
            return not event.whole_for and not self._secret(event)
        seen = not event.seen_by or any(side in event.seen_by for side in self.sides)
        return seen and not any(side in event.whole_for for side in self.sides)

    def _secret(self, event: Event) -> bool:
        """Whether it is what others found out for themselves: without fog nothing else is kept from anybody."""
        if self._fog or self.own is None or not event.seen_by:
            return False
        return self.own.isdisjoint(event.seen_by)

    def _states(self, number: int) -> list[State]:
        moments = self.match.history.moments
        last = len(moments) if number == -1 else number + 1
        return [moment.state for moment in moments[:last]]


def own_plans(board: Board, sides: Collection[str] | None) -> Board:
    """A board with nobody's sealed plans but those of these sides (None = everybody's): who means to look elsewhere

    is shown as it will.
    """
    if not board.plans:
        return board
    own = {mini.id for mini in board.miniatures if sides is None or mini.side in sides}
    plans = tuple(plan for plan in board.plans if plan.open or plan.id in own)
    turned = {plan.id: plan.facing for plan in plans if plan.facing is not None}
    minis = tuple(msgspec.structs.replace(mini, facing=turned[mini.id]) if mini.id in turned else mini
                  for mini in board.miniatures)  # fmt: skip
    return msgspec.structs.replace(board, plans=plans, miniatures=minis)


def _seen_part(mark: GroundMark, seen: int) -> GroundMark:
    return msgspec.structs.replace(mark, cells=mark.cells & seen)


def possible(match: Match, decision: Decision, action: Action, sides: Sequence[str] = ()) -> Action | None:
    """As much of an action, legal by what `sides` (the decider's own) know, as the whole truth allows; None = nothing.

    Who stands unseen in the way stops a movement on the space before: the longest part of the path that is legal and
    meets nobody unseen is walked. This binds people and computers alike.
    """
    legal = match.legal(decision)
    clear = len(action.path)
    if action.path:
        unseen, wide = _unseen(match, decision.by, sides or (decision.side,))
        terrain = match.ruleset.terrain(match.state)
        met = (n for n, cell in enumerate(action.path) if terrain.footprint(cell, wide) & unseen)
        clear = next(met, clear)
    for length in range(clear, 0, -1):
        part = msgspec.structs.replace(action, path=action.path[:length])
        if part in legal:
            return part
    return action if not action.path and action in legal else None


def _unseen(match: Match, by: str, sides: Sequence[str]) -> tuple[int, int]:
    """Bitboard of spaces on which somebody stands whom these sides don't see; and how wide a creature is."""
    rules, state = match.ruleset, match.state
    known = {mini.id for mini in rules.board(match.observe(*sides)).miniatures}
    terrain, spaces, wide = rules.terrain(state), 0, 1
    for mini in rules.board(state).miniatures:
        if mini.id == by:
            wide = mini.size
        if mini.id not in known and not mini.out:
            spaces |= terrain.footprint(mini.cell, mini.size)
    return spaces, wide
