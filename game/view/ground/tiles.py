"""Floors: slabs, planks, earth, grass and water as small pictures, a few of each kind per zoom."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import pygame

from game.maps.mapdata import Layer, LoadedMap, Prop
from game.paths import asset
from game.view import palette
from game.view.palette import Colour, mix, shade
from rules.board.bitboard import board_of, cells_of
from rules.board.grid import Field, Ground
from rules.contract.units import Bitboard, Cell

FLOORS = ("slate", "stone", "wood", "earth", "grass", "mud", "shallows", "water", "bridge", "silt", "mossy", "tiles")
ROUGH = frozenset(("mud", "shallows", "silt"))
"""Materials whose look alone says that they are difficult ground."""
_WALLS = ("wall", "rockwall")
_NO_FLOOR = (*_WALLS, "chasm", "nothing", "")
NO_LAYER = 255
_BORDER = 3
"""Columns and rows beside the map that may be asked for."""
FLAT_PROPS = frozenset(("rug", "puddle", "cobweb", "bones", "planks", "net", "lilies"))
"""Things that lie flat: no shadow under them."""
BURNING = frozenset(("torch", "brazier", "hearth", "candles", "chandelier"))
"""Things that shine by themselves: drawn after the light."""


def chance(x: int, y: int, salt: int = 0) -> int:
    """A number from 0 to 65535 that is always the same for a place: variation without randomness."""
    n = (x * 374761393 + y * 668265263 + salt * 2246822519) & 0xFFFFFFFF
    n = ((n ^ n >> 13) * 1274126177) & 0xFFFFFFFF
    return (n ^ n >> 16) >> 8 & 0xFFFF


def _pictured(loaded: LoadedMap | None) -> frozenset[int]:
    if loaded is None or not loaded.foreign:
        return frozenset()
    foreign = {n for n, art in enumerate(loaded.tiles) if art.image and not (art.material or art.prop)}
    layers = [layer for layer in loaded.layers if layer.visible and layer.role == "ground"]
    return frozenset().union(*(layer.tiles.only(foreign).cells for layer in layers))


class GroundPlan:
    """The field and its map read once for drawing. Columns and rows may be asked for beside the map."""

    def __init__(self, field: Field, loaded: LoadedMap | None) -> None:
        self.field, self.loaded = field, loaded
        self.width, self.height = field.width, field.height
        self.props: dict[int, list[Prop]] = {}
        for prop in loaded.props if loaded is not None else ():
            self.props.setdefault(prop.cell, []).append(prop)
        self.pictured = _pictured(loaded)
        """Spaces on which a picture of a foreign tileset lies that has to do with the ground."""
        self.plain = loaded is not None and loaded.foreign and {*loaded.materials} <= {"", "tile"}
        """Nothing of the ground is drawn by us: where there is no picture there's nothing."""
        layers = loaded.layers if loaded is not None else ()
        self._grounds = max((n + 1 for n, layer in enumerate(layers) if layer.role == "ground"), default=0)
        self.materials = tuple(self._material(cell) for cell in field.cells)
        bare = (cell for cell, name in enumerate(self.materials) if name not in ROUGH and not self.props.get(cell))
        self.rough = frozenset(cell for cell in bare if field.ground[cell] == Ground.DIFFICULT)
        self.background = loaded.background or palette.INK if loaded is not None else palette.INK
        """What lies under pictures."""
        walls = [self.edge(wall.a, wall.b) for wall in field.edges]
        self.east = board_of(cell for cell, side in walls if side == "east")
        """Bitboard of the spaces with a thin wall on their east edge, `south`: on their south edge."""
        self.south = board_of(cell for cell, side in walls if side == "south")
        self.hide(frozenset())
        self.ambient = loaded.ambient if loaded is not None else field.ambient

    def _material(self, cell: Cell) -> str:
        kind = self.field.ground[cell]
        name = self.loaded.materials[cell] if self.loaded is not None else ""
        if name == "tile" or (cell in self.pictured and name in FLOORS):
            return name
        if kind == Ground.VOID:
            return name if name == "water" else "nothing" if self.plain else "chasm"
        if kind == Ground.BLOCKED and name in FLOORS and cell not in self.props:
            return "water" if name == "water" else "wall"
        if name in FLOORS or name in ("wall", "rockwall"):
            return name
        if kind == Ground.BLOCKED:
            return "rockwall" if cell not in self.props else "slate"
        return "slate"

    def edge(self, a: Cell, b: Cell) -> tuple[Cell, str]:
        """The edge between two spaces as a space and its side, `east` or `south`."""
        return min(a, b), "south" if abs(a - b) == self.width and self.width > 1 else "east"

    def hide(self, secret: frozenset[Cell]) -> None:
        """These spaces are secret doors that nobody found: they look like the wall around them."""
        self.hidden = secret
        names = [self._hidden(Cell(cell)) if cell in secret else name for cell, name in enumerate(self.materials)]
        self._wide = self.width + 2 * _BORDER
        padded = [""] * (self._wide * (self.height + 2 * _BORDER))
        for row in range(self.height):
            start = (row + _BORDER) * self._wide + _BORDER
            padded[start : start + self.width] = names[row * self.width : (row + 1) * self.width]
        self._names = padded
        self._walls = bytes(name in _WALLS for name in padded)
        self._floors = bytes(name not in _NO_FLOOR for name in padded)

    def _hidden(self, cell: Cell) -> str:
        around = (cell - 1, cell + 1, cell - self.width, cell + self.width)
        rocky = any(0 <= n < len(self.materials) and self.materials[n] == "rockwall" for n in around)
        return "rockwall" if rocky else "wall"

    # -- asking

    def cell(self, column: int, row: int) -> Cell | None:
        """The number of a space; None beside the map."""
        if 0 <= column < self.width and 0 <= row < self.height:
            return Cell(row * self.width + column)
        return None

    def stratum(self, column: int, row: int) -> int:
        """Which layer of the map the material of a space comes from; -1 where none has to do with it.

        The wall that hides a door on a picture of open ground lies over all such pictures.
        """
        cell = self.cell(column, row)
        if cell is None or self.loaded is None or not self.loaded.strata:
            return -1
        if cell in self.hidden and cell in self.pictured:
            return self._grounds
        if self.materials[cell] == "tile":
            return -1
        return self.loaded.strata[cell] if self.loaded.strata[cell] < NO_LAYER else -1

    def _place(self, column: int, row: int) -> int:
        """Where a space is among the names; two spaces beside the map are still there."""
        return (row + _BORDER) * self._wide + column + _BORDER

    def material(self, column: int, row: int) -> str:
        """What is there: a floor's name, `wall`, `rockwall`, `chasm`, `tile`; beside the map, `""`."""
        return self._names[self._place(column, row)]

    def is_wall(self, column: int, row: int) -> bool:
        """Whether solid rock or masonry stands there."""
        return bool(self._walls[self._place(column, row)])

    def is_floor(self, column: int, row: int) -> bool:
        """Whether there is ground to stand on (or water to see), not wall, chasm or the map's end."""
        return bool(self._floors[self._place(column, row)])

    def level(self, column: int, row: int) -> int:
        """The height of a space; walls and what lies beside the map count 0."""
        cell = self.cell(column, row)
        return self.field.level(cell) if cell is not None and self.materials[cell] not in _WALLS else 0

    def props_at(self, column: int, row: int) -> list[Prop]:
        """What stands or lies there."""
        cell = self.cell(column, row)
        return self.props.get(cell, []) if cell is not None else []

    def climbs(self) -> list[int]:
        """Spaces of stairs and ladders that no prop shows."""
        shown = {c for c, props in self.props.items() if any(p.name in ("stairs", "ladder") for p in props)}
        return [cell for cell in cells_of(self.field.climbs) if cell not in shown]


def differing(one: GroundPlan, other: GroundPlan) -> set[int] | None:
    """The spaces that two plans show otherwise; None where they are of different maps."""
    if (one.width, one.height, one.ambient) != (other.width, other.height, other.ambient):
        return None
    if one.loaded is None or other.loaded is None or len(one.loaded.layers) != len(other.loaded.layers):
        return None
    size, found = one.width * one.height, set[int]()
    pairs: list[tuple[Sequence[object], Sequence[object]]] = [
        (one.materials, other.materials), (one.field.ground, other.field.ground),
        (one.field.levels or bytes(size), other.field.levels or bytes(size)), (one.loaded.strata, other.loaded.strata),
    ]  # fmt: skip
    for a, b in pairs:
        if a != b:
            found.update(cell for cell, (x, y) in enumerate(zip(a, b, strict=False)) if x != y)
    found.update(cell for cell in {*one.props, *other.props} if one.props.get(cell) != other.props.get(cell))
    for old, new in ((one.east, other.east), (one.south, other.south), (one.field.climbs, other.field.climbs)):
        found.update(cells_of(Bitboard(old ^ new)))
    if one.field.challenges != other.field.challenges:
        found.update(cell for each in (*one.field.challenges, *other.field.challenges) for cell in each.cells)
    if not (one.loaded.foreign or other.loaded.foreign):
        return found
    for before, after in zip(one.loaded.layers, other.loaded.layers, strict=True):
        if before.figures != after.figures:
            return None
        found.update(cell for cell, *_ in _shown(one.loaded, before) ^ _shown(other.loaded, after))
    return found


def _shown(loaded: LoadedMap, layer: Layer) -> set[tuple[int, str, int, int]]:
    """The tiles of a layer: space, tileset, tile and how it is turned."""
    arts, tiles = loaded.tiles, layer.tiles
    each = zip(tiles.cells, tiles.turned, strict=True)
    return {(cell, arts[turned >> 3].tileset, arts[turned >> 3].id, turned & 7) for cell, turned in each}


VARIANTS = 16
_MOSS = palette.rgb("#58744a")
_BASE: dict[str, Colour] = {
    "slate": palette.SLATE,
    "stone": palette.rgb("#6a6a66"),
    "wood": palette.rgb("#775839"),
    "bridge": palette.rgb("#7a5a3c"),
    "earth": palette.rgb("#6a5b48"),
    "grass": palette.rgb("#597050"),
    "mud": palette.rgb("#5a4c3e"),
    "shallows": palette.rgb("#3f6273"),
    "water": palette.WATER,
    "silt": palette.rgb("#4b5350"),
    "mossy": palette.rgb("#4d5a5a"),
    "tiles": palette.rgb("#6b5a4e"),
}


@lru_cache(maxsize=500)
def tile(material: str, variant: int, zoom: int) -> pygame.Surface:
    """One space of a floor; not to be drawn upon."""
    surface = pygame.Surface((zoom, zoom))
    base = _BASE.get(material, palette.SLATE)
    if material in ("slate", "stone"):
        _slab(surface, base, variant, zoom, split=material == "stone")
    elif material == "mossy":
        _slab(surface, base, variant, zoom, split=variant % 3 == 1)
        _moss(surface, variant, zoom)
    elif material == "tiles":
        _glazed(surface, base, variant, zoom)
    elif material in ("wood", "bridge"):
        _planks(surface, base, variant, zoom, across=material == "bridge")
    elif material in ("water", "shallows"):
        _water(surface, base, variant, zoom)
    else:
        _soil(surface, base, variant, zoom, grass=material == "grass", wet=material == "mud")
        if material == "silt":
            _ripples(surface, base, variant, zoom)
    return surface


def _line(zoom: int, share: float) -> int:
    return max(1, round(zoom * share))


def strip(box: pygame.Rect, side: str, width: int) -> pygame.Rect:
    """A strip of at least a pixel along one side (`north`, `west` …) of a box, within it."""
    width = max(1, width)
    if side in ("north", "south"):
        return pygame.Rect(box.x, box.y if side == "north" else box.bottom - width, box.w, width)
    return pygame.Rect(box.x if side == "west" else box.right - width, box.y, width, box.h)


def _wash(surface: pygame.Surface, rect: pygame.Rect, base: Colour, seed: int, spread: int) -> None:
    """Fill with a colour that drifts softly from corner to corner."""
    small = pygame.Surface((2, 2))
    for x in (0, 1):
        for y in (0, 1):
            drift = chance(x, y, seed) % (2 * spread + 1) - spread + (2 if x + y == 0 else -2 if x + y == 2 else 0)
            small.set_at((x, y), shade(base, drift))
    surface.blit(pygame.transform.smoothscale(small, rect.size), rect)


def _slab(surface: pygame.Surface, base: Colour, variant: int, zoom: int, *, split: bool) -> None:
    surface.fill(shade(base, -33))
    gap = _line(zoom, 0.03)
    whole = pygame.Rect(0, 0, zoom - gap + (gap > 1), zoom - gap + (gap > 1))
    parts = [whole]
    if split:
        half = zoom * (40 + chance(variant, 1) % 20) // 100
        if variant % 2:
            parts = [pygame.Rect(0, 0, half, whole.h), pygame.Rect(half + gap, 0, whole.w - half - gap, whole.h)]
        else:
            parts = [pygame.Rect(0, 0, whole.w, half), pygame.Rect(0, half + gap, whole.w, whole.h - half - gap)]
    for n, part in enumerate(parts):
        colour = shade(base, chance(variant, n, 3) % 17 - 8)
        _wash(surface, part, colour, variant * 7 + n, 3)
        light, dark = shade(colour, 27), shade(colour, -20)
        for side, tone in (("north", light), ("west", mix(colour, light, 0.6)), ("south", dark), ("east", dark)):
            pygame.draw.rect(surface, tone, strip(part, side, _line(zoom, 0.022)))
    if zoom >= 24:
        for n in range(7):  # specks
            x, y = chance(n, variant, 11) % zoom, chance(n, variant, 12) % zoom
            pygame.draw.circle(surface, shade(base, -9 if n % 2 else 9), (x, y), max(1, zoom // (48 + 20 * (n % 3))))
        if variant % 3 == 0:
            _crack(surface, shade(base, -34), shade(base, 14), variant, zoom)


def _crack(surface: pygame.Surface, dark: Colour, light: Colour, variant: int, zoom: int) -> None:
    x, y = zoom * (0.2 + chance(variant, 21) % 60 / 100), zoom * (0.2 + chance(variant, 22) % 50 / 100)
    turn = chance(variant, 23) % 628 / 100
    points = [(x, y)]
    for n in range(3):
        turn += (chance(variant, n, 24) % 200 - 100) / 85
        reach = zoom * (0.09 + chance(variant, n, 25) % 12 / 100)
        x, y = x + math.cos(turn) * reach, y + math.sin(turn) * reach
        points.append((x, y))
    pygame.draw.aalines(surface, light, False, [(px + 1, py + 1) for px, py in points])
    pygame.draw.aalines(surface, dark, False, points)
    if zoom > 90:
        pygame.draw.aalines(surface, dark, False, [(px + 0.6, py) for px, py in points])


def _ripples(surface: pygame.Surface, base: Colour, variant: int, zoom: int) -> None:
    """What the water left in the silt when it fell: low waves, each with a light back and a dark foot."""
    for n in range(3 if zoom >= 20 else 1):
        y = zoom * (2 * n + 1) // 6 + chance(variant, n, 71) % max(1, zoom // 9)
        x = chance(variant, n, 72) % max(1, zoom // 3)
        box = pygame.Rect(x, y, zoom * (45 + chance(variant, n, 73) % 30) // 100, max(3, zoom // 7))
        pygame.draw.arc(surface, shade(base, -14), box.move(0, _line(zoom, 0.03)), 0.5, 2.7, _line(zoom, 0.03))
        pygame.draw.arc(surface, shade(base, 15), box, 0.5, 2.7, _line(zoom, 0.025))


def _moss(surface: pygame.Surface, variant: int, zoom: int) -> None:
    """Cushions of moss in the joints of a slab, and here and there upon it."""
    for n in range(9 if zoom >= 20 else 3):
        along, across = chance(variant, n, 61) % zoom, chance(variant, n, 62) % max(1, zoom // 6)
        spot = ((along, across), (across, along), (along, zoom - across), (zoom - across, along))[n % 4]
        if n == 8:
            spot = (along, chance(variant, n, 63) % zoom)
        size = zoom * (6 + chance(variant, n, 64) % 11) // 100
        box = pygame.Rect(0, 0, max(2, size * 2), max(2, size * 3 // 2))
        box.center = spot
        green = shade(_MOSS, chance(variant, n, 65) % 17 - 10)
        pygame.draw.ellipse(surface, green, box)
        if zoom >= 28:
            pygame.draw.circle(
                surface, shade(green, 16), (box.centerx - size // 3, box.centery - size // 3), max(1, size // 3)
            )


def _glazed(surface: pygame.Surface, base: Colour, variant: int, zoom: int) -> None:
    """Four glazed tiles by turns dark and pale, worn by feet, one in some spaces broken away."""
    surface.fill(shade(base, -40))
    half, line = zoom // 2, _line(zoom, 0.02)
    for n, (x, y) in enumerate(((0, 0), (half, 0), (0, half), (half, half))):
        box = pygame.Rect(x, y, (half if x == 0 else zoom - half) - line, (half if y == 0 else zoom - half) - line)
        pale = n in (0, 3)
        colour = shade(
            mix(base, palette.rgb("#c2ab84"), 0.45) if pale else shade(base, -16), chance(variant, n, 66) % 13 - 6
        )
        if chance(variant, n, 67) % 11 == 0:
            colour = palette.rgb("#4a4238")
        _wash(surface, box, colour, variant * 5 + n, 3)
        pygame.draw.rect(surface, shade(colour, 16), strip(box, "north", line))
        pygame.draw.rect(surface, shade(colour, -14), strip(box, "south", line))
        if zoom >= 28 and pale:
            reach = box.w * 28 // 100
            middle = box.center
            corners = [
                (middle[0] + dx * reach, middle[1] + dy * reach) for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))
            ]
            pygame.draw.polygon(surface, shade(colour, -22), corners, max(1, zoom // 40))
    if variant % 4 == 0 and zoom >= 24:
        _crack(surface, shade(base, -44), shade(base, 10), variant, zoom)


def _planks(surface: pygame.Surface, base: Colour, variant: int, zoom: int, *, across: bool) -> None:
    count, line = 4, _line(zoom, 0.02)
    surface.fill(shade(base, -42))
    for n in range(count):
        low, high = n * zoom // count, (n + 1) * zoom // count
        colour = shade(base, chance(variant, n, 31) % 19 - 9)
        box = pygame.Rect(low, 0, high - low - line, zoom) if across else pygame.Rect(0, low, zoom, high - low - line)
        pygame.draw.rect(surface, colour, box)
        pygame.draw.rect(surface, shade(colour, 12), (*box.topleft, line if across else zoom, zoom if across else line))
        for k in range(2 if zoom >= 28 else 0):  # grain
            if across:
                x, y = box.x + box.w * (1 + k) // 3, box.y + chance(variant * 5 + n, k, 34) % box.h
                end = (x, min(box.bottom, y + box.h // 2))
            else:
                x, y = box.x + chance(variant * 5 + n, k, 35) % box.w, box.y + box.h * (1 + k) // 3
                end = (min(box.right, x + box.w // 2), y)
            pygame.draw.line(surface, shade(colour, -9), (x, y), end)
        if chance(variant, n, 32) % 3 == 0:
            at = chance(variant, n, 33) % zoom
            joint = (box.x, at, box.w, line) if across else (at, box.y, line, box.h)
            pygame.draw.rect(surface, shade(base, -38), joint)
    edge = (0, zoom - line, zoom, line) if across else (zoom - line, 0, line, zoom)
    pygame.draw.rect(surface, shade(base, -24), edge)


def _soil(surface: pygame.Surface, base: Colour, variant: int, zoom: int, *, grass: bool, wet: bool) -> None:
    surface.fill(shade(base, chance(variant, 41) % 5 - 2))
    for n in range(5 if zoom >= 20 else 2):
        x, y = chance(variant, n, 42) % zoom, chance(variant, n, 43) % zoom
        size = zoom * (6 + chance(variant, n, 44) % 10) // 100
        box = pygame.Rect(0, 0, max(2, size * 2), max(1, size))
        box.center = (x, y)
        pygame.draw.ellipse(surface, shade(base, -5 if n % 2 else 5), box)
    if wet:
        box = pygame.Rect(0, 0, zoom * 6 // 10, zoom * 4 // 10)
        box.center = (zoom // 2 + chance(variant, 45) % 9 - 4, zoom // 2)
        pygame.draw.ellipse(surface, palette.rgb("#3a3430"), box)
        shine = box.inflate(-zoom // 8, -zoom // 8)
        pygame.draw.arc(surface, palette.rgb("#7d7468"), shine, 0.6, 2.2, _line(zoom, 0.02))
    for n in range(3 + variant % 4 if grass and zoom >= 20 else 0):  # blades
        x, y = chance(variant, n, 48) % zoom, chance(variant, n, 49) % zoom
        tall = max(3, zoom * (7 + chance(variant, n, 50) % 6) // 100)
        for lean in (-1, 0, 1):
            tip = (x + lean * tall * 0.55, y - tall)
            pygame.draw.aaline(surface, shade(base, 22 if n % 3 else -16), (x + lean, y), tip)
    if not (grass or wet) and zoom >= 24:
        for n in range(4):
            x, y = chance(variant, n, 46) % zoom, chance(variant, n, 47) % zoom
            pygame.draw.circle(surface, shade(base, 16), (x, y), max(1, zoom // 40))
            pygame.draw.circle(surface, shade(base, -18), (x + 1, y + 1), max(1, zoom // 40), 1)
    _grid(surface, base, zoom)


def _grid(surface: pygame.Surface, base: Colour, zoom: int) -> None:
    """The edge of a space where no slab shows it: a thin line, so that spaces can be counted."""
    for side in ("south", "east"):
        pygame.draw.rect(surface, shade(base, -13), strip(surface.get_rect(), side, _line(zoom, 0.014)))


def _water(surface: pygame.Surface, base: Colour, variant: int, zoom: int) -> None:
    surface.fill(base)
    line = _line(zoom, 0.02)
    for n in range(3):
        box = pygame.Rect(0, 0, zoom * (24 + chance(variant, n, 51) % 20) // 100, max(3, zoom // 8))
        box.center = (chance(variant, n, 52) % zoom, zoom * (2 * n + 1) // 6 + chance(variant, n, 53) % 7 - 3)
        pygame.draw.arc(surface, shade(base, 24 if n % 2 else 12), box, 0.4, math.pi - 0.4, line)
    _grid(surface, base, zoom)


# -------------------------------------------------------------------------------------------- things


@lru_cache(maxsize=400)
def prop(name: str, zoom: int, flip: bool = False, turn: int = 0) -> pygame.Surface | None:
    """A thing's picture at the size of a space (clockwise quarter turns after the flip); None if there is none."""
    path = asset("art", "props", f"{name}.svg")
    if not name.replace("_", "").replace("-", "").isalnum() or not path.is_file():
        return None
    picture = pygame.image.load_sized_svg(str(path), (zoom, zoom))
    if flip:
        picture = pygame.transform.flip(picture, True, False)
    return pygame.transform.rotate(picture, -90 * turn) if turn else picture


@lru_cache(maxsize=200)
def fade(size: tuple[int, int], side: str, colour: Colour, strongest: int) -> pygame.Surface:
    """A shadow (or shine) that is strongest at one side (`north`, `west` …) and gone at the other."""
    flat = side in ("north", "south")
    strip = pygame.Surface((1, 16) if flat else (16, 1), pygame.SRCALPHA)
    for n in range(16):
        value = round(strongest * ((15 - n) / 15) ** 1.6)
        at = n if side in ("north", "west") else 15 - n
        strip.set_at((0, at) if flat else (at, 0), (*colour, value))
    return pygame.transform.smoothscale(strip, (max(1, size[0]), max(1, size[1])))


@lru_cache(maxsize=100)
def blob(size: tuple[int, int], strongest: int) -> pygame.Surface:
    """A soft oval shadow."""
    small = pygame.Surface((24, 24), pygame.SRCALPHA)
    for n in range(12, 0, -1):
        pygame.draw.circle(small, (4, 7, 12, round(strongest * (1 - n / 12) ** 0.8)), (12, 12), n)
    return pygame.transform.smoothscale(small, (max(1, size[0]), max(1, size[1])))


def filled(size: tuple[int, int], colour: Colour) -> pygame.Surface:
    """An opaque surface in one colour."""
    picture = pygame.Surface(size)
    picture.fill(colour)
    return picture


def inverse(picture: pygame.Surface) -> pygame.Surface:
    """White less a picture's colours."""
    out = filled(picture.get_size(), (255, 255, 255))
    out.blit(picture, (0, 0), special_flags=pygame.BLEND_RGB_SUB)
    return out
