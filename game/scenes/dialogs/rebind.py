"""Every command with its keys, to be changed in the window: press the new one; whoever holds it is named."""

from __future__ import annotations

from functools import partial

import pygame

from game.controllers import human as rebinding
from game.controllers.human import Command
from game.scenes.base import Shell
from game.scenes.dialogs.help import GROUPS, fitting
from game.scenes.dialogs.panels import Panel
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Sized, Space, Tip, Widget, column, row
from game.widgets.fields import Mark


def keys_page(app: Shell, search: Widget, query: str) -> list[Widget]:
    """A line to search in, and the commands that it finds by group, each with its keys."""
    found: list[Widget] = [
        Label("Press a key to change it, + to add another. Two scenes may share a key.", colour="quiet"),
        search,
    ]
    commands = [command for command in app.keys.commands if fitting(command, query)]
    for group in dict.fromkeys(command.group for command in commands):
        found.append(Label(GROUPS.get(group, group.capitalize()), "label!", "gold"))
        found += [_line(app, command) for command in commands if command.group == group]
    if not commands:
        found.append(Label("No command and no key is called so.", colour="quiet"))
    changed = bool(app.settings.keys)
    every = Button(
        "All keys as they came",
        lambda: app.rebind({}),
        key="reset all",
        enabled=changed,
        tip=None if changed else Tip("Every key is as it came."),
    )
    return [*found, row(Space(grow=1), every)]


def _line(app: Shell, command: Command) -> Widget:
    chips: list[Widget] = [
        Button(
            key,
            partial(_ask, app, command.name, key),
            key=f"{command.name} {key}",
            slim=True,
            tip=Tip("Another key instead, or none."),
        )
        for key in command.keys
    ]
    chips.append(
        Button("+", partial(_ask, app, command.name, ""), key=f"{command.name} more", slim=True,
               tip=Tip("One more key."))
    )  # fmt: skip
    if rebinding.rebound(app.keys, command.name):
        own = partial(_reset, app, command.name)
        chips.append(Mark("back", own, key=f"{command.name} reset", tip=Tip("The keys that it came with.")))
    keys = row(*chips, gap=4, wrap=True)
    label = Label(command.label)
    return row(Sized(label, 300), keys, gap=10)


def _ask(app: Shell, name: str, old: str) -> None:
    app.push(Capture(app, name, old))


def _reset(app: Shell, name: str) -> None:
    app.rebind(rebinding.reset(app.settings.keys, name))


class Capture(Panel):
    """Waits for the new key of a command: in the place of `old`, or as one more where that is empty."""

    name = "capture"
    key_groups = ()
    """Every key is what it is: none gives a command here."""
    width = 440.0

    def __init__(self, app: Shell, name: str, old: str) -> None:
        super().__init__(app)
        self.command_name, self.old = name, old
        self.pressed = ""
        """A key that somebody else holds; the player is asked."""
        self.note = ""

    @property
    def bound(self) -> Command:
        """The command whose key is asked for."""
        return self.app.keys.named(self.command_name)

    @property
    def holder(self) -> Command | None:
        """Who holds the pressed key."""
        return rebinding.holder(self.app.keys, self.bound, self.pressed) if self.pressed else None

    def content(self) -> Box:
        head = Label(self.bound.label, "heading", "bright")
        other = self.holder
        if other is not None:
            return column(head, *self._conflict(other), gap=12)
        told = f"Now {self.old}. Press its new key." if self.old else "Press one more key for it."
        buttons: list[Widget] = [Space(grow=1)]
        if self.old:
            last = len(self.bound.keys) == 1 and self.command_name in rebinding.INDISPENSABLE
            buttons.append(
                Button("No key", self._take_away, enabled=not last, key="none",
                       tip=Tip("Without it nobody would find the way out." if last else "Takes this key away."))
            )  # fmt: skip
        buttons.append(Button("Leave it", self.app.pop, hint="Esc", gold=True, key="leave"))
        lines = [Label(told)]
        if self.note:
            lines.append(Label(self.note, colour="coral"))
        return column(head, *lines, row(*buttons, gap=8, wrap=True), gap=12)

    def _conflict(self, other: Command) -> list[Widget]:
        told = f"{self.pressed} already means: {other.label}."
        buttons: list[Widget] = []
        if self.old:
            buttons.append(
                Button(
                    "Swap",
                    partial(self._take, self.old),
                    key="swap",
                    gold=True,
                    tip=Tip(f"That gets {self.old} instead."),
                )
            )
        alone = len(other.keys) == 1 and other.name in rebinding.INDISPENSABLE
        buttons.append(
            Button("Take it", partial(self._take, ""), key="take", enabled=not alone,
                   tip=Tip("Without it nobody would find the way out." if alone else "That loses this key."))
        )  # fmt: skip
        buttons.append(Button("Another key", self._again, key="again", hint="Esc"))
        return [Label(told), row(*buttons, gap=8, wrap=True)]

    # -- answers

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.KEYDOWN and not self.pressed:
            return self._press(event)
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self._again()
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 3:
            self.app.pop()
            return True
        return super().handle(event)

    def _press(self, event: pygame.event.Event) -> bool:
        if event.key == pygame.K_ESCAPE and not event.mod & (pygame.KMOD_CTRL | pygame.KMOD_SHIFT | pygame.KMOD_ALT):
            self.app.pop()
            return True
        text = rebinding.written(event.key, event.mod)
        if not text:
            if pygame.key.name(event.key) and event.key not in _MODIFIERS:
                self.note = "That key has no name here; another one, please."
                self.rebuild()
            return True
        if text == self.old:
            self.app.pop()
            return True
        self.pressed = text
        if self.holder is None:
            self._take()
        else:
            self.rebuild()
            self.ui.focus_key("swap" if self.old else "take")
        return True

    def _again(self) -> None:
        self.pressed = self.note = ""
        self.rebuild()
        self.ui.focus_key("leave")

    def _take(self, give: str = "") -> None:
        bound, keys = self.app.settings.keys, self.app.keys
        self._done(rebinding.take(bound, keys, self.bound, self.pressed, old=self.old, give=give))

    def _take_away(self) -> None:
        self._done(rebinding.unbind(self.app.settings.keys, self.bound, self.old))

    def _done(self, keys: rebinding.Bound) -> None:
        self.app.pop()
        self.app.rebind(keys)


_MODIFIERS = frozenset(
    (pygame.K_LSHIFT, pygame.K_RSHIFT, pygame.K_LCTRL, pygame.K_RCTRL, pygame.K_LALT, pygame.K_RALT)
    + (
        pygame.K_LGUI,
        pygame.K_RGUI,
        pygame.K_MODE,
        pygame.K_CAPSLOCK,
        pygame.K_NUMLOCKCLEAR,
        pygame.K_SCROLLLOCK,
    )
)
