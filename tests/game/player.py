"""A player for tests of the window: posts events to an app without a screen, and lets its loop turn."""

from __future__ import annotations

import time
from typing import Any

import pygame

from game.app.loop import App
from game.app.settings import Settings
from game.fight.match import Match
from game.scenes.fight import ending
from game.scenes.fight.ending import Summary
from game.scenes.fight.scene import Fight
from game.widgets.controls import Button, Label, Pressable
from game.widgets.core import Scroll, Widget
from rules.core import record as records

ROWS = ["##########", "#........#", "#........#", "#...##...#", "#........#", "##########"]


def arena(gob_at: tuple[int, int] = (2, 1), **options: object) -> dict[str, Any]:
    """Ada beside a weak goblin, by scripted seed: what record.md's example does."""
    return {
        "format": "battlemat/1", "ruleset": "olde", "options": {}, "map": {"rows": ROWS}, "seed": 7,
        "creatures": [
            {"id": "ada", "side": "heroes", "at": [1, 1], "controller": "human", "brawn": 8, "finesse": 9, "savvy": 5,
             "nerve": 5, "size": "medium", "skills": {"Swords": "Master"}, "weapons": ["broadsword"]},
            {"id": "gob", "side": "monsters", "at": list(gob_at), "controller": "ai", "brawn": 5, "finesse": 2,
             "savvy": 3, "nerve": 4, "size": "small", "skills": {"Maces": "Apprentice"}, "weapons": ["baton"]},
        ],
        "commands": [], **options,
    }  # fmt: skip


class Player:
    """Posts events and lets the app's loop turn."""

    def __init__(self, app: App) -> None:
        self.app = app

    def turn(self, turns: int = 2, dt: float = 0.3) -> None:
        for _ in range(turns):
            for event in pygame.event.get():
                self.app.handle(event)
            self.app.tick(dt)

    def key(self, code: int, mod: int = 0, text: str | None = None) -> None:
        typed = text if text is not None else (chr(code) if 32 <= code < 127 and not mod else "")
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=code, mod=mod, unicode=typed, scancode=0))
        pygame.event.post(pygame.event.Event(pygame.KEYUP, key=code, mod=0, unicode="", scancode=0))
        self.turn()

    def move(self, pos: tuple[int, int]) -> None:
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(0, 0), buttons=(0, 0, 0)))
        self.turn(1)

    def button(self, pos: tuple[int, int], button: int = 1, *, down: bool) -> None:
        kind = pygame.MOUSEBUTTONDOWN if down else pygame.MOUSEBUTTONUP
        pygame.event.post(pygame.event.Event(kind, pos=pos, button=button))
        self.turn(1)

    def click(self, pos: tuple[int, int], button: int = 1) -> None:
        self.move(pos)
        self.button(pos, button, down=True)
        self.button(pos, button, down=False)
        self.turn()

    def press(self, label: str) -> None:
        """Click a button by what is written on it; what has no room on a bar is looked for behind More."""
        for wanted in (label, "more", label):
            widget = self.button_of(wanted)
            if widget is not None:
                self.scroll_to(widget)
                self.click(widget.rect.center)
                if wanted == label:
                    return
        raise AssertionError(f"no button {label!r}")

    def scroll_to(self, widget: Widget) -> None:
        """Scroll whatever list it is in until it can be seen."""
        for panel in self.app.top.ui.live():
            for scroll in [w for w in panel.walk() if isinstance(w, Scroll)]:
                if any(inside is widget for inside in scroll.walk()):
                    scroll.show(widget)

    def button_of(self, label: str) -> Pressable | None:
        """A button that is on screen, by what is written on it or by its key."""
        for panel in reversed(self.app.top.ui.live()):
            for widget in panel.walk():
                if isinstance(widget, Pressable) and label in (getattr(widget, "label", ""), widget.key):
                    return widget
        return None

    def until(self, done: object, seconds: float = 20) -> None:
        """Let the loop turn until something is so."""
        end = time.monotonic() + seconds
        while not done():  # type: ignore[operator]
            assert time.monotonic() < end, "it never happened"
            self.turn(1)
            time.sleep(0.001)


def fight_of(player: Player, record: dict[str, Any] | None = None) -> Fight:
    player.app.navigator.begin(record or arena())
    fight = player.app.top
    assert isinstance(fight, Fight)
    player.until(lambda: fight.plan is not None)
    return fight


def labels(player: Player) -> list[str]:
    """All that is written on screen."""
    return [str(w.text) for panel in player.app.top.ui.live() for w in panel.walk() if isinstance(w, Label)]


def buttons(player: Player) -> list[str]:
    """What is written on the buttons on screen."""
    return [str(w.label) for panel in player.app.top.ui.live() for w in panel.walk() if isinstance(w, Button)]


def summed_up(match: Match, size: tuple[int, int] = (1280, 720)) -> Player:
    """A window with the summary of a fight that is over."""
    player = Player(App(size, settings=Settings(speed=0)))
    player.app.navigator.show(match)
    player.turn(20)
    if not isinstance(player.app.top, Summary):
        player.app.unwind(1)
        fight = player.app.top
        assert isinstance(fight, Fight)
        ending.summary(fight)
    return player


def middle(fight: Fight, cell: int) -> tuple[int, int]:
    fight.view.skip()
    return fight.camera.space_rect(cell).center


def cell_of(fight: Fight, name: str) -> int:
    return next(m.cell for m in fight.board.miniatures if m.id == name)


def commands(fight: Fight) -> list[dict[str, Any]]:
    """The record's commands as a file has them."""
    found: list[dict[str, Any]] = records.document(fight.match.record)["commands"]
    return found
