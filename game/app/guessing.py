"""Which template a finished English sentence may have been made from: for sentences that are not `Text` yet.

A sentence is known again by the words between the fields of a template; what stands in the fields is looked up in its
turn. Whatever is a `Text` is never guessed at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

FIELD = re.compile(r"\{([A-Za-z_][A-Za-z_0-9]*)\}")
PIECE = 6
"""Letters by which the templates that a sentence may be from are found."""
DEPTH = 4
"""How many sentences within sentences are looked up."""
JOINTS = re.compile(r"( · |: |, | \(|\)| (?=\d+$)|\.$)")
"""Stands between things that are said side by side; each is looked up by itself where the whole isn't known."""
_SUBSTANCE = re.compile(r"[^\W\d_]")


class Template:
    """An English sentence with fields, and how another language says it."""

    def __init__(self, english: str, said: str) -> None:
        self.english, self.said = english, said
        parts = FIELD.split(english)
        self.fields = parts[1::2]
        self.fixed = sum(len(part) for part in parts[::2])
        """Letters outside the fields: the more, the surer the sentence is this one."""
        self.anchor = max(parts[::2], key=len)
        """The longest stretch between fields: a sentence without it isn't this one."""
        self._parts = parts
        self._pattern: re.Pattern[str] | None = None

    def values(self, text: str) -> dict[str, str] | None:
        """What stands in the fields of a sentence made from this; None for another sentence."""
        if self.anchor not in text:
            return None
        if self._pattern is None:
            pattern = "".join("(.*?)" if n % 2 else re.escape(part) for n, part in enumerate(self._parts))
            self._pattern = re.compile(pattern, re.DOTALL)
        found = self._pattern.fullmatch(text)
        return dict(zip(self.fields, found.groups(), strict=True)) if found is not None else None

    def filled(self, values: Mapping[str, str]) -> str:
        """The sentence in the other language with these in its fields."""
        return FIELD.sub(lambda field: values.get(field[1], field[0]), self.said)


class Guess:
    """What one language says for English sentences by the templates that they look like."""

    def __init__(self, entries: Mapping[str, str]) -> None:
        self._whole = {key: said for key, said in entries.items() if not FIELD.search(key)}
        templates = [Template(key, said) for key, said in entries.items() if FIELD.search(key)]
        self._templates = sorted(templates, key=lambda t: (-t.fixed, t.english))
        self._by_piece: dict[str, list[int]] = {}
        """A piece of a template's longest stretch -> the templates, by number: no sentence without it is from them."""
        for number, template in enumerate(self._templates):
            self._by_piece.setdefault(template.anchor[:PIECE], []).append(number)

    def say(self, text: str, depth: int = DEPTH) -> str:
        """The sentence in this language; where it isn't known, as it is."""
        inner = text.strip()
        if not inner or not _SUBSTANCE.search(inner):
            return text
        said = self._found(inner, depth) or self._recased(inner, depth)
        if said is None and depth and len(parts := JOINTS.split(inner)) > 1:
            said = "".join(part if n % 2 else self.say(part, depth - 1) for n, part in enumerate(parts))
        return text if said is None else text.replace(inner, said, 1)

    def _recased(self, text: str, depth: int) -> str | None:
        """A word of the rules at the head of a line, or a heading in capitals."""
        if not text[0].isupper():
            return None
        if text.isupper():
            said = self._found(text.capitalize(), depth) or self._found(text.lower(), depth)
            return said and said.upper()
        said = self._found(text[0].lower() + text[1:], depth)
        return said and said[:1].upper() + said[1:]

    def _found(self, text: str, depth: int) -> str | None:
        whole = self._whole.get(text)
        if whole is not None:
            return whole
        for template in self._likely(text) if depth else ():
            values = template.values(text)
            if values is not None:
                return template.filled({name: self.say(value, depth - 1) for name, value in values.items()})
        return None

    def _likely(self, text: str) -> Iterator[Template]:
        """The templates that a sentence may be from, the surest first."""
        pieces = {text[at : at + length] for at in range(len(text)) for length in range(1, PIECE + 1)} | {""}
        found = {number for piece in pieces for number in self._by_piece.get(piece, ())}
        return (self._templates[number] for number in sorted(found))
