"""The palettes: told apart by the eyes they are for; patterns stay; every picture changes with them at once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import get_args

import pygame
import pytest

from game.app.loop import App
from game.app.settings import PALETTES, Settings
from game.scenes.dialogs.options import PALETTE_WORDS, Options
from game.view import minis, overlays, palette
from game.view.palette import PATTERNS, SCHEMES, rgb, side_look
from tests.game.colour_vision import EYES, apart

FOR = {
    "normal": ("all cones",),
    "red-green": ("all cones", "protanopia", "deuteranopia"),
    "blue-yellow": ("all cones", "tritanopia"),
    "high contrast": ("all cones",),
}
"""Palette -> the eyes it is made for."""
MARKS = ("free", "way", "harm", "aim")
HEALTH = ("good", "worn", "grave")
AT_A_GLANCE = 12.0
FAR = 18.0


@pytest.fixture(autouse=True)
def _back_to_normal() -> Iterator[None]:
    yield
    palette.use("normal")
    minis.forget()
    overlays.forget()


def test_the_measure_is_that_of_the_published_examples() -> None:
    assert apart((0, 0, 0), (255, 255, 255), "all cones") == pytest.approx(100, abs=0.1)
    assert apart((255, 0, 0), (0, 255, 0), "all cones") == pytest.approx(86.6, abs=0.2)
    red, olive = (190, 60, 40), (112, 110, 38)
    assert apart(red, olive, "all cones") > 3 * apart(red, olive, "deuteranopia")
    assert all(sum(line) == pytest.approx(1, abs=1e-3) for eyes in EYES.values() for line in eyes)


def test_settings_offer_the_palettes_that_there_are() -> None:
    assert tuple(SCHEMES) == PALETTES == tuple(PALETTE_WORDS)
    assert get_args(Settings.model_fields["palette"].annotation) == PALETTES


@pytest.mark.parametrize("name, eyes", [(name, eyes) for name, all_eyes in FOR.items() for eyes in all_eyes])
def test_sides_health_and_marks_are_told_apart(name: str, eyes: str) -> None:
    scheme = SCHEMES[name]
    for one, other in combinations(scheme.sides, 2):
        assert apart(rgb(one), rgb(other), eyes) >= AT_A_GLANCE, (one, other)
    assert apart(rgb(scheme.sides[0]), rgb(scheme.sides[1]), eyes) >= 2 * FAR
    for words in (HEALTH, MARKS):
        for one, other in combinations(words, 2):
            assert apart(rgb(getattr(scheme, one)), rgb(getattr(scheme, other)), eyes) >= FAR, (one, other)


@pytest.mark.parametrize("eyes", EYES)
def test_whatever_the_palette_sides_of_like_colour_differ_in_their_ring(eyes: str) -> None:
    for scheme in SCHEMES.values():
        for (one, ring), (other, further) in combinations(zip(scheme.sides, PATTERNS, strict=True), 2):
            assert ring != further or apart(rgb(one), rgb(other), eyes) >= AT_A_GLANCE / 2, (one, other)


@pytest.mark.parametrize("name", PALETTES)
def test_kinds_of_spaces_differ_in_shape_without_any_colour(name: str) -> None:
    palette.use(name)
    overlays.forget()
    shapes = [pygame.mask.from_surface(overlays._space(kind, 64), 60) for kind in ("free", "step", "run", "threat")]
    for one, other in combinations(shapes, 2):
        assert one.overlap_mask(other, (0, 0)).count() < max(one.count(), other.count()) * 0.9


@pytest.mark.parametrize("name", PALETTES)
def test_rings_keep_their_patterns(name: str) -> None:
    palette.use(name)
    assert side_look("heroes").pattern == "plain"
    assert side_look("monsters").pattern == "dashed"
    assert side_look("heroes").colour == rgb(SCHEMES[name].sides[0])


def test_text_on_panels_is_readable_in_every_palette() -> None:
    for name in PALETTES:
        look = App((640, 480), settings=Settings(palette=name)).look
        for ink in ("text", "bright", "green", "amber", "coral", "teal", "blue"):
            assert contrast(look.colour(ink)[:3], look.colour("panel")[:3]) >= 4.5, (name, ink)


def contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """WCAG 2: the ratio of two luminances."""

    def light(colour: tuple[int, ...]) -> float:
        linear = [c / 3294.6 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def test_a_palette_is_taken_at_once_everywhere_and_kept() -> None:
    app = App((1280, 720), settings=Settings(speed=0, volume=0, autosave=False))
    app.navigator.surprise()
    app.draw()
    before = app.surface.copy()
    app.push(Options(app, "look"))
    button = next(w for w in app.top.ui.ring() if w.key == "palette blue-yellow")
    button.press()  # type: ignore[attr-defined]
    assert app.settings.palette == "blue-yellow"
    assert app.look.colour("green")[:3] == rgb(SCHEMES["blue-yellow"].good)
    app.pop()
    app.draw()
    changed = pygame.mask.from_threshold(before, (0, 0, 0), (24, 24, 24, 255), app.surface)
    assert changed.count() < before.get_width() * before.get_height()
