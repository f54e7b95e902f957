"""What is held down and where the pointer is, as the window's events tell it; nothing is ever polled."""

from __future__ import annotations

import pygame

from game.controllers.human import Keys
from game.scenes.base import Scene

REPEATING = frozenset(
    (
        *("next_target", "last_target", "threat"),
        *("north", "south", "west", "east", "northwest", "northeast", "southwest", "southeast"),
        *("pan_up", "pan_left", "pan_down", "pan_right", "zoom_in", "zoom_out"),
        *("undo", "redo", "setup_undo", "setup_redo", "setup_next", "setup_last"),
        *("workshop_undo", "workshop_redo"),
        *("replay_next", "replay_back", "replay_next_blow", "replay_last_blow"),
    )
)
"""Commands that a held key goes on giving."""
MOVING = frozenset(
    (pygame.K_UP, pygame.K_DOWN, pygame.K_LEFT, pygame.K_RIGHT, pygame.K_PAGEUP, pygame.K_PAGEDOWN)
    + (pygame.K_TAB, pygame.K_BACKSPACE, pygame.K_DELETE)
)
"""Keys that move the focus or edit text, and go on while held."""
DECIDING = frozenset((pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE, pygame.K_ESCAPE))
MASKS = {
    pygame.K_LSHIFT: pygame.KMOD_SHIFT,
    pygame.K_RSHIFT: pygame.KMOD_SHIFT,
    pygame.K_LCTRL: pygame.KMOD_CTRL,
    pygame.K_RCTRL: pygame.KMOD_CTRL,
    pygame.K_LALT: pygame.KMOD_ALT,
    pygame.K_RALT: pygame.KMOD_ALT,
}
"""What a modifier's own key adds to an event's modifiers."""


class Presses:
    """Modifiers (a `pygame.KMOD_…` mask), keys held down and the pointer's pixel."""

    def __init__(self) -> None:
        self.modifiers = 0
        self.pointer = (-1, -1)
        self._down: set[int] = set()
        self._brought = ""

    def again(self, event: pygame.event.Event) -> bool:
        """Whether an event, not noted yet, is a key that has been down all the time."""
        return event.type == pygame.KEYDOWN and event.key in self._down

    def steadied(self, events: list[pygame.event.Event]) -> list[pygame.event.Event]:
        """Events that came together, without the repeats of a held key that slowness has piled up.

        While a turn of the loop takes its time, a key goes on repeating, even one that was let go long ago: of such
        repeats only the last counts, and none if the key has been let go since.
        """
        kept: list[pygame.event.Event] = []
        later: set[int] = set()
        """Keys that are let go, or repeat, after the event looked at."""
        for number in range(len(events) - 1, -1, -1):
            event = events[number]
            if event.type == pygame.KEYDOWN and event.key in later and self._held(events[:number], event.key):
                continue
            if event.type in (pygame.KEYDOWN, pygame.KEYUP):
                later.add(event.key)
            kept.append(event)
        return kept[::-1]

    def _held(self, before: list[pygame.event.Event], key: int) -> bool:
        """Whether a key is down already after events that were not noted yet."""
        last = next((e for e in reversed(before) if getattr(e, "key", None) == key), None)
        return key in self._down if last is None else last.type == pygame.KEYDOWN

    def note(self, event: pygame.event.Event) -> None:
        """Remember what an event tells; clicks are told what is held, as keys are."""
        if event.type == pygame.MOUSEBUTTONDOWN:
            event.mod = self.modifiers
        if event.type == pygame.KEYDOWN:
            self.modifiers = event.mod | MASKS.get(event.key, 0)
            self._down.add(event.key)
            self._brought = event.unicode
        elif event.type == pygame.KEYUP:
            self.modifiers = event.mod & ~MASKS.get(event.key, 0)
            self._down.discard(event.key)
        elif event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            self.pointer = event.pos
        elif event.type == pygame.WINDOWFOCUSLOST:
            self.modifiers = 0
            self._down.clear()

    def brought(self) -> str:
        """What the latest key was said to write, once: the text itself follows as an event of its own.

        The two differ where a key came while an earlier press of the same key still waited, and text comes without
        any key from dead keys, a compose key or an input method. The text is right.
        """
        found, self._brought = self._brought, ""
        return found if found.isprintable() else ""


def may_repeat(event: pygame.event.Event, keys: Keys, scene: Scene) -> bool:
    """Whether a held key goes on acting: what moves or types does; what decides or switches doesn't."""
    name = keys.find(event.key, event.mod, unicode=event.unicode, groups=scene.key_groups)
    if name in REPEATING or event.key in MOVING:
        return True
    return not name and scene.ui.focus is not None and event.key not in DECIDING
