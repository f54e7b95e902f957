"""What the ground is made of, space by space, as the picture needs it; and the chance that varies it."""

from __future__ import annotations

from game.maps.mapdata import LoadedMap, Prop
from game.view import palette
from rules.board.bitboard import cells_of
from rules.board.grid import Field, Ground

FLOORS = ("slate", "stone", "wood", "earth", "grass", "mud", "shallows", "water", "bridge")
ROUGH = frozenset(("mud", "shallows"))
"""Materials whose look alone says that they are difficult ground."""
_WALLS = ("wall", "rockwall")
_NO_FLOOR = (*_WALLS, "chasm", "nothing", "")
NO_LAYER = 255
_BORDER = 3
"""Columns and rows beside the map that may be asked for."""
FLAT_PROPS = frozenset(("rug", "puddle", "cobweb", "bones", "planks"))
"""Things that lie flat: no shadow under them."""
BURNING = frozenset(("torch", "brazier", "hearth"))
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
        self.materials = tuple(self._material(cell) for cell in range(self.width * self.height))
        self.rough = frozenset(self._rough_cells())
        self.background = loaded.background or palette.INK if loaded is not None else palette.INK
        """What lies under pictures."""
        self.east, self.south = self._edges()
        self.hide(frozenset())
        self.ambient = loaded.ambient if loaded is not None else "bright"

    def _material(self, cell: int) -> str:
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

    def _rough_cells(self) -> list[int]:
        found = []
        for cell, kind in enumerate(self.field.ground):
            bare = self.materials[cell] not in ROUGH and not self.props.get(cell)
            if kind == Ground.DIFFICULT and bare:
                found.append(cell)
        return found

    def _edges(self) -> tuple[int, int]:
        """Bitboards of spaces with a thin wall on their east and on their south edge."""
        east = south = 0
        for wall in self.field.edges:
            first = min(wall.a, wall.b)
            if abs(wall.a - wall.b) == self.width and self.width > 1:
                south |= 1 << first
            else:
                east |= 1 << first
        return east, south

    def hide(self, secret: frozenset[int]) -> None:
        """These spaces are secret doors that nobody found: they look like the wall around them."""
        self.hidden = secret
        names = [self._hidden(cell) if cell in secret else name for cell, name in enumerate(self.materials)]
        self._wide = self.width + 2 * _BORDER
        padded = [""] * (self._wide * (self.height + 2 * _BORDER))
        for row in range(self.height):
            start = (row + _BORDER) * self._wide + _BORDER
            padded[start : start + self.width] = names[row * self.width : (row + 1) * self.width]
        self._names = padded
        self._walls = bytes(name in _WALLS for name in padded)
        self._floors = bytes(name not in _NO_FLOOR for name in padded)

    def _hidden(self, cell: int) -> str:
        around = (cell - 1, cell + 1, cell - self.width, cell + self.width)
        rocky = any(0 <= n < len(self.materials) and self.materials[n] == "rockwall" for n in around)
        return "rockwall" if rocky else "wall"

    # -- asking

    def cell(self, column: int, row: int) -> int | None:
        """The number of a space; None beside the map."""
        if 0 <= column < self.width and 0 <= row < self.height:
            return row * self.width + column
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
