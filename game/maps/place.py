"""A place of several maps: its links followed from map to map, and all of it put together into one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

from game.maps.limits import Place
from game.maps.mapdata import (
    CheckReport,
    LoadedMap,
    MapCreature,
    MapObject,
    MapProblem,
    MapProblems,
    Spawn,
    at_space,
    some,
)
from game.maps.tiled import Hoards, at_most, check_loaded, load_map
from game.maps.words import one_line, shown
from rules.board.fixtures import check_needs
from rules.board.grid import MAX_SIDE, Field, Ground
from rules.board.places import GAP, MOST_MAPS, Stair
from rules.board.sheet import Sheet
from rules.contract.errors import BattlematError, RecordError
from rules.contract.ruleset import PARTY
from rules.contract.text import joined as joined_words
from rules.contract.text import ntext, text
from rules.contract.units import Cell
from rules.core import record as records
from rules.core.ground import field_of, part_names, placed, sketch, with_doors

WAYS = ("Stairs", "Ladder", "Exit")
"""Classes that may lead to another map."""


class Link(NamedTuple):
    """A way that an object of a map says: where it leads, by the number of its map and the object there."""

    map: int
    way: MapObject
    to_map: int
    to: MapObject

    def back(self, links: Iterable[Link]) -> bool:
        """Whether one comes back from there."""
        return any(each.map == self.to_map and each.to_map == self.map and each.way is self.to for each in links)


@dataclass(frozen=True, slots=True)
class Web:
    """The links of some maps, and what is wrong with them: one line for each."""

    links: tuple[Link, ...]
    problems: tuple[MapProblem, ...]
    remarks: tuple[str, ...]


def leads_to(way: MapObject) -> str:
    """The name of the file, without its ending, to which an object leads; empty where it leads nowhere."""
    return way.text("to_map").strip().removesuffix(".tmx") if way.kind in WAYS else ""


def web_of(maps: Sequence[LoadedMap]) -> Web:
    """Every link between these maps. One to a map that is not among them is left out."""
    links: list[Link] = []
    problems: list[MapProblem] = []
    for number, loaded in enumerate(maps):
        for way in loaded.exits:
            there = _map_named(maps, loaded, leads_to(way))
            if there is None:
                continue
            try:
                links.append(Link(number, way, there, _other_end(maps, number, way, there)))
            except MapProblem as problem:
                problems.append(problem.with_traceback(None))
    remarks = [
        text(
            "object {id}: this {kind} leads to {map}, and its other end leads not back; it is a way of one direction",
            link.way.id, link.way.kind, maps[link.to_map].path.name,
        )
        for link in links if not link.back(links)
    ]  # fmt: skip
    firsts = [text("{name}: {text}", maps[link.map].path.name, said)
              for link, said in zip((one for one in links if not one.back(links)), remarks, strict=True)]  # fmt: skip
    return Web(tuple(links), tuple(problems), tuple(firsts))


def _map_named(maps: Sequence[LoadedMap], home: LoadedMap, name: str) -> int | None:
    if not name:
        return None
    fitting = [n for n, each in enumerate(maps) if each.path.stem == name and not each.sketch]
    beside = [n for n in fitting if maps[n].path.parent == home.path.parent]
    return next(iter(beside or fitting), None)


def _other_end(maps: Sequence[LoadedMap], number: int, way: MapObject, there: int) -> MapObject:
    """The object of the other map to which a way leads. Raises MapProblem where there is none to stand on."""
    home, other = maps[number], maps[there]
    place, name = Place(home.path.name, way.layer, str(way.id)), way.text("to").strip()
    if not _walkable(home.field, way):
        wrong = "no space of this {kind} can be stood on ({at}); move it to open ground"
        raise place.problem(wrong, way.kind, at_space(home.field, way.cells[0]))
    known = [each for each in chain(other.exits, other.others) if each.kind]
    if name:
        found = [each for each in known if name in (each.name, str(each.id))]
        if not found:
            wrong = "to of this {kind} is {name}, but no object of {map} is called so; there are {known}"
            names = some(each.name or str(each.id) for each in known if each.kind in WAYS) or text("none")
            raise place.problem(wrong, way.kind, shown(name), other.path.name, names)
    else:
        back = [each for each in other.exits if leads_to(each) == home.path.stem]
        own = (way.name, str(way.id))
        found = [each for each in back if each.text("to").strip() in own] or back
        if not found:
            wrong = (
                "this {kind} leads to {map}, where nothing leads back here; draw its other end, or name it with `to`"
            )
            raise place.problem(wrong, way.kind, other.path.name)
        if len(found) > 1:
            wrong = "this {kind} leads to {map}, where {known} lead back here; name one of them with `to`"
            names = some(each.name or str(each.id) for each in found)
            raise place.problem(wrong, way.kind, other.path.name, names)
    if not _walkable(other.field, found[0]):
        wrong = "this {kind} leads to object {id} of {map}, where nobody can stand ({at}); move that to open ground"
        at = at_space(other.field, found[0].cells[0])
        raise place.problem(wrong, way.kind, found[0].id, other.path.name, at)
    return found[0]


def _walkable(field: Field, thing: MapObject) -> list[Cell]:
    return [cell for cell in thing.cells if field.ground[cell] <= Ground.DIFFICULT]


def stairs_of(maps: Sequence[LoadedMap], links: Iterable[Link], sheet: Sheet) -> Iterator[Stair]:
    """The ways of some links in spaces of the sheet: each space of the one end leads to the like one of the other."""
    for link in links:
        here, there = _walkable(maps[link.map].field, link.way), _walkable(maps[link.to_map].field, link.to)
        for n, cell in enumerate(here):
            to = sheet.cell(link.to_map, there[min(n, len(there) - 1)])
            yield Stair(sheet.cell(link.map, cell), to, link.way.kind.lower(), link.way.name)


# -- following links


def followed(path: Path, load: Callable[[Path], LoadedMap] = load_map) -> tuple[list[LoadedMap], list[MapProblem]]:
    """A map and all to which its links and theirs lead, each once, the nearest first; and what cannot be followed.

    Raises MapProblem where the first map cannot be read, or there is more than one place can hold.
    """
    found, problems, waiting = [load(path)], list[MapProblem](), [0]
    known = {found[0].path.resolve()}
    for number in waiting:
        here = found[number]
        for way in here.exits:
            name, place = leads_to(way), Place(here.path.name, way.layer, str(way.id))
            if not name:
                continue
            try:
                there = _beside(here.path, name, way, place)
                if there.resolve() in known:
                    continue
                if len(found) == MOST_MAPS:
                    raise place.problem("leads to a further map; {most_maps} are the most of a place", MOST_MAPS)
                known.add(there.resolve())
                found.append(load(there))
                _check_rows(found)
                waiting.append(len(found) - 1)
            except MapProblem as problem:
                problems.append(problem.with_traceback(None))
                if len(found) >= MOST_MAPS or _rows(found) > MAX_SIDE:
                    return found[: len(waiting)], problems
    return found, problems


def _beside(home: Path, name: str, way: MapObject, place: Place) -> Path:
    """The file of a map that lies beside another one. Raises MapProblem."""
    there = home.parent / f"{name}.tmx"
    plain = name == Path(name).name and name not in (".", "..") and "\\" not in name and "\0" not in name
    if not plain:
        wrong = "to_map of this {kind} is {name}; the name of a map in the same folder is right"
        raise place.problem(wrong, way.kind, shown(name))
    try:
        if there.is_file():
            return there
    except (OSError, ValueError):
        pass  # no file system can have such a name
    wrong = "to_map of this {kind} is {name}, but no such map lies beside this one"
    raise place.problem(wrong, way.kind, shown(there.name))


def _rows(maps: Sequence[LoadedMap]) -> int:
    return sum(each.field.height for each in maps) + GAP * (len(maps) - 1)


def _check_rows(maps: Sequence[LoadedMap]) -> None:
    if (rows := _rows(maps)) > MAX_SIDE:
        wrong = "this map brings the place to {rows} rows, {gap} between two maps counted; {max_side} are the most"
        raise Place(maps[-1].path.name).problem(wrong, rows, GAP, MAX_SIDE)


def check_place(
    path: Path | str, *, root: Path | None = None, templates: set[str] | None = None, hoards: Hoards | None = None
) -> CheckReport:
    """Load a map and all to which its links lead, and tell whether that can be played; never raises for bad maps.

    ``templates`` are the names a Creature may use, ``hoards`` the treasures there are; left out, any is taken.
    """
    path = Path(path)
    try:
        maps, problems = followed(path, partial(load_map, root=root))
    except MapProblem as problem:
        return CheckReport(False, at_most(problem.all), (), readable=False)
    if len(maps) == 1 and not problems:
        return check_loaded(maps[0], templates, hoards)
    web = web_of(maps)
    wrong = [line for problem in (*problems, *web.problems) for line in problem.all]
    if not wrong:
        try:
            source = records.MapModel(place=[records.PartModel(tmx=each.path.name) for each in maps])
            report = check_loaded(joined(maps, source), templates, hoards)
        except MapProblem as problem:
            wrong = list(problem.all)
    names = joined_words(", ", (each.path.name for each in maps))
    note = ntext(len(maps), "a place of one map: {names}", "a place of {n} maps: {names}", names=names)
    if wrong:
        return CheckReport(False, at_most(wrong), (one_line(note),), lacks=text("links that lead somewhere"))
    notes = (note, *web.remarks, *_same_ids(maps), *report.notes)
    return replace(report, notes=tuple(one_line(each) for each in notes))


def _same_ids(maps: Sequence[LoadedMap]) -> Iterator[str]:
    """Creatures that get another id in the place than on their map, which goals, patrols and keys may name."""
    first: dict[str, str] = {}
    for loaded in maps:
        for who in loaded.creatures:
            if (other := first.setdefault(who.id, loaded.path.name)) != loaded.path.name:
                words = "{map}: Creature {id} is called as one of {other}; it gets a number behind its id"
                yield text(words, loaded.path.name, shown(who.id), other)


# -- one of many


def joined(maps: Sequence[LoadedMap], source: records.MapModel) -> LoadedMap:
    """Several maps as one, its spaces those of the sheet; at least one of them has a file. Raises MapProblem for links
    that lead nowhere."""
    names, base = part_names(source), next(each for each in maps if not each.sketch)
    try:
        sheet = Sheet([(name, each.field.width, each.field.height) for name, each in zip(names, maps, strict=True)])
        web = web_of(maps)
        if web.problems:
            raise MapProblems(web.problems)
        fields = [
            with_doors(each.field, part, f"map.place[{n}]")
            for n, (each, part) in enumerate(zip(maps, source.place or (), strict=True))
        ]
        field = placed(names, fields, tuple(stairs_of(maps, web.links, sheet)), source)
        check_needs(field.goals)
    except MapProblem:
        raise
    except BattlematError as error:
        raise Place(base.path.name).problem(str(error)) from error
    moved = _Moved(sheet, maps)
    return replace(
        base, field=field, title=field.title, ambient=field.ambient, levels=tuple(maps), layers=(), tiles=(),
        strata=b"", backward=(False, False), materials=moved.materials(), spawns=moved.spawns(),
        creatures=moved.creatures(), chests=moved.objects("chests"), traps=moved.objects("traps"),
        notes=moved.objects("notes"),
        regions=moved.objects("regions"), exits=moved.objects("exits"), others=moved.objects("others"),
        props=tuple(replace(each, cell=moved.at(n, each.cell)) for n, one in enumerate(maps) for each in one.props),
        roof=frozenset(moved.at(n, cell) for n, one in enumerate(maps) for cell in one.roof),
        foreign=all(each.foreign for each in maps), warnings=tuple(chain.from_iterable(each.warnings for each in maps)),
        ruleset_hints={name: value for each in reversed(maps) for name, value in each.ruleset_hints.items()},
    )  # fmt: skip


class _Moved:
    """What lies on several maps, at its spaces of the sheet."""

    def __init__(self, sheet: Sheet, maps: Sequence[LoadedMap]) -> None:
        self._sheet, self._maps = sheet, maps

    def at(self, number: int, cell: int) -> Cell:
        return self._sheet.cell(number, Cell(cell))

    def _cells(self, number: int, cells: Iterable[Cell]) -> tuple[Cell, ...]:
        return tuple(self.at(number, cell) for cell in cells)

    def materials(self) -> tuple[str, ...]:
        """A word for every space of the sheet."""
        width = self._sheet.width
        out = [""] * (width * self._sheet.height)
        for top, loaded in zip(self._sheet.tops, self._maps, strict=True):
            own = loaded.field.width
            for row in range(loaded.field.height):
                at = (top + row) * width
                out[at : at + own] = loaded.materials[row * own : (row + 1) * own]
        return tuple(out)

    def spawns(self) -> tuple[Spawn, ...]:
        """Those of all maps; but heroes come in on one map, the first that draws them a start."""
        first = next((n for n, one in enumerate(self._maps) if one.spawn_cells(PARTY)), 0)
        every = ((n, spawn) for n, one in enumerate(self._maps) for spawn in one.spawns)
        each = ((n, spawn) for n, spawn in every if n == first or spawn.side != PARTY)
        return tuple(replace(spawn, cells=self._cells(n, spawn.cells)) for n, spawn in each)

    def objects(self, kind: str) -> tuple[MapObject, ...]:
        """The objects of all maps that a field of theirs holds."""
        each = ((n, thing) for n, one in enumerate(self._maps) for thing in getattr(one, kind))
        return tuple(replace(thing, cells=self._cells(n, thing.cells)) for n, thing in each)

    def creatures(self) -> tuple[MapCreature, ...]:
        """Those of all maps; one whose id an earlier map has already gets a number behind it."""
        taken, found = set[str](), list[MapCreature]()
        for n, loaded in enumerate(self._maps):
            for who in loaded.creatures:
                name = next(each for each in chain([who.id], (f"{who.id}_{i}" for i in count(2))) if each not in taken)
                taken.add(name)
                at, patrol = self.at(n, who.cell), self._cells(n, who.patrol)
                found.append(replace(who, id=name, cell=at, patrol=patrol))
        return tuple(found)


# -- which maps are places


def whole(path: Path) -> LoadedMap:
    """A map, or the place of all to which its links lead. Raises MapProblem where a map or a link is wrong."""
    maps, problems = followed(path)
    if problems:
        raise MapProblems([MapProblem(line) for problem in problems for line in problem.all])
    if len(maps) == 1:
        return maps[0]
    return joined(maps, records.MapModel(place=[records.PartModel(tmx=each.path.name) for each in maps]))


_LINK = re.compile(r'name="to_map"[^>]*\bvalue="([^"]+)"')
_LARGEST_GLANCE = 4 * 1024 * 1024
"""Bytes of a map beyond which nobody looks for links in it before it is opened."""


def places_among(paths: Iterable[Path]) -> dict[Path, list[Path]]:
    """Of some maps those by which one opens: each with all that belong to its place, itself first.

    That is the one on which heroes begin, before others the one with a story. Nothing is read but the files' text.
    """
    known = list(dict.fromkeys(paths))
    texts = {path: _text(path) for path in known}
    by_name = {(path.parent, path.stem): path for path in known}
    beside: dict[Path, set[Path]] = {path: set() for path in known}
    for path in known:
        for name in _LINK.findall(texts[path]):
            there = by_name.get((path.parent, name.strip().removesuffix(".tmx")))
            if there is not None and there != path:
                beside[path].add(there)
                beside[there].add(path)

    def rank(path: Path) -> tuple[bool, bool, int]:
        said = texts[path]
        return 'value="heroes"' not in said, 'name="story"' not in said, known.index(path)

    found: dict[Path, list[Path]] = {}
    seen = set[Path]()
    for path in known:
        if path in seen:
            continue
        group = [path]
        for each in group:
            group += [other for other in known if other in beside[each] and other not in group]
        seen.update(group)
        group.sort(key=rank)
        found[group[0]] = group
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace") if path.stat().st_size <= _LARGEST_GLANCE else ""
    except OSError:
        return ""


# -- the ground of a record


def ground_of(source: records.MapModel, find: Callable[[str], Path]) -> tuple[Field, LoadedMap | None]:
    """The field of a record's map, or place of maps, and what its files say beside; doors as the maps have them.

    `find` gives the file of a map by its name in the record. Raises RecordError or MapProblem in one line.
    """
    if source.tmx is not None:
        if source.rows is not None:
            raise RecordError("map: either tmx or rows, not both")
        loaded = load_map(find(source.tmx))
        return loaded.field, loaded
    files = [part.tmx for part in source.place or () if part.tmx is not None]
    if not files:
        return field_of(source.model_copy(update={"doors": None})), None
    maps: list[LoadedMap] = []
    home: Path | None = None
    for n, part in enumerate(source.place or ()):
        if part.tmx is None:
            maps.append(_drawn(sketch(source, n)))
            continue
        # another folder may have a map of the same name, and come first
        beside = home.parent / Path(part.tmx).name if home is not None else None
        alike = beside is not None and Path(part.tmx).parent == Path(files[0]).parent and beside.is_file()
        maps.append(load_map(beside if beside is not None and alike else find(part.tmx)))
        home = home or maps[-1].path
        _check_rows(maps)
    whole = joined(maps, source)
    return whole.field, whole


def _drawn(field: Field) -> LoadedMap:
    """A map of a record's rows, which says nothing but its ground."""
    return LoadedMap(
        Path(field.title), field, field.title, field.ambient, ruleset_hints={}, spawns=(), creatures=(), chests=(),
        traps=(), notes=(), regions=(), exits=(), others=(), layers=(), tiles=(),
        materials=("",) * (field.width * field.height), props=(), roof=frozenset(), tile_size=(64, 64), foreign=False,
        sketch=True,
    )  # fmt: skip
