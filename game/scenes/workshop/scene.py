"""The workshop's window: heroes, pages, and what a hero comes to; changes are kept in the hero's file by themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pygame

from game.characters.pages import Drawn
from game.characters.roster import ROSTERS, roster
from game.scenes.base import Scene, Shell
from game.scenes.fight.panels.card import likeness
from game.scenes.workshop import drawn, looks
from game.scenes.workshop.bench import Bench, ImportDialog, face, pills
from game.view.minis import icon
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Sized, Space, Tip, Widget, column, grown, row
from game.widgets.figures import IconButton
from game.widgets.menu import Tile
from rules.contract.text import text
from rules.core.registry import ruleset

TIGHT, SHORT = 900, 560
"""Pixels at 100 % below which list and figures get pages of their own, and below which rows are lower."""
AROUND = 270
"""Height at 100 % of all that stands above and below the tiles of a new hero."""
ROOMY = 780
"""Height at 100 % from which words and buttons of a page may be larger."""


class Workshop(Bench):
    """The window of the workshop: list, page, figures."""

    # -- layout

    def build(self) -> None:
        look, (wide, high) = self.app.look, self.size
        self.tight = wide / look.scale < TIGHT or high / look.scale < SHORT
        self.roomy = high / look.scale >= ROOMY and not self.tight
        margin, gap = look.px(8 if self.tight else 16), look.px(6 if self.tight else 12)
        foot = self._foot()
        room, low = self.place_head(self._head(), foot, margin, gap)
        listed, reckoned = map(look.px, self._sides())
        middle = room.width - sum(width + gap for width in (listed, reckoned) if width)
        panels = [(self._list(), listed)] if listed else []
        panels.append((self._page(), middle))
        if reckoned and self.hero is not None:
            figures = self.scrolled(looks.figures(self, self.hero), key="scroll figures")
            panels.append((column(figures, pad=8 if self.tight else 12, plate="panel"), reckoned))
        self.place_beside(room, panels, gap)
        self.ui.add(foot, low)
        if self.ui.focus is None and not self.ui.remembers:
            self.ui.focus_first(self.ui.layers[1][0])

    def pages(self) -> list[str]:
        """The pages there are for the hero on the bench."""
        if self.hero is None:
            return ["Heroes"] if self.tight else []
        names = ["Looks", *self.roster.pages(self.hero), "Sheet"]
        return ["Heroes", *names] if self.tight else names

    def _head(self) -> Box:
        here = "" if self.begin_with else self.page
        tabs: list[Widget] = [
            Button(name, partial(self.turn, name), chosen=name == here, key=f"page {name}", slim=self.tight)
            for name in self.pages()
        ]
        if self.tight:
            return row(*tabs, gap=3, wrap=True)
        keys = [Space(grow=1), Label("Page up and Page down turn the pages", "small", "quiet")]
        return row(Label("Heroes", "figure", "bright"), Space(26), *tabs, *(keys if tabs else []), gap=6)

    def _foot(self) -> Box:
        parts: list[Widget] = [Button("Back", self._leave, hint="Esc", key="leave", slim=self.tight)]
        if not self.tight:
            parts.append(Button("Camp", self._camp, key="camp", tip=Tip("Rest, days of recuperation, first aid.")))
        if self.hero is not None:
            back, on = self.steps.may(self.hero)
            for what, step, may, told in (
                ("undo", self.undo, back, "Take the last step back."),
                ("redo", self.redo, on, "Do again what was taken back."),
            ):
                tip = Tip(told, self.app.keys.shown(f"workshop_{what}"))
                parts.append(IconButton(partial(icon, what), step, key=what, tip=tip))
                parts[-1].enabled = may
        return row(*parts, grown(Label(self.said, "text", "coral" if self.refused else "green")), gap=10)

    def _list(self) -> Widget:
        tiles: list[Widget] = [
            Tile(
                hero.name, self._line_of(hero), face(hero),
                partial(self.take, hero.id), chosen=self.hero is not None and hero.id == self.hero.id,
                key=f"hero {hero.id}", size=30 if self.tight else 40, width=2000,
            )
            for hero in self.heroes.values()
        ]  # fmt: skip
        if not tiles:
            tiles = [Label("No hero of your own yet. Make one: it fights wherever you like.", colour="quiet")]
        tiles += [Label(line, "small", "coral") for line in self.broken]
        there = self.hero is not None
        buttons = row(
            Button("New hero", self.begin, gold=not there, slim=True, key="new"),
            *([Button("Copy", self.copy, slim=True), Button("Delete", self.delete, slim=True)] if there else []),
            Button("Import", partial(self.app.push, ImportDialog(self.app, self.bring_in)), slim=True,
                   tip=Tip("A shared file; or drop it onto the window.")),
            *([Button("Export", self._export, slim=True)] if there else []),
            *([Button("Camp", self._camp, key="camp", slim=True)] if self.tight else []),
            gap=5, wrap=True,
        )  # fmt: skip
        listing = self.scrolled(column(*tiles, gap=5), key="scroll list")
        return column(buttons, listing, gap=8, pad=10, plate="panel")

    def _line_of(self, hero: Any) -> str:
        """What it is and how; whose rules it follows, where there are several."""
        rules = roster(hero.ruleset)
        if len({each.ruleset for each in self.heroes.values()}) < 2:
            return text("{hero} · {hero2}", rules.about(hero), rules.condition(hero))
        words = "{rules}: {hero} · {hero2}"
        return text(words, ruleset(hero.ruleset).title, rules.about(hero), rules.condition(hero))

    def _page(self) -> Widget:
        if self.tight and self.page == "Heroes":
            return self._list()
        hero = self.hero
        if hero is None or self.begin_with:
            empty = self.scrolled(column(*self._beginnings(), gap=10, pad=3), key="scroll empty")
            return column(empty, pad=16, plate="panel")
        if self.page not in self.pages():
            self.page = self.roster.home
        if self.page == "Looks":
            parts = looks.page(self, hero)
        elif self.page == "Sheet":
            parts = looks.sheet_page(self, hero)
        else:
            page = self.roster.page(hero, self.page, self.view)
            parts = self._self_drawn(page) if isinstance(page, Drawn) else drawn.widgets(self.answers(), page)
        content = column(*parts, gap=8, pad=3)
        return column(self.scrolled(content, key=f"scroll {self.page}"), pad=8 if self.tight else 14, plate="panel")

    def _self_drawn(self, page: Drawn) -> list[Widget]:
        module, _, function = page.where.partition(":")
        parts: list[Widget] = getattr(import_module(module), function)(self, self.hero)
        return parts

    def _beginnings(self) -> list[Widget]:
        """By whose rules somebody new is made, and a tile for each way to begin."""
        rules = roster(self.begin_with or next(iter(ROSTERS)))
        room = self.width_of_page() - 32
        starts = rules.starts()
        columns = 1 if room <= 560 else 2 if len(starts) <= 10 or room <= 800 else 3
        width = int((room - 10 * (columns - 1)) // columns)
        high = self.size[1] / self.app.look.scale - AROUND
        lines = -(-len(starts) // columns)
        size = min(max(high / lines - 22, 64 if lines < 6 else 40), 140) if columns > 1 else 64
        tiles = (
            Sized(Tile(
                start.name, start.line, likeness(start.art, "heroes"), partial(self.new, start.key, rules.ruleset),
                key=f"begin {start.name}", size=size, width=width,
                tip=Tip(start.tip, start.name) if start.tip else None,
            ), width)
            for start in starts
        )  # fmt: skip
        books = {name: ruleset(name).title for name in ROSTERS}
        choice = [pills(books, rules.ruleset, self.begin, "rules")] if len(books) > 1 else []
        told = Label(rules.beginning, colour="quiet")
        return [Label("Whom shall it be?", "heading", "gold"), *choice, told, row(*tiles, gap=10, wrap=True)]

    # -- events

    def _leave(self) -> None:
        self.keep()
        self.app.pop()

    def commands(self) -> Mapping[str, Callable[[], object]]:
        return {"back": self._leave, "workshop_undo": self.undo, "workshop_redo": self.redo}

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.DROPFILE:
            self.bring_in(Path(event.file))
            return True
        if event.type == pygame.KEYDOWN and event.key in (pygame.K_PAGEUP, pygame.K_PAGEDOWN) and self.pages():
            names = self.pages()
            here = names.index(self.page) if self.page in names else 0
            self.turn(names[(here + (1 if event.key == pygame.K_PAGEDOWN else -1)) % len(names)])
            return True
        return super().handle(event)

    def update(self, dt: float) -> bool:
        if self._unkept is not None:
            self._wait -= dt
            if self._wait <= 0:
                self.keep()
        return super().update(dt)

    def pace(self) -> float | None:
        return 0.2 if self._unkept is not None else super().pace()

    def covered(self, scene: Scene) -> None:
        self.keep()

    def left(self) -> None:
        self.keep()


def workshop(app: Shell) -> None:
    """The heroes of the player's own."""
    app.push(Workshop(app))
