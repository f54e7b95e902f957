"""The table of intents and the legal actions of a decision: the one source of legality."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from rules.board.path import path_cost, path_fault
from rules.cairn.actions.deeds import WORDS as TRIGGER_WORDS
from rules.cairn.actions.deeds import (
    Aid,
    BreakFree,
    Daring,
    Doors,
    Force,
    Help,
    Manoeuvre,
    Ready,
    Retreat,
    Steady,
)
from rules.cairn.actions.items import Avert, Drop, PickUp, Relight
from rules.cairn.actions.plans import Context, Intent, Stand, Strikes, Walk
from rules.cairn.actions.searching import Chest, Search
from rules.cairn.magic.deeds import Cast
from rules.cairn.state import CairnState
from rules.contract.actions import Action, Decision, Description, Offer
from rules.core.action_kinds import Face, Shelf, nothing_for

INTENTS: dict[str, Intent] = {
    "move": Walk("move", Face("Move", "Move", "40 ft", "path", "step", "2")),
    "stand": Stand(),
    "dash": Walk("dash", Face("Dash", "Move", "action", "path", "run", "3", "a second move")),
    "attack": Strikes(),
    "cast": Cast("cast", Face("Cast", "Act", "action", "item", "cast", "4", "1 Fatigue from a book")),
    "use": Cast("use", Face("Use", "Act", "action", "item", "use", "5", "scroll, relic or other item")),
    "daring": Daring(),
    "manoeuvre": Manoeuvre(),
    "ready": Ready(),
    "bandage": Aid(),
    "help": Help(),
    "break_free": BreakFree(),
    "steady": Steady(),
    "retreat": Retreat(),
    "open": Doors("open", Face("Open door", "Act", "action", "door", "door", "o")),
    "close": Doors("close", Face("Close door", "Act", "action", "door", "door", "k")),
    "force": Force(),
    "search": Search(),
    "tackle": Chest(),
    "pick_up": PickUp(),
    "drop": Drop(),
    "avert": Avert(),
    "light": Relight(),
}
_SHELF = Shelf(
    large=("move", "attack"),
    small=(
        "dash",
        "stand",
        "cast",
        "use",
        "daring",
        "manoeuvre",
        "ready",
        "bandage",
        "help",
        "open",
        "retreat",
    ),
)
MANOEUVRE_WORDS = {
    "trip": "to the floor, where Hit Protection counts as 0",
    "shove": "a space back, over an edge if there is one",
    "grapple": "held fast, and it strikes impaired",
}
FEET = 5
"""Feet a space."""
LIMBS = {"arm": "An arm", "leg": "A leg"}


class Plans:
    """Legal actions of one creature's plan, and the side's `resolve`."""

    def __init__(self, state: CairnState, decision: Decision) -> None:
        self.state = state
        self.decision = decision
        self.context = Context(state, state.setup.index[decision.by])

    def __iter__(self) -> Iterator[Action]:
        for intent in INTENTS.values():
            yield from intent.instances(self.context)
        if self.state.plans[self.context.who] is not None:
            yield Action(self.decision.by, "clear")
        yield Action(self.decision.by, "end")
        yield Action(self.decision.side, "resolve")

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.refusal(action) is None

    def refusal(self, action: Action) -> str | None:
        """Why an action is illegal now and what would be legal, in one line."""
        if action.do == "resolve":
            if action.by in (self.decision.by, self.decision.side):
                return None
            return f"by: it is the half of {self.decision.side}, not of {action.by}"
        if action.by != self.decision.by:
            return f"by: this is {self.decision.by}'s plan, not {action.by}'s"
        if action.do == "end":
            return None
        if action.do == "clear":
            return None if self.state.plans[self.context.who] is not None else "clear: nothing is planned"
        intent = INTENTS.get(action.do)
        if intent is None:
            return f"do: {action.do!r} is no action; there are {', '.join(INTENTS)}, clear, end, resolve"
        reason = intent.refusal(self.context, action)
        return None if reason is None else f"{action.do}: {reason}"

    def moves(self, do: str) -> Mapping[int, Action]:
        intent = INTENTS.get(do)
        if intent is None or intent.face.needs != "path":
            return {}
        return {action.path[-1]: action for action in intent.instances(self.context)}

    def offers(self) -> tuple[Offer, ...]:
        out = []
        for do, intent in INTENTS.items():
            actions = tuple(intent.instances(self.context))
            refused = None if actions else (intent.why_not(self.context) or nothing_for(intent.face.needs))
            out.append(Offer(do, _SHELF.placed(do, describe_intent(self.context, do)), actions, refused))
        begun = self.state.plans[self.context.who] is not None
        anew = (Action(self.decision.by, "clear"),) if begun else ()
        out.append(Offer("clear", _ANEW, anew, None if begun else "nothing is planned"))
        out.append(Offer("end", _STANDS, (Action(self.decision.by, "end"),)))
        resolve = Action(self.decision.side, "resolve")
        return (*out, Offer("resolve", describe_resolve(self.decision.side), (resolve,)))


_ANEW = Description("Plan anew", "First", "free", icon="clear", key="backspace", rank=2)
_STANDS = Description("Plan stands", "End", "next creature", icon="end", key="n", rank=1)
_ALL_PLANNED = "all plans stand; whoever is clicked may still change theirs"


def describe_resolve(side: str) -> Description:
    """The button that carries out a side's plans."""
    return Description("Resolve", "End", f"all of {side}", icon="resolve", key="ctrl+enter", rank=1)


class Resolve:
    """The side's own decision: carry out what was planned."""

    def __init__(self, state: CairnState, decision: Decision) -> None:
        self.decision = decision

    def __iter__(self) -> Iterator[Action]:
        yield Action(self.decision.by, "resolve")

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.refusal(action) is None

    def refusal(self, action: Action) -> str | None:
        """Why an action is illegal now."""
        if action.do != "resolve":
            return f"do: {action.by!r} has nothing to plan; resolve carries out the plans of {self.decision.side}"
        return None if action.by == self.decision.by else f"by: it is the half of {self.decision.side}"

    def moves(self, do: str) -> Mapping[int, Action]:
        return {}

    def offers(self) -> tuple[Offer, ...]:
        plans = [
            Offer(do, _SHELF.placed(do, intent.face.described()), (), _ALL_PLANNED) for do, intent in INTENTS.items()
        ]
        plans += [Offer("clear", _ANEW, (), _ALL_PLANNED), Offer("end", _STANDS, (), _ALL_PLANNED)]
        resolve = Action(self.decision.by, "resolve")
        return (*plans, Offer("resolve", describe_resolve(self.decision.side), (resolve,)))


def describe_answer(option: str) -> Description:
    """An answer's button."""
    return Description(LIMBS.get(option, option), "Answer", "")


def describe_intent(context: Context, do: str, action: Action | None = None) -> Description:
    """An intent's button for somebody, or one action of the kind: how far a move goes depends on who makes it."""
    intent = INTENTS[do]
    said = intent.face.described()
    if do == "ready" and action is not None:
        what = action.item or action.weapon or ""
        what = what[:1].upper() + what[1:]
        when = TRIGGER_WORDS[action.option or "comes"]
        return msgspec.structs.replace(said, label=f"{what}, {when}", notes=())
    if do == "manoeuvre" and action is not None and action.option:
        return msgspec.structs.replace(
            said, label=action.option.capitalize(), notes=(MANOEUVRE_WORDS.get(action.option, ""),)
        )
    if not isinstance(intent, Walk):
        return said
    most = FEET * intent.budget(context)
    if action is not None and action.path:
        start = intent.start(context)
        if path_fault(context.ground, start, action.path, context.being.space) is None:
            gone = FEET * path_cost(context.ground, start, action.path, context.being.space)
            tail = f" · {said.cost}" if do == "dash" else ""
            return msgspec.structs.replace(said, cost=f"{gone} of {most} ft{tail}")
    return said if do == "dash" else msgspec.structs.replace(said, cost=f"{most} ft")
