"""What a wound leads to by the traits of whom it strikes, as figures (docs/traits.md, the computer)."""

from __future__ import annotations

import msgspec
import pytest

from game.controllers.ai.advisors.olde.attacks import Fate, aftermath, burst_of, fate_of, rises
from game.controllers.ai.factors import load_weights
from rules.contract.units import CreatureIx
from rules.olde.combat.attack import AttackTable
from rules.olde.traits import DeathBurst, TraitModel, traits_of
from tests.rules.olde.creatures import Fight, being
from tests.rules.table import dice

W = load_weights().olde.wounds
TROLL = Fate(10, 20, 4, 0, 0, False)


def certain(damage: int) -> tuple[float, ...]:
    """The tails of a blow that always does so much."""
    return (*[1.0] * (damage + 1), 0.0)


def test_fire_is_worth_what_does_not_come_back():
    assert aftermath(TROLL, certain(3), True) == pytest.approx(4 / 10)
    assert aftermath(TROLL, certain(3), False) == 0.0
    hale = TROLL._replace(hp=20)
    assert aftermath(hale, certain(1), True) == pytest.approx(1 / 20), "no more than is missing comes back"


def test_to_fell_who_rises_again_is_worth_less_unless_by_fire():
    assert aftermath(TROLL, certain(11), False) == -W.rises, "-1, dying to -2, 4 back"
    assert aftermath(TROLL, certain(13), False) == -W.rises_late, "-3, dying to -4, 4 back: not on its feet yet"
    assert aftermath(TROLL, certain(11), True) == 0.0
    assert aftermath(TROLL, certain(30), False) == 0.0, "dead is dead"
    assert aftermath(TROLL._replace(regains=1), certain(11), False) == 0.0, "dying takes what comes back"


def test_to_divide_an_ooze_is_worth_less():
    ooze = Fate(15, 15, 0, 3, 0, False)
    assert aftermath(ooze, certain(9), False) == -W.divided
    assert aftermath(ooze, certain(10), False) == 0.0, "too little is left for two halves of 3"
    assert aftermath(ooze, certain(9), True) == 0.0
    assert aftermath(ooze, (1.0, 0.5, 0.0), False) == pytest.approx(-W.divided / 2)


def test_to_wake_a_sleeper_is_worth_less_than_to_fell_it():
    sleeper = Fate(8, 8, 0, 0, 0, True)
    assert aftermath(sleeper, certain(2), False) == -W.roused
    assert aftermath(sleeper, certain(8), False) == 0.0


def test_who_lies_there_and_would_rise_is_worth_a_blow():
    down = TROLL._replace(hp=-2)
    assert aftermath(down, certain(1), True) == pytest.approx(W.halted + W.finished * 5 / 18)
    assert aftermath(down, certain(18), False) == pytest.approx(W.halted + W.finished)
    low = TROLL._replace(hp=-9)
    assert aftermath(low, certain(1), False) == pytest.approx(W.finished / 11), "it would not have risen yet"
    assert aftermath(low._replace(regains=0), certain(1), False) == 0.0


@pytest.mark.parametrize("damage", range(8))
def test_life_drain_is_counted_as_half_of_the_damage_rounded_up_and_no_more_than_is_missing(damage: int):
    blow = AttackTable(1.0, float(damage), certain(damage))
    assert [blow.halves(missing) for missing in range(6)] == [min((damage + 1) // 2, missing) for missing in range(6)]
    perhaps = AttackTable(1.0, damage / 4, (1.0, *(tail / 4 for tail in certain(damage)[1:])))
    assert perhaps.halves(5) == pytest.approx(blow.halves(5) / 4)


def test_who_was_burnt_regains_nothing_now():
    fight = Fight(
        being("a"), being("b", (2, 1), traits=[{"name": "regeneration", "bonus": 4}]), throws=dice("action points 8 4")
    )
    state = fight.now
    fighter, figure = state.setup.fighters[1], state.figures[1]
    assert fate_of(fighter, figure) is not None and not rises(fighter, figure)
    down = msgspec.structs.replace(figure, hp=-1)
    assert rises(fighter, down)
    assert fate_of(state.setup.fighters[0], state.figures[0]) is None


def test_a_burst_is_counted_for_all_within_it_less_armor():
    traits = [{"name": "death burst", "die": 6, "spaces": 1}]
    fight = Fight(being("a", armor="leather"), being("b", (2, 1), traits=traits), being("c", (3, 1)),
                  being("d", (5, 1)), throws=dice("action points 8 4 3 2"))  # fmt: skip
    burst = burst_of(fight.now, CreatureIx(1), CreatureIx(0))
    assert burst.own == (pytest.approx(15 / 6), 0.0)
    assert [(name, mean) for name, mean, _ in burst.others] == [("c", pytest.approx(21 / 6))]
    parsed = traits_of([TraitModel(**traits[0])])
    assert parsed is not None and parsed.of(DeathBurst) is not None
