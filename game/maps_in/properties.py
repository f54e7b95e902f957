"""Custom properties, flattened: classes and lists become ``stats.hp`` and ``loot.0``, with the project's defaults."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from game.mapdata import Value
from game.maps_in import limits
from game.maps_in.folder import Folder
from game.maps_in.limits import Place, truth
from game.maps_in.lines import shown

Flat = dict[str, Value]
_MAX_NESTING = 8


@dataclass(slots=True)
class Project:
    """The classes and enums that a ``.tiled-project`` declares."""

    classes: dict[str, Flat] = field(default_factory=dict)
    enums: dict[str, tuple[tuple[str, ...], bool]] = field(default_factory=dict)

    def defaults(self, name: str) -> Flat:
        """The flattened members of class ``name`` with their default values."""
        return self.classes.get(name, {})

    def named(self, enum: str, value: Value) -> Value:
        """An enum's value by its name, where the map stores it as a number."""
        if enum not in self.enums or not isinstance(value, int) or isinstance(value, bool):
            return value
        names, flags = self.enums[enum]
        if flags:
            return ",".join(name for bit, name in enumerate(names) if value >> bit & 1)
        return names[value] if 0 <= value < len(names) else value


def read_project(folder: Folder, start: Path) -> Project:
    """The project beside the map or in a folder above it, up to the folder's root; an empty one if there is none."""
    here = start
    while here.is_relative_to(folder.root):
        found = sorted(here.glob("*.tiled-project"))
        if found:
            place = Place(found[0].name)
            return _project(folder.json(folder.find(here, found[0].name, place), place), place)
        if here == here.parent:
            break
        here = here.parent
    return Project()


def _project(data: Any, place: Place) -> Project:
    types = data.get("propertyTypes", []) if isinstance(data, dict) else None
    if not isinstance(types, list) or not all(isinstance(each, dict) for each in types):
        raise place.problem(
            "propertyTypes must be a list of classes and enums; save the project again in Tiled"
        )
    project = Project()
    raw: dict[str, list[Any]] = {}
    for each in types:
        name = str(each.get("name", ""))
        if each.get("type") == "enum":
            values = each.get("values", [])
            if isinstance(values, list):
                project.enums[name] = (tuple(str(v) for v in values), bool(each.get("valuesAsFlags")))
        elif each.get("type") == "class":
            members = each.get("members", [])
            raw[name] = [m for m in members if isinstance(m, dict)] if isinstance(members, list) else []
    for name in raw:
        project.classes[name] = dict(_members(name, raw, project, 0))
    return project


def _members(
    name: str, raw: Mapping[str, list[Any]], project: Project, depth: int
) -> Iterator[tuple[str, Value]]:
    if depth > _MAX_NESTING:
        return
    for member in raw.get(name, []):
        key, kind = str(member.get("name", "")), str(member.get("propertyType", ""))
        value = member.get("value")
        if member.get("type") == "class":
            for inner, default in _members(kind, raw, project, depth + 1):
                yield f"{key}.{inner}", default
        yield from ((k, project.named(kind, v)) for k, v in _json_values(key, value, depth))


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
            _one(each, name, flat, project, place, 0)
    return flat


def _one(node: Element, name: str, flat: Flat, project: Project, place: Place, depth: int) -> None:
    if depth > _MAX_NESTING:
        raise place.problem(
            f"property {shown(name)} is nested too deeply; {_MAX_NESTING} levels are the most"
        )
    kind, custom = node.get("type", "string"), node.get("propertytype", "")
    if kind == "class":
        for key, value in project.defaults(custom).items():
            flat[f"{name}.{key}"] = value
        for group in node.findall("properties"):
            for each in group.findall("property"):
                _one(each, f"{name}.{each.get('name', '')}", flat, project, place, depth + 1)
        return
    if kind == "list":
        items = [each for each in node.iter() if each.tag in ("item", "property") and each in list(node)]
        for index, each in enumerate(items):
            _one(each, f"{name}.{index}", flat, project, place, depth + 1)
        return
    raw = node.get("value")
    if raw is None:
        raw = node.text or ""
    flat[name] = project.named(custom, _value(raw, kind, name, place))


def _value(raw: str, kind: str, name: str, place: Place) -> Value:
    if len(raw) > limits.MAX_TEXT:
        raise place.problem(f"property {shown(name)} is longer than {limits.MAX_TEXT} characters; shorten it")
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
        raise place.problem(f"property {shown(name)} is {shown(raw)}; {need} is needed") from None
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
