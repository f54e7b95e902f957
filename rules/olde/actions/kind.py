"""What every kind of action of Dungeons of Olde says of itself: what of a chance it takes, its price, its button."""

from __future__ import annotations

from enum import Flag
from typing import NamedTuple

import msgspec

from rules.contract.actions import Action, Description, Offer
from rules.contract.events import Ended
from rules.contract.text import text
from rules.core.action_kinds import ActionKind, Face, nothing_for
from rules.olde.actions.context import Context
from rules.olde.state import Resolution

ONLY = "Who begins the turn with fewer AP may give all of them for it, and does nothing else in that turn."
"""What an X/Only cost means (olde.md §4)."""


class Part(Flag):
    """What of a chance an action takes: its parts come in this order, each once (olde.md §4)."""

    NONE = 0
    """Nothing: it is open at any time."""
    FREE = 1
    MOVE = 2
    ACT = 4
    EITHER = MOVE | ACT
    """The movement where that is left, else the action."""


class Minutes(NamedTuple):
    """How an action of a fight is done in an exploration (olde.md §8)."""

    spent: int = 1
    """0: beside what else is done."""
    rank: int = 3
    """How soon its button earns a place there."""


AT_ONCE = Minutes(0)


class Kind(ActionKind[Context]):
    """One kind of action in a fight: its home. The table of them is in table.py."""

    part = Part.ACT
    ap = 0
    """What it costs, an X/Only in full."""
    only = False
    """Whether fewer AP than that may pay for it: X/Only."""
    risky = False
    """Whether dice decide it."""
    rank = 3
    """How soon its button earns a place where room is scarce."""
    changes_views = False
    """Whether somebody may come into view by it."""
    exploring: Minutes | None = None
    """What it takes in an exploration; None for what belongs to a fight."""

    def closed(self, context: Context) -> str | None:
        """Why nothing of its kind can be begun now, whatever it would be done to: its part of the chance, its price."""
        taken = None  # asked of every kind in every chance: what is open and can be paid in full goes first
        if self.part is Part.ACT:
            taken = context.act_open()
        elif self.part is Part.MOVE:
            taken = context.move_open()
        elif self.part is Part.EITHER:
            taken = context.act_open() if context.move_open() else None
        if taken is None and context.left >= self.ap:
            return None
        return taken or (context.pay_only(self.ap) if self.only else context.pay(self.ap))

    def why_not(self, context: Context) -> str | None:
        return self.closed(context)

    def payable(self, context: Context) -> bool:
        """Whether its price can be paid now."""
        return context.only(self.ap) >= 0 if self.only else context.left >= self.ap

    def idle(self, context: Context) -> bool:
        """Whether a glance rules it out. Nothing may be read here but what `means` tells (table.py)."""
        return False

    def cost(self, context: Context, action: Action) -> int:
        """AP that it takes; −1 where they can't be paid."""
        return context.only(self.ap) if self.only else self.ap

    def price(self, context: Context) -> str:
        """What its button says that it costs."""
        return self.face.cost

    def label(self, context: Context, action: Action) -> str:
        """What one instance is called."""
        return self.face.label

    def notes(self, context: Context, action: Action) -> tuple[str, ...]:
        """What one instance says of itself."""
        return (self.face.note,) if self.face.note else ()

    def describe(self, context: Context, action: Action | None = None) -> Description:
        if action is None:
            return self.button(context, 0)
        cost = self.cost(context, action)
        shown = self.face.described(text("{cost} AP", cost), cost, context.figure.ap - cost)
        return msgspec.structs.replace(shown, label=self.label(context, action), notes=self.notes(context, action))

    def button(self, context: Context, cost: int) -> Description:
        """Its button, where the first instance costs so many AP."""
        price, left = self.price(context), context.figure.ap - cost
        if not self.only:
            shown = self.face.described(price, cost, left)
        else:
            shown = self.face.described(
                text("all {cost} AP", cost) if 0 < cost < self.ap else text("{ap} AP", self.ap), cost, left
            )
            shown = msgspec.structs.replace(shown, notes=(*shown.notes, ONLY))
        return msgspec.structs.replace(shown, rank=self.rank)

    def offer(self, context: Context) -> Offer:
        """Its button with its legal instances, or with the reason why there is none."""
        actions = tuple(self.instances(context))
        refused = None if actions else (self.why_not(context) or nothing_for(self.face.needs))
        cost = self.cost(context, actions[0]) if actions and self.face.needs != "path" else 0
        inside = self.inside(context, actions, refused)
        return Offer(self.do, self.button(context, cost), actions, refused, inside=inside)


def chance_told(kind: Kind, context: Context, action: Action) -> tuple[str, ...]:
    """The note of an instance that says how likely it is, where it is legal; else the kind's own."""
    odds = kind.odds(context, action) if kind.refusal(context, action) is None else None
    if odds is None:
        return (kind.face.note,) if kind.face.note else ()
    return (text("{chance} % against {dice}", f"{odds.hit * 100:.0f}", odds.defense_dice),)


def situation(resolution: Resolution) -> Context:
    """The situation of whoever acts, as things stand now."""
    assert resolution.chance is not None
    return Context(resolution.done(), resolution.chance)


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
        return text("keep {ap} AP", ap) if ap else "nothing left"

    def describe(self, context: Context, action: Action | None = None) -> Description:
        ap = context.figure.ap
        return self.face.described(text("keep {ap} AP", ap), 0, ap)

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        assert resolution.chance is not None
        resolution.events.append(Ended(by=resolution.fighter(who).id, passed=not resolution.chance.did))
        close_chance(resolution)


def close_chance(resolution: Resolution) -> None:
    """The chance is over; nothing done in it is a pass."""
    if resolution.chance is not None and not resolution.chance.did:
        resolution.passed |= 1 << resolution.chance.who
    resolution.chance = None
