"""One fight as it is counted: who was hurt by whom and where, who fell, out of its events alone."""

from __future__ import annotations

from collections.abc import Sequence

from game.forecast.counts import Counts, CreatureCounts, Sum
from rules.board.grid import Field
from rules.contract.display import Board
from rules.contract.events import FELLED, Began, Condition, Event, Healing, Injury, Moved, Space, Summoned

OUT = ("incapacitated", "dead")
"""Statuses (record.md) in which a creature is down."""


class Tale:
    """What is counted of one fight, out of its events alone.

    Creatures called in during the fight bleed on the map like all others; what they do counts for who called them.
    """

    def __init__(self, board: Board, field: Field, *, turns: int = 0) -> None:
        self._width = field.width
        self._side = {mini.id: mini.side for mini in board.miniatures}
        self._size = {mini.id: mini.size for mini in board.miniatures}
        self.cells = {mini.id: mini.cell for mini in board.miniatures}
        """Where everybody stands: the upper left space."""
        self._began = tuple(self._side)
        self._caller = {name: name for name in self._began}
        self._down = {mini.id for mini in board.miniatures if mini.out}
        self._fell = set(self._down)
        self._dealt, self._taken, self._felled = (dict.fromkeys(self._began, 0) for _ in range(3))
        self._harmed: dict[str, str] = {}
        """Who harmed somebody last."""
        self._spilt: dict[str, dict[int, int]] = {}
        self.turns = turns

    def hear(self, events: Sequence[Event]) -> None:
        """Take in what happened."""
        for event in events:
            if isinstance(event, Moved) and not event.whole_for:
                if event.path and event.by in self.cells:
                    self.cells[event.by] = self._cell(event.path[-1])
            elif isinstance(event, Injury):
                self._hurt(event)
            elif isinstance(event, Healing):
                if event.what == "hp" and event.now > 0:
                    self._down.discard(event.target)
            elif isinstance(event, Condition):
                if event.gained and event.condition in FELLED and event.target in self.cells:
                    self._fall(event.target, self._harmed.get(event.target))
            elif isinstance(event, Summoned):
                self._called(event)
            elif isinstance(event, Began) and event.what == "turn":
                self.turns += 1

    def _cell(self, space: Space) -> int:
        return space[1] * self._width + space[0]

    def _called(self, event: Summoned) -> None:
        name = event.target
        if not event.gained:
            self.cells.pop(name, None)
        elif event.at is not None and event.by in self._side:
            self.cells[name] = self._cell(event.at)
            self._side[name] = self._side[event.by]
            self._size[name] = 1
            self._caller[name] = self._caller[event.by]

    def meet(self, board: Board) -> None:
        """See how large those are that were called in."""
        for mini in board.miniatures:
            if mini.id in self._size:
                self._size[mini.id] = mini.size

    def _hurt(self, event: Injury) -> None:
        who = event.target
        if who not in self.cells:
            return
        self._bleed(who, event.amount)
        if who in self._taken:
            self._taken[who] += event.amount
        striker = self._caller.get(event.by or "") if event.by != who else None
        if striker is not None:
            self._dealt[striker] += event.amount
            self._harmed[who] = striker
        if event.status in OUT:
            self._fall(who, striker)

    def _fall(self, who: str, striker: str | None) -> None:
        """Somebody is down: by a wound, or by the save that came after it."""
        if who not in self._down:
            self._down.add(who)
            self._fell.add(who)
            if striker is not None:
                self._felled[striker] += 1

    def _bleed(self, who: str, amount: int) -> None:
        """Damage falls on the spaces that a creature covers, point by point in turn, so that no point is lost."""
        size, cell = self._size[who], self.cells[who]
        spilt = self._spilt.setdefault(self._side[who], {})
        if size == 1:
            spilt[cell] = spilt.get(cell, 0) + amount
            return
        first = self._taken.get(who, 0)
        for point in range(first, first + amount):
            row, column = divmod(point % (size * size), size)
            space = cell + row * self._width + column
            spilt[space] = spilt.get(space, 0) + 1

    def counts(self, end: Board, number: int) -> Counts:
        """The fight as counts of one run."""
        run = 1 << number
        minis = {mini.id: mini for mini in end.miniatures}
        losses = dict.fromkeys((self._side[name] for name in self._began), 0)
        creatures = {}
        for name in self._began:
            mini = minis.get(name)
            out = mini is None or mini.out
            losses[self._side[name]] += out
            creatures[name] = CreatureCounts(
                int(name in self._fell or out),
                int(out),
                int(mini is not None and mini.dead),
                Sum.of(self._dealt[name]),
                Sum.of(self._taken[name]),
                Sum.of(self._felled[name]),
                Sum.of(mini.life if mini is not None else 0),
            )
        return Counts(
            runs=run,
            won={} if end.over is None else {end.over: run},
            undecided=run if end.over is None else 0,
            turns={max(1, self.turns if end.now is None else end.now): 1},
            losses={side: {lost: 1} for side, lost in losses.items()},
            creatures=creatures,
            spilt={side: {c: n for c, n in spaces.items() if n} for side, spaces in self._spilt.items()},
        )
