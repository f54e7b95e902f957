"""The window: events in, one scene stack, drawing only when something changed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import pygame

from game import loaded
from game.app import languages, window
from game.app.i18n import ENGLISH
from game.app.players import Players, closes_main
from game.app.progress import Loading
from game.app.settings import Settings, load_settings, save_settings
from game.app.sounds import SILENCE, Backdrop, Sounds
from game.app.window import WAKE
from game.controllers.human import Keys, given_way, load_keys
from game.maps.mapdata import OutsideProblem
from game.scenes.base import Navigator, Scene, SecondWindow, Ways, soonest
from game.storage import recovery
from game.view import palette
from game.view.palette import SCHEMES
from game.widgets.text import forget as forget_text
from game.widgets.theme import Look, fitting_scale, load_theme
from game.widgets.theme import forget as forget_fonts
from rules.contract.errors import BattlematError, said
from rules.contract.text import text

REPEATING = frozenset((
    "next_target", "last_target", "threat",
    "north", "south", "west", "east", "northwest", "northeast", "southwest", "southeast",
    "pan_up", "pan_left", "pan_down", "pan_right", "zoom_in", "zoom_out",
    "undo", "redo", "setup_undo", "setup_redo", "setup_next", "setup_last", "workshop_undo", "workshop_redo",
    "replay_next", "replay_back", "replay_next_blow", "replay_last_blow",
))  # fmt: skip
"""Commands that a held key goes on giving."""
MOVING = frozenset(
    (pygame.K_UP, pygame.K_DOWN, pygame.K_LEFT, pygame.K_RIGHT, pygame.K_PAGEUP, pygame.K_PAGEDOWN)
    + (pygame.K_TAB, pygame.K_BACKSPACE, pygame.K_DELETE)
)
"""Keys that move the focus or edit text, and go on while held."""
DECIDING = frozenset((pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE, pygame.K_ESCAPE))
MASKS = {
    pygame.K_LSHIFT: pygame.KMOD_SHIFT, pygame.K_RSHIFT: pygame.KMOD_SHIFT,
    pygame.K_LCTRL: pygame.KMOD_CTRL, pygame.K_RCTRL: pygame.KMOD_CTRL,
    pygame.K_LALT: pygame.KMOD_ALT, pygame.K_RALT: pygame.KMOD_ALT,
}  # fmt: skip
"""What a modifier's own key adds to an event's modifiers."""


PLAYERS = {"players": Players.toggle, "players_black": Players.black, "players_push": Players.push,
           "players_remote": Players.remote}  # fmt: skip
"""What keys order of the players' window."""


class Presses:
    """Modifiers (a `pygame.KMOD_…` mask), keys held down and the pointer's pixel."""

    def __init__(self) -> None:
        self.modifiers = 0
        self.pointer = (-1, -1)
        self._down: set[int] = set()
        self._brought = ""

    def again(self, event: pygame.event.Event) -> bool:
        """Whether an event, not noted yet, is a key that has been down all the time."""
        return event.type == pygame.KEYDOWN and event.key in self._down

    def steadied(self, events: list[pygame.event.Event]) -> list[pygame.event.Event]:
        """Events that came together, without the repeats of a held key that slowness has piled up.

        While a turn of the loop takes its time, a key goes on repeating, even one that was let go long ago: of such
        repeats only the last counts, and none if the key has been let go since.
        """
        kept: list[pygame.event.Event] = []
        later: set[int] = set()
        """Keys that are let go, or repeat, after the event looked at."""
        for number in range(len(events) - 1, -1, -1):
            event = events[number]
            if event.type == pygame.KEYDOWN and event.key in later:
                before = next((e for e in events[:number][::-1] if getattr(e, "key", None) == event.key), None)
                if event.key in self._down if before is None else before.type == pygame.KEYDOWN:
                    continue  # it was down already
            if event.type in (pygame.KEYDOWN, pygame.KEYUP):
                later.add(event.key)
            kept.append(event)
        return kept[::-1]

    def note(self, event: pygame.event.Event) -> None:
        """Remember what an event tells; clicks are told what is held, as keys are."""
        if event.type == pygame.MOUSEBUTTONDOWN:
            event.mod = self.modifiers
        if event.type == pygame.KEYDOWN:
            self.modifiers = event.mod | MASKS.get(event.key, 0)
            self._down.add(event.key)
            self._brought = event.unicode
        elif event.type == pygame.KEYUP:
            self.modifiers = event.mod & ~MASKS.get(event.key, 0)
            self._down.discard(event.key)
        elif event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            self.pointer = event.pos
        elif event.type == pygame.WINDOWFOCUSLOST:
            self.modifiers = 0
            self._down.clear()

    def brought(self) -> str:
        """What the latest key was said to write, once: the text itself follows as an event of its own.

        The two differ where a key came while an earlier press of the same key still waited, and text comes without
        any key from dead keys, a compose key or an input method. The text is right.
        """
        found, self._brought = self._brought, ""
        return found if found.isprintable() else ""


def may_repeat(event: pygame.event.Event, keys: Keys, scene: Scene) -> bool:
    """Whether a held key goes on acting: what moves or types does; what decides or switches doesn't."""
    name = keys.find(event.key, event.mod, unicode=event.unicode, groups=scene.key_groups)
    if name in REPEATING or event.key in MOVING:
        return True
    return not name and scene.ui.focus is not None and event.key not in DECIDING


AWAKE = 0.2
"""Seconds after an event in which the next is waited for without dozing."""
BLINK = 0.3
"""Seconds that a new screen may take to come; what is pressed while it takes longer does not go to it unseen."""
PRESSES = (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.KEYDOWN, pygame.TEXTINPUT)
DOZE = 0.012
"""Seconds between two looks for events while nobody does anything: less than anybody notices."""
T = TypeVar("T")
FAILURES_APART = 5.0
"""Seconds: when something unforeseen comes again sooner, the program gives up."""


class App:
    """The window's state: surface, look, settings, scenes; `handle`, `tick` and `draw` are one turn of its loop."""

    def __init__(
        self, size: tuple[int, int] = (1280, 720), *, fullscreen: bool = False, settings: Settings | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self.clock = clock
        """Seconds by the clock on the wall, from whenever."""
        self._late_error = ""
        self.settings = settings or self._trying(load_settings, Settings)
        self.keys: Keys = self._trying(self._own_keys, load_keys)
        self._window_size = size
        self.fullscreen = fullscreen or self.settings.fullscreen
        self.surface = window.opened(size, self.fullscreen)
        self.sounds = Sounds(self.settings)
        self._trying(lambda: languages.use(self.settings.language), lambda: languages.use(ENGLISH))
        self._theme = load_theme()
        self.look = self._fitting_look()
        self.scenes: list[Scene] = []
        self.second = Players(self)
        self.players: SecondWindow = self.second
        self.navigator: Navigator = Ways(self)
        self.running = True
        self.presses = Presses()
        self._turned = 0.0
        self._stirred = 0.0
        """When the last event came."""
        self._failed = -FAILURES_APART

    def _trying(self, call: Callable[[], T], otherwise: Callable[[], T]) -> T:
        """What a file of the player's says; what else where it is broken, which is complained of later."""
        try:
            return call()
        except BattlematError as error:
            self._late_error = said(error)
            return otherwise()

    def _own_keys(self) -> Keys:
        self.settings.keys = given_way(self.settings.keys)
        return load_keys(self.settings.keys)

    # -- window

    def toggle_fullscreen(self) -> None:
        """To full screen and back to the window's size."""
        self.fullscreen = not self.fullscreen
        if self.fullscreen:
            self._window_size = self.surface.get_size()
            window.fill_screen()
        else:
            window.leave_full_screen(self._window_size)
        self.settings.fullscreen = self.fullscreen
        self.save_settings()
        self._resized()

    def _fitting_look(self) -> Look:
        """The theme in the palette of the settings, at the scale that they ask for and the window can hold."""
        palette.use(self.settings.palette)
        theme = self._theme.coloured(SCHEMES[self.settings.palette].theme)
        return Look(theme, fitting_scale(self.settings.scale, self.surface.get_size()))

    def refit(self) -> None:
        """Lay everything out anew: the window's size, the UI scale, the palette or the language changed."""
        self.look = self._fitting_look()
        for scene in self.scenes:
            scene.rebuild()

    def speak(self, language: str) -> None:
        """Show everything in another language. Raises `BattlematError` for one that cannot be read."""
        languages.use(language)
        self.settings.language = language
        self.save_settings()
        forget_text()
        palette.forget()
        self.refit()

    def recolour(self) -> None:
        """Show everything in the palette of the settings."""
        from game.view import minis, overlays  # start-up time: the title draws neither

        minis.forget()
        overlays.forget()
        self.refit()

    def rebind(self, keys: dict[str, list[str]]) -> None:
        """Take these as the player's own keys from now on."""
        self.keys = load_keys(keys)
        self.settings.keys = keys
        self.save_settings()
        self.refit()

    def toggle_sound(self) -> None:
        """All sounds off, or on again."""
        self.settings.sound = not self.settings.sound
        self.save_settings()
        self.sounds.change()
        self.top.sound_changed("Sound is on." if self.settings.sound else "Sound is off.")

    def save_settings(self) -> None:
        """Keep the settings; a folder that refuses becomes a dialog."""
        self.guard(lambda: save_settings(self.settings))

    # -- scenes

    @property
    def top(self) -> Scene:
        return self.scenes[-1]

    def push(self, scene: Scene) -> None:
        """Show a scene above what is there."""
        if self.scenes:
            self.top.covered(scene)
        self.scenes.append(scene)
        scene.entered()

    def pop(self) -> None:
        """Take the topmost scene away; the last one stays."""
        if len(self.scenes) > 1:
            self.unwind(len(self.scenes) - 2)

    def unwind(self, depth: int) -> None:
        """Take away all scenes above one, counted from 0; none of those between comes to light."""
        while len(self.scenes) > depth + 1:
            self.scenes.pop().left()
        self.top.entered()

    def replace(self, *scenes: Scene) -> None:
        """Take everything away and show these, the last on top; what it hides is laid out when it comes to light."""
        for old in reversed(self.scenes):
            old.left()
        *below, top = scenes
        self.scenes = below
        self.push(top)

    def backdrop(self) -> Backdrop:
        """What the topmost place that sounds like anything sounds like: dialogs don't."""
        return next((heard for scene in reversed(self.scenes) if (heard := scene.backdrop()) is not None), SILENCE)

    def complain(self, text: str) -> None:
        """A mistake in one line, over where the player was."""
        self.navigator.message("That did not work", text)

    def guard(self, call: Callable[[], object], *, repeat: bool = True) -> bool:
        """Run something that may meet a user's mistake; it becomes a dialog. True if it went well.

        Where a map needs files outside its folder, the user is asked, and the call made again (unless `repeat` is off).
        """
        try:
            call()
            return True
        except OutsideProblem as error:
            from game.scenes.dialogs.outside import ask  # start-up time: it reads maps

            if not (repeat and ask(self, error, lambda: self.guard(call))):
                self.complain(said(error))
        except BattlematError as error:
            self.complain(said(error))
        except OSError as error:
            self.complain(text("{what}: {what2}", error.filename or "file", str(error.strerror or error)))
        return False

    def loading(self) -> Loading:
        """What shows how far a fight has been loaded, should that take long: (commands played, of how many)."""
        return Loading(self)

    # -- one turn of the loop

    def handle(self, event: pygame.event.Event) -> None:
        """Answer one event; mistakes become dialogs."""
        self.guard(lambda: self._handle(event), repeat=False)

    def _handle(self, event: pygame.event.Event) -> None:
        kind = event.type
        if self.second.takes(event):
            return
        if kind == pygame.QUIT or closes_main(event, self.second):
            self.quit()
        elif kind == WAKE:
            event.call()
        elif kind in (pygame.VIDEORESIZE, pygame.WINDOWSIZECHANGED):
            self._resized()
        elif kind in (pygame.WINDOWEXPOSED, pygame.WINDOWRESTORED):
            self.top.dirty = True
        elif kind == pygame.TEXTINPUT:
            brought = self.presses.brought()
            if event.text != brought:
                self.top.dirty |= self.top.ui.write(event.text, brought)
        else:
            again = self.presses.again(event)
            self.presses.note(event)
            self.top.ui.by_keys |= kind == pygame.KEYDOWN
            if again and not may_repeat(event, self.keys, self.top):
                return
            if not self.second.grabs(event) and not self._general(event):
                self.top.handle(event)
            if kind != pygame.MOUSEMOTION or self.top.ui.hover is not None:
                self.top.dirty = True

    def quit(self) -> None:
        """End the loop."""
        for scene in reversed(self.scenes):
            scene.left()
        self.running = False

    def _resized(self) -> None:
        surface = pygame.display.get_surface()
        if surface is not None and (surface is not self.surface or surface.get_size() != self.top.laid_for):
            self.surface = surface
            self.refit()

    def look_up(self) -> None:
        """The rules: on the page of what the pointer's tooltip tells of, if it tells of anything; once more: back."""
        tip = self.top.ui.told
        self.navigator.reference(*((tip.title, tip.rule) if tip is not None else ()))

    def held(self, modifier: int) -> bool:
        """Whether Shift, Ctrl or Alt (a `pygame.KMOD_…` mask) is down."""
        return bool(self.presses.modifiers & modifier)

    @property
    def pointer(self) -> tuple[int, int]:
        """The pixel where the pointer was seen last."""
        return self.presses.pointer

    def _general(self, event: pygame.event.Event) -> bool:
        focus = self.top.ui.focus
        if event.type != pygame.KEYDOWN or (focus is not None and focus.wants(event)):
            return False
        name = self.keys.find(event.key, event.mod, unicode=event.unicode, groups=self.top.key_groups)
        if name == "fullscreen":
            self.toggle_fullscreen()
        elif name == "sound":
            self.toggle_sound()
        elif name == "reference":
            self.look_up()
        elif name in PLAYERS:
            PLAYERS[name](self.second)
        elif name in ("help", "keys"):
            self.navigator.help(name)
        else:
            kept = name != "back" and focus is not None and self.top.ui.modal
            return bool(name) and not kept and self.top.command(name, event)
        return True

    def tick(self, dt: float) -> None:
        """Let `dt` seconds pass for whatever moves; after a long pause that is less than the clock on the wall says."""

        def advance() -> None:
            if self.top.update(dt):
                self.top.dirty = True
            self.second.update(dt)

        self.guard(advance, repeat=False)

    def draw(self) -> None:
        """Draw the topmost scene, and those that it leaves visible, whether anything changed or not."""
        first = len(self.scenes) - 1
        while first > 0 and self.scenes[first].overlay:
            first -= 1
        if not (self.scenes[first].overlay or self.scenes[first].covers):
            self.surface.fill(self.look.colour("night")[:3])
        for scene in self.scenes[first:]:
            scene.draw(self.surface)
            scene.dirty = False

    def loop(self) -> None:
        """Run until the window is closed: waits for events, wakes for what moves, draws what changed."""
        if self._late_error:
            self.complain(self._late_error)
            self._late_error = ""
        self.second.show_again()
        self._turned = self.clock()
        loaded()
        window.wake(partial(window.wake, self.sounds.begin))  # after the first frame: a sound card may take its time
        while self.running:
            try:
                self._turn()
            except Exception as error:
                self.fail(error)

    def _turn(self) -> None:
        pace = 0.0 if self.top.dirty else soonest(self.top.pace(), self.second.pace(self.clock()))
        events, stale = self.presses.steadied([*self._wait(pace), *pygame.event.get()]), False
        for event in events:
            if stale and event.type in PRESSES:
                continue
            shown, began = self.top, self.clock()
            self.handle(event)
            if not self.running:
                return
            if self.top is not shown and self.clock() - began > BLINK:
                stale = True  # what was pressed meanwhile was meant for the screen that has gone
                pygame.event.pump()
                pygame.event.clear(PRESSES)
        now = self.clock()
        self.tick(min(now - self._turned, 0.1))
        self._turned = now
        if self.top.dirty:
            self.sounds.surround(self.backdrop())
            self.draw()
            pygame.display.flip()
        self.second.draw(now)

    def fail(self, error: Exception) -> None:
        """Something unforeseen: report it and go on at the title, where a fight that was being played is offered again.

        Raises recovery.Failed if that, too, fails at once.
        """
        fights = [match for scene in self.scenes if (match := scene.fail()) is not None]
        line = recovery.told(error, fights[0] if fights else None)
        now = self.clock()
        if now - self._failed < FAILURES_APART:
            raise recovery.Failed(line) from error
        self._failed = now
        self.scenes = []
        self.navigator.title()
        self.navigator.offer_interrupted(line)

    def _wait(self, pace: float | None) -> list[pygame.event.Event]:
        """Events, once there are any or `pace` seconds are over (None: never).

        SDL waits by looking a thousand times a second on some systems; while nobody does anything, dozing is cheaper.
        """
        if pace is not None and pace <= 0:
            return []
        now = time.monotonic()
        if now - self._stirred < AWAKE:
            event = pygame.event.wait(max(1, round(min(AWAKE if pace is None else pace, AWAKE) * 1000)))
            found = [] if event.type == pygame.NOEVENT else [event]
        else:
            end = None if pace is None else now + pace
            while not (found := pygame.event.get()) and (end is None or now < end):
                time.sleep(DOZE if end is None else max(0.0, min(DOZE, end - now)))
                now = time.monotonic()
        if found:
            self._stirred = time.monotonic()
        return found


def run(
    *, size: tuple[int, int] = (1280, 720), frame: Path | None = None, scene: str | None = None,
    record: Path | None = None, fullscreen: bool = False,
) -> int:  # fmt: skip
    """Open the window and play until it is closed; with `frame` draw one picture to a PNG file instead.

    `scene` is `title`, `choose`, `fight`, `settings`, `help`, `load` or `summary`; `record` is a fight to open.
    Returns the exit status. Raises `BattlematError` for a record or picture that cannot be read or written.
    """
    if frame is not None:
        os.environ["SDL_VIDEODRIVER"] = "dummy"
    os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
    try:
        app = App(size, fullscreen=fullscreen and frame is None, settings=Settings() if frame is not None else None)
    except pygame.error as error:
        wrong = "window: no screen to open it on ({error}); start it on a desktop; `--frame FILE` draws without one"
        raise BattlematError(wrong, said(error)) from None
    try:
        if record is None and scene is None:
            app.navigator.title()
        else:
            app.navigator.open_scene(scene, record)
        if frame is not None:
            _save_frame(app, frame)
        else:
            if record is None and scene is None:
                app.navigator.offer_interrupted()
            app.loop()
    finally:
        app.second.destroy()
        window.close()
        app.sounds.close()
        forget_text()
        forget_fonts()
        pygame.quit()
    return 0


def _save_frame(app: App, frame: Path) -> None:
    for _ in range(3):
        app.tick(0.05)
    app.draw()
    try:
        pygame.image.save(app.surface, str(frame))
    except (pygame.error, OSError) as error:
        raise BattlematError("{frame}: the picture cannot be written ({error})", str(frame), said(error)) from None
