"""The panel in which a table is seated: names and colours, who plays whom, real dice, the clock, fog and darkness."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from game.fight.seats import GAME_MASTER
from game.scenes.base import Shell
from game.scenes.dialogs.level import level_row
from game.scenes.dialogs.panels import Menu, Panel
from game.setup.draft import AS_SIDE, CLOCKS, COMPUTER, MOST, SeatTable
from game.view.palette import SEATS, seat_colour
from game.widgets.controls import Button, Label, SwatchButton, Toggle
from game.widgets.core import Box, Sized, Space, Split, Tip, Widget, column, grown, row
from game.widgets.fields import ChoiceField, TextField
from game.widgets.figures import Picture, Portrait, Rule
from rules.contract.ruleset import Switch
from rules.contract.text import Text, text

BESIDE = (940, 1120)
"""Width at 100 % of the panel in two columns, at least and at most."""
AROUND = 160
"""Height at 100 % of what stands over and under the panel's list, and of the window's margin."""


class Played(NamedTuple):
    """A creature that somebody plays."""

    id: str
    name: str
    side: str
    face: Portrait


class SeatsPanel(Panel):
    """Changes a table at once; whoever opened it hears of each change."""

    name = "seats"
    width = 760.0

    def __init__(
        self, app: Shell, table: SeatTable, creatures: Sequence[Played], on_change: Callable[[SeatTable], None], *,
        switches: Sequence[Switch] = (), switched: Callable[[str], bool] = lambda name: False,
        on_switch: Callable[[str, bool], None] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(app)
        self.table, self.creatures, self.on_change = table, list(creatures), on_change
        self.sides = {creature.id: creature.side for creature in creatures}
        """By their ids."""
        self.switches, self.switched, self.on_switch = switches, switched, on_switch
        self.unfolded: set[str] = set()

    # -- what is shown

    def content(self) -> Box:
        head = row(Label("Seats", "heading", "bright"), Space(grow=1), Label(self._told(), "label", "quiet"), gap=10)
        foot: list[Widget] = [Space(grow=1)]
        if idle := self.table.idle(self.sides):
            told = Text.of("{idle} seats play nobody yet.", idle=len(idle))
            if len(idle) == 1:
                told = Text.of("{idle} plays nobody yet.", idle=idle[0])
            foot.append(Label(told, "text", "amber"))
        foot.append(self.leave_button("Done", key="done", gold=True))
        return column(head, self.scrolled(self._parts(), "seats"), row(*foot, gap=14), gap=12)

    def _parts(self) -> Widget:
        """Who sits there, who plays whom, what is known: below each other, or where the window is too low beside."""
        seats: list[Widget] = [self._seat(number) for number in range(len(self.table.places))]
        more = Button(
            "One more seat", lambda: self._set(self.table.joined()), key="join",
            enabled=len(self.table.places) < MOST, tip=Tip(text('Up to {most} people at one screen.', MOST)),
        )  # fmt: skip
        seats.append(row(more, Space(grow=1), Label("Clock of a chance", "label", "quiet"), self._clock(), gap=10))
        played: list[Widget] = [Label("Who plays whom", "label!", "gold")]
        for side in dict.fromkeys(creature.side for creature in self.creatures):
            played += self._side(side)
        if len(self.table.places) > 1:
            played.append(self._line("Game master", GAME_MASTER, self._options(master=True), 0))
        played.append(level_row(self.app, self.rebuild))
        look, (wide, high) = self.app.look, self.size
        one = column(*seats, Rule(), *played, *self._switches(), gap=8, pad=2)
        self.width = SeatsPanel.width
        room = min(look.px(BESIDE[1]), wide - look.px(24))
        if room < look.px(BESIDE[0]) or one.measure(look, look.px(self.width))[1] <= high - look.px(AROUND):
            return one
        self.width = room / look.scale
        return Split((column(*seats, *self._switches(), gap=8, pad=2), 1), (column(*played, gap=8, pad=2), 1), gap=24)

    def _list(self, title: str, names: Mapping[str, str], now: str, take: Callable[[str], None]) -> None:
        """Show all ways that a choice can go; `names`: value -> what it is called."""
        ways = [(name, "", partial(take, value)) for value, name in names.items()]
        self.app.push(Menu(self.app, title, ways, list(names).index(now) if now in names else 0))

    def _told(self) -> str:
        count, against = len(self.table.places), self.table.versus(self.sides)
        told = text("{count} seats, {how}", count, "against each other" if against else "together")
        return told if count > 1 else "One person at the screen"

    def _seat(self, number: int) -> Widget:
        place = self.table.places[number]
        tip = Tip("Another colour.")
        colour = SwatchButton(seat_colour(place.colour), partial(self._colour, number), key=f"colour {number}", tip=tip)
        names = [other.name for other in self.table.places]
        wrong = not place.name or names.count(place.name) > 1
        name = TextField(f"name {number}", place.name, lambda to: self._set(self.table.changed(number, name=to)),
                         self.memory, most=40, wrong=wrong, quiet="a name",
                         tip=Tip("Each seat needs a name of its own."))  # fmt: skip
        dice = Toggle("Throws real dice", place.own_dice, lambda on: self._set(self.table.changed(number, own_dice=on)),
                      tip=Tip("The dialog asks this player for the face of each die of their creatures."))  # fmt: skip
        dice.key = f"dice {number}"
        away = Button("Away", lambda: self._set(self.table.without(number)), slim=True, key=f"away {number}",
                      enabled=len(names) > 1, tip=Tip("Takes the seat away; the first seat plays for it."))  # fmt: skip
        return row(colour, grown(name), dice, away, gap=10)

    def _clock(self) -> Widget:
        clocks = {**CLOCKS, self.table.seconds: CLOCKS.get(self.table.seconds, text("{seconds} s", self.table.seconds))}
        names = {str(s): clocks[s] for s in sorted(clocks)}
        now = str(self.table.seconds)
        choice = ChoiceField(
            "clock", now, list(names), self._seconds,
            partial(self._list, "Clock of a chance", names, now, self._seconds), names=list(names.values()),
            tip=Tip("At zero a chance ends. The clock rests while a question is asked or something moves."),
        )  # fmt: skip
        return Sized(choice, 140)

    def _options(self, *, master: bool = False, single: bool = False) -> dict[int, str]:
        places = {number: place.name for number, place in enumerate(self.table.places)}
        if master:
            return {AS_SIDE: "nobody", **places}
        return {**({AS_SIDE: "as its side"} if single else {}), **places, COMPUTER: "the computer"}

    def _side(self, side: str) -> list[Widget]:
        members = [creature for creature in self.creatures if creature.side == side]
        open_now = side in self.unfolded
        fold = Button("Less" if open_now else "Each", partial(self._fold, side), slim=True, key=f"fold {side}",
                      tip=Tip("Gives single creatures of the side to other seats."))  # fmt: skip
        label = text("{side} ({members})", side.capitalize(), len(members))
        parts = [self._line(label, side, self._options(), 0, extra=fold)]
        shown = [one for one in members if open_now or one.id in self.table.players]
        return parts + [self._line(one.name, one.id, self._options(single=True), 24, face=one.face) for one in shown]

    def _line(
        self, label: str, what: str, options: dict[int, str], indent: int, *, face: Portrait | None = None,
        extra: Widget | None = None,
    ) -> Widget:  # fmt: skip
        fallback = COMPUTER if COMPUTER in options and AS_SIDE not in options else AS_SIDE
        now = self.table.players.get(what, fallback)
        names = {str(seat): name for seat, name in options.items()}

        def give(seat: str) -> None:
            self._set(self.table.given(what, int(seat)))

        choice = ChoiceField(
            f'plays {what}', str(now), list(names), give,
            partial(self._list, label, names, str(now), give), names=list(names.values()),
        )  # fmt: skip
        colours = [seat_colour(self.table.places[now].colour)] if now >= 0 else []
        sign = [SwatchButton(colour, lambda: None, still=True) for colour in colours]
        head = [*([Space(width=indent)] if indent else []), *([Picture(face, 28)] if face is not None else [])]
        return row(*head, Label(label, "text", "text", one_line=True), Space(grow=1), *sign, Sized(choice, 210),
                   Sized(extra or Space(), 58), gap=8)  # fmt: skip

    def _switches(self) -> list[Widget]:
        if not self.switches or self.on_switch is None:
            return []
        toggles = (
            Toggle(
                each.label, self.switched(each.name), partial(self._switch, each.name), tip=Tip(each.text), flush=True
            )
            for each in self.switches
        )
        return [Rule(), Label("What is known and seen", "label!", "gold"), *toggles]

    # -- changes

    def _set(self, table: SeatTable) -> None:
        self.table = table
        self.on_change(table)
        self.rebuild()

    def _colour(self, number: int) -> None:
        taken = {place.colour for n, place in enumerate(self.table.places) if n != number}
        now = self.table.places[number].colour
        free = next(c % len(SEATS) for c in range(now + 1, now + len(SEATS)) if c % len(SEATS) not in taken)
        self._set(self.table.changed(number, colour=free))

    def _seconds(self, text: str) -> None:
        self._set(replace(self.table, seconds=int(text)))

    def _fold(self, side: str) -> None:
        self.unfolded ^= {side}
        self.rebuild()

    def _switch(self, name: str, value: bool) -> None:
        if self.on_switch is not None:
            self.on_switch(name, value)
        self.rebuild()
