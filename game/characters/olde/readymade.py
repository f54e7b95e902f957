"""Ready heroes of the content as heroes of the player's own: the camp after a fight takes them up with what they did.

A ready hero was made by the book, so its making is found again: the package that its kind names, with those choices
that lead to its very skills.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from game.characters.olde import files
from game.characters.olde.making import ANY_JOURNEYMAN, OPEN_SETS, PACKAGES
from game.characters.olde.model import COINS, RULESET, Entry, Hero, HeroError, Looks, changed, faults, prices
from game.content import tables as content
from rules.contract.errors import BattlematError
from rules.core.record import Record
from rules.olde.creation.heroes import Build, Stats, reckon

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
    return f"{files.stem(_block(record, creature)['name'])}-{fight[:6]}"


def taken_up(record: Record, fight: str, creature: str) -> Hero:
    """A ready hero as one of the player's own, as it was before the fight. Raises HeroError where it can't be one."""
    block = _block(record, creature)
    name = str(block["name"])
    build = next(_makings(block), None)
    if build is None:
        raise HeroError(f"{name}: was changed for this fight, and is no hero of the book any more")
    whole = {"weapons", "shield", "armor", "items", "ready", "spells", "blessings", "size"} & block.keys()
    hero = Hero(id=own_id(record, fight, creature), name=name[:40], build=build)
    hero = changed(hero, looks=Looks(art=block["art"]), **{field: block[field] for field in whole})
    if wrong := faults(hero):
        raise HeroError(f"{name}: {wrong[0]}")
    return changed(hero, purse=max(0, COINS - _worth(hero)))


def _block(record: Record, creature: str) -> Entry:
    """The stat block of a ready hero, with what its encounter says otherwise."""
    entry = next(e for e in record.creatures if str(e.get("id")) == creature)
    try:
        return content.merge(content.template(RULESET, str(entry["template"])), entry)
    except BattlematError as error:
        raise HeroError(f"{creature}: {error}") from None


def _makings(block: Mapping[str, object]) -> Iterator[Build]:
    """The ways by the book that lead to the block's skills."""
    package, skills = PACKAGES.get(str(block.get("kind"))), block.get("skills")
    if package is None or not isinstance(skills, Mapping):
        return
    try:
        stats = Stats.model_validate({name: block[name] for name in Stats.model_fields})
    except (KeyError, ValueError):
        return
    fields = {name: _fields(skills, family) for name, family in OPEN_SETS.items()}
    named = {name: own for name, own in fields.items() if len(own) == FIELDS}
    raised = [skill for skill, rank in skills.items() if rank == "Journeyman"]
    for choices, own in product(product(*package.choices), ({}, named)):
        for journeyman in raised if ANY_JOURNEYMAN in choices else [""]:
            build = Build(stats=stats, package=str(block["kind"]), choices=choices, fields=own, journeyman=journeyman)
            if reckon(build).ranks == dict(skills):
                yield build


def _fields(skills: Mapping[str, object], family: str) -> tuple[str, ...]:
    return tuple(skill.partition(":")[2] for skill in skills if skill.startswith(f"{family}:"))


def _worth(hero: Hero) -> int:
    """What the gear costs new."""
    known, single = prices(), (("shields", hero.shield), ("armor", hero.armor))
    carried = [("weapons", item) for item in hero.weapons] + [("items", item) for item in hero.items]
    carried += [(table, item) for table, item in single if item]
    return sum(int(known[table][item].get("cost", 0)) for table, item in carried)
