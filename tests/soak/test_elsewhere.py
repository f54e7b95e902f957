"""In fog a frame says nothing of where those stand whom its seat doesn't see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest

from game.fight.viewing import Eyes
from game.view.ground import picture
from rules.core.registry import RULESETS
from tests.soak.elsewhere import difference, two
from tests.soak.encounters import Case, drawn

SEEDS = {"olde": (4, 5, 8), "cairn": (3, 5, 12), "countup": (1, 3, 7)}


@pytest.fixture(autouse=True)
def _everything_is_as_it_was() -> Iterator[None]:
    """What a table puts in the place of the game's own is taken away again, for whatever test comes next."""
    before = picture.BUDGET, picture.GroundPicture._look_ahead
    yield
    assert (picture.BUDGET, picture.GroundPicture._look_ahead) == before


def pair(kind: str, seed: int) -> tuple[Case, Case]:
    found = two(drawn(seed, {"fog": "on", "ruleset": kind}), seed)
    assert found is not None, "somebody can stand unseen"
    return found


@pytest.mark.parametrize(("kind", "seed"), [(kind, seed) for kind in RULESETS for seed in SEEDS[kind]])
def test_the_frame_is_the_same_wherever_the_unseen_stand(kind: str, seed: int) -> None:
    assert difference(*pair(kind, seed)) == ""


def test_where_the_unseen_show_the_frames_differ() -> None:
    def whole(eyes: Eyes, number: int = -1) -> Any:
        return eyes.match.history.moments[number].state

    one, other = pair("countup", 3)
    with mock.patch.object(Eyes, "_table", new=whole):
        assert difference(one, other) != ""
