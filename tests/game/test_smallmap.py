"""The small map: only what is known, off the other panels, and a press looks there."""

from __future__ import annotations

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.scenes.fight.scene import Fight
from game.view.palette import INK
from game.widgets.figures import SmallMap
from tests.game.player import Player, arena, fight_of
from tests.game.test_errands import hall

CTRL = pygame.KMOD_CTRL


def opened(size: tuple[int, int], scale: int, **record: object) -> tuple[Player, Fight]:
    app = App(size, settings=Settings(speed=0, autosave=False, scale=scale))
    pygame.event.clear()
    app.navigator.title()
    player = Player(app)
    return player, fight_of(player, dict(record) or None)


def small_map(fight: Fight) -> SmallMap | None:
    return next((w for p in fight.ui.live() for w in p.walk() if isinstance(w, SmallMap)), None)


@pytest.mark.parametrize(("size", "scale"), [((1024, 600), 200), ((1280, 720), 100), ((1920, 1080), 150)])
def test_a_key_shows_it_in_the_window_and_off_the_other_panels_and_hides_it(size: tuple[int, int], scale: int) -> None:
    player, fight = opened(size, scale, **arena(gob_at=(8, 4)))
    assert small_map(fight) is None
    player.key(pygame.K_m, CTRL)
    shown = small_map(fight)
    assert shown is not None and pygame.Rect((0, 0), size).contains(shown.rect)
    others = [rect for rect in fight.under_panels if not rect.contains(shown.rect)]
    assert shown.rect.collidelist(others) < 0
    player.app.draw()
    player.key(pygame.K_m, CTRL)
    assert small_map(fight) is None


def test_a_press_looks_there() -> None:
    player, fight = opened((1280, 720), 100, **arena(gob_at=(8, 4)))
    fight.camera.zoom_at(fight.camera.free.center, 2.4)
    player.key(pygame.K_m, CTRL)
    shown = small_map(fight)
    assert shown is not None
    before = fight.camera.origin
    player.click((shown.rect.right - 2, shown.rect.bottom - 2))
    fight.camera.arrive()
    assert fight.camera.origin != before


def test_in_fog_nothing_unknown_is_on_it() -> None:
    player, fight = opened((1280, 720), 100, **hall(options={"fog": True}))
    player.key(pygame.K_m, CTRL)
    shown = small_map(fight)
    assert shown is not None
    bounds, unit, known = fight.camera.bounds, shown.unit, fight.view.ground.veil.known
    field = fight.match.field
    assert not any(known >> field.cell(column, 3) & 1 for column in range(6, 11))
    assert bounds.right <= 7, "the hall behind the door is unknown, and so is its size"
    picture = shown._ground()
    for row in range(bounds.top, bounds.bottom):
        for column in range(bounds.left, bounds.right):
            at = ((column - bounds.left) * unit + unit // 2, (row - bounds.top) * unit + unit // 2)
            unknown = not known >> row * field.width + column & 1
            assert (picture.get_at(at)[:3] == tuple(INK[:3])) == unknown
