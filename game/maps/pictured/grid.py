"""Finding the grid of a picture: how many pixels a space is wide, and where the first line runs.

Lines of a grid are where brightness changes all along a column or row of pixels. The profile of such changes fits
itself best when it is shifted by a space. Then the width is measured on all lines together, in fractions of a pixel.
"""

from __future__ import annotations

import io
import math
import struct
from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image, ImageChops, ImageFilter

LEAST, MOST = 16, 400
"""Pixels of a space."""
FEWEST = 3
"""Lines of a grid at the least, in each way."""
SURE = 0.05
"""From this on there is a grid: by how much larger a share of its lines is to be seen than of lines beside them."""
FEW = 2.2
"""What few lines show may be chance: so much more divided by their number."""
ODD, FAINT = 0.5, 0.3
"""Lines between others that are this strong beside them belong to the grid; such faint ones don't."""
REACH = 2.5
"""Pixels about the place of a line within which it is looked for."""
SIZE = 2400
"""Pixels of a side at which a picture is looked at; larger ones are made smaller first."""


class Found(NamedTuple):
    """A grid in a picture: pixels of a space, where the first line runs, and how well it fits (0 to 1)."""

    side: float
    left: float
    top: float
    sure: float


def find(data: bytes) -> Found | None:
    """The grid of a picture; None where there is none to be seen. The picture is trusted: measure its header before."""
    with Image.open(io.BytesIO(data)) as opened:
        picture = opened.convert("L")
    scale = max(1.0, max(picture.size) / SIZE)
    if scale > 1:
        picture = picture.resize((round(picture.width / scale), round(picture.height / scale)), Image.Resampling.BOX)
    profiles = [profile(picture, level=level) for level in (False, True)]
    side = _side(*profiles)
    if side is None:
        return None
    side = _octave(profiles, side)
    combs = [_drawn_through(values, side) for values in profiles]
    weight = sum(comb.weight for comb in combs)
    sure = min(comb.sure for comb in combs)
    if weight <= 0 or sure < SURE + FEW / min(len(values) / side for values in profiles):
        return None
    side = sum(comb.side * comb.weight for comb in combs) / weight
    left, top = (_drawn_through(values, side, fixed=True).first for values in profiles)
    return Found(side * scale, left * scale, top * scale, min(1.0, sure))


class Comb(NamedTuple):
    """Lines so far apart, as they run through a profile."""

    side: float
    first: float
    weight: float
    """How much there is to measure by: many lines far apart tell more."""
    sure: float
    """By how much more of them are to be seen than of lines beside them."""


def _octave(profiles: Sequence[Sequence[float]], side: float) -> float:
    """The width of a space where one of several, or of a part of one, was taken for it."""
    for parts in (5, 3, 2, 2):
        if side / parts >= LEAST and min(min(_between(values, side, parts)) for values in profiles) >= ODD:
            side /= parts
    for times in (3, 2):
        wider = side * times
        if wider * FEWEST <= min(map(len, profiles)):
            if max(max(_between(values, wider, times)) for values in profiles) < FAINT:
                side = wider
    return side


def _between(values: Sequence[float], side: float, parts: int) -> list[float]:
    """How strong lines at parts of spaces are beside those at their ends."""
    at, _ = _fit(values, side)
    ends = _strength(values, side, at)
    return [
        _strength(values, side, (at + side * n / parts) % side) / ends if ends > 0 else 0.0 for n in range(1, parts)
    ]


def _strength(values: Sequence[float], side: float, at: float) -> float:
    """The middle strength of lines: half of them are stronger."""
    found = sorted(max(values[max(0, round(place) - 2) : round(place) + 3], default=0.0)
                   for place in _places(at, side, len(values)))  # fmt: skip
    return found[len(found) // 2] if found else 0.0


def _places(at: float, side: float, length: int) -> list[float]:
    """Where lines run, from one end to the other."""
    first = at % side
    return [first + number * side for number in range(math.ceil((length - first) / side))]


def _drawn_through(values: Sequence[float], side: float, *, fixed: bool = False) -> Comb:
    """The straight row of lines through what is to be seen of them; with `fixed` they stay so far apart."""
    near, at, _ = (side, *_fit(values, side)) if fixed else _measured(values, side)
    floor = 2 * sum(values) / len(values)
    for _ in range(2):
        seen = []
        for number, place in enumerate(_places(at, near, len(values))):
            low, high = max(0, round(place - REACH)), min(len(values), round(place + REACH) + 1)
            mass = sum(values[low:high])
            if high > low and max(values[low:high]) > floor:
                seen.append((number, sum((n + 0.5) * values[n] for n in range(low, high)) / mass, mass))
        if len(seen) < FEWEST:
            return Comb(near, at, 0.0, 0.0)
        near, at = _straight(seen, near, fixed)
    spread = max(number for number, _, _ in seen) - min(number for number, _, _ in seen)
    lines = len(_places(at, near, len(values)))
    beside = [_seen(values, near, at + near * part / 8, floor) for part in (2, 3, 5, 6)]
    return Comb(near, at % near, spread * math.sqrt(len(seen)), len(seen) / lines - sum(beside) / len(beside))


def _seen(values: Sequence[float], side: float, at: float, floor: float) -> float:
    """The share of lines that are to be seen."""
    places = _places(at, side, len(values))
    tops = [max(values[max(0, round(p - REACH)) : round(p + REACH) + 1], default=0.0) for p in places]
    return sum(top > floor for top in tops) / max(1, len(tops))


def _straight(seen: Sequence[tuple[int, float, float]], side: float, fixed: bool) -> tuple[float, float]:
    """Width and first place of a row of lines (number, place, weight), by the least squares."""
    total = sum(weight for _, _, weight in seen)
    number = sum(n * weight for n, _, weight in seen) / total
    place = sum(p * weight for _, p, weight in seen) / total
    spread = sum(weight * (n - number) ** 2 for n, _, weight in seen)
    if not fixed and spread > 0:
        side = sum(weight * (n - number) * (p - place) for n, p, weight in seen) / spread
    return side, place - number * side


def profile(picture: Image.Image, *, level: bool) -> list[float]:
    """How much changes at each column of pixels (`level`: at each row), the picture's own large shapes left out."""
    if level:
        picture = picture.transpose(Image.Transpose.TRANSPOSE)
    wide = picture.width
    thin = ImageChops.difference(picture, picture.filter(ImageFilter.BoxBlur((2, 0))))
    strong = thin.point(lambda value: min(value, 24))  # an outline of a table counts no more than a line of the grid
    changes = strong.convert("F").resize((wide, 1), Image.Resampling.BOX)
    values = list(struct.unpack(f"{wide}f", changes.tobytes()))
    return _whitened(values, min(80, max(8, wide // 40)))


def _whitened(values: Sequence[float], around: int) -> list[float]:
    """Values as they stand out from those around them."""
    sums = [0.0]
    for value in values:
        sums.append(sums[-1] + value)
    found = []
    for place, value in enumerate(values):
        low, high = max(0, place - around), min(len(values), place + around + 1)
        found.append(max(0.0, value - (sums[high] - sums[low]) / (high - low)))
    return found


def _side(across: Sequence[float], down: Sequence[float]) -> float | None:
    """About how many pixels a space is wide: the shift at which both profiles fit themselves best."""
    most = min(MOST, min(len(across), len(down)) // FEWEST)
    scores = [0.0] * (most + 1)
    for values in (across, down):
        own = sum(value * value for value in values)
        if own <= 0:
            return None
        smooth = _smoothed(values)
        for shift in range(LEAST, most + 1):
            there = sum(map(float.__mul__, smooth, values[shift:]))
            scores[shift] += there / own * len(values) / (len(values) - shift)
    best = max(range(LEAST, most + 1), key=lambda shift: scores[shift], default=0)
    if best == 0 or scores[best] <= 0:
        return None
    return float(best)


def _smoothed(values: Sequence[float]) -> list[float]:
    """Values spread over their neighbours, so that fractions of a pixel don't part lines."""
    wide = len(values)
    return [(values[max(0, n - 1)] + 2 * values[n] + values[min(wide - 1, n + 1)]) / 2 for n in range(wide)]


def _measured(values: Sequence[float], side: float) -> tuple[float, float, float]:
    """The width that fits best near one, in fractions; where the first line runs; and how well it fits."""
    best = (side, 0.0, -1.0)
    span, step = 1.5, 0.1
    for _ in range(3):
        middle = best[0]
        for number in range(-round(span / step), round(span / step) + 1):
            tried = middle + number * step
            if tried >= LEAST - 1:
                at, fit = _fit(values, tried)
                if fit > best[2]:
                    best = (tried, at, fit)
        span, step = step, step / 5
    return best


def _fit(values: Sequence[float], side: float) -> tuple[float, float]:
    """Where lines so far apart run, and by how much more changes there than between them (0 to 1)."""
    bins = max(8, round(side))
    sums, counts = [0.0] * bins, [0] * bins
    turn = bins / side
    for place, value in enumerate(values):
        spot = int(place * turn) % bins
        sums[spot] += value
        counts[spot] += 1
    means = [total / count if count else 0.0 for total, count in zip(sums, counts, strict=True)]
    around = [means[n - 1] + means[n] + means[(n + 1) % bins] for n in range(bins)]
    at = max(range(bins), key=lambda n: around[n])
    rest = (sum(means) - around[at]) / max(1, bins - 3)
    peak = around[at] / 3
    if peak <= 0:
        return 0.0, 0.0
    weight = around[at] or 1.0
    centre = at + 0.5 + (means[(at + 1) % bins] - means[at - 1]) / weight
    return (centre / turn) % side, (peak - rest) / (peak + rest)
