"""What runs in an earlier revision's tree for `earlier.py`: it plays the same bouts and says what its computer does.

Only what has stood in `tests/bench/bouts.py` since the ladder plays pairs is used here.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import msgspec

from game.controllers.ai import AiController
from rules.contract.actions import Action, pending
from rules.contract.text import as_builtins
from rules.core.registry import ruleset
from tests.bench.bouts import Bout, start


class Fight:
    """A bout as this revision plays it."""

    def __init__(self, bout: list[Any]) -> None:
        kind, _, _, band, where, seed, *_ = bout
        self.rules = ruleset(kind)
        self.state = start(Bout(kind, "shipping", "shipping", band, where, seed))
        self.players: dict[str, AiController] = {}

    def decision(self) -> Any:
        return pending(self.rules.decisions(self.state))

    def choose(self, by: str) -> Any:
        decision, state = self.decision(), self.state
        if decision is None or decision.by != by:
            raise ValueError(f"{decision and decision.by} decides here, not {by}")
        player = self.players.setdefault(decision.side, AiController())
        known, legal = self.rules.observe(state, decision.side), self.rules.legal(state, decision)
        return as_builtins(player.choose(self.rules, known, decision, legal))

    def apply(self, action: Any) -> None:
        self.state = self.rules.apply(self.state, self.decision(), msgspec.convert(action, Action)).state

    def end(self) -> str | None:
        winner: str | None = self.rules.board(self.state).over
        return winner


def main() -> None:
    """Answer until nobody asks any more."""
    fights: dict[int, Fight] = {}
    for line in sys.stdin:
        question, number, *what = json.loads(line)
        try:
            if question == "begin":
                fights[number] = Fight(*what)
                said: dict[str, Any] = {"answer": None}
            else:
                said = {"answer": getattr(fights[number], question)(*what)}
            if question == "end":
                del fights[number]
        except Exception as error:  # all of it is said over there
            said = {"wrong": f"{type(error).__name__}: {error}"}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
