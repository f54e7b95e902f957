"""What comes after a fight: bandages, quiet moments, nights, weeks, mended scars, hirelings' faith (cairn.md §8)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cairn.creation import camp
from rules.cairn.creation.camp import Patient
from rules.contract.errors import BattlematError
from rules.core.dice import Dice


def patient(**says: Any) -> Patient:
    plain: dict[str, Any] = {"id": "ada", "name": "Ada", "hp": 4, "hp_max": 4}
    plain |= {f"{key}_{end}": 10 for key in ("str", "dex", "wil") for end in ("now", "max")}
    return Patient(**{**plain, **says})


def dice(*faces: int) -> Dice:
    return Dice(1, faces)


HELPER = patient(id="bo", name="Bo")


def test_bandages_stop_the_hour_and_leave_one_lying() -> None:
    who, happenings = camp.bandage(patient(dying=40, hp=0, str_now=3))
    assert (who.dying, who.down, who.hp) == (0, True, 0)
    assert happenings[0].text == "Ada is bandaged and will live."


@pytest.mark.parametrize(
    ("who", "rolls", "why"),
    [
        (patient(dead=True), 3, "is dead"), (patient(), 3, "no critical damage"),
        (patient(dying=9), 0, "Bo has no bandages left"), (patient(dying=9), 1, ""),
    ],
)  # fmt: skip
def test_why_nobody_is_bandaged(who: Patient, rolls: int, why: str) -> None:
    found = camp.why_not_bandage(HELPER, who, rolls)
    assert (why in found) if why else found == ""


def test_who_cannot_act_helps_nobody() -> None:
    for helper in (HELPER.but(down=True), HELPER.but(dex_now=0), HELPER.but(wil_now=0), HELPER.but(dying=3)):
        assert "Nobody is able" in camp.why_not_bandage(helper, patient(dying=9), 3)


def test_the_dying_die_when_their_time_is_over_and_not_before() -> None:
    assert camp.minutes_pass(patient(dying=10), 9)[0].dying == 1
    who, happenings = camp.minutes_pass(patient(dying=10), 10)
    assert who.dead and happenings[0].tone == -1


def test_quiet_moments_give_hp_back_and_put_the_stabilised_on_their_feet() -> None:
    who, _ = camp.rest(patient(hp=0, down=True, str_now=2))
    assert (who.hp, who.down, who.str_now) == (4, False, 2), "attributes wait for a healer"


@pytest.mark.parametrize(
    "held", [{"deprived": 1}, {"mending": (camp.INFECTED,)}, {"mending": (camp.FLAT,)}, {"dying": 5}]
)
def test_who_is_deprived_infected_or_dying_gets_nothing_back(held: dict[str, Any]) -> None:
    assert camp.rest(patient(hp=1, **held))[0].hp == 1


def test_a_fed_night_takes_all_fatigue() -> None:
    who, _ = camp.night(dice(), patient(hp=1, fatigue=3, deprived=2), fed=True)
    assert (who.hp, who.fatigue, who.deprived) == (4, 0, 0)


def test_hunger_deprives_and_from_the_second_day_on_adds_fatigue() -> None:
    first, _ = camp.night(dice(), patient(hp=1), fed=False)
    second, _ = camp.night(dice(), first, fed=False)
    assert (first.deprived, first.fatigue, first.hp) == (1, 0, 1)
    assert (second.deprived, second.fatigue) == (2, 1)


def test_a_night_ends_what_knocked_one_flat_and_hp_grow_by_a_die() -> None:
    who, happenings = camp.night(dice(5), patient(hp=0, mending=(3,)), fed=True)
    assert (who.hp_max, who.hp, who.mending) == (9, 9, ())
    assert happenings[0].roll is not None and happenings[0].roll.total == 5


def test_a_week_with_a_healer_gives_attributes_back_and_mends_bones() -> None:
    hurt = patient(str_now=2, wil_now=7, lame=True, mending=(4,))
    who, _ = camp.week(dice(3, 4), hurt, healed=True)
    assert (who.str_now, who.wil_now, who.lame, who.hp_max, who.hp) == (10, 10, False, 7, 7)
    idle, _ = camp.week(dice(), hurt, healed=False)
    assert (idle.str_now, idle.lame, idle.mending) == (2, True, (4,)), "without a healer nothing of it mends"


@pytest.mark.parametrize(
    ("row", "faces", "field", "after"),
    [(4, (1, 2), "hp_max", 4), (4, (6, 5), "hp_max", 11), (7, (6, 6, 4), "dex_max", 16), (7, (1, 1, 1), "dex_max", 10),
     (11, (1, 1), "hp_max", 2), (3, (6,), "hp_max", 10)],
)  # fmt: skip
def test_what_a_mended_scar_leaves(row: int, faces: tuple[int, ...], field: str, after: int) -> None:
    who, _ = camp.mended(dice(*faces), patient(mending=(row,)), row)
    assert getattr(who, field) == after and not who.mending and who.hp <= who.hp_max


def test_a_lost_leg_stays_lost_when_a_broken_one_mends() -> None:
    who, _ = camp.mended(dice(1, 1), patient(mending=(4,), lame=True, lost=("leg",)), 4)
    assert who.lame


def test_a_scar_that_is_not_waiting_does_not_mend() -> None:
    with pytest.raises(BattlematError, match="no scar of row 4"):
        camp.mended(dice(), patient(), 4)


def test_a_salve_stops_the_clock_and_never_heals_beyond_the_top() -> None:
    who, _ = camp.treat(dice(4), patient(dying=3, str_now=8), 0, 4)
    assert (who.dying, who.down, who.str_now) == (0, True, 10)


@pytest.mark.parametrize(("face", "stays"), [(1, True), (10, True), (11, False), (20, False)])
def test_who_is_not_paid_saves_wil(face: int, stays: bool) -> None:
    assert camp.faithful(dice(face), patient())[0] is stays


DEEDS = st.lists(st.sampled_from(("night", "hungry", "week", "rest", "hour")), max_size=12)
SCORES = st.tuples(*[st.integers(0, 10)] * 3)
WAITING = st.lists(st.sampled_from((3, 4, 5, 7, 8, 11)))


@given(st.integers(0, 2**31), DEEDS, SCORES, WAITING)
def test_no_way_through_a_camp_gives_more_than_there_is(
    seed: int, deeds: list[str], now: tuple[int, ...], mending: list[int]
) -> None:
    thrown = Dice(seed, None)
    who = patient(str_now=now[0], dex_now=now[1], wil_now=now[2], hp=0, mending=tuple(mending), dying=100)
    for deed in deeds:
        if deed == "rest":
            who, _ = camp.rest(who)
        elif deed == "hour":
            who, _ = camp.minutes_pass(who, 60)
        elif deed == "week":
            who, _ = camp.week(thrown, who, healed=True)
        else:
            who, _ = camp.night(thrown, who, fed=deed == "night")
        assert who.hp <= who.hp_max
        assert all(getattr(who, f"{key}_now") <= getattr(who, f"{key}_max") for key in ("str", "dex", "wil"))
        assert not (who.dead and who.dying)
