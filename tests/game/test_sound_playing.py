"""Sounds as they are played: fetched beside the window, as loud as the settings say, one loop into the next."""

from __future__ import annotations

import json
import time
import wave
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from game.app.settings import Settings, load_settings, settings_path
from game.app.sounds import AT_ONCE, CALM, KEPT, Backdrop, Sounds
from game.app.soundshelf import EFFECTS, Shelf, own_file
from game.app.window import WAKE
from game.sound import make
from game.sound.waves import RATE

FRAME = 0.004
"""Seconds that nothing here may take of a frame."""


def silence(seconds: float = 0.2) -> pygame.mixer.Sound:
    return pygame.mixer.Sound(buffer=bytes(4 * int(seconds * RATE)))


class Fetched(Shelf):
    """Notes what it is asked for; the test delivers."""

    def __init__(self, sounds: Sounds) -> None:
        super().__init__(sounds.deliver)
        self.names: list[str] = []

    def ask(self, *names: str) -> None:
        self.names += [name for name in names if name != EFFECTS]


@pytest.fixture
def sounds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Sounds]:
    monkeypatch.setenv("BATTLEMAT_HOME", str(tmp_path))
    monkeypatch.setattr("game.app.sounds.Shelf", lambda deliver: Fetched(deliver.__self__))
    made = Sounds(Settings())
    made.begin(to_memory=True)
    yield made
    made.close()


def shelf(sounds: Sounds) -> Fetched:
    assert isinstance(sounds._shelf, Fetched)
    return sounds._shelf


def test_nothing_is_heard_or_opened_where_only_memory_would_listen() -> None:
    pygame.mixer.quit()
    sounds = Sounds(Settings())
    sounds.begin()
    sounds.surround(Backdrop("crypt dark", "exploring"))
    assert not sounds.play("hit")
    assert pygame.mixer.get_init() is None


def test_all_turned_down_or_off_opens_no_sound_card() -> None:
    pygame.mixer.quit()
    for settings in (Settings(volume=0, ambience=0, music=0), Settings(sound=False)):
        sounds = Sounds(settings)
        sounds.begin(to_memory=True)
        sounds.surround(Backdrop("crypt dark"))
        assert pygame.mixer.get_init() is None


def test_without_a_sound_card_there_is_silence_without_a_word(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    pygame.mixer.quit()
    monkeypatch.setenv("SDL_AUDIODRIVER", "there-is-no-such-driver")
    sounds = Sounds(Settings())
    sounds.begin()
    sounds.surround(Backdrop("crypt dark", "title"))
    assert not sounds.play("hit")
    assert sounds._shelf is None  # nor is anything made that nobody can hear
    sounds.close()
    assert capfd.readouterr() == ("", "")


def test_a_short_sound_is_heard_once_it_is_made(sounds: Sounds) -> None:
    assert not sounds.play("dice")
    sounds.deliver("effect dice", silence())
    assert sounds.play("dice")
    assert not sounds.play("a sound that nobody made")


def test_the_same_sound_never_rattles_and_few_are_heard_at_once(
    sounds: Sounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000]
    monkeypatch.setattr("pygame.time.get_ticks", lambda: now[0])
    names = [f"sound {n}" for n in range(AT_ONCE + 1)]
    for name in names:
        sounds.deliver(f"effect {name}", silence(5))
    assert [sounds.play(name) for name in (*names[:1], *names)] == [True, False, True, True, False]
    now[0] += 1000
    assert not sounds.play(names[0])  # all channels are busy still


def test_a_place_is_fetched_and_begins_when_it_comes_and_the_next_fades_over_it(sounds: Sounds) -> None:
    ambience, music = sounds._tracks
    sounds.surround(Backdrop("crypt dark", "exploring"))
    assert shelf(sounds).names[:2] == ["ambience crypt dark", "music exploring"]
    assert set(shelf(sounds).names[2:]) == {"music fight", "ambience crypt lit"}  # what may be wanted next
    assert ambience.playing == music.playing == ""
    sounds.deliver("ambience crypt dark", silence(9))
    assert (ambience.playing, music.playing) == ("ambience crypt dark", "")
    sounds.deliver("music exploring", silence(9))
    assert music.playing == "music exploring"
    assert [pygame.mixer.Channel(n).get_busy() for n in range(AT_ONCE, AT_ONCE + 4)].count(True) == 2
    sounds.surround(Backdrop("crypt dark", "fight"))
    sounds.deliver("music fight", silence(9))
    assert (ambience.playing, music.playing) == ("ambience crypt dark", "music fight")
    assert [pygame.mixer.Channel(n).get_busy() for n in range(AT_ONCE + 2, AT_ONCE + 4)] == [True, True]  # fading


def test_a_place_in_another_light_and_the_quiet_after_a_fight_take_their_time_and_danger_does_not(
    sounds: Sounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000]
    monkeypatch.setattr("pygame.time.get_ticks", lambda: now[0])
    fight, quiet = Backdrop("crypt dark", "fight"), Backdrop("crypt dark", "exploring")
    sounds.surround(fight)
    assert sounds._backdrop == fight
    sounds.surround(quiet)
    now[0] += CALM - 1
    sounds.surround(quiet)
    assert sounds._backdrop == fight
    sounds.surround(fight)  # it begins anew: nothing had changed
    now[0] += CALM
    sounds.surround(quiet)
    assert sounds._backdrop == fight
    now[0] += CALM
    sounds._ease()  # the timer, in a window that rests
    assert sounds._backdrop == quiet
    sounds.surround(Backdrop("crypt lit", "exploring"))
    assert sounds._backdrop == quiet
    sounds.surround(Backdrop("crypt lit", "fight"))
    assert sounds._backdrop == Backdrop("crypt lit", "fight")  # danger is heard at once
    sounds.surround(Backdrop("cave lit", "fight"))
    assert sounds._backdrop.ambience == "cave lit"  # and so is another place


def test_what_comes_too_late_is_not_begun(sounds: Sounds) -> None:
    sounds.surround(Backdrop("crypt dark"))
    sounds.surround(Backdrop("wood lit"))
    sounds.deliver("ambience crypt dark", silence())
    assert sounds._tracks[0].playing == ""


def test_settings_turn_each_kind_up_and_down_at_once_and_one_key_turns_all_off(sounds: Sounds) -> None:
    s = sounds.settings
    sounds.surround(Backdrop("crypt dark", "exploring"))
    bed, tune = silence(9), silence(9)
    sounds.deliver("ambience crypt dark", bed)
    sounds.deliver("music exploring", tune)
    assert (round(bed.get_volume(), 1), round(tune.get_volume(), 1)) == (0.3, 0.2)  # quiet by default
    s.ambience = 80
    sounds.change()
    assert round(bed.get_volume(), 1) == 0.8
    s.music = 0
    sounds.change()
    assert [track.playing for track in sounds._tracks] == ["ambience crypt dark", ""]
    s.sound = False
    sounds.change()
    sounds.deliver("effect hit", silence())
    assert [track.playing for track in sounds._tracks] == ["", ""] and not sounds.play("hit")
    s.sound, s.music = True, 20
    sounds.change()
    assert [track.playing for track in sounds._tracks] == ["ambience crypt dark", "music exploring"]
    assert sounds.play("hit")


def test_the_music_of_an_end_is_heard_once(sounds: Sounds) -> None:
    sounds.surround(Backdrop(music="won"))
    sounds.deliver("music won", silence(0.05))
    channel = pygame.mixer.Channel(AT_ONCE + 2 + sounds._tracks[1]._side)
    began = time.monotonic()
    while channel.get_busy() and time.monotonic() - began < 5:
        time.sleep(0.01)
    assert not channel.get_busy()
    sounds.change()
    assert not channel.get_busy()  # nor again, whatever is turned up meanwhile


def test_few_loops_are_kept(sounds: Sounds) -> None:
    for n in range(3 * KEPT):
        sounds.deliver(f"ambience {n} lit", silence())
    assert len(sounds._loops) <= KEPT + 1


def test_a_backdrop_that_stays_costs_next_to_nothing(sounds: Sounds) -> None:
    place = Backdrop("crypt dark", "exploring")
    sounds.surround(place)
    began = time.perf_counter()
    for _ in range(1000):
        sounds.surround(Backdrop("crypt dark", "exploring"))
    assert (time.perf_counter() - began) / 1000 < 20e-6


def written(path: Path, seconds: float) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(bytes(4 * int(seconds * RATE)))


def test_fetching_and_beginning_a_loop_stalls_no_frame(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A minute of music from the cache: all that the window's own thread does stays under four milliseconds."""
    monkeypatch.setenv("BATTLEMAT_HOME", str(tmp_path))
    written(make.file_of("music exploring"), 60)
    if not pygame.display.get_init():
        pygame.display.init()
    sounds = Sounds(Settings(volume=0, ambience=0))
    sounds.begin(to_memory=True)
    longest, began = 0.0, time.monotonic()
    try:
        while sounds._tracks[1].playing == "" and time.monotonic() - began < 20:
            start = time.perf_counter()
            sounds.surround(Backdrop(music="exploring"))
            for event in pygame.event.get(WAKE):
                event.call()
            longest = max(longest, time.perf_counter() - start)
            time.sleep(0.001)
        assert sounds._tracks[1].playing == "music exploring"
        assert longest < 3 * FRAME  # of a busy machine; by itself it takes a tenth of FRAME
    finally:
        sounds.close()


def test_what_is_missing_is_made_in_a_process_of_its_own_and_then_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BATTLEMAT_HOME", str(tmp_path))
    (tmp_path / "sitecustomize.py").write_text("import os\nos.nice = int\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))  # beside busy tests it would be let last, for minutes
    if not pygame.display.get_init():
        pygame.display.init()
    pygame.event.clear(WAKE)
    pygame.mixer.init(RATE, -16, 2, 512)
    found: list[str] = []
    each = Shelf(lambda name, sound: found.append(f"{name}: {sound.get_length():.0f}"))
    each.ask("music won", "music won")
    began = time.monotonic()
    while not found and time.monotonic() - began < 60:
        for event in pygame.event.get(WAKE):
            event.call()
        time.sleep(0.02)
    each.close()
    pygame.mixer.quit()
    assert found == ["music won: 12"]
    assert make.file_of("music won").is_file()


def test_a_file_of_the_players_own_is_heard_in_place_of_ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BATTLEMAT_HOME", str(tmp_path))
    assert own_file("music title") is None
    path = tmp_path / "sound" / "music-title.wav"
    written(path, 0.1)
    assert own_file("music title") == path


@pytest.mark.parametrize(("said", "heard"), [({"volume": 0}, (0, 0, 0)), ({"volume": 40}, (40, 35, 25))])
def test_whoever_had_turned_all_sound_down_before_there_was_ambience_hears_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, said: dict[str, int], heard: tuple[int, int, int]
) -> None:
    monkeypatch.setenv("BATTLEMAT_HOME", str(tmp_path))
    settings_path().write_text(json.dumps(said), encoding="utf-8")
    s = load_settings()
    assert (s.volume, s.ambience, s.music) == heard
