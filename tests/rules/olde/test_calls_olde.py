"""The game master's calls: checks, opposed checks and effect rolls with a free rating, at any time (olde.md §3)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from game.fight.match import Match
from rules.contract.errors import RecordError
from rules.core import record as records
from tests.rules.olde.creatures import Fight, being, duel
from tests.rules.olde.exploring import Exploration, hero, watcher
from tests.rules.table import dice

EXAMPLE = Path(__file__).parents[2] / "playthroughs" / "readme_example.json"


def asked(fight: Fight, do: str, **says: Any) -> list[dict[str, Any]]:
    return fight.do("gm", do, target=says.pop("target", "a"), **says)


def test_a_check_is_two_exploding_dice_of_the_skill_against_the_rating() -> None:
    fight = duel(dice("alertness (savvy) 6 5 3"))  # Alertness on a d6 of Savvy: the 6 explodes
    check = fight.last("check", asked(fight, "check", option="Alertness", rating=14))
    assert (check["roll"]["total"], check["rating"], check["success"], check["ranks"]) == (14, 14, True, 1)


def test_a_check_of_a_stat_alone_has_no_skill() -> None:
    fight = duel(dice("nerve 4 4"))
    check = fight.last("check", asked(fight, "check", option="nerve", rating=9))
    assert (check["roll"]["total"], check["success"], check["roll"].get("adjustments")) == (8, False, None)


def test_an_untrained_skill_is_at_minus_two_and_some_need_training() -> None:
    fight = duel(dice("sneak (finesse) 4 4"))
    assert fight.last("check", asked(fight, "check", option="Sneak", rating=6))["roll"]["total"] == 6
    assert "nobody uses Trivia untrained" in fight.refusal("gm", "check", target="a", option="Trivia", rating=9)


def test_advantage_keeps_the_better_of_two_sets() -> None:
    fight = duel(dice("alertness (savvy) 1 2 5 4"))
    check = fight.last("check", asked(fight, "check", option="Alertness", rating=9, advantage=1))
    assert (check["roll"]["total"], len(check["roll"]["discarded"])) == (9, 2)


def test_in_an_opposed_check_whoever_resists_throws_first_and_equal_succeeds() -> None:
    """Alertness of `b`, 3 + 4, against Sneak of `a`, 5 + 4 − 2."""
    fight = duel(dice("alertness (savvy) 3 4, sneak (finesse) 5 4"))
    contest = fight.last("contest", asked(fight, "opposed_check", option="Sneak", against="b", resists="Alertness"))
    assert [rolled["total"] for rolled in contest["rolls"]] == [7, 7]
    assert (contest["by"], contest["target"], contest["success"]) == ("a", "b", True)


def test_an_effect_roll_is_one_exploding_stat_die() -> None:
    fight = duel(dice("brawn 8 3"))
    note = fight.last("note", asked(fight, "effect_roll", option="brawn"))
    assert (note["rolls"][0]["total"], note["by"]) == (11, "a")


def test_a_call_costs_nobody_anything_and_leaves_the_chance_open() -> None:
    fight = duel(dice("brawn 4 4"))
    before = fight.of("a"), fight.acting
    asked(fight, "check", target="b", option="brawn", rating=9)
    assert (fight.of("a"), fight.acting) == before


def test_a_call_is_open_while_a_question_is() -> None:
    """A critical miss asks the game master, who first calls for a check."""
    fight = duel(dice("defense 5 5, attack 1 2, finesse 4 4"), gm=True)
    fight.attack()
    assert fight.state["acting"] == "a" and "choose" in fight.refusal("a", "end")
    asked(fight, "check", option="finesse", rating=6)
    fight.do("gm", "choose", option="prone")
    assert fight.of("a")["posture"] == "prone"


def test_a_call_is_open_in_an_exploration() -> None:
    fight = Exploration(hero(), watcher(), throws=[4, 4])
    decision = fight.rules.decisions(fight.now)[0]
    assert decision.kind == "explore"
    check = fight.last("check", asked(fight, "check", option="Alertness", rating=9))
    assert check["success"] is False


@pytest.mark.parametrize(
    ("says", "reason"),
    [
        ({"option": "Alertness"}, "rating: needs a number, such as Trivial 3, Easy 6"),
        ({"option": "Alertness", "rating": 0}, "rating: 0 is not from 1 to 60"),
        ({"option": "Juggling", "rating": 6}, "option: 'Juggling' is none of brawn"),
        ({"target": "z", "option": "brawn", "rating": 6}, "target: 'z' is nobody here; there are a, b"),
    ],
)
def test_a_call_that_cannot_be_made_is_refused_with_the_reason(says: dict[str, Any], reason: str) -> None:
    assert reason in duel([]).refusal("gm", "check", **{"target": "a", **says})


def test_nobody_opposes_itself_and_effects_are_of_stats() -> None:
    fight = duel([])
    assert "nobody opposes itself" in fight.refusal(
        "gm", "opposed_check", target="a", option="brawn", against="a", resists="brawn"
    )
    assert "option: 'Sneak' is none of brawn, finesse" in fight.refusal("gm", "effect_roll", target="a", option="Sneak")


def test_nobody_but_the_game_master_calls() -> None:
    assert "no action" in duel([]).refusal("a", "check", target="b", option="brawn", rating=9)


def test_a_call_is_a_command_of_the_record_and_replays() -> None:
    document = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    call = {"by": "gm", "do": "check", "target": "gob", "option": "nerve", "rating": 9, "advantage": -1}
    document["commands"].insert(1, call)
    document["throws"] += [3, 3, 2, 2]
    match = Match.from_record(document, strict_throws=True)
    events: list[Any] = match.events
    assert [e.rating for e in events if type(e).__name__ == "Check"] == [5, 9]
    written = records.document(match.record)
    assert written["commands"][1] == call
    again = Match.from_record(json.loads(json.dumps(written)), strict_throws=True)
    assert again.ruleset.summary(again.state) == match.ruleset.summary(match.state)


def test_a_call_after_the_fight_is_refused_in_one_line() -> None:
    document = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    document["creatures"][1]["hp"] = -20
    document["throws"], document["commands"] = (
        [],
        [{"by": "gm", "do": "check", "target": "ada", "option": "nerve", "rating": 9}],
    )
    with pytest.raises(RecordError, match="the fight is over"):
        Match.from_record(document)


def test_critical_outcomes_follow_a_call_where_the_table_plays_with_them() -> None:
    fight = Fight(being("a"), being("b", (5, 1)), throws=dice("action points 8 4, brawn 8 8 2 3"), criticals=True)
    asked(fight, "check", option="brawn", rating=9)
    assert fight.of("a")["effects"] == [{"name": "inspired", "turns": 1}]
