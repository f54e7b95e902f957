"""Things: picked up, let go, lit anew; and eyes turned away, which is as free (cairn.md §2.12, §3)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from rules.board.bitboard import board_of
from rules.cairn.actions.context import CairnKind, Context, Phase
from rules.cairn.belongings import drop_item, spend, take_up
from rules.cairn.conditions import AVERTED, SNUFFED
from rules.cairn.magic.ground import in_hand
from rules.cairn.saves import afflict, relieve
from rules.cairn.state import Plan, Resolution, able
from rules.cairn.visibility import stares
from rules.contract.actions import Action
from rules.contract.text import joined, text
from rules.core.action_kinds import Face


class _Aside(CairnKind):
    """Something free, once a turn."""

    phase = Phase.ASIDE

    by_hand = True

    def why_not(self, context: Context) -> str | None:
        if context.figure.critical:
            return "critical damage: it can only crawl"
        reason = context.hands_tied() if self.by_hand else None
        if reason is not None:
            return reason
        planned = context.plan.aside
        return None if planned is None else text("one such thing a turn; {do} is planned", do=planned.do)

    def planned(self, plan: Plan, action: Action) -> Plan:
        return msgspec.structs.replace(plan, aside=action)


class PickUp(_Aside):
    """An item on one's own or a neighbouring space: part of the move (cairn.md §2.12)."""

    do = "pick_up"
    face = Face("Pick up", "Move", "free", "item", "pick_up", "p")
    phase = Phase.BY_THE_WAY

    def _there(self, context: Context) -> list[tuple[str, int]]:
        near = in_hand(context.state, context.who, context.place, board_of(lying.cell for lying in context.state.floor))
        return [(lying.item, lying.cell) for lying in context.state.floor if near >> lying.cell & 1]

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if any(item == action.item for item, _ in self._there(context)):
            return None
        return text("item: {item} does not lie within reach", item=repr(action.item))

    def candidates(self, context: Context) -> Iterator[Action]:
        for item, cell in self._there(context):
            yield Action(context.being.id, self.do, item=item, at=cell)

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        if not able(resolution.figures[who]):
            return
        cells = board_of(lying.cell for lying in resolution.floor)
        near = in_hand(resolution.done(), who, resolution.figures[who].cell, cells)
        for number, lying in enumerate(resolution.floor):
            if lying.item == action.item and near >> lying.cell & 1:
                take_up(resolution, who, number)
                return
        resolution.note(who, text("no {item} there any more", item=str(action.item)))


class Drop(_Aside):
    """Something carried is let go: the way out of a full pack (cairn.md §4, A21)."""

    do = "drop"
    face = Face("Drop", "Move", "free", "item", "drop_item", "l", "frees its slots")

    def _carried(self, context: Context) -> list[str]:
        return list(dict.fromkeys((*context.figure.hands, *context.figure.pack)))

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.item in context.being.wear:
            return text("item: {item} is worn; armour does not come off in a fight", item=repr(action.item))
        carried = [item for item in self._carried(context) if item not in context.being.wear]
        if action.item in carried:
            things = (*context.figure.hands, *context.figure.pack)
            if context.plan.uses.count(action.item or "") < things.count(action.item):
                return None
            return text(
                "item: {item} is needed for what is planned (plan anew, by clear, to change it)", item=repr(action.item)
            )
        return text(
            "item: {item} is not carried; there are {names}",
            item=repr(action.item),
            names=joined(", ", carried) or "none",
        )

    def candidates(self, context: Context) -> Iterator[Action]:
        for item in self._carried(context):
            yield Action(context.being.id, self.do, item=item)

    def planned(self, plan: Plan, action: Action) -> Plan:
        return msgspec.structs.replace(plan, aside=action, drops=action.item or "")

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        """What is let go makes room before anything else happens."""
        figure = resolution.figures[who]
        if action.item and able(figure) and action.item in (*figure.hands, *figure.pack):
            drop_item(resolution, who, action.item, "dropped")


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

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        afflict(resolution, who, AVERTED, because="looks away")
        *others, last = resolution.figures[who].lasting
        resolution.change(who, lasting=(*others, msgspec.structs.replace(last, rounds=1)))


TORCH, LANTERN, OIL = "torch", "lantern", "oil can"
LIT = {TORCH: 3, OIL: 6}
"""How often a torch burns, and how often an oil can fills a lantern (cairn.md §5.3)."""


def relights(context: Context) -> str:
    """What a light is lit from: a torch that has burned less than three times, or oil for a lantern; else nothing.
    Light that is one's own nature comes back by itself."""
    carried = (*context.figure.hands, *context.figure.pack)
    used = dict(context.figure.used)
    if TORCH in carried and used.get(TORCH, 0) < LIT[TORCH] * carried.count(TORCH) - 1:
        return TORCH
    if LANTERN in carried and OIL in carried:
        return OIL
    return "" if {TORCH, LANTERN} & set(carried) else context.being.name


class Light(CairnKind):
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

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        source = relights(Context(resolution.done(), who))
        if source == TORCH:
            spend(resolution, who, source, 0)
        elif source in LIT:
            spend(resolution, who, source, LIT[source])
        relieve(resolution, who, SNUFFED, "lit anew")
