"""Lights that heroes carry, as they burn down over the minutes of an exploration (olde.md §8; the spans are ours).

A minute lights a torch or lantern; both burn until they are out or are put out. The rules name no span, so it is our
ruling: a torch burns 45 minutes, a lantern 6 hours on one filling, and whoever carries a light has something to light
it anew with. Watchers look after their own lights; a fight is too short to count.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from rules.contract.events import Item
from rules.contract.text import text
from rules.olde.explore.state import is_hero
from rules.olde.state import Exploring, Fighter, OldeState, Resolution, put

Lamp = Literal["lantern", "torch"]
LIGHTS = "olde.md §8 lights"


class Fuel(NamedTuple):
    """How long a light burns, and what it is lit anew with."""

    minutes: int
    one: str
    many: str


FUELS: dict[str, Fuel] = {
    "torch": Fuel(45, "one more torch", "more torches"),
    "lantern": Fuel(360, "one flask of oil", "flasks of oil"),
}
"""Kind of light -> its span (R)."""
LOW = 5
"""Minutes left of which its bearer is warned."""


def kindled(exploring: Exploring, fighters: tuple[Fighter, ...]) -> Exploring:
    """The exploration with every light at the full span it has at first."""
    burning = tuple(FUELS[f.lamp].minutes if f.light else 0 for f in fighters)
    return msgspec.structs.replace(
        exploring, burning=burning, spares=tuple(f.spares if f.light else 0 for f in fighters)
    )


def burns(state: OldeState, who: int) -> bool:
    """Whether somebody's own light burns now."""
    exploring = state.explore
    return state.setup.fighters[who].light > 0 and not (exploring is not None and exploring.unlit >> who & 1)


def spent(exploring: Exploring, who: int) -> bool:
    """Whether there is nothing left of somebody's light, neither in it nor to light it anew."""
    return not exploring.burning[who] and not exploring.spares[who]


def light_up(resolution: Resolution, who: int) -> None:
    """Light what is out: as much of it as is left, or else a new torch, another flask of oil."""
    exploring, lamp = _know(resolution), resolution.fighter(who).lamp
    if not exploring.burning[who]:
        exploring = msgspec.structs.replace(
            exploring,
            burning=put(exploring.burning, who, FUELS[lamp].minutes),
            spares=put(exploring.spares, who, exploring.spares[who] - 1),
        )
    resolution.explore = msgspec.structs.replace(exploring, unlit=exploring.unlit & ~(1 << who))
    resolution.events.append(Item(by=resolution.fighter(who).id, item=lamp, how="lit"))


def put_out(resolution: Resolution, who: int) -> None:
    """Put it out; what is left of it is kept."""
    exploring, fighter = _know(resolution), resolution.fighter(who)
    resolution.explore = msgspec.structs.replace(exploring, unlit=exploring.unlit | 1 << who)
    resolution.events.append(Item(by=fighter.id, item=fighter.lamp, how="put_out"))


def burn(resolution: Resolution) -> None:
    """A minute of every hero's burning light is gone; one that is used up goes out. A fallen bearer's burns on."""
    for who, figure in enumerate(resolution.figures):
        exploring, fighter = _know(resolution), resolution.fighter(who)
        if not is_hero(resolution.setup, who) or not fighter.light or figure.cell < 0:
            continue
        left = exploring.burning[who] - 1
        if exploring.unlit >> who & 1 or left < 0:
            continue
        resolution.explore = msgspec.structs.replace(exploring, burning=put(exploring.burning, who, left))
        if left in (0, LOW):
            resolution.events.append(Item(by=fighter.id, item=fighter.lamp, how="low" if left else "burnt_out"))
        if not left:
            resolution.explore = msgspec.structs.replace(_know(resolution), unlit=exploring.unlit | 1 << who)


def left_of(state: OldeState, who: int) -> str:
    """How long somebody's light burns still, and what is there to light it anew: `5 h 12 min · one flask of oil`."""
    exploring, fighter = state.explore, state.setup.fighters[who]
    assert exploring is not None
    minutes, spares, fuel = exploring.burning[who], exploring.spares[who], FUELS[fighter.lamp]
    if minutes >= 60:
        lasts: str = text("{hours} h {minutes} min", minutes // 60, minutes % 60)
    else:
        lasts = text("{minutes} min", minutes) if minutes else "burnt out"
    if not spares:
        return lasts
    return (
        text("{lasts} · {one}", lasts, fuel.one)
        if spares == 1
        else text("{lasts} · {spares} {many}", lasts, spares, fuel.many)
    )


def _know(resolution: Resolution) -> Exploring:
    assert resolution.explore is not None
    return resolution.explore
