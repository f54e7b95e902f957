"""Figures at a glance: bars, pips, stat tiles, chips with portraits and small charts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import pygame

from game.app.i18n import t
from game.view.boardview import BoardView
from game.view.palette import INK, PAPER, side_look
from game.widgets.controls import Pressable
from game.widgets.core import Draggable, Tip, Widget
from game.widgets.text import Block, Run, called, in_lines, line, said
from game.widgets.theme import Colour, Look
from rules.contract.display import Pack
from rules.contract.text import text
from rules.contract.units import Cell
from rules.core.dice import plain, signed

After = Callable[[], int | None] | None
"""Asked while drawing: how many points a plan would leave, None where nothing is planned."""

TONES = {"points": "gold", "mana": "blue", "faith": "teal"}


def health_tone(value: int, maximum: int) -> str:
    """Green, amber, red by what is left."""
    share = value / maximum if maximum else 0
    return "green" if share > 0.5 else ("amber" if share > 0.25 else "red")


class BarFigure(Widget):
    """A pool: its name, its figure and its length."""

    def __init__(self, label: str, value: int, maximum: int, tone: str = "health", *, tip: Tip | None = None) -> None:
        super().__init__(tip=tip)
        self.label, self.value, self.maximum, self.tone = label, value, maximum, tone

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.font("text").get_linesize() + look.px(13))

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        figure = line(look, text("{value} / {maximum}", plain(self.value), self.maximum), "text!", "bright")
        room = self.rect.width - figure.get_width() - look.px(8)
        surface.blit(line(look, self.label, "text", "text", room), self.rect.topleft)
        surface.blit(figure, figure.get_rect(topright=self.rect.topright))
        top = self.rect.top + look.font("text").get_linesize() + look.px(2)
        bar = pygame.Rect(self.rect.left, top, self.rect.width, look.px(8))
        pygame.draw.rect(surface, look.colour("night"), bar, 0, look.px(4))
        share = max(0.0, min(1.0, self.value / self.maximum)) if self.maximum else 0.0
        colour = TONES.get(self.tone) or health_tone(self.value, self.maximum)
        if share:
            full = pygame.Rect(bar.left, bar.top, max(bar.height, round(bar.width * share)), bar.height)
            pygame.draw.rect(surface, look.colour(colour), full, 0, look.px(4))


class PipsFigure(Widget):
    """Action points as pips; those that a plan would take are hollow."""

    def __init__(self, label: str, value: int, after: After = None, *, tip: Tip | None = None) -> None:
        super().__init__(tip=tip)
        self.label, self.value, self.after = t(label), value, after

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.font("text").get_linesize())

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        surface.blit(line(look, self.label, "text", "text"), self.rect.topleft)
        after = self.after() if self.after else None
        draw_pips(surface, look, self.value, after, right=self.rect.right, y=self.rect.centery, size=7)


def draw_pips(
    surface: pygame.Surface,
    look: Look,
    value: int,
    after: int | None = None,
    *,
    right: int | None = None,
    centre: int | None = None,
    y: int = 0,
    size: float = 5,
    most: int = 12,
) -> None:
    """Gold squares, one a point, with those that will be spent left hollow; more than `most` as a figure."""
    side, gap = look.px(size), look.px(3)
    if value > most:
        words = f"{value}›{after}" if after is not None and after != value else str(value)
        text = line(look, words, "small", "gold")
        box = text.get_rect(midright=(right, y)) if right is not None else text.get_rect(center=(centre or 0, y))
        surface.blit(text, box)
        return
    if value > 0:
        left = value if after is None else after
        row = _pips(value, left, side=side, gap=gap, line=look.px(1), colour=look.colour("gold"))
        x = right - row.get_width() if right is not None else (centre or 0) - row.get_width() // 2
        surface.blit(row, (x, y - side // 2))


@lru_cache(maxsize=256)
def _pips(value: int, left: int, *, side: int, gap: int, line: int, colour: Colour) -> pygame.Surface:
    """So many pips in a row, hollow from the one after those that are left."""
    row = pygame.Surface((value * (side + gap) - gap, side), pygame.SRCALPHA)
    for number in range(value):
        box = pygame.Rect(number * (side + gap), 0, side, side)
        pygame.draw.rect(row, colour, box, line if number >= left else 0, max(1, side // 4))
    return row


class StatTile(Widget):
    """A figure over its name."""

    def __init__(self, name: str, figure: str, *, tip: Tip | None = None) -> None:
        super().__init__(tip=tip)
        self.name, self.figure = t(name), figure
        self.grow = 1

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        wide = max(look.width(self.name, "small"), look.width(self.figure, "heading"))
        high = look.font("heading").get_linesize() + look.font("small").get_linesize() + look.px(4)
        return (wide + look.px(8), high)

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        look.panel(surface, self.rect, fill="raised", edge="", radius=7)
        figure = line(look, self.figure, "heading", "bright")
        name = line(look, self.name, "small", "quiet", self.rect.width)
        surface.blit(figure, figure.get_rect(midtop=(self.rect.centerx, self.rect.top + look.px(1))))
        surface.blit(name, name.get_rect(midbottom=(self.rect.centerx, self.rect.bottom - look.px(3))))


Portrait = Callable[[int], pygame.Surface]
"""A picture for a size in pixels."""


class Picture(Widget):
    """A picture of a fixed size (at 100 %)."""

    def __init__(self, portrait: Portrait, size: float, *, tip: Tip | None = None) -> None:
        super().__init__(tip=tip)
        self.portrait, self.square = portrait, size

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        image = self.portrait(look.px(self.square))
        surface.blit(image, image.get_rect(center=self.rect.center))


class IconButton(Pressable):
    """A small square button with an icon; `picture` gives it by size in pixels and colour, or None."""

    square, radius = 26, 6

    def __init__(
        self,
        picture: Callable[[int, tuple[int, int, int]], pygame.Surface | None],
        on_press: Callable[[], None],
        *,
        key: str,
        tip: Tip | None = None,
        chosen: bool = False,
    ) -> None:
        super().__init__(on_press, key=key, tip=tip)
        self.picture = picture
        self.chosen = chosen
        """It stands for something that is on."""

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        if self.enabled and (self.hovered or self.focused or self.chosen):
            self.plate(surface, look)
        r, g, b = look.colour("gold" if self.chosen else "text" if self.enabled else "hairline")[:3]
        image = self.picture(look.px(18), (r, g, b))
        if image is not None:
            surface.blit(image, image.get_rect(center=self.rect.center))


class Chip(Pressable):
    """A creature in the order of play: portrait, points, name; gold while it acts."""

    def __init__(
        self,
        name: str,
        portrait: Portrait,
        points: int,
        on_press: Callable[[], None],
        *,
        active: bool = False,
        following: Callable[[], bool] | None = None,
        done: bool = False,
        after: After = None,
        tip: Tip | None = None,
        key: str = "",
        compact: bool = False,
        width: float = 62,
        ticked: bool = False,
        mark: str = "",
        rows: int = 1,
    ) -> None:
        super().__init__(on_press, key=key, tip=tip)
        self.rows = rows
        """Lines that there are for names: of some that stand side by side, one may need two."""
        self.mark = mark
        """A word or figure at its upper left: its place in the marching order."""
        self.name, self.portrait, self.points, self.after = name, portrait, points, after
        self.active = self.chosen = active
        self.following, self.done, self.compact = following, done, compact
        self.width = width
        self.ticked = ticked
        """What it will do is settled."""

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        if self.compact:
            return (look.px(44), look.px(54))
        return (look.px(self.width), look.px(50) + self.rows * look.font("small").get_linesize())

    @classmethod
    def rows_for(cls, look: Look, names: Iterable[str], width: float) -> int:
        """How many lines some names need in chips of a width (at 100 %): 1 or 2."""
        font, room = look.font("small"), look.px(width) - look.px(4)
        return max((len(in_lines(font, name, room)) for name in names), default=1)

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        if self.active or self.hovered or self.focused:
            self.plate(surface, look)
        elif self.following and self.following():
            look.panel(surface, self.rect, fill="raised", edge="faint", radius=8)
        image = self.portrait(look.px(38))
        if self.done:
            image = image.copy()
            image.set_alpha(90)
        box = image.get_rect(midtop=(self.rect.centerx, self.rect.top + look.px(3)))
        surface.blit(image, box)
        if self.ticked:
            draw_tick(surface, look, (box.right - look.px(3), box.top + look.px(6)))
        if self.mark:
            word = line(look, self.mark, "small", "gold")
            plate = word.get_rect(midleft=(box.left - look.px(6), box.top + look.px(7))).inflate(look.px(6), 0)
            look.panel(surface, plate, fill="night", edge="hairline", radius=6)
            surface.blit(word, word.get_rect(center=plate.center))
        after, (size, most) = self.after() if self.after else None, (4, 6) if self.compact else (5, 7)
        y = box.bottom + look.px(4)
        draw_pips(surface, look, self.points, after, centre=self.rect.centerx, y=y, size=size, most=most)
        if not self.compact:
            font, room, ink = look.font("small"), self.rect.width - look.px(4), "faint" if self.done else "text"
            told = in_lines(font, self.name, room) if self.rows > 1 else (called(font, self.name, room),)
            top = self.rect.bottom - look.px(1) - self.rows * font.get_linesize()
            for name in told:
                text = line(look, name, "small", ink)
                surface.blit(text, text.get_rect(midtop=(self.rect.centerx, top)))
                top += font.get_linesize()


def draw_tick(surface: pygame.Surface, look: Look, centre: tuple[int, int]) -> None:
    """A tick on a dark disc: settled."""
    x, y, r = *centre, look.px(7)
    pygame.draw.circle(surface, look.colour("night"), centre, r + look.px(1))
    pygame.draw.circle(surface, look.colour("green"), centre, r)
    ends = ((x - r * 0.5, y), (x - r * 0.1, y + r * 0.42), (x + r * 0.55, y - r * 0.42))
    pygame.draw.lines(surface, look.colour("night"), False, ends, max(2, look.px(2)))


class PackFigure(Widget):
    """The room of a pack as a row of cells: what is filled, what only burdens, what is free."""

    def __init__(self, pack: Pack, *, tip: Tip | None = None) -> None:
        super().__init__(tip=tip)
        self.pack = pack

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.font("text").get_linesize() + look.px(15))

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        cells = [held for held in self.pack.held for _ in range(held.slots)]
        surface.blit(line(look, t(self.pack.label), "text", "text"), self.rect.topleft)
        full = "coral" if len(cells) >= self.pack.room else "bright"
        figure = line(look, text("{used} / {room}", len(cells), self.pack.room), "text!", full)
        surface.blit(figure, figure.get_rect(topright=self.rect.topright))
        count = max(self.pack.room, len(cells))
        gap, top = look.px(2), self.rect.top + look.font("text").get_linesize() + look.px(2)
        wide = (self.rect.width + gap) / count
        for number in range(count):
            left, right = round(number * wide), round((number + 1) * wide) - gap
            box = pygame.Rect(self.rect.left + left, top, right - left, look.px(10))
            held = cells[number] if number < len(cells) else None
            tone = "night" if held is None else "coral" if held.tone else "gold"
            joined = number > 0 and number < len(cells) and cells[number - 1] is held and held.slots > 1
            if joined:  # what takes two slots is one piece
                box = box.union(box.move(-gap, 0))
            pygame.draw.rect(surface, look.colour(tone), box, 0, look.px(2))


class Chart(Widget):
    """A distribution as bars: `(figure, chance, tone)`; the ends are labelled by the card around it."""

    def __init__(self, bars: Sequence[tuple[str, float, str]], height: float = 46) -> None:
        super().__init__()
        self.bars, self.height = list(bars), height

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.px(self.height))

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        if not self.bars:
            return
        gap = look.px(2)
        wide = (self.rect.width + gap) / len(self.bars)
        # "no harm" may tower over all: cut off, its tip says how much
        top = max((chance for _, chance, _ in self.bars[1:]), default=0.0) * 1.15 or 1.0
        for number, (_, chance, tone) in enumerate(self.bars):
            high = max(look.px(1), round(self.rect.height * min(1.0, chance / top)))
            left, right = round(number * wide), round((number + 1) * wide) - gap
            box = pygame.Rect(self.rect.left + left, self.rect.bottom - high, right - left, high)
            pygame.draw.rect(surface, look.colour(tone), box, 0, look.px(2))

    def tip_at(self, pos: tuple[int, int]) -> Tip | None:
        if not self.bars:
            return None
        index = (pos[0] - self.rect.left) * len(self.bars) // max(1, self.rect.width)
        figure, chance, _ = self.bars[max(0, min(index, len(self.bars) - 1))]
        return Tip(text("{figure}: {chance}", figure, f"{chance:.1%}"))


class Rule(Widget):
    """A hairline, across or down."""

    def __init__(self, *, down: bool = False) -> None:
        super().__init__()
        self.down = down

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (look.px(1), look.px(40)) if self.down else (width, look.px(1))

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        surface.fill(look.colour("hairline")[:3], self.rect)


class Live(Widget):
    """One line of text that is asked for while drawing, so that nothing else moves when it changes.

    It takes all the width there is; where it `fits`, what it says now and two letters more.
    """

    def __init__(
        self, text: Callable[[], str], colour: str = "quiet", kind: str = "small", *, fits: bool = False
    ) -> None:
        super().__init__()
        self.text, self.colour, self.kind, self.fits = text, colour, kind, fits
        self.yields = fits

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        font = look.font(self.kind)
        wide = min(width, font.size(t(self.text()) + "00")[0]) if self.fits else width
        return (wide, font.get_linesize())

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        surface.blit(line(look, self.text(), self.kind, self.colour, self.rect.width), self.rect.topleft)


class LiveLines(Widget):
    """Some lines of text that are asked for while drawing: always as high, whatever they say."""

    def __init__(self, text: Callable[[], str], colour: str = "quiet", kind: str = "small", *, lines: int) -> None:
        super().__init__()
        self.text, self.colour, self.kind, self.lines = text, colour, kind, lines

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (0, self.lines * (look.font(self.kind).get_linesize() + look.px(2)))

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        words = Block(look, (said(Run(self.text(), self.colour, self.kind)),), self.rect.width)
        words.draw(surface, self.rect.left, self.rect.top)


DIGITS = 2
"""Digits of a score and of what it is made of; a reason that comes to nothing in them is none."""


class ReasonBar(Widget):
    """One addend of a score; `most` is the weight whose bar has full length."""

    BAR, FIGURE = 76, 44

    def __init__(self, text: str, value: float, most: float) -> None:
        super().__init__()
        self.text, self.value, self.most = text, value, max(most, 1e-9)

    def _block(self, look: Look, width: int) -> Block:
        return Block(look, [Run(self.text, "text", "small")], width - look.px(self.BAR + self.FIGURE + 10))

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, max(self._block(look, width).size[1], look.font("small").get_linesize()) + look.px(2))

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        rect = self.rect
        block = self._block(look, rect.width)
        block.draw(surface, rect.left, rect.top + (rect.height - block.size[1]) // 2)
        figure = line(look, signed(self.value, DIGITS), "small", "bright")
        surface.blit(figure, figure.get_rect(midright=rect.midright))
        bar = pygame.Rect(0, 0, look.px(self.BAR), look.px(8))
        bar.midright = (rect.right - look.px(self.FIGURE), rect.centery)
        pygame.draw.rect(surface, look.colour("night"), bar, 0, look.px(4))
        half = bar.width // 2
        length = max(look.px(2), round(min(1.0, abs(self.value) / self.most) * half))
        full = pygame.Rect(bar.centerx if self.value > 0 else bar.centerx - length, bar.top, length, bar.height)
        pygame.draw.rect(surface, look.colour("teal" if self.value > 0 else "coral"), full, 0, look.px(2))
        pygame.draw.line(surface, look.colour("quiet"), (bar.centerx, bar.top - look.px(1)), bar.midbottom)


_CORNERS = {4: 3, 6: 4, 8: 4, 10: 4, 12: 5, 20: 6}
"""Corners of the outline of the dice that are sold everywhere; others are drawn round."""


class DieFigure(Widget):
    """A die of so many faces, with what it shows (the faces' number while it shows nothing)."""

    def __init__(self, faces: int, shown: str = "", size: float = 78) -> None:
        super().__init__()
        self.faces, self.shown, self.square = faces, shown, size

    def outline(self, middle: tuple[int, int], radius: float) -> list[tuple[float, float]]:
        """The corners of the die as one sees it from above."""
        x, y = middle
        if self.faces == 6:
            side = radius * 0.8
            return [(x - side, y - side), (x + side, y - side), (x + side, y + side), (x - side, y + side)]
        if self.faces == 10:
            return [(x, y - radius), (x + radius * 0.86, y + radius * 0.12), (x, y + radius),
                    (x - radius * 0.86, y + radius * 0.12)]  # fmt: skip
        count = _CORNERS.get(self.faces, 12)
        return [
            (x + radius * math.sin(math.tau * k / count), y - radius * math.cos(math.tau * k / count))
            for k in range(count)
        ]

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        middle, radius = self.rect.center, look.px(self.square) * 0.48
        corners = self.outline(middle, radius)
        pygame.draw.polygon(surface, look.colour("raised"), corners)
        inner = [(middle[0] + (px - middle[0]) * 0.62, middle[1] + (py - middle[1]) * 0.62) for px, py in corners]
        if self.faces in (8, 12, 20):
            pygame.draw.aalines(surface, look.colour("faint"), True, inner)
            for corner, near in zip(corners, inner, strict=True):
                pygame.draw.aaline(surface, look.colour("faint"), corner, near)
        for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
            pygame.draw.line(surface, look.colour("gold"), start, end, look.px(2))
        font = look.font("figure" if self.shown else "heading")
        text = font.render(self.shown or f"d{self.faces}", True, look.colour("bright" if self.shown else "gold"))
        drop = round(radius * 0.12) if self.faces == 4 else 0
        surface.blit(text, text.get_rect(center=(middle[0], middle[1] + drop)))


FLOOR, WATER, SOLID = (86, 97, 110), (58, 92, 118), (36, 42, 51)


class SmallMap(Draggable):
    """As large as its room lets the known ground be; a press (or a drag) looks there."""

    restless = True  # it shows where the camera is

    def __init__(self, view: BoardView, look_at: Callable[[Cell], None], room: tuple[int, int]) -> None:
        super().__init__(key="small map", tip=Tip("The known ground; a press looks there.", "Small map"))
        self.view, self.look_at, self.room = view, look_at, room
        self._made: tuple[object, pygame.Surface] | None = None

    @property
    def unit(self) -> int:
        """Pixels of a space."""
        bounds = self.view.camera.bounds
        return max(1, min(self.room[0] // bounds.width, self.room[1] // bounds.height))

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        bounds = self.view.camera.bounds
        return (bounds.width * self.unit, bounds.height * self.unit)

    def _ground(self) -> pygame.Surface:
        """The known ground, drawn anew where more has come to be known."""
        ground, bounds, unit = self.view.ground, self.view.camera.bounds, self.unit
        plan, known = ground.plan, ground.veil.known
        asked = (known, tuple(bounds), unit, ground.doors)
        if self._made is None or self._made[0] != asked:
            picture = pygame.Surface((bounds.width * unit, bounds.height * unit))
            picture.fill(INK)
            for row in range(bounds.top, bounds.bottom):
                for column in range(bounds.left, bounds.right):
                    if known >> row * plan.width + column & 1:
                        wet = plan.material(column, row) in ("water", "shallows")
                        colour = WATER if wet else FLOOR if plan.is_floor(column, row) else SOLID
                        picture.fill(colour, ((column - bounds.left) * unit, (row - bounds.top) * unit, unit, unit))
            self._made = (asked, picture)
        return self._made[1]

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        surface.blit(self._ground(), self.rect)
        camera, unit = self.view.camera, self.unit
        board = self.view.board
        here = [mini for mini in board.miniatures if camera.shows(mini.cell)] if board is not None else []
        for mini in here:
            size = max(3, unit * mini.size)
            spot = pygame.Rect(self._at(camera.at(mini.cell)), (size, size))
            if not mini.out:
                pygame.draw.rect(surface, INK, spot.inflate(2, 2))
                pygame.draw.rect(surface, side_look(mini.side).colour, spot)
            if mini.active and not mini.out:
                pygame.draw.rect(surface, PAPER, spot.inflate(4, 4), 1)
        (x, y), view = camera.origin, camera.viewport
        left, top = self._at(((view.left - x) / camera.zoom, (view.top - y) / camera.zoom))
        right, bottom = self._at(((view.right - x) / camera.zoom, (view.bottom - y) / camera.zoom))
        shown = pygame.Rect(left, top, right - left, bottom - top)
        pygame.draw.rect(surface, look.colour("gold"), shown.clip(self.rect), max(1, look.px(1)))

    def _at(self, place: tuple[float, float]) -> tuple[int, int]:
        """The pixel of a place given in columns and rows."""
        bounds, unit = self.view.camera.bounds, self.unit
        return (
            self.rect.left + round((place[0] - bounds.left) * unit),
            self.rect.top + round((place[1] - bounds.top) * unit),
        )

    def drag(self, event: pygame.event.Event) -> None:
        bounds, unit = self.view.camera.bounds, self.unit
        column = (event.pos[0] - self.rect.left) // unit + bounds.left
        row = (event.pos[1] - self.rect.top) // unit + bounds.top
        if bounds.collidepoint(column, row):
            self.look_at(row * self.view.field.width + column)
