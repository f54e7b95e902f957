"""Conditions: what each does in figures and what it forbids; spells and stat blocks mean the same (olde.md §7)."""

from __future__ import annotations

from typing import Any

import pytest

from game.controllers.ai.advisors.olde.prospect import outlook
from rules.contract.units import CreatureIx
from rules.olde.challenges.checks import burden
from rules.olde.conditions import INNATE, SPRUNG
from rules.olde.display import badges
from rules.olde.ruleset import Olde
from rules.olde.text import TERMS
from tests.rules.olde.creatures import Fight, because, being, duel
from tests.rules.table import dice


def stricken(condition, throws=(), ap=(8, 4), **more):
    hero: dict[str, Any] = {"at": (1, 1), "conditions": [condition], **more}
    return Fight(being("a", **hero), being("b", (2, 1)), throws=[*ap, *throws])


def test_blinded_takes_5_from_attack_and_defense():
    event = stricken("blinded", dice("defense 4 4, attack 4 4")).attack()
    assert because(event, "attack") == -5
    assert [item["because"] for item in event["adjustments"]] == ["blinded"]
    back = duel([4, 4, 4, 4, 1, 8, 8], b={"conditions": ["blinded"]}).attack()
    assert because(back, "defense") == -5


def test_frightened_takes_2_from_all_checks_and_allows_nothing_but_flight():
    fight = stricken("frightened", at=(4, 2))
    assert "frightened" in fight.refusal("a", "attack", target="b", weapon="broadsword")
    assert "frightened" in fight.refusal("a", "step", path=[(3, 2)])
    assert "no farther" in fight.refusal("a", "step", path=[(3, 3)])
    fight.do("a", "step", path=[(5, 2)])


def test_a_fright_without_a_cause_is_of_every_adversary_and_counts_once():
    fight = Fight(
        being("a", (5, 2), conditions=["frightened"]),
        being("b", (2, 2)),
        being("c", (9, 2)),
        throws=dice("action points 8 4 3"),
    )
    assert "frightened" in fight.refusal("a", "step", path=[(4, 2)])
    assert "frightened" in fight.refusal("a", "step", path=[(6, 2)])
    assert sum(effect.lasting.attack for effect in fight.now.figures[0].effects) == -2


def test_dazed_forbids_attacks_and_spells_and_more_than_one_space_a_round():
    fight = stricken("dazed", at=(4, 2))
    assert "dazed" in fight.refusal("a", "attack", target="b", weapon="broadsword")
    assert "dazed" in fight.refusal("a", "free_steps", path=[(5, 2)])
    assert "dazed" in fight.refusal("a", "run", path=[(5, 2)])
    assert "at most 1" in fight.refusal("a", "step", path=[(5, 2), (6, 2)])
    ways = outlook(fight.now, CreatureIx(0)).ways
    assert {way.do for way in ways} == {("step",)} and {way.points for way in ways} == {1}
    fight.do("a", "step", path=[(5, 2)])


def test_dazed_takes_2_from_defense():
    assert (
        because(duel(dice("defense 4 4, attack 4 4, damage 1"), b={"conditions": ["dazed"]}).attack(), "defense") == -2
    )


def test_a_dazed_caster_casts_nothing():
    fight = stricken("dazed", spells=["ember bolt"])
    assert "dazed" in fight.refusal("a", "cast", item="ember bolt", target="b")


@pytest.mark.parametrize(("condition", "left"), [("exhausted", 5), ("fatigued", 6), ("slowed", 5)])
def test_tiredness_takes_from_the_ap_die(condition, left):
    assert stricken(condition).of("a")["ap"] == left


@pytest.mark.parametrize("condition", ["exhausted", "fatigued"])
def test_the_ap_die_never_falls_below_1(condition):
    assert stricken(condition, ap=(1, 4)).of("a")["ap"] == 1


def test_exhausted_takes_2_from_physical_checks_only():
    fight = stricken("exhausted", dice("defense 4 4, attack 4 4"))
    setup, who, figure = fight.now.setup, fight.now.setup.fighters[0], fight.now.figures[0]
    assert [sum(a.value for a in burden(setup, who, figure, s)) for s in ("brawn", "finesse", "savvy", "nerve")] == [
        -2, -2, 0, 0,
    ]  # fmt: skip
    assert because(fight.attack(), "attack") == -2


def test_restrained_forbids_movement_and_leaves_no_defense_roll():
    fight = stricken("restrained", at=(4, 2))
    assert "restrained" in fight.refusal("a", "step", path=[(5, 2)])
    assert "restrained" in fight.refusal("a", "free_steps", path=[(5, 2)])
    event = duel(dice("attack 4 4, damage 5"), b={"conditions": ["restrained"]}).attack()
    assert event["defense"] == 6 and len(event["rolls"]) == 2


def test_silenced_stops_spoken_spells_only():
    fight = stricken("silenced", spells=["ember bolt"])
    assert "must be spoken" in fight.refusal("a", "cast", item="ember bolt", target="b")
    fight.do("a", "free_steps", path=[(1, 2)])


@pytest.mark.parametrize("condition", sorted(set(INNATE) - {"bleeding"}))
def test_each_has_a_term_a_badge_a_sentence_and_lasts_beyond_a_reset(condition):
    fight = stricken(condition, (8, 4))
    assert condition in TERMS
    assert condition in [badge.icon for badge in badges(fight.now.figures[0], 11)]
    assert fight.of("a")["conditions"] == [condition]
    fight.end("a", "b")
    assert fight.state["turn"] == 2
    assert fight.of("a")["conditions"] == [condition]
    assert all(Olde().term(word) for word in SPRUNG)
