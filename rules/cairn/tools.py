"""The game master's dice outside of fights: reactions and the Die of Fate (cairn.md §1)."""

from __future__ import annotations

from rules.dice import Dice, roll
from rules.events import Roll

REACTIONS = ((2, "hostile"), (5, "wary"), (8, "curious"), (11, "kind"), (12, "helpful"))
"""2d6 up to the figure -> how strangers take to the party."""
FORTUNATE = 4
"""The Die of Fate from this face on is good for the party."""


def reaction(total: int) -> str:
    """How strangers take to the party, by the total of 2d6. Raises ValueError for what 2d6 cannot show."""
    if not 2 <= total <= 12:
        raise ValueError(f"reaction: 2d6 show 2 to 12, not {total}")
    return next(word for limit, word in REACTIONS if total <= limit)


def react(dice: Dice) -> tuple[str, Roll]:
    """A reaction, thrown."""
    thrown = roll(dice, "reaction", 2, 6, exploding=False)
    return reaction(thrown.total), thrown


def fate(face: int) -> bool:
    """Whether the Die of Fate is good for the party. Raises ValueError for what a d6 cannot show."""
    if not 1 <= face <= 6:
        raise ValueError(f"die of fate: a d6 shows 1 to 6, not {face}")
    return face >= FORTUNATE


def ask_fate(dice: Dice) -> tuple[bool, Roll]:
    """The Die of Fate, thrown."""
    thrown = roll(dice, "Die of Fate", 1, 6, exploding=False)
    return fate(thrown.total), thrown
