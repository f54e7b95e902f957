"""The ladder: the shipping computer against reference players, on mirrored maps, both sides swapped, three rulesets.

`make ladder` prints the tables and writes docs/ladder.md. Both bands are the same creatures in the same order, placed
as mirror images; every fight is fought twice with the same dice, the second time with the players' sides swapped.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from rules.core.registry import RULESETS, ruleset
from tests.bench.bouts import BANDS, LIMITS, MAPS, PLAYERS, Bout, bouts, pair
from tests.bench.paired import Pair, Verdict, verdict

RUNGS: tuple[tuple[str, str], ...] = (
    ("shipping", "greedy"), ("shipping", "kiter"), ("shipping", "turtle"), ("shipping", "focus"),
    ("shipping", "earlier"), ("shipping", "random"), ("cunning", "greedy"), ("brute", "greedy"), ("coward", "greedy"),
    ("cunning", "brute"), ("hard", "shipping"), ("hard", "greedy"), ("story", "shipping"), ("story", "greedy"),
)  # fmt: skip
DEAR: Mapping[str, int] = {"hard": 4}
"""Players whose fights cost so much that a rung of theirs has so many times fewer pairs."""
UNITS = {"olde": "turns", "cairn": "rounds", "countup": "seconds"}
GOALS = {"greedy": 0.9, "kiter": 0.65, "turtle": 0.65, "focus": 0.65, "earlier": 0.6}
"""What the computer that the game comes with should win of its fights, by opponent."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The whole ladder, or one rung of it."""
    parser = argparse.ArgumentParser(prog="make ladder", description=__doc__)
    parser.add_argument("--pairs", type=int, default=120, help="pairs of fights a rung (default: 120)")
    parser.add_argument("--headline", type=int, help="pairs of the first rung (default: as many as of the others)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--ruleset", action="append", choices=list(BANDS), help="only this one")
    parser.add_argument("--only", action="append", help="one rung, as in cunning:greedy; may be given again")
    parser.add_argument("--band", action="append", help="only this band")
    parser.add_argument("--write", type=Path, help="write the tables to this file")
    given = parser.parse_args(arguments)
    rungs = [_rung(parser, words) for words in given.only] if given.only else list(RUNGS)
    tables = {}
    with ProcessPoolExecutor(given.jobs) as pool:
        for kind in given.ruleset or [name for name in RULESETS if name in BANDS]:
            print(f"{ruleset(kind).title}", flush=True)
            lines = tables[kind] = list[str]()
            for player, other in rungs:
                bands = [band for band in given.band or () if band in BANDS[kind]]
                many = given.headline or given.pairs if (player, other) == RUNGS[0] else given.pairs
                fights = list(bouts(kind, player, other, max(1, many // DEAR.get(player, 1)), bands))
                results = list(pool.map(pair, fights, chunksize=4))
                lines.append(_line(player, other, verdict(results)))
                print(lines[-1], flush=True)
                if len(rungs) == 1:
                    _by_part(fights, results)
    if given.write:
        given.write.write_text(_page(tables), encoding="utf-8")
    return 0


def _rung(parser: argparse.ArgumentParser, words: str) -> tuple[str, str]:
    player, _, other = words.partition(":")
    for name in (player, other):
        if name not in PLAYERS:
            parser.error(f"--only: no player {name!r}; there are {', '.join(PLAYERS)}")
    return player, other


def _line(player: str, other: str, found: Verdict) -> str:
    """A row of the table."""
    goal = GOALS.get(other) if player == "shipping" else None
    sign = "< 0.001" if found.chance < 0.001 else f"{found.chance:.3f}"
    return (
        f"| {player} | {other} | {found.pairs} | {found.won:.1%} ({found.low:.1%} to {found.high:.1%}) | "
        f"{found.better} : {found.worse} | {sign} | {found.open} | {f'{goal:.0%}' if goal else ''} |"
    )


def _by_part(fights: Sequence[Bout], results: Sequence[Pair]) -> None:
    """One rung, parted by band and by map."""
    both = list(zip(fights, results, strict=True))
    parts: dict[str, list[Pair]] = {}
    for bout, result in both:
        parts.setdefault(bout.band, []).append(result)
    for where in MAPS:
        parts[where] = [result for bout, result in both if bout.map == where]
    for name, some in parts.items():
        if some:
            found = verdict(some)
            print(f"  {name}: {found.won:.1%} ({found.low:.1%} to {found.high:.1%}), {found.open} broken off")


def _page(tables: dict[str, list[str]]) -> str:
    parts = []
    for kind, lines in tables.items():
        bands = "\n".join(f"- {name}: {', '.join(who)}" for name, who in BANDS[kind].items())
        parts.append(
            TABLE.format(
                title=ruleset(kind).title, rows="\n".join(lines), bands=bands, limit=LIMITS[kind], unit=UNITS[kind]
            )
        )
    return PAGE.format(tables="\n".join(parts))


TABLE = """## {title}

| player | against | pairs | won | pairs better : worse | by chance | broken off | goal |
|---|---|---|---|---|---|---|---|
{rows}

A fight is broken off after {limit}. Bands:

{bands}
"""
PAGE = """# The ladder

How well the computer plays, beside players that anybody can write:

- `random` takes any legal action with equal chance;
- `greedy` strikes the hardest blow that it can strike now, else goes as near to a foe as it can;
- `kiter`: who shoots keeps away from foes and shoots, the others fight as `greedy` does, on the shortest way;
- `turtle` goes into a corner and lets everybody come;
- `focus` goes with the whole band for the foe who has fewest hit points left;
- `earlier` is the computer of before it was tuned and played as a band: the code of that revision, rules and all, in a
  process of its own (`tests/bench/earlier.py`).

`shipping` is what the game comes with, the level *Normal*: each creature by the temperament of its stat block. `hard`
and `story` are its other [levels](computer.md#levels), with fewer pairs where they are dear; `cunning`, `brute` and
`coward` play all creatures alike.

Both sides are the same band, on maps that look the same after half a turn, placed as mirror images of each other.
Each fight is fought twice with the same dice, the second time with the players' sides swapped: a pair, so that a player
against itself comes out exactly even. What is won is a share of all fights, those broken off counted as not won; the
interval at 95 % is a bootstrap over the pairs. *By chance* is how often players of the same strength part their pairs
so unevenly (sign test).

{tables}
`make ladder` makes this page anew; `make ladder ARGS='--ruleset cairn --only cunning:greedy'` plays one rung and parts
it by band and map.
"""


if __name__ == "__main__":
    sys.exit(main())
