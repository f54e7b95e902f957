"""What the rules say of a stat block, all faults at once, before any fight begins; and of gear that it may take.

The ruleset's model names every field that is wrong; what only the rules can tell (hit points above the most, more
in hand than hands) comes out when they place the creature alone on an empty floor. What it says of the map, its space
and its ways, is no part of that: `check` holds it against the real one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic import ValidationError

from game.content import tables as content
from game.setup import bestiary, forms
from game.setup.draft import Entry
from game.setup.forms import FormField
from rules.board.grid import Field
from rules.contract.display import Bar, Miniature, Sheet
from rules.contract.errors import BattlematError
from rules.contract.ruleset import Scenario
from rules.contract.text import joined, text
from rules.contract.units import Cell
from rules.core.dice import plain
from rules.core.registry import ruleset as ruleset_of

FLOOR = Field.from_rows(["." * 8] * 8)
"""Where creatures are tried: room for the largest."""
_PREFIX = re.compile(r"^creatures\[\d+\](?: \(.*?\))?: ", re.DOTALL)


class Fault(NamedTuple):
    """What is wrong with a field, and what would be right; the field is empty where it is the whole."""

    field: str
    text: str


class Trial(NamedTuple):
    """What came out: how the rules see the creature (None where they refuse it), and what is wrong."""

    mini: Miniature | None
    sheet: Sheet | None
    faults: tuple[Fault, ...]


def merged(ruleset: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry with its template's fields. Raises ContentError for a template that nobody knows."""
    name = entry.get("template")
    return {**bestiary.template(ruleset, str(name)), **entry} if name is not None else dict(entry)


def block_of(ruleset: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """The same; the entry as it is where nobody knows its template."""
    try:
        return merged(ruleset, entry)
    except BattlematError:
        return dict(entry)


def tried(ruleset: str, entry: Mapping[str, Any], options: Mapping[str, Any]) -> Trial:
    """Try one creature; the same entry is tried once only."""
    try:
        block = merged(ruleset, entry)
    except BattlematError as error:
        return Trial(None, None, (Fault("template", str(error).removeprefix("template: ")),))
    said = json.dumps({**block, "at": [0, 0]}, sort_keys=True, default=str)
    return _tried(content.exact(ruleset), said, json.dumps(dict(options), sort_keys=True, default=str))


@lru_cache(maxsize=1024)
def _tried(with_packs: str, said: str, options: str) -> Trial:
    block, ruleset = json.loads(said), with_packs.partition("+")[0]
    try:
        ruleset_of(ruleset).stat_block.model_validate(block)
    except ValidationError as error:  # every field that the ruleset's model refuses, each once
        known = {field.name: field for field in forms.fields(ruleset)}
        found: dict[str, Fault] = {}
        for each in error.errors():
            name = str(each["loc"][0]) if each["loc"] else ""
            found.setdefault(name, Fault(name, forms.mend(known.get(name), each)))
        return Trial(None, None, tuple(found.values()))
    for way in forms.ways(ruleset):
        block.pop(way.name, None)
    rules = ruleset_of(ruleset)
    scenario = Scenario(ruleset, FLOOR, (block,), options=json.loads(options), content=bestiary.tables(ruleset))
    try:
        state = rules.start(scenario).state
    except BattlematError as error:  # the rules' one line, as a fault of its field
        rest = _PREFIX.sub("", str(error))
        name, colon, why = rest.partition(": ")
        return Trial(None, None, (Fault(name, why) if colon and name.isidentifier() else Fault("", rest),))
    mini = rules.board(state).miniatures[0]
    return Trial(mini, rules.sheet(state, mini.id), ())


def blamed(text: str) -> int | None:
    """The number of the creature that a message of the rules speaks of."""
    match = re.match(r"creatures\[(\d+)\]", text)
    return int(match[1]) if match else None


def spaces(ruleset: str, entry: Mapping[str, Any], options: Mapping[str, Any]) -> int:
    """How many spaces wide a creature is, as the rules see it: the one place where size becomes spaces."""
    mini = tried(ruleset, entry, options).mini
    if mini is not None:
        return mini.size
    wide = block_of(ruleset, entry).get("space", 1)
    return wide if type(wide) is int and 1 <= wide <= FLOOR.width else 1


def figure(ruleset: str, entry: Mapping[str, Any], options: Mapping[str, Any]) -> Miniature:
    """The creature as a board piece at the first space; a plain one where the rules refuse it."""
    mini = tried(ruleset, entry, options).mini
    if mini is not None:
        return mini
    block = block_of(ruleset, entry)
    return Miniature(
        id=str(block.get("id", "")), name=str(block.get("name") or block.get("id") or "?"),
        side=str(block.get("side", "")), cell=Cell(0), art=str(block.get("art") or ""),
        size=spaces(ruleset, entry, options), health=Bar("Hit points", 1, 1),
    )  # fmt: skip


MOST = 6
"""Figures that are told of a thing."""
PROSE = ("text", "summary")
SILENT = frozenset({"name", "cost", "art", "index", "number", "family", *PROSE})
"""What of a table's entry is no figure."""
IDLE = ("carried",)
"""What the rules say of a thing that is merely there."""


def offer_told(ruleset: str, entry: Entry, options: Mapping[str, Any], field: FormField, option: str) -> str:
    """The figures of one choice, in a line; empty where there are none."""
    found = _as_used(ruleset, entry, options, field, option) if field.group == forms.GEAR else ""
    words = (_word(*figure) for figure in _row(ruleset, field, option).items() if figure[0] not in SILENT)
    return found or joined(" · ", [word for word in words if word][:MOST])


def offer_known(ruleset: str, field: FormField, option: str) -> bool:
    """Whether the ruleset's tables have a choice at all."""
    return bool(_row(ruleset, field, option))


def offer_prose(ruleset: str, field: FormField, option: str) -> str:
    """What the tables tell of a choice in a sentence; empty where they don't."""
    row = _row(ruleset, field, option)
    return next((str(row[key]) for key in PROSE if row.get(key)), "")


def _as_used(ruleset: str, entry: Entry, options: Mapping[str, Any], field: FormField, option: str) -> str:
    """What the sheet says of it where somebody has it, and nothing else of its kind."""
    has = {**entry, field.name: [option] if field.kind == "list" else option}
    has.pop("ready", None)
    sheet = tried(ruleset, has, options).sheet
    lines = sheet.lines if sheet is not None else ()
    want = option.casefold()
    return next((line.detail for line in lines if line.text.casefold() == want and line.detail not in IDLE), "")


def _row(ruleset: str, field: FormField, option: str) -> Mapping[str, Any]:
    """Its entry in the ruleset's tables, in the like-named one first."""
    tables = bestiary.tables(ruleset)
    order = sorted(tables, key=lambda name: name not in (field.name, f"{field.name}s"))
    return next((each for name in order for each in tables[name] if each.get("name") == option), {})


def _word(key: str, value: Any) -> str:
    if value is True:
        return forms.label_of(key)
    if key == "dice" and isinstance(value, list) and all(type(each) is int for each in value):
        return joined(" + ", (f"d{each}" for each in value))
    if type(value) in (int, float) and value:
        return text("{key} {value}", forms.label_of(key), plain(value))
    return value if isinstance(value, str) and len(value) <= 12 else ""
