"""What a map hides and locks, and what each side has found of it: side -> a bitboard of secrets.

Secrets are numbered: the field's doors first, then its challenges (traps, chests and the like). A side knows those
whose bits it has. How the challenges stand is a word for each: `set`, `sprung` or `disarmed` of a trap, `closed`,
`locked` or `open` of a chest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Protocol

import msgspec

from rules.board.bitboard import board_of
from rules.board.fixtures import Challenge, Door, DoorState
from rules.board.grid import Field
from rules.contract.events import Challenge as Told


class Kind(StrEnum):
    """What a challenge is."""

    TRAP = "trap"
    CHEST = "chest"
    CLIMB = "climb"
    WATER = "water"
    RUBBLE = "rubble"


class Stands(StrEnum):
    """How a challenge stands, and what is told of it."""

    SET = "set"
    LOCKED = "locked"
    CLOSED = "closed"
    OPEN = "open"
    DISARMED = "disarmed"
    SPRUNG = "sprung"
    CLEARED = "cleared"
    SORTED = "sorted"
    FOUND = "found"


DOOR = "door"
"""What a secret door is called, where a challenge has its kind."""
UNTOUCHED = (Stands.SET, Stands.LOCKED, Stands.CLOSED)
"""How a challenge stands that nobody has dealt with."""
Found = tuple[tuple[str, int], ...]
SEARCHED = 2
"""Spaces around oneself that a search in a fight covers."""


class Played(Protocol):
    """A creature, as far as secrets go."""

    @property
    def side(self) -> str: ...
    @property
    def controller(self) -> str: ...


def none_found(doors: Sequence[str], sides: Sequence[str]) -> Found:
    """What is known before the fight; empty on a map without secret doors."""
    return tuple((side, 0) for side in dict.fromkeys(sides)) if "secret" in doors else ()


def at_first(field: Field, sides: Sequence[str]) -> tuple[tuple[str, ...], Found]:
    """How the challenges stand at the start, and what each side knows then; nothing where nothing could be hidden."""
    left = field.left
    states = tuple(first_of(each).value for each in field.challenges)
    if left.fixtures:
        states = tuple(now or first for now, first in zip(left.fixtures, states, strict=True))
    if not field.challenges and not any(door.state == DoorState.SECRET for door in field.doors):
        return states, ()
    every = tuple(enumerate(field.challenges, len(field.doors)))
    found = dict(left.found)
    return states, tuple(
        (side, sum(1 << i for i, one in every if not one.hidden or side in one.known) | found.get(side, 0))
        for side in dict.fromkeys(sides)
    )


def first_of(one: Challenge) -> Stands:
    """How a challenge stands at the start: a chest without a difficulty and without a key is only closed."""
    if one.kind != Kind.CHEST:
        return Stands.SET
    return Stands.LOCKED if one.difficulty or one.key else Stands.CLOSED


def bits_of(found: Found, sides: Sequence[str]) -> int:
    """What these sides together know."""
    bits = 0
    for side, known in found:
        if side in sides:
            bits |= known
    return bits


def with_secret(found: Found, side: str, secret: int) -> Found:
    """One secret more is known to a side."""
    return tuple((each, bits | 1 << secret if each == side else bits) for each, bits in found)


def known_to_all(found: Found, secret: int) -> Found:
    """One secret is known to every side: it has shown itself."""
    return tuple((side, bits | 1 << secret) for side, bits in found)


def knows(field: Field, found: Found, side: str, challenge: int) -> bool:
    """Whether a side knows of a trap or a chest."""
    return bool(bits_of(found, (side,)) >> len(field.doors) + challenge & 1)


def doors_known(doors: tuple[str, ...], found: Found, sides: Sequence[str]) -> tuple[str, ...]:
    """The doors, the secret ones that these sides have found as closed."""
    if not found or "secret" not in doors:
        return doors
    return _as_known(doors, bits_of(found, sides))


@lru_cache(maxsize=256)
def _as_known(doors: tuple[str, ...], bits: int) -> tuple[str, ...]:
    return tuple("closed" if state == DoorState.SECRET and bits >> i & 1 else state for i, state in enumerate(doors))


def snares(field: Field, states: Sequence[str], found: Found, side: str, *, known: bool) -> int:
    """Bitboard of the spaces with armed traps that a side knows of, or doesn't."""
    return board_of(
        cell
        for i, (one, stands) in enumerate(zip(field.challenges, states, strict=False))  # without states none is in play
        if one.kind == Kind.TRAP and stands == Stands.SET and knows(field, found, side, i) == known
        for cell in one.cells
    )


def hidden(
    field: Field, doors: Sequence[str], states: Sequence[str], found: Found, side: str, *, around: int
) -> Iterator[int]:
    """The secrets in some spaces (a bitboard) that a side has not found yet."""
    bits = bits_of(found, (side,))
    for i, door in enumerate(field.doors):
        if doors[i] == DoorState.SECRET and not bits >> i & 1 and door.spaces & around:
            yield i
    for i, one in enumerate(field.challenges, len(field.doors)):
        if states[i - len(field.doors)] in UNTOUCHED and not bits >> i & 1 and board_of(one.cells) & around:
            yield i


def named(field: Field, name: str) -> tuple[int, Challenge]:
    """(number, challenge) of the one with an id."""
    return next((i, challenge) for i, challenge in enumerate(field.challenges) if challenge.id == name)


def discovery(field: Field, secret: int, by: str, side: str, sides: Sequence[str]) -> Told:
    """The event of a secret being found; told to the finder's side alone where there are others."""
    fixtures: tuple[Door | Challenge, ...] = (*field.doors, *field.challenges)
    one = fixtures[secret]
    kind, cell = (DOOR, one.cell) if isinstance(one, Door) else (one.kind, one.cells[0])
    told = Told(by=by, challenge=one.id, kind=kind, state=Stands.FOUND.value, at=field.at(cell))
    return msgspec.structs.replace(told, seen_by=(side,)) if any(each != side for each in sides) else told


def viewers(viewer: str, bodies: Sequence[Played], sides: Sequence[str]) -> tuple[str, ...]:
    """Whose secrets a table shows: the viewer's, else the persons', else those of all sides."""
    if viewer:
        return tuple(viewer.split("+"))
    people = tuple(dict.fromkeys(body.side for body in bodies if body.controller == "human"))
    return people or tuple(sides)
