"""What a fight or an evening leaves to heroes of Count-Up: wounds one by one, experience, what is used up or broken
(countup.md §9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from game.characters.countup import making, model
from game.characters.countup.model import Hero, Hurt, Past, changed, made, person
from game.characters.heroes import PLACE, Entry
from game.characters.roster import Fight, Settled
from game.content import tables as content
from game.fight.match import Match
from rules.contract.display import Board
from rules.contract.errors import BattlematError
from rules.contract.events import Healing, Injury
from rules.contract.text import text
from rules.core.record import Record
from rules.countup.combat.wounds import mended
from rules.countup.creation.camp import felled, fresh
from rules.countup.creation.experience import BACK, shares
from rules.countup.gear import COPPER
from rules.explore.goals import DONE

BEATEN = frozenset(("dead", "fled", "incapacitated"))
"""How a foe stands who counts as beaten."""
SHOT = "ammunition"
"""The table of what was shot."""


class Lying(NamedTuple):
    """Something to be taken up when the fight is over."""

    table: str
    item: str
    owner: str
    """The id of the hero whose it is; empty: a foe's, or a fallen hero's."""
    bearer: str = ""
    """The fallen hero who has it still."""
    shot: int = 0
    """Of what was shot, how much may be found."""


def changed_since(hero: Hero, entry: Mapping[str, Any]) -> bool:
    """Whether a hero is no longer who began the fight."""
    now, then = ({k: v for k, v in each.items() if k not in PLACE} for each in (model.block(hero), entry))
    return now != then


# -- experience ----------------------------------------------------------------------------------------------


def threat_of(entry: Mapping[str, Any]) -> int:
    """What a creature of a record counts: its own threat, or its template's."""
    if "threat" in entry or "template" not in entry:
        return int(entry.get("threat", 1))
    try:
        return int(content.template(model.RULESET, str(entry["template"])).get("threat", 1))
    except BattlematError:
        return 1


def experience(record: Record, status: Mapping[str, str], side: str, *, won: bool, goals: int = 0) -> int:
    """What each of a side gets who comes back, by how everybody stands at the end (countup.md §9.2)."""
    if not won:
        return BACK
    before = record.fates_before
    here = [e for e in record.creatures if str(e.get("id")) not in before]
    band = sum(e.get("side") == side for e in here)
    foes = [e for e in here if e.get("side") != side and status.get(str(e.get("id"))) in BEATEN]
    return shares(map(threat_of, foes), goals, band)


def rewards(record: Record, board: Board, heroes: frozenset[str]) -> dict[str, int]:
    """What a fight's end brings those heroes who live, by id."""
    status = {m.id: "dead" if m.dead else m.status for m in board.miniatures}
    for entry in record.creatures:
        status.setdefault(str(entry.get("id")), "fled")  # nobody sees it any more
    found = dict[str, int]()
    for mini in board.miniatures:
        if mini.id in heroes and not mini.dead:
            done = [task.name for task in board.goals if task.state == DONE and task.side == mini.side]
            goals = sum(name not in _done_before(record) for name in done)
            found[mini.id] = experience(record, status, mini.side, won=mini.side == board.over, goals=goals)
    return found


def reached(summary: Mapping[str, Any], side: str, before: frozenset[str] = frozenset()) -> int:
    """How many of its goals a side has reached, beside those of earlier evenings."""
    goals = (goal for goal in summary.get("goals", ()) if goal["name"] not in before)
    return sum(goal["state"] == DONE and goal["side"] == side for goal in goals)


def _done_before(record: Record) -> frozenset[str]:
    """The goals that were reached on an earlier evening."""
    left = record.map.left
    return frozenset() if left is None else frozenset(name for name, stands in left.goals.items() if stands == DONE)


def earned(hero: Hero, end: Mapping[str, Any], fight: Fight) -> int:
    """What a fight brings one hero if it comes back."""
    record = fight.record
    if record is None:
        return 0
    status = {name: str(each["status"]) for name, each in fight.summary.get("creatures", {}).items()}
    name = next((n for n, each in fight.summary.get("creatures", {}).items() if each is end), "")
    side = next((str(e.get("side")) for e in record.creatures if str(e.get("id")) == name), "")
    return experience(record, status, side, won=fight.won, goals=reached(fight.summary, side, _done_before(record)))


# -- what is left ----------------------------------------------------------------------------------------------


def settle(hero: Hero, end: Mapping[str, Any], fight: Fight) -> Settled:
    """A hero as a fight left it, and what of its things lies there."""
    kept: Mapping[str, Any] = end.get("lasting", {})
    hp = int(end["hp"])
    gained = earned(hero, end, fight) if hp >= -made(hero).trauma else 0  # the dying may be saved, the dead may not
    past = Past(fight=fight.key, title=fight.title, won=fight.won, how=fight.how, experience=gained, hp=hp)
    left = kept["wounds"] if "wounds" in kept else told_wounds(fight, end)
    if left is None:
        left = [lost] if (lost := made(hero).hit_points - hp) > 0 else []
    wounds = _wounds(hero, left)
    build = hero.build.model_copy(update={"earned": hero.build.earned + gained})
    points = end.get("spell_points")
    shot = hero.ammunition - int(kept.get("ammunition", hero.ammunition)) if model.shoots(hero) else 0
    after = changed(
        hero, build=build, wounds=[w.model_dump() for w in wounds], prayed=list(kept.get("prayed", hero.prayed)),
        points=None if points is None or points >= made(hero).points else points,
        ammunition=hero.ammunition - shot, items=[*hero.items, *taken(hero, end)],
        purse=hero.purse + COPPER * int(end.get("purse", 0)), settled=making.sealed(hero),
        history=[each.model_dump(mode="json") for each in (*hero.history, past)],
    )  # fmt: skip
    if hero.shield is not None and "shield" in kept and kept["shield"] != hero.shield:
        after = changed(after, shield=None, broken=[*hero.broken, hero.shield])
    floor = [Lying(SHOT, text("{n} shots", shot), hero.id, shot=shot)] if shot > 0 and fight.won else []
    return Settled(struck(after), tuple(floor))


def taken(hero: Hero, end: Mapping[str, Any]) -> list[str]:
    """What somebody took along: the pack, and a weapon found and still in hand."""
    held = str(end.get("weapon") or "")
    found = [held] if held and held not in hero.weapons and held in model.prices()["weapons"] else []
    return [*found, *map(str, end.get("pack", ()))]


def struck(hero: Hero) -> Hero:
    """With what its wounds make of it: dying, or dead."""
    who = felled(person(hero))
    return changed(hero, dying=who.dying, dead=who.dead)


def _wounds(hero: Hero, left: list[int]) -> list[Hurt]:
    """The wounds after a fight: those it came with, eased or not, then the fresh ones."""
    found = list[Hurt]()
    for number, hp in enumerate(left):
        if not hp:
            continue
        if number < len(hero.wounds):
            old = hero.wounds[number]
            found.append(old.model_copy(update={"hp": hp, "days": min(old.days, hp)}))
        else:
            wound = fresh(hp)
            found.append(Hurt(hp=wound.hp, days=wound.days))
    return found


def told_wounds(fight: Fight, end: Mapping[str, Any]) -> list[int] | None:
    """The wounds of somebody for whom the rules did not keep them, out of what was told in the fight; None where that
    can't be told any more."""
    name = next((n for n, each in fight.summary.get("creatures", {}).items() if each is end), "")
    wounds: tuple[int, ...] | None = ()
    if fight.record is None:
        return []
    try:
        told = fight.events if fight.events is not None else Match.from_record(fight.record).events
    except BattlematError:  # its map has gone: the loss is one wound
        return None
    for event in told:
        if isinstance(event, Injury) and event.target == name and event.amount > 0:
            wounds = (*(wounds or ()), event.amount)
        elif isinstance(event, Healing) and event.target == name and event.what == "hp":
            wounds = mended(wounds, event.amount)
    return list(wounds or ())


def lying(summary: Mapping[str, Any], found: Mapping[str, Hero], foes: frozenset[str]) -> tuple[Lying, ...]:
    """What was hurled lies about and is gathered; what foes carried is taken where the fight was looted."""
    return ()


__all__ = ["Entry", "Lying", "changed_since", "lying", "rewards", "settle", "struck"]
