"""olde.md §2 and §3: derived stats, skills and checks."""

from __future__ import annotations

import pytest

from rules.contract.errors import RecordError
from rules.core.dice import Dice, roll
from rules.olde import skills
from rules.olde.challenges import checks as challenges
from tests.rules.olde.creatures import Fight, being


def _one(**says):
    return Fight(being("a", (1, 1), **says), being("b", (5, 1)))


@pytest.mark.parametrize(
    "brawn, savvy, nerve, hp, mana, faith",
    [(8, 5, 5, 10, 7, 7), (9, 6, 6, 12, 9, 9), (5, 3, 4, 7, 5, 5), (12, 4, 3, 13, 5, 5)],
)
def test_derived_stats_round_the_half_down(brawn, savvy, nerve, hp, mana, faith):
    sheet = _one(brawn=brawn, savvy=savvy, nerve=nerve).of("a")
    assert (sheet["hp"], sheet["mana"], sheet["faith"]) == (hp, mana, faith)


@pytest.mark.parametrize(
    "says, spaces", [({}, 2), ({"size": "small"}, 1), ({"free_steps": 3}, 3), ({"free_steps": 0}, 0)]
)
def test_free_steps_by_size_or_as_the_block_says(says, spaces):
    assert _one(**says).of("a")["free_steps"] == spaces


def test_rank_adjustments():
    ranks = ["Untrained", "Apprentice", "Journeyman", "Foreman", "Master", "Grand Master", "Legendary Master"]
    assert [skills.RANKS[rank] for rank in ranks] == [-2, 0, 1, 2, 3, 4, 5]


def test_without_a_skill_minus_two_save_the_common_ones():
    assert skills.adjustment(None, "Healing") == -2
    assert [skills.adjustment(None, skill) for skill in ("Alertness", "Leap", "Lift/Shift")] == [0, 0, 0]


BY_STAT = {
    "brawn": "Axes Brawling Burst Climb Endure Leap Lift/Shift Maces Ride Shields Swim Swords",
    "finesse": "Bows Crossbows Dodge Escape Fencing Knives Murder Pistols Pursuit Quarterstaff "
    "Sleight-of-hand Sling Sneak "
    "Spears Tumble Climb Ride Swim",
    "savvy": "Alertness Camouflage Disable Forage Healing Insight Investigation Knowledge Language Literacy "
    "Pathfinding "
    "Profession Research Tracking Trivia Veterinarian",
    "nerve": "Command Deception Disguise Drive Entertain Intimidate Negotiate Persuade Train Burst Endure",
}


@pytest.mark.parametrize("stat", list(BY_STAT))
def test_check_stats_of_skills(stat):
    for skill in BY_STAT[stat].split():
        assert stat in skills.CHECK_STATS[skill]


@pytest.mark.parametrize(
    "skill, brawn, finesse, nerve, stat",
    [("Climb", 6, 9, 5, "finesse"), ("Climb", 9, 6, 5, "brawn"), ("Burst", 5, 9, 8, "nerve")],
)
def test_of_two_check_stats_the_better_is_used(skill, brawn, finesse, nerve, stat):
    fighter = _one(brawn=brawn, finesse=finesse, nerve=nerve).now.setup.fighters[0]
    assert challenges.check_stat(fighter, skill) == stat


def test_skills_unusable_untrained():
    assert set(skills.TRAINED_ONLY) == {"Sling", "Knowledge", "Language", "Literacy", "Profession", "Trivia", "Train"}


def test_challenge_ratings():
    assert challenges.RATINGS == {
        "Trivial": 3,
        "Easy": 6,
        "Moderate": 9,
        "Hard": 12,
        "Heroic": 15,
        "Superhuman": 18,
        "Godly": 21,
    }


@pytest.mark.parametrize(
    "margin, ranks",
    [
        (0, 1),
        (2, 1),
        (3, 2),
        (5, 2),
        (6, 3),
        (9, 4),
        (-1, -1),
        (-2, -1),
        (-3, -2),
        (-5, -2),
        (-6, -3),
        (-8, -3),
        (-9, -4),
    ],
)
def test_ranks_of_success_and_failure(margin, ranks):
    assert challenges.ranks_of(margin) == ranks


def test_check_is_two_exploding_dice_against_the_rating():
    assert challenges.Terms("a", "test", 6, ()).check(Dice(1, (6, 1, 2)), 9).success  # 6 + 1 and 2 make 9: enough
    assert not challenges.Terms("a", "test", 6, ()).check(Dice(1, (5, 3)), 9).success


def test_opposed_attempt_target_first_and_instigator_wins_ties():
    dice = Dice(1, (3, 4, 2, 5))
    instigator, target = (challenges.Terms(by, "test", 8, ()) for by in "ab")
    resisted, result = challenges.opposed(dice, instigator, target)
    assert (resisted.total, result.roll.total, result.success) == (7, 7, True)


@pytest.mark.parametrize("faces, bonus", [((1, 4), 0), ((2, 4), 1), ((3, 4), 1), ((3, 5), 2), ((5, 5), 3)])
def test_assistance_is_one_and_one_more_for_every_full_two_points_over(faces, bonus):
    # the assistant checks against the instigator's check stat, here 6
    helped = challenges.Terms("a", "assistance", 8, ()).check(Dice(1, faces), 6)
    assert challenges.assistance(helped.roll.total - 6) == bonus


def test_effect_roll_explodes_unless_stated_otherwise():
    assert roll(Dice(1, (6, 4)), "test", 1, 6).total == 10
    assert roll(Dice(1, (6,)), "test", 1, 6, exploding=False).total == 6


@pytest.mark.parametrize(
    "says, field",
    [
        ({"brawn": 0}, "brawn"),
        ({"brawn": "strong"}, "brawn"),
        ({"size": "huge"}, "size"),
        ({"weapons": ["spoon"]}, "weapons"),
        ({"shield": "door"}, "shield"),
        ({"armor": "silk"}, "armor"),
        ({"skills": {"Swords": "Adept"}}, "skills"),
        ({"skills": {"Juggling": "Master"}}, "skills"),
        ({"at": [0, 0]}, "at"),
        ({"at": [99, 1]}, "at"),
        ({"at": [5, 1], "side": "heroes"}, "at"),
        ({"hp": 12}, "hp"),
        ({"mood": "bad"}, "mood"),
        ({"id": "b"}, "id"),
        ({"ready": ["dagger"]}, "ready"),
    ],
)
def test_a_faulty_stat_block_is_refused_by_field(says, field):
    with pytest.raises(RecordError) as error:
        Fight(being("b", (5, 1), side="heroes"), being("z", (1, 1)) | says)
    assert field in str(error.value) and "\n" not in str(error.value)
