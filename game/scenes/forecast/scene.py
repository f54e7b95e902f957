"""The forecast: an encounter played many times beside the window, its figures live, its changes compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from typing import Any

import pygame

from game.app.window import wake
from game.fight.match import Match
from game.forecast import threat as danger
from game.forecast.report import Chance, CreatureForecast, Forecast, SideForecast
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


class Panels:
    """Builds the widgets of a forecast for the window as it is."""

    def __init__(self, scene: ForecastScene) -> None:
        self.scene = scene
        self.tab = TABS[0]
        """Which panel a small window shows."""

    def build(self) -> None:
        """Make all panels again."""
        self.scene.ui.add(self.scene.heat, pygame.Rect((0, 0), self.scene.size))
        self._build_tabs() if self._tiny else self._build_all()

    def _columns(self, width: int) -> tuple[pygame.Rect, pygame.Rect]:
        """The window's left and right part, the right one so wide."""
        look, (wide, high) = self.scene.app.look, self.scene.size
        margin = look.px(MARGIN)
        right = pygame.Rect(wide - margin - width, margin, width, high - 2 * margin)
        return pygame.Rect(margin, margin, right.left - look.px(GAP) - margin, right.height), right

    def _add_bar(self, left: pygame.Rect) -> int:
        """The bar over the board; where it ends."""
        look, bar = self.scene.app.look, self._bar()
        rect = pygame.Rect(left.topleft, (left.width, bar.measure(look, left.width)[1]))
        self.scene.ui.add(bar, rect)
        return rect.bottom + look.px(GAP)

    def _build_all(self) -> None:
        """Chances above creatures at the right, changes at the foot, the board in what is left."""
        scene = self.scene
        ui, look, (wide, high) = scene.ui, scene.app.look, scene.size
        gap = look.px(GAP)
        left, right = self._columns(min(look.px(FIGURES), wide // 2))
        changes, chances = self._changes(), self._chances()
        top = self._add_bar(left)
        foot = changes.measure(look, left.width)[1] if scene.session.here else round(high * CHANGES)
        ui.add(changes, pygame.Rect(left.left, left.bottom - foot, left.width, foot))
        scene.heat.camera.free = pygame.Rect(left.left, top, left.width, left.bottom - foot - gap - top)
        part = min(chances.measure(look, right.width)[1], round(high * CHANCES))
        ui.add(chances, pygame.Rect(right.topleft, (right.width, part)))
        rest = pygame.Rect(right.left, right.top + part + gap, right.width, right.height - part - gap)
        ui.add(self._creatures(), rest)

    def _build_tabs(self) -> None:
        """One panel at a time at the right, chosen by tabs; the board at the left."""
        scene, look = self.scene, self.scene.app.look
        left, right = self._columns(min(look.px(FIGURES), round(scene.size[0] * 0.58)))
        top = self._add_bar(left)
        scene.heat.camera.free = pygame.Rect(left.left, top, left.width, left.bottom - top)
        names = (
            Button(name, partial(self._turn_to, name), chosen=name == self.tab, key=f"tab {name}") for name in TABS
        )
        tabs = row(*names, gap=6, pad=8, plate="panel")
        rect = pygame.Rect(right.topleft, (right.width, tabs.measure(look, right.width)[1]))
        scene.ui.add(tabs, rect)
        panel = {TABS[0]: self._chances, TABS[1]: self._creatures, TABS[2]: self._changes}[self.tab]()
        top = rect.bottom + look.px(GAP)
        scene.ui.add(panel, pygame.Rect(right.left, top, right.width, right.bottom - top))

    def _turn_to(self, tab: str) -> None:
        self.tab = tab
        self.scene.rebuild()

    @property
    def _tiny(self) -> bool:
        """Whether the window has room for one panel at a time."""
        (wide, high), scale = self.scene.size, self.scene.app.look.scale
        return wide / scale < TINY[0] or high / scale < TINY[1]

    @property
    def _narrow(self) -> bool:
        """Whether the window has room for short words only."""
        return self.scene.size[0] / self.scene.app.look.scale < NARROW

    @property
    def _low(self) -> bool:
        """Whether the window has no room for what can be done without."""
        return self.scene.size[1] / self.scene.app.look.scale < LOW

    # -- over the board

    def _bar(self) -> Widget:
        scene = self.scene
        sides = [side.side for side in scene.session.base.sides]
        kinds: list[tuple[str, str | None]] = [("All", ""), *((side.title(), side) for side in sides), ("None", None)]
        told = Tip("Hit points lost on each space, a fight; the larger and paler, the more.")
        buttons = [
            Button(
                label, partial(scene.show_blood, side), chosen=scene.heat.blood == side, key=f"blood {side}", tip=told
            )
            for label, side in kinds
        ]
        back = Button("Back", scene.app.pop, hint=self._hint("back"))
        if self._tiny:
            shown = next(label for label, side in kinds if side == scene.heat.blood)
            round_ = Button(text("Blood: {shown}", shown.lower()), scene.next_blood, key="blood")
            return row(back, Space(grow=1), round_, gap=6, pad=8, plate="panel")
        legend: list[Widget] = [Space(grow=1)]
        if not self._narrow:
            legend = [HeatLegend(scene.heat.hottest), *legend, Label("Blood spilt", "label", "quiet", one_line=True)]
        return row(back, *legend, *buttons, gap=6, pad=8, plate="panel")

    def _hint(self, command: str) -> str:
        """The key of a command, where there is room for it."""
        return "" if self._narrow else self.scene.app.keys.shown(command)

    # -- chances

    def _chances(self) -> Widget:
        scene, session, base = self.scene, self.scene.session, self.scene.session.base
        parts: list[Widget] = [
            row(Label("Forecast", "heading", "bright"), Space(grow=1), *self._controls(), gap=6),
            Label(self._about(), "text", "quiet"),
        ]
        if session.record.commands:
            parts.append(self._from())
        for number, side in enumerate(base.sides):
            told = Tip("The bar is full up to the interval's lower bound and hatched to its upper one.")
            label, colour = text("{side} win", side.side.title()), side_colour(side.side)
            wins = partial(self._wins, number)
            parts.append(figures.ChanceBar(label, wins, colour, tip=told, large=not self._low))
        parts.append(row(*self._tiles(), gap=6))
        if not self._low:
            own = self._own()
            lost = text("{side} lost, of {creatures}", own.side.title(), own.creatures)
            spread = figures.Histogram(self._losses, self._lost_words, self._lost_tone)
            parts += [Label(lost, "small", "quiet"), spread]
        parts += [Live(self._danger, "text"), Live(self._progress, "text"), figures.LiveText(self._method)]
        return column(scene.scrolled(column(*parts, gap=7), "chances"), pad=10 if self._low else 14, plate="panel")

    def _controls(self) -> list[Widget]:
        scene, session = self.scene, self.scene.session
        controls: list[Widget] = []
        if not session.done:
            words = "Go on" if session.paused else "Pause"
            controls.append(Button(words, scene.pause, hint=self._hint("forecast_pause"), key="pause"))
        rules = Button("Rules" if self._narrow else "Rulesets", scene.rulesets, key="rulesets",
                       hint=self._hint("forecast_rulesets"),
                       tip=Tip("The same encounter under every ruleset, side by side."))  # fmt: skip
        more = Button("More fights", scene.more, hint=self._hint("forecast_more"), key="more",
                      tip=Tip("Twice as many: the interval gets narrower by about a third."))  # fmt: skip
        return [*controls, rules, more]

    def _from(self) -> Widget:
        scene = self.scene
        hint = scene.app.keys.shown("forecast_from")
        return row(
            Button("From here on", partial(scene.turn, True), chosen=scene.session.here, key="here", hint=hint),
            Button("From the start", partial(scene.turn, False), chosen=not scene.session.here, key="start"),
            gap=6,
        )

    def _about(self) -> str:
        base = self.scene.session.base
        sides = " against ".join(text("{side} ({creatures})", side.side, side.creatures) for side in base.sides)
        return text("{what}: {sides}", self.scene.title or base.map, sides)

    def _own(self) -> SideForecast:
        return self.scene.session.base.side(self.scene.side)

    def _danger(self) -> str:
        """The threat to the people's side, and its word."""
        base = self.scene.session.base
        return danger.told(base, self.scene.side) if base.runs >= danger.ENOUGH else ""

    def _wins(self, number: int) -> Chance | None:
        base = self._base()
        return base.sides[number].wins if base.runs else None

    def _tiles(self) -> list[Widget]:
        side = self.scene.side.title()
        return [
            figures.FigureTile(text(name, side=side), partial(self._said, figure, "…"), partial(self._said, told, ""))
            for name, figure, told in figures.figures_of(self.scene.heat.board)
        ]

    def _said(self, say: figures.Say, before: str) -> str:
        """What a tile says now; `before` the first fight."""
        return say(self._base(), self._own()) if self._base().runs else before

    def _losses(self) -> Sequence[tuple[int, float]]:
        own, runs = self._own(), self.scene.session.base.runs
        return [(n, own.losses_spread.get(n, 0) / runs if runs else 0.0) for n in range(own.creatures + 1)]

    def _lost_words(self, number: int) -> str:
        return "Nobody lost" if number == 0 else text("{number} of the {side} lost", number, self.scene.side)

    def _lost_tone(self, number: int) -> str:
        return "teal" if number == 0 else ("coral" if number == self._own().creatures else "amber")

    def _method(self) -> str:
        return self.scene.session.base.method

    def _progress(self) -> str:
        session = self.scene.session
        if self.scene.failed:
            return self.scene.failed
        if session.done:
            return text("{runs} fights", session.base.runs)
        words = text("{runs} of {wanted} fights", session.base.runs, session.runs)
        if session.paused:
            return text("{words} · paused", words)
        if not session.base.runs:
            return text("Playing the first of {wanted} fights…", session.runs)
        if (left := session.seconds_left()) is None:
            return text("{words} · the first are being played", words)
        return text("{words} · {left} left", words, _time(left))

    # -- creatures

    def _creatures(self) -> Widget:
        scene, creatures = self.scene, self.scene.session.base.creatures
        lines = [
            figures.CreatureLine(
                partial(self._creature, number), lambda: self._base().runs > 0,
                likeness(creature.art, creature.side), partial(scene.show, creature.id),
                key=f"creature {creature.id}", tight=self._narrow,
            )
            for number, creature in enumerate(creatures)
        ]  # fmt: skip
        listing = scene.scrolled(column(*lines, gap=2), "creatures")
        return column(figures.CreatureHeads(self._narrow), listing, gap=4, pad=12, plate="panel")

    def _creature(self, number: int) -> CreatureForecast:
        return self._base().creatures[number]

    # -- changes

    def _changes(self) -> Widget:
        scene, session = self.scene, self.scene.session
        heading = Label("What if", "heading", "bright", tip=Tip(METHOD))
        if session.here:
            text = "Changes are compared from the start of the encounter: choose “From the start”."
            return column(heading, Label(text, "text", "quiet"), gap=6, pad=12, plate="panel")
        lines = [
            figures.VariantLine(
                variant.label, partial(session.forecast, variant.key),
                partial(session.difference, variant.key, scene.side), self._base, side=scene.side,
                on_press=partial(scene.toggle, variant.key), playing=session.playing(variant.key),
                tight=self._narrow, key=f"what {variant.key}",
            )
            for variant in session.variants
        ]  # fmt: skip
        scroll = scene.scrolled(column(*lines, gap=2), "changes")
        as_it_is = figures.VariantLine(
            "As it is", self._base, lambda: None, self._base, side=scene.side, on_press=lambda: None, playing=True,
            fixed=True, tight=self._narrow,
        )  # fmt: skip
        as_it_is.focusable = False
        everything = all(session.playing(variant.key) for variant in session.variants)
        compare = partial(scene.compare, not everything)
        every = Button("Compare none" if everything else "Compare all", compare, key="all")
        heads: list[Widget] = [] if self._narrow else [figures.VariantHeads(scene.side)]
        return column(row(heading, every, *heads, gap=10), as_it_is, scroll, gap=3, pad=12, plate="panel")

    def _base(self) -> Forecast:
        return self.scene.session.base


def _time(seconds: float) -> str:
    """`about 40 s`, `about 3 min`."""
    if seconds < 1:
        return "a moment"
    return text("about {seconds} s", round(seconds)) if seconds < 90 else text("about {round} min", round(seconds / 60))


class ForecastScene(Scene):
    """What a fight will do. Pushed over any other scene with a record; it plays while it is looked at and no longer.

    Processes of its own play, or the `executor` that is given (and left open).

    Raises BattlematError in one line for a record that cannot be played.
    """

    name = "forecast"
    key_groups = ("general", "camera", "forecast")

    def __init__(
        self,
        app: Shell,
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
        news = partial(wake, self._news)
        self.session = Session(record, news, beside=beside, from_start=from_start, executor=executor)
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
        if self._gone or self.failed:
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
        does: dict[str, Callable[[], None]] = {
            "zoom_fit": self.heat.fit, "forecast_pause": self.pause, "forecast_more": self.more,
            "forecast_blood": self.next_blood, "forecast_rulesets": self.rulesets,
        }  # fmt: skip
        if name in does:
            does[name]()
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
