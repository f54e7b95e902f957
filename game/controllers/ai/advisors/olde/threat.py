"""What an AI or an overlay asks: where a creature could go, what it could strike, what it is worth."""

from __future__ import annotations

from typing import NamedTuple

from game.controllers.ai.weights import load_weights
from rules.board.bitboard import cells_of
from rules.board.sight import Grade, seen_from, visible
from rules.olde.actions.context import Context
from rules.olde.combat.advantage import on_attack
from rules.olde.combat.attack import Adjustments, prepare
from rules.olde.combat.chances import AttackDice, attack_table
from rules.olde.combat.weapons import PLAIN, Armed, mode_for, wielded
from rules.olde.conditions import Forbid, forbidden
from rules.olde.state import Chance, Fighter, OldeState, Striking
from rules.olde.traits.kinds import modify_attack
from rules.olde.visibility import lamps
from rules.olde.visibility import sight as sight_of

FRESH_POINTS = 3
"""AP that a creature is taken to have when it is asked what it could do in a fresh chance."""


class Strike(NamedTuple):
    """The best plain attack of one creature on another, from given spaces."""

    hit: float
    mean: float
    """Mean damage."""
    drop: float


def spots(state: OldeState, who: int) -> dict[int, int]:
    """Cells where a creature could end its movement in one fresh chance -> AP it takes; 0 for where it stands."""
    figure = state.figures[who]
    if figure.cell < 0 or figure.hp <= 0:
        return {}
    out = {figure.cell: 0}
    if figure.stunned or figure.rooted or figure.posture != "standing" or forbidden(figure, Forbid.MOVE):
        return out
    context = Context(state, Chance(who))
    budget = 1 if forbidden(figure, Forbid.HURRY) else min(FRESH_POINTS, max(1, figure.ap))
    found = context.reach(budget + figure.free)
    costs = found.cost
    for cell in cells_of(found.cells):
        out[cell] = max(0, costs[cell] - figure.free)
    return out


def strike(state: OldeState, by: int, target: int, start: int, goal: int) -> Strike | None:
    """The best plain attack of `by` standing at `start` on `target` standing at `goal`, or None."""
    setup, terrain = state.setup, state.terrain
    fighter, foe = setup.fighters[by], setup.fighters[target]
    victim = state.figures[target]
    if victim.hp <= -foe.hp_max or start < 0 or goal < 0:
        return None
    context = Context(state, Chance(by))
    distance = terrain.distance(start, goal, fighter.space, foe.space)
    best: Strike | None = None
    felled = load_weights().olde.attacks.felled
    sight: Grade | None = None
    for name in wielded(context):
        weapon = setup.armoury.weapons[name]
        at = mode_for(context, weapon, PLAIN, distance)
        if at < 0 or (weapon.modes[at].skill == "Sling" and "Sling" not in fighter.skills):
            continue
        if sight is None:
            sight = sight_of(state, by, start, target, goal)
        if sight is Grade.NONE:
            return None
        favour, extra = on_attack(state, by, start, target, goal)
        if fighter.traits is not None:
            extra += _edge(state, by, target, weapon.modes[at].ranged, start)
        attack = prepare(
            setup, state.figures, by, target, Armed(weapon, at), distance=distance, grade=sight, extra=extra
        )
        table = attack_table(setup.memory, AttackDice.of(attack, fighter, favour))
        hit, mean = table.hit, table.mean
        drop = table.tail(victim.hp) if victim.hp > 0 else 0.0
        if best is None or mean + felled * drop > best.mean + felled * best.drop:
            best = Strike(hit, mean, drop)
    return best


def _edge(state: OldeState, by: int, target: int, ranged: bool, start: int) -> Adjustments:
    """What traits add to a blow from a space, as everybody else stands now."""
    chance, begun = state.chance, state.figures[by].cell
    if chance is not None and chance.who == by and chance.start >= 0:
        begun = chance.start
    covered = state.terrain.distance(begun, start) if begun >= 0 else 0
    return modify_attack(
        Striking(state.setup, state.figures, state.terrain, by, target, covered=covered, ranged=ranged)
    )


def reaches(state: OldeState, who: int, start: int) -> int:
    """Bitboard of cells that a creature standing at `start` can strike with what it holds."""
    context = Context(state, Chance(who))
    fighter, terrain = context.fighter, state.terrain
    if context.setup.darkness:
        seen = seen_from(terrain, start, fighter.space, lamps(state), fighter.dark_sight)
    else:
        seen = visible(terrain, start, fighter.space)
    spans = []
    for name in wielded(context):
        spans += [(mode.near, mode.far) for mode in context.setup.armoury.weapons[name].modes]
    out = 0
    for near, far in dict.fromkeys(spans):
        nearer = terrain.within(start, near - 1, fighter.space)
        out |= terrain.within(start, far, fighter.space) & ~nearer
    return out & seen


def value_of(state: OldeState, who: int) -> float:
    """What losing this creature means to its side: about 1 for an ordinary one."""
    return fighter_value(state.setup.fighters[who])


def fighter_value(fighter: Fighter) -> float:
    """The same by its stat block alone."""
    armor = fighter.armor.reduction if fighter.armor else 0
    best = max(fighter.skills.values(), default=0)
    w = load_weights().olde.value
    return (fighter.hp_max + fighter.finesse + w.armor * armor + w.skill * max(0, best)) / w.ordinary
