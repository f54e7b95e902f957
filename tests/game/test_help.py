"""Help and the list of keys: complete, and searched as one types."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.scenes.dialogs.help import GROUPS, Help
from game.widgets.controls import Label
from game.widgets.core import Scroll
from tests.game.player import Player, fight_of

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def player() -> Iterator[Player]:
    app = App((1280, 720), settings=Settings(speed=0))
    yield Player(app)
    app.scenes.clear()


def texts(player: Player) -> list[str]:
    return [w.text for panel in player.app.top.ui.live() for w in panel.walk() if isinstance(w, Label)]


def typed(player: Player, word: str) -> list[str]:
    for letter in word:
        player.key(ord(letter))
    assert isinstance(player.app.top, Help)
    return texts(player)


def test_the_list_has_every_command_with_its_keys_under_a_heading(player: Player) -> None:
    fight_of(player)
    player.key(pygame.K_k, pygame.KMOD_CTRL)
    shown = texts(player)
    for command in player.app.keys.commands:
        assert command.label in shown and " · ".join(command.keys) in shown, command.name
        assert GROUPS[command.group] in shown


def test_typing_finds_commands_help_and_words_of_the_rules(player: Player) -> None:
    fight = fight_of(player)
    before = fight.match.history.length
    player.key(pygame.K_F1)
    shown = typed(player, "prone")
    assert fight.ruleset.term("prone")[0] in shown  # type: ignore[index]
    for _ in "prone":
        player.key(pygame.K_BACKSPACE)
    shown = typed(player, "branch")
    labels = [c.label for c in player.app.keys.commands if "ranch" in c.label]
    assert labels and set(labels) <= set(shown)
    assert "Seen again" in shown and "Quick save" not in shown
    player.key(pygame.K_ESCAPE)
    assert player.app.top is fight and fight.match.history.length == before


def test_what_nobody_knows_is_told(player: Player) -> None:
    fight_of(player)
    player.key(pygame.K_F1)
    assert "Nothing has these words." in typed(player, "zzz")


def test_the_key_of_the_other_page_turns_to_it_and_the_page_s_own_leaves(player: Player) -> None:
    fight = fight_of(player)
    player.key(pygame.K_F1)
    player.key(pygame.K_k, pygame.KMOD_LCTRL)
    assert isinstance(player.app.top, Help) and player.app.top.page == "keys"
    player.key(pygame.K_F1)
    assert isinstance(player.app.top, Help) and player.app.top.page == "help"
    player.key(pygame.K_F1)
    assert player.app.top is fight


def test_what_is_too_long_for_the_panel_is_paged_by_keys(player: Player) -> None:
    fight_of(player)
    player.key(pygame.K_k, pygame.KMOD_LCTRL)
    listing = next(w for panel in player.app.top.ui.live() for w in panel.walk() if isinstance(w, Scroll))
    player.key(pygame.K_PAGEDOWN)
    assert listing.offset > listing.rect.height // 2
    player.key(pygame.K_PAGEUP)
    assert listing.offset == 0
