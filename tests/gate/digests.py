"""Texts into digests, each kind for itself, so that a difference tells what kind it is of."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from tests.gate.seam import canonical

KINDS = {
    "random": ("legal", "events", "state", "odds", "known", "story"),
    "computer": ("commands", "events", "state"),
    "records": ("events", "state", "story"),
}
"""What is told apart, by what is played: what may be done, what happened, how it stands, exact odds, what sides know,
and words (which may change where they were wrong); what the computer chose."""
SHORT = 16
"""Hex digits of a digest that are kept."""
WORDS = ("label", "text", "detail", "caption", "banner", "subtitle", "note", "because", "notes")
"""Fields of boards, sheets and odds that are words: elsewhere only the figures in them count."""
FAILED = "FAILED:"
"""Begins what stands in for an answer where the program failed."""
_CITED = re.compile(r"(?:\w+/)*\b[a-z_]+\.md\b[^\"\\,;()]*")
_RULE = re.compile(r'"rule":"(?:[^"\\]|\\.)*"')
_FIGURES = re.compile(r"[-−+]?\d+")


class Sink:
    """Takes the texts of a fight, kind by kind."""

    def put(self, kind: str, data: Any) -> None:
        """Any plain data or text."""
        self.take(kind, uncited(data if isinstance(data, str) else canonical(data)))

    def take(self, kind: str, text: str) -> None:
        raise NotImplementedError

    def turn(self, number: int, command: str) -> None:
        """What follows comes of this command (from 0; the start has none)."""


class Digests(Sink):
    """Keeps a digest for each of some kinds; others are let go."""

    def __init__(self, kinds: tuple[str, ...]) -> None:
        self._hashes = {kind: sha256() for kind in kinds}
        self.failed: list[str] = []
        """Where the program itself failed: kind and error."""

    def take(self, kind: str, text: str) -> None:
        if text.startswith(FAILED):
            self.failed.append(f"{kind}={text.removeprefix(FAILED)}")
        if kind in self._hashes:
            self._hashes[kind].update(text.encode("utf-8", "surrogatepass") + b"\n")

    def told(self) -> list[str]:
        return [found.hexdigest()[:SHORT] for found in self._hashes.values()]


class Trace(Sink):
    """Writes a line for everything that is taken: the command's number, the kind, the text."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write, self._number = write, -1

    def turn(self, number: int, command: str) -> None:
        self._number = number
        self.take("command", command)

    def take(self, kind: str, text: str) -> None:
        self._write(f"{self._number}\t{kind}\t{json.dumps(text, ensure_ascii=False)}\n")


def uncited(text: str) -> str:
    """A text, mostly of JSON, without its citations of rules: they may be mended."""
    return _CITED.sub("§", _RULE.sub('"rule":"§"', text))


def figures(data: Any, wordy: bool = False) -> Any:
    """Data whose words are left out but for the figures in them."""
    if isinstance(data, dict):
        return {key: figures(value, wordy or key in WORDS) for key, value in data.items() if key != "rule"}
    if isinstance(data, list | tuple):
        return [figures(value, wordy) for value in data]
    return _FIGURES.findall(_CITED.sub("", data)) if wordy and isinstance(data, str) else data


def words(data: Any, wordy: bool = False) -> list[str]:
    """What `figures` leaves out: the words, in their order."""
    if isinstance(data, dict):
        parts = [words(data[key], wordy or key in WORDS) for key in sorted(data)]
    elif isinstance(data, list | tuple):
        parts = [words(value, wordy) for value in data]
    else:
        return [data] if wordy and isinstance(data, str) else []
    return [word for part in parts for word in part]


def rounded(data: Any) -> Any:
    """Data with floats to nine digits."""
    if isinstance(data, float):
        return round(data, 9) + 0.0
    if isinstance(data, dict):
        return {key: rounded(value) for key, value in data.items()}
    return [rounded(value) for value in data] if isinstance(data, list | tuple) else data
