"""Heroes of Dungeons of Olde, as the workshop, camps and set-ups ask for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from game.characters.heroes import Looks
from game.characters.olde import gear, making, model, readymade, settling, sheet
from game.characters.olde.fireside import Fireside
from game.characters.olde.model import MAGIC, Hero
from game.characters.olde.settling import Lying
from game.characters.pages import Blocks, Choice, Drawn, Start, Title, View
from game.characters.roster import Camp, Fight, Settled
from rules.contract.display import Board
from rules.contract.text import Text, joined, text
from rules.core.record import Record
from rules.core.registry import ruleset
from rules.olde.creation.heroes import PACKAGES, SETS
from rules.olde.skills import spelled

DRAWN = "game.scenes.workshop.olde"
"""Where its pages draw themselves: they have widgets of their own."""
PAGES = {
    "Stats": "skills:stats_page",
    "Skills": "skills:page",
    "Magic": "skills:magic_page",
    "Equipment": "equipment:page",
    "Advance": "skills:advance",
}
SIZES = ("medium", "human, elf, orc: 2 free steps"), ("small", "halfling, dwarf, goblin: 1 free step")


class OldeRoster:
    """Heroes by package or by 20 CP, who grow by CP (olde.md §2)."""

    ruleset = model.RULESET
    home = "Stats"
    points = "CP"
    beginning = "A package of skills to begin with; stats, choices, looks and gear are yours to settle after it."

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
        return model.condition(hero) != "dead"

    def starts(self) -> tuple[Start, ...]:
        """A package of skills, or nothing settled."""
        lines = {n: joined(" · ", (*each.sets, *map(spelled, each.skills))) for n, each in PACKAGES.items()}
        found = (Start(n, n, line, n.lower(), package_told(n)) for n, line in lines.items())
        return *found, Start("", "Somebody else", "nothing settled yet: by package or by 20 CP", "unknown_hero")

    def fresh(self, name: str, made: str, start: str) -> Hero:
        """The first array, and the package."""
        hero = making.fresh(name, made)
        return model.changed(making.set_package(hero, start), looks=Looks(art=start.lower())) if start else hero

    def pages(self, hero: Hero) -> tuple[str, ...]:
        """Magic only for those who have a gift of it."""
        gifted = any(gift in model.bill(hero).ranks for gift in MAGIC)
        return tuple(name for name in PAGES if gifted or name != "Magic")

    def page(self, hero: Hero, name: str, view: View) -> Blocks | Drawn:
        """Every page draws itself."""
        return Drawn(f"{DRAWN}.{PAGES[name]}")

    def looks(self, hero: Hero) -> Blocks:
        """Small or medium."""
        sizes = {n: text("{n} ({t})", n.capitalize(), t) for n, t in SIZES}
        return Title("Size"), Choice("size", sizes, hero.size, lambda hero, size: model.changed(hero, size=size))

    def ended(self, state: Any) -> Mapping[str, Any]:
        """The summary says all."""
        return ruleset(self.ruleset).summary(state)

    def settle(self, hero: Hero, end: Mapping[str, Any], fight: Fight) -> Settled:
        """Wounds, CP, what is used up."""
        return settling.settle(hero, end, fight)

    def bereft(self, hero: Hero) -> Hero:
        """All that it had stayed with it."""
        for table, name in model.carried(hero):
            hero = gear.leave(hero, table, name)
        return model.changed(hero, purse=0, ammunition=0)

    def rewards(self, record: Record, board: Board, heroes: frozenset[str]) -> Mapping[str, int]:
        """A CP for each who lives of the band that wins."""
        return settling.rewards(board, heroes)

    def camp(self, heroes: Sequence[Hero], seed: int, floor: Sequence[Lying] = ()) -> Camp:
        """Pitch a camp."""
        return Fireside(heroes, seed, floor)


def package_told(name: str) -> str:
    """A package with all that is in its sets."""
    package = PACKAGES[name]
    sets = [Text.of("{s} ({join})", s=s, join=joined(", ", map(spelled, SETS[s].members))) for s in package.sets]
    choices = [joined(" or ", options) for options in package.choices]
    return Text.of("{all}.", all=joined("; ", [*sets, *map(spelled, package.skills), *choices]))


ROSTER = OldeRoster()
