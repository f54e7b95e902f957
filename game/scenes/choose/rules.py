"""The rules of a new fight: how it begins and what is known, beside its map; all optional rules in a panel."""

from __future__ import annotations

from functools import partial

from game.scenes.choose.choices import KNOWING, Choices, switches_named
from game.scenes.dialogs.panels import Panel
from game.widgets.controls import Button, Label, Toggle
from game.widgets.core import Box, Scroll, Space, Tip, Widget, column, row
from game.widgets.figures import Rule
from rules.contract.ruleset import Switch
from rules.core.registry import ruleset as ruleset_of

FIRST = "explore"
"""The switch by which a fight begins before anybody has noticed anybody."""
SHORT = {FIRST: "Explore", "fog": "Fog", "darkness": "Dark"}
"""What they are called where there is little room."""


def section(scene: Choices) -> list[Widget]:
    """How the fight begins and what is known in it; the way to all other optional rules."""
    switches = switches_named(scene.ruleset, (FIRST, *KNOWING))
    more = Button(
        "All rules" if scene.tight else "All optional rules …", partial(_open, scene), slim=True, key="rules",
        tip=Tip(f"What else {ruleset_of(scene.ruleset).title} leaves to the table."),
    )  # fmt: skip
    if scene.tight:
        small: list[Widget] = [
            Button(SHORT[each.name], partial(_turn, scene, each.name), chosen=scene.on(each), slim=True,
                   key=each.label, tip=_tip(scene, each), enabled=not _idle(scene, each))
            for each in switches
        ]  # fmt: skip
        return [row(*small, more, gap=4, wrap=True)]
    parts: list[Widget] = [Rule(), *(_toggle(scene, each) for each in switches)]
    return [column(*parts, row(Space(grow=1), more), gap=2)]


def _toggle(scene: Choices, switch: Switch) -> Toggle:
    toggle = Toggle(
        switch.label,
        scene.on(switch),
        lambda value: scene.set_option(switch.name, value),
        tip=_tip(scene, switch),
        flush=True,
    )
    toggle.enabled = not _idle(scene, switch)
    return toggle


def _turn(scene: Choices, name: str) -> None:
    (switch,) = switches_named(scene.ruleset, (name,))
    scene.set_option(name, not scene.on(switch))


def _idle(scene: Choices, switch: Switch) -> bool:
    """Whether a switch changes nothing on the map that is chosen."""
    return switch.name == "darkness" and not scene.dark


def _tip(scene: Choices, switch: Switch) -> Tip:
    return Tip("This map is lit: darkness changes nothing on it." if _idle(scene, switch) else switch.text)


def _open(scene: Choices) -> None:
    scene.app.push(RulesPanel(scene))


class RulesPanel(Panel):
    """Every optional rule of the ruleset, with what it changes."""

    name = "fight rules"
    key_groups = ("general",)
    width = 520.0

    def __init__(self, scene: Choices) -> None:
        super().__init__(scene.app)
        self.scene = scene
        self._offset = 0

    def content(self) -> Box:
        lines: list[Widget] = []
        for switch in ruleset_of(self.scene.ruleset).switches:
            toggle = Toggle(switch.label, self.scene.on(switch), partial(self._set, switch.name), flush=True)
            toggle.enabled = not _idle(self.scene, switch)
            text = _tip(self.scene, switch).text
            lines.append(column(toggle, Label(text, "small", "quiet"), gap=2))
        listing = Scroll(column(*lines, gap=6), key="rules", height=430)
        listing.offset = self._offset
        listing.on_scroll = partial(setattr, self, "_offset")
        listing.grow = 1
        done = Button("Done", self.app.pop, gold=True, hint=self.app.keys.shown("back"), key="done")
        title = Label(f"Optional rules of {ruleset_of(self.scene.ruleset).title}", "heading", "bright")
        return column(title, listing, row(Space(grow=1), done), gap=10)

    def _set(self, name: str, value: bool) -> None:
        self.scene.options[name] = value
        self.rebuild()
