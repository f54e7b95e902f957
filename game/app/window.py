"""The desktop's window: opening it no larger than the screen, full screen and back, and what has to end with it."""

from __future__ import annotations

import atexit
import contextlib
import os
import time
from collections.abc import Callable, Iterator

import pygame

from game.paths import asset

FRAME = (16, 100)
"""Pixels that a window's frame and a desktop's bars take at most, across and down."""
PATIENCE = 0.3
"""Seconds that the desktop is given to place a window."""


SCREENLESS = ("dummy", "offscreen")
"""Drivers that draw into memory: for tests and pictures, or what SDL falls back to where there is no screen."""


@contextlib.contextmanager
def hushed() -> Iterator[None]:
    """While system libraries start: what they print by themselves (of sessions, sound cards) reaches nobody as ours."""
    try:
        kept = os.dup(2)
    except OSError:  # no stderr at all
        yield
        return
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        os.close(nowhere)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def opened(size: tuple[int, int], fullscreen: bool) -> pygame.Surface:
    """Open the window, `size` pixels large where the screen has room, and give its surface.

    Raises `pygame.error`, also where SDL would run on unseen because there is no screen.
    """
    with hushed():
        pygame.display.init()
    if pygame.display.get_driver() in SCREENLESS and not os.environ.get("SDL_VIDEODRIVER"):
        raise pygame.error("neither DISPLAY nor WAYLAND_DISPLAY leads to one")
    pygame.font.init()
    with contextlib.suppress(pygame.error, OSError):
        pygame.display.set_icon(pygame.image.load_sized_svg(str(asset("art", "app.svg")), (64, 64)))
    pygame.display.set_caption("Battlemat")
    pygame.key.set_repeat(280, 60)
    screens = [] if pygame.display.get_driver() in SCREENLESS else pygame.display.get_desktop_sizes()
    desktop = screens[0] if screens else None
    if desktop is not None:
        size = (min(size[0], desktop[0]), min(size[1], desktop[1]))
    with hushed():
        surface = pygame.display.set_mode(size, pygame.RESIZABLE)
    if fullscreen:
        fill_screen()
    elif desktop is not None:
        _maximise_if_cut(size, desktop)
    return pygame.display.get_surface() or surface


def fill_screen() -> None:
    """To full screen."""
    pygame.Window.from_display_module().set_fullscreen(True)


def leave_full_screen(size: tuple[int, int]) -> None:
    """Back to a window of that size."""
    window = pygame.Window.from_display_module()
    window.set_windowed()
    window.size = size


def _maximise_if_cut(size: tuple[int, int], desktop: tuple[int, int]) -> None:
    """A window nearly as large as the desktop may reach beyond it with its frame on: then it is maximised."""
    if size[0] + FRAME[0] <= desktop[0] and size[1] + FRAME[1] <= desktop[1]:
        return
    window = pygame.Window.from_display_module()
    end = time.monotonic() + PATIENCE
    cut = False
    while time.monotonic() < end and (not cut or window.size == size):
        x, y = window.position
        if not cut and (x + size[0] > desktop[0] or y + size[1] > desktop[1]):
            cut, end = True, time.monotonic() + PATIENCE
            window.maximize()
        pygame.event.pump()
        time.sleep(0.01)


# -- what has to end with the window: whoever starts something that would outlast it says how to end it


_ends: list[Callable[[], object]] = []


def at_end(end: Callable[[], object]) -> None:
    """Have this called when the window closes; once, however often it is said."""
    if end not in _ends:
        _ends.append(end)


def close() -> None:
    """The window closes; where none does (a script, a test), the program ends."""
    while _ends:
        _ends.pop()()


atexit.register(close)


WAKE = pygame.event.custom_type()
"""The event whose `call` the window's loop runs."""


def wake(call: Callable[[], object]) -> bool:
    """Have the window's loop run this, from any thread. False if it is closed or overrun."""
    with contextlib.suppress(pygame.error):
        return pygame.event.post(pygame.event.Event(WAKE, call=call))
    return False
