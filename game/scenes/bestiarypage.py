"""A page of the bestiary: who it is, what it does, how it thinks, and how a party would fare against it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import pygame

from game import content, encounter
from game.controllers.ai.temper import load_tempers
from game.scenes import hud
from game.scenes.forecastfigures import between, draw_band
from game.scenes.terms import term_tip
from game.view.palette import side_colour
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Space, Tip, Widget, column, row
from game.widgets.figures import Picture, StatTile
from game.widgets.text import Run, rendered
from game.widgets.theme import Look
from game.words import t
from rules.board import Line, Sheet
from rules.grid import Field
from rules.registry import ruleset as ruleset_of
from rules.ruleset import Ruleset
from rules.scenario import Scenario

if TYPE_CHECKING:
    from game.scenes.bestiary import Bestiary

COUNTS = (1, 2, 4)
"""So many of a creature may be measured against the party."""
ROOM = ["." * 16] * 12
"""Bare ground on which a creature is looked at."""


@lru_cache(maxsize=128)
def sheet_of(ruleset_id: str, name: str) -> Sheet:
    """A creature's sheet, whole and rested, as a fight would show it."""
    ruleset, creatures = ruleset_of(ruleset_id), []
    for template, side, at in ((name, encounter.MONSTERS, [1, 1]), (name, encounter.HEROES, [10, 6])):
        entry = {k: v for k, v in content.template(ruleset.id, template).items() if k != "template"}
        creatures.append({**entry, "id": f"{side}.1", "side": side, "at": at, "controller": "ai"})
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
        f"threat {entry['threat']}",
    ]
    temper = str(entry.get("temperament", "")) or "cunning"
    thinks = load_tempers().get(temper).summary
    words = column(
        Label(str(entry["name"]), "heading" if tight else "figure", "bright"),
        Label(" · ".join(part for part in told if part), "label", "quiet"),
        Label(str(entry.get("summary", ""))),
        Label([Run(f"{temper.capitalize()}. ", "gold", "text!"), Run(thinks, "text")]),
        gap=4,
    )
    words.grow = 1
    face = Picture(hud.likeness(str(entry.get("art", "")), encounter.MONSTERS), size)
    return row(face, words, gap=10 if tight else 18)


def figures(ruleset: Ruleset, sheet: Sheet, *, tight: bool) -> Widget:
    """Stats and pools as tiles; weapons, armor and magic; the traits with their rules in whole sentences."""
    pools = [(bar.label, str(bar.maximum)) for bar in sheet.bars if bar.tone != "points"]
    tiles: list[Widget] = [
        StatTile(name, figure, tip=term_tip(ruleset, name)) for name, figure in (*sheet.stats, *pools)
    ]
    lines = [line for line in sheet.lines if not _is_trait(line)]
    traits = [line for line in sheet.lines if _is_trait(line)]
    arms = column(Label("In a fight", "label!", "gold"), *(_line(ruleset, line) for line in lines), gap=3)
    parts: list[Widget] = [Box(tiles, across=True, gap=6, align="stretch", wrap=True)]
    if not traits:
        return column(*parts, arms, gap=10)
    told = column(Label("Traits", "label!", "gold"), *(_trait(line) for line in traits), gap=6)
    arms.grow = told.grow = 1
    return column(*parts, *([arms, told] if tight else [row(arms, told, gap=24, align="start")]), gap=10)


def _is_trait(line: Line) -> bool:
    return line.rule.startswith("traits.md")


def _line(ruleset: Ruleset, line: Line) -> Widget:
    runs = [Run(line.text, line.tone or "text", "text")]
    if line.detail:
        runs.append(Run("  " + line.detail, "quiet", "small"))
    return Label(runs, tip=term_tip(ruleset, line.text.split(":")[0], line.rule))


def _trait(line: Line) -> Widget:
    return Label(
        [Run(f"{line.text}. ", "bright", "text!"), Run(line.detail, "text")], tip=Tip(line.rule, line.text)
    )


# -- odds -------------------------------------------------------------------------------------------------


def odds(scene: Bestiary) -> Widget:
    """Who is in the party, how many of the creature it meets, and what comes of it."""
    heroes = [_hero(scene, name) for name in scene.heroes]
    counts = [
        Button(f"{count} ×", partial(scene.measured, count), key=f"count {count}", slim=True,
               chosen=count == scene.count, tip=Tip(f"The party meets {count} of it."))
        for count in COUNTS
    ]  # fmt: skip
    asked = Label("Against the party", "label!", "gold", one_line=True)
    return column(
        row(asked, Space(grow=1), *counts, gap=6), row(*heroes, gap=4, wrap=True), Chances(scene), gap=6,
        pad=8, plate="night",
    )  # fmt: skip


def _hero(scene: Bestiary, name: str) -> Widget:
    entry = scene.heroes[name]
    there = name in scene.party
    button = Button(
        str(entry.get("name", name)), partial(scene.toggle, name), key=f"hero {name}", slim=True, chosen=there,
        quiet=not there, tip=Tip("A click takes them into the party or out of it.", str(entry.get("name", name))),
    )  # fmt: skip
    return button


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
        bar = pygame.Rect(self.rect.left, self.rect.bottom - look.px(9), self.rect.width, look.px(8))
        if found is None or not found.runs:
            pygame.draw.rect(surface, look.colour("night"), bar, 0, bar.height // 2)
        else:
            draw_band(surface, look, bar, found.side(encounter.HEROES).wins, side_colour(encounter.HEROES))
