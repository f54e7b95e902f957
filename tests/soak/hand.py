"""What a hand does to the window, step by step: each step is a list that JSON keeps, and means something on any screen.

A step that means nothing where it comes does nothing, so that any steps may be left out of a list.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pygame

from game.controllers.human import stroke
from game.fight.advice import Counsel
from game.fight.match import Match
from game.scenes.fight.scene import Fight
from game.widgets.controls import Pressable
from rules.contract.actions import Action, Offer
from tests.soak.loop import Loop

Step = list[Any]
"""`["key", "Ctrl+Z"]`, `["time", 0.3]`, `["press", "ready"]` …: the name of a method of `Hand` and its arguments."""
WHOLE = 1000
"""Places in the window are given in thousandths of its width and height."""


def pressables(loop: Loop) -> Iterator[Pressable]:
    """What can be pressed on the screen that has the keys, the topmost first."""
    for panel in reversed(loop.top.ui.live()):
        for widget in panel.walk():
            if isinstance(widget, Pressable):
                yield widget


def named(widget: Pressable) -> str:
    """What tells a button apart from the others of its screen, whatever is shown besides."""
    return widget.key or str(getattr(widget, "label", ""))


class Hand:
    """Mouse and keyboard at a loop."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self._counsel: tuple[Match, Counsel] | None = None

    def do(self, step: Step) -> None:
        """Do a step."""
        name, *rest = step
        getattr(self, f"_{name}")(*rest)

    @property
    def fight(self) -> Fight | None:
        """The fight on top, if there is one."""
        top = self.loop.top
        return top if isinstance(top, Fight) else None

    # -- keys

    def _key(self, text: str) -> None:
        found = stroke(text)
        plain = len(text) == 1
        self._type_key(found.key, found.modifiers, text if plain else "")

    def _type_key(self, key: int, mod: int, typed: str) -> None:
        down = pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode=typed, scancode=0)
        text = [pygame.event.Event(pygame.TEXTINPUT, text=typed)] if typed else []
        up = pygame.event.Event(pygame.KEYUP, key=key, mod=0, unicode="", scancode=0)
        self.loop.give(down, *text, up)

    def _command(self, name: str) -> None:
        """The first key of a command, whatever key that is."""
        command = next((c for c in self.loop.keys.commands if c.name == name), None)
        if command is not None and command.keys:
            self._key(command.keys[0])

    # -- mouse

    def _pixel(self, x: int, y: int) -> tuple[int, int]:
        wide, high = self.loop.surface.get_size()
        return x * (wide - 1) // WHOLE, y * (high - 1) // WHOLE

    def _move_to(self, pos: tuple[int, int]) -> None:
        self.loop.give(pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(0, 0), buttons=(0, 0, 0)))

    def _button(self, pos: tuple[int, int], button: int, *, down: bool) -> None:
        kind = pygame.MOUSEBUTTONDOWN if down else pygame.MOUSEBUTTONUP
        self.loop.give(pygame.event.Event(kind, pos=pos, button=button))

    def _click_at(self, pos: tuple[int, int], button: int = 1) -> None:
        self._move_to(pos)
        self._button(pos, button, down=True)
        self._button(pos, button, down=False)

    def _click(self, x: int, y: int, button: int = 1) -> None:
        """Click anywhere."""
        self._click_at(self._pixel(x, y), button)

    def _point(self, x: int, y: int) -> None:
        """Move the pointer anywhere."""
        self._move_to(self._pixel(x, y))

    def _wheel(self, by: int) -> None:
        self.loop.give(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=by, flipped=False))

    def _press(self, name: str) -> None:
        """Click a button by its name; one that is scrolled away is pressed by keys."""
        for widget in pressables(self.loop):
            if name in (widget.key, getattr(widget, "label", "")):
                self._press_widget(widget)
                return

    def _press_widget(self, widget: Pressable) -> None:
        middle = widget.rect.center
        under = next((w for panel in reversed(self.loop.top.ui.live()) if (w := panel.at(middle))), None)
        if under is widget or (under is not None and under in widget.walk()):
            self._click_at(middle)
        elif widget.stops:
            self.loop.top.ui.set_focus(widget)
            self._key("Enter")

    # -- the board

    def spot(self, cell: int) -> tuple[int, int] | None:
        """The pixel of a space, if a click there means it: in the window and under no panel."""
        fight = self.fight
        if fight is None:
            return None
        pos = fight.camera.space_rect(cell).center
        inside = self.loop.surface.get_rect().collidepoint(pos)
        return pos if inside and not fight.ui.over(pos) and not fight.ui.modal else None

    def _cell(self, column: int, row: int, button: int = 1) -> None:
        """Click a space of the board."""
        if self.fight is not None and self.fight.match.field.inside(column, row):
            self._click_cell(self.fight.match.field.cell(column, row), button)

    def _click_cell(self, cell: int, button: int = 1) -> None:
        spot = self.spot(cell)
        if spot is not None:
            self._click_at(spot, button)

    def _hover(self, column: int, row: int) -> None:
        """Point at a space of the board."""
        if self.fight is not None and self.fight.match.field.inside(column, row):
            spot = self.spot(self.fight.match.field.cell(column, row))
            if spot is not None:
                self._move_to(spot)

    def _creature(self, name: str, button: int = 1) -> None:
        """Click a creature."""
        if self.fight is not None:
            cell = next((m.cell for m in self.fight.board.miniatures if m.id == name), None)
            if cell is not None:
                self._click_cell(cell, button)

    def _drag(self, column: int, row: int, button: int = 1) -> None:
        """Drag from whoever acts (with another button: from the middle of the window) to a space."""
        fight = self.fight
        if fight is None or not fight.match.field.inside(column, row):
            return
        goal = self.spot(fight.match.field.cell(column, row))
        acting = next((m.cell for m in fight.board.miniatures if m.id == fight.acting), None)
        start = self.spot(acting) if acting is not None and button == 1 else fight.camera.free.center
        if goal is None or start is None:
            return
        self._move_to(start)
        self._button(start, button, down=True)
        for part in (1, 2, 3):
            way = (start[0] + (goal[0] - start[0]) * part // 3, start[1] + (goal[1] - start[1]) * part // 3)
            self._move_to(way)
        self._button(goal, button, down=False)

    # -- as the computer would

    def _advise(self) -> None:
        """Do, by hand, what the computer would do in this place; end the chance where no hand finds how."""
        fight = self.fight
        if fight is None or fight.plan is None or fight.view.busy:
            return
        if fight.choices.picks is not None:
            self._key("1")
            return
        before, plan = fight.match.history.length, fight.plan
        if plan.is_question:
            self._key("Enter")
            return
        self._carry_out(fight, self._counselled(fight))
        same = fight.match.history.length == before and fight.plan is plan and fight.choices.picks is None
        if same and self.loop.top is fight:
            self._command("end")

    def _counselled(self, fight: Fight) -> Action:
        if self._counsel is None or self._counsel[0] is not fight.match:
            self._counsel = (fight.match, Counsel(fight.match))
        assert fight.plan is not None
        return self._counsel[1].advise(fight.plan.decision)

    def _carry_out(self, fight: Fight, action: Action) -> None:
        plan = fight.plan
        assert plan is not None
        offer = next((o for o in plan.offers if action in o.actions), None)
        plain = offer is None or offer.description.needs in ("path", "creature")
        if plain and action.path:
            self._click_cell(action.path[-1])
        elif plain and action.target in plan.minis:
            self._creature(action.target)  # type: ignore[arg-type]
        elif offer is not None:
            self._by_offer(fight, offer, action)

    def _by_offer(self, fight: Fight, offer: Offer, action: Action) -> None:
        """Press a button, take the entry of its list, point at what is meant."""
        plan = fight.plan
        self._key(fight.key_of(offer) or "m")
        for _ in range(2):
            if fight.plan is not plan or fight.choices.picks is None:
                break
            entries = fight.choices.picks[1]
            fits = (n for n, entry in enumerate(entries[:9]) if _means(entry[2], action))
            self._key(str(next(fits, 0) + 1))
        if fight.plan is plan and plan is not None and plan.armed is not None and self.fight is fight:
            if action.target in plan.minis and plan.armed.description.needs != "space":
                self._creature(action.target)  # type: ignore[arg-type]
            elif action.at is not None:
                self._click_cell(action.at)

    # -- window and time

    def _time(self, seconds: float) -> None:
        """Let time pass."""
        self.loop.let(seconds)

    def _resize(self, wide: int, high: int) -> None:
        """Make the window another size."""
        pygame.display.set_mode((wide, high), pygame.RESIZABLE)
        self.loop.give(pygame.event.Event(pygame.WINDOWSIZECHANGED, x=wide, y=high))

    def _setting(self, name: str, value: Any) -> None:
        """Change a setting, as the settings do."""
        setattr(self.loop.settings, name, value)
        self.loop.recolour() if name == "palette" else self.loop.refit()

    def _look(self) -> None:
        """Look at the frame."""
        self.loop.picture()


def _means(what: Action | Offer | None, action: Action) -> bool:
    return action in what.actions if isinstance(what, Offer) else what == action
