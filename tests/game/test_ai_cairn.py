"""The computer's judgement where sides declare: for each bold thing a position in which it is right, and one in which
it is wrong (cairn.md §2.2, §2.8, §2.12, §3)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from game.content import tables as content
from game.controllers.ai.controller import AiController
from rules.board.grid import Field, Ground
from rules.contract.actions import Action
from tests.rules.cairn.creatures import Fight, foe, pc
from tests.rules.cairn.test_conditions_cairn import laid
from tests.rules.cairn.test_rulings_cairn import beast

OPEN = ["." * 12] * 6


def chosen(fight: Fight, by: str, temperament: str = "cunning") -> Action:
    """What the computer plans next for a creature."""
    decision = next(d for d in fight.rules.decisions(fight.now) if d.by == by)
    seen = fight.rules.observe(fight.now, decision.side)
    return AiController(temperament).choose(fight.rules, seen, decision, fight.rules.legal(seen, decision))


def planned(fight: Fight, by: str, temperament: str = "cunning") -> list[str]:
    """Everything that the computer plans for a creature, in order, until it is content."""
    out: list[str] = []
    for _ in range(6):
        action = chosen(fight, by, temperament)
        out.append(action.option if action.do == "manoeuvre" and action.option else action.do)
        decision = next(d for d in fight.rules.decisions(fight.now) if d.by == by)
        fight.now = fight.rules.apply(fight.now, decision, action).state
        if next(d for d in fight.rules.decisions(fight.now) if d.by == by).answered:
            return out
    raise AssertionError(out)


def edged(*holes: tuple[int, int]) -> Field:
    """A corridor with holes in its floor."""
    field = Field.from_rows(["########", "#......#", "########"])
    ground = bytearray(field.ground)
    for hole in holes:
        ground[field.cell(*hole)] = Ground.VOID
    return msgspec.structs.replace(field, ground=bytes(ground))


# -- daring manoeuvres


def test_a_nimble_fighter_dares_against_plate() -> None:
    fight = Fight(pc("a", dexterity=17, items=["dagger"], hp_max=2), foe("b", hp_max=9, armor=3))
    assert "daring" in planned(fight, "a")


def test_a_clumsy_one_with_much_to_lose_does_not() -> None:
    fight = Fight(pc("a", dexterity=6, hp_max=12), foe("b", hp_max=9))
    assert "daring" not in planned(fight, "a")
    fight = Fight(pc("a", dexterity=10, hp_max=12), foe("b", hp_max=9), foe("c", (1, 2)), foe("d", (2, 2)))
    assert "daring" not in planned(fight, "a"), "whoever lies there among foes has lost its protection"


# -- trips


def test_the_strong_trip_whom_friends_are_about_to_strike() -> None:
    brutes = [pc(f"c{i}", at, items=["long sword"]) for i, at in enumerate([(3, 1), (3, 2), (2, 2)])]
    fight = Fight(pc("a", strength=18, items=["dagger"]), *brutes, foe("b", (2, 1), hp_max=12, strength=7))
    for friend in ("c0", "c1", "c2"):
        fight.do(friend, "attack", target="b", weapon="long sword")
    assert "trip" in planned(fight, "a")


def test_nobody_trips_alone_or_whom_a_blow_would_fell() -> None:
    fight = Fight(pc("a", strength=18), foe("b", hp_max=12, strength=7))
    assert "trip" not in planned(fight, "a")
    friends = [pc("c", (3, 1)), pc("d", (2, 2))]
    fight = Fight(pc("a", strength=5, dexterity=5), *friends, foe("b", (2, 1), hp_max=12, strength=7))
    fight.do("c", "attack", target="b", weapon="sword")
    assert "trip" not in planned(fight, "a"), "it would lie there itself"


# -- shoves


def test_a_strong_one_shoves_a_foe_over_the_edge() -> None:
    fight = Fight(pc("a", (2, 1), strength=16), foe("b", (3, 1), hp_max=12, armor=3), field=edged((4, 1)))
    assert "shove" in planned(fight, "a")


def test_with_the_edge_at_ones_own_back_a_weak_one_does_not() -> None:
    field = edged((1, 1), (4, 1))
    fight = Fight(pc("a", (2, 1), strength=5), foe("b", (3, 1), hp_max=4), field=field)
    assert "shove" not in planned(fight, "a")


# -- grips


def test_a_strong_hand_grips_whom_no_blade_of_its_own_gets_through_to() -> None:
    ogre = foe("b", hp_max=12, strength=18, armor=3, attacks=[{"name": "club", "dice": [12], "hands": 0, "slots": 0,
                                                               "natural": True}])  # fmt: skip
    fight = Fight(pc("a", strength=18, dexterity=3, items=["rope"]), ogre)
    assert "grapple" in planned(fight, "a")


def test_a_weak_one_grips_nobody() -> None:
    fight = Fight(pc("a", strength=6, items=["rope"]), foe("b", hp_max=12, armor=3))
    assert "grapple" not in planned(fight, "a")


# -- eyes


def test_eyes_are_averted_from_a_stare_by_who_strikes_another() -> None:
    crew = [beast("naga", "b", (5, 1)), foe("c", (2, 1))]
    fight = Fight(pc("a", willpower=4), *crew)
    assert planned(fight, "a")[0] == "avert"


def test_who_would_strike_the_starer_and_fears_no_stare_looks() -> None:
    fight = Fight(pc("a", willpower=19, items=["long sword"]), beast("naga", "b", (2, 1), hp_max=1, hp=1, strength=5))
    assert "avert" not in planned(fight, "a")


# -- help


def test_a_friend_in_a_net_is_helped_where_there_is_nothing_to_strike() -> None:
    crew = [pc("a", (4, 3)), pc("c", (4, 4), strength=16, items=["long sword"])]
    fight = laid(Fight(*crew, foe("b", (28, 0), hp_max=9), rows=["." * 30] * 6), "c", "restrained")
    assert planned(fight, "a") == ["help", "move"], "the way is gone afterwards"


def test_a_foe_that_is_as_good_as_dead_comes_first() -> None:
    crew = [pc("a", (4, 3), items=["long sword"]), pc("c", (4, 4), items=[])]
    fight = laid(Fight(*crew, foe("b", (5, 3), hp_max=0, strength=3), rows=OPEN), "c", "restrained")
    assert "attack" in planned(fight, "a")


# -- breaking free


def test_the_strong_break_free_and_the_weak_strike_with_bound_hands() -> None:
    strong = Fight(pc("a", (4, 3), strength=18), foe("b", (9, 3), hp_max=9), rows=OPEN)
    assert "break_free" in planned(laid(strong, "a", "restrained"), "a")
    weak = Fight(pc("a", (4, 3), strength=1, dexterity=1), foe("b", (5, 3), hp_max=0, strength=2), rows=OPEN)
    assert "attack" in planned(laid(weak, "a", "restrained"), "a")


# -- retreat


OGRE: dict[str, Any] = {"hp_max": 14, "strength": 16, "attacks": [{"name": "club", "dice": [10], "hands": 0, "slots": 0,
                                                                  "natural": True}]}  # fmt: skip


def test_the_last_of_a_beaten_party_retreats() -> None:
    foes = [foe(name, at, **OGRE) for name, at in (("b", (3, 2)), ("c", (3, 3)), ("d", (3, 4)))]
    fight = Fight(pc("a", (0, 3), strength=5, hp_max=4, hp=0, dexterity=14), *foes, rows=OPEN)
    assert planned(fight, "a") == ["retreat"]


def test_nobody_retreats_from_a_fight_that_goes_well() -> None:
    crew = [pc("a", (0, 3)), pc("c", (0, 2)), pc("d", (0, 4))]
    fight = Fight(*crew, foe("b", (3, 3)), rows=OPEN)
    assert "retreat" not in planned(fight, "a")


def test_foes_leave_running_to_their_morale() -> None:
    fight = Fight(*[pc(f"h{i}", (0, i), hp_max=12) for i in range(5)], foe("b", (11, 3), hp_max=1), rows=OPEN)
    fight.half()
    assert "retreat" not in planned(fight, "b")


# -- declaring as a side


def test_who_plans_later_strikes_somebody_else_than_whom_the_best_die_meets_already() -> None:
    foes = [foe("b", (3, 2), hp_max=3, strength=4), foe("c", (3, 3), hp_max=3, strength=4)]
    fight = Fight(pc("a", (2, 2), items=["long sword"]), pc("d", (2, 3), items=["cudgel"]), *foes, rows=OPEN)
    for hero in ("a", "d"):
        planned(fight, hero)
    told = [plan.action.target for plan in fight.now.plans if plan is not None and plan.action is not None]
    assert sorted(told) == ["b", "c"]


def test_a_shooter_strikes_first_and_steps_back_afterwards() -> None:
    fight = Fight(pc("a", (9, 3), items=["bow"], hp_max=3), foe("b", (12, 3), hp_max=9), rows=["." * 30] * 6)
    assert planned(fight, "a") == ["attack", "move"]


def test_a_blow_is_held_ready_where_nobody_can_be_struck_yet() -> None:
    fight = Fight(pc("a", (1, 2)), beast("cobblehounds", "b", (5, 2)), rows=OPEN)
    fight.half()
    assert planned(fight, "b", "brute")[0] == "ready"
    fight = Fight(pc("a", (4, 2)), beast("cobblehounds", "b", (5, 2)), rows=OPEN)
    fight.half()
    assert planned(fight, "b", "brute")[0] == "attack"


def test_a_minotaur_takes_its_run() -> None:
    fight = Fight(pc("a", (2, 2), hp_max=9), beast("minotaur", "b", (9, 2)), rows=OPEN)
    fight.half()
    decision = next(d for d in fight.rules.decisions(fight.now) if d.by == "b")
    steps = []
    for _ in range(3):
        action = chosen(fight, "b", "brute")
        steps.append((action.do, action.weapon))
        fight.now = fight.rules.apply(fight.now, decision, action).state
        if steps[-1][0] in ("attack", "daring"):
            break
    assert steps[-1] == ("attack", "charge")


# -- jumps


def chasm() -> Field:
    """A hall cut in two by a chasm two spaces wide."""
    field = Field.from_rows(["############", *["#..........#"] * 3, "############"])
    ground = bytearray(field.ground)
    for x, y in ((5, 1), (5, 2), (5, 3), (6, 1), (6, 2), (6, 3)):
        ground[field.cell(x, y)] = Ground.VOID
    return msgspec.structs.replace(field, ground=bytes(ground))


def test_a_chasm_is_leapt_to_get_at_who_stands_beyond() -> None:
    fight = Fight(pc("a", (4, 2), items=["sword", "scroll of Leap"]), foe("b", (9, 2)), field=chasm())
    assert "use" in planned(fight, "a")


def test_who_can_walk_up_and_strike_leaps_nowhere() -> None:
    fight = Fight(pc("a", (2, 2), items=["sword", "scroll of Leap"]), foe("b", (9, 2)), rows=OPEN)
    assert "use" not in planned(fight, "a")
    archer = foe("b", (9, 2), items=["bow"])
    fight = Fight(pc("a", (4, 2), items=["bow", "scroll of Leap"]), archer, field=chasm())
    assert "use" not in planned(fight, "a"), "a bow reaches over it"


def test_who_is_cornered_blinks_behind_a_wall_but_not_where_its_foes_follow() -> None:
    pixie = pc("a", (1, 1), hp_max=6, hp=1, strength=5, items=[], powers=["Blink"])
    crew = [foe("b", (2, 1), hp_max=9), foe("c", (1, 2)), foe("d", (2, 2))]
    for wall, flees in (("#", True), (".", False)):
        walled = ["############", *[f"#....{wall}.....#"] * 9, "#..........#", "############"]
        fight = laid(Fight(pixie, *crew, rows=walled), "a", "pacified")
        assert ("cast" in planned(fight, "a", "coward")) == flees


# -- the frail, the sleeping, the lost

FIELD = ["." * 20] * 12


def ready(name: str, at: tuple[int, int], **says: Any) -> dict[str, Any]:
    """One of the party that comes with the game."""
    block = {k: v for k, v in content.heroes("cairn")[name].items() if k not in ("id", "side", "at")}
    return {**block, "id": name, "side": "heroes", "at": list(at), "alert": "ready", **says}


@pytest.mark.parametrize("items", [["iron dagger", "book of Sleep"], ["iron dagger"]], ids=["book", "dagger"])
@pytest.mark.parametrize("at", [(5, 6), (9, 6), (14, 6)])
def test_a_frail_witch_neither_trips_nor_grips_a_troll_nor_goes_to_stand_beside_it(
    at: tuple[int, int], items: list[str]
) -> None:
    others = [ready("gann", (7, 5)), ready("reed", (12, 3))]
    fight = Fight(ready("solena", at, items=items), *others, beast("troll", "troll", (5, 4)), rows=FIELD)
    assert not {"trip", "grapple", "shove", "daring"} & set(planned(fight, "solena"))
    plan = fight.now.plans[0]
    path = plan.path + (plan.action.path if plan.action is not None else ())
    assert not path or fight.now.terrain.distance(path[-1], fight.now.figures[3].cell, 1, 2) > 1


def test_who_has_a_book_comes_as_near_as_it_needs() -> None:
    fight = Fight(ready("solena", (1, 6), items=["iron dagger", "scroll of Push"]), foe("b", (15, 6), hp_max=9),
                  rows=FIELD, cast_saves=False)  # fmt: skip
    assert planned(fight, "solena", "cunning")[0] == "move"
    plan = fight.now.plans[0]
    assert plan.path and fight.now.terrain.distance(plan.path[-1], fight.now.figures[1].cell) > 4


def test_the_sleeping_are_struck_and_not_tripped() -> None:
    for posture in ("standing", "prone"):
        fight = Fight(pc("a", strength=18), pc("c", (3, 1)), foe("b", hp_max=9, posture=posture))
        laid(fight, "b", "asleep")
        fight.do("c", "attack", target="b", weapon="sword")
        assert planned(fight, "a")[0] in ("attack", "move")
        assert "trip" not in planned_deeds(fight)


def planned_deeds(fight: Fight) -> list[str]:
    """What everybody has planned to do."""
    return [plan.action.option or plan.action.do for plan in fight.now.plans if plan is not None and plan.action]


def test_who_is_left_alone_in_a_lost_fight_retreats() -> None:
    crowd = [foe(f"b{i}", (8, 2 + i), hp_max=8) for i in range(4)]
    fight = Fight(pc("a", (4, 4), hp=1, strength=6), *crowd, rows=FIELD)
    assert planned(fight, "a") == ["retreat"]


def test_nobody_retreats_from_a_fight_that_is_even() -> None:
    fight = Fight(pc("a", (4, 4)), pc("c", (4, 5)), foe("b", (8, 4)), foe("d", (8, 5)), rows=FIELD)
    assert "retreat" not in planned(fight, "a")
