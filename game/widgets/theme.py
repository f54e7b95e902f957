"""The look of every panel: colours and lengths from the theme's file, fonts and pixels at the scale in use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pygame

from game.content.tables import parsed
from game.paths import asset
from game.view import palette as fonts
from rules.contract.errors import BattlematError, said

Colour = tuple[int, int, int, int]

LEAST_WINDOW = (640, 360)
"""Panels never grow beyond what leaves this many unscaled pixels of window."""


@dataclass(frozen=True)
class Theme:
    """Named colours (RGBA), lengths and text sizes (pixels at 100 %)."""

    colours: dict[str, Colour]
    lengths: dict[str, int]
    sizes: dict[str, int]

    def coloured(self, own: Mapping[str, str]) -> Theme:
        """The same theme with these colours (`#rrggbb`) in the place of some of its own."""
        return replace(self, colours=self.colours | {name: _colour(text) for name, text in own.items()})


def load_theme(path: Path | None = None) -> Theme:
    """Read a theme file. Raises `BattlematError` with the file and the entry that is wrong."""
    path = path or asset("themes", "inked.toml")
    try:
        data = parsed(path.read_text(encoding="utf-8"))
        colours = {name: _colour(text) for name, text in data["colours"].items()}
        lengths = {name: int(value) for name, value in data["lengths"].items()}
        sizes = {name: int(value) for name, value in data["sizes"].items()}
    except (OSError, AttributeError, KeyError, TypeError, ValueError) as error:
        wrong = "{path}: not a theme ({error}); it needs [colours], [lengths] and [sizes]"
        raise BattlematError(wrong, path=str(path), error=said(error)) from None
    return Theme(colours, lengths, sizes)


def _colour(text: str) -> Colour:
    c = pygame.Color(text)
    return (c.r, c.g, c.b, c.a)


@dataclass
class Look:
    """A theme at a scale: what widgets ask for while they measure and draw."""

    theme: Theme
    scale: float = 1.0
    _panels: dict[tuple[object, ...], pygame.Surface] = field(default_factory=dict)
    _pixels: dict[float, int] = field(default_factory=dict)
    _fonts: dict[str, pygame.font.Font] = field(default_factory=dict)
    _widths: dict[tuple[str, str], int] = field(default_factory=dict)
    laid: dict[tuple[object, ...], Any] = field(default_factory=dict)
    """What was laid out at this scale before, by what it is made of: most of a panel says the same when it is built
    anew."""

    def px(self, length: float) -> int:
        """Pixels of a length given at 100 %; never 0 for a positive one."""
        found = self._pixels.get(length)
        if found is None:
            found = max(1, round(length * self.scale)) if length > 0 else round(length * self.scale)
            self._pixels[length] = found
        return found

    def colour(self, name: str) -> Colour:
        """A named colour, or the text colour for a name unknown."""
        return self.theme.colours.get(name, self.theme.colours["text"])

    def length(self, name: str) -> int:
        return self.px(self.theme.lengths[name])

    def font(self, style: str = "text") -> pygame.font.Font:
        """A font by style: a size's name, with `!` for bold: `text`, `text!`, `heading`."""
        found = self._fonts.get(style)
        if found is None:
            name = style.rstrip("!")
            serif = name in ("heading", "title", "figure")
            found = self._fonts[style] = _font(serif, style.endswith("!"), self.px(self.theme.sizes[name]))
        return found

    def width(self, words: str, style: str) -> int:
        """Pixels of some words in a line, remembered."""
        found = self._widths.get((words, style))
        if found is None:
            if len(self._widths) > 4000:
                self._widths.clear()
            found = self._widths[words, style] = self.font(style).size(words)[0]
        return found

    def panel(
        self,
        surface: pygame.Surface,
        rect: pygame.Rect,
        *,
        fill: str = "panel",
        edge: str = "hairline",
        radius: float | None = None,
    ) -> None:
        """A filled, hair-lined, rounded rectangle; translucent fills are blended."""
        surface.blit(self.plate(rect, fill=fill, edge=edge, radius=radius), rect)

    def plate(
        self, rect: pygame.Rect, *, fill: str = "panel", edge: str = "hairline", radius: float | None = None
    ) -> pygame.Surface:
        """The picture of such a rectangle, remembered."""
        r = self.px(self.theme.lengths["radius"] if radius is None else radius)
        r = min(r, rect.width // 2, rect.height // 2)
        key = (rect.size, fill, edge, r)
        plate = self._panels.get(key)
        if plate is None:
            plate = pygame.Surface(rect.size, pygame.SRCALPHA)
            pygame.draw.rect(plate, self.colour(fill), plate.get_rect(), 0, r)
            if edge:
                pygame.draw.rect(plate, self.colour(edge), plate.get_rect(), self.px(1), r)
            if len(self._panels) > 400:
                self._panels.clear()
            self._panels[key] = plate
        return plate

    def outline(self, size: tuple[int, int], colour: str, radius: float) -> pygame.Surface:
        """The picture of a thin rounded frame round nothing, remembered."""
        key = (size, colour, radius)
        frame = self._panels.get(key)
        if frame is None:
            frame = self._panels[key] = pygame.Surface(size, pygame.SRCALPHA)
            pygame.draw.rect(frame, self.colour(colour), frame.get_rect(), self.px(1), self.px(radius))
        return frame


@lru_cache(maxsize=64)
def _font(serif: bool, bold: bool, size: int) -> pygame.font.Font:
    kind = ("serif-bold" if serif else "bold") if bold or serif else "text"
    return fonts.font(kind, size)


def forget() -> None:
    """Drop remembered fonts: needed after `pygame.quit()`."""
    _font.cache_clear()
    fonts.forget()


def fitting_scale(percent: int, window: tuple[int, int]) -> float:
    """The scale of panels: what the setting asks (75–200 %), grown with large windows, never cutting panels."""
    width, height = window
    natural = max(1.0, min(width / 1280, height / 720)) ** 0.6
    room = min(width / LEAST_WINDOW[0], height / LEAST_WINDOW[1])
    return max(0.6, min(percent / 100 * float(natural), room))
