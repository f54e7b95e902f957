"""The lists of saved and interrupted fights: whatever is said of one, what can be pressed stays in the panel."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.content import encounter
from game.fight.match import Match, save_fight
from game.scenes.base import Scene
from game.scenes.dialogs.saves import LoadDialog
from game.scenes.setup import Setup, lists
from game.setup import files
from game.storage import records as storage
from game.storage import recovery, saves
from game.widgets.controls import Button, Pressable
from rules.core import record as records
from tests.game.player import Player, labels

HEROES = ["warrior", "priest", "ranger", "templar"]


@pytest.fixture
def player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Player]:
    monkeypatch.setenv("BATTLEMAT_HOME", str(tmp_path))
    app = App((1280, 720), settings=Settings(speed=0))
    app.navigator.title()
    yield Player(app)
    app.navigator.title()  # nothing is looked for any more
    app.scenes.clear()
    pygame.event.clear()


def many() -> Match:
    match = Match.from_record(encounter.surprise("crypt", HEROES, 7))
    decision = match.decision
    assert decision is not None
    match.act(decision, next(iter(match.legal(decision))))
    return match


def pressed(scene: Scene) -> list[Pressable]:
    return [w for panel in scene.ui.live() for w in panel.walk() if isinstance(w, Pressable)]


def inside(scene: Scene) -> None:
    [panel] = scene.ui.live()
    buttons = pressed(scene)
    for one in buttons:
        assert panel.rect.left < one.rect.left and one.rect.right < panel.rect.right, one.key
    for one in buttons:
        assert not any(one.rect.colliderect(other.rect) for other in buttons if other is not one), one.key


def test_a_fight_of_many_names_can_still_be_watched_and_deleted(player: Player) -> None:
    path = storage.new_save("The Crypt")
    save_fight(many(), path)
    player.app.navigator.load()
    scene = player.app.top
    assert isinstance(scene, LoadDialog)
    places = {w.key: w.rect.copy() for w in pressed(scene)}
    player.until(lambda: scene.found[path].party)
    inside(scene)
    assert {f"replay {path}", f"delete {path}"} <= places.keys()
    assert {w.key: w.rect for w in pressed(scene)} == places, "nothing moves when more becomes known of a fight"


def test_an_interrupted_fight_of_many_names_can_still_be_given_up(player: Player) -> None:
    match = many()
    recovery.Journal(match.record, "A long evening beside the bridge over the river").abandon()
    assert recovery.interrupted()
    assert player.app.navigator.offer_interrupted()
    inside(player.app.top)
    player.app.pop()
    player.app.navigator.load()
    inside(player.app.top)


def test_an_autosave_is_called_by_its_title_before_it_was_looked_into(player: Player) -> None:
    path = storage.autosave(many().record, "The Crypt of Saint Orla")
    assert storage.is_autosave(path) and storage.title_of(path) == "The crypt of saint orla"
    assert storage.title_of(path.with_name("the-crypt-1.json")) == "the-crypt-1"


def left_behind(title: str, *, broken: bool = False) -> Path:
    """An interrupted fight's journal."""
    book = recovery.Journal(many().record, title)
    book.abandon()
    if broken:
        text = book.path.read_text(encoding="utf-8").replace('"battlemat/', '"nothing/')
        book.path.write_text(text, encoding="utf-8")
    return book.path


def focused(scene: Scene) -> str:
    assert scene.ui.focus is not None
    return scene.ui.focus.key


def test_what_cannot_be_read_is_offered_last_of_all_and_says_so_in_short(player: Player) -> None:
    good = left_behind("The Crypt")
    torn = left_behind("Torn", broken=True)
    player.app.navigator.offer_interrupted()
    scene = player.app.top
    buttons = {w.key: w for w in pressed(scene) if isinstance(w, Button)}
    assert focused(scene) == str(good) and buttons[str(good)].gold
    assert buttons[str(torn)].label == "A fight that cannot be read" and not buttons[str(torn)].gold
    assert str(torn) not in buttons[str(torn)].cost
    assert buttons[str(good)].rect.bottom < buttons[str(torn)].rect.top
    inside(scene)


def test_giving_one_up_by_keys_leaves_the_focus_on_the_next(player: Player) -> None:
    paths = [left_behind(f"Fight {n}") for n in range(3)]
    for age, path in enumerate(paths):
        os.utime(path, (1_000_000 - age, 1_000_000 - age))
    player.app.navigator.offer_interrupted()
    player.key(pygame.K_DELETE)
    player.press("go")
    assert focused(player.app.top) == str(paths[1]) and not paths[0].exists()
    player.key(pygame.K_DELETE)
    player.press("go")
    assert focused(player.app.top) == str(paths[2])


def test_many_interrupted_fights_scroll_in_a_window_that_holds_them(player: Player) -> None:
    for n in range(14):
        left_behind(f"Fight {n}")
    player.app.navigator.offer_interrupted()
    [panel] = player.app.top.ui.live()
    assert panel.rect.height < 720
    later = next(w for w in pressed(player.app.top) if w.key == "later")
    assert panel.rect.contains(later.rect)


def test_deleting_a_save_leaves_the_focus_beside_it(player: Player) -> None:
    for n in range(3):
        save_fight(many(), storage.fights_folder() / f"fight-{n}.json")
        os.utime(storage.fights_folder() / f"fight-{n}.json", (1_000_000 - n, 1_000_000 - n))
    player.app.navigator.load()
    player.key(pygame.K_DELETE)
    player.press("go")
    assert focused(player.app.top) == str(storage.fights_folder() / "fight-1.json")


def test_a_saved_fight_is_told_by_title_map_rules_party_and_date_not_by_its_file(player: Player) -> None:
    match = many()
    path = storage.new_save("Two by the pillar")
    save_fight(match, path)
    save = saves.look(path)
    assert save.heading == match.title and path.stem not in f"{save.heading} {save.told()}"
    told = save.told()
    assert told.startswith("today ") and match.ruleset.title in told and save.party[0] in told
    quick = save._replace(path=storage.quick_save())
    assert quick.heading == f"{match.title} · quick save"


def test_a_record_is_told_from_its_start_also_one_that_cannot_be_played(tmp_path: Path) -> None:
    said = {
        "format": "battlemat/1", "ruleset": "cairn", "title": "At the mill", "map": {"tmx": "gone/old_mill.tmx"},
        "creatures": [
            {"id": "gann", "template": "gann", "side": "heroes", "controller": "human", "at": [1, 1]},
            {"id": "x", "template": "no such", "side": "heroes", "controller": "human", "at": [1, 1]},
            {"id": "g", "template": "goblin", "side": "monsters", "controller": "ai", "at": [1, 1]},
        ],
    }  # fmt: skip
    path = tmp_path / "at-the-mill-7.json"
    path.write_text(json.dumps(said))
    save = saves.prepared(path)
    assert (save.heading, save.map, save.rules, save.party) == ("At the mill", "Old mill", "Cairn", ("Gann", "x"))
    assert save.told().endswith(" · Old mill · Cairn · Gann, x · against 1")
    path.write_text("{")
    assert saves.prepared(path).told().startswith("Broken: not JSON")


def test_prepared_encounters_are_found_by_map_rules_or_name(player: Player) -> None:
    said = records.document(many().record) | {"title": "At the mill", "commands": []}
    for name, title in (("a", "At the mill"), ("b", "In the cellar")):
        (files.encounters_folder() / f"{name}.json").write_text(json.dumps(said | {"title": title}))
    player.app.push(Setup(player.app))
    lists.choose_record(player.app.scenes[-1])  # type: ignore[arg-type]
    scene = player.app.top
    assert isinstance(scene, lists.Records)
    player.until(
        lambda: all(save.rules for path, save in scene.found.items() if path.parent == files.encounters_folder())
    )
    labels = lambda: [w.label for w in scene.rows() if isinstance(w, Button)]
    assert {"At the mill", "In the cellar"} <= set(labels())
    for letter in "cellar olde":
        player.key(ord(letter), text=letter)
    assert labels() == ["In the cellar"]
    for name in "ab":
        (files.encounters_folder() / f"{name}.json").unlink()


def test_the_list_says_how_far_it_has_come_with_looking(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    for title in ("The Crypt", "The Hall"):
        save_fight(many(), storage.new_save(title))
    may, look = threading.Event(), saves.look
    monkeypatch.setattr(saves, "look", lambda path: (may.wait(20), look(path))[1])
    player.app.navigator.load()
    player.turn()
    assert "Looking into them: 0 of 2" in labels(player)
    may.set()
    player.until(lambda: not any("Looking" in label for label in labels(player)))
