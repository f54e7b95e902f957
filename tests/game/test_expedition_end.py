"""The end of an expedition: what it came to, and where it leads on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.characters import aftermath
from game.chronicle.reckoning import Deed, reckoned, so_far
from game.chronicle.tale import Chapter
from game.content import adventures
from game.fight.account import Account, account, spent
from game.fight.match import Match, save_fight
from game.scenes.choose.scene import Choose
from game.scenes.chronicle import ChronicleScene
from game.scenes.fight import ending
from game.scenes.fight.briefing import SoFar
from game.scenes.fight.ending import Summary
from game.scenes.fight.scene import Fight
from game.scenes.replay.scene import Replay
from rules.contract.display import Task
from rules.contract.events import Began, Event, Injury, Left
from tests.game.player import Player, buttons, labels, summed_up

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


def test_who_was_slain_is_not_chosen_for_the_next_fight() -> None:
    match = gone_out([])
    whole, ada = aftermath.party(match.record), frozenset(("ada",))
    assert whole == ["warrior", "ranger"] and aftermath.party(match.record, ada) == ["ranger"]


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


def test_a_goal_is_told_with_whoever_did_it_and_when() -> None:
    match = gone_out([{"name": "away", "kind": "reach", "at": [[1, 1], [1, 2]], "text": "Find the way out"}])
    found = reckoned(match, ("heroes",))
    assert [deed.goal.state for deed in found.deeds] == ["done"]
    assert found.deeds[0].by in ("Ada", "Bo", "Hedda", "Maren") and found.deeds[0].told.startswith(found.deeds[0].by)
    assert found.deeds[0].told in labels(summed_up(match))


def test_a_goal_of_an_earlier_evening_says_so() -> None:
    goal = Task("joss", "Free Joss", "done", "heroes", kind="free")
    assert Deed(goal, "", None).told == "on an earlier evening"
    assert Deed(goal, "Hedda", 48).told == "Hedda, after 48 minutes"


def test_time_is_told_in_hours_from_an_hour_on() -> None:
    assert [str(spent(minutes)) for minutes in (1, 59, 60, 125, 180)] == [
        "1 minute", "59 minutes", "1 hour", "2 h 5 min", "3 hours",
    ]  # fmt: skip


def test_treasure_is_told_with_what_it_is_worth_to_whoever_sees_it() -> None:
    tale = reckoned(gone_out([]), None)
    tale.found, tale.worth, tale.unknown = ["silver penny-box", "jet necklace", "12 coins"], 21, ["jet necklace"]
    assert tale.treasure == "a silver penny-box, a jet necklace and 12 coins: worth 21 coins in all"
    assert tale.doubtful == "Of unknown worth: a jet necklace"
    tale.found, tale.worth, tale.unknown = ["12 coins"], 12, []
    assert (tale.treasure, tale.doubtful) == ("12 coins", "")


def test_foes_of_an_evening_are_listed_by_kind_wherever_they_lie() -> None:
    match = gone_out([])
    assert not any("Goblin" in label for label in labels(summed_up(match))), "it came to no blows"
    top = summed_up(match).app.top
    assert isinstance(top, Summary)
    [band] = top._bands([Injury(target="gob", amount=4, hp=0, status="dead", by="ada")])
    assert top._called_band(band, {"gob"}) == f"{band[0].name} †"
    assert top._called_band(band * 2, set()).endswith("× 2")
    assert top._called_band(band * 2, {"gob"}).endswith("× 2 †")


@pytest.mark.parametrize(("ruleset", "pools"), [("olde", {"Hit points"}), ("cairn", {"Hit Protection", "STR"})])
def test_what_is_left_is_called_as_the_rules_call_it(ruleset: str, pools: set[str]) -> None:
    abbey = adventures.adventure("drowned_abbey")
    match = Match.from_record(adventures.begun(abbey, 7, ruleset=ruleset, heroes=abbey.heroes[ruleset][:2]))
    player = Player(App((1280, 720), settings=Settings(speed=0)))
    player.app.navigator.show(match)
    player.turn(3)
    fight = next(scene for scene in player.app.scenes if isinstance(scene, Fight))
    ending.summary(fight)
    player.turn(2)
    assert {"Hit points", "Hit Protection", "STR"} & set(labels(player)) == pools


def test_blows_count_also_against_those_who_are_out_of_sight_at_the_end() -> None:
    hit = Injury(target="gob", amount=4, hp=0, status="dead", by="ada")
    assert [(t.dealt, t.felled) for t in ending.tallies([hit], ["ada"])] == [(4, 1)]


def test_an_evening_that_is_gone_on_with_is_told_so_far(tmp_path: Path) -> None:
    match = gone_out([ALTAR])
    match.history.rewind(1)
    save_fight(match, tmp_path / "evening.json")
    player = Player(App((1280, 720), settings=Settings(speed=0)))
    player.app.navigator.open_file(tmp_path / "evening.json")
    player.turn(2)
    assert isinstance(player.app.top, SoFar) and "Get to the altar" in labels(player)
    player.press("Chronicle")
    assert isinstance(player.app.top, ChronicleScene)
    player.key(pygame.K_ESCAPE)
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.app.top, Fight)
    player.app.navigator.open_file(tmp_path / "evening.json", taken_up=False)
    player.turn(2)
    assert isinstance(player.app.top, Fight)


def test_as_much_of_the_tale_as_one_reads_is_told_from_its_end() -> None:
    tale = reckoned(gone_out([]), None).tale
    tale.chapters = [
        Chapter("Cellar", [["One two three."], ["Four five six."]]),
        Chapter("Well", [["Seven eight nine."]]),
    ]
    assert so_far(tale, 3) == [("Well", [["Seven eight nine."]])]
    assert so_far(tale, 5) == [("Cellar", [["Four five six."]]), ("Well", [["Seven eight nine."]])]


def test_a_replay_shows_the_goals_as_they_stood(tmp_path: Path) -> None:
    match = gone_out([{"name": "away", "kind": "reach", "at": [[1, 1], [1, 2]], "text": "Find the way out"}])
    save_fight(match, tmp_path / "evening.json")
    player = Player(App((1280, 720), settings=Settings(speed=0)))
    player.app.navigator.watch(tmp_path / "evening.json")
    player.turn(2)
    replay = player.app.top
    assert isinstance(replay, Replay)
    assert "Goals 0/1" in labels(player) and "Find the way out" in labels(player)
    replay.go(replay.film.length)
    player.turn(2)
    assert "Goals 1/1" in labels(player)
