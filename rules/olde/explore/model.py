"""What a fight that begins with exploration remembers beside its figures (olde.md §8).

Everything about one creature is kept by its number in the record: as a bit of a whole number, or in a tuple.
"""

from __future__ import annotations

import msgspec

OPENLY = -1
"""In place of a Sneak total: whoever takes no care not to be seen."""


class Exploring(msgspec.Struct, frozen=True, gc=False):
    """How the exploration stands; kept as it was when the fight began."""

    minute: int = 1
    done: int = 0
    """Who has had its turn in this minute."""
    busy: tuple[int, ...] = ()
    """Minutes beyond this one that each is taken up with what it has begun."""
    guise: tuple[int, ...] = ()
    """The total of each one's last Sneak, by which it is still hidden; `OPENLY` for whoever takes no care."""
    tried: tuple[int, ...] = ()
    """For each hero the watchers that have tried to notice it as it is hidden now."""
    hides: tuple[int, ...] = ()
    """The Sneak total of each one that lies in hiding; 0 for everybody else."""
    spotted: int = 0
    """Of those in hiding, whom the heroes have found."""
    looked: tuple[int, ...] = ()
    """For each hero those in hiding whom it has had its chance to find."""
    leg: tuple[int, ...] = ()
    """For each walker of a round the way point that it goes to."""
    unlit: int = 0
    """Whose own light does not burn: it was put out, or nothing is left of it."""
    burning: tuple[int, ...] = ()
    """Minutes that are left of each one's own light."""
    spares: tuple[int, ...] = ()
    """With how many torches or flasks of oil each can light it anew."""
    dulled: int = 0
    """Watchers who have just convinced themselves that nothing is there."""
    caught: int = 0
    """Who was unaware when the fight began."""
    bound: int = 0
    """Whose wounds were bound, or tried to be."""
    fed: int = 0
    """Who has had its meal."""


def at_first(count: int) -> Exploring:
    """An exploration of so many creatures before its first minute."""
    none, openly = (0,) * count, (OPENLY,) * count
    return Exploring(busy=none, guise=openly, tried=none, hides=none, looked=none, leg=none, burning=none,
                     spares=none)  # fmt: skip


def put(row: tuple[int, ...], who: int, value: int) -> tuple[int, ...]:
    """A row with one creature's value changed."""
    return (*row[:who], value, *row[who + 1 :])
