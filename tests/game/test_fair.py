"""A translated encounter is about as hard as it was: the heroes' chances to win lie near each other."""

from __future__ import annotations

import re
import tomllib
from math import log

import pytest

from game.content.balance import EVEN, figures, weights
from rules.core.registry import RULESETS
from tests.bench.fair import APART, ENCOUNTERS, MOST, PAGE, RUNS, Drawn, measured, rows
from tests.bench.weigh import FAR, STEEP, Fitted, Fought, drawn, rare, refined, surprise, written

FEW, WIDE = 8, 45
"""A quick look: so few fights, and so many points apart that luck alone is no reason."""


def test_a_band_is_about_as_hard_under_every_ruleset() -> None:
    """Beginners under Count-Up lost nine of ten of these where everybody came along."""
    quick = [each for each in ENCOUNTERS if each.name in ("goblin_warren 3", "ruined_bridge 7")]
    shares = dict.fromkeys(RULESETS, 0.0)
    for each in quick:
        for name, chance in measured(each, FEW, match=False).chances.items():
            shares[name] += 100 * chance.share / len(quick)
    assert len(quick) == 2 and max(shares.values()) - min(shares.values()) <= WIDE, shares


@pytest.mark.long
@pytest.mark.parametrize("each", [e for e in ENCOUNTERS if e.name not in APART], ids=lambda each: each.name)
def test_an_encounter_is_as_hard_under_every_ruleset(each: Drawn) -> None:
    found = measured(each, RUNS)
    assert found.spread <= MOST, "\n".join(rows([found]))


def test_the_page_names_those_that_lie_further_apart_than_they_should() -> None:
    marked = re.findall(r"(?m)^\| (\w+ \d+) \|.* !\s*\|$", PAGE.read_text(encoding="utf-8"))
    assert marked == list(APART)


# -- weights out of fights

KEPT = {"ann": 6.0, "bob": 6.0, "rat": 6.0, "ogre": 12.0}
EXPECTED = 1 - EVEN / 100


def fights(many: int, foes: tuple[str, ...], won: float, map: str = "crypt") -> list[Fought]:
    return [Fought(number, map, ("ann", "bob"), foes, won) for number in range(many)]


def test_what_was_expected_moves_nothing() -> None:
    same = refined(KEPT, fights(40, ("ogre",), EXPECTED))
    assert same.weights == pytest.approx(KEPT, rel=0.02)
    assert same.grounds["crypt"] == pytest.approx(0, abs=0.05)


def test_fights_move_weights_as_far_as_they_ask_for() -> None:
    told = [*fights(60, ("rat", "rat"), EXPECTED), *fights(60, ("ogre",), 0.1)]
    lost = refined(KEPT, told)
    assert lost.weights["ogre"] / lost.weights["rat"] > 2.5
    few = refined(KEPT, told[:64])
    assert few.weights["ogre"] / few.weights["rat"] < lost.weights["ogre"] / lost.weights["rat"]
    assert surprise(lost, told) < surprise(Fitted(KEPT, {}, STEEP), told)


def test_a_map_on_which_the_same_creatures_do_worse_is_worse_ground() -> None:
    found = refined(KEPT, [*fights(60, ("ogre",), 0.8), *fights(60, ("ogre",), 0.4, "ford")])
    assert found.grounds["ford"] < -0.2 < 0.2 < found.grounds["crypt"]


def test_fights_that_make_up_for_who_fought_little_are_about_them() -> None:
    busy = [Fought(n, "crypt", ("gann",), (name,), 1.0) for n in range(9) for name in ("goblin", "wolf")]
    least = rare("cairn", busy)
    assert least and not {"goblin", "wolf"} & {*least}
    assert rare("cairn", [Fought(0, "crypt", (), tuple(least), 1.0)]) != least
    made = [record for seed in range(6) if (record := drawn("cairn", seed, ("wight",)))]
    assert len(made) >= 3
    for record in made:
        assert "wight" in {each["template"] for each in record.creatures}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_random_encounter_is_the_same_again_and_neither_hopeless_nor_certain(ruleset: str) -> None:
    made = [drawn(ruleset, seed) for seed in range(12)]
    assert made[:3] == [drawn(ruleset, seed) for seed in range(3)]
    there = [record for record in made if record is not None]
    assert len(there) >= 6 and len({record.map.tmx for record in there}) > 1
    for record in there:
        ours, theirs = (
            weights(ruleset, [e for e in record.creatures if (e["side"] == "heroes") == own]) for own in (True, False)
        )
        assert abs(log(theirs / ours)) < FAR + 0.6


def test_a_file_of_figures_says_all_that_was_found() -> None:
    fitted = Fitted(dict(figures("countup").weights), {"crypt": 0.25}, 5.0)
    told = tomllib.loads(written("countup", fitted, [Fought(1, "crypt", ("hale",), ("troll",), 1.0)]))
    assert told == {"steep": 5.0, "ground": {"crypt": 0.25}, "weight": dict(figures("countup").weights)}
