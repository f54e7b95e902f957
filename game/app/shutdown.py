"""What has to end with the window: whoever starts something that would outlast it says how to end it.

Where no window closes (a script, a test), it ends with the program.
"""

from __future__ import annotations

import atexit
import contextlib
from collections.abc import Callable

import pygame

_ends: list[Callable[[], object]] = []


def at_end(end: Callable[[], object]) -> None:
    """Have this called when the window closes; once, however often it is said."""
    if end not in _ends:
        _ends.append(end)


def close() -> None:
    """The window closes."""
    while _ends:
        _ends.pop()()


atexit.register(close)


WAKE = pygame.event.custom_type()
"""The event whose `call` the window's loop runs."""


def wake(call: Callable[[], None]) -> bool:
    """Have the window's loop run this, from any thread. False if it is closed or overrun."""
    with contextlib.suppress(pygame.error):
        return pygame.event.post(pygame.event.Event(WAKE, call=call))
    return False
