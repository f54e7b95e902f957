"""The tables that characters are made by, as data: backgrounds, traits, bonds, omens, followers (cairn.md §5.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, Field

from rules.core.validate import STRICT, validated

Die = Annotated[int, Field(ge=2, le=100)]
Name = Annotated[str, Field(min_length=1)]


class Row(BaseModel):
    """A row of a background's table, or a bond: what it tells and what it brings."""

    model_config = STRICT
    text: Name
    items: tuple[str, ...] = ()
    gold: int = Field(default=0, ge=0)
    hp: Die | Literal[0] = 0  # faces of a die of further HP
    armor: int = Field(default=0, ge=0, le=3)  # of the skin
    more_bonds: int = Field(default=0, ge=0, le=1)  # a second throw on the table of bonds
    more_omens: int = Field(default=0, ge=0, le=1)
    market: int = Field(default=0, ge=0)  # coins' worth of gear to be picked
    retainers: tuple[str, ...] = ()
    transport: tuple[str, ...] = ()


class Table(BaseModel):
    """One of the two tables of a background."""

    model_config = STRICT
    title: Name
    rows: tuple[Row, ...] = Field(min_length=6, max_length=6)


class BackgroundModel(BaseModel):
    """What a background brings: an entry of backgrounds.toml (cairn.md §5.4)."""

    model_config = STRICT
    name: Name
    art: str = "unknown_hero"
    summary: str = ""
    names: tuple[str, ...] = Field(min_length=10, max_length=10)
    items: tuple[str, ...]
    powers: tuple[str, ...] = ()
    more_bonds: int = Field(default=0, ge=0, le=1)
    more_omens: int = Field(default=0, ge=0, le=1)
    transport: tuple[str, ...] = ()
    tables: tuple[Table, ...] = Field(min_length=2, max_length=2)


class Trait(BaseModel):
    """A trait of body or mind: a d10 says which word."""

    model_config = STRICT
    name: Name
    labels: tuple[str, ...] = Field(min_length=10, max_length=10)


class Bond(Row):
    """A row of the table of bonds."""

    name: Name


class Omen(BaseModel):
    """A row of the table of omens."""

    model_config = STRICT
    name: Name
    text: Name


class FollowerModel(BaseModel):
    """Somebody or some beast that comes along: hired, bought, or with a background (cairn.md §5.3 Hirelings)."""

    model_config = STRICT
    name: Name
    kind: Literal["hireling", "beast", "companion"]
    art: str = "unknown_hero"
    text: str = ""
    wage: int = Field(default=0, ge=0)  # coins a day
    cost: int = Field(default=0, ge=0)  # coins once
    slots: int = Field(default=0, ge=0, le=20)  # what it carries; hirelings have ten of their own
    items: tuple[str, ...] = ()
    hp: int = Field(default=0, ge=0, le=60)  # 0: thrown, as everything of a hireling
    strength: int = Field(default=10, ge=0, le=30)
    dexterity: int = Field(default=10, ge=0, le=30)
    willpower: int = Field(default=10, ge=0, le=30)
    armor: int = Field(default=0, ge=0, le=3)
    attack: str = ""
    dice: tuple[Die, ...] = ()
    slow: bool = False


M = TypeVar("M", bound=BaseModel)
Content = Mapping[str, Sequence[Mapping[str, Any]]]


class Book:
    """All tables that characters are made by, in the order of their dice. Raises BattlematError for a faulty entry."""

    def __init__(self, content: Content) -> None:
        def read(table: str, model: type[M]) -> tuple[M, ...]:
            return tuple(validated(model, raw, table.removesuffix("s")) for raw in content.get(table, ()))

        self.backgrounds = {each.name: each for each in read("backgrounds", BackgroundModel)}
        self.traits = read("traits", Trait)
        self.bonds = read("bonds", Bond)
        self.omens = read("omens", Omen)
        self.followers = {each.name: each for each in read("retainers", FollowerModel)}

    def rows(self, background: str, faces: Sequence[int]) -> tuple[Row, ...]:
        """The rows of a background's two tables by the faces of two d6."""
        tables = self.backgrounds[background].tables
        return tuple(table.rows[face - 1] for table, face in zip(tables, faces, strict=True))
