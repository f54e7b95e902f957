"""Count-Up against its twin: random fights in which both readings must say the same of every command and every state.

Left out of the random fights so far, and so judged by neither reading: doors as a side remembers them
in fog. Every seed adds some of `encounters.SUBJECTS` to its fight.
"""

import pytest

from tests.twins.countup import encounters, spells
from tests.twins.countup.errors import ERRORS, caught_after
from tests.twins.countup.match import play, tables


def test_both_readings_agree_in_ten_fights() -> None:
    given = 0
    for seed in range(10):
        commands, _, difference = play(seed)
        assert not difference, f"fight {seed}, command {commands}: {difference}"
        given += commands
    assert given > 600


def test_what_the_twin_does_not_cover_is_named() -> None:
    from rules.countup.actions.table import PLAIN
    from rules.countup.state import SWITCHES

    assert set(encounters.DOS) >= set(PLAIN)
    left_out = ("crawl", "darkness", "explore", "fixtures", "fog", "hurdles", "sleepers")
    assert sorted((*encounters.OPTIONS, *left_out)) == sorted(switch.name for switch in SWITCHES)
    assert sorted((*spells.READ, *spells.GROUND)) == sorted(tables()["spell"])


@pytest.mark.parametrize("name", ERRORS)
def test_a_deliberate_error_in_the_rules_is_seen(name: str) -> None:
    assert 0 < caught_after(name) <= 250
