"""What comes after a fight or an evening: bandages, quiet moments, nights, weeks, and what scars leave (cairn.md §8).

Everything here works on values: a `Patient` before, a `Patient` after, and what happened in sentences with their dice.
Time is in minutes; whoever has critical damage or a mortal wound has so many of them left.
"""

from __future__ import annotations

from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from rules.cairn.combat.injury import SCARS
from rules.cairn.creation.tools import MORTAL, mend
from rules.contract.errors import BattlematError
from rules.contract.events import Roll
from rules.contract.text import text
from rules.core.dice import Dice, roll

ATTRIBUTES = ("str", "dex", "wil")
HOUR, DAY = 60, 24 * 60
BANDAGING, MOMENTS = 1, 10
"""Minutes that bandages take, and a few quiet moments with water: a dungeon turn (ours)."""
NIGHT = 8 * HOUR
"""Minutes of a night."""
WEEK = 7 * DAY
HEALER = 50
"""Coins for a week with a healer, board included: the price of medical healing."""
FLAT, BROKEN, INFECTED, HAMSTRUNG, DEAFENED = 3, 4, 5, 7, 8
"""Rows of scars that are waiting to mend."""
BY_NIGHT, BY_WEEK = (FLAT,), (BROKEN, INFECTED, HAMSTRUNG, MORTAL)
"""Which mend with some hours of rest, and which with a healer's week (ours: the book says when it has mended)."""


class Patient(BaseModel):
    """Somebody in camp."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    id: str
    name: str
    pc: bool = True
    """A player's character: it takes scars, and is paid nothing."""
    hp: int = Field(ge=0)
    hp_max: int = Field(ge=0)
    str_now: int = Field(ge=0)
    str_max: int = Field(ge=0)
    dex_now: int = Field(ge=0)
    dex_max: int = Field(ge=0)
    wil_now: int = Field(ge=0)
    wil_max: int = Field(ge=0)
    fatigue: int = Field(default=0, ge=0)
    deprived: int = Field(default=0, ge=0)
    """Days without what one needs, today counted; 0: nothing is lacking."""
    dying: int = Field(default=0, ge=0)
    """Minutes left with critical damage or a mortal wound; 0: no clock runs."""
    down: bool = False
    """Stable, but not on its feet yet."""
    dead: bool = False
    mending: tuple[int, ...] = ()
    """Rows of scars that have not mended yet."""
    lame: bool = False
    one_armed: bool = False
    lost: tuple[str, ...] = ()
    """Limbs that are gone for good."""

    @property
    def able(self) -> bool:
        """Can do something for others."""
        return not (self.dead or self.dying or self.down or (self.dex_now <= 0 < self.dex_max)
                    or (self.wil_now <= 0 < self.wil_max))  # fmt: skip

    @property
    def hurt(self) -> bool:
        """Has lost of an attribute."""
        return any(getattr(self, f"{each}_now") < getattr(self, f"{each}_max") for each in ATTRIBUTES)

    @property
    def recovers(self) -> bool:
        """Whether anything comes back: not for the dead, the deprived and the infected (cairn.md §4)."""
        return not (self.dead or self.deprived or INFECTED in self.mending or FLAT in self.mending)

    def but(self, **fields: object) -> Patient:
        """The same with other values."""
        return self.model_copy(update=fields)


class Happening(NamedTuple):
    """Something that came of it: the sentence, its dice, and whether it went well (+1), badly (−1) or neither."""

    text: str
    roll: Roll | None = None
    tone: int = 0


Outcome = tuple[Patient, tuple[Happening, ...]]


def why_not_bandage(helper: Patient, who: Patient, rolls: int) -> str:
    """Why bandages can't be laid on somebody; empty if they can."""
    if who.dead:
        return text("{name} is dead.", who.name)
    if not who.dying:
        return text("{name} has no critical damage and no mortal wound.", who.name)
    if not helper.able or helper.id == who.id:
        return "Nobody is able to help."
    return "" if rolls else text("{name} has no bandages left.", helper.name)


def bandage(who: Patient) -> Outcome:
    """The hour's clock stops; whoever lay there lies there still (cairn.md §2.6)."""
    told = text("{name} is bandaged and will live.", who.name)
    return who.but(dying=0, down=True), (Happening(told, None, 1),)


def minutes_pass(who: Patient, minutes: int) -> Outcome:
    """Time: the dying die when theirs is over."""
    if not who.dying or who.dead:
        return who, ()
    if who.dying > minutes:
        return who.but(dying=who.dying - minutes), ()
    return who.but(dying=0, dead=True, down=False), (Happening(text("{name} dies.", who.name), None, -1),)


def rest(who: Patient) -> Outcome:
    """A few quiet moments and a drink of water: HP come back, and who was stabilised gets up (cairn.md §1, §8)."""
    if who.dead or who.dying:
        return who, ()
    found: list[Happening] = []
    if who.down and who.str_now > 0:
        who = who.but(down=False)
        found.append(Happening(text("{name} gets up again.", who.name), None, 1))
    if who.recovers and who.hp < who.hp_max:
        found.append(Happening(text("{name} has all HP again.", who.name), None, 1))
        who = who.but(hp=who.hp_max)
    return who, tuple(found)


def night(dice: Dice, who: Patient, *, fed: bool, safe: bool = True) -> Outcome:
    """A night: fed and in safety it takes all Fatigue and gives HP back; hungry it deprives (cairn.md §4, §8).

    From the second day without on each adds one Fatigue. Some hours of rest end what knocked somebody flat.
    """
    who, found = minutes_pass(who, NIGHT)
    if who.dead or who.dying:
        return who, found
    said = list(found)
    if not fed:
        days = who.deprived + 1
        said.append(Happening(text("{name} goes hungry and is deprived.", who.name), None, -1))
        who = who.but(deprived=days, fatigue=who.fatigue + (days > 1))
        return who, tuple(said)
    who = who.but(deprived=0)
    if safe and FLAT in who.mending:
        who, more = mended(dice, who, FLAT)
        said += more
    who, more = rest(who)
    said += more
    if safe and who.fatigue and INFECTED not in who.mending:
        said.append(Happening(text("{name} sleeps the Fatigue off.", who.name), None, 1))
        who = who.but(fatigue=0)
    return who, tuple(said)


def week(dice: Dice, who: Patient, *, healed: bool) -> Outcome:
    """A week in safety, fed. With a healer attributes come back, and what was broken mends (cairn.md §8)."""
    who, found = minutes_pass(who, WEEK)
    if who.dead:
        return who, found
    said = list(found)
    who = who.but(deprived=0, fatigue=0, down=False)
    if healed:
        if who.hurt:
            said.append(Happening(text("{name} has STR, DEX and WIL back.", who.name), None, 1))
        who = who.but(**{f"{each}_now": getattr(who, f"{each}_max") for each in ATTRIBUTES})
    for row in (*BY_NIGHT, *(BY_WEEK if healed else ())):
        if row in who.mending:
            who, more = mended(dice, who, row)
            said += more
    who, more = rest(who)
    return who, (*said, *more)


def mended(dice: Dice, who: Patient, row: int) -> Outcome:
    """A scar has mended: what it leaves is thrown for (cairn.md §4). Raises BattlematError if it isn't waiting."""
    if row not in who.mending:
        raise BattlematError("{name} has no scar of row {row} that could mend", who.name, row)
    rows = list(who.mending)
    rows.remove(row)
    who = who.but(mending=tuple(rows))
    if row == DEAFENED:
        return who, (Happening(text("{name} hears again.", who.name), None, 1),)
    _, thrown = mend(dice, row)
    before_hp, before_dex = who.hp_max, who.dex_max
    if row == FLAT:
        who = who.but(hp_max=who.hp_max + thrown.total)
    elif row == HAMSTRUNG:
        who = who.but(dex_max=max(who.dex_max, thrown.total))
        who = who.but(dex_now=who.dex_now + who.dex_max - before_dex)
    elif row == MORTAL:
        who = who.but(hp_max=thrown.total, hp=min(who.hp, thrown.total))
    else:
        who = who.but(hp_max=max(who.hp_max, thrown.total))
    if row in (BROKEN, HAMSTRUNG):
        still = [each for each in (BROKEN, HAMSTRUNG) if each in who.mending]
        who = who.but(lame="leg" in who.lost or bool(still and who.lame), one_armed="arm" in who.lost or
                      bool(BROKEN in still and who.one_armed))  # fmt: skip
    if who.dex_max != before_dex:
        told = text("{name}: {scar} mends, and DEX {before} becomes {after}.", who.name, SCARS[row].name, before_dex,
                    who.dex_max)  # fmt: skip
    elif who.hp_max != before_hp:
        told = text("{name}: {scar} mends, and maximum HP {before} becomes {after}.", who.name, SCARS[row].name,
                    before_hp, who.hp_max)  # fmt: skip
    else:
        told = text("{name}: {scar} mends, and changes nothing.", who.name, SCARS[row].name)
    return who, (Happening(told, thrown, 1 if who.hp_max >= before_hp else -1),)


def treat(dice: Dice, who: Patient, amount: int, faces: int, attribute: str = "str") -> Outcome:
    """A salve or the like: so much of an attribute comes back, and the hour's clock stops (cairn.md §2.6)."""
    found: list[Happening] = []
    if who.dying:
        who = who.but(dying=0, down=True)
        found.append(Happening(text("{name} will live.", who.name), None, 1))
    thrown = roll(dice, attribute.upper(), 1, faces, exploding=False) if faces else None
    total = (thrown.total if thrown else 0) + amount
    now, top = getattr(who, f"{attribute}_now"), getattr(who, f"{attribute}_max")
    if who.deprived:
        return who, (*found, Happening(text("{name} is deprived: nothing mends.", who.name), thrown, -1))
    gained = min(total, top - now)
    told = text("{name} gets {gained} {attribute} back.", who.name, gained, attribute.upper())
    return who.but(**{f"{attribute}_now": now + gained}), (*found, Happening(told, thrown, 1 if gained else 0))


def faithful(dice: Dice, who: Patient) -> tuple[bool, Happening]:
    """Whether a hireling who was not paid, or had run, stays: a WIL save (cairn.md §5.3 Hirelings)."""
    thrown = roll(dice, "WIL", 1, 20, exploding=False)
    stays = thrown.total == 1 or (thrown.total <= who.wil_now and thrown.total < 20)
    told = text("{name} stays all the same.", who.name) if stays else text("{name} has had enough and goes.", who.name)
    return stays, Happening(told, thrown, 1 if stays else -1)
