"""One virtual screen for all tests of the real window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.screen import screen


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """The name of a virtual screen with a window manager."""
    with screen("2048x1200") as name:
        yield name
