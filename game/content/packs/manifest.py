"""What a pack says of itself: `pack.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from game.storage.files import read_text
from rules.contract.errors import BattlematError, said
from rules.core.validate import got, reason

FILE = "pack.toml"
LARGEST = 64 * 1024


class PackProblem(BattlematError):
    """A pack that can't be used, in one line: which, where, why."""


class Manifest(BaseModel):
    """A pack's own words."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    id: str = Field(pattern=r"^[a-z][a-z0-9-]{1,39}$")
    """What records call it."""
    title: str = Field(min_length=1, max_length=80)
    version: str = Field(pattern=r"^[0-9]+(\.[0-9]+){0,3}$")
    """Another content, another version: a record asks for the one that it was made with."""
    author: str = Field(default="", max_length=120)
    licence: str = Field(default="", max_length=120)
    about: str = Field(default="", max_length=1000)


def read(path: Path) -> Manifest:
    """A pack's `pack.toml`. Raises PackProblem in one line."""
    if not path.is_file():
        raise PackProblem("{name}: has no pack.toml, which says its id, title and version", path.parent.name)
    try:
        return Manifest.model_validate(tomllib.loads(read_text(path, LARGEST, "pack", PackProblem)))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "pack"
        raise PackProblem("pack.toml: {where}: {reason}{got}", where, reason(first), got(first)) from None
    except PackProblem:
        raise
    except ValueError as error:
        raise PackProblem("pack.toml: is no valid TOML: {error}", said(error)) from None
