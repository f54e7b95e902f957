"""The ground as spells have changed it: walls, hedges and light that stay for some turns."""

from __future__ import annotations

import msgspec

from rules.board.bitboard import cells_of
from rules.board.grid import Field, Ground, Terrain
from rules.board.sight import Lamp
from rules.olde.effects.model import Zone
from rules.olde.state import OldeState, Resolution, Setup


def terrain_of(setup: Setup, doors: tuple[str, ...], zones: tuple[Zone, ...], cleared: int = 0) -> Terrain:
    """The ground with these doors and zones, and with some rubble cleared."""
    opened = sum(1 << i for i, state in enumerate(doors) if state == "open")
    blocked = hidden = slow = 0
    for zone in zones:
        does = zone.kind.does
        blocked |= zone.cells if does.blocks else 0
        hidden |= zone.cells if does.hides else 0
        slow |= zone.cells if does.slows else 0
    if not (blocked or slow or cleared):
        return setup.field.terrain(opened)
    key = (blocked, hidden, slow, cleared)
    return setup.field.altered(key, lambda: _changed(setup.field, *key)).terrain(opened)


def _changed(field: Field, blocked: int, hidden: int, slow: int, cleared: int) -> Field:
    """The field with what has no way, no sight, and what is difficult; rubble that was cleared lies about and is
    difficult (R)."""
    ground = bytearray(field.ground)
    for cell in cells_of(cleared):
        ground[cell] = Ground.DIFFICULT
    for cell in cells_of(slow):
        if ground[cell] == Ground.OPEN:
            ground[cell] = Ground.DIFFICULT
    for cell in cells_of(blocked):
        ground[cell] = Ground.BLOCKED
    return msgspec.structs.replace(field, ground=bytes(ground), opaque=field.opaque & ~cleared | hidden)


def lay_ground(resolution: Resolution) -> None:
    """Take the work's doors and zones into its terrain."""
    resolution.terrain = terrain_of(resolution.setup, resolution.doors, resolution.zones, resolution.cleared)


def lamps(zones: tuple[Zone, ...]) -> tuple[Lamp, ...]:
    """The magical lights as lamps: where, one space wide, how far they shine."""
    return tuple((zone.centre, 1, zone.radius) for zone in zones if zone.kind.does.lights)


def in_magic_light(state: OldeState, cells: int) -> bool:
    """Whether a spell's light falls on any of the spaces (a bitboard)."""
    return any(zone.kind.does.lights and zone.cells & cells for zone in state.zones)
