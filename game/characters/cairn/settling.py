"""What a fight leaves to heroes of Cairn: scars, lost attributes, Fatigue, used-up things, loot (cairn.md §8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from game.characters.cairn import model
from game.characters.cairn.model import SHORT_KEYS, Hero, Past, changed
from game.characters.files import stem
from game.characters.heroes import PLACE, Entry, HeroError, Looks
from game.characters.roster import Fight, Settled
from game.content import tables as content
from game.content.tables import ContentError
from rules.cairn.creation.camp import DEAFENED, FLAT, INFECTED
from rules.cairn.creation.tools import MENDED
from rules.cairn.gear import SLOTS
from rules.contract.errors import said
from rules.contract.text import text
from rules.core.record import Record


class Lying(NamedTuple):
    """Something on the floor when the fight ended, or left by somebody who fell."""

    item: str
    owner: str = ""
    """The id of the hero who dropped or threw it; empty: a foe's."""
    bearer: str = ""
    """The fallen hero who has it still."""
    gold: int = 0


def settle(hero: Hero, end: Mapping[str, Any], fight: Fight) -> Settled:
    """A hero as a fight left it, and what of its things lies on the floor."""
    fresh = tuple(end["scars"][len(hero.scars) :])
    past = Past(fight=fight.key, title=fight.title, won=fight.won, how=fight.how,
                felled=int(end.get("felled", 0)), scars=fresh, hp=end["hp"])  # fmt: skip
    fields: dict[str, Any] = {}
    for key, name in SHORT_KEYS.items():
        top, now = end[f"{key}_max"], end[f"{key}_now"]
        fields |= {name: min(30, top), f"{name}_now": None if now >= top else max(0, now)}
    mending = (*hero.mending, *(row for row in fresh if row in MENDED or row == DEAFENED))
    if "deaf" not in end["suffers"]:
        mending = tuple(row for row in mending if row != DEAFENED)
    if "infected" not in end["suffers"]:
        mending = tuple(row for row in mending if row != INFECTED)
    limbs = [limb for limb, has in (("leg", end["lame"] and not hero.lame),
                                    ("arm", end["one_armed"] and not hero.one_armed)) if has]  # fmt: skip
    deprived = hero.deprived or int("deprived" in end["suffers"] and FLAT not in mending)
    items = _carried(hero, end)
    kept = None if hero.ready is None else [item for item in hero.ready if item in items]
    hero = changed(
        hero, **fields, hp_max=end["hp_max"], hp=None if end["hp"] >= end["hp_max"] else end["hp"], items=items,
        gold=end["purse"],
        used={name: count for name, count in end["used"].items() if name in items}, ready=kept,
        fatigue=max(0, min(end["fatigue"], SLOTS - sum(map(model.slots, items)))), scars=end["scars"],
        mending=mending, dying=0 if end["dead"] else end["dying"],
        down=bool(end["down"] and not end["dying"] and not end["dead"]), dead=end["dead"], lame=end["lame"],
        one_armed=end["one_armed"], doomed=end["doomed"], deprived=deprived,
        lost=tuple(dict.fromkeys((*hero.lost, *(limbs if 10 in fresh else ())))),
        history=[each.model_dump(mode="json") for each in (*hero.history, past)],
    )  # fmt: skip
    return Settled(hero, tuple(Lying(item, hero.id) for item in end["dropped"]))


def _carried(hero: Hero, end: Mapping[str, Any]) -> list[str]:
    """What it has at the end: what it brought in its own order, then what it found."""
    have, items = Counter(end["items"]), list[str]()
    for item in (*hero.items, *end["items"]):
        if have[item] > 0:
            items.append(item)
            have[item] -= 1
    return items


def lying(summary: Mapping[str, Any], found: Mapping[str, Hero], foes: frozenset[str]) -> tuple[Lying, ...]:
    """What lies on the floor of foes, and of nobody."""
    creatures = summary["creatures"]
    loose = [
        *summary["loose"],
        *(item for name in creatures if name not in found for item in creatures[name]["dropped"]),
    ]
    return tuple(Lying(item) for item in loose if model.known(item))


def changed_since(hero: Hero, entry: Mapping[str, Any]) -> bool:
    """Whether a hero is no longer who began the fight."""
    now, then = ({k: v for k, v in each.items() if k not in PLACE} for each in (model.block(hero), entry))
    return now != then


# -- ready heroes ------------------------------------------------------------------------------------------


def led(record: Record) -> list[str]:
    """Ids of the creatures that are ready heroes and were led by people."""
    known = content.heroes(model.RULESET)
    led_by_people = (e for e in record.creatures if e.get("controller") == "human")
    return [str(e["id"]) for e in led_by_people if e.get("template") in known]


def own_id(record: Record, fight: str, creature: str) -> str:
    """The id as a hero of the player's own of whoever was ready at a fight: the same whenever one looks."""
    return f"{stem(str(_block(record, creature)['name']))}-{fight[:6]}"


def taken_up(record: Record, fight: str, creature: str) -> Hero:
    """A ready hero as one of the player's own, as it was before the fight. Raises HeroError where it can't be one."""
    made, calling = _block(record, creature), _template(record, creature)["name"]
    pc = bool(made.get("pc", True))
    hero = Hero(
        ruleset="cairn", id=own_id(record, fight, creature), name=str(made["name"])[:40], pc=pc,
        kind=str(made["kind"]) if pc else str(calling), looks=Looks(art=str(made.get("art") or "unknown_hero")),
        strength=made["strength"], dexterity=made["dexterity"], willpower=made["willpower"], hp_max=made["hp_max"],
        armor=made.get("armor", 0), items=tuple(made.get("items", ())), powers=tuple(made.get("powers", ())),
    )  # fmt: skip
    if wrong := model.faults(hero):
        raise HeroError("{name}: {wrong}", hero.name, wrong[0])
    return hero


def _block(record: Record, creature: str) -> Entry:
    """The stat block of a ready hero, with what its encounter says otherwise."""
    try:
        return content.merge(_template(record, creature), _entry(record, creature))
    except ContentError as error:
        raise HeroError("{creature}: {error}", creature, said(error)) from None


def _template(record: Record, creature: str) -> Entry:
    """The same as it came with the game: a follower whom an encounter has named is hired for the same."""
    try:
        return content.template(model.RULESET, str(_entry(record, creature)["template"]))
    except ContentError as error:
        raise HeroError("{creature}: {error}", creature, said(error)) from None


def _entry(record: Record, creature: str) -> Entry:
    return next(e for e in record.creatures if str(e.get("id")) == creature)


def bequest(hero: Hero) -> Iterator[Lying]:
    """What a fallen hero leaves to those who live."""
    yield from (Lying(item, bearer=hero.id) for item in hero.items)
    if hero.gold:
        yield Lying(text("{gold} gold", hero.gold), bearer=hero.id, gold=hero.gold)
