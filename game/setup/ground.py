"""The map of an encounter being drawn: a document for each map of its place, and what they come to together."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from game import paths
from game.content import encounter
from game.maps import in_place, place
from game.maps.editing import drawing, heights, things, tools
from game.maps.editing.document import Document
from game.maps.editing.kinds import kind
from game.maps.editing.pen import Pen
from game.maps.editing.strokes import Stroke
from game.maps.folder import parts_of, reach_of
from game.maps.mapdata import LoadedMap, MapProblem
from game.setup.files import slug
from rules.board.grid import Field, Ground
from rules.contract.errors import BattlematError
from rules.contract.text import text
from rules.core import record as records


@dataclass(frozen=True)
class Drawn:
    """A stroke on one map of the place."""

    level: int
    stroke: Stroke

    def inverse(self) -> Drawn:
        return Drawn(self.level, self.stroke.inverse())

    def and_then(self, other: Drawn) -> Drawn:
        return Drawn(self.level, self.stroke.and_then(other.stroke))


class GroundWork:
    """All maps of an encounter, open to be drawn. Files change by `save` alone."""

    def __init__(self, loaded: LoadedMap) -> None:
        self.maps = list(loaded.levels or (loaded,))
        self._documents: dict[int, Document] = {}
        self._single = not loaded.levels

    def document(self, level: int) -> Document:
        """A map's document. Raises MapProblem for one that cannot be drawn on."""
        if level not in self._documents:
            loaded = self.maps[level]
            if loaded.sketch:
                raise MapProblem("{title} is a sketch without a file; only maps of files are drawn on", loaded.title)
            self._documents[level] = Document.open(loaded.path)
        return self._documents[level]

    def pen(self, level: int, what: str) -> Pen:
        """Something with which to draw on a map."""
        return Pen(self.document(level), what)

    def whole(self) -> LoadedMap:
        """All maps as they are played now. Raises MapProblem where they could not be: a stroke must be taken back."""
        maps = [self._documents[n].read() if n in self._documents else each for n, each in enumerate(self.maps)]
        if self._single:
            found = maps[0]
        else:
            parts = [records.PartModel(tmx=each.path.name) for each in maps]
            found = place.joined(maps, records.MapModel(place=parts))
        self.maps = maps
        return found

    def retrace(self, step: Drawn) -> None:
        """Take back a stroke, or do it again."""
        self.document(step.level).apply(step.stroke)

    @property
    def unsaved(self) -> bool:
        """Whether a file would be another than the one on the disk."""
        return any(document.unsaved for document in self._documents.values())

    def save(self) -> list[Path]:
        """Write what was drawn; the files. Maps that came with the game stay as they are: copies of theirs, and of all
        that they use, are made in the user's maps. Raises BattlematError."""
        if any(_came_with_the_game(each.path) for each in self.maps):
            self._move_to_copies()
        unsaved = [document for document in self._documents.values() if document.unsaved]
        for document in unsaved:
            document.save()
        return [document.path for document in unsaved]

    def _move_to_copies(self) -> None:
        home = own_copy(self.maps[0].path)
        for level, loaded in enumerate(self.maps):
            there = home.with_name(loaded.path.name)
            document = self.document(level)
            document.path = there
            document.renew()


def _came_with_the_game(path: Path) -> bool:
    return not encounter.is_own_map(path)


def own_copy(path: Path) -> Path:
    """A copy of a map, and of all that it uses, in a folder of its own in the user's maps. Raises BattlematError."""
    files = parts_of(path, reach_of(path)).inside
    base = Path(os.path.commonpath([file.parent for file in files]))
    home = free_folder(path.stem)
    try:
        for file in files:
            goal = home / file.relative_to(base)
            goal.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, goal)
    except OSError as error:
        shutil.rmtree(home, ignore_errors=True)
        wrong = "{path}: cannot be copied into your maps ({what})"
        raise BattlematError(wrong, str(path), str(error.strerror or error)) from None
    return home / files[0].relative_to(base)


def free_folder(name: str) -> Path:
    """A folder of the user's maps that is not there yet, named after a map."""
    stem = slug(name) or "map"
    root, number = paths.user_folder("maps"), 2 if stem == in_place.FOLDER else 1
    while (root / (f"{stem}-{number}" if number > 1 else stem)).exists():
        number += 1
    return root / (f"{stem}-{number}" if number > 1 else stem)


def sketch_map(field: Field, title: str) -> Path:
    """A map of the user's own that says what the ground of a sketch says; its file. Raises BattlematError."""
    path = new_map(field.width, field.height, title, ambient=field.ambient)
    document = Document.open(path)
    pen = Pen(document, title)
    by_kind: dict[str, list[tuple[int, int]]] = {}
    for cell in field.cells:
        void = "" if field.opaque >> cell & 1 else "chasm"
        solid = "rockwall" if field.opaque >> cell & 1 else "thing-crate"
        name = {Ground.BLOCKED: solid, Ground.VOID: void}.get(Ground(field.ground[cell]), "slate")
        by_kind.setdefault(name, []).append(field.at(cell))
        if field.ground[cell] == Ground.DIFFICULT:
            by_kind.setdefault("rubble", []).append(field.at(cell))
    drawing.paint(pen, kind("slate"), by_kind.get("thing-crate", []))
    for name, spots in by_kind.items():
        if name:
            drawing.paint(pen, kind(name), spots)
    for level in sorted({*field.levels} - {0}):
        heights.raise_to(pen, level, [field.at(cell) for cell in field.cells if field.level(cell) == level])
    for wall in field.edges:
        says = {"sight": "" if wall.sight else "open", "move": "" if wall.move else "open"}
        thin = replace(kind("thin wall"), says={name: word for name, word in says.items() if word})
        things.draw_edges(pen, thin, [tools.edge_of(field.at(wall.a), field.at(wall.b))])
    for door in field.doors:
        edge = None if door.edge is None else tools.edge_of(field.at(door.cell), field.at(door.edge))
        number = things.place(pen, kind("door"), field.at(door.cell), {"state": door.state}, edge=edge)
        if (made := things.by_number(document, number)) is not None:
            things.rename(pen, made, door.id)
    pen.lift()
    document.save()
    return path


def new_map(columns: int, rows: int, title: str, *, floor: str = "", ambient: str = "bright") -> Path:
    """A new map in the user's maps, of so many spaces; its file. Raises BattlematError."""
    home = free_folder(title)
    document = Document.new(
        home / f"{home.name}.tmx", columns, rows, title=title or text("A new map"), ambient=ambient, floor=floor
    )
    document.save()
    return document.path
