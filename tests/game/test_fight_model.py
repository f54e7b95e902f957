"""The fight's screen as model and commands: changes say what is drawn anew; one table says what may be ordered."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pygame
import pytest

from game.controllers.human import FIGHT_GROUPS, load_keys
from game.scenes.dialogs.panels import Menu
from game.scenes.fight.commands import COMMANDS
from game.scenes.fight.model import Anew, Drag, Phase
from game.scenes.fight.scene import Fight
from tests.game.player import Player, arena, fight_of, middle

OF_THE_WINDOW = {
    "help",
    "keys",
    "reference",
    "fullscreen",
    "sound",
    "players",
    "players_black",
    "players_push",
    "players_remote",
}
"""Commands that the window itself answers, on every screen."""
BY_MOUSE_ALONE = {"keep_threat", "fold_sheet", "context_here", "menu"}


def drawn(player: Player) -> Fight:
    """A fight of which all is drawn that is to be drawn."""
    fight = fight_of(player, arena())
    player.until(lambda: fight.plan is not None and not fight.behind and not fight.camera.moving)
    player.app.draw()
    assert not fight.dirty
    return fight


# -- what is drawn anew


@pytest.mark.parametrize(
    ("part", "field", "value", "anew"),
    [
        ("", "selected", "gob", Anew.PANELS),
        ("", "threat_kept", True, Anew.PANELS),
        ("", "log_over", True, Anew.PANELS),
        ("", "threat_held", True, Anew.BOARD),
        ("", "toast_text", "Hark!", Anew.BOARD),
        ("choices", "picks", ("Whom?", []), Anew.PANELS),
        ("choices", "more", True, Anew.PANELS),
        ("pointed", "cell", 3, Anew.BOARD),
        ("pointed", "drag", Drag.PAN, Anew.BOARD),
    ],
)
def test_what_changed_says_what_is_drawn_anew(player: Player, part: str, field: str, value: Any, anew: Anew) -> None:
    fight = drawn(player)
    owner = getattr(fight, part) if part else fight
    setattr(owner, field, getattr(owner, field))
    assert not fight.due, "nothing has changed"
    setattr(owner, field, value)
    assert fight.due == anew
    player.app.draw()
    assert not fight.due


def test_a_setting_that_panels_go_by_has_them_made_anew(player: Player) -> None:
    fight = drawn(player)
    player.app.settings.small_map = not player.app.settings.small_map
    assert Anew.PANELS in fight.due


def test_a_camera_that_was_moved_has_the_board_drawn_anew(player: Player) -> None:
    fight = drawn(player)
    fight.camera.pan(40, 0)
    assert fight.due == Anew.VIEW


def test_panels_are_made_once_for_all_that_one_key_changes(player: Player) -> None:
    fight = drawn(player)
    offer = next(o for o in fight.plan.offers if o.description.needs == "creature")  # type: ignore[union-attr]
    with mock.patch.object(fight.panels, "build", wraps=fight.panels.build) as build:
        player.key(ord(fight.key_of(offer)))
    assert fight.plan is not None and fight.plan.armed is offer
    assert build.call_count == 1


def test_nothing_is_drawn_anew_while_nothing_happens(player: Player) -> None:
    fight = drawn(player)
    with mock.patch.object(fight.panels, "build") as build:
        fight.update(0.0)
    assert not build.called


# -- what the player may do


def test_the_phase_says_who_is_asked_for_what(player: Player) -> None:
    fight = drawn(player)
    assert fight.phase is Phase.CHANCE and not fight.over
    fight.behind, fight.plan = True, None
    assert fight.phase is Phase.SHOWN
    fight.behind = False
    assert fight.phase is Phase.OTHERS


# -- commands


def test_every_key_of_a_fight_orders_something_of_the_table() -> None:
    named = {command.name for command in load_keys().commands if command.group in FIGHT_GROUPS}
    lessons = {name for name in named if name.startswith("lesson_")}
    assert named - OF_THE_WINDOW - lessons <= set(COMMANDS)


def test_what_no_key_orders_stands_in_the_menu_or_is_the_mouses() -> None:
    named = {command.name for command in load_keys().commands if command.group in FIGHT_GROUPS}
    keyless = {name for name, command in COMMANDS.items() if name not in named and not command.label}
    assert keyless == BY_MOUSE_ALONE


def test_the_menu_is_the_table_as_far_as_it_is_offered(player: Player) -> None:
    fight = drawn(player)
    fight.do("menu")
    menu = player.app.top
    assert isinstance(menu, Menu)
    labels = [label for label, _, _ in menu.choices]
    assert labels[0] == "Back to the fight" and labels[-1] == "Quit"
    assert "Summary" not in labels, "the fight is not over"
    assert ("Save", player.app.keys.shown("save")) in [(label, hint) for label, hint, _ in menu.choices]


def test_the_menu_of_an_exploration_goes_back_to_it(player: Player) -> None:
    fight = {"format": "battlemat/1", "ruleset": "olde", "seed": 4, "options": {"crawl": True},
             "map": {"rows": ["######", "#....#", "######"], "exits": [[1, 1]]}}  # fmt: skip
    hero = {"id": "ada", "side": "heroes", "at": [2, 1], "template": "warrior", "controller": "human"}
    foe = {"id": "gob", "side": "monsters", "at": [4, 1], "template": "goblin", "controller": "ai", "asleep": True}
    fight_of(player, {**fight, "creatures": [hero, foe]}).do("menu")
    menu = player.app.top
    assert isinstance(menu, Menu) and menu.choices[0][0] == "Back to the exploration"


def test_an_order_that_is_none_is_not_answered(player: Player) -> None:
    assert not drawn(player).do("dance")


def test_a_press_is_no_drag_before_it_has_wandered(player: Player) -> None:
    fight = drawn(player)
    start = middle(fight, fight.match.field.cell(2, 2))
    player.button(start, button=3, down=True)
    assert fight.pointed.busy and fight.pointed.drag is Drag.NOTHING
    player.move((start[0] + 30, start[1]))
    assert fight.pointed.drag is Drag.PAN
    player.button((start[0] + 30, start[1]), button=3, down=False)
    assert fight.pointed.drag is Drag.NOTHING and not fight.pointed.busy
    assert player.app.top is fight, "no menu after a drag"
    player.key(pygame.K_ESCAPE)
