"""Words, buttons, toggles and sliders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import pygame

from game.app.i18n import t
from game.widgets.core import Draggable, Tip, Widget
from game.widgets.text import Block, Piece, Run, line, said, shortened
from game.widgets.theme import Look

Part = tuple[pygame.Surface, tuple[int, int]]
"""A picture and where its upper left corner goes."""
PRESS_KEYS = (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE)


class Label(Widget):
    """Text that wraps to the width it is given."""

    def __init__(
        self,
        text: str | Iterable[Piece],
        style: str = "text",
        colour: str = "text",
        *,
        tip: Tip | None = None,
        centred: bool = False,
        one_line: bool = False,
    ) -> None:
        super().__init__(tip=tip)
        pieces = (Run(text, colour, style),) if isinstance(text, str) else text
        self.pieces: tuple[Piece, ...] = tuple(said(piece) for piece in pieces)
        self.centred = centred
        self.one_line = self.yields = one_line
        self._block: tuple[int, float, Block] | None = None

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces if isinstance(piece, Run))

    def _laid(self, look: Look, width: int) -> Block:
        if self._block is None or self._block[:2] != (width, look.scale):
            pieces = self.pieces
            if self.one_line and len(pieces) == 1 and isinstance(pieces[0], Run):
                run = pieces[0]
                pieces = (Run(shortened(look.font(run.style), run.text, width), run.colour, run.style),)
            self._block = (width, look.scale, Block.of(look, pieces, width, centred=self.centred))
        return self._block[2]

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return self._laid(look, width).size

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        width = self.rect.width
        if self._block is not None and not self.centred and self._block[2].size[0] <= width:
            width = self._block[0]
        self._laid(look, width).draw(surface, self.rect.left, self.rect.top)


class Pressable(Widget):
    """Something that a click, Enter or Space presses; disabled ones give their reason as a tooltip.

    Those that answer when they are pressed all the same (`on_refused`) can be reached by Tab, too.
    """

    focusable = True
    chosen = gold = False
    radius: float = 8
    """Of the corners of its face, at 100 %."""

    def __init__(
        self,
        on_press: Callable[[], None],
        *,
        key: str = "",
        tip: Tip | None = None,
        enabled: bool = True,
        on_refused: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(key=key, tip=tip)
        self.on_press, self.on_refused = on_press, on_refused
        self.enabled = enabled
        self.held = False

    @property
    def stops(self) -> bool:
        return self.focusable and (self.enabled or self.on_refused is not None)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.held = True
            return True
        if event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self.held:
            self.held = False
            if self.rect.collidepoint(event.pos):
                self.press()
            return True
        if event.type == pygame.KEYDOWN and event.key in PRESS_KEYS and not event.mod & pygame.KMOD_CTRL:
            self.press()
            return True
        return False

    def press(self) -> None:
        if self.enabled:
            self.on_press()
        elif self.on_refused:
            self.on_refused()

    def plate(self, surface: pygame.Surface, look: Look, within: pygame.Rect | None = None) -> None:
        """The face that all pressables share, as large as they are or `within` some other rectangle."""
        rect = self.rect if within is None else within
        surface.blit(self.face(look, rect), rect)
        if self.focused:
            ring = rect.inflate(look.px(6), look.px(6))
            pygame.draw.rect(surface, look.colour("gold"), ring, look.px(2), look.px(self.radius + 3))

    def face(self, look: Look, rect: pygame.Rect) -> pygame.Surface:
        """It without the ring of the focus."""
        fill, edge = "button", "hairline"
        if self.gold and self.enabled:
            fill, edge = "gold", "gold"
        elif not self.enabled:
            fill, edge = "press", "button"
        elif self.held and self.hovered:
            fill = "press"
        elif self.chosen:
            fill, edge = "golddeep", "gold"
        elif self.hovered:
            fill, edge = "hover", "faint"
        return look.plate(rect, fill=fill, edge=edge, radius=self.radius)


class Button(Pressable):
    """A label, with its key as a chip and a second line for the cost where there is one."""

    def __init__(
        self,
        label: str,
        on_press: Callable[[], None],
        *,
        cost: str = "",
        hint: str = "",
        gold: bool = False,
        chosen: bool = False,
        enabled: bool = True,
        tip: Tip | None = None,
        key: str = "",
        quiet: bool = False,
        large: bool = False,
        left: bool = False,
        slim: bool = False,
        on_refused: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(on_press, key=key or label, tip=tip, enabled=enabled, on_refused=on_refused)
        self.label = t(label)
        self.cost = t(cost)
        self.hint = hint
        self.gold = gold
        self.chosen = chosen
        self.quiet = quiet
        self.left = left
        """Its label begins at the left edge even where nothing stands beside it."""
        self.slim = slim
        """One low line: two of them are as high as one with a cost."""
        self.inset = 12
        """Between its edge and its words, at 100 %."""
        self.wide = 0
        """Pixels that it is wide whatever stands on it; 0 = as its words need."""
        self.style = "heading" if large else ("text" if slim else "label!")
        self.live: Callable[[int], str] | None = None
        """Its cost, asked for while drawing, in so many pixels; a slim one has it before its key."""
        self._state: tuple[object, ...] = ()
        """How it was when its parts were put together last."""
        self._parts: list[Part] = []

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        head, small = look.font(self.style), look.font("small")
        wide = look.width(self.label, self.style)
        if self.hint:
            wide += look.width(self.hint, "small") + look.px(16 if self.slim else 20)
        if self.slim:
            return (min(self.wide or wide + 2 * look.px(8), width), head.get_linesize() + look.px(5))
        wide = self.wide or max(wide, look.width(self.cost, "small")) + 2 * look.px(self.inset)
        high = head.get_linesize() + (small.get_linesize() + look.px(1) if self.cost else 0) + look.px(14)
        return (min(wide, width), high)

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        if self.focused:
            self.plate(surface, look)
        if self.live is not None:
            self.cost = t(self.live(self.rect.width - 2 * look.px(self.inset)))
        state = (
            look, *self.rect, self.hovered, self.focused, self.held, self.enabled, self.chosen, self.gold, self.label,
            self.cost, self.hint,
        )  # fmt: skip
        if state != self._state:
            self._parts = self._put_together(look)
            self._state = state
        surface.fblits(self._parts)

    def _put_together(self, look: Look) -> list[Part]:
        """The pictures that it is made of: a button looks the same in most frames."""
        parts: list[Part] = []
        if not self.focused and (not self.quiet or self.hovered or self.chosen):
            parts.append((self.face(look, self.rect), self.rect.topleft))
        small = look.font("small")
        ink = "goldink" if self.gold and self.enabled else ("bright" if self.enabled else "faint")
        low = "goldink" if self.gold and self.enabled else ("quiet" if self.enabled else "faint")
        pad = look.px(8 if self.slim else self.inset)
        chip = small.size(self.hint)[0] + look.px(16 if self.slim else 20) if self.hint else 0
        text = line(look, self.label, self.style, ink, self.rect.width - pad * 2 - chip)
        alone = not (self.cost or self.hint or self.left or self.wide)
        x = self.rect.left + ((self.rect.width - text.get_width()) // 2 if alone else pad)
        total = text.get_height() + (small.get_linesize() if self.cost and not self.slim else 0)
        y = self.rect.top + (self.rect.height - total) // 2
        parts.append((text, (x, y)))
        middle = y + text.get_height() // 2
        if self.cost and self.slim:
            figure = line(look, self.cost, "small", low)
            right = self.rect.right - pad - chip + look.px(4 if self.hint else 0)
            parts.append((figure, figure.get_rect(midright=(right, middle)).topleft))
        elif self.cost:
            cost = line(look, self.cost, "small", low, self.rect.width - pad * 2)
            parts.append((cost, (x, y + text.get_height())))
        if self.hint:
            parts += key_chip(look, self.hint, (self.rect.right - pad + look.px(2), middle), ink=low)
        return parts


def key_chip(look: Look, key: str, right_middle: tuple[int, int], *, ink: str = "quiet") -> list[Part]:
    """A key as a small outlined chip whose right edge is at the point."""
    text = line(look, key, "small", ink)
    box = text.get_rect().inflate(look.px(8), look.px(2))
    box.midright = right_middle
    frame = look.outline(box.size, "goldink" if ink == "goldink" else "faint", 4)
    return [(frame, box.topleft), (text, text.get_rect(center=box.center).topleft)]


class Toggle(Pressable):
    """On or off, with its label before it."""

    def __init__(
        self, label: str, value: bool, on_change: Callable[[bool], None], *, tip: Tip | None = None, flush: bool = False
    ) -> None:
        super().__init__(self._turn, key=label, tip=tip)
        self.label = t(label)
        self.inset = 0 if flush else 10
        """Between its edge and its words, at 100 %: `flush`, they begin where those of fields and headings do."""
        self.value = value
        self.on_change = on_change

    def _turn(self) -> None:
        self.value = not self.value
        self.on_change(self.value)

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        font = look.font("label")
        wide = font.size(self.label)[0] + look.px(56 + 2 * self.inset)
        return (min(width, wide), font.get_linesize() + look.px(14))

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        inset = look.px(self.inset)
        if self.hovered or self.focused:
            self.plate(surface, look, self.rect.inflate(0 if inset else look.px(8), 0))
        room = self.rect.width - look.px(44) - 2 * inset
        text = line(look, self.label, "label", "text" if self.enabled else "faint", room)
        surface.blit(text, text.get_rect(midleft=(self.rect.left + inset, self.rect.centery)))
        track = pygame.Rect(0, 0, look.px(38), look.px(20))
        track.midright = (self.rect.right - inset, self.rect.centery)
        look.panel(surface, track, fill="gold" if self.value else "raised", edge="faint", radius=10)
        half, ink = track.height // 2, look.colour("goldink" if self.value else "quiet")
        knob = (track.right - half if self.value else track.left + half, track.centery)
        pygame.draw.aacircle(surface, ink, knob, half - look.px(3))


class Slider(Draggable):
    """A figure between two ends; arrows change it by a step, a click or drag sets it."""

    focusable = True

    def __init__(
        self,
        label: str,
        value: int,
        ends: tuple[int, int],
        step: int,
        on_change: Callable[[int], None],
        *,
        unit: str = " %",
        names: Sequence[str] = (),
        tip: Tip | None = None,
    ) -> None:
        super().__init__(key=label, tip=tip)
        self.label = t(label)
        self.value = value
        self.ends = ends
        self.step = step
        self.on_change = on_change
        self.unit = unit
        self.names = [t(name) for name in names]
        """Words for the values, from the lower end on, instead of figures."""
        self._track = pygame.Rect(0, 0, 1, 1)

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.font("label").get_linesize() + look.px(14))

    def place(self, look: Look, rect: pygame.Rect) -> None:
        super().place(look, rect)
        self._track = pygame.Rect(0, 0, look.px(170), look.px(20))
        self._track.midright = (rect.right - look.px(78), rect.centery)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.KEYDOWN and event.key in (pygame.K_LEFT, pygame.K_RIGHT):
            self._set(self.value + (self.step if event.key == pygame.K_RIGHT else -self.step))
            return True
        return super().handle(event)

    def drag(self, event: pygame.event.Event) -> None:
        low, high = self.ends
        share = max(0.0, min(1.0, (event.pos[0] - self._track.left) / max(1, self._track.width)))
        self._set(low + round(share * (high - low) / self.step) * self.step)

    def _set(self, value: int) -> None:
        value = max(self.ends[0], min(self.ends[1], value))
        if value != self.value:
            self.value = value
            self.on_change(value)

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        if self.hovered or self.focused:
            edge = "gold" if self.focused else "hairline"
            look.panel(surface, self.rect, fill="button", edge=edge, radius=8)
        text = line(look, self.label, "label", "text", self._track.left - self.rect.left - look.px(20))
        surface.blit(text, text.get_rect(midleft=(self.rect.left + look.px(10), self.rect.centery)))
        low, high = self.ends
        bar = pygame.Rect(self._track.left, self._track.centery - look.px(2), self._track.width, look.px(4))
        pygame.draw.rect(surface, look.colour("faint"), bar, 0, look.px(2))
        knob, gold = bar.left + (self.value - low) * bar.width // max(1, high - low), look.colour("gold")
        pygame.draw.rect(surface, gold, (bar.left, bar.top, knob - bar.left, bar.height), 0, look.px(2))
        pygame.draw.aacircle(surface, gold, (knob, bar.centery), look.px(8))
        index = (self.value - low) // self.step
        word = self.names[index] if index < len(self.names) else f"{self.value}{self.unit}"
        figure = line(look, word, "label!", "bright")
        surface.blit(figure, figure.get_rect(midright=(self.rect.right - look.px(10), self.rect.centery)))


def draw_wedge(surface: pygame.Surface, look: Look, at: tuple[int, int], colour: str = "quiet") -> None:
    """A wedge that points down."""
    (x, y), arm = at, look.px(4)
    points = [(x - arm, y - arm // 2), (x, y + arm // 2), (x + arm, y - arm // 2)]
    pygame.draw.lines(surface, look.colour(colour), False, points, look.px(2))


class Fold(Pressable):
    """The heading of a section, with a wedge that points at it or down to what is open."""

    def __init__(
        self,
        title: str,
        open_: bool,
        on_turn: Callable[[], None],
        *,
        told: str = "",
        changed: bool = False,
        wrong: bool = False,
        key: str = "",
        tip: Tip | None = None,
    ) -> None:
        super().__init__(on_turn, key=key or title, tip=tip)
        self.title, self.open, self.told = t(title), open_, told
        self.changed, self.wrong = changed, wrong

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        high = look.font("label!").get_linesize() + look.px(8)
        if self.told and not self.open:
            high += look.font("small").get_linesize()
        return (width, high)

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        look.panel(surface, self.rect, fill="button", edge="faint" if self.hovered else "hairline", radius=6)
        if self.focused:
            ring = self.rect.inflate(look.px(4), look.px(4))
            pygame.draw.rect(surface, look.colour("gold"), ring, look.px(2), look.px(8))
        title, small, arm = look.font("label!"), look.font("small"), look.px(4)
        middle = self.rect.top + look.px(4) + title.get_linesize() // 2
        x, left = self.rect.left + look.px(14), self.rect.left + look.px(28)
        if self.open:
            draw_wedge(surface, look, (x, middle))
        else:
            points = [(x - arm // 2, middle - arm), (x + arm // 2, middle), (x - arm // 2, middle + arm)]
            pygame.draw.lines(surface, look.colour("quiet"), False, points, look.px(2))
        ink = "coral" if self.wrong else "gold" if self.changed else "bright"
        words = line(look, self.title, "label!", ink, self.rect.width - look.px(40))
        surface.blit(words, words.get_rect(midleft=(left, middle)))
        if self.told and not self.open:
            told = line(look, self.told, "small", "quiet", self.rect.right - left - look.px(8))
            surface.blit(told, (left, self.rect.bottom - look.px(4) - small.get_linesize()))


class Swatch(Widget):
    """A disc in a colour, beside the name that it belongs to."""

    def __init__(self, colour: tuple[int, int, int], size: float = 16) -> None:
        super().__init__()
        self.colour, self.square = colour, size

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        radius = min(self.rect.size) // 2
        pygame.draw.aacircle(surface, look.colour("night"), self.rect.center, radius)
        pygame.draw.aacircle(surface, self.colour, self.rect.center, radius - 1)


class SwatchButton(Pressable):
    """A disc of a colour that a press changes; `still` ones only show it."""

    def __init__(
        self, colour: tuple[int, int, int], on_press: Callable[[], None], *, key: str = "", tip: Tip | None = None,
        still: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(on_press, key=key, tip=tip)
        self.colour = colour
        self.still = still
        self.focusable = not still
        self.square = 18 if still else 28

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        radius = min(self.rect.size) // 2
        if self.focused or (self.hovered and not self.still):
            pygame.draw.aacircle(surface, look.colour("gold" if self.focused else "faint"), self.rect.center, radius)
        pygame.draw.aacircle(surface, look.colour("night"), self.rect.center, radius - look.px(2))
        pygame.draw.aacircle(surface, self.colour, self.rect.center, radius - look.px(4))
