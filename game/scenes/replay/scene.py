"""The replay viewer: a fight played again on the board, with its log in step and a line of time to jump along."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from game.scenes.fight.ai_turns import SPEEDS
from game.scenes.replay import panels as replaypanels
from game.scenes.replay.playback import Playback
from game.view.overlays import Overlays
from rules.contract.units import Cell


class Replay(Playback):
    """Shows a playback, and answers keys."""

    def build(self) -> None:
        replaypanels.build(self)

    def clicked(self, cell: Cell) -> None:
        """Show the sheet of who stands there as it was then; elsewhere, none."""
        name = self.view.miniature_at(self.camera.space_rect(cell).center)
        self.selected = None if name == self.selected else name
        self.rebuild()
        if self.selected is not None:
            self.camera.show([cell])  # its sheet may have come to lie over it

    def overlays(self) -> Overlays:
        marks = super().overlays()
        marks.selected = self.selected or next((mini.id for mini in self.shown.miniatures if mini.active), None)
        return marks

    def update(self, dt: float) -> bool:
        settings = self.app.settings
        self.view.speed = SPEEDS[settings.speed] * self.hurry
        self.view.reduced_motion = settings.reduced_motion
        self.view.resting = not self.playing
        busy = self.view.busy
        changed = super().update(dt)
        if busy and not self.view.busy:
            self.rebuild()
        if self.playing and not self.view.busy and self.app.top is self:
            self.left_of_beat -= dt * self.hurry
            if self.left_of_beat <= 0:
                changed = True
                if not self.step():
                    self.playing = False
                    if self.returns:
                        self.app.pop()
                        return True
                    self.rebuild()
        return changed

    def pace(self) -> float | None:
        wanted = super().pace()
        return min(wanted or 0.05, 0.05) if self.playing else wanted

    def command(self, name: str, event: pygame.event.Event) -> bool:
        if name == "replay_play" and self.ui.focus is not None and self.ui.focus is not self.scrubber:
            return False  # Space presses the button that has the focus
        if name == "back" and self.selected is not None:
            self.selected = None
            self.rebuild()
            return True
        film = self.film
        calls: dict[str, Callable[[], object]] = {
            "replay_play": self.play,
            "replay_next": self.forward,
            "replay_back": self.back,
            "replay_next_chance": lambda: self.jump(film.chances, 1),
            "replay_last_chance": lambda: self.jump(film.chances, -1),
            "replay_next_turn": lambda: self.jump(film.turns, 1),
            "replay_last_turn": lambda: self.jump(film.turns, -1),
            "replay_next_blow": lambda: self.jump([mark.at for mark in film.marks], 1),
            "replay_last_blow": lambda: self.jump([mark.at for mark in film.marks], -1),
            "replay_first": lambda: self.go(self.first),
            "replay_end": lambda: self.go(self.last),
            "replay_faster": lambda: self.faster(1),
            "replay_slower": lambda: self.faster(-1),
            "replay_eyes": lambda: self.look_as(self.seen_as + 1) if len(self.views) > 1 else None,
            "replay_branch": self.branch,
            "replay_why": self.why,
            "replay_next_sheet": lambda: self.inspect(1),
            "replay_last_sheet": lambda: self.inspect(-1),
            "replay_focus": lambda: self.ui.step(1),
        }
        if name in calls:
            calls[name]()
            self.dirty = True
            return True
        return super().command(name, event)
