"""Between fights: the felled, first aid, wounds one by one, cures, rest (countup.md §9.4, §9.5)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.contract.errors import BattlematError
from rules.countup.combat.wounds import days_to_heal, mended, suffered
from rules.countup.creation import camp as camps
from rules.countup.creation.camp import Camp, Cure, Patient, Wound, felled, fresh
from rules.countup.gear import Amount


def patient(name: str, *wounds: int, **more: Any) -> Patient:
    """Somebody of 30 hit points and a trauma of 6 with these wounds."""
    return Patient(id=name, name=name.title(), hp_max=30, trauma=6, wounds=tuple(map(fresh, wounds)), **more)


def camp(*people: Patient, throws: tuple[int, ...] = ()) -> Camp:
    return camps.pitch([felled(one) for one in people], 1, throws)


@pytest.mark.parametrize("hp", range(1, 15))
def test_a_wound_takes_as_many_days_as_its_points_and_fewer_for_each_after(hp: int) -> None:
    wound, days = fresh(hp), 0
    while wound.hp:
        wound, days = wound.rested(1), days + 1
    assert days == days_to_heal(hp) == hp * (hp + 1) // 2


def test_wounds_heal_beside_each_other() -> None:
    many, one = patient("a", 1, 1, 1, 1, 1), patient("b", 5)
    assert (camps.days_left(many), camps.days_left(one)) == (1, 15)
    after, _ = camps.day(camp(many, one, throws=()), "camp")
    assert [each.hp for each in after.people] == [30, 25]
    for _ in range(4):
        after, _ = camps.day(after, "camp")
    assert after.people[1].wounds == (Wound(4, 4),) and camps.days_left(after.people[1]) == 10


def test_the_gravest_wound_is_mended_first_and_stays_in_its_place() -> None:
    assert mended((3, 7, 5), 3) == (3, 4, 5) and mended((3, 7, 5), 8) == (3, 0, 4)
    assert mended((2, 2), 9) == (0, 0) and mended(None, 4) is None
    assert suffered(None, 4) is None and suffered((1,), 4) == (1, 4)


@given(st.lists(st.integers(1, 20), max_size=6), st.integers(0, 60))
def test_mending_gives_back_just_so_many_points(wounds: list[int], amount: int) -> None:
    left = mended(tuple(wounds), amount)
    assert left is not None and sum(wounds) - sum(left) == min(amount, sum(wounds)) and min(left, default=0) >= 0


@pytest.mark.parametrize(("wound", "word"), [(29, "wounded"), (30, "dying"), (36, "dying"), (37, "dead")])
def test_the_felled_die_at_once_only_far_below_nought(wound: int, word: str) -> None:
    assert felled(patient("a", wound)).status == word


def test_the_dying_lose_a_point_a_minute() -> None:
    here = camp(patient("a", 33))
    assert [minutes for _, minutes in camps.doomed(here)] == [4]
    after, told = camps.spend_time(here, 3)
    assert after.people[0].hp == -6 and after.people[0].status == "dying" and told[0].hp == -3
    after, told = camps.spend_time(after, 5)
    assert after.people[0].dead and "dies" in told[0].text and camps.doomed(after) == ()


@pytest.mark.parametrize(("face", "saved"), [(57, True), (58, False)])
def test_first_aid_is_an_average_check(face: int, saved: bool) -> None:
    after, told = camps.first_aid(camp(patient("a", 33), patient("b", aid=17), throws=(face,)), "b", "a")
    assert after.people[0].status == ("senseless" if saved else "dying")
    assert (after.people[0].hp, after.minutes, told[0].success) == (-3 if saved else -4, 1, saved)


def test_who_never_learnt_it_gives_no_first_aid() -> None:
    with pytest.raises(BattlematError, match="never learnt first aid"):
        camps.first_aid(camp(patient("a", 33), patient("b")), "b", "a")
    with pytest.raises(BattlematError, match="is not dying"):
        camps.first_aid(camp(patient("a", 3), patient("b", aid=17)), "b", "a")


@pytest.mark.parametrize(("wound", "face", "hp"), [(5, 97, 26), (5, 98, 25), (10, 57, 21), (11, 17, 20), (11, 18, 19)])
def test_a_wound_is_tended_the_harder_the_graver(wound: int, face: int, hp: int) -> None:
    after, _ = camps.tend(camp(patient("a", wound), patient("b", aid=17), throws=(face,)), "b", "a")
    assert (after.people[0].hp, after.minutes) == (hp, camps.TEND)
    with pytest.raises(BattlematError, match="no wound that is not seen to"):
        camps.tend(after, "b", "a")


def test_on_oneself_all_is_a_step_harder_and_after_an_hour_too_late() -> None:
    here = camp(patient("b", 4, aid=17), throws=(57,))
    assert camps.tending(here, "b", "b")[3] == "average"
    late, _ = camps.spend_time(here, 61)
    with pytest.raises(BattlematError, match="within 60"):
        camps.tend(late, "b", "b")


def test_a_tended_wound_heals_as_one_of_its_size() -> None:
    assert fresh(5).eased(1) == Wound(4, 4) and Wound(5, 2).eased(1) == Wound(4, 2)


LIGHT = Cure("Light Cure", *(Amount.read(dice) for dice in ("d8p+1", "2d4p+2")))


def test_a_cure_stops_the_dying_and_is_spent_until_the_night() -> None:
    cora = patient("cora", prayers=("Light Cure",))
    after, told = camps.cure(camp(patient("a", 20, 12), cora, throws=(5,)), "cora", "a", LIGHT)
    assert after.people[0].status == "wounded" and after.people[0].hp == 4 and told[0].hp == 6
    assert [w.hp for w in after.people[0].wounds] == [14, 12]
    with pytest.raises(BattlematError, match="no Light Cure left"):
        camps.cure(after, "cora", "a", LIGHT)
    rested, _ = camps.day(after, "camp")
    assert rested.people[1].left("Light Cure") == 1


def test_the_anointed_are_cured_by_better_dice() -> None:
    cora, devout = patient("cora", prayers=("Light Cure",)), patient("a", 20, anointed=True)
    after, _ = camps.cure(camp(devout, cora, throws=(3, 3)), "cora", "a", LIGHT)
    assert after.people[0].hp == 18


@pytest.mark.parametrize(
    ("how", "face", "left"),
    [("bed", 97, (1, 1)), ("bed", 98, (2, 1)), ("camp", 57, (1, 1)), ("camp", 58, (2, 1)), ("rough", 17, (2, 1)),
     ("rough", 18, (2, 2))],
)  # fmt: skip
def test_care_makes_a_day_count_once_more(how: str, face: int, left: tuple[int, int]) -> None:
    after, _ = camps.day(camp(patient("a", 2), patient("b", aid=17), throws=(face,)), how, "b")
    assert after.people[0].wounds == (Wound(*left),)


def test_care_has_the_chance_of_its_check() -> None:
    assert camps.care_chance(patient("b", aid=17), "camp") == Fraction(57, 100)
    assert camps.care_chance(patient("b"), "bed") == 0


def test_rough_nights_heal_nothing_and_give_no_spells_back() -> None:
    mog = patient("mog", 2, points=30, points_max=140)
    rough, _ = camps.day(camp(mog), "rough")
    assert rough.people[0].points == 30 and rough.people[0].hp == 28
    well, _ = camps.day(camp(mog), "bed")
    assert well.people[0].points == 140 and camps.unwell(well) == (well.people[0],)


def test_the_dead_stay_as_they_are() -> None:
    here = camp(patient("a", 40), patient("b", aid=50))
    after, _ = camps.day(here, "bed", "b")
    assert after.people[0] == here.people[0]
    with pytest.raises(BattlematError, match="is dead"):
        camps.first_aid(after, "b", "a")
    with pytest.raises(BattlematError, match="none of bed"):
        camps.day(after, "hammock")
