"""A place of several maps on the board (docs/playing.md): one map at a time, each as it looks by itself."""

from __future__ import annotations

from typing import Any

import msgspec
import pygame
import pytest

from game.fight.history import Sight
from game.fight.match import Match
from game.view.boardview import BoardView
from game.view.camera import Camera
from rules.contract.units import Bitboard

SIZE = (640, 480)
MAPS = ("tavern", "crypt")


def match(**source: Any) -> Match:
    creatures = [
        {"id": "ada", "side": "heroes", "template": "warrior", "controller": "human", "map": "tavern", "at": [6, 6]},
        {"id": "gob", "side": "monsters", "template": "goblin", "map": "crypt", "at": [6, 6]},
    ]
    place = {"place": [{"tmx": f"{name}.tmx"} for name in MAPS]}
    return Match.from_record(
        {"format": "battlemat/2", "ruleset": "olde", "map": {**place, **source}, "seed": 5, "creatures": creatures}
    )


def alone(name: str) -> Match:
    who = {"id": "ada", "side": "heroes", "template": "warrior", "controller": "human", "at": [6, 6]}
    record = {"format": "battlemat/1", "ruleset": "olde", "map": {"tmx": f"{name}.tmx"}, "seed": 5, "creatures": [who]}
    return Match.from_record(record)


def view(of: Match, *, bare: bool = False) -> BoardView:
    found = BoardView(of.field, of.loaded_map, Camera(of.field, SIZE))
    board = of.board()
    found.set_board(msgspec.structs.replace(board, miniatures=()) if bare else board)
    found.speed = 0
    return found


def drawn(shown: BoardView) -> bytes:
    surface = pygame.Surface(SIZE)
    shown.draw(surface)
    while shown.ground.pending:
        shown.draw(surface)
    return pygame.image.tobytes(surface, "RGB")


@pytest.mark.parametrize("level", [0, 1])
def test_a_map_of_a_place_looks_as_it_does_alone(level: int) -> None:
    one, many = view(alone(MAPS[level]), bare=True), view(match(), bare=True)
    many.camera.to_level(level)
    for each in (one, many):
        each.camera.show_all()
    assert drawn(one) == drawn(many)


def test_in_fog_too_a_map_looks_as_it_does_alone() -> None:
    field = alone("crypt").field
    known = Bitboard(((1 << 12) - 1) << 5 * field.width + 4 | ((1 << 9) - 1) << 6 * field.width + 4)
    one, many = view(alone("crypt"), bare=True), view(match(), bare=True)
    part = many.field.maps[1]
    one.see(Sight(known, known))
    there = known << part.top * many.field.width
    many.see(Sight(there, there))
    many.camera.to_level(1)
    for each in (one, many):
        each.camera.fit()
    assert drawn(one) == drawn(many)


def test_nothing_of_another_map_is_drawn_or_pointed_at() -> None:
    shown = view(match())
    camera = shown.camera
    camera.to_level(0)
    with_all = drawn(shown)
    assert shown.board is not None
    ours = [mini for mini in shown.board.miniatures if camera.shows(mini.cell)]
    assert [mini.id for mini in ours] == ["ada"]
    shown.set_board(msgspec.structs.replace(shown.board, miniatures=tuple(ours)))
    assert drawn(shown) == with_all
    cell = camera.field.cell(6, camera.field.maps[1].top + 6)
    assert camera.to_cell(camera.space_rect(cell).center) is None


def test_the_camera_goes_to_the_map_of_what_is_to_be_seen_and_comes_back_to_where_it_looked() -> None:
    camera = view(match()).camera
    top = camera.field.maps[1].top
    camera.set_zoom(80)
    camera.centre((20, 10))
    camera.arrive()
    before, camera.anchor = camera.origin, None
    camera.show([(6, top + 6), (6, 6)])
    assert camera.level == 1 and camera.bounds == pygame.Rect(0, top, 34, 26)
    camera.to_level(0)
    assert camera.origin == before and camera.bounds == pygame.Rect(0, 0, 30, 26)
    camera.anchor = camera.field.cell(6, top + 6)
    camera.frame([(6, 6), (6, top + 6)])
    assert camera.level == 1
    camera.to_level(7)
    assert camera.level == 1


def test_the_bounds_in_fog_are_those_of_what_is_known_on_the_map_that_is_shown() -> None:
    camera = view(match()).camera
    field = camera.field
    known = Bitboard(1 << field.cell(3, 4) | 1 << field.cell(5, 6) | 1 << field.cell(9, field.maps[1].top + 2))
    camera.bound(known)
    assert camera.bounds == pygame.Rect(3, 4, 3, 3)
    camera.to_level(1)
    assert camera.bounds == pygame.Rect(9, field.maps[1].top + 2, 1, 1)


def test_a_door_of_any_map_is_drawn_as_it_stands() -> None:
    of = match()
    shown, part = view(of, bare=True), of.field.maps[1]
    shown.camera.to_level(1)
    shown.camera.show_all()
    before = drawn(shown)
    assert shown.board is not None
    states, wide = list(shown.board.doors), of.field.width
    own = [i for i, each in enumerate(of.field.doors) if part.has_row(each.cell // wide)]
    door = next(i for i in own if states[i] == "closed")
    states[door] = "open"
    shown.set_board(msgspec.structs.replace(shown.board, doors=tuple(states)))
    assert drawn(shown) != before
    shown.camera.to_level(0)
    shown.camera.show_all()
    assert drawn(shown) == drawn(view_at(of, 0))


def view_at(of: Match, level: int) -> BoardView:
    shown = view(of, bare=True)
    shown.camera.to_level(level)
    shown.camera.show_all()
    return shown
