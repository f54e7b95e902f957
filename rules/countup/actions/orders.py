"""Orders about the order itself: to wait, to answer unasked, to order anew, to go."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from rules.contract.actions import Action, Description
from rules.contract.text import joined, text
from rules.core.action_kinds import Face
from rules.countup.actions.answers import GIVE_GROUND
from rules.countup.actions.context import Context, OrderKind, give
from rules.countup.conditions import Doing
from rules.countup.state import CountState, Order, Resolution

HOLD = (1, 3, 5, 10)
"""Seconds that are offered."""


class Wait(OrderKind):
    """Do nothing for some seconds, on guard."""

    do = "hold"
    face = Face("Hold", "Act", "1–10 s", "option", "recover", "h")
    doing = Doing.WAIT
    rank = 2
    idles = True

    def refusal(self, context: Context, action: Action) -> str | None:
        if action.option is None or not action.option.isdigit() or not 1 <= int(action.option) <= 60:
            return text("option: {option}; 1 to 60 seconds", option=repr(action.option))
        return self.why_not(context)

    def candidates(self, context: Context) -> Iterator[Action]:
        for seconds in HOLD:
            yield Action(context.being.id, self.do, option=str(seconds))

    def describe(self, context: Context, action: Action | None = None) -> Description:
        if action is None or action.option is None:
            return self.button()
        slot = context.state.second + int(action.option)
        return self.button(
            text("Hold {option} s", option=action.option), text("until {slot}, or a foe comes up", slot=slot), slot=slot
        )

    def planned(self, action: Action) -> str:
        return self.do

    def ordered(self, resolution: Resolution, who: int, order: Order, action: Action) -> None:
        until = resolution.second + int(action.option or "1")
        give(resolution, who, replace(order, action=replace(action, option=str(until)), done=True))

    def ended(self, state: CountState, who: int, order: Order, action: Action) -> str:
        figure, name = state.figures[who], state.named(who)
        if int(action.option or "1") > state.second and figure.fresh:
            return text("{foe} comes close to {name}", foe=state.named(figure.fresh[0]), name=name)
        return text("{name} has waited", name=name)

    def holds(self, resolution: Resolution, who: int, order: Order, action: Action) -> bool:
        met = any(resolution.figures[other].moved >= order.given for other in resolution.figures[who].fresh)
        return not met and int(action.option or "1") > resolution.second


class Policy(OrderKind):
    """How to answer a blow unasked; whether to step after a foe that gives ground or is knocked back."""

    do = "policy"
    face = Face("Policy", "End", "", "option", "choose", "")
    of_orders = True
    shown = False
    presses = ("press", "keep")
    options = (*GIVE_GROUND.policies, *presses)

    def refusal(self, context: Context, action: Action) -> str | None:
        known = action.option in self.options
        return (
            None
            if known
            else text(
                "option: {option} is none of {options}", option=repr(action.option), options=joined(", ", self.options)
            )
        )

    def candidates(self, context: Context) -> Iterator[Action]:
        """Legal at any time, and never listed."""
        return iter(())

    def describe(self, context: Context, action: Action | None = None) -> Description:
        return Description(self.face.label, self.face.group, "")

    def ordered(self, resolution: Resolution, who: int, order: Order, action: Action) -> None:
        if action.option in self.presses:
            resolution.change(who, press=action.option == "press")
        else:
            resolution.change(who, policy=action.option or "ask")


class Clear(OrderKind):
    """Order anew."""

    do = "clear"
    face = Face("Order anew", "First", "free", "none", "clear", "backspace")
    of_orders = True
    rank = 2

    def why_not(self, context: Context) -> str | None:
        return None if context.begun() else "nothing is ordered"

    def refusal(self, context: Context, action: Action) -> str | None:
        reason = self.why_not(context)
        return None if reason is None else text("{do}: {reason}", do=self.do, reason=reason)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        return self.button() if action is None else Description(self.face.label, "End", "")

    def ordered(self, resolution: Resolution, who: int, order: Order, action: Action) -> None:
        resolution.change(who, order=None)


class Go(OrderKind):
    """Let time run, with what is ordered; or wait a second."""

    do = "end"
    face = Face("Go", "End", "", "none", "end", "ctrl+enter", "Time runs until somebody of yours must decide.")
    of_orders = idles = True
    rank = 1

    def why_not(self, context: Context) -> str | None:
        return None

    def describe(self, context: Context, action: Action | None = None) -> Description:
        label, cost = ("Go", "the way as ordered") if context.order.path else ("Wait", "a second")
        return replace(self.button(label, cost), rank=self.rank)

    def ordered(self, resolution: Resolution, who: int, order: Order, action: Action) -> None:
        if not order.path and order.action is None:  # nothing at all: wait a second
            order = replace(order, action=Action(action.by, WAIT.do, option=str(resolution.second + 1)))
        give(resolution, who, replace(order, done=True))


WAIT, POLICY, CLEAR, GO_ON = Wait(), Policy(), Clear(), Go()
