"""Pictures of the player's own as tokens: cut to the round base, kept as PNG, named by a creature's `art`.

`token:grim:orc` is the token `grim`, or the drawing `orc` where nobody has it.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import NamedTuple

from game import paths
from game.storage.files import read_bytes, write_whole
from rules.contract.errors import BattlematError

MARK = "token:"
SIDE = 256
"""Pixels of a token's side."""
LARGEST = 32 * 1024 * 1024
"""Bytes of a picture that are read."""
LEAST_SIDE, MOST_SIDE, MOST_PIXELS = 16, 16_384, 100_000_000
READ = ("PNG", "JPG", "WebP")
NEAREST = 12.0
"""How much larger than whole a picture may be cut."""
_NAME = re.compile(r"[\w-]{1,60}")


class TokenProblem(BattlematError):
    """A picture that can't be a token, in one line."""


class Cut(NamedTuple):
    """What of a picture is on the token: the middle, as shares of its width and height, and how near."""

    across: float = 0.5
    down: float = 0.5
    near: float = 1.0
    """1: the largest circle that fits into the picture."""

    def settled(self, size: tuple[int, int]) -> Cut:
        """The same within the picture."""
        near = min(NEAREST, max(1.0, self.near))
        half = min(size) / near / 2
        across, down = (
            min(max(middle * side, half), side - half) / side
            for middle, side in zip((self.across, self.down), size, strict=True)
        )
        return Cut(across, down, near)


class Sheet(NamedTuple):
    """A picture that was measured."""

    path: Path
    data: bytes
    size: tuple[int, int]


def parts(art: str) -> tuple[str, str]:
    """(token, drawing where nobody has it) of a creature's `art`; no token in any other."""
    if not art.startswith(MARK):
        return "", art
    name, _, other = art.removeprefix(MARK).partition(":")
    return name, other


def art_of(name: str, instead: str = "") -> str:
    """How a creature's `art` names a token."""
    other = parts(instead)[1]
    return f"{MARK}{name}:{other}" if other else f"{MARK}{name}"


def file_of(name: str) -> Path | None:
    """The file of a token; None where there is none."""
    if not _NAME.fullmatch(name):
        return None
    places = (paths.user_path("tokens"), *(paths.user_path("packs", pack, "tokens") for pack in paths.packs_on()))
    return next((path for place in places if (path := place / f"{name}.png").is_file()), None)


def tokens() -> list[str]:
    """The names of all tokens, in order."""
    places = (paths.user_path("tokens"), *(paths.user_path("packs", pack, "tokens") for pack in paths.packs_on()))
    found = {path.stem for place in places if place.is_dir() for path in place.glob("*.png")}
    return sorted(name for name in found if _NAME.fullmatch(name))


def opened(path: Path) -> Sheet:
    """A picture, measured before it is decoded. Raises TokenProblem in one line."""
    from game.maps.folder import size_of  # late: the title draws miniatures, and reads no file of anybody's

    data = read_bytes(path, LARGEST, "picture", TokenProblem)
    kind, size = size_of(data)
    if kind not in READ or size is None:
        raise TokenProblem("{name}: is no picture that can be a token; a PNG, JPEG or WebP is needed", path.name)
    wide, high = size
    if not (min(size) >= LEAST_SIDE and max(size) <= MOST_SIDE and wide * high <= MOST_PIXELS):
        wrong = "{name}: is {wide} × {high} pixels large; 16 to 16384 a side and 100 million in all are read"
        raise TokenProblem(wrong, path.name, wide, high)
    return Sheet(path, data, size)


def cut(sheet: Sheet, where: Cut) -> bytes:
    """The round token as a PNG. Raises TokenProblem for a picture that can't be decoded."""
    from PIL import Image, ImageDraw  # late, too

    where = where.settled(sheet.size)
    half = min(sheet.size) / where.near / 2
    middle = (where.across * sheet.size[0], where.down * sheet.size[1])
    box = (middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half)
    try:
        with Image.open(io.BytesIO(sheet.data), formats=("PNG", "JPEG", "WEBP")) as picture:
            found = picture.convert("RGBA").resize((SIDE, SIDE), Image.Resampling.LANCZOS, box=box)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise TokenProblem("{name}: is broken: its picture cannot be decoded", sheet.path.name) from None
    disc = Image.new("L", (4 * SIDE, 4 * SIDE), 0)
    ImageDraw.Draw(disc).ellipse((0, 0, 4 * SIDE - 1, 4 * SIDE - 1), fill=255)
    mask = disc.resize((SIDE, SIDE), Image.Resampling.LANCZOS)
    ground = Image.new("RGBA", (SIDE, SIDE), (38, 46, 57, 255))  # behind what lets light through
    ground.alpha_composite(found)
    ground.putalpha(mask)
    out = io.BytesIO()
    ground.save(out, "PNG", optimize=True)
    return out.getvalue()


def keep(sheet: Sheet, where: Cut, name: str = "") -> str:
    """Cut and keep a token; its name: the picture's, with a number where another has it. Raises BattlematError."""
    data = cut(sheet, where)
    stem = re.sub(r"[^\w-]+", "-", (name or sheet.path.stem).lower()).strip("-_")[:50] or "token"
    folder, number, found = paths.user_folder("tokens"), 1, stem
    while (goal := folder / f"{found}.png").exists() and goal.read_bytes() != data:
        number += 1
        found = f"{stem}-{number}"
    if not goal.exists():
        write_whole(goal, data)
    return found
