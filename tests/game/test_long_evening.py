"""A long evening: thousands of commands load in a moment, and the log begins where it can be read."""

from __future__ import annotations

import gc
import time
from pathlib import Path
from typing import Any

import pytest

from game.fight.match import Match, load_fight
from game.fight.viewing import Film
from game.party.orders import Going, Halt
from game.scenes.fight import events_shown
from game.scenes.fight.scene import Fight
from game.scenes.replay.playback import EARLIER_FRAMES, FAR
from game.scenes.replay.scene import Replay
from game.storage import records as storage
from rules.contract.actions import Action
from tests.game.hotseat_table import app_at
from tests.game.test_ai_delving import place
from tests.game.test_party import seen


def evening(commands: int) -> Match:
    """Four heroes who go to and fro in the fog."""
    record = place([], options={"crawl": True, "fog": True})
    record["creatures"] = [{**creature, "controller": "human"} for creature in record["creatures"]]
    match = Match.from_record(record)
    names = ["ada", "bo", "cy", "di"]
    goals = [match.field.cell(*at) for at in ((12, 2), (3, 7), (5, 1), (22, 3), (9, 6))]
    turn = 0
    while match.history.length < commands:
        start = next(mini.cell for mini in match.board().miniatures if mini.id == "ada")
        order = Going(names, goals[turn % len(goals)], "sneak", start)
        turn += 1
        for _ in range(200):
            found: Any = order.next(seen(match))
            if isinstance(found, Halt):
                break
            assert isinstance(found, Action)
            match.act(next(d for d in match.decisions if d.by == found.by), found)
    return match


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("evening") / "evening.json"
    storage.write_record(evening(2000).record, path)
    return path


def shown(path: Path) -> Fight:
    player = app_at()
    from game.scenes.fight.ways import show

    show(player.app, load_fight(path))
    player.turn(2)
    player.app.draw()
    fight = player.app.top
    assert isinstance(fight, Fight)
    return fight


def test_thousands_of_commands_are_on_screen_in_less_than_two_seconds(kept: Path) -> None:
    app_at()  # what is read once for all is read
    began = time.process_time()
    fight = shown(kept)
    assert fight.match.history.length >= 2000
    assert time.process_time() - began < 2.0


def test_the_log_of_a_very_long_evening_begins_with_its_last_part(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events_shown, "MOST_TOLD", 300)
    fight = shown(kept)
    entries = fight.telling.story.entries
    first = "".join(getattr(piece, "text", "") for piece in entries[0].pieces)
    assert first == events_shown.EARLIER
    assert 20 < len(entries) <= 301
    fight.undoing.rewind(fight.match.history.length - 40)
    assert fight.telling.story.entries[0] is entries[0]
    fight.undoing.rewind(100)
    told = ["".join(getattr(p, "text", "") for p in e.pieces) for e in fight.telling.story.entries]
    assert events_shown.EARLIER not in told and len(told) > 20, "the beginning is told again"


def test_a_film_of_the_evening_has_all_its_frames(kept: Path) -> None:
    film = Film(load_fight(kept), ("heroes",))
    assert film.length >= 2000 and film.frames[-1] == film.length


def test_the_scrubber_jumps_to_any_moment_at_once_and_the_log_follows(kept: Path) -> None:
    app = app_at()
    app.app.navigator.watch(kept)
    replay = app.app.top
    assert isinstance(replay, Replay) and replay.film.length >= 2000
    app.turn(1)
    replay.go(replay.film.length)  # all ground that was ever seen is known now
    gc.collect()
    gc.disable()  # its turn may come in any frame, and takes longer than one
    try:
        for frame in (3, 1990, 40, 1200, 700, 1900, 0, 1000):
            began = time.process_time()
            replay.go(frame)
            app.app.draw()
            assert time.process_time() - began < 0.2, frame
            assert replay.number == frame and len(replay.story.entries) <= 2 * FAR
            first = "".join(getattr(piece, "text", "") for piece in replay.story.entries[0].pieces)
            assert (first == EARLIER_FRAMES) == (frame > FAR), frame
    finally:
        gc.enable()
    replay.back()
    replay.go(1200)
    shown = [[getattr(p, "text", "") for p in entry.pieces] for entry in replay.story.entries]
    replay.go(1250)
    replay.go(1200)
    assert [[getattr(p, "text", "") for p in entry.pieces] for entry in replay.story.entries] == shown
