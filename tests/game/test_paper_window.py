"""Printing from the table of preparation."""

from __future__ import annotations

import pygame
import pytest

from game import paths
from game.scenes.dialogs.panels import Message
from game.scenes.setup.paper import PrintDialog
from tests.game.player import Player, labels

pytestmark = pytest.mark.usefixtures("home")


def asked(player: Player) -> PrintDialog:
    """The dialog, over an empty table."""
    player.app.navigator.prepare()
    player.turn()
    player.key(pygame.K_p, pygame.KMOD_CTRL)
    player.turn()
    assert isinstance(player.app.top, PrintDialog)
    return player.app.top


def test_a_key_asks_what_shall_be_printed_and_writes_it(player: Player) -> None:
    asked(player)
    assert any("of A4" in label for label in labels(player))
    player.press("Write PDF")
    player.turn()
    assert isinstance(player.app.top, Message)
    assert [path.suffix for path in paths.user_folder("prints").iterdir()] == [".pdf"]


def test_without_creatures_there_is_the_map_alone_and_the_reason(player: Player) -> None:
    dialog = asked(player)
    assert dialog.unready and any(dialog.unready in label for label in labels(player))
    assert {part.value for part in dialog.order().parts} <= {"map", "secrets", "key"}


def test_with_nothing_chosen_nothing_is_written(player: Player) -> None:
    dialog = asked(player)
    for part in dialog.parts:
        dialog.parts[part] = False
    dialog.rebuild()
    player.turn()
    assert "Nothing is chosen." in labels(player)
    player.press("Write PDF")
    assert player.app.top is dialog and not list(paths.user_folder("prints").iterdir())
