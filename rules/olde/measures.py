"""Deeds beside moving and striking, with their purpose: what a planner weighs without trying each of them out.

Everything yielded is legal where it is asked for; most of it is ruled out by a glance before a deed is asked at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from rules import odds as dist
from rules.grid import Terrain
from rules.olde.aid import FirstAid
from rules.olde.arms import Guard, arms_of, guard_of, swings
from rules.olde.challenges import burden, check_stat, skill_adjustment, stat_rank
from rules.olde.deeds import Look
from rules.olde.handling import Ready
from rules.olde.legal import DEEDS
from rules.olde.magic_odds import measures as magic
from rules.olde.movement import LEAP_RATING, Leap
from rules.olde.prospect import look_of
from rules.olde.statblock import hands_needed
from rules.olde.state import OldeState, Setup
from rules.path import reach
from rules.ruleset import Measure
from rules.sight import Grade

_DETOUR = 6
"""A leap is worth a thought where walking round takes at least so many spaces."""
_CLOSE = 3
"""Who has a foe so near arms for melee."""


def measures(state: OldeState) -> Iterator[Measure]:
    """What else is worth a thought in the open chance, in stable order."""
    chance = state.chance
    if chance is None or chance.only:
        return
    look = look_of(state)
    if not chance.moved and not chance.acted and not look.figure.rooted:
        yield from _movements(look)
    if not chance.acted or not chance.moved:
        yield from _doors(look)
    if not chance.acted and look.left:
        yield from _aid(look)
        yield from _gear(look)
        yield from _guard(look)
        if look.fighter.spells or look.figure.items:
            yield from magic(look)


def chance_of(look: Look, skill: str, rating: int) -> float:
    """Exact chance of a skill check by whoever is acting (olde.md §3)."""
    stat = check_stat(look.fighter, skill)
    plus = skill_adjustment(look.fighter, skill)
    plus += sum(a.value for a in burden(look.setup, look.fighter, look.figure, stat))
    return dist.chance_at_least(2, stat_rank(look.fighter, stat), rating - plus)


def _movements(look: Look) -> Iterator[Measure]:
    if look.figure.posture != "standing":
        for action in DEEDS["rise"].instances(look):
            yield Measure(action, DEEDS["rise"].cost(look, action), "rise", 1.0)
        return
    if look.field.climbs and look.left >= 2:
        for action in DEEDS["climb"].instances(look):
            yield Measure(action, 2, "pass", 1.0, cell=action.at if action.at is not None else -1)
    goals = leaps_from(look.terrain, look.figure.cell) if look.left and look.fighter.space == 1 else ()
    for action in DEEDS["leap"].instances(look) if goals else ():
        if action.at in goals:
            rating = LEAP_RATING[len(Leap.gap(look, action.at) or ())]
            falls = 1.0 - chance_of(look, "Leap", rating - 2)
            chance = chance_of(look, "Leap", rating)
            yield Measure(action, 1, "pass", chance, cell=action.at, risk=falls)


def leaps_from(terrain: Terrain, cell: int) -> tuple[int, ...]:
    """The spaces 2 or 3 off in a straight line that are far to walk to: where leaping may pay. Remembered."""
    key = ("leaps", cell)
    found: tuple[int, ...] | None = terrain.memo.get(key)
    if found is None:
        found = ()
        if terrain.pits or terrain.difficult or any(terrain.field.levels):
            near = reach(terrain, cell, _DETOUR - 1).cells
            column, row = terrain.field.at(cell)
            for far in (2, 3):
                for x, y in (
                    (0, -far),
                    (-far, 0),
                    (far, 0),
                    (0, far),
                    (-far, -far),
                    (far, -far),
                    (-far, far),
                    (far, far),
                ):
                    if terrain.field.inside(column + x, row + y):
                        goal = terrain.field.cell(column + x, row + y)
                        if terrain.fits(goal) and not near >> goal & 1:
                            found += (goal,)
        terrain.memo[key] = found
    return found


def _doors(look: Look) -> Iterator[Measure]:
    if not look.field.doors or not look.left:
        return
    for action in DEEDS["open"].instances(look):
        yield Measure(action, 1, "pass", 1.0)
    for action in DEEDS["force"].instances(look):
        door = next(d for d in look.field.doors if d.id == action.target)
        chance = chance_of(look, action.option or "Burst", door.difficulty)
        yield Measure(action, DEEDS["force"].cost(look, action), "pass", chance)


def _aid(look: Look) -> Iterator[Measure]:
    side = look.fighter.side
    if any(
        (f.bleeding or f.dying) and other.side == side
        for other, f in zip(look.setup.fighters, look.state.figures, strict=True)
    ):
        for action in DEEDS["first_aid"].instances(look):
            rating = FirstAid.rating(look, look.setup.index[action.target or ""])
            yield Measure(
                action, DEEDS["first_aid"].cost(look, action), "mend", chance_of(look, "Healing", rating)
            )


def _guard(look: Look) -> Iterator[Measure]:
    if look.left >= 2 and any(item in look.setup.armoury.shields for item in look.figure.hands):
        for action in DEEDS["shield_block"].instances(look):
            yield Measure(action, 2, "guard", 1.0, 2.0, anywhere=True)


# ------------------------------------------------------------------------------------------------ gear


def _gear(look: Look) -> Iterator[Measure]:
    """Taking up, putting away and making ready, by how much harder one strikes afterwards."""
    figure = look.figure
    ready = DEEDS["ready"]
    if figure.pack:
        assert isinstance(ready, Ready)
        now = _force(look, figure.hands, figure.unset)
        for action in ready.instances(look):
            wanted = ready.wanted(look, action)
            gain = _force(look, wanted, figure.unset) - now if wanted else 0.0
            if gain > 0.0:
                yield Measure(action, 1, "arm", 1.0, gain, anywhere=True)
    for action in DEEDS["pick_up"].instances(look) if look.state.floor else ():
        hands = (*figure.hands, action.item or "")
        if hands_needed(look.setup.armoury, hands) <= 2:
            gain = _force(look, hands, figure.unset) - _force(look, figure.hands, figure.unset)
            yield Measure(action, 1, "arm", 1.0, gain)
    for action in DEEDS["reset_crossbow"].instances(look) if figure.unset else ():
        gain = _force(look, figure.hands, ()) - _force(look, figure.hands, figure.unset)
        yield Measure(action, DEEDS["reset_crossbow"].cost(look, action), "arm", 1.0, gain, anywhere=True)


def _force(look: Look, hands: tuple[str, ...], unset: tuple[str, ...]) -> float:
    """Mean damage of the best plain blow on the nearest foe, were so much in hand; beside it, if it is close."""
    foes = [(look.distance(i), i) for i, f, g in look.others() if f.side != look.fighter.side and g.hp > 0]
    distance, foe = min(foes, default=(_CLOSE + 1, look.who))
    guard = guard_of(look.state, foe)
    key = (look.figure.hands, look.figure.posture, look.figure.effects, hands, unset, distance > _CLOSE)
    memo = forces_of(look.setup, look.who)
    found = memo.get((key, guard))
    if found is None:
        if len(memo) > 4096:
            memo.clear()
        found = memo[key, guard] = _measured(look, hands, unset, foe, guard, distance > _CLOSE)
    return found


@lru_cache(maxsize=256)
def forces_of(setup: Setup, who: int) -> dict[object, float]:
    """What is remembered of how hard somebody could strike."""
    return {}


def _measured(
    look: Look, hands: tuple[str, ...], unset: tuple[str, ...], foe: int, guard: Guard, anywhere: bool
) -> float:
    figures = list(look.state.figures)
    figures[look.who] = msgspec.structs.replace(look.figure, hands=hands, unset=unset)
    state = msgspec.structs.replace(look.state, figures=tuple(figures))
    arms, best = arms_of(state, look.who), 0.0
    for number, band in enumerate(arms.bands):
        if anywhere or band.near <= 1 <= band.far:
            for swing in swings(state, look.who, arms, foe, guard, number, Grade.CLEAR):
                if swing.do == "attack":
                    best = max(best, swing.mean * (1.0 if swing.points <= 2 else 0.7))
    return best
