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


def test_a_brute_runs_all_the_same() -> None:
    assert "run" in deeds("brute")


@pytest.mark.parametrize("temperament", ["cunning", "brute"])
def test_everybody_goes_to_a_foe_that_can_be_struck(temperament: str) -> None:
    assert any("attack" in deed for deed in deeds(temperament, NEAR))


def test_guard_given_up_on_the_way_counts_more_than_by_a_blow() -> None:
    found = judge("cunning")
    assert found.hurry(NOBODY, 2) == pytest.approx(load_weights("olde").judge.hasty * found.haste(NOBODY, 2))
    assert found.hurry(NOBODY, 0) == 0.0


def test_haste_counts_for_less_to_who_minds_danger_less() -> None:
    ratios = [found.hurry(NOBODY, 1) / found.haste(NOBODY, 1) for found in (judge("brute"), judge("cunning"))]
    assert 1.0 < ratios[0] < ratios[1]
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


def test_nobody_is_daunted_for_much_who_could_not_come_soon() -> None:
    def worth(at: tuple[int, int]) -> float:
        known, decision, _ = asked(orc(at))
        measures = advisor_of(RULES).measures(known, decision)
        return next(m.value for m in measures if isinstance(m, Magic) and m.action.do == "intimidate")

    assert 0.0 < worth(FAR) == pytest.approx(load_weights("olde").olde.measures.aloof * worth(NEAR))
