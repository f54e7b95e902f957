"""Sounds as they are made: even, never clipping, loops without a seam, the same every time, in tune."""

from __future__ import annotations

import math
import os
import zlib
from functools import cache
from pathlib import Path

import msgspec
import pytest

from game.content.schemas import schema_text, sound_schemas
from game.paths import asset
from game.sound import ambience, effects, make, music, waves
from game.sound.ambience import LIGHTS, Layer, loop, read_themes, themes
from game.sound.effects import DISTANCES, LEVEL, NAMES, NOISES, OWN, from_afar
from game.sound.score import Piece, Voice, allowed, notes, pitch, read_score, score, tone
from game.sound.waves import FULL, PEAK, RATE, Samples
from rules.contract.errors import BattlematError
from rules.contract.events import NoiseKind


def peak(samples: Samples) -> float:
    return max(map(abs, samples)) * FULL


@pytest.mark.parametrize("name", sorted(OWN))
def test_a_short_sound_is_as_loud_as_it_says_never_clips_and_ends_in_silence(name: str) -> None:
    wave = effects.samples(name)
    assert len(wave) == int(OWN[name].seconds * RATE)
    assert waves.decibels(waves.loudest(wave)) == pytest.approx(LEVEL + OWN[name].level, abs=1.0)
    assert peak(wave) <= PEAK
    assert peak(wave[-20:]) < PEAK * 0.01
    assert abs(sum(wave)) / len(wave) < 0.001  # no offset that would thump


def test_what_matters_more_is_louder_and_wins_where_much_is_skipped() -> None:
    assert NAMES.index("step") < NAMES.index("hit") < NAMES.index("death") < NAMES.index("danger")
    assert all(NAMES.index(f"near {kind}") < NAMES.index("step") for kind in NoiseKind)
    assert max(effect.level for effect in OWN.values()) == 0


@pytest.mark.parametrize("kind", [NoiseKind.SHOUT, NoiseKind.STEPS, NoiseKind.DOOR])
def test_a_noise_is_duller_and_fainter_the_farther_off_it_is(kind: NoiseKind) -> None:
    heard = [effects.samples(from_afar(kind, spaces)) for spaces in (4, 12, 30)]
    loud = [waves.loudest(each) for each in heard]
    assert loud[0] > 1.5 * loud[1] > 1.5 * 1.5 * loud[2]
    share = [waves.rms(waves.high(each, 1000)) / waves.rms(each) for each in heard]
    assert share[0] > share[1] > share[2]


def test_every_kind_of_noise_has_a_sound_at_every_distance() -> None:
    assert set(NOISES) == set(NoiseKind)
    assert [from_afar(NoiseKind.DOOR, n) for n in (0, 8, 9, 19, 20, 99)] == [
        "near door", "near door", "far door", "far door", "faint door", "faint door"
    ]  # fmt: skip
    assert {f"{word} {kind}" for word in DISTANCES for kind in NoiseKind} | set(OWN) == set(NAMES)


def test_a_sound_is_the_same_every_time() -> None:
    assert effects.samples("hit") == effects.samples("hit")
    assert effects.samples("hit") != effects.samples("death")


def test_a_name_that_nobody_knows_is_a_key_error() -> None:
    for wrong in ("near step", "shining", "near", "loud door"):
        with pytest.raises(KeyError):
            effects.samples(wrong)


# -- ambience


@cache
def short(theme: str, light: str) -> list[Samples]:
    return loop(msgspec.structs.replace(themes()[theme], seconds=3), light, zlib.crc32(theme.encode()))


@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("theme", ["none", "crypt", "abbey", "sewer", "cave", "wood", "tavern", "camp"])
def test_a_loop_is_even_never_clips_and_has_no_seam(theme: str, light: str) -> None:
    left, right = short(theme, light)
    assert len(left) == len(right) == 3 * RATE
    both = math.sqrt((waves.rms(left) ** 2 + waves.rms(right) ** 2) / 2)
    assert waves.decibels(both) == pytest.approx(ambience.LEVEL - (3 if light == "dark" else 0), abs=1.0)
    assert abs(waves.decibels(waves.rms(left) / waves.rms(right))) < 4  # neither ear is left out
    for channel in (left, right):
        assert peak(channel) <= PEAK
        steps = sorted(abs(a - b) for a, b in zip(channel, channel[1:], strict=False))
        assert abs(channel[0] - channel[-1]) <= steps[int(0.999 * len(steps))]
        # nothing begins or stops at the seam: a fade would be softer there than anywhere else
        around = waves.rms(channel[-RATE // 20 :] + channel[: RATE // 20])
        assert waves.decibels(around) > waves.decibels(waves.rms(channel)) - 14


def test_in_the_dark_a_place_is_duller_and_what_is_sparse_is_rarer() -> None:
    lit, dark = short("cave", "lit")[0], short("cave", "dark")[0]
    assert waves.rms(waves.high(dark, 1500)) / waves.rms(dark) < waves.rms(waves.high(lit, 1500)) / waves.rms(lit)
    assert all(theme.sparser < 1 and theme.lower < 1 for name, theme in themes().items() if name != "none")


def test_every_kind_of_layer_that_a_file_may_name_can_be_laid() -> None:
    kinds = msgspec.inspect.type_info(Layer)
    assert isinstance(kinds, msgspec.inspect.StructType)
    named = next(field.type for field in kinds.fields if field.name == "kind")
    assert isinstance(named, msgspec.inspect.LiteralType)
    assert set(named.values) == set(ambience.LAYERS)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[crypt]\nseconds = 10\nroom = 0.1\nwet = 0.1\n", "`none` is missing"),
        ('[none]\nseconds = 10\nroom = 0.1\nwet = 0.1\nlayers = [{ kind = "choir" }]\n', "choir"),
        ("[none]\nseconds = 1000\nroom = 0.1\nwet = 0.1\n", "none: Expected `int` <= 40 - at `$.seconds`"),
        ("[none", "Expected"),
    ],
)
def test_a_wrong_file_of_themes_is_one_line(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "ambience.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BattlematError) as caught:
        read_themes(path)
    assert str(caught.value).startswith("ambience.toml: ") and told in str(caught.value)
    assert "\n" not in str(caught.value)


# -- music


def strongest(samples: Samples, hertz: float) -> int:
    """By how many cents the strongest tone near a frequency is off it, in steps of 4."""
    found: dict[int, float] = {}
    for cents in range(-60, 61, 4):
        turn = 2 * math.cos(math.tau * hertz * 2 ** (cents / 1200) / RATE)
        one = two = 0.0
        for value in samples:
            one, two = value + turn * one - two, one
        found[cents] = one * one + two * two - turn * one * two
    return max(found, key=lambda cents: found[cents])


@pytest.mark.parametrize("instrument", ["lute", "flute", "viol", "reed"])
def test_an_instrument_is_in_tune(instrument: str) -> None:
    for note in (pitch("d3"), pitch("a4")):
        assert abs(strongest(music.INSTRUMENTS[instrument](note, 0.6)[1500:11000], music.hertz(note))) <= 8


def test_notes_have_their_names() -> None:
    assert [pitch(word) for word in ("c4", "a4", "c#4", "bb3", "d2")] == [60, 69, 61, 58, 38]
    assert music.hertz(pitch("a4")) == 440.0


@pytest.mark.parametrize("name", ["title", "exploring", "fight", "won", "lost"])
def test_a_piece_keeps_to_its_scale_and_ends_on_its_keynote(name: str) -> None:
    piece = score()[name]
    home = tone(piece.key)
    lowest: list[int] = []
    for voice in piece.voices:
        if voice.instrument == "drum":
            continue
        played = notes(piece, voice)
        assert {note.pitch % 12 for note in played} <= allowed(piece)
        last = [note.pitch for note in played if note.start >= (piece.bars - 1) * piece.beats]
        lowest += last[:1]
    assert min(lowest) % 12 == home
    assert 8 <= piece.seconds <= 60


@pytest.mark.parametrize("name", ["title", "exploring", "fight", "won", "lost"])
def test_what_sounds_together_on_a_first_beat_is_a_chord(name: str) -> None:
    """No second and no tritone against the bass at the head of a bar, over all voices."""
    piece = score()[name]
    for bar in range(piece.bars):
        heads = [
            note.pitch
            for voice in piece.voices
            if voice.instrument != "drum"
            for note in notes(piece, voice)
            if note.start == bar * piece.beats
        ]
        over = {(each - min(heads)) % 12 for each in heads}
        assert over <= {0, 3, 4, 5, 7, 8, 9}, (name, bar + 1, sorted(over))


def test_a_piece_that_goes_around_has_no_seam_and_one_that_ends_does() -> None:
    base = score()["title"]
    voices = tuple(msgspec.structs.replace(voice, bars=voice.bars[:2]) for voice in base.voices)
    around = music.performed(msgspec.structs.replace(base, voices=voices))
    ended = music.performed(msgspec.structs.replace(base, voices=voices, around=False))
    for left, right in (around, ended):
        both = math.sqrt((waves.rms(left) ** 2 + waves.rms(right) ** 2) / 2)
        assert waves.decibels(both) == pytest.approx(music.LEVEL, abs=1.0)
        assert max(peak(left), peak(right)) <= PEAK
    for channel in around:
        steps = sorted(abs(a - b) for a, b in zip(channel, channel[1:], strict=False))
        assert abs(channel[0] - channel[-1]) <= steps[int(0.999 * len(steps))]
        assert waves.rms(channel[: RATE // 10]) > 0.01  # what rang at the end still does
    assert peak(ended[0][-200:]) < 0.005 * PEAK


def piece_of(bar: str) -> str:
    return (
        '[tune]\ntitle = "Tune"\nkey = "c"\nscale = "major"\ntempo = 60\nbeats = 3\naround = true\n'
        f'voices = [{{ instrument = "lute", bars = ["c4:3", "{bar}"] }}]\n'
    )


@pytest.mark.parametrize(
    ("bar", "told"),
    [
        ("c4:2", "2 beats where 3 belong"), ("c4 h4 e4", "'h' is no note"), ("c4 d e4", "has no octave"),
        ("c4 eb4 g4", "neither in c major"), ("c4:0 c4:3", "no length"), ("c4:x", "can't be read"),
    ],
)  # fmt: skip
def test_a_wrong_bar_is_one_line_that_names_it(tmp_path: Path, bar: str, told: str) -> None:
    path = tmp_path / "music.toml"
    path.write_text(piece_of(bar), encoding="utf-8")
    with pytest.raises(BattlematError) as caught:
        read_score(path)
    assert "tune, voice 1 (lute), bar 2" in str(caught.value) and told in str(caught.value)


def test_a_right_score_is_read(tmp_path: Path) -> None:
    path = tmp_path / "music.toml"
    path.write_text(piece_of("c4+e4:1/2 -:1/2 g4:2"), encoding="utf-8")
    tune = read_score(path)["tune"]
    assert isinstance(tune, Piece) and isinstance(tune.voices[0], Voice)
    assert [(note.pitch, float(note.start)) for note in notes(tune, tune.voices[0])] == [
        (60, 0.0), (60, 3.0), (64, 3.0), (67, 4.0)
    ]  # fmt: skip


# -- files


def test_a_sound_is_kept_under_a_digest_of_what_it_is_made_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BATTLEMAT_HOME", str(tmp_path))
    old = tmp_path / "cache" / "sound" / "of-another-score"
    old.mkdir(parents=True)
    nice = getattr(os, "nice", int)  # there is none under Windows
    before_it = nice(0)
    assert make.main(["effect step"]) == 0
    assert capsys.readouterr().out == "effect step\n"
    path = make.file_of("effect step")
    assert path.parent.name == make.digest() and path.is_file() and not old.exists()
    before = path.stat().st_mtime_ns
    make.main(["effect step"])
    assert nice(0) == before_it  # who makes it in a process of its own steps back, and nobody else
    assert path.stat().st_mtime_ns == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_all_that_can_be_made_has_a_maker() -> None:
    names = make.known()
    assert len(set(names)) == len(names)
    assert {name.partition(" ")[0] for name in names} == set(make.MAKERS)
    assert {"ambience none dark", "ambience tavern lit", "music won", "effect danger"} <= set(names)


def test_the_schemas_of_the_data_are_current() -> None:
    for name, schema in sound_schemas().items():
        stored = asset("schema", name).read_text(encoding="utf-8")
        assert stored == schema_text(schema), "run game.content.schemas.write_sound_schemas"
