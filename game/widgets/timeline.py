"""The timeline of rules that count time: a strip of seconds on which everybody stands where they may act next."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import pygame

from game.widgets.core import Draggable, Tip, Widget
from game.widgets.figures import Portrait
from game.widgets.text import line
from game.widgets.theme import Look
from rules.contract.display import Slot
from rules.contract.text import Text, joined, text
from rules.contract.units import Seconds

LEAST, MOST = 12, 30
"""Seconds that the strip shows at least and at most."""
HEAD = 24
"""Pixels of a portrait at 100 %."""
ROWS = 3
"""How many may stand above one another before the rest peep out behind them."""
TONES = {"spell": "blue", "shot": "gold", "effect": "teal", "helpless": "coral"}


class Timeline(Widget):
    """Seconds from now on; portraits stand over their next slots, small marks tell spells, shots and what ends.

    `after` is asked while drawing: `(id, second, label)` of whoever would stand elsewhere by what is considered.
    `clock` says what second is shown, with fractions while time runs; `told` adds a line to somebody's tooltip.
    """

    def __init__(
        self,
        slots: Sequence[Slot],
        faces: Mapping[str, tuple[str, Portrait]],
        clock: Callable[[], float],
        after: Callable[[], tuple[str, Seconds, str] | None],
        on_press: Callable[[str], None],
        *,
        asked: str | None = None,
        why: str = "",
        rows: int = ROWS,
        told: Callable[[str], str] = lambda name: "",
    ) -> None:
        super().__init__()
        self.rows = rows
        self.slots = [slot for slot in slots if slot.id in faces]
        self.faces, self.clock, self.after, self.on_press, self.asked = faces, clock, after, on_press, asked
        self.why, self.told = why, told
        """What made time stand still, in words."""
        self.beside = 0
        """Pixels of the width that something beside the strip needs."""
        self.key = "timeline"
        self._spots: list[tuple[pygame.Rect, Slot]] = []

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        words = 2 * look.font("small").get_linesize()
        return (width - self.beside, look.px(6 + self.rows * (HEAD + 2)) + words + look.px(8))

    @property
    def span(self) -> int:
        """Seconds from one end to the other."""
        turns = [slot.at for slot in self.slots if slot.kind != "effect"]
        soon = [slot.at for slot in self.slots if slot.kind == "effect" and slot.at - self.clock() < MOST // 2]
        last = max(turns + soon, default=0) - int(self.clock())
        return max(LEAST, min(MOST, last + 3))

    def _x(self, second: float) -> int:
        """Where a second stands; what is later than the strip reaches stands at its end."""
        margin = self.rect.height // (2 * self.rows)
        share = max(0.0, min(1.0, (second - self.clock()) / self.span))
        return self.rect.left + margin + round((self.rect.width - 2 * margin) * share)

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        base = self.rect.bottom - look.font("small").get_linesize() * 2 - look.px(5)
        self._seconds(surface, look, base)
        considered = self.after()
        self._spots, named = [], []
        heaps: dict[int, int] = {}
        ordered = sorted(self.slots, key=lambda slot: slot.id != self.asked)  # whoever is asked stands in front
        boxes = [(self._spot(look, slot, base, heaps), slot) for slot in ordered]
        for box, slot in reversed(boxes):
            moved = considered is not None and slot.kind != "effect" and slot.id == considered[0]
            self._place(surface, look, slot, box, faint=moved)
            if slot.kind == "spell" and not moved:
                named.append((box, slot.label))
        for box, label in named:
            self._name(surface, look, box, label)
        if considered is None:
            self._caption(surface, look, self._told(), "quiet")
        else:
            name, at, label = considered
            slot = Slot(name, at, label)
            self._place(surface, look, slot, self._spot(look, slot, base, heaps))
            self._caption(surface, look, Text.of("{label}: next at {at}", label=label, at=at), "gold")

    def _caption(self, surface: pygame.Surface, look: Look, text: str, colour: str) -> None:
        """Why somebody is asked on the left, what comes next on the right; alone, it stands in the middle."""
        room, margin = self.rect.width, look.px(4)
        if not self.why:
            shown = line(look, text, "small", colour, room)
            surface.blit(shown, shown.get_rect(midbottom=self.rect.midbottom))
            return
        why = line(look, self.why, "small", "bright", room * 3 // 5)
        surface.blit(why, why.get_rect(bottomleft=(self.rect.left + margin, self.rect.bottom)))
        shown = line(look, text, "small", colour, room - why.get_width() - look.px(16) - 2 * margin)
        surface.blit(shown, shown.get_rect(bottomright=(self.rect.right - margin, self.rect.bottom)))

    def _told(self) -> str:
        """What comes next, in words."""
        now = int(self.clock())
        first = next((slot for slot in self.slots if slot.kind != "effect" and slot.at > now), None)
        if first is None:
            return text("Second {now}", now)
        word = " " if first.kind == "helpless" else ", "
        face = self.faces[first.id][0]
        return text(
            "Second {now} · then {faces}{what}{label} at {at}",
            now=now, faces=face, what=word, label=first.label, at=first.at,
        )  # fmt: skip

    def _seconds(self, surface: pygame.Surface, look: Look, base: int) -> None:
        now, left, pixel = self.clock(), self._x(self.clock()), look.px(1)
        surface.fill(look.colour("hairline")[:3], (left, base, self._x(now + self.span) - left, pixel))
        every = 5 if self.span > 20 or self.rect.width < look.px(420) else 2
        for second in range(int(now) + (now > int(now)), int(now) + self.span + 1):
            x, large = self._x(second), second % every == 0
            stroke = (x, base - look.px(3 if large else 1), pixel, look.px(5 if large else 3))
            surface.fill(look.colour("faint")[:3], stroke)
            if large and second > now:
                text = line(look, str(second), "small", "faint")
                surface.blit(text, text.get_rect(midtop=(x, base + look.px(2))))
        hand = (left - pixel, self.rect.top, look.px(2), base - self.rect.top + look.px(4))
        surface.fill(look.colour("gold")[:3], hand)
        text = line(look, str(int(now)), "label!", "gold")
        surface.blit(text, text.get_rect(midtop=(left, base + pixel)))

    def _spot(self, look: Look, slot: Slot, base: int, heaps: dict[int, int]) -> pygame.Rect:
        """Where a slot stands: over its second; those who share one stand above each other, what ends on the line."""
        x = self._x(slot.at)
        if slot.kind == "effect":
            box = pygame.Rect(0, 0, look.px(8), look.px(8))
            box.center = (x, base)
            return box
        size, column = look.px(HEAD), x // max(1, look.px(HEAD) - look.px(4))
        row = heaps[column] = heaps.get(column, -1) + 1
        up = min(row, self.rows - 1)
        box = pygame.Rect(0, 0, size, size)
        box.midbottom = (x + look.px(6) * (row - up), base - look.px(4) - up * (size + look.px(2)))
        return box

    def _place(self, surface: pygame.Surface, look: Look, slot: Slot, box: pygame.Rect, *, faint: bool = False) -> None:
        """A portrait, or the mark of something that ends."""
        if slot.kind == "effect":
            points = [box.midtop, box.midright, box.midbottom, box.midleft]
            if slot.at > self.clock() + self.span:  # an arrow: later than the strip reaches
                points = [box.topleft, box.midright, box.bottomleft]
            pygame.draw.polygon(surface, look.colour("teal"), points)
            self._spots.append((box.inflate(4, 4), slot))
            return
        size = box.width
        picture = self.faces[slot.id][1](size)
        if faint:
            picture = picture.copy()
            picture.set_alpha(80)
        surface.blit(picture, box)
        if slot.kind in TONES:
            pygame.draw.circle(surface, look.colour(TONES[slot.kind]), box.center, size // 2, max(2, look.px(2)))
        elif slot.id == self.asked and not faint:
            pygame.draw.circle(surface, look.colour("gold"), box.center, size // 2 + look.px(1), max(2, look.px(2)))
        self._spots.append((box, slot))

    def _name(self, surface: pygame.Surface, look: Look, box: pygame.Rect, label: str) -> None:
        """The name of a spell in casting beside its portrait, where nothing else stands there."""
        text = line(look, label, "small", "blue")
        for place in (
            text.get_rect(midleft=(box.right + look.px(4), box.centery)),
            text.get_rect(midright=(box.left - look.px(4), box.centery)),
            text.get_rect(midbottom=(box.centerx, box.top - look.px(1))),
            text.get_rect(bottomleft=(box.left, box.top - look.px(1))),
        ):
            taken = any(place.colliderect(other) for other, _ in self._spots)
            if not taken and self.rect.left <= place.left and place.right <= self.rect.right:
                surface.blit(text, place)
                return

    # -- pointing

    def _slot_at(self, pos: tuple[int, int]) -> Slot | None:
        return next((slot for box, slot in reversed(self._spots) if box.collidepoint(pos)), None)

    def tip_at(self, pos: tuple[int, int]) -> Tip | None:
        slot = self._slot_at(pos)
        if slot is None:
            return Tip("Everybody stands over the second at which they may act next.", "Timeline")
        words = {"spell": "the spell takes hold", "shot": "the shot leaves", "turn": "may act"}
        due = (
            text("{label}: {what} at second {at}", slot.label, words[slot.kind], slot.at)
            if slot.kind in words
            else text("{label} at second {at}", slot.label, slot.at)
        )
        return Tip(joined("\n", filter(None, (due, self.told(slot.id)))), self.faces[slot.id][0])

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.rect.collidepoint(event.pos):
            slot = self._slot_at(event.pos)
            if slot is not None:
                self.on_press(slot.id)
            return True
        return False


NEAR = 7
"""Pixels (at 100 %) from a mark at which the pointer means it."""


class Pip(NamedTuple):
    """A mark over (`above`) or under the line: its shape by `kind`, filled or hollow."""

    at: int
    kind: str
    """`hit` (a dot), `critical` (a star) or `fall` (a cross)."""
    colour: tuple[int, int, int]
    above: bool
    filled: bool
    text: str


class Scrubber(Draggable):
    """Frames from `first` to `last`; `value` is where one is. Arrows step, Home and End go to the ends."""

    focusable = True

    def __init__(
        self,
        ends: tuple[int, int],
        at: int,
        on_change: Callable[[int], None],
        *,
        ticks: Sequence[tuple[int, str]] = (),
        pips: Sequence[Pip] = (),
        tell: Callable[[int], str] | None = None,
        key: str = "scrubber",
    ) -> None:
        super().__init__(key=key)
        self.first, self.last = ends
        self.value = at
        self.on_change = on_change
        self.ticks = ticks
        """(frame, words) where a turn begins."""
        self.pips = sorted(pips, key=lambda pip: pip.at)
        self.tell = tell
        """What a frame is called, for the tooltip."""
        self._track = pygame.Rect(0, 0, 1, 1)
        self._scale = 1.0

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.px(62))

    def place(self, look: Look, rect: pygame.Rect) -> None:
        super().place(look, rect)
        self._scale = look.scale
        self._track = pygame.Rect(rect.left + look.px(10), rect.top + look.px(22), rect.width - look.px(20), look.px(6))

    def x_of(self, frame: int) -> int:
        """The pixel column of a frame."""
        span = max(1, self.last - self.first)
        return self._track.left + (frame - self.first) * self._track.width // span

    def spot(self, frame: int) -> tuple[int, int]:
        """Where one clicks for a frame."""
        return (self.x_of(frame), self._track.centery)

    def spot_of(self, pip: Pip) -> tuple[int, int]:
        """Where a mark is drawn and clicked."""
        track = self._track
        away = round(10 * self._scale)
        return (self.x_of(pip.at), track.top - away if pip.above else track.bottom + away)

    def _frame(self, x: int) -> int:
        span = self.last - self.first
        share = (x - self._track.left) / max(1, self._track.width)
        return self.first + max(0, min(span, round(share * span)))

    def drag(self, event: pygame.event.Event) -> None:
        pip = self._pip(event.pos) if event.type == pygame.MOUSEBUTTONDOWN else None
        frame = pip.at if pip is not None else self._frame(event.pos[0])
        if frame != self.value:
            self.value = frame
            self.on_change(frame)

    def _pip(self, pos: tuple[int, int]) -> Pip | None:
        """The mark under the pointer."""
        near = round(NEAR * self._scale)
        above = pos[1] < self._track.top
        if self._track.inflate(0, 4).collidepoint(pos):
            return None
        first = bisect_left(self.pips, self._frame(pos[0] - near), key=lambda pip: pip.at)
        last = bisect_right(self.pips, self._frame(pos[0] + near) + 1, key=lambda pip: pip.at)
        found = [p for p in self.pips[first:last] if p.above == above and abs(self.x_of(p.at) - pos[0]) <= near]
        return min(found, key=lambda pip: abs(self.x_of(pip.at) - pos[0]), default=None)

    def tip_at(self, pos: tuple[int, int]) -> Tip | None:
        pip = self._pip(pos)
        if pip is not None:
            same = [p.text for p in self.pips if p.at == pip.at]
            return Tip("\n".join(same), self.tell(pip.at) if self.tell else "", over=True)
        return self._tip_of(self._frame(pos[0]))

    def tip_focused(self) -> Tip | None:
        return self._tip_of(self.value)

    def _tip_of(self, frame: int) -> Tip | None:
        """What a frame is called; above the line, as its buttons are below."""
        return Tip(self.tell(frame), over=True) if self.tell else None

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        track = self._track
        if self.focused:
            pygame.draw.rect(surface, look.colour("gold"), self.rect, look.px(2), look.px(8))
        pygame.draw.rect(surface, look.colour("night"), track, 0, look.px(3))
        done = pygame.Rect(track.left, track.top, self.x_of(self.value) - track.left, track.height)
        pygame.draw.rect(surface, look.colour("golddeep"), done, 0, look.px(3))
        pygame.draw.rect(surface, look.colour("faint"), track, look.px(1), look.px(3))
        free = self.rect.left
        for frame, words in self.ticks:
            x, ink = self.x_of(frame), look.colour("quiet")
            ends = (x, track.top - look.px(3)), (x, track.bottom + look.px(3))
            pygame.draw.line(surface, ink, *ends, look.px(1))
            text = look.font("small").render(words, True, ink)
            left = max(self.rect.left, min(x - text.get_width() // 2, self.rect.right - text.get_width()))
            if left >= free:
                surface.blit(text, (left, self.rect.bottom - text.get_height()))
                free = left + text.get_width() + look.px(10)
        for pip in self.pips:
            draw_pip(surface, self.spot_of(pip), look.px(6), pip)
        knob = (self.x_of(self.value), track.centery)
        pygame.draw.aacircle(surface, look.colour("gold"), knob, look.px(8))
        pygame.draw.aacircle(surface, look.colour("goldink"), knob, look.px(3))


def draw_pip(surface: pygame.Surface, at: tuple[int, int], size: int, pip: Pip) -> None:
    """One mark: a dot for a hit, a star for a critical one, a cross for a fall."""
    x, y = at
    line = 0 if pip.filled else max(2, size // 3)
    if pip.kind == "hit":
        pygame.draw.circle(surface, pip.colour, at, max(3, size * 4 // 5), line)
    elif pip.kind == "critical":
        r, q = size + 1, size * 2 // 5
        points = [(x, y - r), (x + q, y - q), (x + r, y), (x + q, y + q), (x, y + r), (x - q, y + q), (x - r, y),
                  (x - q, y - q)]  # fmt: skip
        pygame.draw.polygon(surface, pip.colour, points, line)
    else:
        wide = max(2, size * 2 // 5) + (1 if pip.filled else 0)
        for lean in (-1, 1):
            pygame.draw.line(surface, pip.colour, (x - size, y - lean * size), (x + size, y + lean * size), wide)
