"""The forecast in the window, driven by posted events: live while it is looked at, gone when it is left."""

from __future__ import annotations

import copy
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from threading import Event
from threading import enumerate as enumerate_threads

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.fight.match import Match
from game.forecast import Forecast
from game.forecast import session as background
from game.forecast.group_sequential import needed
from game.forecast.play import Batch, Task, Trial, Unwanted, play
from game.forecast.session import Background
from game.forecast.simulate import Difference, simulate, variants
from game.forecast.threat import ENOUGH, threat_of, word_for
from game.scenes.choose.scene import Choose, Verdict
from game.scenes.dialogs.help import Help
from game.scenes.dialogs.panels import Menu, Message
from game.scenes.dialogs.reference import Reference
from game.scenes.forecast.board import Glance
from game.scenes.forecast.figures import CreatureLine, VariantLine, percent, whole_points
from game.scenes.forecast.scene import ForecastScene
from rules.core import record as records
from tests.game.player import Player
from tests.game.test_forecast import duel, rooms

ROOT = Path(__file__).resolve().parents[2]

THREADS: list[ThreadPoolExecutor] = []
"""Who plays the forecasts of the test at hand."""


@pytest.fixture
def player() -> Iterator[Player]:
    app = App((1280, 720), settings=Settings(speed=0, autosave=False, live_forecast=False))
    pygame.event.clear()
    app.navigator.title()
    player = Player(app)
    with ThreadPoolExecutor(1) as threads:
        THREADS[:] = [threads]
        yield player
        app.quit()
    pygame.event.clear()


def opened(player: Player, record: records.Record) -> ForecastScene:
    """A forecast played by a thread: sooner there than processes."""
    scene = ForecastScene(player.app, record, executor=THREADS[0])
    player.app.push(scene)
    return scene


def lines(scene: ForecastScene, kind: type) -> list:
    return [w for panel in scene.ui.live() for w in panel.walk() if isinstance(w, kind)]


def words(scene: ForecastScene) -> str:
    return scene.session.base.method


def test_figures_come_in_while_it_is_looked_at(player):
    player.app.navigator.forecast(rooms())  # with processes of its own
    scene = player.app.top
    assert isinstance(scene, ForecastScene)
    assert scene.session.base.runs == 0
    player.app.draw()
    player.until(lambda: scene.session.base.runs > 0)
    first = scene.session.base
    player.until(lambda: scene.session.base.runs > first.runs)
    player.until(lambda: scene.session.base.sides[0].wins.high - scene.session.base.sides[0].wins.low < 1)
    later = scene.session.base
    assert f"{later.runs} fights" in words(scene) and "confidence sequences" in words(scene)
    assert scene.heat.spilt() and scene.heat.hottest() == max(scene.heat.spilt().values())
    scene.dirty = False
    player.until(lambda: scene.dirty)  # news alone ask for a frame
    player.app.draw()


def test_it_plays_no_longer_than_it_is_looked_at(player):
    scene = opened(player, duel())
    player.until(lambda: scene.session.base.runs > 0)
    player.key(pygame.K_ESCAPE)
    assert player.app.top is not scene
    runs = scene.session.base.runs
    session = scene.session
    assert session.runs == 0
    for _ in range(20):
        player.turn(1)
    assert scene.session.base.runs == runs


class Failing(Executor):
    """Workers that cannot work."""

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        future: Future[object] = Future()
        future.set_exception(KeyError("spleen"))
        return future


def test_a_fault_in_a_worker_is_told_and_takes_nothing_with_it(player):
    scene = ForecastScene(player.app, duel(), executor=Failing())
    player.app.push(scene)
    player.until(lambda: player.app.top is not scene)
    assert isinstance(player.app.top, Message) and "KeyError: 'spleen'" in player.app.top.text
    player.key(pygame.K_ESCAPE)
    player.turn(4)
    assert player.app.top is scene and scene.failed in scene._progress()
    player.app.draw()
    player.key(pygame.K_ESCAPE)
    assert player.app.top is not scene


def test_pause_more_and_blood_by_keys(player):
    scene = opened(player, duel())
    player.key(pygame.K_p)
    assert scene.session.paused
    player.key(pygame.K_m)
    assert scene.session.runs == 2 * needed(0.5, 0.05) and scene.session.within is None
    assert scene.session.wanted() == scene.session.runs and f"of {scene.session.runs} fights" in scene._progress()
    assert [scene.heat.blood for _ in range(4) if player.key(pygame.K_h) is None] == ["heroes", "monsters", None, ""]
    assert scene.heat.spilt() == {} or scene.session.base.runs
    player.key(pygame.K_p)
    assert not scene.session.paused
    player.until(lambda: scene.session.base.runs > 0)


def test_a_change_is_compared_by_click_and_rests_by_another(player):
    scene = opened(player, duel())
    keys = [variant.key for variant in scene.session.variants]
    assert keys[:1] == ["surprised:heroes"] or "surprised:monsters" in keys
    line = next(w for w in lines(scene, VariantLine) if w.key == "what surprised:heroes")
    player.click(line.rect.center)
    assert scene.session.playing("surprised:heroes")
    player.until(lambda: (f := scene.session.forecast("surprised:heroes")) is not None and f.runs > 0)
    player.until(lambda: scene.session.difference("surprised:heroes", "heroes") is not None)
    change = scene.session.difference("surprised:heroes", "heroes")
    assert isinstance(change, Difference) and change.low <= change.share <= change.high
    player.app.draw()
    line = next(w for w in lines(scene, VariantLine) if w.key == "what surprised:heroes")
    player.click(line.rect.center)
    assert not scene.session.playing("surprised:heroes")
    assert isinstance(scene.session.forecast("surprised:heroes"), Forecast)  # what was counted stays


def test_all_changes_at_once_and_none(player):
    scene = opened(player, duel())
    player.press("all")
    assert all(scene.session.playing(v.key) for v in scene.session.variants)
    player.press("all")
    assert not any(scene.session.playing(v.key) for v in scene.session.variants)


def test_by_keys_alone_to_a_creature_and_a_change(player):
    scene = opened(player, duel())
    for _ in range(60):
        player.key(pygame.K_TAB)
        if isinstance(scene.ui.focus, CreatureLine):
            break
    assert isinstance(scene.ui.focus, CreatureLine)
    player.key(pygame.K_RETURN)
    assert scene.heat.marked == scene.ui.focus.key.removeprefix("creature ")
    for _ in range(60):
        player.key(pygame.K_TAB)
        if isinstance(scene.ui.focus, VariantLine):
            break
    key = scene.ui.focus.key.removeprefix("what ")
    player.key(pygame.K_RETURN)
    assert scene.session.playing(key)
    assert scene.ui.focus is not None and scene.ui.focus.key == f"what {key}"  # where it was, though all was rebuilt


def test_the_board_zooms_about_the_pointer_and_pans(player):
    scene = opened(player, rooms())
    camera = scene.heat.camera
    spot = camera.space_rect(scene.heat.field.cell(4, 2)).center
    player.move(spot)
    zoom = camera.zoom
    pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=2, flipped=False))
    player.turn()
    assert camera.zoom > zoom and camera.to_cell(spot) == scene.heat.field.cell(4, 2)
    origin = camera.origin
    player.button(spot, 2, down=True)
    pygame.event.post(
        pygame.event.Event(pygame.MOUSEMOTION, pos=(spot[0] + 30, spot[1]), rel=(30, 0), buttons=(0, 1, 0))
    )
    player.turn(1)
    player.button((spot[0] + 30, spot[1]), 2, down=False)
    assert camera.origin == (origin[0] + 30, origin[1])
    player.key(pygame.K_0)
    assert camera.zoom == zoom


def test_it_opens_on_those_who_fight_and_the_whole_map_is_a_key_away(player):
    record = rooms()
    assert record.map.rows is not None
    wide = {"rows": [row + "#" * 40 for row in record.map.rows]}
    scene = opened(player, record.model_copy(update={"map": type(record.map)(**wide)}))
    camera = scene.heat.camera
    first = camera.zoom
    assert all(camera.free.contains(camera.space_rect(mini.cell)) for mini in scene.heat.board.miniatures)
    player.key(pygame.K_0)
    assert camera.zoom < first


def test_a_tooltip_that_stays_open_tells_the_figures_of_now(player):
    scene = opened(player, rooms())
    line = lines(scene, VariantLine)[1]
    player.move(line.rect.center)
    assert scene.ui.tip is not None and "Plays the encounter" in scene.ui.tip.text
    line.press()
    player.until(lambda: scene.ui.tip is not None and "fights, lose" in scene.ui.tip.text)


def begun() -> records.Record:
    """A fight in which something was done."""
    match = Match.from_record(duel().model_copy(deep=True))
    assert match.decision is not None
    match.act(match.decision, list(match.legal(match.decision))[-1])
    return match.record


def test_a_fight_is_foreseen_from_where_it_stands_or_from_its_start(player):
    record = begun()
    before = copy.deepcopy(record)
    scene = opened(player, record)
    assert scene.session.here and not scene.session.variants
    player.until(lambda: scene.session.base.runs > 0)
    assert scene.session.base.begins == "here"
    player.key(pygame.K_f)
    assert not scene.session.here and scene.session.variants
    player.until(lambda: scene.session.base.runs > 0)
    assert scene.session.base.begins == "start"
    player.press("From here on")
    assert scene.session.here
    assert record == before


def test_a_fight_that_is_over_is_told_in_a_dialog(player):
    data = records.document(duel())
    player.app.navigator.forecast({**data, "creatures": data["creatures"][:1]})
    assert isinstance(player.app.top, Message) and "over" in player.app.top.text


@pytest.mark.parametrize("fog", [False, True])
def test_a_fight_is_foreseen_from_its_menu_where_nothing_is_secret(player, fog):
    player.app.navigator.begin(records.document(records.read({**records.document(duel()), "options": {"fog": fog}})))
    fight = player.app.top
    player.key(pygame.K_ESCAPE)
    if not isinstance(player.app.top, Menu):
        player.key(pygame.K_ESCAPE)
    assert isinstance(player.app.top, Menu)
    if fog:
        with pytest.raises(AssertionError, match="no button"):
            player.press("Forecast")
        return
    player.press("Forecast")
    assert isinstance(player.app.top, ForecastScene)
    player.key(pygame.K_ESCAPE)
    assert player.app.top is fight


def test_from_the_choice_of_a_fight(player):
    player.app.navigator.choose()
    assert isinstance(player.app.top, Choose)
    player.press("Forecast")
    scene = player.app.top
    assert isinstance(scene, ForecastScene)
    assert not scene.session.here
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.app.top, Choose)


def test_the_choice_of_a_fight_tells_its_threat_by_fights_that_were_played(player):
    player.app.navigator.choose()
    scene = player.app.top
    (verdict,) = lines(scene, Verdict)
    assert re.fullmatch(r"Threat about \d+: an? \w+ fight", verdict.said)
    record, _ = scene.glance._told()
    assert {str(c["side"]) for c in record.creatures} == {"heroes", "monsters"}
    scene.glance.forecast, scene.glance.side = simulate(rooms(), ENOUGH - 1, turn_limit=1), "heroes"
    assert "about" in verdict.said, "too few fights to say so"
    found = scene.glance.forecast = simulate(rooms(), ENOUGH, turn_limit=1)
    figure = threat_of(found, "heroes")
    assert verdict.said == f"Threat {figure:.0f}: {word_for(figure)}"
    assert f"{ENOUGH} fights" in verdict.tip_at(verdict.rect.center).text
    player.app.draw()
    scene.foes = {}
    scene.rebuild()
    assert scene.glance._told() is None and scene.glance.forecast is None


def test_whoever_begins_the_fight_is_left_in_peace_by_the_forecast(player):
    player.app.settings.live_forecast = True
    player.app.navigator.choose()
    glance = player.app.top.glance
    assert glance.pace() is not None
    player.press("Begin")
    assert glance.pace() is None and glance._trial is None


def test_the_threat_of_a_forecast_is_the_chance_to_lose_and_what_nobody_wins_counts_half():
    for limit in (20, 2):
        found = simulate(duel(), 30, turn_limit=limit)
        wins = {side.side: side.wins.share for side in found.sides}
        open_ = 1 - sum(wins.values())
        heroes, monsters = (threat_of(found, side) for side in ("heroes", "monsters"))
        assert heroes == pytest.approx(100 * (wins["monsters"] + open_ / 2), abs=0.1)
        assert heroes + monsters == pytest.approx(100, abs=0.2)
    assert open_ > 0


@pytest.mark.parametrize("size", [(640, 400), (860, 500), (1280, 720), (1920, 1080)])
def test_panels_lie_beside_each_other_inside_the_window(size):
    app = App(size, settings=Settings(speed=0))
    app.navigator.title()
    app.navigator.forecast(rooms())
    scene = app.top
    assert isinstance(scene, ForecastScene)
    rects = [panel.rect for panel, _ in scene.ui.layers if panel is not scene.heat]
    window = pygame.Rect((0, 0), size)
    for number, rect in enumerate(rects):
        assert window.contains(rect) and rect.height > 40
        assert rect.collidelist(rects[number + 1 :]) == -1
    assert scene.heat.camera.free.height > 60
    app.draw()
    app.quit()


def test_a_small_window_shows_one_panel_at_a_time():
    app = App((640, 400), settings=Settings(speed=0))
    app.navigator.title()
    with ThreadPoolExecutor(1) as threads:
        scene = ForecastScene(app, duel(), executor=threads)
        app.push(scene)
        player = Player(app)
        player.turn()
        assert not lines(scene, VariantLine) and not lines(scene, CreatureLine)
        player.press("Creatures")
        assert lines(scene, CreatureLine)
        player.press("What if")
        player.press("what surprised:monsters")
        assert scene.session.playing("surprised:monsters")
        player.press("blood")
        assert scene.heat.blood == "heroes"
        app.quit()


def test_a_glance_begins_anew_with_what_is_on_the_table(player):
    player.app.settings.live_forecast = True
    table: list[records.Record | None] = [None]
    glance = Glance(player.app, lambda: None if table[0] is None else (table[0], None), executor=THREADS[0])

    def passes() -> bool:
        glance.update(0.3)
        return glance.forecast is not None

    glance.changed()
    assert glance.pace() is None  # nothing can be played yet
    table[0] = duel()
    glance.changed()
    player.until(passes)
    first = glance.forecast
    glance.changed()  # nothing did
    assert glance.forecast is first and glance.side == "heroes"
    table[0] = variants(duel())[0].change(duel())
    glance.changed()
    assert glance.forecast is None
    player.until(passes)
    table[0] = None
    glance.changed()
    assert glance.forecast is None and glance.pace() is None
    table[0] = duel()
    glance.changed()
    glance.close()
    for _ in range(8):
        glance.update(0.3)
        player.turn(1)
    assert glance.forecast is None


def test_figures_in_words():
    assert [percent(s) for s in (0.0, 0.001, 0.499, 0.999, 1.0)] == ["0 %", "1 %", "50 %", "99 %", "100 %"]
    assert [whole_points(s) for s in (0.041, -0.22, 0.004, -0.004)] == ["+4", "−22", "±0", "±0"]


ENDING = """
import time
from game.app import window as closing
from game.forecast import session as background

def long() -> None:
    time.sleep(120)

if __name__ == "__main__":
    running = background._shared.executor().submit(long)
    while not running.running():
        time.sleep(0.01)
    closing.close()
"""


LEFT = """
import atexit, sys

atexit.register(lambda: sys.stderr.write("" if background._shared._pool is None else "left open"))  # called last
from game.forecast import session as background

if __name__ == "__main__":
    background._shared.executor().submit(len, "a").result()
"""


def ended(script: Path, text: str) -> str:
    """What a program says on its way out."""
    script.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=60,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0
    return done.stderr


@pytest.mark.parametrize("text", [ENDING, LEFT], ids=["with the window", "with the program"])
def test_fights_that_are_still_played_end_quietly(tmp_path: Path, text: str) -> None:
    assert ended(tmp_path / "ending.py", text) == ""


class Slow(Executor):
    """Plays for ever, and never says so."""

    def __init__(self) -> None:
        self.ended = False

    def submit(self, fn: object, /, *arguments: object, **more: object) -> Future[object]:  # type: ignore[override]
        future: Future[object] = Future()
        future.set_running_or_notify_cancel()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.ended = True


def test_what_nobody_waits_for_any_more_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pools: list[Slow] = []

    def made(jobs: int) -> Slow:
        pools.append(Slow())
        return pools[-1]

    monkeypatch.setattr(background, "process_pool", made)
    monkeypatch.setattr(background, "active_children", list)
    monkeypatch.setattr(background, "_shared", background._Pool())
    one, other = Background(lambda: None), Background(lambda: None)
    trial = Trial.of(duel())
    one.start(trial, 10)
    other.start(trial, 10)
    one.close()
    assert not pools[0].ended, "the other waits for it"
    other.close()
    assert pools[0].ended
    one.start(trial, 10)
    assert len(pools) == 2 and not pools[1].ended
    one.close()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that never come back with anything."""
    monkeypatch.setattr(background, "process_pool", lambda jobs: Slow())
    monkeypatch.setattr(background, "active_children", list)
    monkeypatch.setattr(background, "_shared", background._Pool())


@pytest.mark.usefixtures("slow")
def test_the_first_fight_waits_for_no_process() -> None:
    news = Event()
    one, trial = Background(news.set), Trial.of(duel())
    one.start(trial, 10)
    assert news.wait(20) and one.collect()
    assert one.counts[0] == play(Task(trial.encounter, trial.seed, 0, 1, trial.turn_limit)).counts
    one.take(0, play(Task(trial.encounter, trial.seed, 0, 1, trial.turn_limit)))  # a process has played it as well
    assert one.counts[0].number == 1
    one.close()


@pytest.mark.usefixtures("slow")
def test_a_first_fight_that_nobody_wants_any_more_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, left = Event(), list[BaseException]()

    def waiting(task: Task, wanted: Callable[[], bool]) -> Batch:
        asked.wait(20)
        try:
            return play(task, wanted)
        except BaseException as error:
            left.append(error)
            raise

    monkeypatch.setattr(background, "play", waiting)
    one, trial = Background(lambda: None), Trial.of(duel())
    one.start(trial, 10)
    one.close()
    asked.set()
    for thread in (each for each in enumerate_threads() if each.name == background.FIRST):
        thread.join(20)
    assert [type(error) for error in left] == [Unwanted]
    assert not one.collect() and not one.counts[0].number


class Untouched(Slow):
    """Keeps what it was given waiting."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[Future[object]] = []

    def submit(self, fn: object, /, *arguments: object, **more: object) -> Future[object]:  # type: ignore[override]
        self.given.append(Future())
        return self.given[-1]


def test_a_pool_whose_processes_may_end_any_moment_finds_nothing_cancelled_by_others() -> None:
    """A future cancelled behind the back of a pool that breaks is a traceback out of its thread."""
    pool = Untouched()
    one, trial = Background(lambda: None, executor=pool), Trial.of(duel())
    one.start(trial, 10)
    one.start(trial, 10)
    one.close()
    assert len(pool.given) >= 2
    assert not any(future.cancelled() for future in pool.given)


def test_over_the_comparison_of_rulesets_rules_are_looked_up_and_help_is_searched(player):
    opened(player, duel()).rulesets()
    player.key(pygame.K_F3)
    assert isinstance(player.app.top, Reference)
    player.key(pygame.K_F3)
    player.app.navigator.help()
    help_ = player.app.top
    assert isinstance(help_, Help)
    help_.search("keys")
    assert player.app.top is help_
