"""What one may take: things on the floor and on the fallen, chests that come open, and how much of it one carries
(olde.md §8 Taking along)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.contract.units import NO_CREATURE, Bitboard, Cell, CreatureIx
from rules.core.fixtures.loot import Burden, Plunder, less
from rules.core.fixtures.treasure import Treasury
from rules.olde.statblock import hands_needed
from rules.olde.state import Figure, Lying, OldeState, Resolution, Setup

At = OldeState | Resolution
COINS_A_SIZE = 100
FOR_BRAWN = 4
"""Sizes that somebody carries for each point of Brawn, beside the armor on its body (R)."""
HELD = ("hands", "pack", "items", "goods")
"""Where a figure has things."""


class Sizes(Plunder):
    """What is carried is counted in sizes, as the tables of gear have them."""

    full = "item: more than one can carry"
    stays = "more than one can carry: {things}"

    def fallen(self, state: At, who: CreatureIx) -> bool:
        return state.figures[who].hp <= 0

    def things(self, state: At, who: CreatureIx) -> Iterator[str]:
        weapons = state.setup.armoury.weapons
        for item in carried(state.figures[who]):
            if not (item in weapons and weapons[item].natural):
                yield item

    def lying(self, state: At) -> Sequence[tuple[str, Cell]]:
        return [(each.item, each.cell) for each in state.floor]

    def reached(self, state: At, who: CreatureIx, cell: Cell, wanted: Bitboard) -> int:
        return state.terrain.within(cell, 1, state.setup.fighters[who].space) & wanted

    def weight(self, setup: Setup, figure: Figure, item: str) -> int:
        counted = self.counted(setup, figure, item, COINS_A_SIZE)
        return setup.armoury.size(item) if counted is None else counted

    def burden(self, state: At, who: CreatureIx) -> Burden | None:
        if not state.setup.fixtures:
            return None
        figure, size = state.figures[who], state.setup.armoury.size
        held = sum(size(item) for item in self.things(state, who)) + figure.purse // COINS_A_SIZE
        return Burden(held, FOR_BRAWN * state.setup.fighters[who].brawn, "sizes")

    def treasury(self, setup: Setup) -> Treasury:
        return setup.armoury.treasury

    def worth(self, setup: Setup, item: str) -> int:
        return setup.armoury.worth(item)

    def pick(self, resolution: Resolution, who: CreatureIx, number: int) -> None:
        floor = resolution.floor
        resolution.floor = (*floor[:number], *floor[number + 1 :])

    def strip(self, resolution: Resolution, body: CreatureIx, item: str) -> None:
        figure = resolution.figures[body]
        place = next((each for each in HELD if item in getattr(figure, each)), None)
        if place is not None:
            resolution.change(body, **{place: less(getattr(figure, place), item)})

    def stow(self, resolution: Resolution, who: CreatureIx, item: str) -> None:
        """Weapons and shields into a free hand, else into the pack; what is used or read where it can be got at."""
        figure, armoury = resolution.figures[who], resolution.setup.armoury
        if item in armoury.weapons or item in armoury.shields:
            shields = sum(held in armoury.shields for held in (*figure.hands, item))
            free = hands_needed(armoury, (*figure.hands, item)) <= 2 and shields <= 1
            place = "hands" if free else "pack"
        else:
            place = "items" if item in armoury.used else "goods"
        resolution.change(who, **{place: (*getattr(figure, place), item)})

    def strew(self, resolution: Resolution, items: Sequence[str], cell: Cell) -> None:
        resolution.floor = (*resolution.floor, *(Lying(item, cell, NO_CREATURE) for item in items))


def carried(figure: Figure) -> tuple[str, ...]:
    """All things that somebody has, coins and keys aside."""
    return figure.hands + figure.pack + figure.items + figure.goods


PLUNDER = Sizes()
