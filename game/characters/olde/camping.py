"""A camp of heroes: what is done there is thrown by the rules and written to the heroes' files at once (olde.md §7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from game.characters.olde import files, gear, model
from game.characters.olde.files import led, own_id, taken_up
from game.characters.olde.model import Hero, HeroError, Past, changed, condition
from game.storage import records as storage
from rules.contract.display import Board
from rules.contract.errors import BattlematError, said
from rules.contract.text import text
from rules.core.dice import plain
from rules.core.odds import chance_at_least
from rules.core.record import Record
from rules.olde.creation import camp as camps
from rules.olde.creation.camp import DAY, Camp, Outcome, Patient
from rules.olde.skills import RANKS

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
    return bool(own_heroes(record) or led(record))


def party(record: Record) -> list[str]:
    """Who people led into a fight, as a new fight is told: heroes with a file by id, ready ones by template.

    Ready ones who have become the player's own since come as such.
    """
    own, ready, key = own_heroes(record), led(record), storage.opening(record)
    names = []
    for entry in record.creatures:
        name = str(entry.get("id"))
        if name in ready and _file(as_own := own_id(record, key, name)):
            names.append(as_own)
        elif name in own or entry.get("controller") == "human":
            names.append(str(entry.get("template") or name))
    return list(dict.fromkeys(names))


def victors(record: Record, board: Board) -> dict[str, int]:
    """Who gets CP for being of the band that has won, and how many."""
    heroes = {*own_heroes(record), *led(record)} if board.over else set()
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
    ready = led(record)
    for name in [*own_heroes(record), *ready]:
        try:
            hero = files.find(own_id(record, key, name) if name in ready else name) or taken_up(record, key, name)
        except HeroError as error:
            refused.append(said(error))
            continue
        if any(past.fight in names for past in hero.history):
            refused.append(text("{name}: this fight is in the story already", hero.name))
            told.append(hero)
        elif name not in ready and _changed_since(hero, entries[name]):
            refused.append(text("{name}: has changed since this fight began, so it doesn't count", hero.name))
        else:
            end, won = summary["creatures"][name], summary["over"] == sides[name]
            floor += _shot(hero, end)
            past = Past(fight=key, title=title, won=won, cp=reward(end, won), hp=end["hp"])
            found[name] = _marked(hero, end, past)
            if name in ready:
                joined.append(text("{name} is one of your own heroes from now on.", hero.name))
    band = {sides[name] for name in found}
    for name, end in summary["creatures"].items():
        for item in end["dropped"]:
            table = next((t for t in ("weapons", "shields") if item in model.prices()[t]), None)
            owner = found.get(name)
            if table is not None and (owner is not None or sides.get(name) not in band):
                floor.append(Lying(table, item, owner.id if owner is not None else ""))
    return Aftermath(tuple(found.values()), tuple(floor), tuple(refused), tuple(told), tuple(joined))


def _shot(hero: Hero, end: Mapping[str, Any]) -> list[Lying]:
    """What a hero who lives has shot."""
    count = hero.ammunition - int(end.get("ammunition", hero.ammunition))
    shot = Lying(SHOT, text("{count} {missiles}", count, model.missiles(hero)), hero.id, shot=count)
    return [shot] if count > 0 and end["status"] != "dead" else []


def _changed_since(hero: Hero, entry: Mapping[str, Any]) -> bool:
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
        ammunition=end.get("ammunition", hero.ammunition), hp=end["hp"], mana=end["mana"], faith=end["faith"],
        conditions=[] if dead else [c for c in ("bleeding", "dying") if c in end["conditions"]],
        history=[each.model_dump(mode="json") for each in (*hero.history, past)],
    )  # fmt: skip
    return settled(hero if held is None else changed(hero, ready=model.still_held(hero, held)))


def settled(hero: Hero) -> Hero:
    """Full pools are written as None, so that they grow with the stats."""
    full = {name: None for name, (now, top) in model.pools(hero).items() if now >= top}
    return changed(hero, **full)


__all__ = ["CIRCUMSTANCES", "CampSession", "Outcome", "Told", "patient"]

CIRCUMSTANCES = tuple(camps.CIRCUMSTANCES)
PICK_UP = 1
"""Minutes for finding one thing on the floor (ours: as surveying a chest, olde.md §8)."""
MOST_DAYS = 60
COINS = "coins"
"""The table of a purse on the floor."""


class Told(NamedTuple):
    """A line of the camp's story: when, what, the dice, and whether it went well (+1), badly (−1) or neither."""

    minutes: int
    text: str
    dice: str
    tone: int


def patient(hero: Hero) -> Patient:
    """A hero as the camp's rules see one."""
    stats, (hp, hp_max) = model.bill(hero).stats, model.pools(hero)["hp"]
    (mana, mana_max), (faith, faith_max) = model.pools(hero)["mana"], model.pools(hero)["faith"]
    return Patient(
        id=hero.id, name=hero.name, brawn=stats.brawn, savvy=stats.savvy, nerve=stats.nerve, hp=hp, hp_max=hp_max,
        mana=mana, mana_max=mana_max, faith=faith, faith_max=faith_max, healing=model.bill(hero).ranks.get("Healing"),
        alertness=model.bill(hero).ranks.get("Alertness"),
        bleeding="bleeding" in hero.conditions, dying="dying" in hero.conditions, bound=hero.bound,
        rested=hero.rested - DAY,
    )  # fmt: skip


def bequest(hero: Hero) -> list[Lying]:
    """What a fallen hero leaves to those who live."""
    found = [Lying(table, item, "", hero.id) for table, item in model.carried(hero)]
    return [*found, Lying(COINS, text("{purse} coin", hero.purse), "", hero.id)] if hero.purse else found


class CampSession:
    """Everybody in camp and the minutes since; every deed is kept as soon as it is done. Raises BattlematError."""

    def __init__(self, heroes: Sequence[Hero], seed: int, floor: Sequence[Lying] = ()) -> None:
        self.heroes = {hero.id: hero for hero in heroes}
        self.camp: Camp = camps.pitch([patient(hero) for hero in heroes], seed)
        self.floor = [*floor, *(thing for hero in heroes if condition(hero) == "dead" for thing in bequest(hero))]
        self.story: list[Told] = []
        self._keep()

    # -- what may be done

    def refused(self, deed: Callable[[], Outcome]) -> str:
        """Why a deed can't be done now; empty if it can. Nothing happens: camps are values."""
        try:
            deed()
        except BattlematError as error:
            return said(error)
        return ""

    def chance(self, helper: str, deed: Callable[[], Outcome]) -> int | None:
        """Percent by which a helper's deed would succeed; None where it can't be done or throws nothing."""
        try:
            happenings = deed()[1]
        except BattlematError:
            return None
        check = happenings[0].check if happenings else None
        if check is None:
            return None
        need = check.rating - sum(each.value for each in check.roll.adjustments)
        return round(100 * chance_at_least(2, camps.hero_of(self.camp, helper).savvy, need))

    def first_aid(self, helper: str, who: str) -> Outcome:
        """The outcome of first aid, not yet taken."""
        return camps.first_aid(self.camp, helper, who)

    def bind(self, helper: str, who: str) -> Outcome:
        """The outcome of binding wounds, not yet taken."""
        return camps.bind_wounds(self.camp, helper, who)

    def day(self, circumstances: str, caregiver: str | None) -> Outcome:
        """The outcome of a day and a night, not yet taken."""
        if caregiver is not None and not camps.hero_of(self.camp, caregiver).able:
            raise BattlematError("{name} can care for nobody", self.heroes[caregiver].name)
        return camps.sleep(self.camp, circumstances, caregiver)

    def mending(self, circumstances: str, caregiver: str | None) -> list[tuple[Patient, int]]:
        """Who would make the daily check in such a day, with the chance in per cent to get hit points back."""
        chances = ((h, camps.mending(self.camp, h.id, circumstances, caregiver)) for h in self.camp.heroes)
        return [(hero, round(100 * chance)) for hero, chance in chances if chance is not None]

    def wait(self, minutes: int) -> Outcome:
        """The outcome of minutes that go by."""
        return camps.spend_time(self.camp, minutes)

    def doomed(self) -> tuple[tuple[Patient, int], ...]:
        """Who may still be saved, and the minutes left; the most urgent first."""
        return tuple(sorted(camps.doomed(self.camp), key=lambda found: found[1]))

    def helpers(self) -> list[Patient]:
        """Who can do something for others, the best healer first."""

        able = [hero for hero in self.camp.heroes if hero.able]
        return sorted(able, key=lambda hero: -(hero.savvy + (RANKS[hero.healing] if hero.healing else -2)))

    # -- doing it

    def do(self, outcome: Outcome) -> None:
        """Take an outcome: the camp goes on from it, the files are written."""
        self.camp, happenings = outcome
        for what in happenings:
            dice, tone = "", (what.hp > 0) - (what.hp < 0)
            if (check := what.check) is not None:
                dice = text("{total} against {rating}", plain(check.roll.total), plain(check.rating))
                tone = 1 if check.success else -1
            self.story.append(Told(self.camp.minutes, what.text, dice, tone))
        self._keep()

    def until_well(self, circumstances: str, caregiver: str | None) -> int:
        """Days of recuperation until everybody who can be is well; gives their number."""
        for day in range(MOST_DAYS):
            if not self.unwell():
                return day
            self.do(self.day(circumstances, caregiver))
        return MOST_DAYS

    def unwell(self) -> list[Patient]:
        """The living who are hurt or spent, and would be better for rest."""
        living = (h for h in self.camp.heroes if h.status != "dead" and not (h.dying or h.bleeding))
        return [h for h in living if h.hp < h.hp_max or h.mana < h.mana_max or h.faith < h.faith_max]

    def gather(self, thing: Lying, who: str) -> None:
        """Pick a thing up for a hero; a minute goes by. Raises BattlematError where nobody can, or it has no place."""
        helpers, hero = self.helpers(), self.heroes[who]
        if condition(self.heroes[who]) == "dead":
            raise HeroError("{name} needs nothing any more; choose one of the living.", self.heroes[who].name)
        if not helpers:
            raise HeroError("Nobody is able to pick anything up.")
        if thing.table == SHOT:
            self._gather_shot(thing, who if camps.hero_of(self.camp, who).able else helpers[0].id)
            return
        if thing.table == COINS:
            hero = changed(hero, purse=hero.purse + self.heroes[thing.bearer].purse)
            self.heroes[thing.bearer] = changed(self.heroes[thing.bearer], purse=0)
        else:
            hero = gear.take(hero, thing.table, thing.item)
            if thing.bearer:
                self.heroes[thing.bearer] = gear.leave(self.heroes[thing.bearer], thing.table, thing.item)
        self.floor.remove(thing)
        self.heroes[who] = hero
        told = text("{helper} finds the {item}.", helpers[0].name, thing.item)
        if helpers[0].id != who:
            told = text("{helper} finds the {item} for {name}.", helpers[0].name, thing.item, hero.name)
        self.story.append(Told(self.camp.minutes, told, "", 1))
        self.do(self.wait(PICK_UP))

    def _gather_shot(self, thing: Lying, helper: str) -> None:
        """Look for what somebody shot: what isn't found now is lost."""
        outcome, found = camps.gather(self.camp, helper, thing.shot)
        owner = self.heroes[thing.owner]
        self.heroes[thing.owner] = changed(owner, ammunition=min(model.QUIVER, owner.ammunition + found))
        self.floor.remove(thing)
        self.do(outcome)

    def gather_own(self) -> None:
        """Give everybody back what they dropped or threw."""
        for thing in [thing for thing in self.floor if thing.owner]:
            self.gather(thing, thing.owner)

    def _keep(self) -> None:
        """Write everybody's state into the files."""
        for who in self.camp.heroes:
            hero = self.heroes[who.id]
            left = max(0, min(DAY, DAY - (self.camp.minutes - who.rested)))
            conditions = [word for word in ("bleeding", "dying") if getattr(who, word)]
            self.heroes[who.id] = settled(
                changed(
                    hero, hp=who.hp, mana=who.mana, faith=who.faith, conditions=conditions,
                    bound=who.bound or self.camp.minutes > camps.BIND_WITHIN, rested=left,
                )
            )  # fmt: skip
        files.save_all(list(self.heroes.values()))

    def strike(self) -> None:
        """Leave the camp: it is too late to bind the wounds of that fight."""
        for name, hero in self.heroes.items():
            self.heroes[name] = changed(hero, bound=True)
        files.save_all(list(self.heroes.values()))

    def words(self, who: str) -> str:
        """A hero's condition in a word."""
        return condition(self.heroes[who])
