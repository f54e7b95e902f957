"""The library's window: listed, searched, tagged, renamed, moved, deleted and brought back, by mouse and keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pygame
import pytest

from game.scenes.dialogs.panels import ContextMenu
from game.scenes.fight.scene import Fight
from game.scenes.library.dialogs import Folders, Name
from game.scenes.library.scene import Library
from game.scenes.setup import lists
from game.scenes.setup.scene import Setup
from game.setup import chains, files, glimpse
from game.setup.chains import ChainModel, LinkModel
from game.storage import library
from game.storage.library import About
from tests.game.player import Player, arena
from tests.game.test_chains import encounter
from tests.rules.explore.expedition import RULESETS

pytestmark = pytest.mark.usefixtures("home")

EVERY = pytest.mark.parametrize("ruleset", RULESETS)


def put(title: str, folder: str = "", **more: Any) -> Path:
    """An encounter of the arena in the library."""
    path = library.place(folder) / f"{files.slug(title)}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(arena(title=title, **more)), encoding="utf-8")
    return path


def opened(player: Player, chosen: Path | None = None) -> Library:
    player.app.navigator.library(chosen)
    scene = player.app.top
    assert isinstance(scene, Library)
    player.until(lambda: not scene.unknown)
    return scene


def titles(scene: Library) -> set[str]:
    return {one.save.title for one in scene.listed()}


def name_it(player: Player, scene: Library, name: str) -> None:
    """Into the panel that asks for a name."""
    panel = player.app.top
    assert isinstance(panel, Name)
    panel.search(name)
    player.key(pygame.K_RETURN)
    assert player.app.top is scene


@EVERY
def test_an_encounter_is_seen_with_its_ground_and_everybody_on_it(player: Player, ruleset: str) -> None:
    path = library.place("caves") / "hall.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(encounter(ruleset, title="The hall")), encoding="utf-8")
    scene = opened(player, path)
    one = scene.one
    assert one is not None and scene.folder == "caves" and one.ground is not None
    assert len(one.standing) == len(one.names) > 1 and {at.side for at in one.standing} == {"heroes", "monsters"}


def test_a_folder_lists_what_is_in_it_and_in_those_within(player: Player) -> None:
    for folder in ("", "caves", "caves/deep", "cavestone"):
        put(f"In {folder or 'all'}", folder)
    scene = opened(player)
    assert len(titles(scene)) == 4
    player.press("folder caves")
    assert titles(scene) == {"In caves", "In caves/deep"}
    scene.search("cavestone")
    assert titles(scene) == {"In cavestone"}, "what is searched for is searched for everywhere"


@pytest.mark.parametrize(
    "query",
    ["bridge", "BRIDGE toll", "gob", "olde", "#wat", "keeper", "road"],
    ids=lambda query: query.replace(" ", "-"),
)
def test_it_is_found_by_title_names_rules_tag_notes_and_folder(query: str) -> None:
    path, other = put("Toll at the bridge", "road"), put("Elsewhere")
    library.note(path, About(("water",), "The keeper lies."))
    assert glimpse.fits(glimpse.look(path), query)
    assert query in ("gob", "olde") or not glimpse.fits(glimpse.look(other), query)


def test_tags_and_notes_are_typed_kept_and_taken_back(player: Player) -> None:
    path = put("The bridge")
    scene = opened(player, path)
    player.key(pygame.K_t, pygame.KMOD_CTRL)
    for letter in "Water, toll":
        player.key(ord(letter.lower()), text=letter)
    player.key(pygame.K_e, pygame.KMOD_CTRL)
    player.key(pygame.K_x, text="x")
    assert library.about(path) == About(("toll", "water"), "x")
    player.press("tag toll")
    assert scene.query == "#toll" and titles(scene) == {"The bridge"}
    player.press("undo")
    assert library.about(path) == About() and not path.with_suffix(".about").exists()


def test_renaming_changes_title_and_file_and_is_taken_back_to_the_letter(player: Player) -> None:
    path = put("The bridge")
    before = path.read_bytes()
    scene = opened(player, path)
    player.key(pygame.K_F2)
    name_it(player, scene, "The ford")
    player.until(lambda: not scene.unknown)
    assert scene.one is not None and (scene.one.save.title, scene.one.path.name) == ("The ford", "the-ford.json")
    assert not path.exists()
    player.key(pygame.K_z, pygame.KMOD_CTRL)
    assert path.read_bytes() == before and scene.at == path


def test_one_that_cannot_be_read_says_why_and_can_be_renamed_and_deleted(player: Player) -> None:
    path = library.place("") / "broken.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{", encoding="utf-8")
    scene = opened(player, path)
    assert scene.one is not None and "not JSON" in scene.one.save.fault
    player.key(pygame.K_F2)
    name_it(player, scene, "Torn page")
    moved = library.place("") / "torn-page.json"
    assert moved.read_text() == "{"
    player.press("delete")
    assert not moved.exists() and not scene.found


def test_moving_by_keys_by_menu_and_by_dragging(player: Player) -> None:
    path = put("The bridge")
    put("Other", "caves")
    scene = opened(player, path)
    player.key(pygame.K_m, pygame.KMOD_CTRL)
    assert isinstance(player.app.top, Folders)
    player.app.top.search("Road/day 2")
    player.press("into new")
    assert scene.at == library.place("Road/day 2") / "the-bridge.json"
    tile = next(w for p in scene.ui.live() for w in p.walk() if w.key == f"encounter {scene.at}")
    goal = next(w for p in scene.ui.live() for w in p.walk() if w.key == "folder caves")
    player.move(tile.rect.center)
    player.button(tile.rect.center, down=True)
    player.move(goal.rect.center)
    player.button(goal.rect.center, down=False)
    assert scene.at == library.place("caves") / "the-bridge.json" and scene.at.exists()
    for _ in range(2):
        player.key(pygame.K_z, pygame.KMOD_CTRL)
    assert scene.at == path and path.exists()


def test_what_is_deleted_comes_back_and_the_next_is_chosen_meanwhile(player: Player) -> None:
    path, other = put("The bridge"), put("Other")
    library.note(path, About(("water",)))
    scene = opened(player, path)
    player.key(pygame.K_DELETE)
    assert not path.exists() and scene.at == other and "Ctrl+Z" in scene.told
    player.key(pygame.K_z, pygame.KMOD_CTRL)
    assert scene.at == path and library.about(path).tags == ("water",)
    player.key(pygame.K_z, pygame.KMOD_CTRL)
    assert path.exists(), "nothing more to take back"
    player.turn()


def test_folders_are_made_renamed_and_deleted_with_all_in_them(player: Player) -> None:
    path = put("The bridge", "caves")
    scene = opened(player, path)
    player.key(pygame.K_n, pygame.KMOD_CTRL | pygame.KMOD_SHIFT)
    name_it(player, scene, "deep")
    assert scene.folder == "caves/deep" and "caves/deep" in library.folders()
    scene.ui.focus_key("folder caves")
    player.key(pygame.K_F2)
    name_it(player, scene, "Caverns")
    assert library.folders() == ["", "Caverns", "Caverns/deep"] and scene.folder == "Caverns/deep"
    scene.ui.focus_key("folder Caverns")
    player.key(pygame.K_DELETE)
    assert library.folders() == [""] and not scene.found
    for _ in range(3):
        player.key(pygame.K_z, pygame.KMOD_CTRL)
    assert library.folders() == ["", "caves"] and path.exists()


def test_a_copy_says_so(player: Player) -> None:
    scene = opened(player, put("The bridge"))
    player.key(pygame.K_d, pygame.KMOD_CTRL)
    assert scene.one is not None and scene.one.path.name == "the-bridge-2.json"
    player.until(lambda: scene.one is not None and scene.one.save.title == "The bridge (copy)")


def test_a_chain_follows_what_is_renamed_and_moved() -> None:
    from game.scenes.library.model import Model

    path, stays = put("The bridge"), put("Other")
    chain = chains.chains_folder() / "evening.json"
    chains.save(ChainModel(title="Evening", fights=[LinkModel(encounter=p.name) for p in (path, stays)]), chain)
    model = Model(lambda before, after: None)
    moved = model.move(model.rename(path, "The ford"), "road")
    assert [fight.encounter for fight in chains.load(chain).fights] == ["road/the-ford.json", "other.json"]
    assert chains.found("road/the-ford.json", None) == moved
    model.rename_folder("road", "way")
    assert chains.load(chain).fights[0].encounter == "way/the-ford.json"
    for _ in range(3):
        model.undo()
    assert [fight.encounter for fight in chains.load(chain).fights] == ["the-bridge.json", "other.json"]


def test_the_table_below_edits_what_is_opened_and_follows_what_is_moved(player: Player) -> None:
    path = put("The bridge")
    player.app.navigator.prepare(path)
    table = player.app.top
    assert isinstance(table, Setup)
    player.key(pygame.K_b, pygame.KMOD_CTRL)
    scene = player.app.top
    assert isinstance(scene, Library) and scene.at == path
    scene._move(path, "road")
    assert table.path == library.place("road") / "the-bridge.json" and files.kept_as() == table.path
    other = put("Other")
    scene.refresh(other)
    player.key(pygame.K_o, pygame.KMOD_CTRL)
    assert player.app.top is table and table.path == other
    player.key(pygame.K_b, pygame.KMOD_CTRL)
    player.key(pygame.K_DELETE)
    player.key(pygame.K_ESCAPE)
    assert table.path is None and table.editor.unsaved, "what was deleted is saved nowhere"


def test_it_is_played_and_edited_from_the_title(player: Player) -> None:
    opened(player, put("The bridge"))
    player.key(pygame.K_RETURN, pygame.KMOD_CTRL)
    assert any(isinstance(scene, Fight) for scene in player.app.scenes)
    scene = opened(player, library.place("") / "the-bridge.json")
    tile = next(w for p in scene.ui.live() for w in p.walk() if w.key == f"encounter {scene.at}")
    player.button(tile.rect.center, 3, down=True)
    assert isinstance(player.app.top, ContextMenu)
    player.key(pygame.K_e, text="e")
    player.key(pygame.K_RETURN)
    assert isinstance(player.app.top, Setup)


def test_saving_asks_for_the_folder(player: Player) -> None:
    player.app.navigator.prepare(put("The bridge", "road"))
    table = player.app.top
    assert isinstance(table, Setup)
    lists.choose_name(table)
    panel = player.app.top
    assert isinstance(panel, lists.Save) and panel.folder == "road"
    panel._into("caves/deep")
    panel.search("mill")
    player.press("save now")
    assert table.path == library.place("caves/deep") / "mill.json" and table.path.is_file()
    lists.choose_name(table)
    again = player.app.top
    assert isinstance(again, lists.Save)
    again._into("../out")
    assert again.folder == "caves/deep", "outside the library nothing is saved by a folder's name"


def test_one_whose_map_lies_beside_it_stays(player: Player) -> None:
    from game import paths

    home = library.place("own")
    home.mkdir(parents=True)
    source = next(iter(sorted(paths.shipped_maps().glob("*.tmx"))))
    (home / "lonely.tmx").write_bytes(source.read_bytes())
    path = put("Tied", "own", map={"tmx": "lonely.tmx"})
    scene = opened(player, path)
    scene.move()
    assert scene.told.startswith("Its map lies beside it") and path.exists()
