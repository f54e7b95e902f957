"""What is kept from frame to frame: a board that was scrolled, and panels over it, look as if drawn afresh."""

from __future__ import annotations

import random
from collections.abc import Callable

import pygame
import pytest

from game.maps.tiled import load_map
from game.paths import shipped_maps
from game.scenes.fight.scene import Fight
from game.view.camera import Camera
from game.view.ground.picture import GroundPicture
from game.view.ground.sheet import Sheet
from game.widgets import ui
from game.widgets.controls import Button
from rules.board.grid import Field
from tests.game.player import Player, arena, fight_of
from tests.game.tiled_oracle import unlike

WAYS = [(-11, -5), (7, 0), (0, 64), (-64, 0), (0, 0), (300, -200), (-3, -3), (-2000, 900), (5, 1)]
"""Pixels by which the camera moves between two frames."""


def settled(ground: GroundPicture, surface: pygame.Surface, camera: Camera) -> None:
    ground.draw(surface, camera)
    while ground.pending:
        ground.draw(surface, camera)


@pytest.mark.parametrize("zoom", [16, 37, 60])
def test_a_ground_that_was_scrolled_is_the_one_drawn_afresh(zoom: int) -> None:
    pygame.display.set_mode((640, 480))
    loaded = load_map(shipped_maps() / "crypt.tmx")
    ground, camera = GroundPicture(loaded.field, loaded), Camera(loaded.field, (640, 480))
    shown, fresh = pygame.Surface((640, 480)), pygame.Surface((640, 480))
    camera.set_zoom(zoom)
    for dx, dy in WAYS * 2:
        camera.pan(dx, dy)
        settled(ground, shown, camera)
        fresh.blit(shown, (0, 0))
        again, ground._sheet = ground._sheet, Sheet()
        ground.draw(fresh, camera)
        assert unlike(shown, fresh, 0) == 0
        ground._sheet = again


def test_a_door_that_opens_is_seen_on_a_ground_that_was_scrolled() -> None:
    surface = pygame.display.set_mode((640, 480))
    field = Field.from_rows(["#######", "#.....#", "#.....#", "###+###", "#.....#", "#######"])
    ground, camera = GroundPicture(field, None), Camera(field, (640, 480))
    for number in range(6):
        camera.pan(5 if number % 2 else -5, 3)
        ground.set_doors(("open" if number % 3 == 2 else "closed",))
        settled(ground, surface, camera)
        fresh = surface.copy()
        new = GroundPicture(field, None)
        new.set_doors(ground.doors)
        settled(new, fresh, camera)
        assert unlike(surface, fresh, 0) == 0


def shown_truly(fight: Fight) -> bool:
    """Whether the frame is that in which no panel is a kept picture, save for what rounding does to their blending."""
    fight.app.draw()  # type: ignore[attr-defined]
    kept = fight.app.surface.copy()
    fight.ui.stir()
    fight.app.draw()  # type: ignore[attr-defined]
    return unlike(kept, fight.app.surface, 2) == 0


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Panels are kept as soon as they can be, all of them."""
    monkeypatch.setattr(ui, "CALM", 0)


def calm(player: Player) -> Fight:
    fight = fight_of(player, arena())
    player.until(lambda: fight.plan is not None and not fight.behind and not fight.camera.moving)
    for _ in range(ui.CALM + 12):
        player.app.draw()
    assert set(fight.ui._kept) == {panel for panel, _ in fight.ui.layers}
    return fight


def test_panels_kept_as_pictures_look_as_they_do_drawn(player: Player) -> None:
    fight = calm(player)
    for dx, dy in WAYS:
        fight.camera.pan(dx, dy)
        kept = dict(fight.ui._kept)
        fight.app.draw()  # type: ignore[attr-defined]
        assert fight.ui._kept == kept != {}, "a camera that moves changes no panel"
        assert shown_truly(fight)
        for _ in range(ui.CALM + 12):
            player.app.draw()


@pytest.mark.parametrize(
    "change",
    [
        lambda player, fight: player.move(next(w for w in fight.ui.ring() if isinstance(w, Button)).rect.center),
        lambda player, fight: player.key(pygame.K_TAB),
        lambda player, fight: setattr(fight, "toast_text", "Hark!"),
        lambda player, fight: fight.aiming.aim("gob"),
        lambda player, fight: fight.fold_log(),
        lambda player, fight: fight.select("gob"),
        lambda player, fight: player.app.refit(),
    ],
)
def test_what_changes_is_seen_in_panels_that_were_kept(player: Player, change: Callable[[Player, Fight], None]) -> None:
    fight = calm(player)
    change(player, fight)
    assert shown_truly(fight)


def test_whatever_a_hand_does_panels_never_show_what_was(player: Player, at_once: None) -> None:
    lot, fight = random.Random("panels kept"), fight_of(player, arena())
    keys = [pygame.K_TAB, pygame.K_1, pygame.K_2, pygame.K_RETURN, pygame.K_ESCAPE, pygame.K_LEFT, pygame.K_UP]
    held = 0
    for _ in range(160):
        if player.app.top is not fight:
            player.key(pygame.K_ESCAPE)
            if not isinstance(player.app.top, Fight):
                continue
            fight = player.app.top
        (wide, high), do = fight.size, lot.randrange(8)
        spot = (lot.randrange(wide), lot.randrange(high))
        if do < 3:
            player.move(spot)
        elif do == 3:
            player.click(spot, lot.choice([1, 1, 3]))
        elif do == 4:
            player.key(lot.choice(keys))
        elif do == 5:
            pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=lot.choice([-1, 1])))
        else:
            fight.camera.pan(lot.randrange(-40, 40), lot.randrange(-40, 40))
        for _ in range(3):
            player.turn(1, lot.choice([0.02, 0.3]))
            player.app.draw()
            held += bool(fight.ui._kept)
        if player.app.top is fight:
            assert shown_truly(fight)
    assert held > 40


def test_what_shows_the_camera_is_never_kept(player: Player, at_once: None) -> None:
    player.app.settings.small_map = True
    fight = fight_of(player, arena())
    player.until(lambda: fight.plan is not None and not fight.behind and not fight.camera.moving)
    for _ in range(12):
        player.app.draw()
    fight.camera.pan(-60, -30)
    assert len(fight.ui._kept) == len(fight.ui.layers) - 1
    assert shown_truly(fight)
