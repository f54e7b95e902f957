"""What the kinds of action of all rulesets have in common: how they show themselves, which need no aim, answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Generic, NamedTuple, Protocol, TypeVar

import msgspec

from rules.contract.actions import Action, Decision, Description, Offer


class Face(NamedTuple):
    """How a kind of action shows itself in a window."""

    label: str
    group: str
    cost: str
    needs: str
    icon: str
    key: str
    note: str = ""

    def described(self, cost: str | None = None, points: int = 0, left: int = 0) -> Description:
        """Its button: with another cost than it says itself, and the action points that go and stay."""
        return Description(
            self.label, self.group, self.cost if cost is None else cost, points, left, self.needs, self.icon,
            self.key, (self.note,) if self.note else (),
        )  # fmt: skip


class Shelf(NamedTuple):
    """Which kinds of action windows keep at hand, by their words; the others are asked for seldom."""

    large: tuple[str, ...]
    small: tuple[str, ...]

    def placed(self, do: str, described: Description) -> Description:
        """A button with how soon it earns a place."""
        rank = 1 if do in self.large else 2 if do in self.small else 3
        return msgspec.structs.replace(described, rank=rank)


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


L = TypeVar("L", bound=Situation, contravariant=True)


class Kind(Generic[L]):
    """A kind of action: what stands against all of it is asked before what is wrong with one instance."""

    def hindrance(self, context: L) -> str | None:
        """Why there is no instance at all, for a greyed button; None if there may be one."""
        return None

    def flaw(self, context: L, action: Action) -> str | None:
        """Why this very action is illegal where nothing stands against the kind, or None."""
        return None

    def refusal(self, context: L, action: Action) -> str | None:
        """Why this very action is illegal, or None."""
        return self.hindrance(context) or self.flaw(context, action)


class Aimed(Kind[L], ABC):
    """A kind of action that is tried on one thing after the other."""

    @abstractmethod
    def aims(self, context: L) -> Iterator[Action]:
        """All that it could be tried on, in stable order, legal or not."""

    def instances(self, context: L) -> Iterator[Action]:
        """The aims without a flaw, unless something stands against all of them."""
        if self.hindrance(context) is None:
            for action in self.aims(context):
                if self.flaw(context, action) is None:
                    yield action


class Plain(Kind[L]):
    """A kind of action that needs no aim: there is one instance of it, unless something stands against it."""

    do: str

    def instances(self, context: L) -> Iterator[Action]:
        """The only one, where it is legal."""
        if self.hindrance(context) is None:
            yield Action(context.actor, self.do)


def named(options: tuple[str, ...], word: str | None) -> str | None:
    """The option that a word names, letter by letter; None if it names none."""
    return word if word in options else None


class Answers:
    """The options of a question, each with its face. `meant` finds the option that a word stands for."""

    def __init__(
        self,
        decision: Decision,
        options: tuple[str, ...],
        face: Callable[[str], Description],
        meant: Callable[[tuple[str, ...], str | None], str | None] = named,
    ) -> None:
        self.decision = decision
        self.options = options
        self._face = face
        self._meant = meant

    def __iter__(self) -> Iterator[Action]:
        for option in self.options:
            yield Action(self.decision.by, "choose", option=option)

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.refusal(action) is None

    def refusal(self, action: Action) -> str | None:
        """Why an answer is none."""
        options = ", ".join(self.options)
        if action.do != "choose":
            return f"do: a question stands open, choose one of {options}"
        if action.by not in (self.decision.by, "gm"):
            return f"by: {self.decision.by} answers this, not {action.by}"
        if self._meant(self.options, action.option) is None:
            return f"option: {action.option!r} is none of {options}"
        return None

    def moves(self, do: str) -> Mapping[int, Action]:
        return {}

    def offers(self) -> tuple[Offer, ...]:
        """A button for each option, by the keys from 1."""
        out = []
        for number, option in enumerate(self.options, 1):
            face = msgspec.structs.replace(self._face(option), key=str(number))
            out.append(Offer("choose", face, (Action(self.decision.by, "choose", option=option),)))
        return tuple(out)
