"""The form of whoever is selected, built field by field from what the ruleset's schema says (game/setup/forms.py)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from game.content import encounter
from game.scenes.fight.panels.card import likeness
from game.scenes.setup import lists, operations
from game.scenes.setup.fields import ALL, BY_RULES, MAKERS, NONE, TALL, Desk, labelled, meaning
from game.scenes.setup.workspace import Workspace
from game.setup import bestiary, forms, trial
from game.setup.draft import UNSET, Piece
from game.setup.editor import PLAYERS, Editor
from game.setup.forms import FormField
from game.widgets.controls import Button, Fold, Label
from game.widgets.core import Sized, Space, Tip, Widget, column, grown, row
from game.widgets.fields import VARIOUS, ChoiceField, Mark, TextField
from game.widgets.figures import BarFigure, Picture, Rule
from rules.contract.text import joined, text, titled
from rules.core.dice import plain

GROUPS = (forms.NOW, forms.FIGURES, forms.GEAR, forms.CRAFT, forms.TOLD)


def creature(workspace: Workspace) -> Widget:
    """The whole form; for several creatures what they have in common is shown, and changed for all."""
    pieces = workspace.editor.chosen()
    if not pieces:
        text = (
            "Click a creature on the board to edit it, or drag over several.\n\n"
            "Drag somebody from the bestiary onto the board; a click takes them into the hand, to put many down."
        )
        return Label(text, colour="quiet")
    faults = _faults(workspace, pieces)
    parts: list[Widget] = [_head(workspace, pieces), *_table(workspace, pieces, faults)]
    for group in GROUPS:
        parts += _section(workspace, pieces, group, faults)
    for name in (name for name in faults if name and name not in _names(workspace)):
        away = Button("Take out", partial(_set, workspace, name, UNSET), key=f"field {name}")
        parts.append(column(labelled(name, away), _wrong(faults[name]), gap=3))  # the rules don't know it
    parts += _comes_to(workspace, pieces)
    return column(*parts, gap=6)


def _section(workspace: Workspace, pieces: Sequence[Piece], group: str, faults: dict[str, str]) -> list[Widget]:
    """A section's heading and, where it is open or something in it is wrong, its fields."""
    fields = [field for field in forms.fields(workspace.ruleset) if field.group == group]
    if len(pieces) > 1:
        fields = [field for field in fields if field.name != "name"]
    wrong = any(forms.section_of(workspace.ruleset, name) == group for name in faults)
    if wrong:
        workspace.unfolded.add(group)  # it stays open when the fault is mended: somebody works there
    shown = group in workspace.unfolded
    own = {name for piece in pieces for name in piece.entry if workspace.editor.base(piece)}
    head = Fold(
        group, shown, partial(_turn, workspace, group), key=f"section {group}", wrong=wrong,
        told=_inside(workspace, pieces[0], fields) if len(pieces) == 1 else "",
        changed=any(field.name in own for field in fields),
    )  # fmt: skip
    parts: list[Widget] = [head]
    if shown and group == forms.TOLD:
        parts += _identity(workspace, pieces, faults)
    if shown:
        parts += [_field(workspace, pieces, field, faults.get(field.name, "")) for field in fields]
    return parts


def _turn(workspace: Workspace, group: str) -> None:
    workspace.unfolded ^= {group}
    workspace.rebuild()


def _inside(workspace: Workspace, piece: Piece, fields: Sequence[FormField]) -> str:
    """What a folded section holds, in a line."""
    block = workspace.editor.block(piece)
    words = (in_few(field, block.get(field.name, field.default)) for field in fields)
    return joined(" · ", (word for word in words if word))


def in_few(field: FormField, value: Any) -> str:
    """A field in a word or two; empty where nothing is to be told of it."""
    if value is None or value is False or value in ("", [], (), {}) or (value == 0 and field.default == 0):
        return ""
    if field.kind == "whole":
        return text("{label} {value}", field.label, plain(value))
    if field.kind in ("switch", "way", "object"):
        return field.label
    if field.kind == "facing" and type(value) is int and 0 <= value < len(forms.DIRECTIONS):
        return forms.DIRECTIONS[value]
    if isinstance(value, dict):
        return joined(", ", map(str, value))
    if isinstance(value, (list, tuple)):
        names = (each.get("name", "…") if isinstance(each, dict) else each for each in value)
        return joined(", ", map(str, names))
    return str(value)


def _names(workspace: Workspace) -> set[str]:
    return {field.name for field in forms.fields(workspace.ruleset)} | {"id", "side", "controller", "at", "template"}


def _faults(workspace: Workspace, pieces: Sequence[Piece]) -> dict[str, str]:
    """What is wrong with the selected, by field: the first of each."""
    keys = {piece.key for piece in pieces}
    found: dict[str, str] = {}
    for problem in workspace.editor.problems():
        if problem.key in keys and problem.block:
            found.setdefault(problem.field, problem.beside)
    return found


# -- head -----------------------------------------------------------------------------------------------


def _head(workspace: Workspace, pieces: Sequence[Piece]) -> Widget:
    editor, first = workspace.editor, pieces[0]
    mini = trial.figure(workspace.ruleset, first.entry, editor.draft.options)
    name = mini.name if len(pieces) == 1 else text("{pieces} creatures", len(pieces))
    kinds = {str(piece.entry.get("template", "")) for piece in pieces}
    under = "a stat block of its own"
    if len(pieces) > 1:
        under = "changes go to all of them"
    elif kinds != {""}:
        under = text("of the bestiary: {kinds}", kinds.pop())
    words = [Label(name, "heading", "bright", one_line=True), Label(under, "small", "quiet", one_line=True)]
    top = row(Picture(likeness(mini.art, mini.side), 52), grown(column(*words, gap=0)), gap=10)
    deeds = (
        ("Duplicate", operations.double, workspace.app.keys.shown("setup_double")),
        ("To start", operations.zone, "Into the side's start zone (Ctrl+T)."),
        ("Remove", operations.remove, "Delete"),
    )
    buttons = [Button(label, partial(do, workspace), key=label.lower(), tip=Tip(tip)) for label, do, tip in deeds]
    return column(top, row(*buttons, gap=4, wrap=True), gap=6)


def _table(workspace: Workspace, pieces: Sequence[Piece], faults: dict[str, str]) -> list[Widget]:
    """What belongs to being on the table: side, and who plays it."""
    editor, parts = workspace.editor, list[Widget]()
    sides = list(dict.fromkeys([encounter.HEROES, encounter.MONSTERS, *editor.draft.sides()]))
    fresh = next(f"side {n}" for n in range(3, 99) if f"side {n}" not in sides)
    now = _common([piece.side for piece in pieces])
    put = partial(_set, workspace, "side")
    pick = partial(lists.pick, workspace, lists.Question("Side", [*sides, fresh], put, now=now))
    side = ChoiceField("field side", now, sides, put, pick, wrong="side" in faults)
    parts += _with_fault(labelled("Side", _apart(side)), faults.get("side", ""))
    who, give = _common([editor.player(piece) for piece in pieces]), partial(_set, workspace, "controller")
    options = list(dict.fromkeys([*PLAYERS, who]))
    names = [PLAYERS.get(word, word) for word in options]
    asked = lists.Question("Played by", list(PLAYERS), give, names=list(PLAYERS.values()), now=who)
    pick = partial(lists.pick, workspace, asked)
    chosen = ChoiceField("field controller", who, options, give, pick, names=names)
    parts.append(labelled("Played by", _apart(chosen)))
    if faults.get("at") or faults.get(""):
        parts.append(_wrong(faults.get("at") or faults[""]))
    return parts


def _identity(workspace: Workspace, pieces: Sequence[Piece], faults: dict[str, str]) -> list[Widget]:
    """What the record calls somebody, and which entry of the bestiary it is."""
    parts: list[Widget] = []
    if len(pieces) == 1:
        identity = TextField(
            "field id", pieces[0].id, partial(_set, workspace, "id"), workspace.memory, most=60, wrong="id" in faults
        )
        line = labelled("Id", _apart(identity), tip=Tip("What the record calls it."))
        parts += _with_fault(line, faults.get("id", ""))
    templates = {str(piece.entry.get("template") or "") for piece in pieces}
    if templates != {""}:  # which entry somebody is; another one keeps what was changed
        known = {**bestiary.heroes(workspace.ruleset), **bestiary.monsters(workspace.ruleset)}
        names = [str(entry.get("name", name)) for name, entry in known.items()]
        now, put = _common(sorted(templates)), partial(_set, workspace, "template")
        asked = lists.Question("Bestiary", list(known), put, names=names, now=now)
        fault = faults.get("template", "")
        choice = lists.choice(workspace, "field template", asked, wrong=bool(fault))
        tip = Tip("The entry whose stat block holds where nothing is changed.")
        parts += _with_fault(labelled("Bestiary", _apart(choice), tip=tip), fault)
    return parts


def _apart(field: Widget) -> Widget:
    """A field as wide as those with a way back beside them."""
    return row(grown(field), Space(24), gap=2)


def _common(values: Sequence[str]) -> str:
    return values[0] if len(set(values)) == 1 else VARIOUS


# -- one field --------------------------------------------------------------------------------------------


def _field(workspace: Workspace, pieces: Sequence[Piece], field: FormField, fault: str) -> Widget:
    """A field with its fault under it, and the way back to what the template says."""
    editor = workspace.editor
    values = [editor.block(piece).get(field.name, field.default) for piece in pieces]
    mixed = any(value != values[0] for value in values)
    own = [piece for piece in pieces if field.name in piece.entry]
    changed = any(editor.base(piece) for piece in own)
    change = partial(_set, workspace)
    desk = Desk(
        workspace=workspace, memory=workspace.memory, change=change, says=editor.block(pieces[0]),
        usual=partial(_usual, workspace, pieces),
    )  # fmt: skip
    widget = MAKERS[field.kind](desk, field, None if mixed else values[0], mixed, bool(fault))
    back: Widget = Space(24)  # its place is kept, so that no sign moves under the pointer
    if changed:
        tip = Tip(text("Back to what the template says: {said}.", _said(editor, own[0], field)))
        back = Mark("back", partial(change, field.name, UNSET), key=f"back {field.name}", tip=tip)
    if field.kind in TALL:
        head = Label(field.label, "text", "gold" if changed else "text", tip=meaning(workspace, field))
        line: Widget = column(row(head, Space(grow=1), back), widget, gap=3)
    else:
        line = row(grown(widget), back, gap=2)
        if field.kind != "switch" or field.optional:
            line = labelled(field.label, line, changed=changed, tip=meaning(workspace, field))
    return column(*_with_fault(line, fault), gap=3)


def _set(workspace: Workspace, name: str, value: Any) -> None:
    workspace.editor.set_field(name, value)
    workspace.refresh()


def _usual(workspace: Workspace, pieces: Sequence[Piece], field: FormField) -> tuple[int, str]:
    """What an empty figure comes to: a pool's most, else the least that may be."""
    sheet = trial.tried(workspace.ruleset, pieces[0].entry, workspace.editor.draft.options).sheet
    for bar in sheet.bars if sheet is not None else ():
        if (field.name == "hp" and bar.tone == "health") or field.name == bar.tone:
            # each of several has a most of its own
            return bar.maximum, text("{maximum} (all)", bar.maximum) if len(pieces) == 1 else ALL
    return field.low or 0, BY_RULES


def _said(editor: Editor, piece: Piece, field: FormField) -> str:
    value = editor.base(piece).get(field.name, field.default)
    if isinstance(value, dict):
        return joined(", ", (f"{k} {v}" for k, v in value.items())) or NONE
    if isinstance(value, list):
        return joined(", ", (str(v.get("name", "…")) if isinstance(v, dict) else str(v) for v in value)) or NONE
    return "as the rules say" if value is None else str(value)


def _with_fault(line: Widget, fault: str) -> list[Widget]:
    return [line, _wrong(fault)] if fault else [line]


def _wrong(text: str) -> Widget:
    return Label(titled(text), "small", "coral")


# -- what it comes to --------------------------------------------------------------------------------------


def _comes_to(workspace: Workspace, pieces: Sequence[Piece]) -> list[Widget]:
    """The sheet as the rules would make it: bars, gear with its figures, defense."""
    found = trial.tried(workspace.ruleset, pieces[0].entry, workspace.editor.draft.options)
    if len(pieces) != 1 or (sheet := found.sheet) is None:
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
