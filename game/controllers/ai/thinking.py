"""What the computer can say of its own choice."""

from __future__ import annotations

from typing import NamedTuple

from rules.contract.actions import Action

Reason = tuple[str, float]
"""(text, value): one addend of a score."""


class Option(NamedTuple):
    """A plan for the rest of a chance: `action` comes first; its score is the sum of its reasons' values."""

    action: Action
    score: float
    reasons: tuple[Reason, ...]
    plan: tuple[Action, ...] = ()
    """All actions of the plan in order, `action` included."""
    cell: int = -1
    """Where the creature would stand afterwards."""
    label: str = ""
    """The plan in words: `Step to [4, 3], Attack Goblin`."""


class Thinking(NamedTuple):
    """The best options, best first: at most three that differ in what they do."""

    best: tuple[Option, ...]
    temperament: str = ""

    @property
    def choice(self) -> Action | None:
        """What would be done."""
        return self.best[0].action if self.best else None
