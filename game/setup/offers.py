"""What a list to choose from says of each thing: the figures of gear as the rules reckon them for whoever takes it,

else what the ruleset's own tables have of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from game.setup import bestiary, forms, trial
from game.setup.draft import Entry
from game.setup.forms import FormField
from rules.contract.text import joined, text
from rules.core.dice import plain

MOST = 6
"""Figures that are told of a thing."""
PROSE = ("text", "summary")
SILENT = frozenset({"name", "cost", "art", "index", "number", "family", *PROSE})
"""What of a table's entry is no figure."""
IDLE = ("carried",)
"""What the rules say of a thing that is merely there."""


def told(ruleset: str, entry: Entry, options: Mapping[str, Any], field: FormField, option: str) -> str:
    """The figures of one choice, in a line; empty where there are none."""
    found = _as_used(ruleset, entry, options, field, option) if field.group == forms.GEAR else ""
    return found or _figures(_row(ruleset, field, option))


def known(ruleset: str, field: FormField, option: str) -> bool:
    """Whether the ruleset's tables have a choice at all."""
    return bool(_row(ruleset, field, option))


def prose(ruleset: str, field: FormField, option: str) -> str:
    """What the tables tell of a choice in a sentence; empty where they don't."""
    row = _row(ruleset, field, option)
    return next((str(row[key]) for key in PROSE if row.get(key)), "")


def _as_used(ruleset: str, entry: Entry, options: Mapping[str, Any], field: FormField, option: str) -> str:
    """What the sheet says of it where somebody has it, and nothing else of its kind."""
    has = {**entry, field.name: [option] if field.kind == "list" else option}
    has.pop("ready", None)
    sheet = trial.tried(ruleset, has, options).sheet
    lines = sheet.lines if sheet is not None else ()
    want = option.casefold()
    return next((line.detail for line in lines if line.text.casefold() == want and line.detail not in IDLE), "")


def _row(ruleset: str, field: FormField, option: str) -> Mapping[str, Any]:
    """Its entry in the ruleset's tables, in the like-named one first."""
    tables = bestiary.tables(ruleset)
    order = sorted(tables, key=lambda name: name not in (field.name, f"{field.name}s"))
    return next((each for name in order for each in tables[name] if each.get("name") == option), {})


def _figures(row: Mapping[str, Any]) -> str:
    words = [word for key, value in row.items() if key not in SILENT and (word := _word(key, value))]
    return joined(" · ", words[:MOST])


def _word(key: str, value: Any) -> str:
    if value is True:
        return forms.label_of(key)
    if key == "dice" and isinstance(value, list) and all(type(each) is int for each in value):
        return joined(" + ", (f"d{each}" for each in value))
    if type(value) in (int, float) and value:
        return text("{key} {value}", key=forms.label_of(key), value=plain(value))
    return value if isinstance(value, str) and len(value) <= 12 else ""
