"""Other rules for the table: what cannot come along is said before, creature by creature."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from game.content.translation import starts
from game.scenes.dialogs.panels import Panel
from game.setup import otherrules
from game.setup.otherrules import Count, Loss
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Space, Widget, column, row
from rules.core.registry import ruleset as ruleset_of

if TYPE_CHECKING:
    from game.scenes.setup.scene import Setup


def change(scene: Setup, ruleset: str) -> None:
    """Put the table under other rules; where something would stay behind, ask first."""
    draft = scene.editor.draft
    if ruleset == draft.ruleset:
        return
    lost, options = otherrules.losses(draft, ruleset), otherrules.options_lost(draft, ruleset)
    count = otherrules.count(draft, ruleset)
    if lost or any(count) or (options and ruleset not in draft.elsewhere):
        scene.app.push(OtherRules(scene, ruleset, lost, options, count))
    else:
        _changed(scene, ruleset)


def _changed(scene: Setup, ruleset: str) -> None:
    editor = scene.editor
    scene.end_drawing()
    back = ruleset in editor.draft.elsewhere
    editor.change(otherrules.under(editor.draft, ruleset, editor.ground, starts(scene.loaded)), "other rules")
    scene.brush = None
    scene.refresh()
    title = ruleset_of(ruleset).title
    if back:
        scene.toast(f"Everybody is as they were last under {title}.")
    else:
        scene.toast(f"Everybody has a counterpart under {title}.")


class OtherRules(Panel):
    """What stays behind, and that it is remembered; then the change, or none."""

    name = "other rules"
    key_groups = ("general",)
    width = 560.0

    def __init__(self, scene: Setup, ruleset: str, lost: list[Loss], options: list[str], count: Count) -> None:
        super().__init__(scene.app)
        self.scene, self.ruleset, self.lost, self.options, self.count = scene, ruleset, lost, options, count

    def content(self) -> Box:
        now, there = ruleset_of(self.scene.ruleset).title, ruleset_of(self.ruleset).title
        lines: list[Widget] = []
        if self.count.stay:
            lines.append(_told("Who stays behind, so that it is as much of a match", self.count.stay))
        if self.count.joined:
            lines.append(_told("Who joins, so that it is as much of a match", self.count.joined))
        if self.lost or self.options:
            lines.append(Label("Nothing stands for this under the other rules:"))
        lines += [_creature(loss) for loss in self.lost]
        if self.options:
            lines.append(column(Label("Optional rules", "label!", "bright"), Label(", ".join(self.options)), gap=1))
        listing = Scroll(column(*lines, gap=8), key="losses")
        listing.grow = 1
        buttons = row(
            Space(grow=1),
            Button("Stay", self.app.pop, hint=self.app.keys.shown("back"), key="stay"),
            Button(f"Change to {there}", self._take, gold=True, key="change rules"),
            gap=8,
        )
        return column(
            Label(f"{there} in place of {now}", "heading", "bright"),
            listing,
            Label(f"It is remembered: back under {now}, everybody has it again.", "small", "quiet"),
            buttons,
            gap=10,
        )

    def _take(self) -> None:
        self.app.pop()
        self.app.guard(partial(_changed, self.scene, self.ruleset))


def _told(title: str, names: Sequence[str]) -> Widget:
    return column(Label(title, "label!", "bright"), Label(", ".join(names)), gap=1)


def _creature(loss: Loss) -> Widget:
    who = loss.name if loss.name == loss.becomes else f"{loss.name}, as {loss.becomes}"
    return column(Label(who, "label!", "bright"), Label(" · ".join(loss.left)), gap=1)
