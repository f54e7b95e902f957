"""Text: Lato and Source Serif Pro from their packages, cached by kind and size."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import import_module

import pygame

from game.app.i18n import t

_FACES = {
    "text": ("font_lato", "Lato"),
    "bold": ("font_lato", "LatoBold"),
    "serif": ("font_source_serif_pro", "SourceSerifPro"),
    "serif-bold": ("font_source_serif_pro", "SourceSerifProSemibold"),
}


@cache
def _face(kind: str) -> str | None:
    """The path of a face; None (pygame's own font) where the package is missing."""
    package, name = _FACES[kind]
    try:
        found = import_module(package)
        if package == "font_lato":
            return str(found.font_files[name])
        # The package's TrueType files give quotation marks and the ellipsis half their width.
        return str(found.font_files_otf.get(name) or found.font_files_ttf[name])
    except (ImportError, KeyError, AttributeError):
        return None


@cache
def font(kind: str, size: int) -> pygame.font.Font:
    """A font: `kind` is `text`, `bold`, `serif` or `serif-bold`; `size` in pixels, at least 6."""
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame.font.Font(_face(kind), max(6, size))


@lru_cache(maxsize=2048)
def render(kind: str, size: int, text: str, colour: tuple[int, int, int]) -> pygame.Surface:
    """A line of text as a surface with alpha, cached; not to be drawn upon."""
    return font(kind, size).render(t(text), True, colour)


def forget() -> None:
    """Drop all cached fonts: needed after `pygame.font.quit()`."""
    font.cache_clear()
    render.cache_clear()
