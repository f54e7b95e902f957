"""Count-Up's creatures and seconds as goals see them (rules.explore.goals)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from rules.contract.text import text
from rules.contract.units import EMPTY, NOWHERE, Cell, CreatureIx, Seconds, numbered
from rules.core.kept import of_each
from rules.countup.state import Being, CountState, Phase, Resolution, open_order
from rules.explore.goals import FREE, Moment, Piece, refuge

MINUTE = 6
"""Rounds that a minute of exploration counts for (OURS)."""
ROUND = 10
"""Seconds that count as a round where a goal counts rounds (OURS)."""
FREEING = Seconds(5)
"""Seconds that freeing somebody takes (OURS)."""


class CountUpGoals:
    """What goals ask of Count-Up."""

    def bodies(self, at: CountState | Resolution) -> Sequence[Being]:
        return at.setup.beings

    def moment(self, at: CountState | Resolution) -> Moment:
        def piece(who: CreatureIx) -> Piece:
            being, figure = at.setup.beings[who], at.figures[who]
            carried = (*filter(None, (figure.hand, figure.shield, figure.slung)), *being.weapons, *figure.pack)
            cells = at.terrain.footprint(figure.cell, being.space) if figure.present else EMPTY
            up = figure.present and not figure.helpless
            return Piece(being.id, being.side, cells, up, figure.dead, figure.dead, carried)

        pieces = of_each(at.terrain, "pieces", at.figures, piece)
        floor = [item for item, _ in at.floor]
        minutes = MINUTE * at.explore.minute if at.explore is not None else 0
        fighting = at.phase not in (Phase.OVER, Phase.EXPLORE)
        return Moment(pieces, at.doors, at.challenges, at.second // ROUND + minutes, fighting, floor)

    def hindered(self, state: CountState, who: CreatureIx, what: str) -> str | None:
        figure = state.figures[who]
        if state.phase is Phase.EXPLORE:
            return None
        if open_order(figure).action is not None or figure.path:
            return "an order stands: order anew first"
        if figure.prone:
            return "lies on the ground: stand up first"
        return "a foe is in contact" if figure.contacts and what != FREE else None

    def price(self, state: CountState, what: str) -> str | None:
        if what != FREE:
            return None
        return "1 minute" if state.phase is Phase.EXPLORE else text("{n} s", int(FREEING))

    def spend(self, resolution: Resolution, who: CreatureIx, what: str) -> None:
        """Some seconds of work, in which nothing else can be done; in an exploration the minute."""
        if resolution.phase is Phase.EXPLORE:
            if resolution.explore is not None:
                now = resolution.explore
                resolution.explore = replace(now, done=now.done | 1 << who)
            return
        if what == FREE:
            resolution.change(who, busy=Seconds(resolution.second + FREEING), order=None)

    def depart(self, resolution: Resolution, who: CreatureIx) -> None:
        resolution.change(who, fled=True, cell=NOWHERE, order=None)

    def join(self, resolution: Resolution, who: CreatureIx, cell: Cell) -> None:
        """It may act once it is free."""
        taken = EMPTY
        for i, figure in numbered(resolution.figures):
            taken |= resolution.footprint(i) if figure.present else EMPTY
        free = Seconds(resolution.second + FREEING)
        resolution.change(who, cell=refuge(resolution.terrain, cell, taken), init=free, due=free)

    def end(self, resolution: Resolution, side: str) -> None:
        resolution.phase, resolution.winner, resolution.choices = Phase.OVER, side, ()

    def over(self, at: CountState | Resolution) -> bool:
        return at.phase is Phase.OVER


KEEPER = CountUpGoals()
