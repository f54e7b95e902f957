"""The computer with every condition (olde.md §7): its own, its friends' and its foes'; each beside one without it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from game.controllers.ai import AiController
from game.controllers.ai.advisors import advisor_of
from rules.board.grid import Field
from rules.board.sight import visible
from rules.contract.units import CreatureIx
from rules.olde.conditions import SPRUNG
from rules.olde.effects import Effect, Lasting
from tests.game.ai_table import RULES, asked, change, decision_of, fight, piece, turn_to, where
from tests.game.test_ai_every_spell import caster
from tests.game.test_ai_every_trait import HALL, did, end_of, pair, swing, thinking, threats, victim
from tests.game.test_ai_magic import deed

OTHERS = ("asleep", "stunned", "incapacitated", "prone", "kneeling", "sitting")
ELSEWHERE = ("submerged",)
"""Held by tests of its own (test_ai_obstacles)."""


def test_every_condition_has_a_test() -> None:
    source = Path(__file__).read_text(encoding="utf-8").partition("def test_")[2]
    for condition in (*SPRUNG, *OTHERS):
        assert f'"{condition}"' in source or condition in ELSEWHERE, condition


def asleep(state: Any, who: str) -> Any:
    sleep = Effect("sleep", CreatureIx(0), 1000, 12, Lasting(1000, "asleep", recover="savvy"))
    return change(state, who, effects=(sleep,), stunned=12, ap=0, free=0)


# -- foes who have it -------------------------------------------------------------------------------------

EASIER: dict[str, dict[str, Any]] = {
    "blinded": {"conditions": ["blinded"]},
    "dazed": {"conditions": ["dazed"]},
    "exhausted": {"conditions": ["exhausted"]},
    "frightened": {"conditions": ["frightened"]},
    "restrained": {"conditions": ["restrained"]},
}


@pytest.mark.parametrize("condition", EASIER)
def test_of_two_alike_the_easier_to_hit_is_struck(condition: str) -> None:
    easier = EASIER[condition]
    other: dict[str, Any] = {"conditions": []}
    assert victim(pair("orc", "warrior", easier, other), "hunter", 2, "brute") == "one"
    assert victim(pair("orc", "warrior", other, easier), "hunter", 2, "brute") == "other"


@pytest.mark.parametrize("figure", [{"stunned": 9, "ap": 0}, {"posture": "prone"}], ids=["stunned", "prone"])
def test_the_stunned_and_the_prone_are_struck_in_melee(figure: Any) -> None:
    state = pair("orc", "warrior", {}, {})
    assert victim(change(state, "one", **figure), "hunter", 2, "brute") == "one"
    assert victim(change(state, "other", **figure), "hunter", 2, "brute") == "other"


def test_archers_shoot_those_on_their_feet() -> None:
    targets = [piece("wizard", (7, y), "heroes", name) for y, name in ((3, "one"), (5, "other"))]
    state = fight(HALL, piece("goblin_archer", (3, 4), "monsters"), *targets)
    assert victim(change(state, "one", posture="prone"), "goblin_archer", 3, "brute") == "other"
    assert victim(change(state, "other", posture="prone"), "goblin_archer", 3, "brute") == "one"


def test_the_incapacitated_are_left_alone() -> None:
    """Nobody strikes at "incapacitated" foes while others stand."""
    state = change(pair("orc", "warrior", {}, {}), "one", hp=-1, posture="prone", ap=0)
    assert victim(state, "hunter", 2) == "other"
    down = fight(HALL, piece("orc", (9, 4), "monsters"), piece("warrior", (8, 4), "heroes"),
                 piece("ranger", (2, 4), "heroes"))  # fmt: skip
    assert victim(change(down, "warrior", hp=-1, posture="prone", ap=0), "orc", 2) is None


def test_the_asleep_are_let_lie_while_others_fight() -> None:
    state = pair("orc", "ogre", {"space": 1}, {"space": 1})
    for sleeper, struck in (("one", "other"), ("other", "one")):
        blow = swing(asleep(state, sleeper), "hunter", sleeper)
        assert blow.side_effect < 0.0, "it wakes"
        assert victim(asleep(state, sleeper), "hunter", 2, "cunning") in (struck, sleeper)


@pytest.mark.parametrize("condition", ["dazed", "frightened", "stunned", "asleep", "rooted", "restrained"])
def test_who_cannot_come_or_strike_is_no_danger_now(condition: str) -> None:
    state = fight(HALL, piece("orc", (9, 4), "monsters"), piece("warrior", (6, 4), "heroes"))
    here = 1 << state.setup.field.cell(6, 4)
    state = change(state, "orc", ap=4)
    if condition == "stunned":
        worse = change(state, "orc", stunned=9, ap=0)
    elif condition == "asleep":
        worse = asleep(state, "orc")
    else:
        orc = piece("orc", (9, 4), "monsters", conditions=[condition])
        worse = change(fight(HALL, orc, piece("warrior", (6, 4), "heroes")), "orc", ap=4)
    (sound,), (ill,) = threats(state, "orc", "warrior"), threats(worse, "orc", "warrior")
    assert sound.now & here and not ill.now & here


def test_the_slowed_and_the_fatigued_are_not_slowed_again() -> None:
    for condition, cast in (("slowed", False), ("fatigued", True)):
        match = caster("slow", [("ogre", "monsters", (6, 4), {"conditions": [condition]})])
        known = [m for m in advisor_of(RULES).measures(match.state, decision_of(match)) if m.action.item == "slow"]
        assert bool(known) is cast


def test_the_silenced_are_not_silenced_again() -> None:
    for conditions, cast in ((["silenced"], False), ([], True)):
        match = caster("silence", [("goblin_shaman", "monsters", (11, 4), {"conditions": conditions})])
        known = [m for m in advisor_of(RULES).measures(match.state, decision_of(match)) if m.action.item == "silence"]
        assert bool(known) is cast


# -- friends who have it ------------------------------------------------------------------------------------


@pytest.mark.parametrize("condition", ["rooted", "blinded", "slowed", "silenced"])
def test_friends_are_relieved_of_what_ails_them(condition: str) -> None:
    others = [("warrior", "heroes", (4, 4), {"conditions": [condition], "spells": ["ember bolt"]}),
              ("orc", "monsters", (14, 4), {})]  # fmt: skip
    action = deed(caster("cleansing touch", others))
    assert (action.item, action.target) == ("cleansing touch", "b")


@pytest.mark.parametrize(("condition", "helped"), [("bleeding", ["warrior"]), ("slowed", [])])
def test_the_bleeding_get_first_aid(condition: str, helped: list[str]) -> None:
    healer: dict[str, Any] = {"blessings": [], "spells": [], "items": [], "skills": {"Healing": "Master"}}
    state = fight(HALL, piece("priest", (4, 4), "heroes", **healer),
                  piece("warrior", (5, 4), "heroes"), piece("orc", (17, 4), "monsters"))  # fmt: skip
    state = change(state, "warrior", hp=1, **{condition: True})
    assert [a.target for a in did(state, "priest", 3) if a.do == "first_aid"] == helped


def test_the_incapacitated_get_first_aid() -> None:
    state = fight(HALL, piece("priest", (4, 4), "heroes", blessings=[], spells=[], items=[]),
                  piece("warrior", (5, 4), "heroes"), piece("orc", (17, 4), "monsters"))  # fmt: skip
    down = change(state, "warrior", hp=-2, posture="prone", dying=True, ap=0)
    assert ("first_aid", "warrior") in [(a.do, a.target) for a in did(down, "priest", 3)]
    assert "first_aid" not in [a.do for a in did(state, "priest", 3)]


def test_a_friend_asleep_is_roused() -> None:
    state = fight(HALL, piece("orc", (4, 4), "monsters"), piece("goblin", (5, 4), "monsters"),
                  piece("warrior", (17, 4), "heroes"))  # fmt: skip
    assert ("guide", "goblin") in [(a.do, a.target) for a in did(asleep(state, "goblin"), "orc", 3, "cunning")]
    assert "guide" not in [a.do for a in did(change(state, "goblin", stunned=9, ap=0), "orc", 3)]


# -- one's own ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("posture", ["prone", "kneeling", "sitting"])
def test_who_is_not_on_its_feet_rises(posture: str) -> None:
    state = fight(HALL, piece("orc", (4, 4), "monsters"), piece("warrior", (12, 4), "heroes"))
    assert did(change(state, "orc", posture=posture), "orc", 4)[0].do == "rise"
    assert "rise" not in [a.do for a in did(state, "orc", 4)]


@pytest.mark.parametrize("condition", ["rooted", "restrained"])
def test_who_is_held_strikes_whom_it_reaches(condition: str) -> None:
    held = piece("orc", (8, 4), "monsters", conditions=[condition])
    state = fight(HALL, held, piece("warrior", (9, 4), "heroes"))
    assert victim(state, "orc") == "warrior"
    state = fight(HALL, held, piece("warrior", (12, 4), "heroes"))
    assert not [a for a in did(state, "orc") if a.path or a.weapon]


def test_the_dazed_go_one_space_and_neither_strike_nor_cast() -> None:
    dazed = piece("cultist", (8, 4), "monsters", conditions=["dazed"])
    deeds = did(fight(HALL, dazed, piece("warrior", (9, 4), "heroes")), "cultist", 6)
    assert not [a for a in deeds if a.weapon or a.item] and sum(len(a.path) for a in deeds) <= 1


@pytest.mark.parametrize(("condition", "casts"), [("silenced", False), ("fatigued", True)])
def test_the_silenced_cast_nothing_that_is_spoken(condition: str, casts: bool) -> None:
    match = caster("ember bolt", [("orc", "monsters", (11, 4), {})], conditions=[condition])
    assert (deed(match).item == "ember bolt") is casts


@pytest.mark.parametrize("condition", ["blinded", "slowed", "rooted", "poisoned"])
def test_who_can_rid_itself_of_it_does(condition: str) -> None:
    for conditions in ([condition], []):
        match = caster("cleansing touch", [("orc", "monsters", (14, 4), {})], conditions=conditions)
        assert (deed(match).item == "cleansing touch") is bool(conditions)


def scared(at: tuple[int, int], rows: str | Field = HALL, foe: tuple[int, int] = (5, 4), **says: Any) -> Any:
    orc = piece("orc", at, "monsters", conditions=["frightened"], **says)
    return fight(rows, orc, piece("warrior", foe, "heroes"))


def test_the_frightened_run_as_far_as_they_can() -> None:
    assert end_of(scared((7, 4)), "orc", 3)[0] >= 14, "two free steps and six spaces at a run"
    sound = fight(HALL, piece("orc", (7, 4), "monsters"), piece("warrior", (5, 4), "heroes"))
    assert end_of(sound, "orc", 3)[0] < 7, "an orc goes for whom it does not fear"


CORNER = [
    "####################",
    "#..................#",
    "#########.##########",
    "####............####",
    "####............####",
    "####################",
]


def test_the_frightened_hide_round_the_corner() -> None:
    state = scared((9, 2), Field.from_rows(CORNER), (9, 1), free_steps=3)
    column, row = end_of(state, "orc", 1)
    foe, field = state.setup.field.cell(9, 1), state.setup.field
    assert row > 2 and not visible(state.terrain, foe) >> field.cell(column, row) & 1


def test_the_frightened_who_are_cornered_stay_and_strike_at_others() -> None:
    state = scared((2, 1), Field.from_rows(["#####", "#..##", "#####"]), (1, 1))
    assert [a.do for a in did(state, "orc", 3)] == ["end"]
    assert advisor_of(RULES).outlook(turn_to(state, "orc"), "orc").ways == ()
    orc = piece("orc", (10, 4), "monsters")
    state = fight(HALL, orc, piece("wraith", (14, 4), "heroes"), piece("warrior", (9, 4), "heroes", hp=2))
    dread = Effect("dread", CreatureIx(1), 2, 9, Lasting(2, "frightened", recover="nerve"))
    assert victim(change(state, "orc", effects=(dread,)), "orc", 2, "brute") == "warrior"


def test_moves_of_the_frightened_lead_farther_away_or_are_none() -> None:
    state = turn_to(scared((7, 4)), "orc", 3)
    known, decision, legal = asked(state)
    field = state.setup.field
    for do in ("free_steps", "step", "run"):
        ends = legal.moves(do)
        assert ends and all(state.terrain.distance(cell, field.cell(5, 4)) > 2 for cell in ends)
    assert AiController().choose(RULES, known, decision, legal) in legal


# -- flight ---------------------------------------------------------------------------------------------------


def test_a_coward_alone_runs_to_its_friends() -> None:
    foes = [piece("warrior", (9, y), "heroes", f"h{y}") for y in (3, 4, 5)]
    for column, towards in ((1, -1), (18, 1)):
        friends = [piece("goblin", (column, y), "monsters", f"g{y}") for y in (1, 2)]
        state = fight(HALL, piece("goblin_lookout", (10, 8), "monsters"), *foes, *friends)
        state = change(state, "goblin_lookout", hp=1)
        assert (end_of(state, "goblin_lookout", 3)[0] - 10) * towards > 0


def test_a_coward_that_is_hurt_hides_round_the_corner() -> None:
    rat = piece("giant_rat", (9, 2), "monsters", hp=1)
    state = fight(Field.from_rows(CORNER), rat, piece("warrior", (9, 1), "heroes"))
    foe, cell = state.setup.field.cell(9, 1), state.setup.field.cell(*end_of(state, "giant_rat", 3))
    assert not visible(state.terrain, foe) >> cell & 1


def test_a_coward_among_enough_friends_stays() -> None:
    foes = [piece("warrior", (3, y), "heroes", f"h{y}") for y in (3, 4, 5)]
    friends = [piece("goblin", (11, y), "monsters", f"g{y}") for y in (3, 4, 5)]
    state = fight(HALL, piece("goblin_archer", (12, 4), "monsters"), *foes, *friends)
    assert not [text for text, _ in thinking(state, "goblin_archer").best[0].reasons if text == "away from the foes"]
    alone = fight(HALL, piece("goblin_archer", (12, 4), "monsters"), *foes)
    assert [text for text, _ in thinking(alone, "goblin_archer").best[0].reasons if text == "away from the foes"]
    assert where(state, "goblin_archer") == (12, 4)
