"""A player of random habit: looks at the screen, and does something that a hand might do there."""

from __future__ import annotations

import random
from collections.abc import Callable

from game.scenes.fight.deeds import DiceDialog
from game.scenes.fight.ending import Summary
from game.scenes.fight.hotseat import Handover
from game.scenes.fight.scene import Fight
from game.scenes.setup import Setup
from game.scenes.title import Title
from rules.contract.units import Cell
from tests.soak.encounters import SCALES, SIZES
from tests.soak.hand import Step, named, pressables
from tests.soak.table import Table

HABITS = {"calm": 0.72, "fiddling": 0.42, "wild": 0.15}
"""How often one of a habit just plays on where a deed is asked for."""
LEFT_ALONE = (
    "Quit",
    "Forecast",
    "forecast",
    "First fight",
    "show me",
    "Surprise me",
    "New fight",
    "Heroes",
    "Bestiary",
)
"""Buttons that end the program, or lead to what other tests are for."""
COMMANDS = (
    *["undo"] * 8, *["redo"] * 4, *["rewind"] * 3, *["branches"] * 2, *["quicksave"] * 4, *["quickload"] * 4,
    "save", *["back"] * 5, *["again"] * 2, "replay", *["why"] * 2, "threat", *["see_all"] * 3, "log", "panels",
    "help", "reference", "keys", *["confirm"] * 4, *["centre"] * 4, *["next_target"] * 3, "last_target",
    *["end"] * 4, "next_own", "last_own", "zoom_in", "zoom_out", "zoom_fit", "pan_up", "pan_left", "north", "east",
    "southwest", *["context"] * 2, "call",
)  # fmt: skip
KEYS = "123456789abcdefghijklmnopqrtvxyz"
PAUSES = (0.0, 0.0, 0.0, 0.05, 0.1, 0.2, 0.3, 0.6, 1.0, 2.0)
LONG = (4.0, 7.0, 15.0)


class Player:
    """Chooses each step by a seed and by what is on screen. `most`: how many steps it plays."""

    def __init__(self, seed: int, most: int) -> None:
        self.lot = random.Random(f"habit {seed}")
        self.most = most
        self.keen = HABITS[self.lot.choice(list(HABITS))]
        self._rest: list[Step] = []
        self._done = self._after = 0

    def __call__(self, table: Table) -> Step | None:
        """The next step; None: it has played enough."""
        self._done += 1
        if self._rest:
            return self._rest.pop(0)
        if self._done > self.most or self._after > 25:
            return None
        fight = table.fight
        self._after += fight is None or fight.match.decision is None
        step = self._step(table)
        if self.lot.random() < 0.06:
            self._rest.append(["look"])
        if step[0] != "time":
            pause = self.lot.choice(PAUSES) if self.lot.random() < 0.97 else self.lot.choice(LONG)
            if pause:
                self._rest.append(["time", pause])
        return step

    def _step(self, table: Table) -> Step:
        top, lot = table.loop.top, self.lot
        if lot.random() < 0.03:
            return self._window()
        if isinstance(top, Fight):
            return self._in_fight(top)
        if isinstance(top, DiceDialog):
            return lot.choice(
                (["key", "t"], ["key", "t"], ["key", "1"], ["key", "3"], ["key", "Backspace"], ["command", "back"])
            )
        if isinstance(top, Handover) and lot.random() < 0.8:
            return ["press", "ready"]
        if isinstance(top, Setup):
            return lot.choice(
                (["command", "setup_play"], ["command", "setup_play"], ["command", "back"], self._any_button(table))
            )
        if isinstance(top, Title):
            return lot.choice((["press", "Continue"], ["command", "quickload"], self._any_button(table)))
        if isinstance(top, Summary) and lot.random() < 0.3:
            return ["key", "Enter"]
        chance = lot.random()
        if chance < 0.35:
            return ["command", "back"]
        if chance < 0.5:
            return self._random_input()
        return self._any_button(table) if chance < 0.93 else ["time", lot.choice((0.3, 1.0, 3.0))]

    # -- in a fight

    def _in_fight(self, fight: Fight) -> Step:
        lot, plan = self.lot, fight.plan
        if plan is None or fight.view.busy:
            if lot.random() < 0.55 + 0.3 * self.keen:
                return ["time", lot.choice((0.1, 0.3, 0.6, 1.0, 2.0))] if lot.random() < 0.7 else ["command", "centre"]
            return self._meddle(fight)
        if lot.random() < self.keen:
            return ["advise"]
        deeds: tuple[Callable[[Fight], Step], ...] = (
            self._offer, self._offer, self._target, self._space, self._space, self._meddle, self._meddle, self._meddle,
        )  # fmt: skip
        return lot.choice(deeds)(fight)

    def _offer(self, fight: Fight) -> Step:
        """Press a button of the bar by mouse, or its key."""
        lot = self.lot
        buttons = [w for panel in fight.ui.live() for w in panel.walk() if w.key.startswith(("offer", "pick", "more"))]
        lit = [w for w in buttons if w.enabled] or buttons
        if fight.plan is not None and lot.random() < 0.4:
            keys = [key for o in fight.plan.offers if (key := fight.key_of(o))]
            if keys:
                return ["key", lot.choice(keys)]
        return ["press", lot.choice(lit).key] if lit else ["key", "Enter"]

    def _target(self, fight: Fight) -> Step:
        lot, plan = self.lot, fight.plan
        names = (plan.targets() if plan is not None else []) or [m.id for m in fight.board.miniatures]
        if not names:
            return ["command", "next_target"]
        return ["creature", lot.choice(names), lot.choice((1, 1, 1, 1, 3))]

    def _space(self, fight: Fight) -> Step:
        """A space that can be gone to or aimed at, else any."""
        lot, plan, field = self.lot, fight.plan, fight.match.field
        lit = [cell for offer in plan.active() for cell in plan.moves(offer)] if plan is not None else []
        cell = lot.choice(lit) if lit and lot.random() < 0.75 else lot.randrange(field.width * field.height)
        column, row = field.at(Cell(cell))
        kind = lot.random()
        if kind < 0.6:
            return ["cell", column, row, lot.choice((1, 1, 1, 1, 1, 3))]
        return ["hover", column, row] if kind < 0.85 else ["drag", column, row, lot.choice((1, 1, 2))]

    def _meddle(self, fight: Fight) -> Step:
        chance = self.lot.random()
        if chance < 0.62:
            return ["command", self.lot.choice(COMMANDS)]
        return self._space(fight) if chance < 0.72 else self._random_input()

    # -- anywhere

    def _any_button(self, table: Table) -> Step:
        names = [named(w) for w in pressables(table.loop) if w.enabled and named(w)]
        names = [name for name in names if not name.startswith(LEFT_ALONE)]
        return ["press", self.lot.choice(names)] if names else ["command", "back"]

    def _random_input(self) -> Step:
        lot, kind = self.lot, self.lot.random()
        if kind < 0.35:
            return ["key", lot.choice(KEYS)]
        if kind < 0.5:
            return ["key", lot.choice(("Enter", "Space", "Tab", "Escape", "Backspace", "Ctrl+Enter", "Up", "Down"))]
        if kind < 0.85:
            return ["click", lot.randrange(1000), lot.randrange(1000), lot.choice((1, 1, 1, 3))]
        return ["wheel", lot.choice((-1, 1))] if kind < 0.92 else ["point", lot.randrange(1000), lot.randrange(1000)]

    def _window(self) -> Step:
        lot = self.lot
        if lot.random() < 0.5:
            return ["resize", *lot.choice(SIZES)]
        name = lot.choice(("scale", "speed", "palette", "pace"))
        values = {"scale": SCALES, "speed": (0, 1, 2, 3), "pace": (0, 1, 2, 3), "palette": ("normal", "high contrast")}
        return ["setting", name, lot.choice(values[name])]
