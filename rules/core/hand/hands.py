"""What the game master's hand does under every ruleset: what makes sense, what is changed, and how it is told.

A ruleset says in its own `hand.py` what it calls pools and conditions, and what follows when one of its creatures
comes, goes, or is moved (`base_hands.py`); all that is legal is decided here, deed by deed (`deeds.py`).
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from rules.contract.actions import Action
from rules.contract.errors import IllegalActionError
from rules.contract.hand import Deed
from rules.contract.ruleset import Step
from rules.contract.text import joined, text
from rules.core.hand.base_hands import BaseHands, R, Refusal
from rules.core.hand.deeds import DOES, LABELS, REFUSES


class Hands(BaseHands[R]):
    """The game master's hand."""

    def refusal(self, state: Any, action: Action) -> Refusal:
        """Why a command makes no sense now, in one line with what would be right; None if it may be given."""
        words = list(Deed)
        if action.do not in words:
            return text(
                "do: {do} is nothing that the hand does; there are {words}", repr(action.do), joined(", ", words)
            )
        deed = Deed(action.do)
        if self.keeper.over(state):
            return "the fight is over; take something back to go on"
        if self.asked(state) and deed not in (Deed.DICE, Deed.NOTE):
            return "answer the question that stands open first"
        reason = REFUSES[deed](self, state, action)
        return None if reason is None else text("{do}: {reason}", action.do, reason)

    def apply(self, state: Any, action: Action) -> Step:
        """Carry a command out, and go on by the rules. Raises IllegalActionError with the reason."""
        reason = self.refusal(state, action)
        if reason is not None:
            raise IllegalActionError(reason)
        resolution: Any = self.begin(state)
        DOES[Deed(action.do)](self, resolution, action)
        resolution.events[:] = [replace(event, hand=True) for event in resolution.events]
        self.go_on(resolution)
        return self.finish(state, resolution)

    def describe(self, action: Action) -> str:
        """What is done, in a word or two."""
        return LABELS[Deed(action.do)] if action.do in list(Deed) else action.do
