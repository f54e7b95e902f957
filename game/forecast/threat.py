"""Threat and weights out of simulated fights on open ground: the figures kept with the content, and their making.

`threat_between` plays a group against a party and gives the party's chance to lose, in points. What each creature
weighs stands in `assets/threat/<ruleset>.toml`; `make threat` makes it anew (docs/threat.md).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Mapping, Sequence

from game import content, paths
from game.forecast.danger import threat_of
from game.forecast.matches import PARTY, match_of
from game.forecast.openground import TURNS, encounter
from game.forecast.simulate import simulate
from game.weights import PARTY as PARTY_WEIGHT
from game.weights import TABLE, kept, weight
from rules import record as records
from rules.errors import BattlematError
from rules.registry import RULESETS

RUNS = 40
HEAD = """# What creatures weigh: what beats four ready heroes in three fights of ten weighs 24 (docs/threat.md).
# Out of matches on open ground (make threat) and fights on the maps (python -m tests.bench.fair --weigh).
"""


def threat_between(ruleset_id: str, party: Sequence[str], group: Sequence[str], runs: int = RUNS) -> float:
    """The party's chance to lose against a group on open ground, 0 to 100 points, to one decimal."""
    found = simulate(records.read(encounter(ruleset_id, party, group)), runs, turn_limit=TURNS)
    return threat_of(found, "heroes")


def yardstick(ruleset_id: str) -> tuple[str, ...]:
    """The party that groups are measured against where nobody names another: the content's first four heroes."""
    return tuple(content.heroes(ruleset_id))[:PARTY]


def measure(ruleset_id: str, runs: int, say: bool = True) -> None:
    """Measure every monster of the content and keep what it weighs; ready heroes keep their weights."""
    figures = {name: weight(ruleset_id, {"template": name}) for name in content.heroes(ruleset_id)}
    for name in content.monsters(ruleset_id):
        figures[name] = PARTY_WEIGHT / match_of(ruleset_id, name, runs)
        if say:
            print(f"{name}: {figures[name]:.1f}", file=sys.stderr)
    keep(ruleset_id, figures)


def keep(ruleset_id: str, figures: Mapping[str, float]) -> None:
    """Keep weights, heroes first, then monsters from the lightest on."""
    path = paths.asset("threat", f"{ruleset_id}.toml")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(written(figures, content.heroes(ruleset_id)), encoding="utf-8")
    kept.cache_clear()


def written(figures: Mapping[str, float], heroes: Collection[str]) -> str:
    """The figures as the file has them."""
    ranked = sorted(
        figures, key=lambda name: (name not in heroes, round(figures[name], 1) * (name not in heroes), name)
    )
    lines = [HEAD, f"[{TABLE}]", *(f"{name} = {round(figures[name], 1)}" for name in ranked)]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """`python -m game.forecast.threat`: all figures anew, or one group against one party."""
    parser = argparse.ArgumentParser(prog="make threat", description=__doc__)
    parser.add_argument("--ruleset", choices=list(RULESETS), default="olde")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--group", nargs="+", help="monsters, by their names in the content")
    parser.add_argument("--party", nargs="+", help="heroes; left out: the yardstick's four")
    says = parser.parse_args(arguments)
    try:
        if says.group:
            print(threat_between(says.ruleset, says.party or yardstick(says.ruleset), says.group, says.runs))
        else:
            measure(says.ruleset, says.runs)
    except BattlematError as error:
        print(f"threat: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
