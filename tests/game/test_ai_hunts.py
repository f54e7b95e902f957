"""The computer searches for foes out of sight wherever they may be, also on a map that hides something."""

from __future__ import annotations

from typing import Any

from game.content import encounter
from game.controllers.ai import AiController
from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.searching import Hunt
from game.fight.match import Match
from rules.contract.actions import Action
from rules.contract.units import Bitboard, Cell


def test_on_a_map_that_hides_something_foes_this_side_of_it_are_found() -> None:
    record: dict[str, Any] = encounter.make_encounter("crypt", ["freya"], ["ghoul"], 7, ruleset="cairn")
    record["creatures"][0]["at"], record["creatures"][1]["at"] = [17, 21], [27, 19]
    assert found(Match.from_record(record), "freya", 400)


def found(match: Match, foe: str, decisions: int) -> bool:
    """Whether the monsters come to see somebody who only waits."""
    computer = AiController()
    for _ in range(decisions):
        decision = match.decision
        if decision is None or any(piece.id == foe for piece in _known(match)):
            break
        if decision.side == "heroes":
            match.act(decision, Action(decision.by, "end" if decision.kind == "chance" else "resolve"))
        else:
            seen = match.observe(decision.side)
            match.act(decision, computer.choose(match.ruleset, seen, decision, match.ruleset.legal(seen, decision)))
    return any(piece.id == foe for piece in _known(match))


def _known(match: Match) -> Any:
    return advisor_of(match.ruleset).pieces(match.observe("monsters"))


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


def test_who_has_looked_at_its_post_looks_into_the_corners() -> None:
    creatures = [
        {"id": "orc", "template": "orc", "side": "monsters", "at": [3, 6]},
        {"id": "warrior", "template": "warrior", "side": "heroes", "at": [11, 1]},
    ]
    record = {"format": "battlemat/1", "ruleset": "olde", "map": {"rows": NICHES.split()}, "seed": 1}
    assert found(Match.from_record({**record, "options": {"fog": True}, "creatures": creatures}), "warrior", 100)


def test_two_who_walk_other_grounds_remember_what_both_have_looked_at() -> None:
    hunt, ours, theirs = Hunt(), (Cell(1), Cell(2)), (Cell(7),)
    hunt._look(ours, "post", 3, Bitboard(0b0110))
    hunt._look(theirs, "post", 9, Bitboard(0b1000))
    assert hunt._look(ours, "post", 3, Bitboard(0b0001)) == 0b0111
    assert hunt._look(ours, "post", 4, Bitboard(0b0001)) == 0b0001  # the next post is due
