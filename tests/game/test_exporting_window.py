"""Exporting the map from the table of preparation."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from game import paths
from game.exporting.order import sheets
from game.scenes.dialogs.panels import Message
from game.scenes.setup.exporting import ExportDialog
from tests.game.player import Player, labels

pytestmark = pytest.mark.usefixtures("home")


def asked(player: Player) -> ExportDialog:
    """The dialog, over an empty table."""
    player.app.navigator.prepare()
    player.turn()
    player.key(pygame.K_e, pygame.KMOD_CTRL)
    player.turn()
    assert isinstance(player.app.top, ExportDialog)
    return player.app.top


def test_a_key_asks_what_shall_be_written_and_writes_it(player: Player) -> None:
    asked(player)
    player.press("Write")
    player.turn()
    assert isinstance(player.app.top, Message)
    assert {path.suffix for path in paths.user_folder("exports").iterdir()} == {".uvtt"}


def test_nothing_that_was_written_before_is_written_over(player: Player) -> None:
    dialog = asked(player)
    maps = len(sheets(dialog.matter, Path("any.uvtt")))
    for again in range(1, 3):
        player.press("Write")
        player.turn()
        assert len(list(paths.user_folder("exports").iterdir())) == again * maps
        player.app.pop()
        player.key(pygame.K_e, pygame.KMOD_CTRL)
        player.turn()


def test_a_picture_has_lines_and_other_tables_lay_their_own(player: Player) -> None:
    dialog = asked(player)
    assert not dialog.order().grid
    player.press("Picture")
    player.turn()
    assert dialog.order().grid and any("PNG" in label for label in labels(player))
