"""Short sounds: what is done on the board, and what is heard of it from afar.

Each is a function of (seconds since the start, a noise value in −1..1), made even in loudness and kept from clipping.
What comes from afar is the same again behind walls: duller and fainter with the distance, and with more of the room.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping
from typing import NamedTuple

from game.sound import waves
from game.sound.ambience import creak, syllable
from game.sound.waves import RATE, Samples
from rules.contract.events import NoiseKind

Wave = Callable[[float, float], float]
LEVEL = -13.0
"""Decibels below full scale that the loudest twentieth of a second of a sound has, before its own `level`."""


class Effect(NamedTuple):
    """A sound: how long it is, its wave, and its decibels against the others. One that is made whole has no wave."""

    seconds: float
    wave: Wave | None = None
    level: float = 0.0
    whole: Callable[[], Samples] | None = None


def _tone(frequency: float, t: float) -> float:
    return math.sin(math.tau * frequency * t)


def _fade(t: float, speed: float) -> float:
    return math.exp(-speed * t) if t >= 0 else 0.0


def _bump(t: float, seconds: float) -> float:
    return math.sin(math.pi * min(1.0, t / seconds))


def _step(t: float, noise: float) -> float:
    return (0.5 * noise + 0.5 * _tone(95 - 120 * t, t)) * _fade(t, 55)


def _step_wood(t: float, noise: float) -> float:
    board = 0.9 * _tone(140 - 150 * t, t) + 0.35 * _tone(410, t) * _fade(t, 40)
    return (0.25 * noise + board) * _fade(t, 42)


def _step_soft(t: float, noise: float) -> float:
    """Grass and leaves: all rustle, no heel."""
    return noise * _bump(t, 0.13) ** 2 * (0.6 + 0.4 * _tone(33, t))


def _step_earth(t: float, noise: float) -> float:
    return (0.35 * noise + 0.7 * _tone(70 - 90 * t, t)) * _fade(t, 48)


def _step_mud(t: float, noise: float) -> float:
    suck = _tone(180 + 900 * t, t) * _bump(t, 0.16) ** 3
    return 0.5 * suck + (0.4 * noise + 0.5 * _tone(60, t)) * _fade(t, 40)


def _step_water(t: float, noise: float) -> float:
    splash = noise * _bump(t, 0.2) ** 2 * _fade(t, 9)
    return splash + 0.35 * _tone(520 + 1500 * t, t) * _fade(t - 0.05, 30)


def _hit(t: float, noise: float) -> float:
    blow = (0.7 * noise + 0.8 * _tone(150 - 300 * t, t)) * _fade(t, 26)
    return blow + 0.25 * (_tone(1870, t) + _tone(2710, t)) * _fade(t, 18)


def _miss(t: float, noise: float) -> float:
    swell = _bump(t, 0.22)
    return 0.45 * noise * swell * swell * (0.6 + 0.4 * _tone(7, t))


def _bow(t: float, noise: float) -> float:
    """A string let go, and the arrow's hiss."""
    return 0.8 * _tone(210 - 180 * t, t) * _fade(t, 34) + 0.3 * noise * _bump(t, 0.25) ** 2


def _dice(t: float, noise: float) -> float:
    out = 0.0
    for at, pitch in ((0.0, 2100), (0.055, 1750), (0.1, 2350), (0.16, 1900), (0.235, 1600)):
        out += (0.55 * noise + 0.45 * _tone(pitch, t - at)) * _fade(t - at, 95)
    return out


def _door(t: float, noise: float) -> float:
    swing = 0.5 * _tone(170 + 60 * math.sin(19 * t), t)
    groan = swing * (0.5 + 0.5 * _tone(31, t)) * _bump(t, 0.34)
    return groan + (0.6 * noise + 0.9 * _tone(70, t - 0.34)) * _fade(t - 0.34, 30)


def _break(t: float, noise: float) -> float:
    """Wood bursts, and splinters fall."""
    out = (noise + _tone(80, t)) * _fade(t, 14)
    for at in (0.16, 0.23, 0.34, 0.41, 0.55):
        out += 0.4 * (noise + _tone(900 - 600 * at, t - at)) * _fade(t - at, 60)
    return out


def _lock(t: float, noise: float) -> float:
    """A bolt that goes over."""
    out = 0.0
    for at, pitch in ((0.0, 1250), (0.13, 820)):
        out += (0.5 * noise + 0.6 * _tone(pitch, t - at) + 0.3 * _tone(2.7 * pitch, t - at)) * _fade(t - at, 60)
    return out


def _key(t: float, noise: float) -> float:
    """Keys on a ring."""
    out = 0.0
    for at, pitch in ((0.0, 3100), (0.07, 3700), (0.12, 2800), (0.21, 3400)):
        out += (0.1 * noise + _tone(pitch, t - at) + 0.5 * _tone(1.51 * pitch, t - at)) * _fade(t - at, 38)
    return out


def _chest(t: float, noise: float) -> float:
    """A lid that goes up and comes to rest."""
    groan = 0.4 * _tone(240 + 90 * t, t) * (0.5 + 0.5 * _tone(43, t)) * _bump(t, 0.4)
    return groan + (0.5 * noise + 0.8 * _tone(110, t - 0.38)) * _fade(t - 0.38, 26)


def _coins(t: float, noise: float) -> float:
    out = 0.0
    for n in range(7):
        at, pitch = 0.05 * n + 0.012 * (n * n % 3), 4000 + 330 * (n * 5 % 7)
        out += (0.15 * noise + _tone(pitch, t - at) + 0.6 * _tone(1.34 * pitch, t - at)) * _fade(t - at, 45)
    return out


def _take(t: float, noise: float) -> float:
    """Cloth and leather: something goes into a pack, or comes out of it."""
    return noise * (_bump(t, 0.16) ** 2 + 0.6 * _bump(max(0.0, t - 0.17), 0.12) ** 2) * (0.7 + 0.3 * _tone(21, t))


def _trap(t: float, noise: float) -> float:
    """A click, a breath, and it falls to."""
    click = (0.4 * noise + _tone(1900, t)) * _fade(t, 110)
    fall = (0.9 * noise + 0.9 * _tone(90, t - 0.16) + 0.3 * _tone(1430, t - 0.16)) * _fade(t - 0.16, 17)
    return 0.6 * click + fall


def _disarm(t: float, noise: float) -> float:
    out = 0.0
    for at, pitch in ((0.0, 1500), (0.09, 1700), (0.26, 1150)):
        out += (0.3 * noise + _tone(pitch, t - at)) * _fade(t - at, 80)
    return out


def _found(t: float, noise: float) -> float:
    """Two soft notes, the second higher."""
    return _tone(587, t) * _fade(t, 9) + (_tone(880, t - 0.12) * _fade(t - 0.12, 8) if t >= 0.12 else 0.0)


def _rubble(t: float, noise: float) -> float:
    out = 0.5 * noise * _bump(t, 0.7) ** 2
    for at, pitch in ((0.05, 130), (0.17, 95), (0.24, 160), (0.38, 80), (0.52, 110)):
        out += (0.8 * noise + _tone(pitch, t - at)) * _fade(t - at, 30)
    return out


def _kindle(t: float, noise: float) -> float:
    """A flame catches."""
    return noise * (1 - _fade(t, 22)) * _fade(t, 6) + 0.8 * noise * _fade(t - 0.28, 120)


def _hiss(t: float, noise: float) -> float:
    """A flame goes out."""
    return noise * _fade(t, 8) * (0.8 + 0.2 * _tone(90, t))


def _death(t: float, noise: float) -> float:
    fall = _tone(220 * _fade(t, 2.4), t) * _fade(t, 5)
    return 0.6 * fall + 0.8 * (0.8 * noise + _tone(60, t - 0.2)) * _fade(t - 0.2, 22)


def _spell(t: float, noise: float) -> float:
    """A rising shimmer."""
    out = 0.12 * noise * _bump(t, 0.4) ** 2
    for n, pitch in enumerate((523, 659, 784, 1047)):
        at = 0.06 * n
        out += 0.4 * (_tone(pitch, t - at) + 0.4 * _tone(2.01 * pitch, t - at)) * _fade(t - at, 9)
    return out


def _fizzle(t: float, noise: float) -> float:
    """The same, and it comes to nothing."""
    out = 0.2 * noise * _fade(t, 7)
    for n, pitch in enumerate((659, 554, 440)):
        at = 0.08 * n
        out += 0.4 * _tone(pitch * (1 - 0.12 * max(0.0, t - at)), t - at) * _fade(t - at, 14)
    return out


def _heal(t: float, noise: float) -> float:
    out = 0.0
    for n, pitch in enumerate((440, 554, 659)):
        at = 0.09 * n
        out += 0.5 * _tone(pitch, t - at) * _bump(max(0.0, t - at), 0.6) ** 2
    return out


def _goal(t: float, noise: float) -> float:
    """A small fanfare: something that was set out for is done."""
    out = 0.0
    for at, pitch in ((0.0, 587), (0.14, 740), (0.28, 880), (0.28, 1175)):
        out += (_tone(pitch, t - at) + 0.35 * _tone(2 * pitch, t - at) + 0.15 * _tone(3 * pitch, t - at)) * _fade(
            t - at, 5
        )
    return out


def _danger(t: float, noise: float) -> float:
    """Two strokes of a low drum."""
    out = 0.0
    for at in (0.0, 0.26):
        if t >= at:
            out += (0.25 * noise * _fade(t - at, 40) + _tone(78 - 30 * (t - at), t - at)) * _fade(t - at, 9)
    return out


def _truce(t: float, noise: float) -> float:
    """One stroke, and a fifth that dies away over it: it is over."""
    out = (0.2 * noise * _fade(t, 40) + _tone(70 - 20 * t, t)) * _fade(t, 8)
    return out + 0.3 * (_tone(147, t) + _tone(220, t)) * _bump(t, 1.3) ** 2


def _steps() -> Samples:
    out = [0.0] * int(1.3 * RATE)
    for n in range(3):
        waves.mix(out, _plain("far steps", _step, 0.09), int((0.05 + 0.4 * n) * RATE), 1.0 - 0.2 * (n % 2))
    return out


def _mumble() -> Samples:
    out, at = [0.0] * int(1.5 * RATE), 0
    for n, (high, vowel) in enumerate(((118, 0), (126, 3), (112, 1), (160, 4), (152, 2), (104, 0))):
        word = syllable(high, vowel, 0.16 + 0.05 * (n % 2))
        waves.mix(out, word, at, 1.0)
        at += int(0.2 * RATE)
    return out


def _shout() -> Samples:
    out = [0.0] * int(0.95 * RATE)
    waves.mix(out, syllable(210, 0, 0.3), 0, 0.8)
    waves.mix(out, syllable(280, 3, 0.55), int(0.27 * RATE), 1.0)
    return out


def _fighting() -> Samples:
    out = [0.0] * int(1.5 * RATE)
    for n, at in enumerate((0.0, 0.33, 0.52, 0.95, 1.12)):
        waves.mix(out, _plain(f"far blow {n}", _hit, 0.28), int(at * RATE), 0.6 + 0.4 * (n % 2))
    return out


def _water() -> Samples:
    out = [0.0] * int(1.0 * RATE)
    for n in range(3):
        waves.mix(out, _plain(f"far splash {n}", _step_water, 0.24), int(0.28 * n * RATE), 1.0)
    return out


def _growl() -> Samples:
    out = [0.0] * int(1.0 * RATE)
    for n, high in enumerate((74, 62)):
        waves.mix(out, syllable(high, 3, 0.75 - 0.1 * n), int(0.1 * n * RATE), 1.0)
    return [value * (0.6 + 0.4 * math.sin(math.tau * 27 * i / RATE)) for i, value in enumerate(out)]


def _creaking() -> Samples:
    return creak(7, 230, 0.7)


OWN: Mapping[str, Effect] = {
    "step": Effect(0.09, _step, -8),
    "step wood": Effect(0.12, _step_wood, -8),
    "step grass": Effect(0.14, _step_soft, -13),
    "step earth": Effect(0.1, _step_earth, -9),
    "step mud": Effect(0.18, _step_mud, -9),
    "step water": Effect(0.24, _step_water, -9),
    "take": Effect(0.3, _take, -10),
    "key": Effect(0.32, _key, -9),
    "coins": Effect(0.5, _coins, -8),
    "kindle": Effect(0.5, _kindle, -8),
    "hiss": Effect(0.45, _hiss, -10),
    "lock": Effect(0.24, _lock, -6),
    "disarm": Effect(0.36, _disarm, -7),
    "dice": Effect(0.32, _dice, -6),
    "miss": Effect(0.23, _miss, -8),
    "bow": Effect(0.3, _bow, -6),
    "door": Effect(0.55, _door, -3),
    "creak": Effect(0.7, None, -8, _creaking),
    "chest": Effect(0.6, _chest, -4),
    "found": Effect(0.5, _found, -7),
    "rubble": Effect(0.85, _rubble, -2),
    "fizzle": Effect(0.45, _fizzle, -6),
    "heal": Effect(0.8, _heal, -8),
    "spell": Effect(0.7, _spell, -5),
    "break": Effect(0.75, _break),
    "trap": Effect(0.5, _trap),
    "hit": Effect(0.28, _hit, -1),
    "death": Effect(0.6, _death),
    "goal": Effect(0.9, _goal, -3),
    "truce": Effect(1.4, _truce, -2),
    "danger": Effect(0.8, _danger),
}
"""What is heard of what is seen; what matters more stands further down."""
NOISES: Mapping[NoiseKind, Effect] = {
    NoiseKind.STEPS: Effect(1.3, None, 0, _steps),
    NoiseKind.VOICES: Effect(1.5, None, 0, _mumble),
    NoiseKind.SHOUT: Effect(0.95, None, 2, _shout),
    NoiseKind.FIGHTING: Effect(1.5, None, 1, _fighting),
    NoiseKind.DOOR: Effect(0.55, _door),
    NoiseKind.BREAKING: Effect(0.75, _break, 2),
    NoiseKind.FALLING: Effect(0.6, _death, 1),
    NoiseKind.TRAP: Effect(0.5, _trap, 1),
    NoiseKind.SPELL: Effect(0.7, _spell),
    NoiseKind.WATER: Effect(1.0, None, 0, _water),
    NoiseKind.BEAST: Effect(1.0, None, 1, _growl),
}
"""What is heard of what is only heard."""


class Distance(NamedTuple):
    """How a noise sounds from so many spaces on: below which pitch it comes through, and how faint."""

    spaces: int
    hertz: float
    level: float


DISTANCES: Mapping[str, Distance] = {
    "near": Distance(0, 1600, -6), "far": Distance(9, 750, -12), "faint": Distance(20, 380, -18),
}  # fmt: skip


def from_afar(kind: NoiseKind, spaces: int) -> str:
    """The name of the sound that a noise is to who hears it across so many spaces."""
    word = max((name for name, how in DISTANCES.items() if how.spaces <= spaces), key=lambda n: DISTANCES[n].spaces)
    return f"{word} {kind}"


def _plain(name: str, wave: Wave, seconds: float) -> Samples:
    hiss = waves.noise(int(seconds * RATE), zlib.crc32(name.encode()))
    return [wave(i / RATE, value) for i, value in enumerate(hiss)]


def _made(name: str, effect: Effect) -> Samples:
    if effect.whole is not None:
        return effect.whole()
    assert effect.wave is not None, name
    return _plain(name, effect.wave, effect.seconds)


def _level(samples: Samples, level: float) -> Samples:
    count = len(samples)
    middle = sum(samples) / count  # an offset would thump
    ended = waves.shaped([value - middle for value in samples], 0.001, 0.08 * count / RATE)
    return waves.levelled([ended], waves.amplitude(level), waves.loudest(ended))[0]


def samples(name: str) -> Samples:
    """A sound's samples. Raises KeyError for an unknown name."""
    if name in OWN:
        return _level(_made(name, OWN[name]), LEVEL + OWN[name].level)
    word, _, kind = name.partition(" ")
    if word not in DISTANCES or kind not in set(NoiseKind):
        raise KeyError(name)
    how, effect = DISTANCES[word], NOISES[NoiseKind(kind)]
    behind = waves.low(waves.low(_made(name, effect), how.hertz), how.hertz)
    heard = waves.room([*behind, *[0.0] * int(0.5 * RATE)], 1.0, 0.75, 0.5)
    return _level(heard, LEVEL + effect.level + how.level)


NAMES = (*(f"{word} {kind}" for word in DISTANCES for kind in NOISES), *OWN)
"""All sounds, what matters more further back: where much is skipped, the last of them is heard alone."""
