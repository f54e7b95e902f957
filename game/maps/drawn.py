"""What a map shows beside its grid: tints and blend modes of layers, tile objects, image layers; all of it bounded."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from game.maps import limits
from game.maps.limits import Notes, Place, number, truth
from game.maps.mapdata import BLENDS, NO_TINT, Backdrop, Colour, Figure, Layer, TileArt, Tint
from game.maps.words import shown
from rules.contract.text import text

_HEX = frozenset("0123456789abcdefABCDEF")
_DEPTH = 128
"""So many pictures may lie over each other on the average space of a map …"""
_SPARE = 65_536
"""… and so many spaces may be covered besides, whatever the map's size."""
_LONGEST = 4.0 * limits.MAX_IMAGE_SIDE
"""Longest side of a tile object, in pixels."""
_HIDDEN = frozenset(("Spawn", "Creature", "Patrol", "Door", "Trap", "Note", "Region", "Goal"))
"""Classes that are never drawn as the tile which marks them: they have a picture of their own, or none for players."""


def colour(text: str | None) -> Tint | None:
    """`#rrggbb`, `#aarrggbb` or the same without `#` as red, green, blue and alpha; None for anything else."""
    digits = (text or "").removeprefix("#")
    if len(digits) not in (6, 8) or not _HEX.issuperset(digits):
        return None
    *alpha, red, green, blue = bytes.fromhex(digits)
    return red, green, blue, alpha[0] if alpha else 255


def plain_colour(text: str | None) -> Colour | None:
    """The same without its alpha: a colour key, say."""
    found = colour(text)
    return None if found is None else found[:3]


@dataclass(frozen=True, slots=True)
class Finish:
    """What the layers around something do to it; offsets in pixels of the map."""

    x: float = 0.0
    y: float = 0.0
    opacity: float = 1.0
    visible: bool = True
    tint: Tint = NO_TINT

    def inside(self, node: Element, place: Place) -> Finish:
        """The same for what lies in a group's or layer's element."""
        own = colour(node.get("tintcolor")) or NO_TINT
        red, green, blue, alpha = (round(a * b / 255) for a, b in zip(self.tint, own, strict=True))
        x, y = self.x + number(node, "offsetx", place), self.y + number(node, "offsety", place)
        opacity = self.opacity * min(1.0, max(0.0, number(node, "opacity", place, 1.0)))
        visible = self.visible and truth(node.get("visible", "1")) is not False
        return Finish(x, y, opacity, visible, (red, green, blue, alpha))


@dataclass(frozen=True, slots=True)
class TileObject:
    """A tile object that is shown: its tile's number with flags, its place, in pixels, before it is turned."""

    gid: int
    kind: str
    box: tuple[float, float, float, float]
    angle: float
    pivot: tuple[float, float]
    opacity: float


@dataclass(slots=True)
class Drawing:
    """An object or image layer while its file is read."""

    name: str
    role: str
    finish: Finish
    blend: str
    by_index: bool = False
    objects: list[TileObject] = field(default_factory=list)
    backdrop: Backdrop | None = None

    def layer(self, art: Callable[[int], int]) -> Layer | None:
        """The finished layer, None if it shows nothing; ``art`` gives the index of the art of a tile's number."""
        objects = [each for each in self.objects if each.kind not in _HIDDEN]
        if not self.by_index:
            objects.sort(key=lambda each: each.pivot[1])
        if not objects and self.backdrop is None:
            return None
        return Layer(
            self.name, self.role, self.finish.visible, self.finish.opacity, (0.0, 0.0), tint=self.finish.tint,
            blend=self.blend, figures=tuple(_figure(each, art) for each in objects), backdrop=self.backdrop,
        )  # fmt: skip


def _figure(each: TileObject, art: Callable[[int], int]) -> Figure:
    flips = (bool(each.gid >> 29 & 1), bool(each.gid >> 31 & 1), bool(each.gid >> 30 & 1))
    return Figure(art(each.gid & (1 << 28) - 1), each.box, each.angle, each.pivot, flips, each.opacity)


def drawing(node: Element, finish: Finish, role: object, place: Place, notes: Notes) -> Drawing:
    """An object or image layer's element, still without what it shows."""
    by_index = node.get("draworder", "topdown") == "index"
    blend = node.get("mode") or "normal"
    if blend not in BLENDS:
        notes.say(text("blend mode {blend} is not drawn; the layer lies over the others as usual", shown(blend)), place)
        blend = "normal"
    return Drawing(node.get("name", ""), "roof" if role == "roof" else "decor", finish, blend, by_index)


def check_size(wide: float, high: float, place: Place) -> None:
    """Refuse a tile object of monstrous size."""
    if max(wide, high) > _LONGEST:
        wrong = "this tile object is {wide}×{high} pixels; {longest} a side are the most: make it smaller"
        raise place.problem(wrong, f"{wide:g}", f"{high:g}", f"{_LONGEST:g}")


def check_depth(
    layers: Sequence[Layer], tiles: Sequence[TileArt], size: tuple[int, int], side: int, place: Place
) -> None:
    """Refuse a map whose pictures cover more spaces, one over the other, than can be drawn in good time."""
    most = _DEPTH * size[0] * size[1] + _SPARE
    covered = 0
    for layer in (each for each in layers if each.visible):
        for art, count in layer.tiles.arts().items():
            covered += _spaces(*tiles[art].rect[2:], size, side) * count
        for figure in layer.figures:
            wide, high = figure.box[2:]
            if figure.angle:
                wide = high = math.hypot(wide, high)
            covered += _spaces(wide, high, size, side)
    if covered > most:
        wrong = (
            "its tiles and tile objects cover {covered} spaces, one over the other; {most} are the most "
            "for {size}×{size2} spaces: make the large ones smaller"
        )
        raise place.problem(wrong, covered, most, size[0], size[1])


def _spaces(wide: float, high: float, size: tuple[int, int], side: int) -> int:
    """Spaces of a map that something may cover."""
    across, down = math.ceil(wide / side), math.ceil(high / side)
    return 1 if across <= 1 and down <= 1 else min(across + 1, size[0]) * min(down + 1, size[1])
