"""Exact odds are those of an enumeration of the dice (countup.md §2.1, §2.2, §2.5)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from rules.contract.actions import Action
from rules.contract.units import CreatureIx
from rules.countup.combat.chances import attack_figures, harm_of
from rules.countup.manners import AGGRESSIVE, PLAIN
from rules.countup.penetration import Die, die_chances, die_weights, weights
from rules.countup.state import PreparedAttack
from tests.rules.countup.creatures import Fight, being, duel
from tests.rules.table import dice


def faces(die: int) -> list[tuple[int, int, Fraction]]:
    """(natural, total, chance) of a penetrating die, counted out by hand to a chain of nine."""
    extra = {20: 6}.get(die, die)
    out = [(face, face, Fraction(1, die)) for face in range(1, die)]
    total, chance = die, Fraction(1, die)
    for _ in range(9):
        out += [(die, total + face - 1, chance / extra) for face in range(1, extra)]
        total, chance = total + extra - 1, chance / extra
    return [*out, (die, total, chance)]


def counted(attack: int, defence: int, bonus: int, guard: int, cap: int | None = None) -> tuple[float, float]:
    """(hit, shield struck) by every pair of faces."""
    hit = struck = Fraction(0)
    for (natural, a, p), (shown, d, q) in product(faces(attack), faces(defence)):
        total = a + bonus if cap is None else min(a + bonus, cap)
        gap = d + guard - total
        if natural != 1 and gap < 0:
            hit += p * q
        elif natural != 1 and 0 <= gap <= 9 and not (defence == 20 and shown == 20):
            struck += p * q
    return float(hit), float(struck)


def test_a_penetrating_die_sums_to_one_and_skips_nothing() -> None:
    for die in (4, 8, 12, 20):
        table = dict(die_chances(die))
        assert sum(table.values()) == 1
        assert table[die - 1] == Fraction(1, die)


def test_a_backstabs_die_goes_on_from_its_two_highest_faces() -> None:
    """Of a d4: 3 and 4 go on, and each further face counts one less (countup.md §2.6 Backstab)."""
    known, whole = die_weights(4, keen=True)
    chances = {value: Fraction(weight, whole) for value, weight in known}
    assert sum(chances.values()) == 1
    assert [chances[value] * 64 for value in range(1, 6)] == [16, 16, 4, 8, 5]


@pytest.mark.parametrize(("option", "bonus"), [(None, 3), ("jab", 3), ("aggressive", 8), ("defensive 2", -1)])
def test_a_blow_against_a_shield(option: str | None, bonus: int) -> None:
    fight = duel(a={"attack": 3}, b={"shield": "medium shield", "defence": 1, "facing": 6})
    odds = fight.rules.odds(fight.now, Action("a", "attack", target="b", option=option))
    assert odds is not None
    hit, struck = counted(20, 20, bonus, 1 + 6)
    assert odds.hit == pytest.approx(hit, abs=1e-6)
    assert dict(odds.outcomes)["shield_struck"] == pytest.approx(struck, abs=1e-6)
    assert sum(chance for _, chance in odds.outcomes) == pytest.approx(1)


def test_an_aggressive_blow_hurts_who_gives_ground_half_as_much() -> None:
    """After all that is added, before what armour takes off (countup.md §2.6, B20)."""
    fight = duel(a={"attack": 3}, b={"reduction": 2})
    state, weapon = fight.now, fight.now.weapon(CreatureIx(0))
    bold = PreparedAttack(CreatureIx(0), CreatureIx(1), weapon, AGGRESSIVE)
    firm, back = harm_of(state, bold), harm_of(state, replace(bold, yielded=True))
    assert (firm.halved, back) == (False, firm._replace(halved=True))
    assert not harm_of(state, replace(bold, manner=PLAIN, yielded=True)).halved


def test_amid_a_crowd_a_shield_is_struck_also_beside_a_die_that_went_on_past_twenty() -> None:
    """Against four the defence is a d12p, and no face of that is a perfect defence (countup.md §2.1)."""
    crowd = [being(name, at) for name, at in (("a", (1, 1)), ("aa", (1, 2)), ("ab", (1, 3)), ("ac", (2, 1)))]
    shielded = being("b", (2, 2), facing=7, shield="medium shield")
    fight = Fight(*crowd, shielded, throws=dice("initiative 1 1 1 1 1"))
    fight.hold("aa", "ab", "ac", "b", seconds=30)
    odds = fight.rules.odds(fight.now, Action("a", "attack", target="b"))
    assert odds is not None
    hit, struck = counted(20, 12, 0, 6)
    assert odds.hit == pytest.approx(hit, abs=1e-6)
    assert dict(odds.outcomes)["shield_struck"] == pytest.approx(struck, abs=1e-6)


@pytest.mark.parametrize("reduction", [0, 5, 16, 30])
def test_reduction_takes_no_more_than_there_is(reduction: int) -> None:
    fight = duel(b={"facing": 6, "reduction": reduction})
    odds = fight.rules.odds(fight.now, Action("a", "attack", target="b"))
    assert odds is not None
    plain, sure = dict(odds.outcomes)["hit"], dict(odds.outcomes)["critical_hit"]
    blow, whole = weights((Die(2, 8),))
    twice, of_twice = weights((Die(4, 8),))
    mean = plain * sum(max(0, raw - reduction) * weight for raw, weight in blow) / whole
    mean += sure * sum(max(0, raw - reduction) * weight for raw, weight in twice) / of_twice
    assert odds.mean == pytest.approx(mean)


@pytest.mark.parametrize(("column", "die"), [(10, 20), (16, 12)])
@pytest.mark.parametrize(("shield", "cap"), [(None, None), ("medium shield", 16), ("large shield", 11)])
def test_a_shot_by_bracket_with_the_cap_of_cover(column: int, die: int, shield: str | None, cap: int | None) -> None:
    archer = being("a", (1, 1), weapons=["longbow"], attack=4)
    fight = Fight(archer, being("b", (column, 1), shield=shield, facing=6), throws=dice("initiative 1 1"))
    odds = fight.rules.odds(fight.now, Action("a", "shoot", target="b"))
    assert odds is not None
    assert odds.hit == pytest.approx(counted(die, 12, 4, 0, cap)[0], abs=1e-6)


def test_a_jab_halves_without_penetration() -> None:
    fight = duel(a={"damage": 1})
    odds = fight.rules.odds(fight.now, Action("a", "attack", target="b", option="jab"))
    assert odds is not None
    plain = dict(odds.outcomes)["hit"]
    once = sum(Fraction((x + y + 1) // 2, 64) for x in range(1, 9) for y in range(1, 9))
    sure = dict(odds.outcomes)["critical_hit"]
    twice = sum(Fraction((sum(t) + 1) // 2, 8**4) for t in product(range(1, 9), repeat=4))
    assert odds.mean == pytest.approx(plain * float(once) + sure * float(twice), abs=1e-6)


def test_a_mere_threat_does_no_damage() -> None:
    fight = Fight(being("a", (1, 1), weapons=["spear"]), being("b", (3, 1)), throws=dice("initiative 1 1"))
    odds = fight.rules.odds(fight.now, Action("a", "hold_at_bay", target="b"))
    assert odds is not None
    assert odds.mean == 0


def test_dice_of_damage_add_up_as_one_thrown_after_the_other() -> None:
    known, whole = weights((Die(2, 6), Die(1, 4, flat=-2)))
    six, of_six = die_weights(6)
    four, of_four = die_weights(4)
    slowly: dict[int, int] = {}
    for (a, one), (b, two), (c, three) in product(six, six, four):
        total = a + b + max(0, c - 2)
        slowly[total] = slowly.get(total, 0) + one * two * three
    assert dict(known) == slowly
    assert whole == of_six**2 * of_four


@pytest.mark.parametrize("left", [1, 4, 40])
def test_the_figures_of_an_attack_are_those_of_its_card(left: int) -> None:
    """What planners and answers go by, and what is shown before a blow."""
    fight = duel(a={"attack": 3, "damage": 2}, b={"facing": 6, "hp": left})
    card = fight.rules.odds(fight.now, Action("a", "attack", target="b"))
    assert card is not None
    weapon = fight.now.setup.armoury.weapons["longsword"]
    hit, mean, drop = attack_figures(fight.now, PreparedAttack(CreatureIx(0), CreatureIx(1), weapon))
    assert (hit, mean, drop) == pytest.approx((card.hit, card.mean, card.drop))
