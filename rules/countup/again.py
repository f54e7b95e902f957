"""What a place keeps of its creatures under Count-Up, and what time does to them (countup.md §9.5 Coming again)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rules.board.left import Fate
from rules.contract.ruleset import PARTY
from rules.contract.units import INSTANT, CreatureIx, Seconds
from rules.core.base_ruleset import at_most
from rules.core.validate import check_known
from rules.countup.conditions import ASLEEP
from rules.countup.creation.camp import DAY, Camp, Patient, Wound, day, fresh
from rules.countup.explore.minutes import MINUTES
from rules.countup.plunder import PLUNDER
from rules.countup.state import FOREVER, UNCOUNTED, CountState, Resolution, Setup
from rules.explore.again import Again

MOST_DAYS = 60
"""Days after which nothing more heals that could (OURS)."""
AT_HOME = "bed"
"""How those rest who live there (OURS)."""


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What of somebody lasts from evening to evening."""

    hp: int
    facing: int = 0
    hand: str = ""
    shield: str | None = None
    slung: str | None = None
    drawn: tuple[str, ...] = ()
    points: int = 0
    prayed: tuple[str, ...] = ()
    wounds: tuple[int, ...] | None = None
    ammunition: int = UNCOUNTED
    turn: int = 0
    worn: int = 0
    burnt: int = 0
    keys: tuple[str, ...] = ()
    purse: int = 0
    pack: tuple[str, ...] = ()
    prone: bool = False
    helpless: Seconds = INSTANT
    dark: bool = False
    dead: bool = False
    fled: bool = False


class CountAgain(Again[Kept]):
    """Places left and found again under Count-Up."""

    kept, course, plunder = Kept, MINUTES, PLUNDER

    def resolution(self, state: CountState) -> Resolution:
        return Resolution(state)

    def bring_back(self, resolution: Resolution, who: CreatureIx) -> None:
        resolution.change(who, fled=False)

    def fallen(self, state: CountState, who: CreatureIx) -> str:
        """A hero who is felled may yet be saved, unless it is too far gone (countup.md §9.4 The felled)."""
        figure, being = state.figures[who], state.setup.beings[who]
        if not figure.dead:
            return ""
        lives = being.side == PARTY and figure.hp >= -being.trauma and not state.setup.field.left.fate(being.id)
        return Fate.DOWN if lives else Fate.DEAD

    def keep(self, state: CountState, who: CreatureIx) -> Kept:
        """Seconds of helplessness are those that are left."""
        figure = state.figures[who]
        said = {name: getattr(figure, name) for name in Kept.__struct_fields__}
        helpless = Seconds(max(0, figure.helpless - state.second)) if figure.helpless else INSTANT
        return Kept(**{**said, "helpless": helpless})

    def rest(self, resolution: Resolution, whom: Sequence[CreatureIx], minutes: int) -> None:
        """Minutes bring everybody to its feet; days heal by the wound, and give back spell points and prayers. Whoever
        regenerates is whole again, burns aside."""
        for who in whom:
            being, figure = resolution.being(who), resolution.figures[who]
            hp = max(figure.hp, being.hp_max - figure.burnt) if being.regenerates else figure.hp
            asleep = tuple(each for each in figure.effects if each == (ASLEEP.name, FOREVER))
            resolution.change(who, hp=hp, helpless=INSTANT, prone=False, dark=False, worn=0, effects=asleep)
            if minutes >= DAY:
                self._days(resolution, who, min(MOST_DAYS, minutes // DAY))

    def _days(self, resolution: Resolution, who: CreatureIx, days: int) -> None:
        being, figure = resolution.being(who), resolution.figures[who]
        lacks = being.hp_max - figure.hp
        wounds: tuple[Wound, ...] = tuple(map(fresh, figure.wounds or ((lacks,) if lacks > 0 else ())))
        state = resolution.done()
        assert state.rng is not None
        camp = Camp((Patient(being.id, being.name, being.hp_max, 0, wounds),), state.rng)
        for _ in range(days):
            camp, _ = day(camp, AT_HOME)
        after = camp.people[0]
        own = None if figure.wounds is None else tuple(wound.hp for wound in after.wounds)
        resolution.change(
            who, hp=max(figure.hp, after.hp), points=being.spell_points, prayed=(), burnt=0, wounds=own
        )  # fmt: skip

    def check(self, setup: Setup, who: CreatureIx, kept: Kept, where: str) -> None:
        being, armoury = setup.beings[who], setup.armoury
        for name, most in (("hp", being.hp_max), ("points", being.spell_points), ("facing", 7)):
            at_most(where, name, getattr(kept, name), most)
        weapons = {*armoury.weapons, *(weapon.name for weapon in being.natural)}
        check_known(where, "hand", (kept.hand,) if kept.hand else (), weapons)
        check_known(where, "drawn", kept.drawn, weapons)
        shields = (each for each in (kept.shield, kept.slung) if each is not None)
        check_known(where, "shield", shields, armoury.shields)


AGAIN = CountAgain()
