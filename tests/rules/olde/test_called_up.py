"""Who is called up in the fight of an expedition (olde.md §8, §9): the exploration after it knows of them, too."""

from __future__ import annotations

from game.fight.match import Match
from rules.contract.events import Began, Summoned

ROWS = ["..........", "..........", ".........."]


def test_the_rows_of_an_expedition_grow_with_those_called_up_in_its_fights() -> None:
    creatures = [
        {"id": "wiz", "side": "heroes", "at": [1, 1], "template": "wizard", "controller": "human",
         "spells": ["summon wolf"], "light": 3},
        {"id": "g", "side": "monsters", "at": [7, 1], "template": "goblin", "hp": 1, "asleep": True},
    ]  # fmt: skip
    fight = Match.from_record({"format": "battlemat/1", "ruleset": "olde", "seed": 3, "options": {"crawl": True},
                               "map": {"rows": ROWS}, "creatures": creatures})  # fmt: skip
    for _ in range(300):
        decision = fight.decision
        if decision is None or any(isinstance(e, Began) and e.what == "truce" for e in fight.events):
            break
        actions = list(fight.legal(decision))
        wished = [a for do in ("cast", "attack", "ambush") for a in actions if a.do == do]
        called = any(isinstance(event, Summoned) for event in fight.events)
        steps = [a for a in actions if a.path and called]
        fight.act(decision, (wished or steps[-1:] or [a for a in actions if a.do == "end"] or actions)[0])
    assert any(isinstance(event, Summoned) for event in fight.events)
    now = fight.state.explore
    assert len({len(row) for row in (now.parked, now.post, now.guise, now.burning, now.attitude)}) == 1
    assert len(now.post) == len(fight.state.figures)
