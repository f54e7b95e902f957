"""Panels beside the board: bestiary and the game master's dice at the left; the selected or the whole at the right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, assert_never

import pygame

from game.content import encounter
from game.content import tables as content
from game.content.translation import starts
from game.fight.match import fresh_seed
from game.scenes.choose.scene import about
from game.scenes.dialogs.panels import Panel
from game.scenes.dialogs.seats import Played, SeatsPanel
from game.scenes.fight.panels import narrate
from game.scenes.fight.panels.card import likeness
from game.scenes.setup import foes as foe_dialog
from game.scenes.setup import form, keeping, lists, operations, waves
from game.scenes.setup.commands import SLACK, carry, put_carried
from game.scenes.setup.workspace import Drag, Tab, Workspace
from game.setup import bestiary, forms, otherrules
from game.setup import draft as drafts
from game.setup.draft import SeatTable, seats_from
from game.setup.editor import PLAYERS
from game.setup.otherrules import Count, Loss
from game.widgets.controls import Button, Label, Toggle
from game.widgets.core import Box, Scroll, Space, Tip, Widget, column, grown, row
from game.widgets.fields import NumberField, TextField
from game.widgets.figures import Picture, Rule
from game.widgets.menu import Tile
from rules.board.fixtures import door_states
from rules.contract.errors import BattlematError, said
from rules.contract.ruleset import Answer, Creation, Switch
from rules.contract.text import joined, text
from rules.core.dice import Dice, seeded
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of

USUAL = "the usual side"
MOST_SEED = 999_999_999


class Offered(Tile):
    """A creature of the bestiary: a click takes it into the hand, a drag carries it to the board."""

    def __init__(self, workspace: Workspace, template: str, entry: Mapping[str, Any], side: str) -> None:
        super().__init__(
            str(entry.get("name", template)),
            str(entry.get("kind", "")) + (text(" · weight {entry}", entry["threat"]) if entry.get("threat") else ""),
            likeness(str(entry.get("art", template)), side), partial(operations.take, workspace, template),
            chosen=workspace.brush == template, key=f"offer {template}", size=34, width=2000, tip=about(entry),
        )  # fmt: skip
        self.workspace, self.template = workspace, template
        self._start = (0, 0)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 3:
            one = keeping.mine(self.workspace, self.template)
            if one is not None:
                keeping.menu(self.workspace, one, event.pos)
                return True
        dragging = self.workspace.gesture.drag is not Drag.NOTHING
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._start = event.pos
        elif event.type == pygame.MOUSEMOTION and self.held:
            moved = abs(event.pos[0] - self._start[0]) + abs(event.pos[1] - self._start[1])
            if dragging or moved > SLACK:
                carry(self.workspace, self.template, event.pos)
            return True
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1 and dragging:
            self.held = False
            put_carried(self.workspace, event.pos)
            return True
        return super().handle(event)


def fitting(ruleset: str, query: str) -> list[tuple[str, bestiary.Entries]]:
    """The bestiary by headings, as far as it fits what is searched for: name, kind, what it tells or carries."""
    want = query.casefold().split()

    def fits(name: str, entry: Mapping[str, Any]) -> bool:
        told = (name, entry.get("name"), entry.get("kind"), entry.get("summary"), entry.get("temperament"))
        text = " ".join([*map(str, told), *map(str, entry.get("weapons", ()))]).casefold()
        return all(word in text for word in want)

    known = {"Your heroes": bestiary.own, "Your creatures": bestiary.creatures, "Heroes": bestiary.heroes,
             "Bestiary": bestiary.monsters}  # fmt: skip
    return [(title, {n: e for n, e in of(ruleset).items() if fits(n, e)}) for title, of in known.items()]


def bestiary_parts(workspace: Workspace, *, short: bool = False) -> list[Widget]:
    """Search, the side to put down for, everybody there is, and a ready party; `short` ones save height."""
    quiet = "Search" if short else "Search the bestiary"
    tip = Tip("Ctrl+F or /; Enter takes the first into the hand.")
    line = workspace.search_line("bestiary", quiet, partial(_first, workspace), tip)
    sides = [USUAL, *dict.fromkeys((encounter.HEROES, encounter.MONSTERS, *workspace.editor.draft.sides()))]
    asked = lists.Question("Put down for", sides, partial(_brush_side, workspace), now=workspace.brush_side or USUAL)
    side = grown(lists.choice(workspace, "brush side", asked, tip=Tip("The side that a new creature joins.")))
    tiles: list[Widget] = []
    for title, entries in fitting(workspace.ruleset, workspace.query):
        if entries:
            tiles.append(Label(title, "label!", "gold"))
        for name, entry in entries.items():
            tiles.append(Offered(workspace, name, entry, operations.side_for(workspace, name)))
        if title == "Your creatures":
            tiles += [*keeping.groups(workspace), *keeping.back_again(workspace), *keeping.broken(workspace)]
    if not tiles:
        near = forms.nearest(workspace.query, list(bestiary.monsters(workspace.ruleset)))
        nobody = text("Nobody is called so. Did you mean {near}?", near[0]) if near else "Nobody is called so."
        tiles.append(Label(nobody, colour="quiet"))
    page = Button("Page", partial(_page, workspace), key="page", slim=True,
                  tip=Tip("The bestiary: what the creature in hand does, and its odds."))  # fmt: skip
    if short:
        scroll = workspace.scrolled(column(*_at_once(workspace), *tiles, gap=4), "bestiary")
        return [row(*line, side, page, gap=6), scroll]
    scroll = workspace.scrolled(column(*tiles, gap=4), "bestiary")
    return [row(*line, gap=2), row(Label("for", "small", "quiet"), side, page, gap=6), scroll, *_at_once(workspace)]


def _at_once(workspace: Workspace) -> list[Widget]:
    """Whole sides with one press."""
    party = Tip("The heroes into their start zone; with nobody there yet, a ready party.")
    foes = Tip("Foes that fit the map, about as strong as the party, in their start zone.")
    chance = Tip("Foes around those who stay, to a chance to win, verified by forecasts (Ctrl+Shift+F).")
    buttons: list[Widget] = [
        Button("Party to the start", partial(operations.heroes, workspace), key="party", tip=party),
        Button("Draw foes for me", partial(operations.draw_foes, workspace), key="foes", tip=foes),
        Button("To a chance …", partial(foe_dialog.ask, workspace), key="foes to a chance", tip=chance),
    ]
    if tools := ruleset_of(workspace.ruleset).tools:
        told = Tip(text("{tools}.", joined(", ", (tool.label for tool in tools))))
        buttons.append(Button("At the table …", lambda: workspace.app.push(Tools(workspace)), key="tools", tip=told))
    return buttons


def _page(workspace: Workspace) -> None:
    """The bestiary at the page of who is in the hand, with the party on the table."""
    pieces = workspace.editor.draft.pieces
    party = [str(p.entry.get("template")) for p in pieces if p.side == encounter.HEROES]
    workspace.app.navigator.bestiary(workspace.ruleset, chosen=workspace.brush, party=party)


def _first(workspace: Workspace) -> None:
    """Enter in the search takes the first that fits."""
    if names := [name for _, entries in fitting(workspace.ruleset, workspace.query) for name in entries]:
        workspace.lay_brush_aside()
        operations.take(workspace, names[0])


def _brush_side(workspace: Workspace, side: str) -> None:
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
            words = grown(column(Label(tool.label, "label!", "gold"), Label(tool.text, "small", "quiet"), gap=1))
            ways = [
                Button(label, partial(self._use, tool.name, word), slim=True, key=f"use {tool.name} {word}".rstrip())
                for word, label in tool.options or [("", "Throw")]
            ]
            parts += [words, row(*ways, gap=6, wrap=True)] if tool.options else [row(words, *ways, gap=6)]
        foot = row(Space(grow=1), self.leave_button(key="back"))
        return column(grown(Scroll(column(*parts, gap=7), key="tools")), foot, gap=10)

    def _answer(self) -> list[Widget]:
        if self.fault:
            return [Label(self.fault, colour="coral")]
        if self.answer is None:
            return []
        lines: list[Widget] = [Label(self.answer.told, "label!", "bright")]
        lines += [Label(narrate.roll_line(thrown, self.ruleset)) for thrown in self.answer.rolls]
        puts: list[Widget] = [
            Button(text("Put down: {label}", made.label), partial(self._put, made), slim=True, gold=n == 0,
                   key=f"put {n}")
            for n, made in enumerate(self.answer.creatures)
        ]  # fmt: skip
        return [*lines, *([row(*puts, gap=6, wrap=True)] if puts else [])]

    def _use(self, tool: str, option: str) -> None:
        dice = Dice(seeded(self.seed()))
        self.fault, self.answer = "", None
        try:
            self.answer = self.ruleset.use_tool(tool, option, dice, content.tables(self.ruleset.id))
        except BattlematError as error:
            self.fault = said(error)
        self.rebuild()

    def _put(self, made: Creation) -> None:
        """On the table, near the cursor, for the heroes, and selected."""
        workspace, side, name = self.workspace, encounter.HEROES, made.block.get("name", "")
        entry = {**made.block, "side": side, "controller": workspace.editor.player_of(side), "at": [0, 0]}
        put = workspace.editor.paste(workspace.cursor, [entry])
        self.app.pop()
        workspace.select(list(workspace.editor.selection), show=True)
        workspace.refresh(text("{name} stands on the table.", name) if put else "There is no room left on the map.")


# -- seats


def _open(workspace: Workspace) -> None:
    """Seat the table as the draft has it, controllers included that templates give."""
    editor, document = workspace.editor, drafts.document(workspace.editor.draft)
    document["creatures"] = [{**piece.entry, "controller": editor.player(piece)} for piece in editor.draft.pieces]
    creatures = [
        Played(piece.id, str(editor.block(piece).get("name", piece.id)), piece.side,
               likeness(str(editor.block(piece).get("art", piece.id)), piece.side))
        for piece in editor.draft.pieces
    ]  # fmt: skip

    def take(changed: SeatTable) -> None:
        workspace.editor.change(drafts.seated(workspace.editor.draft, changed), "seats", merge="seats")
        workspace.refresh()

    workspace.app.push(SeatsPanel(workspace.app, seats_from(document), creatures, take))


# -- other rules


def change_rules(workspace: Workspace, ruleset: str) -> None:
    """Put the table under other rules; where something would stay behind, ask first."""
    draft = workspace.editor.draft
    if ruleset == draft.ruleset:
        return
    lost, options = otherrules.losses(draft, ruleset), otherrules.options_lost(draft, ruleset)
    count = otherrules.count(draft, ruleset)
    if lost or any(count) or (options and ruleset not in draft.elsewhere):
        workspace.app.push(OtherRules(workspace, ruleset, lost, options, count))
    else:
        _changed(workspace, ruleset)


def _changed(workspace: Workspace, ruleset: str) -> None:
    editor = workspace.editor
    workspace.end_drawing()
    back = ruleset in editor.draft.elsewhere
    editor.change(otherrules.under(editor.draft, ruleset, editor.ground, starts(workspace.loaded)), "other rules")
    workspace.lay_brush_aside()
    told = "Everybody is as they were last under {title}." if back else "Everybody has a counterpart under {title}."
    workspace.refresh(text(told, title=ruleset_of(ruleset).title))


class OtherRules(Panel):
    """What stays behind, and that it is remembered; then the change, or none."""

    name = "other rules"
    key_groups = ("general",)
    width = 560.0

    def __init__(self, workspace: Workspace, ruleset: str, lost: list[Loss], options: list[str], count: Count) -> None:
        super().__init__(workspace.app)
        self.workspace, self.ruleset, self.lost, self.options, self.count = workspace, ruleset, lost, options, count

    def content(self) -> Box:
        now, there = ruleset_of(self.workspace.ruleset).title, ruleset_of(self.ruleset).title
        stay, more = "Who stays behind, so that it is as much of a match", "Who joins, so that it is as much of a match"
        found = {stay: self.count.stay, more: self.count.joined}
        lines = [_told(title, joined(", ", names)) for title, names in found.items() if names]
        if self.lost or self.options:
            lines.append(Label("Nothing stands for this under the other rules:"))
        for loss in self.lost:
            who = loss.name if loss.name == loss.becomes else text("{name}, as {becomes}", loss.name, loss.becomes)
            lines.append(_told(who, joined(" · ", loss.left)))
        if self.options:
            lines.append(_told("Optional rules", joined(", ", self.options)))
        take = self.then(partial(self.app.guard, partial(_changed, self.workspace, self.ruleset)))
        change = Button(text("Change to {there}", there), take, gold=True, key="change rules")
        return column(
            Label(text("{there} in place of {now}", there, now), "heading", "bright"),
            grown(Scroll(column(*lines, gap=8), key="losses")),
            Label(text("It is remembered: back under {now}, everybody has it again.", now), "small", "quiet"),
            row(Space(grow=1), self.leave_button("Stay", key="stay"), change, gap=8),
            gap=10,
        )


def _told(title: str, words: str) -> Widget:
    return column(Label(title, "label!", "bright"), Label(words), gap=1)


# -- the panel


def form_panel(workspace: Workspace) -> Widget:
    """Tabs over what they show; in a narrow window the bestiary is one of them."""
    one, shown = workspace.narrow, _shown(workspace)
    count = len(workspace.editor.selection)
    names = {Tab.BESTIARY: "Bestiary"} if one else {}
    names[Tab.CREATURE] = "Creature" if count < 2 else text("{count} creatures", count)
    names[Tab.ENCOUNTER] = "Whole" if one else "Encounter"
    tabs = (
        grown(Button(label, partial(_turn, workspace, tab), chosen=tab is shown, key=f"tab {tab}"))
        for tab, label in names.items()
    )
    head = row(*tabs, gap=6)
    match shown:
        case Tab.BESTIARY:
            return column(head, *bestiary_parts(workspace, short=workspace.short), gap=6, pad=10, plate="panel")
        case Tab.CREATURE:
            content, place = form.creature(workspace), f"{shown} {workspace.editor.selection}"
        case Tab.ENCOUNTER:
            content, place = whole(workspace), shown
        case _:
            assert_never(shown)
    return column(head, workspace.scrolled(content, key=f"scroll {shown}", at=place), gap=8, pad=10, plate="panel")


def _shown(workspace: Workspace) -> Literal[Tab.BESTIARY, Tab.CREATURE, Tab.ENCOUNTER]:
    """The tab that is open: the one chosen by hand, else as the selection decides."""
    if workspace.tab is Tab.CREATURE or (workspace.tab is Tab.BY_SELECTION and workspace.editor.selection):
        return Tab.CREATURE
    return Tab.BESTIARY if workspace.narrow and workspace.tab is not Tab.ENCOUNTER else Tab.ENCOUNTER


def _turn(workspace: Workspace, tab: Tab) -> None:
    workspace.tab = tab
    workspace.rebuild()


def whole(workspace: Workspace) -> Widget:
    """Title, seed, sides, optional rules and doors."""
    editor, draft = workspace.editor, workspace.editor.draft
    title = TextField(
        "title", draft.title, partial(_set, workspace, "title"), workspace.memory, quiet="Untitled encounter", most=80
    )
    seed = grown(NumberField("seed", draft.seed, partial(_seed, workspace), workspace.memory, low=0, high=MOST_SEED,
                             tip=Tip("The same seed and the same choices give the same dice.")))  # fmt: skip
    draw = Button("New", lambda: _seed(workspace, fresh_seed()), quiet=True, key="new seed", tip=Tip("Another seed."))
    parts: list[Widget] = [
        form.labelled("Title", title), form.labelled("Seed", row(seed, draw, gap=4)), Rule(),
        Label("Sides", "label!", "gold"),
    ]  # fmt: skip
    for number, side in enumerate(draft.sides()):
        parts += _side(workspace, side, number)
    if draft.sides():
        count = len(draft.more.get(drafts.SEATS, ()))
        label = text("{n} seats", count) if count > 1 else "Seats, clock and real dice"
        tip = Tip("Up to six people at one screen, and who plays whom.")
        parts.append(Button(label, partial(_open, workspace), key="seats", tip=tip))
    else:
        parts.append(Label("Nobody is on the table yet.", colour="quiet"))
    parts += _rules(workspace)
    parts += waves.section(workspace)
    doors = [each for each in enumerate(editor.ground.doors) if workspace.camera.shows(each[1].cell)]
    if doors:
        parts += [Rule(), Label("Doors at the start", "label!", "gold")]
        for number, door in doors:
            put = partial(operations.set_door, workspace, number)
            asked = lists.Question(door.id, list(door_states(door.kind)), put, now=door.state)
            choice = lists.choice(workspace, text("door {id}", door.id), asked)
            parts.append(form.labelled(door.id, choice, share=150))
    return column(*parts, gap=7)


def _side(workspace: Workspace, side: str, number: int) -> list[Widget]:
    editor = workspace.editor
    pieces = [piece for piece in editor.draft.pieces if piece.side == side]
    players = {editor.player(piece) for piece in pieces}
    name = grown(TextField(
        f"side {number}", side, partial(_rename, workspace, side), workspace.memory, most=40, wrong=not side,
        tip=Tip("The side's name; a name that another side has joins the two."),
    ))  # fmt: skip
    ring = Picture(likeness("unknown_hero" if side == encounter.HEROES else "unknown_monster", side), 30)
    keys = [piece.key for piece in pieces]
    buttons = (
        Button(
            word.capitalize(), partial(_play, workspace, keys, player), chosen=players == {player},
            key=f"{player} {side}", tip=Tip(text('{word} plays all of {side}.', word.capitalize(), side)),
        )
        for player, word in PLAYERS.items()
    )  # fmt: skip
    select = Button(str(len(pieces)), partial(workspace.select, keys), quiet=True, key=f"select {side}",
                    tip=Tip(text("Select all of {side}.", side)))  # fmt: skip
    return [row(ring, name, select, gap=6), row(*buttons, gap=4, wrap=True)]


def _rules(workspace: Workspace) -> list[Widget]:
    """Which rules the fight is played by, and their optional ones."""
    draft, now = workspace.editor.draft, ruleset_of(workspace.editor.draft.ruleset)
    parts: list[Widget] = [Rule(), Label(text("Rules: {title}", now.title), "label!", "gold")]
    if len(RULESETS) > 1:
        names, put = [ruleset_of(name).title for name in RULESETS], partial(change_rules, workspace)
        asked = lists.Question("Rules", list(RULESETS), put, names=names, now=draft.ruleset)
        parts.append(lists.choice(workspace, "ruleset", asked))
    for switch in now.switches:
        on, call = draft.options.get(switch.name, switch.default), partial(_switch, workspace, switch)
        parts.append(Toggle(switch.label, bool(on), call, tip=Tip(switch.text), flush=True))
    return parts


def _set(workspace: Workspace, name: str, value: str) -> None:
    workspace.editor.set_whole(name, **{name: value})
    workspace.rebuild()


def _seed(workspace: Workspace, value: int | None) -> None:
    workspace.editor.set_whole("seed", seed=value or 0)
    workspace.rebuild()


def _switch(workspace: Workspace, switch: Switch, value: bool) -> None:
    options = {name: on for name, on in workspace.editor.draft.options.items() if name != switch.name}
    options |= {switch.name: value} if value != switch.default else {}
    workspace.editor.set_whole(switch.name.replace("_", " "), options=options)
    workspace.refresh()


def _rename(workspace: Workspace, old: str, new: str) -> None:
    editor = workspace.editor
    editor.change(drafts.side_renamed(editor.draft, old, new), "side renamed", merge="side renamed")
    workspace.refresh()


def _play(workspace: Workspace, keys: list[int], player: str) -> None:
    workspace.editor.set_field("controller", player, keys=keys)
    workspace.editor.settle()
    workspace.refresh()
