"""The bestiary as set-ups read it: looked up once and shared, so nothing here may be changed (copy before you do)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any

from game.characters.files import hero_entries, hero_entry
from game.content import tables as content
from game.storage import creatures as own_creatures
from rules.contract.errors import BattlematError

Entries = Mapping[str, Mapping[str, Any]]

_heroes: Callable[[str], Entries] = lru_cache(maxsize=8)(content.heroes)
_monsters: Callable[[str], Entries] = lru_cache(maxsize=8)(content.monsters)
_tables: Callable[[str], Mapping[str, Any]] = lru_cache(maxsize=8)(content.tables)
_template: Callable[[str, str], Mapping[str, Any]] = lru_cache(maxsize=512)(content.template)


def heroes(ruleset: str) -> Entries:
    """The ready heroes of a ruleset by template name, those of packs that are on among them."""
    return _heroes(content.exact(ruleset))


def monsters(ruleset: str) -> Entries:
    """Everybody else by template name."""
    return _monsters(content.exact(ruleset))


def tables(ruleset: str) -> Mapping[str, Any]:
    """The ruleset's tables of gear and the like."""
    return _tables(content.exact(ruleset))


def forget() -> None:
    """Read content anew: a pack has changed."""
    for cached in (_heroes, _monsters, _tables, _template):
        cached.cache_clear()  # type: ignore[union-attr]


def creatures(ruleset: str) -> Entries:
    """Creatures of the player's own, by id: as their files are now."""
    return own_creatures.entries(ruleset)


own: Callable[[str], Entries] = hero_entries
"""Heroes of the player's own that may go into a fight, by id: as their files are now."""


def is_own(name: str) -> bool:
    """Whether a name is the id of somebody of the player's own: those have a hyphen, templates have none."""
    return "-" in name


def own_one(ruleset: str, name: str) -> Mapping[str, Any] | None:
    """A hero or a creature of the player's own as a record has one, whole; None for a template of the content."""
    if not is_own(name):
        return None
    creature = creatures(ruleset).get(name)
    return hero_entry(ruleset, name) if creature is None else {"id": slug_of(creature), **creature}


def slug_of(entry: Mapping[str, Any]) -> str:
    """The id that a record gives to a creature of one's own, by its name."""
    return re.sub(r"[^a-z0-9]+", "_", str(entry.get("name", "")).lower()).strip("_")[:40] or "creature"


def template(ruleset: str, name: str) -> Mapping[str, Any]:
    """One of them. Raises ContentError for a name that nobody has, HeroError for a hero who can't fight."""
    found = own_one(ruleset, name)
    return _template(content.exact(ruleset), name) if found is None else found


def called(ruleset: str, entry: Mapping[str, Any]) -> str:
    """What a creature of a record goes by: its name, else its template's, else its id."""
    base: Mapping[str, Any] = {}
    if not entry.get("name") and "template" in entry:
        with suppress(BattlematError):
            base = template(ruleset, str(entry["template"]))
    return str(entry.get("name") or base.get("name") or entry.get("id", "?"))
