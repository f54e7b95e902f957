"""What a side sees, knows and witnesses: darkness, carried lights and fog (options `darkness`, `fog`)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.board.grid import Field, Light
from rules.contract.units import Cell
from tests.rules.olde.creatures import HALL, Fight, being

LONG = ["##############", "#............#", "#............#", "##############"]
ROOMS = ["###########", "#...#.....#", "#...#.....#", "#.........#", "###########"]
AP = [8, 4]


def cellar(rows=LONG, lights=(), ambient="dark") -> Field:
    """A map in the dark."""
    bright = Field.from_rows(rows, lights=lights)
    return msgspec.structs.replace(bright, ambient=ambient)


def seen(fight: Fight, side: str) -> set[tuple[int, int]]:
    board = fight.rules.sees(fight.now, side)
    return {fight.field.at(Cell(c)) for c in range(fight.field.width * fight.field.height) if board >> c & 1}


def ids(fight: Fight, side: str) -> set[str]:
    known = fight.rules.observe(fight.now, side)
    return {mini.id for mini in fight.rules.board(known).miniatures}


def test_in_the_dark_a_creature_sees_no_further_than_its_arm() -> None:
    fight = Fight(being("a", (3, 1)), being("b", (9, 1)), field=cellar(), throws=AP, darkness=True)
    assert seen(fight, "heroes") == {(x, y) for x in (2, 3, 4) for y in (0, 1, 2)}
    assert ids(fight, "heroes") == {"a"}


def test_without_the_option_darkness_hides_nothing() -> None:
    fight = Fight(being("a", (3, 1)), being("b", (9, 1)), field=cellar(), throws=AP)
    assert ids(fight, "heroes") == {"a", "b"}


def test_a_dim_map_hides_nobody() -> None:
    field = cellar(ambient="dim")
    fight = Fight(being("a", (3, 1)), being("b", (9, 1)), field=field, throws=AP, darkness=True)
    assert ids(fight, "heroes") == {"a", "b"}


def test_a_light_shows_who_stands_in_it_from_afar() -> None:
    lamp = Light(cell=Cell(1 * 14 + 10), bright=1, dim=2)
    fight = Fight(being("a", (3, 1)), being("b", (9, 1)), field=cellar(lights=[lamp]), throws=AP, darkness=True)
    assert ids(fight, "heroes") == {"a", "b"}
    assert ids(fight, "monsters") == {"b"}
    assert (12, 1) in seen(fight, "heroes")
    assert (7, 1) not in seen(fight, "heroes")


def test_light_does_not_pass_walls() -> None:
    lamp = Light(cell=Cell(3 * 11 + 1), bright=9, dim=9)
    fight = Fight(being("a", (9, 1)), being("b", (1, 1)), field=cellar(ROOMS, [lamp]), throws=AP, darkness=True)
    assert (6, 1) not in seen(fight, "heroes")
    assert (9, 3) in seen(fight, "heroes")  # the light falls through the gap in the wall


def test_who_carries_a_light_sees_and_is_seen() -> None:
    fight = Fight(being("a", (3, 1), light=4), being("b", (9, 1)), field=cellar(), throws=AP, darkness=True)
    assert ids(fight, "heroes") == {"a"}
    assert ids(fight, "monsters") == {"a", "b"}
    assert (7, 1) in seen(fight, "heroes")
    assert (8, 1) not in seen(fight, "heroes")


def test_who_sees_in_the_dark_needs_no_light() -> None:
    fight = Fight(being("a", (3, 1)), being("b", (9, 1), dark_sight=True), field=cellar(), throws=AP, darkness=True)
    assert ids(fight, "monsters") == {"a", "b"}
    assert ids(fight, "heroes") == {"a"}


@pytest.mark.parametrize("light", [0, 6])
def test_nobody_shoots_at_what_the_dark_hides(light: int) -> None:
    archer = being("a", (3, 1), weapons=["hunting bow"], skills={"Bows": "Apprentice"}, light=light)
    fight = Fight(archer, being("b", (9, 1)), field=cellar(), throws=AP, darkness=True)
    (decision,) = fight.rules.decisions(fight.now)
    shots = [a for a in fight.rules.legal(fight.now, decision) if a.do == "attack"]
    assert bool(shots) == (light == 6)
    if not light:
        assert "sight" in fight.refusal("a", "attack", target="b", weapon="hunting bow")


def test_the_neighbour_in_the_dark_can_be_struck() -> None:
    fight = Fight(being("a", (3, 1)), being("b", (4, 1)), field=cellar(), throws=AP, darkness=True)
    (decision,) = fight.rules.decisions(fight.now)
    assert any(a.do == "attack" for a in fight.rules.legal(fight.now, decision))


# -- fog: who may see an event


def events_for(fight: Fight, side: str, kind: str) -> list[dict]:
    return [
        event
        for event in fight.events
        if event["event"] == kind and (not event.get("seen_by") or side in event["seen_by"])
    ]


BEHIND: dict[str, Any] = {"rows": ROOMS, "throws": [8, 4], "fog": True}


def test_without_fog_every_event_is_everybodys() -> None:
    fight = Fight(being("a", (1, 1)), being("b", (9, 1)), rows=ROOMS, throws=AP)
    fight.do("a", "step", path=[(1, 2)])
    assert not any(event.get("seen_by") for event in fight.events)


def test_a_movement_out_of_sight_is_its_own_sides_secret() -> None:
    fight = Fight(being("a", (1, 1)), being("b", (9, 1)), **BEHIND)
    fight.do("a", "step", path=[(1, 2)])
    assert len(events_for(fight, "heroes", "moved")) == 1
    assert events_for(fight, "monsters", "moved") == []
    assert events_for(fight, "monsters", "chance") == []


def test_a_movement_into_sight_is_told_as_far_as_it_was_seen() -> None:
    fight = Fight(being("a", (1, 1)), being("b", (9, 3)), **BEHIND)
    fight.do("a", "step", path=[(1, 2), (2, 3)])
    (whole,) = events_for(fight, "heroes", "moved")
    assert [list(s) for s in whole["path"]] == [[1, 2], [2, 3]]
    (part,) = events_for(fight, "monsters", "moved")
    shown = [list(part["start"]), *[list(s) for s in part["path"]]]
    assert [1, 1] not in shown
    assert shown[-1] == [2, 3]


def test_turns_and_the_end_are_everybodys() -> None:
    fight = Fight(being("a", (1, 1)), being("b", (9, 1)), **BEHIND)
    assert events_for(fight, "monsters", "began")
    assert events_for(fight, "heroes", "began")


def test_the_first_reset_tells_nobody_the_points_of_the_unseen() -> None:
    fight = Fight(being("a", (1, 1)), being("b", (9, 1)), **BEHIND)
    assert {event["by"] for event in events_for(fight, "heroes", "points")} == {"a"}
    assert {event["by"] for event in events_for(fight, "monsters", "points")} == {"b"}


def test_the_order_of_play_names_nobody_unseen() -> None:
    fight = Fight(being("a", (1, 1)), being("b", (9, 1)), **BEHIND)
    known = fight.rules.board(fight.rules.observe(fight.now, "monsters"))
    assert [turn.id for turn in known.order] == ["b"]


def test_who_is_hit_knows_by_whom() -> None:
    archer = being("a", (1, 1), weapons=["hunting bow"], skills={"Bows": "Apprentice"})
    fight = Fight(archer, being("b", (3, 1)), rows=HALL, throws=[*AP, 2, 2, 3, 4, 5], fog=True)
    fight.do("a", "attack", target="b", weapon="hunting bow")
    assert events_for(fight, "monsters", "attack")
    assert not any(event.get("seen_by") for event in fight.events if event["event"] == "attack")
