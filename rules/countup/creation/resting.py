"""Rests between two fights of a chain: first aid, cures, wounds tended, days and weeks (countup.md §9.5 Chains).

Who helps whom, and in which order, is OURS: the most urgent first, by the best at first aid who is on its feet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from rules.contract.ruleset import Rest
from rules.countup.creation import camp as camps
from rules.countup.creation.camp import WITHIN, Camp, Cure, Patient


class Manner(StrEnum):
    """How long one rests, and where."""

    HOUR = "hour"
    CAMP = "camp"
    BED = "bed"
    WEEK = "week"
    WELL = "well"


RULE = "countup.md §9.5"
RESTS = (
    Rest(Manner.HOUR, "An hour", "First aid, cures, wounds tended, half of what was shot picked up.", RULE),
    Rest(Manner.CAMP, "A day in camp", "The same, then a day: each wound heals for itself, spells come back.", RULE),
    Rest(Manner.BED, "A day in a bed", "The same where care is easier.", RULE),
    Rest(Manner.WEEK, "A week in a bed", "Seven such days.", RULE),
    Rest(Manner.WELL, "Until all are well", "Day after day in a bed, four hundred at most.", RULE),
)
DAYS: Mapping[str, tuple[int, str]] = {
    Manner.CAMP: (1, "camp"), Manner.BED: (1, "bed"), Manner.WEEK: (7, "bed"), Manner.WELL: (400, "bed"),
}  # fmt: skip


def rested(camp: Camp, rest: str, cures: Sequence[Cure]) -> Camp:
    """Everybody after a rest. `cures`: the healing prayers that there are."""
    camp = _tended(_cured(_aided(camp), cures))
    days, how = DAYS.get(rest, (0, ""))
    for _ in range(days):
        if not camps.unwell(camp):
            break
        carer = _aider(camp)
        camp, _ = camps.day(camp, how, carer.id if carer is not None else None)
    return camp


def _aider(camp: Camp, but: str = "") -> Patient | None:
    """The best at first aid who is on its feet; somebody else than one, where there is anybody else."""
    able = [who for who in camp.people if who.able and who.aid]
    others = [who for who in able if who.id != but] or able
    return max(others, key=lambda who: who.aid, default=None)


def _aided(camp: Camp) -> Camp:
    """First aid, again and again, until nobody is dying any more."""
    while urgent := sorted(camps.doomed(camp), key=lambda found: found[1]):
        patient = urgent[0][0]
        helper = _aider(camp, patient.id)
        if helper is None:
            return camps.spend_time(camp, max(left for _, left in urgent))[0]
        camp, _ = camps.first_aid(camp, helper.id, patient.id)
    return camp


def _cured(camp: Camp, cures: Sequence[Cure]) -> Camp:
    """Prayers for whoever has lost most, as long as any are left and anybody needs them."""
    for cure in cures:
        while True:
            priest = next((who for who in camp.people if who.able and who.left(cure.name) > 0), None)
            hurt = [who for who in camp.people if who.wounds and not who.dead and 2 * who.hp <= who.hp_max]
            if priest is None or not hurt:
                break
            camp, _ = camps.cure(camp, priest.id, min(hurt, key=lambda who: who.hp).id, cure)
    return camp


def _tended(camp: Camp) -> Camp:
    """Wound after wound seen to while it is time."""
    for patient in sorted(camp.people, key=lambda who: who.hp):
        while camp.minutes <= WITHIN:
            now = camps.one_of(camp, patient.id)
            helper = _aider(camp, patient.id)
            if helper is None or now.dead or camps.untended(now) is None:
                break
            camp, _ = camps.tend(camp, helper.id, patient.id)
    return camp
