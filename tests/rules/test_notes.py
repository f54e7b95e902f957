"""Notes that are whole sentences are told as they are (rules.contract.events.Note)."""

from __future__ import annotations

import pytest

from game.content import tables as content
from game.fight.match import Match
from rules.contract.events import Note
from rules.core.registry import RULESETS


@pytest.mark.parametrize("name", RULESETS)
def test_a_note_that_is_a_sentence_gets_no_second_full_stop(name: str) -> None:
    creatures = [{"id": "ada", "side": "heroes", "at": [0, 0], "template": next(iter(content.heroes(name)))},
                 {"id": "gob", "side": "monsters", "at": [5, 0], "template": "goblin"}]  # fmt: skip
    fight = Match.from_record({"format": "battlemat/1", "ruleset": name, "seed": 1, "map": {"rows": ["......"]},
                               "creatures": creatures})  # fmt: skip
    told = fight.ruleset.tell(fight.state, Note(text="Nobody is caught unaware.", by="ada"))
    assert told == "Nobody is caught unaware."
