"""What is to be done, at the board's edge: each goal with how it stands; where it counts, on the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pygame

from game.scenes.fight.model import FightModel
from game.view.minis import icon
from game.view.palette import GOLD
from game.widgets.controls import Label
from game.widgets.core import Scroll, Space, Tip, Widget, column, grown, row
from game.widgets.figures import Picture
from rules.contract.display import Due, Task
from rules.contract.text import Text, joined, text
from rules.contract.units import EMPTY, Bitboard

SIGNS = {"open": "•", "done": "√", "failed": "×"}
COLOURS = {"open": "text", "done": "gold", "failed": "faint"}
TOLD = {"open": "Still to be done.", "done": "Done.", "failed": "It can't be done any more."}


def listed(fight: FightModel, *, tight: bool) -> Widget | None:
    """The goals of whoever looks, and who is due where they may know; None where there is neither. In little windows
    one line says how many there are."""
    goals, due = of_board(fight.told_board.goals, tight=tight), to_come(fight.told_board.due, tight=tight)
    if goals is None or due is None:
        return goals if due is None else due
    return row(goals, due, gap=4) if tight else column(due, grown(goals), gap=6)


def to_come(due: Sequence[Due], *, tight: bool = False) -> Widget | None:
    """The waves that have still to come, with when: for whoever prepared them."""
    if not due:
        return None
    waves: dict[tuple[str, str], list[str]] = {}
    for each in due:
        waves.setdefault((each.wave, each.when), []).append(each.mini.name)
    lines = [text("{when}: {who}", when, joined(", ", ([wave] if wave else []) + names) if len(names) < 4 else
                  text("{n} creatures", len(names)))
             for (wave, when), names in waves.items()]  # fmt: skip
    head, tip = text("To come {n}", len(due)), Tip("Nobody whom they come upon sees this.", "Waves")
    if tight:
        return row(Label(head, "label!", "gold", tip=Tip(joined(" · ", lines), "Waves")), pad=6, plate="panel")
    told = [Label(each, "text", "text") for each in lines]
    return column(Label(head, "label!", "gold", tip=tip), *told, gap=3, pad=10, plate="panel")


def of_board(goals: Sequence[Task], *, tight: bool = False) -> Widget | None:
    """The same of any goals: those of a moment long past, say."""
    if not goals:
        return None
    done = sum(goal.state == "done" for goal in goals)
    head = text("Goals {done}/{all}", done, len(goals))
    if tight:
        lines = " · ".join(str(_words(goal)) for goal in goals)
        return row(Label(head, "label!", "gold", tip=Tip(lines, "Goals")), pad=6, plate="panel")
    title = row(Picture(_flag, 16), Label(head, "label!", "gold"), gap=6)
    return column(title, grown(Scroll(rows(goals), key="goals")), gap=4, pad=10, plate="panel")


def _flag(size: int) -> pygame.Surface:
    return icon("goal", size, GOLD) or pygame.Surface((size, size), pygame.SRCALPHA)


def rows(goals: Sequence[Task], how: Mapping[str, str] | None = None) -> Widget:
    """A line for each goal, with how it stands; `how`: a goal's name and by whom and when it was done."""
    return column(*(_row(goal, (how or {}).get(goal.name, "")) for goal in goals), gap=3)


def _row(goal: Task, how: str) -> Widget:
    colour = "faint" if goal.waits else COLOURS[goal.state]
    told = "Something else has to be done first." if goal.waits else TOLD[goal.state]
    sign = Label(SIGNS[goal.state], "text", "gold" if goal.state == "done" else "quiet")
    line = row(sign, grown(Label(_words(goal), "text", colour, tip=Tip(told))), gap=6, align="start")
    return column(line, row(Space(16), Label(how, "small", "quiet")), gap=0) if how else line


def _words(goal: Task) -> str:
    said: str = goal.label
    if goal.of and goal.state == "open":
        said = Text.of("{goal} ({done} of {rounds})", goal=said, done=goal.done, rounds=goal.of)
    return Text.of("{goal} (if you can)", goal=said) if goal.optional and goal.state == "open" else said


def spaces(fight: FightModel) -> Bitboard:
    """Bitboard of the known spaces where an open goal counts."""
    found = EMPTY
    for goal in fight.told_board.goals:
        if goal.state == "open" and not goal.waits:
            found |= goal.cells
    return found & fight.eyes.known() if found else EMPTY
