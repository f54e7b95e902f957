"""Manners of attacks and shots, and stances: a record each (countup.md §2.5, §2.6).

To add one: a record here, named in `MANNERS`, and in `MANOEUVRES` if whoever attacks may choose it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import Self

import msgspec

from rules.contract.text import text

SHIELD_MISS = 9
"""A melee attack that misses by at most so many strikes the shield (countup.md §2.2)."""


class Stance(StrEnum):
    """How somebody stands for the time being."""

    NONE = ""
    DEFENSIVE_1 = "defensive 1", 1
    DEFENSIVE_2 = "defensive 2", 2
    DEFENSIVE_3 = "defensive 3", 3
    DEFENSIVE_4 = "defensive 4", 4
    PARRY = "parry"
    FLEEING = "fleeing"
    CHARGING = "charging"
    SET = "set"
    """A long weapon is set against a charge."""
    KNEELING = "kneeling"
    RISING = "rising"

    rank: int
    """Points that a defensive fight adds to the defence; each takes two from the attack."""

    def __new__(cls, word: str, rank: int = 0) -> Self:
        self = str.__new__(cls, word)
        self._value_ = word
        self.rank = rank
        return self


class Manner(msgspec.Struct, frozen=True, kw_only=True):
    """A manner of attacking or shooting: what it does in figures, its button, how the story begins to tell of it."""

    word: str
    """In records and events."""
    told: str
    """How the story begins to tell of it: `{by}`, `{target}`, `{weapon}`, and `{manner}` for `because`."""
    label: str = ""
    meaning: str = ""
    attack: int = 0
    because: str = ""
    """Under which name and rule `attack` is added."""
    rule: str = "§2.6"
    stance: Stance = Stance.NONE
    """The defensive stance that goes with it."""
    jab: bool = False
    """Sooner due again, half the damage, no penetration."""
    charge: bool = False
    """Runs on into the foe: twice the knock-back, no defence by Dexterity."""
    exposes: bool = False
    """Costs defence until one's own next attack."""
    stops: bool = False
    """A hit holds the foe where it is."""
    harmless: bool = False
    """A threat, which wounds nobody."""
    twice: bool = False
    """Its dice of damage are thrown twice."""
    free: bool = False
    """Earned by what somebody else did: it never changes when one is due."""
    fists: bool = False
    """With bare hands, whatever is held."""
    shot: bool = False
    turn: int = 2
    """When it falls among the attacks of first contact: the least first."""

    @property
    def penetrates(self) -> bool:
        return not (self.jab or self.stance.rank)


PLAIN = Manner(word="attack", told="{by} strikes at {target} with {weapon}")
JAB = Manner(
    word="jab", label="Jab", meaning="sooner due again; half the harm", jab=True,
    told="{by} jabs at {target} with {weapon}",
)  # fmt: skip
AGGRESSIVE = Manner(
    word="aggressive", label="Aggressive attack", meaning="+5 to hit; −2 defence until the next attack", attack=5,
    because="aggressive attack", exposes=True, told="{by} makes an {manner} on {target} with {weapon}",
)  # fmt: skip
CHARGE = Manner(
    word="charge", label="Charge", meaning="+4 to hit, twice the knock-back; defence without Dexterity for 5 s",
    attack=4, because="charge", charge=True, told="{by} charges {target} with {weapon}",
)  # fmt: skip
DEFENSIVE = tuple(
    Manner(
        word=stance.value, label=text("Fight defensively, {points}", stance.rank),
        meaning=text("−{cost} to hit, +{points} defence", 2 * stance.rank, stance.rank),
        told="{by} {manner} and strikes at {target} with {weapon}", attack=-2 * stance.rank,
        because="fights defensively", stance=stance,
    )
    for stance in Stance if stance.rank
)  # fmt: skip
"""One point of defence, two, three, four."""
SET = Manner(
    word="set", twice=True, stops=True, turn=1,
    told="{by} meets the charge of {target} with the {weapon} that was set",
)  # fmt: skip
HOLD_AT_BAY = Manner(
    word="hold_at_bay", stops=True, harmless=True, turn=0, told="{by} holds the {weapon} before {target}"
)
JAB_TO_HOLD = Manner(
    word="hold_at_bay jab", stops=True, jab=True, turn=0,
    told="{by} jabs at {target} with {weapon} to hold it at bay",
)  # fmt: skip
FREE = Manner(word="free", free=True, told="{by} has a free attack on {target} with {weapon}")
FISTS = Manner(word="unarmed", free=True, fists=True, told="{by} has a free attack on {target} with {weapon}")
SHOT = Manner(word="shot", shot=True, told="{by} shoots at {target} with {weapon}")
QUICK_SHOT = Manner(
    word="quick_shot", shot=True, attack=-6, because="quick aim", rule="§2.5",
    told="{by} shoots at {target} with {weapon}, quickly aimed",
)  # fmt: skip

_ORDERED = (JAB, AGGRESSIVE, CHARGE, *DEFENSIVE)
_ALL = (PLAIN, *_ORDERED, SET, HOLD_AT_BAY, JAB_TO_HOLD, FREE, FISTS, SHOT, QUICK_SHOT)
MANNERS: Mapping[str, Manner] = MappingProxyType({manner.word: manner for manner in _ALL})
MANOEUVRES: Mapping[str, Manner] = MappingProxyType({manner.word: manner for manner in _ORDERED})
"""What an attack may be ordered as."""


class Shots(Enum):
    """How shots are ordered, by the option of the order."""

    AIMED = None
    ONCE = "once"
    QUICK = "quick"

    @property
    def quick(self) -> bool:
        """Without taking aim."""
        return self is Shots.QUICK

    @property
    def manner(self) -> Manner:
        return QUICK_SHOT if self.quick else SHOT

    @property
    def button(self) -> tuple[str, str] | None:
        """Its label and what it means; None where the kind of action says so itself."""
        return _BUTTONS.get(self)


_BUTTONS: Mapping[Shots, tuple[str, str]] = MappingProxyType(
    {
        Shots.ONCE: ("One shot", "then another order, with the next already being loaded"),
        Shots.QUICK: ("Quick shots", "no aiming; −6 to hit"),
    }
)
