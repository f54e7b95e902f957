"""The ladder: the shipping computer against reference players, on mirrored maps, both sides swapped.

`make ladder` prints the table and writes docs/ladder.md. Both bands are the same creatures in the same order, placed as
mirror images; every pairing is played twice, the second time with the players' sides swapped, and with the same dice.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from game.content import tables as content
from game.controllers import Controller
from game.controllers.ai import AiController, GreedyController, RandomController
from game.controllers.ai.advisors import advisor_of
from game.forecast.counts import wilson
from rules.board.grid import Field
from rules.contract.ruleset import Scenario
from rules.contract.units import Cell
from rules.core.registry import ruleset

SIDES = ("heroes", "monsters")
LIMIT = 60
"""Turns after which a fight is broken off; it counts half for either."""
BANDS: Mapping[str, tuple[str, ...]] = {
    "swords and a bow": ("warrior", "templar", "ranger", "rogue"),
    "raiders": ("orc", "orc", "goblin", "goblin", "goblin_archer"),
    "pack": ("wolf", "wolf", "wolf", "ghoul"),
    "the dead": ("skeleton", "skeleton", "skeleton_archer", "ghoul"),
    "bandits": ("bandit", "bandit", "cultist", "goblin_archer", "goblin_chief"),
    "spells": ("warrior", "priest", "wizard", "ranger"),
}
MAPS = ("hall", "pillars", "gap", "rooms")
_PLAYERS: Mapping[str, Callable[[int], Controller]] = {
    "random": RandomController,
    "greedy": lambda seed: GreedyController(),
    "cunning": lambda seed: AiController("cunning"),
    "brute": lambda seed: AiController("brute"),
    "coward": lambda seed: AiController("coward"),
    "shipping": lambda seed: AiController(),
}


class Bout(NamedTuple):
    """One fight: who meets whom, where, with what dice; `swapped`: the first player has the second side."""

    player: str
    other: str
    band: str
    map: str
    seed: int
    swapped: bool


class Tally(NamedTuple):
    """Fights won, lost and broken off by the first player."""

    won: int = 0
    lost: int = 0
    open: int = 0

    @property
    def played(self) -> int:
        return self.won + self.lost + self.open


@lru_cache(maxsize=64)
def ground(kind: str, seed: int) -> Field:
    """A map that looks the same after half a turn."""
    random, width, height = Random(f"{kind} {seed}"), 22, 14
    rows = [["."] * width for _ in range(height)]

    def put(x: int, y: int, symbol: str) -> None:
        rows[y][x] = rows[height - 1 - y][width - 1 - x] = symbol

    for x in range(width):
        put(x, 0, "#")
    for y in range(height):
        put(0, y, "#")
    if kind == "pillars":
        for _ in range(9):
            put(random.randrange(4, width - 4), random.randrange(1, height - 1), "#")
        for _ in range(8):
            put(random.randrange(4, width - 4), random.randrange(1, height - 1), "~")
    elif kind in ("gap", "rooms"):
        wall = width // 2 - 1
        for y in range(1, height - 1):
            put(wall, y, "#")
        gap = random.randrange(2, height - 3)
        for y in (gap, gap + 1):
            put(wall, y, ".")
            put(wall, height - 1 - y, ".")
    if kind == "rooms":
        for x in range(1, 6):
            put(x, height // 2 - 1 if x % 2 else height // 2, "#")
        put(width // 2 - 1, gap, "+")
    return Field.from_rows(["".join(row) for row in rows])


def start(bout: Bout) -> Any:
    """The first state: the same band on both sides, in mirrored places."""
    field = ground(bout.map, bout.seed % 7)
    random = Random(bout.seed)
    room = field.terrain().steps(1).fit
    cells = [field.cell(x, y) for x in range(1, 5) for y in range(1, field.height - 1)]
    cells = [cell for cell in cells if room >> cell & 1]
    random.shuffle(cells)
    last = field.width * field.height - 1
    creatures = []
    order = SIDES if bout.seed % 2 else SIDES[::-1]
    for i, name in enumerate(BANDS[bout.band]):
        for side in order:
            cell = cells[i] if side == SIDES[0] else last - cells[i]
            entry = content.template("olde", name)
            creatures.append({**entry, "id": f"{side} {i + 1}", "side": side, "at": list(field.at(Cell(cell)))})
    scenario = Scenario("olde", field, tuple(creatures), bout.seed, None, {}, content.tables("olde"))
    return ruleset("olde").start(scenario).state


def play(bout: Bout) -> int:
    """1 if the first player wins, −1 if it loses, 0 if the fight is broken off."""
    rules, state = ruleset("olde"), start(bout)
    own, others = SIDES[::-1] if bout.swapped else SIDES
    players = {own: _PLAYERS[bout.player](bout.seed), others: _PLAYERS[bout.other](bout.seed + 1)}
    turn = advisor_of(rules).outlook(state, advisor_of(rules).pieces(state)[0].id).turn
    while open_now := rules.decisions(state):
        decision = open_now[0]
        if decision.by == decision.side or turn > LIMIT:
            break
        known = rules.observe(state, decision.side)
        action = players[decision.side].choose(rules, known, decision, rules.legal(state, decision))
        state = rules.apply(state, decision, action).state
        turn = state.turn
    winner = rules.board(state).over
    return 0 if not winner else 1 if winner == own else -1


def bouts(player: str, other: str, pairs: int, bands: Sequence[str] = tuple(BANDS)) -> Iterator[Bout]:
    """So many pairs of fights, spread over bands and maps."""
    for number in range(pairs):
        band, where = bands[number % len(bands)], MAPS[number // len(bands) % len(MAPS)]
        for swapped in (False, True):
            yield Bout(player, other, band, where, 1000 + number, swapped)


def tally(results: Sequence[int]) -> Tally:
    """Counted."""
    return Tally(results.count(1), results.count(-1), results.count(0))


def share(count: Tally) -> str:
    """Wins with their interval, in per cent; fights broken off count as lost."""
    low, high = wilson(count.won, count.played)
    return f"{count.won / max(1, count.played):.1%} ({low:.1%} to {high:.1%})"


def main(arguments: Sequence[str] | None = None) -> int:
    """The whole ladder."""
    parser = argparse.ArgumentParser(prog="make ladder", description=__doc__)
    parser.add_argument("--pairs", type=int, default=240, help="pairs of fights a rung (default: 240)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--only", help="one rung, as in cunning:greedy")
    parser.add_argument("--band", action="append", choices=sorted(BANDS), help="only this band")
    parser.add_argument("--write", type=Path, help="write the table to this file")
    given = parser.parse_args(arguments)
    rungs = [("shipping", "random"), ("shipping", "greedy"), ("cunning", "greedy"), ("brute", "greedy"),
             ("coward", "greedy"), ("cunning", "brute")]  # fmt: skip
    if given.only:
        rungs = [tuple(given.only.split(":"))]
    bands = tuple(given.band or BANDS)
    lines = []
    with ProcessPoolExecutor(given.jobs) as pool:
        for player, other in rungs:
            fights = list(bouts(player, other, given.pairs, bands))
            results = list(pool.map(play, fights, chunksize=8))
            count = tally(results)
            line = f"| {player} | {other} | {count.played} | {share(count)} | {count.open} |"
            print(line, flush=True)
            lines.append(line)
            if given.only:
                _by_part(fights, results, bands)
    if given.write:
        given.write.write_text(_page(lines), encoding="utf-8")
    return 0


def _by_part(fights: Sequence[Bout], results: Sequence[int], bands: Sequence[str]) -> None:
    pairs = list(zip(fights, results, strict=True))
    for band in bands:
        print(f"  {band}: {share(tally([result for bout, result in pairs if bout.band == band]))}")
    for where in MAPS:
        print(f"  {where}: {share(tally([result for bout, result in pairs if bout.map == where]))}")


def _page(lines: Sequence[str]) -> str:
    bands = "\n".join(f"- {name}: {', '.join(who)}" for name, who in BANDS.items())
    return PAGE.format(rows="\n".join(lines), bands=bands, limit=LIMIT)


PAGE = """# The ladder

How well the computer plays, beside players that anybody can write: `random` takes any legal action with equal
chance; `greedy` strikes the hardest blow that it can strike now, else goes as near to a foe as it can. `shipping` is
what the game comes with: each creature by the temperament of its stat block; `cunning`, `brute` and `coward` play all
creatures alike.

Both sides are the same band, on maps that look the same after half a turn, placed as mirror images of each other.
Each fight is fought twice with the same dice, the second time with the players' sides swapped. Intervals are Wilson's
at 95 %. A fight of more than {limit} turns is broken off and counts as not won.

| player | against | fights | won | broken off |
|---|---|---|---|---|
{rows}

Bands:

{bands}

`make ladder` makes this page anew; `make ladder ARGS='--only cunning:greedy'` plays one rung and parts it by band
and map.
"""


if __name__ == "__main__":
    sys.exit(main())
