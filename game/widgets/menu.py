"""A menu of what can be done with something: lines with their keys, switches, lines that open further ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from game.app.i18n import t
from game.widgets.controls import Label, Part, Pressable, key_chip
from game.widgets.core import Box, Scroll, Tip, Widget, grown
from game.widgets.figures import Portrait, Rule
from game.widgets.text import Block, Run, line, said
from game.widgets.theme import Look

LEAST, MOST = 170, 480
"""Widths of a menu at 100 %, at least and at most."""


@dataclass(frozen=True)
class Line:
    """One thing that can be done. Without `do` and `more` it is only told (`why` says what hinders it)."""

    label: str
    do: Callable[[], None] | None = None
    hint: str = ""
    """Its key, as it is shown."""
    cost: str = ""
    """What it takes and how likely it comes off: `2 AP · 64 %`."""
    why: str = ""
    """Why it cannot be done; then it is greyed, and this stands below it."""
    on: bool | None = None
    """For a switch or one out of several: whether it holds now."""
    more: tuple[Line | None, ...] = ()
    """A menu of its own that it opens."""
    tip: str = ""
    key: str = ""
    """Names it to tests and to the focus; its label if nothing else."""


Lines = Sequence[Line | None]
"""What a menu holds; None draws a rule between two groups."""


class MenuLine(Pressable):
    """A line of a menu: a tick where it holds, its words, its key or the sign that more opens."""

    def __init__(self, line: Line, take: Callable[[Line], None], *, ticked: bool = False) -> None:
        able = not line.why and (line.do is not None or bool(line.more))
        tip = Tip(line.tip) if line.tip and not line.why else None
        super().__init__(lambda: take(line), key=line.key or line.label, tip=tip, enabled=able)
        self.line, self.label, self.cost = line, t(line.label), t(line.cost)
        self.ticked = ticked
        """Whether any line of its menu is one that may hold: then all begin behind the room for a tick."""

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        wide = look.font("label").size(self.label)[0] + self._indent(look) + look.px(12)
        if self.line.hint:
            wide += look.font("small").size(self.line.hint)[0] + look.px(28)
        elif self.line.more:
            wide += look.px(26)
        if self.cost:
            wide += look.font("small").size(self.cost)[0] + look.px(18)
        high = look.font("label").get_linesize() + look.px(8)
        if (why := self._why(look, width)) is not None:
            wide = max(wide, why.size[0] + self._indent(look) + look.px(10))
            high += why.size[1] + look.px(2)
        return (min(wide, width), high)

    def _indent(self, look: Look) -> int:
        return look.px(12) + (look.px(22) if self.ticked else 0)

    def _why(self, look: Look, width: int) -> Block | None:
        """The reason against it, laid out below."""
        if not self.line.why:
            return None
        return Block(look, [said(Run(self.line.why, "quiet", "small"))], width - self._indent(look) - look.px(10))

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        if self.enabled and (self.focused or self.hovered):
            look.panel(surface, self.rect, fill="hover", edge="gold" if self.focused else "faint", radius=6)
        left, right = self.rect.left + self._indent(look), self.rect.right - look.px(10)
        middle = self.rect.top + (look.font("label").get_linesize() + look.px(8)) // 2
        if self.ticked and self.line.on:
            x, arm = self.rect.left + look.px(18), look.px(4)
            points = [(x - arm, middle), (x - arm // 3, middle + arm), (x + arm + arm // 2, middle - arm)]
            pygame.draw.lines(surface, look.colour("gold" if self.enabled else "faint"), False, points, look.px(2))
        parts: list[Part] = []
        if self.line.hint:
            parts = key_chip(look, self.line.hint, (right, middle))
            right = parts[0][1][0] - look.px(10)
        elif self.line.more:
            arm = look.px(4)
            points = [(right - arm, middle - arm), (right, middle), (right - arm, middle + arm)]
            pygame.draw.lines(surface, look.colour("quiet"), False, points, look.px(2))
            right -= look.px(14)
        if self.cost:
            cost = line(look, self.cost, "small", "gold" if self.enabled else "faint")
            parts.append((cost, cost.get_rect(midright=(right, middle)).topleft))
            right -= cost.get_width() + look.px(10)
        text = line(look, self.label, "label", "bright" if self.enabled else "faint", right - left)
        parts.append((text, text.get_rect(midleft=(left, middle)).topleft))
        surface.fblits(parts)
        if (why := self._why(look, self.rect.width)) is not None:
            why.draw(surface, left, self.rect.bottom - why.size[1] - look.px(4))


class Between(Rule):
    """The rule between two groups, as wide as the menu is without it."""

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (look.px(1), look.px(1))


def menu(title: str, lines: Lines, take: Callable[[Line], None], about: str = "") -> Box:
    """The menu as a panel: `take` is given the line that is chosen, `about` stands small under the title."""
    ticked = any(each is not None and each.on is not None for each in lines)
    made: list[Widget] = []
    for each in lines:
        if each is not None:
            made.append(MenuLine(each, take, ticked=ticked))
        elif made and not isinstance(made[-1], Between):
            made.append(Between())
    if made and isinstance(made[-1], Between):
        made.pop()
    scroll = grown(Scroll(Box(*made, gap=2, align="stretch"), key="menu lines"))
    head: list[Widget] = [Label(title, "label!", "gold", one_line=True)] if title else []
    if about:
        head.append(Label(about, "small", "quiet"))
    return Box(*head, scroll, gap=5, pad=8, plate="night", edge="faint")


def beside(look: Look, box: Box, pos: tuple[int, int], window: tuple[int, int]) -> pygame.Rect:
    """Where a menu stands that is opened at a pixel: below and to the right of it, or wherever there is room."""
    most = min(look.px(MOST), window[0] - 8)
    wide, high = box.measure(look, most)
    wide, high = max(min(look.px(LEAST), most), wide), min(high, window[1] - 8)
    rect = pygame.Rect(pos, (wide, high))
    if rect.right > window[0] - 4:
        rect.right = max(pos[0], wide + 4)
    if rect.bottom > window[1] - 4:
        rect.bottom = pos[1]
    return rect.clamp(pygame.Rect((0, 0), window).inflate(-8, -8))


FAINT = 80
"""Of 255: how much is seen of the picture of what can't be chosen."""
LARGE = 80
"""From this height of the picture on the words are larger, too."""
LESS_KEYS = (pygame.K_MINUS, pygame.K_KP_MINUS, pygame.K_BACKSPACE, pygame.K_DELETE)


class Tile(Pressable):
    """A picture beside a name and a second line. `count` is shown when above 1; a right click (or −) takes one away."""

    def __init__(
        self,
        name: str,
        line: str,
        picture: Portrait,
        on_press: Callable[[], None],
        *,
        chosen: bool = False,
        count: int = 0,
        on_less: Callable[[], None] | None = None,
        tip: Tip | None = None,
        key: str = "",
        size: float = 44,
        width: float = 190,
        enabled: bool = True,
        on_refused: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(on_press, key=key or name, tip=tip, enabled=enabled, on_refused=on_refused)
        self.name, self.line, self.picture = name, line, picture
        self.chosen, self.count, self.on_less = chosen or count > 0, count, on_less
        self.size, self.width = size, width

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (min(look.px(self.width), width), look.px(self.size + 12))

    def handle(self, event: pygame.event.Event) -> bool:
        clicked = event.type == pygame.MOUSEBUTTONDOWN and event.button == 3
        if self.on_less is None or not (clicked or (event.type == pygame.KEYDOWN and event.key in LESS_KEYS)):
            return super().handle(event)
        self.on_less()
        return True

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        self.plate(surface, look)
        side = look.px(self.size)
        image = self.picture(side)
        if not self.enabled:
            image = image.copy()
            image.set_alpha(FAINT)
        box = pygame.Rect(self.rect.left + look.px(6), self.rect.centery - side // 2, image.get_width(), side)
        surface.blit(image, image.get_rect(center=box.center))
        left = box.right + look.px(9)
        badge = line(look, f"×{self.count}", "heading", "gold") if self.count > 0 and self.on_less else None
        room = self.rect.right - left - look.px(8) - (badge.get_width() + look.px(4) if badge else 0)
        bold, small = ("heading", "text") if self.size >= LARGE else ("text!", "small")
        first = look.font(bold).get_linesize()
        top = self.rect.centery - (first + (look.font(small).get_linesize() if self.line else 0)) // 2
        ink = "bright" if self.enabled else "faint"
        surface.blit(line(look, self.name, bold, ink, room), (left, top))
        surface.blit(line(look, self.line, small, "quiet", room), (left, top + first))
        if badge is not None:
            surface.blit(badge, badge.get_rect(midright=(self.rect.right - look.px(8), self.rect.centery)))
