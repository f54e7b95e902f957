"""Going to a place again: who came home from it, who may go in, and the record of the next evening."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from game.characters import files
from game.characters.aftermath import Aftermath, after
from game.characters.heroes import Hero
from game.characters.roster import roster
from game.content import tables as content
from game.fight.match import Match
from game.fight.viewing import Eyes
from game.storage import records as storage
from rules.contract.errors import BattlematError
from rules.contract.ruleset import PARTY
from rules.contract.text import joined, ntext, text
from rules.core.record import Record
from rules.explore.again import Visit, again
from rules.explore.goals import DONE

MOST = 6
"""How many go in together."""


class Home(NamedTuple):
    """What has become of a party whose evening is over; all of it is in the heroes' files."""

    heroes: tuple[Hero, ...]
    """Those who came home alive."""
    floor: tuple[Any, ...]
    notes: tuple[str, ...]
    lost: tuple[str, ...]
    """Names of those who lie where they fell."""
    dead: tuple[str, ...]
    """Names of all who didn't live through it."""


def come_home(match: Match) -> Home:
    """Read an evening's end into the heroes' files, once. Raises BattlematError if the disk refuses."""
    record, rules = match.record, roster(match.record.ruleset)
    found: Aftermath = after(record, rules.ended(match.state), match.title, match.events)
    files.save_all([*found.heroes, *found.lost])
    lost = found.lost
    heroes = [hero for hero in (*found.heroes, *found.told) if rules.alive(hero)]
    there = {mini.name for mini in match.board().miniatures if mini.dead}  # not who died of it in camp
    dead = [hero for hero in found.told if not rules.alive(hero) and hero.name in there]
    names = tuple(hero.name for hero in (*lost, *dead))
    said = (text("{name} lies where it fell, with all that it had.", name) for name in names if record.expedition)
    slain = dict.fromkeys((*names, *(hero.name for hero in (*found.heroes, *found.told) if not rules.alive(hero))))
    return Home(tuple(heroes), found.floor, (*found.joined, *said, *found.refused), names, tuple(slain))


class Calling(NamedTuple):
    """What calls a party back into a place whose evening is over."""

    undone: bool
    """Whether anything that there was to be done stands open, or no goals say what is."""
    lying: tuple[str, ...]
    """Names of those of the party who lie dead in there."""

    def __bool__(self) -> bool:
        return self.undone or bool(self.lying)

    @property
    def told(self) -> str:
        """Why one would go in again; empty where that needs no words."""
        if self.undone or not self.lying:
            return ""
        return ntext(
            len(self.lying), "All that was to be done there is done; {names} lies there still.",
            "All that was to be done there is done; {names} lie there still.", names=joined(", ", self.lying),
        )  # fmt: skip


def calling(match: Match) -> Calling:
    """What calls the party back to where its evening is over; false where everything there is done."""
    board = match.board()
    goals = [goal for goal in board.goals if goal.side == PARTY]
    lying = tuple(mini.name for mini in board.miniatures if mini.side == PARTY and mini.dead)
    return Calling(not goals or any(goal.state != DONE for goal in goals), lying)


def may_go(ruleset: str) -> dict[str, dict[str, Any]]:
    """Everybody who may go in: the player's own heroes by id, then ready ones by template, each as a stat block."""
    return {**files.hero_entries(ruleset), **content.heroes(ruleset)}


def taken_up(evenings: Iterable[Path]) -> frozenset[str]:
    """Templates of the ready heroes who came along on some evenings and have been the player's own since, alive or
    dead: nobody goes in twice. Raises BattlematError for an evening that can't be read."""
    found = set[str]()
    for path in evenings:
        record = storage.read_record(path)
        same, templates = _same(record), {str(e.get("id")): str(e.get("template")) for e in record.creatures}
        found |= {templates[name] for name, own in same.items() if files.found(own) is not None}
    return frozenset(found)


def next_evening(match: Match, heroes: Sequence[str], minutes: int, seed: int) -> Record:
    """The record of the next evening at the place of one that is over, with these heroes.

    Raises BattlematError for a hero that can't go in, or finds no space.
    """
    record = match.record
    remains = match.ruleset.leave(match.state, minutes)
    taken = {str(entry["id"]) for entry in record.creatures}
    party = [_entry(record.ruleset, name, taken) for name in heroes[:MOST]]
    seen = {PARTY: Eyes(match, [PARTY]).known()}
    visit = Visit(party, seed, minutes, storage.opening(record), seen, _same(record))
    return again(record, match.field, remains, visit)


def _same(record: Record) -> dict[str, str]:
    """Ready heroes of an evening who have become the player's own since, with their ids as such."""
    rules, key = roster(record.ruleset), storage.openings(record)[0]
    return {name: rules.own_id(record, key, name) for name in rules.led(record)}


def _entry(ruleset: str, name: str, taken: set[str]) -> dict[str, Any]:
    """A hero as an entry of a record, without a place; under a name that nobody there has."""
    known = may_go(ruleset)
    if name not in known:
        raise BattlematError("{name}: nobody of that name may go in", repr(name))
    block, stem, number = dict(known[name]), name, 2
    while name in taken and "template" in block:  # a ready one of that name lies in there
        name, number = f"{stem}_{number}", number + 1
    own = block if "template" not in block else {"template": block["template"]}
    return {**own, "id": name, "side": PARTY, "controller": "human"}
