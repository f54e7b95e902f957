"""Reading files of strangers: what is wrong in a part leaves that part out, is counted, and never ends the reading."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from game.importing.plan import ImportProblem
from game.maps.words import one_line
from rules.contract.text import ntext

LARGEST = 64 * 1024 * 1024
"""Bytes of a file at most."""
FARTHEST = 1_000_000.0
"""No number of a map lies beyond."""
MOST_WORDS = 4_000
"""Letters of a text at most."""


def document(source: bytes, name: str) -> Any:
    """A JSON document. Raises ImportProblem for anything else, and for one too large."""
    if len(source) > LARGEST:
        raise ImportProblem("{name}: is larger than 64 MB; a smaller picture in it would do", name)
    try:
        return json.loads(source.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        why = "too deeply nested" if isinstance(error, RecursionError) else one_line(str(error), 100)
        raise ImportProblem("{name}: cannot be read as JSON: {why}", name, why) from None


def number(value: Any) -> float | None:
    """A finite number within bounds, also one written as text; None for anything else."""
    if isinstance(value, str):
        try:
            value = float(value) if len(value) < 40 else None
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, int) and abs(value) > FARTHEST:
        return None
    return float(value) if math.isfinite(value) and abs(value) <= FARTHEST else None


def point(value: Any) -> tuple[float, float] | None:
    """`{"x": …, "y": …}` as two numbers; None for anything else."""
    if not isinstance(value, Mapping):
        return None
    x, y = number(value.get("x")), number(value.get("y"))
    return None if x is None or y is None else (x, y)


def words(value: Any) -> str:
    """A text without signs that cannot be drawn, of a length that a page holds; empty for anything else."""
    if not isinstance(value, str):
        return ""
    said = "".join(letter if letter.isprintable() or letter == "\n" else " " for letter in value[: 2 * MOST_WORDS])
    said = "\n".join(" ".join(line.split()) for line in said.splitlines()).strip()
    return said if len(said) <= MOST_WORDS else said[:MOST_WORDS].rstrip() + "…"


class Parts:
    """Counts what was left out, for warnings."""

    def __init__(self) -> None:
        self._left: Counter[str] = Counter()
        self._told: list[str] = []

    def listed(self, value: Any, what: str, most: int) -> Iterator[Any]:
        """The parts of a list, `most` of them; anything else has none."""
        if value is None:
            return
        if not isinstance(value, list):
            self.skip(what)
            return
        yield from value[:most]
        if len(value) > most:
            self._left[what] += len(value) - most

    def skip(self, what: str) -> None:
        """One of a kind of things, such as `wall`, cannot be used."""
        self._left[what] += 1

    def tell(self, words: str) -> None:
        """A sentence of its own."""
        if words not in self._told:
            self._told.append(words)

    @property
    def warnings(self) -> tuple[str, ...]:
        """All of it, a line each."""
        left = [ntext(n, "1 {what} could not be read and is left out", "{n} {what}s could not be read and are left out",
                      what=what) for what, n in sorted(self._left.items())]  # fmt: skip
        return (*self._told, *left)
