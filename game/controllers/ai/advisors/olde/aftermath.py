"""What a wound leads to by traits and conditions, and who else is hurt by a burst: figures for valuations."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from game.controllers.ai.advisors.planning import Swing
from game.controllers.ai.weights import OldeWoundsWeights, load_weights
from rules.core import odds as dist
from rules.olde.conditions import ASLEEP
from rules.olde.effects.model import total
from rules.olde.state import Fighter, Figure, OldeState
from rules.olde.traits.kinds import BURNT, DeathBurst, Frenzy, Hold, Kind, Regeneration, Rider, Split


def weights() -> OldeWoundsWeights:
    """The numbers of taste that count here."""
    return load_weights().olde.wounds


def waking_value() -> float:
    """What waking an ally is worth, in parts of its value."""
    return weights().woken


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
    trait = fighter.traits.of(DeathBurst) if fighter.traits is not None else None
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
    if fighter.traits is None or fighter.traits.of(Regeneration) is None:
        return False
    fate = fate_of(fighter, figure)
    return fate is not None and fate.rises


def fate_of(fighter: Fighter, figure: Figure) -> Fate | None:
    """What becomes of a creature when it is wounded; None where nothing does but what becomes of everybody."""
    traits = fighter.traits
    asleep = ASLEEP.holds(figure)
    if traits is None:
        return Fate(figure.hp, fighter.hp_max, regains=0, splits=0, frenzy=0, asleep=True) if asleep else None
    heals, parts, rage = traits.of(Regeneration), traits.of(Split), traits.of(Frenzy)
    regains = heals.bonus if heals is not None and not BURNT.lies_on(figure) else 0
    frenzy = rage.bonus if rage is not None and 2 * figure.hp >= fighter.hp_max else 0
    splits = parts.bonus if parts is not None else 0
    if not (regains or splits or frenzy or asleep):
        return None
    return Fate(figure.hp, fighter.hp_max, regains=regains, splits=splits, frenzy=frenzy, asleep=asleep)


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
    w = weights()
    left = fate.hp - hurt
    if left <= 0:
        if burns or fate.regains <= 1 or left <= -fate.most:
            return 0.0
        return -w.rises if left - 1 + fate.regains > 0 else -w.rises_late
    value = 0.0
    if burns:
        value += min(fate.regains, fate.most - left) / fate.hp
    elif fate.splits and left >= 2 * fate.splits:
        value -= w.divided
    if fate.frenzy and 2 * left < fate.most:
        value -= min(w.rises, w.frenzied * fate.frenzy)
    return value - (w.roused if fate.asleep else 0.0)


def _lying(fate: Fate, hurt: int, burns: bool) -> float:
    """One who lies there and would rise is worth a blow, and most of all one who would rise at once."""
    w = weights()
    if not fate.rises:
        return 0.0
    left, regains = fate.hp - hurt, 0 if burns else fate.regains
    soon = fate.hp - 1 + fate.regains > 0
    halted = w.halted if soon and (left <= -fate.most or left - 1 + regains <= 0) else 0.0
    return halted + w.finished * min(1.0, (hurt + fate.regains - regains) / (fate.hp + fate.most))


@lru_cache(maxsize=4096)
def side_effect_of(riders: tuple[Kind, ...], rank: int, plus: int, bloodless: bool) -> float:
    """What a hit carries beside its damage, in parts of felling the target; its check's rank and adjustments given."""
    w = weights()
    side_effect = 0.0
    for trait in riders:
        if isinstance(trait, Rider) and trait.name in w.side_effects and not (bloodless and trait.of_blood):
            side_effect += w.side_effects[trait.name] * (1.0 - dist.chance_at_least(2, rank, trait.rating - plus))
    return min(weights().most, side_effect)


def held_of(riders: tuple[Kind, ...], rank: int, plus: int) -> float:
    """The chance that a hit holds its target where it stands."""
    return max(
        (1.0 - dist.chance_at_least(2, rank, t.rating - plus) for t in riders if isinstance(t, Hold)),
        default=0.0,
    )
