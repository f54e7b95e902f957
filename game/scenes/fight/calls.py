"""The game master calls for a roll in a fight: of whom, with what, against what; it becomes a command of the record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from game.fight.seats import GAME_MASTER
from game.scenes.dialogs.panels import Panel
from game.scenes.fight.deeds import Deeds
from game.scenes.fight.model import FightModel
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Scroll, Space, Tip, Widget, column, row
from game.widgets.fields import Memory, NumberField
from rules.contract.actions import Action
from rules.contract.text import text
from rules.contract.tools import Call

ADVANTAGE = ((0, "Plain"), (1, "Advantage"), (-1, "Disadvantage"))
USUAL_RATING = 9


def may_call(fight: FightModel) -> bool:
    """Whether whoever looks may call for rolls: the game master's seat, or anybody where nobody has secrets."""
    seating = fight.seating
    allowed = GAME_MASTER in seating.at.plays or not seating.secrets
    return bool(fight.ruleset.calls) and allowed and fight.match.decision is not None


def call(fight: FightModel, deeds: Deeds) -> None:
    """Open the panel, or say why not."""
    if may_call(fight):
        fight.app.push(Calls(fight, deeds))
    elif not fight.ruleset.calls:
        fight.toast(text("{title} has no rolls that the game master calls for.", title=fight.ruleset.title))
    elif fight.match.decision is None:
        fight.toast("The fight is over: nobody throws any more.")
    else:
        fight.toast("Only the seat that plays the game master calls for rolls.")


class Calls(Panel):
    """What is called for, line by line; the last one throws."""

    name = "calls"
    key_groups = ("general",)
    width = 900.0

    def __init__(self, fight: FightModel, deeds: Deeds) -> None:
        super().__init__(fight.app)
        self.fight, self.deeds = fight, deeds
        self.memory = Memory()
        self.kind: Call = fight.ruleset.calls[0]
        here = [mini.id for mini in fight.board.miniatures]
        self.who = fight.selected if fight.selected in here else here[0]
        self.against = next((name for name in here if name != self.who), self.who)
        self.word = self.resists = self.kind.words[0]
        self.rating: int | None = USUAL_RATING
        self.advantage = 0

    @property
    def action(self) -> Action:
        """The call as it stands."""
        kind = self.kind
        return Action(
            GAME_MASTER,
            kind.do,
            target=self.who,
            option=self.word,
            rating=self.rating if kind.rated else None,
            against=self.against if kind.opposed else None,
            resists=self.resists if kind.opposed else None,
            advantage=self.advantage if kind.rated or kind.opposed else 0,
        )

    def content(self) -> Box:
        kind, reason = self.kind, self._refusal()
        kinds = [(each.do, each.label) for each in self.fight.ruleset.calls]
        people = [(mini.id, mini.name) for mini in self.fight.board.miniatures]
        words = [(word, word.capitalize()) for word in kind.words]
        parts: list[Widget] = [
            *self._choice("", kinds, kind.do, self._take_kind),
            Label(kind.text, "small", "quiet", tip=Tip(kind.rule)),
            *self._choice("Who", people, self.who, partial(self._put, "who")),
        ]
        if kind.opposed:
            parts += self._choice("Against", people, self.against, partial(self._put, "against"))
        if kind.rated:
            parts += self._rating()
        if kind.rated or kind.opposed:
            favour = [(str(value), label) for value, label in ADVANTAGE]
            parts += self._choice("Dice", favour, str(self.advantage), self._favour)
        parts += self._choice("With", words, self.word, partial(self._put, "word"))
        if kind.opposed:
            parts += self._choice("Who resists with", words, self.resists, partial(self._put, "resists"))
        inner = Scroll(column(*parts, gap=7), key="call")
        inner.grow = 1
        throw = Button("Throw", self._throw, gold=True, key="throw", enabled=reason is None)
        back = Button("Back", self.app.pop, hint=self.app.keys.shown("back"), key="back")
        foot: list[Widget] = [Label(reason, "small", "coral")] if reason else []
        return column(
            Label("Call for a roll", "heading", "bright"),
            inner,
            *foot,
            row(back, Space(grow=1), throw),
            gap=10,
        )

    def _choice(
        self, title: str, options: Sequence[tuple[str, str]], now: str, take: Callable[[str], None]
    ) -> list[Widget]:
        buttons: list[Widget] = [
            Button(label, partial(take, word), slim=True, gold=word == now, key=f"{title} {word}".strip())
            for word, label in options
        ]
        head: list[Widget] = [Label(title, "label!", "gold")] if title else []
        return [*head, row(*buttons, gap=5, wrap=True)]

    def _rating(self) -> list[Widget]:
        ratings = [
            (str(value), text("{name} {value}", name=name, value=value)) for name, value in self.fight.ruleset.ratings
        ]
        typed = NumberField("rating", self.rating, self._rate, self.memory, start=USUAL_RATING, low=1, high=60)
        named = self._choice("Challenge rating", ratings, str(self.rating), lambda word: self._rate(int(word)))
        return [*named, row(Label("or any number"), typed, gap=8)]

    # -- what is chosen

    def _take_kind(self, do: str) -> None:
        self.kind = next(each for each in self.fight.ruleset.calls if each.do == do)
        if self.word not in self.kind.words:
            self.word = self.kind.words[0]
        self.rebuild()

    def _put(self, field: str, value: str) -> None:
        setattr(self, field, value)
        self.rebuild()

    def _favour(self, value: str) -> None:
        self.advantage = int(value)
        self.rebuild()

    def _rate(self, value: int | None) -> None:
        self.rating = value
        self.rebuild()

    # -- throwing

    def _refusal(self) -> str | None:
        decision = self.fight.match.decision
        if decision is None:
            return "The fight is over: nobody throws any more."
        return self.fight.match.legal(decision).refusal(self.action)

    def _throw(self) -> None:
        decision = self.fight.match.decision
        if decision is not None and self._refusal() is None:
            self.app.pop()
            self.deeds.answer(decision, self.action)
