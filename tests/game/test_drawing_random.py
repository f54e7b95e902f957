"""Whatever is drawn in whatever order: the map can be read, and taking all of it back leaves the very same file."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from game import paths
from game.maps.editing import drawing, heights, parts, things, tools
from game.maps.editing.document import Document
from game.maps.editing.kinds import KINDS, Way
from game.maps.editing.pen import Pen
from game.maps.editing.strokes import Stroke
from game.maps.mapdata import MapProblem
from tests.game.test_drawing_document import ENCODINGS, infinite, strange

Spot = tuple[int, int]


def _draw(lot: random.Random, pen: Pen) -> None:
    """Something that a hand might do."""
    document = pen.document
    wide, high = document.size

    def spot() -> Spot:
        return lot.randrange(-1, wide + 1), lot.randrange(-1, high + 1)

    on_map = (lot.randrange(wide), lot.randrange(high))
    kind = lot.choice(KINDS)
    edge = lot.choice([None, (*on_map, True)]) if min(on_map) else None
    kinds: dict[Way, Callable[[], object]] = {
        Way.GROUND: lambda: drawing.paint(pen, kind, tools.rectangle(spot(), spot())),
        Way.THING: lambda: drawing.paint(pen, kind, tools.line(spot(), spot())),
        Way.LEVEL: lambda: heights.raise_to(pen, kind.level, tools.rectangle(spot(), spot())),
        Way.OBJECT: lambda: things.place(pen, kind, on_map, edge=edge),
        Way.EDGE: lambda: things.draw_edges(pen, kind, tools.edges_around(spot(), spot())),
        Way.ZONE: lambda: things.add_box(pen, kind.shape, (*on_map, 1, 1), kind.says, name="Hall"),
    }  # fmt: skip
    chosen = things.all_of(document)
    thing = lot.choice(chosen) if chosen else None
    what = lot.randrange(9)
    if what == 0:
        drawing.erase_ground(pen, tools.rectangle(on_map, spot()))
    elif what == 1:
        drawing.erase_things(pen, tools.rectangle(spot(), spot()))
        things.cut(pen, tools.edges_around(spot(), spot()))
    elif what == 2 and thing is not None:
        lot.choice([
            lambda: things.remove(pen, thing), lambda: things.move(pen, thing, lot.randrange(-2, 3), 1),
            lambda: things.rename(pen, thing, 'an "odd" <name>'), lambda: things.say(pen, thing, "text", "a & b"),
            lambda: things.say(pen, thing, "difficulty", lot.choice([3, 200])),
        ])()  # fmt: skip
    elif what == 3:
        parts.put_down(pen, parts.copied(document, spot(), spot()), spot())
    else:
        kinds[kind.way]()


MAPS = ("crypt", "tavern", "drowned_crypt", "infinite", "strange")


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_drawn_can_be_taken_back(name: str, seed: int, tmp_path: Path) -> None:
    lot = random.Random(seed)
    if name == "infinite":
        path = infinite(tmp_path, lot.choice(["csv", "zlib"]))
    elif name == "strange":
        path = strange(tmp_path, *ENCODINGS[lot.choice(sorted(ENCODINGS))])
    else:
        for each in paths.shipped_maps().iterdir():
            shutil.copy(each, tmp_path)
        path = tmp_path / f"{name}.tmx"
    document = Document.open(path)
    before, strokes = document.data(), list[Stroke]()
    for _ in range(24):
        pen, here = Pen(document, "x"), document.data()
        try:
            _draw(lot, pen)
            pen.lift()
            strokes.append(pen.stroke)
        except MapProblem:
            pen.give_up()
            assert document.data() == here
    after = document.data()
    document.save()
    assert Document.open(path).data() == after
    for stroke in reversed(strokes):
        document.apply(stroke.inverse())
    assert document.data() == before
    for stroke in strokes:
        document.apply(stroke)
    assert document.data() == after
