"""Sheets say in a player's words how long what has begun to run still runs."""

from __future__ import annotations

import msgspec
import pytest

from game.fight.match import Match
from rules.cairn.combat.injury import HOUR
from rules.cairn.conditions import BLEEDING_OUT
from rules.cairn.state import Lasting
from tests.game.planning_table import cairn, countup


@pytest.mark.parametrize(
    ("rounds", "told"),
    [
        (HOUR, "dead in an hour without help"),
        (HOUR - 1, "dead in 60 minutes without help"),
        (13, "dead in 3 minutes without help"),
        (6, "dead within a minute without help"),
    ],
)
def test_the_sheet_of_who_bleeds_out_under_cairn_counts_the_hour(rounds: int, told: str) -> None:
    match = Match.from_record(cairn())
    state, who = match.state, match.state.setup.index["gann"]
    figures = list(state.figures)
    figures[who] = msgspec.structs.replace(figures[who], critical=True, lasting=(Lasting(BLEEDING_OUT.name, rounds),))
    hurt = msgspec.structs.replace(state, figures=tuple(figures))
    line = next(line for line in match.ruleset.sheet(hurt, "gann").lines if line.text == "Dying")
    assert line.detail == told
    assert "Dying" not in [line.text for line in match.ruleset.sheet(state, "gann").lines]


@pytest.mark.parametrize(("more", "told"), [(7, "7 seconds more"), (1, "1 second more")])
def test_the_sheet_of_the_helpless_under_count_up_says_how_long(more: int, told: str) -> None:
    match = Match.from_record(countup())
    state, who = match.state, match.state.setup.index["hale"]
    figures = list(state.figures)
    until = state.second + more
    figures[who] = msgspec.structs.replace(figures[who], helpless=until)
    down = msgspec.structs.replace(state, figures=tuple(figures))
    line = match.ruleset.sheet(down, "hale").lines[0]
    assert (line.text, line.detail) == ("Helpless", f"until second {until}, {told}")
    assert "Helpless" not in [line.text for line in match.ruleset.sheet(state, "hale").lines]
