"""Threat out of simulated fights on open ground: any group against any party (docs/threat.md).

What each creature weighs stands in `assets/threat/<ruleset>.toml`; tests/bench/weigh.py makes it anew.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from math import exp
from typing import Any

from game.content import tables as content
from game.content.balance import odds
from game.forecast.report import Forecast
from game.forecast.simulate import simulate
from rules.contract.errors import BattlematError, said
from rules.contract.text import text
from rules.core import record as records
from rules.core.registry import RULESETS

GROUND = ("#" * 16, *("#" + "." * 14 + "#" for _ in range(9)), "#" * 16)
ROOM = (6, 9)
"""Columns and rows that a side has to stand on."""
SEED, TURNS = 11, 40


class ThreatError(BattlematError):
    """A group or a file of figures that is wrong."""


def encounter(ruleset_id: str, party: Sequence[str], group: Sequence[str]) -> dict[str, Any]:
    """The record of a party on the left against a group on the right. Raises ThreatError for too many."""
    creatures: list[dict[str, Any]] = []
    for side, names, left in (("heroes", party, 1), ("monsters", group, 9)):
        wide = max([int(content.template(ruleset_id, name).get("space", 1)) for name in names], default=1)
        columns, rows = (range(1, side - wide + 2, wide) for side in ROOM)
        places = [(left - 1 + column, row) for column in columns for row in rows]
        if not names or len(names) > len(places):
            wrong = "{side}: 1 to {places} creatures of this size have room, got {names}"
            raise ThreatError(wrong, side, len(places), len(names))
        for number, (name, place) in enumerate(zip(names, places, strict=False), 1):
            entry = {"id": f"{side}-{number}", "template": name, "side": side, "at": list(place)}
            creatures.append({**entry, "controller": "ai"})
    return {
        "format": records.FORMAT, "ruleset": ruleset_id, "map": {"rows": list(GROUND)}, "seed": SEED,
        "creatures": creatures,
    }  # fmt: skip


BANDS = ((10, "an easy fight"), (25, "a fair fight"), (50, "a hard fight"), (100, "a deadly fight"))
"""Up to which threat a fight is called so: easy is won nine times of ten, a hard one every other time at least."""
ENOUGH = 12
"""Fights from which their threat is told: one alone says 0 or 100."""


def threat_of(found: Forecast, side: str) -> float:
    """The side's chance to lose, in points, to one decimal; a fight that nobody won counts half."""
    won = found.side(side).wins.share
    lost = sum(other.wins.share for other in found.sides if other.side != side)
    return round(100.0 * (lost + (1.0 - lost - won) / 2), 1)


def estimated(ruleset: str, ours: float, theirs: float, map: str = "") -> float:
    """The threat to be expected of a group of that weight to a party of that weight on a map, in points."""
    return round(100.0 / (1.0 + exp(odds(ruleset, ours, theirs, map))), 1)


def word_for(threat: float) -> str:
    """`a hard fight`; by whole points, as they are shown."""
    return next(word for most, word in BANDS if round(threat) <= most)


def told(found: Forecast, side: str) -> str:
    """`Threat 43: a hard fight`."""
    threat = threat_of(found, side)
    return text("Threat {threat}: {threat2}", f"{threat:.0f}", word_for(threat))


def guessed(ruleset: str, ours: float, theirs: float, map: str = "") -> str:
    """`Threat about 43: a hard fight`; empty where a side is missing."""
    if ours <= 0 or theirs <= 0:
        return ""
    threat = estimated(ruleset, ours, theirs, map)
    return text("Threat about {threat}: {threat2}", f"{threat:.0f}", word_for(threat))


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
        print(text("threat: {error}", said(error)), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
