"""Who may act when a fight begins: dice of initiative, and who stands beside whom (countup.md §1.1)."""

from __future__ import annotations

from itertools import combinations

from rules.contract.events import Points
from rules.contract.units import CreatureIx, numbered
from rules.countup.combat.reach import in_contact
from rules.countup.conditions import ASLEEP
from rules.countup.penetration import Die
from rules.countup.statblock import initiative_dice
from rules.countup.state import FOREVER, Position, Resolution


def initiative(resolution: Resolution) -> None:
    """Everybody who is there throws, in the record's order."""
    dice = initiative_dice(resolution)
    for who, being in numbered(resolution.setup.beings):
        if not resolution.figures[who].present:
            continue
        rouse(resolution, who)
        thrown = resolution.roll(who, "initiative", (Die(1, dice[who], False),), being.initiative)
        init = max(1, thrown.total)
        resolution.change(who, init=init, due=init)
        resolution.events.append(Points(by=being.id, now=init, what="initiative", roll=thrown))
    for who, foes in pairs(resolution).items():  # whoever stands beside a foe is engaged from the first second on
        resolution.change(who, contacts=tuple(sorted(foes)))


def rouse(resolution: Resolution, who: CreatureIx) -> None:
    """Who sleeps of itself, not by a spell, and takes part in a fight wakes: it is surprised until its initiative."""
    effects = resolution.figures[who].effects
    if (ASLEEP.name, FOREVER) in effects:
        resolution.change(who, effects=tuple(each for each in effects if each[0] != ASLEEP.name))
        ASLEEP.tell(resolution, who, gained=False)


def pairs(state: Position) -> dict[CreatureIx, list[CreatureIx]]:
    """Who is in contact with whom."""
    found: dict[CreatureIx, list[CreatureIx]] = {}
    beings, present = state.setup.beings, [who for who, figure in numbered(state.figures) if figure.present]
    for who, other in combinations(present, 2):
        if beings[other].side != beings[who].side and in_contact(state, who, other):
            found.setdefault(who, []).append(other)
            found.setdefault(other, []).append(who)
    return found
