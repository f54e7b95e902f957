"""What is opened first: a fight of a record, or a scene by name, for pictures and tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from game.scenes.base import Shell
from rules.contract.errors import BattlematError
from rules.contract.text import joined

SCENES = (
    "title", "choose", "fight", "settings", "help", "keys", "load", "summary", "setup", "workshop", "bestiary",
    "forecast", "lesson", "reference", "chain", "library",
)  # fmt: skip


def open_scene(app: Shell, scene: str | None, record: Path | None) -> None:
    """The first scene: the title, a record's fight, or the scene asked for by name. Raises BattlematError."""
    if scene is not None and scene not in SCENES:
        raise BattlematError("scene: there is no {scene}; there are {scenes}", repr(scene), joined(", ", SCENES))
    fought = (record is not None and scene not in ("setup", "chain", "library")) or scene in ("fight", "summary")
    if not fought:
        app.navigator.title()
    if fought or scene == "forecast":
        from game.app import pictured  # late: the title starts sooner without all that a fight needs

        pictured.show(app, scene, record, fought=fought)
    more: dict[str, Callable[[], None]] = {
        "choose": lambda: app.navigator.choose(),
        "settings": lambda: app.navigator.options(),
        "load": lambda: app.navigator.load(),
        "help": app.navigator.help,
        "keys": lambda: app.navigator.help("keys"),
        "reference": app.look_up,
        "lesson": lambda: app.navigator.first_fight(),
        "setup": lambda: app.navigator.prepare(record),
        "chain": lambda: app.navigator.chain(record),
        "library": lambda: app.navigator.library(record),
        "workshop": lambda: app.navigator.workshop(),
        "bestiary": lambda: app.navigator.bestiary(),
    }
    if scene in more:
        more[scene]()
