"""What the library shows of an encounter without opening it: what its record says, its ground, and who stands where."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from game.setup import bestiary, files
from game.storage import library, saves
from game.storage import records as storage
from game.storage.library import About
from game.storage.saves import Save
from rules.board.grid import Field
from rules.contract.errors import BattlematError
from rules.core.ground import map_files


class Standing(NamedTuple):
    """Somebody on the ground, in spaces of the sheet."""

    column: float
    row: float
    """Of the middle."""
    side: str


class Glimpse(NamedTuple):
    """An encounter as the library lists it."""

    save: Save
    about: About = About()
    names: tuple[str, ...] = ()
    """Everybody in it."""
    ground: Field | None = None
    """None as long as nobody has looked, or where its map can't be read."""
    standing: tuple[Standing, ...] = ()
    tied: bool = False
    """Its map lies beside it, and is found nowhere else: it stays in its folder."""

    @property
    def path(self) -> Path:
        return self.save.path


def first_sight(path: Path) -> Glimpse:
    """What is known before its file was read."""
    return Glimpse(saves.glance(path), library.about(path))


def look(path: Path) -> Glimpse:
    """What its record and its map say (some milliseconds). What is wrong with it stands in `save.fault`."""
    found = Glimpse(saves.prepared(path), library.about(path))
    if found.save.fault:
        return found
    try:
        record = storage.read_record(path)
        found = found._replace(
            names=tuple(bestiary.called(record.ruleset, entry) for entry in record.creatures),
            tied=any(_beside(name, path) for name in map_files(record.map)),
        )
        draft, _ = files.load(path)
        ground, _ = files.ground_of(draft, path.parent)
        draft = files.settled(draft, ground)
    except BattlematError:
        return found
    spots = [(piece.spot, piece.side) for piece in draft.pieces if piece.spot is not None]
    standing = tuple(Standing(spot[0] + 0.5, spot[1] + 0.5, side) for spot, side in spots if ground.inside(*spot))
    return found._replace(ground=ground, standing=standing)


def _beside(name: str, path: Path) -> bool:
    try:
        storage.find_map(name)
    except BattlematError:
        return (path.parent / name).is_file()
    return False


def fits(one: Glimpse, query: str) -> bool:
    """Whether an encounter is searched for: every word somewhere in what is told of it; `#word` begins a tag of it."""
    save = one.save
    told = (save.heading, save.path.stem, save.map, save.rules, library.folder_of(save.path), one.about.notes)
    words = " ".join((*told, *one.names, *one.about.tags)).casefold()
    return all(
        any(tag.startswith(word[1:]) for tag in one.about.tags) if word.startswith("#") else word in words
        for word in query.casefold().split()
    )
