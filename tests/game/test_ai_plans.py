"""How the computer plans: with and without what is remembered, out of friends' way, over gaps, with its reasons."""

from __future__ import annotations

import msgspec
import pytest

from game.controllers.ai import AiController
from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.olde import attacks as arms
from game.controllers.ai.advisors.olde import prospect
from game.controllers.ai.advisors.planning import Pass
from game.controllers.ai.planner import Planner
from game.controllers.ai.routes import narrow
from rules.board.bitboard import cells_of
from rules.board.grid import Field
from rules.contract.units import Bitboard
from tests.game.ai_table import RULES, asked, change, fight, piece, play_chance, turn_to, where

HALL = """
####################
#..................#
#..................#
#..................#
#..................#
####################
"""


def _forget(state):
    """Everything that is kept between decisions, but for what a side remembers."""
    state.terrain.memo.clear()
    state.terrain.distance_memo.clear()
    arms._arms.clear()
    arms._guards.clear()
    prospect._latest = None


def _brawl(seed):
    return fight(
        HALL,
        piece("warrior", (4, 2), "heroes"),
        piece("ranger", (3, 3), "heroes"),
        piece("wizard", (2, 2), "heroes"),
        piece("orc", (11, 2), "monsters"),
        piece("goblin_archer", (14, 3), "monsters"),
        piece("wolf", (12, 4), "monsters"),
        seed=seed,
    )


@pytest.mark.parametrize("seed", range(3))
def test_what_is_remembered_changes_no_choice(seed):
    """One player for the whole fight, and beside it a new one with empty memories for every single decision."""
    state, player = _brawl(seed), AiController()
    for _ in range(40):
        if not RULES.decisions(state):
            break
        known, decision, legal = asked(state)
        chosen = player.choose(RULES, known, decision, legal)
        _forget(state)
        again = msgspec.structs.replace(known)
        assert AiController().choose(RULES, again, decision, legal) == chosen
        state = RULES.apply(state, decision, chosen).state


def _far_apart():
    state = fight(HALL, piece("orc", (2, 2), "monsters"), piece("warrior", (17, 2), "heroes"))
    return turn_to(state, "orc", 4)


def test_a_chance_is_planned_once_while_only_its_own_movement_happens(monkeypatch):
    """Free steps and a run are one plan; who comes to it in the middle finds the same."""
    state, player = _far_apart(), AiController()
    known, decision, legal = asked(state)
    first = player.choose(RULES, known, decision, legal)
    assert first.do == "free_steps"
    known, decision, legal = asked(RULES.apply(state, decision, first).state)
    stranger = AiController().choose(RULES, known, decision, legal)

    def never(self):
        raise AssertionError("it was planned already")

    monkeypatch.setattr(Planner, "best", never)
    assert player.choose(RULES, known, decision, legal) == stranger
    assert stranger.do == "run"


def test_who_was_moved_otherwise_than_planned_plans_anew():
    state = _far_apart()
    known, decision, legal = asked(state)
    planned = AiController().choose(RULES, known, decision, legal)
    field = state.setup.field
    back = next(action for action in legal if action.do == "free_steps" and action.path[-1] == field.cell(1, 4))
    assert back != planned
    known, decision, legal = asked(RULES.apply(state, decision, back).state)
    chosen = AiController().choose(RULES, known, decision, legal)
    assert chosen.do == "run" and field.at(chosen.path[-1])[0] > 5


def test_where_a_chance_began_is_told_by_what_was_done_in_it():
    """The advisor finds the very position in which a chance began; nothing but movement may lie between."""
    state = _far_apart()
    advisor, moved = advisor_of(RULES), []
    known, decision, _ = asked(state)
    assert advisor.begun(known, "orc") == ()
    after = state
    for do in ("free_steps", "run"):
        action = max((a for a in asked(after)[2] if a.do == do), key=lambda a: a.path[-1] % 20)
        after = RULES.apply(after, decision, action).state
        moved.append(do)
        (begun,) = advisor.begun(asked(after)[0], "orc")
        assert begun.state == known and begun.moved == tuple(moved)
        assert begun.cell == action.path[-1]


@pytest.mark.parametrize("seed", range(3))
def test_its_reasons_belong_to_what_it_chose(seed):
    """At every decision of a fight, and the same when asked again at the end about each of them."""
    state, player, past = _brawl(10 + seed), AiController(), []
    for _ in range(30):
        if not RULES.decisions(state):
            break
        known, decision, legal = asked(state)
        chosen = player.choose(RULES, known, decision, legal)
        past.append((known, decision, legal, chosen))
        state = RULES.apply(state, decision, chosen).state
    assert len(past) > 3
    for known, decision, legal, chosen in past:
        thinking = player.explain(RULES, known, decision, legal)
        assert thinking.choice == chosen
        scores = [option.score for option in thinking.best]
        assert scores == sorted(scores, reverse=True)
        for option in thinking.best:
            assert option.action in legal
            assert sum(value for _, value in option.reasons) == pytest.approx(option.score, abs=1e-6)


def test_where_it_looks_for_the_unseen_can_be_asked_later():
    """A foe was seen and went out of sight: asked afterwards, the player explains with what it knew then."""
    rows = ["############", "#....#.....#", "#....#.....#", "#..........#", "############"]
    field = Field.from_rows(rows)
    met = fight(field, piece("orc", (3, 3), "monsters"), piece("warrior", (10, 3), "heroes"))
    met = turn_to(met, "orc", 3)
    player = AiController()
    player.choose(RULES, *asked(met))
    lost = change(change(met, "warrior", cell=field.cell(9, 1)), "orc", cell=field.cell(4, 1))
    question = asked(lost)
    assert [p.id for p in advisor_of(RULES).pieces(question[0])] == ["orc"]
    then = player.explain(RULES, *question)
    assert then.choice == player.choose(RULES, *question)
    elsewhere = change(change(met, "warrior", cell=field.cell(10, 3)), "orc", cell=field.cell(10, 2))
    player.choose(RULES, *asked(elsewhere))
    assert player.explain(RULES, *question) == then
    assert then.best[0].cell == field.cell(10, 3)


def test_who_stands_unseen_in_the_way_is_no_excuse_for_an_illegal_move():
    rows = ["#########", "#.......#", "#######.#", "#######.#", "#######.#", "#########"]
    state = fight(Field.from_rows(rows), piece("orc", (1, 1), "monsters"), piece("warrior", (7, 4), "heroes"))
    state = turn_to(change(state, "orc", cell=state.setup.field.cell(5, 1)), "orc", 3)
    known, decision, _ = asked(state)
    assert len(advisor_of(RULES).pieces(known)) == 1
    path = AiController().choose(RULES, known, decision, asked(state)[2]).path
    for cell in path:
        blocked = change(state, "warrior", cell=cell)
        if len(advisor_of(RULES).pieces(asked(blocked)[0])) == 1:
            assert AiController().choose(RULES, known, decision, asked(blocked)[2]) in asked(blocked)[2]


def test_narrow_places_are_those_where_one_stops_all_others():
    terrain = Field.from_rows(["#######", "#..#..#", "#.....#", "#..#..#", "#######"]).terrain()
    assert cells_of(Bitboard(narrow(terrain))) == [2 * 7 + 2, 2 * 7 + 3, 2 * 7 + 4]


def test_the_first_through_a_doorway_makes_room_for_the_next():
    """Two goblins and one archer far off: the first doesn't stop in the gap while the second waits behind it."""
    rows = [
        "##################",
        "#......#.........#",
        "#......#.........#",
        "#................#",
        "#......#.........#",
        "##################",
    ]
    state = fight(
        Field.from_rows(rows),
        piece("orc", (5, 3), "monsters", "first"),
        piece("orc", (4, 3), "monsters", "second"),
        piece("warrior", (16, 3), "heroes"),
    )
    after, _ = play_chance(turn_to(state, "first", 2), AiController("cunning"))
    assert where(after, "first") != (7, 3)


def test_nobody_stands_inside_a_corridor_behind_a_friend_at_blows():
    """It could strike nobody there, and the friend could not get back."""
    rows = [
        "####################",
        *["#.....########.....#"] * 2,
        "#..................#",
        *["#.....########.....#"] * 2,
    ]
    field = Field.from_rows([*rows, "####################"])
    state = fight(
        field,
        piece("orc", (13, 3), "monsters", "first"),
        piece("orc", (5, 3), "monsters", "second"),
        *(piece("warrior", (14, y), "heroes", f"w{y}") for y in (2, 3, 4)),
    )
    after, _ = play_chance(turn_to(state, "second", 6), AiController("brute"))
    column, row = where(after, "second")
    assert row != 3 or not 6 < column < 13


def test_leaps_over_a_gap_that_would_take_long_to_walk_round():
    rows = ["##############", *["#..... ......#"] * 3, "##### ########"]
    field = Field.from_rows(rows)
    open_gap = msgspec.structs.replace(field, opaque=field.opaque & ~field.terrain().pits)
    state = fight(open_gap, piece("rogue", (5, 2), "heroes"), piece("orc", (9, 2), "monsters", hp=3))
    _, did = play_chance(turn_to(state, "rogue", 4), AiController("brute"))
    assert "leap" in [action.do for action in did]


def test_who_could_strike_where_a_leap_ends_is_weighed():
    rows = ["##############", *["#..... ......#"] * 3, "##### ########"]
    field = Field.from_rows(rows)
    open_gap = msgspec.structs.replace(field, opaque=field.opaque & ~field.terrain().pits)
    state = fight(open_gap, piece("rogue", (5, 2), "heroes"), piece("orc", (8, 2), "monsters"))
    known, decision, legal = asked(turn_to(state, "rogue", 4))
    planner = AiController("cunning")._weighing(RULES, known, decision, legal)[0]
    assert planner is not None
    planner.plans()
    leaps = [m for m in advisor_of(RULES).measures(known, decision) if isinstance(m, Pass) and m.cell >= 0]
    assert leaps
    assert all(planner.judge.spot(leap.cell).danger > 0.0 for leap in leaps)


def test_a_wizard_uses_its_magic_on_foes():
    state = fight(
        HALL,
        piece("wizard", (3, 2), "heroes"),
        piece("orc", (10, 2), "monsters", "o1"),
        piece("orc", (11, 2), "monsters", "o2"),
        piece("orc", (11, 3), "monsters", "o3"),
    )
    _, did = play_chance(turn_to(state, "wizard", 6), AiController())
    assert "cast" in [action.do for action in did]


def test_lets_a_foe_come_that_it_could_only_run_up_to():
    """With one point left it would stand before a fresh warrior with nothing to strike with: it keeps the point."""
    state = fight(HALL, piece("orc", (3, 2), "monsters"), piece("warrior", (8, 2), "heroes"))
    state = turn_to(change(state, "warrior", ap=6, ap_start=6), "orc", 1)
    after, _ = play_chance(state, AiController("cunning"))
    assert after.figures[after.setup.index["orc"]].ap == 1
