"""Attacks in bulk, for valuations: what a creature strikes with at each distance, and what each blow is worth.

The figures are those of `chances.odds_of`, remembered by everything that they depend on: how the attacker is armed and
placed, how the target is guarded, the distance's band and the line of sight.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rules.actions import Action
from rules.olde.attack import ACTIONS, damage_faces, prepare
from rules.olde.challenges import burden, resilience, stat_rank
from rules.olde.chances import blow_table, stunning
from rules.olde.deeds import ROUND_LIMIT, Look
from rules.olde.fighting import EXPOSED, mode_for, wielded
from rules.olde.gear import Weapon
from rules.olde.state import Chance, Figure, OldeState, Setup
from rules.ruleset import Strike
from rules.sight import Grade

_KEPT = 1 << 14


class Way(NamedTuple):
    """One kind of attack with one weapon, used in one mode."""

    do: str
    weapon: str
    mode: int
    points: int


class Band(NamedTuple):
    """Distances, in spaces, at which the same attacks can be made at the same penalty."""

    near: int
    far: int
    ways: tuple[Way, ...]


class Arms:
    """How somebody strikes as it stands now: its bands, and what is known of each blow's dice."""

    __slots__ = ("attacks", "bands", "best", "span", "strikes", "who")

    def __init__(self, who: int, bands: tuple[Band, ...]) -> None:
        self.who = who
        self.bands = bands
        self.attacks: dict[tuple[int, int, Grade, bool], tuple[int, ...]] = {}
        """(band, way, grade, helpless target) -> the attacker's half of a blow."""
        self.strikes: dict[tuple[int, Grade, Guard], tuple[Strike, ...]] = {}
        self.best: dict[Guard, Strike | None] = {}
        """The best plain attack on somebody guarded so."""
        self.span = max((band.far for band in bands), default=0)
        """The farthest distance that it strikes at all."""


class Guard(NamedTuple):
    """How somebody is guarded: all of a target that a blow's figures depend on."""

    who: int
    hp: int
    melee: tuple[int, int, int]
    """(rank of the Defense dice, 0 = none thrown; adjustments; armor)."""
    ranged: tuple[int, int, int]
    nerve: tuple[int, int, int]
    """(most hit points, rank of the dice against a stunning blow, adjustments)."""


class Memory:
    """What is remembered of one fight's arms and guards."""

    def __init__(self) -> None:
        self.arms: dict[object, Arms] = {}
        self.guards: dict[object, Guard] = {}


@lru_cache(maxsize=16)
def memory_of(setup: Setup) -> Memory:
    """The memory of a fight; the fights played last keep theirs."""
    return Memory()


def arms_of(state: OldeState, who: int) -> Arms:
    """How a creature strikes as it stands now."""
    figure, memory = state.figures[who], memory_of(state.setup).arms
    key = (who, figure.hands, figure.posture, figure.unset, figure.effects)
    found = memory.get(key)
    if found is None:
        if len(memory) >= _KEPT:
            memory.clear()
        found = memory[key] = Arms(who, _bands(Look(state, Chance(who))))
    return found


def _bands(look: Look) -> tuple[Band, ...]:
    setup = look.setup
    weapons = [setup.armoury.weapons[name] for name in wielded(look)]
    weapons = [w for w in weapons if w.modes[0].skill != "Sling" or "Sling" in look.fighter.skills]
    starts: set[int] = set()
    for weapon in weapons:
        for mode in weapon.modes:
            starts |= {mode.near, mode.far + 1}
            if mode.ranged:
                starts.add(2)
                limit = mode.base
                while limit < mode.far:
                    starts.add(limit + 1)
                    limit *= 2
    order = sorted(starts)
    bands = []
    for near, after in zip(order, order[1:], strict=False):
        ways = []
        for do in ACTIONS if setup.advanced else ("attack",):
            for weapon in weapons:
                at, reason = mode_for(look, weapon, do, near)
                if reason is None:
                    # a crossbow that must be reset first: at least one more point
                    points = ACTIONS[do] + (weapon.name in look.figure.unset)
                    ways.append(Way(do, weapon.name, at, points))
        if ways:
            bands.append(Band(near, after - 1, tuple(ways)))
    return tuple(bands)


def guard_of(state: OldeState, who: int) -> Guard:
    """How a creature is guarded as it stands now."""
    figure, memory = state.figures[who], memory_of(state.setup).guards
    key = (
        who, figure.hp, figure.hands, figure.posture, figure.temp_defense, figure.temp_block, figure.stunned > 0,
        figure.effects,
    )  # fmt: skip
    found = memory.get(key)
    if found is None:
        if len(memory) >= _KEPT:
            memory.clear()
        found = memory[key] = _guard(state, who, figure)
    return found


def _guard(state: OldeState, who: int, figure: Figure) -> Guard:
    setup, fighter = state.setup, state.setup.fighters[who]
    halves = []
    for ranged in (False, True):
        weapon, mode = _any_mode(setup, ranged)
        blow = prepare(setup, state.figures, who, who, weapon, mode, "attack", 1, Grade.CLEAR)
        halves.append((blow.defense_rank, blow.defense_total, blow.armor))
    stat = resilience(fighter)
    plus = sum(a.value for a in burden(setup, fighter, figure, stat))
    nerve = (fighter.hp_max, stat_rank(fighter, stat), plus)
    return Guard(who, max(0, figure.hp), halves[0], halves[1], nerve)


def _any_mode(setup: Setup, ranged: bool) -> tuple[Weapon, int]:
    """Some weapon and mode to measure a guard with: a guard tells only melee from ranged."""
    for weapon in setup.armoury.weapons.values():
        for i, mode in enumerate(weapon.modes):
            if mode.ranged == ranged:
                return weapon, i
    return setup.armoury.weapons["unarmed"], 0


def strikes(state: OldeState, arms: Arms, band: int, grade: Grade, guard: Guard) -> tuple[Strike, ...]:
    """The best attack of each kind in a band, along a line of sight, on somebody guarded so."""
    key = (band, grade, guard)
    found = arms.strikes.get(key)
    if found is None:
        if len(arms.strikes) >= _KEPT:
            arms.strikes.clear()
        found = arms.strikes[key] = tuple(_strikes(state, arms, band, grade, guard))
    return found


def _strikes(state: OldeState, arms: Arms, band: int, grade: Grade, guard: Guard) -> list[Strike]:
    fighters = state.setup.fighters
    best: dict[str, Strike] = {}
    for number, way in enumerate(arms.bands[band].ways):
        attack = _attack(state, arms, band, number, grade, guard)
        rank, edge, finesse, ranged, damage, halved, top, plus = attack
        defense, guarded, armor = guard.ranged if ranged else guard.melee
        table = blow_table(
            rank, defense, edge - guarded, bool(finesse), damage, bool(halved), top, plus, armor
        )
        drop = table.tail(guard.hp) if guard.hp > 0 else 0.0
        known = best.get(way.do)
        if known is not None and table.mean + 3 * drop <= known.mean + 3 * known.drop:
            continue
        action = Action(fighters[arms.who].id, way.do, target=fighters[guard.who].id, weapon=way.weapon)
        stun = stunning(table, guard.hp, *guard.nerve) if guard.hp > 0 else 0.0
        points = min(way.points, ROUND_LIMIT)
        best[way.do] = Strike(table.hit, table.mean, drop, points, action, EXPOSED.get(way.do, 0), stun)
    return list(best.values())


def _attack(
    state: OldeState, arms: Arms, band: int, number: int, grade: Grade, guard: Guard
) -> tuple[int, ...]:
    """The attacker's half: rank, adjustments, Finesse?, ranged?, damage rank, halved?, its top, adjustments."""
    helpless = not guard.melee[0]
    key = (band, number, grade, helpless)
    found = arms.attacks.get(key)
    if found is None:
        setup, way = state.setup, arms.bands[band].ways[number]
        weapon = setup.armoury.weapons[way.weapon]
        blow = prepare(
            setup, state.figures, arms.who, guard.who, weapon, way.mode, way.do, arms.bands[band].near, grade
        )
        rank, halved, top = damage_faces(setup.fighters[arms.who], weapon, blow.mode)
        found = arms.attacks[key] = (
            blow.attack_rank, blow.attack_total, blow.mode.finesse, blow.mode.ranged, rank, halved, top,
            blow.damage_total,
        )  # fmt: skip
    return found
