"""The ready heroes of Count-Up whom people led, as heroes of the player's own (countup.md §5.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from game.characters.countup import model
from game.characters.countup.model import RULESET, Hero, changed
from game.characters.files import stem
from game.characters.heroes import Entry, HeroError, Looks
from game.content import tables as content
from rules.contract.errors import BattlematError, said
from rules.core.record import Record
from rules.countup.creation.heroes import Build
from rules.countup.creation.tables import ABILITIES

MAKINGS: Mapping[str, tuple[str, int, Mapping[str, int]]] = {
    "hale": ("fighter", 8, {"strength": 15, "dexterity": 12, "constitution": 12}),
    "bram": ("fighter", 7, {"strength": 16, "constitution": 14}),
    "tess": ("thief", 4, {"dexterity": 16, "wisdom": 12}),
    "mog": ("mage", 2, {"intelligence": 16, "dexterity": 12, "wisdom": 12}),
    "cora": ("cleric", 5, {"wisdom": 15, "strength": 12, "constitution": 13}),
    "arn": ("fighter", 6, {"dexterity": 14, "intelligence": 12, "strength": 11, "constitution": 11}),
}
"""Template -> class, hit die, abilities that are not 10."""
KEPT = frozenset(("weapons", "shield", "armour", "spells", "items", "ready", "lamp"))
"""What a hero takes over from the stat block."""


def build_of(name: str) -> Build:
    """The making of a ready hero. Raises KeyError for a name that is none of theirs."""
    kind, die, scores = MAKINGS[name]
    made = {"kind": kind, "dice": (die,), "abilities": {each: scores.get(each, 10) for each in ABILITIES}}
    return Build.model_validate(made)


def led(record: Record) -> list[str]:
    """Ids of the creatures that are ready heroes and were led by people."""
    if record.ruleset != RULESET:
        return []
    led_by_people = (e for e in record.creatures if e.get("controller") == "human")
    return [str(e["id"]) for e in led_by_people if e.get("template") in MAKINGS]


def own_id(record: Record, fight: str, creature: str) -> str:
    """The id as a hero of the player's own of whoever was ready at a fight: the same whenever one looks."""
    return f"{stem(_block(record, creature)['name'])}-{fight[:6]}"


def taken_up(record: Record, fight: str, creature: str) -> Hero:
    """A ready hero as one of the player's own, as it was before the fight. Raises HeroError where it can't be one."""
    block = _block(record, creature)
    name, template = str(block["name"]), str(block["template"])
    hero = Hero(id=own_id(record, fight, creature), name=name[:40], build=build_of(template))
    said_so: dict[str, Any] = {field: block[field] for field in KEPT & block.keys()}
    hero = changed(hero, looks=Looks(art=str(block["art"])), **said_so)
    if wrong := model.faults(hero):
        raise HeroError("{name}: {wrong}", name, wrong[0])
    usual = content.template(RULESET, template)
    aside = {*KEPT, "name", "id", "side", "at", "controller", "temperament", "map", "facing", "art"}
    if any(block.get(field) != usual.get(field) for field in usual.keys() - aside):
        raise HeroError("{name}: was changed for this fight, and is no hero of the book any more", name)
    spent = sum(int(model.prices()[table][item].get("cost", 0)) for table, item in model.carried(hero)
                if item in model.prices()[table])  # fmt: skip
    return changed(hero, purse=max(0, model.COINS - spent))


def _block(record: Record, creature: str) -> Entry:
    """The stat block of a ready hero, with what its encounter says otherwise."""
    entry = next(e for e in record.creatures if str(e.get("id")) == creature)
    try:
        return content.merge(content.template(RULESET, str(entry["template"])), entry)
    except BattlematError as error:
        raise HeroError("{creature}: {error}", creature, said(error)) from None
