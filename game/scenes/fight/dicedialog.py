"""The dialog that asks for the face of a real die: which die, what for, for whom; typed or clicked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

import pygame

from game.scenes.base import Shell
from game.scenes.dialogs.panels import Panel
from game.scenes.fight.panels import hud
from game.view.palette import seat_colour
from game.widgets.controls import PRESS_KEYS, Button, Label, Swatch
from game.widgets.core import Box, Space, Tip, Widget, column, row
from game.widgets.figures import DieFigure, Picture
from game.widgets.text import Die, Piece, Run
from game.widgets.ui import STEERING
from rules.contract.display import Board
from rules.contract.errors import ThrowNeeded
from rules.core.dice import value_of

if TYPE_CHECKING:
    from game.fight.seats import Seats

MOST_FACES = 30
"""So many faces get a button each; dice beyond are typed."""


class Thrower(Protocol):
    """What the dialog asks for the die, and tells the face."""

    @property
    def needed(self) -> ThrowNeeded | None: ...
    @property
    def typed(self) -> Sequence[int | None]: ...
    @property
    def told(self) -> Sequence[tuple[ThrowNeeded, int | None]]: ...
    @property
    def covers(self) -> bool: ...
    @property
    def may_cancel(self) -> bool: ...
    @property
    def seats(self) -> Seats: ...
    @property
    def board(self) -> Board: ...
    def put(self, face: int | None) -> None: ...
    def take_back(self) -> bool: ...
    def call_off(self) -> None: ...


class DiceDialog(Panel):
    """Digits type the face (Enter ends one that could go on), Backspace takes back the last, Esc the whole action."""

    name = "dice"
    width = 470.0
    key_groups = ("general",)

    def __init__(self, app: Shell, throwing: Thrower) -> None:
        super().__init__(app)
        self.throwing = throwing
        self.overlay = not throwing.covers
        self.digits = ""
        self.fault = ""
        """Why the last answer was none."""
        self.steered = False
        """Whether the focus was moved by hand: only then Enter takes the face that has it."""

    def content(self) -> Box:
        throwing = self.throwing
        needed = throwing.needed
        if needed is None:
            return column(Label("…"))
        mini = next((m for m in throwing.board.miniatures if m.id == needed.by), None)
        seat = throwing.seats.of(needed.by)
        odd = needed.rank != needed.faces
        who = [Label(mini.name if mini else "", "label!", "bright")]
        if seat is not None and throwing.seats.shared:
            who.insert(0, Swatch(seat_colour(seat.colour)))  # type: ignore[arg-type]
            who.append(Label(f"· {seat.name}", "label", "quiet"))
        title = f"Throw a d{needed.faces}" + (f" for a d{needed.rank}" if odd else "")
        about: list[Widget] = [
            Label(title, "heading", "gold"),
            Label(f"{needed.label[:1].upper()}{needed.label[1:]} of", "label", "quiet"),
            row(*who, gap=8),
        ]
        if odd:
            counts = value_of(needed.rank, needed.faces)
            about.append(Label(f"A {needed.faces} counts as {counts}.", "small", "quiet"))
        face: list[Widget] = [Picture(hud.likeness(mini.art, mini.side), 54)] if mini is not None else []
        words = column(*about, gap=3)
        words.grow = 1
        head = row(DieFigure(needed.faces, self.digits), words, *face, gap=16)
        fault = [Label(self.fault, "small", "coral")] if self.fault else []
        return column(head, self._faces(needed), *fault, *self._so_far(), self._foot(), gap=12)

    def _faces(self, needed: ThrowNeeded) -> Widget:
        if needed.faces > MOST_FACES:
            return Label(f"Type the face, 1 to {needed.faces}, and press Enter.", "text", "quiet")
        buttons: list[Widget] = [
            Button(str(face), partial(self._put, face), key=f"face {face}") for face in range(1, needed.faces + 1)
        ]
        for button in buttons:
            button.grow = 1
        rows = 1 if needed.faces <= 8 else 2 if needed.faces <= 20 else 3
        per = -(-needed.faces // rows)
        lines = [row(*buttons[i : i + per], gap=5, align="stretch") for i in range(0, len(buttons), per)]
        more = needed.faces > 9
        hint = "Click the face or type it, and press Enter." if more else "Click the face or type it."
        return column(*lines, Label(hint, "small", "faint"), gap=5)

    def _so_far(self) -> list[Widget]:
        """The faces that were given for this action already."""
        pieces: list[Piece] = []
        label = ""
        names = {mini.id: mini.name for mini in self.throwing.board.miniatures}
        for needed, face in self.throwing.told:
            if (needed.by + needed.label) != label:
                label = needed.by + needed.label
                name = names.get(needed.by, "")
                pieces.append(Run(f"{name}, {needed.label} ", "quiet", "small"))
            pieces.append(Die("–" if face is None else str(face), face == needed.faces))
            pieces.append(Run(" ", "quiet", "small"))
        return [Label(pieces)] if pieces else []

    def _foot(self) -> Widget:
        throwing = self.throwing
        cancel = Button(
            "Call it off", self._cancel, hint="Esc", key="cancel", enabled=throwing.may_cancel,
            tip=Tip("Nothing has happened yet: the action is not done."),
        )  # fmt: skip
        cancel.on_refused = self._refused
        back = Button("Back", self._back, hint="Bksp", key="take back", enabled=bool(throwing.typed),
                      tip=Tip("Take back the last face."))  # fmt: skip
        mine = Button("Throw for me", partial(self._put, None), key="for me", hint="T",
                      tip=Tip("The computer throws this die, by the fight's seed."))  # fmt: skip
        return row(cancel, back, Space(grow=1), mine, gap=8)

    # -- answers

    def _put(self, face: int | None) -> None:
        self.digits = self.fault = ""
        self.throwing.put(face)
        if self.app.top is self:
            self.rebuild()

    def _back(self) -> None:
        if self.digits:
            self.digits = self.digits[:-1]
        else:
            self.throwing.take_back()
        if self.app.top is self:
            self.rebuild()

    def _cancel(self) -> None:
        if self.throwing.may_cancel:
            self.throwing.call_off()
        else:
            self._refused()

    def _say(self, fault: str) -> None:
        self.fault = fault
        self.rebuild()

    def _refused(self) -> None:
        self._say("That is on its way: throw, or let the computer throw.")

    def command(self, name: str, event: pygame.event.Event) -> bool:
        if name == "back":
            self._cancel()
            return True
        return False

    def handle(self, event: pygame.event.Event) -> bool:
        needed = self.throwing.needed
        if event.type != pygame.KEYDOWN or needed is None:
            return super().handle(event)
        if event.unicode.isdigit() and event.unicode.isascii():
            self._digit(event.unicode, needed.faces)
            return True
        if event.key == pygame.K_BACKSPACE:
            self._back()
            return True
        if self.digits and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            self._put(int(self.digits))
            return True
        if event.key in PRESS_KEYS and not self.steered:
            # a second Enter on the blow must not be the answer to its first die
            self.fault = "Type the face, or go to it with Tab."
            self.rebuild()
            return True
        self.steered |= event.key in STEERING
        if event.unicode.lower() == "t":
            self._put(None)
            return True
        return super().handle(event)

    def _digit(self, digit: str, faces: int) -> None:
        typed = self.digits + digit
        if not 1 <= int(typed) <= faces:
            self._say(f"A d{faces} shows 1 to {faces}.")
            return
        self.digits, self.fault = typed, ""
        if int(typed) * 10 > faces:
            self._put(int(typed))
        else:
            self.rebuild()
