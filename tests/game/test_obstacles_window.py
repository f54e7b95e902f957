"""Obstacles in the window, by mouse and keys: swimming, climbing, lifting, clearing; and what is drawn of it."""

from __future__ import annotations

import os
from collections.abc import Sequence

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from typing import Any

import pygame

from game.view import boardview as legend
from game.view.minis import draw_miniature
from game.view.motion import spellmarks as obstaclemarks
from rules.board.fixtures import OBSTACLES
from rules.contract.display import Miniature
from rules.contract.units import Cell
from rules.core.ground import field_of
from tests.game.player import Player, commands, fight_of, middle

ROWS = ["############", "#...#......#", "#..........#", "#...#......#", "#..........#", "############"]
WATER = {"id": "canal", "kind": "water", "at": [[5, 1], [5, 2], [5, 3], [5, 4]], "difficulty": 6}
WALL = {"id": "low wall", "kind": "climb", "at": [[8, 4]], "height": 0, "difficulty": 6}
BARS = {"id": "bars", "kind": "portcullis", "at": [[4, 2]]}
STONES = {"id": "stones", "kind": "rubble", "at": [[2, 1]], "difficulty": 6}


def record(at: list[int], throws: Sequence[int | None], **more: Any) -> dict[str, Any]:
    being: dict[str, Any] = {
        "brawn": 8,
        "finesse": 8,
        "savvy": 6,
        "nerve": 6,
        "size": "medium",
        "weapons": ["broadsword"],
        "controller": "human",
        "skills": {"Swim": "Foreman", "Climb": "Foreman"},
    }
    return {
        "format": "battlemat/1", "ruleset": "olde", "seed": 3, "throws": [8, 1, *throws], "commands": [],
        "map": {"rows": ROWS, "challenges": [WATER, WALL, BARS, STONES]},
        "creatures": [
            {"id": "ada", "side": "heroes", "at": at, **being},
            {"id": "gob", "side": "monsters", "at": [10, 4], **being},
        ],
        **more,
    }  # fmt: skip


def cell(column: int, row: int) -> Cell:
    return Cell(row * 12 + column)


def test_deep_water_is_swum_by_a_click_and_the_card_told_the_chances(player: Player) -> None:
    fight = fight_of(player, record([6, 2], [4, 4]))
    player.press("offer swim ")
    player.move(middle(fight, cell(5, 2)))
    assert fight.choices.preview is not None and fight.plan is not None
    odds = fight.plan.odds(fight.choices.preview)
    assert odds is not None and odds.outcomes[-1][0] == "goes under"
    player.click(middle(fight, cell(5, 2)))
    player.until(lambda: commands(fight))
    assert commands(fight) == [{"by": "ada", "do": "swim", "path": [[5, 2]]}]
    assert "swimming" in [badge.icon for badge in fight.board.miniatures[0].badges]


def test_a_low_wall_is_climbed_by_the_keys_alone(player: Player) -> None:
    fight = fight_of(player, record([7, 4], [7, 3]))
    fight.view.skip()
    player.press("offer climb ")
    player.key(pygame.K_RIGHT)
    player.key(pygame.K_RIGHT)
    player.key(pygame.K_RETURN)
    player.until(lambda: commands(fight))
    assert commands(fight) == [{"by": "ada", "do": "climb", "at": [9, 4]}]


def test_the_bars_are_lifted_where_one_points_at_them(player: Player) -> None:
    fight = fight_of(player, record([3, 2], [7, 7]))
    player.press("offer force ")
    player.move(middle(fight, cell(4, 2)))
    assert fight.plan is not None and fight.choices.preview is not None
    assert fight.plan.describe(fight.choices.preview).label == "Lift the portcullis"
    player.click(middle(fight, cell(4, 2)))
    player.until(lambda: commands(fight))
    assert fight.match.state.doors == ("open",)


def test_the_list_of_obstacles_tells_each_chance(player: Player) -> None:
    fight = fight_of(player, record([1, 1], [7, 7]))
    player.press("offer tackle ")
    assert fight.plan is not None
    action = next(a for o in fight.plan.offers if o.do == "tackle" for a in o.actions)
    assert fight.plan.describe(action).notes[0].endswith("against CR 6")


def test_why_a_walk_ends_at_the_water_is_told() -> None:
    from rules.board.path import path_fault
    from rules.core import record as records
    from rules.core.fixtures.obstacles import laid

    ground = laid(field_of(records.read(record([6, 2], [])).map)).terrain()
    assert "deep water: Swim" in (path_fault(ground, cell(6, 2), (cell(5, 2),)) or "")
    assert "rubble" in (path_fault(ground, cell(1, 1), (cell(2, 1),)) or "")


def test_every_kind_is_drawn_and_named(player: Player) -> None:
    for kind in (*OBSTACLES, "cleared"):
        sheet = obstaclemarks._picture(kind, 48, 1)
        assert pygame.mask.from_surface(sheet, 40).count() > 20, kind
    fight = fight_of(player, record([6, 2], []))
    told = [name.text for name in legend.names(fight.camera, fight.board, fight.view.ground.plan)]
    assert {"canal", "low wall", "stones"} <= set(told)


def test_a_swimmer_is_up_to_its_chest_in_water() -> None:
    pictures = []
    for posture in ("standing", "swimming"):
        surface = pygame.Surface((64, 64))
        mini = Miniature("a", "Ada", "heroes", Cell(0), "warrior", posture=posture)
        draw_miniature(surface, mini, pygame.Rect(0, 0, 64, 64))
        pictures.append(surface)
    dry, wet = pictures
    assert dry.get_at((32, 14)) == wet.get_at((32, 14))
    assert dry.get_at((32, 48)) != wet.get_at((32, 48))
