"""All kinds of action, by the word of their command: whoever adds one names it here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rules.countup.actions import attacks, casting, doors, items, movement, orders, shooting
from rules.countup.actions.context import OrderKind
from rules.countup.state import Figure, Order, Setup

ACTION_KINDS: Mapping[str, OrderKind] = MappingProxyType(
    {
        kind.do: kind
        for kind in (
            *movement.GO, attacks.ATTACK, shooting.SHOOT, casting.CAST, attacks.PARRY, attacks.HOLD,
            attacks.KNOCK_ASIDE, attacks.SET_FOR_CHARGE, movement.FLEE, doors.OPEN, doors.CLOSE, doors.PICK_LOCK,
            doors.FORCE, doors.SEARCH, items.PICK_UP, movement.STAND, movement.KNEEL, items.READY_WEAPON,
            movement.TURN, orders.WAIT, orders.POLICY, orders.CLEAR, orders.GO_ON,
        )
    }
)  # fmt: skip
"""In the order in which a window has them."""


def follows(setup: Setup, who: int, figure: Figure, order: Order) -> bool:
    """Whether what is ordered waits for the end of its way."""
    if order.action is None or not order.path:
        return False
    return ACTION_KINDS[order.action.do].follows(setup, who, figure, order.action)
