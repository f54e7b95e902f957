"""The rulesets that there are, by id. Each is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import NamedTuple

from pydantic import BaseModel

from rules.contract.display import System
from rules.contract.errors import RecordError
from rules.contract.text import joined

Links = Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]]
"""Kind of entry -> (field, tables of which one must have the name that stands there)."""


class ContentModels(NamedTuple):
    """The doors of a ruleset's content: `CONTENT` of its module `content`."""

    creature: type[BaseModel]  # `[[creature]]`: a stat block without its place
    entries: Mapping[str, type[BaseModel]]  # any other kind of entry (`weapon` for `[[weapon]]`)
    links: Links = {}
    apart: Mapping[str, str] = {}  # kind of entry -> the table none of whose names it may have


RULESETS = {"olde": "rules.olde:Olde", "cairn": "rules.cairn:Cairn", "countup": "rules.countup:CountUp"}
"""Id -> module and class. A new ruleset adds its line here and nothing else outside its folder."""


@cache
def ruleset(name: str) -> System:
    """The ruleset of that id. Raises RecordError for one that doesn't exist."""
    if name not in RULESETS:
        raise RecordError("ruleset: {name} is none of {rulesets}", repr(name), joined(", ", RULESETS))
    module, maker = RULESETS[name].split(":")
    made: System = getattr(import_module(module), maker)()
    return made


def content_models(name: str) -> ContentModels:
    """What judges the content of a ruleset: `CONTENT` of the module `content` in its package, or its stat block alone.

    Raises RecordError for a ruleset that doesn't exist.
    """
    own = ruleset(name)
    module = f"{RULESETS[name].partition(':')[0]}.content"
    try:
        found: ContentModels = import_module(module).CONTENT
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        return ContentModels(own.stat_block, {})
    return found
