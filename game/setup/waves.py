"""Waves of an encounter being prepared: who of a draft comes later, when, and how it is changed (docs/chains.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from game.setup.draft import ARRIVALS, Draft
from rules.board.arrivals import Cause
from rules.board.fixtures import DoorState
from rules.board.grid import Field
from rules.contract.text import joined, ntext, text
from rules.core.arrivals import FIRST


@dataclass(frozen=True)
class Wave:
    """When some creatures come, and how: a wave of the record without who is of it."""

    cause: Cause = Cause.TURN
    turn: int = 3
    door: str = ""
    after: int = 0
    sudden: bool = False
    name: str = ""

    @property
    def told(self) -> str:
        """When, in a few words."""
        if self.cause is Cause.TURN:
            return text("turn {n}", self.turn)
        when: str = text("{door} opened", self.door) if self.cause is Cause.DOOR else text("a noise")
        return text("{when} + {turns}", when, ntext(self.after, "{n} turn", "{n} turns")) if self.after else when

    @property
    def called(self) -> str:
        """Its name with when it comes."""
        return joined(": ", (self.name, self.told)) if self.name else self.told

    def document(self, who: Iterable[str]) -> dict[str, Any]:
        """As a record says it."""
        made: dict[str, Any] = {"name": self.name} if self.name else {}
        made["who"] = list(who)
        cause = {Cause.TURN: self.turn, Cause.NOISE: True, Cause.DOOR: self.door}[self.cause]
        made[self.cause.value] = cause
        if self.after and self.cause is not Cause.TURN:
            made["after"] = self.after
        return {**made, "sudden": True} if self.sudden else made


def read(said: Mapping[str, Any]) -> Wave:
    """A wave as a record says it."""
    cause = next((cause for cause in Cause if said.get(cause.value) is not None), Cause.TURN)
    return Wave(
        cause, int(said.get("turn") or 3), str(said.get("door") or ""), int(said.get("after", 0)),
        bool(said.get("sudden", False)), str(said.get("name", "")),
    )  # fmt: skip


def waves(draft: Draft) -> list[tuple[Wave, list[int]]]:
    """The waves of a draft, each with the keys of those of it who are on the table; empty ones are left out."""
    keys = {piece.id: piece.key for piece in draft.pieces}
    found = []
    for said in draft.more.get(ARRIVALS, ()):
        there = [keys[name] for name in said.get("who", ()) if name in keys]
        if there:
            found.append((read(said), there))
    return found


def of(draft: Draft, key: int) -> Wave | None:
    """With which wave somebody comes; None for who is there from the beginning."""
    return next((wave for wave, keys in waves(draft) if key in keys), None)


def put(draft: Draft, keys: Sequence[int], wave: Wave | None) -> Draft:
    """These come with a wave from now on: with the others of it where there is just such a one; None: they are there
    from the beginning."""
    left = [(one, [key for key in there if key not in keys]) for one, there in waves(draft)]
    if wave is not None:
        if any(one == wave for one, _ in left):
            left = [(one, [*there, *keys] if one == wave else there) for one, there in left]
        else:
            left.append((wave, list(keys)))
    return _with(draft, left)


def changed(draft: Draft, before: Wave, after: Wave) -> Draft:
    """All of a wave come otherwise."""
    return put(draft, next((keys for wave, keys in waves(draft) if wave == before), []), after)


def _with(draft: Draft, found: Sequence[tuple[Wave, Sequence[int]]]) -> Draft:
    ids = {piece.key: piece.id for piece in draft.pieces}
    said = [wave.document(ids[key] for key in keys) for wave, keys in found if keys]
    more = {name: value for name, value in draft.more.items() if name != ARRIVALS}
    return replace(draft, more={**more, ARRIVALS: said} if said else more)


def refused(wave: Wave, ground: Field) -> str:
    """Why a wave can't come so on this ground; empty if it can."""
    if wave.cause is Cause.TURN and wave.turn < FIRST:
        return text("The first turn in which a wave may come is {n}.", FIRST)
    if wave.cause is Cause.DOOR and wave.door not in shut(ground):
        return text("Choose a door that is shut at first.")
    return ""


def shut(ground: Field) -> list[str]:
    """Names of the doors that are shut at first."""
    return [door.id for door in ground.doors if door.state != DoorState.OPEN]
