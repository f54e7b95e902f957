"""Between fights: the dying, first aid, bound wounds, rest, and what takes how long (olde.md §7, §8).

A camp is a value like a fight's state: minutes pass, dice are thrown from the same kind of stream, nothing else changes
it. What is ours: a night's rest gives back all Mana and Faith; who rests without a check to make simply rests.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import msgspec

from rules.contract.actions import Adjustment
from rules.contract.errors import BattlematError
from rules.contract.text import joined, text
from rules.core import dice as rng
from rules.core.dice import Dice, signed
from rules.core.odds import chance_at_least
from rules.olde.challenges.checks import EASY, HARD, MODERATE, CheckResult, Terms
from rules.olde.conditions import DEAD, DYING
from rules.olde.skills import RANKS, adjustment
from rules.olde.state import Status, status

TIMES = {
    "cross a tile": 1, "pick or disarm": 1, "search 4 spaces": 1, "light a torch": 1, "climb a level": 1,
    "open and survey a chest": 1, "gather arrows": 1, "first aid": 1, "sort a chest": 5, "quick meal": 5,
    "bind wounds": 5, "camp": 15,
}  # fmt: skip
"""What is done outside fights -> exploration turns of about a minute."""

BIND_WITHIN = 30
"""Minutes after the injury in which wounds may be bound."""
DAY = 24 * 60

CIRCUMSTANCES = {"comfortable": 6, "field": 9, "difficult": 12, "none": 15}
"""How one rests -> the challenge of the daily check (olde.md §7)."""
NIGHT = 8 * 60
INTACT = 3
"""Arrows that each rank of success turns up (olde.md §3 scaling)."""


class Patient(msgspec.Struct, frozen=True):
    """A hero between fights."""

    id: str
    name: str
    brawn: int
    savvy: int
    nerve: int
    hp: int
    hp_max: int
    mana: int
    mana_max: int
    faith: int
    faith_max: int
    healing: str | None = None  # rank in Healing; None = untrained
    alertness: str | None = None  # rank in Alertness; None = Apprentice, as everybody
    bleeding: bool = False
    dying: bool = False
    bound: bool = False  # its wounds of the last fight were bound, or tried to be
    rested: int = -DAY  # minute of its last daily check

    @property
    def status(self) -> Status:
        return status(self.hp, self.hp_max)

    @property
    def able(self) -> bool:
        """Can do anything for others."""
        return self.hp > 0

    @property
    def failing(self) -> bool:
        """Past what rest can do: dead, dying or bleeding."""
        return self.status is Status.DEAD or self.dying or self.bleeding

    def check(self, dice: Dice, label: str, die: int, rating: int, added: Adjustment) -> CheckResult:
        """Its check with a die, with what is added if that is anything."""
        return Terms(self.id, label, die, (added,) if added.value else ()).check(dice, rating)


class Camp(msgspec.Struct, frozen=True):
    """Everybody after a fight, and the minutes since."""

    heroes: tuple[Patient, ...]
    rng: int
    minutes: int = 0
    throws: tuple[int | None, ...] | None = None
    thrown: int = 0


class Happening(msgspec.Struct, frozen=True):
    """What came of something done in camp: words, the check if there was one, hit points given or lost."""

    text: str
    check: CheckResult | None = None
    target: str = ""
    hp: int = 0


Outcome = tuple[Camp, tuple[Happening, ...]]


def pitch(heroes: Sequence[Patient], seed: int, throws: tuple[int | None, ...] | None = None) -> Camp:
    """The camp right after a fight."""
    return Camp(tuple(heroes), rng.seeded(seed), 0, throws)


def doomed(camp: Camp) -> tuple[tuple[Patient, int], ...]:
    """Who may still be saved: the dying and bleeding with the minutes left until death."""
    return tuple(
        (hero, _bled(hero, hero.hp + hero.hp_max)[1])
        for hero in camp.heroes
        if hero.status is not Status.DEAD and (hero.dying or hero.bleeding)
    )


def _bled(hero: Patient, minutes: int) -> tuple[Patient, int]:
    """Somebody after so many minutes, or until death, and how many it took: a point a minute goes for bleeding, and
    one for dying, which begins in the minute after the fall, as in a fight."""
    gone = 0
    while gone < minutes and hero.status is not Status.DEAD and (hero.dying or hero.bleeding):
        lost = min(int(hero.dying) + int(hero.bleeding), hero.hp + hero.hp_max)
        hp = hero.hp - lost
        dead = hp <= -hero.hp_max
        hero = msgspec.structs.replace(
            hero, hp=hp, dying=not dead and (hero.dying or hp <= 0), bleeding=hero.bleeding and not dead
        )
        gone += 1
    return hero, gone


def hero_of(camp: Camp, name: str) -> Patient:
    """Raises BattlematError for a name that nobody has."""
    for hero in camp.heroes:
        if hero.id == name:
            return hero
    here = joined(", ", (h.id for h in camp.heroes))
    raise BattlematError("hero: {name} is not here; there are {join}", repr(name), here)


def spend_time(camp: Camp, minutes: int) -> Outcome:
    """Minutes pass: the dying and the bleeding lose a hit point in each, for either reason."""
    happenings: list[Happening] = []
    heroes = []
    for hero in camp.heroes:
        after_it, _ = _bled(hero, minutes)
        if lost := hero.hp - after_it.hp:
            words = "dies" if after_it.status is Status.DEAD else text("loses {lost} HP", lost)
            happenings.append(Happening(text("{name} {words}.", hero.name, words), None, hero.id, -lost))
        heroes.append(after_it)
    after = msgspec.structs.replace(camp, heroes=tuple(heroes), minutes=camp.minutes + minutes)
    return after, tuple(happenings)


def _with(camp: Camp, hero: Patient, dice: Dice) -> Camp:
    heroes = tuple(hero if h.id == hero.id else h for h in camp.heroes)
    assert dice.rng is not None
    return msgspec.structs.replace(camp, heroes=heroes, rng=dice.rng, thrown=dice.at)


def _after(camp: Camp, hero: Patient, dice: Dice, done: Happening, what: str) -> Outcome:
    """What comes of something that takes its time."""
    after, passed = spend_time(_with(camp, hero, dice), TIMES[what])
    return after, (done, *passed)


def _healing(dice: Dice, helper: Patient, rating: int, label: str) -> CheckResult:
    bonus = Adjustment("check", adjustment(helper.healing, "Healing"), "Healing", "olde.md §2 ranks")
    return helper.check(dice, label, helper.savvy, rating, bonus)


def _helper(camp: Camp, helper: str, patient: Patient) -> Patient:
    found = hero_of(camp, helper)
    if not found.able:
        raise BattlematError("{name} can help nobody: {status}", found.name, found.status)
    if patient.status is Status.DEAD:
        raise BattlematError("{name} is dead; no aid helps", patient.name)
    return found


def first_aid(camp: Camp, helper: str, patient: str) -> Outcome:
    """Stop bleeding and dying: Easy for the bruised, Moderate for the wounded and worse, a step harder on oneself.

    Takes a minute; may be tried again. Raises BattlematError where there is nothing to stop.
    """
    target = hero_of(camp, patient)
    who = _helper(camp, helper, target)
    if not (target.dying or target.bleeding):
        raise BattlematError("{name} is neither bleeding nor dying", target.name)
    easier, harder = (MODERATE, HARD) if who.id == target.id else (EASY, MODERATE)
    dice = Dice(camp.rng, camp.throws, camp.thrown)
    result = _healing(dice, who, easier if target.status.light else harder, "first aid")
    if result.success:
        target = msgspec.structs.replace(target, dying=False, bleeding=False)
    words = "stops the bleeding of" if result.success else "cannot help"
    done = Happening(text("{name} {words} {name2}.", who.name, words, target.name), result, target.id)
    return _after(camp, target, dice, done, "first aid")


def bind_wounds(camp: Camp, helper: str, patient: str) -> Outcome:
    """Once for each patient, within half an hour: 1 HP if bruised, 2 if wounded, else up to 0 (olde.md §7)."""
    target = hero_of(camp, patient)
    who = _helper(camp, helper, target)
    if target.status is Status.HEALTHY:
        raise BattlematError("{name} is not hurt", target.name)
    if target.bound:
        raise BattlematError("{name}'s wounds were bound already, or it is too late for that", target.name)
    if camp.minutes > BIND_WITHIN:
        told = "{minutes} minutes have gone by; wounds are bound within {bind_within}"
        raise BattlematError(told, camp.minutes, BIND_WITHIN)
    dice = Dice(camp.rng, camp.throws, camp.thrown)
    result = _healing(dice, who, EASY if target.status is Status.BRUISED else MODERATE, "bind wounds")
    most = min(target.hp_max - target.hp, 1 if target.status is Status.BRUISED else 2) if target.hp > 0 else -target.hp
    gained = most if result.success else 0
    hp = target.hp + gained
    steady = result.success and hp >= 0
    target = msgspec.structs.replace(
        target, hp=hp, bound=True, dying=target.dying and not steady, bleeding=target.bleeding and not steady
    )
    words = text("restoring {gained} HP", gained) if gained else "in vain" if not result.success else "to no more"
    told = text("{name} binds {name2}'s wounds, {words}.", who.name, target.name, words)
    done = Happening(told, result, target.id, gained)
    return _after(camp, target, dice, done, "bind wounds")


def gather(camp: Camp, helper: str, shot: int) -> tuple[Outcome, int]:
    """Look for arrows that were shot: Alertness, Easy, scaling; each rank turns up three (olde.md §3). A minute.

    Gives what comes of it and how many are found, at most all. Raises BattlematError for one who can do nothing.
    """
    who = hero_of(camp, helper)
    if not who.able:
        raise BattlematError("{name} can look for nothing: {status}", who.name, who.status)
    dice = Dice(camp.rng, camp.throws, camp.thrown)
    bonus = Adjustment("check", adjustment(who.alertness, "Alertness"), "Alertness", "olde.md §2 ranks")
    result = who.check(dice, "gather arrows", who.savvy, EASY, bonus)
    found = min(shot, INTACT * result.ranks) if result.success else 0
    told = text("{name} looks for what was shot and finds {found} of {shot}.", who.name, found, shot)
    done = Happening(told, result, who.id)
    return _after(camp, who, dice, done, "gather arrows"), found


def rest(camp: Camp, patient: str, circumstances: str, helper: str | None = None) -> Outcome:
    """The daily check: Brawn or Nerve, scaling, 1 HP for each rank; a caregiver's ranks add to it (olde.md §7).

    Raises BattlematError for the dying, and before a day has passed since the last one.
    """
    target = hero_of(camp, patient)
    if circumstances not in CIRCUMSTANCES:
        told = "circumstances: {circumstances} is none of {circumstances2}"
        raise BattlematError(told, repr(circumstances), joined(", ", CIRCUMSTANCES))
    if target.failing:
        what = DEAD.name if target.status is Status.DEAD else DYING.name
        raise BattlematError("{name} is {what}; rest does not help", target.name, what)
    if camp.minutes - target.rested < DAY:
        raise BattlematError("{name} has rested already; one check in 24 hours", target.name)
    dice = Dice(camp.rng, camp.throws, camp.thrown)
    happenings: list[Happening] = []
    bonus = 0
    if helper is not None:
        who = _helper(camp, helper, target)
        if who.id == target.id:
            raise BattlematError("{name} cannot care for {name2}: somebody else is needed", who.name, target.name)
        care = _healing(dice, who, _care(who), "caregiver")
        bonus = care.ranks if care.success else 0
        cares = text("{name} cares for {name2}: {bonus}.", who.name, target.name, signed(bonus))
        happenings.append(Happening(cares, care, target.id))
    added = Adjustment("check", bonus, "caregiver", "olde.md §7 rest")
    result = target.check(dice, "rest", max(target.brawn, target.nerve), CIRCUMSTANCES[circumstances], added)
    gained = min(result.ranks, target.hp_max - target.hp) if result.success else 0
    target = msgspec.structs.replace(target, hp=target.hp + gained, rested=camp.minutes)
    rests = text("{name} rests and regains {gained} HP.", target.name, gained)
    happenings.append(Happening(rests, result, target.id, gained))
    return _with(camp, target, dice), tuple(happenings)


def mending(camp: Camp, patient: str, circumstances: str, helper: str | None = None) -> float | None:
    """The chance that the daily check gives back a hit point; None for who makes none now."""
    target = hero_of(camp, patient)
    if target.failing or target.hp >= target.hp_max or camp.minutes - target.rested < DAY:
        return None
    die, rating = max(target.brawn, target.nerve), CIRCUMSTANCES[circumstances]
    if helper is None or helper == patient:
        return chance_at_least(2, die, rating)
    who = hero_of(camp, helper)
    need = _care(who) - adjustment(who.healing, "Healing")
    better = [chance_at_least(2, who.savvy, need + 3 * ranks) for ranks in range(rating // 2 + 1)]
    chance = (1 - better[0]) * chance_at_least(2, die, rating)
    for ranks, (least, more) in enumerate(itertools.pairwise([*better, 0.0]), 1):
        chance += (least - more) * chance_at_least(2, die, rating - ranks)
    return chance


def _care(helper: Patient) -> int:
    """Easy for a Foreman or better, Moderate for Apprentice and Journeyman, Hard for an amateur."""
    if helper.healing is None or helper.healing == "Untrained":
        return HARD
    return EASY if RANKS[helper.healing] >= RANKS["Foreman"] else MODERATE


def sleep(camp: Camp, circumstances: str, caregiver: str | None = None) -> Outcome:
    """A day goes by with a night's rest: everybody who can makes the daily check, Mana and Faith come back (ours)."""
    camp, passed = spend_time(camp, 0)
    happenings = list(passed)
    for hero in camp.heroes:
        if not hero.failing and hero.hp < hero.hp_max and camp.minutes - hero.rested >= DAY:
            camp, told = rest(camp, hero.id, circumstances, caregiver if caregiver != hero.id else None)
            happenings += told
    camp, told = spend_time(camp, DAY)
    happenings += told
    if circumstances != "none":
        heroes = tuple(
            msgspec.structs.replace(h, mana=h.mana_max, faith=h.faith_max) if h.status is not Status.DEAD else h
            for h in camp.heroes
        )
        camp = msgspec.structs.replace(camp, heroes=heroes)
    return camp, tuple(happenings)
