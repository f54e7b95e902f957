"""An empty bench: the packages as heroes to begin with."""

from __future__ import annotations

from functools import partial

from game.characters.olde.making import PACKAGES, spelled
from game.characters.olde.model import Looks, art
from game.scenes.fight.panels import hud
from game.scenes.workshop.bench import Bench
from game.scenes.workshop.skills import package_told
from game.widgets.controls import Label
from game.widgets.core import Sized, Tip, Widget, row
from game.widgets.menu import Tile

AROUND = 270
"""Height at 100 % of all that stands above and below the tiles."""


def page(shop: Bench) -> list[Widget]:
    """A tile for each package; and a hero of whom nothing is settled."""
    room = shop.width_of_page() - 32
    width = int((room - 10) // 2 if room > 560 else room)
    high = shop.size[1] / shop.app.look.scale - AROUND
    size = min(max(high / 4 - 22, 64), 140) if width < room else 64

    def tile(name: str, line: str, package: str, drawing: str, tip: Tip | None) -> Widget:
        face = hud.likeness(art(Looks(art=drawing)), "heroes")
        begin = partial(shop.new, package)
        return Sized(Tile(name, line, face, begin, key=f"begin {name}", size=size, width=width, tip=tip), width)

    tiles = [
        tile(
            name,
            " · ".join((*each.sets, *map(spelled, each.skills))),
            name,
            name.lower(),
            Tip(package_told(name), name),
        )
        for name, each in PACKAGES.items()
    ]
    tiles.append(tile("Somebody else", "nothing settled yet: by package or by 20 CP", "", "unknown_hero", None))
    return [
        Label("Whom shall it be?", "heading", "gold"),
        Label(
            "A package of skills to begin with; stats, choices, looks and gear are yours to settle after it.",
            colour="quiet",
        ),
        row(*tiles, gap=10, wrap=True),
    ]
