"""olde.md §7: status, stunning blows, dying, first aid, conditions."""

from __future__ import annotations

from typing import Any

import pytest

from rules.contract.units import CreatureIx
from rules.olde.conditions import helpless
from tests.rules.olde.creatures import Fight, being, duel
from tests.rules.table import dice


def _with_third(throws, b=None, c=None, **a):
    """a acts first, then b (its ally, adjacent), then c (a monster far away)."""
    ally = being("b", (2, 1), side="heroes", **(b or {}))
    return Fight(being("a", (1, 1), **a), ally, being("c", (9, 3), **(c or {})), throws=throws)


@pytest.mark.parametrize(
    "hp, status",
    [
        (11, "healthy"),
        (10, "bruised"),
        (6, "bruised"),
        (5, "wounded"),
        (1, "wounded"),
        (0, "incapacitated"),
        (-9, "incapacitated"),
        (-11, "dead"),
    ],
)
def test_status_by_hit_points(hp, status):
    fight = Fight(being("a"), being("b", (5, 1), hp=hp), being("c", (7, 1)))
    expected = "incapacitated" if hp == 0 else status
    assert fight.of("b")["status"] == expected


def test_exactly_half_is_bruised():
    fight = Fight(being("a", nerve=4, hp=5), being("b", (5, 1)))  # 10 HP at most
    assert fight.of("a")["status"] == "bruised"


def test_dead_at_minus_the_maximum():
    fight = Fight(being("a"), being("b", (5, 1), hp=-9), being("c", (7, 1)), throws=dice("action points 8 4 8 4"))
    assert (fight.of("b")["hp"], fight.of("b")["status"]) == (-10, "incapacitated")
    fight.end("a", "c")
    assert (fight.of("b")["hp"], fight.of("b")["status"]) == (-11, "dead")


def test_the_dead_are_no_longer_incapacitated():
    fight = Fight(being("a"), being("b", (2, 1), hp=-11), being("c", (7, 1)), throws=dice("action points 8 4"))
    assert (fight.of("b")["status"], fight.of("b")["conditions"]) == ("dead", [])


def test_a_death_is_told_once():
    fight = Fight(
        being("a"),
        being("b", (2, 1), hp=-8),
        being("c", (7, 1)),
        throws=dice("action points 8 4, attack 5 3, damage 8"),
    )
    fight.attack("a", "b")
    assert fight.of("b")["status"] == "dead"
    assert sum("dead" in line for line in fight.story) == 1


def test_the_dead_lose_no_more():
    fight = Fight(being("a"), being("b", (5, 1), hp=-11), being("c", (7, 1)), throws=dice("action points 8 4"))
    assert fight.of("b")["hp"] == -11


# -- stunning blows -------------------------------------------------------------------------------------


def test_more_than_half_the_maximum_in_one_injury_calls_for_a_check_against_the_damage():
    fight = duel(dice("defense 1 1, attack 1 1, damage 6, brawn 3 3"))
    fight.attack()
    assert fight.used == 9 and fight.of("b")["conditions"] == []
    fight = duel(dice("defense 1 1, attack 1 1, damage 6, brawn 3 2"))
    fight.attack()
    assert "stunned" in str(fight.of("b")["conditions"])


def test_half_the_maximum_or_less_does_not():
    fight = duel(dice("defense 1 1, attack 1 1, damage 5"))
    fight.attack()
    assert fight.used == 7
    fight = duel(dice("defense 1 1, attack 1 1, damage 5"), b={"nerve": 4})  # 10 HP: 5 is exactly half
    fight.attack()
    assert fight.used == 7


def test_the_check_uses_the_better_of_brawn_and_nerve():
    # Nerve 10 against Brawn 8: d10s, on which 9 does not explode
    fight = duel(dice("defense 1 1, attack 1 1, damage 8, nerve 9 1"), b={"nerve": 10})
    fight.attack()
    assert fight.used == 9 and fight.of("b")["conditions"] == []


def test_no_check_for_one_who_is_left_at_nothing():
    fight = Fight(
        being("a"),
        being("b", (2, 1), hp=6),
        being("c", (9, 3)),
        throws=dice("action points 8 4 2, defense 1 1, attack 1 1, damage 6"),
    )
    fight.attack()
    assert fight.used == 8 and fight.of("b")["status"] == "incapacitated"


def test_the_stunned_lose_their_points_and_free_steps_at_once_and_get_no_chance():
    fight = duel(dice("defense 1 1, attack 1 1, damage 6, brawn 1 2"), ap=(8, 7))
    fight.attack()
    assert (fight.of("b")["ap"], fight.of("b")["free_steps"]) == (0, 0)
    fight.end("a")
    assert fight.acting == "a"


def test_the_stunned_throw_no_defense_and_are_hit_at_easy():
    fight = duel(dice("defense 1 1, attack 1 1, damage 6, brawn 1 2, attack 3 3, damage 1"), ap=(8, 7))
    fight.attack()
    fight.end("a")
    attack = fight.attack()
    assert (attack["defense"], attack["margin"]) == (6, 0)


def test_recovery_in_the_reset_against_the_stunning_damage_then_points_as_usual():
    fight = duel(dice("defense 1 1, attack 1 1, damage 6, brawn 1 2 3 3, action points 5 4"), ap=(3, 2))
    fight.attack()
    fight.end("a")
    # a has 1 point left and passes; reset: b's check 3 + 3 = 6 succeeds, then both throw for points
    fight.end("a")
    assert (fight.of("b")["conditions"], fight.of("b")["ap"], fight.of("b")["free_steps"]) == ([], 4, 2)


def test_who_stays_stunned_throws_no_point_die():
    fight = duel(dice("defense 1 1, attack 1 1, damage 6, brawn 1 2 3 2, action points 5"), ap=(3, 2))
    fight.attack()
    fight.end("a", "a")
    assert "stunned" in str(fight.of("b")["conditions"])
    assert (fight.of("a")["ap"], fight.of("b")["ap"], fight.used) == (5, 0, 12)


def test_an_adjacent_ally_guides_the_stunned_a_space_for_two_points():
    # c (monster) stuns b; then a, b's ally, guides it
    b, c = being("b", (2, 1), side="heroes"), being("c", (3, 1))
    fight = Fight(being("a"), b, c, throws=dice("action points 4 3 7, defense 1 1, attack 1 1, damage 6, brawn 1 2"))
    fight.attack("c", "b")
    fight.end("c")
    fight.do("a", "guide", target="b", at=[2, 2])
    assert (fight.of("b")["at"], fight.of("a")["ap"]) == ([2, 2], 2)


def test_guiding_is_for_stunned_allies_beside_one_and_one_space_a_round():
    assert (
        _with_third(dice("action points 8 4 2")).refusal("a", "guide", target="b", at=[2, 2])
        == "guide: no stunned ally near"
    )
    b, c = being("b", (2, 1), side="heroes"), being("c", (3, 1))
    fight = Fight(being("a"), b, c, throws=dice("action points 4 3 7, defense 1 1, attack 1 1, damage 6, brawn 1 2"))
    fight.attack("c", "b")
    fight.end("c")
    assert fight.refusal("a", "guide", target="c", at=[4, 1]) == "guide: target: needs an adjacent stunned ally"
    assert (
        fight.refusal("a", "guide", target="b", at=[2, 3])
        == "guide: at: needs a space adjacent to the guided ally that it could step on"
    )


# -- dying ----------------------------------------------------------------------------------------------


def test_at_nothing_one_falls_prone_and_can_do_nothing():
    fight = Fight(
        being("a"),
        being("b", (2, 1), hp=4),
        being("c", (9, 3)),
        throws=dice("action points 8 7 2, defense 1 1, attack 1 1, damage 5"),
    )
    fight.attack()
    b = fight.of("b")
    assert (b["hp"], b["status"], b["posture"], b["ap"]) == (-1, "incapacitated", "prone", 0)


def test_the_dying_lose_a_point_in_each_reset():
    fight = Fight(being("a"), being("b", (5, 1), hp=0), being("c", (7, 1)), throws=dice("action points 8 4 8 4"))
    assert fight.of("b")["hp"] == -1
    fight.end("a", "c")
    assert fight.of("b")["hp"] == -2


def test_the_incapacitated_throw_no_defense():
    fight = Fight(
        being("a"), being("b", (2, 1), hp=0), being("c", (9, 3)), throws=dice("action points 8 4, attack 3 3, damage 1")
    )
    assert fight.attack()["defense"] == 6


@pytest.mark.parametrize(
    "healing, faces, stable",
    [("Apprentice", [4, 5], True), ("Apprentice", [4, 4], False), (None, [5, 5], False), (None, [5, 5, 1], None)],
)
def test_first_aid_to_the_dying_is_moderate_and_untrained_costs_two(healing, faces, stable):
    if stable is None:
        faces, stable = [6, 1, 4], True  # an exploding d6: 6 + 1 + 4 − 2 = 9
    skills = {"Swords": "Apprentice"} | ({"Healing": healing} if healing else {})
    fight = _with_third([8, 4, *faces, 8, 4], b={"hp": 0}, skills=skills)
    fight.do("a", "first_aid", target="b")
    assert fight.of("a")["ap"] == 5
    fight.end("a", "c", "a")
    while fight.state["turn"] == 1:
        fight.end(fight.acting)
    assert fight.of("b")["hp"] == (-1 if stable else -2)
    assert fight.of("b")["status"] == "incapacitated", "stabilised, not awake"


@pytest.mark.parametrize(
    "hp, faces, stopped", [(11, [3, 3], True), (11, [3, 2], False), (6, [4, 4], False), (6, [4, 5], True)]
)
def test_first_aid_stops_bleeding_easy_for_the_bruised_moderate_for_the_wounded(hp, faces, stopped):
    # the first reset takes 1 HP for bleeding and throws a recovery check (1 + 1: it fails)
    fight = _with_third(
        [1, 1, 8, 4, 2, *faces], b={"hp": hp, "conditions": ["bleeding"]}, skills={"Healing": "Apprentice"}
    )
    assert fight.of("b")["hp"] == hp - 1
    fight.do("a", "first_aid", target="b")
    assert ("bleeding" not in str(fight.of("b")["conditions"])) is stopped
    assert fight.of("b")["hp"] == hp - 1, "first aid restores nothing"


@pytest.mark.parametrize(
    "hp, faces, stopped", [(11, [4, 5], True), (11, [4, 4], False), (6, [5, 5], False), (6, [6, 1, 5], True)]
)
def test_first_aid_on_oneself_is_moderate_if_bruised_and_hard_if_wounded(hp, faces, stopped):
    says: dict[str, Any] = {"hp": hp, "conditions": ["bleeding"], "skills": {"Healing": "Apprentice"}}
    fight = Fight(being("a", **says), being("b", (9, 3)), throws=[1, 1, 8, 4, *faces])
    fight.do("a", "first_aid", target="a")
    assert ("bleeding" not in str(fight.of("a")["conditions"])) is stopped


def test_first_aid_needs_an_adjacent_ally_or_oneself():
    fight = Fight(
        being("a", hp=0), being("b", (4, 1), side="heroes"), being("c", (9, 3)), throws=dice("action points 8 4")
    )
    assert fight.refusal("b", "first_aid", target="a") == "first_aid: target: a is not adjacent"
    fight = Fight(being("a"), being("b", (2, 1), hp=0), being("c", (9, 3)), throws=dice("action points 8 4"))
    assert fight.refusal("a", "first_aid", target="b") == "first_aid: target: b is no ally"


def test_first_aid_may_be_repeated():
    fight = _with_third(
        dice("action points 8 4, healing (savvy) 1 1 4 5"), b={"hp": 0}, skills={"Healing": "Apprentice"}
    )
    fight.do("a", "first_aid", target="b")
    fight.end("a", "c")
    fight.do("a", "first_aid", target="b")
    assert fight.last("check")["success"]


# -- conditions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("faces, over", [([4, 5], True), ([4, 4], False)])
def test_bleeding_costs_a_point_each_reset_and_ends_by_a_moderate_check(faces, over):
    fight = Fight(being("a", conditions=["bleeding"]), being("b", (9, 3)), throws=[*faces, 8, 4])
    assert fight.of("a")["hp"] == 10
    assert (fight.of("a")["conditions"] == []) is over


def test_bleeding_recovers_by_the_better_of_brawn_and_nerve():
    fight = Fight(
        being("a", nerve=10, conditions=["bleeding"]), being("b", (9, 3)), throws=dice("nerve 9 1, action points 8 4")
    )
    assert fight.of("a")["conditions"] == []


def test_the_rooted_may_not_move_but_may_act():
    fight = duel(dice("defense 1 1, attack 1 1, damage 1"), a={"conditions": ["rooted"]})
    assert fight.refusal("a", "step", path=[[1, 2]]) == "step: rooted"
    assert fight.refusal("a", "run", path=[[1, 2]]) == "run: rooted"
    assert fight.refusal("a", "free_steps", path=[[1, 2]]) == "free_steps: rooted"
    assert fight.attack()["outcome"] == "hit"


def test_per_turn_effects_come_for_all_before_any_recovery_check():
    bleeding: dict[str, Any] = {"conditions": ["bleeding"]}
    fight = Fight(
        being("a", **bleeding), being("b", (9, 3), **bleeding), throws=dice("brawn 1 1 1 2, action points 8 4")
    )
    kinds = [event["event"] for event in fight.events if event["event"] in ("injury", "check", "points")]
    assert kinds == ["injury", "injury", "check", "check", "points", "points"]


def test_an_attack_on_a_hero_leaves_the_attackers_side_in_command():
    fight = duel(dice("defense 1 1, attack 1 1, damage 6, brawn 1 2"), ap=(8, 7))
    fight.attack()
    assert fight.state["over"] is None, "a stunned defender is neither incapacitated nor dead"


def test_it_is_over_when_the_last_of_a_side_falls_by_bleeding():
    fight = Fight(being("a"), being("b", (9, 3), hp=1, conditions=["bleeding"]), throws=dice("brawn 1 1"))
    assert fight.state["over"] == "heroes"


def test_magical_healing_stabilises_and_stops_bleeding_and_never_passes_the_maximum():
    from rules.olde.combat.outcomes import heal
    from rules.olde.state import Resolution

    fight = duel(throws=(8, 4))
    resolution = Resolution(fight.now)
    resolution.change(CreatureIx(0), hp=-3, dying=True, bleeding=True)
    heal(resolution, CreatureIx(0), 1, "a spell", magical=True)
    figure = resolution.figures[0]
    assert (figure.hp, figure.dying, figure.bleeding) == (-2, False, False)
    heal(resolution, CreatureIx(0), 99, "a spell", magical=True)
    assert resolution.figures[0].hp == resolution.fighter(CreatureIx(0)).hp_max


def test_who_has_no_hit_points_left_is_helpless() -> None:
    fight = duel(())
    for left in (1, 0, -1):
        fight.change("b", hp=left)
        assert helpless(fight.now.figures[1]) is (left < 1)
