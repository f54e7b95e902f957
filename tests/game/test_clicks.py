"""How many clicks a room costs where nothing happens: a scripted player explores whole places in the fog."""

from __future__ import annotations

from typing import Any

from game.content import adventures, encounter
from game.fight.match import Match
from game.fight.viewing import Eyes, possible
from game.party.orders import Going, Halt, Hold, Order, Task, Working
from game.party.table import Table, standing
from rules.board.bitboard import cells_of
from rules.contract.actions import Action
from rules.contract.units import EMPTY, Bitboard

MOST = 400
"""Orders after which a player gives up."""


class Clicker:
    """Clicks on the nearest space that borders on what nobody has seen, and takes stairs: one order each."""

    def __init__(self, record: dict[str, Any]) -> None:
        heroes = [
            {**c, "controller": "human"} for c in record["creatures"] if c["side"] == "heroes" and "group" not in c
        ]
        self.match = Match.from_record({**record, "creatures": heroes, "options": {**record["options"], "fog": True}})
        self.eyes = Eyes(self.match, ("heroes",))
        self.clicks = self.commands = 0
        self.stuck: list[str] = []
        self.tried: set[object] = set()

    def table(self) -> Table:
        match, eyes = self.match, self.eyes
        return Table(match.ruleset, eyes.state(), eyes.board(), eyes.known(), match.decisions)

    def carry_out(self, order: Order) -> None:
        self.clicks += 1
        for _ in range(600):
            found = order.next(self.table())
            if isinstance(found, Halt | Hold):
                if isinstance(found, Halt) and found.why:
                    self.stuck.append(found.why)
                return
            assert isinstance(found, Action)
            decision = next(d for d in self.match.decisions if d.by == found.by)
            true = possible(self.match, decision, found, ("heroes",))
            if true is None:  # the fog hid what prevents it
                return
            self.match.act(decision, true)
            self.commands += 1
            if not self.match.decisions or self.match.decisions[0].kind != "explore":
                return
        self.stuck.append("never ended")

    def explore(self) -> None:
        """Until nothing new is to be seen that a party can walk to."""
        for _ in range(MOST):
            if not self.match.decisions or self.match.decisions[0].kind != "explore":
                return
            table = self.table()
            names = standing(table, [d.by for d in self.match.decisions])
            names = standing(table, [m.id for m in table.board.miniatures if m.side == "heroes"]) or names
            here = table.minis[names[0]].cell
            ways = table.whole(here)
            beyond = self._edge(table)
            goals = [(cost, cell) for cost, cell in ways.within(999) if beyond >> cell & 1 and cell not in self.tried]
            manner = table.manners(next(iter(table.decisions)))[-1].do
            if goals:
                _, cell = goals[0]  # the nearest space that borders on what nobody has seen
                self.tried.add(cell)
                self.carry_out(Going(names, cell, manner, here))
                continue
            stairs = [s for s in table.field.stairs if table.known >> s.cell & 1 and s not in self.tried]
            stairs = [s for s in stairs if s.cell == here or any(cell == s.cell for _, cell in ways.within(999))]
            if not stairs:
                return
            self.tried.add(stairs[0])
            self.carry_out(Working(names, [Task(n, ("stairs",), 1 << stairs[0].cell) for n in names], manner))

    def _edge(self, table: Table) -> Bitboard:
        known, found = table.known, EMPTY
        for cell in cells_of(known & table.opened.steps().fit):
            if any(not known >> other & 1 for other, _ in table.opened.neighbours(cell)):
                found |= 1 << cell
        return found

    def rooms(self) -> int:
        """Rooms of which something was seen."""
        return sum(bool(room.cells & self.eyes.known()) for room in self.match.field.rooms)


def abbey(ruleset: str) -> dict[str, Any]:
    return dict(adventures.begun(adventures.adventures()[0], 1, ruleset=ruleset))


def test_a_room_costs_two_or_three_clicks_for_who_sees_every_corner_by_torchlight() -> None:
    player = Clicker(abbey("olde"))
    player.explore()
    assert player.rooms() >= 20
    assert player.clicks <= 3 * player.rooms(), f"{player.clicks} clicks for {player.rooms()} rooms"
    assert not [why for why in player.stuck if "farther" in why or "never" in why]


def test_a_click_stands_for_many_commands() -> None:
    record = dict(encounter.surprise("crypt", None, 1, ruleset="olde"))
    player = Clicker({**record, "options": {"crawl": True}})
    player.explore()
    assert player.clicks <= 30
    assert player.commands > 4 * player.clicks
