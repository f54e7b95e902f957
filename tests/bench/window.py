"""Frames: the fight's scene at 1080p on a dummy screen, which draws as the real one does save for the last copy."""

from __future__ import annotations

import os
import threading
import time
from statistics import median
from typing import Any

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

import pygame

from game.app.loop import App
from game.app.settings import Settings
from game.app.window import wake
from game.fight.match import Match
from game.scenes.fight.scene import Fight
from game.widgets.story import Entry, Story
from game.widgets.text import Run
from tests.bench import arena
from tests.bench.clock import percentile, times
from tests.bench.table import Row

SIZE = (1920, 1080)


def frames(count: int = 240) -> list[Row]:
    """Scrolling over a 64 × 64 map with 40 miniatures, an idle window, a line more in a long log."""
    app = App(SIZE, settings=Settings(autosave=False))
    try:
        app.navigator.show(Match.from_record(_by_people()))
        fight = app.top
        assert isinstance(fight, Fight)
        for _ in range(90):  # the ground is drawn piece by piece; then everything is there
            app.tick(1 / 30)
            app.draw()
        other = pygame.Surface(SIZE).convert()
        blit = median(times([lambda: app.surface.blit(other, (0, 0))] * 60)) / 1000
        moving = _scrolling(app, fight, count)
        return [
            Row("frame while scrolling, 1080p, median", median(moving), "ms", "copying a whole screen", blit, 4),
            Row("… 99th percentile", percentile(moving, 0.99), "ms", "copying a whole screen", blit),
            *_quiet(app, blit),
            *_log(app, blit),
        ]  # fmt: skip
    finally:
        pygame.quit()


def _by_people() -> dict[str, Any]:
    """The bench's fight with people on both sides: the window waits for them, and nobody thinks meanwhile."""
    document = arena.document(64, 16, 24)
    return {**document, "creatures": [{**entry, "controller": "human"} for entry in document["creatures"]]}


def _scrolling(app: App, fight: Fight, count: int) -> list[float]:
    """Milliseconds of each frame; the view wanders to and fro over the map."""

    def frame(number: int) -> None:
        way = 1 if number // 60 % 2 else -1
        fight.camera.pan(11 * way, 5 * way)
        app.tick(1 / 60)
        app.draw()

    return [t / 1000 for t in times([lambda n=n: frame(n) for n in range(count)])]


def _quiet(app: App, blit: float) -> list[Row]:
    """A turn of the window's loop once nothing moves any more: time passes, it draws only if that changed anything."""
    for _ in range(400):
        app.tick(0.1)
        app.draw()

    def turn() -> None:
        app.tick(1 / 60)
        if app.top.dirty:
            app.draw()

    idle = median(times([turn] * 200)) / 1000
    return [
        Row("idle, a turn of the loop", idle, "ms", "copying a whole screen", blit, 0.1),
        Row("idle, CPU of a second in which nobody does anything", _second(app), "ms", goal=10),
    ]


def _second(app: App, seconds: float = 4.0) -> float:
    """CPU milliseconds that the window's own loop takes of a second without any event."""
    pygame.event.clear()  # what opening the window brought is no second of rest
    app.running = True
    ends = threading.Timer(seconds, wake, (app.quit,))
    spent, begun = time.process_time(), time.monotonic()
    ends.start()
    app.loop()
    return 1000 * (time.process_time() - spent) / (time.monotonic() - begun)


def _log(app: App, blit: float) -> list[Row]:
    """One more line at the end of a log of 2,000, laid out and drawn."""
    look, panel = app.look, pygame.Rect(1500, 300, 400, 700)
    line = "Hedda hits Snik with the bastard sword: 14 against 9, a solid hit for 7 points of damage."

    def entry(number: int) -> Entry:
        return Entry([Run(f"{word} ") for word in f"{line} {number}".split()])

    def more(story: Story, number: int) -> None:
        story.append(entry(number))
        story.draw(app.surface, look)

    found = []
    for length in (0, 2000):
        story = Story()
        story.place(look, panel)
        for number in range(length):
            story.append(entry(number))
        found.append(median(times([lambda s=story, n=n: more(s, n) for n in range(100)])) / 1000)
    return [
        Row("a line more in a log of 2,000", found[1], "ms", "copying a whole screen", blit, 0.5),
        Row("… of fewer than 100", found[0], "ms", "copying a whole screen", blit),
    ]


if __name__ == "__main__":
    import json

    print(json.dumps(frames()))
