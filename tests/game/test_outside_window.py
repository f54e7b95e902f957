"""A map that uses files of other folders, dropped on the window, chosen, or named by a record: the player is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from game import paths
from game.app.loop import App
from game.app.settings import Settings
from game.maps import in_place
from game.scenes.dialogs.outside import Outside
from game.scenes.dialogs.panels import Message
from game.scenes.setup import Setup
from game.scenes.setup.lists import Maps
from game.setup import draft as drafts
from game.setup import files
from game.widgets.controls import Label
from tests.game.player import Player
from tests.game.tmx_text import floor, objects, png, save, thing, tmx

STARTS = objects(thing(1, "Spawn", (0, 0, 64, 96), side="heroes"), thing(2, "Spawn", (224, 0, 64, 96), side="monsters"))


class Guest(Player):
    """Somebody who brings a map."""

    def drop(self, path: Path) -> None:
        pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(path)))
        self.turn(3)

    @property
    def table(self) -> Setup:
        return next(scene for scene in self.app.scenes if isinstance(scene, Setup))

    def read(self) -> list[str]:
        """All lines of words of what is on top."""
        panels = self.app.top.ui.live()
        return [widget.text for panel in panels for widget in panel.walk() if isinstance(widget, Label)]


@pytest.fixture
def field(tmp_path: Path) -> Path:
    """Tiled's usual layout, with a picture in a folder of its own that only the tileset names."""
    save(tmp_path, png(128, 64), "game/art/sheet.png")
    sheet = '<tileset name="t" tilewidth="32" tileheight="32"><image source="../art/sheet.png"/></tileset>'
    save(tmp_path, sheet, "game/gfx/t.tsx")
    tileset = '<tileset firstgid="1" source="../gfx/t.tsx"/>'
    return save(tmp_path, tmx(floor(9, 3) + STARTS, 9, 3, tileset=tileset), "game/maps/field.tmx")


@pytest.fixture
def guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Guest]:
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path / "user"))
    app = App((1280, 720), settings=Settings(speed=0, autosave=False, live_forecast=False))
    pygame.event.clear()
    app.navigator.title()
    yield Guest(app)
    pygame.event.clear()
    app.quit()


def test_dropped_on_the_title_it_is_asked_for_and_opens_from_where_it_lies(guest: Guest, field: Path) -> None:
    guest.drop(field)
    assert isinstance(guest.app.top, Outside)
    lines = guest.read()
    assert "../gfx: 1 file" in lines and str(field.parents[1] / "gfx") in lines and "t.tsx" in lines
    guest.press("Open from where they lie")
    assert isinstance(guest.app.top, Outside), "what the tileset needs is asked for in its turn"
    assert "../art: 1 file" in guest.read()
    guest.press("Open from where they lie")
    assert isinstance(guest.app.top, Setup)
    loaded = guest.table.loaded
    assert loaded is not None and loaded.path == field and loaded.tiles[0].image is not None
    assert guest.table.editor.draft.map == {"tmx": "in-place/field.tmx"}


def test_what_was_agreed_to_is_not_asked_again(guest: Guest, field: Path) -> None:
    in_place.agree(field, [field.parents[1] / "gfx", field.parents[1] / "art"])
    guest.drop(field)
    assert isinstance(guest.app.top, Setup) and guest.table.loaded is not None
    assert guest.table.loaded.path == field


def test_it_may_be_copied_with_all_that_it_uses(guest: Guest, field: Path, tmp_path: Path) -> None:
    guest.drop(field)
    guest.press("Copy all into my maps")
    guest.press("Copy all into my maps")
    assert isinstance(guest.app.top, Setup) and guest.table.loaded is not None
    assert guest.table.loaded.path == tmp_path / "user/maps/field/maps/field.tmx"
    assert (tmp_path / "user/maps/field/art/sheet.png").is_file() and not in_place.known()


def test_who_does_not_agree_stays_where_they_were_and_nothing_is_remembered(guest: Guest, field: Path) -> None:
    guest.drop(field)
    before = guest.table.loaded
    guest.key(pygame.K_RETURN)  # the first button is Back: a key pressed too soon agrees to nothing
    assert isinstance(guest.app.top, Setup) and guest.table.loaded is before
    guest.drop(field)
    guest.key(pygame.K_ESCAPE)
    assert isinstance(guest.app.top, Setup) and not in_place.known()


def test_a_file_may_be_dropped_while_maps_are_chosen(guest: Guest, field: Path) -> None:
    guest.app.navigator.prepare()
    guest.app.push(Maps(guest.table))
    guest.drop(field)
    assert isinstance(guest.app.top, Outside)


def test_a_typed_path_says_that_there_will_be_a_question(guest: Guest, field: Path) -> None:
    guest.app.navigator.prepare()
    panel = Maps(guest.table)
    guest.app.push(panel)
    panel.query = str(field)
    panel.rebuild()
    assert any("you will be asked" in line for line in guest.read())
    guest.press("Open it")
    assert isinstance(guest.app.top, Outside)


def test_a_record_beside_such_a_map_asks_too(guest: Guest, field: Path) -> None:
    in_place.agree(field, [field.parents[1] / "gfx", field.parents[1] / "art"])
    draft, _ = files.new_draft(field, "olde", 7)
    gob = {"id": "gob", "template": "goblin", "side": "monsters", "controller": "ai", "at": [8, 0]}
    ada = {"id": "ada", "template": "warrior", "side": "heroes", "controller": "human", "at": [0, 0]}
    pieces = (drafts.Piece(1, ada), drafts.Piece(2, gob))
    path = field.parent / "fight.json"
    files.save(drafts.Draft(**{**vars(draft), "pieces": pieces, "map": {"tmx": "field.tmx"}}), path)
    paths.user_path("maps", "in-place.json").unlink()
    guest.drop(path)
    assert isinstance(guest.app.top, Outside) and guest.app.top.copy is None
    guest.press("Open from where they lie")
    guest.press("Open from where they lie")
    assert isinstance(guest.app.top, Setup) and [piece.id for piece in guest.table.editor.draft.pieces] == [
        "ada",
        "gob",
    ]
    guest.app.navigator.title()
    paths.user_path("maps", "in-place.json").unlink()
    guest.app.navigator.open_file(path)
    assert isinstance(guest.app.top, Outside), "a fight asks as well"
    guest.press("Open from where they lie")
    guest.press("Open from where they lie")
    assert guest.app.top.name == "fight"


def test_what_cannot_be_agreed_to_is_told(guest: Guest, tmp_path: Path) -> None:
    far = '<tileset firstgid="1" source="' + "../" * 40 + 'etc.tsx"/>'
    guest.drop(save(tmp_path, tmx(floor(), tileset=far), "far/far.tmx"))
    assert isinstance(guest.app.top, Message) and "outside the map's folder" in guest.app.top.text
