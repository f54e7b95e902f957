"""What a fight leaves to heroes of Dungeons of Olde: wounds, CP, what is used up, what lies there (olde.md §2, §12)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from game.characters.heroes import PLACE
from game.characters.olde import gear, model
from game.characters.olde.model import Hero, Past, changed
from game.characters.roster import Fight, Settled
from game.content import tables as content
from rules.contract.display import Board
from rules.contract.text import text

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


def rewards(board: Board, heroes: frozenset[str]) -> dict[str, int]:
    """Who gets CP for being of the band that has won, and how many."""
    return {m.id: VICTORY for m in board.miniatures if m.id in heroes and m.side == board.over and not m.dead}


def reward(end: Mapping[str, Any], won: bool) -> int:
    """CP that a fight brings a hero: those of its blows, and one more to each who lives of the band that wins."""
    return int(end["cp"]) + (VICTORY if won and end["status"] != "dead" else 0)


def settle(hero: Hero, end: Mapping[str, Any], fight: Fight) -> Settled:
    """A hero as a fight left it, and what it has shot."""
    gained = reward(end, fight.won)
    past = Past(fight=fight.key, title=fight.title, won=fight.won, how=fight.how, cp=gained, hp=end["hp"])
    return Settled(_marked(hero, end, past), tuple(_shot(hero, end)))


def lying(summary: Mapping[str, Any], found: Mapping[str, Hero], foes: frozenset[str]) -> tuple[Lying, ...]:
    """What heroes of the player's own and foes dropped."""
    floor: list[Lying] = []
    for name, end in summary["creatures"].items():
        for item in end["dropped"]:
            table = next((t for t in ("weapons", "shields") if item in model.prices()[t]), None)
            owner = found.get(name)
            if table is not None and (owner is not None or name in foes):
                floor.append(Lying(table, item, owner.id if owner is not None else ""))
    return tuple(floor)


def _shot(hero: Hero, end: Mapping[str, Any]) -> list[Lying]:
    """What a hero who lives has shot."""
    count = hero.ammunition - int(end.get("ammunition", hero.ammunition))
    shot = Lying(SHOT, text("{count} {missiles}", count, model.missiles(hero)), hero.id, shot=count)
    return [shot] if count > 0 and end["status"] != "dead" else []


def changed_since(hero: Hero, entry: Mapping[str, Any]) -> bool:
    """Whether a hero is no longer who began the fight; before quivers were counted, records told of no arrows."""
    aside = PLACE if SHOT in entry else PLACE | {SHOT}
    now, then = ({k: v for k, v in each.items() if k not in aside} for each in (model.block(hero), entry))
    return now != then


def _marked(hero: Hero, end: Mapping[str, Any], past: Past) -> Hero:
    held = gear.in_hand(hero) if hero.ready is not None else None
    weapons = [item for item in end["weapons"] if item in model.prices()["weapons"]]
    weapons.sort(key=lambda name: hero.weapons.index(name) if name in hero.weapons else 99)
    dead = end["status"] == "dead"
    hero = changed(
        hero, build=hero.build.model_copy(update={"earned": hero.build.earned + past.cp}), weapons=weapons,
        shield=None if hero.shield in end["dropped"] else hero.shield, items=tuple(end.get("items", ())), bound=False,
        purse=hero.purse + plundered(end), ammunition=end.get("ammunition", hero.ammunition), hp=end["hp"],
        mana=end["mana"], faith=end["faith"],
        conditions=[] if dead else [c for c in ("bleeding", "dying") if c in end["conditions"]],
        history=[each.model_dump(mode="json") for each in (*hero.history, past)],
    )  # fmt: skip
    return settled(hero if held is None else changed(hero, ready=model.still_held(hero, held)))


def plundered(end: Mapping[str, Any]) -> int:
    """Coins that a hero brings home: what was in its purse in the fight, and what its goods are worth."""
    worth = {entry["name"]: int(entry["worth"]) for entry in content.tables(model.RULESET).get("goods", ())}
    return int(end.get("purse", 0)) + sum(worth.get(item, 0) for item in end.get("goods", ()))


def settled(hero: Hero) -> Hero:
    """Full pools are written as None, so that they grow with the stats."""
    full = {name: None for name, (now, top) in model.pools(hero).items() if now >= top}
    return changed(hero, **full)
