"""Where each way into a scene is: a function of the scene's own folder, loaded when the way is first taken.

Loading all scenes at once would take three times as long as the title needs to appear.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from game.scenes.base import Shell
from rules.contract.errors import BattlematError
from rules.contract.text import joined, text

WAYS = {
    "title": "game.scenes.title",
    "choose": "game.scenes.choose.scene",
    "next_fight": "game.scenes.choose.scene",
    "prepare": "game.scenes.setup.scene",
    "prepared": "game.scenes.setup.scene",
    "open_dropped": "game.scenes.setup.scene",
    "way_back": "game.scenes.setup.scene",
    "workshop": "game.scenes.workshop.scene",
    "camp": "game.scenes.camp",
    "forecast": "game.scenes.forecast.scene",
    "foresee": "game.scenes.forecast.scene",
    "first_fight": "game.scenes.fight.ways",
    "surprise": "game.scenes.fight.ways",
    "begin": "game.scenes.fight.ways",
    "show": "game.scenes.fight.ways",
    "again": "game.scenes.fight.ways",
    "open_file": "game.scenes.fight.ways",
    "resume": "game.scenes.fight.ways",
    "quickload": "game.scenes.fight.ways",
    "replay": "game.scenes.replay.ways",
    "watch": "game.scenes.replay.ways",
    "why": "game.scenes.replay.ways",
    "offer_interrupted": "game.scenes.dialogs.saves",
    "load": "game.scenes.dialogs.saves",
    "options": "game.scenes.dialogs.options",
    "help": "game.scenes.dialogs.help",
    "message": "game.scenes.dialogs.panels",
    "reference": "game.scenes.dialogs.reference",
    "bestiary": "game.scenes.bestiary",
}
"""Name of the way, which is that of the function -> module."""


SCENES = (
    "title", "choose", "fight", "settings", "help", "keys", "load", "summary", "setup", "workshop", "bestiary",
    "forecast", "lesson",
    "reference",
)  # fmt: skip
PICTURED = 6
"""Batches of a forecast played before its scene is opened by name."""


class Ways:
    """`game.scenes.base.Navigator`: each way with the window as its first argument."""

    def __init__(self, app: object) -> None:
        self._app = app

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in WAYS:
            raise AttributeError(text("there is no way {name}", name=repr(name)))

        def go(*arguments: Any, **options: Any) -> Any:
            return getattr(import_module(WAYS[name]), name)(self._app, *arguments, **options)

        return go


def open_scene(app: Shell, scene: str | None, record: Path | None) -> None:
    """The first scene: the title, a record's fight, or the scene asked for by name. Raises BattlematError."""
    if scene is not None and scene not in SCENES:
        raise BattlematError(
            text("scene: there is no {scene}; there are {scenes}", scene=repr(scene), scenes=joined(", ", SCENES))
        )
    if (record is not None and scene != "setup") or scene in ("fight", "summary"):
        _open_fight(app, record)
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


def _open_fight(app: Shell, record: Path | None) -> None:
    if record is not None:
        from game.fight.match import load_fight

        app.navigator.show(load_fight(record))
    else:
        from game.content import encounter
        from game.fight.match import Match

        app.navigator.show(Match.from_record(encounter.surprise("crypt", None, 7)))


def _forecast(app: Shell, path: Path | None) -> None:
    """A few fights are played before it is shown, so that a picture of it has figures."""
    from game.content import encounter
    from game.scenes.forecast.scene import ForecastScene
    from game.storage import records as storage

    record = encounter.surprise("crypt", None, 7) if path is None else storage.read_record(path)
    scene = ForecastScene(app, record, beside=None if path is None else path.parent)
    scene.session.play_now(PICTURED)
    app.push(scene)


def _summary(app: Shell) -> None:
    from game.scenes.fight.scene import Fight

    if isinstance(app.top, Fight):
        app.top.do("summary")
