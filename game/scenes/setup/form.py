"""The form of whoever is selected, from the ruleset's schema (game/setup/forms.py): a maker for each kind of field."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from game.content import encounter
from game.scenes.dialogs.panels import Panel
from game.scenes.fight.panels.card import likeness, term_tip
from game.scenes.setup import keeping, lists, operations, tokens
from game.scenes.setup.workspace import Workspace
from game.setup import bestiary, forms, trial
from game.setup.draft import UNSET, Piece
from game.setup.editor import PLAYERS, Editor, way_told
from game.setup.forms import FormField
from game.setup.trial import offer_known, offer_prose, offer_told
from game.widgets.controls import Button, Fold, Label, Toggle
from game.widgets.core import Box, Sized, Space, Tip, Widget, column, grown, row
from game.widgets.fields import VARIOUS, ChoiceField, Mark, Memory, NumberField, TextField
from game.widgets.figures import BarFigure, Picture, Rule
from rules.contract.text import joined, text, titled
from rules.core.dice import plain
from rules.core.registry import ruleset as ruleset_of

NONE, BY_RULES, ALL = "none", "by the rules", "all"
LABEL = 86
"""Width of a field's label at 100 %."""
ON_OFF = {BY_RULES: None, "yes": True, "no": False}


@dataclass(frozen=True, kw_only=True)
class Desk:
    """What a form works on: a creature (or several), or an entry within one."""

    workspace: Workspace
    memory: Memory
    change: Callable[[str, Any], None]
    """Takes a field's name and its new value; `UNSET` leaves the field out."""
    says: Mapping[str, Any]
    """What the creature or entry says now."""
    usual: Callable[[FormField], tuple[int, str]]
    """What an empty figure comes to, and how that is written."""
    prefix: str = "field "
    """Before the names of fields in the keys of widgets."""

    def key(self, field: FormField) -> str:
        return f"{self.prefix}{field.name}"

    def put(self, field: FormField) -> Callable[[Any], None]:
        return partial(self.change, field.name)


Maker = Callable[[Desk, FormField, Any, bool, bool], Widget]
"""From the desk, the field, its value, whether several differ in it, and whether something is wrong."""


def meaning(workspace: Workspace, field: FormField) -> Tip | None:
    """The rules' own word on a field, where they have one."""
    rules = ruleset_of(workspace.ruleset)
    return term_tip(rules, field.label.lower()) or term_tip(rules, field.name)


def labelled(
    label: str, field: Widget, *, share: float = LABEL, changed: bool = False, tip: Tip | None = None
) -> Widget:
    """A field behind its label, which is gold where it differs from the template."""
    words = Label(label, "text", "gold" if changed else "text", one_line=True, tip=tip)
    return row(Sized(words, share), grown(field), gap=6)


def _whole(desk: Desk, field: FormField, value: Any, mixed: bool, wrong: bool) -> Widget:
    number = value if type(value) is int else None
    shown = VARIOUS if mixed else "" if value is None or number is not None else str(value)
    start, quiet = desk.usual(field)
    most = field.high if quiet == BY_RULES else start
    right = f"{field.right[:1].upper()}{field.right[1:]}."
    return NumberField(
        desk.key(field), number, lambda to: desk.change(field.name, UNSET if to is None and field.optional else to),
        desk.memory,
        start=start, low=field.low, high=most, optional=field.optional, shown=shown, wrong=wrong, quiet=quiet,
        tip=Tip(right + (" Empty: as the rules say." if field.optional else "")),
        full=field.optional and quiet != BY_RULES and (quiet != ALL or number is None),
    )  # fmt: skip


def _switch(desk: Desk, field: FormField, value: Any, mixed: bool, wrong: bool) -> Widget:
    if field.optional:
        now = VARIOUS if mixed else next(word for word, means in ON_OFF.items() if means is value or word == "no")
        return _choose(desk, field, now, ON_OFF, wrong)
    label = field.label + (text(" ({various})", VARIOUS) if mixed else "")
    toggle = Toggle(label, bool(value), desk.put(field), tip=meaning(desk.workspace, field), flush=True)
    toggle.key = desk.key(field)
    return toggle


def _word(desk: Desk, field: FormField, value: Any, mixed: bool, wrong: bool) -> Widget:
    emptied, drafts = (f"emptied {desk.key(field)} {desk.workspace.editor.selection}", desk.memory.drafts)

    def put(text: str) -> None:
        drafts.pop(emptied, None)
        if not text and field.optional:
            drafts[emptied] = ""
        desk.change(field.name, UNSET if not text and field.optional else text)

    text, quiet = "" if value is None else str(value), VARIOUS if mixed else ""
    tip = Tip(text) if text else None
    if drafts.get(emptied) == "":
        drafts[emptied] = text
    if text and drafts.get(emptied) == text:
        text, quiet = "", text  # what the template says is not put before the caret of whoever rubbed it out
    return TextField(desk.key(field), text, put, desk.memory, wrong=wrong, quiet=quiet, tip=tip)


def _choice(desk: Desk, field: FormField, value: Any, mixed: bool, wrong: bool) -> Widget:
    none = {NONE: None} if field.optional else {}
    ways = {**none, **{word: word for word in field.choices}, **none}
    return _choose(desk, field, VARIOUS if mixed else NONE if value is None else str(value), ways, wrong)


def _facing(desk: Desk, field: FormField, value: Any, mixed: bool, wrong: bool) -> Widget:
    known = type(value) is int and 0 <= value < len(forms.DIRECTIONS)
    now = VARIOUS if mixed else forms.DIRECTIONS[value] if known else BY_RULES if value is None else str(value)
    ways = {BY_RULES: UNSET, **{word: number for number, word in enumerate(forms.DIRECTIONS)}}
    return _choose(desk, field, now, ways, wrong)


def _choose(desk: Desk, field: FormField, now: str, ways: Mapping[str, Any], wrong: bool) -> Widget:
    """One word out of several; `ways`: word -> value."""
    asked = lists.Question(
        field.label, list(ways), lambda word: desk.change(field.name, ways[word]),
        names=[word or NONE for word in ways], now=now, told=_offer(desk, field),
    )  # fmt: skip
    return lists.choice(desk.workspace, desk.key(field), asked, wrong=wrong)


# -- more than one thing ----------------------------------------------------------------------------------


def _list(desk: Desk, field: FormField, value: Any, mixed: bool, wrong: bool) -> Widget:
    """Everything in the list, each with the way out, and what may be added."""
    there = list(value) if isinstance(value, (list, tuple)) else []
    lines: list[Widget] = []
    for number, item in enumerate(map(str, there)):
        away = _away(partial(_without, desk, field, there, number), f"{field.name} {number} away", item)
        lines.append(row(Space(6), grown(Label(item[:1].upper() + item[1:], one_line=True)), away, gap=4))
    if not there:
        lines.append(Label("as the rules say" if value is None else NONE, colour="faint"))

    values = [desk.says.get(name) for name in field.out_of]  # what other fields hold may be chosen, too
    held = [str(item) for has in values for item in (has if isinstance(has, (list, tuple)) else [has]) if item]
    choices = [*field.choices, *dict.fromkeys(held)]
    return column(*lines, _add(desk, field, choices, lambda word: desk.change(field.name, [*there, word])), gap=2)


def _without(desk: Desk, field: FormField, there: list[Any], number: int) -> None:
    desk.change(field.name, there[:number] + there[number + 1 :])


def _figures(desk: Desk, field: FormField, value: Any, mixed: bool, wrong: bool) -> Widget:
    """Whole numbers with blanks between them."""
    key = desk.key(field)
    text = " ".join(map(str, value)) if isinstance(value, (list, tuple)) else ""
    typed = desk.memory.drafts.get(key, text)
    if typed.replace(",", " ").split() != text.split():
        typed = text

    def put(text: str) -> None:
        desk.memory.drafts[key] = text
        words = text.replace(",", " ").split()
        desk.change(field.name, [int(word) if word.lstrip("-").isdecimal() else word for word in words])

    quiet = VARIOUS if mixed else "figures, a blank between"
    return TextField(key, typed, put, desk.memory, wrong=wrong, quiet=quiet)


def _ranks(desk: Desk, field: FormField, value: Any, mixed: bool, wrong: bool) -> Widget:
    """Each name with its rank, and what may be added."""
    there = dict(value) if isinstance(value, dict) else {}
    lines: list[Widget] = []
    for name, word in there.items():

        def put(word: str, name: str = name) -> None:
            desk.change(field.name, {**there, name: word})

        asked = lists.Question(name, field.ranks, put, now=str(word))
        choice = grown(lists.choice(desk.workspace, f"{field.name} {name}", asked))
        others = {known: rank for known, rank in there.items() if known != name}
        away = _away(partial(desk.change, field.name, others), f"{field.name} {name} away", name)
        lines.append(row(Sized(Label(name, one_line=True), 100), choice, away, gap=4))
    first = field.ranks[min(1, len(field.ranks) - 1)] if field.ranks else ""
    choices = [name for name in field.choices if name not in there]
    add = _add(desk, field, choices, lambda name: desk.change(field.name, {**there, name: first}))
    return column(*lines, add, gap=3)


def _way(desk: Desk, field: FormField, value: Any, mixed: bool, wrong: bool) -> Widget:
    """A way over the map: what it is, and the button that draws it on the board."""
    workspace, chosen = desk.workspace, desk.workspace.editor.chosen()
    if not value and len(chosen) > 1:
        return Label("None; select one creature to draw one", colour="faint")
    if len(chosen) != 1:
        return _together()
    words = way_told(workspace.editor, chosen[0], field)
    begin = grown(Button(
        "Change on the board …" if words else "Draw on the board …",
        partial(workspace.draw_way, chosen[0].key, field),
        left=True, key=desk.key(field), quiet=not words,
        chosen=workspace.drawing is not None and workspace.drawing.field == field,
    ))  # fmt: skip
    if not words:
        return row(begin)
    away = _away(partial(desk.change, field.name, UNSET), f"{field.name} away", field.label.lower())
    return column(Label(words), row(begin, away, gap=4), gap=3)


def _objects(desk: Desk, field: FormField, value: Any, mixed: bool, wrong: bool) -> Widget:
    """Each entry by its name, opened in a form of its own."""
    there = [dict(each) if isinstance(each, dict) else {} for each in value or ()]

    def put(number: int, entry: Any) -> None:
        desk.change(field.name, [*there[:number], entry, *there[number + 1 :]])

    def more() -> None:
        desk.change(field.name, [*there, forms.blank(field.parts)])
        _open(desk, field, forms.blank(field.parts), partial(put, len(there)))

    lines: list[Widget] = []
    for number, entry in enumerate(there):
        name = _called(entry, field) or text("number {what}", number + 1)
        call = partial(_open, desk, field, entry, partial(put, number))
        edit = Button(name, call, left=True, key=f"{field.name} {number}")
        away = _away(partial(_without, desk, field, there, number), f"{field.name} {number} away", name)
        lines.append(row(grown(edit), away, gap=4))
    add = Button("Add …", more, key=desk.key(field), left=True, quiet=True)
    return column(*lines, add, gap=3)


def _object(desk: Desk, field: FormField, value: Any, mixed: bool, wrong: bool) -> Widget:
    """One entry, opened in a form of its own."""
    entry = dict(value) if isinstance(value, dict) else forms.blank(field.parts)
    label = (_called(entry, field) or "there is one") if value else "Add …"
    edit = grown(Button(label, partial(_open, desk, field, entry, desk.put(field)), left=True, key=desk.key(field)))
    if not value or not field.optional:
        return row(edit)
    return row(edit, _away(partial(desk.change, field.name, None), f"{field.name} away", label), gap=4)


def _called(entry: Mapping[str, Any], field: FormField) -> str:
    """What an entry goes by: its name, else its first word."""
    words = (entry.get(part.name) for part in field.parts if part.kind in ("word", "choice"))
    return str(entry.get("name") or next((word for word in words if word), ""))


def _open(desk: Desk, field: FormField, entry: Mapping[str, Any], put: Callable[[Any], None]) -> None:
    desk.workspace.app.push(SubForm(desk.workspace, field, entry, put))


def _offer(desk: Desk, field: FormField) -> lists.Told | None:
    """What is told of each choice: figures of gear and magic; nothing of plain words."""
    chosen = desk.workspace.editor.chosen()
    if field.group not in (forms.GEAR, forms.CRAFT) or not chosen:
        return None
    draft, entry = desk.workspace.editor.draft, chosen[0].entry
    if not any(offer_known(draft.ruleset, field, option) for option in field.choices):
        return None

    return lambda option: (
        offer_told(draft.ruleset, entry, draft.options, field, option),
        offer_prose(draft.ruleset, field, option),
    )


# -- small parts ------------------------------------------------------------------------------------------


def _add(desk: Desk, field: FormField, choices: list[str], more: Callable[[str], None]) -> Button:
    asked = lists.Question(field.label, choices, more, free=field.free, told=_offer(desk, field))
    return Button("Add …", partial(lists.pick, desk.workspace, asked), key=desk.key(field), left=True, quiet=True)


def _away(remove: Callable[[], None], key: str, what: str) -> Mark:
    return Mark("away", remove, key=key, tip=Tip(text("Take {what} away.", what)))


def _together() -> Widget:
    return Label(text("{various}; select one creature to change it", VARIOUS), colour="faint")


MAKERS: Mapping[str, Maker] = {
    "whole": _whole, "switch": _switch, "word": _word, "choice": _choice, "list": _list, "figures": _figures,
    "ranks": _ranks, "object": _object, "objects": _objects, "way": _way, "facing": _facing,
}  # fmt: skip
TALL = ("list", "ranks", "objects", "way")
"""Kinds whose label stands over them."""
SINGLE = (*TALL, "object")
"""Kinds that are changed of a single creature, where several differ."""


class SubForm(Panel):
    """Every change is put into the creature at once; what is wrong with it stands at the foot."""

    name = "sub form"
    width = 440.0

    def __init__(
        self, workspace: Workspace, field: FormField, entry: Mapping[str, Any], put: Callable[[Any], None]
    ) -> None:
        super().__init__(workspace.app)
        self.workspace, self.field, self.entry, self.put = workspace, field, dict(entry), put

    def content(self) -> Box:
        desk = Desk(
            workspace=self.workspace, memory=self.memory, change=self._change, says=self.entry,
            usual=lambda field: (field.low or 0, BY_RULES), prefix="part ",
        )  # fmt: skip
        lines: list[Widget] = []
        for field in self.field.parts:
            widget = MAKERS[field.kind](desk, field, self.entry.get(field.name, field.default), False, False)
            if field.kind in TALL:
                lines += [Label(field.label, tip=meaning(self.workspace, field)), widget]
            elif field.kind == "switch" and not field.optional:
                lines.append(widget)
            else:
                lines.append(labelled(field.label, widget, share=110, tip=meaning(self.workspace, field)))
        keys = self.workspace.editor.selection
        found = [p for p in self.workspace.editor.problems() if p.key in keys and p.field == self.field.name]
        return column(
            Label(self.field.label, "heading", "bright"),
            self.scrolled(column(*lines, gap=6), "parts", height=420),
            *(Label(each.beside, "small", "coral") for each in found[:1]),
            row(Space(grow=1), self.leave_button("Done", key="done", gold=True)),
            gap=10,
        )

    def _change(self, name: str, value: Any) -> None:
        if value is UNSET:
            self.entry.pop(name, None)
        else:
            self.entry[name] = value
        self.put(dict(self.entry))
        self.rebuild()


# -- the form


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
    names = {field.name for field in forms.fields(workspace.ruleset)} | {"id", "side", "controller", "at", "template"}
    for name in (name for name in faults if name and name not in names):
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
    blocks = [workspace.editor.block(piece) for piece in pieces] if len(pieces) == 1 else []
    inside = (in_few(field, block.get(field.name, field.default)) for block in blocks for field in fields)
    head = Fold(
        group, shown, partial(_turn, workspace, group), key=f"section {group}", wrong=wrong,
        told=joined(" · ", (word for word in inside if word)),
        changed=any(field.name in own for field in fields),
    )  # fmt: skip
    if not shown:
        return [head]
    parts = [head, *(_identity(workspace, pieces, faults) if group == forms.TOLD else [])]
    return parts + [_field(workspace, pieces, field, faults.get(field.name, "")) for field in fields]


def _turn(workspace: Workspace, group: str) -> None:
    workspace.unfolded ^= {group}
    workspace.rebuild()


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
    under = "a stat block of its own" if kinds == {""} else text("of the bestiary: {kinds}", next(iter(kinds)))
    if len(pieces) > 1:
        under = "changes go to all of them"
    words = [Label(name, "heading", "bright", one_line=True), Label(under, "small", "quiet", one_line=True)]
    top = row(Picture(likeness(mini.art, mini.side), 52), grown(column(*words, gap=0)), gap=10)
    deeds = (
        ("Duplicate", operations.double, workspace.app.keys.shown("setup_double")),
        ("To start", operations.zone, "Into the side's start zone (Ctrl+T)."),
        ("Remove", operations.remove, "Delete"),
        ("Picture", tokens.ask, "A picture of one's own as its token; a file may be dropped, too."),
        ("Keep", keeping.ask, "In your bestiary; several as a group (Ctrl+Shift+K)."),
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
    parts += _apart("Side", side, faults.get("side", ""))
    who, give = _common([editor.player(piece) for piece in pieces]), partial(_set, workspace, "controller")
    options = list(dict.fromkeys([*PLAYERS, who]))
    names = [PLAYERS.get(word, word) for word in options]
    asked = lists.Question("Played by", list(PLAYERS), give, names=list(PLAYERS.values()), now=who)
    pick = partial(lists.pick, workspace, asked)
    chosen = ChoiceField("field controller", who, options, give, pick, names=names)
    parts += _apart("Played by", chosen)
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
        parts += _apart("Id", identity, faults.get("id", ""), tip=Tip("What the record calls it."))
    templates = {str(piece.entry.get("template") or "") for piece in pieces}
    if templates != {""}:  # which entry somebody is; another one keeps what was changed
        known = {**bestiary.heroes(workspace.ruleset), **bestiary.monsters(workspace.ruleset)}
        names = [str(entry.get("name", name)) for name, entry in known.items()]
        now, put = _common(sorted(templates)), partial(_set, workspace, "template")
        asked = lists.Question("Bestiary", list(known), put, names=names, now=now)
        fault = faults.get("template", "")
        choice = lists.choice(workspace, "field template", asked, wrong=bool(fault))
        tip = Tip("The entry whose stat block holds where nothing is changed.")
        parts += _apart("Bestiary", choice, fault, tip=tip)
    return parts


def _apart(label: str, field: Widget, fault: str = "", *, tip: Tip | None = None) -> list[Widget]:
    """A field as wide as those with a way back beside them."""
    return _with_fault(labelled(label, row(grown(field), Space(24), gap=2), tip=tip), fault)


def _common(values: Sequence[str]) -> str:
    return values[0] if len(set(values)) == 1 else VARIOUS


# -- one field --------------------------------------------------------------------------------------------


def _field(workspace: Workspace, pieces: Sequence[Piece], field: FormField, fault: str) -> Widget:
    """A field with its fault under it, and the way back to what the template says."""
    editor = workspace.editor
    values = [editor.block(piece).get(field.name, field.default) for piece in pieces]
    mixed = any(value != values[0] for value in values)
    own = [piece for piece in pieces if field.name in piece.entry]
    changed, change = any(editor.base(piece) for piece in own), partial(_set, workspace)
    desk = Desk(
        workspace=workspace, memory=workspace.memory, change=change, says=editor.block(pieces[0]),
        usual=partial(_usual, workspace, pieces),
    )  # fmt: skip
    widget = _together()
    if not mixed or field.kind not in SINGLE:
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
    bars = (bar for bar in sheet.bars if bar.tone != "points" and bar.maximum)
    parts: list[Widget] = [Rule(), Label("What it comes to", "label!", "gold")]
    parts += [BarFigure(bar.label, bar.value, bar.maximum, bar.tone) for bar in bars]
    for line in sheet.lines:
        tip = Tip(line.rule) if line.rule else None
        detail = Label(line.detail, "text", "bright", tip=tip)
        parts.append(row(Sized(Label(line.text, "text", "quiet", tip=tip), 92), detail, gap=6, align="start"))
    return parts
