"""The ground as flyers have it: none of it is difficult, and pits may be flown over; walls are walls."""

from __future__ import annotations

import msgspec

from rules.board.grid import Ground, Terrain

_OPEN = bytes.maketrans(bytes((Ground.DIFFICULT, Ground.VOID)), bytes((Ground.OPEN, Ground.OPEN)))


def flown(terrain: Terrain) -> Terrain:
    """The same ground for a flyer. Remembered."""
    found: Terrain | None = terrain.memo.get("flown")
    if found is None:
        field = terrain.field
        open_air = msgspec.structs.replace(field, ground=bytes(field.ground).translate(_OPEN))
        found = terrain.memo["flown"] = open_air.terrain(terrain.doors_open)
    return found
