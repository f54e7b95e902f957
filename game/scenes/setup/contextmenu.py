"""What can be done with whoever, whatever or wherever is pointed at, in a menu beside the pointer."""

from __future__ import annotations

from functools import partial
from typing import Any

from game.content import encounter
from game.scenes.dialogs.context import open_menu
from game.scenes.setup import operations
from game.scenes.setup.workspace import Workspace
from game.setup import bestiary, check, forms
from game.setup.draft import UNSET, Piece, Spot
from game.setup.editor import PLAYERS
from game.setup.forms import FormField
from game.setup.places import named
from game.widgets.menu import Line
from rules.board.grid import door_states

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
    title = check.name_of(workspace.editor.draft, pieces[0]) if len(pieces) == 1 else f"{len(pieces)} creatures"
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
                    f"{field.label}: draw it …",
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
    many = "Paste here" if len(copied) < 2 else f"Paste {len(copied)} here"

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
    open_menu(workspace.app, named(spot).capitalize(), lines, pos)
