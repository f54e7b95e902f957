"""The bestiary beside the board: search, drag onto the board, or take in hand; and the game master's dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pygame

from game.content import encounter
from game.content import tables as content
from game.content.encounter import HEROES
from game.fight.match import fresh_seed
from game.scenes.dialogs.panels import Panel
from game.scenes.fight.panels import hud, narrate
from game.scenes.setup import lists, operations, pointing
from game.scenes.setup.workspace import Drag, Workspace
from game.setup import bestiary, forms
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Space, Tip, Widget, column, row
from game.widgets.fields import ChoiceField, Mark, TextField
from game.widgets.menu import Tile
from rules.contract.errors import BattlematError
from rules.contract.text import joined, text
from rules.contract.tools import Answer, Creation, Tool
from rules.core.dice import Dice, seeded
from rules.core.registry import ruleset as ruleset_of

USUAL = "the usual side"


class Offered(Tile):
    """A creature of the bestiary: a click takes it into the hand, a drag carries it to the board."""

    def __init__(self, workspace: Workspace, template: str, entry: Mapping[str, Any], side: str) -> None:
        super().__init__(
            str(entry.get("name", template)),
            str(entry.get("kind", ""))
            + (text(" · weight {entry}", entry=entry["threat"]) if entry.get("threat") else ""),
            hud.likeness(str(entry.get("art", template)), side),
            partial(operations.take, workspace, template),
            chosen=workspace.brush == template,
            key=f"offer {template}",
            size=34,
            width=2000,
            tip=about(entry),
        )
        self.workspace, self.template = workspace, template
        self._start = (0, 0)

    def handle(self, event: pygame.event.Event) -> bool:
        dragging = self.workspace.gesture.drag is not Drag.NOTHING
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._start = event.pos
        elif event.type == pygame.MOUSEMOTION and self.held:
            moved = abs(event.pos[0] - self._start[0]) + abs(event.pos[1] - self._start[1])
            if dragging or moved > pointing.SLACK:
                pointing.carry(self.workspace, self.template, event.pos)
            return True
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1 and dragging:
            self.held = False
            pointing.put_carried(self.workspace, event.pos)
            return True
        return super().handle(event)


def about(entry: Mapping[str, Any]) -> Tip:
    """What a creature of the bestiary is and carries."""
    carried = (*entry.get("weapons", ()), entry.get("shield"), entry.get("armor"))
    gear = joined(", ", (str(part) for part in carried if part))
    parts = (str(entry.get("summary", "")), gear)
    return Tip("\n".join(part for part in parts if part), str(entry.get("name", "")))


def fitting(ruleset: str, query: str) -> list[tuple[str, bestiary.Entries]]:
    """The bestiary by headings, as far as it fits what is searched for: name, kind, what it tells or carries."""
    want = query.casefold().split()

    def fits(name: str, entry: Mapping[str, Any]) -> bool:
        told = (name, entry.get("name"), entry.get("kind"), entry.get("summary"), entry.get("temperament"))
        text = " ".join([*map(str, told), *map(str, entry.get("weapons", ()))]).casefold()
        return all(word in text for word in want)

    groups = (
        ("Your heroes", bestiary.own(ruleset)),
        ("Heroes", bestiary.heroes(ruleset)),
        ("Bestiary", bestiary.monsters(ruleset)),
    )
    return [(title, {n: e for n, e in entries.items() if fits(n, e)}) for title, entries in groups]


def panel(workspace: Workspace) -> Widget:
    """The bestiary as a panel of its own."""
    return column(*parts(workspace), gap=6, pad=10, plate="panel")


def parts(workspace: Workspace, *, short: bool = False) -> list[Widget]:
    """Search, the side to put down for, everybody there is, and a ready party; `short` ones save height."""
    quiet = "Search" if short else "Search the bestiary"
    search = TextField(
        "search", workspace.query, partial(_search, workspace), workspace.memory, quiet=quiet,
        on_enter=partial(_first, workspace), tip=Tip("Ctrl+F or /; Enter takes the first into the hand."),
    )  # fmt: skip
    sides = [USUAL, *dict.fromkeys((encounter.HEROES, encounter.MONSTERS, *workspace.editor.draft.sides()))]
    chosen = workspace.brush_side or USUAL
    side = ChoiceField(
        "brush side", chosen, sides, partial(_side, workspace),
        partial(lists.pick, workspace, "Put down for", sides, partial(_side, workspace), now=chosen),
        tip=Tip("The side that a new creature joins."),
    )  # fmt: skip
    side.grow = 1
    tiles: list[Widget] = []
    for title, entries in fitting(workspace.ruleset, workspace.query):
        if entries:
            tiles.append(Label(title, "label!", "gold"))
        for name, entry in entries.items():
            tiles.append(Offered(workspace, name, entry, operations.side_for(workspace, name)))
    if not tiles:
        near = forms.nearest(workspace.query, list(bestiary.monsters(workspace.ruleset)))
        tiles.append(
            Label(
                text("Nobody is called so. Did you mean {near}?", near=near[0]) if near else "Nobody is called so.",
                colour="quiet",
            )
        )
    if short:
        tiles = [*_at_once(workspace), *tiles]
    scroll = Scroll(column(*tiles, gap=4), key="bestiary")
    scroll.offset = workspace.offsets.get("bestiary", 0)
    scroll.on_scroll = partial(workspace.offsets.__setitem__, "bestiary")
    scroll.grow = 1
    search.grow = 1
    line = row(search, gap=2)
    if workspace.query:
        line.content.append(
            Mark("away", partial(_search, workspace, ""), key="clear search", tip=Tip("Everybody again."))
        )
    page = Button("Page", partial(_page, workspace), key="page", slim=True,
                  tip=Tip("The bestiary: what the creature in hand does, and its odds."))  # fmt: skip
    lines: list[Widget] = [line, row(Label("for", "small", "quiet"), side, page, gap=6)]
    if short:
        lines = [row(*line.content, side, page, gap=6)]
    return [*lines, scroll] if short else [*lines, scroll, *_at_once(workspace)]


def _at_once(workspace: Workspace) -> list[Widget]:
    """Whole sides with one press."""
    party = Tip("The heroes into their start zone; with nobody there yet, a ready party.")
    foes = Tip("Foes that fit the map, about as strong as the party, in their start zone.")
    buttons: list[Widget] = [
        Button("Party to the start", partial(operations.heroes, workspace), key="party", tip=party),
        Button("Draw foes for me", partial(operations.draw_foes, workspace), key="foes", tip=foes),
    ]
    if tools := ruleset_of(workspace.ruleset).tools:
        told = Tip(text("{tools}.", tools=joined(", ", (tool.label for tool in tools))))
        buttons.append(Button("At the table …", partial(_tools, workspace), key="tools", tip=told))
    return buttons


def _tools(workspace: Workspace) -> None:
    workspace.app.push(Tools(workspace))


def _page(workspace: Workspace) -> None:
    """The bestiary at the page of who is in the hand, with the party on the table."""
    pieces = workspace.editor.draft.pieces
    party = [str(p.entry.get("template")) for p in pieces if p.side == encounter.HEROES]
    workspace.app.navigator.bestiary(workspace.ruleset, chosen=workspace.brush, party=party)


def _search(workspace: Workspace, text: str) -> None:
    workspace.query = text
    workspace.offsets["bestiary"] = 0
    workspace.rebuild()


def _first(workspace: Workspace) -> None:
    """Enter in the search takes the first that fits."""
    for _, entries in fitting(workspace.ruleset, workspace.query):
        for name in entries:
            workspace.lay_brush_aside()
            operations.take(workspace, name)
            return


def _side(workspace: Workspace, side: str) -> None:
    workspace.brush_side = "" if side == USUAL else side
    workspace.rebuild()


class Tools(Panel):
    """Every tool with its ways to be asked; below, what came of the last."""

    name = "tools"
    key_groups = ("general",)
    width = 560.0

    def __init__(self, workspace: Workspace, seed: Callable[[], int] = fresh_seed) -> None:
        super().__init__(workspace.app)
        self.workspace, self.seed = workspace, seed
        self.ruleset = ruleset_of(workspace.ruleset)
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
            Button(
                text("Put down: {label}", label=made.label),
                partial(self._put, made),
                slim=True,
                gold=n == 0,
                key=f"put {n}",
            )
            for n, made in enumerate(self.answer.creatures)
        ]
        return [*lines, *([row(*puts, gap=6, wrap=True)] if puts else [])]

    def _use(self, tool: str, option: str) -> None:
        dice = Dice(seeded(self.seed()))
        self.fault, self.answer = "", None
        try:
            self.answer = self.ruleset.use_tool(tool, option, dice, content.tables(self.ruleset.id))
        except BattlematError as error:
            self.fault = str(error)
        self.rebuild()

    def _put(self, made: Creation) -> None:
        """On the table, near the cursor, for the heroes, and selected."""
        workspace = self.workspace
        entry = {**made.block, "side": HEROES, "controller": workspace.editor.player_of(HEROES), "at": [0, 0]}
        put = workspace.editor.paste(workspace.cursor, [entry])
        self.app.pop()
        workspace.select(list(workspace.editor.selection), show=True)
        name = made.block.get("name", "")
        workspace.toast(text("{name} stands on the table.", name=name) if put else "There is no room left on the map.")
        workspace.refresh()
