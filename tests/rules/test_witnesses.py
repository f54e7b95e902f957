"""Who witnessed what happened (rules/core/visibility.py)."""

from __future__ import annotations

from rules.board.grid import Field
from rules.contract.events import Item
from rules.contract.units import Bitboard
from rules.core.visibility import Witnesses, witnessed


def test_of_those_who_saw_a_secret_only_its_sides_know_it() -> None:
    """Two sides see the space, a third doesn't; the secret is the first one's."""
    views = {side: Bitboard(seen) for side, seen in (("heroes", 0b111), ("monsters", 0b111), ("guards", 0b100))}
    scene = Witnesses(
        Field.from_rows(["..."]).terrain(), views, {"a": "heroes"}, lambda name: Bitboard(1), lambda name: 1
    )
    open_to, secret = Item(by="a", item="key", how="taken"), Item(by="a", item="key", how="taken", seen_by=("heroes",))
    assert [event.seen_by for event in witnessed(scene, [open_to, secret])] == [("heroes", "monsters"), ("heroes",)]
