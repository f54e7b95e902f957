"""A grid laid over a picture, as it is found or moved by hand; and the map that comes of it."""

from __future__ import annotations

import math
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from game.importing.pictures import MOST_PIXELS, MOST_SIDE
from game.importing.plan import ImportProblem, Picture, Plan
from game.importing.writer import write
from game.maps.folder import KINDS, size_of
from game.maps.limits import MAX_SIDE
from game.maps.pictured.grid import Found, find
from game.setup.files import brought_in, slug

FORMAT = "picture"
READ = ("PNG", "JPG", "WebP")
LEAST = 8.0
"""Pixels of a space at the least."""
USUAL = 70.0
"""Pixels of a space where nothing tells how many there are."""
PART = 0.4
"""A space at the right or lower end counts from this share of it in the picture on."""


@dataclass(frozen=True)
class Fitting:
    """A grid over a picture of so many pixels: how wide a space is, and where the first one begins."""

    wide: int
    high: int
    side: float
    left: float = 0.0
    top: float = 0.0

    @property
    def columns(self) -> int:
        """Spaces across that lie in the picture."""
        return max(1, math.floor((self.wide - self.left) / self.side + 1 - PART))

    @property
    def rows(self) -> int:
        """Spaces down."""
        return max(1, math.floor((self.high - self.top) / self.side + 1 - PART))

    def settled(self) -> Fitting:
        """The same with its first space as far left and up as lines run, and a side that makes a map."""
        side = min(max(LEAST, max(self.wide, self.high) / MAX_SIDE, self.side), float(max(self.wide, self.high)))
        left, top = self.left % side, self.top % side
        return replace(self, side=side, left=left - side if left > side * (1 - 0.05) else left,
                       top=top - side if top > side * (1 - 0.05) else top)  # fmt: skip

    def by_columns(self, count: int) -> Fitting:
        """So many spaces from the left end to the right."""
        return replace(self, side=self.wide / max(1, count), left=0.0, top=0.0).settled()

    def by_space(self, first: tuple[float, float], last: tuple[float, float]) -> Fitting:
        """As one space lies that was dragged from corner to corner."""
        side = max(abs(last[0] - first[0]), abs(last[1] - first[1]))
        return replace(self, side=side, left=min(first[0], last[0]), top=min(first[1], last[1])).settled()

    def nudged(self, across: float, down: float) -> Fitting:
        """Shifted by pixels."""
        return replace(self, left=self.left + across, top=self.top + down).settled()

    def wider(self, by: float) -> Fitting:
        """Its spaces wider by pixels; the grid stays where the middle of the picture is."""
        share = ((self.wide / 2 - self.left) / self.side, (self.high / 2 - self.top) / self.side)
        side = max(LEAST, self.side + by)
        return replace(self, side=side, left=self.wide / 2 - share[0] * side,
                       top=self.high / 2 - share[1] * side).settled()  # fmt: skip


@dataclass(frozen=True)
class Sheet:
    """A picture that shall be a map, and the grid that was found in it."""

    path: Path
    data: bytes
    kind: str
    size: tuple[int, int]
    found: Found | None

    def fitting(self) -> Fitting:
        """The grid to begin with: as found, or squares of a usual size."""
        found = self.found
        if found is None:
            return Fitting(*self.size, USUAL).settled()
        return Fitting(*self.size, found.side, found.left, found.top).settled()


def opened(path: Path) -> Sheet:
    """A picture, measured before it is decoded, and its grid. Raises ImportProblem in one line."""
    name = path.name
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ImportProblem("{name}: cannot be read: {why}", str(path), str(error.strerror or error)) from None
    kind, size = size_of(data)
    if kind not in READ or size is None:
        raise ImportProblem("{name}: is no picture that can be a map; a PNG, JPEG or WebP is needed", name)
    wide, high = size
    if not (LEAST <= wide <= MOST_SIDE and LEAST <= high <= MOST_SIDE and wide * high <= MOST_PIXELS):
        wrong = "{name}: is {wide} × {high} pixels large; 8 to 16384 a side and 100 million in all are read"
        raise ImportProblem(wrong, name, wide, high)
    try:
        found = find(data)
    except (OSError, ValueError, SyntaxError):
        raise ImportProblem("{name}: is broken: its picture cannot be decoded ({kinds})", name, KINDS) from None
    return Sheet(path, data, kind, size, found)


def made(sheet: Sheet, fitting: Fitting) -> Path:
    """A map of the player's own with the picture under open ground; the very same is there only once.

    Raises BattlematError in one line.
    """
    columns, rows, side = fitting.columns, fitting.rows, fitting.side
    picture = Picture(sheet.data, sheet.kind, -fitting.left / side, -fitting.top / side,
                      sheet.size[0] / side, sheet.size[1] / side)  # fmt: skip
    floor = frozenset((x, y) for x in range(columns) for y in range(rows))
    plan = Plan(FORMAT, columns, rows, floor, picture=picture)
    with tempfile.TemporaryDirectory(prefix="battlemat-picture-") as folder:
        written = write(plan, Path(folder) / f"{slug(sheet.path.stem) or 'map'}.tmx")
        if written.lost:
            raise ImportProblem("{name}: is broken: its picture cannot be decoded", sheet.path.name)
        return brought_in(written.map)
