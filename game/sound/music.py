"""Music: a score's notes on instruments made of arithmetic, in a room, both channels."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from functools import lru_cache

from game.sound import waves
from game.sound.ambience import BELL
from game.sound.score import STROKES, Piece, notes, score
from game.sound.waves import RATE, Samples

LEVEL = -23.0
"""Decibels below full scale (RMS) of every piece."""
TAIL = 2.5
"""Seconds that a piece goes on ringing, if it doesn't go around."""


def hertz(pitch: int) -> float:
    """A pitch's frequency, equally tempered."""
    return float(440.0 * 2 ** ((pitch - 69) / 12))


def _lute(pitch: int, seconds: float) -> Samples:
    """A plucked string: a burst of noise that goes around in it, duller with every round."""
    frequency = hertz(pitch)
    count = int(RATE * min(2.6, seconds + 1.4))
    exact = RATE / frequency + 0.5  # the mean of neighbours comes half a sample early
    size = int(exact)
    share = exact - size
    string = waves.low(waves.low(waves.noise(size + 1, pitch), 2600), 3600)
    middle = sum(string) / len(string)
    string = [value - middle for value in string]
    keep = 0.5 ** (1.0 / (frequency * 0.55))  # half as loud after so many seconds
    out: Samples = []
    while len(out) < count:
        out += string[:size]
        ahead = [*string[1:], string[0]]
        smooth = [keep * 0.5 * (a + b) for a, b in zip(string, ahead, strict=True)]
        string = [a + share * (b - a) for a, b in zip(smooth, [smooth[-1], *smooth[:-1]], strict=True)]
    top = max(map(abs, out))
    return waves.shaped([value / top for value in out[:count]], 0.001, min(0.5, 0.4 * count / RATE))


def _flute(pitch: int, seconds: float) -> Samples:
    count = int(RATE * (seconds + 0.12))
    wave = waves.table((1.0, 0.28, 0.1, 0.04))
    tone = waves.read(wave, hertz(pitch), count, lambda t: 1 + 0.0045 * min(1.0, t) * math.sin(math.tau * 4.9 * t))
    breath = waves.band(waves.noise(count, 500 + pitch), 900, 3200)
    blown = [a + 0.05 * b for a, b in zip(tone, breath, strict=True)]
    return waves.shaped(blown, 0.07, 0.16)


def _viol(pitch: int, seconds: float) -> Samples:
    """Two bowed strings a little apart."""
    count = int(RATE * (seconds + 0.35))
    wave = waves.table((1.0, 0.55, 0.34, 0.22, 0.12, 0.08, 0.04))
    two = [waves.read(wave, hertz(pitch) * beside, count) for beside in (0.9985, 1.0017)]
    return waves.shaped(waves.scaled(waves.plus(*two), 0.5), 0.3, 0.45)


def _reed(pitch: int, seconds: float) -> Samples:
    """A shawm, or a horn lower down."""
    count = int(RATE * (seconds + 0.08))
    wave = waves.table((1.0, 0.8, 0.55, 0.5, 0.28, 0.2, 0.12, 0.06))
    tone = waves.read(wave, hertz(pitch), count, lambda t: 1 + 0.004 * min(1.0, 2 * t) * math.sin(math.tau * 5.4 * t))
    return waves.shaped(waves.low(tone, 2400), 0.035, 0.12)


def _bell(pitch: int, seconds: float) -> Samples:
    count, out = int(RATE * 3.5), [0.0] * int(RATE * 3.5)
    for ratio, strength in BELL:
        turn, fade = math.tau * hertz(pitch) * ratio / RATE, (2.5 + ratio) / count
        waves.mix(out, [math.sin(turn * i) * math.exp(-fade * i) for i in range(count)], 0, 0.4 * strength)
    return waves.shaped(out, 0.002, 0.3)


def _drum(pitch: int, seconds: float) -> Samples:
    deep = pitch == STROKES["boom"]
    count = int(RATE * (0.5 if deep else 0.16))
    skin, phase = [], 0.0
    for i in range(count):
        phase += math.tau * ((62 if deep else 190) * (1 + 0.6 * math.exp(-i / (0.02 * RATE)))) / RATE
        skin.append(math.sin(phase) * math.exp((-9 if deep else -30) * i / RATE))
    slap = waves.band(waves.noise(count, pitch), 300, 1600 if deep else 4500)
    loud, fade = (0.6, 60) if deep else (1.6, 45)
    struck = [a + loud * b * math.exp(-fade * i / RATE) for i, (a, b) in enumerate(zip(skin, slap, strict=True))]
    return waves.shaped(struck, 0.001, 0.02)


INSTRUMENTS: Mapping[str, Callable[[int, float], Samples]] = {
    "lute": _lute, "flute": _flute, "viol": _viol, "reed": _reed, "bell": _bell, "drum": _drum,
}  # fmt: skip
"""A note by its pitch and the seconds for which it is held."""


def performed(piece: Piece) -> list[Samples]:
    """A piece, left and right. What goes around ends where it begins, with what still rings from its end."""
    count = round(piece.seconds * RATE) + (0 if piece.around else int(TAIL * RATE))
    left, right = [0.0] * count, [0.0] * count
    play = lru_cache(maxsize=None)(lambda instrument, pitch, seconds: INSTRUMENTS[instrument](pitch, seconds))
    hand = random.Random(piece.title)  # nobody plays like a clock
    for voice in piece.voices:
        loud, side = waves.amplitude(voice.level), (voice.side + 1) / 2
        for note in notes(piece, voice):
            seconds = float(note.beats) * 60.0 / piece.tempo
            at = round(float(note.start) * 60.0 / piece.tempo * RATE) + hand.randrange(round(0.012 * RATE))
            touch = loud * (0.86 + 0.14 * hand.random()) * (1.0 if note.start % piece.beats else 1.12)
            sound = play(voice.instrument, note.pitch, round(seconds, 4))
            waves.mix(left, sound, at, touch * math.cos(side * math.pi / 2), around=piece.around)
            waves.mix(right, sound, at, touch * math.sin(side * math.pi / 2), around=piece.around)
    size, keep = 0.6 + 0.9 * piece.room, 0.6 + 0.25 * piece.room
    channels = [
        waves.room(channel, size * wide, keep, 0.45 * piece.room, around=piece.around)
        for channel, wide in ((left, 1.0), (right, 1.06))
    ]
    if not piece.around:
        channels = [waves.shaped(channel, 0.0, TAIL * 0.8) for channel in channels]
    now = math.sqrt(sum(waves.rms(channel) ** 2 for channel in channels) / 2)
    return waves.levelled(channels, waves.amplitude(LEVEL), now)


def music(name: str) -> list[Samples]:
    """A piece by its name, `title`. Raises KeyError for an unknown one."""
    return performed(score()[name])
