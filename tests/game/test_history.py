"""Taking back: free until something was learnt; past that a rewind that is logged and keeps the other line."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from game.controllers.ai import AiController
from game.fight.history import told
from game.fight.match import Match
from game.fight.seats import Seats
from rules.contract.actions import Action, Decision
from rules.contract.errors import BattlematError, RecordError, ThrowNeeded
from rules.core import record as records

ROWS = ["############", "#..........#", "#..........#", "#....###...#", "#..........#", "############"]


def opening(gob_at: tuple[int, int] = (8, 1), **more: Any) -> dict[str, Any]:
    """Ada and Bo, played by people, against a goblin of the computer's."""
    fighter: dict[str, Any] = {
        "brawn": 8, "finesse": 9, "savvy": 5, "nerve": 5, "size": "medium", "skills": {"Swords": "Master"},
        "weapons": ["broadsword"], "side": "heroes", "controller": "human",
    }  # fmt: skip
    gob = {
        "id": "gob", "name": "Grib", "side": "monsters", "at": list(gob_at), "controller": "ai", "brawn": 5,
        "finesse": 4, "savvy": 3, "nerve": 4, "size": "small", "skills": {"Maces": "Apprentice"}, "weapons": ["baton"],
    }  # fmt: skip
    return {
        "format": "battlemat/1", "ruleset": "olde", "options": {}, "map": {"rows": ROWS}, "seed": 7,
        "creatures": [
            {"id": "ada", "name": "Ada", "at": [1, 1], **fighter},
            {"id": "bo", "name": "Bo", "at": [1, 2], **fighter},
            gob,
        ],
        "commands": [], **more,
    }  # fmt: skip


def do(match: Match, do: str, **needs: Any) -> None:
    """Whoever's decision stands open does something; cells as `[column, row]`."""
    decision = match.decision
    assert decision is not None
    command = records.Command(by=decision.by, do=do, **needs)
    match.act(decision, records.action_of(command, match.field, 0))


def computer(match: Match) -> int:
    """Let the computer act as long as it is asked; how many commands that took."""
    count = 0
    while (decision := match.decision) is not None and Seats(match.record).answering(decision) is None:
        match.act(decision, advised(match, decision))
        count += 1
    return count


def advised(match: Match, decision: Decision) -> Action:
    seen = match.observe(decision.side)
    return AiController().choose(match.ruleset, seen, decision, match.ruleset.legal(seen, decision))


def until(match: Match, who: str) -> None:
    """Everybody gives up the chance until it is this one's."""
    for _ in range(20):
        assert match.decision is not None
        if match.decision.by == who:
            return
        do(match, "end")
    raise AssertionError(f"{who} never gets a chance")


def walked(match: Match) -> int:
    """A step of one space along the row to the east; its command's number."""
    decision = match.decision
    assert decision is not None
    column, row = next((m.cell % 12, m.cell // 12) for m in match.board().miniatures if m.id == decision.by)
    do(match, "step", path=[[column + 1, row]])
    return len(match.record.commands) - 1


def played_again(match: Match) -> Match:
    """The same record, written to JSON and played from its start, strictly."""
    text = json.dumps(records.document(match.record))
    return Match.from_record(json.loads(text), strict_throws=match.record.throws is not None)


def same(match: Match) -> None:
    """The state shown is the one that the record leads to."""
    again = played_again(match)
    assert again.ruleset.summary(again.state) == match.ruleset.summary(match.state)
    assert again.events == match.events
    assert [(m.events, m.dice) for m in again.history.moments] == [(m.events, m.dice) for m in match.history.moments]


def test_before_the_first_decision_of_a_person_nothing_can_be_taken_back() -> None:
    record = opening()
    record["creatures"][2]["finesse"] = 10
    for seed in range(30):
        match = Match.from_record({**record, "seed": seed})
        if computer(match):
            break
    assert match.history.length, "the goblin came first"
    assert list(match.history.points()) == []
    do(match, "end")
    assert list(match.history.points()) == [match.history.length - 1]


def test_a_move_is_taken_back_for_free_and_done_again() -> None:
    match = Match.from_record(opening())
    before = match.ruleset.summary(match.state)
    number = walked(match)
    after = match.ruleset.summary(match.state)
    past = match.history.look_back(next(match.history.points()))
    assert (past.to, past.commands, past.dice, past.free) == (number, 1, 0, True)
    match.history.undo(past.to)
    assert match.ruleset.summary(match.state) == before
    assert match.record.commands == []
    same(match)
    match.history.redo()
    assert match.ruleset.summary(match.state) == after
    assert not match.history.undone
    same(match)


def test_several_moves_are_taken_back_one_by_one() -> None:
    match = Match.from_record(opening())
    walked(match)
    do(match, "end")
    assert match.decision is not None
    assert match.decision.side == "heroes"
    walked(match)
    for left in (2, 1, 0):
        match.history.undo(next(match.history.points()))
        assert len(match.record.commands) == left
    assert list(match.history.points()) == []
    for _ in range(3):
        match.history.redo()
    assert len(match.record.commands) == 3
    same(match)


def test_dice_make_taking_back_a_rewind() -> None:
    match = Match.from_record(opening(gob_at=(2, 1)))
    until(match, "ada")
    start = len(match.record.commands)
    do(match, "attack", target="gob", weapon="broadsword")
    past = match.history.look_back(start)
    assert past.dice >= 2
    assert not past.free
    assert past.before == "Ada's attack"
    assert past.told() == f"1 command and {past.dice} dice, back to before Ada's attack"
    with pytest.raises(BattlematError, match="rewind instead"):
        match.history.undo(start)
    assert len(match.record.commands) == start + 1


def test_a_rewind_is_logged_and_keeps_the_other_line() -> None:
    match = Match.from_record(opening(gob_at=(2, 1)))
    until(match, "ada")
    start = len(match.record.commands)
    do(match, "attack", target="gob", weapon="broadsword")
    command, after = match.record.commands[-1], match.ruleset.summary(match.state)
    match.history.rewind(start)
    assert len(match.record.commands) == start
    [branch] = match.record.branches
    assert (branch.at, branch.commands, branch.title) == (start, [command], "Ada's attack")
    [logged] = match.record.rewinds
    assert told(logged) == f"Rewound: 1 command and {logged.dice} dice, back to before Ada's attack."
    same(match)
    do(match, "end")
    match.history.switch(0)
    assert match.ruleset.summary(match.state) == after
    [other] = match.record.branches
    assert other.commands[0].do == "end"
    assert len(match.record.rewinds) == 2
    same(match)


def test_the_same_deed_after_a_rewind_meets_the_same_dice_and_ends_the_branch() -> None:
    match = Match.from_record(opening(gob_at=(2, 1)))
    until(match, "ada")
    start = len(match.record.commands)
    do(match, "attack", target="gob", weapon="broadsword")
    after = match.ruleset.summary(match.state)
    match.history.rewind(start)
    do(match, "attack", target="gob", weapon="broadsword")
    assert match.ruleset.summary(match.state) == after
    assert match.record.branches == []


def test_a_rewind_can_be_done_again_as_long_as_nothing_else_was_done() -> None:
    match = Match.from_record(opening(gob_at=(2, 1)))
    until(match, "ada")
    do(match, "attack", target="gob", weapon="broadsword")
    after = match.ruleset.summary(match.state)
    match.history.rewind(next(match.history.points()))
    match.history.redo()
    assert match.ruleset.summary(match.state) == after
    assert match.record.branches == []
    match.history.rewind(next(match.history.points()))
    do(match, "end")
    with pytest.raises(BattlematError, match="redo"):
        match.history.redo()
    assert len(match.record.branches) == 1


def test_what_the_computer_did_is_taken_back_with_what_led_to_it() -> None:
    match = Match.from_record(opening())
    until(match, "ada")
    while match.decision is not None and match.decision.side == "heroes":
        last = len(match.record.commands)
        do(match, "end")
    assert computer(match) > 0
    past = match.history.look_back(next(match.history.points()))
    assert past.to == last
    match.history.rewind(past.to)
    assert match.decision is not None
    assert match.decision.side == "heroes"
    same(match)


def test_taking_back_below_a_branch_keeps_the_branch_whole() -> None:
    match = Match.from_record(opening(gob_at=(2, 1)))
    until(match, "ada")
    do(match, "end")
    until(match, "ada")
    start = len(match.record.commands)
    do(match, "attack", target="gob", weapon="broadsword")
    line, after = list(match.record.commands), match.ruleset.summary(match.state)
    match.history.rewind(start)
    match.history.rewind(start - 1)
    do(match, "end") if match.decision and match.decision.by != "ada" else None
    for branch in match.record.branches:
        assert [*match.record.commands[: branch.at], *branch.commands][: len(line)] == line[
            : branch.at + len(branch.commands)
        ]
    longest = max(range(len(match.record.branches)), key=lambda n: len(match.record.branches[n].commands))
    match.history.switch(longest)
    assert match.record.commands == line
    assert match.ruleset.summary(match.state) == after
    same(match)


def test_typed_throws_leave_with_the_branch_and_come_back_with_it() -> None:
    start = Match.from_record(opening(gob_at=(2, 1)))
    dice = start.history.moments[0].dice
    throws = [9, 8, 3, *[None] * (dice - 3)][:dice]
    match = Match.from_record(opening(gob_at=(2, 1), throws=[*throws, 3, 4, 3, 4, 3, 3]))
    assert match.decision is not None
    assert match.decision.by == "ada"
    do(match, "attack", target="gob", weapon="broadsword")
    used = match.history.moments[-1].dice
    assert used > dice
    after, typed = match.ruleset.summary(match.state), list(match.record.throws or [])
    match.history.rewind(0)
    assert match.record.throws == throws
    assert match.record.branches[0].throws == typed[dice:]
    do(match, "attack", target="gob", weapon="broadsword")
    assert len(match.record.throws or []) == match.history.moments[-1].dice, "seeded dice are written as null"
    assert match.record.throws[dice:] == [None] * (len(match.record.throws) - dice)
    same(match)
    match.history.switch(0)
    assert match.ruleset.summary(match.state) == after
    assert match.record.throws == typed
    same(match)


def typed(match: Match, do_it: str, face: int, **needs: Any) -> None:
    """Do something with real dice on the table that all show the same face: each is asked for as it is needed."""
    decision = match.decision
    assert decision is not None
    action = records.action_of(records.Command(by=decision.by, do=do_it, **needs), match.field, 0)
    known = match.ruleset.thrown(match.state)
    throws = [*(match.record.throws or []), *[None] * known][:known]
    while True:
        match.history.now = match.ruleset.with_throws(match.state, tuple(throws), True)
        try:
            match.record.throws = list(throws)
            match.act(decision, action)
            return
        except ThrowNeeded:
            throws.append(face)


def test_dice_typed_in_the_middle_of_a_fight_are_taken_back_and_kept_with_their_branch() -> None:
    match = Match.from_record(opening(gob_at=(2, 1)))
    until(match, "ada")
    start, dice = len(match.record.commands), match.history.moments[-1].dice
    typed(match, "attack", 3, target="gob", weapon="broadsword")
    after, throws = match.ruleset.summary(match.state), list(match.record.throws or [])
    assert throws[:dice] == [None] * dice
    assert set(throws[dice:]) == {3}
    same(match)
    match.history.rewind(start)
    assert match.record.throws == [None] * dice
    typed(match, "attack", 2, target="gob", weapon="broadsword")
    assert set((match.record.throws or [])[dice:]) == {2}
    same(match)
    assert [b.throws for b in match.record.branches] == [throws[dice:]]
    match.history.switch(0)
    assert match.ruleset.summary(match.state) == after
    assert match.record.throws == throws
    same(match)


def test_fog_what_comes_into_sight_is_learnt() -> None:
    rows = ["#########", "#...#...#", "#...#...#", "#.......#", "#########"]
    document = opening(gob_at=(5, 1), map={"rows": rows}, options={"fog": True}, seed=3)
    document["creatures"][2]["surprised"] = True
    document["creatures"][0]["at"], document["creatures"][1]["at"] = [2, 3], [1, 1]
    match = Match.from_record(document)
    until(match, "ada")
    start = len(match.record.commands)
    do(match, "step", path=[[3, 3], [4, 3]])
    past = match.history.look_back(start)
    assert past.seen == ("Grib", "new ground")
    assert not past.free
    assert past.told() == "1 command, back to before Ada's step; seen since: Grib, new ground"
    match.history.rewind(past.to)
    assert len(match.record.branches) == 1
    open_table = Match.from_record({**document, "options": {}})
    until(open_table, "ada")
    do(open_table, "step", path=[[3, 3], [4, 3]])
    assert open_table.history.look_back(start).free, "without fog the whole board lies open"


def test_fog_who_comes_back_into_sight_is_news_again() -> None:
    rows = ["#########", "#...#...#", "#...#...#", "#.......#", "#########"]
    document = opening(gob_at=(6, 3), map={"rows": rows}, options={"fog": True}, seed=3)
    document["creatures"][0]["at"], document["creatures"][1]["at"] = [2, 1], [3, 1]
    document["creatures"][2] |= {"controller": "human", "finesse": 10}
    match = Match.from_record(document)
    until(match, "bo")
    assert "Grib" in {m.name for m in match.ruleset.board(match.observe("heroes")).miniatures}
    start = len(match.record.commands)
    do(match, "end")
    until(match, "gob")
    do(match, "step", path=[[7, 3]])  # out of their sight
    assert match.history.look_back(start).seen == ()
    do(match, "end")
    until(match, "gob")
    do(match, "step", path=[[6, 3]])
    assert "Grib" in match.history.look_back(start).seen


def test_fog_a_way_over_known_ground_is_free() -> None:
    match = Match.from_record(opening(options={"fog": True}))
    walked(match)
    assert match.history.look_back(0).free


def test_a_record_without_branches_is_written_as_before() -> None:
    match = Match.from_record(opening())
    walked(match)
    match.history.undo(0)
    walked(match)
    document = records.document(match.record)
    assert "branches" not in document
    assert "rewinds" not in document


def test_a_branch_must_leave_the_record_where_the_record_is() -> None:
    document = opening(branches=[{"at": 3, "commands": [{"by": "ada", "do": "end"}]}])
    with pytest.raises(RecordError, match=r"branches\[0\]\.at: 3 is beyond the 0 commands"):
        records.read(document)


def test_a_long_name_is_cut_in_titles() -> None:
    document = opening(gob_at=(2, 1))
    document["creatures"][0]["name"] = document["creatures"][1]["name"] = "A" * 3000
    match = Match.from_record(document)
    do(match, "end")
    match.history.rewind(0)
    assert len(match.record.branches[0].title) < 200
    same(match)


def test_a_branch_must_stay_on_the_map() -> None:
    document = opening(branches=[{"at": 0, "commands": [{"by": "ada", "do": "step", "path": [[99, 1]]}]}])
    with pytest.raises(RecordError, match=r"branches\[0\]\.commands\[0\] \(by ada, do step\): path: \[99, 1\] is off"):
        Match.from_record(document)


def test_a_branch_that_cannot_be_played_changes_nothing() -> None:
    document = opening(branches=[{"at": 0, "commands": [{"by": "ada", "do": "attack", "target": "gob"}]}])
    match = Match.from_record(document)
    walked(match)
    before = copy.deepcopy(match.record)
    with pytest.raises(RecordError, match=r"commands\[0\]"):
        match.history.switch(0)
    assert match.record == before
    same(match)


def test_any_way_back_and_forth_leaves_record_and_state_in_step() -> None:
    """A long random walk through a fight: acting, undoing, redoing, rewinding, switching."""
    lot = 12345

    def below(limit: int) -> int:
        nonlocal lot
        lot = (lot * 6364136223846793005 + 1442695040888963407) % 2**64
        return (lot >> 33) % limit

    for seed, throws in ((1, None), (2, [5, 4, 3, 2])):
        match = Match.from_record(opening(gob_at=(3, 1), seed=seed, throws=throws))
        for turn in range(240):
            points = list(match.history.points())
            what = below(10)
            if what < 6 and match.decision is not None:
                legal = list(match.legal(match.decision))
                match.act(match.decision, legal[below(len(legal))])
            elif what == 6 and match.history.undone:
                match.history.redo()
            elif what == 7 and match.record.branches:
                match.history.switch(below(len(match.record.branches)))
            elif points:
                to = points[below(min(4, len(points)))]
                if match.history.look_back(to).free:
                    match.history.undo(to)
                else:
                    match.history.rewind(to)
            if turn % 40 == 39:
                same(match)
        for number in range(min(8, len(match.record.branches))):
            other = Match.from_record(copy.deepcopy(records.document(match.record)))
            other.history.switch(number)
            same(other)


def test_waiting_in_an_exploration_is_told_as_that() -> None:
    match = Match.from_record(opening(options={"crawl": True, "fog": True}, gob_at=(10, 4)))
    match.record.creatures[2]["asleep"] = True
    assert match.decision is not None and match.decision.kind == "explore"
    who = match.decision.by
    do(match, "end")
    assert match.history.look_back(0).before == f"{who.capitalize()} waits"
