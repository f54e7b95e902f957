"""Raw data at the door of every ruleset: judged by its model, refused in one line in words for whoever wrote it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rules.board.grid import Field as Ground
from rules.contract.errors import BattlematError, RecordError
from rules.contract.ruleset import PARTY
from rules.contract.text import text
from rules.contract.units import Cell

M = TypeVar("M", bound=BaseModel)
E = TypeVar("E")
STRICT = ConfigDict(extra="forbid", frozen=True, defer_build=True)
"""Built when it first judges something: most starts need few of the models."""
Whole = Annotated[int, Field(strict=True)]
ROUND = 60
"""Spaces of movement that lie between way points of a round at most; one farther off is not walked to."""


class CreatureModel(BaseModel):
    """What the stat blocks of all rulesets have in common, in the words of record.md."""

    model_config = STRICT

    id: str = Field(min_length=1, max_length=60)
    side: str = Field(min_length=1, max_length=40)
    at: tuple[Whole, Whole]
    controller: str = "ai"
    template: str | None = None
    name: str | None = None
    kind: str = ""
    art: str | None = None
    summary: str = ""
    threat: Whole = Field(default=1, ge=0, le=1000)
    temperament: str = "cunning"
    carries: str = Field(default="", max_length=400)
    """What it has besides gear, as contents of a chest are told: `12 coins, iron key`."""
    prisoner: bool = False
    asleep: bool = False  # sleeps when it begins
    hidden: bool = False  # lies in hiding where it begins with exploration
    patrol: tuple[tuple[Whole, Whole], ...] = Field(
        default=(), max_length=40, json_schema_extra={"x-way": ROUND, "x-under": "explore"}
    )
    """The round that it walks while nobody is noticed: way points, over and over."""
    duty: Literal["", "guard", "hunt", "warn"] = ""
    """On an expedition: who guards stays at its post, who hunts goes after what it lost, who warns runs for help."""
    warns: str = Field(default="", max_length=60)  # the `group` that it runs to, or a creature's id
    reserve: str = Field(default="", max_length=60)
    """On an expedition: it isn't there yet, and comes with all of this name, by where its place is."""
    group: str = Field(default="", max_length=60)  # whom it belongs to: by this name others run to warn them

    @property
    def figure_art(self) -> str:
        """The figure to draw: its own, or the one that stands for its side's unknown."""
        return self.art or ("unknown_hero" if self.side == PARTY else "unknown_monster")


def validated(model: type[M], raw: Mapping[str, Any], kind: str) -> M:
    """A raw entry of a table by its model. Raises BattlematError naming entry and field."""
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        name, wrong = repr(raw.get("name", "?")), told(error.errors()[0])
        raise BattlematError("{kind} {raw}: {told}", kind, name, wrong) from None


def creature(model: type[M], raw: Mapping[str, Any], where: str) -> M:
    """One creature by its ruleset's stat block. Raises RecordError in one line: which creature, which field, why."""
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        raise RecordError("{where} ({raw}): {first}{got}", where, raw.get("id", "?"), told(first), got(first)) from None


def on_map(field: Ground, space: tuple[int, int], where: str) -> Cell:
    """The cell of a column and a row. Raises RecordError, after `where`, for what is off the map."""
    column, row = space
    if field.inside(column, row):
        return field.cell(column, row)
    wrong = "{where}: [{column}, {row}] is off the map of {width} × {height} spaces"
    raise RecordError(wrong, where=where, column=column, row=row, width=field.width, height=field.height)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant; None where none is near."""
    import difflib  # start-up time: only mistakes need it

    return next(iter(difflib.get_close_matches(name, list(known), n=1)), None)


def check_known(where: str, field: str, names: Iterable[str], known: Collection[str]) -> None:
    """Raises RecordError for the first name that a table does not have, with the nearest one that it has."""
    for name in names:
        if name not in known:
            near = nearest(name, known)
            hint = text("; did you mean {near}?", repr(near)) if near else ""
            raise RecordError("{where}: {field}: nothing is called {name}{hint}", where, field, repr(name), hint)


def looked_up(where: str, field: str, name: str | None, known: Mapping[str, E]) -> E | None:
    """The entry of a table that a field names; None for a field left empty by `null`. Raises RecordError as above."""
    if name is None:
        return None
    check_known(where, field, (name,), known)
    return known[name]


def short(value: object) -> str:
    """A value as a refusal shows it, in at most 60 letters."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def got(error: Mapping[str, Any]) -> str:
    """What stood in a field, to follow the reason; empty where that says it already."""
    plain = error["type"] in ("missing", "extra_forbidden", "value_error")
    return "" if plain else text(", got {short}", short(error.get("input")))


_PLAIN = {
    "missing": "is missing",
    "extra_forbidden": "no such field",
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), "needs a whole number"),
    **dict.fromkeys(("float_type", "float_parsing"), "needs a number"),
    **dict.fromkeys(("bool_type", "bool_parsing"), "needs true or false"),
    "string_type": "needs text",
    **dict.fromkeys(("tuple_type", "list_type"), "needs a list"),
    **dict.fromkeys(("dict_type", "model_type", "model_attributes_type", "mapping_type"), "needs a table of fields"),
    "string_too_short": "may not be empty",
}
_BOUND = {
    "greater_than_equal": "{ge} is the least",
    "less_than_equal": "{le} is the most",
    "greater_than": "must be more than {gt}",
    "less_than": "must be less than {lt}",
    "string_too_long": "{max_length} letters are the most",
    "too_short": "{min_length} are needed",
    "too_long": "{max_length} are the most",
    "literal_error": "is none of {expected}",
    "string_pattern_mismatch": "must look like {pattern}",
}


def reason(error: Mapping[str, Any]) -> str:
    """Why, of one entry of pydantic's `ValidationError.errors()`."""
    kind = str(error["type"])
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind in _BOUND:
        known = error.get("ctx", {})
        return text(_BOUND[kind], **{key: str(value).replace(" or ", ", ") for key, value in known.items()})
    return str(error["msg"]).removeprefix("Value error, ")


def told(error: Mapping[str, Any]) -> str:
    """Field and reason: `modes.0.reach: needs a list`; what is wrong with all of an entry names its field itself."""
    where = place(error, "")
    return text("{where}: {error}", where, reason(error)) if where else reason(error)


def place(error: Mapping[str, Any], whole: str = "entry") -> str:
    """Which field: `modes.0.reach`; `whole` where it is all of it."""
    return ".".join(str(part) for part in error["loc"]) or whole
