"""The small lit table on pages: what it marks around somebody, the fire of a camp, and pages that fill their room."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from game import paths
from game.app.loop import App
from game.app.settings import Settings
from game.characters import files
from game.characters.olde import making
from game.characters.olde.fireside import Fireside as CampSession
from game.characters.olde.model import changed
from game.content import encounter
from game.content import tables as content
from game.scenes.bestiary import Bestiary, stood
from game.scenes.camp import BEYOND, PIT, SEATS, WIDE, CampScene, round_the_fire
from game.scenes.title import Tableau, alone
from game.scenes.workshop.scene import Workshop
from game.widgets.controls import Label
from game.widgets.core import Box, Scroll, Split, Widget
from game.widgets.theme import Look
from rules.board.bitboard import cells_of

SIZES = [(1280, 720), (1920, 1080)]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path))
    for name, fields in (("ada", {}), ("bea", {"hp": 3}), ("cy", {"hp": -30})):
        hero = making.set_package(making.fresh(name.capitalize(), f"{name}-0001"), "Warrior")
        hero = making.set_journeyman(hero, "Swords")
        files.save(changed(hero, weapons=["broadsword"], **fields))
    return tmp_path


def test_free_steps_and_reach_are_marked_round_a_creature() -> None:
    setting = stood("olde", "goblin")
    assert setting is not None
    mini = setting.board.miniatures[0]
    x, y = setting.field.at(mini.cell)
    ring = {setting.field.cell(x + a, y + b) for a in (-1, 0, 1) for b in (-1, 0, 1)} - {mini.cell}
    assert set(setting.marks.free) == ring
    assert set(cells_of(setting.marks.reach)) - {mini.cell} == ring
    assert [m.side for m in setting.board.miniatures] == [encounter.MONSTERS]


def test_a_large_creatures_free_steps_are_all_the_spaces_that_it_would_cover() -> None:
    setting = stood("olde", "ember_dragon")
    assert setting is not None
    mini = setting.board.miniatures[0]
    x, y = setting.field.at(mini.cell)
    assert mini.size == 3
    spots = [setting.field.at(cell) for cell in setting.marks.free]
    reach = 3  # its free steps
    assert {a for a, _ in spots} == set(range(x - reach, x + 3 + reach))
    assert not {(a, b) for a, b in spots if x <= a < x + 3 and y <= b < y + 3}


@pytest.mark.parametrize("ruleset", ["olde", "cairn", "countup"])
def test_everybody_of_every_bestiary_can_be_looked_at(ruleset: str) -> None:
    assert [name for name in content.monsters(ruleset) if stood(ruleset, name) is None] == []


def test_a_stat_block_that_the_rules_refuse_stands_nowhere() -> None:
    assert alone("olde", {"name": "Nobody"}, "heroes", "nobody") is None


def test_round_the_fire_the_living_sit_near_and_the_dead_lie_apart(home: Path) -> None:
    setting = round_the_fire(CampSession(list(files.shelf().heroes.values()), 1))
    minis = {mini.name: mini for mini in setting.board.miniatures}
    spot = {name: divmod(mini.cell, WIDE)[::-1] for name, mini in minis.items()}
    assert spot["Ada"] in SEATS and spot["Bea"] in SEATS and spot["Cy"] in BEYOND
    assert minis["Cy"].dead and minis["Cy"].out and not minis["Bea"].out
    assert minis["Bea"].health.value == 3
    assert PIT not in spot.values()


def panels(app: App) -> list[Widget]:
    return [panel for panel, _ in app.top.ui.layers]


@pytest.mark.parametrize("scale", [75, 100, 150, 200])
@pytest.mark.parametrize("size", SIZES)
def test_the_stats_fill_their_page_or_are_scrolled(home: Path, size: tuple[int, int], scale: int) -> None:
    app = App(size, settings=Settings(speed=0, autosave=False, scale=scale))
    shop = Workshop(app)
    app.push(shop)
    for way in ("core", "crunchy"):
        shop.turn("Stats")
        shop.do(lambda hero, way=way: making.set_way(hero, way))  # type: ignore[misc]
        scroll = next(w for p in panels(app) for w in p.walk() if w.key == "scroll Stats")
        assert isinstance(scroll, Scroll) and isinstance(scroll.child, Box)
        last = scroll.child.content[-1]
        assert last.rect.bottom >= scroll.rect.bottom - app.look.px(12)
        assert last.rect.width >= 0.97 * scroll.child.rect.width - app.look.px(6)


@pytest.mark.parametrize("scale", [75, 100])
@pytest.mark.parametrize("size", SIZES)
def test_beside_every_page_of_the_workshop_the_hero_stands_in_what_room_is_left(
    home: Path, size: tuple[int, int], scale: int
) -> None:
    app = App(size, settings=Settings(speed=0, autosave=False, scale=scale))
    app.push(Workshop(app))
    table = next(w for p in panels(app) for w in p.walk() if isinstance(w, Tableau))
    assert table.rect.height > app.look.px(150)
    assert table.rect.bottom < size[1]


@pytest.mark.parametrize("scale", [75, 100, 150, 200])
@pytest.mark.parametrize("size", SIZES)
def test_a_long_story_of_the_camp_stays_in_its_panel(home: Path, size: tuple[int, int], scale: int) -> None:
    app = App(size, settings=Settings(speed=0, autosave=False, scale=scale))
    camp = CampSession(list(files.shelf().heroes.values()), 1)
    for _ in range(25):
        camp.do(camp.day("none", None))
    app.push(CampScene(app, camp, "Camp"))
    scene = app.top
    scroll = next(w for p in panels(app) for w in p.walk() if w.key == "scroll story")
    panel = next(p for p in panels(app) if any(w is scroll for w in p.walk()))
    assert isinstance(scroll, Scroll) and panel.rect.contains(scroll.rect)
    assert scroll.total > scroll.rect.height > scene.app.look.px(80)


@pytest.mark.parametrize("size", SIZES)
def test_a_page_of_the_bestiary_has_its_odds_and_ground_beside_its_figures(size: tuple[int, int], home: Path) -> None:
    app = App(size, settings=Settings(speed=0, autosave=False, live_forecast=False))
    app.push(Bestiary(app, chosen="goblin"))
    halves = next(w for p in panels(app) for w in p.walk() if isinstance(w, Split))
    table = next(w for w in halves.walk() if isinstance(w, Tableau))
    assert table.rect.left > halves.rect.centerx
    assert table.rect.height >= 0.25 * halves.rect.height
    assert halves.rect.height >= 0.8 * size[1]
    app.top.left()


def test_shares_of_a_split_are_kept_to_the_pixel() -> None:
    one, two = Box(), Box()
    split = Split((one, 1), (two, 3), gap=10)
    look = Look(App((640, 360)).look.theme, 1.0)
    split.place(look, pygame.Rect(5, 5, 410, 50))
    assert (one.rect, two.rect) == (pygame.Rect(5, 5, 100, 50), pygame.Rect(115, 5, 300, 50))


@pytest.mark.parametrize("count", [1, 2])
def test_a_camp_of_few_says_more_of_whoever_is_chosen(home: Path, count: int) -> None:
    app = App((1280, 720), settings=Settings(speed=0, autosave=False))
    camp = CampSession(list(files.shelf().heroes.values())[:count], 1)
    app.push(CampScene(app, camp, "Camp"))
    scroll = next(w for p in panels(app) for w in p.walk() if w.key == "scroll people")
    panel = next(p for p in panels(app) if any(w is scroll for w in p.walk()))
    said = [w for w in panel.walk() if isinstance(w, Label) and w.text.startswith("Brawn d")]
    assert len(said) == 1 and said[0].rect.top > scroll.rect.bottom
    assert panel.rect.contains(said[0].rect)
    assert isinstance(scroll, Scroll) and scroll.total <= scroll.rect.height
