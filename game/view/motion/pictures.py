"""The pictures of motion: where a moving miniature is, blows, arrows, rising words and the dice on their tray."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import pygame

from game.view.camera import Camera
from game.view.palette import BONE, CORAL, GOLD, HAIRLINE, INK, PANEL, PAPER, TEXT, Colour, alpha, render
from rules.contract.events import Roll, Throw
from rules.contract.text import text
from rules.core.dice import plain, signed

TILE = 30
PAD = 12
MARGIN = 12
"""Pixels between the tray and the panels, where there is so much room."""
STRIDE = 24
"""Pixels between the places that are tried for the tray."""


@dataclass(frozen=True)
class Row:
    """One roll: what it is for, its dice, its adjustments and total."""

    label: str
    throws: tuple[Throw, ...]
    plus: int
    total: int


@dataclass(frozen=True)
class Tray:
    """All rolls of one event, with the word that sums them up."""

    rows: tuple[Row, ...]
    verdict: str
    title: str = ""
    """Who throws, and at whom: the log may be folded."""

    def size(self, scale: float = 1.0) -> tuple[int, int]:
        """Width and height in pixels, the same from the first tumble to the verdict."""
        panels = [_row_picture(row, _settled(row), scale) for row in self.rows]
        verdict = _verdict(self.verdict, scale)
        title = self._head(scale)
        width = max(verdict.get_width(), *(panel.get_width() for panel in panels))
        gap, pad = round(4 * scale), round(PAD * scale)
        height = sum(panel.get_height() + gap for panel in panels) + verdict.get_height()
        if title is not None:
            width, height = max(width, title.get_width()), height + title.get_height() + gap
        return width + 2 * pad, height + 2 * pad - gap

    def place(
        self, free: pygame.Rect, clear: Sequence[pygame.Rect], others: Sequence[pygame.Rect] = (), scale: float = 1.0
    ) -> pygame.Rect:
        """Where in `free` it hides the least of `clear`, whoever the throw is about, then of the others."""
        width, height = self.size(scale)
        inner = free.inflate(-2 * MARGIN, -2 * MARGIN)
        lefts = [inner.centerx - width // 2, inner.left, inner.right - width]
        tops = [inner.bottom - height, inner.top]
        spots = [pygame.Rect(x, y, width, height) for y in tops for x in lefts]
        spots += [
            pygame.Rect(x, y, width, height)
            for y in range(inner.top, inner.bottom - height, STRIDE)
            for x in range(inner.left, inner.right - width, STRIDE)
        ]

        def hidden(spot: pygame.Rect) -> int:
            return 8 * sum(overlap(spot, r) for r in clear) + sum(overlap(spot, r) for r in others)

        return min(spots, key=hidden)

    def fitted(
        self, free: pygame.Rect, clear: Sequence[pygame.Rect], others: Sequence[pygame.Rect], scale: float
    ) -> tuple[pygame.Rect, float]:
        """A place and a scale: the one asked for, or as near below it as hides nobody it is about.

        It always lies in `free`: where it must hide somebody, it is as small as can still be read.
        """
        for share in (1.0, 0.85, 0.7, 0.55):
            box = self.place(free, clear, others, scale * share)
            if free.contains(box) and box.collidelist(list(clear)) < 0:
                return box, scale * share
        for share in (0.55, 0.4):
            box = self.place(free, clear, others, scale * share)
            if free.contains(box):
                break
        return box.clamp(free), scale * share

    def draw(self, surface: pygame.Surface, box: pygame.Rect, share: float, scale: float = 1.0) -> None:
        """Draw it into `box` (of its `size`); `share` 0..1 of the tumbling is over."""
        panels = [_row_picture(row, _tumble(row, share), scale) for row in self.rows]
        verdict = _verdict(self.verdict, scale)
        pad = round(PAD * scale)
        box = box.clamp(surface.get_rect())
        surface.blit(_panel(box.size, round(10 * scale)), box)
        y = box.top + pad
        if (title := self._head(scale)) is not None:
            surface.blit(title, (box.left + pad, y))
            y += title.get_height() + round(4 * scale)
        for picture in panels:
            surface.blit(picture, (box.left + pad, y))
            y += picture.get_height() + round(4 * scale)
        if share >= 1:
            surface.blit(verdict, verdict.get_rect(midtop=(box.centerx, y - round(2 * scale))))

    def _head(self, scale: float) -> pygame.Surface | None:
        return render("bold", round(14 * scale), self.title, PAPER) if self.title else None


def trays_of(rolls: Sequence[Roll], verdict: str, title: str = "") -> Tray | None:
    """The tray of an event's rolls; None if no die was thrown."""
    rows = tuple(Row(r.label, r.throws, sum(a.value for a in r.adjustments), r.total) for r in rolls if r.throws)
    return Tray(rows, verdict, title) if rows else None


def overlap(one: pygame.Rect, other: pygame.Rect) -> int:
    """How many pixels two rectangles have in common."""
    both = one.clip(other)
    return both.width * both.height


def _settled(row: Row) -> tuple[int, ...]:
    return tuple(throw.face for throw in row.throws)


def _tumble(row: Row, share: float) -> tuple[int, ...]:
    """The faces shown now: each die settles in its turn, and turns through faces in a fixed way until then."""
    return tuple(
        throw.face
        if share >= 0.35 + 0.6 * (i + 1) / len(row.throws)
        else 1 + (throw.face + round(share * 30) * (i + 3)) % max(2, throw.rank)
        for i, throw in enumerate(row.throws)
    )


def _verdict(text: str, scale: float) -> pygame.Surface:
    return render("bold", round(16 * scale), text, GOLD)


@lru_cache(maxsize=256)
def _row_picture(row: Row, faces: tuple[int, ...], scale: float) -> pygame.Surface:
    settled = faces == _settled(row)
    side, gap = round(TILE * scale), round(5 * scale)
    label = render("text", round(14 * scale), row.label[:1].upper() + row.label[1:], TEXT)
    plus = text("{plus} = ", signed(row.plus)) if row.plus else "= "
    tail = f"{plus}{plain(row.total)}"
    total = render("bold", round(16 * scale), tail, PAPER)
    start = max(round(78 * scale), label.get_width() + 2 * gap)
    width = start + len(faces) * (side + gap) + total.get_width() + 2 * gap
    picture = pygame.Surface((width, side + 2), pygame.SRCALPHA)
    picture.blit(label, label.get_rect(midleft=(0, side // 2)))
    x = start
    for face, throw in zip(faces, row.throws, strict=True):
        picture.blit(tile(face, settled and throw.exploded, side), (x, 0))
        x += side + gap
    if settled:
        picture.blit(total, total.get_rect(midleft=(x + gap, side // 2)))
    return picture


@lru_cache(maxsize=256)
def tile(face: int, exploded: bool, size: int = TILE) -> pygame.Surface:
    """A die as a bone-coloured tile with its face; gold if it exploded."""
    colour: Colour = GOLD if exploded else BONE
    picture = pygame.Surface((size, size), pygame.SRCALPHA)
    box = picture.get_rect()
    pygame.draw.rect(picture, INK, box, border_radius=size // 5)
    pygame.draw.rect(picture, colour, box.inflate(-3, -3), border_radius=size // 6)
    pygame.draw.line(picture, alpha(PAPER, 255), (5, 3), (size - 6, 3))
    number = render("bold", round(size * 0.58), str(face), INK)
    picture.blit(number, number.get_rect(center=box.center))
    if exploded:
        pygame.draw.rect(picture, CORAL, box.inflate(-1, -1), 1, border_radius=size // 5)
    return picture


@lru_cache(maxsize=32)
def _panel(size: tuple[int, int], radius: int) -> pygame.Surface:
    picture = pygame.Surface(size, pygame.SRCALPHA)
    pygame.draw.rect(picture, alpha(PANEL, 235), picture.get_rect(), border_radius=radius)
    pygame.draw.rect(picture, HAIRLINE, picture.get_rect(), 1, border_radius=radius)
    return picture


FLOAT = 0.9
"""Seconds that a figure rises."""
WORD = 2.0
"""The same for words, which have to be read."""

Place = tuple[float, float, int]
"""Column, row and size of a miniature as it is shown."""


def eased(share: float) -> float:
    """Slow, fast, slow."""
    share = max(0.0, min(1.0, share))
    return share * share * (3 - 2 * share)


@dataclass
class Motion:
    """One stretch of time in which something moves; `start` is set when its turn comes."""

    seconds: float
    mini: str = ""
    points: tuple[tuple[float, float], ...] = ()
    kind: str = "walk"
    """`walk`, `leap`, `stairs`, `blow`, `shot`, `spell`, `dice`, `fall`, `door`, `clock`, `wait`."""
    target: tuple[float, float] = (0.0, 0.0)
    cells: tuple[tuple[float, float], ...] = ()
    """The spaces over which a spell flashes."""
    tray: Tray | None = None
    clear: tuple[Place, ...] = ()
    """Whom the dice are about; the tray stands beside them."""
    others: tuple[Place, ...] = ()
    """Who else stands there; the tray hides as few of them as it can."""
    door: str = ""
    """Which door swings."""
    placed: tuple[pygame.Rect, float] | None = None
    """Where the dice were put, and at which scale: they stay while they hide nobody and lie under no panel."""
    placed_for: tuple[object, ...] = ()
    """The free part of the window and the places that they were put there for."""
    span: tuple[int, int] = (0, 0)
    """The seconds of the rules that a clock runs from and to."""
    hurt: str = ""
    """Who is thrown back by the blow."""
    in_vain: bool = False
    """A spell that takes hold of nothing."""
    cues: tuple[tuple[float, str], ...] = ()
    """What is still to be heard of it, by the share of its time (game/view/motion/cues.py)."""
    then: list[Callable[[], None]] = field(default_factory=list)


@dataclass
class Floating:
    """A number or word that rises and fades over a space."""

    text: str
    colour: Colour
    at: tuple[float, float]
    age: float = 0.0
    large: bool = True
    line: int = 0
    """How many words stand above it."""

    @property
    def lasts(self) -> float:
        """Seconds that it is seen."""
        return FLOAT if self.large else WORD


def draw_blow(surface: pygame.Surface, camera: Camera, motion: Motion, spot: Place, share: float) -> None:
    """An arrow on its way from `spot`, or the flash where a blow lands."""
    unit = camera.space_rect(0).width
    end = camera.to_screen(motion.target[0] + 0.5, motion.target[1] + 0.5)
    if motion.kind == "shot":
        start = camera.to_screen(spot[0] + spot[2] / 2, spot[1] + spot[2] / 2)
        tip = pygame.Vector2(start).lerp(pygame.Vector2(end), eased(share))
        way = pygame.Vector2(end) - pygame.Vector2(start)
        if way.length() > 1:
            tail = tip - way.normalize() * unit * 0.5
            pygame.draw.line(surface, INK, tail, tip, max(4, unit // 12))
            pygame.draw.line(surface, PAPER, tail, tip, max(2, unit // 24))
    elif 0.4 < share < 0.75:
        radius = unit * (0.25 + (share - 0.4))
        for i in range(6):
            angle = math.tau * i / 6 + 0.4
            a = (end[0] + math.cos(angle) * radius * 0.5, end[1] + math.sin(angle) * radius * 0.5)
            b = (end[0] + math.cos(angle) * radius, end[1] + math.sin(angle) * radius)
            pygame.draw.line(surface, GOLD, a, b, max(2, unit // 20))


def draw_tray(surface: pygame.Surface, camera: Camera, motion: Motion, share: float, scale: float) -> None:
    """The dice beside those they are about; `scale` is that of the panels."""
    if motion.tray is None:
        return
    unit = camera.zoom

    def pixels(places: tuple[Place, ...]) -> list[pygame.Rect]:
        return [pygame.Rect(camera.to_screen(x, y), (unit * size, unit * size)) for x, y, size in places]

    clear, free = pixels(motion.clear), camera.free
    now = (tuple(free), tuple(map(tuple, clear)), scale)
    if motion.placed is None or (now != motion.placed_for and not _stays(motion.placed[0], free, clear)):
        motion.placed = motion.tray.fitted(free, clear, pixels(motion.others), scale)
        motion.placed_for = now
    motion.tray.draw(surface, motion.placed[0], share, motion.placed[1])


def _stays(box: pygame.Rect, free: pygame.Rect, clear: list[pygame.Rect]) -> bool:
    """Whether dice may stay where they are: no panel has come up there, nor anybody whom they are about."""
    return free.contains(box) and box.collidelist(clear) < 0


def moved(motion: Motion, column: float, row: float, share: float) -> tuple[float, float, float]:
    """(column, row, lift in its own widths) of a miniature in the midst of a motion."""
    if motion.kind == "blow":
        reach = math.sin(math.pi * max(0.0, min(1.0, share))) * 0.36
        dx, dy = motion.target[0] - column, motion.target[1] - row
        length = math.hypot(dx, dy) or 1.0
        return column + dx / length * reach, row + dy / length * reach, 0.0
    if motion.kind == "fall":
        return column, row, 0.16 * (1 - eased(share))
    if not motion.points:
        return column, row, 0.0
    if motion.kind == "stairs":
        return (*motion.points[-1 if share >= 1.0 else 0], 0.0)
    legs = len(motion.points) - 1
    along = max(0.0, min(float(legs), share * legs))
    leg = min(int(along), legs - 1)
    part = along - leg
    smooth = eased(part) if legs == 1 else part
    (ax, ay), (bx, by) = motion.points[leg], motion.points[leg + 1]
    lift = math.sin(math.pi * part) * (0.45 if motion.kind == "leap" else 0.1)
    return ax + (bx - ax) * smooth, ay + (by - ay) * smooth, lift


def draw_float(
    surface: pygame.Surface, camera: Camera, floating: Floating, scale: float, taken: list[pygame.Rect]
) -> None:  # fmt: skip
    """A word or number where it is on its way up, below those that are `taken` up by older ones; it joins them."""
    unit = camera.space_rect(0).width
    least = 16 if floating.large else 13
    size = max(round(least * scale), round(unit * (0.42 if floating.large else 0.24)))
    x, y = camera.to_screen(*floating.at)
    y += floating.line * round(size * 1.15)
    y -= round(unit * 0.7 * eased(floating.age / floating.lasts))
    strength = round(255 * min(1.0, 2.2 * (1 - floating.age / floating.lasts)))
    pictures = [render("bold", size, floating.text, colour).copy() for colour in (INK, floating.colour)]
    rect = pictures[1].get_rect(center=(x, y))
    while (over := rect.collidelist(taken)) >= 0:
        rect.top = taken[over].bottom
    taken.append(rect)
    for picture, shift in zip(pictures, (2, 0), strict=True):
        picture.set_alpha(strength)
        surface.blit(picture, rect.move(shift, shift))
