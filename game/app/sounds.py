"""Small sounds, made here from sines and noise when they are first heard; without a sound card there is silence.

Samples are signed 16-bit, mono, `RATE` a second. The waves are worked out in whole seconds of nothing but arithmetic,
so a sound is the same on every machine.
"""

from __future__ import annotations

import contextlib
import functools
import math
from array import array
from collections.abc import Callable, Iterator

import pygame

from game.app.window import hushed
from rules.core import dice as rng

RATE = 22050
"""Samples a second."""
PEAK = 26000
"""The loudest sample of any sound at full volume."""

Wave = Callable[[float, float], float]
"""(seconds since the start, a noise value in −1..1) -> amplitude, about −1..1."""


def _noise(seed: int) -> Iterator[float]:
    state = rng.seeded(seed)
    while True:
        state, bits = rng.draw(state)
        for part in range(4):
            yield ((bits >> 16 * part) & 0xFFFF) / 32768.0 - 1.0


def _tone(frequency: float, t: float) -> float:
    return math.sin(math.tau * frequency * t)


def _fade(t: float, speed: float) -> float:
    return math.exp(-speed * t)


def _step(t: float, noise: float) -> float:
    return (0.5 * noise + 0.5 * _tone(95 - 120 * t, t)) * _fade(t, 55)


def _hit(t: float, noise: float) -> float:
    blow = (0.7 * noise + 0.8 * _tone(150 - 300 * t, t)) * _fade(t, 26)
    return blow + 0.25 * (_tone(1870, t) + _tone(2710, t)) * _fade(t, 18)


def _miss(t: float, noise: float) -> float:
    swell = math.sin(math.pi * min(1.0, t / 0.22))
    return 0.45 * noise * swell * swell * (0.6 + 0.4 * _tone(7, t))


def _dice(t: float, noise: float) -> float:
    out = 0.0
    for at, pitch in ((0.0, 2100), (0.055, 1750), (0.1, 2350), (0.16, 1900), (0.235, 1600)):
        if t >= at:
            out += (0.55 * noise + 0.45 * _tone(pitch, t - at)) * _fade(t - at, 95)
    return out


def _door(t: float, noise: float) -> float:
    swing = 0.5 * _tone(170 + 60 * math.sin(19 * t), t)
    creak = swing * (0.5 + 0.5 * _tone(31, t)) * math.sin(math.pi * min(1.0, t / 0.34))
    thud = (0.6 * noise + 0.9 * _tone(70, t - 0.34)) * _fade(t - 0.34, 30) if t >= 0.34 else 0.0
    return creak + thud


def _death(t: float, noise: float) -> float:
    fall = _tone(220 * _fade(t, 2.4), t) * _fade(t, 5)
    thud = (0.8 * noise + _tone(60, t - 0.2)) * _fade(t - 0.2, 22) if t >= 0.2 else 0.0
    return 0.6 * fall + 0.8 * thud


def _spell(t: float, noise: float) -> float:
    """A rising shimmer."""
    out = 0.12 * noise * math.sin(math.pi * min(1.0, t / 0.4)) ** 2
    for n, pitch in enumerate((523, 659, 784, 1047)):
        at = 0.06 * n
        if t >= at:
            out += 0.4 * (_tone(pitch, t - at) + 0.4 * _tone(2.01 * pitch, t - at)) * _fade(t - at, 9)
    return out


def _danger(t: float, noise: float) -> float:
    """Two strokes of a low drum."""
    out = 0.0
    for at in (0.0, 0.26):
        if t >= at:
            out += (0.25 * noise * _fade(t - at, 40) + _tone(78 - 30 * (t - at), t - at)) * _fade(t - at, 9)
    return out


SOUNDS: dict[str, tuple[float, Wave]] = {
    "step": (0.09, _step),
    "hit": (0.28, _hit),
    "miss": (0.23, _miss),
    "dice": (0.32, _dice),
    "door": (0.5, _door),
    "death": (0.6, _death),
    "spell": (0.7, _spell),
    "danger": (0.8, _danger),
}
"""Name -> (seconds, wave)."""


def samples(name: str) -> array[int]:
    """A sound's samples. Raises KeyError for an unknown name."""
    seconds, wave = SOUNDS[name]
    count = int(seconds * RATE)
    noise = _noise(sum(name.encode()))
    raw = [wave(i / RATE, next(noise)) for i in range(count)]
    loudest = max(1e-9, *(abs(value) for value in raw))
    end = count * 0.92
    out = array("h")
    for i, value in enumerate(raw):
        tail = 1.0 if i < end else (count - i) / (count - end)  # no click where it stops
        out.append(round(PEAK * value / loudest * tail))
    return out


@functools.cache
def _wave_of(name: str) -> bytes:
    """The same as the sound card takes them; worked out once, however often a window opens."""
    return samples(name).tobytes()


AT_ONCE = 3
"""Sounds that are heard at the same time at most; more are left out."""
APART = 70
"""Milliseconds that lie between two beginnings of the same sound at least."""


class Sounds:
    """What is heard. `volume` 0 to 100; 0 opens no sound card at all."""

    def __init__(self, volume: int = 60) -> None:
        self.volume = volume
        self._open: bool | None = None
        self._made: dict[str, pygame.mixer.Sound] = {}
        self._begun: dict[str, int] = {}
        """When each sound began last, in milliseconds."""

    def play(self, name: str) -> bool:
        """Let a sound be heard; False where there is nothing to hear it with or enough is heard already."""
        now = pygame.time.get_ticks()
        if self.volume <= 0 or name not in SOUNDS or now - self._begun.get(name, -APART) < APART or not self._ready():
            return False
        channel = pygame.mixer.find_channel()
        if channel is None:
            return False
        self._begun[name] = now
        if name not in self._made:
            self._made[name] = pygame.mixer.Sound(buffer=_wave_of(name))
        sound = self._made[name]
        sound.set_volume(self.volume / 100)
        channel.play(sound)
        return True

    def _ready(self) -> bool:
        """Open the sound card at the first sound. No sound card is no error."""
        if self._open is None:
            try:
                with hushed():
                    pygame.mixer.init(RATE, -16, 1, 256, allowedchanges=0)
                pygame.mixer.set_num_channels(AT_ONCE)
                self._open = True
            except pygame.error:
                self._open = False
        return self._open

    def close(self) -> None:
        """Give the sound card back."""
        self._made.clear()
        if self._open:
            with contextlib.suppress(pygame.error):
                pygame.mixer.quit()
        self._open = None
