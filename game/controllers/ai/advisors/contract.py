"""What an advisor of a ruleset answers: what a planner or an overlay may ask beside the contract of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from game.controllers.ai.advisors.planning import Measure, Outlook, Piece, Promise, Target, Threat, Way
from rules.contract.actions import Action, Decision
from rules.contract.ruleset import State


class Advisor(Protocol):
    """Figures and valuations of positions under one ruleset: nothing here decides a rule."""

    def pieces(self, state: State) -> tuple[Piece, ...]:
        """Everybody on the board, in the order of the record."""

    def temperament(self, state: State, creature: str) -> str:
        """How an AI should play it: `cunning`, `brute`, `coward` or another word of the content."""

    def outlook(self, state: State, creature: str) -> Outlook:
        """What a creature may still do: in its own chance what is left of it, else in a fresh one."""

    def route(self, state: State, creature: str, way: Way, cell: int) -> tuple[Action, ...]:
        """The movements of a way that end on one of its spaces, in order; empty where they don't fit together."""

    def targets(self, state: State, by: str, cells: int) -> tuple[Target, ...]:
        """Whom a creature could attack at all, and from which of `cells` how, as if fresh; in the record's order. Of
        those who are out only who rises again is named."""

    def threats(self, state: State, target: str) -> tuple[Threat, ...]:
        """Who could strike a creature, and where: walls count, creatures in the way don't. In the record's order."""

    def measures(self, state: State, decision: Decision) -> Iterator[Measure]:
        """What else is worth a thought in a chance: legal deeds with their purpose, in stable order."""

    def promise(self, state: State, action: Action) -> Promise:
        """What an action gains beside harm to foes, and what it may cost its doer; nothing where none is known."""

    def spots(self, state: State, creature: str) -> Mapping[int, int]:
        """Cells where a creature could end its movement in one fresh chance -> points it takes (0 = stay or free)."""

    def reaches(self, state: State, creature: str, start: int) -> int:
        """Bitboard of cells that a creature standing at `start` can strike with what it holds."""
