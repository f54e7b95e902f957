"""What a wound leads to by the traits and conditions of whom it strikes: figures for valuations (docs/traits.md)."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rules.olde.effects.working import has
from rules.olde.state import Fighter, Figure
from rules.olde.traits.working import BURNT

RISES, RISES_LATE = 0.5, 0.25
"""Against felling somebody who will be up again after the next reset, or after some: in parts of felling it."""
DIVIDED = 0.25
"""Against having two half as hale where there was one."""
FRENZIED = 0.06
"""Against each point of frenzy that a wound calls forth."""
ROUSED = 0.3
"""Against waking one who sleeps."""
HALTED, FINISHED = 0.4, 0.4
"""For keeping down who would rise at the next reset; for making an end of who lies there and would rise some day."""


class Fate(NamedTuple):
    """All of somebody that decides what a wound leads to."""

    hp: int
    most: int
    regains: int
    """Hit points that come back at the next reset."""
    splits: int
    frenzy: int
    """What a wound that leaves it below half of its hit points would add to its blows."""
    asleep: bool

    @property
    def rises(self) -> bool:
        """Down, but not for good: more comes back at each reset than dying takes."""
        return self.hp <= 0 and self.hp > -self.most and self.regains > 1


def rises(fighter: Fighter, figure: Figure) -> bool:
    """Whether somebody who is down will be up again by itself."""
    if fighter.traits is None or not fighter.traits.regeneration:
        return False
    fate = fate_of(fighter, figure)
    return fate is not None and fate.rises


def fate_of(fighter: Fighter, figure: Figure) -> Fate | None:
    """What becomes of a creature when it is wounded; None where nothing does but what becomes of everybody."""
    traits = fighter.traits
    asleep = bool(figure.effects) and has(figure, "asleep")
    if traits is None:
        return Fate(figure.hp, fighter.hp_max, 0, 0, 0, True) if asleep else None
    burnt = bool(figure.effects) and any(effect.name == BURNT for effect in figure.effects)
    regains = 0 if burnt else traits.regeneration
    frenzy = traits.frenzy if 2 * figure.hp >= fighter.hp_max else 0
    if not (regains or traits.splits or frenzy or asleep):
        return None
    return Fate(figure.hp, fighter.hp_max, regains, traits.splits, frenzy, asleep)


@lru_cache(maxsize=8192)
def aftermath(fate: Fate, tails: tuple[float, ...], burns: bool) -> float:
    """What comes of a blow beside its damage, in parts of felling its target; `tails[n]` = chance of n damage or more,
    `burns`: by fire. Below 0 where a target gains by it."""
    total = 0.0
    for hurt in range(1, len(tails) - 1):
        chance = tails[hurt] - tails[hurt + 1]
        if chance > 0.0:
            total += chance * (_upright if fate.hp > 0 else _lying)(fate, hurt, burns)
    return total


def _upright(fate: Fate, hurt: int, burns: bool) -> float:
    left = fate.hp - hurt
    if left <= 0:
        if burns or fate.regains <= 1 or left <= -fate.most:
            return 0.0
        return -RISES if left - 1 + fate.regains > 0 else -RISES_LATE
    worth = 0.0
    if burns:
        worth += min(fate.regains, fate.most - left) / fate.hp
    elif fate.splits and left >= 2 * fate.splits:
        worth -= DIVIDED
    if fate.frenzy and 2 * left < fate.most:
        worth -= min(RISES, FRENZIED * fate.frenzy)
    return worth - (ROUSED if fate.asleep else 0.0)


def _lying(fate: Fate, hurt: int, burns: bool) -> float:
    """One who lies there and would rise is worth a blow, and most of all one who would rise at once."""
    if not fate.rises:
        return 0.0
    left, regains = fate.hp - hurt, 0 if burns else fate.regains
    soon = fate.hp - 1 + fate.regains > 0
    halted = HALTED if soon and (left <= -fate.most or left - 1 + regains <= 0) else 0.0
    return halted + FINISHED * min(1.0, (hurt + fate.regains - regains) / (fate.hp + fate.most))
