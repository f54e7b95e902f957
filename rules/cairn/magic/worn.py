"""What somebody wears, and what that does beside its Armor (cairn.md §5.2, §5.5)."""

from __future__ import annotations

from rules.cairn.conditions import SNUFFED, Forbid, ruined
from rules.cairn.state import Being, Figure, Setup


def worn(setup: Setup, being: Being, figure: Figure) -> tuple[str, ...]:
    """The armour on somebody's body, without what is ruined."""
    if not figure.lasting:
        return being.wear
    return tuple(item for item in being.wear if not figure.has(ruined(item)))


def sees_in_dark(setup: Setup, being: Being, figure: Figure) -> bool:
    """Whether somebody needs no light: by nature, or by what it wears."""
    table = setup.armoury.armor
    return being.dark_sight or any(table[item].dark_sight for item in worn(setup, being, figure))


def light_of(setup: Setup, being: Being, figure: Figure) -> int:
    """Spaces of light around somebody, of its own and of the lamps that it carries; 0 where they are out."""
    if figure.has(SNUFFED):
        return 0
    gear = setup.armoury.gear
    return max(being.light, *(gear[i].light for i in (*figure.hands, *figure.pack) if i in gear), 0)


def voiceless(setup: Setup, being: Being, figure: Figure) -> bool:
    """Whether somebody cannot speak: silenced, or by what it wears."""
    table = setup.armoury.armor
    return figure.cannot(Forbid.SPEAK) or any(table[item].mute for item in worn(setup, being, figure))
