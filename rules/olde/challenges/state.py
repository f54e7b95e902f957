"""What a map hides and locks: secret doors, traps, chests; how they stand, which side knows of them (olde.md §8).

Secrets are numbered: the field's doors first, then its challenges. A side knows those whose bits it has.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from rules.board.bitboard import board_of
from rules.board.fixtures import OBSTACLES, Challenge
from rules.board.grid import DIRECTIONS, EdgeWall, Field, Ground, Passage, Terrain
from rules.contract.errors import RecordError
from rules.contract.events import Challenge as Told
from rules.contract.text import joined
from rules.contract.units import EMPTY, Bitboard, Cell
from rules.core import secrets
from rules.core.secrets import Kind, Stands, with_secret
from rules.explore.state import put
from rules.olde.conditions import SPRUNG
from rules.olde.state import STANDING, Fighter, Figure, Obstacles, OldeState, Resolution, Setup

RULE = "olde.md §8"


def check(field: Field) -> None:
    """Refuse challenges that the rules can't play. Raises RecordError."""
    for c in field.challenges:
        if c.effect and c.effect not in SPRUNG:
            told = "map: {kind} {id}: effect {effect} is none of {known}"
            raise RecordError(told, c.kind, repr(c.id), repr(c.effect), joined(", ", SPRUNG))


def knows(state: OldeState, side: str, challenge: int) -> bool:
    """Whether a side knows of a trap or a chest."""
    return secrets.knows(state.setup.field, state.found, side, challenge)


def snares(state: OldeState, side: str, *, known: bool) -> int:
    """Bitboard of the spaces with armed traps that a side knows of, or doesn't. Remembered."""
    memo, key = state.setup.memo, ("snares", state.challenges, state.found, side, known)
    kept: int | None = memo.get(key)
    if kept is None:
        field = state.setup.field
        kept = memo[key] = secrets.snares(field, state.challenges, state.found, side, known=known)
    return kept


def set_state(resolution: Resolution, number: int, state: Stands, by: str) -> None:
    """A trap or chest stands otherwise from now on."""
    resolution.challenges = put(resolution.challenges, number, state.value)
    challenge = resolution.setup.field.challenges[number]
    inside, at = challenge.contents if state is Stands.OPEN else "", resolution.space(challenge.cells[0])
    told = Told(by=by, challenge=challenge.id, kind=challenge.kind, state=state.value, at=at, contents=inside)
    resolution.events.append(told)


def learn(resolution: Resolution, side: str, secret: int, by: str) -> None:
    """A side has found a secret."""
    resolution.found = with_secret(resolution.found, side, secret)
    sides = [f.side for f in resolution.setup.fighters]
    resolution.events.append(secrets.discovery(resolution.setup.field, secret, by, side, sides))


CLIMB_PRICE, SWIM_PRICE, RUBBLE_PRICE = 8, 3, 9
"""What getting past them is worth, in spaces of movement, to whoever plans a way."""
_STRAIGHT = DIRECTIONS[:4]


def obstacles_of(field: Field) -> Obstacles | None:
    """The obstacles of a field, None if it has none. Remembered."""
    if "_obstacles" not in field.__dict__:
        field.__dict__["_obstacles"] = _found(field)
    found: Obstacles | None = field.__dict__["_obstacles"]
    return found


def _found(field: Field) -> Obstacles | None:
    boards = dict.fromkeys(OBSTACLES, EMPTY)
    at: dict[Cell, int] = {}
    edges: dict[tuple[Cell, Cell], int] = {}
    for number, one in enumerate(field.challenges):
        if one.kind not in OBSTACLES:
            continue
        for a, b in one.edges:
            edges[a, b] = edges[b, a] = number
        if not one.edges:
            boards[one.kind] |= board_of(one.cells)
            at.update(dict.fromkeys(one.cells, number))
    if not at and not edges:
        return None
    return Obstacles(boards[Kind.WATER], boards[Kind.CLIMB], boards[Kind.RUBBLE], at, edges)


# -- the ground -----------------------------------------------------------------------------------------


def laid(field: Field) -> Field:
    """The field as it is played on: no walk enters an obstacle, and planners know the ways past it. Remembered."""
    found = obstacles_of(field)
    if found is None:
        return field
    if "_laid" not in field.__dict__:
        ground = bytearray(field.ground)
        for cell, number in found.at.items():
            ground[cell] = Ground.VOID if field.challenges[number].kind == Kind.WATER else Ground.BLOCKED
        thin = tuple(EdgeWall(a, b, sight=False) for a, b in found.edges if a < b)
        bare = msgspec.structs.replace(field, ground=bytes(ground), edges=(*field.edges, *thin))
        field.__dict__["_laid"] = msgspec.structs.replace(bare, passages=tuple(_passages(bare, found)))
    known: Field = field.__dict__["_laid"]
    return known


def _passages(field: Field, found: Obstacles) -> Iterator[Passage]:
    """The ways past each obstacle, from space to space."""
    wide = field.terrain((1 << len(field.doors)) - 1)
    afloat = swum(wide)
    for cell in field.cells:
        if found.water >> cell & 1:
            for there, _ in afloat.neighbours(cell):
                if there > cell or not found.water >> there & 1:
                    yield Passage(cell, there, SWIM_PRICE, wide=True)
        elif found.rubble >> cell & 1:
            for there in _beside(field, cell):
                stones = found.rubble >> there & 1
                if (stones and there > cell) or (not stones and wide.fits(there)):
                    yield Passage(cell, there, RUBBLE_PRICE // (1 if stones else 2))
        elif wide.fits(cell):
            for there, _ in climbs_over(field, wide, found, cell):
                if there > cell:
                    yield Passage(cell, there, CLIMB_PRICE)


def _beside(field: Field, cell: Cell) -> Iterator[Cell]:
    column, row = field.at(cell)
    for x, y in _STRAIGHT:
        if field.inside(column + x, row + y):
            yield field.cell(column + x, row + y)


def climbs_over(field: Field, terrain: Terrain, found: Obstacles, cell: Cell) -> Iterator[tuple[Cell, int]]:
    """(space beyond, number of the challenge) of all that can be climbed from a space, straight across it (R)."""
    column, row = field.at(cell)
    for x, y in _STRAIGHT:
        if not field.inside(column + x, row + y):
            continue
        near = field.cell(column + x, row + y)
        number = found.edges.get((cell, near))
        goal = near
        if number is None:
            if not found.faces >> near & 1 or not field.inside(column + 2 * x, row + 2 * y):
                continue
            number, goal = found.at[near], field.cell(column + 2 * x, row + 2 * y)
        if terrain.fits(goal) and abs(field.level(goal) - field.level(cell)) <= 1:
            yield goal, number


def swum(terrain: Terrain) -> Terrain:
    """The same ground for a swimmer: water is open, and no bank is difficult. Remembered."""
    found: Terrain | None = terrain.memo.get("swum")
    if found is None:
        field, known = terrain.field, obstacles_of(terrain.field)
        ground = bytearray(field.ground)
        for cell, kind in enumerate(ground):
            wet = kind == Ground.VOID and known is not None and known.water >> cell & 1
            if wet or kind == Ground.DIFFICULT:
                ground[cell] = Ground.OPEN
        open_water = msgspec.structs.replace(field, ground=bytes(ground))
        found = terrain.memo["swum"] = open_water.terrain(terrain.doors_open)
    return found


# -- who is where ---------------------------------------------------------------------------------------


def in_water(setup: Setup, fighter: Fighter, figure: Figure) -> bool:
    """Whether a creature lies or swims in deep water; a flyer on its wings does not."""
    found, width, cell = setup.obstacles, setup.field.width, figure.cell
    if found is None or cell < 0 or not found.water or (figure.posture == STANDING and fighter.traits.flies):
        return False
    return any(found.water >> cell + y * width + x & 1 for y in range(fighter.space) for x in range(fighter.space))


def water_at(setup: Setup, cells: Bitboard) -> Challenge | None:
    """The water that covers some spaces (a bitboard), the hardest to swim."""
    found = setup.obstacles
    if found is None or not found.water & cells:
        return None
    numbers = {number for cell, number in found.at.items() if cells >> cell & 1}
    waters = [setup.field.challenges[n] for n in sorted(numbers)]
    return max((w for w in waters if w.kind == Kind.WATER), key=lambda w: w.difficulty, default=None)
