"""The widgets of a form's fields, one maker for each kind that game/setup/forms.py knows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from game.scenes import hud
from game.scenes.setup import dialogs
from game.setup import trial
from game.setup.draft import UNSET, Piece
from game.setup.forms import FormField
from game.widgets.controls import Button, Label, Toggle
from game.widgets.core import Sized, Space, Tip, Widget, column, row
from game.widgets.fields import VARIOUS, ChoiceField, Mark, NumberField, TextField
from rules.registry import ruleset as ruleset_of

if TYPE_CHECKING:
    from game.scenes.setup.scene import Setup

NONE = "none"
BY_RULES = "by the rules"


def meaning(scene: Setup, field: FormField) -> Tip | None:
    """The rules' own word on a field, where they have one."""
    return hud.term_tip(ruleset_of(scene.ruleset), field.label.lower()) or hud.term_tip(
        ruleset_of(scene.ruleset), field.name
    )


def change(scene: Setup, name: str, value: Any) -> None:
    scene.editor.set_field(name, value)
    scene.refresh()


def _whole(
    scene: Setup, pieces: Sequence[Piece], field: FormField, value: Any, mixed: bool, wrong: bool
) -> Widget:
    number = value if type(value) is int else None
    shown = VARIOUS if mixed else "" if value is None or number is not None else str(value)
    start, quiet = _usual(scene, pieces[0], field)
    if len(pieces) > 1 and quiet != BY_RULES:
        quiet = "all"  # each has a most of its own
    most = start if quiet != BY_RULES else field.high
    right = f"{field.right[:1].upper()}{field.right[1:]}." + (
        " Empty: as the rules say." if field.optional else ""
    )

    def put(number: int | None) -> None:
        change(scene, field.name, UNSET if number is None and field.optional else number)

    return NumberField(
        f"field {field.name}", number, put,
        scene.memory, start=start, low=field.low, high=most, optional=field.optional, shown=shown, wrong=wrong,
        quiet=quiet, tip=Tip(right),
    )  # fmt: skip


def _usual(scene: Setup, piece: Piece, field: FormField) -> tuple[int, str]:
    """What an empty figure comes to: a pool's most, else the least that may be."""
    sheet = trial.tried(scene.ruleset, piece.entry, scene.editor.draft.options).sheet
    for bar in sheet.bars if sheet is not None else ():
        if bar.tone == "health" and field.name == "hp":
            return bar.maximum, f"{bar.maximum} (all)"
        if bar.tone == field.name:
            return bar.maximum, f"{bar.maximum} (all)"
    return field.low or 0, BY_RULES


def _switch(
    scene: Setup, pieces: Sequence[Piece], field: FormField, value: Any, mixed: bool, wrong: bool
) -> Widget:
    label = field.label + (f" ({VARIOUS})" if mixed else "")
    toggle = Toggle(label, bool(value), lambda v: change(scene, field.name, v), tip=meaning(scene, field))
    toggle.key = f"field {field.name}"
    return toggle


def _word(
    scene: Setup, pieces: Sequence[Piece], field: FormField, value: Any, mixed: bool, wrong: bool
) -> Widget:
    def put(text: str) -> None:
        change(scene, field.name, UNSET if not text and field.optional else text)

    text = "" if value is None else str(value)
    return TextField(
        f"field {field.name}",
        text,
        put,
        scene.memory,
        wrong=wrong,
        quiet=VARIOUS if mixed else "",
        tip=Tip(text) if text else None,
    )


def _choice(
    scene: Setup, pieces: Sequence[Piece], field: FormField, value: Any, mixed: bool, wrong: bool
) -> Widget:
    options = [NONE, *field.choices] if field.optional else list(field.choices)

    def put(word: str) -> None:
        change(scene, field.name, None if word == NONE and field.optional else word)

    shown = VARIOUS if mixed else NONE if value is None else str(value)
    return ChoiceField(
        f"field {field.name}",
        shown,
        options,
        put,
        partial(dialogs.pick, scene, field.label, options, put, now=shown),
        wrong=wrong,
    )


def _list(
    scene: Setup, pieces: Sequence[Piece], field: FormField, value: Any, mixed: bool, wrong: bool
) -> Widget:
    """Everything in the list, each with the way out, and what may be added."""
    if mixed:
        return _together(scene, field)
    there = list(value) if isinstance(value, (list, tuple)) else []
    choices = list(field.choices) or _out_of(scene, pieces[0], field)

    def without(number: int) -> None:
        change(scene, field.name, there[:number] + there[number + 1 :])

    def more(word: str) -> None:
        change(scene, field.name, [*there, word])

    lines: list[Widget] = [
        _line(str(item), partial(without, number), f"{field.name} {number}")
        for number, item in enumerate(there)
    ]
    if not there:
        lines.append(Label("as the rules say" if value is None else NONE, colour="faint"))
    key = f"field {field.name}"
    lines.append(
        Button(
            "Add …", partial(dialogs.pick, scene, field.label, choices, more), key=key, left=True, quiet=True
        )
    )
    return column(*lines, gap=2)


def _out_of(scene: Setup, piece: Piece, field: FormField) -> list[str]:
    """What may be chosen out of what other fields of the creature hold."""
    block = scene.editor.block(piece)
    found: list[str] = []
    for name in field.out_of:
        value = block.get(name)
        found += [str(item) for item in (value if isinstance(value, (list, tuple)) else [value]) if item]
    return list(dict.fromkeys(found))


def _ranks(
    scene: Setup, pieces: Sequence[Piece], field: FormField, value: Any, mixed: bool, wrong: bool
) -> Widget:
    """Each name with its rank, and what may be added."""
    if mixed:
        return _together(scene, field)
    there = dict(value) if isinstance(value, dict) else {}

    def rank(name: str, word: str) -> None:
        change(scene, field.name, {**there, name: word})

    def without(name: str) -> None:
        change(scene, field.name, {k: v for k, v in there.items() if k != name})

    def more(name: str) -> None:
        first = field.ranks[1] if len(field.ranks) > 1 else (field.ranks[0] if field.ranks else "")
        change(scene, field.name, {**there, name: first})

    lines: list[Widget] = []
    for name, word in there.items():
        put = partial(rank, name)
        choice = ChoiceField(
            f"{field.name} {name}",
            str(word),
            field.ranks,
            put,
            partial(dialogs.pick, scene, name, list(field.ranks), put, now=str(word)),
        )
        choice.grow = 1
        away = _away(partial(without, name), f"{field.name} {name} away", name)
        lines.append(row(Sized(Label(name, one_line=True), 100), choice, away, gap=4))
    choices = [name for name in field.choices if name not in there]
    lines.append(
        Button(
            "Add …",
            partial(dialogs.pick, scene, field.label, choices, more),
            key=f"field {field.name}",
            left=True,
            quiet=True,
        )
    )
    return column(*lines, gap=3)


def _line(text: str, remove: Callable[[], None], key: str) -> Widget:
    words = Label(text[:1].upper() + text[1:], one_line=True)
    words.grow = 1
    return row(Space(6), words, _away(remove, f"{key} away", text), gap=4)


def _away(remove: Callable[[], None], key: str, what: str) -> Mark:
    return Mark("away", remove, key=key, tip=Tip(f"Take {what} away."))


def _together(scene: Setup, field: FormField) -> Widget:
    return Label(f"{VARIOUS}; select one creature to change it", colour="faint")


MAKERS = {
    "whole": _whole,
    "switch": _switch,
    "word": _word,
    "choice": _choice,
    "list": _list,
    "ranks": _ranks,
}
