"""How each kind of goal stands, judged by who stands where, who has fallen, and who has left with what."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from rules.board.bitboard import board_of
from rules.board.fixtures import Challenge, Door, Goal
from rules.board.grid import Field
from rules.contract.events import Challenge as Opened
from rules.contract.events import Door as DoorTold
from rules.contract.events import Event, Item
from rules.contract.events import Goal as Told
from rules.contract.units import EMPTY, Bitboard, Cell, CreatureIx
from rules.explore import goals
from rules.explore.goals import DONE, FAILED, NOT_HELD, OPEN, Aims, Moment, Piece, Stands

ROOM = Field.from_rows(["######", "#....#", "#....#", "######"])
MARK = (ROOM.cell(4, 1),)
EXIT = board_of([ROOM.cell(1, 1)])


def field(*wanted: Goal, exits: Bitboard = EXIT, **more: Any) -> Field:
    return Field(ROOM.width, ROOM.height, ROOM.ground, opaque=ROOM.opaque, goals=wanted, exits=exits, **more)


def piece(name: str, at: tuple[int, int] | None = (2, 1), **more: Any) -> Piece:
    """Somebody up, of the heroes by a small h."""
    side = "heroes" if name.startswith("h") else "monsters"
    cells = board_of([ROOM.cell(*at)] if at is not None else [])
    return Piece(name, side, cells, **{"up": True, "dead": False, "fallen": False, **more})


def moment(*pieces: Piece, clock: int = 0, fighting: bool = False, **more: Any) -> Moment:
    return Moment(pieces, more.pop("doors", ()), more.pop("challenges", ()), clock, fighting, **more)


def aims(where: Field, **more: Any) -> Aims:
    count = len(where.goals)
    return Aims((OPEN,) * count, (NOT_HELD,) * count, has=(-1,) * count, **more)


def judged(where: Field, at: Moment, **more: Any) -> list[Stands]:
    return list(goals.judge(where, aims(where, **more), at).stands)


def test_reach_is_done_by_one_of_the_side_who_is_up_there() -> None:
    where = field(Goal("r", "reach", cells=MARK))
    assert judged(where, moment(piece("h", (4, 1)))) == [DONE]
    assert judged(where, moment(piece("h", (3, 1)))) == [OPEN]
    assert judged(where, moment(piece("h", (4, 1), up=False))) == [OPEN]
    assert judged(where, moment(piece("gob", (4, 1)))) == [OPEN], "somebody else's goal"


def test_hold_counts_rounds_on_end_in_which_nobody_else_stands_there() -> None:
    where = field(Goal("h", "hold", cells=MARK, rounds=3))
    now = aims(where)
    for clock, stands, held in ((0, OPEN, 0), (1, OPEN, 1), (2, OPEN, 2), (3, DONE, 3)):
        now = goals.judge(where, now, moment(piece("h", (4, 1)), clock=clock))
        assert (now.stands[0], now.held[0]) == (stands, held)
    broken = goals.judge(where, aims(where), moment(piece("h", (4, 1)), clock=0))
    broken = goals.judge(where, broken, moment(piece("h", (4, 1)), piece("gob", (4, 1)), clock=2))
    assert broken.held == (NOT_HELD,), "contested"
    broken = goals.judge(where, broken, moment(piece("h", (4, 1)), clock=3))
    assert broken.held == (0,), "from the beginning again"


def test_unseen_is_lost_when_it_comes_to_blows_and_done_there_or_by_an_exit() -> None:
    there, away = field(Goal("u", "unseen", cells=MARK)), field(Goal("u", "unseen"))
    assert judged(there, moment(piece("h", (4, 1)), piece("gob", (1, 2)))) == [DONE]
    assert judged(there, moment(piece("h", (1, 1)))) == [OPEN], "the exit is not where it has to be"
    assert judged(away, moment(piece("h", (1, 1)))) == [DONE]
    assert judged(away, moment(piece("h", None)), away=1) == [DONE], "gone already"
    assert judged(there, moment(piece("h", (4, 1)), piece("gob", (1, 2)), fighting=True)) == [FAILED]
    assert judged(there, moment(piece("h", (4, 1)), piece("gob", (1, 2), up=False), fighting=True)) == [DONE]


@pytest.mark.parametrize(
    ("events", "has"),
    [
        ([Item(by="h0", item="crown", how="picked_up")], 0),
        ([Item(by="h0", item="crown", how="picked_up"), Item(by="h0", item="crown", how="dropped")], -1),
        ([Item(by="h1", item="crown", how="readied")], -1),
        ([Item(by="h1", item="cup", how="picked_up")], -1),
        ([Opened(by="h1", challenge="c", kind="chest", state="open", at=(1, 1), contents="3 coins, crown")], 1),
        ([Opened(by="h1", challenge="c", kind="chest", state="open", at=(1, 1), contents="crowns")], -1),
    ],
)
def test_who_has_the_thing_is_known_by_what_happened(events: list[Event], has: int) -> None:
    where = field(Goal("f", "fetch", "crown"))
    found = goals.judge(where, aims(where), moment(piece("h0"), piece("h1"), events=events))
    assert found.has == (has,) and found.stands == (OPEN,)


def test_a_chest_whose_treasure_falls_to_the_floor_gives_it_to_nobody() -> None:
    where = field(Goal("f", "fetch", "crown"))
    opened = Opened(by="h0", challenge="c", kind="chest", state="open", at=(1, 1), contents="crown")
    assert goals.judge(where, aims(where), moment(piece("h0"), events=[opened], floor=("crown",))).has == (-1,)


def test_fetch_is_done_when_who_has_it_has_left() -> None:
    where = field(Goal("f", "fetch", "crown"))
    taken = msgspec.structs.replace(aims(where), has=(1,))
    gone = [goals.judge(where, msgspec.structs.replace(taken, away=bits), moment(piece("h0"), piece("h1"))).stands[0]
            for bits in (0, 1, 2)]  # fmt: skip
    assert gone == [OPEN, OPEN, DONE]
    carried = moment(piece("h0", carries=("crown",)))
    assert judged(where, carried, away=1) == [DONE] and judged(where, carried) == [OPEN]


def test_out_is_done_when_all_who_live_have_left_but_prisoners() -> None:
    where = field(Goal("o", "out"))
    both = (piece("h0"), piece("h1"))
    assert judged(where, moment(*both), away=1) == [OPEN] and judged(where, moment(*both), away=3) == [DONE]
    assert judged(where, moment(piece("h0"), piece("h1", dead=True)), away=1) == [DONE]
    assert judged(where, moment(piece("h0", dead=True))) == [OPEN], "nobody left to get out"
    bound = ((CreatureIx(1), Cell(9)),)
    assert judged(where, moment(*both), away=1, bound=bound) == [DONE]


def test_free_is_done_when_the_prisoner_is_unbound_and_lost_when_it_is_dead() -> None:
    where, bound = field(Goal("f", "free", "cap")), ((CreatureIx(1), Cell(9)),)
    assert judged(where, moment(piece("h"), piece("cap")), bound=bound) == [OPEN]
    assert judged(where, moment(piece("h"), piece("cap"))) == [DONE]
    assert judged(where, moment(piece("h"), piece("cap", dead=True)), bound=bound) == [FAILED]
    assert judged(where, moment(piece("h"))) == [FAILED], "nobody is called so"


def test_end_of_somebody_is_done_by_its_fall_and_lost_by_its_escape() -> None:
    where = field(Goal("e", "end", "boss"))
    assert judged(where, moment(piece("h"), piece("boss"))) == [OPEN]
    assert judged(where, moment(piece("h"), piece("boss", fallen=True))) == [DONE]
    assert judged(where, moment(piece("h"), piece("boss")), away=2) == [FAILED]


def test_end_of_a_door_is_how_it_stands() -> None:
    door = Door("gate", ROOM.cell(3, 1))

    def stands(state: str, wanted: str = "", events: tuple[Event, ...] = ()) -> Stands:
        where = field(Goal("e", "end", "gate", state=wanted), doors=(door,))
        return judged(where, moment(piece("h"), doors=(state,), events=events))[0]

    assert stands("closed") is OPEN and stands("open") is DONE
    assert stands("open", "closed") is OPEN
    assert [stands(state, "closed") for state in ("closed", "locked", "barred")] == [DONE] * 3
    assert stands("open", "broken") is OPEN
    assert stands("open", "broken", (DoorTold(door="gate", state="broken"),)) is DONE
    assert stands("open", "broken", (DoorTold(door="other", state="broken"),)) is OPEN
    assert stands("open", "broken", (DoorTold(door="gate", state="open"),)) is OPEN


@pytest.mark.parametrize(
    ("kind", "wanted", "state", "done"),
    [
        ("trap", "", "disarmed", True), ("trap", "", "sprung", False), ("trap", "broken", "sprung", True),
        ("chest", "", "open", True), ("chest", "", "found", False), ("rubble", "", "cleared", True),
        ("rubble", "", "", False), ("chest", "broken", "disarmed", False),
    ],
)  # fmt: skip
def test_end_of_a_fixture_is_how_it_stands(kind: str, wanted: str, state: str, done: bool) -> None:
    one = Challenge("it", kind, (ROOM.cell(3, 1),))
    where = field(Goal("e", "end", "it", state=wanted), challenges=(one,))
    assert judged(where, moment(piece("h"), challenges=(state,))) == [DONE if done else OPEN]
    assert judged(where, moment(piece("h"))) == [OPEN], "a ruleset that plays no fixtures"


def test_a_goal_counts_only_once_those_it_needs_are_done_and_is_lost_with_them() -> None:
    first, second = Goal("b", "reach", cells=MARK, needs=("a",)), Goal("a", "free", "cap")
    where, bound = field(first, second), ((CreatureIx(1), Cell(9)),)
    there = piece("h", (4, 1))
    assert judged(where, moment(there, piece("cap")), bound=bound) == [OPEN, OPEN]
    assert judged(where, moment(there, piece("cap"))) == [DONE, DONE], "in whatever order they stand"
    assert judged(where, moment(there, piece("cap", dead=True)), bound=bound) == [FAILED, FAILED]


def test_what_is_done_or_lost_stays_so() -> None:
    where = field(Goal("r", "reach", cells=MARK), Goal("f", "free", "cap"))
    now = msgspec.structs.replace(aims(where), stands=(DONE, FAILED))
    assert goals.judge(where, now, moment(piece("h"), piece("cap"))).stands == (DONE, FAILED)


def test_an_evening_is_won_when_all_that_must_be_is_done_and_nobody_of_the_side_is_still_there() -> None:
    must, may = Goal("m", "reach", cells=MARK), Goal("o", "reach", cells=MARK, optional=True)
    where = field(must, may)
    done = msgspec.structs.replace(aims(where), stands=(DONE, OPEN))
    both = [piece("h0"), piece("h1")]
    assert goals.winner(where, done, both) is None
    one_left = msgspec.structs.replace(done, away=1)
    assert goals.winner(where, one_left, [piece("h0", None), piece("h1")]) is None
    assert goals.winner(where, one_left, [piece("h0", None), piece("h1", up=False)]) == "heroes"
    assert (
        goals.winner(where, msgspec.structs.replace(done, away=3), [piece("h0", None), piece("h1", None)]) == "heroes"
    )
    assert goals.winner(field(must, may, exits=EMPTY), done, both) == "heroes", "no exit: where they stand"
    assert goals.winner(where, aims(where), both) is None
    only = field(may)
    assert not goals.achieved(only, msgspec.structs.replace(aims(only), stands=(DONE,)), "heroes"), (
        "nothing had to be done"
    )


def test_on_one_level_of_a_place_goals_about_others_are_left_out_and_no_longer_needed() -> None:
    one = Challenge("it", "trap", (ROOM.cell(3, 1),))
    wanted = (
        Goal("boss", "end", "boss"), Goal("trap", "end", "it"), Goal("cap", "free", "cap", needs=("boss",)),
        Goal("mark", "reach", cells=MARK, needs=("boss", "trap")), Goal("crown", "fetch", "crown"), Goal("out", "out"),
    )  # fmt: skip
    where = field(*wanted, challenges=(one,))
    assert [goal.name for goal in goals.about(where, {"boss", "cap"}).goals] == [goal.name for goal in wanted]
    alone = goals.about(where, {"cap"})
    assert [goal.name for goal in alone.goals] == ["trap", "cap", "mark", "crown", "out"]
    assert [goal.needs for goal in alone.goals] == [(), (), ("trap",), (), ()]
    inside = goals.about(field(*wanted, challenges=(one,), exits=EMPTY), {"boss", "cap"})
    assert [goal.name for goal in inside.goals] == ["boss", "trap", "cap", "mark"]


def test_a_side_knows_neither_others_goals_nor_prisoners_whom_it_does_not_see() -> None:
    where = field(Goal("a", "reach", cells=MARK), Goal("b", "hold", cells=MARK, rounds=2, side="monsters"))
    seen, unseen = Cell(9), Cell(10)
    now = Aims((DONE, DONE), (NOT_HELD, 1), bound=((CreatureIx(0), seen), (CreatureIx(1), unseen)))
    known = goals.known(now, ["heroes"], where, 1 << seen)
    assert (known.stands, known.held, known.bound) == ((DONE, OPEN), (NOT_HELD, NOT_HELD), ((CreatureIx(0), seen),))


@pytest.mark.parametrize(
    ("goal", "label"),
    [
        (Goal("g", "reach", cells=MARK, text="To the altar!"), "To the altar!"),
        (Goal("g", "fetch", "crown"), "Carry out: crown"),
        (Goal("g", "free", "cap"), "Free Cap"),
        (Goal("g", "end", "boss"), "Put an end to Boss"),
        (Goal("g", "hold", cells=MARK, rounds=1), "Hold the marked ground for 1 round"),
        (Goal("g", "hold", cells=MARK, rounds=3), "Hold the marked ground for 3 rounds"),
        (Goal("g", "reach", cells=MARK), "Get to the marked spaces"),
        (Goal("g", "unseen", cells=MARK), "Get there unseen"),
        (Goal("g", "unseen"), "Get away unseen"),
        (Goal("g", "out"), "Get everybody out"),
    ],
)
def test_what_a_goal_is_called(goal: Goal, label: str) -> None:
    assert str(goals.label(goal, str.capitalize)) == label


def test_who_was_bound_stands_up_on_the_nearest_free_space() -> None:
    terrain, there = ROOM.terrain(0), ROOM.cell(2, 1)
    assert goals.refuge(terrain, there, EMPTY) == there
    assert goals.refuge(terrain, there, board_of([there])) == ROOM.cell(1, 1)
    everything = board_of(ROOM.cells)
    assert goals.refuge(terrain, there, everything) == there


def test_a_goal_that_is_done_or_lost_is_told_and_one_that_opens_is_not() -> None:
    where = field(Goal("r", "reach", cells=MARK, text="To the altar!"))
    state = SimpleNamespace(setup=SimpleNamespace(field=where))
    lines = [goals.tell(state, [], Told(goal=name, kind="reach", side="heroes", state=word))
             for name, word in (("r", "done"), ("r", "failed"), ("r", "open"), ("x", "done"))]  # fmt: skip
    assert lines == ["Goal reached: To the altar!.", "Goal lost: To the altar!.", "", ""]
