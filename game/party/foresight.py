"""What an order risks and takes, said before it is given: exact where the rules allow it, else the most it can be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from game.party.march import Course
from game.party.orders import Order
from game.party.table import Table
from rules.contract.actions import Action
from rules.contract.text import joined, text
from rules.contract.units import Cell


class Hazard(NamedTuple):
    """The chance that anybody of the party is noticed on a way, as far as watchers are known."""

    chance: float
    exact: bool
    """Whether it is just that; else it is no more than that (what one attempt leaves behind may hinder the next)."""
    along: Mapping[Cell, float]
    """For each space of the leader's way the chance that the leader is noticed by then."""
    each: Mapping[str, float]
    """Watcher -> the chance that it notices anybody, at most."""
    notes: tuple[tuple[str, str], ...] = ()
    """What else the rules say of the riskiest part of it: (text, rule)."""

    def told(self) -> str:
        """`12 %`, `at most 12 %`."""
        said = percent(self.chance)
        return said if self.exact or self.chance >= 0.995 else text("at most {chance}", said)


class Foreseen(NamedTuple):
    """An order that is considered: what comes of it if nothing comes between."""

    label: str
    orders: tuple[Order, ...]
    cost: str
    """What it takes, in the time of the rules: `3 × 1 minute`."""
    odds: str = ""
    """What it risks, or how likely it succeeds."""
    way: tuple[Cell, ...] = ()
    ends: Mapping[str, Cell] = {}
    """Where everybody would come to stand."""
    hazard: Hazard | None = None
    notes: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """`2 × 1 minute · at most 12 % noticed`."""
        return joined(" · ", (part for part in (self.cost, self.odds) if part))


def percent(chance: float) -> str:
    """A chance as players read it: never 0 % or 100 % unless it is just that."""
    if 0 < chance < 0.005:
        return "<1 %"
    if 0.995 <= chance < 1:
        return ">99 %"
    return text("{what} %", f"{chance * 100:.0f}")


def hazard(table: Table, course: Course, manner: str) -> Hazard | None:
    """The risk of a whole way; None where the rules know no such chance.

    Every part of it has dice of its own, so the chances that all goes well multiply. With several parts that may go
    wrong it is a bound: a watcher that fails badly is off its guard in the rules of some, and never the more alert.
    """
    unseen, risky, known = 1.0, 0, False
    along: dict[Cell, float] = {}
    each: dict[str, float] = {}
    leader = course.legs[0].who if course.legs else ""
    lead_unseen, worst, notes = 1.0, 0.0, tuple[tuple[str, str], ...]()
    for leg in course.legs:
        odds = table.ruleset.odds(table.state, Action(leg.who, manner, path=leg.path))
        if odds is None or not odds.along:
            continue
        known = True
        chance = odds.along[-1][1]
        if leg.who == leader:
            along |= {cell: 1.0 - lead_unseen * (1.0 - so_far) for cell, so_far in odds.along}
            lead_unseen *= 1.0 - chance
        if chance > 0.0:
            unseen, risky = unseen * (1.0 - chance), risky + 1
            for share in odds.targets:
                each[share.id] = 1.0 - (1.0 - each.get(share.id, 0.0)) * (1.0 - share.hit)
        if chance > worst or not notes:
            worst, notes = max(worst, chance), odds.notes
    return Hazard(1.0 - unseen, risky <= 1 or unseen == 0.0, along, each, notes) if known else None
