"""Heroes made by array and package, or freely with 20 CP; advancement (olde.md §2)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.contract.errors import BattlematError
from rules.olde.creation.heroes import (
    ANY_JOURNEYMAN,
    ARRAYS,
    GIFTS,
    PACKAGES,
    RANK_NAMES,
    SETS,
    STAT_COST,
    STAT_UPGRADE,
    UPGRADE,
    Build,
    Learning,
    Purchase,
    Stats,
    derived,
    reckon,
)

WARRIOR: dict[str, Any] = {"package": "Warrior", "choices": ("Bows", ANY_JOURNEYMAN), "journeyman": "Swords"}


def stats(brawn: int = 10, finesse: int = 7, savvy: int = 4, nerve: int = 4) -> Stats:
    return Stats(brawn=brawn, finesse=finesse, savvy=savvy, nerve=nerve)


def core(**says: Any) -> Build:
    return Build(**{"stats": stats(), **WARRIOR, **says})


def crunchy(*bought: Purchase, **says: Any) -> Build:
    return Build(**{"way": "crunchy", "stats": stats(5, 5, 5, 5), "bought": bought, **says})


def skill(name: str, rank: str = "Apprentice") -> Purchase:
    return Purchase(kind="skill", name=name, to=rank)


def whole(name: str) -> Purchase:
    return Purchase(kind="set", name=name)


# -- the tables


def test_there_are_fifteen_arrays_and_seven_packages() -> None:
    assert len(ARRAYS) == 15
    assert len(PACKAGES) == 7


@pytest.mark.parametrize("name", [name for name in PACKAGES if name != "Troubadour"])
def test_a_package_is_worth_ten_points(name: str) -> None:
    package = PACKAGES[name]
    cost = sum(SETS[s].cost for s in package.sets) + sum(GIFTS.get(s, 1) for s in package.skills)
    for options in package.choices:
        cost += SETS[options[0]].cost if options[0] in SETS else 1
    assert cost == 10


def test_the_tables_of_costs_agree_with_each_other() -> None:
    total = 0
    for rank, table in zip(RANK_NAMES, (1, 2, 4, 6, 9, 12), strict=True):
        total += UPGRADE[rank]
        assert total == table
    for value in range(4, 13):
        assert STAT_COST[value] - STAT_COST[value - 1] == STAT_UPGRADE[value]


def test_secondary_stats_round_down() -> None:
    assert derived(stats(8, 7, 5, 5)) == {"hp": 10, "mana": 7, "faith": 7}


# -- core heroes


def test_a_package_that_is_none_is_a_fault_that_names_those_there_are() -> None:
    (fault,) = [fault for fault in reckon(core(package="Butler")).faults if fault.startswith("package: Butler")]
    assert all(name in fault for name in PACKAGES)


@pytest.mark.parametrize("array", ARRAYS)
def test_an_array_may_be_assigned_in_any_order(array: tuple[int, ...]) -> None:
    assert reckon(core(stats=stats(*array))).legal
    assert reckon(core(stats=stats(*array[::-1]))).legal


def test_other_stats_are_refused() -> None:
    assert reckon(core(stats=stats(12, 12, 4, 4))).faults == ("stats 12 12 4 4 are none of the fifteen arrays",)


def test_a_package_gives_its_sets_choices_and_common_skills() -> None:
    ranks = reckon(core()).ranks
    assert ranks["Swords"] == "Journeyman"
    assert ranks["Bows"] == ranks["Burst"] == ranks["Alertness"] == "Apprentice"
    assert "Healing" not in ranks


def test_every_choice_must_be_made_and_be_one_of_those_offered() -> None:
    assert any("choice 1" in fault for fault in reckon(core(choices=())).faults)
    assert any("choice 1" in fault for fault in reckon(core(choices=("Swords", ANY_JOURNEYMAN))).faults)


def test_one_journeyman_raises_a_skill_that_one_has() -> None:
    assert reckon(core(journeyman="Healing")).faults
    assert reckon(core(journeyman="")).faults


def test_a_priest_takes_shields_or_a_journeyman() -> None:
    priest: dict[str, Any] = {"package": "Priest", "stats": stats(8, 7, 7, 5)}
    assert reckon(Build(**priest, choices=("Maces", "Shields"))).legal
    assert reckon(Build(**priest, choices=("Maces", ANY_JOURNEYMAN), journeyman="Healing")).legal
    assert not reckon(Build(**priest, choices=("Maces", "Shields"), journeyman="Healing")).legal


def test_a_ranger_may_have_the_animals() -> None:
    ranger: dict[str, Any] = {"package": "Ranger", "stats": stats(8, 8, 7, 4), "journeyman": "Bows"}
    ranks = reckon(Build(**ranger, choices=("Spears", "Animal Handling", ANY_JOURNEYMAN))).ranks
    assert ranks["Train"] == "Apprentice"
    assert "Sneak" not in ranks


# -- crunchy heroes


def test_stats_cost_by_the_table_and_low_ones_give_points_back() -> None:
    assert reckon(crunchy(stats=stats(12, 4, 4, 3))).cost == 20 - 2 - 2 - 5
    assert reckon(crunchy(stats=stats(12, 12, 4, 4))).faults == ("36 CP are spent; there are 20",)


def test_a_set_costs_its_price_whatever_one_has_of_it() -> None:
    assert reckon(crunchy(skill("Swords"), whole("Melee Combat"))).cost == 5


def test_ranks_cost_by_the_steps_between() -> None:
    assert reckon(crunchy(skill("Swords", "Foreman"))).cost == 4
    assert reckon(crunchy(skill("Swords"), skill("Swords", "Journeyman"), skill("Swords", "Foreman"))).cost == 4


def test_a_common_skill_is_had_already() -> None:
    assert "already" in reckon(crunchy(skill("Leap"))).faults[0]
    assert reckon(crunchy(skill("Leap", "Journeyman"))).cost == 1


def test_the_number_for_rank_raises_the_rest_of_a_set() -> None:
    three = [skill(name, "Journeyman") for name in ("Swords", "Axes", "Maces")]
    bill = reckon(crunchy(whole("Melee Combat"), *three))
    assert bill.cost == 4 + 3
    assert {bill.ranks[name] for name in SETS["Melee Combat"].members} == {"Journeyman"}


def test_a_set_bought_when_its_number_is_reached_already_is_raised_at_once() -> None:
    three = [skill(name, "Journeyman") for name in ("Swords", "Axes", "Maces")]
    assert reckon(crunchy(*three, whole("Melee Combat"))).ranks["Spears"] == "Journeyman"


def test_one_short_of_the_number_raises_nothing() -> None:
    two = [skill(name, "Journeyman") for name in ("Swords", "Axes")]
    assert reckon(crunchy(whole("Melee Combat"), *two)).ranks["Spears"] == "Apprentice"


def test_the_number_counts_only_in_a_set_that_one_has() -> None:
    three = [skill(name, "Journeyman") for name in ("Swords", "Axes", "Maces")]
    assert "Spears" not in reckon(crunchy(*three)).ranks


def test_a_skill_in_two_sets_counts_for_both() -> None:
    bought = [whole("Streetfighting"), whole("Swashbuckling"), skill("Knives", "Journeyman")]
    bill = reckon(crunchy(*bought, skill("Brawling", "Journeyman")))
    assert bill.ranks["Thrown Weapons"] == "Journeyman"
    assert bill.ranks["Fencing"] == "Apprentice"
    three = [skill(name, "Journeyman") for name in ("Brawling", "Swords", "Fencing")]
    bill = reckon(crunchy(*bought, *three))
    assert bill.cost == 2 + 2 + 4


def test_own_fields_of_knowledge_take_the_place_of_the_usual() -> None:
    own = ("Alchemy", "Maps", "Music", "Stars", "Wine")
    bill = reckon(crunchy(whole("Scholarship"), fields={"Scholarship": own}))
    assert bill.legal
    assert bill.ranks["Knowledge:Wine"] == "Apprentice"
    assert "Knowledge:Arcana" not in bill.ranks
    assert not reckon(crunchy(whole("Scholarship"), fields={"Scholarship": own[:4]})).legal


@pytest.mark.parametrize(
    ("purchase", "text"),
    [
        (skill("Juggling"), "no skill"),
        (skill("Swords", "Hero"), "none of"),
        (whole("Cooking"), "none of"),
        (Purchase(kind="stat", name="brawn", to="9"), "at creation"),
    ],
)
def test_refusals_say_what_would_be_right(purchase: Purchase, text: str) -> None:
    (fault,) = reckon(crunchy(purchase)).faults
    assert text in fault


# -- advancement


def test_earned_points_raise_skills_stats_and_buy_sets() -> None:
    bill = reckon(
        core(
            earned=12,
            advances=(
                skill("Swords", "Foreman"),
                Purchase(kind="stat", name="brawn", to="11"),
                whole("Stealth"),
                skill("Healing"),
            ),
        )
    )
    assert (bill.spent_later, bill.stats.brawn, bill.ranks["Swords"]) == (2 + 4 + 3 + 1, 11, "Foreman")
    assert bill.legal


def test_more_than_was_earned_cannot_be_spent() -> None:
    bill = reckon(core(earned=1, advances=(skill("Swords", "Foreman"),)))
    assert bill.faults == ("advances cost 2 CP; 1 were earned",)


def test_no_stat_beyond_twelve() -> None:
    assert "at most 12" in reckon(core(earned=99, advances=(Purchase(kind="stat", name="brawn", to="13"),))).faults[0]


# -- properties

ALL = sorted({member for each in SETS.values() for member in each.members})
purchases = st.one_of(
    st.sampled_from(sorted(SETS)).map(whole),
    st.tuples(st.sampled_from(ALL), st.sampled_from(RANK_NAMES[:4])).map(lambda pair: skill(*pair)),
)


@given(st.lists(purchases, max_size=12))
def test_ranks_never_fall_and_every_number_is_honoured(bought: list[Purchase]) -> None:
    learning = Learning()
    for purchase in bought:
        before = dict(learning.ranks)
        try:
            cost = (
                learning.add_set(purchase.name)
                if purchase.kind == "set"
                else learning.raise_to(purchase.name, purchase.to)
            )
        except BattlematError:
            assert learning.ranks == before
            continue
        assert cost > 0
        assert all(learning.ranks[name] >= rank for name, rank in before.items())
    for name in learning.sets:
        own = [learning.ranks[member] for member in SETS[name].members]
        for rank in range(1, len(RANK_NAMES)):
            reached = sum(each >= rank for each in own)
            assert reached < SETS[name].number or reached == len(own)
