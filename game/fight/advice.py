"""The computer's mind in one fight: what it would do, what it thought at any past decision, and why not otherwise.

What a side remembers of foes out of sight follows from the history alone: it is taken in again, decision by decision
of the computer's, whenever the past has changed. So an interrupted fight, a loaded save and a replay give the same
choices as a fight played through.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from game.controllers.ai import AiController, Thinking
from game.controllers.ai.weights import NORMAL
from game.fight.match import Match
from game.fight.seats import Seats
from game.fight.viewing import possible
from rules.contract.actions import Action, Decision
from rules.contract.errors import BattlematError
from rules.contract.ruleset import State
from rules.contract.units import Cell
from rules.core import record as records


class Deed(NamedTuple):
    """A decision that was answered: before which command, what was known, and what was done."""

    number: int
    known: State
    decision: Decision
    done: Action


class Why(NamedTuple):
    """What the computer thought when it did a deed, and at which level. `taken` is the option that was taken, −1 if
    it's none of them."""

    deed: Deed
    thinking: Thinking
    taken: int
    level: str


class Counsel:
    """Keeps one controller for a match, in step with its history. `level`: how far it looks."""

    def __init__(self, match: Match, level: str = NORMAL) -> None:
        self.match, self.level = match, level
        self._brain = AiController(level=level)
        self._taken: list[State] = []
        """The states that the controller has taken in."""
        self._others: dict[str, Counsel] = {}

    def advise(self, decision: Decision) -> Action:
        """What the computer does at the decision that stands open, by what its side knows and remembers."""
        match = self.match
        brain = self.brain(match.history.length)
        known = match.observe(decision.side)
        wanted = brain.choose(match.ruleset, known, decision, match.ruleset.legal(known, decision))
        return possible(match, decision, wanted) or brain.choose(match.ruleset, known, decision, match.legal(decision))

    def brain(self, number: int) -> AiController:
        """The controller as it was after so many commands: it remembers what was seen before them, and no more."""
        moments = self.match.history.moments
        states = [moment.state for moment in moments[:number]]
        if len(self._taken) > number or any(a is not b for a, b in zip(self._taken, states, strict=False)):
            self._brain, self._taken = AiController(level=self.level), []
        for n in range(len(self._taken), number):
            self._taken.append(states[n])
            if not moments[n + 1].side:
                deed = deed_of(self.match, n)
                self._brain.recall(self.match.ruleset, deed.known, deed.decision, deed.done)
        return self._brain

    def why(self, number: int) -> Why:
        """What was thought before the computer's deed after so many commands. Raises BattlematError.

        A person may have changed the level since: it is explained at the one that was in force, where that is known.
        """
        return self._at(self._level(number))._thought(number)

    def _level(self, number: int) -> str:
        """At which level the command after so many was thought of, as far as is known."""
        after = self.match.history.moments[number + 1 : number + 2]
        return after[0].level or self.level if after else self.level

    def _at(self, level: str) -> Counsel:
        if level == self.level:
            return self
        return self._others.setdefault(level, Counsel(self.match, level))

    def _thought(self, number: int) -> Why:
        deed = deed_of(self.match, number)
        if self.match.history.moments[number + 1].side:
            raise BattlematError(
                "command {number}: a person did that; only the computer's deeds can be explained", number
            )
        rules, legal = self.match.ruleset, self.match.ruleset.legal(deed.known, deed.decision)
        thinking = self.brain(number).explain(rules, deed.known, deed.decision, legal)
        taken = next((n for n, option in enumerate(thinking.best) if _same(option.action, deed.done)), -1)
        return Why(deed, thinking, taken, self.level)

    def why_not(self, number: int, cell: Cell) -> str:
        """Why the best plan of a past decision did not end on a space, in one line."""
        return self._at(self._level(number))._why_not(number, cell)

    def _why_not(self, number: int, cell: Cell) -> str:
        deed = deed_of(self.match, number)
        if deed.decision.kind not in ("chance", "explore"):
            return "This was a question of the rules; no space was chosen."
        rules, legal = self.match.ruleset, self.match.ruleset.legal(deed.known, deed.decision)
        return self.brain(number).why_not(rules, deed.known, deed.decision, legal, cell)


def _same(first: Action, done: Action) -> bool:
    """Whether a deed is an option's first action, or as much of it as was possible."""
    begun = bool(done.path) and first.path[: len(done.path)] == done.path
    return first == done or (begun and (first.do, first.by) == (done.do, done.by))


def deed_of(match: Match, number: int) -> Deed:
    """The decision answered after so many commands, as its side knew the fight. Raises BattlematError."""
    history = match.history
    if not 0 <= number < history.length:
        raise BattlematError("command {number}: the fight has {length} commands", number, history.length)
    state = history.moments[number].state
    action = records.action_of(match.record.commands[number], match.field, number)
    decision = records.decision_for(match.ruleset, state, action)
    if decision is None:
        raise BattlematError("command {number}: no decision stood open", number)
    return Deed(number, match.ruleset.observe(state, decision.side), decision, action)


def explainable(match: Match, own: Collection[str]) -> list[int]:
    """The computer's deeds that may be explained to `own` sides: not those that are others' sealed plans still."""
    board, moments = match.board(), match.history.moments
    sides = {mini.id: mini.side for mini in board.miniatures}
    sealed = {plan.id for plan in board.plans if not plan.open and sides.get(plan.id) not in own}
    hidden: set[int] = set()
    for number in range(match.history.length - 1, -1, -1):
        if not sealed:
            break
        if match.record.commands[number].by in sealed:
            hidden.add(number)
        sealed &= {plan.id for plan in match.ruleset.board(moments[number].state).plans}
    return [n for n, moment in enumerate(moments[1:]) if not moment.side and n not in hidden]


def latest_of(match: Match, creature: str | None) -> int | None:
    """The computer's latest decision for a creature, else for anybody; None if it has made none."""
    made = explainable(match, Seats(match.record).played)
    own = [n for n in made if match.record.commands[n].by == creature]
    return next(reversed(own or made), None)
