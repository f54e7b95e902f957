"""Cairn's creatures and rounds as goals see them (rules.explore.goals)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rules.board.bitboard import board_of
from rules.cairn import conditions as cond
from rules.cairn.state import EXPLORE_PHASE, Being, CairnState, Plan, Resolution
from rules.contract.units import EMPTY, Cell, CreatureIx, numbered
from rules.core.kept import of_each
from rules.explore.goals import FREE, Moment, Piece, refuge

TURN = 60
"""Rounds that a dungeon turn counts for."""
GONE = "left"
"""How somebody left the board who went by an exit."""


class CairnGoals:
    """What goals ask of Cairn."""

    def bodies(self, at: CairnState | Resolution) -> Sequence[Being]:
        return at.setup.beings

    def moment(self, at: CairnState | Resolution) -> Moment:
        def piece(who: CreatureIx) -> Piece:
            being, figure = at.setup.beings[who], at.figures[who]
            cells = at.terrain.footprint(figure.cell, being.space) if figure.fighting else EMPTY
            fallen = figure.dead or figure.critical or figure.has(cond.OUT)
            return Piece(being.id, being.side, cells, figure.able, figure.dead, fallen, figure.carried)

        pieces = of_each(at.terrain, "pieces", at.figures, piece)
        floor = [lying.item for lying in at.floor]
        turns = TURN * at.explore.minute if at.explore is not None else 0
        return Moment(pieces, at.doors, at.challenges, at.round + turns, at.phase == "plan", floor)

    def hindered(self, state: CairnState, who: CreatureIx, what: str) -> str | None:
        figure, plan = state.figures[who], state.plans[who]
        if not figure.able:
            return "can only crawl"
        if state.phase == EXPLORE_PHASE:
            return None
        if plan is not None and (plan.moved or plan.action is not None):
            return "it takes the whole turn: plan anew first"
        return None

    def price(self, state: CairnState, what: str) -> str | None:
        return "the turn" if state.phase == EXPLORE_PHASE and what == FREE else None

    def spend(self, resolution: Resolution, who: CreatureIx, what: str) -> None:
        """The whole turn: nothing else is planned; in an exploration the dungeon turn."""
        if resolution.phase == EXPLORE_PHASE:
            if resolution.explore is not None:
                now = resolution.explore
                resolution.explore = msgspec.structs.replace(now, done=now.done | 1 << who)
            return
        resolution.plans[who] = Plan(done=True) if what == FREE else None

    def depart(self, resolution: Resolution, who: CreatureIx) -> None:
        resolution.change(who, fled=True, gone=GONE, cell=Cell(-1))
        resolution.declared = [other for other in resolution.declared if other != who]

    def join(self, resolution: Resolution, who: CreatureIx, cell: Cell) -> None:
        """It is there from now on, and has no turn in this half."""
        taken = board_of(cell for i, figure in numbered(resolution.figures) if figure.present
                         for cell in resolution.terrain.space(figure.cell, resolution.being(i).space))  # fmt: skip
        resolution.change(who, cell=refuge(resolution.terrain, cell, taken), idle=True)

    def end(self, resolution: Resolution, side: str) -> None:
        resolution.phase, resolution.winner = "over", side
        resolution.plans = [None] * len(resolution.figures)
        resolution.declared = []

    def over(self, at: CairnState | Resolution) -> bool:
        return at.phase == "over"


KEEPER = CairnGoals()
