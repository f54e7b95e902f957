"""The form of whoever is selected, built field by field from what the ruleset's schema says (game/setup/forms.py)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from game.content import encounter
from game.scenes.fight.panels import hud
from game.scenes.setup import dialogs
from game.scenes.setup.fieldmakers import ALL, BY_RULES, MAKERS, NONE, TALL, Desk, meaning
from game.setup import bestiary, forms, trial
from game.setup.draft import UNSET, Piece
from game.setup.editor import Editor
from game.setup.forms import FormField
from game.widgets.controls import Button, Fold, Label
from game.widgets.core import Sized, Space, Tip, Widget, column, row
from game.widgets.fields import VARIOUS, ChoiceField, Mark, TextField
from game.widgets.figures import BarFigure, Picture, Rule
from rules.core.figures import plain

if TYPE_CHECKING:
    from game.scenes.setup.scene import Setup

GROUPS = (forms.NOW, forms.FIGURES, forms.GEAR, forms.CRAFT, forms.TOLD)
PLAYERS = {"human": "a person", "ai": "the computer"}
"""Who may answer for a creature, and how it is called."""
LABEL = 86
"""Width of a field's label at 100 %."""


def labelled(
    label: str, field: Widget, *, share: float = LABEL, changed: bool = False, tip: Tip | None = None
) -> Widget:
    """A field behind its label, which is gold where it differs from the template."""
    field.grow = 1
    words = Label(label, "text", "gold" if changed else "text", one_line=True, tip=tip)
    return row(Sized(words, share), field, gap=6)


def creature(scene: Setup) -> Widget:
    """The whole form; for several creatures what they have in common is shown, and changed for all."""
    pieces = scene.editor.chosen()
    if not pieces:
        text = (
            "Click a creature on the board to edit it, or drag over several.\n\n"
            "Drag somebody from the bestiary onto the board; a click takes them into the hand, to put many down."
        )
        return Label(text, colour="quiet")
    faults = _faults(scene, pieces)
    parts: list[Widget] = [_head(scene, pieces), *_table(scene, pieces, faults)]
    for group in GROUPS:
        parts += _section(scene, pieces, group, faults)
    strange = [name for name in faults if name and name not in _names(scene)]
    for name in strange:
        parts.append(_strange(scene, name, faults[name]))
    parts += _comes_to(scene, pieces)
    return column(*parts, gap=6)


def section_of(scene: Setup, name: str) -> str:
    """The section in which a field of the form stands; empty for those above them all."""
    if name in ("id", "template"):
        return forms.TOLD
    return next((field.group for field in forms.fields(scene.ruleset) if field.name == name), "")


def _section(scene: Setup, pieces: Sequence[Piece], group: str, faults: dict[str, str]) -> list[Widget]:
    """A section's heading and, where it is open or something in it is wrong, its fields."""
    fields = [field for field in forms.fields(scene.ruleset) if field.group == group]
    if len(pieces) > 1:
        fields = [field for field in fields if field.name != "name"]
    wrong = any(section_of(scene, name) == group for name in faults)
    if wrong:
        scene.unfolded.add(group)  # it stays open when the fault is mended: somebody works there
    shown = group in scene.unfolded
    own = {name for piece in pieces for name in piece.entry if scene.editor.base(piece)}
    head = Fold(
        group,
        shown,
        partial(_turn, scene, group),
        told=_inside(scene, pieces[0], fields) if len(pieces) == 1 else "",
        changed=any(field.name in own for field in fields),
        wrong=wrong,
        key=f"section {group}",
    )
    parts: list[Widget] = [head]
    if shown and group == forms.TOLD:
        parts += _identity(scene, pieces, faults)
    if shown:
        parts += [_field(scene, pieces, field, faults.get(field.name, "")) for field in fields]
    return parts


def _turn(scene: Setup, group: str) -> None:
    scene.unfolded ^= {group}
    scene.rebuild()


def _inside(scene: Setup, piece: Piece, fields: Sequence[FormField]) -> str:
    """What a folded section holds, in a line."""
    block = scene.editor.block(piece)
    words = (in_few(field, block.get(field.name, field.default)) for field in fields)
    return " · ".join(word for word in words if word)


def in_few(field: FormField, value: Any) -> str:
    """A field in a word or two; empty where nothing is to be told of it."""
    if value is None or value is False or value in ("", [], (), {}) or (value == 0 and field.default == 0):
        return ""
    if field.kind == "whole":
        return f"{field.label} {plain(value)}"
    if field.kind in ("switch", "way", "object"):
        return field.label
    if field.kind == "facing" and type(value) is int and 0 <= value < len(forms.DIRECTIONS):
        return forms.DIRECTIONS[value]
    if isinstance(value, dict):
        return ", ".join(map(str, value))
    if isinstance(value, (list, tuple)):
        names = (each.get("name", "…") if isinstance(each, dict) else each for each in value)
        return ", ".join(map(str, names))
    return str(value)


def _names(scene: Setup) -> set[str]:
    return {field.name for field in forms.fields(scene.ruleset)} | {
        "id",
        "side",
        "controller",
        "at",
        "template",
    }


def _faults(scene: Setup, pieces: Sequence[Piece]) -> dict[str, str]:
    """What is wrong with the selected, by field: the first of each."""
    keys = {piece.key for piece in pieces}
    found: dict[str, str] = {}
    for problem in scene.editor.problems():
        if problem.key in keys and problem.block:
            found.setdefault(problem.field, problem.beside)
    return found


def player(editor: Editor, piece: Piece) -> str:
    """Who answers for a creature."""
    return str(editor.block(piece).get("controller", "ai"))


# -- head -----------------------------------------------------------------------------------------------


def _head(scene: Setup, pieces: Sequence[Piece]) -> Widget:
    editor, first = scene.editor, pieces[0]
    steering = scene.steering
    mini = trial.figure(scene.ruleset, first.entry, editor.draft.options)
    name = mini.name if len(pieces) == 1 else f"{len(pieces)} creatures"
    kinds = {str(piece.entry.get("template", "")) for piece in pieces}
    under = f"of the bestiary: {kinds.pop()}" if kinds != {""} and len(kinds) == 1 else "a stat block of its own"
    if len(pieces) > 1:
        under = "changes go to all of them"
    words = column(
        Label(name, "heading", "bright", one_line=True), Label(under, "small", "quiet", one_line=True), gap=0
    )
    words.grow = 1
    top = row(Picture(hud.likeness(mini.art, mini.side), 52), words, gap=10)
    buttons = row(
        Button("Duplicate", steering.double, key="duplicate", tip=Tip(scene.app.keys.shown("setup_double"))),
        Button("To start", steering.zone, key="to start", tip=Tip("Into the side's start zone (Ctrl+T).")),
        Button("Remove", steering.remove, key="remove", tip=Tip("Delete")),
        gap=4, wrap=True,
    )  # fmt: skip
    return column(top, buttons, gap=6)


def _table(scene: Setup, pieces: Sequence[Piece], faults: dict[str, str]) -> list[Widget]:
    """What belongs to being on the table: side, and who plays it."""
    editor, parts = scene.editor, list[Widget]()
    sides = list(dict.fromkeys([encounter.HEROES, encounter.MONSTERS, *editor.draft.sides()]))
    fresh = next(f"side {n}" for n in range(3, 99) if f"side {n}" not in sides)
    now = _common([piece.side for piece in pieces])
    put = partial(_set, scene, "side")
    side = ChoiceField(
        "field side",
        now,
        sides,
        put,
        partial(dialogs.pick, scene, "Side", [*sides, fresh], put, now=now),
        wrong="side" in faults,
    )
    parts += _with_fault(labelled("Side", _apart(side)), faults.get("side", ""))
    who = _common([player(editor, piece) for piece in pieces])
    names = [PLAYERS.get(word, word) for word in dict.fromkeys([*PLAYERS, who])]
    options = list(dict.fromkeys([*PLAYERS, who]))
    give = partial(_set, scene, "controller")
    chosen = ChoiceField(
        "field controller", who, options, give,
        partial(dialogs.pick, scene, "Played by", list(PLAYERS), give, names=list(PLAYERS.values()), now=who),
        names=names,
    )  # fmt: skip
    parts.append(labelled("Played by", _apart(chosen)))
    if faults.get("at") or faults.get(""):
        parts.append(_wrong(faults.get("at") or faults[""]))
    return parts


def _identity(scene: Setup, pieces: Sequence[Piece], faults: dict[str, str]) -> list[Widget]:
    """What the record calls somebody, and which entry of the bestiary it is."""
    parts: list[Widget] = []
    if len(pieces) == 1:
        identity = TextField(
            "field id", pieces[0].id, partial(_set, scene, "id"), scene.memory, most=60, wrong="id" in faults
        )
        line = labelled("Id", _apart(identity), tip=Tip("What the record calls it."))
        parts += _with_fault(line, faults.get("id", ""))
    templates = {str(piece.entry.get("template") or "") for piece in pieces}
    if templates != {""}:
        entry = _template(scene, templates, bool(faults.get("template")))
        parts += _with_fault(entry, faults.get("template", ""))
    return parts


def _template(scene: Setup, templates: set[str], wrong: bool) -> Widget:
    """Which entry of the bestiary somebody is; another one keeps what was changed."""
    known = {**bestiary.heroes(scene.ruleset), **bestiary.monsters(scene.ruleset)}
    names, options = [str(entry.get("name", name)) for name, entry in known.items()], list(known)
    now, put = _common(sorted(templates)), partial(_set, scene, "template")
    pick = partial(dialogs.pick, scene, "Bestiary", options, put, names=names, now=now)
    choice = ChoiceField("field template", now, options, put, pick, names=names, wrong=wrong)
    return labelled("Bestiary", _apart(choice), tip=Tip("The entry whose stat block holds where nothing is changed."))


def _apart(field: Widget) -> Widget:
    """A field as wide as those with a way back beside them."""
    field.grow = 1
    return row(field, Space(24), gap=2)


def _common(values: Sequence[str]) -> str:
    return values[0] if len(set(values)) == 1 else VARIOUS


# -- one field --------------------------------------------------------------------------------------------


def _field(scene: Setup, pieces: Sequence[Piece], field: FormField, fault: str) -> Widget:
    """A field with its fault under it, and the way back to what the template says."""
    editor = scene.editor
    values = [editor.block(piece).get(field.name, field.default) for piece in pieces]
    mixed = any(value != values[0] for value in values)
    own = [piece for piece in pieces if field.name in piece.entry]
    changed = any(editor.base(piece) for piece in own)
    value = None if mixed else values[0]
    change = partial(_set, scene)
    desk = Desk(scene, scene.memory, change, editor.block(pieces[0]), partial(_usual, scene, pieces))
    widget = MAKERS[field.kind](desk, field, value, mixed, bool(fault))
    back: Widget = Space(24)  # its place is kept, so that no sign moves under the pointer
    if changed:
        said = _said(editor, own[0], field)
        back = Mark(
            "back", partial(change, field.name, UNSET), key=f"back {field.name}",
            tip=Tip(f"Back to what the template says: {said}."),
        )  # fmt: skip
    if field.kind in TALL:
        head = Label(field.label, "text", "gold" if changed else "text", tip=meaning(scene, field))
        line: Widget = column(row(head, Space(grow=1), back), widget, gap=3)
    else:
        widget.grow = 1
        line = row(widget, back, gap=2)
        if field.kind != "switch" or field.optional:
            line = labelled(field.label, line, changed=changed, tip=meaning(scene, field))
    return column(*_with_fault(line, fault), gap=3)


def _set(scene: Setup, name: str, value: Any) -> None:
    scene.editor.set_field(name, value)
    scene.refresh()


def _usual(scene: Setup, pieces: Sequence[Piece], field: FormField) -> tuple[int, str]:
    """What an empty figure comes to: a pool's most, else the least that may be."""
    sheet = trial.tried(scene.ruleset, pieces[0].entry, scene.editor.draft.options).sheet
    for bar in sheet.bars if sheet is not None else ():
        if (field.name == "hp" and bar.tone == "health") or field.name == bar.tone:
            # each of several has a most of its own
            return bar.maximum, f"{bar.maximum} (all)" if len(pieces) == 1 else ALL
    return field.low or 0, BY_RULES


def _said(editor: Editor, piece: Piece, field: FormField) -> str:
    value = editor.base(piece).get(field.name, field.default)
    if isinstance(value, dict):
        return ", ".join(f"{k} {v}" for k, v in value.items()) or NONE
    if isinstance(value, list):
        return ", ".join(str(v.get("name", "…")) if isinstance(v, dict) else str(v) for v in value) or NONE
    return "as the rules say" if value is None else str(value)


def _with_fault(line: Widget, fault: str) -> list[Widget]:
    return [line, _wrong(fault)] if fault else [line]


def _wrong(text: str) -> Widget:
    return Label(text[:1].upper() + text[1:], "small", "coral")


def _strange(scene: Setup, name: str, text: str) -> Widget:
    """A field that the rules don't know, with the way to be rid of it."""
    away = Button("Take out", partial(_set, scene, name, UNSET), key=f"field {name}")
    return column(labelled(name, away), _wrong(text), gap=3)


# -- what it comes to --------------------------------------------------------------------------------------


def _comes_to(scene: Setup, pieces: Sequence[Piece]) -> list[Widget]:
    """The sheet as the rules would make it: bars, gear with its figures, defense."""
    if len(pieces) != 1:
        return []
    sheet = trial.tried(scene.ruleset, pieces[0].entry, scene.editor.draft.options).sheet
    if sheet is None:
        return []
    parts: list[Widget] = [Rule(), Label("What it comes to", "label!", "gold")]
    for bar in sheet.bars:
        if bar.tone != "points" and bar.maximum:
            parts.append(BarFigure(bar.label, bar.value, bar.maximum, bar.tone))
    for line in sheet.lines:
        tip = Tip(line.rule) if line.rule else None
        detail = Label(line.detail, "text", "bright", tip=tip)
        parts.append(row(Sized(Label(line.text, "text", "quiet", tip=tip), 92), detail, gap=6, align="start"))
    return parts
