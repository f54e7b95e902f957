"""How many clicks a room costs where nothing happens: a scripted player explores whole places in the fog."""

from __future__ import annotations

from typing import Any

import pytest

from game.content import adventures, encounter
from game.fight.match import Match
from game.fight.viewing import Eyes, possible
from game.party.looking import Looking, dark_edge, dark_in, nearest_dark
from game.party.orders import Going, Halt, Hold, Order, Task, Working
from game.party.table import Table, standing
from rules.contract.actions import Action
from rules.contract.units import EMPTY, Bitboard, Cell

MOST = 400
"""Orders after which a player gives up."""


class Clicker:
    """Explores room after room: one order each."""

    def __init__(self, record: dict[str, Any]) -> None:
        heroes = [
            {**c, "controller": "human"} for c in record["creatures"] if c["side"] == "heroes" and "group" not in c
        ]
        self.match = Match.from_record({**record, "creatures": heroes, "options": {**record["options"], "fog": True}})
        self.eyes = Eyes(self.match, ("heroes",))
        self.clicks = self.commands = 0
        self.stuck: list[str] = []
        self.tried: set[object] = set()
        self.looked: Bitboard = EMPTY

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

    def explore(self, rooms: int = 999) -> None:
        """Until so many rooms were seen, or nothing new is to be seen that a party can walk to: *Explore*, a double
        click on the nearest shut door where all that is open was looked over, and then the stairs."""
        for _ in range(MOST):
            if not self.match.decisions or self.match.decisions[0].kind != "explore" or self.rooms() >= rooms:
                return
            table = self.table()
            names = standing(table, [m.id for m in table.board.miniatures if m.side == "heroes"])
            here = table.minis[names[0]].cell
            ways = table.whole(here)
            manner = table.manners(next(iter(table.decisions)))[-1].do
            if (near := nearest_dark(table, here, self.looked)) is not None:
                self._look(names, manner, here if dark_in(table, here, self.looked) else near)
                continue
            dark = dark_edge(table) & ~self.looked
            shut = next((cell for _, cell in ways.within(999) if dark >> cell & 1), None)
            if shut is not None:
                self.carry_out(Going(names, shut, manner, here))
                self.clicks -= 1  # one double click does both
                self._look(names, manner, shut)
                self.looked |= 1 << shut
                continue
            stairs = [s for s in table.field.stairs if table.known >> s.cell & 1 and s not in self.tried]
            stairs = [s for s in stairs if s.cell == here or any(cell == s.cell for _, cell in ways.within(999))]
            if not stairs:
                return
            self.tried.add(stairs[0])
            self.carry_out(Working(names, [Task(n, ("stairs",), 1 << stairs[0].cell) for n in names], manner))

    def _look(self, names: list[str], manner: str, origin: Cell) -> None:
        order = Looking(names, manner, origin, self.looked)
        self.carry_out(order)
        self.looked |= order.done

    def rooms(self) -> int:
        """Rooms of which something was seen."""
        return sum(bool(room.cells & self.eyes.known()) for room in self.match.field.rooms)


def abbey(ruleset: str) -> dict[str, Any]:
    return dict(adventures.begun(adventures.adventures()[0], 1, ruleset=ruleset))


@pytest.mark.parametrize(("ruleset", "rooms"), [("olde", 26), ("cairn", 18), ("countup", 18)])
def test_a_room_of_the_abbey_costs_two_clicks_at_most(ruleset: str, rooms: int) -> None:
    player = Clicker(abbey(ruleset))
    player.explore(rooms)
    assert player.rooms() >= rooms
    assert player.clicks <= 2 * player.rooms(), f"{player.clicks} clicks for {player.rooms()} rooms"
    assert "never ended" not in player.stuck


def test_a_click_stands_for_many_commands() -> None:
    record = dict(encounter.surprise("crypt", None, 1, ruleset="olde"))
    player = Clicker({**record, "options": {"crawl": True}})
    player.explore()
    assert player.clicks <= 30
    assert player.commands > 4 * player.clicks
