"""A map of another program dropped on the window."""

from __future__ import annotations

import json
from pathlib import Path

import pygame
import pytest

from game import paths
from game.content import encounter
from game.scenes.choose.scene import Choose
from game.scenes.dialogs.importing import Imported
from game.scenes.dialogs.panels import Message
from game.scenes.setup.scene import Setup
from tests.game.player import Player, labels
from tests.importing.test_uvtt import house, picture

pytestmark = pytest.mark.usefixtures("home")


def drop(player: Player, path: Path) -> None:
    pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(path)))
    player.turn(3)


def made(folder: Path, name: str = "house.dd2vtt") -> Path:
    (folder / name).write_text(json.dumps(house(image=picture())))
    return folder / name


@pytest.mark.parametrize("name", ["house.dd2vtt", "house.json"])
def test_on_the_table_of_preparation_it_is_opened_and_what_is_in_it_told(
    player: Player, tmp_path: Path, name: str
) -> None:
    player.app.navigator.prepare()
    player.turn()
    drop(player, made(tmp_path, name))
    assert isinstance(player.app.top, Imported)
    assert any("2 areas, 1 door" in label for label in labels(player))
    player.key(pygame.K_RETURN)
    player.turn()
    table = player.app.top
    assert isinstance(table, Setup) and table.loaded is not None
    assert (table.loaded.field.width, table.loaded.field.height) == (10, 6)
    assert encounter.map_name(table.loaded.path) == "house/house.tmx"


def test_the_very_same_file_is_kept_once(player: Player, tmp_path: Path) -> None:
    player.app.navigator.prepare()
    player.turn()
    for _ in range(2):
        drop(player, made(tmp_path))
        player.key(pygame.K_RETURN)
        player.turn()
    assert [path.name for path in paths.user_folder("maps").iterdir()] == ["house"]


def test_on_new_fight_it_is_chosen(player: Player, tmp_path: Path) -> None:
    player.app.navigator.choose()
    player.turn()
    drop(player, made(tmp_path))
    assert isinstance(player.app.top, Imported)
    player.key(pygame.K_RETURN)
    player.turn()
    scene = player.app.top
    assert isinstance(scene, Choose) and scene.map is not None and encounter.map_name(scene.map) == "house/house.tmx"


def test_on_the_title_an_encounter_is_prepared_on_it(player: Player, tmp_path: Path) -> None:
    player.app.navigator.title()
    player.turn()
    drop(player, made(tmp_path))
    player.key(pygame.K_RETURN)
    player.turn()
    assert isinstance(player.app.top, Setup)


def test_one_that_is_broken_gets_its_line_and_the_table_stays(player: Player, tmp_path: Path) -> None:
    player.app.navigator.prepare()
    player.turn()
    before = player.app.top
    (tmp_path / "torn.dd2vtt").write_text("{")
    drop(player, tmp_path / "torn.dd2vtt")
    assert isinstance(player.app.top, Message) and "torn.dd2vtt: cannot be read as JSON" in player.app.top.text
    player.key(pygame.K_ESCAPE)
    player.turn()
    assert player.app.top is before and not paths.user_path("maps").exists()
