"""Whatever the computer does, a hand finds: each of its deeds stands under a button, or is a way that one may take."""

from __future__ import annotations

import pytest

from game.content import encounter
from game.fight.advice import Counsel
from game.fight.match import Match

DECISIONS = 120
"""Of one fight."""


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ruleset", ["olde", "cairn", "countup"])
def test_every_deed_of_the_computer_stands_under_a_button(ruleset: str, seed: int) -> None:
    maps = [path.stem for path in encounter.single_maps()]
    record = encounter.surprise(maps[seed % len(maps)], None, seed, ruleset=ruleset)
    match = Match.from_record(record)
    mind = Counsel(match)
    for _ in range(DECISIONS):
        if (decision := match.decision) is None:
            break
        deed = mind.advise(decision)
        offers = match.legal(decision).offers()
        listed = any(deed in offer.actions for offer in offers)
        own_way = bool(deed.path) and any(offer.do == deed.do and offer.refused is None for offer in offers)
        assert listed or own_way, f"no button does {deed}"
        match.act(decision, deed)
    assert match.history.length > 20
