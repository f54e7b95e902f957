"""The shapes of magic, spells, blessings and items as data: read at the door (models.py), flat and fast inside.

The rules of casting are olde.md §3 and §4; which spells there are, and what they do, is ours: no list was published.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any, Literal

import msgspec
from pydantic import BaseModel, Field, field_validator

from rules.board.bitboard import cells_of
from rules.board.grid import Terrain
from rules.board.sight import Grade, grade, visible
from rules.contract.units import EMPTY, Bitboard, Cell
from rules.core.validate import STRICT
from rules.olde.effects import Lasting, ZoneKind
from rules.olde.skills import checked

Sixty = Annotated[int, Field(strict=True, ge=1, le=60)]


class Caster(msgspec.Struct, frozen=True):
    """Where a spell comes from: the cell and the size of whoever casts it, on what ground."""

    terrain: Terrain
    cell: Cell
    space: int

    @property
    def own(self) -> Bitboard:
        """The bitboard of the spaces it stands on."""
        return self.terrain.footprint(self.cell, self.space)

    def around(self, size: int) -> Bitboard:
        """The open spaces so near that it has a line of sight to."""
        terrain = self.terrain
        return terrain.within(self.cell, size, self.space) & visible(terrain, self.cell, self.space) & ~terrain.blocked


class Shape(msgspec.Struct, frozen=True):
    """What a spell covers. By itself: the one space or creature that it is aimed at."""

    name: str = "one"
    words: str = ""  # what it covers, `{n}` being its size
    least: int = 0
    most: int = 0  # sizes that it may have
    area: bool = True  # whether it covers more than what it is aimed at
    placed: bool = True  # whether it is aimed at a space
    ranged: bool = True  # whether that space may lie far off
    spares_caster: bool = False  # whether its caster stands outside of it, unless it is for friends

    def cells(self, caster: Caster, size: int, at: Cell) -> Bitboard:
        """The bitboard of spaces that it covers, aimed at `at`; only where there is a line of sight to."""
        return 1 << at

    def covers(self, caster: Caster, size: int, at: Cell, cell: Cell) -> bool:
        """Whether it covers one open space: the same as its `cells`, asked for a few spaces."""
        return bool(self.cells(caster, size, at) >> cell & 1)

    def aims(self, caster: Caster, size: int, foes: list[Cell]) -> Bitboard:
        """The bitboard of spaces that it may be aimed at to catch any of these, as far as that is easily told."""
        terrain, found = caster.terrain, EMPTY
        for foe in foes:
            found |= terrain.within(foe, 1)
        return found & ~caster.own


class Burst(Shape, frozen=True):
    """Around the caster."""

    def cells(self, caster: Caster, size: int, at: Cell) -> Bitboard:
        return caster.around(size) | caster.own


class Blast(Shape, frozen=True):
    """Around the place that it is aimed at."""

    def cells(self, caster: Caster, size: int, at: Cell) -> Bitboard:
        terrain = caster.terrain
        return terrain.within(at, size) & (visible(terrain, at) | 1 << at) & ~terrain.blocked

    def covers(self, caster: Caster, size: int, at: Cell, cell: Cell) -> bool:
        near = caster.terrain.distance(at, cell) <= size
        return near and (at == cell or grade(caster.terrain, at, cell) is not Grade.NONE)

    def aims(self, caster: Caster, size: int, foes: list[Cell]) -> Bitboard:
        terrain, found = caster.terrain, 0
        for foe in foes:
            found |= terrain.within(foe, size)
        found &= visible(terrain, caster.cell, caster.space) | caster.own
        return found & ~terrain.blocked


class Ray(Shape, frozen=True):
    """From the caster through the space that it is aimed at."""

    def cells(self, caster: Caster, size: int, at: Cell) -> Bitboard:
        out = EMPTY
        for cell in cells_of(caster.around(size) & ~caster.own):
            if self.holds(*_bearing(caster, at, cell)):
                out |= 1 << cell
        return out

    def covers(self, caster: Caster, size: int, at: Cell, cell: Cell) -> bool:
        terrain = caster.terrain
        if terrain.distance(caster.cell, cell, caster.space) > size or caster.own >> cell & 1:
            return False
        return self.holds(*_bearing(caster, at, cell)) and bool(visible(terrain, caster.cell, caster.space) >> cell & 1)

    def holds(self, ahead: int, aside: int, width: int) -> bool:
        """Whether a space lies in it, so far ahead and aside; `width`: of whoever casts it, by the same measure."""
        raise NotImplementedError(self.name)


class Cone(Ray, frozen=True):
    """As wide as it is far: it opens half a space for each space ahead."""

    def holds(self, ahead: int, aside: int, width: int) -> bool:
        return ahead > 0 and 2 * aside <= ahead


class Bolt(Ray, frozen=True):
    """As wide as its caster: it keeps within half a space of its middle."""

    def holds(self, ahead: int, aside: int, width: int) -> bool:
        return ahead > 0 and aside <= width


class Wall(Shape, frozen=True):
    """A row of spaces through where it is aimed at, across the way from the caster, up to what stands there already."""

    def cells(self, caster: Caster, size: int, at: Cell) -> Bitboard:
        terrain = caster.terrain
        x, y = _middle(terrain, caster.cell, caster.space)
        gx, gy = _middle(terrain, at, 1)
        dx, dy = gx - x, gy - y
        if abs(dx) > 2 * abs(dy):
            step = (0, 1)
        elif abs(dy) > 2 * abs(dx):
            step = (1, 0)
        else:
            step = (1, -1) if (dx > 0) == (dy > 0) else (1, 1)
        free = terrain.everywhere & ~terrain.blocked
        if not free >> at & 1:
            return EMPTY
        column, row = terrain.field.at(at)
        out = 1 << at
        for sign in (-1, 1):
            for far in range(1, size // 2 + 1):
                there = (column + sign * far * step[0], row + sign * far * step[1])
                if not terrain.field.inside(*there) or not free >> terrain.field.cell(*there) & 1:
                    break
                out |= 1 << terrain.field.cell(*there)
        return out


def _bearing(caster: Caster, at: Cell, cell: Cell) -> tuple[int, int, int]:
    """(how far ahead a space lies, how far aside, half the caster's width), all in one measure of the way to `at`."""
    x, y = _middle(caster.terrain, caster.cell, caster.space)
    gx, gy = _middle(caster.terrain, at, 1)
    cx, cy = _middle(caster.terrain, cell, 1)
    ax, ay, dx, dy = gx - x, gy - y, cx - x, cy - y
    return ax * dx + ay * dy, abs(ax * dy - ay * dx), max(abs(ax), abs(ay)) * caster.space


def _middle(terrain: Terrain, cell: Cell, space: int) -> tuple[int, int]:
    """The middle of a creature's spaces, in half spaces."""
    column, row = terrain.field.at(cell)
    return 2 * column + space, 2 * row + space


ONE = Shape(area=False, placed=False)
BURST = Burst("burst", "within {n} of oneself", 1, 12, placed=False, spares_caster=True)
BLAST = Blast("blast", "within {n} of a space", 0, 12)
CONE = Cone("cone", "a cone of {n}", 2, 12, ranged=False)
LINE = Bolt("line", "a line of {n}", 2, 20, ranged=False)
WALL = Wall("wall", "across the way, {n} long", 1, 9)
SHAPES: Mapping[str, Shape] = MappingProxyType({shape.name: shape for shape in (ONE, BURST, BLAST, CONE, LINE, WALL)})


class Pool(msgspec.Struct, frozen=True):
    """What pays for magic: a field of a figure, and `…_max` of its fighter."""

    name: str
    label: str
    stat: str
    skill: str  # the skill and the stat that cast what it pays for
    table: str  # the table of the content, and the field of a stat block, of what it pays for

    def left(self, figure: msgspec.Struct) -> int:
        """What somebody has of it."""
        return int(getattr(figure, self.name))

    def top(self, fighter: msgspec.Struct) -> int:
        """The most that somebody may have of it."""
        return int(getattr(fighter, f"{self.name}_max"))


MANA = Pool("mana", "Mana", "savvy", "Wizardry", "spells")
FAITH = Pool("faith", "Faith", "nerve", "Faith", "blessings")
POOLS: Mapping[str, Pool] = MappingProxyType({pool.name: pool for pool in (MANA, FAITH)})


class Aim(StrEnum):
    """What a spell is pointed at."""

    SELF = "self"
    ALLY = "ally"
    ENEMY = "enemy"
    SPACE = "space"

    @property
    def needs(self) -> str:
        """What its button asks for."""
        return {Aim.SELF: "none", Aim.SPACE: "space"}.get(self, "creature")

    @property
    def nobody(self) -> str:
        """Why there is nothing to point it at."""
        creature = {Aim.ALLY: "nobody in reach needs it", Aim.ENEMY: "no target in range and sight"}
        return creature.get(self, "nothing to catch there")


class Affects(StrEnum):
    """On whom of those in its area a spell works."""

    FOES = "foes"
    FRIENDS = "friends"
    ALL = "all"

    def takes(self, *, friend: bool) -> bool:
        return self is Affects.ALL or friend == (self is Affects.FRIENDS)


class Against(StrEnum):
    """What a casting has to reach: a fixed rating, Defense, or two dice of a stat (olde.md §3)."""

    RATING = "rating"
    DEFENSE = "defense"
    BRAWN = "brawn"
    FINESSE = "finesse"
    SAVVY = "savvy"
    NERVE = "nerve"


class Does(StrEnum):
    """What an effect roll is for; how that works: `POWERS` in casting.py."""

    NOTHING = "nothing"
    HARM = "harm"
    HEAL = "heal"
    MANA = "mana"
    FAITH = "faith"


class EffectDice(msgspec.Struct, frozen=True):
    """An effect roll; rank 0 = the caster's stat."""

    count: int
    rank: int
    exploding: bool
    half: bool
    plus: int


class Summon(BaseModel):
    """Whom a spell calls, for how many turns; the stats as in any stat block."""

    model_config = STRICT
    name: str = Field(min_length=1)
    kind: str = "Spirit"
    art: str
    turns: Sixty
    brawn: Sixty
    finesse: Sixty
    savvy: Sixty
    nerve: Sixty
    size: Literal["small", "medium"] = "medium"
    temperament: str = "brute"
    weapons: tuple[str, ...] = Field(min_length=1)
    skills: dict[str, str] = {}

    @field_validator("skills")
    @classmethod
    def _known_skills(cls, value: dict[str, str]) -> dict[str, str]:
        return checked(value)


class Spell(msgspec.Struct, frozen=True):
    """A spell or blessing, or what an item does, ready for use in a fight. Ranges and sizes are in spaces."""

    name: str
    summary: str
    pool: str  # `mana`, `faith`, or empty for an item
    price: int
    ap: int
    gesture: bool
    incantation: bool
    aim: Aim
    reach: int
    shape: Shape
    size: int
    affects: Affects
    only: tuple[str, ...]
    spares: tuple[str, ...]
    against: Against
    rating: int
    dice: EffectDice | None
    does: Does
    pierces: bool
    cures: tuple[str, ...]
    lasting: Lasting | None
    zone: ZoneKind | None
    zone_turns: int
    summon: Summon | None
    element: str = ""

    @property
    def hostile(self) -> bool:
        """Meant for foes."""
        return self.affects is not Affects.FRIENDS and (self.does is Does.HARM or self.lasting is not None)

    @property
    def paid(self) -> Pool | None:
        """What pays for it; None for an item's."""
        return POOLS.get(self.pool)

    def left(self, figure: msgspec.Struct) -> int:
        """What somebody has to pay it with."""
        return POOLS[self.pool].left(figure)

    def cells(self, caster: Caster, at: Cell) -> Bitboard:
        """The bitboard of spaces that it covers, aimed at a cell."""
        return self.shape.cells(caster, self.size, at)

    def covers(self, caster: Caster, at: Cell, cell: Cell) -> bool:
        """Whether it covers one open space: the same as `cells`, asked for a few spaces."""
        return self.shape.covers(caster, self.size, at, cell)

    def works_on(self, kind: str) -> bool:
        """Whether it does anything to this kind of creature."""
        return (not self.only or kind in self.only) and kind not in self.spares


class ItemKind(StrEnum):
    """What holds a spell."""

    POTION = "potion"  # it is drunk or given: no check is made, and it is for a friend beside one
    SCROLL = "scroll"  # it is read aloud by whoever can read
    DEVICE = "device"


class Item(msgspec.Struct, frozen=True):
    """A potion, scroll or device."""

    name: str
    kind: ItemKind
    summary: str
    spell: Spell
    rank: int


class Grimoire:
    """All spells, blessings and items of a fight by name."""

    __slots__ = ("held", "items", "spells")

    def __init__(self, spells: Mapping[str, Spell], items: Mapping[str, Item]) -> None:
        self.spells = dict(spells)
        self.items = dict(items)
        self.held = {name: item.spell for name, item in items.items()}  # what each item does


class UnreadGrimoire(Grimoire):
    """One that is read when somebody first looks into it: most fights know no magic."""

    __slots__ = ("_read",)

    def __init__(self, read: Callable[[], Grimoire]) -> None:
        self._read = read

    def __getattr__(self, name: str) -> Any:
        if name not in Grimoire.__slots__:
            raise AttributeError(name)
        found = self._read()
        self.spells, self.items, self.held = found.spells, found.items, found.held
        return getattr(self, name)


NO_MAGIC = Grimoire({}, {})
"""A fight without any."""
