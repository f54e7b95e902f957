"""Open ground, on which groups are measured against parties: what a map adds is not the monsters' doing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from game.content import tables as content
from rules.contract.errors import BattlematError
from rules.core import record as records

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
        places = list(_places(left, wide))
        if not names or len(names) > len(places):
            raise ThreatError(f"{side}: 1 to {len(places)} creatures of this size have room, got {len(names)}")
        for number, (name, place) in enumerate(zip(names, places, strict=False), 1):
            entry = {"id": f"{side}-{number}", "template": name, "side": side, "at": list(place)}
            creatures.append({**entry, "controller": "ai"})
    return {
        "format": records.FORMAT, "ruleset": ruleset_id, "map": {"rows": list(GROUND)}, "seed": SEED,
        "creatures": creatures,
    }  # fmt: skip


def _places(left: int, wide: int) -> Iterator[tuple[int, int]]:
    for column in range(left, left + ROOM[0] - wide + 1, wide):
        for row in range(1, 1 + ROOM[1] - wide + 1, wide):
            yield column, row
