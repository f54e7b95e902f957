"""The bestiary as set-ups read it: looked up once and shared, so nothing here may be changed (copy before you do)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any

from game.characters.files import hero_entries, hero_entry
from game.content import tables as content
from rules.contract.errors import BattlematError

Entries = Mapping[str, Mapping[str, Any]]

heroes: Callable[[str], Entries] = lru_cache(maxsize=8)(content.heroes)
"""The ready heroes of a ruleset by template name."""
monsters: Callable[[str], Entries] = lru_cache(maxsize=8)(content.monsters)
"""Everybody else by template name."""
tables: Callable[[str], Mapping[str, Any]] = lru_cache(maxsize=8)(content.tables)
"""The ruleset's tables of gear and the like."""
_template: Callable[[str, str], Mapping[str, Any]] = lru_cache(maxsize=512)(content.template)


own: Callable[[str], Entries] = hero_entries
"""Heroes of the player's own that may go into a fight, by id: as their files are now."""


def is_own(name: str) -> bool:
    """Whether a name is the id of a hero of the player's own: those have a hyphen, templates have none."""
    return "-" in name


def own_hero(ruleset: str, name: str) -> Mapping[str, Any] | None:
    """A hero of the player's own as a record has one, whole; None for a template of the content."""
    return hero_entry(ruleset, name) if is_own(name) else None


def template(ruleset: str, name: str) -> Mapping[str, Any]:
    """One of them. Raises ContentError for a name that nobody has, HeroError for a hero who can't fight."""
    found = own_hero(ruleset, name)
    return _template(ruleset, name) if found is None else found


def called(ruleset: str, entry: Mapping[str, Any]) -> str:
    """What a creature of a record goes by: its name, else its template's, else its id."""
    base: Mapping[str, Any] = {}
    if not entry.get("name") and "template" in entry:
        with suppress(BattlematError):
            base = template(ruleset, str(entry["template"]))
    return str(entry.get("name") or base.get("name") or entry.get("id", "?"))
