"""Foes drawn in the window: around whoever is pinned, to a wanted chance to win, tried and verified by forecasts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial

from game.app.window import wake
from game.content import encounter
from game.content import tables as content
from game.content.encounter import Lot
from game.fight.match import fresh_seed
from game.forecast import foes
from game.forecast.foes import LEAST_CHANCE, MOST_CHANCE, Drawn, LiveFoes
from game.scenes.dialogs.panels import Panel
from game.scenes.setup import lists
from game.scenes.setup.workspace import Workspace
from game.setup import bestiary, check
from game.setup import draft as drafts
from game.setup.draft import Draft, Piece
from game.setup.editor import Table
from game.widgets.controls import Button, Label, Slider, Toggle
from game.widgets.core import Box, Scroll, Space, Tip, Widget, column, grown, row
from rules.contract.errors import BattlematError, said
from rules.contract.text import joined, text
from rules.core.ground import map_files
from rules.core.record import Record

FITTING = "what fits those who stay, and the map"
USUAL_CHANCE, STEP = 60, 5
"""The chance that is wished for at first, and its steps, in hundredths."""


def ask(workspace: Workspace) -> None:
    """Draw foes to a chance; without heroes or with an encounter that can't be, say what is missing."""
    party = [p for p in workspace.editor.draft.pieces if p.side == encounter.HEROES]
    if not party:
        workspace.toast("Foes are drawn to match the party: put heroes on the table first.")
    elif not workspace.editor.draft.map:
        workspace.toast("Open a map first.")
    else:
        workspace.app.push(Foes(workspace))


class Foes(Panel):
    """Whom to draw around, which theme, which chance; what is tried; what was found."""

    name = "foes"
    key_groups = ("general",)
    width = 620.0
    first = "draw"

    def __init__(self, workspace: Workspace, executor: Executor | None = None) -> None:
        super().__init__(workspace.app)
        self.workspace, self.executor = workspace, executor
        there = self._foes()
        chosen = [piece.key for piece in there if piece.key in workspace.editor.selection]
        self.pinned = set(chosen or [piece.key for piece in there])
        """Who stays; the others on the table make room."""
        self.chance = USUAL_CHANCE
        self.theme = ""
        self.seed = fresh_seed()
        self.live: LiveFoes | None = None
        self.found: Drawn | None = None
        self.drafts: dict[int, Draft] = {}
        """Each encounter that was made, by its record's identity, as it would be on the table."""
        self.wrong = ""

    def _foes(self) -> list[Piece]:
        return [p for p in self.workspace.editor.draft.pieces if p.side == encounter.MONSTERS]

    # -- drawing

    def draw_foes(self) -> None:
        """Begin: with another lot each time."""
        self._stop()
        self.found, self.wrong, self.drafts = None, "", {}
        self.seed = fresh_seed()
        try:
            self.live = LiveFoes(self._offers(), self.chance / 100, partial(wake, self._news),
                                 beside=self.workspace.beside, executor=self.executor)  # fmt: skip
        except BattlematError as error:
            self.wrong = said(error)
        self.rebuild()

    def _offers(self) -> Sequence[foes.Offer]:
        draft = self.workspace.editor.draft
        pinned = [piece.entry for piece in self._foes() if piece.key in self.pinned]
        party = [piece.entry for piece in draft.pieces if piece.side == encounter.HEROES]
        names = [str(entry.get("template", "")) for entry in pinned]
        theme = foes.themed(draft.ruleset, self.workspace.loaded, names, self.theme)
        where = next(iter(map_files(drafts.to_record(draft).map)), "")
        return foes.offers(draft.ruleset, party, pinned, theme, wanted=self.chance / 100, seed=self.seed,
                           make=self._made, map=where)  # fmt: skip

    def _made(self, names: Sequence[str]) -> Record:
        """The encounter with these, whoever is pinned among them."""
        editor, loaded = self.workspace.editor, self.workspace.loaded
        away = [piece.key for piece in self._foes() if piece.key not in self.pinned]
        base = drafts.removed(editor.draft, away)
        near = [p for p in base.pieces if p.side == encounter.MONSTERS and p.spot is not None]
        table = Table(base, editor.ground)
        if near:
            spaces = table.around(encounter.MONSTERS)
        else:
            spawn = loaded.spawn_cells(encounter.MONSTERS) if loaded is not None else ()
            start = table.start(loaded, encounter.MONSTERS)
            spaces = encounter.drawn_spaces(start, spawn, len(names), Lot(self.seed))
        made = editor.brought(base, names, encounter.MONSTERS, spaces)
        record = drafts.to_record(made)
        self.drafts[id(record)] = made
        return record

    def _news(self) -> None:
        if self not in self.app.scenes or self.live is None:
            return
        try:
            self.live.collect()
        except BattlematError as error:
            self.wrong = said(error)
            self._stop()
        if self.live is not None and self.live.now is None:
            self.found = self.live.result
            self._stop()
        self.rebuild()

    def _stop(self) -> None:
        if self.live is not None:
            self.live.close()
            self.live = None

    def halt(self) -> None:
        """Try no more."""
        self._stop()
        self.rebuild()

    def left(self) -> None:
        self._stop()

    def take(self) -> None:
        """Put down what was found, as one change."""
        if self.found is None:
            return
        editor, goal = self.workspace.editor, self.drafts[id(self.found.record)]
        first = editor.draft.next_key
        self.app.pop()
        editor.change(goal, "foes drawn")
        editor.settle()
        self.workspace.select([piece.key for piece in goal.pieces if piece.key >= first], show=True)
        self.workspace.toast(self._result())

    # -- what is shown

    def content(self) -> Box:
        ruleset = self.workspace.ruleset
        themes = [theme.name for theme in content.themes(ruleset)]
        asked = lists.Question("Theme", ["", *themes], self._theme, [FITTING, *themes], now=self.theme)
        slider = Slider("The party's chance to win", self.chance, (LEAST_CHANCE, MOST_CHANCE), STEP, self._chance)
        parts: list[Widget] = [Label("Draw foes", "heading", "bright"), slider,
                               row(Label("From", "small", "quiet"), grown(lists.choice(self.workspace, "theme", asked)),
                                   gap=8)]  # fmt: skip
        parts += self._staying()
        parts += self._told()
        busy = self.live is not None
        again = "Draw others" if self.found is not None else "Draw"
        buttons: list[Widget] = [self.leave_button(key="back"), Space(grow=1)]
        if busy:
            buttons.append(Button("Stop", self.halt, key="stop"))
        else:
            buttons.append(Button(again, self.draw_foes, key="draw", gold=self.found is None))
        buttons.append(Button("Put them down", self.take, key="take", gold=self.found is not None,
                              enabled=self.found is not None, tip=Tip("Ctrl+Z takes it back.")))  # fmt: skip
        return column(*parts, row(*buttons, gap=8), gap=10)

    def _staying(self) -> list[Widget]:
        """Who is there, and whether they stay."""
        there = self._foes()
        if not there:
            return []
        draft = self.workspace.editor.draft
        rows = [
            Toggle(check.name_of(draft, piece), piece.key in self.pinned, partial(self._pin, piece.key), flush=True)
            for piece in there
        ]
        head = Label("They stay, and others are drawn around them; whoever doesn't makes room.", "small", "quiet")
        listing = column(*rows, gap=2)
        return [head, Scroll(listing, height=120, key="staying") if len(rows) > 4 else listing]

    def _told(self) -> list[Widget]:
        """What is tried just now, and what was found."""
        if self.wrong:
            return [Label(self.wrong, colour="coral")]
        if self.live is not None and self.live.now is not None:
            far = text("{played} of {runs} fights", self.live.played, self.live.runs)
            return [Label(text("Trying {foes}: {far}", self._who(self.live.now), far), colour="blue")]
        if self.found is None:
            told = "Some encounters are played {runs} times each, and the one that is taken {verified} times."
            return [Label(text(told, runs=foes.RUNS, verified=foes.VERIFIED), "small", "quiet")]
        tried = [
            Label(
                text("{chance} %: {foes}", round(100 * chance), _named(self.workspace.ruleset, names)), "small", "quiet"
            )
            for names, chance in self.found.tries
        ]
        return [
            Label(_named(self.workspace.ruleset, self.found.names), "text!", "bright"),
            Label(self._result(), colour="gold" if self.found.near else "coral"),
            Label("Tried:", "small", "quiet"), *tried,
        ]  # fmt: skip

    def _result(self) -> str:
        """What came of it, in a line."""
        found = self.found
        if found is None:
            return ""
        words = "The party wins {chance} % of {runs} fights ({low} to {high} %); {wanted} % was wished for."
        if not found.near:
            words = (
                "Nearer it cannot be had here: the party wins {chance} % of {runs} fights ({low} to {high} %), and "
                "{wanted} % was wished for."
            )
        return text(words, chance=round(100 * found.chance), runs=found.runs, low=round(100 * found.low),
                    high=round(100 * found.high), wanted=round(100 * found.wanted))  # fmt: skip

    def _who(self, record: Record) -> str:
        """The foes of an encounter that are drawn."""
        made, known = self.drafts[id(record)], {p.key for p in self.workspace.editor.draft.pieces}
        names = [str(p.entry.get("template")) for p in made.pieces if p.key not in known]
        return _named(self.workspace.ruleset, names)

    def _chance(self, value: int) -> None:
        self.chance = value
        self._outdated()

    def _theme(self, name: str) -> None:
        self.theme = name
        self._outdated()

    def _pin(self, key: int, stays: bool) -> None:
        (self.pinned.add if stays else self.pinned.discard)(key)
        self._outdated()

    def _outdated(self) -> None:
        """What was found was found for something else."""
        self._stop()
        self.found, self.wrong = None, ""
        self.rebuild()


def _named(ruleset: str, names: Sequence[str]) -> str:
    """`2 × Goblin, Wolf`; that nobody is needed where nobody is."""
    if not names:
        return "nobody beside those who stay"
    counted = Counter(str(bestiary.template(ruleset, name).get("name", name)) for name in names)
    return joined(", ", (text("{n} × {name}", n, name) if n > 1 else name for name, n in counted.items()))
