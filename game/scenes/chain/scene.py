"""A chain of encounters: its fights with the rests between at the left, its forecast at the right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pygame

from game.app.window import wake
from game.characters import chained
from game.fight.match import Match, fresh_seed
from game.forecast.chain_session import ChainSession
from game.forecast.chains import ChainTrial
from game.scenes.base import Scene, Shell
from game.scenes.chain import figures
from game.scenes.chain.lists import Chains, Encounters
from game.scenes.dialogs.panels import Menu
from game.scenes.dialogs.saves import Ask
from game.setup import chains, files
from game.setup.chains import ChainModel, LinkModel, Ready
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Space, Tip, Widget, column, grown, row
from game.widgets.fields import TextField, types
from game.widgets.figures import Live
from rules.contract.errors import BattlematError, said
from rules.contract.ruleset import NO_REST, PARTY, Rest
from rules.contract.text import ntext, text
from rules.core.ground import map_files
from rules.core.registry import ruleset as ruleset_of

SHARE = 0.44
"""Of the width: the list of fights."""
STRAIGHT = Rest(NO_REST, "Straight on", "Nobody is helped, and who lies there stays behind.")
UNTITLED = "Untitled chain"


class ChainScene(Scene):
    """The table on which a chain is made, foreseen and begun."""

    name = "chain"
    key_groups = ("general", "chain")

    def __init__(self, app: Shell, path: Path | None = None) -> None:
        super().__init__(app)
        self.path = path
        """The file that it is kept in; None before it was saved."""
        self.title, self.links = "", list[LinkModel]()
        self.seed = fresh_seed()
        self.at = 0
        """The fight that is chosen."""
        self.saved: object = None
        """The chain as its file has it."""
        self.ready: Ready | None = None
        self.wrong = ""
        """Why it can't be played; empty if it can."""
        self.session = ChainSession(partial(wake, self._news))
        self.told = ""
        if path is not None:
            self.open(path)

    # -- the chain

    @property
    def chain(self) -> ChainModel | None:
        """The chain as it stands; None without any fight."""
        return ChainModel(title=self.title, seed=self.seed, fights=list(self.links)) if self.links else None

    @property
    def unsaved(self) -> bool:
        """Whether its file, if there is one, says otherwise."""
        return bool(self.links) and self.saved != self._whole()

    def _whole(self) -> object:
        return (self.title, self.seed, tuple(self.links))

    def open(self, path: Path) -> None:
        """A chain's file. Raises BattlematError."""
        chain = chains.load(path)
        self.path, self.title, self.seed, self.links, self.at = path, chain.title, chain.seed, list(chain.fights), 0
        self.saved = self._whole()
        self.changed()

    def changed(self) -> None:
        """The chain is otherwise than it was: look whether it can be played, and foresee it anew."""
        self.ready, self.wrong, self.told = None, "", ""
        self.session.stop()
        chain = self.chain
        if chain is not None:
            try:
                self.ready = chains.ready(chain, self.path.parent if self.path is not None else None)
                self.session.foresee(ChainTrial.of(self.ready))
            except BattlematError as error:
                self.wrong = said(error)
        self.rebuild()

    def _news(self) -> None:
        if self in self.app.scenes:
            try:
                news = self.session.collect()
            except BattlematError as error:
                self.wrong, news = said(error), True
            if news:
                self.rebuild()

    def left(self) -> None:
        self.session.close()

    # -- what is done

    def add(self) -> None:
        """One more encounter, at the end."""
        self.app.push(Encounters(self.app, self._add, self.ready.ruleset if self.ready is not None else ""))

    def _add(self, path: Path) -> None:
        folder = files.encounters_folder().resolve()
        inside = path.resolve().is_relative_to(folder)
        name = str(path.resolve().relative_to(folder)) if inside else str(path.resolve())
        self.links.append(LinkModel(encounter=name))
        self.at = len(self.links) - 1
        self.changed()

    def move(self, by: int) -> None:
        """The chosen fight sooner or later."""
        goal = self.at + by
        if 0 <= goal < len(self.links):
            rests = [link.rest for link in self.links]
            self.links[self.at], self.links[goal] = self.links[goal], self.links[self.at]
            self.links = [link.model_copy(update={"rest": rest}) for link, rest in zip(self.links, rests, strict=True)]
            self.at = goal
            self.changed()

    def remove(self) -> None:
        """The chosen fight out of it."""
        if self.links:
            self.links.pop(self.at)
            self.at = max(0, min(self.at, len(self.links) - 1))
            self.changed()

    def rest(self, number: int, word: str) -> None:
        """What comes after a fight."""
        self.links[number] = self.links[number].model_copy(update={"rest": word})
        self.changed()

    def choose(self, number: int) -> None:
        self.at = number
        self.rebuild()

    def new(self) -> None:
        """Another chain, empty."""

        def fresh() -> None:
            self.path, self.title, self.links, self.seed, self.at = None, "", [], fresh_seed(), 0
            self.saved = None
            self.changed()

        self._sure(fresh)

    def load(self) -> None:
        """Another chain of the player's."""
        self.app.push(Chains(self.app, lambda path: self._sure(partial(self._open, path))))

    def _open(self, path: Path) -> None:
        self.app.guard(partial(self.open, path))

    def _keep(self) -> None:
        self.save()

    def _sure(self, call: Callable[[], None]) -> None:
        """Do it; where something is not saved yet, ask first."""
        if self.unsaved:
            self.app.push(
                Ask(self.app, "Leave it unsaved?", "This chain has changed since it was saved.", "Leave it", call)
            )
        else:
            call()

    def save(self) -> bool:
        """Keep it under its title; False with the reason where that can't be."""
        chain = self.chain
        if chain is None:
            self.say("There is nothing to save yet: add an encounter.")
            return False
        if self.path is None:
            name = files.slug(self.title or UNTITLED) or "chain"
            path, number = chains.chains_folder() / f"{name}.json", 2
            while path.exists():
                path, number = chains.chains_folder() / f"{name}-{number}.json", number + 1
            self.path = path
        if not self.app.guard(partial(chains.save, chain, self.path)):
            return False
        self.saved = self._whole()
        self.say(text("Saved as {name}.", self.path.name))
        return True

    def play(self) -> None:
        """Save it, and begin with its first fight."""
        if self.ready is None:
            self.say(text("Not yet: {why}", self.wrong) if self.wrong else "Add an encounter first.")
        elif self.save() and self.path is not None:
            self.app.guard(partial(_begin, self.app, self.path))

    def more(self) -> None:
        self.session.more()
        self.rebuild()

    def say(self, words: str) -> None:
        """Tell something at the foot."""
        self.told = words
        self.rebuild()

    def leave(self) -> None:
        """Back to where one came from."""
        self._sure(self.app.pop)

    def menu(self) -> None:
        app, shown = self.app, self.app.keys.shown
        app.push(Menu(app, "A chain of encounters", [
            ("Back to the chain", shown("back"), lambda: None),
            ("Settings", "", lambda: app.navigator.options()),
            ("Leave", "", self.leave),
        ]))  # fmt: skip

    def commands(self) -> Mapping[str, Callable[[], object]]:
        return {
            "back": self.leave, "chain_add": self.add, "chain_up": partial(self.move, -1),
            "chain_down": partial(self.move, 1), "chain_remove": self.remove, "chain_new": self.new,
            "chain_load": self.load, "chain_save": self.save, "chain_more": self.more, "chain_play": self.play,
        }  # fmt: skip

    def command(self, name: str, event: pygame.event.Event) -> bool:
        if types(self.ui.focus) and name == "chain_remove":
            return False  # it is being typed
        return super().command(name, event)

    # -- layout

    def build(self) -> None:
        look, (wide, _) = self.app.look, self.size
        margin, gap = look.px(10), look.px(8)
        room, low = self.place_head(self._head(), foot := self._foot(), margin, gap)
        left = round((room.width - gap) * SHARE)
        right = figures.panel(self.session.found, self.ready, self.wrong, narrow=wide / look.scale < 1100)
        told = self.scrolled(right, "forecast")
        self.place_beside(room, (
            (column(self.scrolled(self._fights(), "fights"), pad=10, plate="panel"), left),
            (column(told, pad=12, plate="panel"), room.width - gap - left),
        ), gap)  # fmt: skip
        self.ui.add(foot, low)

    def _head(self) -> Box:
        shown = self.app.keys.shown
        title = grown(TextField("title", self.title, self._retitle, self.memory, quiet=UNTITLED, most=80))
        name = self.path.name if self.path is not None else "not saved yet"
        return row(
            Label("Chain", "heading", "bright"), title,
            Label(text("{name} •", name) if self.unsaved else name, "small", "quiet", one_line=True),
            Button("New", self.new, hint=shown("chain_new"), key="new"),
            Button("Open", self.load, hint=shown("chain_load"), key="open"),
            Button("Save", self._keep, hint=shown("chain_save"), key="save"), gap=8, pad=7, plate="panel",
        )  # fmt: skip

    def _retitle(self, title: str) -> None:
        self.title = title
        self.rebuild()

    def _foot(self) -> Box:
        shown = self.app.keys.shown
        wanted = self.session.wanted

        def how_far() -> str:
            if self.told:
                return self.told
            found = self.session.found
            return "" if found is None or not wanted else text("{n} of {all} runs", found.runs, wanted)

        return row(
            Button("Back", self.leave, hint=shown("back"), key="back"),
            Live(how_far, "quiet", "label", fits=True), Space(grow=1),
            Button("Twice as many", self.more, hint=shown("chain_more"), key="more", enabled=bool(wanted),
                   tip=Tip("Of runs: a narrower interval.")),
            Button("Play", self.play, gold=True, large=True, hint=shown("chain_play"), key="play",
                   enabled=self.ready is not None, on_refused=self.play,
                   tip=Tip("Saves the chain and begins its first fight; each summary leads on to the next.")),
            gap=10, pad=7, plate="panel",
        )  # fmt: skip

    def _fights(self) -> Widget:
        parts: list[Widget] = []
        for number, link in enumerate(self.links):
            parts.append(self._fight(number, link))
            if number < len(self.links) - 1:
                parts.append(self._rest(number, link))
        if not parts:
            parts.append(Label("Several encounters in a row for one party, with a rest or none between. Wounds, spent "
                               "powers and scars go on from fight to fight.", colour="quiet"))  # fmt: skip
        shown = self.app.keys.shown("chain_add")
        parts.append(row(Button("Add an encounter …", self.add, hint=shown, key="add", gold=not self.links)))
        return column(*parts, gap=7)

    def _fight(self, number: int, link: LinkModel) -> Widget:
        title, line = self._described(number, link)
        pick = Button(text("{n}. {title}", number + 1, title), partial(self.choose, number), chosen=number == self.at,
                      left=True, key=f"fight {number}")  # fmt: skip
        chosen = number == self.at

        def sign(label: str, call: Callable[[], None], key: str, tip: str, *, enabled: bool = True) -> Button:
            def press() -> None:
                self.at = number
                call()

            return Button(label, press, quiet=True, slim=True, key=f"{key} {number}", tip=Tip(tip), enabled=enabled)

        signs = row(
            sign("Sooner", partial(self.move, -1), "up", "One place up in the chain", enabled=number > 0),
            sign("Later", partial(self.move, 1), "down", "One place down in the chain",
                 enabled=number < len(self.links) - 1),
            sign("Out", self.remove, "remove", "Out of the chain"), gap=2,
        )  # fmt: skip
        head = row(grown(pick), signs, gap=6)
        return column(head, Label(line, "small", "quiet"), gap=3, pad=8, plate="raised", edge="gold" if chosen else "")

    def _described(self, number: int, link: LinkModel) -> tuple[str, str]:
        """(what it is called, where it is and who is there) of a fight."""
        name = link.encounter if isinstance(link.encounter, str) else ""
        if self.ready is None:
            return name or text("Fight {n}", number + 1), ""
        record = self.ready.links[number].record
        foes = sum(entry.get("side") != PARTY for entry in record.creatures)
        where = ", ".join(map_files(record.map)) or text("a sketch")
        late = sum(len(wave.who) for wave in record.arrivals)
        told = text("{map} · {foes}", where, ntext(foes, "{n} foe", "{n} foes"))
        if late:
            told = text("{told}, {n} of them later", told, late)
        return record.title or name.removesuffix(".json") or text("Fight {n}", number + 1), told

    def _rest(self, number: int, link: LinkModel) -> Widget:
        rests = ruleset_of(self.ready.ruleset).rests if self.ready is not None else ()
        if not rests:
            return Label(text("then: {rest}", link.rest), "small", "quiet")
        buttons = [
            Button(rest.label, partial(self.rest, number, rest.word), chosen=link.rest == rest.word, slim=True,
                   key=f"rest {number} {rest.word}", tip=Tip(rest.text, rest.rule))
            for rest in (STRAIGHT, *rests)
        ]  # fmt: skip
        return row(Space(6), Label("then", "small", "quiet"), grown(row(*buttons, gap=4, wrap=True)), gap=6)


def _begin(app: Shell, path: Path) -> None:
    record, beside = chained.first(path, fresh_seed())
    app.navigator.show(Match.from_record(record, beside=beside))


# -- ways to it, for the navigator


def chain(app: Shell, path: Path | None = None) -> None:
    """The table on which chains are made; a chain's file, if one is given. Raises BattlematError."""
    scene = ChainScene(app, path)
    app.push(scene)


def chain_on(app: Shell, match: Match) -> None:
    """From a fight of a chain that is over to the next. Raises BattlematError."""
    record, beside = chained.go_on(match)
    app.navigator.show(Match.from_record(record, beside=beside))
