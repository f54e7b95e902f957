"""One virtual screen for all tests of the real window."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.real_table import Sat, Sitting
from tests.e2e.screen import ending, screen


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """The name of a virtual screen with a window manager."""
    with screen("2048x1200") as name:
        yield name


@pytest.fixture
def sat(display: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Sat]:
    """Seats before windows with a user's folder of their own; the windows end with the test."""
    story = request.node.originalname.removeprefix("test_")
    with ending(partial(Sitting, display, tmp_path, story=story)) as sit:
        yield sit
