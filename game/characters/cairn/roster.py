"""Heroes of Cairn, as the workshop, camps and set-ups ask for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from game.characters.cairn import making, model, pages, settling, sheet
from game.characters.cairn.camping import CampSession
from game.characters.cairn.model import Hero
from game.characters.cairn.settling import Lying
from game.characters.pages import Blocks, Drawn, View
from game.characters.roster import Camp, Fight, Settled
from rules.cairn.creation.left import left
from rules.contract.display import Board
from rules.core.record import Record
from rules.core.registry import ruleset


class CairnRoster:
    """Characters by dice and background, who change by what happens to them (cairn.md §5.4, §8)."""

    ruleset = model.RULESET
    home = "Gear"
    points = ""
    beginning = "Everything is thrown by dice; all of it can be thrown again, chosen or typed in afterwards."

    read = staticmethod(model.read)
    document = staticmethod(model.document)
    changed = staticmethod(model.changed)
    about = staticmethod(model.about)
    condition = staticmethod(model.condition)
    block = staticmethod(model.block)
    faults = staticmethod(model.faults)
    unfit = staticmethod(model.unfit)
    told = staticmethod(model.told)
    figures = staticmethod(sheet.figures)
    printed = staticmethod(sheet.printed)
    starts = staticmethod(pages.starts)
    fresh = staticmethod(making.fresh)
    pages = staticmethod(pages.names)
    led = staticmethod(settling.led)
    own_id = staticmethod(settling.own_id)
    taken_up = staticmethod(settling.taken_up)
    changed_since = staticmethod(settling.changed_since)
    lying = staticmethod(settling.lying)

    def alive(self, hero: Hero) -> bool:
        """Whether it lives."""
        return not hero.dead

    def page(self, hero: Hero, name: str, view: View) -> Blocks | Drawn:
        """All of them are data."""
        return pages.page(hero, name, view)

    def looks(self, hero: Hero) -> Blocks:
        """Nothing more than everybody's."""
        return ()

    def ended(self, state: Any) -> Mapping[str, Any]:
        """The summary, and of everybody what lasts."""
        found = ruleset(self.ruleset).summary(state)
        lasts, loose = left(state)
        creatures = {name: {**end, **lasts[name]} for name, end in found["creatures"].items()}
        return {**found, "creatures": creatures, "loose": loose}

    def settle(self, hero: Hero, end: Mapping[str, Any], fight: Fight) -> Settled:
        """Scars, lost attributes, Fatigue, what is used up."""
        return settling.settle(hero, end, fight)

    def bereft(self, hero: Hero) -> Hero:
        """All that it had stayed with it."""
        return model.changed(hero, items=(), used={}, ready=None, gold=0)

    def rewards(self, record: Record, board: Board, heroes: frozenset[str]) -> Mapping[str, int]:
        """Nothing is counted: characters change by what happens to them."""
        return {}

    def camp(self, heroes: Sequence[Hero], seed: int, floor: Sequence[Lying] = ()) -> Camp:
        """Pitch a camp."""
        return CampSession(heroes, seed, floor)


ROSTER = CairnRoster()
