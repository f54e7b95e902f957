"""Threat is the chance to lose, whatever the rules; weights come from fights, and one word means one thing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.content import tables as content
from game.content.balance import EVEN, as_hard, figures, odds, weight, weights
from game.content.balance import PARTY as PARTY_WEIGHT
from game.forecast.threat import (
    BANDS,
    PARTY,
    ThreatError,
    encounter,
    estimated,
    guessed,
    main,
    threat_between,
    word_for,
    yardstick,
)
from rules.core.registry import RULESETS
from tests.words.extract import words

ROOT = Path(__file__).parents[2]
FEW = 8


@pytest.mark.parametrize("ruleset", RULESETS)
def test_everybody_has_a_weight_and_the_whole_number_is_that(ruleset):
    everybody = {**content.heroes(ruleset), **content.monsters(ruleset)}
    assert set(figures(ruleset).weights) == set(everybody)
    assert {name: block["threat"] for name, block in everybody.items()} == {
        name: max(1, round(figure)) for name, figure in figures(ruleset).weights.items()
    }


@pytest.mark.parametrize("ruleset", RULESETS)
def test_four_ready_heroes_weigh_about_what_a_match_does_under_every_ruleset(ruleset):
    four = [{"template": name} for name in yardstick(ruleset)]
    assert len(four) == PARTY and 0.6 * PARTY_WEIGHT <= weights(ruleset, four) <= 1.2 * PARTY_WEIGHT


def test_a_creature_weighs_what_fights_say_unless_it_says_another_number():
    goblin = figures("olde").weights["goblin"]
    assert weight("olde", {"template": "goblin"}) == goblin
    assert weight("olde", {"template": "goblin", "brawn": 9}) == goblin
    assert weight("olde", {"template": "goblin", "threat": 9}) == 9
    assert weight("olde", {"name": "Maud", "threat": 7}) == 7


@pytest.mark.parametrize("name", ["ogre", "bandit"])
def test_more_than_a_match_beats_the_party_more_often_than_less(name):
    match, heroes = PARTY_WEIGHT / figures("olde").weights[name], yardstick("olde")
    few, many = (max(1, round(match * part)) for part in (0.5, 1.7))
    assert threat_between("olde", heroes, (name,) * few, FEW) < threat_between("olde", heroes, (name,) * many, FEW)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_order_of_the_weights_is_that_of_fights(ruleset):
    names = [name for name in figures(ruleset).weights if name in content.monsters(ruleset)]
    weak, strong = names[0], names[-1]
    two = yardstick(ruleset)[:2]
    assert threat_between(ruleset, two, (weak,), FEW) < threat_between(ruleset, two, (strong,), FEW)


def test_threat_grows_with_the_group_and_falls_with_the_party():
    one, two = yardstick("olde")[:1], yardstick("olde")[:2]
    few, many = ("orc",), ("orc",) * 4
    assert threat_between("olde", two, few, FEW) < threat_between("olde", two, many, FEW)
    assert threat_between("olde", two, few, FEW) < threat_between("olde", one, few * 2, FEW)


def test_the_same_fights_give_the_same_figure():
    party = yardstick("olde")
    assert threat_between("olde", party, ("goblin",), FEW) == threat_between("olde", party, ("goblin",), FEW)


# -- words


def test_each_word_is_a_band_of_the_chance_to_win():
    assert [most for most, _ in BANDS] == [10, 25, 50, 100]
    assert [word_for(threat) for threat in (0, 10.4, 10.6, 25, 26, 50.5, 50.6, 100)] == [
        "an easy fight", "an easy fight", "a fair fight", "a fair fight", "a hard fight", "a hard fight",
        "a deadly fight", "a deadly fight",
    ]  # fmt: skip


WEIGH = st.floats(0.5, 200)


@pytest.mark.parametrize("ruleset", RULESETS)
@given(ours=WEIGH, theirs=WEIGH, more=st.floats(1.01, 5))
def test_an_estimate_is_on_the_same_scale_grows_with_the_foes_and_says_that_it_is_one(ruleset, ours, theirs, more):
    threat = estimated(ruleset, ours, theirs)
    assert 0 <= threat <= estimated(ruleset, ours, theirs * more) <= 100
    assert threat >= estimated(ruleset, ours * more, theirs)
    assert guessed(ruleset, ours, theirs) == f"Threat about {threat:.0f}: {word_for(threat)}"


@pytest.mark.parametrize("ruleset", RULESETS)
@given(ours=WEIGH, theirs=WEIGH, map=st.sampled_from(["", "crypt.tmx", "old_sluice.tmx", "own/mine.tmx"]))
def test_as_hard_is_the_other_way_of_the_odds(ruleset, ours, theirs, map):
    assert as_hard(ruleset, ours, odds(ruleset, ours, theirs, map), map) == pytest.approx(theirs)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_weighs_as_much_is_a_hard_fight_and_nobody_is_no_fight(ruleset):
    assert estimated(ruleset, 24, 24) == EVEN and word_for(EVEN) == "a hard fight"
    assert guessed(ruleset, 0, 24) == guessed(ruleset, 24, 0) == ""


THREAT = ("game/forecast/threat.py", "game/forecast/threat.py", "game/scenes/choose/scene.py")
"""Where texts speak of threat, and mean the chance to lose."""


def test_no_text_calls_anything_else_a_threat():
    """Creatures have a weight, ground is in reach of foes."""
    for message, where in words().items():
        text = message if isinstance(message, str) else " ".join(message)
        spoken = re.search(r"\bthreat(s|ened)?\b", text, re.IGNORECASE)
        assert where in THREAT or not spoken or "chance to lose" in text, f"{where}: {text}"


def test_no_page_calls_anything_else_a_threat():
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        if page.name == "threat.md":
            continue
        text = re.sub(
            r"`[^`\n]*`|\([a-z]+\.md\)|\[threat\.md\]|\(threat\.md\)|```.*?```", "", page.read_text(), flags=re.DOTALL
        )
        for line in text.splitlines():
            assert not re.search(r"\bthreat", line, re.IGNORECASE), f"{page.name}: {line}"


def test_large_creatures_stand_apart():
    big = next(name for name, entry in content.monsters("olde").items() if entry.get("space", 1) > 1)
    record = encounter("olde", yardstick("olde"), (big, big))
    spaces = [entry["at"] for entry in record["creatures"] if entry["side"] == "monsters"]
    wide = content.template("olde", big)["space"]
    assert abs(spaces[0][0] - spaces[1][0]) >= wide or abs(spaces[0][1] - spaces[1][1]) >= wide


def test_what_cannot_be_measured_is_said_in_one_line(capsys):
    with pytest.raises(ThreatError, match="have room"):
        encounter("olde", yardstick("olde"), ("goblin",) * 99)
    assert main(["--group", "gobblin"]) == 2
    assert "gobblin" in capsys.readouterr().err
