"""What a fight leaves of the heroes who were in it: hurts, gear on the floor, CP. Each fight counts once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from game.characters.olde import files, readymade
from game.characters.olde.gear import in_hand
from game.characters.olde.model import Hero, HeroError, Past, block, changed, missiles, pools, prices
from game.storage import records as storage
from rules.contract.display import Board
from rules.core.record import Record

PLACE = frozenset({"side", "at", "controller", "surprised", "posture", "temperament", "name"})
"""What the table says of a creature, not its hero's file."""
VICTORY = 1
"""CP for each who lives of the band that wins (ours)."""
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
    joined: tuple[str, ...] = ()
    """Of each ready hero who becomes one of the player's own, that it does."""


def own_heroes(record: Record) -> list[str]:
    """Ids of the creatures that are heroes with a file."""
    return [str(e["id"]) for e in record.creatures if e.get("template") is None and _file(str(e.get("id")))]


def reach_camp(record: Record) -> bool:
    """Whether anybody of a fight may come to camp: heroes with a file, and ready ones whom people led."""
    return bool(own_heroes(record) or readymade.led(record))


def party(record: Record) -> list[str]:
    """Who people led into a fight, as a new fight is told: heroes with a file by id, ready ones by template.

    Ready ones who have become the player's own since come as such.
    """
    own, ready, key = own_heroes(record), readymade.led(record), storage.opening(record)
    names = []
    for entry in record.creatures:
        name = str(entry.get("id"))
        if name in ready and _file(as_own := readymade.own_id(record, key, name)):
            names.append(as_own)
        elif name in own or entry.get("controller") == "human":
            names.append(str(entry.get("template") or name))
    return list(dict.fromkeys(names))


def victors(record: Record, board: Board) -> dict[str, int]:
    """Who gets CP for being of the band that has won, and how many."""
    heroes = {*own_heroes(record), *readymade.led(record)} if board.over else set()
    return {m.id: VICTORY for m in board.miniatures if m.id in heroes and m.side == board.over and not m.dead}


def reward(end: Mapping[str, Any], won: bool) -> int:
    """CP that a fight brings a hero: those of its blows, and one more to each who lives of the band that wins."""
    return int(end["cp"]) + (VICTORY if won and end["status"] != "dead" else 0)


def _file(name: str) -> Hero | None:
    try:
        return files.find(name)
    except HeroError:
        return None


def after(record: Record, summary: Mapping[str, Any], title: str) -> Aftermath:
    """Read a fight's end (`Ruleset.summary`) into its heroes. Nothing is written."""
    names, sides = storage.openings(record), {str(e["id"]): str(e["side"]) for e in record.creatures}
    key = names[0]
    found: dict[str, Hero] = {}
    """Creature -> its hero, as the fight left it."""
    refused, told, joined = list[str](), list[Hero](), list[str]()
    floor: list[Lying] = []
    entries = {str(e["id"]): e for e in record.creatures}
    ready = readymade.led(record)
    for name in [*own_heroes(record), *ready]:
        try:
            hero = _hero_of(record, key, name, ready=name in ready)
        except HeroError as error:
            refused.append(str(error))
            continue
        if any(past.fight in names for past in hero.history):
            refused.append(f"{hero.name}: this fight is in the story already")
            told.append(hero)
        elif name not in ready and _changed_since(hero, entries[name]):
            refused.append(f"{hero.name}: has changed since this fight began, so it doesn't count")
        else:
            end, won = summary["creatures"][name], summary["over"] == sides[name]
            floor += _shot(hero, end)
            past = Past(fight=key, title=title, won=won, cp=reward(end, won), hp=end["hp"])
            found[name] = _marked(hero, end, past)
            if name in ready:
                joined.append(f"{hero.name} is one of your own heroes from now on.")
    band = {sides[name] for name in found}
    for name, end in summary["creatures"].items():
        for item in end["dropped"]:
            table = next((t for t in ("weapons", "shields") if item in prices()[t]), None)
            owner = found.get(name)
            if table is not None and (owner is not None or sides.get(name) not in band):
                floor.append(Lying(table, item, owner.id if owner is not None else ""))
    return Aftermath(tuple(found.values()), tuple(floor), tuple(refused), tuple(told), tuple(joined))


def _hero_of(record: Record, key: str, name: str, *, ready: bool) -> Hero:
    """The hero that a creature was: its file, else as a ready one is taken up. Raises HeroError."""
    hero = files.find(readymade.own_id(record, key, name) if ready else name)
    return hero if hero is not None else readymade.taken_up(record, key, name)


def _shot(hero: Hero, end: Mapping[str, Any]) -> list[Lying]:
    """What a hero who lives has shot."""
    count = hero.ammunition - int(end.get("ammunition", hero.ammunition))
    if count <= 0 or end["status"] == "dead":
        return []
    return [Lying(SHOT, f"{count} {missiles(hero)}", hero.id, shot=count)]


def _told(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key not in PLACE}


def _changed_since(hero: Hero, entry: Mapping[str, Any]) -> bool:
    """Whether a hero is no longer who began the fight; before quivers were counted, records told of no arrows."""
    now, then = _told(block(hero)), _told(entry)
    if "ammunition" not in then:
        now.pop("ammunition", None)
    return now != then


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
