"""What every ruleset checks before the first throw: options, ids, places and hit points of a record."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from rules.board.grid import Field, Terrain
from rules.contract.errors import RecordError
from rules.contract.text import joined, text
from rules.core.validate import CreatureModel


def options_of(ruleset: str, defaults: Mapping[str, bool], given: Mapping[str, Any]) -> dict[str, bool]:
    """All switches of a record. Raises RecordError for one that the ruleset has not, or that is no switch."""
    options = dict(defaults)
    for name, value in given.items():
        if name not in defaults:
            raise RecordError(
                text(
                    "options: {name} is no option of {ruleset}; there are {defaults}",
                    name=repr(name),
                    ruleset=ruleset,
                    defaults=joined(", ", defaults),
                )
            )
        if not isinstance(value, bool):
            raise RecordError(text("options.{name}: needs true or false, got {value}", name=name, value=repr(value)))
        options[name] = value
    return options


def check_ids(blocks: Sequence[CreatureModel], sides: Collection[str] = ()) -> None:
    """Raises RecordError where two creatures share an id, or one has the game master's or one of these `sides`'."""
    seen: dict[str, int] = {}
    for i, block in enumerate(blocks):
        if block.id in seen:
            raise RecordError(
                text(
                    "creatures[{i}]: id {id} is taken by creatures[{seen}]; ids differ",
                    i=i,
                    id=repr(block.id),
                    seen=seen[block.id],
                )
            )
        if block.id in sides:
            raise RecordError(text("creatures[{i}]: id {id} is kept for the side of that name", i=i, id=repr(block.id)))
        if block.id == "gm":
            raise RecordError(text("creatures[{i}]: id 'gm' is kept for the game master", i=i))
        seen[block.id] = i


def told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """The same names, those that several have with a number behind: five Goblins are `Goblin 1` to `Goblin 5`."""
    taken, count = set(names), dict.fromkeys(names, 0)
    found = []
    for name in names:
        if names.count(name) > 1:
            count[name] += 1
            while f"{name} {count[name]}" in taken:
                count[name] += 1
            name = f"{name} {count[name]}"
            taken.add(name)
        found.append(name)
    return tuple(found)


def doors_at_first(field: Field) -> tuple[tuple[str, ...], Terrain]:
    """How each door of the map stands, and the ground with those open that are."""
    doors = tuple(door.state for door in field.doors)
    return doors, field.terrain(sum(1 << i for i, state in enumerate(doors) if state == "open"))


def place_creature(
    field: Field,
    terrain: Terrain,
    where: str,
    at: tuple[int, int],
    space: int,
    *,
    others: Iterable[tuple[str, int, int]] = (),
) -> int:
    """The cell of a creature so many spaces wide. Raises RecordError where nobody can stand, or where one of the
    `others` (id, cell, space) does."""
    column, row = at
    if not field.inside(column, row):
        raise RecordError(
            text(
                "{where}: at: [{column}, {row}] is off the map of {width} × {height} spaces",
                where=where,
                column=column,
                row=row,
                width=field.width,
                height=field.height,
            )
        )
    cell = field.cell(column, row)
    if not field.inside(column + space - 1, row + space - 1) or not terrain.fits(cell, space):
        raise RecordError(
            text(
                "{where}: at: nobody can stand on [{column}, {row}]; a free space is needed",
                where=where,
                column=column,
                row=row,
            )
        )
    own = terrain.footprint(cell, space)
    for name, there, size in others:
        if terrain.footprint(there, size) & own:
            raise taken(where, at, name)
    return cell


def taken(where: str, at: tuple[int, int], by: str) -> RecordError:
    """The refusal of a space on which somebody stands."""
    return RecordError(text("{where}: at: [{at}, {at2}] is taken by {by}", where=where, at=at[0], at2=at[1], by=by))


def at_most(where: str, name: str, given: int | None, top: int) -> int:
    """What a pool begins with: all of it unless said otherwise. Raises RecordError above the maximum."""
    if given is not None and given > top:
        raise RecordError(
            text("{where}: {name}: {given} is above the maximum of {top}", where=where, name=name, given=given, top=top)
        )
    return top if given is None else given
