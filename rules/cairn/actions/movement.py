"""Movement as it is carried out: along a path as far as it is free, over ground that does something (§2.7, §5.5)."""

from __future__ import annotations

from collections.abc import Sequence

from rules.board.grid import Challenge, Field, Terrain
from rules.board.path import step_fault
from rules.cairn.actions.hidden import armed, known_snares, set_state
from rules.cairn.combat.injury import armor_of, leave, natured, off_guard, wound
from rules.cairn.magic.ground import end_zone, ground_for, touched, warded
from rules.cairn.saves import afflict, relieve, save
from rules.cairn.state import TETHER, Work, Zone, aloft, present, upright
from rules.contract.events import Moved, Note, Posture, Roll
from rules.core.dice import parse, roll

MUNDANE = frozenset({"mundane"})
FLAMING = frozenset({"magic", "fire"})
"""What the ground's harm counts as against a creature's traits."""
FALL, FLAMES, SPIKES, TRAP = 6, 6, 4, 6
"""Faces of the dice of a fall into a pit, of a wall of fire, of caltrops and of a trap (cairn.md §5.3)."""
STEEL = 4
"""What a Prowler's trap takes (cairn.md §5.4)."""
TRAPS = ("trap", "steel trap")
"""What is sprung once."""
SPRINGS = 2
"""A trap goes off under the unwitting up to this face of a d6 (cairn.md §1)."""
EFFECTS = {
    "restrained": ("restrained", 0, "str"),
    "rooted": ("stuck", 0, "str"),
    "slowed": ("slowed", 6, ""),
    "blinded": ("blind", 1, ""),
    "frightened": ("frightened", 1, ""),
    "silenced": ("silenced", 6, ""),
    "poisoned": ("poisoned", 0, ""),
    "dazed": ("winded", 1, ""),
    "exhausted": ("deprived", 0, ""),
    "fatigued": ("deprived", 0, ""),
}
"""What a map says that a trap leaves -> the condition, its rounds, the save that ends it (OURS). There is no bleeding
here, nor anything to be submerged in."""


def rise(work: Work, who: int) -> None:
    """Up from the floor."""
    figure = work.figures[who]
    if figure.posture == "prone" and not figure.critical:
        work.change(who, posture="standing")
        work.events.append(Posture(by=work.being(who).id, posture="standing"))


def walk(work: Work, who: int, path: tuple[int, ...], mode: str) -> None:
    """Along a path as far as it is free: plans were made before anybody moved."""
    figure = work.figures[who]
    if not present(figure) or figure.cell < 0 or not path:
        return
    if figure.posture == "prone" and not figure.critical:
        rise(work, who)
    went: list[int] = []
    cell = figure.cell
    for there in path:
        if not _may_enter(work, who, cell, there):
            break
        met, traps = _met(work, who, cell, there), armed(work, who, cell, there)
        passed = bool(met or traps) and _taken(work, who, there)
        if passed:  # without a stop: flames alone need none
            met, traps = [zone for zone in met if zone.kind == "fire"], []
        cell = there
        went.append(there)
        sprung = [trap for trap in traps if _gives_way(work, who, trap)]
        if met or sprung:
            ahead = _unfree(work, who, went) if passed else []
            _moved(work, who, went, mode)
            went = ahead
            if _suffer(work, who, met, sprung) or not present(figure := work.figures[who]) or figure.critical:
                return
    _unfree(work, who, went)
    _moved(work, who, went, mode)


def _unfree(work: Work, who: int, went: list[int]) -> list[int]:
    """Take from the end of a way, and give, the spaces on which nobody stops."""
    ahead: list[int] = []
    while went and _taken(work, who, went[-1]):
        ahead.insert(0, went.pop())
    return ahead


def _moved(work: Work, who: int, went: list[int], mode: str) -> None:
    if not went:
        return
    start = work.space(work.figures[who].cell)
    work.change(who, cell=went[-1])
    cells = tuple(work.space(c) for c in went)
    work.events.append(Moved(by=work.being(who).id, mode=mode, start=start, path=cells, cost=len(cells)))
    relieve(work, who, "invisible", "it moves")


def _may_enter(work: Work, who: int, cell: int, there: int) -> bool:
    space = work.being(who).space
    ground = ground_for(work.terrain, work.being(who), work.figures[who])
    if step_fault(ground, cell, there, space) is not None or _foe_on(work, who, there):
        return False
    if _leashed(work, who, cell, there):
        return False
    ward = warded(work.setup, work.zones, who) if work.zones else 0
    inside = work.terrain.footprint(cell, space)
    return not ward & work.terrain.footprint(there, space) & ~inside


def _leashed(work: Work, who: int, cell: int, there: int) -> bool:
    """Whether a step would lead away from whom it is tethered to, farther than the tether reaches."""
    for each in work.figures[who].lasting:
        other = work.setup.index.get(each.by) if each.name == "tethered" else None
        if other is not None and present(work.figures[other]):
            sizes = work.being(who).space, work.being(other).space
            goal = work.figures[other].cell
            apart = work.terrain.distance(there, goal, *sizes)
            if apart > TETHER and apart > work.terrain.distance(cell, goal, *sizes):
                return True
    return False


def _on(work: Work, who: int, cell: int) -> list[int]:
    cells = work.terrain.footprint(cell, work.being(who).space)
    return [
        i
        for i, f in enumerate(work.figures)
        if i != who and upright(f) and work.terrain.footprint(f.cell, work.being(i).space) & cells
    ]


def _foe_on(work: Work, who: int, cell: int) -> bool:
    side = work.being(who).side
    return any(work.being(i).side != side for i in _on(work, who, cell))


def _full(work: Work, who: int, cell: int) -> bool:
    """Whether there is no room to come to rest: somebody stands there, or there is no floor."""
    here = work.terrain.footprint(cell, work.being(who).space)
    return bool(here & work.terrain.pits or _on(work, who, cell))


def _taken(work: Work, who: int, cell: int) -> bool:
    """Whether nobody stops there of its own will: there is no room, or a trap that its side knows of."""
    here = work.terrain.footprint(cell, work.being(who).space)
    return _full(work, who, cell) or bool(here & known_snares(work, who))


def _met(work: Work, who: int, before: int, there: int) -> list[Zone]:
    """The changed ground that a step leads onto; a sticky floor catches at every step."""
    if not work.zones:
        return []
    kinds = touched(work.being(who), work.figures[who])
    space = work.being(who).space
    now, was = work.terrain.footprint(there, space), work.terrain.footprint(before, space)
    return [
        zone
        for zone in work.zones
        if zone.kind in kinds and zone.cells & now and (zone.kind == "adhere" or not zone.cells & was)
    ]


def _gives_way(work: Work, who: int, number: int) -> bool:
    """Whether a map's trap goes off under who treads on it unwitting: 2 in 6. Nobody hears of one that does not."""
    work.dice.thrower = ""
    trap = work.setup.field.challenges[number]
    thrown = roll(work.dice, trap.id, 1, 6, exploding=False)
    sprung = thrown.total <= SPRINGS
    told = f"{trap.id}: it gives way" if sprung else f"{trap.id}: nothing gives way"
    secret = () if sprung else ("",)
    work.events.append(Note(text=told, by=work.being(who).id, rolls=(thrown,), seen_by=secret))
    return sprung


def _suffer(work: Work, who: int, met: list[Zone], traps: Sequence[int] = ()) -> bool:
    """What the ground does to who comes onto it; True if the movement ends there."""
    ended = False
    for number in traps:
        if present(work.figures[who]):
            set_state(work, number, "sprung", who)
            _bite(work, who, work.setup.field.challenges[number])
            ended = True
    for zone in met:
        if present(work.figures[who]):
            ended = _SUFFERED[zone.kind](work, who) or ended
            if zone.kind in TRAPS:
                end_zone(work, zone)
    return ended


def _harm(work: Work, who: int, amount: int, because: str, kinds: frozenset[str] = MUNDANE, *, direct: bool = False,
          armor: bool = True, rolls: tuple[Roll, ...] = ()) -> None:  # fmt: skip
    """What the ground does to somebody, less Armor; nothing to those whose nature or shield keeps it off."""
    being, figure = work.being(who), work.figures[who]
    if being.immune & kinds or ("mundane" in kinds and figure.has("shielded")):
        work.events.append(Note(text=f"no harm from the {because}", by=being.id, rolls=rolls))
        return
    harm = max(0, amount - armor_of(work.setup, being, figure)) if armor else amount
    wound(work, who, harm, because, direct=direct or off_guard(work, who), rolls=rolls)


def _die(work: Work, who: int, faces: int, kinds: frozenset[str] = MUNDANE) -> int:
    """The die of the ground's harm: impaired or enhanced by its victim's nature, as a blow's is."""
    return natured(work.being(who), kinds, (faces,))[0]


def _burn(work: Work, who: int) -> bool:
    thrown = roll(work.dice, "wall of fire", 1, _die(work, who, FLAMES, FLAMING), exploding=False)
    _harm(work, who, thrown.total, "wall of fire", FLAMING, rolls=(thrown,))
    return False


def fall(work: Work, who: int) -> bool:
    """Into a pit, unless a DEX save catches the edge: d6 STR, and prone."""
    if save(work, who, "dex", "not to fall into the pit"):
        return False
    thrown = roll(work.dice, "fall", 1, _die(work, who, FALL), exploding=False)
    _harm(work, who, thrown.total, "fall", direct=True, armor=False, rolls=(thrown,))
    if present(work.figures[who]):
        afflict(work, who, "prone", because="fell into the pit")
    return True


def _slip(work: Work, who: int) -> bool:
    if save(work, who, "dex", "keep one's feet"):
        return False
    afflict(work, who, "prone", because="slipped")
    return True


def _stick(work: Work, who: int) -> bool:
    return afflict(work, who, "stuck", because="the floor holds on", save="str")


def _tread(work: Work, who: int) -> bool:
    if save(work, who, "dex", "step between the spikes"):
        return False
    thrown = roll(work.dice, "caltrops", 1, _die(work, who, SPIKES), exploding=False)
    _harm(work, who, thrown.total, "caltrops", rolls=(thrown,))
    return True


def _spring(work: Work, who: int) -> bool:
    thrown = roll(work.dice, "trap", 1, _die(work, who, TRAP), exploding=False)
    return snap(work, who, thrown.total, (thrown,))


def snap(work: Work, who: int, amount: int, rolls: tuple[Roll, ...] = (), because: str = "trap") -> bool:
    """A trap closes: straight to STR, Armor counts (cairn.md §1, A17)."""
    _harm(work, who, amount, because, direct=True, rolls=rolls)
    return True


def _bite(work: Work, who: int, trap: Challenge) -> None:
    """What a map's trap does: its dice, or d6, straight to STR; and its condition, where Cairn has one of the kind."""
    if trap.damage or trap.kind == "trap":
        said = parse(trap.damage or f"d{TRAP}")
        thrown = roll(work.dice, trap.id, said.count, _die(work, who, said.rank), exploding=False)
        snap(work, who, thrown.total + said.adjustment, (thrown,), trap.id)
    effect = EFFECTS.get(trap.effect)
    if effect is not None and present(work.figures[who]):
        name, rounds, attribute = effect
        afflict(work, who, name, rounds, trap.id, save=attribute)


def chest_trap(work: Work, who: int, chest: Challenge) -> None:
    """What lies in wait in a chest goes off on whoever opens it, as any trap: 2 in 6."""
    if not chest.damage and not chest.effect:
        return
    work.dice.thrower = ""
    thrown = roll(work.dice, chest.id, 1, 6, exploding=False)
    sprung = thrown.total <= SPRINGS
    told = f"{chest.id}: there is a trap in it" if sprung else f"{chest.id}: nothing springs"
    work.events.append(Note(text=told, by=work.being(who).id, rolls=(thrown,)))
    if sprung:
        _bite(work, who, chest)


_SUFFERED = {
    "trap": _spring, "steel trap": lambda work, who: snap(work, who, STEEL),
    "fire": _burn, "pit": fall, "slick": _slip, "ice floor": _slip, "wire": _slip, "adhere": _stick, "caltrops": _tread,
}  # fmt: skip


def caught(work: Work, zone: Zone) -> None:
    """Changed ground begins under somebody's feet: flames burn them, a sticky floor holds them."""
    if zone.kind not in ("fire", "adhere"):
        return
    for who, figure in enumerate(work.figures):
        if present(figure) and work.terrain.footprint(figure.cell, work.being(who).space) & zone.cells:
            _SUFFERED[zone.kind](work, who)


def heading(field: Field, cell: int, space: int, other: int, size: int) -> tuple[int, int]:
    """The direction straight away from somebody, by the spaces that both cover: (0, 0) where they overlap."""
    (x, y), (fx, fy) = field.at(cell), field.at(other)
    return (x >= fx + size) - (x + space <= fx), (y >= fy + size) - (y + space <= fy)


def over_edge(terrain: Terrain, cell: int, there: int, space: int) -> bool:
    """Whether a step ends in a fall: nothing of what one would newly stand on is ground."""
    column, row = terrain.field.at(there)
    if column + space > terrain.field.width or row + space > terrain.field.height:
        return False
    ahead = terrain.footprint(there, space) & ~terrain.footprint(cell, space)
    return bool(ahead) and not ahead & ~terrain.pits


def push(work: Work, who: int, away_from: int, spaces: int, towards: bool = False) -> None:
    """Straight away from (or towards) somebody, as far as the way is free; over an edge one falls."""
    field, figure = work.setup.field, work.figures[who]
    dx, dy = heading(field, figure.cell, work.being(who).space, work.figures[away_from].cell,
                     work.being(away_from).space)  # fmt: skip
    if towards:
        dx, dy = -dx, -dy
    if (dx == 0 and dy == 0) or figure.has("rooted") or work.being(who).speed == 0:
        return
    went: list[int] = []
    cell = figure.cell
    for _ in range(spaces):
        nx, ny = field.at(cell)[0] + dx, field.at(cell)[1] + dy
        if not field.inside(nx, ny):
            break
        there = field.cell(nx, ny)
        if over_edge(work.terrain, cell, there, work.being(who).space) and not aloft(work.being(who), figure):
            leave(work, who, "fallen", "pushed over the edge")
            return
        if not _may_enter(work, who, cell, there) or _full(work, who, there):
            break
        met, traps = _met(work, who, cell, there), armed(work, who, cell, there, thrown=True)
        went.append(there)
        cell = there
        sprung = [trap for trap in traps if _gives_way(work, who, trap)]
        if met or sprung:
            _moved(work, who, went, "pushed")
            went = []
            if _suffer(work, who, met, sprung) or not present(work.figures[who]):
                return
    _moved(work, who, went, "pushed")
