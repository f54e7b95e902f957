"""Raw data at the door of every ruleset: validated by its model, refused in one line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rules.contract.errors import BattlematError, RecordError
from rules.contract.scenario import PARTY
from rules.core.wrong import told

M = TypeVar("M", bound=BaseModel)
E = TypeVar("E")
STRICT = ConfigDict(extra="forbid", frozen=True, defer_build=True)
"""Built when it first judges something: most starts need few of the models."""
Whole = Annotated[int, Field(strict=True)]


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

    @property
    def figure_art(self) -> str:
        """The figure to draw: its own, or the one that stands for its side's unknown."""
        return self.art or ("unknown_hero" if self.side == PARTY else "unknown_monster")


def validated(model: type[M], raw: Mapping[str, Any], kind: str) -> M:
    """A raw entry of a table by its model. Raises BattlematError naming entry and field."""
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        raise BattlematError(f"{kind} {raw.get('name', '?')!r}: {told(error.errors()[0])}") from None


def creature(model: type[M], raw: Mapping[str, Any], where: str) -> M:
    """One creature by its ruleset's stat block. Raises RecordError in one line: which creature, which field, why."""
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        plain = first["type"] in ("missing", "extra_forbidden", "value_error")
        got = "" if plain else f", got {_short(first.get('input'))}"
        raise RecordError(f"{where} ({raw.get('id', '?')}): {told(first)}{got}") from None


def check_known(where: str, field: str, names: Iterable[str], known: Collection[str]) -> None:
    """Raises RecordError for the first name that a table does not have, with the nearest one that it has."""
    for name in names:
        if name not in known:
            import difflib

            near = difflib.get_close_matches(name, list(known), n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise RecordError(f"{where}: {field}: nothing is called {name!r}{hint}")


def looked_up(where: str, field: str, name: str | None, known: Mapping[str, E]) -> E | None:
    """The entry of a table that a field names; None for a field left empty by `null`. Raises RecordError as above."""
    if name is None:
        return None
    check_known(where, field, (name,), known)
    return known[name]


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
