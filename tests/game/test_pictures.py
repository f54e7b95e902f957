"""The moments of the pictures in README and docs/playing.md are still to be had."""

from __future__ import annotations

import pytest

from game.content import encounter
from tests.pictures import PICTURES, Picture, played


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_a_hero_may_strike_a_foe_who_stands_in_it(picture: Picture) -> None:
    match, foe = played(picture)
    assert match.decision is not None and match.decision.side == encounter.HEROES
    sides = {mini.id: mini.side for mini in match.ruleset.board(match.state).miniatures}
    assert sides[foe] == encounter.MONSTERS
