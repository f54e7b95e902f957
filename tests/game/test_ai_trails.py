"""The computer goes back to a space that it left a short while ago only for a reason; and it looks for whom it has lost
sight of near where that was."""

from __future__ import annotations

import json
from typing import Any, cast

import msgspec
import pytest

from game.content import encounter
from game.controllers.ai import AiController
from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.factors import load_weights
from game.controllers.ai.position import Position
from game.controllers.ai.searching import Hunt
from game.controllers.ai.trails import Moment, Stand, Trails
from game.fight.advice import Counsel
from game.fight.match import Match
from rules.board.bitboard import cells_of
from rules.board.grid import Field
from rules.contract.actions import Action
from rules.contract.units import Cell
from rules.core import record as records
from tests.game.ai_table import RULES, asked, change, fight, piece, turn_to
from tests.rules.cairn import creatures as cairn

HALL = """
####################
#..................#
#..................#
#..................#
#..................#
####################
"""
FIELD = Field.from_rows(HALL.split())
ELSEWHERE = Field.from_rows(HALL.split())
A, B, C, D = Cell(21), Cell(22), Cell(23), Cell(24)


def stand(key: object, turn: int, cell: Cell, *, walking: bool = False, acted: bool = False) -> Stand:
    """A decision in a position that a word or a number stands for."""
    return Stand(key, key, turn, cell, walking, acted)


def walked(*cells: Cell, acted: Cell | None = None) -> Trails:
    """The trail of somebody who decided on these spaces, one after the other, and did something on one of them."""
    trails = Trails()
    for turn, cell in enumerate(cells):
        trails.note("orc", stand((turn, cell), turn, cell, acted=cell == acted), FIELD)
    return trails


def left(
    trails: Trails, key: object, turn: int, here: Cell, many: int = 9, who: str = "orc", **more: bool
) -> list[int]:
    """The last spaces that somebody has left at a moment."""
    return list(cells_of(trails.until(who, Moment(key, turn, here), **more).left(many)))


def test_the_last_spaces_left_are_known_but_not_where_one_stands() -> None:
    trails = walked(A, B, B, C, D)
    assert left(trails, "now", 9, D, many=2) == [B, C]
    assert left(trails, "now", 9, D) == [A, B, C]
    assert left(trails, "now", 9, D, who="wolf") == []


def test_who_has_done_something_since_may_go_back() -> None:
    assert left(walked(A, B, C, D, acted=B), "now", 9, D) == [C]
    assert left(walked(A, B, acted=B), "now", 9, B) == []


def test_a_past_position_is_answered_as_it_was_then() -> None:
    trails = walked(A, B, C, D)
    assert left(trails, (2, C), 2, C) == [A, B]
    assert left(trails, (0, A), 0, A) == []


def test_a_decision_that_came_to_something_else_is_noted_as_what_it_came_to() -> None:
    trails = walked(A, B)
    trails.note("orc", stand((1, B), 1, B, acted=True), FIELD)
    assert left(trails, "now", 9, C) == []


def test_where_a_chance_began_its_own_way_is_not_yet_behind_one() -> None:
    trails = walked(A, B)
    trails.note("orc", stand("on its way", 2, C, walking=True), FIELD)
    assert left(trails, "begun", 2, B, now=False) == [A]
    assert left(trails, "now", 2, D) == [A, B, C]


def test_a_side_knows_where_it_has_searched_before_it_planned_together() -> None:
    trails = Trails()
    trails.note("orc", Stand("then", "then", 1, A, False, False, sought=B), FIELD)
    trails.note("wolf", Stand("sealed", "now", 2, C, False, False, sought=D), FIELD)
    assert list(cells_of(trails.until("goblin", Moment("now", 2, A)).sought())) == [B]
    assert list(cells_of(trails.until("goblin", Moment("later", 3, A)).sought())) == [B, D]
    assert not trails.until("orc", Moment("then", 1, A)).sought()


def test_nobody_searches_again_where_a_search_finds_all_there_is() -> None:
    fight = cairn.Fight(cairn.pc("a", (1, 1)), cairn.foe("b", (6, 1)), rows=["#########", "#..#....#", "#########"])
    decision = next(d for d in fight.rules.decisions(fight.now) if d.by == "a")
    known = fight.rules.observe(fight.now, decision.side)
    weights = load_weights("cairn")
    position = Position(fight.rules, known, decision, weights.temper("cunning"), weights)
    here, beside = fight.field.cell(1, 1), fight.field.cell(2, 1)
    assert position.unsearched(beside, 1.0)
    trails = Trails()
    trails.note("a", Stand("then", "then", 0, here, False, False, sought=beside), fight.field)
    position.trail = trails.until("a", Moment(known, 1, here))
    assert not position.unsearched(beside, 1.0) and position.unsearched(beside, 0.5)


@pytest.mark.parametrize(("field", "turn"), [(ELSEWHERE, 9), (FIELD, 0)], ids=["on other ground", "from its start"])
def test_another_fight_starts_with_no_trails(field: Field, turn: int) -> None:
    trails = walked(A, B, C)
    trails.note("orc", stand("new", turn, D), field)
    assert left(trails, "now", turn, B) == [D]


def stayed(times: int) -> Trails:
    """Of a side on which a wolf stays on B while an orc decides, too."""
    trails = Trails()
    for turn in range(times):
        trails.note("wolf", stand(("wolf", turn), turn, B), FIELD)
        trails.note("orc", stand(("orc", turn), turn, A), FIELD)
    return trails


def test_who_has_stayed_where_it_is_for_long_stays() -> None:
    trail = stayed(3).until("orc", Moment("now", 9, A))
    assert trail.stays("wolf", B, 3)
    assert not trail.stays("wolf", B, 4) and not trail.stays("wolf", C, 3)
    assert not trail.stays("bat", B, 1), "nothing is known of whom somebody else plays"


def test_who_stayed_then_is_told_of_a_past_position() -> None:
    assert stayed(5).until("orc", Moment(("orc", 2), 2, A)).stays("wolf", B, 3)
    assert not stayed(5).until("orc", Moment(("orc", 1), 1, A)).stays("wolf", B, 3)


HERE = Cell(44)


def orc_at(cell: Cell, turn: int = 1) -> Any:
    """An orc's chance, far from a warrior."""
    state = fight(HALL, piece("orc", FIELD.at(cell), "monsters"), piece("warrior", (17, 2), "heroes"))
    return msgspec.structs.replace(turn_to(state, "orc", 4), turn=turn)


def goes_to(player: AiController, state: Any) -> Cell:
    """Where the movements of a chance lead."""
    known, decision, legal = asked(state)
    return Cell(player.explain(RULES, known, decision, legal).best[0].cell)


@pytest.mark.parametrize("deed", ["free_steps", "attack"])
def test_nobody_goes_back_at_once_who_has_only_walked(deed: str) -> None:
    player, wanted = AiController(), goes_to(AiController(), orc_at(HERE, turn=2))
    known, decision, _ = asked(orc_at(wanted))
    action = Action("orc", deed, target="warrior") if deed == "attack" else Action("orc", deed, path=(HERE,))
    player.recall(RULES, known, decision, action)
    assert (goes_to(player, orc_at(HERE, turn=2)) == wanted) == (deed == "attack")


def test_why_says_that_it_was_there_just_now() -> None:
    player = AiController()
    wanted = goes_to(AiController(), orc_at(HERE, turn=2))
    known, decision, _ = asked(orc_at(wanted))
    player.recall(RULES, known, decision, Action("orc", "free_steps", path=(HERE,)))
    known, decision, legal = asked(orc_at(HERE, turn=2))
    assert "was there just now (−1.00)" in str(player.why_not(RULES, known, decision, legal, wanted))


@pytest.mark.parametrize("fog", [False, True], ids=["open", "fog"])
@pytest.mark.parametrize("kind", ["olde", "cairn", "countup"])
def test_whoever_comes_later_remembers_the_same_ways(kind: str, fog: bool) -> None:
    """A fight played through, and at every seventh decision a mind that only takes in what was done."""
    record = cast(dict[str, Any], json.loads(json.dumps(encounter.surprise("crypt", None, 3, ruleset=kind))))
    for creature in record["creatures"]:
        creature["controller"] = "ai"
    record["options"] = {**record.get("options", {}), "fog": fog}
    match = Match.from_record(records.read(record))
    lived, asked_again = Counsel(match), 0
    while (decision := match.decision) is not None and match.history.length < 120:
        chosen = lived.advise(decision)
        if match.history.length % 7 == 3:
            assert Counsel(match).advise(decision) == chosen, match.history.length
            asked_again += 1
        match.act(decision, chosen)
    assert asked_again > 5


PILLARS = """
##################
#................#
#................#
#.......##.......#
#.......##.......#
#................#
#................#
##################
"""


def lost(turn: int) -> Hunt:
    """What monsters remember who saw a warrior go out of sight behind pillars, in a later turn."""
    hunt = Hunt()
    orc = piece("orc", (4, 3), "monsters")
    state = fight(PILLARS, orc, piece("warrior", (12, 1), "heroes"), fog=True)
    seen = turn_to(state, "orc", 4)
    gone = change(msgspec.structs.replace(seen, turn=turn), "warrior", cell=seen.terrain.field.cell(11, 4))
    for one in (seen, gone):
        known, decision, _ = asked(one)
        assert bool(Position(RULES, known, decision, load_weights().temper("brute")).foes) == (one is seen)
        hunt.remember(Position(RULES, known, decision, load_weights().temper("brute")))
    return hunt


def test_whom_nobody_sees_any_more_is_looked_for_where_it_may_have_hidden() -> None:
    hunt = lost(turn=2)
    assert hunt.field is not None
    column, row = hunt.field.at(hunt.last["warrior"])
    assert (column, row) == (10, 4), "in the pillars' shadow"


def test_a_cold_trace_is_given_up() -> None:
    turns = load_weights().search.traces
    assert lost(turn=1 + turns).last and not lost(turn=2 + turns).last
    assert advisor_of(RULES).turn(orc_at(HERE, turn=7)) == 7
