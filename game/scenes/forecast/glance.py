"""A forecast at a glance beside what it is about: begins anew whenever that changes, opens the whole forecast."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pygame

from game.app.i18n import t
from game.app.shutdown import wake
from game.forecast import threat as danger
from game.forecast.play import Trial
from game.forecast.report import Forecast, report
from game.forecast.session import Background
from game.scenes.base import Shell
from game.scenes.forecast.figures import between, draw_band
from game.view.palette import side_colour
from game.widgets.controls import Pressable, key_chip
from game.widgets.core import Tip
from game.widgets.text import rendered
from game.widgets.theme import Look
from rules.contract.errors import BattlematError
from rules.contract.text import Text, text
from rules.core.record import Record

if TYPE_CHECKING:
    from game.scenes.base import Scene
from game.scenes.base import Scene

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
        self._fresh = False
        self._closed = False
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
        told = self._told()
        if told is None:
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
            self.forecast = report(self._trial, self._background.counts(0))
            self._fresh = True
            if self.app.top is self._scene:
                self.app.top.dirty = True


class GlanceButton(Pressable):
    """Opens the forecast, and shows the chance to win as far as it is known."""

    def __init__(
        self, glance: Glance, on_press: Callable[[], None], *, enabled: bool, hint: str, tip: Tip, band: bool = True
    ) -> None:
        super().__init__(on_press, enabled=enabled, tip=tip, key="forecast")
        self.label, self.glance, self.hint, self.band = "Forecast", glance, hint, band

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
        chance = text(
            "{side} win {wins} of {runs} fights", side=side.side.title(), wins=between(side.wins), runs=found.runs
        )
        lost = text(
            "{chance} and lose {mean} of {creatures}.",
            chance=chance,
            mean=f"{side.losses.mean:.1f}",
            creatures=side.creatures,
        )
        if found.runs < danger.ENOUGH:
            return Tip(text("{lost} A click opens the whole.", lost=lost), self.label)
        return Tip(
            text("{lost} {side}. A click opens the whole.", lost=lost, side=danger.told(found, self.glance.side)),
            self.label,
        )

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        self.plate(surface, look)
        box = self.rect.inflate(-2 * look.px(12), 0)
        text = rendered(look.font("label!"), t(self.label), look.colour("bright" if self.enabled else "faint"))
        surface.blit(text, text.get_rect(midleft=box.midleft))
        if self.hint:
            surface.fblits(key_chip(look, self.hint, (box.right + look.px(2), box.centery)))
        if self.band:
            left = box.left + text.get_width() + look.px(14)
            self._chance(surface, look, pygame.Rect(left, box.top, look.px(BAND - 16), box.height))

    def _chance(self, surface: pygame.Surface, look: Look, box: pygame.Rect) -> None:
        if not self.enabled:
            return
        found, side = self.glance.forecast, self.glance.side
        words = (
            "first fights…"
            if found is None
            else Text.of("{side} win {wins}", side=side, wins=between(found.side(side).wins))
        )
        text = rendered(look.font("small"), t(words), look.colour("quiet"))
        bar = pygame.Rect(box.left, 0, box.width, look.px(7))
        total = text.get_height() + bar.height + look.px(3)
        surface.blit(text, (box.left, box.centery - total // 2))
        bar.bottom = box.centery + total // 2
        if found is None:
            pygame.draw.rect(surface, look.colour("night"), bar, 0, bar.height // 2)
        else:
            draw_band(surface, look, bar, found.side(side).wins, side_colour(side))


class GlancingScene(Scene):
    """Lives with a forecast at a glance; the scene makes it, and tells it what has changed."""

    glance: Glance

    def update(self, dt: float) -> bool:
        fresh = self.glance.update(dt)
        return super().update(dt) or fresh

    def pace(self) -> float | None:
        paces = [pace for pace in (super().pace(), self.glance.pace()) if pace is not None]
        return min(paces, default=None)

    def left(self) -> None:
        self.glance.close()
