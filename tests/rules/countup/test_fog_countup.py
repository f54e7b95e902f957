"""What a side sees in the fog of war, and ways past whom it does not see (countup.md §3, §5.4)."""

from __future__ import annotations

from typing import Any

import msgspec

from rules.board.grid import Field, Light
from rules.contract.units import Cell
from tests.rules.countup.creatures import HALL, Fight, being
from tests.rules.table import dice


def in_fog(ambient: str = "dark", *lights: Light, b: tuple[int, int] = (5, 1), a: Any = None) -> Fight:
    """`a` at [1, 1] and `b` farther off, neither with a light; `b` waits."""
    field = msgspec.structs.replace(Field.from_rows(HALL), ambient=ambient, lights=lights)
    fight = Fight(being("a", (1, 1), **(a or {})), being("b", b), throws=dice("initiative 1 1"), field=field,
                  darkness=True, fog=True)  # fmt: skip
    fight.hold("b", seconds=30)
    return fight


def spaces(fight: Fight, *found: tuple[int, int]) -> int:
    return sum(1 << fight.field.cell(*space) for space in found)


def with_zone(fight: Fight, kind: str, *found: tuple[int, int]) -> Fight:
    fight.now = msgspec.structs.replace(fight.now, zones=((kind, spaces(fight, *found), 99),))
    return fight


def seen(fight: Fight, at: tuple[int, int]) -> bool:
    return bool(fight.rules.sees(fight.now, "heroes") >> fight.field.cell(*at) & 1)


def test_who_stands_unseen_in_the_way_stops_a_movement_before_it_and_is_not_told_of() -> None:
    """A refusal would tell where the foe stands in the dark."""
    fight = in_fog()
    way = [(2, 1), (3, 1), (4, 1), (5, 1), (6, 1)]
    fight.do("a", "jog", path=way)
    fight.do("a", "end")
    fight.until("a", 5)
    assert fight.field.at(fight.now.figures[0].cell) == (4, 1)


def test_a_neighbour_is_seen_in_any_smoke_and_veil() -> None:
    for kind in ("smoke", "dark"):
        fight = with_zone(in_fog("bright", b=(2, 1)), kind, (1, 1), (2, 1), (3, 1))
        assert seen(fight, (2, 1))
        assert not seen(fight, (3, 1))


def test_in_fog_smoke_hides_also_what_lies_beyond_it() -> None:
    fight = with_zone(in_fog("bright", b=(9, 1)), "smoke", *((5, y) for y in range(1, 6)))
    assert not seen(fight, (9, 1))
    assert seen(fight, (4, 1))


def test_low_light_eyes_see_whom_no_light_reaches_within_24_spaces_of_one() -> None:
    lamp = Light(Cell(20 + 5 * 22), 1)
    assert not seen(in_fog("dark", lamp), (5, 1))
    assert seen(in_fog("dark", lamp, a={"low_light": True}), (5, 1))
    assert not seen(in_fog("dark", a={"low_light": True}), (5, 1)), "no light at all"
