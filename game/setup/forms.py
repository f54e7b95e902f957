"""A form for a stat block, made from the JSON schema of the ruleset's own model, so that any ruleset has one."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from game import paths
from game.controllers.ai.temper import load_tempers
from game.setup import bestiary
from rules.registry import ruleset as ruleset_of

OWN = frozenset({"id", "at", "template", "side", "controller"})
"""Fields that belong to being on the table; the set-up has its own controls for them."""
ABOUT = ("name", "kind", "art", "summary", "threat", "temperament")
"""Fields that tell of a creature and that no rule reads; they come last."""
TOP = ("name", "surprised", "hp")
"""Fields that set-ups change most; they come first."""


class FormField(NamedTuple):
    """One field of a form."""

    name: str
    label: str
    kind: str
    """`whole`, `switch`, `word` (free text), `choice`, `list` (of choices or words), `ranks` (name to choice)."""
    group: str
    """`Here and now`, `Stat block` or `About`."""
    choices: tuple[str, ...] = ()
    """What may be chosen; for `ranks` the names."""
    ranks: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None
    optional: bool = False
    """It may be left out: then the rules say."""
    default: Any = None
    required: bool = False
    out_of: tuple[str, ...] = ()
    """A list of what these other fields hold (the schema's `x-out-of`)."""

    @property
    def right(self) -> str:
        """What would be right, in words."""
        if self.kind == "whole":
            if self.low is not None and self.high is not None:
                return f"a whole number from {self.low} to {self.high}"
            return f"a whole number of at least {self.low}" if self.low is not None else "a whole number"
        if self.kind == "choice" and self.choices and len(self.choices) <= 8:
            return (
                " or ".join((", ".join(self.choices[:-1]), self.choices[-1]))
                if self.choices[1:]
                else self.choices[0]
            )
        if self.kind == "switch":
            return "on or off"
        return {"list": "a list of names", "ranks": "names with their ranks"}.get(
            self.kind, "a word or a line of text"
        )


def label_of(name: str) -> str:
    """A field's name as people write it: `free_steps` is Free steps, `hp` HP."""
    return name.upper() if len(name) <= 2 else name.replace("_", " ").capitalize()


@cache
def fields(ruleset: str) -> tuple[FormField, ...]:
    """The fields of the ruleset's stat block, in the order of the form; made once."""
    return of_schema(ruleset_of(ruleset).stat_block.model_json_schema(), _tables(ruleset))


def of_schema(schema: Mapping[str, Any], tables: Mapping[str, tuple[str, ...]]) -> tuple[FormField, ...]:
    """The fields of any model: first what set-ups change most, then the block, last what tells of it.

    `tables`: names to choose from, by the field that takes them.
    """
    required = frozenset(schema.get("required", ()))
    defs = schema.get("$defs", {})
    made = [
        _field(name, said, defs, tables, name in required)
        for name, said in schema["properties"].items()
        if name not in OWN
    ]
    by_name = {field.name: field for field in made}
    first = [by_name[name] for name in TOP if name in by_name]
    about = [by_name[name] for name in ABOUT if name in by_name and name not in TOP]
    rest = [field for field in made if field not in first and field not in about]
    return tuple(
        field._replace(group=group)
        for group, some in (("Here and now", first), ("Stat block", rest), ("About", about))
        for field in some
    )


def _tables(ruleset: str) -> dict[str, tuple[str, ...]]:
    """What gear there is, by the field that carries it: `weapons` and `shield` name entries of the like-named table."""
    found: dict[str, tuple[str, ...]] = {}
    for table, entries in bestiary.tables(ruleset).items():
        names = tuple(str(entry["name"]) for entry in entries)
        found[table] = found[table.removesuffix("s")] = names
    return found


def _field(
    name: str,
    said: Mapping[str, Any],
    defs: Mapping[str, Any],
    tables: Mapping[str, tuple[str, ...]],
    required: bool,
) -> FormField:
    options = [_resolved(each, defs) for each in said.get("anyOf", (said,))]
    real = [each for each in options if each.get("type") != "null"]
    core = real[0] if real else {}
    kind = _kind(name, core, tables)
    items = _resolved(core.get("items", {}), defs)
    choices = tuple(core.get("enum") or items.get("enum") or tables.get(name, ()))
    if kind == "ranks":
        names = core.get("propertyNames", {})
        choices = tuple(names.get("enum") or names.get("examples") or ())
    if name in ABOUT and not choices and (known := _known(name)):
        kind, choices = "choice", known
    return FormField(
        name=name,
        label=label_of(name),
        kind=kind,
        group="",
        choices=choices,
        ranks=tuple(core.get("additionalProperties", {}).get("enum", ())) if kind == "ranks" else (),
        low=core.get("minimum"),
        high=core.get("maximum"),
        optional=len(real) < len(options),
        default=said.get("default"),
        required=required,
        out_of=tuple(said.get("x-out-of", ())),
    )


def _known(name: str) -> tuple[str, ...]:
    """What there is of the words that every ruleset's creatures share."""
    if name == "temperament":
        return tuple(load_tempers().temperament)
    if name == "art":
        return tuple(sorted(path.stem for path in paths.asset("art", "minis").glob("*.svg")))
    return ()


def _resolved(said: Mapping[str, Any], defs: Mapping[str, Any]) -> Mapping[str, Any]:
    name = str(said.get("$ref", "")).rpartition("/")[2]
    found: Mapping[str, Any] = defs.get(name, said)
    return found


def _kind(name: str, core: Mapping[str, Any], tables: Mapping[str, tuple[str, ...]]) -> str:
    kind = core.get("type")
    if kind == "object":
        return "ranks"
    if kind == "string":
        return "choice" if "enum" in core or name in tables else "word"
    return {"integer": "whole", "boolean": "switch", "array": "list"}.get(str(kind), "word")


# -- what is wrong, in words ------------------------------------------------------------------------------


def mend(field: FormField | None, error: Mapping[str, Any]) -> str:
    """What the model says of a field, as one line that names what would be right."""
    kind, given = str(error["type"]), error.get("input")
    if kind == "extra_forbidden":
        return "the rules know no such field; take it out"
    if kind == "value_error":
        return str(error["msg"]).removeprefix("Value error, ")
    if kind == "string_too_short":
        return "may not be empty"
    if kind == "string_too_long":
        return f"is too long: {error['ctx']['max_length']} letters are the most"
    if field is None:
        return str(error["msg"])
    if kind == "missing" or given is None:
        return f"is missing; {field.right} is right"
    if kind == "literal_error" and field.kind == "list":
        return f"{given!r} is none of {', '.join(field.choices)}"
    return f"{field.right} is right, not {given!r}"


def nearest(text: str, known: Sequence[str]) -> list[str]:
    """The names that fit what was typed: those that begin so, those that hold it, then those that are spelt alike."""
    want = text.casefold().strip()
    if not want:
        return list(known)
    begin = [name for name in known if name.casefold().startswith(want)]
    hold = [name for name in known if want in name.casefold() and name not in begin]
    return begin + hold or difflib.get_close_matches(text, known, n=5, cutoff=0.5)
