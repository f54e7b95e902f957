"""What a new fight is chosen from: the lists of maps, heroes and foes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pygame

from game.characters.olde.model import Hero, art
from game.content import encounter
from game.scenes.choose import rules as chooserules
from game.scenes.choose.choices import MOST_HEROES, Choices
from game.scenes.choose.mapcards import Card
from game.scenes.fight.panels import hud
from game.setup.bestiary import is_own
from game.widgets.controls import Label
from game.widgets.core import Box, Scroll, Tip, Widget, column
from game.widgets.figures import Portrait
from game.widgets.menu import Tile

MOST_MAPS = 200
"""Maps that are listed; all can be searched where an encounter is prepared."""
FACE = 44
"""Pixels of a face at 100 %."""
LARGE_FACE = 58
"""The same of a hero where the list has room."""
AROUND_LISTS = 232
"""Pixels at 100 % of a window's height that the lists don't have."""
TILE_PAD = 19
"""Pixels at 100 % of a tile beside its face, and to the next."""


def _panel(scene: Choices, name: str, title: str, hint: str, content: Widget, below: Sequence[Widget] = ()) -> Widget:
    scroll = Scroll(content, key=name)
    scroll.offset = scene.offsets.get(name, 0)
    scroll.on_scroll = lambda offset: scene.offsets.__setitem__(name, offset)
    scroll.grow = 1
    if scene.tight:
        return column(Label(title, "label!", "bright"), scroll, *below, gap=4, pad=8, plate="panel")
    return column(
        Label(title, "heading", "bright"),
        Label(hint, "small", "quiet"),
        scroll,
        *below,
        gap=6,
        pad=14,
        plate="panel",
    )


def map_list(scene: Choices) -> Widget:
    """The maps that can be played on, one of them chosen."""
    tiles: list[Widget] = []
    own, shelf = False, scene.shelf
    for path in [path for path in shelf.maps if path in shelf.cards and not shelf.cards[path].why][:MOST_MAPS]:
        if encounter.is_own_map(path) and not own:
            own = True
            tiles.append(Label("Your maps", "label!", "gold"))
        card = shelf.cards[path]
        name, line = _halved(card.title) if scene.tight else (card.title, card.line)
        tiles.append(
            Tile(
                name,
                line,
                partial(_small, card),
                partial(scene.take_map, path),
                chosen=path == scene.map,
                size=40 if scene.tight else 76,
                width=2000,
                key=f"map {path.name}",
                tip=Tip(str(path)) if own else None,
            )
        )
    tiles += [_unfit(scene, path, why) for path, why in list(scene.unfit.items())[:MOST_MAPS]]
    waiting = len(shelf.maps) - len(shelf.cards)
    if waiting:
        n = waiting
        tiles.append(Label("1 map is being read …" if n == 1 else f"{n} maps are being read …", "small", "quiet"))
    if not tiles:
        tiles = [Label("No map could be read. `battlemat check MAP` says what is wrong with one.", colour="coral")]
    hint = "Where it happens; drop a .tmx file here for one of yours"
    return _panel(scene, "maps", "Map", hint, column(*tiles, gap=8), chooserules.section(scene))


def _unfit(scene: Choices, path: Path, why: str) -> Tile:
    """A map that cannot be read, greyed, and why."""
    tile = Tile(
        path.stem, "cannot be read", _blank, lambda: None, key=f"map {path.name}", width=2000,
        size=40 if scene.tight else 76, tip=Tip(why),
    )  # fmt: skip
    tile.enabled = False
    tile.on_refused = partial(scene.app.complain, why)
    return tile


def _blank(size: int) -> pygame.Surface:
    return pygame.Surface((size * 4 // 3, size), pygame.SRCALPHA)


def hero_list(scene: Choices) -> Widget:
    """The heroes, some of them chosen; the player's own first, those among them too who can't come."""
    size = _hero_face(scene)
    tiles = [
        Tile(
            str(entry.get("name", name)),
            str(entry.get("kind", "")),
            _face(entry, name, encounter.HEROES),
            partial(scene.take_hero, name),
            chosen=name in scene.party,
            key=f"hero {name}",
            width=2000,
            size=size,
            tip=_about(entry),
        )
        for name, entry in scene.heroes.items()
    ]
    own = sum(1 for name in scene.heroes if is_own(name))
    tiles[own:own] = [_left_out(scene, hero, why) for hero, why in scene.unready.values()]
    hint = f"{len(scene.party)} chosen of up to {MOST_HEROES}; a click takes or leaves"
    return _panel(scene, "heroes", "Party", hint, column(*tiles, gap=6))


def _hero_face(scene: Choices) -> int:
    """Pixels at 100 % of a hero's face: as large as fills the list, within reason."""
    if scene.tight:
        return 28
    room = scene.size[1] / scene.app.look.scale - AROUND_LISTS
    count = max(1, len(scene.heroes) + len(scene.unready))
    return max(FACE, min(LARGE_FACE, int(room / count) - TILE_PAD))


def _left_out(scene: Choices, hero: Hero, why: str) -> Tile:
    """A hero of the player's own who can't come, greyed, and why."""
    short = why.removeprefix(f"{hero.name} is ").rstrip(".")
    tile = Tile(
        hero.name,
        short[:1].upper() + short[1:],
        hud.likeness(art(hero.looks), encounter.HEROES),
        lambda: None,
        key=f"unready {hero.id}",
        width=2000,
        size=_hero_face(scene),
        tip=Tip(f"{why} Heroes, on the title, has what helps: the workshop and the camp.", hero.name),
    )
    tile.enabled = False
    tile.on_refused = partial(scene.app.complain, why)
    return tile


def foe_list(scene: Choices) -> Widget:
    """The foes, each with how many of them are chosen."""
    tiles = [
        Tile(
            str(entry.get("name", name)),
            _weight(entry),
            _face(entry, name, encounter.MONSTERS),
            partial(scene.more, name),
            size=28 if scene.tight else FACE,
            count=scene.foes.get(name, 0),
            on_less=partial(scene.less, name),
            key=f"foe {name}",
            width=210,
            tip=_about(entry),
        )
        for name, entry in scene.monsters.items()
    ]
    for tile in tiles:
        tile.grow = 1
    number = sum(scene.foes.values())
    hint = scene.came_along or f"{number} chosen; a click adds one, a right click (or −) takes one away"
    return _panel(scene, "foes", "Foes", hint, Box(tiles, across=True, wrap=True, gap=6))


def _halved(text: str) -> tuple[str, str]:
    """A name on two lines of about the same length."""
    words = text.split()
    cuts = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words) + 1)]
    return min(cuts, key=lambda cut: max(len(cut[0]), len(cut[1])), default=("", ""))


def _small(card: Card, size: int) -> pygame.Surface:
    return card.picture((size * 4 // 3, size))


def _face(entry: Mapping[str, Any], name: str, side: str) -> Portrait:
    return hud.likeness(str(entry.get("art", name)), side)


def _weight(entry: Mapping[str, Any]) -> str:
    return f"Weight {entry.get('threat', 1)} · {entry.get('temperament', '')}".rstrip(" ·")


def _about(entry: Mapping[str, Any]) -> Tip:
    gear = ", ".join(str(part) for part in (*entry.get("weapons", ()), entry.get("shield"), entry.get("armor")) if part)
    return Tip("\n".join(part for part in (str(entry.get("summary", "")), gear) if part), str(entry.get("name", "")))
