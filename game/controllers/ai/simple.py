"""Players that think of nothing but the moment: what the computer is measured against."""

from __future__ import annotations

from random import Random

from rules.contract.actions import Action, Decision
from rules.contract.display import System
from rules.contract.ruleset import LegalActions, State
from rules.contract.units import Cell


class RandomController:
    """Any legal action with equal chance, from its own seeded dice."""

    def __init__(self, seed: int = 0) -> None:
        self._random = Random(seed)

    def choose(self, ruleset: System, state: State, decision: Decision, legal: LegalActions) -> Action:
        """One action out of `legal`."""
        return self._random.choice(list(legal))


class GreedyController:
    """The blow with the highest mean damage now, else the movement that ends nearest to a foe, else the end."""

    def choose(self, ruleset: System, state: State, decision: Decision, legal: LegalActions) -> Action:
        """One action out of `legal`; ties go to the first."""
        actions = list(legal)
        board = ruleset.board(state)
        foes = [m for m in board.miniatures if m.side != decision.side and not m.out]
        known = {foe.id for foe in foes}
        best, most = None, 0.0
        for action in actions:
            odds = ruleset.odds(state, action) if action.target in known else None
            if odds is not None and odds.mean > most:
                best, most = action, odds.mean
        if best is not None:
            return best
        me = next((m for m in board.miniatures if m.id == decision.by), None)
        if me is None or not foes:
            return actions[-1]
        terrain = ruleset.terrain(state)

        def far(cell: Cell) -> int:
            return min(terrain.distance(cell, foe.cell, me.size, foe.size) for foe in foes)

        near = far(me.cell)
        for action in actions:
            if action.path and far(action.path[-1]) < near:
                best, near = action, far(action.path[-1])
        return best or actions[-1]
