"""What looking ahead costs: CPU time of the decisions at which the level hard plays its options on.

    .venv/bin/python -m tests.bench.foresight [RULESET ...]

Every decision of some mirrored fights is asked of hard as well, beside random games of python-chess, by which the times
are told as they would be on the machine of the goals with nothing else to do.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from game.controllers.ai import AiController
from rules.contract.actions import CHANCE, pending
from rules.core.registry import ruleset
from tests.bench.bouts import BANDS, bouts, start
from tests.bench.play import chess

FIGHTS = 4
FIRST = 600_500_000
EVERY = 4
"""Of so many chances one is asked."""
PACE = 18_730
"""Plies of random chess a CPU second on the machine of the goals."""


def main(arguments: Sequence[str] | None = None) -> int:
    """A line for each ruleset."""
    for kind in (sys.argv[1:] if arguments is None else arguments) or list(BANDS):
        print(line(kind), flush=True)
    return 0


def line(kind: str) -> str:
    """How long decisions take under a ruleset at which it looks ahead."""
    rules, taken, asked = ruleset(kind), list[float](), 0
    plies, paces = chess(), list[float]()
    for bout in bouts(kind, "hard", "shipping", FIGHTS, first=FIRST):
        state, quick, hard = start(bout), AiController(), AiController(level="hard")
        count, spent = plies(0.3)
        paces.append(count / spent)
        while (decision := pending(rules.decisions(state))) is not None:
            known, legal = rules.observe(state, decision.side), rules.legal(state, decision)
            if decision.kind == CHANCE:
                asked += 1
                if asked % EVERY == 0:
                    began = time.process_time()
                    hard.choose(rules, known, decision, legal)
                    taken.append(time.process_time() - began)
            state = rules.apply(state, decision, quick.choose(rules, known, decision, legal)).state
    pace = sum(paces) / len(paces)
    taken.sort()
    at = [taken[min(len(taken) - 1, int(part * len(taken)))] * 1000 for part in (0.5, 0.9, 0.99)]
    rest = [each * pace / PACE for each in at]
    return (
        f"{kind}: {len(taken)} decisions, ms at the median, 90th, 99th percentile: "
        f"{at[0]:.0f}, {at[1]:.0f}, {at[2]:.0f}; at rest {rest[0]:.0f}, {rest[1]:.0f}, {rest[2]:.0f}"
    )


if __name__ == "__main__":
    sys.exit(main())
