"""Single parts of the rules: apply, legal, lines of sight, reach, odds."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from random import Random
from statistics import median

from rules.board.bitboard import cells_of
from rules.board.grid import Field, Terrain
from rules.board.path import reach
from rules.board.sight import grade, visible
from rules.contract.actions import pending
from rules.contract.units import Cell
from rules.core import odds
from rules.core.registry import ruleset
from tests.bench import arena
from tests.bench.clock import each, timed, times
from tests.bench.table import Row


def deeds(count: int = 6000) -> list[Row]:
    """`apply` and `legal` of every ruleset while random fights are played, as any search or replay meets them."""
    moves, push = _chess(count)
    return [row for kind in arena.KINDS for row in _deeds(kind, count // len(arena.KINDS), moves, push)]


def _deeds(kind: str, count: int, moves: float, push: float) -> list[Row]:
    rules, random = arena.rules(kind), Random(3)
    legal: list[float] = []
    member: list[float] = []
    apply: list[float] = []
    seed = 0
    while len(apply) < count:
        seed += 1
        state = arena.start(seed=seed % 8, kind=kind)
        for _ in range(400):
            decision = pending(rules.decisions(state))
            if decision is None:
                break
            actions = timed(legal, lambda s=state, d=decision: list(rules.legal(s, d)))
            action = random.choice(actions)
            timed(member, lambda s=state, d=decision, a=action: a in rules.legal(s, d))
            state = timed(apply, lambda s=state, d=decision, a=action: rules.apply(s, d, a)).state
    title, most = ruleset(kind).title, 1.0 if arena.compiled() else 2.0
    return [
        Row(f"{title}: apply, median", median(apply), "µs", "push of python-chess", push, ratio_goal=most),
        Row("… legal, the whole list, median", median(legal), "µs", "legal moves of python-chess", moves, 80),
        Row("… one action tested for legality, median", median(member), "µs"),
    ]


def _chess(count: int) -> tuple[float, float]:
    """Medians of listing the moves and of making one, in random games."""
    import chess

    random, board = Random(1), chess.Board()
    listed: list[float] = []
    pushed: list[float] = []
    for _ in range(count):
        if board.is_game_over():
            board = chess.Board()
        move = random.choice(timed(listed, lambda b=board: list(b.legal_moves)))
        timed(pushed, lambda b=board, m=move: b.push(m))
    return median(listed), median(pushed)


def ground(side: int = 64) -> list[Row]:
    """Sight, reach and odds on a map of that size."""
    terrain = arena.walled(side).terrain()
    cells = cells_of(terrain.steps(1).fit)
    random = Random(5)
    a, b = cells[len(cells) // 2], cells[len(cells) // 2 + 9]
    grade(terrain, a, b)
    table = {(a, b): 3}
    key = (a, b)
    near = next(c for c in cells[len(cells) // 3 :] if reach(terrain, c, 6).cells.bit_count() > 60)
    first, heap = _first_reach(side), each(20, dijkstra, terrain, near, 6)
    rows = [
        Row("line of sight, known", each(2000, grade, terrain, a, b), "µs", "look-up in a dict",
            each(2000, table.get, key), 0.2),
        Row("reach of six spaces, first time", first, "µs", "Dijkstra with a heap",
            heap, 15),
        Row("… known", each(500, reach, terrain, near, 6), "µs", "Dijkstra with a heap",
            heap),
        Row("… with all paths, first time", _paths(terrain, near), "µs", "Dijkstra with a heap", heap),
    ]  # fmt: skip
    picks = random.sample(cells, 60)
    pairs = [(random.choice(cells), random.choice(cells)) for _ in range(300)]
    bare = _bare(side)
    cold = median(times([lambda p=p: grade(bare, *p) for p in pairs]))
    bare = _bare(side)
    seen = median(times([lambda c=c: visible(bare, c) for c in picks]))
    rows += [
        Row("line of sight, first time, median", cold, "µs", "Dijkstra with a heap", heap),
        Row("all that a space sees, first time, median", seen, "µs", "Dijkstra with a heap", heap),
        Row("odds of a pair of ranks, first time", _first_odds(), "µs", "Dijkstra with a heap", heap),
    ]
    return rows


def _bare(side: int) -> Terrain:
    """The same ground, of which nothing is remembered."""
    return Field.from_rows(arena.rows_of(arena.walled(side))).terrain()


def _first_reach(side: int) -> float:
    terrain = _bare(side)
    wide = [c for c in cells_of(terrain.steps(1).fit) if reach(terrain, c, 6).cells.bit_count() > 60][:300]
    terrain.ways_memo.clear()
    return median(times([lambda c=c: reach(terrain, c, 6).cells for c in wide]))


def _paths(terrain: Terrain, start: Cell) -> float:
    def once() -> None:
        terrain.ways_memo.clear()
        reach(terrain, start, 6).paths()

    return median(times([once] * 50))


def _first_odds() -> float:
    def once(attack: int, defense: int) -> Callable[[], object]:
        return lambda: odds.margins(attack, defense)

    odds.margins.cache_clear()
    odds._sum.cache_clear()
    return median(times([once(a, d) for a, d in ((8, 9), (12, 5), (6, 11), (10, 10), (7, 8))]))


def dijkstra(terrain: Terrain, start: int, budget: int) -> dict[int, int]:
    """What anybody would write first: costs of all spaces within the budget."""
    costs, queue = {start: 0}, [(0, start)]
    while queue:
        cost, cell = heapq.heappop(queue)
        if cost > costs[cell]:
            continue
        for there, step in terrain.neighbours(Cell(cell)):
            total = cost + step
            if total <= budget and total < costs.get(there, 1 << 30):
                costs[there] = total
                heapq.heappush(queue, (total, there))
    return costs
