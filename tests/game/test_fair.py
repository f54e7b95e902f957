"""A translated encounter is about as hard as it was: the heroes' chances to win lie near each other."""

from __future__ import annotations

import pytest

from rules.registry import RULESETS
from tests.bench.fair import ENCOUNTERS, MOST, Drawn, measured, rows
from tests.bench.weigh import Fought, refined

FEW, WIDE = 6, 45
"""A quick look: so few fights, and so many points apart that luck alone is no reason."""


def test_a_band_is_about_as_hard_under_every_ruleset() -> None:
    """Beginners under Count-Up lost nine of ten of these where everybody came along."""
    quick = [each for each in ENCOUNTERS if each.name in ("goblin_warren 3", "ruined_bridge 7")]
    shares = dict.fromkeys(RULESETS, 0.0)
    for drawn in quick:
        for name, chance in measured(drawn, FEW).chances.items():
            shares[name] += 100 * chance.share / len(quick)
    assert len(quick) == 2 and max(shares.values()) - min(shares.values()) <= WIDE, shares


@pytest.mark.long
@pytest.mark.parametrize("drawn", ENCOUNTERS, ids=lambda drawn: drawn.name)
def test_every_encounter_is_as_hard_under_every_ruleset(drawn: Drawn) -> None:
    found = measured(drawn, 60)
    assert found.spread <= MOST, "\n".join(rows([found]))


def test_fights_move_weights_as_far_as_they_ask_for() -> None:
    kept = {"ann": 6.0, "bob": 6.0, "rat": 6.0, "ogre": 12.0}
    party = ("ann", "bob")
    same = refined(kept, [Fought(party, ("ogre",), 40, 0.7)])
    assert same == {"ann": 6.0, "bob": 6.0, "ogre": 12.0}, "what was expected moves nothing"
    lost = refined(kept, [Fought(party, ("ogre",), 40, 0.1), Fought(party, ("rat", "rat"), 40, 0.7)])
    assert lost["ogre"] > 13 and abs(lost["rat"] - 6) < 1
    assert refined(kept, [Fought(party, ("ogre",), 4, 0.1)])["ogre"] < lost["ogre"], "few fights say less"
