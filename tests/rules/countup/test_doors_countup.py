"""Doors and tasks: search, lock picking, breaking; what interrupts them (countup.md §2.9, OURS for times)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.planning import Pass
from rules.board.grid import Field
from rules.contract.events import Challenge, Check, Contest, Door, Note
from tests.rules.countup.creatures import Fight, being
from tests.rules.table import dice

ROWS = ["##########", "#...+....#", "#...#....#", "##########"]
DOOR = "door 4,1"


def ground(state: str, difficulty: int = 9) -> Field:
    """Two rooms with a door between them."""
    field = Field.from_rows(ROWS)
    door = msgspec.structs.replace(field.doors[0], state=state, difficulty=difficulty)
    return msgspec.structs.replace(field, doors=(door,))


def at_the_door(state: str, *throws: int | None, difficulty: int = 9, b: tuple[int, int] = (8, 2), **a: Any) -> Fight:
    """`a` beside the door, `b` in the other room; both may act at once."""
    field = ground(state, difficulty)
    fight = Fight(being("a", (3, 1), **a), being("b", b), field=field, throws=[1, 1, *throws])
    fight.hold("b", seconds=60)
    return fight


def test_a_lock_is_picked_in_ten_seconds_by_the_skill() -> None:
    fight = at_the_door("locked", 70, skills={"lock picking": 30})
    fight.do("a", "pick_lock", target=DOOR)
    assert fight.now.doors == ("closed",) and fight.second == 12
    check = fight.all("check")[-1]
    assert (check["roll"]["total"], check["rating"], check["success"]) == (30, 30, True)


def test_a_lock_that_holds_may_be_tried_again() -> None:
    fight = at_the_door("locked", 71, 5, skills={"lock picking": 30})
    for stands in ("locked", "closed"):
        fight.do("a", "pick_lock", target=DOOR)
        assert fight.now.doors == (stands,)


@pytest.mark.parametrize(
    ("difficulty", "face", "success"),
    [(3, 100, True), (6, 100, True), (9, 70, True), (12, 31, False), (12, 30, True), (15, 21, False), (15, 20, True)],
)
def test_a_doors_difficulty_is_the_skills(difficulty: int, face: int, success: bool) -> None:
    fight = at_the_door("locked", face, difficulty=difficulty, skills={"lock picking": 30})
    fight.do("a", "pick_lock", target=DOOR)
    assert (fight.now.doors == ("closed",)) == success


def test_lock_picking_is_not_tried_untrained() -> None:
    assert "untrained" in at_the_door("locked").refusal("a", "pick_lock", target=DOOR)


@pytest.mark.parametrize(("held", "tried", "stands"), [(10, 10, "barred"), (10, 11, "open")])
def test_a_door_is_broken_by_more_than_it_holds(held: int, tried: int, stands: str) -> None:
    fight = at_the_door("barred", held, tried)
    fight.do("a", "force", target=DOOR)
    assert fight.now.doors == (stands,)
    contest = fight.all("contest")[-1]
    assert [r["total"] for r in contest["rolls"]] == [held, tried] and fight.second == 7


def test_strength_and_the_doors_difficulty_count() -> None:
    fight = at_the_door("locked", 10, 12, difficulty=12, damage=2)
    fight.do("a", "force", target=DOOR)
    assert [r["total"] for r in fight.all("contest")[-1]["rolls"]] == [13, 14]
    assert fight.now.doors == ("open",)


@pytest.mark.parametrize(
    ("thief", "face", "finds"), [(False, 1, True), (False, 2, False), (True, 2, True), (True, 3, False)]
)
def test_a_secret_door_is_found_by_one_in_six_by_a_thief_one_in_three(thief: bool, face: int, finds: bool) -> None:
    fight = at_the_door("secret", face, thief=thief)
    assert "no door is known" in fight.refusal("a", "open", target=DOOR)
    fight.do("a", "search")
    assert fight.second == 12
    if not finds:
        assert "no door is known" in fight.refusal("a", "open", target=DOOR)
        return
    fight.do("a", "open", target=DOOR)
    assert fight.now.doors == ("open",)


def test_what_one_side_has_found_the_other_does_not_know() -> None:
    fight = at_the_door("secret", 1)
    fight.do("a", "search")
    mine, theirs = (fight.rules.observe(fight.now, side) for side in ("heroes", "monsters"))
    assert (mine.doors, theirs.doors) == (("closed",), ("secret",))
    told = [event for event in fight.all("challenge") if event["state"] == "found"]
    assert [event["seen_by"] for event in told] == [("heroes",)]


def test_search_finds_nothing_farther_than_two_spaces_and_throws_no_die() -> None:
    fight = Fight(being("a", (1, 1)), being("b", (8, 2)), field=ground("secret"), throws=dice("initiative 1 1"))
    fight.hold("b", seconds=60)
    fight.do("a", "search")
    assert fight.used == 2 and fight.second == 12


def test_where_nothing_is_hidden_there_is_no_search() -> None:
    assert "nothing is hidden" in at_the_door("closed").refusal("a", "search")


def test_a_foe_that_comes_into_contact_interrupts() -> None:
    fight = Fight(
        being("a", (3, 1), skills={"lock picking": 99}), being("b", (1, 2)), field=ground("locked"),
        throws=[1, 1, *[2] * 40],
    )  # fmt: skip
    fight.do("a", "pick_lock", target=DOOR)
    fight.do("b", "walk", path=[(2, 2)])
    fight.do("b", "end")
    assert any(note["text"] == "is interrupted" for note in fight.all("note"))
    assert fight.now.doors == ("locked",) and "a" in fight.waiting and fight.second < 11


def test_who_is_engaged_has_no_time_for_locks() -> None:
    fight = at_the_door("locked", b=(2, 2), skills={"lock picking": 99})
    fight.hold("a", seconds=1)
    assert fight.waiting == ["a"] and "engaged" in fight.refusal("a", "pick_lock", target=DOOR)


def test_the_odds_of_a_task_are_exact() -> None:
    fight = at_the_door("locked", skills={"lock picking": 30})

    def chance(do: str) -> float:
        odds = fight.rules.odds(fight.now, fight._action("a", do, {"target": DOOR}))
        assert odds is not None and abs(sum(p for _, p in odds.outcomes) - 1) < 1e-9
        return odds.hit

    assert chance("pick_lock") == pytest.approx(0.70)
    assert 0.45 < chance("force") < 0.5, "a tie is the door's"
    hidden = at_the_door("secret", thief=True)
    odds = hidden.rules.odds(hidden.now, hidden._action("a", "search", {}))
    assert odds is not None and odds.hit == pytest.approx(1 / 3)


def test_planners_are_told_how_a_locked_way_opens() -> None:
    fight = at_the_door("locked", skills={"lock picking": 30})
    aims = {
        m.action.do: m.chance
        for m in advisor_of(fight.rules).measures(fight.now, fight._decision("a"))
        if isinstance(m, Pass)
    }
    assert aims["pick_lock"] == pytest.approx(0.7) and 0.45 < aims["force"] < 0.5


def told(fight: Fight) -> list[str]:
    """The story of doors and tasks."""
    kinds = {"note": Note, "check": Check, "contest": Contest, "challenge": Challenge, "door": Door}
    events = [msgspec.convert(e, kinds[e["event"]]) for e in fight.events if e["event"] in kinds]
    lines = [fight.rules.tell(fight.now, event) for event in events]
    return [line for line in lines if line]


def test_what_comes_of_a_task_is_told() -> None:
    fight = at_the_door("locked", 5, 12)
    fight.do("a", "force", target=DOOR)
    assert told(fight) == [
        "a sets to breaking the door.",
        "a sets a shoulder to the door: 12 against 5, it bursts open.",
    ]
    fight = at_the_door("locked", 70, skills={"lock picking": 30})
    fight.do("a", "pick_lock", target=DOOR)
    assert told(fight)[-1] == "a, lock picking: 30 against 30, the lock gives way."
    fight.do("a", "open", target=DOOR)
    assert told(fight)[-1] == "a opens the door."


def test_a_search_is_told_whatever_it_finds() -> None:
    fight = at_the_door("secret", 1)
    fight.do("a", "search")
    assert told(fight)[-1] == "a finds a secret door."
    fight = at_the_door("secret", 6)
    fight.do("a", "search")
    assert told(fight)[-1] == "a finds nothing hidden."
    field = Field.from_rows(["#############", "#....+......#", "#############"])
    door = msgspec.structs.replace(field.doors[0], state="secret")
    far = msgspec.structs.replace(field, doors=(door,))
    fight = Fight(being("a", (1, 1)), being("b", (11, 1)), field=far, throws=dice("initiative 1 1"))
    fight.hold("b", seconds=60)
    fight.do("a", "search")
    assert told(fight)[-1] == "a finds nothing hidden."


def test_an_open_door_is_closed_unless_somebody_stands_in_it() -> None:
    fight = at_the_door("open")
    fight.do("a", "close", target=DOOR)
    assert [event["state"] for event in fight.all("door")] == ["closed"]
    crowded = at_the_door("open", b=(4, 1))
    assert "somebody stands in the doorway" in crowded.refusal("a", "close", target=DOOR)
