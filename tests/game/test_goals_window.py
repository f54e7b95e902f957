"""Goals in the window: told at the beginning, listed at the board's edge, marked on the board, counted at the end."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.fight.match import Match
from game.scenes.fight.briefing import Briefing
from game.scenes.fight.panels.places import overlays
from game.scenes.fight.scene import Fight
from game.widgets.controls import Label
from rules.board.bitboard import cells_of
from tests.game.player import Player

SIZES = ((1280, 720), (1920, 1080), (800, 500))


def table(size: tuple[int, int] = (1280, 720), goals: list[dict[str, Any]] | None = None) -> Player:
    """Two heroes on a map with goals, at the beginning."""
    rows = ["############", "#..........#", "#..........#", "############"]
    if goals is None:
        goals = [{"name": "altar", "kind": "reach", "at": [[4, 1]], "text": "Get to the altar"},
                 {"name": "friend", "kind": "free", "what": "cap", "optional": True}]  # fmt: skip
    people = [
        ("ada", "heroes", [2, 1], "warrior"),
        ("cap", "captives", [3, 1], "ranger"),
        ("gob", "monsters", [10, 2], "goblin"),
    ]
    creatures = [{"id": who, "side": side, "at": at, "template": kind, "controller": "ai" if who == "gob" else "human",
                  **({"prisoner": True} if who == "cap" else {})} for who, side, at, kind in people]  # fmt: skip
    app = App(size, settings=Settings(speed=0, end_by_itself=False))
    record = {"format": "battlemat/1", "ruleset": "olde", "seed": 4, "creatures": creatures,
              "map": {"rows": rows, "goals": goals}}  # fmt: skip
    player = Player(app)
    app.navigator.show(Match.from_record(record))
    player.turn(10)
    return player


def words(player: Player) -> str:
    """All that stands on labels, the topmost scene's."""
    labels = (w for panel in player.app.top.ui.live() for w in panel.walk() if isinstance(w, Label))
    return " | ".join(label.text for label in labels)


def begun(player: Player) -> Fight:
    player.key(pygame.K_RETURN)
    player.until(lambda: isinstance(player.app.top, Fight) and player.app.top.plan is not None)
    fight = player.app.top
    assert isinstance(fight, Fight)
    return fight


def test_what_is_to_be_done_is_told_at_the_beginning_once() -> None:
    player = table()
    assert isinstance(player.app.top, Briefing)
    assert "Get to the altar" in words(player) and "Free Maren Thistle (if you can)" in words(player)
    begun(player)
    player.app.top.rebuild()
    player.turn(3)
    assert isinstance(player.app.top, Fight)


@pytest.mark.parametrize("size", SIZES)
def test_the_goals_stand_at_the_boards_edge_within_the_window(size: tuple[int, int]) -> None:
    player = table(size)
    fight = begun(player)
    assert "Goals 0/2" in words(player)
    window = pygame.Rect((0, 0), size)
    panels = [panel.rect for panel in fight.ui.live()]
    assert all(window.contains(rect) for rect in panels)
    apart = [(a, b) for n, a in enumerate(panels) for b in panels[n + 1 :] if a.colliderect(b)]
    assert apart == []


def test_spaces_where_an_open_goal_counts_are_marked() -> None:
    fight = begun(table())
    assert cells_of(overlays(fight).goals) == [fight.match.field.cell(4, 1)]


def test_a_goal_that_is_done_ends_the_evening_where_there_is_no_exit_and_stands_in_the_summary() -> None:
    player = table()
    fight = begun(player)
    decision = fight.match.decision
    assert decision is not None
    step = next(a for a in fight.match.legal(decision) if a.path and a.path[-1] == fight.match.field.cell(4, 1))
    fight.deeds.carry_out(decision, step)
    player.until(lambda: fight.over)
    player.turn(20)
    assert player.app.top.name == "summary"
    assert "Victory" in words(player) and "Get to the altar" in words(player)


def test_a_fight_without_goals_and_story_begins_at_once() -> None:
    player = table(goals=[])
    assert isinstance(player.app.top, Fight) and "Goals" not in words(player)
