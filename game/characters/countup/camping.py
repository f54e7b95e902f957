"""A camp of Count-Up's heroes: the dying, wounds one by one, cures, what was shot, rest; all written into the heroes'
files at once (countup.md §9.4, §9.5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from game.characters import files
from game.characters.countup import gear, model, sheet
from game.characters.countup.gear import money
from game.characters.countup.model import QUIVER, Hero, changed, person
from game.characters.countup.settling import SHOT, Lying
from game.characters.heroes import HeroError, was_ready
from game.characters.pages import (
    Act,
    Block,
    Blocks,
    Camper,
    Choice,
    Deed,
    Deeds,
    Gauge,
    Piece,
    Title,
    Told,
    View,
    Words,
    key,
)  # fmt: skip
from rules.contract.errors import BattlematError, said
from rules.contract.text import Text, joined, ntext, text
from rules.core.dice import plain
from rules.countup.creation import camp as camps
from rules.countup.creation.camp import RESTS, WEEK, Camp, Cure, Outcome, Patient
from rules.countup.skills import chance

PICK_UP = 1
"""Minutes for taking something up (ours)."""
MOST_DAYS = 400
COINS = "coins"
"""The table of a purse."""
NOBODY = "nobody"
PLACES = {"bed": "In a bed", "camp": "In camp", "rough": "Rough"}
USUAL = "camp"
"""How they rest if nobody says otherwise."""


def bequest(hero: Hero) -> list[Lying]:
    """What a fallen hero leaves to those who live."""
    found = [Lying(table, item, "", hero.id) for table, item in model.carried(hero) if item not in hero.broken]
    return [*found, Lying(COINS, money(hero.purse), "", hero.id)] if hero.purse else found


class CampSession:
    """Everybody in camp and the minutes since; every deed is kept as soon as it is done. Raises BattlematError."""

    def __init__(self, heroes: Sequence[Hero], seed: int, floor: Sequence[Lying] = ()) -> None:
        self.heroes = {hero.id: hero for hero in heroes}
        self.camp: Camp = camps.pitch([person(hero) for hero in heroes], seed)
        self.floor = [*floor, *(thing for hero in heroes if hero.dead for thing in bequest(hero))]
        self.story: list[Told] = []
        self._keep()

    def of(self, name: str) -> Patient:
        """Somebody as the rules of camps see them now."""
        return camps.one_of(self.camp, name)

    def refused(self, deed: Callable[[], Outcome]) -> str:
        """Why a deed can't be done now; empty if it can. Nothing happens: camps are values."""
        try:
            deed()
        except BattlematError as error:
            return said(error)
        return ""

    def helpers(self) -> list[Patient]:
        """Who can do something for others, the best at first aid first."""
        return sorted((who for who in self.camp.people if who.able), key=lambda who: -who.aid)

    def doomed(self) -> tuple[tuple[Patient, int], ...]:
        """Who may still be saved, and the minutes left; the most urgent first."""
        return tuple(sorted(camps.doomed(self.camp), key=lambda found: found[1]))

    def do(self, outcome: Outcome) -> None:
        """Take an outcome: the camp goes on from it, the files are written."""
        living = {who.id for who in self.camp.people if not who.dead}
        self.camp, happenings = outcome
        for what in happenings:
            dice, tone = "", (what.hp > 0) - (what.hp < 0)
            if what.rolls and what.rating is not None:
                dice = text("{total} against {rating}", plain(what.rolls[-1].total), plain(what.rating))
                tone = 1 if what.success else -1
            elif what.rolls:
                dice = plain(what.rolls[-1].total)
            self.story.append(Told(self.camp.minutes, what.text, dice, tone))
        self._keep()
        for who in self.camp.people:
            if who.dead and who.id in living:
                self.floor += bequest(self.heroes[who.id])

    def day(self, how: str, carer: str | None) -> None:
        """A day and a night."""
        self.do(camps.day(self.camp, how, carer))

    def days(self, how: str, carer: str | None, most: int) -> int:
        """So many days, or until all are well; gives their number."""
        for number in range(most):
            if not camps.unwell(self.camp):
                return number
            self.day(how, carer)
        return most

    def gather(self, thing: Lying, who: str) -> None:
        """Take a thing up for a hero; a minute goes by. Raises BattlematError where nobody can, or it has no place."""
        helpers, hero = self.helpers(), self.heroes[who]
        if hero.dead:
            raise HeroError("{name} needs nothing any more; choose one of the living.", hero.name)
        if not helpers:
            raise HeroError("Nobody is able to pick anything up.")
        if thing.table == SHOT:
            hero = self.heroes[thing.owner]
            hero = changed(hero, ammunition=min(QUIVER, hero.ammunition + thing.shot // 2))
        elif thing.table == COINS:
            hero = changed(hero, purse=hero.purse + self.heroes[thing.bearer].purse)
            self.heroes[thing.bearer] = changed(self.heroes[thing.bearer], purse=0)
        else:
            hero = gear.take(hero, thing.table, thing.item)
            self.heroes[thing.bearer] = gear.leave(self.heroes[thing.bearer], thing.table, thing.item)
        self.floor.remove(thing)
        self.heroes[hero.id] = hero
        told = text("{helper} finds {n} of {item}.", helpers[0].name, thing.shot // 2, thing.item)
        if thing.table != SHOT:
            told = text("{helper} takes {item} for {name}.", helpers[0].name, thing.item, hero.name)
        self.story.append(Told(self.camp.minutes, told, "", 1))
        self.do(camps.spend_time(self.camp, PICK_UP))

    def _keep(self) -> None:
        """Write everybody's state into the files."""
        late = self.camp.minutes > camps.WITHIN
        for who in self.camp.people:
            wounds = [{"hp": w.hp, "days": w.days, "tended": w.tended or late} for w in who.wounds]
            self.heroes[who.id] = changed(
                self.heroes[who.id], wounds=wounds, dying=who.dying, dead=who.dead,
                points=None if who.points >= who.points_max else who.points, prayed=list(who.prayed),
            )  # fmt: skip
        files.save_all(list(self.heroes.values()))

    def strike(self) -> None:
        """Leave the camp: it is too late to tend the wounds of that fight."""
        for name, hero in self.heroes.items():
            wounds = [{**wound.model_dump(), "tended": True} for wound in hero.wounds]
            self.heroes[name] = changed(hero, wounds=wounds)
        files.save_all(list(self.heroes.values()))


class Fireside(CampSession):
    """A camp, and everything that the window shows of it."""

    @property
    def minutes(self) -> int:
        """How long it has lasted."""
        return self.camp.minutes

    def first(self) -> str:
        """Who is about to die, else who is hurt."""
        doomed = self.doomed()
        hurt = next((who.id for who in self.camp.people if who.wounds and not who.dead), self.camp.people[0].id)
        return doomed[0][0].id if doomed else hurt

    def clock(self) -> str:
        """Minutes, hours or days."""
        days, rest = divmod(self.camp.minutes, camps.DAY)
        if days:
            return text("Day {what}", days + 1)
        if rest >= 600:
            return text("{what} hours", rest // 60)
        return ntext(rest, "{n} minute in camp", "{n} minutes in camp")

    def camper(self, name: str) -> Camper:
        """Hit points, spell points; the wounds one by one; what there is to shoot and to pray."""
        hero, who = self.heroes[name], self.of(name)
        line, doomed = who.status, {one.id: minutes for one, minutes in self.doomed()}
        if name in doomed:
            line = ntext(doomed[name], "{line}: {n} minute to live", "{line}: {n} minutes to live", line=line)
        gauges = [Gauge("HP", max(0, who.hp), who.hp_max)]
        if who.points_max:
            gauges.append(Gauge("Spell points", who.points, who.points_max, "mana"))
        parts: list[str] = [self._wounds(who)] if who.wounds and not who.dead else []
        if model.shoots(hero):
            fresh = was_ready(hero) and hero.ammunition == QUIVER
            told = "{n} to shoot, counted from now on" if fresh else "{n} of {most} to shoot"
            parts.append(text(told, n=hero.ammunition, most=QUIVER))
        parts += [text("{prayer} × {n}", prayer, n) for prayer in dict.fromkeys(who.prayers) if (n := who.left(prayer))]
        return Camper(line, tuple(gauges), joined(" · ", parts), who.status, who.dead)

    def _wounds(self, who: Patient) -> str:
        wounds = joined(", ", (str(wound.hp) for wound in who.wounds))
        days = camps.days_left(who)
        return ntext(days, "wounds {wounds}: {n} day", "wounds {wounds}: {n} days", wounds=wounds)

    def about(self, name: str, *, brief: bool) -> Blocks:
        """Abilities, skills, things and purse."""
        hero = self.heroes[name]
        one = model.made(hero)
        scores = joined(" · ", (text("{n} {score}", sheet.SHORT[n], str(s)) for n, s in one.abilities.items()))
        skills = sheet.skills_by_mastery(hero)
        lines = [("", scores), *(skills[:-1] if brief else skills)]
        if things := joined(", ", (thing for _, thing in model.carried(hero))):
            lines.append(("Carries", things))
        lines += [("Purse", money(hero.purse)), ("Experience", sheet.experience_told(hero))]
        found: list[Block] = [Title(hero.name, model.about(hero))]
        for label, words in lines:
            pieces = [Piece(Text.of("{name}  ", name=label), "quiet", "small")] if label else []
            found.append(Words((*pieces, Piece(words))))
        return tuple(found)

    def urgent(self) -> str:
        """Who may still be saved, with the minutes left."""
        doomed = self.doomed()
        words = joined(", ", (text("{name} ({minutes} min)", who.name, minutes) for who, minutes in doomed))
        return text("May still be saved: {words}", words) if doomed else ""

    def warning(self) -> str:
        """Who is dying still; else what of the heroes' lies there."""
        if doomed := [who.name for who, _ in self.doomed()]:
            return ntext(
                len(doomed), "{names} is dying still, and will wait as is.",
                "{names} are dying still; they will wait as they are.", names=joined(", ", doomed),
            )  # fmt: skip
        left = joined(", ", (thing.item for thing in self.floor if thing.owner))
        return text("Still on the floor, and lost then: {things}.", left) if left else ""

    def sections(self, view: View) -> tuple[Blocks, ...]:
        """Aid, the floor, rest."""
        return self._aid(view), *([self._floor(view)] if self.floor else []), self._rest(view)

    # -- parts

    def _helper(self, view: View) -> str:
        able, who = [one.id for one in self.helpers()], view["who"]
        others = [name for name in able if name != who]
        named = view.get("helper", "")
        return named if named in able else next(iter([*others, *able]), who)

    def _aid(self, view: View) -> Blocks:
        """What somebody can do for whoever is chosen."""
        who, helper = view["who"], self._helper(view)
        names = {one.id: self.heroes[one.id].name for one in self.helpers()}
        found: list[Block] = [
            Title(text("For {name}", self.heroes[who].name)), Choice("by", names, helper, view="helper", label="By"),
            self._deed("aid", "First aid", "1 minute: stops the dying", helper,
                       partial(self._first_aid, helper, who), difficulty="average"),
            self._deed("tend", "Tend a wound", self._tending(helper, who), helper,
                       partial(self._tend, helper, who), difficulty=self._difficulty(helper, who)),
        ]  # fmt: skip
        healer = self.of(helper)
        for prayer in dict.fromkeys(healer.prayers):
            spell = model.armoury().spells[prayer]
            if spell.heals:
                left = text("heals {dice}: {n} left", spell.heals, healer.left(prayer))
                cure = Cure(prayer, spell.cure, spell.better_cure)
                found.append(
                    self._deed(key("cure", prayer), prayer, left, helper, partial(self._cure, helper, who, cure))
                )
        return tuple(found)

    def _first_aid(self, helper: str, who: str) -> Outcome:
        return camps.first_aid(self.camp, helper, who)

    def _tend(self, helper: str, who: str) -> Outcome:
        return camps.tend(self.camp, helper, who)

    def _cure(self, helper: str, who: str, cure: Cure) -> Outcome:
        return camps.cure(self.camp, helper, who, cure)

    def _tending(self, helper: str, who: str) -> str:
        at = camps.untended(self.of(who))
        if at is None:
            return "5 minutes, each wound once within the hour"
        return text("5 minutes: the wound of {hp}, 1 HP", self.of(who).wounds[at].hp)

    def _difficulty(self, helper: str, who: str) -> str:
        try:
            return camps.tending(self.camp, helper, who)[3]
        except BattlematError:
            return ""

    def _deed(
        self, name: str, label: str, cost: str, helper: str, deed: Callable[[], Outcome], *, difficulty: str = ""
    ) -> Deed:
        why = self.refused(deed)
        if not why and difficulty:
            cost = text("{chance} %: {cost}", int(100 * chance(self.of(helper).aid, difficulty)), cost)
        act: Act = lambda: self.do(deed())
        return Deed(name, label, act, cost, why, slim=False, tip=why or cost, rule="countup.md §9.4 First aid")

    def _floor(self, view: View) -> Blocks:
        who = self.heroes[view["who"]]
        parts: list[Block] = [Title("On the floor", "A minute for each.")]
        for number, thing in enumerate(self.floor):
            if thing.table == SHOT:
                label: str = text("Gather what {name} shot", self.heroes[thing.owner].name)
                detail = text("{n} of {shot} are whole", thing.shot // 2, thing.shot)
            else:
                label = text("Take {item} of {bearer}", thing.item, self.heroes[thing.bearer].name)
                detail = text("For {name}.", who.name)
            parts.append(Deed(key("loot", number), label, partial(self.gather, thing, who.id), detail, tip=detail))
        return tuple(parts)

    def _rest(self, view: View) -> Blocks:
        """Where they rest, who cares for the others, what that promises, and how long."""
        how = view.get("circumstances", USUAL)
        named, able = view.get("caregiver", ""), [one for one in self.helpers() if one.aid]
        carer = next((one for one in able if one.id == named), next(iter(able), None)) if named != NOBODY else None
        carers = {**{one.id: one.name for one in able}, NOBODY: "Nobody"}
        promised: list[Block] = []
        if carer is not None and any(one.wounds and one.id != carer.id and not one.dead for one in self.camp.people):
            told = text(
                "{chance} %: the day counts once more for each wound.", int(100 * camps.care_chance(carer, how))
            )
            promised.append(Words((Piece("Care  ", "quiet", "text"), Piece(told)), rule="countup.md §9.5"))
        ask = None
        if doomed := self.doomed():
            names = joined(", ", (one.name for one, _ in doomed))
            words = text("{names} will not live through the day without first aid.", names)
            ask = ("Let them die?", words, "Let the day go by")
        name, rest = carer.id if carer else None, RESTS[how]
        hint = "A day for each wound; spell points and prayers come back." if rest.spells else (
            "Without care nothing heals, and no spells come back.")  # fmt: skip
        return (
            Title("Rest", hint),
            Choice("rest", PLACES, how, view="circumstances"),
            Choice("care", carers, name or NOBODY, view="caregiver", label="Cared for by"),
            *promised,
            Deeds((
                Deed("day", "A day and a night", partial(self.day, how, name), slim=False, told="A day goes by.",
                     ask=ask),
                Deed("week", "A week", partial(self._days, how, name, WEEK), slim=False, ask=ask),
                Deed("well", "Until all are well", partial(self._days, how, name, MOST_DAYS), slim=False, ask=ask,
                     tip="Days of recuperation, four hundred at most."),
            )),
        )  # fmt: skip

    def _days(self, how: str, carer: str | None, most: int) -> str:
        days = self.days(how, carer, most)
        if any(who.wounds and not who.dead for who in self.camp.people):
            return ntext(
                days, "{n} day of rest, and not all are well yet.", "{n} days of rest, and not all are well yet."
            )
        return ntext(days, "{n} day of rest.", "{n} days of rest.")
