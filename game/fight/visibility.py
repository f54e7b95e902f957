"""Fog of war: what each side sees now and remembers of the ground, moment by moment of a fight.

Memory is worked out from the states of the fight itself, so undo, rewind, loading and replays need nothing stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.contract.display import System
from rules.contract.ruleset import State


@dataclass(frozen=True, slots=True)
class Sight:
    """What somebody knows of the ground: bitboards of the spaces seen now and of all seen so far (those included)."""

    now: int
    ever: int


class Knowledge:
    """The ground that sides have seen. `states` are the fight's states so far, in order; give it anew after each."""

    def __init__(self, ruleset: System) -> None:
        self.ruleset = ruleset
        self._chain: dict[str, list[tuple[State, Sight]]] = {}

    def sight(self, side: str, states: Sequence[State]) -> Sight:
        """What a side sees in the last of the states and remembers from those before."""
        chain = self._chain.setdefault(side, [])
        known = 0
        while known < len(chain) and known < len(states) and chain[known][0] is states[known]:
            known += 1
        del chain[known:]
        for state in states[known:]:
            now = self.ruleset.sees(state, side)
            ever = now | (chain[-1][1].ever if chain else 0)
            chain.append((state, Sight(now, ever)))
        return chain[-1][1] if chain else Sight(0, 0)

    def shared(self, sides: Sequence[str], states: Sequence[State]) -> Sight:
        """What several sides know together (a seat may play on more than one)."""
        now = ever = 0
        for side in sides:
            each = self.sight(side, states)
            now, ever = now | each.now, ever | each.ever
        return Sight(now, ever)
