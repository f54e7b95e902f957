"""What is printed: an encounter, or a map with whom it says itself, and what there is on its ground to tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from game.maps.mapdata import LoadedMap, MapObject
from game.setup import check, files
from game.setup.draft import Draft, Piece, from_record
from game.storage import records as storage
from game.view.overlays import map_pins
from rules.board.fixtures import Challenge, Door, DoorState
from rules.board.grid import Field
from rules.board.places import Part
from rules.contract.errors import BattlematError
from rules.contract.text import Text, text
from rules.contract.units import Cell

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Matter(NamedTuple):
    """An encounter on its ground."""

    draft: Draft
    field: Field
    loaded: LoadedMap | None
    beside: Path | None = None

    @property
    def title(self) -> str:
        """What it is called."""
        return self.draft.title or (self.loaded.title if self.loaded is not None else "") or text("An encounter")


class Level(NamedTuple):
    """One map of it, as columns and rows of the field."""

    title: str
    top: int
    columns: int
    rows: int


class Entry(NamedTuple):
    """Something on the map that its key tells of."""

    mark: str
    cell: Cell
    heading: str
    told: str
    side: str = ""
    """Of a creature; empty for everything else."""
    size: int = 1


def of_map(path: Path, ruleset: str) -> Matter:
    """A map by itself, with the creatures that it names. Raises MapProblem, and BattlematError for one elsewhere."""
    draft, loaded = files.new_draft(files.brought_in(path), ruleset, 1)
    return Matter(draft, loaded.field, loaded)


def of_record(path: Path) -> Matter:
    """A prepared encounter, or the start of a fight. Raises RecordError or MapProblem."""
    return of_draft(from_record(storage.read_record(path)), path.parent)


def of_draft(draft: Draft, beside: Path | None) -> Matter:
    """A table as it is being prepared. Raises RecordError or MapProblem."""
    field, loaded = files.ground_of(draft, beside)
    return Matter(draft, field, loaded, beside)


def levels(matter: Matter) -> tuple[Level, ...]:
    """Its maps, from the top."""
    field = matter.field
    if not field.maps:
        return (Level("", 0, field.width, field.height),)
    return tuple(_level(part) for part in field.maps)


def _level(part: Part) -> Level:
    return Level(part.title or part.name, part.top, part.columns, part.rows)


def key(matter: Matter) -> tuple[Entry, ...]:
    """All that the game master's map has marks for: creatures by numbers, notes by letters, the rest by both."""
    return (*creatures(matter), *_notes(matter), *_doors(matter), *_fixtures(matter), *_ways(matter))


def creatures(matter: Matter) -> tuple[Entry, ...]:
    """Those on the table, numbered in their order there; nobody who stands beside the map."""
    found = []
    for number, piece in enumerate(matter.draft.pieces, 1):
        if piece.spot is not None and matter.field.inside(*piece.spot):
            cell = matter.field.cell(*piece.spot)
            found.append(Entry(str(number), cell, check.name_of(matter.draft, piece), _state(piece), piece.side))
    return tuple(found)


def _state(piece: Piece) -> str:
    said = [word for word, on in (
        (text("asleep"), piece.entry.get("asleep") is True or piece.entry.get("alert") == "asleep"),
        (text("hidden"), piece.entry.get("hidden") is True),
        (text("walks a round"), bool(piece.entry.get("patrol"))),
    ) if on]  # fmt: skip
    return Text.of("{side}; {state}", side=piece.side, state=", ".join(said)) if said else piece.side


def _notes(matter: Matter) -> Iterator[Entry]:
    for number, pin in enumerate(map_pins(matter.loaded, -1, secrets=True)):
        yield Entry(lettered(number), pin.cells[0], pin.title or text("Note"), pin.text)


def lettered(number: int) -> str:
    """A, B … Z, AA, AB …"""
    head, tail = divmod(number, len(LETTERS))
    return (lettered(head - 1) if head else "") + LETTERS[tail]


TOLD_DOORS = (DoorState.SECRET, DoorState.LOCKED, DoorState.BARRED)


def _doors(matter: Matter) -> Iterator[Entry]:
    told = [door for door in matter.field.doors if door.state in TOLD_DOORS]
    for number, door in enumerate(told, 1):
        yield Entry(f"D{number}", door.cell, Text.of("{id}, {what}", id=door.id, what=door.state), _of_door(door))


def _of_door(door: Door) -> str:
    if door.state == DoorState.BARRED:
        return text("barred from one side")
    opened = text("its key: {key}; ", door.key) if door.key else ""
    return Text.of("{opened}difficulty {difficulty}", opened=opened, difficulty=door.difficulty)


def _fixtures(matter: Matter) -> Iterator[Entry]:
    for kind, letter in (("chest", "C"), ("trap", "T")):
        here = [each for each in matter.field.challenges if each.kind == kind]
        for number, each in enumerate(here, 1):
            yield Entry(f"{letter}{number}", each.cells[0], each.id, _of_fixture(each))


def _of_fixture(each: Challenge) -> str:
    said: list[str] = []
    if each.kind == "trap" or each.hidden:
        said.append(text("noticed by {notice}", each.notice))
    said.append(text("difficulty {difficulty}", each.difficulty))
    if each.damage:
        said.append(text("damage {damage}", each.damage))
    if each.effect:
        said.append(each.effect)
    if each.key:
        said.append(text("its key: {key}", each.key))
    if each.contents:
        said.append(text("in it: {contents}", each.contents))
    return "; ".join(said)


def _ways(matter: Matter) -> Iterator[Entry]:
    field, seen = matter.field, set[tuple[str, Cell]]()
    number = 0
    for stair in field.stairs:
        there = field.part(stair.to)
        beside = {(there.name, Cell(stair.cell - step)) for step in (1, field.width)}
        if not beside & seen:
            number += 1
            yield Entry(f"S{number}", stair.cell, text("To {map}", there.title), stair.kind)
        seen.add((there.name, stair.cell))
    exits: Sequence[MapObject] = matter.loaded.exits if matter.loaded is not None else ()
    for each in exits:
        number += 1
        yield Entry(f"S{number}", Cell(each.cell), each.name or text("Way out"), "")


def read(path: Path, ruleset: str = "olde") -> Matter:
    """A map (.tmx) or a record (.json) to print. Raises BattlematError in one line."""
    if not path.is_file():
        raise BattlematError("{path}: there is no such file", str(path))
    return of_map(path, ruleset) if path.suffix.lower() in (".tmx", ".tmj") else of_record(path)
