"""Temperaments: tables of weights in assets/content/ai.toml, read and checked on first use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from game.content import tables as toml
from game.paths import asset
from rules.contract.errors import BattlematError
from rules.core.validate import place, reason


class Temper(BaseModel):
    """How one temperament weighs its options; 1 is about the value of felling one ordinary creature."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    summary: str = ""
    damage: float = Field(ge=0)
    """For taking all the hit points that a foe has left; in proportion for less."""
    finish: float = Field(ge=0)
    """For a foe that can fight no more."""
    focus: float = Field(ge=0)
    """For striking whom the others can strike as well, or who is hurt already."""
    later: float = Field(ge=0, le=1)
    """What a blow with the points kept back is worth beside one now."""
    harm: float = Field(ge=0)
    """Against losing all of one's own hit points, in proportion."""
    death: float = Field(ge=0)
    """Against the chance of being felled."""
    approach: float = Field(ge=0)
    """For getting four spaces nearer to a foe that is out of reach."""
    patience: float = Field(ge=0)
    """For letting a foe come instead of going to it."""
    flee: float = Field(ge=0)
    """For getting away from foes, by how badly hurt or outnumbered one is."""
    company: float = Field(ge=0)
    """For fleeing towards friends, beside fleeing at all."""
    wary: float = Field(ge=0, le=1)
    """How much of the wish to approach goes with the hit points."""
    distance: float = Field(ge=0)
    """For each space between a shooter and the nearest foe, up to eight."""
    room: float = Field(ge=0)
    """Against stopping in a narrow place, for each friend who can't get past to a foe."""
    aid: float = Field(ge=0)
    """For a friend saved from dying."""
    points: float = Field(ge=0)
    """What a point costs that serves nothing else."""

    @property
    def dread(self) -> float:
        """How much it minds what a bold deed may cost itself: 1 for who weighs everything alike."""
        return (self.harm + self.death) / 1.2


class Tempers(BaseModel):
    """The whole file: temperaments by name and the default one."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    default: str
    temperament: Mapping[str, Temper]

    def get(self, name: str) -> Temper:
        """The temperament of that name, or the default one."""
        return self.temperament.get(name) or self.temperament[self.default]

    def name(self, wanted: str) -> str:
        """The name under which a wanted temperament is played."""
        return wanted if wanted in self.temperament else self.default


def read_tempers(path: Path) -> Tempers:
    """Read and check a file of temperaments. Raises BattlematError in one line: file, place, reason."""
    try:
        raw: dict[str, Any] = toml.parsed(path.read_text(encoding="utf-8"))
        tables: dict[str, Any] = raw.get("temperament", {})
        default = raw.get("default", "cunning")
        whole = {name: _with_base(tables, name, default) for name in tables}
        tempers = Tempers.model_validate({**raw, "default": default, "temperament": whole})
    except ValidationError as error:
        first = error.errors()[0]
        raise BattlematError(f"{path.name}: {place(first)}: {reason(first)}") from None
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise BattlematError(
            f"{path.name}: cannot be read ({error}); it must be TOML with temperament tables"
        ) from None
    if tempers.default not in tempers.temperament:
        raise BattlematError(f"{path.name}: default: no temperament {tempers.default!r} in this file")
    return tempers


def _with_base(tables: Mapping[str, Any], name: str, default: str) -> dict[str, Any]:
    own = dict(tables[name])
    base = own.pop("base", default)
    if base not in tables:
        raise ValueError(f"temperament.{name}: no base temperament {base!r}")
    return {**{key: value for key, value in tables[base].items() if key != "base"}, **own}


@lru_cache(maxsize=1)
def load_tempers() -> Tempers:
    """The temperaments that come with Battlemat, read once."""
    return read_tempers(asset("content", "ai.toml"))
