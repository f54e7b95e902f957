"""Watchers: who notices whom by sight and hearing, with what chance, and the rounds that they walk (olde.md §3, §8).

Whoever sneaks rolls Sneak once; each watcher that has a chance to notice it rolls Alertness once against that total, on
the space of the way where it would notice best. The rest is ours (R), since the rules name no figures:

- the line of sight counts as for a shot: partial −3, minimal −6; beyond 6 spaces −2, and −2 more for each doubling;
- whoever cannot see, or looks nowhere (a creature marked as surprised), hears at −3, the sleeping at −6: a sneaker
  within 3 spaces against its Sneak, somebody walking openly within 6 against Easy, noise within 12 against Trivial;
- whoever goes openly in anybody's view is noticed without a roll.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rules.board.sight import Grade
from rules.contract.actions import Adjustment
from rules.contract.text import text
from rules.contract.units import Cell, CreatureIx
from rules.explore.course import FAR
from rules.explore.procedure import Manner
from rules.olde.challenges.checks import EASY, RATINGS, skill_terms
from rules.olde.combat.attack import SIGHT, range_penalty
from rules.olde.conditions import ASLEEP
from rules.olde.state import OldeState, Resolution

NOTICING = "olde.md §8 noticing"
DULLED = -2
"""Alertness of a watcher that failed by two ranks or more, at its next attempt."""
SURE = 1000
"""In place of a rating: noticed without a roll."""

SNEAKING = Manner("sneaking", 3, 0)
OPEN = Manner("openly", 6, EASY)
LOUD = Manner("loudly", 12, RATINGS["Trivial"])
STILL = Manner("still", -1, EASY)
"""Openly, but without a sound and on the spot."""
HIDDEN = Manner("hidden", -1, 0)
"""Still hidden by its last Sneak."""


class Sense(NamedTuple):
    """How one watcher might notice somebody on a way."""

    step: int  # the number of the space of the way
    watcher: CreatureIx
    rank: int
    adjustments: tuple[Adjustment, ...]
    rating: int  # what the Alertness must reach; 0 = the Sneak total, `SURE` = no roll, it is noticed

    @property
    def plus(self) -> int:
        return sum(a.value for a in self.adjustments)

    @property
    def terms(self) -> tuple[int, int, int]:
        """(rank, sum of the adjustments, rating): what its chance hangs on."""
        return self.rank, self.plus, self.rating


def asleep(state: OldeState | Resolution, who: CreatureIx) -> bool:
    """Whether somebody sleeps."""
    return ASLEEP.holds(state.figures[who])


def looks(state: OldeState | Resolution, watcher: CreatureIx) -> bool:
    """Whether a watcher has open eyes and uses them."""
    return not asleep(state, watcher) and not state.setup.fighters[watcher].surprised


Views = Callable[[OldeState, CreatureIx, CreatureIx, Cell], Grade]
"""The line of sight of a watcher to somebody who stands on a space."""


def sense_of(
    views: Views, state: OldeState, who: tuple[CreatureIx, CreatureIx], way: Sequence[Cell], manner: Manner
) -> Sense | None:
    """How one watcher might notice somebody on a way, where it would do so best; None where it can't. `who`: the
    watcher, then whom it might notice."""
    watcher, hero = who
    best: tuple[int, int, tuple[tuple[int, str], ...], int] | None = None
    watches, sneaks = looks(state, watcher), not manner.rating
    sizes = state.setup.fighters[watcher].space, state.setup.fighters[hero].space
    for step, cell in enumerate(way):
        spaces = state.terrain.distance(state.figures[watcher].cell, cell, *sizes)
        seen = views(state, watcher, hero, cell) if watches else Grade.NONE
        if seen is not Grade.NONE:
            if not sneaks:
                return Sense(step, watcher, 0, (), SURE)
            terms: tuple[tuple[int, str], ...] = (
                (SIGHT[seen], text("{name} sight", seen.name.lower())),
                (range_penalty(FAR, spaces), "far off"),
            )
            rating = 0
        elif spaces <= manner.earshot:
            terms = ((-6, ASLEEP.name) if asleep(state, watcher) else (-3, "by ear alone"),)
            rating = manner.rating
        else:
            continue
        plus = sum(value for value, _ in terms)
        if best is None or plus > best[0]:
            best = (plus, step, terms, rating)
    if best is None:
        return None
    _, step, terms, rating = best
    rank, own = skill_terms(state.setup, state.setup.fighters[watcher], state.figures[watcher], "Alertness")
    more = [Adjustment("check", value, why, NOTICING) for value, why in terms if value]
    if state.exploring.dulled >> watcher & 1:
        more.append(Adjustment("check", DULLED, "off its guard", NOTICING))
    return Sense(step, watcher, rank, (*own, *more), rating)


TILE = 6
"""Spaces that one crosses in a minute; half of it sneaking (R)."""
LOUDLY = ("Burst", "Lift/Shift")
"""Skills that are heard far off."""
