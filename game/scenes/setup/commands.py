"""Commands where an encounter is prepared, by key and by menu: everything that the mouse can do, and the ways out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pygame

from game.content import encounter
from game.fight.match import Match
from game.scenes.base import STEPS, moves_camera
from game.scenes.dialogs.help import Help
from game.scenes.dialogs.panels import Menu, open_menu
from game.scenes.fight.scene import Fight
from game.scenes.fight.ways import opened
from game.scenes.setup import lists, operations
from game.scenes.setup.workspace import Workspace
from game.setup import bestiary, check, forms, otherrules
from game.setup import draft as drafts
from game.setup.draft import UNSET, Piece, Spot
from game.setup.editor import PLAYERS
from game.setup.forms import FormField
from game.setup.ways import named
from game.widgets.menu import Line
from rules.board.grid import door_states
from rules.contract.text import text, titled

# -- the menu of what is pointed at

LONG = 12
"""More choices than these are a list to search, not a menu."""


def of_spot(workspace: Workspace, spot: Spot, pos: tuple[int, int]) -> None:
    """The menu of a space: of who stands there, else of its door, else of the ground."""
    hit = workspace.editor.at(spot)
    if hit is not None:
        of_creature(workspace, hit, pos)
    elif (door := workspace.editor.door_at(spot)) is not None:
        _of_door(workspace, door, pos)
    else:
        _of_ground(workspace, spot, pos)


def of_creature(workspace: Workspace, key: int, pos: tuple[int, int]) -> None:
    """The menu of a creature, or of all that are selected where it is one of them."""
    if key not in workspace.editor.selection:
        workspace.select([key])
    pieces = workspace.editor.chosen()
    title = (
        check.name_of(workspace.editor.draft, pieces[0])
        if len(pieces) == 1
        else text("{pieces} creatures", pieces=len(pieces))
    )
    lines = [
        *_actions(workspace),
        None,
        *_standing(workspace, pieces),
        None,
        *_states(workspace, pieces),
        None,
        _away(workspace),
    ]
    open_menu(workspace.app, title, lines, pos)


def of_chosen(workspace: Workspace) -> None:
    """The menu of the selected, else of the space at the cursor, beside them."""
    chosen = workspace.editor.chosen()
    spot = chosen[-1].spot if chosen and chosen[-1].spot is not None else workspace.cursor
    pos = workspace.camera.space_rect(spot).center
    if chosen:
        of_creature(workspace, chosen[-1].key, pos)
    else:
        of_spot(workspace, spot, pos)


def _actions(workspace: Workspace) -> list[Line | None]:
    shown = workspace.app.keys.shown
    return [
        Line("Edit", partial(operations.edit, workspace), shown("setup_put"), key="edit"),
        Line("Duplicate", partial(operations.double, workspace), shown("setup_double"), key="duplicate"),
        Line("Copy", partial(operations.copy, workspace), shown("setup_copy"), key="copy"),
        Line("Cut", partial(operations.cut, workspace), shown("setup_cut"), key="cut"),
        Line("Into its start zone", partial(operations.zone, workspace), shown("setup_zone"), key="zone"),
    ]


def _away(workspace: Workspace) -> Line:
    return Line("Remove", partial(operations.remove, workspace), workspace.app.keys.shown("setup_remove"), key="remove")


def _standing(workspace: Workspace, pieces: list[Piece]) -> list[Line | None]:
    """Whose it is, and who plays it."""
    editor = workspace.editor
    sides = list(dict.fromkeys([encounter.HEROES, encounter.MONSTERS, *editor.draft.sides()]))
    now = {piece.side for piece in pieces}
    players = {editor.player(piece) for piece in pieces}
    return [
        Line(
            "Side",
            more=tuple(Line(side, partial(_set, workspace, "side", side), on=now == {side}) for side in sides),
            key="side",
        ),
        Line(
            "Played by",
            more=tuple(
                Line(word[:1].upper() + word[1:], partial(_set, workspace, "controller", who), on=players == {who})
                for who, word in PLAYERS.items()
            ),
            key="played by",
        ),
    ]


def _states(workspace: Workspace, pieces: list[Piece]) -> list[Line | None]:
    """How it starts: everything of the form's first section that is chosen with one click."""
    lines: list[Line | None] = []
    for field in forms.fields(workspace.ruleset):
        if field.group != forms.NOW:
            continue
        values = [workspace.editor.block(piece).get(field.name, field.default) for piece in pieces]
        if field.kind == "switch" and not field.optional:
            on = all(value is True for value in values)
            lines.append(Line(field.label, partial(_set, workspace, field.name, not on), on=on, key=field.name))
        elif field.kind == "way":
            why = "" if len(pieces) == 1 else "Select one creature."
            lines.append(
                Line(
                    text("{label}: draw it …", label=field.label),
                    partial(workspace.draw_way, pieces[0].key, field),
                    why=why,
                    key=field.name,
                )
            )
        elif (ways := _ways(field)) and len(ways) <= LONG:
            lines.append(Line(field.label, more=tuple(_choices(workspace, field, values, ways)), key=field.name))
    return lines


def _ways(field: FormField) -> dict[str, Any]:
    """What may be chosen, by its name; nothing for fields that are filled in otherwise."""
    if field.kind == "facing":
        return {
            "As the rules say": UNSET,
            **{word.capitalize(): n for n, word in enumerate(forms.DIRECTIONS)},
        }
    if field.kind == "choice":
        return {(word or "none").capitalize(): word for word in field.choices}
    return {}


def _choices(workspace: Workspace, field: FormField, values: list[Any], ways: dict[str, Any]) -> list[Line]:
    return [
        Line(
            name,
            partial(_set, workspace, field.name, value),
            on=all(now == value or (now is None and value is UNSET) for now in values),
        )
        for name, value in ways.items()
    ]


def _set(workspace: Workspace, name: str, value: Any) -> None:
    workspace.editor.set_field(name, value)
    workspace.editor.settle()
    workspace.refresh()


def _of_door(workspace: Workspace, number: int, pos: tuple[int, int]) -> None:
    ground = workspace.editor.ground
    assert ground is not None
    door = ground.doors[number]
    lines = [
        Line(
            state.capitalize(),
            partial(operations.set_door, workspace, number, state),
            on=door.state == state,
            key=state,
        )
        for state in door_states(door.kind)
    ]
    open_menu(workspace.app, door.id, lines, pos, "How it stands at the start")


def _of_ground(workspace: Workspace, spot: Spot, pos: tuple[int, int]) -> None:
    """What can be put on an empty space, and what concerns all."""
    shown, copied = workspace.app.keys.shown, workspace.editor.clipboard
    nothing = "" if copied else "Nothing is copied yet."
    nobody = "" if workspace.editor.draft.pieces else "Nobody is on the table yet."
    many = "Paste here" if len(copied) < 2 else text("Paste {copied} here", copied=len(copied))

    def paste() -> None:
        workspace.editor.paste(spot)
        workspace.select(list(workspace.editor.selection), show=True)

    def centre() -> None:
        workspace.camera.centre(spot)
        workspace.dirty = True

    brought = list(
        dict.fromkeys(str(p.entry.get("template")) for p in workspace.editor.draft.pieces if p.entry.get("template"))
    )
    again = tuple(
        Line(
            str(bestiary.template(workspace.ruleset, name).get("name", name)),
            partial(operations.put, workspace, name, spot),
        )
        for name in brought[-LONG:]
    )
    lines: list[Line | None] = [
        Line(many, paste, shown("setup_paste"), why=nothing, key="paste"),
        Line(
            "One more of",
            more=again,
            why="" if again else "Nobody of the bestiary is on the table yet.",
            key="again",
        ),
        Line("Search the bestiary", partial(operations.find, workspace), shown("setup_find"), key="find"),
        None,
        Line("Select everybody", partial(operations.select_all, workspace), shown("setup_all"), why=nobody, key="all"),
        Line("Centre here", centre, key="centre"),
    ]
    open_menu(workspace.app, titled(named(spot)), lines, pos)


Command = Callable[[Workspace], None]

# -- ways out


def play(workspace: Workspace) -> None:
    """The fight over this window: leaving it by its menu comes back here."""
    workspace.end_drawing()
    if why := workspace.why_not_play():
        workspace.listing = True
        workspace.refresh()
        workspace.toast(text("Not yet: {why}", why=why))
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
        workspace.toast(text("Not yet: {why}", why=why))
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
    "setup_context": of_chosen,
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
