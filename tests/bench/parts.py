"""Single parts of the rules: apply, legal, lines of sight, reach, odds."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from random import Random
from statistics import median

from rules import odds
from rules.grid import Field, Terrain, cells_of
from rules.path import reach
from rules.sight import grade, visible
from tests.bench import arena
from tests.bench.clock import each, times
from tests.bench.table import Row


def _positions(count: int) -> list:
    """(state, decision, action) of random fights."""
    rules, random = arena.rules(), Random(3)
    found = []
    seed = 1
    while len(found) < count:
        state = arena.start(seed=seed)
        for _ in range(200):
            if not rules.decisions(state):
                break
            decision = rules.decisions(state)[0]
            action = random.choice(list(rules.legal(state, decision)))
            found.append((state, decision, action))
            state = rules.apply(state, decision, action).state
        seed += 1
    return found[:count]


def _chess_positions(count: int) -> list:
    import chess

    random, board, found = Random(1), chess.Board(), []
    while len(found) < count:
        if board.is_game_over():
            board = chess.Board()
        move = random.choice(list(board.legal_moves))
        found.append((board.copy(stack=False), move))
        board.push(move)
    return found


def deeds(count: int = 3000) -> list[Row]:
    """`apply` and `legal` over positions of random fights."""
    rules, positions, boards = arena.rules(), _positions(count), _chess_positions(count)
    legal = times([lambda s=s, d=d: list(rules.legal(s, d)) for s, d, _ in positions])
    member = times([lambda s=s, d=d, a=a: a in rules.legal(s, d) for s, d, a in positions])
    apply = times([lambda s=s, d=d, a=a: rules.apply(s, d, a) for s, d, a in positions])
    moves = median(times([lambda b=b: list(b.legal_moves) for b, _ in boards]))
    push = median(times([lambda b=b, m=m: b.push(m) for b, m in boards]))
    return [
        Row("apply, median", median(apply), "µs", "push of python-chess", push, 6),
        Row("legal, the whole list, median", median(legal), "µs", "legal moves of python-chess", moves, 80),
        Row("one action tested for legality, median", median(member), "µs"),
    ]


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
    first = _first_reach(side)
    rows = [
        Row("line of sight, known", each(lambda: grade(terrain, a, b), 2000), "µs", "look-up in a dict",
            each(lambda: table.get(key), 2000), 0.2),
        Row("reach of six spaces, first time", first, "µs", "Dijkstra with a heap",
            each(lambda: dijkstra(terrain, near, 6), 20), 15),
        Row("… known", each(lambda: reach(terrain, near, 6).cells, 500), "µs", "Dijkstra with a heap",
            each(lambda: dijkstra(terrain, near, 6), 20)),
        Row("… with all paths, first time", _paths(terrain, near), "µs"),
    ]  # fmt: skip
    picks = random.sample(cells, 60)
    pairs = [(random.choice(cells), random.choice(cells)) for _ in range(300)]
    bare = _bare(side)
    cold = median(times([lambda p=p: grade(bare, *p) for p in pairs]))
    bare = _bare(side)
    seen = median(times([lambda c=c: visible(bare, c) for c in picks]))
    rows += [
        Row("line of sight, first time, median", cold, "µs", "reach of six spaces", rows[1].figure),
        Row("all that a space sees, first time, median", seen / 1000, "ms"),
        Row("odds of a pair of ranks, first time", _first_odds(), "ms"),
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


def _paths(terrain: Terrain, start: int) -> float:
    def once() -> None:
        terrain.ways_memo.clear()
        reach(terrain, start, 6).paths()

    return median(times([once] * 50))


def _first_odds() -> float:
    def once(attack: int, defense: int) -> Callable[[], object]:
        return lambda: odds.margins(attack, defense)

    odds.margins.cache_clear()
    odds._sum.cache_clear()
    return median(times([once(a, d) for a, d in ((8, 9), (12, 5), (6, 11), (10, 10), (7, 8))])) / 1000


def dijkstra(terrain: Terrain, start: int, budget: int) -> dict[int, int]:
    """What anybody would write first: costs of all spaces within the budget."""
    costs, queue = {start: 0}, [(0, start)]
    while queue:
        cost, cell = heapq.heappop(queue)
        if cost > costs[cell]:
            continue
        for there, step in terrain.neighbours(cell):
            total = cost + step
            if total <= budget and total < costs.get(there, 1 << 30):
                costs[there] = total
                heapq.heappush(queue, (total, there))
    return costs
