"""The ready heroes of Dungeons of Olde whom people led, as heroes of the player's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from game.characters.files import stem
from game.characters.heroes import Entry, HeroError, Looks
from game.characters.olde import model
from game.characters.olde.model import RULESET, Hero, changed
from game.content import tables as content
from rules.contract.errors import BattlematError, said
from rules.core.record import Record
from rules.olde.creation.heroes import ANY_JOURNEYMAN, OPEN_SETS, PACKAGES, Build, Stats, reckon

FIELDS = 5
"""So many fields has a set that leaves them open."""


def led(record: Record) -> list[str]:
    """Ids of the creatures that are ready heroes and were led by people."""
    if record.ruleset != RULESET:
        return []
    known = content.heroes(RULESET)
    led_by_people = (e for e in record.creatures if e.get("controller") == "human")
    return [str(e["id"]) for e in led_by_people if e.get("template") in known]


def own_id(record: Record, fight: str, creature: str) -> str:
    """The id as a hero of the player's own of whoever was ready at a fight: the same whenever one looks."""
    return f"{stem(_block(record, creature)['name'])}-{fight[:6]}"


def taken_up(record: Record, fight: str, creature: str) -> Hero:
    """A ready hero as one of the player's own, as it was before the fight. Raises HeroError where it can't be one."""
    block = _block(record, creature)
    name = str(block["name"])
    build = next(_makings(block), None)
    if build is None:
        raise HeroError("{name}: was changed for this fight, and is no hero of the book any more", name)
    whole = {"weapons", "shield", "armor", "items", "ready", "spells", "blessings", "size"} & block.keys()
    hero = Hero(id=own_id(record, fight, creature), name=name[:40], build=build)
    hero = changed(hero, looks=Looks(art=block["art"]), **{field: block[field] for field in whole})
    if wrong := model.faults(hero):
        raise HeroError("{name}: {wrong}", name, wrong[0])
    spent = sum(int(model.prices()[table][item].get("cost", 0)) for table, item in model.carried(hero))
    return changed(hero, purse=max(0, model.COINS - spent))


def _block(record: Record, creature: str) -> Entry:
    """The stat block of a ready hero, with what its encounter says otherwise."""
    entry = next(e for e in record.creatures if str(e.get("id")) == creature)
    try:
        return content.merge(content.template(RULESET, str(entry["template"])), entry)
    except BattlematError as error:
        raise HeroError("{creature}: {error}", creature, said(error)) from None


def _makings(block: Mapping[str, object]) -> Iterator[Build]:
    """The ways by the book that lead to the block's skills."""
    kind, skills = str(block.get("kind")), block.get("skills")
    package = PACKAGES.get(kind)
    if package is None or not isinstance(skills, Mapping):
        return
    try:
        stats = Stats.model_validate({name: block[name] for name in Stats.model_fields})
    except (KeyError, ValueError):
        return
    own = {name: [skill for skill in skills if skill.startswith(f"{family}:")] for name, family in OPEN_SETS.items()}
    named = {name: tuple(s.partition(":")[2] for s in each) for name, each in own.items() if len(each) == FIELDS}
    raised = [skill for skill, rank in skills.items() if rank == "Journeyman"]
    for choices, fields in product(product(*package.choices), ({}, named)):
        for journeyman in raised if ANY_JOURNEYMAN in choices else [""]:
            build = Build(stats=stats, package=kind, choices=choices, fields=fields, journeyman=journeyman)
            if reckon(build).ranks == dict(skills):
                yield build
