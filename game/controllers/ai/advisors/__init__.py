"""Advisors: what positions and actions are worth under each ruleset, for the computer and for what overlays show.

Here belong figures in bulk and valuations; what may be done, and with which chances, the rules alone say.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from game.controllers.ai.advisors.default import DefaultAdvisor
from game.controllers.ai.advisors.planning import Advisor
from rules.contract.display import System

ADVISORS = {name: f"game.controllers.ai.advisors.{name}" for name in ("olde", "cairn", "countup")}
"""Id of a ruleset -> the module with its `ADVISOR`, imported when it is first asked for. Who is not named here has the
default advisor."""


def advisor_of(ruleset: System) -> Advisor:
    """Who advises under a ruleset: its own advisor, or one that makes do with the contract."""
    return _own(ruleset.id) if ruleset.id in ADVISORS else DefaultAdvisor(ruleset)


@cache
def _own(ruleset: str) -> Advisor:
    advisor: Advisor = import_module(ADVISORS[ruleset]).ADVISOR
    return advisor


__all__ = ["ADVISORS", "Advisor", "advisor_of"]
