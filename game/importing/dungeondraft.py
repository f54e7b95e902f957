"""Maps of Dungeondraft (`.dungeondraft_map`): JSON with the values of its engine as text, 256 pixels a space."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from game.importing import lines, loose
from game.importing.drawn import Drawing, Opening, ambient_of, planned
from game.importing.lines import Leaf, Line
from game.importing.plan import ImportProblem, Plan, PlanLight, PlanNote
from rules.contract.text import text

FORMAT = "dungeondraft"
PIXELS = 256
"""Of a space, whatever the map's size."""
_VECTOR = re.compile(r"Vector2\(\s*([-+.\deE]+)\s*,\s*([-+.\deE]+)\s*\)")
_ARRAY = re.compile(r"PoolVector2Array\(([^)]*)\)")


def fits(document: Any) -> bool:
    """Whether a JSON document is one of these."""
    world = document.get("world") if isinstance(document, Mapping) else None
    return isinstance(world, Mapping) and isinstance(world.get("levels"), Mapping)


def read(document: Mapping[str, Any], name: str) -> Plan:
    """The plan of a map's first level that has walls. Raises ImportProblem where it has no size."""
    world = document["world"]
    size = loose.number(world.get("width")), loose.number(world.get("height"))
    if size[0] is None or size[1] is None:
        raise ImportProblem("{name}: world.width and world.height are missing; save it again in Dungeondraft", name)
    levels = {key: level for key, level in sorted(world["levels"].items(), key=lambda pair: _rank(pair[0]))
              if isinstance(level, Mapping)}  # fmt: skip
    if not levels:
        raise ImportProblem("{name}: has no level; save it again in Dungeondraft", name)
    chosen = _chosen(document, levels)
    drawing = Drawing(FORMAT, name, size[0], size[1], title=loose.words(levels[chosen].get("label"))[:80])
    if len(levels) > 1:
        told = "it has {count} levels: this is {level}; export the others one by one"
        drawing.parts.tell(text(told, len(levels), loose.words(levels[chosen].get("label"))[:40] or chosen))
    level = levels[chosen]
    _walls(drawing, level)
    drawing.openings += _portals(drawing, level.get("portals"))
    drawing.lights = list(_lights(drawing, level.get("lights")))
    drawing.notes = list(_texts(drawing, level.get("texts")))
    environment = level.get("environment")
    if isinstance(environment, Mapping) and environment.get("baked_lighting") is not True:
        drawing.ambient = ambient_of(environment.get("ambient_light"))
    cave = level.get("cave")
    if (
        isinstance(cave, Mapping)
        and "bitmap" in cave
        and any(letter in "123456789" for letter in str(cave["bitmap"])[:20_000])
    ):
        drawing.parts.tell("its cave walls are painted and can't be read: export it as Universal VTT to have them")
    drawing.parts.tell("its picture is not in the file: export it as Universal VTT to have it")
    return planned(drawing)


def _rank(key: object) -> tuple[int, str]:
    """The order of levels: as numbers."""
    word = str(key)
    return (int(word), "") if word.lstrip("-").isdigit() and len(word) < 9 else (1_000_000, word)


def _chosen(document: Mapping[str, Any], levels: Mapping[str, Mapping[str, Any]]) -> str:
    """The level at which the editor was left, if it has walls; else the first that has some; else the first."""
    walled = [key for key, level in levels.items() if level.get("walls") or level.get("shapes")]
    header = document.get("header")
    state = header.get("editor_state") if isinstance(header, Mapping) else None
    left = loose.number(state.get("current_level")) if isinstance(state, Mapping) else None
    at = str(int(left)) if left is not None else ""
    return at if at in walled else (walled or list(levels))[0]


def vector(value: Any) -> tuple[float, float] | None:
    """`Vector2( x, y )` in spaces; None for anything else."""
    found = _VECTOR.fullmatch(value.strip()) if isinstance(value, str) and len(value) < 200 else None
    x, y = (loose.number(part) for part in found.groups()) if found is not None else (None, None)
    return None if x is None or y is None else (x / PIXELS, y / PIXELS)


def array(value: Any) -> list[tuple[float, float]]:
    """`PoolVector2Array( x, y, … )` in spaces; none for anything else."""
    found = _ARRAY.fullmatch(value.strip()) if isinstance(value, str) else None
    numbers = [loose.number(part.strip()) for part in found.group(1).split(",")] if found is not None else []
    pairs = zip(numbers[::2], numbers[1::2], strict=False)
    return [(x / PIXELS, y / PIXELS) for x, y in pairs if x is not None and y is not None]


def _walls(drawing: Drawing, level: Mapping[str, Any]) -> None:
    """Walls with the portals in them, each wall cut where one stands."""
    for wall in drawing.parts.listed(level.get("walls"), "wall", 20_000):
        points = array(wall.get("points")) if isinstance(wall, Mapping) else []
        if len(points) < 2:
            drawing.parts.skip("wall")
            continue
        if wall.get("loop") is True:
            points.append(points[0])
        drawing.walls += [Line(*first, *last) for first, last in pairwise(points) if first != last]
        drawing.openings += _portals(drawing, wall.get("portals"))
        if len(drawing.walls) > lines.MOST_LINES:
            wrong = "{name}: has more than 200,000 pieces of wall; a part of the map would do"
            raise ImportProblem(wrong, drawing.name)


def _portals(drawing: Drawing, value: Any) -> Iterator[Opening]:
    """Doors, and windows, which let light through."""
    for portal in drawing.parts.listed(value, "door", 20_000):
        where = vector(portal.get("position")) if isinstance(portal, Mapping) else None
        if where is None:
            drawing.parts.skip("door")
            continue
        along = vector(portal.get("direction"))
        across, down = (along[0] * PIXELS, along[1] * PIXELS) if along is not None else (1.0, 0.0)
        half = (loose.number(portal.get("radius")) or PIXELS / 2) / PIXELS
        leaf = Leaf(where[0] - across * half, where[1] - down * half, where[0] + across * half, where[1] + down * half)
        yield Opening(leaf, window=portal.get("closed") is False)


def _lights(drawing: Drawing, value: Any) -> Iterator[PlanLight]:
    for light in drawing.parts.listed(value, "light", 10_000):
        where = vector(light.get("position")) if isinstance(light, Mapping) else None
        reach = loose.number(light.get("range")) if where is not None else None
        if where is None or reach is None:
            drawing.parts.skip("light")
        elif reach > 0:
            yield PlanLight(*where, reach / 2, reach)


def _texts(drawing: Drawing, value: Any) -> Iterator[PlanNote]:
    """What is written on the map: everybody may read it."""
    for each in drawing.parts.listed(value, "text", 2_000):
        where = vector(each.get("position")) if isinstance(each, Mapping) else None
        words = loose.words(each.get("text")) if where is not None else ""
        if where is not None and words:
            yield PlanNote(*where, words[:60], words if len(words) > 60 else "", secret=False)
