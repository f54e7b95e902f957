"""A patrol drawn on the board, by mouse and by keys: point by point, taken back, ended, given up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest

from game.scenes.dialogs.panels import Menu
from game.scenes.fight.scene import Fight
from game.scenes.setup import commands
from game.setup import otherrules
from tests.game.test_setup_scene import CTRL, Hand, at_the_table

ROWS = ["##############", *(["#............#"] * 3), "#....#.......#", "##############"]


def record() -> dict[str, Any]:
    return {
        "format": "battlemat/1", "ruleset": "olde", "options": {"explore": True}, "map": {"rows": ROWS}, "seed": 7,
        "creatures": [
            {"id": "warrior", "template": "warrior", "side": "heroes", "controller": "human", "at": [1, 1]},
            {"id": "goblin", "template": "goblin", "side": "monsters", "controller": "ai", "at": [9, 2]},
        ],
    }  # fmt: skip


@pytest.fixture
def hand() -> Iterator[Hand]:
    yield from at_the_table(record())


def patrol(hand: Hand) -> object:
    return hand.entries()[1].get("patrol")


def begun(hand: Hand) -> Hand:
    hand.click(hand.pixel((9, 2)))
    hand.take("field patrol")
    assert hand.scene.drawing is not None
    return hand


def test_clicks_draw_a_patrol_beyond_the_eighth_column_and_the_last_point_again_ends_it(hand: Hand) -> None:
    begun(hand)
    for spot in ((9, 2), (12, 2), (12, 4)):
        hand.click(hand.pixel(spot))
    assert patrol(hand) is None
    hand.click(hand.pixel((12, 4)))
    assert hand.scene.drawing is None and patrol(hand) == [[9, 2], [12, 2], [12, 4]]
    assert hand.scene.editor.problems() == ()
    hand.key(pygame.K_RETURN, CTRL)
    assert isinstance(hand.app.top, Fight)


def test_a_click_on_the_first_point_closes_the_round(hand: Hand) -> None:
    begun(hand)
    for spot in ((9, 2), (12, 2), (12, 4), (9, 2)):
        hand.click(hand.pixel(spot))
    assert hand.scene.drawing is None and patrol(hand) == [[9, 2], [12, 2], [12, 4]]


def test_a_right_click_and_escape_take_back_a_point_each_then_give_it_up(hand: Hand) -> None:
    begun(hand)
    for spot in ((9, 2), (12, 2), (12, 4)):
        hand.click(hand.pixel(spot))
    drawing = hand.scene.drawing
    assert drawing is not None
    hand.click(hand.pixel((6, 2)), button=3)
    assert drawing.points == [(9, 2), (12, 2)]
    hand.key(pygame.K_ESCAPE)
    hand.key(pygame.K_z, CTRL)
    assert drawing.points == [] and hand.scene.drawing is drawing
    hand.key(pygame.K_ESCAPE)
    assert hand.scene.drawing is None and patrol(hand) is None and not isinstance(hand.app.top, Menu)


def test_arrows_and_enter_draw_it_and_the_creature_stays_where_it_is(hand: Hand) -> None:
    begun(hand)
    hand.key(pygame.K_RETURN)
    for _ in range(3):
        hand.key(pygame.K_RIGHT)
    hand.key(pygame.K_RETURN)
    hand.key(pygame.K_RETURN, CTRL)
    assert hand.scene.drawing is None and patrol(hand) == [[9, 2], [12, 2]]
    assert hand.spots()["goblin"] == (9, 2)


def test_it_is_one_step_to_undo_and_can_be_changed_and_taken_away(hand: Hand) -> None:
    begun(hand)
    hand.click(hand.pixel((9, 2)))
    hand.click(hand.pixel((12, 2)))
    hand.take("way done")
    hand.take("field patrol")
    hand.drag(hand.pixel((12, 2)), hand.pixel((11, 3)))
    hand.click(hand.pixel((6, 3)))
    hand.take("way done")
    assert patrol(hand) == [[9, 2], [11, 3], [6, 3]]
    hand.key(pygame.K_z, CTRL)
    assert patrol(hand) == [[9, 2], [12, 2]]
    hand.take("patrol away")
    assert patrol(hand) is None


def test_given_up_it_stays_what_it_was(hand: Hand) -> None:
    begun(hand)
    hand.click(hand.pixel((9, 2)))
    hand.click(hand.pixel((12, 2)))
    hand.take("way done")
    hand.take("field patrol")
    hand.click(hand.pixel((6, 3)))
    hand.take("way leave")
    assert patrol(hand) == [[9, 2], [12, 2]]


def test_no_point_in_a_wall_and_it_says_so(hand: Hand) -> None:
    begun(hand)
    hand.click(hand.pixel((5, 4)))
    assert hand.scene.drawing is not None and hand.scene.drawing.points == []
    assert hand.scene.toast_text == "No point there: in a wall or chasm."


def test_before_a_click_the_foot_tells_how_far_it_is(hand: Hand) -> None:
    begun(hand)
    hand.click(hand.pixel((9, 2)))
    hand.move(hand.pixel((12, 2)))
    assert commands.pointed_at(hand.scene) == "Point 2: 3 spaces farther"
    hand.move(hand.pixel((9, 2)))
    assert commands.pointed_at(hand.scene) == "A click ends it here."


def test_turning_to_something_else_keeps_what_was_drawn(hand: Hand, tmp_path: Path) -> None:
    begun(hand)
    hand.click(hand.pixel((9, 2)))
    hand.click(hand.pixel((12, 2)))
    hand.key(pygame.K_a, CTRL)
    assert hand.scene.drawing is None and patrol(hand) == [[9, 2], [12, 2]]
    assert hand.scene.save(tmp_path / "kept.json")


def test_under_another_ruleset_which_has_patrols_too_the_drawing_goes_on(hand: Hand) -> None:
    begun(hand)
    hand.click(hand.pixel((9, 2)))
    scene = hand.scene
    assert scene.drawing is not None
    before = scene.drawing
    scene.editor.change(otherrules.under(scene.editor.draft, "cairn"), "other rules")
    scene.refresh()
    assert scene.drawing == before
    hand.app.draw()


def test_of_several_without_a_patrol_none_is_said_to_have_one(hand: Hand) -> None:
    def lines() -> set[str]:
        return {str(getattr(w, "text", "")) for panel in hand.scene.ui.live() for w in panel.walk()}

    hand.key(pygame.K_a, CTRL)
    assert "None; select one creature to draw one" in lines()
    begun(hand)
    for spot in ((9, 2), (12, 2), (12, 2)):
        hand.click(hand.pixel(spot))
    hand.key(pygame.K_a, CTRL)
    assert "various; select one creature to change it" in lines()
