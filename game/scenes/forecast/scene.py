"""The forecast: an encounter played many times beside the window, its figures live, its changes compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from typing import Any

import pygame

from game.app.window import wake
from game.fight.match import Match
from game.forecast import threat as danger
from game.forecast.report import Chance, Forecast, SideForecast
from game.forecast.session import Session
from game.forecast.simulate import METHOD
from game.scenes.base import Scene, Shell, moves_camera
from game.scenes.fight.panels.card import likeness
from game.scenes.forecast import figures
from game.scenes.forecast.board import HeatBoard, HeatLegend
from game.scenes.forecast.rules import RulesetsPanel
from game.setup.otherrules import Known
from game.view.palette import side_colour
from game.widgets.controls import Button, Label
from game.widgets.core import Space, Tip, Widget, column, row
from game.widgets.figures import Live
from rules.contract.errors import BattlematError, said
from rules.contract.text import text
from rules.core import record as records
from rules.core.record import Record

MARGIN, GAP = 10, 8
PICTURED = 6
"""Batches of a forecast played before its scene is opened by name."""
FIGURES = 484
"""Width of the panels at the right, at 100 %."""
NARROW, LOW = 1100, 640
"""Window sizes at 100 % below which panels leave things out."""
TINY = (840, 480)
"""A window smaller than this at 100 % shows one panel at a time."""
TABS = ("Chances", "Creatures", "What if")
CHANGES, CHANCES = 0.33, 0.68
"""Shares of the window's height that the changes take, and the chances at most."""


class ForecastScene(Scene):
    """What a fight will do. Pushed over any other scene with a record; it plays while it is looked at and no longer.

    Processes of its own play, or the `executor` that is given (and left open).

    Raises BattlematError in one line for a record that cannot be played.
    """

    name = "forecast"
    key_groups = ("general", "camera", "forecast")

    def __init__(
        self, app: Shell, record: Record | Mapping[str, Any], *, beside: Path | None = None, from_start: bool = False,
        executor: Executor | None = None, known: Known | None = None,
    ) -> None:  # fmt: skip
        super().__init__(app)
        self.executor = executor
        self.known = known
        """What creatures were made into under other rulesets, for the comparison."""
        whole = record if isinstance(record, Record) else records.read(dict(record))
        news = partial(wake, self._news)
        self.session = Session(whole, news, beside=beside, from_start=from_start, executor=executor)
        self.heat = self._board()
        self.tab = TABS[0]
        """Which panel a small window shows."""
        self.failed = ""
        self._fitted: tuple[int, int] | None = None
        """The window's size for which the board was last brought into sight."""

    def _board(self) -> HeatBoard:
        """The encounter where every run begins."""
        record = self.session.record
        commands = list(record.commands) if self.session.here else []
        match = Match.from_record(record.model_copy(update={"commands": commands}), beside=self.session.beside)
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
        if self not in self.app.scenes or self.failed:
            return
        done = self.session.done
        try:
            if not self.session.collect():
                return
        except BattlematError as error:
            self.failed = said(error)
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
            blood, self.heat = self.heat.blood, self._board()
            self.heat.blood, self._fitted = blood, None

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
        session = self.session
        self.app.guard(lambda: self.app.push(
            RulesetsPanel(self.app, session.record, beside=session.beside, executor=self.executor, known=self.known)
        ))  # fmt: skip

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

    # -- the scene

    def build(self) -> None:
        self.heat.view.resize(self.size)
        self.ui.add(self.heat, pygame.Rect((0, 0), self.size))
        self._build_tabs() if self._tiny else self._build_all()
        if self._fitted != self.size:
            self._fitted = self.size
            self.heat.look_over()

    def left(self) -> None:
        self.session.close()

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEMOTION:
            self.heat.point(event.pos)
        return super().handle(event)

    def commands(self) -> Mapping[str, Callable[[], object]]:
        does: dict[str, Callable[[], object]] = {
            "zoom_fit": self.heat.fit, "forecast_pause": self.pause, "forecast_more": self.more,
            "forecast_blood": self.next_blood, "forecast_rulesets": self.rulesets,
        }  # fmt: skip
        if self.session.record.commands:
            does["forecast_from"] = partial(self.turn, not self.session.here)
        return {**super().commands(), **does}

    def command(self, name: str, event: pygame.event.Event) -> bool:
        return super().command(name, event) or moves_camera(self.heat.camera, name, self.app.look)

    def update(self, dt: float) -> bool:
        return super().update(dt) | self.heat.view.update(dt)

    def pace(self) -> float | None:
        return 1 / 60 if self.heat.view.moving else super().pace()

    # -- the window

    def _columns(self, width: int) -> tuple[pygame.Rect, pygame.Rect]:
        """The window's left part under the bar over the board, and its right one, so wide."""
        look, (wide, high) = self.app.look, self.size
        margin, gap = look.px(MARGIN), look.px(GAP)
        right = pygame.Rect(wide - margin - width, margin, width, high - 2 * margin)
        bar = self.place(self._bar(), margin, margin, right.left - gap - margin)
        return pygame.Rect(margin, bar.bottom + gap, bar.width, right.bottom - bar.bottom - gap), right

    def _build_all(self) -> None:
        """Chances above creatures at the right, changes at the foot, the board in what is left."""
        ui, look, (wide, high) = self.ui, self.app.look, self.size
        gap = look.px(GAP)
        left, right = self._columns(min(look.px(FIGURES), wide // 2))
        changes, chances = self._changes(), self._chances()
        foot = changes.measure(look, left.width)[1] if self.session.here else round(high * CHANGES)
        ui.add(changes, pygame.Rect(left.left, left.bottom - foot, left.width, foot))
        self.heat.camera.free = pygame.Rect(left.topleft, (left.width, left.height - foot - gap))
        part = min(chances.measure(look, right.width)[1], round(high * CHANCES))
        ui.add(chances, pygame.Rect(right.topleft, (right.width, part)))
        top = right.top + part + gap
        ui.add(self._creatures(), pygame.Rect(right.left, top, right.width, right.bottom - top))

    def _build_tabs(self) -> None:
        """One panel at a time at the right, chosen by tabs; the board at the left."""
        look = self.app.look
        self.heat.camera.free, right = self._columns(min(look.px(FIGURES), round(self.size[0] * 0.58)))
        names = (
            Button(name, partial(self._turn_to, name), chosen=name == self.tab, key=f"tab {name}") for name in TABS
        )
        tabs = row(*names, gap=6, pad=8, plate="panel")
        top = self.place(tabs, *right.topleft, right.width).bottom + look.px(GAP)
        panel = {TABS[0]: self._chances, TABS[1]: self._creatures, TABS[2]: self._changes}[self.tab]()
        self.ui.add(panel, pygame.Rect(right.left, top, right.width, right.bottom - top))

    def _turn_to(self, tab: str) -> None:
        self.tab = tab
        self.rebuild()

    @property
    def _tiny(self) -> bool:
        """Whether the window has room for one panel at a time."""
        (wide, high), scale = self.size, self.app.look.scale
        return wide / scale < TINY[0] or high / scale < TINY[1]

    @property
    def _narrow(self) -> bool:
        """Whether the window has room for short words only."""
        return self.size[0] / self.app.look.scale < NARROW

    @property
    def _low(self) -> bool:
        """Whether the window has no room for what can be done without."""
        return self.size[1] / self.app.look.scale < LOW

    # -- over the board

    def _bar(self) -> Widget:
        sides = [side.side for side in self.session.base.sides]
        kinds: list[tuple[str, str | None]] = [("All", ""), *((side.title(), side) for side in sides), ("None", None)]
        told = Tip("Hit points lost on each space, a fight; the larger and paler, the more.")
        buttons = [
            Button(label, partial(self.show_blood, side), chosen=self.heat.blood == side, key=f"blood {side}", tip=told)
            for label, side in kinds
        ]
        back = Button("Back", self.app.pop, hint=self._hint("back"))
        if self._tiny:
            shown = next(label for label, side in kinds if side == self.heat.blood)
            round_ = Button(text("Blood: {shown}", shown.lower()), self.next_blood, key="blood")
            return row(back, Space(grow=1), round_, gap=6, pad=8, plate="panel")
        legend: list[Widget] = [Space(grow=1)]
        if not self._narrow:
            legend = [HeatLegend(self.heat.hottest), *legend, Label("Blood spilt", "label", "quiet", one_line=True)]
        return row(back, *legend, *buttons, gap=6, pad=8, plate="panel")

    def _hint(self, command: str) -> str:
        """The key of a command, where there is room for it."""
        return "" if self._narrow else self.app.keys.shown(command)

    # -- chances

    def _chances(self) -> Widget:
        base, own = self.session.base, self._own()
        sides = " against ".join(text("{side} ({creatures})", side.side, side.creatures) for side in base.sides)
        parts: list[Widget] = [
            row(Label("Forecast", "heading", "bright"), Space(grow=1), *self._controls(), gap=6),
            Label(text("{what}: {sides}", self.title or base.map, sides), "text", "quiet"),
        ]
        if self.session.record.commands:
            here, hint = self.session.here, self.app.keys.shown("forecast_from")
            parts.append(row(
                Button("From here on", partial(self.turn, True), chosen=here, key="here", hint=hint),
                Button("From the start", partial(self.turn, False), chosen=not here, key="start"),
                gap=6,
            ))  # fmt: skip
        for number, side in enumerate(base.sides):
            told = Tip("The bar is full up to the interval's lower bound and hatched to its upper one.")
            label, colour = text("{side} win", side.side.title()), side_colour(side.side)
            wins = partial(self._wins, number)
            parts.append(figures.ChanceBar(label, wins, colour, tip=told, large=not self._low))
        tiles = (
            figures.FigureTile(text(name, side=own.side.title()), partial(self._said, figure, "…"),
                               partial(self._said, told, ""))
            for name, figure, told in figures.figures_of(self.heat.board)
        )  # fmt: skip
        parts.append(row(*tiles, gap=6))
        if not self._low:
            lost = text("{side} lost, of {creatures}", own.side.title(), own.creatures)
            parts += [Label(lost, "small", "quiet"), figures.Histogram(self._base, self.side)]
        method = figures.LiveText(lambda: self.session.base.method)
        parts += [Live(self._danger, "text"), Live(self._progress, "text"), method]
        return column(self.scrolled(column(*parts, gap=7), "chances"), pad=10 if self._low else 14, plate="panel")

    def _controls(self) -> list[Widget]:
        controls: list[Widget] = []
        if not self.session.done:
            words = "Go on" if self.session.paused else "Pause"
            controls.append(Button(words, self.pause, hint=self._hint("forecast_pause"), key="pause"))
        rules = Button("Rules" if self._narrow else "Rulesets", self.rulesets, key="rulesets",
                       hint=self._hint("forecast_rulesets"),
                       tip=Tip("The same encounter under every ruleset, side by side."))  # fmt: skip
        more = Button("More fights", self.more, hint=self._hint("forecast_more"), key="more",
                      tip=Tip("Twice as many: the interval gets narrower by about a third."))  # fmt: skip
        return [*controls, rules, more]

    def _own(self) -> SideForecast:
        return self.session.base.side(self.side)

    def _danger(self) -> str:
        """The threat to the people's side, and its word."""
        base = self.session.base
        return danger.told(base, self.side) if base.runs >= danger.ENOUGH else ""

    def _wins(self, number: int) -> Chance | None:
        base = self.session.base
        return base.sides[number].wins if base.runs else None

    def _said(self, say: figures.Say, before: str) -> str:
        """What a tile says now; `before` the first fight."""
        return say(self._base(), self._own()) if self._base().runs else before

    def _progress(self) -> str:
        session = self.session
        if self.failed:
            return self.failed
        if session.done:
            return text("{runs} fights", session.base.runs)
        told = "{runs} of {wanted} fights" if session.within is None else "{runs} of about {wanted} fights"
        words = text(told, session.base.runs, session.wanted())
        if session.paused:
            return text("{words} · paused", words)
        if not session.base.runs:
            return "Playing the first fights…"
        if (left := session.seconds_left()) is None:
            return text("{words} · the first are being played", words)
        return text("{words} · {left} left", words, _time(left))

    # -- creatures

    def _creatures(self) -> Widget:
        lines = [
            figures.CreatureLine(
                self._base, number, likeness(creature.art, creature.side), partial(self.show, creature.id),
                key=f"creature {creature.id}", tight=self._narrow,
            )
            for number, creature in enumerate(self.session.base.creatures)
        ]  # fmt: skip
        listing = self.scrolled(column(*lines, gap=2), "creatures")
        return column(figures.CreatureHeads(self._narrow), listing, gap=4, pad=12, plate="panel")

    # -- changes

    def _changes(self) -> Widget:
        session = self.session
        heading = Label("What if", "heading", "bright", tip=Tip(METHOD))
        if session.here:
            text = "Changes are compared from the start of the encounter: choose “From the start”."
            return column(heading, Label(text, "text", "quiet"), gap=6, pad=12, plate="panel")
        lines = [
            figures.VariantLine(
                variant.label, partial(session.forecast, variant.key),
                partial(session.difference, variant.key, self.side), self._base, side=self.side,
                on_press=partial(self.toggle, variant.key), playing=session.playing(variant.key),
                tight=self._narrow, key=f"what {variant.key}",
            )
            for variant in session.variants
        ]  # fmt: skip
        scroll = self.scrolled(column(*lines, gap=2), "changes")
        as_it_is = figures.VariantLine(
            "As it is", self._base, lambda: None, self._base, side=self.side, on_press=lambda: None, playing=True,
            fixed=True, tight=self._narrow,
        )  # fmt: skip
        as_it_is.focusable = False
        everything = all(session.playing(variant.key) for variant in session.variants)
        compare = partial(self.compare, not everything)
        every = Button("Compare none" if everything else "Compare all", compare, key="all")
        heads: list[Widget] = [] if self._narrow else [figures.VariantHeads(self.side)]
        return column(row(heading, every, *heads, gap=10), as_it_is, scroll, gap=3, pad=12, plate="panel")

    def _base(self) -> Forecast:
        return self.session.base


def _time(seconds: float) -> str:
    """`about 40 s`, `about 3 min`."""
    if seconds < 1:
        return "a moment"
    return text("about {seconds} s", round(seconds)) if seconds < 90 else text("about {round} min", round(seconds / 60))


def forecast(
    app: Shell, record: Record | Mapping[str, Any], beside: Path | None = None, known: Known | None = None
) -> None:
    """What an encounter will do, or a fight from where it stands; a record that can't be played becomes a dialog."""
    app.guard(lambda: app.push(ForecastScene(app, record, beside=beside, known=known)))


def pictured(app: Shell, record: Record | Mapping[str, Any], beside: Path | None = None) -> None:
    """A forecast of which a few fights are played before it is shown, so that a picture of it has figures."""
    scene = ForecastScene(app, record, beside=beside)
    scene.session.play_now(PICTURED)
    app.push(scene)


def foresee(app: Shell, match: Match) -> None:
    """What a fight will do from where it stands. It shows everybody: the caller sees to it that nothing is secret."""
    beside = match.loaded_map.path.parent if match.loaded_map is not None else None
    forecast(app, match.record, beside)
