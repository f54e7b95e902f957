"""A page of the bestiary: who it is, what it does, how it thinks, and how a party would fare against it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import pygame

from game.app.i18n import t
from game.content import encounter
from game.content import tables as content
from game.controllers.ai.temper import load_tempers
from game.scenes.fight.panels import hud
from game.scenes.fight.panels.terms import term_tip
from game.scenes.forecast.figures import between, draw_band
from game.scenes.tableau import Setting, Tableau, alone
from game.view.palette import side_colour
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Space, Split, Tip, Widget, column, row
from game.widgets.figures import Picture, StatTile
from game.widgets.text import Run, rendered, shortened
from game.widgets.theme import Look
from game.widgets.tiles import Tile
from rules.board.grid import Field
from rules.contract.display import Line, Sheet
from rules.contract.ruleset import Ruleset
from rules.contract.scenario import Scenario
from rules.core.registry import ruleset as ruleset_of

if TYPE_CHECKING:
    from game.scenes.bestiary.scene import Bestiary

COUNTS = (1, 2, 4)
"""So many of a creature may be measured against the party."""
FIGHTER = 138
"""Least width at 100 % of a hero among the party."""
ROOM = ["." * 16] * 12
"""Bare ground on which a creature is looked at."""


@lru_cache(maxsize=128)
def sheet_of(ruleset_id: str, name: str) -> Sheet:
    """A creature's sheet, whole and rested, as a fight would show it."""
    ruleset, creatures = ruleset_of(ruleset_id), []
    for template, side, at in ((name, encounter.MONSTERS, [1, 1]), (name, encounter.HEROES, [10, 6])):
        entry = {k: v for k, v in content.template(ruleset.id, template).items() if k != "template"}
        creatures.append({**entry, "id": f"{side}.1", "side": side, "at": at, "controller": "ai"})
    creatures[1]["name"] = "Another"  # two of a name would be numbered
    scenario = Scenario(
        ruleset.id, Field.from_rows(ROOM), tuple(creatures), 1, None, {}, content.tables(ruleset.id)
    )
    return ruleset.sheet(ruleset.start(scenario).state, f"{encounter.MONSTERS}.1")


def head(ruleset: Ruleset, entry: Mapping[str, Any], size: float, *, tight: bool) -> Widget:
    """The miniature, the name, what is told of it and how it thinks."""
    space = int(entry.get("space", 1))
    told = [
        str(entry.get("kind", "")),
        f"{space} × {space} spaces" if space > 1 else "",
        f"weight {entry['threat']}",
    ]
    style = "text" if tight else "label"
    temper = str(entry.get("temperament", "")) or "cunning"
    thinks = load_tempers().get(temper).summary
    words = column(
        Label(str(entry["name"]), "heading" if tight else "figure", "bright"),
        Label(" · ".join(part for part in told if part), "label", "quiet"),
        Label(str(entry.get("summary", "")), style),
        Label([Run(f"{temper.capitalize()}. ", "gold", f"{style}!"), Run(thinks, "text", style)]),
        gap=4,
    )
    words.grow = 1
    face = Picture(hud.likeness(str(entry.get("art", "")), encounter.MONSTERS), size)
    return row(face, words, gap=10 if tight else 18)


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
    both = Split((left, 0.52), (right, 0.48), gap=24)
    both.grow = 1
    return column(both)


def stood(ruleset_id: str, name: str) -> Setting | None:
    """A creature on bare ground; None where the rules cannot take it alone."""
    return alone(ruleset_id, content.template(ruleset_id, name), encounter.MONSTERS, (ruleset_id, name))


def figures(ruleset: Ruleset, sheet: Sheet, *, tight: bool) -> Widget:
    """Stats and pools as tiles; weapons, armor and magic; the traits with their rules in whole sentences."""
    pools = [(bar.label, str(bar.maximum)) for bar in sheet.bars if bar.tone != "points"]
    tiles: list[Widget] = [
        StatTile(name, figure, tip=term_tip(ruleset, name)) for name, figure in (*sheet.stats, *pools)
    ]
    lines = [line for line in sheet.lines if not line.trait]
    traits = [line for line in sheet.lines if line.trait]
    gap, style = (3, "text") if tight else (7, "label")
    parts: list[Widget] = [Box(tiles, across=True, gap=6, align="stretch", wrap=True)]
    parts.append(
        column(
            Label("In a fight", "label!", "gold"), *(_line(ruleset, line, style) for line in lines), gap=gap
        )
    )
    if traits:
        parts.append(
            column(Label("Traits", "label!", "gold"), *(_trait(line, style) for line in traits), gap=2 * gap)
        )
    return column(*parts, gap=10 if tight else 16)


def _line(ruleset: Ruleset, line: Line, style: str) -> Widget:
    runs = [Run(line.text, line.tone or "text", style)]
    if line.detail:
        runs.append(Run("  " + line.detail, "quiet", "text" if style == "label" else "small"))
    return Label(runs, tip=term_tip(ruleset, line.text.split(":")[0], line.rule))


def _trait(line: Line, style: str) -> Widget:
    return Label(
        [Run(f"{line.text}. ", "bright", f"{style}!"), Run(line.detail, "text", style)],
        tip=Tip(line.rule, line.text),
    )


# -- odds -------------------------------------------------------------------------------------------------


def odds(scene: Bestiary) -> Widget:
    """Who is in the party, how many of the creature it meets, and what comes of it."""
    heroes = [(_hero if scene.tight else _fighter)(scene, name) for name in scene.heroes]
    counts = [
        Button(f"{count} ×", partial(scene.measured, count), key=f"count {count}", slim=True,
               chosen=count == scene.count, tip=Tip(f"The party meets {count} of it."))
        for count in COUNTS
    ]  # fmt: skip
    asked = Label("Against the party", "label!", "gold", one_line=True)
    found = Chances(scene) if scene.tight else Outlook(scene)
    return column(
        row(asked, Space(grow=1), *counts, gap=6), row(*heroes, gap=4, wrap=True), found, gap=6, pad=8, plate="night",
    )  # fmt: skip


TAKEN = "A click takes them into the party or out of it."


def _hero(scene: Bestiary, name: str) -> Widget:
    called = str(scene.heroes[name].get("name", name))
    there = name in scene.party
    return Button(
        called, partial(scene.toggle, name), key=f"hero {name}", slim=True, chosen=there, quiet=not there,
        tip=Tip(TAKEN, called),
    )  # fmt: skip


def _fighter(scene: Bestiary, name: str) -> Widget:
    entry = scene.heroes[name]
    called, face = str(entry.get("name", name)), hud.likeness(str(entry.get("art", name)), encounter.HEROES)
    tile = Fighter(
        called, "", face, partial(scene.toggle, name), chosen=name in scene.party, key=f"hero {name}", size=28,
        width=FIGHTER, tip=Tip(TAKEN, called),
    )  # fmt: skip
    tile.scene, tile.hero, tile.kind = scene, name, str(entry.get("kind", ""))
    tile.grow = 1
    return tile


class Fighter(Tile):
    """A hero of the party at hand, and how often it falls, as far as that is known; read while drawing."""

    scene: Bestiary
    hero = kind = ""

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        found = self.scene.glance.forecast
        fate = None
        if found is not None and found.runs:
            fate = next((c.falls for c in found.creatures if c.id == self.hero), None)
        self.line = t(self.kind if fate is None else f"falls in {round(100 * fate.share)} %")
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
        return (
            f"The party wins {between(side.wins)} of {found.runs} fights and loses {side.losses.mean:.1f} "
            f"of {side.creatures}."
        )

    def draw(self, surface: pygame.Surface, look: Look) -> None:
        found = self.scene.glance.forecast
        text = rendered(look.font("text"), t(self.words()), look.colour("bright" if found else "quiet"))
        surface.blit(text, self.rect.topleft)
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
        found, font = self.scene.glance.forecast, look.font("text")
        left, line = self.rect.left, look.font("figure").get_linesize()
        told: tuple[str, ...] = (self.words(),)
        if found is not None and found.runs and not self.scene.fault:
            side = found.side(encounter.HEROES)
            large = rendered(look.font("figure"), between(side.wins), look.colour("bright"))
            surface.blit(large, (left, self.rect.top))
            left += large.get_width() + look.px(12)
            costs = f"{side.losses.mean:.1f} of {side.creatures} lost · {found.turns.mean:.1f} turns"
            told = (f"to win, in {found.runs} fights", costs)
        top = self.rect.top + (line - len(told) * font.get_linesize()) // 2
        for number, words in enumerate(told):
            ink = look.colour("quiet" if number or not found else "text")
            text = rendered(font, shortened(font, t(words), self.rect.right - left), ink)
            surface.blit(text, (left, top + number * font.get_linesize()))
        self.bar(surface, look)
