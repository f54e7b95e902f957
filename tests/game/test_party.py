"""The heroes as one party: marching order, ways turn by turn, doors on them, and what an order stops at."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from game.fight.match import Match
from game.party.company import Company
from game.party.foresight import hazard
from game.party.noticing import stopped_by
from game.party.orders import Going, Halt, Next, Order, Waiting, Working, spread_out, turns_of
from game.party.rooms import room_of, shut_doors
from game.party.table import Table
from rules.board.bitboard import cells_of
from rules.contract import events as ev
from rules.contract.actions import Action
from rules.contract.units import EMPTY
from tests.game.hotseat_table import being

ROWS = [
    "##############################",
    "#.....#............#.........#",
    "#.....#............#.........#",
    "#.....+............#.........#",
    "#.....#............#.........#",
    "###.#####.####################",
    "###.#   #.#                   ",
    "###.#####.####                ",
    "###..........#                ",
    "##############                ",
]
PARTY = ["ada", "bo", "cy", "di"]


def played(rows: list[str] = ROWS, foe: tuple[int, int] = (27, 1), **gob: Any) -> Match:
    """Four heroes in the first room, a goblin behind a wall."""
    heroes = [being(name.title(), "heroes", (1 + n, 1)) for n, name in enumerate(PARTY)]
    return Match.from_record({
        "format": "battlemat/1", "ruleset": "olde", "options": {"explore": True}, "map": {"rows": rows}, "seed": 3,
        "creatures": [*heroes, being("Gob", "monsters", foe, controller="ai", **gob)], "commands": [],
    })  # fmt: skip


def seen(match: Match) -> Table:
    """What the heroes know without fog: everything."""
    ours = [decision for decision in match.decisions if decision.side == "heroes"]
    return Table(match.ruleset, match.state, match.board(), ~EMPTY, ours)


def carried_out(match: Match, order: Order, most: int = 200) -> str:
    """Why it ended; empty where it was carried out."""
    for _ in range(most):
        found: Next = order.next(seen(match))
        if isinstance(found, Halt):
            return found.why
        assert isinstance(found, Action)
        match.act(next(d for d in match.decisions if d.by == found.by), found)
    raise AssertionError("it never ended")


def spaces(match: Match) -> dict[str, tuple[int, int]]:
    return {mini.id: match.field.at(mini.cell) for mini in match.board().miniatures}


def going(match: Match, column: int, row: int, manner: str = "walk", names: list[str] | None = None) -> Going:
    names = names or PARTY
    start = next(mini.cell for mini in match.board().miniatures if mini.id == names[0])
    return Going(names, match.field.cell(column, row), manner, start)


def test_those_who_are_not_named_go_behind_in_the_order_of_the_record() -> None:
    company = Company(("cy", "ada"))
    assert company.marching(PARTY) == ["cy", "ada", "bo", "di"]
    assert company.with_apart("ada", True).group(PARTY) == ["cy", "bo", "di"]
    assert company.with_apart("ada", True).with_apart("ada", False).group(PARTY) == ["cy", "ada", "bo", "di"]
    assert company.led_by("di", PARTY).group(PARTY)[0] == "di"
    assert company.moved("cy", 2, PARTY).marching(PARTY) == ["ada", "bo", "cy", "di"]


def test_the_party_comes_together_around_the_leader_in_a_room() -> None:
    match = played()
    assert carried_out(match, going(match, 12, 2)) == ""
    stand = spaces(match)
    assert stand["ada"] == (12, 2)
    for name in PARTY[1:]:
        column, row = stand[name]
        assert max(abs(column - 12), abs(row - 2)) <= 2, f"{name} stands near"


def test_a_closed_door_on_the_way_is_opened_by_the_leader() -> None:
    match = played()
    carried_out(match, going(match, 12, 2))
    opened = [c for c in match.record.commands if c.do == "open"]
    assert [(c.by, c.target) for c in opened] == [("ada", "door 6,3")]


def test_in_a_corridor_they_go_in_file_in_marching_order() -> None:
    match = played()
    assert carried_out(match, going(match, 3, 7)) == ""
    stand = spaces(match)
    assert [stand[name] for name in PARTY] == [(3, 7), (3, 6), (3, 5), (3, 4)]


def test_everything_is_an_ordinary_command_that_a_replay_repeats() -> None:
    match = played()
    carried_out(match, going(match, 12, 2))
    again = Match.from_record(match.record)
    assert again.ruleset.summary(again.state) == match.ruleset.summary(match.state)
    assert {c.do for c in match.record.commands} <= {"walk", "open", "end"}


def test_a_turn_is_let_pass_only_where_the_order_needs_the_next_one() -> None:
    match = played()
    carried_out(match, going(match, 3, 2))
    assert all(command.do != "end" for command in match.record.commands)
    assert match.board().banner == "Exploration, minute 1"


def test_who_was_taken_out_of_the_group_waits_while_the_others_need_more_turns() -> None:
    match = played()
    assert carried_out(match, going(match, 12, 2, names=PARTY[:3])) == ""
    assert spaces(match)["di"] == (4, 1)
    waited = [command for command in match.record.commands if command.by == "di"]
    assert waited and {command.do for command in waited} == {"end"}


def test_the_leader_waits_for_who_is_far_behind() -> None:
    match = played()
    assert carried_out(match, going(match, 12, 2, names=["ada"])) == ""
    carried_out(match, going(match, 17, 2))
    stand = spaces(match)
    assert stand["ada"] == (17, 2)
    assert all(max(abs(stand[n][0] - 17), abs(stand[n][1] - 2)) <= 2 for n in PARTY[1:])


def test_what_was_foreseen_is_what_happens() -> None:
    match = played()
    order = going(match, 12, 2)
    course = order.march.foresee(seen(match))
    assert course is not None
    assert course.doors == ("door 6,3",)
    assert course.way[-1] == match.field.cell(12, 2)
    carried_out(match, order)
    assert match.board().banner == f"Exploration, minute {course.turns}", "its last turn is not over for all"
    assert spaces(match)["ada"] == match.field.at(course.ends["ada"])


def test_no_way_leads_through_a_locked_door_or_onto_unknown_ground() -> None:
    match = played()
    match.record.map.doors = {"door 6,3": "locked"}
    locked = Match.from_record(match.record)
    order = going(locked, 12, 4)
    course = order.march.foresee(seen(locked))
    assert course is not None and course.doors == ()
    assert locked.field.cell(6, 3) not in course.way, "the long way round"
    table = seen(locked)
    blind = Table(table.ruleset, table.state, table.board, 1 << table.minis["ada"].cell, list(table.decisions.values()))
    assert order.march.foresee(blind) is None


def test_an_order_that_leads_nowhere_is_given_up() -> None:
    match = played()
    order = going(match, 24, 3)
    assert order.march.foresee(seen(match)) is None
    assert carried_out(match, order).startswith("No way") and not match.record.commands


def test_in_a_dead_end_the_party_turns_about() -> None:
    wall = "#" * 20
    rows = [wall + "####", f"#........{wall[:13]}.#", *[f"####.{wall[:19]}"] * 4, wall + "####"]
    match = played(rows, (22, 1))
    assert carried_out(match, going(match, 4, 5)) == ""
    assert spaces(match)["ada"] == (4, 5)
    out = going(match, 1, 1, "sneak")
    course = out.march.foresee(seen(match))
    assert course is not None
    before = len(match.record.commands)
    assert carried_out(match, out) == ""
    assert spaces(match)["ada"] == (1, 1)
    assert len(match.record.commands) - before < 60


def test_difficult_ground_slows_the_party_and_stops_nobody() -> None:
    rows = ["##############.#", "#.....~~~~...#.#", "######~~~~...#.#", "##############.#"]
    match = played([row + "#" * 14 for row in rows], (14, 1))
    order = going(match, 12, 1, "sneak")
    course = order.march.foresee(seen(match))
    assert course is not None and course.way[-1] == course.ends["ada"]
    assert course.turns >= 5
    assert carried_out(match, order) == ""
    assert not course.whole, "others have to make way first: it is told as about so many"
    assert spaces(match)["ada"] == (12, 1)


HALL = [
    "####################",
    "#.....#............#",
    "#.....#............#",
    "#.....+............#",
    "#..................#",
    "####################",
]


def test_the_chance_to_be_noticed_is_the_whole_partys() -> None:
    match = played(HALL, (12, 4), savvy=1, nerve=1)
    table = seen(match)
    ada = going(match, 5, 4, "sneak", ["ada"]).march
    alone = hazard(table, ada.foresee(table), "sneak")  # type: ignore[arg-type]
    whole = going(match, 5, 4, "sneak").march
    together = hazard(table, whole.foresee(table), "sneak")  # type: ignore[arg-type]
    assert alone is not None and together is not None
    assert 0.0 < alone.chance < together.chance < 1.0
    assert not together.exact and together.told().startswith("at most")
    openly = hazard(table, going(match, 5, 4).march.foresee(table), "walk")  # type: ignore[arg-type]
    assert openly is not None and openly.chance == 1.0 and openly.told() == "100 %"


def test_one_leg_at_risk_is_told_exactly() -> None:
    match = played(HALL, (12, 4), savvy=1, nerve=1)
    table = seen(match)
    march = going(match, 4, 4, "sneak", ["ada"]).march
    course = march.foresee(table)
    assert course is not None and course.turns == 1
    risk = hazard(table, course, "sneak")
    odds = match.ruleset.odds(match.state, Action("ada", "sneak", path=course.legs[0].path))
    assert risk is not None and odds is not None
    assert risk.exact and risk.chance == odds.along[-1][1]


def test_a_room_is_searched_by_all_of_them_spread_out_over_it() -> None:
    match = played()
    table = seen(match)
    hall = match.field.cell(12, 2)
    room = room_of(table, hall)
    assert {match.field.at(c)[0] for c in cells_of(room)} >= set(range(7, 19))
    assert not room >> match.field.cell(2, 2) & 1, "it ends at the door"
    carried_out(match, going(match, 12, 2))
    table = seen(match)
    room = room_of(table, hall)
    tasks = spread_out(table, PARTY, room, "search", "walk")
    covered = 0
    for task in tasks:
        covered |= table.terrain.within(next(iter(cells_of(task.spots))), 4)
    assert not room & ~covered
    assert len({task.who for task in tasks}) > 1
    before = len(match.record.commands)
    assert carried_out(match, Working(PARTY, tasks, "walk")) == ""
    assert sum(c.do == "search" for c in match.record.commands[before:]) == len(tasks)
    assert turns_of(table, tasks, "walk") <= 4


AISLE = [
    "###############",
    "#....#......###",
    "#....#......###",
    "###########.###",
    "###########.###",
    "####.........##",
    "####.##########",
    "####.##########",
    "###############",
    *[" " * 15] * 25,
    "###" + " " * 12,
    "#.#" + " " * 12,
    "###" + " " * 12,
]
"""A narrow way, and far off somebody who knows of nothing."""


@pytest.mark.parametrize("file", list(permutations(range(4))))
def test_in_a_narrow_aisle_whoever_stands_in_the_way_searches_instead(file: tuple[int, ...]) -> None:
    stood = [(4, 7), (5, 5), (4, 5), (4, 6)]
    heroes = [being(name.title(), "heroes", stood[at]) for name, at in zip(PARTY, file, strict=True)]
    match = Match.from_record({
        "format": "battlemat/1", "ruleset": "olde", "options": {"explore": True}, "map": {"rows": AISLE}, "seed": 3,
        "creatures": [*heroes, being("Gob", "monsters", (1, 35), controller="ai", surprised=True)], "commands": [],
    })  # fmt: skip
    table = seen(match)
    tasks = spread_out(table, PARTY, room_of(table, match.field.cell(4, 5)), "search", "sneak")
    assert carried_out(match, Working(PARTY, tasks, "sneak")) == ""
    assert sum(c.do == "search" for c in match.record.commands) == len(tasks)


def test_the_shut_doors_of_a_room_are_known() -> None:
    match = played()
    table = seen(match)
    assert shut_doors(table, room_of(table, match.field.cell(2, 2))) == ["door 6,3"]


def test_all_wait_is_one_turn_of_everybody() -> None:
    match = played()
    assert carried_out(match, Waiting(PARTY)) == ""
    assert [(c.by, c.do) for c in match.record.commands] == [(name, "end") for name in PARTY]
    assert match.board().banner == "Exploration, minute 2"


def test_who_has_had_its_turn_waits_no_second_one_with_the_others() -> None:
    match = played()
    match.act(next(d for d in match.decisions if d.by == PARTY[0]), Action(PARTY[0], "end"))
    assert carried_out(match, Waiting(PARTY)) == ""
    assert [c.by for c in match.record.commands] == list(PARTY), "nobody has waited in the second minute"


def test_a_party_stops_at_what_is_noticed_and_not_at_its_own_routine() -> None:
    match = played()
    board, own = match.board(), set(PARTY)
    walked = ev.Moved(by="ada", mode="walk", start=(1, 1), path=((2, 1),))
    assert stopped_by([walked, ev.Began(what="minute", number=2)], board, board, own) is None
    assert stopped_by([ev.Began(what="fight")], board, board, own) == ""
    trap = ev.Challenge(by="ada", challenge="pit", kind="trap", state="found", at=(1, 1))
    assert stopped_by([trap], board, board, own) == "Something is found."
    assert stopped_by([ev.Note(text="A bell tolls.")], board, board, own) == "A bell tolls."
    assert stopped_by([ev.Note(text="All is quiet.", passing=True)], board, board, own) is None
    patrol = ev.Moved(by="gob", mode="walk", start=(27, 1), path=((26, 1),))
    assert "Gob" in (stopped_by([patrol], board, board, own) or "")
    import msgspec

    unseen = msgspec.structs.replace(board, miniatures=tuple(m for m in board.miniatures if m.id != "gob"))
    assert "Gob" in (stopped_by([walked], unseen, board, own) or "")
    assert stopped_by([walked], board, unseen, own) is None, "who goes out of sight stops nobody"


def test_who_keeps_out_of_sight_or_lights_a_light_stops_nobody() -> None:
    board, own = played().board(), set(PARTY)
    crept = ev.Moved(by="ada", mode="sneak", start=(1, 1), path=((2, 1),))
    quiet = ev.Check(
        by="ada", what="DEX save: keep out of sight", roll=ev.Roll("", "1d20", (), 3), rating=9, success=True
    )
    assert stopped_by([quiet, crept], board, board, own) is None
    assert "notices" in (stopped_by([quiet], board, board, own) or ""), (
        "where it stands it has heard or found something"
    )
    lit = ev.Condition(target="ada", condition="unlit", gained=False)
    assert stopped_by([lit], board, board, own) is None
    assert stopped_by([ev.Condition(target="ada", condition="poisoned", gained=True)], board, board, own) == ""


def test_finding_something_ends_a_search_and_keeping_quiet_ends_nothing() -> None:
    board = played().board()
    own = set(PARTY)
    found = ev.Contest(by="ada", target="ada", what="Search", rolls=(), success=True)
    assert stopped_by([found], board, board, own, seeks=True)
    assert stopped_by([found], board, board, own) is None
    crept = ev.Moved(by="ada", mode="sneak", start=(1, 1), path=((2, 1),))
    assert stopped_by([found, crept], board, board, own, seeks=True) is None, "on its way it sneaks, and seeks nothing"
