"""How dangerous a group is to a party, out of simulated fights: the figures kept with the content, and their making.

`threat_of` plays a group against a party on open ground and gives 0 to 100: half of it for the share of the party's hit
points that the fight costs, half for the chance that the party is beaten. The figures of single monsters against the
yardstick party stand in `assets/threat/<ruleset>.toml`; `make threat` makes them anew (docs/threat.md).
"""

from __future__ import annotations

import argparse
import functools
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from game import content, paths
from game.forecast.danger import figure_of
from game.forecast.simulate import simulate
from rules import record as records
from rules.errors import BattlematError

GROUND = ("#" * 16, *("#" + "." * 14 + "#" for _ in range(9)), "#" * 16)
"""Open ground: what a map adds is not the monsters' doing."""
YARDSTICK = 2
"""Heroes of the content, the first ones, that single monsters are measured against."""
RUNS, SEED, TURNS = 40, 11, 40


class ThreatError(BattlematError):
    """A group or a file of figures that is wrong."""


def encounter(ruleset_id: str, party: Sequence[str], group: Sequence[str]) -> dict[str, Any]:
    """The record of a party on the left against a group on the right. Raises ThreatError for too many."""
    creatures: list[dict[str, Any]] = []
    for side, names, left in (("heroes", party, 1), ("monsters", group, 9)):
        wide = max([int(content.template(ruleset_id, name).get("space", 1)) for name in names], default=1)
        places = list(_places(left, wide))
        if not names or len(names) > len(places):
            raise ThreatError(
                f"{side}: 1 to {len(places)} creatures of this size have room, got {len(names)}"
            )
        for number, (name, place) in enumerate(zip(names, places, strict=False), 1):
            entry = {"id": f"{side}-{number}", "template": name, "side": side, "at": list(place)}
            creatures.append({**entry, "controller": "ai"})
    return {
        "format": records.FORMAT, "ruleset": ruleset_id, "map": {"rows": list(GROUND)}, "seed": SEED,
        "creatures": creatures,
    }  # fmt: skip


def _places(left: int, wide: int) -> Iterator[tuple[int, int]]:
    for column in range(left, left + 6 - wide + 1, wide):
        for row in range(1, 10 - wide + 1, wide):
            yield column, row


def threat_of(ruleset_id: str, party: Sequence[str], group: Sequence[str], runs: int = RUNS) -> float:
    """0 (no harm at all) to 100 (the party is always beaten and cut down), to one decimal."""
    found = simulate(records.read(encounter(ruleset_id, party, group)), runs, turn_limit=TURNS)
    return figure_of(found, "heroes")


def yardstick(ruleset_id: str) -> tuple[str, ...]:
    """The party that single monsters are measured against."""
    return tuple(content.heroes(ruleset_id))[:YARDSTICK]


@functools.cache
def kept(ruleset_id: str) -> dict[str, float]:
    """The figures kept with the content, by monster. Raises ThreatError for a faulty file."""
    path, again = paths.asset("threat", f"{ruleset_id}.toml"), "make threat makes it anew"
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ThreatError(f"{path.name}: {error}; {again}") from None
    figures = document.get("threat")
    if not isinstance(figures, dict) or len(document) > 1:
        raise ThreatError(f"{path.name}: needs one table [threat], monster = figure; {again}")
    for name, figure in figures.items():
        if isinstance(figure, bool) or not isinstance(figure, int | float):
            raise ThreatError(f"{path.name}: threat: {name}: needs a number; {again}")
    return {str(name): float(figure) for name, figure in figures.items()}


def write(ruleset_id: str, path: Path, runs: int, say: bool = True) -> None:
    """Measure every monster of the content and keep the figures, least first."""
    party, figures = yardstick(ruleset_id), {}
    for name in content.monsters(ruleset_id):
        figures[name] = threat_of(ruleset_id, party, (name,), runs)
        if say:
            print(f"{name}: {figures[name]}", file=sys.stderr)
    head = f"# Made by `make threat`: {runs} fights each against {' and '.join(party)}. docs/threat.md\n\n[threat]\n"
    lines = [
        f"{name} = {figure}" for name, figure in sorted(figures.items(), key=lambda one: (one[1], one[0]))
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


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
