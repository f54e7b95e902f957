"""A form within a form: one entry of a creature's, such as an attack, over the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from game.scenes.dialogs.panels import Panel
from game.scenes.setup import form
from game.scenes.setup.fieldmakers import BY_RULES, MAKERS, TALL, Desk, meaning
from game.setup.draft import UNSET
from game.setup.forms import FormField
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Space, Widget, column, row
from game.widgets.fields import Memory

if TYPE_CHECKING:
    from game.scenes.setup.scene import Setup


class SubForm(Panel):
    """Every change is put into the creature at once; what is wrong with it stands at the foot."""

    name = "sub form"
    width = 440.0

    def __init__(self, scene: Setup, field: FormField, entry: Mapping[str, Any], put: Callable[[Any], None]) -> None:
        super().__init__(scene.app)
        self.scene, self.field, self.entry, self.put = scene, field, dict(entry), put
        self.memory = Memory()
        self._offset = 0

    def content(self) -> Box:
        desk = Desk(self.scene, self.memory, self._change, self.entry, lambda f: (f.low or 0, BY_RULES), "part ")
        lines: list[Widget] = []
        for field in self.field.parts:
            widget = MAKERS[field.kind](desk, field, self.entry.get(field.name, field.default), False, False)
            if field.kind in TALL:
                lines += [Label(field.label, tip=meaning(self.scene, field)), widget]
            elif field.kind == "switch" and not field.optional:
                lines.append(widget)
            else:
                lines.append(form.labelled(field.label, widget, share=110, tip=meaning(self.scene, field)))
        listing = Scroll(column(*lines, gap=6), key="parts", height=420)
        listing.offset = self._offset
        listing.on_scroll = partial(setattr, self, "_offset")
        listing.grow = 1
        back = row(
            Space(grow=1),
            Button("Done", self.app.pop, gold=True, hint=self.app.keys.shown("back"), key="done"),
        )
        return column(Label(self.field.label, "heading", "bright"), listing, *self._wrong(), back, gap=10)

    def _wrong(self) -> list[Widget]:
        keys = self.scene.editor.selection
        found = [p for p in self.scene.editor.problems() if p.key in keys and p.field == self.field.name]
        return [Label(found[0].beside, "small", "coral")] if found else []

    def _change(self, name: str, value: Any) -> None:
        if value is UNSET:
            self.entry.pop(name, None)
        else:
            self.entry[name] = value
        self.put(dict(self.entry))
        self.rebuild()
