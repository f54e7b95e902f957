"""A visit to the Drowned Abbey for tests: one hero or some in a place of it, orders given one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from game.content import adventures
from game.content.encounter import Record
from game.fight.match import Match
from rules.board.path import distances
from rules.contract.actions import Action, Decision
from rules.contract.display import Miniature
from rules.contract.events import Event
from rules.contract.ruleset import PARTY
from rules.contract.text import as_builtins
from rules.contract.units import Cell
from tests.abbey.rooms import ground

CLOISTER, UNDERCROFT, CRYPT = "drowned_cloister", "drowned_undercroft", "drowned_crypt"
Spot = tuple[str, int, int]
"""A space of a level: its map, column and row."""


@cache
def evening(ruleset: str, seed: int) -> Record:
    """The adventure as it begins."""
    return adventures.begun(adventures.adventure("drowned_abbey"), seed, ruleset=ruleset)


class Visit:
    """An evening that has only just begun, with heroes where the test wants them and those who live there as named."""

    def __init__(
        self, ruleset: str, spots: Sequence[Spot], *, folk: Sequence[str] = (), seed: int = 1,
        hero: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        self.begun = evening(ruleset, seed)
        heroes = [each for each in self.begun["creatures"] if each["side"] == PARTY]
        there = [each for each in self.begun["creatures"] if each["id"] in folk]
        tops = {part.name: part.top for part in ground("drowned_abbey").maps}
        placed = [
            {**each, **(hero or {}), "at": [column, row + tops[level]]}
            for each, (level, column, row) in zip(heroes, spots, strict=False)
        ]
        self.names = [each["id"] for each in placed]
        self.match = Match.from_record({**self.begun, "options": {"crawl": True}, "creatures": [*placed, *there]})
        self.rules, self.field, self.tops = self.match.ruleset, self.match.field, tops
        self.events: list[Event] = []

    @property
    def exploring(self) -> bool:
        found = self.rules.decisions(self.match.state)
        return bool(found) and found[0].kind == "explore"

    def cell(self, spot: Spot) -> Cell:
        level, column, row = spot
        return self.field.cell(column, row + self.tops[level])

    def decision(self, by: str = "") -> Decision | None:
        name = by or self.names[0]
        found = (each for each in self.rules.decisions(self.match.state) if each.by == name and not each.answered)
        return next(found, None)

    def legal(self, word: str, by: str = "", *, at: Spot | None = None, target: str | None = None) -> list[Action]:
        """What somebody may do of a word now, in the next turn if this one is spent."""
        for _ in range(3):
            decision = self.decision(by)
            if decision is not None:
                found = [each for each in self.rules.legal(self.match.state, decision) if each.do == word]
                if at is not None:
                    found = [each for each in found if each.at == self.cell(at)]
                if target is not None:
                    found = [each for each in found if each.target == target]
                if found:
                    return found
            self.wait()
        return []

    def act(self, action: Action) -> list[Event]:
        decision = self.decision(action.by)
        assert decision is not None
        happened = list(self.match.act(decision, action))
        self.events += happened
        return happened

    def wait(self) -> None:
        """A turn of exploration passes."""
        for name in self.names:
            decision = self.decision(name) if self.exploring else None
            if decision is not None:
                self.events += self.match.act(decision, Action(name, "end"))

    def go(self, spot: Spot, by: str = "", turns: int = 12, manner: str = "walk") -> None:
        """Somebody walks to a space, over as many turns as that takes; doors on the way are open."""
        goal = self.cell(spot)
        for _ in range(turns):
            mini = self.mini(by or self.names[0])
            if mini.cell == goal:
                return
            far = distances(self.rules.terrain(self.match.state), goal)
            ends = {each.path[-1]: each for each in self.legal(manner, by) if each.path}
            found = min(ends, key=lambda cell: (far[cell] if far[cell] >= 0 else 9999, cell), default=None)
            if found is None:
                break
            self.act(ends[found])
        assert self.mini(by or self.names[0]).cell == goal, f"{spot} was not reached"

    def mini(self, name: str) -> Miniature:
        return next(each for each in self.rules.board(self.match.state).miniatures if each.id == name)

    def door(self, name: str) -> str:
        """How a door stands."""
        number = next(n for n, door in enumerate(self.field.doors) if door.id == name)
        return str(self.rules.board(self.match.state).doors[number])

    def goals(self) -> dict[str, str]:
        return {each.name: each.state for each in self.rules.board(self.match.state).goals}

    def told(self, what: str) -> list[dict[str, Any]]:
        return [told for told in map(as_builtins, self.events) if told["event"] == what]

    def room(self, name: str = "") -> str:
        """The name of the room in which somebody stands."""
        cell = self.mini(name or self.names[0]).cell
        return next((each.name for each in self.field.rooms if cell >= 0 and each.cells >> cell & 1), "")

    def roused(self, name: str) -> bool:
        """Whether somebody knows that strangers are there."""
        state: Any = self.match.state
        return bool(state.explore.roused >> state.setup.index[name] & 1)

    def ran(self) -> bool:
        """Whether somebody has run for help."""
        return any("runs for help" in note["text"] for note in self.told("note"))
