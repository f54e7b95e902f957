"""The fight: the match's decisions put to the player or the AI, and what happens shown, told and kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pygame

from game.fight.match import Match
from game.fight.seats import GAME_MASTER
from game.fight.viewing import Eyes, possible
from game.scenes.base import Scene, Shell
from game.scenes.fight.ai_turns import Pacing
from game.scenes.fight.choosing import Choosing
from game.scenes.fight.errands import Errands
from game.scenes.fight.events_shown import Telling
from game.scenes.fight.hotseat import Seating
from game.scenes.fight.manual_dice import Throwing
from game.scenes.fight.moment import Moment
from game.scenes.fight.panels import marks
from game.scenes.fight.panels.places import FightPanels
from game.scenes.fight.plan import Plan, in_words, plain
from game.scenes.fight.planning import Planning
from game.scenes.fight.pointing import Pointing
from game.scenes.fight.saving import Keeping
from game.scenes.fight.steering import Steering
from game.scenes.fight.undoing import Undoing
from game.view.boardview import BoardView
from game.view.camera import Camera
from rules.contract.actions import Action, Decision
from rules.contract.display import Board
from rules.contract.errors import BattlematError
from rules.contract.ruleset import State

TOAST_TIME = 3.0


class Fight(Scene):
    """The board with its panels. Rules never wait for it: what is shown runs behind what is true.

    Its parts: `pointing` (mouse), `steering` (keyboard), `choosing` (offers and lists), `planning` (several open
    decisions), `pacing` (time and the AI), `telling` (the log, and how far it has come), `keeping` (files),
    `undoing` (taking back), `seating` (who looks), `throwing` (real dice), `errands`
    (several deeds at one wish), `panels` (widgets) and `view` (the board). Whatever they show comes from `eyes`.
    """

    name = "fight"

    def __init__(self, app: Shell, match: Match) -> None:
        super().__init__(app)
        self.match = match
        self.ruleset = match.ruleset
        self.camera = Camera(match.field, self.size)
        self.view = BoardView(match.field, match.loaded_map, self.camera)
        self.view.animator.heard = app.sounds.play
        self.plan: Plan | None = None
        self.seating = Seating(self)
        self.eyes = Eyes(match, self.seating.views(), self.sides)
        """What whoever is at the screen may know: board, state, events and ground come from here alone."""
        self.board: Board = self.eyes.board()
        self.shown: State = self.eyes.state()
        self.selected: str | None = None
        self.threat_held = False
        """While its key is down: what the others can strike."""
        self.threat_kept = False
        """The same until its button is pressed again."""
        self.toast_text, self._toast_left = "", 0.0
        self._fitted = False
        self._taken_in: tuple[State, Decision | None, frozenset[str]] | None = None
        """The state that the open plan was made for, its decision, and who looked."""
        self._shown_for: tuple[int, str] | None = None
        """After how many commands the camera turned to whom."""
        self.choosing = Choosing(self)
        self.planning = Planning(self)
        self.pacing = Pacing(self)
        self.keeping = Keeping(self)
        self.telling = Telling(self)
        self.undoing = Undoing(self)
        self.moment = Moment(self)
        self.errands = Errands(self)
        self.pointing = Pointing(self)
        self.steering = Steering(self)
        self.panels = FightPanels(self)
        self.throwing = Throwing(self)
        self.names = {m.id: m.name for m in self.board.miniatures}
        self.telling.begin()
        self.pacing.tell_speed()

    # -- the match

    def refresh(self) -> None:
        """Take in the match's state: whose decision stands open, what it may be."""
        decision = self.match.decision
        ours = self.seating.asked(decision)
        self.look()
        self._taken_in = (self.match.state, decision, self.sides)
        self.choosing.reset()
        self.plan = None
        if decision is not None and ours:
            legal = self.ruleset.legal(self.shown, decision)
            known = self.eyes.known()
            self.plan = Plan(self.ruleset, self.shown, decision, legal, self.board, self.match.field, known)
        self.pacing.moved_on()
        self.pointing.reset()
        if self.telling.behind:
            self.panels.build()
        else:
            self.show_now()
        self.dirty = True

    def look(self) -> None:
        """Take in how things stand, as far as whoever is at the screen knows."""
        self.eyes.turn(self.seating.views(), self.sides)
        self.board, self.shown = self.eyes.board(), self.eyes.state()
        self.names = {m.id: m.name for m in self.board.miniatures}
        self.view.see(self.eyes.sight(), self.ruleset.lamps(self.shown))

    def look_anew(self) -> None:
        """Others look now, or may know something else: board and log are theirs from the beginning."""
        self.look()
        self.telling.begin()
        self.refresh()

    @property
    def sides(self) -> frozenset[str]:
        """The sides of whoever is at the screen."""
        return self.seating.sides

    def show_now(self) -> None:
        """The animation has come to where the match stands: turn to whoever is to act."""
        if self.acting in self.names:
            self.selected = self.acting
        self.view.set_board(self.board)  # another seat may look now, and has plans of its own
        self.telling.catch_up()
        self.panels.build()
        decision = self.match.decision
        now = (self.match.history.length, decision.by if decision is not None else "")
        if now != self._shown_for:  # who only comes back from a menu keeps the view they had
            self._shown_for = now
            self.show_actor()

    @property
    def waits(self) -> bool:
        """Whether what is to be answered would give away what the dice still hide, or ends by itself anyway.

        Sealed plans wait, too: they are made on what a whole side's deeds have come to.
        """
        plan = self.plan
        if not self.telling.behind:
            return False
        return plan is None or plan.is_question or plan.decision.sealed or self.pacing.ends_by_itself

    @property
    def acting(self) -> str | None:
        """Id of the creature whose decision stands open; None also for one that nobody at the screen sees."""
        decision = self.match.decision
        by = decision.by if decision is not None else None
        return by if by in self.names or by == GAME_MASTER else None

    def act(self, action: Action) -> bool:
        """Do something, after asking for dice thrown by hand; False with a toast where the rules refuse.

        What is possible is tried by what the seat that decides knows, whoever looks on.
        """
        decision = self.match.decision
        if decision is None:
            return False
        sides = self.seating.knowing(decision)
        if sides is None:
            return self.throwing.begin(decision, action)
        true = possible(self.match, decision, action, sides)
        if true is None:
            self.toast("Something that nobody of yours sees prevents that.")
            return False
        if true != action:
            self.toast("Somebody unseen stands in the way.")
        return self.throwing.begin(decision, true)

    def answer(self, decision: Decision, action: Action) -> bool:
        """Do what the computer decided: tried by what its own side knows (game.fight.advice), not by who looks on."""
        return self.throwing.begin(decision, action)

    def carry_out(self, decision: Decision, action: Action, throws: Sequence[int | None] | None = None) -> bool:
        """Apply an action with these throws (None: by the seed) and show what happens."""
        before = self.board
        try:
            events = self.match.act(decision, action, throws)
        except BattlematError as error:
            self.toast(plain(str(error)))
            return False
        self.board, self.shown = self.eyes.board(), self.eyes.state()
        self.names |= {m.id: m.name for m in self.board.miniatures}
        self.telling.tell(events, before, self.board)
        self.refresh()
        return True

    @property
    def ends_chances(self) -> bool:
        """Whether a chance in which nothing is left to do ends by itself."""
        return self.app.settings.end_by_itself

    def end_chance(self) -> bool:
        """Give up the rest of this chance; False where there is none to give up."""
        if self.plan is not None and self.plan.ending is not None:
            return self.planning.sure(self.plan.ending) and self.act(self.plan.ending)
        self.toast("Nobody of yours is acting now." if self.plan is None else "Answer the question first.")
        return False

    # -- what is looked at

    def select(self, name: str | None, *, centre: bool = False) -> None:
        """Show somebody's sheet; None = the acting one's again."""
        self.selected = name or self.acting
        if centre and name is not None:
            self.show_cells([m.cell for m in self.board.miniatures if m.id == name])
        self.panels.build()

    def look_at(self, name: str) -> None:
        """Turn to somebody's plan if it stands open; show where they are, and their sheet."""
        self.planning.turn_to(name)
        self.select(name, centre=True)

    def take_back(self, *, pending: bool = False) -> bool:
        """Take back one layer: plan, gesture, list, armed button, focus, selection. False if there was none.

        `pending` leaves focus and selection alone: they are nothing that waits for an end.
        """
        if self.pointing.cancel():
            return True
        if not self.choosing.take_back():
            if pending:
                return False
            if self.ui.focus is not None:
                self.ui.set_focus(None)
            elif self.selected not in (None, self.acting):
                self.select(None)
            else:
                return False
        self.panels.build()
        return True

    def keep_threat(self) -> None:
        """Show what the others can strike, or no more."""
        self.threat_kept = not self.threat_kept
        self.panels.build()
        self.dirty = True

    def show_all(self) -> None:
        """All that is known of the map; asked for once more, where one looked before."""
        self.camera.show_all()
        self.pointing.repoint()
        self.dirty = True

    def fold_log(self) -> None:
        """Open or fold the log."""
        self.panels.fold_log()
        self.show_actor()

    def toast(self, text: str) -> None:
        """A quiet line over the board for a moment."""
        self.toast_text, self._toast_left = in_words(text), TOAST_TIME
        self.dirty = True

    # -- camera

    def show_actor(self) -> None:
        """Keep whoever acts, and its targets or else the nearest foe, in the free part of the window."""
        if not self._fitted or self.acting is None:
            return
        plan = self.plan if self.plan is not None and not self.plan.is_question else None
        self.camera.anchor = next(iter(self._ground((self.acting,))), None)  # of several who are due, this one
        self.camera.frame(self._ground((self.acting, *(plan.targets() if plan is not None else ()))))
        if plan is not None and not plan.targets():  # a foe out of reach is no reason to step back
            self.camera.show(self._ground((self.acting, *plan.nearest_foe())))
        self.dirty = True

    def keep_in_sight(self) -> None:
        """Something was unfolded over the board: pan, no farther than needed, to see who acts and its targets."""
        if self.acting is not None:
            targets = self.plan.targets() if self.plan is not None and not self.plan.is_question else ()
            self.camera.anchor = next(iter(self._ground((self.acting,))), None)
            self.camera.show(self._ground((self.acting, *targets)))
            self.dirty = True

    def show_cells(self, cells: Sequence[int]) -> None:
        """Pan so that these spaces are seen, as little as may be, and go farther away only where they don't fit."""
        if cells:
            self.camera.frame(cells, back=False)
            self.dirty = True

    def _ground(self, names: Iterable[str]) -> list[int]:
        """The corners of the ground on which these stand, in their order."""
        minis, across = {m.id: m for m in self.board.miniatures}, self.match.field.width
        cells: list[int] = []
        for mini in (minis[name] for name in names if name in minis):
            cells.append(mini.cell)
            if mini.size > 1:
                cells.append(mini.cell + (mini.size - 1) * (across + 1))
        return cells

    def _show_everybody(self) -> None:
        """The fight begins: all whom the viewer sees, whoever acts first, then by how near they are."""
        minis = {m.id: m for m in self.board.miniatures}
        first = minis.get(self.acting or "") or next(
            (m for m in minis.values() if m.side in self.sides), next(iter(minis.values()), None)
        )
        if first is None:
            self.camera.fit()
            return
        column, row = self.match.field.at(first.cell)

        def away(name: str) -> int:
            x, y = self.match.field.at(minis[name].cell)
            return max(abs(x - column), abs(y - row))

        self.camera.begin(self._ground(sorted(minis, key=away)))

    # -- the scene

    def entered(self) -> None:
        self.view.resize(self.size)
        self.view.scale = self.app.look.scale
        self._come_back()
        if not self._fitted:
            self._fitted = True
            if not self.match.record.commands:
                self.moment.arrive(self.eyes.events(self.match.events))
            self._show_everybody()
            self.pointing.settle()
        self.pacing.tell_speed()
        self.seating.rest()
        self.seating.hand_over()

    def _come_back(self) -> None:
        """Take in how things stand; where nothing happened meanwhile, what was armed and what keys chose stay so."""
        armed = self.plan.armed if self.plan is not None else None
        chosen, before = self.pointing.by_keys, self._taken_in
        self.refresh()
        now = self._taken_in
        if self.plan is None or before is None or now is None or before[0] is not now[0] or before[1:] != now[1:]:
            return
        if armed is not None:
            self.plan.armed = armed
            self.panels.build()
        if chosen is not None:
            self.pointing.resume(chosen)

    def left(self) -> None:
        self.keeping.close()

    def fail(self) -> Match | None:
        self.keeping.scribe.abandon()
        return self.match

    def rebuild(self) -> None:
        self.ui.look = self.app.look
        self.laid_for = self.size
        self.view.resize(self.size)
        self.view.scale = self.app.look.scale
        self.panels.build()
        self.show_actor()
        self.dirty = True

    def update(self, dt: float) -> bool:
        changed = self.ui.update(dt)
        self.pacing.tell_speed()
        gliding = self.camera.moving
        changed |= self.view.update(dt)
        if gliding and not self.camera.moving and self.app.top is self:
            self.pointing.settle()
        self.telling.follow()
        if self.telling.update():
            self.show_now()
            changed = True
        self.errands.follow()
        changed |= self.pointing.rest(dt)
        if self._toast_left > 0:
            self._toast_left -= dt
            if self._toast_left <= 0:
                self.toast_text = ""
                changed = True
        changed |= self.seating.update()
        changed |= self.moment.update(dt)
        return self.pacing.update(dt) or changed

    def pace(self) -> float | None:
        return self.pacing.pace()

    def handle(self, event: pygame.event.Event) -> bool:
        self.pacing.stir()
        if event.type == pygame.MOUSEBUTTONDOWN and self.moment.end():
            return True  # it was read, and nothing else was meant
        if event.type == pygame.MOUSEBUTTONDOWN and self.choosing.more and not self.ui.over(event.pos):
            self.choosing.open_more()
            return True  # a click beside what is unfolded folds it, and does no more
        if event.type == pygame.KEYDOWN and self.steering.special(event):
            return True
        if event.type == pygame.KEYUP:
            return self.steering.released(event)
        if self.pointing.busy or not self.ui.handle(event):
            return self.pointing.handle(event) or (event.type == pygame.KEYDOWN and self.steering.letter(event))
        self.pointing.leave(event)
        if event.type == pygame.MOUSEBUTTONUP and not self.ui.modal:
            self.ui.set_focus(None)  # a clicked button keeps no keys from the board
        return True

    def command(self, name: str, event: pygame.event.Event) -> bool:
        if self.moment.end() and name in ("confirm", "back", "centre"):
            return True
        return self.steering.command(name, event)

    def draw(self, surface: pygame.Surface) -> None:
        self.view.draw(surface, marks.overlays(self))
        self.ui.draw(surface)
        self.panels.draw_floating(surface)
        self.moment.draw(surface)
