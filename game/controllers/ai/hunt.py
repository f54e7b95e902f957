"""Searching: what a side has seen of the ground, where it last saw its foes, and where to look next."""

from __future__ import annotations

from game.controllers.ai.table import Arms, Table
from rules.grid import Field, Terrain, cells_of
from rules.sight import visible


class Hunt:
    """One side's memory of one fight; it holds nothing that the side hasn't seen."""

    def __init__(self) -> None:
        self.forget(None)

    def forget(self, field: Field | None) -> None:
        """Begin anew on a map."""
        self.field = field
        self.turn: object = None
        self.arms: Arms = {}
        """How far everybody struck when it was last measured in this turn."""
        self.seen = 0
        self.last: dict[str, int] = {}

    def remember(self, table: Table) -> None:
        """Take in what the side sees now; a new fight on another map starts with an empty memory."""
        terrain = table.terrain
        if self.field is not terrain.field:
            self.forget(terrain.field)
        turn = table.ruleset.summary(table.state).get("turn")
        if turn != self.turn:
            self.turn = turn
            self.arms.clear()
        table.arms = self.arms
        now = self.view(table)
        self.seen |= now
        for foe in table.foes:
            self.last[foe.id] = foe.cell
        known = {foe.id for foe in table.foes}
        for name, cell in list(self.last.items()):
            mini = table.everyone.get(name)
            gone = mini is not None and (mini.out or mini.dead)
            if gone or (name not in known and now >> cell & 1):
                del self.last[name]

    @staticmethod
    def view(table: Table) -> int:
        """All spaces that the side's creatures see."""
        minis = [*table.friends, *([table.me] if table.me else [])]
        now = 0
        for mini in minis:
            now |= visible(table.terrain, mini.cell, mini.size)
        return now

    def goals(self, table: Table) -> tuple[int, ...]:
        """The spaces to search next: where foes were seen last, else ground not seen yet, else all of it again."""
        if table.foes or table.me is None:
            return ()
        if self.last:
            return tuple(dict.fromkeys(self.last.values()))
        ground = _ground(table.terrain, table.me.size)
        now = self.view(table)
        unseen = ground & ~self.seen
        if not self._any_way(table, unseen):
            self.seen = now
            unseen = ground & ~now
        return tuple(cells_of(unseen))

    @staticmethod
    def _any_way(table: Table, cells: int) -> bool:
        if not cells or table.me is None:
            return False
        return table.hunt_price(tuple(cells_of(cells)), table.me.cell) < 1 << 29


def _ground(terrain: Terrain, size: int) -> int:
    """Where a creature could stand, closed doors aside."""
    return terrain.steps(size).fit
