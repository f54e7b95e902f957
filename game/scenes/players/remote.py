"""The remote of the players' window: where it looks, what it shows, what is hidden, how large a space is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, auto
from functools import partial

import pygame

from game.app.settings import Follow
from game.fight.brush import Brush
from game.scenes.base import Scene, SecondWindow, moves_camera
from game.scenes.players.frame import frame_on
from game.scenes.players.source import Source
from game.view.palette import mark, tone
from game.widgets.controls import Button, Label, Slider, Toggle
from game.widgets.core import Space, Tip, Widget, column, grown, row
from game.widgets.fields import NumberField
from rules.board.bitboard import cells_of
from rules.contract.text import text
from rules.contract.units import EMPTY, Bitboard

WIDE = 372
"""Width of the panel at 100 %."""
MARGIN = 10
FOLLOWS = {
    Follow.ACTION: ("The heroes", "It shows the heroes and whoever they see, and turns to where something happens."),
    Follow.BOARD: ("This board", "It shows what you see here, as near as you do."),
    Follow.HELD: ("Held", "It stays where it is. Drag its frame on the board; the wheel with Ctrl zooms it."),
}
TURNS = ("0°", "90°", "180°", "270°")


class Tool(Enum):
    """What the mouse does on the board."""

    FRAME = auto()
    """It drags the frame."""
    SHOW = auto()
    HIDE = auto()
    LEAVE = auto()
    """It leaves ground as the heroes know it."""


TOOLS = {
    Tool.FRAME: ("Frame", "Drag the frame of what the players see."),
    Tool.SHOW: ("Reveal", "Paint over ground that the players are to see, but not who stands there."),
    Tool.HIDE: ("Hide", "Paint over ground that the players are not to see, with whoever stands there but the heroes."),
    Tool.LEAVE: ("As known", "Paint over ground that is to be as the heroes know it again."),
}  # fmt: skip


class Remote(Scene):
    """Lies over a board. Nothing goes on meanwhile but what is being shown; the players' window goes on showing it."""

    overlay = True
    name = "players"
    key_groups = ("general", "players", "camera")

    def __init__(self, second: SecondWindow, below: Scene, source: Source) -> None:
        super().__init__(second.app)
        self.second, self.below, self.source = second, below, source
        self.tool = Tool.FRAME
        self.width = 3
        """Spaces across that the brush paints."""
        self._undone: list[Brush] = []
        """What was shown and hidden before each stroke."""
        self._stroke: Brush | None = None
        self._last: tuple[int, int] | None = None
        self._pan = False
        self.pointed: tuple[int, int] | None = None

    # -- the panel

    def build(self) -> None:
        look, (wide, high) = self.app.look, self.size
        margin = look.px(MARGIN)
        parts = [*self._aim(), *self._paint(), *self._scale(), *self._shown()]
        listing = self.scrolled(column(*parts, gap=5, pad=2), "remote")
        head = row(
            Label("Players' window", "heading", "bright"), Space(grow=1),
            Button("Done", self.app.pop, hint=self.app.keys.shown("back"), key="done", gold=True), gap=8,
        )  # fmt: skip
        box = column(head, self._doors(), grown(listing), gap=8, pad=12, plate="panel", edge="gold")
        width = min(look.px(WIDE), wide - 2 * margin)
        rect = pygame.Rect(0, margin, width, min(box.measure(look, width)[1], high - 2 * margin))
        rect.right = wide - margin
        self.ui.add(box, rect)

    def _doors(self) -> Widget:
        """What is ordered most."""
        table, keys = self.second.table, self.app.keys.shown
        dark = table is not None and table.black
        black = Tip("Nothing but black is shown until you press it again.")
        push = Tip("It looks where you look now, once, and stays there.")
        return row(
            Button("Dark", self._do(self.second.black), chosen=dark, hint=keys("players_black"), key="dark", tip=black),
            Button("Push view", self._do(self.second.push), hint=keys("players_push"), key="push", tip=push),
            gap=6, wrap=True,
        )  # fmt: skip

    def _aim(self) -> list[Widget]:
        now = self.second.settings.follow
        buttons = [
            Button(word, partial(self._follow, follow), chosen=follow is now, slim=True, key=f"follow {follow}",
                   tip=Tip(tip))
            for follow, (word, tip) in FOLLOWS.items()
        ]  # fmt: skip
        turned = self.second.settings.turn
        turns = [
            Button(word, partial(self._set, "turn", n), chosen=n == turned, slim=True, key=f"turn {n}")
            for n, word in enumerate(TURNS)
        ]
        return [
            Label("It looks at", "label!", "gold"), row(*buttons, gap=5, wrap=True),
            Label("Turned", "label!", "gold"), row(*turns, gap=5, wrap=True),
        ]  # fmt: skip

    def _paint(self) -> list[Widget]:
        able, match = self.brushes, self.source.match
        why = "" if able else "In a fight only: here the heroes see the opening as it will be."
        tools = [
            Button(word, partial(self._take, tool), chosen=tool is self.tool, slim=True, key=f"tool {tool.name}",
                   enabled=able or tool is Tool.FRAME, tip=Tip(why or tip))
            for tool, (word, tip) in TOOLS.items()
        ]  # fmt: skip
        parts: list[Widget] = [Label("The mouse", "label!", "gold"), row(*tools, gap=5, wrap=True)]
        if able and match is not None:
            any_left = match.record.brushed is not None
            parts += [
                Slider("Brush", self.width, (1, 15), 2, self._widen, unit=""),
                row(
                    Button("Undo", self.undo, slim=True, enabled=bool(self._undone), key="brush undo",
                           hint=self.app.keys.shown("players_undo")),
                    Button("All as known", self._clear, slim=True, enabled=any_left, key="brush clear",
                           tip=Tip("What you have shown and hidden by hand is forgotten.")),
                    gap=5, wrap=True,
                ),
            ]  # fmt: skip
        return parts

    def _scale(self) -> list[Widget]:
        s, table = self.second.settings, self.second.table
        ruler = table is not None and table.ruler
        inch = Tip("For miniatures of lead: a space is an inch wide on that screen.")
        told = "Hold a ruler against the one on the players' screen, and change the figure until they agree."
        field = NumberField("inch", s.inch, lambda n: self._set("inch", max(20, min(400, n or 96)), quiet=True),
                            self.memory, low=20, high=400, tip=Tip("Pixels of that screen to an inch."))  # fmt: skip
        parts: list[Widget] = [
            Label("Scale", "label!", "gold"),
            Toggle("A space is one inch", s.physical, partial(self._set, "physical"), tip=inch, flush=True),
        ]
        if s.physical or ruler:
            parts += [
                row(Label("Pixels to an inch"), grown(field), gap=8, align="centre"),
                Toggle("Ruler on the players' screen", ruler, self._rule, tip=Tip(told), flush=True),
            ]
        return parts

    def _shown(self) -> list[Widget]:
        s = self.second.settings
        strict = Tip("Also where the fight has no fog of war, and everybody knows everything by the rules.")
        full = Tip("Or a double click on it. F11 does it while it has the keys.")
        return [
            Label("It shows", "label!", "gold"),
            Toggle("The order of play", s.order, partial(self._set, "order"), flush=True),
            Toggle("Dice", s.dice, partial(self._set, "dice"), flush=True),
            Toggle("Names", s.names, partial(self._set, "names"), flush=True),
            Toggle("Only what the heroes see", s.strict, partial(self._set, "strict"), tip=strict, flush=True),
            Toggle("Full screen", s.fullscreen, lambda _: self.second.fill_screen(), tip=full, flush=True),
            *self._screens(),
            Button("Close the players' window", self._close, hint=self.app.keys.shown("players"), key="close window"),
        ]  # fmt: skip

    def _screens(self) -> list[Widget]:
        """To another screen, where there are several."""
        count = pygame.display.get_num_displays()
        if count < 2:
            return []
        buttons = [
            Button(text("Screen {n}", n=n + 1), partial(self.second.to_screen, n), slim=True, key=f"screen {n}")
            for n in range(count)
        ]
        return [row(*buttons, gap=5, wrap=True)]

    # -- what it orders

    def _do(self, call: Callable[[], object]) -> Callable[[], None]:
        def go() -> None:
            call()
            self.rebuild()

        return go

    def _follow(self, follow: Follow) -> None:
        self._set("follow", follow)
        if self.second.table is not None:
            self.second.table.look_anew()

    def _set(self, name: str, value: object, *, quiet: bool = False) -> None:
        """Change what is shown; it is kept."""
        setattr(self.second.settings, name, value)
        self.second.changed()
        if not quiet:
            self.rebuild()
        self.dirty = True

    def _rule(self, on: bool) -> None:
        if self.second.table is not None:
            self.second.table.ruler = on
            self._set("physical", True)

    def _take(self, tool: Tool) -> None:
        self.tool = tool
        self.rebuild()

    def _widen(self, width: int) -> None:
        self.width = width
        self.dirty = True

    def _close(self) -> None:
        self.app.pop()
        self.second.close()

    @property
    def brushes(self) -> bool:
        """Whether ground can be shown and hidden by hand: it is kept with the fight."""
        return self.source.keeps and self.source.match is not None

    def undo(self) -> None:
        """Take back the last stroke of the brush."""
        if self._undone and self.source.match is not None:
            self.source.match.keep_brush(self._undone.pop())
            self.rebuild()

    def _clear(self) -> None:
        match = self.source.match
        if match is not None:
            self._undone.append(match.brush())
            match.keep_brush(Brush())
            self.rebuild()

    # -- on the board

    def handle(self, event: pygame.event.Event) -> bool:
        if self._last is None and self.ui.handle(event):
            if event.type == pygame.MOUSEMOTION and self.pointed is not None:
                self.pointed, self.dirty = None, True
            return True
        camera = self.source.view.camera
        if event.type == pygame.MOUSEWHEEL:
            self._wheel(event.y)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 2, 3):
            self._last, self._pan = event.pos, event.button != 1
            if not self._pan:
                self._begin(event.pos)
        elif event.type == pygame.MOUSEMOTION:
            space = camera.to_space(event.pos)
            self.dirty |= space != self.pointed
            self.pointed = space
            if self._last is not None:
                self._drag(event.pos)
        elif event.type == pygame.MOUSEBUTTONUP and self._last is not None:
            self._end()
        else:
            return False
        return True

    def _wheel(self, steps: int) -> None:
        """The wheel zooms the board, with Ctrl the players' view."""
        table, camera = self.second.table, self.source.view.camera
        if not self.app.held(pygame.KMOD_CTRL) or table is None or table.view is None:
            camera.zoom_at(self.app.pointer, 1.12**steps)
        elif not self.second.settings.physical:
            shown = table.view.camera
            zoom = round(shown.zoom * 1.12**steps)
            zoom += (1 if steps > 0 else -1) * (zoom == shown.zoom)
            table.hold(*shown.centre_of_view, max(8, min(400, zoom)))
            self._held()
        self.dirty = True

    def _begin(self, pos: tuple[int, int]) -> None:
        match, table = self.source.match, self.second.table
        if self.tool is not Tool.FRAME:
            if match is not None and self.brushes:
                self._stroke = match.brush()
                self._undone.append(self._stroke)
                self._dab(pos)
            return
        if table is None or table.view is None:
            return
        main, shown = self.source.view.camera, table.view.camera
        frame = frame_on(main, shown)
        if frame is None or not frame.collidepoint(pos):
            if main.level != shown.level:
                shown.to_level(main.level)
            x, y = main.origin
            table.hold((pos[0] - x) / main.zoom, (pos[1] - y) / main.zoom)
            self._held()

    def _drag(self, pos: tuple[int, int]) -> None:
        assert self._last is not None
        main, table = self.source.view.camera, self.second.table
        dx, dy = pos[0] - self._last[0], pos[1] - self._last[1]
        if self._pan:
            main.pan(dx, dy)
        elif self.tool is not Tool.FRAME:
            self._dab(pos)
        elif table is not None and table.view is not None:
            column, row_ = table.view.camera.centre_of_view
            table.hold(column + dx / main.zoom, row_ + dy / main.zoom)
            self._held()
        self._last, self.dirty = pos, True

    def _held(self) -> None:
        """The frame was moved by hand: buttons say so."""
        self.second.changed()
        self.rebuild()

    def _end(self) -> None:
        match = self.source.match
        if self._stroke is not None and match is not None:
            if match.brush() == self._stroke:
                self._undone.pop()
            self._stroke = None
        self._last = None
        self.rebuild()

    def _dab(self, pos: tuple[int, int]) -> None:
        """The brush paints where the pointer is."""
        match = self.source.match
        if match is None:
            return
        cells, brush = self._under(self.source.view.camera.to_space(pos)), match.brush()
        paint = {Tool.SHOW: brush.show, Tool.HIDE: brush.hide, Tool.LEAVE: brush.leave}[self.tool]
        if cells and (after := paint(cells)) != brush:
            match.keep_brush(after)
            self.dirty = True

    def _under(self, space: tuple[int, int]) -> Bitboard:
        """The spaces under the brush."""
        match = self.source.match
        if match is None:
            return EMPTY
        field, half = match.field, self.width // 2
        whole, found = self.source.view.camera.whole, EMPTY
        for column_ in range(max(whole.left, space[0] - half), min(whole.right, space[0] + half + 1)):
            for row_ in range(max(whole.top, space[1] - half), min(whole.bottom, space[1] + half + 1)):
                found |= Bitboard(1 << field.cell(column_, row_))
        return found

    # -- keys, time, drawing

    def command(self, name: str, event: pygame.event.Event) -> bool:
        self.dirty = True
        return moves_camera(self.source.view.camera, name, self.app.look) or super().command(name, event)

    def commands(self) -> Mapping[str, Callable[[], object]]:
        found: dict[str, Callable[[], object]] = {
            "back": self.app.pop, "players_remote": self.app.pop, "players_undo": self.undo,
            "players_wider": partial(self._widen, min(15, self.width + 2)),
            "players_narrower": partial(self._widen, max(1, self.width - 2)),
        }  # fmt: skip
        for tool in Tool:
            if tool is Tool.FRAME or self.brushes:
                found[f"players_{tool.name.lower()}"] = partial(self._take, tool)
        for number, follow in enumerate(Follow):
            found[f"players_follow_{number + 1}"] = partial(self._follow, follow)
        found["players_turn"] = partial(self._set, "turn", (self.second.settings.turn + 1) % 4)
        found["players_names"] = partial(self._set, "names", not self.second.settings.names)
        return found

    def update(self, dt: float) -> bool:
        below = self.below.update(dt)
        return self.ui.update(dt) or below

    def pace(self) -> float | None:
        own, below = super().pace(), self.below.pace()
        return below if own is None else own if below is None else min(own, below)

    def draw(self, surface: pygame.Surface) -> None:
        camera, match = self.source.view.camera, self.source.match
        if match is not None and self.source.keeps:
            brush = match.brush()
            self._tint(surface, brush.shown, "good")
            self._tint(surface, brush.hidden, "harm")
        if self.pointed is not None and self.tool is not Tool.FRAME and match is not None:
            box = camera.space_rect((self.pointed[0] - self.width // 2, self.pointed[1] - self.width // 2), self.width)
            pygame.draw.rect(surface, tone("aim"), box, max(2, camera.zoom // 20))
        for panel in self.ui.live():
            self.app.look.panel(surface, panel.rect, fill="night", edge="")  # it lies on other panels
        self.ui.draw(surface)

    def _tint(self, surface: pygame.Surface, cells: Bitboard, word: str) -> None:
        """Ground that was painted, in a colour and with a hatch of its own."""
        camera, window = self.source.view.camera, surface.get_rect()
        zoom = camera.zoom
        square = pygame.Surface((zoom, zoom), pygame.SRCALPHA)
        square.fill(mark(tone(word), 60))
        step = max(6, zoom // 4)
        for n in range(-zoom, zoom, step):
            ends = ((n, 0), (n + zoom, zoom)) if word == "harm" else ((n + zoom, 0), (n, zoom))
            pygame.draw.line(square, mark(tone(word), 120), *ends, max(1, zoom // 24))
        for cell in cells_of(cells):
            if camera.shows(cell) and window.colliderect(rect := camera.space_rect(cell)):
                surface.blit(square, rect)


def remote(second: SecondWindow) -> None:
    """Open the remote over the board that is on top."""
    below = second.app.top
    source = below.for_players()
    if isinstance(below, Remote) or not second.open:
        return
    if source is None:
        told = "Its remote opens over a board: in a fight, in a replay, or where an encounter is prepared."
        second.app.navigator.message("Players' window", told)
        return
    second.app.push(Remote(second, below, source))
