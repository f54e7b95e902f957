"""What an effect roll is for: a class each, with what it does to whom it takes hold of, and its words (olde.md §9).

To add one: a class here, named in `POWERS`, and its word in `rules.olde.magic.spells.Does`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from rules.contract.events import Healing
from rules.contract.text import text
from rules.olde.combat.injury import heal, injure
from rules.olde.magic.spells import FAITH, MANA, Does, Pool, Spell
from rules.olde.state import Fighter, Figure, Resolution


class Power:
    """By itself: there is no effect roll."""

    word: str = ""
    """What the roll gives, for cards."""
    armored: ClassVar[bool] = False
    """Armor takes its figure off the roll."""
    fallen: ClassVar[bool] = False
    """It works on those who are down."""

    def past(self, spell: Spell) -> str:
        """What is said of a spell's roll beside that."""
        return ""

    def needed(self, fighter: Fighter, figure: Figure) -> bool:
        """Whether it would do anything for somebody."""
        return False

    def work(self, resolution: Resolution, who: int, working: Working) -> None:
        """Let it work on somebody."""


class Working(NamedTuple):
    """An effect roll that takes hold of somebody."""

    spell: Spell
    name: str
    """What events call it: the item's or the spell's name."""
    caster: int
    value: int
    """What the roll came to."""
    hurt: int
    """The same less armor, where it harms."""


class Harm(Power):
    word = "damage"
    armored = fallen = True

    def past(self, spell: Spell) -> str:
        return ", past armor" if spell.pierces else ""

    def needed(self, fighter: Fighter, figure: Figure) -> bool:
        return True  # whoever may be struck may be aimed at, the fallen too

    def work(self, resolution: Resolution, who: int, working: Working) -> None:
        if working.hurt:
            injure(resolution, who, working.hurt, working.name, by=working.caster, element=working.spell.element)


class Heal(Power):
    word = "HP back"
    fallen = True

    def needed(self, fighter: Fighter, figure: Figure) -> bool:
        return figure.hp < fighter.hp_max or figure.bleeding

    def work(self, resolution: Resolution, who: int, working: Working) -> None:
        heal(resolution, who, working.value, working.name, magical=True)


class Restore(Power):
    """Gives Mana or Faith back."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.word = text("{label} back", label=pool.label)

    def needed(self, fighter: Fighter, figure: Figure) -> bool:
        return self.pool.left(figure) < top(self.pool, fighter)

    def work(self, resolution: Resolution, who: int, working: Working) -> None:
        restore(resolution, who, self.pool.name, working.value, working.name)


def top(pool: Pool, fighter: Fighter) -> int:
    """The most that somebody may have of a pool."""
    return int(getattr(fighter, f"{pool.name}_max"))


def restore(resolution: Resolution, who: int, pool: str, amount: int, because: str) -> None:
    """Give Mana or Faith back, at most to the maximum."""
    figure, fighter = resolution.figures[who], resolution.fighter(who)
    now, most = (figure.mana, fighter.mana_max) if pool == MANA.name else (figure.faith, fighter.faith_max)
    gained = min(amount, most - now)
    if gained > 0:
        resolution.change(who, **{pool: now + gained})
        resolution.events.append(
            Healing(target=fighter.id, amount=gained, now=now + gained, what=pool, because=because)
        )


POWERS: Mapping[Does, Power] = MappingProxyType(
    {Does.NOTHING: Power(), Does.HARM: Harm(), Does.HEAL: Heal(), Does.MANA: Restore(MANA), Does.FAITH: Restore(FAITH)}
)
