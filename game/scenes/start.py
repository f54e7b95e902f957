"""Ways into a scene: new fights, saved ones, the title, and single scenes for pictures."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rules.contract.errors import BattlematError
from rules.core.registry import RULESETS

if TYPE_CHECKING:
    from game.app.loop import App
    from game.fight.match import Match
    from game.setup.otherrules import Known
    from rules.core.record import Record

SCENES = (
    "title", "choose", "fight", "settings", "help", "keys", "load", "summary", "setup", "workshop", "bestiary",
    "forecast", "lesson",
    "reference",
)  # fmt: skip

PICTURED = 6
"""Batches of a forecast played before its scene is opened by name."""


def title(app: App) -> None:
    """Back to the title."""
    from game.scenes.title import Title

    app.replace(Title(app))


def choose(app: App) -> None:
    """The set-up of a new fight."""
    from game.scenes.choose.scene import Choose

    app.push(Choose(app))


def prepare(app: App, record: Path | None = None) -> None:
    """The window in which an encounter is prepared: the draft in progress, or a record. Raises BattlematError."""
    from game.scenes.setup import Setup

    scene = Setup(app)
    if record is not None:
        scene.open_record(record)
    app.push(scene)


def open_dropped(app: App, path: Path) -> None:
    """A map or a record dropped onto a window without a fight: an encounter is prepared. Raises BattlematError."""
    from game.scenes.setup import Setup, opening

    scene = Setup(app)
    app.push(scene)
    opening.open_any(scene, path)


def prepared(app: App) -> None:
    """The encounters prepared so far, to edit and to play. Raises BattlematError."""
    from game.scenes.setup import Setup, opening

    prepare(app)
    if isinstance(app.top, Setup):
        opening.choose_record(app.top)


def workshop(app: App) -> None:
    """The heroes of the player's own."""
    from game.scenes.workshop import Workshop

    app.push(Workshop(app))


def camp(app: App, match: Match) -> None:
    """What comes after a fight for the heroes who have files. Raises BattlematError."""
    from game.characters.olde import aftermath
    from game.characters.olde.camping import CampSession
    from game.scenes.camp.scene import CampScene

    found = aftermath.after(match.record, match.ruleset.summary(match.state), match.title)
    heroes = found.heroes + found.told  # who was in the camp before comes back to it
    if not heroes:
        raise BattlematError("; ".join(found.refused) or "No hero of the workshop was in this fight.")
    session = CampSession(heroes, fresh_seed(), found.floor)
    app.push(CampScene(app, session, f"After “{match.title}”", found.joined + found.refused))


def way_back(app: App) -> Callable[[], None] | None:
    """Back to the table on which the fight was prepared; None for a fight that wasn't."""
    depth = next((n for n, scene in enumerate(app.scenes[:-1]) if scene.name == "setup"), None)
    if depth is None:
        return None

    return lambda: app.unwind(depth)


def forecast(
    app: App, record: Record | Mapping[str, Any], beside: Path | None = None, known: Known | None = None
) -> None:
    """What an encounter will do, or a fight from where it stands; a record that can't be played becomes a dialog."""
    from game.scenes.forecast.scene import ForecastScene

    app.guard(lambda: app.push(ForecastScene(app, record, beside=beside, known=known)))


def foresee(app: App, match: Match) -> None:
    """What a fight will do from where it stands. It shows everybody: the caller sees to it that nothing is secret."""
    beside = match.loaded_map.path.parent if match.loaded_map is not None else None
    forecast(app, match.record, beside)


def first_fight(app: App) -> None:
    """The first fight, with a guide."""
    from game.fight.match import Match
    from game.paths import asset
    from game.scenes.fight.tutorial import FirstFight
    from game.scenes.title import Title
    from game.storage import records as storage

    def call() -> None:
        match = Match.from_record(storage.read_record(asset("tutorial", "first_fight.json")))
        fight = FirstFight(app, match)
        app.replace(Title(app), fight)

    app.guard(call)


def fresh_seed() -> int:
    """A seed for a new fight: the only chance outside the rules, and it is written into the record."""
    return random.SystemRandom().randrange(1, 1_000_000)


def next_fight(app: App, match: Match) -> None:
    """The set-up of a new fight, at first by the same rules, on the same map and with the same party."""
    from game.app.settings import NewFight
    from game.characters.olde import aftermath
    from game.scenes.choose.scene import Choose
    from game.scenes.title import Title

    record = match.record
    app.settings.new_fight = NewFight(
        ruleset=record.ruleset,
        map=record.map.tmx or app.settings.new_fight.map,
        party=aftermath.party(record),
        options={name: bool(on) for name, on in record.options.items()},
    )
    app.replace(Title(app), Choose(app))


def surprise(
    app: App,
    map_name: str | None = None,
    heroes: list[str] | None = None,
    *,
    ruleset: str = next(iter(RULESETS)),
) -> None:
    """A fight of the computer's choice."""
    from game.content import encounter

    app.guard(lambda: begin(app, encounter.surprise(map_name, heroes, fresh_seed(), ruleset=ruleset)))


def begin(app: App, record: Mapping[str, Any]) -> None:
    """Start a fight from a record, over a title to come back to. Raises BattlematError."""
    from game.fight.match import Match
    from game.scenes.fight.opening import opened

    opened(app, Match.from_record(record), partial(show, app))


def show(app: App, match: Match) -> None:
    """Put a match on screen."""
    from game.scenes.fight.scene import Fight
    from game.scenes.title import Title

    fight = Fight(app, match)
    app.replace(Title(app), fight)


def again(app: App, match: Match) -> None:
    """The same encounter from its start, with new dice."""
    from rules.core import record as records

    def call() -> None:
        data = records.document(records.begun(match.record))
        data["seed"] = fresh_seed()
        begin(app, data)

    app.guard(call)


def last_fight() -> Path | None:
    """The newest saved fight."""
    from game.storage import records as storage

    try:
        found = list(storage.fights())
    except (BattlematError, OSError):
        return None
    return found[0] if found else None


def may_continue() -> bool:
    """Whether there is a saved or an interrupted fight."""
    from game.storage import journal

    try:
        return last_fight() is not None or bool(journal.left_behind())
    except OSError:
        return False


def open_file(app: App, path: Path) -> None:
    """Load a fight; what is wrong with it becomes a dialog, and the player stays where they were."""
    from game.fight.match import load_fight

    app.guard(lambda: show(app, load_fight(path)))


def resume(app: App) -> None:
    """The fight that was interrupted, else the newest saved one."""
    if offer_interrupted(app):
        return
    path = last_fight()
    if path is not None:
        open_file(app, path)


def offer_interrupted(app: App, fault: str = "") -> bool:
    """Offer to go on with fights whose program did not end by leaving them; False if there are none.

    `fault` says what went wrong, where this program itself failed just now; it is told in any case.
    """
    from game.scenes.dialogs.saves import Recover
    from game.storage import recovery

    try:
        found = recovery.interrupted()
    except (BattlematError, OSError):
        found = []
    if found or fault:
        app.push(Recover(app, found, fault))
    return bool(found)


def quickload(app: App) -> None:
    """The quick save again."""
    from game.storage import records as storage

    path = storage.quick_save()
    if path.is_file():
        open_file(app, path)
    else:
        app.complain("There is no quick save yet; F5 makes one while you play.")


def load(app: App) -> None:
    """The list of saved fights."""
    from game.scenes.dialogs.saves import LoadDialog

    app.push(LoadDialog(app, lambda path: open_file(app, path)))


def bestiary(app: App, ruleset: str = "", *, chosen: str | None = None, party: Sequence[str] = ()) -> None:
    """The bestiary of a ruleset (else of the first), at somebody's page."""
    from game.scenes.bestiary.scene import Bestiary

    app.push(Bestiary(app, ruleset, chosen=chosen, party=party) if ruleset else Bestiary(app))


def options(app: App) -> None:
    """The settings."""
    from game.scenes.dialogs.options import Options

    app.push(Options(app))


def open_scene(app: App, scene: str | None, record: Path | None) -> None:
    """The first scene: the title, a record's fight, or the scene asked for by name. Raises BattlematError."""
    if scene is not None and scene not in SCENES:
        raise BattlematError(f"scene: there is no {scene!r}; there are {', '.join(SCENES)}")
    if (record is not None and scene != "setup") or scene in ("fight", "summary"):
        _open_fight(app, record)
    else:
        title(app)
    more: dict[str, Callable[[], None]] = {
        "choose": lambda: choose(app),
        "settings": lambda: options(app),
        "load": lambda: load(app),
        "help": lambda: _help(app),
        "keys": lambda: _help(app, "keys"),
        "summary": lambda: _summary(app),
        "reference": app.look_up,
        "lesson": lambda: first_fight(app),
        "forecast": lambda: _forecast(app, record),
        "setup": lambda: prepare(app, record),
        "workshop": lambda: workshop(app),
        "bestiary": lambda: bestiary(app),
    }
    if scene in more:
        more[scene]()


def _help(app: App, *page: str) -> None:
    from game.scenes.dialogs.help import Help

    app.push(Help(app, *page))


def _open_fight(app: App, record: Path | None) -> None:
    if record is not None:
        from game.fight.match import load_fight

        show(app, load_fight(record))
    else:
        from game.content import encounter
        from game.fight.match import Match

        show(app, Match.from_record(encounter.surprise("crypt", None, 7)))


def _forecast(app: App, path: Path | None) -> None:
    """A few fights are played before it is shown, so that a picture of it has figures."""
    from game.content import encounter
    from game.scenes.forecast.scene import ForecastScene
    from game.storage import records as storage

    record = encounter.surprise("crypt", None, 7) if path is None else storage.read_record(path)
    scene = ForecastScene(app, record, beside=None if path is None else path.parent)
    scene.session.play_now(PICTURED)
    app.push(scene)


def _summary(app: App) -> None:
    from game.scenes.fight.scene import Fight
    from game.scenes.fight.summary import Summary

    if isinstance(app.top, Fight):
        app.push(Summary(app, app.top))
