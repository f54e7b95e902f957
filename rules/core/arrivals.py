"""Waves in a record: who comes later, judged and brought onto the field (docs/record.md Waves)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from pydantic import BaseModel, ConfigDict, Field

from rules.board.arrivals import Arrival, Cause
from rules.board.fixtures import DoorState
from rules.board.grid import Field as Ground
from rules.contract.errors import RecordError
from rules.contract.text import joined, text
from rules.contract.units import Cell
from rules.core.validate import on_map

MOST_WAVES = 40
FIRST = 2
"""The first turn in which a wave may come: who is there in the first stands on the map."""


class ArrivalModel(BaseModel):
    """A wave: some of the record's creatures, and what makes them come."""

    model_config = ConfigDict(extra="forbid", defer_build=True)
    name: str = Field(default="", max_length=60)  # what it is called on screen
    who: list[str] = Field(min_length=1, max_length=100)
    """Ids of creatures of the record, whose `at` says where they come in."""
    turn: Annotated[int, Field(strict=True, ge=FIRST, le=999)] | None = None
    """They come at the beginning of this turn …"""
    noise: Literal[True] | None = None  # … or when a noise is heard where they come in
    door: str | None = Field(default=None, min_length=1, max_length=60)  # … or when this door is opened,
    after: Annotated[int, Field(strict=True, ge=0, le=99)] = 0  # so many turns after that
    sudden: bool = False  # they come in just there, even where their foes look

    @property
    def cause(self) -> Cause | None:
        """What makes it come; None where nothing does, or more than one thing."""
        given = [cause for cause in Cause if getattr(self, cause.value) is not None]
        return given[0] if len(given) == 1 else None


def with_arrivals(
    field: Ground, source: Sequence[ArrivalModel], creatures: Sequence[Mapping[str, Any]]
) -> Ground:  # fmt: skip
    """The field with the waves that come to it. `creatures`: the record's entries, their places in spaces of the field.
    Raises RecordError in one line."""
    if not source:
        return field
    entries, taken = {str(entry.get("id")): entry for entry in creatures}, dict[str, int]()
    found = []
    for n, wave in enumerate(source):
        where = text("arrivals[{n}]", n)
        if wave.cause is None:
            raise RecordError("{where}: needs one of turn, noise and door: what makes them come", where)
        if wave.cause is Cause.TURN and wave.after:
            raise RecordError("{where}.after: belongs to noise and door; of turn, give the turn itself", where)
        for name in wave.who:
            if name not in entries:
                raise RecordError("{where}.who: no creature has the id {name}", where, repr(name))
            if name in taken:
                wrong = "{where}.who: {name} comes with arrivals[{other}] already"
                raise RecordError(wrong, where, repr(name), taken[name])
            taken[name] = n
            for word in ("prisoner", "reserve"):
                if entries[name].get(word):
                    raise RecordError("{where}.who: {name} has {word}, and cannot come later", where, repr(name), word)
        cells = tuple(_cell(field, entries[name]) for name in wave.who)
        turn, door = wave.turn if wave.turn is not None else wave.after, _door(field, wave, where)
        found.append(Arrival(tuple(wave.who), cells, wave.cause, turn, door, wave.name, wave.sudden))
    if len(taken) == len(entries):
        raise RecordError("arrivals: everybody comes later; somebody has to be there from the beginning")
    return msgspec.structs.replace(field, arrivals=tuple(found))


def _cell(field: Ground, entry: Mapping[str, Any]) -> Cell:
    """The space of an entry. One that is none is its stat block's to refuse."""
    at = entry.get("at")
    if isinstance(at, Sequence) and not isinstance(at, str) and len(at) == 2 and all(type(each) is int for each in at):
        return on_map(field, (at[0], at[1]), text("creatures ({id}): at", str(entry.get("id"))))
    return Cell(0)


def _door(field: Ground, wave: ArrivalModel, where: str) -> int:
    if wave.door is None:
        return -1
    names = [door.id for door in field.doors]
    if wave.door not in names:
        known = joined(", ", names) or text("none")
        raise RecordError("{where}.door: no door is called {name}; there are {known}", where, repr(wave.door), known)
    number = names.index(wave.door)
    if field.doors[number].state == DoorState.OPEN:
        raise RecordError("{where}.door: {name} stands open from the beginning; name one that is shut", where,
                          repr(wave.door))  # fmt: skip
    return number
