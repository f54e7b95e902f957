"""What the kinds of action of all rulesets have in common: how they show themselves, which need no aim, answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from rules.contract.actions import CHOOSE, Action, Decision, Description, Offer
from rules.contract.ruleset import Odds
from rules.contract.text import joined, text
from rules.contract.units import EMPTY, Bitboard, Cell, CreatureIx


class Face(NamedTuple):
    """How a kind of action shows itself in a window."""

    label: str
    group: str
    cost: str
    needs: str
    icon: str
    key: str
    note: str = ""

    def described(self, cost: str | None = None, points: int = 0, left: int = 0, rank: int = 3) -> Description:
        """Its button: with another cost than it says itself, the action points that go and stay, and its rank."""
        price, notes = self.cost if cost is None else cost, (self.note,) if self.note else ()
        return Description(
            self.label, self.group, price, points, left, needs=self.needs, icon=self.icon, key=self.key, notes=notes,
            rank=rank,
        )  # fmt: skip


def nothing_for(needs: str) -> str:
    """Why a kind of action has no instance, where nothing else stands against it."""
    if needs == "creature":
        return "no target in reach and sight"
    if needs == "door":
        return "no such door in reach"
    return "nowhere to go" if needs in ("path", "space") else "nothing to do it with"


class Situation(Protocol):
    """A creature's situation while it decides."""

    @property
    def actor(self) -> str: ...


Resolution = Any
"""A ruleset's own action being resolved."""

C = TypeVar("C", bound=Situation, contravariant=True)


class ActionKind(Generic[C]):
    """The home of one kind of action: its button, when it is legal, what it may be done to, its odds, what it does.

    Whatever stands against all of it is asked before what is wrong with one instance. What a ruleset wants to know of
    a kind besides is an attribute or a method of the kind: nobody compares its word.
    """

    do: str  # the word of its command
    face: Face

    def why_not(self, context: C) -> str | None:
        """Why there is no instance at all, for a greyed button; None if there may be one."""
        return None

    def why_not_this(self, context: C, action: Action) -> str | None:
        """Why this very action is illegal where nothing stands against the kind, or None."""
        return None

    def refusal(self, context: C, action: Action) -> str | None:
        """Why this very action is illegal, or None."""
        return self.why_not(context) or self.why_not_this(context, action)

    def candidates(self, context: C) -> Iterator[Action]:
        """All that it could be tried on, in stable order, legal or not: one action where it needs no aim."""
        yield Action(context.actor, self.do)

    def instances(self, context: C) -> Iterator[Action]:
        """The legal ones, canonical and in stable order."""
        if self.why_not(context) is None:
            for action in self.candidates(context):
                if self.why_not_this(context, action) is None:
                    yield action

    def odds(self, context: C, action: Action) -> Odds | None:
        """The exact odds of a legal instance; None where no dice decide."""
        return None

    def area(self, context: C, action: Action) -> Bitboard:
        """Bitboard of the spaces that an instance works on; 0 for none."""
        return EMPTY

    def describe(self, context: C, action: Action | None = None) -> Description:
        """Its button, or what one instance says of itself."""
        return self.face.described()

    def offer(self, context: C) -> Offer:
        """Its button with its legal instances, or with the reason why there is none."""
        actions = tuple(self.instances(context))
        refused = None if actions else self.why_not(context) or nothing_for(self.face.needs)
        return Offer(self.do, self.describe(context), actions, refused, inside=self.inside(context, actions, refused))

    def inside(self, context: C, actions: tuple[Action, ...], refused: str | None) -> tuple[Offer, ...]:
        """The kinds that it falls into, with those of its instances that are theirs."""
        return ()

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        """Do it: a legal instance, paid for already, by the creature with this number."""
        raise NotImplementedError(self.do)


class KindActions(Generic[C]):
    """The legal actions of a decision out of a table of kinds: listed, tested, refused and offered by the kinds."""

    def __init__(self, context: C, kinds: Mapping[str, ActionKind[C]]) -> None:
        self.context = context
        self.kinds = kinds

    def __iter__(self) -> Iterator[Action]:
        for kind in self.kinds.values():
            yield from kind.instances(self.context)

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.refusal(action) is None

    def refusal(self, action: Action) -> str | None:
        """Why an action is illegal."""
        if action.by != self.context.actor:
            return text("by: {actor} decides now, not {by}", self.context.actor, action.by)
        if action.do not in self.kinds:
            return text("do: {do} is none of {kinds}", repr(action.do), joined(", ", self.kinds))
        return self.kinds[action.do].refusal(self.context, action)

    def moves(self, do: str) -> Mapping[Cell, Action]:
        """Where a movement leads."""
        ways = self.kinds[do].instances(self.context) if do in self.kinds else ()
        return {action.path[-1]: action for action in ways if action.path}

    def worded(self, do: str) -> Iterator[Action]:
        """The legal actions of a word alone: the others are not looked at."""
        return self.kinds[do].instances(self.context) if do in self.kinds else iter(())

    def offers(self) -> tuple[Offer, ...]:
        """A button for each kind."""
        return tuple(kind.offer(self.context) for kind in self.kinds.values())


def named(options: tuple[str, ...], word: str | None) -> str | None:
    """The option that a word names, letter by letter; None if it names none."""
    return word if word in options else None


@dataclass(eq=False)
class Answers:
    """The options of a question, each with its face. `meant` finds the option that a word stands for."""

    decision: Decision
    options: tuple[str, ...]
    face: Callable[[str], Description]
    meant: Callable[[tuple[str, ...], str | None], str | None] = named

    def __iter__(self) -> Iterator[Action]:
        for option in self.options:
            yield Action(self.decision.by, CHOOSE, option=option)

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.refusal(action) is None

    def refusal(self, action: Action) -> str | None:
        """Why an answer is none."""
        options = joined(", ", self.options)
        if action.do != CHOOSE:
            return text("do: a question stands open, choose one of {options}", options)
        if action.by not in (self.decision.by, "gm"):
            return text("by: {by} answers this, not {by2}", self.decision.by, action.by)
        if self.meant(self.options, action.option) is None:
            return text("option: {option} is none of {options}", repr(action.option), options)
        return None

    def moves(self, do: str) -> Mapping[Cell, Action]:
        return {}

    def worded(self, do: str) -> Iterator[Action]:
        """The answers, where that is the word."""
        return iter(self if do == CHOOSE else ())

    def offers(self) -> tuple[Offer, ...]:
        """A button for each option, by the keys from 1."""
        faces = (msgspec.structs.replace(self.face(word), key=str(n)) for n, word in enumerate(self.options, 1))
        return tuple(Offer(CHOOSE, face, (action,)) for face, action in zip(faces, self, strict=True))
