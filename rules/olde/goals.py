"""Olde's creatures and turns as goals see them (rules.explore.goals)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rules.contract.units import EMPTY, NOWHERE, Cell, CreatureIx
from rules.core.kept import of_each
from rules.explore.goals import FREE, Moment, Piece, refuge
from rules.olde.state import STANDING, Fighter, OldeState, Phase, Resolution, able, occupied

MINUTE = 6
"""Turns of a fight that a minute of exploration counts for."""


class OldeGoals:
    """What goals ask of Olde."""

    def bodies(self, at: OldeState | Resolution) -> Sequence[Fighter]:
        return at.setup.fighters

    def moment(self, at: OldeState | Resolution) -> Moment:
        def piece(who: CreatureIx) -> Piece:
            fighter, figure = at.setup.fighters[who], at.figures[who]
            carried = (*figure.hands, *figure.pack, *figure.items, *figure.goods, *figure.keys)
            cells = at.terrain.footprint(figure.cell, fighter.space) if figure.cell >= 0 and figure.hp > 0 else EMPTY
            dead = figure.hp <= -fighter.hp_max
            return Piece(fighter.id, fighter.side, cells, able(figure), dead, figure.hp <= 0, carried)

        pieces = of_each(at.terrain, "pieces", at.figures, piece)
        minutes = MINUTE * at.explore.minute if at.explore is not None else 0
        fighting = at.phase in (Phase.ACTION, Phase.RESET)
        floor = [lying.item for lying in at.floor]
        return Moment(pieces, at.doors, at.challenges, at.turn + minutes, fighting, floor)

    def hindered(self, state: OldeState, who: CreatureIx, what: str) -> str | None:
        figure = state.figures[who]
        if state.phase is Phase.EXPLORE:
            return None
        if state.chance is not None and state.chance.acted:
            return "the action of this chance is spent"
        return "lies on the ground: rise first" if figure.posture != STANDING else None

    def price(self, state: OldeState, what: str) -> str | None:
        return "1 minute" if state.phase is Phase.EXPLORE and what == FREE else None

    def spend(self, resolution: Resolution, who: CreatureIx, what: str) -> None:
        """All that is left of the chance; in an exploration the minute."""
        if resolution.phase is Phase.EXPLORE:
            if resolution.explore is not None:
                now = resolution.exploring
                resolution.explore = msgspec.structs.replace(now, done=now.done | 1 << who)
            return
        resolution.change(who, ap=0)
        resolution.chance = None

    def depart(self, resolution: Resolution, who: CreatureIx) -> None:
        resolution.change(who, cell=NOWHERE)

    def join(self, resolution: Resolution, who: CreatureIx, cell: Cell) -> None:
        resolution.change(who, cell=refuge(resolution.terrain, cell, occupied(resolution)), ap=0, free=0)

    def end(self, resolution: Resolution, side: str) -> None:
        resolution.phase, resolution.chance, resolution.question = Phase.OVER, None, None
        resolution.winner = side

    def over(self, at: OldeState | Resolution) -> bool:
        return at.phase is Phase.OVER


KEEPER = OldeGoals()
