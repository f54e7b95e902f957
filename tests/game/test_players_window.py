"""The players' window: a second window with the board as the heroes know it, and not one thing more."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest

from game.app.players import FRAME, Players
from game.app.settings import Follow
from game.fight.brush import Brush
from game.fight.match import Match
from game.scenes.fight.hotseat import Handover, Recap
from game.scenes.fight.scene import Fight
from game.scenes.players.remote import Remote, Tool
from game.scenes.players.table import Curtain, PlayersTable
from game.scenes.replay.scene import Replay
from game.scenes.setup.scene import Setup
from game.view.motion.animate import Animator
from rules.board.bitboard import board_of
from rules.contract.display import Board
from rules.contract.units import Bitboard
from rules.core import record as records
from rules.core.registry import RULESETS
from tests.game.hotseat_table import app_at, over, seated, table
from tests.game.player import Player
from tests.game.players_table import SHIFTED, PlayersWatcher, move_strangers, opened, picture, seen_in
from tests.game.test_fog_fights import decided, meeting
from tests.game.test_hotseat import decide


@pytest.fixture
def player() -> Iterator[Player]:
    found = app_at()
    yield found
    found.app.second.destroy()


@pytest.fixture
def moving() -> Iterator[Player]:
    """With everything that happens shown as it happens."""
    found = app_at(speed=3)
    yield found
    found.app.second.destroy()


def alone(**more: Any) -> dict[str, Any]:
    """One person plays the heroes in fog; the beasts are the computer's, and out of sight."""
    record = table(seats=[], **more)
    for creature in record["creatures"]:
        own = creature["side"] == "heroes"
        creature.update({"controller": "human", "finesse": 9, "savvy": 9} if own else
                        {"controller": "ai", "finesse": 1, "savvy": 1, "nerve": 1})  # fmt: skip
    return record


def known_to(fight: Fight, *sides: str) -> Board:
    """The board as some sides know it, worked out by the rules alone."""
    return fight.ruleset.board(fight.match.observe(*sides))


# -- opened and closed


def test_a_key_opens_it_with_the_heroes_and_without_whom_they_dont_see_and_closes_it(player: Player) -> None:
    seated(player, alone())
    shown = opened(player)
    assert shown.curtain is Curtain.NONE and shown.view is not None and shown.view.board is not None
    assert {mini.side for mini in shown.view.board.miniatures} == {"heroes"}
    sight = shown.view.ground.veil.sight
    assert sight is not None and not sight.ever >> 16 + 14 & 1
    player.key(pygame.K_p, SHIFTED)
    assert player.app.second.table is None and not player.app.settings.players.open


def test_the_main_window_closed_beside_it_ends_the_program(player: Player) -> None:
    opened(player)
    own = player.app.second.window
    player.app.handle(pygame.event.Event(pygame.WINDOWCLOSE, window=own))
    assert player.app.running and player.app.second.table is None
    opened(player)
    player.app.handle(pygame.event.Event(pygame.WINDOWCLOSE, window=None))
    assert not player.app.running


def test_the_mouse_on_it_does_nothing_in_the_main_window(player: Player) -> None:
    fight = seated(player, alone())
    opened(player)
    before = player.app.pointer
    own = player.app.second.window
    for kind in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        player.app.handle(pygame.event.Event(kind, pos=(333, 222), rel=(0, 0), buttons=(0, 0, 0), button=1, window=own))
    assert player.app.pointer == before and not fight.pointed.busy


def test_a_double_click_fills_its_screen_and_another_gives_it_back(player: Player) -> None:
    shown = opened(player)
    small, own = shown.size, player.app.second.window
    for full in (True, False):
        for _ in range(2):
            player.app.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(5, 5), button=1, window=own))
        assert player.app.settings.players.fullscreen is full
        assert (shown.size == small) is not full
        player.app.second._pressed = -9.0


def test_without_a_fight_it_shows_its_cover(player: Player) -> None:
    assert opened(player).curtain is Curtain.EMPTY


def test_it_comes_again_with_the_program_if_it_was_open(player: Player) -> None:
    opened(player)
    player.app.second.destroy()
    assert player.app.settings.players.open
    player.app.second.show_again()
    assert player.app.second.open
    player.app.second.close()
    player.app.second.show_again()
    assert not player.app.second.open


# -- what it shows


def test_the_game_masters_view_in_the_main_window_changes_nothing_in_it(player: Player) -> None:
    fight = seated(player, alone())
    shown = opened(player)
    player.key(pygame.K_g, pygame.KMOD_LCTRL)
    assert {mini.side for mini in fight.board.miniatures} == {"heroes", "beasts"}
    assert seen_in(shown) == {(m.id, m.cell) for m in known_to(fight, "heroes").miniatures}


def test_a_whole_fight_of_two_seats_shows_what_the_heroes_know_and_nothing_to_the_other(moving: Player) -> None:
    player = moving
    eager = [{**each, "temperament": "brute"} for each in table()["creatures"]]  # who waits shows little
    fight = seated(player, table(seed=17, creatures=eager))
    shown = opened(player)
    watcher = PlayersWatcher(fight, shown)
    for _ in range(900):
        if over(fight):
            break
        watcher.frame()
        if isinstance(player.app.top, (Handover, Recap)):
            player.key(pygame.K_RETURN)
        elif fight.plan is not None:
            decide(player, fight)
        else:
            player.turn()
    assert fight.match.over is not None, "the fight came to its end"
    assert watcher.covered > 5 and watcher.plays > 5 and watcher.frames > 40 and watcher.dark > 100


@pytest.mark.parametrize("ruleset", RULESETS)
def test_in_the_fog_of_every_ruleset_it_is_dark_where_no_hero_has_looked(moving: Player, ruleset: str) -> None:
    player = moving
    player.app.navigator.begin(meeting("crypt", ruleset, 7, 2))
    fight = player.app.top
    assert isinstance(fight, Fight)
    watcher = PlayersWatcher(fight, opened(player))
    for _ in range(60):
        if fight.match.decision is None:
            break
        watcher.frame()
        if fight.plan is not None:
            assert fight.deeds.act(decided(fight.match, fight.plan.decision))
        player.turn(1, 0.12)
    assert watcher.dark > 200 and watcher.frames > 20


def test_wherever_the_unseen_stand_the_same_is_drawn() -> None:
    drawn = []
    for spots in ({}, {"zugg": (12, 3), "yark": (14, 1)}):
        player = app_at(speed=3)
        seated(player, move_strangers(alone(), spots))
        shown = opened(player)
        drawn.append(pygame.image.tobytes(picture(shown), "RGB"))
        player.app.second.destroy()
    assert drawn[0] == drawn[1]


def test_it_moves_in_step_with_the_main_window(moving: Player) -> None:
    player = moving
    fight = seated(player, alone())
    shown = opened(player)
    assert shown.view is not None
    together = 0
    for _ in range(40):
        if fight.plan is not None and not fight.behind:
            fight.deeds.act(decided(fight.match, fight.plan.decision))
        player.turn(1, 0.05)
        if fight.view.busy and fight.eyes.sides == ("heroes",):
            together += shown.view.busy
            spots = {m.id: fight.view.animator.spot(m.id) for m in fight.board.miniatures}
            assert spots == {name: shown.view.animator.spot(name) for name in spots}
        assert fight.view.busy or not shown.view.busy
    assert together > 3


def test_what_the_main_window_shows_before_it_waits_for_that(moving: Player) -> None:
    player = moving
    fight = seated(player, alone())
    shown = opened(player)
    assert shown.view is not None
    script = fight.view.animator
    assert fight.plan is not None
    fight.deeds.act(decided(fight.match, fight.plan.decision))
    player.turn(1, 0.01)
    for event, start in zip(shown.view.animator.played, shown.view.animator.starts, strict=True):
        theirs = next(s for e, s in zip(script.played, script.starts, strict=True) if e is event)
        assert start >= theirs - 1e-9


def test_what_was_taken_back_is_gone_from_it(player: Player) -> None:
    fight = seated(player, alone())
    shown = opened(player)
    assert fight.plan is not None and shown.view is not None
    before, drawn = seen_in(shown), shown.view.ground.veil.sight
    moves = [a for a in fight.match.legal(fight.plan.decision) if a.path]
    far = max(moves, key=lambda action: len(action.path))
    fight.deeds.act(far)
    player.turn(2, 0.1)
    assert seen_in(shown) != before
    fight.match.history.rewind(0)
    fight.telling.change_past()
    fight.refresh()
    player.turn(1)
    assert seen_in(shown) == before
    assert shown.view.ground.veil.sight == drawn


def test_in_a_fight_without_fog_it_still_shows_what_a_hero_sees_unless_that_is_turned_off(player: Player) -> None:
    seated(player, alone(options={"fog": False}))
    shown = opened(player)
    assert {name for name, _ in seen_in(shown)} == {"ada", "bruno"}
    player.app.settings.players.strict = False
    player.turn(1)
    assert {name for name, _ in seen_in(shown)} == {"ada", "bruno", "zugg", "yark"}


def test_names_are_in_nothing_that_is_drawn_unless_they_are_asked_for(moving: Player) -> None:
    seated(moving, alone())
    shown = opened(moving)
    assert shown.view is not None and shown.view.board is not None
    assert {mini.name for mini in shown.view.board.miniatures} == {""}
    bare = pygame.image.tobytes(picture(shown), "RGB")
    moving.app.settings.players.names = True
    moving.turn(1)
    assert {mini.name for mini in shown.view.board.miniatures} == {"Ada", "Bruno"}
    assert pygame.image.tobytes(picture(shown), "RGB") != bare


def at_rest(moving: Player) -> tuple[PlayersTable, Players]:
    """The players' window with all drawn that there is to draw."""
    seated(moving, alone())
    shown, second = opened(moving), moving.app.second
    for number in range(30):
        moving.turn(1, 0.1)
        second.draw(1000.0 + number)
    return shown, second


def test_nothing_is_drawn_while_nothing_changes(moving: Player) -> None:
    shown, second = at_rest(moving)
    drawn = 0
    for number in range(30):
        moving.app.tick(0.05)
        drawn += second.draw(2000.0 + number)
    assert drawn == 0 and not shown.dirty and second.pace(3000.0) is None


def test_what_lingers_unchanged_asks_for_no_turn_at_once(moving: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice that lie on the table still are drawn already: the loop has nothing to do until they go."""
    shown, second = at_rest(moving)
    monkeypatch.setattr(Animator, "lingers", True)
    assert shown.moving and not shown.dirty
    assert second.pace(3000.0) == FRAME
    shown.dirty = True
    assert second.pace(3000.0) == 0.0


def test_it_is_drawn_twenty_times_a_second_at_most(moving: Player) -> None:
    seated(moving, alone())
    shown = opened(moving)
    second, drawn = moving.app.second, 0
    for number in range(100):
        shown.dirty = True
        drawn += second.draw(5000.0 + number / 100)
    assert 18 <= drawn <= 21


# -- in the replay, and where an encounter is prepared


def test_a_replay_shows_the_past_as_the_heroes_knew_it(player: Player) -> None:
    fight = seated(player, alone())
    shown = opened(player)
    start = seen_in(shown)
    for _ in range(3):
        if fight.plan is not None:
            fight.deeds.act(decided(fight.match, fight.plan.decision))
            player.turn(1)
    now = seen_in(shown)
    fight.do("replay")
    replay = player.app.top
    assert isinstance(replay, Replay)
    replay.go(0)
    player.turn(1)
    assert seen_in(shown) == start
    replay.go(replay.last)
    player.turn(1)
    assert seen_in(shown) >= now or replay.last > 3


def test_in_prepare_an_encounter_it_shows_the_opening_as_the_heroes_would_see_it(
    player: Player, tmp_path: Path
) -> None:
    path = tmp_path / "ambush.json"
    path.write_text(json.dumps(alone()), encoding="utf-8")
    player.app.navigator.prepare(path)
    setup = player.app.top
    assert isinstance(setup, Setup)
    shown = opened(player)
    player.turn(2)
    assert len(setup.editor.draft.pieces) == 4
    assert {name for name, _ in seen_in(shown)} == {"ada", "bruno"}


# -- the remote


def laid(player: Player) -> tuple[Fight, PlayersTable, Remote]:
    """A fight with the players' window and its remote."""
    fight = seated(player, alone())
    shown = opened(player)
    player.key(pygame.K_o, SHIFTED)
    assert isinstance(player.app.top, Remote)
    return fight, shown, player.app.top


def painted(player: Player, fight: Fight, tool: int, spots: list[tuple[int, int]]) -> None:
    """A stroke of a brush one space wide, by mouse."""
    remote = player.app.top
    assert isinstance(remote, Remote)
    player.key(tool)
    remote.width = 1
    places = [fight.camera.space_rect(spot).center for spot in spots]
    player.move(places[0])
    player.button(places[0], down=True)
    for place in places:
        player.move(place)
    player.button(places[-1], down=False)


def ground(fight: Fight, *spots: tuple[int, int]) -> Bitboard:
    return board_of([fight.match.field.cell(*spot) for spot in spots])


def test_the_brush_hides_ground_with_who_stands_there_but_no_hero(player: Player) -> None:
    fight, shown, _ = laid(player)
    player.app.settings.players.strict = False
    painted(player, fight, pygame.K_h, [(1, 1), (2, 1), (3, 1)])
    assert fight.match.brush() == Brush(hidden=ground(fight, (1, 1), (2, 1), (3, 1)))
    player.turn(1)
    assert shown.view is not None and shown.view.ground.veil.sight is not None
    assert not shown.view.ground.veil.sight.ever & ground(fight, (1, 1), (2, 1), (3, 1))
    assert ("ada", 17) in seen_in(shown), "a hero stays, wherever the brush went"


def test_the_brush_reveals_ground_but_nobody_on_it(player: Player) -> None:
    fight, shown, _ = laid(player)
    painted(player, fight, pygame.K_r, [(5, 5), (6, 5)])
    fight.match.keep_brush(Brush(shown=ground(fight, (13, 1), (13, 2), (12, 1))))
    player.turn(1)
    assert shown.view is not None and shown.view.ground.veil.sight is not None
    assert shown.view.ground.veil.sight.ever & ground(fight, (13, 1))
    assert not shown.view.ground.veil.sight.now & ground(fight, (13, 1))
    assert {name for name, _ in seen_in(shown)} == {"ada", "bruno"}


def test_strokes_can_be_taken_back_and_a_rewind_leaves_them(player: Player) -> None:
    fight, *_ = laid(player)
    painted(player, fight, pygame.K_h, [(2, 2)])
    painted(player, fight, pygame.K_h, [(3, 3)])
    assert fight.match.brush().hidden == ground(fight, (2, 2), (3, 3))
    player.key(pygame.K_z, pygame.KMOD_LCTRL)
    assert fight.match.brush().hidden == ground(fight, (2, 2))
    player.key(pygame.K_ESCAPE)
    player.key(pygame.K_RETURN, pygame.KMOD_LCTRL)
    fight.match.history.rewind(0)
    assert fight.match.brush().hidden == ground(fight, (2, 2))


def test_what_was_painted_is_saved_with_the_fight_and_nothing_where_nothing_was(player: Player) -> None:
    fight, _, _ = laid(player)
    assert "brushed" not in records.document(fight.match.record)
    cells = ground(fight, (14, 1), (1, 2), (2, 2), (3, 2))
    fight.match.keep_brush(Brush(shown=cells, hidden=ground(fight, (5, 5))))
    written = json.loads(json.dumps(records.document(fight.match.record)))
    assert written["brushed"] == {"shown": [[14, 1, 1], [1, 2, 3]], "hidden": [[5, 5, 1]]}
    again = Match.from_record(written)
    assert again.brush() == fight.match.brush()
    written["brushed"]["shown"] = [[3000, 1, 9], [15, 1, 9], [1, 999, 1]]
    assert Match.from_record(written).brush().shown == ground(fight, (15, 1)), "what lies beyond the map is no ground"


def test_the_frame_is_dragged_and_then_stays(player: Player) -> None:
    fight, shown, remote = laid(player)
    assert remote.tool is Tool.FRAME and shown.view is not None
    shown.hold(8.0, 3.0, 200)
    before, start = shown.view.camera.centre_of_view, fight.camera.space_rect((8, 3)).center
    player.move(start)
    player.button(start, down=True)
    player.move((start[0] - 2 * fight.camera.zoom, start[1]))
    player.button((start[0] - 2 * fight.camera.zoom, start[1]), down=False)
    after = shown.view.camera.centre_of_view
    assert after[0] == pytest.approx(before[0] - 2, abs=0.1) and after[1] == pytest.approx(before[1], abs=0.1)
    assert player.app.settings.players.follow is Follow.HELD


def test_following_this_board_it_looks_where_that_looks_and_push_does_so_once(player: Player) -> None:
    fight, shown, _ = laid(player)
    player.key(pygame.K_2)
    assert shown.view is not None
    fight.camera.set_zoom(90)
    fight.camera.pan(-60, 10)
    player.turn(1)
    assert shown.view.camera.centre_of_view == pytest.approx(fight.camera.centre_of_view, abs=0.05)
    player.key(pygame.K_3)
    held = shown.view.camera.centre_of_view
    fight.camera.pan(40, 0)
    player.turn(1)
    assert shown.view.camera.centre_of_view == held
    player.key(pygame.K_v, SHIFTED)
    assert shown.view.camera.centre_of_view == pytest.approx(fight.camera.centre_of_view, abs=0.05)
    assert player.app.settings.players.follow is Follow.HELD


def test_dark_is_black_to_the_last_pixel(player: Player) -> None:
    _, shown, _ = laid(player)
    player.key(pygame.K_b, SHIFTED)
    assert not any(pygame.image.tobytes(picture(shown), "RGB"))
    player.key(pygame.K_b, SHIFTED)
    assert any(pygame.image.tobytes(picture(shown), "RGB"))


def test_turned_by_a_quarter_it_is_the_same_picture_turned(player: Player) -> None:
    seated(player, alone())
    shown = opened(player)
    shown.settings.order = False
    shown.restyle()
    shown.hold(4.0, 3.0, 40)
    player.turn(1)
    upright = picture(shown)
    shown.settings.turn = 2
    shown.restyle()
    shown.hold(4.0, 3.0, 40)
    over_ = pygame.transform.rotate(picture(shown), 180)
    assert pygame.image.tobytes(over_, "RGB") == pygame.image.tobytes(upright, "RGB")
    shown.settings.turn = 1
    shown.restyle()
    assert shown.view is not None
    assert shown.view.camera.viewport.size == (shown.size[1], shown.size[0])


def test_a_space_is_as_many_pixels_as_an_inch(player: Player) -> None:
    _, shown, remote = laid(player)
    player.app.settings.players.inch = 184
    player.press("A space is one inch")
    player.turn(1)
    assert shown.view is not None and shown.view.camera.zoom == 184
    assert not shown.ruler
    player.press("Ruler on the players' screen")
    assert shown.ruler and remote.dirty


def test_the_tab_of_the_frame_opens_the_remote_and_drags_the_frame(player: Player) -> None:
    fight = seated(player, alone())
    shown = opened(player)
    player.app.draw()
    tab = player.app.second._tab
    assert tab is not None and shown.view is not None
    shown.hold(8.0, 3.0, 200)
    before = shown.view.camera.centre_of_view
    player.button(tab.center, down=True)
    player.move((tab.centerx + 3 * fight.camera.zoom, tab.centery))
    player.button((tab.centerx + 3 * fight.camera.zoom, tab.centery), down=False)
    assert shown.view.camera.centre_of_view[0] == pytest.approx(before[0] + 3, abs=0.1)
    assert player.app.top is fight
    player.app.draw()
    tab = player.app.second._tab
    assert tab is not None
    player.click(tab.center)
    assert isinstance(player.app.top, Remote)
