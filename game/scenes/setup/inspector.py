"""The right-hand panel: whoever is selected, or the encounter as a whole with its seats and rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal, assert_never

from game.content import encounter
from game.content.translation import starts
from game.fight.match import fresh_seed
from game.scenes.dialogs.panels import Panel
from game.scenes.dialogs.seats import Played, SeatsPanel
from game.scenes.fight.panels import hud
from game.scenes.setup import form, lists, operations, palette
from game.scenes.setup.fields import labelled
from game.scenes.setup.workspace import Tab, Workspace
from game.setup import draft as drafts
from game.setup import otherrules, seats
from game.setup.editor import PLAYERS
from game.setup.otherrules import Count, Loss
from game.widgets.controls import Button, Label, Toggle
from game.widgets.core import Box, Scroll, Space, Tip, Widget, column, row
from game.widgets.fields import ChoiceField, NumberField, TextField
from game.widgets.figures import Picture, Rule
from rules.board.grid import door_states
from rules.contract.text import joined, ntext, text
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of

MOST_SEED = 999_999_999

# -- seats


def _table(workspace: Workspace) -> seats.Table:
    """The table as the draft has it, controllers included that templates give."""
    editor, document = workspace.editor, drafts.document(workspace.editor.draft)
    document["creatures"] = [{**piece.entry, "controller": editor.player(piece)} for piece in editor.draft.pieces]
    return seats.from_document(document)


def seats_button(workspace: Workspace) -> Widget:
    """Opens the panel of seats."""
    count = len(workspace.editor.draft.more.get(drafts.SEATS, ()))
    label = ntext(count, "Seats, clock and real dice", "{n} seats")
    return Button(
        label,
        partial(_open, workspace),
        key="seats",
        tip=Tip("Up to six people at one screen, and who plays whom."),
    )


def _open(workspace: Workspace) -> None:
    editor = workspace.editor
    creatures = [
        Played(piece.id, str(editor.block(piece).get("name", piece.id)), piece.side,
               hud.likeness(str(editor.block(piece).get("art", piece.id)), piece.side))
        for piece in editor.draft.pieces
    ]  # fmt: skip
    workspace.app.push(SeatsPanel(workspace.app, _table(workspace), creatures, partial(_take, workspace)))


def _take(workspace: Workspace, changed: seats.Table) -> None:
    editor = workspace.editor
    editor.change(drafts.seated(editor.draft, changed), "seats", merge="seats")
    workspace.refresh()


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
    workspace.refresh()
    title = ruleset_of(ruleset).title
    if back:
        workspace.toast(text("Everybody is as they were last under {title}.", title=title))
    else:
        workspace.toast(text("Everybody has a counterpart under {title}.", title=title))


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
        lines: list[Widget] = []
        if self.count.stay:
            lines.append(_told("Who stays behind, so that it is as much of a match", self.count.stay))
        if self.count.joined:
            lines.append(_told("Who joins, so that it is as much of a match", self.count.joined))
        if self.lost or self.options:
            lines.append(Label("Nothing stands for this under the other rules:"))
        lines += [_creature(loss) for loss in self.lost]
        if self.options:
            lines.append(column(Label("Optional rules", "label!", "bright"), Label(joined(", ", self.options)), gap=1))
        listing = Scroll(column(*lines, gap=8), key="losses")
        listing.grow = 1
        buttons = row(
            Space(grow=1),
            Button("Stay", self.app.pop, hint=self.app.keys.shown("back"), key="stay"),
            Button(text("Change to {there}", there=there), self._take, gold=True, key="change rules"),
            gap=8,
        )
        return column(
            Label(text("{there} in place of {now}", there=there, now=now), "heading", "bright"),
            listing,
            Label(text("It is remembered: back under {now}, everybody has it again.", now=now), "small", "quiet"),
            buttons,
            gap=10,
        )

    def _take(self) -> None:
        self.app.pop()
        self.app.guard(partial(_changed, self.workspace, self.ruleset))


def _told(title: str, names: Sequence[str]) -> Widget:
    return column(Label(title, "label!", "bright"), Label(joined(", ", names)), gap=1)


def _creature(loss: Loss) -> Widget:
    who = loss.name if loss.name == loss.becomes else text("{name}, as {becomes}", name=loss.name, becomes=loss.becomes)
    return column(Label(who, "label!", "bright"), Label(joined(" · ", loss.left)), gap=1)


# -- the panel


def panel(workspace: Workspace) -> Widget:
    """Tabs over what they show; in a narrow window the bestiary is one of them."""
    one, shown = workspace.narrow, _shown(workspace)
    count = len(workspace.editor.selection)
    tabs = row(
        _tab(workspace, Tab.CREATURE, "Creature" if count < 2 else text("{count} creatures", count=count), shown),
        _tab(workspace, Tab.ENCOUNTER, "Whole" if one else "Encounter", shown),
        gap=6,
    )
    if one:
        tabs.content.insert(0, _tab(workspace, Tab.BESTIARY, "Bestiary", shown))
    match shown:
        case Tab.BESTIARY:
            return column(tabs, *palette.parts(workspace, short=workspace.short), gap=6, pad=10, plate="panel")
        case Tab.CREATURE:
            content, place = (
                form.creature(workspace),
                text("{shown} {selection}", shown=shown, selection=str(workspace.editor.selection)),
            )
        case Tab.ENCOUNTER:
            content, place = whole(workspace), text("{shown} ", shown=shown)
        case _:
            assert_never(shown)
    scroll = Scroll(content, key=f"scroll {shown}")
    scroll.offset = workspace.offsets.get(place, 0)
    scroll.on_scroll = partial(workspace.offsets.__setitem__, place)
    scroll.grow = 1
    return column(tabs, scroll, gap=8, pad=10, plate="panel")


def _shown(workspace: Workspace) -> Literal[Tab.BESTIARY, Tab.CREATURE, Tab.ENCOUNTER]:
    """The tab that is open: the one chosen by hand, else as the selection decides."""
    match workspace.tab:
        case Tab.BY_SELECTION:
            if workspace.editor.selection:
                return Tab.CREATURE
            return Tab.BESTIARY if workspace.narrow else Tab.ENCOUNTER
        case Tab.BESTIARY:
            return Tab.BESTIARY if workspace.narrow else Tab.ENCOUNTER
        case Tab.CREATURE:
            return Tab.CREATURE
        case Tab.ENCOUNTER:
            return Tab.ENCOUNTER
        case _:
            assert_never(workspace.tab)


def _tab(workspace: Workspace, tab: Tab, label: str, shown: Tab) -> Button:
    button = Button(label, partial(_turn, workspace, tab), chosen=tab is shown, key=f"tab {tab}")
    button.grow = 1
    return button


def _turn(workspace: Workspace, tab: Tab) -> None:
    workspace.tab = tab
    workspace.rebuild()


def whole(workspace: Workspace) -> Widget:
    """Title, seed, sides, optional rules and doors."""
    editor, draft = workspace.editor, workspace.editor.draft
    title = TextField(
        "title", draft.title, partial(_set, workspace, "title"), workspace.memory, quiet="Untitled encounter", most=80
    )
    seed = NumberField("seed", draft.seed, partial(_seed, workspace), workspace.memory, low=0, high=MOST_SEED,
                       tip=Tip("The same seed and the same choices give the same dice."))  # fmt: skip
    seed.grow = 1
    draw = Button("New", lambda: _seed(workspace, fresh_seed()), quiet=True, key="new seed", tip=Tip("Another seed."))
    parts: list[Widget] = [
        labelled("Title", title),
        labelled("Seed", row(seed, draw, gap=4)),
        Rule(),
    ]
    parts.append(Label("Sides", "label!", "gold"))
    for number, side in enumerate(draft.sides()):
        parts += _side(workspace, side, number)
    if not draft.sides():
        parts.append(Label("Nobody is on the table yet.", colour="quiet"))
    else:
        parts.append(seats_button(workspace))
    parts += _rules(workspace)
    ground = editor.ground
    if ground is not None and ground.doors:
        parts += [Rule(), Label("Doors at the start", "label!", "gold")]
        for number, door in enumerate(ground.doors):
            pick, states = partial(operations.set_door, workspace, number), door_states(door.kind)
            choice = ChoiceField(
                text('door {id}', id=door.id), door.state, states, pick,
                partial(lists.pick, workspace, door.id, list(states), pick, now=door.state),
            )  # fmt: skip
            parts.append(labelled(door.id, choice, share=150))
    return column(*parts, gap=7)


def _side(workspace: Workspace, side: str, number: int) -> list[Widget]:
    editor = workspace.editor
    pieces = [piece for piece in editor.draft.pieces if piece.side == side]
    players = {editor.player(piece) for piece in pieces}
    name = TextField(f"side {number}", side, partial(_rename, workspace, side), workspace.memory, most=40,
                     wrong=not side,
                     tip=Tip("The side's name; a name that another side has joins the two."))  # fmt: skip
    name.grow = 1
    ring = Picture(hud.likeness("unknown_hero" if side == encounter.HEROES else "unknown_monster", side), 30)
    keys = [piece.key for piece in pieces]
    buttons: list[Widget] = [
        Button(
            word.capitalize(), partial(_play, workspace, keys, player), chosen=players == {player},
            key=f"{player} {side}", tip=Tip(text('{word} plays all of {side}.', word=word.capitalize(), side=side)),
        )
        for player, word in PLAYERS.items()
    ]  # fmt: skip
    select = Button(
        str(len(pieces)),
        partial(workspace.select, keys),
        quiet=True,
        key=f"select {side}",
        tip=Tip(text("Select all of {side}.", side=side)),
    )
    return [row(ring, name, select, gap=6), row(*buttons, gap=4, wrap=True)]


def _rules(workspace: Workspace) -> list[Widget]:
    """Which rules the fight is played by, and their optional ones."""
    draft, now = workspace.editor.draft, ruleset_of(workspace.editor.draft.ruleset)
    parts: list[Widget] = [Rule(), Label(text("Rules: {title}", title=now.title), "label!", "gold")]
    if len(RULESETS) > 1:
        names, put = [ruleset_of(name).title for name in RULESETS], partial(change_rules, workspace)
        pick = partial(lists.pick, workspace, "Rules", list(RULESETS), put, names=names, now=draft.ruleset)
        parts.append(ChoiceField("ruleset", draft.ruleset, list(RULESETS), put, pick, names=names))
    for switch in now.switches:
        on = draft.options.get(switch.name, switch.default)
        call = partial(_switch, workspace, switch.name, switch.default)
        parts.append(Toggle(switch.label, bool(on), call, tip=Tip(switch.text), flush=True))
    return parts


def _set(workspace: Workspace, name: str, value: str) -> None:
    workspace.editor.set_whole(name, **{name: value})
    workspace.rebuild()


def _seed(workspace: Workspace, value: int | None) -> None:
    workspace.editor.set_whole("seed", seed=value or 0)
    workspace.rebuild()


def _switch(workspace: Workspace, name: str, default: bool, value: bool) -> None:
    options = {k: v for k, v in workspace.editor.draft.options.items() if k != name}
    if value != default:
        options[name] = value
    workspace.editor.set_whole(name.replace("_", " "), options=options)
    workspace.refresh()


def _rename(workspace: Workspace, old: str, new: str) -> None:
    editor = workspace.editor
    editor.change(drafts.side_renamed(editor.draft, old, new), "side renamed", merge="side renamed")
    workspace.refresh()


def _play(workspace: Workspace, keys: list[int], player: str) -> None:
    workspace.editor.set_field("controller", player, keys=keys)
    workspace.editor.settle()
    workspace.refresh()
