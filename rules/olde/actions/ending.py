"""Giving up the rest of a chance (olde.md §4)."""

from __future__ import annotations

from rules.contract.actions import Action, Description
from rules.contract.events import Ended
from rules.contract.text import text
from rules.core.action_kinds import Face
from rules.olde.actions.context import Context
from rules.olde.actions.kind import Kind, Part
from rules.olde.state import Resolution


class End(Kind):
    """The acting character gives up the rest of its chance; a pass if nothing was done."""

    do = "end"
    face = Face("End", "End", "", "none", "end", "ctrl+enter")
    part = Part.NONE
    rank = 1

    def refusal(self, context: Context, action: Action) -> str | None:
        return None

    def why_not(self, context: Context) -> str | None:
        return None

    def price(self, context: Context) -> str:
        ap = context.figure.ap
        return text("keep {ap} AP", ap=ap) if ap else "nothing left"

    def describe(self, context: Context, action: Action | None = None) -> Description:
        ap = context.figure.ap
        return self.face.described(text("keep {ap} AP", ap=ap), 0, ap)

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        assert resolution.chance is not None
        resolution.events.append(Ended(by=resolution.fighter(who).id, passed=not resolution.chance.did))
        close_chance(resolution)


def close_chance(resolution: Resolution) -> None:
    """The chance is over; nothing done in it is a pass."""
    if resolution.chance is not None and not resolution.chance.did:
        resolution.passed |= 1 << resolution.chance.who
    resolution.chance = None
