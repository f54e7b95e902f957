"""How a picture lies over what is drawn already: Tiled's blend modes, which are those of SVG, onto an opaque ground.

With the ground's colours D and the picture's S of alpha a, each leaves (1 - a) D + a B(D, S). Pictures come with
their colours multiplied by their alpha, s = a S, so that a B(D, S) needs no division.
"""

from __future__ import annotations

from collections.abc import Callable

import pygame

_ADD, _SUB, _MULT = pygame.BLEND_RGB_ADD, pygame.BLEND_RGB_SUB, pygame.BLEND_RGB_MULT
_MIN, _MAX = pygame.BLEND_RGB_MIN, pygame.BLEND_RGB_MAX


def lay(surface: pygame.Surface, picture: pygame.Surface, at: tuple[int, int], blend: str = "normal") -> None:
    """Lay a picture, opaque or with its colours multiplied by its alpha, onto an opaque surface."""
    if blend == "normal":
        surface.blit(picture, at, special_flags=_flag(picture))
        return
    box = picture.get_rect(topleft=at).clip(surface.get_clip())
    if not (box.w and box.h):
        return
    part, ground = picture.subsurface(box.move(-at[0], -at[1])), surface.subsurface(box)
    if blend == "add":
        ground.blit(part, (0, 0), special_flags=_ADD)
    elif blend in ("darken", "lighten"):  # where the picture is seen through, the ground wins either way
        under = ground.copy()
        ground.blit(part, (0, 0), special_flags=_flag(part))
        ground.blit(under, (0, 0), special_flags=_MIN if blend == "darken" else _MAX)
    else:
        _MIXES[blend](ground, *_split(part))


def _flag(picture: pygame.Surface) -> int:
    return pygame.BLEND_PREMULTIPLIED if picture.get_flags() & pygame.SRCALPHA else 0


def _split(picture: pygame.Surface) -> tuple[pygame.Surface, pygame.Surface]:
    """A picture's colours (as they are over black) and its alpha, as grey."""
    colours, rest = pygame.Surface(picture.get_size()), pygame.Surface(picture.get_size())
    colours.blit(picture, (0, 0), special_flags=_ADD)
    rest.fill((255, 255, 255))
    black = picture.copy()
    black.fill((0, 0, 0, 255), special_flags=pygame.BLEND_RGBA_MULT)
    rest.blit(black, (0, 0), special_flags=_flag(picture))
    return colours, _inverse(rest)


def _inverse(picture: pygame.Surface) -> pygame.Surface:
    out = pygame.Surface(picture.get_size())
    out.fill((255, 255, 255))
    out.blit(picture, (0, 0), special_flags=_SUB)
    return out


def _mixed(picture: pygame.Surface, other: pygame.Surface, flag: int) -> pygame.Surface:
    out = picture.copy()
    out.blit(other, (0, 0), special_flags=flag)
    return out


def _finish(ground: pygame.Surface, alpha: pygame.Surface, *parts: pygame.Surface) -> None:
    """(1 - a) D, and what belongs to the rest."""
    ground.blit(_inverse(alpha), (0, 0), special_flags=_MULT)
    for part in parts:
        ground.blit(part, (0, 0), special_flags=_ADD)


def _multiply(ground: pygame.Surface, colours: pygame.Surface, alpha: pygame.Surface) -> None:
    """S D."""
    _finish(ground, alpha, _mixed(colours, ground, _MULT))


def _screen(ground: pygame.Surface, colours: pygame.Surface, alpha: pygame.Surface) -> None:
    """S + D - S D."""
    ground.blit(_mixed(_inverse(ground), colours, _MULT), (0, 0), special_flags=_ADD)


def _overlay(ground: pygame.Surface, colours: pygame.Surface, alpha: pygame.Surface) -> None:
    """2 S D on dark ground, 1 - 2 (1 - S) (1 - D) on light."""
    low = _mixed(ground, ground, _ADD)
    high = _mixed(ground, _inverse(ground), _SUB)
    rest = _mixed(alpha, colours, _SUB)
    _finish(ground, alpha, _mixed(low, colours, _MULT), _mixed(high, rest, _MULT))


def _hard_light(ground: pygame.Surface, colours: pygame.Surface, alpha: pygame.Surface) -> None:
    """The same the other way round: 2 S D where the picture is dark, 1 - 2 (1 - S) (1 - D) where it is light."""
    low = _mixed(_mixed(colours, colours, _ADD), alpha, _MIN)
    high = _mixed(colours, _mixed(alpha, colours, _SUB), _SUB)
    _finish(ground, alpha, _mixed(low, ground, _MULT), _mixed(high, _inverse(ground), _MULT))


def _difference(ground: pygame.Surface, colours: pygame.Surface, alpha: pygame.Surface) -> None:
    """|S - D|."""
    under = _mixed(ground, alpha, _MULT)
    _finish(ground, alpha, _mixed(colours, under, _SUB), _mixed(under, colours, _SUB))


def _exclusion(ground: pygame.Surface, colours: pygame.Surface, alpha: pygame.Surface) -> None:
    """S (1 - D) + D (1 - S)."""
    one = _mixed(_inverse(ground), colours, _MULT)
    other = _mixed(_mixed(alpha, colours, _SUB), ground, _MULT)
    _finish(ground, alpha, one, other)


_MIXES: dict[str, Callable[[pygame.Surface, pygame.Surface, pygame.Surface], None]] = {
    "multiply": _multiply, "screen": _screen, "overlay": _overlay, "hard-light": _hard_light,
    "difference": _difference, "exclusion": _exclusion,
}  # fmt: skip
