"""A new fight: maps of one's own, what the fight is played by, and what the next one remembers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from game import paths
from game.app.settings import NewFight, Settings, load_settings
from game.content import adventures, encounter
from game.scenes.choose.choices import loaded_map
from game.scenes.choose.scene import Choose, RulesPanel
from game.scenes.dialogs.panels import Message
from game.scenes.fight.scene import Fight
from game.scenes.forecast.board import GlanceButton
from game.setup import files
from game.widgets.controls import Button, Toggle
from game.widgets.core import Scroll
from game.widgets.fields import TextField
from game.widgets.menu import Tile
from tests.game.hotseat_table import app_at
from tests.game.player import Player, buttons, labels
from tests.game.tmx_text import layer, save, tmx


@pytest.fixture
def own() -> Iterator[Path]:
    """The player's folder of maps, empty before and after."""
    folder = paths.user_folder("maps")
    shutil.rmtree(folder)
    folder.mkdir()
    loaded_map.cache_clear()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)
    loaded_map.cache_clear()


def bare(folder: Path, name: str = "bare.tmx") -> Path:
    """A hall of a map without any start space."""
    tiles = [2 if x in (0, 29) or y in (0, 11) else 1 for y in range(12) for x in range(30)]
    return save(folder, tmx(layer(tiles, 30, 12), 30, 12), name)


def choosing(player: Player) -> Choose:
    player.press("New fight")
    scene = player.app.top
    assert isinstance(scene, Choose)
    return scene


def test_a_map_that_was_brought_in_is_fought_on(own: Path, tmp_path: Path) -> None:
    inside = files.brought_in(bare(tmp_path, "My Hall.tmx"))
    player = app_at()
    scene = choosing(player)
    scene.take_map(next(path for path in scene.shelf.readable if path == inside))
    player.press("Begin")
    fight = player.app.top
    assert isinstance(fight, Fight) and fight.match.record.map.tmx == "my-hall/My Hall.tmx"


def test_enter_begins_the_fight_while_nothing_has_the_focus(own: Path) -> None:
    player = app_at()
    scene = choosing(player)
    scene.ui.focus_key("draw")
    player.key(pygame.K_RETURN)
    assert player.app.top is scene, "with a focus, Enter is for what has it"
    scene.ui.set_focus(None)
    scene.foes = {}
    scene.rebuild()
    player.key(pygame.K_RETURN)
    assert isinstance(player.app.top, Message), "and without foes it says what is missing"
    player.key(pygame.K_ESCAPE)
    player.press("draw")
    player.press("Fog of war")
    player.key(pygame.K_RETURN)
    assert isinstance(player.app.top, Fight), "what was clicked keeps no focus"


def test_enter_begins_on_what_is_chosen_already_and_else_the_button_says_ctrl_enter(own: Path) -> None:
    player = app_at()
    scene = choosing(player)

    def chip() -> str:
        player.app.draw()
        begin = player.button_of("Begin")
        assert isinstance(begin, Button)
        return begin.hint

    assert chip() == "Enter"
    story = next(iter(adventures.adventures()))
    scene.ui.focus_key(f"adventure {story.id}")
    assert chip() == "Ctrl+Enter", "Enter is to choose it"
    player.key(pygame.K_RETURN)
    assert scene.adventure == story and player.app.top is scene
    hero = next(iter(scene.heroes))
    scene.ui.focus_key(f"hero {hero}")
    assert chip() == "Ctrl+Enter", "Enter takes or leaves"
    scene.ui.focus_key(f"adventure {story.id}")
    assert chip() == "Enter"
    player.key(pygame.K_RETURN)
    assert player.app.top is not scene and not isinstance(player.app.top, Message), "it is chosen: Enter begins"


def test_f6_goes_from_panel_to_panel_and_ctrl_enter_begins_whatever_has_the_focus(own: Path) -> None:
    player = app_at()
    scene = choosing(player)
    visited = []
    for _ in range(5):
        player.key(pygame.K_F6)
        assert scene.ui.focus is not None
        visited.append(scene.ui.focus.key)
    heads = ("ruleset ", "adventure ", "hero ", "foe ", "Back")
    assert all(key.startswith(head) for key, head in zip(visited, heads, strict=True)), visited
    player.key(pygame.K_F6)
    assert scene.ui.focus is not None and scene.ui.focus.key == visited[0], "round again"
    player.key(pygame.K_RETURN, pygame.KMOD_CTRL)
    assert isinstance(player.app.top, Fight)


def test_the_seed_is_typed_where_it_was_clicked_in_digits_and_all_of_it_can_be_chosen(own: Path) -> None:
    player = app_at()
    scene = choosing(player)
    scene.seed = "52"
    scene.rebuild()
    field = next(w for p in scene.ui.live() for w in p.walk() if isinstance(w, TextField) and w.key == "Seed")
    player.click((field.rect.right - 6, field.rect.centery))
    player.key(pygame.K_7, text="7")
    player.key(pygame.K_x, text="x")
    assert scene.seed == "527"
    player.key(pygame.K_a, pygame.KMOD_CTRL)
    player.key(pygame.K_4, text="4")
    assert scene.seed == "4"
    player.key(pygame.K_RETURN)
    assert player.app.top is scene, "Enter is for what has the focus"


def test_a_map_dropped_on_the_window_is_chosen(own: Path, tmp_path: Path) -> None:
    player = app_at()
    scene = choosing(player)
    pygame.event.post(pygame.event.Event(pygame.DROPFILE, file=str(bare(tmp_path))))
    player.turn()
    assert scene.map is not None and encounter.map_name(scene.map) == "bare/bare.tmx"


def test_a_map_of_ones_own_that_cannot_be_read_is_there_with_the_reason(own: Path) -> None:
    save(own, "<map", "torn.tmx")
    player = app_at()
    scene = choosing(player)
    assert [path.name for path in scene.shelf.unreadable] == ["torn.tmx"]
    tile = next(w for p in scene.ui.live() for w in p.walk() if w.key == "map torn.tmx")
    assert not tile.enabled and tile.tip is not None and "torn.tmx" in tile.tip.text
    tile.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RETURN, mod=0, unicode="", scancode=0))
    assert isinstance(player.app.top, Message)


def test_fog_and_darkness_stand_beside_the_map(own: Path) -> None:
    player = app_at()
    scene = choosing(player)
    player.press("Fog of war")
    assert scene._record()["options"] == {"fog": True}
    lit = next(path for path in scene.shelf.readable if loaded_map(path).ambient != "dark")
    dark = next(path for path in scene.shelf.readable if loaded_map(path).ambient == "dark")
    scene.take_map(lit)
    player.press("Darkness")
    assert "darkness" not in scene._record()["options"], "nothing is dark there"
    scene.take_map(dark)
    player.press("Darkness")
    assert scene._record()["options"] == {"fog": True, "darkness": True}


def test_an_adventure_begins_with_exploration_and_says_so(own: Path) -> None:
    player = app_at()
    scene = choosing(player)
    scene.take_adventure(adventures.adventure("drowned_abbey"))
    player.turn(2)
    toggle = player.button_of("Begin with exploration")
    assert isinstance(toggle, Toggle) and toggle.value and not toggle.enabled


def test_the_tip_of_an_adventure_does_not_say_again_what_the_page_beside_it_says(own: Path) -> None:
    player = app_at()
    scene = choosing(player)

    def tip() -> object:
        live = (each for panel in scene.ui.live() for each in panel.walk())
        return next(w.tip for w in live if isinstance(w, Tile) and w.key == "adventure drowned_abbey")

    assert tip() is not None
    scene.take_adventure(adventures.adventure("drowned_abbey"))
    player.turn(2)
    assert tip() is None


def test_every_optional_rule_is_there_and_only_what_differs_is_written(own: Path) -> None:
    player = app_at()
    scene = choosing(player)
    player.press("rules")
    assert isinstance(player.app.top, RulesPanel)
    player.press("Reflexes and responses")
    player.press("Advanced moves and actions")
    player.key(pygame.K_ESCAPE)
    assert player.app.top is scene
    assert scene._record()["options"] == {"reflexes": True, "advanced": False}


def test_the_next_new_fight_begins_with_what_was_chosen_last(own: Path) -> None:
    player = app_at()
    scene = choosing(player)
    scene.take_map(scene.shelf.readable[2])
    scene._take_ruleset("countup")
    scene.take_hero(scene.party[0])
    player.press("Fog of war")
    party = list(scene.party)
    player.key(pygame.K_ESCAPE)
    assert load_settings().new_fight.map == encounter.map_name(scene.shelf.readable[2])
    again = choosing(player)
    assert (again.ruleset, again.map, again.party) == ("countup", scene.shelf.readable[2], party)
    assert again._record()["options"]["fog"] is True


def test_the_adventure_that_was_open_is_found_again(own: Path) -> None:
    player = app_at()
    scene = choosing(player)
    scene.take_adventure(adventures.adventure("drowned_abbey"))
    party = list(scene.party)
    player.key(pygame.K_ESCAPE)
    again = choosing(player)
    assert again.adventure == scene.adventure and again.party == party
    again.take_map(again.shelf.readable[0])
    player.key(pygame.K_ESCAPE)
    assert choosing(player).adventure is None and not load_settings().new_fight.adventure


def test_an_adventure_whose_place_is_gone_is_chosen_anew(own: Path) -> None:
    scene = choosing(app_at(new_fight=NewFight(adventure="gone.tmx")))
    assert scene.adventure is None and scene.map is not None


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_an_adventure_has_no_buttons_for_foes_and_says_why_there_is_no_forecast(
    own: Path, size: tuple[int, int]
) -> None:
    player = app_at(size)
    scene = choosing(player)
    wide = next(w for p in scene.ui.live() for w in p.walk() if isinstance(w, GlanceButton)).rect.width
    scene.take_adventure(adventures.adventure("drowned_abbey"))
    player.turn()
    plate = next(w for p in scene.ui.live() for w in p.walk() if isinstance(w, GlanceButton))
    assert plate.rect.width <= wide and plate.rect.width < 120, "no room is left for a chance that nobody reckons"
    assert not {"Clear the foes", "Draw foes for me"} & set(buttons(player))
    player.click(plate.rect.center)
    assert isinstance(player.app.top, Message) and any("whole evening" in said for said in labels(player))


def test_what_is_gone_since_is_chosen_anew(own: Path) -> None:
    player = app_at(new_fight=NewFight(ruleset="chess", map="gone.tmx", party=["nobody"], options={"x": True}))
    scene = choosing(player)
    assert scene.map == scene.shelf.readable[0] and len(scene.party) == encounter.PARTY
    assert scene._record()["options"] == {}


def test_a_memory_that_cannot_be_read_breaks_no_settings() -> None:
    assert Settings.model_validate({"scale": 150, "new_fight": {"party": 7}}).scale == 150
    assert Settings.model_validate({"new_fight": [1]}).new_fight == NewFight()


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (800, 600)])
@pytest.mark.parametrize("scale", [100, 150, 200])
def test_what_stands_beside_the_map_stays_in_its_panel(own: Path, size: tuple[int, int], scale: int) -> None:
    player = app_at(size, scale=scale)
    scene = choosing(player)
    panel = next(p for p in scene.ui.live() if any(w.key == "maps" for w in p.walk()))
    keys = ("Begin with exploration", "Fog of war", "Darkness", "rules", "maps")
    shown = [w for w in panel.walk() if w.key in keys]
    assert len(shown) == 5 and all(panel.rect.contains(w.rect) for w in shown)
    assert all(not a.rect.colliderect(b.rect) for a in shown for b in shown if a is not b)
    maps = next(w for w in shown if w.key == "maps")
    assert maps.rect.height >= 60 * player.app.look.scale * 0.8


def test_the_partys_list_leaves_less_room_than_a_hero_takes_and_needs_no_scrolling() -> None:
    scene = choosing(app_at())
    listing = next(w for p in scene.ui.live() for w in p.walk() if isinstance(w, Scroll) and w.key == "heroes")
    tiles = [w for w in listing.walk() if isinstance(w, Tile)]
    below = listing.rect.bottom - tiles[-1].rect.bottom
    assert 0 <= below < tiles[-1].rect.height


def test_the_foes_that_were_drawn_are_seen_wherever_they_stand_in_their_list() -> None:
    player = app_at()
    player.app.navigator.choose()
    scene = player.app.top
    assert isinstance(scene, Choose)
    last = list(scene.monsters)[-1]
    scene.foes = {last: 2}
    scene._unseen = True
    scene.rebuild()
    player.turn()
    panel = next(w for p in scene.ui.live() for w in p.walk() if isinstance(w, Scroll) and w.key == "foes")
    tile = next(w for w in panel.walk() if isinstance(w, Tile) and w.count)
    assert tile.key == f"foe {last}" and panel.rect.contains(tile.rect)
    player.app.tick(0.1)
    for _ in range(4):
        player.press("Draw foes for me")
        scrolls = [w for p in scene.ui.live() for w in p.walk() if isinstance(w, Scroll) and w.key == "foes"]
        first = next(w for w in scrolls[0].walk() if isinstance(w, Tile) and w.count)
        assert scrolls[0].rect.contains(first.rect)
