"""Whole fights: the rules alone under random play, and the computer on both sides, beside random games of chess."""

from __future__ import annotations

from random import Random
from statistics import median
from time import process_time_ns
from typing import Any

from game.controllers.ai import AiController
from rules.contract.actions import Decision, pending
from rules.contract.ruleset import State
from rules.core.registry import ruleset
from rules.olde.state import OldeState
from tests.bench import arena
from tests.bench.clock import Work, percentile, rates, repeated
from tests.bench.table import Row

LONGEST = 400
"""Chances after which a random fight is broken off: both sides may have lost each other."""
CHESS = "random games of python-chess"


class Fights:
    """Fights one after another, each from another seed; turns go from one creature to the next."""

    def __init__(self, side: int = 32, heroes: int = 4, foes: int = 6, kind: str = "olde") -> None:
        self.rules: Any = arena.rules(kind)
        self.starts = [arena.start(side, heroes, foes, seed, kind) for seed in range(1, 9)]
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
        """One turn of random legal play, from offer to end."""
        rules, choice, state = self.rules, self.random.choice, self.state
        decision = pending(rules.decisions(state))
        chance = _chance(state, decision)
        while decision is not None:
            state = rules.apply(state, decision, choice(list(rules.legal(state, decision)))).state
            decision = pending(rules.decisions(state))
            if _chance(state, decision) != chance:
                break
        self._passed(state, decision is not None)
        return 1

    def by_computer(self) -> int:
        """One turn of the computer against itself."""
        rules, state = self.rules, self.state
        decision = pending(rules.decisions(state))
        chance = _chance(state, decision)
        while decision is not None:
            start = process_time_ns()
            known = rules.observe(state, decision.side)
            legal = rules.legal(state, decision)
            action = self.players[decision.side].choose(rules, known, decision, legal)
            self.decisions.append((process_time_ns() - start) / 1000)
            state = rules.apply(state, decision, action).state
            decision = pending(rules.decisions(state))
            if _chance(state, decision) != chance:
                break
        self._passed(state, decision is not None)
        return 1

    def _passed(self, state: State, going_on: bool) -> None:
        self.state = state
        self.turns += 1
        if not going_on or self.turns >= LONGEST:
            self.fights += 1
            self._next()


def _chance(state: Any, decision: Decision | None) -> object:
    """Tells turns apart: whose, and where the rules give several to one creature, which."""
    if isinstance(state, OldeState):
        return state.turn, state.round, state.chance.who if state.chance is not None else -1
    return decision.by if decision is not None else ""


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
    """Turns per CPU second under each ruleset, at random and by the computer."""
    return [row for kind in arena.KINDS for row in _whole_fights(kind, seconds / len(arena.KINDS))]


def _whole_fights(kind: str, seconds: float) -> list[Row]:
    random, computer = Fights(kind=kind), Fights(kind=kind)
    works = {"chess": chess(), "random": repeated(random.at_random), "computer": repeated(computer.by_computer)}
    for work in works.values():
        work(seconds / 4)  # warm: what a map remembers is remembered by its second fight
    computer.decisions.clear()
    found = rates(works, seconds)
    against = found["chess"]
    decisions, wanted, title = computer.decisions, 0.3 if arena.compiled() else 0.12, ruleset(kind).title
    return [
        Row(f"{title}: turns of random legal play", found["random"], "/ CPU s", CHESS, against, less=False,
            ratio_goal=0.5),
        Row("… with the computer on both sides", found["computer"], "/ CPU s", CHESS, against, less=False,
            ratio_goal=wanted),
        Row("… the computer's decision, median", median(decisions) / 1000, "ms", "a ply of chess", 1e3 / against, 0.4),
        Row("… … 99th percentile", percentile(decisions, 0.99) / 1000, "ms", "a ply of chess", 1e3 / against, 5),
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
                goal = 2.0 if who == "computer" and size == 100 else None
                rows.append(Row(f"a turn, {who}, {size} {what}", cost, "µs", "the smallest", first, ratio_goal=goal))
    return rows
