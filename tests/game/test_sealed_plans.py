"""What others have planned stays sealed, however a fight comes to the screen: loaded, replayed, explained."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from game.fight import advice as counsel
from game.fight.match import Match, save_fight
from game.fight.seats import Seats
from game.scenes.dialogs.panels import Message
from game.scenes.fight.scene import Fight
from game.scenes.replay.scene import Replay
from game.scenes.replay.why import WhyScene
from game.storage import records as storage
from rules.contract.display import Board
from rules.core import record as records
from tests.game.hotseat_table import app_at
from tests.game.planning_table import countup

pytestmark = pytest.mark.usefixtures("home")


def sealed(match: Match) -> Match:
    """The fight played on until foes of the person who is asked have given orders that nobody knows yet."""
    mind = counsel.Counsel(match)
    while (decision := match.decision) is not None:
        people = Seats(match.record).answering(decision) is not None
        if people and match.history.length > 3 and theirs(match.board()):
            return match
        match.act(decision, mind.advise(decision))
    raise AssertionError("nobody ever planned anything")


def theirs(board: Board) -> set[str]:
    """The foes whose plans a board tells."""
    foes = {mini.id for mini in board.miniatures if mini.side == "monsters"}
    return {plan.id for plan in board.plans} & foes


def in_the_middle(**options: Any) -> Match:
    return sealed(Match.from_record(countup(options=options)))


@pytest.mark.parametrize("fog", [False, True])
def test_the_first_picture_of_a_loaded_fight_shows_no_orders_of_the_foes(fog: bool) -> None:
    match = in_the_middle(fog=fog)
    path = storage.new_save("sealed")
    save_fight(match, path)
    player = app_at()
    boards: list[Board] = []
    player.app.navigator.open_file(path)
    fight = player.app.top
    assert isinstance(fight, Fight) and fight.view.board is not None
    boards.append(fight.view.board)
    player.turn(1, dt=0.0)
    boards += [fight.view.board, fight.board, fight.told_board]
    assert not any(theirs(board) for board in boards)
    own = {plan.id for plan in match.board().plans} - theirs(match.board())
    assert own <= {plan.id for board in boards for plan in board.plans}, "one's own are shown"


def test_a_replay_of_a_fight_under_way_keeps_them_sealed() -> None:
    match = in_the_middle()
    player = app_at()
    player.app.navigator.show(match)
    fight = player.app.top
    assert isinstance(fight, Fight)
    fight.undoing.replay()
    scene = player.app.top
    assert isinstance(scene, Replay)
    scene.go(scene.last)
    assert not theirs(scene.shown)
    path = storage.new_save("sealed")
    save_fight(match, path)
    player.app.navigator.watch(path)
    scene = player.app.top
    assert isinstance(scene, Replay) and scene.match is not match
    scene.go(scene.last)
    assert not theirs(scene.shown)


def test_why_does_not_tell_an_order_that_is_sealed_and_tells_it_later() -> None:
    match = in_the_middle()
    who = min(theirs(match.board()))
    player = app_at()
    done = enumerate(match.history.moments[1:])
    number = max(n for n, led in done if not led.side and match.record.commands[n].by == who)
    assert counsel.latest_of(match, who) != number
    player.app.navigator.why(match, number)
    refused = player.app.top
    assert isinstance(refused, Message) and "sealed" in refused.text
    player.key(pygame.K_ESCAPE)
    mind = counsel.Counsel(match)
    while who in theirs(match.board()) and (decision := match.decision) is not None:
        match.act(decision, mind.advise(decision))
    player.app.navigator.why(match, number)
    assert isinstance(player.app.top, WhyScene)


def test_a_fight_that_is_over_hides_no_plan() -> None:
    match = in_the_middle()
    frame = match.history.length
    mind = counsel.Counsel(match)
    while (decision := match.decision) is not None:
        match.act(decision, mind.advise(decision))
    player = app_at()
    scene = Replay(player.app, Match.from_record(records.document(match.record)))
    scene.go(frame)
    assert theirs(scene.shown)


def test_without_fog_no_chance_is_counted_by_what_the_others_have_ordered() -> None:
    match = in_the_middle()
    player = app_at()
    player.app.navigator.show(match)
    fight = player.app.top
    assert isinstance(fight, Fight) and fight.plan is not None
    known = match.ruleset.board(fight.shown)
    assert theirs(match.board()) and not theirs(known)
    mine = {plan.id for plan in match.board().plans} - theirs(match.board())
    assert mine <= {plan.id for plan in known.plans}, "one's own are known"
    assert [m.cell for m in known.miniatures] == [m.cell for m in match.board().miniatures], "so is all else"
    assert fight.plan.state is fight.shown, "what is promised comes from there"
    assert fight.board.order == match.board().order, "who has ordered already shows"
