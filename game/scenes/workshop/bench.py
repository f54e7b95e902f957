"""The heroes of the workshop and the one on the bench: steps, undo, files; changes are kept by themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from game import paths
from game.characters import files
from game.characters.heroes import NAMELESS, Hero, art
from game.characters.pages import Act, Came, Deed
from game.characters.roster import ROSTERS, Roster, roster
from game.characters.steps import Steps
from game.scenes.base import Scene, Shell
from game.scenes.dialogs.panels import Panel
from game.scenes.dialogs.saves import Ask
from game.scenes.fight.panels.card import likeness
from game.scenes.workshop import drawn
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Sized, Space, Widget, column, row
from game.widgets.fields import TextField
from game.widgets.figures import Portrait
from rules.contract.errors import BattlematError, said
from rules.contract.text import Text, ntext, text
from rules.core.dice import plain

KEEP_AFTER = 0.8
"""Seconds after the last change in which the file is written."""


def face(hero: Hero) -> Portrait:
    """A hero's miniature."""
    return likeness(art(hero.looks), "heroes")


title = drawn.title


def pills(names: Mapping[str, str], now: str, put: Callable[[str], None], key: str) -> Widget:
    """Buttons in lines, one of them chosen, by what they stand for."""
    return drawn.pills(names.items(), now, put, key)


def cell(text: str, width: float, colour: str = "text", style: str = "text") -> Widget:
    """A word in a column of a width."""
    return Sized(Label(text, style, colour, one_line=True), width)


def cp(number: int) -> str:
    """A sum of character points."""
    return text("{number} CP", plain(number))


class ImportDialog(Panel):
    """A line for a path; Enter takes the file."""

    name = "import"
    width = 560.0

    def __init__(self, app: Shell, take: Callable[[Path], None]) -> None:
        super().__init__(app)
        self.take, self.fault = take, ""

    def content(self) -> Box:
        quiet = "path of a .json or .toml file"
        line = TextField("path", self.query, self.search, self.memory, quiet=quiet, on_enter=self._go)
        return column(
            Label("Import a hero", "heading", "bright"),
            Label("Type or paste (Ctrl+V) a path, or drop the file onto the workshop.", colour="quiet"),
            line,
            *([Label(self.fault, "text", "coral")] if self.fault else []),
            row(Button("Back", self.app.pop, hint="Esc"), Space(grow=1), Button("Import", self._go, gold=True)),
            gap=12,
        )

    def _go(self) -> None:
        if not self.query.strip():
            self._fail("Which file? Type or paste its path.")
            return
        path = Path(self.query.strip().strip('"').removeprefix("file://")).expanduser()
        try:
            self.take(path)
        except BattlematError as error:
            self._fail(said(error))
        else:
            self.app.pop()

    def _fail(self, why: str) -> None:
        """Say why not; what was typed stays, to be put right."""
        self.fault = why
        self.rebuild()
        self.ui.focus_key("path")


class Bench(Scene):
    """Every hero of the player's, one of them on the bench; what the pages of the workshop work on."""

    name = "workshop"
    key_groups = ("general", "workshop")

    def __init__(self, app: Shell) -> None:
        super().__init__(app)
        self.page = ""
        """Empty: the one at which the hero on the bench is opened."""
        self.begin_with = ""
        """The ruleset of which somebody new is about to be made; empty: nobody is."""
        self.said = ""
        """Why the last step was refused, or what came of it."""
        self.refused = False
        self.view: dict[str, str] = {}
        """How pages are looked at: which table of a shop, who is picked."""
        self.tight = self.roomy = False
        """The window is small; it is large enough for larger words."""
        self.steps = Steps()
        self._unkept: Any = None
        self._wait = 0.0
        self.heroes: dict[str, Any] = {}
        self.broken: tuple[str, ...] = ()
        self.hero: Any = None
        """Whoever is on the bench; None: nobody."""
        self._look()

    def _look(self) -> None:
        """Read the folder again; who was changed there (a fight, a camp) has no steps to take back any more."""
        before = self.heroes
        self.heroes, self.broken = files.shelf()
        for each, hero in before.items():
            if self.heroes.get(each) != hero:
                self.steps.forget(each)
        name = self.hero.id if self.hero is not None else ""
        self.hero = self.heroes.get(name) or next(iter(self.heroes.values()), None)

    # -- changing heroes

    def entered(self) -> None:
        self._look()
        super().entered()

    @property
    def picked(self) -> str:
        """What waits for another to be exchanged with."""
        return self.view.get("picked", "")

    @picked.setter
    def picked(self, what: str) -> None:
        self.view["picked"] = what

    @property
    def roster(self) -> Roster[Any]:
        """Whose rules the hero on the bench follows."""
        return roster(self.hero.ruleset if self.hero is not None else next(iter(ROSTERS)))

    def answers(self) -> drawn.Answers:
        """Whom the blocks of pages answer to here."""
        return drawn.Answers(
            self._press, lambda act, given: self.do(lambda hero: act(hero, given)), self._turn_view, self.memory,
            self.width_of_page(), self.tight, self.roomy,
        )  # fmt: skip

    def _press(self, deed: Deed) -> None:
        def go() -> None:
            if deed.turn is not None:
                self.view[deed.turn[0]] = deed.turn[1]
            if deed.act is None:
                self.tell(deed.told)
            else:
                self.do(deed.act, deed.told)

        self.app.push(Ask(self.app, *deed.ask, go)) if deed.ask else go()

    def _turn_view(self, name: str, value: str) -> None:
        self.view[name] = value
        self.tell("")

    def do(self, step: Act, told: str = "") -> None:
        """Change the hero on the bench; a refusal is told at the foot."""
        if self.hero is None:
            return
        try:
            hero = step(self.hero)
        except BattlematError as error:
            self.tell(said(error), refused=True)
            return
        others: tuple[Any, ...] = ()
        if isinstance(hero, Came):
            hero, told, others = hero
        if others:
            self._keep_all(hero, others)
            self.tell(told)
            return
        if hero != self.hero:
            self.steps.done(self.hero, hero)
            self._put(hero)
        self.tell(told)

    def _keep_all(self, hero: Any, others: tuple[Any, ...]) -> None:
        """Several have changed at once: that is written at once, and cannot be taken back."""
        files.save_all((hero, *others))
        self.hero, self._unkept = hero, None
        self._look()

    def changing(self, change: Act, *arguments: object, told: str = "") -> Callable[..., None]:
        """What a widget calls to change the hero so, with these arguments and those that the widget gives."""
        return lambda *given: self.do(lambda hero: change(hero, *arguments, *given), told)

    def _put(self, hero: Hero) -> None:
        """Have this on the bench, to be written soon."""
        self.hero = self.heroes[hero.id] = self._unkept = hero
        self._wait = KEEP_AFTER

    def undo(self) -> None:
        """Take the last step of the hero on the bench back."""
        self._step(self.steps.back, "Taken back.", "There is nothing to take back.")

    def redo(self) -> None:
        """Do again what was taken back."""
        self._step(self.steps.on, "Done again.", "There is nothing to do again.")

    def _step(self, turn: Callable[[Hero], Any], told: str, nothing: str) -> None:
        hero = turn(self.hero) if self.hero is not None else None
        if hero is None:
            self.tell(nothing, refused=True)
        else:
            self._put(hero)
            self.picked = ""
            self.memory.carets.clear()
            self.tell(told)

    def tell(self, text: str, *, refused: bool = False) -> None:
        """Say something at the foot."""
        self.said, self.refused = text, refused
        self.rebuild()

    def keep(self) -> None:
        """Write what changed. Raises BattlematError if the disk refuses."""
        hero, self._unkept = self._unkept, None
        if hero is not None:
            files.save(hero)

    def take(self, name: str) -> None:
        """Put another hero on the bench."""
        self.keep()
        self.hero, self.picked, self.begin_with = self.heroes[name], "", ""
        if self.page == "Heroes":
            self.page = self.roster.home
        self.tell("")

    def turn(self, page: str) -> None:
        """Another page."""
        self.page, self.picked, self.begin_with = page, "", ""
        self.steps.settle()
        self.tell("")

    def begin(self, ruleset: str = "") -> None:
        """Somebody new: by whose rules, and how to begin, is asked first."""
        self.begin_with = ruleset or self.begin_with or self.roster.ruleset
        if self.page == "Heroes":
            self.page = ""
        self.tell("")
        self.ui.focus_key(f"rules {self.begin_with}")

    def new(self, start: str = "", ruleset: str = "") -> None:
        """A new hero, begun in a way if one is named, and its name to be typed."""
        self.keep()
        rules = roster(ruleset or self.begin_with or self.roster.ruleset)
        self.hero = rules.fresh(NAMELESS, files.new_id("hero"), start)
        files.save(self.hero)
        self.begin_with = ""
        self._look()
        self.page = "Looks"
        self.memory.carets.clear()
        self.tell("A new hero: give it a name, then stats and skills.")
        self.ui.focus_key("name")

    def copy(self) -> None:
        self.keep()
        if self.hero is not None:
            self.hero = files.copy(self.hero)
            files.save(self.hero)
            self._look()
            self.tell(text("{name} stands on the bench.", self.hero.name))

    def delete(self) -> None:
        hero = self.hero
        if hero is None:
            return
        self.keep()
        text = Text.of("{name} is gone for good then.", name=hero.name)
        if fights := len(hero.history):
            text = ntext(
                fights, "{name} and the story of {n} fight are gone for good then.",
                "{name} and the story of {n} fights are gone for good then.", name=hero.name,
            )  # fmt: skip

        def delete() -> None:
            files.delete(hero.id)
            self._unkept = None
            self._look()
            self.tell("Deleted.")

        self.app.push(Ask(self.app, Text.of("Delete {name}?", name=hero.name), text, "Delete", delete))

    def bring_in(self, path: Path) -> None:
        """Import a shared hero. Raises HeroError."""
        self.keep()
        self.hero = files.bring_in(path)
        self._look()
        self.tell(text("{name} has come.", self.hero.name))

    def _export(self) -> None:
        if self.hero is not None:
            path = paths.user_folder("shared") / f"{files.called(self.hero)}.json"
            files.hand_out(self.hero, path)
            self.tell(text("Written to {path}", str(path)))

    def _camp(self) -> None:
        self.keep()
        heroes = [hero for hero in self.heroes.values() if hero.ruleset == self.roster.ruleset]  # one camp, one book
        if not heroes:
            self.tell("Nobody to camp with yet: make a hero first.", refused=True)
        elif not any(roster(hero.ruleset).alive(hero) for hero in heroes):
            self.tell("Nobody is alive to camp.", refused=True)
        else:
            self.app.navigator.pitch(heroes)

    # -- room

    def _sides(self) -> tuple[float, float]:
        """Widths at 100 % of the list of heroes and of the figures; none where there is no room for them."""
        wide = self.size[0] / self.app.look.scale
        if self.tight:
            listed, reckoned = 0.0, 150.0 if wide > 560 else 0.0
        else:
            listed, reckoned = max(228.0, min(300.0, wide * 0.165)), max(258.0, min(350.0, wide * 0.2))
        return (listed, reckoned if self.hero is not None else 0.0)

    def width_of_page(self) -> float:
        """Room of a page's content at 100 %."""
        listed, reckoned = self._sides()
        gaps = (12 if listed else 0) + ((6 if self.tight else 12) if reckoned else 0)
        edges = 16 + 16 if self.tight else 32 + 28
        return self.size[0] / self.app.look.scale - listed - reckoned - gaps - edges

    def across(self, least: float, gap: float = 6) -> float:
        """Width at 100 % of tiles that fill the page's lines, each at least so wide."""
        return self.answers().across(least, gap)
