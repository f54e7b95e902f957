"""An encounter in a place of several maps, prepared: the place is written whole, each map edited by itself."""

from __future__ import annotations

import json
from pathlib import Path

import pygame
import pytest

from game import paths
from game.app.loop import App
from game.app.settings import Settings
from game.content import encounter
from game.maps.place import places_among, whole
from game.scenes.choose.choices import read_card
from game.scenes.choose.scene import Choose
from game.scenes.fight.scene import Fight
from game.scenes.setup import Setup
from game.setup import draft as drafts
from game.setup import files
from game.widgets.controls import Button
from rules.contract.errors import BattlematError
from rules.core import record as records
from tests.game.places import S, church_and_crypt, way, write
from tests.game.player import Player
from tests.game.tmx_text import thing

GOBLIN = thing(9, "Creature", (S, S, S, S), template="goblin", side="monsters", id="gob", asleep=True)


@pytest.fixture
def maps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the user's maps with a place of two."""
    monkeypatch.setenv("BATTLEMAT_HOME", str(tmp_path / "home"))
    folder = paths.user_folder("maps")
    church_and_crypt(folder)
    write(folder, "crypt", way(7, 0, 2, "church", name="Steps up"), GOBLIN, size=(4, 5), title="Crypt", ambient="dark")
    return folder


@pytest.fixture
def player(maps: Path) -> Player:
    app = App((1280, 720), settings=Settings(speed=0, autosave=False))
    pygame.event.clear()
    app.navigator.title()
    draft, _ = files.new_draft(maps / "church.tmx", "olde", 5)
    app.push(Setup(app, draft))
    player = Player(app)
    player.turn()
    return player


def scene(player: Player) -> Setup:
    assert isinstance(player.app.top, Setup)
    return player.app.top


def test_a_new_encounter_on_a_map_with_links_is_on_the_whole_place(maps: Path) -> None:
    draft, loaded = files.new_draft(maps / "church.tmx", "olde", 5)
    assert draft.map == {"place": [{"tmx": "church.tmx"}, {"tmx": "crypt.tmx"}]} and len(loaded.levels) == 2
    (goblin,) = draft.pieces
    assert goblin.spot == (1, 30) and goblin.entry["asleep"] is True and "surprised" not in goblin.entry
    assert draft.options == {"crawl": True}
    record = drafts.to_record(draft)
    assert record.format == "battlemat/2" and records.document(record)["format"] == "battlemat/2"


def test_lists_of_maps_offer_a_place_by_the_map_on_which_heroes_begin(maps: Path) -> None:
    offered = encounter.offered_maps()
    assert maps / "church.tmx" in offered and maps / "crypt.tmx" not in offered
    assert maps / "crypt.tmx" in encounter.playable_maps()
    card = read_card(maps / "church.tmx")
    assert card.levels == 2 and card.line == "2 maps, this one 6 × 4 spaces"


def test_a_story_goes_before_the_alphabet_where_heroes_may_begin_on_several_maps(tmp_path: Path) -> None:
    start = thing(4, "Spawn", (0, S, S, S), side="heroes")
    one = write(tmp_path, "a", way(1, 0, 0, "b"), start)
    two = write(tmp_path, "b", way(1, 0, 0, "a"), start, story="Once.")
    alone = write(tmp_path, "c", way(1, 0, 0, "nowhere"))
    assert places_among([one, two, alone]) == {two: [two, one], alone: [alone]}


def test_a_place_with_a_wrong_link_is_not_opened_and_says_why(tmp_path: Path) -> None:
    with pytest.raises(BattlematError, match="nowhere"):
        whole(write(tmp_path, "a", way(1, 0, 0, "nowhere")))


def test_a_place_from_elsewhere_is_brought_in_with_all_its_maps(tmp_path: Path, maps: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    above, _ = church_and_crypt(folder)
    inside = files.brought_in(above)
    assert (inside.parent / "crypt.tmx").is_file() and inside.is_relative_to(maps)
    assert len(whole(inside).levels) == 2


def test_each_map_is_edited_by_itself(player: Player) -> None:
    setup = scene(player)
    assert setup.camera.level == 0
    player.key(pygame.K_PAGEDOWN)
    assert setup.camera.level == 1 and setup.camera.shows(setup.cursor)
    strip = [w for p in setup.ui.live() for w in p.walk() if isinstance(w, Button) and w.key.startswith("map ")]
    assert [(button.label, button.chosen) for button in strip] == [("Church", False), ("Crypt", True)]
    for _ in range(12):  # to the upper end of this map, and no farther
        player.key(pygame.K_UP)
    assert setup.cursor[1] == setup.editor.ground.maps[1].top
    assert "ends there" in setup.toast_text
    player.key(pygame.K_PAGEUP)
    assert setup.camera.level == 0 and setup.camera.shows(setup.cursor)


def test_selecting_somebody_on_another_map_shows_it(player: Player) -> None:
    setup = scene(player)
    setup.select([setup.editor.draft.pieces[0].key], show=True)
    player.turn()
    assert setup.camera.level == 1
    strip = [w for p in setup.ui.live() for w in p.walk() if isinstance(w, Button) and w.key.startswith("map ")]
    assert [button.chosen for button in strip] == [False, True]


def test_cut_and_pasted_somebody_moves_to_another_map(player: Player) -> None:
    setup = scene(player)
    setup.select([setup.editor.draft.pieces[0].key], show=True)
    player.key(pygame.K_x, pygame.KMOD_CTRL)
    player.key(pygame.K_PAGEUP)
    player.key(pygame.K_v, pygame.KMOD_CTRL)
    (goblin,) = setup.editor.draft.pieces
    assert goblin.spot is not None and setup.editor.ground.part(setup.editor.ground.cell(*goblin.spot)).name == "church"


def test_a_record_whose_creatures_name_their_map_is_edited_too(maps: Path, player: Player, tmp_path: Path) -> None:
    creatures = [{"id": "gob", "template": "goblin", "side": "monsters", "map": "crypt", "at": [3, 4]}]
    place = {"place": [{"tmx": "church.tmx"}, {"tmx": "crypt.tmx"}]}
    path = tmp_path / "r.json"
    path.write_text(json.dumps(
        {"format": "battlemat/2", "ruleset": "olde", "map": place, "seed": 1, "creatures": creatures, "commands": []}
    ))  # fmt: skip
    setup = scene(player)
    setup.open_record(path)
    assert setup.editor.draft.pieces[0].spot == (3, 33)
    setup.save(tmp_path / "saved.json")
    written = json.loads((tmp_path / "saved.json").read_text())
    assert written["format"] == "battlemat/2" and written["map"] == place
    assert written["creatures"][0]["at"] == [3, 33]


def test_all_of_the_map_that_is_shown_are_selected_and_its_doors_listed(maps: Path) -> None:
    door = thing(8, "Door", (2 * S, S, S, S)).replace("<object ", '<object name="Crypt gate" ', 1)
    write(maps, "crypt", way(7, 0, 2, "church", name="Steps up"), GOBLIN, door, size=(4, 5), title="Crypt")
    app = App((1280, 720), settings=Settings(speed=0, autosave=False))
    pygame.event.clear()
    app.navigator.title()
    setup = Setup(app, files.new_draft(maps / "church.tmx", "olde", 5)[0])
    app.push(setup)
    player = Player(app)
    player.key(pygame.K_a, pygame.KMOD_CTRL)
    assert not setup.editor.selection

    def doors() -> int:
        labels = (getattr(w, "text", "") for p in setup.ui.live() for w in p.walk())
        return sum(label == "Crypt gate" for label in labels)

    assert not doors()
    player.key(pygame.K_PAGEDOWN)
    assert doors()
    player.key(pygame.K_a, pygame.KMOD_CTRL)
    assert len(setup.editor.selection) == 1


def test_a_place_where_somebody_lives_is_gone_into_from_new_fight_as_a_whole(maps: Path) -> None:
    app = App((1280, 720), settings=Settings(speed=0, autosave=False))
    pygame.event.clear()
    app.navigator.title()
    player = Player(app)
    player.press("New fight")
    scene = player.app.top
    assert isinstance(scene, Choose)
    scene.shelf.wait()
    player.turn()
    player.press("map church.tmx")
    assert scene.adventure is not None and scene.adventure.title == "Church"
    player.press("Begin")
    if not isinstance(player.app.top, Fight):  # what is told before it begins
        player.key(pygame.K_RETURN)
    assert isinstance(player.app.top, Fight)
    match = player.app.top.match
    assert [part.name for part in match.field.maps] == ["church", "crypt"]
    assert match.record.options["crawl"] and match.record.options["fog"]
    assert "gob" in {str(entry["id"]) for entry in match.record.creatures}


def test_linked_maps_where_nobody_lives_are_one_ground_for_a_fight(maps: Path) -> None:
    church_and_crypt(maps)
    made = encounter.make_encounter(maps / "church.tmx", ["warrior"], ["goblin"], 3)
    assert made["map"] == {"place": [{"tmx": "church.tmx"}, {"tmx": "crypt.tmx"}]} and made["format"] == "battlemat/2"
    assert [entry["at"][1] >= 29 for entry in made["creatures"]] == [False, True]
