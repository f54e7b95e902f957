"""Odds are exact: against enumeration in fractions, against themselves, and in agreement with play."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.controllers.ai.advisors.olde.attacks import strike
from game.fight.match import Match
from rules.contract.actions import Action
from rules.core import odds
from rules.core.dice import Dice, faces_of, roll, value_of
from rules.olde.combat.attack import NAMES, outcome_chances
from rules.olde.combat.outcomes import outcome_of


def die_by_fractions(rank: int, exploding: bool, depth: int) -> dict[int, Fraction]:
    """A die's distribution with explosions followed `depth` times, straight from olde.md §1."""
    faces = faces_of(rank)
    out: dict[int, Fraction] = {}
    for face in range(1, faces + 1):
        share = Fraction(1, faces)
        if exploding and face == rank and rank > 1 and depth:
            for more, chance in die_by_fractions(rank, True, depth - 1).items():
                out[rank + more] = out.get(rank + more, Fraction(0)) + share * chance
        else:
            value = value_of(rank, face)
            out[value] = out.get(value, Fraction(0)) + share
    return out


@pytest.mark.parametrize("rank", [1, 2, 3, 4, 5, 6, 7, 9, 12, 14])
@pytest.mark.parametrize("exploding", [False, True])
def test_a_die_agrees_with_enumeration(rank: int, exploding: bool) -> None:
    exact = die_by_fractions(rank, exploding, 12 if rank > 3 else 30)
    dist = odds.dice_sum(1, rank, exploding)
    assert sum(dist) == pytest.approx(1, abs=1e-12)
    for total, chance in exact.items():
        if total < 5 * rank:
            assert dist[total] == pytest.approx(float(chance), abs=1e-12), total


def pair(rank: int) -> dict[int, Fraction]:
    one = die_by_fractions(rank, True, 5 if rank > 3 else 12)
    out: dict[int, Fraction] = {}
    for (a, p), (b, q) in product(one.items(), one.items()):
        out[a + b] = out.get(a + b, Fraction(0)) + p * q
    return out


@pytest.mark.parametrize(("attack", "defense", "edge"), [(8, 5, 0), (9, 10, -3), (5, 7, 2), (4, 4, 0), (12, 6, 1)])
def test_outcomes_agree_with_enumeration(attack: int, defense: int, edge: int) -> None:
    found = dict.fromkeys(NAMES, Fraction(0))
    for (a, p), (d, q) in product(pair(attack).items(), pair(defense).items()):
        found[outcome_of(a - d + edge).name] += p * q
    for name, chance in zip(NAMES, outcome_chances(attack, defense, edge), strict=True):
        assert chance == pytest.approx(float(found[name]), abs=2e-4), name


@given(st.integers(1, 14), st.integers(0, 14), st.integers(-12, 12))
def test_outcomes_sum_to_one_and_a_better_edge_never_hurts(attack: int, defense: int, edge: int) -> None:
    chances = outcome_chances(attack, defense, edge)
    assert sum(chances) == pytest.approx(1, abs=1e-9)
    assert all(-1e-12 <= chance <= 1 + 1e-12 for chance in chances)
    better = outcome_chances(attack, defense, edge + 1)
    assert sum(better[:4]) >= sum(chances[:4]) - 1e-12


def duel(**gob: object) -> Match:
    hero = {
        "id": "ada", "side": "heroes", "at": [1, 1], "controller": "human", "brawn": 8, "finesse": 8, "savvy": 5,
        "nerve": 5, "skills": {"Swords": "Journeyman", "Knives": "Apprentice"}, "weapons": ["broadsword", "dagger"],
    }  # fmt: skip
    foe = {
        "id": "gob", "side": "monsters", "at": [2, 1], "controller": "ai", "brawn": 5, "finesse": 3, "savvy": 3,
        "nerve": 4, "skills": {"Maces": "Apprentice"}, "weapons": ["baton"], **gob,
    }  # fmt: skip
    document = {"format": "battlemat/1", "ruleset": "olde", "map": {"rows": ["......", "......", "......"]},
                "throws": [8, 1], "creatures": [hero, foe]}  # fmt: skip
    return Match.from_record(document)


@pytest.mark.parametrize("weapon", ["broadsword", "unarmed"])
@pytest.mark.parametrize("do", ["attack", "rushed_attack", "all_out_attack"])
@pytest.mark.parametrize("armor", [None, "leather", "chainmail"])
def test_damage_agrees_with_enumeration_of_every_face(weapon: str, do: str, armor: str | None) -> None:
    match = duel(armor=armor, hp=4)
    action = Action("ada", do, target="gob", weapon=weapon)
    card = match.ruleset.odds(match.state, action)
    assert card is not None
    plus = sum(a.value for a in card.adjustments if a.to == "damage")
    soak = {None: 0, "leather": 1, "chainmail": 3}[armor]
    faces = [(f + 1) // 2 if weapon == "unarmed" else f for f in range(1, 9)]
    top = 4 if weapon == "unarmed" else 8
    chance = dict(card.outcomes)
    expected: dict[int, float] = {}
    for face in faces:
        for name, hurt in (
            ("hit", face + plus - soak),
            ("solid_hit", face + plus + 2 - soak),
            ("critical_hit", top + plus + 2 - soak),
            ("legendary_hit", 2 * (top + plus) - soak),
        ):
            expected[max(0, hurt)] = expected.get(max(0, hurt), 0.0) + chance[name] / len(faces)
    expected[0] = expected.get(0, 0.0) + sum(p for name, p in card.outcomes if name.endswith("miss"))
    assert dict(card.damage) == pytest.approx({k: v for k, v in expected.items() if v > 0}, abs=1e-12)
    assert card.mean == pytest.approx(sum(k * v for k, v in expected.items()))
    assert card.drop == pytest.approx(sum(v for k, v in expected.items() if k >= 4))
    assert card.hit == pytest.approx(sum(chance[n] for n in ("hit", "solid_hit", "critical_hit", "legendary_hit")))


def test_every_adjustment_of_the_card_names_its_rule() -> None:
    match = duel(armor="leather")
    card = match.ruleset.odds(match.state, Action("ada", "rushed_attack", target="gob", weapon="broadsword"))
    assert card is not None
    assert [(a.to, a.value) for a in card.adjustments] == [("attack", 1), ("attack", -2)]
    assert all(a.rule.startswith("olde.md §") for a in card.adjustments)


def test_the_rapid_valuation_says_the_same_as_the_card() -> None:
    match = duel(armor="leather")
    card = match.ruleset.odds(match.state, Action("ada", "attack", target="gob", weapon="broadsword"))
    field = match.field
    index = match.state.setup.index
    quick = strike(match.state, index["ada"], index["gob"], field.cell(1, 1), field.cell(2, 1))
    assert card is not None
    assert quick is not None
    assert (quick.hit, quick.mean, quick.drop) == pytest.approx((card.hit, card.mean, card.drop))


@settings(max_examples=20, deadline=None)
@given(st.integers(4, 10), st.integers(0, 1000))
def test_a_thousand_thrown_dice_lie_near_their_distribution(rank: int, seed: int) -> None:
    dice = Dice(seed)
    totals = [roll(dice, "x", 2, rank).total for _ in range(1000)]
    mean = sum(i * p for i, p in enumerate(odds.dice_sum(2, rank, True)))
    assert abs(sum(totals) / 1000 - mean) < 0.25 * rank
