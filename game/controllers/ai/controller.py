"""The computer as a player: plans a whole chance, does it step by step, and can say why."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from game.controllers.ai.answers import answer
from game.controllers.ai.hunt import Hunt
from game.controllers.ai.planner import Planner
from game.controllers.ai.table import Table
from game.controllers.ai.temper import Temper, load_tempers
from game.controllers.ai.thinking import Option, Thinking
from rules.actions import Action, Decision
from rules.errors import BattlematError
from rules.ruleset import LegalActions, Ruleset, State

SHOWN = 3


class _Plan(NamedTuple):
    """The rest of a plan: each action with the observed position in which it holds."""

    by: str
    steps: tuple[tuple[Any, Action], ...]
    """(observed position, action) in order."""


class AiController:
    """Plays any side of any ruleset through the contract alone.

    `temperament` names a table of assets/content/ai.toml; left out, each creature plays as its stat block says.
    The same position and the same past give the same choice: there is no chance and no clock in it.
    """

    def __init__(self, temperament: str | None = None) -> None:
        self.temperament = temperament
        self._hunts: dict[str, Hunt] = {}
        self._plan: _Plan | None = None

    def choose(self, ruleset: Ruleset, state: State, decision: Decision, legal: LegalActions) -> Action:
        """One action out of `legal`; `state` is what the decision's side knows (`ruleset.observe`)."""
        planned = self._planned(state, decision, legal)
        if planned is not None:
            return planned
        options = self._options(ruleset, state, decision)
        for option in options:
            if option.action in legal:
                self._keep(ruleset, state, decision, option)
                return option.action
        return _any_of(legal)

    def explain(self, ruleset: Ruleset, state: State, decision: Decision, legal: LegalActions) -> Thinking:
        """The best options that differ in what they do, best first; the first is what `choose` would do."""
        name = load_tempers().name(self._wanted(ruleset, state, decision))
        best: list[Option] = []
        shown: set[tuple[str, str | None, str | None]] = set()
        options = self._options(ruleset, state, decision)
        planned = self._planned(state, decision, legal, keep=True)
        if planned is not None:
            options.sort(key=lambda option: option.action != planned)
            if options and options[0].action == planned and len(options) > 1:
                options = [options[0]] + [o for o in options[1:] if o.score <= options[0].score]
        for option in options:
            last = option.plan[-1] if option.plan else option.action
            key = (last.do, last.target, last.option)
            if key not in shown and option.action in legal:
                shown.add(key)
                best.append(option)
            if len(best) == SHOWN:
                break
        if not best:
            best = [Option(_any_of(legal), 0.0, ())]
        return Thinking(tuple(best), name)

    def why_not(
        self, ruleset: Ruleset, state: State, decision: Decision, legal: LegalActions, cell: int
    ) -> str:
        """Why the best plan doesn't end on a space, in one line."""
        where = "[{}, {}]".format(*ruleset.terrain(state).field.at(cell))
        thinking = self.explain(ruleset, state, decision, legal)
        best = thinking.best[0]
        if best.cell == cell:
            return f"{where} is where it goes: {best.label}."
        there = self._options(ruleset, state, decision, only=cell)
        if not there:
            return f"{where} can't be reached in this chance."
        option = there[0]
        values = dict(best.reasons)
        differences = [(value - values.get(text, 0.0), text) for text, value in option.reasons]
        mine = {text for text, _ in option.reasons}
        differences += [(-value, f"no “{text}”") for text, value in best.reasons if text not in mine]
        worst = min(differences, default=(0.0, "nothing"))
        return (
            f"{where}: {option.label} scores {option.score:+.2f}, {best.label} {best.score:+.2f}; "
            f"most against it: {worst[1]} ({worst[0]:+.2f})."
        )

    # -------------------------------------------------------------------------------------------- inside

    def _wanted(self, ruleset: Ruleset, state: State, decision: Decision) -> str:
        if self.temperament is not None:
            return self.temperament
        known = {mini.id for mini in ruleset.board(state).miniatures}
        return ruleset.temperament(state, decision.by) if decision.by in known else ""

    def _temper(self, ruleset: Ruleset, state: State, decision: Decision) -> Temper:
        return load_tempers().get(self._wanted(ruleset, state, decision))

    def _options(
        self, ruleset: Ruleset, state: State, decision: Decision, only: int | None = None
    ) -> list[Option]:
        """All plans for the decision, judged in the observed position."""
        temper = self._temper(ruleset, state, decision)
        legal = ruleset.legal(state, decision)
        if decision.kind != "chance":
            return answer(ruleset, state, decision, legal, temper)
        hunt = self._hunts.setdefault(decision.side, Hunt())
        table = Table(ruleset, state, decision, temper)
        hunt.remember(table)
        exposure = dict(load_tempers().exposure)
        planner = Planner(table, decision, legal, exposure, hunt.goals(table))
        return planner.options(only)

    def _planned(
        self, state: State, decision: Decision, legal: LegalActions, *, keep: bool = False
    ) -> Action | None:
        """The next action of the plan at hand, if everything went as expected."""
        plan = self._plan
        if plan is None or plan.by != decision.by or decision.kind != "chance" or plan.steps[0][0] != state:
            return None
        action = plan.steps[0][1]
        if action not in legal:
            return None
        if not keep:
            self._plan = _Plan(plan.by, plan.steps[1:]) if len(plan.steps) > 1 else None
        return action

    def _keep(self, ruleset: Ruleset, state: State, decision: Decision, option: Option) -> None:
        """Remember the rest of a plan with the position that its first action should lead to."""
        self._plan = None
        steps: list[tuple[Any, Action]] = []
        for action, following in pairwise(option.plan):
            try:
                state = ruleset.observe(ruleset.apply(state, decision, action).state, decision.side)
            except (BattlematError, RuntimeError):
                break
            steps.append((state, following))
        if steps:
            self._plan = _Plan(decision.by, tuple(steps))


def _any_of(legal: LegalActions) -> Action:
    """The last legal action: rulesets list ending the chance last."""
    actions = list(legal)
    if not actions:
        raise BattlematError("decision: there is no legal action to choose from")
    return actions[-1]
