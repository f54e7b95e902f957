"""Lasting effects on creatures and on the ground as values, and what somebody's effects come to (olde.md §9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol

import msgspec

from rules.contract.actions import Adjustment
from rules.contract.text import joined, text
from rules.contract.units import NOWHERE, Bitboard, Cell, CreatureIx
from rules.core.dice import signed

RULE = "olde.md §9 durations"
ENDLESS = 1000
"""Resets of what no reset ends by itself."""
PARTS = ("attack", "defense", "damage", "armor", "ap", "checks", "physical")
"""What an effect may add to: fields of `Lasting`."""


class Lasting(msgspec.Struct, frozen=True):
    """What a spell, a blow or a trap leaves on a creature."""

    turns: int
    condition: str = ""
    attack: int = 0
    defense: int = 0
    damage: int = 0
    armor: int = 0
    ap: int = 0
    checks: int = 0
    recover: str = ""
    physical: int = 0  # added to checks of Brawn and Finesse only
    rule: str = ""  # where it comes from, if not from a spell
    harm: int = 0  # HP lost at each reset (olde.md §4 reset phase)


class Effect(msgspec.Struct, frozen=True):
    """A lasting effect on a creature."""

    name: str
    by: CreatureIx  # number of whoever laid it on; of a fright, of whom it is
    turns: int  # resets still to go; it ends in the last of them
    rating: int  # what a recovery check is made against: the casting's total
    lasting: Lasting


class ZoneKind(StrEnum):
    """What a spell makes of the ground; `does` says what that means."""

    STONE = "stone"
    FORCE = "force"
    THORNS = "thorns"
    LIGHT = "light"

    @property
    def does(self) -> Ground:
        return ZONES[self]


class Ground(msgspec.Struct, frozen=True, kw_only=True):
    """What ground changed by a spell does to whoever comes there, and its words."""

    mark: str  # name of its drawing
    sentence: str  # what it does, for tooltips
    brief: str  # the same in a few words, for cards
    begins: str  # the sentence of the story when it comes
    blocks: bool = False  # nobody walks there, and it leaves out the spaces where somebody is
    hides: bool = False  # nobody sees through it
    slows: bool = False  # it is difficult ground
    lights: bool = False  # it sheds light, and who stands in it is seen one grade better


ZONES: Mapping[ZoneKind, Ground] = MappingProxyType({
    ZoneKind.STONE: Ground(
        mark="wall", sentence="Nobody walks or sees through it.", brief="stops feet and eyes",
        begins="The {name} rises.", blocks=True, hides=True,
    ),
    ZoneKind.FORCE: Ground(
        mark="pane", sentence="Nobody walks through it; everybody sees through it.", brief="stops feet, not eyes",
        begins="The {name} stands.", blocks=True,
    ),
    ZoneKind.THORNS: Ground(
        mark="rough", sentence="Difficult ground: a space costs two.", brief="difficult ground",
        begins="The {name} grows.", slows=True,
    ),
    ZoneKind.LIGHT: Ground(
        mark="light", sentence="Whoever stands in it is seen one grade better.",
        brief="whoever stands in it is seen better", begins="The {name} shines.", lights=True,
    ),
})  # fmt: skip
"""All kinds. To add one: a line here and in `ZoneKind`."""


class Zone(msgspec.Struct, frozen=True):
    """A spell's lasting effect on the ground."""

    name: str
    kind: ZoneKind
    cells: Bitboard
    by: CreatureIx
    turns: int
    centre: Cell = NOWHERE
    radius: int = 0


class Affected(Protocol):
    """Somebody on whom effects may lie."""

    @property
    def effects(self) -> tuple[Effect, ...]: ...


def shifts(figure: Affected, part: str, to: str) -> list[Adjustment]:
    """What a figure's effects add to something, each by its name. `part` is one of `PARTS`."""
    return [
        Adjustment(to, value, effect.name, effect.lasting.rule or RULE)
        for effect in figure.effects
        if (value := getattr(effect.lasting, part))
    ]


def total(figure: Affected, part: str) -> int:
    """The sum of what a figure's effects add to something."""
    return sum(getattr(effect.lasting, part) for effect in figure.effects)


def has(figure: Affected, condition: str) -> bool:
    """Whether some effect lays this condition on a figure."""
    return any(effect.lasting.condition == condition for effect in figure.effects)


def anybody(figures: Sequence[Affected], condition: str) -> bool:
    """Whether some effect lays this condition on any of these."""
    changed = [figure for figure in figures if figure.effects]
    return any(has(figure, condition) for figure in changed) if changed else False


def words(lasting: Lasting) -> str:
    """What an effect does, for stories and badges: `attack +1, checks +1`."""
    parts: list[str] = [
        text("{what} {change}", part if part != "ap" else "AP die", signed(getattr(lasting, part)))
        for part in PARTS
        if getattr(lasting, part)
    ]
    if lasting.harm:
        parts.insert(0, text("−{harm} HP each reset", lasting.harm))
    if lasting.condition:
        parts.insert(0, lasting.condition)
    return joined(", ", parts)
