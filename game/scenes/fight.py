"""The fight: the match's decisions put to the player or the AI, and what happens shown, told and kept."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pygame

from game.match import Match
from game.scenes import marks, narrate
from game.scenes.base import Scene
from game.scenes.fightpanels import FightPanels
from game.scenes.plan import Plan
from game.scenes.pointing import Pointing
from game.scenes.steering import Steering
from game.view.boardview import BoardView
from game.view.camera import Camera
from game.widgets.story import Entry, Story
from rules.actions import Action, Decision, Offer
from rules.board import Board
from rules.errors import BattlematError

if TYPE_CHECKING:
    from game.app import App

BEAT = 0.45
"""Seconds between two things that happen by themselves."""
TOAST_TIME = 3.0
CALM = 8.0
"""Seconds without any event after which even the halo rests, so that an idle window costs nothing."""
AUTOSAVES = 3
"""How many autosaves take turns."""
SPEEDS = (0.0, 0.6, 1.0, 1.8)
"""Animation speeds by the setting; 0 = off."""


class Fight(Scene):
    """The board with its panels. Rules never wait for it: what is shown runs behind what is true."""

    name = "fight"

    def __init__(self, app: App, match: Match) -> None:
        super().__init__(app)
        self.match = match
        self.ruleset = match.ruleset
        self.story = Story()
        self.camera = Camera(match.field, self.size)
        self.view = BoardView(match.field, match.loaded_map, self.camera)
        self.plan: Plan | None = None
        self.board: Board = match.board()
        self.selected: str | None = None
        self.preview: Action | None = None
        self.picks: tuple[str, list[tuple[str, str, Action | Offer | None, bool]]] | None = None
        self.threat_held = False
        self.toast_text, self._toast_left = "", 0.0
        self._beat = BEAT
        self._thinking: Decision | None = None
        self._told_over = False
        self._calm = 0.0
        self._saves = 0
        self._fitted = False
        self.pointing = Pointing(self)
        self.steering = Steering(self)
        self.panels = FightPanels(self)
        self.sides = human_sides(match.record) or frozenset(m.side for m in self.board.miniatures)
        self.names = {m.id: m.name for m in self.board.miniatures}
        self.story.extend(self._told(match.events))
        self.view.set_board(self.board)
        self._tell_speed()

    # -- the match

    def refresh(self) -> None:
        """Take in the match's state: whose decision stands open, what it may be."""
        self.board = self.match.board()
        self.names = {m.id: m.name for m in self.board.miniatures}
        decision = self.match.decision
        self.preview = self.picks = None
        self.plan = None
        if decision is not None and self.match.controller_of(decision) == "human":
            legal = self.match.legal(decision)
            self.plan = Plan(self.ruleset, self.match.state, decision, legal, self.board, self.match.field)
        if decision is not None and decision.by in self.names:
            self.selected = decision.by
        self._beat = BEAT
        self.pointing.reset()
        self.panels.build()
        self.show_actor()
        self.dirty = True

    @property
    def acting(self) -> str | None:
        """Id of the creature whose decision stands open."""
        decision = self.match.decision
        return decision.by if decision is not None else None

    def act(self, action: Action) -> bool:
        """Do something; False with a toast where the rules refuse."""
        decision = self.match.decision
        if decision is None:
            return False
        before = self.board
        try:
            events = self.match.act(decision, action)
        except BattlematError as error:
            self.toast(str(error))
            return False
        after = self.match.board()
        self.view.play([e for e in events if not e.seen_by or self.sides & set(e.seen_by)], before, after)
        if self.app.settings.speed == 0:
            self.view.skip()
        self.story.extend(self._told(events))
        if any(getattr(e, "what", "") == "turn" for e in events) and self.app.settings.autosave:
            self._autosave()
        self.refresh()
        return True

    def _told(self, events: Sequence[object]) -> list[Entry]:
        return narrate.entries(self.ruleset, self.match.state, events, self.sides, self.names)  # type: ignore[arg-type]

    def end_chance(self) -> None:
        """Give up the rest of this chance."""
        if self.plan is not None and self.plan.ending is not None:
            self.act(self.plan.ending)
        else:
            self.toast(
                "Nobody of yours is acting now." if self.plan is None else "Answer the question first."
            )

    # -- the player's choices

    def take_offer(self, offer: Offer) -> None:
        """A button was pressed: do it, ask for what it needs, or list what it may be."""
        if self.plan is None:
            return
        self.picks = None
        if offer.refused is not None or not offer.actions:
            self.toast(f"{offer.description.label}: {offer.refused or 'not now'}")
        elif offer.description.needs in ("none",) or offer.description.group == "Answer":
            self.act(offer.actions[0])
            return
        elif offer.description.needs in ("option", "item"):
            self._list_choices(offer)
        else:
            self.arm(None if self.plan.armed is offer else offer)
        self.panels.build()

    def _list_choices(self, offer: Offer) -> None:
        assert self.plan is not None
        entries: list[tuple[str, str, Action | Offer | None, bool]] = []
        for label, action in self.plan.choices(offer):
            entries.append((label, self.plan.describe(action).cost, action, True))
        self.picks = (offer.description.label, entries)

    def show_more(self, offers: Sequence[Offer]) -> None:
        """List the offers that the bar has no room for."""
        entries: list[tuple[str, str, Action | Offer | None, bool]] = [
            (o.description.label, o.refused or o.description.cost, o, o.refused is None) for o in offers
        ]
        entries.sort(key=lambda entry: not entry[3])
        self.picks = ("More", entries)
        self.panels.build()

    def take_pick(self, what: Action | Offer | None) -> None:
        """An entry of a list was taken."""
        self.picks = None
        if isinstance(what, Offer):
            self.take_offer(what)
        elif what is not None:
            self.act(what)
        else:
            self.panels.build()

    def arm(self, offer: Offer | None) -> None:
        """Narrow clicks on the board to one offer (None = any)."""
        if self.plan is not None:
            self.plan.armed = offer
            self.pointing.repoint()
            if offer is not None:
                needs = {
                    "path": "a lit space",
                    "space": "a lit space",
                    "creature": "a creature",
                    "door": "a door",
                }
                self.toast(
                    f"{offer.description.label}: point at {needs.get(offer.description.needs, 'what it needs')}."
                )
            self.panels.build()

    def select(self, name: str | None, *, centre: bool = False) -> None:
        """Show somebody's sheet; None = the acting one's again."""
        self.selected = name or self.acting
        if centre and name is not None:
            self.show_cells([m.cell for m in self.board.miniatures if m.id == name])
        self.panels.build()

    def take_back(self) -> bool:
        """Take back one layer: gesture, list, armed button, selection. False if there was none."""
        if self.pointing.cancel():
            return True
        if self.picks is not None:
            self.picks = None
        elif self.plan is not None and self.plan.armed is not None:
            self.arm(None)
        elif self.ui.focus is not None:
            self.ui.set_focus(None)
        elif self.selected not in (None, self.acting):
            self.select(None)
        else:
            return False
        self.panels.build()
        return True

    def set_preview(self, action: Action | None) -> None:
        """What the player considers: its cost is shown in the sheet and the order of play."""
        if action != self.preview:
            self.preview = action
            self.dirty = True

    def next_up(self) -> str | None:
        """Who would be asked next if the player did what is considered."""
        if self.plan is None or self.preview is None:
            return None
        return self.plan.describe(self.preview).next_by

    def is_next(self, name: str) -> bool:
        """Whether somebody would be asked next."""
        return self.next_up() == name

    def points_after(self, name: str) -> int | None:
        """What somebody would have left; None if nothing is considered that costs it points."""
        if self.plan is None or self.preview is None or name != self.plan.decision.by:
            return None
        return self.plan.describe(self.preview).left

    def spending_line(self, name: str) -> str:
        """`5 now, 3 after this · then Snag`."""
        if self.plan is None or self.preview is None or name != self.plan.decision.by:
            return ""
        d = self.plan.describe(self.preview)
        text = f"{d.left + d.points} now, {d.left} after this"
        return f"{text} · then {self.names.get(d.next_by, d.next_by)}" if d.next_by else text

    def key_of(self, offer: Offer) -> str:
        """The key that presses an offer's button."""
        index = next((n for n, o in enumerate(self.plan.offers) if o is offer), -1) if self.plan else -1
        return self.panels.keys.get(index, "")

    def fold_log(self) -> None:
        """Open or fold the log."""
        self.app.settings.log_open = not self.app.settings.log_open
        self.app.save_settings()
        self.panels.build()

    def toast(self, text: str) -> None:
        """A quiet line over the actions for a moment."""
        self.toast_text, self._toast_left = text, TOAST_TIME
        self.dirty = True

    # -- files

    def save(self, path: Path) -> None:
        """Keep the fight in a file."""
        from game.match import save_fight

        if self.app.guard(lambda: save_fight(self.match, path)):
            self.toast(f"Saved as {path.stem}.")

    def _autosave(self) -> None:
        from game.match import save_fight
        from game.storage import fights_folder

        self._saves += 1
        try:
            save_fight(self.match, fights_folder() / f"auto-{self._saves % AUTOSAVES + 1}.json")
        except (BattlematError, OSError) as error:
            self.toast(f"No autosave: {error}")

    # -- camera

    def show_actor(self) -> None:
        """Keep whoever acts, and its targets, in the free part of the window."""
        if not self._fitted or self.acting is None:
            return
        targets = self.plan.targets() if self.plan is not None and not self.plan.is_question else []
        cells = {m.id: m.cell for m in self.board.miniatures}
        self.show_cells([cells[name] for name in (self.acting, *targets) if name in cells])

    def show_cells(self, cells: Sequence[int]) -> None:
        """Pan so that these spaces are seen, as little as may be."""
        if cells:
            self.camera.show(cells)
            self.dirty = True

    # -- time

    def entered(self) -> None:
        self.view.resize(self.size)
        self.refresh()
        if not self._fitted:
            self._fitted = True
            self.camera.fit()
            self.show_actor()
        self._tell_speed()

    def rebuild(self) -> None:
        self.ui.look = self.app.look
        self.laid_for = self.size
        self.view.resize(self.size)
        self.panels.build()
        self.show_actor()
        self.dirty = True

    def _tell_speed(self) -> None:
        speed = SPEEDS[self.app.settings.speed]
        self.view.speed = speed * (3.0 if self.app.held(pygame.KMOD_SHIFT) else 1.0)
        self.view.reduced_motion = self.app.settings.reduced_motion

    def update(self, dt: float) -> bool:
        changed = self.ui.update(dt)
        self._calm += dt
        self._tell_speed()
        changed |= self.view.update(dt)
        if self._toast_left > 0:
            self._toast_left -= dt
            if self._toast_left <= 0:
                self.toast_text = ""
                changed = True
        if self.app.top is self and not self.view.busy:
            changed |= self._advance(dt)
        return changed

    def pace(self) -> float | None:
        if self.view.busy or self.camera.moving:
            return 1 / 60
        if self._wants_beat() or self._toast_left > 0 or self.ui.waiting:
            return 0.05
        moves = self._calm < CALM and not self.app.settings.reduced_motion and self.app.settings.speed > 0
        return 0.1 if moves else None

    def _wants_beat(self) -> bool:
        decision = self.match.decision
        if decision is None:
            return not self._told_over
        return self._ends_by_itself() or (self.plan is None and self._thinking is None)

    def _ends_by_itself(self) -> bool:
        return self.plan is not None and self.app.settings.end_by_itself and self.plan.only_end

    def _advance(self, dt: float) -> bool:
        """Whatever happens without the player: the AI's decisions, an empty chance's end, the summary."""
        if not self._wants_beat():
            return False
        self._beat -= dt * (4.0 if self.app.held(pygame.KMOD_SHIFT) or self.app.settings.speed == 0 else 1.0)
        if self._beat > 0:
            return False
        if self.match.decision is None:
            self._told_over = True
            self._finish()
        elif self._ends_by_itself():
            self.end_chance()
        else:
            self._think(self.match.decision)
        return True

    def _finish(self) -> None:
        from game.scenes.summary import Summary

        self.app.push(Summary(self.app, self))

    def _think(self, decision: Decision) -> None:
        """Let the AI think beside the window; its answer comes back as an event."""
        from game.app import WAKE

        self._thinking = decision
        match = self.match

        def work() -> None:
            answer: Action | BattlematError
            try:
                answer = advice(match, decision)
            except BattlematError as error:
                answer = error
            try:
                pygame.event.post(pygame.event.Event(WAKE, call=lambda: self._answer(decision, answer)))
            except pygame.error:
                pass  # the window was closed meanwhile

        threading.Thread(target=work, name="thinking", daemon=True).start()

    def _answer(self, decision: Decision, answer: Action | BattlematError) -> None:
        if self._thinking is not decision or self.match.decision != decision or self not in self.app.scenes:
            return
        self._thinking = None
        if isinstance(answer, BattlematError):
            raise answer
        self.act(answer)

    # -- events and drawing

    def handle(self, event: pygame.event.Event) -> bool:
        self._calm = 0.0
        if event.type == pygame.KEYDOWN and self.steering.special(event):
            return True
        if event.type == pygame.KEYUP:
            return self.steering.released(event)
        if self.pointing.busy or not self.ui.handle(event):
            return self.pointing.handle(event) or (
                event.type == pygame.KEYDOWN and self.steering.letter(event)
            )
        self.pointing.leave(event)
        return True

    def command(self, name: str, event: pygame.event.Event) -> bool:
        return self.steering.command(name, event)

    def draw(self, surface: pygame.Surface) -> None:
        self.view.draw(surface, marks.overlays(self))
        self.ui.draw(surface)
        self.panels.draw_floating(surface)


def advice(match: Match, decision: Decision) -> Action:
    """What the AI does: it sees only what its side sees."""
    from game.controllers.ai import AiController

    seen = match.observe(decision.side)
    return AiController().choose(match.ruleset, seen, decision, match.ruleset.legal(seen, decision))


def human_sides(record: object) -> frozenset[str]:
    """The sides that people play, by the record's creatures."""
    found = set()
    for creature in getattr(record, "creatures", ()):
        says = creature if isinstance(creature, dict) else vars(creature)
        if says.get("controller") == "human":
            found.add(str(says.get("side")))
    return frozenset(found)
