"""Victory or defeat, and what everybody did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import pygame

from game.characters.olde import camping as aftermath
from game.scenes.base import Scene, Shell
from game.scenes.fight import ending
from game.scenes.fight.panels import hud
from game.widgets.controls import Button, Label
from game.widgets.core import Scroll, Sized, Space, Widget, column, row
from game.widgets.figures import Picture, Rule
from game.widgets.ui import STEERING
from rules.contract.display import Tally
from rules.contract.events import FELLED, Attack, Began, Condition, Earned, Event, Injury, Over

if TYPE_CHECKING:
    from game.scenes.fight.scene import Fight

HASTE = 0.7
"""Seconds in which a key was rather meant for the fight that has just ended."""


def tallies(events: Iterable[Event], names: Sequence[str]) -> list[Tally]:
    """What each creature did, from the events alone."""
    dealt, taken, best, earned, felled = (dict.fromkeys(names, 0) for _ in range(5))
    striker: dict[str, str] = {}
    harmed: dict[str, str | None] = {}
    down: set[str] = set()
    for event in events:
        if isinstance(event, Attack):
            striker[event.target] = event.by
            if event.by in best:
                best[event.by] = max(best[event.by], event.attack)
        elif isinstance(event, Injury) and event.target in taken:
            taken[event.target] += event.amount
            by = event.by or striker.pop(event.target, None)
            harmed[event.target] = by
            if by in dealt and by is not None:
                dealt[by] += event.amount
                if event.status in ("incapacitated", "dead") and event.target not in down:
                    felled[by] += 1
            down |= {event.target} if event.status in ("incapacitated", "dead") else set()
        elif isinstance(event, Condition) and event.gained and event.condition in FELLED:
            by = harmed.get(event.target)  # a save that failed after the blow
            if by in felled and by is not None and event.target not in down:
                felled[by] += 1
            down.add(event.target)
        elif isinstance(event, Earned) and event.by in earned:
            earned[event.by] += event.points
    return [Tally(n, dealt[n], taken[n], best[n], earned[n], felled[n]) for n in names]


class Summary(Scene):
    """The end: who won, in how many turns, and a line for each creature of the player's."""

    overlay = True
    name = "summary"

    def __init__(self, app: Shell, fight: Fight) -> None:
        super().__init__(app)
        self.fight = fight
        self.came = app.clock()
        """When, by the clock on the wall."""

    def handle(self, event: pygame.event.Event) -> bool:
        """As ever; but keys that still meant the board when it came choose nothing, so that Enter presses nothing."""
        if event.type == pygame.KEYDOWN and event.key in STEERING and self.app.clock() - self.came < HASTE:
            return True
        return super().handle(event)

    def rebuild(self) -> None:
        steered = self.ui.focus is not None or self.ui.remembers
        super().rebuild()
        if not steered:
            self.ui.set_focus(None)  # an Enter too many throws nothing away: Tab or the arrows go to the buttons

    def build(self) -> None:
        look, (wide, high) = self.app.look, self.size
        fight = self.fight
        over = fight.board.over
        title = "Victory" if over in fight.sides else ("Defeat" if over else "Nobody is left")
        seats = fight.seating.seats
        ends = [event for event in fight.eyes.events(fight.match.events) if isinstance(event, Over)]
        if ends and ends[-1].because and over in fight.sides:
            title = "Slipped past"  # nobody had to be fought
        colour = "gold" if over in fight.sides else "coral"
        winners = [seat.name for seat in seats.seats if over in seats.sides(seat)]
        if over is not None and winners and len({seats.sides(s) for s in seats.seats if seats.sides(s)}) > 1:
            colour = "gold"  # people against each other share this screen
            title = f"{' & '.join(winners)} won"
        ours = fight.sides
        if over is not None and not any(seats.sides(seat) for seat in seats.seats):  # the computer played all
            title, ours = f"{over.replace('_', ' ').capitalize()} win", frozenset((over,))
        if over is None:
            title = "Not over yet"
        tight = wide / look.scale < 700 or high / look.scale < 480
        turns = sum(1 for e in fight.eyes.events(fight.match.events) if isinstance(e, Began) and e.what == "turn")
        counted = [m for m in fight.board.miniatures if m.side in ours]
        rest = sum(1 for m in counted if not m.out)
        told = f"{turns} turn{'s' if turns != 1 else ''} · {rest} of {len(counted)} still stand"
        if ends and ends[-1].because:
            minutes = 1 + sum(1 for e in fight.match.events if isinstance(e, Began) and e.what == "minute")
            told = f"{minutes} minute{'s' if minutes != 1 else ''}, unnoticed"
        table = Scroll(self._table(tight))
        table.grow = 1
        buttons = row(
            Button("Look at the board", self.app.pop, hint=self.app.keys.shown("back"), key="board"),
            Space(grow=1),
            Button("Replay", self._replay, key="replay"),
            Button("Rewind", self._rewind, key="rewind"),
            Button("Play again", self._again, key="again"),
            *(ending.buttons(fight, gold=True) if over is not None else ()),
            gap=10,
            wrap=True,
        )
        box = column(
            Label(title, "figure" if tight else "title", colour, centred=True),
            Label(told, "label", "quiet", centred=True),
            table,
            buttons,
            gap=8 if tight else 14,
            pad=14 if tight else 24,
            plate="panel",
            edge="faint",
        )
        width = min(look.px(680), wide - look.px(30))
        rect = pygame.Rect(0, 0, width, min(box.measure(look, width)[1], high - look.px(30)))
        rect.center = (wide // 2, high // 2)
        self.ui.add(box, rect, modal=True)

    def _table(self, tight: bool) -> Widget:
        fight = self.fight
        minis = [*fight.board.miniatures]
        minis.sort(key=lambda m: m.side not in fight.sides)
        counts = {t.id: t for t in tallies(fight.eyes.events(fight.match.events), [m.id for m in minis])}
        more = aftermath.victors(fight.match.record, fight.board)
        counted = aftermath.reach_camp(fight.match.record) or any(t.earned for t in counts.values())
        heads = ("Dealt", "Taken", "Best roll", "Felled", *(("CP",) if counted else ()))
        face, name_wide, wide = (28, 150, 62) if tight else (40, 180, 74)
        rows: list[Widget] = [
            row(
                Sized(Label(""), face),
                _cell("", name_wide, "quiet"),
                *(_cell(h, wide, "quiet") for h in heads),
                gap=6,
            )
        ]
        side = None
        for mini in minis:
            if side is not None and mini.side != side:
                rows.append(Rule())
            side = mini.side
            t = counts[mini.id]
            earned = t.earned + more.get(mini.id, 0)
            figures = (t.dealt, t.taken, t.best or "–", t.felled, earned)[: len(heads)]
            name = mini.name + (" †" if mini.dead else (" (down)" if mini.out else ""))
            cells = [_cell(str(f), wide, "bright" if f not in (0, "–") else "faint") for f in figures]
            rows.append(
                row(
                    Sized(Picture(hud.likeness(mini.art, mini.side), face - 6), face),
                    _cell(name, name_wide, "text"),
                    *cells,
                    gap=6,
                )
            )
        return column(*rows, gap=4)

    def _replay(self) -> None:
        from game.scenes.replay import ways as replaying

        replaying.whole(self.app, self.fight)

    def _rewind(self) -> None:
        self.app.pop()
        self.fight.undoing.ask()

    def _again(self) -> None:
        self.app.navigator.again(self.fight.match)


def _cell(text: str, width: float, colour: str) -> Widget:
    return Sized(Label(text, "text", colour, one_line=True), width)
