"""Watchers: who notices whom by sight and hearing, with what chance, and the rounds that they walk (olde.md §3, §8).

Whoever sneaks rolls Sneak once; each watcher that has a chance to notice it rolls Alertness once against that total, on
the space of the way where it would notice best. The rest is ours (R), since the rules name no figures:

- the line of sight counts as for a shot: partial −3, minimal −6; beyond 6 spaces −2, and −2 more for each doubling;
- whoever cannot see, or looks nowhere (a creature marked as surprised), hears at −3, the sleeping at −6: a sneaker
  within 3 spaces against its Sneak, somebody walking openly within 6 against Easy, noise within 12 against Trivial;
- whoever goes openly in anybody's view is noticed without a roll.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import prod
from typing import NamedTuple

import msgspec

from rules.board.grid import Terrain
from rules.board.path import UNREACHABLE, reach
from rules.board.sight import ARM, Grade, dark, grade, lit
from rules.contract.actions import Action, Adjustment
from rules.contract.ruleset import Odds, Share
from rules.contract.text import joined, text
from rules.contract.units import Bitboard, Cell, CreatureIx, numbered
from rules.core import odds as dist
from rules.core.action_kinds import ActionKind
from rules.core.dice import notation, signed
from rules.olde.actions.kind import Context
from rules.olde.challenges.checks import EASY, RATINGS, skill_terms
from rules.olde.combat.attack import SIGHT, range_penalty
from rules.olde.conditions import ASLEEP
from rules.olde.state import OPENLY, STANDING, OldeState, Resolution, able, occupied, put
from rules.olde.visibility import is_hero, lamps

NOTICING = "olde.md §8 noticing"
ROUND = 60
"""Spaces of movement that lie between way points of a round at most; one farther off is not walked to."""
FAR = 6
"""Spaces within which distance is no hindrance to whoever looks."""
DULLED = -2
"""Alertness of a watcher that failed by two ranks or more, at its next attempt."""
SURE = 1000
"""In place of a rating: noticed without a roll."""


class Manner(NamedTuple):
    """How somebody moves or works, as far as ears are concerned."""

    word: str
    earshot: int  # spaces within which it can be heard
    rating: int  # what Alertness must reach to hear it; 0 = the Sneak total


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


def watchers(state: OldeState) -> list[CreatureIx]:
    """Those who might notice heroes: up, or asleep; whoever lies in hiding has other plans."""
    up = [(i, figure) for i, figure in numbered(state.figures) if figure.cell >= 0 and figure.hp > 0]
    foes = [i for i, figure in up if not is_hero(state.setup, i) and (not figure.stunned or asleep(state, i))]
    return [i for i in foes if not state.exploring.hides[i]]


def asleep(state: OldeState, who: CreatureIx) -> bool:
    """Whether somebody sleeps."""
    return ASLEEP.holds(state.figures[who])


def looks(state: OldeState, watcher: CreatureIx) -> bool:
    """Whether a watcher has open eyes and uses them."""
    return not asleep(state, watcher) and not state.setup.fighters[watcher].surprised


def in_view(state: OldeState, watcher: CreatureIx, who: CreatureIx, cell: Cell) -> Grade:
    """The line of sight of a watcher to somebody standing on `cell`: none in the dark; a light betrays its bearer."""
    setup, terrain, exploring = state.setup, state.terrain, state.explore
    fighter, figure, other = setup.fighters[watcher], state.figures[watcher], setup.fighters[who]
    found = grade(terrain, figure.cell, cell, fighter.space, other.space)
    if found is Grade.NONE or not setup.darkness or fighter.dark_sight or not dark(terrain):
        return found
    if terrain.distance(figure.cell, cell, fighter.space, other.space) <= ARM:
        return found
    if other.light and exploring is not None and not exploring.unlit >> who & 1:
        return found
    return found if terrain.footprint(cell, other.space) & lit(terrain, lamps(state)) else Grade.NONE


def distance_of(state: OldeState, one: CreatureIx, other: CreatureIx, cell: Cell) -> int:
    """Spaces between somebody where it stands and another who stands on `cell`."""
    fighters = state.setup.fighters
    return state.terrain.distance(state.figures[one].cell, cell, fighters[one].space, fighters[other].space)


def senses(state: OldeState, who: CreatureIx, way: Sequence[Cell], manner: Manner) -> list[Sense]:
    """How each watcher might notice somebody on a way, by space of the way, then in the record's order.

    Each has one attempt, where it would notice best; whoever sees somebody go openly needs none.
    """
    tried = state.exploring.tried[who] if manner is HIDDEN else 0
    found = (sense_of(state, watcher, who, way, manner) for watcher in watchers(state) if not tried >> watcher & 1)
    return sorted(filter(None, found), key=lambda sense: (sense.step, sense.watcher))


def sense_of(
    state: OldeState, watcher: CreatureIx, who: CreatureIx, way: Sequence[Cell], manner: Manner
) -> Sense | None:
    """How one watcher might notice somebody on a way, where it would do so best; None where it can't."""
    best: tuple[int, int, tuple[tuple[int, str], ...], int] | None = None
    watches, sneaks = looks(state, watcher), not manner.rating
    for step, cell in enumerate(way):
        spaces = distance_of(state, watcher, who, cell)
        seen = in_view(state, watcher, who, cell) if watches else Grade.NONE
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


# -- chances ------------------------------------------------------------------------------------------------


class Risk(NamedTuple):
    """What a way risks."""

    along: tuple[float, ...]  # for each space of the way the chance to be noticed on it or before
    each: tuple[tuple[int, float], ...]  # watcher -> its own chance to notice, whatever the others do
    found: tuple[Sense, ...]


def risk_of(state: OldeState, who: CreatureIx, way: Sequence[Cell], manner: Manner, total: int | None = None) -> Risk:
    """The exact chances of being noticed along a way; `total`: a Sneak that was rolled already."""
    found = senses(state, who, way, manner)
    rank, adjustments = sneak_terms(state, who)
    own = (rank, sum(a.value for a in adjustments)) if total is None else (0, total)
    along, chance = [], 0.0
    known: list[tuple[int, int, int]] = []
    for step in range(len(way)):
        if here := [sense.terms for sense in found if sense.step == step]:
            known += here
            chance = noticed(own, tuple(sorted(known)))
        along.append(chance)
    each = tuple((s.watcher, noticed(own, (s.terms,))) for s in found)
    return Risk(tuple(along), each, tuple(found))


def sneak_terms(state: OldeState, who: CreatureIx) -> tuple[int, tuple[Adjustment, ...]]:
    """(rank of the two dice, adjustments) of somebody's Sneak."""
    return skill_terms(state.setup, state.setup.fighters[who], state.figures[who], "Sneak")


@lru_cache(maxsize=1 << 14)
def noticed(own: tuple[int, int], watching: tuple[tuple[int, int, int], ...]) -> float:
    """Chance that at least one of some watchers notices. `own`: (Sneak rank, adjustments), rank 0 = a total that is
    known; each watcher: (rank, adjustments, rating), rating 0 = against the Sneak. Remembered."""
    if any(rating == SURE for _, _, rating in watching):
        return 1.0
    unseen = 1.0
    for rank, plus, rating in watching:
        if rating:
            unseen *= 1.0 - dist.chance_at_least(2, rank, rating - plus)
    contested = [(rank, plus) for rank, plus, rating in watching if not rating]
    if not contested:
        return 1.0 - unseen
    rank, plus = own
    if not rank:
        return 1.0 - unseen * _all_miss(contested, plus)
    sneaks = enumerate(dist.dice_sum(2, rank, True))
    return 1.0 - unseen * sum(p * _all_miss(contested, thrown + plus) for thrown, p in sneaks if p > 0.0)


def _all_miss(contested: list[tuple[int, int]], total: int) -> float:
    return prod(1.0 - dist.chance_at_least(2, rank, total - plus) for rank, plus in contested)


def guise_of(state: OldeState, who: CreatureIx) -> Manner:
    """How somebody is about who does nothing new: hidden by its last Sneak, or openly."""
    return STILL if state.exploring.guise[who] == OPENLY else HIDDEN


TILE = 6
"""Spaces that one crosses in a minute; half of it sneaking (R)."""


def walkers(state: OldeState) -> list[CreatureIx]:
    """Those who walk a round and can."""
    both = numbered(zip(state.setup.fighters, state.figures, strict=True))
    able_to = [i for i, (f, g) in both if f.patrol and able(g) and g.posture == STANDING and looks(state, i)]
    return [i for i in able_to if state.explore is not None and not state.explore.hides[i]]


def coming(state: OldeState, who: CreatureIx) -> tuple[tuple[Cell, ...], int]:
    """(spaces that a walker enters when this minute is over, the number of the way point that it goes to)."""
    exploring, fighter, figure = state.exploring, state.setup.fighters[who], state.figures[who]
    points = [state.setup.field.cell(*point) for point in fighter.patrol]
    now = exploring.leg[who] % len(points)
    leg = next((i for i in (*range(now, len(points)), *range(now)) if points[i] != figure.cell), None)
    if leg is None:
        return (), now
    return _way(state.terrain, figure.cell, points[leg], fighter.space, occupied(state, who)), leg


ROUNDS_KEPT = 512
"""So many ways of walkers are remembered for a map."""


def _way(terrain: Terrain, start: Cell, goal: Cell, size: int, others: Bitboard) -> tuple[Cell, ...]:
    """As much of the cheapest way as a minute allows; empty where none leads there past others (a bitboard).
    Remembered."""
    known: dict[tuple[Cell, Cell, int, Bitboard], tuple[Cell, ...]] = terrain.memo.setdefault("rounds", {})
    key = (start, goal, size, others)
    if key in known:
        return known[key]
    if len(known) >= ROUNDS_KEPT:
        known.clear()
    ways = reach(terrain, start, ROUND, size=size, blocked=others)
    path = ways.path(goal) if ways.cost.get(goal, UNREACHABLE) < UNREACHABLE else ()
    at, left = start, TILE
    for step, cell in enumerate(path):
        left -= terrain.costs(at, size)[cell]
        if left < 0:
            path = path[:step]
            break
        at = cell
    known[key] = path
    return path


def attempts(state: OldeState, hero: CreatureIx, cell: Cell, *, hidden: bool) -> list[Sense]:
    """How walkers might notice a hero who stands on `cell` when this minute is over."""
    found = []
    for who in walkers(state):
        way, _ = coming(state, who)
        if way:
            there = msgspec.structs.replace(state.figures[who], cell=way[-1])
            then = msgspec.structs.replace(state, figures=put(state.figures, who, there))
            if sense := sense_of(then, who, hero, (cell,), HIDDEN if hidden else STILL):
                found.append(sense)
    return found


LOUDLY = ("Burst", "Lift/Shift")
"""Skills that are heard far off."""


def overheard(context: Context, action: Action, odds: Odds) -> Odds:
    """The odds of a deed that makes noise or leads elsewhere, with the chance to be noticed by it."""
    goal = action.path[-1] if action.path else action.at
    if goal is None and action.option not in LOUDLY:
        return odds
    there, manner = (goal, OPEN) if goal is not None else (context.figure.cell, LOUD)
    chance = risk_of(context.state, context.who, (there,), manner).along[-1]
    if chance <= 0.0:
        return odds
    where = "noticed, once there" if goal is not None else "noticed by the noise"
    return msgspec.structs.replace(odds, notes=(*odds.notes, (f"{chance:.0%} {where}", NOTICING)))


def shown(context: Context, kind: ActionKind[Context], action: Action) -> Odds | None:
    """The chance that a door that opens, or a light that goes on, shows some hero to somebody; None if it can't."""
    resolution = Resolution(msgspec.structs.replace(context.state, rng=None))
    resolution.chance = context.chance
    kind.resolve(resolution, context.who, action)
    after = resolution.done()
    unseen = 1.0
    for who, figure in numbered(after.figures):
        if is_hero(context.setup, who) and figure.cell >= 0 and figure.hp > 0 and after.explore is not None:
            total = after.explore.guise[who]
            risk = risk_of(after, who, (figure.cell,), guise_of(after, who), total if total != OPENLY else None)
            unseen *= 1.0 - risk.along[-1]
    if unseen >= 1.0:
        return None
    notes = (("whoever comes into view by it may be noticed", NOTICING),)
    return Odds(unseen, (("unnoticed", unseen), ("noticed", 1.0 - unseen)), notes=notes)


def on_the_way(context: Context, manner: Manner, action: Action) -> Odds:
    """The chance to be noticed on a way, space by space."""
    state, who = context.state, context.who
    risk = risk_of(state, who, action.path, manner)
    rank, adjustments = sneak_terms(state, who)
    worst = risk.along[-1]
    told = [(_told(state, sense), NOTICING) for sense in risk.found] or [
        ("nobody who is known of could notice", NOTICING)
    ]
    sneaks, plus = not manner.rating, sum(a.value for a in adjustments)
    dice, against = (notation(2, rank, True), "Alertness") if sneaks else ("", "")
    each = tuple(Share(state.setup.fighters[i].id, chance) for i, chance in risk.each)
    return Odds(
        1.0 - worst, (("unnoticed", 1.0 - worst), ("noticed", worst)), adjustments=adjustments if sneaks else (),
        attack_dice=dice, defense_dice=against, targets=each, along=tuple(zip(action.path, risk.along, strict=True)),
        notes=(*told, *_rounds(state, attempts(state, who, action.path[-1], hidden=sneaks), (rank, plus))),
    )  # fmt: skip


def _rounds(
    state: OldeState, found: Sequence[Sense], own: tuple[int, int], *, sure: bool = False
) -> Iterator[tuple[str, str]]:
    """What walkers risk to see of somebody who stands on a space when the minute is over; `sure`: nothing comes
    before that could put them off their guard."""
    bound = "" if sure else "up to "
    for sense in found:
        name, chance = state.setup.fighters[sense.watcher].name, noticed(own, (sense.terms,))
        yield text("{bound}{chance} when {name} walks on", bound, f"{chance:.0%}", name), NOTICING


def standing_still(context: Context) -> Odds | None:
    """The chance to be noticed by a walker when the minute is over, standing still; None where none comes by."""
    state, who = context.state, context.who
    total = state.exploring.guise[who]
    found = attempts(state, who, context.figure.cell, hidden=total != OPENLY)
    if not found:
        return None
    chance = noticed((0, total), tuple(sorted(s.terms for s in found)))
    told = tuple(_rounds(state, found, (0, total), sure=True))
    return Odds(1.0 - chance, (("unnoticed", 1.0 - chance), ("noticed", chance)), notes=told)


def _told(state: OldeState, sense: Sense) -> str:
    name = state.setup.fighters[sense.watcher].name
    if sense.rating == SURE:
        return text("{name} would see it", name)
    why = joined(", ", (a.because for a in sense.adjustments if a.rule == NOTICING))
    dice = notation(2, sense.rank, True) + (signed(sense.plus) if sense.plus else "")
    if sense.rating:
        return text("{name}: {dice} against {rating}, {why}", name, dice, sense.rating, why)
    return text("{name}: {dice}, {why}", name, dice, why) if why else text("{name}: {dice}", name, dice)
