"""What has to end with the window: whoever starts something that would outlast it says how to end it.

Where no window closes (a script, a test), it ends with the program.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable

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
