"""Who explores, who keeps watch, who lies in hiding: read from the state of an exploration (olde.md §8)."""

from __future__ import annotations

from rules.contract.ruleset import PARTY
from rules.olde.state import Figure, OldeState, Phase, Setup

RULE = "olde.md §8"
NOTICING = "olde.md §8 noticing"
ROUND = 60
"""Spaces of movement that lie between way points of a round at most; one farther off is not walked to."""


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
        and state.phase is Phase.EXPLORE
        and exploring.hides[who] > 0
        and not exploring.spotted >> who & 1
    )


def lurkers(state: OldeState, sides: tuple[str, ...]) -> frozenset[int]:
    """Numbers of those in hiding of whom these sides don't know."""
    if state.explore is None or state.phase is not Phase.EXPLORE:
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
