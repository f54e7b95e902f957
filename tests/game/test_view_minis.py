"""Miniatures: told apart by ring, hit points by length, the fallen by dimness; any size of base."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

import pygame
import pytest

from game.view import minis
from game.view.palette import GOLD, PIP, side_colour, side_look, tone
from rules.contract.display import Badge, Bar, Board, Miniature
from rules.contract.units import Cell

SIZE = 96
FLOOR = (77, 87, 99)


@pytest.fixture(autouse=True)
def window() -> Iterator[None]:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((320, 240))
    minis.forget()
    yield
    minis.forget()


def miniature(side: str = "heroes", hp: int = 12, art: str = "warrior", **more: object) -> Miniature:
    return Miniature("one", "One", side, 0, art, health=Bar("Hit points", hp, 12), **more)  # type: ignore[arg-type]


def drawn(mini: Miniature, size: int = SIZE, phase: float = 0.0) -> pygame.Surface:
    surface = pygame.Surface((size * 2, size * 2))
    surface.fill(FLOOR)
    rect = pygame.Rect(size // 2, size // 2, size, size)
    minis.draw_miniature(surface, mini, rect, phase=phase)
    minis.draw_badges(surface, mini, rect)
    return surface


def near(surface: pygame.Surface, colour: tuple[int, int, int], within: int = 24) -> int:
    """Pixels of about this colour."""
    return int(pygame.mask.from_threshold(surface, colour, (within, within, within, 255)).count())


def light(surface: pygame.Surface) -> float:
    return sum(pygame.transform.average_color(surface)[:3])


@pytest.mark.parametrize("size", [32, 64, 128])
@pytest.mark.parametrize("side", ["heroes", "monsters"])
def test_the_ring_shows_its_sides_colour_at_full_health(size: int, side: str) -> None:
    other = "monsters" if side == "heroes" else "heroes"
    picture = drawn(miniature(side, art="skeleton"), size)
    assert near(picture, side_colour(side)) > size
    assert near(picture, side_colour(other)) < near(picture, side_colour(side)) / 4


def test_patterns_tell_sides_apart_without_colour() -> None:
    patterns = {side_look(side).pattern for side in ("heroes", "monsters")}
    assert len(patterns) == 2
    share = {}
    for side in ("heroes", "monsters"):
        ring = drawn(miniature(side, art="skeleton"))
        share[side] = near(ring, side_colour(side))
    assert share["monsters"] < share["heroes"] * 0.9  # gaps between the dashes


def test_the_arc_grows_with_hit_points() -> None:
    lengths = [near(drawn(miniature(hp=hp, art="skeleton")), tone("good")) for hp in (8, 10, 12)]
    assert 0 < lengths[0] < lengths[1] < lengths[2]


def test_no_hit_points_no_arc() -> None:
    for colour in (tone("good"), (240, 96, 80), (240, 180, 68)):
        assert near(drawn(miniature(hp=0, art="skeleton")), colour, 8) < 6


def test_near_death_the_arc_is_red_and_the_dead_have_none() -> None:
    dying, dead = drawn(miniature(hp=2)), drawn(miniature(hp=12, out=True, dead=True))
    assert near(dying, tone("grave")) > 0
    assert near(dying, tone("good")) == near(dead, tone("good")) == 0


def test_pips_count_the_points() -> None:
    counts = [near(drawn(miniature(points=Bar("Action points", n, 5))), PIP, 12) for n in (0, 2, 5)]
    assert counts[0] < counts[1] < counts[2]


def test_the_fallen_are_dimmer_and_the_dead_dimmer_still() -> None:
    standing = drawn(miniature(hp=0))
    fallen, dead = drawn(miniature(hp=0, out=True)), drawn(miniature(hp=0, out=True, dead=True))
    assert light(standing) > light(fallen) > light(dead)


def test_the_halo_stands_around_whoever_acts_and_turns() -> None:
    still, one, two = (drawn(miniature()), drawn(miniature(active=True)), drawn(miniature(active=True), phase=0.5))
    outside = (SIZE, SIZE // 2 - 5)
    halo = (255, 243, 210)
    assert near(one, halo) > near(still, halo) + 50
    assert still.get_at(outside)[:3] == FLOOR
    assert one.get_buffer().raw != two.get_buffer().raw


def test_the_fallen_have_no_halo() -> None:
    lying = miniature(hp=0, out=True)
    acting = miniature(hp=0, out=True, active=True)
    assert drawn(lying).get_buffer().raw == drawn(acting).get_buffer().raw


def test_badges_for_harm_and_help_differ_in_rim() -> None:
    bare, helped = drawn(miniature()), drawn(miniature(badges=(Badge("defense_up", "", ""),)))
    harmed = drawn(miniature(badges=(Badge("stunned", "", ""),)))
    assert near(helped, GOLD, 12) > near(bare, GOLD, 12)
    assert near(harmed, (255, 157, 118), 12) > near(bare, (255, 157, 118), 12)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_large_miniature_fills_its_spaces_and_no_more(size: int) -> None:
    surface = pygame.Surface((400, 400))
    surface.fill(FLOOR)
    rect = pygame.Rect(64, 64, 64 * size, 64 * size)
    minis.draw_miniature(surface, miniature("monsters", art="ogre", size=size), rect)
    floor = pygame.mask.from_threshold(surface, FLOOR, (1, 1, 1, 255))
    floor.invert()
    touched = floor.get_bounding_rects()
    whole = touched[0].unionall(touched[1:])
    assert rect.contains(whole)
    assert whole.width > rect.width * 0.9


@pytest.mark.parametrize("size", [8, 24, 36, 60])
def test_portraits_have_the_size_asked_for(size: int) -> None:
    assert minis.portrait("goblin", "monsters", size).get_size() == (size, size)
    assert minis.portrait("goblin", "monsters", size) is minis.portrait("goblin", "monsters", size)


def test_an_unknown_figure_is_drawn_as_its_sides_stranger() -> None:
    heroes, foes = minis.figure("no such art", "heroes", 48), minis.figure("no such art", "monsters", 48)
    assert heroes is not None and foes is not None
    assert heroes.get_buffer().raw != foes.get_buffer().raw


def test_two_at_hand_to_hand_stand_in_opposite_corners_of_their_space() -> None:
    from game.view.boardview import _corner, _crowded

    one, other = (Miniature(name, name, side, Cell(7), "wolf") for name, side in (("a", "heroes"), ("b", "monsters")))
    fallen = Miniature("c", "c", "heroes", Cell(7), "wolf", out=True)
    board = Board((one, other, fallen), (), "", ())
    assert _crowded(board) == {"a": 0, "b": 1}
    space = pygame.Rect(100, 50, 64, 64)
    first, second = _corner(space, 0), _corner(space, 1)
    assert space.contains(first)
    assert space.contains(second)
    assert first.topleft == space.topleft
    assert second.bottomright == space.bottomright


@pytest.mark.parametrize("width", [28, 36, 48, 56, 96])
def test_badges_stand_beside_each_other_however_small_a_miniature_is(width: int) -> None:
    spots = minis.badge_spots(pygame.Rect(0, 0, width, width), width)
    assert len(spots) == 4
    for one, other in combinations(spots, 2):
        assert math.dist(one.center, other.center) >= one.width - 1


def test_who_lies_below_somebody_is_shown_small_at_the_foot_of_the_space() -> None:
    space = pygame.Rect(0, 0, SIZE, SIZE)
    bare, one, two = (pygame.Surface((SIZE, SIZE)) for _ in range(3))
    minis.draw_beneath(one, miniature(hp=0, out=True), space)
    for place in range(2):
        minis.draw_beneath(two, miniature(hp=0, out=True, dead=True), space, place)
    small = [pygame.mask.from_threshold(each, (0, 0, 0), (1, 1, 1, 255)) for each in (bare, one, two)]
    painted = [SIZE * SIZE - mask.count() for mask in small]
    assert painted[0] == 0 < painted[1] < painted[2]
    upper = one.subsurface(pygame.Rect(0, 0, SIZE, SIZE // 2))
    assert pygame.transform.average_color(upper)[:3] == (0, 0, 0), "the figure above it stays in sight"
