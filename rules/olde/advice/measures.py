"""Deeds beside moving and striking, with their purpose: what a planner weighs without trying each of them out.

Everything yielded is legal where it is asked for; most of it is ruled out by a glance before a deed is asked at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec

from rules.board.grid import Terrain
from rules.board.path import reach
from rules.board.sight import Grade
from rules.contract.actions import Action
from rules.contract.planning import Measure
from rules.core import odds as dist
from rules.olde.actions.aid import FirstAid
from rules.olde.actions.check_odds import odds_of
from rules.olde.actions.climbing import Climb, goal_of
from rules.olde.actions.deeds import Look
from rules.olde.actions.items import DoorWork, Force, Ready
from rules.olde.actions.legal import DEEDS
from rules.olde.actions.movement import LEAP_RATING, Leap
from rules.olde.actions.obstacles import SEARCHING, SKILLS, Tackle, help_of
from rules.olde.actions.social import ASSIST_AP, INTIMIDATE_AP
from rules.olde.actions.swimming import SWIM_AP, Swim
from rules.olde.advice.attack_tables import Guard, arms_of, guard_of, harm_of, swings
from rules.olde.advice.prospect import look_of
from rules.olde.advice.threat import worth_of
from rules.olde.challenges.attempts import best_skill
from rules.olde.challenges.checks import MODERATE, burden, check_stat, skill_adjustment, stat_rank, stat_value
from rules.olde.challenges.obstacles import water_at
from rules.olde.effects.working import anybody, feared, has
from rules.olde.magic.deeds import USE_AP
from rules.olde.magic.odds import measures as magic
from rules.olde.statblock import hands_needed
from rules.olde.state import Chance, OldeState, Setup, able
from rules.olde.traits.models import CALL_POINTS
from rules.olde.traits.working import ROUSED

_DETOUR = 6
"""A leap is worth a thought where walking round takes at least so many spaces."""
_CLOSE = 3
"""Who has a foe so near arms for melee."""
_SLOW = 0.7
"""What a blow counts that must be made ready first."""
_KEPT = 1024
RESCUE = 0.3
"""What it is worth that somebody comes up for air."""
MOST_HELP = 5
"""Help of more than so much is counted as so much."""
ASHORE = 0.15
"""What it is worth to have solid ground underfoot, not deep water."""


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
        yield from _waking(look)
        yield from _gear(look)
        yield from _guard(look)
        if look.setup.obstacles is not None:
            yield from _rubble(look)
        if look.state.found:
            yield from _search(look)
        if look.field.doors or look.setup.obstacles is not None:
            yield from _help(look)
        if "Intimidate" in look.fighter.skills:  # at −2 it is not worth the thought
            yield from _daunt(look)
        if look.fighter.traits is not None:
            yield from _calls(look)
        if look.fighter.spells or (look.figure.items and look.only(USE_AP) >= 0):
            yield from magic(look)


def chance_of(look: Look, skill: str, rating: int) -> float:
    """Exact chance of a skill check by whoever is acting (olde.md §3)."""
    stat = check_stat(look.fighter, skill)
    plus = skill_adjustment(look.fighter, skill)
    plus += sum(a.value for a in burden(look.setup, look.fighter, look.figure, stat))
    return dist.chance_at_least(2, stat_rank(look.fighter, stat), rating - plus)


def _movements(look: Look) -> Iterator[Measure]:
    if look.setup.obstacles is not None:
        yield from _past_obstacles(look)
    if look.figure.posture not in ("standing", "swimming"):
        for action in DEEDS["rise"].instances(look):
            yield Measure(action, DEEDS["rise"].cost(look, action), "rise", 1.0)
        return
    if look.field.climbs and look.left >= 2:
        for action in DEEDS["climb"].instances(look):
            if look.setup.obstacles is not None and Climb.obstacle(look, action) is not None:
                continue
            yield Measure(action, 2, "pass", 1.0, cell=action.at if action.at is not None else -1)
    goals = leaps_from(look.terrain, look.figure.cell) if look.left and look.fighter.space == 1 else ()
    for action in DEEDS["leap"].instances(look) if goals else ():
        if action.at in goals:
            rating = LEAP_RATING[len(Leap.gap(look, action.at) or ())]
            falls = 1.0 - chance_of(look, "Leap", rating - 2)
            chance = chance_of(look, "Leap", rating)
            yield Measure(action, 1, "pass", chance, cell=action.at, risk=falls)


def _past_obstacles(look: Look) -> Iterator[Measure]:
    """Climbing and swimming, each to where it is meant to lead."""
    for action in DEEDS["climb"].instances(look):
        obstacle = Climb.obstacle(look, action)
        if obstacle is not None:
            chance = chance_of(look, "Climb", obstacle.difficulty)
            risk = 1.0 - chance_of(look, "Climb", obstacle.difficulty - 2)
            yield Measure(
                action, 2, "pass", chance, cell=goal_of(action), risk=risk * min(1.0, 0.3 + obstacle.height)
            )
    water = look.setup.obstacles.water if look.setup.obstacles is not None else 0
    afloat, under = look.figure.posture == "swimming", has(look.figure, "submerged")
    for action in DEEDS["swim"].instances(look):
        rating, end = Swim.rating(look, action.path), action.path[-1]
        chance = chance_of(look, "Swim", rating + 3 * (len(action.path) - 1))
        risk = 1.0 - chance_of(look, "Swim", rating - 2)
        wet = bool(look.terrain.footprint(end, look.fighter.space) & water)
        value = ASHORE if afloat and not wet else -ASHORE if wet and not afloat else 0.0
        value += RESCUE if under else 0.0
        yield Measure(action, SWIM_AP, "pass", chance, value, end, 0.0 if afloat else risk)


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
    for action in DEEDS["unlock"].instances(look):
        yield Measure(action, 1, "pass", 1.0)
    for action in DEEDS["force"].instances(look):
        door = next(d for d in look.field.doors if d.id == action.target)
        chance = chance_of(look, action.option or "Burst", door.difficulty)
        yield Measure(action, DEEDS["force"].cost(look, action), "pass", chance)


def _aid(look: Look) -> Iterator[Measure]:
    for i, figure in enumerate(look.state.figures):
        if (figure.dying or figure.bleeding) and look.setup.fighters[i].side == look.fighter.side:
            break
    else:
        return
    for action in DEEDS["first_aid"].instances(look):
        rating = FirstAid.rating(look, look.setup.index[action.target or ""])
        cost = DEEDS["first_aid"].cost(look, action)
        yield Measure(action, cost, "mend", chance_of(look, "Healing", rating))


def _waking(look: Look) -> Iterator[Measure]:
    """A sleeping ally beside one is led a step, which wakes it."""
    if not anybody(look.state.figures, "asleep"):
        return
    woken: set[str] = set()
    for action in DEEDS["guide"].instances(look):
        sleeper = look.setup.index[action.target or ""]
        if (
            action.at is not None
            and action.target not in woken
            and has(look.state.figures[sleeper], "asleep")
        ):
            woken.add(action.target or "")
            value = ROUSED * worth_of(look.setup.fighters[sleeper])
            yield Measure(action, DEEDS["guide"].cost(look, action), "magic", 1.0, value)


def _rubble(look: Look) -> Iterator[Measure]:
    """Clearing rubble beside one, by the skill that does it best; what is won is the way as far as the next space."""
    near = {challenge.id: challenge for _, challenge in Tackle.near(look) if challenge.kind == "rubble"}
    if not near:
        return
    here, size = look.figure.cell, look.fighter.space
    for action in DEEDS["tackle"].instances(look):
        challenge = near.get(action.item or "")
        if challenge is None or action.option != best_skill(look.fighter, SKILLS["rubble"]):
            continue
        left = [cell for cell in challenge.cells if not look.state.cleared >> cell & 1]
        nearest = min(left, key=lambda cell: (look.terrain.distance(here, cell, size), cell))
        chance = chance_of(look, action.option or "Burst", challenge.difficulty)
        yield Measure(action, DEEDS["tackle"].cost(look, action), "pass", chance, cell=nearest)


def _search(look: Look) -> Iterator[Measure]:
    """Where a search is worth a thought, whoever plans knows; what is hidden, and how well, nobody does."""
    cost = look.only(3)
    if cost < 0:
        return
    memo, figure = look.setup.memo, look.figure
    key = ("searching", look.who, figure.hands, figure.effects)
    chance: float | None = memo.get(key)
    if chance is None:
        chance = memo[key] = chance_of(look, best_skill(look.fighter, SEARCHING), MODERATE)
    yield Measure(Action(look.fighter.id, "search"), cost, "seek", chance, anywhere=True)


def _help(look: Look) -> Iterator[Measure]:
    """A hand for a neighbour at a lock, or for one who is under water."""
    beside = [
        i for i, f, g in look.others() if f.side == look.fighter.side and able(g) and look.distance(i) <= 1
    ]
    if look.left < ASSIST_AP or not beside:
        return
    for action in DEEDS["assist"].instances(look):
        ally, skill = look.setup.index[action.target or ""], action.option or ""
        other = Look(look.state, Chance(ally))
        drowning = skill == "Swim" and has(other.figure, "submerged")
        if help_of(other, skill)[1] or not (drowning or skill in Force.SKILLS):
            continue
        if drowning:
            water = water_at(look.setup, look.terrain.footprint(other.figure.cell, other.fighter.space))
            rating = water.difficulty if water is not None else MODERATE
            yield Measure(action, ASSIST_AP, "help", _gained(look, other, skill, rating), RESCUE)
            continue
        for number in DoorWork.beside(other):
            door = look.field.doors[number]
            if Force.fault(other, number) is None and Force.best(other.fighter, door) == skill:
                gain = _gained(look, other, skill, door.difficulty)
                yield Measure(action, ASSIST_AP, "help", gain, door=door.id)


def _gained(look: Look, other: Look, skill: str, rating: int) -> float:
    """The chance that a neighbour succeeds with help and would have failed without (olde.md §3 assisted)."""
    base, gain = chance_of(other, skill, rating), 0.0
    need = stat_value(other.fighter, check_stat(other.fighter, skill))
    for bonus in range(1, MOST_HELP + 1):
        more = chance_of(look, skill, need + 2 * (bonus - 1))
        less = chance_of(look, skill, need + 2 * bonus) if bonus < MOST_HELP else 0.0
        gain += (more - less) * (chance_of(other, skill, rating - bonus) - base)
    return gain


def _daunt(look: Look) -> Iterator[Measure]:
    """Foes to be frightened."""
    if look.left < INTIMIDATE_AP:
        return
    afraid = {look.setup.fighters[i].id for i in feared(look.figure)} if look.figure.effects else ()
    for action in DEEDS["intimidate"].instances(look):
        if action.target in afraid:
            continue
        odds = odds_of(look, action)
        if odds is not None:
            yield Measure(action, INTIMIDATE_AP, "magic", odds.hit, odds.boon)


def _guard(look: Look) -> Iterator[Measure]:
    shields = look.setup.armoury.shields
    if look.left >= 2 and any(item in shields for item in look.figure.hands):
        for action in DEEDS["shield_block"].instances(look):
            yield Measure(action, 2, "guard", 1.0, 2.0, anywhere=True)


# ------------------------------------------------------------------------------------------------ gear


def _gear(look: Look) -> Iterator[Measure]:
    """Taking up, putting away and making ready, by how much harder one strikes afterwards."""
    figure, loose = look.figure, look.state.floor
    if not (figure.pack or loose or figure.unset):
        return
    foe = _nearest(look)
    if figure.pack:
        for action, gain in _readied(look, foe):
            yield Measure(action, 1, "arm", 1.0, gain, anywhere=True)
    for action in DEEDS["pick_up"].instances(look) if loose else ():
        hands = (*figure.hands, action.item or "")
        if hands_needed(look.setup.armoury, hands) <= 2:
            yield Measure(action, 1, "arm", 1.0, _gain(look, foe, hands, figure.unset))
    for action in DEEDS["reset_crossbow"].instances(look) if figure.unset else ():
        cost = DEEDS["reset_crossbow"].cost(look, action)
        yield Measure(action, cost, "arm", 1.0, _gain(look, foe, figure.hands, ()), anywhere=True)


class _Foe(NamedTuple):
    """Whom one arms against: the nearest foe, or oneself if there is none."""

    who: int
    close: bool
    guard: Guard


def _nearest(look: Look) -> _Foe:
    side = look.fighter.side
    foes = [(look.distance(i), i) for i, f, g in look.others() if f.side != side and g.hp > 0]
    distance, foe = min(foes, default=(_CLOSE + 1, look.who))
    return _Foe(foe, distance <= _CLOSE, guard_of(look.state, foe))


def _readied(look: Look, foe: _Foe) -> tuple[tuple[Action, float], ...]:
    """Each change of what is in hand that makes one strike harder, and by how much. Remembered."""
    figure, memo = look.figure, gains_of(look.setup, look.who)
    key = (figure.hands, figure.pack, figure.posture, figure.unset, figure.ammunition == 0, figure.effects, foe.close,
           foe.guard)  # fmt: skip
    found = memo.get(key)
    if found is None:
        if len(memo) > _KEPT:
            memo.clear()
        ready = DEEDS["ready"]
        assert isinstance(ready, Ready)
        gains = []
        for action in ready.instances(look):
            wanted = ready.wanted(look, action)
            gain = _gain(look, foe, wanted, figure.unset) if wanted else 0.0
            if gain > 0.0:
                gains.append((action, gain))
        found = memo[key] = tuple(gains)
    return found


@lru_cache(maxsize=256)
def gains_of(setup: Setup, who: int) -> dict[object, tuple[tuple[Action, float], ...]]:
    """What is remembered of how somebody could arm."""
    return {}


def _gain(look: Look, foe: _Foe, hands: tuple[str, ...], unset: tuple[str, ...]) -> float:
    """Mean damage gained for each plain blow, were so much in hand; beside the foe, if it is close."""
    return _force(look, foe, hands, unset) - _force(look, foe, look.figure.hands, look.figure.unset)


def _force(look: Look, foe: _Foe, hands: tuple[str, ...], unset: tuple[str, ...]) -> float:
    figures = list(look.state.figures)
    figures[look.who] = msgspec.structs.replace(look.figure, hands=hands, unset=unset)
    state = msgspec.structs.replace(look.state, figures=tuple(figures))
    arms, best = arms_of(state, look.who), 0.0
    for number, band in enumerate(arms.bands):
        if not foe.close or band.near <= 1 <= band.far:
            for swing in swings(state, look.who, arms, foe.who, foe.guard, number, Grade.CLEAR):
                if swing.do == "attack":
                    strength = swing.mean + harm_of(swing, foe.guard)
                    best = max(best, strength * (1.0 if swing.points <= 2 else _SLOW))
    return best


def _calls(look: Look) -> Iterator[Measure]:
    """What a call is worth to an AI: so many allies awake, from wherever all of them or one of them hears it."""
    traits = look.fighter.traits
    if traits is None or not traits.call or look.pay(CALL_POINTS) or has(look.figure, "silenced"):
        return
    earshot, gain, everybody = [], 0.0, look.terrain.everywhere
    for _, fighter, figure in look.others():
        if fighter.side == look.fighter.side and figure.effects and has(figure, "asleep") and figure.hp > 0:
            near = look.terrain.within(figure.cell, traits.call, fighter.space)
            cells, worth = look.terrain.touching(near, look.fighter.space), ROUSED * worth_of(fighter)
            earshot.append((cells, worth))
            everybody, gain = everybody & cells, gain + worth
    if len(earshot) > 1:
        earshot.insert(0, (everybody, gain))
    for cells, worth in earshot:
        if cells:
            action = Action(look.fighter.id, "call_for_help")
            yield Measure(action, CALL_POINTS, "magic", 1.0, worth, cells=cells)
