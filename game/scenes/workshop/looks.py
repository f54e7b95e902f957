"""Name, size and miniature; the printable sheet; and what a hero comes to, beside every page."""

from __future__ import annotations

from functools import lru_cache, partial

import pygame

from game import paths
from game.characters.olde import files, gear, model, sheet
from game.characters.olde.model import Hero, Looks, about, art, changed
from game.characters.olde.sheet import derived_lines
from game.paths import asset
from game.scenes.fight.panels.card import likeness
from game.scenes.title import Setting, Tableau, alone
from game.scenes.workshop.bench import Bench, face, pills, title
from game.view.minis import DYES
from game.widgets.controls import Button, Label, SwatchButton
from game.widgets.core import Box, Sized, Tip, Widget, column, row
from game.widgets.fields import TextField
from game.widgets.figures import BarFigure, Picture, Rule, StatTile
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
    named = hero.name if hero.name != "Nameless" else ""
    name = TextField("name", named, shop.changing(_rename), shop.memory, most=40, quiet="a name",
                     tip=Tip("Up to 40 letters."))  # fmt: skip
    sizes = ("medium", "human, elf, orc: 2 free steps"), ("small", "halfling, dwarf, goblin: 1 free step")
    looks = hero.looks
    pictures = (
        Sized(Tile(
            drawing.replace("_", " ").capitalize() if drawing != "unknown_hero" else "Unknown", "",
            likeness(art(looks.model_copy(update={"art": drawing})), "heroes"), shop.changing(_look, {"art": drawing}),
            chosen=looks.art == drawing, key=f"art {drawing}", size=36,
        ), shop.across(162))
        for drawing in drawings()
    )  # fmt: skip
    heights = {n: text("{n} ({t})", n.capitalize(), t) for n, t in sizes}
    return [
        *title("Name"),
        Sized(name, 300),
        *title("Size"),
        pills(heights, hero.size, lambda size: shop.do(partial(changed, size=size)), "size"),
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
    return changed(hero, name=" ".join(text.split(" ")) if text.strip() else "Nameless")


def _look(hero: Hero, fields: dict[str, str]) -> Hero:
    return changed(hero, looks=Looks.model_validate({**hero.looks.model_dump(), **fields}))


# -- sheet -------------------------------------------------------------------------------------------------


def sheet_page(shop: Bench, hero: Hero) -> list[Widget]:
    """The sheet as it is printed, and buttons to write it."""
    size = text("{size} × {size2} pixels, 150 dpi", sheet.SIZE[0], sheet.SIZE[1])
    buttons = (
        Button("Write PNG (A5)", partial(_write, shop, "png"), gold=True, key="png"),
        Button("Write PDF", partial(_write, shop, "pdf"), key="pdf"),
        Label(size, "small", "quiet"),
    )
    high = min(shop.width_of_page(), 560) * sheet.SIZE[1] / sheet.SIZE[0]
    return [row(*buttons, gap=10, wrap=True), Picture(partial(_scaled, hero.model_dump_json()), high)]


@lru_cache(maxsize=4)
def _scaled(text: str, high: int) -> pygame.Surface:
    drawn = sheet.draw(Hero.model_validate_json(text))
    return pygame.transform.smoothscale(drawn, (high * drawn.get_width() // drawn.get_height(), high))


def _write(shop: Bench, kind: str) -> None:
    if shop.hero is not None:
        path = paths.user_folder("sheets") / f"{files.called(shop.hero)}.{kind}"
        sheet.write(shop.hero, path)
        shop.tell(text("Written to {path}", str(path)))


def figures(shop: Bench, hero: Hero) -> Widget:
    """The panel."""
    made = model.bill(hero)
    head = column(
        Label(hero.name, "label!" if shop.tight else "heading", "bright"),
        Label(text("{hero} · {size} · {hero2}", about(hero), hero.size, model.condition(hero)), "small", "quiet"),
        gap=1,
    )
    tiles = [StatTile(name.capitalize(), str(value)) for name, value in made.stats.model_dump().items()]
    parts: list[Widget] = [head if shop.tight else row(Picture(face(hero), 64), head, gap=10)]
    if shop.tight:
        parts += [row(*tiles[:2], gap=4, wrap=True), row(*tiles[2:], gap=4, wrap=True)]
    else:
        parts.append(Box(*tiles, across=True, gap=5, align="stretch", wrap=True))
    names = {"hp": ("Hit points", "health"), "mana": ("Mana", "mana"), "faith": ("Faith", "faith")}
    used = model.used_pools(hero)
    pools = ((names[pool], now, top) for pool, (now, top) in model.pools(hero).items() if pool in used)
    parts += [BarFigure(name, max(0, now), top, tone) for (name, tone), now, top in pools]
    for line in derived_lines(hero):
        runs = [Run(line.name + " ", "quiet", "text"), Run(line.figure, line.tone, "text!")]
        parts.append(Label(runs, tip=Tip(line.why, line.name, line.rule)))
    parts += [Rule(), Label(text("Purse {purse} coin · size {hero}", hero.purse, gear.load(hero)), "text")]
    if hero.build.way == "crunchy":
        spent = text("{cost} of {allowed} CP spent", made.cost, made.allowed)
        parts.append(Label(spent, "text", "coral" if made.cost > made.allowed else "text"))
    if made.earned:
        told = "{earned} CP earned, {what} to spend"
        parts.append(Label(text(told, made.earned, made.earned - made.spent_later), "text"))
    if wrong := model.faults(hero):
        parts.append(Label("Not ready yet", "text!", "coral"))
        parts += [Label(text("• {fault}", fault), "small", "coral") for fault in wrong]
    else:
        parts.append(Label("Legal by the book", "text!", "green"))
    if not shop.tight and (shown := stood(hero)) is not None:
        parts.append(Tableau(shown, least=150, tip=Tip(SHOWN)))
    return column(*parts, gap=6)


def stood(hero: Hero) -> Setting | None:
    """The hero on bare ground with what is in its hands."""
    entry = {**model.block(hero), "id": "hero", "name": "Hero"}  # while a name is typed nothing is drawn anew
    return alone(model.RULESET, entry, "heroes", ("hero", repr(sorted(entry.items()))))
