"""The app's own loop under a clock that only the soak moves: no second is waited for, and every run is the same."""

from __future__ import annotations

import threading

import pygame

from game.app.loop import App
from game.app.settings import Settings
from game.app.window import WAKE
from tests.soak.wrong import Wrong

BEGINNING = 1000.0
MOST_TURNS = 400
"""Turns of the loop in which no time passes, after which it spins."""
LEAST = 0.01
"""Seconds that a thread takes at least, as whatever is done takes some."""
PATIENCE = 30.0
"""Real seconds that a thread beside the window may take."""
BESIDE = ("thinking", "saves")
"""The threads that the window starts and hears of; others never end by themselves."""


class Clock:
    """The clock on the wall."""

    def __init__(self) -> None:
        self.now = BEGINNING

    def monotonic(self) -> float:
        """Seconds."""
        return self.now


class Loop(App):
    """`frame`: seconds that a turn takes at least. `thinks`: seconds until a thread's word is heard.

    Words of threads are waited for and then held back, so that what is done meanwhile always comes before them.
    """

    def __init__(self, clock: Clock, size: tuple[int, int], settings: Settings, *, frame: float, thinks: float) -> None:
        pygame.display.init()
        pygame.event.clear()
        self.wall, self.frame, self.thinks = clock, frame, max(thinks, LEAST)
        self.drawing = False
        """Whether frames are drawn; most are not, as nobody looks at them."""
        self._words: list[tuple[float, pygame.event.Event]] = []
        self._until = clock.now
        super().__init__(size, settings=settings, clock=clock.monotonic)
        self._turned = clock.now

    def give(self, *events: pygame.event.Event) -> None:
        """Let the app answer these, in a turn of its loop in which no time passes."""
        for event in events:
            pygame.event.post(event)
        self.let(0.0)

    def let(self, seconds: float) -> None:
        """Let time pass; raises what the app lets slip, and Wrong where its loop spins."""
        self._until = self.wall.now + seconds
        idle, first = 0, True
        while self.running and (first or self.wall.now < self._until - 1e-9):
            first = False
            before = self.wall.now
            self._turn()
            idle = 0 if self.wall.now > before else idle + 1
            if idle > MOST_TURNS:
                raise Wrong("the loop never spins", f"{self.top.name} wants a turn at once, again and again")

    def draw(self) -> None:
        """Draw if anybody looks; else it was drawn, as far as the scenes know."""
        if self.drawing:
            super().draw()
        for scene in self.scenes:
            scene.dirty = False

    def picture(self) -> None:
        """Draw the present frame."""
        self.drawing = True
        try:
            self.draw()
        finally:
            self.drawing = False

    def _wait(self, pace: float | None) -> list[pygame.event.Event]:  # type: ignore[override]
        self._hear()
        due = [event for at, event in self._words if at <= self.wall.now]
        if due:
            self._words = self._words[len(due) :]
            return due
        if pygame.event.peek() or (pace is not None and pace <= 0):
            return []
        ends = [self._until, *(at for at, _ in self._words[:1])]
        if pace is not None:
            ends.append(self.wall.now + max(pace, self.frame))
        self.wall.now = max(self.wall.now, min(ends))
        return []

    def _hear(self) -> None:
        for thread in threading.enumerate():
            if thread.name in BESIDE:
                thread.join(PATIENCE)
                if thread.is_alive():
                    raise Wrong("nobody thinks for ever", f"{thread.name} took {PATIENCE:.0f} s", thread.name)
        for event in pygame.event.get(WAKE):
            self._words.append((self.wall.now + self.thinks, event))

    @property
    def expects(self) -> bool:
        """Whether a thread's word is still to be heard."""
        self._hear()
        return bool(self._words)
