"""A fight that is over: its summary is not thrown away, and from its board, too, ways lead on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.content import encounter
from game.content import tables as content
from game.fight.advice import Counsel
from game.fight.match import Match
from game.scenes.camp import CampScene
from game.scenes.choose.scene import Choose
from game.scenes.dialogs.panels import Menu
from game.scenes.fight.ending import Summary
from game.scenes.fight.scene import Fight
from game.scenes.title import Title
from game.widgets.controls import Button
from rules.contract.events import Began, Condition
from rules.core import record as records
from rules.core.registry import RULESETS
from tests.game.player import Player, buttons, labels

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def player() -> Iterator[Player]:
    app = App((1280, 720), settings=Settings(speed=0, autosave=False))
    yield Player(app)
    app.scenes.clear()


def fought(ruleset: str, seed: int, **more: Any) -> Match:
    """A fight of two heroes in the tavern, played to its end."""
    party = list(content.heroes(ruleset))[:2]
    match = Match.from_record({**encounter.surprise("tavern", party, seed, ruleset=ruleset), **more})
    mind = Counsel(match)
    while (decision := match.decision) is not None:
        match.act(decision, mind.advise(decision))
    return match


def alive(match: Match) -> set[str]:
    return {mini.id for mini in match.ruleset.board(match.state).miniatures if not mini.dead}


def over(player: Player, match: Match | None = None) -> Fight:
    """A fight of two heroes that a person leads, at its end: the summary has come up."""
    match = match or fought("olde", 2)
    player.app.navigator.show(Match.from_record(records.document(match.record)))
    player.until(lambda: isinstance(player.app.top, Summary), 10)
    fight = player.app.scenes[-2]
    assert isinstance(fight, Fight)
    return fight


def test_enter_pressed_too_often_does_not_throw_the_summary_away(player: Player) -> None:
    now = 0.0
    player.app.clock = lambda: now
    over(player)
    for key in ("RETURN", "SPACE", "RETURN", "UP", "RETURN", "TAB", "RETURN"):
        player.key(getattr(pygame, f"K_{key}"))
        assert isinstance(player.app.top, Summary)
    now = 1.0
    player.key(pygame.K_TAB)
    player.key(pygame.K_RETURN)
    assert isinstance(player.app.top, Fight), "who goes to a button presses it"


def test_enter_takes_the_gold_way_on_once_the_summary_was_seen(player: Player) -> None:
    now = 0.0
    player.app.clock = lambda: now
    over(player)
    for _ in range(6):
        now += 0.2
        player.key(pygame.K_RETURN)
        assert isinstance(player.app.top, Summary), "whoever hammers away hasn't seen it"
    gold = [w for p in player.app.top.ui.live() for w in p.walk() if isinstance(w, Button) and w.gold]
    assert [(button.key, button.hint) for button in gold] == [("camp", "Enter")]
    now = 2.0
    player.key(pygame.K_RETURN)
    assert isinstance(player.app.top, CampScene)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_ways_on_stay_under_the_board(player: Player, ruleset: str) -> None:
    fight = over(player, fought(ruleset, 2))
    player.key(pygame.K_ESCAPE)
    assert player.app.top is fight
    ways = {"Summary", "Next fight", "Title"}
    assert ways <= set(buttons(player))
    fight.select(fight.board.miniatures[0].id)
    fight.fold_log()
    fight.settle()
    player.turn(4)
    fight.select(None)
    assert ways <= set(buttons(player)), "they stay"
    player.press("Summary")
    assert isinstance(player.app.top, Summary)
    player.key(pygame.K_ESCAPE)
    player.key(pygame.K_RETURN)
    assert isinstance(player.app.top, Summary), "Enter, too, leads back to it"
    player.key(pygame.K_ESCAPE)
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.app.top, Menu)
    player.press("Summary")
    assert isinstance(player.app.top, Summary)
    player.key(pygame.K_ESCAPE)
    player.press("Title")
    assert isinstance(player.app.top, Title)


@pytest.mark.parametrize(
    ("way", "back"), [(pygame.K_TAB, (pygame.K_TAB, pygame.KMOD_SHIFT)), (pygame.K_RIGHT, (pygame.K_LEFT, 0))]
)
def test_keys_come_to_the_ways_on_at_once(player: Player, way: int, back: tuple[int, int]) -> None:
    fight = over(player)
    player.key(pygame.K_ESCAPE)
    player.key(way)
    assert fight.ui.focus is not None and fight.ui.focus.key == "summary"
    for _ in range(4):
        if fight.ui.focus is not None and fight.ui.focus.key == "next":
            break
        player.key(way)
    assert fight.ui.focus is not None and fight.ui.focus.key == "next"
    player.key(pygame.K_RETURN)
    assert isinstance(player.app.top, Choose)
    fight = over(player)
    player.key(pygame.K_ESCAPE)
    player.key(*back)
    assert fight.ui.focus is not None and fight.ui.focus.key == "title"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_summary_says_how_long_it_took_in_the_units_of_the_rules(player: Player, ruleset: str) -> None:
    fight = over(player, fought(ruleset, 2))
    turns = sum(isinstance(event, Began) and event.what == "turn" for event in fight.match.events)
    unit = fight.ruleset.fight_turn
    took = f"{turns} {unit}" if fight.board.now is None else f"{fight.board.now} second"
    assert int(took.split()[0]) > 0
    assert any(told.startswith(took) for told in labels(player))


def test_who_ran_from_a_fight_is_in_its_summary(player: Player) -> None:
    fights = (fought("cairn", seed) for seed in range(1, 30))
    match = next(m for m in fights if any(e.condition == "fled" for e in m.events if isinstance(e, Condition)))
    gone = {str(c["id"]) for c in match.record.creatures} - {mini.id for mini in match.board().miniatures}
    assert gone
    fight = over(player, match)
    names = {mini.name for mini in fight.eyes.board(0).miniatures if mini.id in gone}
    assert {f"{name} (fled)" for name in names} <= set(labels(player))


def test_who_ran_is_told_though_nobody_knew_it_at_the_start(player: Player) -> None:
    fights = (fought("cairn", seed, options={"fog": True}) for seed in range(1, 40))
    late = next(
        (match, mimic) for match in fights for mimic in match.record.creatures if mimic.get("template") == "mimic"
        and any(isinstance(e, Condition) and e.condition == "fled" and e.target == mimic["id"] for e in match.events)
    )  # fmt: skip
    fight = over(player, late[0])
    assert str(late[1]["id"]) not in {mini.id for mini in fight.eyes.board(0).miniatures}
    assert "Mimic (fled)" in labels(player)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_next_fight_begins_with_rules_map_and_party_of_the_last(player: Player, ruleset: str) -> None:
    party = set(list(content.heroes(ruleset))[:2])
    fights = (fought(ruleset, seed, options={"fog": True}) for seed in range(1, 30))
    over(player, next(match for match in fights if party <= alive(match)))
    player.press("Next fight")
    choose = player.app.top
    assert isinstance(choose, Choose)
    assert choose.ruleset == ruleset and choose.map is not None and choose.map.stem == "tavern"
    assert choose.party == list(content.heroes(ruleset))[:2]
    assert choose.options["fog"] is True
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.app.top, Title)


@pytest.mark.parametrize("size", [(1024, 600), (1280, 720), (1920, 1080)])
@pytest.mark.parametrize("scale", [100, 200])
def test_the_bar_has_room(size: tuple[int, int], scale: int) -> None:
    app = App(size, settings=Settings(speed=0, autosave=False, scale=scale))
    player = Player(app)
    fight = over(player)
    player.key(pygame.K_ESCAPE)
    window = pygame.Rect((0, 0), size)
    rects = [
        w.rect
        for p in fight.ui.live()
        for w in p.walk()
        if isinstance(w, Button) and w.key in ("summary", "title", "next")
    ]
    assert len(rects) == 3 and all(window.contains(rect) for rect in rects)
    app.scenes.clear()
