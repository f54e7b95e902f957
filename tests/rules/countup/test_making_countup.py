"""Making characters and their levels (countup.md §5.3, §9.1, §9.2)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from game.content import tables as content
from rules.core.dice import Dice
from rules.countup.creation.experience import shares
from rules.countup.creation.heroes import Build, Growth, hit_dice, level_for, reckon, skill_at, throw_abilities
from rules.countup.creation.tables import ABILITIES, CLASSES, EXPERIENCE, PRICES, RACES, Score, ability_cost, loads
from rules.countup.skills import SKILLS
from rules.countup.statblock import StatBlock
from tests.rules.countup.making import SIX, at_level, builds
from tests.rules.countup.test_rulebook_countup import rows

FACES = ("hp_max", "attack", "defence", "damage", "initiative", "pain", "trauma", "dexterity", "skills")


@pytest.mark.parametrize("name", SIX)
def test_the_six_are_what_their_making_comes_to(name: str) -> None:
    made, block = reckon(SIX[name]), StatBlock.model_validate({**content.heroes("countup")[name], **_place(name)})
    suit = next((e for e in content.tables("countup")["armour"] if e["name"] == block.armour), {})
    figures = (made.hit_points, made.attack, made.defence + suit["defence"], made.damage)
    assert (block.hp_max, block.attack, block.defence, block.damage) == figures
    assert (block.pain, block.trauma, block.dexterity) == (made.pain, made.trauma, made.dexterity)
    assert (block.physical, block.mental, block.dodge) == made.saves
    assert block.skills == made.skills and block.spell_points == made.points
    assert len(block.spells) <= made.spells and not made.faults
    index = {spell["name"]: spell.get("index", 0) for spell in content.tables("countup")["spells"]}
    assert all(index[spell] <= made.highest for spell in block.spells)


def _place(name: str) -> dict[str, Any]:
    return {"id": name, "side": "heroes", "at": (0, 0)}


@pytest.mark.parametrize("kind", CLASSES)
@pytest.mark.parametrize("level", range(1, 6))
def test_a_level_brings_what_the_class_has_there(kind: str, level: int) -> None:
    made, first, table = reckon(at_level(kind, level)), reckon(at_level(kind, 1)), CLASSES[kind]
    assert not made.faults and made.level == level
    assert made.attack - first.attack == table.attack[level - 1] - table.attack[0]
    assert made.initiative - first.initiative == table.initiative[level - 1] - table.initiative[0]
    assert made.speed == (-1 if (kind, level) == ("fighter", 5) else 0)
    share = 30 + level * (2 if kind == "fighter" else 1)
    assert made.pain == -(-made.hit_points * share // 100)
    assert made.points == ((140, 190, 260, 340, 430)[level - 1] if kind == "mage" else 0)
    assert made.allowed == 30 + 15 * (level - 1)


def test_even_levels_throw_the_last_die_again_and_keep_the_better() -> None:
    assert [hit_dice((4, 2)), hit_dice((4, 9)), hit_dice((4, 9, 1)), hit_dice((4, 9, 1, 7))] == [4, 9, 10, 16]


def test_experience_allows_its_levels() -> None:
    assert [level_for(n) for n in (0, 399, 400, 1199, 1200, 2200, 3399, 3400, 99999)] == [1, 1, 2, 2, 3, 4, 4, 5, 5]
    assert [int(row[1]) for row in rows("9.2")] == list(EXPERIENCE)


def test_thrown_abilities_are_three_dice_and_hundredths_in_order() -> None:
    faces = [face for n in range(7) for face in (1, 2, n % 6 + 1, 50 + n)]
    scores, parts = throw_abilities(Dice(None, faces))
    assert list(scores) == list(ABILITIES) and scores["strength"] == 4 and parts["charisma"] == 56


def test_hundredths_add_up_to_points() -> None:
    assert [str(Score(15, 51).plus(0, 50)), str(Score(15, 1).plus(0, 50)), str(Score(15).plus(-2))] == [
        "16/01", "15/51", "13/01",
    ]  # fmt: skip
    assert Score(15, 51).steps == Score(15, 50).steps + 1


def test_the_race_changes_abilities_and_hit_points() -> None:
    human, elf = (reckon(SIX["hale"].model_copy(update={"race": race})) for race in ("human", "elf"))
    assert elf.abilities["constitution"].whole == 8 and elf.abilities["dexterity"].whole == 14
    assert elf.hit_points == human.hit_points - 4 - 5
    assert {row[0]: int(row[1]) for row in rows("9.1", "race and hit points")} == {
        name: race.hit_points for name, race in RACES.items()
    }


def test_a_purchase_adds_the_ability_at_first_and_less_to_those_who_know_more() -> None:
    abilities = dict.fromkeys(ABILITIES, Score(12))
    percents = [skill_at(Build(kind="mage", skills={"first aid": n}), abilities, "first aid") for n in range(1, 6)]
    assert percents == [19, 26, 31, 36, 41]
    assert skill_at(Build(kind="mage"), abilities, "first aid") == 0
    assert skill_at(Build(kind="mage"), abilities, "listening") == 12
    assert skill_at(Build(kind="thief"), abilities, "lock picking") == 40


def test_every_skill_has_its_price_and_the_book_tells_it() -> None:
    assert set(PRICES) == set(SKILLS)
    assert {row[0]: int(row[1]) for row in rows("9.1", "building points")} == PRICES


def test_the_book_tells_loads_by_strength() -> None:
    for row in rows("9.3", "load by strength"):
        assert tuple(map(int, row[1:])) == loads(Score(int(row[0])))


def test_scores_are_bought_dearer_the_higher() -> None:
    assert [ability_cost(n) for n in (6, 8, 14, 15, 16, 17, 18)] == [-2, 0, 6, 8, 10, 13, 16]
    greedy = Build(kind="fighter", dice=(5,), abilities=dict.fromkeys(ABILITIES, 14))
    assert reckon(greedy).faults == ("abilities cost 42 points; there are 26",)


FAULTY: dict[str, tuple[dict[str, Any], str]] = {
    "no class": ({"kind": "", "dice": ()}, "no class is chosen"),
    "no hit die": ({"dice": ()}, "is not thrown yet"),
    "a face too high": ({"dice": (11,)}, "show 1 to 10"),
    "a die too many": ({"dice": (5, 5)}, "2 are thrown for 1 levels"),
    "a level unearned": ({"dice": (5, 5), "growth": (Growth(ability="looks"),)}, "needs 400 points"),
    "growth not chosen": ({"dice": (5, 5), "growth": (Growth(),), "earned": 400}, "choose it"),
    "too low": ({"abilities": {"looks": 5}}, "6 is the least"),
    "an unknown ability": ({"abilities": {"luck": 12}}, "luck is no ability"),
    "an unknown skill": ({"skills": {"basket weaving": 1}}, "basket weaving is no skill"),
    "too many points": ({"skills": {"disarm trap": 2}}, "32 building points are spent; there are 30"),
    "a fighter who learns": ({"learnt": ("longbow",)}, "every weapon already"),
    "learnt twice": ({"kind": "mage", "dice": (3,), "learnt": ("staff",)}, "staff: learnt twice"),
    "not thrown": ({"way": "thrown"}, "not thrown yet"),
}


@pytest.mark.parametrize("name", FAULTY)
def test_a_faulty_build_is_told_in_a_sentence(name: str) -> None:
    changes, told = FAULTY[name]
    whole = {"kind": "fighter", "dice": (5,), **changes}
    assert any(told in fault for fault in reckon(Build.model_validate(whole)).faults)


@given(builds())
def test_every_making_is_a_stat_block(build: Build) -> None:
    made = reckon(build)
    assert not made.faults
    assert made.hit_points >= 1 and all(1 <= percent <= 100 for percent in made.skills.values())
    assert made.hit_points > made.pain or made.hit_points <= 3


def test_an_evening_is_shared_among_all_who_went() -> None:
    assert shares((7, 7, 10), 1, 4) == (240 + 100) // 4 + 25
    assert shares((33,), 0, 0) == 0
