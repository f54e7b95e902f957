"""Whole fights: the rules alone under random play, and the computer on both sides, beside random games of chess."""

from __future__ import annotations

from random import Random
from statistics import median
from time import process_time_ns
from typing import Any

from game.controllers.ai import AiController
from rules.contract.ruleset import State
from tests.bench import arena
from tests.bench.clock import Work, percentile, rates, repeated
from tests.bench.table import Row

LONGEST = 400
"""Chances after which a random fight is broken off: both sides may have lost each other."""
CHESS = "random games of python-chess"


class Fights:
    """Fights one after another, each from another seed; chances are counted from offer to end."""

    def __init__(self, side: int = 32, heroes: int = 4, foes: int = 6) -> None:
        self.rules: Any = arena.rules()
        self.starts = [arena.start(side, heroes, foes, seed) for seed in range(1, 9)]
        self.number = 0
        self.state: State = self.starts[0]
        self.random = Random(7)
        self.players = {"heroes": AiController(), "monsters": AiController()}
        self.turns = 0
        """Chances of the fight at hand so far."""
        self.fights = 0
        self.decisions: list[float] = []
        """Microseconds of each of the computer's decisions."""

    def _next(self) -> None:
        self.number += 1
        self.state = self.starts[self.number % len(self.starts)]
        self.turns = 0
        self.players = {"heroes": AiController(), "monsters": AiController()}

    def at_random(self) -> int:
        """One chance of random legal play, from offer to end."""
        rules, choice, state = self.rules, self.random.choice, self.state
        open_now, chance = rules.decisions(state), _chance(state)
        while open_now:
            decision = open_now[0]
            state = rules.apply(state, decision, choice(list(rules.legal(state, decision)))).state
            open_now = rules.decisions(state)
            if _chance(state) != chance:
                break
        self._passed(state, bool(open_now))
        return 1

    def by_computer(self) -> int:
        """One chance of the computer against itself."""
        rules, state = self.rules, self.state
        open_now, chance = rules.decisions(state), _chance(state)
        while open_now:
            decision = open_now[0]
            start = process_time_ns()
            known = rules.observe(state, decision.side)
            legal = rules.legal(state, decision)
            action = self.players[decision.side].choose(rules, known, decision, legal)
            self.decisions.append((process_time_ns() - start) / 1000)
            state = rules.apply(state, decision, action).state
            open_now = rules.decisions(state)
            if _chance(state) != chance:
                break
        self._passed(state, bool(open_now))
        return 1

    def _passed(self, state: State, going_on: bool) -> None:
        self.state = state
        self.turns += 1
        if not going_on or self.turns >= LONGEST:
            self.fights += 1
            self._next()


def _chance(state: State) -> tuple[int, int, int]:
    """Tells chances apart: turn, round and whose."""
    return state.turn, state.round, state.chance.who if state.chance is not None else -1


def chess() -> Work:
    """Random games of chess, ply by ply."""
    import chess as python_chess

    random = Random(1)
    board = python_chess.Board()

    def ply() -> int:
        nonlocal board
        if board.is_game_over():
            board = python_chess.Board()
        board.push(random.choice(list(board.legal_moves)))
        return 1

    return repeated(ply)


def whole_fights(seconds: float) -> list[Row]:
    """Turns per CPU second, at random and by the computer."""
    random, computer = Fights(), Fights()
    works = {"chess": chess(), "random": repeated(random.at_random), "computer": repeated(computer.by_computer)}
    for work in works.values():
        work(seconds / 8)  # warm: what a map remembers is remembered by its second fight
    computer.decisions.clear()
    found = rates(works, seconds)
    against = found["chess"]
    decisions = computer.decisions
    return [
        Row("turns of random legal play", found["random"], "/ CPU s", CHESS, against, less=False, ratio_goal=0.5),
        Row("turns with the computer on both sides", found["computer"], "/ CPU s", CHESS, against, 2000, less=False),
        Row("the computer's decision, median", median(decisions) / 1000, "ms", "a ply of chess", 1e3 / against, 0.4),
        Row("… 99th percentile", percentile(decisions, 0.99) / 1000, "ms", "a ply of chess", 1e3 / against, 5),
    ]  # fmt: skip


def growth(seconds: float) -> list[Row]:
    """How the cost of a turn grows with creatures and with the map."""
    rows = []
    for what, settings in (
        ("creatures on 64 × 64", [(64, 4, 6), (64, 16, 24), (64, 40, 60)]),
        ("spaces a side, 10 creatures", [(32, 4, 6), (64, 4, 6), (128, 4, 6)]),
    ):
        for who in ("random", "computer"):
            first = None
            for side, heroes, foes in settings:
                fights = Fights(side, heroes, foes)
                once = fights.at_random if who == "random" else fights.by_computer
                work = repeated(once)
                work(seconds / 2)
                count, time = work(seconds)
                cost = time / count * 1e6
                size = heroes + foes if what.startswith("creatures") else side
                first = first or cost
                rows.append(Row(f"a turn, {who}, {size} {what}", cost, "µs", "the smallest", first))
    return rows
