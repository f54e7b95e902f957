"""The pictures of fights in README and docs/playing.md: `python -m tests.pictures [NAME …]` draws them anew.

A drawn encounter is played by the computer on both sides up to a blow of a hero's; then a person sits there and points
at the foe.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame

from game.app.loop import App
from game.app.settings import Settings
from game.content import encounter
from game.fight.advice import Counsel
from game.fight.match import Match
from game.scenes.fight.scene import Fight
from tests.game.player import Player, cell_of, middle

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
SIZE = (1280, 720)
STROKES = ("attack", "rushed_attack", "all_out_attack")


class Picture(NamedTuple):
    """Where, which fight, and after how many commands at the least."""

    map: str
    seed: int
    after: int


PICTURES = {"board": Picture("goblin_warren", 7, 30), "tavern": Picture("tavern", 5, 25)}


def played(picture: Picture) -> tuple[Match, str]:
    """The fight up to the moment, and whom the hero may strike there."""
    match = Match.from_record(dict(encounter.surprise(picture.map, None, picture.seed)))
    mind = Counsel(match)
    while (decision := match.decision) is not None:
        action = mind.advise(decision)
        foe = getattr(action, "target", None)
        if decision.side == encounter.HEROES and match.history.length >= picture.after and action.do in STROKES:
            return match, str(foe)
        match.act(decision, action)
    raise SystemExit(f"{picture}: the fight is over before anybody strikes")


def drawn(picture: Picture) -> pygame.Surface:
    """The window, the mouse on the foe."""
    match, foe = played(picture)
    app = App(SIZE, settings=Settings(speed=0, end_by_itself=False))
    player = Player(app)
    app.navigator.show(match)
    fight = app.top
    assert isinstance(fight, Fight)
    player.until(lambda: fight.plan is not None and not fight.behind)
    player.turn(20)
    player.move(middle(fight, cell_of(fight, foe)))
    player.turn(20, 0.1)
    app.draw()
    while fight.view.ground.pending:
        app.draw()
    return app.surface.copy()


def main(names: Sequence[str]) -> int:
    with tempfile.TemporaryDirectory() as home:
        os.environ["BATTLEMAT_HOME"] = home
        for name in names or PICTURES:
            pygame.image.save(drawn(PICTURES[name]), str(FOLDER / f"{name}.png"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
