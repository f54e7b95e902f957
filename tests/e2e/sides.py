"""Somebody at the table who plans for a whole side: one after another in any order, thinks again, then resolves."""

from __future__ import annotations

from game.fight.match import Match
from game.fight.seats import Seats
from game.scenes.fight.plan import Plan
from rules.contract.actions import Decision
from tests.e2e.hands import Hand, Keyboard, Mouse, Table
from tests.e2e.seat import Mind, Moment, Seat

HALVES = 3
"""In each so-manieth half somebody's plan is made anew, and in each so-manieth one nobody plans for the last."""


class Commander(Seat):
    """Plans for each of its side that is asked, in an order that differs from half to half, by chip and on the board.

    In some halves a plan that stands is taken back and made anew, and in some one stays without: then Resolve must
    warn first. `turned`, `anew` and `warned` count what was tried.
    """

    def __init__(self, table: Table, hand: Hand, mind: Mind, moment: Moment | None = None) -> None:
        super().__init__(table, hand, mind, moment)
        self.turned = self.anew = self.warned = self.half = 0
        self._again = ""
        """Whose plan is being made anew in this half."""

    def _decide(self, match: Match) -> None:
        plans = [d for d in match.decisions if d.sealed and any(m.id == d.by for m in match.board().miniatures)]
        sealed = match.decision is not None and match.decision.sealed
        if not sealed or Seats(match.record).answering(match.decisions[0]) is None:
            super()._decide(match)
            return
        waiting = [d.by for d in plans if not d.answered]
        if waiting and len(waiting) == len(plans) and not any(p.id in waiting for p in match.board().plans):
            self.half, self._again = self.half + 1, ""
        if self.half % HALVES == 1 and not waiting and plans and not self._again:
            self._think_again(match, plans)
            return
        leaves = self.half % HALVES == 2 and len(plans) > 1 and len(waiting) == 1
        if waiting and not leaves:
            begun = [p.id for p in match.board().plans if p.id in waiting]
            order = waiting if self.half % 2 else waiting[::-1]
            name = begun[0] if begun else order[len(order) // 2]
            self.turn_to(match, name)
            super()._decide(match)
            return
        self._resolve(match, bool(waiting))

    def turn_to(self, match: Match, name: str) -> None:
        """Turn the window to somebody's plan, by the order of play and on the board by turns."""
        if self.table.fight()["table"]["acting"] != name:
            plan = self._plan(match)
            self.turned += 1
            if isinstance(self.hand, Mouse):
                if self.turned % 2 or plan.minis[name].out:  # a click on who lies there means the space
                    self.hand.press(f"order {name}")
                else:
                    self.hand.at_creature(plan, name)
            elif isinstance(self.hand, Keyboard):
                self._by_keys(name)
            self.table.await_(
                f"{name}'s plan", lambda s: s["fight"]["table"]["acting"] == name and not s["fight"]["gliding"]
            )
        match.turn_to(name)
        self.moment("a plan")

    def _by_keys(self, name: str) -> None:
        assert isinstance(self.hand, Keyboard)
        for _ in range(12):
            self.hand.type("Next" if self.turned % 2 else "Prior")
            if self.table.fight()["table"]["acting"] == name:
                return
        raise AssertionError(f"the keys do not turn to {name}")

    def _think_again(self, match: Match, plans: list[Decision]) -> None:
        """Turn to a plan that stands, and take it back."""
        self._again = plans[self.half % len(plans)].by
        self.turn_to(match, self._again)
        plan = self._plan(match)
        offer = next(o for o in plan.offers if o.do == "clear")
        self.hand.perform(plan, offer.actions[0])
        self._moved(match, offer.actions[0])
        self.anew += 1

    def _resolve(self, match: Match, warned: bool) -> None:
        plan = self._plan(match)
        offer = plan.final
        assert offer is not None and offer.do == "resolve"
        self.moment("before resolve")
        self.hand.press_offer(plan, offer)
        if warned:
            self.table.await_("a warning", lambda s: "once more" in s["fight"]["toast"])
            assert self._known(match), "resolved without asking though somebody has no plan"
            self.warned += 1
            self.moment("a warning")
            self.hand.press_offer(plan, offer)
        self._moved(match, None)
        self.moment("after resolve")

    def _known(self, match: Match) -> bool:
        return len(self.table.fight()["commands"]) == len(match.record.commands)

    @staticmethod
    def _plan(match: Match) -> Plan:
        decision = match.decision
        assert decision is not None
        return Plan(match.ruleset, match.state, decision, match.legal(decision), board=match.board(), field=match.field)
