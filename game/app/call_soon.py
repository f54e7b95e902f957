"""From another thread to the window's loop: a call that the loop runs as soon as it has time."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pygame

WAKE = pygame.event.custom_type()
"""The event whose `call` the window's loop runs."""


def wake(call: Callable[[], None]) -> bool:
    """Have the window's loop run this, from any thread. False if it is closed or overrun."""
    with contextlib.suppress(pygame.error):
        return pygame.event.post(pygame.event.Event(WAKE, call=call))
    return False
