"""What it costs to come near without striking: points and guard that are spent for nothing (docs/computer.md)."""

from __future__ import annotations

from typing import Any

import pytest

from game.controllers.ai import AiController
from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.planning import Magic
from game.controllers.ai.factors import load_weights
from game.controllers.ai.judge import Judge, Spot
from game.controllers.ai.position import Position
from rules.contract.units import Cell
from tests.game.ai_table import RULES, asked, fight, piece, play_chance, turn_to

HALL = "\n".join(["#" * 18, *["#" + "." * 16 + "#"] * 4, "#" * 18])
FAR, NEAR = (14, 2), (6, 2)
"""Where a warrior at the other end can't be struck by one chance's run, and where he can."""


def orc(at: tuple[int, int] = FAR) -> Any:
    """An orc to act, and a warrior at the other end."""
    return turn_to(fight(HALL, piece("orc", at, "monsters"), piece("warrior", (3, 2), "heroes")), "orc", 3)


def deeds(temperament: str, at: tuple[int, int] = FAR) -> list[str]:
    return [action.do for action in play_chance(orc(at), AiController(temperament))[1]]


def judge(temperament: str, turn: int = 1) -> Judge:
    known, decision, _ = asked(orc())
    position = Position(RULES, known, decision, load_weights("olde").temper(temperament), load_weights("olde"))
    position.aged(turn)
    return Judge(position)


NOBODY, SOMEBODY = Spot(Cell(0), 1, 0.5, 0.0, 0.0), Spot(Cell(0), 1, 0.5, 1.0, 0.5)
"""A dangerous space from which nobody can be struck, and one from which somebody can."""


def test_the_cunning_do_not_run_to_where_they_can_strike_nobody() -> None:
    assert "run" not in deeds("cunning")


def test_a_brute_comes_all_the_same_but_keeps_its_guard() -> None:
    assert "step" not in deeds("cunning")
    assert "step" in deeds("brute") and "run" not in deeds("brute")


@pytest.mark.parametrize("temperament", ["cunning", "brute"])
def test_everybody_goes_to_a_foe_that_can_be_struck(temperament: str) -> None:
    assert any("attack" in deed for deed in deeds(temperament, NEAR))


def test_guard_given_up_on_the_way_counts_more_than_by_a_blow() -> None:
    found = judge("cunning")
    assert found.hurry(NOBODY, 2) == pytest.approx(load_weights("olde").judge.hasty * found.haste(NOBODY, 2))
    assert found.hurry(NOBODY, 0) == 0.0


def test_guard_given_up_for_nothing_counts_no_less_to_who_minds_danger_less() -> None:
    brute, cunning, w = judge("brute"), judge("cunning"), load_weights("olde").judge
    less = brute.temper.dread
    assert w.boldest < less < 1.0 == cunning.temper.dread
    bold = Spot(Cell(0), 1, less * NOBODY.danger, 0.0, 0.0)  # what so dangerous a space is to a brute
    assert brute.hurry(bold, 1) == pytest.approx(cunning.hurry(NOBODY, 1))


def test_points_spent_for_nothing_count_for_less_to_who_minds_danger_less() -> None:
    assert 0.0 > judge("brute").wasted(NOBODY, 2) > judge("cunning").wasted(NOBODY, 2)


def test_points_are_wasted_only_where_nobody_can_be_struck() -> None:
    found = judge("cunning")
    assert found.wasted(NOBODY, 2) == pytest.approx(2 * found.wasted(NOBODY, 1))
    assert found.wasted(SOMEBODY, 2) == found.wasted(NOBODY, 0) == 0.0


def test_haste_counts_less_in_each_turn_in_which_no_foe_has_come() -> None:
    waits = round(load_weights("olde").judge.waits)
    found = [judge("cunning", turn) for turn in (1, 3, 1 + waits)]
    early, later, late = (each.wasted(NOBODY, 2) for each in found)
    assert early < later < late == 0.0
    early, later, late = (each.hurry(NOBODY, 2) for each in found)
    assert early < later < late == found[0].haste(NOBODY, 2)


@pytest.mark.parametrize("kind", ["cairn", "countup"])
def test_points_are_never_wasted_where_they_are_lost_with_the_chance(kind: str) -> None:
    assert load_weights(kind).judge.spent == 0.0 < load_weights("olde").judge.spent


def test_who_spends_the_action_on_the_way_is_struck_first_at_its_end() -> None:
    """Under Cairn alone: elsewhere a way takes nothing from the blow, or not all that one has."""
    weights = load_weights("cairn")
    assert load_weights("olde").judge.rushing == load_weights("countup").judge.rushing == 0.0 < weights.judge.rushing
    known, decision, _ = asked(orc())
    found = Judge(Position(RULES, known, decision, weights.temper("cunning"), weights))
    assert found.rushed(NOBODY, 1) == pytest.approx(-weights.judge.rushing * NOBODY.danger)
    assert found.rushed(NOBODY, 0) == 0.0
    found.fear = 0.5
    assert found.rushed(NOBODY, 1) == 0.0, "who is afraid would rather be gone"


def test_nobody_is_daunted_for_much_who_could_not_come_soon() -> None:
    def worth(at: tuple[int, int]) -> float:
        known, decision, _ = asked(orc(at))
        measures = advisor_of(RULES).measures(known, decision)
        return next(m.value for m in measures if isinstance(m, Magic) and m.action.do == "intimidate")

    assert 0.0 < worth(FAR) == pytest.approx(load_weights("olde").olde.measures.aloof * worth(NEAR))


def test_points_are_kept_for_as_many_blows_as_one_stands_to_strike() -> None:
    known, decision, _ = asked(orc(NEAR))
    found = Judge(Position(RULES, known, decision, load_weights("olde").temper("cunning"), load_weights("olde")))
    position = found.position
    strikers = next(strikers for _, strikers in position.classes(1 << found.me.cell) if strikers)
    safe, beset = Spot(Cell(0), 0, 0.0, 1.0, 0.5), Spot(Cell(0), strikers, 0.5, 1.0, 0.5)
    stands = position.stands(strikers)
    assert 0.0 < stands < 1.0 == position.stands(0)
    assert found.reserve(beset, 2) == pytest.approx(stands * found.reserve(safe, 2))
    assert found.reserve(safe, 0) == found.reserve(beset, 0) == 0.0


def test_nobody_hopes_for_the_foe_to_come_who_would_not_stand_to_answer() -> None:
    known, decision, _ = asked(orc(NEAR))
    found = Judge(Position(RULES, known, decision, load_weights("olde").temper("cunning"), load_weights("olde")))
    found.ideal = 1.0
    strikers = next(strikers for _, strikers in found.position.classes(1 << found.me.cell) if strikers)
    whole = found.temper.patience * found.waiting
    assert found.patience(Spot(Cell(0), strikers, 0.5, 0.0, 0.0), 2) == pytest.approx(
        whole * found.position.stands(strikers)
    )
