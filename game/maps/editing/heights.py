"""Heights on a document: regions of kind `level` on a layer of their own, which holds over what lies beneath."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from game.maps.editing import things
from game.maps.editing.document import Document, Spot
from game.maps.editing.drawing import Look, by_number, grounds, inside
from game.maps.editing.pen import Pen
from game.maps.editing.things import Box, Thing

HEIGHTS = "Heights"


def raise_to(pen: Pen, level: int, spots: Collection[Spot]) -> int:
    """Let spaces lie so many levels high: as regions of kind `level` on a layer of their own, over all others."""
    document = pen.document
    loaded = document.read()
    changed = [spot for spot in inside(document, spots) if loaded.field.level(loaded.field.cell(*spot)) != level]
    if not changed:
        return 0
    drawn = [thing for thing in things.all_of(document) if _is_height(thing)]
    own = {spot: _level(thing) for thing in drawn for spot in thing.spots}
    beneath = _levels_beneath(document, changed)
    for spot in changed:
        if level == beneath.get(spot, 0):
            own.pop(spot, None)
        else:
            own[spot] = level
    wanted = {(box, n) for n in sorted(set(own.values())) for box in boxes({s for s, m in own.items() if m == n})}
    for thing in drawn:
        same = (thing.box, _level(thing))
        if same in wanted:
            wanted.discard(same)
        else:
            things.remove(pen, thing)
    for box, n in sorted(wanted, key=lambda each: (each[0][1], each[0][0])):
        things.add_box(pen, "Region", box, {"kind": "level", "level": n}, layer=HEIGHTS)
    return len(changed)


def _is_height(thing: Thing) -> bool:
    return thing.shape == "Region" and thing.layer == HEIGHTS and thing.says.get("kind") == "level"


def _level(thing: Thing) -> int:
    said = thing.says.get("level", 0)
    return said if isinstance(said, int) else 0


def _levels_beneath(document: Document, spots: Iterable[Spot]) -> dict[Spot, int]:
    """How high spaces would lie without what we drew."""
    spots, look, found = list(spots), Look(document), dict[Spot, int]()
    for layer in grounds(document):
        for number, own in by_number(document, layer, spots).items():
            said = look.says(number).get("level", 0)
            for spot in own:
                found[spot] = max(found.get(spot, 0), said if isinstance(said, int) else 0)
    loaded, want = document.read(), set(spots)
    for region in loaded.regions:
        if region.text("kind") == "level" and region.layer != HEIGHTS:
            said = region.properties.get("level", 0)
            there = (loaded.field.at(cell) for cell in region.cells)
            found.update((spot, said if isinstance(said, int) else 0) for spot in there if spot in want)
    return found


def boxes(spots: set[Spot]) -> Iterator[Box]:
    """Spaces as rectangles, none twice: runs of a row, joined with the like ones below."""
    left = set(spots)
    for x, y in sorted(spots, key=lambda spot: (spot[1], spot[0])):
        if (x, y) not in left:
            continue
        wide = high = 1
        while (x + wide, y) in left:
            wide += 1
        while all((x + n, y + high) in left for n in range(wide)):
            high += 1
        left -= {(x + n, y + m) for n in range(wide) for m in range(high)}
        yield x, y, wide, high
