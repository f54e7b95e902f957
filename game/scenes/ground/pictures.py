"""What materials and tools look like in the palette: tiles of our tileset, drawings of objects, signs of zones."""

from __future__ import annotations

from functools import lru_cache

import pygame

from game import paths
from game.maps.editing.drawing import meaning
from game.maps.editing.kinds import Kind, Way
from game.maps.editing.kinds import kind as kind_of
from game.scenes.ground.model import Tool
from game.view.minis import svg
from game.view.palette import GOLD, INK, PAPER, Colour, render, rgb

SIDE, COLUMNS = 64, 8
_PROPS = {
    "door": "door_closed", "portcullis": "portcullis_closed", "stairs": "stairs", "ladder": "ladder",
    "chest": "chest", "light": "torch",
}  # fmt: skip
ZONES = {
    "heroes": rgb("#3f8fc4"), "monsters": rgb("#c8612c"), "room": rgb("#b8a36a"), "dark": rgb("#4b4660"),
    "safe": rgb("#3d9a72"),
}  # fmt: skip


@lru_cache(maxsize=1)
def _sheet() -> tuple[pygame.Surface, dict[int, dict[str, object]]]:
    """Our tiles' pictures, and what each of them says."""
    from xml.etree.ElementTree import parse

    root = parse(paths.shipped_maps() / "battlemat.tsx").getroot()
    says: dict[int, dict[str, object]] = {}
    for tile in root.findall("tile"):
        told: dict[str, object] = {}
        for each in tile.findall("properties/property"):
            raw, type_ = each.get("value", ""), each.get("type", "string")
            told[each.get("name", "")] = int(raw) if type_ == "int" else raw == "true" if type_ == "bool" else raw
        says[int(tile.get("id", "0"))] = meaning(told)
    return pygame.image.load(paths.shipped_maps() / "battlemat.png").convert_alpha(), says


def picture(kind: Kind, size: int) -> pygame.Surface:
    """A material so many pixels large; not to be drawn upon."""
    return _picture(kind.name, size)


@lru_cache(maxsize=300)
def _picture(name: str, size: int) -> pygame.Surface:
    kind = kind_of(name)
    found = pygame.Surface((size, size), pygame.SRCALPHA)
    if kind.way in (Way.GROUND, Way.THING):
        sheet, says = _sheet()
        number = next((n for n, told in says.items() if told == dict(kind.tile)), 0)
        tile = sheet.subsurface((number % COLUMNS * SIDE, number // COLUMNS * SIDE, SIDE, SIDE))
        found.blit(pygame.transform.smoothscale(tile, (size, size)), (0, 0))
    elif kind.way is Way.ZONE:
        colour = ZONES[kind.name]
        pygame.draw.rect(found, (*colour, 110), found.get_rect(), border_radius=3)
        pygame.draw.rect(found, colour, found.get_rect(), max(1, size // 12), border_radius=3)
    elif kind.way is Way.EDGE:
        _edge(found, kind, size)
    elif kind.way is Way.LEVEL:
        shade = 70 + 26 * kind.level
        pygame.draw.rect(found, (shade, shade, shade - 8), found.get_rect(), border_radius=3)
        label = render("bold", round(size * 0.62), str(kind.level), PAPER if kind.level < 4 else INK)
        found.blit(label, label.get_rect(center=(size // 2, size // 2)))
    elif (art := svg("props", _PROPS.get(kind.name, ""), size) if kind.name in _PROPS else None) is not None:
        found.blit(art, art.get_rect(center=(size // 2, size // 2)))
    else:
        _sign(found, kind, size)
    return found


def _edge(found: pygame.Surface, kind: Kind, size: int) -> None:
    """A thin wall, window or curtain between two spaces."""
    half, thick = size // 2, max(2, size // 8)
    pygame.draw.rect(found, (66, 72, 80), found.get_rect(), border_radius=3)
    colour: Colour = {"thin wall": rgb("#b6a98f"), "window": rgb("#7fb7d6"), "curtain": rgb("#b0573f")}[kind.name]
    if kind.name == "curtain":
        for n in range(0, size, max(4, size // 5)):
            pygame.draw.circle(found, colour, (half, n + 2), thick)
    else:
        pygame.draw.line(found, INK, (half, 0), (half, size), thick + 3)
        pygame.draw.line(found, colour, (half, 0), (half, size), thick)


def _sign(found: pygame.Surface, kind: Kind, size: int) -> None:
    """Traps, notes and exits have signs."""
    middle, r = (size // 2, size // 2), size // 3
    if kind.name == "trap":
        points = [(middle[0], middle[1] - r), (middle[0] + r, middle[1] + r), (middle[0] - r, middle[1] + r)]
        pygame.draw.polygon(found, rgb("#cc79a7"), points)
        mark = render("bold", round(size * 0.5), "!", INK)
        found.blit(mark, mark.get_rect(center=(middle[0], middle[1] + r // 3)))
    elif kind.name == "note":
        page = pygame.Rect(0, 0, round(r * 1.5), 2 * r)
        page.center = middle
        pygame.draw.rect(found, PAPER, page, border_radius=2)
        for n in range(1, 4):
            y = page.top + n * page.height // 4
            pygame.draw.line(found, INK, (page.left + 3, y), (page.right - 4, y))
    else:  # an exit: an arrow out
        pygame.draw.line(found, GOLD, (middle[0] - r, middle[1]), (middle[0] + r, middle[1]), max(2, size // 9))
        tip = [(middle[0] + r, middle[1]), (middle[0], middle[1] - r), (middle[0], middle[1] + r)]
        pygame.draw.polygon(found, GOLD, tip)


@lru_cache(maxsize=80)
def tool_picture(tool: Tool, size: int, colour: tuple[int, int, int]) -> pygame.Surface:
    """The sign of a tool."""
    found = pygame.Surface((size * 4, size * 4), pygame.SRCALPHA)
    u, ink = size * 4 / 16, colour
    w = max(2, round(1.6 * u))

    def p(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x * u, y * u) for x, y in points]

    if tool is Tool.BRUSH:
        pygame.draw.lines(found, ink, False, p((13, 2), (7, 9)), w + 2)
        pygame.draw.polygon(found, ink, p((7.5, 8), (9, 10), (6, 13.5), (2, 14), (3.5, 11)))
    elif tool is Tool.LINE:
        pygame.draw.lines(found, ink, False, p((3, 13), (13, 3)), w)
        for spot in p((3, 13), (13, 3)):
            pygame.draw.circle(found, ink, spot, 2 * u)
    elif tool is Tool.RECTANGLE:
        pygame.draw.rect(found, ink, pygame.Rect(2 * u, 4 * u, 12 * u, 8 * u))
    elif tool is Tool.ROOM:
        pygame.draw.rect(found, ink, pygame.Rect(2 * u, 3 * u, 12 * u, 10 * u), round(2.4 * u))
    elif tool is Tool.FILL:
        pygame.draw.polygon(found, ink, p((6, 3), (12, 9), (7, 14), (1, 8)))
        pygame.draw.lines(found, ink, False, p((4, 1), (9, 6)), w)
        pygame.draw.circle(found, ink, p((13.5, 13))[0], 1.8 * u)
    elif tool is Tool.ERASE:
        pygame.draw.polygon(found, ink, p((8, 2), (14, 8), (8, 14), (2, 8)), w)
        pygame.draw.polygon(found, ink, p((8, 14), (2, 8), (5, 5), (11, 11)))
    elif tool is Tool.SELECT:
        pygame.draw.polygon(found, ink, p((3, 1), (13, 9), (8.5, 9.5), (11, 14.5), (9, 15), (6.8, 10.5), (3, 13)))
    elif tool is Tool.PART:
        pygame.draw.rect(found, ink, pygame.Rect(2 * u, 2 * u, 8.5 * u, 8.5 * u), w)
        pygame.draw.rect(found, ink, pygame.Rect(5.5 * u, 5.5 * u, 8.5 * u, 8.5 * u))
    elif tool is Tool.PASTE:
        pygame.draw.rect(found, ink, pygame.Rect(3 * u, 3 * u, 10 * u, 11 * u), w)
        pygame.draw.rect(found, ink, pygame.Rect(5.5 * u, 1.5 * u, 5 * u, 3.5 * u))
    else:
        pygame.draw.lines(found, ink, False, p((12.5, 3.5), (4, 12)), w)
        pygame.draw.lines(found, ink, False, p((8, 3), (13, 8)), w + 1)
        pygame.draw.circle(found, ink, p((3, 13))[0], 1.6 * u)
    return pygame.transform.smoothscale(found, (size, size))
