"""Rests between two fights of a chain: first aid, bound wounds, days and nights, as in a camp (olde.md §7 chains).

Who helps whom, and in which order, is ours: the most urgent first, each by the best healer who is on its feet.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from rules.contract.ruleset import Rest
from rules.olde.creation import camp as camps
from rules.olde.creation.camp import BIND_WITHIN, Camp, Patient
from rules.olde.skills import RANKS
from rules.olde.state import Status


class Manner(StrEnum):
    """How long one rests, and where."""

    BREATH = "breath"
    FIELD = "field"
    COMFORTABLE = "comfortable"
    WELL = "well"


RULE = "olde.md §7 chains"
RESTS = (
    Rest(Manner.BREATH, "A breath", "First aid, wounds bound, what was shot or dropped picked up: half an hour.", RULE),
    Rest(
        Manner.FIELD, "A day in the field", "The same, then a day and a night: the daily check, Mana and Faith.", RULE
    ),
    Rest(Manner.COMFORTABLE, "A day in comfort", "The same in a good bed, where the daily check is easier.", RULE),
    Rest(Manner.WELL, "Until all are well", "Day after day in comfort, sixty at most.", RULE),
)
DAYS: Mapping[str, tuple[int, str]] = {
    Manner.FIELD: (1, "field"), Manner.COMFORTABLE: (1, "comfortable"), Manner.WELL: (60, "comfortable"),
}  # fmt: skip


def rested(camp: Camp, rest: str) -> Camp:
    """Everybody after a rest."""
    camp = _bound(_aided(camp))
    days, circumstances = DAYS.get(rest, (0, ""))
    for _ in range(days):
        if rest == Manner.WELL and not _unwell(camp):
            break
        helper = _healer(camp)
        camp, _ = camps.sleep(camp, circumstances, helper.id if helper is not None else None)
    return camp


def _healer(camp: Camp, but: str = "") -> Patient | None:
    """The best healer who is on its feet; somebody else than one, where there is anybody else."""
    able = [hero for hero in camp.heroes if hero.able]
    others = [hero for hero in able if hero.id != but] or able
    return max(others, key=lambda hero: hero.savvy + (RANKS[hero.healing] if hero.healing else -2), default=None)


def _aided(camp: Camp) -> Camp:
    """First aid, again and again, until nobody bleeds or is dying any more."""
    while urgent := sorted(camps.doomed(camp), key=lambda found: found[1]):
        patient = urgent[0][0]
        helper = _healer(camp, patient.id)
        if helper is None:
            return camps.spend_time(camp, max(left for _, left in urgent))[0]
        camp, _ = camps.first_aid(camp, helper.id, patient.id)
    return camp


def _bound(camp: Camp) -> Camp:
    """Wounds bound while it is time, those who lie there first."""
    for hero in sorted(camp.heroes, key=lambda one: one.hp):
        helper = _healer(camp, hero.id)
        hurt = hero.status not in (Status.HEALTHY, Status.DEAD) and not hero.bound
        if helper is not None and hurt and camp.minutes <= BIND_WITHIN:
            camp, _ = camps.bind_wounds(camp, helper.id, hero.id)
    return camp


def _unwell(camp: Camp) -> bool:
    """Whether anybody who lives would be better for rest."""
    living = (hero for hero in camp.heroes if not hero.failing)
    return any(h.hp < h.hp_max or h.mana < h.mana_max or h.faith < h.faith_max for h in living)
