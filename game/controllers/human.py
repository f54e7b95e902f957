"""What the player's keys mean: the shipped table of commands, with what the player rebound."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pygame

from game.content.tables import parsed
from game.paths import asset
from rules.contract.errors import BattlematError, said

_MODIFIERS = {"Ctrl": pygame.KMOD_CTRL, "Shift": pygame.KMOD_SHIFT, "Alt": pygame.KMOD_ALT}
_NAMED = {
    "Enter": pygame.K_RETURN,
    "Escape": pygame.K_ESCAPE,
    "Tab": pygame.K_TAB,
    "Space": pygame.K_SPACE,
    "Backspace": pygame.K_BACKSPACE,
    "Delete": pygame.K_DELETE,
    "Home": pygame.K_HOME,
    "End": pygame.K_END,
    "Up": pygame.K_UP,
    "Down": pygame.K_DOWN,
    "Left": pygame.K_LEFT,
    "Right": pygame.K_RIGHT,
    "PageUp": pygame.K_PAGEUP,
    "PageDown": pygame.K_PAGEDOWN,
    "Keypad +": pygame.K_KP_PLUS,
    "Keypad -": pygame.K_KP_MINUS,
    "Keypad *": pygame.K_KP_MULTIPLY,
    "Keypad /": pygame.K_KP_DIVIDE,
    "Keypad .": pygame.K_KP_PERIOD,
    "Insert": pygame.K_INSERT,
    "Pause": pygame.K_PAUSE,
    **{f"F{number}": pygame.K_F1 + number - 1 for number in range(1, 13)},
    **{f"Keypad {number}": (pygame.K_KP_0 if number == 0 else pygame.K_KP_1 + number - 1) for number in range(10)},
}

_ANY_CASE = {name.lower(): key for name, key in _NAMED.items()}


@dataclass(frozen=True)
class Stroke:
    """A key with the modifiers that must be held (a mask of `pygame.KMOD_…`)."""

    key: int
    modifiers: int = 0

    def matches(self, key: int, mod: int) -> bool:
        """Whether a key event means this stroke; the wanted modifiers must be held and no others."""
        if key == pygame.K_KP_ENTER:
            key = pygame.K_RETURN
        if key != self.key:
            return False
        return all(bool(mod & mask) == bool(self.modifiers & mask) for mask in _MODIFIERS.values())


@dataclass(frozen=True)
class Command:
    """Something a key does: its name, how the list of keys calls it, and its keys as written."""

    name: str
    group: str
    label: str
    keys: tuple[str, ...]
    strokes: tuple[Stroke, ...]


@functools.lru_cache(maxsize=1024)
def stroke(text: str) -> Stroke:
    """`Ctrl+Enter`, `F5`, `+`, `q` as a stroke. Raises `BattlematError` for a word that names no key."""
    parts = [text] if len(text) == 1 else text.replace("↵", "Enter").split("+")
    if len(parts) > 1 and parts[-1] == "" and (parts[-2] == "" or parts[-2].endswith(" ")):
        parts = [*parts[:-2], parts[-2] + "+"]
    mask = 0
    for part in parts[:-1]:
        modifier = _MODIFIERS.get(part.strip().capitalize())
        if modifier is None:
            raise BattlematError(
                "key {text}: {part} is no modifier; Ctrl, Shift and Alt are", text=repr(text), part=repr(part)
            )
        mask |= modifier
    last = parts[-1].strip()
    if last.lower() in _ANY_CASE:
        return Stroke(_ANY_CASE[last.lower()], mask)
    if len(last) == 1 and last.isprintable():
        return Stroke(ord(last.lower()), mask)
    wrong = "key {text}: no key is called {last}; letters, digits, F1–F12, Enter, Escape … are"
    raise BattlematError(wrong, text=repr(text), last=repr(last))


def name_of(key: int) -> str:
    """What the table of keys calls a key; empty for one that it cannot name (modifiers among them)."""
    if key == pygame.K_KP_ENTER:
        return "Enter"
    if key in _NAMES:
        return _NAMES[key]
    letter = chr(key) if 0x20 < key < 0x3000 else ""
    if not letter.isprintable():
        return ""
    return letter.upper() if len(letter.upper()) == 1 else letter


_NAMES = {key: name for name, key in _NAMED.items()}


FIGHT_GROUPS = ("general", "fight", "camera", "step")
"""The groups of commands that scenes answer to unless they have keys of their own."""


class Keys:
    """All commands of the window, found by key event."""

    def __init__(self, commands: Sequence[Command]) -> None:
        self.commands = tuple(commands)
        self._by_name = {command.name: command for command in commands}
        self._groups: dict[Stroke, set[str]] = {}
        for command in commands:
            for each in command.strokes:
                self._groups.setdefault(each, set()).add(command.group)

    def find(self, key: int, mod: int, *, unicode: str = "", groups: Sequence[str] = FIGHT_GROUPS) -> str:
        """The command that a key event means in a scene that answers to these groups; empty for none.

        `+` and `-` are found by what they type, too.
        """
        for command in self.commands:
            if command.group in groups and any(s.matches(key, mod) for s in command.strokes):
                return command.name
        if unicode in ("+", "-") and not mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT):
            return "zoom_in" if unicode == "+" else "zoom_out"
        return ""

    def named(self, name: str) -> Command:
        """A command by its name. Raises KeyError for one that there is not."""
        return self._by_name[name]

    def shown(self, name: str) -> str:
        """The first key of a command as written on a chip."""
        command = self._by_name.get(name)
        return command.keys[0].replace("Escape", "Esc") if command and command.keys else ""

    def taken(self, text: str, groups: Sequence[str] = FIGHT_GROUPS) -> bool:
        """Whether a bare key is a command's already in a scene that answers to these groups."""
        try:
            wanted = stroke(text)
        except BattlematError:
            return False
        return not self._groups.get(wanted, set()).isdisjoint(groups)


@functools.cache
def _shipped() -> dict[str, dict[str, dict[str, Any]]]:
    path = asset("keys.toml")
    try:
        found = parsed(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BattlematError("{path}: the table of keys cannot be read ({error})", str(path), said(error)) from None
    for group, commands in found.items():
        if not isinstance(commands, dict):
            raise BattlematError("{name}: {group}: needs a table of commands", path.name, group)
        for name, entry in commands.items():
            if wrong := _wrong(entry):
                raise BattlematError("{name}: {group}.{name2}: {wrong}", path.name, group, name, wrong)
    return found


def _wrong(entry: object) -> str:
    """What is wrong with a command of the table; empty if nothing is."""
    if not isinstance(entry, dict) or set(entry) != {"label", "keys"}:
        return "needs label and keys, and nothing else"
    if not isinstance(entry["label"], str):
        return "label: needs text"
    keys = entry["keys"]
    return "" if isinstance(keys, list) and all(isinstance(key, str) for key in keys) else "keys: needs a list of texts"


def load_keys(rebound: Mapping[str, Sequence[str]] | None = None) -> Keys:
    """The shipped keys with the player's own in their place. Raises `BattlematError` for a key nobody knows."""
    found: list[Command] = []
    for group, commands in _shipped().items():
        for name, entry in commands.items():
            keys = tuple((rebound or {}).get(name, entry["keys"]))
            found.append(Command(name, group, str(entry["label"]), keys, tuple(stroke(key) for key in keys)))
    return Keys(found)


@functools.cache
def shipped_keys() -> Keys:
    """The keys as they came."""
    return load_keys()


Bound = dict[str, list[str]]
"""Commands that the player rebound, each with all of its keys (`Settings.keys`)."""

TOGETHER = (
    frozenset(("general", "fight", "camera", "step")),
    frozenset(("general", "setup", "camera", "step")),
    frozenset(("general", "ground", "camera", "step")),
    frozenset(("general", "workshop")),
    frozenset(("general", "forecast", "camera")),
    frozenset(("general", "chain")),
    frozenset(("general", "library")),
    frozenset(("general", "replay", "camera")),
    frozenset(("general", "why", "camera")),
    frozenset(("general", "players", "camera")),
)
"""Groups of commands that scenes answer to at the same time: within one, a key means one thing."""
INDISPENSABLE = ("back",)
"""Commands that are never left without a key: without them nobody finds the way out."""


def written(key: int, mod: int) -> str:
    """A pressed key as the table of keys writes it (`Ctrl+Shift+Z`); empty for a modifier alone or a nameless key."""
    name = name_of(key)
    if not name:
        return ""
    held = ((pygame.KMOD_CTRL, "Ctrl+"), (pygame.KMOD_SHIFT, "Shift+"), (pygame.KMOD_ALT, "Alt+"))
    return "".join(word for mask, word in held if mod & mask) + name


def holder(keys: Keys, command: Command, text: str) -> Command | None:
    """Another command that a key would mean in some scene where this one is asked for, too."""
    wanted = stroke(text)
    for other in keys.commands:
        if other.name != command.name and wanted in other.strokes and _meet(command.group, other.group):
            return other
    return None


def _meet(one: str, other: str) -> bool:
    return one == other or any(one in groups and other in groups for groups in TOGETHER)


def bind(bound: Mapping[str, Sequence[str]], command: Command, text: str, old: str = "") -> Bound:
    """The player's keys with one more for a command, in the place of `old` where that is given."""
    keys = [text if key == old else key for key in command.keys]
    if text not in keys:
        keys.append(text)
    return _changed(bound, command.name, list(dict.fromkeys(keys)))


def unbind(bound: Mapping[str, Sequence[str]], command: Command, text: str) -> Bound:
    """The player's keys with this one taken from a command."""
    gone = stroke(text)
    return _changed(bound, command.name, [key for key in command.keys if stroke(key) != gone])


def given_way(bound: Mapping[str, Sequence[str]]) -> Bound:
    """The player's keys, and what is left to those commands that are shipped with one of them.

    Keys chosen once go on meaning the same when a later program ships another command with them.
    """
    if not bound:
        return {}
    found = {name: list(held) for name, held in bound.items()}
    keys = load_keys(bound)
    own = [command for command in keys.commands if command.name in bound]
    for command in keys.commands:
        if command.name not in bound and command.name not in INDISPENSABLE:
            gone = {s for other in own if _meet(command.group, other.group) for s in other.strokes}
            left = [text for text, s in zip(command.keys, command.strokes, strict=True) if s not in gone]
            if len(left) < len(command.keys):
                found[command.name] = left
    return found


def take(
    bound: Mapping[str, Sequence[str]], keys: Keys, command: Command, text: str, *, old: str = "", give: str = ""
) -> Bound:
    """The same as `bind`, and whoever held the key loses it; the first of them gets `give` for it."""
    found = bind(bound, command, text, old)
    other = holder(keys, command, text)
    while other is not None:
        found = unbind(found, other, text)
        if give:
            found = bind(found, load_keys(found).named(other.name), give)
            give = ""
        rest = load_keys(found)
        other = holder(rest, rest.named(command.name), text)
    return found


def reset(bound: Mapping[str, Sequence[str]], name: str) -> Bound:
    """The player's keys with a command's shipped ones. Where others hold these now, they get their own back, too."""
    found = {other: list(keys) for other, keys in bound.items() if other != name}
    while True:
        keys = load_keys(found)
        command = keys.named(name)
        rivals = [other for text in command.keys if (other := holder(keys, command, text)) is not None]
        rivals = [other for other in rivals if other.name in found]
        if not rivals:
            return found
        del found[rivals[0].name]


def rebound(keys: Keys, name: str) -> bool:
    """Whether a command's keys are not the shipped ones."""
    return keys.named(name).keys != shipped_keys().named(name).keys


def _changed(bound: Mapping[str, Sequence[str]], name: str, keys: list[str]) -> Bound:
    found = {other: list(held) for other, held in bound.items()}
    if tuple(keys) == shipped_keys().named(name).keys:
        found.pop(name, None)
    else:
        found[name] = keys
    return found
