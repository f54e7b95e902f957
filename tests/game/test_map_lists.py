"""Lists of maps: no map holds up the others, and one that cannot be read is there, greyed, with the reason."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from game import paths
from game.app.loop import App
from game.app.settings import Settings
from game.content import encounter
from game.content import tables as content
from game.maps.tiled import load_map
from game.scenes.choose import choices as mapcards
from game.scenes.choose.choices import Shelf, read_card
from game.scenes.choose.scene import Choose
from game.scenes.dialogs.outside import Outside
from game.scenes.dialogs.panels import Message
from game.scenes.setup import Setup
from game.scenes.setup.lists import Maps
from game.view import thumbnail
from game.widgets.controls import Label
from game.widgets.menu import Tile
from rules.core.registry import RULESETS
from rules.core.registry import ruleset as ruleset_of
from tests.game.player import Player
from tests.game.tmx_text import floor, layer, objects, save, thing, tmx


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder of maps, empty."""
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path / "user"))
    return paths.user_folder("maps")


@pytest.fixture
def gate(own: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A map `slow.tmx` that takes until the gate is open to be read."""
    save(own, tmx(floor()), "slow.tmx")
    save(own, tmx(floor()), "zebra.tmx")
    opened, read = threading.Event(), load_map

    def slowly(path: Path) -> object:
        if path.name == "slow.tmx":
            assert opened.wait(30)
        return read(path)

    monkeypatch.setattr(mapcards, "load_map", slowly)
    yield opened
    opened.set()


@pytest.fixture
def player(own: Path) -> Iterator[Player]:
    app = App((1280, 720), settings=Settings(speed=0, autosave=False, live_forecast=False))
    pygame.event.clear()
    app.navigator.title()
    yield Player(app)
    pygame.event.clear()
    app.quit()


def tile(player: Player, key: str) -> Tile:
    """A tile of the topmost scene."""
    found = (w for p in player.app.top.ui.live() for w in p.walk() if isinstance(w, Tile))
    return next(each for each in found if each.key.endswith(key))


def words(player: Player) -> list[str]:
    return [w.text for p in player.app.top.ui.live() for w in p.walk() if isinstance(w, Label)]


def test_new_fight_opens_while_a_map_is_still_being_read(player: Player, gate: threading.Event) -> None:
    player.press("New fight")
    scene = player.app.top
    assert isinstance(scene, Choose) and scene.map is not None and scene.map.stem == "crypt"
    shipped = [path for path in encounter.offered_maps() if not encounter.is_own_map(path)]
    assert scene.shelf.readable == shipped
    assert "2 maps are being read …" in words(player) and scene.pace() is not None
    gate.set()
    scene.shelf.wait()
    player.turn()
    assert {"slow.tmx", "zebra.tmx"} <= {path.name for path in scene.shelf.readable}
    assert tile(player, "slow.tmx").enabled and not any("being read" in line for line in words(player))
    assert not scene.shelf.busy


def test_leaving_the_list_ends_the_reading(player: Player, gate: threading.Event) -> None:
    player.press("New fight")
    scene = player.app.top
    assert isinstance(scene, Choose)
    player.key(pygame.K_ESCAPE)
    gate.set()
    scene.shelf.wait()
    assert not any(path.name == "zebra.tmx" for path in scene.shelf.readable)


def test_maps_to_prepare_on_are_there_before_they_are_read(player: Player, gate: threading.Event) -> None:
    player.app.navigator.prepare()
    panel = Maps(next(scene for scene in player.app.scenes if isinstance(scene, Setup)))
    player.app.push(panel)
    assert tile(player, "slow.tmx").line == "is being read …"
    gate.set()
    panel.shelf.wait()
    player.turn()
    assert tile(player, "slow.tmx").line == "4 × 3 spaces"


def test_a_bad_map_is_greyed_with_its_reason_and_the_others_are_taken(own: Path, player: Player) -> None:
    save(own, "<map", "bad.tmx")
    save(own, tmx(floor()), "good.tmx")
    player.app.navigator.prepare()
    scene = next(scene for scene in player.app.scenes if isinstance(scene, Setup))
    panel = Maps(scene)
    player.app.push(panel)
    panel.shelf.wait()
    player.turn()
    bad = tile(player, "bad.tmx")
    assert not bad.enabled and bad.tip is not None and "is no valid XML" in bad.tip.text
    bad.press()
    assert isinstance(player.app.top, Message)
    player.key(pygame.K_ESCAPE)
    panel.query = "d"
    panel.rebuild()
    panel.entered_text()
    assert scene.loaded is not None and scene.loaded.path.name != "bad.tmx"


def test_a_map_of_the_list_that_uses_other_folders_is_asked_for(own: Path, player: Player, tmp_path: Path) -> None:
    text = '<tileset name="t" tilewidth="32" tileheight="32" tilecount="4" columns="2"/>'
    save(tmp_path, text, "art/t.tsx")
    save(own, tmx(floor(), tileset='<tileset firstgid="1" source="../../art/t.tsx"/>'), "far.tmx")
    player.app.navigator.prepare()
    scene = next(scene for scene in player.app.scenes if isinstance(scene, Setup))
    panel = Maps(scene)
    player.app.push(panel)
    panel.shelf.wait()
    player.turn()
    assert tile(player, "far.tmx").line == "uses files of other folders"
    tile(player, "far.tmx").press()
    assert isinstance(player.app.top, Outside) and player.app.top.copy is None
    player.press("Open from where they lie")
    assert scene.loaded is not None and scene.loaded.path.name == "far.tmx"
    assert read_card(scene.loaded.path).why == "", "what was agreed to holds for the list as well"


def test_a_card_is_read_again_when_its_file_changes(own: Path) -> None:
    path = save(own, tmx(floor()), "hall.tmx")
    assert read_card(path).size == (4, 3)
    save(own, tmx(layer([1] * 30, 6, 5), 6, 5), "hall.tmx")
    assert read_card(path).size == (6, 5)
    path.unlink()
    assert "does not exist" in read_card(path).why


def test_the_sketch_shows_floor_walls_and_where_sides_start(own: Path) -> None:
    sketch = read_card(paths.shipped_maps() / "crypt.tmx").sketch
    assert sketch is not None
    tones = {tuple(sketch.get_at((x, y)))[:3] for x in range(sketch.get_width()) for y in range(sketch.get_height())}
    assert {thumbnail.FLOOR, *mapcards.SIDES.values()} <= tones


def test_a_surprise_passes_over_maps_that_cannot_be_read(own: Path) -> None:
    for n in range(40):
        save(own, "<map", f"bad{n}.tmx")
    for seed in range(5):
        made = encounter.surprise(None, None, seed)
        assert not str(made["map"]["tmx"]).startswith("bad")


def test_a_shelf_of_many_bad_maps_is_read_to_its_end(own: Path) -> None:
    bad = [save(own, "<map", f"bad{n}.tmx") for n in range(30)]
    shelf = Shelf([*bad, paths.shipped_maps() / "tavern.tmx"])
    shelf.wait()
    assert shelf.readable == [paths.shipped_maps() / "tavern.tmx"] and not shelf.busy


@pytest.mark.parametrize("ruleset", RULESETS)
def test_whom_a_map_places_and_the_rules_dont_know_is_left_out_with_a_line(
    own: Path, player: Player, ruleset: str
) -> None:
    placed = (
        thing(1, "Creature", (0, 0), template="goblin", side="monsters", id="one"),
        thing(2, "Creature", (32, 0), template="ghoul", side="monsters", id="two"),
        thing(3, "Creature", (64, 0), template="root_goblin", side="monsters", id="three"),
        thing(4, "Creature", (0, 32), template="moon_calf", side="monsters", id="four"),
    )
    path = save(own, tmx(floor() + objects(*placed)), "strange.tmx")
    scene = Setup(player.app)
    player.app.push(scene)
    scene.editor.change(replace(scene.editor.draft, ruleset=ruleset, pieces=()), "other rules")
    player.app.guard(lambda: scene.open_map(path))
    told = player.app.top
    assert isinstance(told, Message) and "moon_calf" in told.text and "\n" not in told.text
    assert ruleset_of(ruleset).title in told.text
    there = {piece.id: piece.entry["template"] for piece in scene.editor.draft.pieces}
    assert set(there) == {"one", "two", "three"}, "the others have a counterpart"
    known = content.monsters(ruleset)
    assert all(name in known for name in there.values())
