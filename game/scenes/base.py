"""What every screen is, what it may ask of the window, the ways from one to another, and how keys move a camera."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pygame

from game.controllers.human import FIGHT_GROUPS, Keys
from game.widgets.controls import Button
from game.widgets.core import Scroll, Tip, Widget, grown
from game.widgets.fields import Mark, Memory, TextField
from game.widgets.theme import Look
from game.widgets.ui import Ui
from rules.contract.text import text

if TYPE_CHECKING:
    from game.app.settings import PlayersWindow, Settings
    from game.app.sounds import Backdrop, Sounds
    from game.characters.heroes import Hero
    from game.fight.match import Match
    from game.fight.viewing import Reel, View
    from game.maps.editing.proposal import Proposal
    from game.scenes.players.source import Source
    from game.scenes.players.table import PlayersTable
    from game.setup.otherrules import Known
    from game.view.camera import Camera
    from rules.core.record import Record

PANS = {"pan_up": (0, 1), "pan_down": (0, -1), "pan_left": (1, 0), "pan_right": (-1, 0)}
LEVELS = {"level_up": -1, "level_down": 1}
"""The commands that go from map to map of a place."""
CAMERA = (*PANS, "zoom_in", "zoom_out", *LEVELS)
PAN = 64
"""Pixels that a pan key moves the board at 100 %."""
ZOOM = 1.15
"""How much nearer or farther a zoom key brings it."""
STEPS = {
    "north": (0, -1), "south": (0, 1), "west": (-1, 0), "east": (1, 0),
    "northwest": (-1, -1), "northeast": (1, -1), "southwest": (-1, 1), "southeast": (1, 1),
}  # fmt: skip
"""The commands that move a cursor, by columns and rows."""


_WAYS_IN = {
    "game.app.start": ("open_scene",),
    "game.scenes.title": ("title",),
    "game.scenes.choose.scene": ("choose", "next_fight"),
    "game.scenes.setup.scene": ("prepare", "prepared", "open_dropped"),
    "game.scenes.chain.scene": ("chain", "chain_on"),
    "game.scenes.library.scene": ("library",),
    "game.scenes.ground.scene": ("ground",),
    "game.scenes.workshop.scene": ("workshop",),
    "game.scenes.camp": ("camp", "pitch"),
    "game.scenes.door": ("back_in", "campaign"),
    "game.scenes.forecast.scene": ("forecast", "foresee", "pictured"),
    "game.scenes.fight.ways": (
        "first_fight", "surprise", "begin", "show", "again", "open_file", "resume", "quickload", "way_back",
    ),
    "game.scenes.replay.scene": ("replay", "watch", "why"),
    "game.scenes.chronicle": ("chronicle",),
    "game.scenes.dialogs.saves": ("offer_interrupted", "load"),
    "game.scenes.dialogs.options": ("options",),
    "game.scenes.dialogs.help": ("help",),
    "game.scenes.dialogs.panels": ("message",),
    "game.scenes.dialogs.reference": ("reference",),
    "game.scenes.bestiary": ("bestiary",),
}  # fmt: skip
WAYS = {way: module for module, ways in _WAYS_IN.items() for way in ways}
"""Name of the way, which is that of the function -> module, which is loaded when the way is first taken:
to load all scenes at once would take three times as long as the title needs to appear."""


class SecondWindow(Protocol):
    """What a scene may ask of the players' window (game/app/players.py)."""

    table: PlayersTable | None

    @property
    def app(self) -> Shell: ...
    @property
    def settings(self) -> PlayersWindow: ...
    @property
    def open(self) -> bool: ...
    def toggle(self) -> None: ...
    def close(self) -> None: ...
    def remote(self) -> None: ...
    def black(self) -> None: ...
    def push(self) -> None: ...
    def changed(self) -> None: ...
    def fill_screen(self) -> None: ...
    def to_screen(self, number: int) -> None: ...
    def draw_frame(self, surface: pygame.Surface, main: Camera) -> None: ...


class Shell(Protocol):
    """What a scene may ask of the window: how things look, what keys mean, the stack of scenes, ways to others."""

    look: Look
    keys: Keys
    settings: Settings
    sounds: Sounds
    players: SecondWindow
    surface: pygame.Surface
    scenes: list[Scene]
    fullscreen: bool
    clock: Callable[[], float]
    """Seconds by the clock on the wall, from whenever."""

    @property
    def navigator(self) -> Navigator: ...
    @property
    def top(self) -> Scene: ...
    @property
    def pointer(self) -> tuple[int, int]: ...
    def held(self, modifier: int) -> bool: ...
    def push(self, scene: Scene) -> None: ...
    def pop(self) -> None: ...
    def unwind(self, depth: int) -> None: ...
    def replace(self, *scenes: Scene) -> None: ...
    def complain(self, text: str) -> None: ...
    def guard(self, call: Callable[[], object], *, repeat: bool = True) -> bool: ...
    def loading(self) -> Callable[[int, int], None]: ...
    def quit(self) -> None: ...
    def refit(self) -> None: ...
    def recolour(self) -> None: ...
    def rebind(self, keys: dict[str, list[str]]) -> None: ...
    def save_settings(self) -> None: ...
    def speak(self, language: str) -> None: ...
    def look_up(self) -> None: ...
    def toggle_fullscreen(self) -> None: ...
    def toggle_sound(self) -> None: ...


class Navigator(Protocol):
    """Ways into scenes (`game.scenes.base` says where each is)."""

    def open_scene(self, scene: str | None, record: Path | None) -> None: ...
    def title(self) -> None: ...
    def choose(self) -> None: ...
    def next_fight(self, match: Match) -> None: ...
    def prepare(self, record: Path | None = None) -> None: ...
    def prepared(self) -> None: ...
    def open_dropped(self, path: Path) -> None: ...
    def way_back(self) -> Callable[[], None] | None: ...
    def chain(self, path: Path | None = None) -> None: ...
    def chain_on(self, match: Match) -> None: ...
    def ground(self, table: Scene, proposal: Proposal | None = None) -> None: ...
    def workshop(self) -> None: ...
    def camp(self, match: Match) -> None: ...
    def pitch(self, heroes: Sequence[Hero]) -> None: ...
    def back_in(self, match: Match) -> None: ...
    def campaign(self, path: Path) -> None: ...
    def forecast(
        self, record: Record | Mapping[str, Any], beside: Path | None = None, known: Known | None = None
    ) -> None: ...
    def foresee(self, match: Match) -> None: ...
    def pictured(self, record: Record | Mapping[str, Any], beside: Path | None = None) -> None: ...
    def first_fight(self) -> None: ...
    def surprise(self, map_name: str | None = None, heroes: list[str] | None = None, *, ruleset: str = ...) -> None: ...
    def begin(self, record: Mapping[str, Any]) -> None: ...
    def show(self, match: Match, *, taken_up: bool = False) -> None: ...
    def again(self, match: Match) -> None: ...
    def open_file(self, path: Path, *, taken_up: bool = True) -> None: ...
    def resume(self) -> None: ...
    def replay(self, match: Match, reel: Reel, like: Camera | None = None) -> None: ...
    def watch(self, path: Path) -> None: ...
    def chronicle(self, match: Match, views: Sequence[View]) -> None: ...
    def why(self, match: Match, number: int, like: Camera | None = None) -> None: ...
    def offer_interrupted(self, fault: str = "") -> bool: ...
    def quickload(self) -> None: ...
    def load(self) -> None: ...
    def library(self, chosen: Path | None = None) -> None: ...
    def bestiary(self, ruleset: str = "", *, chosen: str | None = None, party: Sequence[str] = ()) -> None: ...
    def options(self) -> None: ...
    def help(self, page: str = "help") -> None: ...
    def message(self, title: str, text: str) -> None: ...
    def reference(self, *asked: str) -> None: ...


class Scene:
    """A screen. `overlay` ones are drawn over the one below, which keeps its state."""

    overlay = False
    covers = False
    """It draws over the whole window: nothing has to be wiped before."""
    name = ""
    key_groups: Sequence[str] = FIGHT_GROUPS
    """The groups of the table of keys whose commands it answers to."""

    def __init__(self, app: Shell) -> None:
        self.app = app
        self.ui = Ui(app.look)
        self.dirty = True
        self.laid_for = (0, 0)
        self.offsets: dict[str, int] = {}
        """How far each list is scrolled."""
        self.memory = Memory()
        self.query = ""
        """What stands in the line to type in that its list has: what is searched for, a name, a path."""

    @property
    def size(self) -> tuple[int, int]:
        return self.app.surface.get_size()

    def build(self) -> None:
        """Make the widgets for the window as it is now."""

    def scrolled(self, content: Widget, key: str, *, at: str = "", height: float | None = None) -> Scroll:
        """A list that grows, and stands where it stood before; that is remembered under its key, else `at`."""
        scroll = grown(Scroll(content, key=key, height=height))
        scroll.offset = self.offsets.get(at or key, 0)
        scroll.on_scroll = partial(self.offsets.__setitem__, at or key)
        return scroll

    def place(self, widget: Widget, left: int, top: int, width: int) -> pygame.Rect:
        """Place a widget from a corner on, so wide and as high as it wants to be; where it is."""
        rect = pygame.Rect(left, top, width, widget.measure(self.app.look, width)[1])
        self.ui.add(widget, rect)
        return rect

    def place_head(self, head: Widget, foot: Widget, margin: int, gap: int) -> tuple[pygame.Rect, pygame.Rect]:
        """Place what stands over the whole window; the room between it and a foot, and where that is to be."""
        width, end = self.size[0] - 2 * margin, self.size[1] - margin
        low, top = foot.measure(self.app.look, width)[1], self.place(head, margin, margin, width).bottom + gap
        return pygame.Rect(margin, top, width, end - low - gap - top), pygame.Rect(margin, end - low, width, low)

    def place_beside(self, room: pygame.Rect, panels: Iterable[tuple[Widget, int]], gap: int) -> None:
        """Place panels from the left of a room on, each so wide and as high as the room."""
        left = room.left
        for panel, width in panels:
            self.ui.add(panel, pygame.Rect(left, room.top, width, room.height))
            left += width + gap

    def search(self, words: str, listing: str = "") -> None:
        """Search for words: what is found is listed from its beginning."""
        self.query, self.offsets[listing] = words, 0
        self.rebuild()

    def search_line(self, listing: str, quiet: str, on_enter: Callable[[], None], tip: Tip) -> list[Widget]:
        """A line to search in over a list of creatures, and what shows everybody again."""
        find = partial(self.search, listing=listing)
        field = TextField("search", self.query, find, self.memory, quiet=quiet, on_enter=on_enter, tip=tip)
        away = Mark("away", partial(find, ""), key="clear search", tip=Tip("Everybody again."))
        return [grown(field), *([away] if self.query else [])]

    def match_below(self) -> Match | None:
        """The fight that is played in this scene or in one under it."""
        found = (getattr(scene, "match", None) for scene in reversed(self.app.scenes))
        return next((match for match in found if hasattr(match, "ruleset")), None)

    def leave_button(self, label: str = "Back", *, key: str = "", gold: bool = False) -> Button:
        """Takes the scene away, as its key does."""
        return Button(label, self.app.pop, hint=self.app.keys.shown("back"), key=key, gold=gold)

    def then(self, call: Callable[[], object]) -> Callable[[], None]:
        """What a button does that takes the scene away first."""

        def go() -> None:
            self.app.pop()
            call()

        return go

    def rebuild(self) -> None:
        """Make the widgets again, keeping the focus."""
        self.ui.look = self.app.look
        self.ui.clear()
        self.laid_for = self.size
        self.build()
        self.ui.finish()
        self.dirty = True

    def entered(self) -> None:
        """It became the topmost scene (again)."""
        self.rebuild()

    def covered(self, scene: Scene) -> None:
        """Another scene is put over it."""

    def left(self) -> None:
        """It was taken away."""

    def backdrop(self) -> Backdrop | None:
        """The ambience and music that it asks for; None: as the scene below it."""
        return None

    def for_players(self) -> Source | None:
        """Its board, for the players' window; None where it has none."""
        return None

    def sound_changed(self, told: str) -> None:
        """All sounds were turned off, or on again: a place to say so."""

    def fail(self) -> Match | None:
        """The program fails: let go of what others shall find; the fight that goes into the report, if there is one."""
        return None

    def handle(self, event: pygame.event.Event) -> bool:
        """Answer an event; True if it was. It is drawn anew after any, but for moves of the mouse over no widget."""
        return self.ui.handle(event)

    def command(self, name: str, event: pygame.event.Event) -> bool:
        """A key's command; True if it was answered."""
        call = self.commands().get(name)
        if call is not None:
            call()
        return call is not None

    def commands(self) -> Mapping[str, Callable[[], object]]:
        """What it does at which commands."""
        return {"back": self.app.pop}

    def update(self, dt: float) -> bool:
        """Let `dt` seconds pass; True if it must be drawn again."""
        return self.ui.update(dt)

    def pace(self) -> float | None:
        """Seconds until it wants `update` although nothing happens; None = never."""
        return 0.05 if self.ui.waiting else None

    def draw(self, surface: pygame.Surface) -> None:
        self.ui.draw(surface)


def soonest(*paces: float | None) -> float | None:
    """The least of some seconds until something is wanted; None = never."""
    return min((pace for pace in paces if pace is not None), default=None)


def moves_camera(camera: Camera, name: str, look: Look) -> bool:
    """Carry out a command that moves a camera; whether it was one."""
    if name in PANS:
        reach = look.px(PAN)
        camera.pan(PANS[name][0] * reach, PANS[name][1] * reach)
    elif name in ("zoom_in", "zoom_out"):
        camera.zoom_at(camera.free.center, ZOOM if name == "zoom_in" else 1 / ZOOM)
    elif name == "zoom_fit":
        camera.show_all()
    elif name in LEVELS:
        return camera.turn(LEVELS[name])
    else:
        return False
    return True


class Ways:
    """`game.scenes.base.Navigator`: each way with the window as its first argument."""

    def __init__(self, app: object) -> None:
        self._app = app

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in WAYS:
            raise AttributeError(text("there is no way {name}", repr(name)))

        def go(*arguments: Any, **options: Any) -> Any:
            return getattr(import_module(WAYS[name]), name)(self._app, *arguments, **options)

        return go
