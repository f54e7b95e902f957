"""Ways to small screens over others."""

from __future__ import annotations

from game.scenes.base import Shell
from game.scenes.dialogs.help import Help
from game.scenes.dialogs.options import Options
from game.scenes.dialogs.panels import Message
from game.scenes.dialogs.reference import Reference
from game.scenes.dialogs.saves import LoadDialog, Recover
from game.storage import recovery
from rules.contract.errors import BattlematError


def offer_interrupted(app: Shell, fault: str = "") -> bool:
    """Offer to go on with fights whose program did not end by leaving them; False if there are none.

    `fault` says what went wrong, where this program itself failed just now; it is told in any case.
    """
    try:
        found = recovery.interrupted()
    except (BattlematError, OSError):
        found = []
    if found or fault:
        app.push(Recover(app, found, fault))
    return bool(found)


def load(app: Shell) -> None:
    """The list of saved fights."""
    app.push(LoadDialog(app, lambda path: app.navigator.open_file(path)))


def options(app: Shell) -> None:
    """The settings."""
    app.push(Options(app))


def help(app: Shell, page: str = "help") -> None:
    """Help or the list of keys; the same once more: back; the other one: turned to."""
    top = app.top
    if isinstance(top, Help) and top.page != page:
        top.turn(page)
    elif isinstance(top, Help):
        app.pop()
    else:
        app.push(Help(app, page))


def message(app: Shell, title: str, text: str) -> None:
    """A word over where the player is."""
    app.push(Message(app, title, text))


def reference(app: Shell, *asked: str) -> None:
    """The rules, on the page that is asked for; once more: back."""
    if isinstance(app.top, Reference):
        app.pop()
    else:
        app.push(Reference(app, *asked))
