"""Waves in the window: who comes later is said in a dialog, listed under *Encounter* and drawn on the board."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial

import pygame

from game.app.i18n import t
from game.scenes.dialogs.panels import Panel
from game.scenes.setup.workspace import Workspace
from game.setup import check, waves
from game.setup.waves import Wave
from game.view.palette import GOLD, INK, render
from game.widgets.controls import Button, Label, Toggle
from game.widgets.core import Box, Space, Tip, Widget, column, grown, row
from game.widgets.fields import NumberField, TextField
from game.widgets.figures import Rule
from rules.board.arrivals import Cause
from rules.contract.text import joined, text
from rules.core.arrivals import FIRST

CAUSES = {Cause.TURN: "By the turn", Cause.NOISE: "By a noise", Cause.DOOR: "When a door is opened"}
MOST_TURN, MOST_AFTER = 999, 99
DOORS = 8
"""So many doors are offered in rows; where there are more, one after the other."""


def ask(workspace: Workspace) -> None:
    """When the selected come: with nobody selected, say how it is done."""
    chosen = workspace.editor.chosen()
    if not chosen:
        workspace.toast("Select who comes later, then say when.")
        return
    workspace.app.push(Later(workspace, [piece.key for piece in chosen]))


class Later(Panel):
    """When some creatures come, and how."""

    name = "wave"
    key_groups = ("general",)
    width = 520.0

    def __init__(self, workspace: Workspace, keys: list[int]) -> None:
        super().__init__(workspace.app)
        self.workspace, self.keys = workspace, keys
        draft = workspace.editor.draft
        known = [waves.of(draft, key) for key in keys]
        self.before = next((wave for wave in known if wave is not None), None)
        """The wave that one of them is of already."""
        self.wave = self.before or Wave()
        self.doors = waves.shut(workspace.editor.ground)

    def content(self) -> Box:
        draft, wave = self.workspace.editor.draft, self.wave
        names = [check.name_of(draft, piece) for piece in draft.pieces if piece.key in self.keys]
        why = waves.refused(wave, self.workspace.editor.ground)
        shown = joined(", ", names[:6]) if len(names) <= 6 else text("{n} creatures", len(names))
        causes = [
            Button(label, partial(self._set, cause=cause), chosen=wave.cause is cause, slim=True, key=f"cause {cause}",
                   enabled=cause is not Cause.DOOR or bool(self.doors),
                   tip=Tip("No door is shut at first on this map.") if cause is Cause.DOOR and not self.doors else None)
            for cause, label in CAUSES.items()
        ]  # fmt: skip
        parts: list[Widget] = [
            Label("Who comes later", "heading", "bright"), Label(shown, colour="quiet"), row(*causes, gap=6, wrap=True),
            *self._when(), _labelled("Called", grown(TextField(
                "wave name", wave.name, lambda name: self._keep(name=name), self.memory, quiet="No name", most=60))),
            Toggle("Just there, even in sight", wave.sudden, lambda on: self._set(sudden=on), flush=True, tip=Tip(
                "Else they come in at an edge, an exit, stairs or a door, or out of their foes' sight.")),
        ]  # fmt: skip
        if why:
            parts.append(Label(why, colour="coral"))
        here = Button("There from the beginning", self._here, key="wave none", enabled=self.before is not None)
        done = Button("They come so", self._done, gold=True, key="wave done", enabled=not why)
        return column(*parts, row(here, Space(grow=1), self.leave_button(key="back"), done, gap=8, wrap=True), gap=10)

    def _when(self) -> list[Widget]:
        """The turn, or the door, and how long after it."""
        wave = self.wave
        if wave.cause is Cause.TURN:
            field = NumberField("wave turn", wave.turn, lambda n: self._set(turn=n or FIRST), self.memory, low=FIRST,
                                high=MOST_TURN, tip=Tip("Ten seconds each under Count-Up."))  # fmt: skip
            return [_labelled("In turn", field)]
        after = NumberField("wave after", wave.after, lambda n: self._set(after=n or 0), self.memory, low=0,
                            high=MOST_AFTER, tip=Tip("0: with the next turn."))  # fmt: skip
        if wave.cause is Cause.NOISE:
            heard = Label(
                "Fights are heard over 20 spaces, around corners; a shut door counts for 6.", "small", "quiet"
            )
            return [heard, _labelled("Turns after it", after)]
        doors = [
            Button(name, partial(self._set, door=name), chosen=wave.door == name, slim=True, key=f"wave door {name}")
            for name in self.doors
        ]  # fmt: skip
        shown = row(*doors, gap=6, wrap=True) if len(doors) <= DOORS else self.scrolled(column(*doors, gap=4), "doors")
        return [shown, _labelled("Turns after it", after)]

    def _keep(self, **fields: object) -> None:
        self.wave = replace(self.wave, **fields)  # type: ignore[arg-type]

    def _set(self, **fields: object) -> None:
        self._keep(**fields)
        if self.wave.cause is Cause.DOOR and not self.wave.door and len(self.doors) == 1:
            self._keep(door=self.doors[0])
        self.rebuild()

    def _here(self) -> None:
        self._take(None, "there from the beginning")

    def _done(self) -> None:
        self._take(self.wave, "a wave")

    def _take(self, wave: Wave | None, what: str) -> None:
        editor = self.workspace.editor
        editor.change(waves.put(editor.draft, self.keys, wave), what)
        self.app.pop()
        self.workspace.refresh()


def _labelled(label: str, widget: Widget) -> Widget:
    return row(Label(label, "label", "quiet"), widget, gap=8)


# -- the section of the panel


def section(workspace: Workspace) -> list[Widget]:
    """The waves of the encounter: each with who is of it; a button for the selected."""
    found, shown = waves.waves(workspace.editor.draft), workspace.app.keys.shown("setup_wave")
    parts: list[Widget] = [Rule(), Label("Waves", "label!", "gold")]
    for number, (wave, keys) in enumerate(found):
        select = Button(str(len(keys)), partial(workspace.select, keys), quiet=True, key=f"wave select {number}",
                        tip=Tip("Select all of this wave."))  # fmt: skip
        edit = Button(wave.called, partial(_edit, workspace, keys), left=True, slim=True, key=f"wave {number}",
                      tip=Tip("When they come, and how."))  # fmt: skip
        parts.append(row(grown(edit), select, gap=4))
    if not found:
        parts.append(Label("Everybody is there from the beginning.", colour="quiet"))
    tip = Tip("By the turn, by a noise, or when a door is opened.")
    parts.append(Button("They come later …", partial(ask, workspace), hint=shown, key="wave new", tip=tip))
    return parts


def _edit(workspace: Workspace, keys: list[int]) -> None:
    workspace.select(keys)
    workspace.app.push(Later(workspace, keys))


# -- the board


def draw(surface: pygame.Surface, workspace: Workspace) -> None:
    """On everybody who comes later, when: the miniature under a veil, a plate at its foot."""
    draft, camera = workspace.editor.draft, workspace.camera
    for wave, keys in waves.waves(draft):
        for piece in draft.pieces:
            if piece.key not in keys or piece.spot is None:
                continue
            rect = camera.space_rect(piece.spot, workspace.editor.size_of(piece.entry))
            veil = pygame.Surface(rect.size, pygame.SRCALPHA)
            veil.fill((*INK, 96))
            surface.blit(veil, rect)
            plate = _plate(_short(wave), max(9, camera.zoom // 5), rect.width)
            surface.blit(plate, plate.get_rect(midbottom=(rect.centerx, rect.bottom)))


def _short(wave: Wave) -> str:
    """When, as short as a space is wide."""
    if wave.cause is Cause.TURN:
        return t(text("turn {n}", wave.turn))
    return t("door") if wave.cause is Cause.DOOR else t("noise")


@lru_cache(maxsize=64)
def _plate(words: str, size: int, wide: int) -> pygame.Surface:
    mark = render("bold", size, words, GOLD)
    if mark.get_width() > wide - 6:
        mark = pygame.transform.smoothscale_by(mark, (wide - 6) / mark.get_width())
    plate = pygame.Surface((mark.get_width() + 4, mark.get_height() + 2), pygame.SRCALPHA)
    pygame.draw.rect(plate, (*INK, 220), plate.get_rect(), border_radius=3)
    plate.blit(mark, mark.get_rect(center=plate.get_rect().center))
    return plate
