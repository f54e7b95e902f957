"""Light by the second, and what sides see and know; orders are sealed until time moves (countup.md §1, §3)."""

from __future__ import annotations

from enum import Enum
from itertools import product

from msgspec.structs import replace

from rules.board.bitboard import board_of, cells_of
from rules.board.fixtures import open_doors
from rules.board.grid import Terrain
from rules.board.sight import ARM, Grade, Lamp, Spots, grade, lit, lit_brightly, seen_from, visible
from rules.contract.text import text
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell, CreatureIx
from rules.core.fixtures.obstacles import without_rubble
from rules.core.kept import of_each
from rules.core.secrets import doors_known
from rules.core.visibility import keep_look, looked, recalled
from rules.countup.state import CountState, Figure, Ground, Position
from rules.explore.goals import known as known_aims
from rules.explore.state import known as known_exploration

NIGHT_EYES = 24
"""Spaces from a light beyond its dim within which low-light sight still makes something out."""


def zone(state: Position, kind: Ground) -> Bitboard:
    """Bitboard of the ground that spells have changed in one way."""
    cells = EMPTY
    for name, board, _ in state.zones:
        cells |= board if name == kind else EMPTY
    return cells


def smoke_between(state: Position, start: Cell, goal: Cell, size: int = 1, other: int = 1) -> bool:
    """Whether smoke hides all that somebody of a size sees of somebody farther off than a neighbour."""
    smoke, terrain = zone(state, Ground.SMOKE), state.terrain
    if not smoke or terrain.distance(start, goal, size, other) <= 1:
        return False
    lines = product(terrain.space(start, size), terrain.space(goal, other))
    return all(_smoked(terrain, smoke, *line) for line in lines if grade(terrain, *line) is not Grade.NONE)


def smoke_hides(state: Position, by: CreatureIx, target: CreatureIx) -> bool:
    """Whether smoke hides one creature from another."""
    figures = state.figures
    return smoke_between(state, figures[by].cell, figures[target].cell, *state.setup.sizes(by, target))


def smoked_from(state: Position, start: Cell, size: int) -> Bitboard:
    """Bitboard of the spaces in sight that smoke hides from somebody. Remembered."""
    smoke, terrain = zone(state, Ground.SMOKE), state.terrain
    if not smoke:
        return EMPTY
    memo: dict[tuple[Bitboard, Cell, int], Bitboard] = terrain.memo.setdefault("smoked", {})
    hidden = memo.get((smoke, start, size))
    if hidden is None:
        spaces = cells_of(visible(terrain, start, size))
        hidden = board_of(cell for cell in spaces if smoke_between(state, start, cell, size))
        if len(memo) >= 256:
            memo.clear()
        memo[smoke, start, size] = hidden
    return hidden


def _smoked(terrain: Terrain, smoke: Bitboard, start: Cell, goal: Cell) -> bool:
    """Whether smoke lies on the straight line from one space to another, ends counted in."""
    field = terrain.field
    (ax, ay), (bx, by) = field.at(start), field.at(goal)
    steps = max(abs(bx - ax), abs(by - ay))
    for n in range(steps + 1):  # to the nearest space, halves towards the start
        x = ax + (2 * n * (bx - ax) + steps - (bx > ax)) // (2 * steps)
        y = ay + (2 * n * (by - ay) + steps - (by > ay)) // (2 * steps)
        if smoke >> field.cell(x, y) & 1:
            return True
    return False


class Light(Enum):
    """How light it is in a space: what that adds to the attack of who looks there, and to the defence against who
    strikes from there (countup.md §3)."""

    BRIGHT = (0, 0)
    DIM = (-4, -2)
    DARK = (-8, -4)


def level(state: Position, cell: Cell) -> Light:
    """How light it is in a space."""
    if not state.setup.darkness:
        return Light.BRIGHT
    if zone(state, Ground.DARK) >> cell & 1:  # lights drown in it, those of spells, too
        return Light.DARK
    if zone(state, Ground.LIGHT) >> cell & 1 or lit_brightly(state.terrain, lamps(state, 1)) >> cell & 1:
        return Light.BRIGHT
    return Light.DIM if lit(state.terrain, lamps(state)) >> cell & 1 else Light.DARK  # a dim map is lit everywhere


def penalties(state: Position, by: CreatureIx, target: CreatureIx) -> tuple[int, int]:
    """(to the attack, to the defence) by the light on the target and on the attacker."""
    if not state.setup.darkness or state.figures[target].cell < 0 or state.figures[by].cell < 0:
        return (0, 0)
    return (_looks(state, by, target)[0], _looks(state, target, by)[1])


def _looks(state: Position, who: CreatureIx, other: CreatureIx) -> tuple[int, int]:
    """What the light costs somebody who looks at somebody: of several spaces the lightest counts."""
    spaces = state.terrain.space(state.figures[other].cell, state.being(other).space)
    return max(_seen(state, who, cell).value for cell in spaces)


def _seen(state: Position, who: CreatureIx, cell: Cell) -> Light:
    """How light a space is to somebody."""
    being = state.being(who)
    if being.dark_sight:
        return Light.BRIGHT
    light = level(state, cell)
    if being.low_light and light is Light.DIM:
        return Light.BRIGHT
    glimmers = being.low_light and light is Light.DARK and not zone(state, Ground.DARK) >> cell & 1
    return Light.DIM if glimmers and near_lights(state) >> cell & 1 else light


def near_lights(state: Position) -> Bitboard:
    """Bitboard of the spaces that lie so near to some light."""
    terrain, board = state.terrain, EMPTY
    for light in terrain.field.lights:
        board |= terrain.within(light.cell, NIGHT_EYES)
    for cell, space, _ in lamps(state):
        board |= terrain.within(cell, NIGHT_EYES, space)
    return board


def lamps(state: Position, times: int = 2) -> tuple[Lamp, ...]:
    """The lights that creatures carry, as far as they are dim; once their radius they are bright."""
    return tuple(
        (figure.cell, being.space, times * being.light)
        for being, figure in zip(state.setup.beings, state.figures, strict=True)
        if being.light and figure.cell >= 0 and not figure.dark
    )


def sees(state: Position, side: str) -> Bitboard:
    """The bitboard of spaces that a side's creatures see. The latest are kept: it hangs on where they stand alone."""
    setup, terrain, figures = state.setup, state.terrain, state.figures
    burning = lamps(state) if setup.darkness else ()
    rest = (_posts(state, side), burning, state.zones)
    if (last := looked(setup.views, side, setup.beings, terrain, rest)) is not None:
        return last
    if not (setup.darkness or state.zones):  # most see what lies in their lines of sight, and nothing else counts
        seen = EMPTY
        for being, figure in zip(setup.beings, figures, strict=True):
            if being.side == side and figure.present:
                seen |= visible(terrain, figure.cell, being.space) | terrain.footprint(figure.cell, being.space)
        keep_look(setup.views, side, (setup.beings, terrain, rest, seen))
        return seen
    veil, seen, glimmer = zone(state, Ground.DARK), EMPTY, EMPTY
    if setup.darkness and any(being.low_light and being.side == side for being in setup.beings):
        glimmer = near_lights(state)
    for being, figure in zip(setup.beings, figures, strict=True):
        if being.side != side or not figure.present:
            continue
        lines = visible(terrain, figure.cell, being.space)
        view = lines
        if setup.darkness and not being.dark_sight:
            view = seen_from(terrain, figure.cell, being.space, burning, being.dark_sight)
            view |= lines & (zone(state, Ground.LIGHT) | (glimmer if being.low_light else 0))
            view &= ~veil
        view &= ~smoked_from(state, figure.cell, being.space)
        arm = lines & terrain.within(figure.cell, ARM, being.space)  # neighbours, in any smoke and darkness
        seen |= view | arm | terrain.footprint(figure.cell, being.space)
    keep_look(setup.views, side, (setup.beings, terrain, rest, seen))
    return seen


def _posts(state: Position, side: str) -> tuple[Cell, ...]:
    """Where each of a side stands who sees anything."""
    return tuple(
        [
            figure.cell if figure.present else NOWHERE
            for being, figure in zip(state.setup.beings, state.figures, strict=True)
            if being.side == side
        ]
    )


def glance(state: Position, side: str, wanted: Bitboard) -> Bitboard:
    """Those of some spaces that a side sees: as `sees` has it, but nobody looks farther than it takes."""
    setup, terrain, figures = state.setup, state.terrain, state.figures
    burning = lamps(state) if setup.darkness else ()
    rest = (_posts(state, side), burning, state.zones)
    if (last := looked(setup.views, side, setup.beings, terrain, rest)) is not None:
        return last & wanted
    if state.zones:
        return sees(state, side) & wanted
    spots, found, glimmer = Spots(terrain, wanted, shade=setup.darkness, burning=lambda: burning), EMPTY, None
    for being, figure in zip(setup.beings, figures, strict=True):
        if being.side != side or not spots.first <= figure.cell < spots.end or not figure.present:
            continue
        found |= spots.seen_from(figure.cell, being.space, dark_sight=being.dark_sight, left=wanted & ~found)
        if found != wanted and being.low_light and spots.shade:
            glimmer = wanted & near_lights(state) if glimmer is None else glimmer
            if glimmer & ~found:
                found |= glimmer & visible(terrain, figure.cell, being.space)
        if found == wanted:
            break
    return found


def sealed(state: CountState, *sides: str) -> CountState:
    """The state but for the orders of others than these sides."""
    beings = state.setup.beings
    figures = tuple(
        figure if figure.order is None or being.side in sides else replace(figure, order=None)
        for being, figure in zip(beings, state.figures, strict=True)
    )
    return replace(state, figures=figures)


def named_to(state: CountState, side: str, other: CreatureIx) -> str:
    """A creature in a sentence for a side: in the fog nobody is named whom none of it sees."""
    if state.setup.fog and state.being(other).side != side and not state.footprint(other) & sees(state, side):
        return text("somebody unseen")
    return state.named(other)


def observe(state: CountState, *sides: str) -> CountState:
    """The state as these sides together know it: the unseen are gone, others' orders are sealed."""
    seen, terrain, beings = 0, state.terrain, state.setup.beings
    for side in sides:
        seen |= sees(state, side)

    def made_out(who: CreatureIx) -> Figure:
        figure = state.figures[who]
        if beings[who].side in sides:
            return figure
        if not (figure.cell >= 0 and state.footprint(who) & seen):
            return replace(figure, cell=-1, order=None)
        return figure if figure.order is None else replace(figure, order=None)

    known = of_each(terrain, "+".join(("known", *sides)), state.figures, made_out, (beings, seen))
    doors = doors_known(recalled(state, sides), state.found, sides)
    if doors != state.doors:
        terrain = without_rubble(state.setup.field, state.cleared).terrain(open_doors(doors))
    floor = tuple(lying for lying in state.floor if seen >> lying[1] & 1)
    return replace(
        state, figures=tuple(known), rng=None, throw_at=0, floor=floor, viewer="+".join(sides), doors=doors,
        found=tuple(known for known in state.found if known[0] in sides),
        aims=state.aims if state.aims is None else known_aims(state.aims, sides, state.setup.field, seen),
        explore=known_exploration(state.explore, beings, sides, seen),
        terrain=terrain, waves=(),
    )  # fmt: skip
