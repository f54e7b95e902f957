"""The bestiary: everybody there is to meet, each with a page, and its odds against the party at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pygame

from game.content import encounter
from game.scenes.bestiary import page as pages
from game.scenes.fight.panels import hud
from game.scenes.forecast.glance import Glance
from game.scenes.forecast.live import GlancingScene
from game.setup import bestiary, forms
from game.widgets.controls import Button, Label
from game.widgets.core import Scroll, Space, Tip, Widget, column, row
from game.widgets.fields import Mark, Memory
from game.widgets.textfield import TextField
from game.widgets.tiles import Tile
from rules.contract.errors import BattlematError
from rules.core import record as records
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of

if TYPE_CHECKING:
    from game.app.loop import App

TIGHT = 900
"""Pixels of width at 100 % below which everything is smaller."""
ROOMY = 780
"""Height at 100 % from which the miniature may be larger."""
LIST, NARROW_LIST = 250, 176
GROUND = "ruined_bridge"
"""The map on which odds are measured; another where a creature finds no room on it."""
SEED = 1


def families(entries: bestiary.Entries) -> dict[str, list[str]]:
    """The creatures by family (else by kind), in the order of the file."""
    found: dict[str, list[str]] = {}
    for name, entry in entries.items():
        family = str(entry.get("family") or entry.get("kind") or "Others")
        found.setdefault(family[:1].upper() + family[1:], []).append(name)
    return found


class Bestiary(GlancingScene):
    """A list with search and families; on the right the page of the chosen one."""

    name = "bestiary"
    key_groups = ("general",)

    def __init__(
        self,
        app: App,
        ruleset: str = next(iter(RULESETS)),
        *,
        chosen: str | None = None,
        party: Sequence[str] = (),
    ) -> None:
        super().__init__(app)
        self.ruleset = ruleset_of(ruleset)
        self.entries = bestiary.monsters(ruleset)
        own, ready = bestiary.own(ruleset), bestiary.heroes(ruleset)
        self.heroes = {**own, **ready}
        """The player's own first, as in *New fight*."""
        self.chosen: str = chosen if chosen and chosen in self.entries else next(iter(self.entries))
        self.party = [name for name in dict.fromkeys(party) if name in self.heroes]
        if not self.party:
            self.party = list(self.heroes if len(own) >= encounter.PARTY else ready)[: encounter.PARTY]
        self.count = pages.COUNTS[0]
        self.query = ""
        self.memory = Memory()
        self.offsets: dict[str, int] = {}
        self.tight = False
        self.fault = ""
        """Why the odds can't be measured."""
        self.glance = Glance(app, self._told)

    # -- the fight that the odds are measured by

    def _told(self) -> tuple[records.Record, Path | None] | None:
        self.fault = ""
        others = [path.stem for path in encounter.playable_maps() if path.stem != GROUND]
        for name in (GROUND, *others):
            try:
                made = encounter.make_encounter(
                    name, self.party, [self.chosen] * self.count, SEED, {"heroes": "ai", "monsters": "ai"},
                    ruleset=self.ruleset.id,
                )  # fmt: skip
                return records.read(made), None
            except BattlematError as error:
                self.fault = str(error)
        return None

    # -- layout

    def build(self) -> None:
        look, (wide, high) = self.app.look, self.size
        self.tight = wide / look.scale < TIGHT
        margin = look.px(8 if self.tight else 16)
        head = row(
            Label("Bestiary", "heading" if self.tight else "figure", "bright"),
            Space(grow=1),
            Label(f"{len(self.entries)} creatures · {self.ruleset.title}", "label", "quiet", one_line=True),
            Button("Back", self.app.pop, hint="Esc", key="back", slim=self.tight),
            gap=12,
        )
        top = head.measure(look, wide - 2 * margin)[1]
        self.ui.add(head, pygame.Rect(margin, margin, wide - 2 * margin, top))
        room = pygame.Rect(margin, 2 * margin + top, wide - 2 * margin, high - top - 3 * margin)
        left = look.px(NARROW_LIST if self.tight else LIST)
        self.ui.add(self._list(), pygame.Rect(room.left, room.top, left, room.height))
        page = self._page()
        self.ui.add(
            page, pygame.Rect(room.left + left + margin, room.top, room.width - left - margin, room.height)
        )
        if self.ui.focus is None and not self.ui.remembers:
            self.ui.focus_key(f"creature {self.chosen}")
        self.glance.changed()

    def shown(self) -> list[str]:
        """The creatures that fit what is searched for, in the order of the list."""
        want = self.query.casefold().split()
        return [
            name
            for members in families(self.entries).values()
            for name in members
            if all(word in _text(name, self.entries[name]) for word in want)
        ]

    def _list(self) -> Widget:
        search = TextField(
            "search", self.query, self._search, self.memory, quiet="Search (press /)", on_enter=self._first,
            tip=Tip("By name, family, trait, weapon or what is told; / begins anew."),
        )  # fmt: skip
        search.grow = 1
        line = row(search, gap=2)
        if self.query:
            away = Mark("away", partial(self._search, ""), key="clear search", tip=Tip("Everybody again."))
            line.content.append(away)
        fitting, parts = self.shown(), list[Widget]()
        for family, members in families(self.entries).items():
            some = [name for name in members if name in fitting]
            if some:
                parts.append(Label(family, "label!", "gold"))
            parts += [self._tile(name) for name in some]
        if not parts:
            near = forms.nearest(self.query, list(self.entries))
            hint = f" Did you mean {near[0]}?" if near else ""
            parts.append(Label("Nobody is told of so." + hint, colour="quiet"))
        scroll = Scroll(column(*parts, gap=4), key="creatures")
        scroll.offset = self.offsets.get("creatures", 0)
        scroll.on_scroll = partial(self.offsets.__setitem__, "creatures")
        scroll.grow = 1
        return column(line, scroll, gap=6, pad=6 if self.tight else 10, plate="panel")

    def _tile(self, name: str) -> Tile:
        entry = self.entries[name]
        return Tile(
            str(entry["name"]), f"weight {entry.get('threat', '?')}",
            hud.likeness(str(entry.get("art", name)), encounter.MONSTERS), partial(self.show, name),
            chosen=name == self.chosen, key=f"creature {name}", size=28 if self.tight else 34, width=2000,
        )  # fmt: skip

    def _page(self) -> Widget:
        entry = self.entries[self.chosen]
        sheet = pages.sheet_of(self.ruleset.id, self.chosen)
        if self.tight:
            body = column(
                pages.head(self.ruleset, entry, 92, tight=True),
                pages.odds(self),
                pages.figures(self.ruleset, sheet, tight=True),
                gap=10,
            )
        else:
            body = pages.spread(self, entry, sheet, large=self.size[1] / self.app.look.scale >= ROOMY)
        scroll = Scroll(body, key="page")
        scroll.offset = self.offsets.get("page", 0)
        scroll.on_scroll = partial(self.offsets.__setitem__, "page")
        scroll.grow = 1
        return column(scroll, pad=8 if self.tight else 16, plate="panel")

    # -- what is done

    def show(self, name: str) -> None:
        """Turn to a creature's page."""
        self.chosen = name
        self.offsets["page"] = 0
        self.rebuild()

    def toggle(self, hero: str) -> None:
        """Take a hero into the party, or out of it; one stays."""
        if hero not in self.party:
            self.party = [name for name in self.heroes if name == hero or name in self.party]
        elif len(self.party) > 1:
            self.party.remove(hero)
        self.rebuild()

    def measured(self, count: int) -> None:
        """Measure so many of the creature."""
        self.count = count
        self.rebuild()

    def _search(self, text: str) -> None:
        self.query = text
        self.offsets["creatures"] = 0
        self.rebuild()

    def _first(self) -> None:
        if found := self.shown():
            self.show(found[0])
            self.ui.focus_key(f"creature {found[0]}")

    def turn(self, by: int) -> None:
        """The page of the next creature in the list, or of the one before."""
        found = self.shown()
        if found:
            at = found.index(self.chosen) + by if self.chosen in found else 0
            name = found[at % len(found)]
            self.show(name)
            self.ui.focus_key(f"creature {name}")

    # -- events

    def handle(self, event: pygame.event.Event) -> bool:
        focus = self.ui.focus
        typing = isinstance(focus, TextField)
        if event.type == pygame.KEYDOWN and not event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT):
            if event.key in (pygame.K_UP, pygame.K_DOWN):
                self.turn(1 if event.key == pygame.K_DOWN else -1)
                return True
            if event.key in (pygame.K_PAGEUP, pygame.K_PAGEDOWN):
                self._scroll(1 if event.key == pygame.K_PAGEDOWN else -1)
                return True
            if event.key == pygame.K_SLASH and not typing:
                self.query = ""
                self.rebuild()
                self.ui.focus_key("search")
                self.dirty = True
                return True
        return super().handle(event)

    def _scroll(self, by: int) -> None:
        for panel, _ in self.ui.layers:
            for widget in panel.walk():
                if isinstance(widget, Scroll) and widget.key == "page":
                    widget.scroll(by * widget.rect.height * 3 // 4)
                    self.dirty = True


def _text(name: str, entry: Mapping[str, Any]) -> str:
    told = [name, *(str(entry.get(key, "")) for key in ("name", "kind", "family", "summary", "temperament"))]
    told += map(str, entry.get("weapons", ()))
    told += [str(t.get("name", "")) for t in entry.get("traits", ()) if isinstance(t, Mapping)]
    return " ".join(told).casefold()
