"""The right button (and a key) where an encounter is prepared: what can be done with who, what or where it is."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from game.scenes.dialogs.panels import ContextMenu, Menu
from game.scenes.setup import Setup
from game.setup import draft as drafts
from game.widgets.menu import MenuLine
from rules.core import record as records
from tests.game.test_setup_scene import CTRL, SHIFT, Hand, at_the_table
from tests.game.test_setup_scene import record as olde


@pytest.fixture
def hand() -> Iterator[Hand]:
    yield from at_the_table(olde())


def lines(hand: Hand) -> dict[str, MenuLine]:
    assert isinstance(hand.app.top, ContextMenu)
    shown = (w for panel in hand.app.top.ui.live() for w in panel.walk())
    return {w.key: w for w in shown if isinstance(w, MenuLine)}


def choose(hand: Hand, *keys: str) -> None:
    for key in keys:
        hand.click(lines(hand)[key].rect.center)


def test_a_right_click_on_a_creature_selects_it_and_tells_what_can_be_done(hand: Hand) -> None:
    hand.click(hand.pixel((8, 3)), button=3)
    assert [piece.id for piece in hand.scene.editor.chosen()] == ["goblin"]
    assert {"edit", "duplicate", "side", "asleep", "hidden", "patrol", "posture", "remove"} <= set(lines(hand))
    choose(hand, "asleep")
    assert hand.entries()[1]["asleep"] is True and not isinstance(hand.app.top, ContextMenu)
    hand.click(hand.pixel((8, 3)), button=3)
    assert lines(hand)["asleep"].line.on is True
    choose(hand, "side", "heroes")
    assert hand.entries()[1]["side"] == "heroes"
    hand.key(pygame.K_z, CTRL)
    assert hand.entries()[1]["side"] == "monsters" and hand.entries()[1]["asleep"] is True


def test_with_several_selected_it_goes_for_all_of_them(hand: Hand) -> None:
    hand.key(pygame.K_a, CTRL)
    hand.click(hand.pixel((8, 3)), button=3)
    choose(hand, "posture", "Prone")
    assert [entry["posture"] for entry in hand.entries()] == ["prone", "prone"]
    hand.click(hand.pixel((8, 3)), button=3)
    assert not lines(hand)["patrol"].enabled
    choose(hand, "remove")
    assert hand.entries() == []


def test_escape_peels_one_layer_and_always_one(hand: Hand) -> None:
    hand.click(hand.pixel((8, 3)), button=3)
    choose(hand, "side")
    hand.key(pygame.K_ESCAPE)
    assert "edit" in lines(hand), "the menu within is gone, the one below is there"
    hand.key(pygame.K_ESCAPE)
    assert hand.app.top is hand.scene and hand.scene.editor.selection
    hand.key(pygame.K_ESCAPE)
    assert not hand.scene.editor.selection and hand.app.top is hand.scene
    hand.key(pygame.K_ESCAPE)
    assert isinstance(hand.app.top, Menu)


def test_what_is_in_hand_is_laid_aside_first(hand: Hand) -> None:
    hand.take("offer goblin")
    hand.click(hand.pixel((8, 3)), button=3)
    assert hand.scene.brush is None and hand.app.top is hand.scene


def test_a_door_is_turned_to_any_state_at_once(hand: Hand) -> None:
    hand.click(hand.pixel((11, 2)), button=3)
    assert lines(hand)["closed"].line.on is True
    choose(hand, "barred")
    assert hand.scene.editor.door_state(0) == "barred"


def test_on_empty_ground_one_more_is_put_down_there(hand: Hand) -> None:
    hand.click(hand.pixel((4, 4)), button=3)
    assert not lines(hand)["paste"].enabled
    choose(hand, "again", "Goblin")
    assert hand.spots()["goblin_2"] == (4, 4)
    hand.key(pygame.K_a, CTRL)
    hand.key(pygame.K_c, CTRL)
    hand.key(pygame.K_ESCAPE)
    hand.click(hand.pixel((2, 4)), button=3)
    choose(hand, "paste")
    assert len(hand.entries()) == 6


def test_a_key_opens_it_at_the_selected_or_at_the_cursor(hand: Hand) -> None:
    hand.key(pygame.K_TAB)
    hand.key(pygame.K_F10, SHIFT)
    assert "duplicate" in lines(hand)
    hand.key(pygame.K_ESCAPE)
    hand.key(pygame.K_ESCAPE)
    hand.scene.cursor = (11, 2)
    hand.key(pygame.K_F10, SHIFT)
    assert "barred" in lines(hand)


def test_a_right_click_elsewhere_opens_the_menu_there(hand: Hand) -> None:
    hand.click(hand.pixel((8, 3)), button=3)
    hand.click(hand.pixel((2, 2)), button=3)
    assert [piece.id for piece in hand.scene.editor.chosen()] == ["warrior"] and "edit" in lines(hand)


def test_where_rules_know_a_facing_it_is_chosen_by_its_name(hand: Hand) -> None:
    said = olde() | {"ruleset": "countup", "creatures": [
        {"id": "hale", "template": "hale", "side": "heroes", "controller": "human", "at": [2, 2]},
        {"id": "orc", "template": "orc", "side": "monsters", "controller": "ai", "at": [8, 3]},
    ]}  # fmt: skip
    hand.app.push(Setup(hand.app, drafts.from_record(records.read(said))))
    hand.turn()
    hand.click(hand.pixel((8, 3)), button=3)
    choose(hand, "facing", "Southeast")
    assert hand.entries()[1]["facing"] == 3
    hand.click(hand.pixel((8, 3)), button=3)
    choose(hand, "facing", "As the rules say")
    assert "facing" not in hand.entries()[1]
