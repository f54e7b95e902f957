"""From a file to the board: an evening in the abbey played through anew, and taken from what was written along."""

from __future__ import annotations

import gc
import tempfile
from pathlib import Path
from time import process_time

from game.content import adventures
from game.controllers.ai import AiController
from game.fight import remembered
from game.fight.match import Match
from rules.board.bitboard import cells_of
from rules.board.path import reach
from rules.contract.actions import pending
from rules.core.registry import RULESETS
from tests.bench import arena
from tests.bench.clock import each
from tests.bench.parts import dijkstra
from tests.bench.table import Row

COMMANDS = 400
"""Of each evening: its first hour, in which nothing is known of the ground yet."""
SEED = 7


def evenings() -> list[Row]:
    """Under each ruleset, for each command."""
    terrain = arena.walled(64).terrain()
    cells = cells_of(terrain.steps(1).fit)
    start = next(c for c in cells[len(cells) // 3 :] if reach(terrain, c, 6).cells.bit_count() > 60)
    heap = each(20, dijkstra, terrain, start, 6)
    rows = []
    for ruleset in RULESETS:
        match = _played(ruleset)
        record = match.record
        gc.collect()
        began = process_time()
        Match.from_record(record.model_copy(deep=True))
        anew = (process_time() - began) / match.history.length * 1e6
        rows += [
            Row(f"an evening loaded, {ruleset}, a command", anew, "µs", "Dijkstra with a heap", heap),
            Row("… from what was written along", _from_along(match), "µs", "Dijkstra with a heap", heap),
        ]
    return rows


def _played(ruleset: str) -> Match:
    """The first commands of an evening of the computer against itself."""
    match = Match.from_record(adventures.begun(adventures.adventure("drowned_abbey"), SEED, ruleset=ruleset))
    players: dict[str, AiController] = {}
    rules = match.ruleset
    while match.history.length < COMMANDS and (decision := pending(rules.decisions(match.state))) is not None:
        known = rules.observe(match.state, decision.side)
        player = players.setdefault(decision.side, AiController())
        match.act(decision, player.choose(rules, known, decision, rules.legal(match.state, decision)))
    return match


def _from_along(match: Match) -> float:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"evening{remembered.ALONG}"
        along = remembered.Along(path, match.record, match.field)
        for _ in range(COMMANDS // remembered.AT_MOST + 1):
            along.follow(match.history.moments, match.events)
        along.close()
        began = process_time()
        Match.from_record(match.record.model_copy(deep=True), along=path)
        return (process_time() - began) / match.history.length * 1e6
