"""Learns what positions are worth (game/controllers/ai/value.py) from fights of the computer with itself.

    make learn [ARGS='--ruleset olde --fights 400']

Bands drawn from those of the ladder meet on its maps, some of them short of a creature or two; now and then somebody
does something at random, so that positions are seen that the computer would avoid. Of each fight some positions are
kept, with how it ended. A logistic regression (Newton's method, with a penalty chosen by cross-validation) fits the
coefficients to four fights of five, and the fifth says how well they foretell. No seed of judging or of tuning is used.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import exp, log
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from game.content import tables as content
from game.controllers.ai import AiController
from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.value import FEATURES, features
from rules.contract.actions import CHANCE, pending
from rules.contract.ruleset import Scenario
from rules.contract.units import Cell
from rules.core.registry import ruleset
from tests.bench.bouts import BANDS, LIMITS, MAPS, SIDES, ground

SEEDS = 600_000_000
"""The first seed: far from those of judging and of tuning."""
EVERY = 4
"""Of so many chances about one is kept."""
ODD = 0.08
"""So many decisions are taken at random."""
PENALTIES = (3.0, 10.0, 30.0, 100.0, 300.0)
"""Against large coefficients: what half the square of each costs beside the log loss of all rows; tried one by one."""
PARTS = 5
"""Into so many parts fights are dealt: the last is kept apart, the others say which penalty foretells best."""
ROUNDS = 12
WRITTEN = Path("assets/ai/value.toml")


class Row(NamedTuple):
    """A position as the heroes' side saw it, and whether that side won."""

    fight: int
    features: tuple[float, ...]
    won: bool


def start(kind: str, seed: int) -> Any:
    """The first state of a fight between two bands, some of them short."""
    random = Random(seed)
    field = ground(random.choice(MAPS), seed % 7)
    room = field.terrain().steps(1).fit
    last = field.width * field.height - 1
    reach = random.choice((4, 4, 8))  # some begin near each other
    cells = [field.cell(x, y) for x in range(reach - 3, reach + 2) for y in range(1, field.height - 1)]
    cells = [cell for cell in cells if room >> cell & 1 and room >> last - cell & 1]
    names = {side: list(random.choice(list(BANDS[kind].values()))) for side in SIDES}
    if random.random() < 0.5:
        names[SIDES[1]] = list(names[SIDES[0]])
    creatures = []
    for side in SIDES:
        random.shuffle(cells)
        band = names[side][: len(names[side]) - random.choice((0, 0, 0, 1, 2))]
        for i, name in enumerate(band):
            cell = cells[i] if side == SIDES[0] else last - cells[i]
            entry = content.template(kind, name)
            creatures.append({**entry, "id": f"{side} {i + 1}", "side": side, "at": list(field.at(Cell(cell)))})
    return ruleset(kind).start(Scenario(kind, field, tuple(creatures), seed, None, {}, content.tables(kind))).state


def rows_of(kind: str, seed: int) -> list[Row]:
    """The positions of one fight; none of one that comes to no end."""
    rules, state, random = ruleset(kind), start(kind, seed), Random(seed)
    advisor, player, kept = advisor_of(rules), AiController(), list[tuple[float, ...]]()
    while (decision := pending(rules.decisions(state))) is not None:
        if decision.kind == CHANCE and not random.randrange(EVERY):
            if advisor.turn(state) > LIMITS[kind]:
                return []
            kept.append(features(rules, state, SIDES[0]))
        legal = rules.legal(state, decision)
        if decision.kind == CHANCE and random.random() < ODD:
            action = random.choice(list(legal))
        else:
            action = player.choose(rules, rules.observe(state, decision.side), decision, legal)
        state = rules.apply(state, decision, action).state
    winner = rules.board(state).over
    return [Row(seed, each, winner == SIDES[0]) for each in kept] if winner in SIDES else []


# -- the regression


def fitted(rows: Sequence[Row], penalty: float) -> list[float]:
    """Coefficients by Newton's method; no constant: an even position is worth a half."""
    size = len(FEATURES)
    weights = [0.0] * size
    for _ in range(ROUNDS):
        gradient = [-penalty * weight for weight in weights]
        curve = [[penalty * (i == j) for j in range(size)] for i in range(size)]
        for row in rows:
            given = row.features
            chance = _chance(weights, given)
            off, bend = row.won - chance, chance * (1.0 - chance)
            for i in range(size):
                amount = given[i]
                if amount:
                    gradient[i] += off * amount
                    line, part = curve[i], bend * amount
                    for j in range(i + 1):
                        line[j] += part * given[j]
        step = _solved(curve, gradient)
        weights = [weight + each for weight, each in zip(weights, step, strict=True)]
        if max(map(abs, step)) < 1e-6:
            break
    return weights


def best_penalty(rows: Sequence[Row]) -> float:
    """The penalty with which the rows of each part are foretold best from those of the others."""
    parts = [[row for row in rows if row.fight % PARTS == part] for part in range(PARTS)]

    def loss(penalty: float) -> float:
        total = 0.0
        for apart in filter(None, parts):
            weights = fitted([row for part in parts if part is not apart for row in part], penalty)
            total += quality(weights, apart).loss * len(apart)
        return total

    return min(PENALTIES, key=loss)


def _chance(weights: Sequence[float], given: Sequence[float]) -> float:
    total = sum([weight * amount for weight, amount in zip(weights, given, strict=True)])
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, total))))


def _solved(lower: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The solution of a symmetric system of which the lower half is given, by elimination."""
    size = len(right)
    rows = [[lower[max(i, j)][min(i, j)] for j in range(size)] + [right[i]] for i in range(size)]
    for i in range(size):
        best = max(range(i, size), key=lambda row: abs(rows[row][i]))
        rows[i], rows[best] = rows[best], rows[i]
        for j in range(i + 1, size):
            factor = rows[j][i] / rows[i][i]
            if factor:
                rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i], strict=True)]
    out = [0.0] * size
    for i in reversed(range(size)):
        out[i] = (rows[i][size] - sum(rows[i][j] * out[j] for j in range(i + 1, size))) / rows[i][i]
    return out


class Quality(NamedTuple):
    """How well coefficients foretell."""

    rows: int
    loss: float
    """Mean log loss; that of a coin is 0.693."""
    right: float
    """How often whom they favour wins."""
    bins: tuple[tuple[float, float, int], ...]
    """(foretold, came about, rows) for each fifth of the chances."""


def quality(weights: Sequence[float], rows: Sequence[Row]) -> Quality:
    """Of coefficients that were fitted to other rows."""
    loss, right = 0.0, 0
    parts: list[list[tuple[float, bool]]] = [[] for _ in range(5)]
    for row in rows:
        chance = min(1 - 1e-9, max(1e-9, _chance(weights, row.features)))
        loss -= log(chance if row.won else 1.0 - chance)
        right += (chance > 0.5) == row.won
        parts[min(4, int(chance * 5))].append((chance, row.won))
    bins = tuple(
        (sum(c for c, _ in part) / len(part), sum(w for _, w in part) / len(part), len(part)) for part in parts if part
    )
    return Quality(len(rows), loss / len(rows), right / len(rows), bins)


def tables(found: Mapping[str, Sequence[float]]) -> str:
    """The file of coefficients."""
    parts = [HEAD]
    for kind, weights in found.items():
        lines = "\n".join(f"{name} = {weight:.3f}" for name, weight in zip(FEATURES, weights, strict=True))
        parts.append(f"\n[{kind}]\n{lines}\n")
    return "".join(parts)


HEAD = """# What tells who will win, and how much (docs/computer.md): learned from fights of the computer with itself by
# `make learn`. What each number stands for is said in game/controllers/ai/value.py.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, fit, say how well it foretells, write the file."""
    parser = argparse.ArgumentParser(prog="make learn", description=__doc__)
    parser.add_argument("--ruleset", action="append", choices=list(BANDS), help="only this one; others' tables stay")
    parser.add_argument("--fights", type=int, default=500, help="fights a ruleset (default: 500)")
    parser.add_argument("--penalty", type=float, help="this one (default: chosen by cross-validation)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--write", type=Path, default=WRITTEN, help="the file (default: %(default)s)")
    given = parser.parse_args(arguments)
    found = dict(_known(given.write))
    with ProcessPoolExecutor(given.jobs) as pool:
        for kind in given.ruleset or list(BANDS):
            seeds = range(SEEDS, SEEDS + given.fights)
            rows = [row for some in pool.map(rows_of, [kind] * len(seeds), seeds, chunksize=8) for row in some]
            learned = [row for row in rows if row.fight % PARTS]
            penalty = given.penalty or best_penalty(learned)
            found[kind] = weights = fitted(learned, penalty)
            for line in report(kind, weights, rows, penalty):
                print(line, flush=True)
            given.write.write_text(tables(found), encoding="utf-8")
    return 0


def _known(path: Path) -> Iterator[tuple[str, list[float]]]:
    if path.exists():
        for kind, table in content.parsed(path.read_text(encoding="utf-8")).items():
            yield kind, [float(table.get(name, 0.0)) for name in FEATURES]


def report(kind: str, weights: Sequence[float], rows: Sequence[Row], penalty: float) -> Iterator[str]:
    """How well it foretells, in lines."""
    apart = [row for row in rows if not row.fight % PARTS]
    here, there = quality(weights, [row for row in rows if row.fight % PARTS]), quality(weights, apart)
    many = len({row.fight for row in rows})
    yield f"{kind}: {many} fights, {here.rows} positions, log loss {here.loss:.3f}, {here.right:.1%} right"
    yield f"  penalty {penalty:g}"
    yield f"  in fights apart: {there.rows} positions, log loss {there.loss:.3f}, {there.right:.1%} right"
    yield "  foretold and come about: " + ", ".join(f"{a:.0%} {b:.0%} ({n})" for a, b, n in there.bins)
    yield "  " + ", ".join(f"{name} {weight:+.2f}" for name, weight in zip(FEATURES, weights, strict=True))


if __name__ == "__main__":
    sys.exit(main())
