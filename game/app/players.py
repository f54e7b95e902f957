"""The players' window: a second window of the program, for another screen; opened, closed, drawn where it changed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pygame

from game.app.i18n import t
from game.app.settings import PlayersWindow
from game.paths import asset
from rules.contract.text import text

if TYPE_CHECKING:
    from game.scenes.base import Shell
    from game.scenes.players.source import Source
    from game.scenes.players.table import PlayersTable
    from game.view.camera import Camera

FRAME = 1 / 20
"""Seconds at least between two pictures."""
CENTRED = 0x2FFF0000
"""SDL's place `in the middle of the screen of this number`."""
SLACK = 5
"""Pixels that a press may wander and still be a click."""
TWICE = 0.4
"""Seconds between two clicks that are one double click."""


@contextlib.contextmanager
def unfocused() -> Iterator[None]:
    """A window that is opened meanwhile takes no key from the one that has them."""
    name = "SDL_WINDOW_NO_ACTIVATION_WHEN_SHOWN"
    before = os.environ.get(name)
    os.environ[name] = "1"
    try:
        yield
    finally:
        os.environ.pop(name) if before is None else os.environ.__setitem__(name, before)


class Players:
    """The second window. While it is closed nothing of it is loaded, and it costs nothing."""

    def __init__(self, app: Shell) -> None:
        self.app = app
        self.window: pygame.Window | None = None
        self.table: PlayersTable | None = None
        self._drawn = 0.0
        self._pressed = -1.0
        self._tab: pygame.Rect | None = None
        """Where the frame on the main window's board can be taken."""
        self._held: tuple[int, int] | None = None
        """Where it was taken, or has been dragged to."""
        self._far = False
        """Whether that was more than a click."""

    @property
    def settings(self) -> PlayersWindow:
        return self.app.settings.players

    @property
    def open(self) -> bool:
        """Whether there is a players' window."""
        return self.window is not None

    # -- coming and going

    def toggle(self) -> None:
        """Open it, or close it."""
        if self.open:
            self.close()
        else:
            self.show()

    def show(self) -> None:
        """Open it: where it was last, else on the second screen where there is one."""
        from game.scenes.players.table import PlayersTable  # start-up time: nobody may ever open it

        if self.window is not None:
            return
        settings, main = self.settings, pygame.Window.from_display_module()
        with unfocused():
            title = text("Battlemat: the players")
            self.window = pygame.Window(t(title), settings.size, position=self._position(), resizable=True)
        with contextlib.suppress(pygame.error, OSError):
            self.window.minimum_size = (320, 200)
            self.window.set_icon(pygame.image.load_sized_svg(str(asset("art", "app.svg")), (64, 64)))
        if settings.fullscreen:
            self.window.set_fullscreen(True)
        with contextlib.suppress(pygame.error):
            main.focus()
        self.table = PlayersTable(settings, self.window.get_surface().get_size())
        settings.open = True
        self.app.save_settings()
        self.app.top.dirty = True

    def show_again(self) -> None:
        """Open it where it was open when the program ended, if the screen where it stood is there still."""
        settings = self.settings
        if settings.open and settings.display < pygame.display.get_num_displays():
            self.show()

    def _position(self) -> tuple[int, int]:
        """Where it opens: where it stood, if that screen is there still, else in the middle of the second screen."""
        settings, screens = self.settings, pygame.display.get_num_displays()
        if settings.place is not None and settings.display < screens:
            return settings.place
        number = min(settings.display if settings.display >= 0 else 1, screens - 1)
        return (CENTRED | number, CENTRED | number)

    def close(self) -> None:
        """Close it for good: it stays away until it is asked for."""
        if self.window is not None:
            self.settings.open = False
            self.destroy()
            self.app.save_settings()
            self.app.top.dirty = True

    def destroy(self) -> None:
        """The program ends, or the window does: it is opened again next time, unless it was closed."""
        if self.window is not None:
            self._remember()
            self.window.destroy()
        self.window = self.table = None

    def _remember(self) -> None:
        """Where it stands, and how large it is."""
        if self.window is not None and not self.settings.fullscreen:
            self.settings.place, self.settings.size = self.window.position, self.window.size

    def fill_screen(self) -> None:
        """To full screen on the screen where it stands, or back."""
        if self.window is None or self.table is None:
            return
        self._remember()
        self.settings.fullscreen = not self.settings.fullscreen
        if self.settings.fullscreen:
            self.window.set_fullscreen(True)
        else:
            self.window.set_windowed()
            self.window.size = self.settings.size
        self._resized()
        self.app.save_settings()

    def _resized(self) -> None:
        if self.window is not None and self.table is not None:
            self.table.resize(self.window.get_surface().get_size())

    # -- what is on it

    def source(self) -> Source | None:
        """The topmost board there is."""
        found = (scene.for_players() for scene in reversed(self.app.scenes))
        return next((source for source in found if source is not None), None)

    def update(self, dt: float) -> None:
        """Let time pass."""
        if self.table is not None:
            self.table.follow(self.source(), dt)

    def pace(self, now: float) -> float | None:
        """Seconds until it wants time; None while nothing moves."""
        if self.table is None or not (self.table.dirty or self.table.moving):
            return None
        return max(0.0, FRAME - (now - self._drawn)) if self.table.dirty else FRAME

    def draw(self, now: float) -> bool:
        """Draw it if anything changed, and not too soon after the last time; whether it was."""
        if self.window is None or self.table is None or not self.table.dirty or now - self._drawn < FRAME:
            return False
        self._drawn = now
        self.table.draw(self.window.get_surface())
        self.window.flip()
        return True

    # -- orders

    def black(self) -> None:
        """Make it dark, or show the table again."""
        if self.table is not None:
            self.table.black = not self.table.black

    def push(self) -> None:
        """Let it look where the main window looks now."""
        source = self.source()
        if self.table is not None and source is not None:
            self.table.push(source.view.camera)
            self.app.save_settings()

    def changed(self) -> None:
        """What it shows, or how, was changed in the settings."""
        if self.table is not None:
            self.table.restyle()
        self.app.save_settings()

    def remote(self) -> None:
        """Open the remote over the board in the main window, and the window itself if it is not open."""
        from game.scenes.players.remote import remote

        if not self.open:
            self.show()
        remote(self)

    def to_screen(self, number: int) -> None:
        """Move it to the middle of another screen."""
        if self.window is None:
            return
        full = self.settings.fullscreen
        if full:
            self.fill_screen()
        self.window.position = (CENTRED | number, CENTRED | number)
        if full:
            self.fill_screen()
        self._remember()
        self.app.save_settings()

    # -- on the main window's board

    def draw_frame(self, surface: pygame.Surface, main: Camera) -> None:
        """Draw what it shows as a frame on the main window's board."""
        from game.scenes.players.frame import draw_frame

        self._tab = None
        if self.table is None or self.table.view is None or self.table.source_camera is not main:
            return
        dark = self.table.black
        told = text("Players: dark") if dark else text("Players")
        scale = self.app.look.scale
        self._tab = draw_frame(surface, main, self.table.view.camera, told=told, dark=dark, scale=scale)

    def grabs(self, event: pygame.event.Event) -> bool:
        """Take the frame by its tab: dragged it moves, a click opens the remote."""
        if self._tab is None or self.table is None or self.table.view is None:
            return False
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self._held is None:
            source = self.app.top.for_players()
            if source is not None and self._tab.collidepoint(event.pos) and not self.app.top.ui.over(event.pos):
                self._held, self._far = event.pos, False
                return True
        elif event.type == pygame.MOUSEMOTION and self._held is not None:
            self._drag(event.pos)
            return True
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self._held is not None:
            self._held = None
            if not self._far:
                self.remote()
            else:
                self.app.save_settings()
            return True
        return False

    def _drag(self, pos: tuple[int, int]) -> None:
        source = self.app.top.for_players()
        if source is None or self._held is None or self.table is None or self.table.view is None:
            self._held = None
            return
        dx, dy = pos[0] - self._held[0], pos[1] - self._held[1]
        if not self._far and abs(dx) + abs(dy) <= SLACK:
            return
        zoom, (column, row) = source.view.camera.zoom, self.table.view.camera.centre_of_view
        self.table.hold(column + dx / zoom, row + dy / zoom)
        self._held, self._far, self.app.top.dirty = pos, True, True

    # -- events

    def takes(self, event: pygame.event.Event) -> bool:
        """Answer an event of its own; False for those of the main window, and for keys, which are meant for that."""
        window = getattr(event, "window", None)
        if self.window is None or window is None or window != self.window:
            return False
        kind = event.type
        if kind == pygame.WINDOWCLOSE:
            self.close()
        elif kind in (pygame.WINDOWSIZECHANGED, pygame.WINDOWEXPOSED, pygame.WINDOWRESTORED):
            self._resized()
        elif kind == pygame.KEYDOWN and self._own_key(event):
            pass
        elif kind in (pygame.KEYDOWN, pygame.KEYUP, pygame.TEXTINPUT):
            return False
        else:
            self._point(event)
        return True

    def _own_key(self, event: pygame.event.Event) -> bool:
        """Full screen is for the window that has the keys."""
        name = self.app.keys.find(event.key, event.mod, unicode=event.unicode, groups=("general",))
        if name == "fullscreen":
            self.fill_screen()
        return name == "fullscreen"

    def _point(self, event: pygame.event.Event) -> None:
        """A double click fills the screen."""
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            now = self.app.clock()
            if now - self._pressed < TWICE:
                self.fill_screen()
                now = -1.0
            self._pressed = now


def closes_main(event: pygame.event.Event, players: Players) -> bool:
    """Whether an event closes the main window while the players' is open: then SDL says no more than that."""
    return event.type == pygame.WINDOWCLOSE and players.open
