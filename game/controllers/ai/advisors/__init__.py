"""Advisors: what positions and actions are worth under each ruleset, for the computer and for what overlays show.

Here belong figures in bulk and valuations; what may be done, and with which chances, the rules alone say.
"""

from __future__ import annotations

from importlib import import_module

from game.controllers.ai.advisors.default import DefaultAdvisor
from game.controllers.ai.advisors.planning import Advisor
from rules.contract.display import System

ADVISORS = {
    "olde": "game.controllers.ai.advisors.olde:OldeAdvisor",
    "cairn": "game.controllers.ai.advisors.cairn:CairnAdvisor",
    "countup": "game.controllers.ai.advisors.countup:CountUpAdvisor",
}
"""Id of a ruleset -> module and class, imported when it is first asked for. Who is not named here has the default
advisor."""

_made: dict[str, Advisor] = {}


def advisor_of(ruleset: System) -> Advisor:
    """Who advises under a ruleset: its own advisor, or one that makes do with the contract."""
    name = ruleset.id
    if name not in ADVISORS:
        return DefaultAdvisor(ruleset)
    if name not in _made:
        module, maker = ADVISORS[name].split(":")
        _made[name] = getattr(import_module(module), maker)()
    return _made[name]


__all__ = ["ADVISORS", "Advisor", "advisor_of"]
