"""A camp of heroes: what is done there is thrown by the rules and written to the heroes' files at once (olde.md §7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from game.characters import files
from game.characters.heroes import HeroError
from game.characters.olde import gear, model
from game.characters.olde.model import Hero, changed, condition
from game.characters.olde.settling import SHOT, Lying, settled
from game.characters.pages import Told
from rules.contract.errors import BattlematError, said
from rules.contract.text import text
from rules.core.dice import plain
from rules.core.odds import chance_at_least
from rules.olde.creation import camp as camps
from rules.olde.creation.camp import DAY, Camp, Outcome, Patient
from rules.olde.skills import RANKS

CIRCUMSTANCES = tuple(camps.CIRCUMSTANCES)
PICK_UP = 1
"""Minutes for finding one thing on the floor (ours: as surveying a chest, olde.md §8)."""
MOST_DAYS = 60
COINS = "coins"
"""The table of a purse on the floor."""


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
