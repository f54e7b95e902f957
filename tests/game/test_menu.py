"""The menu of what is pointed at: it opens where there is room, one key or click takes a line, Esc closes it alone."""

from __future__ import annotations

import pygame
import pytest

from game.scenes.dialogs.panels import ContextMenu, Menu, open_menu
from game.scenes.title import Title
from game.widgets.core import FOCUS_RING, Scroll
from game.widgets.menu import Line, MenuLine
from tests.game.player import Player


def opened(player: Player, pos: tuple[int, int] = (300, 200)) -> list[str]:
    """A menu of four lines, one of them shut, one opening further ones; what was done is in the list."""
    done: list[str] = []
    more = (Line("North", lambda: done.append("north"), on=True), Line("South", lambda: done.append("south")))
    lines = [
        Line("Asleep", lambda: done.append("asleep"), on=False),
        None,
        Line("Hidden", lambda: done.append("hidden"), why="Nobody hides in the open."),
        Line("Facing", more=more),
        Line("Remove", lambda: done.append("remove"), hint="Delete"),
    ]
    open_menu(player.app, "Grak", lines, pos)
    player.turn()
    return done


def line(player: Player, label: str) -> MenuLine:
    shown = (w for panel in player.app.top.ui.live() for w in panel.walk())
    return next(w for w in shown if isinstance(w, MenuLine) and w.label == label)


def focus(player: Player) -> str:
    here = player.app.top.ui.focus
    return here.label if isinstance(here, MenuLine) else ""


def test_a_click_takes_a_line_and_the_menu_is_gone(player: Player) -> None:
    done = opened(player)
    player.click(line(player, "Remove").rect.center)
    assert done == ["remove"] and isinstance(player.app.top, Title)


def test_arrows_pass_over_what_cannot_be_done_and_enter_takes(player: Player) -> None:
    done = opened(player)
    assert focus(player) == "Asleep"
    player.key(pygame.K_DOWN)
    assert focus(player) == "Facing"
    player.key(pygame.K_DOWN)
    player.key(pygame.K_RETURN)
    assert done == ["remove"]


def test_a_letter_goes_to_the_next_line_that_begins_with_it(player: Player) -> None:
    done = opened(player)
    player.key(pygame.K_r)
    assert focus(player) == "Remove" and done == []


def test_a_line_that_cannot_be_done_says_why_and_does_nothing(player: Player) -> None:
    done = opened(player)
    hidden = line(player, "Hidden")
    player.click(hidden.rect.center)
    assert done == [] and isinstance(player.app.top, ContextMenu)
    assert hidden.line.why == "Nobody hides in the open."
    assert hidden.rect.height > line(player, "Remove").rect.height, "the reason stands below it"


def test_what_it_costs_stands_at_the_right_of_a_line_and_is_not_cut(player: Player) -> None:
    lines = [Line("Attack with the broadsword", lambda: None, cost="2 AP · 64 %", hint="4"), Line("Rest", lambda: None)]
    open_menu(player.app, "Grak", lines, (300, 200), "Goblin, wounded")
    player.turn()
    attack, look = line(player, "Attack with the broadsword"), player.app.look
    words = look.font("label").size(attack.label)[0] + look.font("small").size("2 AP · 64 %4")[0]
    assert attack.rect.width >= words + look.px(12 + 10 + 10 + 10)
    assert line(player, "Rest").rect.width == attack.rect.width


def test_a_line_opens_further_ones_and_escape_closes_one_layer(player: Player) -> None:
    done = opened(player)
    player.key(pygame.K_f)
    player.key(pygame.K_RIGHT)
    assert focus(player) == "North" and line(player, "North").line.on
    player.key(pygame.K_ESCAPE)
    assert focus(player) == "Facing"
    player.key(pygame.K_RETURN)
    player.key(pygame.K_s)
    player.key(pygame.K_RETURN)
    assert done == ["south"] and isinstance(player.app.top, Title)


def test_escape_or_a_click_beside_it_closes_it_and_does_nothing(player: Player) -> None:
    done = opened(player)
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.app.top, Title)
    opened(player)
    player.click((1200, 700))
    assert isinstance(player.app.top, Title) and done == []


@pytest.mark.parametrize("pos", [(2, 2), (1278, 718), (1278, 4), (640, 717)])
def test_it_stands_whole_in_the_window_wherever_it_is_opened(player: Player, pos: tuple[int, int]) -> None:
    opened(player, pos)
    (panel,) = player.app.top.ui.live()
    assert pygame.Rect(0, 0, 1280, 720).contains(panel.rect)
    assert all(panel.rect.contains(line(player, name).rect) for name in ("Asleep", "Remove"))


def test_no_line_is_cut_by_its_key(player: Player) -> None:
    opened(player)
    removing = line(player, "Remove")
    look = player.app.look
    words = look.font("label").size("Remove")[0] + look.font("small").size("Delete")[0]
    assert removing.rect.width >= words + look.px(22 + 12 + 10 + 10)


def test_nothing_to_choose_opens_nothing(player: Player) -> None:
    open_menu(player.app, "Grak", [None], (10, 10))
    assert isinstance(player.app.top, Title)


@pytest.mark.parametrize("scale", [100, 150, 200])
def test_no_choice_of_a_menu_is_cut(player: Player, scale: int) -> None:
    player.app.settings.scale = scale
    player.app.refit()
    choices = [("Back", "Esc", lambda: None), ("Leave the game master's view", "Ctrl+G", lambda: None)]
    player.app.push(Menu(player.app, "Menu", choices))
    player.turn()
    look = player.app.look
    (button,) = [w for p in player.app.top.ui.live() for w in p.walk() if w.key == "choice 1"]
    assert button.rect.width >= button.measure(look, 5000)[0]
    assert all(pygame.Rect(0, 0, 1280, 720).contains(p.rect) for p in player.app.top.ui.live())


def test_the_key_beside_a_choice_takes_it(player: Player) -> None:
    done: list[str] = []
    ways = [("Back", "Esc", lambda: None), ("Load", "", lambda: None), ("Save", "Ctrl+S", lambda: done.append("save"))]
    player.app.push(Menu(player.app, "Paused", ways))
    player.turn()
    player.key(pygame.K_s)
    assert not done and isinstance(player.app.top, Menu), "not without Ctrl"
    player.key(pygame.K_s, pygame.KMOD_CTRL)
    assert done == ["save"] and isinstance(player.app.top, Title)


@pytest.mark.parametrize("scale", [100, 150])
def test_what_has_the_focus_in_a_long_menu_is_seen_with_its_ring(player: Player, scale: int) -> None:
    player.app.settings.scale = scale
    player.app.refit()
    player.app.push(Menu(player.app, "Paused", [(f"Choice {n}", "", lambda: None) for n in range(30)]))
    player.turn()
    (scroll,) = [w for p in player.app.top.ui.live() for w in p.walk() if isinstance(w, Scroll)]
    ring = player.app.look.px(FOCUS_RING)
    for key in (pygame.K_UP, *[pygame.K_UP] * 20, pygame.K_DOWN, *[pygame.K_DOWN] * 8):
        player.key(key)
        focus = player.app.top.ui.focus
        assert focus is not None
        end = scroll.offset == scroll.total - scroll.rect.height  # there it may reach beyond what scrolls
        assert scroll.rect.inflate(0, 2 * ring if end else 0).contains(focus.rect.inflate(0, 2 * ring))
