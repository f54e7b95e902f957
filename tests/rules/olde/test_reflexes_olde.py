"""Reflexes and responses: who may, at what price, who is quicker, what comes of it, how deep it goes (olde.md §6)."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from game.controllers.ai.answering import answer
from game.controllers.ai.factors import load_weights
from game.fight.match import Match
from rules.contract.actions import Action
from rules.core.odds import chance_margin
from rules.olde.combat.reactions import OPTIONS
from tests.rules.olde.creatures import Fight, because, being, duel
from tests.rules.olde.test_random_fights import record, wanderings
from tests.rules.table import dice

ALL: dict[str, Any] = {"reflexes": True}


def bout(throws, skill="Foreman", ap=(8, 4), a=None, b=None, **more):
    """Hero `a` with an Apprentice's broadsword against `b`, who is better with it."""
    return duel(throws, a=a, b={"skills": {"Swords": skill}, **(b or {})}, ap=ap, **(more or ALL))


def strike(fight):
    return fight.do("a", "attack", target="b", weapon="broadsword")


def test_without_the_option_nobody_is_asked():
    fight = bout(dice("defense 4 4, attack 4 4"), "Master", reflexes=False)
    assert strike(fight)[-1]["event"] != "question"


def test_nobody_is_asked_who_could_do_nothing():
    fight = bout(dice("defense 4 4, attack 4 4"), "Journeyman")
    assert fight.last("attack", strike(fight))["defense"] == 9


@pytest.mark.parametrize(("fog", "foe"), [(False, "A"), (True, "Somebody unseen")])
def test_in_the_fog_no_question_names_whom_nobody_of_the_asked_sees(fog, foe):
    """`a` strikes, and is behind a wall by then."""
    fight = bout([], "Master", **ALL, fog=fog, rows=["#########", "#...#...#", "#########"])
    strike(fight)
    assert fight.rules.decisions(fight.now)[0].prompt.startswith("A attacks b with ")
    gone = msgspec.structs.replace(fight.now.figures[0], cell=fight.now.setup.field.cell(6, 1))
    away = msgspec.structs.replace(fight.now, figures=(gone, *fight.now.figures[1:]))
    assert fight.rules.decisions(away)[0].prompt.startswith(f"{foe} attacks b with ")


def test_each_reflex_asks_for_its_rank():
    for skill, options in (("Foreman", ["parry", "take_it"]), ("Master", ["parry", "counterattack", "take_it"])):
        fight = bout([], skill)
        assert list(fight.last("question", strike(fight))["options"]) == options


@pytest.mark.parametrize("option", ["parry", "counterattack"])
def test_each_is_switched_by_its_own_option(option):
    fight = bout([], "Master", **{option: True})
    assert list(fight.last("question", strike(fight))["options"]) == [option, "take_it"]
    assert {"block_reflex", "parry", "counterattack", "riposte"} == set(OPTIONS)


def test_a_parry_in_time_blocks_the_blow_and_costs_1_ap_and_2_on_own_attacks_until_the_reset():
    # attack declared; b throws 4+4 = 8, a 4+4 = 8: the defender wins ties
    fight = bout(dice("parry 4 4, attacker 4 4, action points 8 3"), ap=(8, 4))
    strike(fight)
    events = fight.do("b", "choose", option="parry")
    assert fight.last("contest", events)["success"]
    assert not [e for e in events if e["event"] == "attack"]
    assert fight.of("b")["ap"] == 3
    assert [e["name"] for e in fight.of("b")["effects"]] == ["parry"]
    assert fight.acting == "a"
    fight.end("a", "b", "a", "b")
    assert fight.state["turn"] == 2
    assert "effects" not in fight.of("b")


def test_a_parry_weighs_on_the_next_own_attack():
    fight = bout(dice("parry 4 4, attacker 3 3, defense 4 4, attack 4 4, damage 1"), ap=(8, 4))
    strike(fight)
    fight.do("b", "choose", option="parry")
    fight.end("a")
    event = fight.attack("b", "a")
    assert because(event, "attack") == 2 - 2


def test_two_parries_add_up():
    fight = bout(dice("parry 4 4, attacker 3 3, parry 4 4, attacker 3 3"), ap=(8, 4))
    strike(fight)
    fight.do("b", "choose", option="parry")
    fight.end("a", "b")
    strike(fight)
    fight.do("b", "choose", option="parry")
    assert sum(e.lasting.attack for e in fight.now.figures[1].effects) == -4


def test_a_parry_counts_nothing_of_what_weighs_on_ones_attacks_besides():
    """Exhausted one throws the AP die, checks and blows at a disadvantage of its own."""
    fight = bout(dice("parry 5 5, attacker 3 3"), ap=(8, 8), b={"conditions": ["exhausted"]})
    strike(fight)
    fight.do("b", "choose", option="parry")
    assert [(e.name, e.lasting.attack) for e in fight.now.figures[1].effects] == [("exhausted", -2), ("parry", -2)]


def test_a_parry_too_late_is_paid_all_the_same_and_the_blow_falls():
    fight = bout([3, 3, 4, 4, 4, 4, 5, 4, 2], ap=(8, 4))
    strike(fight)
    events = fight.do("b", "choose", option="parry")
    assert not fight.last("contest", events)["success"]
    assert fight.last("attack", events)["attack"] == 9
    assert fight.of("b")["ap"] == 3


def test_taking_the_blow_costs_nothing():
    fight = bout(dice("defense 4 4, attack 5 5, damage 2"), ap=(8, 4))
    strike(fight)
    assert fight.last("attack", fight.do("b", "choose", option="take_it"))["margin"] == 0
    assert fight.of("b")["ap"] == 4


def test_a_reflex_takes_nothing_of_ones_own_chance():
    fight = bout(dice("parry 4 4, attacker 3 3"), ap=(8, 6))
    strike(fight)
    fight.do("b", "choose", option="parry")
    fight.end("a")
    assert fight.acting == "b"
    assert fight.of("b")["ap"] == 5


def test_a_raised_shield_counts_twice_against_this_blow_only():
    b: dict[str, Any] = {"skills": {"Shields": "Journeyman", "Swords": "Apprentice"}, "shield": "heater", "brawn": 8}
    fight = bout(dice("shield block 4 4, attacker 3 3, defense 4 4, attack 6 6"), b=b)
    strike(fight)
    event = fight.last("attack", fight.do("b", "choose", option="raise_shield"))
    assert because(event, "defense") == 1 + 2 + 2
    assert event["defense"] == 13
    assert fight.of("b")["temporary"]["defense"] == 0


def test_a_shield_is_no_use_against_shots_nor_is_a_parry():
    b: dict[str, Any] = {"skills": {"Shields": "Journeyman", "Swords": "Master"}, "shield": "heater"}
    fight = Fight(
        being("a", weapons=["shortbow"], skills={"Bows": "Apprentice"}), being("b", (4, 1), **b),
        throws=dice("action points 8 4, defense 4 4, attack 4 4"), **ALL,
    )  # fmt: skip
    events = fight.do("a", "attack", target="b", weapon="shortbow")
    assert not [e for e in events if e["event"] == "question"]


def test_a_counterattack_in_time_comes_first_at_minus_2_and_the_attack_after_it():
    # contest 5+5 against 4+4; counter: a defends 4+4, b throws 4+4 +3 −2 = 9, damage 2; then b defends, a attacks
    fight = bout(
        dice("counterattack 5 5, attacker 4 4, defense 4 4, attack 4 4, damage 2, defense 4 4, attack 5 7, damage 1"),
        "Master",
    )
    strike(fight)
    events = fight.do("b", "choose", option="counterattack")
    first, second = [e for e in events if e["event"] == "attack"]
    assert (first["by"], first["action"], because(first, "attack")) == ("b", "counterattack", 3 - 2)
    assert (second["by"], second.get("action")) == ("a", None)
    assert fight.of("b")["ap"] == 2


def test_a_counterattack_that_fells_the_attacker_leaves_no_attack():
    fight = bout(
        dice("counterattack 5 5, attacker 4 4, defense 4 4, attack 5 4, damage 4"),
        "Master",
        a={"hp": 1},
        b={"weapons": ["broadsword"]},
    )
    strike(fight)
    events = fight.do("b", "choose", option="counterattack")
    assert [e["by"] for e in events if e["event"] == "attack"] == ["b"]
    assert fight.of("a")["status"] == "incapacitated"


def test_a_counterattack_needs_the_attacker_in_reach():
    fight = Fight(
        being("a", weapons=["spear"], skills={"Spears": "Apprentice"}),
        being("b", (3, 1), skills={"Swords": "Master"}), throws=dice("action points 8 4"), **ALL,
    )  # fmt: skip
    events = fight.do("a", "attack", target="b", weapon="spear")
    assert list(fight.last("question", events)["options"]) == ["parry", "take_it"]


def fencers(throws, ap=(8, 4), skill="Journeyman", **more):
    a: dict[str, Any] = {"weapons": ["backsword"], "skills": {"Fencing": more.pop("other", "Apprentice")}}
    b: dict[str, Any] = {"weapons": ["backsword"], "skills": {"Fencing": skill}}
    return Fight(being("a", (1, 1), **a), being("b", (2, 1), **b), throws=[*ap, *throws], **{**ALL, **more})


def test_a_riposte_follows_the_attack_at_minus_1_for_each_hp_just_lost():
    # b defends 1+1+1, a attacks 3+2 = solid hit for 3; riposte: a defends 4+4, b 5+5 +1 −3
    fight = fencers(dice("defense 1 1, attack 4 2, damage 3, defense 4 4, attack 5 6, damage 1"))
    events = fight.do("a", "attack", target="b", weapon="backsword")
    assert fight.last("question", events)["kind"] == "response"
    event = fight.last("attack", fight.do("b", "choose", option="riposte"))
    assert (event["by"], event["action"]) == ("b", "riposte")
    assert because(event, "attack") == 1 - 3
    assert fight.of("b")["ap"] == 3


def test_whoever_is_felled_does_not_riposte():
    fight = fencers([1, 1, 7, 6, 5])
    low = msgspec.structs.replace(fight.now.figures[1], hp=1)
    fight.now = msgspec.structs.replace(fight.now, figures=(fight.now.figures[0], low))
    events = fight.do("a", "attack", target="b", weapon="backsword")
    assert not [e for e in events if e["event"] == "question"]


def test_without_ap_there_is_no_answer():
    fight = bout(dice("defense 4 4, attack 4 4"), ap=(8, 4))
    spent = msgspec.structs.replace(fight.now.figures[1], ap=0)
    fight.now = msgspec.structs.replace(fight.now, figures=(fight.now.figures[0], spent))
    assert not [e for e in strike(fight) if e["event"] == "question"]


@pytest.mark.parametrize("condition", ["restrained"])
def test_whoever_cannot_defend_does_not_answer(condition):
    fight = bout(dice("attack 4 5, damage 3"), b={"conditions": [condition]})
    assert not [e for e in strike(fight) if e["event"] == "question"]


def test_whoever_may_not_attack_still_parries():
    fight = bout([], "Master", b={"conditions": ["dazed"]})
    assert list(fight.last("question", strike(fight))["options"]) == ["parry", "take_it"]


def test_answers_to_answers_end_at_a_depth_of_two():
    masters = {"skills": {"Swords": "Master"}}
    # b counters, a counters the counter; that blow is not answered any more; both others follow
    throws = [5, 5, 4, 4, 5, 5, 4, 4, 1, 1, 1, 2, 1, 4, 4, 3, 4, 4, 4, 3, 4]
    fight = duel(throws, a=masters, b=masters, ap=(8, 6), **ALL)
    fight.do("a", "attack", target="b", weapon="broadsword")
    fight.do("b", "choose", option="counterattack")
    assert fight.last("question")["by"] == "a"
    events = fight.do("a", "choose", option="counterattack")
    assert [(e["by"], e.get("action")) for e in events if e["event"] == "attack"] == [
        ("a", "counterattack"), ("b", "counterattack"), ("a", None),
    ]  # fmt: skip
    assert fight.now.pending == ()


def test_a_critical_miss_inside_an_answer_waits_for_the_gm_and_then_goes_on():
    fight = bout(
        dice("counterattack 5 5, attacker 4 4, defense 8 1 7, attack 1 1, defense 4 4, attack 4 4, damage 1"),
        "Master",
        gm=True,
        **ALL,
    )
    strike(fight)
    fight.do("b", "choose", option="counterattack")
    assert fight.last("question")["kind"] in ("critical_miss", "disastrous_miss")
    events = fight.do("gm", "choose", option="1")
    assert [e["by"] for e in events if e["event"] == "attack"] == ["a"]


def test_the_card_of_an_attack_warns_of_the_answers_with_their_chances():
    fight = bout([], "Master")
    odds = fight.rules.odds(fight.now, Action("a", "attack", target="b", weapon="broadsword"))
    told = [text for text, _ in odds.notes if text.startswith("may answer")]
    assert len(told) == 2 and "Parry (1 AP" in told[0] and "Counterattack (2 AP" in told[1]


def test_the_odds_of_an_answer_are_exact():
    fight = bout([], "Foreman")
    strike(fight)
    odds = fight.rules.odds(fight.now, Action("b", "choose", option="parry"))
    assert odds.hit == pytest.approx(chance_margin(8, 8, 0))
    assert sum(p for _, p in odds.outcomes) == pytest.approx(1.0)


def choice(fight):
    (decision,) = fight.rules.decisions(fight.now)
    seen = fight.rules.observe(fight.now, decision.side)
    options = answer(fight.rules, seen, decision, fight.rules.legal(seen, decision), load_weights().temper("cunning"))
    return options[0].action.option


def test_the_computer_parries_what_would_fell_it_and_keeps_its_points_where_nothing_threatens():
    fight = bout([], "Foreman", ap=(8, 5), b={"hp": 3})
    strike(fight)
    assert choice(fight) == "parry"
    feeble = bout([], "Foreman", ap=(8, 4), a={"weapons": [], "brawn": 3}, b={"armor": "full plate", "brawn": 12})
    feeble.do("a", "attack", target="b", weapon="unarmed")
    assert choice(feeble) == "take_it"


def test_the_computer_ripostes_with_points_that_are_good_for_nothing_else():
    fight = fencers(dice("defense 1 1, attack 2 2, damage 3"), ap=(8, 3))
    fight.do("a", "attack", target="b", weapon="backsword")
    assert choice(fight) == "riposte"


@pytest.mark.parametrize("seed", range(4))
def test_random_fights_with_every_answer_and_challenge_end_with_nothing_pending(seed):
    raw = record(seed, seed)
    free = [(x, y) for y, row in enumerate(raw["map"]["rows"]) for x, sign in enumerate(row) if sign == "."]
    taken = [tuple(creature["at"]) for creature in raw["creatures"]]
    spots = [space for space in free if space not in taken]
    raw["options"] = {**raw.get("options", {}), **ALL}
    raw["map"]["challenges"] = [
        {"id": "pit", "kind": "trap", "at": [spots[0], spots[5]], "damage": "d4", "effect": "dazed"},
        {"id": "box", "kind": "chest", "at": [spots[9]], "difficulty": 6},
    ]
    match = Match.from_record(raw)
    for _, legal, action in wanderings(match, random.Random(seed), 6000):
        assert legal.refusal(action) is None
    assert match.over is not None
    assert match.state.pending == ()
