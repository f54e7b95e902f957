"""The replay viewer: a fight played again on the board, with its log in step and a line of time to jump along."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pygame

from game.fight.match import Match, load_fight
from game.fight.seats import Seats
from game.fight.viewing import Reel, fogged, views_of_file
from game.scenes.base import Shell
from game.scenes.dialogs.panels import Menu, Message
from game.scenes.fight.ai_turns import SPEEDS
from game.scenes.fight.panels.card import LOG_WIDTH, MARGIN, SHEET_WIDTH, sheet_panel
from game.scenes.fight.panels.goals import of_board
from game.scenes.levels import level_strip
from game.scenes.replay.playback import PACES, Playback
from game.scenes.replay.why import WhyScene
from game.view.camera import Camera
from game.view.minis import icon
from game.view.overlays import Overlays
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Sized, Space, Tip, Widget, column, grown, row
from game.widgets.figures import IconButton
from rules.contract.errors import BattlematError, said
from rules.contract.text import Text, joined, text
from rules.contract.units import Cell

NARROW = 900
"""Pixels of window at 100 % below which the log stays away."""
PACE_WIDTH = 40
"""Of the longest pace: the buttons beside it stay where they are."""
BACK = "To where this turn began, or the one before."
TURN = "To where the next turn begins."
BEGIN = "To where a creature's chance begins."
BLOW = "To a hit or a fall: one of the marks on the line."
STEP = "One command."
TALE = "What happened as a tale, with pictures, by the same view."


STRIP = 170
"""Width at 100 % of the strip of maps where there is no log."""


def _paging(scene: Playback) -> str:
    shown = scene.app.keys.shown
    return joined(", ", (shown("level_up"), shown("level_down")))


def build_panels(scene: Playback) -> None:
    """Place all panels for the window as it is, and tell the camera what they leave free."""
    look, (wide, high) = scene.app.look, scene.size
    margin = look.px(MARGIN)
    bar = column(scene.scrubber, _buttons(scene), gap=4, pad=10, plate="panel")
    foot = high - margin - bar.measure(look, wide - 2 * margin)[1]
    scene.ui.add(bar, pygame.Rect(margin, foot, wide - 2 * margin, high - margin - foot))
    right, upper, roomy = wide - margin, margin, wide / look.scale >= NARROW
    scene.level = scene.camera.level
    across = look.px(LOG_WIDTH if roomy else STRIP)
    strip = level_strip(scene.view, scene.camera.to_level, look, across, keys=_paging(scene))
    if strip is not None:
        rect = pygame.Rect(right - across, margin, across, strip.measure(look, across)[1])
        scene.ui.add(strip, rect)
        upper = rect.bottom + look.px(4)
    if roomy:
        title = row(Label(scene.match.title, "label!", "bright", one_line=True), Space(grow=1))
        log = column(title, grown(scene.story), gap=4, pad=10, plate="panel")
        beside = pygame.Rect(right - look.px(LOG_WIDTH), upper, look.px(LOG_WIDTH), foot - margin - upper)
        scene.ui.add(log, beside)
        right = beside.left - margin
    elif strip is not None:
        right -= across + margin
    left = _sheet(scene, foot - margin)
    word = "Again: what your side saw" if scene.returns else "Replay"
    parts: list[Widget] = [Label(word, "label!", "gold"), Label(scene.shown.caption, "label", "bright")]
    if scene.film.eyes.sides is None:
        parts.append(Label(text("{number} of {length}", scene.number, scene.film.length), "label", "quiet"))
    top = row(*parts, gap=14, pad=9, plate="panel")
    size = top.measure(look, right - left)
    place = pygame.Rect(left + max(0, (right - left - size[0]) // 2), margin, min(size[0], right - left), size[1])
    scene.ui.add(top, place)
    under = place.bottom + margin
    scene.camera.free = pygame.Rect(left, under, max(80, right - left), max(80, foot - margin - under))


def _sheet(scene: Playback, bottom: int) -> int:
    """What was to be done and the sheet of who is selected, as both stood then; how far panels reach from the left."""
    look, margin = scene.app.look, scene.app.look.px(MARGIN)
    reach = margin
    sides, wide = scene.film.eyes.sides, scene.size[0] / scene.app.look.scale
    aims = of_board([goal for goal in scene.shown.goals if sides is None or goal.side in sides], tight=wide < NARROW)
    if aims is not None:
        width = min(look.px(SHEET_WIDTH), scene.size[0] // 2 - 2 * margin)
        high = min(aims.measure(look, width)[1], (bottom - margin) // 3)
        scene.ui.add(aims, pygame.Rect(margin, bottom - high, width, high))
        bottom, reach = bottom - high - margin, margin + width + margin
    if scene.selected not in {mini.id for mini in scene.shown.miniatures} or scene.selected is None:
        return reach
    rules = scene.match.ruleset
    sheet = sheet_panel(rules, rules.sheet(scene.film.eyes.state(scene.number), scene.selected))
    panel = column(grown(Scroll(sheet, key="sheet")), pad=12, plate="panel")
    width = min(look.px(SHEET_WIDTH), scene.size[0] // 2 - 2 * margin)
    high = min(panel.measure(look, width)[1], bottom - margin)
    scene.ui.add(panel, pygame.Rect(margin, margin, width, high))
    return margin + width + margin


def _buttons(scene: Playback) -> Box:
    keys, film = scene.app.keys, scene.film
    narrow = scene.size[0] / scene.app.look.scale < NARROW

    def hint(name: str) -> str:
        return "" if narrow else keys.shown(name)

    def told(name: str, title: str, text: str) -> Tip:
        return Tip(text, Text.of("{title} ({name})", title=title, name=keys.shown(name)))

    def tool(name: str, picture: str, tip: Tip, call: Callable[[], None]) -> Widget:
        return IconButton(partial(icon, picture), call, key=name, tip=tip)

    def leap(name: str, title: str, text: str, frames: list[int]) -> Widget:
        """To the next or last of some frames; not where the rules know no such thing, as chances of creatures."""
        by = -1 if "_last_" in name else 1
        button = tool(name, name.removeprefix("replay_"), told(name, title, text), partial(scene.jump, frames, by))
        button.enabled = any(frames)
        return button

    blows, tale = [mark.at for mark in film.marks], scene.chronicle
    look, room = scene.app.look, scene.size[0]
    words = [
        Button(word, scene.play, gold=True, key="replay_play", hint=hint("replay_play")) for word in ("Play", "Pause")
    ]
    longest = max(button.measure(look, room)[0] for button in words) / look.scale
    parts: list[Widget] = [
        leap("replay_last_turn", "Turn back", BACK, film.turns),
        leap("replay_last_chance", "Chance back", BEGIN, film.chances),
        leap("replay_last_blow", "Last blow", BLOW, blows),
        tool("replay_back", "step_back", told("replay_back", "Step back", STEP), scene.back),
        Sized(words[scene.playing], longest),  # what follows stays in its place
        tool("replay_next", "step_on", told("replay_next", "Step on", STEP), scene.forward),
        leap("replay_next_blow", "Next blow", BLOW, blows),
        leap("replay_next_chance", "Chance on", BEGIN, film.chances),
        leap("replay_next_turn", "Turn on", TURN, film.turns),
        Space(width=8),
        _pace(scene),
        *(
            []
            if scene.returns
            else [tool("replay_chronicle", "tale", told("replay_chronicle", "Chronicle", TALE), tale)]
        ),
        Space(grow=1),
    ]
    if len(scene.views) > 1:
        view = scene.views[scene.seen_as]
        tip = told("replay_eyes", "View", "Whose view is shown: the next one's by a click.")
        label = view.label if narrow else Text.of("View: {label}", label=view.label)
        call = partial(scene.look_as, scene.seen_as + 1)
        parts.append(Button(label, call, key="replay_eyes", tip=tip, hint=hint("replay_eyes")))
    if not scene.returns:
        at_end = scene.number == film.length
        label = "Play on" if narrow else "Play on from here" if at_end else "Branch off here and play on"
        parts.append(Button(label, scene.branch, key="replay_branch", hint=hint("replay_branch"),
                            enabled=scene.may_branch, tip=Tip(_branch_told(scene, at_end))))  # fmt: skip
    parts.append(Button("Back", scene.app.pop, key="replay_leave", hint=hint("back")))
    return row(*parts, gap=2 if narrow else 6)


def _branch_told(scene: Playback, at_end: bool) -> str:
    if not scene.may_branch:
        over = at_end and scene.match.decision is None
        return "The fight is over here; go back a little." if over else "Not while seats keep secrets from each other."
    if at_end:
        return "Opens the fight as it stands."
    return "Opens the fight as it stood here. What happened after is kept under Branches."


def _pace(scene: Playback) -> Widget:
    keys = scene.app.keys

    def turn(sign: str, name: str, word: str, by: int, left: bool) -> Widget:
        tip = Tip(text("{word} ({name})", word, keys.shown(name)))
        return Button(sign, partial(scene.faster, by), key=name, slim=True, enabled=left, tip=tip)

    slower = turn("−", "replay_slower", "Slower", -1, scene.pace_at > 0)
    faster = turn("+", "replay_faster", "Faster", 1, scene.pace_at < len(PACES) - 1)
    shown = Label(f"{PACES[scene.pace_at]:g}×", "label!", "bright", centred=True)
    return row(slower, Sized(shown, PACE_WIDTH), faster, gap=6)


class Replay(Playback):
    """Shows a playback, and answers keys."""

    def build(self) -> None:
        build_panels(self)

    def clicked(self, cell: Cell) -> None:
        """Show the sheet of who stands there as it was then; elsewhere, none."""
        name = self.view.miniature_at(self.camera.space_rect(cell).center)
        self.selected = None if name == self.selected else name
        self.rebuild()
        if self.selected is not None:
            self.camera.show([cell])  # its sheet may have come to lie over it

    def overlays(self) -> Overlays:
        marks = super().overlays()
        marks.selected = self.selected or next((mini.id for mini in self.shown.miniatures if mini.active), None)
        return marks

    def update(self, dt: float) -> bool:
        settings = self.app.settings
        self.view.speed = SPEEDS[settings.speed] * self.hurry
        self.view.reduced_motion = settings.reduced_motion
        self.view.resting = not self.playing
        busy = self.view.busy
        changed = super().update(dt)
        if (busy and not self.view.busy) or self.level != self.camera.level:
            self.rebuild()
        if self.playing and not self.view.busy and self.app.top is self:
            self.left_of_beat -= dt * self.hurry
            if self.left_of_beat <= 0:
                changed = True
                if not self.step():
                    self.playing = False
                    if self.returns:
                        self.app.pop()
                        return True
                    self.rebuild()
        return changed

    def pace(self) -> float | None:
        wanted = super().pace()
        return min(wanted or 0.05, 0.05) if self.playing else wanted

    def command(self, name: str, event: pygame.event.Event) -> bool:
        if name == "replay_play" and self.ui.focus is not None and self.ui.focus is not self.scrubber:
            return False  # Space presses the button that has the focus
        if name == "back" and self.selected is not None:
            self.selected = None
            self.rebuild()
            return True
        return super().command(name, event)

    def commands(self) -> Mapping[str, Callable[[], object]]:
        film, blows = self.film, [mark.at for mark in self.film.marks]
        return {
            **super().commands(),
            "replay_play": self.play, "replay_next": self.forward, "replay_back": self.back,
            "replay_next_chance": partial(self.jump, film.chances, 1),
            "replay_last_chance": partial(self.jump, film.chances, -1),
            "replay_next_turn": partial(self.jump, film.turns, 1),
            "replay_last_turn": partial(self.jump, film.turns, -1),
            "replay_next_blow": partial(self.jump, blows, 1), "replay_last_blow": partial(self.jump, blows, -1),
            "replay_first": partial(self.go, self.first), "replay_end": partial(self.go, self.last),
            "replay_faster": partial(self.faster, 1), "replay_slower": partial(self.faster, -1),
            "replay_eyes": lambda: self.look_as(self.seen_as + 1) if len(self.views) > 1 else None,
            "replay_chronicle": self.chronicle,
            "replay_branch": self.branch, "replay_why": self.why, "replay_focus": partial(self.ui.step, 1),
            "replay_next_sheet": partial(self.inspect, 1), "replay_last_sheet": partial(self.inspect, -1),
        }  # fmt: skip


# -- ways to it, for the navigator


def replay(app: Shell, match: Match, reel: Reel, like: Camera | None = None) -> None:
    """The past of a fight that is being played; it stays as it is."""
    app.push(Replay(app, match, reel, like))


def watch(app: Shell, path: Path) -> None:
    """Replay a saved fight; what is wrong with it becomes a dialog. Whose secrets it holds is asked first."""

    def call() -> None:
        match = load_fight(path, app.loading())
        views, played = views_of_file(match), Seats(match.record).played
        if not (fogged(match) and match.decision is not None and Seats(match.record).shared):
            app.push(Replay(app, match, Reel(views, played)))
            return
        choices = [("Back", app.keys.shown("back"), lambda: None)]
        choices += [(view.label, "", partial(replay, app, match, Reel((view,), played))) for view in views]
        app.push(Menu(app, "Seats keep secrets in this fight: whose view?", choices))

    app.guard(call)


def why(app: Shell, match: Match, number: int, like: Camera | None = None) -> None:
    """Explain the computer's deed after so many commands; what can't be explained becomes a message."""
    try:
        scene = WhyScene(app, match, number, like)
    except BattlematError as error:
        app.push(Message(app, "No answer", said(error)))
        return
    app.push(scene)
