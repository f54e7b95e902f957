"""Advisors: what positions and actions are worth under each ruleset, for the computer and for what overlays show.

Here belong figures in bulk and valuations; what may be done, and with which chances, the rules alone say.
"""

from __future__ import annotations

from importlib import import_module

from game.controllers.ai.advisors.contract import Advisor
from rules.contract.ruleset import Ruleset

ADVISORS = {
    "olde": "game.controllers.ai.advisors.olde.advisor:OldeAdvisor",
    "cairn": "game.controllers.ai.advisors.cairn.advisor:CairnAdvisor",
    "countup": "game.controllers.ai.advisors.countup.advisor:CountUpAdvisor",
}
"""Id of a ruleset -> module and class. Each is imported when it is first asked for."""

_made: dict[str, Advisor] = {}


def advisor_of(ruleset: Ruleset) -> Advisor:
    """Who advises under a ruleset."""
    found = _made.get(ruleset.id)
    if found is None:
        module, maker = ADVISORS[ruleset.id].split(":")
        found = _made[ruleset.id] = getattr(import_module(module), maker)()
    return found


__all__ = ["ADVISORS", "Advisor", "advisor_of"]
