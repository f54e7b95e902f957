"""What a fight that begins with exploration remembers beside its figures (olde.md §8).

Everything about one creature is kept by its number in the record: as a bit of a whole number, or in a tuple.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from rules.contract.scenario import PARTY

if TYPE_CHECKING:
    from rules.olde.state import Figure, OldeState, Setup

RULE = "olde.md §8"
NOTICING = "olde.md §8 noticing"
ROUND = 60
"""Spaces of movement that lie between way points of a round at most; one farther off is not walked to."""
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


def is_hero(setup: Setup, who: int) -> bool:
    """Whether somebody explores: the players' characters do, everybody else keeps watch."""
    return setup.fighters[who].side == PARTY


def up(figure: Figure) -> bool:
    """On the board, above 0 HP, its own master."""
    return figure.cell >= 0 and figure.hp > 0 and not figure.stunned


def lurking(state: OldeState, who: int) -> bool:
    """Whether somebody lies in hiding and the heroes don't know of it."""
    exploring = state.explore
    return (
        exploring is not None
        and state.phase == "explore"
        and exploring.hides[who] > 0
        and not exploring.spotted >> who & 1
    )


def lurkers(state: OldeState, sides: tuple[str, ...]) -> frozenset[int]:
    """Numbers of those in hiding of whom these sides don't know."""
    if state.explore is None or state.phase != "explore":
        return frozenset()
    fighters = state.setup.fighters
    return frozenset(i for i in range(len(fighters)) if lurking(state, i) and fighters[i].side not in sides)


def waiting(state: OldeState) -> list[int]:
    """The heroes who may still do something in this minute, in the record's order."""
    exploring = state.explore
    assert exploring is not None
    return [
        i
        for i, figure in enumerate(state.figures)
        if is_hero(state.setup, i) and up(figure) and not exploring.done >> i & 1 and not exploring.busy[i]
    ]
