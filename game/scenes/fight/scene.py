"""The fight's window: events become commands, what changed in the model is made and drawn anew, time passes."""

from __future__ import annotations

import pygame

from game.fight.match import Match
from game.scenes.base import Shell
from game.scenes.fight import commands
from game.scenes.fight.briefing import brief
from game.scenes.fight.model import NOTHING, Anew, Wish
from game.scenes.fight.panels import choices, party
from game.scenes.fight.panels.places import FightPanels, overlays
from game.scenes.fight.table import FightTable
from rules.contract.events import Began


class Fight(FightTable):
    """The board with its panels. Rules never wait for it: what is shown runs behind what is true.

    What is to be made anew follows from what changed (`FightModel.due`) and is made in one place (`settle`).
    """

    def __init__(self, app: Shell, match: Match) -> None:
        super().__init__(app, match)
        self.panels = FightPanels(self)
        self.ui.keeps = True
        self._laid = False
        """Whether it has been on screen."""
        self.telling.begin()
        self.pacing.tell_speed()

    # -- made anew

    @property
    def dirty(self) -> bool:
        """Whether it has to be drawn anew."""
        return bool(self.due)

    @dirty.setter
    def dirty(self, dirty: bool) -> None:
        if dirty:  # of what is changed from outside nothing is seen in the panels
            self.anew |= Anew.VIEW
        else:
            self.done(Anew.VIEW | Anew.BOARD)

    def settle(self, due: Anew | None = None) -> None:
        due = self.due if due is None else due
        if not self._laid:
            return
        if due is not NOTHING:  # in most turns of the loop it is
            if Anew.POINTED in due:
                self.aiming.settle(again=True)
            if Anew.PANELS in due:
                self.done(Anew.PANELS | Anew.POINTED)
                self.panels.build()
                self.aiming.give_way()
                self.anew |= Anew.BOARD
            self.done(Anew.POINTED)
        if not self.wishes:
            return
        wishes, self.wishes = self.wishes, []
        for wish in wishes:
            self.show_actor(wish)

    def rebuild(self) -> None:
        self.ui.look = self.app.look
        self.laid_for = self.size
        self.view.resize(self.size)
        self.view.scale = self.app.look.scale
        self.assign_keys()
        self.anew |= Anew.PANELS
        self.wishes.append(Wish.ACTOR)
        self.settle()

    # -- coming and going

    def entered(self) -> None:
        self._laid = True
        self.view.resize(self.size)
        self.view.scale = self.app.look.scale
        self._come_back()
        if not self.fitted:
            self.fitted = True
            began = self.eyes.events(self.match.events) if not self.match.record.commands else []
            if any(isinstance(event, Began) and event.what != "fight" for event in began[:1]):
                self.moment.hear(began)
            self.show_everybody()
            self.aiming.settle()
        self.pacing.tell_speed()
        self.hotseat.looked_at = None
        self.hotseat.hand_over()
        if not self.briefed and self.app.top is self:
            self.briefed = True
            brief(self)

    def _come_back(self) -> None:
        """Take in how things stand; where nothing happened meanwhile, what was armed and what keys chose stay so."""
        armed = self.plan.armed if self.plan is not None else None
        chosen, before = self.pointed.by_keys, self.taken_in
        self.refresh()
        self.settle()
        now = self.taken_in
        if self.plan is None or before is None or now is None or before[0] is not now[0] or before[1:] != now[1:]:
            return
        if armed is not None:
            self.arm(armed)
            self.settle()
        if chosen is not None:
            self.aiming.resume(chosen)

    def left(self) -> None:
        self.keeping.scribe.close()

    def fail(self) -> Match | None:
        self.keeping.scribe.abandon()
        return self.match

    # -- time

    def update(self, dt: float) -> bool:
        self.settle()
        changed = self.ui.update(dt)
        self.pacing.tell_speed()
        gliding = self.camera.moving
        moved = self.view.update(dt)
        if gliding and not self.camera.moving and self.app.top is self:
            self.aiming.settle()
        self.telling.follow()
        if self.behind and not self.view.busy:
            self.show_now()
            self.settle()
        self.errands.follow()
        self.marching.follow()
        self.settle(self.asked)
        changed |= self.aiming.rest(dt)
        self.fade(dt)
        self.undoing.take_home()
        changed |= self.hotseat.update()
        self.settle(self.asked)
        self.moment.update(dt)
        changed |= self.pacing.update(dt)
        self.settle(self.asked)
        if changed:
            self.ui.stir()
        return changed or moved or self.dirty

    def pace(self) -> float | None:
        wanted = self.pacing.pace()
        under_way = self.marching.running or self.choices.errand is not None  # it goes on though nothing else moves
        return min(0.05, wanted or 0.05) if under_way else wanted

    # -- input

    def handle(self, event: pygame.event.Event) -> bool:
        self.settle()  # the computer's answer, or a dialog, may have changed something
        try:
            return self._handle(event)
        finally:
            self.settle()

    def _handle(self, event: pygame.event.Event) -> bool:
        self.pacing.calm = 0.0
        if event.type == pygame.MOUSEBUTTONDOWN and self.moment.end():
            return True  # it was read, and nothing else was meant
        if event.type == pygame.MOUSEBUTTONDOWN and self.choices.more and not self.ui.over(event.pos):
            self.choosing.open_more()
            return True  # a click beside what is unfolded folds it, and does no more
        if event.type == pygame.KEYDOWN and commands.special(self, event):
            return True
        if event.type == pygame.KEYUP:
            commands.released(self, event)
            return False
        if event.type == pygame.MOUSEBUTTONUP and event.button == 3 and not self.pointed.busy and not self.ui.modal:
            if (name := party.portrait_of(self.ui.hover)) is not None:
                choices.open_choices(self, None, name, event.pos)
                return True
        if self.pointed.busy or not self.ui.handle(event):
            return self.pointing.handle(event) or (event.type == pygame.KEYDOWN and commands.letter(self, event))
        self.pointing.leave(event)
        self.settle()  # a list may have been opened
        if event.type == pygame.MOUSEBUTTONUP and not self.ui.modal:
            self.ui.set_focus(None)  # a clicked button keeps no keys from the board
        return True

    def command(self, name: str, event: pygame.event.Event) -> bool:
        self.settle()
        if self.moment.end() and name in ("confirm", "back", "centre"):
            return True
        if not self.do(name):
            return False
        self.settle()
        if self.app.top is self and commands.COMMANDS[name].points:
            self.aiming.repoint()
        return True

    def do(self, name: str) -> bool:
        return commands.do(self, name)

    # -- drawing

    def draw(self, surface: pygame.Surface) -> None:
        self.settle()
        self.view.draw(surface, overlays(self))
        self.app.players.draw_frame(surface, self.camera)
        if not self.moment.reads:  # what needs no answer lies under panels and tips
            self.moment.draw(surface)
        if Anew.BOARD in self.due or self.view.busy or self.app.top is not self:
            self.ui.stir()
        self.ui.draw(surface)
        self.panels.draw_floating(surface)
        if self.moment.reads:
            self.moment.draw(surface)
