"""From fight to fight under Count-Up: what lasts of heroes, and what a rest gives back (countup.md §9.5 Chains)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rules.contract.units import INSTANT, CreatureIx
from rules.countup.again import AGAIN, Kept
from rules.countup.creation.camp import Camp, Cure, Patient, felled, fresh
from rules.countup.creation.resting import RESTS, rested
from rules.countup.skills import AID
from rules.countup.state import UNCOUNTED, CountState, Resolution
from rules.explore.onward import Onward

FOUND_AGAIN = 2
"""One of so many missiles is found again (countup.md §9.3)."""


class CountOnward(Onward):
    """How heroes go on from fight to fight."""

    again, rests = AGAIN, RESTS

    def life(self, state: CountState, who: CreatureIx) -> tuple[int, int]:
        return max(0, state.figures[who].hp), state.setup.beings[who].hp_max

    def ready(self, resolution: Resolution, who: CreatureIx) -> None:
        resolution.change(who, prone=False, helpless=INSTANT)

    def rest(self, resolution: Resolution, whom: Sequence[CreatureIx], rest: str, begun: CountState) -> None:
        """What the camp's rules give, and half of what was shot."""
        state = resolution.done()
        assert state.rng is not None
        patients = tuple(self._patient(state, who) for who in whom)
        camp = rested(Camp(patients, state.rng), rest, self._cures(state, whom))
        for who, patient in zip(whom, camp.people, strict=True):
            figure, before = resolution.figures[who], begun.figures[who]
            shot = before.ammunition - figure.ammunition if before.ammunition != UNCOUNTED else 0
            own = None if figure.wounds is None else tuple(wound.hp for wound in patient.wounds)
            resolution.change(
                who, hp=patient.hp, dead=patient.dead or patient.hp <= 0, wounds=own, points=patient.points,
                prayed=patient.prayed, helpless=INSTANT, prone=False, dark=False, worn=0, effects=(),
                ammunition=figure.ammunition + max(0, shot) // FOUND_AGAIN,
            )  # fmt: skip

    def _patient(self, state: CountState, who: CreatureIx) -> Patient:
        """Somebody as the rules of camps see it."""
        being, figure = state.setup.beings[who], state.figures[who]
        lacks = being.hp_max - figure.hp
        wounds = [hp for hp in figure.wounds or ((lacks,) if lacks > 0 else ()) if hp]
        spells = state.setup.armoury.spells
        divine = tuple(name for name in being.spells if spells[name].divine)
        return felled(Patient(
            being.id, being.name, being.hp_max, being.trauma, tuple(map(fresh, wounds)), being.skills.get(AID, 0),
            figure.points, being.spell_points, divine, figure.prayed, anointed=being.anointed,
        ))  # fmt: skip

    def _cures(self, state: CountState, whom: Sequence[CreatureIx]) -> list[Cure]:
        """The healing prayers that these know."""
        spells, found = state.setup.armoury.spells, dict[str, Cure]()
        for who in whom:
            for name in state.setup.beings[who].spells:
                if spells[name].divine and spells[name].heals:
                    found[name] = Cure(name, spells[name].cure, spells[name].better_cure)
        return list(found.values())

    def find(self, resolution: Resolution, who: CreatureIx, kept: Kept) -> None:
        """It looks to where it looked before."""
        super().find(resolution, who, msgspec.structs.replace(kept, facing=resolution.figures[who].facing))


ONWARD = CountOnward()
