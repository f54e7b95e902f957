"""The camp of Dungeons of Olde as it is shown: the dying first, then wounds, what lies about, and rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

from game.characters.heroes import was_ready
from game.characters.olde.camping import CIRCUMSTANCES, COINS, CampSession
from game.characters.olde.model import QUIVER, Hero, about, carried, missiles, stats
from game.characters.olde.settling import Lying
from game.characters.olde.sheet import skills_by_rank
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
    View,
    Words,
)  # fmt: skip
from rules.contract.text import Text, joined, ntext, text
from rules.olde.creation.camp import Outcome

NOBODY = "nobody"
RESTS = {
    "comfortable": "Comfortable (Easy)",
    "field": "In the field (Moderate)",
    "difficult": "Difficult (Hard)",
    "none": "No rest (Heroic)",
}
USUAL = "field"
"""Where they rest if nobody says otherwise."""


class Fireside(CampSession):
    """A camp, and everything that the window shows of it."""

    @property
    def minutes(self) -> int:
        """How long it has lasted."""
        return self.camp.minutes

    def first(self) -> str:
        """Who is about to die, else who is hurt."""
        doomed = self.doomed()
        hurt = next((h.id for h in self.camp.heroes if 0 < h.hp < h.hp_max), self.camp.heroes[0].id)
        return doomed[0][0].id if doomed else hurt

    def clock(self) -> str:
        """Minutes, hours or days."""
        days, rest = divmod(self.camp.minutes, 24 * 60)
        if days:
            return text("Day {what}", days + 1)
        if rest >= 600:
            return text("{what} hours", rest // 60)
        return ntext(rest, "{n} minute in camp", "{n} minutes in camp")

    def camper(self, name: str) -> Camper:
        """Hit points, Mana and Faith; potions and what there is to shoot."""
        hero, who = self.heroes[name], next(h for h in self.camp.heroes if h.id == name)
        line, doomed = self.words(name), {hero.id: minutes for hero, minutes in self.doomed()}
        if name in doomed:
            line = ntext(doomed[name], "{line}: {n} minute to live", "{line}: {n} minutes to live", line=line)
        gauges = [Gauge("HP", who.hp, who.hp_max)]
        if hero.spells:
            gauges.append(Gauge("Mana", who.mana, who.mana_max, "mana"))
        if hero.blessings:
            gauges.append(Gauge("Faith", who.faith, who.faith_max, "faith"))
        shot = missiles(hero)
        left = text("{ammunition} of {quiver} {shot}", hero.ammunition, QUIVER, shot)
        if was_ready(hero) and hero.ammunition == QUIVER:
            left = text("{quiver} {shot}, counted from now on", QUIVER, shot)
        things = [text("{thing} × {n}", thing, n) if n > 1 else thing for thing, n in Counter(hero.items).items()]
        below = joined(" · ", (*([left] if shot else []), *things))
        return Camper(line, tuple(gauges), below, who.status, who.status == "dead", who.hp <= 0)

    def about(self, name: str, *, brief: bool) -> Blocks:
        """Stats, skills, things and purse; `brief`: without the skills of the lowest rank that it has."""
        hero = self.heroes[name]
        dice = [
            Text.of("{name} d{rank}", name=n.capitalize(), rank=rank) for n, rank in stats(hero).model_dump().items()
        ]
        skills = skills_by_rank(hero)
        lines = [("", joined(" · ", dice)), *(skills[:-1] if brief else skills)]
        if things := joined(", ", (thing for _, thing in carried(hero))):
            lines.append(("Carries", things))
        lines.append(("Purse", Text.of("{purse} coin", purse=hero.purse)))
        found: list[Block] = [Title(hero.name, about(hero))]
        for label, words in lines:
            pieces = [Piece(Text.of("{name}  ", name=label), "quiet", "small")] if label else []
            found.append(Words((*pieces, Piece(words))))
        return tuple(found)

    def urgent(self) -> str:
        """Who may still be saved, with the minutes left."""
        doomed = self.doomed()
        words = joined(", ", (text("{name} ({minutes} min)", hero.name, minutes) for hero, minutes in doomed))
        return text("May still be saved: {words}", words) if doomed else ""

    def warning(self) -> str:
        """Who bleeds or dies still; else what of the heroes' lies there."""
        if doomed := [hero.name for hero, _ in self.doomed()]:
            return ntext(
                len(doomed), "{names} bleeds or dies still, and will wait as is.",
                "{names} bleed or die still; they will wait as they are.", names=joined(", ", doomed),
            )  # fmt: skip
        left = joined(", ", (thing.item for thing in self.floor if thing.owner))
        return text("Still on the floor, and lost then: {things}.", left) if left else ""

    def sections(self, view: View) -> tuple[Blocks, ...]:
        """Aid, the floor, rest."""
        return self._aid(view), *([self._floor(view)] if self.floor else []), self._rest(view)

    # -- parts

    def _helper(self, view: View) -> str:
        able, who = [hero.id for hero in self.helpers()], view["who"]
        others = [name for name in able if name != who]
        named = view.get("helper", "")
        return named if named in able else next(iter([*others, *able]), who)

    def _caregiver(self, view: View) -> str | None:
        named = view.get("caregiver", "")
        able = [hero.id for hero in self.helpers()] if named != NOBODY else []
        return named if named in able else next(iter(able), None)

    def _aid(self, view: View) -> Blocks:
        """What somebody can do for whoever is chosen."""
        who, helper = self.heroes[view["who"]], self._helper(view)
        names = {each.id: self.heroes[each.id].name for each in self.helpers()}
        return (
            Title(text("For {name}", who.name)),
            Choice("by", names, helper, view="helper", label="By"),
            self._deed("First aid", "1 minute: stops bleeding and dying", helper,
                       lambda: self.first_aid(helper, who.id), "aid"),
            self._deed("Bind wounds", "5 minutes, once, within half an hour", helper,
                       lambda: self.bind(helper, who.id), "bind"),
        )  # fmt: skip

    def _deed(self, label: str, cost: str, helper: str, deed: Callable[[], Outcome], key: str) -> Deed:
        why = self.refused(deed)
        if (chance := self.chance(helper, deed)) is not None:
            cost = text("{chance} %: {cost}", chance, cost)
        act: Act = lambda: self.do(deed())
        return Deed(key, label, act, cost, why, slim=False, left=True, tip=why or cost, rule="olde.md §7")

    def _floor(self, view: View) -> Blocks:
        who = self.heroes[view["who"]]
        parts: list[Block] = [Title("On the floor", "A minute for each.")]
        if own := [thing for thing in self.floor if thing.owner]:
            things = joined(", ", (thing.item for thing in own))
            parts.append(Deed("gather", "Gather what is ours", self.gather_own, things, slim=False))
        return (*parts, *(self._loot(n, thing, who) for n, thing in enumerate(self.floor) if not thing.owner))

    def _loot(self, number: int, thing: Lying, who: Hero) -> Deed:
        words = "Take {item}" if thing.table == COINS else "Take the {item}"
        if thing.bearer:
            words = "Take {item} of {bearer}" if thing.table == COINS else "Take the {item} of {bearer}"
        bearer = self.heroes[thing.bearer].name if thing.bearer else ""
        label = text(words, item=thing.item, bearer=bearer)
        return Deed(
            "loot " + str(number), label, partial(self.gather, thing, who.id), tip=text("For {name}.", who.name)
        )

    def _rest(self, view: View) -> Blocks:
        """Where they rest, who cares for the others, what that promises, and how long."""
        where, carer = view.get("circumstances", USUAL), self._caregiver(view)
        carers = {**{h.id: self.heroes[h.id].name for h in self.helpers()}, NOBODY: "Nobody"}
        promised: list[Block] = []
        if mending := self.mending(where, carer):
            words = joined(" · ", (text("{name} {chance} %", hero.name, chance) for hero, chance in mending))
            pieces = Piece("On the mend after a day: ", "quiet", "text"), Piece(words, "text", "text!")
            promised.append(Words(pieces, tip="The chance of at least one hit point.", name="Rest", rule="olde.md §7"))
        ask = None
        if doomed := self.doomed():
            names = joined(", ", (hero.name for hero, _ in doomed))
            words = text("{names} will not live through the day without first aid.", names)
            ask = ("Let them die?", words, "Let the day go by")
        return (
            Title("Rest", "Brawn or Nerve each day: 1 HP for each rank; Mana and Faith come back with a night."),
            Choice("rest", {each: RESTS[each] for each in CIRCUMSTANCES}, where, view="circumstances"),
            Choice("care", carers, carer or NOBODY, view="caregiver", label="Cared for by"),
            *promised,
            Deeds((
                Deed("day", "A day and a night", lambda: self.do(self.day(where, carer)), slim=False,
                     told="A day goes by.", ask=ask),
                Deed("well", "Until all are well", partial(self._until_well, where, carer), slim=False,
                     tip="Days of recuperation, sixty at most.", ask=ask),
            )),
        )  # fmt: skip

    def _until_well(self, where: str, carer: str | None) -> str:
        days = self.until_well(where, carer)
        if any(0 < hero.hp < hero.hp_max for hero in self.camp.heroes):
            return ntext(
                days, "{n} day of recuperation, and not all are well yet.",
                "{n} days of recuperation, and not all are well yet.",
            )  # fmt: skip
        return ntext(days, "{n} day of recuperation.", "{n} days of recuperation.")
