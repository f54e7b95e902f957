"""The root of a screen's widgets: layers, one focus ring, hover, the press that is held, and the tooltip."""

from __future__ import annotations

from collections.abc import Iterator

import pygame

from game.widgets.controls import Label, Pressable
from game.widgets.core import Layout, Scroll, Tip, Widget, column
from game.widgets.kept import Kept
from game.widgets.theme import Look

TIP_DELAY = 0.3
"""Seconds that the pointer rests before a tooltip appears."""
KEY_TIP_DELAY = 0.6
"""Seconds that the focus rests, where keys brought it, before a tooltip appears."""
LINE = 72
"""Pixels at 100 % up to which what is pointed at counts as one line."""
APART = 8
"""Pixels at 100 % between a tooltip and the panel that it tells of."""
CALM = 12
"""Frames in which nothing of the panels changed, after which they are kept as pictures, one more in each frame."""
STEERING = (pygame.K_TAB, pygame.K_UP, pygame.K_DOWN, pygame.K_LEFT, pygame.K_RIGHT)
"""Keys that move the focus."""


class Ui:
    """Panels in the order drawn; the topmost modal one alone receives events."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.layers: list[tuple[Widget, bool]] = []
        self.hover: Widget | None = None
        self.focus: Widget | None = None
        self.grabbed: Widget | None = None
        self.pointer = (-1, -1)
        self.tip: Tip | None = None
        """What is told of what the pointer rests on."""
        self.by_keys = False
        """Whether a key was pressed since the mouse was last used."""
        self._told_key: str | None = None
        self._rested = 0.0
        self._focus_key = ""
        self._grab_key = ""
        self.keeps = False
        """Whether panels are kept as pictures while the scene says that nothing else changes: see `stir`."""
        self._calm = 0
        """Frames drawn since anything changed."""
        self._kept: dict[Widget, Kept] = {}

    def stir(self) -> None:
        """Something changed that panels may show: no picture of them is true any more."""
        self._calm = 0
        self._kept.clear()

    # -- content

    def clear(self) -> None:
        """Forget all panels (the focus is found again by key)."""
        self._focus_key = self.focus.key if self.focus else self._focus_key
        self._grab_key = self.grabbed.key if self.grabbed else self._grab_key
        self.layers.clear()
        self.stir()
        self.hover = self.focus = self.grabbed = None

    def add(self, panel: Widget, rect: pygame.Rect, *, modal: bool = False) -> None:
        """Place a panel on top of the others."""
        self.stir()
        Layout.place(panel, self.look, rect)
        self.layers.append((panel, modal))
        if self._focus_key:
            for widget in panel.walk():
                if widget.focusable and widget.key == self._focus_key:
                    self.set_focus(widget)
        elif modal:
            self.focus_first(panel)

    def finish(self) -> None:
        """After all panels were added: hover what is under the pointer again, and hold what was held.

        What is asked has the focus, also where what had it is gone.
        """
        self._point(self.pointer)
        if self.modal and self.focus is None:
            self.focus_first(self.live()[0])
        if self._grab_key:
            self.grabbed = next((w for w in self._all() if w.key == self._grab_key), None)
            if isinstance(self.grabbed, Pressable):
                self.grabbed.held = True

    @property
    def remembers(self) -> bool:
        """Whether a widget had the focus before the last rebuild."""
        return bool(self._focus_key)

    def focus_first(self, panel: Widget) -> None:
        if (first := next((w for w in panel.walk() if w.focusable and w.enabled), None)) is not None:
            self.set_focus(first)

    def focus_panel(self, key: str) -> None:
        """Focus the first usable widget inside the one of a name."""
        if (panel := next((w for w in self._all() if w.key == key), None)) is not None:
            self.focus_first(panel)

    def focus_key(self, key: str) -> None:
        """Focus the widget of a name, if it is there and Tab comes to it, and bring it into sight."""
        if (widget := next((w for w in self.ring() if w.key == key), None)) is not None:
            self._go_to(widget)

    def set_focus(self, widget: Widget | None) -> None:
        if widget is not self.focus:
            self.stir()
        if self.focus is not None:
            self.focus.focused = False
        if widget is None or not self.by_keys:
            self._told_key = None
        elif widget.key != self._focus_key:
            self._told_key, self._rested = widget.key, 0.0
        self.focus = widget
        self._focus_key = widget.key if widget else ""
        if widget is not None:
            widget.focused = True

    def live(self) -> list[Widget]:
        """Panels that may be used now: those from the topmost modal one on."""
        start = max((i for i, (_, modal) in enumerate(self.layers) if modal), default=0)
        return [panel for panel, _ in self.layers[start:]]

    @property
    def modal(self) -> bool:
        return any(modal for _, modal in self.layers)

    def _all(self) -> Iterator[Widget]:
        """Every widget that may be used now."""
        return (widget for panel in self.live() for widget in panel.walk())

    def ring(self) -> list[Widget]:
        """Everything that Tab visits, in order."""
        return [widget for widget in self._all() if widget.stops]

    def over(self, pos: tuple[int, int]) -> bool:
        """Whether a panel covers a point."""
        return self.modal or any(panel.rect.collidepoint(pos) for panel in self.live())

    # -- events

    def handle(self, event: pygame.event.Event) -> bool:
        """Give an event to the widget it is for; True if it was answered (or lies under a modal panel)."""
        before, answered = self.hover, self._handle(event)
        if answered or before is not self.hover:
            self.stir()
        return answered

    def _handle(self, event: pygame.event.Event) -> bool:
        kind = event.type
        if kind in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEWHEEL):
            self.by_keys, self._told_key = False, None
        if kind == pygame.MOUSEMOTION:
            self._point(event.pos)
            if self.grabbed is not None:
                return self.grabbed.handle(event)
            return self.hover is not None
        if kind == pygame.MOUSEBUTTONDOWN:
            self._point(event.pos)
            self._rested = 0.0
            self.tip = None
            return self._offer(event)
        if kind == pygame.MOUSEBUTTONUP:
            grabbed, self.grabbed, self._grab_key = self.grabbed, None, ""
            return grabbed.handle(event) if grabbed is not None else False
        if kind == pygame.MOUSEWHEEL:
            return self._offer(event)
        return kind == pygame.KEYDOWN and self._key(event)

    def write(self, text: str, instead: str = "") -> bool:
        """Give text to the widget with the focus, in place of what its key seemed to write; True if it was taken."""
        self.stir()
        return self.focus is not None and self.focus.write_in(text, instead)

    def _offer(self, event: pygame.event.Event) -> bool:
        """Give a press or a turn of the wheel to what lies under the pointer, innermost first."""
        for widget in self._chain(self.pointer):
            if widget.handle(event):
                if event.type == pygame.MOUSEWHEEL:
                    self._point(self.pointer)
                    return True
                self.grabbed = widget
                if widget.focusable and widget.enabled:
                    self.set_focus(widget)
                return True
        return self.over(self.pointer)

    def _key(self, event: pygame.event.Event) -> bool:
        self.by_keys = True
        if self.focus is not None and self.focus.handle(event):
            self._told_key = None
            return True
        if event.key == pygame.K_TAB and not event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT):
            return self.step(-1 if event.mod & pygame.KMOD_SHIFT else 1)
        if self.modal or self.focus is not None:
            if event.key in (pygame.K_DOWN, pygame.K_RIGHT):
                return self.step(1)
            if event.key in (pygame.K_UP, pygame.K_LEFT):
                return self.step(-1)
        return False

    def step(self, by: int) -> bool:
        """Move the focus along the ring."""
        ring = self.ring()
        if ring:
            here = ring.index(self.focus) if self.focus in ring else -1 if by > 0 else 0
            self._go_to(ring[(here + by) % len(ring)])
        return bool(ring)

    def step_panel(self) -> bool:
        """The focus to the next panel: where it lands there, else its first widget."""
        stops: list[Widget] = []
        here = -1
        for panel in self.live():
            inside = [w for w in panel.walk() if w.stops]
            if inside:
                here = len(stops) if self.focus in inside else here
                usable = [w for w in inside if w.enabled] or inside
                stops.append(next((w for w in usable if w.lands), usable[0]))
        if stops:
            self._go_to(stops[(here + 1) % len(stops)])
        return bool(stops)

    def _go_to(self, goal: Widget) -> None:
        """Focus a widget, and bring it into sight."""
        self.stir()
        self.set_focus(goal)
        for widget in self._all():
            if isinstance(widget, Scroll) and goal in widget.walk():
                widget.show(goal)

    def _chain(self, pos: tuple[int, int]) -> list[Widget]:
        """Widgets under a point, innermost first."""
        for panel in reversed(self.live()):
            chain: list[Widget] = []
            here: Widget | None = panel if panel.rect.collidepoint(pos) else None
            while here is not None:
                chain.append(here)
                here = next((c for c in reversed(here.children()) if c.rect.collidepoint(pos)), None)
            if chain:
                return chain[::-1]
        return []

    def _point(self, pos: tuple[int, int]) -> None:
        self.pointer = pos
        chain = self._chain(pos)
        pressed = next((w for w in chain if w.focusable), chain[0] if chain else None)
        tip = self._tip_of(chain)
        if tip != self.tip:
            self.tip, self._rested = tip, 0.0
        if pressed is not self.hover:
            if self.hover is not None:
                self.hover.hovered = False
            self.hover = pressed
            if pressed is not None:
                pressed.hovered = True

    def _tip_of(self, chain: list[Widget]) -> Tip | None:
        """What is told at the pointer by the innermost of these that tells anything."""
        return next((tip for widget in chain if (tip := widget.tip_at(self.pointer)) is not None), None)

    def leave(self) -> None:
        """The pointer is over something else that lies on top: nothing here is pointed at or told of."""
        if self.hover is not None:
            self.hover.hovered = False
            self.stir()
        self.hover = self.tip = None
        self.pointer = (-1, -1)

    def renew(self) -> None:
        """Let the tooltip say what its widget says by now, where it stands."""
        if self.tip is not None:
            self.tip = self._tip_of(self._chain(self.pointer))

    # -- time and drawing

    @property
    def told(self) -> Tip | None:
        """What is told now or in a moment: of the widget that keys brought the focus to, else of what is pointed at."""
        if self._told_key is None or self.focus is None or self.focus.key != self._told_key:
            return self.tip
        return self.focus.tip_focused() or self.tip

    @property
    def shown(self) -> Tip | None:
        """The tooltip on screen: that of a mouse that rests goes with the first key, though a key may ask about it."""
        tip = self.told
        return None if self._rested < self._delay or (self.by_keys and tip is self.tip) else tip

    @property
    def _delay(self) -> float:
        return TIP_DELAY if self._told_key is None else KEY_TIP_DELAY

    @property
    def waiting(self) -> bool:
        """Whether a tooltip is about to appear."""
        return self.told is not None and self._rested < self._delay

    def update(self, dt: float) -> bool:
        """Let `dt` seconds pass; True if something must be drawn."""
        if not self.waiting:
            return False
        self._rested += dt
        return self._rested >= self._delay

    def draw(self, surface: pygame.Surface) -> None:
        self._calm += 1
        making = self.keeps and self._calm > CALM and not self.modal
        for panel, modal in self.layers:
            if modal:
                veil = pygame.Surface(surface.get_size(), pygame.SRCALPHA)
                veil.fill((5, 7, 10, 150))
                surface.blit(veil, (0, 0))
                self.look.panel(surface, panel.rect, fill="night", edge="")  # what is asked stands on solid ground
            if making and panel not in self._kept and not any(widget.restless for widget in panel.walk()):
                self._kept[panel] = Kept(surface, self.look, panel)
                making = False
            if (kept := self._kept.get(panel)) is not None:
                kept.draw(surface)
            else:
                panel.draw(surface, self.look)
        if (tip := self.shown) is not None:
            draw_tip(surface, self.look, tip, *self._told_of(tip))

    def _told_of(self, tip: Tip) -> tuple[pygame.Rect, pygame.Rect]:
        """What a tooltip stands beside, and the panel that this lies in: of what is tall, the line pointed at."""
        if self._told_key is not None and self.focus is not None and tip is not self.tip:
            return self.focus.rect, self._panel_of(self.focus)
        chain = self._chain(self.pointer)
        tipped = next((w for w in chain if w.tip_at(self.pointer) is not None), None)
        line = pygame.Rect(0, 0, 1, self.look.px(24))
        line.center = self.pointer
        if tipped is None:
            return line, line
        low = tipped.rect.height <= self.look.px(LINE)
        return (tipped.rect if low and not tip.over else line), self._panel_of(tipped)

    def _panel_of(self, widget: Widget) -> pygame.Rect:
        """The panel that a widget lies in."""
        return next((panel.rect for panel in self.live() if widget in panel.walk()), widget.rect)


def draw_tip(
    surface: pygame.Surface, look: Look, tip: Tip, about: pygame.Rect, panel: pygame.Rect | None = None
) -> None:
    """A tooltip beside what it is about, off the panel that this lies in, inside the window."""
    parts: list[Widget] = []
    if tip.title:
        parts.append(Label(tip.title, "label!", "gold"))
    parts.append(Label(tip.text))
    if tip.rule:
        parts.append(Label(tip.rule, "small", "faint"))
    box = column(*parts, gap=4, pad=10, plate="panel", edge="faint")
    window, panel = surface.get_rect().inflate(-8, -8), about if panel is None else panel
    most = min(look.px(300), window.width)
    beside = max(window.right - panel.right, panel.left - window.left) - look.px(APART)
    if look.px(170) <= beside < most and not _is_bar(panel):
        most = beside
    size = box.measure(look, most)
    rect = tip_place(size, about.clip(window), panel, window, look.px(APART), over=tip.over)
    look.panel(surface, rect, fill="night", edge="")
    box.place(look, rect)
    box.draw(surface, look)


def _is_bar(panel: pygame.Rect) -> bool:
    return panel.width > 3 * panel.height


def tip_place(
    size: tuple[int, int], about: pygame.Rect, panel: pygame.Rect, window: pygame.Rect, gap: int, *, over: bool = False
) -> pygame.Rect:
    """Where a tooltip of a size stands: beside its panel, so that it lies on no other line of it; of a bar across the
    window below or above that; where there is no room for either, below or above what it is about."""
    wide, high = size
    sides = [(panel.right + gap, about.top), (panel.left - gap - wide, about.top)]
    ends = [(about.left, panel.bottom + gap), (about.left, panel.top - gap - high)]
    near = [(about.left, about.bottom + gap), (about.left, about.top - gap - high)]
    tried = [*ends, *sides, *near] if _is_bar(panel) else [*sides, *near]
    if over:
        tried = [near[1], *tried]
    for number, (left, top) in enumerate(tried):
        rect = pygame.Rect(left, top, wide, high)
        held = rect.clamp(window)
        across = (left, top) in sides and number < len(tried) - len(near)
        fits = held.left == rect.left if across else held.top == rect.top
        if fits and not held.colliderect(about):
            return held
    return pygame.Rect(near[0], size).clamp(window)
