"""Cairn's heroes in the window, by keys alone: made, sent into a fight, camped with, and there again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from game import paths
from game.app.i18n import use_catalogue
from game.app.loop import App
from game.app.settings import Settings
from game.characters import files
from game.characters.cairn import gear, making, model
from game.characters.cairn.model import Hero, changed
from game.scenes.camp import CampScene
from game.scenes.choose.scene import Choose
from game.scenes.fight.ending import HASTE, Summary
from game.scenes.workshop.scene import Workshop
from game.view import palette as fonts
from game.widgets.controls import Button, Label
from game.widgets.menu import Tile
from rules.core.dice import Dice
from tests.game.player import Player
from tests.game.test_words import cut_widgets, is_word, shown
from tests.game.test_workshop import Keys, shop_of
from tests.words.pseudo import pseudo_catalogue


@pytest.fixture
def player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Player]:
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path))
    app = App((1280, 720), settings=Settings(speed=0, autosave=False))
    pygame.event.clear()
    app.navigator.title()
    yield Player(app)
    pygame.event.clear()


def kept(name: str, background: str = "Marchguard", **says: object) -> Hero:
    hero = changed(making.fresh(name, f"{name.lower()}-0001", background, Dice(3, None)), **says)
    files.save(hero)
    return hero


def on_the_bench(player: Player) -> Hero:
    hero = shop_of(player).hero
    assert isinstance(hero, Hero)
    return hero


def test_whose_rules_is_asked_where_somebody_new_is_made(player: Player) -> None:
    keys = Keys(player)
    keys.press("Heroes", "new", "rules cairn", "begin Cutpurse")
    made = on_the_bench(player)
    assert made.making is not None and made.making.background == "Cutpurse" and model.unfit(made) == ""
    keys.press("new", "rules olde", "begin Ranger")
    assert shop_of(player).hero.ruleset == "olde"
    lines = {w.line for panel in player.app.top.ui.live() for w in panel.walk() if isinstance(w, Tile)}
    assert {"Cairn: Cutpurse · healthy", "Dungeons of Olde: Ranger · healthy"} <= lines


def test_every_figure_is_thrown_chosen_or_typed(player: Player) -> None:
    kept("Ada")
    keys = Keys(player)
    keys.press("Heroes", "page Background", "table 0 4", "table 1 3")
    made = on_the_bench(player)
    assert made.making is not None and made.making.rows == (4, 3)
    assert {"throwing knife", "pullstones"} <= {*made.items, *made.home}
    keys.press("background Aurifex", "page Scores")
    keys.to("typed strength")
    keys.type("17")
    keys.press("swap strength", "swap willpower")
    swapped = on_the_bench(player)
    assert swapped.willpower == 17
    keys.press("throw hp", "throw age", "throw gold", "throw dexterity", "throw scores", "page Person", "throw traits")
    keys.press("bond 0 5", "omen 7", "throw omen", "throw bond 0")
    for _ in range(4):
        player.key(pygame.K_z, pygame.KMOD_LCTRL)
    made = on_the_bench(player)
    assert made.making is not None and made.making.omen == 0 and model.unfit(made) == ""


def test_market_hands_gifts_and_hirelings_by_keys(player: Player) -> None:
    kept("Ada", gold=60, items=["sword"])
    kept("Bo", items=[])
    keys = Keys(player)
    keys.press("Heroes", "page Gear", "market armour", "buy shield", "hold 1", "stow 0", "fetch 0", "give 1")
    shop = shop_of(player)
    assert [files.find(name).items for name in ("ada-0001", "bo-0001")] == [("shield",), ("sword",)]
    keys.press("market hirelings", "hire Bodyguard")
    assert len(shop.heroes) == 3 and on_the_bench(player).gold == 60 - 10 - 10
    keys.press("market weapons", "buy halberd", "buy halberd", "buy halberd")
    assert shop.refused and "gold short" in shop.said


def test_growth_is_written_down_and_companions_come_along(player: Player) -> None:
    made = making.set_row(kept("Ada", "Fletchwind"), 0, 2)
    files.save(made)
    keys = Keys(player)
    keys.press("Heroes", "page Life", "bring Falcon")
    assert [hero.kind for hero in shop_of(player).heroes.values()] == ["", "Falcon"]
    keys.to("growth")
    keys.type("owls")
    keys.press("write growth")
    assert on_the_bench(player).growth == ("owls",)


def test_from_a_fight_to_camp_and_back_with_what_it_left(player: Player) -> None:
    kept("Ada", items=["sword", "rations"], strength=12, strength_now=6, hp_max=4, hp=1, fatigue=2)
    kept("Bo", items=["bandages"], hp_max=4)
    bite = {"name": "bite", "dice": [2], "hands": 0, "natural": True}
    weak = {"id": "rat", "side": "monsters", "at": [2, 1], "controller": "ai", "strength": 1, "dexterity": 1,
            "willpower": 1, "hp_max": 0, "attacks": [bite]}  # fmt: skip
    ours = [{**model.block(files.find(f"{name}-0001")), "side": "heroes", "at": [1 + n, 2], "controller": "ai",
             "alert": "ready"} for n, name in enumerate(("ada", "bo"))]  # fmt: skip
    rows = ["######", "#....#", "#....#", "######"]
    record = {
        "format": "battlemat/1",
        "ruleset": "cairn",
        "map": {"rows": rows},
        "seed": 11,
        "creatures": [*ours, weak],
    }
    player.app.navigator.begin(record)
    player.until(lambda: isinstance(player.app.top, Summary), 40)
    summary = player.app.top
    assert isinstance(summary, Summary)
    player.until(lambda: player.app.clock() - summary.came > HASTE)
    heads = [w.text for panel in summary.ui.live() for w in panel.walk() if isinstance(w, Label)]
    assert "CP" not in heads, "nothing is counted under these rules"
    keys = Keys(player)
    keys.press("camp")
    camp = player.app.top
    assert isinstance(camp, CampScene)
    keys.press("who ada-0001", "moments")
    assert files.find("ada-0001").hp is None
    keys.press("night")
    ada = files.find("ada-0001")
    assert (ada.fatigue, ada.days, len(ada.history)) == (0, 1, 1) and ada.strength_now == 6
    assert "bandage" in {w.key for panel in camp.ui.live() for w in panel.walk() if isinstance(w, Button)}
    keys.press("leave")
    player.app.navigator.title()
    player.press("New fight")
    choose = player.app.top
    assert isinstance(choose, Choose)
    choose._take_ruleset("cairn")
    assert {"ada-0001", "bo-0001"} <= set(choose.heroes)
    choose._take_ruleset("olde")
    assert not {"ada-0001", "bo-0001"} & {*choose.heroes, *choose.unready}, "only those who fit are offered"


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_no_page_cuts_anything_or_stays_english_in_a_language_a_third_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path))
    kept("Ada", scars=[3, 4], mending=[4], fatigue=1, home=["tent"], transport=["cart"], gold=30)
    kept("Bob", "Kettlewright", dying=20, hp=0, items=["bandages", "healing salve"])
    files.save(making.hired("Bodyguard", "guard-0001", Dice(1, None)))
    names = {"Ada", "Bob", "Bodyguard", *(name for each in model.book().backgrounds.values() for name in each.names)}
    fonts.forget()
    app = App(size, settings=Settings(speed=0, volume=0, autosave=False))
    use_catalogue(pseudo_catalogue())
    try:
        app.navigator.workshop()
        shop = app.top
        assert isinstance(shop, Workshop)
        shop.take("ada-0001")
        views = [(page, "") for page in shop.pages()] + [("Gear", table) for table in gear.TABLES]
        for page, table in views:
            shop.view["market"] = table
            shop.turn(page)
            whole(app, names)
        shop.begin("cairn")
        whole(app, names)
        app.navigator.pitch(list(files.shelf().heroes.values()))
        camp = app.top
        assert isinstance(camp, CampScene)
        for deed in (camp.camp.moments, camp.camp.night_in_the_wild):  # type: ignore[attr-defined]
            whole(app, names)
            camp.do(deed)
        whole(app, names)
    finally:
        use_catalogue(None)
        fonts.forget()


def whole(app: App, names: set[str]) -> None:
    """Nothing on the screen is cut, and nothing is left in English."""
    app.draw()
    said = [text for panel, _ in app.top.ui.layers for widget in panel.walk() for text in shown(widget)]
    assert not [text for text in said if is_word(text, names)] and not cut_widgets(app)


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (1024, 600), (640, 480)])
@pytest.mark.parametrize("scale", [100, 200])
def test_every_page_can_be_drawn_at_every_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int],
                                               scale: int) -> None:  # fmt: skip
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path))
    kept("Ada", scars=[3, 4], mending=[4], fatigue=1, home=["tent"], transport=["cart"])
    kept("Kett", "Kettlewright", dying=20, hp=0)
    app = App(size, settings=Settings(scale=scale))
    app.navigator.workshop()
    shop = app.top
    for page in shop.pages():  # type: ignore[attr-defined]
        shop.turn(page)  # type: ignore[attr-defined]
        app.tick(0.1)
        app.draw()
    app.navigator.pitch(list(files.shelf().heroes.values()))
    app.tick(0.1)
    app.draw()
