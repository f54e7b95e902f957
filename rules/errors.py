"""The one family of errors that a user's mistake may raise: always a single clear line."""

from __future__ import annotations


class BattlematError(ValueError):
    """A mistake in a file, argument or command; the text says what, where, why and what would be right.

    Whatever a user's file put into the text, it stays one printable line.
    """

    def __init__(self, text: str) -> None:
        super().__init__(
            " ".join("".join(c if c.isprintable() or c.isspace() else "�" for c in text).split())
        )


class IllegalActionError(BattlematError):
    """An action that the rules refuse now; the text names the reason."""


class RecordError(BattlematError):
    """A record that cannot be read or replayed; the text names the creature, command or field."""


class ThrowError(RecordError):
    """A scripted throw that is missing or that its die cannot show (record.md)."""
