"""What a place keeps of its creatures under Cairn, and what time does to them (cairn.md §8 coming again)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rules.board.left import Fate
from rules.cairn import conditions as cond
from rules.cairn.combat.injury import MINUTE
from rules.cairn.creation import camp
from rules.cairn.creation.camp import ATTRIBUTES, MOMENTS, NIGHT, WEEK, Patient
from rules.cairn.creation.left import SUFFERED
from rules.cairn.explore.turns import TURNS
from rules.cairn.plunder import PLUNDER
from rules.cairn.state import STANDING, CairnState, Lasting, Resolution, Setup
from rules.contract.errors import RecordError
from rules.contract.units import CreatureIx
from rules.core.base_ruleset import at_most
from rules.core.dice import Dice
from rules.core.validate import check_known
from rules.explore.again import Again

MOST_WEEKS = 8
"""Weeks after which nothing more heals that could (ours)."""
CLOCKS = (cond.BLEEDING_OUT.name, cond.OUT.name)
STAYS = frozenset((*(each.name for each in SUFFERED), *CLOCKS, cond.ASLEEP.name, cond.RISING.name))
"""Conditions that outlast the hour, beside what is somebody's nature and ruined armour."""


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What of somebody lasts from evening to evening."""

    hp: int
    hp_max: int
    str_now: int
    dex_now: int
    wil_now: int
    str_max: int
    dex_max: int
    wil_max: int
    hands: tuple[str, ...] = ()
    pack: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    purse: int = 0
    fatigue: int = 0
    posture: str = STANDING
    critical: bool = False
    stable: bool = False
    dead: bool = False
    fled: bool = False
    gone: str = ""
    doomed: bool = False
    heads: int = 0
    lame: bool = False
    one_armed: bool = False
    lasting: tuple[Lasting, ...] = ()
    scars: tuple[int, ...] = ()
    used: tuple[tuple[str, int], ...] = ()


class CairnAgain(Again[Kept]):
    """Places left and found again under Cairn."""

    kept, course, plunder = Kept, TURNS, PLUNDER

    def resolution(self, state: CairnState) -> Resolution:
        return Resolution(state)

    def bring_back(self, resolution: Resolution, who: CreatureIx) -> None:
        resolution.change(who, fled=False, gone="")

    def fallen(self, state: CairnState, who: CreatureIx) -> str:
        figure = state.figures[who]
        if figure.dead:
            return Fate.DEAD
        return Fate.DOWN if figure.critical or figure.has(cond.OUT) else ""

    def keep(self, state: CairnState, who: CreatureIx) -> Kept:
        return Kept(**{name: getattr(state.figures[who], name) for name in Kept.__struct_fields__})

    def rest(self, resolution: Resolution, whom: Sequence[CreatureIx], minutes: int) -> None:
        """The hour of those with critical damage runs out; quiet moments, nights and weeks heal, these as with a
        healer."""
        dice = Dice(resolution.dice.rng, None, 0)
        for who in whom:
            one = self.patient(resolution, who)
            if minutes < NIGHT:
                one, _ = camp.minutes_pass(one, minutes)
                one = camp.rest(one)[0] if minutes >= MOMENTS else one
            else:
                one, _ = camp.night(dice, one, fed=True)
            for _ in range(min(MOST_WEEKS, minutes // WEEK)):
                one, _ = camp.week(dice, one, healed=True)
            self.rested(resolution, who, one)

    def patient(self, resolution: Resolution, who: CreatureIx) -> Patient:
        """Somebody as the rules of camps see it."""
        being, figure = resolution.being(who), resolution.figures[who]
        scores = {f"{each}_{end}": getattr(figure, f"{each}_{end}") for each in ATTRIBUTES for end in ("now", "max")}
        clock = figure.clock
        return Patient(
            id=being.id, name=being.name, pc=being.pc, hp=figure.hp, hp_max=figure.hp_max, fatigue=figure.fatigue,
            dying=-(-clock // MINUTE) if clock else 0, down=(figure.critical or figure.has(cond.OUT)) and not clock,
            dead=figure.dead, lame=figure.lame, one_armed=figure.one_armed, **scores,
        )  # fmt: skip

    def rested(self, resolution: Resolution, who: CreatureIx, one: Patient) -> None:
        """Somebody as the camp left it."""
        figure, being = resolution.figures[who], resolution.being(who)
        scores = {f"{each}_now": getattr(one, f"{each}_now") for each in ATTRIBUTES}
        lies, lasting = one.dead or one.dying or one.down, list[Lasting]()
        for each in figure.lasting:
            nature = each.name in being.innate or each.name in STAYS or each.name.startswith(cond.ruined("").name)
            if not nature or (each.name in CLOCKS and not lies):
                continue
            clock = one.dying * MINUTE if each.name in CLOCKS and each.rounds else each.rounds
            lasting.append(msgspec.structs.replace(each, rounds=clock))
        resolution.change(
            who, hp=one.hp, fatigue=one.fatigue, dead=one.dead, critical=figure.critical and bool(lies),
            stable=figure.stable and bool(lies), posture=cond.PRONE.name if lies else STANDING, lasting=tuple(lasting),
            **scores,
        )  # fmt: skip

    def check(self, setup: Setup, who: CreatureIx, kept: Kept, where: str) -> None:
        armoury = setup.armoury
        known = {**armoury.weapons, **armoury.armor, **armoury.gear, **armoury.treasury.goods}
        check_known(where, "hands", kept.hands, known)
        check_known(where, "pack", kept.pack, known)
        for name, top in (("hp", "hp_max"), *((f"{each}_now", f"{each}_max") for each in ATTRIBUTES)):
            given, most = getattr(kept, name), getattr(kept, top)
            if given < 0:
                raise RecordError("{where}: {name}: {given} is below 0", where, name, given)
            at_most(where, name, given, max(0, most))
        if kept.posture not in (STANDING, cond.PRONE.name):
            raise RecordError("{where}: posture: {posture} is neither standing nor prone", where, repr(kept.posture))


AGAIN = CairnAgain()
