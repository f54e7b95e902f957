"""A player's own keys: what a pressed key is called, which command holds it already, taking, swapping and resetting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pygame

from game.controllers.human import Command, Keys, load_keys, name_of, stroke

Bound = dict[str, list[str]]
"""Commands that the player rebound, each with all of its keys (`Settings.keys`)."""

TOGETHER = (
    frozenset(("general", "fight", "camera", "step")),
    frozenset(("general", "setup", "camera", "step")),
    frozenset(("general", "workshop")),
    frozenset(("general", "forecast", "camera")),
    frozenset(("general", "replay", "camera")),
    frozenset(("general", "why", "camera")),
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
    bound: Mapping[str, Sequence[str]],
    keys: Keys,
    command: Command,
    text: str,
    *,
    old: str = "",
    give: str = "",
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
    return keys.named(name).keys != load_keys().named(name).keys


def _changed(bound: Mapping[str, Sequence[str]], name: str, keys: list[str]) -> Bound:
    found = {other: list(held) for other, held in bound.items()}
    if tuple(keys) == load_keys().named(name).keys:
        found.pop(name, None)
    else:
        found[name] = keys
    return found
