"""Ground that powers changed, and the areas on which they work, as bitboards (cairn.md §3, §5.5)."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from rules.board.bitboard import board_of, cells_of
from rules.board.fixtures import open_doors
from rules.board.grid import Field, Ground, Terrain
from rules.board.path import flown
from rules.board.sight import Grade, grade, visible
from rules.cairn.conditions import TRUE_SIGHT
from rules.cairn.gear import Power
from rules.cairn.state import Being, CairnState, Does, Figure, Lying, Resolution, Setup, Zone, aloft
from rules.contract.events import Door, Item, Moved
from rules.contract.events import Zone as Laid
from rules.contract.units import EMPTY, NO_CREATURE, Bitboard, Cell, CreatureIx, numbered
from rules.core.fixtures.contents import coins_in
from rules.core.fixtures.doors import key_names
from rules.core.fixtures.obstacles import without_rubble

HEARD, GAZE, MAGIC = "sound", "gaze", "magic"
"""Tags of powers that need a voice to work and ears to be harmed, of stares, and of all that is no ordinary harm."""
ARM = 1
"""Spaces at which one finds somebody even in fog."""


def touches(zone: Zone, being: Being, figure: Figure) -> bool:
    """Whether changed ground does something to a creature: only what rises to what is off the floor."""
    return (Does.RISE if aloft(being, figure) else Does.HARM) in zone.kind.does


def ground_for(terrain: Terrain, being: Being, figure: Figure) -> Terrain:
    """The ground as somebody goes over it: what is off the floor minds no water, rubble or low wall, and crosses pits
    (whose spaces `Terrain.pits` names: nobody stops above them)."""
    return flown(terrain) if aloft(being, figure) and not figure.critical else terrain


def cells_that(zones: Iterable[Zone], what: Does) -> Bitboard:
    """All spaces of changed ground that does one of these things."""
    out = EMPTY
    for zone in zones:
        if zone.kind.does & what:
            out |= zone.cells
    return out


def without(zones: tuple[Zone, ...], what: Does) -> tuple[Zone, ...]:
    """The changed ground but for what does one of these things."""
    return tuple(zone for zone in zones if not zone.kind.does & what)


def terrain_of(
    setup: Setup, doors: tuple[str, ...], zones: tuple[Zone, ...], cleared: Bitboard = EMPTY
) -> Terrain:  # fmt: skip
    """The ground with these doors and zones, and with some rubble cleared."""
    opened = open_doors(doors)
    field = without_rubble(setup.field, cleared)
    changes = tuple(cells_that(zones, what) for what in _CHANGES) if zones else ()
    if not any(changes):
        return field.terrain(opened)
    return field.altered(changes, lambda: _changed(field, changes)).terrain(opened)


_CHANGES = (Does.WALL, Does.GAP, Does.HIDE, Does.HINDER, Does.SNUFF, Does.BAR)
"""What changed ground makes of the field itself."""


def _changed(field: Field, changes: tuple[Bitboard, ...]) -> Field:
    """The field with walls of ice, gaps in walls, what hides, what is difficult and what is barred, and with lights put
    out."""
    wall, gap, murk, rough, snuffed, barred = changes
    ground = bytearray(field.ground)
    for cell in cells_of(gap):
        ground[cell] = Ground.OPEN
    for cell in cells_of(rough):
        if ground[cell] == Ground.OPEN:
            ground[cell] = Ground.DIFFICULT
    for cell in cells_of(wall | barred):
        ground[cell] = Ground.BLOCKED
    lights = tuple(light for light in field.lights if not snuffed >> light.cell & 1)
    opaque = (field.opaque & ~gap) | murk | wall
    return msgspec.structs.replace(field, ground=bytes(ground), opaque=opaque, lights=lights)


def lay_ground(resolution: Resolution) -> None:
    """Take the work's doors and zones into its terrain; who stands where there is no room any more is moved out."""
    resolution.terrain = terrain_of(resolution.setup, resolution.doors, resolution.zones, resolution.cleared)
    for who, figure in numbered(resolution.figures):
        being = resolution.being(who)
        if not figure.present or resolution.terrain.fits(figure.cell, being.space):
            continue
        best = free_near(resolution, figure.cell, who)
        if best is not None:
            resolution.change(who, cell=best)
            start, path = resolution.space(figure.cell), (resolution.space(best),)
            resolution.events.append(Moved(by=being.id, mode="pushed", start=start, path=path))


def set_door(resolution: Resolution, who: CreatureIx | None, number: int, state: str) -> None:
    """Somebody opens or closes a door; None where it moves by itself."""
    resolution.doors = (*resolution.doors[:number], state, *resolution.doors[number + 1 :])
    lay_ground(resolution)
    door, by = resolution.setup.field.doors[number].id, resolution.being(who).id if who is not None else None
    resolution.events.append(Door(door=door, state=state, by=by))


def lay(resolution: Resolution, zone: Zone) -> None:
    """A zone begins."""
    resolution.zones = (*resolution.zones, zone)
    lay_ground(resolution)
    resolution.events.append(_event(resolution, zone, True))


def age_zones(resolution: Resolution) -> None:
    """Ground changes run down at the end of a round."""
    gone = [zone for zone in resolution.zones if zone.rounds == 1]
    kept = (zone for zone in resolution.zones if zone.rounds != 1)
    resolution.zones = tuple(msgspec.structs.replace(zone, rounds=max(0, zone.rounds - 1)) for zone in kept)
    if gone:
        lay_ground(resolution)
        resolution.events.extend(_event(resolution, zone, False) for zone in gone)


def end_zone(resolution: Resolution, zone: Zone) -> None:
    """A zone is over before its time."""
    resolution.zones = tuple(other for other in resolution.zones if other != zone)
    lay_ground(resolution)
    resolution.events.append(_event(resolution, zone, False))


def _event(resolution: Resolution, zone: Zone, gained: bool) -> Laid:
    spaces = tuple(resolution.space(cell) for cell in cells_of(zone.cells))
    return Laid(name=zone.kind.label, kind=zone.kind.value, cells=spaces, gained=gained, turns=zone.rounds)


def warded(setup: Setup, zones: tuple[Zone, ...], who: CreatureIx) -> int:
    """The spaces that a creature may not enter because one of its foes drew a ward there."""
    out = 0
    for zone in zones:
        if Does.WARD in zone.kind.does and zone.by in setup.index:
            if setup.beings[setup.index[zone.by]].side != setup.beings[who].side:
                out |= zone.cells
    return out


def walled(setup: Setup, zones: tuple[Zone, ...], cell: Cell) -> bool:
    """Whether the map has a wall there that no gap is open in: neither a door, nor what powers laid, nor an abyss."""
    field, gap = setup.field, cells_that(zones, Does.GAP)
    return field.ground[cell] == Ground.BLOCKED and not gap >> cell & 1


def outermost(field: Field, cell: Cell) -> bool:
    """Whether the map ends behind a space."""
    column, row = field.at(cell)
    return not (0 < column < field.width - 1 and 0 < row < field.height - 1)


def seen_through(state: CairnState, who: CreatureIx) -> Terrain:
    """The ground as somebody's eyes have it: true sight looks past illusions."""
    if who < 0 or not state.figures[who].has(TRUE_SIGHT) or not cells_that(state.zones, Does.DECEIVE):
        return state.terrain
    return terrain_of(state.setup, state.doors, without(state.zones, Does.DECEIVE), state.cleared)


def beside(state: CairnState, who: CreatureIx, cell: Cell, other: CreatureIx) -> bool:
    """Whether somebody at a space has another within its hands' reach: a neighbour, and no wall between them."""
    goal, sizes = state.figures[other].cell, (state.setup.beings[who].space, state.setup.beings[other].space)
    if goal < 0 or state.terrain.distance(cell, goal, *sizes) > 1:
        return False
    return sight_between(state, cell, goal, *sizes) is not Grade.NONE


def in_hand(state: CairnState, who: CreatureIx, cell: Cell, wanted: int) -> int:
    """Which of some spaces somebody's hands reach from a space: its own, and neighbours with no wall between."""
    space = state.setup.beings[who].space
    near = wanted & state.terrain.within(cell, 1, space)
    own = near & state.terrain.footprint(cell, space)
    beyond = [each for each in cells_of(near & ~own) if sight_between(state, cell, each, space) is not Grade.NONE]
    return own | board_of(beyond)


def at_hand(state: CairnState, who: CreatureIx, cell: Cell) -> list[int]:
    """Numbers of the things on the floor that somebody's hands reach from a space."""
    near = in_hand(state, who, cell, board_of(lying.cell for lying in state.floor))
    return [number for number, lying in enumerate(state.floor) if near >> lying.cell & 1]


def sight_between(
    state: CairnState, a: Cell, b: Cell, size_a: int = 1, size_b: int = 1, *, by: CreatureIx = NO_CREATURE
) -> Grade:
    """The grade of sight, for the eyes of `by` if they are named; in fog and brush neighbours still find each other, as
    if behind cover."""
    found = grade(seen_through(state, by), a, b, size_a, size_b)
    if found is Grade.NONE and state.zones and state.terrain.distance(a, b, size_a, size_b) <= ARM:
        if cells_that(state.zones, Does.VEIL):
            firm = terrain_of(state.setup, state.doors, without(state.zones, Does.VEIL), state.cleared)
            close = grade(firm, a, b, size_a, size_b)
            return Grade.NONE if close is Grade.NONE else Grade.PARTIAL
    return found


def free_near(resolution: Resolution, goal: Cell, who: CreatureIx | None = None) -> Cell | None:
    """The space nearest to the one aimed at with room for a creature, or for a new one of size 1, on which nobody else
    stands: somebody may have come there since."""
    terrain, taken, space = resolution.terrain, EMPTY, 1 if who is None else resolution.being(who).space
    for i, other in numbered(resolution.figures):
        if i != who and other.fighting:
            taken |= terrain.footprint(other.cell, resolution.being(i).space)
    free = cells_of(terrain.steps(space).fit & ~terrain.touching(taken, space))
    return min(free, key=lambda cell: (terrain.distance(cell, goal, space, space), cell), default=None)


def standing_at(state: CairnState | Resolution, cell: Cell) -> CreatureIx | None:
    """Who stands with its first space there."""
    return next((i for i, f in numbered(state.figures) if f.present and f.cell == cell), None)


def area_cells(terrain: Terrain, power: Power, start: Cell, space: int, goal: Cell) -> Bitboard:
    """The spaces that a power takes in when it is aimed at `goal`."""
    if power.area == "one":
        return 1 << goal
    if power.area == "radius":
        return burst(terrain, goal, power.size)
    if power.area == "square":  # the one aimed at is its upper left space
        return square(terrain.field, *terrain.field.at(goal), power.size)
    if power.area == "wide":  # around the one aimed at, as far as that one sees
        (x, y), half = terrain.field.at(goal), power.size // 2
        return square(terrain.field, x - half, y - half, power.size) & (visible(terrain, goal) | 1 << goal)
    if power.area == "cone":
        return cone(terrain, start, space, goal, power.size)
    if power.area == "line":
        return line(terrain, start, goal, power.size)
    if power.area == "adjacent":
        return terrain.within(start, 1, space) & ~terrain.footprint(start, space)
    reach, own = power.size or power.reach, terrain.footprint(start, space)
    cells = terrain.within(start, reach, space)
    if power.range == "earshot":  # walls double the distance (cairn.md §3)
        cells = (cells & visible(terrain, start, space)) | terrain.within(start, reach // 2, space)
    return cells | own if power.self_too else cells & ~own


def burst(terrain: Terrain, centre: Cell, radius: int) -> Bitboard:
    """All spaces within a radius that the centre sees."""
    return terrain.within(centre, radius) & (visible(terrain, centre) | 1 << centre)


def square(field: Field, left: int, top: int, size: int) -> Bitboard:
    """A square of spaces whose upper left one is given, as far as the map goes."""
    spaces = ((x, y) for y in range(top, top + size) for x in range(left, left + size))
    return board_of(field.cell(x, y) for x, y in spaces if field.inside(x, y))


def cone(terrain: Terrain, start: Cell, space: int, goal: Cell, length: int) -> Bitboard:
    """A quarter of the spaces around a creature, towards `goal`, as far as it sees: in an orthogonal direction those
    no more aside than ahead, in a diagonal one the square between both axes."""
    field = terrain.field
    (sx, sy), (gx, gy) = field.at(start), field.at(goal)
    middle = (2 * sx + space - 1, 2 * sy + space - 1)
    dx, dy = 2 * gx - middle[0], 2 * gy - middle[1]
    diagonal = 2 * min(abs(dx), abs(dy)) > max(abs(dx), abs(dy))
    cells = []
    for y in range(max(0, sy - length), min(field.height, sy + space + length)):
        for x in range(max(0, sx - length), min(field.width, sx + space + length)):
            ax, ay = 2 * x - middle[0], 2 * y - middle[1]
            if diagonal:
                inside = ax * dx >= 0 and ay * dy >= 0 and (ax != 0 or ay != 0)
            elif abs(dx) >= abs(dy):
                inside = ax * dx > 0 and abs(ay) <= abs(ax)
            else:
                inside = ay * dy > 0 and abs(ax) <= abs(ay)
            if inside:
                cells.append(field.cell(x, y))
    around = terrain.within(start, length, space) & ~terrain.footprint(start, space)
    return board_of(cells) & around & visible(terrain, start, space)


def line(terrain: Terrain, start: Cell, goal: Cell, length: int) -> Bitboard:
    """The spaces from next to `start` towards `goal`, as long as nothing stops sight: Bresenham's line, extended."""
    field = terrain.field
    (sx, sy), (gx, gy) = field.at(start), field.at(goal)
    dx, dy = gx - sx, gy - sy
    steps = max(abs(dx), abs(dy))
    if steps == 0:
        return EMPTY
    board, seen = EMPTY, visible(terrain, start)
    for i in range(1, length + 1):
        x, y = sx + _rounded(dx * i, steps), sy + _rounded(dy * i, steps)
        if not field.inside(x, y) or not seen >> field.cell(x, y) & 1:
            break
        board |= 1 << field.cell(x, y)
    return board


def _rounded(number: int, by: int) -> int:
    """A quotient to the nearest whole, halves away from nought."""
    whole = (2 * abs(number) + by) // (2 * by)
    return whole if number >= 0 else -whole


def spend(resolution: Resolution, who: CreatureIx, item: str, charges: int) -> None:
    """One use of something; the last one uses it up, and the next one of its kind is whole. Without `charges` it never
    is."""
    used = dict(resolution.figures[who].used)
    used[item] = used.get(item, 0) + 1
    spent = bool(charges) and used[item] >= charges
    if spent:
        del used[item]
    resolution.change(who, used=tuple(sorted(used.items())))
    if spent:
        drop_item(resolution, who, item, "spent")


def drop_item(resolution: Resolution, who: CreatureIx, item: str, how: str) -> None:
    """An item leaves its carrier: `dropped` on the floor, `spent` or `broken` for good."""
    figure = resolution.figures[who]
    resolution.figures[who] = figure.without(item)
    if how == "dropped":
        resolution.floor = (*resolution.floor, Lying(item, figure.cell))
    resolution.events.append(Item(by=resolution.being(who).id, item=item, how=how))


def take_up(resolution: Resolution, who: CreatureIx, number: int) -> None:
    """A thing comes off the floor into somebody's pack; a bar that stood there bars the way no longer."""
    lying = resolution.floor[number]
    resolution.floor = (*resolution.floor[:number], *resolution.floor[number + 1 :])
    figure, count = resolution.figures[who], coins_in(lying.item)
    if count:
        resolution.change(who, purse=figure.purse + count)
    elif lying.item in key_names(resolution.setup.field):
        resolution.change(who, keys=(*figure.keys, lying.item))
    else:
        resolution.change(who, pack=(*figure.pack, lying.item))
    resolution.events.append(Item(by=resolution.being(who).id, item=lying.item, how="picked_up"))
    for zone in resolution.zones:
        if zone.item == lying.item and zone.cells >> lying.cell & 1:
            end_zone(resolution, zone)
            return
