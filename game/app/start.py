"""What is opened first: a fight of a record, or a scene by name, for pictures and tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from game.content import encounter
from game.fight.match import Match, load_fight
from game.scenes.base import Shell
from game.scenes.fight.scene import Fight
from game.storage import records as storage
from rules.contract.errors import BattlematError
from rules.contract.text import joined

SCENES = (
    "title", "choose", "fight", "settings", "help", "keys", "load", "summary", "setup", "workshop", "bestiary",
    "forecast", "lesson", "reference",
)  # fmt: skip


def open_scene(app: Shell, scene: str | None, record: Path | None) -> None:
    """The first scene: the title, a record's fight, or the scene asked for by name. Raises BattlematError."""
    if scene is not None and scene not in SCENES:
        raise BattlematError("scene: there is no {scene}; there are {scenes}", repr(scene), joined(", ", SCENES))
    if (record is not None and scene != "setup") or scene in ("fight", "summary"):
        app.navigator.show(Match.from_record(_crypt()) if record is None else load_fight(record))
    else:
        app.navigator.title()
    more: dict[str, Callable[[], None]] = {
        "choose": lambda: app.navigator.choose(),
        "settings": lambda: app.navigator.options(),
        "load": lambda: app.navigator.load(),
        "help": app.navigator.help,
        "keys": lambda: app.navigator.help("keys"),
        "summary": lambda: _summary(app),
        "reference": app.look_up,
        "lesson": lambda: app.navigator.first_fight(),
        "forecast": lambda: _forecast(app, record),
        "setup": lambda: app.navigator.prepare(record),
        "workshop": lambda: app.navigator.workshop(),
        "bestiary": lambda: app.navigator.bestiary(),
    }
    if scene in more:
        more[scene]()


def _forecast(app: Shell, path: Path | None) -> None:
    record = _crypt() if path is None else storage.read_record(path)
    app.navigator.pictured(record, None if path is None else path.parent)


def _crypt() -> dict[str, Any]:
    return encounter.surprise("crypt", None, 7)


def _summary(app: Shell) -> None:
    if isinstance(app.top, Fight):
        app.top.do("summary")
