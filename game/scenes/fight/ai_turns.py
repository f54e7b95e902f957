"""Time in a fight: the AI's thinking beside the window, the beats between its deeds, and what ends by itself."""

from __future__ import annotations

import threading

import pygame

from game.app.window import wake
from game.fight.advice import Counsel
from game.scenes.fight import ending
from game.scenes.fight.choosing import Choosing
from game.scenes.fight.events_shown import Moment
from game.scenes.fight.model import FightModel
from rules.contract.actions import Action, Decision

BEAT = 0.45
"""Seconds between two things that happen by themselves."""
UNSEEN = 0.05
"""The same after something that nobody at the screen saw: how long it takes would tell how much it was."""
CALM = 8.0
"""Seconds without any event after which even the halo rests, so that an idle window costs nothing."""
SPEEDS = (0.0, 0.6, 1.0, 1.8)
"""Animation speeds by the setting; 0 = off."""
PACES = (0.0, 0.15, 0.35, 1.0)
"""Seconds on screen for each second that passes under rules that count them, by the setting; 0 = at once."""
HURRY = 3.0
"""How much faster everything moves while Shift is held."""


class Pacing:
    """Whatever happens without the player, one beat after another; never while something still moves."""

    def __init__(self, fight: FightModel, choosing: Choosing, moment: Moment) -> None:
        self.fight, self.choosing, self.moment = fight, choosing, moment
        self._beat = BEAT
        self._moves = 0
        """How often the match had moved on when the beat was counted from."""
        self._thinking: object | None = None
        """The thought that is waited for, and no other: the same decision may stand open again after taking back."""
        self._told_over = False
        self.calm = 0.0
        """Seconds since the player did something, which wakes the board."""
        self._counsel: Counsel | None = None

    def begin_anew(self) -> None:
        """The past was changed: what the computer thinks about is no longer asked, and the end may be told again."""
        self._thinking = self._counsel = None  # a thread may still think with the old one
        self._told_over = False

    def tell_speed(self) -> None:
        """Give the view the speed of the settings, hurried while Shift is held."""
        fight = self.fight
        speed = SPEEDS[fight.app.settings.speed]
        fight.view.speed = speed * (HURRY if fight.app.held(pygame.KMOD_SHIFT) else 1.0)
        fight.view.animator.second = PACES[fight.app.settings.pace]
        fight.view.reduced_motion = fight.app.settings.reduced_motion
        fight.view.resting = self.calm >= CALM

    def pace(self) -> float | None:
        """Seconds until the fight wants time; None = never."""
        fight = self.fight
        if fight.view.moving or fight.view.animator.floats:
            return 1 / 60
        fades = fight.view.animator.lingers or fight.toast_text or self.moment.left
        if self.wants_beat() or fades or fight.ui.waiting or fight.pointed.waiting:
            return 0.05
        if fight.seating.due is not None:
            return 0.02
        settings = fight.app.settings
        moves = self.calm < CALM and not settings.reduced_motion and settings.speed > 0
        wants = (0.1 if moves else 0.2 if fight.clock_runs else None, fight.view.pace)
        return min((each for each in wants if each is not None), default=None)

    def update(self, dt: float) -> bool:
        """Let time pass; whether something changed."""
        fight = self.fight
        self.calm += dt
        if self._moves != fight.moves:  # the match has a new state: the next beat is a whole one
            self._moves, self._beat = fight.moves, BEAT if fight.witnessed else UNSEEN
        if fight.app.top is not fight or fight.view.busy or not self.wants_beat():
            return False
        hurried = fight.app.held(pygame.KMOD_SHIFT) or fight.app.settings.speed == 0
        self._beat -= dt * (4.0 if hurried else 1.0)
        if self._beat > 0:
            return False
        decision = fight.match.decision
        if decision is None:
            self._told_over = True
            ending.summary(fight)
        elif fight.ends_by_itself:
            self.choosing.end_chance()
        else:
            self._think(decision)
        return True

    def wants_beat(self) -> bool:
        """Whether something is to happen by itself."""
        if self.fight.match.decision is None:
            return not self._told_over
        seating = self.fight.seating
        if seating.due is not None or seating.awaited is not None or self.choosing.deeds.needed is not None:
            return False
        return self.fight.ends_by_itself or (self.fight.plan is None and self._thinking is None)

    # -- the AI

    def _think(self, decision: Decision) -> None:
        """Let the AI think beside the window; its answer comes back as an event."""
        thought = self._thinking = object()
        level = self.fight.match.level = self.fight.app.settings.level
        if self._counsel is None or self._counsel.level != level:
            self._counsel = Counsel(self.fight.match, level)
        counsel = self._counsel

        def work() -> None:
            answer: Action | Exception
            try:
                answer = counsel.advise(decision)
            except Exception as error:  # told where it can be answered: a thread's own end would be silent
                answer = error
            wake(lambda: self._hear(thought, decision, answer))

        threading.Thread(target=work, name="thinking", daemon=True).start()

    def _hear(self, thought: object, decision: Decision, answer: Action | Exception) -> None:
        fight = self.fight
        if self._thinking is not thought or fight not in fight.app.scenes:
            return
        if fight.match.decision == decision:
            self._answer(decision, answer)
        else:
            self._thinking = None  # somebody else was turned to meanwhile: it thinks anew, for them

    def _answer(self, decision: Decision, answer: Action | Exception) -> None:
        if isinstance(answer, Exception):
            raise answer
        if self.choosing.deeds.answer(decision, answer):
            self._thinking = None  # else it would only be thought again: what refused it has been told
