"""What fog shows of walls: a secret door that nobody found looks like the wall around it."""

from __future__ import annotations

import pygame
import pytest

from game.fight.history import Sight
from game.fight.match import Match
from game.view.ground.lights import Veil
from game.view.ground.tiles import GroundPlan
from rules.contract.units import Bitboard
from tests.game.test_party_window import evening

WALL = ["#" * 30, "#......#" + "." * 21 + "#", "#......#" + "." * 21 + "#", "#" * 30]
DOOR = [WALL[0], "#......+" + "." * 21 + "#", *WALL[2:]]


def veiled(rows: list[str], *, found: bool) -> bytes:
    """How much of each space is shown to who sees the first room, and the last of it in the wall, if that is a door."""
    field = Match.from_record(evening(map={"rows": rows})).field
    plan = GroundPlan(field, None)
    doors = frozenset(door.cell for door in field.doors)
    plan.hide(frozenset() if found else doors)
    room = {field.cell(column, row) for column in range(1, 7) for row in (1, 2)}
    seen = Bitboard(sum(1 << cell for cell in room | doors))
    veil = Veil(plan)
    veil.see(Sight(seen, seen))
    assert veil._now is not None
    return pygame.image.tobytes(veil._now, "RGB")


@pytest.mark.parametrize("found", [False, True])
def test_a_secret_door_looks_like_the_wall_until_it_is_found(found: bool) -> None:
    assert (veiled(DOOR, found=found) == veiled(WALL, found=True)) != found
