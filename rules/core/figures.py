"""Figures as people read them: below nought with a true minus, in stories, sheets, cards and tips alike.

Only what is read is written so; records and events keep the sign of the keyboard.
"""

from __future__ import annotations

MINUS = "\N{MINUS SIGN}"


def plain(value: float) -> str:
    """`7`, `−7`, `−0.5`."""
    return (str(value) if isinstance(value, int) else f"{value:g}").replace("-", MINUS)


def signed(value: float, places: int = 0) -> str:
    """`+2`, `−2`, `+0`; with so many decimal places: `−0.50`."""
    return f"{value:+.{places}f}".replace("-", MINUS)
