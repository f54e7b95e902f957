"""The dialogs of the game master's hand: points, checks, dice, notes, and whom to add."""

from __future__ import annotations

from functools import partial

from game.scenes.dialogs.panels import Panel
from game.scenes.fight.hand.reaching import Reaching, plainly
from game.scenes.fight.model import FightModel
from game.widgets.controls import Button, Label, Toggle
from game.widgets.core import Box, Scroll, Sized, Space, Widget, column, grown, row
from game.widgets.fields import Memory, NumberField, TextField
from rules.contract.actions import Action
from rules.contract.errors import BattlematError
from rules.contract.hand import GAME_MASTER, HIDDEN, Deed, Pool, Trial
from rules.contract.text import text, titled
from rules.contract.units import Cell
from rules.core import record as records

NEAR = 6
"""Spaces around the one pointed at in which room is looked for."""
USUAL_DICE = "2d6"


class HandPanel(Panel):
    """What all of them have: a title, something to fill in, why not, and the button that does it."""

    key_groups = ("general",)
    title = ""
    does = ""

    def __init__(self, fight: FightModel, reaching: Reaching) -> None:
        super().__init__(fight.app)
        self.fight, self.reaching = fight, reaching
        self.memory = Memory()

    @property
    def action(self) -> Action | None:
        """The command as it stands; None where something is wanting."""
        raise NotImplementedError

    def fields(self) -> list[Widget]:
        raise NotImplementedError

    def content(self) -> Box:
        action = self.action
        why = self.reaching.refusal(action) if action is not None else None
        told = [Label(plainly(self.fight, why), "small", "coral")] if why else []
        able = action is not None and why is None
        do = Button(self.does, self._do, gold=True, key="do", enabled=able, hint="Enter")
        foot = row(self.leave_button(key="back"), Space(grow=1), do)
        inner = grown(Scroll(column(*self.fields(), gap=8, pad=4), key="hand"))
        return column(Label(self.title, "heading", "bright"), inner, *told, foot, gap=10)

    def _do(self) -> None:
        action = self.action
        if action is not None and self.reaching.refusal(action) is None:
            self.app.pop()
            self.reaching.give(action)

    def put(self, field: str, value: object) -> None:
        setattr(self, field, value)
        self.rebuild()


class Points(HandPanel):
    """Everything of somebody that has a number; what is changed is set, each by a command of its own."""

    name = "hand_points"
    width = 480.0
    does = "Set"

    def __init__(self, fight: FightModel, reaching: Reaching, who: str) -> None:
        super().__init__(fight, reaching)
        self.who = who
        self.pools: tuple[Pool, ...] = reaching.hand.pools(fight.match.state, who)
        self.values: dict[str, int] = {pool.name: pool.now for pool in self.pools}
        self.title = text("Points of {name}", fight.names.get(who, who))
        self.first = self.pools[0].name

    @property
    def changed(self) -> list[Action]:
        """A command for each pool that shall be another."""
        return [
            Action(GAME_MASTER, Deed.SET, target=self.who, option=pool.name, rating=self.values[pool.name])
            for pool in self.pools
            if self.values[pool.name] != pool.now
        ]

    @property
    def action(self) -> Action | None:
        return next(iter(self.changed), None)

    def fields(self) -> list[Widget]:
        lines: list[Widget] = []
        for pool in self.pools:
            typed = NumberField(pool.name, self.values[pool.name], partial(self._set, pool.name), self.memory,
                                start=pool.now, low=pool.least, high=pool.most)  # fmt: skip
            ends = Label(text("{least} to {most}", pool.least, pool.most), "small", "quiet", one_line=True)
            lines.append(row(grown(Label(pool.label, "label", "bright")), Sized(typed, 150), Sized(ends, 130), gap=10))
        return lines

    def _set(self, name: str, value: int | None) -> None:
        pool = next(each for each in self.pools if each.name == name)
        self.values[name] = pool.now if value is None else value
        self.rebuild()

    def _do(self) -> None:
        changed = self.changed
        self.app.pop()
        for action in changed:
            if not self.reaching.give(action):
                return


class Checking(HandPanel):
    """A check that somebody is called to, against any rating."""

    name = "hand_check"
    width = 640.0
    does = "Throw"

    def __init__(self, fight: FightModel, reaching: Reaching, who: str) -> None:
        super().__init__(fight, reaching)
        self.who = who
        self.trials: tuple[Trial, ...] = reaching.hand.trials(fight.match.state, who)
        self.trial = self.trials[0]
        self.rating = self.trial.usual
        self.title = text("Check for {name}", fight.names.get(who, who))

    @property
    def action(self) -> Action | None:
        return Action(GAME_MASTER, Deed.CHECK, target=self.who, option=self.trial.name, rating=self.rating)

    def fields(self) -> list[Widget]:
        words = (
            Button(each.label, partial(self._take, each), slim=True, gold=each is self.trial, key=f"with {each.name}")
            for each in self.trials
        )
        ends = text("{least} to {most}", self.trial.least, self.trial.most)
        typed = NumberField("rating", self.rating, partial(self.put, "rating"), self.memory, start=self.trial.usual,
                            low=self.trial.least, high=self.trial.most)  # fmt: skip
        return [
            Label("With", "label!", "gold"), row(*words, gap=5, wrap=True), Label("Against", "label!", "gold"),
            row(Sized(typed, 150), Label(ends, "small", "quiet"), gap=10),
        ]  # fmt: skip

    def _take(self, trial: Trial) -> None:
        self.trial, self.rating = trial, trial.usual
        self.rebuild()


class Dicing(HandPanel):
    """Dice for the game master alone, or for all to see."""

    name = "hand_dice"
    width = 460.0
    title = "Throw dice"
    does = "Throw"
    first = "dice"

    def __init__(self, fight: FightModel, reaching: Reaching) -> None:
        super().__init__(fight, reaching)
        self.dice, self.hidden = USUAL_DICE, True

    @property
    def action(self) -> Action | None:
        item = HIDDEN if self.hidden else None
        return Action(GAME_MASTER, Deed.DICE, option=self.dice, item=item) if self.dice.strip() else None

    def fields(self) -> list[Widget]:
        usual = (Button(each, partial(self.put, "dice", each), slim=True, gold=each == self.dice, key=f"throw {each}")
                 for each in ("d4", "d6", "2d6", "d8", "d10", "d12", "d20", "d100"))  # fmt: skip
        typed = TextField("dice", self.dice, partial(self.put, "dice"), self.memory, most=20, on_enter=self._do,
                          quiet="2d6+1")  # fmt: skip
        return [row(*usual, gap=5, wrap=True), typed,
                Toggle("For the game master alone", self.hidden, partial(self.put, "hidden"), flush=True)]  # fmt: skip


class Noting(HandPanel):
    """A note on a space."""

    name = "hand_note"
    width = 520.0
    title = "Note on this space"
    does = "Write"
    first = "note"

    def __init__(self, fight: FightModel, reaching: Reaching, cell: Cell) -> None:
        super().__init__(fight, reaching)
        self.cell = cell
        lies = (note for note in reaching.hand.kept(fight.match.state).notes if note.cell == cell)
        self.before = next(lies, None)
        self.words = self.before.words if self.before is not None else ""
        self.hidden = self.before.hidden if self.before is not None else False

    @property
    def action(self) -> Action | None:
        if not self.words and self.before is None:
            return None
        item = HIDDEN if self.hidden and self.words else None
        return Action(GAME_MASTER, Deed.NOTE, at=self.cell, option=self.words or None, item=item)

    def fields(self) -> list[Widget]:
        typed = TextField("note", self.words, partial(self.put, "words"), self.memory, most=200, on_enter=self._do,
                          quiet="What it says")  # fmt: skip
        told = Label("Emptied, the note is taken away.", "small", "quiet")
        return [typed, Toggle("For the game master alone", self.hidden, partial(self.put, "hidden"), flush=True),
                *([told] if self.before is not None else [])]  # fmt: skip


class Adding(HandPanel):
    """Somebody of the bestiary, or of the ready heroes, comes onto the board."""

    name = "hand_add"
    width = 640.0
    title = "Add a creature"
    does = "Add"
    first = "search"

    def __init__(self, fight: FightModel, reaching: Reaching, cell: Cell) -> None:
        super().__init__(fight, reaching)
        self.cell, self.query = cell, ""
        rules = fight.ruleset.id
        from game.setup import bestiary  # late: it brings the models of heroes, which few fights need

        mine = {**bestiary.creatures(rules), **bestiary.own(rules)}
        self.known = {**bestiary.monsters(rules), **mine, **bestiary.heroes(rules)}
        self.chosen = next(iter(self.known))
        roster = reaching.hand.roster(fight.match.state)
        self.sides = list(dict.fromkeys(side for _, side, _ in roster))
        ours = next(iter(fight.seating.seats.played), "")
        self.side = next((side for side in self.sides if side != ours), self.sides[0])
        self.played = "ai"

    @property
    def found(self) -> list[str]:
        """The creatures that the search leaves."""
        wanted = self.query.casefold().strip()
        return [name for name in self.known if wanted in self._called(name).casefold() or wanted in name.casefold()]

    def _called(self, name: str) -> str:
        return str(self.known[name].get("name") or name.replace("_", " ").capitalize())

    @property
    def action(self) -> Action | None:
        """The command: on the space pointed at, or on the nearest on which there is room."""
        found = self.found
        if not found:
            return None
        chosen = self.chosen if self.chosen in found else found[0]
        first = None
        for cell in self._spaces():
            action = self._at(chosen, cell)
            first = action if first is None else first
            if self.reaching.refusal(action) is None:
                return action
        return first

    def _at(self, chosen: str, cell: Cell) -> Action:
        taken = {name for name, _, _ in self.reaching.hand.roster(self.fight.match.state)}
        block = {key: value for key, value in self.known[chosen].items() if key not in ("template", "id", "at", "side")}
        name, number = chosen, 1
        while name in taken or name in self.sides:
            number += 1
            name = f"{chosen}_{number}"
        names = {*self.fight.names.values()}
        called, other = self._called(chosen), 1
        while called in names:
            other += 1
            called = f"{self._called(chosen)} {other}"
        whole = {**block, "name": called, "id": name, "side": self.side, "controller": self.played,
                 "at": list(self.fight.match.field.at(cell))}  # fmt: skip
        return Action(GAME_MASTER, Deed.ADD, creature=records.packed(whole))

    def _spaces(self) -> list[Cell]:
        """The space pointed at, then those around it, the nearest first."""
        field = self.fight.match.field
        column, row_ = field.at(self.cell)
        around = [(x, y) for y in range(row_ - NEAR, row_ + NEAR + 1) for x in range(column - NEAR, column + NEAR + 1)]
        ordered = sorted(around, key=lambda at: (max(abs(at[0] - column), abs(at[1] - row_)), at[1], at[0]))
        fits = self.fight.match.ruleset.terrain(self.fight.match.state).fits
        return [field.cell(x, y) for x, y in ordered if field.inside(x, y) and fits(field.cell(x, y), 1)][:40]

    def fields(self) -> list[Widget]:
        found = self.found
        chosen = self.chosen if self.chosen in found else (found[0] if found else "")
        typed = TextField("search", self.query, partial(self.put, "query"), self.memory, most=40, quiet="Search",
                          on_enter=self._do)  # fmt: skip
        creatures = (Button(self._called(name), partial(self.put, "chosen", name), slim=True, gold=name == chosen,
                            key=f"add {name}") for name in found)  # fmt: skip
        sides = (Button(titled(side), partial(self.put, "side", side), slim=True, gold=side == self.side,
                        key=f"side {side}") for side in self.sides)  # fmt: skip
        players = (Button(label, partial(self.put, "played", word), slim=True, gold=word == self.played, key=word)
                   for word, label in (("human", "A person"), ("ai", "The computer")))  # fmt: skip
        nobody = [] if found else [Label("Nobody is called that.", "small", "coral")]
        return [
            typed, *nobody, row(*creatures, gap=5, wrap=True), Label("Side", "label!", "gold"),
            row(*sides, gap=5, wrap=True), Label("Who plays it", "label!", "gold"), row(*players, gap=5),
        ]  # fmt: skip


def set_points(fight: FightModel, reaching: Reaching, who: str) -> None:
    fight.app.push(Points(fight, reaching, who))


def call_check(fight: FightModel, reaching: Reaching, who: str) -> None:
    fight.app.push(Checking(fight, reaching, who))


def throw_dice(fight: FightModel, reaching: Reaching) -> None:
    fight.app.push(Dicing(fight, reaching))


def write_note(fight: FightModel, reaching: Reaching, cell: Cell) -> None:
    fight.app.push(Noting(fight, reaching, cell))


def add_creature(fight: FightModel, reaching: Reaching, cell: Cell) -> None:
    try:
        fight.app.push(Adding(fight, reaching, cell))
    except BattlematError as error:  # a file of one's own that can't be read
        fight.toast(str(error))
