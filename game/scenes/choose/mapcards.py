"""Maps in small, as they are chosen from: read in the background, so that no map of a list holds up the others."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

import pygame

from game import paths
from game.content import encounter
from game.maps.mapdata import LoadedMap, OutsideProblem
from game.maps.tiled import load_map
from rules.board.grid import Ground
from rules.contract.errors import BattlematError, said
from rules.contract.text import text

INKS = {Ground.BLOCKED: (30, 37, 47), Ground.VOID: (12, 15, 19), Ground.DIFFICULT: (104, 98, 82)}
FLOOR = (92, 104, 118)
SIDES = {encounter.HEROES: (0, 114, 178), encounter.MONSTERS: (213, 94, 0)}
PARTY = 8
"""Spaces that are marked where a map draws no place for a side."""
OBSTACLES = {"water": (48, 92, 124), "climb": (176, 128, 60), "rubble": (128, 122, 112)}
GRACE = 0.1
"""Seconds that a list waits for the user's maps before it shows itself without those that aren't read yet."""
KEPT = 600
"""Maps whose cards are kept."""

Stamp = tuple[Path, int, int]
"""A file as it was read: its path, when it was changed, its size."""


@dataclass(frozen=True, slots=True)
class Card:
    """What a list tells of a map; `why` says why it cannot be read, and is empty where it can."""

    title: str
    size: tuple[int, int] = (0, 0)
    """Columns and rows."""
    sketch: pygame.Surface | None = None
    """One pixel per space."""
    why: str = ""
    asks: bool = False
    """It can be read once the user has agreed to the folders that it needs."""

    @property
    def line(self) -> str:
        """Its second line."""
        if self.asks:
            return "uses files of other folders"
        return "cannot be read" if self.why else text("{size} × {size2} spaces", size=self.size[0], size2=self.size[1])

    def picture(self, size: tuple[int, int]) -> pygame.Surface:
        """The sketch in the middle of a picture of this size."""
        return _scaled(self.sketch, size) if self.sketch is not None else pygame.Surface(size, pygame.SRCALPHA)


class Shelf:
    """The maps of a list: what came with the game is read at once, the user's own in the background, one by one.

    `cards` has every map that has been read so far. Whoever shows a shelf asks `fresh` now and then, and closes it.
    """

    def __init__(self, maps: Iterable[Path]) -> None:
        self.maps = list(maps)
        self.cards: dict[Path, Card] = {}
        self._told = 0
        self._closed = threading.Event()
        waiting = []
        for path in self.maps:
            card = _known(path)
            if card is None and path.is_relative_to(paths.shipped_maps()):
                card = read_card(path)
            if card is not None:
                self.cards[path] = card
            else:
                waiting.append(path)
        self._thread: threading.Thread | None = None
        if waiting:
            self._thread = threading.Thread(target=self._read, args=(waiting,), name="maps", daemon=True)
            self._thread.start()
            self._thread.join(GRACE)
        self._told = len(self.cards)

    @property
    def readable(self) -> list[Path]:
        """The maps that can be played on, of those that have been read, in the order of the list."""
        return [path for path in self.maps if path in self.cards and not self.cards[path].why]

    @property
    def busy(self) -> bool:
        """Whether maps are still being read."""
        return len(self.cards) < len(self.maps)

    def read_now(self, path: Path) -> Card:
        """A map's card, read at once if need be."""
        if path not in self.cards:
            self.cards[path] = read_card(path)
        return self.cards[path]

    def fresh(self) -> bool:
        """Whether more maps have been read since this was asked last."""
        before, self._told = self._told, len(self.cards)
        return self._told != before

    def wait(self) -> None:
        """Until all are read."""
        if self._thread is not None:
            self._thread.join()

    def close(self) -> None:
        """Read no further ones."""
        self._closed.set()

    def _read(self, waiting: list[Path]) -> None:
        for path in waiting:
            if self._closed.is_set():
                return
            self.cards[path] = read_card(path)


# -- one map


def read_card(path: Path) -> Card:
    """A map's card, read once as long as its file stays as it is."""
    card = _known(path)
    if card is None:
        card = _card(path)
        stamp = _stamp(path)
        if stamp is not None and not card.asks:  # agreeing leaves the file as it is
            _cards[stamp] = card
            while len(_cards) > KEPT:
                _cards.popitem(last=False)
    return card


_cards: OrderedDict[Stamp, Card] = OrderedDict()


def _stamp(path: Path) -> Stamp | None:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return path, found.st_mtime_ns, found.st_size


def _known(path: Path) -> Card | None:
    stamp = _stamp(path)
    return None if stamp is None else _cards.get(stamp)


def _card(path: Path) -> Card:
    try:
        loaded = load_map(path)
        field = loaded.field
        return Card(loaded.title or path.stem, (field.width, field.height), _sketch(loaded))
    except OutsideProblem as error:
        return Card(path.stem, why=said(error), asks=True)
    except BattlematError as error:
        return Card(path.stem, why=said(error))
    except OSError as error:
        return Card(path.stem, why=text("{name}: {what}", name=path.name, what=str(error.strerror or error)))


def _sketch(loaded: LoadedMap) -> pygame.Surface:
    """Floor light, walls dark, where each side starts: a pixel for every space."""
    field = loaded.field
    pixels = bytearray(_tones(loaded))
    for challenge in field.challenges:
        if challenge.kind in OBSTACLES and not challenge.edges:
            for cell in challenge.cells:
                pixels[3 * cell : 3 * cell + 3] = bytes(OBSTACLES[challenge.kind])
    for door in field.doors:
        pixels[3 * door.cell : 3 * door.cell + 3] = bytes((150, 98, 52))
    for side, ink in SIDES.items():
        for cell in loaded.spawn_cells(side) or islice(encounter.start_spaces(loaded, side), PARTY):
            pixels[3 * cell : 3 * cell + 3] = bytes(ink)
    return pygame.image.frombytes(bytes(pixels), (field.width, field.height), "RGB")


def _tones(loaded: LoadedMap) -> Iterator[int]:
    """Red, green and blue of every space."""
    inks: dict[tuple[int, int], tuple[int, ...]] = {}
    field = loaded.field
    for key in zip(field.ground, field.levels or bytes(len(field.ground)), strict=True):
        if key not in inks:
            ground, level = key
            inks[key] = tuple(min(255, part + 14 * level) for part in INKS.get(Ground(ground), FLOOR))
        yield from inks[key]


def _scaled(sketch: pygame.Surface, size: tuple[int, int]) -> pygame.Surface:
    wide, high = sketch.get_size()
    factor = min(size[0] / wide, size[1] / high)
    scaled = pygame.transform.scale(sketch, (max(1, int(wide * factor)), max(1, int(high * factor))))
    card = pygame.Surface(size, pygame.SRCALPHA)
    card.blit(scaled, scaled.get_rect(center=card.get_rect().center))
    return card


@lru_cache(maxsize=16)
def loaded_map(path: Path) -> LoadedMap:
    """A map read once. Raises MapProblem."""
    return load_map(path)
