"""One evening in a place, the computer on both sides, and what became of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from game.content import adventures
from game.controllers.ai import AiController
from game.controllers.ai.controller import SCOUTING
from game.controllers.ai.delving.view import exploring_of
from game.fight.match import Match
from rules.contract.actions import pending
from rules.contract.errors import BattlematError, IllegalActionError
from rules.contract.events import Began, Condition, Event, Goal, Healing, Injury, Moved, Over, Summoned
from rules.contract.ruleset import PARTY
from rules.contract.units import EMPTY, Bitboard, Cell
from rules.core import record as records
from rules.explore.goals import is_bound

MOST = 20_000
"""Commands after which an evening is broken off."""
STILL = 1_500
"""Commands without a change of anything that is seen after which nobody gets anywhere any more: a stall."""
TELLING = (Condition, Goal, Healing, Injury, Summoned)
"""Events after which somebody may be in another state."""


class Evening(msgspec.Struct):
    """What became of one evening."""

    ruleset: str
    seed: int
    outcome: str = ""
    """`won`, `home` (left without all that was to be done), `fallen`, `stalled`, `broken off`, `error`."""
    heroes: int = 0
    alive: int = 0
    commands: int = 0
    turns: int = 0
    """Turns of exploration."""
    rounds: int = 0
    """Rounds (turns, seconds) of fights."""
    fights: int = 0
    deeds: int = 0
    """What heroes did in fights, passes left out."""
    clock: str = ""
    """The caption at the end: the time in the world."""
    deaths: list[str] = []
    """The rooms where heroes fell, in order."""
    roads: list[str] = []
    """The stairs that a hero was the first to take, by the rooms at their ends, in order."""
    left: list[str] = []
    """The room from which the party left, if it did."""
    last: str = ""
    """The room where the first of the party stood in the end."""
    rooms: int = 0
    """Rooms that a hero was in."""
    goals: dict[str, str] = {}
    refused: list[str] = []
    """What was offered as legal and refused all the same: errors of the rules."""
    why: str = ""
    """Why the party went home."""
    error: str = ""
    took: float = 0.0
    """Seconds of this computer."""


class Played(NamedTuple):
    """An evening and its record, to be looked at in the window."""

    evening: Evening
    record: records.Record


def play(name: str, ruleset: str, seed: int, *, most: int = MOST) -> Played:
    """Play an adventure with its ready heroes. Determined by its arguments alone."""
    began = time.process_time()
    evening = Evening(ruleset, seed)
    match = Match.from_record(adventures.begun(adventures.adventure(name), seed, ruleset=ruleset))
    run = _Run(match, evening)
    try:
        while evening.commands < most and run.step():
            pass
        evening.outcome = evening.outcome or run.outcome()
        run.close()
    except Exception as error:  # whatever one evening runs into is told with its seed, and the others are played
        evening.outcome = "error"
        evening.error = str(error) if isinstance(error, BattlematError) else f"{type(error).__name__}: {error}"
    evening.took = time.process_time() - began
    return Played(evening, match.record)


class _Run:
    """An evening under way."""

    def __init__(self, match: Match, evening: Evening) -> None:
        self.match, self.evening = match, evening
        self.known: Bitboard = EMPTY
        self.players: dict[str, AiController] = {}
        self.visited: set[str] = set()
        self.down: set[str] = set()
        self.heroes: set[str] = set()
        self.lives = 0
        self.looks: object = None
        self.since = 0
        self.hear(())

    def step(self) -> bool:
        """One command; whether there is another."""
        match, rules = self.match, self.match.ruleset
        decisions = rules.decisions(match.state)
        decision = pending(decisions)
        if decision is None:
            return False
        player = self.players.setdefault(decision.side, AiController())
        known = rules.observe(match.state, decision.side)
        action = player.choose(rules, known, decision, rules.legal(match.state, decision))
        try:
            events = match.act(decision, action)
        except IllegalActionError as error:  # it was among what is legal: an error of the rules
            self.evening.refused.append(f"{action.do}: {error}")
            legal = rules.legal(match.state, decision)
            events = match.act(decision, next(each for each in legal if each.do == "end"))
        self.evening.commands += 1
        self.evening.deeds += decision.side == PARTY and decision.kind != SCOUTING and action.do != "end"
        self.hear(events)
        if self.since > STILL:
            self.evening.outcome = "stalled"
            return False
        return not any(isinstance(event, Over) for event in events)

    def hear(self, events: Sequence[Event]) -> None:
        """Count what happened."""
        evening, field = self.evening, self.match.field
        self.known = Bitboard(self.known | self.match.ruleset.sees(self.match.state, PARTY))
        for event in events:
            if isinstance(event, Began):
                evening.fights += event.what == "fight"
                evening.rounds += event.what in ("turn", "round", "second")
            elif isinstance(event, Goal):
                evening.goals[event.goal] = event.state
            elif isinstance(event, Moved) and event.by in self.heroes and event.path:
                self.visited.add(self.room(field.cell(*event.path[-1])))
                road = f"{self.room(field.cell(*event.start))} → {self.room(field.cell(*event.path[-1]))}"
                if event.mode == "stairs" and road not in evening.roads:
                    evening.roads.append(road)
        if not events or any(isinstance(event, TELLING) for event in events):
            self.look()
        looks = (len(self.visited), self.known, evening.fights, len(evening.goals), self.lives)
        self.since = 0 if looks != self.looks else self.since + 1
        self.looks = looks

    def look(self) -> None:
        """Who is down, and how everybody is."""
        board = self.match.ruleset.board(self.match.state)
        self.lives = sum(mini.life for mini in board.miniatures)
        for mini in board.miniatures:
            if mini.side != PARTY:
                continue
            self.heroes.add(mini.id)
            if not mini.out:
                self.down.discard(mini.id)
            elif mini.id not in self.down:
                self.down.add(mini.id)
                self.evening.deaths.append(self.room(mini.cell))

    def room(self, cell: Cell) -> str:
        """The name of the room in which a space lies."""
        found = (room.name for room in self.match.field.rooms if cell >= 0 and room.cells >> cell & 1)
        return next(found, "between rooms" if cell >= 0 else "out of sight")

    def outcome(self) -> str:
        """How it ended."""
        board = self.match.ruleset.board(self.match.state)
        if board.over is None:
            return "broken off"
        if board.over != PARTY:
            return "fallen"
        return "won" if all(task.state == "done" for task in board.goals if not task.optional) else "home"

    def close(self) -> None:
        """What the end looks like."""
        evening, board = self.evening, self.match.ruleset.board(self.match.state)
        heroes = [mini for mini in board.miniatures if mini.side == PARTY]
        free = [mini for mini in heroes if not is_bound(mini)]
        evening.heroes, evening.alive = len(free), sum(not mini.dead for mini in free)
        evening.why = self.players[PARTY].homeward(PARTY) if PARTY in self.players else ""
        now = exploring_of(self.match.state)
        evening.turns = now.minute if now is not None else 0
        evening.rooms, evening.clock = len(self.visited), board.banner or board.caption
        evening.last = next((self.room(mini.cell) for mini in free if not mini.out), "nowhere")
        evening.left = [evening.last] if evening.outcome in ("won", "home") else []
        evening.goals = {task.name: task.state for task in board.goals}
