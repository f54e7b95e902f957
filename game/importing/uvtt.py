"""Universal VTT (`.uvtt`, `.dd2vtt`, `.df2vtt`): walls, portals and lights over a picture, as one JSON object."""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from game.importing import lines, loose
from game.importing.drawn import Drawing, Opening, ambient_of, planned
from game.importing.lines import Leaf, Line
from game.importing.pictures import embedded
from game.importing.plan import ImportProblem, Plan, PlanLight

FORMAT = "uvtt"
MOST_POINTS = 1_000_000
"""Points of all outlines together."""


def fits(document: Any) -> bool:
    """Whether a JSON document is one of these."""
    return (
        isinstance(document, Mapping)
        and "resolution" in document
        and ("line_of_sight" in document or "portals" in document or "format" in document)
    )


def read(document: Mapping[str, Any], name: str) -> Plan:
    """The plan of a document. Raises ImportProblem where its size is missing or beyond what a map holds."""
    resolution = document.get("resolution")
    size = loose.point(resolution.get("map_size")) if isinstance(resolution, Mapping) else None
    if size is None or not isinstance(resolution, Mapping):
        raise ImportProblem("{name}: resolution.map_size is missing; export it again as Universal VTT", name)
    x, y = loose.point(resolution.get("map_origin")) or (0.0, 0.0)
    drawing = Drawing(FORMAT, name, *size)
    budget = [MOST_POINTS]
    for outline in _outlines(drawing, document.get("line_of_sight"), "wall", budget):
        drawing.walls += [Line(a - x, b - y, c - x, d - y) for (a, b), (c, d) in pairwise(outline) if (a, b) != (c, d)]
        if len(drawing.walls) > lines.MOST_LINES:
            raise ImportProblem("{name}: has more than 200,000 pieces of wall; a part of the map would do", name)
    for outline in _outlines(drawing, document.get("objects_line_of_sight"), "outline", budget):
        drawing.covered.append([(a - x, b - y) for a, b in outline])
    drawing.openings = list(_portals(drawing, document.get("portals"), (x, y)))
    drawing.lights = list(_lights(drawing, document.get("lights"), (x, y)))
    environment = document.get("environment")
    if isinstance(environment, Mapping) and environment.get("baked_lighting") is not True:
        drawing.ambient = ambient_of(environment.get("ambient_light"))
    drawing.picture = _picture(drawing, document.get("image"), size)
    return planned(drawing)


def _outlines(drawing: Drawing, value: Any, what: str, budget: list[int]) -> Iterator[list[tuple[float, float]]]:
    """Lists of points with as many of them as can be read; `budget` says how many may still come."""
    for outline in drawing.parts.listed(value, what, lines.MOST_LINES):
        points = []
        for each in outline if isinstance(outline, list) else ():
            if budget[0] <= 0:
                break
            budget[0] -= 1
            if (found := loose.point(each)) is not None:
                points.append(found)
            else:
                drawing.parts.skip(what)
        if len(points) > 1:
            yield points
        else:
            drawing.parts.skip(what)


def _portals(drawing: Drawing, value: Any, origin: tuple[float, float]) -> Iterator[Opening]:
    """Doors, and windows: a portal that lets light through while it is said to be open."""
    for portal in drawing.parts.listed(value, "door", lines.MOST_LINES):
        bounds = portal.get("bounds") if isinstance(portal, Mapping) else None
        ends = [loose.point(end) for end in bounds[:2]] if isinstance(bounds, list) else []
        if len(found := [end for end in ends if end is not None] or _leaf(portal)) != 2:
            drawing.parts.skip("door")
            continue
        (a, b), (c, d) = found
        leaf = Leaf(a - origin[0], b - origin[1], c - origin[0], d - origin[1])
        yield Opening(leaf, window=portal.get("closed") is False)


def _leaf(portal: Any) -> list[tuple[float, float]]:
    """The ends of a leaf a space wide, by its middle and how it is turned; none where that isn't said either."""
    middle = loose.point(portal.get("position")) if isinstance(portal, Mapping) else None
    if middle is None:
        return []
    turned = loose.number(portal.get("rotation")) or 0.0
    across, down = math.cos(turned) / 2, math.sin(turned) / 2
    return [(middle[0] - across, middle[1] - down), (middle[0] + across, middle[1] + down)]


def _lights(drawing: Drawing, value: Any, origin: tuple[float, float]) -> Iterator[PlanLight]:
    for light in drawing.parts.listed(value, "light", 10_000):
        where = loose.point(light.get("position")) if isinstance(light, Mapping) else None
        reach = loose.number(light.get("range")) if where is not None else None
        if where is None or reach is None:
            drawing.parts.skip("light")
        elif reach > 0:
            yield PlanLight(where[0] - origin[0], where[1] - origin[1], reach / 2, reach)


def _picture(drawing: Drawing, value: Any, size: tuple[float, float]) -> Any:
    """The picture in it, all over the map; none where it is only a path, or is broken."""
    if not isinstance(value, str) or not value:
        drawing.parts.tell("there is no picture in it: the map is drawn with our own tiles")
        return None
    words = value.partition(",")[2] if value.startswith("data:") else value
    try:
        data = base64.b64decode("".join(words.split()), validate=True)
    except (binascii.Error, ValueError):
        drawing.parts.tell("its picture is not in the file but named: the map is drawn with our own tiles")
        return None
    return embedded(data, drawing.parts, size)
