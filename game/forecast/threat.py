"""How dangerous a group is to a party, out of simulated fights: the figures kept with the content, and their making.

`threat_of` plays a group against a party on open ground and gives 0 to 100: half of it for the share of the party's hit
points that the fight costs, half for the chance that the party is beaten. The figures of single monsters against the
yardstick party stand in `assets/threat/<ruleset>.toml`, beside how many of each are a match for four heroes;
`make threat` makes them anew (docs/threat.md).
"""

from __future__ import annotations

import argparse
import functools
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from game import content, paths
from game.forecast.danger import figure_of
from game.forecast.matches import match_of
from game.forecast.openground import TURNS, ThreatError, encounter
from game.forecast.simulate import simulate
from rules import record as records
from rules.errors import BattlematError

YARDSTICK = 2
"""Heroes of the content, the first ones, that single monsters are measured against."""
RUNS = 40
TABLES = {"threat": 1, "match": -1}
"""What is kept of every monster; whether more of it is more dangerous."""


def threat_of(ruleset_id: str, party: Sequence[str], group: Sequence[str], runs: int = RUNS) -> float:
    """0 (no harm at all) to 100 (the party is always beaten and cut down), to one decimal."""
    found = simulate(records.read(encounter(ruleset_id, party, group)), runs, turn_limit=TURNS)
    return figure_of(found, "heroes")


def yardstick(ruleset_id: str) -> tuple[str, ...]:
    """The party that single monsters are measured against."""
    return tuple(content.heroes(ruleset_id))[:YARDSTICK]


@functools.cache
def kept(ruleset_id: str, table: str = "threat") -> dict[str, float]:
    """The figures kept with the content, by monster: `threat`, or `match`. Raises ThreatError for a faulty file."""
    path, again = paths.asset("threat", f"{ruleset_id}.toml"), "make threat makes it anew"
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ThreatError(f"{path.name}: {error}; {again}") from None
    figures = document.get(table)
    if not isinstance(figures, dict) or set(document) - set(TABLES):
        raise ThreatError(f"{path.name}: needs the tables [threat] and [match], monster = figure; {again}")
    for name, figure in figures.items():
        if isinstance(figure, bool) or not isinstance(figure, int | float):
            raise ThreatError(f"{path.name}: {table}: {name}: needs a number; {again}")
    return {str(name): float(figure) for name, figure in figures.items()}


def write(ruleset_id: str, path: Path, runs: int, say: bool = True) -> None:
    """Measure every monster of the content and keep the figures, least dangerous first."""
    party = yardstick(ruleset_id)
    figures: dict[str, dict[str, float]] = {table: {} for table in TABLES}
    for name in content.monsters(ruleset_id):
        figures["threat"][name] = threat_of(ruleset_id, party, (name,), runs)
        figures["match"][name] = match_of(ruleset_id, name, runs)
        if say:
            print(f"{name}: {figures['threat'][name]}, match {figures['match'][name]}", file=sys.stderr)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(written(figures, runs, party), encoding="utf-8")


def written(figures: Mapping[str, Mapping[str, float]], runs: int, party: Sequence[str]) -> str:
    """The figures as the file has them."""
    lines = [
        f"# Made by `make threat`: {runs} fights each; threat against {' and '.join(party)}. docs/threat.md"
    ]
    for table, sign in TABLES.items():
        ranked = sorted(figures[table].items(), key=lambda one: (sign * one[1], one[0]))
        lines += ["", f"[{table}]", *(f"{name} = {figure}" for name, figure in ranked)]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """`python -m game.forecast.threat`: all figures anew, or one group against one party."""
    parser = argparse.ArgumentParser(prog="make threat", description=__doc__)
    parser.add_argument("--ruleset", default="olde")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--group", nargs="+", help="monsters, by their names in the content")
    parser.add_argument("--party", nargs="+", help="heroes; left out: the yardstick's two")
    says = parser.parse_args(arguments)
    try:
        if says.group:
            print(threat_of(says.ruleset, says.party or yardstick(says.ruleset), says.group, says.runs))
        else:
            write(says.ruleset, paths.asset("threat", f"{says.ruleset}.toml"), says.runs)
    except BattlematError as error:
        print(f"threat: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
