"""A language that nobody speaks, English in brackets and a third longer: finds what is cut or never translated."""

from __future__ import annotations

from functools import cache

from game.app.i18n import FIELD, Catalogue
from tests.words.extract import words

OPEN, CLOSE = "«", "»"


def pseudo(text: str) -> str:
    """The text in brackets with its vowels doubled, its fields as they are."""
    parts = FIELD.split(text)
    long = ["".join(c * 2 if c in "aeiou" else c for c in part) for part in parts[::2]]
    fields = [f"{{{name}}}" for name in parts[1::2]] + [""]
    return OPEN + "".join(a + b for a, b in zip(long, fields, strict=True)) + CLOSE


@cache
def pseudo_catalogue() -> Catalogue:
    """Everything that is extracted, in this language."""
    return Catalogue({text: pseudo(text) if isinstance(text, str) else tuple(map(pseudo, text)) for text in words()})
