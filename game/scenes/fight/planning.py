"""Several decisions open at once: whose plan is worked on, who has none yet, and what is shown of sealed plans."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.contract.actions import Action, Decision

if TYPE_CHECKING:
    from game.scenes.fight.scene import Fight


class Planning:
    """Turns a fight to one of the decisions that stand open for whoever is at the screen."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self._warned = -1
        """After how many commands it was said that somebody has no plan yet."""
        self._ventured: Action | None = None
        """The way of which it was said that it is bound to fail."""

    def open(self) -> dict[str, Decision]:
        """The open decisions of creatures whose player looks, in the ruleset's order, where there is a choice."""
        found, plan = self._ours(), self.fight.plan
        return found if len(found) > 1 or (plan is not None and plan.decision.by not in found) else {}

    def _ours(self) -> dict[str, Decision]:
        fight = self.fight
        if fight.plan is None or fight.plan.is_question:
            return {}
        seats = fight.seating.seats
        return {
            decision.by: decision
            for decision in fight.match.decisions
            if decision.by in fight.names and seats.answering(decision) == fight.seating.at
        }

    def unplanned(self) -> list[str]:
        """Ids of those who have no plan at all; who has half of one may be meant to do no more."""
        begun = {plan.id for plan in self.fight.board.plans if plan.label or plan.path}
        return [name for name, d in self._ours().items() if not d.answered and name not in begun]

    def missing(self) -> int:
        """How many still have no plan where the last offer carries out a whole side's; 0 where none does."""
        plan = self.fight.plan
        if plan is None or plan.ending is None or plan.ending.by in self.fight.names:
            return 0
        return len(self.unplanned())

    def turn_to(self, name: str) -> bool:
        """Work on somebody's plan from now on; False where there is none to make."""
        fight = self.fight
        if name not in self.open() or fight.view.busy:
            return False
        if fight.plan is not None and fight.plan.decision.by == name:
            return False
        fight.match.turn_to(name)
        fight.refresh()
        fight.panels.build()
        return True

    def step(self, by: int) -> bool:
        """To the next (or the last) of one's own with an open decision."""
        fight, names = self.fight, list(self.open())
        if not names or fight.plan is None:
            return False
        here = fight.plan.decision.by
        index = (names.index(here) + by) % len(names) if here in names else (0 if by > 0 else -1)
        return self.turn_to(names[index])

    def venture(self, action: Action) -> bool:
        """Whether a way that is bound to fail is meant: asked once, unless its button was armed for it."""
        plan = self.fight.plan
        odds = plan.odds(action) if plan is not None and plan.armed is None and action.path else None
        if odds is None or not odds.along or odds.along[-1][1] < 1.0 or self._ventured == action:
            return True
        self._ventured = action
        self.fight.toast("Somebody is bound to notice that. Once more goes all the same.")
        return False

    def sure(self, action: Action) -> bool:
        """Whether an action that carries out a whole side's plans is meant: asked once where plans are missing."""
        fight = self.fight
        if fight.plan is None or action.by in fight.names:
            return True
        missing = [fight.names[name] for name in self.unplanned()]
        done = fight.match.history.length
        if not missing or self._warned == done:
            return True
        self._warned = done
        word = fight.plan.describe(action).label
        fight.toast(f"{_listed(missing)} may still plan. {word} once more goes on all the same.")
        return False


def _listed(names: list[str]) -> str:
    """`Ada`, `Ada and Bo`, `Ada, Bo and 2 others`."""
    if len(names) > 3:
        names = [*names[:2], f"{len(names) - 2} others"]
    return " and ".join(([", ".join(names[:-1])] if names[:-1] else []) + names[-1:])
