"""The camp of Cairn: thrown by the rules, and written to the heroes' files at once (cairn.md §8)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from game.characters import files
from game.characters.cairn import gear, model
from game.characters.cairn.model import Hero, changed, condition, patient, tended
from game.characters.cairn.settling import Lying, bequest
from game.characters.heroes import HeroError
from game.characters.pages import (
    Block,
    Blocks,
    Camper,
    Choice,
    Deed,
    Deeds,
    Gauge,
    Piece,
    Slots,
    Title,
    Told,
    View,
    Words,
    key,
)  # fmt: skip
from rules.cairn.combat.injury import SCARS
from rules.cairn.creation import camp as rules
from rules.cairn.creation.camp import BANDAGING, DEAFENED, HEALER, MOMENTS, NIGHT, WEEK, Happening, Outcome, Patient
from rules.cairn.creation.characters import ATTRIBUTES, SHORT
from rules.contract.display import Pack, Stowed
from rules.contract.text import Text, joined, ntext, text, titled
from rules.core.dice import Dice, plain

BANDAGES, RATIONS = "bandages", "rations"
INN = 10
"""Coins for room and board, a night for each."""
PICK_UP = 1
"""Minutes for each thing on the floor (ours)."""
MEDICINE = {
    "healing salve": ("str", 0, 4), "heartroot salve": ("str", 0, 4), "healing unguent": ("str", 0, 4),
    "herbs": ("str", 1, 0), "herbs pouch": ("str", 1, 0), "leech": ("str", 1, 0), "aqua vita": ("str", 0, 6),
    "healing potion": ("str", 30, 0), "rootflower": ("wil", 0, 6),
}  # fmt: skip
"""What heals outside of fights as in them: the attribute, so many points, a die of so many faces."""


class CampSession:
    """Everybody in camp and the minutes since. Raises BattlematError for what can't be done."""

    def __init__(self, heroes: Sequence[Hero], seed: int, floor: Sequence[Lying] = ()) -> None:
        self.heroes: dict[str, Hero] = {hero.id: hero for hero in heroes}
        self.dice = Dice(seed, None)
        self.minutes = 0
        self.floor = [*floor, *(thing for hero in heroes if hero.dead for thing in bequest(hero))]
        self.story: list[Told] = []
        self.gone: list[str] = []
        files.save_all(self.heroes.values())

    # -- who is there

    def patients(self) -> dict[str, Patient]:
        """Everybody as the rules see them."""
        return {name: patient(hero) for name, hero in self.heroes.items()}

    def helpers(self) -> list[Hero]:
        """Who can do something for others: those with bandages first."""
        able = [hero for hero in self.heroes.values() if patient(hero).able]
        return sorted(able, key=lambda hero: not self.rolls(hero))

    def rolls(self, hero: Hero) -> int:
        """Uses of bandages that somebody has left."""
        return 3 * hero.items.count(BANDAGES) - dict(hero.used).get(BANDAGES, 0)

    def first(self) -> str:
        """Who is about to die, else who is hurt."""
        order = sorted(self.heroes.values(), key=lambda h: (not h.dying, h.dead, condition(h) == "healthy"))
        return order[0].id

    def living(self) -> list[Hero]:
        """Who lives."""
        return [hero for hero in self.heroes.values() if not hero.dead]

    # -- doing it

    def _tell(self, happenings: Sequence[Happening]) -> None:
        for what in happenings:
            dice = text("{dice}: {total}", what.roll.dice, plain(what.roll.total)) if what.roll is not None else ""
            self.story.append(Told(self.minutes, what.text, dice, what.tone))

    def _take(self, who: str, outcome: Outcome) -> None:
        after, happenings = outcome
        self.heroes[who] = tended(self.heroes[who], after)
        self._tell(happenings)

    def _keep(self) -> None:
        files.save_all(self.heroes.values())

    def pass_time(self, minutes: int, but: str = "") -> None:
        """Minutes go by: the dying come nearer to their end."""
        self.minutes += minutes
        for name, who in self.patients().items():
            if name != but:
                self._take(name, rules.minutes_pass(who, minutes))

    def _spend(self, name: str, item: str) -> None:
        """A use of something; the last one uses it up."""
        hero = self.heroes[name]
        count = dict(hero.used).get(item, 0) + 1
        if count >= max(1, model.charges(item)):
            self.heroes[name] = gear.leave(changed(hero, used={k: v for k, v in hero.used.items() if k != item}), item)
        else:
            self.heroes[name] = changed(hero, used={**hero.used, item: count})

    def bandage(self, helper: str, who: str) -> None:
        """Bandages stop the hour's clock; a minute."""
        people = self.patients()
        if why := rules.why_not_bandage(people[helper], people[who], self.rolls(self.heroes[helper])):
            raise HeroError(why)
        self._take(who, rules.bandage(people[who]))
        self._spend(helper, BANDAGES)
        self.pass_time(BANDAGING, who)
        self._keep()

    def medicine(self, helper: str, who: str, item: str) -> None:
        """A salve, herbs, a leech; a minute."""
        if not patient(self.heroes[helper]).able:
            raise HeroError("Nobody is able to help.")
        if why := self.why_no_medicine(who, item):
            raise HeroError(why)
        attribute, amount, faces = MEDICINE[item]
        self._take(who, rules.treat(self.dice, patient(self.heroes[who]), amount, faces, attribute))
        self._spend(helper, item)
        self.pass_time(1, who)
        self._keep()

    def why_no_medicine(self, who: str, item: str) -> str:
        """Why a remedy would do nothing; empty if it does something."""
        found, attribute = patient(self.heroes[who]), MEDICINE[item][0]
        lacks = getattr(found, f"{attribute}_now") < getattr(found, f"{attribute}_max")
        if found.dead or not (lacks or found.dying):
            return text("{name} has no {attribute} to get back.", found.name, attribute.upper())
        return text("{name} is deprived: nothing mends.", found.name) if found.deprived and not found.dying else ""

    def aided(self, who: str) -> None:
        """Extraordinary aid was found for the deaf: the game master's word."""
        self._take(who, rules.mended(self.dice, patient(self.heroes[who]), DEAFENED))
        self._keep()

    def moments(self) -> None:
        """A few quiet moments and a drink of water."""
        self.pass_time(MOMENTS)
        before = len(self.story)
        for name, who in self.patients().items():
            self._take(name, rules.rest(who))
        if len(self.story) == before:
            self._tell([Happening("A few quiet moments go by.")])
        self._keep()

    def night_in_the_wild(self) -> None:
        """Everybody eats a ration, or goes hungry; who has one to spare shares it."""
        self._wages()
        fed = {hero.id: self._eat(hero.id) for hero in self.living()}
        self._night(fed)

    def night_at_an_inn(self) -> None:
        """Room and board for everybody, paid together."""
        self._pay(INN * sum(1 for hero in self.living() if not self._beast(hero)))
        self._wages()
        self._night({hero.id: True for hero in self.living()})

    def _night(self, fed: dict[str, bool]) -> None:
        self.minutes += NIGHT
        self._tell([Happening("A night goes by.")])
        for name, who in self.patients().items():
            self._take(name, rules.night(self.dice, who, fed=fed.get(name, True)))
            self.heroes[name] = changed(self.heroes[name], days=self.heroes[name].days + 1)
        self._keep()

    def _beast(self, hero: Hero) -> bool:
        kind = model.follower(hero)
        return kind is not None and kind.kind != "hireling"

    def _eat(self, name: str) -> bool:
        """A use of rations, its own or somebody's; beasts find their own."""
        if self._beast(self.heroes[name]):
            return True
        others = [each.id for each in self.living() if each.id != name]
        for owner in (name, *others):
            if RATIONS in self.heroes[owner].items:
                self._spend(owner, RATIONS)
                return True
        return False

    def rations(self) -> int:
        """Days' worth of food that the camp has for one."""
        uses = model.charges(RATIONS)
        return sum(uses * hero.items.count(RATIONS) - dict(hero.used).get(RATIONS, 0) for hero in self.living())

    def week(self) -> None:
        """A week in town: the healer is paid for each who needs one, and the rest earn their keep (ours)."""
        needy = [hero.id for hero in self.living() if self._needs_healer(hero)]
        self._pay(HEALER * len(needy))
        self._wages(7)
        self.minutes += WEEK
        for name, who in self.patients().items():
            self._take(name, rules.week(self.dice, who, healed=name in needy))
            self.heroes[name] = changed(self.heroes[name], days=self.heroes[name].days + 7)
        self._tell([Happening("A week goes by in safety.")])
        self._keep()

    def _needs_healer(self, hero: Hero) -> bool:
        who = patient(hero)
        return not who.dead and (who.hurt or any(row in rules.BY_WEEK for row in who.mending))

    def purse(self) -> int:
        """What those who live have together; hirelings keep theirs."""
        return sum(hero.gold for hero in self.living() if hero.pc)

    def _dear(self, amount: int) -> str:
        """Why so much can't be paid; empty if it can."""
        purse = self.purse()
        return text("It costs {amount} gold; all together have {purse}.", amount, purse) if amount > purse else ""

    def _pay(self, amount: int) -> None:
        """Paid together, the fullest purse first. Raises HeroError where it is too much."""
        if dear := self._dear(amount):
            raise HeroError(dear)
        for hero in sorted((h for h in self.living() if h.pc), key=lambda each: -each.gold):
            part = min(hero.gold, amount)
            self.heroes[hero.id] = changed(hero, gold=hero.gold - part)
            amount -= part

    def _wages(self, days: int = 1) -> None:
        """Hirelings are paid by the day; who isn't saves WIL, or goes (cairn.md §5.3 Hirelings)."""
        for hero in list(self.living()):
            kind = model.follower(hero)
            if kind is None or not kind.wage or hero.dying or hero.down:
                continue
            due = kind.wage * days
            if due <= self.purse():
                self._pay(due)
                self._tell([Happening(text("{name} is paid {due} gold.", hero.name, due))])
                continue
            stays, told = rules.faithful(self.dice, patient(hero))
            self._tell([told])
            if not stays:
                self.heroes.pop(hero.id)
                self.gone.append(hero.name)
                files.delete(hero.id)

    def gather(self, thing: Lying, who: str) -> None:
        """Pick a thing up for somebody; a minute goes by. Raises HeroError where nobody can, or there is no room."""
        helpers, hero = self.helpers(), self.heroes[who]
        if hero.dead:
            raise HeroError("{name} needs nothing any more; choose one of the living.", hero.name)
        if not helpers:
            raise HeroError("Nobody is able to pick anything up.")
        if thing.gold:
            fallen = self.heroes[thing.bearer]
            hero = changed(hero, gold=hero.gold + fallen.gold)
            self.heroes[thing.bearer] = changed(fallen, gold=0)
        else:
            hero = gear.take(hero, thing.item)
            if thing.bearer:
                self.heroes[thing.bearer] = gear.leave(self.heroes[thing.bearer], thing.item)
        self.floor.remove(thing)
        self.heroes[who] = hero
        self._tell([Happening(text("{name} takes the {item}.", hero.name, thing.item), None, 1)])
        self.pass_time(PICK_UP)
        self._keep()

    def gather_own(self) -> None:
        """Give everybody back what they dropped or threw, as far as they have room. Raises HeroError where none of it
        has."""
        own, full = [thing for thing in self.floor if thing.owner in self.heroes], ""
        own = [thing for thing in own if not self.heroes[thing.owner].dead]
        for thing in own:
            if why := gear.fits(self.heroes[thing.owner], thing.item):
                full = full or text("{name}: {why}", self.heroes[thing.owner].name, why)
            else:
                self.gather(thing, thing.owner)
        if full and all(thing in self.floor for thing in own):
            raise HeroError(full)

    def gather_all(self, who: str) -> None:
        """Everything that lies there and has room with somebody, coins first. Raises HeroError where nothing has."""
        things = sorted((t for t in self.floor if t.owner not in self.heroes), key=lambda thing: not thing.gold)
        before = len(self.floor)
        for thing in things:
            if thing.gold or not gear.fits(self.heroes[who], thing.item):
                self.gather(thing, who)
        if len(self.floor) == before:
            raise HeroError("{name} has no room for any of it.", self.heroes[who].name)

    def strike(self) -> None:
        """Leave the camp."""
        self._keep()

    # -- as it is shown

    def clock(self) -> str:
        """Minutes, hours or days."""
        days, rest = divmod(self.minutes, rules.DAY)
        if days:
            return text("Day {what}", days + 1)
        if rest >= 2 * rules.HOUR:
            return text("{what} hours", rest // rules.HOUR)
        return ntext(rest, "{n} minute in camp", "{n} minutes in camp")

    def camper(self, name: str) -> Camper:
        """HP and STR; rations, gold and Fatigue."""
        hero, line = self.heroes[name], condition(self.heroes[name])
        if hero.dying:
            line = ntext(hero.dying, "{line}: {n} minute to live", "{line}: {n} minutes to live", line=line)
        gauges = (Gauge("HP", 0 if hero.dead else model.hp(hero), hero.hp_max),
                  Gauge("STR", model.now(hero, "strength"), hero.strength, "mana"))  # fmt: skip
        parts = [text("{gold} gold", hero.gold)] if hero.gold else []
        if hero.fatigue:
            parts.append(text("Fatigue {fatigue}", hero.fatigue))
        parts += [text("{item}: {left}", titled(item), gear.left_of(hero, item))
                  for item in dict.fromkeys(hero.items) if item in (BANDAGES, RATIONS, *MEDICINE)]  # fmt: skip
        down = hero.dead or bool(hero.dying) or hero.down
        return Camper(line, gauges, joined(" · ", parts), "dead" if hero.dead else "", hero.dead, down)

    def about(self, name: str, *, brief: bool) -> Blocks:
        """Attributes, scars, slots and things."""
        hero = self.heroes[name]
        scores = (Text.of("{name} {now}/{top}", SHORT[each], model.now(hero, each), getattr(hero, each))
                  for each in ATTRIBUTES)  # fmt: skip
        found: list[Block] = [Title(hero.name, model.about(hero)), Words(joined(" · ", scores))]
        if hero.mending:
            scars = joined(", ", (SCARS[row].name for row in hero.mending))
            found.append(Words((Piece("Not mended: ", "quiet", "small"), Piece(scars))))
        if hero.items and not brief:
            found.append(Words((Piece("Carries ", "quiet", "small"), Piece(joined(", ", hero.items)))))
        return (*found, Slots(pack_of(hero)))

    def urgent(self) -> str:
        """Who may still be saved, with the minutes left."""
        doomed = [hero for hero in self.heroes.values() if hero.dying]
        words = joined(", ", (text("{name} ({minutes} min)", hero.name, hero.dying) for hero in doomed))
        return text("May still be saved: {words}", words) if doomed else ""

    def warning(self) -> str:
        """Who is dying still; else what of the heroes' lies there."""
        if doomed := [hero.name for hero in self.heroes.values() if hero.dying]:
            return ntext(
                len(doomed), "{names} will die within the hour without bandages, and waits as is.",
                "{names} will die within the hour without bandages; they wait as they are.", names=joined(", ", doomed),
            )  # fmt: skip
        left = joined(", ", (thing.item for thing in self.floor if thing.owner))
        return text("Still on the floor, and lost then: {things}.", left) if left else ""

    def sections(self, view: View) -> tuple[Blocks, ...]:
        """Aid, rest, the floor."""
        if view["who"] not in self.heroes:
            view = {**view, "who": self.first()}
        return self._aid(view), self._rest(), *([self._floor(view)] if self.floor else [])

    def _helper(self, view: View) -> str:
        able = [hero.id for hero in self.helpers()]
        others = [name for name in able if name != view["who"]]
        named = view.get("helper", "")
        return named if named in able else next(iter([*others, *able]), view["who"])

    def _aid(self, view: View) -> Blocks:
        who, helper = self.heroes[view["who"]], self._helper(view)
        names = {hero.id: hero.name for hero in self.helpers()}
        people = self.patients()
        why = rules.why_not_bandage(people[helper], people[who.id], self.rolls(self.heroes[helper]))
        found: list[Block] = [
            Title(text("For {name}", who.name)),
            Choice("by", names, helper, view="helper", label="By"),
            Deed("bandage", "Bandages", partial(self.bandage, helper, who.id),
                 text("1 minute: stops the hour of dying; {left} left", self.rolls(self.heroes[helper])), why,
                 slim=False, left=True, rule="cairn.md §2.6"),
        ]  # fmt: skip
        for item in dict.fromkeys(each for each in self.heroes[helper].items if each in MEDICINE):
            power = model.armoury().powers[model.armoury().gear[item].power].text
            told = text("1 minute: {power} {left}", power, gear.left_of(self.heroes[helper], item))
            found.append(Deed(key("medicine", item), titled(item), partial(self.medicine, helper, who.id, item), told,
                              self.why_no_medicine(who.id, item),
                              slim=False, left=True, rule="cairn.md §5.3"))  # fmt: skip
        if DEAFENED in who.mending:
            found.append(Deed("aided", "Extraordinary aid was found", partial(self.aided, who.id),
                              "The game master says so: hearing comes back.", rule="cairn.md §4"))  # fmt: skip
        return tuple(found)

    def _floor(self, view: View) -> Blocks:
        who = self.heroes[view["who"]]
        found: list[Block] = [Title("On the floor", "A minute for each.")]
        own = [thing for thing in self.floor if thing.owner in self.heroes and not self.heroes[thing.owner].dead]
        if own:
            things = joined(", ", (thing.item for thing in own))
            found.append(Deed("gather", "Gather what is ours", self.gather_own, things, slim=False))
        if len(self.floor) > len(own) + 1:
            told = text("for {name}, a minute for each", who.name)
            found.append(Deed("loot all", "Take all that fits", partial(self.gather_all, who.id), told, slim=False))
        loot = [(n, thing) for n, thing in enumerate(self.floor) if thing not in own]
        deeds = tuple(
            Deed(key("loot", number), self._loot_label(thing), partial(self.gather, thing, who.id),
                 tip=text("For {name}.", who.name), quiet=not thing.gold and bool(gear.fits(who, thing.item)))
            for number, thing in loot
        )  # fmt: skip
        return (*found, Deeds(deeds)) if deeds else tuple(found)

    def _loot_label(self, thing: Lying) -> str:
        bearer = self.heroes[thing.bearer].name if thing.bearer in self.heroes else ""
        if bearer:
            words = "Take {item} of {bearer}" if thing.gold else "Take the {item} of {bearer}"
            return text(words, item=thing.item, bearer=bearer)
        return text("Take the {item}", item=thing.item)

    def _rest(self) -> Blocks:
        """What each rest gives, costs and takes, said before."""
        living = self.living()
        eaters = len(self._eaters())
        wages = sum(kind.wage for hero in living if (kind := model.follower(hero)) is not None)
        needy = [hero for hero in living if self._needs_healer(hero)]
        ask = None
        if doomed := [hero for hero in living if hero.dying]:
            names = joined(", ", (hero.name for hero in doomed))
            ask = ("Let them die?", text("{names} will not live through it without bandages.", names), "Let it go by")
        soon = [hero for hero in doomed if hero.dying <= MOMENTS]
        food = text("{rations} of {eaters} rations", min(eaters, self.rations()), eaters)
        paid = text("; wages {wages} gold", wages) if wages else ""
        healing = text("{price} gold: attributes and broken bones of {names}", HEALER * len(needy),
                       joined(", ", (h.name for h in needy))) if needy else "Nobody needs one."  # fmt: skip
        inn = text("{price} gold for all{paid}", INN * eaters, paid)
        return (
            Title("Rest", text("Together you have {gold} gold.", self.purse())),
            Deed("moments", "A few quiet moments", self.moments, self._moments_told(), slim=False, left=True,
                 rule="cairn.md §8", ask=ask if soon else None),
            Deed("night", "A night in the wild", self.night_in_the_wild, self._night_told(food, paid), slim=False,
                 left=True, tip=self._night_tip(), rule="cairn.md §8", ask=ask),
            Deed("inn", "A night at an inn", self.night_at_an_inn, inn, self._dear(INN * eaters), slim=False, left=True,
                 rule="cairn.md §8", ask=ask),
            Deed("week", "A week with a healer", self.week, healing, self._dear(HEALER * len(needy)), slim=False,
                 left=True, tip=healing, rule="cairn.md §8", ask=ask),
        )  # fmt: skip

    def _eaters(self) -> list[Hero]:
        """Who needs a ration for a night, in the order in which they get one."""
        return [hero for hero in self.living() if not self._beast(hero)]

    def _moments_told(self) -> str:
        """What quiet moments come to: nothing for those to whom nothing comes back."""
        without = [hero.name for hero in self.living() if not patient(hero).recovers]
        if not without:
            return "10 minutes and water: HP come back"
        if len(without) == len(self.living()):
            return "10 minutes and water: no HP come back to the deprived and the sick"
        return text("10 minutes and water: HP come back, but not to {names}", joined(", ", without))

    def _night_told(self, food: str, paid: str) -> str:
        """What a night in the wild comes to, in short: those without rations go hungry."""
        hungry = self._hungry()
        if not hungry:
            return text("{food}{paid}: Fatigue is slept off, HP come back", food, paid)
        worse = any(hero.deprived for hero in hungry)
        if len(hungry) == len(self._eaters()):
            some = "{food}{paid}: all go hungry, nothing comes back"
            return text("{food}{paid}: all go hungry, nothing comes back, +1 Fatigue" if worse else some, food, paid)
        names = joined(", ", (hero.name for hero in hungry))
        return ntext(len(hungry), "{food}{paid}: {names} goes hungry", "{food}{paid}: {names} go hungry",
                     food=food, paid=paid, names=names)  # fmt: skip

    def _hungry(self) -> list[Hero]:
        """Who would get nothing to eat tonight."""
        return self._eaters()[self.rations() :]

    def _night_tip(self) -> str:
        """The same in whole."""
        hungry = self._hungry()
        if not hungry:
            return "Everybody has a ration: Fatigue is slept off, and HP come back."
        told = ntext(
            len(hungry), "{names} has nothing to eat, is deprived, and gets nothing back; the others sleep well.",
            "{names} have nothing to eat, are deprived, and get nothing back; whoever eats sleeps well.",
            names=joined(", ", (hero.name for hero in hungry)),
        )  # fmt: skip
        worse = [hero.name for hero in hungry if hero.deprived]
        more = text("Hungry before: one Fatigue more for {names}.", joined(", ", worse)) if worse else ""
        return joined(" ", (each for each in (told, more) if each))


def pack_of(hero: Hero) -> Pack:
    """Slots, as a row of cells."""
    held = [Stowed(item, model.slots(item)) for item in hero.items if model.slots(item)]
    held += [Stowed("Fatigue", 1, tone="harm")] * hero.fatigue
    return Pack("Slots", model.room(hero), tuple(held))
