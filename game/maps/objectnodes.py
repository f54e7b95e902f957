"""Objects of a map written plainly: templates merged, classes and their defaults filled in, positions absolute."""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement

from game.maps import limits
from game.maps.drawn import TileObject, check_size
from game.maps.folder import Folder
from game.maps.limits import Place, number, truth, whole
from game.maps.lines import shown
from game.maps.properties import Flat, Project, attach, flatten
from game.maps.tilesets import GID_MASK, Tile, Tilesets

_SHAPES = ("point", "ellipse", "polygon", "polyline", "text", "capsule")


class ObjectWriter:
    """Writes objects into a normalised tree; counts them and their points for the whole map."""

    def __init__(
        self, folder: Folder, project: Project, tilesets: Tilesets, base: Path, origin: tuple[float, float]
    ) -> None:
        self._folder = folder
        self._project = project
        self._tilesets = tilesets
        self._base = base
        self._origin = origin
        self._templates: dict[Path, Element] = {}
        self._count = 0
        self._points = 0

    def write(self, layer: Element, node: Element, shift: tuple[float, float], place: Place) -> TileObject | None:
        """Add ``node`` to ``layer``, moved by ``shift`` pixels and the map's origin; what it shows, if anything."""
        self._count += 1
        if self._count > limits.MAX_OBJECTS:
            raise place.problem(f"is one of more than {limits.MAX_OBJECTS} objects; remove some")
        place = Place(place.file, place.layer, str(whole(node, "id", place, 0)))
        template, base = self._template(node, place)
        attributes = (
            {k: v for k, v in template.attrib.items() if k not in ("id", "x", "y")} if template is not None else {}
        )
        own_gid = "gid" in node.attrib
        attributes.update(node.attrib)
        merged = Element("object", attributes)
        gid = self._gid(merged, template if not own_gid else None, base, place)
        tile = self._tile(gid, place)
        kind = node.get("type") or node.get("class") or attributes.get("type") or attributes.get("class") or tile.kind
        flat: Flat = {**self._project.defaults(kind), **tile.properties}
        if template is not None:
            flat.update(flatten(template, self._project, place))
        flat.update(flatten(node, self._project, place))
        shape = next((s for s in (_shape(node), _shape(template)) if s is not None), None)
        out = self._place_object(layer, merged, gid, shift, place)
        out.set("type", kind)
        self._write_shape(out, shape, gid, place)
        self._project.give(flat, place)
        attach(out, flat)
        return self._tile_object(out, merged, gid, kind, place)

    def _tile_object(self, out: Element, merged: Element, gid: int, kind: str, place: Place) -> TileObject | None:
        """The picture of an object that is a visible tile; ``out`` says where it stands."""
        if not gid or out.get("visible") == "0":
            return None
        x, y, wide, high, angle = (float(out.get(name, "0")) for name in ("x", "y", "width", "height", "rotation"))
        check_size(wide, high, place)
        across, down = (float(part) for part in out.get("pivot", "0 0").split())
        opacity = min(1.0, max(0.0, number(merged, "opacity", place, 1.0)))
        return TileObject(gid, kind, (x, y, wide, high), angle, (across, down), opacity)

    def _template(self, node: Element, place: Place) -> tuple[Element | None, Path]:
        source = node.get("template")
        if not source:
            return None, self._base
        path = self._folder.find(self._base, source, place)
        if path not in self._templates:
            if len(self._templates) >= limits.MAX_TEMPLATES:
                raise place.problem(f"uses one of more than {limits.MAX_TEMPLATES} templates; use fewer")
            self._templates[path] = self._folder.xml(path, "template", place)
        root = self._templates[path]
        found = root.find("object")
        if found is None:
            raise place.problem(f"template {shown(source)} holds no <object>; save it again in Tiled")
        if "gid" in found.attrib and root.find("tileset") is None:
            raise place.problem(f"template {shown(source)} has a tile but no tileset; save it again in Tiled")
        found.set("_source", source)
        return found, path.parent

    def _gid(self, merged: Element, template: Element | None, base: Path, place: Place) -> int:
        """The map's tile number of an object; a template's own number belongs to the template's tileset."""
        gid = whole(merged, "gid", place, 0)
        if not 0 <= gid < 1 << 32:
            raise place.problem(f"tile {gid} is out of range; choose another tile")
        if not gid or template is None:
            return gid
        source = self._folder.find(self._base, template.get("_source", ""), place)
        node = self._templates[source].find("tileset")
        assert node is not None
        tileset = self._tilesets.from_template(node, base, place)
        local = (gid & GID_MASK) - whole(node, "firstgid", place, 1)
        return (gid & ~GID_MASK) | (tileset.first + local)

    def _tile(self, gid: int, place: Place) -> Tile:
        if not gid:
            return Tile()
        found = self._tilesets.find(gid & GID_MASK)
        if found is None:
            raise place.problem(f"tile {gid & GID_MASK} is in no tileset; choose another tile")
        return found[0].tiles.get(found[1], Tile())

    def _place_object(
        self, layer: Element, merged: Element, gid: int, shift: tuple[float, float], place: Place
    ) -> Element:
        pivot_x = number(merged, "x", place) + shift[0] + self._origin[0]
        pivot_y = number(merged, "y", place) + shift[1] + self._origin[1]
        width, height = number(merged, "width", place), number(merged, "height", place)
        if width < 0 or height < 0:
            raise place.problem("has a negative size; draw it again")
        x, y = pivot_x, pivot_y
        found = self._tilesets.find(gid & GID_MASK) if gid else None
        if found:  # Tiled places tile objects by an anchor, usually their lower left corner
            own = found[0].size(found[1])
            width, height = width or own[0], height or own[1]  # files of old leave the size out
            x -= width * found[0].anchor[0]
            y -= height * found[0].anchor[1]
        attributes = {
            "id": place.object, "name": merged.get("name", ""), "x": repr(x), "y": repr(y),
            "width": repr(width), "height": repr(height),
            "rotation": repr(math.fmod(number(merged, "rotation", place), 360.0)),
            "visible": "0" if truth(merged.get("visible", "1")) is False else "1",
            "pivot": f"{pivot_x!r} {pivot_y!r}",
        }  # fmt: skip
        if gid:
            attributes["tilegid"] = str(gid)  # not `gid`: pytmx would mix the tile's attributes into the properties
        return SubElement(layer, "object", attributes)

    def _write_shape(self, out: Element, shape: Element | None, gid: int, place: Place) -> None:
        out.set("shape", "tile" if gid else shape.tag if shape is not None else "rectangle")
        if shape is None:
            return
        if shape.tag == "text":
            out.set("words", (shape.text or "")[: limits.MAX_TEXT])
        if shape.tag in ("polygon", "polyline"):
            points = self._read_points(shape.get("points", ""), place)
            SubElement(out, shape.tag, {"points": " ".join(f"{x!r},{y!r}" for x, y in points)})

    def _read_points(self, text: str, place: Place) -> list[tuple[float, float]]:
        parts = text.split()
        self._points += len(parts)
        if self._points > limits.MAX_POINTS:
            raise place.problem(f"brings the map beyond {limits.MAX_POINTS} points; draw simpler lines")
        try:
            points = [(float(x), float(y)) for x, y in (part.split(",") for part in parts)]
        except ValueError:
            points = []
        if len(points) < 2 or not all(abs(v) <= limits.MAX_PIXEL for point in points for v in point):
            raise place.problem(f"its points {shown(text)} are no list of at least two x,y; draw it again")
        return points


def _shape(node: Element | None) -> Element | None:
    return None if node is None else next((child for child in node if child.tag in _SHAPES), None)
