"""Samples and what is done with them: noise, filters, rooms, levels. Lists of floats about −1..1, `RATE` a second.

Whatever goes around (`around=True`) ends where it begins, so that a loop has no seam: filters and rooms have heard its
end when they come to its beginning.
"""

from __future__ import annotations

import math
import operator
import random
from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

RATE = 22050
"""Samples a second."""
FULL = 32767
PEAK = 26000
"""The loudest sample of any sound at full volume: 2 dB below what would clip."""
Samples = list[float]
Change = Callable[[Samples], Samples]
TABLE = 2048
"""Samples of one swing of a wave that is looked up."""


def decibels(value: float) -> float:
    """An amplitude, 1.0 at full scale, in decibels below it."""
    return 20 * math.log10(max(value, 1e-9))


def amplitude(db: float) -> float:
    """The other way round."""
    return float(10 ** (db / 20))


def rms(samples: Sequence[float]) -> float:
    """The root of the mean square; 0 of nothing."""
    return math.sqrt(sum(map(operator.mul, samples, samples)) / len(samples)) if samples else 0.0


def loudest(samples: Sequence[float], seconds: float = 0.05) -> float:
    """The root mean square of whichever stretch of so many seconds is the loudest."""
    step = max(1, int(seconds * RATE))
    return max((rms(samples[at : at + step]) for at in range(0, len(samples), step)), default=0.0)


def noise(count: int, seed: int) -> Samples:
    """White noise, the same for the same seed."""
    draw = random.Random(seed).random
    return [2.0 * draw() - 1.0 for _ in range(count)]


LEAD = 4
"""Seconds from the end that are run first through what goes around: nothing here remembers for longer."""
RINGING = 1
"""The same for filters: after so long the lowest and the narrowest have forgotten all that a number can hold."""


def led_in(change: Change, samples: Samples, *, around: bool, seconds: int = LEAD) -> Samples:
    """What a change that remembers what came before makes of samples that go around, or don't."""
    lead = samples[-seconds * RATE :] if around else []
    return change(lead + samples)[len(lead) :]


def _share(hertz: float) -> float:
    """How much of the way to the next sample one pole at a frequency goes."""
    return 1.0 - math.exp(-math.tau * hertz / RATE)


def low(samples: Samples, hertz: float) -> Samples:
    """Without most of what is above a frequency (one pole)."""
    share, y = _share(hertz), 0.0
    return [y := y + share * (x - y) for x in samples]


def high(samples: Samples, hertz: float) -> Samples:
    """Without most of what is below a frequency (one pole)."""
    return list(map(operator.sub, samples, low(samples, hertz)))


def band(samples: Samples, lowest: float, highest: float, *, around: bool = False) -> Samples:
    """What lies between two frequencies (two poles above, one below)."""

    above, below = _share(highest), _share(lowest)

    def change(given: Samples) -> Samples:
        out: Samples = []
        once = twice = under = 0.0
        for x in given:  # what `high(low(low(…)))` does, in one go
            once = once + above * (x - once)
            twice = twice + above * (once - twice)
            under = under + below * (twice - under)
            out.append(twice - under)
        return out

    return led_in(change, samples, around=around, seconds=RINGING)


def resonant(samples: Samples, hertz: float, width: float, *, around: bool = False) -> Samples:
    """What rings at a frequency, so many hertz wide."""
    r = math.exp(-math.pi * width / RATE)
    one, two, gain = 2 * r * math.cos(math.tau * hertz / RATE), -r * r, 1 - r

    def change(given: Samples) -> Samples:
        out: Samples = []
        y1 = y2 = 0.0
        for x in given:
            y1, y2 = gain * x + one * y1 + two * y2, y1
            out.append(y1)
        return out

    return led_in(change, samples, around=around, seconds=RINGING)


def table(partials: Iterable[float]) -> Samples:
    """One swing of a wave with these strengths of its partials, the first being the note itself."""
    strengths = list(partials)
    scale = 1.0 / sum(map(abs, strengths))
    return [
        scale * sum(a * math.sin(math.tau * (n + 1) * i / TABLE) for n, a in enumerate(strengths)) for i in range(TABLE)
    ]


def read(wave: Samples, hertz: float, count: int, sway: Callable[[float], float] | None = None) -> Samples:
    """A table's wave at a frequency; `sway` gives a factor of it by the seconds since the start."""
    step, mask = hertz * TABLE / RATE, TABLE - 1
    if sway is None:
        return [wave[int(i * step) & mask] for i in range(count)]
    block = 64
    steps = [step * sway(i * block / RATE) for i in range(count // block + 1)]
    phases = accumulate(steps[i // block] for i in range(count))
    return [wave[int(phase) & mask] for phase in phases]


def shaped(samples: Samples, attack: float, release: float) -> Samples:
    """With a rise and a fall of so many seconds, both without an edge."""
    up, down, out = int(attack * RATE), int(release * RATE), list(samples)
    up, down = min(up, len(out) // 2), min(down, len(out) // 2)
    for i in range(up):
        out[i] *= 0.5 - 0.5 * math.cos(math.pi * i / up)
    for i in range(1, down + 1):
        out[-i] *= 0.5 - 0.5 * math.cos(math.pi * (i - 1) / down)
    return out


def times(samples: Samples, factors: Iterable[float]) -> Samples:
    """Sample by sample."""
    return list(map(operator.mul, samples, factors))


def scaled(samples: Samples, factor: float) -> Samples:
    """All by one factor."""
    return [factor * value for value in samples]


def plus(*many: Samples) -> Samples:
    """Several at once, as long as the shortest."""
    out = many[0]
    for more in many[1:]:
        out = list(map(operator.add, out, more))
    return out


def mix(into: Samples, samples: Samples, at: int, factor: float, *, around: bool = False) -> None:
    """Add samples from a place on; what stands over the end goes to the beginning, or is cut off."""
    rest = scaled(samples, factor)
    size = len(into)
    at = at % size if around else at
    while rest and at < size:
        part = rest[: size - at]
        into[at : at + len(part)] = map(operator.add, into[at : at + len(part)], part)
        rest, at = (rest[len(part) :], 0) if around else ([], 0)


COMBS = (0.0297, 0.0371, 0.0411, 0.0437)
"""Seconds between the echoes of a room of size 1."""
PASSES = (0.005, 0.0017)


def _comb(samples: Samples, delay: int, keep: float, dull: float) -> Samples:
    """Echoes that come back ever weaker and duller."""
    out: Samples = []
    back = [0.0] * delay
    last = 0.0
    for at in range(0, len(samples), delay):
        block = list(map(operator.add, samples[at : at + delay], back))
        out += block
        back = [keep * (last := x + dull * (last - x)) for x in block]
    return out


def _pass(samples: Samples, delay: int, keep: float = 0.6) -> Samples:
    """Echoes that change no timbre."""
    past = [0.0] * delay
    out: Samples = []
    for at in range(0, len(samples), delay):
        block = samples[at : at + delay]
        inner = [x + keep * p for x, p in zip(block, past, strict=False)]
        out += [p - keep * v for v, p in zip(inner, past, strict=False)]
        past = inner
    return out


def room(samples: Samples, size: float, keep: float, wet: float, *, around: bool = False) -> Samples:
    """With the echoes of a room: `size` 1 is a hall, `keep` how much of them comes back, `wet` how loud they are."""

    def change(given: Samples) -> Samples:
        many = [_comb(given, max(8, int(size * each * RATE)), keep, 0.35) for each in COMBS]
        echoes = scaled(plus(*many), 0.25)
        for each in PASSES:
            echoes = _pass(echoes, max(4, int(size * each * RATE)))
        return echoes

    echoes = led_in(change, samples, around=around)
    return [dry + wet * echo for dry, echo in zip(samples, echoes, strict=True)]


def levelled(channels: Sequence[Samples], wanted: float, now: float) -> list[Samples]:
    """Channels brought from one amplitude to another, and rounded off below `PEAK` where single samples stand out."""
    most, factor = PEAK / FULL, wanted / max(now, 1e-9)
    knee = 0.7 * most

    def bounded(value: float) -> float:
        size = abs(value)
        if size <= knee:
            return value
        return math.copysign(knee + (most - knee) * math.tanh((size - knee) / (most - knee)), value)

    return [[bounded(factor * value) for value in samples] for samples in channels]


def packed(channels: Sequence[Samples]) -> array[int]:
    """Channels as signed 16-bit numbers, the channels of each moment one after the other."""
    flat = channels[0] if len(channels) == 1 else [value for moment in zip(*channels, strict=True) for value in moment]
    return array("h", [round(FULL * value) for value in flat])
