"""What comes in `assets/content/<ruleset>/`: gear tables, ready heroes and the bestiary, read late and once.

Every `*.toml` there holds one kind of entry as an array of tables: `[[creature]]` in heroes.toml and monsters.toml,
anything else (`[[weapon]]`, `[[shield]]` …) is a table of the ruleset's. The ruleset's own models judge the entries:
`CONTENT` in `rules/<ruleset>/content.py`.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from game import paths
from rules.contract.errors import BattlematError, said
from rules.contract.text import joined, text
from rules.core.registry import RULESETS, content_models, ruleset
from rules.core.tables import Tables
from rules.core.validate import nearest, told

KEPT = 64
"""Texts kept at most; the oldest go."""


def parsed(text: str) -> dict[str, Any]:
    """What a TOML text says. Raises ValueError (`tomllib.TOMLDecodeError`) for one that is none."""
    place = paths.user_path("cache", "toml", f"{sha256(text.encode()).hexdigest()}.json")
    with contextlib.suppress(OSError, msgspec.DecodeError):
        known = msgspec.json.decode(place.read_bytes())
        if isinstance(known, dict):
            return known
    import tomllib  # start-up time: what was read once is kept as JSON

    found = tomllib.loads(text)
    with contextlib.suppress(OSError):
        _keep(found, place)
    return found


def _keep(found: dict[str, Any], place: Path) -> None:
    """Write it down whole or not at all, if JSON has words for all that it says."""
    data = msgspec.json.encode(found)
    if msgspec.json.decode(data) != found:
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    draft = place.with_suffix(f".{os.getpid()}")
    draft.write_bytes(data)
    os.replace(draft, place)
    old = sorted(place.parent.iterdir(), key=lambda each: each.stat().st_mtime, reverse=True)[KEPT:]
    for each in old:
        each.unlink(missing_ok=True)


Entry = dict[str, Any]
Plain = TypeVar("Plain")

_PARTIES = ("heroes", "monsters")
_OWN = (*_PARTIES, "themes")
"""Files that every ruleset's content may have; all others are gear tables."""
PLACE: Mapping[str, Any] = {"side": "nobody", "at": (0, 0)}
"""What a template leaves open and a stat block in a fight must say."""
_GROUPS = ("stats", "skills")


class ContentError(BattlematError):
    """A content file, or a name looked up in one, that is wrong; the text names file, entry and field."""


class Theme(BaseModel):
    """Who lives where: maps that one of the words fits are filled with these foes (template names)."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    name: str = Field(min_length=1)
    words: tuple[str, ...]
    """Looked for in the map's hint, title and file name; a theme without words fits every map."""
    foes: tuple[str, ...] = Field(min_length=1)


FOLDERS: dict[str, Path] = {}
"""Where the content of rulesets lies that don't come with Battlemat: id -> folder."""


# -- what the rest of the program asks for --------------------------------------------------------------


def tables(ruleset_id: str) -> dict[str, list[Entry]]:
    """The ruleset's gear tables as plain data for `Scenario.content`: `{"weapons": [...], "shields": [...]}`.

    Raises ContentError for an unknown ruleset or a faulty file.
    """
    ruleset_id = exact(ruleset_id)
    return {name: _own(_gear(ruleset_id, name)) for name in _gear_files(ruleset_id)}


def hoards() -> dict[str, list[tuple[str, int]]]:
    """The treasures of every ruleset: its title -> themes and tiers of what `treasure:THEME:TIER` may name."""
    return {
        ruleset(name).title: [(str(each["theme"]), int(each["tier"])) for each in Shelf(name).get("treasure", ())]
        for name in RULESETS
    }


@functools.cache
def known(ruleset_id: str) -> Tables:
    """The tables of a name that `exact` has made, for fights that begin with them over and over; nobody changes them.
    Raises ContentError as `Shelf` does."""
    return Tables(Shelf(ruleset_id))


class Shelf(Mapping[str, list[Entry]]):
    """`tables`, each read when it is first asked for. Raises ContentError then, for an unknown ruleset at once."""

    def __init__(self, ruleset_id: str) -> None:
        self._ruleset = ruleset_id = exact(ruleset_id)
        self._names = _gear_files(ruleset_id)

    def __getitem__(self, name: str) -> list[Entry]:
        if name not in self._names:
            raise KeyError(name)
        return _own(_gear(self._ruleset, name))

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def heroes(ruleset_id: str) -> dict[str, Entry]:
    """The ready heroes by template name, in the file's order. Raises ContentError."""
    return _own(_creatures(exact(ruleset_id), "heroes"))


def monsters(ruleset_id: str) -> dict[str, Entry]:
    """The bestiary by template name, in the file's order. Raises ContentError."""
    return _own(_creatures(exact(ruleset_id), "monsters"))


def template(ruleset_id: str, name: str) -> Entry:
    """One hero or monster as plain data, with `template` = its name. Raises ContentError for an unknown name."""
    ruleset_id = exact(ruleset_id)
    known = {each: party for party in _PARTIES for each in _named(ruleset_id, party)}
    if name not in known:
        wrong = "template: nothing in the content of {ruleset_id} is called {name}; {known}"
        raise ContentError(wrong, repr(_base(ruleset_id)), repr(name), _nearest(name, known))
    return _own(_creature(ruleset_id, known[name], name))


def models(ruleset_id: str) -> Iterator[tuple[Path, str, type[BaseModel]]]:
    """Each content file of a ruleset, the kind of entry in it, and the model that judges it. Raises ContentError."""
    for path in sorted(_folder(ruleset_id).glob("*.toml")):
        kind = _kind(read_table(path), path)
        model: type[BaseModel] | None = Theme
        if path.stem != "themes":
            own = content_models(ruleset_id)
            model = own.creature if kind == "creature" else own.entries.get(kind)
        if model is not None:
            yield path, kind, model


def merge(template: Mapping[str, Any], overrides: Mapping[str, Any]) -> Entry:
    """A template with overrides: what the overrides say, they say wholly.

    Names with a dot, as maps give them, change one member: `stats.hp`, `skills.Swords`, `weapons.0`.
    Raises ContentError for a dotted name that fits nothing.
    """
    merged = copy.deepcopy(dict(template))
    merged |= copy.deepcopy({name: value for name, value in overrides.items() if "." not in name})
    for name, value in overrides.items():
        head, dot, member = name.partition(".")
        target = merged.get(head)
        if not dot:
            continue
        if head == "stats":
            merged[member] = value
        elif isinstance(target, list) and member.isdigit() and int(member) <= len(target):
            target[int(member) : int(member) + 1] = [value]
        elif isinstance(target, dict) or head in _GROUPS:
            merged[head] = {**(target or {}), member: value}
        else:
            wrong = "override {name}: the template has no {head} with members to change"
            raise ContentError(wrong, repr(name), repr(head))
    return merged


def _own(value: Plain) -> Plain:
    """A copy of what a TOML text says, as deep as it goes; by way of bytes, many times as fast as `copy.deepcopy`."""
    return cast(Plain, msgspec.msgpack.decode(msgspec.msgpack.encode(value)))


# -- reading and judging --------------------------------------------------------------------------------


@functools.cache
def _named(ruleset_id: str, party: str) -> dict[str, Entry]:
    """The creatures of one file by template name, as they stand there."""
    path = _folder(ruleset_id) / f"{party}.toml"
    found: dict[str, Entry] = {}
    others = {} if party == _PARTIES[0] else _named(ruleset_id, _PARTIES[0])
    for entry in _only(ruleset_id, party, "creature"):
        name = _name(path, "creature", "id", entry, found)
        if name in others:
            wrong = "{name}: creature {name2}: id: a hero of {parties}.toml is called so"
            raise ContentError(wrong, path.name, repr(name), _PARTIES[0])
        found[name] = entry
    return found


@functools.cache
def _creature(ruleset_id: str, party: str, name: str) -> Entry:
    path = _folder(ruleset_id) / f"{party}.toml"
    entry = _named(ruleset_id, party)[name]
    _judge(path, "creature", name, {**PLACE, **entry}, content_models(_base(ruleset_id)).creature)
    for table in _gear_files(ruleset_id):  # `weapons` or `shield` name entries of the like-named file
        for field in {table, table.removesuffix("s")}:
            where = {"file": path.name, "kind": "creature", "entry": entry["id"], "field": field}
            _check_named(ruleset_id, (table,), entry.get(field), **where)
    tempers, wanted = _tempers(), entry.get("temperament")
    if tempers and isinstance(wanted, str) and wanted not in tempers:
        wrong = "{name}: creature {entry}: temperament: nothing in weights.toml is called {wanted}; {tempers}"
        raise ContentError(wrong, path.name, repr(entry["id"]), repr(wanted), _nearest(wanted, tempers))
    return {"template": name, **{key: value for key, value in entry.items() if key != "id"}}


def _creatures(ruleset_id: str, party: str) -> dict[str, Entry]:
    return {name: _creature(ruleset_id, party, name) for name in _named(ruleset_id, party)}


def themes(ruleset_id: str) -> tuple[Theme, ...]:
    """Who lives where, in the file's order. Raises ContentError."""
    return _themes(exact(ruleset_id))


@functools.cache
def _themes(ruleset_id: str) -> tuple[Theme, ...]:
    path = _folder(ruleset_id) / "themes.toml"
    known = _creatures(ruleset_id, "monsters")
    found: dict[str, Entry] = {}
    for entry in _only(ruleset_id, "themes", "theme"):
        name = _name(path, "theme", "name", entry, found)
        _judge(path, "theme", name, entry, Theme)
        found[name] = entry
        for foe in entry["foes"]:
            if foe not in known:
                wrong = "{name}: theme {entry}: foes: no monster {foe}; {known}"
                raise ContentError(wrong, path.name, repr(entry["name"]), repr(foe), _nearest(foe, known))
    return tuple(Theme.model_validate(entry) for entry in found.values())


@functools.cache
def _gear(ruleset_id: str, table: str) -> list[Entry]:
    """The entries of one gear file, in the file's order."""
    path = _folder(ruleset_id) / f"{table}.toml"
    document = _document(ruleset_id, table)
    kind = _kind(document, path)
    model = content_models(_base(ruleset_id)).entries.get(kind)
    if model is None:
        wrong = "{name}: [[{kind}]]: the ruleset {ruleset_id} has no such kind of entry"
        raise ContentError(wrong, path.name, kind, repr(ruleset_id))
    seen: dict[str, Entry] = {}
    entries = _entries(path, kind, document)
    for entry in entries:
        name = _name(path, kind, "name", entry, seen)
        _judge(path, kind, name, entry, model)
        seen[name] = entry
    _check_links(ruleset_id, path, kind, entries)
    return entries


def _base(ruleset_id: str) -> str:
    """The ruleset of a name that `exact` has made."""
    return ruleset_id.partition("+")[0]


def exact(ruleset_id: str, packs: Mapping[str, str] | None = None) -> str:
    """A ruleset's content with exactly these packs (left out: those that are on), as a name for all functions here."""
    if "+" in ruleset_id:
        return ruleset_id
    chosen = paths.packs_on() if packs is None else packs
    if not chosen:
        return ruleset_id if packs is None else f"{ruleset_id}+"
    return "+".join((ruleset_id, *(f"{name}@{chosen[name]}" for name in sorted(chosen))))


def with_needed(ruleset_id: str, needs: Mapping[str, str]) -> str:
    """The content of a record that says which packs it needs. Raises ContentError in one line where one isn't on."""
    on = paths.packs_on()
    for name, version in sorted(needs.items()):
        if on.get(name) == version:
            continue
        there = paths.user_path("packs", name).is_dir()
        wrong = "needs: the pack {name} {version} is not there; add it (docs/packs.md)"
        if there and name not in on:
            wrong = "needs: the pack {name} {version} is switched off; switch it on in the settings, under Packs"
        elif there:
            wrong = "needs: the pack {name} {version}, and another version of it is here: {other}"
        raise ContentError(wrong, name=name, version=version, other=on.get(name, ""))
    return exact(ruleset_id, needs)


def forget() -> None:
    """Read content anew: a pack has changed."""
    for cached in (_named, _creature, _themes, _gear, names_of, known):
        cached.cache_clear()


def _documents(ruleset_id: str, stem: str) -> Iterator[tuple[Path, Entry]]:
    """What the packs of a name say under one of its files, in the order of their ids."""
    base, _, parts = ruleset_id.partition("+")
    for part in filter(None, parts.split("+")):
        path = paths.user_path("packs", part.partition("@")[0], base, f"{stem}.toml")
        if path.is_file():
            yield path, read_table(path)


def _document(ruleset_id: str, stem: str) -> Entry:
    """A content file with what packs add to it. Raises ContentError."""
    path = _folder(ruleset_id) / f"{stem}.toml"
    found = read_table(path)
    for where, more in _documents(ruleset_id, stem):
        kind = _kind(found, path)
        if set(more) != {kind}:
            raise ContentError("{name}: only [[{kind}]] entries belong here", where.name, kind)
        found = {kind: [*found[kind], *_entries(where, kind, more)]}
    return found


def files(ruleset_id: str) -> list[str]:
    """The content files that a ruleset has, without their ending."""
    return sorted(path.stem for path in _folder(ruleset_id).glob("*.toml"))


@functools.cache
def names_of(ruleset_id: str, part: str) -> Mapping[str, Entry]:
    """What a pack (`id@version`) brings to a ruleset: names and ids -> entries."""
    found: dict[str, Entry] = {}
    for stem in files(ruleset_id):
        for _, document in _documents(f"{_base(ruleset_id)}+{part}", stem):
            for entries in document.values():
                for entry in entries if isinstance(entries, list) else []:
                    if isinstance(entry, dict):
                        found[str(entry.get("id", entry.get("name", "")))] = entry
    return found


def _folder(ruleset_id: str) -> Path:
    ruleset_id = _base(ruleset_id)
    if ruleset_id in FOLDERS:
        return FOLDERS[ruleset_id]
    root = paths.asset("content")
    known = sorted(path.name for path in root.iterdir() if path.is_dir()) if root.is_dir() else []
    if ruleset_id not in known:
        wrong = "ruleset: there is no content for {ruleset_id}; there is: {what}"
        raise ContentError(wrong, repr(ruleset_id), joined(", ", known) or "none")
    return root / ruleset_id


def read_table(path: Path) -> Entry:
    """A content file as it stands. Raises ContentError where it is missing or no TOML."""
    try:
        return parsed(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ContentError("{name}: the file is missing from {name2}'s content", path.name, path.parent.name) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ContentError("{name}: cannot be read ({error})", path.name, said(error)) from None
    except ValueError as error:
        raise ContentError("{name}: is no valid TOML: {error}", path.name, said(error)) from None


def _kind(document: Entry, path: Path) -> str:
    if len(document) != 1:
        wrong = "{name}: holds {document} kinds of entries; one array of tables is right"
        raise ContentError(wrong, path.name, len(document))
    return next(iter(document))


def _entries(path: Path, kind: str, document: Entry) -> list[Entry]:
    entries = document.get(kind)
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise ContentError("{name}: has no [[{kind}]] entries", path.name, kind)
    return entries


def _only(ruleset_id: str, stem: str, kind: str) -> list[Entry]:
    """The entries of a file that holds no other kind."""
    path = _folder(ruleset_id) / f"{stem}.toml"
    document = _document(ruleset_id, stem)
    for other in document:
        if other != kind:
            raise ContentError("{name}: [[{other}]]: only [[{kind}]] entries belong here", path.name, other, kind)
    return _entries(path, kind, document)


def _name(path: Path, kind: str, key: str, entry: Entry, seen: Mapping[str, Entry]) -> str:
    """An entry's name, none of those seen before. Raises ContentError: file, entry, why."""
    name = entry.get(key)
    if not isinstance(name, str) or not name:
        wrong = "{name}: {kind} number {what}: {key}: a name is missing"
        raise ContentError(wrong, path.name, kind, len(seen) + 1, key)
    if name in seen:
        wrong = "{name}: {kind} {name2}: {key}: there are two of that name"
        raise ContentError(wrong, path.name, kind, repr(name), key)
    return name


def _judge(path: Path, kind: str, name: str, entry: Entry, model: type[BaseModel] | None) -> None:
    """Validate one entry. Raises ContentError: file, entry, field, why."""
    try:
        if model is not None:
            model.model_validate(entry)
    except ValidationError as error:
        wrong = "{name}: {kind} {name2}: {told}"
        raise ContentError(wrong, path.name, kind, repr(name), told(error.errors()[0])) from None


def _check_links(ruleset_id: str, path: Path, kind: str, entries: Iterable[Entry]) -> None:
    """What an entry names in other tables (`ContentModels.links`, `apart`) must stand there."""
    models_of_it = content_models(_base(ruleset_id))
    if apart := models_of_it.apart.get(kind):
        taken = {each["name"] for each in _gear(ruleset_id, apart)}
        for entry in entries:
            if entry["name"] in taken:
                wrong = "{name}: {kind} {entry}: name: an entry of {apart}.toml is called so"
                raise ContentError(wrong, path.name, kind, repr(entry["name"]), apart)
    for field, tables_of_it in models_of_it.links.get(kind, ()):
        for entry in entries:
            named: Any = entry
            for part in field.split("."):
                named = named.get(part) if isinstance(named, dict) else None
            where = {"file": path.name, "kind": kind, "entry": entry["name"], "field": field}
            _check_named(ruleset_id, tables_of_it, named, **where)


def _check_named(
    ruleset_id: str, tables_of_it: Sequence[str], value: Any, *, file: str, kind: str, entry: str, field: str
) -> None:
    """Whatever a field names must stand in one of these tables."""
    for name in value if isinstance(value, list) else [] if value is None else [value]:
        known = [each["name"] for table in tables_of_it for each in _gear(ruleset_id, table)]
        if name not in known:
            files = joined(" or ", (f"{table}.toml" for table in tables_of_it))
            wrong = "{name}: {kind} {entry}: {field}: nothing in {join} is called {name2}; {known}"
            raise ContentError(wrong, file, kind, repr(entry), field, files, repr(name), _nearest(str(name), known))


@functools.cache
def _tempers() -> tuple[str, ...]:
    path = paths.asset("ai", "weights.toml")
    found = read_table(path).get("temperament") if path.is_file() else None
    return tuple(found) if isinstance(found, dict) else ()


def _gear_files(ruleset_id: str) -> list[str]:
    return sorted(path.stem for path in _folder(ruleset_id).glob("*.toml") if path.stem not in _OWN)


def _nearest(name: str, known: Iterable[str]) -> str:
    names = list(known)
    near = nearest(name, names)
    return text("did you mean {near}?", repr(near)) if near else text("known are: {join}", joined(", ", sorted(names)))
