"""Movement as it is carried out: along a path as far as it is free, over ground that does something (§2.7, §5.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from rules.board.fixtures import Challenge
from rules.board.grid import Field, Terrain
from rules.board.path import step_fault
from rules.cairn import conditions as cond
from rules.cairn import trials
from rules.cairn.combat.injury import armor_of, leave, natured, off_guard, wound
from rules.cairn.magic.ground import end_zone, ground_for, touches, warded
from rules.cairn.state import (
    EXPLORE_PHASE,
    STANDING,
    TETHER,
    CairnState,
    Does,
    GroundKind,
    Resolution,
    Zone,
    aloft,
    standing_on,
)
from rules.cairn.visibility import armed, known_snares, set_state
from rules.contract.events import Moved, Note, Posture, Roll
from rules.contract.text import text
from rules.contract.units import Cell, CreatureIx, numbered
from rules.core.dice import parse
from rules.core.fixtures import leaps, obstacles

MUNDANE = frozenset({"mundane"})
FLAMING = frozenset({"magic", "fire"})
"""What the ground's harm counts as against a creature's traits."""
FALL, FLAMES, SPIKES, TRAP, UNDER = 6, 6, 4, 6, 4
"""Faces of the dice of a fall into a pit, of a wall of fire, of caltrops, of a trap (cairn.md §5.3), and of
a moment under water."""
STEEL = 4
"""What a Prowler's trap takes (cairn.md §5.4)."""
SPRINGS = 2
"""A trap goes off under the unwitting up to this face of a d6 (cairn.md §1)."""
EFFECTS = {
    "restrained": (cond.RESTRAINED, 0, "str"),
    "rooted": (cond.STUCK, 0, "str"),
    "slowed": (cond.SLOWED, 6, ""),
    "blinded": (cond.BLIND, 1, ""),
    "frightened": (cond.FRIGHTENED, 1, ""),
    "silenced": (cond.SILENCED, 6, ""),
    "poisoned": (cond.POISONED, 0, ""),
    "dazed": (cond.WINDED, 1, ""),
    "exhausted": (cond.DEPRIVED, 0, ""),
    "fatigued": (cond.DEPRIVED, 0, ""),
}
"""What a map says that a trap leaves -> the condition, its rounds, the save that ends it (OURS). There is no bleeding
here, nor anything to be submerged in."""


def rise(resolution: Resolution, who: CreatureIx) -> None:
    """Up from the floor."""
    figure = resolution.figures[who]
    if figure.prone:
        resolution.change(who, posture=STANDING)
        resolution.events.append(Posture(by=resolution.being(who).id, posture=STANDING))


def walk(resolution: Resolution, who: CreatureIx, path: tuple[Cell, ...], mode: str) -> None:
    """Along a path as far as it is free: plans were made before anybody moved."""
    figure = resolution.figures[who]
    if not figure.present or not path:
        return
    rise(resolution, who)
    went: list[Cell] = []
    cell = figure.cell
    for there in path:
        if not _may_enter(resolution, who, cell, there):
            break
        water = deep_at(resolution, who, cell, there)
        if water is not None and not trials.tried(
            resolution, who, "swim", water.difficulty, text("swim, {id}", water.id)
        ):
            _unfree(resolution, who, went)
            _moved(resolution, who, went, mode)
            _goes_under(resolution, who)
            return
        met, traps = _met(resolution, who, cell, there), armed(resolution, who, cell, there)
        passed = bool(met or traps) and _taken(resolution, who, there)
        if passed:  # without a stop: flames alone need none
            met, traps = [zone for zone in met if Does.RISE in zone.kind.does], []
        cell = there
        went.append(there)
        sprung = [trap for trap in traps if _gives_way(resolution, who, trap)]
        if met or sprung:
            ahead = _unfree(resolution, who, went) if passed else []
            _moved(resolution, who, went, mode)
            went = ahead
            ended, figure = _suffer(resolution, who, met, sprung), resolution.figures[who]
            if ended or not figure.present or figure.critical:
                return
    _unfree(resolution, who, went)
    _moved(resolution, who, went, mode)


def deep_at(at: CairnState | Resolution, who: CreatureIx, cell: Cell, there: Cell) -> Challenge | None:
    """The deep water into which a step leads, where the map's obstacles are more than rough ground."""
    setup = at.setup
    if not setup.fixtures or not setup.field.challenges or aloft(setup.beings[who], at.figures[who]):
        return None
    space = setup.beings[who].space
    return obstacles.swims(setup.field, at.terrain.footprint(cell, space), at.terrain.footprint(there, space))


def _goes_under(resolution: Resolution, who: CreatureIx) -> None:
    """Who is in the water already goes under; who was about to enter it stays before it (cairn.md §2.14 Water)."""
    figure = resolution.figures[who]
    if figure.present:
        here = resolution.terrain.footprint(figure.cell, resolution.being(who).space)
        if obstacles.water_at(resolution.setup.field, here) is not None:
            thrown = resolution.throw("under water", 1, UNDER, by=who)
            _harm(resolution, who, thrown.total, "under water", direct=True, armor=False, rolls=(thrown,))


def clamber(resolution: Resolution, who: CreatureIx, goal: Cell, hurdle: Challenge | None) -> None:
    """By stairs or a ladder, or over a face or wall by a save; failed, one falls as far as it is high."""
    if hurdle is None or aloft(resolution.being(who), resolution.figures[who]):
        passed = True
    else:
        passed = trials.tried(resolution, who, "climb", hurdle.difficulty, text("climb, {id}", hurdle.id))
    if passed:
        if not _full(resolution, who, goal):
            _moved(resolution, who, [goal], "climb")
        return
    assert hurdle is not None
    if hurdle.height:
        thrown = resolution.throw("fall", hurdle.height, FALL, by=who)
        because = text("a fall off {id}", hurdle.id)
        _harm(resolution, who, thrown.total, because, direct=False, armor=False, rolls=(thrown,))
    if resolution.figures[who].present:
        resolution.afflict(who, cond.PRONE, because="fell")


def leap(resolution: Resolution, who: CreatureIx, goal: Cell, over: tuple[Cell, ...]) -> None:
    """Over a gap by a save; failed, one falls into it: as far as it is deep, into its water or to the ground; over
    what has no floor one lies at the edge, and so one does where no way leads out again (cairn.md §2.14 Gaps)."""
    if _full(resolution, who, goal) or any(_foe_on(resolution, who, cell) for cell in over):
        return
    if aloft(resolution.being(who), resolution.figures[who]) or trials.tried(
        resolution, who, "leap", leaps.DIFFICULTY[len(over)], "leap"
    ):
        _moved(resolution, who, [goal], "leap")
        return
    field, here = resolution.setup.field, resolution.figures[who].cell
    hollow = leaps.hollow(resolution.terrain, over)
    if hollow is None or _full(resolution, who, hollow):
        resolution.afflict(who, cond.PRONE, because="caught the edge" if hollow is None else "fell short")
        return
    depth = field.level(here) - field.level(hollow)
    if obstacles.way_out(resolution.terrain, hollow, here):
        _moved(resolution, who, [hollow], "fall")
    if depth > 0:
        thrown = resolution.throw("fall", depth, FALL, by=who)
        _harm(resolution, who, thrown.total, "fell short", direct=False, armor=False, rolls=(thrown,))
    elif obstacles.water_at(field, resolution.terrain.footprint(hollow, resolution.being(who).space)) is not None:
        return  # it swims
    if resolution.figures[who].present:
        resolution.afflict(who, cond.PRONE, because="fell short")


def _foe_on(resolution: Resolution, who: CreatureIx, cell: Cell) -> bool:
    return any(resolution.being(i).side != resolution.being(who).side for i in _on(resolution, who, cell))


def _unfree(resolution: Resolution, who: CreatureIx, went: list[Cell]) -> list[Cell]:
    """Take from the end of a way, and give, the spaces on which nobody stops."""
    ahead: list[Cell] = []
    while went and _taken(resolution, who, went[-1]):
        ahead.insert(0, went.pop())
    return ahead


def _moved(resolution: Resolution, who: CreatureIx, went: list[Cell], mode: str) -> None:
    if not went:
        return
    start = resolution.space(resolution.figures[who].cell)
    resolution.change(who, cell=went[-1])
    cells = tuple(resolution.space(c) for c in went)
    resolution.events.append(Moved(by=resolution.being(who).id, mode=mode, start=start, path=cells, cost=len(cells)))
    resolution.relieve(who, cond.INVISIBLE, "it moves")


def _may_enter(resolution: Resolution, who: CreatureIx, cell: Cell, there: Cell) -> bool:
    terrain, being, figure = resolution.terrain, resolution.being(who), resolution.figures[who]
    if step_fault(ground_for(terrain, being, figure), cell, there, being.space) is not None:
        return False
    if _foe_on(resolution, who, there):
        return False
    for each in figure.lasting:  # nor away from whom it is tethered to, farther than the tether reaches
        other = resolution.setup.index.get(each.by) if each.name == cond.TETHERED.name else None
        if other is not None and resolution.figures[other].present:
            goal, sizes = resolution.figures[other].cell, (being.space, resolution.being(other).space)
            apart = terrain.distance(there, goal, *sizes)
            if apart > TETHER and apart > terrain.distance(cell, goal, *sizes):
                return False
    ward = warded(resolution.setup, resolution.zones, who) if resolution.zones else 0
    return not ward & terrain.footprint(there, being.space) & ~terrain.footprint(cell, being.space)


def _on(resolution: Resolution, who: CreatureIx, cell: Cell) -> list[CreatureIx]:
    cells = resolution.terrain.footprint(cell, resolution.being(who).space)
    return [i for i in standing_on(resolution, cells) if i != who and resolution.figures[i].fighting]


def _full(resolution: Resolution, who: CreatureIx, cell: Cell) -> bool:
    """Whether there is no room to come to rest: somebody stands there, or there is no floor."""
    here = resolution.terrain.footprint(cell, resolution.being(who).space)
    return bool(here & resolution.terrain.pits or _on(resolution, who, cell))


def _taken(resolution: Resolution, who: CreatureIx, cell: Cell) -> bool:
    """Whether nobody stops there of its own will: there is no room, or a trap that its side knows of."""
    here = resolution.terrain.footprint(cell, resolution.being(who).space)
    return _full(resolution, who, cell) or bool(here & known_snares(resolution, who))


def _met(resolution: Resolution, who: CreatureIx, before: Cell, there: Cell) -> list[Zone]:
    """The changed ground that a step leads onto; a sticky floor catches at every step."""
    if not resolution.zones:
        return []
    being, figure, footprint = resolution.being(who), resolution.figures[who], resolution.terrain.footprint
    now, was = footprint(there, being.space), footprint(before, being.space)
    return [
        zone
        for zone in resolution.zones
        if zone.cells & now and touches(zone, being, figure) and (Does.GRIP in zone.kind.does or not zone.cells & was)
    ]


def _gives_way(resolution: Resolution, who: CreatureIx, number: int) -> bool:
    """Whether a map's trap goes off under who treads on it unwitting: 2 in 6. Nobody hears of one that does not."""
    trap = resolution.setup.field.challenges[number]
    thrown = resolution.throw(trap.id, 1, 6, by="")
    sprung = thrown.total <= SPRINGS
    told = text("{trap}: it gives way", trap.id) if sprung else text("{trap}: nothing gives way", trap.id)
    secret = () if sprung else ("",)
    resolution.events.append(Note(text=told, by=resolution.being(who).id, rolls=(thrown,), seen_by=secret))
    return sprung


def _suffer(resolution: Resolution, who: CreatureIx, met: list[Zone], traps: Sequence[int] = ()) -> bool:
    """What the ground does to who comes onto it; True if the movement ends there."""
    ended = False
    for number in traps:
        if resolution.figures[who].present:
            trap_bites(resolution, who, number)
            ended = True
    for zone in met:
        if resolution.figures[who].present:
            ended = SUFFERED[zone.kind].befall(resolution, who) or ended
            if Does.ONCE in zone.kind.does:
                end_zone(resolution, zone)
    return ended


def _harm(resolution: Resolution, who: CreatureIx, amount: int, because: str, kinds: frozenset[str] = MUNDANE, *,
          direct: bool = True, armor: bool = True, rolls: tuple[Roll, ...] = ()) -> None:  # fmt: skip
    """What the ground does to somebody, less Armor; nothing to those whose nature or shield keeps it off."""
    being, figure = resolution.being(who), resolution.figures[who]
    if being.immune & kinds or ("mundane" in kinds and figure.has(cond.SHIELDED)):
        resolution.note(who, text("no harm from the {because}", because), rolls)
        return
    harm = max(0, amount - armor_of(resolution.setup, being, figure)) if armor else amount
    outside = resolution.setup.outside and resolution.phase == EXPLORE_PHASE  # no fight: STR, and no save (cairn.md §1)
    direct = direct or outside or off_guard(resolution, who)
    wound(resolution, who, harm, because, direct=direct, saves=not outside, rolls=rolls)


class Hazard(NamedTuple):
    """What changed ground does to who comes onto it."""

    name: str = ""  # what its harm comes from
    die: int = 0  # impaired or enhanced by its victim's nature, as a blow's is
    save: str = ""  # what a DEX save, if there is one, is made for: it keeps all off
    harm: int = 0  # without a die
    kinds: frozenset[str] = MUNDANE
    direct: bool = False  # straight to STR
    armor: bool = True  # which counts
    condition: cond.Condition | None = None  # what it leaves
    because: str = ""
    grips: bool = False  # who is left in it goes no farther, anybody else does
    stops: bool = True  # the movement ends there

    def befall(self, resolution: Resolution, who: CreatureIx) -> bool:
        """It happens to somebody; True if the movement ends there."""
        if self.save and resolution.save(who, "dex", self.save):
            return False
        faces = natured(resolution.being(who), self.kinds, (self.die,) if self.die else ())
        rolls = tuple(resolution.throw(self.name, 1, each) for each in faces)
        if rolls or self.harm:
            amount = sum(each.total for each in rolls) + self.harm
            _harm(resolution, who, amount, self.name, self.kinds, direct=self.direct, armor=self.armor, rolls=rolls)
        if self.condition is None or not resolution.figures[who].present:
            return self.stops
        left = resolution.afflict(who, self.condition, because=self.because, save="str" if self.grips else "")
        return left if self.grips else self.stops


def _bite(resolution: Resolution, who: CreatureIx, trap: Challenge) -> None:
    """What a map's trap does: its dice, or d6, straight to STR; and its condition, where Cairn has one of the kind."""
    if trap.damage or trap.kind == "trap":
        said = parse(trap.damage or f"d{TRAP}")
        (faces,) = natured(resolution.being(who), MUNDANE, (said.rank,))
        thrown = resolution.throw(trap.id, said.count, faces)
        _harm(resolution, who, thrown.total + said.adjustment, trap.id, rolls=(thrown,))
    effect = EFFECTS.get(trap.effect)
    if effect is not None and resolution.figures[who].present:
        condition, rounds, attribute = effect
        resolution.afflict(who, condition, rounds, trap.id, save=attribute)


def trap_bites(resolution: Resolution, who: CreatureIx, number: int) -> None:
    """A trap goes off on whoever had a hand in it."""
    set_state(resolution, number, "sprung", who)
    _bite(resolution, who, resolution.setup.field.challenges[number])


def chest_trap(resolution: Resolution, who: CreatureIx, chest: Challenge) -> None:
    """What lies in wait in a chest goes off on whoever opens it, as any trap: 2 in 6."""
    if not chest.damage and not chest.effect:
        return
    thrown = resolution.throw(chest.id, 1, 6, by="")
    sprung = thrown.total <= SPRINGS
    told = text("{trap}: there is a trap in it", chest.id) if sprung else text("{trap}: nothing springs", chest.id)
    resolution.note(who, told, (thrown,))
    if sprung:
        _bite(resolution, who, chest)


_SLIPPERY = Hazard(save="keep one's feet", condition=cond.PRONE, because="slipped")
SUFFERED: Mapping[GroundKind, Hazard] = MappingProxyType({
    GroundKind.TRAP: Hazard("trap", TRAP, direct=True),
    GroundKind.STEEL_TRAP: Hazard("trap", harm=STEEL, direct=True),
    GroundKind.FIRE: Hazard("wall of fire", FLAMES, kinds=FLAMING, stops=False),
    GroundKind.PIT: Hazard(
        "fall", FALL, "not to fall into the pit", direct=True, armor=False, condition=cond.PRONE,
        because="fell into the pit",
    ),
    GroundKind.SLICK: _SLIPPERY, GroundKind.ICE_FLOOR: _SLIPPERY, GroundKind.WIRE: _SLIPPERY,
    GroundKind.ADHERE: Hazard(condition=cond.STUCK, because="the floor holds on", grips=True),
    GroundKind.CALTROPS: Hazard("caltrops", SPIKES, "step between the spikes"),
})  # fmt: skip
"""What each kind of changed ground does to who comes onto it."""


def caught(resolution: Resolution, zone: Zone) -> None:
    """Changed ground begins under somebody's feet: flames burn them, a sticky floor holds them."""
    if Does.CATCH not in zone.kind.does:
        return
    for who, figure in numbered(resolution.figures):
        if figure.present and resolution.terrain.footprint(figure.cell, resolution.being(who).space) & zone.cells:
            SUFFERED[zone.kind].befall(resolution, who)


def heading(field: Field, cell: Cell, space: int, other: Cell, size: int) -> tuple[int, int]:
    """The direction straight away from somebody, by the spaces that both cover: (0, 0) where they overlap."""
    (x, y), (fx, fy) = field.at(cell), field.at(other)
    return (x >= fx + size) - (x + space <= fx), (y >= fy + size) - (y + space <= fy)


def over_edge(terrain: Terrain, cell: Cell, there: Cell, space: int) -> bool:
    """Whether a step ends in a fall: nothing of what one would newly stand on is ground."""
    column, row = terrain.field.at(there)
    if column + space > terrain.field.width or row + space > terrain.field.height:
        return False
    ahead = terrain.footprint(there, space) & ~terrain.footprint(cell, space)
    return bool(ahead) and not ahead & ~terrain.pits


def push(resolution: Resolution, who: CreatureIx, away_from: CreatureIx, spaces: int, towards: bool = False) -> None:
    """Straight away from (or towards) somebody, as far as the way is free; over an edge one falls."""
    field, being, figure = resolution.setup.field, resolution.being(who), resolution.figures[who]
    other, size = resolution.figures[away_from].cell, resolution.being(away_from).space
    dx, dy = heading(field, figure.cell, being.space, other, size)
    if towards:
        dx, dy = -dx, -dy
    if (dx == 0 and dy == 0) or figure.has(cond.ROOTED) or being.speed == 0:
        return
    went: list[Cell] = []
    cell = figure.cell
    for _ in range(spaces):
        nx, ny = field.at(cell)[0] + dx, field.at(cell)[1] + dy
        if not field.inside(nx, ny):
            break
        there = field.cell(nx, ny)
        if over_edge(resolution.terrain, cell, there, being.space) and not aloft(being, figure):
            leave(resolution, who, cond.FALLEN, "pushed over the edge")
            return
        if not _may_enter(resolution, who, cell, there) or _full(resolution, who, there):
            break
        met, traps = _met(resolution, who, cell, there), armed(resolution, who, cell, there, thrown=True)
        went.append(there)
        cell = there
        sprung = [trap for trap in traps if _gives_way(resolution, who, trap)]
        if met or sprung:
            _moved(resolution, who, went, "pushed")
            went = []
            if _suffer(resolution, who, met, sprung) or not resolution.figures[who].present:
                return
    _moved(resolution, who, went, "pushed")
