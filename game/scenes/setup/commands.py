"""Hands on the table: keys, menus and the mouse on the board; everything that the mouse can do has a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, assert_never

import pygame

from game.content import encounter
from game.fight.match import Match
from game.scenes.base import LEVELS, STEPS, moves_camera
from game.scenes.dialogs.help import Help
from game.scenes.dialogs.panels import Choice, Menu, open_menu
from game.scenes.fight.scene import Fight
from game.scenes.fight.ways import opened
from game.scenes.setup import exporting, keeping, lists, operations, tokens
from game.scenes.setup import foes as foe_dialog
from game.scenes.setup import waves as wave_dialog
from game.scenes.setup.workspace import Drag, Press, Workspace
from game.setup import bestiary, check, forms, otherrules
from game.setup import draft as drafts
from game.setup.draft import UNSET, Piece, Spot
from game.setup.editor import PLAYERS
from game.setup.forms import FormField
from game.setup.ways import named
from game.widgets.menu import Line
from rules.board.fixtures import door_states
from rules.contract.text import text, titled

# -- the menu of what is pointed at

LONG = 12
"""More choices than these are a list to search, not a menu."""


def of_spot(workspace: Workspace, spot: Spot, pos: tuple[int, int]) -> None:
    """The menu of a space: of who stands there, else of its door, else of the ground."""
    if (hit := workspace.editor.table.at(spot)) is not None:
        of_creature(workspace, hit, pos)
    elif (number := workspace.editor.door_at(spot)) is not None:
        door, put = workspace.editor.ground.doors[number], partial(operations.set_door, workspace, number)
        lines = [
            Line(state.capitalize(), partial(put, state), on=door.state == state, key=state)
            for state in door_states(door.kind)
        ]
        open_menu(workspace.app, door.id, lines, pos, "How it stands at the start")
    else:
        _of_ground(workspace, spot, pos)


def of_creature(workspace: Workspace, key: int, pos: tuple[int, int]) -> None:
    """The menu of a creature, or of all that are selected where it is one of them."""
    if key not in workspace.editor.selection:
        workspace.select([key])
    pieces = workspace.editor.chosen()
    one = check.name_of(workspace.editor.draft, pieces[0])
    line = partial(_line, workspace)
    lines: list[Line | None] = [
        line("Edit", operations.edit, "setup_put", "edit"),
        line("Duplicate", operations.double, "setup_double", "duplicate"),
        line("Copy", operations.copy, "setup_copy", "copy"),
        line("Cut", operations.cut, "setup_cut", "cut"),
        line("Into its start zone", operations.zone, "setup_zone", "zone"),
        line("Comes later …", wave_dialog.ask, "setup_wave", "wave"),
        line("Picture …", tokens.ask, "setup_token", "token"),
        line("Keep …", keeping.ask, "setup_keep", "keep"),
        None,
        *_standing(workspace, pieces),
        None,
        *_states(workspace, pieces),
        None,
        line("Remove", operations.remove, "setup_remove", "remove"),
    ]
    open_menu(workspace.app, one if len(pieces) == 1 else text("{pieces} creatures", len(pieces)), lines, pos)


def of_chosen(workspace: Workspace) -> None:
    """The menu of the selected, else of the space at the cursor, beside them."""
    chosen = workspace.editor.chosen()
    spot = chosen[-1].spot if chosen and chosen[-1].spot is not None else workspace.cursor
    pos = workspace.camera.space_rect(spot).center
    if chosen:
        of_creature(workspace, chosen[-1].key, pos)
    else:
        of_spot(workspace, spot, pos)


def _line(workspace: Workspace, label: str, do: Callable[[Workspace], None], command: str, key: str) -> Line:
    """Something that a key does, too."""
    return Line(label, partial(do, workspace), workspace.app.keys.shown(command), key=key)


def _standing(workspace: Workspace, pieces: list[Piece]) -> list[Line | None]:
    """Whose it is, and who plays it."""
    editor = workspace.editor
    names = dict.fromkeys([encounter.HEROES, encounter.MONSTERS, *editor.draft.sides()])
    now = {piece.side for piece in pieces}
    sides = tuple(Line(side, partial(_set, workspace, "side", side), on=now == {side}) for side in names)
    playing = {editor.player(piece) for piece in pieces}
    players = tuple(
        Line(word[:1].upper() + word[1:], partial(_set, workspace, "controller", who), on=playing == {who})
        for who, word in PLAYERS.items()
    )
    return [Line("Side", more=sides, key="side"), Line("Played by", more=players, key="played by")]


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
            draw = partial(workspace.draw_way, pieces[0].key, field)
            lines.append(Line(text("{label}: draw it …", field.label), draw, why=why, key=field.name))
        elif (ways := _ways(field)) and len(ways) <= LONG:
            more = tuple(
                Line(name, partial(_set, workspace, field.name, value),
                     on=all(now == value or (now is None and value is UNSET) for now in values))
                for name, value in ways.items()
            )  # fmt: skip
            lines.append(Line(field.label, more=more, key=field.name))
    return lines


def _ways(field: FormField) -> dict[str, Any]:
    """What may be chosen, by its name; nothing for fields that are filled in otherwise."""
    if field.kind == "facing":
        return {"As the rules say": UNSET, **{word.capitalize(): n for n, word in enumerate(forms.DIRECTIONS)}}
    if field.kind == "choice":
        return {(word or "none").capitalize(): word for word in field.choices}
    return {}


def _set(workspace: Workspace, name: str, value: Any) -> None:
    workspace.editor.set_field(name, value)
    workspace.editor.settle()
    workspace.refresh()


def _of_ground(workspace: Workspace, spot: Spot, pos: tuple[int, int]) -> None:
    """What can be put on an empty space, and what concerns all."""
    copied, everybody = workspace.editor.clipboard, workspace.editor.draft.pieces

    def paste() -> None:
        workspace.editor.paste(spot)
        workspace.select(list(workspace.editor.selection), show=True)

    brought = list(dict.fromkeys(str(p.entry["template"]) for p in everybody if p.entry.get("template")))
    again = tuple(
        Line(str(bestiary.template(workspace.ruleset, name).get("name", name)),
             partial(operations.put, workspace, name, spot))
        for name in brought[-LONG:]
    )  # fmt: skip
    shown = workspace.app.keys.shown
    lines: list[Line | None] = [
        Line("Paste here" if len(copied) < 2 else text("Paste {copied} here", len(copied)), paste,
             shown("setup_paste"), why="" if copied else "Nothing is copied yet.", key="paste"),
        Line("One more of", more=again, why="" if again else "Nobody of the bestiary is on the table yet.",
             key="again"),
        _line(workspace, "Search the bestiary", operations.find, "setup_find", "find"),
        None,
        Line("Select everybody", partial(operations.select_all, workspace), shown("setup_all"),
             why="" if everybody else "Nobody is on the table yet.", key="all"),
        Line("Centre here", partial(workspace.camera.centre, spot), key="centre"),
    ]  # fmt: skip
    open_menu(workspace.app, titled(named(spot)), lines, pos)


Command = Callable[[Workspace], None]

# -- ways out


def play(workspace: Workspace) -> None:
    """The fight over this window: leaving it by its menu comes back here."""
    workspace.end_drawing()
    if why := workspace.why_not_play():
        workspace.listing = True
        workspace.refresh(text("Not yet: {why}", why))
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
        workspace.toast(text("Not yet: {why}", why))
        return
    record = drafts.to_record(workspace.settled_draft())
    known = otherrules.known_elsewhere(workspace.editor.draft)
    workspace.app.navigator.forecast(record, workspace.beside, known)


def draw_the_ground(workspace: Workspace) -> None:
    """The map itself, to be drawn on."""
    workspace.app.navigator.ground(workspace)


def drop(workspace: Workspace, path: Path) -> None:
    """A file dropped onto the window; a picture may be meant for the selected as well as for a map."""
    if path.suffix.lower() not in lists.PICTURES or not (chosen := workspace.editor.chosen()):
        lists.open_any(workspace, path)
        return
    name = check.name_of(workspace.editor.draft, chosen[0])
    whom = name if len(chosen) == 1 else text("{pieces} creatures", len(chosen))
    workspace.app.push(Menu(workspace.app, path.name, [
        (text("The picture of {name}", whom), "", partial(tokens.dropped, workspace, path)),
        ("A map of it", "", partial(lists.open_any, workspace, path)),
    ]))  # fmt: skip


def to_library(workspace: Workspace) -> None:
    """The library of encounters, with the one on the table chosen."""
    workspace.app.navigator.library(workspace.path)


def _print(workspace: Workspace) -> None:
    """Ask what of the table shall be printed."""
    from game.scenes.setup.paper import choose  # what writes PDF takes longer to load than all the rest of this window

    choose(workspace)


def menu(workspace: Workspace) -> None:
    """The menu of the window."""
    app, shown = workspace.app, workspace.app.keys.shown
    choices: list[Choice] = [
        ("Back to the table", shown("back"), lambda: None),
        ("Save", shown("setup_save"), partial(save, workspace)),
        ("Save under another name", shown("setup_save_as"), partial(lists.choose_name, workspace)),
        ("Library", shown("setup_library"), partial(to_library, workspace)),
        ("Chain of encounters", shown("setup_chain"), lambda: app.navigator.chain()),
        ("Draw the ground", shown("setup_ground"), partial(draw_the_ground, workspace)),
        ("Print", shown("setup_print"), partial(_print, workspace)),
        ("Players' window", shown("players_remote"), app.players.remote),
        ("Export the map", shown("setup_export"), partial(exporting.choose, workspace)),
        ("Settings", "", lambda: app.navigator.options()),
        ("All keys", shown("keys"), lambda: app.push(Help(app, "keys"))),
        ("Leave for the title", "", lambda: app.navigator.title()),
        ("Quit", "", app.quit),
    ]
    app.push(Menu(app, "Preparing an encounter", choices))


def save(workspace: Workspace) -> None:
    """Under the name that it has; without one it is asked for."""
    if workspace.path is not None and workspace.editor.draft.pieces:
        workspace.save(workspace.path)
        workspace.refresh()
    else:
        lists.choose_name(workspace)


# -- the table of keys

CURSOR: Mapping[str, Command] = {
    "setup_cursor_up": partial(operations.move_cursor, columns=0, rows=-1),
    "setup_cursor_down": partial(operations.move_cursor, columns=0, rows=1),
    "setup_cursor_left": partial(operations.move_cursor, columns=-1, rows=0),
    "setup_cursor_right": partial(operations.move_cursor, columns=1, rows=0),
}
"""Commands that move the cursor although somebody is selected."""
ON_BOARD: Mapping[str, Command] = {
    **{name: partial(operations.arrow, columns=across, rows=down) for name, (across, down) in STEPS.items()},
    **CURSOR,
    "setup_put": operations.enter,
    "setup_next": partial(operations.cycle, by=1),
    "setup_last": partial(operations.cycle, by=-1),
    "setup_add": operations.add,
    "setup_centre": lambda workspace: workspace.camera.centre(workspace.cursor),
    "setup_level_up": lambda workspace: workspace.turn_level(-1),
    "setup_level_down": lambda workspace: workspace.turn_level(1),
}
"""Commands whose keys belong to a panel while that has the focus."""
ANYWHERE: Mapping[str, Command] = {
    "setup_all": operations.select_all, "setup_copy": operations.copy, "setup_cut": operations.cut,
    "setup_paste": operations.paste, "setup_double": operations.double, "setup_context": of_chosen,
    "setup_remove": operations.remove, "setup_undo": operations.undo, "setup_redo": operations.redo,
    "setup_find": operations.find, "setup_panels": operations.panels, "setup_fault": operations.fault,
    "setup_zone": operations.zone, "setup_ground": draw_the_ground,
    "setup_new": lists.choose_map, "setup_load": lists.choose_record,
    "setup_save": save, "setup_save_as": lists.choose_name, "setup_play": play, "setup_forecast": forecast,
    "setup_keep": keeping.ask, "setup_token": tokens.ask, "setup_foes": foe_dialog.ask, "setup_wave": wave_dialog.ask,
    "setup_chain": lambda workspace: workspace.app.navigator.chain(),
    "setup_library": to_library, "setup_print": _print, "setup_export": exporting.choose,
}  # fmt: skip
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
    elif name in LEVELS:
        workspace.turn_level(LEVELS[name])
    else:
        return moves_camera(workspace.camera, name, workspace.app.look)
    return True


def _while_drawing(workspace: Workspace, name: str) -> bool:
    """What keys do while a way is drawn; anything else ends it, and then does what it does at other times."""
    if name in ("setup_remove", "setup_undo"):
        workspace.take_point_back()
        return True
    if name not in LOOKING:
        workspace.end_drawing()
    return name == "setup_play"


SLACK = 6
"""Pixels that a press may wander and still be a click."""


def pointed_at(workspace: Workspace) -> str:
    """What stands under the pointer, in a line; empty for an empty space or none."""
    editor, spot = workspace.editor, workspace.gesture.spot
    if workspace.drawing is not None:
        return workspace.drawing.told(spot)
    key = editor.table.at(spot) if spot is not None and workspace.gesture.drag is Drag.NOTHING else None
    mini = editor.table.miniature(piece) if (piece := key is not None and editor.draft.piece(key)) else None
    if mini is None or spot is None:
        return ""
    health = text("{label} {value}/{maximum}", mini.health.label, mini.health.value, mini.health.maximum)
    return text("{name} · {side} · {health} · {spot}", mini.name, mini.side, health, named(spot))


def point(workspace: Workspace, pos: tuple[int, int]) -> None:
    """The pointer is at a pixel."""
    gesture, cell = workspace.gesture, workspace.camera.to_cell(pos)
    before, gesture.spot = gesture.spot, None if cell is None else workspace.camera.at(cell)
    if before != gesture.spot or gesture.drag in (Drag.CARRY, Drag.BAND, Drag.MOVE, Drag.COPY):
        workspace.dirty = True


# -- a creature carried from the bestiary


def carry(workspace: Workspace, template: str, pos: tuple[int, int]) -> None:
    """A creature of the bestiary hangs at the pointer."""
    gesture = workspace.gesture
    if gesture.drag is not Drag.GIVEN_UP:
        gesture.drag, gesture.carried = Drag.CARRY, template
        point(workspace, pos)


def put_carried(workspace: Workspace, pos: tuple[int, int]) -> None:
    """Let go of what is carried: it stands where the pointer is, if that is on the board."""
    gesture = workspace.gesture
    template, dropped = gesture.carried, gesture.drag is Drag.CARRY
    workspace.ui.set_focus(None)
    gesture.drag, gesture.carried = Drag.NOTHING, ""
    point(workspace, pos)
    if dropped and template and gesture.spot is not None and not workspace.ui.over(pos):
        operations.put(workspace, template, gesture.spot)


# -- events


def mouse(workspace: Workspace, event: pygame.event.Event) -> bool:
    """Answer the mouse on the board; True if it was answered."""
    press = workspace.gesture.press
    if event.type == pygame.MOUSEMOTION:
        return _motion(workspace, event)
    if event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 2, 3):
        return _press(workspace, event)
    if event.type == pygame.MOUSEBUTTONUP and press is not None and event.button == press.button:
        return _released(workspace, press)
    if event.type == pygame.MOUSEWHEEL:
        workspace.camera.zoom_at(workspace.app.pointer, 1.12**event.y)
        point(workspace, workspace.app.pointer)
        return True
    return False


def _press(workspace: Workspace, event: pygame.event.Event) -> bool:
    gesture, editor = workspace.gesture, workspace.editor
    workspace.ui.set_focus(None)
    point(workspace, event.pos)
    gesture.press, gesture.last = Press(event.button, event.pos, gesture.spot), event.pos
    gesture.hit, gesture.added, gesture.drag = None, False, Drag.NOTHING
    if event.button != 1:
        return True
    if gesture.spot is not None:
        workspace.cursor = gesture.spot
    if workspace.drawing is not None:
        gesture.hit = workspace.drawing.at(gesture.spot)
    elif workspace.brush is not None:
        gesture.drag = Drag.PAINT
        _paint(workspace)
    elif gesture.spot is not None:
        gesture.hit = editor.table.at(gesture.spot)
        if gesture.hit is not None and gesture.hit not in editor.selection:
            workspace.select([gesture.hit], add=workspace.app.held(pygame.KMOD_SHIFT))
            gesture.added = True
    return True


def _motion(workspace: Workspace, event: pygame.event.Event) -> bool:
    gesture = workspace.gesture
    point(workspace, event.pos)
    if gesture.press is not None:
        start = gesture.press.pos
        far = abs(event.pos[0] - start[0]) + abs(event.pos[1] - start[1]) > SLACK
        if gesture.drag is Drag.NOTHING and far:
            gesture.drag = _begun(workspace, gesture.press.button)
        if gesture.drag is Drag.PAN:
            workspace.camera.pan(event.pos[0] - gesture.last[0], event.pos[1] - gesture.last[1])
            workspace.dirty = True
        elif gesture.drag is Drag.PAINT:
            _paint(workspace)
        elif gesture.drag is Drag.POINT and gesture.hit is not None and gesture.spot is not None:
            workspace.shift_point(gesture.hit, gesture.spot)
    gesture.last = event.pos
    return True


def _begun(workspace: Workspace, button: int) -> Drag:
    """What a press becomes when the pointer wanders."""
    hit = workspace.gesture.hit
    if button != 1:
        return Drag.PAN
    if workspace.drawing is not None:
        return Drag.NOTHING if hit is None else Drag.POINT
    if hit is None:
        return Drag.BAND
    return Drag.COPY if workspace.app.held(pygame.KMOD_CTRL) else Drag.MOVE


def _paint(workspace: Workspace) -> None:
    """The brush places where there is room; a place taken is passed over."""
    gesture, brush = workspace.gesture, workspace.brush
    if gesture.spot is not None and brush is not None and not workspace.ui.over(gesture.last):
        first = gesture.press is not None and gesture.press.spot == gesture.spot
        operations.put(workspace, brush, gesture.spot, quiet=not first, merge="brush")


def _released(workspace: Workspace, press: Press) -> bool:
    gesture, editor = workspace.gesture, workspace.editor
    drag, shift, band = gesture.drag, gesture.shift, gesture.band
    gesture.press, gesture.drag = None, Drag.NOTHING
    match drag:
        case Drag.MOVE | Drag.COPY if shift == (0, 0):
            pass
        case Drag.MOVE:
            if why := editor.move_refused(editor.selection, *shift):
                workspace.toast(why)
            else:
                editor.move(editor.selection, *shift)
                editor.settle()
                workspace.cursor = gesture.spot or workspace.cursor
            workspace.refresh()
        case Drag.COPY:
            spots = [piece.spot for piece in editor.chosen() if piece.spot is not None]
            corner = (min(s[0] for s in spots) + shift[0], min(s[1] for s in spots) + shift[1])
            editor.paste(corner, [piece.entry for piece in editor.chosen()])
            workspace.refresh()
        case Drag.BAND:
            if band is not None:
                workspace.select(editor.table.within(*band), add=workspace.app.held(pygame.KMOD_SHIFT))
        case Drag.PAINT:
            editor.settle()
        case Drag.POINT:
            workspace.refresh()
        case Drag.NOTHING:
            _clicked(workspace, press.button)
        case Drag.CARRY | Drag.PAN | Drag.GIVEN_UP:
            pass
        case _:
            assert_never(drag)
    return True


def _clicked(workspace: Workspace, button: int) -> None:
    gesture, spot = workspace.gesture, workspace.gesture.spot
    shift = workspace.app.held(pygame.KMOD_SHIFT)
    if button == 3:
        _right_click(workspace)
    elif button == 1 and workspace.drawing is not None:
        if spot is not None:
            workspace.add_point(spot)
    elif button == 1 and gesture.hit is not None:
        if not gesture.added:
            workspace.select([gesture.hit], add=shift)
    elif button == 1 and not shift:
        workspace.select([])
        if (door := workspace.editor.door_at(spot)) is not None:
            operations.turn_door(workspace, door)


def _right_click(workspace: Workspace) -> None:
    """Take back what is under way, one layer; else open the menu of what is pointed at."""
    editor, spot = workspace.editor, workspace.gesture.spot
    there = spot is not None and (editor.table.at(spot) is not None or editor.door_at(spot) is not None)
    if (workspace.tool is not None or not there) and workspace.take_back():
        return
    if spot is not None:
        workspace.cursor = spot
        of_spot(workspace, spot, workspace.app.pointer)
