"""An encounter under another ruleset: whom each creature becomes (assets/content/translation.toml), where it stands."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from game import content, paths
from rules import record as records
from rules.errors import BattlematError, RecordError
from rules.grid import Terrain
from rules.registry import RULESETS
from rules.registry import ruleset as ruleset_of
from rules.wrong import place, reason

TABLE = ("id", "side", "at", "controller", "name", "surprised")
"""What an entry says that means the same under every ruleset."""
FILE = "translation.toml"
PARTS = {"heroes": "role", "monsters": "kind"}
"""Templates of which file -> what its rows are called."""


class Row(BaseModel):
    """One meaning and its counterparts: template names by ruleset, and why these."""

    model_config = ConfigDict(extra="allow", frozen=True)

    name: str = Field(min_length=1)
    because: str = Field(min_length=1)

    def under(self, ruleset: str) -> tuple[str, ...]:
        """The templates of a ruleset in this row."""
        found = (self.model_extra or {}).get(ruleset, ())
        return tuple(found) if isinstance(found, list) else ()


@functools.cache
def rows() -> tuple[Row, ...]:
    """The whole table, heroes' roles first. Raises ContentError: row, ruleset and name that is wrong."""
    path = paths.asset("content", FILE)
    document = content.read_table(path)
    found = []
    for name in document:
        if name not in PARTS.values():
            raise content.ContentError(f"{FILE}: [[{name}]]: rows are [[role]] and [[kind]]")
    for part, kind in PARTS.items():
        for entry in document.get(kind, ()):
            found.append(_row(entry, part))
    return tuple(found)


def _row(entry: Mapping[str, Any], part: str) -> Row:
    try:
        row = Row.model_validate(entry)
    except ValidationError as error:
        first = error.errors()[0]
        raise content.ContentError(
            f"{FILE}: {entry.get('name', 'a row')}: {place(first)}: {reason(first)}"
        ) from None
    for ruleset, named in (row.model_extra or {}).items():
        if ruleset not in RULESETS:
            raise content.ContentError(
                f"{FILE}: {row.name}: {ruleset!r} is no ruleset; there are {', '.join(RULESETS)}"
            )
        known = content.heroes(ruleset) if part == "heroes" else content.monsters(ruleset)
        for name in named if isinstance(named, list) else [named]:
            if name not in known:
                raise content.ContentError(
                    f"{FILE}: {row.name}: {ruleset}: there is no {name!r} in {part}.toml"
                )
    for ruleset in RULESETS:
        if not row.under(ruleset):
            raise content.ContentError(f"{FILE}: {row.name}: {ruleset}: a list of templates is missing")
    return row


def missing(ruleset: str) -> list[str]:
    """Templates of a ruleset that no row translates, in the order of its content."""
    known = {name for row in rows() for name in row.under(ruleset)}
    return [name for name in (*content.heroes(ruleset), *content.monsters(ruleset)) if name not in known]


def counterpart(template: str, source: str, goal: str) -> tuple[str, Row]:
    """Whom a template of one ruleset becomes under another, and the row that says so. Raises ContentError."""
    for row in rows():
        if template in row.under(source):
            there = row.under(goal)
            return (template if template in there else there[0]), row
    raise content.ContentError(
        f"{FILE}: nobody stands for {template!r} of {source} under {goal}; add it to a row, or choose another creature"
    )


def becomes(entry: Mapping[str, Any], source: str, goal: str) -> dict[str, Any]:
    """A creature's entry under another ruleset: its counterpart, and what every ruleset knows of it.

    Somebody made by hand becomes whoever plays the same part (its `kind`), else the first of its sort.
    Raises ContentError.
    """
    named = str(entry["template"]) if "template" in entry else _like(entry, source)
    template, _ = counterpart(named, source, goal)
    kept_name = _renamed(entry.get("name"), str(content.template(source, named)["name"]), goal, template)
    fields: Collection[str] = ruleset_of(goal).stat_block.model_fields
    kept = {key: entry[key] for key in TABLE if key in entry and key in fields}
    if kept_name:
        kept["name"] = kept_name
    return {"id": entry["id"], "template": template, **{k: v for k, v in kept.items() if k != "id"}}


def _renamed(name: object, old: str, goal: str, template: str) -> str:
    """`Orc 2` becomes `Gnoll 2`; a name of somebody's own stays."""
    if not isinstance(name, str):
        return ""
    return content.template(goal, template)["name"] + name[len(old) :] if name.startswith(old) else name


def _like(entry: Mapping[str, Any], source: str) -> str:
    """The template that is most like a creature that was made by hand: by kind, else the first of its sort."""
    hero = entry.get("controller") == "human" or entry.get("side") == "heroes"
    party = content.heroes(source) if hero else content.monsters(source)
    kind = str(entry.get("kind", "")).casefold()
    alike = (name for name, block in party.items() if kind and str(block.get("kind", "")).casefold() == kind)
    return next(alike, next(iter(party)))


def translated(record: records.Record, goal: str, *, beside: Path | None = None) -> records.Record:
    """An encounter under another ruleset, from its start: everybody's counterpart on the same space, or the nearest

    on which it fits. The record itself where it is of that ruleset already. Raises BattlematError in one line.
    """
    if goal not in RULESETS:
        raise RecordError(f"ruleset: {goal!r} is none of {', '.join(RULESETS)}")
    if record.ruleset == goal:
        return record
    entries = _told_apart(record, [becomes(entry, record.ruleset, goal) for entry in record.creatures], goal)
    known = {switch.name for switch in ruleset_of(goal).switches}
    document = records.document(records.begun(record))
    document |= {
        "ruleset": goal,
        "creatures": _standing(record, entries, goal, beside),
        "options": {name: value for name, value in record.options.items() if name in known},
    }
    for word in ("throws", "branches", "rewinds"):
        document.pop(word, None)
    return records.read(document)


def _told_apart(record: records.Record, entries: list[dict[str, Any]], goal: str) -> list[dict[str, Any]]:
    """Creatures that would bear one name, since one stands for both, keep the names that they had."""
    names = [entry.get("name", content.template(goal, entry["template"])["name"]) for entry in entries]
    found = []
    for old, new, name in zip(record.creatures, entries, names, strict=True):
        if names.count(name) > 1 and "name" not in new and "template" in old:
            new = {**new, "name": content.template(record.ruleset, str(old["template"]))["name"]}
        found.append(new)
    return found


def _standing(
    record: records.Record, entries: list[dict[str, Any]], goal: str, beside: Path | None
) -> list[dict[str, Any]]:
    """Everybody on its space if it fits there, else on the nearest free one; the widest choose first."""
    from game.match import Match  # late: a match reads maps, which a table of words has no need of

    field = Match.from_record(records.begun(record), beside=beside).field
    terrain, taken = field.terrain(), 0
    wide = [int(content.template(goal, str(entry["template"])).get("space", 1)) for entry in entries]
    found = [dict(entry) for entry in entries]
    for number in sorted(range(len(entries)), key=lambda n: (-wide[n], n)):
        column, row = entries[number]["at"]
        cell = _nearest(terrain, field.cell(column, row), wide[number], taken)
        if cell is None:
            raise BattlematError(
                f"creatures[{number}] ({entries[number]['id']}): no space is left for {wide[number]} × {wide[number]} "
                f"spaces on this map; leave somebody out"
            )
        taken |= terrain.footprint(cell, wide[number])
        found[number]["at"] = list(field.at(cell))
    return found


def _nearest(terrain: Terrain, start: int, wide: int, taken: int) -> int | None:
    """The space nearest to one on which a creature of that width fits and nobody stands."""
    field = terrain.field
    cells = sorted(range(field.width * field.height), key=lambda cell: (terrain.distance(start, cell), cell))
    for cell in cells:
        column, row = field.at(cell)
        inside = field.inside(column + wide - 1, row + wide - 1)
        if inside and terrain.fits(cell, wide) and not terrain.footprint(cell, wide) & taken:
            return cell
    return None
