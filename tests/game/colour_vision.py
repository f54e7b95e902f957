"""How far apart colours are for eyes without one kind of cone: Machado, Oliveira and Fernandes (2009), CIEDE2000."""

from __future__ import annotations

import math

Colour = tuple[int, int, int]
Matrix = tuple[tuple[float, float, float], ...]

EYES: dict[str, Matrix] = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""The matrices of the paper for severity 1, on linear RGB."""


def _linear(channel: int) -> float:
    share = channel / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def seen(colour: Colour, eyes: str) -> tuple[float, ...]:
    """Linear RGB as these eyes see it."""
    rgb = [_linear(channel) for channel in colour]
    return tuple(max(0.0, min(1.0, sum(m * c for m, c in zip(line, rgb, strict=True)))) for line in EYES[eyes])


def lab(linear: tuple[float, ...]) -> tuple[float, float, float]:
    """CIE L*a*b* under D65."""
    r, g, b = linear
    xyz = (
        (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047,
        0.2126729 * r + 0.7151522 * g + 0.0721750 * b,
        (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883,
    )
    x, y, z = (v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(one: Colour, other: Colour, eyes: str) -> float:
    """CIEDE2000 between two colours as these eyes see them; 1 is just noticeable side by side, 10 at a glance."""
    (l1, a1, b1), (l2, a2, b2) = lab(seen(one, eyes)), lab(seen(other, eyes))
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    grey = 0.5 * (1 - math.sqrt(mean**7 / (mean**7 + 25**7)))
    a1, a2 = a1 * (1 + grey), a2 * (1 + grey)
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 for b, a in ((b1, a1), (b2, a2)))
    dl, dc, turn = l2 - l1, c2 - c1, h2 - h1
    if c1 * c2 == 0:
        turn = 0.0
    elif abs(turn) > 180:
        turn -= math.copysign(360, turn)
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    lm, cm = (l1 + l2) / 2, (c1 + c2) / 2
    hm = h1 + h2 if c1 * c2 == 0 else (h1 + h2) / 2 if abs(h1 - h2) <= 180 else ((h1 + h2 + 360) / 2) % 360
    cosines = [(-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.20, 4, -63)]
    weight = 1 + sum(f * math.cos(math.radians(n * hm + shift)) for f, n, shift in cosines)
    sl = 1 + 0.015 * (lm - 50) ** 2 / math.sqrt(20 + (lm - 50) ** 2)
    sc, sh = 1 + 0.045 * cm, 1 + 0.015 * cm * weight
    rc = 2 * math.sqrt(cm**7 / (cm**7 + 25**7))
    rt = -math.sin(math.radians(60 * math.exp(-(((hm - 275) / 25) ** 2)))) * rc
    return math.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + rt * (dc / sc) * (dh / sh))
