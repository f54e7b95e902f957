"""The forecast's tables: a line for each creature, a line for each change that is compared."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from game.app.i18n import t
from game.forecast.report import CreatureForecast, Forecast
from game.forecast.variants import Difference
from game.scenes.forecast.figures import around, between, draw_band, percent, whole_points
from game.view.palette import side_colour
from game.widgets.controls import Pressable
from game.widgets.core import Tip, Widget
from game.widgets.figures import Portrait
from game.widgets.text import rendered, shortened
from game.widgets.theme import Look

COLUMNS = (("Falls", 78), ("Dies", 46), ("Dealt", 42), ("Taken", 44), ("HP left", 62))
"""Columns of the table of creatures after the name, with their widths at 100 %."""
FIGURE = 46
"""What a percentage takes of its column; the first column's rest is its bar."""
ROW = 28


class CreatureHeads(Widget):
    """The heads of the table's columns."""

    def __init__(self, tight: bool) -> None:
        super().__init__()
        self.tight = tight

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.font("small").get_linesize())

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        listed = pygame.Rect(self.rect.topleft, (self.rect.width - look.px(SCROLL), self.rect.height))
        for (name, _), box in zip(COLUMNS, columns(look, listed, self.tight), strict=True):
            text = rendered(look.font("small"), t(name), look.colour("quiet"))
            surface.blit(
                text,
                text.get_rect(midright=box.midright) if name != "Falls" else text.get_rect(midleft=box.midleft),
            )


def columns(look: Look, rect: pygame.Rect, tight: bool) -> list[pygame.Rect]:
    """Where the columns are, from the right edge on."""
    boxes, right = [], rect.right - look.px(8)
    for name, wide in reversed(COLUMNS):
        width = FIGURE if tight and name == "Falls" else wide
        boxes.append(pygame.Rect(right - look.px(width), rect.top, look.px(width), rect.height))
        right -= look.px(width) + look.px(2)
    return boxes[::-1]


class CreatureLine(Pressable):
    """What becomes of one creature; a click shows it on the board."""

    def __init__(
        self,
        creature: Callable[[], CreatureForecast],
        known: Callable[[], bool],
        portrait: Portrait,
        on_press: Callable[[], None],
        key: str,
        tight: bool,
    ) -> None:
        super().__init__(on_press, key=key)
        self.creature, self.known, self.portrait, self.tight = creature, known, portrait, tight

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.px(ROW))

    def tip_at(self, pos: tuple[int, int]) -> Tip | None:
        if not self.known():
            return None
        c = self.creature()
        told = (
            f"Goes down in {between(c.falls)} of the fights, is out at the end in {between(c.out)}, "
            f"dies in {between(c.dies)}.\n"
            f"Deals {around(c.dealt)}, takes {around(c.taken)} and brings {around(c.felled)} down a fight; "
            f"{around(c.hp_left)} of {c.hp_max} hit points are left."
        )
        return Tip(told, c.name)

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        if self.hovered or self.focused:
            self.plate(surface, look)
        c, box = self.creature(), self.rect
        side = look.px(ROW - 4)
        image = self.portrait(side)
        surface.blit(image, image.get_rect(midleft=(box.left + look.px(2), box.centery)))
        places = columns(look, box, self.tight)
        left = box.left + side + look.px(8)
        font = look.font("text")
        name = shortened(font, c.name, places[0].left - left - look.px(8))
        surface.blit(rendered(font, name, look.colour("text")), (left, box.centery - font.get_linesize() // 2))
        if not self.known():
            return
        self._falls(surface, look, places[0], c)
        left_over = f"{c.hp_left.mean:.1f} / {c.hp_max}"
        left_over = f"{c.hp_left.mean:.1f} / {c.hp_max}"
        figures = (percent(c.dies.share), f"{c.dealt.mean:.1f}", f"{c.taken.mean:.1f}", left_over)
        for figure, place in zip(figures, places[1:], strict=True):
            quiet = figure in ("0 %", "0.0")
            text = rendered(font, figure, look.colour("faint" if quiet else "bright"))
            surface.blit(text, text.get_rect(midright=place.midright))

    def _falls(self, surface: pygame.Surface, look: Look, place: pygame.Rect, c: CreatureForecast) -> None:
        font = look.font("text!")
        text = rendered(font, percent(c.falls.share), look.colour("coral" if c.falls.share > 0.5 else "bright"))
        surface.blit(text, text.get_rect(midright=place.midright))
        bar = pygame.Rect(place.left, 0, place.width - look.px(FIGURE), look.px(6))
        bar.centery = place.centery
        if bar.width > 0:
            draw_band(surface, look, bar, c.falls, (206, 96, 70))


EDGE, LOST, DIFFERENCE, CHANCE = 10, 48, 124, 52
SCROLL = 8
"""What a list's scroll bar takes; the line above the list leaves it free."""
"""Lengths at 100 % from a comparison's right edge: what stands free, then its columns."""


class VariantLine(Pressable):
    """A change to the encounter: a click plays it beside the encounter as it is, another lets it rest."""

    def __init__(
        self,
        label: str,
        forecast: Callable[[], Forecast | None],
        difference: Callable[[], Difference | None],
        base: Callable[[], Forecast],
        side: str,
        on_press: Callable[[], None],
        *,
        playing: bool = False,
        fixed: bool = False,
        tight: bool = False,
        key: str = "",
    ) -> None:
        super().__init__(on_press, key=key)
        self.label, self.forecast, self.difference, self.base, self.side = (
            label,
            forecast,
            difference,
            base,
            side,
        )
        self.playing, self.fixed, self.tight = playing, fixed, tight

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.px(ROW))

    def tip_at(self, pos: tuple[int, int]) -> Tip | None:
        found, change = self.forecast(), self.difference()
        if found is None or not found.runs:
            return Tip(
                "Plays the encounter with this change beside it as it is, with the same dice to begin with.",
                self.label,
            )
        side = found.side(self.side)
        told = (
            f"{self.side.title()} win {percent(side.wins.share)} ({between(side.wins)}) of {found.runs} fights, "
            f"lose {around(side.losses)}."
        )
        if change is not None:
            bounds = f"{whole_points(change.low)} to {whole_points(change.high)}"
            luck = "more than luck" if change.clear else "it may be luck"
            told += f"\nOver the fights both have played: {whole_points(change.share)} points ({bounds}), {luck}."
        return Tip(told, self.label)

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        if self.hovered or self.focused:
            self.plate(surface, look)
        box, found = self.rect, self.forecast()
        self._box(surface, look, box)
        left = box.left + look.px(30)
        right = box.right - look.px(EDGE + (SCROLL if self.fixed else 0))
        room = right - look.px((0 if self.tight else LOST) + DIFFERENCE + CHANCE) - left
        font = look.font("text!" if self.fixed else "text")
        wide = min(look.px(210), room)
        colour = "bright" if self.playing else "quiet"
        name = rendered(font, shortened(font, self.label, wide), look.colour(colour))
        surface.blit(name, (left, box.centery - font.get_linesize() // 2))
        if found is None or not found.runs:
            return
        right = self._figures(surface, look, found, right)
        bar = pygame.Rect(left + wide + look.px(12), 0, right - left - wide - look.px(24), look.px(10))
        bar.centery = box.centery
        if bar.width > look.px(30):
            base = self.base()
            mark = base.side(self.side).wins.share if base.runs and not self.fixed else None
            draw_band(surface, look, bar, found.side(self.side).wins, side_colour(self.side), mark=mark)

    def _box(self, surface: pygame.Surface, look: Look, box: pygame.Rect) -> None:
        """A tick box: what is played."""
        if self.fixed:
            return
        mark = pygame.Rect(0, 0, look.px(14), look.px(14))
        mark.center = (box.left + look.px(15), box.centery)
        pygame.draw.rect(surface, look.colour("gold" if self.playing else "faint"), mark, look.px(1), look.px(3))
        if self.playing:
            pygame.draw.rect(surface, look.colour("gold"), mark.inflate(-look.px(6), -look.px(6)), 0, look.px(1))

    def _figures(self, surface: pygame.Surface, look: Look, found: Forecast, right: int) -> int:
        """Losses, difference and chance, from the right edge on; where they begin."""
        font, bold = look.font("text"), look.font("text!")
        side, change = found.side(self.side), self.difference()
        if not self.tight:
            losses = rendered(font, f"{side.losses.mean:.1f}", look.colour("text"))
            surface.blit(losses, losses.get_rect(midright=(right, self.rect.centery)))
            right -= look.px(LOST)
        if change is not None:
            tone = "quiet" if not change.clear else ("teal" if change.share > 0 else "coral")
            words = f"{whole_points(change.share)} ({whole_points(change.low)} to {whole_points(change.high)})"
            text = rendered(font, t(words), look.colour(tone))
            surface.blit(text, text.get_rect(midright=(right, self.rect.centery)))
        right -= look.px(DIFFERENCE)
        chance = rendered(bold, percent(side.wins.share), look.colour("bright"))
        surface.blit(chance, chance.get_rect(midright=(right, self.rect.centery)))
        return right - look.px(CHANCE)


class VariantHeads(Widget):
    """The heads of the comparison's columns."""

    def __init__(self, side: str) -> None:
        super().__init__()
        self.side = side
        self.grow = 1

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (look.px(LOST + DIFFERENCE + CHANCE), look.font("small").get_linesize())

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        small = look.font("small")
        right = self.rect.right - look.px(EDGE + SCROLL)
        for words, wide in (("lost", LOST), ("difference", DIFFERENCE), (f"{self.side} win", 0)):
            text = rendered(small, t(words), look.colour("quiet"))
            surface.blit(text, text.get_rect(midright=(right, self.rect.centery)))
            right -= look.px(wide)
