"""Help (F1) and the list of all keys (Ctrl+K); the page of the settings on which keys are changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import pygame

from game.app.i18n import t
from game.controllers import human as rebinding
from game.controllers.human import Command
from game.scenes.base import Shell
from game.scenes.dialogs.panels import Panel
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Sized, Space, Tip, Widget, column, grown, row
from game.widgets.fields import Mark, TextField
from game.widgets.text import Run
from rules.contract.text import Text, joined

GROUPS = {
    "general": "Anywhere", "fight": "In a fight", "setup": "Preparing an encounter",
    "ground": "Drawing the ground", "chain": "Chains of encounters", "library": "The library",
    "workshop": "Making heroes",
    "forecast": "In a forecast", "replay": "In a replay", "why": "Asking the computer why", "camera": "Camera",
    "players": "The players' window and its remote",
    "step": "Moving",
}  # fmt: skip

MOUSE = (
    ("Click a lit space", "moves there by the cheapest way: free steps, steps, then a run"),
    ("Click a foe", "attacks with what is in hand; out of reach: plans way and blow, one more click does both"),
    ("Click a shut door", "goes there and opens it"),
    ("Drag from the creature", "draws the path; Space sets a waypoint"),
    ("Right click", "shows what can be done there; while something is planned it takes that back"),
    ("Wheel", "zooms about the pointer; middle or right drag pans"),
    ("Ctrl + drag", "measures; Alt + click on two spaces shows the line of sight"),
    ("Hold Alt", "names, doors and items; hold Shift to hurry animations"),
)

HELP = {
    "How a fight goes": (
        "The strip on top shows who acts and who comes next. Whoever acts stands in a pale halo; what it may do "
        "is at the foot of the window, with the cost and the key of each. Lit spaces can be reached: teal with a "
        "dot for free, blue outlines for steps, hatched for a run."
    ),
    "Before you strike": (
        "Every foe in reach wears your chance to hit. Point at one and its card opens: the chance, how much harm "
        "to expect, and each adjustment with its rule. A cross says that it can't be done, and why."
    ),
    "After the dice": (
        "The log keeps every die as it was thrown. Click a line to unfold its rolls. Gold dice exploded. Rest "
        "the pointer on an adjustment for its rule."
    ),
    "Second thoughts": (
        "The arrow over the log takes back the last decision (Ctrl+Z), with all that the computer did after it. "
        "Once dice were thrown or something hidden was seen, it asks first: such a rewind is noted in the log, "
        "and what you leave is kept as a branch that you can take up again (Ctrl+B)."
    ),
    "Seen again": (
        "The round arrow over the log shows the last enemy turn once more (Ctrl+R). Replay in the menu plays the "
        "whole fight: jump along its line of time, and play on from any point; what came after is kept as a "
        "branch."
    ),
    "Why did it do that?": (
        "Click the ? beside a deed of the computer's in the log (Ctrl+I): you see its three best options, what "
        "spoke for and against each, and, for any space that you click, why not there."
    ),
    "Preparing an encounter": (
        "Drag creatures from the bestiary onto the map, or take one into the hand with a click and put many "
        "down. A click on somebody opens their stat block; what is still wrong stands at the foot. Everything "
        "can be undone, and the fight's menu leads back to the table."
    ),
    "Words": (
        "Rest the pointer on a word of the sheet or the log, a badge or a button: it says what it means and "
        "where the rule stands. In a fight, the search above finds such words, too."
    ),
}


def has_words(query: str, *texts: str) -> bool:
    """Whether texts have all words of a search, in English or in the player's language."""
    whole = " ".join((*texts, *(t(text) for text in texts))).lower()
    return all(word in whole for word in t(query).lower().split())


def fitting(command: Command, query: str) -> bool:
    """Whether a search finds a command: by what it is called, where it holds, or one of its keys."""
    return has_words(query, command.label, *command.keys, GROUPS.get(command.group, ""))


class Help(Panel):
    """Both pages; `page` is `help` or `keys`."""

    name = "help"
    width = 720.0
    first = "search"
    key_groups = ("general",)

    def __init__(self, app: Shell, page: str = "help") -> None:
        super().__init__(app)
        self.page = page

    def content(self) -> Box:
        body = self._found() if self.query.strip() else self._keys() if self.page == "keys" else self._help()
        scroll = grown(Scroll(body, height=460, steady=True))
        titles = {"help": "How to play", "keys": "All keys"}
        other = "help" if self.page == "keys" else "keys"
        turn = Button(titles[other], lambda: self.turn(other), key="turn", hint=self.app.keys.shown(other))
        back = Button("Back", self.app.pop, gold=True, hint="Esc")
        pages = Label("PageUp and PageDown scroll", "small", "faint", one_line=True)
        rules = Button("Rules", self.app.look_up, key="rules", hint=self.app.keys.shown("reference"))
        quiet = "Search: a key, a deed, a word"
        search = TextField("search", self.query, self.search, self.memory, most=60, quiet=quiet)
        head = row(Label(titles[self.page], "heading", "bright"), Space(grow=1), Sized(search, 300))
        return column(head, scroll, row(turn, rules, Space(grow=1), pages, back, gap=8), gap=12)

    def _found(self) -> Widget:
        """Everything that has all the words searched for: keys, the mouse, the help, and a word of the rules."""
        parts: list[Widget] = []
        match = self.match_below()
        if match is not None and (rule := match.ruleset.term(self.query.strip())) is not None:
            word = Label(self.query.strip().capitalize(), "label!", "gold")
            parts += [word, Label(rule[0]), Label(rule[1], "small", "faint")]
        parts += by_group((c for c in self.app.keys.commands if fitting(c, self.query)), _keys_line)
        parts += [_line(what, means) for what, means in MOUSE if has_words(self.query, what, means)]
        for title, text in HELP.items():
            if has_words(self.query, title, text):
                parts += [Label(title, "label!", "gold"), Label(text)]
        return column(*(parts or [Label("Nothing has these words.", colour="quiet")]), gap=6)

    def turn(self, page: str) -> None:
        """Show the other page."""
        self.page, self.query = page, ""
        self.rebuild()

    def _help(self) -> Widget:
        parts = [each for title, text in HELP.items() for each in (Label(title, "label!", "gold"), Label(text))]
        mouse = (_line(what, means) for what, means in MOUSE)
        return column(*parts, Label("With the mouse", "label!", "gold"), *mouse, gap=6)

    def _keys(self) -> Widget:
        told = Label("Buttons of an action bar show their own keys.", colour="quiet")
        return column(*by_group(self.app.keys.commands, _keys_line), told, gap=5)


def _line(what: str, means: str) -> Widget:
    return row(Sized(Label([Run(what, "bright", "text!")]), 210), Label(means, colour="text"), gap=12, align="start")


def _keys_line(command: Command) -> Widget:
    return _line(joined(" · ", command.keys), command.label)


def by_group(commands: Iterable[Command], line: Callable[[Command], Widget]) -> list[Widget]:
    """A line for each command, under the names of their groups."""
    groups: dict[str, list[Widget]] = {}
    for command in commands:
        groups.setdefault(command.group, []).append(line(command))
    heads = {group: Label(GROUPS.get(group, group.capitalize()), "label!", "gold") for group in groups}
    return [widget for group, lines in groups.items() for widget in (heads[group], *lines)]


def keys_page(app: Shell, search: Widget, query: str) -> list[Widget]:
    """A line to search in, and the commands that it finds by group, each with its keys."""
    told = Label("Press a key to change it, + to add another. Two scenes may share a key.", colour="quiet")
    found = by_group((command for command in app.keys.commands if fitting(command, query)), partial(_key_line, app))
    if not found:
        found.append(Label("No command and no key is called so.", colour="quiet"))
    changed = bool(app.settings.keys)
    every = Button("All keys as they came", lambda: app.rebind({}), key="reset all", enabled=changed,
                   tip=None if changed else Tip("Every key is as it came."))  # fmt: skip
    return [told, search, *found, row(Space(grow=1), every)]


def _key_line(app: Shell, command: Command) -> Widget:
    def ask(old: str) -> Callable[[], None]:
        return lambda: app.push(Capture(app, command.name, old))

    told = Tip("Another key instead, or none.")
    chips: list[Widget] = [
        Button(key, ask(key), key=f"{command.name} {key}", slim=True, tip=told) for key in command.keys
    ]
    chips.append(Button("+", ask(""), key=f"{command.name} more", slim=True, tip=Tip("One more key.")))
    if rebinding.rebound(app.keys, command.name):
        chips.append(Mark("back", lambda: app.rebind(rebinding.reset(app.settings.keys, command.name)),
                          key=f"{command.name} reset", tip=Tip("The keys that it came with.")))  # fmt: skip
    return row(Sized(Label(command.label), 300), row(*chips, gap=4, wrap=True), gap=10)


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
        if (other := self.holder) is not None:
            return column(head, *self._conflict(other), gap=12)
        told = Text.of("Now {old}. Press its new key.", old=self.old) if self.old else "Press one more key for it."
        buttons: list[Widget] = [Space(grow=1)]
        if self.old:
            last = len(self.bound.keys) == 1 and self.command_name in rebinding.INDISPENSABLE
            told_ = "Without it nobody would find the way out." if last else "Takes this key away."
            rid = partial(rebinding.unbind, self.app.settings.keys, self.bound, self.old)
            buttons.append(Button("No key", lambda: self._done(rid()), enabled=not last, key="none", tip=Tip(told_)))
        buttons.append(Button("Leave it", self.app.pop, hint="Esc", gold=True, key="leave"))
        note = [Label(self.note, colour="coral")] if self.note else []
        return column(head, Label(told), *note, row(*buttons, gap=8, wrap=True), gap=12)

    def _conflict(self, other: Command) -> list[Widget]:
        told = Text.of("{pressed} already means: {label}.", pressed=self.pressed, label=other.label)
        buttons: list[Widget] = []
        if self.old:
            swapped = Tip(Text.of("That gets {old} instead.", old=self.old))
            buttons.append(Button("Swap", partial(self._take, self.old), key="swap", gold=True, tip=swapped))
        alone = len(other.keys) == 1 and other.name in rebinding.INDISPENSABLE
        lost = "Without it nobody would find the way out." if alone else "That loses this key."
        buttons.append(Button("Take it", partial(self._take, ""), key="take", enabled=not alone, tip=Tip(lost)))
        buttons.append(Button("Another key", self._again, key="again", hint="Esc"))
        return [Label(told), row(*buttons, gap=8, wrap=True)]

    # -- answers

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.KEYDOWN and not self.pressed:
            return self._press(event)
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self._again()
            return True
        return super().handle(event)

    def _press(self, event: pygame.event.Event) -> bool:
        text, held = rebinding.written(event.key, event.mod), pygame.KMOD_CTRL | pygame.KMOD_SHIFT | pygame.KMOD_ALT
        if (event.key == pygame.K_ESCAPE and not event.mod & held) or (text and text == self.old):
            self.app.pop()
        elif text:
            self.pressed = text
            if self.holder is None:
                self._take()
            else:
                self.rebuild()
                self.ui.focus_key("swap" if self.old else "take")
        elif pygame.key.name(event.key) and event.key not in _MODIFIERS:
            self.note = "That key has no name here; another one, please."
            self.rebuild()
        return True

    def _again(self) -> None:
        self.pressed = self.note = ""
        self.rebuild()
        self.ui.focus_key("leave")

    def _take(self, give: str = "") -> None:
        bound, keys = self.app.settings.keys, self.app.keys
        self._done(rebinding.take(bound, keys, self.bound, self.pressed, old=self.old, give=give))

    def _done(self, keys: rebinding.Bound) -> None:
        self.app.pop()
        self.app.rebind(keys)


_MODIFIERS = frozenset(
    (pygame.K_LSHIFT, pygame.K_RSHIFT, pygame.K_LCTRL, pygame.K_RCTRL, pygame.K_LALT, pygame.K_RALT)
    + (pygame.K_LGUI, pygame.K_RGUI, pygame.K_MODE, pygame.K_CAPSLOCK, pygame.K_NUMLOCKCLEAR, pygame.K_SCROLLLOCK)
)


def help(app: Shell, page: str = "help") -> None:
    """Help or the list of keys; the same once more: back; the other one: turned to."""
    top = app.top
    if not isinstance(top, Help):
        app.push(Help(app, page))
    elif top.page != page:
        top.turn(page)
    else:
        app.pop()
