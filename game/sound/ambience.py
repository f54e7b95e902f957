"""Ambience: for each theme a loop when there is light and one for the dark, laid from the layers of a data file.

`assets/sound/ambience.toml` says which layers a theme has. What swells does so a whole number of times in a loop, what
is sparse happens at places that its seed throws, and everything goes around: no loop has a seam.
"""

from __future__ import annotations

import math
import random
import zlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta

from game.content.tables import parsed
from game.paths import asset
from game.sound import waves
from game.sound.waves import RATE, Samples
from rules.contract.errors import BattlematError, said

LIGHTS = ("lit", "dark")
LEVEL = -27.0
"""Decibels below full scale (RMS) of every loop: ambience lies under everything else."""
STEADY = 0.1
"""The amplitude (RMS) of a steady layer at level 0; what is sparse peaks at 1."""
Share = Annotated[float, Meta(ge=0, le=1)]
Hertz = Annotated[float, Meta(ge=20.0, le=9000.0)]
Kind = Literal[
    "air", "howl", "drone", "drips", "stream", "fire", "birds", "crickets", "owl", "bell", "voices", "clinks",
    "squeaks", "creaks", "chains", "stones",
]  # fmt: skip


class Layer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One layer of a theme. `level` in decibels against the others; `low` and `high` in hertz bound its pitch."""

    kind: Kind
    level: Annotated[float, Meta(ge=-60, le=6)] = 0.0
    low: Hertz = 200.0
    high: Hertz = 800.0
    count: Annotated[int, Meta(ge=0, le=2000)] = 0
    """How often something sparse happens in a loop."""
    swells: Annotated[int, Meta(ge=0, le=40)] = 3
    """How often something steady swells in a loop."""
    depth: Share = 0.5
    """How much it swells."""
    when: Literal["lit", "dark", "always"] = "always"
    notes: tuple[Hertz, ...] = ()
    """Of a drone, bell or owl."""


class Theme(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A theme's loop: its layers, the room they sound in, and what the dark makes of them."""

    seconds: Annotated[int, Meta(ge=8, le=40)]
    room: Share
    """How large the room is."""
    wet: Share
    """How much of it is heard."""
    sparser: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.5
    """How often the sparse happens in the dark, against when there is light."""
    lower: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.75
    """How high everything is pitched in the dark."""
    layers: tuple[Layer, ...] = ()


Themes = Mapping[str, Theme]


T = TypeVar("T")


def entries(path: Path, kind: type[T]) -> dict[str, T]:
    """The entries of a data file by their names. Raises BattlematError in one line that says what is wrong where."""
    made: dict[str, T] = {}
    try:
        found = parsed(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BattlematError("{path}: {error}", path.name, said(error)) from None
    for name, entry in found.items():
        try:
            made[name] = msgspec.convert(entry, kind)
        except msgspec.ValidationError as error:
            raise BattlematError("{path}: {name}: {error}", path.name, name, said(error)) from None
    return made


def read_themes(path: Path) -> Themes:
    """The themes of a data file. Raises BattlematError in one line that says what is wrong where."""
    found = entries(path, Theme)
    if "none" not in found:
        raise BattlematError("{path}: the theme `none` is missing; maps without a theme sound like it", path.name)
    return found


@lru_cache(maxsize=1)
def themes() -> Themes:
    """The themes that came with Battlemat."""
    return read_themes(asset("sound", "ambience.toml"))


class Bed:
    """A loop that is being laid: both channels, its dice, and the pitch that the light leaves."""

    def __init__(self, count: int, seed: int, pitch: float) -> None:
        self.count, self.pitch = count, pitch
        self.left, self.right = [0.0] * count, [0.0] * count
        self.dice = random.Random(seed)

    def seed(self) -> int:
        return self.dice.getrandbits(30)

    def between(self, low: float, high: float) -> float:
        """A number between two, by its logarithm: pitches lie evenly so."""
        return float(low * (high / low) ** self.dice.random())

    def put(self, samples: Samples, level: float, at: int | None = None) -> None:
        """Something at a place of the loop, and somewhere between left and right."""
        side, place = 0.15 + 0.7 * self.dice.random(), self.dice.randrange(self.count) if at is None else at
        waves.mix(self.left, samples, place, level * math.cos(side * math.pi / 2), around=True)
        waves.mix(self.right, samples, place, level * math.sin(side * math.pi / 2), around=True)

    def spread(self, make: Callable[[int], Samples], level: float) -> None:
        """Something steady: made anew for each ear, so that it comes from all around."""
        for channel in (self.left, self.right):
            samples = make(self.seed())
            waves.mix(channel, samples, 0, STEADY * level / max(1e-9, waves.rms(samples)), around=True)

    def swelling(self, layer: Layer) -> Samples:
        """A factor for each sample: swells and lulls that meet at the ends of the loop."""
        if not layer.swells or not layer.depth:
            return [1.0] * self.count
        waving = [
            (n, 1 / (1 + i), math.tau * self.dice.random()) for i, n in enumerate((layer.swells, layer.swells + 2))
        ]
        scale = sum(part for _, part, _ in waving)
        block, out = 128, []
        for i in range(0, self.count + block, block):
            share = sum(p * math.sin(math.tau * n * i / self.count + turn) for n, p, turn in waving) / scale
            out.append(1.0 - layer.depth * (0.5 - 0.5 * share))
        steps = range(block)
        ramps = [low + (high - low) * i / block for low, high in pairwise(out) for i in steps]
        return ramps[: self.count]


def _air(bed: Bed, layer: Layer, level: float) -> None:
    swell = bed.swelling(layer)

    def make(seed: int) -> Samples:
        hiss = waves.noise(bed.count, seed)
        return waves.times(waves.band(hiss, layer.low * bed.pitch, layer.high * bed.pitch, around=True), swell)

    bed.spread(make, level)


def _howl(bed: Bed, layer: Layer, level: float) -> None:
    """Wind in a crack: two whistling pitches that come and go at different times."""
    for pitch in (layer.low, layer.high):
        swell = [each**3 for each in bed.swelling(layer)]

        def make(seed: int, pitch: float = pitch, swell: Samples = swell) -> Samples:
            hiss = waves.noise(bed.count, seed)
            return waves.times(waves.resonant(hiss, pitch * bed.pitch, 18, around=True), swell)

        bed.spread(make, level)


def _drone(bed: Bed, layer: Layer, level: float) -> None:
    """Notes that stand; each is tuned to go into the loop a whole number of times."""
    wave = waves.table((1, 0.5, 0.22, 0.12, 0.05))
    for note in layer.notes or (layer.low,):
        swell = bed.swelling(layer)
        for beside in (-1, 1):
            turns = round(note * bed.pitch * bed.count / RATE) + beside * max(1, layer.swells)
            standing = waves.times(waves.read(wave, turns * RATE / bed.count, bed.count), swell)
            bed.put(standing, 0.5 * STEADY * level / max(1e-9, waves.rms(standing)), 0)


def _drop(bed: Bed, hertz: float) -> Samples:
    """A drop that falls into water: a bubble whose note rises as it dies away."""
    count = int(RATE * min(0.25, 60 / hertz))
    rise, fade = 0.35 + 0.3 * bed.dice.random(), 7.0 / count
    phase, out = 0.0, []
    for i in range(count):
        phase += math.tau * hertz * (1 + rise * i / count) / RATE
        out.append(math.sin(phase) * math.exp(-fade * i))
    return waves.shaped(out, 0.001, 0.004)


def _drips(bed: Bed, layer: Layer, level: float) -> None:
    for _ in range(layer.count):
        drop = _drop(bed, bed.between(layer.low, layer.high) * bed.pitch)
        at, strength = bed.dice.randrange(bed.count), 0.3 + 0.7 * bed.dice.random()
        bed.put(drop, level * strength, at)
        if bed.dice.random() < 0.35:  # a second one soon after
            bed.put(drop, level * strength * 0.4, (at + int(RATE * (0.12 + 0.2 * bed.dice.random()))) % bed.count)


def _stream(bed: Bed, layer: Layer, level: float) -> None:
    """Running water: a thousand small bubbles over a hiss."""
    drops = [_drop(bed, bed.between(layer.low, layer.high) * bed.pitch) for _ in range(60)]
    for _ in range(layer.count):
        bed.put(bed.dice.choice(drops), 0.3 * level * bed.dice.random() ** 2)
    _air(bed, layer, 0.5 * level)


def _fire(bed: Bed, layer: Layer, level: float) -> None:
    """Crackling: tiny bursts, most of them weak, over a flutter."""
    for _ in range(layer.count):
        count = int(RATE * (0.001 + 0.004 * bed.dice.random()))
        burst = waves.high(waves.noise(count, bed.seed()), 900)
        fading = [math.exp(-5 * i / count) for i in range(count)]
        bed.put(waves.times(burst, fading), level * bed.dice.random() ** 4 * 2)
    _air(bed, layer, 0.4 * level)


def _chirp(start: float, end: float, seconds: float, wobble: float = 0.0) -> Samples:
    """A whistle from one pitch to another."""
    count, phase, out = int(RATE * seconds), 0.0, []
    for i in range(count):
        share = i / count
        hertz = start + (end - start) * share + wobble * math.sin(math.tau * 28 * i / RATE)
        phase += math.tau * hertz / RATE
        out.append(math.sin(phase) * math.sin(math.pi * share) ** 2)
    return out


def _birds(bed: Bed, layer: Layer, level: float) -> None:
    for _ in range(layer.count):
        at, pitch = bed.dice.randrange(bed.count), bed.between(layer.low, layer.high) * bed.pitch
        strength, song = 0.2 + 0.8 * bed.dice.random() ** 2, bed.dice.randrange(3)
        for call in range(bed.dice.randint(2, 6)):
            bend = (1.25, 0.8, 1.0)[song] + 0.1 * bed.dice.random()
            note = _chirp(pitch, pitch * bend, 0.06 + 0.05 * song, 120.0 * song)
            bed.put(note, level * strength, (at + int(call * RATE * (0.11 + 0.05 * song))) % bed.count)
            pitch *= 0.98 + 0.05 * bed.dice.random()


def _crickets(bed: Bed, layer: Layer, level: float) -> None:
    """Each sings at its own pitch and pace, in trills of three."""
    for _ in range(max(1, layer.count)):
        pitch, strength = bed.between(layer.low, layer.high), 0.3 + 0.7 * bed.dice.random()
        trill = [0.0] * int(0.11 * RATE)
        for pulse in range(3):
            waves.mix(trill, _chirp(pitch, pitch, 0.026), int(pulse * 0.034 * RATE), 1.0)
        beats, first = bed.dice.randint(14, 24), bed.dice.randrange(bed.count)
        for beat in range(beats):
            if bed.dice.random() < 0.8:
                bed.put(trill, level * strength, (first + beat * bed.count // beats) % bed.count)


def _owl(bed: Bed, layer: Layer, level: float) -> None:
    for _ in range(layer.count):
        at, pitch = bed.dice.randrange(bed.count), bed.between(layer.low, layer.high)
        for begin, seconds in ((0.0, 0.35), (0.75, 0.16), (1.0, 0.6)):
            hoot = waves.plus(
                _chirp(pitch, 0.94 * pitch, seconds), waves.scaled(_chirp(2 * pitch, 1.9 * pitch, seconds), 0.15)
            )
            bed.put(hoot, level, (at + int(begin * RATE)) % bed.count)


def _struck(hertz: float, seconds: float, partials: tuple[tuple[float, float], ...]) -> Samples:
    """Metal or glass: partials that are no multiples of each other, the higher ones gone sooner."""
    count, out = int(RATE * seconds), [0.0] * int(RATE * seconds)
    for ratio, strength in partials:
        if hertz * ratio > RATE * 0.45:
            continue
        turn, fade = math.tau * hertz * ratio / RATE, (3.0 + 1.2 * ratio) / count
        waves.mix(out, [math.sin(turn * i) * math.exp(-fade * i) for i in range(count)], 0, strength)
    return waves.shaped(out, 0.002, 0.02)


BELL = ((0.5, 0.5), (1.0, 1.0), (1.19, 0.55), (1.5, 0.35), (2.0, 0.4), (2.74, 0.2), (3.76, 0.1))
GLASS = ((1.0, 1.0), (2.32, 0.6), (4.25, 0.3), (6.63, 0.2))


def _bell(bed: Bed, layer: Layer, level: float) -> None:
    """A bell far away."""
    for number in range(layer.count):
        note = layer.notes[number % len(layer.notes)] if layer.notes else layer.low
        tone = waves.low(_struck(note * bed.pitch, 5.0, BELL), 900)
        bed.put(tone, level, (number * bed.count // layer.count + bed.dice.randrange(RATE)) % bed.count)


def _clinks(bed: Bed, layer: Layer, level: float) -> None:
    for _ in range(layer.count):
        bed.put(_struck(bed.between(layer.low, layer.high), 0.18, GLASS), level * (0.2 + 0.8 * bed.dice.random() ** 2))


VOWELS = ((730, 1090), (530, 1840), (390, 1990), (570, 840), (440, 1020))
"""First and second formant, in hertz."""


def syllable(hertz: float, vowel: int, seconds: float) -> Samples:
    """A voice that says no word: one vowel at a pitch."""
    first, second = VOWELS[vowel % len(VOWELS)]
    partials = []
    for n in range(1, max(3, int(3200 / hertz))):
        near, far = (n * hertz - first) / 130, (n * hertz - second) / 180
        partials.append((math.exp(-near * near) + 0.5 * math.exp(-far * far) + 0.02) / n**0.5)
    count = int(RATE * seconds)
    spoken = waves.read(waves.table(partials), hertz, count, lambda t: 1.04 - 0.1 * t / seconds)
    return waves.times(spoken, [math.sin(math.pi * i / count) ** 1.5 for i in range(count)])


def _voices(bed: Bed, layer: Layer, level: float) -> None:
    """A room full of people: each speaks in sentences of syllables, and pauses."""
    for _ in range(max(1, layer.count)):
        pitch, strength = bed.between(layer.low, layer.high) * bed.pitch, 0.4 + 0.6 * bed.dice.random()
        said_so_far = [syllable(pitch * (0.92 + 0.2 * bed.dice.random()), n, 0.13 + 0.08 * (n % 3)) for n in range(10)]
        side, at = bed.dice.random(), 0
        while at < bed.count - RATE // 3:
            if bed.dice.random() < 0.12:
                at += int(RATE * (0.5 + 1.8 * bed.dice.random()))
                continue
            word = bed.dice.choice(said_so_far)
            waves.mix(bed.left, word, at, level * strength * (1 - side), around=True)
            waves.mix(bed.right, word, at, level * strength * side, around=True)
            at += int(len(word) * (0.75 + 0.4 * bed.dice.random()))


def _squeaks(bed: Bed, layer: Layer, level: float) -> None:
    for _ in range(layer.count):
        at, pitch = bed.dice.randrange(bed.count), bed.between(layer.low, layer.high) * bed.pitch
        for call in range(bed.dice.randint(1, 4)):
            bed.put(_chirp(pitch, 1.3 * pitch, 0.05), level, (at + int(0.09 * call * RATE)) % bed.count)


def creak(seed: int, hertz: float, seconds: float) -> Samples:
    """Wood under strain: a slow stick and slip through a body that rings."""
    dice, count = random.Random(seed), int(RATE * seconds)
    out, at = [0.0] * count, 0
    while at < count:
        out[at] = 0.4 + 0.6 * dice.random()
        share = at / count
        at += max(20, int(RATE / (30 + 45 * math.sin(math.pi * share) + 12 * dice.random())))
    body = waves.plus(*(waves.scaled(waves.resonant(out, hertz * k, 50), 14 / k) for k in (1.0, 1.7, 2.9)))
    return waves.shaped(body, 0.05, 0.1)


def _creaks(bed: Bed, layer: Layer, level: float) -> None:
    for _ in range(layer.count):
        wood = creak(bed.seed(), bed.between(layer.low, layer.high) * bed.pitch, 0.5 + bed.dice.random())
        bed.put(wood, level / max(map(abs, wood)))


def _chains(bed: Bed, layer: Layer, level: float) -> None:
    for _ in range(layer.count):
        at = bed.dice.randrange(bed.count)
        for _ in range(bed.dice.randint(3, 8)):
            link = _struck(bed.between(layer.low, layer.high), 0.12, GLASS)
            bed.put(link, level * (0.2 + 0.5 * bed.dice.random()), at)
            at = (at + int(RATE * (0.04 + 0.16 * bed.dice.random()))) % bed.count


def _stones(bed: Bed, layer: Layer, level: float) -> None:
    """A pebble comes loose somewhere, and falls from step to step."""
    for _ in range(layer.count):
        at, pause = bed.dice.randrange(bed.count), 0.3
        for bounce in range(5):
            count = int(0.03 * RATE)
            clack = waves.resonant(waves.noise(count, bed.seed()), bed.between(layer.low, layer.high), 120)
            clack = waves.times(clack, [math.exp(-6 * i / count) for i in range(count)])
            bed.put(clack, level * 0.7**bounce / max(map(abs, clack)), at)
            at, pause = (at + int(pause * RATE)) % bed.count, pause * 0.7


LAYERS: Mapping[str, Callable[[Bed, Layer, float], None]] = {
    "air": _air, "howl": _howl, "drone": _drone, "drips": _drips, "stream": _stream, "fire": _fire, "birds": _birds,
    "crickets": _crickets, "owl": _owl, "bell": _bell, "voices": _voices, "clinks": _clinks, "squeaks": _squeaks,
    "creaks": _creaks, "chains": _chains, "stones": _stones,
}  # fmt: skip
"""What each kind of layer adds to a loop, so loud."""
SPARSE = frozenset(("drips", "birds", "owl", "clinks", "squeaks", "creaks", "chains", "stones", "fire"))
"""Layers of single things, of which there are fewer in the dark."""


def loop(theme: Theme, light: str, seed: int = 0) -> list[Samples]:
    """A theme's loop, left and right, when there is light (`lit`) or in the dark."""
    dark = light == "dark"
    bed = Bed(theme.seconds * RATE, seed, theme.lower if dark else 1.0)
    for layer in theme.layers:
        if layer.when not in ("always", light):
            bed.dice.random()
            continue
        if dark and layer.kind in SPARSE and layer.when == "always" and layer.count:
            layer = msgspec.structs.replace(layer, count=max(1, round(layer.count * theme.sparser)))
        LAYERS[layer.kind](bed, layer, waves.amplitude(layer.level))
    size = 0.4 + 1.2 * theme.room
    keep = 0.55 + 0.33 * theme.room
    channels = [
        waves.room(channel, size * wide, keep, theme.wet, around=True)
        for channel, wide in ((bed.left, 1.0), (bed.right, 1.07))
    ]
    now = math.sqrt(sum(waves.rms(channel) ** 2 for channel in channels) / 2)
    return waves.levelled(channels, waves.amplitude(LEVEL - (3.0 if dark else 0.0)), now)


def ambience(name: str) -> list[Samples]:
    """A loop by its name, `crypt dark`. Raises KeyError for an unknown one."""
    theme, light = name.rsplit(" ", 1)
    return loop(themes()[theme], light, zlib.crc32(theme.encode()))
