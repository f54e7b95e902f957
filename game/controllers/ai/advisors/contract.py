"""What an advisor of a ruleset answers: what a planner or an overlay may ask beside the contract of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from game.controllers.ai.advisors.planning import Measure, Outlook, Piece, Promise, Target, Threat, Way
from rules.contract.actions import Action, Decision
from rules.contract.ruleset import State
from rules.core.base_ruleset import Position


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


S = TypeVar("S", bound=Position)


@dataclass(frozen=True, slots=True)
class Modules(Generic[S]):
    """An advisor's answers by number; each is the method of contract.py of its name."""

    pieces: Callable[[S], tuple[Piece, ...]]
    temperament: Callable[[S, int], str]
    outlook: Callable[[S, int], Outlook]
    route: Callable[[S, int, Way, int], tuple[Action, ...]]
    targets: Callable[[S, int, int], tuple[Target, ...]]
    threats: Callable[[S, int], tuple[Threat, ...]]
    measures: Callable[[S, Decision], Iterator[Measure]]
    promise: Callable[[S, Action], Promise]
    spots: Callable[[S, int], Mapping[int, int]]
    reaches: Callable[[S, int, int], int]


class Numbered(Generic[S]):
    """The contract of advisors, fulfilled once its `modules` are named."""

    modules: ClassVar[Modules[Any]]

    def pieces(self, state: S) -> tuple[Piece, ...]:
        return self.modules.pieces(state)

    def temperament(self, state: S, creature: str) -> str:
        return self.modules.temperament(state, state.setup.index[creature])

    def outlook(self, state: S, creature: str) -> Outlook:
        return self.modules.outlook(state, state.setup.index[creature])

    def route(self, state: S, creature: str, way: Way, cell: int) -> tuple[Action, ...]:
        return self.modules.route(state, state.setup.index[creature], way, cell)

    def targets(self, state: S, by: str, cells: int) -> tuple[Target, ...]:
        return self.modules.targets(state, state.setup.index[by], cells)

    def threats(self, state: S, target: str) -> tuple[Threat, ...]:
        return self.modules.threats(state, state.setup.index[target])

    def measures(self, state: S, decision: Decision) -> Iterator[Measure]:
        return self.modules.measures(state, decision)

    def promise(self, state: S, action: Action) -> Promise:
        return self.modules.promise(state, action)

    def spots(self, state: S, creature: str) -> Mapping[int, int]:
        return self.modules.spots(state, state.setup.index[creature])

    def reaches(self, state: S, creature: str, start: int) -> int:
        return self.modules.reaches(state, state.setup.index[creature], start)
