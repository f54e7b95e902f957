"""Ways to a fight: begun, taken up, shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from game.content import encounter
from game.fight.match import Face, Match, attempt_opening, fresh_seed, load_fight
from game.fight.seats import Seat, Seats
from game.fight.viewing import fogged
from game.paths import asset
from game.scenes.base import Scene, Shell
from game.scenes.fight.deeds import DiceDialog, Throwing
from game.scenes.fight.hotseat import CoverOnce
from game.scenes.fight.scene import Fight
from game.scenes.fight.tutorial import FirstFight
from game.scenes.title import Title
from game.storage import records as storage
from game.storage.campaigns import INDEX
from game.storage.recovery import left_off
from rules.contract.display import Board
from rules.contract.errors import ThrowNeeded
from rules.core import record as records
from rules.core.registry import RULESETS


class Opening(Throwing):
    """A fight about to begin. Once no die is wanting any more, `go` gets it; called off, nothing has begun.

    Nothing of what lies below is shown meanwhile: it may be the table on which the fight was prepared. Seats that keep
    secrets throw one after another, each alone at the screen.
    """

    covers = True

    def __init__(self, app: Shell, match: Match, go: Callable[[Match], None]) -> None:
        super().__init__(Seats(match.record))
        self.app, self.match, self.go = app, match, go
        self._secrets = fogged(match) and self.seats.keep_secrets
        self._at: Seat | None = None
        """Who was let look."""
        self._shown: Scene | None = None

    @property
    def board(self) -> Board:
        return self.match.board()

    def begin(self) -> None:
        """Ask for the first die, or begin at once where none is to be thrown by hand."""
        found = attempt_opening(self.match, self.typed, self.seats.throws_own)
        self.needed = found.needed
        if self.needed is None:
            self._show(None)
            self.go(self.match.begun_with(found.throws) if any(self.typed) else self.match)
        else:
            seat = self.seats.of(self.needed.by)
            if self._secrets and seat is not None and seat != self._at:
                ready = partial(self._ask, seat)
                self._show(CoverOnce(self.app, seat, "throws the dice next", ready, self.call_off))
            elif not isinstance(self._shown, DiceDialog):
                self._ask(self._at)

    def _ask(self, seat: Seat | None) -> None:
        """Ask for the die that is needed; the seat's player is at the screen."""
        self._at = seat
        self._show(DiceDialog(self.app, self))

    def _show(self, scene: Scene | None) -> None:
        """Show this in place of what was shown for the opening."""
        if self._shown is not None:
            self.app.pop()
        self._shown = scene
        if scene is not None:
            self.app.push(scene)

    @property
    def told(self) -> list[tuple[ThrowNeeded, Face]]:
        """The dice that were answered, with their faces: those of others only where there are no secrets."""
        return [(n, face) for n, face in super().told if not self._secrets or self.seats.of(n.by) == self._at]

    def try_on(self) -> bool:
        return self.app.guard(self.begin)

    def call_off(self) -> None:
        self.needed = None
        self._show(None)


def opened(app: Shell, match: Match, go: Callable[[Match], None]) -> None:
    """Hand a match to `go`, after asking for the dice of its opening that are thrown by hand."""
    fresh = not match.record.commands and match.record.throws is None
    if fresh and any(seat.own_dice for seat in Seats(match.record).seats):
        Opening(app, match, go).begin()
    else:
        go(match)


def first_fight(app: Shell) -> None:
    """The first fight, with a guide."""

    def call() -> None:
        match = Match.from_record(storage.read_record(asset("tutorial", "first_fight.json")))
        app.replace(Title(app), FirstFight(app, match))

    app.guard(call)


def surprise(
    app: Shell, map_name: str | None = None, heroes: list[str] | None = None, *, ruleset: str = next(iter(RULESETS))
) -> None:
    """A fight of the computer's choice."""
    app.guard(lambda: begin(app, encounter.surprise(map_name, heroes, fresh_seed(), ruleset=ruleset)))


def begin(app: Shell, record: Mapping[str, Any]) -> None:
    """Start a fight from a record, over a title to come back to. Raises BattlematError."""
    opened(app, Match.from_record(record), partial(show, app))


def show(app: Shell, match: Match, *, taken_up: bool = False) -> None:
    """Put a match on screen. `taken_up`: it was left once, and what happened so far is told first."""
    fight = Fight(app, match)
    fight.taken_up = taken_up
    app.replace(Title(app), fight)


def again(app: Shell, match: Match) -> None:
    """The same encounter from its start, with new dice."""

    def call() -> None:
        data = records.document(records.begun(match.record))
        data["seed"] = fresh_seed()
        begin(app, data)

    app.guard(call)


def open_file(app: Shell, path: Path, *, taken_up: bool = True) -> None:
    """Load a fight; what is wrong with it becomes a dialog, and the player stays where they were."""
    app.guard(lambda: show(app, load_fight(path, app.loading()), taken_up=taken_up))


def resume(app: Shell) -> None:
    """The fight that was interrupted, else what was left last: a saved one that isn't over, or a campaign."""
    if not app.navigator.offer_interrupted() and (found := left_off()) is not None and found.path is not None:
        if found.path.name == INDEX:
            app.navigator.campaign(found.path)
        else:
            open_file(app, found.path)


def quickload(app: Shell) -> None:
    """The quick save again."""
    path = storage.quick_save()
    if path.is_file():
        open_file(app, path, taken_up=False)
    else:
        app.complain("There is no quick save yet; F5 makes one while you play.")


def way_back(app: Shell) -> Callable[[], None] | None:
    """Back to the table on which the fight was prepared; None for a fight that wasn't."""
    depth = next((n for n, scene in enumerate(app.scenes[:-1]) if scene.name == "setup"), None)
    return None if depth is None else lambda: app.unwind(depth)
