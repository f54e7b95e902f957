"""Name, size and miniature; the printable sheet; and what a hero comes to, beside every page."""

from __future__ import annotations

import json
from functools import lru_cache, partial

import pygame

from game import paths
from game.characters import files, paper
from game.characters.heroes import NAMELESS, Hero, Looks, art, rename
from game.characters.roster import roster
from game.paths import asset
from game.scenes.fight.panels.card import likeness
from game.scenes.title import Setting, Tableau, alone
from game.scenes.workshop import drawn
from game.scenes.workshop.bench import Bench, face, title
from game.view.minis import DYES
from game.widgets.controls import Button, Label, SwatchButton
from game.widgets.core import Box, Sized, Tip, Widget, column, row
from game.widgets.fields import TextField
from game.widgets.figures import Picture, Rule, StatTile
from game.widgets.menu import Tile
from game.widgets.text import Run
from rules.contract.text import text

SHOWN = "Its free steps, dotted, and what it strikes from where it stands, outlined."


@lru_cache(maxsize=1)
def drawings() -> list[str]:
    """Miniatures to choose from, the heroes' own first."""
    names = sorted(path.stem for path in asset("art", "minis").glob("*.svg"))
    first = ["warrior", "priest", "ranger", "rogue", "templar", "troubadour", "wizard", "unknown_hero"]
    return [n for n in first if n in names] + [n for n in names if n not in first and n != "unknown_monster"]


def page(shop: Bench, hero: Hero) -> list[Widget]:
    """What a hero is called and looks like."""
    named = hero.name if hero.name != NAMELESS else ""
    name = TextField("name", named, shop.changing(_rename), shop.memory, most=40, quiet="a name",
                     tip=Tip("Up to 40 letters."))  # fmt: skip
    looks = hero.looks
    pictures = (
        Sized(Tile(
            drawing.replace("_", " ").capitalize() if drawing != "unknown_hero" else "Unknown", "",
            likeness(art(looks.model_copy(update={"art": drawing})), "heroes"), shop.changing(_look, {"art": drawing}),
            chosen=looks.art == drawing, key=f"art {drawing}", size=36,
        ), shop.across(162))
        for drawing in drawings()
    )  # fmt: skip
    return [
        *title("Name"),
        Sized(name, 300),
        *drawn.widgets(shop.answers(), roster(hero.ruleset).looks(hero)),
        *title("Cloth"),
        _swatches(shop, "cloth", looks.cloth, "As drawn"),
        *title("Inner rim", "The outer ring tells the side; this one is the hero's own."),
        _swatches(shop, "ring", looks.ring, "None"),
        *title("Miniature"),
        Box(*pictures, across=True, wrap=True, gap=6),
    ]


def _swatches(shop: Bench, field: str, now: str, none: str) -> Widget:
    parts: list[Widget] = [
        Button(none, shop.changing(_look, {field: ""}), chosen=not now, slim=True, key=f"{field} none")
    ]
    for name, colour in DYES.items():
        tip = Tip(name.capitalize() + (" (chosen)" if name == now else ""))
        parts.append(SwatchButton(colour, shop.changing(_look, {field: name}), key=f"{field} {name}", tip=tip))
    if now:
        parts.append(Label(now.capitalize(), "text", "gold"))
    return row(*parts, gap=4, wrap=True)


def _rename(hero: Hero, text: str) -> Hero:
    renamed: Hero = roster(hero.ruleset).changed(hero, name=rename(text))
    return renamed


def _look(hero: Hero, fields: dict[str, str]) -> Hero:
    looks = Looks.model_validate({**hero.looks.model_dump(), **fields})
    dressed: Hero = roster(hero.ruleset).changed(hero, looks=looks)
    return dressed


# -- sheet -------------------------------------------------------------------------------------------------


def sheet_page(shop: Bench, hero: Hero) -> list[Widget]:
    """The sheet as it is printed, and buttons to write it."""
    size = text("{size} × {size2} pixels, 150 dpi", paper.SIZE[0], paper.SIZE[1])
    buttons = (
        Button("Write PNG (A5)", partial(_write, shop, "png"), gold=True, key="png"),
        Button("Write PDF", partial(_write, shop, "pdf"), key="pdf"),
        Label(size, "small", "quiet"),
    )
    high = min(shop.width_of_page(), 560) * paper.SIZE[1] / paper.SIZE[0]
    return [row(*buttons, gap=10, wrap=True), Picture(partial(_scaled, hero.ruleset, hero.model_dump_json()), high)]


@lru_cache(maxsize=4)
def _scaled(ruleset: str, shape: str, high: int) -> pygame.Surface:
    page = paper.draw(roster(ruleset).read(json.loads(shape)))
    return pygame.transform.smoothscale(page, (high * page.get_width() // page.get_height(), high))


def _write(shop: Bench, kind: str) -> None:
    if shop.hero is not None:
        path = paths.user_folder("sheets") / f"{files.called(shop.hero)}.{kind}"
        paper.write(shop.hero, path)
        shop.tell(text("Written to {path}", str(path)))


def figures(shop: Bench, hero: Hero) -> Widget:
    """The panel."""
    shown = roster(hero.ruleset).figures(hero)
    head = column(
        Label(hero.name, "label!" if shop.tight else "heading", "bright"), Label(shown.line, "small", "quiet"), gap=1
    )
    tiles = [StatTile(name, value) for name, value in shown.tiles]
    parts: list[Widget] = [head if shop.tight else row(Picture(face(hero), 64), head, gap=10)]
    if shop.tight:
        parts += [row(*tiles[n : n + 2], gap=4, wrap=True) for n in range(0, len(tiles), 2)]
    else:
        parts.append(Box(*tiles, across=True, gap=5, align="stretch", wrap=True))
    parts += [drawn.gauge(each) for each in shown.gauges]
    for line in shown.lines:
        runs = [Run(line.name + " ", "quiet", "text"), Run(line.figure, line.tone, "text!")]
        parts.append(Label(runs, tip=Tip(line.why, line.name, line.rule)))
    parts += [Rule(), *drawn.widgets(shop.answers(), shown.notes)]
    if shown.faults:
        parts.append(Label("Not ready yet", "text!", "coral"))
        parts += [Label(text("• {fault}", fault), "small", "coral") for fault in shown.faults]
    else:
        parts.append(Label("Legal by the book", "text!", "green"))
    if not shop.tight and (setting := stood(hero)) is not None:
        parts.append(Tableau(setting, least=150, tip=Tip(SHOWN)))
    return column(*parts, gap=6)


def stood(hero: Hero) -> Setting | None:
    """The hero on bare ground with what is in its hands."""
    entry = {**roster(hero.ruleset).block(hero), "id": "hero", "name": "Hero"}  # while a name is typed: as it was
    return alone(hero.ruleset, entry, "heroes", ("hero", hero.ruleset, repr(sorted(entry.items()))))
