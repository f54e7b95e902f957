"""What the content of a ruleset may hold: the model that judges each kind of entry, and what entries name elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pydantic import BaseModel

Links = Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]]
"""Kind of entry -> (field, tables of which one must have the name that stands there)."""


class ContentModels(NamedTuple):
    """The doors of a ruleset's content: `CONTENT` of its module `content`."""

    creature: type[BaseModel]
    """`[[creature]]`: a stat block without its place."""
    entries: Mapping[str, type[BaseModel]]
    """Any other kind of entry (`weapon` for `[[weapon]]`)."""
    links: Links = {}
    apart: Mapping[str, str] = {}
    """Kind of entry -> the table none of whose names it may have."""
