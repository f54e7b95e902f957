"""The game master's dice of a ruleset, over an encounter: thrown, told, and who was made up put down on the table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from game.content import tables as content
from game.content.encounter import HEROES
from game.fight import match as seeds
from game.scenes.dialogs.panels import Panel
from game.scenes.fight.panels import narrate
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Space, Widget, column, row
from rules.contract.errors import BattlematError
from rules.contract.tools import Answer, Creation, Tool
from rules.core import dice as rng
from rules.core.dice import Dice
from rules.core.registry import ruleset as ruleset_of

if TYPE_CHECKING:
    from game.scenes.setup.scene import Setup


class Tools(Panel):
    """Every tool with its ways to be asked; below, what came of the last."""

    name = "tools"
    key_groups = ("general",)
    width = 560.0

    def __init__(self, scene: Setup, seed: Callable[[], int] = seeds.fresh_seed) -> None:
        super().__init__(scene.app)
        self.scene, self.seed = scene, seed
        self.ruleset = ruleset_of(scene.ruleset)
        self.answer: Answer | None = None
        self.fault = ""

    def content(self) -> Box:
        parts: list[Widget] = [Label("At the table", "heading", "bright"), *self._answer()]
        for tool in self.ruleset.tools:
            words = column(Label(tool.label, "label!", "gold"), Label(tool.text, "small", "quiet"), gap=1)
            words.grow = 1
            if tool.options:
                parts += [words, row(*self._ways(tool), gap=6, wrap=True)]
            else:
                parts.append(row(words, *self._ways(tool), gap=6))
        foot = row(Space(grow=1), Button("Back", self.app.pop, hint=self.app.keys.shown("back"), key="back"))
        inner = Scroll(column(*parts, gap=7), key="tools")
        inner.grow = 1
        return column(inner, foot, gap=10)

    def _ways(self, tool: Tool) -> list[Widget]:
        if not tool.options:
            return [Button("Throw", partial(self._use, tool.name, ""), slim=True, key=f"use {tool.name}")]
        return [
            Button(label, partial(self._use, tool.name, word), slim=True, key=f"use {tool.name} {word}")
            for word, label in tool.options
        ]

    def _answer(self) -> list[Widget]:
        if self.fault:
            return [Label(self.fault, colour="coral")]
        if self.answer is None:
            return []
        lines: list[Widget] = [Label(self.answer.told, "label!", "bright")]
        lines += [Label(narrate.roll_line(thrown, self.ruleset)) for thrown in self.answer.rolls]
        puts: list[Widget] = [
            Button(f"Put down: {made.label}", partial(self._put, made), slim=True, gold=n == 0, key=f"put {n}")
            for n, made in enumerate(self.answer.creatures)
        ]
        return [*lines, *([row(*puts, gap=6, wrap=True)] if puts else [])]

    def _use(self, tool: str, option: str) -> None:
        dice = Dice(rng.seeded(self.seed()))
        self.fault, self.answer = "", None
        try:
            self.answer = self.ruleset.use_tool(tool, option, dice, content.tables(self.ruleset.id))
        except BattlematError as error:
            self.fault = str(error)
        self.rebuild()

    def _put(self, made: Creation) -> None:
        """On the table, near the cursor, for the heroes, and selected."""
        scene = self.scene
        entry = {**made.block, "side": HEROES, "controller": scene.editor.player_of(HEROES), "at": [0, 0]}
        put = scene.editor.paste(scene.cursor, [entry])
        self.app.pop()
        scene.select(list(scene.editor.selection), show=True)
        name = made.block.get("name", "")
        scene.toast(f"{name} stands on the table." if put else "There is no room left on the map.")
        scene.refresh()
