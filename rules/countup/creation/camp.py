"""Between fights: the felled, first aid, wounds tended one by one, cures, rest by day and week (countup.md §9.4, §9.5).

A camp is a value like a fight's state: minutes pass, dice are thrown from the same kind of stream, nothing else changes
it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec

from rules.contract.errors import BattlematError
from rules.contract.events import Roll
from rules.contract.text import joined, text
from rules.core import dice as rng
from rules.core.dice import Dice
from rules.countup import penetration
from rules.countup.gear import Amount
from rules.countup.skills import chance, check, harder

WITHIN = 60
"""Minutes after a fight in which wounds may be tended (OURS)."""
AID, TEND, PRAY = 1, 5, 1
"""Minutes for first aid to the dying, for a wound, for a cure (OURS)."""
DAY, WEEK = 24 * 60, 7
GRAVE: tuple[tuple[int, str], ...] = ((5, "easy"), (10, "average"))
"""Hit points of a wound up to which it is so difficult to tend; beyond, difficult (OURS)."""


class Rest(NamedTuple):
    """How one rests: days that count for each wound, one more with care that succeeds, and how difficult that is."""

    days: int
    care: str
    spells: bool
    """Whether spell points and prayers come back."""


RESTS: Mapping[str, Rest] = {
    "bed": Rest(1, "easy", True), "camp": Rest(1, "average", True), "rough": Rest(0, "difficult", False),
}  # fmt: skip
"""OURS, but that a day of rest is a day for each wound."""


class Wound(msgspec.Struct, frozen=True):
    """One wound: its hit points, the days until the next of them comes back, and whether it was seen to."""

    hp: int
    days: int
    tended: bool = False

    def eased(self, hp: int) -> Wound:
        """With hit points given back at once: what is left heals as a wound of that size."""
        left = max(0, self.hp - hp)
        return Wound(left, min(self.days, left), self.tended)

    def rested(self, days: int) -> Wound:
        """After so many days of rest."""
        hp, left = self.hp, self.days
        for _ in range(days):
            if hp and (left := left - 1) <= 0:
                hp -= 1
                left = hp
        return Wound(hp, left, self.tended)


def fresh(hp: int) -> Wound:
    """A wound as it was just suffered: its first hit point takes as many days as it has."""
    return Wound(hp, hp)


class Patient(msgspec.Struct, frozen=True):
    """A character between fights."""

    id: str
    name: str
    hp_max: int
    trauma: int
    """Half of Constitution: how far below 0 one dies at once."""
    wounds: tuple[Wound, ...] = ()
    aid: int = 0
    """Percents of first aid; 0: never learnt."""
    points: int = 0
    points_max: int = 0
    prayers: tuple[str, ...] = ()
    """What is granted to it in a day."""
    prayed: tuple[str, ...] = ()
    dying: bool = False
    dead: bool = False
    anointed: bool = False

    @property
    def hp(self) -> int:
        """What the wounds leave."""
        return self.hp_max - sum(wound.hp for wound in self.wounds)

    @property
    def able(self) -> bool:
        """Can do anything for others."""
        return self.hp > 0 and not self.dead

    @property
    def status(self) -> str:
        """Healthy, bruised, wounded, senseless, dying or dead."""
        if self.dead or self.dying:
            return "dead" if self.dead else "dying"
        if self.hp <= 0:
            return "senseless"
        return "healthy" if self.hp >= self.hp_max else "bruised" if 2 * self.hp >= self.hp_max else "wounded"

    def left(self, prayer: str) -> int:
        """How often a prayer may still be said today."""
        return self.prayers.count(prayer) - self.prayed.count(prayer)


def felled(patient: Patient) -> Patient:
    """After a fight: who has no hit points left is dying, and who is further below 0 than half of Constitution dead."""
    dead = patient.dead or patient.hp < -patient.trauma
    return msgspec.structs.replace(patient, dead=dead, dying=not dead and patient.hp <= 0)


class Camp(msgspec.Struct, frozen=True):
    """Everybody after a fight, and the minutes since."""

    people: tuple[Patient, ...]
    rng: int
    minutes: int = 0
    throws: tuple[int | None, ...] | None = None
    thrown: int = 0

    def dice(self) -> Dice:
        """The dice in hand."""
        return Dice(self.rng, self.throws, self.thrown)


class Happening(msgspec.Struct, frozen=True):
    """What came of something done in camp: words, the dice if there were any, hit points given or lost."""

    text: str
    rolls: tuple[Roll, ...] = ()
    rating: int | None = None
    """What the last of them must not exceed; None where nothing was tried."""
    success: bool = True
    hp: int = 0


Outcome = tuple[Camp, tuple[Happening, ...]]


def pitch(people: Sequence[Patient], seed: int, throws: tuple[int | None, ...] | None = None) -> Camp:
    """The camp right after a fight."""
    return Camp(tuple(people), rng.seeded(seed), 0, throws)


def one_of(camp: Camp, name: str) -> Patient:
    """Raises BattlematError for a name that nobody has."""
    for patient in camp.people:
        if patient.id == name:
            return patient
    here = joined(", ", (patient.id for patient in camp.people))
    raise BattlematError("hero: {name} is not here; there are {here}", repr(name), here)


def doomed(camp: Camp) -> tuple[tuple[Patient, int], ...]:
    """Who is dying, and the minutes left: a hit point goes in each."""
    return tuple((p, p.hp + p.trauma + 1) for p in camp.people if p.dying and not p.dead)


def _bled(patient: Patient, minutes: int) -> Patient:
    """The dying after so many minutes: the gravest wound grows by a hit point in each, until they are dead."""
    lost = min(minutes, patient.hp + patient.trauma + 1) if patient.dying else 0
    if lost <= 0:
        return patient
    at = _gravest(patient.wounds)
    worse = Wound(patient.wounds[at].hp + lost, patient.wounds[at].hp + lost, patient.wounds[at].tended)
    wounds = (*patient.wounds[:at], worse, *patient.wounds[at + 1 :])
    after = msgspec.structs.replace(patient, wounds=wounds)
    dead = after.hp < -after.trauma
    return msgspec.structs.replace(after, dead=dead, dying=not dead)


def _gravest(wounds: Sequence[Wound]) -> int:
    return max(range(len(wounds)), key=lambda at: (wounds[at].hp, -at))


def spend_time(camp: Camp, minutes: int) -> Outcome:
    """Minutes pass: the dying lose a hit point in each."""
    happenings, people = list[Happening](), list[Patient]()
    for patient in camp.people:
        after = _bled(patient, minutes)
        if lost := patient.hp - after.hp:
            told = "{name} dies." if after.dead else "{name} loses {lost} HP."
            happenings.append(Happening(text(told, name=patient.name, lost=lost), success=False, hp=-lost))
        people.append(after)
    after_it = msgspec.structs.replace(camp, people=tuple(people), minutes=camp.minutes + minutes)
    return after_it, tuple(happenings)


def _with(camp: Camp, *changed: Patient, dice: Dice | None = None) -> Camp:
    new = {patient.id: patient for patient in changed}
    people = tuple(new.get(patient.id, patient) for patient in camp.people)
    camp = msgspec.structs.replace(camp, people=people)
    if dice is None or dice.rng is None:
        return camp
    return msgspec.structs.replace(camp, rng=dice.rng, thrown=dice.at)


def _helper(camp: Camp, helper: str, patient: Patient) -> Patient:
    found = one_of(camp, helper)
    if not found.able:
        raise BattlematError("{name} can help nobody: {status}", found.name, found.status)
    if patient.dead:
        raise BattlematError("{name} is dead; no aid helps", patient.name)
    return found


def _aider(camp: Camp, helper: str, patient: Patient) -> Patient:
    found = _helper(camp, helper, patient)
    if not found.aid:
        raise BattlematError("{name} never learnt first aid", found.name)
    return found


def aid_difficulty(helper: Patient, patient: Patient, difficulty: str) -> str:
    """How difficult it is to help somebody; oneself a step more (OURS)."""
    return harder(difficulty) if helper.id == patient.id else difficulty


def first_aid(camp: Camp, helper: str, patient: str) -> Outcome:
    """Stop somebody's dying: a check of first aid, average, in a minute; may be tried again.

    Raises BattlematError where there is nothing to stop or nobody to do it.
    """
    target = one_of(camp, patient)
    who = _aider(camp, helper, target)
    if not target.dying:
        raise BattlematError("{name} is not dying", target.name)
    dice = camp.dice()
    thrown = check(dice, who.aid, "average")
    success = thrown.total <= who.aid
    if success:
        target = msgspec.structs.replace(target, dying=False)
    told = "{name} stops {other}'s dying." if success else "{name} cannot stop {other}'s dying."
    done = Happening(text(told, name=who.name, other=target.name), (thrown,), who.aid, success)
    after, passed = spend_time(_with(camp, target, dice=dice), AID)
    return after, (done, *passed)


def untended(patient: Patient) -> int | None:
    """The number of the gravest wound that nobody has seen to; None where there is none."""
    waits = [at for at, wound in enumerate(patient.wounds) if wound.hp and not wound.tended]
    return max(waits, key=lambda at: (patient.wounds[at].hp, -at)) if waits else None


def tending(camp: Camp, helper: str, patient: str) -> tuple[Patient, Patient, int, str]:
    """(helper, patient, number of the wound, difficulty) of the next wound to be tended. Raises BattlematError."""
    target = one_of(camp, patient)
    who, at = _aider(camp, helper, target), untended(target)
    if at is None:
        raise BattlematError("{name} has no wound that is not seen to", target.name)
    if camp.minutes > WITHIN:
        told = "{minutes} minutes have gone by; wounds are tended within {within}"
        raise BattlematError(told, camp.minutes, WITHIN)
    hp = target.wounds[at].hp
    difficulty = next((word for most, word in GRAVE if hp <= most), "difficult")
    return who, target, at, aid_difficulty(who, target, difficulty)


def tend(camp: Camp, helper: str, patient: str) -> Outcome:
    """See to somebody's gravest wound, once for each within the hour: success gives back a hit point of it at once."""
    who, target, at, difficulty = tending(camp, helper, patient)
    dice = camp.dice()
    thrown = check(dice, who.aid, difficulty)
    success, wound = thrown.total <= who.aid, target.wounds[at]
    seen_to = msgspec.structs.replace(wound.eased(1) if success else wound, tended=True)
    target = _woken(target, (*target.wounds[:at], seen_to, *target.wounds[at + 1 :]))
    told = "{name} tends a wound of {other}'s: {n} HP." if success else "{name} tends a wound of {other}'s in vain."
    words = text(told, name=who.name, other=target.name, n=1)
    done = Happening(words, (thrown,), who.aid, success, int(success))
    after, passed = spend_time(_with(camp, target, dice=dice), TEND)
    return after, (done, *passed)


def _woken(patient: Patient, wounds: Sequence[Wound]) -> Patient:
    """With other wounds, those that are healed gone; who has hit points again dies no more."""
    kept = tuple(wound for wound in wounds if wound.hp > 0)
    after = msgspec.structs.replace(patient, wounds=kept)
    return msgspec.structs.replace(after, dying=after.dying and after.hp <= 0)


class Cure(NamedTuple):
    """A prayer that heals: its name, the dice, and those for the anointed."""

    name: str
    heals: Amount
    anointed: Amount


def cure(camp: Camp, helper: str, patient: str, prayer: Cure) -> Outcome:
    """A cure said in camp: the gravest wound first. It stops the dying. Raises BattlematError where none is left."""
    target = one_of(camp, patient)
    who = _helper(camp, helper, target)
    if who.left(prayer.name) < 1:
        raise BattlematError("{name} has no {prayer} left today", who.name, prayer.name)
    if not target.wounds:
        raise BattlematError("{name} has no wounds", target.name)
    dice = camp.dice()
    dice.thrower = who.id
    amount = prayer.anointed if target.anointed and prayer.anointed.dice else prayer.heals
    thrown = penetration.roll(dice, prayer.name, amount.dice, amount.flat)
    wounds, left = list(target.wounds), max(0, thrown.total)
    before = target.hp
    while left > 0 and any(wound.hp for wound in wounds):
        at = _gravest(wounds)
        given = min(left, wounds[at].hp)
        wounds[at], left = wounds[at].eased(given), left - given
    healed = msgspec.structs.replace(_woken(target, wounds), dying=False)
    prayed = one_of(_with(camp, healed), who.id)
    prayed = msgspec.structs.replace(prayed, prayed=(*prayed.prayed, prayer.name))
    words = text("{name}'s {prayer} gives {other} {n} HP.", who.name, prayer.name, target.name, healed.hp - before)
    done = Happening(words, (thrown,), None, True, healed.hp - before)
    after, passed = spend_time(_with(_with(camp, healed), prayed, dice=dice), PRAY)
    return after, (done, *passed)


# -- rest --------------------------------------------------------------------------------------------------


def care_chance(helper: Patient | None, how: str) -> Fraction:
    """The chance that care makes a day count once more for each wound."""
    return Fraction(0) if helper is None or not helper.aid else chance(helper.aid, RESTS[how].care)


def day(camp: Camp, how: str, caregiver: str | None = None) -> Outcome:
    """A day and a night: each wound heals for itself, spell points and prayers come back where one sleeps well.

    The dying die first, if nobody has helped them. Raises BattlematError for an unknown way to rest.
    """
    if how not in RESTS:
        raise BattlematError("rest: {how} is none of {rests}", repr(how), joined(", ", RESTS))
    camp, told = spend_time(camp, DAY)
    happenings, days = list(told), RESTS[how].days
    carer = one_of(camp, caregiver) if caregiver is not None else None
    hurt = [p for p in camp.people if p.wounds and not p.dead]
    others = [p for p in hurt if carer is None or p.id != carer.id]
    more = 0
    if carer is not None and carer.able and carer.aid and others:
        dice = camp.dice()
        thrown = check(dice, carer.aid, RESTS[how].care)
        more = int(thrown.total <= carer.aid)
        words = text("{name} cares for the wounded.", carer.name)
        happenings.append(Happening(words, (thrown,), carer.aid, bool(more)))
        camp = _with(camp, dice=dice)
    rested = list[Patient]()
    for patient in camp.people:
        counts = days + (more if patient in others else 0)
        after = _woken(patient, [wound.rested(counts) for wound in patient.wounds])
        if RESTS[how].spells and not after.dead:
            after = msgspec.structs.replace(after, points=after.points_max, prayed=())
        if (gained := after.hp - patient.hp) > 0:
            happenings.append(Happening(text("{name} regains {n} HP.", patient.name, gained), hp=gained))
        rested.append(patient if patient.dead else after)
    return msgspec.structs.replace(camp, people=tuple(rested)), tuple(happenings)


def unwell(camp: Camp) -> tuple[Patient, ...]:
    """The living who are hurt or spent, and would be better for rest."""
    living = (p for p in camp.people if not p.dead and not p.dying)
    return tuple(p for p in living if p.wounds or p.points < p.points_max or p.prayed)


def days_left(patient: Patient) -> int:
    """Days of plain rest until all its wounds are healed: the longest of them."""

    def of(wound: Wound) -> int:
        return wound.days + (wound.hp - 1) * wound.hp // 2 if wound.hp else 0

    return max(map(of, patient.wounds), default=0)


Deed = Callable[[], Outcome]
