"""Panels around the map that is drawn: materials left, tools on top, what is chosen at the right, words below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pygame

from game.app.i18n import t
from game.maps.editing.kinds import GROUPS, KINDS, Kind, Way
from game.maps.editing.proposal import Proposal
from game.maps.editing.things import Thing
from game.maps.proposing.words import Stops
from game.scenes.ground import told
from game.scenes.ground.desk import Desk
from game.scenes.ground.model import TOOLS, Tool
from game.scenes.ground.pictures import picture, tool_picture
from game.scenes.setup.lists import Question, choice
from game.widgets.controls import Button, Label, Pressable, Toggle
from game.widgets.core import Box, Space, Tip, Widget, column, grown, row
from game.widgets.fields import NumberField, TextField
from game.widgets.figures import Live
from game.widgets.text import line
from game.widgets.theme import Look
from rules.board.fixtures import DOOR_KINDS, DOOR_STATES, LOOKS
from rules.contract.text import N, joined, ntext, text

NAMED = 1380
"""Width of the window at 100 % in which tools have their names beside their signs."""
GAP = 6
HEADING = 160
"""Room for the heading of the bar at 100 %."""
CELL = 36
"""Side of a material's picture in the palette, at 100 %."""


class Material(Pressable):
    """A material of the palette: its picture, framed in gold while it is in hand."""

    square, radius = CELL, 6

    def __init__(self, kind: Kind, on_press: Callable[[], None], *, chosen: bool, tip: Tip) -> None:
        super().__init__(on_press, key=f"material-{kind.name}", tip=tip)
        self.kind, self.chosen = kind, chosen

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        image = picture(self.kind, self.rect.width - look.px(6))
        surface.blit(image, image.get_rect(center=self.rect.center))
        if self.chosen or self.hovered or self.focused:
            colour = look.colour("gold" if self.chosen else "text")
            pygame.draw.rect(surface, colour, self.rect, look.px(3 if self.chosen else 2), look.px(5))


class ToolButton(Pressable):
    """A tool: its sign, its name below and its key."""

    radius = 6

    def __init__(self, tool: Tool, on_press: Callable[[], None], *, chosen: bool, hint: str, named: bool) -> None:
        super().__init__(on_press, key=f"tool-{tool}", tip=Tip(told.HINTS[tool], title=TOOLS[tool]))
        self.tool, self.chosen, self.hint = tool, chosen, hint
        self.label = t(TOOLS[tool]) if named else ""

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        wide = look.font("small").size(self.hint)[0]
        wide += look.font("text").size(self.label)[0] + look.px(6) if self.label else 0
        return min(width, look.px(27) + wide), look.px(32)

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        self.plate(surface, look)
        r, g, b = look.colour("gold" if self.chosen else "text")[:3]
        image = tool_picture(self.tool, look.px(17), (r, g, b))
        surface.blit(image, image.get_rect(midleft=(self.rect.left + look.px(4), self.rect.centery)))
        if self.label:
            words = line(look, self.label, "text", "gold" if self.chosen else "text")
            surface.blit(words, words.get_rect(midleft=(self.rect.left + look.px(26), self.rect.centery)))
        key = line(look, self.hint, "small", "gold" if self.chosen else "quiet")
        surface.blit(key, key.get_rect(midright=(self.rect.right - look.px(4), self.rect.centery)))


# -- materials


def palette(scene: Desk) -> Box:
    """All materials by groups, and what is in hand."""
    model, shown = scene.model, scene.app.keys.shown
    wide = scene.palette_width - scene.app.look.px(42)
    per_row = max(3, wide // (scene.app.look.px(CELL) + scene.app.look.px(3)))
    parts: list[Widget] = []
    for group, title in GROUPS.items():
        kinds = [each for each in KINDS if each.group is group]
        parts.append(row(grown(Label(title, "label!", "gold", one_line=True)),
                         Label(shown(f"ground_{group.name.lower()}"), "small", "quiet")))  # fmt: skip
        for start in range(0, len(kinds), per_row):
            tiles = [
                Material(each, partial(scene.take, each), chosen=each is model.kind, tip=Tip(each.label))
                for each in kinds[start : start + per_row]
            ]
            parts.append(row(*tiles, gap=3))
    keys = text("{next} · {last}", next=shown("ground_next"), last=shown("ground_last"))
    head = column(
        row(Label(model.kind.label, "heading", "bright", one_line=True), gap=6),
        row(grown(Label(GROUPS[model.kind.group], "small", "quiet", one_line=True)), Label(keys, "small", "quiet")),
        gap=1,
    )  # fmt: skip
    return column(head, scene.scrolled(column(*parts, gap=5), "materials"), gap=6, pad=9, plate="panel")


# -- the row of tools


def top(scene: Desk) -> Box:
    """What the mode is, its tools, and undo, save and the way back."""
    model, shown, terse = scene.model, scene.app.keys.shown, scene.workspace.terse
    named = scene.size[0] / scene.app.look.scale >= NAMED
    editor = scene.workspace.editor
    tools = [
        ToolButton(tool, partial(scene.choose_tool, tool), chosen=model.tool is tool, hint=shown(f"ground_{tool}"),
                   named=named)
        for tool in TOOLS
    ]  # fmt: skip
    title = text("{title} •", scene.workspace.map_title()) if scene.unsaved else scene.workspace.map_title()
    heading = column(
        Label("Drawing the ground", "label!", "gold", one_line=True),
        Label(title, "small", "quiet", one_line=True), gap=0,
    )  # fmt: skip

    def button(label: str, name: str, call: Callable[[], None], *, enabled: bool = True, gold: bool = False) -> Button:
        tip = Tip(text("{label} ({keys})", label, shown(name)))
        return Button(label, call, hint="" if terse else shown(name), key=name, enabled=enabled, tip=tip, slim=True,
                      gold=gold)  # fmt: skip

    buttons = [
        button("Undo", "ground_undo", scene.undo, enabled=bool(editor.undoes)),
        button("Redo", "ground_redo", scene.redo, enabled=bool(editor.redoes)),
        button("New", "ground_new", scene.new_map),
        button("Walls?", "ground_propose", scene.propose),
        button("Save", "ground_save", scene.save_now, enabled=scene.unsaved),
        button("Done", "ground_done", scene.leave, gold=True),
    ]
    look, room = scene.app.look, scene.size[0]
    wide = sum(part.measure(look, room)[0] + look.px(GAP) for part in (*tools, *buttons))
    if wide + look.px(HEADING) > room:
        for each in buttons:
            each.hint = ""
    return row(grown(heading), row(*tools, gap=3), *buttons, gap=GAP, pad=7, plate="panel")


# -- what is chosen, or how the tool draws


def side(scene: Desk) -> Box:
    """The fields of what is chosen; else how the tool draws, and what the keys are."""
    thing = scene.model.chosen
    if scene.model.proposal is not None:
        parts = _proposal(scene)
    elif thing is not None:
        parts = _form(scene, thing)
    else:
        parts = _options(scene)
    return column(scene.scrolled(column(*parts, gap=7), "side"), pad=10, plate="panel")


def _options(scene: Desk) -> list[Widget]:
    model, shown = scene.model, scene.app.keys.shown
    parts: list[Widget] = [Label(TOOLS[model.tool], "heading", "bright"), Label(told.hint(model), "small")]
    if model.tool in (Tool.BRUSH, Tool.ERASE, Tool.LINE) and model.kind.way not in (Way.EDGE, Way.ZONE, Way.OBJECT):
        size = NumberField("brush size", model.size, scene.resized, scene.memory, low=1, high=9)
        keys = text("{less} {more}", less=shown("ground_smaller"), more=shown("ground_larger"))
        parts.append(row(grown(Label("Brush, in spaces", "label")), Label(keys, "small", "quiet"), size, gap=6))
    if model.tool is Tool.ROOM:
        parts.append(Toggle("Thin walls, on the edges", model.thin_rooms, scene.thin))
        wall = model.wall.label if not model.thin_rooms else "Thin wall"
        parts.append(Label(text("Walls: {wall} · floor: {floor}", wall, model.floor.label), "small", "quiet"))
    if model.tool is Tool.PASTE and model.part is None:
        parts.append(Label("Nothing was copied yet: C and a rectangle copies a part.", "small", "coral"))
    parts += [Space(height=6), Label("Keys", "label!", "gold"), *_keys(scene)]
    return parts


_KEYS = (
    (("ground_draw",), N("draw at the cursor; a corner, then the other")),
    (("ground_draw_right",), N("draw along with the cursor")),
    (("ground_next", "ground_last"), N("next material, previous one")),
    (("ground_floor", "ground_thing"), N("groups of materials")),
    (("ground_remove",), N("remove what lies at the cursor")),
    (("ground_turn",), N("next state of the door")),
    (("ground_tint",), N("marks of what the rules read")),
    (("ground_propose",), N("propose walls, by what the map's maker left")),
    (("ground_undo", "ground_redo"), N("undo, redo")),
    (("ground_panels",), N("into the panels")),
    (("back",), N("back, one layer at a time")),
)  # fmt: skip


def _keys(scene: Desk) -> list[Widget]:
    shown = scene.app.keys.shown
    lines: list[Widget] = []
    for names, words in _KEYS:
        keys = " ".join(filter(None, map(shown, names)))
        lines.append(row(Label(keys, "small", "bright"), grown(Label(words, "small", "quiet")), gap=8, align="start"))
    return lines


def _proposal(scene: Desk) -> list[Widget]:
    proposal = scene.model.proposal
    assert proposal is not None
    if proposal.reasons:
        return _reasons(scene, proposal)
    return [
        Label("Proposed walls", "heading", "bright"), Label(proposal.what, "small"),
        Label("Tinted spaces become walls when you take them; then mend them with brush and eraser.", "small", "quiet"),
        row(Button("Take them", scene.accept, gold=True, key="accept"),
            Button("Leave them", scene.refuse, key="refuse"), gap=8, wrap=True),
    ]  # fmt: skip


def _reasons(scene: Desk, proposal: Proposal) -> list[Widget]:
    """By what walls were found: each can be left out; the brush mends the tint before it is taken."""
    shown = scene.app.keys.shown
    lines: list[Widget] = []
    for each in proposal.reasons:
        count: list[str] = [ntext(len(each.spots), "{n} space", "{n} spaces")] if each.spots else []
        count += [ntext(len(each.edges), "{n} edge", "{n} edges")] if each.edges else []
        count += ["seen over"] if each.stops is Stops.GAP else []
        toggle = Toggle(each.told, each.key not in proposal.away, partial(scene.turn_reason, each.key), flush=True)
        toggle.key = f"reason {each.key}"
        lines.append(column(toggle, Label(joined(" · ", count), "small", "quiet"), gap=0))
    told = "Tinted spaces become walls when you take them, in a layer of their own that is not drawn."
    mend = text("Before that, {brush} puts spaces in and {erase} takes them out.", shown("ground_brush"),
                shown("ground_erase"))  # fmt: skip
    whole = ntext(len(proposal.spots), "{n} space", "{n} spaces")
    edges = ntext(len(proposal.edges), "{n} edge", "{n} edges")
    return [
        Label("Proposed walls", "heading", "bright"), Label(told, "small"), Label(mend, "small", "quiet"), *lines,
        Label(joined(" · ", (whole, edges)), "label!", "gold"),
        row(Button("Take them", scene.accept, gold=True, key="accept"),
            Button("Leave them", scene.refuse, key="refuse"), gap=8, wrap=True),
    ]  # fmt: skip


# -- the form of an object

Field = tuple[str, str, str]
"""Property, what it is called, and the kind of its field: text, number, yes, or the words that may be chosen."""
_STAIRS: tuple[Field, ...] = (
    ("name", N("Name"), "text"), ("to_map", N("To the map"), "text"), ("to", N("To the object there"), "text"),
)  # fmt: skip
FORMS: Mapping[str, tuple[Field, ...]] = {
    "Door": (
        ("name", N("Name"), "text"), ("state", N("State"), "state"), ("kind", N("Kind"), "door kind"),
        ("key", N("Key"), "text"), ("difficulty", N("Difficulty"), "number"),
    ),
    "Light": (("bright", N("Bright, in spaces"), "number"), ("dim", N("Dim, in spaces"), "number")),
    "Trap": (
        ("name", N("Name"), "text"), ("difficulty", N("Difficulty"), "number"), ("notice", N("To notice"), "number"),
        ("damage", N("Damage"), "text"), ("effect", N("Effect"), "text"), ("known", N("Known to"), "text"),
    ),
    "Chest": (
        ("name", N("Name"), "text"), ("contents", N("Contents"), "text"), ("difficulty", N("Difficulty"), "number"),
        ("key", N("Key"), "text"), ("damage", N("Damage"), "text"), ("effect", N("Effect"), "text"),
        ("hidden", N("Hidden"), "yes"), ("notice", N("To notice"), "number"), ("kind", N("Looks like"), "look"),
    ),
    "Note": (("name", N("Name"), "text"), ("text", N("Text"), "text"), ("gm_only", N("Game master only"), "yes")),
    "Stairs": _STAIRS, "Ladder": _STAIRS, "Exit": _STAIRS,
    "Spawn": (("name", N("Name"), "text"), ("side", N("Side"), "text"), ("count", N("How many (0: any)"), "number")),
    "Region": (("name", N("Name"), "text"),),
    "Obstacle": (
        ("name", N("Name"), "text"), ("difficulty", N("Difficulty"), "number"), ("height", N("Height"), "number"),
    ),
    "Goal": (("text", N("Text"), "text"), ("optional", N("Optional"), "yes")),
}  # fmt: skip
CHOICES: Mapping[str, Sequence[str]] = {"state": DOOR_STATES, "door kind": DOOR_KINDS, "look": LOOKS}


def _form(scene: Desk, thing: Thing) -> list[Widget]:
    kinds = {kind.shape: kind.label for kind in reversed(KINDS) if kind.shape}
    parts: list[Widget] = [Label(kinds.get(thing.shape, thing.shape), "heading", "bright")]
    parts.append(Label("Drag it on the map to move it.", "small", "quiet"))
    for name, label, kind in FORMS.get(thing.shape, ()):
        parts += [] if kind == "yes" else [Label(label, "small", "quiet")]
        parts.append(_field(scene, thing, (name, label, kind)))
    shown = scene.app.keys.shown
    parts.append(row(
        Button("Remove", scene.remove, hint=shown("ground_remove"), slim=True, key="remove"),
        Button("Let go", scene.let_go, hint=shown("back"), slim=True, key="let go"), gap=6, wrap=True,
    ))  # fmt: skip
    return parts


def _field(scene: Desk, thing: Thing, field: Field) -> Widget:
    name, label, kind = field
    model = scene.model
    now = thing.name if name == "name" else thing.says.get(name, "")
    say = partial(scene.say, name)
    key = f"field-{name}"
    if kind == "yes":
        return Toggle(label, now is True, say)
    if kind == "number":
        figure = now if isinstance(now, int) else int(str(now)) if str(now).isdecimal() else 0
        return NumberField(key, figure, lambda number: say(number or 0), scene.memory, low=0, high=99)
    if kind in CHOICES:
        default = CHOICES[kind][0] if kind != "state" else "closed"
        asked = Question(label, list(CHOICES[kind]), say, now=str(now or default))
        return choice(scene.workspace, key, asked)
    typed = model.typed.get(name)
    value = str(now) if typed is None else typed
    return TextField(key, value, say, scene.memory, wrong=typed is not None)


# -- words


def foot(scene: Desk) -> Box:
    """What is under the pointer, how large what is drawn is, and who stands on bad ground."""
    lost = scene.stranded()
    line = grown(Live(partial(told.here, scene.model), "text", "label", fits=True))
    size = Live(partial(told.underway, scene.model), "gold", "label", fits=True)
    parts: list[Widget] = [line, size]
    if lost:
        words = text("{name} stands where nobody can", lost[0][0]) if len(lost) == 1 else text(
            "{n} creatures stand where nobody can", len(lost))  # fmt: skip
        tip = Tip("They stay on the table, and are moved in the encounter. A click shows the next.")
        parts.append(Button(words, scene.next_stranded, slim=True, key="stranded", tip=tip))
    return row(*parts, gap=12, pad=7, plate="panel")
