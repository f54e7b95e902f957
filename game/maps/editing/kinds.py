"""What can be drawn: grounds and things by the tiles of our tileset, and what objects say. Shown in this order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.contract.text import N


class Group(StrEnum):
    """The parts of the palette."""

    FLOOR = "floor"
    ROUGH = "difficult ground"
    WATER = "water and gaps"
    WALL = "walls"
    HEIGHT = "height"
    THING = "things"
    OBJECT = "doors, traps and the like"
    ZONE = "zones"


GROUPS: Mapping[Group, str] = {
    Group.FLOOR: N("Floor"), Group.ROUGH: N("Difficult ground"), Group.WATER: N("Water and gaps"),
    Group.WALL: N("Walls"), Group.HEIGHT: N("Height"), Group.OBJECT: N("Doors, traps and the like"),
    Group.ZONE: N("Zones"), Group.THING: N("Things"),
}  # fmt: skip
"""What they are called."""


class Way(StrEnum):
    """How a kind is drawn."""

    GROUND = "ground"
    """A tile that is the ground of its space."""
    THING = "thing"
    """A tile that stands on it."""
    LEVEL = "level"
    """So many levels high."""
    OBJECT = "object"
    """An object on one space."""
    EDGE = "edge"
    """Along the edges between spaces."""
    ZONE = "zone"
    """An object over a rectangle."""


@dataclass(frozen=True)
class Kind:
    """Something that can be drawn. `name` names it to programs, `tile` is what its tile says."""

    name: str
    label: str
    group: Group
    way: Way
    tile: Mapping[str, str | int | bool] = field(default_factory=dict)
    level: int = 0
    shape: str = ""
    """The class of its object."""
    says: Mapping[str, str | int | bool] = field(default_factory=dict)
    """The properties of a new object."""

    @property
    def move(self) -> str:
        return str(self.tile.get("move", "open"))

    @property
    def material(self) -> str:
        return str(self.tile.get("material", ""))

    @property
    def prop(self) -> str:
        return str(self.tile.get("prop", ""))


def _ground(name: str, label: str, group: Group, **tile: str) -> Kind:
    return Kind(name, label, group, Way.GROUND, {"material": name, **tile})


def _thing(prop: str, label: str, *, name: str = "", **tile: str | int | bool) -> Kind:
    return Kind(name or f"thing-{prop}", label, Group.THING, Way.THING, {"prop": prop, **tile})


def _object(name: str, label: str, shape: str, **says: str | int | bool) -> Kind:
    return Kind(name, label, Group.OBJECT, Way.OBJECT, shape=shape, says=says)


def _zone(name: str, label: str, shape: str, **says: str | int | bool) -> Kind:
    return Kind(name, label, Group.ZONE, Way.ZONE, shape=shape, says=says)


_BLOCKED = {"move": "blocked", "sight": "blocked"}
KINDS: tuple[Kind, ...] = (
    _ground("slate", N("Slate"), Group.FLOOR), _ground("stone", N("Flagstones"), Group.FLOOR),
    _ground("tiles", N("Tiles"), Group.FLOOR), _ground("wood", N("Planks"), Group.FLOOR),
    _ground("earth", N("Earth"), Group.FLOOR), _ground("grass", N("Grass"), Group.FLOOR),
    _ground("mossy", N("Mossy slabs"), Group.FLOOR), _ground("bridge", N("Bridge"), Group.FLOOR),
    _ground("mud", N("Mud"), Group.ROUGH, move="difficult"), _ground("silt", N("Silt"), Group.ROUGH, move="difficult"),
    Kind("rubble", N("Rubble"), Group.ROUGH, Way.THING, {"prop": "rubble", "move": "difficult"}),
    Kind("roots", N("Roots"), Group.ROUGH, Way.THING, {"prop": "root", "move": "difficult"}),
    Kind("reeds", N("Reeds"), Group.ROUGH, Way.THING, {"prop": "reeds", "move": "difficult"}),
    _ground("shallows", N("Shallows"), Group.WATER, move="difficult"),
    _ground("water", N("Deep water"), Group.WATER, move="gap"),
    _ground("chasm", N("Chasm"), Group.WATER, move="gap"),
    _ground("wall", N("Masonry"), Group.WALL, **_BLOCKED), _ground("rockwall", N("Rock"), Group.WALL, **_BLOCKED),
    Kind("thin wall", N("Thin wall"), Group.WALL, Way.EDGE, shape="Wall"),
    Kind("window", N("Window"), Group.WALL, Way.EDGE, shape="Wall", says={"sight": "open"}),
    Kind("curtain", N("Curtain"), Group.WALL, Way.EDGE, shape="Wall", says={"move": "open"}),
    *(Kind(f"level-{n}", label, Group.HEIGHT, Way.LEVEL, level=n) for n, label in enumerate(
        (N("Ground level"), N("Level 1"), N("Level 2"), N("Level 3"), N("Level 4")))),
    _object("door", N("Door"), "Door", state="closed"),
    _object("portcullis", N("Portcullis"), "Door", state="closed", kind="portcullis"),
    _object("stairs", N("Stairs"), "Stairs"), _object("ladder", N("Ladder"), "Ladder"),
    _object("exit", N("Exit"), "Exit"), _object("light", N("Light"), "Light", bright=3, dim=6),
    _object("trap", N("Trap"), "Trap", difficulty=12, damage="d6"),
    _object("chest", N("Chest"), "Chest", contents="12 coins", difficulty=0),
    _object("note", N("Note"), "Note", text="…"),
    _zone("heroes", N("Heroes start"), "Spawn", side="heroes"),
    _zone("monsters", N("Foes start"), "Spawn", side="monsters"),
    _zone("room", N("Named room"), "Region", kind="room"), _zone("dark", N("Always dark"), "Region", kind="dark"),
    _zone("safe", N("Safe to rest"), "Region", kind="safe"),
    _thing("torch", N("Torch"), light=6), _thing("brazier", N("Brazier"), light=6, move="blocked"),
    _thing("hearth", N("Hearth"), light=6, move="blocked"), _thing("candles", N("Candles"), light=3),
    _thing("pillar", N("Pillar"), **_BLOCKED), _thing("broken_pillar", N("Broken pillar"), move="difficult"),
    _thing("statue", N("Statue"), **_BLOCKED), _thing("table", N("Table"), move="difficult"),
    _thing("table", N("Large table"), name="thing-table-blocked", move="blocked"), _thing("stool", N("Stool")),
    _thing("bed", N("Bed"), move="difficult"), _thing("barrel", N("Barrel"), move="blocked"),
    _thing("crate", N("Crate"), move="blocked"), _thing("bookshelf", N("Bookshelf"), **_BLOCKED),
    _thing("desk", N("Desk"), move="blocked"), _thing("pew", N("Pew"), move="difficult"),
    _thing("altar", N("Altar"), move="blocked"), _thing("lectern", N("Lectern"), move="blocked"),
    _thing("font", N("Font"), move="blocked"), _thing("sarcophagus", N("Sarcophagus"), move="blocked"),
    _thing("gravestone", N("Gravestone"), move="blocked"), _thing("well", N("Well"), move="blocked"),
    _thing("cauldron", N("Cauldron"), move="blocked"), _thing("rubble", N("High rubble"), move="blocked"),
    _thing("cobweb", N("Cobweb"), move="difficult"), _thing("bones", N("Bones")), _thing("rug", N("Rug")),
    _thing("puddle", N("Puddle")), _thing("planks", N("Loose planks")), _thing("mushroom", N("Mushrooms")),
    _thing("banner", N("Banner")), _thing("lilies", N("Lilies")), _thing("boat", N("Boat")),
)  # fmt: skip
BY_NAME: Mapping[str, Kind] = {kind.name: kind for kind in KINDS}


def kind(name: str) -> Kind:
    """A kind by its name."""
    return BY_NAME[name]
