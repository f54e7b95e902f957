"""The end of an expedition: what it came to, and where it leads on."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.content import adventures
from game.fight.account import Account, account
from game.fight.match import Match
from game.scenes.choose.scene import Choose
from game.scenes.fight import ending
from game.scenes.fight.ending import Summary
from game.scenes.fight.scene import Fight
from game.widgets.controls import Button, Label
from rules.contract.events import Began, Event, Left
from tests.game.player import Player

ROWS = ["############", "#..........#", "#..........#", "############"]
ALTAR = {"name": "altar", "kind": "reach", "at": [[4, 1]], "text": "Get to the altar"}


def gone_out(goals: list[dict[str, Any]]) -> Match:
    """Two heroes who leave by the exit beside which they begin, while a goblin sleeps."""
    people = [("ada", "heroes", [2, 1], "warrior"), ("bo", "heroes", [2, 2], "ranger")]
    creatures: list[dict[str, Any]] = [
        {"id": who, "side": side, "at": at, "template": kind, "controller": "human"} for who, side, at, kind in people
    ]
    creatures.append(
        {"id": "gob", "side": "monsters", "at": [10, 2], "template": "goblin", "controller": "ai", "asleep": True}
    )
    record = {"format": "battlemat/1", "ruleset": "olde", "seed": 4, "options": {"crawl": True}, "creatures": creatures,
              "map": {"rows": ROWS, "exits": [[1, 1], [1, 2]], "goals": goals}}  # fmt: skip
    match = Match.from_record(record)
    ways = {match.field.cell(1, 1), match.field.cell(1, 2)}
    while (decision := match.decision) is not None:
        found = sorted(match.legal(decision), key=lambda a: a.do != "leave")
        match.act(decision, next(a for a in found if a.do == "leave" or (a.path and a.path[-1] in ways)))
    return match


def summed_up(match: Match, size: tuple[int, int] = (1280, 720)) -> Player:
    player = Player(App(size, settings=Settings(speed=0)))
    player.app.navigator.show(match)
    player.turn(20)
    if not isinstance(player.app.top, Summary):
        player.app.unwind(1)
        fight = player.app.top
        assert isinstance(fight, Fight)
        ending.summary(fight)
    return player


def labels(player: Player) -> list[str]:
    return [str(w.text) for panel in player.app.top.ui.live() for w in panel.walk() if isinstance(w, Label)]


def buttons(player: Player) -> list[str]:
    return [str(w.label) for panel in player.app.top.ui.live() for w in panel.walk() if isinstance(w, Button)]


def test_what_an_evening_came_to_is_counted_from_its_events() -> None:
    told: list[Event] = [
        Began(what="exploration", number=1), Began(what="minute", number=2), Began(what="minute", number=3),
        Began(what="fight"), Began(what="turn", number=1), Began(what="minute", number=9), Began(what="truce"),
        Began(what="exploration", number=4), Left(by="ada", at=(1, 1)),
    ]  # fmt: skip
    assert account(told) == Account(4, "minute", 1, frozenset({"ada"}))
    assert account(told).told == "4 minutes · 1 fight"
    assert account([Began(what="exploration", number=1)]).told == "1 minute · not one fight"
    longer = account([Began(what="exploration"), Began(what="turn", number=2)])
    assert longer.told == "2 turns of exploration · not one fight"
    cairn = account([Began(what="exploration"), Began(what="dungeon turn", number=2)])
    assert cairn.told == "2 dungeon turns · not one fight"


def test_it_leads_on_to_the_camp_onward_and_out() -> None:
    player = summed_up(gone_out([]))
    assert buttons(player)[-4:] == ["Camp", "Back to Fight", "Onward", "Out"]
    player.press("Out")
    assert player.app.top.name == "title"


def test_an_evening_that_is_over_says_its_last_turn_of_exploration() -> None:
    match = gone_out([])
    assert match.ruleset.board(match.state).caption == "Minute 2"
    assert "Minute 2" in match.ruleset.sheet(match.state, "ada").subtitle


def test_onward_is_a_new_fight_with_the_same_party() -> None:
    player = summed_up(gone_out([]))
    player.press("Onward")
    assert "A new fight" in labels(player)


@pytest.mark.parametrize(
    ("goals", "title"),
    [([], "Slipped past"), ([ALTAR], "Turned back"), ([{**ALTAR, "optional": True}], "Slipped past")],
)
def test_it_is_called_by_what_was_to_be_done(goals: list[dict[str, Any]], title: str) -> None:
    player = summed_up(gone_out(goals))
    assert title in labels(player)
    assert any("2 of 2 still stand" in label for label in labels(player))


def test_a_single_fight_leads_on_to_the_next_and_the_title() -> None:
    match = gone_out([])
    match.record.options["crawl"] = False
    player = summed_up(match)
    assert buttons(player)[-2:] == ["Next fight", "Title"]


def test_whoever_left_by_an_exit_is_counted_and_listed_still() -> None:
    player = summed_up(gone_out([]))
    top = player.app.top
    assert isinstance(top, Summary)
    fight = top.fight
    fight.match.events.append(Left(by="ada", at=(1, 1)))
    there = tuple(mini for mini in fight.board.miniatures if mini.id != "ada")
    fight.board = msgspec.structs.replace(fight.board, miniatures=there)
    assert [mini.id for mini in top._everybody()] == ["ada", "bo", "gob"]


@pytest.mark.parametrize("ruleset", ["olde", "cairn", "countup"])
def test_onward_from_a_place_goes_into_it_again_with_the_same_party(ruleset: str) -> None:
    abbey = adventures.adventure("drowned_abbey")
    match = Match.from_record(adventures.begun(abbey, 7, ruleset=ruleset, heroes=abbey.heroes[ruleset][:2]))
    app = App((1280, 720), settings=Settings(speed=0, offer_lesson=False))
    app.navigator.next_fight(match)
    scene = app.top
    assert isinstance(scene, Choose) and scene.adventure == abbey
    assert sorted(scene.party) == sorted(abbey.heroes[ruleset][:2])
