"""A whole side planned together, where rules have everybody plan before anything is done.

Each creature plans in turn, knowing what the others mean to do; then once more those who planned before others did,
until nothing changes or it has gone on for long enough. What comes out depends on the position alone: whoever is asked
later, when some plans are sealed already, works out the same and goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from game.controllers.ai.advisors.planning import Sealing
from game.controllers.ai.planner import Planner
from rules.contract.actions import CHANCE, Action, Decision
from rules.contract.units import EMPTY, Bitboard

Asked = Callable[[Any, Decision, Bitboard], Planner | None]
"""The planner of a decision in a position in which others' plans are sealed; no plan ends on the spaces."""


class Stage(msgspec.Struct, frozen=True):
    """Where one planned, and from which of its actions on: what is done first may leave more to plan."""

    seen: Any
    """The position: all that the others mean to do is sealed there."""
    first: int


class Intent(msgspec.Struct, frozen=True):
    """What somebody means to do in its side's half."""

    actions: tuple[Action, ...]
    plans: tuple[object, ...]
    """All that it has planned after each of its actions."""
    stages: tuple[Stage, ...]
    taken: Bitboard
    """The spaces of those who are asked later: nobody may plan to end there before they have planned to leave."""

    @property
    def target(self) -> str | None:
        """Whom it is set on."""
        return next((action.target for action in self.actions if action.target), None)

    def next(self, plan: object) -> int | None:
        """Which of its actions is due after so much of the plan; None where the plan is another, or all is done."""
        done = 0 if plan is None else self.plans.index(plan) + 1 if plan in self.plans else len(self.actions)
        return done if done < len(self.actions) else None

    def stage(self, number: int) -> Stage:
        """Where an action was planned."""
        return next(stage for stage in reversed(self.stages) if stage.first <= number)


class Band:
    """The plans of one side's half."""

    def __init__(
        self, sealing: Sealing, fresh: Any, decisions: Sequence[Decision], stands: Mapping[str, Bitboard],
        *, asked: Asked, more: Callable[[Any, Decision], bool],
    ) -> None:  # fmt: skip
        self.fresh = fresh
        self.intents: dict[str, Intent] = {}
        self._sealing = sealing
        self._asked = asked
        self._more = more
        """Whether there is anything else to do where a movement has led that strikes nobody."""
        self._decisions = [each for each in decisions if each.kind == CHANCE and each.sealed]
        self._stands = stands
        """The spaces of those who plan."""

    def plan(self, passes: int) -> None:
        """Everybody plans, in the order in which they will be asked; then, so often at most, whoever is after somebody
        whom another was set on afterwards."""
        for number in range(len(self._decisions)):
            self._plan(number)
        for _ in range(passes - 1):
            changed = [self._plan(number) for number in range(len(self._decisions)) if self._doubts(number)]
            if not any(changed):
                return

    def _plan(self, number: int) -> bool:
        """One plans; whether it is another plan than before."""
        decision = self._decisions[number]
        seen, before = self._others(decision.by), self.intents.get(decision.by)
        if before is not None and before.stages[0].seen == seen:
            return False
        taken = EMPTY
        for later in self._decisions[number + 1 :]:
            taken |= self._stands.get(later.by, EMPTY)
        after = self.intents[decision.by] = self._planned(seen, decision, taken)
        return before is None or before.actions != after.actions

    def _doubts(self, number: int) -> bool:
        """Whether somebody else is set on a target, too, who planned later."""
        target = self.intents[self._decisions[number].by].target
        later = self._decisions[number + 1 :]
        return target is not None and any(self.intents[each.by].target == target for each in later)

    def _others(self, creature: str) -> Any:
        """The position with all that others than somebody mean to do."""
        state = self.fresh
        for name, intent in self.intents.items():
            for action in intent.actions if name != creature else ():
                state = self._sealing.sealed(state, name, action)
        return state

    def _planned(self, seen: Any, decision: Decision, taken: Bitboard) -> Intent:
        """One creature's plan while the others' stand."""
        state, actions, plans, stages = seen, list[Action](), list[object](), list[Stage]()
        while len(actions) < MOST:
            stages.append(Stage(state, len(actions)))
            planner = self._asked(state, decision, taken)
            if planner is None:
                break
            for action in planner.chosen():
                state = self._sealed(state, decision.by, action, actions, plans)
            if not self._sealing.done(state, decision.by) and actions[-1].path and not self._more(state, decision):
                stages.append(Stage(state, len(actions)))
                state = self._sealed(state, decision.by, planner.outlook.end, actions, plans)
            if self._sealing.done(state, decision.by):
                break
        return Intent(tuple(actions), tuple(plans), tuple(stages), taken)

    def _sealed(self, state: Any, creature: str, action: Action, actions: list[Action], plans: list[object]) -> Any:
        """The position with an action more, which is noted."""
        state = self._sealing.sealed(state, creature, action)
        actions.append(action)
        plans.append(self._sealing.plan(state, creature))
        return state

    def agrees(self, state: Any) -> bool:
        """Whether all that is sealed in a position is what is meant."""
        for name, intent in self.intents.items():
            plan = self._sealing.plan(state, name)
            if plan is not None and plan not in intent.plans:
                return False
        return True


MOST = 4
"""Actions of one plan."""
