"""Spells by the second: validated at the door, in spaces and seconds inside; where they work, and what they do when
they are cast (countup.md §2.8, §5.4)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from pydantic import BaseModel, Field

from rules.board.bitboard import cells_of
from rules.board.grid import DoorState, Terrain
from rules.board.sight import visible
from rules.contract.events import Cast, Healing, Roll
from rules.contract.text import text
from rules.contract.units import EMPTY, Bitboard, Cell
from rules.core.validate import STRICT
from rules.countup.actions.objects import set_door
from rules.countup.combat.attack import loaded
from rules.countup.combat.injury import fall, interrupt, lose, saved, stun, wounded
from rules.countup.conditions import PRONE, condition_of
from rules.countup.manners import Stance
from rules.countup.penetration import Die, parse, roll
from rules.countup.state import FOREVER, Being, Casting, Figure, Ground, Resolution, able, present

COST = 30
STEP = 10
"""Spell points: 30 and 10 more for every index."""


class SpellModel(BaseModel):
    """A spell of spells.toml. Distances in feet, times in seconds."""

    model_config = STRICT
    name: str = Field(min_length=1)
    index: Annotated[int, Field(ge=0, le=20)] = 0
    casting: Annotated[int, Field(ge=1, le=60)] = 1
    range: Annotated[int, Field(ge=0, le=600)] = 0
    """0 = the caster itself, 5 = touch."""
    radius: Annotated[int, Field(ge=0, le=100)] = 0
    per_level: bool = False
    """The range is for each level of the caster."""
    square: Annotated[int, Field(ge=0, le=50)] = 0
    """Feet across of an area that is a square at the space aimed at."""
    skips: Annotated[int, Field(ge=0, le=20)] = 0
    """How often it comes down, two spaces farther each time."""
    needs: Literal["none", "creature", "ally", "space", "door"] = "creature"
    save: Literal["", "physical", "mental", "dodge"] = ""
    half: bool = False
    """A save halves the damage instead of ending it."""
    damage: str = ""
    each_second: bool = False
    """The damage is done every second while the effect lasts."""
    missiles: Annotated[int, Field(ge=0, le=10)] = 0
    """Missiles at most, one for each level of the caster, each with the damage."""
    fire: bool = False
    heals: str = ""
    heals_anointed: str = ""
    """What it heals of one who is anointed; left out: the same."""
    door: Literal["", "closed", "open"] = ""
    """What becomes of a door: shut fast for the time, or burst open."""
    images: str = ""
    """Copies of the caster, by dice: a hit finds one of them as likely as the caster."""
    absorbs: Annotated[int, Field(ge=0, le=100)] = 0
    """Hit points that a ward takes in the wearer's stead."""
    effect: str = ""
    """`helpless`, `swift`, `blurred`, `blessed`, `enfeebled`, `bound`, `blind`, `panicked`, `charmed`, `asleep` …"""
    lasts: Annotated[int, Field(ge=0, le=7200)] = 0
    lasts_dice: str = ""
    """Thrown for every casting: so many times `lasts`."""
    zone: str = ""
    """Changed ground: `smoke`, `light`, `dark`, `slippery`."""
    divine: bool = False
    text: str = ""


class Spell(msgspec.Struct, frozen=True):
    """A spell ready for a fight; see `SpellModel`. Spaces instead of feet."""

    name: str
    index: int
    casting: int
    reach: int
    radius: int
    needs: str
    save: str
    half: bool
    dice: tuple[Die, ...]
    flat: int
    heal_dice: tuple[Die, ...]
    heal_flat: int
    effect: str
    lasts: int
    zone: str
    divine: bool
    text: str
    door: str = ""
    absorbs: int = 0
    image_dice: tuple[Die, ...] = ()
    per_level: bool = False
    square: int = 0
    skips: int = 0
    each_second: bool = False
    missiles: int = 0
    fire: bool = False
    lasts_dice: tuple[Die, ...] = ()
    lasts_flat: int = 0
    blessed_dice: tuple[Die, ...] = ()
    """What it heals of the anointed."""
    blessed_flat: int = 0

    @property
    def wide(self) -> bool:
        """Works on an area, not on one creature."""
        return bool(self.radius or self.square)

    def healing(self, being: Being) -> tuple[tuple[Die, ...], int]:
        """The dice and the number that it heals of somebody: better ones of the anointed (countup.md §5.4)."""
        if being.anointed and self.blessed_dice:
            return self.blessed_dice, self.blessed_flat
        return self.heal_dice, self.heal_flat

    @property
    def points(self) -> int:
        """What it costs in spell points."""
        return 0 if self.divine else COST + STEP * self.index


def spell_from(model: SpellModel) -> Spell:
    """A spell ready for a fight."""
    dice, flat = parse(model.damage) if model.damage else ((), 0)
    heal_dice, heal_flat = parse(model.heals) if model.heals else ((), 0)
    blessed_dice, blessed_flat = parse(model.heals_anointed) if model.heals_anointed else ((), 0)
    lasts_dice, lasts_flat = parse(model.lasts_dice) if model.lasts_dice else ((), 0)
    return Spell(
        name=model.name, index=model.index, casting=model.casting, reach=model.range // 5, radius=model.radius // 5,
        needs=model.needs, save=model.save, half=model.half, dice=dice, flat=flat, heal_dice=heal_dice,
        heal_flat=heal_flat, effect=model.effect, lasts=model.lasts, zone=model.zone, divine=model.divine,
        text=model.text, door=model.door, absorbs=model.absorbs,
        image_dice=parse(model.images)[0] if model.images else (), per_level=model.per_level,
        square=model.square // 5, skips=model.skips, each_second=model.each_second, missiles=model.missiles,
        fire=model.fire, lasts_dice=lasts_dice, lasts_flat=lasts_flat, blessed_dice=blessed_dice,
        blessed_flat=blessed_flat,
    )  # fmt: skip


STRIDE = 2
"""Spaces from one skip to the next."""


def area_of(terrain: Terrain, spell: Spell, origin: Cell, goal: Cell) -> Bitboard:
    """Bitboard of what a spell works on, cast from one space at another; walls are no part of it."""
    if spell.square:
        return _square(terrain, spell, origin, goal) & ~terrain.field.opaque
    cells = 0
    for centre in _skips(terrain, spell.skips, origin, goal):
        cells |= terrain.within(centre, spell.radius) & (visible(terrain, centre) | 1 << centre)
    return cells & ~terrain.field.opaque


def _square(terrain: Terrain, spell: Spell, origin: Cell, goal: Cell) -> int:
    """So many spaces each way: away from the caster, or back where that would be beyond the spell's range (R)."""
    field = terrain.field
    (ox, oy), (x, y) = field.at(origin), field.at(goal)
    across, down = (1 if x >= ox else -1), (1 if y >= oy else -1)
    away = terrain.distance(origin, goal) + spell.square - 1 <= spell.reach
    if not away:
        across, down = (-across if x != ox else across), (-down if y != oy else down)
    cells = 0
    for i in range(spell.square):
        for j in range(spell.square):
            if field.inside(x + i * across, y + j * down):
                cells |= 1 << field.cell(x + i * across, y + j * down)
    return cells & (visible(terrain, goal) | 1 << goal) & ~(1 << origin)


def _skips(terrain: Terrain, skips: int, origin: Cell, goal: Cell) -> list[Cell]:
    """Where something comes down that skips straight on, away from its caster, until something solid stops it (R)."""
    field = terrain.field
    (ox, oy), (x, y) = field.at(origin), field.at(goal)
    dx, dy = x - ox, y - oy
    most = max(abs(dx), abs(dy))
    out = [goal]
    for n in range(1, skips if most else 1):
        there = (_nearest(STRIDE * n * dx, most) + x, _nearest(STRIDE * n * dy, most) + y)
        if not field.inside(*there):
            break
        seen = visible(terrain, out[-1]) & ~terrain.opaque  # a wall or a shut door is seen, and stops it
        if not seen >> field.cell(*there) & 1:
            break
        out.append(field.cell(*there))
    return out


def _nearest(part: int, whole: int) -> int:
    """`part / whole` to the nearest whole number, halves towards nought."""
    size = (2 * abs(part) + whole - 1) // (2 * whole)
    return size if part >= 0 else -size


TIRED = 5
"""Seconds beyond the casting time that spell fatigue lasts."""


def spell_of(work_or_state: object, name: str) -> Spell:
    """A spell by its name."""
    found = work_or_state.setup.spells[name]  # type: ignore[attr-defined]
    assert isinstance(found, Spell)
    return found


def prayers_left(being: Being, figure: Figure, spell: Spell) -> int:
    """How often a divine spell may still be cast: as often as it stands among one's spells (R)."""
    return being.spells.count(spell.name) - figure.prayed.count(spell.name)


def points_for(being: Being, spell: Spell) -> int:
    """What a spell costs somebody: twice as much where it was not memorised (countup.md §2.8)."""
    known = being.memorised is None or spell.name in being.memorised
    return spell.points if known else 2 * spell.points


def reach_for(being: Being, spell: Spell) -> int:
    """How many spaces a spell reaches from somebody."""
    return spell.reach * max(1, being.level) if spell.per_level else spell.reach


def volley(being: Being, spell: Spell) -> int:
    """How many missiles somebody sends off: one a level, so many at most (R); 1 where a spell has none."""
    return max(1, min(spell.missiles, being.level))


def complete(resolution: Resolution) -> None:
    """Spells whose time has come take effect, all at once; their casters are tired."""
    ready = [
        (who, figure.casting)
        for who, figure in enumerate(resolution.figures)
        if figure.casting is not None and figure.casting.ends <= resolution.second and able(figure, resolution.second)
    ]
    for who, casting in ready:
        spell = spell_of(resolution, casting.spell)
        resolution.change(who, casting=None, fatigue=resolution.second + spell.casting + TIRED)
        thrown: tuple[Roll, ...] = ()
        if spell.lasts_dice:
            thrown = (resolution.roll(who, "how long", spell.lasts_dice, spell.lasts_flat),)
            spell = msgspec.structs.replace(spell, lasts=thrown[0].total * spell.lasts)
        _told(resolution, who, spell, casting, thrown)
        _affect(resolution, who, spell, casting)


def _told(resolution: Resolution, who: int, spell: Spell, casting: Casting, thrown: tuple[Roll, ...]) -> None:
    """The casting itself; what comes of it follows in events of its own."""
    being, aimed = resolution.being(who), casting.target >= 0
    goal = _goal(resolution, who, casting)
    wide = area_of(resolution.terrain, spell, resolution.figures[who].cell, goal) if spell.wide or spell.zone else EMPTY
    resolution.events.append(
        Cast(
            by=being.id,
            spell=spell.name,
            what="prayer" if spell.divine else "points",
            cost=points_for(being, spell),
            success=not aimed or present(resolution.figures[casting.target]),
            target=resolution.being(casting.target).id if aimed else None,
            at=resolution.space(casting.at) if casting.at >= 0 else None,
            cells=tuple(resolution.space(cell) for cell in cells_of(wide)),
            rolls=thrown,
        )
    )


def _goal(resolution: Resolution, who: int, casting: Casting) -> Cell:
    """The space at which a spell takes effect."""
    if casting.target >= 0 and resolution.figures[casting.target].cell >= 0:
        return resolution.figures[casting.target].cell
    return casting.at if casting.at >= 0 else resolution.figures[who].cell


def _affect(resolution: Resolution, who: int, spell: Spell, casting: Casting) -> None:
    goal = _goal(resolution, who, casting)
    if spell.door:
        _on_door(resolution, who, spell, casting.at)
    if spell.absorbs:
        resolution.change(who, ward=spell.absorbs)
    if spell.image_dice:
        made = resolution.roll(who, "images", spell.image_dice)
        resolution.change(who, images=made.total)
        resolution.note(who, text("stands there {n} times over", made.total + 1), (made,))
    if spell.zone:
        cells = area_of(resolution.terrain, spell, resolution.figures[who].cell, goal)
        resolution.zones = (*resolution.zones, (spell.zone, cells, resolution.second + (spell.lasts or FOREVER)))
    for victim in _victims(resolution, who, spell, casting, goal):
        _upon(resolution, who, victim, spell)


def _on_door(resolution: Resolution, who: int, spell: Spell, cell: Cell) -> None:
    """A door burst open; or shut, and kept as it stands. Nothing happens to one that somebody stands in."""
    for number, door in enumerate(resolution.setup.field.doors):
        if cell not in (door.cell, door.edge):
            continue
        stands = any(
            present(f) and resolution.terrain.footprint(f.cell, resolution.being(i).space) >> door.cell & 1
            for i, f in enumerate(resolution.figures)
        )
        if stands and door.edge is None:
            continue
        if (resolution.doors[number] == DoorState.OPEN) != (spell.door == "open"):
            set_door(resolution, number, spell.door, who)
        if spell.lasts and spell.door == "closed":
            resolution.zones = (
                *resolution.zones,
                (Ground.BARRED.value, 1 << door.cell, resolution.second + spell.lasts),
            )


def _victims(resolution: Resolution, who: int, spell: Spell, casting: Casting, goal: Cell) -> list[int]:
    if not (spell.dice or spell.heal_dice or spell.effect):
        return []
    if spell.needs == "none" and not spell.wide:
        return [who]
    if not spell.wide:
        return [casting.target] if casting.target >= 0 and present(resolution.figures[casting.target]) else []
    cells = area_of(resolution.terrain, spell, resolution.figures[who].cell, goal)
    picks = condition_of(spell.effect).picks
    return [
        i
        for i, f in enumerate(resolution.figures)
        if present(f)
        and i != who
        and resolution.terrain.footprint(f.cell, resolution.being(i).space) & cells
        and not (picks and (resolution.being(i).side == resolution.being(who).side) != (picks == "friends"))
    ]


def _upon(resolution: Resolution, who: int, victim: int, spell: Spell) -> None:
    resisted = bool(spell.save) and victim != who and saved(resolution, who, victim, spell.save)
    if spell.dice and not spell.each_second and not (resisted and not spell.half):
        for _ in range(volley(resolution.being(who), spell)):
            _harm(resolution, victim, spell, who, 2 if resisted else 1)
    if spell.heal_dice:
        healed = resolution.roll(who, spell.name, *spell.healing(resolution.being(victim)))
        figure = resolution.figures[victim]
        gained = min(max(0, healed.total), resolution.being(victim).hp_max - figure.hp)
        name = resolution.being(victim).id
        if not gained:
            told = text("has nothing for {name} to mend", spell.name)
            resolution.note(victim, told, (healed,))
        else:
            left = resolution.being(victim).hp_max - figure.hp - gained
            resolution.change(victim, hp=figure.hp + gained, burnt=min(figure.burnt, left))
            resolution.events.append(
                Healing(target=name, amount=gained, now=figure.hp + gained, because=spell.name, rolls=(healed,))
            )
    if spell.effect and not resisted and present(resolution.figures[victim]):
        _befall(resolution, victim, spell)


def _harm(resolution: Resolution, victim: int, spell: Spell, by: int, divisor: int = 1) -> None:
    """One wound by a spell: no reduction, no knock-back, but pain like any other (countup.md §2.4, §2.8)."""
    if not present(resolution.figures[victim]):
        return
    resolution.dice.thrower = resolution.being(by).id if by >= 0 else ""
    dealt = roll(resolution.dice, spell.name, spell.dice, spell.flat)
    amount = max(0, dealt.total) // divisor
    if not amount:
        resolution.note(victim, text("takes no harm from {name}", spell.name), (dealt,))
    else:
        lost = lose(resolution, victim, amount, spell.name, by=by, fire=spell.fire, rolls=(dealt,))
        wounded(resolution, victim, lost)
        fall(resolution, victim, by)


def sear(resolution: Resolution) -> None:
    """What does harm every second while it lasts."""
    searing = [spell for spell in resolution.setup.spells.values() if isinstance(spell, Spell) and spell.each_second]
    for spell in searing:
        for who, figure in enumerate(resolution.figures):
            if present(figure) and figure.under(spell.effect):
                _harm(resolution, who, spell, -1)


def _befall(resolution: Resolution, victim: int, spell: Spell) -> None:
    condition = condition_of(spell.effect)
    if condition.fells:
        stun(resolution, victim, spell.lasts or 10, spell.name)
        return
    figure = resolution.figures[victim]
    if condition is PRONE:
        interrupt(resolution, victim)
        resolution.change(victim, prone=True, stance=Stance.NONE, until=0, order=None)
        PRONE.tell(resolution, victim, spell.name)
        return
    if condition.grips:
        kept = figure.nocked if loaded(figure, figure.hand, resolution.second) else ("", 0)
        interrupt(resolution, victim)
        resolution.change(victim, order=None, casting=None, loading=("", 0), nocked=kept)
    condition.lay(resolution, victim, resolution.second + (spell.lasts or FOREVER), spell.name)
