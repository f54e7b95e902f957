"""Fights and forecasts that are opened first, by a record or by a scene's name. Imported where one is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from game.content import encounter
from game.fight.match import Match, load_fight
from game.scenes.base import Shell
from game.scenes.fight.scene import Fight
from game.storage import records as storage


def show_fight(app: Shell, record: Path | None) -> None:
    """A record's fight, or one in the crypt. Raises BattlematError."""
    app.navigator.show(Match.from_record(_crypt()) if record is None else load_fight(record))


def show_forecast(app: Shell, path: Path | None) -> None:
    """The forecast of a record, or of the fight in the crypt. Raises BattlematError."""
    record = _crypt() if path is None else storage.read_record(path)
    app.navigator.pictured(record, None if path is None else path.parent)


def show_summary(app: Shell) -> None:
    """The summary of the fight that is shown."""
    if isinstance(app.top, Fight):
        app.top.do("summary")


def _crypt() -> dict[str, Any]:
    return encounter.surprise("crypt", None, 7)
