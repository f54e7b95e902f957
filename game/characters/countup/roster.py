"""Heroes of Count-Up, as the workshop, camps and set-ups ask for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from game.characters.countup import bench, gear, making, model, readymade, settling, sheet
from game.characters.countup.camping import Fireside
from game.characters.countup.model import Hero
from game.characters.countup.settling import Lying
from game.characters.pages import Blocks, Drawn, Start, View, Words
from game.characters.roster import Camp, Fight, Settled
from rules.contract.display import Board
from rules.core.record import Record
from rules.core.registry import ruleset
from rules.countup.creation.tables import BOOKISH, CLASSES, PIOUS


class CountUpRoster:
    """Heroes by class and race, who grow by levels (countup.md §9)."""

    ruleset = model.RULESET
    home = "Making"
    points = "EP"
    beginning = "A class to begin with; abilities, race, skills, gear and looks are yours to settle after it."

    read = staticmethod(model.read)
    document = staticmethod(model.document)
    changed = staticmethod(model.changed)
    about = staticmethod(model.about)
    condition = staticmethod(model.condition)
    block = staticmethod(model.block)
    faults = staticmethod(model.faults)
    unfit = staticmethod(model.unfit)
    told = staticmethod(sheet.told)
    figures = staticmethod(sheet.figures)
    printed = staticmethod(sheet.printed)
    led = staticmethod(readymade.led)
    own_id = staticmethod(readymade.own_id)
    taken_up = staticmethod(readymade.taken_up)
    changed_since = staticmethod(settling.changed_since)
    lying = staticmethod(settling.lying)

    def alive(self, hero: Hero) -> bool:
        """Whether it lives."""
        return not hero.dead

    def starts(self) -> tuple[Start, ...]:
        """A class with its gear, or nothing settled."""
        found = (Start(n, n.capitalize(), making.LINES[n], making.KITS[n][1], bench.class_told(n)) for n in CLASSES)
        return *found, Start("", "Somebody else", "nothing settled yet", "unknown_hero")

    def fresh(self, name: str, made: str, start: str) -> Hero:
        """Of a class with gear and a thrown hit die."""
        return making.fresh(name, made, start)

    def pages(self, hero: Hero) -> tuple[str, ...]:
        """Spells only for those who have any."""
        casts = hero.build.kind in (BOOKISH, PIOUS)
        return tuple(name for name in bench.PAGES if casts or name != "Spells")

    def page(self, hero: Hero, name: str, view: View) -> Blocks | Drawn:
        """One of them."""
        return bench.PAGES[name](hero, view)

    def looks(self, hero: Hero) -> Blocks:
        """What it is."""
        return (Words(model.about(hero), "quiet"),)

    def ended(self, state: Any) -> Mapping[str, Any]:
        """The summary, and of ready heroes, too, which prayers they have said."""
        summary = ruleset(self.ruleset).summary(state)
        for being, figure in zip(state.setup.beings, state.figures, strict=True):
            if figure.prayed:
                summary["creatures"][being.id].setdefault("lasting", {"prayed": list(figure.prayed)})
        return summary

    def settle(self, hero: Hero, end: Mapping[str, Any], fight: Fight) -> Settled:
        """Wounds, experience, what is used up."""
        return settling.settle(hero, end, fight)

    def bereft(self, hero: Hero) -> Hero:
        """All that it had stayed with it."""
        for table, name in model.carried(hero):
            hero = gear.leave(hero, table, name)
        return model.changed(hero, purse=0, ammunition=0)

    def rewards(self, record: Record, board: Board, heroes: frozenset[str]) -> Mapping[str, int]:
        """Experience for each who lives."""
        return settling.rewards(record, board, heroes)

    def camp(self, heroes: Sequence[Hero], seed: int, floor: Sequence[Lying] = ()) -> Camp:
        """Pitch a camp."""
        return Fireside(heroes, seed, floor)


ROSTER = CountUpRoster()
