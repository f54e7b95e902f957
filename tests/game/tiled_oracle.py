"""Maps and tiles made by the tests themselves, drawn by us and by Tiled's own rasterizer, and compared."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame
import pytest

from game.maps.mapdata import Colour, LoadedMap
from game.maps.tiled import load_map
from game.view import palette
from game.view.camera import Camera
from game.view.ground.picture import GroundPicture
from game.view.ground.tiles import chance

SIDE = 32
LIKE = 3
"""Two pixels are alike if no channel differs by more."""
SHARE = 0.999
"""So many pixels must be."""
_RASTERIZER = shutil.which("tmxrasterizer")

needs_tiled = pytest.mark.skipif(
    _RASTERIZER is None, reason="tmxrasterizer is not installed (Debian and Ubuntu: apt install tiled)"
)


def art(size: tuple[int, int], seed: int, *, clear: bool = False) -> pygame.Surface:
    """A small picture that no flip or turn leaves as it is; `clear`: with a hole and half-seen parts."""
    wide, high = size
    picture = pygame.Surface(size, pygame.SRCALPHA, 32)
    hue = [60 + chance(seed, n, 700) % 180 for n in range(9)]
    picture.fill((0, 0, 0, 0) if clear else (hue[0], hue[1], hue[2], 255))
    pygame.draw.rect(picture, (hue[3], hue[4], hue[5], 255), (wide // 8, high // 8, wide // 2, high // 4))
    pygame.draw.polygon(
        picture, (hue[6], hue[7], hue[8], 255), [(wide - 3, 2), (wide - 3, high - 2), (wide // 2, high - 3)]
    )
    pygame.draw.circle(picture, (250, 240, hue[0], 255), (wide // 3, high * 2 // 3), max(2, min(size) // 6))
    if clear:
        picture.fill((hue[1], hue[4], hue[7], 120), (wide // 4, high // 3, wide // 4, high // 3))
    return picture


def sheet(
    count: int, columns: int, *, tile: tuple[int, int] = (SIDE, SIDE), spacing: int = 0, margin: int = 0,
    clear: bool = False, seed: int = 0,
) -> pygame.Surface:  # fmt: skip
    """A sheet of so many different tiles."""
    rows = -(-count // columns)
    picture = pygame.Surface(
        (2 * margin + columns * (tile[0] + spacing) - spacing, 2 * margin + rows * (tile[1] + spacing) - spacing),
        pygame.SRCALPHA,
        32,
    )
    for n in range(count):
        x = margin + n % columns * (tile[0] + spacing)
        y = margin + n // columns * (tile[1] + spacing)
        picture.blit(art(tile, seed + n, clear=clear), (x, y))
    return picture


@dataclass
class Atlas:
    """A map's folder while a test fills it."""

    folder: Path
    width: int = 12
    height: int = 9
    head: str = ""
    sets: list[str] = field(default_factory=list)
    layers: list[str] = field(default_factory=list)
    first: int = 1

    def picture(self, name: str, surface: pygame.Surface) -> str:
        pygame.image.save(surface, str(self.folder / name))
        return name

    def tileset(
        self, picture: pygame.Surface | str, count: int, columns: int, *, tile: tuple[int, int] = (SIDE, SIDE),
        head: str = "", image: str = "", inside: str = "",
    ) -> int:  # fmt: skip
        """Add a tileset of one sheet; the number of its first tile."""
        name = picture if isinstance(picture, str) else self.picture(f"sheet{self.first}.png", picture)
        return self._add(
            count,
            f'<tileset firstgid="{self.first}" name="s{self.first}" tilewidth="{tile[0]}" tileheight="{tile[1]}" '
            f'tilecount="{count}" columns="{columns}" {head}>'
            f'{inside if inside.startswith("<tileoffset") else ""}<image source="{name}" {image}/>'
            f"{'' if inside.startswith('<tileoffset') else inside}</tileset>",
        )

    def collection(self, pictures: list[pygame.Surface | str], head: str = "") -> int:
        """Add a collection of images; the number of its first tile."""
        tiles = ""
        most = [0, 0]
        for n, each in enumerate(pictures):
            name = each if isinstance(each, str) else self.picture(f"image{self.first}_{n}.png", each)
            size = pygame.image.load(str(self.folder / name)).get_size()
            most = [max(a, b) for a, b in zip(most, size, strict=True)]
            tiles += f'<tile id="{n}"><image width="{size[0]}" height="{size[1]}" source="{name}"/></tile>'
        return self._add(
            len(pictures),
            f'<tileset firstgid="{self.first}" name="c{self.first}" tilewidth="{most[0]}" tileheight="{most[1]}" '
            f'tilecount="{len(pictures)}" columns="0" {head}>{tiles}</tileset>',
        )

    def _add(self, count: int, text: str) -> int:
        self.sets.append(text)
        self.first += count
        return self.first - count

    def tiles(self, gids: dict[tuple[int, int], int] | int, *, head: str = "", inside: str = "") -> None:
        """Add a tile layer: tiles by column and row, or one everywhere."""
        spots = [(x, y) for y in range(self.height) for x in range(self.width)]
        data = ",".join(str(gids if isinstance(gids, int) else gids.get(spot, 0)) for spot in spots)
        number = len(self.layers) + 1
        self.layers.append(
            f'<layer id="{number}" name="L{number}" width="{self.width}" height="{self.height}" {head}>{inside}'
            f'<data encoding="csv">{data}</data></layer>'
        )

    def ground(self, seed: int = 40) -> None:
        """A layer of opaque tiles everywhere, none like its neighbours."""
        first = self.tileset(sheet(8, 4, seed=seed), 8, 4)
        spots = [(x, y) for y in range(self.height) for x in range(self.width)]
        self.tiles({spot: first + chance(*spot, 701) % 8 for spot in spots})

    def objects(self, *nodes: str, head: str = "", inside: str = "") -> None:
        """Add an object layer."""
        number = len(self.layers) + 1
        self.layers.append(f'<objectgroup id="{number}" name="L{number}" {head}>{inside}{"".join(nodes)}</objectgroup>')

    def image(self, picture: pygame.Surface | str, *, head: str = "", image: str = "", inside: str = "") -> None:
        """Add an image layer."""
        number = len(self.layers) + 1
        name = picture if isinstance(picture, str) else self.picture(f"layer{number}.png", picture)
        self.layers.append(
            f'<imagelayer id="{number}" name="L{number}" {head}><image source="{name}" {image}/>{inside}</imagelayer>'
        )

    def group(self, head: str, since: int) -> None:
        """Put the layers added since into a group."""
        inside = "".join(self.layers[since:])
        self.layers[since:] = [f'<group id="{900 + since}" name="G" {head}>{inside}</group>']

    def write(self) -> Path:
        path = self.folder / "map.tmx"
        path.write_text(
            f'<?xml version="1.0" encoding="UTF-8"?>\n<map version="1.8" orientation="orthogonal" {self.head} '
            f'width="{self.width}" height="{self.height}" tilewidth="{SIDE}" tileheight="{SIDE}" infinite="0">'
            f"{''.join(self.sets)}{''.join(self.layers)}</map>\n"
        )
        return path


def tile_object(number: int, gid: int, x: float, y: float, size: tuple[float, float], more: str = "") -> str:
    """A tile object; `x`, `y` is the corner by which Tiled holds it, the lower left one if nothing else is said."""
    return f'<object id="{number}" gid="{gid}" x="{x:g}" y="{y:g}" width="{size[0]:g}" height="{size[1]:g}" {more}/>'


def drawn(
    loaded: LoadedMap, zoom: int | None = None, *, away: bool = False, seconds: float | None = None
) -> pygame.Surface:
    """The whole map as we draw it, our light off."""
    zoom = zoom or loaded.tile_size[0]
    field = loaded.field
    pygame.display.init()
    pygame.display.set_mode((64, 64))
    surface = pygame.Surface((field.width * zoom, field.height * zoom))
    camera = Camera(field, surface.get_size())
    camera.set_zoom(zoom)
    ground = GroundPicture(field, loaded, lit=False)
    ground.animate(seconds)
    if away:
        ground.roofs.stand(set(field.cells))
    ground.roofs.settle()
    ground.draw(surface, camera)
    while ground.pending:
        ground.draw(surface, camera)
    return surface


def rasterized(path: Path, *options: str, background: Colour = palette.INK) -> pygame.Surface:
    """The whole map as Tiled draws it, on our background."""
    assert _RASTERIZER is not None
    out = path.with_suffix(".tiled.png")
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(path.parent)}
    done = subprocess.run(
        [_RASTERIZER, *options, str(path), str(out)], env=env, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    picture = pygame.image.load(str(out))
    surface = pygame.Surface(picture.get_size())
    surface.fill(background)
    surface.blit(picture, (0, 0))
    return surface


def unlike(ours: pygame.Surface, theirs: pygame.Surface, like: int = LIKE) -> float:
    """The share of pixels that are not alike."""
    assert ours.get_size() == theirs.get_size()
    far = ours.copy()
    far.blit(theirs, (0, 0), special_flags=pygame.BLEND_RGB_SUB)
    rest = theirs.copy()
    rest.blit(ours, (0, 0), special_flags=pygame.BLEND_RGB_SUB)
    far.blit(rest, (0, 0), special_flags=pygame.BLEND_RGB_ADD)
    far.fill((like, like, like), special_flags=pygame.BLEND_RGB_SUB)
    alike = pygame.mask.from_threshold(far, (0, 0, 0), (1, 1, 1, 255)).count()
    return 1 - alike / (ours.get_width() * ours.get_height())


def agree(
    path: Path, corner: tuple[int, int] = (0, 0), *options: str, seconds: float | None = None, away: bool = False,
    like: int = LIKE,
) -> None:  # fmt: skip
    """Fail unless we draw a map as Tiled does. `corner` is where the map begins in Tiled's picture, which is larger
    where layers are shifted."""
    loaded = load_map(path)
    assert not loaded.warnings, loaded.warnings
    ours = drawn(loaded, seconds=seconds, away=away)
    theirs = rasterized(path, *options, background=loaded.background or palette.INK)
    theirs = theirs.subsurface((corner, ours.get_size()))
    share = unlike(ours, theirs, like)
    if share > 1 - SHARE:
        pygame.image.save(ours, str(path.with_suffix(".ours.png")))
        pygame.image.save(theirs, str(path.with_suffix(".theirs.png")))
    assert share <= 1 - SHARE, (
        f"{share:.2%} of the pixels differ: {path.with_suffix('.ours.png')}, {path.with_suffix('.theirs.png')}"
    )
