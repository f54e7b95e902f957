"""Name, size and miniature; and the printable sheet."""

from __future__ import annotations

from functools import lru_cache, partial

import pygame

from game.characters.olde.model import Hero, Looks, art, changed
from game.paths import asset
from game.scenes.fight.panels import hud
from game.scenes.workshop.bench import Bench
from game.scenes.workshop.parts import pills, title
from game.view.minis import DYES
from game.widgets.controls import Button, Label, SwatchButton
from game.widgets.core import Box, Sized, Tip, Widget, row
from game.widgets.fields import TextField
from game.widgets.figures import Picture
from game.widgets.menu import Tile


@lru_cache(maxsize=1)
def drawings() -> list[str]:
    """Miniatures to choose from, the heroes' own first."""
    names = sorted(path.stem for path in asset("art", "minis").glob("*.svg"))
    first = ["warrior", "priest", "ranger", "rogue", "templar", "troubadour", "wizard", "unknown_hero"]
    return [n for n in first if n in names] + [n for n in names if n not in first and n != "unknown_monster"]


def page(shop: Bench, hero: Hero) -> list[Widget]:
    """What a hero is called and looks like."""
    name = TextField("name", hero.name if hero.name != "Nameless" else "", partial(_rename, shop), shop.memory, most=40,
                     quiet="a name", tip=Tip("Up to 40 letters."))  # fmt: skip
    sizes = ("medium", "human, elf, orc: 2 free steps"), ("small", "halfling, dwarf, goblin: 1 free step")
    looks = hero.looks
    pictures: list[Widget] = [
        Sized(
            Tile(
                drawing.replace("_", " ").capitalize() if drawing != "unknown_hero" else "Unknown",
                "",
                hud.likeness(art(looks.model_copy(update={"art": drawing})), "heroes"),
                partial(_look, shop, {"art": drawing}),
                chosen=looks.art == drawing,
                key=f"art {drawing}",
                size=36,
            ),
            shop.across(162),
        )
        for drawing in drawings()
    ]
    return [
        *title("Name"),
        Sized(name, 300),
        *title("Size"),
        pills(
            ((n, f"{n.capitalize()} ({t})", partial(_size, shop, n), hero.size == n) for n, t in sizes),
            "size",
        ),
        *title("Cloth"),
        _swatches(shop, "cloth", looks.cloth, "As drawn"),
        *title("Inner rim", "The outer ring tells the side; this one is the hero's own."),
        _swatches(shop, "ring", looks.ring, "None"),
        *title("Miniature"),
        Box(pictures, across=True, wrap=True, gap=6),
    ]


def _swatches(shop: Bench, field: str, now: str, none: str) -> Widget:
    parts: list[Widget] = [
        Button(none, partial(_look, shop, {field: ""}), chosen=not now, slim=True, key=f"{field} none")
    ]
    for name, colour in DYES.items():
        tip = Tip(name.capitalize() + (" (chosen)" if name == now else ""))
        parts.append(SwatchButton(colour, partial(_look, shop, {field: name}), key=f"{field} {name}", tip=tip))
    if now:
        parts.append(Label(now.capitalize(), "text", "gold"))
    return row(*parts, gap=4, wrap=True)


def _rename(shop: Bench, text: str) -> None:
    shop.do(lambda hero: changed(hero, name=" ".join(text.split(" ")) if text.strip() else "Nameless"))


def _size(shop: Bench, size: str) -> None:
    shop.do(lambda hero: changed(hero, size=size))


def _look(shop: Bench, fields: dict[str, str]) -> None:
    shop.do(lambda hero: changed(hero, looks=Looks.model_validate({**hero.looks.model_dump(), **fields})))


# -- sheet -------------------------------------------------------------------------------------------------


def sheet_page(shop: Bench, hero: Hero) -> list[Widget]:
    """The sheet as it is printed, and buttons to write it."""
    from game.characters.olde import sheet

    def picture(size: int) -> pygame.Surface:
        return _scaled(hero.model_dump_json(), size)

    return [
        row(
            Button("Write PNG (A5)", partial(_write, shop, "png"), gold=True, key="png"),
            Button("Write PDF", partial(_write, shop, "pdf"), key="pdf"),
            Label(f"{sheet.SIZE[0]} × {sheet.SIZE[1]} pixels, 150 dpi", "small", "quiet"),
            gap=10,
            wrap=True,
        ),
        Picture(picture, min(shop.width_of_page(), 560) * sheet.SIZE[1] / sheet.SIZE[0]),
    ]


@lru_cache(maxsize=4)
def _scaled(text: str, high: int) -> pygame.Surface:
    from game.characters.olde import sheet

    drawn = sheet.draw(Hero.model_validate_json(text))
    return pygame.transform.smoothscale(drawn, (high * drawn.get_width() // drawn.get_height(), high))


def _write(shop: Bench, kind: str) -> None:
    from game import paths
    from game.characters.olde import files, sheet

    if shop.hero is not None:
        path = paths.user_folder("sheets") / f"{files.called(shop.hero)}.{kind}"
        sheet.write(shop.hero, path)
        shop.tell(f"Written to {path}")
