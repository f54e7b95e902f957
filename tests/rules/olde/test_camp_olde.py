"""Between fights: who may still be saved, first aid, bound wounds, rest (olde.md §7, §8)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.contract.errors import BattlematError
from rules.olde.creation.camp import (
    DAY,
    Camp,
    Patient,
    bind_wounds,
    doomed,
    first_aid,
    hero_of,
    mending,
    pitch,
    rest,
    sleep,
    spend_time,
)


def hero(id: str, hp: int = 11, **says: Any) -> Patient:
    """Brawn 8, Savvy 6, Nerve 6; 11 HP."""
    block: dict[str, Any] = {
        "brawn": 8,
        "savvy": 6,
        "nerve": 6,
        "hp_max": 11,
        "mana": 2,
        "mana_max": 9,
        "faith": 1,
        "faith_max": 9,
    }
    return Patient(id=id, name=id.capitalize(), hp=hp, **{**block, **says})


def camp(*heroes: Patient, throws: tuple[int, ...] = ()) -> Camp:
    return pitch(heroes, 1, throws)


def test_the_dying_lose_a_point_a_minute_until_dead() -> None:
    there = camp(hero("ada", -3, dying=True))
    assert [(who.id, left) for who, left in doomed(there)] == [("ada", 8)]
    there, _ = spend_time(there, 7)
    assert hero_of(there, "ada").status == "incapacitated"
    there, told = spend_time(there, 5)
    assert hero_of(there, "ada").hp == -11
    assert told[0].text == "Ada dies."
    assert doomed(there) == ()


def test_bleeding_costs_a_point_a_minute_and_then_one_is_dying_too() -> None:
    there, _ = spend_time(camp(hero("ada", 2, bleeding=True)), 2)
    ada = hero_of(there, "ada")
    assert (ada.hp, ada.dying, ada.bleeding) == (0, True, True)


def test_who_bleeds_to_nothing_is_dying_from_the_next_minute_on_and_loses_two_points_in_each() -> None:
    there = camp(hero("ada", 2, bleeding=True))
    assert [left for _, left in doomed(there)] == [2 + 6], "two minutes to 0 HP, then 11 points by twos"
    there, told = spend_time(there, 5)
    assert hero_of(there, "ada").hp == 2 - 2 - 6
    assert told[0].text == "Ada loses 8 HP."
    by_the_minute = camp(hero("ada", 2, bleeding=True))
    for _ in range(5):
        by_the_minute, _ = spend_time(by_the_minute, 1)
    assert hero_of(by_the_minute, "ada") == hero_of(there, "ada")
    there, told = spend_time(there, 3)
    assert (hero_of(there, "ada").status, told[0].text) == ("dead", "Ada dies.")


@pytest.mark.parametrize(("hp", "rating", "throws", "stops"), [
    (8, 6, (3, 5), True), (8, 6, (3, 4), False), (3, 9, (6, 3, 2), True), (3, 9, (5, 5), False),
])  # fmt: skip
def test_first_aid_is_easy_for_the_bruised_and_moderate_for_the_wounded(
    hp: int, rating: int, throws: tuple[int, ...], stops: bool
) -> None:
    """The helper is untrained: −2."""
    there, told = first_aid(camp(hero("ada", hp, bleeding=True), hero("bo"), throws=throws), "bo", "ada")
    assert told[0].check is not None
    assert (told[0].check.rating, told[0].check.success) == (rating, stops)
    assert hero_of(there, "ada").bleeding != stops


def test_on_oneself_it_is_a_step_harder() -> None:
    there = camp(hero("ada", 3, bleeding=True, healing="Apprentice"), throws=(5, 5))
    _, told = first_aid(there, "ada", "ada")
    assert told[0].check is not None
    assert told[0].check.rating == 12


@pytest.mark.parametrize(("hp", "rating", "after"), [(8, 6, 9), (3, 9, 5), (1, 9, 3), (0, 9, 0), (-4, 9, 0)])
def test_bound_wounds_restore_one_or_two_or_bring_to_nought(hp: int, rating: int, after: int) -> None:
    """An Easy check for the bruised, a Moderate one for the others."""
    there = camp(hero("ada", hp), hero("bo", healing="Apprentice"), throws=(5, 5))
    there, told = bind_wounds(there, "bo", "ada")
    assert hero_of(there, "ada").hp == after
    assert told[0].hp == after - hp
    assert told[0].check is not None and told[0].check.rating == rating


def test_wounds_are_bound_once_and_in_time() -> None:
    there = camp(hero("ada", 3), hero("bo"), throws=(1, 1))
    there, _ = bind_wounds(there, "bo", "ada")
    with pytest.raises(BattlematError, match="bound already"):
        bind_wounds(there, "bo", "ada")
    late, _ = spend_time(camp(hero("ada", 3), hero("bo")), 31)
    with pytest.raises(BattlematError, match="31 minutes"):
        bind_wounds(late, "bo", "ada")


def test_binding_saves_the_dying() -> None:
    there = camp(hero("ada", -4, dying=True), hero("bo", healing="Apprentice"), throws=(5, 5))
    there, _ = bind_wounds(there, "bo", "ada")
    assert (hero_of(there, "ada").hp, hero_of(there, "ada").dying) == (0, False)


@pytest.mark.parametrize(("circumstances", "gained"), [("comfortable", 2), ("field", 1), ("difficult", 0), ("none", 0)])
def test_rest_restores_a_point_for_every_rank(circumstances: str, gained: int) -> None:
    """4 + 5 = 9: two ranks over 6 (margin 3), one over 9, none over 12."""
    there, _ = rest(camp(hero("ada", 3), throws=(4, 5)), "ada", circumstances)
    assert hero_of(there, "ada").hp == 3 + gained


def test_a_caregivers_ranks_add_to_the_check() -> None:
    there = camp(hero("ada", 3), hero("bo", healing="Foreman"), throws=(4, 5, 4, 5))
    there, told = rest(there, "ada", "field", "bo")
    assert [h.check.rating for h in told if h.check] == [6, 9]
    assert told[0].text == "Bo cares for Ada: +2."
    assert hero_of(there, "ada").hp == 3 + 1


@pytest.mark.parametrize(("rank", "rating"), [(None, 12), ("Apprentice", 9), ("Journeyman", 9), ("Master", 6)])
def test_the_more_a_caregiver_knows_the_easier_it_is(rank: str | None, rating: int) -> None:
    there = camp(hero("ada", 3), hero("bo", healing=rank), throws=(2, 2, 2, 2))
    _, told = rest(there, "ada", "field", "bo")
    assert told[0].check is not None
    assert told[0].check.rating == rating


def test_one_check_a_day() -> None:
    there, _ = rest(camp(hero("ada", 3), throws=(4, 5)), "ada", "field")
    with pytest.raises(BattlematError, match="24 hours"):
        rest(there, "ada", "field")
    there, _ = spend_time(there, DAY)
    assert hero_of(there, "ada").hp == 4


def test_nobody_rests_while_dying_and_nothing_helps_the_dead() -> None:
    with pytest.raises(BattlematError, match="dying"):
        rest(camp(hero("ada", -2, dying=True)), "ada", "field")
    with pytest.raises(BattlematError, match="dead"):
        first_aid(camp(hero("ada", -11), hero("bo")), "bo", "ada")


def test_a_night_gives_back_mana_and_faith_and_days_heal() -> None:
    there = camp(hero("ada", 3), hero("bo"), throws=(4, 5, 4, 5))
    there, _ = sleep(there, "comfortable")
    ada = hero_of(there, "ada")
    assert (ada.hp, ada.mana, ada.faith) == (5, 9, 9)
    there, _ = sleep(there, "comfortable")
    assert hero_of(there, "ada").hp == 7
    assert there.minutes == 2 * DAY


def test_a_night_without_rest_gives_back_neither() -> None:
    there, _ = sleep(camp(hero("ada")), "none")
    ada = hero_of(there, "ada")
    assert (ada.mana, ada.faith, there.minutes) == (2, 1, DAY)


def test_the_chance_to_mend_is_that_of_the_dice_with_and_without_a_caregiver() -> None:
    hurt, carer = hero("ada", 5), hero("odo", healing="Journeyman")
    for helper in (None, "odo"):
        promised = mending(camp(hurt, carer), "ada", "field", helper)
        mended = sum(
            hero_of(rest(pitch((hurt, carer), seed), "ada", "field", helper)[0], "ada").hp > 5 for seed in range(2000)
        )
        assert promised == pytest.approx(mended / 2000, abs=0.03)
    alone, cared = (mending(camp(hurt, carer), "ada", "field", helper) for helper in (None, "odo"))
    assert alone is not None and cared is not None and cared > alone + 0.05


def test_nobody_mends_who_is_whole_dying_or_has_rested() -> None:
    there = pitch((hero("ada"), hero("bea", -3, dying=True), hero("cy", 5)), 1)
    assert [mending(there, name, "field") for name in ("ada", "bea")] == [None, None]
    assert mending(there, "cy", "comfortable") is not None
    after, _ = rest(there, "cy", "field")
    assert mending(after, "cy", "field") is None
