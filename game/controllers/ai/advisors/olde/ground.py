"""What walls, hedges and lights are worth to whoever makes them: turns lost on the way, sight lost, dark ground lit."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from game.controllers.ai.advisors.olde.attack_tables import arms_of
from game.controllers.ai.advisors.olde.threat import value_of
from game.controllers.ai.weights import OldeGroundWeights, load_weights
from rules.board.grid import Terrain
from rules.board.path import spread
from rules.board.sight import Grade, dark, grade, lit
from rules.olde.effects.ground import terrain_of
from rules.olde.effects.model import Zone
from rules.olde.magic.casting import Casting
from rules.olde.magic.shapes import Caster
from rules.olde.magic.spells import Aim
from rules.olde.state import OldeState, able
from rules.olde.visibility import lamps, sight


def weights() -> OldeGroundWeights:
    """The numbers of taste that count here."""
    return load_weights().olde.ground


_HORIZON = 40


def ground_value(state: OldeState, casting: Casting) -> float:
    """What a spell that changes the ground gains its side, in units of worth; below 0 where it hinders friends more."""
    w = weights()
    spell = casting.spell
    caster, space = state.figures[casting.caster].cell, state.setup.fighters[casting.caster].space
    assert spell.zone is not None
    cells = spell.cells(Caster(state.terrain, caster, space), casting.at)
    side = state.setup.fighters[casting.caster].side
    friends = [i for i in _up(state) if state.setup.fighters[i].side == side]
    foes = [i for i in _up(state) if state.setup.fighters[i].side != side]
    if spell.zone.does.lights:
        return _light_value(state, cells, friends, foes)
    if not foes:
        return 0.0
    if spell.zone.does.blocks:
        cells &= ~_feet(state, (*friends, *foes))
    zone = Zone(spell.name, spell.zone, cells, casting.caster, spell.zone_turns, centre=casting.at, radius=spell.size)
    after = terrain_of(state.setup, state.doors, (*state.zones, zone), state.cleared)
    turns = min(w.longest, spell.zone_turns)
    stone = spell.zone.does.hides
    gain = sum(_lost(state, after, who, friends, turns=turns, blinds=stone) for who in foes)
    loss = sum(_lost(state, after, who, foes, turns=turns, blinds=stone) for who in friends)
    return w.lost * (gain - loss)


def _up(state: OldeState) -> list[int]:
    return [i for i, figure in enumerate(state.figures) if able(figure)]


def _feet(state: OldeState, who: Iterable[int]) -> int:
    board = 0
    for i in who:
        board |= state.terrain.footprint(state.figures[i].cell, state.setup.fighters[i].space)
    return board


def _lost(state: OldeState, after: Terrain, who: int, others: list[int], *, turns: int, blinds: bool) -> float:
    """Turns that somebody loses by the changed ground, times its worth: on its way, or for want of a sight."""
    if shoots(state, who):
        lost = float(turns) if blinds and _blinded(state, after, who, others) else 0.0
    else:
        goals, cell = _feet(state, others), state.figures[who].cell
        lost = min(float(turns), (_way(after, goals, cell) - _way(state.terrain, goals, cell)) / weights().pace)
    return max(0.0, lost) * value_of(state, who)


def shoots(state: OldeState, who: int) -> bool:
    """Whether somebody does its harm from afar, by a weapon in hand or by a spell that it can pay for."""
    fighter, figure, spells = state.setup.fighters[who], state.figures[who], state.setup.grimoire.spells
    for spell in (spells[name] for name in fighter.spells):
        left = spell.left(figure)
        if spell.aim in (Aim.ENEMY, Aim.SPACE) and spell.zone is None and spell.price <= left:
            return True
    return arms_of(state, who).span > weights().far


def _blinded(state: OldeState, after: Terrain, who: int, others: list[int]) -> bool:
    """Whether it sees some of the others now, and none of them behind the changed ground."""
    cell, space = state.figures[who].cell, state.setup.fighters[who].space
    places = [(state.figures[i].cell, state.setup.fighters[i].space) for i in others]
    seen = any(grade(state.terrain, cell, goal, space, size) is not Grade.NONE for goal, size in places)
    return seen and all(grade(after, cell, goal, space, size) is Grade.NONE for goal, size in places)


def _way(terrain: Terrain, goals: int, cell: int) -> int:
    for far, board in enumerate(_layers(terrain, goals)):
        if board >> cell & 1:
            return far
    return _HORIZON


@lru_cache(maxsize=64)
def _layers(terrain: Terrain, goals: int) -> tuple[int, ...]:
    return tuple(spread(terrain, goals, _HORIZON))


def _light_value(state: OldeState, cells: int, friends: list[int], foes: list[int]) -> float:
    """Better sight of whom the light falls on, for both sides, and dark ground lit for friends who need it."""
    gain = _better(state, cells, friends, foes) - _better(state, cells, foes, friends)
    needy = [i for i in friends if not state.setup.fighters[i].dark_sight]
    if state.setup.darkness and needy and dark(state.terrain):
        unlit = cells & ~lit(state.terrain, lamps(state))
        gain += weights().lit * unlit.bit_count() / max(1, cells.bit_count()) * len(needy) / len(friends)
    return gain


def _better(state: OldeState, cells: int, eyes: list[int], seen: list[int]) -> float:
    """For each who would be seen better by somebody who shoots: what that is worth."""
    w = weights()
    total = 0.0
    shooters = [i for i in eyes if shoots(state, i)]
    for who in seen:
        cell, space = state.figures[who].cell, state.setup.fighters[who].space
        if not state.terrain.footprint(cell, space) & cells:
            continue
        grades = [sight(state, i, state.figures[i].cell, who, cell) for i in shooters]
        better = sum(1 for each in grades if each in (Grade.PARTIAL, Grade.MINIMAL))
        total += w.better * w.longest * better * value_of(state, who) / max(1, len(shooters))
    return total
