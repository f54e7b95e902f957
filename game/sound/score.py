"""Scores: pieces of music as notes in a data file, `assets/sound/music.toml`, that a musician can change.

A bar is a line of words, `d4:1 f4+a4:1/2 -:1/2`: a note's name (`#` and `b` after the letter) and octave, several
together with `+`, `-` for a rest, and behind a colon its beats (one where none are told). `boom` and `tak` are strokes
of the drum. Every bar has as many beats as its piece says, and its notes are of the piece's scale or its `also`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

from game.paths import asset
from game.sound.ambience import entries
from rules.contract.errors import BattlematError, said
from rules.contract.text import text

LETTERS = {"c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11}
SCALES: Mapping[str, tuple[int, ...]] = {
    "major": (0, 2, 4, 5, 7, 9, 11), "minor": (0, 2, 3, 5, 7, 8, 10), "dorian": (0, 2, 3, 5, 7, 9, 10),
    "phrygian": (0, 1, 3, 5, 7, 8, 10), "mixolydian": (0, 2, 4, 5, 7, 9, 10),
}  # fmt: skip
"""Semitones over the keynote."""
STROKES = {"boom": 36, "tak": 60}
"""Of the drum, with the pitches that stand for them."""
Instrument = Literal["lute", "flute", "viol", "reed", "bell", "drum"]


class Voice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one instrument plays, bar by bar. `level` in decibels, `side` from left (−1) to right."""

    instrument: Instrument
    bars: tuple[str, ...]
    level: Annotated[float, Meta(ge=-40, le=6)] = 0.0
    side: Annotated[float, Meta(ge=-1.0, le=1.0)] = 0.0


class Piece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of music. `tempo` in beats a minute; one that goes `around` begins again without a pause."""

    title: str
    key: str
    """The keynote's letter."""
    scale: Literal["major", "minor", "dorian", "phrygian", "mixolydian"]
    tempo: Annotated[float, Meta(ge=30, le=240)]
    beats: Annotated[int, Meta(ge=2, le=12)]
    around: bool
    voices: tuple[Voice, ...]
    also: str = ""
    """Notes outside the scale that it may touch."""
    room: Annotated[float, Meta(ge=0, le=1)] = 0.5

    @property
    def bars(self) -> int:
        """How many it has."""
        return len(self.voices[0].bars)

    @property
    def seconds(self) -> float:
        """How long it is."""
        return self.bars * self.beats * 60.0 / self.tempo


class Sounded(NamedTuple):
    """A note: when it begins and how long it is, in beats, and its pitch (60 is middle C)."""

    start: Fraction
    beats: Fraction
    pitch: int


Score = Mapping[str, Piece]


def tone(word: str) -> int:
    """A note's class, 0 to 11, from its letter. Raises BattlematError."""
    letter, signs = word[:1].lower(), word[1:]
    if letter not in LETTERS or signs.strip("#b"):
        raise BattlematError("{word} is no note; there are c, d, e, f, g, a and b, with # or b behind", repr(word))
    return (LETTERS[letter] + signs.count("#") - signs.count("b")) % 12


def pitch(word: str) -> int:
    """A note's pitch from its name, `f#4`. Raises BattlematError."""
    if word in STROKES:
        return STROKES[word]
    name, octave = word[:-1], word[-1:]
    if not octave.isdecimal():
        raise BattlematError("{word} has no octave, as `d4` has", repr(word))
    tone(name)
    return 12 * (int(octave) + 1) + LETTERS[name[0].lower()] + name[1:].count("#") - name[1:].count("b")


def notes_of_bar(bar: str) -> tuple[list[Sounded], Fraction]:
    """The notes of a bar and how many beats it has. Raises BattlematError, and ValueError for a length that is none."""
    at, found = Fraction(0), []
    for word in bar.split():
        names, _, length = word.partition(":")
        beats = Fraction(length or "1")
        if beats <= 0:
            raise BattlematError("{word} has no length", repr(word))
        found += [Sounded(at, beats, pitch(name)) for name in names.split("+") if names != "-"]
        at += beats
    return found, at


def notes(piece: Piece, voice: Voice) -> list[Sounded]:
    """All notes of a voice, in order."""
    return [
        note._replace(start=note.start + number * piece.beats)
        for number, bar in enumerate(voice.bars)
        for note in notes_of_bar(bar)[0]
    ]


def allowed(piece: Piece) -> frozenset[int]:
    """The classes of notes that a piece may use."""
    return frozenset((tone(piece.key) + step) % 12 for step in SCALES[piece.scale]) | {
        tone(word) for word in piece.also.split()
    }


def _check(name: str, piece: Piece) -> None:
    """Raises BattlematError for a piece that cannot be played as it is written."""
    if not piece.voices:
        raise BattlematError("{name}: it has no voices", name)
    usable = allowed(piece)
    for number, voice in enumerate(piece.voices, 1):
        if len(voice.bars) != piece.bars:
            wrong = "{name}, voice {number}: {bars} bars where voice 1 has {first}"
            raise BattlematError(wrong, name, number, len(voice.bars), piece.bars)
        for place, bar in enumerate(voice.bars, 1):
            if wrong := _wrong_bar(piece, voice, bar, usable):
                where = "{name}, voice {number} ({instrument}), bar {place}: {wrong}"
                raise BattlematError(where, name, number, voice.instrument, place, wrong)


def _wrong_bar(piece: Piece, voice: Voice, bar: str, usable: frozenset[int]) -> str:
    """What is wrong with a bar; empty if nothing is."""
    try:
        found, length = notes_of_bar(bar)
    except BattlematError as error:
        return said(error)
    except (ValueError, ZeroDivisionError):
        return text("{bar} can't be read; a note is `d4:1`, a rest `-:1/2`", repr(bar))
    if length != piece.beats:
        return text("{length} beats where {beats} belong", str(length), piece.beats)
    if voice.instrument != "drum" and any(note.pitch % 12 not in usable for note in found):
        return text("a note that is neither in {key} {scale} nor told under `also`", piece.key, piece.scale)
    return ""


def read_score(path: Path) -> Score:
    """The pieces of a data file. Raises BattlematError in one line that names piece, voice and bar."""
    found = entries(path, Piece)
    for name, piece in found.items():
        try:
            _check(name, piece)
        except BattlematError as error:
            raise BattlematError("{path}: {fault}", path.name, said(error)) from None
    return found


@lru_cache(maxsize=1)
def score() -> Score:
    """The pieces that came with Battlemat."""
    return read_score(asset("sound", "music.toml"))
