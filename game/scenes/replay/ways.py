"""Ways into a replay: of a fight that is being played, of a saved one; and to what the computer thought."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from game.fight.match import Match, load_fight
from game.fight.seats import Seats
from game.fight.viewing import Reel, fogged, views_of_file
from game.scenes.base import Shell
from game.scenes.dialogs.panels import Menu, Message
from game.scenes.replay.scene import Replay
from game.scenes.replay.why import WhyScene
from game.view.camera import Camera
from rules.contract.errors import BattlematError, said


def replay(app: Shell, match: Match, reel: Reel, like: Camera | None = None) -> None:
    """The past of a fight that is being played; it stays as it is."""
    app.push(Replay(app, match, reel, like))


def watch(app: Shell, path: Path) -> None:
    """Replay a saved fight; what is wrong with it becomes a dialog. Whose secrets it holds is asked first."""

    def call() -> None:
        match = load_fight(path)
        views, played = views_of_file(match), Seats(match.record).played
        if not (fogged(match) and match.decision is not None and Seats(match.record).shared):
            app.push(Replay(app, match, Reel(views, played)))
            return
        choices = [("Back", app.keys.shown("back"), lambda: None)]
        choices += [(view.label, "", partial(replay, app, match, Reel((view,), played))) for view in views]
        app.push(Menu(app, "Seats keep secrets in this fight: whose view?", choices))

    app.guard(call)


def why(app: Shell, match: Match, number: int, like: Camera | None = None) -> None:
    """Explain the computer's deed after so many commands; what can't be explained becomes a message."""
    try:
        scene = WhyScene(app, match, number, like)
    except BattlematError as error:
        app.push(Message(app, "No answer", said(error)))
        return
    app.push(scene)
