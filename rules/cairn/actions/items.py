"""What is free beside a move and an action, and striking a light anew (cairn.md §2.12)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.bitboard import board_of
from rules.cairn.actions.plans import Context, needed
from rules.cairn.conditions import SNUFFED
from rules.cairn.magic.ground import in_hand
from rules.cairn.visibility import stares
from rules.contract.actions import Action
from rules.core.action_kinds import ActionKind, Face


class _Aside(ActionKind[Context]):
    """Something free, once a turn."""

    by_hand = True

    def why_not(self, context: Context) -> str | None:
        if context.figure.critical:
            return "critical damage: it can only crawl"
        reason = context.hands_tied() if self.by_hand else None
        if reason is not None:
            return reason
        planned = context.plan.aside
        return None if planned is None else f"one such thing a turn; {planned.do} is planned"


class PickUp(_Aside):
    """An item on one's own or a neighbouring space: part of the move (cairn.md §2.12)."""

    face = Face("Pick up", "Move", "free", "item", "pick_up", "p")

    def _there(self, context: Context) -> list[tuple[str, int]]:
        near = in_hand(context.state, context.who, context.place, board_of(lying.cell for lying in context.state.floor))
        return [(lying.item, lying.cell) for lying in context.state.floor if near >> lying.cell & 1]

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if any(item == action.item for item, _ in self._there(context)):
            return None
        return f"item: {action.item!r} does not lie within reach"

    def candidates(self, context: Context) -> Iterator[Action]:
        for item, cell in self._there(context):
            yield Action(context.being.id, "pick_up", item=item, at=cell)


class Drop(_Aside):
    """Something carried is let go: the way out of a full pack (cairn.md §4, A21)."""

    face = Face("Drop", "Move", "free", "item", "drop_item", "l", "frees its slots")

    def _carried(self, context: Context) -> list[str]:
        return list(dict.fromkeys((*context.figure.hands, *context.figure.pack)))

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.item in context.being.wear:
            return f"item: {action.item!r} is worn; armour does not come off in a fight"
        carried = [item for item in self._carried(context) if item not in context.being.wear]
        if action.item in carried:
            things = (*context.figure.hands, *context.figure.pack)
            if needed(context.plan.action).count(action.item) < things.count(action.item):
                return None
            return f"item: {action.item!r} is needed for what is planned (plan anew, by clear, to change it)"
        return f"item: {action.item!r} is not carried; there are {', '.join(carried) or 'none'}"

    def candidates(self, context: Context) -> Iterator[Action]:
        for item in self._carried(context):
            yield Action(context.being.id, "drop", item=item)


class Avert(_Aside):
    """Eyes off whoever has a stare: no gaze takes hold this round, and blows at it are impaired (cairn.md §3)."""

    do = "avert"
    by_hand = False
    face = Face("Avert eyes", "Move", "free", "none", "eye", "e", "no stare takes hold")

    def why_not(self, context: Context) -> str | None:
        reason = super().why_not(context)
        if reason is not None:
            return reason
        if any(
            context.setup.beings[i].side != context.being.side and stares(context.setup, i) for i in context.others()
        ):
            return None
        return "nobody here has a stare"


LIT = {"torch": 3, "oil can": 6}
"""How often a torch burns, and how often an oil can fills a lantern (cairn.md §5.3)."""


def relights(context: Context) -> str:
    """What a light is lit from: a torch that has burned less than three times, or oil for a lantern; else nothing.
    Light that is one's own nature comes back by itself."""
    carried = (*context.figure.hands, *context.figure.pack)
    used = dict(context.figure.used)
    if "torch" in carried and used.get("torch", 0) < LIT["torch"] * carried.count("torch") - 1:
        return "torch"
    if "lantern" in carried and "oil can" in carried:
        return "oil can"
    return "" if {"torch", "lantern"} & set(carried) else context.being.name


class Relight(ActionKind[Context]):
    """A torch or lantern that was put out burns again."""

    do = "light"
    face = Face("Light", "Act", "action", "none", "use", "t", "the torch burns again")

    def why_not(self, context: Context) -> str | None:
        reason = context.action_open()
        if reason is not None:
            return reason
        if not context.figure.has(SNUFFED):
            return "no light of one's own is out"
        return None if relights(context) else "nothing left to light"
