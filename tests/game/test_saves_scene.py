"""The lists of saved and interrupted fights: whatever is said of one, what can be pressed stays in the panel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from game import encounter, journal, recovery, storage
from game.app import App
from game.match import Match, save_fight
from game.scenes import start
from game.scenes.base import Scene
from game.scenes.saves import LoadDialog
from game.settings import Settings
from game.widgets.controls import Pressable
from tests.game.player import Player

HEROES = ["warrior", "priest", "ranger", "templar"]


@pytest.fixture
def player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Player]:
    monkeypatch.setenv("BATTLEMAT_HOME", str(tmp_path))
    app = App((1280, 720), settings=Settings(speed=0))
    start.title(app)
    yield Player(app)
    app.scenes.clear()


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
    start.load(player.app)
    scene = player.app.top
    assert isinstance(scene, LoadDialog)
    places = {w.key: w.rect.copy() for w in pressed(scene)}
    player.until(lambda: scene.found[path].party)
    inside(scene)
    assert {f"replay {path}", f"delete {path}"} <= places.keys()
    assert {w.key: w.rect for w in pressed(scene)} == places, (
        "nothing moves when more becomes known of a fight"
    )


def test_an_interrupted_fight_of_many_names_can_still_be_given_up(player: Player) -> None:
    match = many()
    book = journal.Journal(match.record, "A long evening beside the bridge over the river")
    book.abandon()
    assert recovery.interrupted()
    assert start.offer_interrupted(player.app)
    inside(player.app.top)
    player.app.pop()
    start.load(player.app)
    inside(player.app.top)


def test_an_autosave_is_called_by_its_title_before_it_was_looked_into(player: Player) -> None:
    path = storage.autosave(many().record, "The Crypt of Saint Orla")
    assert storage.is_autosave(path) and storage.title_of(path) == "The crypt of saint orla"
    assert storage.title_of(path.with_name("the-crypt-1.json")) == "the-crypt-1"
