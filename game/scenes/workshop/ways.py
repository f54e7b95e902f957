"""The way to the heroes of the player's own."""

from __future__ import annotations

from game.scenes.base import Shell
from game.scenes.workshop import Workshop


def workshop(app: Shell) -> None:
    """The heroes of the player's own."""
    app.push(Workshop(app))
