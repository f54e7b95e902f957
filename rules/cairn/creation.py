"""Characters by the book: 3d6 in order with one swap, d6 HP, a background's gear; hirelings (cairn.md §5.3, §5.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from rules.cairn.gear import BackgroundModel
from rules.contract.errors import BattlematError
from rules.contract.events import Roll
from rules.core.dice import Dice, roll

Attribute = Literal["strength", "dexterity", "willpower"]
ATTRIBUTES: tuple[Attribute, ...] = ("strength", "dexterity", "willpower")
RATIONS = ("rations", "torch")
"""What everybody carries beside the background's gear."""


class Hire(BaseModel):
    """A kind of hireling."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    name: str
    cost: int = Field(ge=0)
    """Gold a day."""
    items: tuple[str, ...]
    art: str = "unknown_hero"


HIRES: Mapping[str, Hire] = {
    "bodyguard": Hire(name="Bodyguard", cost=10, items=("sword", "shield", "gambeson"), art="templar"),
    "veteran": Hire(name="Veteran", cost=20, items=("long sword", "chainmail", "helmet"), art="warrior"),
    "torchbearer": Hire(name="Torchbearer", cost=5, items=("torch", "dagger"), art="unknown_hero"),
}
"""Hirelings by kind (§5.3; what they carry is ours)."""


class Scores(NamedTuple):
    """What the dice gave, in the order thrown."""

    strength: int
    dexterity: int
    willpower: int
    hp: int
    age: int = 0
    gold: int = 0

    def swapped(self, one: Attribute, other: Attribute) -> Scores:
        """The same with two attributes exchanged: the one swap that a player has."""
        return self._replace(**{one: getattr(self, other), other: getattr(self, one)})


THROWS = (("STR", 3, 6), ("DEX", 3, 6), ("WIL", 3, 6), ("HP", 1, 6), ("age", 2, 20), ("gold", 3, 6))
"""What is thrown for a character: name, dice, faces; hirelings have neither age nor gold."""
YOUTH = 10
"""Added to the age's dice."""


def roll_scores(dice: Dice, hireling: bool = False) -> tuple[Roll, ...]:
    """3d6 for STR, DEX and WIL in order, d6 HP; a player's character also 2d20 (+ 10 years) and 3d6 gold."""
    wanted = THROWS[:4] if hireling else THROWS
    return tuple(roll(dice, name, count, faces, exploding=False) for name, count, faces in wanted)


def scores_of(rolls: Sequence[Roll]) -> Scores:
    """What such rolls came to."""
    first, second, third, hp, *more = (thrown.total for thrown in rolls)
    return Scores(first, second, third, hp, more[0] + YOUTH, more[1]) if more else Scores(first, second, third, hp)


def throw_scores(dice: Dice, hireling: bool = False) -> Scores:
    """The scores of a character or a hireling, thrown."""
    return scores_of(roll_scores(dice, hireling))


def roll_background(dice: Dice, backgrounds: Mapping[str, BackgroundModel]) -> tuple[Roll, BackgroundModel]:
    """One of the table by a die with as many faces, in the table's order."""
    names = list(backgrounds)
    thrown = roll(dice, "background", 1, len(names), exploding=False)
    return thrown, backgrounds[names[thrown.total - 1]]


def pick_background(dice: Dice, backgrounds: Mapping[str, BackgroundModel]) -> BackgroundModel:
    """One of the table, thrown."""
    return roll_background(dice, backgrounds)[1]


def character(scores: Scores, background: BackgroundModel, name: str, swap: tuple[Attribute, Attribute] | None = None
              ) -> dict[str, Any]:  # fmt: skip
    """A player's character as a stat block without id, side and space. Raises BattlematError for a senseless swap."""
    if swap is not None:
        if swap[0] == swap[1] or any(each not in ATTRIBUTES for each in swap):
            raise BattlematError(f"swap: needs two different ones of {', '.join(ATTRIBUTES)}, got {swap}")
        scores = scores.swapped(*swap)
    return {
        "name": name,
        "kind": background.name,
        "art": background.art,
        "strength": scores.strength,
        "dexterity": scores.dexterity,
        "willpower": scores.willpower,
        "hp_max": scores.hp,
        "items": [*background.items, *RATIONS],
        "powers": list(background.powers),
        "summary": background.summary,
        "pc": True,
    }


def hireling(scores: Scores, kind: str, name: str) -> dict[str, Any]:
    """A hireling as a stat block: no player's character, so no scars. Raises BattlematError for an unknown kind."""
    hire = HIRES.get(kind)
    if hire is None:
        raise BattlematError(f"hireling: {kind!r} is for nobody's hire; there are {', '.join(HIRES)}")
    return {
        "name": name,
        "kind": f"Hireling, {hire.name}",
        "art": hire.art,
        "strength": scores.strength,
        "dexterity": scores.dexterity,
        "willpower": scores.willpower,
        "hp_max": scores.hp,
        "items": list(hire.items),
        "summary": f"{hire.cost} gold a day.",
        "pc": False,
    }
