"""Whom the tests of the window let play."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.paths import HOME_VARIABLE
from tests.game.player import Player


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder, empty."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    return tmp_path


@pytest.fixture
def player() -> Iterator[Player]:
    """Before the title, nothing moving and nothing saved by itself."""
    app = App((1280, 720), settings=Settings(speed=0, autosave=False))
    pygame.event.clear()
    app.navigator.title()
    yield Player(app)
    pygame.event.clear()
