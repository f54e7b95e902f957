"""Adventures: places with a story, ready to be gone into under every ruleset (assets/content/adventures.toml)."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from game import paths
from game.content import encounter
from game.content import tables as content
from game.content.encounter import Record
from game.maps import place
from game.maps.mapdata import LoadedMap
from rules.contract.errors import BattlematError
from rules.contract.ruleset import PARTY
from rules.contract.text import joined
from rules.core import record as records
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of
from rules.core.validate import place as where
from rules.core.validate import reason

FILE = "adventures.toml"


class Adventure(BaseModel):
    """A place to go into, and why: an entry of adventures.toml."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[a-z][a-z_]*$")
    title: str = Field(min_length=1)
    map: str = Field(min_length=1)
    """The first map of the place, by name; its links lead to the others."""
    text: str = Field(min_length=1)
    """Its story, told before it begins."""
    notes: tuple[str, ...] = ()
    """What is to be done, as a table is told it."""
    label: str = ""
    """How long it takes at the table."""
    heroes: dict[str, tuple[str, ...]]
    """Who goes if nobody says otherwise: ready heroes, by ruleset."""
    kit: dict[str, dict[str, dict[str, Any]]] = {}
    """What ready heroes take along to this place: by ruleset and hero, fields of the stat block in place of its own."""
    options: dict[str, bool] = {}
    """Switches of the rules that are on, where the ruleset has them."""

    @field_validator("heroes")
    @classmethod
    def _known(cls, value: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        if not all(value.get(ruleset) for ruleset in RULESETS):
            raise ValueError("each ruleset needs a list of ready heroes")
        return value

    def switched(self, ruleset: str) -> dict[str, bool]:
        """Its options, as far as a ruleset has such a switch."""
        known = {switch.name for switch in ruleset_of(ruleset).switches}
        return {name: on for name, on in self.options.items() if name in known}


class AdventuresFile(BaseModel):
    """All of adventures.toml."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    adventure: tuple[Adventure, ...] = ()


@functools.cache
def adventures() -> tuple[Adventure, ...]:
    """Every adventure, in the order of the file. Raises ContentError: entry, field, and what would be right."""
    document = content.read_table(paths.asset("content", FILE))
    try:
        found = AdventuresFile.model_validate(document).adventure
    except ValidationError as error:
        first = error.errors()[0]
        raise content.ContentError("{file}: {where}: {reason}", FILE, where(first), reason(first)) from None
    for each in found:
        for ruleset, names in each.heroes.items():
            _expect_heroes(each, "heroes", ruleset, names)
        for ruleset, kit in each.kit.items():
            if ruleset not in RULESETS:
                wrong = "{file}: {id}: kit: there is no ruleset {ruleset}; there are: {known}"
                raise content.ContentError(wrong, FILE, each.id, repr(ruleset), joined(", ", RULESETS))
            _expect_heroes(each, "kit", ruleset, tuple(kit))
            for name, fields in kit.items():
                _expect_fields(each, ruleset, name, fields)
    return found


def _expect_heroes(each: Adventure, key: str, ruleset: str, names: Sequence[str]) -> None:
    """Raise ContentError for the first that is no ready hero."""
    unknown = next((name for name in names if name not in content.heroes(ruleset)), None)
    if unknown is not None:
        wrong = "{file}: {id}: {key}.{ruleset}: there is no {name} among the ready heroes"
        raise content.ContentError(wrong, FILE, each.id, key, ruleset, repr(unknown))


def _expect_fields(each: Adventure, ruleset: str, name: str, fields: Record) -> None:
    """Raise ContentError where a hero with its kit would be none that the ruleset knows."""
    block = {**content.heroes(ruleset)[name], **fields, "id": name, "side": PARTY, "at": [0, 0]}
    try:
        ruleset_of(ruleset).stat_block.model_validate(block)
    except ValidationError as error:
        first = error.errors()[0]
        wrong = "{file}: {id}: kit.{ruleset}.{name}.{where}: {reason}"
        raise content.ContentError(wrong, FILE, each.id, ruleset, name, where(first), reason(first)) from None


def adventure(name: str) -> Adventure:
    """The one of that id. Raises ContentError."""
    found = next((each for each in adventures() if each.id == name), None)
    if found is None:
        known = joined(", ", (each.id for each in adventures())) or "none"
        raise content.ContentError("adventure: there is no {name}; there are: {known}", repr(name), known)
    return found


def of_place(path: Path) -> Adventure | None:
    """A place of several maps, in which somebody lives, as an adventure; None for any other map. Raises MapProblem."""
    loaded = place.whole(path)
    if not (loaded.levels and loaded.creatures):
        return None
    goals = [goal.text for goal in loaded.field.goals if goal.text]
    ready = {ruleset: tuple(content.heroes(ruleset))[: encounter.PARTY] for ruleset in RULESETS}
    told = loaded.field.story or "Several maps, explored and fought through. Whoever lives there waits."
    return Adventure(
        id="place", title=loaded.field.title, map=str(path), text=told, notes=tuple(goals), heroes=ready,
        options={"crawl": True, "fog": True, "darkness": True},
    )  # fmt: skip


def maps_of(each: Adventure) -> list[Path]:
    """The files of its place, the first first. Raises EncounterError or MapProblem."""
    return [loaded.path for loaded in _followed(each)]


def _followed(each: Adventure) -> list[LoadedMap]:
    maps, problems = place.followed(encounter.find_map(each.map))
    if problems:
        raise problems[0]
    return maps


def begun(each: Adventure, seed: int, *, ruleset: str, heroes: Sequence[str] | None = None) -> Record:
    """A record of it, everybody in their places, nothing done yet: with these heroes, else with the ready ones.

    Raises EncounterError, ContentError or MapProblem in one line.
    """
    maps = _followed(each)
    on_map: Record = {"place": [{"tmx": _named(loaded.path)} for loaded in maps]}
    loaded = place.joined(maps, records.MapModel.model_validate(on_map))
    made = encounter.peopled(loaded, on_map, heroes or each.heroes[ruleset], None, seed, ruleset=ruleset)
    coming = encounter.wanderers(loaded, ruleset, made["creatures"], seed)
    there = [_equipped(one, each.kit.get(ruleset, {})) for one in made["creatures"]]
    return {**made, "creatures": [*there, *coming], "title": each.title, "options": each.switched(ruleset)}


def _equipped(entry: Record, kit: Mapping[str, Record]) -> Record:
    """The entry of a record with what a ready hero takes along; of anybody else as it is."""
    return {**entry, **kit.get(entry.get("template", ""), {})} if entry["side"] == PARTY else entry


def _named(path: Path) -> str:
    name = encounter.map_name(path)
    if name is None:
        raise BattlematError("{path}: lies outside the maps folders; put it there", str(path))
    return name
