"""Where the computer looks for foes whom nobody sees (docs/computer.md)."""

from __future__ import annotations

from typing import Any

from game.controllers.ai import AiController
from tests.game.ai_table import RULES, fight, piece

NICHES = """
######################
#.........#..........#
#..........##........#
#...........#........#
#......#.............#
#...........#........#
#.......#............#
#............#.......#
#........#...........#
#.............#......#
#........#...........#
#........##..........#
#..........#.........#
######################
"""
"""A ground with a corner that is seen from none of the posts of its round as they are come to."""


def turns_until_found(state: Any, most: int) -> int:
    """The turn in which an orc that searches sees the foe, who only waits."""
    player = AiController()
    while state.turn <= most:
        decision = RULES.decisions(state)[0]
        legal = RULES.legal(state, decision)
        known = RULES.observe(state, decision.side)
        if decision.side == "monsters" and any(m.side == "heroes" for m in RULES.board(known).miniatures):
            return int(state.turn)
        if decision.side == "heroes":
            action = next(action for action in legal if action.do == "end")
        else:
            action = player.choose(RULES, known, decision, legal)
        state = RULES.apply(state, decision, action).state
    return most + 1


def test_who_has_looked_at_its_post_looks_into_the_corners() -> None:
    state = fight(NICHES, piece("orc", (3, 6), "monsters"), piece("warrior", (11, 1), "heroes"), fog=True)
    assert turns_until_found(state, 30) <= 30
