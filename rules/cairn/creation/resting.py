"""Rests between two fights of a chain: bandages, quiet moments, nights, a healer's week (cairn.md §8 chains)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

from rules.cairn.creation import camp
from rules.cairn.creation.camp import BANDAGING, HOUR, MOMENTS, Patient
from rules.contract.ruleset import Rest
from rules.core.dice import Dice


class Manner(StrEnum):
    """How long one rests, and where."""

    MOMENTS = "moments"
    NIGHT = "night"
    INN = "inn"
    WEEK = "week"


RULE = "cairn.md §8 chains"
RESTS = (
    Rest(Manner.MOMENTS, "Quiet moments", "Bandages for the dying, a drink of water: HP come back, the stable get up.",
         RULE),
    Rest(Manner.NIGHT, "A night in the wild", "The same, then sleep: a ration each takes the Fatigue, hunger deprives.",
         RULE),
    Rest(Manner.INN, "A night at an inn", "The same with board, out of the purse at home.", RULE),
    Rest(Manner.WEEK, "A week with a healer", "STR, DEX and WIL come back, scars mend.", RULE),
)  # fmt: skip

Uses = Callable[[str], bool]
"""Takes a use of a thing out of somebody's pack, whoever has one; False where nobody has."""


def rested(dice: Dice, people: Sequence[Patient], rest: str, uses: Uses) -> list[Patient]:
    """Everybody after a rest. Whoever is on its feet lays bandages on the dying, the most urgent first."""
    found = _bandaged(list(people), uses)
    if rest == Manner.MOMENTS:
        return [camp.rest(camp.minutes_pass(who, MOMENTS)[0])[0] for who in found]
    found = [camp.rest(camp.minutes_pass(who, HOUR)[0])[0] for who in found]
    if rest == Manner.WEEK:
        return [camp.week(dice, who, healed=True)[0] for who in found]
    slept = list[Patient]()
    for who in found:
        fed = who.dead or rest == Manner.INN or uses("rations")
        slept.append(camp.night(dice, who, fed=fed)[0])
    return slept


def _bandaged(people: list[Patient], uses: Uses) -> list[Patient]:
    """The dying bandaged as long as there are hands and bandages; a minute each."""
    for dying in sorted((who for who in people if who.dying and not who.dead), key=lambda who: who.dying):
        at = next(n for n, who in enumerate(people) if who.id == dying.id)
        if people[at].dead or not any(who.able and who.id != dying.id for who in people) or not uses("bandages"):
            continue
        people[at] = camp.bandage(people[at])[0]
        people = [camp.minutes_pass(who, BANDAGING)[0] for who in people]
    return people
