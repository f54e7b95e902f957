"""What is told before anything is done: the map's story, and what there is to do."""

from __future__ import annotations

from game.scenes.dialogs.panels import Panel
from game.scenes.fight.model import FightModel
from game.scenes.fight.panels.goals import rows
from game.widgets.controls import Label
from game.widgets.core import Box, Space, Widget, column, row
from rules.contract.text import text


class Briefing(Panel):
    """Read once, at the beginning; Enter, Esc or a click goes on."""

    name = "briefing"
    width = 560.0
    first = "begin"

    def __init__(self, fight: FightModel) -> None:
        super().__init__(fight.app)
        self.fight = fight

    def content(self) -> Box:
        fight = self.fight
        title, story, left = fight.match.title, fight.match.field.story, fight.match.field.left
        if left.again:
            title, story = text("{place}, evening {number}", title, left.evening), "Everything is as you left it."
            if left.minutes:
                story = "Everything is as you left it, but that those who live here have had time."
        told: list[Widget] = [Label(title, "heading", "gold")]
        if story:
            told.append(Label(story))
        goals = [goal for goal in fight.board.goals if goal.side in fight.sides]
        if goals:
            told += [Label("What is to be done", "label!", "bright"), rows(goals)]
        foot = row(Space(grow=1), self.leave_button("Begin", key="begin", gold=True))
        return column(self.scrolled(column(*told, gap=10), "told"), foot, gap=14, pad=24)


def brief(fight: FightModel) -> None:
    """Tell it, where there is something to tell, nobody has done anything yet and somebody sits there to read it."""
    if fight.match.history.length or not fight.sides or fight.app.top is not fight:
        return
    if fight.match.field.story or any(goal.side in fight.sides for goal in fight.board.goals):
        fight.app.push(Briefing(fight))
