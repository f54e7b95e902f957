"""Encounters prepared on maps of pictures: under roofs one looks, and a picture alone is told from a map."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.paths import user_folder
from game.scenes.dialogs.panels import Message
from game.scenes.setup.scene import Setup
from game.view.ground.stack import Roofs
from tests.game.test_view_roofs import HALL, village
from tests.game.tiled_oracle import Atlas, art


@pytest.fixture
def table() -> Setup:
    app = App((1280, 720), settings=Settings(autosave=False, live_forecast=False, speed=0))
    pygame.event.clear()
    app.navigator.title()
    scene = Setup(app)
    app.push(scene)
    return scene


def maps() -> Path:
    folder = user_folder("maps") / "village"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def turn(scene: Setup) -> None:
    assert isinstance(scene.app, App)
    for event in pygame.event.get():
        scene.app.handle(event)
    scene.app.tick(0.1)
    scene.app.draw()


def test_who_prepares_an_encounter_looks_under_a_roof_by_pointing_at_it(table: Setup) -> None:
    village(maps())
    table.open_map(maps() / "map.tmx")
    turn(table)
    roofs = table.view.ground.roofs
    assert isinstance(roofs, Roofs) and roofs.over and not roofs.lifted
    spot = table.camera.space_rect(HALL).center
    for pos, lifted in (
        (spot, {roofs.over[HALL[0] + HALL[1] * 12]: 1.0}),
        (table.camera.space_rect((1, 5)).center, {}),
    ):
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(1, 1), buttons=(0, 0, 0)))
        turn(table)
        assert roofs.lifted == lifted
    table.cursor = HALL
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_LEFT, mod=0, unicode=""))
    turn(table)
    assert roofs.lifted, "or by the keys"


def test_a_picture_that_cannot_be_a_map_hears_so(table: Setup, tmp_path: Path) -> None:
    pygame.image.save(art((64, 64), 1), str(tmp_path / "cave.bmp"))
    before = table.editor
    pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(tmp_path / "cave.bmp")))
    turn(table)
    told = table.app.top
    assert isinstance(told, Message)
    assert "cave.bmp" in told.text and "is a picture (BMP), not a map" in told.text
    assert table.editor is before


def test_on_a_map_of_nothing_but_a_picture_nobody_can_stand_and_that_is_said(table: Setup) -> None:
    atlas = Atlas(maps())
    atlas.image(art((384, 288), 3))
    table.open_map(atlas.write())
    turn(table)
    (problem,) = table.editor.problems()
    assert problem.block and problem.text.startswith(
        "Nobody can stand anywhere on this map, for it has no ground tiles"
    )
    surface = pygame.Surface(table.app.surface.get_size())
    table.view.draw(surface)
    assert max(pygame.transform.average_color(surface, table.camera.space_rect((6, 4)))[:3]) > 60, "it is drawn"
