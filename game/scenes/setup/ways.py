"""Ways to an encounter that is prepared, and back to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from game.scenes.base import Shell
from game.scenes.setup import Setup, opening


def prepare(app: Shell, record: Path | None = None) -> None:
    """The window in which an encounter is prepared: the draft in progress, or a record. Raises BattlematError."""
    scene = Setup(app)
    if record is not None:
        scene.open_record(record)
    app.push(scene)


def prepared(app: Shell) -> None:
    """The encounters prepared so far, to edit and to play. Raises BattlematError."""
    prepare(app)
    if isinstance(app.top, Setup):
        opening.choose_record(app.top)


def open_dropped(app: Shell, path: Path) -> None:
    """A map or a record dropped onto a window without a fight: an encounter is prepared. Raises BattlematError."""
    scene = Setup(app)
    app.push(scene)
    opening.open_any(scene, path)


def way_back(app: Shell) -> Callable[[], None] | None:
    """Back to the table on which the fight was prepared; None for a fight that wasn't."""
    depth = next((n for n, scene in enumerate(app.scenes[:-1]) if scene.name == "setup"), None)
    if depth is None:
        return None

    return lambda: app.unwind(depth)
