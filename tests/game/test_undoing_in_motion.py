"""Changing the past while the board still shows what is taken back, or the computer still thinks about it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pygame
import pytest

from game.content import encounter
from game.content import tables as content
from game.fight.advice import Counsel
from game.fight.match import Match
from game.scenes.fight.scene import Fight
from game.scenes.fight.undoing import AskRewind, Branches
from game.widgets.text import Run
from rules.contract.events import Chance
from rules.core.registry import RULESETS
from tests.game.hotseat_table import app_at
from tests.game.player import Player, arena

pytestmark = pytest.mark.usefixtures("home")

FOES = {
    "olde": ["giant_rat", "bandit", "berserker"],
    "cairn": ["mimic"],
    "countup": ["giant_rat", "bandit_archer", "guard"],
}
"""Named, not drawn by weight: figures of weight change, and with them who would be met here."""


def moving(ruleset: str, **options: Any) -> tuple[Player, Fight]:
    """A fight at close quarters whose board moves."""
    record = encounter.make_encounter("tavern", list(content.heroes(ruleset))[:2], FOES[ruleset], 2, ruleset=ruleset)
    record["options"] = {**record["options"], **options}
    player = app_at(speed=1, end_by_itself=False)
    player.app.navigator.begin(record)
    fight = player.app.top
    assert isinstance(fight, Fight)
    return player, fight


def until_the_computers_deed_is_shown(player: Player, fight: Fight) -> None:
    """Play until the log has yet to tell a deed of the computer's that is done, and there is a past to go back to."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        moments = fight.match.history.moments
        if fight.view.busy and not moments[-1].side and fight.undoing.latest() is not None:
            waiting = len(fight.telling.story.entries)
            if waiting < len(log(Fight(player.app, fight.match))):
                fight.match.keeper = fight.keeping.scribe.heard
                return
        if fight.plan is not None and not fight.waits:
            fight.view.skip()
            fight.deeds.act(Counsel(fight.match).advise(fight.plan.decision))
        player.turn(1, dt=0.05)
        if fight.plan is None and not fight.view.busy:
            time.sleep(0.001)  # the computer thinks, in a thread of its own
        assert fight.match.decision is not None
    raise AssertionError("the computer has done nothing that takes time to show")


def log(fight: Fight) -> list[str]:
    return ["".join(p.text for p in entry.pieces if isinstance(p, Run)) for entry in fight.telling.story.entries]


def holds(player: Player, fight: Fight) -> None:
    """What is shown is what the record says, and what is asked, too; and the fight goes on."""
    player.turn(1, dt=0.0)
    fight.view.skip()
    again = Fight(player.app, fight.match)
    fight.match.keeper = fight.keeping.scribe.heard
    assert log(fight) == log(again)
    assert fight.board == again.board == fight.view.board
    assert [entry.asks for entry in fight.telling.story.entries] == [
        entry.asks for entry in again.telling.story.entries
    ]
    length = fight.match.history.length
    if fight.plan is not None:
        fight.deeds.act(Counsel(fight.match).advise(fight.plan.decision))
    player.until(lambda: fight.match.history.length > length, 10)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_rewind_while_the_board_moves(ruleset: str) -> None:
    player, fight = moving(ruleset)
    until_the_computers_deed_is_shown(player, fight)
    player.key(pygame.K_z, pygame.KMOD_LCTRL)
    if isinstance(player.app.top, AskRewind):
        player.app.top._back(next(iter(player.app.top.points)))()
    holds(player, fight)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_redo_while_the_board_moves(ruleset: str) -> None:
    player, fight = moving(ruleset)
    until_the_computers_deed_is_shown(player, fight)
    length = fight.match.history.length
    fight.undoing.rewind(0)
    fight.undoing.redo()
    assert fight.match.history.length == length
    holds(player, fight)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_another_line_while_the_board_moves(ruleset: str) -> None:
    player, fight = moving(ruleset)
    until_the_computers_deed_is_shown(player, fight)
    length = fight.match.history.length
    fight.undoing.rewind(0)
    fight.undoing._switch(0, fight.match.history.length)
    assert fight.match.history.length == length
    holds(player, fight)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_loading_while_the_board_moves(ruleset: str) -> None:
    player, fight = moving(ruleset)
    player.key(pygame.K_F5)
    until_the_computers_deed_is_shown(player, fight)
    player.key(pygame.K_F9)
    again = player.app.top
    assert isinstance(again, Fight) and again is not fight
    assert again.match.record.commands == []
    holds(player, again)


def test_the_list_of_branches_is_shown_anew_when_more_has_happened_meanwhile() -> None:
    player, fight = moving("olde")
    until_the_computers_deed_is_shown(player, fight)
    fight.undoing.rewind(0)
    fight.undoing.branches()
    asked = player.app.top
    assert isinstance(asked, Branches)
    branch = fight.match.record.branches[0]
    decision = fight.match.decision
    assert decision is not None
    fight.deeds.act(Counsel(fight.match).advise(decision))
    gone = fight.match.history.length
    asked.then(lambda: asked.take(0))()
    again = player.app.top
    assert isinstance(again, Branches) and again is not asked
    assert fight.match.history.length == gone
    assert fight.match.record.branches in ([branch], [])


def test_the_clock_of_another_chance_is_another_after_taking_back() -> None:
    """As many events may hold another number of chances."""
    player, fight = moving("olde")
    match = fight.match
    player.until(lambda: fight.plan is not None, 10)
    decision, state = match.decision, match.state
    assert decision is not None
    came = {a: match.ruleset.apply(state, decision, a).events for a in match.legal(decision)}
    offered = {a: sum(isinstance(event, Chance) for event in events) for a, events in came.items()}
    one, other = next((a, b) for a in came for b in came if len(came[a]) == len(came[b]) and offered[a] != offered[b])
    before, to = fight.seating._offered(), match.history.length
    match.act(decision, one)
    assert fight.seating._offered() == before + offered[one]
    fight.undoing.rewind(to)
    match.act(decision, other)
    assert fight.seating._offered() == before + offered[other]


def test_the_match_is_left_as_it_is_by_a_line_that_cannot_be_taken_up() -> None:
    player, fight = moving("olde")
    until_the_computers_deed_is_shown(player, fight)
    record = fight.match.record.model_copy(deep=True)
    fight.undoing._switch(7, fight.match.history.length)
    assert player.app.top.name == "message"
    player.key(pygame.K_ESCAPE)
    assert isinstance(fight.match, Match) and fight.match.record == record
    holds(player, fight)


def test_what_was_thought_before_a_taking_back_answers_nothing_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the same creature is asked again, the answer to the later question is not taken for the earlier one's."""
    words: list[Callable[[], None]] = []
    monkeypatch.setattr("game.scenes.fight.ai_turns.wake", words.append)
    player = app_at(speed=0)
    record = arena(gob_at=(8, 4))
    for creature in record["creatures"]:  # type: ignore[attr-defined]
        creature["controller"] = "ai"
    player.app.navigator.begin(record)
    fight = player.app.top
    assert isinstance(fight, Fight)
    history = fight.match.history

    def same_asked() -> bool:
        past = fight.undoing.latest()
        return (
            past is not None
            and past.free
            and history.moments[past.to].state is not fight.match.state
            and (fight.ruleset.decisions(history.moments[past.to].state) == fight.match.decisions)
        )

    while not same_asked():
        player.until(lambda: words)
        words.pop(0)()
    player.until(lambda: words)
    late = words.pop()
    fight.undoing.undo()
    length = history.length
    player.until(lambda: words)
    late()
    assert history.length == length and fight.toast_text.startswith("Taken back"), "the late word is let go"
    words.pop()()
    assert history.length == length + 1
