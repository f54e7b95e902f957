"""Ways to a fight: begun, taken up, shown."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from game.content import encounter
from game.fight.match import Match, fresh_seed, load_fight
from game.paths import asset
from game.scenes.base import Shell
from game.scenes.fight.opening import opened
from game.scenes.fight.scene import Fight
from game.scenes.fight.tutorial import FirstFight
from game.scenes.title import Title
from game.storage import records as storage
from game.storage.recovery import last_fight
from rules.core import record as records
from rules.core.registry import RULESETS


def first_fight(app: Shell) -> None:
    """The first fight, with a guide."""

    def call() -> None:
        match = Match.from_record(storage.read_record(asset("tutorial", "first_fight.json")))
        fight = FirstFight(app, match)
        app.replace(Title(app), fight)

    app.guard(call)


def surprise(
    app: Shell,
    map_name: str | None = None,
    heroes: list[str] | None = None,
    *,
    ruleset: str = next(iter(RULESETS)),
) -> None:
    """A fight of the computer's choice."""
    app.guard(lambda: begin(app, encounter.surprise(map_name, heroes, fresh_seed(), ruleset=ruleset)))


def begin(app: Shell, record: Mapping[str, Any]) -> None:
    """Start a fight from a record, over a title to come back to. Raises BattlematError."""
    opened(app, Match.from_record(record), partial(show, app))


def show(app: Shell, match: Match) -> None:
    """Put a match on screen."""
    fight = Fight(app, match)
    app.replace(Title(app), fight)


def again(app: Shell, match: Match) -> None:
    """The same encounter from its start, with new dice."""

    def call() -> None:
        data = records.document(records.begun(match.record))
        data["seed"] = fresh_seed()
        begin(app, data)

    app.guard(call)


def open_file(app: Shell, path: Path) -> None:
    """Load a fight; what is wrong with it becomes a dialog, and the player stays where they were."""
    app.guard(lambda: show(app, load_fight(path)))


def resume(app: Shell) -> None:
    """The fight that was interrupted, else the newest saved one."""
    if app.navigator.offer_interrupted():
        return
    path = last_fight()
    if path is not None:
        open_file(app, path)


def quickload(app: Shell) -> None:
    """The quick save again."""
    path = storage.quick_save()
    if path.is_file():
        open_file(app, path)
    else:
        app.complain("There is no quick save yet; F5 makes one while you play.")
