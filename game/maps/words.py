"""What somebody else's file says, as it may stand in a line of our own."""

from __future__ import annotations

import unicodedata

LONGEST = 320
"""Characters of a line about a map beyond which it is cut."""
VALUE = 60
"""Characters of a value of a map within a line."""
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""What steers a terminal or the direction of writing, breaks a line or cannot be encoded."""
_JOINERS = "\u00ad\u200c\u200d"
"""Unseen as well, but scripts and hyphenation need them and they steer nothing."""


def one_line(text: str, most: int | None = LONGEST) -> str:
    """The text with whatever could forge a line or steer a terminal written out, cut at ``most`` characters."""
    if not text.isprintable():
        text = "".join(_seen(letter) for letter in text)
    return text if most is None or len(text) <= most else f"{text[: most - 1]}…"


def shown(value: object) -> str:
    """A value from a file, quoted, on one line and not longer than 60 characters."""
    text = repr(str(value)[: VALUE + 1])
    return text if len(text) <= VALUE else f"{text[: VALUE - 4]}…{text[0]}"


def _seen(letter: str) -> str:
    if unicodedata.category(letter) not in _UNSEEN or letter in _JOINERS:
        return letter
    code = ord(letter)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
