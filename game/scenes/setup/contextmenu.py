"""What can be done with whoever, whatever or wherever is pointed at, in a menu beside the pointer."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from game.content import encounter
from game.scenes.dialogs.context import open_menu
from game.scenes.setup import form
from game.setup import bestiary, check, forms
from game.setup.draft import UNSET, Piece, Spot
from game.setup.forms import FormField
from game.setup.places import named
from game.widgets.menu import Line
from rules.board.grid import door_states

if TYPE_CHECKING:
    from game.scenes.setup.scene import Setup

LONG = 12
"""More choices than these are a list to search, not a menu."""


def of_spot(scene: Setup, spot: Spot, pos: tuple[int, int]) -> None:
    """The menu of a space: of who stands there, else of its door, else of the ground."""
    hit = scene.editor.at(spot)
    if hit is not None:
        of_creature(scene, hit, pos)
    elif (door := scene.steering.door_at(spot)) is not None:
        _of_door(scene, door, pos)
    else:
        _of_ground(scene, spot, pos)


def of_creature(scene: Setup, key: int, pos: tuple[int, int]) -> None:
    """The menu of a creature, or of all that are selected where it is one of them."""
    if key not in scene.editor.selection:
        scene.select([key])
    pieces = scene.editor.chosen()
    title = check.name_of(scene.editor.draft, pieces[0]) if len(pieces) == 1 else f"{len(pieces)} creatures"
    lines = [
        *_deeds(scene),
        None,
        *_standing(scene, pieces),
        None,
        *_states(scene, pieces),
        None,
        _away(scene),
    ]
    open_menu(scene.app, title, lines, pos)


def _deeds(scene: Setup) -> list[Line | None]:
    steering, shown = scene.steering, scene.app.keys.shown
    return [
        Line("Edit", steering.edit, shown("setup_put"), key="edit"),
        Line("Duplicate", steering.double, shown("setup_double"), key="duplicate"),
        Line("Copy", steering.copy, shown("setup_copy"), key="copy"),
        Line("Cut", steering.cut, shown("setup_cut"), key="cut"),
        Line("Into its start zone", steering.zone, shown("setup_zone"), key="zone"),
    ]


def _away(scene: Setup) -> Line:
    return Line("Remove", scene.steering.remove, scene.app.keys.shown("setup_remove"), key="remove")


def _standing(scene: Setup, pieces: list[Piece]) -> list[Line | None]:
    """Whose it is, and who plays it."""
    editor = scene.editor
    sides = list(dict.fromkeys([encounter.HEROES, encounter.MONSTERS, *editor.draft.sides()]))
    now = {piece.side for piece in pieces}
    players = {form.player(editor, piece) for piece in pieces}
    return [
        Line(
            "Side",
            more=tuple(Line(side, partial(_set, scene, "side", side), on=now == {side}) for side in sides),
            key="side",
        ),
        Line(
            "Played by",
            more=tuple(
                Line(word[:1].upper() + word[1:], partial(_set, scene, "controller", who), on=players == {who})
                for who, word in form.PLAYERS.items()
            ),
            key="played by",
        ),
    ]


def _states(scene: Setup, pieces: list[Piece]) -> list[Line | None]:
    """How it starts: everything of the form's first section that is chosen with one click."""
    lines: list[Line | None] = []
    for field in forms.fields(scene.ruleset):
        if field.group != forms.NOW:
            continue
        values = [scene.editor.block(piece).get(field.name, field.default) for piece in pieces]
        if field.kind == "switch" and not field.optional:
            on = all(value is True for value in values)
            lines.append(Line(field.label, partial(_set, scene, field.name, not on), on=on, key=field.name))
        elif field.kind == "way":
            why = "" if len(pieces) == 1 else "Select one creature."
            lines.append(
                Line(
                    f"{field.label}: draw it …",
                    partial(scene.draw_way, pieces[0].key, field),
                    why=why,
                    key=field.name,
                )
            )
        elif (ways := _ways(field)) and len(ways) <= LONG:
            lines.append(Line(field.label, more=tuple(_choices(scene, field, values, ways)), key=field.name))
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


def _choices(scene: Setup, field: FormField, values: list[Any], ways: dict[str, Any]) -> list[Line]:
    return [
        Line(
            name,
            partial(_set, scene, field.name, value),
            on=all(now == value or (now is None and value is UNSET) for now in values),
        )
        for name, value in ways.items()
    ]


def _set(scene: Setup, name: str, value: Any) -> None:
    scene.editor.set_field(name, value)
    scene.editor.settle()
    scene.refresh()


def _of_door(scene: Setup, number: int, pos: tuple[int, int]) -> None:
    ground = scene.editor.ground
    assert ground is not None
    door = ground.doors[number]
    lines = [
        Line(
            state.capitalize(),
            partial(scene.steering.set_door, number, state),
            on=door.state == state,
            key=state,
        )
        for state in door_states(door.kind)
    ]
    open_menu(scene.app, door.id, lines, pos, "How it stands at the start")


def _of_ground(scene: Setup, spot: Spot, pos: tuple[int, int]) -> None:
    """What can be put on an empty space, and what concerns all."""
    steering, shown, copied = scene.steering, scene.app.keys.shown, scene.editor.clipboard
    nothing = "" if copied else "Nothing is copied yet."
    nobody = "" if scene.editor.draft.pieces else "Nobody is on the table yet."
    many = "Paste here" if len(copied) < 2 else f"Paste {len(copied)} here"

    def paste() -> None:
        scene.editor.paste(spot)
        scene.select(list(scene.editor.selection), show=True)

    def centre() -> None:
        scene.camera.centre(spot)
        scene.dirty = True

    brought = list(
        dict.fromkeys(str(p.entry.get("template")) for p in scene.editor.draft.pieces if p.entry.get("template"))
    )
    again = tuple(
        Line(str(bestiary.template(scene.ruleset, name).get("name", name)), partial(steering.put, name, spot))
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
        Line("Search the bestiary", steering.find, shown("setup_find"), key="find"),
        None,
        Line("Select everybody", steering.all, shown("setup_all"), why=nobody, key="all"),
        Line("Centre here", centre, key="centre"),
    ]
    open_menu(scene.app, named(spot).capitalize(), lines, pos)
