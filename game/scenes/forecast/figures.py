"""The forecast's figures and tables, which ask for their numbers while they are drawn: nothing is rebuilt for them."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from game.app.i18n import t
from game.forecast.report import Chance, Forecast, Mean, SideForecast
from game.forecast.simulate import Difference
from game.view.palette import Colour, mix, side_colour
from game.widgets.controls import Pressable
from game.widgets.core import Tip, Widget
from game.widgets.figures import Portrait
from game.widgets.text import Block, Run, line, rendered, shortened
from game.widgets.theme import Look
from rules.contract.display import Board
from rules.contract.text import Text, text
from rules.core.dice import signed

PAPER: Colour = (246, 236, 210)


Say = Callable[[Forecast, SideForecast], str]
COLUMNS = (("Falls", 78), ("Dies", 46), ("Dealt", 42), ("Taken", 44), ("HP left", 62))
"""Columns of the table of creatures after the name, with their widths at 100 %."""
FIGURE = 46
"""What a percentage takes of its column; the first column's rest is its bar."""
ROW = 28
EDGE, LOST, DIFFERENCE, CHANCE = 10, 48, 124, 52
SCROLL = 8
"""What a list's scroll bar takes; the line above the list leaves it free."""


def percent(share: float) -> str:
    """A whole percentage: intervals are wider than a point anyway. Never 0 or 100 unless it is exactly that."""
    whole = round(100 * share)
    if 0 < share < 1:
        whole = min(99, max(1, whole))
    return text("{whole} %", whole)


def whole_points(share: float) -> str:
    """A difference in whole percentage points, signed: `+4`, `−22`, `±0`."""
    whole = round(100 * share)
    return "±0" if whole == 0 else signed(whole)


def between(chance: Chance) -> str:
    """`58–68 %`: the interval of a chance."""
    return text("{round}–{round2} %", round(100 * chance.low), round(100 * chance.high))


def around(mean: Mean) -> str:
    """`1.9 (1.7–2.1)`: a mean with its interval."""
    if mean.low is None or mean.high is None:
        return f"{mean.mean:.1f}"
    return text("{mean} ({low}–{high})", f"{mean.mean:.1f}", f"{mean.low:.1f}", f"{mean.high:.1f}")


def draw_band(
    surface: pygame.Surface, look: Look, bar: pygame.Rect, chance: Chance | None, colour: Colour, *,
    mark: float | None = None,
) -> None:  # fmt: skip
    """A share as a bar: full up to the interval's lower bound, hatched within it, a tick where the estimate is.
    Empty while it is not known.

    `mark` draws a second, gold tick: the share that this one is compared with.
    """
    radius = bar.height // 2
    pygame.draw.rect(surface, look.colour("night"), bar, 0, radius)
    if chance is None:
        return
    low, high = round(chance.low * bar.width), round(chance.high * bar.width)
    if low:
        pygame.draw.rect(surface, colour, (bar.left, bar.top, max(low, bar.height), bar.height), 0, radius)
    band = pygame.Rect(bar.left + low, bar.top, max(2, high - low), bar.height)
    pygame.draw.rect(surface, mix(colour, (12, 15, 19), 0.55), band, 0, look.px(2))
    before = surface.get_clip()
    surface.set_clip(band.clip(before))
    gap, line = look.px(5), look.px(1)
    for x in range(band.left - bar.height, band.right, gap):
        pygame.draw.line(surface, mix(colour, PAPER, 0.35), (x, bar.bottom), (x + bar.height, bar.top), line)
    surface.set_clip(before)
    if mark is not None:
        _tick(surface, look, bar, mark, look.colour("gold"))
    _tick(surface, look, bar, chance.share, look.colour("bright"))


def _tick(surface: pygame.Surface, look: Look, bar: pygame.Rect, share: float, colour: tuple[int, ...]) -> None:
    tick = pygame.Rect(0, 0, look.px(3), bar.height + look.px(6))
    tick.center = (bar.left + round(share * bar.width), bar.centery)
    tick.clamp_ip(bar.inflate(0, look.px(6)))
    pygame.draw.rect(surface, look.colour("night"), tick.inflate(look.px(2), 0), 0, look.px(2))
    pygame.draw.rect(surface, colour, tick, 0, look.px(2))


class ChanceBar(Widget):
    """A chance with its name, its figure, its interval and its length."""

    def __init__(
        self, label: str, chance: Callable[[], Chance | None], colour: Colour, *, tip: Tip, large: bool = True
    ) -> None:
        super().__init__(tip=tip)
        self.label, self.chance, self.colour = label, chance, colour
        self.style = "figure" if large else "heading"

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.font(self.style).get_linesize() + look.px(16))

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        chance, box = self.chance(), self.rect
        big, text, bold = look.font(self.style), look.font("text"), look.font("label!")
        base = box.top + big.get_ascent()
        figure = rendered(big, percent(chance.share) if chance else "…", look.colour("bright"))
        surface.blit(figure, (box.right - figure.get_width(), box.top))
        room = box.right - figure.get_width() - look.px(10)
        if chance:
            bounds = rendered(text, between(chance), look.colour("quiet"))
            room -= bounds.get_width()
            surface.blit(bounds, (room, base - text.get_ascent()))
        name = rendered(bold, shortened(bold, self.label, room - box.left), look.colour("text"))
        surface.blit(name, (box.left, base - bold.get_ascent()))
        bar = pygame.Rect(box.left, box.top + big.get_linesize() + look.px(2), box.width, look.px(10))
        draw_band(surface, look, bar, chance, self.colour)


class LiveText(Widget):
    """Text that wraps and is asked for while it is drawn; its height is that of when it was placed."""

    def __init__(self, text: Callable[[], str], style: str = "small", colour: str = "quiet") -> None:
        super().__init__()
        self.text, self.style, self.colour = text, style, colour
        self._laid: tuple[str, int, Block] | None = None

    def _block(self, look: Look, width: int) -> Block:
        text = t(self.text())
        if self._laid is None or self._laid[:2] != (text, width):
            self._laid = (text, width, Block(look, [Run(text, self.colour, self.style)], width))
        return self._laid[2]

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return self._block(look, width).size

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        self._block(look, self.rect.width).draw(surface, *self.rect.topleft)


class FigureTile(Widget):
    """A figure over its name, asked for while drawing; its tooltip, too."""

    def __init__(self, name: str, figure: Callable[[], str], told: Callable[[], str] = str) -> None:
        super().__init__()
        self.name, self.figure, self.told = name, figure, told
        self.grow = 1

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        wide = max(look.font("small").size(self.name)[0], look.font("heading").size("00.0 %")[0])
        high = look.font("heading").get_linesize() + look.font("small").get_linesize() + look.px(4)
        return (wide + look.px(10), high)

    def tip_at(self, pos: tuple[int, int]) -> Tip | None:
        return Tip(told, self.name) if (told := self.told()) else None

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        look.panel(surface, self.rect, fill="raised", edge="", radius=7)
        figure = line(look, self.figure(), "heading", "bright")
        name = line(look, self.name, "small", "quiet", self.rect.width - look.px(4))
        surface.blit(figure, figure.get_rect(midtop=(self.rect.centerx, self.rect.top + look.px(1))))
        surface.blit(name, name.get_rect(midbottom=(self.rect.centerx, self.rect.bottom - look.px(3))))


class Histogram(Widget):
    """Shares of the fights by how many of a side were lost, each bar with its number under it."""

    def __init__(self, forecast: Callable[[], Forecast], side: str) -> None:
        super().__init__()
        self.forecast, self.side = forecast, side

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.px(34) + look.font("small").get_linesize())

    def _boxes(self) -> list[tuple[float, pygame.Rect]]:
        """From nobody lost to all of them: the share, and where its bar may be."""
        found, box, gap = self.forecast(), self.rect, 4
        own = found.side(self.side)
        wide, boxes = (box.width + gap) / (own.creatures + 1), []
        for number in range(own.creatures + 1):
            share = own.losses_spread.get(number, 0) / found.runs if found.runs else 0.0
            left = box.left + round(number * wide)
            boxes.append((share, pygame.Rect(left, box.top, round(wide) - gap, box.height)))
        return boxes

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        small = look.font("small")
        room, boxes = self.rect.height - small.get_linesize(), self._boxes()
        top = max(share for share, _ in boxes) or 1.0
        for number, (share, box) in enumerate(boxes):
            high = max(look.px(1), round(room * share / top)) if share else look.px(1)
            bar = pygame.Rect(box.left, self.rect.top + room - high, box.width, high)
            tone = "teal" if number == 0 else "coral" if number == len(boxes) - 1 else "amber"
            pygame.draw.rect(surface, look.colour(tone if share else "hairline"), bar, 0, look.px(2))
            text = rendered(small, str(number), look.colour("quiet" if share else "faint"))
            surface.blit(text, text.get_rect(midtop=(box.centerx, self.rect.top + room)))

    def tip_at(self, pos: tuple[int, int]) -> Tip | None:
        for number, (share, box) in enumerate(self._boxes()):
            if box.collidepoint(pos):
                told = text("{number} of the {side} lost", number, self.side) if number else "Nobody lost"
                return Tip(text("{number}: {share}", told, percent(share)))
        return None


SECONDS: tuple[str, Say, Say] = (
    "Seconds", lambda base, _: f"{base.turns.mean:.1f}",
    lambda base, _: text("A fight takes {turns} seconds.", around(base.turns)),
)  # fmt: skip
"""The figure in the place of the turns under rules that count seconds, where nothing is broken off after turns."""
TILES: tuple[tuple[str, Say, Say], ...] = (
    (
        "{side} lost", lambda _, own: f"{own.losses.mean:.1f}",
        lambda _, own: text("Out of the fight when it ends: {losses} of {creatures} {side}.",
                            around(own.losses), own.creatures, own.side),
    ),
    (
        "Wiped out", lambda _, own: percent(own.wiped_out.share),
        lambda _, own: text("Nobody of the {side} is left in {wiped_out} of the fights.",
                            own.side, between(own.wiped_out)),
    ),
    (
        "Turns", lambda base, _: f"{base.turns.mean:.1f}",
        lambda base, _: text("A fight takes {turns} turns.", around(base.turns)),
    ),
    (
        "Undecided", lambda base, _: percent(base.undecided.share),
        lambda base, _: "Not over when the computer stopped playing; the method says when.",
    ),
)  # fmt: skip
"""The figures under the chances: what they are called, what they say, and their tooltips."""


def figures_of(board: Board) -> list[tuple[str, Say, Say]]:
    """The figures under the chances, by what the board's rules count."""
    return [SECONDS if board.now is not None and tile[0] == "Turns" else tile for tile in TILES]


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
            text = line(look, t(name), "small", "quiet")
            place = text.get_rect(midleft=box.midleft) if name == "Falls" else text.get_rect(midright=box.midright)
            surface.blit(text, place)


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
        self, forecast: Callable[[], Forecast], number: int, portrait: Portrait, on_press: Callable[[], None], *,
        key: str, tight: bool,
    ) -> None:  # fmt: skip
        super().__init__(on_press, key=key)
        self.forecast, self.number, self.portrait, self.tight = forecast, number, portrait, tight

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.px(ROW))

    def tip_at(self, pos: tuple[int, int]) -> Tip | None:
        found = self.forecast()
        if not found.runs:
            return None
        c = found.creatures[self.number]
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
        found, box = self.forecast(), self.rect
        c = found.creatures[self.number]
        side = look.px(ROW - 4)
        image = self.portrait(side)
        surface.blit(image, image.get_rect(midleft=(box.left + look.px(2), box.centery)))
        places = columns(look, box, self.tight)
        left = box.left + side + look.px(8)
        name = line(look, c.name, "text", "text", places[0].left - left - look.px(8))
        surface.blit(name, (left, box.centery - look.font("text").get_linesize() // 2))
        if not found.runs:
            return
        falls = line(look, percent(c.falls.share), "text!", "coral" if c.falls.share > 0.5 else "bright")
        surface.blit(falls, falls.get_rect(midright=places[0].midright))
        bar = pygame.Rect(places[0].left, 0, places[0].width - look.px(FIGURE), look.px(6))
        bar.centery = places[0].centery
        if bar.width > 0:
            draw_band(surface, look, bar, c.falls, (206, 96, 70))
        left_over = Text.of("{mean} / {hp_max}", mean=f"{c.hp_left.mean:.1f}", hp_max=c.hp_max)
        figures = (percent(c.dies.share), f"{c.dealt.mean:.1f}", f"{c.taken.mean:.1f}", left_over)
        for figure, place in zip(figures, places[1:], strict=True):
            text = line(look, figure, "text", "faint" if figure in ("0 %", "0.0") else "bright")
            surface.blit(text, text.get_rect(midright=place.midright))


class VariantLine(Pressable):
    """A change to the encounter: a click plays it beside the encounter as it is, another lets it rest."""

    def __init__(
        self, label: str, forecast: Callable[[], Forecast | None], difference: Callable[[], Difference | None],
        base: Callable[[], Forecast], *, side: str, on_press: Callable[[], None], playing: bool = False,
        fixed: bool = False, tight: bool = False, key: str = "",
    ) -> None:  # fmt: skip
        super().__init__(on_press, key=key)
        self.label, self.forecast, self.difference, self.base, self.side = (label, forecast, difference, base, side)
        self.playing, self.fixed, self.tight = playing, fixed, tight

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.px(ROW))

    def tip_at(self, pos: tuple[int, int]) -> Tip | None:
        found, change = self.forecast(), self.difference()
        if found is None or not found.runs:
            told = "Plays the encounter with this change beside it as it is, with the same dice to begin with."
            return Tip(told, self.label)
        side = found.side(self.side)
        words = "{side} win {share} ({wins}) of {runs} fights, lose {losses}."
        told = text(words, side=self.side.title(), share=percent(side.wins.share), wins=between(side.wins),
                    runs=found.runs, losses=around(side.losses))  # fmt: skip
        if change is not None:
            bounds = text("{low} to {high}", whole_points(change.low), whole_points(change.high))
            luck = "more than luck" if change.clear else "it may be luck"
            words = "{told}\nOver the fights both have played: {share} points ({bounds}), {luck}."
            told = text(words, told, whole_points(change.share), bounds, luck)
        return Tip(told, self.label)

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        if self.hovered or self.focused:
            self.plate(surface, look)
        box, found = self.rect, self.forecast()
        self._box(surface, look, box)
        left = box.left + look.px(30)
        right = box.right - look.px(EDGE + (SCROLL if self.fixed else 0))
        room = right - look.px((0 if self.tight else LOST) + DIFFERENCE + CHANCE) - left
        style, wide = "text!" if self.fixed else "text", min(look.px(210), room)
        name = line(look, self.label, style, "bright" if self.playing else "quiet", wide)
        surface.blit(name, (left, box.centery - look.font(style).get_linesize() // 2))
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
        side, change = found.side(self.side), self.difference()
        parts = [] if self.tight else [(f"{side.losses.mean:.1f}", "text", "text", LOST)]
        words, tone = "", "quiet"
        if change is not None:
            tone = "quiet" if not change.clear else ("teal" if change.share > 0 else "coral")
            low, high = whole_points(change.low), whole_points(change.high)
            words = t(Text.of("{share} ({low} to {high})", share=whole_points(change.share), low=low, high=high))
        parts += [(words, "text", tone, DIFFERENCE), (percent(side.wins.share), "text!", "bright", CHANCE)]
        for figure, style, colour, wide in parts:
            text = line(look, figure, style, colour)
            surface.blit(text, text.get_rect(midright=(right, self.rect.centery)))
            right -= look.px(wide)
        return right


class VariantHeads(Widget):
    """The heads of the comparison's columns."""

    def __init__(self, side: str) -> None:
        super().__init__()
        self.side = side
        self.grow = 1

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (look.px(LOST + DIFFERENCE + CHANCE), look.font("small").get_linesize())

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        right = self.rect.right - look.px(EDGE + SCROLL)
        for words, wide in (("lost", LOST), ("difference", DIFFERENCE), (Text.of("{side} win", side=self.side), 0)):
            text = line(look, t(words), "small", "quiet")
            surface.blit(text, text.get_rect(midright=(right, self.rect.centery)))
            right -= look.px(wide)
