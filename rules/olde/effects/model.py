"""Lasting effects and conditions as values: what each does in figures and what it forbids (olde.md §7)."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import msgspec


class Lasting(msgspec.Struct, frozen=True):
    """What a spell leaves on a creature."""

    turns: int
    condition: str = ""
    attack: int = 0
    defense: int = 0
    damage: int = 0
    armor: int = 0
    ap: int = 0
    checks: int = 0
    recover: str = ""
    physical: int = 0
    """Added to checks of Brawn and Finesse only."""
    rule: str = ""
    """Where it comes from, if not from a spell."""
    harm: int = 0
    """HP lost at each reset (olde.md §4 reset phase)."""


class Effect(msgspec.Struct, frozen=True):
    """A spell's lasting effect on a creature."""

    name: str
    by: int
    """Number of the caster."""
    turns: int
    """Resets still to go; it ends in the last of them."""
    rating: int
    """What a recovery check is made against: the casting's total."""
    lasting: Lasting


class Zone(msgspec.Struct, frozen=True):
    """A spell's lasting effect on the ground."""

    name: str
    kind: str
    """`stone`, `force`, `thorns` or `light`."""
    cells: int
    by: int
    turns: int
    centre: int = -1
    radius: int = 0


RULE = "olde.md §7"
ENDLESS = 1000
"""Resets of what no reset ends by itself."""
NOBODY = -1


class Affected(Protocol):
    """Somebody on whom effects may lie."""

    @property
    def effects(self) -> tuple[Effect, ...]: ...


class Meaning(NamedTuple):
    """What a condition does."""

    attack: int = 0
    defense: int = 0
    ap: int = 0
    checks: int = 0
    physical: int = 0
    """Added to checks of Brawn and Finesse only."""
    bars: tuple[str, ...] = ()
    """`attack`, `cast`, `speak`, `move`, `defend`, or `hurry` (more than one space a round)."""
    harm: int = 0
    """HP lost at each reset (olde.md §4 reset phase)."""


CONDITIONS: dict[str, Meaning] = {
    "blinded": Meaning(attack=-5, defense=-5),
    "dazed": Meaning(defense=-2, bars=("attack", "cast", "hurry")),
    "exhausted": Meaning(attack=-2, defense=-2, ap=-3, physical=-2),
    "fatigued": Meaning(ap=-2),
    "frightened": Meaning(attack=-2, defense=-2, checks=-2),
    "poisoned": Meaning(harm=1),
    "restrained": Meaning(bars=("move", "defend")),
    "silenced": Meaning(bars=("speak",)),
    "submerged": Meaning(bars=("attack", "cast", "speak")),
}
FLAGS = ("bleeding", "rooted", "slowed")
"""Conditions that a figure keeps as flags."""
NOTHING = Meaning()


def meaning(condition: str) -> Meaning:
    """What a condition does in figures; nothing for one that has steps of its own."""
    return CONDITIONS.get(condition, NOTHING)


def barred(figure: Affected, what: str) -> str:
    """The condition that forbids something to a figure, or an empty word."""
    for effect in figure.effects:
        condition = effect.lasting.condition
        if condition in CONDITIONS and what in CONDITIONS[condition].bars:
            return condition
    return ""


def lasting(condition: str, turns: int, recover: str = "") -> Lasting:
    """A condition as what stays on a creature for so many resets."""
    does = meaning(condition)
    return Lasting(
        turns=turns, condition=condition, attack=does.attack, defense=does.defense, ap=does.ap, checks=does.checks,
        recover=recover, physical=does.physical, rule=f"{RULE} {condition}", harm=does.harm,
    )  # fmt: skip


def effect(condition: str, turns: int = ENDLESS, by: int = NOBODY, rating: int = 0, recover: str = "") -> Effect:
    """A condition that no spell laid on; `by` = whom a fright is of."""
    return Effect(condition, by, turns, rating, lasting(condition, turns, recover))


def innate(conditions: tuple[str, ...], adversaries: tuple[int, ...]) -> tuple[Effect, ...]:
    """The effects that a creature comes with; a fright without a cause is of all adversaries."""
    out = []
    for condition in dict.fromkeys(conditions):
        if condition in CONDITIONS:
            feared = adversaries if condition == "frightened" else ()
            out.append(effect(condition, by=feared[0] if feared else NOBODY))
            out += [Effect(condition, by, ENDLESS, 0, Lasting(ENDLESS, condition)) for by in feared[1:]]
    return tuple(out)
