"""What every hero of the player's own has, whatever rules it follows: id, name, looks, the fights behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rules.contract.errors import BattlematError
from rules.core.validate import place, reason

FORMAT = "battlemat-hero/1"
ID = r"^[a-z0-9]+(-[a-z0-9]+)+$"
"""With a hyphen, as no template of the content has one."""
PLACE = frozenset({"side", "at", "controller", "surprised", "posture", "temperament", "name", "map", "alert", "group"})
"""What the table says of a creature, not its hero's file."""
NAMELESS = "Nameless"
"""What a hero is called whom nobody has named yet."""

Whole = Annotated[int, Field(strict=True)]
Words = Annotated[str, Field(max_length=60)]
Entry = dict[str, Any]


class HeroError(BattlematError):
    """A hero's file, or something asked of a hero that can't be; the text says what would be right."""


class Looks(BaseModel):
    """What a hero's miniature looks like."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    art: Words = "warrior"
    """A drawing of the miniatures."""
    cloth: Words = ""
    """A dye for the cloth; empty: as it is drawn."""
    ring: Words = ""
    """A colour of the base's inner rim; empty: none. The outer ring is the side's."""


def art(looks: Looks) -> str:
    """The name under which its miniature is drawn: the drawing, then the dyes."""
    return f"{looks.art}~{looks.cloth}~{looks.ring}".rstrip("~")


class Outcome(StrEnum):
    """How a fight or an evening went for a hero's side."""

    WON = "won"
    LOST = "lost"
    BACK = "back"  # came out of a place alive, with less than had to be done there
    OUT = "out"  # came out of a place where nothing had to be done


class Past(Protocol):
    """A fight that is over, as far as all rulesets tell it alike."""

    @property
    def fight(self) -> str:
        """Its opening, by which it is known again."""

    @property
    def title(self) -> str: ...
    @property
    def won(self) -> bool: ...
    @property
    def how(self) -> Outcome | None:
        """None in files of earlier programs: then `won` says it."""


def told_outcome(past: Past) -> str:
    """How a fight went, in a word of a hero's story."""
    return {
        Outcome.WON: "won", Outcome.LOST: "not won", Outcome.BACK: "turned back", Outcome.OUT: "out again",
    }[past.how or (Outcome.WON if past.won else Outcome.LOST)]  # fmt: skip


class Hero(Protocol):
    """A hero of the player's own, as the shelf and the window know one. It never changes: steps make new ones."""

    @property
    def ruleset(self) -> str: ...
    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def looks(self) -> Looks: ...
    @property
    def history(self) -> Sequence[Past]: ...
    def model_dump_json(self) -> str:
        """Everything in a line, by which one shape of a hero is told from another."""


H = TypeVar("H", bound=BaseModel)


def read(kind: type[H], document: object, needs: str) -> H:
    """A hero from plain data. Raises HeroError in one line: which field, why; `needs` names what its file must have."""
    if not isinstance(document, Mapping):
        raise HeroError("hero: needs a JSON object or TOML tables with {needs}", needs)
    found = document.get("format")
    if found != FORMAT:
        raise HeroError("format: this Battlemat reads {format}; the file says {found}", FORMAT, repr(str(found)[:40]))
    try:
        return kind.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        raise HeroError("{first}: {first2}", place(first, "hero"), reason(first)) from None


def document(hero: BaseModel, kept: frozenset[str]) -> Entry:
    """A hero as plain data, without what is as usual; the fields `kept` are always there."""
    whole = hero.model_dump(mode="json")
    for past in whole.get("history", ()):
        if past.get("how", "") is None:  # files of earlier programs stay as they are
            del past["how"]
    usual = hero.model_dump(mode="json", exclude_defaults=True)
    return {key: value for key, value in whole.items() if key in kept or key in usual}


def plain_fields(fields: Mapping[str, Any]) -> Entry:
    """Values of fields as a file has them."""
    return {k: v.model_dump(mode="json") if isinstance(v, BaseModel) else v for k, v in fields.items()}


def marked(hero: Hero, openings: Sequence[str]) -> bool:
    """Whether one of these fights is in its story already: a fight counts once."""
    return any(past.fight in openings for past in hero.history)


def was_ready(hero: Hero) -> bool:
    """Whether it has fought as a ready hero of the book alone: of those nobody counts the shots, so its quiver is full
    and counts from now on."""
    return len(hero.history) == 1 and hero.id.endswith(f"-{hero.history[0].fight[:6]}")


def rename(name: str) -> str:
    """A name as typed, as a hero bears it: nobody is called nothing."""
    return " ".join(name.split(" ")) if name.strip() else NAMELESS
