"""A fight in a place of several maps, in its window: the strip of maps, what the camera follows, what is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.fight.match import Match
from game.party.foresight import Foreseen
from game.scenes.fight import spaces
from game.scenes.fight.plan import in_words
from game.scenes.fight.scene import Fight
from game.scenes.forecast.board import HeatBoard
from game.scenes.replay.scene import Replay
from game.view.boardview import names
from game.view.motion.animate import STAIRS
from game.view.motion.pictures import Motion, moved
from game.widgets.controls import Button
from rules.contract.text import Place, text
from rules.core import record as records
from tests.game.places import church_and_crypt
from tests.game.player import Player, fight_of

ROWS = ["##########", "#........#", "#........#", "#........#", "##########"]
HERO = {"side": "heroes", "controller": "human", "template": "warrior"}
FOE = {"side": "monsters", "controller": "ai", "template": "goblin"}


def place(*creatures: dict[str, Any], **options: Any) -> dict[str, Any]:
    parts = [{"name": name, "rows": ROWS} for name in ("hall", "cellar", "attic")]
    stairs = [[["hall", 8, 3], ["cellar", 1, 1]], [["hall", 1, 3], ["attic", 1, 1]]]
    who = creatures or (
        {**HERO, "id": "ada", "map": "hall", "at": [2, 2]}, {**FOE, "id": "gob", "map": "hall", "at": [7, 2]},
        {**HERO, "id": "bea", "map": "cellar", "at": [2, 2]},
    )  # fmt: skip
    return {
        "format": "battlemat/2", "ruleset": "olde", "options": options, "map": {"place": parts, "stairs": stairs},
        "seed": 3, "creatures": list(who), "commands": [],
    }  # fmt: skip


def opened(record: dict[str, Any], size: tuple[int, int] = (1280, 720), scale: int = 100) -> tuple[Player, Fight]:
    app = App(size, settings=Settings(speed=0, autosave=False, scale=scale))
    pygame.event.clear()
    app.navigator.title()
    player = Player(app)
    return player, fight_of(player, record)


def strip(fight: Fight) -> list[Button]:
    every = (w for panel in fight.ui.live() for w in panel.walk())
    return [w for w in every if isinstance(w, Button) and w.key.startswith("map ")]


def test_pages_and_the_strip_go_from_map_to_map_and_the_shown_one_is_marked() -> None:
    player, fight = opened(place())
    assert [button.label for button in strip(fight)] == ["hall", "cellar", "attic"]
    assert [button.chosen for button in strip(fight)] == [True, False, False]
    player.key(pygame.K_PAGEDOWN)
    assert fight.camera.level == 1 and [button.chosen for button in strip(fight)] == [False, True, False]
    player.key(pygame.K_PAGEDOWN, pygame.KMOD_CTRL)
    player.key(pygame.K_PAGEDOWN)
    assert fight.camera.level == 2
    player.click(strip(fight)[0].rect.center)
    assert fight.camera.level == 0
    player.key(pygame.K_PAGEUP)
    assert fight.camera.level == 0


@pytest.mark.parametrize(("size", "scale"), [((1024, 600), 200), ((1280, 720), 100), ((1920, 1080), 150)])
def test_the_strip_lies_in_the_window_off_the_other_panels(size: tuple[int, int], scale: int) -> None:
    _, fight = opened(place(), size, scale)
    for button in strip(fight):
        assert pygame.Rect((0, 0), size).contains(button.rect)
        others = [rect for rect in fight.under_panels if not rect.contains(button.rect)]
        assert button.rect.collidelist(others) < 0


def test_a_single_map_has_no_strip_and_pages_go_through_plans() -> None:
    record = place()
    record |= {"format": "battlemat/1", "map": {"rows": ROWS}}
    record["creatures"] = [{k: v for k, v in each.items() if k != "map"} for each in record["creatures"][:2]]
    player, fight = opened(record)
    assert not strip(fight)
    player.key(pygame.K_PAGEDOWN)
    assert "Nobody else of yours" in fight.toast_text


def test_in_fog_only_maps_of_which_something_is_known_are_offered() -> None:
    _, fight = opened(place(fog=True))
    assert [button.label for button in strip(fight)] == ["hall", "cellar"]


def test_the_fight_begins_on_the_map_of_ones_own_and_follows_whoever_acts() -> None:
    _, fight = opened(
        place({**FOE, "id": "gob", "map": "hall", "at": [2, 2]}, {**HERO, "id": "bea", "map": "attic", "at": [2, 2]})
    )
    assert fight.camera.level == 2


def test_what_happens_elsewhere_to_others_is_marked_and_the_camera_stays() -> None:
    record = place(
        {**HERO, "id": "ada", "map": "hall", "at": [2, 2]},
        {**FOE, "id": "gob", "map": "cellar", "at": [2, 2]},
        {**FOE, "id": "rat", "map": "cellar", "at": [6, 2], "side": "rats"},
    )
    player, fight = opened(record)
    before = len(fight.telling.story.entries)
    for _ in range(20):
        if fight.news:
            break
        player.key(pygame.K_RETURN, pygame.KMOD_CTRL)
        player.until(lambda: fight.chance is not None)
    assert fight.news == {1} and fight.camera.level == 0
    assert len(fight.telling.story.entries) > before
    marked = strip(fight)[1]
    assert marked.gold and "cellar" in marked.label
    player.click(marked.rect.center)
    assert fight.camera.level == 1 and not fight.news and not strip(fight)[1].gold


def test_a_space_tells_where_its_stairs_lead_and_so_do_the_names_on_the_board() -> None:
    _, fight = opened(place())
    field = fight.match.field
    assert "This way to cellar." in spaces.told(fight, field.cell(8, 3)).lines
    assert "This way to hall." in spaces.told(fight, field.cell(1, field.maps[2].top + 1)).lines
    written = {name.text for name in names(fight.camera, fight.board, fight.view.ground.plan)}
    assert {"To cellar", "To attic"} <= written and "To hall" not in written


def test_stairs_that_have_a_name_tell_it(tmp_path: Path) -> None:
    church_and_crypt(tmp_path)
    record = place(
        {**HERO, "id": "ada", "map": "church", "at": [4, 3]}, {**FOE, "id": "gob", "map": "crypt", "at": [3, 4]}
    )
    record["map"] = {"place": [{"tmx": "church.tmx"}, {"tmx": "crypt.tmx"}]}
    match = Match.from_record(record, beside=tmp_path)
    assert spaces.leads(match.field, match.field.cell(5, 3)) == ["Steps down: this way to Crypt."]


def test_a_refusal_counts_rows_on_the_map_that_is_shown() -> None:
    _, fight = opened(place())
    top = fight.match.field.maps[1].top
    assert in_words(f"[1, {top + 2}]: no way there", field=fight.match.field).startswith("column 2, row 3")
    fight.toast(text("no way to {at}", Place(4, top)))
    assert fight.toast_text == "no way to column 5, row 1"


def test_a_space_tells_which_room_it_is_in() -> None:
    record = place()
    record["map"]["place"][0] = {**record["map"]["place"][0], "rooms": {"Scriptorium": [[1, 1], [3, 3]]}}
    _, fight = opened(record)
    assert spaces.told(fight, fight.match.field.cell(2, 3)).lines[0] == "Scriptorium."
    assert "Scriptorium." not in spaces.told(fight, fight.match.field.cell(5, 3)).lines


def test_only_ground_of_the_map_that_is_shown_is_pointed_at() -> None:
    player, fight = opened(place())
    player.key(pygame.K_PAGEDOWN)
    top = fight.match.field.maps[1].top
    spot = fight.camera.space_rect((5, top + 2)).center
    player.move(spot)
    assert fight.pointed.cell == fight.match.field.cell(5, top + 2)


def test_a_small_map_shows_the_map_that_is_shown() -> None:
    player, fight = opened(place())
    player.key(pygame.K_m, pygame.KMOD_CTRL)
    player.key(pygame.K_PAGEDOWN)
    player.app.draw()
    assert fight.camera.bounds == pygame.Rect(0, fight.match.field.maps[1].top, 10, 5)


def ended(player: Player, fight: Fight) -> None:
    """Ada has ended her chance, and the computer has had its own."""
    player.key(pygame.K_RETURN, pygame.KMOD_CTRL)
    player.until(lambda: fight.acting == "bea" and fight.plan is not None, 10)


def test_a_replay_shows_the_strip_and_goes_from_map_to_map() -> None:
    player, fight = opened(place())
    ended(player, fight)
    fight.camera.to_level(0)
    player.key(pygame.K_r, pygame.KMOD_CTRL | pygame.KMOD_SHIFT)
    replay = player.app.top
    assert isinstance(replay, Replay)
    every = [w for p in replay.ui.live() for w in p.walk() if isinstance(w, Button) and w.key.startswith("map ")]
    assert [button.label for button in every] == ["hall", "cellar", "attic"]
    player.key(pygame.K_PAGEDOWN, pygame.KMOD_CTRL)
    player.turn()
    every = [w for p in replay.ui.live() for w in p.walk() if isinstance(w, Button) and w.key.startswith("map ")]
    assert replay.camera.level == 1 and [button.chosen for button in every] == [False, True, False]


def test_a_replay_opened_from_another_map_begins_where_its_own_stood_then() -> None:
    player, fight = opened(place())
    ended(player, fight)
    fight.camera.to_level(2)
    player.key(pygame.K_r, pygame.KMOD_CTRL | pygame.KMOD_SHIFT)
    replay = player.app.top
    assert isinstance(replay, Replay) and fight.camera.level == 2
    assert replay.camera.level == 0


def test_a_forecasts_board_looks_over_one_map() -> None:
    record = records.read(place())
    match = Match.from_record(record)
    heat = HeatBoard(match.field, None, match.board(), (1280, 720))
    heat.look_over()
    assert heat.camera.level == heat.camera.level_of(match.board().miniatures[0].cell)
    heat.fit()
    assert heat.camera.zoom >= 30


def crawl() -> dict[str, Any]:
    """Three heroes about the stairs of the hall, nobody else near."""
    spots = ((8, 3), (7, 3), (8, 2))
    templates = ("warrior", "priest", "ranger")
    heroes = [
        {**HERO, "id": name, "template": template, "map": "hall", "at": list(spot)}
        for name, template, spot in zip(("ada", "bea", "cid"), templates, spots, strict=True)
    ]
    foe = {**FOE, "id": "gob", "map": "attic", "at": [8, 3]}
    return place(*heroes, foe, crawl=True, fog=True)


def on_map(fight: Fight, *names: str) -> list[str]:
    field = fight.match.field
    cells = {mini.id: mini.cell for mini in fight.match.board().miniatures}
    return [field.part(cells[name]).name for name in names]


def test_the_party_goes_over_the_stairs_in_one_order_and_the_camera_comes_along() -> None:
    player, fight = opened(crawl())
    assert fight.do("party_stairs")
    player.until(lambda: not fight.marching.running)
    player.turn(6)
    assert on_map(fight, "ada", "bea", "cid") == ["cellar"] * 3
    assert fight.camera.level == 1 and [button.label for button in strip(fight)] == ["hall", "cellar"]


def test_who_stayed_behind_comes_after() -> None:
    player, fight = opened(crawl())
    decision = next(each for each in fight.match.decisions if each.by == "ada")
    fight.match.act(decision, next(each for each in fight.match.legal(decision) if each.do == "stairs"))
    fight.refresh()
    found = fight.marching.offered()["party_stairs"]
    assert isinstance(found, Foreseen) and found.label == "Come after"
    assert {name for order in found.orders for name in getattr(order, "left", ())} == {"bea", "cid"}
    fight.do("party_stairs")
    player.until(lambda: not fight.marching.running)
    assert on_map(fight, "bea", "cid") == ["cellar"] * 2


def test_somebody_on_the_stairs_is_shown_here_and_then_there() -> None:
    walk = Motion(STAIRS, "ada", ((1.0, 1.0), (4.0, 30.0)), "stairs")
    assert [moved(walk, 0.0, 0.0, share)[:2] for share in (0.0, 0.6, 1.0)] == [(1.0, 1.0), (1.0, 1.0), (4.0, 30.0)]


def animated(record: dict[str, Any]) -> tuple[Player, Fight]:
    app = App((1280, 720), settings=Settings(speed=2, autosave=False))
    pygame.event.clear()
    app.navigator.title()
    player = Player(app)
    return player, fight_of(player, record)


def over_the_stairs(fight: Fight) -> None:
    decision = next(each for each in fight.match.decisions if each.by == "ada")
    fight.deeds.act(next(each for each in fight.match.legal(decision) if each.do == "stairs"))


def test_the_camera_sees_somebody_leave_and_then_comes_along() -> None:
    record = crawl()
    record["creatures"] = [each for each in record["creatures"] if each["id"] in ("ada", "gob")]
    player, fight = animated(record)
    over_the_stairs(fight)
    player.turn(1, dt=0.02)
    assert fight.view.busy and fight.camera.level == 0
    player.until(lambda: not fight.view.busy)
    player.turn(2, dt=0.02)
    assert fight.camera.level == 1 and not fight.news


def test_who_is_asked_next_is_shown_and_ones_own_going_is_no_news() -> None:
    player, fight = animated(crawl())
    over_the_stairs(fight)
    player.until(lambda: not fight.view.busy)
    player.turn(2, dt=0.02)
    assert fight.camera.level == 0 and not fight.news
