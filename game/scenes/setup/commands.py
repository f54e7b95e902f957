"""Keys where an encounter is prepared, and the ways out of it: everything that the mouse can do has a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import pygame

from game.fight.match import Match
from game.scenes.dialogs.help import Help
from game.scenes.dialogs.panels import Menu
from game.scenes.fight.opening import opened
from game.scenes.fight.scene import Fight
from game.scenes.fight.steering import STEPS
from game.scenes.panning import moves_camera
from game.scenes.setup import contextmenu, lists, operations
from game.scenes.setup.workspace import Workspace
from game.setup import draft as drafts
from game.setup import otherrules

Command = Callable[[Workspace], None]

# -- ways out


def play(workspace: Workspace) -> None:
    """The fight over this window: leaving it by its menu comes back here."""
    workspace.end_drawing()
    if why := workspace.why_not_play():
        workspace.listing = True
        workspace.refresh()
        workspace.toast(f"Not yet: {why}")
        return
    workspace.keep()

    def begin() -> None:
        match = Match.from_record(drafts.to_record(workspace.settled_draft()), beside=workspace.beside)
        opened(workspace.app, match, lambda begun: workspace.app.push(Fight(workspace.app, begun)))

    workspace.app.guard(begin)


def forecast(workspace: Workspace) -> None:
    """How it may end, played by the computer many times, over this window."""
    workspace.end_drawing()
    if why := workspace.why_not_play():
        workspace.toast(f"Not yet: {why}")
        return
    record = drafts.to_record(workspace.settled_draft())
    known = otherrules.known_elsewhere(workspace.editor.draft)
    workspace.app.navigator.forecast(record, workspace.beside, known)


def menu(workspace: Workspace) -> None:
    """The menu of the window."""
    app = workspace.app
    app.push(
        Menu(
            app,
            "Preparing an encounter",
            [
                ("Back to the table", app.keys.shown("back"), lambda: None),
                ("Save", app.keys.shown("setup_save"), partial(save, workspace)),
                ("Save under another name", app.keys.shown("setup_save_as"), partial(lists.choose_name, workspace)),
                ("Settings", "", lambda: app.navigator.options()),
                ("All keys", app.keys.shown("keys"), lambda: app.push(Help(app, "keys"))),
                ("Leave for the title", "", lambda: app.navigator.title()),
                ("Quit", "", app.quit),
            ],
        )
    )


def save(workspace: Workspace) -> None:
    """Under the name that it has; without one it is asked for."""
    if workspace.path is not None and workspace.editor.draft.pieces:
        workspace.save(workspace.path)
        workspace.refresh()
    else:
        lists.choose_name(workspace)


def centre(workspace: Workspace) -> None:
    """The board so that the cursor is in the middle."""
    workspace.camera.centre(workspace.cursor)


def _cursor(columns: int, rows: int) -> Command:
    return lambda workspace: operations.move_cursor(workspace, columns, rows)


def _arrow(columns: int, rows: int) -> Command:
    return lambda workspace: operations.arrow(workspace, columns, rows)


def _cycle(by: int) -> Command:
    return lambda workspace: operations.cycle(workspace, by)


# -- the table of keys

CURSOR: Mapping[str, Command] = {
    "setup_cursor_up": _cursor(0, -1),
    "setup_cursor_down": _cursor(0, 1),
    "setup_cursor_left": _cursor(-1, 0),
    "setup_cursor_right": _cursor(1, 0),
}
"""Commands that move the cursor although somebody is selected."""
ON_BOARD: Mapping[str, Command] = {
    **{name: _arrow(*step) for name, step in STEPS.items()},
    **CURSOR,
    "setup_put": operations.enter,
    "setup_next": _cycle(1),
    "setup_last": _cycle(-1),
    "setup_add": operations.add,
    "setup_centre": centre,
}
"""Commands whose keys belong to a panel while that has the focus."""
ANYWHERE: Mapping[str, Command] = {
    "setup_all": operations.select_all,
    "setup_copy": operations.copy,
    "setup_cut": operations.cut,
    "setup_paste": operations.paste,
    "setup_double": operations.double,
    "setup_context": contextmenu.of_chosen,
    "setup_remove": operations.remove,
    "setup_undo": operations.undo,
    "setup_redo": operations.redo,
    "setup_find": operations.find,
    "setup_panels": operations.panels,
    "setup_fault": operations.fault,
    "setup_zone": operations.zone,
    "setup_new": lists.choose_map,
    "setup_load": lists.choose_record,
    "setup_save": save,
    "setup_save_as": lists.choose_name,
    "setup_play": play,
    "setup_forecast": forecast,
}
"""All others."""
LOOKING = frozenset((*CURSOR, "setup_put", "setup_centre", "setup_panels"))
"""Commands that leave a way that is being drawn as it is."""


def command(workspace: Workspace, name: str) -> bool:
    """A command of the table of keys; True if it was answered."""
    if name in ON_BOARD:
        if workspace.ui.focus is not None:
            return False  # the focused panel's
        ON_BOARD[name](workspace)
    elif name in ANYWHERE:
        if workspace.drawing is None or not _while_drawing(workspace, name):
            ANYWHERE[name](workspace)
    elif name == "back":
        if not workspace.take_back():
            menu(workspace)
    elif not moves_camera(workspace.camera, name, workspace.app.look):
        return False
    workspace.dirty = True
    return True


def _while_drawing(workspace: Workspace, name: str) -> bool:
    """What keys do while a way is drawn; anything else ends it, and then does what it does at other times."""
    if name in ("setup_remove", "setup_undo"):
        workspace.take_point_back()
        return True
    if name not in LOOKING:
        workspace.end_drawing()
    return name == "setup_play"


def tab_on_board(workspace: Workspace, event: pygame.event.Event) -> bool:
    """Tab belongs to the board while no panel has the focus; else it would go to the panels."""
    return workspace.ui.focus is None and event.key == pygame.K_TAB and not event.mod & pygame.KMOD_CTRL
