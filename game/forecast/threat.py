"""Threat out of simulated fights on open ground: any group against any party (docs/threat.md).

What each creature weighs stands in `assets/threat/<ruleset>.toml`; tests/bench/weigh.py makes it anew.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from game.content import tables as content
from game.forecast.danger import threat_of
from game.forecast.openground import TURNS, encounter
from game.forecast.simulate import simulate
from rules.contract.errors import BattlematError
from rules.core import record as records
from rules.core.registry import RULESETS

RUNS = 40
PARTY = 4
"""Heroes of the yardstick."""


def threat_between(ruleset_id: str, party: Sequence[str], group: Sequence[str], runs: int = RUNS) -> float:
    """The party's chance to lose against a group on open ground, 0 to 100 points, to one decimal."""
    found = simulate(records.read(encounter(ruleset_id, party, group)), runs, turn_limit=TURNS)
    return threat_of(found, "heroes")


def yardstick(ruleset_id: str) -> tuple[str, ...]:
    """The party that groups are measured against where nobody names another: the content's first four heroes."""
    return tuple(content.heroes(ruleset_id))[:PARTY]


def main(arguments: Sequence[str] | None = None) -> int:
    """`python -m game.forecast.threat`: one group against one party."""
    parser = argparse.ArgumentParser(prog="python -m game.forecast.threat", description=__doc__)
    parser.add_argument("--ruleset", choices=list(RULESETS), default="olde")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--group", nargs="+", required=True, help="monsters, by their names in the content")
    parser.add_argument("--party", nargs="+", help="heroes; left out: the yardstick's four")
    says = parser.parse_args(arguments)
    try:
        print(threat_between(says.ruleset, says.party or yardstick(says.ruleset), says.group, says.runs))
    except BattlematError as error:
        print(f"threat: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
