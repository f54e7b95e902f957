"""What the advisors of rulesets that number their creatures answer by their modules: names in, numbers on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from game.controllers.ai.advisors.planning import Measure, Outlook, Piece, Promise, Target, Threat, Way
from rules.contract.actions import Action, Decision
from rules.core.base_ruleset import Position

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
