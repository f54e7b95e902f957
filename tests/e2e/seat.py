"""Somebody at the table: watches the window, knows the rules, decides, and lets a hand do it."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Any, Protocol

from game.controllers.ai import AiController
from game.fight.match import Match
from game.scenes.fight.plan import Plan
from rules.contract.actions import Action
from rules.core import record as records
from tests.e2e.hands import Hand, Moment, Table


class Mind(Protocol):
    """Decides what to do."""

    def choose(self, match: Match, plan: Plan) -> Action: ...


class Sensible:
    """Plays as the shipped computer would in this place."""

    def __init__(self) -> None:
        self._ai = AiController()

    def choose(self, match: Match, plan: Plan) -> Action:
        seen = match.observe(plan.decision.side)
        legal = match.ruleset.legal(seen, plan.decision)
        return self._ai.choose(match.ruleset, seen, plan.decision, legal)


class Careless:
    """Tries whatever was tried least so far, on whomever; after `tries` deeds it only ends its chances."""

    def __init__(self, tries: int) -> None:
        self.tries = tries
        self.done: Counter[tuple[str | None, ...]] = Counter()

    def choose(self, match: Match, plan: Plan) -> Action:
        ends = [o.actions[0] for o in plan.offers if o.description.group in ("End", "Answer") and o.actions]
        ways = [a for o in plan.offers if o.description.group != "End" for a in o.actions]
        known = self.done.total()
        fresh = [a for a in ways if self.done[self._kind(a)] < max(3, self.tries // 12)]
        if not fresh or known >= self.tries:
            return ends[0]
        action = min(fresh, key=lambda a: self.done[self._kind(a)])
        same = [a for a in fresh if self._kind(a) == self._kind(action)]
        self.done[self._kind(action)] += 1
        return same[known * 7 % len(same)]

    @staticmethod
    def _kind(action: Action) -> tuple[str | None, ...]:
        return (action.do, action.weapon, action.item, action.option)


class Seat:
    """Plays a fight at a table to its end, and keeps its own book of it."""

    def __init__(self, table: Table, hand: Hand, mind: Mind, moment: Moment | None = None) -> None:
        self.table, self.hand, self.mind = table, hand, mind
        self.moment = moment or (lambda name: None)
        hand.moment = self.moment
        self.match: Match | None = None
        self._fight = 0

    def play(self, seconds: float) -> str:
        """To the end of the fight; gives the side that won. Raises AssertionError where the window differs."""
        end = time.monotonic() + seconds
        while True:
            assert time.monotonic() < end, f"the fight was not over within {seconds:.0f} s"
            status = self.table.await_("a decision, or the summary", self._turn, seconds=300)
            if status["scene"] == "briefing":  # what the map has to say is read first
                self.hand.press("begin")
                self.table.await_("the fight", lambda s: s["scene"] == "fight")
                continue
            match = self._follow(status["fight"])
            if status["scene"] == "summary":
                assert match.decision is None and match.over is not None
                return match.over
            self._decide(match)

    def _turn(self, status: dict[str, Any]) -> dict[str, Any] | None:
        if status["scene"] in ("summary", "briefing"):
            return status
        asked = status["scene"] == "fight" and status["fight"]["asked"]
        still = not (asked and (status["fight"]["gliding"] or status["fight"]["moment"]))
        return status if asked and still else None

    def _follow(self, fight: dict[str, Any]) -> Match:
        """Our own book of the fight, brought up to what the window shows."""
        if self.match is None or self._fight != fight["id"]:
            self.match, self._fight = Match.from_record(fight["start"]), fight["id"]
        match = self.match
        for command in fight["commands"][len(match.record.commands) :]:
            action = self._action(match, command)
            decision = records.decision_for(match.ruleset, match.state, action)
            assert decision is not None
            match.act(decision, action)
        assert len(match.record.commands) == len(fight["commands"])
        return match

    def _decide(self, match: Match) -> None:
        decision = match.decision
        assert decision is not None
        legal = match.legal(decision)
        plan = Plan(match.ruleset, match.state, decision, legal, board=match.board(), field=match.field)
        if plan.only_end:  # the window ends it by itself
            self._moved(match, None)
            return
        action = self.mind.choose(match, plan)
        self.moment("a question" if plan.is_question else f"before {action.do}")
        try:
            self.hand.perform(plan, action)
        except AssertionError as error:
            raise AssertionError(f"{action}: {error}") from None
        self._moved(match, action)
        self.moment(f"after {action.do}")

    def _moved(self, match: Match, action: Action | None) -> None:
        """Wait for the next command of the record; it must be what was meant."""
        known = len(match.record.commands)
        fight = self.table.await_(
            f"{action or 'the end of an empty chance'} to be done",
            lambda s: len(s["fight"]["commands"]) > known and s["fight"],
        )
        if action is not None:
            done = self._action(match, fight["commands"][known])
            assert done == action, f"the window did {done} where {action} was meant"

    @staticmethod
    def _action(match: Match, command: dict[str, Any]) -> Action:
        return records.action_of(records.Command.model_validate(command), match.field, 0)


def pictures(table: Table, folder: Path, every: int) -> Moment:
    """Keeps a picture of every so-manieth moment at which something is pointed at or asked."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0

    def take(name: str) -> None:
        nonlocal count
        count += name in ("pointed at a space", "pointed at a creature", "a question", "a list")
        if count % every == 0 and not name.startswith(("before", "after")):
            table.picture(folder / f"{count:03d}-{name.replace(' ', '-')}.png")

    return take
