"""What a place keeps of its creatures under Dungeons of Olde, and what time does to them (olde.md §8 coming again)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rules.board.left import Fate
from rules.contract.errors import RecordError
from rules.contract.units import CreatureIx
from rules.core.base_ruleset import at_most
from rules.core.validate import check_known
from rules.explore.again import Again
from rules.olde.conditions import PRONE
from rules.olde.creation.camp import DAY, Camp, Patient, sleep, spend_time
from rules.olde.explore.minutes import MINUTES
from rules.olde.plunder import PLUNDER
from rules.olde.state import STANDING, UNCOUNTED, OldeState, Resolution, Setup

MOST_DAYS = 60
"""Days after which nothing more heals that could (ours)."""
AT_HOME = "comfortable"
"""How those rest who live there (ours)."""


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What of somebody lasts from evening to evening."""

    hp: int
    mana: int = 0
    faith: int = 0
    hands: tuple[str, ...] = ()
    pack: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    goods: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    purse: int = 0
    ammunition: int = UNCOUNTED
    unset: tuple[str, ...] = ()
    posture: str = STANDING
    bleeding: bool = False
    dying: bool = False


class OldeAgain(Again[Kept]):
    """Places left and found again under Dungeons of Olde."""

    kept, course, plunder = Kept, MINUTES, PLUNDER

    def resolution(self, state: OldeState) -> Resolution:
        return Resolution(state)

    def bring_back(self, resolution: Resolution, who: CreatureIx) -> None:
        """Nobody flees from the board by these rules."""

    def fallen(self, state: OldeState, who: CreatureIx) -> str:
        hp = state.figures[who].hp
        if hp > 0:
            return ""
        return Fate.DEAD if hp <= -state.setup.fighters[who].hp_max else Fate.DOWN

    def keep(self, state: OldeState, who: CreatureIx) -> Kept:
        figure = state.figures[who]
        posture = figure.posture if figure.hp > 0 and figure.posture == PRONE.name else STANDING
        said = {name: getattr(figure, name) for name in Kept.__struct_fields__}
        return Kept(**{**said, "posture": PRONE.name if figure.hp <= 0 else posture})

    def rest(self, resolution: Resolution, whom: Sequence[CreatureIx], minutes: int) -> None:
        """The dying and bleeding die; days heal by the daily check, and give back Mana and Faith."""
        state = resolution.done()
        assert state.rng is not None
        camp = Camp(tuple(self.patient(state, who) for who in whom), state.rng)
        camp, _ = spend_time(camp, minutes % DAY)
        for _ in range(min(MOST_DAYS, minutes // DAY)):
            camp, _ = sleep(camp, AT_HOME)
        for who, patient in zip(whom, camp.heroes, strict=True):
            up = patient.hp > 0
            resolution.change(
                who, hp=patient.hp, mana=patient.mana, faith=patient.faith, bleeding=patient.bleeding,
                dying=patient.dying, posture=STANDING if up else PRONE.name, unset=(),
            )  # fmt: skip

    def patient(self, state: OldeState, who: CreatureIx) -> Patient:
        """Somebody as the rules of camps see it."""
        fighter, figure = state.setup.fighters[who], state.figures[who]
        return Patient(
            fighter.id, fighter.name, fighter.brawn, fighter.savvy, fighter.nerve, figure.hp, fighter.hp_max,
            figure.mana, fighter.mana_max, figure.faith, fighter.faith_max, bleeding=figure.bleeding,
            dying=figure.dying,
        )  # fmt: skip

    def check(self, setup: Setup, who: CreatureIx, kept: Kept, where: str) -> None:
        fighter, armoury = setup.fighters[who], setup.armoury
        for name, most in (("hp", fighter.hp_max), ("mana", fighter.mana_max), ("faith", fighter.faith_max)):
            at_most(where, name, getattr(kept, name), most)
        if kept.posture not in (STANDING, PRONE.name):
            raise RecordError("{where}: posture: {posture} is neither standing nor prone", where, repr(kept.posture))
        held = {*armoury.weapons, *armoury.shields}
        check_known(where, "hands", kept.hands, held)
        check_known(where, "pack", kept.pack, held)
        check_known(where, "items", kept.items, armoury.used)


AGAIN = OldeAgain()
