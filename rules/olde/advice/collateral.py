"""Who else is hurt when somebody bursts: figures for valuations (olde.md §10 death burst)."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rules.contract.planning import Swing
from rules.core import odds as dist
from rules.olde.effects.working import total
from rules.olde.state import OldeState


class Burst(NamedTuple):
    """What it does to whom if somebody is felled where it stands."""

    spaces: int
    others: tuple[tuple[str, float, float], ...]
    """(creature, mean damage, chance to drop it) for all near it but one."""
    own: tuple[float, float]
    """The same for that one, were it near."""


def burst_of(state: OldeState, who: int, by: int) -> Burst:
    """The burst of a creature, `by` being told apart from the others."""
    fighters, figures = state.setup.fighters, state.figures
    fighter, cell = fighters[who], figures[who].cell
    trait = fighter.traits.burst if fighter.traits is not None else None
    assert trait is not None
    others = []
    for i, figure in enumerate(figures):
        other = fighters[i]
        if i in (who, by) or figure.cell < 0 or figure.hp <= -other.hp_max:
            continue
        if state.terrain.distance(cell, figure.cell, fighter.space, other.space) <= trait.spaces:
            others.append((other.id, *_struck(state, i, trait.die)))
    return Burst(trait.spaces, tuple(others), _struck(state, by, trait.die))


def _struck(state: OldeState, who: int, die: int) -> tuple[float, float]:
    fighter, figure = state.setup.fighters[who], state.figures[who]
    soak = fighter.armor.reduction if fighter.armor else 0
    return _harm(die, soak + (total(figure, "armor") if figure.effects else 0), figure.hp)


@lru_cache(maxsize=1024)
def _harm(die: int, soak: int, hp: int) -> tuple[float, float]:
    """(mean damage, chance to drop) of a die less armor on somebody with so many hit points."""
    mean = drop = 0.0
    for face, chance in enumerate(dist.die(die, False)):
        hurt = max(0, face - soak)
        mean += hurt * chance
        drop += chance if 0 < hp <= hurt else 0.0
    return mean, drop


def with_burst(swing: Swing, burst: Burst, near: bool) -> Swing:
    """A blow with what comes of felling its target; `near`: whether the burst takes in who strikes it."""
    if swing.drop <= 0.0:
        return swing
    more = tuple((name, swing.drop * mean, swing.drop * drop) for name, mean, drop in burst.others)
    own = (("", swing.drop * burst.own[0], swing.drop * burst.own[1]),) if near else ()
    return swing._replace(fallout=(*swing.fallout, *more, *own))
