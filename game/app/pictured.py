"""Fights and forecasts that are opened first, by a record or by a scene's name. Imported where one is asked for."""

from __future__ import annotations

from pathlib import Path

from game.content import encounter
from game.fight.match import Match, load_fight
from game.scenes.base import Shell
from game.scenes.fight.scene import Fight
from game.storage import records as storage


def show(app: Shell, scene: str | None, path: Path | None, *, fought: bool) -> None:
    """A record's fight (if it is `fought`), or one in the crypt; its summary or forecast. Raises BattlematError."""
    crypt = encounter.surprise("crypt", None, 7) if path is None else {}
    if fought:
        app.navigator.show(Match.from_record(crypt) if path is None else load_fight(path))
    if scene == "summary" and isinstance(app.top, Fight):
        app.top.do("summary")
    elif scene == "forecast":
        app.navigator.pictured(*((crypt, None) if path is None else (storage.read_record(path), path.parent)))
