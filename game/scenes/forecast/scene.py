"""The forecast: an encounter played many times beside the window, its figures live, its changes compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pygame

from game.app.call_soon import wake
from game.fight.match import Match
from game.forecast.session import Session
from game.scenes.base import Scene
from game.scenes.forecast.board import HeatBoard
from game.scenes.forecast.panels import Panels
from game.scenes.panning import moves_camera
from rules.contract.errors import BattlematError
from rules.core import record as records

if TYPE_CHECKING:
    from game.app.loop import App
    from game.setup.otherrules import Known


class ForecastScene(Scene):
    """What a fight will do. Pushed over any other scene with a record; it plays while it is looked at and no longer.

    Processes of its own play, or the `executor` that is given (and left open).

    Raises BattlematError in one line for a record that cannot be played.
    """

    name = "forecast"
    key_groups = ("general", "camera", "forecast")

    def __init__(
        self,
        app: App,
        record: records.Record | Mapping[str, Any],
        *,
        beside: Path | None = None,
        from_start: bool = False,
        executor: Executor | None = None,
        known: Known | None = None,
    ) -> None:
        super().__init__(app)
        self.executor = executor
        self.known = known
        """What creatures were made into under other rulesets, for the comparison."""
        if not isinstance(record, records.Record):
            record = records.read(dict(record))
        self.session = Session(
            record, partial(wake, self._news), beside=beside, from_start=from_start, executor=executor
        )
        self.heat = self._board()
        self.panels = Panels(self)
        self.failed = ""
        self._gone = False
        self._fitted: tuple[int, int] | None = None
        """The window's size for which the board was last brought into sight."""

    def _board(self) -> HeatBoard:
        """The encounter where every run begins."""
        record = self.session.record
        commands = list(record.commands) if self.session.here else []
        match = Match.from_record(
            record.model_copy(update={"commands": commands}), beside=self.session.beside
        )
        self.title = match.field.title or record.title
        heat = HeatBoard(match.field, match.loaded_map, match.board(), self.size)
        heat.forecast = lambda: self.session.base
        heat.view.speed = 0.0
        return heat

    @property
    def side(self) -> str:
        """Whose chance what-ifs are about: the side that people play, else the first."""
        creatures = self.session.record.creatures
        people = [str(c.get("side")) for c in creatures if c.get("controller") == "human"]
        return people[0] if people else self.session.base.sides[0].side

    # -- what comes back

    def _news(self) -> None:
        if self._gone or self.failed:
            return
        done = self.session.done
        try:
            if not self.session.collect():
                return
        except BattlematError as error:
            self.failed = str(error)
            raise
        finally:
            self.dirty = True
        if self.session.done != done:
            self.rebuild()
        self.ui.renew()

    # -- choices

    def toggle(self, key: str) -> None:
        """Compare a change, or let it rest."""
        self._with_care(lambda: self.session.toggle(key))

    def compare(self, every: bool) -> None:
        """Compare all changes, or let all rest."""

        def call() -> None:
            for variant in self.session.variants:
                if self.session.playing(variant.key) != every:
                    self.session.toggle(variant.key)

        self._with_care(call)

    def turn(self, here: bool) -> None:
        """From where the fight stands, or from the start."""

        def call() -> None:
            self.session.turn(here)
            blood = self.heat.blood
            self.heat = self._board()
            self.heat.blood = blood
            self._fitted = None

        self._with_care(call)

    def _with_care(self, call: Callable[[], None]) -> None:
        if self.app.guard(call):
            self.rebuild()

    def pause(self) -> None:
        """Rest, or go on."""
        self.session.pause(not self.session.paused)
        self.rebuild()

    def more(self) -> None:
        """Twice as many fights."""
        self.session.more()
        self.rebuild()

    def rulesets(self) -> None:
        """The same encounter under every ruleset, side by side."""
        from game.scenes.forecast.rules import RulesetsPanel

        def call() -> None:
            session = self.session
            self.app.push(
                RulesetsPanel(
                    self.app, session.record, beside=session.beside, executor=self.executor, known=self.known
                )
            )

        self.app.guard(call)

    def show_blood(self, side: str | None) -> None:
        """Whose blood the board shows."""
        self.heat.blood = side
        self.rebuild()

    def next_blood(self) -> None:
        """All blood, each side's, none, and round again."""
        known: list[str | None] = ["", *(side.side for side in self.session.base.sides), None]
        self.show_blood(known[(known.index(self.heat.blood) + 1) % len(known)])

    def show(self, name: str) -> None:
        """Point a creature out on the board."""
        self.heat.marked = None if self.heat.marked == name else name
        cells = [mini.cell for mini in self.heat.board.miniatures if mini.id == name]
        if self.heat.marked and cells:
            self.heat.camera.show(cells)
        self.dirty = True

    # -- the scene

    def build(self) -> None:
        self.heat.view.resize(self.size)
        self.panels.build()
        if self._fitted != self.size:
            self._fitted = self.size
            self.heat.look_over()

    def left(self) -> None:
        self._gone = True
        self.session.close()

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEMOTION:
            self.heat.point(event.pos)
        return super().handle(event)

    def command(self, name: str, event: pygame.event.Event) -> bool:
        if name == "zoom_fit":
            self.heat.fit()
        elif name == "forecast_pause":
            self.pause()
        elif name == "forecast_more":
            self.more()
        elif name == "forecast_blood":
            self.next_blood()
        elif name == "forecast_rulesets":
            self.rulesets()
        elif name == "forecast_from" and self.session.record.commands:
            self.turn(not self.session.here)
        elif not moves_camera(self.heat.camera, name, self.app.look):
            return super().command(name, event)
        self.dirty = True
        return True

    def update(self, dt: float) -> bool:
        return super().update(dt) | self.heat.view.update(dt)

    def pace(self) -> float | None:
        return 1 / 60 if self.heat.view.moving else super().pace()
