"""How a place was left, in a record: what its `map` says of it beside the doors (docs/record.md Evenings)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from pydantic import BaseModel, ConfigDict, Field

from rules.board.bitboard import board_of, cells_of
from rules.board.fixtures import DOOR_STATES
from rules.board.grid import Field as Ground
from rules.board.left import Fate, Left
from rules.contract.errors import RecordError
from rules.contract.text import joined
from rules.contract.units import Bitboard, Cell
from rules.core.secrets import Stands
from rules.core.validate import Whole, on_map

_STRICT = ConfigDict(extra="forbid", defer_build=True)
Space = tuple[Whole, Whole]
Count = Annotated[int, Field(strict=True, ge=0)]
Attitudes = Literal["hostile", "wary", "curious", "kind", "helpful", "yielded"]
MOST = 5000
"""Things on the floor, and spans of seen ground, that a record tells at most."""


class SecretsModel(BaseModel):
    """What a side has found of what was hidden, by name."""

    model_config = _STRICT
    doors: list[str] = Field(default=[], max_length=500)
    fixtures: list[str] = Field(default=[], max_length=500)


class LeftModel(BaseModel):
    """How a place was left by those who come to it again."""

    model_config = _STRICT
    evening: Annotated[int, Field(strict=True, ge=2, le=999)]  # which evening this is
    minutes: Count = 0  # that have passed since the one before
    of: str = Field(default="", max_length=20)  # the short name of the evening before
    fixtures: dict[str, Stands] = Field(default={}, max_length=500)
    """A challenge's name -> how it stands, where that isn't as at first."""
    found: dict[str, SecretsModel] = {}  # by side
    floor: list[tuple[Annotated[str, Field(min_length=1, max_length=120)], Whole, Whole]] = Field(
        default=[], max_length=MOST
    )
    """What lies about: the thing, its column and row."""
    cleared: list[Space] = Field(default=[], max_length=MOST)  # spaces of rubble that is out of the way
    goals: dict[str, Literal["open", "done", "failed"]] = Field(default={}, max_length=100)
    seen: dict[str, list[tuple[Whole, Whole, Whole]]] = {}
    """By side the ground that it has seen: spans of a row, its first and its last column."""
    doors: dict[str, dict[str, str]] = {}  # by side how it last saw doors that stand otherwise now
    fates: dict[str, Fate] = Field(default={}, max_length=500)
    """Who is no longer about, by id: dead where it fell, down, or gone for good."""
    attitudes: dict[str, Attitudes] = Field(default={}, max_length=500)
    """How somebody means to deal with the party, where that is settled."""
    posts: dict[str, Space] = Field(default={}, max_length=500)  # where somebody belongs who stands elsewhere
    figures: dict[str, dict[str, Any]] = Field(default={}, max_length=500)
    """How somebody is, and what it has, by id, in the words of its ruleset."""
    unlit: list[str] = Field(default=[], max_length=500)  # whose own light doesn't burn
    roused: list[str] = Field(default=[], max_length=500)  # who knows that the party is about


def with_left(field: Ground, source: LeftModel, ids: Sequence[str]) -> Ground:
    """The field with all that was left on it. `ids` are those of the record's creatures. Raises RecordError in one
    line."""
    at = "map.left"
    names = [one.id for one in field.challenges]
    goals = [goal.name for goal in field.goals]
    for where, given, known in (
        ("fixtures", source.fixtures, names), ("goals", source.goals, goals),
        ("fates", source.fates, ids), ("attitudes", source.attitudes, ids), ("posts", source.posts, ids),
        ("figures", source.figures, ids), ("unlit", source.unlit, ids), ("roused", source.roused, ids),
    ):  # fmt: skip
        _known(f"{at}.{where}", given, known)
    left = Left(
        evening=source.evening, minutes=source.minutes, of=source.of,
        fixtures=tuple(str(source.fixtures[name]) if name in source.fixtures else "" for name in names),
        found=tuple((side, _secrets(field, f"{at}.found.{side}", each)) for side, each in source.found.items()),
        floor=tuple((item, on_map(field, (x, y), f"{at}.floor")) for item, x, y in source.floor),
        cleared=board_of(on_map(field, space, f"{at}.cleared") for space in source.cleared),
        goals=tuple(source.goals.get(name, "") for name in goals),
        seen=tuple((side, _ground(field, f"{at}.seen.{side}", spans)) for side, spans in source.seen.items()),
        doors=tuple((side, _doors(field, f"{at}.doors.{side}", each)) for side, each in source.doors.items()),
        fates=tuple((name, str(fate)) for name, fate in source.fates.items()),
        attitudes=tuple(source.attitudes.items()),
        posts=tuple((name, on_map(field, space, f"{at}.posts.{name}")) for name, space in source.posts.items()),
        figures=tuple(source.figures.items()), unlit=tuple(source.unlit), roused=tuple(source.roused),
    )  # fmt: skip
    return msgspec.structs.replace(field, left=left)


def _known(where: str, given: Mapping[str, Any] | Sequence[str], known: Sequence[str]) -> None:
    for name in given:
        if name not in known:
            there = joined(", ", known) or "none"
            raise RecordError(
                "{where}: nothing and nobody is called {name}; there are {there}", where, repr(name), there
            )


def _secrets(field: Ground, where: str, given: SecretsModel) -> int:
    doors, others = [door.id for door in field.doors], [one.id for one in field.challenges]
    _known(f"{where}.doors", given.doors, doors)
    _known(f"{where}.fixtures", given.fixtures, others)
    bits = sum(1 << doors.index(name) for name in dict.fromkeys(given.doors))
    return bits | sum(1 << len(doors) + others.index(name) for name in dict.fromkeys(given.fixtures))


def _doors(field: Ground, where: str, given: Mapping[str, str]) -> tuple[str, ...]:
    _known(where, given, [door.id for door in field.doors])
    for name, state in given.items():
        if state not in DOOR_STATES:
            wrong, states = "{where}.{name}: {what} is none of {door_states}", joined(", ", DOOR_STATES)
            raise RecordError(wrong, where=where, name=name, what=repr(state), door_states=states)
    return tuple(given.get(door.id, "") for door in field.doors)


def _ground(field: Ground, where: str, spans: Sequence[tuple[int, int, int]]) -> Bitboard:
    seen = 0
    for row, first, last in spans:
        start, end = on_map(field, (first, row), where), on_map(field, (last, row), where)
        if end < start:
            raise RecordError("{where}: [{row}, {first}, {last}] ends before it begins", where, row, first, last)
        seen |= ((1 << end - start + 1) - 1) << start
    return Bitboard(seen)


def spans_of(field: Ground, board: Bitboard) -> Iterator[tuple[int, int, int]]:
    """A set of spaces as a record tells it: spans of a row, each with its first and its last column."""
    open_at: tuple[int, int] | None = None
    last = -2
    for cell in cells_of(board & ((1 << field.width * field.height) - 1)):
        column, row = field.at(Cell(cell))
        if open_at is not None and (row != open_at[0] or column != last + 1):
            yield *open_at, last
            open_at = None
        if open_at is None:
            open_at = row, column
        last = column
    if open_at is not None:
        yield *open_at, last
