"""Why the computer did that: the board as its side knew it, its three best options with their reasons, and why not."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import msgspec
import pygame

from game.controllers.ai.weights import NORMAL
from game.fight.advice import Counsel, Why, explainable
from game.fight.match import Match
from game.fight.seats import Seats
from game.fight.viewing import Eyes, fogged
from game.scenes.base import STEPS, Shell
from game.scenes.dialogs.level import WORDS
from game.scenes.fight.panels.card import MARGIN, likeness
from game.scenes.replay.playback import Watching
from game.view.camera import Camera
from game.view.overlays import Overlays
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Space, Tip, Widget, column, grown, row
from game.widgets.figures import DIGITS, Picture, ReasonBar
from game.widgets.text import line
from rules.contract.display import Board
from rules.contract.errors import BattlematError, said
from rules.contract.text import text
from rules.contract.units import Cell
from rules.core.dice import signed

if TYPE_CHECKING:
    from game.controllers.ai import Option

WIDTH = 372
SHORT = 32
"""Letters of an option that its button has room for."""


class WhyScene(Watching):
    """One decision of the computer's. `number`: how many commands had been given before it."""

    name = "why"
    key_groups = ("general", "why", "camera")

    def __init__(self, app: Shell, match: Match, number: int, like: Camera | None = None) -> None:
        super().__init__(app, match, like)
        self.counsel = Counsel(match, app.settings.level)
        self.deeds = explainable(match, Seats(match.record).played)
        self.why: Why = self.counsel.why(number)
        if number not in self.deeds:
            raise BattlematError("What is planned stays sealed until it is carried out.")
        self.take(number)

    def take(self, number: int) -> None:
        """Turn to a decision."""
        self.why = self.counsel.why(number)
        self.chosen = max(0, self.why.taken)
        self.asked: Cell | None = None
        """The space about which one asked why not, and the answer."""
        self.answer = ""
        sides = (self.why.deed.decision.side,) if fogged(self.match) else None
        eyes = Eyes(self.match, sides, (self.why.deed.decision.side,))
        whole = self.match.ruleset.board(self.match.history.moments[number].state)
        self.board = _without_secrets(eyes.board(number), whole)
        self.view.set_board(self.board)
        self.view.see(eyes.sight(number), self.match.ruleset.lamps(eyes.state(number)))
        self.minis = {mini.id: mini for mini in self.board.miniatures}
        if self._fitted:
            self._show()
            self.rebuild()

    def _show(self) -> None:
        by = self.minis.get(self.why.deed.decision.by)
        cells = [by.cell] if by is not None else []
        cells += [option.cell for option in self.options if option.cell >= 0]
        aimed = [action.target for option in self.options for action in option.plan]
        self.camera.show([*cells, *(self.minis[name].cell for name in aimed if name in self.minis)])

    @property
    def options(self) -> Sequence[Option]:
        """The best options, best first."""
        return self.why.thinking.best

    @property
    def option(self) -> Option:
        """The option whose reasons are shown."""
        return self.options[self.chosen]

    def entered(self) -> None:
        super().entered()
        self._show()
        self.view.resting = True

    # -- what is asked

    def choose(self, number: int) -> None:
        """Show the reasons of an option."""
        self.chosen = number % len(self.options)
        self.rebuild()

    def clicked(self, cell: Cell) -> None:
        self.ask(cell)

    def ask(self, cell: Cell) -> None:
        """Why not this space?"""
        self.asked = cell
        try:
            self.answer = self.counsel.why_not(self.why.deed.number, cell)
        except BattlematError as error:
            self.answer = said(error)
        self.rebuild()

    def turn(self, by: int) -> None:
        """To the computer's next or last decision."""
        place = bisect_left(self.deeds, self.why.deed.number) + by
        if 0 <= place < len(self.deeds):
            self.take(self.deeds[place])

    def command(self, name: str, event: pygame.event.Event) -> bool:
        if name != "why_not" or self.ui.focus is not None:
            return super().command(name, event)
        if self.hovered is not None:
            self.ask(self.hovered)
        return True

    def commands(self) -> Mapping[str, Callable[[], object]]:
        return {
            **super().commands(), "why_next": partial(self.turn, 1), "why_last": partial(self.turn, -1),
            "why_option": partial(self.choose, self.chosen + 1), "why_focus": partial(self.ui.step, 1),
            "why_option_back": partial(self.choose, self.chosen - 1),
            **{f"why_{way}": partial(self._steer, *step) for way, step in STEPS.items()},
        }  # fmt: skip

    def _steer(self, across: int, down: int) -> None:
        """Move the cursor by keys; it sets out from who decided."""
        field = self.match.field
        by = self.minis.get(self.why.deed.decision.by)
        start = self.hovered if self.hovered is not None else by.cell if by is not None else Cell(0)
        column_, row_ = field.at(start)
        x, y = max(0, min(field.width - 1, column_ + across)), max(0, min(field.height - 1, row_ + down))
        self.hovered = field.cell(x, y)
        self.camera.show([self.hovered])

    # -- what is drawn

    def overlays(self) -> Overlays:
        marks = super().overlays()
        marks.selected = self.why.deed.decision.by
        marks.path = tuple(cell for action in self.option.plan for cell in action.path)
        target = next((a.target for a in self.option.plan if a.target in self.minis), None)
        if target is not None:
            marks.chances[target] = str(self.chosen + 1)
        if self.asked is not None:
            marks.reach = 1 << self.asked
        return marks

    def draw(self, surface: pygame.Surface) -> None:
        self.view.draw(surface, self.overlays())
        for number, option in reversed(list(enumerate(self.options))):
            if option.cell >= 0:
                self._badge(surface, number, option.cell)
        if self.hovered is not None:
            self._place_name(surface, self.hovered)
        self.ui.draw(surface)

    def _place_name(self, surface: pygame.Surface, cell: Cell) -> None:
        """What the options call the space that is pointed at."""
        look, rect = self.app.look, self.camera.space_rect(cell)
        text = line(look, self.match.field.words(*self.match.field.at(cell)), "small", "bright")
        box = text.get_rect(midbottom=(rect.centerx, rect.top - look.px(3))).inflate(look.px(8), look.px(2))
        box.clamp_ip(surface.get_rect())
        look.panel(surface, box, fill="night", edge="faint", radius=4)
        surface.blit(text, text.get_rect(center=box.center))

    def _badge(self, surface: pygame.Surface, number: int, cell: Cell) -> None:
        """An option's number on the space where it would end; several on one space stand side by side."""
        look, rect = self.app.look, self.camera.space_rect(cell)
        before = sum(1 for option in self.options[:number] if option.cell == cell)
        size = look.px(19)
        box = pygame.Rect(rect.left + before * (size + 2), rect.bottom - size, size, size)
        chosen = number == self.chosen
        look.panel(surface, box, fill="gold" if chosen else "night", edge="gold", radius=5)
        text = line(look, str(number + 1), "text!", "goldink" if chosen else "gold")
        surface.blit(text, text.get_rect(center=box.center))

    def build(self) -> None:
        look, (wide, high) = self.app.look, self.size
        margin, width = look.px(MARGIN), min(look.px(WIDTH), wide // 2)
        rect = pygame.Rect(wide - margin - width, margin, width, high - 2 * margin)
        self.ui.add(self._panel(), rect)
        self.camera.free = pygame.Rect(margin, margin, rect.left - 2 * margin, high - 2 * margin)

    def _panel(self) -> Box:
        by = self.minis.get(self.why.deed.decision.by)
        name = by.name if by is not None else self.why.deed.decision.by
        head: list[Widget] = [Label(text("What {name} thought", name), "heading", "bright")]
        told = self.board.caption
        if self.why.thinking.temperament:
            temperament = self.why.thinking.temperament.replace("_", " ")
            told = text("{told} · plays {temperament}", told, temperament)
        if self.why.level != NORMAL:
            told = text("{told} · {level}", told, WORDS[self.why.level][0])
        head.append(Label(told, "small", "quiet"))
        if fogged(self.match):
            head.append(Label("The board is shown as its side knew it.", "small", "quiet"))
        title = row(Picture(likeness(by.art, by.side), 46), column(*head, gap=1), gap=10) if by else column(*head)
        parts = [self._option(number, option) for number, option in enumerate(self.options)]
        parts.insert(self.chosen + 1, self._reasons(self.option))
        if self.why.taken < 0:
            done = self.match.ruleset.describe(self.why.deed.known, self.why.deed.done).label
            parts.append(Label(text("It did none of these, but: {done}.", done), "text", "amber"))
        listing = grown(Scroll(column(*parts, gap=7, pad=4), key="options"))
        told = self.answer or "Why not there? Click a space, or point with the arrows and press Enter."
        ask = Label(told, "text", "bright" if self.answer else "quiet")
        keys, place = self.app.keys, bisect_left(self.deeds, self.why.deed.number)
        earlier = Button("Earlier", partial(self.turn, -1), slim=True, enabled=place > 0, key="earlier",
                         tip=Tip("The computer's decision before.", keys.shown("why_last")))  # fmt: skip
        later = Button("Later", partial(self.turn, 1), slim=True, enabled=place + 1 < len(self.deeds), key="later",
                       tip=Tip("The computer's next decision.", keys.shown("why_next")))  # fmt: skip
        back = Button("Back", self.app.pop, hint=keys.shown("back"), slim=True, key="leave")
        asked = column(ask, pad=9, plate="raised", edge="faint")
        foot = row(earlier, later, Space(grow=1), back, gap=6)
        return column(title, listing, asked, foot, gap=9, pad=13, plate="panel")

    def _option(self, number: int, option: Option) -> Widget:
        label = option.label or self.match.ruleset.describe(self.why.deed.known, option.action).label
        did = " · did this" if number == self.why.taken else ""
        return Button(
            text("{what}  {label}", number + 1, label), partial(self.choose, number),
            cost=text("score {score}{did}", signed(option.score, DIGITS), did), chosen=number == self.chosen,
            key=f"option {number + 1}", left=True, tip=Tip(label),
        )  # fmt: skip

    def _reasons(self, option: Option) -> Widget:
        rows: list[Widget] = [Label(option.label, "text", "bright")] if len(option.label) > SHORT else []
        most = max((abs(value) for o in self.options for _, value in o.reasons), default=1.0)
        rows += [ReasonBar(text, value, most) for text, value in option.reasons if round(value, DIGITS)]
        if not rows:
            return Label("Nothing speaks for or against it.", "small", "quiet")
        return column(*rows, gap=3, pad=6)


def _without_secrets(board: Board, table: Board) -> Board:
    """What a side knew, without what it knows alone: traps and doors that the table doesn't show."""
    shown = {(mark.kind, mark.label) for mark in table.ground}
    doors = (there if there == "secret" else known for known, there in zip(board.doors, table.doors, strict=True))
    ground = tuple(mark for mark in board.ground if (mark.kind, mark.label) in shown)
    return msgspec.structs.replace(board, doors=tuple(doors), ground=ground)
