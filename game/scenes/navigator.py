"""Where each way into a scene is: a function of the scene's own folder, loaded when the way is first taken.

Loading all scenes at once would take three times as long as the title needs to appear.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

WAYS = {
    "title": "game.scenes.title",
    "choose": "game.scenes.choose.ways",
    "next_fight": "game.scenes.choose.ways",
    "prepare": "game.scenes.setup.scene",
    "prepared": "game.scenes.setup.scene",
    "open_dropped": "game.scenes.setup.scene",
    "way_back": "game.scenes.setup.scene",
    "workshop": "game.scenes.workshop.ways",
    "camp": "game.scenes.camp.ways",
    "forecast": "game.scenes.forecast.ways",
    "foresee": "game.scenes.forecast.ways",
    "first_fight": "game.scenes.fight.ways",
    "surprise": "game.scenes.fight.ways",
    "begin": "game.scenes.fight.ways",
    "show": "game.scenes.fight.ways",
    "again": "game.scenes.fight.ways",
    "open_file": "game.scenes.fight.ways",
    "resume": "game.scenes.fight.ways",
    "quickload": "game.scenes.fight.ways",
    "offer_interrupted": "game.scenes.dialogs.ways",
    "load": "game.scenes.dialogs.ways",
    "options": "game.scenes.dialogs.ways",
    "help": "game.scenes.dialogs.ways",
    "message": "game.scenes.dialogs.ways",
    "reference": "game.scenes.dialogs.ways",
    "bestiary": "game.scenes.bestiary.ways",
}
"""Name of the way, which is that of the function -> module."""


class Ways:
    """`game.scenes.base.Navigator`: each way with the window as its first argument."""

    def __init__(self, app: object) -> None:
        self._app = app

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in WAYS:
            raise AttributeError(f"there is no way {name!r}")

        def go(*arguments: Any, **options: Any) -> Any:
            return getattr(import_module(WAYS[name]), name)(self._app, *arguments, **options)

        return go
