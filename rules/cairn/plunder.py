"""What one may take: things on the floor and on the fallen, chests that come open, slots that are free
(cairn.md §2.14 Taking along)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.cairn import conditions as cond
from rules.cairn.gear import SLOTS
from rules.cairn.magic.ground import end_zone, in_hand
from rules.cairn.state import PURSE, CairnState, Figure, Lying, Resolution, Setup, filled, worn
from rules.contract.units import Bitboard, Cell, CreatureIx
from rules.core.fixtures.contents import coins_in
from rules.core.fixtures.loot import Burden, Plunder
from rules.core.fixtures.treasure import Treasury

At = CairnState | Resolution


class Slots(Plunder):
    """Slots decide what a player's character carries; foes' are not counted."""

    full = "item: no slot is free for it"
    stays = "no slot for {things}"
    spare = 1  # with the last slot filled one counts as having 0 HP (A21)

    def fallen(self, state: At, who: CreatureIx) -> bool:
        figure = state.figures[who]
        return figure.dead or figure.critical or figure.has(cond.OUT)

    def things(self, state: At, who: CreatureIx) -> Iterator[str]:
        figure = state.figures[who]
        on = list(worn(state.setup, state.setup.beings[who], figure))  # it comes off nobody in a fight
        for item in figure.carried:
            if item in on:
                on.remove(item)
            else:
                yield item

    def lying(self, state: At) -> Sequence[tuple[str, Cell]]:
        return [(each.item, each.cell) for each in state.floor]

    def reached(self, state: CairnState, who: CreatureIx, cell: Cell, wanted: Bitboard) -> int:
        return in_hand(state, who, cell, wanted)

    def weight(self, setup: Setup, figure: Figure, item: str) -> int:
        counted = self.counted(setup, figure, item, PURSE)
        return setup.armoury.slots(item) if counted is None else counted

    def burden(self, state: At, who: CreatureIx) -> Burden | None:
        if not (state.setup.beings[who].pc and state.setup.fixtures):
            return None
        return Burden(filled(state.setup, state.figures[who]), SLOTS, "slots")

    def treasury(self, setup: Setup) -> Treasury:
        return setup.armoury.treasury

    def worth(self, setup: Setup, item: str) -> int:
        return setup.armoury.worth(item)

    def pick(self, resolution: Resolution, who: CreatureIx, number: int) -> None:
        lying = resolution.floor[number]
        resolution.floor = (*resolution.floor[:number], *resolution.floor[number + 1 :])
        for zone in resolution.zones:
            if zone.item == lying.item and zone.cells >> lying.cell & 1:  # what it did there it does no more
                end_zone(resolution, zone)
                return

    def strip(self, resolution: Resolution, body: CreatureIx, item: str) -> None:
        resolution.figures[body] = resolution.figures[body].without(item)

    def stow(self, resolution: Resolution, who: CreatureIx, item: str) -> None:
        resolution.change(who, pack=(*resolution.figures[who].pack, item))

    def strew(self, resolution: Resolution, items: Sequence[str], cell: Cell) -> None:
        known = resolution.setup.armoury.known
        useful = items if resolution.setup.fixtures else [item for item in items if known(item) or coins_in(item)]
        resolution.floor = (*resolution.floor, *(Lying(item, cell) for item in useful))


PLUNDER = Slots()
