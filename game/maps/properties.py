"""Custom properties, flattened: classes and lists become ``stats.hp`` and ``loot.0``, with the project's defaults."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from game.maps import limits
from game.maps.folder import Folder, project_of
from game.maps.limits import Place, truth
from game.maps.mapdata import Value, shown
from rules.contract.text import Text, text

Flat = dict[str, Value]
_MAX_NESTING = 8
_FLAGS = 64
"""Most names of an enum whose values are added up …"""
_LONGEST = 1_000
"""… and how many characters they may come to."""


@dataclass(slots=True)
class _Class:
    """A class with all its members flattened; ``depth`` is how many classes lie within each other."""

    members: Flat
    depth: int = 0


@dataclass(slots=True)
class Project:
    """The classes and enums that a ``.tiled-project`` declares; counts the properties that a map comes to have.

    A class is flattened when it is first asked for, once, and within bounds: eight members of a class that has
    eight members and so on are soon more than any machine holds.
    """

    place: Place
    enums: dict[str, tuple[tuple[str, ...], bool]] = field(default_factory=dict)
    raw: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    _classes: dict[str, _Class] = field(default_factory=dict)
    _flattened: int = 0
    _given: int = 0

    def defaults(self, name: str) -> Flat:
        """The flattened members of class ``name`` with their default values, not to be altered. Raises MapProblem."""
        return self._class(name, ()).members

    def named(self, enum: str, value: Value) -> Value:
        """An enum's value by its name, where the map stores it as a number."""
        if enum not in self.enums or not isinstance(value, int) or isinstance(value, bool):
            return value
        names, flags = self.enums[enum]
        if flags:
            text = ",".join(name for bit, name in enumerate(names[:_FLAGS]) if value >> bit & 1)
            if len(text) > _LONGEST:
                raise self.place.problem(
                    Text.of(
                        "the names of enum {enum} are together longer than {longest} characters; shorten them",
                        enum=shown(enum),
                        longest=_LONGEST,
                    )
                )
            return text
        return names[value] if 0 <= value < len(names) else value

    def give(self, flat: Mapping[str, Value], place: Place) -> None:
        """Count the properties that an object, a layer or a property of a class comes to have. Raises MapProblem."""
        self._given += len(flat)
        if self._given > limits.MAX_PROPERTIES:
            raise place.problem(
                text(
                    (
                        "brings the map beyond {max_properties} properties, those of classes counted for each that "
                        "has the class; use fewer members or objects"
                    ),
                    max_properties=limits.MAX_PROPERTIES,
                )
            )

    def _class(self, name: str, around: tuple[str, ...]) -> _Class:
        known = self._classes.get(name)
        if known is None:
            known = _Class({})
            if name in self.raw and name not in around:
                self._flatten(name, known, (*around, name))
                self._classes[name] = known
        return known

    def _flatten(self, name: str, into: _Class, around: tuple[str, ...]) -> None:
        """All members of a class; one of a class that it lies in itself has none."""
        for member in self.raw[name]:
            key, kind = str(member.get("name", "")), str(member.get("propertyType", ""))
            if member.get("type") == "class":
                inner = self._class(kind, around) if len(around) <= _MAX_NESTING else _Class({}, _MAX_NESTING)
                into.depth = max(into.depth, inner.depth + 1)
                if into.depth > _MAX_NESTING:
                    raise self.place.problem(
                        text(
                            "class {name} nests classes too deeply; {max_nesting} levels are the most",
                            name=shown(name),
                            max_nesting=_MAX_NESTING,
                        )
                    )
                for inner_key, value in inner.members.items():
                    self._add(name, into, f"{key}.{inner_key}", value)
            for inner_key, value in _json_values(key, member.get("value"), 0):
                self._add(name, into, inner_key, self.named(kind, value))

    def _add(self, name: str, into: _Class, key: str, value: Value) -> None:
        self._flattened += 1
        if len(key) > limits.MAX_NAME:
            raise self.place.problem(
                text(
                    "class {name} has a member with a name of more than {max_name} characters; shorten it",
                    name=shown(name),
                    max_name=limits.MAX_NAME,
                )
            )
        into.members[key] = value
        if len(into.members) > limits.MAX_MEMBERS or self._flattened > limits.MAX_PROPERTIES:
            raise self.place.problem(
                text(
                    "class {name} has too many members, those of the classes within it counted; {max_members} "
                    "are the most",
                    name=shown(name),
                    max_members=limits.MAX_MEMBERS,
                )
            )


def read_project(folder: Folder, start: Path) -> Project:
    """The project beside the map or in a folder above it, up to the folder's root; an empty one if there is none."""
    found = project_of(start, folder.root)
    if found is None:
        return Project(Place(""))
    place = Place(found.name)
    path = folder.find(found.parent, found.name, place)
    return _project(folder.json(path, place, limits.MAX_PROJECT_BYTES), place)


def _project(data: Any, place: Place) -> Project:
    types = data.get("propertyTypes", []) if isinstance(data, dict) else None
    if not isinstance(types, list) or not all(isinstance(each, dict) for each in types):
        raise place.problem("propertyTypes must be a list of classes and enums; save the project again in Tiled")
    project = Project(place)
    for each in types:
        name = str(each.get("name", ""))
        if each.get("type") == "enum":
            values = each.get("values", [])
            if isinstance(values, list):
                project.enums[name] = (tuple(str(v) for v in values), bool(each.get("valuesAsFlags")))
        elif each.get("type") == "class":
            members = each.get("members", [])
            project.raw[name] = [m for m in members if isinstance(m, dict)] if isinstance(members, list) else []
    return project


def _json_values(key: str, value: Any, depth: int) -> Iterator[tuple[str, Value]]:
    """A JSON value by its flattened names."""
    if isinstance(value, (str, bool, int, float)):
        yield key, value
    elif depth <= _MAX_NESTING and isinstance(value, dict):
        if "value" in value and "type" in value:
            yield from _json_values(key, value["value"], depth + 1)
            return
        for inner, each in value.items():
            yield from _json_values(f"{key}.{inner}", each, depth + 1)
    elif depth <= _MAX_NESTING and isinstance(value, list):
        for place, each in enumerate(value):
            yield from _json_values(f"{key}.{place}", each, depth + 1)


def flatten(node: Element, project: Project, place: Place) -> Flat:
    """The properties of an element, nested ones by dotted names, the last of a name wins."""
    flat: Flat = {}
    for group in node.findall("properties"):
        for each in group.findall("property"):
            name = each.get("name")
            if not name:
                raise place.problem("has a property without a name; give it one in Tiled")
            _one(each, name, flat, project, place=place, depth=0)
    return flat


def _one(node: Element, name: str, flat: Flat, project: Project, *, place: Place, depth: int) -> None:
    if depth > _MAX_NESTING:
        raise place.problem(
            text(
                "property {name} is nested too deeply; {max_nesting} levels are the most",
                name=shown(name),
                max_nesting=_MAX_NESTING,
            )
        )
    if len(name) > limits.MAX_NAME:
        raise place.problem(
            text(
                "property {name} has a name of more than {max_name} characters; shorten it",
                name=shown(name),
                max_name=limits.MAX_NAME,
            )
        )
    kind, custom = node.get("type", "string"), node.get("propertytype", "")
    if kind == "class":
        members = project.defaults(custom)
        project.give(members, place)
        for key, value in members.items():
            flat[f"{name}.{key}"] = value
        for group in node.findall("properties"):
            for each in group.findall("property"):
                _one(each, f"{name}.{each.get('name', '')}", flat, project, place=place, depth=depth + 1)
        return
    if kind == "list":
        items = [each for each in node if each.tag in ("item", "property")]
        for index, each in enumerate(items):
            _one(each, f"{name}.{index}", flat, project, place=place, depth=depth + 1)
        return
    raw = node.get("value")
    if raw is None:
        raw = node.text or ""
    flat[name] = project.named(custom, _value(raw, kind, name, place))


def _value(raw: str, kind: str, name: str, place: Place) -> Value:
    if len(raw) > limits.MAX_TEXT:
        raise place.problem(
            text(
                "property {name} is longer than {max_text} characters; shorten it",
                name=shown(name),
                max_text=limits.MAX_TEXT,
            )
        )
    try:
        if kind in ("int", "object"):
            return int(raw or "0") if len(raw) < 20 else int("x")
        if kind == "float":
            value = float(raw or "0")
            return value if math.isfinite(value) else float("x")
        if kind == "bool":
            yes = truth(raw) if raw else False
            return yes if yes is not None else int("x")
    except ValueError:
        need = {"bool": "true or false", "float": "a number"}.get(kind, "a whole number")
        raise place.problem(
            text("property {name} is {raw}; {need} is needed", name=shown(name), raw=shown(raw), need=need)
        ) from None
    return raw


def attach(node: Element, flat: Mapping[str, Value]) -> None:
    """Write flattened properties under an element, in the types that pytmx knows."""
    if not flat:
        return
    group = SubElement(node, "properties")
    for name, value in flat.items():
        kind = {bool: "bool", int: "int", float: "float"}.get(type(value))
        text = ("true" if value else "false") if isinstance(value, bool) else str(value)
        attributes = {"name": name, "value": text}
        if kind:
            attributes["type"] = kind
        SubElement(group, "property", attributes)
