"""What a fight leaves to the heroes of the player's own who were in it: marked once, in whichever ruleset's way."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from game.characters.files import find, found
from game.characters.heroes import HeroError, Outcome, marked
from game.characters.roster import ROSTERS, Fight, Roster, roster
from game.storage import records as storage
from rules.contract.display import Board
from rules.contract.errors import said
from rules.contract.events import Event
from rules.contract.text import text
from rules.core.record import Record
from rules.explore.goals import DONE


class Aftermath(NamedTuple):
    """The heroes as the fight left them (not yet written), what lies there, and who doesn't count and why."""

    heroes: tuple[Any, ...]
    floor: tuple[Any, ...]
    refused: tuple[str, ...]
    told: tuple[Any, ...] = ()
    """Those in whose story the fight is already, as they are now."""
    joined: tuple[str, ...] = ()
    """Of each ready hero who becomes one of the player's own, that it does."""
    lost: tuple[Any, ...] = ()
    """Heroes who lie dead in a place that may be gone to again: what they had lies there with them."""


def _outcome(record: Record, summary: Mapping[str, Any], side: str) -> Outcome:
    """How it went for a side: on an expedition by what had to be done there."""
    if summary["over"] != side:
        return Outcome.LOST
    if not record.expedition:
        return Outcome.WON
    wanted = [goal for goal in summary.get("goals", ()) if goal["side"] == side and not goal.get("optional")]
    if not wanted:
        return Outcome.OUT
    return Outcome.WON if all(goal["state"] == DONE for goal in wanted) else Outcome.BACK


def own_heroes(record: Record) -> list[str]:
    """Ids of the creatures that are heroes with a file, of the record's rules."""
    if record.ruleset not in ROSTERS:
        return []
    before = record.fates_before
    here = (str(e["id"]) for e in record.creatures if e.get("template") is None and e.get("id") not in before)
    own = ((name, found(name)) for name in here)
    return [name for name, hero in own if hero is not None and hero.ruleset == record.ruleset]


def led(record: Record) -> list[str]:
    """Ids of the creatures that are ready heroes who may become heroes of the player's own."""
    if record.ruleset not in ROSTERS:
        return []
    before = record.fates_before
    return [name for name in roster(record.ruleset).led(record) if name not in before]


def reach_camp(record: Record) -> bool:
    """Whether anybody of a fight may come to camp: heroes with a file, and ready ones whom people led."""
    return bool(own_heroes(record) or led(record))


def anybody_comes(record: Record, slain: Collection[str]) -> bool:
    """Whether anybody of those who may come to camp lives. `slain`: ids of those who died in the fight."""
    return any(name not in slain for name in (*own_heroes(record), *led(record)))


def party(record: Record, slain: frozenset[str] = frozenset()) -> list[str]:
    """Who people led into a fight, as a new fight is told: heroes with a file by id, ready ones by template.

    Ready ones who have become the player's own since come as such. `slain`: ids of those who died in it.
    """
    own, ready, key = own_heroes(record), led(record), storage.opening(record)
    names, before = [], record.fates_before
    for entry in record.creatures:
        name = str(entry.get("id"))
        if name in before or name in slain:
            continue
        if name in ready and found(as_own := roster(record.ruleset).own_id(record, key, name)):
            names.append(as_own)
        elif name in own or entry.get("controller") == "human":
            names.append(str(entry.get("template") or name))
    return list(dict.fromkeys(names))


def rewards(record: Record, board: Board) -> Mapping[str, int]:
    """What a fight's end brings its heroes, by id; nothing before its end."""
    if not board.over or record.ruleset not in ROSTERS:
        return {}
    return roster(record.ruleset).rewards(record, board, frozenset((*own_heroes(record), *led(record))))


def points(record: Record) -> str:
    """What fights bring heroes under these rules, as a word; empty: nothing that is counted."""
    return roster(record.ruleset).points if record.ruleset in ROSTERS else ""


def after(
    record: Record, summary: Mapping[str, Any], title: str, events: Sequence[Event] | None = None
) -> Aftermath:  # fmt: skip
    """Read a fight's end (`Roster.ended`) into its heroes, with all that happened, if that is at hand. Nothing is
    written."""
    names, sides = storage.openings(record), {str(e["id"]): str(e["side"]) for e in record.creatures}
    key = names[0]
    settled: dict[str, Any] = {}
    """Creature -> its hero, as the fight left it."""
    refused, told, joined = list[str](), list[Any](), list[str]()
    floor: list[Any] = []
    entries = {str(e["id"]): e for e in record.creatures}
    ready = led(record)
    rules: Roster[Any] = roster(record.ruleset)
    for name in [*own_heroes(record), *ready]:
        try:
            as_own = find(rules.own_id(record, key, name) if name in ready else name)
            hero = as_own or rules.taken_up(record, key, name)
        except HeroError as error:
            refused.append(said(error))
            continue
        if marked(hero, names):
            if not record.expedition:  # to the camp of an evening one comes back as often as one likes
                refused.append(text("{name}: this fight is in the story already", hero.name))
            told.append(hero)
        elif name not in ready and rules.changed_since(hero, entries[name]):
            refused.append(text("{name}: has changed since this fight began, so it doesn't count", hero.name))
        else:
            won = summary["over"] == sides[name]
            how = _outcome(record, summary, sides[name])
            fight = Fight(key, title, won, record, summary, events, how)
            settled[name], lost = rules.settle(hero, summary["creatures"][name], fight)
            floor += lost
            lives = rules.alive(settled[name])
            if name in ready and lives:
                joined.append(text("{name} is one of your own heroes from now on.", hero.name))
            elif name in ready and not record.expedition:
                joined.append(text("{name} is remembered among your own heroes.", hero.name))
    band = {sides[name] for name in settled}
    foes = frozenset(name for name in summary["creatures"] if sides.get(name) not in band)
    floor += rules.lying(summary, settled, foes)
    home, fallen = list(settled.values()), list[Any]()
    if record.expedition:  # what was shot may be gathered on the way out, all else lies there still
        floor = [thing for thing in floor if getattr(thing, "shot", 0)]
        fallen = [rules.bereft(hero) for hero in home if not rules.alive(hero)]
        home = [hero for hero in home if rules.alive(hero)]
    return Aftermath(tuple(home), tuple(floor), tuple(refused), tuple(told), tuple(joined), tuple(fallen))
