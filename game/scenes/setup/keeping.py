"""Creatures and groups of one's own: kept from the table, listed with the bestiary, put down again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pygame

from game.scenes.dialogs.panels import Panel, open_menu
from game.scenes.fight.panels.card import likeness
from game.scenes.setup import operations
from game.scenes.setup.workspace import Workspace
from game.setup import bestiary, check, forms
from game.storage import creatures, library
from game.storage.creatures import CreatureFile, GroupFile, Kept
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Space, Tip, Widget, column, row
from game.widgets.fields import TextField
from game.widgets.menu import Line, Tile
from rules.contract.text import joined, ntext, text

# -- keeping


def ask(workspace: Workspace) -> None:
    """Keep the selected: one as a creature of one's own, several as a group."""
    chosen = workspace.editor.chosen()
    if not chosen:
        workspace.toast("Select one creature to keep it in your bestiary, or several to keep them as a group.")
    else:
        workspace.app.push(Keep(workspace, group=len(chosen) > 1))


class Keep(Panel):
    """The name under which the selected are kept."""

    name = "keep"
    key_groups = ("general",)
    width = 480.0
    first = "typed"

    def __init__(self, workspace: Workspace, *, group: bool) -> None:
        super().__init__(workspace.app)
        self.workspace, self.group = workspace, group
        pieces = workspace.editor.chosen()
        self.query = check.name_of(workspace.editor.draft, pieces[0]) if not group else ""

    def content(self) -> Box:
        shelf = creatures.shelf(self.workspace.ruleset)
        known: Mapping[str, Kept] = shelf.groups if self.group else shelf.creatures
        taken = any(one.name == " ".join(self.query.split()) for one in known.values())
        title = "Keep them as a group" if self.group else "Keep it in your bestiary"
        told = (
            "They come again as they stand to each other." if self.group else "Its whole stat block, and its picture."
        )
        if taken:
            told = "There is one already called so: it will be replaced."
        line = TextField("typed", self.query, self.search, self.memory, on_enter=self.keep, most=creatures.MOST_NAME,
                         quiet="A name")  # fmt: skip
        go = Button("Replace" if taken else "Keep", self.keep, gold=True, hint="Enter", key="keep now",
                    enabled=bool(self.query.strip()))  # fmt: skip
        return column(Label(title, "heading", "bright"), line, Label(told, "small", "coral" if taken else "quiet"),
                      row(Space(grow=1), self.leave_button(key="back"), go, gap=10), gap=12)  # fmt: skip

    def keep(self) -> None:
        """Write it, and say where it stands now."""
        if self.query.strip() and self.app.guard(self._write):
            self.app.pop()
            where = "Groups" if self.group else "Your creatures"
            self.workspace.refresh(text("{name} is kept: in the bestiary, under {where}.", self.query.strip(), where))

    def _write(self) -> None:
        editor, ruleset = self.workspace.editor, self.workspace.ruleset
        pieces = editor.chosen()
        if self.group:
            creatures.keep_group(ruleset, [dict(piece.entry) for piece in pieces], self.query)
            return
        now = [field.name for field in forms.fields(ruleset) if field.group == forms.NOW]
        entry = creatures.bare(editor.block(pieces[0]), self.query, now)
        creatures.keep(ruleset, {**entry, "art": art_of(editor.block(pieces[0]))}, self.query)


def art_of(block: Mapping[str, Any]) -> str:
    """The picture of a stat block: its own, else its template's drawing."""
    return str(block.get("art") or block.get("template") or "")


# -- what is kept, with the bestiary


class Own(Tile):
    """Somebody of one's own, or a group: the right button says what can be done with them."""

    def __init__(
        self, workspace: Workspace, one: Kept, *, line: str, art: str, side: str, on_press: Callable[[], None]
    ) -> None:
        super().__init__(one.name, line, likeness(art, side), on_press, key=f"offer {one.id}", size=34, width=2000)
        self._menu = partial(menu, workspace, one)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 3:
            self._menu(event.pos)
            return True
        return super().handle(event)


def groups(workspace: Workspace) -> list[Widget]:
    """The groups that are kept and fit what is searched for, under their heading."""
    want = workspace.query.casefold().split()
    found = []
    for one in creatures.shelf(workspace.ruleset).groups.values():
        names = [bestiary.called(workspace.ruleset, entry) for entry in one.creatures]
        if all(word in " ".join((one.name, *names)).casefold() for word in want):
            found.append(_group(workspace, one))
    return [Label("Groups", "label!", "gold"), *found] if found else []


def _group(workspace: Workspace, one: GroupFile) -> Widget:
    first = one.creatures[0]
    block: Mapping[str, Any] = {**_template(workspace, first), **first}
    line = ntext(len(one.creatures), "{n} creature", "{n} creatures")
    side, call = str(first.get("side", "monsters")), partial(put, workspace, one)
    tile = Own(workspace, one, line=line, art=art_of(block), side=side, on_press=call)
    told = joined(", ", (bestiary.called(workspace.ruleset, entry) for entry in one.creatures[:12]))
    tile.tip = Tip(text("{who}. A click puts them down at the cursor.", told), one.name)
    return tile


def _template(workspace: Workspace, entry: Mapping[str, Any]) -> Mapping[str, Any]:
    return workspace.editor.base_of(str(entry["template"])) if entry.get("template") is not None else {}


def put(workspace: Workspace, one: GroupFile) -> None:
    """A group onto the table as it was kept, at the cursor or as near as there is room."""
    workspace.lay_brush_aside()
    workspace.editor.paste(workspace.cursor, [dict(entry) for entry in one.creatures])
    workspace.select(list(workspace.editor.selection), show=True)
    workspace.toast(text("{name} put down; drag them where they belong.", one.name))


def mine(workspace: Workspace, name: str) -> CreatureFile | None:
    """A creature of one's own, by id."""
    return creatures.shelf(workspace.ruleset).creatures.get(name)


def menu(workspace: Workspace, one: Kept, pos: tuple[int, int]) -> None:
    """What can be done with something that is kept."""
    first = partial(put, workspace, one) if isinstance(one, GroupFile) else partial(operations.take, workspace, one.id)
    label = "Put them down" if isinstance(one, GroupFile) else "Take into the hand"
    copied = text("{name} (copy)", one.name)
    open_menu(workspace.app, one.name, [
        Line(label, first, key="take"),
        Line("Rename", partial(_ask_name, workspace, one, one.name, again=False), key="rename"),
        Line("Duplicate", partial(_ask_name, workspace, one, copied, again=True), key="double"),
        None,
        Line("Delete", partial(delete, workspace, one), key="delete"),
    ], pos)  # fmt: skip


def _ask_name(workspace: Workspace, one: Kept, now: str, *, again: bool) -> None:
    workspace.app.push(Called(workspace, one, now, again=again))


class Called(Panel):
    """Another name for something that is kept, or one for its copy."""

    name = "called"
    key_groups = ("general",)
    width = 440.0
    first = "typed"

    def __init__(self, workspace: Workspace, one: Kept, now: str, *, again: bool) -> None:
        super().__init__(workspace.app)
        self.workspace, self.one, self.query, self.again = workspace, one, now, again

    def content(self) -> Box:
        line = TextField("typed", self.query, self.search, self.memory, on_enter=self._take, most=creatures.MOST_NAME)
        title = text("A copy of {name}", self.one.name) if self.again else text("Rename {name}", self.one.name)
        go = Button("Duplicate" if self.again else "Rename", self._take, gold=True, hint="Enter", key="name it")
        return column(Label(title, "heading", "bright"), line,
                      row(Space(grow=1), self.leave_button(key="back"), go, gap=10), gap=12)  # fmt: skip

    def _take(self) -> None:
        call = creatures.duplicate if self.again else creatures.rename
        if self.query.strip() and self.app.guard(lambda: call(self.one, self.query)):
            self.app.pop()
            self.workspace.refresh()


def delete(workspace: Workspace, one: Kept) -> None:
    """Into the bin; a button over the bestiary brings it back."""

    def call() -> None:
        workspace.binned.append((one.name, creatures.delete(one)))

    if workspace.brush == one.id:
        workspace.lay_brush_aside()
    if workspace.app.guard(call):
        workspace.refresh(text("{name} is deleted; the button in the bestiary brings it back.", one.name))


def back_again(workspace: Workspace) -> list[Widget]:
    """The way back of what was deleted last."""
    if not workspace.binned:
        return []
    name, _ = workspace.binned[-1]
    return [
        Button(text("Bring back {name}", name), partial(_restore, workspace), key="bring back", left=True, slim=True)
    ]


def _restore(workspace: Workspace) -> None:
    name, gone = workspace.binned.pop()
    if workspace.app.guard(lambda: library.restore(gone)):
        workspace.refresh(text("{name} is back.", name))


def broken(workspace: Workspace) -> list[Widget]:
    """Files that can't be read, each with the reason."""
    return [Label(line, "small", "coral") for line in creatures.shelf(workspace.ruleset).broken[:3]]
