"""The picture of the ground that was seen shows all of it, however small it has to be."""

from __future__ import annotations

import pygame

from game.chronicle.pictures import ground_of
from game.content import encounter
from game.content import tables as content
from game.fight.match import Match
from game.fight.viewing import Eyes
from game.view.camera import LEAST_ZOOM
from rules.contract.ruleset import PARTY


def test_ground_too_wide_for_the_camera_is_drawn_smaller_not_cut_off() -> None:
    match = Match.from_record(encounter.surprise("tavern", list(content.heroes("olde"))[:2], 2, ruleset="olde"))
    eyes, field, zoom = Eyes(match, [PARTY]), match.field, LEAST_ZOOM // 2
    small = ground_of(match, eyes, None, (field.width * zoom, field.height * zoom))
    large = ground_of(match, eyes, None, (field.width * LEAST_ZOOM, field.height * LEAST_ZOOM))
    assert small is not None and large is not None and small.get_width() < large.get_width()
    corners = [pygame.transform.average_color(each, _last_quarter(each)) for each in (small, large)]
    assert all(abs(a - b) <= 4 for a, b in zip(*corners, strict=True)), "the same ground in its far corner"


def _last_quarter(picture: pygame.Surface) -> pygame.Rect:
    wide, high = picture.get_size()
    return pygame.Rect(wide // 2, high // 2, wide // 2, high // 2)
