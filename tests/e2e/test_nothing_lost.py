"""Taking back and going on after a kill, in the real window, by mouse alone and by keys alone."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from game.fight.match import Match
from game.scenes.fight.plan import Plan
from rules.contract.actions import Action
from tests.e2e.hands import Hand, Keyboard, Mouse, Table
from tests.e2e.real_table import MARKS, laid
from tests.e2e.screen import ending
from tests.game.player import arena

pytestmark = MARKS


@pytest.fixture
def opened(display: str, tmp_path: Path) -> Iterator[Callable[..., Table]]:
    with ending(partial(laid, display, tmp_path, end_by_itself=False)) as start:
        yield start


def given(table: Table, count: int) -> list[dict[str, Any]]:
    """Wait until so many commands stand in the record."""
    fight = table.await_(
        f"{count} commands", lambda s: s["scene"] == "fight" and len(s["fight"]["commands"]) == count and s["fight"]
    )
    commands: list[dict[str, Any]] = fight["commands"]
    return commands


def perform(table: Table, hand: Hand, wanted: Callable[[Action], bool]) -> None:
    """Do the first legal thing of a kind."""
    fight = table.await_("a decision", lambda s: s["fight"]["asked"] and not s["fight"]["gliding"] and s["fight"])
    match = Match.from_record({**fight["start"], "branches": [], "rewinds": [], "commands": fight["commands"]})
    decision = match.decision
    assert decision is not None
    legal = match.legal(decision)
    plan = Plan(match.ruleset, match.state, decision, legal, board=match.board(), field=match.field)
    hand.perform(plan, next(action for action in legal if wanted(action)))


def take_back(table: Table, hand: Hand) -> None:
    if isinstance(hand, Keyboard):
        hand.type("ctrl+z")
    else:
        hand.press("undo")


@pytest.mark.parametrize("kind", [Mouse, Keyboard])
def test_taken_back_killed_gone_on_rewound_and_taken_up_again(
    kind: Callable[[Table], Hand], opened: Callable[..., Table], tmp_path: Path
) -> None:
    table = opened(record=arena(title="The Hall"))
    hand = kind(table)
    given(table, 0)
    perform(table, hand, lambda action: action.do == "free_steps" and action.path[-1] in (21, 22))
    moved = given(table, 1)
    take_back(table, hand)
    given(table, 0)
    hand.type("ctrl+y") if isinstance(hand, Keyboard) else hand.press("redo")
    assert given(table, 1) == moved

    table.process.send_signal(signal.SIGKILL)
    table.process.wait(timeout=10)
    table = opened()
    hand = kind(table)
    table.await_("the offer to go on", lambda s: s["scene"] == "recover")
    hand.press("Continue The Hall")
    assert given(table, 1) == moved

    perform(table, hand, lambda action: action.do == "attack")
    struck = given(table, 2)
    take_back(table, hand)
    table.await_("the question", lambda s: s["scene"] == "rewind")
    hand.press("rewind")
    assert given(table, 1) == moved
    record = table.saved()
    assert [branch["commands"] for branch in record["branches"]] == [struck[1:]]
    assert len(record["rewinds"]) == 1
    hand.type("ctrl+b") if isinstance(hand, Keyboard) else hand.press("branch")
    table.await_("the list", lambda s: s["scene"] == "branches")
    hand.press("0")
    assert given(table, 2) == struck
    assert table.leave() == 0
    assert not list((tmp_path / "journals").iterdir())
