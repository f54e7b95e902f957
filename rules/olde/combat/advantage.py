"""Where a table grants advantage: higher ground, who is caught unaware, help (olde.md §1; when, is our ruling).

An option (`advantage`), off unless somebody turns it on. The dice are those of §1: two full sets, the better or the
worse kept. Several reasons count once, and an advantage and a disadvantage cancel each other.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.contract.actions import Adjustment
from rules.contract.text import text
from rules.olde.effects import Effect
from rules.olde.state import OldeState, Setup, unaware

RULE = "olde.md §1 advantage"
Adjustments = tuple[Adjustment, ...]
FIRST_TURN = 1


def on_attack(state: OldeState, who: int, start: int, target: int, goal: int) -> tuple[int, Adjustments]:
    """+1, −1 or 0 for an attack from one space on somebody at another, and the lines that say why."""
    setup = state.setup
    if not setup.advantage:
        return 0, ()
    for_it: list[str] = []
    against: list[str] = []
    above = setup.field.level(start) - setup.field.level(goal)
    if above:
        (for_it if above > 0 else against).append("higher ground" if above > 0 else "lower ground")
    if state.turn <= FIRST_TURN and unaware(state, target):
        for_it.append("caught unaware")
    lines = [text("advantage: {because}", because=because) for because in for_it] + [
        text("disadvantage: {because}", because=because) for because in against
    ]
    # the lines name it; they add nothing to the total
    return bool(for_it) - bool(against), tuple(Adjustment("attack", 0, line, RULE) for line in lines)


def on_check(setup: Setup, helps: Sequence[Effect]) -> tuple[int, Adjustments]:
    """What a neighbour's help does for a check: advantage where a table grants it, else its bonus (olde.md §3)."""
    if setup.advantage and helps:
        return 1, (Adjustment("check", 0, "advantage: assisted", RULE),)
    return 0, tuple(Adjustment("check", e.rating, "assisted", "olde.md §3 assisted") for e in helps)
