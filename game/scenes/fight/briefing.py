"""What is told before anything is done: story and tasks; or how far it has come, where an evening is gone on with."""

from __future__ import annotations

from game.chronicle.paper import prose
from game.chronicle.reckoning import reckoned, so_far
from game.scenes.dialogs.panels import Panel
from game.scenes.fight.model import FightModel
from game.scenes.fight.panels.goals import rows
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Space, Tip, Widget, column, row
from rules.contract.text import joined, text, titled

TO_DO = "What is to be done"


class Read(Panel):
    """Something to be read before one plays; Enter, Esc or a click goes on."""

    def __init__(self, fight: FightModel) -> None:
        super().__init__(fight.app)
        self.fight = fight


class Briefing(Read):
    """Read once, at the beginning."""

    name = "briefing"
    width = 560.0
    first = "begin"

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
            told += [Label(TO_DO, "label!", "bright"), rows(goals)]
        foot = row(Space(grow=1), self.leave_button("Begin", key="begin", gold=True))
        return column(self.scrolled(column(*told, gap=10), "told"), foot, gap=14, pad=24)


class SoFar(Read):
    """An evening that is taken up again: how far it has come, and what happened last."""

    name = "so far"
    width = 640.0
    first = "on"

    def __init__(self, fight: FightModel) -> None:
        super().__init__(fight)
        self.reckoning = reckoned(fight.match, fight.seating.views_of_past()[0].sides)

    def content(self) -> Box:
        fight, reckoning = self.fight, self.reckoning
        told: list[Widget] = []
        for heading, paragraphs in so_far(reckoning.tale):
            told.append(Label(heading, "label!", "bright"))
            told += [Label(prose(paragraph)) for paragraph in paragraphs]
        told += [Label(said, "text", "coral") for said in reckoning.fallen]
        if reckoning.treasure:
            told.append(Label(titled(reckoning.treasure), "text", "gold"))
        if reckoning.deeds:
            how = {deed.goal.name: deed.told for deed in reckoning.deeds if deed.told}
            told += [Label(TO_DO, "label!", "bright"), rows([d.goal for d in reckoning.deeds], how)]
        foot = row(
            Button("Chronicle", fight.doing("chronicle"), key="chronicle", tip=Tip("The evening so far as a tale.")),
            Space(grow=1), self.leave_button("Go on", key="on", gold=True),
        )  # fmt: skip
        return column(
            Label("So far", "heading", "gold"),
            Label(joined(" · ", (reckoning.tale.title, reckoning.in_short)), "label", "quiet"),
            self.scrolled(column(*told, gap=9), "told"), foot, gap=12, pad=24,
        )  # fmt: skip


def brief(fight: FightModel) -> None:
    """Tell it, where there is something to tell and somebody sits there to read it: the beginning where nobody has done
    anything yet, the evening so far where it was left and is taken up."""
    if not fight.sides or fight.app.top is not fight:
        return
    if fight.match.history.length:
        if fight.taken_up and fight.match.record.expedition and fight.match.decision is not None:
            fight.app.push(SoFar(fight))
        return
    if fight.match.field.story or any(goal.side in fight.sides for goal in fight.board.goals):
        fight.app.push(Briefing(fight))
