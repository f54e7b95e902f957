"""What the computer does in small positions, and what it may know."""

from __future__ import annotations

import msgspec
import pytest

from game.controllers.ai import AiController, GreedyController
from tests.game.ai_table import RULES, asked, change, fight, piece, play_chance, turn_to, where

HALL = """
####################
#..................#
#..................#
#..................#
#..................#
####################
"""
TWO_ROOMS = """
##########
#...#....#
#...+....#
#...#....#
##########
"""
ALL = ("cunning", "brute", "coward")


def _deeds(actions):
    return [action.do for action in actions]


@pytest.mark.parametrize("temper", ALL)
def test_finishes_the_wounded_rather_than_begin_on_the_fresh(temper):
    state = fight(
        HALL,
        piece("orc", (5, 2), "monsters"),
        piece("warrior", (6, 1), "heroes", "fresh"),
        piece("warrior", (6, 3), "heroes", "hurt", hp=2),
    )
    _, did = play_chance(turn_to(state, "orc", 3), AiController(temper))
    blows = [action for action in did if action.target]
    assert blows, did
    assert {action.target for action in blows} == {"hurt"}


def test_shooter_keeps_away_from_a_fighter():
    state = fight(
        HALL,
        piece("goblin_archer", (8, 2), "monsters", "archer", temperament="cunning"),
        piece("warrior", (5, 2), "heroes"),
    )
    after, did = play_chance(turn_to(change(state, "warrior", ap=2), "archer", 4), AiController())
    assert where(after, "archer")[0] > 8
    assert any(action.target == "warrior" for action in did)


@pytest.mark.parametrize("temper", ["cunning", "coward"])
def test_does_not_step_where_it_dies_for_nothing(temper):
    foes = [piece("warrior", (16, row), "heroes", f"w{row}") for row in (1, 2, 3, 4)]
    state = fight(HALL, piece("goblin", (8, 2), "monsters", hp=2), *foes)
    for foe in foes:
        state = change(state, foe["id"], ap=6)
    state = turn_to(state, "goblin", 3)
    after, _ = play_chance(state, AiController(temper))
    assert where(after, "goblin")[0] <= 9


def test_opens_the_door_between_itself_and_the_foe():
    state = fight(TWO_ROOMS, piece("orc", (3, 2), "monsters"), piece("warrior", (8, 2), "heroes"))
    assert not [m for m in RULES.board(RULES.observe(state, "monsters")).miniatures if m.side == "heroes"]
    _, did = play_chance(turn_to(state, "orc", 3), AiController())
    assert "open" in _deeds(did), did


def test_walks_to_a_door_first():
    state = fight(TWO_ROOMS, piece("orc", (1, 3), "monsters"), piece("warrior", (8, 2), "heroes"))
    player = AiController()
    for _ in range(3):
        state, did = play_chance(turn_to(state, "orc", 3), player)
        if "open" in _deeds(did):
            return
    pytest.fail("the door stayed closed for three chances")


def test_hurt_coward_runs_and_brute_does_not():
    state = fight(HALL, piece("bandit", (5, 2), "monsters", hp=2), piece("warrior", (3, 2), "heroes"))
    state = turn_to(change(state, "warrior", ap=4), "bandit", 4)
    fled, _ = play_chance(state, AiController("coward"))
    stood, did = play_chance(state, AiController("brute"))
    assert where(fled, "bandit")[0] > 6
    assert where(stood, "bandit")[0] <= 5
    assert any(action.target == "warrior" for action in did)


def test_brute_charges():
    state = fight(HALL, piece("orc", (14, 2), "monsters"), piece("warrior", (3, 2), "heroes"))
    after, _ = play_chance(turn_to(state, "orc", 3), AiController("brute"))
    assert where(after, "orc")[0] < 10


def test_rises_when_prone():
    state = fight(HALL, piece("orc", (6, 2), "monsters"), piece("warrior", (12, 2), "heroes"))
    _, did = play_chance(turn_to(change(state, "orc", posture="prone"), "orc", 3), AiController())
    assert did[0].do == "rise"


def test_readies_a_weapon_when_its_hands_are_empty():
    state = fight(HALL, piece("orc", (6, 2), "monsters"), piece("warrior", (10, 2), "heroes"))
    held = state.figures[state.setup.index["orc"]].hands
    state = change(state, "orc", hands=(), pack=held)
    _, did = play_chance(turn_to(state, "orc", 3), AiController())
    assert "ready" in _deeds(did), did


def test_picks_up_what_it_dropped():
    state = fight(HALL, piece("orc", (6, 2), "monsters"), piece("warrior", (10, 2), "heroes"))
    state = turn_to(state, "orc", 3)
    decision = asked(state)[1]
    state = RULES.apply(state, decision, next(a for a in RULES.legal(state, decision) if a.do == "drop_item")).state
    _, did = play_chance(turn_to(state, "orc", 3), AiController("brute"))
    assert "pick_up" in _deeds(did), did


def test_helps_a_dying_friend_when_nobody_threatens():
    state = fight(
        TWO_ROOMS,
        piece("priest", (2, 2), "heroes"),
        piece("warrior", (1, 2), "heroes", hp=-2),
        piece("orc", (8, 2), "monsters"),
    )
    _, did = play_chance(turn_to(state, "priest", 4), AiController())
    assert any(action.do in ("first_aid", "cast") and action.target == "warrior" for action in did), did


@pytest.mark.parametrize("temper", ALL)
def test_explains_what_it_would_choose(temper):
    state = fight(
        HALL, piece("orc", (5, 2), "monsters"), piece("warrior", (7, 1), "heroes"), piece("rogue", (4, 3), "heroes")
    )
    known, decision, legal = asked(turn_to(state, "orc", 3))
    thinking = AiController(temper).explain(RULES, known, decision, legal)
    assert thinking.temperament == temper
    assert 1 < len(thinking.best) <= 3
    scores = [option.score for option in thinking.best]
    assert scores == sorted(scores, reverse=True)
    assert thinking.choice == AiController(temper).choose(RULES, known, decision, legal)
    for option in thinking.best:
        assert option.action in legal
        assert option.score == pytest.approx(sum(value for _, value in option.reasons))
        assert option.label


def test_says_why_it_does_not_go_somewhere():
    state = fight(HALL, piece("orc", (5, 2), "monsters"), piece("warrior", (7, 2), "heroes"))
    known, decision, legal = asked(turn_to(state, "orc", 3))
    field = state.setup.field
    player = AiController()
    told = player.why_not(RULES, known, decision, legal, field.cell(3, 3))
    assert "scores" in told and told.startswith("Column 4, row 4")
    assert "can't be reached" in player.why_not(RULES, known, decision, legal, field.cell(18, 4))
    goal = player.explain(RULES, known, decision, legal).best[0].cell
    assert "where it goes" in player.why_not(RULES, known, decision, legal, goal)


@pytest.mark.parametrize("temper", ALL)
def test_knows_only_what_its_side_sees(temper):
    state = fight(TWO_ROOMS, piece("orc", (2, 2), "monsters"), piece("warrior", (8, 1), "heroes"))
    state = turn_to(state, "orc", 3)
    moved = change(state, "warrior", cell=state.setup.field.cell(6, 3))
    assert asked(state)[0].figures == asked(moved)[0].figures
    assert AiController(temper).choose(RULES, *asked(state)) == AiController(temper).choose(RULES, *asked(moved))


def test_same_position_same_choice():
    state = fight(HALL, piece("wolf", (9, 2), "monsters"), piece("ranger", (3, 2), "heroes"))
    known, decision, legal = asked(state)
    first = AiController().choose(RULES, known, decision, legal)
    again = msgspec.structs.replace(known)
    assert AiController().choose(RULES, again, decision, legal) == first


def test_answers_a_critical_miss_for_its_own_side():
    """Falling prone keeps the sword; who still has another weapon may see it differently, but somebody must answer."""
    state = fight(HALL, piece("orc", (5, 2), "monsters"), piece("warrior", (6, 2), "heroes"), gm=True)
    from rules.olde.state import Question

    state = turn_to(state, "orc", 3)
    orc, warrior = state.setup.index["orc"], state.setup.index["warrior"]
    question = Question("gm", "critical_miss", ("drop_weapon", "fall_prone"), orc, warrior, state.figures[orc].hands[0])
    state = msgspec.structs.replace(state, question=question)
    known, decision, legal = asked(state)
    assert decision.kind == "choose"
    thinking = AiController().explain(RULES, known, decision, legal)
    assert thinking.choice in legal
    assert {option.action.option for option in thinking.best} == {"drop_weapon", "fall_prone"}


def test_greedy_strikes_when_it_can():
    state = fight(HALL, piece("orc", (5, 2), "monsters"), piece("warrior", (6, 2), "heroes"))
    assert GreedyController().choose(RULES, *asked(turn_to(state, "orc", 3))).target == "warrior"
