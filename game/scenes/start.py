"""The first scene: the title, a fight of a record, or a scene by name, for pictures and tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from game.scenes.base import Shell
from rules.contract.errors import BattlematError

SCENES = (
    "title", "choose", "fight", "settings", "help", "keys", "load", "summary", "setup", "workshop", "bestiary",
    "forecast", "lesson",
    "reference",
)  # fmt: skip

PICTURED = 6
"""Batches of a forecast played before its scene is opened by name."""


def open_scene(app: Shell, scene: str | None, record: Path | None) -> None:
    """The first scene: the title, a record's fight, or the scene asked for by name. Raises BattlematError."""
    if scene is not None and scene not in SCENES:
        raise BattlematError(f"scene: there is no {scene!r}; there are {', '.join(SCENES)}")
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
    from game.scenes.fight.summary import Summary

    if isinstance(app.top, Fight):
        app.push(Summary(app, app.top))
