"""The right-hand panel: whoever is selected, or the encounter as a whole."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from game.content import encounter
from game.fight import match as seeds
from game.scenes.fight.panels import hud
from game.scenes.setup import dialogs, form, layout, palette, rulechange, seating
from game.setup import draft as drafts
from game.widgets.controls import Button, Label, Toggle
from game.widgets.core import Scroll, Tip, Widget, column, row
from game.widgets.fields import ChoiceField, NumberField, TextField
from game.widgets.figures import Picture, Rule
from rules.board.grid import door_states
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of

if TYPE_CHECKING:
    from game.scenes.setup.scene import Setup

MOST_SEED = 999_999_999


def panel(scene: Setup) -> Widget:
    """Tabs over what they show; in a narrow window the bestiary is one of them."""
    one = layout.narrow(scene)
    shown = scene.tab or ("creature" if scene.editor.selection else "bestiary" if one else "encounter")
    if shown == "bestiary" and not one:
        shown = "encounter"
    count = len(scene.editor.selection)
    label = "Creature" if count < 2 else f"{count} creatures"
    tabs = row(
        Button(label, partial(_turn, scene, "creature"), chosen=shown == "creature", key="tab creature"),
        Button(
            "Whole" if one else "Encounter",
            partial(_turn, scene, "encounter"),
            chosen=shown == "encounter",
            key="tab encounter",
        ),
        gap=6,
    )
    if one:
        first = Button("Bestiary", partial(_turn, scene, "bestiary"), chosen=shown == "bestiary", key="tab bestiary")
        tabs.content.insert(0, first)
    for tab in tabs.content:
        tab.grow = 1
    if shown == "bestiary":
        return column(tabs, *palette.parts(scene, short=layout.short(scene)), gap=6, pad=10, plate="panel")
    content = form.creature(scene) if shown == "creature" else whole(scene)
    scroll = Scroll(content, key=f"scroll {shown}")
    offset = f"{shown} {scene.editor.selection if shown == 'creature' else ''}"
    scroll.offset = scene.offsets.get(offset, 0)
    scroll.on_scroll = partial(scene.offsets.__setitem__, offset)
    scroll.grow = 1
    return column(tabs, scroll, gap=8, pad=10, plate="panel")


def _turn(scene: Setup, tab: str) -> None:
    scene.tab = tab
    scene.rebuild()


def whole(scene: Setup) -> Widget:
    """Title, seed, sides, optional rules and doors."""
    editor, draft = scene.editor, scene.editor.draft
    title = TextField(
        "title", draft.title, partial(_set, scene, "title"), scene.memory, quiet="Untitled encounter", most=80
    )
    seed = NumberField("seed", draft.seed, partial(_seed, scene), scene.memory, low=0, high=MOST_SEED,
                       tip=Tip("The same seed and the same choices give the same dice."))  # fmt: skip
    seed.grow = 1
    draw = Button("New", lambda: _seed(scene, seeds.fresh_seed()), quiet=True, key="new seed", tip=Tip("Another seed."))
    parts: list[Widget] = [
        form.labelled("Title", title),
        form.labelled("Seed", row(seed, draw, gap=4)),
        Rule(),
    ]
    parts.append(Label("Sides", "label!", "gold"))
    for number, side in enumerate(draft.sides()):
        parts += _side(scene, side, number)
    if not draft.sides():
        parts.append(Label("Nobody is on the table yet.", colour="quiet"))
    else:
        parts.append(seating.button(scene))
    parts += _rules(scene)
    ground = editor.ground
    if ground is not None and ground.doors:
        parts += [Rule(), Label("Doors at the start", "label!", "gold")]
        for number, door in enumerate(ground.doors):
            pick, states = partial(scene.steering.set_door, number), door_states(door.kind)
            choice = ChoiceField(
                f"door {door.id}", door.state, states, pick,
                partial(dialogs.pick, scene, door.id, list(states), pick, now=door.state),
            )  # fmt: skip
            parts.append(form.labelled(door.id, choice, share=150))
    return column(*parts, gap=7)


def _side(scene: Setup, side: str, number: int) -> list[Widget]:
    editor = scene.editor
    pieces = [piece for piece in editor.draft.pieces if piece.side == side]
    players = {form.player(editor, piece) for piece in pieces}
    name = TextField(f"side {number}", side, partial(_rename, scene, side), scene.memory, most=40, wrong=not side,
                     tip=Tip("The side's name; a name that another side has joins the two."))  # fmt: skip
    name.grow = 1
    ring = Picture(hud.likeness("unknown_hero" if side == encounter.HEROES else "unknown_monster", side), 30)
    keys = [piece.key for piece in pieces]
    buttons: list[Widget] = [
        Button(
            word.capitalize(), partial(_play, scene, keys, player), chosen=players == {player}, key=f"{player} {side}",
            tip=Tip(f"{word.capitalize()} plays all of {side}."),
        )
        for player, word in form.PLAYERS.items()
    ]  # fmt: skip
    select = Button(
        str(len(pieces)),
        partial(scene.select, keys),
        quiet=True,
        key=f"select {side}",
        tip=Tip(f"Select all of {side}."),
    )
    return [row(ring, name, select, gap=6), row(*buttons, gap=4, wrap=True)]


def _rules(scene: Setup) -> list[Widget]:
    """Which rules the fight is played by, and their optional ones."""
    draft, now = scene.editor.draft, ruleset_of(scene.editor.draft.ruleset)
    parts: list[Widget] = [Rule(), Label(f"Rules: {now.title}", "label!", "gold")]
    if len(RULESETS) > 1:
        names, put = [ruleset_of(name).title for name in RULESETS], partial(rulechange.change, scene)
        pick = partial(dialogs.pick, scene, "Rules", list(RULESETS), put, names=names, now=draft.ruleset)
        parts.append(ChoiceField("ruleset", draft.ruleset, list(RULESETS), put, pick, names=names))
    for switch in now.switches:
        on = draft.options.get(switch.name, switch.default)
        call = partial(_switch, scene, switch.name, switch.default)
        parts.append(Toggle(switch.label, bool(on), call, tip=Tip(switch.text), flush=True))
    return parts


def _set(scene: Setup, name: str, value: str) -> None:
    scene.editor.set_whole(name, **{name: value})
    scene.rebuild()


def _seed(scene: Setup, value: int | None) -> None:
    scene.editor.set_whole("seed", seed=value or 0)
    scene.rebuild()


def _switch(scene: Setup, name: str, default: bool, value: bool) -> None:
    options = {k: v for k, v in scene.editor.draft.options.items() if k != name}
    if value != default:
        options[name] = value
    scene.editor.set_whole(name.replace("_", " "), options=options)
    scene.refresh()


def _rename(scene: Setup, old: str, new: str) -> None:
    editor = scene.editor
    editor.change(drafts.side_renamed(editor.draft, old, new), "side renamed", merge="side renamed")
    scene.refresh()


def _play(scene: Setup, keys: list[int], player: str) -> None:
    scene.editor.set_field("controller", player, keys=keys)
    scene.editor.settle()
    scene.refresh()
