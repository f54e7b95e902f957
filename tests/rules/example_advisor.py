"""What a planner asks of the smallest ruleset (docs/rulesets.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from game.controllers.ai.advisors.planning import (
    NOTHING,
    Measure,
    Menace,
    Outlook,
    Piece,
    Promise,
    Strike,
    Swing,
    Target,
    Vantage,
    Way,
)
from rules.board.bitboard import cells_of
from rules.board.path import reach
from rules.contract.actions import Action, Decision
from tests.rules.example_ruleset import HIT, PACE, State


class ExampleAdvisor:
    """The advisor of `example`."""

    def _swing(self, state: State, goal: int) -> Swing:
        hit = (7 - HIT) / 6
        return Swing("attack", None, 1, hit, hit, hit if state.stamina[goal] == 1 else 0.0, 0.0, 0)

    def spots(self, state: State, creature: str) -> Mapping[int, int]:
        me = state.who(creature)
        others = state.board(lambda i: i != me)
        return dict(reach(state.terrain, state.cells[me], PACE, blocked=others).cost)

    def strike(self, state: State, by: str, target: str, start: int, goal: int) -> Strike | None:
        if state.terrain.distance(start, goal) != 1:
            return None
        swing = self._swing(state, state.who(target))
        return Strike(swing.hit, swing.mean, swing.drop, 1, Action(by, "attack", target=target))

    def reaches(self, state: State, creature: str, start: int) -> int:
        return state.terrain.within(start, 1) & ~(1 << start)

    def pieces(self, state: State) -> tuple[Piece, ...]:
        return tuple(
            Piece(b.id, b.side, cell, 1, left, b.stamina, 1, not left, not left, False, bool(left), 1.0)
            for b, cell, left in zip(state.blocks, state.cells, state.stamina, strict=True)
            if cell >= 0
        )

    def outlook(self, state: State, creature: str) -> Outlook:
        ways = () if state.walked else self._way(state, creature)
        return Outlook(state.round, 1, True, ways, Action(creature, "end"))

    def _way(self, state: State, creature: str) -> tuple[Way, ...]:
        cells = sum(1 << cell for cell in self.spots(state, creature) if cell != state.cells[state.who(creature)])
        return (Way(("move",), 0, 0, cells),) if cells else ()

    def route(self, state: State, creature: str, way: Way, cell: int) -> tuple[Action, ...]:
        me = state.who(creature)
        others = state.board(lambda i: i != me)
        path = reach(state.terrain, state.cells[me], PACE, blocked=others).path(cell)
        return (Action(creature, "move", path=tuple(path)),)

    def targets(self, state: State, by: str, cells: int) -> tuple[Target, ...]:
        side = state.blocks[state.who(by)].side
        found = []
        for i, block in enumerate(state.blocks):
            if block.side != side and state.up(i) and state.cells[i] >= 0:
                swing, near = self._swing(state, i), self.reaches(state, by, state.cells[i]) & cells
                vantages = (Vantage(near, (swing,)),) if near else ()
                found.append(Target(block.id, swing, False, vantages))
        return tuple(found)

    def menaces(self, state: State, target: str) -> tuple[Menace, ...]:
        me = state.who(target)
        found = []
        for i, block in enumerate(state.blocks):
            if block.side != state.blocks[me].side and state.up(i) and state.cells[i] >= 0:
                far = 0
                for cell in cells_of(sum(1 << c for c in self.spots(state, block.id))):
                    far |= self.reaches(state, block.id, cell)
                close = self.reaches(state, block.id, state.cells[i])
                found.append(Menace(block.id, close, 1.0, far, far, self._swing(state, me), False))
        return tuple(found)

    def measures(self, state: State, decision: Decision) -> Iterator[Measure]:
        return iter(())

    def worth(self, state: State, creature: str) -> float:
        return 1.0

    def temperament(self, state: State, creature: str) -> str:
        return "brute"

    def promise(self, state: State, action: Action) -> Promise:
        return NOTHING
