"""When a fight of an evening is over, exploration goes on, as long as a hero is there (docs/exploration.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from game.content import encounter
from game.fight.match import Match
from rules.cairn import state as cairn
from rules.cairn.explore.turns import TURNS
from rules.countup import state as countup
from rules.countup.explore.minutes import MINUTES as COUNTUP
from rules.olde import state as olde
from rules.olde.explore.minutes import MINUTES as OLDE

HEROES = {"olde": ["warrior"], "cairn": ["freya"], "countup": ["hale"]}
COURSES: Mapping[str, tuple[Any, Any]] = {
    "olde": (OLDE, olde.Resolution), "cairn": (TURNS, cairn.Resolution), "countup": (COUNTUP, countup.Resolution),
}  # fmt: skip


def evening(kind: str) -> Any:
    """The first state of an evening in the crypt."""
    record: Mapping[str, Any] = encounter.make_encounter("crypt", HEROES[kind], ["ghoul"], 7, ruleset=kind)
    return Match.from_record({**record, "options": {"crawl": True, "fog": True}}).state


@pytest.mark.parametrize("kind", HEROES)
def test_no_evening_goes_on_where_no_hero_is_in_sight(kind: str) -> None:
    state = evening(kind)
    course, resolution = COURSES[kind]
    unseen = tuple(
        msgspec.structs.replace(figure, cell=-1) if number == 0 else figure
        for number, figure in enumerate(state.figures)
    )
    assert course.truce(resolution(state))
    assert not course.truce(resolution(msgspec.structs.replace(state, figures=unseen)))
