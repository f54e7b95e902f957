"""The replay viewer: the same boards as playing, forth and back, branching off, and the last enemy turn again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.fight.match import load_fight, save_fight
from game.fight.viewing import Film, last_of_others
from game.scenes.fight.ending import Summary
from game.scenes.fight.events_shown import stage
from game.scenes.fight.scene import Fight
from game.scenes.replay.scene import Replay
from game.widgets.controls import Button, Label
from game.widgets.text import Run
from rules.contract.text import as_builtins
from rules.core import record as records
from tests.game.player import Player, arena, fight_of

pytestmark = pytest.mark.usefixtures("home")

HALLS = ["##########", "#...#....#", "#...#....#", "#...#....#", "#...#....#", "##########"]
PLAYED = Path(__file__).parents[1] / "playthroughs" / "victory_behind_two_doors.json"


@pytest.fixture
def player() -> Iterator[Player]:
    app = App((1280, 720), settings=Settings(speed=0, end_by_itself=False))
    app.navigator.title()
    yield Player(app)
    app.navigator.title()
    app.scenes.clear()
    pygame.event.clear()


def replay_of(player: Player, path: Path = PLAYED) -> Replay:
    player.app.navigator.watch(path)
    scene = player.app.top
    assert isinstance(scene, Replay)
    return scene


def log(scene: Replay) -> list[str]:
    return ["".join(p.text for p in e.pieces if isinstance(p, Run)) for e in scene.story.entries]


def seen(scene: Replay) -> tuple[object, list[str]]:
    assert scene.view.board == scene.shown
    return (as_builtins(scene.shown), log(scene))


def test_a_jump_shows_the_board_and_log_that_playing_up_to_it_shows(player: Player) -> None:
    scene = replay_of(player)
    played = [seen(scene)]
    player.key(pygame.K_SPACE)
    while scene.playing:
        if len(played) <= scene.number:
            played.append(seen(scene))
        player.turn(1, dt=0.2)
    assert len(played) == scene.film.length + 1
    for number in (7, 30, 0, scene.film.length, 12):
        player.click(scene.scrubber.spot(number))
        assert scene.number == number
        assert seen(scene) == played[number]


def test_back_and_forth_by_keys_shows_the_same_again(player: Player) -> None:
    scene = replay_of(player)
    player.key(pygame.K_END)
    assert scene.number == scene.film.length
    before = seen(scene)
    for _ in range(5):
        player.key(pygame.K_LEFT)
    assert scene.number == scene.film.length - 5
    for _ in range(5):
        player.key(pygame.K_RIGHT)
    assert seen(scene) == before


def test_a_jump_brings_what_happened_there_into_sight(player: Player) -> None:
    scene = replay_of(player)
    scene.camera.set_zoom(90)
    field = scene.match.field
    for mark in scene.film.marks[:6]:
        scene.camera.pan(-9000, -9000)
        scene.camera.arrive()
        scene.go(mark.at)
        scene.camera.arrive()
        happened = stage(scene.film.events(mark.at), scene.shown, field)
        assert happened and all(scene.camera.free.colliderect(scene.camera.space_rect(cell)) for cell in happened)


def test_turns_chances_and_blows_are_jumped_to(player: Player) -> None:
    scene = replay_of(player)
    player.key(pygame.K_RIGHT, pygame.KMOD_LSHIFT)
    assert scene.number == scene.film.chances[1]
    player.key(pygame.K_PAGEDOWN)
    assert scene.number == scene.film.turns[1]
    player.key(pygame.K_PAGEUP)
    assert scene.number == 0
    player.key(pygame.K_TAB)
    assert scene.number == scene.film.marks[0].at


def test_the_marks_are_the_records_hits_and_falls() -> None:
    film = Film(load_fight(PLAYED))
    falls = [mark for mark in film.marks if mark.kind == "fall"]
    out = [mini.name for mini in film.eyes.board(film.length).miniatures if mini.out]
    assert sorted(mark.text.removesuffix(" falls") for mark in falls) == sorted(out)
    assert {mark.kind for mark in film.marks} == {"hit", "critical", "fall"}


def test_branching_off_makes_a_fight_and_keeps_the_other_line(player: Player) -> None:
    scene = replay_of(player)
    whole = list(scene.match.record.commands)
    player.click(scene.scrubber.spot(10))
    player.press("replay_branch")
    fight = player.app.top
    assert isinstance(fight, Fight)
    record = fight.match.record
    assert record.commands == whole[:10]
    assert record.branches[0].commands == whole[10:]
    assert (record.branches[0].at, record.rewinds[0].at) == (10, 10)


def test_the_file_that_was_branched_from_stays_as_it_was(player: Player, tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    save_fight(load_fight(PLAYED), path)
    before = path.read_bytes()
    scene = replay_of(player, path)
    player.click(scene.scrubber.spot(10))
    player.key(pygame.K_RETURN, pygame.KMOD_LCTRL)
    assert path.read_bytes() == before


def test_a_replay_of_the_fight_being_played_changes_nothing_of_it(player: Player) -> None:
    fight = after_an_enemy_turn(player)
    before, moments = records.document(fight.match.record), list(fight.match.history.moments)
    player.key(pygame.K_r, pygame.KMOD_LCTRL | pygame.KMOD_LSHIFT)
    scene = player.app.top
    assert isinstance(scene, Replay)
    player.key(pygame.K_SPACE)
    player.until(lambda: not scene.playing)
    player.key(pygame.K_ESCAPE)
    assert player.app.top is fight
    assert records.document(fight.match.record) == before
    assert all(a is b for a, b in zip(moments, fight.match.history.moments, strict=True))


def after_an_enemy_turn(player: Player) -> Fight:
    fight = fight_of(player, arena(gob_at=(4, 1)))
    player.key(pygame.K_RETURN, pygame.KMOD_LCTRL)
    player.until(lambda: fight.plan is not None and fight.match.history.length > 1)
    assert fight.match.history.moments[-1].side == ""
    return fight


def test_the_last_enemy_turn_again_leaves_state_and_record_untouched(player: Player) -> None:
    fight = after_an_enemy_turn(player)
    before, moments = records.document(fight.match.record), list(fight.match.history.moments)
    player.key(pygame.K_r, pygame.KMOD_LCTRL)
    scene = player.app.top
    assert isinstance(scene, Replay)
    assert (scene.first, scene.last) == (1, fight.match.history.length)
    player.until(lambda: player.app.top is fight)  # it returns by itself
    assert records.document(fight.match.record) == before
    assert all(a is b for a, b in zip(moments, fight.match.history.moments, strict=True))
    player.press("again")
    assert isinstance(player.app.top, Replay)
    player.key(pygame.K_ESCAPE)
    assert player.app.top is fight


def test_the_last_stretch_of_others_lies_before_ones_own_latest_decisions() -> None:
    match = load_fight(PLAYED)
    own = [False] * (match.history.length + 1)
    assert last_of_others(match, own) == (0, match.history.length)
    for frame in (5, 20, 21, match.history.length):
        own[frame] = True
    assert last_of_others(match, own) == (21, match.history.length - 1)


def test_from_the_menu_the_summary_and_the_list_of_saves(player: Player, home: Path) -> None:
    fight = after_an_enemy_turn(player)
    player.key(pygame.K_s, pygame.KMOD_LCTRL)
    player.key(pygame.K_ESCAPE)
    player.press("Replay")
    assert isinstance(player.app.top, Replay)
    player.key(pygame.K_ESCAPE)
    player.app.push(Summary(fight))
    player.press("replay")
    assert isinstance(player.app.top, Replay)
    player.app.navigator.title()
    player.app.navigator.load()
    saved = next((home / "fights").glob("*.json"))
    player.press(f"replay {saved}")
    assert isinstance(player.app.top, Replay)
    player.key(pygame.K_ESCAPE)
    player.key(pygame.K_ESCAPE)


def test_in_fog_it_shows_a_side_and_by_a_switch_everything(player: Player, tmp_path: Path) -> None:
    match = load_fight(PLAYED)
    data = {**records.document(match.record), "options": {"fog": True}, "commands": []}
    for creature in data["creatures"]:
        creature["controller"] = "human" if creature["side"] == "heroes" else "ai"
    path = tmp_path / "fog.json"
    path.write_text(msgspec.json.encode(data).decode(), encoding="utf-8")
    scene = replay_of(player, path)
    assert scene.film.eyes.sides == ("heroes",)
    few = {mini.id for mini in scene.shown.miniatures}
    player.key(pygame.K_v)
    assert scene.film.eyes.sides is None
    assert few < {mini.id for mini in scene.shown.miniatures}


def test_in_fog_one_cannot_count_what_was_not_seen(player: Player) -> None:
    fight = fight_of(player, arena(gob_at=(8, 4), options={"fog": True}, map={"rows": HALLS}))
    for _ in range(3):
        player.key(pygame.K_RETURN, pygame.KMOD_LCTRL)
        player.until(lambda: fight.plan is not None)
    player.key(pygame.K_r, pygame.KMOD_LCTRL | pygame.KMOD_LSHIFT)
    scene = player.app.top
    assert isinstance(scene, Replay)
    film = scene.film
    assert film.eyes.sides == ("heroes",)
    assert all(film.events(frame) for frame in scene.shots[1:-1])
    assert len(scene.shots) < film.length + 1
    assert scene.scrubber.last == len(scene.shots) - 1
    shown = [w.text for panel in scene.ui.live() for w in panel.walk() if isinstance(w, Label)]
    assert not any(" of " in text for text in shown)
    player.key(pygame.K_END)
    whole = log(scene)
    player.key(pygame.K_HOME)
    for _ in scene.shots:
        player.key(pygame.K_RIGHT)
    assert log(scene) == whole


@pytest.mark.parametrize("scale", [75, 100, 150, 200])
@pytest.mark.parametrize("size", [(640, 400), (800, 600), (1280, 720), (1920, 1080)])
def test_its_panels_stay_in_the_window_and_apart(scale: int, size: tuple[int, int]) -> None:
    player = Player(App(size, settings=Settings(speed=0, scale=scale)))
    player.app.navigator.title()
    scene = replay_of(player)
    player.app.draw()
    window = player.app.surface.get_rect()
    rects = [panel.rect for panel, _ in scene.ui.layers]
    assert all(window.contains(rect) for rect in rects)
    assert all(not a.colliderect(b) for n, a in enumerate(rects) for b in rects[:n])
    buttons = [w.rect for panel in scene.ui.live() for w in panel.walk() if w.focusable and w is not scene.story]
    assert all(any(rect.contains(button) for rect in rects) for button in buttons)
    assert all(not a.colliderect(b) for n, a in enumerate(buttons) for b in buttons[:n])
    for panel in scene.ui.live():
        for widget in panel.walk():
            if isinstance(widget, Button):
                assert widget.rect.width >= widget.measure(player.app.look, 9999)[0], widget.label
    player.app.scenes.clear()


def test_branching_off_within_a_fight_rewinds_it_and_keeps_the_line(player: Player) -> None:
    fight = after_an_enemy_turn(player)
    whole = list(fight.match.record.commands)
    player.key(pygame.K_r, pygame.KMOD_LCTRL | pygame.KMOD_LSHIFT)
    player.key(pygame.K_HOME)
    player.key(pygame.K_RETURN, pygame.KMOD_LCTRL)
    assert player.app.top is fight
    record = fight.match.record
    assert (record.commands, record.branches[0].commands) == ([], whole)
    player.until(lambda: fight.plan is not None)


def test_from_its_end_the_fight_just_goes_on(player: Player) -> None:
    fight = after_an_enemy_turn(player)
    whole = list(fight.match.record.commands)
    player.key(pygame.K_r, pygame.KMOD_LCTRL | pygame.KMOD_LSHIFT)
    player.key(pygame.K_END)
    player.key(pygame.K_RETURN, pygame.KMOD_LCTRL)
    assert player.app.top is fight
    assert fight.match.record.commands == whole and not fight.match.record.rewinds


def test_a_click_on_a_creature_shows_its_sheet_as_it_was_then(player: Player) -> None:
    scene = replay_of(player)
    player.click(scene.scrubber.spot(scene.film.marks[0].at))
    player.turn(10)
    mini = scene.shown.miniatures[0]
    player.click(scene.camera.space_rect(mini.cell).center)
    assert scene.selected == mini.id
    sheet = scene.match.ruleset.sheet(scene.film.eyes.state(scene.number), mini.id)
    shown = [w.text for panel in scene.ui.live() for w in panel.walk() if isinstance(w, Label)]
    assert sheet.name in shown
    player.key(pygame.K_ESCAPE)
    assert player.app.top is scene and scene.selected is None


def test_what_follows_play_and_the_pace_stays_where_it_is(player: Player) -> None:
    replay = replay_of(player, PLAYED.with_name("spells_at_the_crossing.json"))
    places = {w.key: w.rect.copy() for panel in replay.ui.live() for w in panel.walk() if w.key.startswith("replay_")}
    replay.playing = True
    replay.pace_at = 0
    replay.rebuild()
    after = {w.key: w.rect for panel in replay.ui.live() for w in panel.walk() if w.key.startswith("replay_")}
    assert after == places


def test_the_lines_tooltip_stands_over_it_and_tells_by_keys_where_one_is(player: Player) -> None:
    replay = replay_of(player, PLAYED.with_name("spells_at_the_crossing.json"))
    line = replay.scrubber
    told = line.tip_at(line.spot(30))
    assert told is not None and told.over
    player.key(pygame.K_END)
    told = replay.scrubber.tip_focused()
    assert told is not None and told.text.endswith("60 of 60")


def test_where_rules_know_no_chances_of_creatures_none_is_jumped_to(player: Player) -> None:
    replay = replay_of(player, PLAYED.with_name("bandits_at_the_ford.json"))
    buttons = {w.key: w for panel in replay.ui.live() for w in panel.walk()}
    assert not buttons["replay_next_chance"].enabled and buttons["replay_next_turn"].enabled
    player.key(pygame.K_RIGHT, pygame.KMOD_LSHIFT)
    assert replay.number == 0


def test_keys_show_the_sheet_of_one_creature_after_the_other(player: Player) -> None:
    replay = replay_of(player, PLAYED.with_name("spells_at_the_crossing.json"))
    minis = [mini.id for mini in replay.shown.miniatures]
    player.key(pygame.K_c)
    player.key(pygame.K_c)
    assert replay.selected == minis[1]
    player.key(pygame.K_c, pygame.KMOD_LSHIFT)
    player.key(pygame.K_c, pygame.KMOD_LSHIFT)
    assert replay.selected == minis[-1]
    player.key(pygame.K_ESCAPE)
    assert replay.selected is None and player.app.top is replay


def test_the_end_of_a_fight_that_the_computer_played_alone_names_who_won(player: Player) -> None:
    player.app.navigator.open_file(PLAYED)
    player.until(lambda: isinstance(player.app.top, Summary))
    said = [w.text for panel in player.app.top.ui.live() for w in panel.walk() if isinstance(w, Label)]
    assert "Heroes win" in said and "2 turns · 3 of 3 still stand" in said


def test_a_replay_of_the_fight_being_played_shows_the_whole_board_where_it_fits(player: Player) -> None:
    fight = fight_of(player)
    player.key(pygame.K_DOWN)
    player.key(pygame.K_RETURN)
    fight.undoing.replay()
    scene = player.app.top
    assert isinstance(scene, Replay)
    zoom, (x, y) = scene.camera.zoom, scene.camera.origin
    assert zoom == fight.camera.zoom
    assert scene.camera.free.contains(pygame.Rect(x, y, 10 * zoom, 6 * zoom))
