"""The forecast's board: the encounter as it stands, and where blood is spilt."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from pathlib import Path

import pygame

from game.app.i18n import t
from game.app.window import wake
from game.forecast import threat as danger
from game.forecast.group_sequential import goal_of
from game.forecast.play import Trial
from game.forecast.report import Forecast, report
from game.forecast.session import Background
from game.maps.mapdata import LoadedMap
from game.scenes.base import Scene, Shell, soonest
from game.scenes.forecast.figures import between, draw_band
from game.view.boardview import BoardView
from game.view.camera import Camera
from game.view.overlays import Overlays
from game.view.palette import INK, PAPER, Colour, alpha, mix, render, side_colour
from game.widgets.controls import Pressable, key_chip
from game.widgets.core import Tip, Widget
from game.widgets.text import line
from game.widgets.theme import Look
from rules.board.grid import Field
from rules.contract.display import Board
from rules.contract.errors import BattlematError
from rules.contract.text import Text, joined, text
from rules.contract.units import Cell
from rules.core.record import Record

COOL: Colour = (150, 28, 40)
WARM: Colour = (226, 74, 40)
HOT: Colour = (255, 214, 120)
FIGURED, PALE = 0.35, 0.6
"""Shares of the hottest space's damage from which on a space wears its figure, and wears it in dark ink."""
READABLE = 30
"""Pixels per space from which on a hot space wears its figure."""
AROUND, CLOSEST = 4, 52
"""At first: spaces that are shown around those who fight, and the most pixels per space."""


def heat_colour(share: float) -> Colour:
    """Dark red to pale gold for 0 to 1."""
    return mix(COOL, WARM, share * 2) if share < 0.5 else mix(WARM, HOT, share * 2 - 1)


def _hottest(damage: float) -> str:
    """What the palest colour stands for."""
    return text("up to {damage} HP a fight", f"{damage:.1f}")


class HeatLegend(Widget):
    """What the colours of the heat map mean: from nothing to the hottest space's damage a fight."""

    def __init__(self, hottest: Callable[[], float]) -> None:
        super().__init__()
        self.hottest = hottest

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        font = look.font("small")
        return (look.px(84) + font.size(t(_hottest(88.8)))[0], font.get_linesize() + look.px(10))

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        top = self.hottest()
        if not top:
            return
        strip = pygame.Rect(self.rect.left, 0, look.px(72), look.px(10))
        strip.centery = self.rect.centery
        steps = 12
        for step in range(steps):
            left = strip.left + step * strip.width // steps
            wide = strip.left + (step + 1) * strip.width // steps - left
            high = max(2, round(strip.height * (0.35 + 0.65 * step / (steps - 1))))
            box = pygame.Rect(left, strip.centery - high // 2, wide, high)
            pygame.draw.rect(surface, heat_colour(step / (steps - 1)), box)
        text = line(look, _hottest(top), "small", "quiet", self.rect.right - strip.right - look.px(6))
        surface.blit(text, text.get_rect(midleft=(strip.right + look.px(6), strip.centery)))


class HeatBoard(Widget):
    """The board as a widget that fills the window's free part: wheel zooms, a drag pans, spaces say their figures."""

    def __init__(self, field: Field, loaded: LoadedMap | None, board: Board, size: tuple[int, int]) -> None:
        super().__init__(key="board")
        self.field, self.board = field, board
        self.camera = Camera(field, size)
        self.view = BoardView(field, loaded, self.camera)
        self.view.set_board(board)
        self.view.on_floor = self._paint
        self.forecast: Callable[[], Forecast] | None = None
        self.blood: str | None = ""
        """Whose blood is shown: a side, all sides (""), or none (None)."""
        self.marked: str | None = None
        self._spilt: tuple[Forecast, str, dict[Cell, float]] | None = None
        self._drag: tuple[int, int] | None = None
        self._pointer = (0, 0)

    # -- figures

    def spilt(self) -> dict[Cell, float]:
        """Space -> damage a fight of the blood that is shown."""
        if self.forecast is None or self.blood is None:
            return {}
        found = self.forecast()
        if self._spilt is None or self._spilt[0] is not found or self._spilt[1] != self.blood:
            spaces = {}
            for space in found.heat.spaces:
                if damage := sum(d for side, d in space.damage.items() if self.blood in ("", side)):
                    spaces[self.field.cell(*space.at)] = damage / found.runs
            self._spilt = (found, self.blood, spaces)
        return self._spilt[2]

    def hottest(self) -> float:
        """The most that any space sees, in damage a fight."""
        return max(self.spilt().values(), default=0.0)

    def tip_at(self, pos: tuple[int, int]) -> Tip | None:
        cell = self.camera.to_cell(pos)
        if cell is None or self.forecast is None:
            return None
        found, at, name = self.forecast(), self.field.at(cell), self.view.miniature_at(pos)
        space = next((s for s in found.heat.spaces if s.at == at), None)
        title = next((m.name for m in self.board.miniatures if m.id == name), "")
        if space is None or not found.runs:
            return Tip("No blood is spilt here.", title) if title else None
        damages = ((side, f"{damage / found.runs:.1f}") for side, damage in space.damage.items())
        parts = [text("{side} lose {what}", side, damage) for side, damage in damages]
        return Tip(text("Hit points lost here in a fight: {parts}.", joined(", ", parts)), title)

    # -- drawing

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        self.view.draw(surface, Overlays(selected=self.marked))
        self._figures(surface)

    def _paint(self, surface: pygame.Surface) -> None:
        spilt = self.spilt()
        top = max(spilt.values(), default=1.0)
        window = surface.get_rect()
        for cell, damage in spilt.items():
            rect = self.camera.space_rect(cell)
            if not window.colliderect(rect):
                continue
            share = (damage / top) ** 0.6  # weak spaces still show
            side = max(4, round(rect.width * (0.35 + 0.62 * share)))  # told by size as well as by colour
            blot = pygame.Surface((side, side), pygame.SRCALPHA)
            ink = alpha(heat_colour(share), 110 + round(120 * share))
            pygame.draw.rect(blot, ink, blot.get_rect(), 0, max(2, side // 4))
            surface.blit(blot, blot.get_rect(center=rect.center))

    def _figures(self, surface: pygame.Surface) -> None:
        """The hottest spaces wear their figure."""
        spilt, zoom = self.spilt(), self.camera.zoom
        if zoom < READABLE or not spilt:
            return
        top = max(spilt.values())
        size = max(11, min(18, zoom // 3))
        for cell, damage in spilt.items():
            if damage >= FIGURED * top and damage >= 0.05 and self.camera.shows(cell):
                bright = damage > PALE * top
                rect = self.camera.space_rect(cell)
                text = render("bold", size, f"{damage:.1f}", INK if bright else PAPER)
                box = text.get_rect(bottomright=(rect.right - 3, rect.bottom - 2))
                if not bright:
                    surface.blit(render("bold", size, f"{damage:.1f}", INK), box.move(1, 1))
                surface.blit(text, box)

    # -- gestures

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEWHEEL:
            self.camera.zoom_at(self._pointer, 1.15**event.y)
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 2, 3):
            self._drag = event.pos
            return True
        if event.type == pygame.MOUSEMOTION and self._drag is not None:
            self.camera.pan(event.pos[0] - self._drag[0], event.pos[1] - self._drag[1])
            self._drag = event.pos
            return True
        if event.type == pygame.MOUSEBUTTONUP and self._drag is not None:
            self._drag = None
            return True
        return False

    def point(self, pos: tuple[int, int]) -> None:
        """Where the pointer is: the wheel zooms about it."""
        self._pointer = pos

    def _whole(self) -> int:
        """Pixels per space at which the whole map is in sight."""
        free = self.camera.free
        return int(min(free.width / self.camera.whole.width, free.height / self.camera.whole.height))

    def look_over(self) -> None:
        """Show those who fight and what lies around them, as large as it fits."""
        free, minis = self.camera.free, self.board.miniatures
        if not minis:
            self.fit()
            return
        self.camera.to_level(self.camera.level_of(minis[0].cell))  # of a place that of the first of them
        spots = [self.field.at(mini.cell) for mini in minis if self.camera.shows(mini.cell)]
        columns, rows = zip(*spots, strict=True)
        wide, high = (max(line) - min(line) + 1 + 2 * AROUND for line in (columns, rows))
        zoom = min(free.width // wide, free.height // high, CLOSEST)
        self.camera.set_zoom(max(zoom, self._whole()))
        self.camera.centre(self.field.cell((min(columns) + max(columns)) // 2, (min(rows) + max(rows)) // 2))
        self.camera.arrive()

    def fit(self) -> None:
        """Show the whole map in the free part, as large as it fits."""
        self.camera.set_zoom(self._whole())
        self.camera.centre(self.camera.whole.center)
        self.camera.arrive()


CALM = 0.6
"""Seconds without a change before the fights begin."""
RUNS = 100
"""Fights: enough for a chance to ±10 points, without keeping a processor for long."""
BAND = 150
"""Width at 100 % of what the button shows beside its name."""

Told = Callable[[], tuple[Record, Path | None] | None]
"""The encounter as it is now, and the folder where its map may lie; None for one that can't be played yet."""


class Glance:
    """Plays what is on the table whenever it has settled. Its scene calls `changed`, `update`, `pace` and `close`."""

    def __init__(self, app: Shell, told: Told, *, executor: Executor | None = None, calm: float = CALM) -> None:
        self.app, self._told, self._rest = app, told, calm
        self.forecast: Forecast | None = None
        self.side = ""
        self._background = Background(partial(wake, self._news), executor=executor)
        self._trial: Trial | None = None
        self._seen: Record | None = None
        self._calm: float | None = None
        self._fresh = self._closed = False
        self._scene: Scene | None = None

    def changed(self) -> None:
        """Something on the table may have changed."""
        told = self._told()
        record = None if told is None else told[0]
        if record == self._seen:
            return
        self._seen, self.forecast, self._trial = record, None, None
        self._background.stop()
        self._calm = None if record is None else self._rest

    def update(self, dt: float) -> bool:
        """Let time pass; True if there is something new to draw."""
        self._scene = self.app.top
        if self._background.paused:
            self._background.pause(False)
        if self._calm is not None:
            self._calm -= dt
            if not self.app.settings.live_forecast:
                self._calm = None
            elif self._calm <= 0:
                self._calm = None
                self._begin()
        fresh, self._fresh = self._fresh, False
        return fresh

    def pace(self) -> float | None:
        """Seconds until it wants time; None = never."""
        return None if self._calm is None and not self._fresh else 0.05

    def close(self) -> None:
        """Play no more."""
        self._closed, self._calm = True, None
        self._background.close()

    def _begin(self) -> None:
        if (told := self._told()) is None:
            return
        record, beside = told
        try:
            self._trial = Trial.of(record, beside=beside, from_start=True)
        except (BattlematError, OSError):
            return  # the table's own list of problems says what is wrong
        people = [str(c.get("side")) for c in record.creatures if c.get("controller") == "human"]
        self.side = people[0] if people else self._trial.board.miniatures[0].side
        self._background.start(self._trial, RUNS)

    def _news(self) -> None:
        if self._closed:
            return
        if self._scene is not None and self.app.top is not self._scene:
            self._background.pause(True)  # something lies over it
        try:
            news = self._background.collect()
        except BattlematError:
            return  # the whole forecast says what is wrong
        if news and self._trial is not None:
            self.forecast = report(self._trial, self._background.counts[0], within=goal_of(RUNS))
            self._fresh = True
            if self.app.top is self._scene:
                self.app.top.dirty = True


class GlanceButton(Pressable):
    """Opens the forecast, and shows the chance to win as far as it is known."""

    def __init__(
        self, glance: Glance, on_press: Callable[[], None], *, enabled: bool, hint: str, tip: Tip, band: bool = True
    ) -> None:
        super().__init__(on_press, enabled=enabled, tip=tip, key="forecast")
        self.label, self.glance, self.hint = "Forecast", glance, hint
        self.band = band and enabled and glance.app.settings.live_forecast  # else there is nothing to show

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        font = look.font("label!")
        wide = font.size(self.label)[0] + look.px(24) + (look.px(BAND) if self.band else 0)
        if self.hint:
            wide += look.font("small").size(self.hint)[0] + look.px(20)
        return (min(width, wide), font.get_linesize() + look.px(14))

    def tip_at(self, pos: tuple[int, int]) -> Tip | None:
        found = self.glance.forecast
        if found is None or not self.enabled:
            return self.tip
        side = found.side(self.glance.side)
        chance = text("{side} win {wins} of {runs} fights", side.side.title(), between(side.wins), found.runs)
        lost = text("{chance} and lose {mean} of {creatures}.", chance, f"{side.losses.mean:.1f}", side.creatures)
        whole = text("{lost} A click opens the whole.", lost)
        if found.runs >= danger.ENOUGH:
            whole = text("{lost} {side}. A click opens the whole.", lost, danger.told(found, self.glance.side))
        return Tip(whole, self.label)

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        self.plate(surface, look)
        box = self.rect.inflate(-2 * look.px(12), 0)
        text = line(look, t(self.label), "label!", "bright" if self.enabled else "faint")
        surface.blit(text, text.get_rect(midleft=box.midleft))
        if self.hint:
            surface.fblits(key_chip(look, self.hint, (box.right + look.px(2), box.centery)))
        if self.band:
            left = box.left + text.get_width() + look.px(14)
            self._chance(surface, look, pygame.Rect(left, box.top, look.px(BAND - 16), box.height))

    def _chance(self, surface: pygame.Surface, look: Look, box: pygame.Rect) -> None:
        found, side = self.glance.forecast, self.glance.side
        wins = None if found is None else found.side(side).wins
        words: str = "first fights…"
        if wins is not None:
            words = Text.of("{side} win {wins}", side=side, wins=between(wins))
        text = line(look, t(words), "small", "quiet")
        bar = pygame.Rect(box.left, 0, box.width, look.px(7))
        total = text.get_height() + bar.height + look.px(3)
        surface.blit(text, (box.left, box.centery - total // 2))
        bar.bottom = box.centery + total // 2
        draw_band(surface, look, bar, wins, side_colour(side))


class GlancingScene(Scene):
    """Lives with a forecast at a glance; the scene makes it, and tells it what has changed."""

    glance: Glance

    def update(self, dt: float) -> bool:
        fresh = self.glance.update(dt)
        return super().update(dt) or fresh

    def pace(self) -> float | None:
        return soonest(super().pace(), self.glance.pace())

    def left(self) -> None:
        self.glance.close()
