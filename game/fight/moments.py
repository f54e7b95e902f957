"""What marks a moment of a fight or an evening out: when it was, where, who acted, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from game.fight.history import Past
from game.fight.match import Match
from game.fight.viewing import Eyes
from rules.contract import events as ev
from rules.contract.text import joined
from rules.contract.units import Cell

WEIGHTS: dict[type[ev.Event], int] = {
    ev.Over: 6, ev.Goal: 5, ev.Arrived: 5, ev.Freed: 5, ev.Left: 4, ev.Attack: 3, ev.Injury: 3, ev.Cast: 3,
    ev.Healing: 3, ev.Challenge: 3, ev.Item: 3, ev.Door: 2, ev.Check: 2, ev.Contest: 2, ev.Condition: 3,
    ev.Enchanted: 2, ev.Note: 2, ev.Noise: 1, ev.Posture: 1, ev.Moved: 1,
}  # fmt: skip
"""What one remembers a moment by, the greatest first; what is not here nobody remembers."""
DEEDS = 2
"""So many things that happened tell of a moment."""
LANDMARKS = ("fight", "truce")
WORST = ("dead", "critical", "dying", "incapacitated")


class Seen(NamedTuple):
    """A moment as a list shows it."""

    when: str
    where: str
    """The room, the map, or empty."""
    who: str
    """The id of who acted; empty for nobody in particular."""
    told: str
    """What came of it, as far as it was seen."""


def seen(match: Match, eyes: Eyes, past: Past, until: int) -> Seen:
    """What a list shows of going back to a moment: what was done from it on, up to so many commands."""
    history = match.history
    moment = history.moments[past.to]
    board = match.ruleset.board(moment.state)
    by = match.record.commands[past.to].by
    cells = {mini.id: mini.cell for mini in board.miniatures}
    ours = [mini.cell for mini in board.miniatures if mini.side == history.moments[past.to + 1].side and not mini.out]
    cell = cells.get(by, next(iter(ours), -1))
    where = ""
    if cell >= 0:
        field = match.field
        part = field.part(Cell(cell)).title if field.maps else ""
        where = next((room.name for room in field.rooms if room.cells >> cell & 1), "") or part
    events = eyes.events(history.events[moment.events : history.moments[until].events])
    return Seen(board.caption, where, by if by in cells else "", _told(match, events))


def _told(match: Match, events: Sequence[ev.Event]) -> str:
    """The two things worth most that happened, in their order."""
    state = match.state
    heard = [(event, said) for event in events if (weight(event)) and (said := match.ruleset.tell(state, event))]
    best = sorted(range(len(heard)), key=lambda number: (-weight(heard[number][0]), number))[:DEEDS]
    if best and weight(heard[best[0]][0]) > 1:  # a way is told where nothing else was
        best = [number for number in best if weight(heard[number][0]) > 1]
    return joined(" ", dict.fromkeys(heard[number][1] for number in sorted(best)))


def weight(event: ev.Event) -> int:
    """How well one remembers a moment by an event."""
    if isinstance(event, ev.Began):
        return 6 if event.what in LANDMARKS else 0
    if isinstance(event, ev.Condition) and event.condition in WORST:
        return 5
    return WEIGHTS.get(type(event), 0)
