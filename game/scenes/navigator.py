"""Where each way into a scene is: a function of the scene's own folder, loaded when the way is first taken.

Loading all scenes at once would take three times as long as the title needs to appear.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from rules.contract.text import text

WAYS = {
    "open_scene": "game.app.start",
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
    "pictured": "game.scenes.forecast.scene",
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
