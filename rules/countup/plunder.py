"""What one may take: things on the floor and on the fallen, chests that come open, and how much of it one carries
(countup.md §2.11 Taking along)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.contract.units import Bitboard, Cell, CreatureIx
from rules.core.fixtures.loot import Burden, Plunder, less
from rules.core.fixtures.treasure import Treasury
from rules.countup.gear import COINS_A_POUND
from rules.countup.state import CountState, Figure, Resolution, Setup

At = CountState | Resolution
ROOM, FOR_STRENGTH, LEAST = 40, 10, 10
"""Pounds of plunder that somebody carries beside its own gear, what each point of the damage bonus adds, and the least
(OURS)."""


class Pounds(Plunder):
    """Plunder is weighed; one's own gear is in the load of the stat block."""

    full = "item: too heavy to be carried besides"
    stays = "too heavy to be carried besides: {things}"

    def fallen(self, state: At, who: CreatureIx) -> bool:
        return state.figures[who].dead

    def things(self, state: At, who: CreatureIx) -> Iterator[str]:
        figure = state.figures[who]
        if figure.hand in state.setup.armoury.weapons:
            yield figure.hand
        if figure.shield is not None:
            yield figure.shield
        yield from figure.pack

    def lying(self, state: At) -> Sequence[tuple[str, Cell]]:
        return state.floor

    def reached(self, state: At, who: CreatureIx, cell: Cell, wanted: Bitboard) -> int:
        return state.terrain.within(cell, 1, state.setup.beings[who].space) & wanted

    def weight(self, setup: Setup, figure: Figure, item: str) -> int:
        counted = self.counted(setup, figure, item, COINS_A_POUND)
        return setup.armoury.weight(item) if counted is None else counted

    def burden(self, state: At, who: CreatureIx) -> Burden | None:
        if not state.setup.fixtures:
            return None
        figure, armoury = state.figures[who], state.setup.armoury
        held = sum(armoury.weight(item) for item in figure.pack) + figure.purse // COINS_A_POUND
        return Burden(held, max(LEAST, ROOM + FOR_STRENGTH * state.setup.beings[who].damage), "pounds")

    def treasury(self, setup: Setup) -> Treasury:
        return setup.armoury.treasury

    def worth(self, setup: Setup, item: str) -> int:
        return setup.armoury.worth(item)

    def pick(self, resolution: Resolution, who: CreatureIx, number: int) -> None:
        floor = resolution.floor
        resolution.floor = (*floor[:number], *floor[number + 1 :])

    def strip(self, resolution: Resolution, body: CreatureIx, item: str) -> None:
        figure = resolution.figures[body]
        if item == figure.hand:
            resolution.change(body, hand="")
        elif item == figure.shield:
            resolution.change(body, shield=None)
        elif item in figure.pack:
            resolution.change(body, pack=less(figure.pack, item))

    def stow(self, resolution: Resolution, who: CreatureIx, item: str) -> None:
        """A weapon goes into an empty hand, everything else into the pack."""
        figure = resolution.figures[who]
        if not figure.hand and item in resolution.setup.armoury.weapons:
            resolution.change(who, hand=item)
        else:
            resolution.change(who, pack=(*figure.pack, item))

    def strew(self, resolution: Resolution, items: Sequence[str], cell: Cell) -> None:
        resolution.floor = (*resolution.floor, *((item, cell) for item in items))


PLUNDER = Pounds()
