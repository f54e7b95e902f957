"""The bestiary as a scene: found, read and measured by mouse and keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from game import paths
from game.app.loop import App
from game.app.settings import Settings
from game.characters import files
from game.characters.olde import making
from game.characters.olde.model import changed
from game.scenes.bestiary import Bestiary, families, sheet_of
from game.setup import bestiary
from game.widgets.controls import Pressable
from game.widgets.core import Scroll
from rules.core.registry import RULESETS

SIZES = [(1280, 720), (640, 400)]


@pytest.fixture(params=SIZES, ids=["large", "small"])
def scene(request: pytest.FixtureRequest) -> Iterator[Bestiary]:
    app = App(request.param, settings=Settings(speed=0, autosave=False, live_forecast=False))
    app.navigator.title()
    app.navigator.bestiary()
    assert isinstance(app.top, Bestiary)
    yield app.top
    app.top.left()


def press(scene: Bestiary, key: int, text: str = "") -> None:
    scene.handle(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode=text))


def button(scene: Bestiary, key: str) -> Pressable:
    found = [w for panel, _ in scene.ui.layers for w in panel.walk() if w.key == key]
    assert isinstance(found[0], Pressable)
    return found[0]


def test_arrows_turn_the_pages_round_and_round(scene: Bestiary) -> None:
    names = scene.shown()
    press(scene, pygame.K_DOWN)
    assert scene.chosen == names[1]
    press(scene, pygame.K_UP)
    press(scene, pygame.K_UP)
    assert scene.chosen == names[-1]


def test_a_slash_begins_a_search_by_trait_and_enter_opens_the_first(scene: Bestiary) -> None:
    press(scene, pygame.K_SLASH)
    scene.search("regeneration", "creatures")
    assert set(scene.shown()) == {"troll", "barrow_king", "mere_mother"}
    scene._show_at(0)
    assert scene.chosen == scene.shown()[0]


def test_a_search_without_a_find_leaves_the_page(scene: Bestiary) -> None:
    chosen = scene.chosen
    scene.search("goblim", "creatures")
    assert (scene.shown(), scene.chosen) == ([], chosen)
    scene.draw(scene.app.surface)


def test_the_party_and_the_number_make_the_fight_that_is_measured(scene: Bestiary) -> None:
    scene.show("ember_dragon")
    button(scene, "count 2").press()
    out = scene.party[0]
    button(scene, f"hero {out}").press()
    told = scene._told()
    assert told is not None
    there = [(c["template"], c["controller"]) for c in told[0].creatures]
    assert (out, "ai") not in there
    assert there.count(("ember_dragon", "ai")) == 2


def test_heroes_of_the_players_own_stand_first_and_can_be_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path))
    files.save(changed(making.set_package(making.fresh("Odo", "odo-0001"), "Priest"), weapons=["club"]))
    app = App(SIZES[0], settings=Settings(speed=0, autosave=False, live_forecast=False))
    app.navigator.title()
    app.navigator.bestiary()
    scene = app.top
    assert isinstance(scene, Bestiary) and next(iter(scene.heroes)) == "odo-0001"
    button(scene, "hero odo-0001").press()
    told = scene._told()
    assert told is not None and any(c["id"] == "odo-0001" for c in told[0].creatures)
    scene.left()


def test_one_hero_stays_in_the_party(scene: Bestiary) -> None:
    for name in list(scene.party):
        scene.toggle(name)
    assert len(scene.party) == 1


def test_every_page_is_drawn(scene: Bestiary) -> None:
    for name in scene.shown():
        scene.show(name)
        scene.draw(scene.app.surface)


@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_every_ruleset_has_a_bestiary(ruleset: str) -> None:
    entries = bestiary.monsters(ruleset)
    assert sorted(name for members in families(entries).values() for name in members) == sorted(entries)
    for name in entries:
        assert sheet_of(ruleset, name).name == entries[name]["name"]


def test_who_is_turned_to_is_in_sight_in_the_list(scene: Bestiary) -> None:
    book = Bestiary(scene.app, chosen=scene.shown()[-1])
    scene.app.push(book)

    def seen() -> bool:
        walk = [w for p in book.ui.live() for w in p.walk()]
        listing = next(w for w in walk if isinstance(w, Scroll) and w.key == "creatures")
        return listing.rect.contains(next(w for w in walk if w.key == f"creature {book.chosen}").rect)

    assert seen(), "opened on somebody far down"
    for _ in range(20):
        press(book, pygame.K_UP)
        assert seen()
