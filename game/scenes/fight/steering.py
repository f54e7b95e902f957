"""The keyboard in a fight: steps, targets, offers by their keys, camera, saving."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pygame

from game.controllers.human import stroke
from game.scenes.base import moves_camera
from game.scenes.fight import calls, ending
from game.scenes.fight.plan import EIGHTHS
from rules.contract.errors import BattlematError

if TYPE_CHECKING:
    from game.scenes.fight.scene import Fight

STEPS = {
    "north": (0, -1),
    "south": (0, 1),
    "west": (-1, 0),
    "east": (1, 0),
    "northwest": (-1, -1),
    "northeast": (1, -1),
    "southwest": (-1, 1),
    "southeast": (1, 1),
}
BACKWARDS = ("north", "west", "northwest", "southwest")
MODIFIERS = frozenset((pygame.K_LCTRL, pygame.K_RCTRL, pygame.K_LSHIFT, pygame.K_RSHIFT, pygame.K_LALT, pygame.K_RALT))


class Steering:
    """What keys do in a fight."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight

    def special(self, event: pygame.event.Event) -> bool:
        """Keys that go before the focused widget: lists answer to digits, a shown animation to Space and Enter."""
        fight = self.fight
        if event.key in (pygame.K_LALT, pygame.K_RALT):
            fight.dirty = True
        if fight.choosing.picks is not None and event.unicode.isdigit() and event.unicode != "0":
            index = int(event.unicode) - 1
            entries = fight.choosing.picks[1]
            if index < len(entries) and entries[index][3]:
                fight.choosing.take_pick(entries[index][2])
            return True
        if fight.waits and (event.key in (pygame.K_SPACE, pygame.K_RETURN) or event.unicode.isdigit()):
            fight.view.skip()
            return True
        return False

    def released(self, event: pygame.event.Event) -> bool:
        """A key was let go: held overlays end."""
        fight = self.fight
        held = {stroke.key for stroke in fight.app.keys.named("threat").strokes}
        if fight.threat_held and (event.key in held or event.key in MODIFIERS):
            fight.threat_held = False
        fight.dirty = True
        return False

    def letter(self, event: pygame.event.Event) -> bool:
        """Press the offer whose key this is."""
        fight, plan = self.fight, self.fight.plan
        if plan is None or fight.ui.modal:
            return False
        bar = fight.panels.bar
        if bar is not None and bar.hidden and self._means("m", event):
            fight.choosing.open_more()
            return True
        for offer in plan.offers:
            text = fight.choosing.key_of(offer)
            if text and self._means(text, event):
                fight.view.skip() if fight.waits else fight.choosing.take_offer(offer)
                return True
        return False

    @staticmethod
    def _means(text: str, event: pygame.event.Event) -> bool:
        try:
            return stroke(text).matches(event.key, event.mod)
        except BattlematError:
            return False

    def command(self, name: str, event: pygame.event.Event) -> bool:
        """A command of the table of keys; True if it was answered."""
        fight = self.fight
        if name in STEPS:
            return self._arrow(name, event)
        if name == "centre":
            return self._space(event)
        if name == "confirm":
            return self._confirm(event)
        if name in ("next_target", "last_target"):
            return self._cycle(1 if name == "next_target" else -1)
        if name in ("next_own", "last_own"):
            return self._turn_to(1 if name == "next_own" else -1)
        if not moves_camera(fight.camera, name, fight.app.look) and not self._rarer(name):
            return False
        if fight.app.top is fight:
            fight.pointing.repoint()
        return True

    def _rarer(self, name: str) -> bool:
        fight = self.fight
        if name == "back":
            if not fight.take_back():
                self.menu()
        elif name == "end":
            fight.end_chance()
        elif name == "log":
            fight.fold_log()
        elif name == "small_map":
            fight.panels.turn_small_map()
        elif name == "context":
            fight.pointing.open_menu()
        elif name == "panels":
            fight.ui.step_panel()
        elif name == "threat":
            fight.threat_held = True
        elif name in ("undo", "redo", "rewind", "branches"):
            undoing = fight.undoing
            {"undo": undoing.undo, "redo": undoing.redo, "rewind": undoing.ask, "branches": undoing.branches}[name]()
        elif name == "see_all":
            fight.seating.see_all()
        elif name == "call":
            calls.call(fight)
        elif name == "why":
            fight.telling.why()
        elif name == "again":
            fight.undoing.again()
        elif name == "replay":
            self._replay()
        elif name == "save":
            fight.keeping.save_as_new()
        elif name == "quicksave":
            fight.keeping.quicksave()
        elif name == "quickload":
            fight.app.navigator.quickload()
        else:
            return False
        return True

    def _arrow(self, name: str, event: pygame.event.Event) -> bool:
        fight, plan = self.fight, self.fight.plan
        if fight.ui.modal or fight.ui.focus is not None:
            return False
        if ending.is_over(fight):
            return ending.step_onto(fight, -1 if name in BACKWARDS else 1)
        if plan is None or plan.is_question or plan.actor is None:
            return False
        if plan.armed is not None and plan.armed.description.needs == "facing":
            action = plan.facings.get(EIGHTHS.index(STEPS[name]))
            return fight.act(action) if action is not None else True
        fight.pointing.steer(*STEPS[name])
        return True

    def _space(self, event: pygame.event.Event) -> bool:
        fight = self.fight
        if fight.pointing.waypoint():
            return True
        if fight.view.busy:
            fight.view.skip()
        else:
            cells = [m.cell for m in fight.board.miniatures if m.id == fight.acting]
            if cells:  # a game master stands nowhere
                fight.camera.centre(cells[0])
        fight.pointing.repoint()
        return True

    def _confirm(self, event: pygame.event.Event) -> bool:
        fight, plan = self.fight, self.fight.plan
        if fight.ui.focus is None and ending.is_over(fight):
            ending.summary(fight)
            return True
        if fight.ui.focus is not None or plan is None:
            return False
        if plan.is_question:
            fight.choosing.take_offer(plan.offers[0])
        elif fight.pointing.aimed and fight.pointing.aimed != plan.decision.by:
            fight.pointing.use_on(fight.pointing.aimed)
        elif fight.choosing.preview is not None:
            if fight.planning.venture(fight.choosing.preview):
                fight.act(fight.choosing.preview)
        elif fight.pointing.keyed and fight.pointing.cell is not None:
            fight.pointing.go(fight.pointing.cell)
        elif plan.armed is not None and plan.actor is not None:
            fight.pointing.steer(0, 0)  # the cursor appears where whoever acts stands
        else:
            fight.toast("Nothing is pointed at: arrows plan a way, Tab picks a target, Enter does it.")
        return True

    def _cycle(self, by: int) -> bool:
        """Through the targets and who is still to plan; through the foes where none of them can be struck yet (the
        nearest alone where others plan, too); with none, through everybody on the board."""
        fight, plan = self.fight, self.fight.plan
        if fight.ui.modal or fight.ui.focus is not None or (plan is not None and plan.is_question):
            return False
        if ending.is_over(fight):
            return ending.step_onto(fight, by)
        names = plan.targets() if plan is not None else []
        if plan is not None and not any(plan.is_foe(name) for name in names):
            foes = plan.foes_by_distance()
            names += foes[:1] if fight.planning.open() else foes
        names += [name for name in fight.planning.open() if name not in names]
        if not names:
            names = [m.id for m in fight.board.miniatures if not m.out]
        if not names:
            return False
        here = fight.pointing.aimed
        index = (names.index(here) + by) % len(names) if here in names else (0 if by > 0 else -1)
        fight.pointing.aim(names[index])
        return True

    def _turn_to(self, by: int) -> bool:
        """To the plan of the next of one's own."""
        fight = self.fight
        if fight.ui.modal or fight.plan is None:
            return False
        if not fight.planning.step(by):
            fight.toast("Nobody else of yours has anything to decide now.")
        return True

    def _replay(self) -> None:
        from game.scenes.replay import ways as replaying

        replaying.whole(self.fight.app, self.fight)

    # -- menu

    def _open_book(self) -> list[tuple[str, str, Callable[[], None]]]:
        """What shows more of the fight than one side may know: only where everything lies open."""

        fight = self.fight
        seating, found = fight.seating, []
        if fight.undoing.open_lines:
            found.append(("Branches", fight.app.keys.shown("branches"), fight.undoing.branches))
        if seating.held_from is not None or seating.may_take or seating.may_see_all:
            word = "Leave the game master's view" if seating.all_seen else "Game master's view"
            if seating.may_take:
                word = "The game master takes the screen"
            elif seating.held_from is not None:
                word = "Hand the screen on"
            found.append((word, fight.app.keys.shown("see_all"), seating.see_all))
        if calls.may_call(fight):
            found.append(("Call for a roll", fight.app.keys.shown("call"), lambda: calls.call(fight)))
        if seating.open_book and fight.match.decision is not None:
            found.append(("Forecast", "", lambda: fight.app.navigator.foresee(fight.match)))
        return found

    def menu(self) -> None:
        """The game's menu."""
        from game.scenes.dialogs.help import Help
        from game.scenes.dialogs.panels import Menu

        fight, app = self.fight, self.fight.app
        back = app.navigator.way_back()
        app.push(
            Menu(
                app,
                "Paused",
                [
                    ("Back to the fight", app.keys.shown("back"), lambda: None),
                    *([("Summary", "", lambda: ending.summary(fight))] if ending.is_over(fight) else []),
                    *([("Back to the table", "", lambda: fight.seating.show_table(back))] if back else []),
                    ("Save", app.keys.shown("save"), fight.keeping.save_as_new),
                    ("Quick save", app.keys.shown("quicksave"), fight.keeping.quicksave),
                    ("Quick load", app.keys.shown("quickload"), lambda: app.navigator.quickload()),
                    ("Replay", app.keys.shown("replay"), self._replay),
                    ("Rewind", app.keys.shown("rewind"), fight.undoing.ask),
                    *self._open_book(),
                    ("Load", "", lambda: app.navigator.load()),
                    ("Settings", "", lambda: app.navigator.options()),
                    ("Help", app.keys.shown("help"), lambda: app.push(Help(app))),
                    ("Leave for the title", "", lambda: app.navigator.title()),
                    ("Quit", "", app.quit),
                ],
            )
        )
        fight.dirty = True
