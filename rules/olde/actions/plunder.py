"""Chests opened by hand or key, everything within reach taken along (olde.md §8). With the option `fixtures` alone."""

from __future__ import annotations

import msgspec

from rules.contract.actions import Action, Description
from rules.contract.units import CreatureIx
from rules.core.action_kinds import Face
from rules.core.fixtures import challenges
from rules.core.fixtures.challenges import Numbered
from rules.core.secrets import Stands, named
from rules.olde.actions.kind import AT_ONCE, Context, Kind, Minutes, Picking
from rules.olde.actions.obstacles import uncover
from rules.olde.plunder import PLUNDER
from rules.olde.state import Resolution


class OpenChest(Picking):
    """A chest that nothing holds shut, or whose key one has: 1 AP, as a door."""

    do = "open_chest"
    face = Face("Open chest", "Act", "1 AP", "item", "chest", "shift+o", "unlocked, or with its key")
    ap = 1
    exploring = AT_ONCE
    nothing = "no chest beside that is unlocked, or whose key one has"

    @staticmethod
    def chests(context: Context) -> list[Numbered]:
        """The chests that can be opened from here."""
        around, state = context.terrain.within(context.figure.cell, 1, context.fighter.space), context.state
        return challenges.within(
            challenges.OPENING, context.field, state.challenges, found=state.found, side=context.fighter.side,
            around=around, keys=context.figure.keys,
        )  # fmt: skip

    def near(self, context: Context) -> list[str]:
        return [one.id for _, one in self.chests(context)]

    def idle(self, context: Context) -> bool:
        return not context.field.challenges

    def why_not_this(self, context: Context, action: Action) -> str | None:
        return challenges.why_not(self.chests(context), action.item)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        number, chest = named(resolution.setup.field, action.item or "")
        how = "key" if resolution.challenges[number] == Stands.LOCKED else "hand"
        uncover(resolution, who, number, chest, how)


class Loot(Kind):
    """Everything within reach that one can carry: off the floor, out of open chests, from the fallen: 3/Only."""

    do = "loot"
    face = Face("Take all", "Act", "3 AP/Only", "none", "pick_up", "shift+t", "all that one can carry")
    ap, only = 3, True
    exploring = Minutes(rank=2)

    def why_not(self, context: Context) -> str | None:
        return self.closed(context) or PLUNDER.why_no_loot(context.state, context.who, context.figure.cell)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        shown = super().describe(context, action)
        if action is None:
            return shown
        return msgspec.structs.replace(shown, notes=PLUNDER.notes(context.state, context.who, context.figure.cell))

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        PLUNDER.take_all(resolution, who)


FIXTURES = (OpenChest(), Loot())
