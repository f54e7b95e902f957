"""A form for a stat block, made from the JSON schema of the ruleset's own model, so that any ruleset has one."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from game import paths
from game.content import tables as content
from game.controllers.ai.factors import load_weights
from game.setup import bestiary
from rules.contract.text import joined, text
from rules.core.registry import ruleset as ruleset_of

OWN = frozenset({"id", "at", "template", "side", "controller"})
"""Fields that belong to being on the table; the set-up has its own controls for them."""
ABOUT = ("name", "kind", "art", "summary", "threat", "temperament")
"""Fields that tell of a creature and that no rule reads."""
NOW, FIGURES, GEAR, CRAFT, TOLD = "Here and now", "Figures", "Gear", "Skills, traits, magic", "About"
"""The sections of a form, in order."""
SECTIONS: Mapping[str, tuple[str, ...]] = {
    NOW: (
        "name", "hp", "surprised", "asleep", "hidden", "stealth", "alert", "scene", "patrol", "facing", "posture",
        "conditions", "mana", "faith", "spell_points", "fatigue",
    ),
    GEAR: (
        "weapons", "attacks", "sequence", "shield", "armor", "armour", "items", "ready", "stowed", "ammunition", "load",
        "light", "lamp", "spares", "keys",
    ),
    CRAFT: (
        "skills", "traits", "powers", "spells", "blessings", "memorised", "innate", "immune", "impaired_by",
        "enhanced_by",
    ),
    TOLD: (*ABOUT[1:], "family", "narrative"),
}  # fmt: skip
"""Fields by section, those that set-ups change most first. Of all others switches are traits, the rest figures."""
DIRECTIONS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
"""What a `facing` counts, from 0."""


RIGHT = {
    "list": "a list of names",
    "figures": "a list of whole numbers",
    "ranks": "names with their ranks",
    "object": "an entry with fields of its own",
    "objects": "a list of entries with fields of their own",
    "way": "spaces of the map",
    "facing": "a direction",
}
"""What would be right in fields that hold more than one thing."""
DEEPEST = 4
"""Forms within forms go no deeper."""


Names = Mapping[str, tuple[str, ...]]
"""Names to choose from, by field."""


class FormField(NamedTuple):
    """One field of a form."""

    name: str
    label: str
    kind: str
    """`whole`, `switch`, `word` (free text), `choice`, `list` (of choices or words), `figures` (a list of whole
    numbers), `ranks` (name to choice), `object` (a form of its own), `objects` (several such), `way` (spaces of the
    map, walked from one to the next) or `facing` (one of `DIRECTIONS`, by its number)."""
    group: str
    """The section of the form that it stands in."""
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
    free: bool = False
    """Whether something else than the choices may be typed in."""
    leg: int = 0
    """Of a `way`: the spaces of movement that lie between two of its points at most (the schema's `x-way`)."""
    most: int | None = None
    """How many things a list holds at most."""
    under: str = ""
    """The optional rule under which alone it means anything (the schema's `x-under`)."""
    parts: tuple[FormField, ...] = ()
    """The fields of an `object`, or of each of the `objects`."""

    @property
    def right(self) -> str:
        """What would be right, in words."""
        if self.kind == "whole":
            if self.low is not None and self.high is not None:
                return text("a whole number from {low} to {high}", self.low, self.high)
            return text("a whole number of at least {low}", self.low) if self.low is not None else "a whole number"
        if self.kind == "choice" and self.choices and len(self.choices) <= 8:
            several = joined(" or ", (joined(", ", self.choices[:-1]), self.choices[-1]))
            return several if self.choices[1:] else self.choices[0]
        if self.kind == "switch":
            return "on or off"
        return RIGHT.get(self.kind, "a word or a line of text")


def label_of(name: str) -> str:
    """A field's name as people write it: `free_steps` is Free steps, `hp` HP, `threat` Weight."""
    if name == "threat":
        return "Weight"  # threat is what a whole fight has (docs/threat.md)
    return name.upper() if len(name) <= 2 else name.replace("_", " ").capitalize()


def ways(ruleset: str) -> tuple[FormField, ...]:
    """The fields of the stat block that hold spaces of the map."""
    return tuple(field for field in fields(ruleset) if field.kind == "way")


def fields(ruleset: str) -> tuple[FormField, ...]:
    """The fields of the ruleset's stat block, in the order of the form; made once for the packs that are on."""
    return _fields(ruleset, content.exact(ruleset))


@cache
def _fields(ruleset: str, known: str) -> tuple[FormField, ...]:
    tables: dict[str, tuple[str, ...]] = {}
    """What gear there is, by the field that carries it: `weapons` and `shield` name entries of the like-named table."""
    for table, entries in bestiary.tables(ruleset).items():
        tables[table] = tables[table.removesuffix("s")] = tuple(str(entry["name"]) for entry in entries)
    used: dict[str, set[str]] = {}
    """What creatures have in fields that are lists of words: suggestions where the schema lists none."""
    for creature in (*bestiary.heroes(ruleset).values(), *bestiary.monsters(ruleset).values()):
        for name, value in creature.items():
            if isinstance(value, list):
                used.setdefault(name, set()).update(word for word in value if isinstance(word, str))
    suggested = {name: tuple(sorted(words)) for name, words in used.items()}
    return of_schema(ruleset_of(ruleset).stat_block.model_json_schema(), tables, suggested)


def section_of(ruleset: str, name: str) -> str:
    """The section in which a field stands; empty for those above them all."""
    own = TOLD if name in ("id", "template") else ""
    return own or next((field.group for field in fields(ruleset) if field.name == name), "")


def of_schema(schema: Mapping[str, Any], tables: Names, used: Names | None = None) -> tuple[FormField, ...]:
    """The fields of any model, section by section: first what set-ups change most, last what tells of a creature.

    `tables`: all names that there are, by the field that takes them; `used`: some that may be taken, where others may.
    """
    known = {name: (group, place) for group, names in SECTIONS.items() for place, name in enumerate(names)}
    groups, found = (NOW, FIGURES, GEAR, CRAFT, TOLD), []
    for field in _members(schema, _Source(schema, tables, used or {}), 0):
        if field.name in OWN:
            continue
        group, place = known.get(field.name, (CRAFT if field.kind in ("switch", "objects") else FIGURES, 99))
        found.append((groups.index(group), place, field._replace(group=group)))
    return tuple(field for _, _, field in sorted(found, key=lambda each: each[:2]))


class _Source(NamedTuple):
    """What fields are made from, besides their own piece of schema."""

    schema: Mapping[str, Any]
    tables: Names
    used: Names

    def resolved(self, said: Mapping[str, Any]) -> Mapping[str, Any]:
        name = str(said.get("$ref", "")).rpartition("/")[2]
        found: Mapping[str, Any] = self.schema.get("$defs", {}).get(name, said)
        return found


def _members(schema: Mapping[str, Any], source: _Source, depth: int) -> list[FormField]:
    required = frozenset(schema.get("required", ()))
    return [_field(name, said, source, name in required, depth) for name, said in schema.get("properties", {}).items()]


def _field(name: str, said: Mapping[str, Any], source: _Source, required: bool, depth: int) -> FormField:
    options = [source.resolved(each) for each in said.get("anyOf", (said,))]
    real = [each for each in options if each.get("type") != "null"]
    core = real[0] if real else {}
    items = source.resolved(core.get("items", {}))
    top = depth == 0
    drawn = {"x-way": "way", "x-facing": "facing"}
    kind = next((word for key, word in drawn.items() if key in said), "")
    kind = kind or _kind(core, items, top and name in source.tables, depth)
    choices = tuple(core.get("enum") or items.get("enum") or (source.tables.get(name, ()) if top else ()))
    if kind == "ranks":
        names = core.get("propertyNames", {})
        choices = tuple(names.get("enum") or names.get("examples") or ())
    if top and name in ABOUT and not choices and (known := _known(name)):
        kind, choices = "choice", known
    free = kind == "list" and not choices and not said.get("x-out-of")
    return FormField(
        name=name, label=label_of(name), kind=kind, group="",
        choices=source.used.get(name, ()) if free and top else choices,
        ranks=tuple(core.get("additionalProperties", {}).get("enum", ())) if kind == "ranks" else (),
        low=core.get("minimum", items.get("minimum")), high=core.get("maximum", items.get("maximum")),
        optional=len(real) < len(options), default=said.get("default"), required=required,
        out_of=tuple(said.get("x-out-of", ())), free=free, leg=said.get("x-way", 0), most=core.get("maxItems"),
        under=said.get("x-under", ""),
        parts=tuple(_members({"object": core, "objects": items}.get(kind, {}), source, depth + 1)),
    )  # fmt: skip


def _known(name: str) -> tuple[str, ...]:
    """What there is of the words that every ruleset's creatures share."""
    if name == "temperament":
        return tuple(load_weights().temperament)
    if name == "art":
        return tuple(sorted(path.stem for path in paths.asset("art", "minis").glob("*.svg")))
    return ()


def _kind(core: Mapping[str, Any], items: Mapping[str, Any], named: bool, depth: int) -> str:
    kind = core.get("type")
    if kind == "object":
        return "object" if "properties" in core and depth < DEEPEST else "ranks"
    if kind == "array":
        if "properties" in items and depth < DEEPEST:
            return "objects"
        return "figures" if items.get("type") == "integer" else "list"
    if kind == "string":
        return "choice" if "enum" in core or named else "word"
    return {"integer": "whole", "boolean": "switch"}.get(str(kind), "word")


def blank(fields: Sequence[FormField]) -> dict[str, Any]:
    """A new entry of `objects`: what must be said, as small as may be."""
    made: dict[str, Any] = {}
    for field in (each for each in fields if each.required):
        empty: dict[str, Any] = {
            "whole": field.low or 0, "figures": [field.low or 1], "object": blank(field.parts), "switch": False,
            "list": [], "objects": [], "way": [], "ranks": {},
        }  # fmt: skip
        made[field.name] = empty.get(field.kind, field.choices[0] if field.choices else "new")
    return made


# -- what is wrong, in words ------------------------------------------------------------------------------


def mend(field: FormField | None, error: Mapping[str, Any]) -> str:
    """What the model says of a field, as one line that names what would be right; deep in a list it names the place."""
    where = ""
    for part in error.get("loc", ())[1:]:
        if field is None or field.kind not in ("object", "objects", "figures", "list"):
            break
        if isinstance(part, int):
            where += "" if field.kind == "list" else text("number {what}: ", part + 1)
        else:
            field = next((each for each in field.parts if each.name == part), None)
            where += text("{label_of}: ", label_of(str(part)))
    return where + _mend(field, error, len(error.get("loc", ())) > 1)


def _mend(field: FormField | None, error: Mapping[str, Any], within: bool) -> str:
    kind, given = str(error["type"]), error.get("input")
    if kind == "extra_forbidden":
        return "the rules know no such field; take it out"
    if kind == "value_error":
        return str(error["msg"]).removeprefix("Value error, ")
    if kind == "string_too_short":
        return "may not be empty"
    if kind == "string_too_long":
        return text("is too long: {error} letters are the most", error["ctx"]["max_length"])
    if kind in ("too_short", "too_long"):
        bound = error["ctx"].get("min_length", error["ctx"].get("max_length"))
        return text("{bound} {what}", bound, "are needed" if kind == "too_short" else "are the most")
    if field is None:
        return str(error["msg"])
    if kind == "missing" or given is None:
        return text("is missing; {right} is right", field.right)
    if kind == "literal_error" and field.kind == "list":
        return text("{given} is none of {choices}", repr(given), joined(", ", field.choices))
    if within and field.kind in ("list", "figures"):
        return text("{str} is right, not {given}", str(error["msg"]).removeprefix("Input should be "), repr(given))
    return text("{right} is right, not {given}", field.right, repr(given))


def nearest(text: str, known: Sequence[str]) -> list[str]:
    """The names that fit what was typed: those that begin so, those that hold it, then those that are spelt alike."""
    want = text.casefold().strip()
    if not want:
        return list(known)
    begin = [name for name in known if name.casefold().startswith(want)]
    hold = [name for name in known if want in name.casefold() and name not in begin]
    return begin + hold or difflib.get_close_matches(text, known, n=5, cutoff=0.5)
