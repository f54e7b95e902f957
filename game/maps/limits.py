"""How much of a map file we are ready to read, and small readers that complain in one line."""

from __future__ import annotations

import math
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from xml.etree.ElementTree import Element

from game.maps.mapdata import MapProblem, Value
from game.maps.words import one_line, shown
from rules.contract.text import joined, text

MAX_SIDE = 512
"""Most spaces along one side of a map."""
MAX_LAYERS = 64
MAX_TILES_DECODED = 4_194_304
"""Most tiles of all layers together (16 MiB of layer data)."""
MAX_FILE_BYTES = 16 * 1024 * 1024
MAX_TOTAL_BYTES = 64 * 1024 * 1024
"""Most bytes of all files that one map refers to."""
MAX_ELEMENTS = 400_000
"""Most elements of all files of a map together."""
MAX_DEPTH = 48
MAX_TILESETS = 64
MAX_TILESET_TILES = 65_536
"""Most tiles of all tilesets together."""
MAX_IMAGE_SIDE = 8192
MAX_IMAGE_PIXELS = 16_777_216
MAX_OBJECTS = 10_000
MAX_POINTS = 20_000
MAX_TEMPLATES = 256
MAX_COVERED = 1_000_000
"""Most spaces that may be looked at for all odd-shaped objects together; plain rectangles count a quarter."""
MAX_PIXEL = 1_000_000.0
"""Farthest position of an object, in pixels."""
MAX_TEXT = 20_000
"""Longest property, in characters."""
MAX_NAME = 240
"""Longest name of a property with those of the classes around it."""
MAX_MEMBERS = 2_000
"""Most members of a class with those of the classes within it."""
MAX_PROPERTIES = 100_000
"""Most properties of all objects and layers together, those that classes give counted for each that has the class."""
MAX_DIFFERENT = 100_000
"""Most different tiles that a map may use, each way of turning one counted."""
MAX_PROJECT_BYTES = 2 * 1024 * 1024
MAX_DOORS = 2_000
MAX_EDGES = 262_144
"""Most edges along which all walls and doors together may run, those passed twice counted twice."""
MAX_LIGHTS = 10_000
MAX_PROPS = 400_000
"""Most things to be drawn on their spaces."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in which file we are, for messages: ``crypt.tmx, layer 'Doors', object 12``."""

    file: str
    layer: str = ""
    object: str = ""
    tileset: str | None = None
    tile: int | None = None

    def __str__(self) -> str:
        return self.inside("")

    def inside(self, file: str) -> str:
        """The same without the file's name where that is ``file``."""
        parts = [] if self.file == file else [self.file]
        parts += [text("tileset {tileset}", shown(self.tileset))] if self.tileset is not None else []
        parts += [text("tile {tile}", self.tile)] if self.tile is not None else []
        parts += [text("layer {layer}", shown(self.layer))] if self.layer else []
        parts += [text("object {object}", self.object)] if self.object else []
        return joined(", ", parts)

    def problem(self, words: str, /, *values: Value, **fields: Value) -> MapProblem:
        """The error to raise here; a template with its values, or a sentence, says what is wrong and what is right."""
        wrong = text(words, *values, **fields) if values or fields else words
        return MapProblem("{what}: {text}", str(self), wrong)


def whole(node: Element, name: str, place: Place, default: int | None = None) -> int:
    """The attribute ``name`` as a whole number; without a default it must be there."""
    raw = node.get(name)
    if raw is None:
        if default is None:
            raise place.problem("<{tag}> has no {name}; save the file again in Tiled", node.tag, name)
        return default
    with suppress(ValueError):
        if len(raw) < 20:
            return int(raw)
    raise place.problem("{name} of <{tag}> is {raw}; a whole number is needed", name, node.tag, shown(raw))


def number(node: Element, name: str, place: Place, default: float = 0.0) -> float:
    """The attribute ``name`` as a finite number not beyond a million."""
    raw, value = node.get(name), math.nan
    if raw is None:
        return default
    with suppress(ValueError):
        value = float(raw)
    if not abs(value) <= MAX_PIXEL:
        raise place.problem("{name} of <{tag}> is {raw}; a number up to 1000000 is needed", name, node.tag, shown(raw))
    return value


def truth(raw: str) -> bool | None:
    """``true``/``1`` and ``false``/``0`` as Tiled writes them; None for anything else."""
    return {"true": True, "1": True, "false": False, "0": False}.get(raw.strip().lower())


MOST = 20
"""Lines of notes beyond which the rest is only counted."""
_KINDS = 200
"""Different classes, elements and the like beyond which no further ones are told apart."""


class Strange(Enum):
    """What a map may have that means nothing to us: how a note tells of one such thing, and of several."""

    CLASS = (
        "class {name} unknown: 1 object is kept but does nothing ({first}){meant}",
        "class {name} unknown: {n} objects are kept but do nothing (first: {first}){meant}",
    )
    SHAPE = (
        "1 object has no class and does nothing ({first}); choose one in Tiled",
        "{n} objects have no class and do nothing (first: {first}); choose one in Tiled",
    )
    ELEMENT = ("element <{name}> unknown: {n} left out",) * 2


@dataclass(slots=True)
class Notes:
    """Gathers the notes on one map; ``file`` is its name, which the notes leave out."""

    file: str
    ours: frozenset[str] = frozenset()
    """The classes that mean something to Battlemat."""
    _first: dict[tuple[Strange | None, str], str] = field(default_factory=dict)
    """Where something came up first, by what it is and its name; None for whole sentences."""
    _count: Counter[tuple[Strange | None, str]] = field(default_factory=Counter)

    def say(self, text: str, place: Place) -> None:
        """A sentence: said once, however often it comes."""
        where = place.inside(self.file)
        self.count(None, f"{where}: {text}" if where else text, place)

    def lines(self) -> tuple[str, ...]:
        """All notes in the order in which they came up."""
        found = [name if what is None else self._line(what, name) for what, name in self._first]
        if len(found) > MOST:
            found[MOST - 1 :] = [text("and {rest} more notes", len(found) - MOST + 1)]
        return tuple(one_line(line) for line in found)

    def count(self, what: Strange | None, name: str, place: Place, count: int = 1) -> None:
        """Things of one kind and name, which are told together."""
        key = (what, name)
        if key not in self._first and len(self._first) >= _KINDS:
            key = (what, "…")
        self._first.setdefault(key, place.inside(self.file))
        self._count[key] += count

    def _line(self, what: Strange, name: str) -> str:
        n, first = self._count[what, name], self._first[what, name]
        ours = next((each for each in sorted(self.ours) if each.casefold() == name.casefold()), "")
        called: dict[str, str | int] = {
            "name": one_line(name, 40) if what is Strange.ELEMENT else shown(name),
            "n": n,
            "first": first,
            "meant": text("; Battlemat's own is {ours}", ours) if ours else "",
        }
        words = what.value[n != 1]
        return text(words, **{field: value for field, value in called.items() if f"{{{field}}}" in words})
