"""What a fight leaves of the heroes who were in it: hurts, gear on the floor, CP. Each fight counts once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from game import storage
from game.heroes import files
from game.heroes.gear import in_hand
from game.heroes.model import Hero, HeroError, Past, block, changed, missiles, pools, prices
from rules.record import Record

PLACE = frozenset({"side", "at", "controller", "surprised", "posture", "temperament", "name"})
"""What the table says of a creature, not its hero's file."""


SHOT = "ammunition"
"""The table of what was shot."""


class Lying(NamedTuple):
    """Something on the floor when the fight ended."""

    table: str
    item: str
    owner: str
    """The id of the hero who dropped or threw it; empty: a foe's, or a fallen hero's."""
    bearer: str = ""
    """The fallen hero who has it still."""
    shot: int = 0
    """Arrows, bolts or stones that were shot: some of them may be found."""


class Aftermath(NamedTuple):
    """The heroes as the fight left them (not yet written), what lies there, and who doesn't count and why."""

    heroes: tuple[Hero, ...]
    floor: tuple[Lying, ...]
    refused: tuple[str, ...]
    told: tuple[Hero, ...] = ()
    """Those in whose story the fight is already, as they are now."""


def own_heroes(record: Record) -> list[str]:
    """Ids of the creatures that are heroes with a file."""
    return [str(e["id"]) for e in record.creatures if e.get("template") is None and _file(str(e.get("id")))]


def party(record: Record) -> list[str]:
    """Who people led into a fight, as a new fight is told: heroes with a file by id, ready ones by template."""
    own = own_heroes(record)
    led = [e for e in record.creatures if str(e.get("id")) in own or e.get("controller") == "human"]
    return list(dict.fromkeys(str(e.get("template") or e["id"]) for e in led))


def _file(name: str) -> Hero | None:
    try:
        return files.find(name)
    except HeroError:
        return None


def after(record: Record, summary: Mapping[str, Any], title: str) -> Aftermath:
    """Read a fight's end (`Ruleset.summary`) into its heroes. Nothing is written."""
    key, sides = storage.opening(record), {str(e["id"]): str(e["side"]) for e in record.creatures}
    felled = summary["over"]
    heroes, refused, told = [], [], []
    floor: list[Lying] = []
    entries = {str(e["id"]): e for e in record.creatures}
    for name in own_heroes(record):
        hero = files.find(name)
        assert hero is not None
        if any(past.fight == key for past in hero.history):
            refused.append(f"{hero.name}: this fight is in the story already")
            told.append(hero)
        elif _told(block(hero)) != _told(entries[name]):
            refused.append(f"{hero.name}: has changed since this fight began, so it doesn't count")
        else:
            end = summary["creatures"][name]
            floor += _shot(hero, end)
            heroes.append(_marked(hero, end, Past(fight=key, title=title, won=felled == sides[name],
                                                  cp=end["cp"], hp=end["hp"])))  # fmt: skip
    counted = {hero.id for hero in heroes}
    for name, end in summary["creatures"].items():
        for item in end["dropped"]:
            table = next((t for t in ("weapons", "shields") if item in prices()[t]), None)
            mine = name in counted
            if table is not None and (mine or sides.get(name) not in {sides[h] for h in counted}):
                floor.append(Lying(table, item, name if mine else ""))
    return Aftermath(tuple(heroes), tuple(floor), tuple(refused), tuple(told))


def _shot(hero: Hero, end: Mapping[str, Any]) -> list[Lying]:
    """What a hero who lives has shot."""
    count = hero.ammunition - int(end.get("ammunition", hero.ammunition))
    if count <= 0 or end["status"] == "dead":
        return []
    return [Lying(SHOT, f"{count} {missiles(hero)}", hero.id, shot=count)]


def _told(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key not in PLACE}


def _marked(hero: Hero, end: Mapping[str, Any], past: Past) -> Hero:
    """A hero with what the fight did to it."""
    held = in_hand(hero) if hero.ready is not None else None
    weapons = tuple(item for item in end["weapons"] if item in prices()["weapons"])
    order = {name: place for place, name in reversed(list(enumerate(hero.weapons)))}
    weapons = tuple(sorted(weapons, key=lambda name: order.get(name, 99)))
    shield = None if hero.shield in end["dropped"] else hero.shield
    dead = end["status"] == "dead"
    hero = changed(
        hero,
        build=hero.build.model_copy(update={"earned": hero.build.earned + past.cp}),
        weapons=weapons,
        shield=shield,
        items=tuple(end.get("items", ())),
        ammunition=end.get("ammunition", hero.ammunition),
        hp=end["hp"], mana=end["mana"], faith=end["faith"],
        conditions=[] if dead else [c for c in ("bleeding", "dying") if c in end["conditions"]],
        bound=False,
        history=[*(p.model_dump(mode="json") for p in hero.history), past.model_dump(mode="json")],
    )  # fmt: skip
    if held is not None:
        rest, kept = [*weapons, *([shield] if shield else [])], []
        for item in held:
            if item in rest:
                rest.remove(item)
                kept.append(item)
        hero = changed(hero, ready=kept)
    return settled(hero)


def settled(hero: Hero) -> Hero:
    """Full pools are written as None, so that they grow with the stats."""
    full = {name: None for name, (now, top) in pools(hero).items() if now >= top}
    return changed(hero, **full)
