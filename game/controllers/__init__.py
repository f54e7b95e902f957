"""Who decides: controllers answer the decisions that a ruleset leaves open."""

from __future__ import annotations

from typing import Protocol

from rules.contract.actions import Action, Decision
from rules.contract.display import System
from rules.contract.ruleset import LegalActions, State


class Controller(Protocol):
    """Anything that can answer a decision at once: the computer, a reference player, a record."""

    def choose(self, ruleset: System, state: State, decision: Decision, legal: LegalActions) -> Action:
        """One action out of `legal`. `state` is what the decision's side knows (`ruleset.observe`)."""
        ...


__all__ = ["Controller"]
