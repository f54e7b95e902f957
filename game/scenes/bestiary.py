"""The bestiary: everybody there is to meet, each with a page, and its odds against the party at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import pygame

from game.app.i18n import t
from game.content import encounter
from game.content import tables as content
from game.controllers.ai.factors import load_weights
from game.scenes.base import Shell
from game.scenes.fight.panels.card import likeness, term_tip
from game.scenes.forecast.board import Glance, GlancingScene
from game.scenes.forecast.figures import between, draw_band
from game.scenes.title import Setting, Tableau, alone
from game.setup import forms
from game.setup.bestiary import Entries, heroes, monsters, own
from game.view.palette import side_colour
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Space, Split, Tip, Widget, column, grown, row
from game.widgets.fields import TextField
from game.widgets.figures import Picture, StatTile
from game.widgets.menu import Tile
from game.widgets.text import Run, line
from game.widgets.theme import Look
from rules.board.grid import Field
from rules.contract.display import Display, Line, Sheet
from rules.contract.errors import BattlematError, said
from rules.contract.ruleset import Scenario
from rules.contract.text import joined, text
from rules.core import record as records
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of

COUNTS = (1, 2, 4)
"""So many of a creature may be measured against the party."""
FIGHTER = 138
"""Least width at 100 % of a hero among the party."""
ROOM = ["." * 16] * 12
"""Bare ground on which a creature is looked at."""
TIGHT = 900
"""Pixels of width at 100 % below which everything is smaller."""
ROOMY = 780
"""Height at 100 % from which the miniature may be larger."""
LIST, NARROW_LIST = 250, 176
GROUND = "ruined_bridge"
"""The map on which odds are measured; another where a creature finds no room on it."""
SEED = 1


@lru_cache(maxsize=128)
def sheet_of(ruleset_id: str, name: str) -> Sheet:
    """A creature's sheet, whole and rested, as a fight would show it."""
    ruleset, creatures = ruleset_of(ruleset_id), []
    for template, side, at in ((name, encounter.MONSTERS, [1, 1]), (name, encounter.HEROES, [10, 6])):
        entry = {k: v for k, v in content.template(ruleset.id, template).items() if k != "template"}
        creatures.append({**entry, "id": f"{side}.1", "side": side, "at": at, "controller": "ai"})
    creatures[1]["name"] = "Another"  # two of a name would be numbered
    scenario = Scenario(ruleset.id, Field.from_rows(ROOM), tuple(creatures), 1, None, {}, content.tables(ruleset.id))
    return ruleset.sheet(ruleset.start(scenario).state, f"{encounter.MONSTERS}.1")


def head(ruleset: Display, entry: Mapping[str, Any], size: float, *, tight: bool) -> Widget:
    """The miniature, the name, what is told of it and how it thinks."""
    space = int(entry.get("space", 1))
    told = [
        str(entry.get("kind", "")),
        text("{size} × {size} spaces", space) if space > 1 else "",
        text("weight {entry}", entry["threat"]),
    ]
    style = "text" if tight else "label"
    temper = str(entry.get("temperament", "")) or "cunning"
    thinks = load_weights().temper(temper).summary
    words = column(
        Label(str(entry["name"]), "heading" if tight else "figure", "bright"),
        Label(joined(" · ", (part for part in told if part)), "label", "quiet"),
        Label(str(entry.get("summary", "")), style),
        Label([Run(text("{temper}. ", temper.capitalize()), "gold", f"{style}!"), Run(thinks, "text", style)]),
        gap=4,
    )
    face = Picture(likeness(str(entry.get("art", "")), encounter.MONSTERS), size)
    return row(face, grown(words), gap=10 if tight else 18)


def spread(scene: Bestiary, entry: Mapping[str, Any], sheet: Sheet, *, large: bool) -> Box:
    """A page with room: on the left who it is, on the right its odds and the ground that it commands."""
    left = column(
        head(scene.ruleset, entry, 176 if large else 132, tight=not large),
        figures(scene.ruleset, sheet, tight=not large),
        gap=18 if large else 12,
    )
    ground: list[Widget] = []
    if (shown := stood(scene.ruleset.id, scene.chosen)) is not None:
        words = "Dotted: its free steps. Outlined: what it strikes from where it stands."
        ground = [Tableau(shown, asks=170), Label(words, "small", "quiet", centred=True)]
    right = column(odds(scene), *ground, gap=12 if large else 8)
    return column(grown(Split((left, 0.52), (right, 0.48), gap=24)))


def stood(ruleset_id: str, name: str) -> Setting | None:
    """A creature on bare ground; None where the rules cannot take it alone."""
    return alone(ruleset_id, content.template(ruleset_id, name), encounter.MONSTERS, (ruleset_id, name))


def figures(ruleset: Display, sheet: Sheet, *, tight: bool) -> Widget:
    """Stats and pools as tiles; weapons, armor and magic; the traits with their rules in whole sentences."""
    pools = [(bar.label, str(bar.maximum)) for bar in sheet.bars if bar.tone != "points"]
    tiles: list[Widget] = [
        StatTile(name, figure, tip=term_tip(ruleset, name)) for name, figure in (*sheet.stats, *pools)
    ]
    gap, style = (3, "text") if tight else (7, "label")
    lines, traits = (
        [_line(ruleset, each, style) for each in sheet.lines if each.trait is trait] for trait in (False, True)
    )
    parts = [Box(*tiles, across=True, gap=6, align="stretch", wrap=True)]
    parts.append(column(Label("In a fight", "label!", "gold"), *lines, gap=gap))
    if traits:
        parts.append(column(Label("Traits", "label!", "gold"), *traits, gap=2 * gap))
    return column(*parts, gap=10 if tight else 16)


def _line(ruleset: Display, told: Line, style: str) -> Widget:
    if told.trait:
        runs = [Run(text("{text}. ", told.text), "bright", f"{style}!"), Run(told.detail, "text", style)]
        return Label(runs, tip=Tip(told.rule, told.text))
    detail = [Run("  " + told.detail, "quiet", "text" if style == "label" else "small")] if told.detail else []
    tip = term_tip(ruleset, told.text.split(":")[0], told.rule)
    return Label([Run(told.text, told.tone or "text", style), *detail], tip=tip)


# -- odds -------------------------------------------------------------------------------------------------


def odds(scene: Bestiary) -> Widget:
    """Who is in the party, how many of the creature it meets, and what comes of it."""
    heroes = [_hero(scene, name, entry) for name, entry in scene.heroes.items()]
    counts = [
        Button(text('{count} ×', count), partial(scene.measured, count), key=f"count {count}", slim=True,
               chosen=count == scene.count, tip=Tip(text('The party meets {count} of it.', count)))
        for count in COUNTS
    ]  # fmt: skip
    asked = Label("Against the party", "label!", "gold", one_line=True)
    found = Chances(scene) if scene.tight else Outlook(scene)
    return column(
        row(asked, Space(grow=1), *counts, gap=6), row(*heroes, gap=4, wrap=True), found, gap=6, pad=8, plate="night",
    )  # fmt: skip


def _hero(scene: Bestiary, name: str, entry: Mapping[str, Any]) -> Widget:
    called, there, call = str(entry.get("name", name)), name in scene.party, partial(scene.toggle, name)
    key, tip = f"hero {name}", Tip("A click takes them into the party or out of it.", called)
    if scene.tight:
        return Button(called, call, key=key, slim=True, chosen=there, quiet=not there, tip=tip)
    face = likeness(str(entry.get("art", name)), encounter.HEROES)
    tile = Fighter(called, "", face, call, chosen=there, key=key, size=28, width=FIGHTER, tip=tip)
    tile.scene, tile.hero, tile.kind = scene, name, str(entry.get("kind", ""))
    return grown(tile)


class Fighter(Tile):
    """A hero of the party at hand, and how often it falls, as far as that is known; read while drawing."""

    scene: Bestiary
    hero = kind = ""

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        found = self.scene.glance.forecast
        fate = None
        if found is not None and found.runs:
            fate = next((c.falls for c in found.creatures if c.id == self.hero), None)
        self.line = t(self.kind if fate is None else text("falls in {round} %", round(100 * fate.share)))
        super().draw(surface, look)


class Chances(Widget):
    """How the party fares, as far as it is known; read while drawing."""

    def __init__(self, scene: Bestiary) -> None:
        super().__init__()
        self.scene = scene

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.font("text").get_linesize() + look.px(14))

    def words(self) -> str:
        """What is known in one line."""
        scene, found = self.scene, self.scene.glance.forecast
        if scene.fault:
            return scene.fault
        if not scene.app.settings.live_forecast:
            return "Live forecasts are switched off in the settings."
        if found is None or not found.runs:
            return "Fighting it out …"
        side = found.side(encounter.HEROES)
        told = "The party wins {wins} of {runs} fights and loses {mean} of {creatures}."
        return text(told, between(side.wins), found.runs, f"{side.losses.mean:.1f}", side.creatures)

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        found = self.scene.glance.forecast
        surface.blit(line(look, t(self.words()), "text", "bright" if found else "quiet"), self.rect.topleft)
        self.bar(surface, look)

    def bar(self, surface: pygame.Surface, look: Look) -> None:
        """The chance to win as a length, at the foot."""
        found = self.scene.glance.forecast
        bar = pygame.Rect(self.rect.left, self.rect.bottom - look.px(9), self.rect.width, look.px(8))
        if found is None or not found.runs:
            pygame.draw.rect(surface, look.colour("raised"), bar, 0, bar.height // 2)
        else:
            draw_band(surface, look, bar, found.side(encounter.HEROES).wins, side_colour(encounter.HEROES))


class Outlook(Chances):
    """The same with room: the chance large, what it costs beside it."""

    def measure(self, look: Look, width: int) -> tuple[int, int]:
        return (width, look.font("figure").get_linesize() + look.px(16))

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        found, left, high = self.scene.glance.forecast, self.rect.left, look.font("text").get_linesize()
        told: tuple[str, ...] = (self.words(),)
        if found is not None and found.runs and not self.scene.fault:
            side = found.side(encounter.HEROES)
            large = line(look, between(side.wins), "figure", "bright")
            surface.blit(large, (left, self.rect.top))
            left += large.get_width() + look.px(12)
            lost, turns = f"{side.losses.mean:.1f}", f"{found.turns.mean:.1f}"
            costs = text("{mean} of {creatures} lost · {mean2} turns", lost, side.creatures, turns)
            told = (text("to win, in {runs} fights", found.runs), costs)
        top = self.rect.top + (look.font("figure").get_linesize() - len(told) * high) // 2
        for number, words in enumerate(told):
            text_ = line(look, words, "text", "quiet" if number or not found else "text", self.rect.right - left)
            surface.blit(text_, (left, top + number * high))
        self.bar(surface, look)


def families(entries: Entries) -> dict[str, list[str]]:
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
        self, app: Shell, ruleset: str = next(iter(RULESETS)), *, chosen: str | None = None, party: Sequence[str] = ()
    ) -> None:
        super().__init__(app)
        self.ruleset = ruleset_of(ruleset)
        self.entries = monsters(ruleset)
        mine, ready = own(ruleset), heroes(ruleset)
        self.heroes = {**mine, **ready}
        """The player's own first, as in *New fight*."""
        self.chosen: str = chosen if chosen and chosen in self.entries else next(iter(self.entries))
        self.party = [name for name in dict.fromkeys(party) if name in self.heroes]
        if not self.party:
            self.party = list(self.heroes if len(mine) >= encounter.PARTY else ready)[: encounter.PARTY]
        self.count = COUNTS[0]
        self.tight = False
        self.fault = ""
        """Why the odds can't be measured."""
        self.glance = Glance(app, self._told)

    # -- the fight that the odds are measured by

    def _told(self) -> tuple[records.Record, Path | None] | None:
        self.fault = ""
        others = [path.stem for path in encounter.single_maps() if path.stem != GROUND]
        for name in (GROUND, *others):
            try:
                made = encounter.make_encounter(
                    name, self.party, [self.chosen] * self.count, SEED, {"heroes": "ai", "monsters": "ai"},
                    ruleset=self.ruleset.id,
                )  # fmt: skip
                return records.read(made), None
            except BattlematError as error:
                self.fault = said(error)
        return None

    # -- layout

    def build(self) -> None:
        look, (wide, high) = self.app.look, self.size
        self.tight = wide / look.scale < TIGHT
        margin = look.px(8 if self.tight else 16)
        counted = text("{entries} creatures · {title}", len(self.entries), self.ruleset.title)
        head = row(
            Label("Bestiary", "heading" if self.tight else "figure", "bright"),
            Space(grow=1),
            Label(counted, "label", "quiet", one_line=True),
            Button("Back", self.app.pop, hint="Esc", key="back", slim=self.tight),
            gap=12,
        )
        top = self.place(head, margin, margin, wide - 2 * margin).bottom + margin
        left = look.px(NARROW_LIST if self.tight else LIST)
        room = pygame.Rect(margin, top, wide - 2 * margin, high - top - margin)
        self.place_beside(room, [(self._list(), left), (self._page(), room.width - left - margin)], margin)
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
        tip = Tip("By name, family, trait, weapon or what is told; / begins anew.")
        head = row(*self.search_line("creatures", "Search (press /)", partial(self._show_at, 0), tip), gap=2)
        fitting, parts = self.shown(), list[Widget]()
        for family, members in families(self.entries).items():
            if some := [name for name in members if name in fitting]:
                parts += [Label(family, "label!", "gold"), *map(self._tile, some)]
        if not parts:
            near = forms.nearest(self.query, list(self.entries))
            nobody = "Nobody is told of so. Did you mean {near}?" if near else "Nobody is told of so."
            parts.append(Label(text(nobody, near=near[0] if near else ""), colour="quiet"))
        scroll = self.scrolled(column(*parts, gap=4), "creatures")
        return column(head, scroll, gap=6, pad=6 if self.tight else 10, plate="panel")

    def _tile(self, name: str) -> Tile:
        entry = self.entries[name]
        return Tile(
            str(entry["name"]), text('weight {entry}', entry.get('threat', '?')),
            likeness(str(entry.get("art", name)), encounter.MONSTERS), partial(self.show, name),
            chosen=name == self.chosen, key=f"creature {name}", size=28 if self.tight else 34, width=2000,
        )  # fmt: skip

    def _page(self) -> Widget:
        entry, sheet, ruleset = self.entries[self.chosen], sheet_of(self.ruleset.id, self.chosen), self.ruleset
        if self.tight:
            body = column(head(ruleset, entry, 92, tight=True), odds(self), figures(ruleset, sheet, tight=True), gap=10)
        else:
            body = spread(self, entry, sheet, large=self.size[1] / self.app.look.scale >= ROOMY)
        self._shown = self.scrolled(body, "page")
        return column(self._shown, pad=8 if self.tight else 16, plate="panel")

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

    def turn(self, by: int) -> None:
        """The page of the next creature in the list, or of the one before."""
        found = self.shown()
        self._show_at(found.index(self.chosen) + by if self.chosen in found else 0)

    def _show_at(self, place: int) -> None:
        if found := self.shown():
            name = found[place % len(found)]
            self.show(name)
            self.ui.focus_key(f"creature {name}")

    # -- events

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.KEYDOWN and not event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT):
            if event.key in (pygame.K_UP, pygame.K_DOWN):
                self.turn(1 if event.key == pygame.K_DOWN else -1)
                return True
            if event.key in (pygame.K_PAGEUP, pygame.K_PAGEDOWN):
                by = 1 if event.key == pygame.K_PAGEDOWN else -1
                self._shown.scroll(by * self._shown.rect.height * 3 // 4)
                return True
            if event.key == pygame.K_SLASH and not isinstance(self.ui.focus, TextField):
                self.query = ""
                self.rebuild()
                self.ui.focus_key("search")
                return True
        return super().handle(event)


def _text(name: str, entry: Mapping[str, Any]) -> str:
    told = [name, *(str(entry.get(key, "")) for key in ("name", "kind", "family", "summary", "temperament"))]
    told += map(str, entry.get("weapons", ()))
    told += [str(t.get("name", "")) for t in entry.get("traits", ()) if isinstance(t, Mapping)]
    return " ".join(told).casefold()


def bestiary(app: Shell, ruleset: str = "", *, chosen: str | None = None, party: Sequence[str] = ()) -> None:
    """The bestiary of a ruleset (else of the first), at somebody's page."""
    app.push(Bestiary(app, ruleset, chosen=chosen, party=party) if ruleset else Bestiary(app))
