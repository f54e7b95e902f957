"""The fire that a camp is pitched around: everybody in their place in its light, the fallen beyond it."""

from __future__ import annotations

from functools import lru_cache

from game.characters.olde.camping import CampSession
from game.characters.olde.model import art
from game.scenes.tableau import Setting
from game.view.overlays import Overlays
from rules.board.grid import Field, Light
from rules.contract.display import Bar, Board, Miniature

WIDE, HIGH = 61, 17
FIRE = (30, 8)
SEATS = ((28, 7), (32, 7), (28, 9), (32, 9), (29, 6), (31, 6), (27, 8), (33, 8), (29, 10), (31, 10))
"""Columns and rows round the fire, in the order in which they are taken."""
BEYOND = ((27, 10), (33, 10), (27, 6), (33, 6), (26, 9), (34, 9))
"""Where the dead lie."""


@lru_cache(maxsize=1)
def _floor() -> Field:
    return Field.from_rows(["." * WIDE] * HIGH, lights=(Light(FIRE[1] * WIDE + FIRE[0], 4, 8),))


def round_the_fire(camp: CampSession) -> Setting:
    """Everybody in the camp as they are now, around a fire in the dark."""
    field = _floor()
    seats, graves, minis = iter(SEATS), iter(BEYOND), list[Miniature]()
    for who in camp.camp.heroes:
        hero = camp.heroes[who.id]
        dead = who.status == "dead"
        spot = next(graves if dead else seats, None)
        if spot is None:
            continue
        minis.append(
            Miniature(
                id=hero.id, name=hero.name, side="heroes", cell=spot[1] * WIDE + spot[0], art=art(hero.looks),
                health=Bar("Hit points", who.hp, who.hp_max), status=who.status, out=who.hp <= 0, dead=dead,
            )
        )  # fmt: skip
    board = Board(miniatures=tuple(minis), order=(), caption="", doors=())
    key = ("camp", *((m.id, m.art, m.health.value, m.health.maximum) for m in minis))
    middle = (FIRE[0] + 0.5, FIRE[1] + 0.3)
    return Setting(key, field, board, Overlays(), middle, 8, 6, "dark", (("campfire", FIRE),))
