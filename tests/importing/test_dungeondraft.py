"""Maps of Dungeondraft: the same two rooms in the words of its engine."""

from __future__ import annotations

import json
from typing import Any

import pytest

from game.importing import formats
from game.importing.plan import Edge, ImportProblem, Plan, Side


def vector(x: float, y: float) -> str:
    return f"Vector2( {x}, {y} )"


def array(*points: tuple[float, float]) -> str:
    return "PoolVector2Array( " + ", ".join(f"{256 * x}, {256 * y}" for x, y in points) + " )"


def portal(x: float, y: float, **said: Any) -> dict[str, Any]:
    """An upright leaf a space wide."""
    return {"position": vector(256 * x, 256 * y), "direction": vector(0, 1), "radius": 128, "closed": True, **said}


def level(**said: Any) -> dict[str, Any]:
    walls = [
        {"points": array((1, 1), (8, 1), (8, 5), (1, 5)), "loop": True, "portals": []},
        {"points": array((4, 1), (4, 5)), "loop": False, "portals": [portal(4, 2.5)]},
    ]
    return {"label": "Ground", "walls": walls, "lights": [], "portals": [], "texts": [], **said}


def house(*levels: dict[str, Any], **header: Any) -> dict[str, Any]:
    there = {str(number): each for number, each in enumerate(levels or (level(),))}
    return {"header": {"editor_state": header}, "world": {"format": 3, "width": 10, "height": 6, "levels": there}}


def plan(document: Any) -> Plan:
    return formats.of_bytes(json.dumps(document).encode(), "house.dungeondraft_map")


def test_two_rooms_and_the_door_between_them() -> None:
    found = plan(house())
    assert (found.format, found.columns, found.rows, found.areas, found.off_grid) == (
        "dungeondraft",
        10,
        6,
        (16, 12),
        0.0,
    )
    assert [door.edges for door in found.doors] == [(Edge(4, 2, Side.WEST),)]


def test_a_portal_that_lets_light_through_is_a_window() -> None:
    walls = level()["walls"]
    walls[1]["portals"][0]["closed"] = False
    found = plan(house(level(walls=walls)))
    assert (len(found.doors), found.windows) == (0, 1)


def test_a_free_standing_portal_blocks_its_leaf_alone() -> None:
    found = plan(house(level(portals=[portal(6, 2.5)])))
    assert [door.edges for door in found.doors] == [(Edge(4, 2, Side.WEST),), (Edge(6, 2, Side.WEST),)]


def test_lights_and_words_lie_in_spaces() -> None:
    found = plan(house(level(lights=[{"position": vector(640, 640), "range": 4}],
                             texts=[{"position": vector(512, 512), "text": "The study"}])))  # fmt: skip
    assert [(each.x, each.y, each.bright, each.dim) for each in found.lights] == [(2.5, 2.5, 2, 4)]
    assert [(each.title, each.secret) for each in found.notes] == [("The study", False)]


def test_of_several_levels_the_one_that_was_open_is_read_and_it_is_said() -> None:
    cellar = level(
        label="Cellar", walls=[{"points": array((1, 1), (4, 1), (4, 4), (1, 4)), "loop": True, "portals": []}]
    )
    assert plan(house(level(), cellar)).areas == (16, 12)
    found = plan(house(level(), cellar, current_level=1))
    assert found.areas == (9,)
    assert "it has 2 levels: this is Cellar; export the others one by one" in found.warnings


@pytest.mark.parametrize("points", ["", "PoolVector2Array( )", "PoolVector2Array( 1, 2 )", "Vector2( 1, 2 )", 7, None])
def test_a_wall_that_cannot_be_read_is_counted(points: Any) -> None:
    found = plan(house(level(walls=[*level()["walls"], {"points": points}])))
    assert found.areas == (16, 12) and "1 wall could not be read and is left out" in found.warnings


def test_a_map_without_size_or_level_gets_its_line() -> None:
    with pytest.raises(ImportProblem, match=r"world\.width and world\.height are missing"):
        plan({"world": {"levels": {"0": level()}}})
    with pytest.raises(ImportProblem, match="has no level"):
        plan({"world": {"width": 3, "height": 3, "levels": {}}})
