"""What maps put in the way: locks, bars, portcullises by strength; water, rubble and low walls as difficult ground."""

from __future__ import annotations

import msgspec
import pytest

from game.content import encounter
from game.controllers.ai.controller import AiController
from game.fight.match import Match
from rules.board.fixtures import Challenge
from rules.board.grid import Field
from rules.core.registry import ruleset
from tests.rules.cairn.creatures import Fight, foe, pc

ROWS = ["#######", "#..+..#", "#######"]


def gated(state: str, kind: str = "door") -> Field:
    field = Field.from_rows(ROWS)
    doors = tuple(msgspec.structs.replace(door, state=state, kind=kind) for door in field.doors)
    return msgspec.structs.replace(field, doors=doors)


@pytest.mark.parametrize(("state", "kind"), [("locked", "door"), ("barred", "door"), ("closed", "portcullis")])
@pytest.mark.parametrize(("face", "stands"), [(10, "open"), (11, None)])
def test_lock_bar_and_weight_give_way_to_a_strength_save(state: str, kind: str, face: int, stands: str | None) -> None:
    fight = Fight(pc("a", (2, 1)), foe("b", (5, 1)), field=gated(state, kind), throws=[face])
    door = fight.field.doors[0].id
    why = "a portcullis is too heavy to be opened; force it" if kind == "portcullis" else f"the door is {state}"
    assert fight.refusal("a", "open", target=door) == f"open: target: {why}"
    action = fight._action("a", "force", {"target": door})
    assert fight.rules.odds(fight.now, action).hit == pytest.approx(0.5)
    fight.do("a", "force", target=door)
    fight.half()
    assert fight.rules.board(fight.now).doors == (stands or state,)


def test_a_plain_door_is_opened_and_not_forced() -> None:
    fight = Fight(pc("a", (2, 1)), foe("b", (5, 1)), field=gated("closed"))
    door = fight.field.doors[0].id
    assert "nothing holds" in fight.refusal("a", "force", target=door)
    fight.do("a", "open", target=door)
    fight.half()
    assert fight.rules.board(fight.now).doors == ("open",)


def test_the_computer_forces_what_shuts_it_off_from_its_foes() -> None:
    fight = Fight(pc("a", (2, 1), strength=16), foe("b", (5, 1)), field=gated("locked"))
    decision = fight.rules.decisions(fight.now)[0]
    seen = fight.rules.observe(fight.now, "heroes")
    chosen = AiController("brute").choose(fight.rules, seen, decision, fight.rules.legal(seen, decision))
    assert chosen.do == "force"


@pytest.mark.parametrize("kind", ["water", "rubble", "climb"])
def test_what_no_walk_enters_elsewhere_counts_double_here(kind: str) -> None:
    field = Field.from_rows(["############", "#..........#", "############"])
    cells = tuple(field.cell(x, 1) for x in (2, 3, 4, 5))
    field = msgspec.structs.replace(field, challenges=(Challenge("c", kind, cells),))
    fight = Fight(pc("a", (1, 1)), foe("b", (10, 1)), field=field)
    assert "9 spaces" in fight.refusal("a", "move", path=[[2, 1], [3, 1], [4, 1], [5, 1], [6, 1]])
    fight.do("a", "move", path=[[2, 1], [3, 1], [4, 1], [5, 1]])


def test_the_sluice_is_played_through() -> None:
    record = encounter.make_encounter("old_sluice", ["gann", "reed"], ["goblin"], 3, ruleset="cairn")
    match, rules, ai = Match.from_record(record), ruleset("cairn"), AiController()
    state = match.state
    for _ in range(600):
        open_ = [d for d in rules.decisions(state) if not d.answered]
        if not open_:
            break
        seen = rules.observe(state, open_[0].side)
        state = rules.apply(state, open_[0], ai.choose(rules, seen, open_[0], rules.legal(seen, open_[0]))).state
    assert rules.board(state).over is not None
